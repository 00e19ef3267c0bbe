"""What the implicit integrators share."""

from __future__ import annotations

from duoti.kernel import helper, part


@part
def put_state(tree, closures, w, t, y, vdot, multipliers):
    """Hand a state, accelerations and multipliers to the system's entries."""
    w.clock[0] = t
    for i in range(y.shape[0]):
        w.y[i] = y[i]
    for i in range(tree.nv):
        w.ydot[tree.nq + i] = vdot[i]
    for r in range(closures.rows):
        w.multipliers[r] = multipliers[r]


@helper
def position_scale(tree, y, i):
    """Size of the coordinate behind rate i, for relative tolerances: one for turns by quaternions."""
    k = tree.q_of_v[i]
    return 1.0 if k < 0 else abs(y[k])


@part
def small_step(tree, run):
    """A step over which rates change by little: a thousandth of the state's own time, of the tolerance's size."""
    n = tree.nq + tree.nv + tree.nz
    rtol, atol = run.clock[0].rtol, run.clock[0].atol
    size, rate = 0.0, 0.0
    for i in range(n):
        scale = atol + rtol * abs(run.y[i])
        size += (run.y[i] / scale) ** 2
        rate += (run.K[0, i] / scale) ** 2
    span = run.clock[0].t_end - run.clock[0].t_begin
    h = 1e-4 * span
    if rate > 0.0 and size > 0.0:
        h = min(h, 1e-3 * (size / rate) ** 0.5)
    return max(h, 1e-8 * span)
