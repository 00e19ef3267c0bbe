"""Levels of processors that machine code is made for, and which of them this one has.

Code for a level runs on every processor that has it, so that it may be shared. A processor with a higher level takes
what there is for its own level, and the rest from the level below.
"""

from __future__ import annotations

import functools
import os
import platform
import sys
from pathlib import Path

# What each level asks of the processor, best first (x86-64 psABI), by LLVM's names
_V2 = ("cx16", "popcnt", "sse3", "sse4.1", "sse4.2", "ssse3")
_V3 = (*_V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe")
_V4 = (*_V3, "avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl")
LEVELS: dict[str, dict[str, tuple[str, tuple[str, ...]]]] = {
    "x86_64": {
        "x86-64-v4": ("x86-64-v4", _V4),
        "x86-64-v3": ("x86-64-v3", _V3),
        "x86-64-v2": ("x86-64-v2", _V2),
        "x86-64": ("x86-64", ()),
    },
}
SHIPPED_LEVELS = {"x86_64": ("x86-64-v3", "x86-64-v4")}
"""Levels that the package ships code for: all kernels for the first, those that gain by it for the others."""

_KERNEL_SAYS = {"sse3": "pni", "sse4.1": "sse4_1", "sse4.2": "sse4_2", "bmi": "bmi1", "lzcnt": "abm"}
"""Where Linux has other names than LLVM."""

_SAME = {"amd64": "x86_64", "arm64": "aarch64"}
ARCHITECTURE = _SAME.get(platform.machine().lower(), platform.machine().lower())
PLATFORM = f"{sys.platform}-{ARCHITECTURE}"


def levels() -> dict[str, tuple[str, tuple[str, ...]]]:
    """The levels of this architecture: processor and what it must have."""
    return LEVELS.get(ARCHITECTURE, {ARCHITECTURE: ("generic", ())})


def shipped_levels() -> tuple[str, ...]:
    """The levels of this architecture for which the package is to ship code."""
    return SHIPPED_LEVELS.get(ARCHITECTURE, (level(),))


def level() -> str:
    """The level that this processor compiles for."""
    return levels_here()[0]


@functools.cache
def levels_here() -> tuple[str, ...]:
    """The levels that this processor has, the best first; `DUOTI_LEVEL` leaves out those above one."""
    known = levels()
    wanted = os.environ.get("DUOTI_LEVEL")
    if wanted is not None and wanted not in known:
        raise ValueError(f"DUOTI_LEVEL={wanted!r}: the levels of {ARCHITECTURE} are {', '.join(known)}")
    if len(known) == 1:
        return tuple(known)
    has = _features()
    fitting = [name for name, (_, needs) in known.items() if has.issuperset(needs)]
    if wanted is not None and wanted not in fitting:
        raise ValueError(f"DUOTI_LEVEL={wanted!r}: this processor has only {', '.join(fitting)}")
    return tuple(fitting[fitting.index(wanted) :] if wanted is not None else fitting)


def _features() -> set[str]:
    """What this processor has, by LLVM's names."""
    try:
        with Path("/proc/cpuinfo").open(encoding="ascii", errors="replace") as file:
            for line in file:
                if line.startswith("flags"):
                    flags = set(line.partition(":")[2].split())
                    return {name for name in _V4 if _KERNEL_SAYS.get(name, name) in flags}
    except OSError:
        pass
    import llvmlite.binding as ll

    return {name for name, there in ll.get_host_cpu_features().items() if there}


# Effort of LLVM: 3 makes the recursions no faster than 2. Vectorised loops make the mass matrix of a chain of 100 a
# fifth faster. 1 takes half the time of 2, for what is not in the inner loops.
HOT, COLD = 2, 1
