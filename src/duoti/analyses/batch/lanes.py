"""Runs of a batch in lanes: which batches allow it, and the threads' part; kernels are in `integrate.lane_runs`."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from duoti.dynamics.evaluation import address
from duoti.dynamics.workspace import CONTEXT_BYTES, accumulator_weights, new_workspace
from duoti.elements.force_types import lanes_force_entry
from duoti.elements.laws import is_arithmetic
from duoti.integrate.explicit.semi_implicit_euler import SemiImplicitEuler
from duoti.integrate.explicit.verlet import Verlet
from duoti.integrate.explicit_loop import EXPLICIT_ENTRIES, RUNGE_KUTTA, SEMI_IMPLICIT
from duoti.integrate.lane_runs import VERLET, LaneRun
from duoti.integrate.state import CLOCK, CONTINUE, COUNTS
from duoti.kernel import JIT, address_of, pack
from duoti.kernel.lanes import LANES, WIDTH, aligned_zeros, lanes_like, reals_of
from duoti.kernel.store.processors import ARCHITECTURE, SHIPPED_LEVELS, level
from duoti.model.forces.base import Force
from duoti.system.allocation import WorkPlan
from duoti.system.arrays import ENERGY_ACCUMULATORS, Group, by_mass_matrix, runs_of, size_of_state
from duoti.system.context import GROUP_CONTEXT, LANES_CONTEXT
from duoti.system.number_pool import NumberPool
from duoti.system.system import System

KINDS: dict[Any, int] = {SemiImplicitEuler: SEMI_IMPLICIT, Verlet: VERLET}


def why_not_lanes(system: System, solver: Any) -> str:
    """Why runs that compiled code can drive are not to be had in lanes; empty if they are."""
    found = {
        "plain Python": not JIT,
        "closed loops": bool(system.closures.rows),
        "rates that several bodies share": by_mass_matrix(system.tree),
        "events": bool(len(system.loads.laws.event_law)),
        type(solver).__name__: type(solver) not in KINDS and solver.entries() != EXPLICIT_ENTRIES,
    }
    return ", ".join(reason for reason, applies in found.items() if applies)


def rounds_as_single_runs() -> bool:
    """Whether runs in lanes have the bits of single runs: where LLVM fuses the same products and sums in both."""
    return level() in SHIPPED_LEVELS.get(ARCHITECTURE, ())


def _groups(system: System) -> list[tuple[int, int, type[Force]]]:
    """First and last element of each group of force elements, and their type."""
    forces = system.loads.forces
    return [(a, b, system.force_types[forces.kind[a]]) for a, b in pairwise(runs_of(forces))]


def lane_entry_of(system: System, first: int, last: int, cls: type[Force]) -> Any:
    """The entry for lanes of a group; None if its elements are evaluated lane by lane."""
    numbers, laws = system.loads.forces.integers[first:last], system.loads.laws
    switched = np.any(numbers[:, -1] >= 0)
    plain = all(is_arithmetic(laws, law) for law in numbers[:, list(cls.lanes_laws)].ravel().tolist())
    return lanes_force_entry(cls) if plain and not switched else None


class LaneArrays:
    """What one thread needs for `integrate.lane_runs.simulate_lanes`: `context`, `run`, `method`.

    clock: of a run as it begins, with its settings.
    """

    def __init__(self, pool: NumberPool, solver: Any, clock: Any, times: Any):
        system = pool.system
        numbers, tree, loads, closures = pool.lanes()
        plan = WorkPlan(tree, loads, closures, LANES, system.stack_depth, CONTEXT_BYTES // 8)
        self.work = work = plan.new()
        work.at[0].system = self.context = address_of(work.block)
        work.error_weights[-ENERGY_ACCUMULATORS:] = accumulator_weights(system)
        pack(work.block, (tree, loads, closures, work), LANES_CONTEXT)
        entries = [lane_entry_of(system, *group) for group in _groups(system)]
        for i, ((first, last, _), entry) in enumerate(zip(_groups(system), entries, strict=True)):
            pack(work.types.memory[i], (Group(self.context, first, last),), GROUP_CONTEXT)
            work.types.force_group[i] = address_of(work.types.memory[i])
            work.types.force[i] = 0 if entry is None else address(entry)
        self.single: list[Any] = self._single(pool) if None in entries or tree.nz else []
        self.tree = tree
        self.method = solver.tableau()
        self.run = self._run(pool, solver, clock, times, numbers, entries)

    def _single(self, pool: NumberPool) -> list[Any]:
        """Workspaces for single lanes, each of a system with numbers of its own."""
        self.pools = np.repeat(pool.start[None], WIDTH, axis=0)
        systems = [pool.system_over(numbers) for numbers in self.pools]
        first = new_workspace(systems[0], ydot=True)
        size = -(-first.y.base.size // WIDTH) * WIDTH
        self.memory = aligned_zeros(WIDTH * size).reshape(WIDTH, size)
        self.systems = systems
        return [new_workspace(each, ydot=True, memory=own) for each, own in zip(systems, self.memory, strict=True)]

    def _run(self, pool: NumberPool, solver: Any, clock: Any, times: Any, numbers: Any, entries: list[Any]) -> LaneRun:
        system, work, method, none = pool.system, self.work, self.method, np.zeros((0, 0))
        ny, stages, degree = size_of_state(system.tree), method.A.shape[0], method.P.shape[1]

        def lanes(*shape: int) -> Any:
            return lanes_like(np.zeros(shape))

        of_lanes = {
            "h": lanes(1), "begin": lanes(ny), "y": lanes(ny), "y_new": lanes(ny), "K": lanes(stages, ny),
            "Q": lanes(degree, ny), "error": lanes(5), "energies": lanes(2),
        }  # fmt: skip
        clocks = np.zeros(WIDTH, CLOCK)
        clocks[:] = clock
        single = self.single
        return LaneRun(
            clock=clocks, counts=np.zeros(WIDTH, COUNTS), status=np.full(WIDTH, CONTINUE),
            last=np.zeros(WIDTH, np.int64),
            t=np.zeros(WIDTH), y_at=lanes(ny), row=np.zeros((3, max(ny, 4))), times=times, pool=reals_of(numbers),
            **of_lanes, **{f"{name}_of": reals_of(each) for name, each in of_lanes.items()},
            w_y=reals_of(work.y), w_ydot=reals_of(work.ydot), w_poses=reals_of(work.X_WB), w_twists=reals_of(work.V),
            w_wrenches=reals_of(work.F_ext), w_tau=reals_of(work.tau), w_powers=reals_of(work.powers),
            w_pivots=reals_of(work.D), single=np.array([int(each.at[0].system) for each in single], np.int64),
            alone=np.array([int(entry is None) for entry in entries], np.int64),
            memory=self.memory if single else none, fresh=self.memory.copy() if single else none,
            pools=self.pools if single else none, inertia=reals_of(self.tree.inertia),
            kind=KINDS.get(type(solver), RUNGE_KUTTA),
        )  # fmt: skip
