"""Compile several kernels at once, some of them in a second process.

This process takes kernels from the front of the list, the other one from its back; who takes one first leaves a mark in
a folder. What the other process makes comes through the store, or through a folder of its own where there is no store.
A second process that dies or cannot import what it needs costs nothing but time: its kernels are compiled here.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from duoti.kernel import linker, progress, store
from duoti.kernel.functions import REGISTRY, Compiled

WORTHWHILE = 2  # kernels; for one, a second process would have nothing to do


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
    with tempfile.TemporaryDirectory() as folder, progress.several(*_said(missing, Path(folder))):
        other = _second_process(missing, Path(folder))
        try:
            for job in missing:
                if _claim(Path(folder), job.key):
                    linker.keep(job.key, linker.compile_now(REGISTRY[job.name], job.signature, job.key))
            for job in missing:
                if not linker.is_here(job.key):
                    _take_over(job, other, Path(folder))
            store.tidy()
        finally:
            if other is not None:
                other.kill()
                other.wait()


def _said(missing: list[Job], folder: Path) -> tuple[list[Compiled], Callable[[], list[Compiled]]]:
    """The kernels, and a function that says which are left: made neither here nor by the other process."""

    def left() -> list[Compiled]:
        return [REGISTRY[j.name] for j in missing if not (linker.is_here(j.key) or (folder / j.key).exists())]

    return [REGISTRY[job.name] for job in missing], left


def _second_process(jobs: list[Job], folder: Path) -> subprocess.Popen[bytes] | None:
    """Start it, if it is worth it and allowed (`DUOTI_COMPILERS=1` forbids it)."""
    findable = [job for job in jobs if job.module != "__main__"]
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if len(findable) < WORTHWHILE or processors < 2 or os.environ.get("DUOTI_COMPILERS") == "1":
        return None
    task = json.dumps({"path": sys.path, "folder": str(folder), "jobs": findable})
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

    folder = Path(task["folder"])
    for job in (Job(*each) for each in reversed(task["jobs"])):
        importlib.import_module(job.module)
        compiled = REGISTRY.get(job.name)
        if compiled is None or linker.key_of(compiled, job.signature) != job.key or not _claim(folder, job.key):
            continue
        code = linker.compile_now(compiled, job.signature, job.key)
        store.write(job.key, code, folder)


def _claim(folder: Path, key: str) -> bool:
    """True for the first who asks."""
    try:
        (folder / f"{key}.claimed").touch(exist_ok=False)
    except OSError:
        return False
    return True


def _take_over(job: Job, other: subprocess.Popen[bytes] | None, folder: Path) -> None:
    """Wait until the other process has made a kernel, or make it here."""
    while other is not None:
        done = other.poll() is not None
        code = store.verified(folder / job.key)
        if code is not None:
            linker.keep(job.key, code)
            return
        if done:
            break
        time.sleep(0.02)
    linker.keep(job.key, linker.compile_now(REGISTRY[job.name], job.signature, job.key))
