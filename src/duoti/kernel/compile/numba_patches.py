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

from duoti.kernel.compile.parallel_build import no_collection
from duoti.kernel.numba_private import need, owner_of

# Passes that do nothing for kernels, which have no closures, literal loops, array expressions or raises
_IDLE = frozenset(
    (
        "WithLifting", "InlineClosureLikes", "MakeFunctionToJitFunction", "InlineInlinables", "FindLiterallyCalls",
        "LiteralUnroll", "LiteralPropagationSubPipelinePass", "InlineOverloads", "NopythonRewrites",
        "RewriteDynamicRaises", "DumpParforDiagnostics", "IRLegalization",
    )
)  # fmt: skip


def _pipeline() -> Any:
    """Numba's usual passes without the idle ones, and with the short ways of lowering; None where that cannot be."""
    try:
        CompilerBase = need("numba.core.compiler:CompilerBase")
        DefaultPassBuilder = need("numba.core.compiler:DefaultPassBuilder")
        PassManager = need("numba.core.compiler_machinery:PassManager")
        NativeLowering = need("numba.core.typed_passes:NativeLowering")
        from duoti.kernel.compile.lowering import KernelLowering
    except ImportError:
        return None

    class LeanPipeline(CompilerBase):
        """The passes."""

        def define_pipelines(self) -> list[Any]:
            """The one list of passes."""
            usual = DefaultPassBuilder.define_nopython_pipeline(self.state)
            lean = PassManager("duoti")
            for each, told in usual.passes:
                if each.__name__ not in _IDLE:
                    lean.passes.append((KernelLowering if each is NativeLowering else each, told))
            lean.finalize()
            return [lean]

    return LeanPipeline


PIPELINE: Any = _pipeline()


def _counts_no_references() -> bool:
    try:
        return hasattr(need("numba.core.cpu:CPUTargetOptions"), "_nrt")
    except ImportError:
        return False


NO_REFERENCE_COUNTING = _counts_no_references()
"""Whether Numba can be told not to count references, by its private option `_nrt`."""


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
def only_lowering() -> Generator[None, None, None]:
    """Inside, what Numba compiles is lowered in short ways, and neither optimised nor made machine code (CAN_LINK)."""
    replaced = [*_savings(), *_NO_MACHINE_CODE]
    if not replaced:
        yield
        return
    with need("numba.core.compiler_lock:global_compiler_lock"), no_collection():
        _target().target_context.refresh()
        _count()
        kept = [(owner, name, getattr(owner, name)) for owner, name, _ in replaced]
        try:
            for each in replaced:
                setattr(*each)
            yield
        finally:
            for each in kept:
                setattr(*each)


Replaced = tuple[Any, str, Any]


def _target() -> Any:
    return need("numba.core.registry:cpu_target")


def _finalise(self: Any) -> None:
    self._raise_if_finalized()
    self._finalized = True


def _no_machine_code() -> list[Replaced]:
    """All or nothing: what is half linked is of no use."""
    library = "numba.core.codegen:CPUCodeLibrary"
    new: dict[str, Any] = {
        f"{library}.finalize": _finalise,
        f"{library}._optimize_functions": lambda self, module: None,
        "numba.core.codegen:JITCodeLibrary.get_pointer_to_function": lambda self, name: 0,
        "numba.core.codegen:JITCPUCodegen.set_env": lambda self, name, env: None,
    }
    try:
        need("numba.core.compiler_lock:global_compiler_lock")
        need(f"{library}._raise_if_finalized")
        _target()
        return [(*owner_of(place), made) for place, made in new.items() if need(place)]
    except ImportError:
        return []


_NO_MACHINE_CODE = _no_machine_code()
CAN_LINK = bool(_NO_MACHINE_CODE)


@functools.cache
def _savings() -> tuple[Replaced, ...]:
    """What takes the place of functions of Numba, each by itself."""
    makers: dict[str, Callable[[Any], Any]] = {
        "numba.core.postproc:PostProcessor.run": _canonical,
        "numba.core.types:BaseFunction.get_call_type": _remembered,
        "numba.core.base:user_function": _short_calls,
        "numba.core.base:BaseContext.refresh": _when_needed,
        "numba.core.typing.context:BaseContext.refresh": _when_needed,
        "numba.core.targetconfig:TargetConfig.__eq__": _same,
        "numba.core.targetconfig:TargetConfig.__hash__": lambda usual: _hash_of_options,
        "numba.core.errors:_termcolor_inst": lambda usual: _NoColours(),
    }
    found: list[Replaced] = []
    for place, make in makers.items():
        with contextlib.suppress(ImportError):
            need("numba.core.compiler_lock:global_compiler_lock")
            found.append((*owner_of(place), make(need(place))))
    return tuple(found)


def _short_calls(usual: Callable[..., Any]) -> Callable[..., Any]:
    if PIPELINE is None:
        raise ImportError("calls are short only between functions that are lowered in short ways")
    from duoti.kernel.compile.ir_builder import short_calls

    return short_calls(usual)


def _canonical(usual: Callable[..., Any]) -> Callable[..., Any]:
    """Five times for each function Numba finds out how long variables live: to count references, which we do not."""
    canonicalize_cfg = need("numba.core.transforms:canonicalize_cfg")
    if not NO_REFERENCE_COUNTING:
        raise ImportError("references are counted")

    def run(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        if self.func_ir.is_generator or emit_dels:
            usual(self, emit_dels, extend_lifetimes)
        else:
            self.func_ir.blocks = canonicalize_cfg(self.func_ir.blocks)
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
            if hasattr(self, "typing_context"):  # that of the target: it refreshes the other one, too
                _count()

    return refresh


def _count() -> None:
    """See how much is registered."""
    target = _target()
    registries = [*target.target_context._registries, *target.typing_context._registries]
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
