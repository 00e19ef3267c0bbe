"""Beam elements of higher order: what they read, and poses and rotations of their nodes.

Everything is in world axes. With the rotations R_i of the nodes and that of the middle one, R_F, the quaternions q_i
are those of R_i R_F^T. Along the element (N_i, D_i: Lagrange's polynomials and their slopes by length)

    Q = sum N_i q_i,   Q' = sum D_i q_i,   r' = sum D_i r_i,   s = |Q|²
    Gamma = R_F^T vec(Q* r' Q)/s,   kappa = R_F^T 2 vec(Q* Q')/s                                              (1)

are the strains and curvatures of a beam whose section is turned as Q/|Q| (Reissner, Simo; quaternions are interpolated
as in Romero 2004, Computational Mechanics 34, and Ghosh & Roy 2009, Computational Mechanics 44). A turn of everything
multiplies all q_i from the left by the same quaternion, which (1) does not see: strains are objective and do not
depend on the way that led there. R_F stands there only as axes, and may be held in derivatives. Of the two quaternions
of a node, that nearer to its neighbour's is taken: strains are continuous while neighbouring nodes are turned by less
than half a turn against each other.
"""

from duoti.elements.markers import marker_point, marker_rotation, marker_velocities
from duoti.kernel import helper, part
from duoti.model.force_blocks import BLOCK_HEADER, SCRATCH
from duoti.spatial.algebra import get3, matmul, sub, transpose
from duoti.spatial.quaternion_algebra import dot4, quaternion_of, scale4, vector_times

HEADER = (*BLOCK_HEADER, "nodes", "points", "damped", "plane")
NODES, POINTS, DAMPED, PLANE, MARKERS = range(len(BLOCK_HEADER), len(HEADER) + 1)
"""Places in the integers of an element (`Compiler.block`); from MARKERS on, those of its nodes.

Its numbers are, for each Gauss point: N_i and D_i [nodes], strains without stress [6], stiffness times the length that
the point stands for [6, 6], and, if it is damped, the same of the damping. Strains are in the order (stretch, shears,
twist, curvatures).
"""

# of the scratch of a node: quaternion, its rate, place and velocity by the middle node's, angular velocity, derivatives
# of the energy by place and by quaternion, lever arm; and how many numbers these are
QUATERNION, QUATERNION_RATE, PLACE, VELOCITY, SPIN, BY_PLACE, BY_QUATERNION, ARM, NODE = 0, 4, 8, 11, 14, 17, 20, 24, 27


@helper
def at3(x, i):
    """Three numbers from place i on."""
    return x[i], x[i + 1], x[i + 2]


@helper
def at4(x, i):
    """Four numbers from place i on."""
    return x[i], x[i + 1], x[i + 2], x[i + 3]


@helper
def put3_at(x, i, v):
    """Write three numbers."""
    x[i], x[i + 1], x[i + 2] = v


@helper
def put4_at(x, i, v):
    """Write four numbers."""
    x[i], x[i + 1], x[i + 2], x[i + 3] = v


BLOCK = 0  # place among the integers of the force element: where those of its block begin


@helper
def place_of(loads, f):
    """Where the block of element f begins."""
    return loads.forces.integers[f, BLOCK]


@helper
def stride(ints, p):
    """How many numbers a Gauss point has."""
    return 2 * ints[p + NODES] + (78 if ints[p + DAMPED] == 1 else 42)


@helper
def outward(k, n):
    """The k-th of n nodes, counted from the middle to the end and then from the middle to the start; the one before."""
    middle = n // 2
    i = middle + k if k < n - middle else n - 1 - k
    return i, i - 1 if i > middle else i + 1


@part
def gather(ints, p, loads, w):
    """Write the nodes' quaternions, places and rates into the scratch; returns R_F and the middle node's place."""
    x, first, n = w.block_scratch, ints[p + SCRATCH], ints[p + NODES]
    middle = ints[p + MARKERS + n // 2]
    R_F = marker_rotation(loads, w, middle)
    p_F, arm = marker_point(loads, w, middle)
    _, v_F = marker_velocities(loads, w, middle, arm)
    back = transpose(R_F)
    for k in range(n):
        i, inward = outward(k, n)
        m, at = ints[p + MARKERS + i], first + NODE * i
        q = quaternion_of(matmul(marker_rotation(loads, w, m), back))
        if k > 0 and dot4(q, at4(x, first + NODE * inward + QUATERNION)).real < 0.0:
            q = scale4(-1.0, q)
        place, arm = marker_point(loads, w, m)
        put4_at(x, at + QUATERNION, q)
        put3_at(x, at + PLACE, sub(place, p_F))
        put3_at(x, at + ARM, arm)
        for j in range(BY_PLACE, ARM):
            x[at + j] = 0.0 * q[0]
        if ints[p + DAMPED] == 1:
            omega, velocity = marker_velocities(loads, w, m, arm)
            put4_at(x, at + QUATERNION_RATE, vector_times(0.5, omega, q))
            put3_at(x, at + VELOCITY, sub(velocity, v_F))
            put3_at(x, at + SPIN, omega)
    return R_F, p_F


@helper
def along(c, x, b, first, n, quaternion, place):
    """Q, Q' and r' at a Gauss point, or with RATE and VELOCITY their rates."""
    q0 = q1 = q2 = q3 = d0 = d1 = d2 = d3 = r0 = r1 = r2 = 0.0 * x[first]
    for i in range(n):
        N, D, at = c[b + i], c[b + n + i], first + NODE * i
        a = at4(x, at + quaternion)
        r = at3(x, at + place)
        q0 += N * a[0]
        q1 += N * a[1]
        q2 += N * a[2]
        q3 += N * a[3]
        d0 += D * a[0]
        d1 += D * a[1]
        d2 += D * a[2]
        d3 += D * a[3]
        r0 += D * r[0]
        r1 += D * r[1]
        r2 += D * r[2]
    return (q0, q1, q2, q3), (d0, d1, d2, d3), (r0, r1, r2)


@helper
def common_ancestor(tree, ints, p, loads):
    """The body that carries all nodes."""
    end = loads.markers.body[ints[p + MARKERS]]
    for i in range(1, ints[p + NODES]):
        other = loads.markers.body[ints[p + MARKERS + i]]
        while end != other:  # a body has a higher number than the one that moves it
            if end > other:
                end = tree.parent[end]
            else:
                other = tree.parent[other]
    return end


@helper
def centre_of(w):
    """The point that columns and wrenches of `Tangent` belong to."""
    return get3(w.X_WB, 1, 9)
