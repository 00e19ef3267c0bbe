"""Accelerations with friction and stops in joints, for the explicit solvers.

What is unknown in a state are the forces p: of each rate that is held (a joint at rest, a joint at its stop) its force,
of each sliding slot its bound b. For given p all accelerations a and all wrenches F through joints follow from the
dynamics without friction, and they are affine in p:

    a = a_0 + A p,   F = F_0 + B p                                                                          (1)
    a_i = 0 of held rates,   b_s = mu L(F) + c of sliding slots                                             (2)

A and B are found by one evaluation for each unknown, and (2) is solved by Newton's method on (1). So the friction
belongs to the reactions of the very instant. Where the determinant of (2) is not positive, more friction makes more
load than it takes to bear it: the joint jams.
"""

from __future__ import annotations

import math

from duoti.elements.joint_friction import (
    STATIC_CONSTANT,
    STATIC_FRICTION,
    load_of,
    load_wrench,
    sliding_bound,
    smooth_direction,
    speed_of,
)
from duoti.elements.joint_friction_memory import (
    AT_REST,
    BACKWARD,
    COULOMB,
    DRY_CONTEXT,
    FORWARD,
    LOWER,
    STOP,
    UNDETERMINED,
    UPPER,
)
from duoti.elements.linalg import solve_column
from duoti.kernel import call_entry, entry, helper, part, unpack
from duoti.system.context import REAL_CONTEXT

MOVES = 1e-7  # sliding speed from which on a joint is not at rest, whatever its mode says
ITERATIONS = 40
SETTLED = 1e-13  # relative change of the unknowns that ends Newton's method
NEARLY_SETTLED = 1e-8  # the same, from where on it is a solution: round-off may keep it from the end
CORRECTIONS = 3
EXACT = 1e-12  # relative residual of (2) that needs no further correction
SOFTENING = 1e-11  # of held rates that depend on each other: their forces are then the smallest


@helper
def is_held(dry, y, v, s):
    """Whether the rates of a slot are held in its present mode."""
    if dry.mode[s] < 0 or dry.options[0].time_stepping != 0:
        return False
    mode = y[dry.mode[s]]
    if dry.kind[s] == STOP:
        return mode in (UPPER, LOWER)
    return mode == AT_REST and dry.driven[s] == 0 and speed_of(dry, v, s).real <= MOVES


@part
def find_direction(loads, w, v, dry, s):
    """dry.direction of a sliding or smooth slot: minus its generalised forces for a unit of its bound."""
    if dry.kind[s] != COULOMB:
        for k in range(dry.size[s]):
            dry.direction[s, k] = smooth_direction(loads, w, v, dry, s, dry.force[s], k)
        return
    if dry.size[s] == 1:
        forward = 1.0
        mode, rate = w.y[dry.mode[s]], v[dry.first[s]]
        if mode == BACKWARD or (mode > FORWARD and rate < 0.0):
            forward = -1.0
        elif mode == UNDETERMINED and rate == 0.0:
            forward = 0.0
        dry.direction[s, 0] = forward * dry.scales[s, 0]
        return
    speed = speed_of(dry, v, s)
    length = (speed * speed + MOVES * MOVES) ** 0.5
    for k in range(dry.size[s]):
        dry.direction[s, k] = dry.scales[s, k] ** 2 * v[dry.first[s] + k] / length


@part
def choose_unknowns(loads, w, v, dry):
    """The unknowns of the present modes; returns their number. Forces that are known already are in dry.x."""
    m = 0
    for s in range(dry.count):
        held = is_held(dry, w.y, v, s)
        if held and dry.options[0].held_in_rows == 0:
            for k in range(dry.size[s]):
                dry.unknown_slot[m], dry.unknown_rate[m] = s, k
                m += 1
            continue
        for k in range(dry.size[s]):
            dry.x[s, k] = 0.0
        if held or dry.kind[s] == STOP or (dry.kind[s] == COULOMB and dry.options[0].time_stepping != 0):
            continue
        find_direction(loads, w, v, dry, s)
        if dry.loaded[s] == 1:
            dry.unknown_slot[m], dry.unknown_rate[m] = s, -1
            m += 1
        else:
            dry.bound[s] = sliding_bound(loads, v, dry, s, dry.load[s])
            for k in range(dry.size[s]):
                dry.x[s, k] = -dry.bound[s] * dry.direction[s, k]
    return m


