"""How forces that are not unique are shared out among contacts, and joints at rest: within the bounds of friction.

Mostly by least norm, in scales that let friction bear as much as its normal force, and less where that is too much
(`weigh_by_normal_force`, `relieve`). Where this leaves friction beyond its bound, forces inside of all cones are
sought at a transition (`inside_cones`), and later ones are those nearest to them (`from_anchor`). A contact that comes
to the edge of its cone then asks for others; where there are none, something slips.
"""

from __future__ import annotations

import numpy as np

from duoti.contact.event_driven.contact_states import CLOSURE, JOINT_HELD, STICK, ContactStates
from duoti.contact.event_driven.rolling_friction import holds
from duoti.kernel import part
from duoti.system.arrays import Ints, Reals

SHARINGS = 8  # of forces that are not unique, until friction that bears too much bears less
BEYOND = 1e-9  # part of its bound by which friction bears too much
LEAST_FACTOR, LEAST_SCALE = 0.1, 3e-3  # by which its scale falls at once, and to which in all


@part
def weigh_by_normal_force(m, n, x):
    """Scales with which friction is shared out like the normal forces; True if there is something to share out.

    Equal ratios of friction and normal force are what a redundant contact can hold longest.
    """
    total, sticking = 0.0, 0
    for r in range(n):
        s = m.slot_of[r]
        if s >= 0 and m.axis_of[r] == 0 and holds(m, s):
            total += max(x[r], 0.0)
            sticking += 1
    if sticking < 2 or not total > 0.0:
        return False
    weight = 1.0
    for r in range(n):
        s = m.slot_of[r]
        if s < 0 or not holds(m, s):
            continue
        if m.axis_of[r] == 0:
            weight = (max(x[r], 1e-6 * total) * sticking / total) ** 0.5
        else:
            m.scale[r] *= weight
    return True


@part
def relieve(contacts, m, n, x):
    """Scales with which friction beyond its bound carries less, where others can carry more; True if there is some.

    A square root of the ratio, since shares go with the squares of scales.
    """
    found, normal = False, 0.0
    for r in range(n):
        s, axis = m.slot_of[r], m.axis_of[r]
        if s >= 0 and axis == 0:
            normal = max(x[r], 0.0)  # rows of what its friction and resistance hold come behind
        if s == CLOSURE or (s >= 0 and (axis == 0 or axis == 2 or axis == 5)):
            continue
        force, rows = abs(x[r]), 1
        if s == JOINT_HELD:
            bound = m.held_bound[r - n + m.counts[0].held]
        elif axis == 3:
            bound = contacts.torsion[contacts.slot_pair[s]] * normal
        else:  # t1, with t2 behind it
            force, rows = (x[r] * x[r] + x[r + 1] * x[r + 1]) ** 0.5, 2
            arms = contacts.static_friction if axis == 1 else contacts.rolling
            bound = arms[contacts.slot_pair[s]] * normal
        if not force > bound * (1.0 + BEYOND):
            continue
        factor = max((0.5 * bound / force) ** 0.5, LEAST_FACTOR)
        for i in range(r, r + rows):
            least = LEAST_SCALE / abs(m.D[i, i]) ** 0.5 if m.scale[i] > 0.0 else 0.0
            if m.scale[i] > least:
                m.scale[i] = max(factor * m.scale[i], least)
                found = True
    return found


@part
def from_anchor(m, n, right, anchor):
    """Let `right` be what is left of it by the forces of the anchor, which are written to the rows of `anchor`."""
    for r in range(n):
        s, axis = m.slot_of[r], m.axis_of[r]
        anchor[r] = m.anchor[s, axis] if s >= 0 and axis <= 2 else 0.0
    for r in range(n):
        for k in range(n):
            right[r] -= m.D[r, k] * anchor[k]


DEPENDENT = 1e-9  # part of the largest singular value: forces that move nothing
STILL = 1e-7  # part of the accelerations that all forces make, each for itself: round-off of `DEPENDENT`
SHARPNESS = tuple(3.0 * 2.0**k for k in range(16))  # of the maximum that is taken of all distances from the edges
NEWTON_STEPS = 50
CONVERGED = 1e-10


