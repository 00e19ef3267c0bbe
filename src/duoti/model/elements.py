"""Bodies, markers and joints as the user described them: data only, checked later and all at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duoti.flexible.body import Flexible
from duoti.model.joints import Joint
from duoti.spatial import Inertia, Pose, Rotation, Shape
from duoti.spatial.axes import LARGEST
from duoti.spelling import with_article
from duoti.strict import Strict

GROUND = "ground"
Array = NDArray[np.float64]


@dataclass(eq=False, repr=False)
class Body(Strict):
    """A body of a model; `Model.add_body` makes one.

    Without `position` and `rotation`, the body follows from joints placed by markers, or sits at the world's origin.

    Parameters
    ----------
    name:
        Name of the body.
    inertia:
        Mass and inertia, or a flexible body.
    position, rotation:
        Pose of its frame in the world, in the reference configuration.
    shapes:
        What to draw, and what contacts touch.
    q0, v0:
        Initial modal coordinates and velocities of a flexible body.
    """

    name: str
    inertia: Inertia | Flexible | None
    position: ArrayLike | None = None
    rotation: Any = None
    shapes: list[Shape] = field(default_factory=list)
    """What to draw, in the body's frame; if there is nothing, the shapes of its inertia are drawn."""
    q0: Any = None
    """Initial modal coordinates of a flexible body; None: zero."""
    v0: Any = None
    """Their initial velocities."""

    @property
    def placed(self) -> bool:
        """True if the user gave the pose of the body."""
        return self.position is not None or self.rotation is not None

    @property
    def pose(self) -> Pose:
        """Pose in the world as given (identity where not given)."""
        return Pose(self.rotation, (0.0, 0.0, 0.0) if self.position is None else self.position)

    def __repr__(self) -> str:
        return f"<body {self.name!r}>"


@dataclass(eq=False, repr=False)
class Marker(Strict):
    """A frame fixed in a body; `Model.add_marker` makes one.

    Parameters
    ----------
    name:
        Name of the marker.
    body:
        The body.
    position, rotation:
        Pose in the frame of the body, or in that of an interface.
    interface:
        Interface of a flexible body.
    """

    name: str
    body: Body | str
    position: ArrayLike = (0.0, 0.0, 0.0)
    rotation: Any = None
    interface: str | None = None
    """Interface of a flexible body that the marker moves with."""

    @property
    def pose(self) -> Pose:
        """Pose in the body's frame, undeformed."""
        own = Pose(self.rotation, self.position)
        at = self.interface and interface_pose(self.body, self.interface)
        return at @ own if at else own

    def __repr__(self) -> str:
        return f"<marker {self.name!r}>"


def interface_pose(body: Body | str, name: str) -> Pose | None:
    """Pose of an interface in the frame of its undeformed body; None if the body has no such one."""
    if not isinstance(body, Body) or not isinstance(body.inertia, Flexible):
        return None
    found = body.inertia.reduced.interfaces.get(name)
    return Pose(found.rotation, found.position) if found is not None else None


Reference = Body | Marker | str
"""A body or marker, or the name of one. A body stands for its own frame."""


def name_of(reference: Reference) -> str:
    """The name that a reference goes by."""
    return reference if isinstance(reference, str) else str(getattr(reference, "name", reference))


@dataclass(eq=False, repr=False)
class JointElement(Strict):
    """A joint between two bodies; `Model.add_joint` makes one.

    Attributes
    ----------
    q0, v0:
        Initial coordinates and velocities; `None`: not given (zero, and free for the assembly of loops).
    limits:
        Lower and upper bound of each coordinate.
    rotor_inertia:
        Inertia of a rotor that turns with the joint [kg m² or kg].
    effort_limit, velocity_limit:
        Largest torque or force, and largest rate, of the joint's drive. Data for controllers and for files: nothing in
        the dynamics enforces them.
    """

    name: str
    joint: Joint
    parent_reference: Reference
    child_reference: Reference
    at: ArrayLike | None = None
    q0: Any = None
    v0: Any = None
    limits: Sequence[Any] | None = None
    body_name: Callable[[Reference], str] = name_of
    rotor_inertia: Any = None
    effort_limit: Any = None
    velocity_limit: Any = None

    @property
    def parent(self) -> str:
        """Name of the parent body."""
        reference = self.parent_reference
        return reference.name if type(reference) is Body else self.body_name(reference)

    @property
    def child(self) -> str:
        """Name of the child body."""
        reference = self.child_reference
        return reference.name if type(reference) is Body else self.body_name(reference)

    @property
    def kind(self) -> str:
        """Name of the joint's type."""
        return self.joint.kind

    @property
    def nv(self) -> int:
        """Degrees of freedom."""
        return self.joint.nv

    @property
    def rotor_inertias(self) -> list[float]:
        """One number for each rate [kg m² or kg]; zero if none was given."""
        if self.rotor_inertia is None:
            return [0.0] * self.nv
        given = np.asarray(self.rotor_inertia, dtype=float)
        return np.broadcast_to(given, (self.nv,)).tolist()

    def __repr__(self) -> str:
        return f"<{self.joint.kind} joint {self.name!r}: {self.parent} -> {self.child}>"


