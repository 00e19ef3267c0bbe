"""Reaction wrenches of the joints of a tree.

The wrench through a joint (from the recursive Newton-Euler pass) consists of what constrains and what drives. The
driving part of a coordinate with generalised force tau is a pure torque tau about the axis if the coordinate turns, and
a pure force along it if it slides; what remains does no work on the joint's motion: H^T R = 0. A composite joint has
no such split (its axes may lie anyhow to each other): its reaction is the whole wrench, with what drives it.
"""

from __future__ import annotations

from duoti.kernel import part
from duoti.spatial.algebra import ZERO3, dot, get_spatial, scale, vsub


@part
def constraint_wrenches(tree, w, R):
    """R[b] = reaction of the inboard joint on body b, at its origin and in its frame. Needs inverse_dynamics."""
    for b in range(1, tree.nb):
        wrench = get_spatial(w.F, b)
        driven = tree.dof[b] if tree.composite[b] == 0 else 0
        for i in range(tree.iv[b], tree.iv[b] + driven):
            H = get_spatial(w.H, i)
            turning, sliding = dot(H[0], H[0]), dot(H[1], H[1])
            if tree.turns[i] == 1:
                wrench = vsub(wrench, (scale(w.tau[i] / turning, H[0]), ZERO3))
            else:
                wrench = vsub(wrench, (ZERO3, scale(w.tau[i] / sliding, H[1])))
        for k in range(3):
            R[b, k], R[b, k + 3] = wrench[0][k], wrench[1][k]
