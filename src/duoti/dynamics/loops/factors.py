"""Factors of the matrices of trees with closed loops: M = L^T L along the branches, and D = G M^-1 G^T.

See `dynamics.loops.constrained` for the equations. A pivot of D measures how independent a row is of those before it.
Where one falls far below its usual size (`Work.usual_pivots`), the mechanism is near a singular position: this is
noted in
`Work.loops` (`near_singular`).
"""

from duoti.elements.markers import marker_point
from duoti.kernel import helper, part
from duoti.spatial.algebra import add, cross, dot, get3, get_spatial, sub
from duoti.system.stages import MASS, need_jacobian, need_mass, used_up

ROW_ROUND_OFF = 1e-20  # square of the size of a row, as part of what it could be, that is round-off
LONG = 12  # rates in a loop up to which the bound of `equation_scales` is near enough to the size of its rows
SHORTEST = 1e-5  # lever, as part of the distances from the origin, below which joints are at one point
NEAR = 1e-3  # part of its usual size below which a pivot tells of a singular position near by
REDUNDANT = 1e-4  # pivots that never exceed this belong to redundant rows


@part
def factor_tree(tree, M):
    """M = L^T L in place, lower triangle, inverse diagonal, only entries between a rate and those that carry it.

    The row of a rate holds its carriers from the root on: that of a carrier holds the first of these.
    """
    for k in range(tree.nv - 1, -1, -1):
        row, n = tree.M_row[k], tree.depth[k]
        inverse = 1.0 / M[row + n] ** 0.5
        M[row + n] = inverse
        for d in range(n):
            M[row + d] *= inverse
        i = tree.parent_dof[k]
        for d in range(n - 1, -1, -1):
            other, x = tree.M_row[i], M[row + d]
            for e in range(d + 1):
                M[other + e] -= x * M[row + e]
            i = tree.parent_dof[i]


@helper
def eliminate(tree, L, x, i):
    """One step of L^T x = b from the end: rate i is known, take it out of those that carry it."""
    row = tree.M_row[i]
    x[i] *= L[row + tree.depth[i]]
    last = tree.parent_dof[i]
    while last >= 0:
        shift = row + tree.depth[last] - last
        for j in range(tree.chain_first[last], last + 1):
            x[j] -= L[shift + j] * x[i]
        last = tree.chain_parent[last]


@part
def solve_L(tree, L, x):
    """x := L^-1 x."""
    for i in range(tree.nv):
        s, row = x[i], tree.M_row[i]
        last = tree.parent_dof[i]
        while last >= 0:
            shift = row + tree.depth[last] - last
            for j in range(tree.chain_first[last], last + 1):
                s -= L[shift + j] * x[j]
            last = tree.chain_parent[last]
        x[i] = s * L[row + tree.depth[i]]


@part
def solve_mass(tree, L, x):
    """x := M^-1 x with the factor of M = L^T L."""
    for i in range(tree.nv - 1, -1, -1):
        eliminate(tree, L, x, i)
    solve_L(tree, L, x)


@part
def whiten_rows(tree, closures, w):
    """The rows L^-T G^T, but for equations that say nothing. Needs closure_jacobian and equation_scales."""
    x = w.dense_row
    for r in range(closures.rows):
        if w.scaling[r] == 0.0:
            for k in range(closures.support[r], closures.support[r + 1]):
                w.L_G[closures.support_at[k]] = 0.0
            continue
        for k in range(closures.support[r], closures.support[r + 1]):
            x[closures.support_dofs[k]] = w.G[k]
        for k in range(closures.support[r], closures.support[r + 1]):  # from the outermost rate to the root
            eliminate(tree, w.M, x, closures.support_dofs[k])
            w.L_G[closures.support_at[k]] = x[closures.support_dofs[k]]


@part
def mobility(tree, loads, closures, w, closure, arm, turns):
    """Trace of J M^-1 J^T, J of the relative velocity at a closure (turns = 1: of the relative angular velocity).

    That is the sum of |L^-T J^T|² over three directions, and at least the size of every row for a unit force (torque).
    arm: from the point for which the columns S_W hold to the closure's. Needs the factor of M.
    """
    x, trace = w.dense_row, 0.0
    first = closures.first[closure]
    while first < closures.first[closure + 1] - 1 and closures.terms[first + 1] > closures.terms[first]:
        first += 1  # an equation between coordinates: its rates are others
    begin, end = closures.support[first], closures.support[first + 1]
    for direction in range(3):
        for k in range(begin, end):
            x[closures.support_dofs[k]] = 0.0
        for side in range(2):
            sign = 1.0 if side == 1 else -1.0
            b = loads.markers.body[closures.markers[closure, side]]
            while b != closures.common[closure]:
                for k in range(tree.first[b], tree.first[b + 1]):
                    axis = (w.S_W[0, k], w.S_W[1, k], w.S_W[2, k])
                    speed = axis
                    if turns == 0:
                        speed = add((w.S_W[3, k], w.S_W[4, k], w.S_W[5, k]), cross(axis, arm))
                    fraction = speed[0] if direction == 0 else speed[1] if direction == 1 else speed[2]
                    x[tree.rate[k]] += sign * fraction
                b = tree.parent[b]
        for k in range(begin, end):  # from the outermost rate to the root
            i = closures.support_dofs[k]
            eliminate(tree, w.M, x, i)
            trace += x[i] * x[i]
    return trace


