"""`Model`: the editable description of a mechanical system."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from duoti.flexible.body import Flexible
from duoti.model.beams.beam_section import Beam
from duoti.model.checks.findings import SourceLocation, counted
from duoti.model.constraints.base import Constraint
from duoti.model.contacts.base import ContactLaw
from duoti.model.contacts.element import ContactElement, Side
from duoti.model.element_id import KINDS, ElementId, ElementKind
from duoti.model.elements import GROUND, Body, JointElement, Marker, Reference, name_of
from duoti.model.event import Event
from duoti.model.file_source import Source
from duoti.model.forces.base import Force
from duoti.model.import_note import ImportNotes
from duoti.model.joints import Joint
from duoti.model.laws.expressions.lookup_table import Table
from duoti.model.laws.law import Function, Value
from duoti.model.sections import further_sections
from duoti.model.sensors import Sensor
from duoti.model.state import State
from duoti.spatial import Inertia, Shape
from duoti.spatial.axes import MISSING, Axis
from duoti.strict import Strict, explained_methods

if TYPE_CHECKING:
    from duoti.model.beams.beam import BeamPart
    from duoti.model.beams.cable import Cable
    from duoti.model.beams.segments import Segments
    from duoti.model.controller import Controller
    from duoti.model.fmu import FMU
    from duoti.model.linear_oscillators import SecondOrderSystem


def _require(method: Callable[..., Any], kind: ElementKind, given: Mapping[str, Any]) -> None:
    from duoti.model.checks.parameters import require_arguments

    require_arguments(method, kind, given)


def require_model(thing: object) -> None:
    """Raise TypeError if something that should be a model is none."""
    if not isinstance(thing, Model):
        raise TypeError(f"{thing!r} is not a model; give a dt.Model, or what dt.load reads from a file")


@explained_methods
class Model(Strict):
    """A mechanism: bodies, joints, forces, constraints, contacts, states and events.

    Nothing is checked while the model is described, so references may come before what they refer to. `dt.check(model)`
    reports all errors at once; `dt.simulate` refuses a model with errors. Bodies, joints and markers are given as the
    objects that the `add_...` methods return, or by name.

    Parameters
    ----------
    name:
        Name for messages and files.
    gravity:
        Acceleration of gravity [m/s²] in world axes.
    parameters:
        Named numbers that expressions may use.

    Attributes
    ----------
    ground:
        The body that does not move; joints and markers refer to it.
    bodies, markers, joints, forces, constraints, contacts, states, events:
        The elements by name.
    parameters:
        Named numbers that expressions read.
    gravity:
        Acceleration of gravity [m/s²] in world axes.
    tasks:
        What the model file asks for, by name (`simulate`, `analyses`, ...).
    """

    def __init__(
        self,
        name: str = "model",
        gravity: ArrayLike = (0.0, 0.0, -9.81),
        parameters: Mapping[str, float] | None = None,
    ):
        self.name = name
        self.gravity: Any = gravity
        self.parameters: dict[str, float] = dict(parameters or {})
        self.ground = Body(GROUND, None)
        self.bodies: dict[str, Body] = {}
        self.markers: dict[str, Marker] = {}
        self.joints: dict[str, JointElement] = {}
        self.forces: dict[str, Force] = {}
        self.constraints: dict[str, Constraint] = {}
        self.contacts: dict[str, ContactElement] = {}
        self.beams: dict[str, BeamPart] = {}
        self.cables: dict[str, Cable] = {}
        self.segments: dict[str, Segments] = {}
        self.second_order_systems: dict[str, SecondOrderSystem] = {}
        self.controllers: dict[str, Controller] = {}
        self.fmus: dict[str, FMU] = {}
        self.events: dict[str, Event] = {}
        self.states: dict[str, State] = {}
        self.tables: dict[str, Table] = {}
        self.bond_graphs: dict[str, Any] = {}
        self.sensors: dict[str, Sensor]  # a further section
        self.expansion: Any = None
        """Of a copy in which the bond graphs are put in (`model.expand_bond_graphs`): where it comes from."""
        self.left_out: frozenset[ElementId] = frozenset()
        """Of a copy that `without` made: what it lacks."""
        self.duplicates: list[ElementId] = []
        """(kind, name) of everything that was added under a name already taken."""
        self.tasks: dict[str, Any] = {}
        """What a model file asks for (`simulate`, `plots`, ...), as plain data; `run_tasks` does it."""
        self.source_locations: dict[tuple[str, ...], SourceLocation] = {}
        """Lines of the model file: of each element, (section, name), and of each of its keys."""
        self.sources: dict[tuple[str, ...], Source] = {}
        """How the model file wrote values that it computes (`=2*r`, `12 mm`), for `save`."""
        self.mesh_folders: tuple[Path, ...] | None = None
        """Where meshes are read from to draw them; None: anywhere, as for a model that a script builds."""
        self.import_notes = ImportNotes()
        self.imported = False  # from a robot description; simulated with solver="auto" by default
        """What an importer left out or changed; empty for a model that was not imported."""
        for section in further_sections():
            if hasattr(self, section.name):
                raise ValueError(f'section "{section.name}": a model has something else of this name; choose another')
            vars(self)[section.name] = {}

    def add_body(
        self,
        name: str,
        inertia: Inertia | Flexible | None,
        position: ArrayLike | None = None,
        rotation: Any = None,
        shapes: Iterable[Shape] = (),
        q0: Any = None,
        v0: Any = None,
    ) -> Body:
        """Add a rigid body, or a flexible one.

        Parameters
        ----------
        name:
            Name of the body.
        inertia:
            Mass and inertia (`dt.Inertia`) in the frame of the body, or a flexible body (`dt.Flexible`).
        position:
            Origin of the body frame [m] in the world, in the reference configuration.
        rotation:
            Its orientation: a `dt.Rotation`, a 3x3 matrix or a quaternion (scalar first).
        shapes:
            What to draw, and what contacts touch, in the frame of the body; by default the shapes of the inertia.
        q0, v0:
            Initial modal coordinates and velocities of a flexible body: a list, or a mapping from the number of a mode.
        """
        return self._add("body", self.bodies, name, Body(name, inertia, position, rotation, list(shapes), q0, v0))

    def add_marker(
        self,
        name: str,
        body: Body | str,
        position: ArrayLike = (0.0, 0.0, 0.0),
        rotation: Any = None,
        interface: str | None = None,
    ) -> Marker:
        """Add a frame fixed in a body or in ground.

        Parameters
        ----------
        name:
            Name of the marker.
        body:
            The body.
        position:
            Origin [m] in the frame of the body.
        rotation:
            Orientation in the frame of the body: a `dt.Rotation`, a 3x3 matrix or a quaternion (scalar first).
        interface:
            Interface of a flexible body; the marker then moves with it, and is placed in its frame.
        """
        if interface is not None and isinstance(body, str):
            body = self.bodies.get(body, body)  # whose interface it is
        return self._add("marker", self.markers, name, Marker(name, body, position, rotation, interface))

    def add_joint(
        self,
        name: str,
        joint: Joint,
        parent: Reference,
        child: Reference,
        at: ArrayLike | None = None,
        q0: Any = None,
        v0: Any = None,
        limits: Sequence[Any] | None = None,
        rotor_inertia: Any = None,
        effort_limit: Any = None,
        velocity_limit: Any = None,
    ) -> JointElement:
        """Join two bodies.

        Without markers, the joint is at a world point of the reference configuration, with axes in world coordinates.
        With markers, its axes are in the coordinates of the markers, and the markers coincide when all coordinates are
        zero. If only one side is a marker, the joint is at that marker.

        Parameters
        ----------
        name:
            Name of the joint.
        joint:
            The type, such as `dt.Revolute("y")`.
        parent, child:
            Bodies or markers; coordinates describe the motion of the child relative to the parent.
        at:
            World point [m] of the reference configuration; by default the origin of the child.
        q0, v0:
            Initial coordinates and velocities: a number, a list, or a mapping from coordinate names. Given ones are
            held by the assembly of loops.
        limits:
            Pairs (lower, upper) of the coordinates, which act as stops.
        rotor_inertia:
            Inertia of a motor's rotor, gear ratio squared included [kg m² or kg]: one number, or one for each velocity.
        effort_limit, velocity_limit:
            Largest torque or force [N m or N] and largest rate [rad/s or m/s] of the drive: one number, or one for each
            velocity. They are kept for controllers and files; nothing enforces them.
        """
        element = JointElement(
            name, joint, parent, child, at, q0, v0, limits, self.body_name, rotor_inertia, effort_limit, velocity_limit
        )
        return self._add("joint", self.joints, name, element)

    def add_force(self, name: str, force: Force) -> Force:
        """Add a force element."""
        return self._add("force", self.forces, name, force)

    def add_constraint(self, name: str, constraint: Constraint) -> Constraint:
        """Add a constraint between markers or joint coordinates."""
        return self._add("constraint", self.constraints, name, constraint)

    def add_contact(
        self, name: str, law: ContactLaw, a: Side, b: Side, shapes: Sequence[Shape] | None = None
    ) -> ContactElement:
        """Let bodies touch each other.

        The force in results is that of a on b.

        Parameters
        ----------
        name:
            Name of the contact.
        law:
            A `dt.RigidContact`, `dt.CompliantContact` or `dt.RollingContact`.
        a, b:
            Bodies or markers; or lists of such, or "all", for every pair that shares neither a body nor a joint.
        shapes:
            A shape of a and one of b, in their frames; by default the shapes of the bodies.
        """
        return self._add("contact", self.contacts, name, ContactElement(name, law, a, b, shapes))

    def add_contacts(
        self, name: str, law: ContactLaw, a: Side = "all", b: Side = "all", shapes: Sequence[Shape] | None = None
    ) -> list[ContactElement]:
        """Let the present bodies touch each other, each pair as a contact of its own, "NAME A B".

        Like `add_contact` with lists or "all", but with channels, impacts and findings of each pair.

        Parameters
        ----------
        name:
            Beginning of the names.
        law:
            A `dt.RigidContact` or `dt.CompliantContact`.
        a, b:
            Bodies or markers, lists of such, or "all".
        shapes:
            A shape of a and one of b, in their frames; by default the shapes of the bodies.
        """
        whole = ContactElement(name, law, a, b, shapes)
        known = not whole.single and all(map(self.marker, (*whole.references(a), *whole.references(b))))
        pairs = [(name_of(first), name_of(second)) for first, second in whole.pairs(self)] if known else []
        if not pairs:
            return [self.add_contact(name, law, a, b, shapes)]  # the check says what is wrong
        return [self.add_contact(f"{name} {first} {second}", law, first, second, shapes) for first, second in pairs]

    def add_event(self, name: str, event: Event) -> Event:
        """Watch for zero crossings of an expression during a simulation."""
        return self._add("event", self.events, name, event)

    def add_state(
        self,
        name: str,
        rate: Value = 0.0,
        initial: float = 0.0,
        unit: str = "",
        algebraic: bool = False,
        switches: Sequence[str] = (),
    ) -> State:
        r"""Add a first-order state: a number with a rate of its own.

        $$\dot z = f(t, q, v, z), \qquad z(0) = z_0$$

        Forces, events and other states read it by its name.

        Parameters
        ----------
        name:
            Name of the state.
        rate:
            A number, an expression or a function of `t`, of quantities of the model and of all states.
        initial:
            Initial value.
        unit:
            Unit for labels.
        algebraic:
            Whether 0 = rate determines the number. The search for its first value begins at `initial`; an implicit
            solver is needed.
        switches:
            Forces and constraints that act only while the state is above one half. Events change it: `Event(sets={name:
            1})`.
        """
        return self._add("state", self.states, name, State(name, rate, initial, unit, algebraic, switches))

    def add_vector_state(
        self,
        name: str,
        rates: Sequence[Value] | Callable[..., Any] | Function,
        initial: ArrayLike,
        unit: str = "",
    ) -> list[str]:
        r"""Add first-order states "name[0]", "name[1]", ... as a vector.

        $$\dot x = f(t, x, \dots), \qquad x(0) = x_0$$

        `r[name]` has all components, one column each.

        Parameters
        ----------
        name:
            Name of the vector.
        rates:
            A number, expression or function for each component; or one function f(t, x) that returns all.
            `dt.Function(f, inputs=("A.angle", ...))` passes more arguments: f(t, x, angle, ...).
        initial:
            Initial values.
        unit:
            Unit for labels.

        Returns
        -------
        The names of the states.
        """
        from duoti.model.checks.parameters import require_arguments
        from duoti.model.state import add_vector_state

        require_arguments(Model.add_vector_state, "state", {"name": name, "initial": initial, "unit": unit})
        return add_vector_state(self, name, rates, initial, unit)

    def add_second_order_system(
        self,
        name: str,
        mass: ArrayLike,
        stiffness: ArrayLike,
        damping: ArrayLike | None = None,
        forces: Sequence[Value] = (),
        x0: ArrayLike | None = None,
        v0: ArrayLike | None = None,
    ) -> tuple[list[str], list[str]]:
        r"""Add a linear system of second order, given by matrices, as states `name.x1`, ..., `name.v1`, ...

        $$M \ddot x + D \dot x + K x = f$$

        Parameters
        ----------
        name:
            Name of the system.
        mass, stiffness, damping:
            Matrices, or their diagonals.
        forces:
            Expressions, one for each coordinate, which may read the mechanism; forces of the mechanism read the states.
        x0, v0:
            Initial coordinates and velocities.

        Returns
        -------
        Names of the coordinates and of the velocities.
        """
        from duoti.model.checks.parameters import require_arguments
        from duoti.model.linear_oscillators import add_second_order_system

        given = {"name": name, "mass": mass, "stiffness": stiffness, "damping": damping, "x0": x0, "v0": v0}
        require_arguments(Model.add_second_order_system, "second-order system", given)
        made = add_second_order_system(self, name, mass, stiffness, damping, forces, x0, v0)
        self._add("second_order_system", self.second_order_systems, name, made)
        return list(made.coordinates), list(made.rates)

    def add_bond_graph(self, name: str, graph: Any, ports: Mapping[str, Any] | None = None) -> Any:
        """Add a bond graph: motors, hydraulics, circuits, heat, coupled both ways with the mechanism.

        The flow of a port is the velocity of the joint or line, its effort acts there. Channels have names such as
        "name.L.flow".

        Parameters
        ----------
        name:
            Name of the graph.
        graph:
            A `dt.bond.Graph`.
        ports:
            Port → a joint ("J1", or ("J1", 1) for its second coordinate), two markers (("a", "b")), or a
            `dt.bond.TorquePort`, `dt.bond.ForcePort` or `dt.bond.WrenchPort`.
        """
        from duoti.bond.compiled.coupled import CoupledGraph

        coupled = CoupledGraph(name, graph, dict(ports or {}))
        return self._add("bond_graph", self.bond_graphs, name, coupled)

    def add_table(
        self, name: str, x: Sequence[float], y: Sequence[float], kind: str = "linear", extrapolation: str = "error"
    ) -> Table:
        """Add a curve y(x) through points with increasing x, which expressions read by its name: `road(t)`.

        Parameters
        ----------
        name:
            Name of the curve.
        x, y:
            The points. `dt.formats.read_table` reads them from a CSV file.
        kind:
            "linear", "cubic" (a spline; for motions), "monotone" (cubic without overshoot) or "previous" (piecewise
            constant).
        extrapolation:
            Beyond the ends: "error" stops the simulation, "hold" keeps the end values, "linear" continues straight,
            "repeat" takes the table as one period.
        """
        return self._add("table", self.tables, name, Table(name, x, y, kind, extrapolation))

    def add_submodel(self, prefix: str, other: Model, position: ArrayLike | None = None, rotation: Any = None) -> None:
        """Add everything of another model, a leg or a wheel, under names such as "prefix.body".

        Its ground is this ground, and its gravity that of this model. Parameters are added as "prefix.parameter". World
        directions in its forces and expressions remain those of the world. The other model is copied.

        Parameters
        ----------
        prefix:
            Beginning of the names.
        other:
            The other model.
        position, rotation:
            Pose of its world [m] in this one.
        """
        from duoti.model.submodel import add_submodel

        add_submodel(self, prefix, other, position, rotation)

    def add_sensor(self, name: str, sensor: Sensor) -> Sensor:
        """Add a sensor, such as `dt.Accelerometer("tip")`; its readings are channels of its name.

        Laws and controllers read sampled ones (`period=`) by name; controllers and events read the others, too.

        Parameters
        ----------
        name:
            Name of the sensor.
        sensor:
            An `Accelerometer`, `Gyroscope`, `ForceTorque`, `ContactSensor`, `Encoder` or `Tachometer`.
        """
        return self.add_element("sensor", name, sensor)

    def add_element(self, kind: str, name: str, element: Any) -> Any:
        """Add an element of a further section (`duoti.model.sections`), by the kind of its elements."""
        section = next((each for each in further_sections() if each.kind == kind), None)
        if section is None:
            raise ValueError(
                f"there is no further section of kind {kind!r}; elements of others are added by add_body, ..."
            )
        return self._add(KINDS[section.name], vars(self).setdefault(section.name, {}), name, element)

    def save(self, path: str | Path) -> None:
        """Write the model to a file (.yaml), from which `duoti.load` makes the same model.

        Raises `ModelError` for what no file can hold, such as a law that is a Python function.
        """
        from duoti.formats.save import save

        save(self, path)

    def _add(self, kind: ElementKind, where: dict[str, Any], name: str, item: Any) -> Any:
        if name in where or (kind in ("body", "marker") and name == GROUND):
            self.duplicates.append(ElementId(kind, name))
        else:
            where[name] = item
        return item

    # ------------------------------------------------------------------------------------------------- looking up

    def marker(self, reference: Reference) -> Marker | None:
        """The marker that a reference means (a body's own frame if it means a body), or None if there is none."""
        name = name_of(reference)
        if name in self.markers and not isinstance(reference, Body):
            return self.markers[name]
        if name == GROUND or name in self.bodies:
            return Marker(name, name)
        return None

    def without(self, *names: str) -> Model:
        """A copy without these forces, constraints, contacts or events, for an analysis with them switched off.

        Everything else is shared with this model. A name that is that of a force and of a constraint is written
        "force:name". Model files have a key of this name: `modes: {type: linearise, without: [motor]}`.
        """
        from duoti.model.without import without

        return without(self, names)

    def switched(self, name: str) -> ElementId | None:
        """The force or constraint that a state switches by this name."""
        kind, _, rest = name.partition(":")
        if name in self.forces or (kind == "force" and rest in self.forces):
            return ElementId("force", name if name in self.forces else rest)
        if name in self.constraints or (kind == "constraint" and rest in self.constraints):
            return ElementId("constraint", name if name in self.constraints else rest)
        return None

    def body_name(self, reference: Reference) -> str:
        """Name of the body that a reference means; the name as given if there is no such body or marker."""
        if type(reference) is str:
            named = self.markers.get(reference)
            return reference if named is None else name_of(named.body)
        if isinstance(reference, Body):
            return reference.name
        marker = reference if isinstance(reference, Marker) else self.markers.get(name_of(reference))
        return name_of(reference if marker is None else marker.body)

    @property
    def named_values(self) -> Mapping[str, float | Table]:
        """What expressions may use by name beside quantities: parameters and tables."""
        return {**self.parameters, **self.tables} if self.tables else self.parameters

    @property
    def actuated_joints(self) -> set[str]:
        """Joints that a force element drives."""
        return {name for force in self.forces.values() for name in force.driven_joints()}

    @property
    def mass(self) -> float:
        """Mass of all bodies [kg]."""
        return sum(b.inertia.mass for b in self.bodies.values() if b.inertia is not None)

    def __repr__(self) -> str:
        gravity = self.gravity.tolist() if isinstance(self.gravity, np.ndarray) else self.gravity
        return (
            f"<model {self.name!r}: {counted(len(self.bodies), 'body', 'bodies')}, "
            f"{counted(len(self.joints), 'joint')}, {counted(len(self.forces), 'force')}, "
            + (f"{counted(len(self.states), 'state')}, " if self.states else "")
            + f"gravity {gravity}>"
        )

    # ------------------------------------------------------------------------------------------ beams, cables, segments

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
        """Add a flexible beam with large displacements and rotations. It has no stress as it is drawn.

        The nodes `.start`, `.end`, `.nodes` are bodies "name.start", "name.node1", ..., "name.end". Join, load and
        observe them like any other. Their x axes point along the beam. Weight acts by itself; `dt.BeamLoad` is a load
        per length.

        Parameters
        ----------
        name:
            Name of the beam.
        beam:
            Section and material (`dt.Beam`), or a function of 0..1 that returns one.
        start, end:
            Ends [m, world].
        up:
            Direction of the z axis of the section.
        elements:
            Number of elements; by default 16, or one between any two points. Errors fall with its square.
        centreline:
            In place of the ends: points (n, 3), a function of 0..1, or three expressions of `s` (0..1). A closed one is
            a ring.
        twist:
            Twist of the section about the axis at the end [rad], linear between, or an expression of `s`.
        taper:
            The beam at its end, if it changes.
        places:
            Names of further nodes → fraction of the length.
        velocity, angular_velocity:
            Initial velocity of the start [m/s] and angular velocity [rad/s] of the whole beam.
        short_ends:
            Make elements at ends and places shorter by 0.707, which makes frequencies more accurate.
        order:
            1 for elements with two nodes; 2 to 8 for elements with Gauss-Lobatto nodes, which are more accurate for the
            same number of nodes.
        """
        _require(Model.add_beam, "beam", locals())
        from duoti.model.beams.add_beam import add_beam
        from duoti.model.beams.beam import BeamPart

        part = BeamPart(
            name, beam, start, end, up, elements, centreline, twist, taper, places, velocity, angular_velocity,
            short_ends, order,
        )  # fmt: skip
        if name not in self.beams:
            add_beam(self, part)
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
        """Add a cable that stretches and has weight.

        The nodes "name.start", "name.node1", ..., "name.end" are bodies. The forces between them are "name.element1",
        and so on.

        Parameters
        ----------
        name:
            Name of the cable.
        start, end:
            A point (x, y, z) [m, world], where the cable is free, or a body or marker, to which it is fixed.
        stiffness:
            Axial stiffness E A [N].
        mass_per_length:
            Mass per length [kg/m].
        length:
            Length without stress [m]; by default the distance of the ends. A longer cable starts as a catenary.
        elements:
            Number of elements.
        bending_stiffness:
            Bending stiffness E I [N m²]. With it, the elements are `dt.beams.BeamElement`, which also push.
        damping_time:
            Damping of stretching [s], as in `dt.Beam`.
        slack:
            Whether the cable only pulls.
        thin:
            With a bending stiffness: one `dt.beams.ThinBeam` through points. It does not twist and suits explicit
            solvers.
        """
        _require(Model.add_cable, "cable", locals())
        from duoti.model.beams.cable import add_cable

        cable = add_cable(
            self, name, start, end, stiffness, mass_per_length, length, elements, bending_stiffness,
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
        """Add a straight rod, beam or shaft as rigid segments with equivalent springs.

        Each of the N equal parts bends and twists in a joint in its middle and is rigid between. There is no shear.
        Errors fall with N², for large deformations as well. `add_beam` is the beam itself. The bodies "name.start",
        "name.segment1", ..., "name.end" are joined by "name.joint1", and so on.

        Parameters
        ----------
        name:
            Name of the beam.
        beam:
            Section and material (`dt.Beam`).
        start, end:
            Ends [m, world].
        segments:
            Number of segments N.
        up:
            Direction of the z axis of the section.
        stretch:
            Whether the joints also lengthen.

        References
        ----------
        R. L. Huston, Y. Liu, Multibody dynamics, chapter 11 (finite segments).
        """
        _require(Model.add_segments, "segments", locals())
        from duoti.model.beams.segments import add_segments

        made = add_segments(self, name, beam, start, end, segments, up, stretch)  # pyright: ignore[reportArgumentType]
        return self._add("segments", self.segments, name, made)

    # ------------------------------------------------------------------------------------------------------ controllers

    def add_controller(
        self,
        name: str,
        function: Callable[..., Any] | Mapping[str, Value],
        inputs: Sequence[str] = (),
        outputs: Mapping[str, float] | None = None,
        period: float = MISSING,
        start: float = 0.0,
    ) -> None:
        """Call a function at sampled times and hold what it returns between them.

        Forces read the outputs by name. The sample times lie on the grid start + k period, whatever the steps of the
        solver. A state among the inputs and outputs is the memory of the function, so a run can be resumed.

        In place of a function, expressions by output work in model files, too:
        {"u": "-20*A.angle - 5*i", "i": "i + 0.01*A.angle"}. They read quantities by name, as they are before the
        sample.

        Parameters
        ----------
        name:
            Name of the controller, and of its event; the state `name.next` is the next sample.
        function:
            A function of the inputs that returns the outputs, or expressions by output.
        inputs:
            Names of quantities that the function gets, such as "t" or "A.angle".
        outputs:
            States that take the results → their values before the first sample.
        period:
            Time between samples [s].
        start:
            Time of the first sample [s].
        """
        from duoti.model.checks.parameters import require_arguments
        from duoti.model.controller import add_controller

        given = {"name": name, "period": period, "start": start}
        require_arguments(Model.add_controller, "controller", given)
        made = add_controller(self, name, function, inputs, outputs, period, start)
        self._add("controller", self.controllers, name, made)

    def add_fmu(
        self,
        name: str,
        file: str | Path,
        inputs: Mapping[str, str],
        outputs: Mapping[str, str],
        period: float = MISSING,
        parameters: Mapping[str, Any] | None = None,
        start: float = 0.0,
    ) -> None:
        """Step a model of another tool beside this one: an FMU for co-simulation (FMI 2.0 or 3.0), by FMPy.

        At the times start + k period the FMU reads its inputs and holds them over its next step. States of this model
        hold its outputs until the next of these times. Steps of the solver end there exactly. The exchange delays each
        side by a period: the error is proportional to it.

        Parameters
        ----------
        name:
            Name of the FMU, and of its event; the state `name.next` is the next time.
        file:
            The file.
        inputs:
            Inputs of the FMU → quantities of the model, such as {"angle": "A.angle"}.
        outputs:
            States of the model, which forces read by name → variables of the FMU, such as {"torque": "y"}.
        period:
            Time between exchanges [s].
        parameters:
            Parameters of the FMU → values, set before it is initialised.
        start:
            Time of the first exchange [s].
        """
        from duoti.model.checks.parameters import require_arguments
        from duoti.model.fmu import add_fmu

        given = {"name": name, "period": period, "start": start}
        require_arguments(Model.add_fmu, "fmu", given)
        made = add_fmu(self, name, file, inputs, outputs, period, parameters, start)
        self._add("fmu", self.fmus, name, made)
