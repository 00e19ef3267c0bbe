"""Curves given by knots (`model.pairs.profiles`), and where two surfaces made of them are nearest to each other.

The first two of the four numbers of such a shape are the first row of its table and the one after its last, the others
the limits of its profile. Points of contact are looked for at `SAMPLES` + 1 places along the profile, and from the best
one on by Newton's method: of several local minima of the gap the least is found, unless it is narrower than that. All
of it is a function of the poses, without memory; a last step of Newton's method in complex numbers carries a complex
step through (implicit function theorem).
"""

from __future__ import annotations

from duoti.kernel import part
from duoti.model.pairs.base import axis_of, clamped, none_here
from duoti.model.pairs.profiles import HEIGHT, SECOND, SLOPE, X
from duoti.spatial.algebra import add, dot, mul, mulT, scale, sqrt, sub

SAMPLES = 48
NEWTON_STEPS = 40
CLOSE = 1e-10  # part of the profile's width: the step that follows such a small one is the last
FLAT = 1e-6  # 1/m: surfaces of less relative curvature have no single point of contact, the sample is taken
ALONG = 1e-12  # square of the sine of an angle that counts as none
UPRIGHT = 0.95  # cosine of the lean up to which only the lower side of a wheel can touch


@part
def curve(table, s, x):
    """Height, slope and second derivative of a profile at x; beyond its ends it goes on straight."""
    low, high = int(s[0]), int(s[1]) - 1
    if x.real < table[low, X].real or x.real > table[high, X].real:
        end = low if x.real < table[low, X].real else high
        slope = table[end, SLOPE].real
        return table[end, HEIGHT].real + slope * (x - table[end, X].real), slope + 0.0 * x, 0.0 * x
    while high - low > 1:
        middle = (low + high) // 2
        if table[middle, X].real <= x.real:
            low = middle
        else:
            high = middle
    h = table[high, X].real - table[low, X].real
    t = (x - table[low, X].real) / h
    c0, c1, c2 = table[low, HEIGHT].real, h * table[low, SLOPE].real, 0.5 * h * h * table[low, SECOND].real
    d = table[high, HEIGHT].real - c0 - c1 - c2  # what is left of height, slope and curvature at the other knot
    e = h * table[high, SLOPE].real - c1 - 2.0 * c2
    g = h * h * table[high, SECOND].real - 2.0 * c2
    c3, c4, c5 = 10.0 * d - 4.0 * e + 0.5 * g, 7.0 * e - 15.0 * d - g, 6.0 * d - 3.0 * e + 0.5 * g
    height = c0 + t * (c1 + t * (c2 + t * (c3 + t * (c4 + t * c5))))
    slope = c1 + t * (2.0 * c2 + t * (3.0 * c3 + t * (4.0 * c4 + t * 5.0 * c5)))
    second = 2.0 * c2 + t * (6.0 * c3 + t * (12.0 * c4 + t * 20.0 * c5))
    return height, slope / h, second / (h * h)


@part
def _start_on_extrusion(table, s_a, s_b, ey, across, c, m, w):
    """The place along the wheel's profile where a sample is nearest to the rail, and on which side; 0: there is none.

    The side 1 is the lower one, -1 the other, which may be the nearer one of a wheel that lies.
    """
    best, chosen, facing = 1e300, 0.0, 0.0
    for i in range(SAMPLES + 1):
        s = s_b[2] + (s_b[3] - s_b[2]) * i / SAMPLES
        r, dr, _ = curve(table, s_b, s)
        k = dr * ey / across
        if k * k >= 1.0:
            continue
        P_m, P_w = s * across - r * dr * ey * ey / across, r * (1.0 - k * k) ** 0.5
        for j in range(1 if abs(m[0]) > UPRIGHT else 2):
            side = 1.0 - 2.0 * j
            f, df, _ = curve(table, s_a, c[0] + m[0] * P_m + side * w[0] * P_w)
            gap = (c[1] + m[1] * P_m + side * w[1] * P_w - f) / (1.0 + df * df) ** 0.5
            if gap < best:
                best, chosen, facing = gap, s, side
    return chosen, facing


