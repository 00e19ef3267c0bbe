"""Signals (Ctrl-C and others) during a run: their handlers wait until what is being done is done as a whole.

Python runs a signal's handler between any two instructions of the main thread, also in those that stand between the
compiled loop and a user's function. An exception that is raised there cannot pass through compiled code: it would be
lost, and the run would go on.
"""

from __future__ import annotations

import _signal  # pyright: ignore[reportMissingImports]  # what `signal` wraps, without its search for names: 0.3 ms
import signal
import threading
from collections.abc import Callable, Collection, Iterable
from types import FrameType
from typing import Any

from duoti.model.callbacks import Callbacks, in_a_law

Handler = Callable[[int, FrameType | None], Any]

_ALL = tuple(int(number) for number in signal.valid_signals())  # to look at all of them takes 0.05 ms
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGBREAK")
_COMMON = tuple(int(getattr(signal, name)) for name in _NAMES if hasattr(signal, name))


class signals_wait:  # noqa: N801 - a class, since a generator takes three times as long
    """Python's handlers of signals are called at the end of the block, in the order in which the signals came.

    All signals do so if the system calls functions in Python, otherwise the common ones. Inside a function handlers
    are called at once, so that one that never returns can be stopped; `callbacks` then keeps what the handler raised,
    as `stopped_by`, and calls no function more.
    """

    __slots__ = ("arrived", "callbacks", "handlers", "held")

    def __init__(self, callbacks: Callbacks | None = None):
        self.callbacks = callbacks
        self.handlers: dict[int, Handler] = {}

    def _wait(self, number: int, frame: FrameType | None) -> None:
        if self.callbacks is None or not in_a_law(frame):
            self.arrived.append((number, frame))
            return
        try:
            self.handlers[number](number, frame)
        except BaseException as error:
            self.callbacks.stopped_by = error
            raise

    def __enter__(self) -> None:
        if threading.current_thread() is not threading.main_thread():  # only the main thread is interrupted
            return
        every = self.callbacks is not None and self.callbacks.calls_python
        handlers = _python_handlers(_ALL if every else _COMMON)
        self.arrived: list[tuple[int, FrameType | None]] = []
        self.held = _Held(handlers)
        with self.held:
            self.handlers = handlers
            for number in handlers:
                _signal.signal(number, self._wait)

    def __exit__(self, *_: object) -> None:
        if not self.handlers:
            return
        try:
            with self.held:
                for number, handler in self.handlers.items():
                    if _signal.getsignal(number) == self._wait:  # not if the block has put in another one
                        _signal.signal(number, handler)
        finally:
            _call(self.handlers, self.arrived)


def _python_handlers(numbers: Iterable[int]) -> dict[int, Handler]:
    """Those of the signals that have handlers in Python."""
    found: dict[int, Handler] = {}
    for number in numbers:
        handler = _signal.getsignal(number)
        if callable(handler):
            found[number] = handler
    return found


def _call(handlers: dict[int, Handler], arrived: list[tuple[int, FrameType | None]]) -> None:
    """Call the handlers of signals that came; all of them, also if one raises."""
    if arrived:
        number, frame = arrived.pop(0)
        try:
            handlers[number](number, frame)
        finally:
            _call(handlers, arrived)


class _Held:
    """Signals come after the block, so that handlers are exchanged all or none; a single one needs no such care."""

    def __init__(self, numbers: Collection[int]):
        can = hasattr(signal, "pthread_sigmask")  # not on Windows
        self.numbers = numbers if can and len(numbers) > 1 else ()

    def __enter__(self) -> None:
        if self.numbers:
            self.before = _signal.pthread_sigmask(signal.SIG_BLOCK, self.numbers)

    def __exit__(self, *_: object) -> None:
        if self.numbers:
            _signal.pthread_sigmask(signal.SIG_SETMASK, self.before)
