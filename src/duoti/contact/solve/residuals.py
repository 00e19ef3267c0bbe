"""How well the laws of contact hold in a step: one residual for each condition, in units that can be judged.

    signorini    |min(u_n, W_nn p_n)|                0 <= p_n  ⟂  u_n >= 0                     [m/s]
    cone         max(0, |p_t| - mu p_n) / h          |p_t| <= mu p_n                           [N]
    dissipation  (mu p_n |u_t| + p_t . u_t) / h      friction takes all the power that it can  [W]

u are velocities after the step with restitution, W the Delassus matrix of the point alone. The third is not negative
within the cone, and zero if the point sticks, or if friction opposes the slip with all that it may be: Moreau's
principle of maximum dissipation.
"""

from __future__ import annotations

from duoti.kernel import helper, part

SIGNORINI, CONE_RESIDUAL, DISSIPATION = range(3)
NAMES = ("signorini", "cone", "dissipation")
WORST, TIME, ELEMENT = range(3)  # columns of the worst of a run


@helper
def residuals_of_point(problem, c, h):
    """The three residuals of a point of contact."""
    p, u, b = problem.p[c], problem.after[c], problem.b[c]
    un, u1, u2 = u[0] + b[0], u[1] + b[1], u[2] + b[2]
    signorini = abs(min(un, problem.W[c, 0, 0] * p[0]))
    if problem.size[c] == 1:
        return signorini, 0.0, 0.0
    bound, friction = problem.mu[c] * p[0], (p[1] * p[1] + p[2] * p[2]) ** 0.5
    slip = (u1 * u1 + u2 * u2) ** 0.5
    return signorini, max(0.0, friction - bound) / h, abs(bound * slip + p[1] * u1 + p[2] * u2) / h


@part
def put_residuals(contacts, problem, worst, h, time, columns, first, x):
    """The largest residuals of each element into its record x, `columns` an element, from `first` on.

    worst: those of the run so far, with the end of their step and their element, brought up to date.
    """
    for c in range(problem.counts[0].points):
        element = contacts.element[contacts.slot_pair[problem.slot[c]]]
        found = residuals_of_point(problem, c, h)
        for k in range(3):
            at = columns * element + first + k
            x[at] = max(x[at], found[k])
            if found[k] > worst[k, 0]:
                worst[k, 0], worst[k, 1], worst[k, 2] = found[k], time, 1.0 * element