def initial_values(joint: Joint, given: Any, rates: bool) -> Array:
    """Numbers of q0 (or v0, with `rates`) of a joint, from any form in which a user may give them.

    A number, a sequence of numbers, rotations among them (`Rotation` or `Pose`), or a mapping from coordinate names to
    such. Raises ValueError that says what was expected.
    """
    coordinates = joint.coordinates
    if type(given) is float and abs(given) <= LARGEST and len(coordinates) == 1 and coordinates[0].nq == 1:
        return np.array([given])
    sizes = [c.nv if rates else c.nq for c in coordinates]
    names = [c.rate if rates else c.name for c in coordinates]
    size, called = sum(sizes), f"{with_article(joint.kind)} joint"
    if isinstance(given, Mapping):
        values = np.zeros(size) if rates else joint.zero.copy()
        for name, value in given.items():
            if name not in names:
                raise ValueError(f"{name!r} is no coordinate of {called}; it has {', '.join(names)}")
            if names.count(name) > 1:
                raise ValueError(f"{name!r} is not unique in {called}; give the numbers as a list")
            start = sum(sizes[: names.index(name)])
            numbers = _numbers(value)
            if len(numbers) != sizes[names.index(name)]:
                raise ValueError(f"{name!r} takes {sizes[names.index(name)]} numbers, {len(numbers)} were given")
            values[start : start + len(numbers)] = numbers
    else:
        values = _numbers(given)
        if len(values) != size:
            each = ", ".join(f"{n} ({s})" for n, s in zip(names, sizes, strict=True))
            raise ValueError(f"{called} takes {size} number{'s' * (size != 1)}: {each or 'none'}; {len(values)} given")
    if not np.all(np.isfinite(values)):
        raise ValueError(f"not all numbers are finite: {values.tolist()}")
    if np.any(np.abs(values) > LARGEST):
        raise ValueError(f"{values.tolist()} is too large; no number of a model is beyond {LARGEST:g}")
    if not rates:
        _normalise_quaternions(joint, values)
    return values


def modal_values(given: Any, count: int) -> Array:
    """Initial modal coordinates or rates, from numbers or a mapping from numbers of modes to such; zero by default."""
    values = np.zeros(count)
    if isinstance(given, Mapping):
        for mode, value in given.items():
            if not str(mode).isdigit() or not int(mode) < count:
                raise ValueError(f"there is no mode {mode!r}; they are numbered 0 ... {count - 1}")
            values[int(mode)] = float(value)
    elif given is not None:
        numbers = np.atleast_1d(np.asarray(given, dtype=float))
        if numbers.shape != (count,):
            raise ValueError(f"{count} numbers are needed, one for each mode; got {numbers.shape}")
        values[:] = numbers
    if not np.isfinite(values).all():
        raise ValueError(f"not all numbers are finite: {values.tolist()}")
    return values


def given_numbers(joint: Joint, given: Any, rates: bool, counted_like_velocities: bool = False) -> NDArray[np.bool_]:
    """Which numbers of a joint a q0 (or v0, with `rates`) gives: all, none, or those that a mapping names.

    counted_like_velocities: a flag for each rate, in place of each coordinate.
    """
    flags: list[bool] = []
    for c in joint.coordinates:
        is_given = (c.rate if rates else c.name) in given if isinstance(given, Mapping) else given is not None
        flags += [is_given] * (c.nv if rates or counted_like_velocities else c.nq)
    return np.array(flags, dtype=bool)


def _numbers(value: Any) -> Array:
    if isinstance(value, Rotation):
        return np.array(value.quaternion)  # a copy, as everywhere here: the numbers may be normalised in place
    if isinstance(value, Pose):
        return np.concatenate([value.position, value.rotation.quaternion])
    if isinstance(value, Sequence) and not isinstance(value, str):
        return np.concatenate([_numbers(v) for v in value]) if len(value) else np.zeros(0)
    try:
        return np.array(value, dtype=float).reshape(-1)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f"{value!r} is not a number or a list of numbers") from None


def _normalise_quaternions(joint: Joint, q: Array) -> None:
    start = 0
    for c in joint.coordinates:
        if c.quaternion:
            length = float(np.linalg.norm(q[start : start + 4]))
            if abs(length - 1.0) > 1e-6:
                raise ValueError(
                    f"the quaternion {q[start : start + 4].tolist()} has length {length:.6g}, not 1; "
                    "scalar part first; dt.Rotation makes one from angles"
                )
            q[start : start + 4] /= length
        start += c.nq


REPLACED = "_replaced"
"""Where a model with other numbers notes the elements it has replaced: (old, section, name) by their identities."""


def was_replaced(model: Any, element: Any) -> bool:
    """Whether an element with other numbers stands in the place of this one."""
    return id(element) in vars(model).get(REPLACED, {})
