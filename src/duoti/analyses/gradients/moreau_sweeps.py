"""The sweep over the steps of a run by time stepping: columns of all parameters are carried along (`moreau_step`).

Most of the work of a step is that of its contact problem and does not depend on how many columns there are, so that
gradients of one number are made of them too.
"""

from __future__ import annotations

import numpy as np

from duoti.analyses.gradients.moreau_run import MoreauRun
from duoti.analyses.gradients.moreau_step import Columns
from duoti.integrate.moreau.step import FAST
from duoti.system.arrays import Reals

SEEN = 1e-6  # part of the largest derivative by the state above which a direction is seen
SAME_TIME = 1e-9  # part of a step within which an output is its end


class MoreauSweep:
    """Columns of a run, step by step; `x` are those of the present step's beginning."""

    def __init__(self, run: MoreauRun):
        self.run, self.count = run, len(run.whole.names)
        self.x, self.errors = run.begin()
        self.loose = self.x.of(slice(0, 0))  # directions in which the state is not unique ...
        self.since = (0, 0)  # ... the last step that had some, and their block
        self.integrals = np.zeros(run.extra)

    def step(self, n: int) -> None:
        """Go over a step."""
        done = self.run.step(n, self.x.beside(self.loose))
        if done.unknown.v.shape[1]:
            self.since = (n, done.named)
        self.x = done.made.of(slice(0, self.count))
        self.loose = _span(done.made.of(slice(self.count, None)).beside(done.unknown))
        self.integrals += done.integrals

    def values(self, t: float, y: Reals, x: Columns) -> tuple[Reals, Reals]:
        """Values of all expressions in a state, and their derivatives by the parameters."""
        found, by_state, by_p = self.run.values(t, y)
        return found, by_state @ np.vstack(x[:3]) + by_p

    def require_unique(self, changes: Reals, size: Reals) -> None:
        """Raise if changes [numbers, directions] along directions that are not unique are more than nothing."""
        if np.any(np.abs(changes) > SEEN * size[:, None]):
            raise self.run.not_unique(*self.since)

    def seen(self, t: float, y: Reals) -> tuple[Reals, Reals]:
        """Changes of the expressions along directions that are not unique, and what these are measured by."""
        _, by_state, _ = self.run.values(t, y)
        return by_state @ np.vstack(self.loose[:3]), np.max(np.abs(by_state), axis=1, initial=0.0)


def forward_columns(run: MoreauRun, times: Reals | None) -> tuple[Reals, Reals, Reals, Reals]:
    """Times, values of the visible expressions and their derivatives there, and the errors of the initial state.

    Between steps they are those of the line through both ends, as outputs of the run are.
    """
    wanted, shown = run.t if times is None else times, slice(0, run.visible)
    values = np.zeros((len(wanted), run.visible))
    slopes = np.zeros((len(wanted), run.visible, len(run.whole.names)))
    sweep, row = MoreauSweep(run), 0

    def note(t: float, y: Reals, x: Columns) -> None:
        found, slope = sweep.values(t, y, x)
        values[row], slopes[row] = found[shown], slope[shown]
        if sweep.loose.v.shape[1]:
            changes, size = sweep.seen(t, y)
            sweep.require_unique(changes[shown], size[shown])

    while row < len(wanted) and wanted[row] <= run.t[0]:
        note(float(run.t[0]), run.y[0], sweep.x)
        row += 1
    for n in range(len(run.records)):
        if row == len(wanted):
            break
        begin, end, before = float(run.t[n]), float(run.t[n + 1]), sweep.x
        sweep.step(n)
        close = SAME_TIME * (end - begin)
        while row < len(wanted) and wanted[row] < end - close:
            theta = (float(wanted[row]) - begin) / (end - begin)
            note(float(wanted[row]), *_between(run, n, theta, before, sweep.x))
            row += 1
        while row < len(wanted) and wanted[row] <= end + close:
            note(float(wanted[row]), run.y[n + 1], sweep.x)
            row += 1
    return wanted.copy(), values, slopes, np.maximum(sweep.errors, run.errors)


def gradient_columns(run: MoreauRun, integrals: Reals, finals: Reals) -> tuple[Reals, Reals, Reals]:
    """Values of weighted sums of expressions, their gradients, and the errors of the initial state.

    integrals, finals: [sums, expressions] as in `AdjointSweep`.
    """
    sweep = MoreauSweep(run)
    for n in range(len(run.records)):
        sweep.step(n)
    t, y = float(run.t[-1]), run.y[-1]
    ends, slopes = sweep.values(t, y, sweep.x)
    if sweep.loose.v.shape[1]:
        changes, size = sweep.seen(t, y)
        whole = integrals @ sweep.loose.extra + finals @ changes
        sweep.require_unique(whole, np.abs(integrals) @ np.full(run.extra, t - float(run.t[0])) + np.abs(finals) @ size)
    value = integrals @ sweep.integrals + finals @ ends
    return value, integrals @ sweep.x.extra + finals @ slopes, np.maximum(sweep.errors, run.errors)


def _span(columns: Columns) -> Columns:
    """Unit columns with the same span."""
    if not columns.v.shape[1]:
        return columns
    sizes = np.cumsum([len(each) for each in columns])[:-1]
    U, s, _ = np.linalg.svd(np.vstack(columns), full_matrices=False)
    return Columns(*np.split(U[:, s > SEEN * s[0]], sizes))


def _between(run: MoreauRun, n: int, theta: float, x: Columns, after: Columns) -> tuple[Reals, Columns]:
    """State and columns within a step (`moreau.step.moreau_polynomial`)."""
    c, nq = run.records[n], run.nq
    v = slice(nq, nq + run.nv)
    y, new = run.y[n].copy(), run.y[n + 1]
    held = float(np.max(np.abs(new[v] - y[v]), initial=0.0)) > FAST * c.smooth or c.overlaps
    moves = np.ones(len(y), bool)
    moves[v], moves[:nq] = not held, not c.overlaps
    y[moves] += theta * (new[moves] - y[moves])
    of_q, of_v = 0.0 if c.overlaps else theta, 0.0 if held else theta
    parts = (of_q, of_v, theta, theta, theta)
    made = Columns(*((1.0 - part) * a + part * b for part, a, b in zip(parts, x, after, strict=True)))
    if run.system.tree.quat_q.size:  # their four numbers are on a line
        ends = [run.coordinates(each[:nq], each[v])[0] for each in (run.y[n], new)]
        dq = (1.0 - of_q) * ends[0] @ x.delta + of_q * ends[1] @ after.delta
        made = made._replace(delta=run.coordinates(y[:nq], y[v])[1] @ dq)
    return run.unit(y), made
