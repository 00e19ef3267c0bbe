"""Rodas: a linearly implicit method of order 4(3) for stiff forces together with contacts, friction and stops."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from duoti.contact.event_driven.derivatives import new_border
from duoti.dynamics.joint_friction.installation import has_joint_friction
from duoti.dynamics.reaction_feedback.installation import has_reaction_feedback
from duoti.dynamics.workspace import new_linearisation
from duoti.integrate.base import DrivenLoop, Tolerances, refuse_algebraic, rigid_laws
from duoti.integrate.implicit.newton import new_motion_newton
from duoti.integrate.implicit.newton_structure import motion_structure
from duoti.integrate.implicit.rosenbrock import ROSENBROCK_CONTEXT, ROSENBROCK_ENTRIES, Rosenbrock, new_memory
from duoti.integrate.implicit.rosenbrock_exact import EXACT_CONTEXT, EXACT_ENTRIES, new_exact_memory
from duoti.integrate.state import Run, new_run
from duoti.kernel import entry_address
from duoti.model.contacts.rolling_contact import RollingContact
from duoti.model.joint_friction import follows_load, slots_of
from duoti.model.laws.law import TIME
from duoti.system.arrays import PROXIMAL_ITERATIONS, Reals, Work
from duoti.system.system import System

# Steinebach 2020, "Improvement of Rosenbrock-Wanner method RODASP": six stages, stiffly accurate, L-stable, in the form
# of Hairer & Wanner 1996, section IV.7. Unlike RODAS it keeps order 3 in stiff problems (Prothero & Robinson 1974).
BY_CREEP = 1e-7  # part of the speed below which creep fades: slips that bend the law are some 1e-4 of it
GAMMA = 0.25
LAST = (7.089566927282776, 4.573591406461604, -8.423496976860259, -0.959280113459775)
A = (
    (),
    (3.0,),
    (0.906377755268814, -0.189707390391685),
    (3.758617027739064, 1.161741776019525, -0.849258085312803),
    LAST,
    (*LAST, 1.0),
)
C = (
    (),
    (-12.0,),
    (-6.354581592719008, 0.338972550544623),
    (-8.575016317114033, -7.606483992117508, 12.22499765012482),
    (-5.888975457523102, -8.157396617841821, 24.805546872612922, 12.790401512796979),
    (-4.408651676063871, -6.692003137674639, 24.625568527593117, 16.627521966636085, -5.714285714285718),
)
TIMES = (0.0, 0.75, 0.321448134013046, 0.519745732277726, 1.0, 1.0)
OF_TIME = (0.25, -0.5, -0.189532918363016, 0.085612108792769, 0.0, 0.0)
DENSE = (
    (-5.323528268423303, -10.042123754867493, 17.175254928256965, -5.079931171878093, -0.016185991706112, 0.0),
    (6.984505741529879, 6.914061169603662, -0.849178943070653, 18.104410789349338, -3.516963011559032, 0.0),
)


def _rows(rows: Any) -> Reals:
    full = np.zeros((len(rows), len(rows)))
    for i, row in enumerate(rows):
        full[i, : len(row)] = row
    return full


@cache
def coefficients() -> Rosenbrock:
    """The method's arrays."""
    return Rosenbrock(GAMMA, len(TIMES), 4, _rows(A), _rows(C), np.array(TIMES), np.array(OF_TIME), np.array(DENSE))


