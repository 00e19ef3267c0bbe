"""Does the runs of a study: looks into the store, makes chunks, keeps what comes, shows progress."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from duoti.analyses.parameter_study.digest import NoDigestError, digest
from duoti.analyses.parameter_study.executors import Workers, workers_of
from duoti.analyses.parameter_study.store import Row, RunStore
from duoti.analyses.parameter_study.work import NOT_RUN, Chunk, Columns, Job
from duoti.system.arrays import size_of_state
from duoti.version import __version__

CHUNK_TIME = 0.5  # s, that a chunk should take: long beside what it costs to send it, short beside what may be lost
LONGEST_CHUNK = 512  # runs
CHUNK_MEMORY = 1e8  # bytes of states in a chunk
ROUNDS = 4  # chunks for each worker, at least, so that all end at about the same time
SHOW_PROGRESS_AFTER = 1.0  # s
LOST = "worker-lost"


class Runs:
    """The runs of a study by number, and what became of them."""

    def __init__(self, count: int):
        self.rows: list[Row | None] = [None] * count
        self.notes = Counter[str]()
        self.done_before = 0
        self.interrupted = False
        self.seconds = 0.0

    def status(self, k: int) -> tuple[str, str]:
        """Status and message of a run."""
        row = self.rows[k]
        if row is None:
            return NOT_RUN, "interrupted before it was done" if self.interrupted else "not done"
        return row.status, row.message


def study_key(job: Job) -> str:
    """The key of all runs of one model with the same settings and measures."""
    measures = {name: getattr(each, "text", each) for name, each in job.measures.items()}
    try:
        return digest(__version__, job.model, measures, job.times, job.duration, job.options, job.coordinates)
    except NoDigestError as error:
        raise ValueError(
            f"store: the model or a measure depends on {error}, of which duoti cannot tell whether it changed; "
            "run without a store, or let the function read only numbers, arrays and other functions"
        ) from error


def do_runs(
    job: Job, columns: Columns, executor: Any, store: str | Path | None, progress: bool | None, about: str,
    seconds_per_run: float | None = None,
) -> Runs:  # fmt: skip
    """All runs with the values of these columns."""
    count = len(next(iter(columns.values())))
    runs, began = Runs(count), time.perf_counter()
    names = list(columns)
    key = study_key(job) if store is not None else f"{id(job)}-{time.time_ns()}"
    with ExitStack() as stack:
        kept = None if store is None else stack.enter_context(RunStore(store))
        keys = [""] * count
        if kept is not None:
            keys = [digest(key, {name: columns[name][k] for name in names}) for k in range(count)]
            kept.describe(key, about)
            found = kept.read(keys)
            for k in range(count):
                row = found.get(keys[k])
                runs.rows[k] = row if row is not None and len(row.numbers) == job.width else None
        left = [k for k in range(count) if runs.rows[k] is None]
        runs.done_before = count - len(left)
        if left:
            workers = workers_of(executor, job, key)
            update = stack.enter_context(progress_bar(count, runs.done_before, progress))

            def take(numbers: Sequence[int], chunk: Chunk | str) -> None:
                new = dict[str, Row]()
                for i, k in enumerate(numbers):
                    row = Row(np.full(job.width, np.nan), LOST, chunk) if isinstance(chunk, str) else chunk.rows[i]
                    runs.rows[k] = row
                    if row is not None and row.status != LOST:
                        new[keys[k]] = row
                if not isinstance(chunk, str):
                    runs.notes += chunk.notes
                    runs.interrupted |= any(row is None for row in chunk.rows)
                if kept is not None and new:
                    kept.write(new)
                update(sum(row is not None for row in runs.rows))

            try:
                _all_chunks(job, columns, left, workers, take, runs, seconds_per_run)
            except KeyboardInterrupt:
                runs.interrupted = True
    runs.seconds = time.perf_counter() - began
    return runs


def _all_chunks(
    job: Job, columns: Columns, left: list[int], workers: Workers, take: Callable[[Sequence[int], Chunk | str], None],
    runs: Runs, seconds_per_run: float | None,
) -> None:  # fmt: skip
    def do(groups: list[list[int]]) -> None:
        made = [
            (i, {name: [each[k] for k in group] for name, each in columns.items()}) for i, group in enumerate(groups)
        ]
        for number, chunk in (stream := workers.do(made)):
            take(groups[number], chunk)
            if runs.interrupted:
                stream.close()  # pyright: ignore[reportAttributeAccessIssue]
                return

    if len(left) > ROUNDS * workers.count and seconds_per_run is None:  # time some, to know how many make a chunk
        pilot, left = left[: workers.threads], left[workers.threads :]
        began = time.perf_counter()
        do([pilot[:1]])  # loads kernels
        seconds_per_run = time.perf_counter() - began
        if len(pilot) > 1 and not runs.interrupted:
            began = time.perf_counter()
            do([pilot[1:]])
            seconds_per_run = min(seconds_per_run, time.perf_counter() - began)
    if left and not runs.interrupted:
        size = chunk_size(job, len(left), workers, seconds_per_run)
        do([left[first : first + size] for first in range(0, len(left), size)])


def chunk_size(job: Job, count: int, workers: Workers, seconds_per_run: float | None) -> int:
    """Runs in a chunk. It has no influence on the results."""
    if seconds_per_run is None:
        return workers.threads
    wanted = workers.threads * CHUNK_TIME / max(seconds_per_run, 1e-6)
    states = size_of_state(job.system.tree) if not callable(job.model) else 1
    room = CHUNK_MEMORY / (8.0 * len(job.times) * max(states, 1))
    fair = count / (ROUNDS * max(workers.count // workers.threads, 1))
    return int(max(min(wanted, room, fair, LONGEST_CHUNK), workers.threads, 1))


@contextmanager
def progress_bar(total: int, before: int, wanted: bool | None) -> Generator[Callable[[int], None], None, None]:
    """A bar that appears when a study takes long: runs, part done, time left."""
    if wanted is False or (wanted is None and not sys.stderr.isatty()):
        yield lambda done: None
        return
    began, bar, task = time.monotonic(), None, None

    def update(done: int) -> None:
        nonlocal bar, task
        if bar is None:
            if time.monotonic() - began < SHOW_PROGRESS_AFTER and wanted is None:
                return
            from rich.console import Console
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (TextColumn("runs"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
            bar = Progress(*columns, console=Console(stderr=True), transient=True)
            bar.start()
            task = bar.add_task("", total=total, completed=before)
        assert task is not None
        bar.update(task, completed=done)

    try:
        yield update
    finally:
        if bar is not None:
            bar.stop()
