"""A beam in a model: its nodes are bodies, its elements forces between them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duoti.model.beams.beam_section import Beam
from duoti.model.beams.course import SHORT, Course, is_along, stations, with_inner_nodes
from duoti.model.beams.lobatto import HIGHEST, lagrange, lobatto
from duoti.model.elements import Body
from duoti.model.laws.expressions import compile_expression
from duoti.model.laws.law import Value
from duoti.spatial import Inertia, Shape, axis_vector
from duoti.spatial.axes import Axis
from duoti.strict import Strict

Array = NDArray[np.float64]
MOST_ELEMENTS = 100_000
USUAL_NODES = 16  # beside the first one, where no number of elements is given
EQUAL = 1e-6  # part by which lengths of elements may differ and still count as equal
LEAST_GYRATION = 1e-4
"""Part of mass times length² that a node has at least as rotary inertia, lest the mass matrix be singular. It
changes frequencies by a part of 1e-5 at most where a beam is given without rotary inertia."""


class BeamPart(Strict):
    """A beam of a model: `nodes` from `start` to `end` are bodies like any other; see `Model.add_beam`.

    stations: the part of the length, 0..1, at which each node lies, boundaries: those at which elements begin and end
    (of order 1, all); length [m]: of the axis; element_names: names of the force elements.
    """

    def __init__(
        self,
        name: str,
        beam: Beam | Callable[[float], Beam],
        start: ArrayLike | None = None,
        end: ArrayLike | None = None,
        up: Axis = "z",
        elements: int | None = None,
        centreline: Any = None,
        twist: Value = 0.0,
        taper: Beam | None = None,
        places: Mapping[str, float] | None = None,
        velocity: ArrayLike | None = None,
        angular_velocity: ArrayLike | None = None,
        short_ends: bool = False,
        order: int = 1,
    ):
        self.name, self.beam, self.start_point, self.end_point, self.up = name, beam, start, end, up
        self.elements, self.centreline, self.twist, self.taper = elements, centreline, twist, taper
        self.places = dict(places or {})
        self.velocity, self.angular_velocity, self.short_ends = velocity, angular_velocity, short_ends
        self.order = order
        self._check()
        try:
            course = Course(np.array([start, end], dtype=float) if centreline is None else centreline)
        except ValueError as error:
            raise ValueError(f'beam "{name}": {error}') from error
        self.length, self.closed = course.length, course.closed
        self.boundaries = self._boundaries(course)
        self.stations = with_inner_nodes(self.boundaries, order)
        self.positions, self.rotations = course.frames(self.stations, up, self._twist())
        self.nodes: list[Body] = []
        self.element_names: list[str] = []
        self.joint_names: list[str] = []
        self.force_names: list[str] = []
        self.element_beams = [self._element_beams(a, b) for a, b in pairwise(self.boundaries.tolist())]

    def _check(self) -> None:
        faults: list[str] = []
        if (self.centreline is None) == (self.start_point is None and self.end_point is None):
            faults.append("give start and end, or a centreline in place of both")
        elif self.centreline is None:
            for what, point in (("start", self.start_point), ("end", self.end_point)):
                if point is None or np.shape(point) != (3,) or not np.all(np.isfinite(np.asarray(point, dtype=float))):
                    faults.append(f"{what} is {point!r}; give a point (x, y, z) [m]")
            if not faults:
                faults += self._faults_of_line()
        if not isinstance(self.beam, Beam) and not callable(self.beam):
            faults.append(f"beam is {self.beam!r}; give a dt.Beam, or a function of 0..1 that returns one")
        if self.elements is not None and not (isinstance(self.elements, int) and 1 <= self.elements <= MOST_ELEMENTS):  # pyright: ignore[reportUnnecessaryIsInstance]
            faults.append(f"elements is {self.elements!r}; give a whole number from 1 to {MOST_ELEMENTS}")
        for place, part in self.places.items():
            if place in ("start", "end") or place.startswith("node"):
                faults.append(f"place {place!r} has the name of a node; choose another")
            if not 0.0 < part < 1.0:
                faults.append(f"place {place!r} is at {part!r}; give the part of the length, between 0 and 1")
        for what, rate in (("velocity", self.velocity), ("angular_velocity", self.angular_velocity)):
            if rate is not None and np.shape(rate) != (3,):
                faults.append(f"{what} is {rate!r}; give three components")
        if not isinstance(self.short_ends, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            faults.append(f"short_ends is {self.short_ends!r}; give True or False")
        if not (type(self.order) is int and 1 <= self.order <= HIGHEST):
            faults.append(f"order is {self.order!r}; give a whole number from 1 to {HIGHEST}")
        elif self.order > 1 and self.short_ends is True:
            faults.append(
                "short_ends is for elements of order 1, whose masses it puts right; those of order 2 and more have "
                "their nodes and masses where Gauss and Lobatto put them: leave it out"
            )
        if self.taper is not None and not isinstance(self.beam, Beam):
            faults.append("taper needs a dt.Beam at the start; a function of 0..1 tapers by itself")
        elif not isinstance(self.taper, Beam | None):  # pyright: ignore[reportUnnecessaryIsInstance]
            faults.append(f"taper is {self.taper!r}; give the dt.Beam that it is made of at its end")
        if faults:
            raise ValueError(f'beam "{self.name}": ' + "; ".join(faults))

    def _faults_of_line(self) -> list[str]:
        """Of a straight beam: no length, or `up` along it where the user chose it."""
        way = np.asarray(self.end_point, dtype=float) - np.asarray(self.start_point, dtype=float)
        length = float(np.linalg.norm(way))
        if length == 0.0:
            return ["start and end are the same point"]
        if isinstance(self.up, str) and self.up == "z":  # as if it were not given
            return []
        if is_along(way / length, axis_vector(self.up)):
            return [f"up={self.up!r} is along the axis of the beam; give another up, where z of the section points"]
        return []

    def _boundaries(self, course: Course) -> Array:
        """Parts of the length at which elements begin and end."""
        points = course.points_at
        if points is not None and len(points) > 2 and not self.places and self.elements in (None, len(points) - 1):
            return course.stations_of_points()
        elements = -(-USUAL_NODES // self.order) if self.elements is None else self.elements
        short = self.short_ends and not course.closed
        return stations(elements, list(self.places.values()), short)

    def _twist(self) -> Callable[[float], float]:
        twist = self.twist
        if isinstance(twist, str):
            program = compile_expression(twist)
            if unknown := sorted(set(program.inputs) - {"s"}):
                raise ValueError(f'beam "{self.name}": twist reads {unknown[0]!r}; it is an expression of s, 0 to 1')
            return lambda s: float(program.evaluate({"s": s} if program.inputs else {}))
        if callable(twist):
            return lambda s: float(twist(s))
        total = float(twist)  # pyright: ignore[reportArgumentType]
        return lambda s: total * s

    def beam_at(self, part: float) -> Beam:
        """What the beam is made of at a part of its length."""
        if not isinstance(self.beam, Beam):
            return self.beam(float(part))
        return self.beam if self.taper is None else self.beam.between(self.taper, float(part))

    def _element_beams(self, start: float, end: float) -> tuple[Beam, Beam | None]:
        """What an element is made of at its start, and at its end if it tapers.

        Where sections along it are not of one kind, it is made of that in its middle.
        """
        if isinstance(self.beam, Beam) and self.taper is None:
            return self.beam, None
        a, b = self.beam_at(start), self.beam_at(end)
        try:
            a.between(b, 0.5)
        except ValueError:
            return self.beam_at(0.5 * (start + end)), None
        return a, b

    @property
    def start(self) -> Body:
        """The first node."""
        return self.nodes[0]

    @property
    def end(self) -> Body:
        """The last node; of a closed ring, the first one."""
        return self.nodes[0] if self.closed else self.nodes[-1]

    def __getitem__(self, place: str | int) -> Body:
        """The node at a named place, or by number."""
        if isinstance(place, int):
            return self.nodes[place]
        for node in self.nodes:
            if node.name == f"{self.name}.{place}":
                return node
        raise KeyError(f'beam "{self.name}" has no place {place!r}; it has {", ".join(self.places) or "none"}')

    def node_names(self) -> list[str]:
        """Names of the nodes: start, node1, node2, ..., end; those at places have the places' names."""
        at = {round(float(part), 12): place for place, part in self.places.items()}
        count = len(self.stations) - self.closed
        names: list[str] = []
        for k in range(count):
            own = "start" if k == 0 else "end" if k == len(self.stations) - 1 else f"node{k}"
            names.append(f"{self.name}.{at.get(round(float(self.stations[k]), 12), own)}")
        return names

    def nodes_of(self, element: int) -> list[int]:
        """Numbers of the nodes of an element, from its start to its end; of order 1, both ends."""
        first = element * self.order
        found = list(range(first, first + self.order + 1))
        return [k % len(self.nodes) for k in found] if self.closed else found

    def ends_of(self, piece: int) -> tuple[int, int]:
        """Numbers of the nodes of a piece between neighbouring nodes; of order 1 the elements are these pieces."""
        return piece, (piece + 1) % len(self.nodes) if self.closed else piece + 1

    def point_beams(self, element: int) -> list[Beam]:
        """What the beam is made of at the Gauss points of an element of higher order."""
        a, b = self.boundaries[element : element + 2]
        points = np.polynomial.legendre.leggauss(self.order)[0]
        return [self.beam_at(0.5 * (a + b + x * (b - a))) for x in points]

    def lengths(self, start: float = 0.0, end: float = 1.0) -> Array:
        """Length of the beam [m] that each node stands for in sums along it, between two parts of its length."""
        if self.order > 1:
            weights = polynomial_weights(self.boundaries, self.order, start, end) * self.length
        else:
            weights = node_weights(self.stations, self.closed, start, end) * self.length
        if self.closed:
            weights[0] += weights[-1]
            weights = weights[:-1]
        return weights

    def node_inertias(self) -> list[Inertia]:
        """Mass and rotary inertia of each node, in its frame."""
        found: list[Inertia] = []
        lengths = self.lengths()
        longest = float(np.diff(self.stations).max()) * self.length
        for k, h in enumerate(lengths):
            beam = self.beam_at(float(self.stations[k]))
            mass, rotary = h * beam.mass, h * beam.inertia
            least = LEAST_GYRATION * mass * longest**2
            matrix = rotary + np.diag(np.where(np.diag(rotary) < least * 1e-3, least, 0.0))
            found.append(Inertia.as_given(float(mass), (0.0, 0.0, 0.0), matrix))
        return found

    def node_shapes(self) -> list[list[Shape]]:
        """What a viewer draws of each node: the pieces of the beam up to the middles of its elements."""
        count = len(self.stations) - self.closed
        h = np.diff(self.stations) * self.length
        before = np.concatenate([[h[-1] if self.closed else 0.0], h])[:count]
        after = np.concatenate([h, [0.0]])[:count]
        found: list[list[Shape]] = []
        for k in range(count):
            beam = self.beam_at(float(self.stations[k]))
            length, at = 0.5 * float(before[k] + after[k]), (0.25 * float(after[k] - before[k]), 0.0, 0.0)
            made = None if beam.section is None else beam.section.made
            if made is not None and made[0] in ("circle", "tube"):
                radius = float(made[1][0][1])
                found.append([Shape.cylinder(radius, length, "x", position=at)])
                continue
            y, z = section_size(beam)
            found.append([Shape.box((length, y, z), position=at)])
        return found

    def load_rows(self, start: float = 0.0, end: float = 1.0) -> list[tuple[Any, ...]]:
        """(node, s [m], length of beam that it carries) for a load between two parts of the length, all nodes."""
        lengths = self.lengths(start, end)
        return [(node, float(self.stations[k]) * self.length, float(lengths[k])) for k, node in enumerate(self.nodes)]

    def rates(self, k: int) -> Any:
        """Initial velocities of a node's free joint, if the beam moves at first: a rigid motion about its start."""
        if self.velocity is None and self.angular_velocity is None:
            return None
        v = np.zeros(3) if self.velocity is None else np.asarray(self.velocity, dtype=float)
        omega = np.zeros(3) if self.angular_velocity is None else np.asarray(self.angular_velocity, dtype=float)
        at = v + np.cross(omega, self.positions[k] - self.positions[0])
        return (*at.tolist(), *omega.tolist())

    def __repr__(self) -> str:
        order = f" of order {self.order}" if self.order > 1 else ""
        return f"<beam {self.name!r}: {self.length:.4g} m, {len(self.element_beams)} elements{order}>"


