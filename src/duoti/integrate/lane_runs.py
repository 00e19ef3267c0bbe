"""Many runs of one tree by explicit methods, `WIDTH` of them at once: each in a lane (`kernel.lanes`).

The recursions, the stages of a step and the polynomial through it are those of single runs, compiled for lanes. What
decides about a run, it does for each lane by itself: lengths of steps, errors, outputs. Lanes know no events, no closed
loops and no records beside the state.

Force elements whose laws cannot be lanes, and first-order states, are evaluated lane after lane, each by a workspace of
its own (`LaneRun.single`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.dynamics.tree.aba import aba_inward, aba_outward
from duoti.dynamics.tree.energy import gravity_energy, kinetic_energy
from duoti.dynamics.tree.kinematics import calc_qdot, joint_sweep, poses_and_velocities, unit_quaternions, world_poses
from duoti.dynamics.tree.rnea import subtract_external
from duoti.integrate.explicit_loop import (
    ACCUMULATOR_WEIGHT,
    LEAST_ERROR,
    SEMI_IMPLICIT,
    Tableau,
    first_guess,
    second_guess,
    stage_state,
    step_factor,
    step_polynomial,
)
from duoti.integrate.many_runs import (
    EVALUATIONS,
    REJECTED,
    ROWS,
    STATUS,
    STEPS,
    STOPPED_BY,
    UNUSUAL,
    example_batch,
)
from duoti.integrate.state import CLOCK, CONTINUE, COUNTS, END
from duoti.integrate.stepping import SHORTEST
from duoti.integrate.steps import bring_to_unit_length, fitted_step, is_unit
from duoti.kernel import ContextType, call_entry, helper, kernel, name_types, part, unpack
from duoti.kernel.lanes import LANES, WIDTH
from duoti.spatial.algebra import ZERO6, put_spatial
from duoti.system.arrays import EPSILON
from duoti.system.context import LANES_CONTEXT, REAL_CONTEXT
from duoti.system.stages import POSES, VELOCITIES, computed, new_state

VERLET = 2  # kind of a method, beside those of `explicit_loop`
FINITE, FIRST, SECOND, ACCUMULATORS, HIGHEST = range(5)  # rows of `LaneRun.error`


class LaneRun(NamedTuple):
    """Arrays of the runs in work. Those called `.._of` are others of lanes, seen as real numbers: [..., lane]."""

    clock: Any  # [lanes] of type CLOCK
    counts: Any  # [lanes] of type COUNTS
    status: Any  # [lanes] of the run; CONTINUE while it goes on
    last: Any  # [lanes] 1 if the step in work is the last one
    t: Any  # [lanes] time of an evaluation
    h: Any  # [1] lanes: the steps
    h_of: Any
    begin: Any  # [ny] lanes: state at the start
    begin_of: Any
    y: Any  # [ny] lanes: state
    y_of: Any
    y_new: Any  # [ny] lanes: at the end of the step in work
    y_new_of: Any
    y_at: Any  # [ny] lanes: in between
    K: Any  # [stages, ny] lanes: rates
    K_of: Any
    Q: Any  # [degree, ny] lanes: polynomial through the step
    Q_of: Any
    error: Any  # [5] lanes: sums over the state, see above
    error_of: Any
    energies: Any  # [2] lanes: kinetic and of gravity
    energies_of: Any
    row: Any  # [3, ny] state and rates of one lane
    times: Any  # of the outputs
    pool: Any  # [numbers, lanes] of the system
    w_y: Any  # of the workspace: w.y ...
    w_ydot: Any
    w_poses: Any  # ... w.X_WB ...
    w_twists: Any  # ... w.V ...
    w_wrenches: Any  # ... w.F_ext ...
    w_tau: Any
    w_powers: Any
    w_pivots: Any
    single: Any  # [lanes] contexts of the workspaces of single lanes; none if all is done by lanes
    alone: Any  # [groups] 1 for the groups of force elements that these evaluate
    memory: Any  # [lanes, ..] of these workspaces ...
    fresh: Any  # ... as they were when they were made
    pools: Any  # [lanes, numbers] numbers of their systems
    inertia: Any  # [nb, 10, lanes] of the bodies
    kind: int  # of the method


def example_lane_run() -> LaneRun:
    """One of no use but for its types."""
    shapes = {"v1": (1,), "v2": (1, 1)}
    kinds: dict[str, Any] = {
        "clock": np.zeros(1, CLOCK), "counts": np.zeros(1, COUNTS), "kind": 0,
        **{name: np.zeros(1, np.int64) for name in ("status", "last", "single", "alone")},
        **{name: np.zeros(1) for name in ("t", "times")},
        **{name: np.zeros(shapes["v1"], LANES) for name in ("h", "begin", "y", "y_new", "y_at", "error", "energies")},
        **{name: np.zeros(shapes["v2"], LANES) for name in ("K", "Q")},
        **{name: np.zeros((1, 1, 1)) for name in ("K_of", "Q_of", "w_poses", "w_twists", "w_wrenches", "inertia")},
    }  # fmt: skip
    return LaneRun(**{name: kinds.get(name, np.zeros((1, 1))) for name in LaneRun._fields})


def _example() -> tuple[Any, ...]:
    one, two = np.zeros(1), np.zeros((1, 1))
    return 0, example_lane_run(), Tableau(0, 1, 1, 1, two, one, two, two), example_batch()


LANES_RUN_CONTEXT = ContextType(_example)
name_types(LANES_RUN_CONTEXT, "_ lane_run tableau lane_batch")


# ------------------------------------------------------------------------------------------------ rates of the state


@part
def _into_single(tree, lanes):
    """State, poses and twists into the workspaces of single lanes."""
    for k in range(lanes.single.shape[0]):
        _, _, _, s = unpack(lanes.single[k], REAL_CONTEXT)
        s.clock[0] = lanes.t[k]
        for i in range(tree.nq + tree.nv + tree.nz):
            s.y[i] = lanes.w_y[i, k]
        for b in range(tree.nb):
            for c in range(12):
                s.X_WB[b, c] = lanes.w_poses[b, c, k]
            for c in range(6):
                s.V[b, c] = lanes.w_twists[b, c, k]
        new_state(s)
        computed(s, POSES)
        computed(s, VELOCITIES)


@part
def _single_forces(tree, lanes, first, last):
    """Groups of force elements by the workspaces of single lanes; sums go on from those in w, in the groups' order."""
    for k in range(lanes.single.shape[0]):
        _, _, _, s = unpack(lanes.single[k], REAL_CONTEXT)
        for b in range(tree.nb):
            for c in range(6):
                s.F_ext[b, c] = lanes.w_wrenches[b, c, k]
        for i in range(tree.nv):
            s.tau[i] = lanes.w_tau[i, k]
        for i in range(3):
            s.powers[i] = lanes.w_powers[i, k]
        for g in range(first, last):
            call_entry(s.types.force[g], s.types.force_group[g])
        for b in range(tree.nb):
            for c in range(6):
                lanes.w_wrenches[b, c, k] = s.F_ext[b, c]
        for i in range(tree.nv):
            lanes.w_tau[i, k] = s.tau[i]
        for i in range(3):
            lanes.w_powers[i, k] = s.powers[i]


