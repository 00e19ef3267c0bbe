"""Workspaces of contacts with their entries, and points of contact for use from Python."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from duoti.contact.build import ContactSet
from duoti.contact.collide.arrays import (
    CONTACT_CONTEXT,
    CONTACT_GROUP,
    CONTACT_WORDS,
    GROUP_WORDS,
    ContactGroup,
    Contacts,
    ContactWork,
    allocate_contact_work,
    resists,
)
from duoti.contact.collide.geometry import angular_rows, dof_of, find_biases, find_points, row_lengths, slot_rows
from duoti.contact.collide.pair_list import LIST_CONTEXT, LIST_WORDS, bring_up_to_date, list_of
from duoti.contact.collide.pair_types import PairEntries, pair_entries
from duoti.contact.features import FeaturePair, RimPair
from duoti.contact.features.entries import FEATURE_GROUP, FEATURE_WORDS, FeatureGroup, feature_entries
from duoti.contact.features.rims import RIM_GROUP, RIM_WORDS, RimGroup, rim_entries
from duoti.dynamics.tree.kinematics import joint_sweep, velocities, world_poses
from duoti.dynamics.workspace import new_workspace
from duoti.kernel import address_of, cold_kernel, entry_address, on_demand, pack, subclasses_of_package, unpack
from duoti.model.contacts.rolling_contact import SHEAR_MODULUS
from duoti.model.pairs import ShapePair
from duoti.model.pairs.base import FAR
from duoti.system.arrays import Reals, Work
from duoti.system.context import REAL_CONTEXT
from duoti.system.system import System

_address = cache(entry_address)

LOWEST = 2e-14  # height of the last rebound, as part of the distance from the origin (at least 1 m): gaps err by 1e-16


class ContactWorkspace(NamedTuple):
    """Contacts and their scratch, packed; it must live as long as kernels use its address."""

    contacts: Contacts
    work: ContactWork
    address: int
    block: Any
    groups: Any
    closed: Any
    """[slots] not 0: closed, which feature pairs must know; the modes of an event-driven run"""
    hold: Any
    """[slots] m that points of feature pairs are inside their ends; 1 for all others"""
    towards: Any
    seen: Any
    """[pairs, 2] each, of pairs with rims: see `features.rims`"""
    listing: Any
    """The context of the list of near pairs."""
    only: Any
    """[1] the one pair that is looked at; -1: all of them (pairs of features are always all looked at)"""


def new_contact_workspace(of: ContactSet, biases: bool = False, towards: Any = None) -> ContactWorkspace:
    """Scratch for one thread; biases: also for `find_biases`. towards: what another one remembers of rims."""
    contacts, work = of.contacts, allocate_contact_work(of.contacts)
    block, groups = np.zeros(CONTACT_WORDS), np.zeros((len(of.kinds), max(GROUP_WORDS, FEATURE_WORDS, RIM_WORDS)))
    closed, hold, only = np.zeros(contacts.slots, np.int64), np.ones(contacts.slots), np.full(1, -1)
    towards, seen = np.zeros((contacts.pairs, 2)) if towards is None else towards, np.zeros((contacts.pairs, 2))
    pack(block, (contacts, work), CONTACT_CONTEXT)
    here = address_of(block)
    for k, kind in enumerate(of.kinds):
        pairs = slice(int(contacts.kind[k]), int(contacts.kind[k + 1]))
        if issubclass(kind, FeaturePair):
            pack(groups[k], (FeatureGroup(here, pairs.start, pairs.stop, closed, hold),), FEATURE_GROUP)
        elif issubclass(kind, RimPair):
            pack(groups[k], (RimGroup(here, pairs.start, pairs.stop, towards, seen),), RIM_GROUP)
        else:
            pack(groups[k], (ContactGroup(here, k, only),), CONTACT_GROUP)
        entries, calls = _entries(kind), work.calls[k]
        calls.group = address_of(groups[k])
        calls.points = _address(entries.points)
        if biases and entries.biases is None:
            raise NotImplementedError(
                f"accelerations in contacts between shapes of the kinds {kind.first} and {kind.second} are not known, "
                "since their points jump; dt.Moreau(step=0.001) does without"
            )
        calls.biases = _address(entries.biases) if biases else 0
        if np.any(contacts.creep[pairs, SHEAR_MODULUS] > 0.0):
            calls.creeps = _address(entries.creeps)
    listing = np.zeros(LIST_WORDS)
    if of.near is not None:
        pack(listing, list_of(contacts, work, of.near), LIST_CONTEXT)
        work.look[0].entry, work.look[0].context = _address(bring_up_to_date), address_of(listing)
    return ContactWorkspace(contacts, work, here, block, groups, closed, hold, towards, seen, listing, only)


def _entries(kind: type[ShapePair]) -> PairEntries:
    if issubclass(kind, FeaturePair):
        return feature_entries(kind)
    return rim_entries(kind) if issubclass(kind, RimPair) else pair_entries(kind)


@on_demand
def _all_entries() -> None:
    for pair in subclasses_of_package(ShapePair):
        if "kind" in vars(pair):
            _entries(pair)


def contact_entries(of: ContactSet, biases: bool = False) -> list[Any]:
    """The entries of the pairs of shapes that a run calls, so that they can be compiled side by side."""
    of_kinds = [_entries(kind) for kind in of.kinds]
    found = [each.points for each in of_kinds] + [each.biases for each in of_kinds if biases]
    if of.near is not None:
        found.append(bring_up_to_date)
    return [each for each in found if each is not None]


@cold_kernel("i i d1 d1 d i d1 d2 d3")
def _see(context, address, q, v, margin, with_bias, nothing, rows, G):
    """Points of contact in a state; dense rows of the near ones; returns how many these are."""
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    contacts, cw = unpack(address, CONTACT_CONTEXT)
    joint_sweep(tree, w, q, v)
    velocities(tree, w, v)
    world_poses(tree, w)
    find_points(contacts, cw, w, margin)
    near = cw.counts[0].near
    if with_bias == 1:
        find_biases(tree, contacts, cw, w, nothing)
    for i in range(min(near, G.shape[0])):
        slot_rows(tree, contacts, cw, w, cw.near[i], rows, 0)
        t_a, n_a, t_b, n_b = row_lengths(contacts, cw.near[i])
        if G.shape[1] > 3:
            angular_rows(tree, contacts, cw, w, cw.near[i], rows, 3)
        for r in range(G.shape[1]):
            for k in range(n_a + n_b):
                G[i, r, dof_of(contacts, t_a, n_a, t_b, k)] += rows[r, k]
    return near


@cold_kernel("i i d2 d1 d1")
def _least_gaps(context, address, states, still, least):
    """The least gap of all slots in each state."""
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    contacts, cw = unpack(address, CONTACT_CONTEXT)
    for n in range(states.shape[0]):
        joint_sweep(tree, w, states[n], still)
        velocities(tree, w, still)
        world_poses(tree, w)
        find_points(contacts, cw, w, 0.0)
        least[n] = FAR
        for s in range(contacts.slots):
            least[n] = min(least[n], cw.gap[s])


class ContactPoint(NamedTuple):
    """A point of contact, or near contact, in a state; rows and biases along n, t1, t2 (`contact.collide.arrays`)."""

    name: str
    """Of the contact."""
    bodies: tuple[str, str]
    """a and b of the pair: the user's, or the other way round if `swapped`."""
    swapped: bool
    slot: int
    pair: int
    gap: float
    point: Reals
    frame: Reals
    """[3, 3] rows n, t1, t2 in world axes."""
    G: Reals
    """[3, nv]"""
    bias: Reals
    """[3] du/dt = G a + bias"""
    turning: Reals
    """[3, nv] rows of the angular velocity of b less that of a, about n, t1, t2; [0, nv] where no contact resists it"""
    angular_bias: Reals
    """The same of these."""


