r"""A point that slides along a curve through markers: the nodes of a beam, or points of any bodies.

Between two neighbouring markers with the places p_0, p_1, the x axes t_0, t_1 and the distance L at rest, the curve is

    r(s) = h_0 p_0 + L g_0 t_0 + h_1 p_1 + L g_1 t_1,    s in (0, 1),                                        (1)

with the cubic polynomials of Hermite h, g. At the foot point of the slider's place P, (P - r) . r' = 0. The energy of
the spring is k (P - r)²/2; since r' is at right angles to P - r, its forces are those of a fixed s: F on the slider at
r, and what the virtual work of (1) makes of -F at the markers: forces -h_i F and moments -L g_i t_i x F. For Euler and
Bernoulli's beam these are the loads at nodes with which the deflection at the nodes is exact.

The damper and friction take the velocity of the slider at r, relative to that of (1) with a fixed s.
"""

from duoti.elements.body_pairs import add_pair, displacement, path_between
from duoti.elements.markers import marker_point, marker_rotation, marker_velocities
from duoti.elements.wrenches import apply_wrench
from duoti.kernel import helper, part
from duoti.model.force_blocks import NUMBERS, SCRATCH
from duoti.spatial.algebra import (
    ZERO3,
    add,
    cross,
    dot,
    get3,
    get_column,
    get_spatial,
    put_spatial,
    scale,
    shift_of,
    sqrt,
    sub,
    vdot,
)

HEADER = ("scratch", "numbers", "lists", "markers")
COUNT = HEADER.index("markers")
OWN = len(HEADER)
WRITTEN = 5
NEWTON_STEPS = 30
CLOSE = 1e-13
EPS = 1e-60
TINY = 1e-300


@helper
def _hermite(s, L):
    """h_0, L g_0, h_1, L g_1 at s."""
    a = s * s * (3.0 - 2.0 * s)
    return 1.0 - a, L * s * (1.0 - s) * (1.0 - s), a, -L * s * s * (1.0 - s)


@helper
def _slopes(s, L):
    """Their derivatives."""
    da = 6.0 * s * (1.0 - s)
    return -da, L * (1.0 - s) * (1.0 - 3.0 * s), da, L * s * (3.0 * s - 2.0)


@helper
def _bends(s, L):
    """Their second derivatives."""
    return 12.0 * s - 6.0, L * (6.0 * s - 4.0), 6.0 - 12.0 * s, L * (6.0 * s - 2.0)


@helper
def _mixed(H, a, b, c, d):
    """The sum of four vectors with these weights."""
    return add(add(scale(H[0], a), scale(H[1], b)), add(scale(H[2], c), scale(H[3], d)))


@helper
def axis_x(loads, w, m):
    """The x axis of a marker, in world axes."""
    R = marker_rotation(loads, w, m)
    return R[0], R[3], R[6]


@part
def piece_of(ints, p, loads, w, place):
    """Number of the piece between two markers whose planes at both ends enclose a place, the nearest; -1: none."""
    best, found = 1e300, -1
    q, _ = marker_point(loads, w, ints[p + OWN])
    before = dot(sub(place, q), axis_x(loads, w, ints[p + OWN])).real
    for k in range(ints[p + COUNT] - 1):
        following, _ = marker_point(loads, w, ints[p + OWN + k + 1])
        after = dot(sub(place, following), axis_x(loads, w, ints[p + OWN + k + 1])).real
        if before >= 0.0 and after < 0.0:
            middle = sub(place, scale(0.5, add(q, following)))
            distance = dot(middle, middle).real
            if distance < best:
                best, found = distance, k
        q, before = following, after
    return found


@part
def foot(place, p_0, t_0, p_1, t_1, L):
    """s of the foot point of a place, by Newton's method; the last step in the numbers' own type."""
    way = sub(p_1, p_0)
    s = dot(sub(place, p_0), way) / (dot(way, way) + TINY)
    last = False
    for _ in range(NEWTON_STEPS):
        d = sub(place, _mixed(_hermite(s, L), p_0, t_0, p_1, t_1))
        slope = _mixed(_slopes(s, L), p_0, t_0, p_1, t_1)
        bend = _mixed(_bends(s, L), p_0, t_0, p_1, t_1)
        steep = dot(slope, slope)
        rest = steep - dot(d, bend)
        if rest.real < 0.1 * steep.real:  # far from the curve, on the inner side of a bend
            rest = steep
        step = dot(d, slope) / rest
        if abs(step.real) > 0.5:
            step = 0.5 * step / abs(step.real)
        s = s + step
        if last:
            break
        last = abs(step.real) < CLOSE
    return s


