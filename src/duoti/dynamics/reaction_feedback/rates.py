"""Entries around those of the dynamics, for systems whose laws read reactions or multipliers.

The reactions R of a state follow from its accelerations and multipliers by one pass of the recursive Newton-Euler
algorithm, and forces may depend on the numbers p that laws read for them:

    F(p) = R(p) - p = 0                                                                                     (1)

(1) is solved in each evaluation, by Broyden's method (Broyden 1965) from p = R on: one evaluation if no force depends
on p, three for a force that is affine in one p. Nothing is kept from one evaluation for the next, so that a resumed run
goes the same way bit by bit. In the residuals of the implicit solvers, p is likewise that of the state alone, not of
the accelerations of their iteration: these are far off at first, and no step is so short that they would be nearer.
Their iteration matrix leaves out how p depends on the state, which costs iterations and nothing of the result.
"""

import math

from duoti.dynamics.reaction_feedback.installation import CLOSING, FEEDBACK_CONTEXT, MULTIPLIER
from duoti.dynamics.tree.reactions import closing_wrench, constraint_wrenches
from duoti.dynamics.tree.states import call_states
from duoti.elements.markers import marker_point
from duoti.kernel import call_entry, entry, part, unpack
from duoti.spatial.algebra import add, cross, get3, get9, mul, scale, sub
from duoti.system.context import REAL_CONTEXT

ITERATIONS = 60
# |F| relative to the wrench that a number is a part of: some round-offs of a Newton-Euler pass
FEEDBACK_CONVERGED = 1e-12
NEARLY_CONVERGED = 1e-8  # the same, from where on it is a solution: round-off may keep it from the end


@part
def read_feedback(tree, loads, closures, w, me):
    """me.value: reactions and multipliers of the evaluation that w holds; needs an entry RESIDUAL."""
    constraint_wrenches(tree, w, me.wrench)
    largest = 0.0
    for r in range(closures.rows):
        largest = max(largest, abs(w.multipliers[r]))
    for i in range(me.count):
        k = me.index[i]
        if me.kind[i] == MULTIPLIER:
            me.value[i], me.size[i] = w.multipliers[k], largest
            continue
        if me.kind[i] == CLOSING:
            closing_wrench(loads, closures, w, k, me.closing)
        else:
            _joint_wrench(tree, loads, w, me, i, me.closing)
        me.value[i], me.size[i] = me.closing[me.component[i]], 0.0
        for c in range(6):
            me.size[i] = max(me.size[i], abs(me.closing[c]))


@part
def _joint_wrench(tree, loads, w, me, i, out):
    """Reaction of a joint of the tree on the user's child, about the joint's frame there, in world axes."""
    b = me.index[i]
    R_WB = get9(w.X_WB, b, 0)
    torque, force = mul(R_WB, get3(me.wrench, b, 0)), mul(R_WB, get3(me.wrench, b, 3))
    if tree.reverse[b] == 1:  # B is the user's parent, and the wrench on it acts at the joint's frame there
        p_child, _ = marker_point(loads, w, me.markers[i, 0])
        p_parent, _ = marker_point(loads, w, me.markers[i, 1])
        torque, force = scale(-1.0, torque), scale(-1.0, force)
        torque = add(torque, cross(sub(p_parent, p_child), force))
    for c in range(3):
        out[c], out[3 + c] = torque[c], force[c]


@part
def _evaluate(tree, loads, closures, w, me):
    """Accelerations for the numbers p in w.y, and what is left of (1); returns 1 if (1) is solved, -1 if undefined."""
    call_entry(me.calls[0].ydot, w.at[0].system)
    call_entry(me.calls[0].plain_residual, w.at[0].system)
    read_feedback(tree, loads, closures, w, me)
    converged = 1
    for i in range(me.count):
        left = me.value[i] - w.y[me.place[i]]
        me.left[0, i] = left
        if left != left:
            return -1
        if abs(left) > FEEDBACK_CONVERGED * me.size[i]:
            converged = 0
    return converged


@part
def _begin(me):
    """As if R did not depend on p: dF/dp = -1."""
    for i in range(me.count):
        for j in range(me.count):
            me.inverse[i, j] = -1.0 if i == j else 0.0


@part
def _broyden_update(me):
    """Broyden's formula: the inverse of dF/dp that explains the last change of F by the last change of p."""
    m, below = me.count, 0.0
    for i in range(m):
        me.product[0, i] = me.product[1, i] = 0.0
        for j in range(m):
            me.product[0, i] += me.inverse[i, j] * (me.left[0, j] - me.left[1, j])
            me.product[1, i] += me.change[j] * me.inverse[j, i]
    for i in range(m):
        below += me.change[i] * me.product[0, i]
    if below == 0.0:
        return
    for i in range(m):
        for j in range(m):
            me.inverse[i, j] += (me.change[i] - me.product[0, i]) * me.product[1, j] / below


