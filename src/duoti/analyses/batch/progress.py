"""A progress bar for many runs, in terminals."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager

SHOW_AFTER = 1.0  # s


@contextmanager
def progress_bar(total: int, before: int, wanted: bool | None) -> Generator[Callable[[int], None], None, None]:
    """A bar that appears when runs take long: how many are done, `before` of them at the start, and the time left."""
    if wanted is False or (wanted is None and not sys.stderr.isatty()):
        yield lambda done: None
        return
    began, bar, task = time.monotonic(), None, None

    def update(done: int) -> None:
        nonlocal bar, task
        if bar is None:
            if time.monotonic() - began < SHOW_AFTER:
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
