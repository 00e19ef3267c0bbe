"""What the user sees while kernels are compiled: what, why it takes time, and how much is left."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Sequence

from duoti.kernel.functions import Compiled
from duoti.kernel.messages import say

_ANNOUNCED: list[Compiled] = []  # said already by `several`


def title(compiled: Compiled) -> str:
    """A kernel in a few words: the last word of its module's name and its own."""
    return f"{compiled.__module__.rpartition('.')[2]}.{compiled.__name__}"


@contextlib.contextmanager
def several(kernels: Sequence[Compiled]) -> Generator[None, None, None]:
    """Say which kernels are compiled now."""
    count = f"{len(kernels)} kernels" if len(kernels) > 1 else "a kernel"
    say(f"duoti: compiling {count}, once; they are kept for all later runs: {', '.join(map(title, kernels))} ...")
    _ANNOUNCED.extend(kernels)
    try:
        yield
    finally:
        _ANNOUNCED.clear()


@contextlib.contextmanager
def compiling(compiled: Compiled) -> Generator[None, None, None]:
    """Say that a kernel is compiled, unless that was said."""
    if compiled not in _ANNOUNCED:
        say(f"duoti: compiling a kernel, once; it is kept for all later runs: {title(compiled)} ...")
    yield