@part
def equation_scales(tree, loads, closures, w):
    """Scaling that gives D a diagonal of about one where nothing cancels in a row of G. Needs the factor of M.

    The size of a row is taken from levers and axes, not from the row itself: a row that cancels (an equation across the
    plane of a planar loop) is nothing but round-off, or the error of a stage; scaled by its own size it would become an
    equation like any other. A row that is nothing but round-off gets a zero: it is left out. Round-off of levers is
    proportional to the distances from the origin: where all joints of a loop meet in one point, nothing else is left.
    The sum over levers and axes is a bound: in a chain of n links, of which each gives way to the next, D is smaller by
    n^3. So in long loops the size is what the closure can move at all, in whatever direction (`mobility`).
    """
    centre = get3(w.X_WB, 1, 9)
    for closure in range(closures.count):
        p, _ = marker_point(loads, w, closures.markers[closure, 1])
        arm = sub(p, centre)
        turning, sliding = 0.0, 0.0  # of a unit torque and a unit force at the child's point
        reach, rates = dot(p, p), 0
        for end in range(2):
            b = loads.markers.body[closures.markers[closure, end]]
            while b != closures.common[closure]:
                origin = get3(w.X_WB, b, 9)
                lever = sub(p, origin)
                reach = max(abs(reach), abs(dot(origin, origin)))
                for k in range(tree.first[b], tree.first[b + 1]):
                    i = tree.rate[k]
                    axis = (w.S_W[0, k], w.S_W[1, k], w.S_W[2, k])
                    speed = add((w.S_W[3, k], w.S_W[4, k], w.S_W[5, k]), cross(axis, arm))
                    weight = w.M[tree.M_row[i] + tree.depth[i]] ** 2
                    turn = dot(axis, axis) * weight
                    rates += 1
                    turning += turn
                    sliding += dot(speed, speed) * weight + dot(lever, lever) * turn
                b = tree.parent[b]
        sliding += SHORTEST**2 * reach * turning
        turning_bound, sliding_bound = turning, sliding
        if rates > LONG:
            turning = mobility(tree, loads, closures, w, closure, arm, 1)
            sliding = mobility(tree, loads, closures, w, closure, arm, 0) + SHORTEST**2 * reach * turning
        for r in range(closures.first[closure], closures.first[closure + 1]):
            size = 0.0
            if closures.terms[r + 1] > closures.terms[r]:
                for k in range(closures.support[r], closures.support[r + 1]):
                    i = closures.support_dofs[k]
                    size += (w.G[k] * w.M[tree.M_row[i] + tree.depth[i]]) ** 2
            else:
                torque, force = get_spatial(w.equation_wrench, r)
                torque = sub(torque, cross(arm, force))
                size = dot(torque, torque) * turning + dot(force, force) * sliding
                bound = dot(torque, torque) * turning_bound + dot(force, force) * sliding_bound
                own = 0.0
                for k in range(closures.support[r], closures.support[r + 1]):
                    i = closures.support_dofs[k]
                    own += (w.G[k] * w.M[tree.M_row[i] + tree.depth[i]]) ** 2
                if own <= ROW_ROUND_OFF * bound:
                    size = 0.0
            w.scaling[r] = 1.0 / size**0.5 if size > 0.0 else 0.0


@part
def factorise(tree, loads, closures, w):
    """Factors of M and of the scaled D + mu (with inverse diagonal). Needs packed_mass_matrix and closure_jacobian."""
    need_mass(w)
    used_up(w, MASS)
    need_jacobian(w)
    factor_tree(tree, w.M)
    equation_scales(tree, loads, closures, w)
    whiten_rows(tree, closures, w)
    D, n = w.delassus, closures.rows
    near, usual = 0, w.usual_pivots
    for k in range(D.shape[0]):
        D[k] = 0.0
    for k in range(tree.nv):
        for i in range(closures.column[k], closures.column[k + 1]):
            row, y = closures.D_row[closures.column_rows[i]], w.L_G[i]
            if w.scaling[closures.column_rows[i]] == 0.0:
                continue
            for j in range(closures.column[k], i + 1):
                D[row + closures.column_rows[j]] += y * w.L_G[j]
    for r in range(n):
        p, row = closures.profile[r], closures.D_row[r]
        if w.scaling[r] == 0.0:
            D[row + r] = 1.0 / w.method[0].shift ** 0.5
            continue
        for s in range(p, r):
            if w.scaling[s] == 0.0:
                D[row + s] = 0.0
                continue
            other = closures.D_row[s]
            x = D[row + s] * w.scaling[r] * w.scaling[s]
            for k in range(max(p, closures.profile[s]), s):
                x -= D[row + k] * D[other + k]
            D[row + s] = x * D[other + s]
        x = D[row + r] * w.scaling[r] ** 2 + w.method[0].shift
        for k in range(p, r):
            x -= D[row + k] * D[row + k]
        if abs(x) > usual[r]:
            usual[r] = abs(x)
        elif usual[r] > REDUNDANT and abs(x) < NEAR * usual[r]:
            near = 1
        D[row + r] = 1.0 / x**0.5
    w.loops[0].near_singular = near


@helper
def independence(closures, w, r):
    """Pivot of row r as part of its usual size; 1 for redundant and empty rows. Needs the factors."""
    usual = w.usual_pivots[r]
    if w.scaling[r] == 0.0 or not usual > REDUNDANT:
        return 1.0
    return 1.0 / (w.delassus[closures.D_row[r] + r] ** 2 * usual)


@part
def least_independence(closures, w):
    """The smallest `independence` of all rows."""
    least = 1.0
    for r in range(closures.rows):
        least = min(least, independence(closures, w, r))
    return least


@helper
def near_singular(w):
    """True if the factors are those of a position near a singular one."""
    return w.loops[0].near_singular == 1
