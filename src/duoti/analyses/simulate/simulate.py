"""`simulate`: the motion of a model over time."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.instant.zero_inertia import refuse_zero_inertia
from duoti.analyses.simulate.choose_solver import LOST, SolverChoice, choose_solver, given_solver, is_auto
from duoti.analyses.simulate.compile_ahead import compile_ahead
from duoti.analyses.simulate.contact_engine import contact_engine, drive_bends, start_contacts
from duoti.analyses.simulate.driver import Simulation, new_loop
from duoti.analyses.simulate.jumps import JumpError, set_at_start
from duoti.analyses.simulate.named_options import CONSTRAINT_METHODS, by_name
from duoti.analyses.simulate.outputs import OutputTimes, kind_of, output_times, refuse_too_many
from duoti.analyses.states.at import start_of_run
from duoti.analyses.states.consistent import require_closed
from duoti.analyses.states.diagnose import owner_of
from duoti.analyses.states.friction_states import refuse_friction_in_loops
from duoti.analyses.states.initial_state import closed_state
from duoti.analyses.states.supported import (
    of_graph,
    refuse_reaction_feedback_run,
    refuse_undetermined_loads,
    solve_feedback,
)
from duoti.analyses.states.warnings import SimulationWarning
from duoti.contact.joint_friction.friction_states import FrictionStates
from duoti.dynamics.joint_friction.installation import has_joint_friction
from duoti.dynamics.loops.constraint_methods import Baumgarte, ConstraintMethod
from duoti.dynamics.loops.constraint_methods.base import PenaltyMethod
from duoti.dynamics.reaction_feedback.installation import has_reaction_feedback
from duoti.dynamics.workspace import DEFAULT, borrow_workspace, give_back
from duoti.integrate import Solver, Tolerances
from duoti.integrate import state as S
from duoti.model.checks.parameters import setting_faults
from duoti.model.model import Model
from duoti.renamed import renamed_arguments
from duoti.results.result import Result
from duoti.strict import explained, user_level
from duoti.system.arrays import Reals, Work
from duoti.system.compile.compiler import compile_model
from duoti.system.system import System

if TYPE_CHECKING:
    from duoti.contact.event_driven.engine import ContactEngine
    from duoti.results.file.run_file import RunFile


# `consistent_start`: the state in which a run begins, with closed loops and all laws obeyed.


NEARLY_CLOSED = 1e-4  # residual [m, rad] of a given state that the first step may close: other methods leave as much
UNIT = 1e-6  # by which the length of a quaternion may differ from 1


class Start(NamedTuple):
    """What was found beside the state."""

    friction_states: FrictionStates | None
    """Chooses stick and slip of joints, if any have friction or stops."""
    jump_failed: JumpError | None
    """An event with `at_start` whose function failed."""
    contact_failed: str
    """Why no motion obeys the laws of the rigid contacts; "" if one does."""


def consistent_start(
    system: System,
    state: Any,
    t: float,
    y: Reals,
    work: Work,
    solver: Solver,
    method: ConstraintMethod,
    engine: ContactEngine | None = None,
) -> Start:
    """Fill y with the state in which a run begins at the time t; refuses one that none can begin in.

    The given state, or that of the model, on closed loops; then what laws read of reactions, what events set at the
    start, stick or slip of joints, and impacts and states of rigid contacts, in this order.
    """
    q, v, z = state_on_loops(system, state, t, method, None if engine else work)
    y[: len(q)] = q
    y[len(q) : len(q) + len(v)] = v
    y[len(q) + len(v) :][: len(z)] = z
    if has_reaction_feedback(system):
        refuse_reaction_feedback_run(system, solver, t, y)
        solve_feedback(work, t, y)
    friction_states, jump_failed = None, None
    if any(event.at_start for event in system.model.events.values()):
        try:
            set_at_start(system, work, t, y)
        except JumpError as error:
            jump_failed = error
    if has_joint_friction(system):
        refuse_undetermined_loads(system)
        refuse_zero_inertia(system, y[: system.nq].copy())
        held = solver.holds_joints_in_loops or not system.closures.rows
        if not held:
            refuse_friction_in_loops(system, solver)
        friction_states = engine.joints if engine else FrictionStates(system, work)
        if engine is None and friction_states is not None:
            friction_states.start(t, y, stops=held)
    return Start(friction_states, jump_failed, start_contacts(engine, t, y, solver) if engine else "")


def state_on_loops(
    system: System, state: Any, t: float, method: ConstraintMethod, work: Work | None
) -> tuple[Reals, Reals, Reals]:
    """q, v and z: those given, or the initial values of the model with loops closed. work: one that may be used."""
    q, v = system.initial_state()
    z = system.initial_z()
    if state is None:
        return (*(closed_state(system, t, work) if system.closures.rows else (q, v)), z)
    try:
        if any(np.iscomplexobj(part) for part in state):
            raise ValueError("complex numbers")
        given_q, given_v, *rest = (np.asarray(part, dtype=float) for part in state)
        (given_z,) = rest or (z,)
    except (TypeError, ValueError, OverflowError):
        or_three = " or (q, v, z)" if system.nz else ""
        raise ValueError(
            f"state={state!r}: give a pair of arrays (q, v){or_three}; system.state(...) makes one"
        ) from None
    if rest and (given_z.shape != z.shape or not np.all(np.isfinite(given_z))):
        raise ValueError(f"state: z needs {len(z)} finite numbers, got {given_z.tolist()}")
    if given_q.shape != q.shape or given_v.shape != v.shape:
        raise ValueError(
            f"state: q needs {len(q)} numbers and v {len(v)}; got shapes {given_q.shape} and {given_v.shape}"
        )
    if not (np.all(np.isfinite(given_q)) and np.all(np.isfinite(given_v))):
        raise ValueError(f"state: not all numbers are finite: q {given_q.tolist()}, v {given_v.tolist()}")
    q, v = given_q.copy(), given_v
    for k in system.tree.quat_q:
        length = float(np.linalg.norm(q[k : k + 4]))
        if abs(length - 1.0) > UNIT:
            owner, _ = owner_of(system, int(k), "q")
            raise ValueError(f"state: the quaternion of {owner} has length {length:.6g}, not 1")
        q[k : k + 4] /= length
    if not isinstance(method, Baumgarte | PenaltyMethod):  # these pull an open loop together
        require_closed(system, q, v, t, given_z, work, NEARLY_CLOSED)
    return q, v, given_z


# `run`: one simulation with a given solver, from its consistent start to its result.


@dataclass(frozen=True)
class Task:
    """What is to be simulated, whatever the solver."""

    system: System
    duration: float
    times: OutputTimes | None
    """Of outputs; None: at the steps."""
    start_time: float
    state: Any
    """At the start; None: the model's own."""
    method: ConstraintMethod
    path: Path | None = None
    """Of the file, if any."""
    checkpoint: float = 0.0
    """Seconds between checkpoints."""
    progress: bool | None = None
    watch: Callable[[Result], None] | None = None
    painleve: str = "impact"


