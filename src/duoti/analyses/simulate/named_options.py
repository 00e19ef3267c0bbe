"""Solvers and constraint methods by name, as model files, the command line and Python write them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from duoti import integrate
from duoti.dynamics.loops import constraint_methods
from duoti.lazy import Later
from duoti.model.constructor_schema import fields_of
from duoti.model.errors import did_you_mean


def _by_name(module: Any) -> Later:
    """What a module offers, by names in small letters: `GeneralisedAlpha` is generalised_alpha."""
    return Later({re.sub(r"(?<=[a-z])(?=[A-Z])", "_", n).lower(): (module.__name__, n) for n in module.__all__})


SOLVERS = _by_name(integrate)
"""The solvers by name; `SOLVERS.add` makes one more known to model files and the command line."""
CONSTRAINT_METHODS = _by_name(constraint_methods)


def by_name(given: Any, types: Mapping[str, type], option: str) -> Any:
    """What a name means, with default settings; anything but a text is returned as it is.

    `option` is what messages call the argument: `solver="radua"`.
    """
    if not isinstance(given, str):
        return given
    word = given.lower().replace("_", "")
    name = next((each for each in types if each.replace("_", "") == word), None)
    if name is None:
        hint = did_you_mean(given.lower(), types) or f" There are: {', '.join(types)}."
        raise ValueError(f"{option}={given!r}: there is no {option} of this name.{hint}")
    chosen = types[name]
    missing = [field.name for field in fields_of(chosen).values() if field.required]
    if missing:
        example = ", ".join(f"{each}=0.001" if each == "step" else f"{each}=..." for each in missing)
        raise ValueError(
            f"{option}={given!r} needs {' and '.join(missing)}: give {option}=dt.{chosen.__name__}({example})"
        )
    return chosen()
