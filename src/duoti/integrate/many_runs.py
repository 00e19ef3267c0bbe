"""Many runs of one system with other numbers, one after the other in one call of compiled code.

Each run is that of `stepping`, by the same entries: workspace, clock and counts are put back to what they were when
they were made, numbers are written into the arrays of the system, and the driver runs to the end. What `simulate` looks
at after a run is recorded: energies of some states, and how far loops are open. A run that does not come to its end as
usual says so by its status, for the caller to repeat it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.dynamics.loops.constraints import closures_at
from duoti.dynamics.tree.energy import gravity_energy, kinetic_energy
from duoti.dynamics.tree.forward import call_forces
from duoti.dynamics.tree.kinematics import poses_and_velocities
from duoti.integrate.state import CONTINUE, END, EVENT, FULL, example_run
from duoti.integrate.stepping import advance, start
from duoti.kernel import ContextType, cold_kernel, name_types, part, unpack
from duoti.system.context import REAL_CONTEXT

UNUSUAL = -100  # status of a run that is to be repeated by `simulate`
DIFFERENCE = 1e-6  # by which states are moved to see how energy depends on them, as in `trust.energy_balance`
STEPS_AT_ONCE = 500  # between looks at `Batch.stop`
STATUS, STEPS, REJECTED, EVALUATIONS, JACOBIANS, UNCONVERGED, ROWS, STOPPED_BY, SUMMARY = range(
    9
)  # columns of `Batch.summary`


class Batch(NamedTuple):
    """What a call needs for its runs; arrays with a row for each run begin with the first of the call."""

    memory: Any  # of the workspace ...
    fresh: Any  # ... as it was when it was made
    clock: Any  # the numbers of `Run.clock` ...
    fresh_clock: Any
    counts: Any  # ... and of `Run.counts`
    fresh_counts: Any
    watches: Any  # ... and of `Run.watches`
    fresh_watches: Any
    pool: Any  # the numbers of the system (`system.number_pool`)
    place: Any  # [numbers] where in it a number is written to, and behind its end the state: q, v, z
    numbers: Any  # [runs, numbers]
    y0: Any  # [runs or 1, ny] states at the start, before numbers are written
    begin: Any  # [ny] state in which the present run began
    at: Any  # [samples] outputs whose energies are wanted; the first and the last state come besides
    few: Any  # those of the samples where loops are looked at
    energies: Any  # [runs, samples + 2, 5] kinetic, gravity, elastic, work supplied, energy dissipated
    gaps: Any  # [runs, few] largest residual of loops and constraints
    slopes: Any  # [runs] largest error of energy that errors as large as the tolerances make in one of these states
    moved: Any  # [ny] scratch
    scratch: Any  # [5] the same
    out_y: Any  # [runs, outputs, ny]
    out_x: Any  # [runs, outputs, nx] records beside the states
    summary: Any  # [runs, SUMMARY]
    ends: Any  # [runs] when they ended
    stop: Any  # [1] not zero: break off
    first_step: float
    begins: int  # outputs at the time of the start
    packed: int  # 1 if pivots of the mass matrix are in w.M
    least_pivot: float  # of the largest: below it nothing resists some motion
    impossible: float  # part of gamma by which accelerations at the start may miss it
    most_steps: int  # that are not unusual


def example_batch() -> Batch:
    """One of no use but for its types."""
    one, two, three = np.zeros(1), np.zeros((1, 1)), np.zeros((1, 1, 1))
    whole, table = np.zeros(1, np.int64), np.zeros((1, SUMMARY), np.int64)
    return Batch(
        one, one, one, one, whole, whole, one, one, one, whole, two, two, one, whole, whole,
        three, two, one, one, one, three, three, table, one, whole, 0.0, 0, 0, 0.0, 0.0, 0,
    )  # fmt: skip


BATCH_CONTEXT = ContextType(lambda: (0, example_run(), example_batch()))
name_types(BATCH_CONTEXT, "_ _ batch")


@part
def _prepare(tree, closures, w, run, batch, k):
    """Everything as a new run has it, with the numbers of run k."""
    for i in range(batch.memory.shape[0]):
        batch.memory[i] = batch.fresh[i]
    for i in range(batch.clock.shape[0]):
        batch.clock[i] = batch.fresh_clock[i]
    for i in range(batch.counts.shape[0]):
        batch.counts[i] = batch.fresh_counts[i]
    for i in range(batch.watches.shape[0]):
        batch.watches[i] = batch.fresh_watches[i]
    row = k if batch.y0.shape[0] > 1 else 0
    for i in range(run.y.shape[0]):
        run.y[i] = batch.y0[row, i]
    size = batch.pool.shape[0]
    for e in range(batch.place.shape[0]):
        place = batch.place[e]
        if place < size:
            batch.pool[place] = batch.numbers[k, e]
        else:
            run.y[place - size] = batch.numbers[k, e]
    for i in range(tree.nc):  # what a workspace has of them to begin with (`allocation.WorkPlan`)
        for c in range(6):
            w.H[i, c] = tree.H0[i, c]
    for r in range(closures.rows):
        w.values[r, 0] = closures.value[r]
    for i in range(run.y.shape[0]):
        batch.begin[i] = run.y[i]
    first = tree.nq + tree.nv + tree.nz
    if w.error_weights[first] != 0.0 or w.error_weights[first + 1] != 0.0:  # see `accumulator_weights`
        mass = 0.0
        for b in range(1, tree.nb):
            mass += tree.inertia[b, 0]
        for i in range(first, first + 2):
            if w.error_weights[i] != 0.0:
                w.error_weights[i] = 1.0 / max(1.0, mass)


@part
def _can_begin(tree, closures, w, run, batch):
    """Whether all motions are resisted, and accelerations keep the loops closed (`analyses.states.diagnose`)."""
    least, largest = 1e300, 0.0
    for i in range(tree.nv):
        pivot = w.M[tree.M_row[i] + tree.depth[i]] if batch.packed == 1 else w.D[i]
        pivot = 1.0 / (pivot * pivot) if batch.packed == 1 else 1.0 / pivot
        if not (0.0 < pivot < 1e300):
            return False
        least, largest = min(least, pivot), max(largest, pivot)
    if tree.nv > 0 and not least > batch.least_pivot * largest:
        return False
    size = 0.0
    for r in range(closures.rows):
        size = max(size, abs(w.gamma[r]))
    for r in range(closures.rows):
        a = -w.gamma[r]
        for i in range(closures.support[r], closures.support[r + 1]):
            a += w.G[i] * run.K[0, tree.nq + closures.support_dofs[i]]
        if not abs(a) <= batch.impossible * size + 1e-9:
            return False
    return True


@part
def _look(tree, loads, w, t, y, energies):
    """Energies of a state."""
    nq, nv, ny = tree.nq, tree.nv, y.shape[0]
    for i in range(ny):
        w.y[i] = y[i]
    poses_and_velocities(tree, w, y[:nq], y[nq : nq + nv])
    call_forces(tree, loads, w, t, y[:nq], y[nq : nq + nv])
    energies[0] = kinetic_energy(tree, w, y[nq : nq + nv])
    energies[1] = gravity_energy(tree, w)
    energies[2], energies[3], energies[4] = w.powers[0], y[ny - 2], y[ny - 1]


@part
def _gap(tree, loads, closures, w, t, y):
    """Largest residual of loops and constraints in a state."""
    for i in range(y.shape[0]):
        w.y[i] = y[i]
    closures_at(tree, loads, closures, w, t, y[: tree.nq], y[tree.nq : tree.nq + tree.nv])
    largest = 0.0
    for r in range(closures.rows):
        size = abs(w.g[r])
        if not size <= largest:  # also if it is no number
            largest = size
    return largest


@part
def _energy_of_tolerances(tree, loads, w, run, batch, t, y):
    """Error of energy that errors as large as the tolerances make in a state (`trust.energy_balance`)."""
    clock, energies = run.clock[0], batch.scratch
    error = 0.0
    for i in range(y.shape[0]):
        batch.moved[i] = y[i]
    for i in range(tree.nq + tree.nv):
        step = DIFFERENCE * (1.0 + abs(y[i]))
        batch.moved[i] = y[i] + step
        _look(tree, loads, w, t, batch.moved, energies)
        rise = energies[0] + energies[1] + energies[2]
        batch.moved[i] = y[i] - step
        _look(tree, loads, w, t, batch.moved, energies)
        rise -= energies[0] + energies[1] + energies[2]
        batch.moved[i] = y[i]
        error += abs(rise) / (2.0 * step) * (clock.atol + clock.rtol * abs(y[i]))
    return error


@part
def _record(tree, loads, closures, w, run, batch, k):
    """Energies of the samples, and gaps of loops."""
    w.wanted[0].energies = 1
    samples, rows = batch.at.shape[0], batch.summary[k, ROWS]
    for s in range(samples + 2):
        if s == 0:
            _look(tree, loads, w, run.clock[0].t_begin, batch.begin, batch.energies[k, s])
        elif s <= samples and batch.at[s - 1] < rows:
            n = batch.at[s - 1]
            _look(tree, loads, w, run.times[n], batch.out_y[k, n], batch.energies[k, s])
        else:
            _look(tree, loads, w, run.clock[0].t, run.y, batch.energies[k, s])
    if closures.rows > 0:
        for i in range(batch.few.shape[0]):
            n = batch.few[i]
            t, y = run.clock[0].t_begin, batch.begin
            if n >= rows:  # an event has ended the run before
                t, y = run.clock[0].t, run.y
            elif n >= 0:
                t, y = run.times[n], batch.out_y[k, n]
            batch.gaps[k, i] = _gap(tree, loads, closures, w, t, y)
            if batch.slopes.shape[0] > 0:
                batch.slopes[k] = max(batch.slopes[k], _energy_of_tolerances(tree, loads, w, run, batch, t, y))
    w.wanted[0].energies = 0


@part
def _take_outputs(run, batch, k, filled):
    """Copy what is in the buffers of a run to its row of the batch, and empty them.

    Of several outputs at one time the last counts. filled: how many outputs are there already. Returns how many there
    are now; -1 if a state is not finite.
    """
    counts, m, total = run.counts[0], max(filled - 1, 0), run.times.shape[0]
    for n in range(counts.output):
        while m < total and run.times[m] < run.out_t[n]:
            m += 1
        if m == total or run.times[m] != run.out_t[n]:
            continue  # behind a jump, at a time that was not asked for
        for i in range(run.y.shape[0]):
            x = run.out_y[n, i]
            batch.out_y[k, m, i] = x
            if not abs(x) < 1e300:
                return -1
        for i in range(run.x.shape[0]):
            batch.out_x[k, m, i] = run.out_x[n, i]
        filled = m + 1
    counts.output = counts.events = 0
    return filled


@cold_kernel("i run batch i i")
def simulate_runs(context, run, batch, first, last):
    """Simulate runs first ... last - 1 of a batch; returns how many are done, fewer than `last` if `stop` was set."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    counts = run.counts[0]
    for k in range(first, last):
        rows = run.times.shape[0]
        _prepare(tree, closures, w, run, batch, k)
        start(context, run, batch.first_step)
        status = CONTINUE if _can_begin(tree, closures, w, run, batch) else UNUSUAL
        for n in range(batch.begins):
            run.out_t[n] = run.times[n]
            for i in range(run.y.shape[0]):
                run.out_y[n, i] = run.y[i]
            for i in range(run.x.shape[0]):
                run.out_x[n, i] = run.x[i]
        counts.output, counts.next_time = batch.begins, batch.begins
        filled = 0
        while status == CONTINUE:
            if batch.stop[0] != 0:
                return k
            status = advance(context, run, STEPS_AT_ONCE)
            if counts.steps + counts.rejected > batch.most_steps:
                status = UNUSUAL
            if status == FULL and counts.output + counts.events > 0:
                status = CONTINUE
            if status in (CONTINUE, END, EVENT):
                filled = _take_outputs(run, batch, k, filled)
            if filled < 0 or (status == END and filled < rows):
                status = UNUSUAL
        batch.summary[k, STEPS], batch.summary[k, REJECTED] = counts.steps, counts.rejected
        batch.summary[k, EVALUATIONS], batch.summary[k, JACOBIANS] = counts.evaluations, counts.jacobians
        batch.summary[k, UNCONVERGED] = w.loops[0].unconverged
        batch.summary[k, ROWS], batch.summary[k, STOPPED_BY] = max(filled, 0), counts.stopped_by
        batch.ends[k] = run.clock[0].t
        if status in (END, EVENT):
            _record(tree, loads, closures, w, run, batch, k)
        batch.summary[k, STATUS] = status
    return last
