"""The contact problem of a step of Moreau and Jean's method: along paths where it can be, else by `general_problem`.

The general way is not compiled before a system needs it. That may be in the middle of a run, if points along paths do
not converge: the step is given up then, and taken again (`MoreauLoop.advance`).
"""

from __future__ import annotations

import numpy as np

from duoti.contact.solve.block_matrix import take_everything
from duoti.contact.solve.branch_newton import path_newton, path_residual
from duoti.contact.solve.branch_sparse import (
    along_path,
    path_ends,
    path_impulses,
    path_responses,
    path_rows,
    path_velocity,
)
from duoti.contact.solve.islands import find_islands, island_of, root_of
from duoti.contact.solve.problem import (
    block_times,
    keep_impulses,
    no_impulses,
    put_matrix,
    take_kept,
    times_velocities,
)
from duoti.contact.solve.sparse_newton import FULL, block_size
from duoti.integrate.moreau.contact_problem import (
    FIRST_NEWTON,
    KEPT,
    LEAST_FRACTION,
    MATTERS,
    MOST_ITERATIONS,
    ROUND_OFF,
    SMALLEST,
    STAGES,
    begin_block,
    begin_cascade,
    begin_resistance,
    count_stage,
    fill_block,
    slides,
    stage_of_newton,
    well,
)
from duoti.kernel import call_entry, helper, part

ENTRY, TASK, WANTED = range(3)  # in MoreauMemory.general
ROWS, JOINT, LEAVE, IMPULSES, SOLVE, POSITIONS = range(6)  # tasks of the general way


@part
def in_general(address, memory, task):
    """Let the general way do a task; returns False if it is not there."""
    if memory.general[ENTRY] == 0:
        memory.general[WANTED] = 1
        return False
    memory.general[TASK] = task
    call_entry(memory.general[ENTRY], address)
    return True


@part
def contact_rows(address, tree, contacts, cw, w, problem, memory, v, h, step):
    """The blocks of the points that are near: rows, velocities before the step, impulses of the last one."""
    paths, n = problem.paths, 0
    if paths.counts[0].active == 0:
        in_general(address, memory, ROWS)
        return
    for i in range(cw.counts[0].near):
        s = cw.near[i]
        begin_block(contacts, cw, problem, memory, n, s, step)
        path_rows(tree, contacts, cw, w, paths, n, s, problem.size[n], 0)
        u, change = along_path(paths, paths.G, n, v), along_path(paths, paths.G, n, memory.dv)
        if fill_block(contacts, cw, problem, memory, n, h, step, u, change[0]):
            put_matrix(problem, n, path_responses(tree, w.M, paths, n))
            n += 1
    problem.counts[0].blocks = problem.counts[0].points = n
    for c in range(n):
        for which in range(2):
            if begin_resistance(contacts, cw, problem, memory, c, which, step):
                b = problem.counts[0].blocks
                path_rows(tree, contacts, cw, w, paths, b, problem.slot[b], problem.size[b], 1)
                clear_normal(problem, paths.G[b], paths.length[b], b)
                put_matrix(problem, b, path_responses(tree, w.M, paths, b))
                u = along_path(paths, paths.G, b, v)
                problem.u[b, 0], problem.u[b, 1], problem.u[b, 2] = u
                problem.counts[0].blocks = b + (1 if block_size(problem, b) > 0.0 else 0)  # none if it cannot turn


@helper
def clear_normal(problem, G, n, b):
    """Rows along the normal of resistance against rolling are zero."""
    for d in range(n if problem.size[b] == 3 else 0):
        G[d, 0] = 0.0


@part
def joint_block(address, tree, w, problem, memory, c, v):
    """Rows, responses and velocities of block c, a joint; law, rate and scale are given."""
    paths = problem.paths
    if paths.counts[0].active == 1:
        joint_path(tree, problem, c)
        put_matrix(problem, c, path_responses(tree, w.M, paths, c))
    else:
        problem.counts[0].joint = c
        in_general(address, memory, JOINT)
    for k in range(3):
        j = problem.rate[c] + k
        moves = problem.scale[c, k] != 0.0
        problem.u[c, k] = problem.scale[c, k] * v[j] if moves else 0.0
        problem.smooth[c, k] = problem.scale[c, k] * memory.dv[j] if moves else 0.0


@part
def joint_path(tree, problem, c):
    """The path and G of block c, a joint."""
    paths, last = problem.paths, problem.rate[c]
    G, rates = paths.G[c], paths.rates[c]
    for k in range(3):
        if problem.scale[c, k] != 0.0:
            last = problem.rate[c] + k
    k = last
    paths.length[c] = tree.depth[k] + 1
    while k >= 0:
        d = tree.depth[k]
        rates[d], G[d, 0], G[d, 1], G[d, 2] = k, 0.0, 0.0, 0.0
        if k >= problem.rate[c]:
            G[d, k - problem.rate[c]] = problem.scale[c, k - problem.rate[c]]
        paths.touched[k] = 1
        k = tree.parent_dof[k]


