"""From a checked `Model` and its topology to a `System`."""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from itertools import accumulate, pairwise
from typing import Any, Literal

import numpy as np

from duoti.model.beams.beam import BeamPart
from duoti.model.constraints.base import ConstraintEquation
from duoti.model.element_id import ElementId
from duoti.model.elements import JointElement, Reference, name_of
from duoti.model.equations import EQUATION_KINDS, ExpressionEquation
from duoti.model.errors import ModelError
from duoti.model.event import DIRECTIONS, Event
from duoti.model.force_blocks import Block, joined
from duoti.model.forces.base import Force
from duoti.model.joint_friction import add_element_states, limit_rows, span_of
from duoti.model.laws.callbacks import Callbacks
from duoti.model.laws.contact_readings import reading_name
from duoti.model.laws.expressions import Program, compile_expression, link
from duoti.model.laws.expressions.derivative import derivatives
from duoti.model.laws.law import (
    ANGULAR_VELOCITY,
    AXES,
    COORDINATE_INPUT,
    GRAPH,
    LOCAL,
    LOCAL_ANGULAR_VELOCITY,
    LOCAL_VELOCITY,
    POSITION,
    RATE_INPUT,
    STATE,
    TIME,
    VELOCITY,
    Function,
    Law,
    Signal,
    Value,
    make_law,
)
from duoti.model.laws.reaction_feedback import feedback_of_welds
from duoti.model.laws.user_equations import equation_programs
from duoti.model.mechanism.choose_tree import relative_tree
from duoti.model.mechanism.placement import Placement, place_bodies
from duoti.model.model import Model
from duoti.model.quantities import AXES as AXES_NAMES
from duoti.model.quantities import (
    Quantity,
    contact_quantity,
    find_quantity,
    force_quantity,
    known_signal,
    sensor_quantity,
)
from duoti.model.roads.road import Road
from duoti.model.state import State
from duoti.strict import explained
from duoti.system.arrays import ENDS_RUN, JUMPS, RECORDED, Forces, Laws, Loads, Markers, freeze
from duoti.system.compile.copy_model import complete, own_copy
from duoti.system.compile.tree_builder import TreeBuilder
from duoti.system.constraint_arrays import Closure, ClosureEquation, build_closures, velocity_term
from duoti.system.force_signals import ForceReader
from duoti.system.quantities import quantity_indices, short_name
from duoti.system.system import EventSet, FrameKey, System
from duoti.topology import Topology, topology

# Arrays of the laws of a system: their programs, signals and addresses, those of states and events among them.


def law_arrays(
    laws: Sequence[Law],
    law_signals: Sequence[Sequence[Signal]],
    law_owners: Sequence[ElementId],
    state_law: Sequence[int],
    states: Collection[State],
    event_law: Sequence[int],
    events: Collection[Event],
    callbacks: Callbacks,
) -> tuple[Laws, int]:
    """The arrays, and the depth of the stack that evaluates programs.

    state_law, event_law: the law of each state and event.
    """
    if not (laws or states or events):
        return _without_laws()
    law_address = np.zeros(len(laws), np.int64)
    for i, law in enumerate(laws):
        if law.program is None:
            law_address[i] = callbacks.address(law, law_owners[i])
    code, bounds, constants, depth = link([law.program or _nothing() for law in laws] or [_nothing()])
    ends = accumulate(map(len, law_signals))
    return Laws(
        signals=np.array([signal for each in law_signals for signal in each], np.int64).reshape(-1, 3),
        law_signals=np.array([*pairwise([0, *ends])], np.int64).reshape(-1, 2),
        law_code=np.asarray(bounds, np.int64), law_address=law_address, code=code, constants=constants,
        state_law=np.array(state_law, np.int64), event_law=np.array(event_law, np.int64),
        state_mass=np.array([int(not state.algebraic) for state in states], np.int64),
        event_action=np.array([_action(event) for event in events], np.int64),
        event_direction=np.array([DIRECTIONS[event.direction] for event in events], np.int64),
    ), depth  # fmt: skip


@cache
def _without_laws() -> tuple[Laws, int]:
    """The same arrays for all systems that have no laws."""
    none = np.zeros(0, np.int64)
    code, bounds, constants, depth = link([_nothing()])
    laws = Laws(
        signals=np.zeros((0, 3), np.int64), law_signals=np.zeros((0, 2), np.int64), law_code=bounds, law_address=none,
        code=code, constants=constants, state_law=none, event_law=none, state_mass=none, event_action=none,
        event_direction=none,
    )  # fmt: skip
    freeze(laws)
    return laws, depth


