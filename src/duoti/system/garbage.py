"""Compiling without Python's search for garbage."""

from __future__ import annotations

import gc
from collections.abc import Generator
from contextlib import contextmanager


@contextmanager
def garbage_waits() -> Generator[None, None, None]:
    """Python does not look for garbage in the block, which makes many objects that stay: a quarter of the time."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
