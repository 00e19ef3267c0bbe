"""A model as a program: its memory, the kernels that run it, and where its variables stand.

Outputs are evaluated as event functions are: a second workspace of the same system has one more event for each, which
no solver looks at. Inputs and tunable parameters are the numbers that `ParameterSetter` knows where to write.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from duoti.analyses.export.derivatives import Derivatives, make_derivatives
from duoti.analyses.export.memory import MemoryImage, UnknownAddressError, arrays_in, gather
from duoti.analyses.simulate.choose_solver import choose_solver, is_auto
from duoti.analyses.simulate.compile_ahead import compile_ahead
from duoti.analyses.simulate.simulate import consistent_start, set_clock
from duoti.analyses.states.supported import of_graph, rigid_elements, rolling_elements
from duoti.dynamics.joint_friction.installation import has_joint_friction
from duoti.dynamics.reaction_feedback.installation import has_reaction_feedback
from duoti.dynamics.workspace import DEFAULT, new_workspace
from duoti.integrate import Auto, Radau, Solver, Tolerances
from duoti.integrate.base import DrivenLoop, algebraic_states
from duoti.integrate.events import mark_scheduled
from duoti.integrate.set_states import set_states_in_kernels
from duoti.integrate.state import CLOCK, COUNTS, WATCH
from duoti.integrate.stepping import advance, start
from duoti.kernel import CHECK, JIT, flatten
from duoti.kernel.store import images, load_or_compile
from duoti.kernel.store.images import Parts
from duoti.model.errors import ChannelError, DuotiError, ParameterError
from duoti.model.event import Event
from duoti.model.expand_bond_graphs import described
from duoti.model.joint_friction import FrictionStateEvent, slots_of
from duoti.model.model import Model, require_model
from duoti.model.quantities import Quantity, ends_in, find_quantity, known_signal
from duoti.system.arrays import CALLS, JUMPS
from duoti.system.compile.compiler import compile_model
from duoti.system.setter import ARRAYS, ParameterSetter, arrays_of
from duoti.system.system import System

OUTPUT = "duoti_output_{}"
USUAL_DURATION = 10.0  # s, of a run for which the solver is chosen
KINDS = ("joint", "body", "marker", "state")
"""Of quantities that may be outputs."""
INITIAL = ("q0", "v0", "z0")


class ExportError(DuotiError, ValueError):
    """A model, or a part of it, that cannot become a program without Python; the text names all that is in the way."""


@dataclass(frozen=True)
class Variable:
    """A number of the program by its name."""

    name: str
    unit: str
    start: float
    fixed: bool = False
    """Whether it counts at the start only: an initial value."""


@dataclass
class Program:
    """All that a linker needs."""

    system: System
    solver: Solver
    block: MemoryImage
    kernels: list[Parts]
    """Machine code of the kernels, in the order of the block; start and advance of the driver are the last two."""
    inputs: int
    """How many of the parameters are inputs: the first ones."""
    parameters: list[Variable]
    """Inputs, then tunable parameters."""
    outputs: list[Variable]
    states: list[Variable]
    state: Any
    """q, v, z and works at the start."""
    places: dict[str, int]
    """Where the program finds what it reads and writes [words], by the names of its C sources."""
    numbers: dict[str, float] = field(default_factory=dict[str, float])
    events: list[str] = field(default_factory=list[str])
    """Names of the events, which are event indicators of model exchange."""
    actions: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])
    """For each event: what it does (`system.arrays.RECORDED`, ...), its direction, and 1 if it also acts at the start.
    """
    slots: Any = None
    slot_words: Any = None
    """Where the slots of inputs and parameters are [words]."""
    level: str = ""
    derivatives: Derivatives | None = None
    no_derivatives: str = ""
    """Why there are none."""
    derivative_kernels: list[Parts] = field(default_factory=list[Parts])
    """Those of the block of complex numbers; the equations and the events are the last two."""


def make_program(
    model: Any,
    inputs: Sequence[str] | None,
    outputs: Sequence[str] | None,
    parameters: Sequence[str] | None,
    solver: Solver | str | None,
    derivatives: bool = False,
) -> Program:
    """The program of a model, with directional derivatives if wanted; ExportError with all that cannot go out."""
    if not JIT:
        raise ExportError("kernels run as plain Python (DUOTI_JIT=0): there is no machine code to export")
    if CHECK:
        raise ExportError("kernels of the checked build (DUOTI_CHECK=1) are not exported")
    given = of_graph(model)
    given = given.model if isinstance(given, System) else given
    require_model(given)
    for name, value in (("inputs", inputs), ("outputs", outputs), ("parameters", parameters)):
        if isinstance(value, str):
            raise TypeError(f'{name}={value!r}: give a list of names, such as ["{value}"]')
    base = compile_model(given)
    base.require_dynamics()
    _refuse(base)
    chosen = _solver(base, solver)
    wanted = _outputs(base, outputs)
    with_outputs = _with_outputs(base, [name for name, _ in wanted])
    setter, settable = _setter(with_outputs, list(inputs or ()), parameters)
    program = _assemble(with_outputs, list(inputs or ()), chosen, setter, settable, wanted, base)
    if derivatives:
        _add_derivatives(program)
    return program


def _add_derivatives(program: Program) -> None:
    made, program.no_derivatives = make_derivatives(program.system, program.slots)
    if made is None:
        return
    program.derivatives = made
    found = [_parts(address) for address in (*made.block.kernels, made.equations, made.events)]
    program.derivative_kernels = [parts for parts, _ in found]
    program.level = max(program.level, *(level for _, level in found))


def _refuse(system: System) -> None:
    """ExportError with everything in the model that a program cannot have."""
    model, faults = system.model, list[str]()

    def fault(kind: str, names: Sequence[str], why: str) -> None:
        if names:
            faults.append(f"{kind} {', '.join(repr(str(name)) for name in names)}: {why}")

    functions = [owner for owner, law in zip(system.law_owners, system.laws, strict=True) if law.function is not None]
    fault("FMU", list(model.fmus), "an FMU inside the model is not exported with it; couple both in the importing tool")
    sampled = {f"{name}.sample": name for name, sensor in model.sensors.items() if sensor.sampled}
    fault(
        "sensor",
        list(sampled.values()),
        "Python takes its samples; let laws read the quantity itself, and leave out its period",
    )
    for owner in dict.fromkeys(owner for owner in functions if owner.name not in {*model.fmus, *sampled}):
        fault(owner.kind, [owner.name], "its law is a function in Python; write it as an expression")
    fault("contact", rigid_elements(system), "rigid contacts are not exported; give them a dt.CompliantContact law")
    fault("contact", rolling_elements(system), "rolling contacts with creep forces are not exported yet")
    own = model.events
    jumps = [  # those of joints are refused below, if at all
        name for name, event in own.items() if event.jump is not None and not isinstance(event, FrictionStateEvent)
    ]
    fault("event", jumps, "its jump is a function in Python; events that set first-order states are exported")
    if any(event.sets for event in own.values()) and np.any(system.closures.equation_axes[:, 2] >= 0):
        setting = [name for name, event in own.items() if event.sets]
        fault("event", setting, "constraints that are switched by states are not exported")
    if has_joint_friction(system):
        joints = dict.fromkeys(slot.joint for slot in slots_of(model))
        remedy = "use a regularised law, dt.JointStop with a stiffness"
        fault("joint", list(joints), f"dry friction and rigid stops are not exported; {remedy}")
    if has_reaction_feedback(system):
        from duoti.model.laws.reaction_feedback import feedback_names

        fault("laws that read", feedback_names(model), "reactions are not known to an exported program")
    fault("state", algebraic_states(system), "algebraic states are not exported; give them a rate")
    if faults:
        raise ExportError(f'model "{model.name}" cannot be exported:\n  ' + "\n  ".join(faults))


def _solver(system: System, solver: Solver | str | None) -> Solver:
    """The solver of co-simulation: the one given, or the usual choice."""
    named = solver is not None and not is_auto(solver)
    chosen = choose_solver(system, 1.0 if named else USUAL_DURATION, solver).solver
    if isinstance(chosen, Auto) and not named:  # it changes its method in Python
        chosen = Radau(rtol=chosen.rtol, atol=chosen.atol, max_step=chosen.max_step)
    return chosen


def _outputs(system: System, names: Sequence[str] | None) -> list[tuple[str, str]]:
    """Names of outputs, one for each number, with their units."""
    model = described(system.model)
    if names is None:
        names = [*system.coordinate_names, *system.rate_names, *system.state_names]
    found, faults, known = list[tuple[str, str]](), list[str](), known_signal(system.model)
    for name in names:
        try:
            quantity = _quantity(system, name)
            spelled = [name]
            if quantity.component is None and quantity.size > 1:
                spelled = [name + end for end in ends_in(model, name)]
        except ChannelError as error:
            faults.append(str(error))
            continue
        for each in spelled:
            if quantity.kind not in KINDS or not known(each):
                faults.append(f'output "{each}" is none of these; tools compute it from them')
            else:
                found.append((each, quantity.unit))
    twice = [name for k, (name, _) in enumerate(found) if name in [other for other, _ in found[:k]]]
    faults += [f'output "{name}" is given twice' for name in twice]
    if faults:
        raise ExportError(
            "outputs of a program are joint coordinates, rates, positions, axes and velocities of bodies and "
            "markers, and states:\n  " + "\n  ".join(faults)
        )
    return found


def _quantity(system: System, name: str) -> Quantity:
    """A quantity of the model, also one of its bond graphs, whose states have names of their own."""
    try:
        found = find_quantity(described(system.model), name)
        return replace(found, unit="") if found.unit == "mixed" else found
    except ChannelError:
        if name in system.model.states:
            return find_quantity(system.model, name)
        raise


def _with_outputs(system: System, names: Sequence[str]) -> System:
    """The system with one more event for each output."""
    model: Model = copy.copy(described(system.model))
    model.events = dict(model.events)
    for k, name in enumerate(names):
        model.events[OUTPUT.format(k)] = Event(name)
    return compile_model(model)


def _setter(
    system: System, inputs: list[str], parameters: Sequence[str] | None
) -> tuple[ParameterSetter, list[tuple[str, bool]]]:
    """Where inputs and parameters are written."""
    model = described(system.model)
    everything = parameters is None
    if parameters is None:
        chosen = [name for name in model.parameters if name not in inputs and _is_free(system, name)]
    else:
        chosen = list(parameters)
    if both := sorted({*inputs} & {*chosen}):
        raise ExportError(f"{', '.join(both)}: both an input and a parameter; choose one")
    setter = ParameterSetter(system, [*inputs, *chosen])
    if setter.rest and everything:  # declared parameters that programs cannot change keep their values
        chosen = [name for name in chosen if name not in setter.rest]
        setter = ParameterSetter(system, [*inputs, *chosen])
    faults = [
        f'"{name}" does not enter the equations as a number that can be changed in place (a length, a table, or part '
        "of a formula of parameters)" for name in setter.rest
    ]  # fmt: skip
    s = setter.slots
    initial = {
        int(k) for e, a in enumerate(s.array) if ARRAYS[a] in INITIAL for k in s.parameter[s.first[e] : s.first[e + 1]]
    }
    faults += [
        f'input "{name}" is an initial value: make it a parameter' for k, name in enumerate(inputs) if k in initial
    ]
    if system.closures.rows:
        faults += [f'"{name}" is an initial value of a model with closed loops, whose start is computed at export'
                   for k, name in enumerate(setter.names) if k in initial]  # fmt: skip
    reached = {*s.parameter.tolist()}
    faults += [f'"{name}" has no effect on the model' for k, name in enumerate(setter.names)
               if k not in reached and name not in setter.rest and (k < len(inputs) or not everything)]  # fmt: skip
    if faults:
        raise ExportError("inputs and parameters:\n  " + "\n  ".join(faults))
    if everything and (idle := [name for k, name in enumerate(setter.names) if k not in reached]):
        return _setter(system, inputs, [name for name in chosen if name not in idle])
    return setter, [(name, k in initial) for k, name in enumerate(setter.names)]


def _is_free(system: System, name: str) -> bool:
    """Whether a declared parameter can be changed after a file was read: nothing else was computed from it then."""
    try:
        ParameterSetter(system, [name])
    except ParameterError:
        return False
    return True


def _user_part(system: System, events: int) -> System:
    """The system with its first events only; all other arrays are shared."""
    laws = system.loads.laws
    cut = laws._replace(
        event_law=laws.event_law[:events].copy(),
        event_action=laws.event_action[:events].copy(),
        event_direction=laws.event_direction[:events].copy(),
    )
    model = copy.copy(system.model)
    model.events = {
        name: replace(event, at_start=False) if event.at_start else event  # the program itself does that
        for name, event in list(model.events.items())[:events]
    }
    return replace(system, model=model, loads=system.loads._replace(laws=cut))


def _assemble(
    whole: System, inputs: list[str], solver: Solver, setter: ParameterSetter, settable: list[tuple[str, bool]],
    outputs: list[tuple[str, str]], base: System,
) -> Program:  # fmt: skip
    model, events = base.model, len(base.loads.laws.event_law)
    running = _user_part(whole, events)
    if list(running.model.events) != list(model.events):
        raise ExportError(f'model "{model.name}" has events of its elements, which are not exported')
    compile_ahead(running, solver, DEFAULT)
    work, watch = new_workspace(running, ydot=True), new_workspace(whole, ydot=True)
    loop = solver.loop(running, np.zeros(0), work)
    if not isinstance(loop, DrivenLoop):
        raise ExportError(
            f"{type(solver).__name__} is not exported: choose an explicit solver, dt.Radau(), dt.Rodas(), "
            "dt.GeneralisedAlpha() or dt.Moreau()"
        )
    mark_scheduled(running, loop.run)
    jumps = set_states_in_kernels(running, work, loop.run)
    if jumps is None and JUMPS in running.loads.laws.event_action:
        raise ExportError(f'events of model "{model.name}" change the state in a way that is not exported')
    set_clock(loop.run, solver, 0.0, 1.0)
    consistent_start(running, None, 0.0, loop.run.y, work, solver, DEFAULT)
    state = loop.run.y.copy()
    words = [np.array(flatten((int(work.at[0].system), loop.run, last))[0], np.int64) for last in (0.0, 0)]
    kinds = [flatten((int(work.at[0].system), loop.run, last))[1] for last in (0.0, 0)]
    driver = [load_or_compile.link(*pair)[0] for pair in zip((start, advance), kinds, strict=True)]
    things = (whole.tree, whole.loads, whole.closures, running.loads, work, watch, loop.run, loop.arguments,
              loop.method, loop.block, jumps or (), *words, *_of_flexible(whole), *_further(loop))  # fmt: skip
    try:
        block = gather(things, load_or_compile.linked_addresses())
    except UnknownAddressError as error:
        raise ExportError(f'model "{model.name}" has memory that is not exported yet ({error})') from None
    found = [_parts(address) for address in (*block.kernels, *driver)]
    program = Program(
        whole, solver, block, [parts for parts, _ in found], len(inputs), [], [], [], state, {},
        events=list(base.model.events)[:events], slots=setter.slots, level=max(level for _, level in found),
    )  # fmt: skip
    laws = running.loads.laws
    program.actions = [
        (int(laws.event_action[e]), int(laws.event_direction[e]), int(event.at_start))
        for e, event in enumerate(model.events.values())
    ]
    _name_variables(program, base, setter, settable, outputs)
    _find_places(program, work, watch, loop.run, words)
    _find_slots(program, whole, loop.run)
    return program


def _of_flexible(system: System) -> list[Any]:
    return [] if system.flex is None else [system.flex]


def _further(loop: DrivenLoop) -> list[Any]:
    """Arrays that a loop keeps beside its arguments: those of derivatives."""
    found: list[Any] = []
    for value in vars(loop).values():
        if isinstance(value, tuple):
            found += arrays_in(value)
    return found


def _parts(address: int) -> tuple[Parts, str]:
    try:
        image, level = load_or_compile.image_at(address)
        found = images.parts(image)
    except LookupError as error:
        raise ExportError(str(error)) from None
    if found is None:
        raise ExportError("a kernel refers to itself by an address; it cannot be linked")
    return found, level


def _name_variables(
    program: Program, base: System, setter: ParameterSetter, settable: list[tuple[str, bool]],
    outputs: list[tuple[str, str]],
) -> None:  # fmt: skip
    model = described(base.model)
    units = _units(model, setter)
    variables = [
        Variable(name, units.get(name, ""), float(value), initial)
        for (name, initial), value in zip(settable, setter.values, strict=True)
    ]
    program.parameters = variables
    program.outputs = [Variable(name, unit, 0.0) for name, unit in outputs]
    names = [*base.coordinate_names, *base.rate_names, *base.state_names]
    program.states = []
    for k, name in enumerate(names):
        try:
            unit = _quantity(base, name).unit
        except ChannelError:
            unit = ""
        program.states.append(Variable(name, unit, float(program.state[k])))


def _units(model: Model, setter: ParameterSetter) -> Mapping[str, str]:
    from duoti.model.parameters import find

    found = dict[str, str]()
    for name in setter.names:
        try:
            units = find(model, name).units(model)
        except (ParameterError, KeyError, ValueError):
            continue
        if len(units) == 1:
            found[name] = units[0]
    return found


def _find_places(program: Program, work: Any, watch: Any, run: Any, words: list[Any]) -> None:
    at, places = program.block, program.places
    for name, w in (("RUN", work), ("OUT", watch)):
        places[f"{name}_CONTEXT"] = at.place(int(w.at[0].system))
        for array in ("clock", "y", "ydot", "event"):
            places[f"{name}_{array.upper()}"] = at.place_of(getattr(w, array))
        for call in ("ydot", "events", "project", "jump"):
            places[f"{name}_CALL_{call.upper()}"] = at.place_of(w.calls) + _word(CALLS, call)
    for each in ("t", "t_begin", "t_end", "h", "fixed_step", "rtol", "atol"):
        places[f"CLOCK_{each.upper()}"] = at.place_of(run.clock) + _word(CLOCK, each)
    for each in ("events", "started", "output", "outcome"):
        places[f"COUNTS_{each.upper()}"] = at.place_of(run.counts) + _word(COUNTS, each)
    places["WATCH_FIRED"] = at.place_of(run.watches) + _word(WATCH, "fired")
    places["WATCH_WORDS"] = WATCH.itemsize // 8
    places["Y"] = at.place_of(run.y)
    places["START"], places["ADVANCE"] = (at.place_of(each) for each in words)
    places["START_LAST"], places["ADVANCE_LAST"] = (at.place_of(each) + len(each) - 1 for each in words)


def _word(kind: Any, name: str) -> int:
    """Place of a field in a record [words]."""
    return int(kind.fields[name][1]) // 8


def _find_slots(program: Program, system: System, run: Any) -> None:
    arrays, first = arrays_of(system), {"q0": 0, "v0": system.nq, "z0": system.nq + system.nv}
    s, found = program.slots, list[int]()
    for code, place in zip(s.array.tolist(), s.place.tolist(), strict=True):
        name = ARRAYS[code]
        begin = program.places["Y"] + first[name] if name in first else program.block.place_of(arrays[name])
        found.append(begin + place)
    program.slot_words = found
    program.numbers["least_rtol"] = solver.least_rtol if isinstance(solver := program.solver, Tolerances) else 0.0
    program.numbers["adaptive"] = float(isinstance(program.solver, Tolerances) and program.solver.adaptive)
