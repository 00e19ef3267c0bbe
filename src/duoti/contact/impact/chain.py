"""Several contacts in one impact: the law of Liu, Zhao and Brogliato (2008) follows the energy stored in each contact.

Their distributing law dp_j / dp_i = (k_j / k_i)^(1 / (n + 1)) (E_j / E_i)^(n / (n + 1)) is that of springs F = k d^n
with the stored energy E = k d^(n + 1) / (n + 1), each of which gives back the part e^2 of what it has stored. Written
in the compressions d it has no singular start:

    dp_j = k_j d_j^n ds,     dd_j/ds = -u_j  in compression (u_j < 0),  -u_j / e_j^2  in restitution,     du = W dp

Only ratios of stiffness matter: the time s in which it happens is of no consequence. Friction at each contact acts
against its slip, with that of all others: points of one body stop it together, and share this by least norm where it
is not unique (a projected gradient stays with that). Resistance against rolling and turning is the same with rows of
angular velocities: forces in discs whose radii are parts of the normal force. A contact takes at most its stored energy
back, so that no impact gains energy.
"""

from __future__ import annotations

from duoti.kernel import helper, kernel, part

FRACTION_OF_PERIOD = 2e-3  # of the fastest oscillation, for a step
STEPS = 50000  # a hundred periods
SWEEPS, CHAIN_CONVERGED = 300, 1e-12  # of friction in a step, until it changes by no more than this part of its bounds
PLASTIC = 0.02  # restitution below which the stored energy is lost at once


@kernel("d2 l1 l2 d1 d1 d1 d d1 d1 d2")
def chain_impact(W, normal, discs, radius, restitution, stiffness, exponent, u, p, vectors):
    """u: velocities before, then after; p: impulses. Returns 0, or 1 if it did not end.

    normal [contacts]: rows of the normal impulses; discs [d, 3]: first row of each disc, the row behind its last one,
    and the row of its normal impulse; radius [d]: for a unit of that. vectors [3, n]: scratch.
    """
    contacts, n = normal.shape[0], u.shape[0]
    d, begin, force = vectors[0], vectors[1], vectors[2]
    fastest, speed = 0.0, 0.0
    for c in range(contacts):
        d[c] = 0.0
        fastest = max(fastest, stiffness[c] * W[normal[c], normal[c]])
        speed = max(speed, abs(u[normal[c]]))
    for i in range(n):
        p[i], force[i] = 0.0, 0.0
    if speed == 0.0:
        return 0
    # the largest compression that the speed could make sets the frequency: d = u / w with w^2 = k W d^(n - 1)
    deepest = (speed * speed / fastest) ** (1.0 / (exponent + 1.0))
    h = FRACTION_OF_PERIOD * 6.283 / (exponent * contacts * fastest * deepest ** (exponent - 1.0)) ** 0.5
    for _ in range(STEPS):
        _midpoint(W, normal, discs, radius, restitution, stiffness, exponent, u, p, d, begin, force, h)
        if _apart(normal, d, u, contacts, speed):
            return 0
    return 1


@part
def _midpoint(W, normal, discs, radius, restitution, stiffness, exponent, u, p, d, begin, force, h):
    """Half of the compression, impulses with the forces there, the other half (Störmer-Verlet)."""
    contacts, n = normal.shape[0], u.shape[0]
    for c in range(contacts):
        _compress(c, u[normal[c]], restitution[c], d, 0.5 * h)
    for c in range(contacts):
        force[normal[c]] = stiffness[c] * d[c] ** exponent if d[c] > 0.0 else 0.0
    _friction(W, discs, radius, u, force, begin, h)
    for i in range(n):
        begin[i] = u[i]
        for j in range(n):
            begin[i] += W[i, j] * force[j] * h
    for i in range(n):
        u[i] = begin[i]
        p[i] += h * force[i]
    for c in range(contacts):
        _compress(c, u[normal[c]], restitution[c], d, 0.5 * h)


@helper
def _compress(c, un, e, d, h):
    if un <= 0.0:
        d[c] -= h * un
    elif e < PLASTIC:
        d[c] = 0.0
    else:
        d[c] = max(0.0, d[c] - h * un / (e * e))


@part
def _friction(W, discs, radius, u, force, slip, h):
    """Forces in discs in a step, from those of the last one: what stops the motion there, within the discs."""
    count, n, most = discs.shape[0], u.shape[0], 0.0
    for c in range(count):
        for i in range(discs[c, 0], discs[c, 1]):
            total = 0.0
            for k in range(count):
                for j in range(discs[k, 0], discs[k, 1]):
                    total += abs(W[i, j])
            most = max(most, total)
    if most == 0.0:
        return
    for _ in range(SWEEPS):
        change, largest = 0.0, 0.0
        for c in range(count):
            for i in range(discs[c, 0], discs[c, 1]):
                slip[i] = u[i] / h
                for j in range(n):
                    slip[i] += W[i, j] * force[j]
        for c in range(count):
            bound, size = radius[c] * force[discs[c, 2]], 0.0
            for k in range(discs[c, 0], discs[c, 1]):
                size += (force[k] - slip[k] / most) ** 2
            within = min(bound / max(size**0.5, 1e-300), 1.0)
            for k in range(discs[c, 0], discs[c, 1]):
                new = within * (force[k] - slip[k] / most)
                change = max(change, abs(new - force[k]))
                force[k] = new
            largest = max(largest, bound)
        if change <= CHAIN_CONVERGED * largest:
            break


@part
def _apart(normal, d, u, contacts, speed):
    """True if nothing is stored any more and nothing approaches."""
    busy = 0
    for c in range(contacts):
        if d[c] > 0.0 or u[normal[c]] < -1e-9 * speed:
            busy += 1
    return busy == 0
