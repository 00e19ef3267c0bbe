"""Where the files of a ROS package are (`package://name/...`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

LEVELS = 4  # folders above the model's in which packages are looked for
FOLDERS = ("urdf", "robots", "robot", "xacro", "models", "model")  # in a package, where its descriptions are
ENDINGS = (".stl", ".obj", ".dae", ".msh", ".xacro", ".urdf", ".yaml")
"""Of files that are read from a package above the model's folder; others are for the user to allow."""


def package_roots(package: str, folder: Path, given: Iterable[Path]) -> Iterator[Path]:
    """Folders that may be a package of this name, the likeliest first.

    The given folders and the model's own: the package itself, or what holds it. Then the folders above the model's: one
    of this name, or one beside it that has a `package.xml`, as packages have. At last the package in which the model
    lies, by the usual layout PACKAGE/urdf/FILE, under another name than its own, and what lies beside it.
    """
    if not package or package in (".", "..") or "\\" in package:
        return
    near = (*given, folder)
    yield from (p for p in near if p.name == package)
    yield from (p / package for p in near)
    for p in folder.parents[:LEVELS]:
        if p.name == package:
            yield p
        elif (p / package / "package.xml").is_file():
            yield p / package
    if folder.name in FOLDERS and len(folder.parents) > 2:
        yield folder.parent.parent / package
        yield folder.parent


def in_package(path: Path, root: Path) -> bool:
    """Whether a file that was found in a package is really inside it, and of a kind that is read from packages."""
    return path.suffix.lower() in ENDINGS and path.is_relative_to(root.resolve())
