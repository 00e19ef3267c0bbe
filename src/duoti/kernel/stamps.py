"""What the machine code of a kernel depends on: its own source, and that of everything it mentions, recursively.

Numba itself looks only at the file in which a kernel stands when it decides whether kept code is still good, although
helpers of other files are compiled into it. The stamp of a kernel is a digest of the bytecode of its function and of
all functions, constants, layouts and folded laws that it reaches, so that an edit of a helper makes exactly those
kernels new that contain it, and an edit of anything else, comments and docstrings included, none.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import threading
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from duoti.kernel.functions import CHECK, FASTMATH, JIT, OVERLOADED, Compiled
from duoti.kernel.packing import ContextType

_HERE = Path(__file__).parent
PACKAGE = _HERE.parent
_GENERATES_CODE = (
    "building.py", "compiler.py", "lean.py", "lowering.py", "references.py", "functions.py", "packing.py",
    "machine_code.py",
)  # fmt: skip


@functools.cache
def _generator() -> bytes:
    """Digest of what turns functions into machine code."""
    digest = hashlib.sha256(repr(FASTMATH).encode())
    for name in _GENERATES_CODE:
        digest.update((_HERE / name).read_bytes())
    for name in ("checked_lowering.py", "faults.py") if CHECK else ():
        digest.update((_HERE / name).read_bytes())
    return digest.digest()


def stamp(compiled: Compiled) -> str:
    """Digest of everything that ends up in a kernel."""
    with _LOCK:
        return hashlib.sha256(_generator() + _of_function(compiled.py_func, compiled.role)).hexdigest()


_KNOWN: dict[tuple[Callable[..., Any], str], bytes] = {}
_OPEN: list[tuple[Callable[..., Any], str]] = []  # functions whose digests are being made, the outermost first
_LOCK = threading.RLock()


def _of_function(function: Callable[..., Any], role: str) -> bytes:
    key = function, role
    if key in _OPEN:
        circle = _OPEN[_OPEN.index(key) :]
        if len(circle) > 1 and all(role for _, role in circle):  # its digests would depend on where it is entered
            names = " -> ".join(each.__qualname__ for each, _ in (*circle, key))
            raise TypeError(f"kernels cannot call each other in a circle: {names}; write it as one function")
        return b""  # a function may call itself, and a lambda for `sqrt` mention `math.sqrt`
    if key not in _KNOWN:
        _OPEN.append(key)
        try:
            _KNOWN[key] = _new_digest(function, role)
        finally:
            _OPEN.pop()
    return _KNOWN[key]


def _new_digest(function: Callable[..., Any], role: str) -> bytes:
    digest = hashlib.sha256(role.encode())
    for piece in _pieces(function.__code__, function.__doc__):
        digest.update(piece)
    if CHECK:  # its messages tell lines
        digest.update(repr((function.__code__.co_filename, list(function.__code__.co_lines()))).encode())
    space = function.__globals__
    for name in sorted(set(_names(function.__code__))):
        if name in space:
            digest.update(name.encode() + _of_value(space[name]))
    for cell in function.__closure__ or ():
        digest.update(_of_value(cell.cell_contents))
    return digest.digest()


def parts_of(compiled: Compiled) -> dict[Compiled, int]:
    """Everything of ours that is compiled into a kernel, itself included, with the length of its bytecode."""
    found: dict[Compiled, int] = {}
    waiting = [compiled]
    while waiting:
        each = waiting.pop()
        if each not in found:
            function = each.py_func
            found[each] = len(function.__code__.co_code)
            values = [function.__globals__.get(name) for name in _names(function.__code__)]
            values += [cell.cell_contents for cell in function.__closure__ or ()]
            waiting += [value for value in values if isinstance(value, Compiled)]
    return found


def _pieces(code: types.CodeType, doc: str | None = None) -> Iterator[bytes]:
    """What a code object does, without where it stands and what its docstring says."""
    yield code.co_code
    yield repr((code.co_names, code.co_varnames, code.co_freevars, code.co_argcount)).encode()
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _pieces(constant)
        elif doc is None or constant != doc:
            yield repr(constant).encode()


def _names(code: types.CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _names(constant)


def _of_value(value: Any) -> bytes:
    """Digest of what a kernel sees of a global value. Ordinary functions and classes are nothing to a kernel."""
    if isinstance(value, Compiled):
        return _of_function(value.py_func, value.role)
    if isinstance(value, ContextType):
        return value.kinds.encode()
    if isinstance(value, np.ndarray):
        return repr((value.dtype, value.shape)).encode() + value.tobytes()
    if isinstance(value, types.ModuleType):
        return _of_module(value)
    if isinstance(value, enum.EnumMeta):
        return repr(sorted((name, repr(each)) for name, each in value.__members__.items())).encode()
    if isinstance(value, bool | int | float | complex | str | tuple | np.generic | np.dtype):
        return b"".join(map(_of_value, value)) if isinstance(value, tuple) else repr(value).encode()
    if callable(value) and not isinstance(value, type):
        if value in OVERLOADED:
            return b"".join(_of_function(each, "") for each in OVERLOADED[value])
        plain = getattr(value, "py_func", None)  # a function compiled by Numba itself
        if plain is not None:
            return _of_function(plain, "")
    return b""


def _of_module(module: types.ModuleType) -> bytes:
    """A module of duoti, or one beside a type of the user's, may hold constants."""
    file = getattr(module, "__file__", None)
    if file is None or module.__name__.partition(".")[0] in ("math", "cmath", "numpy"):
        return module.__name__.encode()
    return hashlib.sha256(Path(file).read_bytes()).digest()


@functools.cache
def fingerprint() -> str:
    """Digest of all sources of the package and the versions beside it: what the last bits of a result depend on."""
    if not JIT:
        return "plain Python"
    from duoti.kernel.store import versions

    digest = hashlib.sha256(repr((FASTMATH, np.__version__, versions())).encode())
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_bytes()
        if path.parent == _HERE or b"from duoti.kernel import" in text or b"NamedTuple" in text:
            digest.update(path.relative_to(PACKAGE).as_posix().encode() + text)
    return digest.hexdigest()
