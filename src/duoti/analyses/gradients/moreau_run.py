"""A run by time stepping, to be differentiated step by step (`moreau_step`)."""

from __future__ import annotations

from typing import Any

import numpy as np

from duoti.analyses.gradients.discrete_run import DiscreteRun, ImplicitTableau, without_expressions
from duoti.analyses.gradients.expressions import PREFIX, Watched
from duoti.analyses.gradients.jumps import NotDifferentiableError
from duoti.analyses.gradients.moreau_blocks import NoDerivativeError
from duoti.analyses.gradients.moreau_breakaway import Breakaway
from duoti.analyses.gradients.moreau_parameters import ContactParameters, EquationParameters
from duoti.analyses.gradients.moreau_record import RecordingMoreau, StepContacts
from duoti.analyses.gradients.moreau_rims import MovingPoints
from duoti.analyses.gradients.moreau_step import Columns, StepChanges
from duoti.analyses.gradients.slopes import ParameterSlopes
from duoti.analyses.gradients.switches import laws_of, warn_of_jumps
from duoti.analyses.sensitivity.equation_sensitivities import Family
from duoti.analyses.simulate.simulate import simulate
from duoti.analyses.states.linearised_equations import Equations
from duoti.contact.build import no_contacts, rigid_contacts
from duoti.contact.collide.arrays import creeps
from duoti.integrate.base import algebraic_states
from duoti.integrate.moreau.row_derivatives import ContactRows
from duoti.integrate.moreau.solver import Moreau
from duoti.model.elements import name_of
from duoti.model.errors import ModelError, ParameterError
from duoti.model.event import SampleEvent
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.forces.joint_stop import JointStop
from duoti.model.forces.one_way_clutch import OneWayClutch
from duoti.model.joint_friction import FrictionStateEvent, follows_load, slots_of
from duoti.model.model import Model
from duoti.model.parameters import find_all
from duoti.spatial.axes import skew
from duoti.system.arrays import Ints, Reals
from duoti.system.compile.copy_model import own_copy
from duoti.system.system import System


