"""Impact of one contact in space with friction: the equations of Darboux and Keller.

    du/dp = W_n + W_t r,    r = -mu u_t / |u_t|

are integrated over the normal impulse p (Keller 1986; Stronge 2018, chapter 4). Steps are short where the slip is
about to end, since the direction turns fastest there. At zero slip the contact sticks if |W_tt^-1 W_tn| <= mu; else it
slides on in that direction in which slip grows along itself. Ends of compression and restitution are as in
`planar_impact`.
"""

from __future__ import annotations

from duoti.contact.impact.planar import POISSON
from duoti.kernel import helper, kernel, part

FRACTION_OF_SLIP = 0.01  # by which the slip may change in a step; errors grow where slip nearly ends
STEPS = 20000
BISECTIONS = 60
GOES_ON, COMPRESSED, ENDS, SINKS = range(4)  # phases of an impact
STOPPED = 1e-12  # of the greatest speed: the slip has ended
DIRECTIONS = 720


@kernel("d2 d d i d1")
def spatial_impact(W, mu, e, law, state):
    """W [3, 3]; state [6]: (u_n, u_1, u_2, 0, 0, 0) before; after: velocities, normal and tangential impulses.

    Returns 0, or 1 if it did not come to an end.
    """
    return impact_in_space(W, mu, e, law, state)


@part
def impact_in_space(W, mu, e, law, state):
    """As `spatial_impact`, for other kernels."""
    x = state[0], state[1], state[2], 0.0, 0.0, 0.0  # velocities, work of the normal impulse, tangential impulses
    p, p_begin, compressing, p_end, released, owed = 0.0, 0.0, True, 1e300, 1e300, 0.0
    speed = (x[0] * x[0] + x[1] * x[1] + x[2] * x[2]) ** 0.5
    r1, r2, bound = 0.0, 0.0, False  # bound: at rest, or sliding in a constant direction
    for _ in range(STEPS):
        slip = (x[1] * x[1] + x[2] * x[2]) ** 0.5
        if not bound and slip <= STOPPED * speed:
            sticks, r1, r2 = _stick(W, mu)
            if not sticks:
                d1, d2 = _escape(W, mu)
                r1, r2 = -mu * d1, -mu * d2
            bound = True
            x = x[0], 0.0 if sticks else x[1], 0.0 if sticks else x[2], x[3], x[4], x[5]
        if not bound:
            r1, r2 = _against(x, mu)
        g1, g2 = W[1, 0] + W[1, 1] * r1 + W[1, 2] * r2, W[2, 0] + W[2, 1] * r1 + W[2, 2] * r2
        h = FRACTION_OF_SLIP * slip / max((g1 * g1 + g2 * g2) ** 0.5, 1e-300)
        rise = W[0, 0] + W[0, 1] * r1 + W[0, 2] * r2
        if bound or x[0] + h * rise > speed:  # no longer than to the end of the phase, and a little
            if not rise > 0.0:
                break
            end = -x[0] / rise
            if not compressing:
                end = ((x[0] * x[0] + 2.0 * rise * max(released - x[3], 0.0)) ** 0.5 - x[0]) / rise
            end *= 1.0 + 1e-9
            h = end if bound else min(h, end)
        h = min(h, p_end - p)
        new = _step(W, mu, x, h, bound, r1, r2)
        phase = _phase(new, p + h, compressing, p_end, released)
        if phase != GOES_ON:
            low, high = 0.0, h
            for _ in range(BISECTIONS):
                middle = 0.5 * (low + high)
                there = _step(W, mu, x, middle, bound, r1, r2)
                if _phase(there, p + middle, compressing, p_end, released) == GOES_ON:
                    low = middle
                else:
                    high = middle
            h = high
            new = _step(W, mu, x, h, bound, r1, r2)
            phase = _phase(new, p + h, compressing, p_end, released)
        x, p = new, p + h
        if phase == ENDS or (phase == COMPRESSED and e == 0.0):
            _finish(state, x, p)
            return 0
        if phase == COMPRESSED:
            compressing = False
            p_end = p + e * (p - p_begin) + owed if law == POISSON else 1e300
            released = 1e300 if law == POISSON else owed - e * e * x[3]
            x = 0.0, x[1], x[2], 0.0, x[4], x[5]
        elif phase == SINKS:  # what was not given back yet is still owed
            compressing, p_begin = True, p
            owed = p_end - p if law == POISSON else released - x[3]
            p_end = released = 1e300
            x = 0.0, x[1], x[2], 0.0, x[4], x[5]
    _finish(state, x, p)
    return 1


