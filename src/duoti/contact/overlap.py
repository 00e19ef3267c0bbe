"""Rigid bodies that overlap: what must not be in a motion with event-driven impacts."""

from __future__ import annotations

import numpy as np

from duoti.contact.build import ContactSet
from duoti.model.contacts.element import LEAVE_OUT, joint_holding
from duoti.model.model import Model
from duoti.system.arrays import Reals

PENETRATION = 1e-6  # m beyond that at the start: something was missed


def overlap(of: ContactSet, gaps: Reals, deepest: float) -> str:
    """Why the gaps [m] of all points cannot be those of a motion without overlap; "" if they can.

    deepest: the least gap that is allowed [m], that of the state given at the start if this was negative.
    """
    worst = int(np.argmin(gaps)) if len(gaps) else 0
    if not len(gaps) or gaps[worst] >= min(deepest, 0.0) - PENETRATION:
        return ""
    pair = of.contacts.slot_pair[worst]
    name, (a, b) = of.names[of.contacts.element[pair]], of.bodies[pair]
    return (
        f'contact "{name}" is closed by {-gaps[worst]:.3g} m more than it may be, between "{a}" and "{b}": an impact '
        "was missed in a step; try a smaller max_step, dt.DOPRI5(max_step=0.001), or time stepping, "
        "dt.Moreau(step=1e-4)"
    )


def overlap_in_joints(model: Model, of: ContactSet, gaps: Reals) -> str:
    """Bodies that overlap and cannot be parted, since a joint holds them together; "" if there are none."""
    for slot in np.argsort(gaps):
        pair = of.contacts.slot_pair[slot]
        a, b = of.bodies[pair]
        if gaps[slot] >= -PENETRATION:
            break
        if joint := joint_holding(model, a, b):
            return (
                f'contact "{of.names[of.contacts.element[pair]]}": "{a}" and "{b}" overlap by {-gaps[slot]:.3g} m at '
                f'the start, and joint "{joint}" holds them together: {LEAVE_OUT}'
            )
    return ""
