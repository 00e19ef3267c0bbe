"""What every force element supplies.

A type is one file: the class says which bodies, markers or joints it acts on; its law, a kernel, adds its wrenches to
the bodies and its generalised forces to the joints, and returns three numbers from the same evaluation,

    (potential energy [J], power that it supplies [W], power that it dissipates [W])

so that for every element   power on the bodies = supplied - dissipated - d(potential)/dt   holds at every instant.

Its `tangent`, a second kernel, subtracts the derivatives of these wrenches and forces by position, velocity and
first-order states from the matrices K, C and Z of `tan` (they belong to the side of M a in the equations of motion).
For an element between two markers `duoti.elements.body_pairs` says how; laws of the user's have their derivatives from
`duoti.elements.laws`. What both kernels have in common with those of other types is in `duoti.elements`.

The kernels of a type are compiled when a model first has such an element. A class in a script of one's own is as good
as a file of the package.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, Protocol

from duoti.model.element_id import Fault
from duoti.model.elements import JointElement, Reference, name_of
from duoti.model.forces.channels import LINE, ForceChannel, Seen, in_joint
from duoti.model.laws.law import Value
from duoti.model.roads.road import Road
from duoti.spatial import Pose
from duoti.spatial.axes import is_finite_number
from duoti.strict import Strict

BEAM_ELEMENTS = ("beam_element", "spectral_beam_element")
"""Kinds of elements that beams are made of: stiff, since they stretch much faster than they bend."""
SLENDER_ELEMENTS = (*BEAM_ELEMENTS, "thin_beam")
"""And what is less stiff: only the length of its pieces limits an explicit step."""


class Compiler(Protocol):
    """What the system compiler offers to a force element that writes its row of numbers."""

    def marker(self, reference: Reference) -> int:
        """Index of a marker."""
        ...

    def coordinate(self, joint: JointElement | str, coordinate: int) -> tuple[int, int]:
        """Where a joint's coordinate stands in q and in v."""
        ...

    def coordinates(self, joint: JointElement | str) -> tuple[int, int]:
        """Where a joint's rates begin in v, and how many they are."""
        ...

    def law(self, value: Value, local: Mapping[str, Any], outputs: int = 1) -> int:
        """Index of a law."""
        ...

    def table(self, rows: Any) -> tuple[int, int]:
        """Where the rows of a table begin and end."""
        ...

    def friction_slots(self, force: Force) -> tuple[int, int]:
        """Number of the first slot (`model.joint_friction`) of an element with such laws, and how many it has."""
        ...

    def limits(self, joint: JointElement | str) -> tuple[int, int]:
        """Where the table of the limits of a joint begins and ends: (coordinate, rate, lower, upper) in each row."""
        ...

    def block(
        self, integers: Any, numbers: Any, scratch: Callable[[int, int], int], lists: int = 0, shared: bool = False
    ) -> int:
        """Where integers and numbers beside the row will stand (`model.force_blocks`, which fills in the first three).

        scratch: how many numbers the kernels write, from those of rates nv and states nz; lists: how many integers.
        shared: all such elements may have the same scratch, since nothing in it is needed later.
        """
        ...

    def road(self, road: Road) -> int:
        """Where the block of a road begins (`duoti.elements.roads`): one for all elements on the same road."""
        ...

    def plane_of(self, references: Sequence[Reference], on_one: bool = False) -> int:
        """Which axis of these frames is the normal of a plane in which they are and move: 1 y, 2 z, 0 none.

        on_one: none, too, unless each moves by a single joint on what carries them all.
        """
        ...

    def state(self, name: str) -> int:
        """Place of a first-order state in z."""
        ...

    def law_inputs(self, law: int) -> tuple[str, ...]:
        """Names of the inputs of a law, in their order."""
        ...

    def beam(self, name: str) -> Any:
        """A beam of the model (`BeamPart`)."""
        ...

    def reference_pose(self, reference: Reference) -> Pose:
        """Pose of a marker or body in the world in the reference configuration."""
        ...

    def is_own_frame(self, reference: Reference) -> bool:
        """Whether a marker or body is the very frame of the row that it moves with."""
        ...

    def flexible_body(self, name: str) -> Any:
        """A flexible body and where it stands: `FlexibleAttachment`."""
        ...


