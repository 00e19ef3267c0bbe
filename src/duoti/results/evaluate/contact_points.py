"""Points of contact over time, from the states: gaps, slip speeds, and forces of compliant contacts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from duoti.contact.build import ContactSet, compliant_contacts, rigid_contacts
from duoti.contact.collide.arrays import CONTACT_CONTEXT
from duoti.contact.collide.geometry import find_points, slot_speed
from duoti.contact.event_driven.contact_states import OPEN, SLIDE, STICK
from duoti.contact.workspace import ContactGeometry, new_contact_workspace
from duoti.dynamics.tree.kinematics import poses_and_velocities
from duoti.dynamics.workspace import new_workspace
from duoti.kernel import cold_kernel, unpack
from duoti.model.compliant.lugre import LuGreContactForce
from duoti.model.contacts.base import CompliantLaw
from duoti.model.contacts.compliant_contact import CompliantContact
from duoti.model.elements import name_of
from duoti.model.errors import ChannelError
from duoti.model.pairs.base import FAR
from duoti.model.pairs.patch import SoftPair
from duoti.results.evaluate.observe import FRAMES, observe
from duoti.system.arrays import Reals
from duoti.system.context import REAL_CONTEXT
from duoti.system.system import System

if TYPE_CHECKING:
    from duoti.results.result import Result
    from duoti.system.system import System


def lugre_friction(system: System, name: str, slip: Reals, frame: Reals, t: Reals, states: Any) -> Reals:
    """[time, point, 2]: friction on b for a unit of normal force, along the second and third row of `frame`.

    slip: velocity of b less that of a in the same directions; points in the order of `contact.build`.
    """
    law = system.model.contacts[name].law
    assert isinstance(law, CompliantContact)
    y: Any = np.array(states)
    bent = np.concatenate([_lugre(system, t, y, force) for force in _elements(system, name)], axis=1)
    z = np.einsum("nikj,nij->nik", frame[:, :, 1:], bent)
    speed = np.linalg.norm(slip, axis=2, keepdims=True)
    level = np.full_like(speed, law.friction)
    if law.stribeck_velocity is not None:
        level += (law.breakaway_friction - law.friction) * np.exp(-((speed / law.stribeck_velocity) ** 2))
    rate = slip - law.bristle_stiffness * speed / level * z
    held = law.bristle_stiffness * z
    held /= np.maximum(np.linalg.norm(held, axis=2, keepdims=True) / law.breakaway_friction, 1.0)
    return -(held + law.bristle_damping * rate + law.viscous_friction * slip)


def _elements(system: System, name: str) -> list[LuGreContactForce]:
    """The force elements of a contact, in the order of the pairs of `contact.build`: by kinds, no welded ones."""
    body, of = system.loads.markers.body, system.marker_index
    found = [
        force for force in system.model.forces.values()
        if isinstance(force, LuGreContactForce) and force.contact == name
        and body[of(name_of(force.marker_a))] != body[of(name_of(force.marker_b))]
    ]  # fmt: skip
    return sorted(found, key=lambda force: force.pair.kind)


def _lugre(system: System, t: Reals, y: Reals, force: LuGreContactForce) -> Reals:
    """[time, point, 3]: deflections in world axes."""
    first = system.tree.nq + system.tree.nv + list(system.model.states).index(force.state_names[0])
    z = y[:, first : first + len(force.state_names)].reshape(len(y), -1, 3)
    marker = system.marker_index(name_of(force.marker_a))
    R_WM = observe(system, t, y, FRAMES, [marker]).frames[:, 0, :9].reshape(-1, 3, 3)
    return np.einsum("njk,kl,nil->nij", R_WM, np.asarray(force.shape_a.pose.twelve[:9]).reshape(3, 3), z)


FIRST_MARGIN = 0.2  # part of the mean size of bodies
MOST_LOOKED_AT = 2_000_000  # pairs
ROWS_AT_ONCE = 1 << 12  # states that are read from a file at a time
NUMBERS_AT_ONCE = 1 << 22  # of all points that are looked at together: 32 MB
GAP, SPEED, PLACE, FRAME, SHARE, WIDTH = 0, 1, 4, 7, 16, 17


@cold_kernel("i i d2 l1 d3")
def _look(context, address, y, slots, out):
    """out[n, i] = gap, u, point, frame and cw.creep[0] of the i-th slot of the list in state n."""
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    contacts, cw = unpack(address, CONTACT_CONTEXT)
    for n in range(y.shape[0]):
        q, v = y[n][: tree.nq], y[n][tree.nq : tree.nq + tree.nv]
        poses_and_velocities(tree, w, q, v)
        find_points(contacts, cw, w, FAR)
        for i in range(slots.shape[0]):
            s = slots[i]
            out[n, i, 0] = cw.gap[s]
            out[n, i, 1], out[n, i, 2], out[n, i, 3] = slot_speed(contacts, cw, w, s)
            for k in range(3):
                out[n, i, 4 + k] = cw.point[s, k]
            for k in range(9):
                out[n, i, 7 + k] = cw.frame[s, k]
            out[n, i, 16] = cw.creep[s, 0]


class Points(NamedTuple):
    """The points of one contact over time: [time, point, ...]."""

    gap: Reals
    u: Reals
    """Rate of the gap and slip velocity, along the rows of `frame`."""
    place: Reals
    frame: Reals
    swapped: Reals
    """[point] 1 if a and b are the user's b and a."""
    share: Reals
    """Share of the point in the stiffness of a compliant contact: 1 where points have none (`model.pairs.patch`)."""


