"""Signals (Ctrl-C and others) that must not come at any moment: their handlers wait until something is done as a whole.

Python runs a signal's handler between any two instructions of the main thread. An exception that is raised there
leaves half of what was being done: half a module, if it was an import.
"""

from __future__ import annotations

import _signal  # pyright: ignore[reportMissingImports]  # what `signal` wraps, without its search for names: 0.3 ms
import signal
import threading
from collections.abc import Callable, Collection, Iterable
from types import FrameType
from typing import Any

Handler = Callable[[int, FrameType | None], Any]

ALL = tuple(int(number) for number in signal.valid_signals())  # to look at all of them takes 0.05 ms
_NAMES = ("SIGINT", "SIGTERM", "SIGHUP", "SIGALRM", "SIGUSR1", "SIGUSR2", "SIGBREAK")
COMMON = tuple(int(getattr(signal, name)) for name in _NAMES if hasattr(signal, name))


class handlers_wait:  # noqa: N801 - a class, since a generator takes three times as long
    """Python's handlers of these signals are called at the end of the block, in the order in which the signals came.

    at_once: may call the handler when the signal comes; it returns True if it has.
    """

    __slots__ = ("arrived", "at_once", "handlers", "held", "numbers")

    def __init__(
        self,
        numbers: Iterable[int] = COMMON,
        at_once: Callable[[Handler, int, FrameType | None], bool] | None = None,
    ):
        self.numbers, self.at_once = numbers, at_once
        self.handlers: dict[int, Handler] = {}

    def _wait(self, number: int, frame: FrameType | None) -> None:
        if self.at_once is None or not self.at_once(self.handlers[number], number, frame):
            self.arrived.append((number, frame))

    def __enter__(self) -> None:
        if threading.current_thread() is not threading.main_thread():  # only the main thread is interrupted
            return
        handlers = _python_handlers(self.numbers)
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
