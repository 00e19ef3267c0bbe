"""Random graphs against a dense formulation that knows neither causality nor elimination."""

from __future__ import annotations

import numpy as np
import pytest

from duoti.bond import BondGraphError
from duoti.bond.equations.reduce import planned
from support.random_graphs import Dense, random_graph


def values(plan, x_free):
    """All states (dependent ones too), efforts and flows, rates of the independent states, in a state of a plan."""
    V = np.zeros(plan.columns)
    V[0], V[1 : 1 + plan.nx] = 1.0, x_free
    w = np.array([sum(V[c] * a for c, a in row.items()) for row in plan.variables])
    x = np.array(
        [V[s.column] if s.column >= 0 else sum(V[c] * a for c, a in plan.dependent[k].items())
         for k, s in enumerate(plan.storages)]
    )  # fmt: skip
    Y = np.concatenate([V, [sum(V[c] * a for c, a in row.items()) for row in plan.rows]])
    terms = {kind: sum(t.coefficient * Y[t.first] * Y[t.second] for t in plan.terms if t.kind == kind)
             for kind in ("energy", "supplied", "dissipated")}  # fmt: skip
    return x, w, Y[plan.rates], terms


@pytest.mark.full
def test_a_thousand_random_graphs():
    """Where the dense equations have one solution, the plan has the same; others are refused, with names."""
    rng = np.random.default_rng(7)
    regular = merged = loops = 0
    refused = []
    for number in range(1000):
        g = random_graph(rng)
        dense = Dense(g)
        try:
            plan = planned(g.flat(), {}, frozenset())
        except BondGraphError as error:
            refused.append((number, error.elements, set(g.elements), dense.regular, str(error)))
            continue
        assert dense.regular, (number, g.bonds, g.elements)
        regular += 1
        merged += bool(plan.dependent)
        loops += bool(plan.algebraic_loops)
        x, w, rates, terms = values(plan, rng.normal(size=plan.nx))
        order = [s.owner for s in plan.storages]
        x_dense = np.array([x[order.index(name)] for name in dense.states])
        size = 1.0 + np.max(np.abs(w))
        # the states obey what the dense equations ask of them
        assert np.max(np.abs(dense.constraint @ x_dense + dense.given), initial=0.0) <= 1e-9 * size, number
        expected = dense.bonds(x_dense)
        assert np.max(np.abs(w - expected)) <= 1e-9 * size, number
        by_dense = dict(zip(dense.states, dense.D @ expected, strict=True))
        free = [by_dense[s.owner] for s in plan.states]
        assert np.max(np.abs(rates - free), initial=0.0) <= 1e-9 * size, number
        # power: what sources give is stored or lost, and nothing is lost at junctions and two-ports
        n = len(g.bonds)
        flat = g.flat()
        for name, ends in zip(flat.names, flat.ends, strict=True):
            if flat.elements[flat.names.index(name)].role in ("junction", "two-port"):
                assert abs(sum(e.sign * w[e.bond] * w[n + e.bond] for e in ends)) <= 1e-12 * size**2, (number, name)
        step = 1e-6
        before, after = (
            values(plan, x[[s.column >= 0 for s in plan.storages]] + sign * step * rates)[3]["energy"]
            for sign in (-1.0, 1.0)
        )  # fmt: skip  (quadratic: central differences are exact)
        stored = (after - before) / (2 * step)
        assert abs(terms["supplied"] - terms["dissipated"] - stored) <= 1e-7 * size**2, number
    for number, named, elements, is_regular, text in refused:
        assert named, number
        assert set(named) <= elements, (number, text)
        assert not is_regular, (number, text)
    assert regular > 500
    assert merged > 100
    assert loops > 50


def test_causality_of_random_graphs_is_valid():
    """Every junction has one bond that decides, transformers pass causality on, gyrators turn it round."""
    rng = np.random.default_rng(8)
    checked = 0
    for _ in range(300):
        g = random_graph(rng)
        try:
            found = g.causality()
        except BondGraphError:
            continue
        if found.conflicts:
            continue
        flat = found.graph
        for k, element in enumerate(flat.elements):
            given = [found.gives(k, end) for end in range(len(flat.ends[k]))]
            if element.kind == "0":
                assert given.count("flow") == 1
            elif element.kind == "1":
                assert given.count("effort") == 1
            elif element.kind == "TF":
                assert sorted(given) == ["effort", "flow"]
            elif element.kind == "GY":
                assert len(set(given)) == 1
            elif element.kind == "Se":
                assert given == ["effort"]
            elif element.kind == "Sf":
                assert given == ["flow"]
            checked += 1
    assert checked > 1000
