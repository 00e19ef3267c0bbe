"""How arguments of kernels stand in memory: words of eight bytes, in the order of the arguments.

    number   itself (a complex one: two words)
    array    its address, then its shape; it must be contiguous
    tuple    its entries, one after the other

The *signature* of arguments is a text that says the same about their types: `i,` and `d,` are numbers, `d2` is a
matrix of reals, `l1` a vector of integers, `D1` one of complex numbers, `v1` one of lanes, `<Clock>1` an array of
records, `(...)` a tuple, `module.Class#digest(...)` a named tuple: kernels find its fields by name, and the digest is
one of these names.
Nothing here needs Numba, nor depends on how Numba itself lays arrays out.
"""

from __future__ import annotations

import array
import ctypes
import functools
import hashlib
import re
import struct
from collections.abc import Callable
from typing import Any

import numpy as np

from duoti.kernel.decorators import JIT
from duoti.kernel.lanes import LANES
from duoti.kernel.records import record_name

# Where the numbers of an array stand in memory.
#
# NumPy's own ways to ask (`a.ctypes.data`, `a.__array_interface__`) take 5 microseconds, since both begin with an
# import; a workspace has a hundred arrays. An array object holds the address in its first field behind the head that
# all Python objects have (`PyArrayObject` of NumPy's C interface, whose order extensions rely on). That is read here,
# after it was compared with what NumPy says; where it differs (another Python), NumPy is asked each time.


_HEAD = object.__basicsize__
_ADDRESS = ctypes.c_size_t.from_address


def _read(array: Any) -> int:
    return _ADDRESS(id(array) + _HEAD).value


def _asked(array: Any) -> int:
    return array.ctypes.data


def _reads_right() -> bool:
    """Whether `_read` gives what NumPy gives: for an array of its own, a part of one, a record, and an empty one."""
    whole = np.arange(6.0)
    record = np.zeros(2, np.dtype([("a", np.float64), ("b", np.int64)]))
    samples = (whole, whole[2:], whole.reshape(2, 3), whole.view(np.int64), record, np.zeros(0))
    return all(_read(each) == _asked(each) for each in samples)


address_of = _read if _reads_right() else _asked
"""Address of the first number of a NumPy array, which must live as long as the address is used."""


_CODES = {
    np.dtype(np.float64): "d", np.dtype(np.complex128): "D", np.dtype(np.int64): "l", np.dtype(np.int32): "w",
    LANES: "v",
}  # fmt: skip
_REAL, _WORD = struct.Struct("=d"), struct.Struct("=q")


_KINDS = {(id(dtype), n): f"{code}{n}" for dtype, code in _CODES.items() for n in range(4)}
"""By the identity of a data type: NumPy has one object of each of these, and to compare types takes longer."""


def _kind(dtype: Any, dimensions: int) -> str:
    code = _CODES.get(dtype) or f"<{record_name(dtype)}>"
    return f"{code}{dimensions}"


class Described:
    """Arguments as words, with their signature."""

    def __init__(self, words: list[int], kinds: str):
        self.words = words
        self.kinds = kinds


def flatten(arguments: tuple[Any, ...]) -> tuple[list[int], str]:
    """The words and the signature of arguments; their arrays must outlive the use of the words."""
    words: list[int] = []
    kinds: list[str] = []
    _add(arguments, words, kinds)
    return words, "".join(kinds)


def signature(*arguments: Any) -> str:
    """The signature of arguments like these."""
    return flatten(arguments)[1]


def describe(arguments: tuple[Any, ...]) -> Described:
    """The same, to be kept and handed to `pack`."""
    return Described(*flatten(arguments)) if JIT else Described([], "")


@functools.cache
def _opening(kind: Any) -> str:
    digest = hashlib.sha256(repr(kind._fields).encode()).hexdigest()[:8]
    return f"{kind.__module__}.{kind.__qualname__}#{digest}("


def _add(arguments: tuple[Any, ...], words: list[int], kinds: list[str]) -> None:
    for argument in arguments:
        kind = type(argument)
        if kind is np.ndarray or isinstance(argument, np.ndarray):
            if not argument.flags.c_contiguous:
                raise ValueError(f"an array of shape {argument.shape} is not contiguous: hand over a copy")
            shape = argument.shape
            kinds.append(_KINDS.get((id(argument.dtype), len(shape))) or _kind(argument.dtype, len(shape)))
            words.append(address_of(argument))
            words.extend(shape)
        elif kind is float or kind is np.float64:
            kinds.append("d,")
            words.append(_WORD.unpack(_REAL.pack(argument))[0])
        elif kind is tuple:
            kinds.append("(")
            _add(argument, words, kinds)
            kinds.append(")")
        elif isinstance(argument, tuple):
            inside, text = _of_named_tuple(argument)
            words.extend(inside)
            kinds.append(text)
        elif isinstance(argument, int | np.integer | np.bool_):
            kinds.append("i,")
            words.append(int(argument))
        elif isinstance(argument, complex):
            kinds.append("c,")
            words.extend(_WORD.unpack(_REAL.pack(each))[0] for each in (argument.real, argument.imag))
        else:
            raise TypeError(f"kernels know no {kind.__name__}: {argument!r}")


