"""Coulomb's cone of one contact: projection, residual, and the exact solution of one contact alone.

A contact has the rows (normal, tangent 1, tangent 2), or two of them in the plane, or the normal alone. With impulses
or forces p and velocities or accelerations u, Coulomb's law is (De Saxcé & Feng 1998)

    K ∋ p  ⟂  u + mu |u_t| n ∈ K*,     K = {|p_t| <= mu p_n}
"""

from __future__ import annotations

from duoti.kernel import helper, part

SEARCHES = 200
NULL_ENTRY = 1e-13  # of the normal entry: an entry of W that is zero but for round-off


@helper
def project_on_cone(pn, p1, p2, mu):
    """The nearest point of the cone |p_t| <= mu p_n."""
    t = (p1 * p1 + p2 * p2) ** 0.5
    if t <= mu * pn and pn >= 0.0:  # without friction, 0 <= -0
        return pn, p1, p2
    if mu * t <= -pn:
        return 0.0, 0.0, 0.0
    n = (pn + mu * t) / (1.0 + mu * mu)
    f = mu * n / t
    return n, f * p1, f * p2


@helper
def block(x, i, size):
    """The three numbers of a contact with `size` rows from row i on; zeros for rows that it does not have."""
    return x[i], x[i + 1] if size > 1 else 0.0, x[i + 2] if size > 2 else 0.0


@helper
def put_block(x, i, size, p):
    """Inverse of `block`."""
    x[i] = p[0]
    if size > 1:
        x[i + 1] = p[1]
    if size > 2:
        x[i + 2] = p[2]


@helper
def local_residual(p, u, mu, rho):
    """|p - proj_K(p - rho (u + mu |u_t| n))| / rho: zero where Coulomb's law holds; in the unit of u."""
    shift = mu * (u[1] * u[1] + u[2] * u[2]) ** 0.5
    n, a, b = project_on_cone(p[0] - rho * (u[0] + shift), p[1] - rho * u[1], p[2] - rho * u[2], mu)
    return ((p[0] - n) ** 2 + (p[1] - a) ** 2 + (p[2] - b) ** 2) ** 0.5 / rho


@part
def cone_residual(W, q, first, friction, p, u):
    """u := W p + q; returns the largest residual of all contacts and of the bilateral rows after them.

    Contact i has the rows first[i] to first[i + 1].
    """
    n, contacts, worst = q.shape[0], friction.shape[0], 0.0
    for i in range(n):
        s = q[i]
        for j in range(n):
            s += W[i, j] * p[j]
        u[i] = s
    for c in range(contacts):
        i, size = first[c], first[c + 1] - first[c]
        rho = 1.0 / block_scale(W, i, size)
        worst = max(worst, local_residual(block(p, i, size), block(u, i, size), friction[c], rho))
    for i in range(first[contacts], n):
        worst = max(worst, abs(u[i]))
    return worst


@helper
def block_scale(W, i, size):
    """Largest diagonal entry of a contact."""
    s = W[i, i]
    for k in range(1, size):
        s = max(s, W[i + k, i + k])
    return s


@part
def solve_contact(W, i, size, mu, b):
    """p of one contact alone: u = W_ii p + b with Coulomb's law, b the three numbers of the contact.

    Open if b_n >= 0; stick if -W^-1 b lies in the cone; else it slides: u_t = -s p_t with s > 0 and u_n = 0, so that
    p_t(s) = -(S + s)^-1 c with the Schur complement S of the normal row, and s is where |p_t| = mu p_n. This is a root
    in one unknown that always exists: at s = 0 (stick) the force is outside the cone, for s to infinity inside.
    """
    Wnn = W[i, i]
    if b[0] >= 0.0:
        return 0.0, 0.0, 0.0
    if mu == 0.0 or size == 1:
        return -b[0] / Wnn, 0.0, 0.0
    n1, m1 = W[i, i + 1], W[i + 1, i]
    S11, S12, S22, n2, m2 = W[i + 1, i + 1] - m1 * n1 / Wnn, 0.0, Wnn, 0.0, 0.0
    if size > 2:
        n2, m2 = W[i, i + 2], W[i + 2, i]
        S12 = W[i + 1, i + 2] - m1 * n2 / Wnn
        S22 = W[i + 2, i + 2] - m2 * n2 / Wnn
    c1, c2 = b[1] - m1 * b[0] / Wnn, b[2] - m2 * b[0] / Wnn
    # a direction in which nothing can move (planar models) has no slip and gets no impulse
    if not NULL_ENTRY * Wnn < S22:
        S12, S22, c2 = 0.0, Wnn, 0.0
    if not NULL_ENTRY * Wnn < S11:
        S12, S11, c1 = 0.0, Wnn, 0.0
    # stick, or the root of |p_t| - mu p_n in s
    scale = S11 + S22
    low, high = 0.0, scale
    f_low, f_high = 1.0, -1.0
    for k in range(SEARCHES):
        s = 0.0 if k == 0 else high
        det = (S11 + s) * (S22 + s) - S12 * S12
        if not det > 1e-14 * scale * scale and k == 0:
            continue  # stick is not unique: it is looked for with s > 0
        p1, p2 = -((S22 + s) * c1 - S12 * c2) / det, -((S11 + s) * c2 - S12 * c1) / det
        pn = -(b[0] + n1 * p1 + n2 * p2) / Wnn
        f = (p1 * p1 + p2 * p2) ** 0.5 - mu * pn
        if k == 0:
            if f <= 0.0:
                return pn, p1, p2
            f_low = f
        elif f <= 0.0:
            f_high = f
            break
        else:
            low, f_low = high, f
            high = 4.0 * high
    pn, p1, p2, side = 0.0, 0.0, 0.0, 0
    for _ in range(SEARCHES):
        s = (low * f_high - high * f_low) / (f_high - f_low)
        if not low < s < high:
            s = 0.5 * (low + high)
        det = (S11 + s) * (S22 + s) - S12 * S12
        p1, p2 = -((S22 + s) * c1 - S12 * c2) / det, -((S11 + s) * c2 - S12 * c1) / det
        pn = -(b[0] + n1 * p1 + n2 * p2) / Wnn
        t = (p1 * p1 + p2 * p2) ** 0.5
        f = t - mu * pn
        if abs(f) <= 1e-16 * (t + mu * abs(pn)) or high - low <= 4e-16 * high:
            break
        if f > 0.0:
            low, f_low = s, f
            if side == 1:
                f_high = 0.5 * f_high
            side = 1
        else:
            high, f_high = s, f
            if side == -1:
                f_low = 0.5 * f_low
            side = -1
    return pn, p1, p2
