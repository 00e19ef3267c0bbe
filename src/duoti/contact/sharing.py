"""How forces that are not unique are shared out among contacts, and joints at rest: within the bounds of friction."""

from __future__ import annotations

from duoti.contact.modes import CLOSURE, HELD, STICK
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
        if s >= 0 and m.axis_of[r] == 0 and m.mode[s] == STICK:
            total += max(x[r], 0.0)
            sticking += 1
    if sticking < 2 or not total > 0.0:
        return False
    weight = 1.0
    for r in range(n):
        s = m.slot_of[r]
        if s < 0 or m.mode[s] != STICK:
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
    found = False
    for r in range(n):
        s = m.slot_of[r]
        if s == CLOSURE or (s >= 0 and (m.mode[s] != STICK or m.axis_of[r] != 1)):
            continue
        if s == HELD:
            k = r - n + m.counts[0].held
            force, bound, rows = abs(x[r]), m.held_bound[k], 1
        else:  # t1, with t2 behind and n before it
            force, rows = (x[r] * x[r] + x[r + 1] * x[r + 1]) ** 0.5, 2
            bound = contacts.static_friction[contacts.slot_pair[s]] * max(x[r - 1], 0.0)
        if not force > bound * (1.0 + BEYOND):
            continue
        factor = max((0.5 * bound / force) ** 0.5, LEAST_FACTOR)
        for i in range(r, r + rows):
            least = LEAST_SCALE / abs(m.D[i, i]) ** 0.5 if m.scale[i] > 0.0 else 0.0
            if m.scale[i] > least:
                m.scale[i] = max(factor * m.scale[i], least)
                found = True
    return found
