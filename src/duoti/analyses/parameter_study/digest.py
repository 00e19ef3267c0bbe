"""Keys of stored runs: a digest of the content of models, functions, settings and values, the same in every process."""

from __future__ import annotations

import functools
import hashlib
import types
from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import PurePath
from typing import Any

import numpy as np

LEFT_OUT = frozenset({"source_locations", "tasks", "expansion"})
"""Of a model: where its file says what, and what else its file asks for."""


class NoDigestError(ValueError):
    """Something whose content is unknown."""


def digest(*things: Any) -> str:
    """A digest of the content of things."""
    return _Digest().of(things).hex()


class _Digest:
    def __init__(self) -> None:
        self._known = dict[int, tuple[bytes, Any]]()  # with the object, so that no other gets its id
        self._path = list[int]()  # objects on the way: models refer to themselves

    def of(self, thing: Any) -> bytes:
        """The digest of one thing; that of equal things is the same, whether they are one object or two."""
        if thing is None or isinstance(thing, bool | str | bytes | int | PurePath):
            return _hash(type(thing).__name__, repr(thing))
        if isinstance(thing, float | complex):
            return _hash("number", thing.hex() if isinstance(thing, float) else repr(thing))
        if isinstance(thing, np.generic):
            return self.of(thing.item())
        mark = id(thing)
        if mark in self._known:
            return self._known[mark][0]
        if mark in self._path:
            return _hash("on the way", str(self._path.index(mark)))
        self._path.append(mark)
        found = _hash(*self._content(thing))
        self._path.pop()
        self._known[mark] = found, thing
        return found

    def _content(self, thing: Any) -> Iterator[str | bytes]:
        if isinstance(thing, np.ndarray):
            yield from ("array", thing.dtype.str, repr(thing.shape))
            yield from self._all(thing.ravel().tolist()) if thing.dtype.hasobject else (thing.tobytes(),)
        elif isinstance(thing, Mapping):
            yield from ("mapping", str(len(thing)))
            for key, value in thing.items():
                yield from (self.of(key), self.of(value))
        elif isinstance(thing, Sequence) and not hasattr(thing, "__dict__"):
            yield type(thing).__name__
            yield from self._all(thing)
        elif isinstance(thing, Set):
            yield "set"
            yield from sorted(self._all(thing))
        elif isinstance(thing, functools.partial):
            yield from ("partial", *self._all((thing.func, thing.args, thing.keywords)))
        elif isinstance(thing, types.MethodType):
            yield from ("method", *self._all((thing.__func__, thing.__self__)))
        elif isinstance(thing, types.FunctionType):
            yield from self._function(thing)
        elif isinstance(thing, types.BuiltinFunctionType | types.ModuleType | type | np.ufunc):
            name = getattr(thing, "__qualname__", thing.__name__)
            yield from ("name", str(getattr(thing, "__module__", "")), name)
            if isinstance(thing, type) and not _installed(thing.__module__):
                functions = {k: v for k, v in vars(thing).items() if isinstance(v, types.FunctionType)}
                yield self.of(dict(sorted(functions.items())))
        elif isinstance(function := getattr(thing, "py_func", None), types.FunctionType):  # of Numba
            yield from self._function(function)
        else:
            yield from self._object(thing)

    def _all(self, things: Any) -> Iterator[bytes]:
        return (self.of(each) for each in things)

    def _object(self, thing: Any) -> Iterator[str | bytes]:
        cls = type(thing)
        if isinstance(cls.__reduce__, types.FunctionType):  # it says itself what it is made of
            yield from ("made", *self._all(thing.__reduce__()))
            return
        fields = dict(getattr(thing, "__dict__", {}))
        slots = [name for each in cls.__mro__ for name in _slots(each)]
        fields |= {name: getattr(thing, name) for name in slots if hasattr(thing, name)}
        if not fields and cls.__module__ == "builtins":
            raise NoDigestError(f"{thing!r} ({cls.__name__})")
        yield from ("object", cls.__module__, cls.__qualname__)
        for name, value in sorted(fields.items()):
            cached = isinstance(getattr(cls, name, None), functools.cached_property)
            if not cached and name not in LEFT_OUT and not name.startswith(("_complete", "__")):
                yield from (name, self.of(value))

    def _function(self, function: types.FunctionType) -> Iterator[str | bytes]:
        """Code, defaults, what it closes over, and the globals that it reads."""
        yield from ("function", function.__qualname__)
        if _installed(function.__module__):
            yield str(function.__module__)  # the version of duoti is another part of the key
            return
        yield from self._code(function.__code__)
        yield from self._all((function.__defaults__, function.__kwdefaults__))
        for cell in function.__closure__ or ():
            try:
                yield self.of(cell.cell_contents)
            except ValueError:
                yield "empty"
        for name in sorted(_names(function.__code__)):
            if name in function.__globals__:
                yield from (name, self.of(function.__globals__[name]))

    def _code(self, code: types.CodeType) -> Iterator[str | bytes]:
        yield code.co_code
        yield from self._all((code.co_names, code.co_varnames, code.co_freevars))
        for each in code.co_consts:
            if isinstance(each, types.CodeType):
                yield from self._code(each)
            else:
                yield self.of(each)


def _hash(*parts: str | bytes) -> bytes:
    found = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else part.encode()
        found.update(b"%d:" % len(data))
        found.update(data)
    return found.digest()


def _slots(cls: type) -> Sequence[str]:
    slots = vars(cls).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)


def _names(code: types.CodeType) -> set[str]:
    inner = [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return set(code.co_names).union(*map(_names, inner))


@functools.cache
def _installed(module: str | None) -> bool:
    """Whether a module belongs to Python or to an installed package, whose code is not looked at."""
    import sys
    import sysconfig

    if module is None or module == "__main__":
        return False
    root = module.partition(".")[0]
    if root == "duoti" or root in sys.stdlib_module_names:
        return True
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    paths = sysconfig.get_paths()
    return any(file.startswith(paths[key]) for key in ("purelib", "platlib"))
