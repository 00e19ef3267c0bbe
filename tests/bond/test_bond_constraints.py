"""Storages without a freedom of their own behind ratios that change, and flows that a graph gives to a mechanism."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import duoti as dt
from duoti.bond import MGY, MTF, TF, BondGraphError, C, ForcePort, Graph, I, One, Port, R, Se, Sf, TorquePort, Zero
from duoti.bond.compiled.coupled import model_of
from support.random_graphs import random_graph

TIGHT = dt.DOP853(rtol=1e-12, atol=1e-12)
RATIO = "-r*sin({0})*(1 + r*cos({0})/sqrt(l^2 - (r*sin({0}))^2))"
"""Speed of a slider by the speed of its crank; the angle from the line of the slider."""


def connected(elements: dict, bonds: str, **options) -> Graph:
    g = Graph("graph", **options)
    for name, element in elements.items():
        g.add(name, element)
    for bond in bonds.split():
        g.bond(*bond.split("-"))
    return g


def slider_crank_graph(slider_first: bool = False) -> Graph:
    """Flywheel, slider and a force on the slider; the angle is the displacement of a C without effort."""
    elements = {
        "w": One(), "J": I(0.05, initial=0.5), "phi": C(effort="0*q", initial=0.3),
        "T": MTF(RATIO.format("phi.displacement")), "v": One(), "m": I(1.5), "M": Se("0.7*sin(3*t)"), "b": R(0.4),
    }  # fmt: skip
    if slider_first:
        elements = {"m": elements.pop("m"), **elements}
    return connected(elements, "M-w w-J w-phi w-T T-v v-m v-b", parameters={"r": 0.1, "l": 0.35})


def slider_crank(with_slider: bool = True) -> dt.Model:
    """The same as bodies, with a rod that is a distance; without the slider it is left to a graph."""
    m = dt.Model("crank", gravity=(0, 0, 0), parameters={"r": 0.1, "l": 0.35})
    m.add_body("wheel", dt.Inertia(1.0, matrix=0.05 * np.eye(3)), position=(0, 0, 0))
    m.add_joint("J", dt.Revolute("z"), m.ground, "wheel", at=(0, 0, 0), q0=0.3, v0=10.0)
    m.add_force("M", dt.JointTorque("J", "0.7*sin(3*t)"))
    if with_slider:
        m.add_body("slider", dt.Inertia.point(1.5), position=(0.45, 0, 0))
        m.add_joint("S", dt.Prismatic("x"), m.ground, "slider", at=(0.45, 0, 0))
        m.add_marker("pin", "wheel", (0.1, 0, 0))
        m.add_constraint("rod", dt.Distance("pin", "slider", 0.35))
        m.add_force("b", dt.JointDamping("S", 0.4))
    return m


def test_slider_crank_by_a_modulated_transformer_is_the_multibody_model():
    g = slider_crank_graph()
    assert g.causality().derivative_names == ["m"]
    assert slider_crank_graph(slider_first=True).causality().derivative_names == ["m"]  # no division at dead centres
    r = dt.simulate(g, 1.5, outputs=0.05, solver=TIGHT)
    bodies = slider_crank()
    s = dt.simulate(bodies, 1.5, outputs=0.05, solver=TIGHT)
    assert r["J.flow"] == pytest.approx(s["J.rate"], abs=1e-8)  # both with 1e-12 a step, over three turns
    assert r["phi.displacement"] == pytest.approx(s["J.angle"], abs=1e-9)
    assert r["m.flow"] == pytest.approx(s["S.velocity"], abs=1e-9)
    assert r["m.effort"] == pytest.approx(1.5 * s["S.a"], abs=1e-6)  # the constraint effort, of second derivatives
    assert r["w-T.power"] == pytest.approx(r["T-v.power"], abs=1e-13)
    assert np.max(np.abs(r.energy.residual)) < 1e-9
    assert r.energy.elastic == pytest.approx(s.energy.kinetic, abs=1e-8)
    implicit = dt.simulate(g, 1.5, outputs=0.05, solver=dt.Radau(rtol=1e-10, atol=1e-12))
    assert implicit["J.flow"] == pytest.approx(r["J.flow"], abs=1e-6)


def test_other_parameters_reach_the_rates_of_ratios():
    """The derivative of a ratio is made from the same parameters as the ratio; graphs by themselves have no name."""
    g = slider_crank_graph()
    changed = dt.compile(model_of(g)).with_parameters(r=0.12)
    g.parameters["r"] = 0.12
    a, b = (dt.simulate(each, 0.5, outputs=0.1, solver=TIGHT) for each in (changed, g))
    assert a["J.flow"] == pytest.approx(b["J.flow"], abs=1e-12)
    assert abs(a["J.flow"][-1] - dt.simulate(slider_crank_graph(), 0.5, solver=TIGHT)["J.flow"][-1]) > 0.1


def test_linearised_rates_of_a_dependent_storage():
    """Eigenvalues in the initial state, against differences of the reduced equation of motion."""
    r, l = 0.1, 0.35

    def ratio(q):
        return -r * np.sin(q) * (1 + r * np.cos(q) / np.sqrt(l * l - (r * np.sin(q)) ** 2))

    def rate(q, w):  # (J + m f²) w' = M - m f f' w² - b f² w, at t = 0
        f, slope = ratio(q), ratio(q + 1e-20j).imag / 1e-20
        return (-1.5 * f * slope * w * w - 0.4 * f * f * w) / (0.05 + 1.5 * f * f)

    h = 1e-5
    by_q = (rate(0.3 + h, 10.0) - rate(0.3 - h, 10.0)) / (2 * h)
    by_w = (rate(0.3, 10.0 + h) - rate(0.3, 10.0 - h)) / (2 * h)
    expected = np.linalg.eigvals(np.array([[0.0, 1.0], [by_q, by_w]]))
    found = dt.linearise(slider_crank_graph()).eigenvalues
    assert np.sort_complex(found) == pytest.approx(np.sort_complex(expected), abs=1e-6)


def test_a_slider_that_moves_with_the_mechanism_through_a_changing_ratio():
    """The wheel is a body, the slider an I behind an MTF that reads the joint's angle."""
    m = slider_crank(with_slider=False)
    g = connected(
        {"p": Port(), "T": MTF(RATIO.format("J.angle")), "v": One(), "m": I(1.5), "b": R(0.4)}, "p-T T-v v-m v-b"
    )
    m.add_bond_graph("rod", g, ports={"p": "J"})
    notes = [finding.what for finding in dt.check(m).findings]
    assert any('"m" moves with the mechanism at port "p": a body behind a constraint' in note for note in notes)
    r, s = (dt.simulate(each, 1.0, outputs=0.05, solver=TIGHT) for each in (m, slider_crank()))
    assert r["J.rate"][0] == pytest.approx(10.0, abs=1e-12)
    assert r["J.rate"] == pytest.approx(s["J.rate"], abs=1e-8)
    assert r["rod.m.flow"] == pytest.approx(s["S.velocity"], abs=1e-9)
    assert r["rod.m.effort"] == pytest.approx(1.5 * s["S.a"], abs=1e-6)
    assert r["rod.T-v.effort"] == pytest.approx(r["rod.m.effort"] + r["rod.b.effort"], abs=1e-9)
    assert r["rod.p-T.power"] == pytest.approx(r["rod.T-v.power"], abs=1e-9)
    assert r["rod.m.energy"] == pytest.approx(0.75 * s["S.velocity"] ** 2, abs=1e-8)
    assert np.max(np.abs(r.energy.residual)) < 1e-8


