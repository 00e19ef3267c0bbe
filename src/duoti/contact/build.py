"""From the contacts of a model to their compiled form."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from duoti.contact.collide.arrays import Contacts, trees_of
from duoti.contact.collide.hulls import Hull, hull_of, pack_hulls
from duoti.contact.collide.pair_list import CONVEX, LAWS, PairList
from duoti.contact.collide.surfaces import Surface, pack_surfaces, surface_of
from duoti.contact.features import event_driven_kind
from duoti.contact.pair_rules import (
    AS_HULL,
    AS_SURFACE,
    EXACT,
    WAYS,
    Geometries,
    PairRules,
    geometries_of,
    known_as,
    pair_rules,
    rows_of,
)
from duoti.contact.thickness import pair_thickness, rules_of, shape_thickness
from duoti.model.contacts.element import ContactElement, shapes_of_body
from duoti.model.contacts.rigid_contact import IMPACTS
from duoti.model.contacts.rolling_contact import NO_CREEP, RollingContact
from duoti.model.element_id import ElementId
from duoti.model.elements import name_of
from duoti.model.pairs import ShapePair, find_compliant_pair, find_pair
from duoti.model.pairs.base import (
    AS_HULLS,
    AS_TRIANGLES,
    HUGE,
    reach_of,
    sizes_of,
    touching_kind,
)
from duoti.model.pairs.profiles import VARIABLES, WIDTH, table_rows
from duoti.spatial import Pose, Shape
from duoti.spelling import with_article
from duoti.system.arrays import Ints, Reals, freeze
from duoti.system.system import FrameKey, System

LISTED = ("kind", "pair_shapes", "first", "slot_pair", "element", "swapped", "pair_kind", "thickness", "convex",
          "friction", "static_friction", "restitution", "rolling", "torsion", "impact")  # fmt: skip
"""Arrays of `Contacts` that are those of the near pairs, where not all pairs are there."""
LIST_FROM, LIST_TO = (PairList._fields.index(name) for name in ("X_then", "box"))  # the state of a list
KEPT_COUNTS = "pairs", "slots", "renewals", "looks", "wide"
FIRST_PAIRS, FIRST_SLOTS, GROWTH = 64, 64, 1.5
MOST_PAIRS = 1000
"""Of bodies: beyond, time stepping lists only those that are near (200 spheres have 19 900)."""
MOST_EVENT_PAIRS = 50_000
"""Of bodies in an event-driven run, which keeps an eye on all of them."""
SIMPLIFIED_KINDS = {"mesh", "heightfield", *AS_HULLS, *AS_TRIANGLES}
"""Shapes that may touch with another surface than theirs."""


class SimplifiedHull(NamedTuple):
    """A convex hull that was simplified, or the triangles of a curved surface."""

    contact: str
    """Name of the first contact that asks for it."""
    file: str
    """Of the mesh; "" for other shapes."""
    kind: str
    """Of the shape."""
    corners: int
    """Of the exact hull; 0 if it is curved."""
    kept: int
    deviation: float
    """Bound of the distance between the two [m]."""

    def __str__(self) -> str:
        name = self.file.replace("\\", "/").rpartition("/")[2] or with_article(self.kind)
        corners = f"{self.corners} corners to {self.kept}" if self.corners else f"{self.kept} corners"
        return f"{name}: {corners}, within {self.deviation:.2g} m"


class ContactSet(NamedTuple):
    """Contacts of one sort (rigid, or compliant) of a system."""

    contacts: Contacts
    names: tuple[str, ...]
    """Of the elements, by their numbers in `Contacts.element`."""
    kinds: tuple[type[ShapePair], ...]
    """Kinds of the pairs, in the order of `Contacts.kind`."""
    shape_bodies: tuple[str, ...]
    """Names of the bodies of all shapes."""
    simplified: tuple[SimplifiedHull, ...] = ()
    """Shapes that touch with a hull, or with triangles, that are not exactly theirs."""
    left_out: tuple[str, ...] = ()
    """Pairs of shapes that cannot be treated, in words; of each two kinds the first."""
    rules: PairRules | None = None
    """What the list of near pairs is made by; None: all pairs are there."""
    near: PairList | None = None
    """The list of near pairs of one workspace (`with_room`); None: all pairs are there."""

    @property
    def bodies(self) -> PairNames:
        """What the two sides of each pair are called, now."""
        return PairNames(self)

    @property
    def only_ground(self) -> bool:
        """Whether every pair has one side that cannot move."""
        if self.rules is not None:
            return self.rules.only_ground
        c = self.contacts
        moves = np.diff(c.tree_first)[c.tree_of[c.shape_body[c.pair_shapes]]] > 0
        return bool(np.all(moves[:, 0] != moves[:, 1]))

    @property
    def can_pass(self) -> bool:
        """Whether there are pairs of shapes one of which could come out behind the other: none a half-space."""
        if self.rules is not None:
            return self.rules.can_pass
        return bool(np.any(np.all(self.contacts.reach[self.contacts.pair_shapes] < HUGE, axis=1)))

    def with_room(self, pairs: int = FIRST_PAIRS, slots: int = FIRST_SLOTS) -> ContactSet:
        """The same with an empty list of near pairs of its own, for at most so many; itself if all pairs are there."""
        if self.rules is None:
            return self
        contacts, near = self.rules.with_room(pairs, slots)
        return self._replace(contacts=contacts, near=near)

    def only_pairs(self, keys: Ints) -> ContactSet:
        """The same with the pairs of these keys (`PairList.key`) alone, which are listed."""
        if self.rules is None:
            return self
        return self._replace(contacts=self.rules.only(keys), rules=None, near=None)

    def with_more_room(self) -> ContactSet:
        """The same with room for what a list could not hold, and with what this one holds."""
        if self.near is None:
            return self
        counts = self.near.counts[0]
        need = [max(int(now), int(counts[name])) for now, name in
                ((self.contacts.pairs, "needed_pairs"), (self.contacts.slots, "needed_slots"))]  # fmt: skip
        made = self.with_room(*(int(GROWTH * each) + 1 for each in need))
        copy_list(self, made)
        return made


class PairNames:
    """Names of the two bodies of a pair, by its number."""

    def __init__(self, of: ContactSet):
        self.names, self.shapes = of.shape_bodies, of.contacts.pair_shapes

    def __getitem__(self, pair: Any) -> tuple[str, str]:
        a, b = self.shapes[pair]
        return self.names[a], self.names[b]

    def __len__(self) -> int:
        return len(self.shapes)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return (self[pair] for pair in range(len(self)))


def copy_list(of: ContactSet, to: ContactSet) -> None:
    """What a list holds goes to one with as much room, or more, which is then renewed."""
    if of.near is None or to.near is None:
        return
    sources: tuple[Any, ...] = (*arrays_of_list(of.contacts), *of.near[LIST_FROM:LIST_TO])
    targets: tuple[Any, ...] = (*arrays_of_list(to.contacts), *to.near[LIST_FROM:LIST_TO])
    for source, target in zip(sources, targets, strict=True):
        target[: len(source)] = source
    for name in KEPT_COUNTS:
        to.near.counts[0][name] = of.near.counts[0][name]
    to.near.skin[:] = -1.0


def arrays_of_list(contacts: Contacts) -> tuple[Any, ...]:
    """What a list of near pairs writes."""
    return tuple(getattr(contacts, name) for name in LISTED)


class _Pairs(NamedTuple):
    """Pairs of shapes, sorted by kind."""

    kinds: tuple[type[ShapePair], ...]
    kind: Ints  # [pairs] number of its kind
    shapes: Ints  # [pairs, 2]
    element: Ints  # [pairs]
    swapped: Ints  # [pairs]


class _Touching(NamedTuple):
    """A shape of one side of a contact."""

    reference: Any
    body: str
    shape: Shape
    kind: str
    rows: dict[int, int]
    """Its numbers, as it is, as a hull, as triangles."""


_KNOWN: WeakKeyDictionary[System, dict[str, ContactSet | None]] = WeakKeyDictionary()


def rigid_contacts(system: System) -> ContactSet | None:
    """The rigid contacts of a system; None if it has none. Made once.

    Where there are many pairs, they are not listed: see `ContactSet.with_room`.
    """
    return _contacts(system, "rigid")


def all_rigid_contacts(system: System) -> ContactSet | None:
    """The same with all pairs, for event-driven runs."""
    of = rigid_contacts(system)
    return of if of is None or of.rules is None else _contacts(system, "all rigid")


def event_driven_contacts(system: System) -> ContactSet | None:
    """The same for runs that locate impacts: points that come and go are feature pairs (`contact.features`)."""
    return _contacts(system, "event-driven")


def compliant_contacts(system: System) -> ContactSet | None:
    """The compliant contacts of a system, as geometry: their forces are force elements."""
    return _contacts(system, "compliant")


def no_contacts(system: System) -> ContactSet:
    """The contacts of a system without any, for kernels that take some."""
    return _Builder(system).build([])


def simplified_hulls(system: System) -> tuple[SimplifiedHull, ...]:
    """What was made of hulls with too many corners, and of curved surfaces as triangles, each once."""
    if not any(shape.kind in SIMPLIFIED_KINDS for shape in _shapes(system)):
        return ()
    sets = (rigid_contacts(system), compliant_contacts(system))
    return tuple({(each.file, each.kind, each.deviation): each for of in sets if of for each in of.simplified}.values())


def left_out_pairs(system: System) -> tuple[str, ...]:
    """Pairs of shapes that contacts between lists of bodies leave out since they cannot be treated, in words."""
    if len({shape.kind for shape in _shapes(system)}) == 1 and not any(each.cavity for each in _shapes(system)):
        return ()
    sets = (rigid_contacts(system), compliant_contacts(system))
    return tuple(dict.fromkeys(each for of in sets if of for each in of.left_out))


def _shapes(system: System) -> list[Shape]:
    model = system.model
    shapes = [shape for body in (model.ground, *model.bodies.values()) for shape in shapes_of_body(body)]
    return [*shapes, *(shape for each in model.contacts.values() for shape in each.shapes or ())]


def _contacts(system: System, sort: str) -> ContactSet | None:
    known = _KNOWN.setdefault(system, {})
    if sort not in known:
        elements = [each for each in system.model.contacts.values() if each.law.rigid == (sort != "compliant")]
        if sort == "event-driven":
            _refuse_too_many(system, elements)
        known[sort] = _Builder(system, sort).build(elements) if elements else None
    return known[sort]


def _refuse_too_many(system: System, elements: list[ContactElement]) -> None:
    count = sum(each.count_pairs(system.model) for each in elements)
    if count > MOST_EVENT_PAIRS:
        raise ValueError(
            f"an event-driven run keeps an eye on all pairs of bodies, which are {count} here, and at most "
            f"{MOST_EVENT_PAIRS} are allowed: take time stepping, dt.Moreau(step=0.001), or let fewer bodies touch"
        )


class _Builder:
    def __init__(self, system: System, sort: str = "rigid"):
        self.system, self.sort = system, sort
        self.shapes: dict[tuple[Any, ...], int] = {}
        self.rows: list[tuple[int, Pose, Shape]] = []
        self.hulls: dict[tuple[Any, ...], int] = {}
        self.made: list[Hull] = []
        self.simplified: list[SimplifiedHull] = []
        self.faults: list[str] = []
        self.left_out: dict[tuple[str, str], str] = {}
        self.kinds: list[type[ShapePair]] = []
        self.row_bodies: list[str] = []
        self.hull_of_row: dict[int, int] = {}
        self.surfaces: dict[tuple[Any, ...], int] = {}
        self.made_surfaces: list[Surface] = []
        self.surface_of_row: dict[int, int] = {}
        self.profiles: list[Reals] = [np.zeros((0, WIDTH))]

    def hull(self, who: str, shape: Shape, exact: bool) -> int:
        """Number of the hull of a shape; the same one is made once. exact: all corners, and nothing else."""
        key = (shape.kind, shape.dimensions, shape.file, shape.profile, exact)
        if key not in self.hulls:
            try:
                made = hull_of(shape, exact)
                if made.deviation:
                    self.simplified.append(
                        SimplifiedHull(who, shape.file, shape.kind, made.corners, len(made.vertex), made.deviation)
                    )
            except ValueError as error:
                self.faults.append(f'contact "{who}": {error}')
                made = hull_of(Shape.box([1.0, 1.0, 1.0]))  # so that all faults are found
            self.made.append(made)
            self.hulls[key] = len(self.hulls)
        return self.hulls[key]

    def surface(self, who: str, shape: Shape) -> int:
        """Number of the triangles of a mesh; the same ones are read once."""
        key = (shape.kind, shape.dimensions, shape.file, shape.profile)
        if key not in self.surfaces:
            try:
                made = surface_of(shape)
                self.made_surfaces.append(made)
                if made.deviation:
                    self.simplified.append(SimplifiedHull(who, "", shape.kind, 0, len(made.vertex), made.deviation))
            except ValueError as error:
                self.faults.append(f'contact "{who}": {error}')
            self.surfaces[key] = len(self.surfaces)
        return self.surfaces[key]

    def shape(self, body_name: str, reference: Any, shape: Shape, hull: int = -1, surface: int = -1) -> int:
        """Number of a shape on a body or marker; the same shape is listed once, or twice if it has a hull as well."""
        model, system = self.system.model, self.system
        name = name_of(reference)
        kind = "marker" if name in model.markers else "body"
        marker = system.markers[FrameKey(ElementId(kind, name))]
        body = int(system.loads.markers.body[marker])
        X_BM = system.loads.markers.X_BM[marker]
        pose = Pose(X_BM[:9].reshape(3, 3), X_BM[9:]) @ shape.pose
        key = (body_name, body, tuple(np.round(pose.twelve, 14)), shape.kind, shape.dimensions, shape.file,
               shape.profile, hull, surface)  # fmt: skip
        if key not in self.shapes:
            self.shapes[key] = len(self.rows)
            if hull >= 0:
                self.hull_of_row[len(self.rows)] = hull
            if surface >= 0:
                self.surface_of_row[len(self.rows)] = surface
            self.rows.append((body, pose, shape))
            self.row_bodies.append(body_name)
        return self.shapes[key]

    def row(self, who: str, of: _Touching, form: int) -> int:
        """Number of a shape in pairs of a kind that knows it as it is, by its hull or by its triangles."""
        if form not in of.rows:
            hull = self.hull(who, of.shape, bool(form & EXACT)) if form & AS_HULL else -1
            surface = self.surface(who, of.shape) if form & AS_SURFACE else -1
            of.rows[form] = self.shape(of.body, of.reference, of.shape, hull, surface)
        return of.rows[form]

    def pairs(self, elements: list[ContactElement]) -> _Pairs:
        """All pairs of shapes that can meet, without those that are welded together."""
        parts = [self.pairs_of(number, element) for number, element in enumerate(elements)]
        kind, first, second, element, swapped = (
            np.concatenate([np.zeros(0, np.int64), *(part[k] for part in parts)]) for k in range(5)
        )
        rows = np.array([row for row, _, _ in self.rows], np.int64)
        moving = np.flatnonzero(rows[first] != rows[second])
        by_name = sorted({*kind[moving].tolist()}, key=lambda k: self.kinds[k].kind)
        place = np.zeros(len(self.kinds), np.int64)
        place[by_name] = np.arange(len(by_name))
        order = moving[np.argsort(place[kind[moving]], kind="stable")]
        return _Pairs(
            tuple(self.kinds[k] for k in by_name), place[kind[order]], np.stack([first[order], second[order]], axis=1),
            element[order], swapped[order],
        )  # fmt: skip

    def touching(self, element: ContactElement, reference: Any, second: bool) -> list[_Touching]:
        """The shapes on one side of a contact."""
        model = self.system.model
        body, given = model.body_name(reference), element.shapes_of(model, reference, second)
        return [_Touching(reference, body, shape, touching_kind(shape), {}) for shape in given]

    def pairs_of(self, number: int, element: ContactElement) -> tuple[Ints, ...]:
        """Kind, two shapes, element, and whether they are swapped, of the pairs of one contact."""
        model = self.system.model
        firsts, seconds, i, j = element.index_pairs(model)
        touching: list[_Touching] = []
        known: dict[tuple[str, bool], range] = {}  # many pairs have few sides

        def side(reference: Any, second: bool) -> range:
            key = (name_of(reference), second and element.shapes is not None)
            if key not in known:
                given = self.touching(element, reference, second)
                known[key] = range(len(touching), len(touching) + len(given))
                touching.extend(given)
            return known[key]

        used = [np.zeros(len(each), bool) for each in (firsts, seconds)]
        used[0][i], used[1][j] = True, True
        spans = [
            np.array([(each.start, len(each)) for each in
                      (side(of, bool(k)) if used[k][n] else range(0) for n, of in enumerate(listed))]).reshape(-1, 2)
            for k, listed in enumerate((firsts, seconds))
        ]  # fmt: skip
        (start_a, n_a), (start_b, n_b) = spans[0][i].T, spans[1][j].T
        count = n_a * n_b
        within = np.arange(int(count.sum())) - np.repeat(np.cumsum(count) - count, count)
        wide = np.repeat(np.maximum(n_b, 1), count)
        first = np.repeat(start_a, count) + within // wide
        second = np.repeat(start_b, count) + within % wide
        return self._kinds_and_rows(number, element, touching, first, second)

    def _kinds_and_rows(
        self, number: int, element: ContactElement, touching: list[_Touching], first: Ints, second: Ints
    ) -> tuple[Ints, ...]:
        """The same for pairs of shapes that touch: each two kinds are looked up once, and each shape."""
        find = find_pair if element.law.rigid else find_compliant_pair
        creeps = isinstance(element.law, RollingContact)
        names: dict[str, int] = {}
        of = np.array([names.setdefault(each.kind, len(names)) for each in touching], np.int64)
        called, n = list(names), len(names)
        # columns: number of the kind, or -1; whether swapped; as what the first and the second shape are known
        table = np.full((n * n, 4), -1, np.int64)
        code = of[first] * n + of[second] if len(first) else np.zeros(0, np.int64)
        for each in _first_of(code, n * n):
            a, b = called[each // n], called[each % n]
            kind, swapped = find(a, b)
            if kind is None or (creeps and kind.curvatures is None):
                if not creeps:
                    self._leave_out(touching, first, second, np.flatnonzero(code == each))
                continue  # the check has refused pairs that cannot be treated, or said that they are not
            if self.sort == "event-driven":
                kind = event_driven_kind(kind)
            table[each] = (self._number_of(kind), int(swapped), known_as(kind, a), known_as(kind, b))
        treated = np.flatnonzero(table[code, 0] >= 0) if len(code) else code
        first, second, code = first[treated], second[treated], code[treated]
        kind, swapped, as_a, as_b = table[code].T if len(code) else np.zeros((4, 0), np.int64)
        # a shape has several rows: as it is, as a hull, as triangles
        keys = np.stack([WAYS * first + as_a, WAYS * second + as_b], axis=1)
        row = np.zeros(WAYS * max(len(touching), 1), np.int64)
        for key in _first_of(keys.ravel(), len(row)):
            row[key] = self.row(element.name, touching[key // WAYS], key % WAYS)
        shapes = row[keys]
        shapes[swapped == 1] = shapes[swapped == 1][:, ::-1]
        return kind, shapes[:, 0], shapes[:, 1], np.full(len(first), number, np.int64), swapped

    def _leave_out(self, touching: list[_Touching], first: Ints, second: Ints, these: Ints) -> None:
        """Say which shapes cannot be treated; cavities are not meant to touch."""
        for k in these.tolist():
            if self.leave_out(touching[first[k]], touching[second[k]]):
                return

    def leave_out(self, a: _Touching, b: _Touching) -> bool:
        """Say so of two shapes; False if they are not meant to touch."""
        if a.body == b.body or a.shape.cavity or b.shape.cavity:
            return False
        text = f'{a.kind} of "{a.body}" against {b.kind} of "{b.body}"'
        self.left_out.setdefault((a.kind, b.kind), text)
        return True

    def _number_of(self, kind: type[ShapePair]) -> int:
        if kind not in self.kinds:
            self.kinds.append(kind)
        return self.kinds.index(kind)

    def build(self, elements: list[ContactElement]) -> ContactSet:
        of = self._geometries(elements)
        if of is None:
            pairs = self.pairs(elements)
        else:
            none = np.zeros(0, np.int64)
            pairs = _Pairs(rows_of(self, of, elements), none, np.zeros((0, 2), np.int64), none, none)
        if self.faults:
            raise ValueError("; ".join(self.faults))
        kinds, tree = pairs.kinds, self.system.tree
        counts = np.array([kind.points for kind in kinds], np.int64)[pairs.kind] if kinds else np.zeros(0, np.int64)
        laws: list[Any] = [each.law for each in elements]
        tree_of, tree_first, tree_dofs, place = trees_of(tree, self._loops())
        rows = np.array([row for row, _, _ in self.rows], np.int64)
        lengths = np.diff(tree_first)
        a, b = tree_of[rows[pairs.shapes]].T if len(pairs.kind) else np.zeros((2, 0), np.int64)
        width = int(np.max(lengths[a] + np.where(a == b, 0, lengths[b]), initial=1))

        def numbers(name: str) -> Any:
            return [float(getattr(law.set_valued(), name) or 0.0) for law in laws]

        rolling = [isinstance(law, RollingContact) for law in laws]  # its tangential force is a creep force
        sliding = np.where(rolling, 0.0, [float(law.friction or 0.0) for law in laws])
        given = [law.set_valued().static_friction for law in laws]
        static = [mu if each is None else each for mu, each in zip(sliding, given, strict=True)]
        columns = (sliding, static, numbers("restitution"), numbers("rolling_friction"), numbers("torsional_friction"))
        law = np.stack(columns, axis=1, dtype=float).reshape(-1, LAWS)
        friction, static_friction, restitution, arm, torsion = np.ascontiguousarray(law[pairs.element].T)
        creep = [law.creep_numbers() if isinstance(law, RollingContact) else NO_CREEP for law in laws]
        impact = np.array([IMPACTS.index(law.set_valued().impact) for law in laws], np.int64)
        sizes = [self._sizes(i) for i in range(len(rows))]  # fills self.profiles
        size = np.array(sizes, dtype=float).reshape(-1, 4)
        reach = np.array([self._reach(i) for i in range(len(rows))], dtype=float)
        surfaces, hulls = pack_surfaces(self.made_surfaces), pack_hulls(self.made)
        thickness, rule = np.zeros(len(pairs.kind)), rules_of(kinds)[pairs.kind]
        thick = None
        if "rigid" in self.sort:
            thick = shape_thickness(size, reach, hulls, self.hull_of_row, surfaces, self.surface_of_row)
            thickness = pair_thickness(rule, pairs.shapes, reach, thick)
        contacts = Contacts(
            pairs=len(pairs.kind), slots=int(counts.sum()), shapes=len(rows), most=int(np.max(counts, initial=0)) or 1,
            shape_body=rows,
            X_BS=np.array([pose.twelve for _, pose, _ in self.rows]).reshape(-1, 12),
            size=size, reach=reach,
            kind=np.searchsorted(pairs.kind, np.arange(len(kinds) + 1)).astype(np.int64),
            pair_shapes=np.ascontiguousarray(pairs.shapes),
            first=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            slot_pair=np.repeat(np.arange(len(counts)), counts).astype(np.int64),
            element=pairs.element, swapped=pairs.swapped, pair_kind=pairs.kind, thickness=thickness,
            polygon=np.array([kind.manifold is not None and kind.points > 1 for kind in kinds], np.int64),
            convex=(rule == CONVEX).astype(np.int64),
            friction=friction, static_friction=static_friction, restitution=restitution, rolling=arm, torsion=torsion,
            impact=impact[pairs.element],
            creep=np.array(creep, dtype=float).reshape(-1, len(NO_CREEP))[pairs.element],
            profiles=np.concatenate(self.profiles),
            tree_of=tree_of, tree_first=tree_first, tree_dofs=tree_dofs, dof_place=place, width=width,
            surfaces=surfaces, hulls=hulls,
        )  # fmt: skip
        freeze(contacts)
        made = ContactSet(contacts, tuple(e.name for e in elements), kinds, tuple(self.row_bodies),
                          tuple(self.simplified), tuple(self.left_out.values()))  # fmt: skip
        if of is None or thick is None:
            return made
        return made._replace(rules=pair_rules(self, of, contacts, kinds, elements, thick, law, impact)).with_room()

    def _geometries(self, elements: list[ContactElement]) -> Geometries | None:
        """What may touch what, where not all pairs are listed."""
        if self.sort != "rigid" or any(isinstance(each.law, RollingContact) for each in elements):
            return None
        if sum(each.count_pairs(self.system.model) for each in elements) <= MOST_PAIRS:
            return None
        return geometries_of(self, elements)

    def _sizes(self, row: int) -> tuple[float, float, float, float] | None:
        number = self.hull_of_row.get(row, self.surface_of_row.get(row, -1))
        if number >= 0:
            return (float(number), 0.0, 0.0, 0.0)
        sizes, shape = sizes_of(self.rows[row][2]), self.rows[row][2]
        if sizes is None or shape.kind not in VARIABLES:
            return sizes
        first = sum(map(len, self.profiles))
        self.profiles.append(table_rows(shape))
        return (first + sizes[0], first + sizes[1], *sizes[2:])

    def _reach(self, row: int) -> float:
        if row in self.surface_of_row:
            return self.made_surfaces[self.surface_of_row[row]].reach
        hull = self.hull_of_row.get(row, -1)
        return reach_of(self.rows[row][2]) if hull < 0 else self.made[hull].reach

    def _loops(self) -> list[list[int]]:
        """Rates that closed loops and constraints tie together."""
        closures = self.system.closures
        spans = [range(closures.support[r], closures.support[r + 1]) for r in range(closures.rows)]
        return [[int(closures.support_dofs[k]) for k in span] for span in spans if len(span) > 1]


def _first_of(numbers: Ints, count: int) -> list[int]:
    """Numbers below `count` that a list has, in the order of their first places."""
    first = np.full(count, -1, np.int64)
    first[numbers[::-1]] = np.arange(len(numbers) - 1, -1, -1)
    found = np.flatnonzero(first >= 0)
    return found[np.argsort(first[found], kind="stable")].tolist()
