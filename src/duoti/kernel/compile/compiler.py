"""From Python to LLVM's intermediate code, by Numba. Imported only when a kernel has to be compiled.

Numba types and lowers each function once; here the pieces that a kernel reaches are linked into one module, which LLVM
then optimises as a whole (`codegen`). By itself Numba would optimise every function alone and make machine code of
it, although all of that is thrown away.

Parts of Numba that it does not document are listed in `numba_private`. Where they are missing, compiling takes longer
but works; with `DUOTI_COMPILER=plain` none of them is used.
"""

# The inside of Numba is beyond its own type hints.
# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportPrivateUsage=false, reportPossiblyUnboundVariable=false

from __future__ import annotations

import contextlib
from typing import Any

import llvmlite.binding as ll
import numba
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from duoti.kernel import decorators as functions
from duoti.kernel.compile.numba_patches import CAN_LINK, NO_REFERENCE_COUNTING, PIPELINE, only_lowering, settle_calls
from duoti.kernel.compile.references import BYTES, load, type_in_kernel, types_of
from duoti.kernel.decorators import CHECK, ENTRY, HELPER, OPTIONS, Compiled
from duoti.kernel.numba_private import find, pointer_to

if CHECK:
    from duoti.kernel.compile import checked_lowering

if NO_REFERENCE_COUNTING:
    OPTIONS["_nrt"] = False

_ONE_WORD = (types.int64,)
_RETURNS = {types.none: "", types.int64: "i", types.float64: "d", types.boolean: "b", types.complex128: "c"}


def _njit(function: Any, inlined: bool = False) -> Any:
    if PIPELINE is None:
        return numba.njit(forceinline=inlined, no_cpython_wrapper=True, no_cfunc_wrapper=True, **OPTIONS)(function)
    made = numba.njit(
        forceinline=inlined, no_cpython_wrapper=True, no_cfunc_wrapper=True, pipeline_class=PIPELINE, **OPTIONS
    )(function)  # fmt: skip
    settle_calls(made)
    return made


def dispatcher_of(compiled: Compiled) -> Any:
    """Numba's function for one of ours."""
    return _njit(compiled.py_func, inlined=compiled.role == HELPER)


def lowered(compiled: Compiled, signature: str, symbol: str) -> tuple[bytes, str]:
    """LLVM code of a kernel or entry, not optimised, with one function of this name; and the kind that it returns."""
    with only_lowering():
        made = compiled.dispatcher if compiled.role == ENTRY else _taking_a_block(compiled, signature)
        made.compile(_ONE_WORD)
    found = made.overloads[_ONE_WORD]
    returned = found.signature.return_type
    if returned not in _RETURNS:
        raise TypeError(f"{compiled.name} returns {returned}: a kernel returns a number or nothing")
    module = _linked(found.library) if CAN_LINK else _linked_by_numba(made)
    _export(module, found.fndesc.llvm_func_name, symbol, compiled)
    return module.as_bitcode(), _RETURNS[returned]


def _linked(library: Any) -> Any:
    """One module with all that a library reaches."""
    module = library._final_module.clone()
    done, waiting = {library}, list(library._linking_libraries)
    while waiting:
        each = waiting.pop()
        if each not in done:
            done.add(each)
            waiting += each._linking_libraries
            module.link_in(_weak(each._final_module))
    return module


def _weak(module: Any) -> Any:
    """A copy in which functions may meet another copy of themselves."""
    copy = module.clone()
    for function in copy.functions:
        if not function.is_declaration and function.linkage == ll.Linkage.external:
            function.linkage = "linkonce_odr"
    return copy


def _linked_by_numba(made: Any) -> Any:
    """The same by Numba's public means: the text of what it optimised."""
    return ll.parse_assembly(made.inspect_llvm(_ONE_WORD))


