"""Where the runs of a study are done: in this process, in processes of a pool, on the workers of a Dask cluster."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from typing import Any, Protocol

from duoti.analyses.batch.workers import available_cores
from duoti.analyses.parameter_study.work import Chunk, Columns, Job, run_chunk

Done = tuple[int, Chunk | str]
"""A chunk by its number, and what became of it: its rows, or why a worker lost it."""


class Workers(Protocol):
    """Does chunks of runs, in any order."""

    count: int
    """Runs that are done side by side."""
    threads: int
    """Of these, in one chunk."""

    @property
    def ahead(self) -> int:
        """Chunks that are handed out at a time, so that no worker waits for the next one."""
        ...

    def submit(self, number: int, columns: Columns) -> None:
        """Hand out a chunk."""
        ...

    def wait(self) -> Iterator[Done]:
        """The chunks that are done; waits for one of them."""
        ...

    def close(self) -> None:
        """Take back what is not done."""
        ...


class Here:
    """This process, on threads: the compiled code of several runs at once."""

    ahead = 1

    def __init__(self, job: Job, threads: int):
        self.job, self.count, self.threads = job, threads, threads
        self._next: list[tuple[int, Columns]] = []

    def submit(self, number: int, columns: Columns) -> None:
        """Note a chunk."""
        self._next.append((number, columns))

    def wait(self) -> Iterator[Done]:
        """Do it."""
        for number, columns in self._next:
            yield number, self.job.run(columns, self.threads)
        self._next = []

    def close(self) -> None:
        """Nothing is under way."""
        self._next = []


class Pool:
    """An executor of concurrent.futures."""

    threads = 1

    def __init__(self, job: Job, key: str, pool: Executor):
        self.pool, self.key, self.packed = pool, key, packed(job)
        self.count = int(getattr(pool, "_max_workers", 0)) or available_cores()
        self._waiting = dict[Any, int]()
        self._broken = ""

    @property
    def ahead(self) -> int:
        """Two for each process."""
        return 2 * self.count

    def submit(self, number: int, columns: Columns) -> None:
        """Hand a chunk to the pool."""
        if self._broken:
            self._waiting[Future[Any]()] = number
            return
        try:
            self._waiting[self.pool.submit(run_chunk, self.packed, self.key, columns)] = number
        except BrokenExecutor as error:
            self._broken = f"the pool broke: {error}"
            self._waiting[Future[Any]()] = number

    def wait(self) -> Iterator[Done]:
        """What is done, or that the pool broke."""
        if not self._broken:
            done, _ = wait(self._waiting, return_when=FIRST_COMPLETED)
            for future in done:
                try:
                    found = future.result()
                except BrokenExecutor as error:
                    self._broken = f"the pool broke: {error}"
                    break
                yield self._waiting.pop(future), found
        if self._broken:
            lost, self._waiting = self._waiting, {}
            for number in lost.values():
                yield number, self._broken

    def close(self) -> None:
        """Cancel what has not begun."""
        for future in self._waiting:
            future.cancel()


class Cluster:
    """A Dask client. What a worker that dies had in hand goes to others."""

    def __init__(self, job: Job, key: str, client: Any):
        from distributed import as_completed

        self.client, self.key = client, key
        nthreads = [each["nthreads"] for each in client.scheduler_info(n_workers=-1)["workers"].values()]
        self.threads = max(nthreads, default=1)
        self.count = max(sum(nthreads), 1)
        self._job = client.submit(bytes, packed(job), pure=False)  # travels once, and again if its worker dies
        self._waiting = dict[Any, int]()
        self._completed = as_completed()

    @property
    def ahead(self) -> int:
        """Three for each worker: the scheduler takes a while to hand out the next one."""
        return 3 * max(self.count // self.threads, 1)

    def submit(self, number: int, columns: Columns) -> None:
        """Hand a chunk to the scheduler."""
        future = self.client.submit(run_chunk, self._job, self.key, columns, self.threads, pure=False)
        self._waiting[future] = number
        self._completed.add(future)

    def wait(self) -> Iterator[Done]:
        """What is done."""
        future = next(self._completed)
        number = self._waiting.pop(future)
        if future.status == "error":
            error = future.exception()
            if type(error).__name__ != "KilledWorker":
                raise error
            yield number, f"workers died with it: {error}"
        elif future.status == "cancelled":
            yield number, "the cluster took it back"
        else:
            yield number, future.result()

    def close(self) -> None:
        """Cancel what is not done."""
        if self._waiting:
            self.client.cancel(list(self._waiting))


def workers_of(executor: Any, job: Job, key: str) -> Workers:
    """What `executor` means; refuses what is none."""
    if isinstance(executor, ThreadPoolExecutor):
        executor = executor._max_workers  # compiled runs take threads of their own
    if executor is None:
        return Here(job, available_cores())
    if isinstance(executor, int) and not isinstance(executor, bool) and executor >= 1:
        return Here(job, executor)
    if isinstance(executor, Executor):
        return Pool(job, key, executor)
    if "distributed" in sys.modules:
        from distributed import Client

        if isinstance(executor, Client):
            if executor.asynchronous:
                raise ValueError("executor: an asynchronous Dask client; give one made with asynchronous=False")
            return Cluster(job, key, executor)
    raise TypeError(
        f"executor={executor!r}: give None (this process, all processors), a number of threads from 1, an executor of "
        'concurrent.futures, or a Dask client (pip install "duoti[dask]")'
    )


def packed(job: Job) -> bytes:
    """A job for workers. cloudpickle, which Dask brings, also packs functions of scripts and notebooks."""
    try:
        import cloudpickle as pickler
    except ImportError:
        pickler = pickle
    try:
        return pickler.dumps(job)
    except Exception as error:
        raise ValueError(
            f"the model or a measure cannot travel to other processes ({type(error).__name__}: {error}); give "
            "executor=None or a number of threads, or move functions into a module"
        ) from error
