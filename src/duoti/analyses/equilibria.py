"""`equilibria`: all equilibria that a search from many places finds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np

from duoti.analyses.balance import LONGEST, Balance, gap
from duoti.analyses.equilibrium import Equilibrium, search
from duoti.kernel import one_blas_thread
from duoti.model.model import Model
from duoti.system.arrays import Reals
from duoti.system.compiler import compile_model
from duoti.system.system import System

SAME = 1e-6  # displacement [rad, or parts of the size of the mechanism] between positions that are one and the same
DEFLATIONS = 3  # further searches from each start, which keep away from what was found


class Equilibria(Sequence[Equilibrium]):
    """The equilibria that `equilibria` found, those of least potential energy first.

    `tried` says how many searches there were, `hits` how often each equilibrium was found: one that was found only once
    says that there may be more.
    """

    def __init__(self, found: Sequence[Equilibrium], hits: Sequence[int], tried: int, model: str):
        self._found, self.hits, self.tried, self.model = tuple(found), tuple(hits), tried, model

    @property
    def ok(self) -> bool:
        """Whether there is any."""
        return bool(self._found)

    @property
    def stable(self) -> tuple[Equilibrium, ...]:
        """Those that are stable."""
        return tuple(e for e in self._found if e.stable)

    @overload
    def __getitem__(self, index: int) -> Equilibrium: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Equilibrium]: ...
    def __getitem__(self, index: int | slice) -> Equilibrium | Sequence[Equilibrium]:
        return self._found[index]

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[Equilibrium]:
        return iter(self._found)

    def plot(self) -> Any:
        """The equilibria beside each other."""
        from duoti.analyses.plot_equilibrium import plot_equilibrium

        return plot_equilibrium(*self._found[:9])

    def __str__(self) -> str:
        lines = [f"{len(self)} equilibria of {self.model!r} in {self.tried} searches"]
        return "\n".join([*lines, *(f"{e}\n  found {n} times" for e, n in zip(self, self.hits, strict=True))])

    def __repr__(self) -> str:
        return f"<{len(self)} equilibria of {self.model!r}, {len(self.stable)} of them stable>"


def equilibria(
    model: Model | System, starts: int = 30, *, t: float = 0.0, seed: int = 0, most: int = 50
) -> Equilibria:
    """Find as many equilibria as a search from many places does.

    The first search begins at the initial state, the others at random positions: angles anywhere, distances within the
    size of the mechanism, loops closed from there. From each start further searches keep away from all equilibria known
    by then (deflation). Angles count modulo a turn. That none is missed cannot be promised; `hits` is a hint.

    Parameters
    ----------
    model:
        A model or a compiled system.
    starts:
        How many positions to begin at.
    t:
        Time at which laws and prescribed motions are evaluated.
    seed:
        Of the random positions: the same seed, the same positions.
    most:
        Stop when so many are found.
    """
    if not isinstance(model, Model | System):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{model!r} is not a model; give a dt.Model or what dt.compile made of one")
    system = model if isinstance(model, System) else compile_model(model)
    random = np.random.default_rng(seed)
    found, hits, tried = list[Equilibrium](), list[int](), 0
    with one_blas_thread():
        first = system.state(t=t)[0]
        for k in range(starts):
            balance = Balance(system, float(t))
            balance.measure(first)
            if balance.runs:
                balance.find_cyclic(first, system.initial_z())
            q = first if k == 0 else balance.closed(_random_position(system, random, first, balance.length))
            if q is None:
                continue
            tried += 1
            _keep(search(balance, q, system.initial_z()), found, hits)
            for _ in range(DEFLATIONS if len(found) < most else 0):
                known = tuple(e.place for e in found)
                place, _, _ = balance.newton(balance.look(q, system.initial_z()), 40, known)
                tried += 1
                if not _keep(search(balance, place.q, place.z, relax=False), found, hits):
                    break
            if len(found) >= most:
                break
        order = np.argsort([_energy(e) for e in found], kind="stable")
    return Equilibria([found[k] for k in order], [hits[k] for k in order], tried, system.model.name)


def _keep(e: Equilibrium, found: list[Equilibrium], hits: list[int]) -> bool:
    """Add an equilibrium unless it is known; whether it was new."""
    if not e.ok:
        return False
    for k, other in enumerate(found):
        if np.max(np.abs(gap(e.system, other.q, e.q)) / e.sizes, initial=0.0) < SAME:
            hits[k] += 1
            return False
    found.append(e)
    hits.append(1)
    return True


def _energy(e: Equilibrium) -> float:
    energy = e.result.energy
    return float(energy.potential[0])


def _random_position(system: System, random: np.random.Generator, first: Reals, length: float) -> Reals:
    tree, q = system.tree, first.copy()
    turns = (tree.turns == 1)[tree.plain_v]
    q[tree.plain_q[turns]] = random.uniform(-np.pi, np.pi, int(np.sum(turns)))
    q[tree.plain_q[~turns]] += random.uniform(-LONGEST, LONGEST, int(np.sum(~turns))) * length
    for k in tree.quat_q:
        quaternion = random.standard_normal(4)
        q[k : k + 4] = quaternion / np.linalg.norm(quaternion)
    return q
