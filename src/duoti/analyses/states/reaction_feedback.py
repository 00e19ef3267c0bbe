"""Laws that read reactions and multipliers: which analyses and runs can treat them, and which reactions are unique."""

from __future__ import annotations

import numpy as np

from duoti.analyses.states.supported import rigid_elements
from duoti.dynamics.reaction_feedback.installation import feedback_of, force_readers, has_reaction_feedback
from duoti.dynamics.reaction_feedback.rates import feedback_values_entry
from duoti.dynamics.workspace import new_workspace
from duoti.integrate import Solver
from duoti.integrate.base import algebraic_states
from duoti.kernel import entry_address, run_entry
from duoti.model.checks.findings import Findings
from duoti.model.errors import ModelError
from duoti.model.laws.reaction_feedback import feedback_names, feedback_quantities
from duoti.system.arrays import Reals, Work
from duoti.system.constraint_arrays import dense_jacobian
from duoti.system.system import System

DEPENDENT = 1e-9  # singular value, relative to the largest, of equations that say nothing new
NONE = 1e-7  # part of a self-stress that is round-off in a reaction


def refuse_reaction_feedback(system: System, what: str, forces_only: bool = False) -> None:
    """Raise if laws read reactions, which `what` does not solve for; forces_only: only if laws of forces do."""
    if not has_reaction_feedback(system) or (forces_only and not force_readers(system)):
        return
    names = ", ".join(feedback_names(system.model))
    raise NotImplementedError(
        f'laws of model "{system.model.name}" read {names}: {what} does not know how reactions depend on the state. '
        "dt.simulate and dt.accelerations do; or let these laws read positions, rates or states instead"
    )


def refuse_reaction_feedback_run(system: System, solver: Solver, t: float, y: Reals) -> None:
    """Raise ModelError or ValueError if a run from the state y cannot have the reactions that its laws read."""
    names = ", ".join(feedback_names(system.model))
    if contacts := rigid_elements(system):
        raise ValueError(
            f"laws read {names}, and rigid contacts ({', '.join(contacts)}) bear impulses of any size: reactions are "
            "known with dt.CompliantContact only"
        )
    if solver.treats_contacts:
        raise ValueError(
            f"laws read {names}, and {type(solver).__name__} knows impulses over a step, no reactions at an instant: "
            "choose another solver such as dt.DOPRI5() or dt.Radau()"
        )
    if states := algebraic_states(system):
        raise ValueError(
            f"laws read {names}, and state {states[0]!r} is algebraic: their equations are not solved together. Write "
            "the equation with a rate (a fast one), or let laws read something else"
        )
    if system.closures.rows:
        _refuse_not_unique(system, t, y)


def solve_feedback(work: Work, t: float, y: Reals) -> None:
    """Put the reactions that laws read into a state, before Python evaluates a law there."""
    work.clock[0], work.y[:] = t, y
    run_entry(int(work.calls[0].algebraic), int(work.at[0].system))
    y[:] = work.y


def _refuse_not_unique(system: System, t: float, y: Reals) -> None:
    """Self-stress (multipliers that do nothing to the motion, G^T n = 0) must not change what laws read."""
    work = new_workspace(system, ydot=True)
    me = feedback_of(work)
    assert me is not None
    context = int(work.at[0].system)
    work.clock[0], work.y[:] = t, y
    run_entry(int(work.calls[0].ydot), context)
    values = entry_address(feedback_values_entry)
    run_entry(values, context)
    G = dense_jacobian(system.closures, system.nv, work.G)
    U, sizes, _ = np.linalg.svd(G)
    rank = int(np.sum(sizes > DEPENDENT * max(float(sizes[0]), 1e-300))) if len(sizes) else 0
    multipliers, before = work.multipliers.copy(), me.value.copy()
    changed = np.zeros(me.count, bool)
    size = 1.0 + float(np.max(np.abs(multipliers), initial=0.0))
    for stress in U[:, rank:].T:
        work.multipliers[:] = multipliers + size * stress
        run_entry(values, context)
        changed |= np.abs(me.value - before) > NONE * size * (1.0 + np.max(np.abs(before), initial=0.0) / size)
    found, quantities = Findings(), feedback_quantities(system.model)
    for name, lost in zip(feedback_names(system.model), changed, strict=True):
        if lost:
            item = quantities[name]
            found.error(
                "not-unique", (),
                f"laws read {name}, which is not unique",
                f"{G.shape[0] - rank} equations of loops and constraints say nothing new: rigid bodies do not tell how "
                f"the load of {item.kind} \"{item.item}\" is shared",
                "let the joints of the loop move more freely (dt.check says which), or read a component that is unique "
                "(result.not_unique lists the others)",
            )  # fmt: skip
    if found.found:
        raise ModelError(found.report(system.model.name, system.model.source_locations))
