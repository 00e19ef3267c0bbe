"""Symbolic factorisation: which rows the columns of a Cholesky factor have, and columns that are eliminated together.

T. A. Davis, Direct Methods for Sparse Linear Systems (SIAM 2006), chapter 4: elimination tree, row subtrees,
supernodes.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from duoti.kernel import cold_kernel

Integers = NDArray[np.int64]

# widest supernode (in nodes) that may have this share of zeros when small ones are merged
RELAXED = ((2, 0.8), (6, 0.5), (16, 0.15), (10**9, 0.05))


class Supernode(NamedTuple):
    """Columns first to last (exclusive) of the factor, and the rows below that they share."""

    first: int
    last: int
    rows: Integers
    parent: int
    """Number of the supernode that takes its update; -1 for none."""


@cold_kernel("l1 l1 l1 l1")
def _elimination_tree(indptr, indices, parent, ancestor):
    for i in range(parent.shape[0]):
        parent[i] = -1
        ancestor[i] = -1
        for p in range(indptr[i], indptr[i + 1]):
            k = indices[p]
            while k != -1 and k < i:
                above = ancestor[k]
                ancestor[k] = i
                if above == -1:
                    parent[k] = i
                k = above


@cold_kernel("l1 l1 l1 l1 l1")
def _postorder(parent, order, first_child, next_child, stack):
    """Children before parents, subtrees one after the other."""
    n = parent.shape[0]
    for i in range(n):
        first_child[i] = -1
    for back in range(n):
        i = n - 1 - back
        if parent[i] >= 0:
            next_child[i] = first_child[parent[i]]
            first_child[parent[i]] = i
    found = 0
    for root in range(n):
        if parent[root] >= 0:
            continue
        depth = 0
        stack[0] = root
        while depth >= 0:
            i = stack[depth]
            child = first_child[i]
            if child == -1:
                order[found] = i
                found += 1
                depth -= 1
            else:
                first_child[i] = next_child[child]
                depth += 1
                stack[depth] = child


@cold_kernel("l1 l1 l1 l1 l1")
def _count(indptr, indices, parent, mark, count):
    """Rows below the diagonal in each column of the factor: every row walks up its subtree."""
    for i in range(parent.shape[0]):
        mark[i] = i
        for p in range(indptr[i], indptr[i + 1]):
            j = indices[p]
            if j < i:
                while mark[j] != i:
                    count[j] += 1
                    mark[j] = i
                    j = parent[j]


@cold_kernel("l1 l1 l1 l1 l1 l1 l1")
def _fill(indptr, indices, parent, mark, start, filled, rows):
    """The rows themselves, ascending; `filled` counts them."""
    for i in range(parent.shape[0]):
        mark[i] = -1
    for i in range(parent.shape[0]):
        mark[i] = i
        for p in range(indptr[i], indptr[i + 1]):
            j = indices[p]
            if j < i:
                while mark[j] != i:
                    rows[start[j] + filled[j]] = i
                    filled[j] += 1
                    mark[j] = i
                    j = parent[j]


def analyse(pattern: Any, order: Integers) -> tuple[Integers, list[Supernode]]:
    """The order of elimination (postordered) and the supernodes of a symmetric pattern (CSR), after a first order."""
    parent = _tree(permuted := pattern[order][:, order].tocsr())
    n = len(parent)
    post = np.empty(n, dtype=np.int64)
    _postorder(parent, post, *(np.empty(n, dtype=np.int64) for _ in range(3)))
    permuted = permuted[post][:, post].tocsr()
    parent = _tree(permuted)
    indptr, indices = permuted.indptr.astype(np.int64), permuted.indices.astype(np.int64)
    mark, count, filled = np.full(n, -1, dtype=np.int64), np.zeros(n, dtype=np.int64), np.zeros(n, dtype=np.int64)
    _count(indptr, indices, parent, mark, count)
    start = np.concatenate([[0], np.cumsum(count)]).astype(np.int64)
    rows = np.empty(start[-1], dtype=np.int64)
    _fill(indptr, indices, parent, mark, start, filled, rows)
    return order[post], _supernodes(parent, count, start, rows)


def _tree(pattern: Any) -> Integers:
    parent, ancestor = (np.empty(pattern.shape[0], dtype=np.int64) for _ in range(2))
    _elimination_tree(pattern.indptr.astype(np.int64), pattern.indices.astype(np.int64), parent, ancestor)
    return parent


def _supernodes(parent: Integers, count: Integers, start: Integers, rows: Integers) -> list[Supernode]:
    n = len(parent)
    joined = np.zeros(n, dtype=bool)  # column j has the rows of column j - 1 but for j itself
    joined[1:] = (parent[:-1] == np.arange(1, n)) & (count[:-1] == count[1:] + 1)
    firsts = np.flatnonzero(~joined)
    lasts = np.append(firsts[1:], n)
    merged: list[list[int]] = []  # first, last, zeros; the rows are those of the last column
    for first, last in zip(firsts.tolist(), lasts.tolist(), strict=True):
        now = [first, last, 0]
        below = int(count[last - 1])
        while merged and merged[-1][1] == now[0]:
            child = merged[-1]
            own = int(count[child[1] - 1])
            if not own or rows[start[child[1] - 1]] >= now[1]:
                break
            width, above = child[1] - child[0], now[1] - now[0]
            zeros = child[2] + now[2] + width * (above + below - own)
            whole = width + above
            size = whole * (whole + 1) // 2 + whole * below
            allowed = next(share for widest, share in RELAXED if whole <= widest)
            if zeros > allowed * size:
                break
            merged.pop()
            now = [child[0], now[1], zeros]
        merged.append(now)
    owner = np.empty(n, dtype=np.int64)
    for k, (first, last, _) in enumerate(merged):
        owner[first:last] = k
    found: list[Supernode] = []
    for first, last, _ in merged:
        below = rows[start[last - 1] : start[last - 1] + count[last - 1]]
        found.append(Supernode(first, last, below, int(owner[below[0]]) if len(below) else -1))
    return found
