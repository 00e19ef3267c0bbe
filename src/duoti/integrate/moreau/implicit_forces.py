"""Forces that are implicit in a step of Moreau and Jean's method: springs and dampers far stiffer than the step.

With forces f at the mean of the velocities before and after the step, and at the positions that these lead to,

    A (v' - v) = h M a + G^T p,    A = M + h/2 C + h²/4 K                                                      (1)

where a are the accelerations in the middle of the step by its first velocities, and K, C the derivatives of all forces
there (`dynamics.derivatives.linearise`). Without contacts and with linear forces this is the implicit midpoint rule:
stable for any stiffness, of order 2, and without damping of its own. Works are those of the means.
"""

from __future__ import annotations

from duoti.contact.solve.block_matrix import invert
from duoti.integrate.moreau.step import MOREAU_CONTEXT
from duoti.kernel import call_entry, entry, unpack
from duoti.system.context import REAL_CONTEXT, TANGENT_CONTEXT


@entry
def implicit_matrix(address):
    """A and its inverse, transposed, in the matrix; memory.dv. After the rates in the middle of the step."""
    context, run, _, problem, memory, matrix, _ = unpack(address, MOREAU_CONTEXT)
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    tan, _ = unpack(w.at[0].tangent, TANGENT_CONTEXT)
    n, nq, h = tree.nv, tree.nq, run.clock[0].h
    call_entry(w.calls[0].linearise, w.at[0].system)
    run.counts[0].jacobians += 1
    for i in range(n):
        s = 0.0
        for j in range(n):
            A = tan.M[i, j] + 0.5 * h * tan.C[i, j] + 0.25 * h * h * tan.K[i, j]
            matrix.mass[i * n + j] = A
            matrix.inverse[j * n + i] = A
            s += tan.M[i, j] * run.K[0, nq + j]
        problem.x[i] = h * s
    if not invert(matrix.inverse, 0, n):
        for i in range(n):
            problem.x[i] = 1e300  # no step: the run ends with values that are not finite
    for i in range(n):
        s = 0.0
        for k in range(n):
            s += matrix.inverse[k * n + i] * problem.x[k]
        memory.dv[i] = s
    for i in range(n):
        problem.x[i] = 0.0
