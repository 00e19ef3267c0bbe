"""LLVM code written down without detours: what Numba builds up only to take it apart again is left out.

Tuples and arrays are aggregates in LLVM, which Numba makes entry by entry and reads entry by entry; here an entry that
was just put in is taken directly, and what then has no use is not written down. A call hands its error on by one
comparison, and by none where the callee cannot fail: kernels report trouble by status codes and raise nothing.
"""

# The inside of Numba is beyond its own type hints.
# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportPrivateUsage=false

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types

from duoti.kernel.decorators import CHECK
from duoti.kernel.numba_private import need

InsertValue = need("llvmlite.ir.instructions:InsertValue")
PhiInstr = need("llvmlite.ir.instructions:PhiInstr")
CPUCallConv = need("numba.core.callconv:CPUCallConv")
_packer_of = need("numba.core.callconv:CPUCallConv._get_arg_packer")
_if_unlikely = need("numba.core.cgutils:if_unlikely")
_new_reference = need("numba.core.imputils:impl_ret_new_ref")

_PURE = frozenset(
    (
        "insertvalue", "extractvalue", "getelementptr", "bitcast", "load", "add", "sub", "mul", "icmp", "fcmp",
        "select", "inttoptr", "ptrtoint", "sext", "zext", "trunc", "sitofp", "or", "and", "xor", "alloca",
    )
)  # fmt: skip
"""Instructions without which nothing changes if nobody uses their result; "load": none here is volatile."""

NEVER_FAIL: set[str] = set()
"""Names of the functions of which it is known that they return no error."""


class KernelBuilder(ir.IRBuilder):
    """LLVM's builder for one function of a kernel."""

    def extract_value(self, agg: Any, idx: Any, name: str = "") -> Any:
        """An entry of an aggregate: what was put in, if that was seen."""
        wanted = list(idx) if isinstance(idx, tuple | list) else [idx]
        while isinstance(agg, InsertValue):
            put = list(agg.indices)
            n = min(len(put), len(wanted))
            if put[:n] != wanted[:n]:
                agg = agg.aggregate
            elif len(put) <= len(wanted):
                agg, wanted = agg.value, wanted[n:]
                if not wanted:
                    return agg
            else:
                break  # a part of what is asked for
        return super().extract_value(agg, wanted, name)


def drop_unused(function: Any) -> None:
    """Take out instructions whose results nobody uses, and variables that are only written."""
    uses: dict[int, int] = {}
    stored: dict[int, list[Any]] = {}
    for block in function.blocks:
        for each in block.instructions:
            for operand in _operands(each):
                uses[id(operand)] = uses.get(id(operand), 0) + 1
            if each.opname == "store":
                stored.setdefault(id(each.operands[1]), []).append(each)
    dead: set[int] = set()
    waiting = [each for block in function.blocks for each in block.instructions if each.opname in _PURE]
    while waiting:
        each = waiting.pop()
        if id(each) in dead:
            continue
        left, writes = uses.get(id(each), 0), []
        if each.opname == "alloca" and left:
            writes = stored.get(id(each), [])
            if len(writes) < left or any(write.operands[0] is each for write in writes):
                continue
        elif left:
            continue
        for gone in (each, *writes):
            dead.add(id(gone))
            for operand in _operands(gone):
                uses[id(operand)] -= 1
                if isinstance(operand, ir.Instruction) and operand.opname in _PURE:
                    waiting.append(operand)
    for block in function.blocks:
        block.instructions[:] = [each for each in block.instructions if id(each) not in dead]


def _operands(instruction: Any) -> Any:
    if isinstance(instruction, PhiInstr):
        return [value for value, _ in instruction.incomings]
    return instruction.operands


def note_failures(function: Any) -> None:
    """Remember a function that only ever returns without an error."""
    for block in function.blocks:
        last = block.terminator
        if last is not None and last.opname == "ret" and not _is_zero(last.operands[0]):
            return
    NEVER_FAIL.add(function.name)


def _is_zero(value: Any) -> bool:
    return isinstance(value, ir.Constant) and value.constant == 0


def short_calls(usual: Callable[..., Any]) -> Callable[..., Any]:
    """How kernels call a function that Numba compiled, in place of `numba.core.base.user_function`."""

    def user_function(fndesc: Any, libs: Any) -> Any:
        long_way = usual(fndesc, libs)

        def call(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            convention = context.call_conv
            if not isinstance(builder, KernelBuilder) or type(convention) is not CPUCallConv:
                return long_way(context, builder, sig, args)
            callee = context.declare_function(builder.module, fndesc)
            kind = context.data_model_manager[fndesc.restype].get_return_type()
            with builder.goto_entry_block():
                result = builder.alloca(kind)
            words = _packer_of(convention, fndesc.argtypes).as_arguments(builder, args)
            code = builder.call(callee, [result, builder.function.args[1], *words])
            if callee.name not in NEVER_FAIL:
                with _if_unlikely(builder, builder.icmp_signed("!=", code, code.type(0))):
                    if CHECK:
                        builder.lower.note(f"a call of {fndesc.qualname}")
                    builder.ret(code)
            value = context.get_returned_value(builder, fndesc.restype, builder.load(result))
            return _new_reference(context, builder, fndesc.restype, value)

        made: Any = long_way if isinstance(fndesc.restype, types.Optional) else call
        made.signature, made.libs = fndesc.argtypes, tuple(libs)
        return made

    return user_function
