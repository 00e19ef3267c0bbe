"""Reference cases of beams by elements of higher order with few nodes: the same, within the cases' own tolerances.

Static ones are held to more: errors fall with the power 2 p of the elements' length, so that the error left is a small
part of the change from the next coarser mesh, which the comments state.
"""

from __future__ import annotations

import numpy as np
import pytest
from cases import case
from near import assert_near
from test_beam_cases import numbers

import duoti as dt


def tip(beam, L, order, elements, force=(0, 0, 0), moment=(0, 0, 0)):
    """Displacement of the tip of a cantilever."""
    m = dt.Model("cantilever", gravity=(0, 0, 0))
    b = m.add_beam("b", beam, start=(0, 0, 0), end=(L, 0, 0), elements=elements, order=order)
    m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    m.add_force("force", dt.AppliedForce(b.end, force))
    m.add_force("moment", dt.AppliedTorque(b.end, moment))
    e = dt.equilibrium(m)
    assert e.ok, e.reason
    return e["b.end.position"] - (L, 0, 0)


@pytest.mark.parametrize("name", ["F08", "F08v"])
@pytest.mark.parametrize(("order", "elements", "tolerance"), [(4, 3, 2e-5), (6, 2, 1e-6), (8, 1, 4e-6)])
def test_elastica(name, order, elements, tolerance):
    """Accept 1e-4; up to P L²/E I = 10. 4 x 2: 2.1e-4; 3 x 5: 3.2e-5."""
    for alpha, w, u, _ in case(name).reference["values"]:
        found = tip(numbers(1e8, 1e8, 1, 1, 1), 1.0, order, elements, (0, alpha, 0))
        assert_near(found, [-u, w, 0], tolerance)


def test_princeton_beam():
    """Two elements: 3.2e-9, three: 1.3e-10; sixteen of order 1 have 2.3e-6."""
    c = case("F07")
    p = c.p
    beam = numbers(p["EA"], p["GA"], p["GJ"], p["EIyy"], p["EIzz"])
    for key, rows in c.reference["loads"].items():
        P = float(key.split("_")[1].rstrip("N"))
        for degrees, *expected, _ in rows[::2]:
            a = np.deg2rad(degrees)
            found = tip(beam, p["L"], 4, 2, (0, -P * np.cos(a), P * np.sin(a)))
            assert_near(found, expected, 6e-9)


def test_roll_up():
    """To two full turns of 10 m; a circle is no polynomial: 4 x 4: 5.6e-7, 6 x 3: 4e-11."""
    for M, x, y, _ in case("F09").reference["values"]:
        found = tip(numbers(1e4, 1e4, 100, 100, 100), 10.0, 6, 3, moment=(0, 0, M))
        assert_near(found, [x - 10, y, 0], 1e-10)


def test_arc_of_45_degrees():
    """Accept 0.05; 3 x 2: 1.2e-2, 4 x 2: 2e-4 of displacements of 50."""
    p = case("F12").p
    for P, *expected in case("F12").reference["values"]:
        m = dt.Model("arc", gravity=(0, 0, 0))
        line = ("100*sin(pi/4*s)", "100*(1 - cos(pi/4*s))", "0")
        beam = numbers(p["EA"], p["GA"], p["GJ"], p["EI"], p["EI"])
        b = m.add_beam("b", beam, centreline=line, elements=2, order=4)
        m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
        m.add_force("load", dt.AppliedForce(b.end, (0, 0, P)))
        e = dt.equilibrium(m)
        assert e.ok, e.reason
        assert_near(e["b.end.position"] - b.end.position, expected, 1e-3)


def test_spin_up():
    """One element of order 4, on a hub; accept 1e-3."""
    c = case("F02")
    p = c.p
    m = dt.Model("spin-up", gravity=(0, 0, 0))
    stiff = numbers(p["EA"], p["GA"], p["EI"], p["EI"], p["EI"], p["rhoA"], (2 * p["rhoI"], p["rhoI"], p["rhoI"]))
    b = m.add_beam("b", stiff, start=(0, 0, 0), end=(10, 0, 0), elements=1, order=4)
    m.add_joint("hub", dt.Revolute("z"), m.ground, b.start)
    angle = "if(t < 15, 0.4*(t^2/2 + (15/(2*pi))^2*(cos(2*pi*t/15) - 1)), 6*(t - 7.5))"
    m.add_constraint("spin", dt.JointMotion("hub", angle))
    t = c.table["t"]
    r = dt.simulate(m, 20.0, solver=dt.GeneralisedAlpha(step=0.01, rho=0.8), outputs=np.r_[0, t])
    assert r.ok, r.reason
    psi = np.where(t < 15, 0.4 * (t**2 / 2 + (15 / 2 / np.pi) ** 2 * (np.cos(2 * np.pi * t / 15) - 1)), 6 * (t - 7.5))
    x, y = r["b.end.position"][1:, 0], r["b.end.position"][1:, 1]
    assert_near(x * np.cos(psi) + y * np.sin(psi) - 10, c.table["u_tip"], 1e-4)
    assert_near(y * np.cos(psi) - x * np.sin(psi), c.table["w_tip"], 1e-3)