@part
def _rim_on_extrusion(table, s_a, s, r, ey, across, c, m, w, x):
    """The same for the rim at an end s of the profile, which has all normals between that of the profile and the axle.

    With the rail's normal n at x and R² = (n.w)² + (n.m)² e_y²: r' = c n.m / R and sqrt(1 - kappa²) = -n.w / R.
    """
    P_x, P_z, f, df, last = x, x, x, x, False
    slope = 0.0 * x
    for _ in range(NEWTON_STEPS):
        f, df, d2f = curve(table, s_a, x)
        n_m, n_w = m[1] - df * m[0], w[1] - df * w[0]
        R = sqrt(n_w * n_w + ey * ey * n_m * n_m)
        slope, q = n_m / R, -n_w / R
        P_m, P_w = s * across - r * slope * ey * ey, r * q
        P_x, P_z = c[0] + m[0] * P_m + w[0] * P_w, c[2] + m[1] * P_m + w[1] * P_w
        if last:
            break
        dn_m, dn_w = -d2f * m[0], -d2f * w[0]
        dR = (n_w * dn_w + ey * ey * n_m * dn_m) / R
        dP_m, dP_w = -r * ey * ey * (dn_m - slope * dR) / R, -r * (dn_w + q * dR) / R
        rise = m[0] * dP_m + w[0] * dP_w + (m[1] * dP_m + w[1] * dP_w) * df
        F = P_x - x + (P_z - f) * df
        J = rise + (P_z - f) * d2f - 1.0 - df * df
        dx = F / (1.0 + df * df) if J.real > -0.1 else -F / J
        last = abs(dx.real) < CLOSE * r.real
        x = x + dx
    return x, f, df, P_x, c[1] + s * ey + r * slope * across * ey, P_z


@part
def extrusion_revolution(table, X_A, X_B, s_a, s_b, k):
    """A surface of revolution (b) on an extrusion (a).

    Seen along the extrusion the wheel has an outline: at the place s of its axle, the point whose normal is at right
    angles to the view. With e the axle, e_y its part along the extrusion, m and w unit vectors in view along the axle
    and across it, downwards, and c = sqrt(1 - e_y²), kappa = r' e_y / c:

        P = centre + m (c s - r r' e_y² / c) + w r sqrt(1 - kappa²),      N = -m r' / c + w sqrt(1 - kappa²)

    A point of contact (s, x) is where N is normal to the rail's curve (x, f) and P on the normal of that curve:

        N . (1, f') = 0,      (P - (x, f)) . (1, f') = 0
    """
    e, c = mulT(X_A[0], axis_of(X_B[0], 2)), mulT(X_A[0], sub(X_B[1], X_A[1]))
    square = e[0] * e[0] + e[2] * e[2]
    if square.real < ALONG:
        return none_here(X_B[1])
    ey, across = e[1], sqrt(square)
    m = (e[0] / across, e[2] / across)
    side = -1.0 if e[0].real > 0.0 else 1.0
    w = (-side * m[1], side * m[0])
    c_real, m_real, w_real = (c[0].real, c[2].real), (m[0].real, m[1].real), (w[0].real, w[1].real)
    start, facing = _start_on_extrusion(table, s_a, s_b, ey.real, across.real, c_real, m_real, w_real)
    if facing == 0.0:
        return none_here(X_B[1])
    w = (facing * w[0], facing * w[1])
    s, x, spacing, last = start + 0.0 * ey, 0.0 * ey, (s_b[3] - s_b[2]) / SAMPLES, False
    P_x, P_z, f, df, r, dr = x, x, x, x, x, x
    for step in range(NEWTON_STEPS):
        r, dr, d2r = curve(table, s_b, s)
        kappa = dr * ey / across
        left = 1.0 - kappa * kappa
        if not left.real > 0.0:
            return none_here(X_B[1])
        q = sqrt(left)
        dq = -kappa * d2r * ey / (across * q)
        P_m, P_w = s * across - r * dr * ey * ey / across, r * q
        dP_m, dP_w = across - (dr * dr + r * d2r) * ey * ey / across, dr * q + r * dq
        P_x, P_z = c[0] + m[0] * P_m + w[0] * P_w, c[2] + m[1] * P_m + w[1] * P_w
        if step == 0:
            x = P_x
        f, df, d2f = curve(table, s_a, x)
        if last:
            break
        N_x, N_z = w[0] * q - m[0] * dr / across, w[1] * q - m[1] * dr / across
        dN_x, dN_z = w[0] * dq - m[0] * d2r / across, w[1] * dq - m[1] * d2r / across
        dP_x, dP_z = m[0] * dP_m + w[0] * dP_w, m[1] * dP_m + w[1] * dP_w
        F_1, F_2 = N_x + N_z * df, P_x - x + (P_z - f) * df
        J_11, J_12 = dN_x + dN_z * df, N_z * d2f
        J_21, J_22 = dP_x + dP_z * df, (P_z - f) * d2f - 1.0 - df * df
        det = J_11 * J_22 - J_12 * J_21
        ds = 0.0 * det
        if abs(det.real) > FLAT:
            ds = (F_2 * J_12 - F_1 * J_22) / det
        if abs(ds.real) > spacing:
            ds = spacing * ds / abs(ds.real)
        then = clamped(s + ds, s_b[2], s_b[3])
        dx = -(F_2 + J_21 * (then - s)) / J_22
        last = step > 0 and abs((then - s).real) + abs(dx.real) < CLOSE * SAMPLES * spacing
        s, x = then, x + dx
    P_y = c[1] + s * ey + r * dr * ey
    if s.real <= s_b[2] or s.real >= s_b[3]:
        x, f, df, P_x, P_y, P_z = _rim_on_extrusion(table, s_a, s, r, ey, across, c, m, w, x)
    size = sqrt(1.0 + df * df)
    gap = (P_z - f - (P_x - x) * df) / size
    n = mul(X_A[0], (-df / size, 0.0 * df, 1.0 / size))
    p_b = add(X_A[1], mul(X_A[0], (P_x, P_y, P_z)))
    return gap, sub(p_b, scale(gap, n)), p_b, n