@part
def _single_states(tree, lanes):
    """Rates of first-order states."""
    first = tree.nq + tree.nv
    for k in range(lanes.single.shape[0]):
        _, _, _, s = unpack(lanes.single[k], REAL_CONTEXT)
        call_entry(s.calls[0].states, s.at[0].system)
        for i in range(first, first + tree.nz):
            lanes.w_ydot[i, k] = s.ydot[i]


@part
def _forces(tree, loads, w, lanes, y, rates):
    """All force elements, as `tree.forward.call_forces`, and if `rates`, rates of first-order states.

    Needs world_poses and velocities.
    """
    for i in range(tree.nv):
        w.tau[i] = 0.0
    for i in range(3):
        w.powers[i] = 0.0
    if loads.forces.count > 0 or tree.nz > 0:
        for b in range(tree.nb):
            put_spatial(w.F_ext, b, ZERO6)
        for i in range(y.shape[0]):
            w.y[i] = y[i]
        if lanes.single.shape[0] > 0:
            _into_single(tree, lanes)
        g, groups = 0, w.types.force.shape[0]
        while g < groups:
            last = g + 1
            if lanes.alone[g] == 0:
                call_entry(w.types.force[g], w.types.force_group[g])
            else:
                while last < groups and lanes.alone[last] == 1:
                    last += 1
                _single_forces(tree, lanes, g, last)
            g = last
        if rates == 1 and tree.nz > 0:
            _single_states(tree, lanes)


