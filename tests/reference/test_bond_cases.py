"""Motors and hydraulics as bond graphs: the reference cases again, and the same models with states written by hand."""

from __future__ import annotations

import near
import numpy as np
import pytest
from cases import case
from test_state_cases import (
    COMPLIANT,
    RIGID,
    TIGHT,
    assert_case,
    assert_near,
    ball,
    link,
    robot_with_motors,
    step_motor,
)
from test_stiff_cases import RADAU, boom

import duoti as dt
from duoti.bond import GY, TF, C, Graph, I, One, Port, R, Se, Sf, Zero, library

SAME = 1e-9  # what two ways to write down one model may differ by, relative: both are integrated to 1e-12


def connected(elements: dict, bonds: str) -> Graph:
    """A graph from its elements and "a-b b-c"."""
    g = Graph("graph")
    for name, element in elements.items():
        g.add(name, element)
    for bond in bonds.split():
        g.bond(*bond.split("-"))
    return g


def motor(p: dict, constant: float) -> Graph:
    return library.dc_motor(p["L"], p["R"], constant, p.get("Jr", p.get("J")), p["b"])


def test_M02_dc_motor_step_by_a_graph_alone():
    c = case("M02")
    p = c.p
    g = connected(
        {"U": Se(p["U"]), "i": One(), "L": I(p["L"]), "R": R(p["R"]), "K": GY(p["K"]), "w": One(), "J": I(p["J"]),
         "b": R(p["b"]), "load": Se(-p["T_L"])},
        "U-i i-L i-R i-K K-w w-J w-b load-w",
    )  # fmt: skip
    assert g.causality().derivative == []
    times = np.concatenate([[0.0], c.table["t"]])
    r = dt.simulate(g, 2.0, outputs=times, solver=TIGHT)
    assert r.ok
    assert_near(r["L.flow"][1:], c.table["i_A"], 1e-9)
    assert_near(r["J.flow"][1:], c.table["omega_rad_s"], 1e-9)
    by_hand = dt.simulate(step_motor(c), 2.0, outputs=times, solver=TIGHT)
    near.assert_near(r["L.flow"], by_hand["i"], SAME, relative=True)
    near.assert_near(r["J.flow"], by_hand["shaft.rate"], SAME, relative=True)
    # U i = R i² + b w² + d/dt (L i²/2 + J w²/2), and it closes over the run
    lost = r["R.power"] + r["b.power"]
    near.assert_near(r["U.power"], lost + r["L.power"] + r["J.power"], 1e-12 * np.max(r["U.power"]))
    assert np.max(np.abs(r.energy.residual)) < 1e-9 * r.energy.supplied[-1]


def test_M03_rigid_reducer_with_the_rotor_in_the_graph():
    """The rotor turns with the link: its inertia goes to the joint, and the case's own numbers come out."""
    c = case("M03")
    p = c.p
    m = link(c)
    g = connected({"U": Se(p["U"]), "shaft": Port()}, "")
    g.add("motor", motor(p, p["K"]))
    g.add("gear", library.reducer(p["N"]))
    for ends in (("U", "motor.electric"), ("motor.shaft", "gear.fast"), ("gear.slow", "shaft")):
        g.bond(*ends)
    m.add_bond_graph("drive", g, ports={"shaft": "hinge"})
    assert [f.code for f in dt.check(m).findings].count("bond-graph") == 1  # it is said
    assert_case(m, c.reference["rigid"], RIGID | {"i": "drive.motor.L.flow"})


def test_M03_compliant_reducer_with_everything_but_the_link_in_the_graph():
    c = case("M03")
    p = c.p
    m = link(c)
    g = connected({"U": Se(p["U"]), "shaft": Port()}, "")
    g.add("motor", motor(p, p["K"]))
    g.add("gear", library.reducer(p["N"], stiffness=p["k"], damping=p["c"]))
    for ends in (("U", "motor.electric"), ("motor.shaft", "gear.fast"), ("gear.slow", "shaft")):
        g.bond(*ends)
    m.add_bond_graph("drive", g, ports={"shaft": "hinge"})
    channels = {k: v for k, v in COMPLIANT.items() if k != "theta_m"} | {"i": "drive.motor.L.flow"}
    assert_case(m, c.reference["compliant"], channels | {"omega_m": "drive.motor.J.flow"})


def test_M03_derivative_causality_is_the_merged_model():
    """Rotor and link as two inertias of the graph against one: the same to round-off."""
    p = case("M03").p
    parts = {"U": Se(p["U"]), "i": One(), "L": I(p["L"]), "R": R(p["R"]), "K": GY(p["K"]), "w": One(), "b": R(p["b"])}
    bonds = "U-i i-L i-R i-K K-w w-b w-J"
    two = connected(
        parts | {"J": I(p["J"]), "N": TF(1 / p["N"]), "o": One(), "Jl": I(p["Jl"])}, bonds + " w-N N-o o-Jl"
    )
    one = connected(parts | {"J": I(p["J"] + p["Jl"] / p["N"] ** 2)}, bonds)
    assert two.causality().derivative_names == ["Jl"]
    a, b = (dt.simulate(g, 1.0, outputs=0.05, solver=dt.RK4(step=1e-3)) for g in (two, one))
    for channel in ("L.flow", "J.flow", "R.power"):
        near.assert_near(a[channel], b[channel], 1e-12, relative=True)
    near.assert_near(a["Jl.flow"], b["J.flow"] / p["N"], 1e-12, relative=True)
    near.assert_near(a["J.effort"] + a["Jl.effort"] / p["N"], b["J.effort"], 1e-12, relative=True)