def run_chosen(task: Task, choice: SolverChoice) -> Result:
    """Run with the chosen solver and, where impacts could not be located, with its fallback, if that does better."""
    if choice.fallback is None or task.watch is not None or task.painleve != "impact":
        return run(task, choice)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        result = run(task, choice)
    if result.reason_code in LOST:
        with warnings.catch_warnings(record=True) as caught_then:
            warnings.simplefilter("always")
            second = run_fallback(task, choice, result.reason)
        if second is not None:
            result, caught = second, caught_then
    for each in caught:
        warnings.warn(each.message, each.category, stacklevel=user_level())
    return result


def run_fallback(task: Task, choice: SolverChoice, why: str) -> Result | None:
    """The run by the fallback, in place of the first; None if it fails too."""
    from duoti.analyses.simulate.choose_solver import impact_remarks

    assert choice.fallback is not None
    note = f"the event-driven run did not reach the end ({why}): time stepping instead"
    remarks = impact_remarks(task.system, choice.fallback)
    time_stepping = SolverChoice(choice.fallback, (note,), remarks=remarks, shapes=choice.shapes)
    apart = None if task.path is None else task.path.with_name(f"{task.path.stem}.{os.getpid()}{task.path.suffix}")
    second = run(replace(task, path=apart), time_stepping)
    if apart is None or task.path is None:
        return second if second.ok else None
    if not second.ok:
        apart.unlink(missing_ok=True)
        return None
    from duoti.results.file.open import stored_result

    apart.replace(task.path)
    return stored_result(task.path, task.system)


