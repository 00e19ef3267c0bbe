"""Functions of the user's as C functions that the compiled solver calls, and what goes wrong in them.

A C function cannot raise. Whatever a law raises is kept here with the law's owner, and its output, which the solver has
filled with NaN before the call, stays undefined: the solver stops there and the message says whose law it was.
"""

from __future__ import annotations

import ctypes
import math
import sys
import traceback
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from types import FrameType
from typing import Any

import numpy as np

from duoti.kernel import JIT, OPTIONS
from duoti.model.element_id import ElementId
from duoti.model.laws.law import Law

KEPT = 1000  # functions by Numba whose C functions are kept: each takes some 40 ms to compile


@dataclass
class Callbacks:
    """Keeps function pointers alive, and what functions raised, with whose laws they are."""

    alive: list[Any] = field(default_factory=list)
    errors: list[tuple[ElementId, BaseException]] = field(default_factory=list)
    stopped_by: BaseException | None = None  # raised by a signal's handler while a law ran: no law is called any more
    calls_python: bool = False
    heard: list[BaseException] = field(default_factory=list)  # raised by functions by Numba, which do not say whose

    def address(self, law: Law, owner: ElementId) -> int:
        """Address of a C function `void f(const double *x, double *y)` that calls the law's function."""
        function = law.function
        assert function is not None
        if JIT and is_numba(function):
            pointer = _numba_pointer(function, len(law.inputs), law.outputs)
            self.alive.append(pointer)
            return pointer.address
        pointer = self._python_pointer(function, len(law.inputs), law.outputs, owner)
        self.alive.append(pointer)
        return ctypes.cast(pointer, ctypes.c_void_p).value or 0

    def _python_pointer(self, function: Callable[..., Any], n_in: int, n_out: int, owner: ElementId) -> Any:
        doubles = ctypes.POINTER(ctypes.c_double)

        def call_law(x: Any, y: Any) -> None:
            try:
                if self.stopped_by is not None:
                    return
                result = function(*x[:n_in])
                values = [float(result)] if n_out == 1 else np.asarray(result, dtype=float).reshape(n_out).tolist()
                for i, value in enumerate(values):
                    y[i] = value
            except BaseException as error:  # must not escape into C; the solver stops on NaN and reports this
                self.errors.append((owner, error))
                for i in range(n_out):
                    y[i] = math.nan

        call_law.owner = owner  # pyright: ignore[reportFunctionMemberAccess]
        self.calls_python = True
        _CODES.add(call_law.__code__)
        return ctypes.CFUNCTYPE(None, doubles, doubles)(call_law)

    @contextmanager
    def raising(self) -> Generator[None, None, None]:
        """Raise what a Python function raised meanwhile, with a note that says whose it is."""
        before = len(self.errors)
        yield
        if len(self.errors) > before:
            owner, error = self.errors[before]
            del self.errors[before:]
            error.add_note(f"raised by the function of {owner}")
            raise error

    def failure_text(self, before: int) -> str:
        """What the first function raised since there were so many errors, in brackets; "" if none did."""
        if len(self.errors) <= before:
            return ""
        owner, error = self.errors[before]
        return f" ({owner}: its function raised {type(error).__name__}: {error})"

    @contextmanager
    def listening(self) -> Generator[None, None, None]:
        """Hear of exceptions that could not be raised: of functions by Numba, or at the entry of a Python function."""
        self.heard.clear()
        before = sys.unraisablehook

        def hear(unraisable: Any) -> None:
            inside, error = unraisable.object, unraisable.exc_value
            owner = getattr(inside, "owner", None)
            if isinstance(owner, ElementId) and error is not None:
                self.errors.append((owner, error))
            elif isinstance(inside, str) and "numba" in inside and error is not None:
                self.heard.append(error)
            else:
                before(unraisable)

        sys.unraisablehook = hear
        try:
            yield
        finally:
            sys.unraisablehook = before
            self.stopped_by = None


_CODES: set[Any] = set()


def in_a_law(frame: FrameType | None) -> bool:
    """Whether a frame is inside a user's Python function that the solver called, where it may be interrupted."""
    caller = None if frame is None or frame.f_code in _CODES else frame.f_back
    while caller is not None:
        if caller.f_code in _CODES:
            return True
        caller = caller.f_back
    return False


# ------------------------------------------------------------------------------------------------ functions by Numba


def is_numba(function: Any) -> bool:
    """Whether a function is one that Numba compiles."""
    return hasattr(function, "py_func") and hasattr(function, "typingctx")


@lru_cache(maxsize=KEPT)
def numba_fault(function: Any, n_in: int, n_out: int) -> str:
    """Why a function by Numba cannot be a law with so many inputs and outputs; empty if it can."""
    from numba import types
    from numba.core.errors import NumbaError

    name = getattr(function, "__name__", repr(function))
    wanted = "one number" if n_out == 1 else f"{n_out} numbers, as a tuple or a one-dimensional array"
    try:
        found: Any = function._numba_type_.get_call_type(function.typingctx, (types.float64,) * n_in, {}).return_type
    except NumbaError as error:
        lines = [line.strip() for line in str(error).splitlines() if line.strip()]
        return f"Numba cannot compile function {name!r} for {n_in} real numbers: {' '.join(lines[-3:])[:300]}"
    real = (types.Integer, types.Float, types.Boolean)
    if n_out == 1:
        right = isinstance(found, real)
    elif isinstance(found, types.BaseTuple):
        right = len(found) == n_out and all(isinstance(each, real) for each in getattr(found, "types", ()))
    else:  # the length of an array shows at each call
        right = isinstance(found, types.Array) and found.ndim == 1 and isinstance(found.dtype, real)
    return "" if right else f"function {name!r} returns {found}, but {wanted} {'is' if n_out == 1 else 'are'} needed"


@lru_cache(maxsize=KEPT)
def _numba_pointer(function: Callable[..., Any], n_in: int, n_out: int) -> Any:
    import numba

    arguments = ", ".join(f"x[{i}]" for i in range(n_in))
    lines = [
        "def call(px, py):",
        f"    x = carray(px, ({max(n_in, 1)},))",
        f"    y = carray(py, ({n_out},))",
        *(f"    y[{i}] = nan" for i in range(n_out)),  # what stays if the function raises
    ]
    if n_out == 1:
        lines += [f"    y[0] = f({arguments})"]
    else:
        lines += [
            f"    r = f({arguments})",
            f"    if len(r) != {n_out}:",
            f"        raise ValueError('the function must return {n_out} numbers, and returned another count')",
            *(f"    y[{i}] = r[{i}]" for i in range(n_out)),
        ]
    namespace: dict[str, Any] = {"f": function, "nan": math.nan, "carray": numba.carray}  # pyright: ignore[reportPrivateImportUsage]
    exec("\n".join(lines), namespace)  # our own template: only counts are filled in
    return numba.cfunc("void(CPointer(float64), CPointer(float64))", error_model=OPTIONS["error_model"])(
        namespace["call"]
    )


def forget_frames(error: BaseException) -> None:
    """Replace the traceback of an exception, which keeps all arrays of its run alive, by a note with the same text."""
    seen, each = set[int](), error
    while each is not None and id(each) not in seen:
        seen.add(id(each))
        if each.__traceback__ is not None:
            each.add_note("raised in:\n" + "".join(traceback.format_tb(each.__traceback__)).rstrip())
            each.__traceback__ = None
        each = each.__cause__ or each.__context__
