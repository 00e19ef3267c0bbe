"""Cases of contact by the engine that their own files do not use: time stepping for event-driven ones, and the
reverse.
"""

from __future__ import annotations

import numpy as np
import pytest
from cases import case
from near import assert_near
from test_event_driven_cases import clearance_crank, mass_on_spring

import duoti as dt

G = 9.81
PLANE = dt.Shape.plane()


@pytest.mark.parametrize("name", ["C04", "C04v"])
def test_c04_oblique_impact_by_time_stepping(name):
    """Newton's law in one step; within it the body turns by w h, which is the error of its velocity."""
    for each in case(name).reference["cases"]:
        mass, radius, h = each["m"], each["r"], 1e-6
        m = dt.Model("sphere", gravity=(0, 0, 0))
        inertia = dt.Inertia(mass, matrix=np.eye(3) * each["k"] * mass * radius**2)
        body = m.add_body("ball", inertia, position=(0, 0, radius))
        m.add_joint("free", dt.Free(), m.ground, body,
                    v0=[each["vt_minus"], 0, each["vn_minus"], 0, -each["omega_minus"], 0])  # fmt: skip
        law = dt.RigidContact(friction=each["mu"], restitution=each["e"])
        m.add_contact("floor", law, m.ground, body, shapes=(PLANE, dt.Shape.sphere(radius)))
        r = dt.simulate(m, h, outputs=[h], solver=dt.Moreau(step=h))
        speeds = [r["ball.velocity.x"][-1], r["ball.velocity.z"][-1], -radius * r["ball.angular_velocity.y"][-1]]
        turn = max(abs(each["omega_minus"]), abs(each["omega_plus"]))
        near = 1e-7 + 2.0 * h * turn * np.hypot(each["vt_minus"], each["vn_minus"])
        assert_near(speeds, [each["vt_plus"], each["vn_plus"], radius * each["omega_plus"]], near)
        assert_near(h * r["floor.force"][-1], [each["Pt"], 0.0, each["Pn"]], mass * near)


def test_c07_slider_crank_with_clearance_by_time_stepping():
    """Beyond the accumulation of impacts: the values of the case for its shortest step, which differ by the order h.

    How often the slider strikes depends on the step, so that its own angle is compared with the play alone.
    """
    c = case("C07")
    tables = c.reference["time_stepping_own"]["values_by_h"]
    shortest = min(tables, key=float)
    t, th1, th2, th3, w1, w2, _ = np.array(tables[shortest]).T
    h = float(shortest)
    r = dt.simulate(clearance_crank(c.p), t[-1], outputs=t, solver=dt.Moreau(step=h))
    assert r.ok, r.reason
    spread = np.abs(np.array(tables[max(tables, key=float)])[:, :6] - np.array(tables[shortest])[:, :6])
    angles, rates = r.q.cumsum(axis=1), r.v.cumsum(axis=1)  # absolute ones
    for found, wanted, column in ((angles[:, 0], th1, 1), (angles[:, 1], th2, 2)):
        assert_near(found, wanted, max(float(spread[:, column].max()), 1e-3))
    for found, wanted, column in ((rates[:, 0], w1, 4), (rates[:, 1], w2, 5)):
        assert_near(found, wanted, max(float(spread[:, column].max()), 1e-2 * np.abs(wanted).max()))
    assert np.abs(angles[:, 2] - th3).max() < 4.0 * c.p["c"] / c.p["a"]


def test_c10_belt_by_time_stepping():
    """The limit cycle of stick and slip; each change is found one step late at most."""
    c, h = case("C10"), 1e-4
    p, wanted = c.p["a"], c.reference["a"]
    m, mass = mass_on_spring(p["m"], p["k"], wanted["x_stick_start"], p["vb"])
    belt = m.add_body("belt", dt.Inertia.point(1.0))
    m.add_joint("drive", dt.Prismatic("x"), m.ground, belt)
    m.add_constraint("speed", dt.JointMotion("drive", f"{p['vb']}*t"))
    weight = p["m"] * G
    law = dt.RigidContact(friction=p["Fk"] / weight, static_friction=p["Fs"] / weight)
    m.add_contact("top", law, belt, mass, shapes=(PLANE, dt.Shape.point()))
    r = dt.simulate(m, 3.0, outputs=1e-3, solver=dt.Moreau(step=h))
    assert r.ok, r.reason
    x, v = r["x.position"].ravel(), r["x.velocity"].ravel()
    # 1e-3 kg of the mass do not move along x; the rest of the tolerance is a step of the belt
    near = 2.0 * p["vb"] * h + 1e-4 * wanted["x_max"]
    assert_near([x.max(), x.min()], [wanted["x_max"], wanted["x_min"]], near)
    assert v.min() == pytest.approx(wanted["v_min"], rel=1e-3)


def test_c10_coulomb_decay_event_driven():
    """Peaks of an oscillator with dry friction, and rest: exact but for the tolerance of the solver."""
    c = case("C10")
    p, wanted = c.p["b"], c.reference["b"]
    m = dt.Model("oscillator")
    b = m.add_body("mass", dt.Inertia.point(p["m"]))
    m.add_joint("slide", dt.Translation(), m.ground, b, q0=(p["x0"], 0, 0))
    m.add_force("spring", dt.CartesianSpring(m.add_marker("wall", m.ground), b, (p["k"], 0, 0)))
    m.add_contact("floor", dt.RigidContact(friction=p["mu"]), m.ground, b, shapes=(PLANE, dt.Shape.point()))
    times = wanted["half_period"] * np.arange(len(wanted["peaks"]))
    r = dt.simulate(m, 2.5, outputs=[*times, 2.5], rtol=1e-10, atol=1e-12)
    assert r.ok, r.reason
    at = np.searchsorted(r.t, times - 1e-9)  # outputs at the instant of a transition are there before and after it
    assert_near(r["mass.position.x"][at], wanted["peaks"], 1e-9)
    assert_near(r["mass.position.x"][-1], wanted["rest"], 1e-9)
    assert r["floor.state"][-1] == 1.0
    assert r["mass.velocity.x"][-1] == 0.0


@pytest.mark.parametrize("name", ["C12", "C12v"])
def test_c12_corner_event_driven(name):
    """A point that arrives at the corner: both walls in one impact."""
    for each in case(name).reference["cases"]:
        angle, before = np.radians(each["corner_angle_deg"]), 0.05
        m = dt.Model("corner", gravity=(0, 0, 0))
        b = m.add_body("b", dt.Inertia.point(1.0))
        start = -before * np.array([*each["v_minus"], 0.0])
        m.add_joint("xy", dt.Translation(), m.ground, b, q0=start, v0=[*each["v_minus"], 0.0])
        normals = ([0.0, 1.0, 0.0], [np.sin(angle), -np.cos(angle), 0.0])
        for k, n in enumerate(normals):
            wall = dt.Shape.plane(rotation=dt.Rotation.between("z", n))
            m.add_contact(f"wall{k}", dt.RigidContact(restitution=each["e"]), m.ground, b,
                          shapes=(wall, dt.Shape.point()))  # fmt: skip
        if any(np.dot(n[:2], each["v_minus"]) > 0.0 for n in normals):
            continue  # it would come out of the second wall: there is no such flight
        r = dt.simulate(m, 0.1, outputs=[0.1])
        assert_near(r["b.velocity"][-1, :2], each["v_plus"], 1e-9)
        found = {i.contact: float(np.linalg.norm(i.impulse)) for i in r.impacts}
        assert_near([found.get(f"wall{k}", 0.0) for k in range(2)], each["impulses"], 1e-9)