@part
def put_velocities(contacts, problem, memory):
    """problem.smooth and after from the rates, where these were changed after the impulses of contacts were found."""
    for c in range(problem.counts[0].points):
        d, u = times_velocities(contacts, problem, c, memory.dv), times_velocities(contacts, problem, c, problem.v)
        problem.smooth[c, 0], problem.smooth[c, 1], problem.smooth[c, 2] = d
        problem.after[c, 0], problem.after[c, 1], problem.after[c, 2] = u


@part
def _measure_islands(contacts, problem, memory, matrix, v):
    """Velocities that each island deals with: problem.measure, weight and smooth; the largest in memory.method."""
    find_islands(problem, matrix)
    measure, group, size = matrix.measure, matrix.group, SMALLEST
    for t in range(measure.shape[0]):
        measure[t] = SMALLEST
    for i in range(memory.dv.shape[0]):  # bodies that fall together have no velocities between them, but for round-off
        t = root_of(group, matrix.dof_tree[i])
        measure[t] = max(measure[t], LEAST_FRACTION * abs(memory.dv[i]), ROUND_OFF * abs(v[i]))
    for c in range(problem.counts[0].blocks):
        d, u, t = times_velocities(contacts, problem, c, memory.dv), problem.u[c], island_of(problem, matrix, c)
        problem.smooth[c, 0], problem.smooth[c, 1], problem.smooth[c, 2] = d
        measure[t] = max(measure[t], abs(d[0]), abs(d[1]), abs(d[2]), abs(u[0]), abs(u[1]), abs(u[2]))
    for c in range(problem.counts[0].blocks):
        problem.measure[c] = measure[island_of(problem, matrix, c)]
        size = max(size, problem.measure[c])
    for c in range(problem.counts[0].blocks):
        problem.weight[c] = size / problem.measure[c]
    memory.method[0].measure = size


@part
def solve_contacts(address, tree, contacts, w, problem, memory, matrix, v):
    """Impulses and velocities after the step; with static friction, points that begin to slide are solved again."""
    method, counts, paths = memory.method[0], problem.counts[0], problem.paths
    _measure_islands(contacts, problem, memory, matrix, v)
    size = method.measure
    if paths.counts[0].active == 1:
        for c in range(counts.blocks):
            for k in range(3):
                paths.u[c, k] = problem.u[c, k] + problem.smooth[c, k]
        path_impulses(problem)
    else:
        in_general(address, memory, IMPULSES)
    for _ in range(MOST_ITERATIONS):
        _solve(address, contacts, tree, problem, memory, matrix)
        if memory.general[WANTED] == 1:
            return
        slipped = 0
        for c in range(counts.blocks):
            u = path_velocity(paths, c) if paths.counts[0].active == 1 else block_times(contacts, problem, c, problem.v)
            problem.after[c, 0], problem.after[c, 1], problem.after[c, 2] = u
        for c in range(counts.points):
            sliding = contacts.friction[contacts.slot_pair[problem.slot[c]]]
            held = problem.mu[c] > sliding and problem.size[c] == 3 and problem.p[c, 0] > 0.0
            if held and slides(problem, c):
                problem.mu[c] = sliding
                slipped += 1
        if slipped == 0:
            break
    if paths.counts[0].active == 1:
        path_ends(tree, w.M, paths)
        for i in range(tree.nv):
            problem.v[i] = v[i] + memory.dv[i] + paths.x[i]
    counts.steps += 1
    left = counts.residual
    if left > method.tolerance * size:
        counts.unsolved += 1
        counts.worst, counts.worst_fraction = max(counts.worst, left), max(counts.worst_fraction, left / size)
        if left > MATTERS * size:
            counts.wrong += 1


@helper
def _solve(address, contacts, tree, problem, memory, matrix):
    """Impulses for the coefficients of friction that points have now; problem.counts.residual is what is left."""
    counts, paths = problem.counts[0], problem.paths.counts[0]
    if paths.active == 1:
        counts.residual = _along_paths(contacts, tree, problem, memory, matrix)
        if counts.residual <= memory.method[0].tolerance * memory.method[0].measure:
            return
        if not in_general(address, memory, LEAVE):
            return
        paths.active = 0
    in_general(address, memory, SOLVE)


@part
def _along_paths(contacts, tree, problem, memory, matrix):
    """As `moreau.contact_problem.by_iterations`, as far as Newton's method goes; the residual."""
    method, counts = memory.method[0], problem.counts[0]
    take_everything(problem, matrix, counts.blocks)
    size, tolerance, full = method.measure, method.tolerance * method.measure, np.int64(FULL)
    wanted, left = well(problem) * tolerance, path_residual(problem, full)
    if left <= (tolerance if counts.solved == 0 and counts.blocks == counts.points else wanted):
        counts.solved = 0
        count_stage(counts, KEPT)
        return left
    if begin_cascade(contacts, problem, matrix, left, size):
        no_impulses(problem)
    keep_impulses(problem)
    for stage in range(STAGES):
        iterations, stiff, from_none = stage_of_newton(stage)
        if stage > 0:
            take_kept(problem)
        if from_none == 1:
            no_impulses(problem)
        path_impulses(problem)
        left = path_newton(tree, problem, matrix, wanted, tolerance, iterations, full, stiff)
        if left <= tolerance:
            count_stage(counts, FIRST_NEWTON + stage)
            break
    counts.solved = 1 if left <= wanted else 0
    return left