@part
def lane_rates(tree, loads, w, lanes, y, ydot):
    """dy/dt at the times lanes.t."""
    nq, nv, n = tree.nq, tree.nv, tree.nq + tree.nv + tree.nz
    q, v = y[:nq], y[nq : nq + nv]
    joint_sweep(tree, w, q, v)
    aba_outward(tree, w, v)
    if loads.forces.count > 0 or tree.nz > 0:
        world_poses(tree, w)
    _forces(tree, loads, w, lanes, y, 1)
    if loads.forces.count > 0:
        subtract_external(tree, w, w.P)
    aba_inward(tree, w, w.tau, ydot[nq : nq + nv])
    calc_qdot(tree, q, v, ydot[:nq])
    for i in range(nq + nv, n):
        ydot[i] = w.ydot[i]
    ydot[n], ydot[n + 1] = w.powers[1], w.powers[2]


@part
def _rates_of_stage(tree, loads, w, method, lanes, s):
    """K[s] = rates of y_new."""
    for k in range(WIDTH):
        lanes.t[k] = lanes.clock[k].t + method.c[s] * lanes.clock[k].h
    lane_rates(tree, loads, w, lanes, lanes.y_new, lanes.K[s])


# ------------------------------------------------------------------------------------------------------------- steps


@part
def _step(tree, loads, w, method, lanes):
    """y_new, and the rates at the end in K[s]; as `explicit_loop.explicit_step` and the two methods beside it."""
    s, h, ny = method.stages, lanes.h[0], lanes.y.shape[0]
    nq, last = tree.nq, tree.nq + tree.nv
    if lanes.kind == SEMI_IMPLICIT:
        for i in range(nq, ny):
            lanes.y_new[i] = lanes.y[i] + h * lanes.K[0, i]
        calc_qdot(tree, lanes.y[:nq], lanes.y_new[nq:last], lanes.y_at[:nq])
    elif lanes.kind == VERLET:
        for i in range(nq, last):
            lanes.y_at[i] = lanes.y[i] + 0.5 * h * lanes.K[0, i]
        calc_qdot(tree, lanes.y[:nq], lanes.y_at[nq:last], lanes.y_at[:nq])
        for i in range(nq, ny):
            lanes.y_new[i] = lanes.y[i] + h * lanes.K[0, i]
    else:
        for stage in range(1, s + 1):
            stage_state(method, h, lanes.y, lanes.K, stage, lanes.y_new)
            _rates_of_stage(tree, loads, w, method, lanes, stage)
        return
    for i in range(nq):
        lanes.y_new[i] = lanes.y[i] + h * lanes.y_at[i]
    unit_quaternions(tree, lanes.y_new[:nq])
    _rates_of_stage(tree, loads, w, method, lanes, s)
    if lanes.kind == VERLET:
        for i in range(nq, ny):
            lanes.y_new[i] = lanes.y[i] + 0.5 * h * (lanes.K[0, i] + lanes.K[1, i])
        calc_qdot(tree, lanes.y_new[:nq], lanes.y_new[nq:last], lanes.K[1, :nq])


@part
def _polynomial(tree, loads, w, method, lanes):
    """Q, as `explicit_loop.explicit_polynomial`."""
    s, h = method.stages, lanes.h[0]
    if lanes.kind == SEMI_IMPLICIT:
        for i in range(lanes.y.shape[0]):
            lanes.Q[0, i] = lanes.y_new[i] - lanes.y[i]
            for d in range(1, lanes.Q.shape[0]):
                lanes.Q[d, i] = 0.0
        return
    if lanes.kind == VERLET:
        for i in range(lanes.y.shape[0]):
            rise, begin, end = lanes.y_new[i] - lanes.y[i], h * lanes.K[0, i], h * lanes.K[1, i]
            lanes.Q[0, i] = begin
            lanes.Q[1, i] = 3.0 * rise - 2.0 * begin - end
            lanes.Q[2, i] = begin + end - 2.0 * rise
        return
    if method.A.shape[0] > s + 1:
        for i in range(lanes.y.shape[0]):
            lanes.y_at[i] = lanes.y_new[i]
        for extra in range(s + 1, method.A.shape[0]):
            stage_state(method, h, lanes.y, lanes.K, extra, lanes.y_new)
            _rates_of_stage(tree, loads, w, method, lanes, extra)
        for i in range(lanes.y.shape[0]):
            lanes.y_new[i] = lanes.y_at[i]
    step_polynomial(method, h, lanes.y, lanes.y_new, lanes.K, lanes.Q)


