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
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from duoti.formats.packages import package_roots
from duoti.formats.xml_tree import XmlError

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
