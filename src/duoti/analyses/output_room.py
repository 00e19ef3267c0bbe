"""Whether the outputs that are asked for have room, in memory or on the disk: said before anything is computed."""

from __future__ import annotations

import os
import shutil
import warnings
from pathlib import Path

from duoti.analyses.output_times import OutputTimes
from duoti.analyses.run_warnings import OngoingWarning
from duoti.strict import user_level

ALWAYS = 1e6  # bytes for which there is room in memory: to ask the system takes longer than a short run
LARGE = 1e9  # bytes from which on a word is said
SHARE = 0.5  # of the memory that is free: the motion is not all that a result holds


def refuse_too_many(times: OutputTimes | None, columns: int, path: Path | None) -> None:
    """Refuse more outputs, with so many numbers beside each time, than there is room for; say what very many take."""
    if times is None:  # at the solver's own steps: as many as it makes
        return
    needed = 8.0 * times.count * (1 + columns)
    if needed < ALWAYS and path is None:
        return
    if path is None:
        room, where, remedy = SHARE * _free_memory(), "memory", "write them to a file (out=), or "
    else:
        room, where, remedy = float(shutil.disk_usage(path.resolve().parent).free), f"{path.parent.resolve()}", ""
    what = f"outputs: {times.count} outputs of {columns + 1} numbers take {_size(needed)}"
    if needed > room:
        share = " (half of what is free)" if path is None else ""
        raise ValueError(
            f"{what}, and there are {_size(room)}{share} in {where}; {remedy}ask for fewer: "
            f"a step of {_fitting(times, needed, room):.2g} s would do"
        )
    if needed > LARGE:
        warnings.warn(f"{what} in {where}; a longer step takes less", OngoingWarning, stacklevel=user_level())


def _fitting(times: OutputTimes, needed: float, room: float) -> float:
    """A step with which the outputs take a tenth of the room."""
    return (times.end - times.start) / max(1.0, 0.1 * room / needed * times.count)


def _free_memory() -> float:
    """Bytes of memory that a process may still take; infinite where the system does not tell."""
    try:
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        return 1024.0 * next(int(line.split()[1]) for line in lines if line.startswith("MemAvailable:"))
    except (OSError, StopIteration, ValueError):
        pass
    try:
        return float(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"))
    except (AttributeError, OSError, ValueError):
        return float("inf")


def _size(n: float) -> str:
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if n < 1000 or unit == "TB":
            return f"{n:.3g} {unit}"
        n /= 1000
    raise AssertionError
