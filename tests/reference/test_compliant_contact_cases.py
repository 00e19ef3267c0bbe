"""Compliant contact against closed forms and event-accurate integrations."""

from __future__ import annotations

import numpy as np
import pytest
from cases import case
from near import assert_near

import duoti as dt

TIGHT = {"rtol": 1e-11, "atol": 1e-14}


def falling(mass: float, law: dt.CompliantContact, height: float, speed: float, gravity: float) -> dt.Model:
    """A point above a floor."""
    m = dt.Model("impact", gravity=(0, 0, -gravity))
    b = m.add_body("b", dt.Inertia.point(mass), position=(0, 0, height))
    m.add_joint("z", dt.Prismatic("z"), m.ground, b, v0=-speed)
    m.add_contact("floor", law, m.ground, b, shapes=(dt.Shape.plane(), dt.Shape.point()))
    return m


@pytest.mark.parametrize("name", ["C14", "C14v"])
def test_c14_hertz_and_linear_impact(name):
    """Largest penetration, force and time of contact; the ends of contact are events of the run."""
    c = case(name)
    p, ref = c.p["a"], c.reference["a"]
    m = falling(p["m"], dt.CompliantContact(stiffness=p["k"], exponent=1.5), 0.0, p["v"], 0.0)
    m.add_event("deepest", dt.Event("z.velocity", direction="rising"))
    m.add_event("end", dt.Event("b.position.z", direction="rising", terminal=True))
    r = dt.simulate(m, 3 * ref["contact_time"], solver=dt.DOPRI5(**TIGHT))
    deepest, end = r.events
    assert_near([-deepest.q[0], end.t], [ref["delta_max"], ref["contact_time"]], 1e-9)
    assert p["k"] * abs(deepest.q[0]) ** 1.5 == pytest.approx(ref["F_max"], rel=1e-8)
    assert np.max(r["floor.normal_force"]) == pytest.approx(ref["F_max"], rel=1e-4)  # at the outputs
    assert np.max(np.abs(r.energy.residual)) < 1e-9 * p["m"] * p["v"] ** 2

    p, ref = c.p["b"], c.reference["b"]
    law = dt.CompliantContact(stiffness=p["k"], damping=p["c"], tension="allowed")
    m = falling(p["m"], law, 0.0, p["v"], 0.0)
    m.add_event("deepest", dt.Event("z.velocity", direction="rising"))
    m.add_event("end", dt.Event("b.position.z", direction="rising", terminal=True))
    r = dt.simulate(m, 3 * ref["contact_time_until_x_zero"], solver=dt.DOPRI5(**TIGHT))
    deepest, end = r.events[0], r.events[-1]
    wanted = [ref["max_penetration"], ref["contact_time_until_x_zero"], ref["e_until_x_zero"]]
    assert_near([-deepest.q[0], end.t, end.v[0] / p["v"]], wanted, 1e-8)
    # without tension it flies off when the force vanishes, earlier
    law = dt.CompliantContact(stiffness=p["k"], damping=p["c"])
    span = 2 * ref["contact_time_until_x_zero"]
    r = dt.simulate(falling(p["m"], law, 0.0, p["v"], 0.0), span, outputs=span / 2000,
                    solver=dt.DOPRI5(**TIGHT, max_step=span / 200))  # fmt: skip
    pressed = r.t[r["floor.normal_force"] > 0.0]
    assert pressed[-1] == pytest.approx(ref["contact_time_until_force_zero"], abs=2 * r.t[1])


@pytest.mark.parametrize("name", ["X04", "X04v"])
def test_x04_mass_on_a_stop(name):
    """Two bounces on a spring and damper; kinks at the ends of contact cost an adaptive method some digits."""
    c = case(name)
    p = c.p
    law = dt.CompliantContact(stiffness=p["k"], damping=p["c"], tension="allowed")
    m = falling(p["m"], law, p["gap0"], 0.0, p["g"])
    m.add_event("touch", dt.Event("b.position.z"))  # steps end there
    table = c.table
    r = dt.simulate(m, table["t"][-1], outputs=table["t"], solver=dt.DOPRI5(rtol=1e-11, atol=1e-13, max_step=1e-3))
    assert_near(r["floor.gap"], table["gap"], 1e-7)
    assert_near(r["b.velocity.z"], table["v"], 1e-6)
    implicit = dt.simulate(m, table["t"][-1], outputs=table["t"], solver=dt.Radau(rtol=1e-9, atol=1e-11, max_step=1e-3))
    assert_near(implicit["floor.gap"], table["gap"], 1e-6)


def test_c11_tippe_top():
    """The case holds the top on the plane; here a floor of 1e6 N/m does, so that it sinks in by 0.2 micrometres.

    The inversion is a slow instability: errors of the start grow by some hundred times, and a contact that gives way
    shifts it by milliseconds. The reference itself deserves 1e-4 rad; what the compliance adds scales with 1/stiffness.
    """
    c = case("C11")
    p = c.p
    m = dt.Model("tippe top", gravity=(0, 0, -p["g"]))
    tilt = dt.Rotation.about("x", p["theta0"])
    inertia = dt.Inertia(p["m"], matrix=np.diag([p["I1"], p["I1"], p["I3"]]))
    sink = p["m"] * p["g"] / 1e6
    centre = np.array([0, 0, p["R"] - sink])
    axis = tilt.matrix[:, 2]
    top = m.add_body("top", inertia, position=centre - p["a"] * axis, rotation=tilt)
    m.add_joint("free", dt.Free(), m.ground, top, v0=[0, 0, 0, *(p["spin"] * axis)])
    law = dt.CompliantContact(stiffness=1e6, damping=200.0, viscous_friction=p["c"])
    ball = dt.Shape.sphere(p["R"], position=(0, 0, p["a"]))
    m.add_contact("floor", law, m.ground, top, shapes=(dt.Shape.plane(), ball))
    table = c.table
    r = dt.simulate(m, table["t"][-1], outputs=table["t"], solver=dt.Radau(rtol=1e-8, atol=1e-10))
    theta = np.arccos(r["top.axis_z"][:, 2])
    assert_near(theta, table["theta"], 1e-4)
    assert_near(r["floor.normal_force"], table["N"], 1e-4)
