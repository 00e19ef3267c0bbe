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
from duoti.model.pairs.base import reach_of, sizes_of, touching_kind
from duoti.model.pairs.profiles import VARIABLES, WIDTH, profile_rows
from duoti.spatial import Pose, Shape
from duoti.system.arrays import Reals, freeze
from duoti.system.system import FrameKey, System


class SimplifiedHull(NamedTuple):
    """A convex hull that was simplified."""

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
    """Shapes that touch with a hull that is not exactly theirs."""
    left_out: tuple[str, ...] = ()
    """Pairs of shapes that cannot be treated, in words; of each two kinds the first."""


class _Pair(NamedTuple):
    kind: type[ShapePair]
    shapes: tuple[int, int]
    element: int
    swapped: bool
    names: tuple[str, str]


class _Touching(NamedTuple):
    """A shape of one side of a contact."""

    reference: Any
    body: str
    shape: Shape
    kind: str
    rows: dict[tuple[bool, bool], int]
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
    """Convex hulls of meshes that touch and have too many corners, each once: what was made of them."""
    if not any(shape.kind in ("mesh", "heightfield", "cone") for shape in _shapes(system)):
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
        self.hull_of_row: dict[int, int] = {}
        self.surfaces: dict[tuple[Any, ...], int] = {}
        self.made_surfaces: list[Surface] = []
        self.surface_of_row: dict[int, int] = {}
        self.profiles: list[Reals] = [np.zeros((0, WIDTH))]

    def hull(self, who: str, shape: Shape) -> int:
        """Number of the hull of a shape; the same one is made once."""
        key = (shape.kind, shape.dimensions, shape.file, shape.profile)
        if key not in self.hulls:
            try:
                made = hull_of(shape)
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
        key = (shape.dimensions, shape.file, shape.profile)
        if key not in self.surfaces:
            try:
                self.made_surfaces.append(surface_of(shape))
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

    def row(self, who: str, of: _Touching, kind: type[ShapePair]) -> int:
        """Number of a shape in pairs of a kind, which may know it by its hull or its triangles."""
        as_hull, as_surface = of.kind in kind.hulls, kind.surfaces and of.kind == kind.second
        if (as_hull, as_surface) not in of.rows:
            hull = self.hull(who, of.shape) if as_hull else -1
            surface = self.surface(who, of.shape) if as_surface else -1
            of.rows[as_hull, as_surface] = self.shape(of.reference, of.shape, hull, surface)
        return of.rows[as_hull, as_surface]

    def pairs(self, elements: list[ContactElement]) -> list[_Pair]:
        model = self.system.model
        found: list[_Pair] = []
        for number, element in enumerate(elements):
            sides: dict[tuple[str, bool], list[_Touching]] = {}  # many pairs have few sides

            def side(reference: Any, second: bool, of: Any = element, known: Any = sides) -> list[_Touching]:
                key = (name_of(reference), second and of.shapes is not None)
                if key not in known:
                    body, given = model.body_name(reference), of.shapes_of(model, reference, second)
                    known[key] = [_Touching(reference, body, shape, touching_kind(shape), {}) for shape in given]
                return known[key]

            for a, b in element.pairs(model):
                for first in side(a, False):
                    for second in side(b, True):
                        find = find_pair if element.law.rigid else find_compliant_pair
                        kind, swapped = find(first.kind, second.kind)
                        creeps = isinstance(element.law, RollingContact)
                        if kind is None or (creeps and kind.curvatures is None):
                            if not (creeps or first.shape.cavity or second.shape.cavity):
                                text = f'{first.kind} of "{first.body}" against {second.kind} of "{second.body}"'
                                self.left_out.setdefault((first.kind, second.kind), text)
                            continue  # the check has refused pairs that cannot be treated, or said that they are not
                        if self.event_driven:
                            kind = event_driven_kind(kind)
                        pair = (self.row(element.name, first, kind), self.row(element.name, second, kind))
                        names = (first.body, second.body)
                        if swapped:
                            pair, names = (pair[1], pair[0]), (names[1], names[0])
                        found.append(_Pair(kind, pair, number, swapped, names))
        rows = [row for row, _, _ in self.rows]
        moving = [pair for pair in found if rows[pair.shapes[0]] != rows[pair.shapes[1]]]  # not welded together
        return sorted(moving, key=lambda pair: pair.kind.kind)

    def build(self, elements: list[ContactElement]) -> ContactSet:
        pairs, tree = self.pairs(elements), self.system.tree
        if self.faults:
            raise ValueError("; ".join(self.faults))
        kinds = tuple(dict.fromkeys(pair.kind for pair in pairs))
        counts = [pair.kind.points for pair in pairs]
        laws: list[Any] = [elements[pair.element].law for pair in pairs]
        tree_of, tree_first, tree_dofs, place = trees_of(tree, self._loops())
        rows = np.array([row for row, _, _ in self.rows], np.int64)
        lengths = np.diff(tree_first)
        width = 1
        for pair in pairs:
            own = {int(tree_of[rows[s]]) for s in pair.shapes}
            width = max(width, sum(int(lengths[n]) for n in own))

        def numbers(name: str) -> Any:
            return np.array([float(getattr(law.set_valued(), name) or 0.0) for law in laws])

        rolling = [isinstance(law, RollingContact) for law in laws]  # its tangential force is a creep force
        sliding = np.where(rolling, 0.0, [float(law.friction or 0.0) for law in laws])
        given = [law.set_valued().static_friction for law in laws]
        static = [mu if each is None else each for mu, each in zip(sliding, given, strict=True)]
        creep = [law.creep_numbers() if isinstance(law, RollingContact) else NO_CREEP for law in laws]
        sizes = [self._sizes(i) for i in range(len(rows))]  # fills self.profiles
        contacts = Contacts(
            pairs=len(pairs), slots=sum(counts), shapes=len(rows), most=max(counts, default=1), shape_body=rows,
            X_BS=np.array([pose.twelve for _, pose, _ in self.rows]).reshape(-1, 12),
            size=np.array(sizes, dtype=float).reshape(-1, 4),
            reach=np.array([self._reach(i) for i in range(len(rows))], dtype=float),
            kind=np.cumsum([0] + [sum(pair.kind is kind for pair in pairs) for kind in kinds]).astype(np.int64),
            pair_shapes=np.array([pair.shapes for pair in pairs], np.int64).reshape(-1, 2),
            first=np.cumsum([0, *counts]).astype(np.int64),
            slot_pair=np.repeat(np.arange(len(pairs)), counts).astype(np.int64),
            element=np.array([pair.element for pair in pairs], np.int64),
            swapped=np.array([pair.swapped for pair in pairs], np.int64),
            friction=sliding, static_friction=np.array(static, dtype=float),
            restitution=numbers("restitution"), rolling=numbers("rolling_friction"),
            torsion=numbers("torsional_friction"),
            impact=np.array([IMPACTS.index(law.set_valued().impact) for law in laws], np.int64),
            creep=np.array(creep, dtype=float).reshape(-1, len(NO_CREEP)), profiles=np.concatenate(self.profiles),
            tree_of=tree_of, tree_first=tree_first, tree_dofs=tree_dofs, dof_place=place, width=width,
            surfaces=pack_surfaces(self.made_surfaces), hulls=pack_hulls(self.made),
        )  # fmt: skip
        freeze(contacts)
        return ContactSet(contacts, tuple(e.name for e in elements), kinds, tuple(pair.names for pair in pairs),
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