def changing(g: Graph) -> Graph:
    """The same graph with ratios that are laws, although they do not change."""
    made = Graph("changing")
    for name, element in g.elements.items():
        if element.kind in ("TF", "GY"):
            modulated = MTF if element.kind == "TF" else MGY
            made.add(name, modulated(f"{element.modulus} + 0*t"))
        else:
            made.add(name, element)
    made.bonds = list(g.bonds)
    return made


def test_constraint_efforts_are_those_of_merged_storages():
    """Random graphs with transformers and gyrators: merged, and with the constraint efforts as unknowns."""
    rng = np.random.default_rng(11)
    compared = kept = 0
    while compared < 40:
        g = random_graph(rng)
        storages = [name for name, e in g.elements.items() if e.kind in "CI"]
        if not any(e.kind in ("TF", "GY") for e in g.elements.values()) or len(storages) < 2:
            continue
        try:
            derivative = set(g.causality().derivative_names)
            if not derivative or set(changing(g).causality().derivative_names) != derivative:
                continue  # others are kept as states: other coordinates
            for name in storages:
                if name not in derivative:
                    g.elements[name].initial = float(rng.normal())
            merged, found = (dt.simulate(each, 1e-9, outputs=[1e-9]) for each in (g, changing(g)))
        except BondGraphError:
            continue
        compared += 1
        plan = found.model.forces["graph"].plan
        kept += any(law.derivative_of >= 0 for law in plan.laws)
        channels = [f"{bond.name}.{what}" for bond in g.flat().bonds for what in ("effort", "flow")]
        a, b = (np.array([r[name][0] for name in channels]) for r in (merged, found))
        assert b == pytest.approx(a, abs=1e-12 * (1.0 + np.max(np.abs(a)))), compared
    assert kept > 10


