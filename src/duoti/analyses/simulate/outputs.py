"""The times at which a simulation gives outputs."""

from __future__ import annotations

import math
import os
import shutil
import warnings
from dataclasses import dataclass
from numbers import Real
from pathlib import Path
from typing import Any

import numpy as np

from duoti.analyses.states.warnings import OngoingWarning
from duoti.strict import user_level
from duoti.system.arrays import Reals

LONGEST = 1e300  # seconds; whole numbers beyond that do not fit into a number of the machine
MOST_OUTPUTS = 1e12  # of which the times still differ from each other
DEFAULT_OUTPUTS = 1000  # equal intervals between outputs if the user does not say


@dataclass(frozen=True)
class OutputTimes:
    """Times from start to end [s], given one by one, or by a step: then they are computed as they are needed."""

    start: float
    end: float
    count: int
    step: float
    """Between outputs [s]; of given times 0, which then cannot go on beyond the end."""
    times: Reals | None = None

    def between(self, first: int, last: int) -> Reals:
        """The times with the numbers first, ..., last - 1."""
        last = min(last, self.count)
        if self.times is not None:
            return self.times[first:last]
        times = np.minimum(self.start + self.step * np.arange(first, last, dtype=float), self.end)
        if last == self.count and first < last:
            times[-1] = self.end
        return times

    def until(self, t: float) -> int:
        """How many of the times are not later than t."""
        if self.times is not None:
            return int(self.times.searchsorted(t, side="right"))
        about = int((t - self.start) / self.step)
        first = max(0, min(about - 2, self.count))
        return first + int(np.searchsorted(self.between(first, about + 3), t, side="right"))


def kind_of(times: OutputTimes | None) -> str:
    """ "steps" of the solver, a constant "step", or single "times"."""
    return "steps" if times is None else "step" if times.times is None else "times"


def steps_until(start: float, end: float, step: float) -> OutputTimes:
    """Times start, start + step, ..., and the end."""
    if (end - start) / step > MOST_OUTPUTS:
        raise ValueError(f"outputs={step:g}: this would be {(end - start) / step:.1e} outputs; give a longer step")
    n = int(np.floor((end - start) / step * (1 + 1e-12)))
    reached = start + step * n >= end - 1e-9 * step
    return OutputTimes(start, end, n + 1 if reached else n + 2, step)


FINEST_TIME = 1e-6  # part of the duration by which neighbouring times may differ


def output_times(duration: float, outputs: Any, start_time: float) -> OutputTimes | None:
    """Times of the outputs, None for the solver's steps; refuses what makes no sense."""
    if not isinstance(duration, Real) or not 0 < duration < LONGEST:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"duration={duration!r}: give a positive time in seconds")
    if not isinstance(start_time, Real) or not abs(start_time) < LONGEST:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"t={start_time!r}: give a finite time in seconds")
    start_time, end = float(start_time), float(start_time + duration)
    apart = math.ulp(max(abs(start_time), abs(end)))
    if apart > FINEST_TIME * duration:
        raise ValueError(
            f"t={start_time:g} with duration={duration:g}: as numbers, times there are {apart:.2g} s apart, "
            "too far for the steps of such a run; begin nearer to 0, or take the start_time out of the laws"
        )
    if outputs is None:
        times = np.linspace(start_time, end, DEFAULT_OUTPUTS + 1)
        return OutputTimes(start_time, end, len(times), float(duration) / DEFAULT_OUTPUTS, times)
    if isinstance(outputs, str):
        if outputs != "steps":
            raise ValueError(f'outputs={outputs!r}: give times, a step in seconds, or "steps"')
        return None
    try:
        values = np.asarray(outputs, dtype=float)
    except (TypeError, ValueError, OverflowError):
        raise ValueError(f'outputs={outputs!r}: give times, a step in seconds, or "steps"') from None
    if values.ndim == 0:
        step = float(values)
        if not 0 < step < np.inf:
            raise ValueError(f"outputs={outputs!r}: a step between outputs must be positive")
        return steps_until(start_time, end, step)
    if values.ndim != 1 or not len(values):
        raise ValueError("outputs: give a list of finite times")
    grow = (values[1:] >= values[:-1]).all()  # and are numbers, all but a single one
    if not (math.isfinite(values[0]) and math.isfinite(values[-1])) or not (grow or np.isfinite(values).all()):
        raise ValueError("outputs: give a list of finite times")
    if not grow:
        raise ValueError("outputs: the times must not decrease")
    slack = 1e-9 * duration
    if values[0] < start_time - slack or values[-1] > end + slack:
        raise ValueError(
            f"outputs: times from {values[0]:g} to {values[-1]:g} s reach beyond the simulation, "
            f"which goes from {start_time:g} to {end:g} s"
        )
    inside = values[0] >= start_time and values[-1] <= end
    times = values.copy() if inside else np.minimum(np.maximum(values, start_time), end)
    return OutputTimes(start_time, end, len(times), 0.0, times)


# Whether the outputs that are asked for have room, in memory or on the disk: checked before anything is computed.


ALWAYS = 1e6  # bytes for which there is room in memory: to ask the system takes longer than a short run
LARGE = 1e9  # bytes from which on there is a warning
SHARE = 0.5  # of the memory that is free: the motion is not all that a result holds


def refuse_too_many(times: OutputTimes | None, columns: int, path: Path | None) -> None:
    """Refuse more outputs, with so many numbers beside each time, than there is room for; say what very many take."""
    if times is None:  # at the solver's own steps: as many as it makes
        return
    needed = 8.0 * times.count * (1 + columns)
    if needed < ALWAYS and path is None:
        return
    if path is None:
        room, where, remedy = SHARE * free_memory(), "memory", "write them to a file (out=), or "
    else:
        room, where, remedy = float(shutil.disk_usage(path.resolve().parent).free), f"{path.parent.resolve()}", ""
    what = f"outputs: {times.count} outputs of {columns + 1} numbers take {in_bytes(needed)}"
    if needed > room:
        share = " (half of what is free)" if path is None else ""
        raise ValueError(
            f"{what}, and there are {in_bytes(room)}{share} in {where}; {remedy}ask for fewer: "
            f"a step of {_fitting(times, needed, room):.2g} s would do"
        )
    if needed > LARGE:
        warnings.warn(f"{what} in {where}; a longer step takes less", OngoingWarning, stacklevel=user_level())


def _fitting(times: OutputTimes, needed: float, room: float) -> float:
    """A step with which the outputs take a tenth of the room."""
    return (times.end - times.start) / max(1.0, 0.1 * room / needed * times.count)


def free_memory() -> float:
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


def in_bytes(n: float) -> str:
    """A size in words."""
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if n < 1000 or unit == "TB":
            return f"{n:.3g} {unit}"
        n /= 1000
    raise AssertionError
