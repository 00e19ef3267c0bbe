"""Result files as arguments of commands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from duoti.cli.exits import wrong

if TYPE_CHECKING:
    from duoti.results.result import Result


def existing(path: Path) -> Path:
    """The path of a file that must be there."""
    if path.is_file():
        return path
    from duoti.model.errors import did_you_mean

    folder = path.parent
    near = did_you_mean(path.name, [p.name for p in folder.iterdir() if p.is_file()]) if folder.is_dir() else ""
    raise wrong(f"{path} is a folder" if path.is_dir() else f"there is no file {path}.{near}", "RESULT")


def open_existing(path: Path) -> Result:
    """The result in a file."""
    from duoti.results.open import open_result

    return open_result(existing(path))
