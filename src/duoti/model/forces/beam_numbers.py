"""What the laws of a beam element have in common: where its numbers stand, and the frames of its ends."""

from duoti.kernel import helper, overloaded
from duoti.model.forces.base import LineElement
from duoti.spatial.algebra import compose, force_to_parent, get_pose, get_spatial, put_spatial, to_child, vadd, vsub

SIX = range(6)
REALS = (
    *(f"{what}_{i}_{j}" for what in ("stiffness", "damping") for i in SIX for j in SIX),
    *(f"rest_{i}" for i in SIX),
    "length",
    *(f"along_{i}" for i in range(3)),
    "sheared",
    *(f"bow_{i}_{j}" for i in range(3) for j in range(3)),
    "normal",
)
STIFFNESS, DAMPING, REST, LENGTH, ALONG, SHEARED, BOW, NORMAL = 0, 36, 72, 78, 79, 82, 83, 92
INTEGERS = (*LineElement.INTEGERS, "damped", "own_frame_a", "own_frame_b")
DAMPED, OWN_FRAME_A, OWN_FRAME_B = 2, 3, 4


def _is_real(x):
    return not isinstance(x, complex)


overloaded(_is_real, lambda x: True, lambda x: False)


@helper
def moves_in_plane(loads, w, f):
    """Whether the law in the plane will do; never said of complex poses, which carry derivatives."""
    return _is_real(w.X_WB[0, 0]) and loads.forces.reals[f, NORMAL].real > 0.0


@helper
def is_own_frame(loads, f, side, m):
    """Whether marker m, at the end `side`, is the frame of its body, as nodes are; never said of complex poses."""
    return _is_real(loads.markers.X_BM[m, 0]) and loads.forces.integers[f, side] == 1


@helper
def marker_pose(loads, w, f, side, m):
    """Pose of marker m in the world."""
    X_WB = get_pose(w.X_WB, loads.markers.body[m])
    return X_WB if is_own_frame(loads, f, side, m) else compose(X_WB, get_pose(loads.markers.X_BM, m))


@helper
def relative_twist(loads, w, a, b, X_AB):
    """Twist of marker b relative to marker a, in b's frame."""
    V_A = to_child(get_pose(loads.markers.X_BM, a), get_spatial(w.V, loads.markers.body[a]))
    V_B = to_child(get_pose(loads.markers.X_BM, b), get_spatial(w.V, loads.markers.body[b]))
    return vsub(V_B, to_child(X_AB, V_A))


@helper
def push(loads, w, f, side, m, F):
    """Add a wrench at marker m, in its frame, to the marker's body."""
    body = loads.markers.body[m]
    F_body = F if is_own_frame(loads, f, side, m) else force_to_parent(get_pose(loads.markers.X_BM, m), F)
    put_spatial(w.F_ext, body, vadd(get_spatial(w.F_ext, body), F_body))
