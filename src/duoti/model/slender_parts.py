"""What is long and thin in a model: beams, cables, rods in segments."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from numpy.typing import ArrayLike

from duoti.model.beam import Beam
from duoti.model.element_id import ElementKind
from duoti.model.laws import Value
from duoti.spatial.axes import Axis
from duoti.strict import explained_methods

if TYPE_CHECKING:
    from duoti.model.beam_part import BeamPart
    from duoti.model.cable import Cable
    from duoti.model.model import Model
    from duoti.model.segments import Segments


@explained_methods
class SlenderParts:
    """The methods of `Model` that add such parts, each of which becomes bodies, joints and forces."""

    beams: dict[str, BeamPart]
    cables: dict[str, Cable]
    segments: dict[str, Segments]

    def _add(self, kind: ElementKind, where: dict[str, Any], name: str, item: Any) -> Any:
        raise NotImplementedError

    def _model(self) -> Model:
        return cast("Model", self)

    def add_beam(
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
    ) -> BeamPart:
        """Add a beam that may bend, twist, stretch and move as far as it likes; it has no stress as it is drawn.

        From `start` to `end` [m, world], or along `centreline`: points (n, 3), a function of 0..1, or three expressions
        of `s` (0..1); if it closes, the beam is a ring. `up`: where z of the section points. `elements`: their number
        (16, or one between any two points); errors fall with its square. `twist` [rad]: of the section about the axis,
        at the end (linear between), or an expression of s. `taper`: what the beam is made of at its end (`beam` may
        also be a function of 0..1). `places`: names of further nodes and the part of the length at which they are.
        `velocity` [m/s] of the start and `angular_velocity` [rad/s]: how the whole beam moves at first. `short_ends`:
        elements at both ends and beside places are 0.707 times as long as the others, which makes frequencies ten times
        as accurate; its nodes are not at equal distances then (rings and given points stay as they are).
        `order` 2 to 8: elements with that many nodes more than one, at the points of Gauss and Lobatto; of order p,
        frequencies are right to the power 2 p of the elements' length, and a beam of few nodes is much more accurate
        (16 nodes beside the first one are usual then, too).

        The nodes `.start`, `.end`, `.nodes` are bodies "name.start", "name.node1", ..., "name.end": join them to
        others, load them, look at them. Their x is along the beam. Weight acts by itself; `dt.BeamLoad` is a load per
        length.
        """
        _require(SlenderParts.add_beam, "beam", locals())
        from duoti.model.add_beam import add_beam
        from duoti.model.beam_part import BeamPart

        part = BeamPart(
            name, beam, start, end, up, elements, centreline, twist, taper, places, velocity, angular_velocity,
            short_ends, order,
        )  # fmt: skip
        if name not in self.beams:
            add_beam(self._model(), part)
        return self._add("beam", self.beams, name, part)

    def add_cable(
        self,
        name: str,
        start: Any,
        end: Any,
        stiffness: float,
        mass_per_length: float,
        length: float | None = None,
        elements: int = 20,
        bending_stiffness: float = 0.0,
        damping_time: float = 0.0,
        slack: bool = True,
        thin: bool = False,
    ) -> Cable:
        """Add a cable that stretches and has weight, from `start` to `end`: each a point (x, y, z) [m, world], where
        it is free, or a body or marker, to which it is fixed.

        stiffness: E A [N]; mass_per_length [kg/m]; length [m] without stress, by default the distance of the ends: a
        longer cable sags at first as a catenary. damping_time [s]: of stretching, as in `dt.Beam`. slack: it only
        pulls; otherwise its elements push as well. bending_stiffness: E I [N m²]; with it the elements are
        `dt.beams.BeamElement` (straight without stress), which twist with the same stiffness and push as well; with
        `thin` it is one `dt.beams.ThinBeam` "name.line" instead, through nodes that are points (elements at both ends
        are shorter, by 0.707): it does not twist, is hinged where it is fixed, and suits explicit solvers. The
        nodes "name.start", "name.node1", ..., "name.end" are bodies, the forces between them "name.element1", ... (of
        a thin one, its dampers "name.damper1", ..., if it has a damping_time).
        """
        _require(SlenderParts.add_cable, "cable", locals())
        from duoti.model.cable import add_cable

        cable = add_cable(
            self._model(), name, start, end, stiffness, mass_per_length, length, elements, bending_stiffness,
            damping_time, slack, thin,
        )  # fmt: skip
        return self._add("cable", self.cables, name, cable)

    def add_segments(
        self,
        name: str,
        beam: Beam,
        start: ArrayLike,
        end: ArrayLike,
        segments: int = 8,
        up: Axis = "z",
        stretch: bool = False,
    ) -> Segments:
        """Add a straight rod, beam or shaft as rigid segments with equivalent springs (Huston & Liu, chapter 11).

        Its N equal parts bend and twist (and, with `stretch`, become longer) each in a joint in its middle; between
        these it is rigid. Relative coordinates: few unknowns, exact rigid motion; no shear, and errors of large
        deformations fall with N² like those of small ones. `m.add_beam` is the beam itself. The bodies "name.start"
        (origin at `start` [m, world]), "name.segment1", ..., "name.end" (origin at `end`) are joined by "name.joint1",
        ...; hold or load them as you like. x is along the beam, z towards `up`.
        """
        _require(SlenderParts.add_segments, "segments", locals())
        from duoti.model.segments import add_segments

        made = add_segments(self._model(), name, beam, start, end, segments, up, stretch)  # pyright: ignore[reportArgumentType]
        return self._add("segments", self.segments, name, made)


def _require(method: Callable[..., Any], kind: ElementKind, given: Mapping[str, Any]) -> None:
    from duoti.model.check_fields import require_arguments

    require_arguments(method, kind, given)
