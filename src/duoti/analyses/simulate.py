"""`simulate`: the motion of a model over time."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import replace
from numbers import Real
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.at import starts_at
from duoti.analyses.check_inertia import refuse_thin_bodies
from duoti.analyses.choices import CONSTRAINT_METHODS, SOLVERS, by_name
from duoti.analyses.compile_ahead import compile_ahead
from duoti.analyses.contact_solver import (
    contact_engine,
    events_or_steps,
    has_beams,
    joints_of,
    solver_for_contacts,
    start_contacts,
    treats_contacts,
)
from duoti.analyses.diagnose import owner_of
from duoti.analyses.driver import Simulation
from duoti.analyses.dry_modes import Modes
from duoti.analyses.dry_states import refuse_friction_in_loops
from duoti.analyses.initial import closed_state
from duoti.analyses.instant import require_closed
from duoti.analyses.jumps import JumpError, set_at_start
from duoti.analyses.measured import measure, refuse_measured_run
from duoti.analyses.new_loop import new_loop
from duoti.analyses.output_room import refuse_too_many
from duoti.analyses.output_times import kind_of, output_times
from duoti.analyses.run_warnings import SimulationWarning
from duoti.analyses.treatable import of_graph, rigid_elements
from duoti.analyses.unique_loads import refuse_undetermined_loads
from duoti.dynamics.constraint_methods import Baumgarte, ConstraintMethod
from duoti.dynamics.constraint_methods.base import PenaltyMethod
from duoti.dynamics.dry.installation import is_dry
from duoti.dynamics.measured.installation import is_measured
from duoti.dynamics.workspace import DEFAULT
from duoti.dynamics.workspace_pool import borrow_workspace, give_back
from duoti.integrate import DOPRI5, Solver, Tolerances
from duoti.integrate import state as S
from duoti.model.attachments import flexible_bodies
from duoti.model.check_fields import setting_faults
from duoti.model.model import Model
from duoti.results.result import Result
from duoti.strict import explained
from duoti.system.arrays import Work
from duoti.system.compiler import compile_model
from duoti.system.system import System

if TYPE_CHECKING:  # files are imported when one is written
    from duoti.results.store import Plan, RunFile

__all__ = ["SimulationWarning", "simulate"]

NEARLY_CLOSED = 1e-4  # residual [m, rad] of a given state that the first step may close: other treatments leave as much
CHECKPOINT = 5.0  # seconds
WRITTEN_AT_END = "impacts are located: the file was written when the run was complete, and cannot be resumed"
MANY_RATES = 180  # of bodies with compliant contacts, from which on their run is explicit by default
BEAM_RTOL, BEAM_ATOL = 1e-4, 1e-6  # below the errors of most meshes


@starts_at
@explained
def simulate(
    model: Model | System,
    duration: float,
    outputs: ArrayLike | str | None = None,
    solver: Solver | str | None = None,
    rtol: float | None = None,
    atol: float | None = None,
    *,
    start_time: float = 0.0,
    state: tuple[ArrayLike, ArrayLike] | tuple[ArrayLike, ArrayLike, ArrayLike] | None = None,
    coordinates: Literal["relative", "absolute"] = "relative",
    constraints: ConstraintMethod | str | None = None,
    progress: bool | None = None,
    out: str | Path | None = None,
    checkpoint: float | None = None,
    watch: Callable[[Result], None] | None = None,
    painleve: Literal["impact", "stop"] = "impact",
) -> Result:
    """Simulate the motion of a model.

    A run that fails, or is interrupted by Ctrl-C, returns what it has: `result.ok` is False, `result.reason` says why.

    Parameters
    ----------
    model:
        A `Model` (compiled first, refused with all its errors if it has any) or a compiled `System`.
    duration:
        Time to simulate [s].
    outputs:
        Times at which results are wanted, a step between them, or "steps" for the solver's own steps; by default 1000
        equal intervals.
    solver:
        `DOPRI5()` by default, `Moreau(0.001)` with many rigid contacts, "auto" for imported robots (URDF, MJCF), bond
        graphs, compliant contacts (of up to 180 rates), stiff models with few rigid contacts, and beams, whose
        tolerances are then 1e-4 and 1e-6, with rigid contacts 1e-3 and 1e-6 (`result.stats.notes` says what was
        chosen); an
        object such as `Radau(rtol=1e-9)`, or a name for one with default settings: "radau", "dop853",
        "generalised_alpha". "auto" chooses between explicit and implicit by itself (`Auto`).
    rtol, atol:
        Tolerances of the solver, in place of its own.
    at:
        Where it begins, in place of the model's initial values: (q, v) or (q, v, z), values by joint, an equilibrium,
        or a row of a result, see `duoti.analyses.at`. Arrays must obey loops and constraints; `system.state(...)` gives
        such q and v. (Formerly `state`.)
    t:
        Time at the beginning [s]; by default that of `at`, or 0. (Formerly `start_time`.)
    coordinates:
        "relative" (joint coordinates on a tree) or "absolute" (six coordinates for every body, all joints as
        constraints): the same motion, for comparison.
    constraints:
        How closed loops and constraints are kept: `Projection()` by default; or `Baumgarte()`,
        `CoordinatePartitioning()`, `NullSpace()`, `Penalty()`, `AugmentedLagrangian()`; or a name, "baumgarte".
        Accepted for a model without any, where it has no effect.
    progress:
        Show a progress bar; by default only in a terminal and when it takes longer than a second.
    out:
        An HDF5 file to which the outputs go while they are computed: memory does not grow with the length of the run,
        a killed run leaves what it had, and `resume` goes on with it. The result then reads from the file. (The file of
        a run that locates impacts of rigid contacts is written when it is complete; it cannot be resumed.)
    checkpoint:
        Seconds of wall time after which the outputs so far are safe in the file, with all that is needed to go on from
        there; by default 5.
    watch:
        Called about twice a second while the simulation goes on, and at its end, with a result that holds the outputs
        since the last call; `simulate_live` draws them.
    painleve:
        What an event-driven run does in a state in which rigid contacts with friction leave no motion, or several
        (`contact_problem`): go on through an "impact" without collision, or with the motion that is found first,
        which is noted; or "stop".
    """
    model = of_graph(model)
    chosen, chosen_by_user = "", solver not in (None, "auto")
    smooth = not rigid_elements(model)  # implicit solvers locate no impacts
    if solver is None and constraints is None and smooth and _may_be_stiff(model):
        solver = "auto"
    if solver in (None, "auto") and constraints is None and rtol is None and atol is None and rigid_elements(model):
        model = model if isinstance(model, System) else compile_model(model, coordinates)
        solver = solver_for_contacts(model, duration)
        chosen = _stepped_note(model) if treats_contacts(solver) else ""
        if watch is None and painleve == "impact" and not treats_contacts(solver):
            given: dict[str, Any] = {"outputs": outputs, "start_time": start_time, "state": state, "progress": progress}
            with _locked(out) as path:
                _checkpoint(checkpoint, None)
                return _written(events_or_steps(simulate, model, duration, solver, given), path)
    if solver in (None, "auto") and constraints is None and _has_beams(model):
        from duoti.integrate import Auto

        solver = Auto(rtol=BEAM_RTOL, atol=BEAM_ATOL)
    solver = _solver(solver, rtol, atol)
    constraint_method = _constraint_method(constraints, solver)
    times = output_times(duration, outputs, start_time)
    with _locked(out) as path:
        if not isinstance(model, Model | System):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"{model!r} is not a model; give a dt.Model or what dt.compile made of one")
        system = model if isinstance(model, System) else compile_model(model, coordinates)
        system.require_dynamics()
        if system.model.contacts:
            solver = _with_contact_steps(system, solver, chosen_by_user)
        refuse_too_many(times, system.nq + system.nv + system.nz + 2, path)
        compile_ahead(system, solver, constraint_method)
        engine = contact_engine(system, solver, constraint_method, painleve) if system.model.contacts else None
        streamed = None if engine else path
        interval = _checkpoint(checkpoint, streamed)
        borrowed = None if engine else borrow_workspace(system, constraint_method)
        work = borrowed.work if borrowed else engine.work  # pyright: ignore[reportOptionalMemberAccess]
        if state is None and system.closures.rows:
            state = closed_state(system, start_time, None if engine else work)
        loop = new_loop(solver, engine.system if engine else system, work, times, streamed=streamed is not None)
        scratch = None if engine else work
        loop.chosen = chosen
        _set_initial(system, loop.run, solver, start_time, duration, state, constraint_method, scratch)
        if is_measured(system):
            refuse_measured_run(system, solver, float(start_time), loop.run.y)
            measure(work, float(start_time), loop.run.y)
        jump_failed = None
        if any(event.at_start for event in system.model.events.values()):
            try:
                set_at_start(system, work, float(start_time), loop.run.y)
            except JumpError as error:
                jump_failed = error
        if is_dry(system):
            refuse_undetermined_loads(system)
            refuse_thin_bodies(system, loop.run.y[: system.nq].copy())
            loop.modes = joints_of(engine) or Modes(system, work)
            held = solver.holds_joints_in_loops or not system.closures.rows
            if not held:
                refuse_friction_in_loops(system, solver)
            if engine is None:
                loop.modes.start(float(start_time), loop.run.y, stops=held)
        simulation = Simulation(system, solver, constraint_method, loop, times, watch=watch, engine=engine)
        simulation.jump_failed = jump_failed
        simulation.contact_failed = start_contacts(engine, loop.run) if engine else ""
        simulation.begin()
        if streamed is not None:
            from duoti.results.store import Plan

            plan = Plan(float(duration), kind_of(times), 0.0 if times is None else times.step, interval)
            simulation.file = _run_file(streamed, system, simulation, plan, float(start_time))
        result = simulation.run_to_end(progress)
        if borrowed:
            give_back(system, borrowed)
        return _written(result, path) if engine else result


@contextmanager
def _locked(out: str | Path | None) -> Generator[Path | None, None, None]:
    """The file to write to, if any; no one else writes to it meanwhile."""
    if out is None:
        yield None
        return
    from duoti.results.save import target

    with target(out) as path:
        yield path


def _written(result: Result, path: Path | None) -> Result:
    """A run that locates impacts, whose file is written when it is complete."""
    if path is not None:
        from duoti.results.save import write

        result.stats = replace(result.stats, notes=(*result.stats.notes, WRITTEN_AT_END))
        write(result, path)
    return result


def _checkpoint(seconds: float | None, path: Path | None) -> float:
    if seconds is None:
        return CHECKPOINT
    if path is None:
        raise ValueError(
            f"checkpoint={seconds!r} would have no effect: give out=, the file for outputs and checkpoints (and, with "
            "rigid contacts, dt.Moreau: the file of a run that locates impacts is written when it is complete)"
        )
    if not isinstance(seconds, Real) or not 0 <= seconds < np.inf:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"checkpoint={seconds!r}: give a time in seconds, e.g. 5")
    return float(seconds)


def _run_file(path: Path, system: System, simulation: Simulation, plan: Plan, start_time: float) -> RunFile:
    from duoti.results.metadata import Metadata, digest, settings_of, system_metadata
    from duoti.results.store import RunFile

    solver, times = simulation.solver, simulation.times
    metadata = Metadata(
        **system_metadata(system, simulation.constraint_method, repr(solver)), start_time=start_time,
        solver_settings=settings_of(solver), method_sha256=digest(simulation.loop.method),
        output_step=plan.output_step, output_times=None if times is None else times.times,
        record_layout=simulation.loop.record_layout,
    )  # fmt: skip
    return RunFile.create(path, metadata, plan)


def _constraint_method(given: ConstraintMethod | str | None, solver: Solver) -> ConstraintMethod:
    chosen = DEFAULT if given is None else by_name(given, CONSTRAINT_METHODS, "constraints")
    if not isinstance(chosen, ConstraintMethod):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(
            f"constraints={given!r} is not a treatment of closed loops; give an object such as dt.Projection() or "
            "dt.Baumgarte(alpha=20, beta=20)"
        )
    if given is not None and solver.enforces_constraints:
        raise ValueError(
            f"constraints={given!r} would have no effect: {type(solver).__name__} keeps closed loops by itself; leave "
            "it out, or choose an explicit solver such as dt.DOPRI5()"
        )
    if faults := setting_faults(chosen):
        raise ValueError(f"constraints {type(chosen).__name__}: " + "; ".join(faults))
    return chosen


def _solver(solver: Solver | str | None, rtol: float | None, atol: float | None) -> Solver:
    chosen = DOPRI5() if solver is None else by_name(solver, SOLVERS, "solver")
    if not isinstance(chosen, Solver):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(
            f'solver={solver!r} is not a solver; give an object such as dt.RK4(step=0.001), or a name such as "radau"'
        )
    tolerances = {name: value for name, value in (("rtol", rtol), ("atol", atol)) if value is not None}
    if tolerances:
        if not isinstance(chosen, Tolerances) or not chosen.adaptive:
            raise ValueError(
                f"{type(chosen).__name__} has a fixed step: {' and '.join(tolerances)} would have no effect"
            )
        chosen = replace(chosen, **tolerances)
    if faults := setting_faults(chosen):
        raise ValueError(f"solver {type(chosen).__name__}: " + "; ".join(faults))
    return chosen


def _with_contact_steps(system: System, solver: Solver, chosen_by_user: bool) -> Solver:
    from duoti.analyses.contact_steps import with_contact_steps

    return with_contact_steps(system, solver, chosen_by_user)


def _stepped_note(system: System) -> str:
    from duoti.analyses.contact_notes import stepped_note
    from duoti.contact.build import rigid_contacts

    of = rigid_contacts(system)
    return "" if of is None else stepped_note(system, of)


def _has_beams(model: Any) -> bool:
    described = model.model if isinstance(model, System) else model
    return isinstance(described, Model) and has_beams(described)


def _may_be_stiff(model: Any) -> bool:
    """Often: dampers of imported robots, high modes of flexible bodies, circuits and oil of bond graphs, soft contacts.

    Of many bodies that touch, an implicit step with its full matrix would cost more than it gains.
    """
    described = model.model if isinstance(model, System) else model
    if not isinstance(described, Model):
        return False
    soft = bool(described.contacts) and sum(e.nv for e in described.joints.values()) <= MANY_RATES
    return described.imported or bool(described.bond_graphs) or bool(flexible_bodies(described)) or soft


def _set_initial(
    system: System,
    run: S.Run,
    solver: Solver,
    start_time: float,
    duration: float,
    state: Any,
    method: ConstraintMethod = DEFAULT,
    work: Work | None = None,
) -> None:
    q, v = system.initial_state()
    z = system.initial_z()
    if state is not None:
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
        z = given_z
        if given_q.shape != q.shape or given_v.shape != v.shape:
            raise ValueError(
                f"state: q needs {len(q)} numbers and v {len(v)}; got shapes {given_q.shape} and {given_v.shape}"
            )
        if not (np.all(np.isfinite(given_q)) and np.all(np.isfinite(given_v))):
            raise ValueError(f"state: not all numbers are finite: q {given_q.tolist()}, v {given_v.tolist()}")
        q, v = given_q.copy(), given_v
        for k in system.tree.quat_q:
            length = float(np.linalg.norm(q[k : k + 4]))
            if abs(length - 1.0) > 1e-6:
                owner, _ = owner_of(system, int(k), "q")
                raise ValueError(f"state: the quaternion of {owner} has length {length:.6g}, not 1")
            q[k : k + 4] /= length
        if not isinstance(method, Baumgarte | PenaltyMethod):  # these pull an open loop together
            require_closed(system, q, v, start_time, z, work, NEARLY_CLOSED)
    clock = run.clock
    clock["t"], clock["t_begin"], clock["t_end"] = start_time, start_time, start_time + duration
    clock["h_max"] = np.inf
    if isinstance(solver, Tolerances):
        clock["h_max"], clock["rtol"], clock["atol"] = solver.max_step, solver.rtol, solver.atol
    run.y[: len(q)] = q
    run.y[len(q) : len(q) + len(v)] = v
    run.y[len(q) + len(v) :][: len(z)] = z
