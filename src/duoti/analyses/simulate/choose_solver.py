"""`choose_solver`: which solver a model gets where the user names none, and why. The only place where it is decided.

`RULES` is the whole decision, in order: the first rule that applies counts.
docs/guide/simulate/solvers.md shows it as a table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from functools import cached_property
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.analyses.simulate.contact_engine import (
    bodies_of_contacts,
    can_be_event_driven,
    jumping,
    names_of_contacts,
    only_time_stepping,
)
from duoti.analyses.simulate.named_options import SOLVERS, by_name
from duoti.analyses.states.initial_state import closed_state
from duoti.analyses.states.supported import as_system, rigid_elements, rolling_elements
from duoti.contact.joint_friction.friction_states import TRIED_TOGETHER
from duoti.dynamics.joint_friction.installation import has_joint_friction
from duoti.dynamics.workspace import new_workspace
from duoti.integrate import DOPRI5, Solver, Tolerances
from duoti.integrate.base import algebraic_states
from duoti.integrate.state import new_run
from duoti.model.checks.parameters import setting_faults
from duoti.model.forces.base import SLENDER_ELEMENTS
from duoti.model.joint_friction import follows_load, slots_of
from duoti.model.mechanism.flexible_interfaces import flexible_bodies
from duoti.model.model import Model
from duoti.strict import explained
from duoti.system.system import System

if TYPE_CHECKING:  # imported when there are contacts
    from duoti.contact.build import ContactSet

STEP = 1e-3  # s, of time stepping, at most
FALL = 0.05  # of the time in which the smallest body that touches falls by its reach: a step is no longer (5 mm: STEP)
SHORT_STEP = 1e-4  # s, of time stepping in place of an event-driven run that failed
BEAM_TOLERANCES = {"rtol": 1e-4, "atol": 1e-6}  # below the errors of most meshes
BEAM_CONTACT_TOLERANCES = {"rtol": 1e-3, "atol": 1e-6}  # impacts send waves through beams that no mesh resolves
# spectral radius times the step of time stepping: explicit damping is unstable from 2 on, and bodies in contact with
# each other may be lighter than in the initial state
STIFF_STEP = 0.5
STIFF = 6e4  # spectral radius times duration: DOPRI5 needs a third as many steps, whatever the motion
MANY = 16  # points of contact from which on time stepping is the better choice
MANY_OF_BEAMS = 24  # the same of beams, which are too stiff for the step of time stepping
MANY_VELOCITIES = 180  # with compliant contacts: beyond, an implicit step with its full matrix costs more than it gains
LOST = ("contact-unsolved", "jumps-without-end", "energy-lost")  # ends of runs in which impacts could not be located


@dataclass(frozen=True)
class SolverChoice:
    """A solver, and why it is this one."""

    solver: Solver
    """With all its settings."""
    reasons: tuple[str, ...]
    """Why, in short sentences; that it was given, if it was."""
    alternatives: tuple[str, ...] = ()
    """Other solvers that treat the model, and what for."""
    remarks: tuple[str, ...] = ()
    """What this solver does otherwise than the model says; `dt.check` warns of it, and results note it."""
    shapes: tuple[str, ...] = ()
    """What was made of the shapes that touch, whatever the solver; results note it."""
    fallback: Solver | None = None
    """Takes over from the start if the first cannot follow the motion."""
    given: bool = False
    """Whether the user named the solver."""
    resumed: bool = False
    """Whether the choice is that of a file: its remarks are all the notes."""

    @property
    def stated_reasons(self) -> tuple[str, ...]:
        """The reasons that a result states: none where the user named the solver."""
        return () if self.given else self.reasons

    @property
    def notes(self) -> tuple[str, ...]:
        """What a result says of it among its notes."""
        if self.resumed:
            return self.remarks
        time_stepping = self.solver.treats_contacts and not self.given  # an approximation that nobody asked for
        return (
            *(["; ".join((*self.reasons, *self.alternatives))] if time_stepping else []),
            *self.remarks,
            *self.shapes,
        )

    def __str__(self) -> str:
        lines = [f"{in_short(self.solver)}: {'; '.join(self.reasons)}"]
        lines += [f"  otherwise {each}" for each in self.alternatives]
        if self.fallback is not None:
            lines.append(f"  {in_short(self.fallback)} if impacts cannot be located")
        return "\n".join([*lines, *(f"  note: {each}" for each in self.remarks)])


def in_short(solver: Solver) -> str:
    """A solver as one would write it, without the settings that it has by default."""
    given: Any = solver
    own = {each.name: getattr(given, each.name) for each in fields(given) if getattr(given, each.name) != each.default}
    return f"{type(solver).__name__}({', '.join(f'{name}={value:.4g}' for name, value in own.items())})"


@explained
def choose_solver(
    model: Model | System,
    duration: float,
    solver: Solver | str | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    *,
    constraints: Any = None,
) -> SolverChoice:
    """The solver that `simulate` chooses for a model, with its reasons.

    Parameters
    ----------
    model:
        A model or a compiled system.
    duration:
        Time to simulate [s]. A short run of a stiff model is cheaper with an explicit solver.
    solver, rtol, atol, constraints:
        As for `simulate`. A named solver is kept, except for its longest step where compliant contacts have open
        surfaces.
    """
    chosen = None if solver is None or is_auto(solver) else given_solver(solver, rtol, atol)
    system = as_system(model)
    if chosen is not None:
        choice = SolverChoice(chosen, ("it was given",), given=True)
    else:
        tolerances = {name: value for name, value in (("rtol", rtol), ("atol", atol)) if value is not None}
        facts = Facts(system, duration, solver is not None, tolerances, constraints is not None)
        choice = next(rule for rule in RULES if rule.applies(facts)).choice(facts)
    if system.model.contacts:
        choice = _with_contacts(system, choice)
    return choice


def is_auto(solver: Any) -> bool:
    """Whether a solver was asked for by the name "auto"."""
    return isinstance(solver, str) and solver.lower() == "auto"


def given_solver(solver: Any, rtol: float | None = None, atol: float | None = None) -> Solver:
    """The solver that the user named, with tolerances in place of its own; refuses what is none."""
    chosen = by_name(solver, SOLVERS, "solver")
    if not isinstance(chosen, Solver):
        raise TypeError(
            f'solver={solver!r} is not a solver; give an object such as dt.RK4(step=0.001), or a name such as "radau"'
        )
    tolerances = {name: value for name, value in (("rtol", rtol), ("atol", atol)) if value is not None}
    if tolerances:
        if not isinstance(chosen, Tolerances) or not chosen.adaptive:
            raise ValueError(
                f"{type(chosen).__name__} has a fixed step: {' and '.join(tolerances)} would have no effect"
            )
        chosen = replace(chosen, **tolerances)
    if faults := setting_faults(chosen):
        raise ValueError(f"solver {type(chosen).__name__}: " + "; ".join(faults))
    return chosen


def _with_contacts(system: System, choice: SolverChoice) -> SolverChoice:
    """The choice with steps in which no shape passes another, and what it does to the laws of impact."""
    from duoti.analyses.simulate.contact_engine import with_contact_steps

    solver = with_contact_steps(system, choice.solver, choice.given)
    reasons = choice.reasons
    if solver is not choice.solver:
        assert isinstance(solver, Tolerances)
        reasons = (*reasons, f"steps of at most {solver.max_step:.3g} s, in which no shape passes another")
    return replace(
        choice, solver=solver, reasons=reasons, remarks=impact_remarks(system, solver), shapes=shape_remarks(system)
    )


def shape_remarks(system: System) -> tuple[str, ...]:
    """Which shapes touch with a surface that is not exactly theirs, and by how much; which pairs are left out."""
    from duoti.contact.build import left_out_pairs, simplified_hulls

    simplified = sorted(simplified_hulls(system), key=lambda each: -each.deviation)
    left_out, remarks = left_out_pairs(system), list[str]()
    if simplified:
        listed = "; ".join(str(each) for each in simplified[:3]) + ("; ..." if len(simplified) > 3 else "")
        remarks.append(f"{shapes_in_words(len(simplified))} simplified for contact ({listed}); dt.check lists all")
    if left_out:
        listed = "; ".join(left_out[:3]) + ("; ..." if len(left_out) > 3 else "")
        remarks.append(f"contacts leave out pairs of shapes that cannot be treated ({listed}); they pass through")
    return tuple(remarks)


def shapes_in_words(count: int) -> str:
    """So many shapes, as the subject of a sentence."""
    return "a shape is" if count == 1 else f"{count} shapes are"


def impact_remarks(system: System, solver: Solver) -> tuple[str, ...]:
    """That time stepping has Newton's law of impact only, where contacts have another one."""
    if not solver.treats_contacts:
        return ()
    laws: dict[str, Any] = {name: system.model.contacts[name].law for name in rigid_elements(system)}
    other: dict[str, str] = {}
    for name, law in laws.items():  # without rebound and without friction all laws are the same
        has_effect = law.set_valued().restitution > 0.0 or (getattr(law, "friction", None) or 0.0) > 0.0
        if has_effect and law.set_valued().impact != "newton":
            other[name] = law.set_valued().impact
    if not other:
        return ()
    named = ", ".join(f'"{name}"' for name in list(other)[:4]) + (", ..." if len(other) > 4 else "")
    words = " and ".join(f'impact="{each}"' for each in sorted(set(other.values())))
    return (
        f"{words} of {'contact' if len(other) == 1 else 'contacts'} {named} becomes Newton's law of impact: time "
        f"stepping has no other{_with_all_laws(system)}",
    )


