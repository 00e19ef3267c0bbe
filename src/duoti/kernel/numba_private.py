"""Everything of Numba and llvmlite that is used here and is not theirs to promise, with what is lost without it.

Other files of this folder import such names from here and from nowhere else (a test looks). A name that a version of
Numba does not have is an ImportError here (`need`): what needs it is left out by itself, and kernels are compiled in
the way that Numba documents, which takes longer. `DUOTI_COMPILER=plain` leaves out all of it, to compare with: our list
of passes, short ways of lowering, savings, and linking of what is not optimised.
"""

# The inside of Numba is beyond its own type hints.
# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false, reportReturnType=false

from __future__ import annotations

import importlib
from typing import Any

from llvmlite import ir

from duoti.kernel.decorators import COMPILER

PLAIN = COMPILER == "plain"
"""Only what Numba documents."""

WITHOUT: dict[str, str] = {
    # the pipeline and the short ways of lowering: `numba_patches.LeanPipeline`, `lowering`, `ir_builder`
    "numba.core.compiler:CompilerBase": "passes that do nothing for kernels run; nothing is lowered in short ways",
    "numba.core.compiler:DefaultPassBuilder": "the same",
    "numba.core.compiler_machinery:PassManager": "the same",
    "numba.core.compiler_machinery:register_pass": "the same",
    "numba.core.typed_passes:NativeLowering": "the same",
    "numba.core.lowering:Lower": "elements, arithmetic and tuples are lowered in Numba's general way: twice the code",
    "numba.core.lowering:Lower._find_singly_assigned_variable": "the same",
    "numba.core.lowering:Lower.lower_normal_function": "the same",
    "numba.core.lowering:Lower.lower_getitem": "the same",
    "numba.core.lowering:Lower.lower_setitem": "the same",
    "numba.core.lowering:Lower.lower_binop": "the same",
    "numba.core.lowering:Lower.lower_expr": "the same",
    "numba.core.lowering:Lower.lower_inst": "the same",
    "numba.core.lowering:Lower.lower_block": "the same",
    "numba.core.lowering:Lower.setup_function": "the same",
    "numba.core.ir:StaticRaise": "no checked build (DUOTI_CHECK=1)",
    "numba.core.ir:Expr": "the same",
    "numba.core.ir:Global": "the same",
    "numba.core.ir:FreeVar": "the same",
    "numba.core.cgutils:get_or_insert_function": "the same",
    "numba.core.cgutils:make_bytearray": "the same",
    "numba.core.cgutils:global_constant": "the same",
    "numba.core.ir:Assign": "elements, arithmetic and tuples are lowered in Numba's general way",
    "numba.core.ir:Arg": "the same",
    "numba.core.analysis:compute_cfg_from_blocks": "the same",
    "numba.core.analysis:compute_use_defs": "the same",
    "numba.core.callconv:CPUCallConv": "calls hand on errors by a chain of comparisons",
    "numba.core.callconv:CPUCallConv._get_arg_packer": "the same",
    "numba.core.cgutils:if_unlikely": "the same",
    "numba.core.imputils:impl_ret_new_ref": "the same",
    "llvmlite.ir.instructions:InsertValue": "entries of tuples that were just put in are taken out again by LLVM",
    "llvmlite.ir.instructions:PhiInstr": "results without use are left for LLVM to take out",
    # savings: what Numba does over and over (`lean`); each stands by itself
    "numba.core.postproc:PostProcessor.run": "how long variables live is found out five times a function",
    "numba.core.transforms:canonicalize_cfg": "the same",
    "numba.core.types:BaseFunction.get_call_type": "operators are typed anew at every use",
    "numba.core.base:user_function": "calls hand on errors by a chain of comparisons",
    "numba.core.base:BaseContext.refresh": "it is looked up thousands of times whether something was registered",
    "numba.core.typing.context:BaseContext.refresh": "the same",
    "numba.core.targetconfig:TargetConfig.__eq__": "options are compared one by one",
    "numba.core.targetconfig:TargetConfig.__hash__": "the same",
    "numba.core.errors:_termcolor_inst": "messages of failed attempts are coloured",
    # linking what is not optimised: `compiler`
    "numba.core.codegen:CPUCodeLibrary.finalize": "every function is optimised alone, for nothing",
    "numba.core.codegen:CPUCodeLibrary._raise_if_finalized": "the same",
    "numba.core.codegen:CPUCodeLibrary._optimize_functions": "the same",
    "numba.core.codegen:JITCodeLibrary.get_pointer_to_function": "the same",
    "numba.core.codegen:JITCPUCodegen.set_env": "the same",
    "numba.core.typeconv:Conversion": "real numbers do not become lanes: no batches by lanes",
    # settings
    "numba.core.cpu:CPUTargetOptions": "references are counted: kernels are half as fast",
    "numba.core.compiler_lock:global_compiler_lock": "nothing is patched while kernels compile",
    "numba.core.registry:cpu_target": "nothing compiles: kernels could not mention `call_entry` and `unpack`",
}
"""What is used, as module:name, and what happens without it."""


def find(place: str) -> Any:
    """What stands at a place; None if it is not there, or if only documented parts are wanted."""
    module, _, path = place.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for name in path.split("."):
            found = vars(found)[name] if isinstance(found, type) and name in vars(found) else getattr(found, name)
    except (ImportError, AttributeError):
        return None
    return found


def need(place: str) -> Any:
    """What stands at a place of the list; ImportError if it is not there, or if only documented parts are wanted."""
    found = None if PLAIN else find(place)
    if found is None:
        raise ImportError(f"{place} is not used: {WITHOUT[place]}")
    return found


def owner_of(place: str) -> tuple[Any, str]:
    """The module or class in which something of the list stands, and its name there; to replace it."""
    whole, _, name = place.rpartition("." if "." in place.partition(":")[2] else ":")
    return (find(whole) if ":" in whole else importlib.import_module(whole)), name


def missing() -> list[str]:
    """Places of the list that this version of Numba does not have."""
    return [place for place in WITHOUT if find(place) is None]


# -------------------------------------------------------------------------------------- types of pointers in llvmlite
# llvmlite is on its way to pointers that do not say what they point to; these are the only places that make one.


def pointer_to(kind: Any) -> Any:
    """The type of a pointer to a type."""
    return kind.as_pointer() if hasattr(kind, "as_pointer") else ir.PointerType()
