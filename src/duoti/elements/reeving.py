r"""A rope over sheaves: where it touches them, and the tensions of its segments.

**Spans.** Between two sheaves with the centres c_k, radii r_k and axes e_k the rope leaves the first at
p = c_1 + r_1 n_1 and reaches the second at q = c_2 + r_2 n_2. With D = q - p the radial unit vectors follow from

    n_1 . D = 0,    n_2 . D = 0                                                                              (1)

on the sides on which the rope turns (side = 1: counter-clockwise about the axis). What runs over both tangent points as
seen from the bodies, s = d|D|/dt + side_1 r_1 theta_1' - side_2 r_2 theta_2' with the angles theta_k of n_k in the axes
of the bodies, is linear in their twists: a tension T puts the wrenches -T ds/d(twist) on them. For sheaves in one plane
these are forces T along the rope at the tangent points.

**Segments.** Sheaves without friction pass the tension on; those with friction, and drums, are the *nodes* between
segments of one tension each. Half of the arc on a node belongs to each side. With the length l of a segment, its
unstretched length l_0, eps = l / l_0 - 1 and the unstretched rope a_n that passes node n in a second,

    T = EA eps + eta deps/dt  (0 where eps < 0),    dl_0/dt = a_begin - a_end                                 (2)
    a_n = r w_n / (1 + eps_in) + g_n,    w_n = -side d/dt (theta_in + theta_out) / 2                          (3)

w_n is how fast the surface of the sheave moves under the middle of the arc: rope that adheres where it runs on to the
sheave comes with its strain there (creep theory of belts; Johnson, Contact Mechanics, 1985, section 8.2). The slip g_n
satisfies the law of Euler and Eytelwein with the friction mu and the wrapped angle phi,

    T_out <= T_in e^(mu phi) _|_ g_n >= 0,    T_in <= T_out e^(mu phi) _|_ g_n <= 0                           (4)

By (2) tensions are linear in the slips. (4) is a complementarity problem whose matrix is an M-matrix of three
diagonals: a change of modes, with an exact solution in each, ends after a few steps. So slip is exactly zero within the
bounds, and the ratio of the tensions is exact where it slips; eta / EA is the time in which slip evens tensions out.
"""

import numpy as np

from duoti.elements.body_pairs import add_pair, add_rank_one, displacement, path_between
from duoti.elements.markers import marker_point, marker_rotation, marker_velocities
from duoti.elements.matrices import state_columns
from duoti.elements.wrenches import apply_wrench
from duoti.kernel import cold_kernel, helper, part
from duoti.model.force_blocks import NUMBERS, SCRATCH
from duoti.spatial.algebra import (
    ZERO3,
    add,
    atan2,
    cross,
    dot,
    exp,
    get3,
    get_spatial,
    put_spatial,
    scale,
    sincos,
    sqrt,
    sub,
)

# integers of a block behind its header
HEADER = ("scratch", "numbers", "lists", "points", "closed", "flows", "segments", "first_state")
POINTS, CLOSED, FLOWS, SEGMENTS, FIRST_STATE = (HEADER.index(each) for each in HEADER[3:])
OWN = len(HEADER)
PER_POINT = ("marker", "side", "role", "flow", "segment")
MARKER, SIDE, ROLE, FLOW, SEGMENT = range(len(PER_POINT))
STRIDE = len(PER_POINT)
END, EYE, NODE, DRUM = range(4)  # roles: fixed end, sheave without friction, sheave with friction, end wound on a drum

# numbers of a point, and of a segment
NUMBERS_OF_POINT = ("radius", "friction", "turned", "ex_0", "ex_1", "ex_2", "ey_0", "ey_1", "ey_2")
RADIUS, FRICTION, TURNED, EX = 0, 1, 2, 3
EY = EX + 3
WIDE = len(NUMBERS_OF_POINT)

# scratch of a span, and of the point at its beginning
SPAN = 16
LONG, FASTER, FORCE, TORQUE_A, TORQUE_B, OUT, OUT_RATE, IN, IN_RATE, ARC = 0, 1, 2, 5, 8, 11, 12, 13, 14, 15
PER_SEGMENT = (
    5  # behind what the tensions follow from: unstretched length, strain, slope, tension without slip, clipped
)
UNSTRETCHED, STRAIN, SLOPE, HELD, CLIPPED = range(PER_SEGMENT)
PER_FLOW = 8  # slip, mode, and the linear system
SLIP, MODE, LOW, DIAGONAL, UP, LAST, RIGHT, GRIP = range(PER_FLOW)

