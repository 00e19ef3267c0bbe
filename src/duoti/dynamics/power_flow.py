"""Powers between the parts of a system at an instant: through joints, of each force element and each closure.

All follow from one evaluation of the equations of motion (the entry RESIDUAL) with given accelerations and multipliers.
With the twist V of a row and the wrench F through its inboard joint, both in the row's frame (Jain 2010, section 5.3):

    V . F                 flows into the row through its inboard joint,                                         (1)
    (X V_P) . F           is what the inboard row P gives for it; the difference is H v . F, done in the joint,  (2)
    d/dt (V . I V / 2) = V . I A,     dU/dt = -g . (m v_o + w x h)                                               (3)

A flexible body takes in power at its row and at the rows of its interfaces. The inertial forces of its law, wrench F on
the row and tau of the modal coordinates, do what its kinetic energy T and that of gravity U take beyond (3):

    V . F + eta' . tau = d/dt (T + U)                                                                            (4)
"""

from duoti.dynamics.tree.body_laws import ENERGY, MOMENTUM, RIGID, WRENCH, call_body
from duoti.dynamics.tree.body_laws import GRAVITY as LAW_GRAVITY
from duoti.kernel import call_entry, cold_kernel, part, unpack
from duoti.spatial.algebra import (
    ZERO3,
    ZERO6,
    add,
    cross,
    dot,
    force_to_child,
    get3,
    get_pose,
    get_spatial,
    mul,
    mulT,
    put_spatial,
    scale,
    sub,
    to_child,
    vadd,
    vdot,
    vscale,
)
from duoti.spatial.inertia_algebra import get_rigid, inertia_times
from duoti.system.context import REAL_CONTEXT

# places in a row of `rows`: equations (1) and (2), energies, their rates (3)
INTO_BODY, FROM_INBOARD, KINETIC, GRAVITY, KINETIC_RATE, GRAVITY_RATE = range(6)
BODY_NUMBERS = 6
# places in a row of `closed`: powers on frames a and b, of prescribed values, and of rates that open the closure
ON_A, ON_B, DRIVEN, DRIFT = range(4)
CLOSURE_NUMBERS = 4


@cold_kernel("i d1 d2 d2 d2 l1 l1 d3 d3 d2 d3 d3")
def power_flow(context, t, y, a, multipliers, laws, groups, rows, closed, terms, by_force, by_force_rate):
    """Powers for each of the states y at the times t, with the accelerations and multipliers of each.

    laws, groups: address of the law and of a context for each force element alone. Writes rows [n, nb, BODY_NUMBERS],
    closed [n, closures, CLOSURE_NUMBERS], terms [n, terms] (powers of equations between coordinates on each of them),
    by_force [n, forces, nb] and by_force_rate [n, forces, nv] (powers of each element on rows and in rates).
    """
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    nq, nv = tree.nq, tree.nv
    for n in range(t.shape[0]):
        for i in range(y.shape[1]):
            w.y[i] = y[n, i]
        for i in range(nv):
            w.ydot[nq + i] = a[n, i]
        for r in range(closures.rows):
            w.multipliers[r] = multipliers[n, r]
        w.clock[0] = t[n]
        call_entry(w.calls[0].residual, w.at[0].system)
        for b in range(tree.nb):
            _row(tree, w, b, rows[n, b])
        if tree.flexible > 0:
            for b in range(1, tree.nb):
                if tree.body_law[b] != RIGID:
                    _flexible(tree, w, b, rows[n, b])
        for c in range(closures.count):
            _closure(loads, closures, w, c, closed[n, c])
        for r in range(closures.rows):
            for k in range(closures.terms[r], closures.terms[r + 1]):
                terms[n, k] = w.G[closures.term_at[k]] * w.multipliers[r] * y[n, nq + closures.term_v[k]]
        for f in range(laws.shape[0]):
            for b in range(tree.nb):
                put_spatial(w.F_ext, b, ZERO6)
            for i in range(nv):
                w.tau[i] = 0.0
            call_entry(laws[f], groups[f])
            for b in range(1, tree.nb):
                by_force[n, f, b] = vdot(get_spatial(w.V, b), get_spatial(w.F_ext, b))
            for i in range(nv):
                by_force_rate[n, f, i] = w.tau[i] * y[n, nq + i]


@part
def _row(tree, w, b, out):
    R, p = get_pose(w.X_WB, b)
    I = get_rigid(tree.inertia, b)
    gravity = (tree.gravity[0], tree.gravity[1], tree.gravity[2])
    out[GRAVITY] = -dot(gravity, add(mul(R, I[1]), scale(I[0], p)))
    if b == 0:
        return
    V, F, A = get_spatial(w.V, b), get_spatial(w.F, b), get_spatial(w.A, b)
    out[INTO_BODY] = vdot(V, F)
    out[FROM_INBOARD] = vdot(to_child(get_pose(w.X_PB, b), get_spatial(w.V, tree.parent[b])), F)
    out[KINETIC] = 0.5 * vdot(V, inertia_times(I, V))
    here = mulT(R, gravity)
    out[KINETIC_RATE] = vdot(
        V, inertia_times(I, (A[0], add(A[1], here)))
    )  # w.A has gravity as an acceleration of ground
    out[GRAVITY_RATE] = -dot(here, add(scale(I[0], V[1]), cross(V[0], I[1])))


@part
def _flexible(tree, w, b, out):
    """What a flexible body adds to the energies of its row, and to their rates: (4)."""
    through = get_spatial(w.F, b)
    put_spatial(w.F, b, ZERO6)
    for i in range(w.body_sums.shape[0]):
        w.body_sums[i] = 0.0
    for k in range(tree.first[b], tree.first[b + 1]):
        w.body_tau[tree.rate[k]] = 0.0
    call_body(w, b, WRENCH)
    call_body(w, b, ENERGY)
    call_body(w, b, LAW_GRAVITY)
    call_body(w, b, MOMENTUM)
    power = vdot(get_spatial(w.V, b), get_spatial(w.F, b))
    put_spatial(w.F, b, through)
    for k in range(tree.first[b], tree.first[b + 1]):
        power += w.body_tau[tree.rate[k]] * w.y[tree.nq + tree.rate[k]]
    falls = 0.0
    for i in range(3):
        falls -= tree.gravity[i] * w.body_sums[5 + i]
    out[KINETIC] += w.body_sums[0]
    out[GRAVITY] += w.body_sums[1]
    out[KINETIC_RATE] += power - falls
    out[GRAVITY_RATE] += falls


@part
def _closure(loads, closures, w, closure, out):
    centre = get3(w.X_WB, 1, 9)
    total = (ZERO3, ZERO3)
    out[DRIVEN] = out[DRIFT] = 0.0
    for r in range(closures.first[closure], closures.first[closure + 1]):
        out[DRIVEN] += w.multipliers[r] * w.values[r, 1]
        out[DRIFT] += w.multipliers[r] * w.gdot[r]
        if closures.terms[r + 1] == closures.terms[r]:
            total = vadd(total, vscale(w.multipliers[r], get_spatial(w.equation_wrench, r)))
    for end in range(2):
        row = loads.markers.body[closures.markers[closure, end]]
        R, p = get_pose(w.X_WB, row)
        out[ON_A + end] = (2.0 * end - 1.0) * vdot(get_spatial(w.V, row), force_to_child((R, sub(p, centre)), total))
