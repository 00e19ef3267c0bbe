"""What the equations and the contacts of a step of time stepping depend on: states and parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from duoti.analyses.gradients.moreau_blocks import Block
from duoti.analyses.gradients.moreau_record import StepContacts
from duoti.analyses.gradients.parameter_weights import ParameterWeights, SweptSystem
from duoti.analyses.states.linearised_equations import RANK
from duoti.contact.build import rigid_contacts
from duoti.contact.row_derivatives import ContactRows
from duoti.system.arrays import Ints, Reals
from duoti.system.number_pool import numbers_of
from duoti.system.system import System

if TYPE_CHECKING:
    from duoti.analyses.gradients.moreau_run import MoreauRun

COEFFICIENTS = ("friction", "static_friction", "restitution", "rolling", "torsion")
NO_GEOMETRY = (("tree", "inertia"), ("tree", "gravity"), ("tree", "rotor"))
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
        self.multipliers: Reals = np.linalg.lstsq(G.T, r - push, rcond=RANK)[0] if rows else np.zeros(0)
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
        self.r_p[:, of.swept.columns] += at.Z[:, laws]
        rates[:, of.swept.columns] += at.Fz[: rates.shape[0], laws]
        self.z_p, self.x_p = rates[own], rates[extras]

    def mass_changes(self, x: Reals) -> tuple[Reals, Reals]:
        """d(M) x by displacements and by the parameters; changes of closed loops are left out."""
        of = self.of
        of.put(self.t, self.y)
        of.equations.accelerations()
        more = of.equations.linearise(self.a + x, self.multipliers)
        r_p = of.slopes(self.t, self.y, self.a + x, self.multipliers)[0]
        there = of.slopes(self.t, self.y, self.a, self.multipliers)[0]
        return more.K - self.K, r_p - there


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
        found = -self._weights.of_records(1)
        parts = np.split(found, self.sizes[:-1])
        parts[2] = -parts[2]
        return parts

    def closed(self, n: int, delta: Reals, moved: Reals, count: int) -> tuple[Reals, Reals]:
        """Columns behind the projection onto closed loops at the end of a step; (3) of `discrete_run`.

        count: how many of them belong to parameters.
        """
        run, rows = self.run, self.run.system.closures.rows
        if not rows:
            return delta, moved
        t, y, nv = float(run.t[n + 1]), run.y[n + 1], run.nv
        self.put(t, y)
        self.equations.accelerations()
        at = self.equations.linearise(np.zeros(nv), np.zeros(rows))
        _, _, _, g_p, gdot_p = self.slopes(t, y, np.zeros(nv), np.zeros(rows))
        back: Any = np.linalg.solve(at.M, at.G.T)

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
        self.run, family = run, run.family
        contacts, count = run.of.contacts, len(family.names)
        self.pair = contacts.slot_pair
        pairs = contacts.pairs
        stacked = np.zeros((len(COEFFICIENTS) * pairs, count))
        self.geometric = list[int]()
        for k in range(count if pairs else 0):
            near = family.near(k)
            if not np.array_equal(_coefficients(near), _coefficients(run.system)):
                stacked[:, k], error = family.slope(k, _coefficients)
                run.slopes.errors[k] = max(run.slopes.errors[k], error)
            if _places_differ(near, run.system):
                self.geometric.append(k)
        values = _coefficients(run.system).reshape(len(COEFFICIENTS), pairs)
        by_p = stacked.reshape(len(COEFFICIENTS), pairs, count)
        self._of = {name: Coefficient(values[i], by_p[i]) for i, name in enumerate(COEFFICIENTS)}
        self._rows: dict[int, ContactRows] = {}

    def restitution(self, slot: int) -> tuple[float, Reals]:
        """Of a slot, and its derivatives."""
        e, pair = self._of["restitution"], self.pair[slot]
        return float(e.value[pair]), e.by_p[pair]

    def radius_change(self, c: StepContacts, block: Block) -> Reals:
        """Change of the radius of a block that slides, with its normal impulse held, by the parameters."""
        k = block.number
        if k < c.points:
            pair = self.pair[c.slot[k]]
            mu = self._of["friction"]
            if c.mu[k] != mu.value[pair]:
                mu = self._of["static_friction"]
            return float(c.p[k, 0]) * mu.by_p[pair]
        arm = self._of["torsion" if c.size[k] == 1 else "rolling"]
        return float(c.p[block.owner, 0]) * arm.by_p[self.pair[c.slot[k]]]

    def geometry(self, q: Reals, slots: Ints) -> tuple[Reals, Reals]:
        """Derivatives of gaps [slots, parameters] and of rows [slots, 6, nv, parameters]."""
        run, family, n = self.run, self.run.family, len(slots)
        gaps, rows = np.zeros((n, len(family.names))), np.zeros((n, 6, run.nv, len(family.names)))

        def of(system: System) -> Reals:
            known = self._rows.get(id(system))
            if known is None:
                contacts = rigid_contacts(system)
                assert contacts is not None
                known = self._rows[id(system)] = ContactRows(system, contacts)
            at = known(q, slots, derivatives=False)
            return np.concatenate([at.gap, at.J.ravel()])

        for k in self.geometric:
            slope, error = family.slope(k, of)
            run.slopes.errors[k] = max(run.slopes.errors[k], error)
            gaps[:, k], rows[..., k] = slope[:n], slope[n:].reshape(n, 6, run.nv)
        return gaps, rows


def _coefficients(system: System) -> Reals:
    of = rigid_contacts(system)
    assert of is not None
    return np.concatenate([getattr(of.contacts, name) for name in COEFFICIENTS])


def _places_differ(one: System, other: System) -> bool:
    """Whether anything differs that points of contact depend on."""
    mine, theirs = numbers_of(one), numbers_of(other)
    if mine.keys() != theirs.keys():
        return True
    for path, numbers in mine.items():
        if path[0] == "tree" and path not in NO_GEOMETRY and not np.array_equal(numbers, theirs[path]):
            return True
    a, b = rigid_contacts(one), rigid_contacts(other)
    assert a is not None
    assert b is not None
    for name in SHAPES:
        if not np.array_equal(getattr(a.contacts, name), getattr(b.contacts, name)):
            return True
    flat = [_arrays(of.contacts.hulls) + _arrays(of.contacts.surfaces) for of in (a, b)]
    return any(x.shape != y.shape or not np.array_equal(x, y) for x, y in zip(*flat, strict=True))


def _arrays(numbers: Any) -> list[Reals]:
    return [each for each in numbers if isinstance(each, np.ndarray)]
