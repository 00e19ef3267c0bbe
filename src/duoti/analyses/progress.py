"""What a user sees of a run."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from duoti.integrate import state as S

SHOW_PROGRESS_AFTER = 1.0  # seconds


@contextmanager
def progress_bar(run: S.Run, wanted: bool | None) -> Generator[Any, None, None]:
    """A bar that appears when a run takes long, and says how far it is."""
    if wanted is False or (wanted is None and not sys.stderr.isatty()):
        yield lambda seconds: None
        return
    bar: Any = None
    task: Any = None
    t0, span = run.clock[0].t_begin, run.clock[0].t_end - run.clock[0].t_begin

    def update(seconds: float) -> None:
        nonlocal bar, task
        if bar is None:
            if seconds < SHOW_PROGRESS_AFTER:
                return
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            bar = Progress(
                TextColumn("simulating"), BarColumn(), TextColumn("t = {task.fields[t]:.4g} s"), TimeRemainingColumn(),
                console=Console(stderr=True), transient=True,
            )  # fmt: skip
            bar.start()
            task = bar.add_task("", total=1.0, t=0.0)
        bar.update(task, completed=(run.clock[0].t - t0) / span, t=run.clock[0].t)

    try:
        yield update
    finally:
        if bar is not None:
            bar.stop()