@part
def _sum_errors(tree, w, method, lanes):
    """Sums over the state that say how large the errors are, and whether all is finite (then the first is zero)."""
    s, ny, n = method.stages, lanes.y.shape[0], tree.nq + tree.nv + tree.nz
    nothing = 0.0 * lanes.h[0]
    finite, first, second, works, highest = nothing, nothing, nothing, nothing, nothing
    for i in range(ny):
        finite += 0.0 * lanes.y_new[i] + 0.0 * lanes.K[s, i]
    lanes.error[FINITE] = finite
    if method.adaptive == 0:
        return
    rtol, atol = lanes.clock[0].rtol, lanes.clock[0].atol
    for i in range(ny):
        size = max(abs(lanes.y[i]), abs(lanes.y_new[i]))
        e0, e1 = nothing, nothing
        for j in range(s + 1):
            e0 += method.E[0, j] * lanes.K[j, i]
            e1 += method.E[1, j] * lanes.K[j, i]
        if i >= n:
            works, highest = max(works, abs(e0)), max(highest, size)
        elif w.error_weights[i] != 0.0:
            scale = atol + rtol * size
            e0, e1 = e0 / scale, e1 / scale
            square = e0 * e0
            lanes.error[FIRST] = square  # noted, so that it is rounded before it is added, as in `_error_norm`
            first += square
            second += e1 * e1
    lanes.error[FIRST], lanes.error[SECOND], lanes.error[ACCUMULATORS], lanes.error[HIGHEST] = (
        first,
        second,
        works,
        highest,
    )


@helper
def _error_of(tree, w, lanes, k):
    """Error of a lane relative to the allowed one, as `explicit_loop.explicit_step` has it."""
    clock, h = lanes.clock[k], lanes.clock[k].h
    first, second = lanes.error_of[FIRST, k], lanes.error_of[SECOND, k]
    count = 0.0
    for i in range(tree.nq + tree.nv + tree.nz):
        if w.error_weights[i] != 0.0:
            count += 1.0
    count = max(count, 1.0)
    denominator = first + 0.01 * second  # Hairer, Norsett & Wanner 1993, section II.10
    if second > 0.0 and denominator > 0.0:
        error = h * first / (denominator * count) ** 0.5
    else:
        error = h * (first / count) ** 0.5
    weight = w.error_weights[tree.nq + tree.nv + tree.nz]
    if weight != 0.0:
        mass = 0.0
        for b in range(1, tree.nb):
            mass += lanes.inertia[b, 0, k]
        weight = 1.0 / max(1.0, mass)
        allowed = clock.atol / weight + clock.rtol * lanes.error_of[HIGHEST, k]
        error = max(error, ACCUMULATOR_WEIGHT * h * lanes.error_of[ACCUMULATORS, k] / allowed)
    return error


@part
def _plan(lanes):
    """The length of the next step of each lane, or its end; returns how many go on."""
    going = 0
    for k in range(WIDTH):
        if lanes.status[k] != CONTINUE:
            continue
        clock = lanes.clock[k]
        t, span = clock.t, clock.t_end - clock.t_begin
        if clock.t_end - t <= 1e-14 * span + 4.0 * EPSILON * abs(t):
            lanes.status[k] = END
            continue
        h = clock.fixed_step if clock.fixed_step > 0.0 else clock.h
        clock.h, last = fitted_step(clock, h, t, clock.t_end - t)
        lanes.last[k] = 1 if last else 0
        lanes.h_of[0, k] = clock.h
        if clock.h > 1e-15 * max(abs(t), span):
            going += 1
        else:
            lanes.status[k] = UNUSUAL
    return going


