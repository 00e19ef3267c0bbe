"""Factors L U of the matrix of blocks (`contact.block_matrix`), and solutions with them."""

from __future__ import annotations

from duoti.contact.block_matrix import FREE, LEAST, block_at, other_tree, tree_size
from duoti.kernel import helper, part


@helper
def _factor_block(A, at, n):
    """L U of a block, with the inverse diagonal of U; an inverse would lose digits where a body is stiff and soft."""
    for k in range(n):
        row = at + k * n
        d = A[row + k]
        if not abs(d) > LEAST:
            return False
        d = 1.0 / d
        A[row + k] = d
        for i in range(k + 1, n):
            below = at + i * n
            f = A[below + k] * d
            A[below + k] = f
            for j in range(k + 1, n):
                A[below + j] -= f * A[row + j]
    return True


@helper
def _divide_right(A, left, at, n, m):
    """The block `left` [n, m] := left times U^-1 of the factored block."""
    for i in range(n):
        row = left + i * m
        for k in range(m):
            f = A[row + k] * A[at + k * m + k]
            A[row + k] = f
            for j in range(k + 1, m):
                A[row + j] -= f * A[at + k * m + j]


@helper
def _divide_left(A, right, at, n, m):
    """The block `right` [n, m] := L^-1 of the factored block, times right."""
    for i in range(1, n):
        row = right + i * m
        for k in range(i):
            f, above = A[at + i * n + k], right + k * m
            for j in range(m):
                A[row + j] -= f * A[above + j]


@part
def _divide(A, left, right, at, n, m):
    """Both, of a tree with n rates and its neighbour with m."""
    if n == FREE and m == FREE:
        _divide_right(A, left, at, 6, 6)
        _divide_left(A, right, at, 6, 6)
        return
    _divide_right(A, left, at, m, n)
    _divide_left(A, right, at, n, m)


@helper
def _subtract_free(A, target, left, right):
    """The block `target` -= left times right, of free bodies."""
    for i in range(6):
        at, row = target + 6 * i, left + 6 * i
        x0, x1, x2, x3, x4, x5 = A[at], A[at + 1], A[at + 2], A[at + 3], A[at + 4], A[at + 5]
        for k in range(6):
            f, r = A[row + k], right + 6 * k
            x0 -= f * A[r]
            x1 -= f * A[r + 1]
            x2 -= f * A[r + 2]
            x3 -= f * A[r + 3]
            x4 -= f * A[r + 4]
            x5 -= f * A[r + 5]
        A[at], A[at + 1], A[at + 2], A[at + 3], A[at + 4], A[at + 5] = x0, x1, x2, x3, x4, x5


@part
def _subtract_product(A, target, left, right, n, m, l):
    """The block `target` [n, l] -= left [n, m] times right [m, l]."""
    for i in range(n):
        for k in range(m):
            f, r, at = A[left + i * m + k], right + k * l, target + i * l
            for j in range(l):
                A[at + j] -= f * A[r + j]


@part
def factorise(contacts, matrix):
    """L U in place; returns False if a pivot vanishes."""
    A, left, right, later, order = matrix.data, matrix.left, matrix.right, matrix.later, matrix.order
    counts, m = matrix.counts[0], 0
    for k in range(counts.nodes):
        t = order[k]
        n, D = tree_size(contacts, t), matrix.diagonal[t]
        if not _factor_block(A, D, n):
            return False
        first, last = matrix.later_first[k], matrix.later_first[k + 1]
        for p in range(first, last):
            _divide(A, left[p], right[p], D, n, tree_size(contacts, other_tree(matrix, later[p], t)))
        if counts.listed == 1:
            for p in range(first, last):
                for q in range(first, last):
                    _subtract_free(A, matrix.target[m], left[p], right[q])
                    m += 1
            continue
        for p in range(first, last):
            i = other_tree(matrix, later[p], t)
            rows = tree_size(contacts, i)
            for q in range(first, last):
                j = other_tree(matrix, later[q], t)
                target = block_at(contacts, matrix, i, j)
                _subtract_product(A, target, left[p], right[q], rows, n, tree_size(contacts, j))
    return True


@part
def _subtract_times(A, at, x, row, n, column, m):
    """x[row:row + n] -= block [n, m] times x[column:column + m]."""
    for i in range(n):
        s = 0.0
        for j in range(m):
            s += A[at + i * m + j] * x[column + j]
        x[row + i] -= s


@part
def solve(contacts, matrix, x):
    """x := (L U)^-1 x, of the trees that take part, in their order."""
    A, first = matrix.data, contacts.tree_first
    for k in range(matrix.counts[0].nodes):
        t = matrix.order[k]
        n, D, at = tree_size(contacts, t), matrix.diagonal[t], first[t]
        for i in range(1, n):
            s = x[at + i]
            for j in range(i):
                s -= A[D + i * n + j] * x[at + j]
            x[at + i] = s
        for p in range(matrix.later_first[k], matrix.later_first[k + 1]):
            i = other_tree(matrix, matrix.later[p], t)
            _subtract_times(A, matrix.left[p], x, first[i], tree_size(contacts, i), at, n)
    for k in range(matrix.counts[0].nodes - 1, -1, -1):
        t = matrix.order[k]
        n, D, at = tree_size(contacts, t), matrix.diagonal[t], first[t]
        for p in range(matrix.later_first[k], matrix.later_first[k + 1]):
            i = other_tree(matrix, matrix.later[p], t)
            _subtract_times(A, matrix.right[p], x, at, n, first[i], tree_size(contacts, i))
        for i in range(n - 1, -1, -1):
            s = x[at + i]
            for j in range(i + 1, n):
                s -= A[D + i * n + j] * x[at + j]
            x[at + i] = s * A[D + i * n + i]