class MoreauRun(DiscreteRun):
    """A run by time stepping; what `DiscreteRun` has for the rates, and derivatives of the steps."""

    def __init__(self, watched: Watched, duration: float, solver: Moreau, what: str, options: dict[str, Any]):  # pyright: ignore[reportMissingSuperCall]
        self.watched, self.whole, self.what = watched, watched.family, what
        refuse(watched.system, solver, what)
        warn_of_jumps(what, laws_of(watched.system.model), watched.system.model, self.whole.names)
        self.family, self.places = _without_joint_laws(watched)
        self.system = system = self.family.base
        self.solver: Any = RecordingMoreau(solver.step, tolerance=solver.tolerance, sweeps=solver.sweeps)
        self.method = ImplicitTableau(1, np.zeros((2, 2)), np.zeros(2), np.zeros((1, 1)))
        self.implicit = self.alpha = False
        self.extra, self.visible = watched.count, len(watched.expressions)
        self.nq, self.nv, self.nz = system.nq, system.nv, system.nz - self.extra
        self.n = self.nq + self.nv + self.nz
        watched_z = np.array([name.startswith(PREFIX) for name in system.state_names], bool)
        first = self.nq + self.nv
        self.own = np.concatenate([np.arange(first), first + np.flatnonzero(~watched_z)])
        self.extras = first + np.flatnonzero(watched_z)
        self.equations = Equations.of(system)  # refuses what reads reactions
        plain = without_expressions(watched)
        self.result = r = simulate(plain, duration, "steps", self.solver, progress=False, **options)
        if r.status == "interrupted":
            raise KeyboardInterrupt
        if not r.ok:
            raise ValueError(f"{what}: the run did not reach its end: {r.reason}")
        self.records: list[StepContacts] = self.solver.steps
        states = [system.state_names[int(i) - first] for i in self.own[first:]]
        self.t = r.t
        self.y = np.hstack([r.q, r.v, r.z[:, [plain.state_names.index(name) for name in states]]])
        self._rates = None
        self.first_held = self._held(self.t[0], self.y[0])[0]
        self.slopes = ParameterSlopes(self.family, self.first_held)
        self.holonomic = system.closures.nonholonomic == 0
        self.errors = self.expanded(self.slopes.errors)
        self.of = rigid_contacts(self.whole.base) or no_contacts(self.whole.base)
        self.rows = ContactRows(self.whole.base, self.of)
        self.by_parameters = EquationParameters(self)
        self.of_contacts = ContactParameters(self)
        self.moving, self.breakaway = MovingPoints(self), Breakaway(self)
        self.slow = 2.0 * float(np.linalg.norm(system.tree.gravity))  # times the step: `moreau.step.slow_speed`
        if len(self.records) != len(self.t) - 1:
            raise ValueError(f"{what}: the steps of the run could not be recorded; remove its events")

    # -------------------------------------------------------------------------------------------------- begin and end

    def begin(self) -> tuple[Columns, Reals]:
        """Derivatives of the initial state by the parameters, and their errors."""
        start, errors = self.start_by_parameters()
        y, nq, first = self.y[0], self.nq, self.nq + self.nv
        zdot = np.zeros((self.nz, start.shape[1]))
        if self.nz:
            at = self.derivatives(float(self.t[0]), y)
            zdot = at.by_y[first:] @ start + at.by_p[first:]
        zdot, start = self.expanded(zdot), self.expanded(start)
        delta = self.coordinates(y[:nq], y[nq:first])[1] @ start[:nq]
        x = Columns(delta, start[nq:first], start[first:], zdot, np.zeros((self.extra, start.shape[1])))
        self.moving.begin(x)
        self.breakaway.begin()
        return x, np.maximum(self.errors, self.expanded(errors))

    def expanded(self, by_p: Reals) -> Reals:
        """[..., all parameters] of derivatives by those of the equations without joint friction and stops."""
        made = np.zeros((*by_p.shape[:-1], len(self.whole.names)))
        made[..., self.places] = by_p
        return made

    def values(self, t: float, y: Reals) -> tuple[Reals, Reals, Reals]:
        """Values of the expressions, and their derivatives by (delta, v, z) and by the parameters."""
        at, nq = self.derivatives(t, y), self.nq
        N = self.coordinates(y[:nq], y[nq : nq + self.nv])[0]
        return at.values, np.hstack([at.values_by_y[:, :nq] @ N, at.values_by_y[:, nq:]]), self.expanded(at.values_by_p)

    def rates_before(self, n: int) -> Reals:
        """dz/dt in the step before."""
        first = self.nq + self.nv
        if not n:
            return self.rates(float(self.t[0]), self.y[0])[0][first:]
        return (self.y[n, first:] - self.y[n - 1, first:]) / self.records[n - 1].h

    def mean_acceleration(self, n: int, otherwise: Reals) -> Reals:
        """That of a step, if there is one."""
        if not 0 <= n < len(self.records):
            return otherwise
        return (self.records[n].v - self.y[n, self.nq : self.nq + self.nv]) / self.records[n].h

    # ---------------------------------------------------------------------------------------------------------- steps

    def step(self, n: int, x: Columns) -> StepChanges:
        """What a step makes of columns."""
        try:
            return StepChanges(self, n, x)
        except NoDerivativeError as error:
            raise self.no_derivative(n, f"{self.block_name(n, error.block)} {error.why}") from None

    def no_derivative(self, n: int, why: str) -> NotDifferentiableError:
        """The error that says why a step has no derivative."""
        return NotDifferentiableError(
            f"{self.what}: the step from t = {self.t[n]:.6g} s to {self.t[n + 1]:.6g} s has no derivative: {why}"
        )

    def not_unique(self, n: int, block: int) -> NotDifferentiableError:
        """The error that names the block of a step whose impulses are not unique."""
        name = self.block_name(n, block)
        return self.no_derivative(n, f"{name} has impulses that are not unique, and what is asked for depends on them")

    def block_name(self, n: int, block: int) -> str:
        """Whose block it is, in words."""
        c = self.records[n]
        if block < c.points or c.owner[block] >= 0:
            pair = self.of.contacts.slot_pair[c.slot[block]]
            return f'contact "{self.of.names[self.of.contacts.element[pair]]}"'
        return f'joint "{slots_of(self.whole.base.model)[int(c.slot[block])].joint}"'

    def turned(self, x: Reals) -> tuple[Reals, Reals]:
        """Displacements behind a motion q o exp(x): by displacements before it, and by x."""
        tree = self.system.tree
        of_delta, of_x = np.eye(self.nv), np.eye(self.nv)
        for j in tree.quat_v.tolist():
            w = x[j : j + 3]
            t, S = float(np.linalg.norm(w)), skew(w)
            a = np.sin(t) / t if t > 1e-8 else 1.0
            b = (1.0 - np.cos(t)) / t**2 if t > 1e-4 else 0.5 - t * t / 24.0
            c = (t - np.sin(t)) / t**3 if t > 1e-2 else 1.0 / 6.0 - t * t / 120.0
            of_delta[j : j + 3, j : j + 3] = np.eye(3) - a * S + b * S @ S
            of_x[j : j + 3, j : j + 3] = np.eye(3) - b * S + c * S @ S
        return of_delta, of_x

    def moved(self, q: Reals, x: Reals) -> Reals:
        """q o exp(x)."""
        tree, made = self.system.tree, q.copy()
        made[tree.plain_q] += x[tree.plain_v]
        for k, j in zip(tree.quat_q.tolist(), tree.quat_v.tolist(), strict=True):
            turn = 0.5 * float(np.linalg.norm(x[j : j + 3]))
            e = np.concatenate([[np.cos(turn)], 0.5 * np.sinc(turn / np.pi) * x[j : j + 3]])
            a, b, c, d = q[k : k + 4]
            made[k : k + 4] = np.array([[a, -b, -c, -d], [b, a, -d, c], [c, d, a, -b], [d, -c, b, a]]) @ e
        return self.unit(made)


