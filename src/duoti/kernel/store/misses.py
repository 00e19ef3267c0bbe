"""Kernels of the package that a process used although the package does not ship their machine code.

With `DUOTI_MISSES` in the environment, the name of a folder, each is written down there: the tests collect them
(tests/conftest.py), and `duoti compile --ship` mends them. Kernels that contain something of a user's own, or take
arguments of a type of the user's, do not count: nobody could have shipped them.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import NamedTuple

from duoti.kernel.decorators import Compiled
from duoti.kernel.store import shipped
from duoti.kernel.store.cache_keys import PACKAGE, parts_of

VARIABLE = "DUOTI_MISSES"
_TOKEN = re.compile(r"(?:<[\w.]+>|[dDlw])\d|[idc],|([\w.<>]*)(?:#\w+)?\(|\)")  # as packing writes them


class Miss(NamedTuple):
    """A kernel that was compiled here, now or earlier."""

    name: str
    signature: str
    key: str


def is_of_package(compiled: Compiled, signature: str) -> bool:
    """Whether a kernel and the types of its arguments are all the package's own."""
    modules = [each.py_func.__module__ or "" for each in parts_of(compiled)]
    return all(module.startswith("duoti.") for module in [*modules, *filter(None, _TOKEN.findall(signature))])


def note(compiled: Compiled, signature: str, key: str) -> None:
    """Write down that a kernel is used, unless it is shipped, and if somebody wants to know."""
    folder = os.environ.get(VARIABLE)
    if not folder or not shipped.is_used() or shipped.has(key):
        return
    if not is_of_package(compiled, signature):
        return
    line = json.dumps([str(PACKAGE), compiled.name, signature, key])
    with Path(folder, f"{os.getpid()}.txt").open("a", encoding="utf-8") as file:
        file.write(line + "\n")


def noted(folder: Path) -> list[Miss]:
    """What processes that run this package noted."""
    found: set[Miss] = set()
    for file in folder.glob("*.txt"):
        for line in file.read_text("utf-8").splitlines():
            package, *rest = json.loads(line)
            if package == str(PACKAGE):
                found.add(Miss(*rest))
    return sorted(found)
