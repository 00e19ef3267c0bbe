"""How forces that are not unique are shared out among contacts, and joints at rest: within the bounds of friction."""

from __future__ import annotations

from duoti.contact.event_driven.contact_states import CLOSURE, JOINT_HELD
from duoti.contact.event_driven.rolling_friction import holds
from duoti.kernel import part

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
