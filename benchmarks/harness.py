"""What a case is, and how the times of two sides are compared.

A case is a function under `@case(name, peer, target)` that returns a `Pair`: our side and the peer's, ready to run,
with their errors. It is called only when the case is wanted; a peer that is not installed is found out then, and said.

Times on a shared machine vary by a factor of two within minutes, so that only ratios are reported. One round times
both sides one after the other, in alternating order; the ratio of a case is the median over the rounds of the ratio
within a round, peer's time / ours: above 1, duoti is faster. What is measured is processor time, of the calling thread
unless the case says otherwise.
"""

from __future__ import annotations

import gc
import importlib
import importlib.metadata
import os
import resource
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from statistics import median, quantiles
from time import perf_counter, process_time, thread_time
from typing import Any

SHORTEST = 0.02  # s, of one timing: shorter runs are repeated
FEWEST = 3  # rounds of a case, however long they take
PACKAGES = {  # what a peer is called, and the distributions that it needs
    "Pinocchio": ("pin",), "MuJoCo": ("mujoco",), "Exudyn": ("exudyn",), "IDA": ("scikit-sundae",),
    "scikit-fem, SciPy": ("scikit-fem", "scipy"), "NumPy": ("numpy",), "Numba": ("numba",),
    "one run": (), "differences of 71 runs": (), "PythonFMU3": ("pythonfmu3", "fmpy"),
    "real time": (), "spheres as wheels": (),
}  # fmt: skip


def children_time() -> float:
    """Processor time of the processes that were started and have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


CLOCKS = {"thread": thread_time, "process": process_time, "children": children_time}


@dataclass
class Side:
    """One of the two programs of a case."""

    run: Callable[[int], Any] | None = None
    """run(n) does the work n times."""
    error: float | None = None
    """Of its result, against a reference."""
    overhead: Callable[[int], Any] | None = None
    """overhead(n) is timed in the same round and subtracted: the cost of calling from Python."""
    fresh: Callable[[], Callable[[], Any]] | None = None
    """In the place of `run`: makes, untimed, what is then run and timed once."""
    taken: Callable[[], float] | None = None
    """In the place of `run`: does the work once and returns the seconds that count."""
    setting: str = ""
    """How it was run: solver, step, elements."""

    def timer(self, clock: Callable[[], float]) -> Callable[[], float]:
        """A function that takes one timing and returns seconds per run."""
        if self.taken:
            self.taken()  # loads kernels
            return self.taken
        if self.fresh:
            make = self.fresh

            def once() -> float:
                run = make()
                began = clock()
                run()
                return clock() - began

            once()
            return once
        assert self.run
        count = repeats(self.run, clock)
        more = repeats(self.overhead, clock) if self.overhead else 0

        def timed() -> float:
            taken = seconds(self.run, count, clock)
            return taken - seconds(self.overhead, more, clock) if more else taken

        return timed


def seconds(run: Callable[[int], Any] | None, count: int, clock: Callable[[], float]) -> float:
    assert run
    began = clock()
    run(count)
    return (clock() - began) / count


def repeats(run: Callable[[int], Any], clock: Callable[[], float]) -> int:
    """How often to run so that a timing takes SHORTEST."""
    run(1)  # loads kernels
    count = 1
    while (taken := count * seconds(run, count, clock)) < SHORTEST:
        count = max(2 * count, min(100 * count, int(count * SHORTEST / max(taken, 1e-9))))
    return count


def repeated(call: Callable[[], Any]) -> Callable[[int], None]:
    """n calls of a function."""

    def run(n: int) -> None:
        for _ in range(n):
            call()

    return run


@dataclass
class Pair:
    """Both sides of a case, ready to run."""

    ours: Side
    peer: Side | None = None
    differ: float | None = None
    """How far the results of both are apart, where one is the reference of the other."""
    allowed: float = 1e-9
    """The largest such difference."""
    unit: str = ""
    """Of the errors; none: relative."""
    clock: str = "thread"


@dataclass
class Case:
    """A benchmark."""

    name: str
    peer: str
    """Name of the other package, a key of PACKAGES; empty: the case compares checkouts of duoti only."""
    target: float | None
    """The least ratio peer's time / ours."""
    make: Callable[[], Pair]
    shown: bool = True
    """Whether the page has a row for it."""


CASES: dict[str, Case] = {}


