"""Factors L U of the matrix of panels (`contact.solve.block_matrix`), and solutions with them."""

from __future__ import annotations

from duoti.contact.solve.block_matrix import FREE, LEAST, tree_size
from duoti.kernel import part


@part
def _factor_panels(A, upper, length, lower, n):
    """Eliminate within a tree: L U of its block, L^-1 times the rest of its rows, the columns below it times U^-1.

    The diagonal of U is kept inverted. An inverse of the block would lose digits where a body is stiff and soft.
    False if a pivot vanishes.
    """
    wide = length - n
    for k in range(n):
        row, below = upper + k * length, lower + k * wide
        d = A[row + k]
        if not abs(d) > LEAST:
            return False
        d = 1.0 / d
        A[row + k] = d
        for i in range(k + 1, n):
            other = upper + i * length
            f = A[other + k] * d
            A[other + k] = f
            for j in range(k + 1, length):
                A[other + j] -= f * A[row + j]
        for j in range(wide):
            A[below + j] *= d
        for i in range(k + 1, n):
            f, other = A[row + i], lower + i * wide
            for j in range(wide):
                A[other + j] -= f * A[below + j]
    return True


@part
def _subtract(A, to, step, rows, factors, across, source, along, n, count):
    """`rows` rows at `to` -= factors^T times source, n rows each; `count` columns. step, across, along: row lengths."""
    if n == FREE:
        for i in range(rows):
            at, f = to + i * step, factors + i
            f0, f1, f2 = A[f], A[f + across], A[f + 2 * across]
            f3, f4, f5 = A[f + 3 * across], A[f + 4 * across], A[f + 5 * across]
            for j in range(count):
                s = source + j
                x = A[at + j] - f0 * A[s] - f1 * A[s + along] - f2 * A[s + 2 * along]
                A[at + j] = x - f3 * A[s + 3 * along] - f4 * A[s + 4 * along] - f5 * A[s + 5 * along]
        return
    for i in range(rows):
        at = to + i * step
        for k in range(n):
            f, s = A[factors + k * across + i], source + k * along
            for j in range(count):
                A[at + j] -= f * A[s + j]


@part
def factorise(contacts, matrix):
    """L U in place; returns False if a pivot vanishes."""
    A, later, column, runs = matrix.data, matrix.later, matrix.column, matrix.runs
    for k in range(matrix.counts[0].nodes):
        t = matrix.order[k]
        n, upper, length = tree_size(contacts, t), matrix.panel[t], matrix.length[t]
        wide = length - n
        lower = upper + n * length
        if not _factor_panels(A, upper, length, lower, n):
            return False
        for p in range(matrix.later_first[k], matrix.later_first[k + 1]):
            i = later[p]
            rows, to, step = tree_size(contacts, i), matrix.panel[i], matrix.length[i]
            left, right, below = lower + column[p] - n, upper + column[p], to + rows * step
            for r in range(matrix.run_first[p], matrix.run_first[p + 1]):
                at, source, count = runs[r, 0], runs[r, 1], runs[r, 2]
                _subtract(A, to + at, step, rows, left, wide, upper + source, length, n, count)
                if at == 0:  # the lower panel has no columns of its own
                    at, source, count = rows, source + rows, count - rows
                at, source = below + at - rows, lower + source - n
                _subtract(A, at, step - rows, rows, right, length, source, wide, n, count)
    return True


@part
def _solve_lower(contacts, matrix, x):
    """x := L^-1 x."""
    A, row, first = matrix.data, matrix.row, contacts.tree_first
    for k in range(matrix.counts[0].nodes):
        t = matrix.order[k]
        n, length, upper, at = tree_size(contacts, t), matrix.length[t], matrix.panel[t], first[t]
        wide, lower = length - n, upper + n * length
        for i in range(1, n):
            s = x[at + i]
            for j in range(i):
                s -= A[upper + i * length + j] * x[at + j]
            x[at + i] = s
        for j in range(wide):
            row[j] = 0.0
        for i in range(n):
            f, s = x[at + i], lower + i * wide
            for j in range(wide):
                row[j] += f * A[s + j]
        j = 0
        for p in range(matrix.later_first[k], matrix.later_first[k + 1]):
            for i in range(first[matrix.later[p]], first[matrix.later[p] + 1]):
                x[i] -= row[j]
                j += 1


@part
def _subtract_products(A, source, along, row, x, at, n, count):
    """x[at:at + n] -= n rows of a panel times `row`."""
    if n == FREE:
        s0, s1, s2, s3, s4, s5 = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
        for j in range(count):
            f, s = row[j], source + j
            s0, s1, s2 = s0 + f * A[s], s1 + f * A[s + along], s2 + f * A[s + 2 * along]
            s3, s4, s5 = s3 + f * A[s + 3 * along], s4 + f * A[s + 4 * along], s5 + f * A[s + 5 * along]
        x[at], x[at + 1], x[at + 2] = x[at] - s0, x[at + 1] - s1, x[at + 2] - s2
        x[at + 3], x[at + 4], x[at + 5] = x[at + 3] - s3, x[at + 4] - s4, x[at + 5] - s5
        return
    for i in range(n):
        s = 0.0
        for j in range(count):
            s += A[source + i * along + j] * row[j]
        x[at + i] -= s


@part
def solve(contacts, matrix, x):
    """x := (L U)^-1 x, of the trees that take part, in their order."""
    A, row, first = matrix.data, matrix.row, contacts.tree_first
    _solve_lower(contacts, matrix, x)
    for k in range(matrix.counts[0].nodes - 1, -1, -1):
        t = matrix.order[k]
        n, length, upper, at = tree_size(contacts, t), matrix.length[t], matrix.panel[t], first[t]
        j = 0
        for p in range(matrix.later_first[k], matrix.later_first[k + 1]):
            for i in range(first[matrix.later[p]], first[matrix.later[p] + 1]):
                row[j] = x[i]
                j += 1
        _subtract_products(A, upper + n, length, row, x, at, n, j)
        for i in range(n - 1, -1, -1):
            s = x[at + i]
            for j in range(i + 1, n):
                s -= A[upper + i * length + j] * x[at + j]
            x[at + i] = s * A[upper + i * length + i]
