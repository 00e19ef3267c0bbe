"""The second half of a Poisson impact of several contacts: expansion with given least normal impulses.

    p_n >= e p_n(compression),   u_n >= 0,   complementary;   |p_t| <= mu p_n against the slip

(Glocker & Pfeiffer 1995), by Gauss-Seidel, each contact solved exactly.
"""

from __future__ import annotations

from duoti.contact.solve.cones import block, put_block, solve_contact
from duoti.kernel import kernel, part

BISECTIONS = 200
SINGULAR = 1e-10  # determinant, relative, below which nothing moves in one of two directions
INSTEAD_OF_ZERO = 1e-100  # instead of zero, with a square that is none


@kernel("d2 d1 l1 d1 d1 d1 d1 i d")
def expand(W, q, first, friction, least, p, u, most_sweeps, tolerance):
    """p from the velocities q after compression; u: velocities at the end. Returns 0, or 1 if it did not converge."""
    n, contacts, change, size = q.shape[0], friction.shape[0], 1.0, 0.0
    for _ in range(most_sweeps):
        change, size = 0.0, 0.0
        for c in range(contacts):
            i, rows = first[c], first[c + 1] - first[c]
            for k in range(i, i + rows):
                s = q[k]
                for j in range(n):
                    if j < i or j >= i + rows:
                        s += W[k, j] * p[j]
                u[k] = s
            before = block(p, i, rows)
            here = _solve(W, i, rows, friction[c], least[c], block(u, i, rows))
            put_block(p, i, rows, here)
            change = max(change, abs(here[0] - before[0]), abs(here[1] - before[1]), abs(here[2] - before[2]))
            size = max(size, abs(here[0]))
        if change <= tolerance * size:
            break
    for i in range(n):
        u[i] = q[i]
        for j in range(n):
            u[i] += W[i, j] * p[j]
    return 0 if change <= tolerance * size else 1


@part
def _solve(W, i, rows, mu, least, b):
    """One contact alone: with the least normal impulse if that opens it, else as any contact."""
    p1, p2 = held(W, i, rows, mu * least, b, least)
    un = b[0] + W[i, i] * least
    if rows > 1:
        un += W[i, i + 1] * p1
    if rows > 2:
        un += W[i, i + 2] * p2
    if un >= 0.0:
        return least, p1, p2
    return solve_contact(W, i, rows, mu, b)


@part
def held(W, i, rows, radius, b, pn):
    """Tangential impulse with a given normal one: stops the slip, or |p_t| = radius against it.

    In directions in which nothing can move, no impulse stops a slip that there is, and all of the radius is against it.
    """
    if rows == 1 or radius == 0.0:
        return 0.0, 0.0
    S11, S12, S22, c1, c2 = W[i + 1, i + 1], 0.0, 1.0, b[1] + W[i + 1, i] * pn, 0.0
    if rows > 2:
        S12, S22, c2 = W[i + 1, i + 2], W[i + 2, i + 2], b[2] + W[i + 2, i] * pn
    low = 0.0 if S11 * S22 - S12 * S12 > SINGULAR * S11 * S22 else max(SINGULAR * (S11 + S22), INSTEAD_OF_ZERO)
    high, p1, p2 = low, 0.0, 0.0
    for k in range(BISECTIONS):
        s = high if k < 2 or low == high else 0.5 * (low + high)
        det = (S11 + s) * (S22 + s) - S12 * S12
        p1, p2 = -((S22 + s) * c1 - S12 * c2) / det, -((S11 + s) * c2 - S12 * c1) / det
        outside = p1 * p1 + p2 * p2 > radius * radius
        if k == 0:
            if not outside:
                break
            high = (c1 * c1 + c2 * c2) ** 0.5 / radius  # |p_t| <= |c| / s
            continue
        if outside:
            low = s
        else:
            high = s
        if k > 1 and high - low <= 4e-16 * high:
            break
    return p1, p2
