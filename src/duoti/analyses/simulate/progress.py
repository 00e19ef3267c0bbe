"""What a user sees of a run."""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from duoti.integrate import state as S
from duoti.model.laws.callbacks import Callbacks, in_a_law
from duoti.signals import ALL, COMMON, Handler, handlers_wait

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


# Signals (Ctrl-C and others) during a run.
#
# An exception that a handler raises between the compiled loop and a user's function cannot pass through compiled
# code: it would be lost, and the run would go on.


def signals_wait(callbacks: Callbacks | None = None) -> handlers_wait:
    """Python's handlers of signals are called at the end of the block, in the order in which the signals came.

    All signals do so if the system calls functions in Python, otherwise the common ones. Inside a function handlers
    are called at once, so that one that never returns can be stopped; `callbacks` then keeps what the handler raised,
    as `stopped_by`, and calls no function more.
    """
    if callbacks is None:
        return handlers_wait()

    def in_function(handler: Handler, number: int, frame: FrameType | None) -> bool:
        if not in_a_law(frame):
            return False
        try:
            handler(number, frame)
        except BaseException as error:
            callbacks.stopped_by = error
            raise
        return True

    return handlers_wait(ALL if callbacks.calls_python else COMMON, in_function)