def inside_cones(m: ContactStates, static_friction: Reals) -> tuple[Reals, float]:
    """Forces [slots, 3] that move all bodies like those of the last evaluation, as far inside of all cones as may be.

    Also how far the nearest edge is [N], negative if there are no such forces. static_friction: of each slot. Normal
    forces stay as they are. Newton's method on a smooth maximum (log of a sum of exponentials) of |f_t| - mu N.
    """
    n = int(m.counts[0].rows)
    x, slot, axis = m.vectors[1][:n].copy(), m.slot_of[:n], m.axis_of[:n]
    normal = np.flatnonzero((slot >= 0) & (axis == 0) & (m.state[slot] == STICK))
    scale = m.scale[:n]
    tangents = np.sort(np.concatenate([normal + 1, normal + 2]))
    tangents = tangents[scale[tangents] > 0.0]  # along others nothing can move
    _, values, rows = np.linalg.svd(scale[:, None] * m.D[:n, tangents] * scale[tangents])
    values = np.concatenate([values, np.zeros(len(rows) - len(values) + 1)])  # one more: there may be none
    dependent = values[: len(rows)] <= DEPENDENT * values[0]
    null = np.zeros((n, int(np.sum(dependent))))
    null[tangents] = scale[tangents, None] * rows[dependent].T
    null /= np.maximum(np.linalg.norm(null, axis=0), 1e-300)
    mu = static_friction[slot[normal]]
    size = float(np.max(mu * np.abs(x[normal]), initial=0.0)) or 1.0
    z = np.zeros(null.shape[1])
    for beta in SHARPNESS if len(z) else ():
        z = _least_maximum(z, x / size, null, normal, mu, beta)
    change = size * (null @ z)
    moved = float(np.max(np.abs(scale * (m.D[:n, :n] @ change)), initial=0.0))
    if moved > STILL * float(np.max(np.abs(scale[:, None] * m.D[:n, :n]) @ np.abs(x), initial=0.0)):
        return np.zeros_like(m.anchor), -np.inf  # forces that were taken for ones that move nothing do
    x = x + change
    found = np.zeros_like(m.anchor)
    of_contacts = np.flatnonzero((slot >= 0) & (axis <= 2))
    found[slot[of_contacts], axis[of_contacts]] = x[of_contacts]
    return found, -size * float(np.max(_beyond(x / size, normal, mu)[0], initial=-1.0))


def _beyond(x: Reals, normal: Ints, mu: Reals, rounded: float = 0.0) -> tuple[Reals, Reals, Reals]:
    """|f_t| - mu N; |f_t| and f_t. rounded: radius of the apex."""
    force = np.stack([x[normal + 1], x[normal + 2]], axis=1)
    length = np.sqrt(np.sum(force * force, axis=1) + rounded * rounded)
    return length - mu * x[normal], length, force


def _least_maximum(z: Reals, x: Reals, null: Reals, normal: Ints, mu: Reals, beta: float) -> Reals:
    """z that makes the smooth maximum of `_beyond` of x + null z least, by Newton's method with halved steps."""
    rounded = 1.0 / beta

    def value(z: Reals) -> float:
        edges = _beyond(x + null @ z, normal, mu, rounded)[0]
        top = float(edges.max())
        return top + float(np.log(np.sum(np.exp(beta * (edges - top))))) / beta

    t1, t2 = null[normal + 1], null[normal + 2]
    here = value(z)
    for _ in range(NEWTON_STEPS):
        edges, length, force = _beyond(x + null @ z, normal, mu, rounded)
        weight = np.exp(beta * (edges - edges.max()))
        weight /= weight.sum()
        u = force / length[:, None]
        slope = u[:, :1] * t1 + u[:, 1:] * t2  # of each edge
        gradient = weight @ slope
        curved = weight / length
        H = (t1.T * curved) @ t1 + (t2.T * curved) @ t2 - (slope.T * curved) @ slope
        H += beta * ((slope.T * weight) @ slope - np.outer(gradient, gradient))
        H += (1e-12 * max(float(np.trace(H)), 1e-300) + 1e-14) * np.eye(len(z))
        step = -np.linalg.solve(H, gradient)
        if not np.all(np.isfinite(step)) or -gradient @ step < CONVERGED:
            break
        part_of = 1.0
        while part_of > 1e-6 and value(z + part_of * step) > here + 1e-4 * part_of * float(gradient @ step):
            part_of *= 0.5
        if part_of <= 1e-6:
            break
        z = z + part_of * step
        here = value(z)
    return z
