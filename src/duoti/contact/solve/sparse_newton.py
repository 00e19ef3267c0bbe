"""Newton's method for the contact problem of a time step, with a sparse matrix as large as the velocities.

Coulomb's law as a projection (Alart & Curnier 1991), with a large r for each block:

    P_n = max(0, p_n - r (u_n + b)),    P_t = the point of the disc of radius mu P_n nearest to p_t - r u_t    (1)

p = P(u) is the solution. One iteration solves A dv + G^T (-dP/du) G dv = G^T (P - p) and takes p := P + dP/du G dv: an
augmented Lagrangian whose multipliers are p, so that redundant contacts (four legs of a table) are no trouble, and
the error falls by about r times the softest direction of W in each iteration, whatever the mass ratios are. Whether a
point sticks, slides or is open is told from (1) with r of the size of 1/W, in which both p and u count.
"""

from __future__ import annotations

from duoti.contact.solve.block_matrix import FREE, block_at, factorise, solve, tree_size
from duoti.contact.solve.cones import local_residual
from duoti.contact.solve.problem import DISC, add_block, block_velocity, on_disc, radius_of
from duoti.kernel import helper, part

STIFF = 1e7  # r times W
LOOPS = 1e7  # the same for closed loops, times the largest entry of A
LEAST, INFINITE = 1e-30, 1e300
# r times W grows from iteration to iteration: quickly to STIFF, or from SOFTEST on slowly to SOFT_END, where more of
# walls that are struck converge (29 of 57 problems that no quick one solved)
FASTER, SLOWER, SOFTEST, SOFT_END = 10.0, 3.0, 1.0, 1e5
PATIENT, SLOWEST = 0.5, 1.5  # r times W to begin with, and its growth, at last (33 of the 57)
PROGRESS = 0.5  # an iteration that leaves more of the residual is a miss; once it is enough, the last
MOST_MISSES = 4  # in a row, with r as large as it may be from the beginning
ENOUGH_LESS = 1e-3  # of the sum of squares, for a whole step
LEAST_STEP = 1.0 / 16.0
FULL, NORMAL = range(2)  # all impulses; normal ones alone


@helper
def block_size(problem, c):
    """The largest diagonal entry of W of a block."""
    W = problem.W[c]
    return W[0, 0] if problem.size[c] == 1 else max(W[0, 0], W[1, 1], W[2, 2])


@part
def _add_rank3(A, at, step, G, row, i0, n, T, first, j0, m):
    """The block [n, m] += columns i0.. of three rows of G, transposed, times columns j0.. of three rows of T."""
    if n == FREE and m == FREE:  # in registers
        a0, a1, a2, a3, a4, a5 = _six(T, first, j0)
        b0, b1, b2, b3, b4, b5 = _six(T, first + 1, j0)
        c0, c1, c2, c3, c4, c5 = _six(T, first + 2, j0)
        for i in range(6):
            g, h, k, r = G[row, i0 + i], G[row + 1, i0 + i], G[row + 2, i0 + i], at + step * i
            A[r] += g * a0 + h * b0 + k * c0
            A[r + 1] += g * a1 + h * b1 + k * c1
            A[r + 2] += g * a2 + h * b2 + k * c2
            A[r + 3] += g * a3 + h * b3 + k * c3
            A[r + 4] += g * a4 + h * b4 + k * c4
            A[r + 5] += g * a5 + h * b5 + k * c5
        return
    for i in range(n):
        g, h, k, r = G[row, i0 + i], G[row + 1, i0 + i], G[row + 2, i0 + i], at + step * i
        if h == 0.0 and k == 0.0:
            if g != 0.0:  # zero: of another limb
                for j in range(m):
                    A[r + j] += g * T[first, j0 + j]
            continue
        for j in range(m):
            A[r + j] += g * T[first, j0 + j] + h * T[first + 1, j0 + j] + k * T[first + 2, j0 + j]


