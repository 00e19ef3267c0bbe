"""The solver that a stepper takes if none is named."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from duoti.analyses.simulate.choose_solver import SolverChoice, choose_solver, impact_remarks, shape_remarks
from duoti.analyses.states.supported import rigid_elements
from duoti.integrate import Moreau, Tolerances
from duoti.model.joint_friction import follows_load, slots_of
from duoti.system.system import System

DURATION = 10.0  # s, for which the solver is chosen: longer than the start of a motion
RTOL, ATOL = 1e-4, 1e-5
STEP = 1e-3  # s, of time stepping at most


def stepping_solver(system: System, solver: Any) -> SolverChoice:
    """The solver with its reasons.

    Where rigid contacts, or dry friction in joints, make many transitions: time stepping, whose steps cost the same
    whatever happens in them. Else that of `choose_solver`, with tolerances of 1e-4 and 1e-5: one step of 1 ms is far
    more exact than that for most machines.
    """
    if solver is not None:
        choice = choose_solver(system, DURATION, solver)
        if reason := _unsaved(choice.solver):
            raise ValueError(f"{type(choice.solver).__name__} cannot be stepped by hand: {reason}")
        return choice
    rigid = rigid_elements(system)
    slots = slots_of(system.model)
    friction = [slot.friction for slot in slots if slot.friction and slot.friction_state]
    smooth_load = any(not slot.friction_state and follows_load(system.model, slot) for slot in slots)
    if (rigid and not smooth_load) or friction:
        what = "rigid contacts" if rigid else "dry friction in joints"
        chosen = Moreau(step=STEP)
        reasons = (f"{what}: time stepping takes each step in about the same time",)
        shapes = shape_remarks(system) if rigid else ()
        return SolverChoice(chosen, reasons, remarks=impact_remarks(system, chosen), shapes=shapes)
    choice = choose_solver(system, DURATION)
    if isinstance(choice.solver, Tolerances) and choice.solver.adaptive:
        settings = {"rtol": max(choice.solver.rtol, RTOL), "atol": max(choice.solver.atol, ATOL)}
        return replace(choice, solver=replace(choice.solver, **settings), fallback=None)
    return replace(choice, fallback=None)


def _unsaved(solver: Any) -> str:
    from duoti.integrate import IDA

    return "SUNDIALS keeps its memory, which cannot be saved; take dt.Radau()" if isinstance(solver, IDA) else ""
