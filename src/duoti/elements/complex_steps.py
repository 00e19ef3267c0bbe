"""Derivatives by complex steps of what acts between two bodies: a body moved a little, and derivatives of wrenches."""

from duoti.kernel import helper
from duoti.spatial.algebra import add, cross, get3, get_pose, mul, scale, sub

EPS = 1e-60


@helper
def twist_about(w, b, centre):
    """Angular velocity of body b, and velocity of the point of it that is at `centre`, in world axes."""
    R, origin = get_pose(w.X_WB, b)
    omega = mul(R, get3(w.V, b, 0))
    return omega, add(mul(R, get3(w.V, b, 3)), cross(omega, sub(centre, origin)))


@helper
def moved_by(X, S, step, centre):
    """A pose moved by `step` times the motion S about a point of the world."""
    R, p = X
    x, y, z = cross(S[0], (R[0], R[3], R[6])), cross(S[0], (R[1], R[4], R[7])), cross(S[0], (R[2], R[5], R[8]))
    turned = (
        R[0] + step * x[0], R[1] + step * y[0], R[2] + step * z[0],
        R[3] + step * x[1], R[4] + step * y[1], R[5] + step * z[1],
        R[6] + step * x[2], R[7] + step * y[2], R[8] + step * z[2],
    )  # fmt: skip
    return turned, add(p, scale(step, add(S[1], cross(S[0], sub(p, centre)))))


@helper
def slopes(n, g):
    """Derivatives of a wrench from its imaginary parts."""
    return (
        (n[0].imag / EPS, n[1].imag / EPS, n[2].imag / EPS),
        (g[0].imag / EPS, g[1].imag / EPS, g[2].imag / EPS),
    )


@helper
def real_of(x):
    """Real parts of a vector."""
    return x[0].real, x[1].real, x[2].real
