"""`equilibria`: all equilibria that a search from many starts finds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, overload

import numpy as np

from duoti.analyses.equilibrium.equations import LONGEST, Balance, gap
from duoti.analyses.equilibrium.equilibrium import Equilibrium, search, start_of
from duoti.analyses.instant.derivatives import displace
from duoti.analyses.states.joint_limits import overturned_beams
from duoti.analyses.states.supported import as_system, of_graph, refuse_rigid_contacts
from duoti.kernel import one_blas_thread
from duoti.model.model import Model
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.system import System

SAME = 1e-6  # displacement [rad, or parts of the size of the mechanism] between positions that are one and the same
BESIDE = (0.02, 0.1, 0.5)  # how far beside a known equilibrium further searches begin [rad, parts of the size]
DEFLATED = 40  # iterations of such a search
PUSHED = (
    0.2,
    0.6,
    1.2,
)  # how far one that is not stable is left along directions that push away [the same]
SOFTEST, MOST_BENT = 6, 1.5  # directions along which beams are bent at random, and how far [the same]


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
        from duoti.analyses.equilibrium.plot import plot_equilibrium

        return plot_equilibrium(*self._found[:9])

    def __str__(self) -> str:
        lines = [f"{len(self)} equilibria of {self.model!r} in {self.tried} searches"]
        return "\n".join([*lines, *(f"{e}\n  found {n} times" for e, n in zip(self, self.hits, strict=True))])

    def __repr__(self) -> str:
        return f"<{len(self)} equilibria of {self.model!r}, {len(self.stable)} of them stable>"


@explained
def equilibria(model: Model | System, starts: int = 30, *, t: float = 0.0, seed: int = 0, most: int = 50) -> Equilibria:
    """Find as many equilibria as a search from many starting points does.

    The first search begins at the initial state, the others at random positions with closed loops. Further searches
    begin beside and between those found and keep away from them (deflation). Angles count modulo a turn. Completeness
    is not guaranteed.

    Parameters
    ----------
    model:
        A model or a compiled system.
    starts:
        Number of starting points.
    t:
        Time at which laws and prescribed motions are evaluated [s].
    seed:
        Seed of the random positions.
    most:
        Stop when so many are found.
    """
    model = of_graph(model)
    refuse_rigid_contacts(model, "dt.equilibria")
    if not isinstance(model, Model | System):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{model!r} is not a model; give a dt.Model or what dt.compile made of one")
    system = as_system(model)
    system.require_dynamics()
    with one_blas_thread():
        search = _Search(system, float(t), np.random.default_rng(seed), most)
        found = search.run(starts)
        if found or not search.balance.runs:
            return found
        from duoti.analyses.equilibrium.steady_motion import Carriage

        carriage = Carriage.of(search.balance, search.first)
        if carriage is None:
            return found
        other = _Search(carriage.other, float(t), np.random.default_rng(seed), most, carriage.position(search.first))
        carried = other.run(starts)
        tried = found.tried + carried.tried
        return Equilibria([carriage.back(each) for each in carried], carried.hits, tried, system.model.name)


class _Search:
    """What was found so far, and the ways to find more."""

    def __init__(
        self, system: System, t: float, random: np.random.Generator, most: int, first: Reals | None = None
    ):  # fmt: skip
        self.system, self.random, self.most = system, random, most
        self.found: list[Equilibrium] = []
        self.hits: list[int] = []
        self.tried = 0
        self.first, self.z, _ = start_of(system, None, t)
        if first is not None:
            self.first = first
        self.balance = Balance(system, t)
        self.balance.measure(self.first)
        if self.balance.runs:
            self.balance.find_cyclic(self.first, self.z)
        self.soft = bool(system.model.beams)

    def run(self, starts: int) -> Equilibria:
        """From the initial state, from random positions, and then from beside and between what was found."""
        self.newton(self.first)
        for k in range(1, starts):
            self.newton(self.bent() if self.soft and k % 2 else self.anywhere())
        done = 0
        while done < len(self.found) < self.most:  # those that are found now are looked around, too
            here = self.found[done]
            n = self.system.nv
            for way in self.away(here):
                self.slide(displace(self.system, here.q, PUSHED[0] * way))
                for size in PUSHED:
                    self.deflated(here.q, size * way)
            for size in BESIDE:
                self.deflated(here.q, size * self.balance.size * self.random.standard_normal(n) / np.sqrt(n))
            for other in self.found[:done]:
                way = 0.5 * gap(self.system, here.q, other.q)
                self.newton(displace(self.system, here.q, way))
                self.deflated(here.q, way)
            done += 1
        order = np.argsort([float(e.result.energy.potential[0]) for e in self.found], kind="stable")
        found, hits = [self.found[k] for k in order], [self.hits[k] for k in order]
        return Equilibria(found, hits, self.tried, self.system.model.name)

    def anywhere(self) -> Reals:
        """A random position."""
        return _random_position(self.system, self.random, self.first, self.balance.length)

    def bent(self) -> Reals:
        """A random position near the first one, along its softest directions: beams stay smooth curves."""
        _, shapes = self.stiffnesses(self.first)
        way = shapes[:, :SOFTEST] @ self.random.standard_normal(min(SOFTEST, shapes.shape[1]))
        longest = float(np.max(np.abs(way) / self.balance.size, initial=0.0))
        return displace(self.system, self.first, way * (self.random.uniform(0.0, MOST_BENT) / max(longest, 1e-300)))

    def stiffnesses(self, q: Reals) -> tuple[Reals, Reals]:
        """Stiffnesses per mass in a position, ascending, and their displacements in columns."""
        from scipy.linalg import eigh

        point = self.balance.look(q, self.z)
        here, matrix = self.balance.derivatives(point)
        n = point.free.N.shape[1]
        if not n:
            return np.zeros(0), np.zeros((self.system.nv, 0))
        solved: Any = eigh(0.5 * (matrix[:n, :n] + matrix[:n, :n].T), point.free.both(here.M))
        return solved[0], point.free.N @ solved[1]

    def away(self, here: Equilibrium) -> list[Reals]:
        """Displacements of unit size to both sides along the directions in which an equilibrium is not stable."""
        if here.stable:
            return []
        values, shapes = self.stiffnesses(here.q)
        found: list[Reals] = []
        for shape in shapes[:, values < 0.0].T[:SOFTEST]:
            unit = shape / max(float(np.max(np.abs(shape) / self.balance.size)), 1e-300)
            found += [unit, -unit]
        return found

    def slide(self, q: Reals) -> None:
        """Slide down from a position to a stable equilibrium."""
        closed = self.balance.closed(q)
        if closed is not None and len(self.found) < self.most:
            self.keep(search(self.balance, closed, self.z, stable=True, pushes=0))

    def newton(self, q: Reals) -> None:
        """Search from a position: any equilibrium, stable or not."""
        closed = self.balance.closed(q)
        if closed is None or len(self.found) >= self.most:
            return
        e = search(self.balance, closed, self.z, relax=False)
        self.keep(e if e.ok else search(self.balance, closed, self.z))

    def deflated(self, q: Reals, way: Reals) -> None:
        """Search from a position a way beside one that is known, keeping away from all that are."""
        closed = self.balance.closed(displace(self.system, q, way))
        if closed is None or len(self.found) >= self.most:
            return
        begin = self.balance.look(closed, self.z)
        point, ok, _ = self.balance.newton(begin, DEFLATED, tuple(e.point for e in self.found))
        if ok:
            self.keep(search(self.balance, point.q, point.z, relax=False))

    def keep(self, e: Equilibrium) -> None:
        """Add an equilibrium unless it is known."""
        self.tried += 1
        if not e.ok or overturned_beams(e.system, e.q):
            return
        for k, other in enumerate(self.found):
            if np.max(np.abs(gap(e.system, other.q, e.q)) / e.sizes, initial=0.0) < SAME:
                self.hits[k] += 1
                return
        self.found.append(e)
        self.hits.append(1)


def _random_position(system: System, random: np.random.Generator, first: Reals, length: float) -> Reals:
    tree, q = system.tree, first.copy()
    turns = (tree.angular == 1)[tree.plain_v]
    q[tree.plain_q[turns]] = random.uniform(-np.pi, np.pi, int(np.sum(turns)))
    q[tree.plain_q[~turns]] += random.uniform(-LONGEST, LONGEST, int(np.sum(~turns))) * length
    for k in tree.quat_q:
        quaternion = random.standard_normal(4)
        q[k : k + 4] = quaternion / np.linalg.norm(quaternion)
    return q