def set_of(system: System, name: str) -> tuple[ContactSet, int]:
    """The contacts among which an element is, and its number there."""
    found = rigid_contacts(system) if system.model.contacts[name].law.rigid else compliant_contacts(system)
    assert found is not None
    return found, found.names.index(name)


def points_over_time(result: Result, name: str) -> Points:
    """All points of a contact in the states of a result."""
    return points_in(result.system, result.states, name)


def points_in(system: System, y: Any, name: str) -> Points:
    """All points of a contact in the states y; where not all pairs are listed, of those that come near in any."""
    return next(points_of_each(system, y, [name]))


def points_of_each(system: System, y: Any, names: list[str]) -> Iterator[Points]:
    """`points_in` of contacts of one sort, rigid or compliant: shapes are looked at once for many of them."""
    if not names:
        return
    of, _ = set_of(system, names[0])
    if of.near is not None:
        of = _pairs_that_come_near(system, of, y)
    element = of.contacts.element[of.contacts.slot_pair]
    work, contact = new_workspace(system, ydot=True), new_contact_workspace(of)
    order = np.argsort(element, kind="stable")
    first = np.searchsorted(element[order], np.arange(len(of.names) + 1))
    own = [order[first[k] : first[k + 1]] for k in (of.names.index(name) for name in names)]
    most, done = max(1, NUMBERS_AT_ONCE // (WIDTH * max(1, len(y)))), 0
    while done < len(own):
        last, count = done + 1, len(own[done])
        while last < len(own) and count + len(own[last]) <= most:
            count, last = count + len(own[last]), last + 1
        slots = np.concatenate(own[done:last])
        out = np.zeros((len(y), len(slots), WIDTH))
        for row in range(0, len(y), ROWS_AT_ONCE):
            rows = slice(row, row + ROWS_AT_ONCE)
            _look(work.at[0].system, contact.address, np.array(y[rows]), slots, out[rows])
        begin = 0
        for each in own[done:last]:
            yield _as_points(of, each, out[:, begin : begin + len(each)])
            begin += len(each)
        done = last


def _as_points(of: ContactSet, slots: Any, out: Reals) -> Points:
    frame = out[..., FRAME:SHARE].reshape(*out.shape[:2], 3, 3)
    swapped = of.contacts.swapped[of.contacts.slot_pair[slots]].astype(float)
    shared = np.array([issubclass(kind, SoftPair) for kind in of.kinds])
    kind_of = np.searchsorted(of.contacts.kind, of.contacts.slot_pair[slots], side="right") - 1
    share = np.where(shared[kind_of], out[..., SHARE], 1.0) if len(slots) else out[..., SHARE]
    return Points(out[..., GAP], out[..., SPEED:PLACE], out[..., PLACE:FRAME], frame, swapped, share)


def _pairs_that_come_near(system: System, of: ContactSet, y: Any) -> ContactSet:
    """The same with those pairs alone that are in the list of near pairs in any of the states y."""
    geometry = ContactGeometry(system, of, biases=False)
    keys = np.zeros((0, 3), np.int64)
    for state in y:
        geometry.look(state[: system.nq], geometry.nothing, 0.0, np.zeros((0, 3, system.nv)), bias=False)
        here = geometry.of.near
        assert here is not None
        keys = np.unique(np.concatenate([keys, here.key[: int(here.counts[0].pairs)]]), axis=0)
    return of.only_pairs(keys)


@cold_kernel("i i i d1")
def _slot_speed(context, address, s, out):
    """Rate of the gap and slip velocity of a slot in the state that was looked at last."""
    _, _, _, w = unpack(context, REAL_CONTEXT)
    contacts, cw = unpack(address, CONTACT_CONTEXT)
    out[0], out[1], out[2] = slot_speed(contacts, cw, w, s)


def _slip(geometry: ContactGeometry, slot: int) -> float:
    u = np.zeros(3)
    _slot_speed(geometry.work.at[0].system, geometry.contact.address, slot, u)
    return float(np.hypot(u[1], u[2]))


def _least_gaps(result: Result, name: str) -> Reals:
    """`gaps_and_slips` where not all pairs are listed: state after state, among pairs that come nearer and nearer."""
    system = result.system
    of, element = set_of(system, name)
    geometry, out = ContactGeometry(system, of, biases=False), np.zeros((len(result.states), 2))
    out[:, 0] = np.inf
    assert of.near is not None
    half = np.max(of.near.half, axis=1)
    size = float(np.mean(half[half > 0.0])) if np.any(half > 0.0) else 1.0
    for row, state in enumerate(result.states):
        q, v = state[: system.nq], state[system.nq : system.nq + system.nv]
        margin, extent = 0.0, 4.0 * (float(np.max(np.abs(q), initial=1.0)) + float(np.max(half, initial=0.0)))
        while True:  # twice as wide each time
            geometry.look(q, v, margin, np.zeros((0, 3, system.nv)), bias=False)
            contacts, gap = geometry.of.contacts, geometry.contact.work.gap
            slots = np.flatnonzero(gap < FAR)
            slots = slots[contacts.element[contacts.slot_pair[slots]] == element]
            if len(slots) and (best := slots[np.argmin(gap[slots])]) >= 0 and gap[best] <= margin:
                out[row] = gap[best], _slip(geometry, int(best))
                break
            if not margin <= extent:
                break  # nothing faces anything
            margin = 2.0 * margin if margin else FIRST_MARGIN * size
            if len(contacts.pair_shapes) > MOST_LOOKED_AT:
                raise ChannelError(
                    f'the gap of contact "{name}" at t = {result.t[row]:.6g} s: its bodies are so far apart that more '
                    f"than {MOST_LOOKED_AT} pairs are nearer to each other; give them a contact in a model without "
                    "the others"
                )
    return out


def gaps_and_slips(result: Result, name: str) -> Reals:
    """[time, 2]: the smallest gap of a contact and the slip speed there; inf and 0 where no two points face each other.

    That is so of non-convex meshes that are far from each other, and of what is behind a surface.
    """
    if set_of(result.system, name)[0].near is not None:
        return _least_gaps(result, name)
    points = points_over_time(result, name)
    if not points.gap.shape[1]:
        raise ChannelError(f'contact "{name}" has no points: its two sides are held together and never move apart')
    best = np.argmin(points.gap, axis=1)
    rows = np.arange(len(best))
    gap, slip = points.gap[rows, best], np.linalg.norm(points.u[rows, best, 1:], axis=1)
    none = gap >= FAR
    return np.stack([np.where(none, np.inf, gap), np.where(none, 0.0, slip)], axis=1)


def compliant_values(result: Result, name: str, what: str) -> Reals:
    """Force of a on b, normal force, point where it acts, or state of a compliant contact."""
    return _compliant(result.system, name, what, points_over_time(result, name), result.t, result.states)


def _compliant(system: System, name: str, what: str, points: Points, t: Reals, y: Any) -> Reals:
    law = system.model.contacts[name].law
    assert isinstance(law, CompliantLaw)
    d = np.maximum(-points.gap, 0.0)
    normal = law.normal_force(d, -points.u[..., 0])
    normal = np.where(d > 0.0, points.share * normal, 0.0)
    slip = points.u[..., 1:]
    total = normal.sum(axis=1)
    if what == "normal_force":
        return total[:, None]
    if what == "force":
        if law.lugre:
            along = np.maximum(normal, 0.0)[..., None] * lugre_friction(system, name, slip, points.frame, t, y)
        else:
            along = law.friction_force(normal, slip)
        parts = np.concatenate([normal[..., None], along], axis=2)
        forces = np.einsum("nik,nikj->nij", parts, points.frame)
        return np.einsum("nij,i->nj", forces, 1.0 - 2.0 * points.swapped)
    if what == "point":
        weights = np.divide(normal, total[:, None], out=np.zeros_like(normal), where=total[:, None] != 0.0)
        return np.einsum("ni,nij->nj", weights, points.place)
    speed = np.linalg.norm(slip, axis=2)
    moving = np.max(np.where(d > 0.0, speed, 0.0), axis=1) > law.slip_speed
    return np.where(np.any(d > 0.0, axis=1), np.where(moving, SLIDE, STICK), OPEN)[:, None].astype(float)


class CompliantForces:
    """Forces of the compliant contacts of a system in one state after the other, each by itself."""

    def __init__(self, system: System):
        found = compliant_contacts(system)
        assert found is not None
        self.system, self.of = system, found
        self.work, self.contact = new_workspace(system, ydot=True), new_contact_workspace(found)
        element = found.contacts.element[found.contacts.slot_pair]
        self.slots = {name: np.flatnonzero(element == k) for k, name in enumerate(found.names)}
        self.out = {name: np.zeros((1, len(slots), WIDTH)) for name, slots in self.slots.items()}

    def value(self, name: str, what: str, t: Reals, y: Reals) -> Reals:
        """A quantity of a contact at the time t [1] in the state y [1, q v z ...]."""
        if self.of.near is not None:
            points = points_in(self.system, y, name)
        else:
            slots, out = self.slots[name], self.out[name]
            _look(self.work.at[0].system, self.contact.address, y, slots, out)
            points = _as_points(self.of, slots, out)
        return _compliant(self.system, name, what, points, t, y)[0]