@part
def put_forces(dry, m):
    """dry.x of the unknowns p."""
    for i in range(m):
        s, k = dry.unknown_slot[i], dry.unknown_rate[i]
        if k >= 0:
            dry.x[s, k] = dry.p[i]
        else:
            dry.bound[s] = dry.p[i]
            for n in range(dry.size[s]):
                dry.x[s, n] = -dry.p[i] * dry.direction[s, n]


@part
def _evaluate(tree, w, dry, m, place, loaded):
    """Accelerations of held rates and loads of all slots, for the unknowns p, into row `place`."""
    put_forces(dry, m)
    call_entry(dry.calls[0].rates, w.at[0].system)
    for i in range(m):
        s, k = dry.unknown_slot[i], dry.unknown_rate[i]
        dry.held[place, i] = w.ydot[tree.nq + dry.first[s] + k] if k >= 0 else 0.0
    if loaded == 1:
        call_entry(dry.calls[0].residual, w.at[0].system)
        for s in range(dry.count):
            if dry.loaded[s] == 1:
                load_wrench(tree, w, dry, s, dry.wrench[place, s])


@part
def _equation(tree, loads, w, dry, v, m, i, scratch):
    """Equation (2) of unknown i at p, by (1)."""
    s, k = dry.unknown_slot[i], dry.unknown_rate[i]
    if k >= 0:
        x = dry.held[0, i]
        for j in range(m):
            x += dry.held[j + 1, i] * dry.p[j]
        return x
    for c in range(6):
        x = dry.wrench[0, s, c]
        for j in range(m):
            x += dry.wrench[j + 1, s, c] * dry.p[j]
        scratch[c] = x
    return dry.p[i] - sliding_bound(loads, v, dry, s, load_of(w, dry, s, scratch))


@part
def _newton_matrix(tree, loads, w, dry, v, m, scratch):
    """Columns of the derivatives of (2) by p, and (2) itself in the last but one."""
    for i in range(m):
        dry.matrix[i, m] = _equation(tree, loads, w, dry, v, m, i, scratch)
    for j in range(m):
        p, step = dry.p[j], 1e-6 * (1.0 + abs(dry.p[j]))
        dry.p[j] = p + step
        for i in range(m):
            if dry.unknown_rate[i] >= 0:
                dry.matrix[i, j] = dry.held[j + 1, i]
            else:
                dry.matrix[i, j] = (_equation(tree, loads, w, dry, v, m, i, scratch) - dry.matrix[i, m]) / step
        dry.p[j] = p
    for i in range(m):
        if dry.unknown_rate[i] >= 0:
            dry.matrix[i, i] *= 1.0 + SOFTENING


@part
def solve_forces(tree, loads, w, dry, v, m, loaded):
    """Solve (2) for the unknowns; w then holds the evaluation that belongs to them. Notes joints that jam."""
    for i in range(m):
        dry.p[i] = 0.0
    _evaluate(tree, w, dry, m, 0, loaded)
    for j in range(m):
        dry.p[j] = 1.0
        _evaluate(tree, w, dry, m, j + 1, loaded)
        dry.p[j] = 0.0
        for i in range(m):
            dry.held[j + 1, i] -= dry.held[0, i]
        for s in range(dry.count):
            for c in range(6):
                dry.wrench[j + 1, s, c] -= dry.wrench[0, s, c]
    sign = _newton(tree, loads, w, dry, v, m)
    jams = 0
    for i in range(m):
        if (
            dry.kind[dry.unknown_slot[i]] == COULOMB
            and dry.unknown_rate[i] < 0
            and (not dry.p[i] >= 0.0 or not sign > 0.0)
        ):
            jams = 1 + dry.unknown_slot[i]
    dry.status[0].jammed = jams
    for _ in range(CORRECTIONS):
        _evaluate(tree, w, dry, m, 0, loaded)
        if jams > 0 or _left_over(loads, w, dry, v, m) <= EXACT:
            break
        for i in range(m):  # (1) again, from the present evaluation
            for j in range(m):
                dry.held[0, i] -= dry.held[j + 1, i] * dry.p[j]
        for s in range(dry.count):
            for c in range(6):
                for j in range(m):
                    dry.wrench[0, s, c] -= dry.wrench[j + 1, s, c] * dry.p[j]
        _newton(tree, loads, w, dry, v, m)