def test_a_storage_with_a_law_that_follows_from_another_one():
    """Two wheels on one shaft, the second with a momentum p(w) of its own: w = p/2 + p^3. (J + dp/dw) dw/dt = M."""
    g = connected(
        {"M": Se("2*cos(t)"), "w": One(), "J": I(0.5), "J2": I(flow="p/2 + p^3"), "b": R(0.3)}, "M-w w-J w-J2 w-b"
    )
    r = dt.simulate(g, 3.0, outputs=0.1, solver=TIGHT)
    p = r["J2.momentum"]
    assert p / 2 + p**3 == pytest.approx(r["J.flow"], abs=1e-12)
    rates = lambda t, y: [(2 * np.cos(t) - 0.3 * (y[0] / 2 + y[0] ** 3)) / (1 + 0.5 * (0.5 + 3 * y[0] ** 2))]  # noqa: E731
    expected = solve_ivp(rates, (0, 3), [0.0], t_eval=r.t, rtol=1e-12, atol=1e-13, method="DOP853").y[0]
    assert p == pytest.approx(expected, abs=1e-9)
    assert r.energy.elastic == pytest.approx(0.25 * r["J.flow"] ** 2 + p**2 / 4 + p**4 / 4, abs=1e-9)
    assert np.max(np.abs(r.energy.residual)) < 1e-8
    assert "constraint equations" in g.equations()
    radau = dt.simulate(g, 3.0, outputs=0.1, solver=dt.Radau(rtol=1e-10, atol=1e-12))
    assert radau["J2.momentum"] == pytest.approx(p, abs=1e-7)


def test_a_dependent_storage_whose_law_changes_with_the_time():
    """w = p (1 + t): p = w/(1 + t), (J + 1/(1 + t)) dw/dt = M + w/(1 + t)²; that it is no store of energy is said."""
    g = connected({"M": Se(2.0), "w": One(), "J": I(0.5), "J2": I(flow="p*(1 + t)")}, "M-w w-J w-J2")
    with pytest.warns(dt.errors.SimulationWarning, match="balance of energy is lost"):
        r = dt.simulate(g, 2.0, outputs=0.1, solver=TIGHT)
    rates = lambda t, w: (2.0 + w / (1 + t) ** 2) / (0.5 + 1 / (1 + t))  # noqa: E731
    expected = solve_ivp(rates, (0, 2), [0.0], t_eval=r.t, rtol=1e-12, atol=1e-13, method="DOP853").y[0]
    assert r["J.flow"] == pytest.approx(expected, abs=1e-10)


def test_what_has_no_rate_is_refused_by_name():
    shaft = {"M": Se(1.0), "w": One(), "J": I(0.5), "v": One(), "m": I(1.0)}
    bonds = "M-w w-J w-T T-v v-m"
    with pytest.raises(BondGraphError, match=r'"m" .*"T", whose law is a Python function'):
        dt.simulate(connected({**shaft, "T": MTF(lambda t: 1.0 + t)}, bonds), 1.0)
    with pytest.raises(BondGraphError, match=r'"m" .*"T", which reads an effort that depends on accelerations'):
        dt.simulate(connected({**shaft, "T": MTF("1 + m.effort")}, bonds), 1.0)
    with pytest.raises(BondGraphError, match='"m" follows from others: leave out initial=2'):
        dt.simulate(connected({**shaft, "m": I(1.0, initial=2.0), "T": MTF("1 + t")}, bonds), 1.0)
    with pytest.raises(BondGraphError, match='"m" follows from others, which make it 0: leave out initial=2'):
        dt.simulate(connected({**shaft, "m": I(1.0, initial=2.0), "T": TF(2.0)}, bonds), 1.0)


# ------------------------------------------------------------------------------------- flows into the mechanism