def _with_all_laws(system: System) -> str:
    from duoti.contact.build import rigid_contacts

    of = rigid_contacts(system)
    event_driven = of is not None and can_be_event_driven(system, of)
    return "; dt.DOPRI5() and others that locate impacts have all laws" if event_driven else ""


# ------------------------------------------------------------------------------------------------------------- facts


def has_beams(model: Model) -> bool:
    """Whether a model has elements of beams."""
    return any(force.kind in SLENDER_ELEMENTS for force in model.forces.values())


class Facts:
    """What rules ask about a model; found out when it is asked for."""

    def __init__(self, system: System, duration: float, auto: bool, tolerances: dict[str, float], methods: bool):
        self.system, self.duration = system, duration
        self.auto = auto
        """solver="auto" was asked for: no explicit solver for the whole run."""
        self.tolerances = tolerances
        self.constraint_method = methods
        self.rigid = bool(rigid_elements(system))
        self.beams = has_beams(system.model)

    @cached_property
    def contacts(self) -> ContactSet | None:
        """Pairs of shapes of the rigid contacts; None if none can touch."""
        if not self.rigid or self.tolerances:
            return None
        from duoti.contact.build import rigid_contacts

        return rigid_contacts(self.system)

    @property
    def rolling(self) -> bool:
        """Whether there are contacts with creep forces."""
        return bool(rolling_elements(self.system))

    @property
    def many_points(self) -> bool:
        """Whether there are more points of contact than event-driven runs are good for."""
        return self.contacts is not None and self.contacts.contacts.slots > (MANY_OF_BEAMS if self.beams else MANY)

    @property
    def wandering(self) -> bool:
        """Whether shapes touch with several points that come and go."""
        return self.contacts is not None and any(
            kind.manifold is not None and kind.points > 1 for kind in self.contacts.kinds
        )

    @property
    def jumps(self) -> bool:
        """Whether points of contact jump, which the event-driven engine refuses."""
        return self.contacts is not None and bool(jumping(self.contacts))

    @property
    def time_stepping_law(self) -> bool:
        """Whether the event-driven engine does not have a law of impact in this model."""
        return self.contacts is not None and only_time_stepping(self.system)

    @property
    def many_joints(self) -> bool:
        """Whether friction and stops are in more joints than all states of which can be tried at an event."""
        if self.contacts is None or not has_joint_friction(self.system):
            return False
        return len([slot for slot in slots_of(self.system.model) if slot.friction_state]) > TRIED_TOGETHER

    @property
    def stiff(self) -> bool:
        """Whether stability asks an explicit solver for many steps, judged in the initial state without contacts."""
        if not isinstance(self.duration, Real):  # pyright: ignore[reportUnnecessaryIsInstance]
            return False  # what is no time is refused later
        return self.spectral_radius * float(self.duration) > STIFF

    @property
    def implicit_steps(self) -> bool:
        """Whether time stepping can take the forces of the model implicitly."""
        loaded = any(follows_load(self.system.model, slot) for slot in slots_of(self.system.model))
        return not (self.system.closures.rows or self.rolling or loaded)

    @cached_property
    def step(self) -> float:
        """Step of time stepping [s]: small bodies fall and roll in less time than large ones."""
        gravity = float(np.linalg.norm(self.system.model.gravity))
        if self.contacts is None or gravity == 0.0:
            return STEP
        of = self.contacts.contacts
        touching = of.pair_shapes.ravel()
        touching = touching[of.shape_body[touching] > 0]
        reach = of.reach[touching]
        from duoti.model.pairs.base import HUGE

        least = float(np.min(reach[(reach > 0.0) & (reach < HUGE)], initial=np.inf))
        step = FALL * (least / gravity) ** 0.5
        return STEP if step >= STEP else float(f"{step:.0e}")

    @property
    def stiffer_than_steps(self) -> bool:
        """Whether forces are too stiff for explicit steps of time stepping, and implicit ones can be taken."""
        few = self.system.nv <= MANY_VELOCITIES
        return few and self.implicit_steps and self.spectral_radius * self.step > STIFF_STEP

    @cached_property
    def spectral_radius(self) -> float:
        """That of the state derivatives in the initial state, without contacts [1/s]; zero without forces."""
        system = self.system
        if not system.model.forces:
            return 0.0
        from duoti.integrate.stiffness import spectral_radius

        work = new_workspace(system, ydot=True)
        run = new_run(system.tree, system.loads, 1, 1, None, capacity=2)
        q, v = closed_state(system, 0.0, None) if system.closures.rows else system.initial_state()
        run.y[: system.nq], run.y[system.nq : system.nq + system.nv] = q, v
        run.y[system.nq + system.nv :][: system.nz] = system.initial_z()
        return float(spectral_radius(work.at[0].system, run, np.zeros_like(run.y), np.zeros_like(run.y)))

    @property
    def often_stiff(self) -> str:
        """What of the model is often stiff: dampers of robots, high modes, circuits and oil."""
        model = self.system.model
        if model.imported:
            return "an imported model"
        if model.bond_graphs:
            return "bond graphs"
        return "flexible bodies" if flexible_bodies(model) else ""

    @property
    def compliant(self) -> bool:
        """Whether there are compliant contacts of not too many bodies."""
        model = self.system.model
        return bool(model.contacts) and sum(e.nv for e in model.joints.values()) <= MANY_VELOCITIES

    @property
    def named_contacts(self) -> str:
        """The rigid contacts, for messages."""
        assert self.contacts is not None
        return f"rigid contacts ({names_of_contacts(self.system)}; {bodies_of_contacts(self.contacts)})"


