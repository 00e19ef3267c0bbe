"""What the equations and the contacts of a step of time stepping depend on: states and parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from duoti.analyses.gradients.moreau_blocks import SolvedBlock
from duoti.analyses.gradients.moreau_record import StepContacts
from duoti.analyses.gradients.parameter_weights import ParameterWeights, SweptSystem
from duoti.analyses.states.linearised_equations import RANK
from duoti.contact.build import no_contacts, rigid_contacts
from duoti.dynamics.joint_friction.installation import build_joint_friction
from duoti.dynamics.joint_friction.rates import MOVES
from duoti.elements.joint_friction import STRIBECK_VELOCITY
from duoti.integrate.moreau.row_derivatives import ContactRows
from duoti.model.joint_friction import slots_of
from duoti.system.arrays import Ints, Reals
from duoti.system.number_pool import numbers_of
from duoti.system.system import System

if TYPE_CHECKING:
    from duoti.analyses.gradients.moreau_run import MoreauRun

COEFFICIENTS = ("friction", "static_friction", "restitution", "rolling", "torsion")
NO_GEOMETRY = (("tree", "inertia"), ("tree", "gravity"), ("tree", "rotor"))
OF_MIDDLE = 1e-3  # part of a correction by projection that may be along other rows than those of the middle of the step
OF_ROUNDING = 1e-14  # m/s or rad/s: a correction that is round-off
ByProjection = tuple[Reals, Reals] | None
JOINT_NUMBERS = 6  # see `_joint_numbers`
SHAPES = ("X_BS", "size", "profiles")


class AtMiddle:
    """The equations in the middle of a step, at its mean accelerations, and all their derivatives."""

    def __init__(self, of: EquationParameters, t: float, y: Reals, a: Reals, push: Reals):
        run, x = of.run, of.equations
        w, nv, nq = x.work, run.nv, run.nq
        self.of, self.t, self.y, self.a = of, t, y, a
        of.put(t, y)
        self.free = x.accelerations()  # without contacts
        self.values = w.ydot[run.extras].copy()
        rows = run.system.closures.rows
        r, _ = x.residual(a, np.zeros(rows))
        G = x.jacobian if rows else np.zeros((0, nv))
        solved: Any = np.linalg.lstsq(G.T, r - push, rcond=RANK)[0] if rows else np.zeros(0)
        self.multipliers: Reals = solved
        self.r = r - push - G.T @ self.multipliers
        of.put(t, y)
        x.accelerations()
        at = x.linearise(a, self.multipliers)
        inverse: Any = np.linalg.inv(at.M)
        inverse = 0.5 * (inverse + inverse.T)
        self.M, self.G = at.M, at.G
        self.P, self.B = inverse, np.zeros((nv, rows))
        if rows:
            back = inverse @ at.G.T
            self.B = back @ np.linalg.pinv(at.G @ back, rcond=RANK, hermitian=True)
            self.P = inverse - self.B @ back.T
        self.K, self.C, self.Aq, self.Av = at.K, at.C, at.Aq, at.Av
        if not rows:
            self.Aq, self.Av = np.zeros((0, nv)), np.zeros((0, nv))
        own, extras, laws = run.own[nq + nv :] - (nq + nv), run.extras - (nq + nv), of.swept.laws - (nq + nv)
        self.Z = at.Z[:, own]
        self.z_q, self.z_v, self.z_z = at.Fq[own], at.Fv[own], at.Fz[np.ix_(own, own)]
        self.x_q, self.x_v, self.x_z = at.Fq[extras], at.Fv[extras], at.Fz[np.ix_(extras, own)]
        self.r_p, self.c_p, rates, _, _ = of.slopes(t, y, a, self.multipliers)
        columns = run.places[of.swept.columns]
        self.r_p[:, columns] += at.Z[:, laws]
        rates[:, columns] += at.Fz[: rates.shape[0], laws]
        self.z_p, self.x_p = rates[own], rates[extras]

    def mass_changes(self, x: Reals, multipliers: Reals | float = 0.0) -> tuple[Reals, Reals]:
        """d(M) x - d(G^T) multipliers by displacements and by the parameters."""
        of, both = self.of, self.multipliers + multipliers
        of.put(self.t, self.y)
        of.equations.accelerations()
        more = of.equations.linearise(self.a + x, both)
        r_p = of.slopes(self.t, self.y, self.a + x, both)[0]
        there = of.slopes(self.t, self.y, self.a, self.multipliers)[0]
        return more.K - self.K, r_p - there

    def correction_changes(self, x: Reals, dq: Reals) -> Reals | None:
        """Changes of x = M^-1 G^T mu, by which a projection with the factors of this state moves, for mu held.

        dq: changes of this state, of the parameters first. None if x is no such correction.
        """
        mu: Any = np.linalg.lstsq(self.G.T, self.M @ x, rcond=RANK)[0]
        off = x - np.linalg.solve(self.M, self.G.T @ mu)
        if np.max(np.abs(off), initial=0.0) > OF_MIDDLE * np.max(np.abs(x), initial=0.0) + OF_ROUNDING:
            return None
        by_q, by_p = self.mass_changes(x, mu)
        change = by_q @ dq
        change[:, : by_p.shape[1]] += by_p
        made: Any = -np.linalg.solve(self.M, change)
        return made


class EquationParameters:
    """The equations of motion of a run with all parameters, evaluated at will."""

    def __init__(self, run: MoreauRun):
        self.run = run
        swept = self.swept = SweptSystem(run)
        self.equations = swept.equations
        rows, self.nz = run.system.closures.rows, run.system.nz
        self.sizes = np.cumsum([run.nv, rows, self.nz, rows, rows])
        sums, n = int(self.sizes[-1]), swept.system.nq + swept.system.nv + swept.system.nz
        s = self._sweep = swept.new_sweep(run, sums, 1, False, np.zeros(1), np.zeros((1, n)))
        first = 0
        weights_of = ((s.w_r, run.nv), (s.w_c, rows), (s.w_z, self.nz), (s.w_g, rows), (s.w_d, rows))
        for weights, size in weights_of:
            weights[0, first : first + size, :size] = np.eye(size)
            first += size
        self._weights = ParameterWeights(run, swept, s)

    def put(self, t: float, y: Reals) -> None:
        """Set time and state (q, v, z)."""
        w = self.equations.work
        w.y[:] = 0.0
        w.y[self.run.own], w.y[self.swept.laws], w.clock[0] = y, self.swept.values, t

    def at(self, t: float, q: Reals, v: Reals, z: Reals, a: Reals, push: Reals) -> AtMiddle:
        """The equations with given accelerations; push: generalised forces of contact."""
        return AtMiddle(self, t, np.concatenate([q, v, z]), a, push)

    def slopes(self, t: float, y: Reals, a: Reals, multipliers: Reals) -> list[Reals]:
        """Derivatives of r, G a - gamma, dz/dt, g and dg/dt by the parameters; those of laws are in Z and Fz."""
        s = self._sweep
        s.at_t[0], s.at_y[0] = t, 0.0
        s.at_y[0, self.run.own], s.at_y[0, self.swept.laws] = y, self.swept.values
        s.at_a[0], s.at_l[0] = a, multipliers
        found = self.run.expanded(-self._weights.of_records(1))
        parts = np.split(found, self.sizes[:-1])
        parts[2] = -parts[2]
        return parts

    def closed(
        self, n: int, delta: Reals, moved: Reals, count: int, middle: AtMiddle | None = None, by: ByProjection = None
    ) -> tuple[Reals, Reals]:
        """Columns behind the projection onto closed loops at the end of a step; (3) of `discrete_run`.

        It moves along M^-1 G^T of the middle of the step. count: how many columns belong to parameters; by: changes of
        what it adds to positions and rates, with its multipliers held.
        """
        run, rows = self.run, self.run.system.closures.rows
        if not rows:
            return delta, moved
        t, y, nv = float(run.t[n + 1]), run.y[n + 1], run.nv
        self.put(t, y)
        self.equations.accelerations()
        at = self.equations.linearise(np.zeros(nv), np.zeros(rows))
        _, _, _, g_p, gdot_p = self.slopes(t, y, np.zeros(nv), np.zeros(rows))
        if by is None or middle is None:
            back: Any = np.linalg.solve(at.M, at.G.T)
        else:
            back = np.linalg.solve(middle.M, middle.G.T)
            delta, moved = delta + by[0], moved + by[1]

        def inverse(G: Reals, columns: Reals) -> Reals:
            return columns @ np.linalg.pinv(G @ columns, rcond=RANK)

        Gh = at.G[run.holonomic]
        left = Gh @ delta
        left[:, :count] += g_p[run.holonomic][:, :count]
        delta = delta - inverse(Gh, back[:, run.holonomic]) @ left
        left = at.G @ moved + at.Gq @ delta
        left[:, :count] += gdot_p[:, :count]
        return delta, moved - inverse(at.G, back) @ left


class Coefficient(NamedTuple):
    """Numbers of the pairs, and their derivatives by the parameters."""

    value: Reals  # [pairs]
    by_p: Reals  # [pairs, parameters]


class ContactParameters:
    """Coefficients of contacts, and places and shapes, by the parameters of a run."""

    def __init__(self, run: MoreauRun):
        self.run, family = run, run.whole
        contacts, count = run.of.contacts, len(family.names)
        self.pair = contacts.slot_pair
        pairs = contacts.pairs
        stacked = np.zeros((len(COEFFICIENTS) * pairs, count))
        self.geometric = list[int]()
        for k in range(count if pairs else 0):
            near = family.near(k)
            if not np.array_equal(_coefficients(near), _coefficients(family.base)):
                stacked[:, k], error = family.slope(k, _coefficients)
                run.errors[k] = max(run.errors[k], error)
            if _places_differ(near, family.base):
                self.geometric.append(k)
        values = _coefficients(family.base).reshape(len(COEFFICIENTS), pairs)
        by_p = stacked.reshape(len(COEFFICIENTS), pairs, count)
        self._of = {name: Coefficient(values[i], by_p[i]) for i, name in enumerate(COEFFICIENTS)}
        self._rows: dict[int, ContactRows] = {}
        self.joints = JointLaws(run) if slots_of(family.base.model) else None

    @property
    def laws(self) -> JointLaws:
        """Those of joints."""
        assert self.joints is not None
        return self.joints

    def restitution(self, slot: int) -> tuple[float, Reals]:
        """Of a slot, and its derivatives."""
        e, pair = self._of["restitution"], self.pair[slot]
        return float(e.value[pair]), e.by_p[pair]

    def drop(self, slot: int) -> tuple[float, float, Reals]:
        """Coefficients of sliding and of static friction of a slot, and the derivatives of the latter."""
        pair, low, high = self.pair[slot], self._of["friction"], self._of["static_friction"]
        return float(low.value[pair]), float(high.value[pair]), high.by_p[pair]

    def radius_change(self, c: StepContacts, block: SolvedBlock) -> Reals:
        """Change of the radius of a block of a contact that slides, with its normal impulse held."""
        k = block.number
        if k < c.points:
            pair = self.pair[c.slot[k]]
            mu = self._of["friction"]
            if c.mu[k] != mu.value[pair]:
                mu = self._of["static_friction"]
            return float(c.p[k, 0]) * mu.by_p[pair]
        arm = self._of["torsion" if c.size[k] == 1 else "rolling"]
        return float(c.p[block.owner, 0]) * arm.by_p[self.pair[c.slot[k]]]

    def geometry(self, q: Reals, slots: Ints, h: float) -> tuple[Reals, Reals]:
        """Derivatives of gaps [slots, parameters] and of rows [slots, 6, nv, parameters]."""
        run, family, n = self.run, self.run.whole, len(slots)
        gaps, rows = np.zeros((n, len(family.names))), np.zeros((n, 6, run.nv, len(family.names)))

        def of(system: System) -> Reals:
            known = self._rows.get(id(system))
            if known is None:
                contacts = rigid_contacts(system)
                assert contacts is not None
                known = self._rows[id(system)] = ContactRows(system, contacts)
            at = known(q, slots, h, derivatives=False)
            return np.concatenate([at.gap, at.J.ravel()])

        for k in self.geometric:
            slope, error = family.slope(k, of)
            run.errors[k] = max(run.errors[k], error)
            gaps[:, k], rows[..., k] = slope[:n], slope[n:].reshape(n, 6, run.nv)
        return gaps, rows


class JointLaws:
    """Numbers of friction and stops in joints, by the parameters of a run."""

    def __init__(self, run: MoreauRun):
        family = run.whole
        self.h = run.solver.step
        found = build_joint_friction(family.base)
        assert found is not None
        self.data = found
        shape = (found.count, JOINT_NUMBERS, len(family.names))
        by_p = np.zeros((found.count * JOINT_NUMBERS, len(family.names)))
        self.value = _joint_numbers(family.base).reshape(shape[:2])
        for k in range(len(family.names)):
            if not np.array_equal(_joint_numbers(family.near(k)), self.value.ravel()):
                by_p[:, k], error = family.slope(k, _joint_numbers)
                run.errors[k] = max(run.errors[k], error)
        self.by_p = by_p.reshape(shape)

    def bound(self, s: int, v: Reals) -> tuple[float, Reals, Reals]:
        """Friction that a slot has at most in a step that begins with v; its derivatives by v and by the parameters."""
        d, (low, high, width) = self.data, self.value[s, :3]
        low_p, high_p, width_p = self.by_p[s, :3]
        of_v, j = np.zeros(len(v)), slice(int(d.first[s]), int(d.first[s] + d.size[s]))
        scales = d.scales[s, : d.size[s]]
        speed = float(np.linalg.norm(scales * v[j]))
        if speed <= MOVES:
            return float(high), of_v, high_p
        bell = np.exp(-((speed / width) ** 2)) if width > 0.0 else 0.0
        slope = -2.0 * speed / width**2 * bell * (high - low) if width > 0.0 else 0.0
        of_v[j] = slope * scales**2 * v[j] / speed
        of_p = low_p + (high_p - low_p) * bell
        if width > 0.0:
            of_p = of_p - slope * speed / width * width_p
        return float(low + (high - low) * bell), of_v, of_p

    def drop(self, s: int) -> tuple[float, float, Reals]:
        """Friction of a slot that begins to slide and at rest, and the derivatives of the latter."""
        low, high, width = self.value[s, :3]
        return float(high if width > 0.0 else low), float(high), self.by_p[s, 1]

    def limit(self, s: int, inward: float) -> tuple[float, Reals]:
        """The limit that a stop pushes away from, and its derivatives."""
        k = 3 if inward > 0.0 else 4
        return float(self.value[s, k]), self.by_p[s, k]

    def restitution(self, s: int) -> tuple[float, Reals]:
        """Of a stop."""
        return float(self.value[s, 5]), self.by_p[s, 5]


def _joint_numbers(system: System) -> Reals:
    """[slots JOINT_NUMBERS] friction while sliding and at rest, Stribeck velocity, limits, restitution; 0: none."""
    data = build_joint_friction(system)
    assert data is not None
    made, reals = np.zeros((data.count, JOINT_NUMBERS)), system.loads.forces.reals
    for s in range(data.count):
        f = int(data.force[s])
        if f >= 0:
            made[s, :3] = data.bound[s], data.rest[s], reals[f, STRIBECK_VELOCITY]
        made[s, 3:5] = np.where(np.isfinite(data.limits[s]), data.limits[s], 0.0)
        made[s, 5] = data.restitution[s]
    return made.ravel()


def _coefficients(system: System) -> Reals:
    of = rigid_contacts(system) or no_contacts(system)
    return np.concatenate([getattr(of.contacts, name) for name in COEFFICIENTS])


def _places_differ(one: System, other: System) -> bool:
    """Whether anything differs that points of contact depend on."""
    mine, theirs = numbers_of(one), numbers_of(other)
    if mine.keys() != theirs.keys():
        return True
    for path, numbers in mine.items():
        if path[0] == "tree" and path not in NO_GEOMETRY and not np.array_equal(numbers, theirs[path]):
            return True
    a, b = (rigid_contacts(each) or no_contacts(each) for each in (one, other))
    for name in SHAPES:
        if not np.array_equal(getattr(a.contacts, name), getattr(b.contacts, name)):
            return True
    flat = [_arrays(of.contacts.hulls) + _arrays(of.contacts.surfaces) for of in (a, b)]
    return any(x.shape != y.shape or not np.array_equal(x, y) for x, y in zip(*flat, strict=True))


def _arrays(numbers: Any) -> list[Reals]:
    return [each for each in numbers if isinstance(each, np.ndarray)]