def bare_robot(c) -> dt.Model:
    """The robot of `robot_with_motors` without its motors."""
    m = robot_with_motors(c)
    m.states.clear(), m.forces.clear(), m.parameters.clear()
    for element in m.joints.values():
        element.rotor_inertia = None
    return m


def drives(c, frame: bool) -> Graph:
    """Three motors with reducers; with `frame`, the third one stands on the column, not on the arm."""
    g = Graph("drives")
    for k in (1, 2, 3):
        g.add(f"U{k}", Se(c.p["U"]))
        g.add(f"motor{k}", motor(c.p, c.p["Kt"]))
        g.add(f"gear{k}", library.reducer(c.p["N"]))
        g.add(f"q{k}", Port())
        g.bond(f"U{k}", f"motor{k}.electric")
        g.bond(f"motor{k}.shaft", f"gear{k}.fast")
        if k < 3 or not frame:
            g.bond(f"gear{k}.slow", f"q{k}")
    if frame:  # its torque acts on both joints, its speed is the sum of both
        g.add("torque3", Zero())
        g.add("q2_by_motor3", Port())
        g.bond("gear3.slow", "torque3")
        g.bond("torque3", "q3")
        g.bond("torque3", "q2_by_motor3")
    return g


@pytest.mark.parametrize("frame", [False, True], ids=["relative", "frame"])
def test_M01_robot_with_motors(frame):
    c = case("M01")
    table = c.reference["cases"][f"horizontal_{'frame' if frame else 'relative'}"]["values"]
    columns = dict(zip(c.reference["columns"], np.array(table).T, strict=True))
    times = np.concatenate([[0.0], columns["t"]])
    m = bare_robot(c)
    ports = {f"q{k}": f"q{k}" for k in (1, 2, 3)} | ({"q2_by_motor3": "q2"} if frame else {})
    m.add_bond_graph("drives", drives(c, frame), ports=ports)
    r = dt.simulate(m, times[-1], outputs=times, solver=TIGHT)
    assert r.ok
    for k in (1, 2, 3):
        assert_near(r[f"drives.motor{k}.L.flow"][1:], columns[f"i{k}"], 1e-7)
        assert_near(r[f"q{k}.rate"][1:], columns[f"qd{k}"], 1e-7)
        assert_near(r[f"q{k}.angle"][1:], columns[f"q{k}"], 1e-7)
    for k in (2, 3):
        assert_near(np.linalg.norm(r[f"q{k}.reaction_force"], axis=1)[1:], columns[f"F_joint{k}_N"], 1e-7)
    assert np.max(np.abs(r.energy.residual)) < 1e-8 * r.energy.supplied[-1]
    if not frame:
        by_hand = dt.simulate(robot_with_motors(c), times[-1], outputs=times, solver=TIGHT)
        for k in (1, 2, 3):
            near.assert_near(r[f"drives.motor{k}.L.flow"], by_hand[f"i{k}"], SAME, relative=True)
            near.assert_near(r[f"q{k}.angle"], by_hand[f"q{k}.angle"], SAME, relative=True)


def test_X02_hydraulic_boom():
    """Both chambers as C, the piston as transformers, the rod along a line, valves as sources of flow."""
    c = case("X02")
    p, table = c.p, c.table
    m = boom(c)
    by_hand = boom(c)
    m.forces.clear(), m.states.clear()
    length = "hypot(lug.position.x, lug.position.y + 0.25)"
    opening = f"(2*(0.1*(clip(1 - cos(pi*t), 0.5, 1.5) - 0.5) + L0 - {length}))"

    def root(x):
        return f"sign({x})*sqrt(abs({x}))"

    g = Graph("hydraulics")
    g.add("cylinder", library.hydraulic_cylinder(p["A0"], p["A1"], p["V0"], p["V1"], p["K"], p["d"], pressure=2e6))
    g.add("rod", Port())
    for side, sign in (("a", ""), ("b", "-")):
        pressure = f"cylinder.C{side}.effort"
        av = f"({sign}{opening})"
        g.add(f"valve_{side}", Sf(f"{av}*Qn*if({av} >= 0, {root(f'ps - {pressure}')}, {root(f'{pressure} - pt')})"))
        g.bond(f"valve_{side}", f"cylinder.{side}")
    g.bond("cylinder.rod", "rod")
    m.add_bond_graph("hydraulics", g, ports={"rod": ("base", "lug")})
    times = np.concatenate([[0.0], table["t"]])
    r = dt.simulate(m, times[-1], outputs=times, solver=RADAU)
    assert r.ok
    p0, p1 = (r[f"hydraulics.cylinder.C{side}.effort"] for side in "ab")
    near.assert_near(p0[1:] / table["p0"], 1, 1e-6)
    near.assert_near(p1[1:] / table["p1"], 1, 1e-6)
    near.assert_near(r["hinge.angle"][1:], table["theta"], 1e-6)
    near.assert_near(r["hinge.rate"][1:], table["omega"], 1e-6)
    # at a fixed step both take the same steps: the difference is round-off times 1e4 (the stiffness of the oil)
    a, b = (dt.simulate(each, 0.4, outputs=0.1, solver=dt.RK4(step=5e-5)) for each in (m, by_hand))
    near.assert_near(a["hydraulics.cylinder.Ca.effort"], b["p0"], SAME, relative=True)
    near.assert_near(a["hinge.angle"], b["hinge.angle"], SAME, relative=True)


def test_elements_that_these_cases_use_are_what_they_say():
    assert ball(2.0).matrix[0, 0] == 2.0
    g = connected({"a": One(), "c": C(0.5)}, "a-c")
    assert repr(g).startswith("<bond graph")
