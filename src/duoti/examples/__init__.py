"""Examples that come with the package: one file each, found by looking.

A file offers `build()`, which returns a model, and `DURATION`, the time [s] that is worth looking at. The first line of
its docstring describes it. `duoti examples` lists them, `duoti run NAME` runs one.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

from duoti.model.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable

    from duoti.model.model import Model


@dataclass(frozen=True)
class Example:
    """A bundled example."""

    name: str
    description: str
    build: Callable[[], Model]
    duration: float
    picture: dict[str, Any]
    """What `duoti.examples.picture.draw` is told beside the result."""


@cache
def all_examples() -> dict[str, Example]:
    """All bundled examples by name."""
    found: dict[str, Example] = {}
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        if hasattr(module, "build"):
            description = (module.__doc__ or "").strip().splitlines()[0]
            found[info.name] = Example(
                info.name, description, module.build, float(module.DURATION), getattr(module, "PICTURE", {})
            )
    return found


def find_example(name: str) -> Example:
    """The example of this name; KeyError with suggestions if there is none."""
    examples = all_examples()
    key = name.replace("-", "_")
    if key not in examples:
        raise KeyError(f'there is no example "{name}".{did_you_mean(key, examples)}')
    return examples[key]