# ------------------------------------------------------------------------------------------------------------- rules


@dataclass(frozen=True)
class Rule:
    """One row of the table."""

    model: str
    """What the model has, in words."""
    solver: str
    """What it gets, in words."""
    reason: str
    """Why."""
    applies: Callable[[Facts], bool]
    choice: Callable[[Facts], SolverChoice]


def _explicit(reason: str) -> Callable[[Facts], SolverChoice]:
    """DOPRI5, or Auto if that was asked for."""

    def choice(facts: Facts) -> SolverChoice:
        if facts.auto:
            return SolverChoice(_adaptive(facts, _new_auto()), ('solver="auto" was asked for',))
        return SolverChoice(_adaptive(facts, DOPRI5()), (reason,))

    return choice


def _auto(reason: str, settings: dict[str, float] | None = None) -> Callable[[Facts], SolverChoice]:
    def choice(facts: Facts) -> SolverChoice:
        return SolverChoice(_adaptive(facts, _new_auto(**(settings or {}))), (reason,))

    return choice


def _new_auto(**settings: float) -> Tolerances:
    from duoti.integrate import Auto  # with implicit solvers, which others do without

    return Auto(**settings)


def _adaptive(facts: Facts, solver: Tolerances) -> Solver:
    return given_solver(solver, **facts.tolerances)


