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

SUBJECTS = {
    "analyses": "analyses", "bond": "bond graphs", "contact": "contacts", "dynamics": "equations of motion",
    "dynamics.derivatives": "derivatives", "dynamics.derivatives.by_parameters": "derivatives by parameters",
    "dynamics.derivatives.second_by_parameters": "derivatives by parameters", "dynamics.events": "events",
    "dynamics.flexible": "flexible bodies", "dynamics.joint_friction": "joint friction",
    "dynamics.loops": "closed loops", "dynamics.close_loops": "assembly of loops", "dynamics.power_flow": "energy flow",
    "dynamics.reaction_feedback": "reaction feedback", "dynamics.tree.aba": "forward dynamics",
    "dynamics.tree.crba": "mass matrix", "dynamics.tree.kinematics": "Jacobians",
    "dynamics.tree.rnea": "inverse dynamics", "dynamics.tree.states": "states",
    "elements.equation_types": "constraints", "elements.user_equations": "equations of yours", "elements": "forces",
    "flexible": "flexible bodies", "integrate": "solvers", "integrate.explicit_loop": "explicit solvers",
    "integrate.implicit.alpha_loop": "generalised-alpha solvers", "integrate.implicit.ida_kernels": "IDA solver",
    "integrate.implicit.radau_loop": "Radau solver", "integrate.moreau": "time stepping",
    "integrate.stepping": "time steps", "integrate.stiffness": "automatic choice of the solver",
    "integrate.events": "events", "model": "forces", "model.equations": "constraints",
    "model.laws.expressions": "expressions",
    "results": "results",
}  # fmt: skip
"""What kernels are for, in the user's words: by module or folder, the longest name that fits."""


def subject(compiled: Compiled) -> str:
    """What a kernel is for."""
    parts = compiled.name.split(".")
    if "forces" in parts:  # an entry of a type: duoti.model.forces.bushing. ...
        return parts[3].replace("_", " ")
    for path in (parts, compiled.__module__.split(".")):  # entries of types have the names of these
        for n in range(len(path), 1, -1):
            if found := SUBJECTS.get(".".join(path[1:n])):
                return found
    return compiled.__module__.rpartition(".")[2].replace("_", " ")


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