@helper
def _phase(x, p, compressing, p_end, released):
    """What has happened with the state x: a turning direction of slip may press a contact again that was opening."""
    if compressing:
        return COMPRESSED if x[0] >= 0.0 else GOES_ON
    if p >= p_end or x[3] >= released:
        return ENDS
    return SINKS if x[0] < 0.0 else GOES_ON


@helper
def _finish(state, x, p):
    state[0], state[1], state[2] = x[0], x[1], x[2]
    state[3], state[4], state[5] = p, x[4], x[5]


@helper
def _against(x, mu):
    slip = max((x[1] * x[1] + x[2] * x[2]) ** 0.5, 1e-300)
    return -mu * x[1] / slip, -mu * x[2] / slip


@helper
def _rates(W, r1, r2, un):
    """Rates of velocities, work and tangential impulses over the normal impulse."""
    return (
        W[0, 0] + W[0, 1] * r1 + W[0, 2] * r2,
        W[1, 0] + W[1, 1] * r1 + W[1, 2] * r2,
        W[2, 0] + W[2, 1] * r1 + W[2, 2] * r2,
        un,
        r1,
        r2,
    )


@helper
def _along(x, k, h):
    return (
        x[0] + h * k[0], x[1] + h * k[1], x[2] + h * k[2], x[3] + h * k[3], x[4] + h * k[4], x[5] + h * k[5],
    )  # fmt: skip


@part
def _step(W, mu, x, h, bound, r1, r2):
    """A Runge-Kutta step of order 4; with the ratio given (`bound`), the solution itself."""
    if bound:
        k = _rates(W, r1, r2, x[0])
        new = _along(x, k, h)
        return new[0], new[1], new[2], x[3] + h * (x[0] + 0.5 * h * k[0]), new[4], new[5]
    a = _rates(W, r1, r2, x[0])
    y = _along(x, a, 0.5 * h)
    s1, s2 = _against(y, mu)
    b = _rates(W, s1, s2, y[0])
    y = _along(x, b, 0.5 * h)
    s1, s2 = _against(y, mu)
    c = _rates(W, s1, s2, y[0])
    y = _along(x, c, h)
    s1, s2 = _against(y, mu)
    d = _rates(W, s1, s2, y[0])
    y = _along(_along(x, a, h / 6.0), b, h / 3.0)
    return _along(_along(y, c, h / 3.0), d, h / 6.0)


@part
def _stick(W, mu):
    """Whether the contact can stick, and the ratio of the impulses that then holds it."""
    det = W[1, 1] * W[2, 2] - W[1, 2] * W[2, 1]
    r1 = -(W[2, 2] * W[1, 0] - W[1, 2] * W[2, 0]) / det
    r2 = -(W[1, 1] * W[2, 0] - W[2, 1] * W[1, 0]) / det
    return r1 * r1 + r2 * r2 <= mu * mu, r1, r2


@helper
def _turning(W, mu, cosine, sine):
    """Rate of slip across and along a direction of sliding."""
    g1 = W[1, 0] - mu * (W[1, 1] * cosine + W[1, 2] * sine)
    g2 = W[2, 0] - mu * (W[2, 1] * cosine + W[2, 2] * sine)
    return cosine * g2 - sine * g1, cosine * g1 + sine * g2


@part
def _escape(W, mu):
    """The direction in which slip grows along itself: across it the rate vanishes, along it the rate is positive.

    Of several, the one of the largest rate. Angles are walked as rotations by a constant, since kernels have no sine.
    """
    c, s = 1.0, 0.0
    step_c, step_s = 0.9999619230641713, 0.008726535498373935  # cos and sin of half a degree
    before, _ = _turning(W, mu, c, s)
    found1, found2, best = c, s, -1e300
    for _ in range(DIRECTIONS):
        c2, s2 = c * step_c - s * step_s, s * step_c + c * step_s
        length = (c2 * c2 + s2 * s2) ** 0.5
        c2, s2 = c2 / length, s2 / length
        after, along = _turning(W, mu, c2, s2)
        if (before <= 0.0) != (after <= 0.0) and along > best:
            a, b, a2, b2, f = c, s, c2, s2, before
            for _ in range(BISECTIONS):
                m1, m2 = a + a2, b + b2
                length = (m1 * m1 + m2 * m2) ** 0.5
                m1, m2 = m1 / length, m2 / length
                g, _ = _turning(W, mu, m1, m2)
                if (g <= 0.0) == (f <= 0.0):
                    a, b = m1, m2
                else:
                    a2, b2 = m1, m2
            found1, found2, best = a, b, along
        c, s, before = c2, s2, after
    return found1, found2