def _without_joint_laws(watched: Watched) -> tuple[Family, Ints]:
    """The family of the equations without friction and rigid stops in joints, whose impulses steps find.

    And which of the parameters it has: others belong to these laws alone.
    """
    whole, (given, parameters) = watched.family, watched.given
    if not slots_of(whole.base.model):
        return whole, np.arange(len(whole.names))
    if not isinstance(given, Model):

        def build(**arguments: float) -> Model:
            return _bare(given(**arguments))

        family, places = Family(build, parameters), np.arange(len(whole.names))
    else:
        bare = _bare(given)
        places = np.array([k for k, name in enumerate(whole.names) if _is_there(bare, name)], np.int64)
        family = Family(bare, [whole.names[k] for k in places])
    base = family.base
    if base.coordinate_names != whole.base.coordinate_names or base.rate_names != whole.base.rate_names:
        raise ValueError("the equations of this model have other coordinates without friction and stops in joints")
    return family, places


def _bare(model: Model) -> Model:
    """A copy without friction and rigid stops in joints."""
    made = own_copy(model)

    def joint_of(force: JointFriction | JointStop) -> str:
        return name_of(force.joint)  # pyright: ignore[reportArgumentType]

    soft = {
        joint_of(each) for each in made.forces.values() if isinstance(each, JointStop) and each.stiffness is not None
    }
    for name, force in list(made.forces.items()):
        if isinstance(force, JointFriction) or (isinstance(force, JointStop) and joint_of(force) not in soft):
            del made.forces[name]
    for name, joint in made.joints.items():
        if name not in soft:
            joint.limits = None
    return made


def _is_there(model: Model, name: str) -> bool:
    try:
        find_all(model, [name])
    except (ModelError, ParameterError):
        return False
    return True


def refuse(system: System, solver: Moreau, what: str) -> None:
    """Raise ValueError with everything in a model that a run by time stepping cannot be differentiated through yet."""
    model, faults = system.model, list[str]()
    if solver.implicit:
        faults.append("Moreau(implicit=True)")
    if clutches := [name for name, force in model.forces.items() if isinstance(force, OneWayClutch)]:
        faults.append("one-way clutches: " + ", ".join(clutches))
    for slot in slots_of(model):
        if slot.friction and not slot.friction_state:
            faults.append(f'a smooth law of friction in joint "{slot.joint}"')
        elif slot.friction and follows_load(model, slot):
            faults.append(f'friction in joint "{slot.joint}" that follows from the load')
    if names := algebraic_states(system):
        faults.append("algebraic states: " + ", ".join(names))
    if controllers := [name for name, event in model.events.items() if isinstance(event, SampleEvent)]:
        faults.append("controllers: " + ", ".join(controllers))
    others = [e for e in model.events.items() if not isinstance(e[1], SampleEvent | FrictionStateEvent)]
    if acting := [name for name, e in others if e.jump is not None or e.sets or e.terminal]:
        faults.append("events that change the state or end the run: " + ", ".join(acting))
    of = rigid_contacts(system)
    if of is not None and of.rules is not None:
        faults.append("more pairs of shapes than are looked at in each step")
    if of is not None and creeps(of.contacts):
        faults.append("creep forces of rolling contacts")
    if faults:
        raise ValueError(
            f"{what}: runs of dt.Moreau with {'; '.join(faults)} are not differentiated yet. Leave these out, or take "
            "differences of runs"
        )