@helper
def _end_of_step(lanes, k):
    clock = lanes.clock[k]
    if lanes.last[k] == 1:
        return clock.t_end
    if clock.fixed_step > 0.0:  # does not gather rounding errors
        return clock.t_begin + (lanes.counts[k].steps + 1) * clock.h
    return clock.t + clock.h


@part
def _judge(tree, w, method, lanes, batch):
    """Accept the step of each lane or not; returns how many of those that go on did, and how many want outputs."""
    accepted, wanted = 0, 0
    for k in range(WIDTH):
        if lanes.status[k] != CONTINUE:
            continue
        clock, counts = lanes.clock[k], lanes.counts[k]
        counts.evaluations += method.stages
        counts.outcome = 1
        clock.factor = 1.0
        if lanes.error_of[FINITE, k] != 0.0:  # not a number, since it is a sum of zeros
            clock.factor, counts.outcome = 0.1, 0
            if clock.fixed_step > 0.0 or clock.h < SHORTEST * (clock.t_end - clock.t_begin):
                lanes.status[k] = UNUSUAL
        elif method.adaptive == 1:
            error = _error_of(tree, w, lanes, k)
            clock.factor = step_factor(error, clock.last_error, method.order)
            if error <= 1.0:
                clock.last_error = max(error, LEAST_ERROR)
            else:
                counts.outcome = 0
        if counts.outcome == 0:
            counts.rejected += 1
            clock.h *= clock.factor
        else:
            accepted += 1
            if counts.next_time < lanes.times.shape[0] and lanes.times[counts.next_time] <= _end_of_step(lanes, k):
                counts.evaluations += method.A.shape[0] - method.stages - 1
                wanted += 1
        if counts.steps + counts.rejected > batch.most_steps:
            lanes.status[k] = UNUSUAL
    return accepted, wanted


@part
def _write_outputs(tree, lanes, batch, first):
    """Outputs that fall into the accepted steps, as `steps.watch_step` writes them."""
    ny, degree = lanes.y.shape[0], lanes.Q.shape[0]
    for k in range(WIDTH):
        clock, counts = lanes.clock[k], lanes.counts[k]
        if lanes.status[k] != CONTINUE or counts.outcome == 0:
            continue
        t_new = _end_of_step(lanes, k)
        while counts.next_time < lanes.times.shape[0] and lanes.times[counts.next_time] <= t_new:
            time = lanes.times[counts.next_time]
            theta = min(1.0, max(0.0, (time - clock.t) / clock.h))
            if t_new - time <= 4.0 * EPSILON * abs(t_new):
                theta = 1.0
            if first + k < batch.out_y.shape[0]:
                out = batch.out_y[first + k, counts.next_time]
                for i in range(ny):
                    if theta == 1.0:
                        out[i] = lanes.y_new_of[i, k]
                    else:
                        s = lanes.Q_of[degree - 1, i, k]
                        for d in range(degree - 2, -1, -1):
                            s = lanes.Q_of[d, i, k] + theta * s
                        out[i] = lanes.y_of[i, k] + theta * s
                bring_to_unit_length(tree, out)
            counts.next_time += 1


@part
def _shift(tree, method, lanes, all_of_them):
    """The ends of the accepted steps become beginnings."""
    s, ny = method.stages, lanes.y.shape[0]
    if all_of_them:
        for i in range(ny):
            lanes.y[i] = lanes.y_new[i]
            lanes.K[0, i] = lanes.K[s, i]
    for k in range(WIDTH):
        clock, counts = lanes.clock[k], lanes.counts[k]
        if lanes.status[k] != CONTINUE or counts.outcome == 0:
            continue
        if not all_of_them:
            for i in range(ny):
                lanes.y_of[i, k] = lanes.y_new_of[i, k]
                lanes.K_of[0, i, k] = lanes.K_of[s, i, k]
        for n in range(tree.quat_q.shape[0]):
            i = tree.quat_q[n]
            for c in range(4):
                lanes.row[0, c] = lanes.y_of[i + c, k]
            if not is_unit(lanes.row[0], 0):
                x = lanes.row[0]
                scale = 1.0 / (x[0] ** 2 + x[1] ** 2 + x[2] ** 2 + x[3] ** 2) ** 0.5
                for j in range(i, i + 4):
                    lanes.y_of[j, k] = scale * lanes.y_of[j, k]
                    lanes.K_of[0, j, k] = scale * lanes.K_of[0, j, k]
        clock.t = _end_of_step(lanes, k)
        counts.steps += 1
        clock.h *= clock.factor


