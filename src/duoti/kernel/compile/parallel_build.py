"""Compile several kernels at once, in two processes.

Kernels that have most of their parts in common are lowered to LLVM's code by one process, which types and lowers each
part once: this one takes those around the largest kernel, the other one the rest. What LLVM has to do then is for
whoever has time: lowered code waits in a file. Who works on a kernel locks its name in the store (`store.making`), so
that further programs that start at the same moment share the work, too. Where there is no store, what the other process
makes comes through a folder of its own. A second process that dies or cannot import what it needs costs nothing but
time: its kernels are compiled here.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from duoti.kernel import console as progress
from duoti.kernel.decorators import REGISTRY, Compiled
from duoti.kernel.store import load_or_compile
from duoti.kernel.store import user_store as store
from duoti.kernel.store.cache_keys import parts_of

WORTHWHILE = 2  # kernels; for one, a second process would have nothing to do
RELATED = 0.5  # part of a kernel that another one has, too, from which on it is better lowered by the same process
PAUSE = 0.02  # seconds between looks for something to do


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
    """Compile what is missing of these kernels and signatures; `load_or_compile.link` then finds them in the store."""
    jobs = [Job(each.__module__, each.name, kinds, load_or_compile.key_of(each, kinds)) for each, kinds in wanted]
    missing = [job for job in dict.fromkeys(jobs) if not load_or_compile.is_here(job.key)]
    if not missing:
        return
    kernels = {job.key: REGISTRY[job.name] for job in missing}
    notice = progress.several(
        list(kernels.values()), lambda: [each for key, each in kernels.items() if not load_or_compile.is_here(key)]
    )
    with notice, no_collection(), tempfile.TemporaryDirectory() as made:
        folder = None if store.user_folder() else Path(made)
        ours, theirs = _shares(missing)
        other = _second_process(missing, theirs, folder)
        try:
            for job in ours if other is not None else ():
                if not load_or_compile.is_here(job.key):
                    _compile(job, folder, wait=False, only_lower=True)
            for wait in (False, True):  # first what nobody else makes
                for job in missing:
                    if not load_or_compile.is_here(job.key):
                        code = _compile(job, folder, wait)
                        if code is not None:
                            load_or_compile.keep(job.key, code)
            store.tidy()
        finally:
            if other is not None:
                other.kill()
                other.wait()
                if other.stdin is not None:
                    other.stdin.close()


def _compile(job: Job, folder: Path | None, wait: bool, only_lower: bool = False) -> store.Code | None:
    return load_or_compile.compile_alone(REGISTRY[job.name], job.signature, job.key, folder, wait, only_lower)


def _shares(jobs: list[Job]) -> tuple[list[Job], list[Job]]:
    """Who lowers what: kernels that have most of their parts in common with the largest one and its kin; the others."""
    parts = {job: parts_of(REGISTRY[job.name]) for job in jobs}
    kin: dict[Compiled, int] = {}
    ours: list[Job] = []
    for job in sorted(jobs, key=lambda each: -sum(parts[each].values())):
        common = sum(size for each, size in parts[job].items() if each in kin)
        if not ours or common > RELATED * sum(parts[job].values()):
            ours.append(job)
            kin |= parts[job]
    return ours, [job for job in jobs if job not in ours]


def _second_process(jobs: list[Job], theirs: list[Job], folder: Path | None) -> subprocess.Popen[bytes] | None:
    """Start it, if it is worth it and allowed (`DUOTI_COMPILERS=1` forbids it)."""
    findable = [job for job in jobs if job.module != "__main__"]
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if len(findable) < WORTHWHILE or processors < 2 or os.environ.get("DUOTI_COMPILERS") == "1":
        return None
    first = [job for job in findable if job in theirs]
    task = json.dumps({"path": sys.path, "folder": folder and str(folder), "first": first, "jobs": findable})
    program = "import json, sys; task = json.loads(sys.stdin.readline()); sys.path[:] = task['path']; "
    program += "from duoti.kernel.compile.parallel_build import work; work(task)"
    try:
        made = subprocess.Popen(
            [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env=os.environ | {"DUOTI_QUIET": "1"},
        )  # fmt: skip
        assert made.stdin is not None
        made.stdin.write(task.encode() + b"\n")
        made.stdin.flush()  # and left open: its end tells the other process that this one has ended
    except OSError:
        return None
    return made


def work(task: dict[str, Any]) -> None:
    """What the second process does: its own share, and then what has been lowered, until nothing is left."""
    gc.disable()  # it ends soon
    threading.Thread(target=_end_with_the_first, daemon=True).start()
    folder = Path(task["folder"]) if task["folder"] else None
    for job in (Job(*each) for each in task["first"]):
        _help(job, folder)
    waiting = [Job(*each) for each in task["jobs"]]
    while waiting := [job for job in waiting if not store.has(job.key, folder)]:
        ready = [job for job in waiting if store.has(store.lowered_name(job.key), folder)]
        for job in ready:
            _help(job, folder)
        time.sleep(PAUSE)


def _help(job: Job, folder: Path | None) -> None:
    """Compile a kernel if it is the same here and nobody else does."""
    import importlib

    importlib.import_module(job.module)
    compiled = REGISTRY.get(job.name)
    if compiled is not None and load_or_compile.key_of(compiled, job.signature) == job.key:
        _compile(job, folder, wait=False)


def _end_with_the_first() -> None:
    """End this process when the one that started it does, however that happens."""
    sys.stdin.read()
    os._exit(0)
