"""Contacts of an MJCF file: which geoms may touch, and with what friction, by the rules of MuJoCo.

Two geoms may touch if contype of one and conaffinity of the other have a bit in common, unless they are on one body, on
bodies that are welded together, or on a body and its parent (but the world's children may touch the world), or the
file excludes their bodies. Pairs that the file lists touch whatever these rules say. Coefficients of two geoms are
those of the higher priority, else the larger ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from duoti.formats.mjcf.configuration import body_inverse_weights
from duoti.formats.mjcf.softness import DEFAULT, SOLIMP, SOLREF, Softness, softness_of
from duoti.formats.xml.names import free_name
from duoti.formats.xml.xml_tree import Element
from duoti.model.contacts.base import ContactLaw
from duoti.model.contacts.compliant_contact import CompliantContact
from duoti.model.contacts.rigid_contact import RigidContact
from duoti.model.elements import GROUND
from duoti.model.pairs import find_compliant_pair, find_pair
from duoti.model.pairs.base import touching_kind
from duoti.spatial import Pose, Shape

if TYPE_CHECKING:
    from duoti.formats.mjcf.bodies import BodyFrame, Builder

FRICTION = (1.0, 0.005, 0.0001)  # MuJoCo's defaults: sliding, torsion, rolling
PAIR_FRICTION = (1.0, 1.0, 0.005, 0.0001, 0.0001)  # the same for pairs: twice sliding, torsion, twice rolling
CONDIM = 3
EARTH = 9.81  # [m/s^2] by which soft contacts are pressed where there is no gravity
Wanted = bool | Literal["world"] | ContactLaw


@dataclass
class TouchingGeom:
    """A geom that may touch others: where it is, and what the file says about its contacts."""

    name: str
    element: Element
    frame: BodyFrame
    X: Pose
    shape: Shape | None
    contype: int
    conaffinity: int

    @property
    def listed(self) -> bool:
        """True if only pairs of the file can name it."""
        return not (self.contype or self.conaffinity)


@dataclass(frozen=True)
class Surface:
    """Friction of a geom or of a pair."""

    condim: int
    friction: tuple[float, float, float]
    priority: int = 0
    softness: Softness = DEFAULT

    def soft_law(self, inverse_mass: float, load: float) -> CompliantContact:
        """The compliant contact that gives way as MuJoCo's does at rest."""
        stiffness, damping = self.softness.spring(inverse_mass, load)
        return CompliantContact(stiffness, damping=damping, friction=self.friction[0] if self.condim >= 3 else 0.0)

    def law(self) -> RigidContact:
        """The rigid contact that has this friction."""
        sliding, torsion, rolling = self.friction
        return RigidContact(
            friction=sliding if self.condim >= 3 else 0.0,
            torsional_friction=torsion if self.condim >= 4 else 0.0,
            rolling_friction=rolling if self.condim >= 6 else 0.0,
        )


def touching_geom(builder: Builder, geom: Element, frame: BodyFrame, X: Pose, suffix: str) -> TouchingGeom:
    """What there is to know about a geom (with its defaults) on a body."""
    reading = builder.reading
    bits = [int(reading.number(geom, name, 1.0)) for name in ("contype", "conaffinity")]
    if any(each < 0 for each in bits):
        reading.error(geom, "contype and conaffinity are whole numbers that are not negative")
    given = geom.get("name")
    name = f"{given}{suffix}" if given else f"geom_{len(builder.touching)}"
    return TouchingGeom(name, geom, frame, X, None, *bits)


def add_contacts(builder: Builder, wanted: Wanted, soft: bool = False) -> None:
    """The contacts that the file describes, if they are wanted; else a note that there are some."""
    could = [geom for geom in builder.touching if not geom.listed]
    sections = builder.document.sections["contact"]
    if wanted is False:
        if could or any(section.all("pair") for section in sections):
            element = could[0].element if could else sections[0]
            text = f"{len(could)} geoms, this one first, could touch others; load_mjcf(..., contacts=True) lets them"
            builder.reading.note(element, text, changes_motion=False)
        return
    if not builder.document.enabled("contact", "constraint"):
        return
    _Contacts(builder, wanted, soft).add()


