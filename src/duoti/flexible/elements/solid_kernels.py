"""Kernels of the solid elements: stiffness, mass, geometric stiffness, stresses, for all kinds from their tables.

With g_a the gradient of the shape function of node a, and isotropic elasticity (Lamé's lam and mu), the stiffness
between nodes a and b is the integral of lam g_a g_b^T + mu g_b g_a^T + mu (g_a . g_b) 1; the mass is m_ab 1 with m_ab
the integral of rho N_a N_b; the geometric stiffness s_ab 1 with s_ab the integral of g_a . sigma g_b (Zienkiewicz and
Taylor, The Finite Element Method, 5th ed., vol. 2, chapter 10). Nodes of a row are found in the pattern by bisection.
"""

import math

from duoti.kernel import helper, kernel, part


@helper
def _place(indices, first, last, node):
    """Where a node stands in a row of the pattern."""
    while last - first > 1:
        middle = (first + last) // 2
        if indices[middle] <= node:
            first = middle
        else:
            last = middle
    return first


@part
def _jacobian(nodes, cells, e, dN, q, J):
    """J[i, k] = dx_i / dxi_k at a point, and its determinant."""
    for i in range(3):
        for k in range(3):
            total = 0.0
            for a in range(cells.shape[1]):
                total += nodes[cells[e, a], i] * dN[q, a, k]
            J[i, k] = total
    return (
        J[0, 0] * (J[1, 1] * J[2, 2] - J[1, 2] * J[2, 1])
        - J[0, 1] * (J[1, 0] * J[2, 2] - J[1, 2] * J[2, 0])
        + J[0, 2] * (J[1, 0] * J[2, 1] - J[1, 1] * J[2, 0])
    )


@part
def _inverse(J, det, Ji):
    """Ji = J^-1."""
    for i in range(3):
        for k in range(3):
            a, b, c, d = (k + 1) % 3, (k + 2) % 3, (i + 1) % 3, (i + 2) % 3
            Ji[i, k] = (J[a, c] * J[b, d] - J[a, d] * J[b, c]) / det


@part
def _to_space(dN, q, count, Ji, scale, g, first):
    """Gradients in space of the functions of a table: g_a = J^-T dN_a, from row `first` of g on."""
    for a in range(count):
        for i in range(3):
            g[first + a, i] = scale * (dN[q, a, 0] * Ji[0, i] + dN[q, a, 1] * Ji[1, i] + dN[q, a, 2] * Ji[2, i])


@part
def _gradients(nodes, cells, e, q, dN, dB, J0i, det0, J, Ji, g):
    """Gradients of shape functions and bubbles at a point; the determinant of the Jacobian there."""
    det = _jacobian(nodes, cells, e, dN, q, J)
    _inverse(J, det, Ji)
    n, b = cells.shape[1], dB.shape[1]
    _to_space(dN, q, n, Ji, 1.0, g, 0)
    if b > 0:
        _to_space(dB, q, b, J0i, det0 / det, g, n)
    return det


@part
def _element_stiffness(nodes, cells, e, dN, w, dB, lam, mu, J0i, det0, J, Ji, g, G, Ke):
    """Ke[3 a + i, 3 b + k] of shape functions and bubbles; the smallest determinant of the Jacobian."""
    n = cells.shape[1] + dB.shape[1]
    smallest = math.inf
    for a in range(n):
        for b in range(a, n):
            for i in range(3):
                for k in range(3):
                    G[a, b, i, k] = 0.0
    for q in range(w.shape[0]):
        det = _gradients(nodes, cells, e, q, dN, dB, J0i, det0, J, Ji, g)
        smallest = min(smallest, det)
        weight = w[q] * det
        for a in range(n):
            x, y, z = weight * g[a, 0], weight * g[a, 1], weight * g[a, 2]
            for b in range(a, n):
                for k in range(3):
                    G[a, b, 0, k] += x * g[b, k]
                    G[a, b, 1, k] += y * g[b, k]
                    G[a, b, 2, k] += z * g[b, k]
    for a in range(n):
        for b in range(a, n):
            trace = G[a, b, 0, 0] + G[a, b, 1, 1] + G[a, b, 2, 2]
            for i in range(3):
                for k in range(3):
                    value = lam * G[a, b, i, k] + mu * G[a, b, k, i]
                    if i == k:
                        value += mu * trace
                    Ke[3 * a + i, 3 * b + k] = value
                    Ke[3 * b + k, 3 * a + i] = value
    return smallest


