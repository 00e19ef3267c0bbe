"""Finite segments: a rod, beam or shaft cut into rigid pieces with equivalent springs between them.

After Huston & Liu, Dynamics of Multibody Systems, chapter 11, and Huston (1981), Multi-body dynamics including the
effects of flexibility and compliance. The beam is divided into N equal parts of the length l. Each part bends, twists
and stretches in a joint in its middle, with the springs that give the compliance of the whole part,

    bending E I / l,    torsion G J / l,    stretch E A / l                                                       (1)

and what is between two such joints is rigid: N - 1 segments of the length l, and half a segment at either end, so that
both ends can be clamped, hinged or loaded. Integrals over the beam become midpoint rules: errors fall with N².
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.beams.beam import section_size
from duoti.model.beams.beam_section import Beam
from duoti.model.beams.course import Course
from duoti.model.elements import Body
from duoti.model.forces.joint_spring import JointSpring
from duoti.model.joints.composite import Composite
from duoti.model.joints.prismatic import Prismatic
from duoti.model.joints.revolute import Revolute
from duoti.model.model import Model
from duoti.spatial import Inertia, Rotation, Shape
from duoti.spatial.axes import Axis
from duoti.strict import Strict

Array = NDArray[np.float64]
STRETCH, TORSION, BEND_Y, BEND_Z = 0, 3, 4, 5  # rows of `Beam.matrix`


class Segments(Strict):
    """A beam as rigid segments: `bodies` from `start` to `end`, joined by `joints` (names), with the springs `springs`.

    Coordinates of a joint: bending about z, bending about y, twist about x [rad], and the stretch along x [m] if any.
    """

    def __init__(
        self,
        name: str,
        bodies: Sequence[Body],
        joints: Sequence[str],
        springs: Sequence[str],
        given: Mapping[str, Any] | None = None,
    ):
        self.name, self.bodies = name, tuple(bodies)
        self.joints, self.springs = tuple(joints), tuple(springs)
        self.given = dict(given or {})
        """What `add_segments` was called with, for files."""

    def generated(self) -> dict[str, tuple[str, ...]]:
        """Names of the elements that it is made of, by section."""
        return {"bodies": tuple(body.name for body in self.bodies), "joints": self.joints, "forces": self.springs}

    @property
    def start(self) -> Body:
        """The first half of a segment."""
        return self.bodies[0]

    @property
    def end(self) -> Body:
        """The last half of a segment; its origin is the end of the beam."""
        return self.bodies[-1]

    def __repr__(self) -> str:
        return f"<segments {self.name!r}: {len(self.joints)} joints between rigid segments>"


def add_segments(
    model: Model, name: str, beam: Beam, start: Array, end: Array, segments: int, up: Axis, stretch: bool
) -> Segments:
    """See `Model.add_segments`."""
    given = {"beam": beam, "start": start, "end": end, "segments": segments, "up": up, "stretch": stretch}
    faults = _faults(beam, segments, (start, end))
    if faults:
        raise ValueError(f'segments "{name}": ' + "; ".join(faults))
    first, last = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    length = float(np.linalg.norm(last - first))
    part = length / segments
    _, rotations = Course(np.array([first, last])).frames(np.array([0.0, 1.0]), up, lambda _: 0.0)
    R = rotations[0]
    x = R[:, 0]
    bodies: list[Body] = []
    for k in range(segments + 1):
        begin, stop = max(0.0, (k - 0.5) * part), min(length, (k + 0.5) * part)
        own = "start" if k == 0 else "end" if k == segments else f"segment{k}"
        origin = first if k == 0 else last if k == segments else first + 0.5 * (begin + stop) * x
        centre = 0.5 * (begin + stop) - float((origin - first) @ x)
        inertia = _rod(beam, stop - begin, centre)
        body = model.add_body(f"{name}.{own}", inertia, tuple(origin.tolist()), Rotation.from_matrix(R))
        body.shapes.append(_piece(beam, stop - begin, centre))
        bodies.append(body)
    K, times = beam.matrix, beam.damping_times
    joints: list[str] = []
    springs: list[str] = []
    axes = [(BEND_Z, "bend_z"), (BEND_Y, "bend_y"), (TORSION, "twist"), (STRETCH, "stretch")][: 4 if stretch else 3]
    turns = [Revolute(R[:, 2]), Revolute(R[:, 1]), Revolute(x)]
    for k in range(segments):
        joint = f"{name}.joint{k + 1}"
        at = first + (k + 0.5) * part * x
        parts = [*turns, Prismatic(x)] if stretch else turns
        model.add_joint(joint, Composite(*parts), bodies[k], bodies[k + 1], at=tuple(at.tolist()))
        joints.append(joint)
        for coordinate, (row, what) in enumerate(axes):
            stiffness = float(K[row, row]) / part
            spring = f"{joint}.{what}"
            damping = stiffness * float(times[row])
            model.add_force(spring, JointSpring(joint, stiffness, damping, coordinate=coordinate))
            springs.append(spring)
    return Segments(name, bodies, joints, springs, given)


def _faults(beam: Beam, segments: int, ends: tuple[Array, Array]) -> list[str]:
    faults: list[str] = []
    if not isinstance(beam, Beam):  # pyright: ignore[reportUnnecessaryIsInstance]
        faults.append(f"beam is {beam!r}; give a dt.Beam")
    elif np.any(beam.matrix - np.diag(np.diag(beam.matrix))):
        faults.append("strains of this beam are coupled (a section without symmetry): segments have springs about the "
                      "axes of the section only; use m.add_beam")  # fmt: skip
    elif beam.mass_damping:
        faults.append("mass_damping is not a part of finite segments; use m.add_beam, or damp the bodies")
    if not isinstance(segments, int) or segments < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        faults.append(f"segments is {segments!r}; give a whole number, at least 1")
    points = [np.asarray(each, dtype=float) if np.shape(each) == (3,) else None for each in ends]
    for what, point, given in zip(("start", "end"), points, ends, strict=True):
        if point is None or not np.all(np.isfinite(point)):
            faults.append(f"{what} is {given!r}; give a point (x, y, z) [m]")
    if all(point is not None for point in points) and np.array_equal(*points):  # pyright: ignore[reportArgumentType]
        faults.append("start and end are the same point")
    return faults


def _piece(beam: Beam, length: float, centre: float) -> Shape:
    """What it looks like: a cylinder, if the section is round, else a box of the section's extent."""
    y, z = section_size(beam)
    line = np.array(beam.section.outline[0]) if beam.section is not None and beam.section.outline else np.zeros((0, 2))
    distances = np.linalg.norm(line, axis=1)
    if len(line) > 8 and np.ptp(distances) <= 1e-9 * distances.max():
        return Shape.cylinder(y / 2, length, axis="x", position=(centre, 0.0, 0.0))
    return Shape.box((length, y, z), position=(centre, 0.0, 0.0))


def _rod(beam: Beam, length: float, centre: float) -> Inertia:
    """A rigid piece of the beam, its middle at `centre` on x."""
    mass = beam.mass * length
    matrix = beam.inertia * length + mass * length**2 / 12.0 * np.diag([0.0, 1.0, 1.0])
    return Inertia.as_given(mass, (centre, 0.0, 0.0), matrix)
