"""The compiled form of contacts: arrays that kernels read (`Contacts`) and scratch that they write (`ContactWork`).

A contact of the model (an *element*) is one or several *pairs* of shapes; a pair has a fixed number of *slots*, one for
each point in which its shapes may touch at once (a box on a plane: its eight corners). What is known about a point
stands in its slot, so that it can be found again in the next step.

The pairs are all that there are, or, where these are many, those that are near (`pair_list`): then what is said of each
pair changes during a run, and `pairs` and `slots` are the room that there is. `kind` says how many pairs there are.

Conventions: the normal n points from a to b. The rows of a point are the components along (n, t1, t2) of the velocity
of b less that of a, at the point midway between the surfaces: u = G v; u[0] is the rate of the gap. Impulses and
forces have the same components and act on b.
"""

from __future__ import annotations

from typing import Any, NamedTuple, get_type_hints

import numpy as np

from duoti.contact.collide.hulls import Hulls, pack_hulls
from duoti.contact.collide.surfaces import Surfaces, pack_surfaces
from duoti.kernel import ContextType, record_dtype
from duoti.model.contacts.rolling_contact import CREEP_NUMBERS, SHEAR_MODULUS
from duoti.model.contacts.rolling_contact import NUMBERS as NUMBERS_OF_CREEP
from duoti.model.pairs.base import FAR
from duoti.model.pairs.patch import room_of
from duoti.model.pairs.profiles import WIDTH
from duoti.system.arrays import Ints, Reals, Tree, freeze

NEWTON, POISSON, STRONGE = range(3)  # in Contacts.impact


class Contacts(NamedTuple):
    """What does not change. Pairs are sorted by kind."""

    pairs: int  # at most
    slots: int  # at most
    shapes: int
    most: int  # slots of the pair that has most
    shape_body: Ints  # [shapes] row of the body
    X_BS: Reals  # [shapes, 12] pose of the shape in the frame of that row
    size: Reals  # [shapes, 4] see model.pairs.base.sizes_of
    reach: Reals  # [shapes] radius of a ball that holds the shape
    kind: Ints  # [kinds + 1] where the pairs of each kind begin
    pair_shapes: Ints  # [pairs, 2] a and b
    first: Ints  # [pairs + 1] first slot
    slot_pair: Ints  # [slots]
    element: Ints  # [pairs] number of the contact in the list of names
    swapped: Ints  # [pairs] 1 if a and b are the user's b and a
    pair_kind: Ints  # [pairs]
    polygon: Ints  # [kinds] 1: points of its pairs are corners of a polygon, numbered along its outline
    thickness: Reals  # [pairs] of both shapes together, see `contact.thickness`; 0: they cannot pass each other [m]
    convex: Ints  # [pairs] 1: both shapes are convex, so that a normal parts them
    friction: Reals  # [pairs] coefficient of sliding
    static_friction: Reals  # [pairs] of sticking
    restitution: Reals  # [pairs]
    rolling: Reals  # [pairs] arm of the rolling resistance [m]
    torsion: Reals  # [pairs] arm of the resistance against turning about the normal [m]
    impact: Ints  # [pairs] NEWTON, POISSON or STRONGE
    creep: Reals  # [pairs, 10] numbers of rolling contacts (model.contacts.rolling_contact), zeros of others
    # A row of G is zero but for the rates of the trees (bodies joined to each other, ground left out) of a and b.
    tree_of: Ints  # [nb] number of the tree of each row; 0 is ground and has no rates
    tree_first: Ints  # [trees + 1] where its rates begin in the next list
    tree_dofs: Ints  # [...] rates, ascending
    dof_place: Ints  # [nv] place of a rate among those of its tree
    width: int  # the longest row of G: rates of a's tree, then those of b's unless it is the same
    surfaces: Surfaces  # of non-convex meshes
    profiles: Reals  # [knots, 6] of surfaces of revolution and extrusions (model.pairs.profiles)
    hulls: Hulls  # of meshes, and of boxes that meet others than boxes, spheres and planes


COUNTS = record_dtype("ContactCounts", near=int, rows=int)

LOOK = record_dtype(
    "LookForPairs",
    entry=int,  # address of the entry that brings the list of near pairs up to date; 0: all pairs are there
    context=int,  # and of its context
    time=float,  # [s] within which pairs must be in the list that come near
    full=int,  # 1 if there was no room: the list is not up to date
    renewals=int,  # of the list that gaps belong to
)

PAIR_CALLS = record_dtype(
    "PairCalls",
    points=int,  # points of contact of all pairs of this kind
    biases=int,  # their accelerations at zero accelerations; 0: not wanted
    creeps=int,  # creep forces; 0: none
    group=int,  # context (`ContactGroup`, or that of a feature or rim pair) of these entries
)
"""Addresses of the entries of one kind of pairs."""


