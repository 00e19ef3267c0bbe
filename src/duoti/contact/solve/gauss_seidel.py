"""Nonsmooth Gauss-Seidel: contact after contact, each solved exactly with its cone (Jean 1999).

Simple and small; the number of sweeps grows with mass ratios and the length of stacks: see `admm` for those.
"""

from __future__ import annotations

from duoti.contact.solve.cones import block, cone_residual, put_block, solve_contact
from duoti.kernel import kernel, part

CONVERGED, TOO_MANY_ITERATIONS, STALLED, NOT_FINITE = 0, 1, 2, 3
LOOK_EVERY = 10  # sweeps between looks at the residual


@kernel("d2 d1 l1 d1 d1 d1 d1 i d")
def gauss_seidel(W, q, first, friction, p, u, numbers, most_sweeps, tolerance):
    """Improve p until the residual is below the tolerance (in the unit of q); returns a status.

    numbers [2]: sweeps made and the residual at the end.
    """
    return sweep_contacts(W, q, first, friction, p, u, numbers, most_sweeps, tolerance)


@part
def sweep_contacts(W, q, first, friction, p, u, numbers, most_sweeps, tolerance):
    """As `gauss_seidel`, for other kernels."""
    n, contacts = q.shape[0], friction.shape[0]
    numbers[0] = 0.0
    for sweep in range(most_sweeps):
        for c in range(contacts):
            i, size = first[c], first[c + 1] - first[c]
            for k in range(size):
                s = q[i + k]
                for j in range(n):
                    s += W[i + k, j] * p[j]
                u[i + k] = s
                for j in range(i, i + size):
                    u[i + k] -= W[i + k, j] * p[j]
            put_block(p, i, size, solve_contact(W, i, size, friction[c], block(u, i, size)))
        for i in range(first[contacts], n):
            s = q[i]
            for j in range(n):
                s += W[i, j] * p[j]
            if W[i, i] > 0.0:
                p[i] -= s / W[i, i]
        numbers[0] += 1.0
        if sweep % LOOK_EVERY == LOOK_EVERY - 1 or sweep < 3 or sweep == most_sweeps - 1:
            numbers[1] = cone_residual(W, q, first, friction, p, u)
            if not numbers[1] < 1e300:
                return NOT_FINITE
            if numbers[1] <= tolerance:
                return CONVERGED
    return TOO_MANY_ITERATIONS