def node_weights(stations: Array, closed: bool, start: float = 0.0, end: float = 1.0) -> Array:
    """Weights of the nodes in integrals from `start` to `end` over the parts of the length.

    The trapezoidal rule, with Gregory's end corrections (weights 3/8, 7/6, 23/24, 1, 1, ...; Simpson's rules are those
    of two and three elements) over each run of equal elements: of fourth order, so that masses at nodes make a beam
    whose frequencies and rigid motion are of fourth order. A closed ring of equal elements has no ends. Where a run
    begins or ends within an element, that element's part is shared by its nodes.

    Where the element at the end of a run is shorter by SHORT = c, the weights are c/3, 1/2 + 2c/3, 1, 1, ...: by
    Euler and Maclaurin, a run of ones that begins at the second node stands for 1/2 less there and for a first moment
    of 1/12; with the piece c, mass, first and second moment are those of two nodes, c apart, if c² = 1/2. The first
    error, in the third moment, is a twelfth of Gregory's.
    """
    weights, h = np.zeros(len(stations)), np.diff(stations)
    if closed and start == 0.0 and end == 1.0 and np.ptp(h) <= EQUAL * h.max():
        weights[:-1] = h
        return weights
    whole = (stations[:-1] >= start) & (stations[1:] <= end)
    e = 0
    while e < len(h):
        low, high = max(start, stations[e]), min(end, stations[e + 1])
        last = e + 1
        if whole[e]:
            first, past, last = _run(h, whole, e)
            weights[e : last + 1] += _run_weights(past - first, first > e, last > past) * h[first]
        elif high > low:
            middle = (0.5 * (low + high) - stations[e]) / h[e]
            weights[e] += (high - low) * (1.0 - middle)
            weights[e + 1] += (high - low) * middle
        e = last
    return weights


