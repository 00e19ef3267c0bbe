"""BLAS on one thread."""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Generator
from typing import Any


@contextlib.contextmanager
def one_blas_thread() -> Generator[None, None, None]:
    """Keep BLAS on one thread inside the block: for matrices up to a few hundred, threads cost more than they bring."""
    with _thread_pools(_libraries()).limit(limits=1, user_api="blas"):
        yield


def _libraries() -> tuple[bool, ...]:
    """Which of the packages that bring a BLAS of their own are loaded."""
    return tuple(name in sys.modules for name in ("numpy", "scipy.linalg", "scipy.sparse.linalg"))


@functools.cache
def _thread_pools(libraries: tuple[bool, ...]) -> Any:
    """The thread pools of this process while these libraries are loaded; finding them takes a millisecond."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()
