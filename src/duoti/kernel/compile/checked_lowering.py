"""Kernels with bounds checks (`DUOTI_CHECK=1`): every index is compared with its bounds before it is used.

An index counts from the front; only a constant may count from behind (`a[-1]`). A function with a wrong index notes it
(`faults`) and returns an error, as do its callers up to Python, so that nothing is read or written outside an array.
"""

# The inside of Numba is beyond its own type hints.
# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportIncompatibleMethodOverride=false, reportOptionalMemberAccess=false

from __future__ import annotations

from pathlib import Path
from typing import Any

from llvmlite import ir as llvm
from numba import types

from duoti.kernel.compile.lowering import KernelLower
from duoti.kernel.decorators import Compiled
from duoti.kernel.faults import FAILED, FIRST_PLACE, INDEX, MOST_PLACES, STALE, SYMBOL, FaultPlace, KernelStageError
from duoti.kernel.numba_private import need, pointer_to

StaticRaise, Expr = need("numba.core.ir:StaticRaise"), need("numba.core.ir:Expr")
Global, FreeVar = need("numba.core.ir:Global"), need("numba.core.ir:FreeVar")
_if_unlikely = need("numba.core.cgutils:if_unlikely")
_get_or_insert_function = need("numba.core.cgutils:get_or_insert_function")
_make_bytearray = need("numba.core.cgutils:make_bytearray")
_global_constant = need("numba.core.cgutils:global_constant")

_WORD, _BYTE = llvm.IntType(64), llvm.IntType(8)
_ERROR = llvm.Constant(llvm.IntType(32), -1)
_NOTE = "duoti_note"
_PACKAGE = Path(__file__).parents[3]

NOTE = f"""
@{SYMBOL} = external global [{FIRST_PLACE + MOST_PLACES} x i64]
define void @{_NOTE}(ptr %place, i64 %index, i64 %extent) noinline cold {{
 %count = load i64, ptr @{SYMBOL}
 %first = icmp eq i64 %count, 0
 br i1 %first, label %new, label %add
new:
 %i = getelementptr i64, ptr @{SYMBOL}, i64 {INDEX}
 store i64 %index, ptr %i
 %e = getelementptr i64, ptr @{SYMBOL}, i64 {INDEX + 1}
 store i64 %extent, ptr %e
 br label %add
add:
 %room = icmp slt i64 %count, {MOST_PLACES}
 br i1 %room, label %write, label %done
write:
 %at = add i64 %count, {FIRST_PLACE}
 %p = getelementptr i64, ptr @{SYMBOL}, i64 %at
 store ptr %place, ptr %p
 %more = add i64 %count, 1
 store i64 %more, ptr @{SYMBOL}
 br label %done
done:
 ret void
}}
"""
"""The function by which all others note a fault, in LLVM's language: the first one's index stays, places are added."""


_NOTE_FAILURE = f"""
 %bad = icmp ne i32 %s, 0
 %noted = load i64, ptr @{SYMBOL}
 %new = icmp eq i64 %noted, 0
 %both = and i1 %bad, %new
 br i1 %both, label %failed, label %done
failed:
 call void @{_NOTE}(ptr @duoti_outermost, i64 {FAILED}, i64 {FAILED})
 br label %done
done:
"""


