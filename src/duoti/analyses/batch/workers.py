"""Threads that take the runs of a batch one after the other; Ctrl-C, progress, and what goes wrong."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from duoti.analyses.batch.progress import progress_bar

BETWEEN_LOOKS = 0.05  # seconds, at Ctrl-C and the progress bar


def available_cores() -> int:
    """Processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Workers:
    """Threads that do tasks, each once, in any order.

    Attributes
    ----------
    stopped:
        Set by Ctrl-C, or by an exception: nothing more is begun.
    flag:
        [1] the same for compiled code: 1 once it is set.
    """

    def __init__(self, workers: int, progress: bool | None):
        self.workers, self.progress = workers, progress
        self.stopped = threading.Event()
        self.flag = np.zeros(1, np.int64)
        self._error: BaseException | None = None

    def stop(self) -> None:
        """Begin nothing more."""
        self.stopped.set()
        self.flag[0] = 1

    def do_all(
        self, do: Callable[[Any], None], tasks: Iterable[Any], done: Callable[[], int], total: int, apart: bool = False
    ) -> None:
        """Call do(task) for each task. done: how many runs of `total` are done, for the progress bar.

        apart: tasks spend long in compiled code, in which this thread could not hear of Ctrl-C.
        """
        waiting, lock = iter(tasks), threading.Lock()

        def work(update: Callable[[int], None] | None = None) -> None:
            try:
                while not self.stopped.is_set():
                    with lock:
                        task = next(waiting, None)
                    if task is None:
                        return
                    do(task)
                    if update is not None:
                        update(done())
            except KeyboardInterrupt:
                self.stop()
            except BaseException as error:  # of duoti itself: the caller shall see it
                self._error = self._error or error
                self.stop()

        with progress_bar(total, 0, self.progress) as update:
            if self.workers == 1 and not apart:
                work(update)
            else:
                self._in_threads(work, update, done)
        if self._error is not None:
            raise self._error

    def _in_threads(self, work: Callable[[], None], update: Callable[[int], None], done: Any) -> None:
        threads = [threading.Thread(target=work, name=f"duoti batch {i}", daemon=True) for i in range(self.workers)]
        for each in threads:
            each.start()
        while any(each.is_alive() for each in threads):
            try:
                for each in threads:
                    each.join(BETWEEN_LOOKS)
                update(done())
            except KeyboardInterrupt:
                self.stop()
