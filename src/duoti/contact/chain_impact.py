"""Several contacts in one impact: the law of Liu, Zhao and Brogliato (2008) follows the energy stored in each contact.

Their distributing law dp_j / dp_i = (k_j / k_i)^(1 / (n + 1)) (E_j / E_i)^(n / (n + 1)) is that of springs F = k d^n
with the stored energy E = k d^(n + 1) / (n + 1), each of which gives back the part e^2 of what it has stored. Written
in the compressions d it has no singular start:

    dp_j = k_j d_j^n ds,     dd_j/ds = -u_j  in compression (u_j < 0),  -u_j / e_j^2  in restitution,     du = W dp

Only ratios of stiffness matter: the time s in which it happens is of no consequence. Friction at each contact acts
against its slip, with that of all others: points of one body stop it together, and share this by least norm where it
is not unique (a projected gradient stays with that). A contact takes at most its stored energy back, so that no impact
gains energy.
"""

from __future__ import annotations

from duoti.kernel import helper, kernel, part

PART_OF_PERIOD = 2e-3  # of the fastest oscillation, for a step
STEPS = 50000  # a hundred periods
SWEEPS, SETTLED = 300, 1e-12  # of friction in a step, until it changes by no more than this part of its bounds
PLASTIC = 0.02  # restitution below which the stored energy is lost at once


@kernel
def chain_impact(W, first, friction, restitution, stiffness, exponent, u, p, vectors):
    """u: velocities before, then after; p: impulses. vectors [3, n]: scratch. Returns 0, or 1 if it did not end."""
    contacts, n = friction.shape[0], u.shape[0]
    d, begin, force = vectors[0], vectors[1], vectors[2]
    fastest, speed = 0.0, 0.0
    for c in range(contacts):
        d[c] = 0.0
        fastest = max(fastest, stiffness[c] * W[first[c], first[c]])
        speed = max(speed, abs(u[first[c]]))
    for i in range(n):
        p[i] = 0.0
    if speed == 0.0:
        return 0
    # the largest compression that the speed could make sets the frequency: d = u / w with w^2 = k W d^(n - 1)
    deepest = (speed * speed / fastest) ** (1.0 / (exponent + 1.0))
    h = PART_OF_PERIOD * 6.283 / (exponent * contacts * fastest * deepest ** (exponent - 1.0)) ** 0.5
    for _ in range(STEPS):
        _midpoint(W, first, friction, restitution, stiffness, exponent, u, p, d, begin, force, h)
        if _apart(first, d, u, contacts, speed):
            return 0
    return 1


@part
def _midpoint(W, first, friction, restitution, stiffness, exponent, u, p, d, begin, force, h):
    """Half of the compression, impulses with the forces there, the other half (Störmer-Verlet)."""
    contacts, n = friction.shape[0], u.shape[0]
    for c in range(contacts):
        _compress(c, u[first[c]], restitution[c], d, 0.5 * h)
    for c in range(contacts):
        force[first[c]] = stiffness[c] * d[c] ** exponent if d[c] > 0.0 else 0.0
    _friction(W, first, friction, u, force, begin, h)
    for i in range(n):
        begin[i] = u[i]
        for j in range(n):
            begin[i] += W[i, j] * force[j] * h
    for i in range(n):
        u[i] = begin[i]
        p[i] += h * force[i]
    for c in range(contacts):
        _compress(c, u[first[c]], restitution[c], d, 0.5 * h)


@helper
def _compress(c, un, e, d, h):
    if un <= 0.0:
        d[c] -= h * un
    elif e < PLASTIC:
        d[c] = 0.0
    else:
        d[c] = max(0.0, d[c] - h * un / (e * e))


@part
def _friction(W, first, friction, u, force, slip, h):
    """Coulomb friction of all contacts in a step, from that of the last one: what stops the slip, within the cones."""
    contacts, n, most = friction.shape[0], u.shape[0], 0.0
    for c in range(contacts):
        for i in range(first[c] + 1, first[c + 1]):
            total = 0.0
            for k in range(contacts):
                for j in range(first[k] + 1, first[k + 1]):
                    total += abs(W[i, j])
            most = max(most, total)
    if most == 0.0:
        return
    for _ in range(SWEEPS):
        change, largest = 0.0, 0.0
        for c in range(contacts):
            for i in range(first[c] + 1, first[c + 1]):
                slip[i] = u[i] / h
                for j in range(n):
                    slip[i] += W[i, j] * force[j]
        for c in range(contacts):
            i, bound, size = first[c], friction[c] * force[first[c]], 0.0
            for k in range(i + 1, first[c + 1]):
                size += (force[k] - slip[k] / most) ** 2
            within = min(bound / max(size**0.5, 1e-300), 1.0)
            for k in range(i + 1, first[c + 1]):
                new = within * (force[k] - slip[k] / most)
                change = max(change, abs(new - force[k]))
                force[k] = new
            largest = max(largest, bound)
        if change <= SETTLED * largest:
            break


@part
def _apart(first, d, u, contacts, speed):
    """True if nothing is stored any more and nothing approaches."""
    busy = 0
    for c in range(contacts):
        if d[c] > 0.0 or u[first[c]] < -1e-9 * speed:
            busy += 1
    return busy == 0
