"""How many steps the compiled loop makes before Python looks at progress, signals and outputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duoti.contact.engine import ContactEngine
    from duoti.integrate.state import Run
    from duoti.system.system import System

MOST_GROWTH = 32  # from one call to the next: each call costs as much as a hundred steps of a small model
MOST_STEPS = 1 << 40
FIRST_STEPS, FIRST_WITH_PYTHON = 64, 8  # of the first call: a law in Python may be slow
FIRST_OF_SMALL, SMALL = 256, 30  # of a model with few rates and no contacts: its short runs are then one call


def first_steps(system: System) -> int:
    """Steps of the first call."""
    if system.callbacks.calls_python:
        return FIRST_WITH_PYTHON
    return FIRST_OF_SMALL if system.nv <= SMALL and not system.model.contacts else FIRST_STEPS


def steps_of_next_call(steps: int, took: float, wanted: float) -> int:
    """Steps of the next call, if one of `steps` took so long [s] and the wanted time [s] is a good one."""
    if took < 0.5 * wanted:
        growth = int(min(MOST_GROWTH, 0.5 * wanted / max(took, 1e-9)))
        return min(max(2, growth) * steps, MOST_STEPS)
    return max(1, steps // 2) if took > 2.0 * wanted else steps


def until_next_look(engine: ContactEngine | None, run: Run, most_steps: int) -> int:
    """How many steps may come before it is looked again how long they may be, so that no body passes another."""
    if engine is None or not engine.passing.possible:
        return most_steps
    engine.limit_steps(run.clock[0], run.y)
    return engine.passing.steps