# -------------------------------------------------------------------------------------------------------------- runs


@part
def _prepare(tree, w, lanes, batch, first, count):
    """Numbers and initial states of runs first ... first + count - 1; the last of them also in the lanes behind it."""
    size, all_numbers = lanes.pool.shape[0], batch.pool.shape[0]
    for k in range(WIDTH):
        run = first + min(k, count - 1)
        row = run if batch.y0.shape[0] > 1 else 0
        if k < lanes.single.shape[0]:
            for i in range(lanes.memory.shape[1]):
                lanes.memory[k, i] = lanes.fresh[k, i]
        for i in range(lanes.y.shape[0]):
            lanes.y_of[i, k] = batch.y0[row, i]
        for e in range(batch.place.shape[0]):
            place, number = batch.place[e], batch.numbers[run, e]
            if place >= all_numbers:
                lanes.y_of[place - all_numbers, k] = number
                continue
            if place < size:
                lanes.pool[place, k] = number
            if k < lanes.single.shape[0]:
                lanes.pools[k, place] = number
    for i in range(tree.nc):
        for c in range(6):
            w.H[i, c] = tree.H0[i, c]
    for i in range(lanes.y.shape[0]):
        lanes.begin[i] = lanes.y[i]


@helper
def _can_begin(tree, lanes, batch, k):
    """Whether all motions are resisted (`analyses.states.diagnose`)."""
    least, largest = 1e300, 0.0
    for i in range(tree.nv):
        pivot = 1.0 / lanes.w_pivots[i, k]
        if not (0.0 < pivot < 1e300):
            return False
        least, largest = min(least, pivot), max(largest, pivot)
    return tree.nv == 0 or least > batch.least_pivot * largest


@part
def _start(tree, loads, w, method, lanes, batch, first):
    """Rates at the start, and the first steps."""
    n, ny = tree.nq + tree.nv + tree.nz, lanes.y.shape[0]
    for k in range(WIDTH):
        clock, counts = lanes.clock[k], lanes.counts[k]
        clock.t, clock.h, clock.last_error = clock.t_begin, batch.first_step, 1e-4
        counts.steps, counts.rejected, counts.evaluations, counts.next_time = 0, 0, 1, batch.begins
        lanes.t[k] = clock.t_begin
        if first + k < batch.out_y.shape[0]:
            for m in range(batch.begins):
                for i in range(ny):
                    batch.out_y[first + k, m, i] = lanes.y_of[i, k]
    lane_rates(tree, loads, w, lanes, lanes.y, lanes.K[0])
    for k in range(WIDTH):
        lanes.status[k] = CONTINUE if _can_begin(tree, lanes, batch, k) else UNUSUAL
    if batch.first_step > 0.0:
        for k in range(WIDTH):
            lanes.clock[k].h = min(batch.first_step, lanes.clock[k].h_max)
        return
    for k in range(WIDTH):
        clock = lanes.clock[k]
        for i in range(n):
            lanes.row[0, i], lanes.row[1, i] = lanes.y_of[i, k], lanes.K_of[0, i, k]
        clock.h, clock.last_error = first_guess(clock, lanes.row[0], lanes.row[1], n, clock.t_end - clock.t)
        lanes.h_of[0, k], lanes.t[k] = clock.h, clock.t + clock.h
        lanes.counts[k].evaluations += 1
    for i in range(ny):
        lanes.y_new[i] = lanes.y[i] + lanes.h[0] * lanes.K[0, i]
    lane_rates(tree, loads, w, lanes, lanes.y_new, lanes.K[1])
    for k in range(WIDTH):
        clock = lanes.clock[k]
        for i in range(n):
            lanes.row[0, i], lanes.row[1, i] = lanes.y_of[i, k], lanes.K_of[0, i, k]
            lanes.row[2, i] = lanes.K_of[1, i, k]
        x, rates, ahead = lanes.row[0], lanes.row[1], lanes.row[2]
        clock.h = second_guess(clock, method.order, x, rates, ahead, n, clock.h, clock.last_error)
        clock.last_error = 1e-4