class _Contacts:
    def __init__(self, builder: Builder, wanted: Wanted, soft: bool):
        self.soft, self.load = soft, float(np.linalg.norm(builder.model.gravity)) or EARTH
        self.weights = body_inverse_weights(builder.model) if soft else None
        if soft and self.weights is None:
            builder.reading.error_at(str(builder.reading.path), "soft=True needs a regular mass matrix",
                                     "give all moving bodies mass, or leave soft out")  # fmt: skip
        self.builder, self.reading, self.model, self.wanted = builder, builder.reading, builder.model, wanted
        self.geoms = builder.touching
        self.by_name = {geom.name: geom for geom in self.geoms}
        self.left_out: dict[tuple[str, str], int] = {}
        self.count = 0

    def add(self) -> None:
        pairs, excluded = self._listed()
        done = {frozenset((a.name, b.name)) for a, b, _ in pairs}
        for a, b, surface in pairs:
            self._add(a, b, surface)
        for a, b in self._by_rules():
            names = frozenset((a.frame.name, b.frame.name))
            if names not in excluded and frozenset((a.name, b.name)) not in done:
                self._add(a, b, _mixed(self._surface(a), self._surface(b)))
        for (first, second), n in self.left_out.items():
            what = f"{n} pairs of geoms of the kinds {first} and {second}"
            self.reading.note(self.geoms[0].element, f"{what} cannot be treated; they do not touch")
        if self.count and self.soft:
            text = (
                f"{self.count} pairs of geoms touch by linear springs and dampers, as deep at rest as solref and "
                "solimp say; margin, gap, torsional and rolling friction are left out"
            )
            self.reading.note(self.geoms[0].element, text, changes_motion=False)
        elif self.count:
            text = (
                f"{self.count} pairs of geoms touch as rigid bodies with Coulomb's friction; MuJoCo's contacts are "
                "soft (solref, solimp, margin, gap, adhesion and its friction cone are left out)"
            )
            self.reading.note(self.geoms[0].element, text, changes_motion=False)

    def _listed(self) -> tuple[list[tuple[TouchingGeom, TouchingGeom, Surface]], set[frozenset[str]]]:
        """Pairs and excluded bodies of the section `contact`."""
        pairs: list[tuple[TouchingGeom, TouchingGeom, Surface]] = []
        excluded: set[frozenset[str]] = set()
        frames = self.builder.body_frames
        for section in self.builder.document.sections["contact"]:
            for element in section:
                if element.tag == "exclude":
                    self.builder.document.check(element, "exclude", ())
                    names = [self.reading.required(element, key) for key in ("body1", "body2")]
                    for name in names:
                        if name not in frames:
                            self.reading.missing(element, "body", name, frames)
                    excluded.add(frozenset(names))
                elif element.tag == "pair":
                    pair = self._pair(self.builder.document.defaults.effective(element))
                    pairs += [pair] if pair else []
                else:
                    self.reading.note(element, "unknown here; left out with all it holds", unknown=True)
        return pairs, excluded

    def _pair(self, element: Element) -> tuple[TouchingGeom, TouchingGeom, Surface] | None:
        self.builder.document.check(element, "pair", ())
        found: list[TouchingGeom] = []
        for key in ("geom1", "geom2"):
            name = self.reading.required(element, key)
            if name not in self.by_name:
                self.reading.missing(element, "geom", name, self.by_name)
                return None
            found.append(self.by_name[name])
        condim = int(self.reading.number(element, "condim", float(CONDIM)))
        given = self.reading.numbers(element, "friction", (1, 2, 3, 4, 5), PAIR_FRICTION).tolist()
        first, second, torsion, rolling, other = [*given, *PAIR_FRICTION[len(given) :]]
        if first != second or rolling != other:
            self.reading.note(element, "friction differs by direction; the larger coefficient is taken")
        friction = (max(first, second), torsion, max(rolling, other))
        return found[0], found[1], Surface(condim, friction, softness=self._softness(element))

    def _softness(self, element: Element) -> Softness:
        reading = self.reading
        solref = reading.numbers(element, "solref", (1, 2), SOLREF).tolist()
        solimp = reading.numbers(element, "solimp", (1, 2, 3, 4, 5), SOLIMP).tolist()
        return softness_of(solref, solimp, reading.positive(element, "solmix", 1.0))

    def _by_rules(self) -> Iterator[tuple[TouchingGeom, TouchingGeom]]:
        filtered = self.builder.document.enabled("filterparent")
        for i, a in enumerate(self.geoms):
            for b in self.geoms[i + 1 :]:
                if not (a.contype & b.conaffinity or b.contype & a.conaffinity):
                    continue
                roots = a.frame.root, b.frame.root
                if roots[0] is roots[1]:
                    continue
                if self.wanted == "world" and not any(root.parent is None for root in roots):
                    continue
                if filtered and any(
                    one.parent is not None and one.parent.root is other and other.parent is not None
                    for one, other in (roots, roots[::-1])
                ):
                    continue
                yield a, b

    def _surface(self, geom: TouchingGeom) -> Surface:
        given = geom.element
        friction = self.reading.numbers(given, "friction", (1, 2, 3), FRICTION).tolist()
        condim = int(self.reading.number(given, "condim", float(CONDIM)))
        if condim not in (1, 3, 4, 6) or min(friction) < 0.0:
            self.reading.error(given, "condim is 1, 3, 4 or 6, and friction is not negative")
        sliding, torsion, rolling = [*friction, *FRICTION[len(friction) :]]
        priority = int(self.reading.number(given, "priority"))
        return Surface(condim, (sliding, torsion, rolling), priority, self._softness(given))

    def _add(self, a: TouchingGeom, b: TouchingGeom, surface: Surface) -> None:
        shapes = [self._shape(each) for each in (a, b)]
        if shapes[0] is None or shapes[1] is None:
            return
        law = self.wanted if isinstance(self.wanted, ContactLaw) else self._law(a, b, surface)
        find = find_pair if law.rigid else find_compliant_pair
        pair = find(touching_kind(shapes[0]), touching_kind(shapes[1]))[0]
        if pair is None:
            kinds = sorted((shapes[0].kind, shapes[1].kind))
            self.left_out[kinds[0], kinds[1]] = self.left_out.get((kinds[0], kinds[1]), 0) + 1
            return
        bodies = [each.frame.body.name if each.frame.body is not self.model.ground else GROUND for each in (a, b)]
        if bodies[0] == bodies[1]:
            return
        name = free_name(f"{a.name} {b.name}", self.model.contacts)
        self.model.add_contact(name, law, bodies[0], bodies[1], shapes=(shapes[0], shapes[1]))
        self.count += 1

    def _law(self, a: TouchingGeom, b: TouchingGeom, surface: Surface) -> ContactLaw:
        if self.weights is None:
            return surface.law()
        names = [GROUND if each.frame.body is self.model.ground else each.frame.body.name for each in (a, b)]
        inverse_mass = sum(self.weights.get(name, 0.0) for name in names)
        return surface.soft_law(inverse_mass, self.load) if inverse_mass > 0.0 else surface.law()

    def _shape(self, geom: TouchingGeom) -> Shape | None:
        """In the frame of the body of the model."""
        if geom.shape is None:
            made = self.builder.geoms.touching_shape(geom.element)
            if made is None:
                return None
            geom.shape = made.moved(geom.frame.X_BM @ geom.X)
        return geom.shape


def _mixed(a: Surface, b: Surface) -> Surface:
    """Of two geoms that touch."""
    if a.priority != b.priority:
        return a if a.priority > b.priority else b
    x, y, z = (max(one, other) for one, other in zip(a.friction, b.friction, strict=True))
    return Surface(max(a.condim, b.condim), (x, y, z), a.priority, a.softness.mixed(b.softness))
