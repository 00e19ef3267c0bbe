"""Reference cases of beams: large deflections, frequencies and motions.

Static elements have errors of second order, measured here with the number of elements; where a case gives digits beyond
that, the tolerance is twice the change from half as many elements, which is three times the error left.
"""

from __future__ import annotations

import numpy as np
import pytest
from cases import case
from near import assert_near

import duoti as dt

ROOT = np.sqrt(0.5)


def numbers(EA, GA, GJ, EIy, EIz, mass=1.0, rotary=(1e-3, 1e-3, 1e-3)):
    GAy, GAz = np.broadcast_to(GA, 2)
    return dt.Beam.from_stiffness(
        EA=EA, GAy=GAy, GAz=GAz, GJ=GJ, EIy=EIy, EIz=EIz, mass_per_length=mass, rotary_inertia=rotary
    )


def tip(beam, L, force=(0, 0, 0), moment=(0, 0, 0), elements=16, direction=(1, 0, 0)):
    """Displacement of the tip of a cantilever."""
    end = L * np.array(direction)
    m = dt.Model("cantilever", gravity=(0, 0, 0))
    b = m.add_beam("b", beam, start=(0, 0, 0), end=end, elements=elements)
    m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    m.add_force("force", dt.AppliedForce(b.end, force))
    m.add_force("moment", dt.AppliedTorque(b.end, moment))
    e = dt.equilibrium(m)
    assert e.ok, e.reason
    return e["b.end.position"] - end


@pytest.mark.parametrize("name", ["F08", "F08v"])
def test_elastica(name):
    for alpha, w, u, _ in case(name).reference["values"]:
        found = tip(numbers(1e8, 1e8, 1, 1, 1), 1.0, (0, alpha, 0))
        assert_near(found, [-u, w, 0], 1e-5)  # accept 1e-4


def test_princeton_beam():
    c = case("F07")
    p = c.p
    beam = numbers(p["EA"], p["GA"], p["GJ"], p["EIyy"], p["EIzz"])
    for key, rows in c.reference["loads"].items():
        P = float(key.split("_")[1].rstrip("N"))
        for degrees, *expected, _ in rows:
            a = np.deg2rad(degrees)
            found = tip(beam, p["L"], (0, -P * np.cos(a), P * np.sin(a)), elements=12)
            assert_near(found, expected, 6e-6)  # 16 elements: 2.3e-6, and falling with h²


def test_roll_up():
    c = case("F09")
    for M, x, y, _ in c.reference["values"]:
        found = tip(numbers(1e4, 1e4, 100, 100, 100), 10.0, moment=(0, 0, M), elements=8)
        assert_near(found, [x - 10, y, 0], 1e-10)  # a circle is in the space of the element


def test_arc_of_45_degrees():
    c = case("F12")
    p = c.p
    for P, *expected in c.reference["values"]:
        m = dt.Model("arc", gravity=(0, 0, 0))
        line = ("100*sin(pi/4*s)", "100*(1 - cos(pi/4*s))", "0")
        b = m.add_beam("b", numbers(p["EA"], p["GA"], p["GJ"], p["EI"], p["EI"]), centreline=line, elements=16)
        m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
        m.add_force("load", dt.AppliedForce(b.end, (0, 0, P)))
        e = dt.equilibrium(m)
        assert e.ok, e.reason
        assert_near(e["b.end.position"] - b.end.position, expected, 0.05)


def test_static_cantilevers_in_space_and_plane():
    reference = case("X10").reference["tip_displacement_own_converged"]
    E, G, k = 2.07e11, 2.07e11 / 2.6, 13 / 15.3
    A, Iy, Iz = 0.05, 0.5 * 0.1**3 / 12, 0.1 * 0.5**3 / 12
    found = tip(numbers(E * A, k * G * A, G * (Iy + Iz), E * Iy, E * Iz), 2.0, (0, 6.25e7, 0))
    assert_near(found, reference["Cantilever2011"], 2e-5)
    A, Iy, Iz = 0.08, 0.2 * 0.4**3 / 12, 0.4 * 0.2**3 / 12
    stiff = numbers(E * A, (0.8331 * G * A, 0.7961 * G * A), 0.5768 * G * (Iy + Iz), E * Iy, E * Iz)
    assert_near(tip(stiff, 2.0, moment=(5e5, 2e6, 0)), reference["GeneralBending2013"], 2e-6)
    p = case("F07").p
    thin = numbers(p["EA"], p["GA"], p["GJ"], p["EIyy"], p["EIzz"])
    for name, P in (("PrincetonF2", 8.896), ("PrincetonF3", 13.345)):
        assert_near(tip(thin, p["L"], (0, -P * ROOT, P * ROOT)), reference[name], 2e-5)
    G, A, I = 7.9615e10, 0.05, 0.1 * 0.5**3 / 12
    load, expected = 6.25e7 * ROOT, case("X11").reference["tip_displacement_own"]
    flat = numbers(E * A, k * G * A, 1e8, E * I, E * I)
    found = tip(flat, 2.0, (load, -load, 0), (0, 0, -5e8), direction=(ROOT, ROOT, 0))
    assert_near(found[:2], expected, 3e-4)  # 16 elements turn by 2.1 rad altogether


