"""A sparse matrix of blocks, one row of blocks for each tree, and its factors L U: only what touches is coupled.

Trees (`Contacts.tree_of`) are the nodes of a graph, contacts between two trees its edges. Nodes are eliminated in the
order of least degree, so that stacks have no fill at all and heaps little; independent groups of bodies do not meet.
Order and places are kept for as long as the same pairs touch. Each tree has two panels, whose columns are its own rates
(of the first one only) and those of the trees that it is coupled with and that are eliminated later, in that order:

    upper  [n, n + wide]   its rows of the matrix
    lower  [n, wide]       its columns of the matrix, transposed: friction that slides makes the matrix unsymmetric

so that eliminations work on long rows. Vectors are in the order of the trees: the rates of tree t are tree_first[t] to
tree_first[t + 1].
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from duoti.contact.collide.arrays import Contacts
from duoti.contact.solve.islands import tree_of_block
from duoti.kernel import helper, part, record_dtype
from duoti.system.arrays import Tree

MOST_ENTRIES = 20_000_000  # of the matrix: memory of 160 MB, of which pages are taken that are written to
EDGES_PER_TREE, RUNS_PER_TREE = 48, 300
FREE = 6  # rates of a free body, whose blocks are worked on in registers
SMALL = 16  # rates of a tree whose inverse mass matrix is made
LEAST = 1e-30

MATRIX_COUNTS = record_dtype(
    "MatrixCounts",
    edges=int,
    given=int,  # edges that are no fill
    nodes=int,  # trees that something touches
    islands=int,  # groups of these that nothing couples
    begin=int,  # places in `order` of the trees that are worked on ...
    end=int,
    whole=int,  # ... 1: all of them, and rates that nothing touches
    entries=int,
    products=int,  # of a factorisation; -1 if there is no room
    stamp=int,  # of the last arrangement
)


class Matrix(NamedTuple):
    """The matrix, its structure, and scratch of `sparse_newton`."""

    counts: Any  # [1] of type MATRIX_COUNTS
    data: Any  # [entries] all panels, each row after row; the lower one of a tree after its upper one
    diagonal: Any  # [trees] where the block of a tree begins in `mass`
    table: Any  # [power of two] numbers of edges + 1, found by their trees; 0: none
    edge: Any  # [edges, 5] trees a < b, column of the later one in the upper panel of the other, stamp, place in table
    head: Any  # [trees] first edge in the list of a tree, -1 for none
    next: Any  # [edges, 2] next edge in the lists of a and of b
    degree: Any  # [trees]
    order: Any  # [trees] trees in the order of elimination
    position: Any  # [trees] place in that order, -1 if nothing touches the tree
    number: Any  # [trees] island of a tree, in the order of elimination
    island_first: Any  # [trees + 1] where the trees of an island begin in that order
    products: Any  # [trees] of a factorisation of an island
    queue: Any  # [trees] scratch
    member_first: Any  # [trees + 1] where the blocks of an island begin in `Problem.member`
    left: Any  # [trees] residual of an island, at the tree that stands for it [m/s]
    need: Any  # [trees] likewise: 1 if it has to be solved
    touched: Any  # [trees] stamp of the last arrangement in which something touched the tree
    panel: Any  # [trees] where the upper panel of a tree begins
    length: Any  # [trees] length of its rows
    later_first: Any  # [trees + 1] where the list of the trees begins that are coupled with one and eliminated later
    later: Any  # [edges] these, in their order
    column: Any  # [edges] where their columns begin in the upper panel
    run_first: Any  # [edges + 1] where the list of runs begins
    runs: (
        Any  # [..., 3] columns of an upper panel, the same in that of a tree before, how many: what elimination changes
    )
    row: Any  # [nv] scratch
    x: Any  # [nv] in the order of the trees
    dof_tree: Any  # [nv] tree of each rate
    M: Any  # packed mass matrix
    mass: Any  # [...] of each tree, in full, at `diagonal`
    inverse: Any  # [...] likewise, of small trees
    T: Any  # [6, width]
    P: Any  # [capacity, 3]
    slope: Any  # [capacity, 9] -dP/du
    cross: Any  # [capacity, 3] of a DISC with an owner: -dP/du_n of its owner
    normal: Any  # [capacity] of a point: the normal impulse that decides whether it is open
    before: Any  # [capacity, 3] impulses of the best iterate
    old: Any  # [capacity, 3] those that a step begins with
    u: Any  # [capacity, 3] velocities of `interior`
    du: Any  # [capacity, 3] their change in a step
    v: Any  # [nv] right-hand side, in the order of the trees
    y: Any  # [nv] its error
    cone: Any  # [capacity, 22] scratch of `interior`
    island: Any  # [trees] scratch of `impact_times`: a tree of the same island, itself for one of them
    group: Any  # [trees] the same of trees that touch each other, see `islands`
    touching: Any  # [trees] 1 if bodies of its group press on each other
    measure: Any  # [trees] velocities that contacts of its group deal with [m/s]
    early: Any  # [trees, 2] likewise: how long before the middle of a step the impacts of an island may have been [s]
    impact_block: Any  # [trees] likewise: the block of the first of them


def new_matrix(contacts: Contacts, tree: Tree, capacity: int, always: bool = False, width: int = 0) -> Matrix:
    """Room for a full matrix, up to a limit; always: also where there are no contacts; width: as of the problem."""
    nv, trees = tree.nv, len(contacts.tree_first) - 1
    sizes = np.diff(contacts.tree_first)
    squares = np.concatenate([[0], np.cumsum(sizes**2)]).astype(np.int64)
    dense = int(squares[-1])
    if dense > MOST_ENTRIES or not (contacts.slots or always):  # too large, or of no use: sweeps must do
        dense = 0
    edges = min(trees * (trees - 1) // 2, EDGES_PER_TREE * trees) + 1 if dense else 1
    width = max(int(contacts.width), width)
    entries = max(dense, min(nv * nv, MOST_ENTRIES, dense + 2 * width * width * edges))
    whole = lambda *n: np.zeros(n, np.int64)  # noqa: E731
    dof_tree = whole(nv)
    for t in range(trees):
        dof_tree[contacts.tree_dofs[contacts.tree_first[t] : contacts.tree_first[t + 1]]] = t
    made = Matrix(
        counts=np.zeros(1, MATRIX_COUNTS), data=np.zeros(entries), diagonal=squares[:-1].copy(),
        table=np.zeros(1 << (2 * edges).bit_length(), np.int32), edge=whole(edges, 5),
        head=np.full(trees, -1, np.int64),
        next=whole(edges, 2), degree=whole(trees), order=whole(trees), position=np.full(trees, -1, np.int64),
        number=whole(trees), island_first=whole(trees + 1), products=whole(trees), queue=whole(trees),
        member_first=whole(trees + 1), left=np.zeros(trees), need=whole(trees),
        touched=whole(trees), panel=whole(trees), length=whole(trees), later_first=whole(trees + 1), later=whole(edges),
        column=whole(edges), run_first=whole(edges + 1), runs=whole(RUNS_PER_TREE * trees if dense else 1, 3),
        row=np.zeros(nv), x=np.zeros(nv), dof_tree=dof_tree,
        M=np.zeros(nv + int(np.sum(tree.depth))), mass=np.zeros(dense), inverse=np.zeros(dense),
        T=np.zeros((6, width)), P=np.zeros((capacity, 3)), slope=np.zeros((capacity, 9)),
        cross=np.zeros((capacity, 3)), normal=np.zeros(capacity),
        before=np.zeros((capacity, 3)), old=np.zeros((capacity, 3)), u=np.zeros((capacity, 3)),
        du=np.zeros((capacity, 3)), v=np.zeros(nv),
        y=np.zeros(nv), cone=np.zeros((capacity, 22)), island=whole(trees),
        group=whole(trees), touching=whole(trees), measure=np.zeros(trees), early=np.zeros((trees, 2)),
        impact_block=whole(trees),
    )  # fmt: skip
    made.counts[0].products, made.counts[0].whole = -1, 1
    return made


@helper
def tree_size(contacts, t):
    """Rates of a tree."""
    return contacts.tree_first[t + 1] - contacts.tree_first[t]


@helper
def _place_of(matrix, a, b):
    """Place in the table of the edge between trees a < b, or of nothing."""
    last = matrix.table.shape[0] - 1
    k = (a * 2654435761 + b * 40503) & last
    e = matrix.table[k] - 1
    while e >= 0 and (matrix.edge[e, 0] != a or matrix.edge[e, 1] != b):
        k = (k + 1) & last
        e = matrix.table[k] - 1
    return k


@helper
def find_edge(matrix, i, j):
    """Number of the edge between two trees, -1 if there is none."""
    return matrix.table[_place_of(matrix, min(i, j), max(i, j))] - 1


@helper
def _put_edge(contacts, matrix, i, j):
    """A new edge; its number, or -1 if there is no room."""
    counts = matrix.counts[0]
    e, a, b = counts.edges, min(i, j), max(i, j)
    room = 2 * tree_size(contacts, a) * tree_size(contacts, b)
    if e >= matrix.edge.shape[0] or counts.entries + room > matrix.data.shape[0]:
        return -1
    matrix.edge[e, 0], matrix.edge[e, 1], matrix.edge[e, 3] = a, b, counts.stamp
    matrix.next[e, 0], matrix.next[e, 1] = matrix.head[a], matrix.head[b]
    matrix.head[a] = matrix.head[b] = e
    k = _place_of(matrix, a, b)
    matrix.edge[e, 4], matrix.table[k] = k, e + 1
    matrix.degree[a] += 1
    matrix.degree[b] += 1
    counts.edges += 1
    counts.entries += room
    return e


@part
def arrange(contacts, problem, matrix):
    """Places for the blocks of a problem; returns the products of a factorisation, or -1 if there is no room for it."""
    counts = matrix.counts[0]
    trees = contacts.tree_first.shape[0] - 1
    counts.begin = counts.end = 0
    if matrix.mass.shape[0] == 0:
        return -1
    counts.stamp += 1
    missing, pairs, nodes = 0, 0, 0
    for c in range(problem.counts[0].blocks):
        i, j = problem.place[c, 4], problem.place[c, 5]
        for side in range(2):
            t = problem.place[c, 4 + side]
            if problem.place[c, 1 + 2 * side] > 0 and matrix.touched[t] != counts.stamp:
                matrix.touched[t] = counts.stamp
                nodes += 1
        if (problem.place[c, 1] > 0 and matrix.position[i] < 0) or (problem.place[c, 3] > 0 and matrix.position[j] < 0):
            missing = 1
        if problem.place[c, 1] > 0 and problem.place[c, 3] > 0:
            e = find_edge(matrix, i, j)
            if e < 0 or e >= counts.given:  # a pair where there was fill: islands may be others
                missing = 1
            elif matrix.edge[e, 3] != counts.stamp:
                matrix.edge[e, 3] = counts.stamp
                pairs += 1
    if missing == 0 and counts.products >= 0 and counts.given == pairs and counts.nodes == nodes:
        counts.end = nodes
        return counts.products  # so that a run that is resumed finds the same order
    for e in range(counts.edges):
        matrix.table[matrix.edge[e, 4]] = 0
    for t in range(trees):
        matrix.head[t], matrix.degree[t], matrix.position[t], matrix.number[t] = -1, 0, -1, -1
    counts.edges, counts.entries, counts.products = 0, matrix.mass.shape[0], -1
    for c in range(problem.counts[0].blocks):
        i, j = problem.place[c, 4], problem.place[c, 5]
        if problem.place[c, 1] > 0:
            matrix.position[i] = trees  # it takes part
        if problem.place[c, 3] > 0:
            matrix.position[j] = trees
        new = problem.place[c, 1] > 0 and problem.place[c, 3] > 0 and find_edge(matrix, i, j) < 0
        if new and _put_edge(contacts, matrix, i, j) < 0:
            return -1
    counts.given = counts.edges
    counts.products = _eliminate_all(contacts, matrix, trees)
    if counts.products >= 0 and not _place_panels(contacts, matrix):
        counts.products = -1
    counts.end = counts.nodes if counts.products >= 0 else 0
    return counts.products


@part
def _gather(matrix, start, trees):
    """The trees of the next island, in matrix.queue; how many."""
    queue, number, n = matrix.queue, matrix.counts[0].islands, 1
    queue[0], matrix.number[start], k = start, number, 0
    while k < n:
        t = queue[k]
        k, e = k + 1, matrix.head[t]
        while e >= 0:
            side = 0 if matrix.edge[e, 0] == t else 1
            other = matrix.edge[e, 1 - side]
            if matrix.number[other] < 0:
                queue[n], matrix.number[other] = other, number
                n += 1
            e = matrix.next[e, side]
    matrix.island_first[number] = matrix.counts[0].nodes
    matrix.counts[0].islands = number + 1
    return n


@part
def _eliminate_all(contacts, matrix, trees):
    """Order of all islands, one after the other; products of a factorisation, or -1 if there is no room."""
    counts, products, m = matrix.counts[0], 0, 0
    counts.nodes = counts.islands = 0
    for t in range(trees):
        if matrix.position[t] == trees and matrix.number[t] < 0:
            i, n = counts.islands, _gather(matrix, t, trees)
            matrix.products[i], m = _eliminate(contacts, matrix, trees, n, m)
            if m < 0:
                return -1
            products += matrix.products[i]
    matrix.later_first[counts.nodes], matrix.island_first[counts.islands] = m, counts.nodes
    return products


@part
def _eliminate(contacts, matrix, trees, n, m):
    """The order of least degree of the n trees in matrix.queue, with the edges that fill in.

    Returns the products of a factorisation, and where the list of `later` ends; -1: there is no room.
    """
    counts, queue, degree, products = matrix.counts[0], matrix.queue, matrix.degree, 0
    for left in range(n, 0, -1):
        best = 0
        for i in range(1, left):
            a, b = queue[i], queue[best]
            if degree[a] < degree[b] or (degree[a] == degree[b] and a < b):
                best = i
        t, k = queue[best], counts.nodes
        queue[best] = queue[left - 1]
        matrix.order[k], matrix.position[t] = t, k
        matrix.later_first[k] = m
        counts.nodes = k + 1
        e, wide, rates = matrix.head[t], 0, tree_size(contacts, t)
        while e >= 0:
            side = 0 if matrix.edge[e, 0] == t else 1
            other = matrix.edge[e, 1 - side]
            if matrix.position[other] == trees:
                if m >= matrix.later.shape[0]:
                    return 0, -1
                matrix.later[m] = other
                matrix.degree[other] -= 1
                wide += tree_size(contacts, other)
                m += 1
            e = matrix.next[e, side]
        products += rates * (rates * rates + 2 * rates * wide + wide * wide)
        for p in range(matrix.later_first[k], m):
            for q in range(matrix.later_first[k], p):
                i, j = matrix.later[p], matrix.later[q]
                if find_edge(matrix, i, j) < 0 and _put_edge(contacts, matrix, i, j) < 0:
                    return 0, -1
    return products, m


@part
def list_members(problem, matrix):
    """problem.member: all blocks, island after island."""
    first, member, n = matrix.member_first, problem.member, matrix.counts[0].islands
    for i in range(n + 1):
        first[i] = 0
    for c in range(problem.counts[0].blocks):
        first[matrix.number[tree_of_block(problem, matrix, c)] + 1] += 1
    for i in range(n):
        first[i + 1] += first[i]
    for c in range(problem.counts[0].blocks):
        i = matrix.number[tree_of_block(problem, matrix, c)]
        member[first[i]] = c
        first[i] += 1
    for i in range(n, 0, -1):
        first[i] = first[i - 1]
    first[0] = 0


@helper
def take_island(problem, matrix, i):
    """Island i is worked on, and nothing else. Needs `arrange` and `list_members`."""
    problem.counts[0].begin, problem.counts[0].end = matrix.member_first[i], matrix.member_first[i + 1]
    matrix.counts[0].begin, matrix.counts[0].end = matrix.island_first[i], matrix.island_first[i + 1]
    matrix.counts[0].whole = 0


@helper
def take_everything(problem, matrix, blocks):
    """The first blocks are worked on, and all rates."""
    for c in range(blocks):
        problem.member[c] = c
    problem.counts[0].begin, problem.counts[0].end = 0, blocks
    matrix.counts[0].begin, matrix.counts[0].end, matrix.counts[0].whole = 0, matrix.counts[0].nodes, 1


@part
def _place_panels(contacts, matrix):
    """Panels with their columns, and runs: which columns of later panels a panel changes; False if there is no room."""
    counts, later, column, at = matrix.counts[0], matrix.later, matrix.column, 0
    for k in range(counts.nodes):
        t, first, last = matrix.order[k], matrix.later_first[k], matrix.later_first[k + 1]
        for p in range(first + 1, last):  # by insertion, in the order of elimination
            tree, q = later[p], p
            while q > first and matrix.position[later[q - 1]] > matrix.position[tree]:
                later[q] = later[q - 1]
                q -= 1
            later[q] = tree
        n = tree_size(contacts, t)
        matrix.panel[t], matrix.length[t] = at, n
        for p in range(first, last):
            column[p] = matrix.length[t]
            matrix.edge[find_edge(matrix, t, later[p]), 2] = column[p]
            matrix.length[t] += tree_size(contacts, later[p])
        at += n * (2 * matrix.length[t] - n)
    runs, m = matrix.runs, 0
    for k in range(counts.nodes):
        first, last = matrix.later_first[k], matrix.later_first[k + 1]
        for p in range(first, last):
            matrix.run_first[p] = m
            for q in range(p, last):
                to, n = 0, tree_size(contacts, later[q])
                if q > p:
                    to = matrix.edge[find_edge(matrix, later[p], later[q]), 2]
                if q > p and runs[m - 1, 0] + runs[m - 1, 2] == to:
                    runs[m - 1, 2] += n
                    continue
                if m == runs.shape[0]:
                    return False
                runs[m, 0], runs[m, 1], runs[m, 2] = to, column[q], n
                m += 1
    matrix.run_first[matrix.later_first[counts.nodes]] = m
    return True


@helper
def block_at(contacts, matrix, i, j):
    """Where the block of the rates of tree i by those of j is; both touch, and i is not eliminated after j.

    Begin of the block in the upper panel, length of a row there; of the block (j, i), transposed, in the lower one.
    """
    panel, length, n = matrix.panel[i], matrix.length[i], tree_size(contacts, i)
    column = 0 if i == j else matrix.edge[find_edge(matrix, i, j), 2]
    return panel + column, length, panel + n * length + column - n, length - n


@helper
def rate_at(place, n):
    """The rate of a tree that is eliminated at this place: the last one first, but of a free body."""
    return place if n <= FREE else n - 1 - place


@helper
def later_rates(i, n):
    """First and last (which is not) of the rates of a tree that are eliminated after rate i."""
    return (i + 1, n) if n <= FREE else (0, i)


@helper
def earlier_rates(i, n):
    """Of those that are eliminated before."""
    return (0, i) if n <= FREE else (i + 1, n)


@part
def invert(A, at, n):
    """The block of n rows at this place becomes its inverse, without exchange of rows; False if it has none."""
    for place in range(n):
        k = rate_at(place, n)  # columns of tips have few entries
        row = at + k * n
        d = A[row + k]
        if not abs(d) > LEAST:
            return False
        d = 1.0 / d
        A[row + k] = 1.0
        for j in range(n):
            A[row + j] *= d
        for i in range(n):
            f = A[at + i * n + k]
            if i == k or f == 0.0:
                continue
            A[at + i * n + k] = 0.0
            for j in range(n):
                A[at + i * n + j] -= f * A[row + j]
    return True


@part
def tree_masses(tree, contacts, packed, matrix):
    """Mass matrices of the trees in full, from the packed one, and inverses of small ones; what is as before stays."""
    for t in range(1, contacts.tree_first.shape[0] - 1 if matrix.mass.shape[0] > 0 else 0):
        first, n, at = contacts.tree_first[t], tree_size(contacts, t), matrix.diagonal[t]
        same = True
        for k in range(first, first + n):
            i = contacts.tree_dofs[k]
            row = tree.M_row[i]
            for d in range(row, row + tree.depth[i] + 1):
                if matrix.M[d] != packed[d]:
                    same = False
                    matrix.M[d] = packed[d]
        if same:
            continue
        for k in range(first, first + n):
            i = contacts.tree_dofs[k]
            j, row, a = i, tree.M_row[i], k - first
            while j >= 0:
                b = contacts.dof_place[j]
                matrix.mass[at + a * n + b] = matrix.mass[at + b * n + a] = packed[row + tree.depth[j]]
                j = tree.parent_dof[j]
        if n <= SMALL:
            for k in range(at, at + n * n):
                matrix.inverse[k] = matrix.mass[k]
            invert(matrix.inverse, at, n)


# Factors L U of the matrix of panels (`contact.solve.block_matrix`), and solutions with them.


@part
def _factor_panels(A, upper, length, lower, n):
    """Eliminate within a tree: L U of its block, L^-1 times the rest of its rows, the columns below it times U^-1.

    Tips before the trunk: limbs that nothing couples do not fill in (Featherstone 2005). The diagonal of U is kept
    inverted. An inverse of the block would lose digits where a body is stiff and soft. False if a pivot vanishes.
    """
    wide = length - n
    for place in range(n):
        k = rate_at(place, n)
        first, last = later_rates(k, n)
        row, below = upper + k * length, lower + k * wide
        d = A[row + k]
        if not abs(d) > LEAST:
            return False
        d = 1.0 / d
        A[row + k] = d
        for i in range(first, last):
            other = upper + i * length
            f = A[other + k] * d
            if f == 0.0:
                continue
            A[other + k] = f
            for j in range(first, last):
                A[other + j] -= f * A[row + j]
            for j in range(n, length):
                A[other + j] -= f * A[row + j]
        for j in range(wide):
            A[below + j] *= d
        for i in range(first, last if wide > 0 else first):
            f, other = A[row + i], lower + i * wide
            if f != 0.0:
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
    for k in range(matrix.counts[0].begin, matrix.counts[0].end):
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
    for k in range(matrix.counts[0].begin, matrix.counts[0].end):
        t = matrix.order[k]
        n, length, upper, at = tree_size(contacts, t), matrix.length[t], matrix.panel[t], first[t]
        wide, lower = length - n, upper + n * length
        for place in range(1, n):
            i = rate_at(place, n)
            s, (begin, end) = x[at + i], earlier_rates(i, n)
            for j in range(begin, end):
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
    for k in range(matrix.counts[0].end - 1, matrix.counts[0].begin - 1, -1):
        t = matrix.order[k]
        n, length, upper, at = tree_size(contacts, t), matrix.length[t], matrix.panel[t], first[t]
        j = 0
        for p in range(matrix.later_first[k], matrix.later_first[k + 1]):
            for i in range(first[matrix.later[p]], first[matrix.later[p] + 1]):
                row[j] = x[i]
                j += 1
        _subtract_products(A, upper + n, length, row, x, at, n, j)
        for place in range(n - 1, -1, -1):
            i = rate_at(place, n)
            s, (begin, end) = x[at + i], later_rates(i, n)
            for j in range(begin, end):
                s -= A[upper + i * length + j] * x[at + j]
            x[at + i] = s * A[upper + i * length + i]
