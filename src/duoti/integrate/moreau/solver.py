"""Moreau and Jean's time stepping as a choice of the user."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from duoti.contact.build import LIST_FROM, LIST_TO, ContactSet, arrays_of_list, no_contacts, rigid_contacts
from duoti.contact.collide.arrays import Contacts, creeps
from duoti.contact.event_driven.records import ImpactRecord, impact_records
from duoti.contact.overlap import overlap_in_joints
from duoti.contact.solve.block_matrix import new_matrix
from duoti.contact.solve.problem import new_problem
from duoti.contact.solve.residuals import NAMES as RESIDUAL_NAMES
from duoti.contact.workspace import ContactGeometry, new_contact_workspace
from duoti.dynamics.joint_friction.installation import joint_friction_of
from duoti.dynamics.workspace import add_time_stepping, new_linearisation
from duoti.integrate.base import DrivenLoop, Solver, SolverLoop
from duoti.integrate.moreau.branch_problem import ENTRY, WANTED
from duoti.integrate.moreau.contact_problem import MATTERS, new_moreau_memory
from duoti.integrate.moreau.step import COLUMNS, MOREAU_CONTEXT, MOREAU_ENTRIES
from duoti.integrate.moreau.step_record import new_step_record
from duoti.integrate.state import CONTINUE, Run, arrays_of, new_run
from duoti.kernel import entry_address, pack, run_entry
from duoti.model.joint_friction import follows_load, slots_of
from duoti.system.arrays import Reals, Tree, Work, freeze
from duoti.system.context import REAL_CONTEXT
from duoti.system.system import System


@dataclass(frozen=True)
class Moreau(Solver):
    r"""Time stepping of Moreau and Jean with a constant step, for many rigid contacts with Coulomb friction.

    $$M (v_{n+1} - v_n) = h\, f + G^T \Lambda, \qquad 0 \le \Lambda_N \perp \xi_N \ge 0, \qquad
    -\xi_T \in N_{C(\mu \Lambda_N)}(\Lambda_T)$$

    $\Lambda$ are the impulses of a step, $\xi_N = g_N^+ + e\, g_N^-$ the relative normal velocities with restitution.

    * Order 2 for smooth motion, 1 with impacts, which are not located in time.
    * One problem a step: contacts with the exact friction cone, rolling friction, joint friction and stops.
    * Bodies at rest do not creep into each other.
    * For: heaps, walking, gripping: models with many contacts, or contacts that open and close all the time.

    `r.stats.contacts` counts which stage of the solver solved how many steps, and those left above the tolerance. A run
    with a large error in one of them is not `ok`.

    Parameters
    ----------
    step:
        The step; 1e-3 s is a good start. Halve it and compare.
    tolerance:
        Error of the velocities in a step, relative to the largest velocity among bodies that touch each other.
    sweeps:
        Largest number of sweeps over all contacts in a step.
    implicit:
        Take forces at the mean of the step, with their derivatives: springs and dampers may then be far stiffer.
        Not with closed loops, joint friction that depends on the load, or creep forces.

    References
    ----------
    M. Jean, The non-smooth contact dynamics method, Computer Methods in Applied Mechanics and Engineering 177 (1999)
    235-257.
    """

    treats_contacts: ClassVar[bool] = True
    units: ClassVar = {"tolerance": "1"}

    step: float
    tolerance: float = field(default=1e-8, kw_only=True)
    sweeps: int = field(default=3000, kw_only=True)
    implicit: bool = field(default=False, kw_only=True)

    @staticmethod
    def entries() -> tuple[Any, ...]:
        """See `Solver.entries`."""
        return MOREAU_ENTRIES

    def entries_for(self, system: System) -> tuple[Any, ...]:
        """See `Solver.entries_for`."""
        of, found = rigid_contacts(system) or no_contacts(system), MOREAU_ENTRIES
        if not of.contacts.slots:
            if slots_of(system.model) and not _paths_possible(system, of, self.implicit):
                from duoti.integrate.moreau.general_problem import general_contacts

                return (*found, general_contacts)
            return found
        if of.can_pass:
            from duoti.integrate.moreau.substeps import substepped_step

            found = (*found, substepped_step)
        if not (_paths_possible(system, of, self.implicit) and of.only_ground):
            from duoti.integrate.moreau.general_problem import general_contacts

            found = (*found, general_contacts)
        return found

    @property
    def adaptive(self) -> bool:
        """Never."""
        return False

    @property
    def fixed_step(self) -> float:
        """The step."""
        return self.step

    @property
    def explicit_impulses(self) -> bool:
        """See `Solver.explicit_impulses`."""
        return not self.implicit

    def faults(self) -> list[str]:
        """See `Solver.faults`."""
        found: list[str] = []
        if not isinstance(self.step, Real) or not 0 < self.step < math.inf:  # pyright: ignore[reportUnnecessaryIsInstance]
            found.append(f"step={self.step!r} must be a positive time in seconds")
        if not isinstance(self.tolerance, Real) or not 0 < self.tolerance < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
            found.append(f"tolerance={self.tolerance!r} must be a number between 0 and 1")
        if not isinstance(self.sweeps, int) or self.sweeps < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
            found.append(f"sweeps={self.sweeps!r} must be a positive whole number")
        if not isinstance(self.implicit, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            found.append(f"implicit={self.implicit!r} must be True or False")
        return found

    def loop(self, system: System, times: Reals | None, work: Work) -> SolverLoop:
        """See `Solver.loop`."""
        return MoreauLoop(self, system, times, work)


def _refuse(system: System) -> None:
    """What time stepping does not do, by name."""
    touching = any(element.law.rigid for element in system.model.contacts.values())
    for slot in slots_of(system.model):
        if not follows_load(system.model, slot):
            continue
        if touching and not slot.friction_state:  # its load is that of the middle of a step, without impulses
            raise ValueError(
                f'joint "{slot.joint}": Moreau does not find the load of smooth friction in a system with rigid '
                'contacts; give friction_law="coulomb", or take an explicit solver such as dt.DOPRI5()'
            )


OVERLAP = 1e-6  # m, at the start: less is not worth a word
STILL_DEEP = 0.5  # of the overlap at the start, of bodies that a joint holds together: they do not part
STAGE_NAMES = ("steps", "kept", "newton", "continued", "cold", "swept", "interior", "unsolved")
OF_SLOTS = (
    "impulse",
    "state",
    "seen",
    "step",
    "beside",
    "place",
    "scratch",
    "prior",
    "prior_slot",
    "prior_count",
)  # of MoreauMemory
ADDRESSES = "creep", "implicit", "general", "detection"  # and other things that hold for one arrangement
MOST_IMPLICIT = 1000  # rates: the matrix is full


def _refuse_implicit(system: System, of: ContactSet) -> None:
    """What implicit forces do not go together with."""
    found: list[str] = []
    if system.closures.rows:
        found.append("closed loops and constraints")
    if any(follows_load(system.model, slot) for slot in slots_of(system.model)):
        found.append("friction of joints that follows from their load")
    if creeps(of.contacts):
        found.append("creep forces of rolling contacts")
    if system.nv > MOST_IMPLICIT:
        found.append(f"more than {MOST_IMPLICIT} rates")
    if found:
        raise ValueError(
            f"Moreau(implicit=True) does not treat {' and '.join(found)}; leave implicit out and take a step that "
            "resolves the fastest vibration, or make contacts compliant and take dt.Radau()"
        )


def _one_group(contacts: Contacts, tree: Tree) -> Contacts:
    """All trees as one: implicit forces may couple any of them."""
    n = tree.nv
    one = contacts._replace(
        tree_of=np.minimum(np.arange(tree.nb), 1), tree_first=np.array([0, 0, n]), tree_dofs=np.arange(n),
        dof_place=np.arange(n), width=max(1, n),
    )  # fmt: skip
    freeze(one)
    return one


def _paths_possible(system: System, of: ContactSet, implicit: bool) -> bool:
    """Whether points between a tree and what does not move may be solved for along paths (`branch_sparse`)."""
    tree = system.tree
    return not (system.closures.rows or tree.shared or tree.flexible or implicit or creeps(of.contacts))


class MoreauLoop(DrivenLoop):
    """The loop of a system with its contacts."""

    begins_with_rates = False

    def __init__(self, solver: Moreau, system: System, times: Reals | None, work: Work):
        self.solver, self.system = solver, system
        of = rigid_contacts(system) or no_contacts(system)
        _refuse(system)
        if solver.implicit:
            _refuse_implicit(system, of)
            if of.rules is not None:
                of = of._replace(rules=of.rules._replace(contacts=_one_group(of.rules.contacts, system.tree)))
            else:
                of = of._replace(contacts=_one_group(of.contacts, system.tree))
        self.names = of.names
        self.overlap = 0.0  # m, at the start
        self.seen: list[ImpactRecord] = []
        if not len(work.M):  # of a tree: forward dynamics does without, contacts need the mass matrix
            work = work._replace(M=np.zeros(system.nv + int(np.sum(system.tree.depth))))
            pack(work.block, (system.tree, system.loads, system.closures, work), REAL_CONTEXT)
        add_time_stepping(work, contacts=bool(of.contacts.slots))
        if solver.implicit:
            self.linearisation = new_linearisation(system, work)
        self.step_record, self.record_layout = new_step_record(system, of)
        run = new_run(system.tree, system.loads, 1, 1, times, solver.step, nx=self.record_layout.size)
        self._arrange(of.with_room(), work, run)

    def _arrange(self, of: ContactSet, work: Work, run: Run) -> None:
        """All that has a size by contacts."""
        solver, system, tree, self.of = self.solver, self.system, self.system.tree, of
        self.contact = new_contact_workspace(of)
        free, joints = _paths_possible(system, of, solver.implicit), len(slots_of(system.model))
        width = max(3, int(np.max(np.diff(of.contacts.tree_first)))) if joints else 0
        self.problem = new_problem(of.contacts, tree.nv, tree if free else None, joints, width)
        self.problem.paths.counts[0].possible = int(free)
        self.memory = new_moreau_memory(of.contacts, tree, len(of.names), of.near)
        settings = self.memory.method[0]
        settings.tolerance, settings.most_sweeps = solver.tolerance, solver.sweeps
        if (of.contacts.slots and not (free and of.only_ground)) or (joints and not free):
            self._need_general()
        capacity = len(self.problem.slot)
        self.matrix = new_matrix(of.contacts, tree, capacity, always=solver.implicit or joints > 0, width=width)
        if solver.implicit:
            from duoti.integrate.moreau.implicit_forces import implicit_matrix

            self.memory.implicit[0] = entry_address(implicit_matrix)
        own = (work.at[0].system, self.contact.address, of.contacts, tree.nv, self.problem, self.memory)
        self.beside = None
        if creeps(of.contacts):
            from duoti.integrate.moreau.creep import Creep

            self.beside = Creep(*own)
        arguments = (self.contact.address, self.problem, self.memory, self.matrix, self.step_record)
        self.detection, entries = None, MOREAU_ENTRIES
        if of.can_pass:
            from duoti.integrate.moreau.substeps import Watching

            self.detection = Watching(of, self.memory, run, tree)
            entries = self.detection.entries
        super().__init__(work, run, entries, MOREAU_CONTEXT, (), arguments)

    def _lacks_room(self) -> bool:
        """Whether the list of near pairs was too short for what is near."""
        works = [self.contact.work] + ([] if self.detection is None else [self.detection.contact.work])
        return any(each.look[0].full for each in works)

    def _make_room(self, of: ContactSet | None = None) -> None:
        """Go on with more room for near pairs, and with what is known."""
        before, memory, problem, detection = self.of, self.memory, self.problem, self.detection
        self._arrange(before.with_more_room() if of is None else of, self.work, self.run)
        for name in memory._fields:
            if name not in OF_SLOTS and name not in ADDRESSES:
                source, target = getattr(memory, name), getattr(self.memory, name)
                count = min(len(source), len(target))  # of impacts, which have been taken out
                target[:count] = source[:count]
        self.memory.general[:] = memory.general
        self.problem.counts[:] = problem.counts
        self.problem.solved[:] = problem.solved
        if detection is not None and self.detection is not None:
            self.detection.detection.counts[:] = detection.detection.counts

    @property
    def notes(self) -> tuple[str, ...]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """How deep bodies overlap at the start, and how many steps were not solved to the tolerance."""
        counts = self.problem.counts[0]
        chosen = () if self.detection is None else tuple(self.detection.notes)
        deep = chosen if self.overlap <= OVERLAP else (
            *chosen,
            f"bodies overlap by {self.overlap:.3g} m at the start; those that press on each other are pushed apart "
            "without a velocity, and what this does to the potential energy is in the energy_lost of their contacts: "
            "see dt.check",
        )  # fmt: skip
        if not counts.unsolved or self._jammed():  # which the reason says
            return deep
        return (
            *deep,
            f"{int(counts.unsolved)} of {int(counts.steps)} steps with contacts or joint friction were not solved to "
            f"the tolerance; the "
            f"largest error of a velocity was {float(counts.worst):.2g} m/s, {float(counts.worst_fraction):.1g} of "
            f"those "
            "in its step. Allow more sweeps, or a shorter step",
        )

    @property
    def contact_stages(self) -> dict[str, int]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """See `Stats.contacts`."""
        counts = self.problem.counts[0]
        return {name: int(counts[name]) for name in STAGE_NAMES} if counts.steps else {}

    @property
    def contact_residuals(self) -> dict[str, tuple[float, str, float]]:  # pyright: ignore[reportIncompatibleVariableOverride]
        """See `Stats.contact_residuals`."""
        worst = self.memory.worst if self.problem.counts[0].steps and self.names else np.zeros((0, 3))
        return {
            name: (float(value), self.names[int(element)], float(t))
            for name, (value, t, element) in zip(RESIDUAL_NAMES, worst, strict=False)
        }

    @property
    def unsolved(self) -> str:  # pyright: ignore[reportIncompatibleVariableOverride]
        """See `Loop.unsolved`."""
        counts = self.problem.counts[0]
        passed = "" if self.detection is None else self.detection.passed(self.solver.step)
        deep = -float(np.min(self.contact.work.gap, initial=0.0))
        if self.suspect and self.overlap > OVERLAP and deep > STILL_DEEP * self.overlap:
            return f"{passed and passed + '; besides, '}bodies still overlap by {deep:.3g} m: nothing can part them"
        if not counts.wrong:
            return passed
        if jammed := self._jammed():
            return (
                f"{passed and passed + '; besides, '}"
                f'joint "{jammed}" jams while it moves, in {int(counts.wrong)} of {int(counts.steps)} steps: friction '
                "makes more load than it can carry (dt.contact_problem(...).critical_joint_friction says from which "
                "coefficient on); give less friction, or a longer guide"
            )
        return (
            f"{passed and passed + '; besides, '}"
            f"{int(counts.wrong)} of {int(counts.steps)} steps with contacts were left with an error of a velocity "
            f"above {MATTERS:g} of those that contacts deal with (at most {float(counts.worst):.2g} m/s): the motion "
            f"is not that of the model. Take a shorter step than {self.solver.step:g} s, or allow more sweeps than "
            f"{self.solver.sweeps}"
        )

    def _jammed(self) -> str:
        """The joint whose friction did not find its load in a step, if there is one."""
        if not self.work.at[0].joint_friction:
            return ""
        slot = int(joint_friction_of(self.work).status[0].jams) - 1
        return slots_of(self.system.model)[slot].joint if slot >= 0 else ""

    def start(self, first_step: float) -> None:
        """See `Loop.start`; forces of joints at the start are those of the first step, which is tried for that."""
        super().start(first_step)
        while self._lacks_room():
            self._make_room()
            super().start(first_step)
        if not self.contact.contacts.slots:
            return
        arrays, run = self.checkpoint_arrays(), self.run
        kept, clock = [each.copy() for each in arrays], run.clock[0]
        clock.h = min(clock.h, clock.t_end - clock.t)
        run_entry(int(run.calls[0].step), int(run.calls[0].context))
        wants_more, found = self.memory.general[WANTED] == 1, run.x_new.copy()
        lacks_room = self._lacks_room()
        for each, values in zip(arrays, kept, strict=True):
            each[...] = values
        if wants_more or lacks_room:
            if lacks_room:
                self._make_room()
            else:
                self._need_general()
            self.start(first_step)
            return
        own = COLUMNS * len(self.names)  # of contacts, which have forces from the first step on
        run.x[own:] = found[own:]

    def advance(self, most_steps: int) -> int:
        """See `Loop.advance`; impacts are taken out before there could be more than there is room for."""
        status = super().advance(0) if most_steps == 0 else CONTINUE
        if most_steps > 0 and self.run.counts[0].steps == 0:
            status = self._first_step()
            most_steps -= 1
        room = max(1, len(self.memory.impacts) // max(1, self.contact.contacts.slots))
        while most_steps > 0 and status == CONTINUE:
            status = self._advance(min(most_steps, room))
            most_steps -= room
            self._take_impacts()
        return status

    def without_a_look(self) -> tuple[DrivenLoop | None, int]:
        """See `Loop.without_a_look`: until there might be no room for impacts."""
        steps = int(self.run.counts[0].steps)
        if steps == 0 or self.memory.method[0].impacts > 0:
            return None, 0
        return self, steps + max(1, len(self.memory.impacts) // max(1, self.contact.contacts.slots))

    def _need_general(self) -> None:
        from duoti.integrate.moreau.general_problem import general_contacts

        self.memory.general[ENTRY], self.memory.general[WANTED] = entry_address(general_contacts), 0

    def _advance(self, most_steps: int) -> int:
        """Steps of the driver; one that needs the general way is taken again with it."""
        before = int(self.run.counts[0].steps)
        status = super().advance(most_steps)
        crowded = self.detection is not None and self.detection.take_crowded()
        if crowded:
            self._take_impacts()
        elif self._lacks_room():
            self._make_room()
        elif self.memory.general[WANTED] == 1:
            self._need_general()
        else:
            return status
        return self._advance(most_steps - int(self.run.counts[0].steps) + before)

    def _first_step(self) -> int:
        """One step; if points overlap in its middle, look whether they did so before."""
        q = self.run.y[: self.system.nq].copy()
        status = self._advance(1)
        self._take_impacts()
        if np.min(self.contact.work.gap, initial=0.0) < -OVERLAP:
            geometry = ContactGeometry(self.system, self.of, biases=False)
            gaps = geometry.gaps(q)
            self.overlap = -float(np.min(gaps, initial=0.0))
            self.suspect = overlap_in_joints(self.system.model, geometry.of, gaps)
        return status

    def take_impacts(self) -> list[ImpactRecord]:
        """See `Loop.take_impacts`."""
        self._take_impacts()
        taken, self.seen = self.seen, []
        return taken

    def _take_impacts(self) -> None:
        method = self.memory.method[0]
        self.seen += impact_records(self.memory.impacts[: int(method.impacts)], self.names)
        method.impacts = 0

    def checkpoint_arrays(self) -> list[Any]:
        """See `Loop.checkpoint_arrays`."""
        kept = self.memory._replace(
            creep=None,
            implicit=None,
            general=None,
            detection=None,
            impacts=None,
            scratch=None,
            prior=None,
            prior_slot=None,
            prior_count=None,
        )  # no addresses, and nothing that was taken out
        memory = [each for each in arrays_of(kept) if each is not None]
        detection = [] if self.detection is None else [self.detection.detection.counts, self.detection.detection.deep]
        near: list[Any] = []
        if self.of.near is not None:
            near = [*arrays_of_list(self.of.contacts), self.of.near.counts, *self.of.near[LIST_FROM:LIST_TO]]
        problem = self.problem._replace(G=None, Y=None, W=None)  # written anew in each step
        kept = [each for each in arrays_of(problem) if each is not None]
        return [*super().checkpoint_arrays(), *memory, *kept, *detection, *near]

    def state_dict(self) -> dict[str, Any]:
        """See `Loop.state_dict`: the room for near pairs."""
        return {} if self.of.near is None else {"room": [self.of.contacts.pairs, self.of.contacts.slots]}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """See `Loop.load_state_dict`."""
        if "room" in state_dict:
            self._make_room(self.of.with_room(*state_dict["room"]))
