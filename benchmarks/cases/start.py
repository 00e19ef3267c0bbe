"""Starting: importing duoti beside importing NumPy, each in a process of its own; a command from prompt to result."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

from benchmarks.harness import Pair, Side, case, repeated


def process(*arguments: str) -> None:
    environment = {**os.environ, "DUOTI_QUIET": "1"}
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, *arguments], cwd=folder, check=True, capture_output=True, env=environment)


@case("import of the package", "NumPy", 1.0, shown=False)
def imported() -> Pair:
    ours, theirs = (repeated(lambda name=name: process("-c", f"import {name}")) for name in ("duoti", "numpy"))
    return Pair(Side(ours), Side(theirs), clock="children")


@case("duoti run double_pendulum, a new process")
def command() -> Pair:
    call = repeated(lambda: process("-m", "duoti", "run", "double_pendulum", "--no-picture"))
    return Pair(Side(call), clock="children")