@part
def slide(numbers, L, P, V_P, p_0, t_0, V_0, p_1, t_1, V_1, centre):
    """Forces in a state: r, F on the slider there, weights of the markers, and energies and powers.

    Twists V (angular velocity, velocity at `centre`) are in world axes. numbers: stiffness, damping, friction, its slip
    speed, and resistance.
    """
    stiffness, damping, friction, slip, resistance = numbers
    s = foot(P, p_0, t_0, p_1, t_1, L)
    H = _hermite(s, L)
    r = _mixed(H, p_0, t_0, p_1, t_1)
    slope = _mixed(_slopes(s, L), p_0, t_0, p_1, t_1)
    along = scale(1.0 / sqrt(dot(slope, slope)), slope)
    d = sub(P, r)
    v_0, v_1 = shift_of(V_0, sub(p_0, centre)), shift_of(V_1, sub(p_1, centre))
    carried = _mixed(H, v_0, cross(V_0[0], t_0), v_1, cross(V_1[0], t_1))
    v = sub(shift_of(V_P, sub(r, centre)), carried)
    speed = dot(v, along)
    across = sub(v, scale(speed, along))
    pressed = add(scale(-stiffness, d), scale(-damping, across))
    normal = sqrt(dot(pressed, pressed) + TINY)
    drag = friction * normal * speed / sqrt(speed * speed + slip * slip) + resistance * speed
    F = sub(pressed, scale(drag, along))
    potential = 0.5 * stiffness * dot(d, d)
    lost = damping * dot(across, across) + drag * speed
    return r, F, H, potential, lost, s, speed


@helper
def _twist_at(loads, w, m, centre):
    """Twist of a marker's body about `centre`, in world axes, and the marker's place."""
    p, arm = marker_point(loads, w, m)
    omega, velocity = marker_velocities(loads, w, m, arm)
    return p, (omega, add(velocity, cross(omega, sub(centre, p))))


@part
def slider_law(ints, c, p, m, numbers, loads, w):
    """Apply the forces; returns potential energy and dissipated power.

    Leaves in the scratch what results read: place along the curve, speed, and the force on the slider; NaN beyond it.
    """
    centre = get3(w.X_WB, 1, 9)
    P, V_P = _twist_at(loads, w, m, centre)
    zero, first, out = 0.0 * w.X_WB[0, 0], ints[p + NUMBERS], ints[p + SCRATCH]
    k = piece_of(ints, p, loads, w, P)
    if k < 0:
        for i in range(WRITTEN):
            w.block_scratch[out + i] = float("nan")
        return zero, zero
    m_0, m_1 = ints[p + OWN + k], ints[p + OWN + k + 1]
    p_0, V_0 = _twist_at(loads, w, m_0, centre)
    p_1, V_1 = _twist_at(loads, w, m_1, centre)
    t_0, t_1 = axis_x(loads, w, m_0), axis_x(loads, w, m_1)
    L = c[first + k].real
    r, F, H, potential, lost, s, speed = slide(numbers, L, P, V_P, p_0, t_0, V_0, p_1, t_1, V_1, centre)
    place = s * L
    for i in range(k):
        place += c[first + i].real
    x = w.block_scratch
    x[out], x[out + 1], x[out + 2], x[out + 3], x[out + 4] = place, speed, F[0], F[1], F[2]
    _, arm = marker_point(loads, w, m)
    apply_wrench(loads, w, m, add(arm, sub(r, P)), F, ZERO3)
    _, arm = marker_point(loads, w, m_0)
    apply_wrench(loads, w, m_0, arm, scale(-H[0], F), scale(-H[1], cross(t_0, F)))
    _, arm = marker_point(loads, w, m_1)
    apply_wrench(loads, w, m_1, arm, scale(-H[2], F), scale(-H[3], cross(t_1, F)))
    return potential, lost


@helper
def _about(r, F, moment):
    """The wrench of a force at r (from the centre) and a moment."""
    return add(cross(r, F), moment), F


@helper
def _imaginary(W):
    (a, b, c), (d, e, f) = W
    return (a.imag / EPS, b.imag / EPS, c.imag / EPS), (d.imag / EPS, e.imag / EPS, f.imag / EPS)


@helper
def _real(W):
    (a, b, c), (d, e, f) = W
    return (a.real, b.real, c.real), (d.real, e.real, f.real)