MOST_STEPS = 30  # of Newton's method for (1), which converges in 3 to 5
ENOUGH = 1e-14
MOST_CHANGES = 20  # of all modes at once, and then of one at a time for each node
ROUND_OFF = 1e-13  # part of the largest tension by which bounds may be passed
DRAG = 1e-10  # of a slip, part of the viscosity: says which of two sheaves slips if both may, and how slack rope moves
EPS = 1e-60  # of complex steps
LEAST_ARC = -1.5707963267948966  # wrapped angles lie within a turn from here


def scratch_size(points: int, flows: int, segments: int, nv: int) -> int:
    """How many numbers the kernels write."""
    inputs, outputs = 2 * segments + 3 * flows, segments + flows
    system = inputs + outputs + PER_SEGMENT * segments + PER_FLOW * flows
    return SPAN * points + system + outputs * (inputs + 2 * nv)


# Places in the scratch: inputs of the tensions (lengths, their rates; w, phi and passed rope of nodes), then outputs.


@helper
def _inputs(ints, p):
    return ints[p + SCRATCH] + SPAN * ints[p + POINTS]


@helper
def _input_count(ints, p):
    return 2 * ints[p + SEGMENTS] + 3 * ints[p + FLOWS]


@helper
def _outputs(ints, p):
    return _inputs(ints, p) + _input_count(ints, p)


@helper
def _segments(ints, p):
    return _outputs(ints, p) + ints[p + SEGMENTS] + ints[p + FLOWS]


@helper
def _flows(ints, p):
    return _segments(ints, p) + PER_SEGMENT * ints[p + SEGMENTS]


@helper
def _jacobian(ints, p):
    return _flows(ints, p) + PER_FLOW * ints[p + FLOWS]


@helper
def spans_of(ints, p):
    """How many spans there are: one less than points, or as many if the rope is closed."""
    return ints[p + POINTS] - 1 + ints[p + CLOSED]


@helper
def next_point(ints, p, i):
    """The point at the end of span i."""
    return 0 if i + 1 == ints[p + POINTS] else i + 1


@helper
def _of_point(ints, p, i, what):
    return ints[p + OWN + STRIDE * i + what]


@helper
def _radial(theta, ex, ey):
    """Radial and tangential unit vector at an angle."""
    s, c = sincos(theta)
    return add(scale(c, ex), scale(s, ey)), sub(scale(c, ey), scale(s, ex))


@helper
def _first_angle(to, ex, ey, radius, turn):
    """Angle of the tangent point for a line to a point: by the plane problem, in real numbers."""
    x, y = dot(to, ex).real, dot(to, ey).real
    rho = (x * x + y * y) ** 0.5
    ratio = min(1.0, radius.real / max(rho, 1e-300))
    return atan2(y, x) - turn * atan2((1.0 - ratio * ratio) ** 0.5, ratio)


