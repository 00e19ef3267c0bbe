"""Bond graphs: elements, ports, loops, fields, events, files and analyses, against closed forms and differences."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.bond import (
    GY,
    MGY,
    MTF,
    TF,
    BondGraphError,
    C,
    ForcePort,
    Graph,
    I,
    LinePort,
    One,
    Port,
    R,
    Se,
    Sf,
    TorquePort,
    WrenchPort,
    Zero,
    library,
)

TIGHT = dt.DOP853(rtol=1e-12, atol=1e-12)


def connected(elements: dict, bonds: str) -> Graph:
    """A graph from its elements and "a-b b-c"."""
    g = Graph("graph")
    for name, element in elements.items():
        g.add(name, element)
    for bond in bonds.split():
        g.bond(*bond.split("-"))
    return g


# ------------------------------------------------------------------------------------------------------ by themselves


def test_oscillator_keeps_its_energy_and_its_frequency():
    g = connected({"v": One(), "m": I(2.0, initial=6.0), "k": C(1 / 8.0)}, "v-m v-k")
    r = dt.simulate(g, 5.0, outputs=0.1, solver=TIGHT)
    assert r["m.flow"] == pytest.approx(3.0 * np.cos(2.0 * r.t), abs=1e-9)
    assert r["k.displacement"] == pytest.approx(1.5 * np.sin(2.0 * r.t), abs=1e-9)
    assert r["m.energy"] + r["k.energy"] == pytest.approx(9.0, abs=1e-9)
    assert r.energy.total == pytest.approx(9.0, abs=1e-9)


def test_source_that_drives_an_inertia_needs_its_derivative():
    """Sf on the flow of an I: derivative causality by a function of the time; the effort is m dv/dt."""
    g = connected({"v": One(), "m": I(2.0), "drive": Sf("3*sin(4*t)"), "b": R(5.0), "s": C(1.0)}, "drive-v v-m v-b v-s")
    r = dt.simulate(g, 1.0, outputs=0.1, solver=TIGHT)
    assert r["m.effort"] == pytest.approx(24.0 * np.cos(4.0 * r.t), abs=1e-12)
    drive = 24.0 * np.cos(4 * r.t) + 15.0 * np.sin(4 * r.t) + 0.75 * (1 - np.cos(4 * r.t))
    assert r["drive.effort"] == pytest.approx(drive, abs=1e-7)  # the spring is integrated with the defaults
    assert r["m.momentum"] == pytest.approx(6.0 * np.sin(4.0 * r.t), abs=1e-12)
    assert np.max(np.abs(r.energy.residual)) < 1e-7


def test_fields_of_two_ports():
    """Two coupled coils: L di/dt = u - R i with full matrices, against the matrix exponential."""
    from scipy.linalg import expm

    L, S = np.array([[2.0, 0.7], [0.7, 1.0]]), np.array([[1.0, 0.2], [0.2, 3.0]])
    g = connected(
        {"u": Se(5.0), "a": One(), "b": One(), "L": I(L.tolist(), initial=[1.0, -0.5]), "R": R(S.tolist())},
        "u-a a-L b-L a-R b-R",
    )
    r = dt.simulate(g, 2.0, outputs=0.5, solver=TIGHT)
    A = -S @ np.linalg.inv(L)
    steady = -np.linalg.solve(A, [5.0, 0.0])
    expected = np.array([steady + expm(A * t) @ (np.array([1.0, -0.5]) - steady) for t in r.t])
    assert np.column_stack([r["L.momentum1"], r["L.momentum2"]]) == pytest.approx(expected, abs=1e-10)
    assert r["L.flow"] == pytest.approx(expected @ np.linalg.inv(L), abs=1e-10)
    assert np.max(np.abs(r.energy.residual)) < 1e-10


def test_nonlinear_elements_and_their_energies():
    """A hardening spring with friction of a square law, against a plain integration."""
    from scipy.integrate import solve_ivp

    g = connected(
        {"v": One(), "m": I(1.5, initial=3.0), "k": C(effort="4*q + 3*q^3"), "b": R(effort="0.3*f*abs(f)")},
        "v-m v-k v-b",
    )
    r = dt.simulate(g, 4.0, outputs=0.2, solver=TIGHT)
    rates = lambda _, y: [-4 * y[1] - 3 * y[1] ** 3 - 0.3 * y[0] / 1.5 * abs(y[0] / 1.5), y[0] / 1.5]  # noqa: E731
    expected = solve_ivp(rates, (0, 4), [3.0, 0.0], t_eval=r.t, rtol=1e-12, atol=1e-12, method="DOP853").y
    assert r["m.momentum"] == pytest.approx(expected[0], abs=1e-9)
    assert r["k.displacement"] == pytest.approx(expected[1], abs=1e-9)
    q = r["k.displacement"]
    assert r.energy.elastic == pytest.approx(r["m.momentum"] ** 2 / 3.0 + 2 * q**2 + 0.75 * q**4, abs=1e-12)
    assert np.max(np.abs(r.energy.residual)) < 1e-9
    assert np.all(r["b.power"] >= 0.0)


def test_a_loop_of_nonlinear_laws_is_solved():
    """Two diodes in series with a resistor: 10 f + log(1 + f) + log(1 + 2 f) = u."""
    g = connected(
        {"u": Se("3*sin(t)^2"), "i": One(), "R": R(10.0), "d1": R(effort="log(1 + f)"), "d2": R(effort="log(1 + 2*f)"),
         "n": Zero(), "c": C(0.1), "leak": R(flow="0.5*effort + effort^3")},
        "u-i i-R i-d1 i-d2 i-n n-c n-leak",
    )  # fmt: skip
    assert g.causality().chosen
    r = dt.simulate(g, 2.0, outputs=0.25, solver=TIGHT)
    f = r["R.flow"]
    left = 3 * np.sin(r.t) ** 2 - r["c.effort"]
    leak = r["leak.effort"]
    assert r["leak.flow"] == pytest.approx(0.5 * leak + leak**3, abs=1e-12)
    assert 10 * f + np.log(1 + f) + np.log(1 + 2 * f) == pytest.approx(left, abs=1e-12)
    assert np.max(np.abs(r.energy.residual)) < 1e-9
    implicit = dt.simulate(g, 2.0, outputs=0.25, solver=dt.Radau(rtol=1e-10, atol=1e-12))
    assert implicit["c.effort"] == pytest.approx(r["c.effort"], abs=1e-8)


def test_resistors_whose_laws_must_be_inverted():
    """A capacitor beside a resistor with a law of its flow, a coil in a row with one that has a law of its effort."""
    g = connected({"I": Sf("2*sin(3*t)"), "n": Zero(), "C": C(0.5), "d": R(effort="0.5*f + 0.2*f^3")}, "I-n n-C n-d")
    assert "2*C.displacement = 0.5*d.flow + 0.2*d.flow^3" in g.equations().replace("(", "").replace(")", "")
    r = dt.simulate(g, 3.0, outputs=0.25, solver=TIGHT)
    f = r["d.flow"]
    assert 0.5 * f + 0.2 * f**3 == pytest.approx(r["C.effort"], abs=1e-13)
    assert r["C.flow"] == pytest.approx(2 * np.sin(3 * r.t) - f, abs=1e-13)
    assert np.max(np.abs(r.energy.residual)) < 1e-10
    radau = dt.simulate(g, 3.0, outputs=0.25, solver=dt.Radau(rtol=1e-10, atol=1e-12))
    assert radau["C.displacement"] == pytest.approx(r["C.displacement"], abs=1e-8)
    g = connected({"U": Se("3*sin(2*t)"), "i": One(), "L": I(0.4), "o": R(flow="2*effort + effort^3")}, "U-i i-L i-o")
    r = dt.simulate(g, 3.0, outputs=0.25, solver=TIGHT)
    e = r["o.effort"]
    assert 2 * e + e**3 == pytest.approx(r["L.flow"], abs=1e-13)
    assert np.max(np.abs(r.energy.residual)) < 1e-8


def test_modulated_two_ports():
    """A transformer whose ratio follows the displacement, and a gyrator whose ratio follows the time."""
    g = connected(
        {"v": One(), "m": I(1.0, initial=1.0), "k": C(0.5), "T": MTF("1 + 0.5*k.displacement"), "w": One(), "J": I(2.0),
         "s": C(0.2), "z": Zero(), "G": MGY("2 + sin(t)"), "y": One(), "L": I(0.3), "b": R(0.7)},
        "v-m v-k v-T T-z z-s z-w w-J w-G G-y y-L y-b",
    )  # fmt: skip
    r = dt.simulate(g, 3.0, outputs=0.1, solver=TIGHT)
    m = 1 + 0.5 * r["k.displacement"]
    assert r["v-T.effort"] == pytest.approx(m * r["T-z.effort"], abs=1e-12)
    assert r["T-z.flow"] == pytest.approx(m * r["v-T.flow"], abs=1e-12)
    assert r["w-G.effort"] == pytest.approx((2 + np.sin(r.t)) * r["G-y.flow"], abs=1e-12)
    assert r["w-G.power"] == pytest.approx(r["G-y.power"], abs=1e-12)
    assert np.max(np.abs(r.energy.residual)) < 1e-9
    again = dt.simulate(g, 3.0, outputs=0.1, solver=dt.Radau(rtol=1e-10, atol=1e-12))
    assert again["J.momentum"] == pytest.approx(r["J.momentum"], abs=1e-7)


# --------------------------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("elements", "bonds", "names"),
    [
        ({"a": Se(1.0), "b": Se(2.0), "n": Zero(), "r": R(1.0)}, "a-n b-n n-r", {"a", "b", "n"}),
        ({"a": Sf(1.0), "b": Sf(2.0), "n": One(), "r": R(1.0)}, "a-n b-n n-r", {"a", "b", "n"}),
        ({"n": Zero(), "w": Zero(), "s": TF(1.0), "t": TF(1.0), "c": C(1.0)}, "n-s s-w w-t t-n n-c", {"s", "t"}),
        ({"a": Se(1.0), "n": One(), "r": R(1.0)}, "a-n n-q", {"q"}),
        ({"a": Se(1.0), "n": One(), "r": R()}, "a-n n-r", {"r"}),
        ({"a": Sf(1.0), "n": Zero(), "r": R(flow="2*e")}, "a-n n-r", {"r"}),
        ({"a": Se(1.0), "n": One(), "c": C(-1.0), "r": R(1.0)}, "a-n n-c n-r", {"c"}),
    ],
    ids=["two efforts", "two flows", "unit gain", "unknown element", "no value", "Euler", "negative"],
)
def test_impossible_graphs_are_refused_by_name(elements, bonds, names):
    g = connected(elements, bonds)
    with pytest.raises((BondGraphError, dt.ModelError)) as caught:
        dt.simulate(g, 1.0)
    assert all(f'"{name}"' in str(caught.value) for name in names), str(caught.value)


def test_faults_of_a_coupled_graph_are_findings():
    m = dt.Model("m")
    m.add_body("b", dt.Inertia.point(1.0))
    m.add_joint("J", dt.Prismatic("z"), m.ground, "b")
    g = connected({"s": Se("2*nonsense"), "n": One(), "p": Port()}, "s-n n-p")
    m.add_bond_graph("g", g, ports={"p": "J"})
    report = dt.check(m)
    assert [f.code for f in report.errors] == ["bad-law"]
    assert '"s"' in str(report)
    m.bond_graphs["g"].ports = {"p": "K", "x": "J"}
    report = dt.check(m)
    assert {f.code for f in report.errors} == {"bad-bond-graph"}
    assert 'no joint "K"' in str(report)
    assert 'no port "x"' in str(report)


# ------------------------------------------------------------------------------------------------------------- ports


def arm() -> dt.Model:
    m = dt.Model("arm", gravity=(0.3, -0.2, -9.81))
    inertia = dt.Inertia(2.0, com=(0.1, 0.05, -0.02), matrix=np.diag([0.1, 0.2, 0.15]))
    for k, (axis, parent) in enumerate(
        (("z", "ground"), ((0.0, 1.0, 0.2), "b0"), ("x", "b1"), ((1.0, 1.0, 0.0), "b2"))
    ):
        m.add_body(f"b{k}", inertia, position=(0.3 * k, 0.1 * k, 0))
        m.add_joint(f"J{k}", dt.Revolute(axis), parent, f"b{k}", at=(0.3 * k, 0.1 * k, 0), q0=0.3 - 0.2 * k, v0=1.0 - k)
    m.add_marker("a", "b0", position=(0.1, 0.2, 0.3), rotation=dt.Rotation.about("x", 0.4))
    m.add_marker("c", "b3", position=(0.3, -0.2, 0.1), rotation=dt.Rotation.about("y", 0.7))
    return m


def spring_and_motor() -> Graph:
    """Something of everything between a port and the rest, so that all derivatives matter."""
    return connected(
        {"p": Port(), "n": One(), "k": C(0.05, initial=0.02), "b": R(effort="2*f + 0.5*f^3 + J1.angle*f"), "G": GY(0.8),
         "i": One(), "L": I(0.3), "r": R(1.5), "u": Se("0.4*sin(J0.angle) + 0.2*L.momentum*J2.rate + b3.position.x")},
        "n-p n-k n-b n-G G-i i-L i-r u-i",
    )  # fmt: skip


PORTS = {
    "joint": "J2",
    "line": ("a", "c"),
    "torque": TorquePort("a", "c", "y"),
    "force": ForcePort("a", "c", "x"),
    "line on ground": LinePort("ground", "c"),
}


@pytest.mark.parametrize("port", PORTS.values(), ids=PORTS)
def test_ports_do_their_work_and_have_the_right_derivatives(port):
    m = arm()
    m.add_bond_graph("g", spring_and_motor(), ports={"p": port})
    r = dt.simulate(m, 0.5, outputs=0.05, solver=TIGHT)
    assert np.max(np.abs(r.energy.residual)) < 1e-8 * np.max(np.abs(r.energy.total))
    # the force element's power on the bodies is that of the port
    graph = r["force:g.power_supplied"] - r["force:g.power_dissipated"]
    stored = r["g.k.power"] + r["g.L.power"]
    assert graph - stored == pytest.approx(r["g.p.power"], abs=1e-9)
    system = dt.compile(m)
    lin = dt.linearise(system, (r.q[3], r.v[3], r.z[3]), inputs=(), outputs=())
    A = numerical_A(system, r.q[3], r.v[3], r.z[3])
    assert np.max(np.abs(lin.A - A)) < 1e-5 * np.max(np.abs(A))  # central differences: 1e-10 of a step of 1e-5, and h²


def numerical_A(system, q, v, z):
    """Central differences of the rates by all states (revolute joints: positions add up)."""
    y = np.concatenate([q, v, z])
    n = len(q)

    def rates(y):
        q, v, z = y[:n], y[n : 2 * n], y[2 * n :]
        return np.concatenate([v, dt.accelerations(system, q, v, z=z), dt.analyses.state_rates(system, q, v, z=z)])

    columns = []
    for k in range(len(y)):
        h = 1e-5 * (1.0 + abs(y[k]))
        step = np.eye(len(y))[k] * h
        columns.append((rates(y + step) - rates(y - step)) / (2 * h))
    return np.column_stack(columns)


def test_a_whole_wrench_holds_a_body():
    """Springs and dampers in all six directions, by the graph, against the same bushing."""
    models = []
    for by_graph in (True, False):
        m = dt.Model("held")
        m.add_body("b", dt.Inertia(2.0, com=(0.05, 0, 0.02), matrix=np.diag([0.1, 0.2, 0.15])))
        m.add_joint("F", dt.Free(), m.ground, "b", v0=(0.1, 0.2, 0.0, 0.0, 0.0, 0.3))
        m.add_marker("eye", "b", position=(0.1, 0, 0))
        m.add_marker("wall", "ground", position=(0.1, 0, 0))
        if by_graph:
            g = Graph("springs")
            g.add("port", Port(6))
            for k in range(6):
                g.add(f"n{k}", One()), g.add(f"b{k}", R(20.0 if k > 2 else 2.0))
                g.bond(f"n{k}", f"b{k}")
                g.bond("port", f"n{k}")
            m.add_bond_graph("g", g, ports={"port": WrenchPort("eye", "wall")})
        else:
            m.add_force("bush", dt.Bushing("wall", "eye", (0,) * 6, (20.0,) * 3 + (2.0,) * 3))
        models.append(m)
    a, b = (dt.simulate(m, 0.4, outputs=0.1, solver=TIGHT) for m in models)
    assert a["b.position"] == pytest.approx(b["b.position"], abs=1e-8)
    assert np.max(np.abs(a.energy.residual)) < 1e-9


def test_a_source_of_flow_drives_the_mechanism():
    """The graph decides the rate of a joint: a constraint, whose reaction is the port's effort; it is said."""
    m = dt.Model("driven")
    m.add_body("rod", dt.Inertia(2.0, com=(0.5, 0, 0), matrix=np.eye(3)))
    m.add_joint("J", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
    g = connected({"speed": Sf("0.6*t"), "n": One(), "shaft": Port(), "b": R(4.0)}, "speed-n n-shaft n-b")
    m.add_bond_graph("g", g, ports={"shaft": "J"})
    assert any("constraint" in str(f) for f in dt.check(m).findings)
    r = dt.simulate(m, 2.0, outputs=0.1, solver=TIGHT)
    assert r["J.angle"] == pytest.approx(0.3 * r.t**2, abs=1e-9)
    torque = (1.0 + 2.0 * 0.25) * 0.6 - 2.0 * 9.81 * 0.5 * np.cos(r["J.angle"])
    assert r["g.shaft.effort"] == pytest.approx(torque, abs=1e-8)
    assert r["g.speed.effort"] == pytest.approx(torque + 4.0 * 0.6 * r.t, abs=1e-8)
    assert np.max(np.abs(r.energy.residual)) < 1e-8


def test_two_ports_on_one_junction_are_a_gear():
    """The second joint must follow the first: a constraint between both, as dt.Gear makes it."""
    results = []
    for by_graph in (True, False):
        m = dt.Model("gear", gravity=(0, 0, 0))
        for name, J in (("a", 2.0), ("b", 3.0)):
            m.add_body(name, dt.Inertia(1.0, matrix=J * np.eye(3)))
            m.add_joint(f"J{name}", dt.Revolute("z"), m.ground, name)
        m.add_force("drive", dt.JointTorque("Ja", "sin(3*t)"))
        if by_graph:
            g = connected({"a": Port(), "n": One(), "T": TF(2.5), "b": Port()}, "a-n n-T T-b")
            m.add_bond_graph("g", g, ports={"a": "Ja", "b": "Jb"})
        else:
            m.add_constraint("g", dt.Coupler({"Jb": 1.0, "Ja": -2.5}))
        results.append(dt.simulate(m, 2.0, outputs=0.2, solver=TIGHT))
    a, b = results
    assert a["Ja.angle"] == pytest.approx(b["Ja.angle"], abs=1e-10)
    assert a["Jb.rate"] == pytest.approx(2.5 * a["Ja.rate"], abs=1e-10)
    assert np.max(np.abs(a.energy.residual)) < 1e-10


# ------------------------------------------------------------------------------------------------- files and parts


def test_files_keep_everything(tmp_path):
    m = arm()
    m.parameters["k"] = 3.0
    g = Graph("drive", parameters={"L": 0.2})
    g.add("motor", library.dc_motor(0.2, "5 + 0.1*t", 0.3, 1e-3, 2e-3))
    g.add("u", Se("24*sin(k*t)"))
    g.add("coil", I("2*L", initial=0.1))
    g.add("n", One())
    g.add("p", Port())
    g.add("field", C([[1.0, 0.2], [0.2, 2.0]]))
    for ends in (
        ("u", "n"),
        ("n", "coil"),
        ("n", "motor.electric"),
        ("motor.shaft", "p"),
        ("n", "field"),
        ("n", "field"),
    ):
        g.bond(*ends)
    m.add_bond_graph("g", g, ports={"p": ("J2", 0)})
    m.add_bond_graph("h", spring_and_motor(), ports={"p": TorquePort("a", "c", "x")})
    m.save(tmp_path / "m.yaml")
    again = dt.load(tmp_path / "m.yaml")
    again.save(tmp_path / "n.yaml")
    assert (tmp_path / "m.yaml").read_text() == (tmp_path / "n.yaml").read_text()
    a, b = (dt.simulate(each, 0.3, outputs=0.1) for each in (m, again))
    assert np.array_equal(a.states, b.states)
    a.save(tmp_path / "r.h5")
    c = dt.open_result(tmp_path / "r.h5")
    assert np.array_equal(c["g.motor.L.flow"], a["g.motor.L.flow"])


def test_a_file_with_faults_says_where(tmp_path):
    text = """
duoti: 1
bodies: {b: {inertia: {point: 1.0}}}
joints: {J: {type: prismatic, axis: z, between: [ground, b]}}
bond_graphs:
  g:
    elements:
      u: {type: Se, value: 1}
      r: {type: R, resistence: 2}
      q: {type: Q}
    bonds: [[u, r], 5]
    port: {}
"""
    (tmp_path / "m.yaml").write_text(text)
    with pytest.raises(dt.errors.ModelFileError) as caught:
        dt.load(tmp_path / "m.yaml")
    for word in ("resistence", "'Q'", "no bond", "'port'"):
        assert word in str(caught.value), str(caught.value)
