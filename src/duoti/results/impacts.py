"""Impacts of a run with rigid contacts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duoti.contact.records import ImpactRecord
from duoti.integrate.record import CONTACT
from duoti.model.errors import ChannelError

if TYPE_CHECKING:
    from duoti.results.result import Result


def impacts_of(result: Result) -> tuple[ImpactRecord, ...]:
    """Impacts of rigid contacts in the order of time: when, where, impulse, energy lost.

    In time stepping: points that were open in the last step, meet in this one, and come faster than by twice what
    forces change their speed by in a step; contacts that were closed already are not listed.
    """
    if result.known_impacts is not None:
        return tuple(result.known_impacts)
    if result.record_layout.columns_of(CONTACT):
        raise ChannelError("the file was written before impacts were kept in files")
    return ()
