"""Closures in units of their own, for the constraint methods with dense algebra.

Rates are measured in 1/sqrt(M_ii) and equations in the masses that they feel (`equation_scales`), so that pivots of
metres and radians can be compared:  G' = S G C,  M' = C M C,  a = C a',  lambda = S lambda'.
"""

from duoti.dynamics.loops.constrained import largest
from duoti.dynamics.loops.factors import factorise
from duoti.kernel import helper, part

# places in Work.dense and Work.vectors
QR, QR2, MASS, BASIS, PRODUCT, REDUCED = range(6)
BETA, BETA2, UNIT, X, Y, PARTICULAR, FORCE = range(7)
PIVOT = 1e-7  # pivots of G' below this are zero: redundant equations


@part
def scale_equations(tree, loads, closures, w, d):
    """M' in d.matrices[MASS], C in d.vectors[UNIT], S in w.scaling; M and D are factorised. Needs M, G."""
    M, unit = d.matrices[MASS], d.vectors[UNIT]
    for i in range(tree.nv):
        unit[i] = 1.0 / w.M[tree.M_row[i] + tree.depth[i]] ** 0.5
    for i in range(tree.nv):
        for j in range(tree.nv):
            M[i, j] = 0.0
    for i in range(tree.nv):
        last = i
        while last >= 0:
            shift = tree.M_row[i] + tree.depth[last] - last
            for j in range(tree.chain_first[last], last + 1):
                M[i, j] = w.M[shift + j] * unit[i] * unit[j]
                M[j, i] = M[i, j]
            last = tree.chain_parent[last]
    factorise(tree, loads, closures, w)


@part
def scale_jacobian(tree, closures, w, d):
    """G' in d.matrices[QR], its columns in the order d.order."""
    A, unit, x = d.matrices[QR], d.vectors[UNIT], w.dense_row
    for r in range(closures.rows):
        for i in range(tree.nv):
            x[i] = 0.0
        for k in range(closures.support[r], closures.support[r + 1]):
            x[closures.support_dofs[k]] = w.G[k]
        for j in range(tree.nv):
            i = d.order[j]
            A[r, j] = w.scaling[r] * x[i] * unit[i]


@helper
def pivot_tolerance(w):
    """Redundant equations contradict each other as much as the loops are open: such pivots are none."""
    return PIVOT + 10.0 * largest(w.g)