@helper
def _six(T, i, j):
    return T[i, j], T[i, j + 1], T[i, j + 2], T[i, j + 3], T[i, j + 4], T[i, j + 5]


@part
def _put_masses(closures, contacts, w, matrix):
    """The matrix without contacts: masses of the trees, closed loops with a large weight."""
    A, largest = matrix.data, 0.0
    for k in range(matrix.counts[0].begin, matrix.counts[0].end):
        t = matrix.order[k]
        n, mass, at, length = tree_size(contacts, t), matrix.diagonal[t], matrix.panel[t], matrix.length[t]
        for i in range(at, at + n * (2 * length - n)):
            A[i] = 0.0
        for i in range(n):
            for j in range(n):
                A[at + i * length + j] = matrix.mass[mass + i * n + j]
            largest = max(largest, A[at + i * length + i])
    for r in range(closures.rows):
        if closures.support[r] == closures.support[r + 1]:  # between bodies that do not move
            continue
        size, t = 0.0, matrix.dof_tree[closures.support_dofs[closures.support[r]]]
        for k in range(closures.support[r], closures.support[r + 1]):
            size += w.G[k] ** 2
        if size <= LEAST or not matrix.counts[0].begin <= matrix.position[t] < matrix.counts[0].end:
            continue
        weight, at, length = LOOPS * largest / size, matrix.panel[t], matrix.length[t]
        for k in range(closures.support[r], closures.support[r + 1]):
            i = at + length * contacts.dof_place[closures.support_dofs[k]]
            for m in range(closures.support[r], closures.support[r + 1]):
                A[i + contacts.dof_place[closures.support_dofs[m]]] += weight * w.G[k] * w.G[m]


@part
def assemble(closures, contacts, w, problem, matrix):
    """A + G^T slope G, closed loops with a large weight."""
    A, T, G = matrix.data, matrix.T, problem.G
    _put_masses(closures, contacts, w, matrix)
    for at_member in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[at_member]
        s, row = matrix.slope[c], 3 * c
        if is_open(s) and (
            problem.owner[c] < 0 or matrix.cross[c, 0] == matrix.cross[c, 1] == matrix.cross[c, 2] == 0.0
        ):
            continue
        n_a, n_b, i, j = problem.place[c, 1], problem.place[c, 3], problem.place[c, 4], problem.place[c, 5]
        for m in range(n_a + n_b):
            g0, g1, g2 = G[row, m], G[row + 1, m], G[row + 2, m]
            T[0, m] = s[0] * g0 + s[1] * g1 + s[2] * g2
            T[1, m] = s[3] * g0 + s[4] * g1 + s[5] * g2
            T[2, m] = s[6] * g0 + s[7] * g1 + s[8] * g2
        owner, cross = problem.owner[c], matrix.cross[c]
        for m in range(n_a + n_b if owner >= 0 else 0):
            g = G[3 * owner, m]
            T[0, m], T[1, m], T[2, m] = T[0, m] + cross[0] * g, T[1, m] + cross[1] * g, T[2, m] + cross[2] * g
        if n_a > 0:
            at, step, _, _ = block_at(contacts, matrix, i, i)
            own = problem.place[c, 0] - contacts.tree_first[i]  # of a joint: its rates alone
            _add_rank3(A, at + own * (step + 1), step, G, row, 0, n_a, T, 0, 0, n_a)
        if n_b == 0:
            continue
        at, step, _, _ = block_at(contacts, matrix, j, j)
        _add_rank3(A, at, step, G, row, n_a, n_b, T, 0, n_a, n_b)
        if n_a == 0:
            continue
        i0, n, j0, m = 0, n_a, n_a, n_b
        if matrix.position[i] > matrix.position[j]:
            i, i0, n, j, j0, m = j, n_a, n_b, i, 0, n_a
        at, step, below, across = block_at(contacts, matrix, i, j)
        _add_rank3(A, at, step, G, row, i0, n, T, 0, j0, m)
        for k in range(j0, j0 + m):
            g0, g1, g2 = G[row, k], G[row + 1, k], G[row + 2, k]
            T[3, k] = s[0] * g0 + s[3] * g1 + s[6] * g2
            T[4, k] = s[1] * g0 + s[4] * g1 + s[7] * g2
            T[5, k] = s[2] * g0 + s[5] * g1 + s[8] * g2
        _add_rank3(A, below, across, G, row, i0, n, T, 3, j0, m)
        if owner >= 0:
            for k in range(n):
                g, r = G[3 * owner, i0 + k], below + across * k
                for j in range(m):
                    t = cross[0] * G[row, j0 + j] + cross[1] * G[row + 1, j0 + j] + cross[2] * G[row + 2, j0 + j]
                    A[r + j] += g * t


