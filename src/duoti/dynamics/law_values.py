"""Values of laws in a given state, for use from Python."""

from duoti.dynamics.tree.kinematics import poses_and_velocities
from duoti.elements.laws import law_value
from duoti.kernel import cold_kernel


@cold_kernel("tree loads work i d d1 d1")
def law_values(tree, loads, w, law, t, y, out):
    """Values of a law, as many as `out` has room for, in the state y at the time t."""
    for i in range(y.shape[0]):
        w.y[i] = y[i]
    w.clock[0] = t
    q, v = w.y[: tree.nq], w.y[tree.nq : tree.nq + tree.nv]
    poses_and_velocities(tree, w, q, v)
    out[0] = law_value(loads, w, law, t, q, v, 0.0, 0.0)
    for k in range(1, out.shape[0]):
        out[k] = w.law_out[k]
