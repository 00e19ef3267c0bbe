"""Channels of contacts: gaps and slip from the states, forces of rigid contacts from what the solver recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from duoti.integrate.record import CONTACT, FORCE, LOST, MOMENT, NORMAL_FORCE, POINT, STATE
from duoti.model.element_id import ElementId
from duoti.model.errors import ChannelError
from duoti.model.names import Quantity
from duoti.system.arrays import Reals

if TYPE_CHECKING:
    from duoti.results.result import Result

PLACES = {"force": (FORCE, 3), "normal_force": (NORMAL_FORCE, 1), "point": (POINT, 3), "state": (STATE, 1),
          "energy_lost": (LOST, 1), "moment": (MOMENT, 3)}  # fmt: skip


def contact_values(result: Result, quantity: Quantity) -> Reals:
    """A channel of a contact."""
    name, what = quantity.item, quantity.what
    if what in ("gap", "slip_speed"):
        from duoti.results.contact_motion import gaps_and_slips

        return gaps_and_slips(result, name)[:, [0 if what == "gap" else 1]]
    if not result.model.contacts[name].law.rigid:
        if what == "moment":
            raise ChannelError(f'"{name}.{what}": a compliant contact has no resistance against rolling and turning')
        if what == "energy_lost":
            raise ChannelError(f'"{name}.{what}": of a compliant contact, "{name}.power_dissipated" is its rate')
        from duoti.results.contact_motion import compliant_values

        return compliant_values(result, name, what)
    columns = result.record_layout.columns_of(CONTACT).get(ElementId("contact", name))
    if columns is None:
        raise ChannelError(
            f'"{name}.{what}": this run has no record of contacts; forces of rigid contacts are unknowns of the solver '
            "and do not follow from the states"
        )
    first, size = PLACES[what]
    if first + size > len(columns):
        raise ChannelError(f'"{name}.{what}": the file was written by a version of duoti that did not record it')
    return np.asarray(result.record[:, [columns[first + i] for i in range(size)]])
