"""The only file that configures Numba.

`@kernel` compiles a function of arrays and numbers that Python may call. `@part` compiles one that only kernels call,
and `@helper` a small one that is always inlined into them; Python can call neither (only their `py_func`). `@entry` is
explained further down. With `DUOTI_JIT=0` in the environment all are left as plain Python, for debugging and tests.

Rules for what stands under these decorators (the reasons, with measurements, are in docs/design.md):

* no allocation, no NumPy calls: workspaces are passed in; small vectors are tuples (`duoti.spatial.algebra`);
* branch on integers (joint type, topology), not on floating-point states, unless the kernel is a solver;
* generic in the number type, so that complex-step derivatives work;
* report trouble by a status code: only Python knows names.

A compiled kernel is kept on disk. Numba itself looks only at the file in which a kernel stands when it decides
whether the kept code is still good, although helpers of other files are compiled into it. Every kernel is therefore
stamped with one fingerprint of *all* kernel sources, the compiler flags and the versions.
"""

# The inside of Numba (dispatchers, intrinsics, options) is beyond its own type hints.
# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false
# pyright: reportPossiblyUnboundVariable=false, reportRedeclaration=false, reportReturnType=false

from __future__ import annotations

import contextlib
import ctypes
import functools
import hashlib
import os
import re
import sys
import time
from collections.abc import Callable, Generator, Sequence
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


_IMPORT = re.compile(r"^\s*from (duoti[\w.]*) import (\([^)]*\)|[^\n]*)", re.MULTILINE)


def _kernel_sources() -> list[Path]:
    """Files of the package whose code or constants end up inside a kernel: those with kernels, and what they import."""
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(_PACKAGE.rglob("*.py"))}
    with_kernels = [path for path, text in texts.items() if "from duoti.kernel import" in text]
    found = {Path(__file__), *with_kernels}
    for module, names in (match for path in with_kernels for match in _IMPORT.findall(texts[path])):
        place = _PACKAGE.joinpath(*module.split(".")[1:])
        inside = (place / f"{name}.py" for name in re.findall(r"\w+", names))
        found.update(path for path in (place.with_suffix(".py"), place / "__init__.py", *inside) if path in texts)
    return sorted(found)


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

    def _load_index(load: Callable[[], Any]) -> Any:
        """What is kept of a kernel; nothing if it was kept by another version, whose types are not there any more."""
        try:
            return load()
        except (AttributeError, ImportError, TypeError):
            return {}

    def _compiled(function: F, *, called_by: str = "kernels", inlined: bool = False, kept: bool = True) -> F:
        """Compile lazily. What no one asks for is left out: it would only cost time to compile."""
        dispatcher = numba.njit(
            cache=kept, forceinline=inlined, no_cpython_wrapper=called_by != "python",
            no_cfunc_wrapper=called_by != "address", **OPTIONS,
        )(function)  # fmt: skip
        if not kept:
            return dispatcher
        with contextlib.suppress(AttributeError):  # no such private attribute: Numba's own stamp stays
            cache = dispatcher._cache._cache_file
            ours = Path(function.__code__.co_filename).is_relative_to(_PACKAGE)
            cache._load_index = functools.partial(_load_index, cache._load_index)
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
            if not self.said and "duoti" in str(event.data["dispatcher"].py_func.__module__):
                self.said = True
                say("duoti: compiling kernels, once; later runs start at once ...")

        def on_end(self, event: Any) -> None:
            self.depth -= 1

    event.register("numba:compile", _CompilationNotice())
else:
    FINGERPRINT = "plain Python"

    def _compiled(function: F, *, called_by: str = "kernels", inlined: bool = False, kept: bool = True) -> F:
        del called_by, inlined, kept
        return function


def say(text: str) -> None:
    """Write one line for the person at the terminal (stderr), unless `DUOTI_QUIET` is set."""
    if not os.environ.get("DUOTI_QUIET"):
        print(text, file=sys.stderr, flush=True)


def kernel(function: F) -> F:
    """Compile a function of arrays and numbers."""
    return _compiled(function, called_by="python")


def part(function: F) -> F:
    """Compile a part of kernels: a larger function that only kernels call; kept on disk for the next kernel.

    It is inlined too: handing over a tree and a workspace costs 100 ns a call, as much as two bodies.
    """
    return _compiled(function, inlined=True)


def helper(function: F) -> F:
    """Compile a small function that is always inlined into the kernels that call it."""
    return _compiled(function, inlined=True, kept=False)


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
    return _compiled(namespace["choose"], inlined=True, kept=False)


# ------------------------------------------------------------------------------------------------------------ entries
#
# A kernel that calls another one has all of the other's code compiled into it again. Where that would make compilation
# slow (the integrators call the dynamics, the dynamics call the force elements), the callee is an *entry*: a kernel
# `f(context)` that is compiled once, called by its address, and finds its arguments in a context: a block of memory in
# which the descriptors of all arrays were packed beforehand. The call costs about 10 ns.


def entry(function: F) -> F:
    """Compile an entry."""
    return _compiled(function, called_by="address")


