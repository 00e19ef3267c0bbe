"""The alternating direction method of multipliers for contacts with Coulomb's cone and bilateral rows.

    x = (W + (rho + eps) 1)^-1 (-q - s + eps x + rho z - y),   z = proj_K(x + y / rho),   y += rho (x - z)

with De Saxcé's shift s = mu |u_t| n of the last iteration (Acary & Brogliato 2008, section 13; Boyd et al. 2011). One
factor serves many iterations, and mass ratios matter little, since x comes from the whole matrix. rho is made larger
or smaller where one of the two residuals lags behind. Contacts are scaled to diagonals of one, all rows of a contact
alike, so that the cones stay what they are.
"""

from __future__ import annotations

from duoti.contact.solve.cones import block, block_scale, cone_residual, project_on_cone, put_block
from duoti.kernel import kernel, part

CONVERGED, TOO_MANY_ITERATIONS, STALLED, NOT_FINITE = 0, 1, 2, 3
PROXIMAL = 1e-8
ADAPT_EVERY, LOOK_EVERY = 10, 5
RATIO, CHANGE = 10.0, 5.0  # of the residuals, and of rho


@kernel("d2 d1 l1 d1 d1 d1 d2 d2 d1 i d")
def admm(W, q, first, friction, p, u, A, vectors, numbers, most_iterations, tolerance):
    """Improve p until the residual is below the tolerance (in the unit of q); returns a status.

    A [n, n] and vectors [5, n]: scratch; numbers [3]: iterations made, residual, factorisations.
    """
    return alternate(W, q, first, friction, p, u, A, vectors, numbers, most_iterations, tolerance)


@part
def alternate(W, q, first, friction, p, u, A, vectors, numbers, most_iterations, tolerance):
    """As `admm`, for other kernels."""
    n, contacts = q.shape[0], friction.shape[0]
    x, z, y, scale, old = vectors[0], vectors[1], vectors[2], vectors[3], vectors[4]
    for c in range(contacts):
        size = first[c + 1] - first[c]
        d = block_scale(W, first[c], size)
        for i in range(first[c], first[c + 1]):
            scale[i] = 1.0 / d**0.5 if d > 0.0 else 1.0
    for i in range(first[contacts], n):
        scale[i] = 1.0 / W[i, i] ** 0.5 if W[i, i] > 0.0 else 1.0
    for i in range(n):
        z[i] = x[i] = p[i] / scale[i]
    residual = cone_residual(W, q, first, friction, p, u)
    for i in range(n):
        y[i] = -scale[i] * u[i]
    rho, rho_of_factor = 0.3, 0.0
    numbers[0], numbers[1], numbers[2] = 0.0, residual, 0.0
    if residual <= tolerance:
        return CONVERGED
    for iteration in range(most_iterations):
        if rho != rho_of_factor:
            factor_shifted(W, scale, rho + PROXIMAL, A)
            rho_of_factor = rho
            numbers[2] += 1.0
        for i in range(n):
            old[i] = z[i]
            x[i] = -scale[i] * q[i] + PROXIMAL * x[i] + rho * z[i] - y[i]
        for c in range(contacts):
            i, size = first[c], first[c + 1] - first[c]
            _, a, b = block(y, i, size)
            x[i] -= friction[c] * (a * a + b * b) ** 0.5
        solve_factor(A, n, x)
        primal, dual = 0.0, 0.0
        for i in range(n):
            z[i] = x[i] + y[i] / rho
        for c in range(contacts):
            i, size = first[c], first[c + 1] - first[c]
            zn, z1, z2 = block(z, i, size)
            put_block(z, i, size, project_on_cone(zn, z1, z2, friction[c]))
        for i in range(n):
            y[i] += rho * (x[i] - z[i])
            primal, dual = max(primal, abs(x[i] - z[i])), max(dual, rho * abs(z[i] - old[i]))
        numbers[0] += 1.0
        if iteration % LOOK_EVERY == LOOK_EVERY - 1 or iteration == most_iterations - 1:
            for i in range(n):
                p[i] = scale[i] * z[i]
            numbers[1] = cone_residual(W, q, first, friction, p, u)
            if not numbers[1] < 1e300:
                return NOT_FINITE
            if numbers[1] <= tolerance:
                return CONVERGED
        if iteration % ADAPT_EVERY == ADAPT_EVERY - 1:
            if primal > RATIO * dual:
                rho = min(CHANGE * rho, 1e6)
            elif dual > RATIO * primal:
                rho = max(rho / CHANGE, 1e-6)
    return TOO_MANY_ITERATIONS


@part
def factor_shifted(W, scale, shift, A):
    """A := Cholesky factor of D W D + shift 1, D = diag(scale); diagonal entries are kept inverted."""
    n = scale.shape[0]
    for i in range(n):
        for j in range(i + 1):
            s = scale[i] * W[i, j] * scale[j]
            if i == j:
                s += shift
            for k in range(j):
                s -= A[i, k] * A[j, k]
            A[i, j] = s * A[j, j] if j < i else 1.0 / max(s, 1e-300) ** 0.5


@part
def solve_factor(A, n, x):
    """x := (A A^T)^-1 x with inverted diagonal entries."""
    for i in range(n):
        s = x[i]
        for j in range(i):
            s -= A[i, j] * x[j]
        x[i] = s * A[i, i]
    for i in range(n - 1, -1, -1):
        x[i] *= A[i, i]
        for j in range(i):
            x[j] -= A[i, j] * x[i]