class ContactWork(NamedTuple):
    """Scratch, and what is known about each slot. Written by `contact.collide.geometry`."""

    X_WS: Any  # [shapes, 12] pose of each shape in the world
    last: Any  # [shapes, 12] the same at the last look, see `geometry.find_points` ...
    moved: Any  # [shapes] ... and how far any of its points has moved since then, at most [m]
    slack: Any  # [pairs] how far the shapes of a pair are apart, at least [m]
    V_WS: Any  # [shapes, 6] angular velocity and velocity of its origin, world axes
    A_WS: Any  # [shapes, 6] their rates at zero accelerations
    gap: Any  # [slots] FAR where nothing is near
    point: Any  # [slots, 3] in the world, midway between the surfaces
    frame: Any  # [slots, 9] n, t1, t2 in world axes
    creep: Any  # [slots, 18] of rolling contacts normal force, creep force along n, t1, t2 at it, its slopes, motion
    # (`contact.creep`); of compliant ones the share of the point in the stiffness
    bias: Any  # [slots, 6] du/dt at zero accelerations, of the slots that are near; and that of their turning
    near: Any  # [slots] slots whose gap is at most the margin, in the order of the pairs
    counts: Any  # [1] of type COUNTS: how many of these there are
    margin: Any  # [1] gap up to which a point counts as near [m]
    out: Any  # output of a manifold, and its scratch
    complex_out: Any  # the same
    calls: Any  # [kinds] of type PAIR_CALLS
    look: Any  # [1] of type LOOK


class ContactGroup(NamedTuple):
    """The context of an entry that is called for the pairs of one kind."""

    system: int  # address of the context (contacts, work)
    kind: int
    only: Any  # [1] the one pair that is looked at; -1: all of them


def resists(contacts: Contacts) -> bool:
    """Whether any pair resists rolling, or turning about the normal."""
    return bool(np.any(contacts.rolling > 0.0) or np.any(contacts.torsion > 0.0))


def creeps(contacts: Contacts) -> bool:
    """Whether any pair has creep forces."""
    return bool(np.any(contacts.creep[:, SHEAR_MODULUS] > 0.0))


def allocate_contact_work(contacts: Contacts) -> ContactWork:
    """Arrays without addresses."""
    n, s, kinds = contacts.shapes, contacts.slots, len(contacts.kind) - 1
    most = room_of(contacts.hulls.corners)
    return ContactWork(
        X_WS=np.zeros((n, 12)), last=np.zeros((n, 12)), moved=np.zeros(n), slack=np.zeros(contacts.pairs),
        V_WS=np.zeros((n, 6)), A_WS=np.zeros((n, 6)), gap=np.full(s, FAR),
        point=np.zeros((s, 3)), frame=np.zeros((s, 9)), creep=np.zeros((s, CREEP_NUMBERS)),
        bias=np.zeros((s, 6)), near=np.zeros(s, np.int64),
        counts=np.zeros(1, COUNTS), margin=np.zeros(1), out=np.zeros(most), complex_out=np.zeros(most, complex),
        calls=np.zeros(kinds, PAIR_CALLS), look=np.zeros(1, LOOK),
    )  # fmt: skip


def example_contacts() -> Contacts:
    """Contacts of no use but for their types."""
    matrices = {"X_BS": 12, "size": 4, "pair_shapes": 2, "creep": len(NUMBERS_OF_CREEP), "profiles": WIDTH}
    fields: dict[str, Any] = {}
    for name, hint in get_type_hints(Contacts).items():
        if hint is int:
            fields[name] = 1
        elif hint is Hulls:
            fields[name] = pack_hulls([])
        elif hint is Surfaces:
            fields[name] = pack_surfaces([])
        else:
            shape = (1, matrices[name]) if name in matrices else (1,)
            fields[name] = np.zeros(shape, np.int64 if hint == Ints else np.float64)
    made = Contacts(**fields)
    freeze(made)
    return made


def _example() -> tuple[Any, ...]:
    contacts = example_contacts()
    return contacts, allocate_contact_work(contacts)


CONTACT_CONTEXT = ContextType(_example)
CONTACT_GROUP = ContextType(lambda: (ContactGroup(0, 0, np.full(1, -1)),))
CONTACT_WORDS, GROUP_WORDS = 512, 8  # room for what is packed


def trees_of(tree: Tree, joined: list[list[int]]) -> tuple[Ints, Ints, Ints, Ints]:
    """tree_of, tree_first, tree_dofs and dof_place; joined: rates that belong together across trees (loops).

    Bodies that no rate moves are of the tree of ground.
    """
    root = list(range(tree.nb))
    for b in range(1, tree.nb):
        root[b] = root[int(tree.parent[b])]
        if root[b] == 0 and tree.first[b + 1] > tree.first[b]:
            root[b] = b
    owner = np.zeros(tree.nv, np.int64)
    for b in range(1, tree.nb):
        for k in range(tree.first[b], tree.first[b + 1]):
            owner[tree.rate[k]] = root[b]
    merged = {b: b for b in set(root)}

    def find(b: int) -> int:
        while merged[b] != b:
            b = merged[b]
        return b

    for rates in joined:
        for i in rates[1:]:
            merged[find(int(owner[i]))] = find(int(owner[rates[0]]))
    numbers = {0: 0}
    tree_of = np.array([numbers.setdefault(find(root[b]), len(numbers)) for b in range(tree.nb)], np.int64)
    of_dof = np.array([numbers[find(int(b))] for b in owner], np.int64)
    lists = [np.flatnonzero(of_dof == n) for n in range(len(numbers))]
    place = np.zeros(tree.nv, np.int64)
    for rates in lists:
        place[rates] = np.arange(len(rates))
    first = np.concatenate([[0], np.cumsum([len(rates) for rates in lists])]).astype(np.int64)
    return tree_of, first, np.concatenate(lists).astype(np.int64), place
