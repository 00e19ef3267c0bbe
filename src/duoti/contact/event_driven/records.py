"""What a run with contacts leaves beside its states: impacts, and the contact states over time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from duoti.system.arrays import Reals

if TYPE_CHECKING:  # imported when there are contacts
    from duoti.contact.event_driven.contact_states import KeptContactStates


class ImpactRecord(NamedTuple):
    """An impact at one point of contact, or at a rigid stop of a joint.

    Attributes
    ----------
    time:
        Time [s].
    contact:
        Name of the contact; of a stop the joint's, with ".stop" behind it.
    impulse:
        Impulse on b [N s], world axes. Of a stop: on the child, along or about the joint's axis [N s or N m s].
    point:
        Point of contact, or on the joint's axis [m], world.
    normal_speed:
        Normal velocities before and after [m/s]; of a stop rates away from it [m/s or rad/s].
    energy_lost:
        Energy lost [J].
    unique, sum_unique:
        Whether the impulse, and the sum of those of the contact, are determined.
    """

    time: float
    """[s]"""
    contact: str
    """Its name in the model."""
    impulse: Reals
    """[3] on b, in world axes [N s]."""
    point: Reals
    """[3] where, in world axes [m]."""
    normal_speed: tuple[float, float]
    """Rate of the gap before and after [m/s]."""
    energy_lost: float
    """Energy lost at this point [J]; negative where Newton's law has made some."""
    unique: bool | None = None
    """Whether the impulse is the only one that goes with the rates after the impact: bodies that meet at more points
    than they need share it in many ways. None: not looked at (time stepping, impacts with a share of joints)."""
    sum_unique: bool | None = None
    """The same of the sum over all points of its pair of shapes in this impact."""


IMPACT_COLUMNS = 13
"""Time, number of the contact, impulse, point, normal speeds before and after, energy lost, whether the impulse is
unique and whether its sum is (0: not known, 1: no, 2: yes)."""


def impact_rows(impacts: Sequence[ImpactRecord], names: Sequence[str]) -> Reals:
    """[impacts, IMPACT_COLUMNS]: as files and kernels hold them."""
    number = {name: k for k, name in enumerate(names)}
    rows = [
        [i.time, number[i.contact], *i.impulse, *i.point, *i.normal_speed, i.energy_lost]
        + [0.0 if each is None else 1.0 + each for each in (i.unique, i.sum_unique)]
        for i in impacts
    ]
    return np.array(rows, dtype=float).reshape(len(impacts), IMPACT_COLUMNS)


def impact_records(rows: Reals, names: Sequence[str]) -> list[ImpactRecord]:
    """What `impact_rows` has made; older files do not know what is unique."""
    return [
        ImpactRecord(
            time, names[int(k)], np.array(more[:3]), np.array(more[3:6]), (more[6], more[7]), more[8],
            *(None if each == 0.0 else each == 2.0 for each in more[9:]),
        )
        for time, k, *more in rows.tolist()
    ]  # fmt: skip


class ContactStatesSince(NamedTuple):
    """States of all slots from a time on."""

    time: float
    kept: KeptContactStates


class ContactError(Exception):
    """No motion obeys all laws of contact in a state, or an impact could not be solved."""
