"""Compile several kernels at once, some of them in a second process.

This process takes kernels from the front of the list, the other one from its back; who takes one first locks its name
in the store (`store.making`), so that further programs that start at the same moment share the work, too. Where there
is no store, what the other process makes comes through a folder of its own. A second process that dies or cannot import
what it needs costs nothing but time: its kernels are compiled here.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from duoti.kernel import linker, progress, store
from duoti.kernel.functions import REGISTRY, Compiled

WORTHWHILE = 2  # kernels; for one, a second process would have nothing to do


@contextlib.contextmanager
def no_collection() -> Generator[None, None, None]:
    """Numba makes millions of small objects, few of them in cycles: inside, none are looked for."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


class Job(NamedTuple):
    """A kernel to be compiled, as the other process can find it."""

    module: str
    name: str
    signature: str
    key: str


def prepare(wanted: Sequence[tuple[Compiled, str]]) -> None:
    """Compile what is missing of these kernels and signatures; `linker.link` then finds them in the store."""
    jobs = [Job(each.__module__, each.name, signature, linker.key_of(each, signature)) for each, signature in wanted]
    missing = [job for job in dict.fromkeys(jobs) if not linker.is_here(job.key)]
    if not missing:
        return
    kernels = {job.key: REGISTRY[job.name] for job in missing}
    said = progress.several(
        list(kernels.values()), lambda: [each for key, each in kernels.items() if not linker.is_here(key)]
    )
    with said, no_collection(), tempfile.TemporaryDirectory() as made:
        folder = None if store.user_folder() else Path(made)
        other = _second_process(missing, folder)
        try:
            for wait in (False, True):  # first what nobody else makes
                for job in missing:
                    if not linker.is_here(job.key):
                        code = linker.compile_alone(REGISTRY[job.name], job.signature, job.key, folder, wait)
                        if code is not None:
                            linker.keep(job.key, code)
            store.tidy()
        finally:
            if other is not None:
                other.kill()
                other.wait()


def _second_process(jobs: list[Job], folder: Path | None) -> subprocess.Popen[bytes] | None:
    """Start it, if it is worth it and allowed (`DUOTI_COMPILERS=1` forbids it)."""
    findable = [job for job in jobs if job.module != "__main__"]
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if len(findable) < WORTHWHILE or processors < 2 or os.environ.get("DUOTI_COMPILERS") == "1":
        return None
    task = json.dumps({"path": sys.path, "folder": folder and str(folder), "jobs": findable})
    program = "import json, sys; task = json.load(sys.stdin); sys.path[:] = task['path']; "
    program += "from duoti.kernel.side_by_side import work; work(task)"
    try:
        made = subprocess.Popen(
            [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env=os.environ | {"DUOTI_QUIET": "1"},
        )  # fmt: skip
        assert made.stdin is not None
        made.stdin.write(task.encode())
        made.stdin.close()
    except OSError:
        return None
    return made


def work(task: dict[str, Any]) -> None:
    """What the second process does."""
    import importlib

    gc.disable()  # it ends soon
    folder = Path(task["folder"]) if task["folder"] else None
    for job in (Job(*each) for each in reversed(task["jobs"])):
        importlib.import_module(job.module)
        compiled = REGISTRY.get(job.name)
        if compiled is not None and linker.key_of(compiled, job.signature) == job.key:
            linker.compile_alone(compiled, job.signature, job.key, folder, wait=False)
