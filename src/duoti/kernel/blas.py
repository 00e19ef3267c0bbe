"""BLAS on one thread."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Generator
from typing import Any


@contextlib.contextmanager
def one_blas_thread() -> Generator[None, None, None]:
    """Keep BLAS on one thread inside the block: for matrices up to a few hundred, threads cost more than they bring."""
    with _thread_pools().limit(limits=1, user_api="blas"):
        yield


@functools.cache
def _thread_pools() -> Any:
    """The thread pools of this process; finding them takes a millisecond."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
