"""`save`: a model to a file."""

from __future__ import annotations

import importlib
import os
from pathlib import Path

from duoti.model.model import Model, require_model
from duoti.strict import explained

WRITERS = {
    ".yaml": ("duoti.formats.yaml.file", "to_text"),
    ".yml": ("duoti.formats.yaml.file", "to_text"),
    ".urdf": ("duoti.formats.urdf.save", "to_urdf"),
    ".xml": ("duoti.formats.mjcf.save", "to_mjcf"),
    ".mjcf": ("duoti.formats.mjcf.save", "to_mjcf"),
}
"""Module and function for each ending of a file name; imported when needed.

The function makes the text of a model, for a file in a given folder.
"""


@explained
def save(model: Model, path: str | Path) -> None:
    """Write a model to a file, whole or not at all: duoti's own (.yaml), URDF (.urdf) or MJCF (.xml).

    Raises `ModelError` with all that the format cannot hold, such as a law that is a Python function. `load` reads the
    file; `duoti.formats.save_urdf` and `save_mjcf` may leave out what their formats have no words for.
    """
    require_model(model)
    file = Path(path)
    writer = WRITERS.get(file.suffix.lower())
    if writer is None:
        raise ValueError(f"{file}: no format is known for the ending {file.suffix!r}; there are {', '.join(WRITERS)}")
    module, name = writer
    text: str = getattr(importlib.import_module(module), name)(model, file.parent.resolve())
    temporary = file.with_name(f".{file.name}.{os.getpid()}")
    try:
        temporary.write_text(text, encoding="utf-8", newline="\n")
        os.replace(temporary, file)
    finally:
        temporary.unlink(missing_ok=True)
