"""`Stepper`: a model that is stepped by hand, for control loops, co-simulation and learning."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.analyses.simulate.compile_ahead import compile_ahead
from duoti.analyses.simulate.contact_engine import contact_engine, drive_bends
from duoti.analyses.simulate.driver import (
    Simulation,
    after_call,
    new_loop,
    signals_wait,
    stopped_by,
    until_next_look,
)
from duoti.analyses.simulate.jumps import JumpError, give_impulse
from duoti.analyses.simulate.outputs import OutputTimes
from duoti.analyses.simulate.simulate import consistent_start, set_clock
from duoti.analyses.states.at import start_of_run
from duoti.analyses.states.diagnose import explain_failure
from duoti.analyses.states.supported import of_graph
from duoti.analyses.states.unread import warn_of_unread
from duoti.analyses.states.warnings import SimulationWarning
from duoti.analyses.stepper.default_solver import stepping_solver
from duoti.analyses.stepper.numbers import HeldNumbers
from duoti.analyses.stepper.reader import Reader, is_readable
from duoti.analyses.stepper.saved import Arrays, StepperState
from duoti.contact.event_driven.records import ContactError, ImpactRecord
from duoti.contact.joint_friction.friction_states import FrictionStates, JammedError
from duoti.dynamics.joint_friction.installation import has_joint_friction
from duoti.dynamics.workspace import DEFAULT, new_workspace
from duoti.integrate import Solver
from duoti.integrate import state as S
from duoti.integrate.base import DrivenLoop
from duoti.integrate.hand_steps import (
    BEGUN,
    CHANGED,
    HAND,
    HAND_CONTEXT,
    NOT_A_NUMBER,
    step_entry,
    take_over_entry,
)
from duoti.integrate.set_states import joint_holds
from duoti.kernel import address_of, entry_caller, pack, prepare
from duoti.model.errors import ChannelError, ParameterError
from duoti.model.model import Model
from duoti.model.quantities import READ_OF_CONTACTS, Quantity, find_quantity
from duoti.results.evaluate.channels import contact_columns
from duoti.results.records import Reason, Stats
from duoti.results.result import Result
from duoti.strict import explained_methods, user_level
from duoti.system.arrays import Reals
from duoti.system.compile.compiler import compile_model
from duoti.system.system import System

if TYPE_CHECKING:
    from duoti.results.evaluate.contact_points import CompliantForces

GRID = 1e-9  # part of a constant step within which a step by hand is a whole number of them
HISTORY = 1000  # changes of contacts that are remembered
WORDS = 1024  # of a packed context
UNINTERRUPTED = 20_000  # steps of the solver after which Python looks whether there was a signal, such as Ctrl-C
NO_TIMES = OutputTimes(0.0, 0.0, 0, 0.0, np.zeros(0))


@explained_methods
class Stepper:
    """A model that is stepped by hand: set inputs, step, read.

        s = dt.Stepper(model)
        s.set(u=3.0)
        s.step(1e-3)
        s["A.angle"]

    Numbers that are set are held until they are set again. A step ends exactly at the given time. It contains events,
    contacts, impacts and controllers as in `simulate`. Where the steps of the solver are the same, the motion is that
    of `simulate`, bit for bit.

    Parameters
    ----------
    model:
        A `Model`, which is compiled first, or a compiled `System`.
    solver:
        As for `simulate`. By default time stepping (`Moreau`, steps of at most 1 ms) for rigid contacts and for dry
        friction in joints; otherwise the solver of `choose_solver` with the tolerances rtol = 1e-4, atol = 1e-5. For an
        arm, a step of 1 ms is then one step of `DOPRI5`, unless accuracy asks for more.

    Attributes
    ----------
    solver:
        The solver.
    """

    def __init__(self, model: Model | System, solver: Solver | str | None = None):
        made = of_graph(model)
        if not isinstance(made, Model | System):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"{model!r} is not a model; give a dt.Model or what dt.compile made of one")
        system = made if isinstance(made, System) else compile_model(made)
        system.require_dynamics()
        self._choice = stepping_solver(system, solver)
        self.solver: Solver = self._choice.solver
        self._numbers = HeldNumbers(system)
        self._readers: list[Reader] = []
        self._single: dict[str, Reader] = {}
        self._others = set[str]()  # names that no reader reads
        self._handles = list[Reals]()  # arrays that `inputs` gave
        self._blank: tuple[bytes, dict[str, Any]] | None = None
        self._first: StepperState | None = None
        self.reset()

    # ------------------------------------------------------------------------------------------------- the beginning

    def reset(self, state: Any = None, parameters: Mapping[str, Any] | None = None, *, t: float | None = None) -> None:
        """Begin anew. Numbers that were set have the values of the model again.

        Parameters
        ----------
        state:
            As `at` of `simulate`: (q, v) or (q, v, z), values by joint, an equilibrium, a row of a result; by default
            the initial state of the model. Or a state that `stepper.state` gave.
        parameters:
            Other values of the model's numbers by name, initial values included, until the next reset.
        t:
            Time at the beginning [s]; by default that of the state, or 0.
        """
        if isinstance(state, StepperState):
            if parameters or t is not None:
                raise ValueError("a saved state has its own parameters and time; call set() after restore()")
            self.restore(state)
            return
        plain = state is None and not parameters and t is None
        if plain and self._first is not None:
            self.restore(self._first)
            return
        self._numbers.start(dict(parameters or {}))
        _, at, time = start_of_run(self._numbers.reference, state, t, "relative")
        if self._blank is not None and self._numbers.system is self._system:
            self._take_over()
        self._begin(at, float(time))
        if plain:
            self._first = self.state

    def _begin(self, state: Any, t: float) -> None:
        """Make the loop of the present system, and start it in a state (None: that of the model)."""
        numbers, solver = self._numbers, self.solver
        again = self._blank is not None and numbers.system is self._system
        system = self._system = numbers.system
        engine = None
        if again and self._blank is not None:  # the same loop, as it was when it was made
            loop, work = self._loop, self._loop.work
            loop.load_state_dict(self._blank[1])
            Arrays(loop.checkpoint_arrays()).fill(self._blank[0])
        else:
            compile_ahead(system, solver, DEFAULT)
            engine = contact_engine(system, solver, DEFAULT, "impact") if system.model.contacts else None
            if engine is not None:
                engine.tunnelling.drives = drive_bends(system, t, t + 1.0)
            work = engine.work if engine else new_workspace(system, ydot=True)
            loop = new_loop(solver, engine.system if engine else system, work, NO_TIMES, streamed=False)
            self._blank = None if engine else (Arrays(loop.checkpoint_arrays()).copy(), loop.state_dict())
        set_clock(loop.run, solver, t, 1.0)
        start = consistent_start(system, state, t, loop.run.y, work, solver, DEFAULT, engine)
        loop.friction_states = start.friction_states
        simulation = Simulation(system, solver, DEFAULT, loop, NO_TIMES, engine=engine, choice=self._choice)
        simulation.begin()
        loop.run.clock[0].t_output = -math.inf  # no outputs
        self._loop, self._engine = loop, engine
        self._impacts, self._from = list[ImpactRecord](), t
        self._ended: Reason | None = None
        if again:
            self._hand[:] = np.zeros(1, HAND)
            self._plan()
        else:
            self._hand: Any = S.one(HAND)
            self._attach()
        self._count_from_here(0.0)
        if start.contact_failed:
            self._end(Reason("contact-unsolved", start.contact_failed))
        elif start.jump_failed is not None:
            self._end(Reason("not-finite", str(start.jump_failed)))

    def _attach(self) -> None:
        """Tell the entries where everything is."""
        loop, system = self._loop, self._system
        prepare([(each, "") for each in (step_entry, take_over_entry)])
        self._plan()
        self._block: Any = np.zeros(WORDS)
        self._held, self._holds = self._numbers.held(), joint_holds(system, loop.work)
        context = int(loop.work.at[0].system)
        run = self._direct.run if self._direct is not None else loop.run
        pack(self._block, (context, run, self._held, self._holds, self._hand), HAND_CONTEXT)
        at = address_of(self._block)
        self._step = entry_caller(step_entry, at)
        self._take_over = entry_caller(take_over_entry, at)
        if system.callbacks.calls_python:
            self._step = self._guarded(self._step)
        self._run_of_block = run
        self._status: Any = self._hand["status"]
        self._clock: Any = loop.run.clock["t"]
        self._y: Any = loop.run.y
        for reader in (*self._readers, *self._single.values()):
            reader.attach(loop.run)
        for handle in self._handles:
            if handle.base is not self._numbers.room:
                handle.flags.writeable = False  # rather an error than a number that has no effect
        self._arrays: Arrays | None = None
        self._listed: Arrays | None = None  # what was made last, where the list may change
        self._places: dict[str, tuple[int, bool]] = {}  # of values, and whether they are checked
        self._looked: Result | None = None
        self._columns: dict[str, list[int]] = {}
        self._of_contacts: dict[str, Quantity | None] = {}
        self._forces: CompliantForces | None = None

    def _plan(self) -> None:
        """Which compiled steps may come before the loop has to look."""
        self._direct: DrivenLoop | None = None
        if self._engine is None:
            self._direct, until = self._loop.without_a_look()
            counts = self._loop.run.counts[0]
            self._hand[0].until = min(until, int(counts.steps) + int(counts.rejected) + UNINTERRUPTED)
        self._hand[0].by_python = int(self._direct is None)
        self._hand[0].starts = int(self._loop.begins_with_rates)

    def _guarded(self, call: Callable[[], None]) -> Callable[[], None]:
        """Functions in Python are called within: signals wait, and errors are heard."""
        callbacks = self._system.callbacks

        def guarded() -> None:
            callbacks.errors.clear()
            with callbacks.listening():
                call()

        return guarded

    def _count_from_here(self, h: float) -> None:
        """Steps of this length are counted from the present time; constant steps of the solver divide them."""
        hand, run = self._hand[0], self._loop.run
        clock = run.clock[0]
        hand.anchor, hand.h, hand.number = float(clock.t), h, 0
        if self.solver.fixed_step and h > 0.0:
            step = self.solver.fixed_step
            count = max(1, math.ceil(h / step * (1.0 - GRID)))
            clock.fixed_step = step if abs(count * step - h) <= GRID * step else h / count
            clock.h = clock.fixed_step
            clock.t_base, run.counts[0].base_steps = clock.t, run.counts[0].steps
        self._h = h

    # --------------------------------------------------------------------------------------------------------- steps

    def step(self, h: float) -> bool:
        """Go on by exactly h [s]; True if the end of the step was reached.

        Equal steps are counted from the first one, so that round-off of the time does not add up. A step that fails, or
        that a terminal event ends, leaves the state up to there.
        """
        if h != self._h or not h:
            self._require_step(h)
            self._count_from_here(float(h))
        elif self._ended is not None:
            self._refuse_ended()
        self._looked = None
        self._step()
        return True if self._status[0] == S.END else self._go_on()

    def step_to(self, t: float) -> bool:
        """Go on to exactly the time t [s]; True if it was reached."""
        now = self.t
        if not isinstance(t, Real) or not now < t < math.inf:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"t={t!r}: give a time after the present one, {now:.9g} s")
        if self._ended is not None:
            self._refuse_ended()
        self._count_from_here(float(t) - now)
        hand, self._from = self._hand[0], now
        hand.anchor, hand.h = float(t), 0.0
        self._h = 0.0
        self._looked = None
        self._step()
        return True if self._status[0] == S.END else self._go_on()

    def _require_step(self, h: float) -> None:
        if not isinstance(h, Real) or not 0.0 < h < math.inf:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"h={h!r}: give a positive time in seconds")
        if self._ended is not None:
            self._refuse_ended()

    def _refuse_ended(self) -> None:
        raise RuntimeError(f"the motion has ended: {self.reason}; call reset() or restore(state)")

    def _go_on(self) -> bool:
        """What the entry leaves to Python: errors, jumps, engines of contacts, methods with decisions in Python."""
        status = int(self._status[0])
        if status == NOT_A_NUMBER:
            k = int(self._hand[0].wrong)
            raise ValueError(f"{self._shown(self._numbers.names[k])} is held at {self._numbers.values[k]}")
        loop, callbacks = self._loop, self._system.callbacks
        callbacks.errors[:] = [] if status in (CHANGED, BEGUN) else callbacks.errors
        try:
            with callbacks.listening():
                if status == CHANGED:
                    with signals_wait(callbacks):
                        self._take_change()
                    self._step()
                    status = int(self._status[0])
                if status == BEGUN:
                    status = S.CONTINUE
                if status < 0 and type(loop).advance is not DrivenLoop.advance:
                    status = S.CONTINUE  # the loop may know what to do about it
                while True:
                    with signals_wait(callbacks):
                        self._raise_what_stopped()
                        status = after_call(self._system, loop, self._engine, status)
                        if status in (S.END, S.EVENT) or status < 0:
                            break
                        if status == S.FULL:
                            self._make_room()
                        most = until_next_look(self._engine, loop.run, UNINTERRUPTED)
                        status = loop.advance(most)
        except ContactError as error:
            return self._end(Reason("contact-unsolved", str(error)))
        except JumpError as error:
            return self._end(Reason("not-finite", str(error)))
        finally:
            self._status[0] = status
            self._after_python()
        if status == S.END:
            return True
        if status == S.EVENT:
            name = list(self._system.model.events)[loop.run.counts[0].stopped_by]
            self._ended = stopped_by(name, self.t)
            return False
        if loop.friction_states is not None and (text := loop.friction_states.jam_at(self.t)):
            return self._end(Reason("jammed", text))
        return self._end(explain_failure(self._system, loop.run, status))

    def _end(self, reason: Reason) -> bool:
        self._ended = reason
        text = f"stepping of {self._system.model.name!r} failed: {reason.text}"
        warnings.warn(text, SimulationWarning, stacklevel=user_level())
        return False

    def _after_python(self) -> None:
        loop = self._loop
        self._impacts = loop.take_impacts()
        self._plan()
        if (loop.run if self._direct is None else self._direct.run) is not self._run_of_block:
            self._attach()
        if self._engine is not None:
            self._impacts = list(self._engine.impacts)
            self._engine.impacts.clear()
            if len(self._engine.history) > 2 * HISTORY:
                del self._engine.history[:-HISTORY]

    def _raise_what_stopped(self) -> None:
        callbacks = self._system.callbacks
        if callbacks.stopped_by is not None:
            raise callbacks.stopped_by
        for _, error in callbacks.errors:
            if isinstance(error, KeyboardInterrupt):
                raise error

    def _make_room(self) -> None:
        counts = self._loop.run.counts[0]
        if counts.output == 0 and counts.events == 0:
            self._loop.use(S.larger_buffers(self._loop.run))
        counts.output = counts.events = 0

    def _take_change(self) -> None:
        """Held numbers have changed: contacts, and joints at rest or at a stop, may do otherwise from now on."""
        loop, run, system = self._loop, self._loop.run, self._system
        t = float(run.clock[0].t)
        if self._engine is not None:
            self._engine.transition(t, run.y, ())
            self._engine.forget_fired(run.watches)
            self._engine.limit_steps(run.clock[0], run.y)
        elif has_joint_friction(system) and not self.solver.treats_contacts:
            states = loop.friction_states = loop.friction_states or FrictionStates(system, loop.work)
            try:
                states.change(t, run.y, ())
            except JammedError as error:
                states.jammed = str(error)
        if loop.begins_with_rates:
            loop.begin_again()
        self._hand[0].stale = 0

    # -------------------------------------------------------------------------------------------------------- inputs

    def set(self, values: Mapping[str, Any] | None = None, /, **named: float) -> None:
        """Change numbers of the model, by name: they are then held.

        Parameters, forces and joints: "k" (a declared parameter), "spring.stiffness", "rod.mass", "gravity.z";
        "motor" or "motor.torque", the law of a force element; "shoulder", a torque added in a joint. A number that
        shapes the system (a place, a constraint, a limit) makes the system anew, in some milliseconds.
        """
        if values and named and (twice := values.keys() & named.keys()):
            raise ParameterError(f"{', '.join(sorted(twice))}: given twice, in the mapping and by keyword")
        changes = {**(values or {}), **named}
        numbers, places = self._numbers, self._places
        if self._ended is not None and changes:
            self._refuse_ended()
        if not changes.keys() <= places.keys():
            rest = [] if numbers.places(changes) else self._hold(changes)
            if rest:
                self._set_anew(changes)
                return
            places = self._places
            for name, k in zip(changes, numbers.places(changes), strict=True):
                places[name] = k, numbers.is_checked(numbers.names[k])
        for name, value in changes.items():
            if not isinstance(value, Real) or not math.isfinite(value):
                raise ParameterError(f"{name} = {value!r}: give a finite number")
            k, checked = places[name]
            if checked and value != numbers.values[k]:
                numbers.check(numbers.names[k], float(value))
            numbers.values[k] = value

    def _hold(self, names: Any) -> list[str]:
        """Hold further numbers; returns names of those that need another system."""
        numbers = self._numbers
        warn_of_unread(self._system.model, [name for name in names if name not in numbers.names], "Stepper")
        rest = numbers.hold(names)
        if numbers.system is not self._system:
            self._begin_here()
        else:
            self._attach()
        return rest

    def _set_anew(self, changes: Mapping[str, Any]) -> None:
        numbers = self._numbers
        compiled = {name: value for name, value in changes.items() if numbers.places([name])}
        others = {name: value for name, value in changes.items() if name not in compiled}
        numbers.other_system(others)
        self._begin_here()
        if compiled:
            self.set(compiled)

    def _begin_here(self) -> None:
        """Go on with another system from the present state; rates are brought onto its constraints by an impulse."""
        y, t = self._y.copy(), self.t
        system = self._numbers.system
        nq, nv, nz = system.nq, system.nv, system.nz
        if system.closures.rows:
            work = new_workspace(system, ydot=True)
            give_impulse(system, work, t, y)
        state = (y[:nq], y[nq : nq + nv], y[nq + nv : nq + nv + nz]) if nz else (y[:nq], y[nq : nq + nv])
        self._first = None
        held = self._numbers.values.copy()
        self._begin(state, t)
        self._numbers.values[:] = held
        self._y[-2:] = y[-2:]

    def inputs(self, names: Sequence[str]) -> Reals:
        """An array for the values of these numbers: what is written into it holds from the next step on.

        Where the same numbers are asked for in another order, earlier arrays become read-only.
        """
        if isinstance(names, str):
            raise TypeError(f'names={names!r}: give a list such as ["motor"]')
        numbers, wanted = self._numbers, list(names)
        if rest := self._hold(wanted):
            raise ParameterError(
                f"{', '.join(map(self._shown, rest))}: no compiled step changes this, since it shapes the "
                "system; use set()"
            )
        places = numbers.places(wanted)
        if places != list(range(places[0], places[0] + len(places))):
            numbers.order(wanted)
            self._attach()
            places = numbers.places(wanted)
        made = numbers.room[places[0] : places[-1] + 1]
        self._handles.append(made)
        return made

    def can_hold(self, names: Sequence[str]) -> bool:
        """Whether `inputs` takes these names; otherwise only `set` does, which makes the system anew."""
        return not self._hold(list(names))

    def _shown(self, name: str) -> str:
        shown = [each for each, made in self._numbers.inputs.items() if made.parameter == name]
        return f'"{shown[0] if shown else name}"'

    # ------------------------------------------------------------------------------------------------------- reading

    @property
    def t(self) -> float:
        """Time [s]."""
        return float(self._clock[0])

    @property
    def q(self) -> Reals:
        """Coordinates, in the order of `system.coordinate_names`; a copy."""
        return self._y[: self._system.nq].copy()

    @property
    def v(self) -> Reals:
        """Rates, in the order of `system.rate_names`; a copy."""
        return self._y[self._system.nq : self._system.nq + self._system.nv].copy()

    @property
    def z(self) -> Reals:
        """First-order states, in the order of `system.state_names`; a copy."""
        first = self._system.nq + self._system.nv
        return self._y[first : first + self._system.nz].copy()

    @property
    def system(self) -> System:
        """The compiled model with the present numbers."""
        return self._numbers.current()

    def __getitem__(self, name: str) -> Any:
        """The present value of a channel: a number, or an array for vectors."""
        found = self._single.get(name)
        if found is None and name not in self._others:
            if is_readable(self._numbers.base.model, name):
                found = self._single[name] = Reader(self._numbers, [name])
                found.attach(self._loop.run)
            else:
                self._others.add(name)
        if found is not None:
            values = found()
            return float(values[0]) if len(values) == 1 else values.copy()
        if (known := self._numbers.value(name)) is not None:
            return known
        if (recorded := self._recorded(name)) is not None:
            return recorded
        if (force := self._compliant(name)) is not None:
            return float(force[0]) if len(force) == 1 else force
        row = self._look()[name][0]
        return float(row) if np.ndim(row) == 0 else np.array(row)

    def _recorded(self, name: str) -> Any:
        """What time stepping writes of a rigid contact beside the state; None if it is no such channel."""
        if not self.solver.treats_contacts:
            return None
        if name not in self._columns:
            self._columns[name] = contact_columns(self._system.model, self._loop.record_layout, name)
        columns = self._columns[name]
        if not len(columns):
            return None
        found = self._loop.run.x[columns]
        return float(found[0]) if len(found) == 1 else found

    def _compliant(self, name: str) -> Reals | None:
        """Force of a compliant contact, or where it acts; None if it is no such channel."""
        if name not in self._of_contacts:
            self._of_contacts[name] = _of_compliant(self._system.model, name)
        quantity = self._of_contacts[name]
        if quantity is None:
            return None
        if self._forces is None:
            from duoti.results.evaluate.contact_points import CompliantForces

            self._forces = CompliantForces(self._system)
        y: Any = self._y[None]
        found = self._forces.value(quantity.item, quantity.what, np.array([self.t]), y)
        return found if quantity.component is None else found[quantity.component : quantity.component + 1]

    def _look(self) -> Result:
        """The present state as a result of one row, for all other channels."""
        if self._looked is None:
            run, engine = self._loop.run, self._engine
            t, y, x = np.array([self.t]), run.y[None].copy(), run.x[None].copy()
            layout, contact_run, system = self._loop.record_layout, None, self.system
            if engine is not None:
                from duoti.contact.event_driven.contact_states import states_of
                from duoti.contact.event_driven.engine import EngineBase
                from duoti.contact.event_driven.records import ContactStatesSince
                from duoti.results.evaluate.event_driven_contacts import ContactRun

                own = EngineBase(system, engine.of)
                contact_run = ContactRun(own, [ContactStatesSince(self.t - 1.0, states_of(engine.states))], ())
                x, layout = contact_run.record(t, y), contact_run.layout
            stats = Stats(repr(self.solver), 0, 0, 0, 0.0)
            self._looked = Result(system, t, y, True, "", stats, record=x, record_layout=layout)
            self._looked.contact_run = contact_run
        return self._looked

    def reader(self, names: Sequence[str]) -> Reader:
        """A function that reads quantities or expressions of them, in about a microsecond.

        `read = s.reader(["A.angle", "tip.position", "sin(A.angle)"])`; then `read()` returns the present values in an
        array, always the same one; `read.names` says what is where. Forces, reactions and energies: `s[...]`.
        """
        made = Reader(self._numbers, names)
        made.attach(self._loop.run)
        self._readers.append(made)
        return made

    @property
    def channels(self) -> list[str]:
        """Names of all channels."""
        return self._look().channels

    @property
    def events(self) -> list[str]:
        """Names of the events of the last step, in the order of time."""
        run, names = self._loop.run, list(self._system.model.events)
        found = run.event_index[: int(run.counts[0].events)].tolist()
        return [names[k] for k in found if k < len(names)]

    @property
    def impacts(self) -> list[ImpactRecord]:
        """Impacts of rigid contacts in the last step."""
        if self._engine is None and self._status[0] == S.END:
            self._impacts += self._loop.take_impacts()
        hand = self._hand[0]
        begin = hand.anchor + (hand.number - 1) * hand.h if self._h else self._from
        self._impacts = [each for each in self._impacts if each.time > begin]
        return list(self._impacts)

    # ------------------------------------------------------------------------------------------------------- the end

    @property
    def ended(self) -> bool:
        """Whether the motion has ended: by a terminal event, or because a step failed."""
        return self._ended is not None

    @property
    def ok(self) -> bool:
        """False if a step failed, or a solver could not keep its accuracy; a terminal event is no failure."""
        return (self._ended is None or self._ended.code == "event") and not self._loop.unsolved

    @property
    def reason(self) -> str:
        """Why the motion has ended, or is not to be believed, in a sentence; "" if all is well."""
        return self._loop.unsolved if self._ended is None else self._ended.text

    @property
    def stats(self) -> Stats:
        """Steps and evaluations so far."""
        counts = self._loop.run.counts[0]
        numbers = (int(counts.steps), int(counts.rejected), int(counts.evaluations))
        return Stats(
            repr(self.solver), *numbers, 0.0, jacobians=int(counts.jacobians), notes=tuple(self._loop.notes),
            chosen=self._choice.stated_reasons, contacts=dict(self._loop.contact_stages),
        )  # fmt: skip

    # --------------------------------------------------------------------------------------------------------- states

    def _all_arrays(self) -> Arrays:
        engine = [] if self._engine is None else self._engine.checkpoint_arrays()
        listed = [*self._loop.checkpoint_arrays(), *engine, self._hand]
        if self._listed is not None and [*map(id, listed)] == [*map(id, self._listed.given)]:
            return self._listed
        found = self._listed = Arrays(listed)
        if self._direct is self._loop and not self._loop.state_dict():  # or its arrays change with their room
            self._arrays = found
        return found

    @property
    def state(self) -> StepperState:
        """A copy of the state: `restore` goes on from it bit for bit, in this process or another."""
        arrays = self._arrays or self._all_arrays()
        memory: dict[str, Any] = {"loop": self._loop.state_dict(), "h": self._h, "ended": self._ended}
        if self._engine is not None:
            memory |= {"engine": self._engine.state_dict(), "history": tuple(self._engine.history)}
        if self._loop.friction_states is not None:
            memory["jammed"] = self._loop.friction_states.jammed
        return StepperState(
            self.t, self.q, self.v, self.z, repr(self.solver), self._numbers.state_dict(), arrays.shapes, arrays.copy(),
            memory,
        )  # fmt: skip

    def restore(self, state: StepperState) -> None:
        """Go on from a state that `stepper.state` gave, with the numbers that were held then."""
        if not isinstance(state, StepperState):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"{state!r} is no state of a stepper; reset(state) takes others")
        if state.solver != repr(self.solver):
            raise ValueError(f"the state is one of {state.solver}, and this stepper has {self.solver!r}")
        self._numbers.load_state_dict(state.numbers)
        if self._numbers.system is not self._system:
            self._begin((state.q, state.v, state.z) if len(state.z) else (state.q, state.v), state.t)
        elif self._held.values is not self._numbers.values:
            self._attach()
        self._loop.load_state_dict(state.memory["loop"])
        engine = self._engine
        if engine is not None:
            engine.load_state_dict(state.memory["engine"])
            engine.history[:] = state.memory["history"]
            engine.impacts.clear()
        arrays = self._arrays or self._all_arrays()
        if arrays.shapes != state.shapes:
            raise ValueError("the state belongs to another model, or another version of duoti")
        arrays.fill(state.data)
        self._plan()
        if (self._loop.run if self._direct is None else self._direct.run) is not self._run_of_block:
            self._attach()
        self._take_over()
        self._hand[0].stale = 0
        self._h, self._ended, self._looked = state.memory["h"], state.memory["ended"], None
        if self._loop.friction_states is not None:
            self._loop.friction_states.jammed = state.memory.get("jammed", "")
        self._impacts = []

    def __repr__(self) -> str:
        return f"<stepper of {self._system.model.name!r}: t = {self.t:.6g} s, {type(self.solver).__name__}>"


def _of_compliant(model: Model, name: str) -> Quantity | None:
    """The quantity of a compliant contact that a name means, if its forces tell it; or None."""
    if not model.contacts:
        return None
    try:
        quantity = find_quantity(model, name)
    except ChannelError:
        return None
    known = quantity.kind == "contact" and quantity.what in READ_OF_CONTACTS and quantity.what != "moment"
    return quantity if known and not model.contacts[quantity.item].law.rigid else None


__all__ = ["ChannelError", "Reader", "Stepper", "StepperState"]