def run(task: Task, choice: SolverChoice) -> Result:
    """Run with one solver."""
    system, method, solver = task.system, task.method, choice.solver
    refuse_too_many(task.times, system.nq + system.nv + system.nz + 2, task.path)
    compile_ahead(system, solver, method)
    engine = contact_engine(system, solver, method, task.painleve) if system.model.contacts else None
    if engine is not None:
        engine.tunnelling.drives = drive_bends(system, task.start_time, task.start_time + task.duration)
    borrowed = None if engine else borrow_workspace(system, method)
    work = borrowed.work if borrowed else engine.work  # pyright: ignore[reportOptionalMemberAccess]
    streamed = task.path is not None
    loop = new_loop(solver, engine.system if engine else system, work, task.times, streamed)
    set_clock(loop.run, solver, task.start_time, task.duration)
    start = consistent_start(system, task.state, task.start_time, loop.run.y, work, solver, method, engine)
    loop.friction_states = start.friction_states
    simulation = Simulation(system, solver, method, loop, task.times, watch=task.watch, engine=engine, choice=choice)
    simulation.jump_failed, simulation.contact_failed = start.jump_failed, start.contact_failed
    simulation.begin()
    if task.path is not None:
        simulation.record_contacts()
        simulation.file = _run_file(task.path, task, simulation)
    result = simulation.run_to_end(task.progress)
    if borrowed:
        give_back(system, borrowed)
    return result


def set_clock(run: S.Run, solver: Solver, start_time: float, duration: float) -> None:
    """Times and tolerances of a run."""
    clock = run.clock
    clock["t"], clock["t_begin"], clock["t_end"] = start_time, start_time, start_time + duration
    clock["h_max"] = solver.longest_step
    if isinstance(solver, Tolerances):
        clock["rtol"], clock["atol"] = solver.rtol, solver.atol


def _run_file(path: Path, task: Task, simulation: Simulation) -> RunFile:
    from duoti.contact.event_driven.contact_states import columns_of_states
    from duoti.results.file.metadata import Metadata, digest, settings_of, system_metadata
    from duoti.results.file.run_file import RunFile, RunPlan

    solver, times, contacts = simulation.solver, simulation.times, simulation.contact_record
    plan = RunPlan(task.duration, kind_of(times), 0.0 if times is None else times.step, task.checkpoint)
    metadata = Metadata(
        **system_metadata(task.system, simulation.constraint_method, repr(solver)), start_time=task.start_time,
        solver_settings=settings_of(solver), method_sha256=digest(simulation.loop.method),
        output_step=plan.output_step, output_times=None if times is None else times.times,
        record_layout=contacts.layout if contacts else simulation.loop.record_layout,
        contact_columns=columns_of_states(contacts.engine.states) if contacts else 0, painleve=task.painleve,
        chosen=list(simulation.choice.stated_reasons),
        remarks=list(simulation.choice.notes),
    )  # fmt: skip
    return RunFile.create(path, metadata, plan)


CHECKPOINT = 5.0  # seconds


