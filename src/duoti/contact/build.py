"""From the contacts of a model to their compiled form."""

from __future__ import annotations

from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from duoti.contact.collide.arrays import Contacts, trees_of
from duoti.contact.collide.hulls import Hull, hull_of, pack_hulls
from duoti.contact.collide.surfaces import Surface, pack_surfaces, surface_of
from duoti.contact.features import event_driven_kind
from duoti.model.contacts.element import ContactElement, shapes_of_body
from duoti.model.contacts.rigid_contact import IMPACTS
from duoti.model.contacts.rolling_contact import NO_CREEP, RollingContact
from duoti.model.element_id import ElementId
from duoti.model.elements import name_of
from duoti.model.pairs import ShapePair, find_compliant_pair, find_pair
from duoti.model.pairs.base import AS_HULLS, AS_TRIANGLES, is_of_triangles, reach_of, sizes_of, touching_kind
from duoti.model.pairs.profiles import VARIABLES, WIDTH, profile_rows
from duoti.spatial import Pose, Shape
from duoti.system.arrays import Ints, Reals, freeze
from duoti.system.system import FrameKey, System

SIMPLIFIED_KINDS = {"mesh", "heightfield", *AS_HULLS, *AS_TRIANGLES}
"""Shapes that may touch with another surface than theirs."""
AS_SURFACE, AS_HULL, EXACT, WAYS = 1, 2, 4, 8  # how a pair knows a shape: sums of these


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
        name = self.file.replace("\\", "/").rpartition("/")[2] or f"a {self.kind}"
        corners = f"{self.corners} corners to {self.kept}" if self.corners else f"{self.kept} corners"
        return f"{name}: {corners}, within {self.deviation:.2g} m"


class ContactSet(NamedTuple):
    """Contacts of one sort (rigid, or compliant) of a system."""

    contacts: Contacts
    names: tuple[str, ...]
    """Of the elements, by their numbers in `Contacts.element`."""
    kinds: tuple[type[ShapePair], ...]
    """Kinds of the pairs, in the order of `Contacts.kind`."""
    bodies: tuple[tuple[str, str], ...]
    """What the two sides of each pair are called."""
    simplified: tuple[SimplifiedHull, ...] = ()
    """Shapes that touch with a hull, or with triangles, that are not exactly theirs."""
    left_out: tuple[str, ...] = ()
    """Pairs of shapes that cannot be treated, in words; of each two kinds the first."""


class _Pairs(NamedTuple):
    """Pairs of shapes, sorted by kind."""

    kinds: tuple[type[ShapePair], ...]
    kind: Ints  # [pairs] number of its kind
    shapes: Ints  # [pairs, 2]
    element: Ints  # [pairs]
    swapped: Ints  # [pairs]
    names: list[tuple[str, str]]


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
    """The rigid contacts of a system; None if it has none. Made once."""
    return _contacts(system, "rigid")


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
        known[sort] = _Builder(system, sort == "event-driven").build(elements) if elements else None
    return known[sort]


