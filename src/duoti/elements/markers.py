"""Position and motion of markers."""

from duoti.kernel import helper, part
from duoti.spatial.algebra import add, cross, get3, get9, matmul, mul


@helper
def marker_point(loads, w, m):
    """World position of marker m, and its lever arm from the origin of its body, both in world axes."""
    b = loads.markers.body[m]
    arm = mul(get9(w.X_WB, b, 0), get3(loads.markers.X_BM, m, 9))
    return (w.X_WB[b, 9] + arm[0], w.X_WB[b, 10] + arm[1], w.X_WB[b, 11] + arm[2]), arm


@helper
def marker_velocities(loads, w, m, arm):
    """Angular velocity of marker m and velocity of its origin, in world axes."""
    b = loads.markers.body[m]
    R_WB = get9(w.X_WB, b, 0)
    omega = mul(R_WB, get3(w.V, b, 0))
    velocity = mul(R_WB, get3(w.V, b, 3))
    turn = cross(omega, arm)
    return omega, (velocity[0] + turn[0], velocity[1] + turn[1], velocity[2] + turn[2])


@helper
def marker_acceleration(loads, w, m, arm, omega, velocity):
    """Angular acceleration of marker m and acceleration of its point, less gravity, by the accelerations w.A."""
    b = loads.markers.body[m]
    R_WB = get9(w.X_WB, b, 0)
    alpha, spatial = mul(R_WB, get3(w.A, b, 0)), mul(R_WB, get3(w.A, b, 3))
    return alpha, add(add(spatial, cross(alpha, arm)), cross(omega, velocity))


@helper
def marker_rotation(loads, w, m):
    """Rotation matrix of marker m: its axes in world axes."""
    return matmul(get9(w.X_WB, loads.markers.body[m], 0), get9(loads.markers.X_BM, m, 0))


@part
def write_frame(loads, w, m, out):
    """Rotation matrix, position, angular velocity and velocity of a marker, in world axes."""
    R = marker_rotation(loads, w, m)
    p, arm = marker_point(loads, w, m)
    omega, velocity = marker_velocities(loads, w, m, arm)
    for i in range(9):
        out[i] = R[i]
    for i in range(3):
        out[9 + i], out[12 + i], out[15 + i] = p[i], omega[i], velocity[i]


@part
def write_acceleration(loads, w, m, out):
    """Angular acceleration, and acceleration of the marker's origin (the second derivative of its position)."""
    _, arm = marker_point(loads, w, m)
    omega, velocity = marker_velocities(loads, w, m, arm)
    # a spatial acceleration lacks omega x v: d²p/dt² = a + alpha x arm + omega x v_marker
    alpha, acceleration = marker_acceleration(loads, w, m, arm, omega, velocity)
    for i in range(3):
        out[i], out[3 + i] = alpha[i], acceleration[i]