def _event_driven(solver: Callable[[], Solver], reason: str) -> Callable[[Facts], SolverChoice]:
    """Event-driven impacts; where no motion is found that way, time stepping takes over."""

    def choice(facts: Facts) -> SolverChoice:
        from duoti.integrate.moreau.solver import Moreau

        alternatives = ("dt.Moreau(step=0.001) is for many contacts",)
        if facts.contacts is None:  # nothing can touch
            return SolverChoice(solver(), (reason,))
        implicit = facts.beams and facts.implicit_steps
        short = min(SHORT_STEP, float(facts.duration) / 1000.0) if _is_time(facts.duration) else SHORT_STEP
        return SolverChoice(solver(), (reason,), alternatives, fallback=Moreau(short, implicit=implicit))

    return choice


def _is_time(duration: Any) -> bool:
    return isinstance(duration, Real) and 0.0 < float(duration) < np.inf


def _time_stepping(why: str, event_driven: bool = True) -> Callable[[Facts], SolverChoice]:
    """Time stepping. located: the event-driven engine treats the model, too."""

    def choice(facts: Facts) -> SolverChoice:
        from duoti.integrate.moreau.solver import Moreau

        text = why
        if facts.jumps and facts.contacts is not None:
            kind = jumping(facts.contacts)[0]
            text = why.replace("shapes", f"shapes ({kind.first} and {kind.second})")
        reasons = (f"{facts.named_contacts} {text}: time stepping, dt.Moreau(step={facts.step:g})",)
        implicit = facts.stiffer_than_steps
        if implicit:
            reasons += ("forces are too stiff for explicit steps of this length: implicit=True",)
        return SolverChoice(
            Moreau(facts.step, implicit=implicit), reasons, ("dt.DOPRI5() locates impacts",) if event_driven else ()
        )

    return choice


