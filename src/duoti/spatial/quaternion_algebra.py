"""Products of quaternions (scalar first, four numbers) on tuples, for use inside kernels."""

from duoti.kernel import helper
from duoti.spatial.algebra import sqrt


@helper
def quaternion_product(a, b):
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3],
        a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1],
    )


@helper
def conjugate(a):
    return a[0], -a[1], -a[2], -a[3]


@helper
def vector_times(s, v, a):
    """s (0, v) a."""
    x, y, z = s * v[0], s * v[1], s * v[2]
    return (
        -x * a[1] - y * a[2] - z * a[3],
        x * a[0] + y * a[3] - z * a[2],
        y * a[0] + z * a[1] - x * a[3],
        z * a[0] + x * a[2] - y * a[1],
    )


@helper
def times_vector(s, a, v):
    """s a (0, v)."""
    x, y, z = s * v[0], s * v[1], s * v[2]
    return (
        -a[1] * x - a[2] * y - a[3] * z,
        a[0] * x + a[2] * z - a[3] * y,
        a[0] * y + a[3] * x - a[1] * z,
        a[0] * z + a[1] * y - a[2] * x,
    )


@helper
def vector_part(a):
    return a[1], a[2], a[3]


@helper
def add4(a, b):
    return a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3]


@helper
def scale4(s, a):
    return s * a[0], s * a[1], s * a[2], s * a[3]


@helper
def dot4(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]


@helper
def _largest_first(R, i, j, k):
    """Vector part of a rotation about mainly axis i, and the scalar; j and k follow i."""
    v = 0.5 * sqrt(1.0 + R[4 * i] - R[4 * j] - R[4 * k])
    s = 0.25 / v
    return v, s * (R[3 * j + i] + R[3 * i + j]), s * (R[3 * k + i] + R[3 * i + k]), s * (R[3 * k + j] - R[3 * j + k])


@helper
def quaternion_of(R):
    """A unit quaternion of a rotation: of both, that with a positive scalar up to 120 degrees (Shepperd 1978)."""
    x, y, z = R[0].real, R[4].real, R[8].real
    if x + y + z > 0.0:
        w = 0.5 * sqrt(1.0 + R[0] + R[4] + R[8])
        s = 0.25 / w
        q = (w, s * (R[7] - R[5]), s * (R[2] - R[6]), s * (R[3] - R[1]))
    elif x >= y and x >= z:
        a, b, c, w = _largest_first(R, 0, 1, 2)
        q = (w, a, b, c)
    elif y >= z:
        b, c, a, w = _largest_first(R, 1, 2, 0)
        q = (w, a, b, c)
    else:
        c, a, b, w = _largest_first(R, 2, 0, 1)
        q = (w, a, b, c)
    return q
