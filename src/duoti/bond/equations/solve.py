"""The equations of a graph solved for all efforts and flows, sparsely.

The equations are ordered to block lower triangular form (a matching of equations and unknowns, then strongly connected
components: Duff, Erisman & Reid, Direct Methods for Sparse Matrices, 2nd ed. 2017, ch. 6): most blocks are single
equations, which is what causality is about; larger blocks are algebraic loops.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, maximum_bipartite_matching

from duoti.bond.equations.assembly import Assembly
from duoti.bond.errors import BondGraphError

Combination = dict[int, float]  # a linear combination: factors by the columns of its variables
SINGULAR = 1e-12  # smallest singular value of a block, relative to its largest, that counts as zero
ROUND_OFF = 1e-13  # part of the largest coefficient that counts as zero after an elimination


@dataclass
class Solved:
    """Each effort and flow as a sum of inputs."""

    rows: list[Combination]
    loops: list[tuple[str, ...]] = field(default_factory=list[tuple[str, ...]])
    """Names of the elements in each algebraic loop."""


class DependentError(Exception):
    """A linear combination of inputs vanishes: `inputs`, by their columns."""

    def __init__(self, inputs: Combination, owners: tuple[str, ...]):
        self.inputs, self.owners = inputs, owners


def solved(assembly: Assembly) -> Solved:
    """Solve; raises `DependentError` if the inputs depend on each other, or if nothing decides a quantity."""
    n = len(assembly.rows)
    matrix = _matrix(assembly, n)
    match = maximum_bipartite_matching(matrix, perm_type="column")  # the unknown of each equation
    if np.any(match < 0):
        _structurally_singular(assembly, matrix, match)
    block = _blocks(matrix, match)
    order = np.argsort(block, kind="stable")
    found: list[Combination] = [{} for _ in range(n)]
    loops: list[tuple[str, ...]] = []
    first = 0
    ends = np.flatnonzero(np.diff(block[order])) + 1
    for last in [*ends.tolist(), n]:
        equations = order[first:last].tolist()
        first = last
        if len(equations) == 1:
            row, unknown = assembly.rows[equations[0]], int(match[equations[0]])
            right = dict(assembly.right[equations[0]])
            for variable, coefficient in row.items():
                if variable != unknown and coefficient:
                    _add(right, found[variable], -coefficient)
            pivot = row[unknown]
            found[unknown] = {k: value / pivot for k, value in right.items()}
        else:
            _solve_block(assembly, equations, match, found)
            owners = tuple(dict.fromkeys(assembly.row_owner[k] for k in equations))
            if any(assembly.graph.elements[assembly.place[o]].role != "junction" for o in owners):
                loops.append(owners)
    return Solved(found, loops)


def _matrix(assembly: Assembly, n: int) -> csr_array:
    row = [k for k, terms in enumerate(assembly.rows) for c in terms.values() if c]
    column = [v for terms in assembly.rows for v, c in terms.items() if c]
    return csr_array((np.ones(len(row)), (row, column)), shape=(n, n))


def _blocks(matrix: csr_array, match: np.ndarray) -> np.ndarray:
    """Number of the block of each equation, in an order in which they can be solved."""
    n = len(match)
    equation_of = np.empty(n, np.int64)
    equation_of[match] = np.arange(n)
    entries = matrix.tocoo()
    needs = csr_array((np.ones(len(entries.col)), (entries.row, equation_of[entries.col])), shape=(n, n))
    count, label = connected_components(needs, directed=True, connection="strong")
    return sorted_labels(needs, label, count)


def sorted_labels(needs: csr_array, label: np.ndarray, count: int) -> np.ndarray:
    """Topological order of the components: what is needed comes first."""
    entries = needs.tocoo()
    a, b = label[entries.row], label[entries.col]
    keep = a != b
    waiting = np.zeros(count, np.int64)
    edges = np.unique(np.stack([b[keep], a[keep]], axis=1), axis=0) if np.any(keep) else np.zeros((0, 2), np.int64)
    np.add.at(waiting, edges[:, 1], 1)
    start = np.searchsorted(edges[:, 0], np.arange(count + 1)).tolist()
    followers, left = edges[:, 1].tolist(), waiting.tolist()
    queue = [k for k in range(count) if left[k] == 0]
    rank = [0] * count
    for position, k in enumerate(queue):
        rank[k] = position
        for each in followers[start[k] : start[k + 1]]:
            left[each] -= 1
            if left[each] == 0:
                queue.append(each)
    return np.array(rank)[label]


def _add(to: Combination, row: Combination, factor: float) -> None:
    for key, value in row.items():
        new = to.get(key, 0.0) + factor * value
        if abs(new) <= ROUND_OFF * abs(factor * value):
            to.pop(key, None)  # two terms that cancel
        else:
            to[key] = new


def _solve_block(assembly: Assembly, equations: list[int], match: np.ndarray, found: list[Combination]) -> None:
    unknowns = [int(match[k]) for k in equations]
    place = {unknown: i for i, unknown in enumerate(unknowns)}
    m = len(unknowns)
    A = np.zeros((m, m))
    rights: list[Combination] = []
    for i, k in enumerate(equations):
        right = dict(assembly.right[k])
        for variable, coefficient in assembly.rows[k].items():
            if variable in place:
                A[i, place[variable]] += coefficient
            elif coefficient:
                _add(right, found[variable], -coefficient)
        rights.append(right)
    columns = sorted({c for right in rights for c in right})
    B = np.array([[right.get(c, 0.0) for c in columns] for right in rights]).reshape(m, len(columns))
    scale = 1.0 / np.maximum(np.max(np.abs(A), axis=1), 1e-300)
    A, B = A * scale[:, None], B * scale[:, None]
    weight = 1.0 / np.maximum(np.max(np.abs(A), axis=0), 1e-300)
    U, s, _ = np.linalg.svd(A * weight)
    if s[-1] <= SINGULAR * s[0]:
        left = U[:, -1] @ B
        size = np.max(np.abs(B), initial=0.0)
        raise DependentError(
            {c: float(x) for c, x in zip(columns, left, strict=True) if abs(x) > 1e-9 * max(size, 1.0)},
            tuple(
                dict.fromkeys(
                    assembly.row_owner[k] for k, part in zip(equations, U[:, -1], strict=True) if abs(part) > 1e-9
                )
            ),
        )
    X = np.linalg.solve(A, B)
    small = ROUND_OFF * np.max(np.abs(X), axis=1, initial=0.0)
    for i, unknown in enumerate(unknowns):
        found[unknown] = {c: float(x) for c, x in zip(columns, X[i], strict=True) if abs(x) > small[i]}


def _structurally_singular(assembly: Assembly, matrix: csr_array, match: np.ndarray) -> None:
    """Some equations share too few unknowns: they decide something twice, and so another thing is left open."""
    n = len(match)
    owner = np.full(n, -1)
    for equation, unknown in enumerate(match):
        if unknown >= 0:
            owner[unknown] = equation
    reached = {int(k) for k in np.flatnonzero(match < 0)}
    queue = list(reached)
    while queue:
        equation = queue.pop()
        for unknown in assembly.rows[equation]:
            other = int(owner[unknown])
            if other >= 0 and other not in reached:
                reached.add(other)
                queue.append(other)
    inputs = {c: 1.0 for k in reached for c in assembly.right[k]}
    raise DependentError(inputs, tuple(dict.fromkeys(assembly.row_owner[k] for k in sorted(reached))))


def refuse(assembly: Assembly, error: DependentError) -> BondGraphError:
    """In words: which elements decide a quantity twice, or leave it open."""
    names = ", ".join(f'"{name}"' for name in error.owners)
    sources = tuple(dict.fromkeys(assembly.inputs[c].owner for c in error.inputs))
    if sources:
        given = ", ".join(f'"{name}"' for name in sources)
        text = f"{given} decide the same quantity through {names}: they contradict each other"
    else:
        text = f"nothing decides the efforts and flows between {names}: a loop with unit gain, or an empty part"
    return BondGraphError(assembly.graph.name, [(text, (*sources, *error.owners))])
