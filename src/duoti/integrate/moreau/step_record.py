"""What a step of Moreau and Jean's method does to joints and drives, kept beside the state.

The method balances impulses in the middle of the step, with the rates v before and v' after it:

    M (v' - v) = h f(q_m, v, t + h/2) + G^T Lambda + P + sum J^T p                                             (1)

f: force elements, gravity and inertia; Lambda: impulses of cut joints and constraints; P: of friction and stops in
joints; p: of contacts. Divided by h these are forces, means over the step, impacts included. All that passes through
the joints follows from them by one recursion (`results.evaluate.time_stepping_contacts`), when someone asks for it:
the record has q_m, v, (v' - v) / h, Lambda / h, P / h, and what contacts do to each body.

The rates are evaluated without P and p, so that their share of Lambda is missing there, with the work that prescribed
motions do by it; `add_impulses` finds it: G M^-1 G^T Lambda = -G M^-1 (P + sum J^T p), since rates obey G before.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

import numpy as np

from duoti.contact.build import ContactSet
from duoti.dynamics.loops.constrained import solve_closures
from duoti.dynamics.loops.factors import solve_mass
from duoti.dynamics.tree.energy import gravity_energy
from duoti.dynamics.tree.forward import call_forces
from duoti.dynamics.tree.kinematics import poses_and_velocities, velocities
from duoti.elements.joint_friction_memory import COULOMB, JOINT_FRICTION_CONTEXT, STOP
from duoti.integrate.record import (
    ACCELERATION,
    JOINT_FRICTION_FORCES,
    MIDDLE,
    PUSH,
    RecordLayout,
    record_of_contacts,
    record_of_steps,
)
from duoti.kernel import helper, part, unpack
from duoti.model.elements import GROUND
from duoti.model.forces.joint_friction import STEADY
from duoti.model.joints.free import Free
from duoti.spatial.algebra import add, cross, get3, scale, sub
from duoti.system.system import System

WHOLE = 5  # in StepRecord.places: 1 if more than accelerations is kept
MULTIPLIERS_CONVERGED = 1e-12  # relative change of multipliers that ends their iteration


class StepRecord(NamedTuple):
    """Arrays of a run."""

    touched: Any  # [shapes] which of the rows that touch each is on, -1: ground
    row: Any  # [rows that touch] of bodies; flexible ones have several
    push: Any  # [rows that touch, 6] impulses of contacts on each about the origin of the world, world axes
    multipliers: Any  # [equations of closures] means over the step
    x: Any  # [nv] scratch
    q: Any  # [nq] where a step would end without corrections of positions
    powers: Any  # [2] supplied and dissipated
    places: Any  # [6] first columns in the record: multipliers, middle, acceleration, joint friction, pushes; 1: all


def example_step_record() -> StepRecord:
    """Accounts of no use but for their types."""
    none = np.zeros(1, np.int64)
    return StepRecord(none, none, np.zeros((1, 6)), np.zeros(1), np.zeros(1), np.zeros(1), np.zeros(2), none)


def new_step_record(system: System, of: ContactSet) -> tuple[StepRecord, RecordLayout]:
    """Zeros, and the layout of the record; a system of free bodies alone has no reactions, and keeps only rates."""
    contacts, layout, places = of.contacts, record_of_contacts(system), np.zeros(6, np.int64)
    sides = [(name, int(row)) for name, row in zip(of.shape_bodies, contacts.shape_body, strict=True)]
    touching = sorted({side for side in sides if side[0] != GROUND})
    number = {side: k for k, side in enumerate(touching)}
    if contacts.slots:
        joints = system.model.joints.values()
        whole = bool(system.closures.rows) or any(not isinstance(each.joint, Free) for each in joints)
        rows = Counter(name for name, _ in touching)
        multipliers = layout.size
        layout = RecordLayout((*layout.blocks, *record_of_steps(system, rows if whole else None)))
        places[:] = [
            multipliers,
            *(_first(layout, each) for each in (MIDDLE, ACCELERATION, JOINT_FRICTION_FORCES, PUSH)),
            whole,
        ]
    step_record = StepRecord(
        np.array([number.get(side, -1) for side in sides], np.int64),
        np.array([row for _, row in touching], np.int64),
        np.zeros((len(touching), 6)),
        np.zeros(system.closures.rows),
        np.zeros(system.nv),
        np.zeros(system.nq),
        np.zeros(2),
        places,
    )
    return step_record, layout


def _first(layout: RecordLayout, name: str) -> int:
    """First column of the blocks of a name."""
    return min((columns.start for columns in layout.columns_of(name).values()), default=layout.size)


@helper
def keep_smooth(closures, w, step_record):
    """Keep multipliers and powers in the middle of the step, at the velocities before it: both are without contacts."""
    step_record.powers[0], step_record.powers[1] = w.powers[1], w.powers[2]
    for r in range(closures.rows):
        step_record.multipliers[r] = w.multipliers[r]
        step_record.powers[0] -= w.multipliers[r] * w.values[r, 1]  # of prescribed motions


@part
def correct_powers(tree, loads, w, step_record, t, h, middle, way):
    """step_record.powers: what powers of force elements lack, to be those of their forces f(v) at the mean rates u.

    f(v) u is what a step does with them. h u = h/2 v + way: from the beginning of the step to its end, without what
    corrects positions. Power that is supplied is mostly linear in the rates, p(v) = f v, and right at u. What dampers
    take, v D v, is taken half at v and half at u: v D u + 1/2 (u - v) D (u - v).
    """
    nq, x = tree.nq, step_record.x
    steady = 0.0  # torques beside friction: linear in the rates
    for i in range(tree.nv):
        x[i] = 0.5 * middle[nq + i] + way[i] / h
    if w.at[0].joint_friction != 0:
        (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
        for s in range(jf.count):
            if jf.kind[s] == COULOMB or jf.kind[s] == STOP:  # impulses, whose work is counted
                for k in range(jf.size[s]):
                    jf.x[s, k] = 0.0
            if jf.kind[s] == COULOMB:
                steady += loads.forces.reals[jf.force[s], STEADY] * (x[jf.first[s]] - middle[nq + jf.first[s]])
    velocities(tree, w, x)
    call_forces(tree, loads, w, t, middle[:nq], x)
    step_record.powers[0], step_record.powers[1] = (
        w.powers[1] - step_record.powers[0],
        0.5 * (w.powers[2] - step_record.powers[1] - steady),
    )


@part
def supplied_by_correction(tree, loads, w, step_record, t, h, middle, way):
    """Work that force elements supply along a correction of positions, from h/2 v' to `way`, which is no motion [J].

    Needs `correct_powers`, after which w.powers are those without it.
    """
    without, x = w.powers[1], step_record.x
    for i in range(tree.nv):
        x[i] = 0.5 * middle[tree.nq + i] + way[i] / h
    velocities(tree, w, x)
    call_forces(tree, loads, w, t, middle[: tree.nq], x)
    return h * (w.powers[1] - without)


@part
def potential(tree, loads, w, t, q, v):
    """Potential energy of gravity and of force elements at q [J]; what w holds is that state afterwards."""
    poses_and_velocities(tree, w, q, v)
    w.wanted[0].energies = 1
    call_forces(tree, loads, w, t, q, v)
    w.wanted[0].energies = 0
    return gravity_energy(tree, w) + w.powers[0]


@part
def find_pushes(contacts, cw, problem, memory, step_record):
    """step_record.push: the impulses of contacts on each body."""
    push = step_record.push
    for k in range(push.shape[0]):
        for i in range(6):
            push[k, i] = 0.0
    for c in range(problem.counts[0].points):
        if problem.p[c, 0] <= 0.0:
            continue
        s = problem.slot[c]
        p = scale(problem.p[c, 0], get3(cw.frame, s, 0))
        if problem.size[c] == 3:
            p = add(p, scale(problem.p[c, 1], get3(cw.frame, s, 3)))
            p = add(p, scale(problem.p[c, 2], get3(cw.frame, s, 6)))
        p = add(p, get3(memory.beside, s, 0))
        m = add(get3(memory.beside, s, 3), cross(get3(cw.point, s, 0), p))
        for side in range(2):
            k = step_record.touched[contacts.pair_shapes[contacts.slot_pair[s], side]]
            sign = 2.0 * side - 1.0
            if k >= 0:
                for i in range(3):
                    push[k, i] += sign * m[i]
                    push[k, 3 + i] += sign * p[i]


@part
def add_impulses(tree, closures, w, step_record, h):
    """step_record.multipliers += what contacts, and friction and stops of joints, ask of closures; returns the work
    that prescribed motions do by it. Needs the columns S_W and the factors of the middle of the step."""
    x, push = step_record.x, step_record.push
    centre = get3(w.X_WB, 1, 9)
    for i in range(tree.nv):
        x[i] = 0.0
    for k in range(push.shape[0]):
        force = get3(push, k, 3)
        m, b = sub(get3(push, k, 0), cross(centre, force)), step_record.row[k]
        while b > 0:
            for i in range(tree.first[b], tree.first[b + 1]):
                S = w.S_W
                x[tree.rate[i]] += S[0, i] * m[0] + S[1, i] * m[1] + S[2, i] * m[2]
                x[tree.rate[i]] += S[3, i] * force[0] + S[4, i] * force[1] + S[5, i] * force[2]
            b = tree.parent[b]
    if w.at[0].joint_friction != 0:
        (jf,) = unpack(w.at[0].joint_friction, JOINT_FRICTION_CONTEXT)
        n = 0
        for s in range(jf.count):
            for k in range(jf.size[s]):
                x[jf.first[s] + k] += jf.impulse[n]
                n += 1
    solve_mass(tree, w.M, x)
    for r in range(closures.rows):
        w.rhs[r] = 0.0
        for k in range(closures.support[r], closures.support[r + 1]):
            w.rhs[r] -= w.G[k] * x[closures.support_dofs[k]]
    solve_closures(tree, closures, w, w.rhs, w.a_free, MULTIPLIERS_CONVERGED)
    work = 0.0
    for r in range(closures.rows):
        step_record.multipliers[r] += w.multipliers[r] / h
        work += w.multipliers[r] * w.values[r, 1]
    return work


@part
def keep_step(step_record, jf, n, t, h, middle, v, after, x):
    """Write (1) into the record x; middle: the state at which forces were taken, n numbers; after: v'.

    jf: address of the memory of joint friction, 0: none.
    """
    places = step_record.places
    for i in range(after.shape[0]):
        x[places[2] + i] = (after[i] - v[i]) / h
    if places[WHOLE] == 0:
        return
    for r in range(step_record.multipliers.shape[0]):
        x[places[0] + r] = step_record.multipliers[r]
    x[places[1]], x[places[1] + 1] = t + 0.5 * h, h
    for i in range(n):
        x[places[1] + 2 + i] = middle[i]
    if jf != 0:
        _keep_joint_friction(jf, h, x[places[3] :])
    for k in range(step_record.push.shape[0]):
        for i in range(6):
            x[places[4] + 6 * k + i] = step_record.push[k, i] / h


@part
def _keep_joint_friction(address, h, x):
    """Forces of each slot, its load, and its bounds of sliding and of rest."""
    (jf,) = unpack(address, JOINT_FRICTION_CONTEXT)
    n = 0
    for s in range(jf.count):
        kept = x[6 * s :]
        for k in range(3):
            kept[k] = 0.0
        for k in range(jf.size[s]):
            impulsive = jf.kind[s] == COULOMB or jf.kind[s] == STOP  # others are force elements like all
            kept[k] = jf.impulse[n] / h if impulsive else jf.x[s, k]
            n += 1
        kept[3], kept[4], kept[5] = jf.load[s], jf.bound[s], jf.rest[s]
