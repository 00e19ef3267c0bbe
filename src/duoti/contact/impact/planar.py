"""Impact of one contact in a plane with friction, exactly: Routh's method.

Velocities (u_n, u_t) are piecewise linear functions of the normal impulse p: du/dp = W_n + r W_t with the ratio r of
tangential to normal impulse, which is -mu sign(u_t) while it slides, -W_nt / W_tt in stick if that is within the cone,
else reverse sliding (Routh 1905, art. 192; Stronge 2018, chapter 8). Compression ends where u_n = 0. Then

    Poisson   p_end = (1 + e) p_compression
    Stronge   the work of the normal force in restitution is -e^2 times that in compression
"""

from __future__ import annotations

from duoti.kernel import kernel, part

POISSON, STRONGE = 1, 2
PHASES = 8


@kernel("d d d d d i d1")
def planar_impact(Wnn, Wnt, Wtt, mu, e, law, state):
    """state [3]: (u_n, u_t, 0) before; after: u_n, u_t and the tangential impulse. Returns the normal impulse."""
    return impact_in_plane(Wnn, Wnt, Wtt, mu, e, law, state)


@part
def impact_in_plane(Wnn, Wnt, Wtt, mu, e, law, state):
    """As `planar_impact`, for other kernels."""
    un, ut, pt, p, work = state[0], state[1], 0.0, 0.0, 0.0
    compressing, p_end, released = True, 0.0, 0.0
    for _ in range(PHASES):
        r = ratio_in_plane(Wnt, Wtt, mu, ut)
        rise, turn = Wnn + r * Wnt, Wnt + r * Wtt
        sliding = ut != 0.0
        # impulse to the end of this phase: slip ends, or compression, or the impact
        length, ends_slip = 1e300, False
        if sliding and ut * turn < 0.0:
            length, ends_slip = -ut / turn, True
        if compressing:
            if rise > 0.0 and -un / rise <= length:
                length, ends_slip = max(-un / rise, 0.0), False
        elif law == POISSON:
            if p_end - p <= length:
                length, ends_slip = max(p_end - p, 0.0), False
        else:  # un d + rise d^2 / 2 = released - work
            left = released - work
            d = 2.0 * left / (un + max(un * un + 2.0 * rise * left, 0.0) ** 0.5) if left > 0.0 else 0.0
            if d <= length:
                length, ends_slip = d, False
        if length == 1e300:
            break
        work += un * length + 0.5 * rise * length * length
        p, pt, un = p + length, pt + r * length, un + rise * length
        ut = 0.0 if ends_slip else ut + turn * length
        if ends_slip:
            continue
        if not compressing:
            break
        compressing, un = False, 0.0
        p_end, released = (1.0 + e) * p, -e * e * work
        work = 0.0
    state[0], state[1], state[2] = un, ut, pt
    return p


@part
def ratio_in_plane(Wnt, Wtt, mu, ut):
    """Tangential impulse for each unit of normal impulse."""
    if ut > 0.0:
        return -mu
    if ut < 0.0:
        return mu
    stick = -Wnt / Wtt if Wtt > 0.0 else 0.0
    if abs(stick) <= mu:
        return stick
    return mu if stick > 0.0 else -mu
