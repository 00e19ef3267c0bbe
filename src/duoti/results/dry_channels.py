"""What can be seen of friction and stops in joints: it follows from the accelerations of each state."""

from __future__ import annotations

from typing import Any

import numpy as np

from duoti.dynamics.dry.installation import dry_of
from duoti.dynamics.workspace import add_given_multipliers, new_workspace
from duoti.kernel import run_entry
from duoti.model.dry import span_of
from duoti.model.elements import name_of
from duoti.model.forces.channels import Seen
from duoti.model.forces.joint_friction import JointFriction
from duoti.model.forces.joint_stop import JointStop
from duoti.system.arrays import Reals, Work
from duoti.system.system import System


def seen_dry(
    system: System, force: JointFriction | JointStop, t: Reals, y: Any, multipliers: Any, work: Work | None = None
) -> Seen:
    """Forces of an element with dry laws in its joint, loads and bounds, in the states y at the times t.

    work: with rigid contacts in their modes, if there are any.
    """
    work = new_workspace(system, rates=True) if work is None else work
    x = np.zeros((len(y), 0)) if multipliers is None else np.asarray(multipliers[0 : len(y)])
    if multipliers is not None:
        add_given_multipliers(work)
    first, count = span_of(system.model, force)
    rates = [int(i) for i in system.joints[name_of(force.joint)].v]  # pyright: ignore[reportArgumentType]
    forces, bounds = np.zeros((len(t), system.nv)), np.zeros((len(t), count, 3))
    if not count:
        return Seen(np.zeros((len(t), 0, 18)), np.zeros((len(t), 0, 6)), forces[:, rates], bounds)
    dry, context = dry_of(work), int(work.at[0].system)
    for n in range(len(t)):
        work.clock[0], work.y[:] = t[n], y[n]
        given = x.shape[1] > 0 and not np.isnan(x[n, 0])
        if given:
            work.multipliers[:] = x[n, : len(work.multipliers)]
        run_entry(int(work.calls[0].given_multipliers if given else work.calls[0].rates), context)
        for s in range(first, first + count):
            size, j = int(dry.size[s]), int(dry.first[s])
            forces[n, j : j + size] = dry.x[s, :size]
            bounds[n, s - first] = dry.load[s], dry.bound[s], dry.rest[s]
    return Seen(np.zeros((len(t), 0, 18)), np.zeros((len(t), 0, 6)), forces[:, rates], bounds)
