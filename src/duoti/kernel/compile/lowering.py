"""From typed functions to LLVM code: short ways for what kernels are made of.

Numba's general lowering of `a[i, j]` serves views, strides and negative indices, in fifty instructions. In kernels
arrays are contiguous and indices count from the front, so that an element is an address and a load: a tenth of the code
to write down and to optimise, and nothing to decide when it runs. Arithmetic on numbers and entries of tuples come
straight out as the instructions that they are. Everything else goes Numba's way.
"""

# The inside of Numba is beyond its own type hints.
# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportIncompatibleMethodOverride=false

from __future__ import annotations

import operator
from typing import Any

from llvmlite import ir as llvm
from numba import types

from duoti.kernel.compile.ir_builder import KernelBuilder, drop_unused, note_failures
from duoti.kernel.compile.lanes import LANES, LanesType
from duoti.kernel.decorators import CHECK
from duoti.kernel.numba_private import WITHOUT, need

Assign, Arg = need("numba.core.ir:Assign"), need("numba.core.ir:Arg")
compute_cfg_from_blocks = need("numba.core.analysis:compute_cfg_from_blocks")
compute_use_defs = need("numba.core.analysis:compute_use_defs")
register_pass = need("numba.core.compiler_machinery:register_pass")
NativeLowering = need("numba.core.typed_passes:NativeLowering")
Lower = need("numba.core.lowering:Lower")
for _place in WITHOUT:
    if _place.startswith("numba.core.lowering:Lower."):
        need(_place)  # what is overridden below must be there to be overridden

_REAL = {operator.add: "fadd", operator.sub: "fsub", operator.mul: "fmul", operator.truediv: "fdiv"}
_INTEGER_OPERATORS = {operator.add: "add", operator.sub: "sub", operator.mul: "mul"}
_COMPARED = {
    operator.lt: "<", operator.le: "<=", operator.gt: ">", operator.ge: ">=", operator.eq: "==", operator.ne: "!=",
}  # fmt: skip
_REALS, _INTEGERS = (types.float64, types.float64), (types.int64, types.int64)
_LANES = (LANES, LANES)