@part
def _newton(tree, loads, w, dry, v, m):
    """Newton's method for (2) on (1); returns the sign of the determinant, 0 if there is no solution."""
    for _ in range(ITERATIONS):
        _newton_matrix(tree, loads, w, dry, v, m, dry.scratch)
        sign = solve_column(dry.matrix, m, m)
        change, size = 0.0, 0.0
        for i in range(m):
            dry.p[i] -= dry.matrix[i, m]
            change, size = max(change, abs(dry.matrix[i, m])), max(size, abs(dry.p[i]))
        if not change > SETTLED * size:
            return sign
    return 1.0 if change <= NEARLY_SETTLED * size else 0.0  # pyright: ignore[reportPossiblyUnboundVariable]


@part
def _left_over(loads, w, dry, v, m):
    """What an evaluation leaves of (2), as part of the unknowns."""
    left, size = 0.0, 1e-300
    for i in range(m):
        s = dry.unknown_slot[i]
        if dry.unknown_rate[i] >= 0:
            left = max(left, abs(dry.held[0, i]) / max(abs(dry.held[i + 1, i]), 1e-300))
        else:
            left = max(left, abs(dry.p[i] - sliding_bound(loads, v, dry, s, load_of(w, dry, s, dry.wrench[0, s]))))
        size = max(size, abs(dry.p[i]))
    return left / size


@part
def note_loads(tree, loads, w, dry):
    """Loads and bounds of all friction slots in the evaluation that w holds."""
    for s in range(dry.count):
        f = dry.force[s]
        if f < 0:
            continue
        if dry.loaded[s] == 1:
            load_wrench(tree, w, dry, s, dry.scratch)
            dry.load[s] = load_of(w, dry, s, dry.scratch)
        dry.rest[s] = loads.forces.reals[f, STATIC_FRICTION] * dry.load[s] + loads.forces.reals[f, STATIC_CONSTANT]


@entry
def dry_rates_entry(context):
    """Entry RATES of systems with dry laws: w.ydot, the rates of the state w.y at the time w.clock."""
    tree, loads, _, w = unpack(context, REAL_CONTEXT)
    (dry,) = unpack(w.at[0].joint_friction, DRY_CONTEXT)
    dry_rates(tree, loads, w, dry)


@part
def dry_rates(tree, loads, w, dry):
    """See `dry_rates_entry`."""
    nq, nv = tree.nq, tree.nv
    v = w.y[nq : nq + nv]
    m, loaded = choose_unknowns(loads, w, v, dry), 0
    for s in range(dry.count):
        loaded = max(loaded, dry.loaded[s])
    dry.status[0].jammed = 0
    if m > 0:
        solve_forces(tree, loads, w, dry, v, m, loaded)
    else:
        call_entry(dry.calls[0].rates, w.at[0].system)
        if loaded == 1 and dry.options[0].held_in_rows != 0:
            call_entry(dry.calls[0].residual, w.at[0].system)
    if loaded == 1:
        note_loads(tree, loads, w, dry)
    if dry.status[0].jammed > 0:
        s = dry.status[0].jammed - 1
        if speed_of(dry, v, s).real > MOVES:  # no motion goes on from here
            dry.status[0].jams = 1 + s
            w.ydot[nq + dry.first[s]] = math.nan
    for i in range(m):  # not only but for round-off: what is held does not move at all
        if dry.unknown_rate[i] >= 0:
            w.ydot[nq + dry.first[dry.unknown_slot[i]] + dry.unknown_rate[i]] = 0.0
