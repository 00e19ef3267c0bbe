"""Cables of a model: point masses on springs that only pull; if they resist bending, beam elements or a thin beam."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.beams.beam import node_weights
from duoti.model.beams.beam_section import Beam
from duoti.model.beams.course import stations
from duoti.model.elements import GROUND, Body, Marker, name_of
from duoti.model.forces.base import Force
from duoti.model.forces.beam_element import BeamElement
from duoti.model.forces.rope import Rope
from duoti.model.forces.spring_damper import SpringDamper
from duoti.model.forces.thin_beam import ThinBeam
from duoti.model.joints.fixed import Fixed
from duoti.model.joints.free import Free
from duoti.model.joints.translation import Translation
from duoti.model.mechanism.placement import place_bodies
from duoti.model.model import Model
from duoti.spatial import Inertia, Rotation
from duoti.strict import Strict

Array = NDArray[np.float64]
TAUT = 1e-9  # part of the length by which a cable must be longer than its chord to sag
SLENDER = 1e-4  # part of mass times length² that nodes of a bending cable have as rotary inertia


class Cable(Strict):
    """A cable of a model: `nodes` from `start` to `end` are bodies; `elements` are the names of what is between them.

    length [m]: without stress.
    """

    def __init__(
        self,
        name: str,
        nodes: Sequence[Body],
        elements: Sequence[str],
        length: float,
        joints: Sequence[str] = (),
        given: Mapping[str, Any] | None = None,
    ):
        self.name, self.nodes, self.elements, self.length = name, tuple(nodes), tuple(elements), length
        self.joints = tuple(joints)
        self.given = dict(given or {})
        """What `add_cable` was called with, for files."""

    def generated(self) -> dict[str, tuple[str, ...]]:
        """Names of the elements that it is made of, by section."""
        return {"bodies": tuple(node.name for node in self.nodes), "joints": self.joints, "forces": self.elements}

    @property
    def start(self) -> Body:
        """The first node."""
        return self.nodes[0]

    @property
    def end(self) -> Body:
        """The last node."""
        return self.nodes[-1]

    def __repr__(self) -> str:
        return f"<cable {self.name!r}: {self.length:.4g} m, {len(self.elements)} elements>"


def add_cable(
    model: Model,
    name: str,
    start: Any,
    end: Any,
    stiffness: float,
    mass_per_length: float,
    length: float | None,
    elements: int,
    bending_stiffness: float,
    damping_time: float,
    slack: bool,
    thin: bool,
) -> Cable:
    """See `Model.add_cable`."""
    given: dict[str, Any] = {
        "start": start, "end": end, "stiffness": stiffness, "mass_per_length": mass_per_length, "length": length,
        "elements": elements, "bending_stiffness": bending_stiffness, "damping_time": damping_time, "slack": slack,
        "thin": thin,
    }  # fmt: skip
    numbers = {"stiffness": stiffness, "mass_per_length": mass_per_length}
    faults = [f"{what} is {x!r}; give a positive number" for what, x in numbers.items() if not _is_number(x) or x <= 0]
    for what, x in {"bending_stiffness": bending_stiffness, "damping_time": damping_time}.items():
        if not _is_number(x) or x < 0:
            faults.append(f"{what} is {x!r}; give a number that is not negative")
    if not isinstance(elements, int) or elements < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        faults.append(f"elements is {elements!r}; give a whole number, at least 1")
    ends = [_end(model, side, given, faults) for side, given in (("start", start), ("end", end))]
    points = [point for point in ends if point is not None]
    if len(points) == 2 and not np.any(points[0] - points[1]) and length is None:
        faults.append("start and end are the same point: give a length")
    if length is not None and (not _is_number(length) or length <= 0):
        faults.append(f"length is {length!r}; give a positive number [m]")
    if thin and not bending_stiffness:
        faults.append("thin says how it bends: give a bending_stiffness, or leave thin out")
    if thin and isinstance(elements, int) and elements < 2:  # pyright: ignore[reportUnnecessaryIsInstance]
        faults.append("a thin cable needs two elements or more to bend")
    if bending_stiffness and not thin and not faults:
        whole = float(length or np.linalg.norm(points[1] - points[0]))
        weight = mass_per_length * whole * float(np.linalg.norm(np.asarray(model.gravity, dtype=float)))
        if (least := _least_elements(whole, weight, bending_stiffness)) > elements:
            faults.append(f"with so little bending stiffness, at least {least} elements are needed to see how its own "
                          "weight bends it at its ends; or leave bending_stiffness out")  # fmt: skip
    if faults or len(points) < 2:
        raise ValueError(f'cable "{name}": ' + "; ".join(faults))
    chord = float(np.linalg.norm(points[1] - points[0]))
    whole = chord if length is None else float(length)
    parts = stations(elements, (), short_ends=thin)
    places = course(points[0], points[1], whole, np.asarray(model.gravity, dtype=float), parts)
    bends = bending_stiffness > 0.0 and not thin
    shares = node_weights(parts, closed=False) if thin else _halves(parts)
    nodes, joints = _add_nodes(model, name, (start, end), places, mass_per_length * whole * shares, bends)
    lengths = (np.diff(parts) * whole).tolist()
    names = [f"{name}.{'damper' if thin else 'element'}{k + 1}" for k in range(elements)]
    made: dict[str, Force] = {}
    if thin:
        made[f"{name}.line"] = ThinBeam(nodes, stiffness, bending_stiffness, lengths)
    beam = Beam.from_stiffness(
        EA=stiffness, GAy=stiffness, GAz=stiffness, GJ=bending_stiffness, EIy=bending_stiffness, EIz=bending_stiffness,
        mass_per_length=mass_per_length, rotary_inertia=(0.0, 0.0, 0.0), damping_time=damping_time,
    ) if bends else None  # fmt: skip
    for element, a, b, h in zip(names, nodes[:-1], nodes[1:], lengths, strict=True):
        k, d = stiffness / h, damping_time * stiffness / h
        if thin:
            if damping_time:
                made[element] = SpringDamper(a, b, stiffness=0.0, damping=d, rest_length=h)
        elif beam is not None:
            made[element] = BeamElement(a, b, beam, length=h, rest=(0.0, 0.0, 0.0, h, 0.0, 0.0))
        elif slack:
            made[element] = Rope([a, b], stiffness=k, damping=d, rest_length=h)
        else:
            made[element] = SpringDamper(a, b, stiffness=k, damping=d, rest_length=h)
    for element, force in made.items():
        model.add_force(element, force)
    return Cable(name, nodes, tuple(made), whole, joints, given)


def _halves(parts: Array) -> Array:
    """What each node carries of the whole: half of the elements beside it."""
    h = 0.5 * np.diff(parts)
    return np.concatenate([h, [0.0]]) + np.concatenate([[0.0], h])


def _least_elements(length: float, tension: float, bending_stiffness: float) -> int:
    """So many that an element bends by its tension less than by its stiffness: T h² < 12 E I.

    Where a tight cable is clamped it bends within sqrt(E I / T) (Irvine 1981): longer elements would not see it, and
    their nodes would turn to and fro.
    """
    return int(np.ceil(length * np.sqrt(tension / (12.0 * bending_stiffness))))


def _is_number(x: Any) -> bool:
    return isinstance(x, int | float | np.number) and bool(np.isfinite(x))


def _is_reference(given: Any) -> bool:
    return isinstance(given, str | Body | Marker)


def _end(model: Model, side: str, given: Any, faults: list[str]) -> Array | None:
    """The world point of an end."""
    if not _is_reference(given):
        point = np.asarray(given, dtype=float) if np.shape(given) == (3,) else None
        if point is None or not np.all(np.isfinite(point)):
            faults.append(f"{side} is {given!r}; give a point (x, y, z) [m], or a body or marker to fix it to")
            return None
        return point
    marker = model.marker(given)
    if marker is None:
        faults.append(f'{side}: there is no body or marker "{name_of(given)}"')
        return None
    known = copy(model)  # joints may name bodies that are still to come
    known.joints = {name: j for name, j in model.joints.items() if {j.parent, j.child} <= {GROUND, *model.bodies}}
    pose = place_bodies(known).bodies[name_of(marker.body)] @ marker.pose
    return np.asarray(pose.position, dtype=float)


def _add_nodes(
    model: Model, name: str, ends: tuple[Any, Any], places: Array, masses: Array, bends: bool
) -> tuple[list[Body], list[str]]:
    """Bodies at the places, and the names of their joints."""
    nodes, joints = list[Body](), list[str]()
    last = len(places) - 1
    along = np.gradient(places, axis=0)
    gap = float(np.linalg.norm(np.diff(places, axis=0), axis=1).mean())
    for k, place in enumerate(places):
        own = "start" if k == 0 else "end" if k == last else f"node{k}"
        share = float(masses[k])
        inertia = Inertia.point(share)
        rotation = Rotation.identity()
        if bends:
            inertia = Inertia(share, matrix=np.eye(3) * SLENDER * share * gap**2)
            rotation = _towards(along[k])
        node = model.add_body(f"{name}.{own}", inertia, tuple(place.tolist()), rotation)
        nodes.append(node)
        given = ends[0] if k == 0 else ends[1] if k == last else None
        if given is not None and _is_reference(given):
            joints.append(f"{name}.{own}.held")
            model.add_joint(joints[-1], Fixed(), model.body_name(given), node, at=tuple(place.tolist()))
        else:
            joints.append(f"{name}.{own}.free")
            joint = Free() if bends else Translation()
            model.add_joint(joints[-1], joint, model.ground, node, at=tuple(place.tolist()))
    return nodes, joints


def _towards(x: Array) -> Rotation:
    """Axes with x along a line."""
    x = x / np.linalg.norm(x)
    z = np.eye(3)[int(np.argmin(np.abs(x)))]
    z = z - (z @ x) * x
    z /= np.linalg.norm(z)
    return Rotation.from_matrix(np.column_stack([x, np.cross(z, x), z]))


def course(a: Array, b: Array, length: float, gravity: Array, s: Array) -> Array:
    """Nodes at the parts s of a line from a to b: straight, or an arc of the catenary of this length if it sags.

    With the sag downwards, c the catenary's parameter, H and V the horizontal and vertical distance of the ends,
    sqrt(length² - V²) = 2 c sinh(H / 2 c) (Routh 1896). Without gravity, or with ends above each other, it sags in
    two straight halves.
    """
    chord = b - a
    if length <= float(np.linalg.norm(chord)) * (1.0 + TAUT):
        return a + s[:, None] * chord
    g = float(np.linalg.norm(gravity))
    down = gravity / g if g > 0.0 else np.array([0.0, 0.0, -1.0])
    V = -float(chord @ down)  # how much higher b is
    across = chord + V * down
    H = float(np.linalg.norm(across))
    if H / length < 1e-6:
        low = 0.5 * (length - V)  # straight down from a, then up to b
        fall = np.where(s * length < low, s * length, 2.0 * low - s * length)
        return a + fall[:, None] * down + s[:, None] * across
    ratio = np.sqrt(length**2 - V**2) / H
    much = np.log(2.0 * max(ratio, 3.0))
    x = much + np.log(much) + 1.0 if ratio > 3.0 else np.sqrt(6.0 * (ratio - 1.0))  # above sinh(x) / x = ratio
    for _ in range(50):
        step = (np.sinh(x) - ratio * x) / (np.cosh(x) - ratio)
        x -= step
        if abs(step) < 1e-15 * x:
            break
    c = 0.5 * H / x
    lowest = 0.5 * H - c * np.arctanh(V / length)  # horizontal distance of the lowest point from a
    run = lowest + c * np.arcsinh(s * length / c + np.sinh(-lowest / c))
    height = c * (np.cosh((run - lowest) / c) - np.cosh(lowest / c))
    return a + (run / H)[:, None] * across - height[:, None] * down