@part
def span(A, B):
    """A span between two points (centre, velocity, angular velocity, ex, ey, radius, side): what `SPAN` lists."""
    c1, v1, w1, ex1, ey1, r1, side1 = A
    c2, v2, w2, ex2, ey2, r2, side2 = B
    zero = 0.0 * (c1[0] + c2[0])
    t1 = t2 = zero
    n1 = n2 = s1 = s2 = (zero, zero, zero)
    a, b = r1.real > 0.0, r2.real > 0.0
    apart = sub(c2, c1)
    if a:
        t1 = zero + _first_angle(apart, ex1, ey1, r1, side1)
        n1, s1 = _radial(t1, ex1, ey1)
    if b:
        t2 = zero + _first_angle(sub(scale(-1.0, apart), scale(-1.0 * r1, n1)), ex2, ey2, r2, -side2)
        n2, s2 = _radial(t2, ex2, ey2)
    D = apart
    m11, m12, m21, m22 = zero + 1.0, zero, zero, zero + 1.0
    # complex numbers want one step more than real ones for their imaginary parts
    left, step = 2, 0
    while left > 0 and step < MOST_STEPS and (a or b):
        D = sub(add(apart, scale(r2, n2)), scale(r1, n1))
        f1, f2 = zero, zero
        if a:
            f1, m11, m12 = dot(n1, D), dot(s1, D), r2 * dot(n1, s2)
        if b:
            f2, m21, m22 = dot(n2, D), -1.0 * r1 * dot(n2, s1), dot(s2, D)
        det = m11 * m22 - m12 * m21
        d1, d2 = (m12 * f2 - m22 * f1) / det, (m21 * f1 - m11 * f2) / det
        if a:
            t1 += d1
            n1, s1 = _radial(t1, ex1, ey1)
        if b:
            t2 += d2
            n2, s2 = _radial(t2, ex2, ey2)
        step += 1
        left -= abs(d1.real) + abs(d2.real) < ENOUGH * (1.0 + abs(t1.real) + abs(t2.real))
    D = sub(add(apart, scale(r2, n2)), scale(r1, n1))
    long = sqrt(dot(D, D) + 1e-300)
    wrong = left > 0 and (a or b)
    wrong = wrong or (a and side1 * dot(s1, D).real < 0.0) or (b and side2 * dot(s2, D).real < 0.0)
    if wrong:  # sheaves that overlap have no common tangent
        long = long * np.nan
    u = scale(1.0 / long, D)
    m11, m12, m21, m22 = zero + 1.0, zero, zero, zero + 1.0
    rise1, rise2 = zero, zero  # ds/d(theta'), zero for sheaves in one plane
    if a:
        m11, m12, rise1 = dot(s1, D), r2 * dot(n1, s2), -1.0 * r1 * (dot(u, s1) - side1)
    if b:
        m21, m22, rise2 = -1.0 * r1 * dot(n2, s1), dot(s2, D), r2 * (dot(u, s2) - side2)
    det = m11 * m22 - m12 * m21
    g1, g2 = (m22 * rise1 - m21 * rise2) / det, (m11 * rise2 - m12 * rise1) / det
    force = sub(u, add(scale(g1, n1), scale(g2, n2)))
    torque1 = sub(scale(-1.0 * r1, cross(n1, u)), sub(scale(g1, cross(n1, D)), scale(g2 * r1, cross(n1, n2))))
    torque2 = sub(scale(r2, cross(n2, u)), add(scale(g1 * r2, cross(n2, n1)), scale(g2, cross(n2, D))))
    # rates of the angles by (1)
    b1, b2 = zero, zero
    if a:
        moved = sub(add(v2, scale(r2, cross(w2, n2))), v1)
        b1 = -1.0 * (dot(cross(w1, n1), D) + dot(n1, moved))
    if b:
        moved = sub(v2, add(v1, scale(r1, cross(w1, n1))))
        b2 = -1.0 * (dot(cross(w2, n2), D) + dot(n2, moved))
    rate1, rate2 = (m22 * b1 - m12 * b2) / det, (m11 * b2 - m21 * b1) / det
    s = dot(force, sub(v2, v1)) + dot(torque1, w1) + dot(torque2, w2)
    faster = s + side2 * r2 * rate2 - side1 * r1 * rate1
    return long, faster, force, torque1, torque2, t1, rate1, t2, rate2


@cold_kernel("d2 d2")
def reference_spans(rows, out):
    """Length, angles where it leaves and arrives, of each span at rest; rows: centre, ex, ey, radius, side."""
    for i in range(out.shape[0]):
        k = (i + 1) % rows.shape[0]
        found = span(_at_rest(rows, i), _at_rest(rows, k))
        out[i, 0], out[i, 1], out[i, 2] = found[0], found[5], found[7]


@helper
def _at_rest(rows, i):
    return (get3(rows, i, 0), ZERO3, ZERO3, get3(rows, i, 3), get3(rows, i, 6), rows[i, 9], rows[i, 10])


@helper
def put_rates(x, ints, p, w, before):
    """Rates of the passed rope into w.ydot; before: how many states come before the first-order ones."""
    out, place = _outputs(ints, p) + ints[p + SEGMENTS], before + ints[p + FIRST_STATE]
    for n in range(ints[p + FLOWS]):
        if _has_state(ints, p, n):
            w.ydot[place] = x[out + n]
            place += 1


@helper
def _end(loads, w, ints, c, p, i, centre):
    """What `span` wants of a point; velocities of the workspace."""
    m, at = _of_point(ints, p, i, MARKER), ints[p + NUMBERS] + WIDE * i
    place, arm = marker_point(loads, w, m)
    omega, velocity = marker_velocities(loads, w, m, arm)
    R = marker_rotation(loads, w, m)
    x, y = (c[at + EX], c[at + EX + 1], c[at + EX + 2]), (c[at + EY], c[at + EY + 1], c[at + EY + 2])
    ex = (R[0] * x[0] + R[1] * x[1] + R[2] * x[2], R[3] * x[0] + R[4] * x[1] + R[5] * x[2],
          R[6] * x[0] + R[7] * x[1] + R[8] * x[2])  # fmt: skip
    ey = (R[0] * y[0] + R[1] * y[1] + R[2] * y[2], R[3] * y[0] + R[4] * y[1] + R[5] * y[2],
          R[6] * y[0] + R[7] * y[1] + R[8] * y[2])  # fmt: skip
    return sub(place, centre), velocity, omega, ex, ey, c[at + RADIUS], float(_of_point(ints, p, i, SIDE))


@helper
def _keep(x, at, found):
    long, faster, force, torque1, torque2, t1, rate1, t2, rate2 = found
    x[at + LONG], x[at + FASTER] = long, faster
    x[at + FORCE], x[at + FORCE + 1], x[at + FORCE + 2] = force
    x[at + TORQUE_A], x[at + TORQUE_A + 1], x[at + TORQUE_A + 2] = torque1
    x[at + TORQUE_B], x[at + TORQUE_B + 1], x[at + TORQUE_B + 2] = torque2
    x[at + OUT], x[at + OUT_RATE], x[at + IN], x[at + IN_RATE] = t1, rate1, t2, rate2


