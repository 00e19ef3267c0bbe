"""What the user sees while kernels are compiled: what they are for, how many remain, and that it happens once.

What takes less than a second is not worth a word. What takes longer is announced once, and every now and then follows
what is left to do.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Generator, Sequence

from duoti.kernel.decorators import Compiled

# Words for the person at the terminal.


def say(text: str) -> None:
    """Write one line for the person at the terminal (stderr), unless `DUOTI_QUIET` is set."""
    if not os.environ.get("DUOTI_QUIET"):
        print(text, file=sys.stderr, flush=True)


class MissingPackageError(ImportError):
    """An optional package is not installed; the text says how to get it."""


QUIET_FOR = 1.0  # seconds
EVERY = 15.0  # seconds

_WORK: list[Compiled] = []  # announced by `several`, not made yet
_HINTED: list[bool] = []  # whether `duoti compile` was mentioned

# what the kernels of a module are for, in the user's words
SUBJECTS = {
    "forward": "equations of motion", "constrained": "closed loops", "closures": "closed loops",
    "closing": "closed loops", "law_values": "forces", "state_space": "derivatives",
    "reduced": "closed loops", "stepping": "time steps", "explicit": "explicit solvers",
    "alpha": "generalised-alpha solvers", "radau_loop": "Radau solver", "ida_kernels": "IDA solver",
    "stiffness": "automatic choice of the solver", "linearise": "derivatives", "residual": "derivatives",
    "force_derivatives": "derivatives", "closure_derivatives": "derivatives", "forward_derivatives": "derivatives",
    "rnea_derivatives": "derivatives", "marker_derivatives": "derivatives", "observe": "results",
    "singular": "results", "given_multipliers": "results", "power_flow": "energy flow",
    "aba": "forward dynamics", "rnea": "inverse dynamics", "crba": "mass matrix", "kinematics": "Jacobians",
    "assemble": "assembly of loops", "states": "states", "events": "events", "loads": "forces",
    "machine": "expressions", "points": "equations of motion", "transitions": "events",
    "slope_machine": "derivatives by parameters", "varied": "derivatives by parameters", "pair_types": "contacts",
    "force_types": "forces",
}  # fmt: skip
FOLDERS = {
    "contact": "contacts", "flexible": "flexible bodies", "bond": "bond graphs", "results": "results",
    "integrate": "solvers", "dynamics": "equations of motion", "analyses": "analyses",
}  # fmt: skip
"""Of the other modules of a folder."""
ROWS = {
    "position": "closed loops", "dot": "closed loops", "screw": "closed loops with screws", "coupler": "gears",
    "disc": "rolling discs", "sphere": "rolling spheres", "edge": "knife edges", "cam": "cams",
    "distance": "distances", "equation": "equations of yours",
}  # fmt: skip
"""Likewise for the kinds of equations."""


def subject(compiled: Compiled) -> str:
    """What a kernel is for."""
    parts = compiled.name.split(".")
    kind = parts[3].removesuffix("_row") if "forces" in parts or "rows" in parts else ""
    if "rows" in parts:
        return ROWS.get(kind, kind.replace("_", " "))
    if "forces" in parts:  # an entry of a type: duoti.model.forces.bushing. ...
        return kind.replace("_", " ")
    last = compiled.__module__.rpartition(".")[2]
    return SUBJECTS.get(last) or FOLDERS.get(parts[1]) or last.replace("_", " ").strip()


def _subjects(kernels: Sequence[Compiled]) -> str:
    return ", ".join(dict.fromkeys(map(subject, kernels)))


def _count(kernels: Sequence[Compiled]) -> str:
    return f"{len(kernels)} kernels" if len(kernels) > 1 else "1 kernel"


@contextlib.contextmanager
def several(
    kernels: Sequence[Compiled], left: Callable[[], Sequence[Compiled]] | None = None
) -> Generator[None, None, None]:
    """Say which kernels are compiled now, if it takes long, and which are `left`."""
    _WORK.extend(kernels)
    try:
        with _watched(kernels, left or (lambda: [each for each in kernels if each in _WORK])):
            yield
    finally:
        _WORK.clear()


@contextlib.contextmanager
def compiling(compiled: Compiled) -> Generator[None, None, None]:
    """The same for one kernel, unless `several` speaks of it."""
    if compiled in _WORK:
        yield
        if compiled in _WORK:
            _WORK.remove(compiled)
        return
    with _watched([compiled], lambda: [compiled]):
        yield


@contextlib.contextmanager
def _watched(kernels: Sequence[Compiled], left: Callable[[], Sequence[Compiled]]) -> Generator[None, None, None]:
    done = threading.Event()
    threading.Thread(target=_tell, args=(kernels, left, done), daemon=True).start()
    try:
        yield
    finally:
        done.set()


def _tell(kernels: Sequence[Compiled], left: Callable[[], Sequence[Compiled]], done: threading.Event) -> None:
    """Announce what is being compiled, and from time to time what is left."""
    if done.wait(QUIET_FOR):
        return
    hint = "" if _HINTED else " (`duoti compile` makes all that there are)"
    _HINTED.append(True)
    say(f"duoti: compiling {_subjects(kernels)}: {_count(kernels)}, once; later runs find them ready{hint} ...")
    while not done.wait(EVERY):
        if remaining := left():
            say(f"duoti: {len(remaining)} of {_count(kernels)} left: {_subjects(remaining)} ...")