class Force(Strict):
    """A type of force element; see the module's text."""

    kind: ClassVar[str]
    units: ClassVar[Mapping[str, str]] = {}
    """Units of parameters whose names alone do not say them: {"stiffness": "N m/rad or N/m"}; `constructor_schema`."""
    law: ClassVar[Callable[..., Any]]
    """Kernel `law(f, t, q, v, loads, w)` of force element f."""
    tangent: ClassVar[Callable[..., Any]]
    """Kernel `tangent(f, t, q, v, tree, loads, w, tan, path)` of force element f."""
    lanes_law: ClassVar[Callable[..., Any] | None] = None
    """The same for lanes (`kernel.lanes`), which cannot branch on the state: often `law` itself. It must not read the
    time. None: each lane is computed by itself.
    """
    lanes_laws: ClassVar[tuple[int, ...]] = ()
    """Places of the indices of laws that `lanes_law` evaluates by `arithmetic_law_value`; with others, elements are
    computed lane by lane.
    """
    INTEGERS: ClassVar[tuple[str, ...]] = ()
    """Names of the indices that the kernels read: `loads.forces.integers[f, place]`, in the order of their places."""
    REALS: ClassVar[tuple[str, ...]] = ()
    """Names of the numbers that the kernels read: `loads.forces.reals[f, place]`, in the order of their places."""

    implied: ClassVar[bool] = False
    """True if the program makes such elements from others of the model, and no file holds them."""
    world_axes: ClassVar[bool] = False
    """True if an element between two markers depends on more than how they are and move relative to each other."""

    @property
    def loses_unseen(self) -> bool:
        """Whether energy is lost where no force acts, so that the motion does not show it."""
        return False

    repeats_bodies: ClassVar[bool] = False
    """True if several of its markers may be on one body, so that its channels must not ask for the wrench of each."""

    complex_numbers: ClassVar[bool] = True
    """True if its law is the whole element and takes complex REALS, so that derivatives by them are exact."""

    near_place: ClassVar[int | None] = None
    """Place in INTEGERS of the block with the pairs of shapes of all such elements (`neighbour_list`), or -1."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        missing = [name for name in ("law", "tangent") if not hasattr(cls, name)]
        if "kind" in vars(cls) and missing:
            what = " and no kernel ".join(missing)
            raise TypeError(f"force element {cls.kind!r} has no kernel {what}; see duoti.model.forces.base")

    def markers(self) -> Iterable[tuple[str, Reference]]:
        """(parameter, reference) of the markers or bodies that it acts on."""
        return ()

    def joints(self) -> Iterable[tuple[str, JointElement | str]]:
        """(parameter, joint) of the joints that it acts on."""
        return ()

    def loaded_bodies(self) -> Iterable[str]:
        """Names of flexible bodies on whose nodes it acts, wherever these are."""
        return ()

    def driven_joints(self) -> Iterable[str]:
        """Names of joints that it actuates."""
        return ()

    def values(self) -> Iterable[tuple[str, Value, Mapping[str, Any], int]]:
        """(role, value, names of its own quantities, number of outputs) of the user's laws in it."""
        return ()

    def faults(self) -> list[Fault]:
        """What is wrong with its numbers, in words."""
        return []

    def placed_faults(self, pose_of: Callable[[Reference], Pose]) -> list[Fault]:
        """What is wrong with it as its markers stand in the reference configuration."""
        return []

    def left_out(self) -> Iterable[str]:
        """Parameters that mean nothing beside others that are given: no numbers of the model."""
        return ()

    def coupling(self, system: Any) -> Iterable[Iterable[int]] | None:
        """Groups of places in (v, z) that depend on each other by it, if it has states of its own; None: the usual."""
        return None

    def own_states(self, name: str) -> Mapping[str, str]:
        """Names and units of states whose rates its law writes, if the element is called `name`; zero at the start."""
        return {}

    state_names: tuple[str, ...] = ()
    """Names of these states, once it is in a model that is compiled."""

    def written(self, integers: Any, blocks: Any) -> tuple[int, int]:
        """Where in the scratch its law leaves what channels read, and how many numbers; from its row and all blocks."""
        return 0, 0

    def out_of_range(self, seen: Seen) -> tuple[int, str] | None:
        """Where states of a run leave the range in which its law holds: the first row, and what happens there."""
        return None

    def remark(self, seen: Seen) -> tuple[int, str] | None:
        """What there is to say of states of a run that its law can treat, if roughly: the first row, and what it is."""
        return None

    def channels(self, model: Any) -> Mapping[str, ForceChannel]:
        """What results have of it beside energies and powers, by name; `model` is the one that it is in."""
        return {}

    @abstractmethod
    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        """The indices that are named in `INTEGERS`."""

    def reals(self) -> Mapping[str, float]:
        """The numbers that are named in `REALS`; by default its attributes of these names."""
        return {name: getattr(self, name) for name in self.REALS}

    def __repr__(self) -> str:
        fields = ", ".join(f"{k}={_show(v)}" for k, v in vars(self).items())
        return f"{type(self).__name__}({fields})"


