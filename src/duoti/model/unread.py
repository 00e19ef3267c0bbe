"""Quantities that results have and no law reads: forces of elements, energies, ..."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from duoti.model.errors import ChannelError


def why_unread(model: Any, names: Sequence[str], kinds: Collection[str]) -> str:
    """Why no law reads one of these names, if it is a channel of these kinds of elements; else nothing."""
    from duoti.model.names import find_quantity

    for name in names:
        try:
            quantity = find_quantity(model, name)
        except ChannelError:
            continue
        if quantity.kind in kinds:
            return (
                f'"{name}" is a channel of results, and no law or event reads it. Write there what it follows from: '
                "the law of a force with the coordinates, positions and rates that it depends on; or read the reaction "
                "of a joint that bears it, such as A.reaction_force.z"
            )
    return ""
