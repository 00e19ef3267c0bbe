"""Points of contact that go on along a rim or a round side, in derivatives of time stepping.

A step adds to the velocities of such a point what they will have changed by at its end
(`integrate.moreau.moving_points`):

    share (u - u_seen),   u = J(q_m) v,   u_seen = J(q_m of the step before) v                                     (1)

so that columns of u_seen are kept from step to step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from duoti.analyses.gradients.moreau_blocks import NoDerivativeError
from duoti.contact.collide.arrays import Contacts
from duoti.integrate.moreau.contact_problem import CLOSED
from duoti.integrate.moreau.moving_points import FOLLOWED
from duoti.integrate.moreau.row_derivatives import RowsAround
from duoti.model.pairs.base import HUGE
from duoti.model.pairs.supports import BALL, BOX, CAPSULE, CYLINDER, DISC, SMOOTH
from duoti.system.arrays import Reals

if TYPE_CHECKING:
    from duoti.analyses.gradients.moreau_run import MoreauRun
    from duoti.analyses.gradients.moreau_step import Columns, StepChanges

MARGIN = 1e-9  # m: of points that a step looks at


class Seen(NamedTuple):
    """A point at the end of a step."""

    step: int
    u: Reals  # [3]
    change: Reals  # [3, parameters]
    point: Reals
    normal: Reals


class MovingPoints:
    """What is known of such points of a run."""

    def __init__(self, run: MoreauRun):
        self.run = run
        contacts = run.of.contacts
        self.radius = np.array([_radius(contacts, pair) for pair in range(contacts.pairs)])
        self.any = bool(np.any(self.radius > 0.0))
        self.seen = dict[int, Seen]()

    def begin(self, x: Columns) -> None:
        """Points that are closed at the start."""
        self.seen.clear()
        if not self.any:
            return
        run, contacts = self.run, self.run.of.contacts
        q, v = run.y[0, : run.nq], run.y[0, run.nq : run.nq + run.nv]
        slots = np.flatnonzero(self.radius[contacts.slot_pair] > 0.0)
        h = run.solver.step
        at, (_, rows_p) = run.rows(q, slots, h), run.of_contacts.geometry(q, slots, h)
        for i, s in enumerate(slots.tolist()):
            u = at.J[i, :3] @ v
            if at.gap[i] <= CLOSED and abs(u[0]) <= run.slow * run.solver.step:
                change = np.einsum("rvd,dp,v->rp", at.slope[i, :3], x.delta, v) + at.J[i, :3] @ x.v
                change += np.einsum("rvp,v->rp", rows_p[i, :3], v)
                self.seen[s] = Seen(-1, u, change, at.point[i], at.frame[i, :3])

    def going_on(self, step: StepChanges, k: int, around: RowsAround, i: int) -> tuple[Reals, Reals] | None:
        """(1) of block k and its changes; None if there is nothing to add. i: the point's place in `around`."""
        s, pair = int(step.c.slot[k]), int(self.run.of.contacts.slot_pair[step.c.slot[k]])
        seen = self.seen.get(s)
        radius = self.radius[pair]
        if radius == 0.0 or seen is None or seen.step != step.n - 1:
            return None
        if np.linalg.norm(around.frame[i, :3] - seen.normal) > FOLLOWED or self._near(step, pair) > 2:
            return None
        far = float(np.linalg.norm(around.point[i] - seen.point)) / radius
        if far >= 2.0 * FOLLOWED:
            return None
        if far > FOLLOWED:
            raise NoDerivativeError(k, "goes on too far along its rim or round side in one step; take a shorter step")
        last = self.run.records[step.n - 1].h if step.n else 0.0
        share = step.h / (step.h + last)
        rows = range(len(step.J[k]))
        change = step.row_changes(k, step.v) + step.J[k] @ step.dv
        change[:, : step.count] -= seen.change[rows]
        return share * (step.J[k] @ step.v - seen.u[rows]), share * change

    def keep(self, step: StepChanges) -> None:
        """The points of a step at its end."""
        if not self.any:
            return
        self.seen.clear()
        contacts, at = self.run.of.contacts, step.around
        for k in range(step.c.points):
            s = int(step.c.slot[k])
            if at is None or self.radius[contacts.slot_pair[s]] == 0.0:
                continue
            u, change, i = np.zeros(3), np.zeros((3, step.count)), step.places[s]
            rows = range(len(step.J[k]))
            u[rows] = step.J[k] @ step.after
            change[rows] = (step.J[k] @ step.moved + step.row_changes(k, step.after))[:, : step.count]
            self.seen[s] = Seen(step.n, u, change, at.point[i], at.frame[i, :3])

    def _near(self, step: StepChanges, pair: int) -> int:
        """How many points of a pair are near."""
        run, contacts = self.run, self.run.of.contacts
        slots = np.arange(contacts.first[pair], contacts.first[pair + 1])
        if len(slots) <= 2:
            return len(slots)
        margin = 4.0 * step.h**2 * max(0.5 * run.slow, 1.0) + MARGIN
        return int(np.sum(run.rows(step.q, slots, step.h, derivatives=False).gap <= margin))


def _radius(contacts: Contacts, pair: int) -> float:
    """As `_radius` of `integrate.moreau.moving_points`."""
    found, other = 0.0, HUGE
    for shape in contacts.pair_shapes[pair].tolist():
        size = contacts.size[shape]
        if contacts.reach[shape] >= HUGE:
            continue
        if size[3] in (CYLINDER, DISC) or size[3] >= SMOOTH:
            found = size[0] if found == 0.0 else min(found, size[0])
        elif size[3] in (BALL, CAPSULE):
            other = size[0]
        elif size[3] == BOX:
            other = float(np.min(size[:3]))
    return float(min(found, other))