CREEP = "creep forces are stiff at low speeds only, and time stepping is of first order"
WITH_STRONGE = 'have impact="stronge", which only time stepping (by Newton\'s law) treats beside friction from loads'
JUMPING = "have shapes whose points jump, which only time stepping treats"
MANY_POINTS = "are many"
WANDERING = "touch with several points that come and go"
MANY_JOINTS = "are beside friction or stops in many joints, whose states cannot all be tried at an event"
BEAMS = (
    "beams stretch and shear much faster than they bend, which is stiff; the tolerances are below the errors of most "
    "meshes"
)
TOUCHING_BEAMS = "beams are stiff, and impacts send waves through them that no mesh resolves"
STIFF_FORCES = "rigid contacts are few, and forces look stiff at the start: stability would ask DOPRI5 for many steps"
FEW_CONTACTS = "rigid contacts are few: impacts are located, and explicit steps between them are the cheapest"
ALGEBRAIC = "algebraic states need an implicit solver: Auto takes Radau throughout"
OFTEN_STIFF = "such models are often stiff, and Auto goes on with Radau where they are"
COMPLIANT = "contact forces are stiff, and Auto goes on with Radau where this is cheaper"
SMOOTH = "nothing in the model is known to be stiff: explicit steps are the cheapest"
WITH_METHOD = "an explicit solver takes the constraint method that was given; the others keep loops by themselves"
WITH_TOLERANCES = "tolerances were given, which time stepping does not have: impacts are located"

