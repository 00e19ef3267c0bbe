"""The equations of motion as linear functions of masses and inertias: regressor, and base parameters of a tree.

With the ten numbers p of each body (mass, first moment m c, inertia about the origin of the body's frame, in its axes),

    M(q) a + h(q, v) = Y(q, v, a) p                                                                               (1)

where the columns of a body are J^T times the wrench that a unit of each number needs for the body's motion: with
omega, alpha, and the acceleration a_o of the origin less gravity, in the body's axes (Khalil and Dombre, Modeling,
Identification and Control of Robots, 2002, section 9.4),

    f = m a_o + alpha x h + omega x (omega x h),   n = I alpha + omega x I omega + h x a_o                        (2)

Not all of p can be identified from motions: columns of Y that are always combinations of others are grouped with these
(Gautier and Khalil 1990; numerically by QR, Gautier 1991). What is left are the base parameters.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.instant.derivatives import displace
from duoti.analyses.instant.evaluator import evaluator_of
from duoti.analyses.states.at import with_instant
from duoti.analyses.states.supported import as_system
from duoti.model.model import Model
from duoti.renamed import renamed_arguments
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.system import System

SAME = 1e-9  # part of the largest below which a column says nothing new


@dataclass(frozen=True, eq=False)
class Regressor:
    """Y [nv, parameters] with Y @ values = M a + h (force elements are not in it); of N states [N, nv, parameters]."""

    matrix: Reals
    names: tuple[str, ...]
    """Columns: "crank.mass", "crank.mx" (first moment), "crank.xx" (inertia about the body's origin), ..., and
    "A.rotor" of joints with a rotor."""
    values: Reals
    """The numbers of the model."""
    rates: tuple[str, ...]
    """Rows."""

    def column(self, name: str) -> Reals:
        """One column."""
        if name not in self.names:
            raise KeyError(f"there is no parameter {name!r}")
        return self.matrix[..., self.names.index(name)]


@with_instant
@renamed_arguments
@explained
def inertial_regressor(model: Model | System, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> Regressor:
    r"""Regressor of the inverse dynamics: the generalised forces are linear in the inertial parameters.

    $$Y(q, v, a)\, p = M a + h$$

    p has ten numbers for each body: mass, first moment, and inertia about the origin of the body's frame, in its axes.
    """
    found = evaluator_of(model)
    matrix = found.inertial_regressor(q, v, a, copy=True)
    return Regressor(matrix, found.parameter_names, found.parameters.copy(), found.rate_names)


@dataclass(frozen=True, eq=False)
class BaseParameters:
    """The combinations of inertial numbers that motions of a tree can tell.

    names: the numbers that stand for them; combination [base, parameters]: base = combination @ p; values: those of the
    model; unidentifiable: numbers without any influence. `Y[:, chosen] @ values = Y p` for all motions.
    """

    names: tuple[str, ...]
    chosen: tuple[int, ...]
    combination: Reals
    values: Reals
    unidentifiable: tuple[str, ...]
    all_names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.names)

    def text(self, name: str) -> str:
        """A base parameter as a formula."""
        row = self.combination[self.names.index(name)]
        pairs = zip(row, self.all_names, strict=True)
        terms = [f"{x:+.6g} {other}" for x, other in pairs if abs(x) > SAME and other != name]
        return " ".join([name, *terms])

    def __str__(self) -> str:
        lines = [f"{len(self.names)} base parameters of {len(self.all_names)} inertial numbers"]
        lines += [f"  {self.text(name)} = {value:.6g}" for name, value in zip(self.names, self.values, strict=True)]
        return "\n".join(lines)


@renamed_arguments
@explained
def base_parameters(model: Model | System, states: int | None = None, seed: int = 0) -> BaseParameters:
    r"""Base inertial parameters of a tree, from the regressor in random states.

    $$\tau = Y(q, v, a)\, \theta = Y_b(q, v, a)\, \theta_b$$

    Where there is a choice, numbers of later bodies are kept, and those of earlier ones are grouped with them.

    Parameters
    ----------
    states:
        Number of random states; by default three times as many as are needed.
    seed:
        Seed of the random states.
    """
    system = as_system(model)
    if system.closures.rows:
        raise ValueError("base parameters are those of a tree: the model has closed loops or constraints")
    if states is not None and (not isinstance(states, int) or states < 1):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"states={states!r}: give the number of random states, such as 30")
    rng = np.random.default_rng(seed)
    count = 10 * len(system.model.bodies) + int(np.count_nonzero(system.tree.rotor))
    n = states or 3 * (count // max(system.nv, 1) + 1)
    q0 = system.initial_state()[0]
    rows, sample = list[Reals](), None
    for _ in range(n):
        q = displace(system, q0, rng.uniform(-2.0, 2.0, size=system.nv))
        sample = inertial_regressor(system, q, rng.normal(size=system.nv), rng.normal(size=system.nv))
        rows.append(sample.matrix)
    assert sample is not None
    Y = np.vstack(rows)
    size = np.linalg.norm(Y, axis=0)
    influential = np.flatnonzero(size > SAME * np.max(size))
    chosen = _independent(Y[:, influential] / size[influential], influential)
    rest = [int(k) for k in influential if int(k) not in set(chosen)]
    combination = np.zeros((len(chosen), Y.shape[1]))
    combination[range(len(chosen)), chosen] = 1.0
    if rest:
        combination[:, rest] = np.linalg.lstsq(Y[:, chosen], Y[:, rest], rcond=None)[0]
    combination[np.abs(combination) < SAME * np.max(np.abs(combination))] = 0.0
    dead = tuple(sample.names[k] for k in range(Y.shape[1]) if k not in set(influential.tolist()))
    names = tuple(sample.names[k] for k in chosen)
    return BaseParameters(names, tuple(chosen), combination, combination @ sample.values, dead, sample.names)


def _independent(Y: Reals, columns: Any) -> list[int]:
    """Columns, from the last one inward, that are not combinations of those taken before."""
    taken: list[int] = []
    basis = np.zeros((Y.shape[0], 0))
    for k in range(Y.shape[1] - 1, -1, -1):
        rest = Y[:, k] - basis @ (basis.T @ Y[:, k])
        rest = rest - basis @ (basis.T @ rest)
        length = float(np.linalg.norm(rest))
        if length > 1e-7:  # of one; a combination leaves round-off times condition
            basis = np.column_stack([basis, rest / length])
            taken.append(int(columns[k]))
    return sorted(taken)
