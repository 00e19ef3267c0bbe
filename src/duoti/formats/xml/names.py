"""Names for what an imported file leaves without one, and for what would clash with another name."""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection

from duoti.model.elements import GROUND
from duoti.model.laws.expressions.parser import RESERVED
from duoti.model.model import Model


def free_name(wanted: str, *taken: Collection[str]) -> str:
    """`wanted`, or with a number behind it if it is taken."""
    name, n = wanted, 2
    while any(name in each for each in taken):
        name, n = f"{wanted}_{n}", n + 1
        if n == 20:  # many of the same name: a number that is larger than there are names is soon free
            n += sum(map(len, taken))
    return name


def marker_name(model: Model, wanted: str, *taken: Collection[str]) -> str:
    """A name that neither a marker nor a body has."""
    return free_name(wanted, model.markers, model.bodies, (GROUND,), *taken)


def parameter_name(model: Model, wanted: str) -> str:
    """A name that expressions can read: letters, digits and underscores."""
    plain = re.sub(r"\W", "_", wanted, flags=re.ASCII) or "parameter"
    if plain[0].isdigit() or keyword.iskeyword(plain) or plain in RESERVED:
        plain = f"p_{plain}"
    return free_name(plain, model.parameters, model.states, model.joints, model.bodies, model.markers)
