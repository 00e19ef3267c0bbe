"""What a run with contacts leaves beside its states: impacts, and the modes of the contacts over time."""

from __future__ import annotations

from typing import Any, NamedTuple

from duoti.system.arrays import Reals


class ImpactRecord(NamedTuple):
    """An impact at one point of contact."""

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


class ModesSince(NamedTuple):
    """Modes of all slots from a time on."""

    time: float
    mode: Any
    direction: Any
    offset: Any


class ContactError(Exception):
    """No motion obeys all laws of contact in a state, or an impact could not be solved."""
