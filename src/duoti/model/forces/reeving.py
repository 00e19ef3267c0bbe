"""A rope over sheaves, or a belt over pulleys: tangent to each, with capstan friction that sticks exactly."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from duoti.elements.reeving import (
    ARC,
    DRUM,
    END,
    EYE,
    HEADER,
    LEAST_ARC,
    NODE,
    PER_FLOW,
    PER_SEGMENT,
    SLIP,
    SPAN,
    add_tangent,
    energies,
    fill,
    pull,
    put_rates,
    reference_spans,
    scratch_size,
)
from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.elements import Reference, name_of
from duoti.model.force_blocks import SCRATCH
from duoti.model.forces.base import Compiler, Force, number_faults
from duoti.model.forces.channels import Array, ForceChannel, Seen
from duoti.model.sheave import RopeEnd, Sheave
from duoti.spatial import Pose
from duoti.spatial.axes import axis_vector

INTEGERS = ("block",)
BLOCK = 0
REALS = ("stiffness", "damping", "length")
STIFFNESS, DAMPING, LENGTH = range(len(REALS))


@helper
def _numbers(f, loads):
    """EA, the viscosity of the strain, and the unstretched length."""
    reals = loads.forces.reals
    length = reals[f, LENGTH]
    return reals[f, STIFFNESS] * length, reals[f, DAMPING] * length, length


@helper
def _reeving(f, t, q, v, loads, w):
    p, x = loads.forces.integers[f, BLOCK], w.block_scratch
    ints, c = loads.forces.block_integers, loads.forces.block_reals
    numbers = _numbers(f, loads)
    before = q.shape[0] + v.shape[0]
    fill(x, ints, c, p, loads, w, before, numbers)
    pull(x, ints, p, loads, w)
    put_rates(x, ints, p, w, before)
    return energies(x, ints, p, numbers[0])


@helper
def _reeving_tangent(f, t, q, v, tree, loads, w, tan, path):
    p = loads.forces.integers[f, BLOCK]
    ints, c = loads.forces.block_integers, loads.forces.block_reals
    add_tangent(path.block_scratch, ints, c, p, tree, loads, w, tan, path, _numbers(f, loads))


def plane_axes(sheave: Sheave) -> tuple[Array, Array, Array]:
    """Two axes in the plane of a sheave, and its axis, in the axes of its marker."""
    ez = axis_vector(sheave.axis)
    other = np.eye(3)[int(np.argmin(np.abs(ez)))]
    ex = np.cross(other, ez)
    ex /= np.linalg.norm(ex)
    return ex, np.cross(ez, ex), ez


def wrapped(angle: Any) -> Any:
    """An angle within a turn from -90 degrees on."""
    return (angle - LEAST_ARC) % (2.0 * np.pi) + LEAST_ARC


class Reeving(Force):
    r"""An elastic rope over sheaves of finite radius, tangent to each of them; without ends, a belt over pulleys.

    $$T = E A\,\varepsilon + \eta\,\dot\varepsilon, \qquad T_\text{in}\, e^{-\mu\varphi} \le T_\text{out} \le
    T_\text{in}\, e^{\mu\varphi}$$

    The rope has no mass. Sheaves without friction pass its tension on. On one with friction the law of Euler and
    Eytelwein holds, with the wrapped angle $\varphi$: the rope moves with the surface within the bounds, and slips
    exactly at them. A rope that is shorter than its unstretched length has no tension.

    Friction divides the rope into segments of one tension each; half of the arc on the sheave belongs to each. The arc
    in which a belt slips grows with the ratio of the tensions (creep theory). On the rest it moves with the pulley, and
    has the strain of the side from which it comes.

    Parameters
    ----------
    start:
        Marker or body at the beginning, or a `Sheave` on which the rope is wound: a drum that lets out rope as it
        turns. None, together with `end`, for a closed belt.
    sheaves:
        The sheaves in the order of the rope.
    end:
        Where it ends; as `start`.
    stiffness:
        Stiffness of the whole rope, $E A / \ell_0$.
    damping:
        Damping coefficient of the whole rope, $\eta / \ell_0$. With friction it must be positive: over the time
        damping / stiffness slip evens out tensions.
    length:
        Unstretched length $\ell_0$ between the ends, arcs included; if left out, the rope is just taut in the reference
        configuration. At the start all segments have the same strain there.
    """

    kind = "reeving"
    units: ClassVar = {"stiffness": "N/m", "damping": "N s/m", "length": "m"}
    INTEGERS = INTEGERS
    REALS = REALS
    repeats_bodies: ClassVar[bool] = True
    complex_numbers: ClassVar[bool] = False  # its states have rates by these numbers, too
    law = staticmethod(_reeving)
    tangent = staticmethod(_reeving_tangent)

    def __init__(
        self,
        start: RopeEnd = None,
        sheaves: Sequence[Sheave] = (),
        end: RopeEnd = None,
        stiffness: float = math.nan,
        damping: float = 0.0,
        length: float | None = None,
    ):
        self.start, self.sheaves, self.end = start, sheaves, end
        self.stiffness, self.damping, self.length = stiffness, damping, length
        self._reference_length = float("nan")

    @property
    def closed(self) -> bool:
        """Whether it is a belt."""
        return self.start is None and self.end is None

    def points(self) -> list[Sheave]:
        """Ends and sheaves in their order; fixed ends as eyes."""
        ends = [
            each if isinstance(each, Sheave) else Sheave(each, 0.0)
            for each in (self.start, self.end)
            if each is not None
        ]
        return list(self.sheaves) if self.closed else [ends[0], *self.sheaves, ends[-1]]

    def roles(self) -> list[int]:
        """What each point is."""
        found = [NODE if each.friction > 0.0 else EYE for each in self.points()]
        if not self.closed:
            found[0] = DRUM if isinstance(self.start, Sheave) else END
            found[-1] = DRUM if isinstance(self.end, Sheave) else END
        return found

    def markers(self) -> Iterable[tuple[str, Reference]]:
        """All points, in order."""
        names = ["sheaves"] * len(self.sheaves)
        names = names if self.closed else ["start", *names, "end"]
        return tuple((name, each.marker) for name, each in zip(names, self.points(), strict=True))

    def faults(self) -> list[Fault]:
        found = number_faults(positive_stiffness=self.stiffness, positive_damping=self.damping)
        if self.length is not None:
            found += number_faults(positive_length=self.length)
        sheaves: Any = self.sheaves
        if not isinstance(sheaves, Sequence) or not all(isinstance(each, Sheave) for each in sheaves):
            return [*found, Fault("sheaves is a list of dt.Sheave(marker, radius=...)", "sheaves")]
        if (self.start is None) != (self.end is None):
            text = "give start and end of a rope; a closed belt has none of them"
            return [*found, Fault(text, "start" if self.start is None else "end")]
        for each in self.points():
            found += each.faults()
        if found:
            return found
        for name in ("stiffness", "length"):
            if getattr(self, name) == 0.0:
                found.append(Fault(f"{name} is 0; give a positive number", name))
        rough = any(each.friction > 0.0 for each in sheaves)
        if rough and self.damping == 0.0:
            text = (
                "a rope with friction needs damping > 0: slip evens out its tensions over the time damping / stiffness"
            )
            found.append(Fault(f"{text}; 1e-3 s times the stiffness is usual", "damping"))
        if self.closed and (len(sheaves) < 2 or not rough):
            found.append(Fault("a closed belt runs over two pulleys or more, one of them with friction", "sheaves"))
        for name, drum in (("start", self.start), ("end", self.end)):
            if isinstance(drum, Sheave) and (drum.radius == 0.0 or drum.side is None or drum.friction or drum.turns):
                text = "a drum on which the rope is wound has a radius and a side, no friction and no turns"
                found.append(Fault(text, name))
        return found

    def own_states(self, name: str) -> Mapping[str, str]:
        """Rope that has passed sheaves with friction and left drums [m], from start to end."""
        count = sum(role in (NODE, DRUM) for role in self.roles())
        return {f"{name}.passed{k + 1 if count > 1 else ''}": "m" for k in range(count)}

    def placed_faults(self, pose_of: Callable[[Reference], Pose]) -> list[Fault]:
        """Sheaves that overlap, and those of which it cannot be seen how the rope runs around."""
        return self._drawn(pose_of)[2]

    def sides(self, pose_of: Callable[[Reference], Pose]) -> list[int]:
        """To which side the rope runs around each point."""
        return self._drawn(pose_of)[0]

    def _drawn(self, pose_of: Callable[[Reference], Pose]) -> tuple[list[int], Array, list[Fault]]:
        """In the reference configuration: sides, of each span its length and angles at both ends, and faults."""
        points = self.points()
        poses = [pose_of(each.marker) for each in points]
        places = np.array([np.asarray(pose.position) for pose in poses])
        sides: list[int] = []
        faults: list[Fault] = []
        rows = np.zeros((len(points), 11))
        for k, each in enumerate(points):
            ex, ey, ez = (np.asarray(poses[k].rotation.matrix) @ axis for axis in plane_axes(each))
            side, fault = self._side(each, places[k - 1], places[k], places[(k + 1) % len(points)], ez)
            sides.append(side)
            faults += [fault] if fault else []
            rows[k] = (*places[k], *ex, *ey, each.radius, side)
        spans = np.zeros((len(points) - 1 + self.closed, 3))
        if not faults:
            reference_spans(rows, spans)
        for k in np.flatnonzero(~np.isfinite(spans).all(axis=1)):
            a, b = name_of(points[k].marker), name_of(points[(k + 1) % len(points)].marker)
            text = f'no rope is tangent to both "{a}" and "{b}": they overlap, or their axes are across the rope'
            faults.append(Fault(f"{text}; check radii, places and axes", "sheaves"))
        return sides, spans, faults

    def _side(self, sheave: Sheave, before: Array, here: Array, behind: Array, axis: Array) -> tuple[int, Fault | None]:
        """To which side the rope runs around a point."""
        if sheave.side is not None or sheave.radius == 0.0:
            return sheave.side or 1, None
        a, b, name = here - before, behind - here, name_of(sheave.marker)
        normal = np.cross(a, b)
        bend, along = float(np.linalg.norm(normal)), float(np.dot(axis, normal))
        if bend <= 1e-9 * float(np.linalg.norm(a) * np.linalg.norm(b)):
            text = f'the rope does not bend at "{name}" in the reference configuration'
            return 1, Fault(f"{text}; say by side=1 or side=-1 how it runs around", "sheaves")
        if abs(along) < 0.5 * bend:
            angle = np.degrees(np.arccos(abs(along) / bend))
            text = (
                f'the axis of "{name}" is {angle:.0f} degrees off the normal of the plane in which the rope bends there'
            )
            return 1, Fault(f'{text}; give its axis (axis="y"), or its side', "sheaves")
        return (1 if along > 0.0 else -1), None

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        points, roles = self.points(), self.roles()
        frames = [plane_axes(each) for each in points]
        sides, spans, faults = self._drawn(compiler.reference_pose)
        if faults:
            raise ValueError("; ".join(fault.text for fault in faults))
        flows, segments, lengths = self._divided(points, roles, sides, spans)
        self._reference_length = float(lengths.sum())
        names = self.state_names
        header = {
            "points": len(points), "closed": int(self.closed), "flows": len(lengths) + (not self.closed),
            "segments": len(lengths), "first_state": compiler.state(names[0]) if names else 0,
        }  # fmt: skip
        integers: list[int] = [*(dict.fromkeys(HEADER, 0) | header).values()]
        numbers: list[float] = []
        for k, each in enumerate(points):
            integers += [compiler.marker(each.marker), sides[k], roles[k], flows[k], segments[k]]
            numbers += [each.radius, each.friction, 2.0 * np.pi * each.turns, *frames[k][0], *frames[k][1]]
        numbers += [*(lengths / lengths.sum())]
        counts = len(points), header["flows"], header["segments"]
        block = compiler.block(
            np.array(integers, np.int64), np.array(numbers), lambda nv, nz: scratch_size(*counts, nv)
        )
        return {INTEGERS[BLOCK]: block}

    def _divided(
        self, points: Sequence[Sheave], roles: Sequence[int], sides: Sequence[int], spans: Array
    ) -> tuple[list[int], list[int], Array]:
        """Node of each point (-1: none), segment of the span that begins there, and lengths of the segments."""
        nodes = [k for k, role in enumerate(roles) if role == NODE]
        count = len(nodes) + (not self.closed)
        flows = [-1] * len(points)
        for n, k in enumerate(nodes):
            flows[k] = n + (not self.closed)
        if not self.closed:
            flows[0], flows[-1] = 0, count
        segments: list[int] = []
        now = count - 1 if self.closed else 0
        for k in range(len(points)):
            now = flows[k] if roles[k] == NODE else now
            segments.append(min(now, count - 1))
        lengths = np.zeros(count)
        for k, (long, _, _) in enumerate(spans):
            lengths[segments[k]] += long
        for k, role in enumerate(roles):
            if role in (NODE, EYE):
                arc = wrapped(sides[k] * (spans[k % len(spans)][1] - spans[k - 1][2])) + 2.0 * np.pi * points[k].turns
                lengths[segments[k - 1]] += 0.5 * points[k].radius * arc
                lengths[segments[k]] += 0.5 * points[k].radius * arc
        return flows, segments, lengths

    def reals(self) -> Mapping[str, float]:
        length = self._reference_length if self.length is None else self.length
        return {"stiffness": self.stiffness, "damping": self.damping, "length": length}

    def written(self, integers: Any, blocks: Any) -> tuple[int, int]:
        """See `Force.written`."""
        p = int(integers[BLOCK])
        points, flows, segments = (int(blocks[p + HEADER.index(name)]) for name in ("points", "flows", "segments"))
        return int(blocks[p + SCRATCH]), scratch_size(points, flows, segments, 0)

    def out_of_range(self, seen: Seen) -> tuple[int, str] | None:
        view = _View(self)
        if view.arcs:
            angles = view.wrap_angle(seen)
            off = np.argwhere(angles < 0.0)
            if len(off):
                row, k = off[0]
                name = name_of(self.points()[view.arcs[k]].marker)
                return int(row), (
                    f'the rope lifts off the sheave at "{name}", which it wraps by '
                    f"{np.degrees(angles[row, k]):.3g} degrees: a rope that leaves a sheave is "
                    "no part of the law; end the run before by an event, or lead the rope otherwise"
                )
        return None

    def channels(self, model: Any) -> Mapping[str, ForceChannel]:
        """Length and speed of the rope; tensions of segments, wrapped angles, slips and slip arcs of sheaves."""
        view = _View(self)
        found = {
            "length": ForceChannel("m", 1, view.length),
            "speed": ForceChannel("m/s", 1, view.speed),
            "tension": ForceChannel("N", view.segments, view.tension),
        }
        if view.arcs:
            found["wrap_angle"] = ForceChannel("rad", len(view.arcs), view.wrap_angle)
        if view.nodes:
            found["slip"] = ForceChannel("m/s", len(view.nodes), view.slip)
            found["slip_angle"] = ForceChannel("rad", len(view.nodes), view.slip_angle)
        return found


class _View:
    """Channels from the numbers that the law wrote."""

    def __init__(self, force: Reeving):
        self.points, self.roles = force.points(), force.roles()
        self.closed = force.closed
        self.spans = len(self.points) - 1 + self.closed
        self.arcs = [k for k, role in enumerate(self.roles) if role in (NODE, EYE) and self.points[k].radius > 0.0]
        self.nodes = [k for k, role in enumerate(self.roles) if role == NODE]
        self.segments = len(self.nodes) + (not self.closed)
        self.flows = self.segments + (not self.closed)
        self.first = SPAN * len(self.points)

    def length(self, seen: Seen) -> Array:
        return seen.written[:, self.first : self.first + self.segments].sum(axis=1, keepdims=True)

    def speed(self, seen: Seen) -> Array:
        first = self.first + self.segments
        return seen.written[:, first : first + self.segments].sum(axis=1, keepdims=True)

    @property
    def _outputs(self) -> int:
        return self.first + 2 * self.segments + 3 * self.flows

    def tension(self, seen: Seen) -> Array:
        return seen.written[:, self._outputs : self._outputs + self.segments]

    def wrap_angle(self, seen: Seen) -> Array:
        return seen.written[:, [SPAN * k + ARC for k in self.arcs]]

    def slip(self, seen: Seen) -> Array:
        first = self._outputs + self.segments + self.flows + PER_SEGMENT * self.segments
        flows = [k + (not self.closed) for k in range(len(self.nodes))]
        return np.stack([seen.written[:, first + PER_FLOW * n + SLIP] for n in flows], axis=1)

    def slip_angle(self, seen: Seen) -> Array:
        tension = self.tension(seen)
        found: list[Array] = []
        for n, k in enumerate(self.nodes):
            a, b = (tension[:, n - 1], tension[:, n]) if self.closed else (tension[:, n], tension[:, n + 1])
            with np.errstate(divide="ignore", invalid="ignore"):
                found.append(np.nan_to_num(np.abs(np.log(b / a)), nan=0.0) / self.points[k].friction)
        return np.stack(found, axis=1)
