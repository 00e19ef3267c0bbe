"""Xacro files, which are programs that make a URDF, run by the package `xacro` in a process of its own.

A xacro file computes with Python and includes other files wherever they are: load only those that you trust.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from duoti.formats.xml.xml_tree import XmlError

# Where the files of a ROS package are (`package://name/...`).


LEVELS = 4  # folders above the model's in which packages are looked for
FOLDERS = ("urdf", "robots", "robot", "xacro", "models", "model")  # in a package, where its descriptions are
ENDINGS = (".stl", ".obj", ".dae", ".msh", ".xacro", ".urdf", ".yaml", ".sdf", ".config")
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


SECONDS = 120.0


def expand_xacro(path: Path, packages: Iterable[Path], arguments: Mapping[str, float | str]) -> bytes:
    """The URDF that a xacro file makes; `$(find name)` is looked for as `package://name`. Raises XmlError."""
    if importlib.util.find_spec("xacro") is None:
        raise XmlError("this is a xacro file, a program that makes a URDF, and xacro is not installed: pip install "
                       "duoti[robots], or expand it elsewhere: xacro FILE > robot.urdf")  # fmt: skip
    given = {"path": str(path.resolve()), "packages": [str(p) for p in packages],
             "arguments": {name: str(value) for name, value in arguments.items()}}  # fmt: skip
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)}  # the same packages as here
    try:
        done = subprocess.run([sys.executable, "-m", __name__, json.dumps(given)], capture_output=True,
                              timeout=SECONDS, check=False, env=env)  # fmt: skip
    except subprocess.TimeoutExpired:
        raise XmlError(f"xacro did not finish within {SECONDS:g} s") from None
    if done.returncode:
        lines = [line for line in done.stderr.decode(errors="replace").splitlines() if line.strip()]
        raise XmlError(f"xacro: {lines[-1][:500] if lines else 'it failed without a message'}")
    return done.stdout


def _main() -> None:
    """Expand one file, as described in the argument, to the standard output."""
    given = json.loads(sys.argv[1])
    path, packages = Path(given["path"]), [Path(p) for p in given["packages"]]
    xacro: Any = importlib.import_module("xacro")
    substitution: Any = importlib.import_module("xacro.substitution_args")

    def find(package: str) -> str:
        for root in package_roots(package, path.parent, packages):
            if root.is_dir():
                return str(root)
        raise ValueError(f"there is no package {package}; pass package_paths=[the folder that holds it]")

    substitution._eval_find = find  # what it has by default asks an installation of ROS
    try:
        document = xacro.process_file(str(path), mappings=given["arguments"])
    except Exception as error:  # of any kind: the file is a program
        sys.exit(f"{type(error).__name__}: {error}".replace("\n", " "))
    sys.stdout.buffer.write(document.toprettyxml(indent=" ", encoding="utf-8"))


if __name__ == "__main__":
    _main()
