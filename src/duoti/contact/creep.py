"""Creep forces of a wheel that rolls on a rail, as functions of the normal force, which is an unknown of the motion.

Kalker's linear theory with saturation: J. J. Kalker, On the rolling contact of two elastic bodies in the presence of
dry friction, Delft 1967; P. J. Vermeulen & K. L. Johnson, J. Appl. Mech. 31 (1964); the law with tanh and the angles of
`kinematics="track"`: B. Simeon, C. Führer, P. Rentrop, Surv. Math. Ind. 1 (1991), and Test Set for IVP Solvers.
"""

from __future__ import annotations

import math

from duoti.kernel import helper, part
from duoti.model.contacts.rolling_contact import (
    AXIS_RATIO,
    BY_TRACK,
    C11,
    C22,
    C23,
    CREEP_NUMBERS,
    FRICTION,
    POISSON,
    SATURATION,
    SHEAR_MODULUS,
    SLOW_SPEED,
)
from duoti.model.pairs.base import axis_of
from duoti.spatial.algebra import add, cross, dot, get3, get_pose, scale, sub

MEANS = 6  # steps of the arithmetic-geometric mean: below round-off for ratios from 1e-3 to 1
RATIO_STEPS = 60
CREEP_CONVERGED = 1e-9  # part of a normal force; errors are squared by the step that is then made
ALONG, ACROSS, SLIP, SPEED, TURNING, PATCH = 7, 10, 13, 15, 16, 17  # in cw.creep, behind the force and its slope
LEAST_CURVATURE = 1e-3  # across, as part of that along: on an edge, where Hertz's theory does not hold


@part
def elliptic(ratio):
    """Complete elliptic integrals K(e) and D(e) = (K - E) / e² of e² = 1 - ratio², by arithmetic-geometric means."""
    a, b, weight = 1.0, ratio, 1.0
    share = (1.0 - ratio) / (4.0 * (1.0 + ratio))  # c_n² / e²: c_n itself may be zero
    total = 0.5
    for _ in range(MEANS):
        c = 0.5 * (a - b)
        a, b = 0.5 * (a + b), (a * b) ** 0.5
        total += weight * share
        weight *= 2.0
        share *= c * c / (16.0 * (0.5 * (a + b)) ** 2)
    K = 0.5 * math.pi / a
    return K, K * total


@part
def ratio_of_axes(curvatures):
    """b / a of the ellipse in which surfaces touch of curvatures with this ratio, at least 1 (Johnson 1985, 4.26)."""
    ratio = curvatures ** (-2.0 / 3.0)
    for _ in range(RATIO_STEPS):
        K, D = elliptic(ratio)
        change = ((K - D) / (ratio * ratio * D * curvatures)) ** (2.0 / 3.0)
        ratio = min(ratio * change, 1.0)
        if abs(change - 1.0) < 1e-14:
            break
    return ratio


@part
def patch_cubed(c, pair, along, across):
    """c³ of the ellipse of contact for a unit normal force: c = sqrt(a b)."""
    across = max(across, LEAST_CURVATURE * along)
    ratio = c[pair, AXIS_RATIO]
    if ratio == 0.0:
        ratio = ratio_of_axes(max(along, across) / min(along, across))
    K, D = elliptic(ratio)
    E = K - (1.0 - ratio * ratio) * D
    half = 0.5 * (along + across)
    return 3.0 * (1.0 - c[pair, POISSON]) * E / (2.0 * math.pi * half * c[pair, SHEAR_MODULUS] * ratio**0.5)


@part
def linear_creep(c, pair, cubed, nu_x, nu_y, spin, N):
    """Kalker's linear forces over mu N at the normal force N > 0: along, across by creepage, across by spin."""
    G, limit = c[pair, SHEAR_MODULUS], c[pair, FRICTION] * N
    radius = (cubed * N) ** (1.0 / 3.0)
    square = radius * radius
    return (
        -G * square * c[pair, C11] * nu_x / limit,
        -G * square * c[pair, C22] * nu_y / limit,
        -G * square * radius * c[pair, C23] * spin / limit,
    )


@part
def saturate(law, x, y, dx, dy):
    """Creep forces over mu N where the linear ones are x and y, and their changes where these change by dx, dy."""
    if law == 0.0:
        f_x, f_y = math.tanh(x), math.tanh(y)
        df_x, df_y = (1.0 - f_x * f_x) * dx, (1.0 - f_y * f_y) * dy
        size = (f_x * f_x + f_y * f_y) ** 0.5
        if size > 1.0:
            turn = (f_x * df_x + f_y * df_y) / (size * size)
            f_x, f_y, df_x, df_y = f_x / size, f_y / size, (df_x - f_x * turn) / size, (df_y - f_y * turn) / size
        return f_x, f_y, df_x, df_y
    e = (x * x + y * y) ** 0.5
    share, dshare = 1.0, 0.0  # the force over the linear one, and its slope over e
    if e < 3.0:
        share, dshare = 1.0 - e / 3.0 + e * e / 27.0, 2.0 * e / 27.0 - 1.0 / 3.0
    else:
        share, dshare = 1.0 / e, -1.0 / (e * e)
    de = (x * dx + y * dy) / e if e > 0.0 else 0.0
    return share * x, share * y, share * dx + dshare * de * x, share * dy + dshare * de * y


@part
def saturated(c, pair, cubed, nu_x, nu_y, spin, N):
    """Creep forces along and across the rolling at the normal force N > 0, and their slopes over N.

    With x the linear forces over mu N, whose slopes follow from c² ~ N^(2/3) and c³ ~ N.
    """
    x, y_2, y_3 = linear_creep(c, pair, cubed, nu_x, nu_y, spin, N)
    dx, dy = -x / (3.0 * N), -y_2 / (3.0 * N)  # y_3 does not depend on N
    f_x, f_y, df_x, df_y = saturate(c[pair, SATURATION], x, y_2 + y_3, dx, dy)
    mu = c[pair, FRICTION]
    return mu * N * f_x, mu * N * f_y, mu * (f_x + N * df_x), mu * (f_y + N * df_y)