@cache
def _nothing() -> Program:
    return compile_expression(0.0)


def _action(event: Event) -> int:
    return JUMPS if event.jump is not None or event.sets else ENDS_RUN if event.terminal else RECORDED


# Compiling without Python's search for garbage.


@contextmanager
def garbage_waits() -> Generator[None, None, None]:
    """Python does not look for garbage in the block, which makes many objects that stay: a quarter of the time."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


STATICS_ONLY = ("massless-end",)
"""Faults with which a model can be placed and moved, but not accelerated."""
FRAME_SIGNALS = {
    "position": POSITION,
    "velocity": VELOCITY,
    "angular_velocity": ANGULAR_VELOCITY,
    "local_velocity": LOCAL_VELOCITY,
    "local_angular_velocity": LOCAL_ANGULAR_VELOCITY,
}


class _Builder(TreeBuilder):
    """Builds the arrays; also the `Compiler` that force elements ask for indices."""

    def __init__(self, model: Model, topo: Topology, placement: Placement, fuse: bool):
        super().__init__(model, topo, placement, fuse)
        self.tables: list[np.ndarray] = []
        self.table_rows = 0
        self.state_place = {name: i for i, name in enumerate(model.states)}
        self.laws: list[Law] = []
        self.law_signals: list[list[Signal]] = []
        self.law_owner: list[ElementId] = []
        self.switched = {
            model.switched(name): k for k, state in enumerate(model.states.values()) for name in state.switches
        }
        self.event_sets: dict[str, tuple[EventSet, ...]] = {}
        self.force_readers: list[ForceReader] = []
        self.owner = ElementId("force", "")  # whose laws are being made
        self.blocks: list[Block] = []
        self.block_integers = 0
        self.roads: dict[Road, int] = {}

    def closures(self) -> list[Closure]:
        """Cut joints and constraints; their laws join those of the forces."""
        found = self.cut_joints()
        for name, constraint in self.model.constraints.items():
            self.owner = who = ElementId("constraint", name)
            ends = self.constraint_ends(name)
            table = constraint.table()
            span = (0, 0) if table is None else self.table(table)
            rows = [self._closure_equation(row, span) for row in constraint.rows()]
            found.append(Closure(who, ends, rows, constraint.parameter(), self._switch(who)))
        return found

    def _closure_equation(self, row: ConstraintEquation, span: tuple[int, int]) -> ClosureEquation:
        if issubclass(EQUATION_KINDS[row.kind], ExpressionEquation):
            return self._equation(row)
        terms = [(*self.coordinate(joint, k), c) for joint, k, c in row.terms]
        if callable(row.value) or isinstance(row.value, Function):
            return ClosureEquation(
                row.kind, row.i, row.j, 0.0, (self.law(row.value, {}, outputs=3), -1, -1), terms, span
            )
        programs = derivatives(row.value, "t", order=2, constants=self.model.named_values)
        if not programs[0].inputs:
            return ClosureEquation(row.kind, row.i, row.j, float(programs[0].evaluate()), terms=terms, table=span)
        laws = [self._program(program) for program in programs]
        return ClosureEquation(row.kind, row.i, row.j, 0.0, (laws[0], laws[1], laws[2]), terms, span)

    def _program(self, program: Program) -> int:
        self.laws.append(Law(program.inputs, program=program))
        self.law_signals.append([self.signal(name, {}) for name in program.inputs])
        self.law_owner.append(self.owner)
        return len(self.laws) - 1

    def _equation(self, row: ConstraintEquation) -> ClosureEquation:
        """A row that the user wrote; its laws follow each other, those of the slopes in the order of its terms."""
        programs = equation_programs(self.model, row)
        terms: list[tuple[int, int, float]] = []
        slopes: list[Program] = []
        for name, slope in programs.slopes.items():
            signal = self.signal(name, {})
            if signal.kind == RATE_INPUT:
                terms.append((0, signal.i, 1.0))
            elif self.marker_body[signal.i] > 0:  # ground has no velocity
                terms.append(velocity_term(signal.i, signal.j + 3 * (signal.kind == ANGULAR_VELOCITY)))
            else:
                continue
            slopes.append(slope)
        first = (programs.value, programs.at_rest, programs.rate, programs.bias)
        laws = [self._program(each) for each in (*first, *slopes)]
        kind = "equation" if programs.holonomic else "rate_equation"
        return ClosureEquation(kind, terms=terms, table=(laws[0], len(terms)))

    def _switch(self, who: ElementId) -> int:
        """Place in y of the state that switches an element on and off, -1 if there is none."""
        if who not in self.switched:
            return -1
        return self.links.nq + self.links.nv + self.switched[who]

    # ------------------------------------------------------------------------- what force elements ask (`Compiler`)

    def marker(self, reference: Reference) -> int:
        return self.named_frames[name_of(reference)]

    def coordinate(self, joint: JointElement | str, coordinate: int) -> tuple[int, int]:
        """Index in q is -1 for a component of an angular velocity, which is the rate of no single coordinate."""
        found = self.joint_layouts[name_of(joint)]  # pyright: ignore[reportArgumentType]
        element = self.model.joints[name_of(joint)]  # pyright: ignore[reportArgumentType]
        k = j = 0
        for c in element.joint.coordinates:
            if coordinate < j + c.nv:
                return (-1 if c.quaternion else int(found.q[k + coordinate - j])), int(found.v[coordinate])
            k, j = k + c.nq, j + c.nv
        raise IndexError(coordinate)

    def coordinates(self, joint: JointElement | str) -> tuple[int, int]:
        v = self.joint_layouts[name_of(joint)].v  # pyright: ignore[reportArgumentType]
        return (int(v.min()), len(v)) if len(v) else (0, 0)

    def table(self, rows: Any) -> tuple[int, int]:
        first = self.table_rows
        self.tables.append(np.asarray(rows, dtype=float))
        self.table_rows += len(rows)
        return first, self.table_rows

    def friction_slots(self, force: Force) -> tuple[int, int]:
        return span_of(self.model, force)

    def limits(self, joint: JointElement | str) -> tuple[int, int]:
        return self.table(limit_rows(self.model, joint, self.coordinate))

    def beam(self, name: str) -> BeamPart:
        self.reads_places = True
        return self.model.beams[name]

    def law(self, value: Value, local: Mapping[str, Any], outputs: int = 1, contacts: bool = False) -> int:
        law = make_law(value, known_signal(self.model, local, contacts=contacts), self.model.named_values, outputs)
        self.laws.append(law)
        self.law_signals.append([self.signal(name, local) for name in law.inputs])
        self.law_owner.append(self.owner)
        return len(self.laws) - 1

    def event_law(self, value: Value, outputs: int = 1, sets: bool = False) -> int:
        """A law of an event, which may read forces of elements and sensors; one that sets states also of contacts."""
        model = self.model
        plain = known_signal(model)
        law = make_law(value, known_signal(model, forces=True, contacts=sets), model.named_values, outputs)
        others = [name for name in law.inputs if not plain(name)]
        found = {
            name: force_quantity(model, name) or sensor_quantity(model, name) or self._compliant(name)
            for name in others
        }
        forces = {name: quantity for name, quantity in found.items() if quantity}
        if not forces:
            return self.law(value, {}, outputs, contacts=sets)
        reader = ForceReader(law, forces, (self.links.nq, self.links.nv, len(self.model.states)))
        self.force_readers.append(reader)
        self.laws.append(reader.law)
        self.law_signals.append([*(self.signal(name, {}) for name in reader.rest), *reader.state_signals()])
        self.law_owner.append(self.owner)
        return len(self.laws) - 1

    def _compliant(self, name: str) -> Quantity | None:
        """The number of a compliant contact that a name means: it follows from the state."""
        quantity = contact_quantity(self.model, name)
        return quantity if quantity is not None and not self.model.contacts[quantity.item].law.rigid else None

    def law_inputs(self, law: int) -> tuple[str, ...]:
        """Names of the inputs of a law, in their order."""
        return self.laws[law].inputs

    def state(self, name: str) -> int:
        """Place of a first-order state in z."""
        return self.state_place[name]

    def block(
        self, integers: Any, numbers: Any, scratch: Callable[[int, int], int], lists: int = 0, shared: bool = False
    ) -> int:
        """Keep what the kernels of a force element read beside its row; returns where its integers will stand."""
        place = self.block_integers
        self.block_integers += len(integers)
        self.blocks.append(Block(integers, numbers, scratch(self.links.nv, len(self.model.states)), lists, shared))
        return place

    def road(self, road: Road) -> int:
        if road not in self.roads:
            self.roads[road] = self.block(*road.arrays(), lambda nv, nz: 0)
        return self.roads[road]

    def signal(self, name: str, local: Mapping[str, Any]) -> Signal:
        """The signal that a name in a law means."""
        if name in local:
            what, *where = local[name]
            if what == "graph":
                return Signal(GRAPH, where[0])
            if what == "local":
                return Signal(LOCAL, where[0])
            k, j = self.coordinate(where[0], where[1])
            return Signal(COORDINATE_INPUT, k) if what == "q" else Signal(RATE_INPUT, j)
        if name == "t":
            return Signal(TIME)
        quantity = find_quantity(self.model, name)
        component = quantity.component or 0
        if quantity.kind == "joint":
            return self._joint_signal(quantity.item, quantity.what, component)
        if quantity.kind == "state":
            return Signal(STATE, self.links.nq + self.links.nv + self.state_place[quantity.item])
        if quantity.what in ("modes", "modal_rates"):
            layout = self.flexible.layouts[quantity.item]
            if quantity.what == "modes":
                return Signal(COORDINATE_INPUT, int(layout.q[component]))
            return Signal(RATE_INPUT, int(layout.v[component]))
        if quantity.kind == "contact":
            return Signal(STATE, self.links.nq + self.links.nv + self.state_place[reading_name(quantity)])
        key = FrameKey(ElementId("body" if quantity.kind == "body" else "marker", quantity.item))
        if quantity.what in AXES_NAMES:
            return Signal(AXES, self.marker_names[key], 3 * component + AXES_NAMES.index(quantity.what))
        return Signal(FRAME_SIGNALS[quantity.what], self.marker_names[key], component)

    def _joint_signal(self, joint: str, what: str, component: int) -> Signal:
        found = self.joint_layouts[joint]
        if what in ("q", "v"):
            return (
                Signal(COORDINATE_INPUT, int(found.q[component]))
                if what == "q"
                else Signal(RATE_INPUT, int(found.v[component]))
            )
        k, j = quantity_indices(self.model.joints[joint].joint, what)
        if k:
            return Signal(COORDINATE_INPUT, int(found.q[k[component]]))
        return Signal(RATE_INPUT, int(found.v[j[component]]))

    # ------------------------------------------------------------------------------------------------------ results

    def loads(self, callbacks: Callbacks) -> tuple[Loads, int]:
        forces = self._forces()
        state_law: list[int] = []
        for name, state in self.model.states.items():
            self.owner = ElementId("state", name)
            state_law.append(-1 if state.by_graph else self.law(state.rate, {}))
        event_law: list[int] = []
        for name, event in self.model.events.items():
            self.owner = ElementId("event", name)
            event_law.append(self.event_law(event.value))
            self.event_sets[name] = tuple(
                EventSet(self.event_law(value, len(names), sets=True), tuple(map(list(self.model.states).index, names)))
                for names, value in event.assignments()
            )
        laws, depth = law_arrays(
            self.laws, self.law_signals, self.law_owner, state_law, self.model.states.values(), event_law,
            self.model.events.values(), callbacks,
        )  # fmt: skip
        markers = Markers(np.array(self.marker_body, np.int64), np.array(self.X_BM))
        return Loads(markers, laws, forces), depth

    def _forces(self) -> Forces:
        forces = self.model.forces
        self.force_types = tuple(dict.fromkeys(type(force) for force in forces.values()))
        number = {each: i for i, each in enumerate(self.force_types)}
        most_integers = max((len(t.INTEGERS) for t in self.force_types), default=0)
        most_reals = max((len(t.REALS) for t in self.force_types), default=0)
        integers: list[list[int]] = []
        reals: list[list[float]] = []
        for name, force in forces.items():
            self.owner = ElementId("force", name)
            whole = _numbers(force, force.INTEGERS, force.integers(self), most_integers)
            integers.append([*whole, self._switch(self.owner)])
            reals.append(_numbers(force, force.REALS, force.reals(), most_reals))
        blocks = joined(self.blocks)
        return Forces(
            count=len(forces), kind=np.array([number[type(f)] for f in forces.values()], np.int64),
            integers=np.array(integers, np.int64).reshape(len(forces), most_integers + 1),
            reals=np.array(reals, np.float64).reshape(len(forces), most_reals),
            tables=np.concatenate([np.zeros((1, 6)), *self.tables])[1:] if self.tables else np.zeros((1, 6)),
            block_integers=blocks.integers, block_reals=blocks.reals,
            block_scratch=blocks.scratch, block_lists=blocks.lists,
        )  # fmt: skip


def _numbers(force: Force, names: Sequence[str], given: Mapping[str, Any], room: int) -> list[Any]:
    """The numbers of a force element in the places of their names, and zeros for the rest of the room."""
    if len(given) != len(names) or any(name not in given for name in names):
        raise TypeError(f"force element {force.kind!r} declares the numbers {tuple(names)}, but gives {tuple(given)}")
    return [*(given[name] for name in names), *(0,) * (room - len(names))]


@explained
def compile_model(
    model: Model,
    coordinates: Literal["relative", "absolute"] = "relative",
    cut: Literal["auto", "weights", "cheapest"] = "auto",
    force_cut: Sequence[str] = (),
    forbid_cut: Sequence[str] = (),
    fuse: bool = True,
) -> System:
    """Compile a model into flat arrays, or raise `ModelError` with all its errors.

    Parameters
    ----------
    coordinates:
        "relative": joint coordinates on a spanning tree, loops closed by cut joints. "absolute": every body on a free
        joint, every real joint cut.
    cut, force_cut, forbid_cut:
        How the tree is chosen, see `topology`.
    fuse:
        Compute bodies that are welded together by fixed joints of the tree as one. Results do not show it.
    """
    from duoti.model.checks.structure import checked_model

    with garbage_waits():
        report, model, placement = checked_model(model)
        if any(finding.code not in STATICS_ONLY for finding in report.errors):
            raise ModelError(report)
        model = own_copy(model)
        complete(model)
        absolute = coordinates == "absolute"
        topo = topology(model, cut="absolute") if absolute else relative_tree(model, cut, force_cut, forbid_cut)
        system = _build(model, topo, fuse, placement)
        return system if report.ok else replace(system, lacking=report)


def build_system(model: Model, topo: Topology, fuse: bool, placement: Placement | None = None) -> System:
    """The system of a checked model, which it keeps, on a given tree; fuse: see `compile_model`.

    placement: that of the model, if it is known.
    """
    complete(model)  # if it was not yet
    return _build(model, topo, fuse, placement)


def _build(model: Model, topo: Topology, fuse: bool, placement: Placement | None) -> System:
    """The same of a model that is complete."""
    if model.contacts:
        from duoti.model.compliant.forces import add_contact_forces

        add_contact_forces(model)
        add_element_states(model)
    some_motion = any(arc.virtual or model.joints[arc.name].kind != "fixed" for arc in topo.tree)
    fuse = fuse and some_motion and not feedback_of_welds(model)  # kernels need a row beside ground
    builder = _Builder(model, topo, placement or place_bodies(model), fuse)
    callbacks = Callbacks()
    listed = builder.closures()
    loads, depth = builder.loads(callbacks)
    closures, closing, equation_kinds = build_closures(listed, builder.links, loads.markers.body)
    for number, (kind, name) in enumerate(closing):
        if kind == "joint":
            has_shadow = name in builder.shadow_bodies
            change = {"shadow_weld": number} if has_shadow else {"closure": number}
            builder.joint_layouts[name] = builder.joint_layouts[name]._replace(**change)
    flexible = builder.flexible
    gravity = np.asarray(model.gravity, dtype=float)
    tree = builder.links.tree(gravity, closures.rows, len(model.states), flexible.laws() if flexible.bodies else None)
    for arrays in (tree, loads, closures):
        freeze(arrays)
    names_q, names_v = [""] * tree.nq, [""] * tree.nv
    for name, found in builder.joint_layouts.items():
        joint = model.joints[name].joint
        for label, indices, names in (("q", found.q, names_q), ("v", found.v, names_v)):
            for i, index in enumerate(indices):
                names[index] = f"{name}.{label}[{i}]" if len(indices) > 1 else f"{name}.{short_name(joint, label)}"
    for name, layout in flexible.layouts.items():
        for i, (k, j) in enumerate(zip(layout.q, layout.v, strict=True)):
            names_q[k], names_v[j] = f"{name}.modes[{i}]", f"{name}.modal_rates[{i}]"
    system = System(
        model, tree, loads, closures, builder.joint_layouts, builder.body_index, builder.marker_names,
        tuple(names_q), tuple(names_v), depth, callbacks, topo, builder.virtual, tuple(builder.law_owner),
        tuple(closing), builder.force_types, equation_kinds, builder.event_sets, tuple(builder.laws),
        flexible=flexible.layouts, flex=flexible.flex(), reads_places=builder.reads_places,
    )  # fmt: skip
    for reader in builder.force_readers:
        reader.system = system
    return system
