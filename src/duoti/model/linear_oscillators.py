"""Second-order systems that are given by matrices, as states."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duoti.model.laws.law import Value
from duoti.model.model import Model
from duoti.strict import Strict

MOST = 60  # coordinates: the rate of each is an expression with two terms for every one


class SecondOrderSystem(Strict):
    """A system of a model that is given by matrices: the states `coordinates` and `rates`, by name."""

    def __init__(self, name: str, coordinates: Sequence[str], rates: Sequence[str], given: Mapping[str, Any]):
        self.name, self.coordinates, self.rates = name, tuple(coordinates), tuple(rates)
        self.given = dict(given)
        """What `add_second_order_system` was called with, for files."""

    def generated(self) -> dict[str, tuple[str, ...]]:
        """Names of the elements that it is made of, by section."""
        return {"states": (*self.coordinates, *self.rates)}


def add_second_order_system(
    model: Model,
    name: str,
    mass: ArrayLike,
    stiffness: ArrayLike,
    damping: ArrayLike | None,
    forces: Sequence[Value],
    x0: ArrayLike | None,
    v0: ArrayLike | None,
) -> SecondOrderSystem:
    """See `Model.add_second_order_system`."""
    M = _square(name, "mass", mass, None)
    n = len(M)
    K, D = (
        _square(name, "stiffness", stiffness, n),
        _square(name, "damping", np.zeros((n, n)) if damping is None else damping, n),
    )
    if n > MOST:
        raise ValueError(f"second-order system {name!r}: {n} coordinates, {MOST} at most; reduce it to its modes")
    if len(forces) != n and len(forces) != 0:
        raise ValueError(f"second-order system {name!r}: {len(forces)} forces for {n} coordinates")
    condition = float(np.linalg.cond(M))
    if not condition < 1e14:
        raise ValueError(f"second-order system {name!r}: its mass matrix is singular (condition {condition:.3g})")
    x, v = [f"{name}.x{i + 1}" for i in range(n)], [f"{name}.v{i + 1}" for i in range(n)]
    inputs = [str(value) for value in forces] or ["0"] * n
    by_x, by_v, by_f = np.linalg.solve(M, K), np.linalg.solve(M, D), np.linalg.inv(M)
    starts = [np.zeros(n) if given is None else np.broadcast_to(np.asarray(given, float), (n,)) for given in (x0, v0)]
    for i in range(n):
        model.add_state(x[i], v[i], float(starts[0][i]))
    for i in range(n):
        terms = [
            _term(-by_x[i, j], x[j]) + _term(-by_v[i, j], v[j]) + _term(by_f[i, j], f"({inputs[j]})") for j in range(n)
        ]
        model.add_state(v[i], "".join(terms).removeprefix("+") or 0.0, float(starts[1][i]))
    given = {"mass": mass, "stiffness": stiffness, "damping": damping, "forces": list(forces), "x0": x0, "v0": v0}
    return SecondOrderSystem(name, x, v, given)


def _term(factor: float, what: str) -> str:
    return "" if factor == 0.0 or what == "(0)" else f"{float(factor):+.17g}*{what}"


def _square(name: str, what: str, given: Any, size: int | None) -> NDArray[np.float64]:
    matrix = np.asarray(given, dtype=float)
    if matrix.ndim == 1:
        matrix = np.diag(matrix)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or (size is not None and len(matrix) != size):
        wanted = "a square matrix, or its diagonal" if size is None else f"{size} x {size} numbers, or {size}"
        raise ValueError(f"second-order system {name!r}: {what} has the shape {np.shape(given)}; give {wanted}")
    if not np.all(np.isfinite(matrix)):
        raise ValueError(f"second-order system {name!r}: {what} has numbers that are not finite")
    return matrix