class ContactGeometry:
    """The points of contact of a system, for analyses that work in Python.

        points = ContactGeometry(system, rigid_contacts(system)).points(q, v, margin=1e-9)

    The arrays of `points` are copies. `gaps` are those of all slots of the pairs in `of`, which are all, or those that
    are near. biases: False saves their kernels. towards: what a
    run remembers of rims.
    """

    def __init__(
        self, system: System, of: ContactSet, work: Work | None = None, biases: bool = True, towards: Any = None
    ):
        self.system, self.biases = system, biases
        self.work = new_workspace(system, ydot=True) if work is None else work
        self.of = of.with_room()
        self.contact = new_contact_workspace(self.of, biases, towards)
        self.nothing = np.zeros(system.nv)
        self.axes = 6 if resists(of.contacts) else 3
        self.rows = np.zeros((6, of.contacts.width))

    def look(self, q: Any, v: Any, margin: float, G: Reals, bias: bool = True) -> int:
        """Fill the workspace; returns how many slots are near."""
        q, v = np.array(q, dtype=float), np.array(v, dtype=float)
        arguments = (q, v, float(margin), int(bias and self.biases), self.nothing, self.rows, G)
        near = int(_see(self.work.at[0].system, self.contact.address, *arguments))
        while self.contact.work.look[0].full:
            self.of = self.of.with_more_room()
            self.contact = new_contact_workspace(self.of, self.biases, self.contact.towards)
            near = int(_see(self.work.at[0].system, self.contact.address, *arguments))
        return near

    def gaps(self, q: Any, v: Any | None = None) -> Reals:
        """Gaps of all slots of `of` [m]."""
        self.look(q, self.nothing if v is None else v, np.inf, np.zeros((0, 3, self.system.nv)), bias=False)
        return self.contact.work.gap.copy()

    def least_gaps(self, states: Reals) -> Reals:
        """The least gap of all slots in each of some states [m]."""
        least = np.zeros(len(states))
        y = np.array(states[:, : self.system.nq], dtype=float)
        _least_gaps(self.work.at[0].system, self.contact.address, y, self.nothing, least)
        return least

    def points(self, q: Any, v: Any, margin: float) -> list[ContactPoint]:
        """All points whose gap is at most the margin [m]."""
        if self.of.near is not None:  # rows of the points that there are
            G = np.zeros((self.look(q, v, margin, np.zeros((0, self.axes, self.system.nv))), self.axes, self.system.nv))
        else:
            G = np.zeros((self.of.contacts.slots, self.axes, self.system.nv))
        near = self.look(q, v, margin, G)
        of, cw = self.of, self.contact.work
        found: list[ContactPoint] = []
        for i in range(near):
            s = int(cw.near[i])
            pair = int(of.contacts.slot_pair[s])
            found.append(
                ContactPoint(
                    of.names[of.contacts.element[pair]], of.bodies[pair], bool(of.contacts.swapped[pair]), s, pair,
                    float(cw.gap[s]), cw.point[s].copy(), cw.frame[s].reshape(3, 3).copy(),
                    G[i, :3], cw.bias[s, :3].copy(), G[i, 3:], cw.bias[s, 3 : self.axes].copy(),
                )
            )  # fmt: skip
        return found