@part
def _condense(Ke, n, m):
    """Eliminate the rows n to m of a symmetric matrix: Ke[:n, :n] becomes the Schur complement.

    Row p holds afterwards the pivot row that the recovery of the eliminated unknowns reads.
    """
    for p in range(m - 1, n - 1, -1):
        for i in range(p):
            factor = Ke[i, p] / Ke[p, p]
            if factor != 0.0:
                for j in range(p):
                    Ke[i, j] -= factor * Ke[p, j]


@kernel("d2 l2 d2 (d3 d1 d3) (d2 d3 d1) d3 (w1 w1) d3 d1 (d2 d2 d2 d2 d4 d2)")
def assemble_solid(nodes, cells, lame, tables, mass_tables, centre, pattern, K, m, scratch):
    """Add the elements' stiffness to K [nnz, 3, 3] and mass to m [nnz]; status: -1, or an element without volume.

    lame [cells, 3]: lam, mu, density. An inverted element is status, too.
    """
    dN, w, dB = tables
    N, dM, wm = mass_tables
    indptr, indices = pattern
    J, Ji, J0i, g, G, Ke = scratch
    n, b = cells.shape[1], dB.shape[1]
    for e in range(cells.shape[0]):
        det0 = _jacobian(nodes, cells, e, centre, 0, J)
        if det0 <= 0.0:
            return e
        _inverse(J, det0, J0i)
        smallest = _element_stiffness(nodes, cells, e, dN, w, dB, lame[e, 0], lame[e, 1], J0i, det0, J, Ji, g, G, Ke)
        if not smallest > 0.0:
            return e
        if b > 0:
            _condense(Ke, 3 * n, 3 * (n + b))
        for a in range(n):
            for c in range(n):
                G[a, c, 0, 0] = 0.0
        for q in range(wm.shape[0]):
            weight = wm[q] * _jacobian(nodes, cells, e, dM, q, J) * lame[e, 2]
            for a in range(n):
                for c in range(n):
                    G[a, c, 0, 0] += weight * N[q, a] * N[q, c]
        for a in range(n):
            row = cells[e, a]
            for c in range(n):
                at = _place(indices, indptr[row], indptr[row + 1], cells[e, c])
                m[at] += G[a, c, 0, 0]
                for i in range(3):
                    for k in range(3):
                        K[at, i, k] += Ke[3 * a + i, 3 * c + k]
    return -1


@part
def _bubble_amplitudes(Ke, n, m, cells, e, u, x):
    """x[:n] the displacements of the nodes, x[n:m] the amplitudes that balance them."""
    for a in range(cells.shape[1]):
        for i in range(3):
            x[3 * a + i] = u[cells[e, a], i]
    for p in range(n, m):
        total = 0.0
        for j in range(p):
            total += Ke[p, j] * x[j]
        x[p] = -total / Ke[p, p]


@part
def _stress(g, count, x, lam, mu, s):
    """The stress xx, yy, zz, xy, yz, zx of gradients and amplitudes."""
    for i in range(6):
        s[i] = 0.0
    for a in range(count):
        u, v, w = x[3 * a], x[3 * a + 1], x[3 * a + 2]
        s[0] += g[a, 0] * u
        s[1] += g[a, 1] * v
        s[2] += g[a, 2] * w
        s[3] += g[a, 1] * u + g[a, 0] * v
        s[4] += g[a, 2] * v + g[a, 1] * w
        s[5] += g[a, 0] * w + g[a, 2] * u
    trace = s[0] + s[1] + s[2]
    for i in range(3):
        s[i] = lam * trace + 2.0 * mu * s[i]
        s[3 + i] = mu * s[3 + i]


