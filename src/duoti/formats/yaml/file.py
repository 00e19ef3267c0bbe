"""duoti's own model files: YAML."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from duoti.formats.errors import Faults
from duoti.formats.key_path import FILE
from duoti.formats.yaml.nodes import UnreadableError, read_text
from duoti.formats.yaml.read import model_from_text
from duoti.model.model import Model
from duoti.strict import explained


def load_yaml(path: Path, *, parameters: Mapping[str, float | str] | None = None, allow_outside: bool = False) -> Model:
    """The model of a YAML file; see `duoti.load`."""
    try:
        text = read_text(path, str(path))
    except UnreadableError as error:
        faults = Faults(str(path))
        faults.add(error.location, FILE, error.message, "unreadable")
        raise faults.error() from None
    return model_from_text(text, str(path), path.parent, parameters, allow_outside)


@explained
def from_text(
    text: str,
    *,
    name: str = "text",
    folder: str | Path | None = None,
    parameters: Mapping[str, float | str] | None = None,
    allow_outside: bool = False,
) -> Model:
    """The model of a text such as `to_text` writes.

    Parameters
    ----------
    text:
        The text.
    name:
        Name in messages.
    folder:
        Folder of included files and meshes; without it the text cannot include other files.
    parameters:
        Values for parameters, in place of those in the text.
    allow_outside:
        Whether the text may name files outside the folder.
    """
    return model_from_text(text, name, Path(folder) if folder is not None else None, parameters, allow_outside)


@explained
def to_text(model: Model, folder: Path | None = None) -> str:
    """The text of a model file, from which `from_text` makes the same model. Numbers keep all their digits.

    Parameters
    ----------
    model:
        The model; laws that are Python functions raise `ModelError`.
    folder:
        Folder in which the text will be saved; mesh files below it are named relative to it.
    """
    from duoti.formats.yaml.write import text_of  # which those who only read do without

    return text_of(model, folder)