RULES = (
    Rule("`constraints=` given", "`DOPRI5()`", WITH_METHOD, lambda f: f.constraint_method, _explicit(WITH_METHOD)),
    Rule("rolling contacts (creep forces)", "`Auto()`, event-driven", CREEP,
         lambda f: f.contacts is not None and f.rolling, _event_driven(_new_auto, CREEP)),
    Rule("rigid contacts with Stronge's law beside joint friction from loads", "`Moreau(0.001)`",
         f"they {WITH_STRONGE}",
         lambda f: f.time_stepping_law, _time_stepping(WITH_STRONGE, event_driven=False)),
    Rule("rigid contacts of non-convex meshes and other shapes whose points jump", "`Moreau(0.001)`", f"they {JUMPING}",
         lambda f: f.jumps, _time_stepping(JUMPING, event_driven=False)),
    Rule(f"more than {MANY} points of rigid contact (with beams {MANY_OF_BEAMS})", "`Moreau(0.001)`",
         "event-driven runs stop at each change of each point", lambda f: f.many_points, _time_stepping(MANY_POINTS)),
    Rule("rigid contacts of faces (box on box)", "`Moreau(0.001)`", f"they {WANDERING}",
         lambda f: f.wandering, _time_stepping(WANDERING)),
    Rule(f"rigid contacts, and more than {TRIED_TOGETHER} joint coordinates with friction or stops", "`Moreau(0.001)`",
         f"they {MANY_JOINTS}", lambda f: f.many_joints, _time_stepping(MANY_JOINTS)),
    Rule("few rigid contacts, and beams", "`Auto(rtol=1e-3, atol=1e-6)`, event-driven", TOUCHING_BEAMS,
         lambda f: f.contacts is not None and f.beams,
         _event_driven(lambda: _new_auto(**BEAM_CONTACT_TOLERANCES), TOUCHING_BEAMS)),
    Rule("few rigid contacts, and stiff forces at the start", "`Auto()`, event-driven", STIFF_FORCES,
         lambda f: f.contacts is not None and f.stiff, _event_driven(_new_auto, STIFF_FORCES)),
    Rule("few rigid contacts", "`DOPRI5()`, event-driven", FEW_CONTACTS,
         lambda f: f.rigid and not f.tolerances, _event_driven(DOPRI5, FEW_CONTACTS)),
    Rule("beams", "`Auto(rtol=1e-4, atol=1e-6)`", BEAMS, lambda f: f.beams, _auto(BEAMS, BEAM_TOLERANCES)),
    Rule("rigid contacts, and `rtol=` or `atol=` given", "`DOPRI5()`, event-driven", WITH_TOLERANCES,
         lambda f: f.rigid, _explicit(WITH_TOLERANCES)),
    Rule("algebraic states", "`Auto()`", ALGEBRAIC, lambda f: bool(algebraic_states(f.system)), _auto(ALGEBRAIC)),
    Rule("flexible bodies, bond graphs, an imported robot (URDF, MJCF)", "`Auto()`", OFTEN_STIFF,
         lambda f: bool(f.often_stiff), lambda f: _auto(f"{f.often_stiff}: {OFTEN_STIFF}")(f)),
    Rule(f"compliant contacts, up to {MANY_VELOCITIES} generalised velocities", "`Auto()`", COMPLIANT,
         lambda f: f.compliant, _auto(COMPLIANT)),
    Rule("nothing of this", "`DOPRI5()`", SMOOTH, lambda f: True, _explicit(SMOOTH)),
)  # fmt: skip
"""The first that applies counts."""


def solver_table() -> str:
    """The rules as a table for the documentation."""
    rows = [f"| {rule.model} | {rule.solver} | {rule.reason} |" for rule in RULES]
    return "\n".join(["| the model has ... | `simulate` takes | because |", "|---|---|---|", *rows])
