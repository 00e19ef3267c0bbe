"""Accelerations and reactions where all forces are known: those of contacts, closures and joint friction laws were kept
by a run.

Nothing is solved for: one recursion from the bodies inward,

    F_B = I_B A_B + V_B x* I_B V_B - (force elements, closures, contacts on B) + sum over its children F_C,     (1)

with the accelerations a that the run has had. For a step of time stepping, a and all forces are means over the step
(`integrate.moreau.step_record`), and (1) is its balance of impulses.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.contact.collide.geometry import push_body, rotate_body
from duoti.dynamics.loops.residual import balance, put_loads
from duoti.dynamics.tree.kinematics import accelerations, velocities
from duoti.dynamics.tree.reactions import closing_wrench, constraint_wrenches
from duoti.dynamics.workspace import new_workspace
from duoti.elements.joint_friction_memory import JOINT_FRICTION_CONTEXT
from duoti.elements.markers import write_acceleration, write_frame
from duoti.kernel import cold_kernel, part, unpack
from duoti.results.evaluate.observe import ACCELERATIONS, FRAMES, REACTIONS, Observation
from duoti.spatial.algebra import ZERO3, get3
from duoti.system.arrays import Ints, Reals
from duoti.system.context import REAL_CONTEXT
from duoti.system.system import System


class Given(NamedTuple):
    """What is known at each of n instants."""

    t: Reals
    y: Reals
    """[n, ny] whole states."""
    a: Reals
    """[n, nv] accelerations."""
    multipliers: Reals
    """[n, equations of closures]"""
    jf: Reals
    """[n, slots, 6] generalised forces of joint friction laws (three), loads, bounds of sliding and of rest."""
    bodies: tuple[str, ...]
    """Names of the bodies that contacts push,"""
    push: Reals
    """[n, bodies, 6] and torque and force on each: about the origin of the world, world axes."""


@part
def _put_joint_friction(w, given):
    """Forces of joint friction laws, for the force elements to read."""
    (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
    for s in range(jf.count):
        for k in range(jf.size[s]):
            jf.x[s, k] = given[s, k]
        jf.load[s], jf.bound[s], jf.rest[s] = given[s, 3], given[s, 4], given[s, 5]


@cold_kernel("i d1 d2 d2 d2 d3 l1 d3 l1 d3 d3 d3 d3 d2")
def _observe_given(
    context, t, y, a, multipliers, jf, rows, push, markers, frames, frame_accelerations, wrenches, closing, left
):  # fmt: skip
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    nq, nv = tree.nq, tree.nv
    for n in range(t.shape[0]):
        w.clock[0] = t[n]
        for i in range(y.shape[1]):
            w.y[i] = y[n, i]
        for r in range(closures.rows):
            w.multipliers[r] = multipliers[n, r]
        for i in range(nv):
            w.ydot[nq + i] = a[n, i]
        if w.at[0].joint_friction != 0:
            _put_joint_friction(w, jf[n])
        put_loads(tree, loads, closures, w)
        for closure in range(closures.count):
            closing_wrench(loads, closures, w, closure, closing[n, closure])
        for k in range(rows.shape[0]):
            push_body(w, w.F_ext, rows[k], ZERO3, get3(push[n], k, 3))
            rotate_body(w, w.F_ext, rows[k], get3(push[n], k, 0))
        balance(tree, w)
        for i in range(nv):
            left[n, i] = w.a_free[i]
        constraint_wrenches(tree, w, wrenches[n])
        velocities(tree, w, y[n][nq : nq + nv])
        accelerations(tree, w, a[n])
        for m in range(markers.shape[0]):
            write_frame(loads, w, markers[m], frames[n, m])
            write_acceleration(loads, w, markers[m], frame_accelerations[n, m])


def observe_given(system: System, given: Given, markers: list[int] | None = None) -> tuple[Observation, Reals]:
    """As `observe` with FRAMES and REACTIONS, from known forces; and what (1) leaves over in each rate [n, nv].

    system: that of the run, or the same with a row for every body.
    """
    chosen: Ints = np.array(markers or [], dtype=np.int64)
    n, work = len(given.t), new_workspace(system, ydot=True)
    seen = Observation(system, n, chosen, np.zeros(0, np.int64), FRAMES | ACCELERATIONS | REACTIONS)
    seen.a[:], seen.multipliers[:] = given.a, given.multipliers
    rows: Any = np.array([system.bodies[name] for name in given.bodies], dtype=np.int64)
    left = np.zeros((n, system.nv))
    t, y, a, multipliers, jf, push = (
        np.array(each, dtype=float, order="C")
        for each in (given.t, given.y, given.a, given.multipliers, given.jf, given.push)
    )
    _observe_given(
        work.at[0].system, t, y, a, multipliers, jf, rows, push, chosen, seen.frames, seen.frame_accelerations,
        seen.wrenches, seen.closing, left,
    )  # fmt: skip
    return seen, left
