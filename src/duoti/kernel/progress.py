"""What the user sees while kernels are compiled: what they are for, how many, and that it happens once."""

from __future__ import annotations

import contextlib
from collections.abc import Generator, Sequence

from duoti.kernel.functions import Compiled
from duoti.kernel.messages import say

_ANNOUNCED: list[Compiled] = []  # said already by `several`

# what the kernels of a module are for, in the user's words; other modules are called by their names
_SUBJECTS = {
    "forward": "equations of motion", "constrained": "closed loops", "closures": "closed loops",
    "stepping": "time steps", "explicit": "explicit solvers", "alpha": "generalised-alpha solvers",
    "radau_loop": "Radau solver", "ida_kernels": "IDA", "linearise": "derivatives", "residual": "derivatives",
    "force_derivatives": "derivatives", "closure_derivatives": "derivatives", "observe": "results",
    "reduced": "closed loops",
}  # fmt: skip


def subject(compiled: Compiled) -> str:
    """What a kernel is for."""
    parts = compiled.name.split(".")
    if "forces" in parts or "rows" in parts:  # an entry of a type: duoti.model.forces.bushing. ...
        return parts[3].removesuffix("_row").replace("_", " ")
    last = compiled.__module__.rpartition(".")[2]
    return _SUBJECTS.get(last, last.replace("_", " "))


def _announce(kernels: Sequence[Compiled]) -> None:
    subjects = ", ".join(dict.fromkeys(map(subject, kernels)))
    count = f"{len(kernels)} kernels" if len(kernels) > 1 else "a kernel"
    say(f"duoti: compiling {count} ({subjects}), once; later runs find them ready ...")


@contextlib.contextmanager
def several(kernels: Sequence[Compiled]) -> Generator[None, None, None]:
    """Say which kernels are compiled now."""
    _announce(kernels)
    _ANNOUNCED.extend(kernels)
    try:
        yield
    finally:
        _ANNOUNCED.clear()


@contextlib.contextmanager
def compiling(compiled: Compiled) -> Generator[None, None, None]:
    """Say that a kernel is compiled, unless that was said."""
    if compiled not in _ANNOUNCED:
        _announce([compiled])
    yield