@part
def plane_revolution(table, X_A, X_B, s_a, s_b, k):
    """A surface of revolution (b) on a half-space: the height of the lowest point of each circle is least.

    h(s) = n . centre + s n.e - r(s) sqrt(1 - (n.e)²)
    """
    n, e = axis_of(X_A[0], 2), axis_of(X_B[0], 2)
    lean = dot(n, e)
    radial = sub(n, scale(lean, e))
    square = dot(radial, radial)
    if square.real < ALONG:  # it stands on its side, on which no point is the lowest: one of the rim
        radial, square = axis_of(X_B[0], 0), 1.0 + 0.0 * square
    steep = sqrt(square)
    best, start, spacing = 1e300, 0.0, (s_b[3] - s_b[2]) / SAMPLES
    for i in range(SAMPLES + 1):
        s_i = s_b[2] + i * spacing
        r_i, _, _ = curve(table, s_b, s_i)
        height = s_i * lean.real - r_i * steep.real
        if height < best:
            best, start = height, s_i
    s, last = start + 0.0 * lean, False
    for _ in range(NEWTON_STEPS):
        _, dr, d2r = curve(table, s_b, s)
        if last:
            break
        ds = 0.0 * s
        if abs((d2r * steep).real) > FLAT:
            ds = (lean - dr * steep) / (d2r * steep)
        if abs(ds.real) > spacing:
            ds = spacing * ds / abs(ds.real)
        then = clamped(s + ds, s_b[2], s_b[3])
        last = abs((then - s).real) < CLOSE * SAMPLES * spacing
        s = then
    r, _, _ = curve(table, s_b, s)
    p_b = add(X_B[1], sub(scale(s, e), scale(r / steep, radial)))
    gap = dot(n, sub(p_b, X_A[1]))
    return gap, sub(p_b, scale(gap, n)), p_b, n


@part
def sphere_extrusion(table, X_A, X_B, s_a, s_b, k):
    """A ball (a) and an extrusion (b): the point (x, f) of the curve that is nearest to the centre, across the axis."""
    c = mulT(X_B[0], sub(X_A[1], X_B[1]))
    best, start, spacing = 1e300, c[0].real, (s_b[3] - s_b[2]) / SAMPLES
    for i in range(SAMPLES + 2):
        x_i = s_b[2] + i * spacing if i <= SAMPLES else c[0].real  # the last may be beyond the ends
        f_i, _, _ = curve(table, s_b, x_i)
        away = (x_i - c[0].real) ** 2 + (f_i - c[2].real) ** 2
        if away < best:
            best, start = away, x_i
    x, last = start + 0.0 * c[0], False
    for _ in range(NEWTON_STEPS):
        f, df, d2f = curve(table, s_b, x)
        slope = 1.0 + df * df + d2f * (f - c[2])
        dx = -(x - c[0] + df * (f - c[2])) / (slope if slope.real > 0.1 else 1.0 + df * df)
        if abs(dx.real) > spacing:
            dx = spacing * dx / abs(dx.real)
        x = x + dx
        if last:
            break
        last = abs(dx.real) < CLOSE * SAMPLES * spacing
    f, df, _ = curve(table, s_b, x)
    size = sqrt(1.0 + df * df)
    n = mul(X_B[0], (df / size, 0.0 * df, -1.0 / size))  # into the material
    height = (c[2] - f - (c[0] - x) * df) / size
    return height - s_a[0], add(X_A[1], scale(s_a[0], n)), add(X_A[1], scale(height, n)), n


@part
def wheel_curvature(table, X_B, s_b, p):
    """Curvatures of a surface of revolution at its point p: around its axis, and along its profile."""
    r, dr, d2r = curve(table, s_b, dot(axis_of(X_B[0], 2), sub(p, X_B[1])))
    square = 1.0 + dr * dr
    return 1.0 / (r * sqrt(square)), -d2r / (square * sqrt(square))


@part
def rail_curvature(table, X_A, s_a, p):
    """Curvature of an extrusion at its point p, across its axis."""
    _, df, d2f = curve(table, s_a, dot(axis_of(X_A[0], 0), sub(p, X_A[1])))
    square = 1.0 + df * df
    return -d2f / (square * sqrt(square))
