"""In which order laws and rows are computed; laws that wait for each other are solved together."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components

from duoti.bond.plan import Plan, PlannedLaw, Step
from duoti.bond.solve import Row, sorted_labels


def ordered(laws: list[PlannedLaw], rows: list[Row], count: int) -> tuple[list[Step], list[list[Step]]]:
    """Steps, and the steps within each loop. Columns of laws are the last of `count` columns."""
    first = count - len(laws)
    done: set[int] = set()
    steps: list[Step] = []
    loops: list[list[Step]] = []

    def row_steps(law: PlannedLaw) -> Iterable[int]:
        read = [*law.reads.values(), *([law.factor] if law.factor >= 0 else [])]
        return [place - count for place in read if place >= count]

    def law_columns(law: PlannedLaw) -> set[int]:
        found = {c - first for r in row_steps(law) for c in rows[r] if c >= first}
        return found | {c - first for c in (*law.reads.values(), law.factor) if first <= c < count}

    needs = [law_columns(law) for law in laws]
    for group in _groups(needs):
        alone = len(group) == 1 and group[0] not in needs[group[0]]
        inner: list[Step] = []
        for k in group:
            for r in row_steps(laws[k]):
                in_loop = not alone and any(c - first in group for c in rows[r])
                if in_loop and Step("row", r) not in inner:
                    inner.append(Step("row", r))
                elif not in_loop and r not in done:
                    steps.append(Step("row", r))
                    done.add(r)
        if alone:
            steps.append(Step("law", group[0]))
        else:
            loops.append([*inner, *(Step("law", k) for k in group)])
            steps.append(Step("loop", len(loops) - 1))
            done.update(step.number for step in inner)
    steps.append(Step("rows", 0))  # what laws needed is computed once more: that is faster than to ask
    return steps, loops


def by_length(plan: Plan) -> Plan:
    """The plan with its rows sorted by their numbers of terms: sums of few terms are then computed without loops."""
    order = sorted(range(len(plan.rows)), key=lambda r: len(plan.rows[r]))
    number = {r: k for k, r in enumerate(order)}
    count = plan.columns

    def place(old: int) -> int:
        return old if old < count else count + number[old - count]

    def step(old: Step) -> Step:
        return Step("row", number[old.number]) if old.kind == "row" else old

    return replace(
        plan,
        rows=[plan.rows[r] for r in order],
        laws=[
            law._replace(factor=place(law.factor), reads={name: place(at) for name, at in law.reads.items()})
            for law in plan.laws
        ],
        rates=[place(at) for at in plan.rates],
        efforts=[(place(at), sign) for at, sign in plan.efforts],
        terms=[term._replace(first=place(term.first), second=place(term.second)) for term in plan.terms],
        steps=[step(each) for each in plan.steps],
        loops=[[step(each) for each in loop] for loop in plan.loops],
    )


def _groups(needs: list[set[int]]) -> list[list[int]]:
    n = len(needs)
    if not n:
        return []
    pairs = [(k, other) for k, each in enumerate(needs) for other in each]
    graph = csr_array((np.ones(len(pairs)), tuple(np.array(pairs, np.int64).reshape(-1, 2).T)), shape=(n, n))
    count, label = connected_components(graph, directed=True, connection="strong")
    rank = sorted_labels(graph, label, count)
    found: list[list[int]] = [[] for _ in range(count)]
    for k in range(n):
        found[int(rank[k])].append(k)
    return found
