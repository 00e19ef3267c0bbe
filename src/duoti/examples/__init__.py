"""Examples that come with the package, each as a script and as a model file of the same name, discovered.

The script `NAME.py` offers `build()`, which returns the model of `NAME.yaml` (described in Python, or loaded from the
file), `DURATION`, the time [s] that is worth looking at, and `main()`, which simulates it and compares it with what is
known. The first line of its docstring describes it in short, the rest in a paragraph. It may have `PARTS`, further
files that belong to it, and `PICTURE`, the arguments of `duoti.view.images.overview.draw`. `duoti examples` lists them,
`duoti run NAME` runs the model file.
"""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from duoti.model.errors import did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable

    from duoti.model.model import Model

FOLDER = Path(__file__).parent


@dataclass(frozen=True)
class Example:
    """A bundled example."""

    name: str
    description: str
    """One line."""
    paragraph: str
    build: Callable[[], Model]
    duration: float
    parts: tuple[str, ...]
    picture: dict[str, Any]

    @property
    def file(self) -> Path:
        """The model file."""
        return FOLDER / f"{self.name}.yaml"

    @property
    def script(self) -> Path:
        """The script."""
        return FOLDER / f"{self.name}.py"

    @property
    def files(self) -> list[str]:
        """All its files, below the folder of examples."""
        return [self.file.name, self.script.name, *self.parts]


@cache
def example_names() -> tuple[str, ...]:
    """Names of all bundled examples; nothing is imported."""
    return tuple(sorted(path.stem for path in FOLDER.glob("*.yaml") if path.with_suffix(".py").exists()))


@cache
def find_example(name: str) -> Example:
    """The example of this name; KeyError with suggestions if there is none."""
    key = name.replace("-", "_")
    if key not in example_names():
        raise KeyError(f'there is no example "{name}".{did_you_mean(key, example_names())}')
    module = importlib.import_module(f"{__name__}.{key}")
    description, _, paragraph = (module.__doc__ or "").strip().partition("\n\n")
    return Example(
        key,
        description,
        " ".join(paragraph.split()),
        module.build,
        float(module.DURATION),
        tuple(getattr(module, "PARTS", ())),
        dict(getattr(module, "PICTURE", {})),
    )


def all_examples() -> dict[str, Example]:
    """All bundled examples by name."""
    return {name: find_example(name) for name in example_names()}