def test_frame():
    """The case itself has 8 elements with an error of about a per cent."""
    c = case("X12")
    section = dt.Section.rectangle(width=0.05, height=0.1)
    k = 13 / 15.3
    steel = dt.Material(youngs_modulus=2.1e11, poisson_ratio=0.3, density=7800)
    beam = dt.Beam(section.changed(shear_factors=(k, k)), steel)

    def found(elements):
        m = dt.Model("frame", gravity=(0, 0, 0))
        a = m.add_beam("a", beam, start=(0, 0, 0), end=(1, 0, 0), elements=elements)
        b = m.add_beam("b", beam, start=(1, 0, 0), end=(1, 1, 0), elements=elements)
        m.add_joint("clamp", dt.Fixed(), m.ground, a.start)
        m.add_joint("corner", dt.Fixed(), a.end, b.start)
        m.add_force("pull", dt.AppliedForce(b.end, (1e6, 0, 0)))
        e = dt.equilibrium(m)
        assert e.ok, e.reason
        return e["b.end.position"][1] - 1.0

    assert_near(found(4), c.reference["exudyn_tip_uy"], 1e-2, relative=True)
    assert found(8) == pytest.approx(found(16), rel=2e-4)


@pytest.mark.parametrize(("ends", "elements"), [("cantilever", 16), ("free_free", 24), ("clamped_pinned", 16)])
def test_frequencies_of_beams(ends, elements):
    """Rotary inertia and shear count for (r/L)² and are kept below 1e-5; fourth order in the length of elements."""
    beta = np.array(case("F05").reference["betaL"][ends], dtype=float)
    m = dt.Model("beam", gravity=(0, 0, 0))
    beam = numbers(1e6, 1e6, 1e4, 1.0, 4.0, rotary=(1e-2, 0, 0))
    b = m.add_beam("b", beam, start=(0, 0, 0), end=(1, 0, 0), elements=elements)
    if ends != "free_free":
        m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    if ends == "clamped_pinned":
        m.add_joint("pin", dt.Revolute("y"), m.ground, b.end)
    omega = 2 * np.pi * dt.linearise(m).frequencies
    for k, tolerance in ((0, 1e-4), (1, 1e-3)):
        nearest = omega[np.argmin(np.abs(omega - beta[k] ** 2))]
        assert_near(nearest, beta[k] ** 2, tolerance, relative=True)


def test_spin_up():
    c = case("F02")
    p = c.p
    m = dt.Model("spin-up", gravity=(0, 0, 0))
    hub = m.add_body("hub", dt.Inertia.sphere(1.0, 0.1))
    m.add_joint("J", dt.Revolute("z"), m.ground, hub, at=(0, 0, 0))
    stiff = numbers(p["EA"], p["GA"], p["EI"], p["EI"], p["EI"], p["rhoA"], (2 * p["rhoI"], p["rhoI"], p["rhoI"]))
    b = m.add_beam("b", stiff, start=(0, 0, 0), end=(10, 0, 0), elements=8)
    m.add_joint("clamp", dt.Fixed(), hub, b.start)
    angle = "if(t < 15, 0.4*(t^2/2 + (15/(2*pi))^2*(cos(2*pi*t/15) - 1)), 6*(t - 7.5))"
    m.add_constraint("spin", dt.JointMotion("J", angle))
    table = c.table
    t = table["t"]
    r = dt.simulate(m, 20.0, solver=dt.GeneralisedAlpha(step=0.01, rho=0.8), outputs=np.r_[0, t])
    assert r.ok, r.reason
    psi = np.where(t < 15, 0.4 * (t**2 / 2 + (15 / 2 / np.pi) ** 2 * (np.cos(2 * np.pi * t / 15) - 1)), 6 * (t - 7.5))
    x, y = r["b.end.position"][1:, 0], r["b.end.position"][1:, 1]
    assert_near(x * np.cos(psi) + y * np.sin(psi) - 10, table["u_tip"], 1e-4)
    assert_near(y * np.cos(psi) - x * np.sin(psi), table["w_tip"], 1e-3)  # accept 1e-3