class CheckedLower(KernelLower):
    """The short ways, with a look at each index."""

    def setup_function(self, fndesc: Any) -> None:
        """The function; its builder knows whose it is, for the calls that it writes."""
        super().setup_function(fndesc)
        self.builder.lower = self

    def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
        """An element or a part of an array or tuple."""
        self._check(value, index)
        return super().lower_getitem(resty, expr, value, index, signature)

    def lower_setitem(self, target_var: Any, index_var: Any, value_var: Any, signature: Any) -> Any:
        """A value into an array."""
        self._check(target_var, index_var)
        return super().lower_setitem(target_var, index_var, value_var, signature)

    def lower_inst(self, inst: Any) -> Any:
        """An instruction; where it raises an error, what that says is noted."""
        if isinstance(inst, StaticRaise):
            said = " ".join(map(str, inst.exc_args or ()))
            stale = inst.exc_class is KernelStageError
            extent = llvm.Constant(_WORD, STALE if stale else FAILED)
            self.note(said if stale else f"{getattr(inst.exc_class, '__name__', 'error')}: {said}", extent=extent)
        return super().lower_inst(inst)

    def _check(self, value: Any, index: Any) -> None:
        """Compare an index with the bounds."""
        kind, whole = self.typeof(value.name), self.loadvar(value.name)
        if isinstance(kind, types.Array):
            shape = self.context.data_model_manager[kind].get(self.builder, whole, "shape")
            extents = [self.builder.extract_value(shape, i) for i in range(kind.ndim)]
        elif isinstance(kind, types.BaseTuple):
            extents = [llvm.Constant(_WORD, len(kind))]
        else:
            return
        given, at, sources = self.typeof(index.name), self.loadvar(index.name), [index]
        kinds, parts = [given], [at]
        if isinstance(given, types.BaseTuple):
            kinds = list(given.types)
            parts = [self.builder.extract_value(at, i) for i in range(len(kinds))]
            built = self._definition(index)
            listed = isinstance(built, Expr) and built.op == "build_tuple"
            sources = list(built.items) if listed else [None] * len(kinds)
        if any(isinstance(each, types.EllipsisType | types.NoneType) for each in kinds):
            raise TypeError(f"{_file(self.loc.filename)}:{self.loc.line}: kernels have no `...` or None in an index")
        for axis, (each, part, source, extent) in enumerate(zip(kinds, parts, sources, extents, strict=False)):
            where = f"axis {axis} of {self._text(value)}" if len(extents) > 1 else self._text(value)
            if isinstance(each, types.Integer):
                self._check_one(each, part, extent, where)
            elif isinstance(each, types.SliceType):
                self._check_slice(each, part, source, extent, where)

    def _check_one(self, kind: Any, part: Any, extent: Any, where: str) -> None:
        place = self.context.cast(self.builder, part, types.unliteral(kind), types.int64)
        if _literal(kind, place) < 0:
            place = self.builder.add(extent, place)
        self._refuse(self.builder.icmp_unsigned(">=", place, extent), place, extent, where)

    def _check_slice(self, kind: Any, part: Any, source: Any, extent: Any, where: str) -> None:
        """Both ends between 0 and the extent. Constants from behind and ends that are left out are known by type.

        Of a slice that was not made in its place, only by value: Numba puts the largest integer for an end left out.
        """
        if isinstance(kind, types.SliceLiteral):
            return
        made = self._definition(source) if source is not None else None
        ends = list(made.args) if isinstance(made, Expr) and made.op == "call" else []
        ends = [None, *ends] if len(ends) == 1 else ends
        held = self.context.make_helper(self.builder, kind, value=part)
        for i, name in enumerate(("start", "stop")):
            end, value = ends[i] if ends else None, getattr(held, name)
            beyond = self.builder.icmp_unsigned(">", value, extent)
            if not ends:
                given = self.builder.icmp_unsigned("!=", value, llvm.Constant(_WORD, types.int64.maxval))
                beyond = self.builder.and_(beyond, given)
            elif end is None or not self._is_computed(end, value):
                continue
            self._refuse(beyond, value, extent, f"the {name} of a slice of {where}")

    def _is_computed(self, end: Any, value: Any) -> bool:
        """Whether an end of a slice is given, and not as a constant from behind."""
        kind = self.typeof(end.name)
        return isinstance(kind, types.Integer) and _literal(kind, value) >= 0

    def _refuse(self, wrong: Any, index: Any, extent: Any, what: str) -> None:
        """Note a fault and return, if something is wrong."""
        with _if_unlikely(self.builder, wrong):
            self.note(what, index, extent)
            self.builder.ret(_ERROR)

    def note(self, what: str, index: Any = None, extent: Any = None) -> None:
        """Note a fault here; without an index, that something failed that was called from here."""
        function, here = self.func_ir.func_id, self.loc
        place = FaultPlace(f"{function.modname}.{function.func_qualname}", what, _file(here.filename), str(here.line))
        text = _constant_text(self.builder.module, place.text)
        nothing = llvm.Constant(_WORD, FAILED)
        kind = llvm.FunctionType(llvm.VoidType(), [pointer_to(_BYTE), _WORD, _WORD])
        note = _get_or_insert_function(self.builder.module, kind, _NOTE)
        self.builder.call(note, [text, nothing if index is None else index, nothing if extent is None else extent])

    def _definition(self, variable: Any) -> Any:
        """What a variable was set to, if that happens once."""
        try:
            return self.func_ir.get_definition(variable)
        except KeyError:
            return None

    def _text(self, variable: Any) -> str:
        """An array as the source has it, nearly: `w.X_WB`."""
        found = self._definition(variable)
        if isinstance(found, Expr) and found.op == "getattr":
            return f"{self._text(found.value)}.{found.attr}"
        if isinstance(found, Expr) and found.op in ("getitem", "static_getitem"):
            return f"{self._text(found.value)}[...]"
        if isinstance(found, Global | FreeVar):
            return found.name
        name = variable.name.split(".")[0]
        return name if name and not name.startswith("$") else "an array without a name"