class _Builder:
    def __init__(self, system: System, event_driven_kind: bool = False):
        self.system, self.event_driven = system, event_driven_kind
        self.shapes: dict[tuple[Any, ...], int] = {}
        self.rows: list[tuple[int, Pose, Shape]] = []
        self.hulls: dict[tuple[Any, ...], int] = {}
        self.made: list[Hull] = []
        self.simplified: list[SimplifiedHull] = []
        self.faults: list[str] = []
        self.left_out: dict[tuple[str, str], str] = {}
        self.kinds: list[type[ShapePair]] = []
        self.bodies: list[str] = []
        self.body_numbers: dict[str, int] = {}
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

    def shape(self, reference: Any, shape: Shape, hull: int = -1, surface: int = -1) -> int:
        """Number of a shape on a body or marker; the same shape is listed once, or twice if it has a hull as well."""
        model, system = self.system.model, self.system
        name = name_of(reference)
        kind = "marker" if name in model.markers else "body"
        marker = system.markers[FrameKey(ElementId(kind, name))]
        body = int(system.loads.markers.body[marker])
        X_BM = system.loads.markers.X_BM[marker]
        pose = Pose(X_BM[:9].reshape(3, 3), X_BM[9:]) @ shape.pose
        key = (body, tuple(np.round(pose.twelve, 14)), shape.kind, shape.dimensions, shape.file, shape.profile, hull,
               surface)  # fmt: skip
        if key not in self.shapes:
            self.shapes[key] = len(self.rows)
            if hull >= 0:
                self.hull_of_row[len(self.rows)] = hull
            if surface >= 0:
                self.surface_of_row[len(self.rows)] = surface
            self.rows.append((body, pose, shape))
        return self.shapes[key]

    def row(self, who: str, of: _Touching, known_as: int) -> int:
        """Number of a shape in pairs of a kind that knows it as it is, by its hull or by its triangles."""
        if known_as not in of.rows:
            hull = self.hull(who, of.shape, bool(known_as & EXACT)) if known_as & AS_HULL else -1
            surface = self.surface(who, of.shape) if known_as & AS_SURFACE else -1
            of.rows[known_as] = self.shape(of.reference, of.shape, hull, surface)
        return of.rows[known_as]

    def pairs(self, elements: list[ContactElement]) -> _Pairs:
        """All pairs of shapes that can meet, without those that are welded together."""
        parts = [self.pairs_of(number, element) for number, element in enumerate(elements)]
        kind, first, second, element, swapped, a, b = (
            np.concatenate([np.zeros(0, np.int64), *(part[k] for part in parts)]) for k in range(7)
        )
        rows = np.array([row for row, _, _ in self.rows], np.int64)
        moving = np.flatnonzero(rows[first] != rows[second])
        by_name = sorted({*kind[moving].tolist()}, key=lambda k: self.kinds[k].kind)
        place = np.zeros(len(self.kinds), np.int64)
        place[by_name] = np.arange(len(by_name))
        order = moving[np.argsort(place[kind[moving]], kind="stable")]
        names = [(self.bodies[i], self.bodies[j]) for i, j in zip(a[order].tolist(), b[order].tolist(), strict=True)]
        return _Pairs(
            tuple(self.kinds[k] for k in by_name), place[kind[order]], np.stack([first[order], second[order]], axis=1),
            element[order], swapped[order], names,
        )  # fmt: skip

    def pairs_of(self, number: int, element: ContactElement) -> tuple[Ints, ...]:
        """Kind, two shapes, element, whether they are swapped, and two bodies, of the pairs of one contact."""
        model = self.system.model
        firsts, seconds, i, j = element.index_pairs(model)
        touching: list[_Touching] = []
        known: dict[tuple[str, bool], range] = {}  # many pairs have few sides

        def side(reference: Any, second: bool) -> range:
            key = (name_of(reference), second and element.shapes is not None)
            if key not in known:
                body, given = model.body_name(reference), element.shapes_of(model, reference, second)
                known[key] = range(len(touching), len(touching) + len(given))
                touching.extend(_Touching(reference, body, shape, touching_kind(shape), {}) for shape in given)
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
            if self.event_driven:
                kind = event_driven_kind(kind)
            as_hull = AS_HULL + EXACT * kind.exact_hulls
            known = [as_hull * (x in kind.hulls) + AS_SURFACE * (kind.surfaces and is_of_triangles(x)) for x in (a, b)]
            table[each] = (self._number_of(kind), int(swapped), *known)
        treated = np.flatnonzero(table[code, 0] >= 0) if len(code) else code
        first, second, code = first[treated], second[treated], code[treated]
        kind, swapped, as_a, as_b = table[code].T if len(code) else np.zeros((4, 0), np.int64)
        # a shape has several rows: as it is, as a hull, as triangles
        keys = np.stack([WAYS * first + as_a, WAYS * second + as_b], axis=1)
        row = np.zeros(WAYS * max(len(touching), 1), np.int64)
        for key in _first_of(keys.ravel(), len(row)):
            row[key] = self.row(element.name, touching[key // WAYS], key % WAYS)
        body = np.array([self._body(each.body) for each in touching], np.int64)
        shapes, bodies = row[keys], body[np.stack([first, second], axis=1)] if len(first) else keys
        shapes[swapped == 1] = shapes[swapped == 1][:, ::-1]
        bodies[swapped == 1] = bodies[swapped == 1][:, ::-1]
        numbers = np.full(len(first), number, np.int64)
        return kind, shapes[:, 0], shapes[:, 1], numbers, swapped, bodies[:, 0], bodies[:, 1]

    def _leave_out(self, touching: list[_Touching], first: Ints, second: Ints, these: Ints) -> None:
        """Say which shapes cannot be treated; cavities are not meant to touch."""
        for k in these.tolist():
            a, b = touching[first[k]], touching[second[k]]
            if not (a.shape.cavity or b.shape.cavity):
                text = f'{a.kind} of "{a.body}" against {b.kind} of "{b.body}"'
                self.left_out.setdefault((a.kind, b.kind), text)
                return

    def _number_of(self, kind: type[ShapePair]) -> int:
        if kind not in self.kinds:
            self.kinds.append(kind)
        return self.kinds.index(kind)

    def _body(self, name: str) -> int:
        if name not in self.body_numbers:
            self.body_numbers[name] = len(self.bodies)
            self.bodies.append(name)
        return self.body_numbers[name]

    def build(self, elements: list[ContactElement]) -> ContactSet:
        pairs, tree = self.pairs(elements), self.system.tree
        if self.faults:
            raise ValueError("; ".join(self.faults))
        kinds = pairs.kinds
        counts = np.array([kind.points for kind in kinds], np.int64)[pairs.kind] if kinds else np.zeros(0, np.int64)
        laws: list[Any] = [each.law for each in elements]
        tree_of, tree_first, tree_dofs, place = trees_of(tree, self._loops())
        rows = np.array([row for row, _, _ in self.rows], np.int64)
        lengths = np.diff(tree_first)
        a, b = tree_of[rows[pairs.shapes]].T if len(pairs.kind) else np.zeros((2, 0), np.int64)
        width = int(np.max(lengths[a] + np.where(a == b, 0, lengths[b]), initial=1))

        def of_pairs(numbers: Any, kind: Any = float) -> Any:
            """Numbers of all laws, for each pair."""
            return np.array(numbers, dtype=kind)[pairs.element]

        def numbers(name: str) -> Any:
            return of_pairs([float(getattr(law.set_valued(), name) or 0.0) for law in laws])

        rolling = [isinstance(law, RollingContact) for law in laws]  # its tangential force is a creep force
        sliding = np.where(rolling, 0.0, [float(law.friction or 0.0) for law in laws])
        given = [law.set_valued().static_friction for law in laws]
        static = [mu if each is None else each for mu, each in zip(sliding, given, strict=True)]
        creep = [law.creep_numbers() if isinstance(law, RollingContact) else NO_CREEP for law in laws]
        impact = of_pairs([IMPACTS.index(law.set_valued().impact) for law in laws], np.int64)
        sizes = [self._sizes(i) for i in range(len(rows))]  # fills self.profiles
        contacts = Contacts(
            pairs=len(pairs.kind), slots=int(counts.sum()), shapes=len(rows), most=int(np.max(counts, initial=0)) or 1,
            shape_body=rows,
            X_BS=np.array([pose.twelve for _, pose, _ in self.rows]).reshape(-1, 12),
            size=np.array(sizes, dtype=float).reshape(-1, 4),
            reach=np.array([self._reach(i) for i in range(len(rows))], dtype=float),
            kind=np.searchsorted(pairs.kind, np.arange(len(kinds) + 1)).astype(np.int64),
            pair_shapes=np.ascontiguousarray(pairs.shapes),
            first=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
            slot_pair=np.repeat(np.arange(len(counts)), counts).astype(np.int64),
            element=pairs.element, swapped=pairs.swapped,
            friction=of_pairs(sliding), static_friction=of_pairs(static),
            restitution=numbers("restitution"), rolling=numbers("rolling_friction"),
            torsion=numbers("torsional_friction"),
            impact=impact, creep=np.array(creep, dtype=float).reshape(-1, len(NO_CREEP))[pairs.element],
            profiles=np.concatenate(self.profiles),
            tree_of=tree_of, tree_first=tree_first, tree_dofs=tree_dofs, dof_place=place, width=width,
            surfaces=pack_surfaces(self.made_surfaces), hulls=pack_hulls(self.made),
        )  # fmt: skip
        freeze(contacts)
        return ContactSet(contacts, tuple(e.name for e in elements), kinds, tuple(pairs.names),
                          tuple(self.simplified), tuple(self.left_out.values()))  # fmt: skip

    def _sizes(self, row: int) -> tuple[float, float, float, float] | None:
        number = self.hull_of_row.get(row, self.surface_of_row.get(row, -1))
        if number >= 0:
            return (float(number), 0.0, 0.0, 0.0)
        sizes, shape = sizes_of(self.rows[row][2]), self.rows[row][2]
        if sizes is None or shape.kind not in VARIABLES:
            return sizes
        first = sum(map(len, self.profiles))
        self.profiles.append(profile_rows(shape))
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
