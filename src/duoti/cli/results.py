"""Files that commands read and write: results, tables, pictures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from duoti.cli.exits import wrong
from duoti.results.file.kinds import TABLES as TABLES

if TYPE_CHECKING:
    from duoti.results.result import Result

STREAMED = (".h5", ".hdf5")
PICTURES = (".png", ".svg", ".pdf")


def writable(path: Path, endings: tuple[str, ...], option: str) -> Path:
    """A path to write to, refused before anything is computed."""
    if path.suffix.lower() not in endings:
        hint = "; pictures are written with --picture" if path.suffix.lower() in PICTURES else ""
        raise wrong(f"{path}: the name must end in {', '.join(endings[:-1])} or {endings[-1]}{hint}", option)
    if path.is_dir():
        raise wrong(f"{path} is a folder; give the name of a file", option)
    if not path.resolve().parent.is_dir():
        raise wrong(f"there is no folder {path.parent}", option)
    return path


def split(channels: list[str]) -> list[str]:
    """Channels given one by one or with commas between them."""
    return [name.strip() for text in channels for name in text.split(",") if name.strip()]


def existing(path: Path) -> Path:
    """The path of a file that must be there."""
    if path.is_file():
        return path
    from duoti.model.errors import did_you_mean

    folder = path.parent
    near = did_you_mean(path.name, [p.name for p in folder.iterdir() if p.is_file()]) if folder.is_dir() else ""
    raise wrong(f"{path} is a folder" if path.is_dir() else f"there is no file {path}.{near}", "RESULT")


def open_existing(path: Path, allow_outside: bool = False) -> Result:
    """The result in a file."""
    from duoti.results.file.open import open_result

    return open_result(existing(path), allow_outside=allow_outside)
