"""What kernels see of packed arguments (Numba's side of `packing`).

A named tuple of arrays (tree, workspace, ...) is a *reference* in a kernel: an address, from which a field is loaded
where it is read. The loads are marked invariant, so that LLVM keeps what it loaded across stores. By value, every call
would hand on some hundreds of numbers.
"""

# The inside of Numba is beyond its own type hints.
# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false

from __future__ import annotations

import functools
import hashlib
import importlib
import re
from operator import attrgetter
from typing import Any

import numba
from llvmlite import ir
from numba import types
from numba.core.typing.templates import AttributeTemplate
from numba.extending import infer_getattr, lower_getattr_generic, models, register_model

from duoti.kernel.compile.lanes import LANES
from duoti.kernel.numba_private import pointer_to
from duoti.kernel.records import RECORDS

_TOKEN = re.compile(r"(?:<([\w.]+)>|([dDlwv]))(\d)|([idc]),|([\w.<>]*)(?:#\w+)?\(|\)")
_ELEMENTS = {"d": types.float64, "D": types.complex128, "l": types.int64, "w": types.int32, "v": LANES}
_NUMBERS = {"d": types.float64, "i": types.int64, "c": types.complex128}
WORD = ir.IntType(64)
BYTES = pointer_to(ir.IntType(8))


def types_of(signature: str) -> Any:
    """The tuple type that a signature (see `packing`) stands for."""
    stack: list[tuple[Any, list[Any]]] = [(tuple, [])]
    at = 0
    while at < len(signature):
        token = _TOKEN.match(signature, at)
        if token is None:
            raise ValueError(f"no signature: {signature[at:]!r}")
        at = token.end()
        record, element, ndim, number, opened = token.groups()
        if ndim:
            kind = numba.from_dtype(RECORDS[record]) if record else _ELEMENTS[element]
            stack[-1][1].append(types.Array(kind, int(ndim), "C"))
        elif number:
            stack[-1][1].append(_NUMBERS[number])
        elif opened is not None:
            stack.append((_class(opened) if opened else tuple, []))
        else:
            cls, inside = stack.pop()
            stack[-1][1].append(types.Tuple(inside) if cls is tuple else types.NamedTuple(inside, cls))
    return types.Tuple(stack[0][1])


@functools.cache
def _class(path: str) -> Any:
    parts = path.split(".")
    for n in range(len(parts) - 1, 0, -1):
        try:
            module = importlib.import_module(".".join(parts[:n]))
        except ImportError:
            continue
        return attrgetter(".".join(parts[n:]))(module)
    raise ImportError(path)


@functools.cache
def type_reference(signature: str) -> Any:
    """The type of a constant that stands for types, as `unpack` takes it."""
    return types.TypeRef(types_of(signature))


class Reference(types.Type):
    """A named tuple that stands packed in memory."""

    def __init__(self, fields: Any):
        self.fields_type = fields
        digest = hashlib.sha256(fields.name.encode()).hexdigest()[:10]  # short: it becomes a part of many symbols
        super().__init__(f"{fields.instance_class.__name__}_{digest}")


@register_model(Reference)
class _ReferenceModel(models.OpaqueModel):
    """An address."""


@infer_getattr
class _Fields(AttributeTemplate):
    key = Reference

    def generic_resolve(self, typ: Any, attr: str) -> Any:
        fields = typ.fields_type
        return type_in_kernel(fields.types[fields.fields.index(attr)]) if attr in fields.fields else None


@functools.cache
def type_in_kernel(kind: Any) -> Any:
    """What a kernel sees of what is packed."""
    if isinstance(kind, types.NamedTuple):
        return Reference(kind)
    if isinstance(kind, types.BaseTuple):
        return types.Tuple([type_in_kernel(each) for each in kind.types])
    return kind


@functools.cache
def _words(kind: Any) -> int:
    if isinstance(kind, types.Array):
        return 1 + kind.ndim
    if isinstance(kind, types.BaseTuple):
        return sum(_words(each) for each in kind.types)
    return 2 if isinstance(kind, types.Complex) else 1


@functools.cache
def _first_word(kind: Any, field: int) -> int:
    return sum(_words(each) for each in kind.types[:field])


@functools.cache
def _size(context: Any, element: Any) -> int:
    return context.get_abi_sizeof(element)


def _load_word(builder: Any, address: Any, word: int, kind: Any) -> Any:
    at = builder.bitcast(builder.gep(address, [ir.Constant(WORD, 8 * word)]), pointer_to(kind))
    value = builder.load(at)
    value.set_metadata("invariant.load", builder.module.add_metadata([]))
    return value


def load(context: Any, builder: Any, address: Any, word: int, kind: Any) -> Any:
    """What stands packed from a word on, as a kernel sees it."""
    if isinstance(kind, types.NamedTuple):
        return builder.gep(address, [ir.Constant(WORD, 8 * word)])
    if isinstance(kind, types.BaseTuple):
        entries = []
        for each in kind.types:
            entries.append(load(context, builder, address, word, each))
            word += _words(each)
        return context.make_tuple(builder, type_in_kernel(kind), entries)
    if not isinstance(kind, types.Array):
        return _load_word(builder, address, word, context.get_value_type(kind))
    return _array(context, builder, address, word, kind)


def _array(context: Any, builder: Any, address: Any, word: int, kind: Any) -> Any:
    """An array as Numba has it: its data, shape and strides; nobody counts references to it."""
    element = context.get_data_type(kind.dtype)
    size = ir.Constant(WORD, _size(context, element))
    data = _load_word(builder, address, word, pointer_to(element))
    shape = [_load_word(builder, address, word + 1 + i, WORD) for i in range(kind.ndim)]
    strides = [size]
    for extent in shape[:0:-1]:
        strides.insert(0, builder.mul(strides[0], extent))
    model = context.data_model_manager[kind]
    made = ir.Constant(model.get_value_type(), None)
    given = {"nitems": functools.reduce(builder.mul, shape), "itemsize": size, "data": data}
    for name, value in given.items():
        made = model.set(builder, made, value, name)
    for name, values in {"shape": shape, "strides": strides}.items():
        for i, value in enumerate(values):
            made = builder.insert_value(made, value, [model.get_field_position(name), i])
    return made


@lower_getattr_generic(Reference)
def _field(context: Any, builder: Any, typ: Any, value: Any, attr: str) -> Any:
    fields = typ.fields_type
    i = fields.fields.index(attr)
    return load(context, builder, value, _first_word(fields, i), fields.types[i])