def impact_rows(points: list[ContactPoint], inverse: Reals, v: Reals) -> list[tuple[Reals, Reals]]:
    """Rows and axes (world) of each contact: n and one tangent if all can move in a plane only, else all three.

    v: rates. The tangent is that along which a point can move or, if it can along none, slides.
    """
    found: list[tuple[Reals, Reals]] = []
    for p in points:
        W = p.G @ inverse @ p.G.T
        values, vectors = np.linalg.eigh(W[1:, 1:])
        if values[0] > 1e-12 * W[0, 0]:
            return [(p.G, p.frame) for p in points]
        turn = np.zeros((2, 3))
        slip = p.G[1:] @ v
        slides = values[1] <= 1e-12 * W[0, 0] and np.any(slip)
        turn[0, 0], turn[1, 1:] = 1.0, slip / np.linalg.norm(slip) if slides else vectors[:, 1]
        found.append((turn @ p.G, turn @ p.frame))
    return found


def slowest_leave(points: list[ContactPoint], a: Reals) -> Reals:
    """Normal speeds [m/s] below which points that leave come back before a gap can tell it from round-off.

    a: accelerations without forces of contact; where no point is pressed, all may leave as slowly as they like. What
    lies on another falls, without forces, as fast as that does, and is pressed nevertheless: the most of all counts.
    """
    pressing = max(max(-float(p.G[0] @ a + p.bias[0]), 0.0) for p in points) * np.ones(len(points))
    lowest = LOWEST * max(1.0, *(float(np.max(np.abs(p.point))) for p in points))
    return np.sqrt(2.0 * lowest * pressing)
