"""Forward and backward sweeps over the steps of a run by time stepping.

With the derivatives of a step by what it begins with, x, and by the parameters p (`moreau_run`),

    dx' = X dx + Y dp   (forward, all parameters at once),    xbar := X^T xbar,   pbar += Y^T xbar   (backward)    (1)
"""

from __future__ import annotations

import numpy as np

from duoti.analyses.gradients.moreau_run import MoreauRun
from duoti.integrate.moreau.step import FAST
from duoti.system.arrays import Reals

SAME_TIME = 1e-9  # part of a step within which an output is its end


def forward_columns(run: MoreauRun, times: Reals | None) -> tuple[Reals, Reals, Reals, Reals]:
    """Times, values of the expressions and their derivatives there, and the errors of the initial state.

    Between steps they are those of the line through both ends, as outputs of the run are.
    """
    x, errors = run.begin()
    wanted = run.t if times is None else times
    values = np.zeros((len(wanted), run.visible))
    slopes = np.zeros((len(wanted), run.visible, len(run.family.names)))
    row = 0

    def at(t: float, y: Reals, x: Reals) -> tuple[Reals, Reals]:
        found, by_x, by_p = run.values(t, y)
        return found[: run.visible], (by_x @ x + by_p)[: run.visible]

    while row < len(wanted) and wanted[row] <= run.t[0]:
        values[row], slopes[row] = at(float(run.t[0]), run.y[0], x)
        row += 1
    for n in range(len(run.records)):
        begin, end = float(run.t[n]), float(run.t[n + 1])
        if row == len(wanted):
            break
        step = run.step(n)
        after = step.by_x @ x + step.by_p
        close = SAME_TIME * (end - begin)
        while row < len(wanted) and wanted[row] < end - close:
            theta = (float(wanted[row]) - begin) / (end - begin)
            values[row], slopes[row] = at(float(wanted[row]), *_between(run, n, theta, x, after))
            row += 1
        x = after
        while row < len(wanted) and wanted[row] <= end + close:
            values[row], slopes[row] = at(float(wanted[row]), run.y[n + 1], x)
            row += 1
    return wanted.copy(), values, slopes, errors


def _between(run: MoreauRun, n: int, theta: float, x: Reals, after: Reals) -> tuple[Reals, Reals]:
    """State and columns within a step (`moreau.step.moreau_polynomial`)."""
    c, nq, nv = run.records[n], run.nq, run.nv
    y, new = run.y[n].copy(), run.y[n + 1]
    v = slice(nq, nq + nv)
    jumps = float(np.max(np.abs(new[v] - y[v]), initial=0.0)) > FAST * c.smooth
    moves = np.ones(len(y), bool)
    moves[v] = not (jumps or c.overlaps)
    moves[:nq] = not c.overlaps
    of_x = np.concatenate([np.full(nv, not c.overlaps), moves[nq:], np.zeros(run.nz, bool)])
    y[moves] += theta * (new[moves] - y[moves])
    made = x.copy()
    made[of_x] += theta * (after[of_x] - x[of_x])
    return run.unit(y), made


def backward_columns(run: MoreauRun, integrals: Reals, finals: Reals) -> tuple[Reals, Reals, Reals]:
    """Values of weighted sums of expressions, their gradients, and the errors of the initial state.

    integrals, finals: [sums, expressions] as in `AdjointSweep`.
    """
    ends, by_x, by_p = run.values(float(run.t[-1]), run.y[-1])
    bar, p_bar, value = finals @ by_x, finals @ by_p, finals @ ends
    for n in reversed(range(len(run.records))):
        step = run.step(n)
        p_bar = p_bar + bar @ step.by_p + integrals @ step.extra_by_p
        bar = bar @ step.by_x + integrals @ step.extra_by_x
        value = value + integrals @ step.extra
    x, errors = run.begin()
    return value, p_bar + bar @ x, errors