@part
def _energies(tree, loads, w, lanes, batch, first, sample):
    """Energies of the states in lanes.y_new at the times lanes.t."""
    nq, nv, ny = tree.nq, tree.nv, lanes.y.shape[0]
    v = lanes.y_new[nq : nq + nv]
    poses_and_velocities(tree, w, lanes.y_new[:nq], v)
    _forces(tree, loads, w, lanes, lanes.y_new, 0)
    lanes.energies[0] = kinetic_energy(tree, w, v)
    lanes.energies[1] = gravity_energy(tree, w)
    for k in range(min(WIDTH, batch.out_y.shape[0] - first)):
        row = batch.energies[first + k, sample]
        row[0], row[1] = lanes.energies_of[0, k], lanes.energies_of[1, k]
        row[2], row[3], row[4] = lanes.w_powers[0, k], lanes.y_new_of[ny - 2, k], lanes.y_new_of[ny - 1, k]


@part
def _record(tree, loads, w, lanes, batch, first):
    """Energies of the samples, as in `many_runs`."""
    for k in range(lanes.single.shape[0]):
        _, _, _, s = unpack(lanes.single[k], REAL_CONTEXT)
        s.wanted[0].energies = 1
    samples, ny = batch.at.shape[0], lanes.y.shape[0]
    for s in range(samples + 2):
        for k in range(WIDTH):
            run = min(first + k, batch.out_y.shape[0] - 1)
            if s == 0:
                lanes.t[k] = lanes.clock[k].t_begin
            elif s <= samples:
                lanes.t[k] = lanes.times[batch.at[s - 1]]
                for i in range(ny):
                    lanes.y_new_of[i, k] = batch.out_y[run, batch.at[s - 1], i]
            else:
                lanes.t[k] = lanes.clock[k].t
        if s == 0 or s == samples + 1:
            for i in range(ny):
                lanes.y_new[i] = lanes.begin[i] if s == 0 else lanes.y[i]
        _energies(tree, loads, w, lanes, batch, first, s)
    for k in range(lanes.single.shape[0]):
        _, _, _, s = unpack(lanes.single[k], REAL_CONTEXT)
        s.wanted[0].energies = 0


@kernel("i lane_run tableau lane_batch i")
def simulate_lanes(context, lanes, method, batch, count):
    """Simulate runs 0 ... count - 1 of a batch; returns how many of them are done, fewer if `stop` was set."""
    tree, loads, _, w = unpack(context, LANES_CONTEXT)
    rows = lanes.times.shape[0]
    for first in range(0, count, WIDTH):
        _prepare(tree, w, lanes, batch, first, min(WIDTH, count - first))
        _start(tree, loads, w, method, lanes, batch, first)
        going = _plan(lanes)
        while going > 0:
            if batch.stop[0] != 0:
                return first
            _step(tree, loads, w, method, lanes)
            _sum_errors(tree, w, method, lanes)
            accepted, wanted = _judge(tree, w, method, lanes, batch)
            if wanted > 0:
                _polynomial(tree, loads, w, method, lanes)
                _write_outputs(tree, lanes, batch, first)
            _shift(tree, method, lanes, accepted == WIDTH)
            going = _plan(lanes)
        _record(tree, loads, w, lanes, batch, first)
        for k in range(min(WIDTH, count - first)):
            counts, summary = lanes.counts[k], batch.summary[first + k]
            complete = lanes.status[k] == END and counts.next_time == rows
            summary[STEPS], summary[REJECTED] = counts.steps, counts.rejected
            summary[EVALUATIONS], summary[ROWS], summary[STOPPED_BY] = counts.evaluations, counts.next_time, -1
            batch.ends[first + k] = lanes.clock[k].t
            summary[STATUS] = END if complete else UNUSUAL
            for m in range(counts.next_time):
                for i in range(batch.out_y.shape[2]):
                    if not abs(batch.out_y[first + k, m, i]) < 1e300:
                        summary[STATUS] = UNUSUAL
    return count