if JIT:
    from llvmlite import ir
    from numba import types
    from numba.core.datamodel.registry import default_manager
    from numba.extending import intrinsic

    _POINTER = ir.IntType(8).as_pointer()
    _ARRAY = ("meminfo", "parent", "nitems", "itemsize", "data", "shape", "strides")  # how Numba describes an array

    @intrinsic
    def call_address(typingctx, address, x, y):
        """Call a C function `void f(const double *x, double *y)` at an address; x and y are addresses too."""

        def codegen(context, builder, signature, args):
            function = ir.FunctionType(ir.VoidType(), [_POINTER, _POINTER]).as_pointer()
            pointers = [builder.inttoptr(arg, _POINTER) for arg in args[1:]]
            builder.call(builder.inttoptr(args[0], function), pointers)
            return context.get_dummy_value()

        return types.void(types.int64, types.int64, types.int64), codegen

    @intrinsic
    def call_entry(typingctx, address, context_address):
        """Call the entry at an address with a context."""

        def codegen(context, builder, signature, args):
            function = ir.FunctionType(ir.VoidType(), [ir.IntType(64)]).as_pointer()
            builder.call(builder.inttoptr(args[0], function), [args[1]])
            return context.get_dummy_value()

        return types.void(types.int64, types.int64), codegen

    @intrinsic
    def unpack(typingctx, context_address, kind):
        """The arguments that were packed into a context; `kind` is their Numba type (see `type_of`)."""
        arguments = kind.instance_type

        def codegen(context, builder, signature, args):
            place = builder.inttoptr(args[0], context.get_value_type(arguments).as_pointer())
            return builder.load(place)

        return arguments(types.int64, kind), codegen

    def type_of(arguments: tuple[Any, ...]) -> Any:
        """The Numba type of a tuple of arguments."""
        return numba.typeof(arguments)

    def entry_address(entry: Any) -> int:
        """Address of an entry; compiles it, or takes it from disk."""
        entry.compile((types.int64,))
        compiled = entry.overloads[(types.int64,)]
        return compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)

    def describe(arguments: tuple[Any, ...]) -> np.ndarray:
        """The arguments (numbers, arrays, tuples of them) as Numba lays them out; arrays must outlive its use.

        All of it is words of eight bytes, so that nothing needs to be compiled for it.
        """
        _check_layout()
        words: list[int] = []
        _add_words(arguments, words)
        return np.array(words, np.int64)

    def pack(block: np.ndarray, arguments: tuple[Any, ...], described: np.ndarray | None = None) -> None:
        """Write the arguments into the block; `described`: what `describe` made of all but the last, if at hand."""
        known = describe(arguments[:-1]) if described is None else described
        fresh = describe(arguments[-1:])
        words = block.view(np.int64)
        n = len(known)
        if n + len(fresh) > len(words):
            raise MemoryError(f"a context of {8 * (n + len(fresh))} bytes in a block of {block.nbytes}")
        words[:n], words[n : n + len(fresh)] = known, fresh

    @functools.cache
    def _check_layout() -> None:
        if default_manager[types.float64[::1]]._fields != _ARRAY:
            raise RuntimeError(f"duoti does not know how Numba {numba.__version__} describes arrays")

    def _add_words(arguments: tuple[Any, ...], words: list[int]) -> None:
        for argument in arguments:
            if isinstance(argument, np.ndarray):
                if not argument.flags.c_contiguous:
                    raise ValueError(f"an array of shape {argument.shape} in a context is not contiguous: copy it")
                address = argument.__array_interface__["data"][0]  # faster than by ctypes
                words += (0, 0, argument.size, argument.itemsize, address, *argument.shape, *argument.strides)
            elif isinstance(argument, tuple):
                _add_words(argument, words)
            elif isinstance(argument, float):
                words.append(int(np.float64(argument).view(np.int64)))
            else:
                words.append(int(argument))

    def run_entry(address: int, context: int) -> None:
        """Call the entry at an address from Python."""
        ctypes.CFUNCTYPE(None, ctypes.c_int64)(int(address))(int(context))
else:
    _ENTRIES: dict[int, Callable[..., Any]] = {}
    _CONTEXTS: dict[int, Any] = {}

    def call_address(address, x, y):
        """Call a C function `void f(const double *x, double *y)` at an address; x and y are addresses too."""
        ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(int(address))(x, y)

    def call_entry(address, context):
        """Call the entry at an address with a context."""
        _ENTRIES[address](context)

    run_entry = call_entry

    def unpack(context, kind):
        """The arguments that were packed into a context."""
        return _CONTEXTS[context]

    def type_of(arguments: tuple[Any, ...]) -> Any:
        """The Numba type of a tuple of arguments."""

    def entry_address(entry: Any) -> int:
        """A number under which plain Python finds the entry."""
        _ENTRIES[id(entry)] = entry
        return id(entry)

    def describe(arguments: tuple[Any, ...]) -> np.ndarray:
        """Nothing to do in plain Python."""
        return np.zeros(0, np.int64)

    def pack(block: np.ndarray, arguments: tuple[Any, ...], described: np.ndarray | None = None) -> None:
        """Remember the arguments under the address of the block."""
        _CONTEXTS[block.ctypes.data] = arguments


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