class KernelLower(Lower):
    """Numba's lowering with the short ways."""

    def setup_function(self, fndesc: Any) -> None:
        """The function, to be filled by a builder of ours."""
        super().setup_function(fndesc)
        self.builder = KernelBuilder(self.entry_block)

    def lower_normal_function(self, fndesc: Any) -> None:
        """All of a function, without what is not used."""
        super().lower_normal_function(fndesc)
        drop_unused(self.function)
        note_failures(self.function)

    def lower_block(self, block: Any) -> None:
        """A block, without preparing a message at each instruction for an error that does not come."""
        self.pre_block(block)
        for inst in block.body:
            self.loc = inst.loc
            self.lower_inst(inst)
        self.post_block(block)

    def _find_singly_assigned_variable(self) -> None:
        """Variables that are values and need no memory: assigned once, where every use comes after that.

        Numba takes only those that are used in one block.
        """
        blocks = self.func_ir.blocks
        assigned: dict[str, list[int]] = {}
        for offset, block in blocks.items():
            for inst in block.find_insts(Assign):
                assigned.setdefault(inst.target.name, []).append(offset)
        single = {name: places[0] for name, places in assigned.items() if len(places) == 1}
        before = compute_cfg_from_blocks(blocks).dominators()
        for offset, names in compute_use_defs(blocks).usemap.items():
            for name in names:
                if name in single and (single[name] >= offset or single[name] not in before[offset]):
                    del single[name]
        self._singly_assigned_vars = set(single)
        self._blk_local_varmap: dict[str, Any] = {}

    def lower_inst(self, inst: Any) -> Any:
        """An assignment, without the text of it for a listing that nobody reads; or the rest."""
        if type(inst) is Assign and not isinstance(inst.value, Arg):
            name = inst.target.name
            return self.storevar(self.lower_assign(self.typeof(name), inst), name)
        return super().lower_inst(inst)

    def lower_expr(self, resty: Any, expr: Any) -> Any:
        """An entry of a tuple, or the rest."""
        if expr.op == "static_getitem" and isinstance(expr.index, int) and expr.index >= 0:
            kind = self.typeof(expr.value.name)
            if isinstance(kind, types.Tuple | types.UniTuple) and kind.types[expr.index] == resty:
                return self.builder.extract_value(self.loadvar(expr.value.name), expr.index)
            if isinstance(kind, types.Array) and expr.index_var is not None:
                return self.lower_getitem(resty, expr, expr.value, expr.index_var, self.fndesc.calltypes[expr])
        return super().lower_expr(resty, expr)

    def lower_binop(self, resty: Any, expr: Any, op: Any) -> Any:
        """Arithmetic on two numbers of a kind, or the rest."""
        signature = self.fndesc.calltypes[expr]
        kinds, returned = tuple(map(types.unliteral, signature.args)), signature.return_type
        names = _REAL if kinds in (_REALS, _LANES) else _INTEGER_OPERATORS if kinds == _INTEGERS else {}
        if op in names and returned == kinds[0]:
            made = getattr(self.builder, names[op])
            left, right = self._operands(expr, kinds)
            value = made(left, right, flags=("nsw",)) if kinds == _INTEGERS else made(left, right)
        elif op in _COMPARED and returned == types.boolean and kinds in (_REALS, _INTEGERS):
            left, right = self._operands(expr, kinds)
            if kinds == _INTEGERS:
                value = self.builder.icmp_signed(_COMPARED[op], left, right)
            elif op is operator.ne:
                value = self.builder.fcmp_unordered("!=", left, right)
            else:
                value = self.builder.fcmp_ordered(_COMPARED[op], left, right)
        else:
            return super().lower_binop(resty, expr, op)
        return self.context.cast(self.builder, value, returned, resty)

    def _operands(self, expr: Any, kinds: Any) -> list[Any]:
        return [
            self.context.cast(self.builder, self.loadvar(each.name), self.typeof(each.name), kind)
            for each, kind in zip((expr.lhs, expr.rhs), kinds, strict=True)
        ]

    def lower_getitem(self, resty: Any, expr: Any, value: Any, index: Any, signature: Any) -> Any:
        """An element of an array, or the rest."""
        array = self.typeof(value.name)
        at = self._element(array, value, index)
        if at is None:
            return super().lower_getitem(resty, expr, value, index, signature)
        found = self.context.unpack_value(self.builder, array.dtype, at)
        return self.context.cast(self.builder, found, array.dtype, resty)

    def lower_setitem(self, target_var: Any, index_var: Any, value_var: Any, signature: Any) -> Any:
        """A number into an element of an array, or the rest."""
        array, kind = self.typeof(target_var.name), self.typeof(value_var.name)
        element = getattr(array, "dtype", None)
        numbers = isinstance(element, types.Number | LanesType) and isinstance(kind, types.Number | LanesType)
        at = self._element(array, target_var, index_var) if numbers else None
        if at is None:
            return super().lower_setitem(target_var, index_var, value_var, signature)
        value = self.context.cast(self.builder, self.loadvar(value_var.name), kind, array.dtype)
        self.context.pack_value(self.builder, array.dtype, value, at)
        return None

    def _element(self, array: Any, value: Any, index: Any) -> Any:
        """Address of an element; None if it is not one, or not that simple."""
        if not isinstance(array, types.Array) or array.layout != "C" or not array.aligned:
            return None
        builder, kind, index_value = self.builder, self.typeof(index.name), None
        kinds = kind.types if isinstance(kind, types.BaseTuple) else (kind,)
        if len(kinds) != array.ndim or not all(isinstance(each, types.Integer) and each.signed for each in kinds):
            return None
        model = self.context.data_model_manager[array]
        whole, index_value = self.loadvar(value.name), self.loadvar(index.name)
        shape, place = model.get(builder, whole, "shape"), None
        for i, each in enumerate(kinds):
            part = builder.extract_value(index_value, i) if isinstance(kind, types.BaseTuple) else index_value
            part = self.context.cast(builder, part, types.unliteral(each), types.int64)
            extent = builder.extract_value(shape, i)
            literal = each.literal_value if isinstance(each, types.IntegerLiteral) else 0
            if literal < 0 or (isinstance(part, llvm.Constant) and part.constant < 0):
                part = builder.add(extent, part)  # the only way from behind
            place = part if place is None else builder.add(builder.mul(place, extent), part)
        return builder.gep(model.get(builder, whole, "data"), [place], inbounds=True)


@register_pass(mutates_CFG=True, analysis_only=False)
class KernelLowering(NativeLowering):
    """The pass that does it."""

    _name = "duoti_lowering"

    @property
    def lowering_class(self) -> Any:
        """How a function is lowered."""
        if CHECK:
            from duoti.kernel.compile.checked_lowering import CheckedLower

            return CheckedLower
        return KernelLower