@part
def arcs_and_lengths(x, ints, c, p):
    """The inputs of the tensions from the spans: lengths, w and wrapped angles."""
    first, S, F, M = _inputs(ints, p), ints[p + SEGMENTS], ints[p + FLOWS], ints[p + POINTS]
    for k in range(2 * S + 2 * F):
        x[first + k] = 0.0
    for i in range(spans_of(ints, p)):
        at, k = ints[p + SCRATCH] + SPAN * i, _of_point(ints, p, i, SEGMENT)
        x[first + k] += x[at + LONG]
        x[first + S + k] += x[at + FASTER]
    for i in range(M):
        role, n, side = _of_point(ints, p, i, ROLE), _of_point(ints, p, i, FLOW), float(_of_point(ints, p, i, SIDE))
        if role == END:
            continue
        behind, ahead = ints[p + SCRATCH] + SPAN * (i - 1 if i > 0 else M - 1), ints[p + SCRATCH] + SPAN * i
        number = ints[p + NUMBERS] + WIDE * i
        if role == DRUM:
            rate = x[ahead + OUT_RATE] if i == 0 else x[behind + IN_RATE]
            x[first + 2 * S + n] = -side * c[number + RADIUS] * rate
            continue
        arc = side * (x[ahead + OUT] - x[behind + IN])
        turn = 6.283185307179586
        while arc.real < LEAST_ARC:
            arc = arc + turn
        while arc.real >= LEAST_ARC + turn:
            arc = arc - turn
        arc = arc + c[number + TURNED]
        x[ahead + ARC] = arc
        rate = side * (x[ahead + OUT_RATE] - x[behind + IN_RATE])
        r = c[number + RADIUS]
        into, out = _of_point(ints, p, i - 1 if i > 0 else M - 1, SEGMENT), _of_point(ints, p, i, SEGMENT)
        x[first + into] += 0.5 * r * arc
        x[first + out] += 0.5 * r * arc
        x[first + S + into] += 0.5 * r * rate
        x[first + S + out] += 0.5 * r * rate
        if role == NODE:
            x[first + 2 * S + n] = -0.5 * side * r * (x[ahead + OUT_RATE] + x[behind + IN_RATE])
            x[first + 2 * S + F + n] = arc * c[number + FRICTION]


@helper
def _behind(ints, p, n):
    """Segment that ends at node n, -1 at the beginning of an open rope."""
    return n - 1 if n > 0 else ints[p + SEGMENTS] - 1 if ints[p + CLOSED] == 1 else -1


@helper
def _ahead(ints, p, n):
    """Segment that begins at node n, -1 at the end of an open rope."""
    return n if n < ints[p + SEGMENTS] else -1


@helper
def _tension(x, segments, flows, k, end):
    """Tension of segment k between the flows k and `end`, if it is not slack."""
    at = segments + PER_SEGMENT * k
    slip = x[flows + PER_FLOW * k + SLIP] - x[flows + PER_FLOW * end + SLIP]
    return x[at + HELD] - x[at + SLOPE] * slip


