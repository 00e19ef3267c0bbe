"""The list of near pairs, where all pairs of shapes would be too many: it grows and shrinks with what is near.

A *geometry* is a shape of a body that may touch others. The list has all pairs of geometries whose boxes come closer to
each other than the sum of their skins. It is renewed before something that is not in it could touch: when a geometry
has moved by more than its skin since then, less half the margin that is asked for (`_list_holds`). So what is found
is a function of the state alone, whatever list is at hand.

Candidates come from a grid with cells of several sizes, each twice as large as the one before: a geometry stands in the
cell of its centre, in the finest grid whose cells are larger than its box. Boxes that meet have centres in neighbouring
cells of the coarser of their two grids. Cells are found by a hash, so that a renewal takes a time, and a memory, that
grows with the geometries and the pairs, however far these are spread. Half-spaces meet everything: they stand apart.

Which contacts two geometries have depends on their *groups* (`contact.pair_rules`). Pairs of the list are sorted by
kind, then by geometries, whatever was near before. Their memory of the last step goes with them.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from duoti.contact.collide.arrays import Contacts, ContactWork, allocate_contact_work, example_contacts
from duoti.kernel import ContextType, entry, helper, part, record_dtype, unpack
from duoti.model.pairs.base import ENDLESS, FAR, HUGE
from duoti.spatial.algebra import add, dot, get3, get9, get_pose, mul, put3, sub
from duoti.system.arrays import Ints, Reals

AHEAD = 10.0  # looks that a skin is made for, at the speed since the last renewal
THIN, LONG = 0.1, 0.02  # part of the smallest and the largest half width of a box that its skin has at least
WIDEST = 1.0  # part of the largest half width that a skin may have for the sake of fewer renewals
SMALL = 0.05  # part of the mean half width that counts for smaller geometries: points have none
SPARE = 1.1  # a skin is wider than what it was asked for
MOST_LEVELS, MOST_CELLS = 60, 1e9
UNKNOWN = -2  # step of a slot that was never near
LAWS = 5  # numbers of an element: friction, static friction, restitution, rolling, torsion
KIND, ELEMENT, SWAPPED, ROW_1, ROW_2, FLIPPED, APART = range(7)  # of a rule
NOT_WATCHED, CONVEX, ON_TRIANGLES, TWO_MESHES = range(4)  # in PairList.thickness_rule

LIST_COUNTS = record_dtype(
    "PairListCounts",
    pairs=int,  # in the list
    slots=int,
    needed_pairs=int,  # room that a renewal asked for
    needed_slots=int,
    renewals=int,
    looks=int,  # since the last one
    wide=float,  # every skin is at least this [m]
    table=int,  # entries of the hash table less one
    groups=int,
)


class PairList(NamedTuple):
    """Rules, which do not change, and the list."""

    counts: Any  # [1] of type LIST_COUNTS
    # ---------------------------------------------------------------------------------------------------- rules
    row: Ints  # [geometries, 4] shape of a geometry as it is, as triangles, as a hull, as both; -1: not used so
    lead: Ints  # [geometries] one of these
    group: Ints  # [geometries]
    body: Ints  # [geometries] number of the body, towards `joined`
    endless: Ints  # [geometries] 1: no box holds it
    half: Reals  # [geometries, 3] half widths of a box that holds it, along the axes of its shape
    middle: Reals  # [geometries, 3] and its centre
    rule_first: Ints  # [groups^2 + 1] where the rules of two groups begin
    rule: Ints  # [rules, 7] kind, element, swapped, columns of `row`, 1 if the second one is a, 1 if joints keep apart
    joined_first: Ints  # [bodies + 1] where the bodies begin that a joint holds to one
    joined: Ints  # [...]
    law: Reals  # [elements, 5]
    impact: Ints  # [elements]
    points: Ints  # [kinds]
    thickness_rule: Ints  # [kinds]
    width: Reals  # [shapes] distance of the nearest two parallel planes around it; 0: not known
    edge: Reals  # [shapes] of meshes, see `contact.thickness`
    through: Reals  # [shapes] thickness that thin shapes have on triangles
    mesh_depth: float
    # ------------------------------------------------------------------------------------------- state of the list
    X_then: Any  # [geometries, 12] poses at the last renewal
    skin: Any  # [geometries] [m]
    key: Any  # [pairs, 3] two geometries and the rule
    # ------------------------------------------------------------------- memory of slots and pairs that goes with them
    impulse: Any  # see `integrate.moreau.contact_problem.MoreauMemory`
    seen: Any
    beside: Any
    place: Any
    state: Any
    step: Any
    deep: Any  # see `integrate.moreau.collision_detection`
    # ------------------------------------------------------------------------------------------------------ scratch
    box: Any  # [geometries, 6] centre and half widths along the axes of the world
    level: Any  # [geometries] number of its grid
    cell: Any  # [geometries, 3]
    next: Any  # [geometries] next one with the same hash
    head: Any  # [table]
    found: Any  # [pairs, 2]
    begin: Any  # [geometries + 1]
    ordered: Any  # [pairs]
    new: Any  # [pairs, 3] keys, sorted by geometries
    sorted: Any  # [pairs, 3] keys, sorted by kind as well
    was: Any  # [pairs] place in the list before
    old_kind: Any  # [kinds + 1]
    old_slot: Any  # [kinds + 1]
    old_reals: Any  # [slots, 24]
    old_integers: Any  # [slots, 2]
    old_deep: Any  # [pairs]


def _example() -> tuple[Any, ...]:
    contacts = example_contacts()
    return contacts, allocate_contact_work(contacts), example_list()


def example_list() -> PairList:
    """A list of no use but for its types."""
    i, i2, d, d2 = np.zeros(1, np.int64), np.zeros((1, 1), np.int64), np.zeros(1), np.zeros((1, 1))
    return PairList(
        counts=np.zeros(1, LIST_COUNTS), row=i2, lead=i, group=i, body=i, endless=i, half=d2, middle=d2, rule_first=i,
        rule=i2, joined_first=i, joined=i, law=d2, impact=i, points=i, thickness_rule=i, width=d, edge=d, through=d,
        mesh_depth=0.0, X_then=d2, skin=d, key=i2, impulse=d2, seen=d2, beside=d2, place=d2, state=i, step=i, deep=i,
        box=d2, level=i, cell=i2, next=i, head=i, found=i2, begin=i, ordered=i, new=i2, sorted=i2, was=i, old_kind=i,
        old_slot=i, old_reals=d2, old_integers=i2, old_deep=i,
    )  # fmt: skip


LIST_CONTEXT = ContextType(_example)
LIST_WORDS = 512  # room for what is packed


@helper
def _moved(contacts, cw, plist, g):
    """How far any point of a geometry has moved since the last renewal, at most [m]."""
    s, turned, shifted = plist.lead[g], 0.0, 0.0
    for k in range(12):
        d = cw.X_WS[s, k] - plist.X_then[g, k]
        if k < 9:
            turned += d * d
        else:
            shifted += d * d
    moved = shifted**0.5
    if turned > 0.0:
        moved += turned**0.5 * contacts.reach[s]
    return moved


@helper
def _way(contacts, cw, plist, g, time):
    """How far any point of a geometry comes within a time, at most, with the velocities that it has [m]."""
    s = plist.lead[g]
    omega, v = get3(cw.V_WS, s, 0), get3(cw.V_WS, s, 3)
    turn, speed = dot(omega, omega) ** 0.5, dot(v, v) ** 0.5
    way = (speed + 0.5 * time * turn * speed) * time
    if turn > 0.0:
        way += turn * contacts.reach[s] * time
    return way


@helper
def _can_move(contacts, plist, g):
    t = contacts.tree_of[contacts.shape_body[plist.lead[g]]]
    return contacts.tree_first[t + 1] > contacts.tree_first[t]


@part
def _list_holds(contacts, cw, plist, margin, time):
    """Whether all pairs that come within the margin, now or within a time from now, are in the list."""
    for g in range(plist.lead.shape[0]):
        if plist.endless[g] == 1 and _can_move(contacts, plist, g):
            continue  # it is in the list with all others
        moved = _moved(contacts, cw, plist, g)
        if time > 0.0:
            moved += _way(contacts, cw, plist, g, time)
        if moved + 0.5 * margin > plist.skin[g]:
            return False
    return True


@part
def _put_boxes(contacts, cw, plist, margin, time):
    """Boxes and skins, for the poses now; returns the smallest box that has a size, with its skin."""
    total, bounded, smallest, counts = 0.0, 0, FAR, plist.counts[0]
    for g in range(plist.lead.shape[0]):
        if plist.endless[g] == 0:
            total += max(plist.half[g, 0], plist.half[g, 1], plist.half[g, 2])
            bounded += 1
    mean = total / bounded if bounded > 0 else 0.0
    for g in range(plist.lead.shape[0]):
        R, p = get_pose(cw.X_WS, plist.lead[g])
        h, moves, largest = get3(plist.half, g, 0), _can_move(contacts, plist, g), 0.0
        put3(plist.box, g, 0, add(p, mul(R, get3(plist.middle, g, 0))))
        for k in range(3):
            e = abs(R[3 * k]) * h[0] + abs(R[3 * k + 1]) * h[1] + abs(R[3 * k + 2]) * h[2]
            plist.box[g, 3 + k] = e
            largest = max(largest, e)
        skin = 0.0
        if moves and plist.endless[g] == 0:
            long = max(h[0], h[1], h[2], SMALL * mean)
            skin = max(THIN * min(h[0], h[1], h[2]), LONG * long)
            if counts.looks > 0:
                skin = max(skin, min(AHEAD * _moved(contacts, cw, plist, g) / counts.looks, WIDEST * long))
        way = _way(contacts, cw, plist, g, time) if time > 0.0 and plist.endless[g] == 0 else 0.0
        plist.skin[g] = max(skin, counts.wide) + SPARE * way + margin
        for k in range(12):
            plist.X_then[g, k] = cw.X_WS[plist.lead[g], k]
        if plist.endless[g] == 0 and largest + plist.skin[g] > 0.0:
            smallest = min(smallest, largest + plist.skin[g])
    return smallest


@helper
def _hash(plist, level, x, y, z):
    return (x * 73856093 ^ y * 19349663 ^ z * 83492791 ^ level * 961748941) & plist.counts[0].table


@helper
def _cell(x, size):
    """Number of the cell of a coordinate; very far ones share the last."""
    x = x / size
    if x != x:
        return 0
    return math.floor(min(max(x, -MOST_CELLS), MOST_CELLS))


@part
def _put_cells(plist, smallest):
    """Levels and cells of all boxes; returns the highest level."""
    highest = 0
    for k in range(plist.head.shape[0]):
        plist.head[k] = -1
    for g in range(plist.lead.shape[0]):
        if plist.endless[g] == 1:
            continue
        box, size, level = plist.box[g], 2.0 * smallest, 0
        wanted = 2.0 * (max(box[3], box[4], box[5]) + plist.skin[g])
        while size < wanted and level < MOST_LEVELS:
            size *= 2.0
            level += 1
        highest = max(highest, level)
        plist.level[g] = level
        for k in range(3):
            plist.cell[g, k] = _cell(box[k], size)
        at = _hash(plist, level, plist.cell[g, 0], plist.cell[g, 1], plist.cell[g, 2])
        plist.next[g] = plist.head[at]
        plist.head[at] = g
    return highest


@helper
def _have_rules(contacts, plist, g, h):
    """Whether two geometries are on different bodies that may touch."""
    low, high = min(g, h), max(g, h)
    groups = plist.group[low] * plist.counts[0].groups + plist.group[high]
    if plist.rule_first[groups + 1] == plist.rule_first[groups]:
        return False
    return contacts.shape_body[plist.lead[g]] != contacts.shape_body[plist.lead[h]]


@helper
def _put_found(plist, n, g, h):
    """Two geometries that are near."""
    if n < plist.found.shape[0]:
        plist.found[n, 0], plist.found[n, 1] = min(g, h), max(g, h)
    return n + 1


@helper
def _boxes_meet(plist, g, h):
    a, b, skin = plist.box[g], plist.box[h], plist.skin[g] + plist.skin[h]
    meet = True
    for k in range(3):
        meet = meet and abs(a[k] - b[k]) <= a[3 + k] + b[3 + k] + skin
    return meet


@part
def _find_in_grid(contacts, plist, smallest, highest):
    """plist.found: pairs of boxes that meet, each once; returns how many these are, also beyond the room."""
    n, levels = 0, 0
    for g in range(plist.lead.shape[0]):
        if plist.endless[g] == 0:
            levels |= 1 << plist.level[g]
    for g in range(plist.lead.shape[0]):
        if plist.endless[g] == 1:
            continue
        size = 2.0 * smallest * 2.0 ** plist.level[g]
        for level in range(plist.level[g], highest + 1):
            if (levels >> level) & 1 == 1:
                x, y, z = _cell(plist.box[g, 0], size), _cell(plist.box[g, 1], size), _cell(plist.box[g, 2], size)
                for i in range(x - 1, x + 2):
                    for j in range(y - 1, y + 2):
                        for k in range(z - 1, z + 2):
                            h = plist.head[_hash(plist, level, i, j, k)]
                            while h >= 0:
                                here = plist.level[h] == level and plist.cell[h, 0] == i
                                here = here and plist.cell[h, 1] == j and plist.cell[h, 2] == k
                                once = h > g or level > plist.level[g]
                                if here and once and _boxes_meet(plist, g, h) and _have_rules(contacts, plist, g, h):
                                    n = _put_found(plist, n, g, h)
                                h = plist.next[h]
            size *= 2.0
    return n


@part
def _find_at_half_spaces(contacts, cw, plist, n):
    """The same of what no box holds: half-spaces that stand still are compared with boxes, others meet all."""
    for g in range(plist.lead.shape[0]):
        if plist.endless[g] == 0:
            continue
        s = plist.lead[g]
        plane = contacts.reach[s] >= ENDLESS and not _can_move(contacts, plist, g)
        R, p = get9(cw.X_WS, s, 0), get3(cw.X_WS, s, 9)
        normal = (R[2], R[5], R[8])
        for h in range(plist.lead.shape[0]):
            if (plist.endless[h] == 1 and h <= g) or not _have_rules(contacts, plist, g, h):
                continue
            if plane and plist.endless[h] == 0:
                box = plist.box[h]
                below = abs(normal[0]) * box[3] + abs(normal[1]) * box[4] + abs(normal[2]) * box[5]
                height = dot(normal, sub((box[0], box[1], box[2]), p))
                if height - below > plist.skin[g] + plist.skin[h]:
                    continue
            n = _put_found(plist, n, g, h)
    return n


@helper
def _held_together(plist, g, h):
    """Whether a joint holds the bodies of two geometries together."""
    a, b = plist.body[g], plist.body[h]
    held = False
    for k in range(plist.joined_first[a], plist.joined_first[a + 1]):
        held = held or plist.joined[k] == b
    return held


@part
def _sort_found(plist, n):
    """plist.ordered: the second geometries, sorted for each first one, which begin at plist.begin."""
    begin, geometries = plist.begin, plist.lead.shape[0]
    for g in range(geometries + 1):
        begin[g] = 0
    for i in range(n):
        begin[plist.found[i, 0] + 1] += 1
    for g in range(geometries):
        begin[g + 1] += begin[g]
    for i in range(n):
        g = plist.found[i, 0]
        plist.ordered[begin[g]] = plist.found[i, 1]
        begin[g] += 1
    for g in range(geometries, 0, -1):
        begin[g] = begin[g - 1]
    begin[0] = 0
    for g in range(geometries):
        for i in range(begin[g] + 1, begin[g + 1]):
            h, j = plist.ordered[i], i
            while j > begin[g] and plist.ordered[j - 1] > h:
                plist.ordered[j] = plist.ordered[j - 1]
                j -= 1
            plist.ordered[j] = h


@part
def _apply_rules(plist):
    """plist.new: keys of the contacts of what was found; returns how many these are, also beyond the room."""
    n = 0
    for g in range(plist.lead.shape[0]):
        for i in range(plist.begin[g], plist.begin[g + 1]):
            h = plist.ordered[i]
            groups = plist.group[g] * plist.counts[0].groups + plist.group[h]
            for r in range(plist.rule_first[groups], plist.rule_first[groups + 1]):
                if plist.rule[r, APART] == 1 and _held_together(plist, g, h):
                    continue
                if n < plist.new.shape[0]:
                    plist.new[n, 0], plist.new[n, 1], plist.new[n, 2] = g, h, r
                n += 1
    return n


@part
def _sort_by_kind(contacts, plist, n):
    """plist.sorted: the keys sorted by kind; contacts.kind: where those of each begin. Returns the slots."""
    kinds, kind = plist.points.shape[0], contacts.kind
    for k in range(kinds + 1):
        plist.old_kind[k] = kind[k]
        kind[k] = 0
    slots = 0
    for i in range(n):
        k = plist.rule[plist.new[i, 2], KIND]
        kind[k + 1] += 1
        slots += plist.points[k]
    for k in range(kinds):
        kind[k + 1] += kind[k]
    for i in range(n):
        k = plist.rule[plist.new[i, 2], KIND]
        for j in range(3):
            plist.sorted[kind[k], j] = plist.new[i, j]
        kind[k] += 1
    for k in range(kinds, 0, -1):
        kind[k] = kind[k - 1]
    kind[0] = 0
    return slots


@helper
def _comes_before(a, i, b, j):
    """Whether key i of the list a comes before key j of the list b."""
    for k in range(2):
        if a[i, k] != b[j, k]:
            return a[i, k] < b[j, k]
    return a[i, 2] < b[j, 2]


@part
def _find_again(contacts, plist):
    """plist.was: where each pair stood in the list before, -1 if it did not. Both are sorted."""
    at = 0
    for k in range(plist.points.shape[0]):
        plist.old_slot[k] = at
        old, last = plist.old_kind[k], plist.old_kind[k + 1]
        at += (last - old) * plist.points[k]
        for i in range(contacts.kind[k], contacts.kind[k + 1]):
            while old < last and _comes_before(plist.key, old, plist.sorted, i):
                old += 1
            same = old < last and not _comes_before(plist.sorted, i, plist.key, old)
            plist.was[i] = old if same else -1
    return at


@helper
def _keep_slots(plist, slots, pairs):
    """Copies of what is known about the slots and pairs of the list before."""
    for s in range(slots):
        for k in range(3):
            plist.old_reals[s, k] = plist.impulse[s, k]
        for k in range(9):
            plist.old_reals[s, 3 + k] = plist.seen[s, k]
        for k in range(6):
            plist.old_reals[s, 12 + k] = plist.beside[s, k]
            plist.old_reals[s, 18 + k] = plist.place[s, k]
        plist.old_integers[s, 0], plist.old_integers[s, 1] = plist.state[s], plist.step[s]
    for i in range(pairs):
        plist.old_deep[i] = plist.deep[i]


@helper
def _put_slot(plist, s, old):
    """What is known about a slot: what was known about another one before, or nothing."""
    known = old >= 0
    for k in range(3):
        plist.impulse[s, k] = plist.old_reals[old, k] if known else 0.0
    for k in range(9):
        plist.seen[s, k] = plist.old_reals[old, 3 + k] if known else 0.0
    for k in range(6):
        plist.beside[s, k] = plist.old_reals[old, 12 + k] if known else 0.0
        plist.place[s, k] = plist.old_reals[old, 18 + k] if known else 0.0
    plist.state[s] = plist.old_integers[old, 0] if known else 0
    plist.step[s] = plist.old_integers[old, 1] if known else UNKNOWN


@part
def _carry_memory(contacts, plist, old_slots):
    """The memory of slots and pairs goes to where they stand now."""
    _keep_slots(plist, old_slots, plist.counts[0].pairs)
    s = 0
    for k in range(plist.points.shape[0]):
        for i in range(contacts.kind[k], contacts.kind[k + 1]):
            was = plist.was[i]
            plist.deep[i] = plist.old_deep[was] if was >= 0 else 0
            old = plist.old_slot[k] + (was - plist.old_kind[k]) * plist.points[k] if was >= 0 else -1
            for j in range(plist.points[k]):
                _put_slot(plist, s, old + j if was >= 0 else -1)
                s += 1


@part
def _put_pairs(contacts, plist):
    """The arrays of `Contacts` for the pairs of the list."""
    s = 0
    for k in range(plist.points.shape[0]):
        for i in range(contacts.kind[k], contacts.kind[k + 1]):
            for j in range(3):
                plist.key[i, j] = plist.sorted[i, j]
            rule = plist.rule[plist.key[i, 2]]
            one, two = plist.row[plist.key[i, 0], rule[ROW_1]], plist.row[plist.key[i, 1], rule[ROW_2]]
            a, b, e = one, two, rule[ELEMENT]
            if rule[FLIPPED] == 1:
                a, b = two, one
            contacts.pair_shapes[i, 0], contacts.pair_shapes[i, 1], contacts.pair_kind[i] = a, b, k
            contacts.element[i], contacts.swapped[i], contacts.impact[i] = e, rule[SWAPPED], plist.impact[e]
            contacts.friction[i], contacts.static_friction[i] = plist.law[e, 0], plist.law[e, 1]
            contacts.restitution[i] = plist.law[e, 2]
            contacts.rolling[i], contacts.torsion[i] = plist.law[e, 3], plist.law[e, 4]
            contacts.thickness[i] = _thickness(contacts, plist, k, a, b)
            contacts.convex[i] = 1 if plist.thickness_rule[k] == CONVEX else 0
            contacts.first[i] = s
            for _ in range(plist.points[k]):
                contacts.slot_pair[s] = i
                s += 1
            contacts.first[i + 1] = s
    return s


@helper
def _thickness(contacts, plist, k, a, b):
    """See `contact.thickness`; 0: none."""
    rule = plist.thickness_rule[k]
    if rule == NOT_WATCHED or contacts.reach[a] >= HUGE or contacts.reach[b] >= HUGE:
        return 0.0
    if rule == CONVEX:
        return plist.width[a] + plist.width[b]
    if rule == ON_TRIANGLES:
        return plist.width[a] if plist.width[a] > 0.0 else plist.through[a]
    return plist.mesh_depth * min(plist.edge[a], plist.edge[b])


@part
def _renew(contacts, cw, plist, margin, time):
    """A list for the poses now; returns False, and leaves the old one, if there is no room for it."""
    counts = plist.counts[0]
    smallest = _put_boxes(contacts, cw, plist, margin, time)
    highest = _put_cells(plist, smallest)
    n = _find_in_grid(contacts, plist, smallest, highest)
    n = _find_at_half_spaces(contacts, cw, plist, n)
    counts.needed_pairs, counts.needed_slots = n, 0
    if n > plist.found.shape[0]:
        return False
    _sort_found(plist, n)
    n = _apply_rules(plist)
    counts.needed_pairs = n
    if n > plist.new.shape[0]:
        return False
    for i in range(n):
        counts.needed_slots += plist.points[plist.rule[plist.new[i, 2], KIND]]
    if counts.needed_slots > contacts.slot_pair.shape[0]:
        return False
    _sort_by_kind(contacts, plist, n)
    old_slots = _find_again(contacts, plist)
    _carry_memory(contacts, plist, old_slots)
    counts.slots = _put_pairs(contacts, plist)
    counts.pairs = n
    counts.looks = 0
    counts.renewals += 1
    return True


@entry
def bring_up_to_date(context):
    """Renew the list if it does not hold for the poses and the margin of a workspace; forget what this knew of pairs.

    Where there is no room, the skins are void, so that it is tried again.
    """
    contacts, cw, plist = unpack(context, LIST_CONTEXT)
    look, counts = cw.look[0], plist.counts[0]
    margin = cw.margin[0] if cw.margin[0] < ENDLESS else 0.0
    look.full = 0
    counts.looks += 1
    holds = counts.renewals > 0 and _list_holds(contacts, cw, plist, margin, look.time)
    if not holds and not _renew(contacts, cw, plist, margin, look.time):
        look.full = 1
        for g in range(plist.skin.shape[0]):
            plist.skin[g] = -1.0
        return
    if look.renewals != counts.renewals:
        look.renewals = counts.renewals
        for i in range(cw.slack.shape[0]):
            cw.slack[i] = 0.0
        for s in range(cw.gap.shape[0]):
            cw.gap[s] = FAR


def list_of(contacts: Contacts, work: ContactWork, plist: PairList) -> tuple[Any, ...]:
    """The context of `bring_up_to_date`."""
    return contacts, work, plist
