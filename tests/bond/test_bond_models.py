"""Graphs in mechanisms: hydraulics on a four-bar, an electrodynamic damper in a car, three domains with an event."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

import duoti as dt
from duoti.bond import GY, C, Graph, I, One, Port, R, Se, Sf, Zero, library
from duoti.examples import four_bar

TIGHT = dt.DOP853(rtol=1e-11, atol=1e-12)


def graph_of(elements: dict, bonds: str) -> Graph:
    g = Graph("graph")
    for name, element in elements.items():
        g.add(name, element)
    for bond in bonds.split():
        g.bond(*bond.split(":"))
    return g


def test_hydraulic_cylinder_on_a_four_bar():
    """Oil between a valve and a piston, the rod between two points of a closed loop; the same by states and a force."""
    area, volume, bulk, damping, supply = 1e-3, 2e-4, 2e8, 300.0, 5e4
    valve = 1e-7
    models = []
    for by_graph in (True, False):
        m = four_bar.build()
        m.forces.clear()
        bodies = list(m.bodies)
        m.add_marker("foot", "ground", position=(0.15, 0.0, -0.4))
        m.add_marker("eye", bodies[1], position=(0.0, 0.0, 0.0))
        if by_graph:
            g = Graph("hydraulics")
            g.add("supply", Se(f"{supply}*(1 + 0.5*sin(3*t))"))
            g.add("valve", library.valve(valve))
            g.add("cylinder", library.hydraulic_cylinder(area, volume_a=volume, bulk_modulus=bulk, damping=damping))
            g.add("rod", Port())
            for ends in (("supply", "valve.inlet"), ("valve.outlet", "cylinder.a"), ("cylinder.rod", "rod")):
                g.bond(*ends)
            m.add_bond_graph("hydraulics", g, ports={"rod": ("foot", "eye")})
        else:
            d = [f"(eye.position.{c} - ({x}))" for c, x in zip("xyz", (0.15, 0.0, -0.4), strict=True)]
            v = [f"eye.velocity.{c}" for c in "xyz"]
            length = f"sqrt({' + '.join(f'{x}^2' for x in d)})"
            speed = f"(({' + '.join(f'{a}*{b}' for a, b in zip(d, v, strict=True))})/{length})"
            drop = f"({supply}*(1 + 0.5*sin(3*t)) - p)"
            m.add_state("p", f"{bulk / volume}*({valve}*sign({drop})*sqrt(abs({drop})) - {area}*{speed})")
            m.add_force("rod", dt.LineForce("foot", "eye", f"-{area}*p + {damping}*speed"))
        models.append(m)
    a, b = (dt.simulate(m, 0.3, outputs=0.03, solver=dt.Radau(rtol=1e-9, atol=1e-11)) for m in models)
    pressure = a["hydraulics.cylinder.Ca.effort"]
    assert np.max(np.abs(pressure)) > 100.0
    assert pressure == pytest.approx(b["p"], abs=1e-5 * np.max(np.abs(pressure)))
    for joint in a.model.joints:
        assert a[f"{joint}.q"] == pytest.approx(b[f"{joint}.q"], abs=1e-7)
    assert np.max(np.abs(a.energy.residual)) < 1e-5 * np.max(np.abs(a.energy.supplied) + np.abs(a.energy.total))
    flow = dt.energy_flow(a)
    assert "hydraulics" in str(flow)


MASSES, STIFFNESS = (300.0, 40.0), (18e3, 180e3)
COIL = {"K": 90.0, "L": 0.02, "R": 2.5}


def quarter_car() -> dt.Model:
    m = dt.Model("quarter car", gravity=(0, 0, 0))
    body, wheel = (dt.Inertia(x, matrix=np.eye(3)) for x in MASSES)
    m.add_body("wheel", wheel)
    m.add_body("body", body)
    m.add_joint("tyre", dt.Prismatic("z"), m.ground, "wheel", v0=0.5)
    m.add_joint("strut", dt.Prismatic("z"), "wheel", "body", q0=0.02)
    m.add_force("suspension", dt.JointSpring("strut", STIFFNESS[0]))
    m.add_force("tyre_spring", dt.JointSpring("tyre", STIFFNESS[1]))
    g = graph_of(
        {"strut": Port(), "v": One(), "coil": GY(COIL["K"]), "i": One(), "L": I(COIL["L"]), "R": R(COIL["R"])},
        "strut:v v:coil coil:i i:L i:R",
    )
    m.add_bond_graph("damper", g, ports={"strut": "strut"})
    return m


def test_quarter_car_with_an_electrodynamic_damper():
    """Against the matrix exponential of five equations written by hand, and their eigenvalues."""
    (ms, mu), (ks, kt) = MASSES, STIFFNESS
    # y = (tyre, strut, their rates, current): the coil takes K i from the strut, L di/dt = K strut' - R i
    M = np.array([[ms + mu, ms], [ms, ms]])
    force = np.array([[-kt, 0, 0, 0, 0], [0, -ks, 0, 0, -COIL["K"]]])
    A = np.zeros((5, 5))
    A[:2, 2:4] = np.eye(2)
    A[2:4] = np.linalg.solve(M, force)
    A[4, 3], A[4, 4] = COIL["K"] / COIL["L"], -COIL["R"] / COIL["L"]
    m = quarter_car()
    r = dt.simulate(m, 1.0, outputs=0.05, solver=TIGHT)
    exact = np.array([expm(A * t) @ [0.0, 0.02, 0.5, 0.0, 0.0] for t in r.t])
    assert r["strut.position"] == pytest.approx(exact[:, 1], abs=1e-9)
    assert r["damper.L.flow"] == pytest.approx(exact[:, 4], abs=1e-8)
    assert r["damper.strut.effort"] == pytest.approx(COIL["K"] * exact[:, 4], abs=1e-6)
    lin = dt.linearise(m, dt.equilibrium(m))
    assert np.sort_complex(lin.eigenvalues) == pytest.approx(np.sort_complex(np.linalg.eigvals(A)), rel=1e-9)
    assert np.max(np.abs(r.energy.residual)) < 1e-8


def test_equilibrium_of_a_motor_that_holds_a_weight():
    """K U/R of torque against m g l cos q; the current U/R; the state of the graph is found with the angle."""
    m = dt.Model("hoist")
    m.add_body("arm", dt.Inertia(1.0, com=(0.4, 0, 0), matrix=0.1 * np.eye(3)))
    m.add_joint("J", dt.Revolute("-y"), m.ground, "arm", at=(0, 0, 0), q0=-0.5)
    g = Graph("drive")
    g.add("U", Se("U"))
    m.parameters["U"] = 6.0
    g.add("motor", library.dc_motor(0.1, 2.0, 0.8, 0.01, 0.05))
    g.add("p", Port())
    g.bond("U", "motor.electric"), g.bond("motor.shaft", "p")
    m.add_bond_graph("drive", g, ports={"p": "J"})
    e = dt.equilibrium(m)
    assert e.ok
    assert np.cos(e["J.angle"]) == pytest.approx(0.8 * 3.0 / (9.81 * 0.4), rel=1e-10)
    assert e["drive.motor.L.flow"] == pytest.approx(3.0, rel=1e-10)
    lin = dt.linearise(m, e, inputs=["U"], outputs=["drive.motor.L.momentum"])
    # at rest the armature alone follows the voltage: L di/dt = u - R i - K w
    k = list(lin.states).index("drive.motor.L.momentum")
    assert lin.B[k, 0] == pytest.approx(1.0)
    changed = dt.compile(m).with_parameters(U=3.0)
    assert dt.simulate(changed, 0.1)["drive.motor.L.flow"][-1] < dt.simulate(m, 0.1)["drive.motor.L.flow"][-1]


def test_three_domains_with_an_event():
    """Current heats the winding, heat raises its resistance, an event switches the pump off; against a plain solver."""
    p = {"L": 0.05, "R0": 2.0, "K": 0.4, "J": 0.02, "b": 0.01, "D": 2e-6, "Ch": 60.0, "Rh": 0.5, "V": 1e-10, "Rl": 4e10}
    m = dt.Model("plant")
    m.add_body("flywheel", dt.Inertia(1.0, matrix=p["J"] * np.eye(3)))
    m.add_joint("shaft", dt.Revolute("z"), m.ground, "flywheel")
    m.add_state("on", 0.0, 1.0)
    hot = f"(1 + 0.01*winding.displacement/{p['Ch']})"
    g = graph_of(
        {"U": Se("24*on"), "i": One(), "L": I(p["L"]), "R": R(f"{p['R0']}*{hot}"), "K": GY(p["K"]), "w": One(),
         "b": R(p["b"]), "shaft": Port(), "leak": R(p["Rl"]), "oil": C(p["V"]), "n": Zero(),
         "heat": Sf("R.effort*R.flow"), "T": Zero(), "winding": C(p["Ch"]), "air": R(p["Rh"])},
        "U:i i:L i:R i:K K:w w:b w:shaft n:oil n:leak heat:T T:winding T:air",
    )  # fmt: skip
    g.add("pump", library.hydraulic_pump(p["D"]))
    g.bond("w", "pump.shaft"), g.bond("pump.outlet", "n")
    m.add_bond_graph("plant", g, ports={"shaft": "shaft"})
    m.add_event(
        "too hot", dt.Event(f"plant.winding.displacement/{p['Ch']} - 2.0", direction="rising", sets={"on": 0.0})
    )
    r = dt.simulate(m, 8.0, outputs=0.1, solver=TIGHT)
    assert r.ok, r.reason

    def rates(_, y, on):
        i, w, v, h = y
        resistance = p["R0"] * (1 + 0.01 * h / p["Ch"])
        return [(24 * on - resistance * i - p["K"] * w) / p["L"],
                (p["K"] * i - p["b"] * w - p["D"] * v / p["V"]) / p["J"],
                p["D"] * w - v / p["V"] / p["Rl"], resistance * i**2 - h / p["Ch"] / p["Rh"]]  # fmt: skip

    hit = lambda _, y, on: y[3] / p["Ch"] - 2.0  # noqa: E731
    hit.terminal = True
    options = {"rtol": 1e-11, "atol": 1e-13, "method": "DOP853"}
    first = solve_ivp(rates, (0, 8), [0, 0, 0, 0], args=(1.0,), events=hit, dense_output=True, **options)
    time = first.t_events[0][0]
    assert r.events[0].t == pytest.approx(time, rel=1e-8)
    second = solve_ivp(rates, (time, 8), first.y[:, -1], args=(0.0,), dense_output=True, **options)
    y = np.array([(first if t < time else second).sol(t) for t in r.t])
    for k, (channel, scale) in enumerate(
        (("L.flow", 1), ("shaft.flow", 1), ("oil.displacement", 1), ("winding.effort", p["Ch"]))
    ):
        assert r[f"plant.{channel}"] * scale == pytest.approx(y[:, k], abs=1e-7 * np.max(np.abs(y[:, k]))), channel
    assert r["plant.R.effort"] * r["plant.R.flow"] == pytest.approx(r["plant.heat.flow"], abs=1e-9)


def hoist() -> dt.Model:
    m = dt.Model("hoist", parameters={"U": 6.0, "K": 0.8})
    m.add_body("arm", dt.Inertia(1.0, com=(0.4, 0, 0), matrix=0.1 * np.eye(3)))
    m.add_joint("J", dt.Revolute("-y"), m.ground, "arm", at=(0, 0, 0), q0=-0.5, v0=0.3)
    g = Graph("drive", parameters={"R": 2.0})
    g.add("U", Se("U*cos(J.angle)"))
    g.add("motor", library.dc_motor(0.1, "1", "K", 0.01, 0.05))
    g.add("wire", R("R"))
    g.add("i", One())
    g.add("p", Port())
    for ends in (("U", "i"), ("i", "wire"), ("i", "motor.electric"), ("motor.shaft", "p")):
        g.bond(*ends)
    m.add_bond_graph("drive", g, ports={"p": "J"})
    return m


def test_derivatives_by_parameters_that_graphs_read():
    """The rotor makes the torque constant a part of nothing but the torque: da/dK by central differences."""
    m = hoist()
    m.bond_graphs["drive"].graph.subgraphs["motor"].elements["L"].initial = 0.1
    d = dt.parameter_derivatives(m, ["K", "U"])
    systems = [dt.compile(m).with_parameters(K=0.8 + h) for h in (-1e-4, 1e-4)]
    a = [dt.accelerations(s, *s.initial_state()) for s in systems]
    assert d.accelerations[:, 0] == pytest.approx((a[1] - a[0]) / 2e-4, rel=1e-6)
    assert d.accelerations[:, 1] == pytest.approx(0.0, abs=1e-9)  # the voltage acts on the current first


def test_a_part_of_a_model_brings_its_graphs():
    whole = dt.Model("two")
    for name in ("left", "right"):
        whole.add_submodel(name, hoist(), position=(0.0, 1.0 if name == "left" else -1.0, 0.0))
    a, b = dt.simulate(whole, 0.3, outputs=0.1), dt.simulate(hoist(), 0.3, outputs=0.1)
    for name in ("left", "right"):
        assert a[f"{name}.J.angle"] == pytest.approx(b["J.angle"], abs=1e-7)
        assert a[f"{name}.drive.motor.L.flow"] == pytest.approx(b["drive.motor.L.flow"], abs=1e-7)
    changed = dt.compile(hoist()).with_parameters({"drive.R": 4.0})
    assert dt.simulate(changed, 0.3)["drive.motor.L.flow"][-1] < 0.8 * b["drive.motor.L.flow"][-1]


def test_channels_of_graphs_in_a_file_and_a_motor_that_runs_on(tmp_path):
    """`plots` knows the quantities of graphs; at w = U k/(k² + R b) motor and brake balance, and nothing else acts."""
    (tmp_path / "winch.yaml").write_text("""\
duoti: 1
gravity: [0, 0, 0]
bodies: {drum: {inertia: {cylinder: {mass: 5, radius: 0.2, length: 0.1, axis: z}}}}
joints: {J: {type: revolute, axis: z, between: [ground, drum]}}
forces: {brake: {type: joint_damping, joint: J, damping: 0.5}}
bond_graphs:
  drive:
    elements:
      U: {type: Se, value: 24}
      i: {type: "1"}
      L: {type: I, inertia: 0.001}
      R: {type: R, resistance: 0.5}
      K: {type: GY, r: 1.0}
      shaft: {type: Port}
    bonds: [[U, i], [i, L], [i, R], [i, K], [K, shaft]]
    ports: {shaft: J}
simulate: {duration: 1.0}
plots: [drive.L.flow, [drive.i-R.power, drive.power]]
outputs: [drive.L.voltage]
""")
    model = dt.load(tmp_path / "winch.yaml")
    (fault,) = dt.check(model).errors
    assert fault.what.startswith('outputs: there is no quantity "drive.L.voltage"')
    w = 24.0 / (1.0 + 0.5 * 0.5)
    e = dt.equilibrium(model, rates={"J": w})
    assert e.ok
    assert e["drive.L.flow"] == pytest.approx(0.5 * w)