@part
def tensions(x, ints, c, p, stiffness, damping, length):
    """The outputs, tensions and passing rope, from the inputs. stiffness, damping: EA and eta of the strain."""
    first, out, segments, flows = _inputs(ints, p), _outputs(ints, p), _segments(ints, p), _flows(ints, p)
    S, F, numbers = ints[p + SEGMENTS], ints[p + FLOWS], ints[p + NUMBERS] + WIDE * ints[p + POINTS]
    passed = first + 2 * S + 2 * F
    for n in range(F):
        at = flows + PER_FLOW * n
        for k in range(PER_FLOW):
            x[at + k] = 0.0
    for k in range(S):
        at, end = segments + PER_SEGMENT * k, (k + 1) % F
        rest = c[numbers + k] * length + x[passed + k] - x[passed + end]
        x[at + UNSTRETCHED] = rest
        x[at + STRAIN] = x[first + k] / rest - 1.0
    for n in range(F):
        w, before, behind = x[first + 2 * S + n], _behind(ints, p, n), _ahead(ints, p, n)
        source = before if (w.real > 0.0 and before >= 0) or behind < 0 else behind
        strain = x[segments + PER_SEGMENT * source + STRAIN]
        if strain.real < 0.0:
            strain = 0.0 * strain
        x[out + S + n] = w / (1.0 + strain)
    for k in range(S):
        at, end = segments + PER_SEGMENT * k, (k + 1) % F
        strain, rest = x[at + STRAIN], x[at + UNSTRETCHED]
        x[at + HELD] = x[at + SLOPE] = 0.0
        x[at + CLIPPED] = 1.0
        if strain.real > 0.0:
            grown = (1.0 + strain) * (x[out + S + k] - x[out + S + end])
            x[at + HELD] = stiffness * strain + damping * (x[first + S + k] - grown) / rest
            x[at + SLOPE] = damping * (1.0 + strain) / rest
            x[at + CLIPPED] = 1.0 if x[at + HELD].real < 0.0 else 0.0
    for n in range(F):
        x[flows + PER_FLOW * n + GRIP] = exp(x[first + 2 * S + F + n])
    largest, drag = 0.0, 0.0
    for k in range(S):
        at = segments + PER_SEGMENT * k
        largest, drag = max(largest, abs(x[at + HELD].real)), max(drag, DRAG * x[at + SLOPE].real)
    change, left = 1, MOST_CHANGES * (1 + F)
    while change == 1 and left > 0:
        _slips(x, ints, p, S, F, segments, flows, drag)
        one = 1 if left < MOST_CHANGES * F else 0  # changes of all at once may go round in circles
        change = _change_modes(x, ints, p, S, F, segments, flows, ROUND_OFF * largest, one)
        left -= 1
    for k in range(S):
        at, end = segments + PER_SEGMENT * k, (k + 1) % F
        T = _tension(x, segments, flows, k, end)
        if x[at + CLIPPED].real > 0.5:
            T = 0.0 * T
        if T.real < 0.0:
            T = 0.0 * T
        x[out + k] = T * np.nan if change == 1 else T
    for n in range(F):
        x[out + S + n] += x[flows + PER_FLOW * n + SLIP]


@helper
def _slides(ints, p, n):
    """Whether node n is a sheave with friction (ends of an open rope are not)."""
    return _behind(ints, p, n) >= 0 and _ahead(ints, p, n) >= 0


@part
def _change_modes(x, ints, p, S, F, segments, flows, slack, one):
    """Modes by the tensions and slips; returns 1 if some changed. slack: round-off of tensions; one = 1: change one."""
    change = 0
    for k in range(S):
        at = segments + PER_SEGMENT * k
        if (one == 1 and change == 1) or (x[at + SLOPE].real == 0.0 and x[at + HELD].real == 0.0):
            continue
        T = _tension(x, segments, flows, k, (k + 1) % F).real
        now = x[at + CLIPPED].real
        then = 0.0 if slack < T else 1.0 if -slack > T else now
        if then != now:
            x[at + CLIPPED] = then
            change = 1
    for n in range(F):
        if (one == 1 and change == 1) or not _slides(ints, p, n):
            continue
        at, k, before = flows + PER_FLOW * n, _ahead(ints, p, n), _behind(ints, p, n)
        T_in = T_out = 0.0
        if x[segments + PER_SEGMENT * before + CLIPPED].real < 0.5:
            T_in = _tension(x, segments, flows, before, n).real
        if x[segments + PER_SEGMENT * k + CLIPPED].real < 0.5:
            T_out = _tension(x, segments, flows, k, (k + 1) % F).real
        grip, now = x[at + GRIP].real, x[at + MODE].real
        then = now
        if now == 0.0 and T_out - grip * T_in > slack:
            then = 1.0
        elif now == 0.0 and T_in - grip * T_out > slack:
            then = -1.0
        elif now * x[at + SLIP].real < 0.0:
            then = 0.0
        if then != now:
            x[at + MODE] = then
            change = 1
    return change


@part
def _slips(x, ints, p, S, F, segments, flows, drag):
    """Slips in the present modes: a system of three diagonals, closed to a ring if the rope is closed."""
    for n in range(F):
        at = flows + PER_FLOW * n
        x[at + LOW] = x[at + UP] = x[at + LAST] = x[at + RIGHT] = 0.0
        x[at + DIAGONAL] = 1.0
        mode = x[at + MODE].real
        if mode == 0.0:
            continue
        k, before, grip = _ahead(ints, p, n), _behind(ints, p, n), x[at + GRIP]
        a, b = segments + PER_SEGMENT * before, segments + PER_SEGMENT * k
        alive_a, alive_b = 1.0 - x[a + CLIPPED].real, 1.0 - x[b + CLIPPED].real
        # mode +: T_out = grip T_in, mode -: grip T_out = T_in
        by_out, by_in = alive_b * (1.0 if mode > 0.0 else grip), alive_a * (grip if mode > 0.0 else 1.0)
        x[at + DIAGONAL] = by_out * x[b + SLOPE] + by_in * x[a + SLOPE] + drag
        x[at + UP] = -by_out * x[b + SLOPE]
        x[at + LOW] = -by_in * x[a + SLOPE]
        x[at + RIGHT] = by_out * x[b + HELD] - by_in * x[a + HELD]
    _solve_ring(x, flows, F)


