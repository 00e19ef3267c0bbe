"""The only file that configures Numba.

`@kernel` compiles a function of arrays and numbers; `@helper` compiles a small one that is always inlined
into kernels and cannot be called from Python (its `py_func` can). With `DUOTI_JIT=0` in the environment both are left
as plain Python, for debugging and for tests.

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
import ctypes
import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
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


_PACKAGE = Path(__file__).parent


def _kernel_sources() -> list[Path]:
    """Files of the package whose code ends up inside a kernel."""
    marker = b"from duoti.kernel import"
    files = [path for path in sorted(_PACKAGE.rglob("*.py")) if marker in path.read_bytes()]
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

    def _compiled(function: F, inlined: bool) -> F:
        if inlined:  # lives only inside other kernels: nothing to keep on disk, no entry from Python
            return numba.njit(forceinline=True, no_cpython_wrapper=True, no_cfunc_wrapper=True, **OPTIONS)(function)
        dispatcher = numba.njit(cache=True, **OPTIONS)(function)
        with contextlib.suppress(AttributeError):  # no such private attribute: Numba's own stamp stays
            cache = dispatcher._cache._cache_file
            ours = Path(function.__code__.co_filename).is_relative_to(_PACKAGE)
            cache._source_stamp = FINGERPRINT if ours else (FINGERPRINT, cache._source_stamp)
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

    def _compiled(function: F, inlined: bool) -> F:
        del inlined
        return function


def say(text: str) -> None:
    """Write one line for the person at the terminal (stderr), unless `DUOTI_QUIET` is set."""
    if not os.environ.get("DUOTI_QUIET"):
        print(text, file=sys.stderr, flush=True)


def kernel(function: F) -> F:
    """Compile a function of arrays and numbers."""
    return _compiled(function, inlined=False)


def helper(function: F) -> F:
    """Compile a small function that is always inlined into the kernels that call it."""
    return _compiled(function, inlined=True)


def fold(laws: Sequence[Callable[..., Any]], otherwise: Callable[..., Any]) -> Callable[..., Any]:
    """One function `f(code, *args)` that calls `laws[code](*args)`, without a hand-kept list of cases.

    The laws become one inlined if-chain, as fast as a switch written by hand. `otherwise(*args)` is called for any
    other code; it names the arguments and must return the same type as the laws.
    """
    plain = getattr(otherwise, "py_func", otherwise)
    arguments = ", ".join(plain.__code__.co_varnames[: plain.__code__.co_argcount])
    lines = [f"def choose(code, {arguments}):"]
    lines += [f"    if code == {i}:\n        return law{i}({arguments})" for i in range(len(laws))]
    lines += [f"    return otherwise({arguments})"]
    namespace: dict[str, Any] = {f"law{i}": law for i, law in enumerate(laws)} | {"otherwise": otherwise}
    exec("\n".join(lines), namespace)  # our own text: numbers and the argument names of `otherwise`
    return _compiled(namespace["choose"], inlined=True)


def call_address(address, x, y):
    """Call a C function `void f(const double *x, double *y)` at an address; x and y are addresses too."""
    ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(address)(x, y)


if JIT:
    from llvmlite import ir
    from numba import types
    from numba.extending import intrinsic, overload

    @intrinsic
    def _call_address(typingctx, address, x, y):
        def codegen(context, builder, signature, args):
            pointer = ir.IntType(8).as_pointer()
            function = ir.FunctionType(ir.VoidType(), [pointer, pointer]).as_pointer()
            builder.call(
                builder.inttoptr(args[0], function),
                [builder.inttoptr(args[1], pointer), builder.inttoptr(args[2], pointer)],
            )
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, types.int64), codegen

    @overload(call_address, jit_options=OPTIONS)
    def _call_address_overload(address, x, y):
        return lambda address, x, y: _call_address(address, x, y)


@contextlib.contextmanager
def one_blas_thread() -> Iterator[None]:
    """Keep BLAS on one thread inside the block: for small matrices, threads cost more than they bring."""
    from threadpoolctl import threadpool_limits

    with threadpool_limits(limits=1, user_api="blas"):
        yield
