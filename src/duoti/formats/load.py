"""`load`: a model from a file of any format that duoti reads."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from duoti.formats.errors import Faults
from duoti.formats.key_path import FILE
from duoti.model.checks.findings import SourceLocation
from duoti.model.model import Model
from duoti.strict import explained

LOADERS = {
    ".yaml": ("duoti.formats.yaml.file", "load_yaml"),
    ".yml": ("duoti.formats.yaml.file", "load_yaml"),
    ".urdf": ("duoti.formats.urdf.load", "load_urdf"),
    ".xacro": ("duoti.formats.urdf.load", "load_urdf"),
    ".xml": ("duoti.formats.mjcf", "load_mjcf"),
    ".sdf": ("duoti.formats.sdf.load", "load_sdf"),
    ".world": ("duoti.formats.sdf.load", "load_sdf"),
    ".mjcf": ("duoti.formats.mjcf", "load_mjcf"),
}
"""Module and function for each ending of a file name; imported when needed."""


@explained
def load(
    path: str | Path,
    *,
    parameters: Mapping[str, float | str] | None = None,
    allow_outside: bool = False,
    **options: Any,
) -> Model:
    """Make a model from a file: duoti's own (.yaml), URDF (.urdf, .xacro), MJCF (.xml, .mjcf), SDFormat (.sdf).

    Raises `ModelFileError`, a `ModelError`, with all faults of the file, each with its line.

    Parameters
    ----------
    path:
        The file.
    parameters:
        Values for parameters of the model file, in place of those in it: numbers, or texts such as "300 mm".
    allow_outside:
        Whether the file may name other files outside its own folder.
    options:
        Further options of the format: see `duoti.formats`.
    """
    file = Path(path)
    loader = LOADERS.get(file.suffix.lower())
    if loader is None:
        faults = Faults(str(file))
        known = ", ".join(LOADERS)
        message = f"no format is known for the ending {file.suffix!r}; there are {known}"
        faults.add(SourceLocation(str(file)), FILE, message, "unknown-format")
        raise faults.error()
    if parameters is not None:
        options["parameters"] = parameters
    module, name = loader
    return getattr(importlib.import_module(module), name)(file, allow_outside=allow_outside, **options)
