"""Newton's method for contacts along paths (`contact.solve.branch_sparse`).

As `contact.solve.sparse_newton`, but in the coordinates y: an iteration solves (1 + Z^T (-dP/du) Z) dy = Z^T (P - p).
A point couples the rates of one path only, so that this matrix has its entries where the mass matrix has them, and is
factorised from the tips to the root without any fill (Featherstone 2008, section 6.5).
"""

from __future__ import annotations

from duoti.contact.solve.branch_sparse import add_along, along_path, path_impulses
from duoti.contact.solve.problem import path_block_velocity
from duoti.contact.solve.sparse_newton import (
    INFINITE,
    LEAST_STEP,
    MOST_MISSES,
    NORMAL,
    PROGRESS,
    STIFF,
    choose_step,
    evaluate,
    follow,
    follow_owner,
    guess_block,
    is_open,
    keep_best,
    keep_block,
    keep_end,
    next_stiff,
    residual_of_block,
    take_best,
)
from duoti.kernel import part

LEAST = 1e-30


@part
def path_residual(problem, normal):
    """As `sparse_newton.residual_of`."""
    worst = 0.0
    for c in range(problem.counts[0].blocks):
        here = residual_of_block(problem, c, path_block_velocity(problem, c), normal)
        if not here < INFINITE:
            return INFINITE
        worst = max(worst, here if normal == 1 else problem.weight[c] * here)
    return worst


@part
def _assemble(tree, problem, matrix):
    """lower and upper: the matrix; returns 1 if it is symmetric, and then without the upper half."""
    paths, K, U, T = problem.paths, problem.paths.lower, problem.paths.upper, problem.paths.T
    symmetric = 1
    for c in range(problem.counts[0].blocks):
        if matrix.slope[c, 3] != matrix.slope[c, 1] or matrix.slope[c, 6] != matrix.slope[c, 2]:
            symmetric = 0
        if problem.owner[c] >= 0:
            symmetric = 0
    for k in range(tree.nv):
        if paths.touched[k] == 1:
            row, n = tree.M_row[k], tree.depth[k]
            for e in range(n):
                K[row + e] = U[row + e] = 0.0
            K[row + n] = 1.0
    for c in range(problem.counts[0].blocks):
        s, Z, rates = matrix.slope[c], paths.Z[c], paths.rates[c]
        owner, cross = problem.owner[c], matrix.cross[c]
        if is_open(s) and (owner < 0 or (cross[0] == 0.0 and cross[1] == 0.0 and cross[2] == 0.0)):
            continue
        for d in range(paths.length[c]):
            z0, z1, z2, row = Z[d, 0], Z[d, 1], Z[d, 2], tree.M_row[rates[d]]
            t0 = s[0] * z0 + s[1] * z1 + s[2] * z2
            t1, t2 = s[3] * z0 + s[4] * z1 + s[5] * z2, s[6] * z0 + s[7] * z1 + s[8] * z2
            if owner >= 0:
                z = paths.Z[owner, d, 0]
                t0, t1, t2 = t0 + cross[0] * z, t1 + cross[1] * z, t2 + cross[2] * z
            T[d, 0], T[d, 1], T[d, 2] = t0, t1, t2
            for e in range(d + 1):
                K[row + e] += z0 * T[e, 0] + z1 * T[e, 1] + z2 * T[e, 2]
            for e in range(d if symmetric == 0 else 0):
                U[row + e] += Z[e, 0] * t0 + Z[e, 1] * t1 + Z[e, 2] * t2
    return symmetric


