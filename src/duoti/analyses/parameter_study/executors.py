"""Where the runs of a study are done: in this process, in processes of a pool, on the workers of a Dask cluster."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, ThreadPoolExecutor, wait
from typing import Any, Protocol

from duoti.analyses.batch.workers import available_cores
from duoti.analyses.parameter_study.work import Chunk, Columns, Job, run_chunk

Numbered = tuple[int, Columns]
"""A chunk, by its number."""
Done = tuple[int, Chunk | str]
"""What became of it: its rows, or why a worker lost it."""


class Workers(Protocol):
    """Does chunks of runs, in any order."""

    count: int
    """Runs that are done side by side."""
    threads: int
    """Of these, in one chunk."""

    def do(self, chunks: Sequence[Numbered]) -> Iterator[Done]:
        """Results of the chunks as they come. Closing the iterator leaves out the rest."""
        ...


class Here:
    """This process, on threads: the compiled code of several runs at once."""

    def __init__(self, job: Job, threads: int):
        self.job, self.count, self.threads = job, threads, threads

    def do(self, chunks: Sequence[Numbered]) -> Iterator[Done]:
        """One chunk after the other."""
        for number, columns in chunks:
            yield number, self.job.run(columns, self.threads)


class Pool:
    """An executor of concurrent.futures."""

    threads = 1

    def __init__(self, job: Job, key: str, pool: Executor):
        self.pool, self.key, self.packed = pool, key, packed(job)
        self.count = int(getattr(pool, "_max_workers", 0)) or available_cores()

    def do(self, chunks: Sequence[Numbered]) -> Iterator[Done]:
        """All chunks at once, as the pool can take them."""
        waiting = dict[Any, int]()
        try:
            for number, columns in chunks:
                waiting[self.pool.submit(run_chunk, self.packed, self.key, columns)] = number
            while waiting:
                done, _ = wait(waiting, return_when=FIRST_COMPLETED)
                for future in done:
                    yield waiting.pop(future), future.result()
        except BrokenExecutor as error:
            for number in waiting.values():
                yield number, f"the pool broke: {error}"
        finally:
            for future in waiting:
                future.cancel()


class Cluster:
    """A Dask client. What a worker that dies had in hand goes to others."""

    def __init__(self, job: Job, key: str, client: Any):
        self.client, self.key, self.packed = client, key, packed(job)
        nthreads = [each["nthreads"] for each in client.scheduler_info(n_workers=-1)["workers"].values()]
        self.threads = max(nthreads, default=1)
        self.count = max(sum(nthreads), 1)

    def do(self, chunks: Sequence[Numbered]) -> Iterator[Done]:
        """All chunks at once; the job travels once, and again if its worker dies."""
        from distributed import as_completed

        client = self.client
        job = client.submit(bytes, self.packed, pure=False)
        waiting = {
            client.submit(run_chunk, job, self.key, columns, self.threads, pure=False): number
            for number, columns in chunks
        }
        try:
            for future in as_completed(list(waiting)):
                if future.status == "error":
                    error = future.exception()
                    if type(error).__name__ != "KilledWorker":
                        raise error
                    yield waiting.pop(future), f"workers died with it: {error}"
                else:
                    yield waiting.pop(future), future.result()
                future.release()
        finally:
            if waiting:
                client.cancel(list(waiting))


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
