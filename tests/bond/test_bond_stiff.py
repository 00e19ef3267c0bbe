"""Stiff and large graphs: the choice of a solver, bands in place of full matrices, against closed forms."""

from __future__ import annotations

import time

import numpy as np
import pytest
from scipy.sparse import csc_array, identity
from scipy.sparse.linalg import splu

import duoti as dt
from duoti.bond import C, Graph, I, One, R, Se, Sf, Zero
from duoti.bond.compiled.coupled import model_of
from duoti.system.tangent_arrays import allocate_tangent


def heater() -> Graph:
    """A filter of 1 us feeds a heater; its loss is a flow of heat into a mass of 50 s: 5e7 between fast and slow."""
    g = Graph("heater")
    for name, element in {
        "U": Se(12.0), "i": One(), "Rw": R(1.0), "u": Zero(), "Cf": C(1e-6), "h": R(9.0),
        "loss": Sf("h.effort*h.flow"), "T": Zero(), "Ct": C(25.0), "air": R(2.0),
    }.items():  # fmt: skip
        g.add(name, element)
    for ends in ("U i", "i Rw", "i u", "u Cf", "u h", "loss T", "T Ct", "T air"):
        g.bond(*ends.split())
    return g


def test_a_stiff_network_chooses_an_implicit_solver_and_says_so():
    r = dt.simulate(heater(), 200.0, outputs=10.0)
    assert r.ok
    assert any("Radau" in note for note in r.stats.notes), r.stats.notes
    u = 12.0 * 0.9 * (1.0 - np.exp(-r.t / 0.9e-6))  # the filter, then constant
    assert r["h.effort"][1:] == pytest.approx(u[1:], abs=1e-6)
    power = 10.8**2 / 9.0
    # what the filter misses at the start is 1.5 tau of full power: 2e-5 J in 25 J/K; the rest is the tolerance 1e-8
    assert r["Ct.effort"] == pytest.approx(2.0 * power * (1.0 - np.exp(-r.t / 50.0)), abs=1e-5)
    assert r.stats.steps < 1000  # an explicit method needs 200 s / 3e-6 s


def test_a_graph_that_is_not_stiff_stays_explicit():
    g = Graph("oscillator")
    for name, element in {"v": One(), "m": I(2.0, initial=6.0), "k": C(1 / 8.0)}.items():
        g.add(name, element)
    g.bond("v", "m")
    g.bond("v", "k")
    r = dt.simulate(g, 50.0, outputs=1.0)
    assert r.stats.notes == ("t = 0 s: DOPRI5",)
    assert r["m.flow"] == pytest.approx(3.0 * np.cos(2.0 * r.t), abs=1e-6)


def rod(cells: int) -> Graph:
    """Heat along a rod, one end held at 1 K: 4 elements a cell."""
    g = Graph("rod")
    g.add("hot", Se(1.0))
    before = "hot"
    for k in range(cells):
        for name, element in (
            (f"q{k}", One()),
            (f"R{k}", R(1.0 / cells)),
            (f"T{k}", Zero()),
            (f"C{k}", C(1.0 / cells)),
        ):
            g.add(name, element)
        for ends in ((before, f"q{k}"), (f"q{k}", f"R{k}"), (f"q{k}", f"T{k}"), (f"T{k}", f"C{k}")):
            g.bond(*ends)
        before = f"T{k}"
    return g


def test_ten_thousand_elements_build_in_a_second_and_are_integrated_sparsely():
    """A rod of 2500 cells (10 001 elements), stiffness ratio 1e7, against implicit steps of a sparse matrix by hand."""
    n = 2500
    g = rod(n)
    dt.simulate(rod(3), 0.01, solver="radau")  # compiled
    begin = time.process_time()
    system = dt.compile(model_of(g))
    assert time.process_time() - begin < 5.0  # 0.6 s on an idle machine
    begin = time.process_time()
    r = dt.simulate(system, 0.1, outputs=[0.1], solver=dt.Radau(rtol=1e-6, atol=1e-10))
    assert r.ok
    assert time.process_time() - begin < 20.0  # 0.4 s on an idle machine; full matrices take minutes
    main = np.full(n, -2.0)
    main[-1] = -1.0
    off = np.ones(n - 1)
    A = csc_array(n * n * _tridiagonal(main, off))
    b = np.zeros(n)
    b[0] = n * n
    # 2000 steps of the implicit midpoint rule, error below 1e-6
    T = np.zeros(n)
    h = 0.1 / 2000
    left, right = splu(csc_array(identity(n) - 0.5 * h * A)), csc_array(identity(n) + 0.5 * h * A)
    damped = splu(csc_array(identity(n) - 0.25 * h * A))
    for _ in range(4):  # four halved backward Euler steps first, so that the jump at the end dies out (Rannacher)
        T = damped.solve(T + 0.25 * h * b)
    for _ in range(1999):
        T = left.solve(right @ T + h * b)
    found = np.array([r[f"C{k}.effort"][0] for k in range(0, n, 100)])
    assert found == pytest.approx(T[::100], abs=2e-5)


def _tridiagonal(main: np.ndarray, off: np.ndarray) -> csc_array:
    from scipy.sparse import diags_array

    return csc_array(diags_array([off, main, off], offsets=[-1, 0, 1]))


def test_the_derivatives_of_a_large_graph_are_stored_as_a_band():
    system = dt.compile(model_of(rod(200)))
    full = allocate_tangent(system.tree, system.closures)
    band = allocate_tangent(system.tree, system.closures, state_band=2)
    assert full.Fz.size == 200 * 200
    assert band.Fz.size < 5 * 200