def _literal(kind: Any, value: Any) -> int:
    """The value of an index that is a constant of the source, as `KernelLower._element` sees it; otherwise 0."""
    if isinstance(kind, types.IntegerLiteral):
        return kind.literal_value
    return value.constant if isinstance(value, llvm.Constant) and isinstance(value.constant, int) else 0


def _file(name: str) -> str:
    """A file of the package by its path there, others in full."""
    path = Path(name)
    return path.relative_to(_PACKAGE).as_posix() if path.is_relative_to(_PACKAGE) else name


def _constant_text(module: Any, text: str) -> Any:
    """The address of a text in the machine code."""
    held = _make_bytearray(text.encode() + b"\0")
    return _global_constant(module, "place", held).bitcast(pointer_to(_BYTE))


def refuse_zero(builder: Any, address: Any, what: str) -> None:
    """Return with a fault if nothing was put where an address is expected."""
    with _if_unlikely(builder, builder.icmp_unsigned("==", address, address.type(0))):
        builder.lower.note(f"the address of {what} is 0")
        builder.ret(_ERROR)


def after_entry(builder: Any) -> None:
    """After a call of an entry, which returns nothing: return if it left a fault."""
    kind = llvm.ArrayType(_WORD, FIRST_PLACE + MOST_PLACES)
    record = builder.module.globals.get(SYMBOL) or llvm.GlobalVariable(builder.module, kind, SYMBOL)
    zero = llvm.Constant(llvm.IntType(32), 0)
    count = builder.load(builder.gep(record, [zero, zero]))
    with _if_unlikely(builder, builder.icmp_unsigned("!=", count, llvm.Constant(_WORD, 0))):
        builder.lower.note("a call of an entry")
        builder.ret(_ERROR)


def noting_failure(compiled: Compiled) -> tuple[str, str]:
    """In LLVM's language, after `%s = call i32 ...` of the outermost function: note an error that nobody has noted.

    Second: the text to which that refers, and what notes.
    """
    code = compiled.py_func.__code__
    what = "an error of Numba, such as slices of different lengths"
    place = FaultPlace(compiled.name, what, _file(code.co_filename), str(code.co_firstlineno))
    text = place.text.encode() + b"\0"
    escaped = "".join(f"\\{each:02x}" for each in text)
    constant = f'@duoti_outermost = internal constant [{len(text)} x i8] c"{escaped}"\n'
    return _NOTE_FAILURE, constant + NOTE
