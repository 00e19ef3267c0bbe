"""Does the runs of a study: looks into the store, makes chunks, keeps what comes, shows progress."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import numpy as np

from duoti.analyses.batch.progress import progress_bar
from duoti.analyses.parameter_study.digest import NoDigestError, digest
from duoti.analyses.parameter_study.executors import Workers, workers_of
from duoti.analyses.parameter_study.store import Row, RunStore
from duoti.analyses.parameter_study.work import NOT_RUN, Chunk, Columns, Job
from duoti.system.arrays import size_of_state
from duoti.version import __version__

CHUNK_TIME = 1.0  # s, that a chunk should take: long beside what it costs to send it, short beside what may be lost
SHORTEST = 0.05  # part of that time, for the last chunks
LONGEST_CHUNK = 512  # runs
CHUNK_MEMORY = 1e8  # bytes of states in a chunk
ROUNDS = 3  # a chunk is at most this part of what is left for a worker, so that all end at about the same time
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
    """Hand out chunks, and as many runs in each as take about a second."""
    under_way = dict[int, list[int]]()
    first, number = 0, 0
    pace = min(job.pace, seconds_per_run / workers.threads if seconds_per_run else float("inf"))
    try:
        while first < len(left) or under_way:
            while first < len(left) and len(under_way) < workers.ahead:
                size = chunk_size(job, len(left) - first, workers, pace)
                group = left[first : first + size]
                workers.submit(number, {name: [each[k] for k in group] for name, each in columns.items()})
                under_way[number] = group
                first, number = first + size, number + 1
            for done, chunk in workers.wait():
                if isinstance(chunk, Chunk):
                    pace = job.pace = min(pace, chunk.seconds / max(len(chunk.rows), 1))
                take(under_way.pop(done), chunk)
            if runs.interrupted:
                return
    finally:
        workers.close()


def chunk_size(job: Job, left: int, workers: Workers, pace: float) -> int:
    """Runs in the next chunk, of those that are left; pace: seconds per run. It has no influence on the results."""
    wanted = CHUNK_TIME / max(pace, 1e-6)
    states = size_of_state(job.system.tree) if not callable(job.model) else 1
    room = CHUNK_MEMORY / (8.0 * len(job.times) * max(states, 1))
    fair = left / (ROUNDS * max(workers.count // workers.threads, 1)) if workers.count > workers.threads else left
    fair = max(fair, SHORTEST * min(wanted, LONGEST_CHUNK))
    return int(max(min(wanted, room, fair, LONGEST_CHUNK, left), min(workers.threads, left), 1))
