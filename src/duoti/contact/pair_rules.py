"""Which shapes may touch which, by groups: what `contact.collide.pair_list` needs instead of a list of all pairs.

Geometries, shapes of bodies, that stand on the same sides of the same contacts and are of one kind are a *group*. What
is between two groups, their *rules*, is looked up once, so that a model takes memory and time by its shapes and groups.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.contact.collide.arrays import Contacts
from duoti.contact.collide.pair_list import (
    CONVEX,
    ELEMENT,
    FLIPPED,
    KIND,
    LAWS,
    LIST_COUNTS,
    ROW_1,
    ROW_2,
    SWAPPED,
    PairList,
)
from duoti.contact.thickness import MESH_DEPTH, ShapeThickness, pair_thickness, rules_of
from duoti.model.contacts.element import ContactElement, held_together
from duoti.model.elements import name_of
from duoti.model.pairs import ShapePair, find_pair
from duoti.model.pairs.base import HUGE, is_of_triangles
from duoti.model.pairs.supports import BOX, CAPSULE, CYLINDER, DISC
from duoti.spatial import Shape
from duoti.system.arrays import Ints, Reals, freeze

Builder = Any  # `contact.build._Builder`, which comes after this
Touching = Any  # `contact.build._Touching`

MOST_GROUPS = 300  # two of which have a table: beyond, contacts are between single bodies, and all pairs are few


class Rule(NamedTuple):
    """A contact between the geometries of two groups; see `pair_list.PairList.rule`."""

    kind: type[ShapePair]
    element: int
    swapped: int
    row_1: int
    row_2: int
    flipped: int
    apart: int


AS_SURFACE, AS_HULL, EXACT, WAYS = 1, 2, 4, 8  # how a pair knows a shape: sums of these


def known_as(kind: type[ShapePair], shape: str) -> int:
    """How a kind of pairs knows a kind of shapes: as it is, by a hull, by triangles."""
    as_hull = AS_HULL + EXACT * kind.exact_hulls
    return as_hull * (shape in kind.hulls) + AS_SURFACE * (kind.surfaces and is_of_triangles(shape))


class Geometries(NamedTuple):
    """All shapes of bodies that may touch, and the rules of their groups."""

    touching: list[Touching]
    group: Ints
    groups: int
    rules: dict[tuple[int, int], list[Rule]]
    """By two groups, that of the geometry with the lower number first."""


def geometries_of(builder: Builder, elements: list[ContactElement]) -> Geometries | None:
    """The geometries of rigid contacts; None where groups would not do, and all pairs have to be listed."""
    model = builder.system.model
    known: dict[tuple[str, Any], range] = {}
    touching: list[Touching] = []
    member: list[dict[int, int]] = []  # of each geometry: elements, and 1 for side a, 2 for side b
    alike: list[bool] = []
    for number, element in enumerate(elements):
        sides = element.sides(model)
        names = [{name_of(each) for each in side} for side in sides]
        alike.append(element.alike(model))
        if element.shapes is not None and names[0] & names[1]:
            return None  # which shape a body has depends on the pair
        for k, side in enumerate(sides):
            for reference in side:
                key = (name_of(reference), None if element.shapes is None else (number, k))
                if key not in known:
                    given = builder.touching(element, reference, bool(k))
                    known[key] = range(len(touching), len(touching) + len(given))
                    touching.extend(given)
                    member.extend({} for _ in given)
                for g in known[key]:
                    member[g][number] = member[g].get(number, 0) | (1 << k)
    groups: dict[Any, int] = {}
    of = [groups.setdefault((each.kind, tuple(sorted(m.items()))), len(groups))
          for each, m in zip(touching, member, strict=True)]  # fmt: skip
    if len(groups) > MOST_GROUPS:
        return None
    rules: dict[tuple[int, int], list[Rule]] = {}
    first = {group: g for g, group in reversed(list(enumerate(of)))}
    for i, (kind_i, sides_i) in enumerate(groups):
        for j, (kind_j, sides_j) in enumerate(groups):
            found: list[Rule] = []
            for number in sorted({e for e, _ in sides_i} & {e for e, _ in sides_j}):
                in_i, in_j = dict(sides_i)[number], dict(sides_j)[number]
                if alike[number] or (in_i & 1 and in_j & 2):
                    kinds, flipped = (kind_i, kind_j), 0
                elif in_i & 2 and in_j & 1:
                    kinds, flipped = (kind_j, kind_i), 1
                else:
                    continue
                kind, swapped = find_pair(*kinds)
                if kind is None:
                    pair = (touching[first[i]], touching[first[j]])
                    builder.leave_out(*(reversed(pair) if flipped else pair))
                    continue
                rows = [known_as(kind, x) for x in (kind_i, kind_j)]
                apart = int(not elements[number].single)
                found.append(Rule(kind, number, int(swapped), rows[0], rows[1], flipped ^ int(swapped), apart))
            if found:
                rules[i, j] = found
    return Geometries(touching, np.array(of, np.int64), len(groups), rules)


class PairRules(NamedTuple):
    """The part of a list that does not change."""

    fixed: dict[str, Any]
    """Fields of `PairList`."""
    contacts: Contacts
    """Without pairs."""
    most: Reals
    """[2] the largest coefficients of rolling and torsional friction."""
    only_ground: bool
    """No two bodies that can move may touch."""
    can_pass: bool
    """Bodies may pass through each other: not only half-spaces are touched."""

    def with_room(self, pairs: int, slots: int) -> tuple[Contacts, PairList]:
        """An empty list, and contacts for so many pairs and slots."""
        kinds = len(self.fixed["points"])
        whole = lambda *n: np.zeros(n, np.int64)  # noqa: E731
        geometries = len(self.fixed["lead"])
        contacts = self.contacts._replace(
            pairs=pairs, slots=slots, kind=whole(kinds + 1), pair_shapes=whole(pairs, 2), first=whole(pairs + 1),
            slot_pair=whole(slots), element=whole(pairs), swapped=whole(pairs), pair_kind=whole(pairs),
            thickness=np.zeros(pairs), convex=whole(pairs), friction=np.zeros(pairs), static_friction=np.zeros(pairs),
            restitution=np.zeros(pairs), impact=whole(pairs),
            # what has no pair yet says whether any may resist
            rolling=np.full(pairs, self.most[0]), torsion=np.full(pairs, self.most[1]),
            creep=np.zeros((pairs, self.contacts.creep.shape[1])),
        )  # fmt: skip
        counts, table = np.zeros(1, LIST_COUNTS), 1 << max(4, (2 * geometries).bit_length())
        counts[0].table, counts[0].groups = table - 1, self.fixed["groups"]
        made = PairList(
            counts=counts, **{name: each for name, each in self.fixed.items() if name != "groups"},
            X_then=np.zeros((geometries, 12)), skin=np.full(geometries, -1.0), key=whole(pairs, 3),
            impulse=np.zeros((slots, 3)), seen=np.zeros((slots, 9)), beside=np.zeros((slots, 6)),
            place=np.zeros((slots, 6)), state=whole(slots),
            step=np.full(slots, -2, np.int64), deep=whole(pairs), box=np.zeros((geometries, 6)),
            level=whole(geometries), cell=whole(geometries, 3), next=whole(geometries), head=whole(table),
            found=whole(pairs, 2), begin=whole(geometries + 1), ordered=whole(pairs), new=whole(pairs, 3),
            sorted=whole(pairs, 3), was=whole(pairs), old_kind=whole(kinds + 1), old_slot=whole(kinds + 1),
            old_reals=np.zeros((slots, 24)), old_integers=whole(slots, 2), old_deep=whole(pairs),
        )  # fmt: skip
        return contacts, made

    def only(self, keys: Ints) -> Contacts:
        """Contacts with the pairs of these keys, sorted as in a list."""
        of = self.fixed
        keys = keys[np.lexsort((keys[:, 2], keys[:, 1], keys[:, 0], of["rule"][keys[:, 2], KIND]))]
        rule, points = of["rule"][keys[:, 2]], of["points"]
        counts = points[rule[:, KIND]]
        contacts, _ = self.with_room(len(keys), int(counts.sum()))
        first, second = of["row"][keys[:, 0], rule[:, ROW_1]], of["row"][keys[:, 1], rule[:, ROW_2]]
        shapes, e = np.stack([first, second], axis=1), rule[:, ELEMENT]
        shapes[rule[:, FLIPPED] == 1] = shapes[rule[:, FLIPPED] == 1][:, ::-1]
        thickness = ShapeThickness(of["width"], of["edge"], of["through"])
        of_kind = of["thickness_rule"][rule[:, KIND]]
        friction, static_friction, restitution, rolling, torsion = np.ascontiguousarray(of["law"][e].T)
        contacts = contacts._replace(
            kind=np.searchsorted(rule[:, KIND], np.arange(len(points) + 1)).astype(np.int64), pair_shapes=shapes,
            first=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            slot_pair=np.repeat(np.arange(len(counts)), counts).astype(np.int64), element=e.copy(),
            swapped=rule[:, SWAPPED].copy(), pair_kind=rule[:, KIND].copy(),
            thickness=pair_thickness(of_kind, shapes, self.contacts.reach, thickness),
            convex=(of_kind == CONVEX).astype(np.int64), friction=friction, static_friction=static_friction,
            restitution=restitution, rolling=rolling, torsion=torsion, impact=of["impact"][e],
        )  # fmt: skip
        freeze(contacts)
        return contacts


def pair_rules(
    builder: Builder, of: Geometries, contacts: Contacts, kinds: tuple[type[ShapePair], ...],
    elements: list[ContactElement], thickness: ShapeThickness, law: Reals, impact: Ints,
) -> PairRules:  # fmt: skip
    """The arrays of the rules; rows of all shapes have been made (`rows_of`)."""
    used = np.array(sorted({g for pair in of.rules for g in pair}), np.int64)
    kept = np.flatnonzero(np.isin(of.group, used))
    group = np.searchsorted(used, of.group[kept])
    touching = [of.touching[g] for g in kept.tolist()]
    row = np.full((len(touching), WAYS), -1, np.int64)
    for g, each in enumerate(touching):
        for form, number in each.rows.items():
            row[g, form] = number
    lead = np.max(row, axis=1, initial=-1)
    rule_first, table = [0], list[tuple[int, ...]]()
    for i in used.tolist():
        for j in used.tolist():
            table += [(kinds.index(rule.kind), *rule[1:]) for rule in of.rules.get((i, j), [])]
            rule_first.append(len(table))
    names: dict[str, int] = {}
    body = np.array([names.setdefault(each.body, len(names)) for each in touching], np.int64)
    joined: list[set[int]] = [set() for _ in names]
    for a, b in held_together(builder.system.model):
        if a in names and b in names:
            joined[names[a]].add(names[b])
            joined[names[b]].add(names[a])
    endless = contacts.reach[lead] >= HUGE
    boxes = [_box(builder, contacts, each, int(lead[g])) for g, each in enumerate(touching)]
    moves = np.diff(contacts.tree_first)[contacts.tree_of[contacts.shape_body[lead]]] > 0
    of_group = [
        (bool(np.any(moves[group == k])), bool(np.any(~endless[group == k])),
         max((int(np.diff(contacts.tree_first)[contacts.tree_of[contacts.shape_body[s]]]) for s in lead[group == k]),
             default=0))
        for k in range(len(used))
    ]  # fmt: skip
    between = [(of_group[int(np.searchsorted(used, i))], of_group[int(np.searchsorted(used, j))]) for i, j in of.rules]
    integers = lambda x: np.array(x, np.int64)  # noqa: E731
    fixed: dict[str, Any] = {
        "groups": len(used), "row": row, "lead": lead, "group": integers(group), "body": body,
        "endless": endless.astype(np.int64),
        "half": np.array([half for half, _ in boxes]).reshape(-1, 3),
        "middle": np.array([middle for _, middle in boxes]).reshape(-1, 3),
        "rule_first": integers(rule_first), "rule": integers(table).reshape(-1, 7),
        "joined_first": integers(np.concatenate([[0], np.cumsum([len(each) for each in joined])])),
        "joined": integers([b for each in joined for b in sorted(each)]),
        "law": law, "impact": impact, "points": integers([kind.points for kind in kinds]),
        "thickness_rule": rules_of(kinds), **thickness._asdict(), "mesh_depth": MESH_DEPTH,
    }  # fmt: skip
    for each in fixed.values():
        if isinstance(each, np.ndarray):
            each.setflags(write=False)
    width = max((a[2] + b[2] for a, b in between), default=1)
    contacts = contacts._replace(most=int(max(fixed["points"], default=1)), width=max(1, width))
    freeze(contacts)
    assert law.shape[1] == LAWS
    return PairRules(
        fixed, contacts, np.max(law[:, 3:5], axis=0, initial=0.0),
        only_ground=not any(a[0] and b[0] for a, b in between), can_pass=any(a[1] and b[1] for a, b in between),
    )  # fmt: skip


def rows_of(builder: Builder, of: Geometries, elements: list[ContactElement]) -> tuple[type[ShapePair], ...]:
    """Make the rows of all shapes in the forms that they are known in; returns the kinds of pairs, by name."""
    forms: dict[int, dict[int, str]] = {}
    for (i, j), rules in of.rules.items():
        for rule in rules:
            for group, form in ((i, rule.row_1), (j, rule.row_2)):
                forms.setdefault(group, {}).setdefault(form, elements[rule.element].name)
    for each, group in zip(of.touching, of.group.tolist(), strict=True):
        for form, who in forms.get(group, {}).items():
            builder.row(who, each, form)
    return tuple(sorted({rule.kind for rules in of.rules.values() for rule in rules}, key=lambda kind: kind.kind))


def _box(builder: Builder, contacts: Contacts, of: Touching, row: int) -> tuple[Reals, Reals]:
    """Half widths and centre of a box that holds a shape, along its axes."""
    corners = [builder.made[builder.hull_of_row[k]].vertex for k in of.rows.values() if k in builder.hull_of_row]
    corners += [builder.made_surfaces[builder.surface_of_row[k]].corner.reshape(-1, 3) for k in of.rows.values()
                if k in builder.surface_of_row]  # fmt: skip
    plain = [k for k in of.rows.values() if k not in builder.hull_of_row and k not in builder.surface_of_row]
    if plain or not corners:
        half = _half_widths(of.shape, contacts.size[row if not plain else plain[0]], contacts.reach[row])
        corners += [half, -half]
    points = np.concatenate([np.atleast_2d(each) for each in corners])
    low, high = points.min(axis=0), points.max(axis=0)
    return 0.5 * (high - low), 0.5 * (high + low)


def _half_widths(shape: Shape, size: Reals, reach: float) -> Reals:
    x, y, z, code = (float(each) for each in size)
    if reach >= HUGE:
        return np.zeros(3)
    if shape.kind == "box" and code == BOX:
        return np.array([x, y, z])
    if code == CAPSULE:
        return np.array([x, x, x + y])
    if code in (CYLINDER, DISC):
        return np.array([x, x, y if code == CYLINDER else 0.0])
    return np.full(3, float(reach))