@part
def _correct(w, me):
    """p by Newton's formula."""
    for i in range(me.count):
        change = 0.0
        for j in range(me.count):
            change -= me.inverse[i, j] * me.left[0, j]
        me.change[i] = change
        w.y[me.place[i]] += change
    for i in range(me.count):
        me.left[1, i] = me.left[0, i]


@part
def _solve(tree, loads, closures, w, me):
    """Solve (1); returns 0, or 1 + the number of what was not found."""
    _begin(me)
    for n in range(ITERATIONS):
        state = _evaluate(tree, loads, closures, w, me)
        if state != 0:
            return 0  # settled, or undefined: the accelerations say so themselves
        if n > 0:
            _broyden_update(me)
        if n < ITERATIONS - 1:
            _correct(w, me)
    for i in range(me.count):
        if not abs(me.left[0, i]) <= NEARLY_CONVERGED * me.size[i]:
            return 1 + i
    return 0


@part
def _measure(tree, loads, closures, w, me):
    """The fed-back numbers in w.y, and the rates w.ydot that belong to them."""
    for i in range(me.count):
        if not abs(w.y[me.place[i]]) < math.inf:
            w.y[me.place[i]] = 0.0
    me.unsolved[0] = 0
    if me.fed == 1:
        me.unsolved[0] = _solve(tree, loads, closures, w, me)
    else:
        _evaluate(tree, loads, closures, w, me)
        for i in range(me.count):
            w.y[me.place[i]] = me.value[i]
        call_states(tree, w)
    for i in range(me.count):
        w.ydot[me.place[i]] = 0.0
    if me.unsolved[0] > 0:
        w.ydot[me.place[me.unsolved[0] - 1]] = math.nan


@entry
def feedback_ydot_entry(context):
    """Entry YDOT: w.ydot, the derivatives of the state w.y at the time w.clock, and in w.y the fed-back numbers."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    (me,) = unpack(w.at[0].reaction_feedback, FEEDBACK_CONTEXT)
    _measure(tree, loads, closures, w, me)


@entry
def feedback_residual_entry(context):
    """Entry RESIDUAL for the accelerations in w.ydot and the multipliers given, with the numbers of the state."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    (me,) = unpack(w.at[0].reaction_feedback, FEEDBACK_CONTEXT)
    nq = tree.nq
    for i in range(tree.nv):
        me.given_a[i] = w.ydot[nq + i]
    for r in range(closures.rows):
        me.given_multipliers[r] = w.multipliers[r]
    _measure(tree, loads, closures, w, me)
    for i in range(tree.nv):
        w.ydot[nq + i] = me.given_a[i]
    for r in range(closures.rows):
        w.multipliers[r] = me.given_multipliers[r]
    call_entry(me.calls[0].residual, w.at[0].system)
    for i in range(me.count):  # nothing is left for the solver to find
        w.ydot[me.place[i]] = math.nan if me.unsolved[0] == 1 + i else 0.0


@entry
def feedback_values_entry(context):
    """Entry: me.value for the accelerations in w.ydot and the multipliers in w."""
    tree, loads, closures, w = unpack(context, REAL_CONTEXT)
    (me,) = unpack(w.at[0].reaction_feedback, FEEDBACK_CONTEXT)
    call_entry(me.calls[0].plain_residual, w.at[0].system)
    read_feedback(tree, loads, closures, w, me)


@entry
def feedback_events_entry(context):
    """Entry EVENTS: with the numbers that belong to the state."""
    _, _, _, w = unpack(context, REAL_CONTEXT)
    (me,) = unpack(w.at[0].reaction_feedback, FEEDBACK_CONTEXT)
    call_entry(w.calls[0].ydot, w.at[0].system)
    call_entry(me.calls[0].events, w.at[0].system)


@entry
def feedback_algebraic_entry(context):
    """Entry ALGEBRAIC: the fed-back numbers in w.y that belong to q, v and the other z."""
    _, _, _, w = unpack(context, REAL_CONTEXT)
    (me,) = unpack(w.at[0].reaction_feedback, FEEDBACK_CONTEXT)
    call_entry(w.calls[0].ydot, w.at[0].system)
    last = w.algebra.shape[1] - 2  # see `states.algebraic_entry`
    for i in range(me.count):
        w.algebra[i, last] = 1.0 if me.unsolved[0] == 1 + i else 0.0