def polynomial_weights(boundaries: Array, order: int, start: float = 0.0, end: float = 1.0) -> Array:
    """The same for elements of higher order: integrals of their polynomials, over whole elements Lobatto's weights."""
    nodes, whole = lobatto(order)
    weights = np.zeros(order * (len(boundaries) - 1) + 1)
    gauss, by_gauss = np.polynomial.legendre.leggauss(order)
    for e, (a, b) in enumerate(pairwise(boundaries)):
        low, high = max(start, a), min(end, b)
        if high <= low:
            continue
        own = whole
        if low > a or high < b:
            at = (low + high - a - b + gauss * (high - low)) / (b - a)
            own = lagrange(nodes, at)[0].T @ by_gauss * (high - low) / (b - a)
        weights[e * order : (e + 1) * order + 1] += own * 0.5 * (b - a)
    return weights


def _run(h: Array, whole: NDArray[np.bool_], e: int) -> tuple[int, int, int]:
    """The run that begins with element e: its equal elements from one to before another, and where the next begins.

    Short elements before and behind the equal ones belong to it.
    """

    def ends(first: int) -> tuple[int, int]:
        past = first + 1
        while past < len(h) and whole[past] and abs(h[past] - h[first]) <= EQUAL * h[first]:
            past += 1
        short = past < len(h) and whole[past] and abs(h[past] - SHORT * h[first]) <= EQUAL * h[first]
        return past, past + short

    if e + 1 < len(h) and whole[e + 1] and abs(h[e] - SHORT * h[e + 1]) <= EQUAL * h[e + 1]:
        past, last = ends(e + 1)
        if last > past or past - e > 3:  # Gregory's end, if it is one, needs three equal elements
            return e + 1, past, last
    past, last = ends(e)
    return (e, past, last) if past - e >= 3 else (e, past, past)


def _run_weights(elements: int, short_start: bool, short_end: bool) -> Array:
    """Weights of a run of equal elements, with a short one more at its start and at its end, if there is."""
    weights = np.ones(elements + 1 + short_start + short_end)
    for short, side in ((short_start, weights), (short_end, weights[::-1])):
        if short:
            side[0] = SHORT / 3.0
            side[1] += 2.0 * SHORT / 3.0 - 0.5
            continue
        for k, w in enumerate((0.5,) if elements == 1 else (3.0 / 8.0, 7.0 / 6.0, 23.0 / 24.0)):
            side[k] += w - 1.0
    return weights


def section_size(beam: Beam) -> tuple[float, float]:
    """Extent of the section along y and z [m]; of a beam given by numbers, that of a rectangle with these."""
    if beam.section is not None and beam.section.outline:
        points = np.array(beam.section.outline[0])
        y, z = np.ptp(points, axis=0).tolist()
        return y, z
    K = beam.matrix
    return float(np.sqrt(12.0 * K[5, 5] / K[0, 0])), float(np.sqrt(12.0 * K[4, 4] / K[0, 0]))
