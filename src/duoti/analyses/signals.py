"""Signals (Ctrl-C and others) during a run.

An exception that a handler raises between the compiled loop and a user's function cannot pass through compiled code: it
would be lost, and the run would go on.
"""

from __future__ import annotations

from types import FrameType

from duoti.model.callbacks import Callbacks, in_a_law
from duoti.signals import ALL, COMMON, Handler, handlers_wait


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
