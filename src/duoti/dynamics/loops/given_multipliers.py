"""Accelerations where the multipliers are known: M a = f + G^T lambda.

Those of an implicit method satisfy this, but G a = gamma only up to the method's error: neither the closures' matrix
nor its singular positions matter here.
"""

from duoti.dynamics.loops.factors import factor_tree, solve_mass
from duoti.dynamics.tree.crba import packed_mass_matrix
from duoti.kernel import call_entry, entry, unpack
from duoti.system.context import REAL_CONTEXT


@entry
def given_multipliers_entry(context):
    """Entry: rates of v into w.ydot, in the state w.y at the time w.clock, for the multipliers w.multipliers.

    Leaves in w what `residual_entry` does; F_ext and tau hold what the closures do, too.
    """
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    nq, nv = tree.nq, tree.nv
    for i in range(nv):
        w.ydot[nq + i] = 0.0
    call_entry(w.calls[0].residual, w.at[0].system)  # without accelerations: h - f - G^T lambda
    packed_mass_matrix(tree, w)
    factor_tree(tree, w.M)
    solve_mass(tree, w.M, w.a_free)
    for i in range(nv):
        w.ydot[nq + i] = -w.a_free[i]
