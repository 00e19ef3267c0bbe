"""Dynamics of trees whose loops are closed by cut joints.

    M a = f + G^T lambda,   G a = gamma                                                                    (1)

M = L^T L along the branches of the tree (Featherstone 2008, section 8.5), so that nothing is done where M is zero;
D = G M^-1 G^T is assembled rate by rate and factorised within its profile, so that loops that do not touch each other
cost nothing together. Redundant equations make D singular: the proximal iteration

    (D + mu) lambda_{k+1} = gamma - G M^-1 f + mu lambda_k,   lambda_0 = 0                                  (2)

converges to the multipliers of least norm (in units that give D a unit diagonal) and to the unique accelerations. The
same code with other numbers makes other constraint methods for the closures (`dynamics.loops.constraint_methods`):
feedback of g and dg/dt in gamma is Baumgarte's stabilisation, a single iteration is the penalty method, a few with a
larger mu are the augmented Lagrangian method, since (M + G^T G / mu) a = f + G^T gamma / mu is the first line of (2)
written for a.
"""

from duoti.dynamics.loops.constraints import add_closure_wrenches
from duoti.dynamics.loops.factors import eliminate, factorise, near_singular, solve_L
from duoti.kernel import helper, part
from duoti.system.arrays import EPSILON, PROXIMAL_ITERATIONS

LEFT_OVER = 1e-6  # part of the right-hand side of D lambda = right that may be left over; more is counted
GEOMETRIC_RATIO = 0.3  # quotient of successive changes up to which they are taken for a geometric sequence


@part
def solve_closures(tree, closures, w, right, x, enough):
    """x := M^-1 G^T lambda with D lambda = right (least norm); leaves lambda in w.multipliers.

    Iterates until lambda changes by no more than `enough`, relative. Round-off makes errors of 1e-16 / mu: less is of
    no use, and where equations contradict each other a little, the changes never become less. With such an `enough`, a
    lambda that nears its end by a constant factor in each iteration (long chains of loops) is taken there at once.
    Returns 0 if it came that far, else what is left of the equations, scaled: right - D lambda_{k+1} = mu (lambda_{k+1}
    - lambda_k) by (2).
    """
    n, lam, b, D = closures.rows, w.multipliers, w.solution, w.delassus
    shift, last = w.method[0].shift, 0.0
    left = 0.0
    for r in range(n):
        lam[r] = 0.0
    for _ in range(w.method[0].iterations):
        for r in range(n):
            if w.scaling[r] == 0.0:
                b[r] = 0.0
                continue
            s, row = w.scaling[r] * right[r] + shift * lam[r], closures.D_row[r]
            for k in range(closures.profile[r], r):
                s -= D[row + k] * b[k]
            b[r] = s * D[row + r]
        change, size = 0.0, 0.0
        for r in range(n - 1, -1, -1):
            if w.scaling[r] == 0.0:
                continue
            row = closures.D_row[r]
            b[r] *= D[row + r]
            for k in range(closures.profile[r], r):
                b[k] -= D[row + k] * b[r]
            change = max(change, abs(b[r] - lam[r]))
            size = max(size, abs(b[r]))
        further = 0.0
        if 0.0 < enough * shift <= EPSILON and change < GEOMETRIC_RATIO * last:
            further = change / (last - change)  # sum of the geometric sequence
        for r in range(n):
            lam[r] = b[r] + further * (b[r] - lam[r])
        if change <= enough * size:
            left = 0.0
            break
        left = shift * change
        last = change if further == 0.0 else 0.0
    for i in range(tree.nv):
        s = 0.0
        for k in range(closures.column[i], closures.column[i + 1]):
            r = closures.column_rows[k]
            s += w.L_G[k] * w.scaling[r] * lam[r]
        x[i] = s
    solve_L(tree, w.M, x)
    for r in range(n):
        lam[r] *= w.scaling[r]
    return left


@part
def note_unconverged(closures, w, left):
    """Count evaluations whose accelerations do not obey the equations, but for singular positions and penalties."""
    size = 0.0
    for r in range(closures.rows):
        size = max(size, abs(w.scaling[r] * w.rhs[r]))
    proximal = w.method[0].iterations >= PROXIMAL_ITERATIONS
    if left > LEFT_OVER * size and proximal and not near_singular(w):
        w.loops[0].unconverged += 1


@part
def solve_equations(tree, loads, closures, w, a):
    """Accelerations a and multipliers of the equations (`equations`); F_ext then holds the closures' wrenches too."""
    nv = tree.nv
    factorise(tree, loads, closures, w)
    for i in range(nv - 1, -1, -1):
        eliminate(tree, w.M, w.a_free, i)
    solve_L(tree, w.M, w.a_free)  # accelerations without closures
    for r in range(closures.rows):
        s = w.gamma[r] - w.method[0].damping * w.gdot[r] - w.method[0].stiffness * w.g[r]
        for k in range(closures.support[r], closures.support[r + 1]):
            s -= w.G[k] * w.a_free[closures.support_dofs[k]]
        w.rhs[r] = s
    left = solve_closures(tree, closures, w, w.rhs, a, w.method[0].stop_change)
    if left > 0.0:
        note_unconverged(closures, w, left)
    for i in range(nv):
        a[i] += w.a_free[i]
    add_closure_wrenches(loads, closures, w)


@helper
def largest(x):
    """Largest magnitude in x."""
    found = 0.0
    for i in range(x.shape[0]):
        found = max(found, abs(x[i]))
    return found
