"""Numba's front end at half its price: what it does over and over, or for nothing, is left out while kernels compile.

Nothing here changes what is compiled. Kernels have no generators, closures or counted references, are typed for the
same few types again and again, and are made many at a time. Each saving replaces one private function of Numba; where a
version of Numba does not have it, that saving falls away and compiling takes longer.
"""

# The inside of Numba is beyond its own type hints.
# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportCallIssue=false, reportReturnType=false
# pyright: reportPrivateUsage=false

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Generator
from typing import Any

from numba import types
from numba.core import base, codegen, errors, postproc, targetconfig, transforms
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_lock import global_compiler_lock
from numba.core.compiler_machinery import PassManager
from numba.core.registry import cpu_target
from numba.core.typed_passes import NativeLowering
from numba.core.typing import context as typing_context

from duoti.kernel.building import short_calls
from duoti.kernel.lowering import KernelLowering
from duoti.kernel.side_by_side import no_collection

# Passes that do nothing for kernels, which have no closures, literal loops, array expressions or raises
_IDLE = frozenset(
    (
        "WithLifting", "InlineClosureLikes", "MakeFunctionToJitFunction", "InlineInlinables", "FindLiterallyCalls",
        "LiteralUnroll", "LiteralPropagationSubPipelinePass", "InlineOverloads", "NopythonRewrites",
        "RewriteDynamicRaises", "DumpParforDiagnostics", "IRLegalization",
    )
)  # fmt: skip

CAN_LINK = all(
    hasattr(codegen.CPUCodeLibrary, name) for name in ("finalize", "_raise_if_finalized", "_optimize_functions")
)


class LeanPipeline(CompilerBase):
    """Numba's usual passes without the idle ones."""

    def define_pipelines(self) -> list[Any]:
        """The one list of passes."""
        usual = DefaultPassBuilder.define_nopython_pipeline(self.state)
        lean = PassManager("duoti")
        for each, told in usual.passes:
            if each.__name__ not in _IDLE:
                lean.passes.append((KernelLowering if each is NativeLowering else each, told))
        lean.finalize()
        return [lean]


def settle_calls(dispatcher: Any) -> None:
    """Let a function of Numba type a call once for the same kinds of arguments.

    Literals are not told apart: no version is compiled for each constant that is handed over, LLVM finds them after
    inlining.
    """
    template, known = dispatcher.get_call_template, {}

    def settled(args: Any, kws: Any) -> Any:
        args = tuple(map(types.unliteral, args))
        if kws:
            return template(args, {name: types.unliteral(kind) for name, kind in kws.items()})
        if args not in known:
            known[args] = template(args, kws)
        return known[args]

    dispatcher.get_call_template = settled


@contextlib.contextmanager
def only_lowering(can_link: bool) -> Generator[None, None, None]:
    """Inside, what Numba compiles is lowered in short ways, and (can_link) neither optimised nor made machine code."""
    replaced = _savings() + (_no_machine_code() if can_link else [])
    with global_compiler_lock, no_collection():
        cpu_target.target_context.refresh()
        _count()
        kept = [(owner, name, getattr(owner, name)) for owner, name, _ in replaced]
        try:
            for each in replaced:
                setattr(*each)
            yield
        finally:
            for each in kept:
                setattr(*each)


def _no_machine_code() -> list[tuple[Any, str, Callable[..., Any]]]:
    return [
        (codegen.CPUCodeLibrary, "finalize", _finalise),
        (codegen.CPUCodeLibrary, "_optimize_functions", lambda self, module: None),
        (codegen.JITCodeLibrary, "get_pointer_to_function", lambda self, name: 0),
        (codegen.JITCPUCodegen, "set_env", lambda self, name, env: None),
    ]


def _finalise(self: Any) -> None:
    self._raise_if_finalized()
    self._finalized = True


@functools.cache
def _made() -> list[tuple[Any, str, Callable[..., Any]]]:
    return [
        (postproc.PostProcessor, "run", _canonical(postproc.PostProcessor.run)),
        (types.BaseFunction, "get_call_type", _remembered(types.BaseFunction.get_call_type)),
        (base, "user_function", short_calls(vars(base)["user_function"])),
        (base.BaseContext, "refresh", _when_needed(base.BaseContext.refresh)),
        (typing_context.BaseContext, "refresh", _when_needed(typing_context.BaseContext.refresh)),
        (targetconfig.TargetConfig, "__eq__", _same(targetconfig.TargetConfig.__eq__)),
        (targetconfig.TargetConfig, "__hash__", _hash_of_options),
        (errors, "_termcolor_inst", _NoColours()),
    ]


def _savings() -> list[tuple[Any, str, Callable[..., Any]]]:
    try:
        return _made()
    except AttributeError:
        return []


def _canonical(usual: Callable[..., Any]) -> Callable[..., Any]:
    """Five times for each function Numba finds out how long variables live: to count references, which we do not."""

    def run(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        if self.func_ir.is_generator or emit_dels:
            usual(self, emit_dels, extend_lifetimes)
        else:
            self.func_ir.blocks = transforms.canonicalize_cfg(self.func_ir.blocks)
            self.func_ir.generator_info = None

    return run


def _remembered(usual: Callable[..., Any]) -> Callable[..., Any]:
    """Operators and the like try all their templates, and write messages about those that do not fit, at every use."""
    known: dict[tuple[int, Any], tuple[Any, Any]] = {}

    def get_call_type(self: Any, context: Any, args: Any, kws: Any) -> Any:
        if kws:
            return usual(self, context, args, kws)
        key = id(self), tuple(args)
        if key not in known:
            known[key] = usual(self, context, args, kws), self  # kept, so that its id stays its own
        return known[key][0]

    return get_call_type


_lists: list[list[Any]] = []
_registered = [0]


def _when_needed(usual: Callable[..., Any]) -> Callable[..., Any]:
    """Two thousand times Numba looks whether something new was registered."""

    def refresh(self: Any) -> None:
        if sum(map(len, _lists)) != _registered[0]:
            usual(self)
            if isinstance(self, base.BaseContext):  # it refreshes the other one, too
                _count()

    return refresh


def _count() -> None:
    """See how much is registered."""
    registries = [*cpu_target.target_context._registries, *cpu_target.typing_context._registries]
    _lists[:] = [each for registry in registries for each in vars(registry).values() if isinstance(each, list)]
    _registered[0] = sum(map(len, _lists))


def _same(usual: Callable[..., Any]) -> Callable[..., Any]:
    """Options that were set alike are alike, without a list of all the others."""

    def equal(self: Any, other: Any) -> Any:
        return getattr(other, "_values", None) == self._values or usual(self, other)

    return equal


def _hash_of_options(self: Any) -> int:
    return hash(type(self))


class _NoColours:
    """Numba colours the messages of failed attempts, which nobody sees."""

    def __getattr__(self, name: str) -> Any:
        return str
