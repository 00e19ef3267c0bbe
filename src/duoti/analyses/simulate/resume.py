"""`resume`: go on with a run from its file."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np

from duoti import integrate
from duoti.analyses.simulate.choose_solver import SolverChoice
from duoti.analyses.simulate.contact_engine import contact_engine, drive_bends
from duoti.analyses.simulate.driver import Simulation, new_loop
from duoti.analyses.simulate.outputs import OutputTimes, kind_of, output_times, steps_until
from duoti.analyses.states.warnings import SimulationWarning
from duoti.dynamics.loops import constraint_methods
from duoti.dynamics.loops.constraint_methods import ConstraintMethod
from duoti.dynamics.workspace import new_workspace
from duoti.integrate import Solver
from duoti.kernel import fingerprint
from duoti.model.model import Model
from duoti.results.errors import ResultFileError
from duoti.results.file.checkpoints import Checkpoint
from duoti.results.file.lock import writing_lock
from duoti.results.file.metadata import FORMAT_VERSION, digest, machine
from duoti.results.file.open import (
    Contents,
    StoredArray,
    StoredContactStates,
    StoredEvents,
    StoredImpacts,
    made_from,
    read_file,
    reason_of,
    stored_result,
    system_of,
)
from duoti.results.file.run_file import RunFile, RunPlan
from duoti.results.result import Result
from duoti.strict import explained, user_level
from duoti.system.system import System
from duoti.version import __version__


@explained
def resume(
    path: str | Path,
    model: Model | System | None = None,
    *,
    duration: float | None = None,
    outputs: float | None = None,
    progress: bool | None = None,
) -> Result:
    """Continue a run that was killed or interrupted, or make a finished one longer.

    The run continues from the last checkpoint in its file and ends bit for bit as if nothing had happened. This holds
    on the same machine with the same versions of duoti, Numba and NumPy, and for functions without memory of their own.

    Parameters
    ----------
    path:
        The file that `simulate(..., out=path)` wrote.
    model:
        Needed only for a model with Python functions, which cannot be written as text.
    duration:
        Total time to simulate, from the start of the run [s]; by default as before.
    outputs:
        Step between further outputs of a run that is made longer [s]; by default as before.
    progress:
        As for `simulate`.
    """
    contents = read_file(Path(path))
    if contents.state == "finished" and duration in (None, contents.status["duration"]):
        return stored_result(contents.path, system_of(contents, model))
    with writing_lock(Path(path)):  # read again: another may have gone on with it
        return _go_on(read_file(Path(path)), model, duration, outputs, progress)


def _go_on(
    contents: Contents,
    model: Model | System | None,
    duration: float | None,
    outputs: float | None,
    progress: bool | None,
) -> Result:
    metadata, status, path = contents.metadata, contents.status, contents.path
    longer = duration is not None and duration != status["duration"]
    if not longer and contents.state == "finished":
        return stored_result(path, system_of(contents, model))
    checkpoint = _resumable(contents, longer)
    system = system_of(contents, model)
    solver = made_from(integrate, metadata.solver_settings, Solver, contents.path)
    constraint_method = made_from(constraint_methods, metadata.constraints_settings, ConstraintMethod, contents.path)
    seconds = float(status["duration"]) if duration is None else float(duration)
    times = _times(contents, seconds, outputs)
    engine = contact_engine(system, solver, constraint_method, metadata.painleve) if metadata.contact_columns else None
    if engine is not None:
        engine.tunnelling.drives = drive_bends(system, metadata.start_time, metadata.start_time + seconds)
    work = engine.work if engine else new_workspace(system, ydot=True, constraints=constraint_method)
    loop = new_loop(solver, engine.system if engine else system, work, times, streamed=True)
    loop.friction_states = engine.joints if engine else None
    choice = SolverChoice(
        solver, tuple(metadata.chosen), remarks=tuple(metadata.remarks), given=not metadata.chosen, resumed=True
    )
    if digest(loop.method) != metadata.method_sha256:
        raise ResultFileError(
            f"{path}: the coefficients of {type(solver).__name__} are not those that the run began with"
        )
    loop.run.clock[0].t_end = metadata.start_time + seconds
    plan = RunPlan(seconds, kind_of(times), 0.0 if times is None else times.step, float(status["checkpoint"]))
    _verify(contents, checkpoint)
    file = RunFile.again(contents.path, metadata, plan, contents.number + 1, checkpoint)
    simulation = Simulation(system, solver, constraint_method, loop, times, file, engine=engine, choice=choice)
    try:
        simulation.record_contacts()
        if engine is None:
            simulation.restore(checkpoint)
        else:
            states = np.asarray(StoredContactStates(contents))[: checkpoint.contact_states]
            simulation.restore(checkpoint, states, list(StoredImpacts(contents))[: checkpoint.impacts])
    except ValueError as error:
        file.close()
        raise ResultFileError(f"{path}: was begun by another version of duoti: {error}") from error
    except BaseException:
        file.close()
        raise
    return simulation.run_to_end(progress)


def _resumable(contents: Contents, longer: bool) -> Checkpoint:
    """What to go on from; refuses what cannot be resumed, and says why."""
    metadata, status, path = contents.metadata, contents.status, contents.path
    if contents.state == "running":
        raise ResultFileError(f"{path}: process {contents.pid} is still writing this run")
    if contents.state == "failed":
        raise ResultFileError(f"{path}: the run failed ({status['reason']}); it would fail again")
    if contents.state == "finished" and longer and reason_of(contents).code == "event":
        raise ResultFileError(f"{path}: the run was ended by {status['reason']}; there is nothing after it")
    if contents.checkpoint is None:
        raise ResultFileError(f"{path}: cannot be resumed: {status['why_not_kept'] or 'it has no checkpoint'}")
    if metadata.format_version != FORMAT_VERSION:
        raise ResultFileError(
            f"{path}: was begun by duoti {metadata.duoti_version}, in format {metadata.format_version} of result files;"
            f" it is now {FORMAT_VERSION} and also holds what the solver writes beside the state. The file can be"
            " opened but not resumed: use the version that it was begun with"
        )
    if metadata.duoti_version != __version__ or metadata.fingerprint != fingerprint():
        raise ResultFileError(
            f"{path}: was begun by duoti {metadata.duoti_version}; this is duoti {__version__}, or it has another "
            "version of Numba or NumPy, and it would not go on in the same way; use the versions that it was begun with"
        )
    if metadata.machine != machine():
        warnings.warn(
            f"{path}: was begun on {metadata.machine}; on {machine()} it goes on, but perhaps not to the last bit",
            SimulationWarning,
            stacklevel=user_level(),
        )
    return contents.checkpoint


def _verify(contents: Contents, checkpoint: Checkpoint) -> None:
    """Read the rows and events that the next checksums are continued from: refuses those that are damaged."""
    for name in ("t", "y", "x")[: 3 if contents.metadata.record_layout.size else 2]:
        columns = {"y": len(contents.metadata.columns), "x": contents.metadata.record_layout.size}.get(name)
        _ = StoredArray(contents, name, columns)[max(0, checkpoint.rows - 1) : checkpoint.rows]
    _ = list(StoredEvents(contents)), list(StoredImpacts(contents))
    if contents.metadata.contact_columns:
        _ = np.asarray(StoredContactStates(contents))


def _times(contents: Contents, duration: float, step: float | None) -> OutputTimes | None:
    """The times of the outputs, beyond the first end if the run becomes longer."""
    metadata, status = contents.metadata, contents.status
    start, end = metadata.start_time, metadata.start_time + duration
    longer = duration != status["duration"]
    if longer and not status["t"] < end < np.inf:
        raise ValueError(f"duration={duration:g}: the run has already come to t = {status['t']:g} s")
    if step is not None:
        if not longer or status["outputs"] == "steps":
            raise ValueError(
                "outputs: only a run that is made longer, and has no outputs at its steps, takes another step"
            )
        return output_times(duration, float(step), start)
    if status["outputs"] == "steps":
        return None
    if status["outputs"] == "step":
        return steps_until(start, end, status["output_step"])
    times = np.asarray(metadata.output_times)
    if not longer:
        return OutputTimes(start, end, len(times), metadata.output_step, times)
    if metadata.output_step == 0:
        raise ValueError(
            "outputs: the run has outputs at single times; give a step in seconds for the further ones: outputs=0.01"
        )
    return steps_until(start, end, metadata.output_step)
