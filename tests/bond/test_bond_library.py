"""The library of bond graphs, their energies in channels and in the flow of energy, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm

import duoti as dt
from duoti.bond import C, Graph, I, One, Port, R, Se, Sf, Zero, library
from duoti.examples import hoist

TIGHT = dt.DOP853(rtol=1e-12, atol=1e-14)


def connected(elements: dict, bonds: str) -> Graph:
    g = Graph("graph")
    for name, element in elements.items():
        g.add(name, element)
    for bond in bonds.split():
        g.bond(*bond.split("-"))
    return g


def test_an_accumulator_is_filled_along_its_polytrope():
    """0.2 l/s into 2 l of gas at 20 bar: p V^1.4 stays; the work is its integral."""
    g = connected({"Q": Sf(2e-4), "a": library.accumulator(2e-3, 2e6, resistance=1e8)}, "Q-a.inlet")
    r = dt.simulate(g, 5.0, outputs=1.0, solver=TIGHT)
    V = 2e-3 - 2e-4 * r.t
    assert r["a.gas.effort"] == pytest.approx(2e6 * (2e-3 / V) ** 1.4, rel=1e-10)
    work = 2e6 * 2e-3 / 0.4 * ((2e-3 / V) ** 0.4 - 1.0)
    assert r["a.gas.energy"] == pytest.approx(work, abs=1e-7)
    assert r["Q.effort"] == pytest.approx(r["a.gas.effort"] + 2e4, rel=1e-10)
    slow = connected({"Q": Sf(2e-4), "a": library.accumulator(2e-3, 2e6, exponent=1.0)}, "Q-a.inlet")
    r = dt.simulate(slow, 5.0, outputs=1.0, solver=TIGHT)
    assert r["a.gas.effort"] == pytest.approx(2e6 * 2e-3 / V, rel=1e-10)  # isothermal
    assert r["a.gas.energy"] == pytest.approx(4e3 * np.log(2e-3 / V), abs=1e-7)


def test_a_thermal_network_is_its_matrix():
    """Winding, iron, air: C dT/dt = A T + b, by the matrix exponential; a source heats the winding."""
    net = library.thermal_network(
        {"copper": 300.0, "iron": 2000.0}, {("copper", "iron"): 0.4, ("iron", "ambient"): 0.8},
        temperatures={"copper": 293.0, "iron": 300.0}, ambient=293.0,
    )  # fmt: skip
    g = connected({"loss": Sf(50.0), "net": net}, "loss-net.copper")
    r = dt.simulate(g, 2000.0, outputs=400.0, solver=TIGHT)
    A = np.array([[-1 / 0.4, 1 / 0.4], [1 / 0.4, -1 / 0.4 - 1 / 0.8]])
    rates = np.diag([1 / 300.0, 1 / 2000.0])
    steady = -np.linalg.solve(A, [50.0, 293.0 / 0.8])
    expected = np.array([steady + expm(rates @ A * t) @ (np.array([293.0, 300.0]) - steady) for t in r.t])
    assert np.column_stack([r["net.C_copper.effort"], r["net.C_iron.effort"]]) == pytest.approx(expected, abs=1e-7)
    assert steady == pytest.approx([293.0 + 50.0 * 1.2, 293.0 + 50.0 * 0.8])


def test_an_electric_network_is_its_matrix():
    """A low pass of second order with a load: states q, flux, against the matrix exponential."""
    net = library.electric_network(
        ["in", "out"], resistors={("out", "earth"): 50.0}, capacitors={("out", "earth"): 1e-3},
        inductors={("in", "out"): 0.1},
    )  # fmt: skip
    g = connected({"U": Se(5.0), "net": net}, "U-net.in")
    r = dt.simulate(g, 0.2, outputs=0.02, solver=TIGHT)
    A = np.array([[-1 / (50.0 * 1e-3), 1 / 0.1], [-1 / 1e-3, 0.0]])  # dq/dt = i - u/R, d(flux)/dt = U - u
    b = np.array([0.0, 5.0])
    steady = -np.linalg.solve(A, b)
    expected = np.array([steady - expm(A * t) @ steady for t in r.t])
    assert r["net.C_out_earth.effort"] == pytest.approx(expected[:, 0] / 1e-3, abs=1e-8)
    assert r["net.L_in_out.flow"] == pytest.approx(expected[:, 1] / 0.1, abs=1e-9)


def test_a_pump_drives_a_load_through_a_valve():
    """A shaft of constant speed: what does not leak goes through the orifice; both carry the pressure."""
    pump = library.hydraulic_pump(1e-6, leakage=1e12)
    g = connected(
        {"w": Sf(150.0), "pump": pump, "line": Zero(), "oil": C(1e-12), "valve": library.valve(4e-8), "tank": Se(1e5)},
        "w-pump.shaft pump.outlet-line line-oil line-valve.inlet valve.outlet-tank",
    )
    r = dt.simulate(g, 2.0, atol=1e-16)
    p = r["oil.effort"][-1]
    leak, through = p / 1e12, 4e-8 * np.sqrt(p - 1e5)
    assert leak + through == pytest.approx(150.0 * 1e-6, rel=1e-6)
    assert r["w.effort"][-1] == pytest.approx(1e-6 * p, rel=1e-9)


def test_a_reducer_with_a_soft_shaft_has_its_natural_frequency():
    """Rotor J behind n : 1 and a shaft k to a fixed end: w = sqrt(k / (n² J)), and damping c/2."""
    gear = library.reducer(50.0, stiffness=2e3, damping=4.0)
    g = connected({"J": I(1e-3), "w": One(), "gear": gear, "stop": Sf(0.0)}, "w-J w-gear.fast gear.slow-stop")
    J = 2500.0 * 1e-3
    found = dt.linearise(g).eigenvalues
    w, d = np.sqrt(2e3 / J), 4.0 / (2.0 * J)
    expected = -d + 1j * np.sqrt(w**2 - d**2)
    assert found[np.argmax(found.imag)] == pytest.approx(expected, abs=1e-9 * w)


def test_energies_of_storages_with_laws_are_channels():
    g = connected({"v": One(), "m": I(1.5, initial=3.0), "k": C(effort="4*q + 3*q^3"), "b": R(0.2)}, "v-m v-k v-b")
    r = dt.simulate(g, 2.0, outputs=0.1, solver=TIGHT)
    q = r["k.displacement"]
    assert r["k.energy"] == pytest.approx(2.0 * q**2 + 0.75 * q**4, abs=1e-13)
    assert r["m.energy"] + r["k.energy"] == pytest.approx(r.energy.elastic, abs=1e-13)


def test_the_flow_of_energy_through_the_elements_of_a_graph():
    r = dt.simulate(hoist.build(), 1.0)
    whole, flow = dt.energy_flow(r), dt.energy_flow(r, graph_elements=True)
    assert np.max(flow.residual) < 1e-12 * flow.largest
    assert flow.part("motor.supply").supplied == pytest.approx(r["motor.supply.power"])
    assert flow.power("motor", "motor.R") == pytest.approx(r["motor.R.flow"] * r["motor.R.effort"], abs=1e-9)
    parts = sum(flow.part(f"motor.{name}").dissipated for name in ("R", "b"))
    assert parts == pytest.approx(whole.part("motor").dissipated, abs=1e-9)
    assert np.max(np.abs(flow.part("motor").dissipated)) < 1e-9
    assert flow.total.supplied == pytest.approx(whole.total.supplied, abs=1e-9)
    assert flow.sankey().axes


def test_a_port_that_nothing_is_connected_to_takes_no_part():
    """A free shaft has no torque, an open terminal no current, a closed pipe no flow."""
    g = connected({"U": Se(3.0), "i": One(), "L": I(2.0), "p": Port()}, "U-i i-L i-p")
    r = dt.simulate(g, 1.0, outputs=0.5)
    assert r["L.flow"] == pytest.approx(1.5 * r.t, abs=1e-9)
    g = connected({"I": Sf(3.0), "u": Zero(), "C": C(2.0), "p": Port()}, "I-u u-C u-p")
    r = dt.simulate(g, 1.0, outputs=0.5)
    assert r["C.effort"] == pytest.approx(1.5 * r.t, abs=1e-9)
    assert np.all(r["p.flow"] == 0.0)
    g = connected({"C": C(2.0, initial=6.0), "p": Port(), "U": Se(24.0), "s": Port()}, "C-p U-s")  # not shorted
    r = dt.simulate(g, 1.0, outputs=0.5)
    assert r["C.effort"] == pytest.approx(3.0)
    assert r["s.effort"] == pytest.approx(24.0)
    assert np.all(r["s.flow"] == 0.0)


def test_an_open_port_with_nowhere_to_go_is_told_as_that():
    g = connected({"I": Sf(3.0), "u": Zero(), "p": Port()}, "I-u u-p")
    with pytest.raises(dt.bond.BondGraphError, match=r'port "p" is connected to nothing.*"I" has nowhere to go at "u"'):
        dt.simulate(g, 1.0)
    g = connected({"p": Port(), "a": Se(1.0), "b": Se(2.0), "u": Zero()}, "u-p a-u b-u")
    with pytest.raises(dt.bond.BondGraphError, match=r'source "b" \(Se\) contradicts "a"'):  # the port is not to blame
        dt.simulate(g, 1.0)


def test_faults_of_bonds_and_ports_are_told_together():
    m = hoist.build()
    (coupled,) = m.bond_graphs.values()
    g = connected({"U": Se(3.0), "i": One(), "L": I(2.0), "p": Port(), "s": Port()}, "U-i i-L i-p i-s")
    for bonds, ports, told in (
        ((("U", "j"),), {"q": "shaft", "p": "nowhere"}, ('no element "j"', 'no port "q"', 'no joint "nowhere"')),
        ((), {"q": "shaft", "p": "nowhere"}, ('no port "q"', 'no joint "nowhere"')),
        ((), {"p": "shaft"}, ('port "s" is connected to nothing',)),
    ):
        coupled.graph, coupled.ports = connected(g.elements, "U-i i-L i-p i-s"), ports
        for bond in bonds:
            coupled.graph.bond(*bond)
        text = str(dt.check(m))
        assert all(each in text for each in told), text


def test_a_parameter_that_does_not_exist_is_explained():
    with pytest.raises(
        TypeError, match=r"dc_motor: there is no parameter 'L'.*'inductance' is missing.*It takes \(ind"
    ):
        library.dc_motor(L=1)
