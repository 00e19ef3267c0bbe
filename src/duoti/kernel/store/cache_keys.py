"""What the machine code of a kernel depends on: its own source, and that of everything it mentions, recursively.

Numba itself looks only at the file in which a kernel stands when it decides whether kept code is still good, although
helpers of other files are compiled into it. The stamp of a kernel is a digest of what its function says (`syntax`) and
of all functions, constants, layouts and folded laws that it reaches, so that an edit of a helper makes exactly those
kernels new that contain it, and an edit of anything else, comments and docstrings included, none. Stamps do not depend
on the versions of Python, NumPy, Numba and llvmlite: machine code that was made by one serves all.
"""

from __future__ import annotations

import enum
import functools
import hashlib
import threading
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from duoti.kernel.decorators import CHECK, FASTMATH, JIT, OPTIONS, OVERLOADED, Compiled
from duoti.kernel.packing import ContextType
from duoti.kernel.store import sources

_HERE = Path(__file__).parents[1]
PACKAGE = _HERE.parent
_GENERATES_CODE: dict[str, tuple[str, ...]] = {
    "compile/ir_builder.py": (), "compile/compiler.py": (), "compile/numba_patches.py": (), "compile/lowering.py": (),
    "compile/references.py": (), "compile/codegen.py": (), "compile/lanes.py": (), "lanes.py": (),
    "decorators.py": ("for_kernels", "overloaded"), "packing.py": ("_add", "_opening"),
    "store/images.py": ("image_of",),
}  # fmt: skip
"""Files that decide what machine code a function becomes, and which of their functions do; none: the whole file."""


@functools.cache
def _generator() -> bytes:
    """Digest of what turns functions into machine code."""
    options = repr(
        (FASTMATH, sorted((name, str(value)) for name, value in OPTIONS.items() if name in ("error_model", "nogil")))
    )
    digest = hashlib.sha256(options.encode())
    for name, functions in _GENERATES_CODE.items():
        digest.update(" ".join(sources.syntax_of_file(str(_HERE / name), functions)).encode())
    for name in ("compile/checked_lowering.py", "faults.py") if CHECK else ():
        digest.update(" ".join(sources.syntax_of_file(str(_HERE / name))).encode())
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
    digest = hashlib.sha256(f"{role} {sources.syntax_of(function).digest}".encode())
    if CHECK:  # its messages tell lines
        digest.update(repr((function.__code__.co_filename, list(function.__code__.co_lines()))).encode())
    for name, value in _mentioned(function):
        digest.update(name.encode() + b"=" + _of_value(value) + b";")
    return digest.digest()


def _mentioned(function: Callable[..., Any]) -> list[tuple[str, Any]]:
    """The values from outside that a function mentions, by name."""
    space: dict[str, Any] = function.__globals__
    cells = dict(zip(function.__code__.co_freevars, function.__closure__ or (), strict=True))
    found: list[tuple[str, Any]] = []
    for path in sources.syntax_of(function).names:
        name, *inside = path.split(".")
        if name in cells:
            value = cells[name].cell_contents
        elif name in space:
            value = space[name]
        else:
            continue
        while inside and isinstance(value, types.ModuleType):
            value = getattr(value, inside.pop(0), None)
        found.append((path, value))
    return found


def parts_of(compiled: Compiled) -> dict[Compiled, int]:
    """Everything of ours that is compiled into a kernel, itself included, with the length of its bytecode."""
    found: dict[Compiled, int] = {}
    waiting = [compiled]
    while waiting:
        each = waiting.pop()
        if each not in found:
            found[each] = len(each.py_func.__code__.co_code)
            waiting += [value for _, value in _mentioned(each.py_func) if isinstance(value, Compiled)]
    return found


def _of_value(value: Any) -> bytes:
    """Digest of what a kernel sees of a value from outside. Ordinary functions and classes are nothing to a kernel."""
    if isinstance(value, Compiled):
        return _of_function(value.py_func, value.role)
    if isinstance(value, ContextType):
        return value.kinds.encode()
    if isinstance(value, np.ndarray):
        return repr((value.dtype.descr, value.shape)).encode() + value.tobytes()
    if isinstance(value, types.ModuleType):
        return value.__name__.encode()  # what is read of it has been followed
    if isinstance(value, enum.EnumMeta):
        return b"".join(name.encode() + _of_value(each) for name, each in sorted(value.__members__.items()))
    if isinstance(value, enum.Enum):
        return _of_value(value.value)
    if isinstance(value, tuple):
        return f"({len(value)} ".encode() + b",".join(map(_of_value, value)) + b")"
    if isinstance(value, np.dtype):
        return repr(value.descr).encode()
    if isinstance(value, np.generic):
        return value.dtype.str.encode() + repr(value.item()).encode()
    if isinstance(value, bool | int | float | complex | str):
        return ascii(value).encode()
    if callable(value) and not isinstance(value, type):
        if value in OVERLOADED:
            return b"".join(_of_function(each, "") for each in OVERLOADED[value])
        plain = getattr(value, "py_func", None)  # a function compiled by Numba itself
        if plain is not None:
            return _of_function(plain, "")
    return b""


@functools.cache
def fingerprint() -> str:
    """Digest of all sources of the package and the versions beside it: what the last bits of a result depend on."""
    if not JIT:
        return "plain Python"
    from duoti.kernel.store.user_store import versions

    digest = hashlib.sha256(repr((FASTMATH, np.__version__, versions())).encode())
    for path in sorted(PACKAGE.rglob("*.py")):
        text = path.read_bytes()
        if path.parent == _HERE or b"from duoti.kernel import" in text or b"NamedTuple" in text:
            digest.update(path.relative_to(PACKAGE).as_posix().encode() + text)
    return digest.hexdigest()
