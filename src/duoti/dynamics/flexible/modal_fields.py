"""Amplitudes of the fields of a flexible body from its modal coordinates, and forces back: (1) of `flexible_arrays`."""

from duoti.kernel import helper, part


@helper
def lift_of(flex, f, a, j):
    """Place of (a, j) in flex.lift."""
    return flex.lifts[f] + a * flex.n[f] + j


@part
def amplitudes(tree, w, flex, f):
    """zeta, its rates, and B_a eta."""
    n, m, first, iq, iv = flex.n[f], flex.m[f], flex.fields[f], flex.iq[f], tree.nq + flex.iv[f]
    for j in range(n):
        flex.zeta[0, first + j], flex.zeta[1, first + j] = w.y[iq + j], w.y[iv + j]
    for a in range(m - n):
        place = rate = 0.0 * w.y[iq]
        for j in range(n):
            lift, at = 0.0 * w.y[iq], flex.quadratic[f] + (a * n + j) * n
            for k in range(n):
                lift += flex.second[at + k] * w.y[iq + k]
            flex.lift[0, lift_of(flex, f, a, j)] = lift
            place += 0.5 * lift * w.y[iq + j]
            rate += lift * w.y[iv + j]
        flex.zeta[0, first + n + a], flex.zeta[1, first + n + a] = place, rate


@part
def field_accelerations(tree, w, flex, f):
    """zeta'', B_a eta' and B_a eta''."""
    n, m, first, iv = flex.n[f], flex.m[f], flex.fields[f], tree.nq + flex.iv[f]
    for j in range(n):
        flex.zeta[2, first + j] = w.ydot[iv + j]
    for a in range(m - n):
        acceleration = 0.0 * w.y[iv]
        for j in range(n):
            lift, at = lift_of(flex, f, a, j), flex.quadratic[f] + (a * n + j) * n
            by_rate = by_acceleration = 0.0 * w.y[iv]
            for k in range(n):
                by_rate += flex.second[at + k] * w.y[iv + k]
                by_acceleration += flex.second[at + k] * w.ydot[iv + k]
            flex.lift[1, lift], flex.lift[2, lift] = by_rate, by_acceleration
            acceleration += by_rate * w.y[iv + j] + flex.lift[0, lift] * w.ydot[iv + j]
        flex.zeta[2, first + n + a] = acceleration


@part
def lifted_columns(flex, f, A, out):
    """out = A P of a matrix over fields [m, m], as [m, n]; both row by row."""
    n, m = flex.n[f], flex.m[f]
    for i in range(m):
        for j in range(n):
            x = A[i * m + j]
            for a in range(m - n):
                x += A[i * m + n + a] * flex.lift[0, lift_of(flex, f, a, j)]
            out[i * n + j] = x


@part
def lifted_rows(flex, f, A, out):
    """out = P^T A of a matrix [m, n], as [n, n]; both row by row."""
    n, m = flex.n[f], flex.m[f]
    for j in range(n):
        for k in range(n):
            x = A[j * n + k]
            for a in range(m - n):
                x += flex.lift[0, lift_of(flex, f, a, j)] * A[(n + a) * n + k]
            out[j * n + k] = x