@dataclass(frozen=True)
class Rodas(Tolerances):
    r"""Rosenbrock method of order 4, with adaptive steps: linearly implicit. For stiff motion with impacts.

    $$\Big(\tfrac{1}{h \gamma} I - J\Big) u_i =
    f\Big(y_n + \sum_{j<i} a_{ij} u_j\Big) + \tfrac{1}{h} \sum_{j<i} c_{ij} u_j$$

    * Order 4, error estimate of order 3, dense output of order 3; stiffly accurate.
    * Six stages with one matrix factorisation a step.
    * Stability: A-stable and L-stable.
    * For: stiff springs, dampers, beams and controllers together with located impacts, or with friction that stops
      joints of closed loops. Tolerances down to 1e-9.

    The Jacobian $J$ is exact, and banded where the model is (beams). Some kinds of friction, stops, creep forces and
    reaction feedback need differences, one evaluation for each state. `result.stats.notes` says so.

    References
    ----------
    G. Steinebach, Improvement of Rosenbrock-Wanner method RODASP, in: Progress in Differential-Algebraic Equations II,
    Springer 2020, 165-184.
    """

    least_rtol: ClassVar[float] = 1e-9
    event_driven: ClassVar[bool] = True

    rtol: float = 1e-6
    atol: float = 1e-8

    @staticmethod
    def entries() -> tuple[Any, ...]:
        """See `Solver.entries`; those of differences are compiled when they are needed."""
        return EXACT_ENTRIES

    def needs_derivatives(self, system: System) -> bool:
        return not why_differences(system)

    def loop(self, system: System, times: Reals | None, work: Work) -> DrivenLoop:
        refuse_algebraic(system, type(self).__name__)
        method = coefficients()
        run = new_run(system.tree, system.loads, 2, 4, times)
        why = why_differences(system)
        if not why and system.closures.rows and not rigid_laws(system) and not _projects(work):
            why = "a constraint method other than dt.Projection()"
        if not why:
            return _ExactLoop(system, work, run, method)
        n = system.nq + system.nv + system.nz
        memory = new_memory(n, len(run.y), method.stages)
        if slow := [law.slow_speed for law in rigid_laws(system) if isinstance(law, RollingContact)]:
            memory.difference[system.nq : system.nq + system.nv] = BY_CREEP * min(slow)
        loop = DrivenLoop(work, run, ROSENBROCK_ENTRIES, ROSENBROCK_CONTEXT, method, (method, memory))
        loop.notes = [f"Rodas: derivatives by {n} differences a step ({why})"]
        return loop


def why_differences(system: System) -> str:
    """Why the derivatives of the rates must be differences; empty if they are known exactly."""
    if has_reaction_feedback(system):
        return "forces depend on reactions"
    if system.tree.flexible and system.flex is None:
        return "a body law of one's own"
    if has_joint_friction(system) and system.closures.rows:
        return "friction or stops in joints together with closed loops"
    if has_joint_friction(system) and any(follows_load(system.model, slot) for slot in slots_of(system.model)):
        return "friction that follows the load of its joint"
    if rigid := rigid_laws(system):
        if has_joint_friction(system):
            return "rigid contacts together with friction or stops in joints"
        if any(isinstance(law, RollingContact) for law in rigid):
            return "creep forces of rolling contacts"
        if any(any(law.set_valued()[-2:]) for law in rigid):
            return "resistance of contacts against rolling or turning"
    return ""


def _projects(work: Work) -> bool:
    """Whether closed loops are kept by `Projection`, whose accelerations are those of the equations."""
    from duoti.dynamics.loops.projection import constrained_ydot_entry

    method = work.method[0]
    exact = method.damping == 0.0 and method.stiffness == 0.0 and method.iterations >= PROXIMAL_ITERATIONS
    return bool(exact and work.calls[0].ydot == entry_address(constrained_ydot_entry))


def reads_time(system: System) -> bool:
    """Whether the rates depend on the time by themselves; laws of events do not count."""
    laws = system.loads.laws
    spans = laws.law_signals[[i for i, owner in enumerate(system.law_owners) if owner.kind != "event"]]
    return bool(system.closures.timed) or any(TIME in laws.signals[first:last, 0] for first, last in spans)


class _ExactLoop(DrivenLoop):
    """With the derivatives of the equations of motion."""

    def __init__(self, system: System, work: Work, run: Run, method: Rosenbrock):
        of: Any = None
        if rigid_laws(system):
            from duoti.contact.event_driven import derivatives as of  # with all that contacts need
        structure = motion_structure(system, of.contact_cliques(system) if of else ())
        self.newton = new_motion_newton(system, structure)
        self.linearisation = new_linearisation(
            system, work, acceleration_rows=True, pattern=(structure.start, structure.column),
            state_band=structure.state_band,
        )  # fmt: skip
        self.contacts: Any = of.contact_border(system, work, self.newton.n) if of else None
        border = self.contacts.border if of else new_border(system.closures.rows, system.nv, self.newton.n)
        memory = new_exact_memory(system.nv, len(run.y), method.stages, reads_time(system))
        arguments = (method, memory, self.newton, border)
        super().__init__(work, run, EXACT_ENTRIES, EXACT_CONTEXT, method, arguments)

    def use(self, run: Run) -> None:
        run.counts[0].unknowns = self.newton.n
        super().use(run)
