"""Arrays of the closures (cut joints and constraints), and the structure that their equations have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from duoti.model.element_id import ElementId
from duoti.model.equations import EQUATION_KINDS, EquationKind, ExpressionEquation
from duoti.model.equations.base import VELOCITY_TERM
from duoti.system.arrays import Closures, Ints, Reals, freeze
from duoti.topology.ordering import reverse_cuthill_mckee

CLOSED = 1e-12  # residual that counts as closed, for a mechanism of the size of a metre


@dataclass(frozen=True)
class ClosureEquation:
    """An equation: kind and axes, value, laws of a changing value, terms (place in q, in v, coefficient), table."""

    kind: str
    i: int = 2
    j: int = 2
    value: float = 0.0
    laws: tuple[int, int, int] = (-1, -1, -1)
    terms: Sequence[tuple[int, int, float]] = ()
    table: tuple[int, int] = (0, 0)


@dataclass(frozen=True)
class Closure:
    """A cut joint or constraint, ready for the arrays."""

    element: ElementId
    markers: tuple[int, int]
    rows: Sequence[ClosureEquation]
    parameter: float = 0.0
    switch: int = -1
    """Place in the state of what switches it, -1 if nothing does."""


@dataclass
class _Structure:
    """Which rates each closure works on."""

    parent: Sequence[int]
    dof: Sequence[int]
    first: Sequence[int]
    rate: Sequence[int]
    body_of_dof: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.body_of_dof = [b for b in range(len(self.parent)) for _ in range(self.dof[b])]

    def path(self, body: int) -> list[int]:
        """Bodies from `body` inward to ground, ground included."""
        path = [body]
        while path[-1] > 0:
            path.append(self.parent[path[-1]])
        return path

    def rates(self, bodies: Sequence[int]) -> set[int]:
        """Rates that move these bodies relative to their parents."""
        return {i for b in bodies for i in self.rate[self.first[b] : self.first[b + 1]]}

    def columns_between(self, path: Sequence[int], end: int) -> int:
        """How many motion columns the bodies of a path have, up to the body where it ends."""
        return sum(self.first[b + 1] - self.first[b] for b in path[: list(path).index(end)])

    def carried_by(self, rate: int) -> set[int]:
        """A rate and all that carry it."""
        path = self.rates(self.path(self.body_of_dof[rate]))
        return {i for i in path if i <= rate}


Built = tuple[Closures, list[ElementId], tuple[type[EquationKind], ...]]


def build_closures(closures: Sequence[Closure], rows: Any, marker_body: Ints) -> Built:
    """Equations of all closures, those that share rates next to each other; what each is; the kinds of the rows."""
    return _built(closures, rows, marker_body) if closures else (_no_closures(rows.nv), [], ())


@lru_cache(maxsize=64)
def _no_closures(nv: int) -> Closures:
    """Of a tree with so many rates: the same arrays for all."""
    nothing = SimpleNamespace(parent=(0,), dof=(0,), first=(0, 0), rate=(), nv=nv)
    made = _built((), nothing, np.zeros(0, np.int64))[0]
    freeze(made)
    return made


def _built(closures: Sequence[Closure], rows: Any, marker_body: Ints) -> Built:
    structure = _Structure(rows.parent, rows.dof, rows.first, rows.rate)
    paths = [[structure.path(int(marker_body[m])) for m in closure.markers] for closure in closures]

    def support_of(closure: Closure, pair: list[list[int]], row: ClosureEquation) -> set[int]:
        if row.terms:
            return set().union(*(_term_dofs(structure, marker_body, q, j) for q, j, _ in row.terms))
        return structure.rates(pair[0]) | structure.rates(pair[1])

    supports = [
        [support_of(closure, pair, row) for row in closure.rows] for closure, pair in zip(closures, paths, strict=True)
    ]
    order = _order([set().union(*each) for each in supports], rows.nv)
    flat = [(k, row, supports[k][i]) for k in order for i, row in enumerate(closures[k].rows)]
    by_rate: list[list[int]] = [[] for _ in range(rows.nv)]
    for r, (_, _, support) in enumerate(flat):
        for i in support:
            by_rate[i].append(r)
    profile = np.arange(len(flat))
    for members in by_rate:
        if members:
            profile[members] = np.minimum(profile[members], min(members))
    lists = [sorted(support, reverse=True) for _, _, support in flat]
    begins = np.concatenate([[0], np.cumsum([len(each) for each in lists], dtype=np.int64)])
    positions = [{i: int(begins[r]) + n for n, i in enumerate(each)} for r, each in enumerate(lists)]
    inward = [set(pair[0]) for pair in paths]
    common = [next(b for b in paths[k][1] if b in inward[k]) for k in order]
    between = {
        k: sum(structure.columns_between(path, end) for path in paths[k]) for k, end in zip(order, common, strict=True)
    }

    def ints(values: Any, *shape: int) -> Ints:
        return np.array(values, dtype=np.int64).reshape(-1, *shape)

    def starts(sizes: Sequence[int]) -> Ints:
        return ints(np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)]))

    terms = [
        (*term, positions[r].get(term[1], int(begins[r]))) for r, (_, row, _) in enumerate(flat) for term in row.terms
    ]
    column_at = ints([positions[r][i] for i, members in enumerate(by_rate) for r in members])
    support_at = np.argsort(column_at)
    widths = np.arange(len(flat)) - profile + 1
    names = sorted({row.kind for _, row, _ in flat})
    kinds = tuple(EQUATION_KINDS[name] for name in names)
    equation_kind = ints([names.index(row.kind) for _, row, _ in flat])
    arrays = Closures(
        count=len(closures), rows=len(flat), timed=int(any(_timed(row) for _, row, _ in flat)),
        markers=ints([closures[k].markers for k in order], 2), first=starts([len(closures[k].rows) for k in order]),
        common=ints(common), parameter=np.array([closures[k].parameter for k in order], dtype=float),
        equation_closure=ints(np.repeat(np.arange(len(order)), [len(closures[k].rows) for k in order])),
        equation_kind=equation_kind, equation_axes=ints([(row.i, row.j, closures[k].switch) for k, row, _ in flat], 3),
        nonholonomic=ints([not EQUATION_KINDS[row.kind].holonomic(row.i) for _, row, _ in flat]),
        kind=starts([int(np.sum(equation_kind == k)) for k in range(len(kinds))]),
        kind_equations=np.argsort(equation_kind, kind="stable"),
        value=np.array([row.value for _, row, _ in flat], dtype=float), law=ints([row.laws for _, row, _ in flat], 3),
        terms=starts([len(row.terms) for _, row, _ in flat]),
        term_q=ints([k for k, _, _, _ in terms]), term_v=ints([j for _, j, _, _ in terms]),
        term_c=np.array([c for _, _, c, _ in terms], dtype=float), term_at=ints([at for *_, at in terms]),
        table=ints([row.table for _, row, _ in flat], 2),
        support=ints(begins), support_dofs=ints([i for each in lists for i in each]), support_at=support_at,
        row_columns=starts([0 if row.terms else between[k] for k, row, _ in flat]),
        column=starts([len(members) for members in by_rate]),
        column_rows=ints([r for members in by_rate for r in members]), column_at=column_at,
        profile=ints(profile), D_row=ints(np.cumsum(widths) - widths - profile), tolerance=CLOSED,
    )  # fmt: skip
    return arrays, [closures[k].element for k in order], kinds


def _timed(row: ClosureEquation) -> bool:
    """Whether its laws need the time and the state."""
    return row.laws[0] >= 0 or issubclass(EQUATION_KINDS[row.kind], ExpressionEquation)


def velocity_term(marker: int, component: int) -> tuple[int, int, float]:
    """A term of a user's equation: velocity (component 0 to 2) or angular velocity (3 to 5) of a marker."""
    return -1 - (VELOCITY_TERM * marker + component), -1, 1.0


def _term_dofs(structure: _Structure, marker_body: Ints, q: int, j: int) -> set[int]:
    """Rates that a term works on, those that carry it included."""
    if q >= 0:
        return structure.carried_by(j)
    return structure.rates(structure.path(int(marker_body[(-1 - q) // VELOCITY_TERM])))


def dense_jacobian(closures: Closures, nv: int, packed: Reals) -> Reals:
    """G [rows, nv] from its packed form (`Work.G`)."""
    G = np.zeros((closures.rows, nv), dtype=packed.dtype)
    G[np.repeat(np.arange(closures.rows), np.diff(closures.support)), closures.support_dofs] = packed
    return G


def _order(support: list[set[int]], nv: int) -> list[int]:
    """Closures in an order that keeps the profile of the closures' matrix small (reverse Cuthill-McKee)."""
    if len(support) < 3:
        return list(range(len(support)))
    by_rate: list[list[int]] = [[] for _ in range(nv)]
    for k, rates in enumerate(support):
        for i in rates:
            by_rate[i].append(k)
    met = (dict.fromkeys(k for i in sorted(rates) for k in by_rate[i]) for rates in support)
    return reverse_cuthill_mckee([list(reversed(each)) for each in met])