@part
def _factorise(tree, paths, symmetric):
    """K = U D L in place, from the tips to the root, inverse diagonal D; False if a pivot vanishes."""
    K, U = paths.lower, paths.lower if symmetric == 1 else paths.upper
    for k in range(tree.nv - 1, -1, -1):
        if paths.touched[k] == 0:
            continue
        row, n = tree.M_row[k], tree.depth[k]
        if not abs(K[row + n]) > LEAST:
            return False
        inverse = 1.0 / K[row + n]
        K[row + n] = inverse
        i = tree.parent_dof[k]
        for d in range(n - 1, -1, -1):
            other, x, y = tree.M_row[i], inverse * U[row + d], inverse * K[row + d]
            for e in range(d + 1):
                K[other + e] -= x * K[row + e]
            for e in range(d if symmetric == 0 else 0):
                U[other + e] -= U[row + e] * y
            i = tree.parent_dof[i]
    return True


@part
def _solve(tree, paths, symmetric):
    """paths.x := K^-1 x."""
    K, x = paths.lower, paths.x
    U = K if symmetric == 1 else paths.upper
    for k in range(tree.nv - 1, -1, -1):
        if paths.touched[k] == 1:
            row, n, i = tree.M_row[k], tree.depth[k], tree.parent_dof[k]
            f = x[k] * K[row + n]
            x[k] = f
            for d in range(n - 1, -1, -1):
                x[i] -= U[row + d] * f
                i = tree.parent_dof[i]
    for k in range(tree.nv):
        if paths.touched[k] == 1:
            row, n, i, s = tree.M_row[k], tree.depth[k], tree.parent_dof[k], 0.0
            for d in range(n - 1, -1, -1):
                s += K[row + d] * x[i]
                i = tree.parent_dof[i]
            x[k] -= s * K[row + n]


@part
def path_newton(tree, problem, matrix, wanted, enough, most, what, stiff):
    """As `sparse_newton.newton`; paths.y follows."""
    normal = 1 if what == NORMAL else 0
    paths, blocks, factors, symmetric = problem.paths, problem.counts[0].blocks, False, 1
    for c in range(blocks):
        u = path_block_velocity(problem, c)
        for k in range(3):
            matrix.u[c, k], matrix.du[c, k] = u[k], 0.0
        keep_block(matrix, problem, c)
    total, worst = evaluate(problem, matrix, 0.0, normal)
    keep_best(problem, matrix)
    best, last, first, second, third, begin, misses = worst, worst, total, total, total, stiff, 0
    for _ in range(most):
        if best <= wanted or not worst < INFINITE:
            break
        changed = 0
        for c in range(blocks):
            u = matrix.u[c]
            changed = max(changed, guess_block(problem, matrix, c, (u[0], u[1], u[2]), normal, stiff))
        if changed == 1 or not factors:
            symmetric = _assemble(tree, problem, matrix)
            factors = _factorise(tree, paths, symmetric)
            if not factors:
                break
            problem.counts[0].factors += 1
        for i in range(tree.nv):
            paths.x[i] = 0.0
        for c in range(blocks):
            P, p = matrix.P[c], problem.p[c]
            for k in range(3):
                matrix.old[c, k] = p[k]
            add_along(paths, c, P[0] - p[0], P[1] - p[1], P[2] - p[2], paths.x)
        _solve(tree, paths, symmetric)
        for c in range(blocks):
            follow(problem, matrix, c, along_path(paths, paths.Z, c, paths.x))
            if problem.owner[c] >= 0:
                follow_owner(problem, matrix, c, along_path(paths, paths.Z, problem.owner[c], paths.x)[0])
        path_impulses(problem)
        for c in range(blocks):
            keep_end(matrix, problem, c, path_block_velocity(problem, c))
        least = 1.0 if begin == STIFF else LEAST_STEP
        total, worst = choose_step(problem, matrix, max(total, first, second, third), normal, least)
        first, second, third = second, third, total
        misses = 0 if worst < PROGRESS * best else misses + 1
        if worst < best:
            best = worst
            keep_best(problem, matrix)
        if (best <= enough and worst > PROGRESS * last) or (begin == STIFF and misses > MOST_MISSES):
            break
        last, stiff = worst, next_stiff(begin, stiff)
    for c in range(blocks):
        take_best(problem, matrix, c)
    path_impulses(problem)
    return path_residual(problem, normal)
