"""`System`: a model compiled into flat arrays, with the book-keeping that leads from names to indices and back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np

from duoti.model.checks.findings import Report, counted
from duoti.model.element_id import ElementId
from duoti.model.equations import EquationKind
from duoti.model.errors import ChannelError, ModelError
from duoti.model.forces.base import Force
from duoti.model.laws.callbacks import Callbacks
from duoti.model.laws.law import Law
from duoti.model.model import Model
from duoti.model.parameters import Parameter
from duoti.strict import explained_methods
from duoti.system.arrays import ENERGY_ACCUMULATORS, Closures, Ints, Loads, Reals, Tree
from duoti.system.compile.flexible_bodies import FlexibleLayout
from duoti.system.flexible_arrays import Flex
from duoti.topology import Topology


class FrameKey(NamedTuple):
    """A frame on a body: that of a marker or of a body itself, or one side of a joint or constraint."""

    element: ElementId
    side: Literal["", "parent", "child", "closing parent", "closing child", "a", "b"] = ""
    """Of a joint: on the user's parent and child, and, if it is cut, those that its equations are written in."""


class EventSet(NamedTuple):
    """What an event sets: a law, and which states (numbers in z) get its values."""

    law: int
    states: tuple[int, ...]


class JointLayout(NamedTuple):
    """Where a user's joint is in the compiled form.

    q, v: indices of its coordinates and velocities, in the user's order. body: link of its outboard body, -1 if the
    joint has no link of its own (it is cut, or a weld whose two bodies share a link); parent_marker and
    child_marker: indices of its frames on the user's parent and child; reversed: the tree runs against the user's
    direction.
    """

    q: Ints
    v: Ints
    body: int
    parent_marker: int
    child_marker: int
    reversed: bool
    closure: int = -1
    """Number of the closure if the joint is cut; then it has no coordinates of its own."""
    shadow_weld: int = -1
    """Number of the closure that holds the halves of a split body together, if the joint is cut and keeps its
    coordinates (`system.compile.tree_bodies`)."""
    fused: bool = False
    """The joint welds two bodies that share a link."""

    @property
    def cut(self) -> bool:
        """Whether a loop is closed at this joint."""
        return self.closure >= 0 or self.shadow_weld >= 0


def require_system(thing: object) -> None:
    """Raise TypeError if something that should be a compiled model is none."""
    if not isinstance(thing, System):
        raise TypeError(f"{thing!r} is not a compiled model; give what dt.compile(model) makes")


