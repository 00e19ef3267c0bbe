"""Parts that come with duoti, as sub-models: `submodels: {car: {part: {car: {front: {double_wishbone: {}}, ...}}}}`.

A part is a function that returns a model; its parameters are the keys. `PARTS.add` makes one more known.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from duoti.lazy import Later

F = TypeVar("F", bound=Callable[..., Any])

PARTS = Later(
    {
        "double_wishbone": ("duoti.vehicle.corners", "double_wishbone"),
        "mcpherson": ("duoti.vehicle.corners", "mcpherson"),
        "trailing_arm": ("duoti.vehicle.corners", "trailing_arm"),
        "axle": ("duoti.vehicle.axles", "axle"),
        "rigid_axle": ("duoti.vehicle.axles", "rigid_axle"),
        "car": ("duoti.vehicle.car", "car"),
    }
)
"""The functions by the names in files, each imported when it is asked for."""


def with_units(units: Mapping[str, str]) -> Callable[[F], F]:
    """Give the units of parameters of a part whose names alone do not say them."""

    def decorated(function: F) -> F:
        function.units = units  # pyright: ignore[reportFunctionMemberAccess]
        return function

    return decorated
