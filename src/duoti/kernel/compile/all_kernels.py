"""All kernels of the package, and the files with their machine code that it ships (`duoti compile --ship`)."""

from __future__ import annotations

import importlib
import os
import pkgutil
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

from duoti.kernel import packing
from duoti.kernel.decorators import ENTRY, ON_DEMAND, REGISTRY, Compiled
from duoti.kernel.store import load_or_compile, misses, processors, shipped, sources, syntax
from duoti.kernel.store import user_store as store
from duoti.kernel.store.cache_keys import PACKAGE, parts_of

NOT_LOOKED_AT = ("duoti.kernel", "duoti.cli", "duoti.view", "duoti.__main__")


class Wanted(NamedTuple):
    """A kernel for arguments of some types."""

    compiled: Compiled
    signature: str
    key: str


def all_kernels() -> list[Wanted]:
    """Every kernel and entry of the package, found in its modules: entries, and kernels with declared signatures."""
    root = importlib.import_module("duoti")
    for info in pkgutil.walk_packages(root.__path__, "duoti."):
        if not info.name.startswith(NOT_LOOKED_AT):
            importlib.import_module(info.name)
    known = -1
    while known != len(REGISTRY):  # what one makes may give another one more to do
        known = len(REGISTRY)
        for make_all in ON_DEMAND:
            make_all()
    found: list[Wanted] = []
    for each in REGISTRY.values():
        texts = [""] if each.role == ENTRY else map(packing.declared_signature, each.declared)
        for signature in texts:
            if misses.is_of_package(each, signature):
                found.append(Wanted(each, signature, load_or_compile.key_of(each, signature)))
    return sorted(found, key=lambda each: (each.compiled.name, each.signature))


def missing(wanted: list[Wanted]) -> list[Wanted]:
    """Those that are not shipped for a level that this processor has."""
    return [each for each in wanted if not shipped.has(each.key)]


def shipped_for(level: str, wanted: list[Wanted]) -> list[Wanted]:
    """Those that the file of a level holds: all kernels for the first level, for the others those that gain by it."""
    if level == processors.shipped_levels()[0]:
        return wanted
    return [each for each in wanted if each.compiled.hot and _theme(each.compiled, each.signature) not in _NO_GAIN]


# ------------------------------------------------------------------------------------------------------ compiling them


def code_for(level: str, key: str) -> shipped.Code | None:
    """The code of a kernel for a level of processors, whichever this one has: shipped, or from the store."""
    folder = store.level_folder(level)
    return shipped.at(level).code(key) or (store.verified(folder / key) if folder else None)