@helper
def is_open(s):
    """Whether the slope of a block is zero."""
    return s[0] == 0.0 and s[4] == 0.0 and s[8] == 0.0


@helper
def _put_slope(s, new):
    """Write a slope; 1 if it is not what it was, else 0."""
    changed = 0
    for k in range(9):
        if s[k] != new[k]:
            changed = 1
            s[k] = new[k]
    return changed


@helper
def guess_disc(problem, matrix, c, u, normal, stiff):
    """`guess_block` of a DISC."""
    P, s, p, size = matrix.P[c], matrix.slope[c], problem.p[c], block_size(problem, c)
    cross, owner, radius = matrix.cross[c], problem.owner[c], problem.radius[c]
    u0, u1, u2 = u
    cross[0] = cross[1] = cross[2] = 0.0
    if normal == 1:
        P[0], P[1], P[2] = p[0], p[1], p[2]
        return _put_slope(s, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    z0, z1, z2, r = p[0] - u0 / size, p[1] - u1 / size, p[2] - u2 / size, stiff / size
    z, bound = (z0 * z0 + z1 * z1 + z2 * z2) ** 0.5, radius
    if owner >= 0:  # its slope and impulse are known: points come first
        radius, bound = problem.arm[c] * max(matrix.normal[owner], 0.0), problem.arm[c] * matrix.P[owner, 0]
    if z <= radius:
        P[0], P[1], P[2] = p[0] - r * u0, p[1] - r * u1, p[2] - r * u2
        t = r if problem.size[c] == 3 else 0.0
        return _put_slope(s, (r, 0.0, 0.0, 0.0, t, 0.0, 0.0, 0.0, t))
    e0, e1, e2 = z0 / z, z1 / z, z2 / z
    f = 0.0 if problem.size[c] == 1 else min(radius / (z - radius), stiff) / size
    along = e0 * u0 + e1 * u1 + e2 * u2
    P[0] = bound * e0 - f * (u0 - along * e0)
    P[1] = bound * e1 - f * (u1 - along * e1)
    P[2] = bound * e2 - f * (u2 - along * e2)
    if owner >= 0:
        t = problem.arm[c] * matrix.slope[owner, 0]
        cross[0], cross[1], cross[2] = t * e0, t * e1, t * e2
    a, b, d = -f * e0 * e1, -f * e0 * e2, -f * e1 * e2
    return _put_slope(s, (f * (1.0 - e0 * e0), a, b, a, f * (1.0 - e1 * e1), d, b, d, f * (1.0 - e2 * e2)))


@helper
def guess_block(problem, matrix, c, u, normal, stiff):
    """P and its slope (1) of a block for its impulses p and velocities u; 1 if the slope is not what it was, else 0.

    The guess decides on stick, slip, open. normal = 1: friction is held as it is. stiff: r times W.
    """
    if problem.law[c] == DISC:
        return guess_disc(problem, matrix, c, u, normal, stiff)
    P, s, p, W = matrix.P[c], matrix.slope[c], problem.p[c], problem.W[c]
    u0, u1, u2 = u
    P[0] = P[1] = P[2] = 0.0
    size = block_size(problem, c)
    if normal == 1:
        size, P[1], P[2] = W[0, 0], p[1], p[2]
    n, r = p[0] - u0 / size, stiff / size
    matrix.normal[c] = n
    s0, s3, s4, s5, s6, s8 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    if n > 0.0:
        P[0], s0 = p[0] - r * u0, r
    if n > 0.0 and problem.size[c] == 3 and normal == 0:
        t1, t2, mu = p[1] - u1 / size, p[2] - u2 / size, problem.mu[c]
        t, bound = (t1 * t1 + t2 * t2) ** 0.5, mu * n
        if t <= bound:
            P[1], P[2], s4, s8 = p[1] - r * u1, p[2] - r * u2, r, r
        else:
            e1, e2 = t1 / t, t2 / t
            f = min(bound / (t - bound), stiff) / size  # mu p_n / |u_t| at the solution
            across = f * (u2 * e1 - u1 * e2)  # slip that is not along e turns the force
            P[1], P[2] = mu * P[0] * e1 + across * e2, mu * P[0] * e2 - across * e1
            s3, s6 = mu * r * e1, mu * r * e2
            s4, s5, s8 = f * (1.0 - e1 * e1), -f * e1 * e2, f * (1.0 - e2 * e2)
    return _put_slope(s, (s0, 0.0, 0.0, s3, s4, s5, s6, s5, s8))


@helper
def residual_of_block(problem, c, u, normal):
    """The residual of Coulomb's law in a block with the velocities u, or of the normal velocity alone [m/s]."""
    W, p = problem.W[c], problem.p[c]
    if problem.law[c] == DISC:
        if normal == 1:
            return 0.0
        size = block_size(problem, c)
        q0, q1, q2 = on_disc(radius_of(problem, c), p[0] - u[0] / size, p[1] - u[1] / size, p[2] - u[2] / size)
        return size * ((p[0] - q0) ** 2 + (p[1] - q1) ** 2 + (p[2] - q2) ** 2) ** 0.5
    if W[0, 0] == 0.0:  # neither side can move
        return max(0.0, -u[0])
    if problem.size[c] == 1 or normal == 1:
        return abs(min(u[0], W[0, 0] * p[0]))
    return local_residual((p[0], p[1], p[2]), u, problem.mu[c], 1.0 / block_size(problem, c))


@part
def residual_of(contacts, problem, normal):
    """The largest residual of Coulomb's law by the measure of its island, or of normal velocities (normal = 1) [m/s].

    INFINITE where a number is none: max() would pass over it.
    """
    worst = 0.0
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        u = block_velocity(contacts, problem, c, problem.v)
        here = residual_of_block(problem, c, u, normal)
        if not here < INFINITE:
            return INFINITE
        worst = max(worst, here if normal == 1 else problem.weight[c] * here)
    return worst


@part
def set_impulses(contacts, problem, matrix, free, dv):
    """v = free + dv + Y p: what the impulses make of the velocities, without the errors of former iterations."""
    if matrix.counts[0].whole == 1:
        for i in range(problem.v.shape[0]):
            problem.v[i] = free[i] + dv[i]
    else:
        for k in range(matrix.counts[0].begin, matrix.counts[0].end):
            t = matrix.order[k]
            for j in range(contacts.tree_first[t], contacts.tree_first[t + 1]):
                i = contacts.tree_dofs[j]
                problem.v[i] = free[i] + dv[i]
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        p = problem.p[c]
        if p[0] != 0.0 or p[1] != 0.0 or p[2] != 0.0:
            add_block(contacts, problem, c, p[0], p[1], p[2], problem.v)


@helper
def clear_rates(contacts, matrix, x):
    """x = 0 of the trees that are worked on, in their order."""
    for k in range(matrix.counts[0].begin, matrix.counts[0].end):
        t = matrix.order[k]
        for j in range(contacts.tree_first[t], contacts.tree_first[t + 1]):
            x[j] = 0.0


@helper
def add_force(problem, c, d0, d1, d2, x):
    """x += G^T d of a block, in the order of the trees."""
    first, n_a, row = problem.place[c, 0], problem.place[c, 1], 3 * c
    for k in range(n_a):
        x[first + k] += d0 * problem.G[row, k] + d1 * problem.G[row + 1, k] + d2 * problem.G[row + 2, k]
    first = problem.place[c, 2] - n_a
    for k in range(n_a, n_a + problem.place[c, 3]):
        x[first + k] += d0 * problem.G[row, k] + d1 * problem.G[row + 1, k] + d2 * problem.G[row + 2, k]


@helper
def velocity_change(problem, c, x):
    """G x of a block, x in the order of the trees."""
    first, n_a, row = problem.place[c, 0], problem.place[c, 1], 3 * c
    u0, u1, u2 = 0.0, 0.0, 0.0
    for k in range(n_a):
        v = x[first + k]
        u0, u1, u2 = u0 + problem.G[row, k] * v, u1 + problem.G[row + 1, k] * v, u2 + problem.G[row + 2, k] * v
    first = problem.place[c, 2] - n_a
    for k in range(n_a, n_a + problem.place[c, 3]):
        v = x[first + k]
        u0, u1, u2 = u0 + problem.G[row, k] * v, u1 + problem.G[row + 1, k] * v, u2 + problem.G[row + 2, k] * v
    return u0, u1, u2


@helper
def follow(problem, matrix, c, d):
    """p = P + dP/du d of a block, d: the change of its velocities in an iteration."""
    s, P, p = matrix.slope[c], matrix.P[c], problem.p[c]
    p[0] = P[0] - (s[0] * d[0] + s[1] * d[1] + s[2] * d[2])
    p[1] = P[1] - (s[3] * d[0] + s[4] * d[1] + s[5] * d[2])
    p[2] = P[2] - (s[6] * d[0] + s[7] * d[1] + s[8] * d[2])


@helper
def follow_owner(problem, matrix, c, d):
    """The same for what the owner of a block makes of its impulses; d: the change of the owner's normal velocity."""
    for k in range(3):
        problem.p[c, k] -= matrix.cross[c, k] * d


@helper
def take_best(problem, matrix, c):
    """p of a block becomes the best that was found; round-off must not leave a pulling force, nor too much friction."""
    p, before = problem.p[c], matrix.before[c]
    if problem.law[c] == DISC:
        p[0], p[1], p[2] = on_disc(radius_of(problem, c), before[0], before[1], before[2])
        return
    p[0] = max(0.0, before[0])
    t1, t2, bound = before[1], before[2], problem.mu[c] * p[0]
    t = (t1 * t1 + t2 * t2) ** 0.5
    f = bound / t if t > bound else 1.0
    p[1], p[2] = f * t1, f * t2


@part
def evaluate(problem, matrix, part_of_step, normal):
    """Impulses a part of the way from matrix.old to matrix.P, with the velocities there: the sum of the squares of all
    residuals, each as an energy, and the largest residual [m/s]; INFINITE where a number is none.
    """
    total, worst = 0.0, 0.0
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        for k in range(3):
            problem.p[c, k] = matrix.old[c, k] + part_of_step * (matrix.P[c, k] - matrix.old[c, k])
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        u, d = matrix.u[c], matrix.du[c]
        here = (u[0] + part_of_step * d[0], u[1] + part_of_step * d[1], u[2] + part_of_step * d[2])
        left = residual_of_block(problem, c, here, normal)
        if not left < INFINITE:
            return INFINITE, INFINITE
        size = block_size(problem, c)
        total = total + (left * left / size if size > 0.0 else 0.0)
        worst = max(worst, left if normal == 1 else problem.weight[c] * left)
    return total, worst


@helper
def keep_block(matrix, problem, c):
    """The impulses of a block are those that a step begins with, and ends with so far."""
    for k in range(3):
        matrix.old[c, k] = matrix.P[c, k] = problem.p[c, k]


@helper
def keep_end(matrix, problem, c, u):
    """The impulses and velocities of a block at the end of a whole step."""
    for k in range(3):
        matrix.P[c, k] = problem.p[c, k]
        matrix.du[c, k] = u[k] - matrix.u[c, k]


@part
def choose_step(problem, matrix, highest, normal, least):
    """The part of a step that is taken: halved until the sum of `evaluate` is below `highest`, or down to `least`.

    problem.p and matrix.u follow; returns that sum and the largest residual.
    """
    part_of_step = 1.0
    total, worst = evaluate(problem, matrix, part_of_step, normal)
    while not total < (1.0 - ENOUGH_LESS * part_of_step) * highest and part_of_step > least:
        part_of_step *= 0.5
        total, worst = evaluate(problem, matrix, part_of_step, normal)
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        for k in range(3):
            matrix.u[c, k] += part_of_step * matrix.du[c, k]
    return total, worst


@helper
def keep_best(problem, matrix):
    """The impulses are the best so far."""
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        for k in range(3):
            matrix.before[c, k] = problem.p[c, k]


@helper
def next_stiff(begin, stiff):
    """r times W of the next iteration."""
    if begin > SOFTEST:
        return min(FASTER * stiff, STIFF)
    return min((SLOWER if begin == SOFTEST else SLOWEST) * stiff, SOFT_END)


@part
def newton(closures, contacts, w, problem, matrix, free, dv, wanted, enough, most, what, stiff):
    """Improve the impulses by Newton's method; returns the residual. Keeps the best that it found.

    It goes on to the residual `wanted`, but with `enough` only for as long as that is easy. what: FULL, or NORMAL, with
    friction held as it is. stiff: r times W to begin with, which grows in each iteration (`next_stiff`): points
    that go to and fro between stick, slip and open find their states while it is small. A step is halved where it
    leads away from the solution by more than the last ones did (Grippo, Lampariello & Lucidi 1986).
    """
    normal = 1 if what == NORMAL else 0
    x, factors = matrix.x, False
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        u = block_velocity(contacts, problem, c, problem.v)
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
        for place in range(problem.counts[0].begin, problem.counts[0].end):
            c = problem.member[place]
            u = matrix.u[c]
            changed = max(changed, guess_block(problem, matrix, c, (u[0], u[1], u[2]), normal, stiff))
        if changed == 1 or not factors:  # else the factors are still right
            assemble(closures, contacts, w, problem, matrix)
            factors = factorise(contacts, matrix)
            if not factors:
                break
            problem.counts[0].factors += 1
        clear_rates(contacts, matrix, x)
        for place in range(problem.counts[0].begin, problem.counts[0].end):
            c = problem.member[place]
            P, p = matrix.P[c], problem.p[c]
            for k in range(3):
                matrix.old[c, k] = p[k]
            add_force(problem, c, P[0] - p[0], P[1] - p[1], P[2] - p[2], x)
        solve(contacts, matrix, x)
        for place in range(problem.counts[0].begin, problem.counts[0].end):
            c = problem.member[place]
            follow(problem, matrix, c, velocity_change(problem, c, x))
            if problem.owner[c] >= 0:
                follow_owner(problem, matrix, c, velocity_change(problem, problem.owner[c], x)[0])
        set_impulses(contacts, problem, matrix, free, dv)
        for place in range(problem.counts[0].begin, problem.counts[0].end):
            c = problem.member[place]
            keep_end(matrix, problem, c, block_velocity(contacts, problem, c, problem.v))
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
    for place in range(problem.counts[0].begin, problem.counts[0].end):
        c = problem.member[place]
        take_best(problem, matrix, c)
    set_impulses(contacts, problem, matrix, free, dv)
    return residual_of(contacts, problem, normal)  # `take_best` puts friction on the cone, if it was a little outside