def _export(module: Any, inner: str, symbol: str, compiled: Compiled) -> None:
    """Add the one function that is called from outside, and make everything else invisible."""
    check, checks = checked_lowering.noting_failure(compiled) if CHECK else ("", "")
    text = f'declare i32 @"{inner}"(ptr, ptr, i64)\n{checks}'
    if compiled.role == ENTRY:  # called by kernels as void f(context)
        text += f"define void @{symbol}(i64 %c) {{\n %r = alloca ptr\n %e = alloca ptr\n"
        text += f' %s = call i32 @"{inner}"(ptr %r, ptr %e, i64 %c)\n{check} ret void\n}}\n'
    else:  # called by Python as status f(result, block)
        text += f"define i32 @{symbol}(ptr %r, i64 %c) {{\n %e = alloca ptr\n"
        text += f' %s = call i32 @"{inner}"(ptr %r, ptr %e, i64 %c)\n{check} ret i32 %s\n}}\n'
    # arrays here are owned by Python, so that counting references to them has nothing to do
    for name in ("NRT_incref", "NRT_decref", "NRT_MemInfo_call_dtor"):
        with contextlib.suppress(NameError):
            if module.get_function(name).is_declaration:
                text += f"define void @{name}(ptr %p) {{\n ret void\n}}\n"
    outer = ll.parse_assembly(text)
    outer.triple, outer.data_layout = module.triple, module.data_layout
    module.link_in(outer)
    for function in module.functions:
        if not function.is_declaration and function.name != symbol:
            function.linkage = "internal"
    for variable in module.global_variables:  # Numba's environments: of no use outside it
        if variable.linkage in (ll.Linkage.common, ll.Linkage.external) and not variable.is_declaration:
            variable.linkage = "internal"


def _taking_a_block(kernel: Compiled, signature: str) -> Any:
    """Numba's function `f(block)` that takes the arguments of a kernel from a block."""
    kind = types_of(signature)
    names = ", ".join(f"a{i}" for i in range(len(kind)))
    space: dict[str, Any] = {"unpack": unpack, "KIND": kind, "inner": kernel.dispatcher}
    unpacked = f"    ({names},) = unpack(block, KIND)\n" if names else ""
    exec(f"def packed(block):\n{unpacked}    return inner({names})\n", space)  # our own text
    return _njit(space["packed"])


# ------------------------------------------------------------------------------- what kernels call by these names


@intrinsic
def call_address(typingctx, address, x, y):
    """Call a C function `void f(const double *x, double *y)` at an address; x and y are addresses too."""

    def codegen(context, builder, signature, args):
        function = pointer_to(ir.FunctionType(ir.VoidType(), [BYTES, BYTES]))
        pointers = [builder.inttoptr(arg, BYTES) for arg in args[1:]]
        builder.call(builder.inttoptr(args[0], function), pointers)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64, types.int64), codegen


@intrinsic
def call_entry(typingctx, address, context_address):
    """Call the entry at an address with a context."""

    def codegen(context, builder, signature, args):
        if CHECK:
            checked_lowering.refuse_zero(builder, args[0], "an entry")
        function = pointer_to(ir.FunctionType(ir.VoidType(), [ir.IntType(64)]))
        builder.call(builder.inttoptr(args[0], function), [args[1]])
        if CHECK:
            checked_lowering.after_entry(builder)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), codegen


@intrinsic
def unpack(typingctx, context_address, kind):
    """The arguments that were packed into a context."""
    arguments = kind.instance_type

    def codegen(context, builder, signature, args):
        if CHECK:
            checked_lowering.refuse_zero(builder, args[0], "a context")
        return load(context, builder, builder.inttoptr(args[0], BYTES), 0, arguments)

    return type_in_kernel(arguments)(types.int64, kind), codegen


def intrinsic_type(name: str) -> Any:
    """How Numba types one of these."""
    return find("numba.core.registry:cpu_target").typing_context.resolve_value_type(globals()[name])


functions._numba_is_here.append(True)
while functions.LATER:
    functions.LATER.pop(0)()