@part
def _solve_ring(x, flows, F):
    """Elimination; the column of the last unknown is carried along, since the ring closes there."""
    if F == 1:
        return  # a ring with one node: its ends move alike, nothing slips
    last = flows + PER_FLOW * (F - 1)
    if F == 2:
        x[last + LOW] += x[last + UP]
        x[last + UP] = 0.0
        x[flows + UP] += x[flows + LOW]
        x[flows + LOW] = 0.0
    x[flows + LAST] = x[flows + LOW]
    low_of_last = x[last + UP]  # the last row's coefficient of the first unknown
    for n in range(F - 1):
        at, up = flows + PER_FLOW * n, flows + PER_FLOW * (n + 1)
        inverse = 1.0 / x[at + DIAGONAL]
        if n < F - 2:  # the next row
            factor = x[up + LOW] * inverse
            x[up + DIAGONAL] -= factor * x[at + UP]
            x[up + LAST] -= factor * x[at + LAST]
            x[up + RIGHT] -= factor * x[at + RIGHT]
            factor = low_of_last * inverse
            low_of_last = -factor * x[at + UP]
            x[last + DIAGONAL] -= factor * x[at + LAST]
            x[last + RIGHT] -= factor * x[at + RIGHT]
        else:
            factor = (x[last + LOW] + low_of_last) * inverse
            x[last + DIAGONAL] -= factor * (x[at + UP] + x[at + LAST])
            x[last + RIGHT] -= factor * x[at + RIGHT]
    x[last + SLIP] = x[last + RIGHT] / x[last + DIAGONAL]
    end = x[last + SLIP]
    for n in range(F - 2, -1, -1):
        at = flows + PER_FLOW * n
        value = x[at + RIGHT] - x[at + LAST] * end - x[at + UP] * x[at + PER_FLOW + SLIP]
        x[at + SLIP] = value / x[at + DIAGONAL]


@part
def fill(x, ints, c, p, loads, w, nq_nv, numbers):
    """Spans, inputs and tensions in the state of the workspace, into the scratch x."""
    stiffness, damping, length = numbers
    centre = get3(w.X_WB, 1, 9)
    for i in range(spans_of(ints, p)):
        A = _end(loads, w, ints, c, p, i, centre)
        B = _end(loads, w, ints, c, p, next_point(ints, p, i), centre)
        _keep(x, ints[p + SCRATCH] + SPAN * i, span(A, B))
    arcs_and_lengths(x, ints, c, p)
    S, F = ints[p + SEGMENTS], ints[p + FLOWS]
    passed = _inputs(ints, p) + 2 * S + 2 * F
    state = nq_nv + ints[p + FIRST_STATE]
    for n in range(F):
        x[passed + n] = 0.0
        if _has_state(ints, p, n):
            x[passed + n] = w.y[state]
            state += 1
    tensions(x, ints, c, p, stiffness, damping, length)


@helper
def _has_state(ints, p, n):
    """Whether rope passes node n: not so at a fixed end."""
    if _slides(ints, p, n):
        return True
    M = ints[p + POINTS]
    return _of_point(ints, p, 0 if n == 0 else M - 1, ROLE) == DRUM


@part
def energies(x, ints, p, stiffness):
    """Potential energy, power supplied and power dissipated."""
    first, out, segments = _inputs(ints, p), _outputs(ints, p), _segments(ints, p)
    S, F = ints[p + SEGMENTS], ints[p + FLOWS]
    potential = supplied = balance = 0.0 * x[out]
    for k in range(S):
        at, end = segments + PER_SEGMENT * k, (k + 1) % F
        strain, T = x[at + STRAIN], x[out + k]
        balance -= T * x[first + S + k]
        if strain.real > 0.0:
            grown = x[out + S + k] - x[out + S + end]
            potential += 0.5 * stiffness * strain * strain * x[at + UNSTRETCHED]
            balance += stiffness * strain * (x[first + S + k] - (1.0 + 0.5 * strain) * grown)
    for n in range(F):
        w, before, behind = x[first + 2 * S + n], _behind(ints, p, n), _ahead(ints, p, n)
        if behind >= 0:
            balance += w * x[out + behind]
        if before >= 0:
            balance -= w * x[out + before]
        if not _slides(ints, p, n):  # a drum keeps the energy of the rope that is wound on it
            strain = x[segments + PER_SEGMENT * (behind if behind >= 0 else before) + STRAIN]
            if strain.real > 0.0:
                stored = 0.5 * stiffness * strain * strain * x[out + S + n]
                supplied += stored if behind >= 0 else -stored
    return potential, supplied, supplied - balance


