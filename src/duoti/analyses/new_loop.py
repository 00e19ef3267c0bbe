"""The compiled loop of a run, with its buffers and its scheduled events."""

from __future__ import annotations

from duoti.analyses.output_times import OutputTimes
from duoti.integrate import Loop, Solver
from duoti.integrate.schedule import mark_scheduled
from duoti.system.arrays import Work
from duoti.system.system import System

WINDOW = 4096  # outputs in the buffer of a run that goes to a file


def new_loop(solver: Solver, system: System, work: Work, times: OutputTimes | None, streamed: bool) -> Loop:
    """The loop of a solver, with buffers for all outputs or, if they are streamed, for some."""
    if times is None:
        loop = solver.loop(system, None, work)
    else:
        rows = min(WINDOW, times.count) if streamed else times.count
        loop = solver.loop(system, times.between(0, rows), work)
        loop.run.counts["more"] = int(rows < times.count)
    mark_scheduled(system, loop.run)
    return loop
