"""Support points of convex shapes: how each kind of shape looks to the general algorithm of `convex`.

The fourth number of a shape (`sizes_of`) says what it is. A shape is a core and a radius around it: the core of a ball
is a point, that of a capsule a line. `hulls` are the arrays of `Hulls` in `collide`; those of a triangle stand in the
scratch of the pair.
"""

from __future__ import annotations

from duoti.kernel import helper, part
from duoti.model.shapes import SMOOTH_SHAPES, smooth_support
from duoti.spatial.algebra import add, cross, dot, get3, mul, mulT, scale, sqrt, sub

HULL, BALL, CAPSULE, BOX, CYLINDER, DISC, TRIANGLE, SMOOTH = range(8)
"""What a shape is; smooth shapes (`model.shapes`) from `SMOOTH` on."""
CODES = {"sphere": BALL, "capsule": CAPSULE, "box": BOX, "cylinder": CYLINDER, "disc": DISC}
CODES |= {kind: SMOOTH + number for number, kind in enumerate(SMOOTH_SHAPES)}
"""By the names of kinds; others have none."""
CORNERS = 160  # place in the scratch of the corners of a triangle, nine numbers


@helper
def radius_of(s):
    """Radius around the core."""
    return s[0] if s[3] == BALL or s[3] == CAPSULE else 0.0


@helper
def length_of(hulls, s):
    """A length of the shape, to compare others with."""
    if s[3] == HULL:
        return hulls.reach[int(s[0])]
    return s[0] + s[1] + s[2]


@helper
def sign_of(x):
    """1 or -1."""
    return 1.0 if x.real >= 0.0 else -1.0


@helper
def radial(u):
    """Unit vector along the part of u across z, and the length of that part; x if it is too short."""
    square = u[0] * u[0] + u[1] * u[1]
    zero = 0.0 * square
    if square.real < 1e-28:
        return (1.0 + zero, zero, zero), zero
    s = sqrt(square)
    return (u[0] / s, u[1] / s, zero), s


@part
def furthest_corner(hulls, h, u):
    """Number of the vertex of hull h that is furthest along u."""
    best, found = -1e300, hulls.range[h, 0]
    for v in range(hulls.range[h, 0], hulls.range[h, 1]):
        d = hulls.vertex[v, 0] * u[0] + hulls.vertex[v, 1] * u[1] + hulls.vertex[v, 2] * u[2]
        if d > best:
            best, found = d, v
    return found


@part
def support(hulls, s, u, out):
    """The point of a core that is furthest along u (real), in the frame of the shape."""
    code = s[3]
    if code == HULL:
        return get3(hulls.vertex, furthest_corner(hulls, int(s[0]), u), 0)
    if code == BOX:
        return sign_of(u[0]) * s[0], sign_of(u[1]) * s[1], sign_of(u[2]) * s[2]
    if code == CAPSULE:
        return 0.0, 0.0, sign_of(u[2]) * s[1]
    if CYLINDER <= code <= DISC:
        e, _ = radial(u)
        return s[0] * e[0], s[0] * e[1], sign_of(u[2]) * s[1]
    if code >= SMOOTH:
        return smooth_support(code - SMOOTH, s, u)
    if code == TRIANGLE:
        best, found = -1e300, 0
        for v in range(3):
            k = CORNERS + 3 * v
            d = out[k].real * u[0] + out[k + 1].real * u[1] + out[k + 2].real * u[2]
            if d > best:
                best, found = d, v
        k = CORNERS + 3 * found
        return out[k].real, out[k + 1].real, out[k + 2].real
    return 0.0, 0.0, 0.0


@helper
def real9(R):
    """Real parts of a rotation."""
    return (R[0].real, R[1].real, R[2].real, R[3].real, R[4].real, R[5].real, R[6].real, R[7].real, R[8].real)


@helper
def real3(a):
    """Real parts of a vector."""
    return a[0].real, a[1].real, a[2].real


@part
def triangle_normal(out):
    """Unit normal of the triangle in the scratch, outward: its corners are counter-clockwise."""
    a = real3((out[CORNERS], out[CORNERS + 1], out[CORNERS + 2]))
    b = real3((out[CORNERS + 3], out[CORNERS + 4], out[CORNERS + 5]))
    c = real3((out[CORNERS + 6], out[CORNERS + 7], out[CORNERS + 8]))
    n = cross(sub(b, a), sub(c, a))
    return scale(1.0 / dot(n, n) ** 0.5, n)


@helper
def difference(hulls, R, p, s_a, s_b, u, out):
    """The point of b - a furthest along u, and its points of a and b; R, p: pose of b in a (real)."""
    on_a = support(hulls, s_a, scale(-1.0, u), out)
    on_b = add(p, mul(R, support(hulls, s_b, mulT(R, u), out)))
    return sub(on_b, on_a), on_a, on_b
