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
from duoti.model.state import State
from duoti.spatial import Inertia, Shape
from duoti.spatial.axes import MISSING, Axis
from duoti.strict import Strict, explained_methods

if TYPE_CHECKING:
    from duoti.model.beams.beam import BeamPart
    from duoti.model.beams.cable import Cable
    from duoti.model.beams.segments import Segments
    from duoti.model.controller import Controller
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
    """Bodies, joints and forces.

    Nothing is checked while the model is being described, so that references may come before what they refer to.
    `duoti.check(model)` reports everything that is wrong at once; `duoti.simulate` refuses a model with errors.

    Bodies, joints and markers may be given as the objects that the `add_...` methods return, or by name.

    Parameters
    ----------
    name:
        For messages and files.
    gravity:
        Acceleration of free fall [m/s²] in world axes.
    parameters:
        Named numbers that expressions may use.
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
        self.events: dict[str, Event] = {}
        self.states: dict[str, State] = {}
        self.tables: dict[str, Table] = {}
        self.bond_graphs: dict[str, Any] = {}
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
        """Add a rigid body, or a flexible one (`dt.Flexible`) in the place of an inertia.

        `position` [m] and `rotation` (a `Rotation`, 3x3 matrix or quaternion, scalar first) place the body's frame in
        the world, in the reference configuration. `inertia` is in the body's frame.
        `shapes` are what to draw, in the body's frame (`dt.Shape`); by default, those of the inertia. Ground's are
        `model.ground.shapes`. `q0`, `v0`: initial modal coordinates and velocities of a flexible body, a list or a
        mapping from the number of a mode; zero by default.
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
        """Add a frame fixed in a body (or ground), placed in the body's frame.

        `interface`: one of a flexible body; the marker then moves with it, and is placed in its frame.
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
    ) -> JointElement:
        """Join two bodies.

        Either at a world point of the reference configuration (`at`; left out: the origin of the child), axes of the
        joint in world coordinates; or between markers, axes in the markers' coordinates: the markers coincide when all
        joint coordinates are zero. If only one side is a marker, the joint is at that marker; a body that was not
        placed then has its own frame there.

        `q0`, `v0`: initial coordinates and velocities; a number, a list, or a mapping from coordinate names. `limits`:
        pairs (lower, upper) for the coordinates. `rotor_inertia`: of a motor's rotor that turns with the joint, gear
        ratio squared included [kg m², or kg for a slider]; one number, or one for each rate. It resists the joint's
        acceleration only (no weight, no gyroscopic effect).
        """
        element = JointElement(name, joint, parent, child, at, q0, v0, limits, self.body_name, rotor_inertia)
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
        """Let bodies touch each other: `law` is a `dt.RigidContact` or a `dt.CompliantContact`.

        `a` and `b` are bodies or markers; or lists of such, or "all", for every pair of them but those that share a
        body or a joint. `shapes`: one of a and one of b, in their frames; without them, the shapes of the bodies (or of
        their inertias) are used. Forces are those of a on b.
        """
        return self._add("contact", self.contacts, name, ContactElement(name, law, a, b, shapes))

    def add_contacts(
        self, name: str, law: ContactLaw, a: Side = "all", b: Side = "all", shapes: Sequence[Shape] | None = None
    ) -> list[ContactElement]:
        """Let the bodies that are here now touch each other, each pair as a contact of its own: "NAME A B".

        As `add_contact` with lists or "all", but channels, impacts and findings are those of each pair.
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
        """Add a number with a rate of its own: dz/dt = rate, z = initial at the start.

        `rate` is a number, an expression or a function of `t`, of quantities of the model and of all states, which go
        by their names; forces, events and other states may read it. With `algebraic`, 0 = rate determines the number,
        a search for its first value begins at `initial`, and an implicit solver is needed.

        `switches`: forces and constraints that act only while the state is above one half. Events change it
        (`Event(sets={name: 1})`); rates that a constraint does not allow when it is switched on are lost as in a
        plastic impact. "force:name" and "constraint:name" where both have the same name.
        """
        return self._add("state", self.states, name, State(name, rate, initial, unit, algebraic, switches))

    def add_vector_state(
        self,
        name: str,
        rates: Sequence[Value] | Callable[..., Any] | Function,
        initial: ArrayLike,
        unit: str = "",
    ) -> list[str]:
        """Add states "name[0]", "name[1]", ... with dx/dt = rates, x = initial at the start; returns their names.

        `rates`: a number, expression or function for each component; or one function f(t, x) of the time and the whole
        vector that returns all rates, with more arguments by `Function(f, inputs=("A.angle", ...))`, called
        f(t, x, angle, ...). `r[name]` has all components, one column each.
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
        """Add M x'' + D x' + K x = f, given by matrices (or their diagonals), as states `name.x1`, ..., `name.v1`, ...

        `forces` are expressions, one for each coordinate, that may read the mechanism ("80*(tip.position.z -
        beam.x1)"); forces of the mechanism read the states. Returns the names of coordinates and velocities.
        """
        from duoti.model.checks.parameters import require_arguments
        from duoti.model.linear_oscillators import add_second_order_system

        given = {"name": name, "mass": mass, "stiffness": stiffness, "damping": damping, "x0": x0, "v0": v0}
        require_arguments(Model.add_second_order_system, "second-order system", given)
        made = add_second_order_system(self, name, mass, stiffness, damping, forces, x0, v0)
        self._add("second_order_system", self.second_order_systems, name, made)
        return list(made.coordinates), list(made.rates)

    def add_bond_graph(self, name: str, graph: Any, ports: Mapping[str, Any] | None = None) -> Any:
        """Add a bond graph (`dt.bond.Graph`): motors, hydraulics, circuits, heat, coupled both ways with the mechanism.

        `ports` connects its ports: the flow of a port is the rate of a joint ("J1", or ("J1", 1) for another than its
        first coordinate), or the speed of the line between two markers (("a", "b")), or that of a `dt.bond.TorquePort`,
        `ForcePort` or `WrenchPort`; its effort acts there. Quantities have names such as "name.L.flow".
        """
        from duoti.bond.compiled.coupled import CoupledGraph

        coupled = CoupledGraph(name, graph, dict(ports or {}))
        return self._add("bond_graph", self.bond_graphs, name, coupled)

    def add_table(
        self, name: str, x: Sequence[float], y: Sequence[float], kind: str = "linear", extrapolation: str = "error"
    ) -> Table:
        """Add a curve y(x) through points with increasing x, which expressions read by its name: `road(t)`.

        kind: "linear", "cubic" (a spline; for motions), "monotone" (cubic without overshoot) or "previous" (each value
        holds until the next point). extrapolation: what is beyond the ends: "error" (a simulation that comes there
        stops with a message), "hold" (the values at the ends), "linear" (straight on) or "repeat" (the table is one
        period). `duoti.formats.read_table` reads x and y from a CSV file.
        """
        return self._add("table", self.tables, name, Table(name, x, y, kind, extrapolation))

    def add_submodel(self, prefix: str, other: Model, position: ArrayLike | None = None, rotation: Any = None) -> None:
        """Add everything of another model, a leg or a wheel, under names such as "prefix.body".

        `position` [m] and `rotation` place its world in this one; its ground is this ground. Parameters are added as
        "prefix.parameter". Gravity is that of this model; directions and coordinates "in the world" that its
        forces and expressions use remain those of the world. The other model is copied and stays as it is.
        """
        from duoti.model.submodel import add_submodel

        add_submodel(self, prefix, other, position, rotation)

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
        """Add a cable that stretches and has weight, from `start` to `end`: each a point (x, y, z) [m, world], where
        it is free, or a body or marker, to which it is fixed.

        stiffness: E A [N]; mass_per_length [kg/m]; length [m] without stress, by default the distance of the ends: a
        longer cable sags at first as a catenary. damping_time [s]: of stretching, as in `dt.Beam`. slack: it only
        pulls; otherwise its elements push as well. bending_stiffness: E I [N m²]; with it the elements are
        `dt.beams.BeamElement` (straight without stress), which twist with the same stiffness and push as well; with
        `thin` it is one `dt.beams.ThinBeam` "name.line" instead, through nodes that are points (elements at both ends
        are shorter, by 0.707): it does not twist, is hinged where it is fixed, and suits explicit solvers. The nodes
        "name.start", "name.node1", ..., "name.end" are bodies, the forces between them "name.element1", ... (of a
        thin one, its dampers "name.damper1", ..., if it has a damping_time).
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
        """Add a straight rod, beam or shaft as rigid segments with equivalent springs (Huston & Liu, chapter 11).

        Its N equal parts bend and twist (and, with `stretch`, become longer) each in a joint in its middle; between
        these it is rigid. Relative coordinates: few unknowns, exact rigid motion; no shear, and errors of large
        deformations fall with N² like those of small ones. `m.add_beam` is the beam itself. The bodies "name.start"
        (origin at `start` [m, world]), "name.segment1", ..., "name.end" (origin at `end`) are joined by "name.joint1",
        ...; hold or load them as you like. x is along the beam, z towards `up`.
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
        """Call a function at sampled times, every `period` [s] from `start` on, and hold what it returns between.

        `inputs` are names of quantities (sensors) that the function gets, such as "t", "A.angle"; `outputs` are states
        that take its results, with their values before the first sample; forces read them by name. A state among the
        inputs and outputs is the function's memory: so a run can be resumed. The times lie on the grid start + k period
        whatever the solver's steps are; the event is called `name`, the state `name.next` is the next sample.

        In place of a function, expressions by output, which a model file can hold, too: {"u": "-20*A.angle - 5*i",
        "i": "i + 0.01*A.angle"}. They read quantities by name, as they are before the sample, and take no `inputs`;
        `outputs` start at zero then if they are left out.
        """
        from duoti.model.checks.parameters import require_arguments
        from duoti.model.controller import add_controller

        given = {"name": name, "period": period, "start": start}
        require_arguments(Model.add_controller, "controller", given)
        made = add_controller(self, name, function, inputs, outputs, period, start)
        self._add("controller", self.controllers, name, made)
