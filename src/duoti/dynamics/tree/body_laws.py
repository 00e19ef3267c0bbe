"""Body laws: what bodies that are not rigid add to the recursions.

A rigid body is ten numbers (`Tree.inertia`), which the recursions use themselves: F = I A + V x* I V, kinetic energy
V . I V / 2 and so on. A body with another law (`Tree.body_law`) may also have these, for its shape of reference; all
that they lack is added by the entry of its law, which is called for each such body, in each sweep that needs it. Its
own coordinates are those that its row owns (with columns of zeros: the row's frame does not move with them), and it
reads them from w.y and w.ydot. What it has to add, and where:

    WRENCH       to w.F[b] (about the row's origin, in its axes) and to the forces of its coordinates, w.body_tau;
                 it finds twist and acceleration less gravity of the row in w.V[b] and w.A[b]
    INERTIA      to w.I_R[b], the ten numbers in the present shape, in the frame of w.X_RB[b]
    MASS_MATRIX  to w.M, the entries of its own coordinates, with each other and with those of the columns inward
    ENERGY       to w.body_sums[0], kinetic energy with the twist w.V[b]
    GRAVITY      to w.body_sums[1], potential energy of gravity in the pose w.X_WB[b]
    MOMENTUM     to w.body_sums[2:12]: momentum (angular about the world's origin, linear), mass, first moment, world
    KINEMATICS   nothing: it writes X_PB, H and c of the rows of its interfaces, after all joints
    ELASTIC      to w.tau and w.powers, what the body's elasticity and damping do
    OUTWARD      to tan.I_W[b], Q_W[b] and F_W[b] of `dynamics.derivatives.rnea`; for the row of an interface, it writes
                 tan.A_W[b] and what tan.columns and tan.Psi say about its columns
    DERIVATIVES  to tan.K, C and M, the rows and columns of its coordinates, inertial forces only
    EXTERNAL     to tan.K and C, what elasticity, damping, and wrenches from outside on moving interfaces do

A tree of rigid bodies (`Tree.flexible` = 0) pays one comparison a sweep. Forward dynamics takes the mass matrix, or,
where that is faster, an articulated-body algorithm that knows flexible bodies (`dynamics.flexible.aba`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from duoti.kernel import call_entry, helper, part

RIGID = 0
WRENCH, INERTIA, MASS_MATRIX, ENERGY, GRAVITY, MOMENTUM = (np.int64(k) for k in range(6))
KINEMATICS, ELASTIC, OUTWARD, DERIVATIVES, EXTERNAL = (np.int64(k) for k in range(6, 11))

BODY_LAWS: dict[int, Any] = {}
"""Entries of the laws by their codes in `Tree.body_law`; rigid bodies need none."""


@helper
def call_body(w, b, task):
    """Call the law of one such body."""
    w.body_task[0], w.body_task[1] = b, task
    call_entry(w.body_entry[b], w.at[0].system)


@part
def call_bodies(tree, w, task):
    """Call the laws of all bodies that are not rigid."""
    for b in range(1, tree.nb):
        if tree.body_law[b] != RIGID:
            call_body(w, b, task)


@part
def put_motion(x, values):
    """Leave coordinates, rates or accelerations where the laws of bodies find them."""
    for i in range(values.shape[0]):
        x[i] = values[i]