def compile_all(
    wanted: Mapping[str, list[Wanted]], say: Callable[[str], None], processes: int | None = None
) -> list[str]:
    """Compile what is in no store, by levels of processors, in several processes; returns what went wrong."""
    lacking = {level: [each for each in of if code_for(level, each.key) is None] for level, of in wanted.items()}
    todo = list(dict.fromkeys(each for of in lacking.values() for each in of))
    if not todo:
        return []
    levels = {each.key: [level for level, of in lacking.items() if each in of] for each in todo}
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    shares = _shares(todo, min(processes or available, len(todo)))
    say(f"{len(todo)} kernels to compile in {len(shares)} processes")
    program = "from duoti.kernel.compile.all_kernels import work; import sys; sys.exit(work())"
    began, running = time.monotonic(), []
    for share in shares:
        made = subprocess.Popen(
            [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True,
            env=os.environ | {"DUOTI_QUIET": "1", "DUOTI_COMPILERS": "1"},
        )  # fmt: skip
        assert made.stdin is not None
        others = [each for each in reversed(todo) if each not in share]  # whoever is done helps from the other end
        made.stdin.write("".join(" ".join([each.key, *levels[each.key]]) + "\n" for each in [*share, *others]))
        made.stdin.close()
        running.append(made)
    messages: list[str] = []
    while any(each.poll() is None for each in running):
        time.sleep(1.0)
        if time.monotonic() - began > 15.0 * (1 + len(messages)):
            left = sum(not _is_made(each.key, levels[each.key]) for each in todo)
            messages.append(f"{left} of {len(todo)} left after {time.monotonic() - began:.0f} s")
            say(messages[-1])
    return [f"{each.compiled.name}: not compiled" for each in todo if not _is_made(each.key, levels[each.key])]


def _is_made(key: str, levels: list[str]) -> bool:
    return all(store.has(key, store.level_folder(level)) for level in levels)


def _shares(todo: list[Wanted], count: int) -> list[list[Wanted]]:
    """Kernels for several processes: such as have parts in common together, and as much for each."""
    weight = {each.key: sum(parts_of(each.compiled).values()) for each in todo}
    ordered = sorted(todo, key=lambda each: (each.compiled.__module__, each.compiled.name))
    total, shares, sum_so_far = sum(weight.values()), [[] for _ in range(count)], 0.0
    for each in ordered:
        shares[min(int(count * sum_so_far / total), count - 1)].append(each)
        sum_so_far += weight[each.key]
    return [share for share in shares if share]


def work() -> int:
    """What each of the processes does: compile the kernels of the given keys for the given levels."""
    wanted = {each.key: each for each in all_kernels()}
    failed = 0
    for line in sys.stdin.read().splitlines():
        key, *levels = line.split()
        each = wanted.get(key)
        if each is None or _is_made(key, levels):  # sources were edited meanwhile; or another process was quicker
            continue
        try:
            load_or_compile.compile_for(each.compiled, each.signature, key, levels)
        except Exception as error:
            failed += 1
            print(f"{each.compiled.name} {each.signature[:60]}: {error}", file=sys.stderr, flush=True)
    return failed


# ------------------------------------------------------------------------------------------------------------ the files


def ship(say: Callable[[str], None], processes: int | None = None, check: bool = False) -> bool:
    """Bring the files of this platform up to date; check: only see whether they are. Returns whether they are complete.

    Code for a level needs no processor of that level.
    """
    everything = all_kernels()
    wanted = {level: shipped_for(level, everything) for level in processors.shipped_levels()}
    tables = {level: _tables() if of is everything else {} for level, of in wanted.items()}
    stale = [level for level, of in wanted.items() if not _is_complete(level, of, tables[level], say, check)]
    if check:
        return not stale
    wrong = compile_all({level: wanted[level] for level in stale}, say, processes)
    for each in wrong:
        say(each)
    for level in stale:
        path, groups = shipped.path_for(level), list[dict[str, shipped.Code]]()
        for group in _groups(wanted[level]):
            found = {each.key: code_for(level, each.key) for each in group}
            groups.append({key: code for key, code in found.items() if code is not None})
        size = shipped.write(path, groups, tables[level])
        say(f"{path.name}: {sum(map(len, groups))} kernels in {len(groups)} groups, {size / 1e6:.2f} MB")
    return not wrong


def _is_complete(
    level: str, wanted: list[Wanted], tables: dict[str, str], say: Callable[[str], None], check: bool
) -> bool:
    """Whether the file of a level has these kernels and, unless it is only checked, nothing else."""
    path, known = shipped.path_for(level), shipped.at(level)
    lacking = [each for each in wanted if each.key not in known.kernels]
    beyond = set(known.kernels) - {each.key for each in wanted}
    new = set(tables) - set(known.sources)
    if not lacking and (check or not (beyond or new)):
        say(f"{path.name}: complete for these sources, {len(wanted)} kernels, {path.stat().st_size / 1e6:.2f} MB")
        if beyond or new:
            say(f"{len(beyond)} kernels of other sources in it, and {len(new)} source files are parsed at a first run")
        return True
    if check:
        for each in lacking[:20]:
            say(f"not in {path.name}: {each.compiled.name}")
        say(
            f"{path.name}: {len(lacking)} of {len(wanted)} kernels of these sources are missing, {len(beyond)} are of "
            "other sources; `duoti compile --ship` makes it anew"
        )
    return False


def _tables() -> dict[str, str]:
    """The tables of all source files of the package that were asked for, and of the texts that it makes."""
    texts = [path.read_bytes() for path in sorted(PACKAGE.rglob("*.py"))] + sorted(sources.REMEMBERED.values())
    digests = dict.fromkeys(map(sources.digest_of, texts))
    return {digest: syntax.written(sources.USED[digest]) for digest in digests if digest in sources.USED}


def _groups(wanted: list[Wanted]) -> list[list[Wanted]]:
    """Kernels that are used together."""
    by_theme: dict[str, list[Wanted]] = {}
    for each in wanted:
        by_theme.setdefault(_theme(each.compiled, each.signature), []).append(each)
    return [members for _, members in sorted(by_theme.items())]


_NO_GAIN = ("pairs of shapes", "compliant contact", "compliant contact, derivatives", "complex numbers")
"""Themes whose kernels are as fast without AVX-512 (geometry of pairs), or are for analyses only."""
_COMPLIANT = ("duoti.model.compliant.forces.", "duoti.model.compliant.patches.", "duoti.model.compliant.lugre.")


def _theme(compiled: Compiled, signature: str) -> str:
    """What a kernel is for: its module, but variants of the same functions are best compressed together."""
    folder, name = compiled.__module__.split(".")[1], compiled.name.rpartition(".")[2]
    derived = "complex" in name or "perturbed" in name or "D1" in signature
    if compiled.name.startswith(_COMPLIANT):
        return "compliant contact" + (", derivatives" if derived or "tangent" in name else "")
    if derived:
        return "complex numbers"
    if folder in ("elements", "model"):
        return "tangents of elements" if "tangent" in name else "elements"
    if folder == "contact" or compiled.__module__.startswith("duoti.integrate.moreau"):
        return "pairs of shapes" if name.endswith(("_points", "_biases", "_creeps")) else "contact"
    return compiled.__module__