@renamed_arguments
@explained
def simulate(
    model: Model | System,
    duration: float,
    outputs: ArrayLike | str | None = None,
    solver: Solver | str | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    *,
    at: Any = None,
    t: float | None = None,
    coordinates: Literal["relative", "absolute"] = "relative",
    constraints: ConstraintMethod | str | None = None,
    progress: bool | None = None,
    out: str | Path | None = None,
    checkpoint: float | None = None,
    watch: Callable[[Result], None] | None = None,
    painleve: Literal["impact", "stop"] = "impact",
) -> Result:
    r"""Simulate the motion of a model.

    $$M(q)\, a + h(q, v, t) = \tau + G^T \lambda, \qquad g(q, t) = 0, \qquad \dot z = f(q, v, z, t)$$

    A run that fails, or that Ctrl-C interrupts, returns what it has: `result.ok` is `False`, and `result.reason` says
    why.

    Parameters
    ----------
    model:
        A `Model`, which is compiled first, or a compiled `System`.
    duration:
        Time to simulate [s].
    outputs:
        Times of the results [s], a step between them [s], or "steps" for the solver's own steps; by default 1000 equal
        intervals.
    solver:
        An object such as `Radau(rtol=1e-9)`, or a name such as "radau". By default `choose_solver` chooses: `DOPRI5`
        for smooth motion, `Auto` where models are often stiff, `Moreau` for many rigid contacts.
    rtol, atol:
        Tolerances in place of the solver's own.
    at:
        Initial state in place of the model's: (q, v) or (q, v, z), values by joint, an equilibrium, or a row of a
        result.
    t:
        Time at the beginning [s]; by default that of `at`, or 0.
    coordinates:
        "relative" (joint coordinates on a tree) or "absolute" (six coordinates for every body): the same motion.
    constraints:
        Constraint method for closed loops: `Projection()` by default, another one, or a name such as "baumgarte".
    progress:
        Show a progress bar; by default in a terminal for runs longer than a second.
    out:
        HDF5 file for the outputs while they are computed. `resume` continues a run that was killed.
    checkpoint:
        Wall time between checkpoints in the file [s]; by default 5.
    watch:
        Function that is called about twice a second with the outputs since the last call.
    painleve:
        In a state without a unique motion under friction (`contact_problem`): continue through an "impact", or "stop".
    """
    model, state, start_time = start_of_run(of_graph(model), at, t, coordinates)
    named = None if solver is None or is_auto(solver) else given_solver(solver, rtol, atol)
    method = constraint_method(constraints, named)
    times = output_times(duration, outputs, start_time)
    interval = _checkpoint(checkpoint, out)
    with _locked(out) as path:
        if not isinstance(model, Model | System):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"{model!r} is not a model; give a dt.Model or what dt.compile made of one")
        system = model if isinstance(model, System) else compile_model(model, coordinates)
        system.require_dynamics()
        choice = choose_solver(system, duration, solver, rtol, atol, constraints=constraints)
        method = constraint_method(constraints, choice.solver)
        task = Task(
            system, float(duration), times, float(start_time), state, method, path, interval, progress, watch, painleve
        )
        return run_chosen(task, choice)


@contextmanager
def _locked(out: str | Path | None) -> Generator[Path | None, None, None]:
    """The file to write to, if any; no one else writes to it meanwhile."""
    if out is None:
        yield None
        return
    from duoti.results.file.save import target

    with target(out) as path:
        yield path


def _checkpoint(seconds: float | None, out: str | Path | None) -> float:
    if seconds is None:
        return CHECKPOINT
    if out is None:
        raise ValueError(
            f"checkpoint={seconds!r} would have no effect: give out=, the file for outputs and checkpoints"
        )
    if not isinstance(seconds, Real) or not 0 <= seconds < np.inf:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"checkpoint={seconds!r}: give a time in seconds, e.g. 5")
    return float(seconds)


def constraint_method(given: ConstraintMethod | str | None, solver: Solver | None) -> ConstraintMethod:
    """The constraint method that was asked for, or the default; refuses one that a solver has no use for."""
    chosen = DEFAULT if given is None else by_name(given, CONSTRAINT_METHODS, "constraints")
    if not isinstance(chosen, ConstraintMethod):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(
            f"constraints={given!r} is not a constraint method; give an object such as dt.Projection() or "
            "dt.Baumgarte(alpha=20, beta=20)"
        )
    if given is not None and solver is not None and solver.enforces_constraints:
        raise ValueError(
            f"constraints={given!r} would have no effect: {type(solver).__name__} keeps closed loops by itself; leave "
            "it out, or choose an explicit solver such as dt.DOPRI5()"
        )
    if faults := setting_faults(chosen):
        raise ValueError(f"constraints {type(chosen).__name__}: " + "; ".join(faults))
    return chosen


__all__ = ["SimulationWarning", "simulate"]