def case(name: str, peer: str = "", target: float | None = None, shown: bool = True) -> Callable[[Any], Any]:
    """Declare a case: the function below it returns its `Pair`."""
    if peer and peer not in PACKAGES:
        raise ValueError(f'{name}: there is no peer "{peer}"; there are {", ".join(PACKAGES)}')
    if name in CASES:
        raise ValueError(f"there are two cases {name}")

    def declare(make: Callable[[], Pair]) -> Callable[[], Pair]:
        CASES[name] = Case(name, peer, target, make, shown and bool(peer))
        return make

    return declare


def all_cases() -> dict[str, Case]:
    """All cases by name: those declared in the modules of `benchmarks.cases`."""
    from benchmarks import cases

    for name in cases.ORDER:
        importlib.import_module(f"benchmarks.cases.{name}")
    return CASES


class Later:
    """A module of a peer, imported when something of it is used."""

    def __init__(self, name: str):
        self._name = name

    def __getattr__(self, name: str) -> Any:
        return getattr(importlib.import_module(self._name), name)


def missing(peer: str) -> str:
    """Distributions of a peer that are not installed."""
    found: list[str] = []
    for name in PACKAGES.get(peer, ()):
        try:
            importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found.append(name)
    return ", ".join(found)


def version_of(peer: str) -> str:
    """As it is installed."""
    return ", ".join(importlib.metadata.version(name) for name in PACKAGES[peer])


@dataclass
class Row:
    """What was measured of a case."""

    name: str
    peer: str
    target: float | None
    ratio: float | None = None
    low: float | None = None  # quartiles of the ratio over the rounds
    high: float | None = None
    rounds: int = 0
    ours: dict[str, Any] = field(default_factory=dict[str, Any])  # seconds (best), error, setting
    theirs: dict[str, Any] = field(default_factory=dict[str, Any])
    differ: float | None = None
    unit: str = ""
    version: str = ""  # of the peer
    date: str = ""
    load: float = 0.0
    note: str = ""  # why there is no ratio

    @property
    def met(self) -> bool:
        """Whether the ratio reaches the target."""
        return self.target is None or (self.ratio is not None and self.ratio >= self.target)


def interleaved(
    first: Callable[[], float], second: Callable[[], float], rounds: int, budget: float
) -> tuple[list[float], list[float]]:
    """Times of two timers, one after the other in alternating order, until there are enough or the time is over."""
    times: tuple[list[float], list[float]] = ([], [])
    gc.collect()
    gc.disable()
    began = perf_counter()
    try:
        for k in range(rounds):
            for i in (0, 1) if k % 2 else (1, 0):
                times[i].append((first, second)[i]())
            if k + 1 >= FEWEST and perf_counter() - began > budget:
                break
    finally:
        gc.enable()
    return times


def ratio_of(above: list[float], below: list[float]) -> tuple[float, float, float]:
    """Median and quartiles of the ratios within the rounds."""
    ratios = [a / b for a, b in zip(above, below, strict=True)]
    low, _, high = quantiles(ratios, n=4) if len(ratios) > 1 else (ratios[0],) * 3
    return median(ratios), low, high


def measure(wanted: Case, rounds: int = 15, budget: float = 30.0) -> Row:
    """Run a case; a missing peer and results that disagree are said in its note."""
    row = Row(wanted.name, wanted.peer, wanted.target)
    row.date, row.load = datetime.now(UTC).strftime("%Y-%m-%d"), round(os.getloadavg()[0], 1)
    if lacking := missing(wanted.peer):
        row.note = f"not installed: {lacking}"
        return row
    row.version = version_of(wanted.peer) if wanted.peer else ""
    try:
        pair = wanted.make()
    except Exception as error:  # the other cases are to run nevertheless
        row.note = f"failed: {type(error).__name__}: {error}"[:300]
        return row
    clock = CLOCKS[pair.clock]
    row.differ, row.unit = pair.differ, pair.unit
    if pair.differ is not None and not pair.differ <= pair.allowed:
        row.note = f"failed: results differ by {pair.differ:.1e}, allowed are {pair.allowed:.0e}"
        return row
    row.ours = {"error": pair.ours.error, "setting": pair.ours.setting}
    ours = pair.ours.timer(clock)
    if pair.peer is None:
        taken = [ours() for _ in range(min(rounds, 5))]
        row.ours["seconds"], row.rounds, row.note = min(taken), len(taken), "no peer: for --against"
        return row
    row.theirs = {"error": pair.peer.error, "setting": pair.peer.setting}
    mine, other = interleaved(ours, pair.peer.timer(clock), rounds, budget)
    row.ours["seconds"], row.theirs["seconds"], row.rounds = min(mine), min(other), len(mine)
    row.ratio, row.low, row.high = ratio_of(other, mine)
    return row