def test_flying_spaghetti():
    c = case("F03")
    m = dt.Model("spaghetti", gravity=(0, 0, 0))
    beam = numbers(1e4, 1e4, 500, 500, 500, 1.0, (10, 10, 10))
    b = m.add_beam("b", beam, start=(6, 0, 0), end=(0, 8, 0), elements=32)
    m.add_force("F", dt.AppliedForce(b.start, (8, 0, 0)))
    m.add_force("M", dt.AppliedTorque(b.start, (0, 0, -80)))
    m.add_state("on", initial=1.0, switches=("F", "M"))
    m.add_event("off", dt.Event("t - 2.5", sets={"on": 0.0}))
    table = c.table
    r = dt.simulate(m, 10.0, solver=dt.GeneralisedAlpha(step=0.01, rho=0.9), outputs=np.r_[0, table["t"]])
    assert r.ok, r.reason
    for end, node in (("A", "start"), ("B", "end")):
        found = r[f"b.{node}.position"][np.searchsorted(r.t, table["t"])]
        assert_near(found[:, 0], table[f"x{end}"], 1e-2)  # accept 1e-2
        assert_near(found[:, 1], table[f"y{end}"], 1e-2)


def test_flexible_pendulum():
    c = case("F10")
    p = c.p
    EA, EI, rhoA = p["E"] * p["A"], p["E"] * p["I"], p["rho"] * p["A"]
    m = dt.Model("pendulum", gravity=(0, -9.81, 0))
    b = m.add_beam(
        "b", numbers(EA, 10 * EA, EI, EI, EI, rhoA, (1e-6, 0, 0)), start=(0, 0, 0), end=(p["L"], 0, 0), elements=40
    )
    m.add_joint("hinge", dt.Revolute("z"), m.ground, b.start)
    table = c.table
    r = dt.simulate(m, 1.0, solver=dt.GeneralisedAlpha(step=5e-4, rho=0.8), outputs=np.r_[0, table["t"]])
    assert r.ok, r.reason
    expected = np.column_stack([table["x_tip"], table["y_tip"]])
    assert_near(r["b.end.position"][1:, :2], expected, 1e-3)  # accept 1e-3


def test_flexible_pendulum_through_points():
    """A thin beam of 24 pieces and Verlet's method: 0.2 mm of the mesh, and (omega h)²/24 of what bends."""
    c = case("F10")
    p = c.p
    EA, EI, rhoA = p["E"] * p["A"], p["E"] * p["I"], p["rho"] * p["A"]
    m = dt.Model("pendulum", gravity=(0, -9.81, 0))
    b = m.add_cable("b", m.ground, (p["L"], 0, 0), EA, rhoA, elements=24, bending_stiffness=EI, thin=True)
    table = c.table
    r = dt.simulate(m, 1.0, solver=dt.Verlet(step=1e-3), outputs=np.r_[0, table["t"]])
    assert r.ok, r.reason
    expected = np.column_stack([table["x_tip"], table["y_tip"]])
    assert_near(r[f"{b.end.name}.position"][1:, :2], expected, 1e-3)  # accept 1e-3


def test_right_angle_cantilever():
    c = case("F11")
    m = dt.Model("right angle", gravity=(0, 0, 0))
    beam = numbers(1e6, 1e6, 1e3, 1e3, 1e3, 1.0, (20, 10, 10))
    a = m.add_beam("a", beam, start=(0, 0, 0), end=(10, 0, 0), elements=10)
    b = m.add_beam("b", beam, start=(10, 0, 0), end=(10, 10, 0), elements=10)
    m.add_joint("clamp", dt.Fixed(), m.ground, a.start)
    m.add_joint("elbow", dt.Fixed(), a.end, b.start)
    m.add_force("F", dt.AppliedForce(a.end, (0, 0, "50*max(0, min(t, 2 - t))")))
    rows = np.array(c.reference["values_richardson"])[:6]
    r = dt.simulate(m, 10.0, solver=dt.GeneralisedAlpha(step=0.02, rho=0.8), outputs=np.r_[0, rows[:, 0]])
    assert r.ok, r.reason
    assert_near(r["a.end.position"][1:7], rows[:, 1:4], 0.02)  # Exudyn with 16 elements a leg differs by 0.02
    assert_near(r["b.end.position"][1:7], rows[:, 4:7], 0.02)