@part
def _amplitudes(nodes, cells, e, lame, dN, w, dB, centre, u, J, Ji, J0i, g, G, Ke, x):
    """Amplitudes x of nodes and bubbles of an element; the determinant in its middle, whose inverse is in J0i."""
    n, b = cells.shape[1], dB.shape[1]
    det0 = _jacobian(nodes, cells, e, centre, 0, J)
    _inverse(J, det0, J0i)
    if b > 0:
        _element_stiffness(nodes, cells, e, dN, w, dB, lame[e, 0], lame[e, 1], J0i, det0, J, Ji, g, G, Ke)
        _condense(Ke, 3 * n, 3 * (n + b))
    _bubble_amplitudes(Ke, 3 * n, 3 * (n + b), cells, e, u, x)
    return det0


@kernel("d2 l2 d2 (d3 d1 d3) (d3 d3) d3 d2 d2 d1 (d2 d2 d2 d2 d4 d2) d1 d1")
def nodal_stresses(nodes, cells, lame, tables, nodal_tables, centre, u, stress, volume, scratch, x, s):
    """Add each element's stress at its nodes, weighted by its volume, to stress [nodes, 6] and the weight to volume."""
    dN, w, dB = tables
    at_nodes, bubbles_at_nodes = nodal_tables
    J, Ji, J0i, g, G, Ke = scratch
    n = cells.shape[1]
    for e in range(cells.shape[0]):
        det0 = _amplitudes(nodes, cells, e, lame, dN, w, dB, centre, u, J, Ji, J0i, g, G, Ke, x)
        for a in range(n):
            _gradients(nodes, cells, e, a, at_nodes, bubbles_at_nodes, J0i, det0, J, Ji, g)
            _stress(g, n + dB.shape[1], x, lame[e, 0], lame[e, 1], s)
            node = cells[e, a]
            volume[node] += det0
            for i in range(6):
                stress[node, i] += det0 * s[i]


@kernel("d2 l2 d2 (d3 d1 d3) d3 d2 (w1 w1) d1 (d2 d2 d2 d2 d4 d2) d1 d1")
def geometric_stiffness(nodes, cells, lame, tables, centre, u, pattern, S, scratch, x, s):
    """Add s_ab of the stress of displacements u to S [nnz]: the geometric stiffness is S x 1_3."""
    dN, w, dB = tables
    indptr, indices = pattern
    J, Ji, J0i, g, G, Ke = scratch
    n = cells.shape[1]
    for e in range(cells.shape[0]):
        det0 = _amplitudes(nodes, cells, e, lame, dN, w, dB, centre, u, J, Ji, J0i, g, G, Ke, x)
        for a in range(n):
            for c in range(n):
                G[a, c, 0, 0] = 0.0
        for q in range(w.shape[0]):
            det = _gradients(nodes, cells, e, q, dN, dB, J0i, det0, J, Ji, g)
            _stress(g, n + dB.shape[1], x, lame[e, 0], lame[e, 1], s)
            weight = w[q] * det
            for a in range(n):
                fx = weight * (s[0] * g[a, 0] + s[3] * g[a, 1] + s[5] * g[a, 2])
                fy = weight * (s[3] * g[a, 0] + s[1] * g[a, 1] + s[4] * g[a, 2])
                fz = weight * (s[5] * g[a, 0] + s[4] * g[a, 1] + s[2] * g[a, 2])
                for c in range(n):
                    G[a, c, 0, 0] += fx * g[c, 0] + fy * g[c, 1] + fz * g[c, 2]
        for a in range(n):
            row = cells[e, a]
            for c in range(n):
                S[_place(indices, indptr[row], indptr[row + 1], cells[e, c])] += G[a, c, 0, 0]


@kernel("d2 l2 d3 d1 d1 (d2 d3 d1) d2")
def determinants(nodes, cells, corner_tables, smallest, volumes, mass_tables, J):
    """Smallest determinant of the Jacobian at the points of a table, and the volume, of each element."""
    _, dM, wm = mass_tables
    for e in range(cells.shape[0]):
        smallest[e] = math.inf
        for q in range(corner_tables.shape[0]):
            smallest[e] = min(smallest[e], _jacobian(nodes, cells, e, corner_tables, q, J))
        volumes[e] = 0.0
        for q in range(wm.shape[0]):
            volumes[e] += wm[q] * _jacobian(nodes, cells, e, dM, q, J)