@part
def pull(x, ints, p, loads, w):
    """Apply the tensions."""
    out = _outputs(ints, p)
    for i in range(spans_of(ints, p)):
        at, T = ints[p + SCRATCH] + SPAN * i, x[out + _of_point(ints, p, i, SEGMENT)]
        a, b = _of_point(ints, p, i, MARKER), _of_point(ints, p, next_point(ints, p, i), MARKER)
        _, arm_a = marker_point(loads, w, a)
        _, arm_b = marker_point(loads, w, b)
        force = (T * x[at + FORCE], T * x[at + FORCE + 1], T * x[at + FORCE + 2])
        torque = (-T * x[at + TORQUE_A], -T * x[at + TORQUE_A + 1], -T * x[at + TORQUE_A + 2])
        apply_wrench(loads, w, a, arm_a, force, torque)
        torque = (-T * x[at + TORQUE_B], -T * x[at + TORQUE_B + 1], -T * x[at + TORQUE_B + 2])
        apply_wrench(loads, w, b, arm_b, scale(-1.0, force), torque)


# ------------------------------------------------------------------------------------------------------ derivatives


@helper
def _complex(A):
    """The same point in complex numbers."""
    c, v, w, ex, ey, r, side = A
    z = 0j
    return (
        (c[0] + z, c[1] + z, c[2] + z), (v[0] + z, v[1] + z, v[2] + z), (w[0] + z, w[1] + z, w[2] + z),
        (ex[0] + z, ex[1] + z, ex[2] + z), (ey[0] + z, ey[1] + z, ey[2] + z), r + z, side,
    )  # fmt: skip


@helper
def _displaced(B, S_j, y_j):
    """A point whose body is moved by EPS S_j, and its twist changed by EPS y_j, both about the origin."""
    c, v, w, ex, ey, r, side = B
    i = EPS * 1j
    turn = (i * S_j[0][0], i * S_j[0][1], i * S_j[0][2])
    move = add((i * S_j[1][0], i * S_j[1][1], i * S_j[1][2]), cross(turn, c))
    spin = (i * y_j[0][0], i * y_j[0][1], i * y_j[0][2])
    faster = add((i * y_j[1][0], i * y_j[1][1], i * y_j[1][2]), cross(spin, c))
    # the velocity belongs to a point of the body that has moved
    return add(c, move), add(add(v, faster), cross(w, move)), add(w, spin), add(ex, cross(turn, ex)), add(
        ey, cross(turn, ey)), r, side  # fmt: skip


@helper
def _spread(x, ints, c, p, i, rows, stride, j, side, found):
    """Rows of the outputs at rate j += what the change of span i, the imaginary parts in `found`, does to them."""
    long, faster, _, _, _, t1, rate1, t2, rate2 = found
    S, F, J = ints[p + SEGMENTS], ints[p + FLOWS], _jacobian(ints, p)
    X, outputs = _input_count(ints, p), S + F
    k, scale_by = _of_point(ints, p, i, SEGMENT), side / EPS
    for o in range(outputs):
        row = J + X * o
        total = x[row + k] * long.imag + x[row + S + k] * faster.imag
        for end in range(2):
            point = i if end == 0 else next_point(ints, p, i)
            sign = 1.0 if end == 0 else -1.0
            role = _of_point(ints, p, point, ROLE)
            if role == END:
                continue
            turned, rate = (t1.imag, rate1.imag) if end == 0 else (t2.imag, rate2.imag)
            number, way = ints[p + NUMBERS] + WIDE * point, float(_of_point(ints, p, point, SIDE))
            r, n = c[number + RADIUS], _of_point(ints, p, point, FLOW)
            if role == DRUM:
                total -= x[row + 2 * S + n] * way * r * rate
                continue
            into = _of_point(ints, p, point - 1 if point > 0 else ints[p + POINTS] - 1, SEGMENT)
            ahead = _of_point(ints, p, point, SEGMENT)
            by_length, by_rate = x[row + into] + x[row + ahead], x[row + S + into] + x[row + S + ahead]
            total += 0.5 * r * way * sign * (by_length * turned + by_rate * rate)
            if role == NODE:
                total -= 0.5 * way * r * x[row + 2 * S + n] * rate
                total += c[number + FRICTION] * way * sign * x[row + 2 * S + F + n] * turned
        x[rows + stride * o + j] += scale_by * total