def swing(rate: float | None = None) -> dt.Model:
    m = dt.Model("swing", gravity=(0, 0, -9.81))
    m.add_body("arm", dt.Inertia.rod(2.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("J", dt.Revolute("-y"), m.ground, "arm", at=(0, 0, 0), v0=rate)
    m.add_marker("foot", m.ground, (0.3, 0, -1.0))
    m.add_marker("tip", "arm", (0.4, 0, 0))
    return m


@pytest.mark.parametrize("port", [("foot", "tip"), ForcePort("foot", "tip", "z"), TorquePort("foot", "tip", "y")])
def test_a_source_of_flow_between_two_markers_is_a_constraint(port):
    """A rod that extends at a given speed, a point lifted, an arm turned: the effort does all the work there is."""
    m = swing()
    g = connected({"v": Sf("0.3*cos(2*t)"), "p": Port()}, "v-p")
    m.add_bond_graph("drive", g, ports={"p": port})
    r = dt.simulate(m, 0.5, outputs=0.05, solver=TIGHT)
    assert r["drive.p.flow"] == pytest.approx(0.3 * np.cos(2 * r.t), abs=1e-10)
    if port == ("foot", "tip"):
        length = np.linalg.norm(r["tip.position"] - r["foot.position"], axis=1)
        assert length == pytest.approx(length[0] + 0.15 * np.sin(2 * r.t), abs=1e-9)
    # the arm's own equation: J w' + m g l cos = effort times the lever
    lever = r["drive.p.flow"] / r["J.rate"]
    torque = (2.0 / 3.0) * r["J.a"] + 2.0 * 9.81 * 0.5 * np.cos(r["J.angle"])
    assert r["drive.p.effort"] * lever == pytest.approx(torque, abs=1e-7)
    assert np.max(np.abs(r.energy.residual)) < 1e-8


def test_an_inertia_on_a_line_is_a_body_behind_a_constraint():
    """A mass that moves as fast as a rope pays out: M(q) = J + m (dl/dq)², by hand."""
    m = swing(0.5)
    m.add_bond_graph("rope", connected({"p": Port(), "v": One(), "m": I(3.0)}, "p-v v-m"), ports={"p": ("foot", "tip")})
    r = dt.simulate(m, 0.4, outputs=0.05, solver=TIGHT)

    def length(q):
        return np.sqrt((0.9 * np.cos(q) - 0.3) ** 2 + (0.9 * np.sin(q) + 1.0) ** 2)

    def slope(q):
        return (-0.9 * np.sin(q) * (0.9 * np.cos(q) - 0.3) + 0.9 * np.cos(q) * (0.9 * np.sin(q) + 1.0)) / length(q)

    def rates(_, y):
        h = 1e-6
        bend = (slope(y[0] + h) - slope(y[0] - h)) / (2 * h)
        J, s = 2.0 / 3.0, slope(y[0])
        return [y[1], (-9.81 * np.cos(y[0]) - 3.0 * s * bend * y[1] ** 2) / (J + 3.0 * s * s)]

    expected = solve_ivp(rates, (0, 0.4), [0.0, 0.5], t_eval=r.t, rtol=1e-11, atol=1e-12, method="DOP853").y
    assert r["J.rate"] == pytest.approx(expected[1], abs=1e-8)  # differences of 1e-6 in the slope of the slope
    assert r["rope.m.flow"] == pytest.approx(slope(r["J.angle"]) * r["J.rate"], abs=1e-10)
    assert np.max(np.abs(r.energy.residual)) < 1e-8


def test_a_spring_in_derivative_causality_through_a_changing_gyrator():
    """e_k = r(t) f_J: the spring follows from the inertia (the other way would divide by r), against a plain ODE."""
    g = connected(
        {"F": Sf("sin(t)"), "n": Zero(), "k": C(0.5), "G": MGY("2 + 0.5*cos(t)"), "w": One(), "J": I(0.8, initial=0.13),
         "b": R(2.0)},
        "F-n n-k n-G G-w w-J w-b",
    )  # fmt: skip
    assert g.causality().derivative_names == ["k"]
    r = dt.simulate(g, 2.0, outputs=0.1, solver=TIGHT)
    ratio = 2 + 0.5 * np.cos(r.t)
    assert r["n-G.effort"] == pytest.approx(ratio * r["G-w.flow"], abs=1e-12)
    assert np.max(np.abs(r.energy.residual)) < 1e-9

    def rates(t, y):  # y = effort of the spring; 0.5 y' = sin t - (0.8 f' + 2 f)/r, f = y/r
        m, slope = 2 + 0.5 * np.cos(t), -0.5 * np.sin(t)
        return (np.sin(t) + 0.8 * y * slope / m**3 - 2 * y / m**2) / (0.5 + 0.8 / m**2)

    expected = solve_ivp(rates, (0, 2), [0.13 / 0.8 * 2.5], t_eval=r.t, rtol=1e-12, atol=1e-13, method="DOP853").y[0]
    assert r["k.effort"] == pytest.approx(expected, abs=1e-10)
