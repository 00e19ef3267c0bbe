"""Where bodies are after an impact in which both can move, in derivatives of time stepping.

Trees of bodies that press on each other in an impact without rebound move by dq = e (v' - v), as if it had happened
earlier by e, the overlap over the speeds before and after it (`contact.impact.impact_times`, (1) there). Its change is

    d(dq) = de (v' - v) + e (dv' - dv),   de = -(d(overlap) + e d(u' - u)) / (u' - u)                              (1)

with the overlap as a gap, g + h/2 u'.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from duoti.contact.solve.positions import OVERLAP
from duoti.system.arrays import Ints, Reals

if TYPE_CHECKING:
    from duoti.analyses.gradients.moreau_step import StepChanges

FITS = 1e-9  # part of dq by which it may differ from (1)


def moved_by_impacts(step: StepChanges, rest: Reals) -> tuple[Reals, Reals] | None:
    """dq of (1) and its changes, where these are what positions were moved by but for normal impulses; None if not.

    rest: what is left of the corrections of positions without normal impulses.
    """
    run, c, h = step.run, step.c, step.h
    jump = step.after - step.v
    made, changes = np.zeros(run.nv), np.zeros((run.nv, step.m))
    size = float(np.max(np.abs(rest)))
    for dofs in _trees(step):
        if np.max(np.abs(rest[dofs])) <= FITS * size:
            continue
        e = float(rest[dofs] @ jump[dofs] / (jump[dofs] @ jump[dofs]))
        if np.max(np.abs(rest[dofs] - e * jump[dofs])) > FITS * size:
            return None
        if not 0.0 < e < h:
            return None  # as early as the step: the limit of it
        known = [k for k in range(c.points) if _is_time(step, k, e)]
        if not known:
            return None
        k = known[0]
        J = step.J[k][0]
        came, after = -float(J @ step.v), float(J @ step.after)
        of_after = J @ step.moved + step.row_changes(k, step.after)[0]
        of_came = -(J @ step.dv + step.row_changes(k, step.v)[0])
        of_e = -(step.dgap[k] + step.dgap_end[k] + 0.5 * h * of_after + e * (of_came + of_after)) / (came + after)
        made[dofs] = e * jump[dofs]
        changes[dofs] = np.outer(jump[dofs], of_e) + e * (step.moved[dofs] - step.dv[dofs])
    return made, changes


def _is_time(step: StepChanges, k: int, e: float) -> bool:
    """Whether an impact at block k was earlier by e."""
    came, after = -float(step.J[k][0] @ step.v), float(step.J[k][0] @ step.after)
    end = step.gap[k] + step.gap_end[k] + 0.5 * step.h * after
    if step.c.p[k, 0] <= 0.0 or came <= step.run.slow * step.h or -end <= OVERLAP:
        return False
    return abs(-end / (came + after) - e) <= FITS * e


def _trees(step: StepChanges) -> list[Ints]:
    """Rates of each tree of bodies."""
    contacts = step.run.of.contacts
    first = contacts.tree_first
    return [contacts.tree_dofs[first[t] : first[t + 1]] for t in range(len(first) - 1) if first[t + 1] > first[t]]