@part
def add_tangent(x, ints, c, p, tree, loads, w, tan, path, numbers):
    """K, C, Z -= derivatives of `pull`, and Fq, Fv, Fz of the passed rope; x: complex scratch."""
    stiffness, damping, length = numbers
    S, F, X = ints[p + SEGMENTS], ints[p + FLOWS], _input_count(ints, p)
    first, out, J, nv = _inputs(ints, p), _outputs(ints, p), _jacobian(ints, p), tree.nv
    outputs = S + F
    fill(x, ints, c, p, loads, w, tree.nq + nv, numbers)
    rows = J + X * outputs
    for k in range(rows - J + 2 * nv * outputs):
        x[J + k] = 0.0
    for m in range(X):
        kept = x[first + m]
        x[first + m] = kept + EPS * 1j
        tensions(x, ints, c, p, stiffness, damping, length)
        x[first + m] = kept
        for o in range(outputs):
            x[J + X * o + m] = x[out + o].imag / EPS
    tensions(x, ints, c, p, stiffness, damping, length)
    centre = get3(w.X_WB, 1, 9)
    for i in range(spans_of(ints, p)):
        following = next_point(ints, p, i)
        m_a, m_b = _of_point(ints, p, i, MARKER), _of_point(ints, p, following, MARKER)
        a, b = loads.markers.body[m_a], loads.markers.body[m_b]
        A = _complex(_end(loads, w, ints, c, p, i, centre))
        B = _complex(_end(loads, w, ints, c, p, following, centre))
        V_B, T = get_spatial(tan.V_W, b), x[out + _of_point(ints, p, i, SEGMENT)].real
        count = path_between(tree, path, a, b)
        still = (ZERO3, ZERO3)
        for k in range(count):
            S_j, y_j = displacement(tan, path.column[k], V_B)
            found = span(A, _displaced(B, S_j, y_j))
            _spread(x, ints, c, p, i, rows, 2 * nv, path.rate[k], path.side[k], found)
            put_spatial(path.W_q, k, _wrench_change(found, A, B, S_j, T))
            found = span(A, _displaced(B, still, S_j))
            _spread(x, ints, c, p, i, rows, 2 * nv, nv + path.rate[k], path.side[k], found)
        add_pair(tree, tan, path, count, _unit_wrench(x, ints, p, i, B, T), np.int64(0))
    for i in range(spans_of(ints, p)):
        following = next_point(ints, p, i)
        B = _complex(_end(loads, w, ints, c, p, following, centre))
        a = loads.markers.body[_of_point(ints, p, i, MARKER)]
        b = loads.markers.body[_of_point(ints, p, following, MARKER)]
        o = _of_point(ints, p, i, SEGMENT)
        for j in range(nv):
            path.row_q[0, j], path.row_v[0, j] = x[rows + 2 * nv * o + j].real, x[rows + 2 * nv * o + nv + j].real
        state = ints[p + FIRST_STATE]
        for n in range(F):
            if _has_state(ints, p, n):
                path.row_z[0, state] = x[J + X * o + 2 * S + 2 * F + n].real
                state += 1
        count = path_between(tree, path, a, b)
        add_rank_one(tree, tan, path, count, _unit_wrench(x, ints, p, i, B, 1.0))
    place = ints[p + FIRST_STATE]
    for n in range(F):
        if not _has_state(ints, p, n):
            continue
        o = S + n
        for j in range(nv):
            tan.Fq[place, j] = x[rows + 2 * nv * o + j].real
            tan.Fv[place, j] = x[rows + 2 * nv * o + nv + j].real
        low, high = state_columns(tan.Fz, tree.nz, place)
        for j in range(low, high):
            tan.Fz[place, j] = 0.0
        other = ints[p + FIRST_STATE]
        for m in range(F):
            if _has_state(ints, p, m):
                tan.Fz[place, other] = x[J + X * o + 2 * S + 2 * F + m].real
                other += 1
        place += 1


@helper
def _unit_wrench(x, ints, p, i, B, T):
    """Wrench about the origin of the tension T of span i on the body of its end."""
    at = ints[p + SCRATCH] + SPAN * i
    force = (-T * x[at + FORCE].real, -T * x[at + FORCE + 1].real, -T * x[at + FORCE + 2].real)
    own = (-T * x[at + TORQUE_B].real, -T * x[at + TORQUE_B + 1].real, -T * x[at + TORQUE_B + 2].real)
    c = (B[0][0].real, B[0][1].real, B[0][2].real)
    return add(own, cross(c, force)), force


@helper
def _wrench_change(found, A, B, S_j, T):
    """Change of this wrench by a displacement of the end's body, from imaginary parts."""
    _, _, force, _, torque, _, _, _, _ = found
    i = EPS * 1j
    turn = (i * S_j[0][0], i * S_j[0][1], i * S_j[0][2])
    c = add(B[0], add((i * S_j[1][0], i * S_j[1][1], i * S_j[1][2]), cross(turn, B[0])))
    whole = add(torque, cross(c, force))
    f = -T / EPS
    return (f * whole[0].imag, f * whole[1].imag, f * whole[2].imag), (f * force[0].imag, f * force[1].imag,
                                                                      f * force[2].imag)  # fmt: skip