# Trees and workspaces hold a hundred arrays each, and the same ones are handed over call after call: the last of each
# class is remembered. It cannot change: a tuple keeps its arrays, and an array its address.
_LAST: dict[type, tuple[Any, list[int], str]] = {}


def _of_named_tuple(argument: Any) -> tuple[list[int], str]:
    kind = type(argument)
    known = _LAST.get(kind)
    if known is None or known[0] is not argument:
        words: list[int] = []
        kinds = [_opening(kind)]
        _add(argument, words, kinds)
        kinds.append(")")
        _LAST[kind] = known = argument, words, "".join(kinds)
    return known[1], known[2]


def remember(argument: Any, words: list[int], kinds: str) -> None:
    """Keep what `flatten` would make of a named tuple, if the caller knows it already."""
    _LAST[type(argument)] = argument, words, kinds


class ContextType:
    """The types of what a context holds: those of an example, which is made when they are asked for."""

    def __init__(self, example: Callable[[], tuple[Any, ...]]):
        self._example = example
        self._kinds = ""

    @functools.cached_property
    def count(self) -> int:
        """How many arguments."""
        return len(self._example())

    @property
    def kinds(self) -> str:
        """The signature."""
        self._kinds = self._kinds or flatten(self._example())[1]
        return self._kinds

    def kinds_of(self, i: int) -> str:
        """The signature of one argument."""
        return flatten(self._example()[i : i + 1])[1]

    @property
    def _numba_type_(self) -> Any:
        from duoti.kernel.compile import references

        return references.type_reference(self.kinds)

    def explain(self, arguments: tuple[Any, ...]) -> str:
        """Where arguments differ from the example."""
        wrong = _differences(self._example(), arguments, "")
        return "; ".join(wrong) if wrong else "other types"


NAMED: dict[str, Callable[[], str]] = {}
"""The signatures of named tuples, by the names that declared signatures give them."""

_TOKEN = re.compile(r"[\w.]+|[()]")
_NUMBERS, _ARRAYS = frozenset("idc"), re.compile(r"[dDlwv]\d")


def name_types(context: ContextType, names: str) -> None:
    """Give names to what a context holds, in its order, for use in declared signatures; "_" leaves one out."""
    for i, name in enumerate(names.split()):
        if name != "_":
            NAMED[name] = functools.partial(context.kinds_of, i)


def declared_signature(text: str) -> str:
    """The signature that a text declares: `tree work i d1 (d2 l1)`.

    i, d, c: numbers (integer, real, complex); d1, l2, D1, ...: arrays, see above; parentheses: tuples; other words:
    names of `name_types`.
    """
    found: list[str] = []
    for token in _TOKEN.findall(text):
        if token in _NUMBERS:
            found.append(token + ",")
        elif token in "()" or _ARRAYS.fullmatch(token):
            found.append(token)
        elif token in NAMED:
            found.append(NAMED[token]())
        else:
            raise ValueError(f"signature {text!r}: nothing has the name {token!r}")
    return "".join(found)


def _differences(expected: Any, given: Any, path: str) -> list[str]:
    if isinstance(expected, tuple) and isinstance(given, tuple) and len(expected) == len(given):
        names = getattr(expected, "_fields", None) or [type(each).__name__ for each in expected]
        triples = zip(names, expected, given, strict=True)
        return [each for name, a, b in triples for each in _differences(a, b, f"{path}.{name}".lstrip("."))]
    kinds = [flatten((each,))[1] for each in (expected, given)]
    return [] if kinds[0] == kinds[1] else [f"{path} is {kinds[1].rstrip(',')}, not {kinds[0].rstrip(',')}"]


if JIT:

    def pack(block: np.ndarray, arguments: tuple[Any, ...], kind: ContextType, known: Described | None = None) -> None:
        """Write a context: the arguments into the block, where kernels find them by `unpack(address, kind)`.

        known: what `describe` made of all arguments but the last, if at hand. Arguments of other types than `kind`
        says are refused: kernels would read wrong numbers without a word.
        """
        first = known or describe(arguments[:-1])
        words, kinds = flatten(arguments[-1:])
        if first.kinds + kinds != kind.kinds:
            raise TypeError(f"a context is packed with other types than its kernels expect: {kind.explain(arguments)}")
        n, m = len(first.words), len(words)
        target = block.view(np.int64)
        if n + m > len(target):
            raise MemoryError(f"a context of {8 * (n + m)} bytes in a block of {block.nbytes}")
        target[:n], target[n : n + m] = array.array("q", first.words), array.array("q", words)
else:
    CONTEXTS: dict[int, Any] = {}

    def pack(block: np.ndarray, arguments: tuple[Any, ...], kind: ContextType, known: Described | None = None) -> None:
        """Remember the arguments under the address of the block."""
        del kind, known
        CONTEXTS[address_of(block)] = arguments
