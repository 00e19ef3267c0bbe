"""Closures in units of their own, for the treatments with dense algebra.

Rates are measured in 1/sqrt(M_ii) and equations in the masses that they feel (`row_scales`), so that pivots of metres
and radians can be compared:  G' = S G C,  M' = C M C,  a = C a',  lambda = S lambda'.
"""

from __future__ import annotations

from duoti.dynamics.constrained import largest, row_scales, weigh
from duoti.kernel import helper, part

# places in Work.dense and Work.vectors
QR, QR2, MASS, BASIS, PRODUCT, REDUCED = range(6)
BETA, BETA2, UNIT, X, Y, PARTICULAR, FORCE = range(7)
PIVOT = 1e-7  # pivots of G' below this are zero: redundant equations


@part
def scale_equations(tree, loads, links, w, d):
    """M' in d.matrices[MASS], C in d.vectors[UNIT], S in w.scaling; M is factorised. Needs M and G."""
    M, unit = d.matrices[MASS], d.vectors[UNIT]
    for i in range(tree.nv):
        unit[i] = 1.0 / w.M[i, i] ** 0.5
    for i in range(tree.nv):
        for j in range(tree.nv):
            M[i, j] = 0.0
    for i in range(tree.nv):
        last = i
        while last >= 0:
            for j in range(tree.run[last], last + 1):
                M[i, j] = w.M[i, j] * unit[i] * unit[j]
                M[j, i] = M[i, j]
            last = tree.above[last]
    weigh(tree, links, w)
    row_scales(tree, loads, links, w)


@part
def scale_jacobian(tree, links, w, d):
    """G' in d.matrices[QR], its columns in the order d.order."""
    A, unit = d.matrices[QR], d.vectors[UNIT]
    for r in range(links.rows):
        for j in range(tree.nv):
            i = d.order[j]
            A[r, j] = w.scaling[r] * w.G[r, i] * unit[i]


@helper
def pivot_tolerance(w):
    """Redundant equations contradict each other as much as the loops are open: such pivots are none."""
    return PIVOT + 10.0 * largest(w.g)
