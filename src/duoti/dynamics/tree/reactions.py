"""Reaction wrenches of the joints of a tree, and of cut joints and constraints.

The wrench through a joint (from the recursive Newton-Euler pass) consists of what constrains and what drives. The
driving part of a coordinate with generalised force tau is a pure torque tau about the axis if the coordinate turns, and
a pure force along it if it slides; what remains does no work on the joint's motion: H^T R = 0. A composite joint has
no such split (its axes may lie anyhow to each other): its reaction is the whole wrench, with what drives it.
"""

from duoti.elements.markers import marker_point
from duoti.kernel import part
from duoti.spatial.algebra import ZERO3, add, cross, dot, get3, get_pose, get_spatial, mulT, scale, sub, vsub
from duoti.system.stages import need_reactions


@part
def constraint_wrenches(tree, w, R):
    """R[b] = reaction of the inboard joint on body b, at its origin and in its frame. Needs inverse_dynamics."""
    need_reactions(w)
    for b in range(1, tree.nb):
        wrench = get_spatial(w.F, b)
        arm = ZERO3  # from B's origin to the point on which a sliding coordinate's force acts: M's origin
        if tree.reverse[b] == 1:  # then B is the user's parent, and M the frame X_PF on the inboard body
            R_PB, p_PB = get_pose(w.X_PB, b)
            arm = mulT(R_PB, sub(get3(tree.X_PF, b, 9), p_PB))
        driven = tree.dof[b] if tree.composite[b] == 0 else 0  # the rates that the row owns have its first columns
        for n in range(driven):
            i, H = tree.iv[b] + n, get_spatial(w.H, tree.first[b] + n)
            if (tree.shared == 1 or tree.flexible > 0) and dot(H[0], H[0]) + dot(H[1], H[1]) == 0.0:
                continue  # a rate that moves other rows, or the inside of the body, but not the row's frame
            if tree.angular[i] == 1:
                wrench = vsub(wrench, (scale(w.tau[i] / dot(H[0], H[0]), H[0]), ZERO3))
            else:
                force = scale(w.tau[i] / dot(H[1], H[1]), H[1])
                wrench = vsub(wrench, (cross(arm, force), force))
        for k in range(3):
            R[b, k], R[b, k + 3] = wrench[0][k], wrench[1][k]


@part
def closing_wrench(loads, closures, w, closure, out):
    """Wrench of a cut joint on its child, about the origin of its frame there, in world axes."""
    centre = get3(w.X_WB, 1, 9)
    torque, force = ZERO3, ZERO3
    for r in range(closures.first[closure], closures.first[closure + 1]):
        if closures.terms[r + 1] > closures.terms[r]:
            continue  # an equation between coordinates
        torque = add(torque, scale(w.multipliers[r], get3(w.equation_wrench, r, 0)))
        force = add(force, scale(w.multipliers[r], get3(w.equation_wrench, r, 3)))
    p, _ = marker_point(loads, w, closures.markers[closure, 1])
    torque = sub(torque, cross(sub(p, centre), force))
    for i in range(3):
        out[i], out[3 + i] = torque[i], force[i]
