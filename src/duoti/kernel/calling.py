"""Calls of compiled code: from Python, and from kernel to kernel by address."""

from __future__ import annotations

import array
import ctypes
import functools
import struct
from collections.abc import Callable, Sequence
from typing import Any

from duoti.kernel import faults
from duoti.kernel.decorators import CHECK, Compiled

_CALL = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_ENTRY = ctypes.CFUNCTYPE(None, ctypes.c_int64)
_RESULT = ctypes.c_char * 16  # ctypes forgets such a type with its last object, and makes it anew
_REALS = struct.Struct("=dd")
_READERS: dict[str, Callable[[bytes], Any]] = {
    "": lambda data: None,
    "i": lambda data: int.from_bytes(data[:8], "little", signed=True),
    "b": lambda data: data[0] != 0,
    "d": lambda data: _REALS.unpack(data)[0],
    "c": lambda data: complex(*_REALS.unpack(data)),
}


class Intrinsic:
    """One of the compiler's intrinsics by its name: kernels mention it before Numba is there."""

    def __init__(self, name: str, doc: str):
        self.name = name
        self.__doc__ = doc

    def __call__(self, *arguments: Any) -> Any:
        """Only kernels can."""
        raise TypeError(f"only kernels can call {self.name}")

    @property
    def _numba_type_(self) -> Any:
        from duoti.kernel.compile import compiler

        return compiler.intrinsic_type(self.name)


call_address: Any = Intrinsic(
    "call_address", "Call a C function `void f(const double *x, double *y)` at an address; x and y are addresses too."
)
call_entry: Any = Intrinsic("call_entry", "Call the entry at an address with a context.")
unpack: Any = Intrinsic("unpack", "The arguments that were packed into a context of a type (`ContextType`).")


def entry_address(entry: Any) -> int:
    """Address of an entry: from a store, or compiled now."""
    from duoti.kernel.store import load_or_compile

    return load_or_compile.link(entry, "")[0]


def run_entry(address: int, context: int) -> None:
    """Call the entry at an address from Python."""
    _ENTRY(int(address))(int(context))
    if CHECK:
        faults.look()


def entry_caller(entry: Any, context: int) -> Callable[[], None]:
    """A function that calls an entry with this context, quicker than `run_entry`."""
    call = functools.partial(_ENTRY(entry_address(entry)), ctypes.c_int64(int(context)))
    return faults.looking(call) if CHECK else call


def callable_of(kernel: Compiled, signature: str) -> Callable[[list[int]], Any]:
    """A kernel for arguments of these types: called with their words, it returns what the kernel returns."""
    from duoti.kernel.store import load_or_compile

    address, returns = load_or_compile.link(kernel, signature)
    call, read = _CALL(address), _READERS[returns]
    if CHECK:
        call = faults.looking(call)

    def run(words: list[int]) -> Any:
        block = array.array("q", words)
        result = _RESULT()
        if call(result, block.buffer_info()[0]) != 0:
            raise RuntimeError(f"{kernel.name} failed")
        return read(result.raw)

    return run


def prepare(wanted: Sequence[tuple[Any, str]]) -> None:
    """Compile what is missing of these kernels and signatures, side by side."""
    from duoti.kernel.compile import parallel_build as side_by_side

    side_by_side.prepare(wanted)