@explained_methods
@dataclass(frozen=True, eq=False)
class System:
    """A compiled model: flat arrays and names. Read-only; compile again when the model changes.

    Attributes
    ----------
    coordinate_names:
        Names of the coordinates, in the order of q.
    rate_names:
        Names of the velocities, in the order of v.
    model:
        The model.
    topology:
        Graph, tree and cut joints.
    """

    model: Model
    tree: Tree
    loads: Loads
    closures: Closures
    joints: dict[str, JointLayout]
    bodies: dict[str, int]
    """Row of each body; bodies that are welded together share one."""
    markers: dict[FrameKey, int]
    """Index of each marker, of each body's own frame, and of the frames of joints and constraints on either side."""
    coordinate_names: tuple[str, ...]
    rate_names: tuple[str, ...]
    stack_depth: int
    callbacks: Callbacks = field(default_factory=Callbacks)
    topology: Topology | None = None
    virtual: dict[str, JointLayout] = field(default_factory=dict[str, JointLayout])
    """Free joints that the program added, by the name of their body."""
    law_owners: tuple[ElementId, ...] = ()
    """What each law belongs to: a force, constraint, state or event."""
    closure_names: tuple[ElementId, ...] = ()
    """What each closure is: a joint that is cut, or a constraint."""
    force_types: tuple[type[Force], ...] = ()
    """Types of the force elements, by the numbers in `loads.forces.kind`."""
    equation_kinds: tuple[type[EquationKind], ...] = ()
    """Kinds of the rows of the closures, by the numbers in `closures.equation_kind`."""
    event_sets: dict[str, tuple[EventSet, ...]] = field(default_factory=dict[str, tuple[EventSet, ...]])
    """What each event sets."""
    laws: tuple[Law, ...] = ()
    """The laws that `law_owners` own."""
    flexible: dict[str, FlexibleLayout] = field(default_factory=dict[str, "FlexibleLayout"])
    """Flexible bodies: where their modal coordinates and interfaces are."""
    flex: Flex | None = None
    """The same as arrays, for the law of these bodies."""
    lacking: Report | None = None
    """What is missing for accelerations (masses at the ends of chains); positions and velocities are known anyway."""
    reads_places: bool = False
    """Whether numbers of force elements were computed from where frames are in the reference configuration."""
    found_parameters: dict[str, Parameter] = field(default_factory=dict[str, "Parameter"])
    """Meanings of names of parameters that were asked for, shared with the systems that have other numbers."""

    def with_parameters(self, changes: Mapping[str, Any] | None = None, /, **named: float) -> System:
        """The same system with other numbers, in a fraction of a millisecond: for sweeps and optimisation.

        Names are those of parameters: "k" (read by expressions), "gravity.z", "rod.mass", "spring.stiffness", "A.q0",
        "tip.position.x"; or whole fields, "gravity", "rod.inertia", "tip.position". Where several elements have the
        name, write "force:spring.stiffness".

        The tree stays. Places, constraints and tables make the arrays anew. This system and its model stay as they are.
        """
        from duoti.system.parameters import with_parameters

        return with_parameters(self, {**(changes or {}), **named})

    @property
    def nq(self) -> int:
        """Number of position coordinates."""
        return self.tree.nq

    @property
    def nv(self) -> int:
        """Number of rates: the degrees of freedom of the tree."""
        return self.tree.nv

    @property
    def nz(self) -> int:
        """Number of first-order states."""
        return self.tree.nz

    @property
    def state_names(self) -> tuple[str, ...]:
        """Names of the first-order states, in the order of z."""
        return tuple(self.model.states)

    def require_dynamics(self) -> None:
        """Raise ModelError, with the names of all that lacks mass, before something that needs accelerations."""
        if self.lacking is not None:
            raise ModelError(Report(self.lacking.model, self.lacking.errors))

    def require_mass(self) -> None:
        """The same before something that needs masses, if no body has any."""
        if not self.model.mass:
            self.require_dynamics()

    def initial_state(self) -> tuple[Reals, Reals]:
        """q and v of the user's initial values; zero (the reference configuration) where none were given."""
        from duoti.model.elements import initial_values, modal_values

        q, v = np.zeros(self.nq), np.zeros(self.nv)
        q[self.tree.quat_q] = 1.0
        for name, layout in self.joints.items():
            element = self.model.joints[name]
            if layout.closure >= 0:
                continue
            if element.q0 is not None:
                q[layout.q] = initial_values(element.joint, element.q0, False)
            if element.v0 is not None:
                v[layout.v] = initial_values(element.joint, element.v0, True)
        for name, flexible in self.flexible.items():
            body = self.model.bodies[name]
            q[flexible.q], v[flexible.v] = (
                modal_values(body.q0, len(flexible.q)),
                modal_values(body.v0, len(flexible.v)),
            )
        return q, v

    @cached_property
    def unfused(self) -> System:
        """The same system with a link for every body, for the reactions of welds; made when it is first asked for.

        Its states are the same, number by number: welds have no coordinates.
        """
        if not any(layout.fused for layout in self.joints.values()):
            return self
        from duoti.system.compile.compiler import build_system

        assert self.topology is not None
        return build_system(self.model, self.topology, fuse=False)

    def initial_z(self) -> Reals:
        """Initial values of the first-order states."""
        return np.array([state.initial for state in self.model.states.values()], dtype=float)

    def whole_state(self, q: Reals, v: Reals, z: Reals | None = None) -> Reals:
        """y = (q, v, z, work supplied, energy dissipated) with z as it starts if not given, and no works yet."""
        return np.concatenate([q, v, self.initial_z() if z is None else z, np.zeros(ENERGY_ACCUMULATORS)])

    def state(
        self,
        values: dict[str, Any] | None = None,
        rates: dict[str, Any] | None = None,
        t: float = 0.0,
        guess: dict[str, Any] | None = None,
    ) -> tuple[Reals, Reals]:
        """Coordinates and velocities with the named joints set, and closed loops.

        Named values are held, and so are the initial values of the model that do not contradict them. All others follow
        from loops, constraints and prescribed motions. Raises `ModelError` with the names of what cannot be closed.

        Parameters
        ----------
        values, rates:
            Joint → coordinates or velocities: a number, a list, or a mapping from coordinate names.
        t:
            Time [s].
        guess:
            Further values from which the assembly begins: they choose the branch of a mechanism.
        """
        from duoti.analyses.states.consistent import state_of

        return state_of(self, values, rates, t, guess)

    def with_one_force(self, f: int) -> System:
        """The same system with force element number f alone."""
        forces = self.loads.forces
        one = forces._replace(
            count=1, kind=forces.kind[f : f + 1], integers=forces.integers[f : f + 1], reals=forces.reals[f : f + 1]
        )
        return replace(self, loads=self.loads._replace(forces=one))

    def marker_index(self, name: str) -> int:
        """Index of a marker, or of a body's own frame."""
        for kind in ("marker", "body"):
            if (key := FrameKey(ElementId(kind, name))) in self.markers:
                return self.markers[key]
        raise ChannelError(f'there is no marker or body "{name}"')

    def __repr__(self) -> str:
        freedom = counted(self.nv, "degree of freedom", "degrees of freedom")
        return f"<system {self.model.name!r}: {counted(self.tree.nb - 1, 'link')}, {freedom}>"