def _show(value: Any) -> str:
    return repr(name_of(value)) if hasattr(value, "name") else repr(value)


MARKER_A, MARKER_B = range(2)  # places of `LineElement.INTEGERS`


class LineElement(Force):
    """A force along the line between two markers."""

    INTEGERS = ("marker_a", "marker_b")
    marker_a: Reference
    marker_b: Reference

    def markers(self) -> Iterable[tuple[str, Reference]]:
        """Both ends."""
        return (("marker_a", self.marker_a), ("marker_b", self.marker_b))

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        return {"marker_a": compiler.marker(self.marker_a), "marker_b": compiler.marker(self.marker_b)}

    def channels(self, model: Any) -> Mapping[str, ForceChannel]:
        """Length, speed and tension."""
        return LINE


Q_INDEX, V_INDEX = range(2)  # places of `JointElementForce.INTEGERS`


class JointElementForce(Force):
    """A force that acts on one coordinate of a joint.

    `coordinate` counts the joint's velocity coordinates from 0; it may be left out if the joint has only one.
    """

    joint: JointElement | str
    coordinate: int | None
    INTEGERS = ("q_index", "v_index")
    reads_position: ClassVar[bool] = False
    """True if the law needs the coordinate itself, which an angular velocity is not the rate of."""

    def joints(self) -> Iterable[tuple[str, JointElement | str]]:
        """The joint."""
        return (("joint", self.joint),)

    @property
    def own_quantities(self) -> dict[str, Any]:
        """Names under which the law knows the joint's own coordinate and rate."""
        here = (self.joint, 0 if self.coordinate is None else self.coordinate)
        return {"q": ("q", *here), "v": ("v", *here)}

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        k, j = compiler.coordinate(self.joint, self.coordinate or 0)
        return {"q_index": k, "v_index": j}

    def channels(self, model: Any) -> Mapping[str, ForceChannel]:
        """The torque or force."""
        return in_joint(model.joints.get(name_of(self.joint)), self.coordinate or 0)  # pyright: ignore[reportArgumentType]


def number_faults(**numbers: float | None) -> list[Fault]:
    """Faults of arguments that must be finite numbers; those named `positive_...` must not be negative either."""
    found: list[Fault] = []
    for key, value in numbers.items():
        if type(value) is float and 0.0 <= value < math.inf:
            continue
        name = key.removeprefix("positive_")
        if not is_finite_number(value):
            found.append(Fault(f"{name} is {value!r}; give a finite number", name))
        elif key.startswith("positive_") and value < 0.0:  # pyright: ignore[reportOptionalOperand]
            found.append(Fault(f"{name} is {value}; it must not be negative", name))
    return found