@pytest.mark.parametrize(("order", "elements"), [(5, 2), (4, 3), (2, 6)])
@pytest.mark.parametrize("flat", [True, False])
def test_flying_spaghetti(order, elements, flat):
    """Eleven and thirteen nodes; accept 1e-2. In the plane by planar joints, or in space, which is the same."""
    c = case("F03")
    m = dt.Model("spaghetti", gravity=(0, 0, 0))
    beam = numbers(1e4, 1e4, 500, 500, 500, 1.0, (10, 10, 10))
    b = m.add_beam("b", beam, start=(6, 0, 0), end=(0, 8, 0), elements=elements, order=order)
    for node in b.nodes if flat else ():
        m.add_joint(f"{node.name}.plane", dt.Planar("z"), m.ground, node)
    m.add_force("F", dt.AppliedForce(b.start, (8, 0, 0)))
    m.add_force("M", dt.AppliedTorque(b.start, (0, 0, -80)))
    m.add_state("on", initial=1.0, switches=("F", "M"))
    m.add_event("off", dt.Event("t - 2.5", sets={"on": 0.0}))
    table = c.table
    r = dt.simulate(m, 10.0, solver=dt.GeneralisedAlpha(step=0.01, rho=0.9), outputs=np.r_[0, table["t"]])
    assert r.ok, r.reason
    for end, node in (("A", "start"), ("B", "end")):
        found = r[f"b.{node}.position"][np.searchsorted(r.t, table["t"])]
        assert_near(found[:, 0], table[f"x{end}"], 1e-2)
        assert_near(found[:, 1], table[f"y{end}"], 1e-2)


def test_flexible_pendulum():
    """Five elements of order 4 with 21 nodes; accept 1e-3."""
    c = case("F10")
    p = c.p
    EA, EI, rhoA = p["E"] * p["A"], p["E"] * p["I"], p["rho"] * p["A"]
    m = dt.Model("pendulum", gravity=(0, -9.81, 0))
    beam = numbers(EA, 10 * EA, EI, EI, EI, rhoA, (1e-6, 0, 0))
    b = m.add_beam("b", beam, start=(0, 0, 0), end=(p["L"], 0, 0), elements=5, order=4)
    m.add_joint("hinge", dt.Revolute("z"), m.ground, b.start)
    for node in b.nodes[1:]:
        m.add_joint(f"{node.name}.plane", dt.Planar("z"), m.ground, node)
    table = c.table
    r = dt.simulate(m, 1.0, solver=dt.GeneralisedAlpha(step=5e-4, rho=0.8), outputs=np.r_[0, table["t"]])
    assert r.ok, r.reason
    expected = np.column_stack([table["x_tip"], table["y_tip"]])
    assert_near(r["b.end.position"][1:, :2], expected, 1e-3)


def test_right_angle_cantilever():
    c = case("F11")
    m = dt.Model("right angle", gravity=(0, 0, 0))
    beam = numbers(1e6, 1e6, 1e3, 1e3, 1e3, 1.0, (20, 10, 10))
    a = m.add_beam("a", beam, start=(0, 0, 0), end=(10, 0, 0), elements=1, order=5)
    b = m.add_beam("b", beam, start=(10, 0, 0), end=(10, 10, 0), elements=1, order=5)
    m.add_joint("clamp", dt.Fixed(), m.ground, a.start)
    m.add_joint("elbow", dt.Fixed(), a.end, b.start)
    m.add_force("F", dt.AppliedForce(a.end, (0, 0, "50*max(0, min(t, 2 - t))")))
    rows = np.array(c.reference["values_richardson"])[:6]
    r = dt.simulate(m, 10.0, solver=dt.GeneralisedAlpha(step=0.02, rho=0.8), outputs=np.r_[0, rows[:, 0]])
    assert r.ok, r.reason
    assert_near(r["a.end.position"][1:7], rows[:, 1:4], 0.02)  # Exudyn with 16 elements a leg differs by 0.02
    assert_near(r["b.end.position"][1:7], rows[:, 4:7], 0.02)
