"""`run`: one simulation with a given solver, from its consistent start to its result."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from duoti.analyses.simulate.choose_solver import LOST, SolverChoice
from duoti.analyses.simulate.compile_ahead import compile_ahead
from duoti.analyses.simulate.consistent_start import consistent_start
from duoti.analyses.simulate.contact_engine import contact_engine
from duoti.analyses.simulate.driver import Simulation, new_loop
from duoti.analyses.simulate.outputs import OutputTimes, kind_of, refuse_too_many
from duoti.dynamics.loops.constraint_methods import ConstraintMethod
from duoti.dynamics.workspace_pool import borrow_workspace, give_back
from duoti.integrate import Solver, Tolerances
from duoti.integrate import state as S
from duoti.results.result import Result
from duoti.strict import user_level
from duoti.system.system import System

if TYPE_CHECKING:  # files are imported when one is written
    from duoti.results.file.run_file import RunFile


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
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        result = run(task, choice)
    if result.reason_code in LOST:
        with warnings.catch_warnings(record=True) as said_then:
            warnings.simplefilter("always")
            second = _run_fallback(task, choice, result.reason)
        if second is not None:
            result, said = second, said_then
    for each in said:
        warnings.warn(each.message, each.category, stacklevel=user_level())
    return result


def _run_fallback(task: Task, choice: SolverChoice, why: str) -> Result | None:
    """The run by the fallback, in place of the first; None if it fails too."""
    from duoti.analyses.simulate.choose_solver import impact_remarks

    assert choice.fallback is not None
    note = f"the event-driven run did not reach the end ({why}): time stepping instead"
    time_stepping = SolverChoice(choice.fallback, (note,), remarks=impact_remarks(task.system, choice.fallback))
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
    borrowed = None if engine else borrow_workspace(system, method)
    work = borrowed.work if borrowed else engine.work  # pyright: ignore[reportOptionalMemberAccess]
    streamed = task.path is not None
    loop = new_loop(solver, engine.system if engine else system, work, task.times, streamed)
    set_clock(loop.run, solver, task.start_time, task.duration)
    start = consistent_start(system, task.state, task.start_time, loop.run.y, work, solver, method, engine)
    loop.modes = start.modes
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
    from duoti.contact.event_driven.contact_states import columns_of_modes
    from duoti.results.file.metadata import Metadata, digest, settings_of, system_metadata
    from duoti.results.file.run_file import Plan, RunFile

    solver, times, contacts = simulation.solver, simulation.times, simulation.contact_record
    plan = Plan(task.duration, kind_of(times), 0.0 if times is None else times.step, task.checkpoint)
    metadata = Metadata(
        **system_metadata(task.system, simulation.constraint_method, repr(solver)), start_time=task.start_time,
        solver_settings=settings_of(solver), method_sha256=digest(simulation.loop.method),
        output_step=plan.output_step, output_times=None if times is None else times.times,
        record_layout=contacts.layout if contacts else simulation.loop.record_layout,
        contact_columns=columns_of_modes(contacts.engine.modes) if contacts else 0, painleve=task.painleve,
        chosen=list(simulation.choice.said),
        remarks=list(simulation.choice.notes),
    )  # fmt: skip
    return RunFile.create(path, metadata, plan)
