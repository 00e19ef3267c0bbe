"""Newton's method on Coulomb's law written as a projection (Alart & Curnier 1991): the last digits after `admm`.

    p_n = max(0, p_n - r u_n),   p_t = the point of the disc of radius mu max(0, p_n - r u_n) nearest to p_t - r u_t

Near a solution it doubles the number of digits in each iteration; far away it may fail, and then leaves p as it was.
Redundant contacts make its matrix singular: a shift of round-off size picks a step.
"""

from __future__ import annotations

from duoti.contact.solve.cones import NULL_ENTRY, block_scale, cone_residual
from duoti.contact.solve.elimination import solve_general
from duoti.kernel import helper, kernel, part

SHIFT = 1e-9  # of the diagonal
EXACT, LAST_ITERATIONS = 1e-15, 3  # of the largest number in q: residual from which on p is exact; iterations to there
NO_SLIP = 1e-12  # of the normal impulse: slip, times the step, that is zero but for round-off


@kernel("d2 d1 l1 d1 d1 d1 d2 d2 i d")
def newton(W, q, first, friction, p, u, A, vectors, most_iterations, tolerance):
    """Improve p; returns the residual. A [n, n] and vectors [3, n]: scratch."""
    return polish(W, q, first, friction, p, u, A, vectors, most_iterations, tolerance)


@part
def polish(W, q, first, friction, p, u, A, vectors, most_iterations, tolerance):
    """As `newton`, for other kernels."""
    n = q.shape[0]
    x, f, best = vectors[0], vectors[1], vectors[2]
    for i in range(n):
        x[i] = best[i] = p[i]
    least = cone_residual(W, q, first, friction, x, u)
    for _ in range(most_iterations):
        if least <= tolerance:
            break
        _equations(W, first, friction, x, u, A, f)
        if not solve_general(A, n, f):
            break
        for i in range(n):
            x[i] -= f[i]
        residual = cone_residual(W, q, first, friction, x, u)
        if residual < least:
            least = residual
            for i in range(n):
                best[i] = x[i]
        elif not residual < 1e6 * (least + 1e-300):
            break
    for i in range(n):
        p[i] = best[i]
    _into_cones(first, friction, p)
    return cone_residual(W, q, first, friction, p, u)


@part
def _into_cones(first, friction, p):
    """Round-off must not leave a pulling force."""
    for c in range(friction.shape[0]):
        i = first[c]
        if p[i] <= 0.0:
            for k in range(i, first[c + 1]):
                p[k] = 0.0


@helper
def _no_impulse(A, f, p, k, n):
    """The equation p_k = 0."""
    f[k] = p[k]
    for j in range(n):
        A[k, j] = 0.0
    A[k, k] = 1.0


@part
def _equations(W, first, friction, p, u, A, f):
    """Residual f and its derivative A with respect to p."""
    n, contacts = u.shape[0], friction.shape[0]
    for c in range(contacts):
        i, size, mu = first[c], first[c + 1] - first[c], friction[c]
        r = 1.0 / block_scale(W, i, size)
        reach = p[i] - r * u[i]
        for j in range(n):
            A[i, j] = 0.0
        if reach <= 0.0:  # open
            for k in range(i, i + size):
                _no_impulse(A, f, p, k, n)
            continue
        f[i] = r * u[i]
        for j in range(n):
            A[i, j] = r * W[i, j]
        A[i, i] += SHIFT
        if mu == 0.0:
            for k in range(i + 1, i + size):
                _no_impulse(A, f, p, k, n)
        if size == 1 or mu == 0.0:
            continue
        t1 = p[i + 1] - r * u[i + 1]
        t2 = p[i + 2] - r * u[i + 2] if size > 2 else 0.0
        length, radius = (t1 * t1 + t2 * t2) ** 0.5, mu * reach
        if length <= radius:  # stick
            for k in range(i + 1, i + size):
                # where nothing can move and nothing slips, the shift would make an impulse of round-off
                if not NULL_ENTRY * W[i, i] < W[k, k] and abs(r * u[k]) <= NO_SLIP * reach:
                    _no_impulse(A, f, p, k, n)
                    continue
                f[k] = r * u[k]
                for j in range(n):
                    A[k, j] = r * W[k, j]
                A[k, k] += SHIFT
            continue
        d1, d2 = t1 / length, t2 / length
        f[i + 1] = p[i + 1] - radius * d1
        if size > 2:
            f[i + 2] = p[i + 2] - radius * d2
        for j in range(n):
            # derivatives of reach and of (t1, t2) with respect to p_j
            dn = (1.0 if j == i else 0.0) - r * W[i, j]
            e1 = (1.0 if j == i + 1 else 0.0) - r * W[i + 1, j]
            e2 = (1.0 if j == i + 2 else 0.0) - r * W[i + 2, j] if size > 2 else 0.0
            along = d1 * e1 + d2 * e2
            A[i + 1, j] = -mu * dn * d1 - radius / length * (e1 - along * d1)
            if size > 2:
                A[i + 2, j] = -mu * dn * d2 - radius / length * (e2 - along * d2)
        A[i + 1, i + 1] += 1.0
        if size > 2:
            A[i + 2, i + 2] += 1.0
    for i in range(first[contacts], n):
        f[i] = u[i] / W[i, i] if W[i, i] > 0.0 else 0.0
        for j in range(n):
            A[i, j] = W[i, j] / W[i, i] if W[i, i] > 0.0 else 0.0
        A[i, i] += SHIFT
