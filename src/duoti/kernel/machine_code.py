"""From LLVM's intermediate code to machine code, for a level of processors."""

from __future__ import annotations

import functools
import os
from typing import Any

import llvmlite.binding as ll

# What each level asks of the processor, best first (x86-64 psABI). Code for a level runs on every processor that has
# it, so that a store may be shared; AVX-512 brings twice the registers.
_V2 = ("cx16", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3")
_V3 = (*_V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
_V4 = (*_V3, "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl")
LEVELS: dict[str, dict[str, tuple[str, tuple[str, ...]]]] = {
    "x86_64": {
        "x86-64-v4": ("x86-64-v4", _V4),
        "x86-64-v3": ("x86-64-v3", _V3),
        "x86-64-v2": ("x86-64-v2", _V2),
        "x86-64": ("x86-64", ()),
    },
}

ll.initialize_native_target()
ll.initialize_native_asmprinter()
TRIPLE: str = ll.get_process_triple()
ARCHITECTURE = TRIPLE.split("-")[0]


def levels() -> dict[str, tuple[str, tuple[str, ...]]]:
    """The levels of this architecture: processor and what it must have."""
    return LEVELS.get(ARCHITECTURE, {ARCHITECTURE: ("generic", ())})


@functools.cache
def level() -> str:
    """The best level that this processor has; `DUOTI_LEVEL` asks for a lower one."""
    known = levels()
    wanted = os.environ.get("DUOTI_LEVEL")
    if wanted is not None and wanted not in known:
        raise ValueError(f"DUOTI_LEVEL={wanted!r}: the levels of {ARCHITECTURE} are {', '.join(known)}")
    has = ll.get_host_cpu_features()
    fitting = [name for name, (_, needs) in known.items() if all(has.get(need) for need in needs)]
    if wanted is not None and wanted not in fitting:
        raise ValueError(f"DUOTI_LEVEL={wanted!r}: this processor has only {', '.join(fitting)}")
    return wanted or fitting[0]


@functools.cache
def _machine(level: str, effort: int) -> Any:
    cpu, _ = levels()[level]
    return ll.Target.from_triple(TRIPLE).create_target_machine(cpu=cpu, opt=effort, reloc="pic", codemodel="default")


# Effort of LLVM: 3 makes the recursions no faster than 2. Vectorised loops make the mass matrix of a chain of 100 a
# fifth faster. 1 takes half the time of 2, for what is not in the inner loops.
HOT, COLD = 2, 1


def object_of(bitcode: bytes, level: str, effort: int) -> bytes:
    """Optimise a module and make an object file of it."""
    machine, module = _machine(level, effort), ll.parse_bitcode(bitcode)
    options = ll.create_pipeline_tuning_options(speed_level=effort)
    options.loop_vectorization, options.slp_vectorization = effort == HOT, False
    builder = ll.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return machine.emit_object(module)