@helper
def _perturbed_vector(a, b):
    """a + i eps b."""
    h = EPS * 1j
    return a[0] + h * b[0], a[1] + h * b[1], a[2] + h * b[2]


@part
def _perturbed(numbers, L, bodies, ends, l, S, y, centre):
    """Wrenches of slider and both markers about the centre, with the body of the l-th one moved by i eps (S, y)."""
    (P, V_P), (p_0, V_0), (p_1, V_1) = bodies
    t_0, t_1 = ends
    zero = (ZERO3, ZERO3)
    S_a, y_a, S_0, y_0, S_1, y_1 = zero, zero, zero, zero, zero, zero
    if l == 0:
        S_a, y_a = S, y
    elif l == 1:
        S_0, y_0 = S, y
    else:
        S_1, y_1 = S, y
    P = _perturbed_vector(P, shift_of(S_a, sub(P, centre)))
    V_P = _perturbed_vector(V_P[0], y_a[0]), _perturbed_vector(V_P[1], y_a[1])
    p_0, t_0 = _perturbed_vector(p_0, shift_of(S_0, sub(p_0, centre))), _perturbed_vector(t_0, cross(S_0[0], t_0))
    V_0 = _perturbed_vector(V_0[0], y_0[0]), _perturbed_vector(V_0[1], y_0[1])
    p_1, t_1 = _perturbed_vector(p_1, shift_of(S_1, sub(p_1, centre))), _perturbed_vector(t_1, cross(S_1[0], t_1))
    V_1 = _perturbed_vector(V_1[0], y_1[0]), _perturbed_vector(V_1[1], y_1[1])
    r, F, H, _, _, _, _ = slide(numbers, L, P, V_P, p_0, t_0, V_0, p_1, t_1, V_1, centre)
    none = scale(0.0, F)
    W_0 = _about(sub(p_0, centre), scale(-H[0], F), scale(-H[1], cross(t_0, F)))
    W_1 = _about(sub(p_1, centre), scale(-H[2], F), scale(-H[3], cross(t_1, F)))
    return _about(sub(r, centre), F, none), W_0, W_1


@helper
def _third(W, k):
    """The k-th of three wrenches."""
    if k == 0:
        return W[0]
    if k == 1:
        return W[1]
    return W[2]


@helper
def _of_body(tree, tan, matrix, body, change, column):
    """What the change of the wrench on a body does to all rates that move it."""
    while body > 0:
        for k in range(tree.first[body], tree.first[body + 1]):
            matrix[tree.rate[k], column] -= vdot(get_column(tan.S, k), change)
        body = tree.parent[body]


@part
def slider_tangent(ints, c, p, m, numbers, tree, loads, w, tan, path):
    """K, C -= derivatives of the forces, by complex steps of the motion of each of the three bodies."""
    centre = get3(w.X_WB, 1, 9)
    bodies_P = _twist_at(loads, w, m, centre)
    piece = piece_of(ints, p, loads, w, bodies_P[0])
    if piece < 0:
        return
    m_0, m_1 = ints[p + OWN + piece], ints[p + OWN + piece + 1]
    bodies = (bodies_P, _twist_at(loads, w, m_0, centre), _twist_at(loads, w, m_1, centre))
    ends = (axis_x(loads, w, m_0), axis_x(loads, w, m_1))
    L = c[ints[p + NUMBERS] + piece].real
    number = (loads.markers.body[m], loads.markers.body[m_0], loads.markers.body[m_1])
    still = (ZERO3, ZERO3)
    for l in range(3):
        b = number[l]
        count = path_between(tree, path, 0, b)
        V = get_spatial(tan.V_W, b)
        now = _perturbed(numbers, L, bodies, ends, l, still, still, centre)
        for k in range(count):
            S, y = displacement(tan, path.column[k], V)
            moved = _perturbed(numbers, L, bodies, ends, l, S, y, centre)
            faster = _perturbed(numbers, L, bodies, ends, l, still, S, centre)
            put_spatial(path.W_q, k, _imaginary(_third(moved, l)))
            put_spatial(path.W_v, k, _imaginary(_third(faster, l)))
            for other in range(3):
                if other != l:
                    _of_body(tree, tan, tan.K, number[other], _imaginary(_third(moved, other)), path.rate[k])
                    _of_body(tree, tan, tan.C, number[other], _imaginary(_third(faster, other)), path.rate[k])
        add_pair(tree, tan, path, count, _real(_third(now, l)), 1)