@part
def in_the_plane_of_contact(e, n, motion, around, omega):
    """Directions along and across the rolling, velocity at the point, turning about the normal."""
    slip = add(motion, around)
    x = cross(e, n)
    size = dot(x, x) ** 0.5
    if dot(x, sub(motion, around)) < 0.0:
        size = -size
    x = scale(1.0 / size, x)
    return x, cross(n, x), slip, dot(omega, n)


@part
def against_the_track(X_A, e, n, motion, around, omega):
    """The same as Simeon, Führer and Rentrop measure it: theta is the yaw, delta the angle of contact."""
    up, forward = axis_of(X_A[0], 2), axis_of(X_A[0], 1)
    if dot(forward, sub(motion, around)) < 0.0:
        forward = scale(-1.0, forward)
    aside = cross(up, forward)
    if dot(e, aside) < 0.0:
        e = scale(-1.0, e)
    theta, delta = math.atan2(-dot(e, forward), dot(e, aside)), math.atan2(-dot(n, aside), dot(n, up))
    sin_phi, sin_delta, cos_delta = dot(e, up), math.sin(delta), math.cos(delta)
    yawed = theta / cos_delta
    rolled = cross(add(scale(math.sin(theta), aside), scale(math.cos(theta), forward)), e)
    yaw_rate = dot(omega, rolled) / (1.0 - sin_phi * sin_phi) ** 0.5
    own_rate = dot(omega, e) - yaw_rate * sin_phi
    x = add(scale(math.sin(yawed), aside), scale(math.cos(yawed), forward))
    across = sub(scale(math.cos(yawed), aside), scale(math.sin(yawed), forward))
    y = add(scale(cos_delta, across), scale(sin_delta, up))
    more = yawed - theta  # what moves with the wheelset is turned on by this angle, about `up`
    flat = sub(around, scale(dot(around, up), up))
    turned = add(scale(math.cos(more), flat), scale(math.sin(more), cross(up, flat)))
    around = add(turned, scale(dot(around, up), up))
    return x, y, add(motion, around), cos_delta * yaw_rate - sin_delta * own_rate


@part
def put_creep(c, pair, cw, s, a, b, along, across):
    """cw.creep[s, 1:7]: creep force on b and its slope over the normal force cw.creep[s, 0]; behind: its motion."""
    N = cw.creep[s, 0]
    for i in range(1, CREEP_NUMBERS):
        cw.creep[s, i] = 0.0
    if not N > 0.0:
        return
    X_A, X_B, p, n = get_pose(cw.X_WS, a), get_pose(cw.X_WS, b), get3(cw.point, s, 0), get3(cw.frame, s, 0)
    omega_a, omega_b = get3(cw.V_WS, a, 0), get3(cw.V_WS, b, 0)
    below = add(get3(cw.V_WS, a, 3), cross(omega_a, sub(p, X_A[1])))  # velocity of the rail at the point
    motion, around = sub(get3(cw.V_WS, b, 3), below), cross(omega_b, sub(p, X_B[1]))
    e, omega = axis_of(X_B[0], 2), sub(omega_b, omega_a)
    if c[pair, BY_TRACK] == 0.0:
        x, y, slip, turning = in_the_plane_of_contact(e, n, motion, around, omega)
    else:
        x, y, slip, turning = against_the_track(X_A, e, n, motion, around, omega)
    rolling = scale(0.5, sub(slip, scale(2.0, motion)))  # the mean of both surfaces, seen from the point of contact
    speed = (dot(rolling, rolling) + c[pair, SLOW_SPEED] ** 2) ** 0.5
    cubed = patch_cubed(c, pair, along, across)
    slip_x, slip_y = dot(x, slip), dot(y, slip)
    f_x, f_y, df_x, df_y = saturated(c, pair, cubed, slip_x / speed, slip_y / speed, turning / speed, N)
    force, slope = add(scale(f_x, x), scale(f_y, y)), add(scale(df_x, x), scale(df_y, y))
    for i in range(3):
        axis = get3(cw.frame, s, 3 * i)
        cw.creep[s, 1 + i], cw.creep[s, 4 + i] = dot(axis, force), dot(axis, slope)
        cw.creep[s, ALONG + i], cw.creep[s, ACROSS + i] = dot(axis, x), dot(axis, y)
    cw.creep[s, SLIP], cw.creep[s, SLIP + 1], cw.creep[s, SPEED] = slip_x, slip_y, speed
    cw.creep[s, TURNING], cw.creep[s, PATCH] = turning, cubed


@helper
def rolls(contacts, s):
    """Whether slot s is of a rolling contact."""
    return contacts.creep[contacts.slot_pair[s], SHEAR_MODULUS] > 0.0


@part
def creep_converged(contacts, cw, m, n, x):
    """Whether the normal forces are those at which creep forces were computed; if not, these are the next ones."""
    converged = True
    for r in range(n):
        s = m.slot_of[r]
        if s >= 0 and rolls(contacts, s):
            converged = converged and abs(x[r] - cw.creep[s, 0]) <= CREEP_CONVERGED * abs(x[r])
    for r in range(n):
        s = m.slot_of[r]
        if s >= 0 and rolls(contacts, s):
            for i in range(3):  # the force at the new normal force, to first order: exact when they are settled
                cw.creep[s, 1 + i] += cw.creep[s, 4 + i] * (x[r] - cw.creep[s, 0])
            cw.creep[s, 0] = x[r]
    return converged
