"""The only file that configures Numba.

`@kernel` compiles a function of arrays and numbers; `@helper` compiles a small one that is always inlined
into its callers. Both can be called from Python too, and with `DUOTI_JIT=0` in the environment both are left as
plain Python, for debugging and for tests.

Rules for what stands under these decorators (the reasons, with measurements, are in docs/design.md):

* no allocation, no NumPy calls: workspaces are passed in; small vectors are tuples (`duoti.spatial.algebra`);
* branch on integers (joint type, topology), not on floating-point states, unless the kernel is a solver;
* generic in the number type, so that complex-step derivatives work;
* report trouble by a status code: only Python knows names.

A compiled kernel is kept on disk. Numba itself looks only at the file in which a kernel stands when it decides
whether the kept code is still good, although helpers of other files are compiled into it. Every kernel is therefore
stamped with one fingerprint of *all* kernel sources, the compiler flags and the versions.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

F = TypeVar("F", bound=Callable[..., Any])

JIT: bool = os.environ.get("DUOTI_JIT", "1") != "0"
"""False when kernels run as plain Python (`DUOTI_JIT=0`)."""

# "contract" allows fused multiply-add, "nsz" ignores the sign of zero. NaN and infinity keep their meaning:
# the checks for them must survive.
FASTMATH = {"contract", "nsz"}
OPTIONS: dict[str, Any] = {"fastmath": FASTMATH, "error_model": "numpy", "nogil": True}
NO_REFERENCE_COUNTING = "_nrt"  # private option of Numba; without it kernels are about half as fast, but work


def _kernel_sources() -> list[Path]:
    """Files of the package whose code ends up inside a kernel."""
    root = Path(__file__).parent
    marker = b"from duoti.kernel import"
    files = [path for path in sorted(root.rglob("*.py")) if marker in path.read_bytes()]
    return [Path(__file__), *files]


def _fingerprint() -> str:
    import numba

    digest = hashlib.sha256(repr((sorted(FASTMATH), numba.__version__, np.__version__)).encode())
    for path in _kernel_sources():
        digest.update(path.name.encode())
        digest.update(path.read_bytes())
    return digest.hexdigest()


if JIT:
    import numba
    from numba.core import event
    from numba.core.cpu import CPUTargetOptions

    FINGERPRINT = _fingerprint()
    if hasattr(CPUTargetOptions, NO_REFERENCE_COUNTING):
        OPTIONS[NO_REFERENCE_COUNTING] = False

    def _compiled(function: F, **options: Any) -> F:
        dispatcher = numba.njit(cache=True, **OPTIONS, **options)(function)
        with contextlib.suppress(AttributeError):  # no such private attribute: Numba's own stamp stays
            dispatcher._cache._cache_file._source_stamp = FINGERPRINT
        return dispatcher

    class _CompilationNotice(event.Listener):
        """Tells the user, once, why the first run takes longer."""

        def __init__(self) -> None:
            self.depth = 0
            self.started = 0.0
            self.said = False

        def on_start(self, event: Any) -> None:
            self.depth += 1
            if self.depth == 1:
                self.started = time.perf_counter()
            if not self.said and "duoti" in getattr(event.data["dispatcher"].py_func, "__module__", ""):
                self.said = True
                say("duoti: compiling kernels, once; later runs start at once ...")

        def on_end(self, event: Any) -> None:
            self.depth -= 1

    event.register("numba:compile", _CompilationNotice())
else:
    FINGERPRINT = "plain Python"

    def _compiled(function: F, **options: Any) -> F:
        del options
        return function


def say(text: str) -> None:
    """Write one line for the person at the terminal (stderr), unless `DUOTI_QUIET` is set."""
    if not os.environ.get("DUOTI_QUIET"):
        print(text, file=sys.stderr, flush=True)


def kernel(function: F) -> F:
    """Compile a function of arrays and numbers."""
    return _compiled(function)


def helper(function: F) -> F:
    """Compile a small function that is always inlined into the kernels that call it."""
    return _compiled(function, forceinline=True)


@contextlib.contextmanager
def one_blas_thread() -> Iterator[None]:
    """Keep BLAS on one thread inside the block: for small matrices, threads cost more than they bring."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1, user_api="blas"):
        yield
