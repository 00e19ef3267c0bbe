"""Cases with rigid contacts by time stepping: errors of the order of the step, as the method promises."""

from __future__ import annotations

import numpy as np
import pytest
from cases import case
from near import assert_near

import duoti as dt

G = 9.81


def test_c01_bouncing_ball_by_time_stepping():
    """An impact is found one step late at most, and each shifts the rest: 12 bounces at up to 4.4 m/s and 1e-4 s."""
    c = case("C01")
    m = dt.Model("ball", gravity=(0, 0, -c.p["g"]))
    ball = m.add_body("ball", dt.Inertia.sphere(c.p["m"], radius=0.1), position=(0, 0, c.p["h"]))
    m.add_joint("free", dt.Free(), m.ground, ball)
    m.add_contact("floor", dt.RigidContact(restitution=c.p["e"]), m.ground, ball,
                  shapes=(dt.Shape.plane(), dt.Shape.point()))  # fmt: skip
    table, h = c.table, 1e-4
    r = dt.simulate(m, 5.0, outputs=table["t"], solver=dt.Moreau(step=h))
    assert r.ok
    assert_near(r["floor.gap"], table["z"], 50 * h)
    assert r["floor.normal_force"][-1] == pytest.approx(c.reference["rest_contact_force_N"], rel=2e-8)  # its tolerance
    # the impulses of the method take out of the energy exactly what they say
    assert np.max(np.abs(r.energy.residual)) < 1e-9


def block(alpha: float, v0: float, mu: float) -> dt.Model:
    """A block on an incline, x up the slope."""
    m = dt.Model("block", gravity=(-G * np.sin(alpha), 0, -G * np.cos(alpha)))
    b = m.add_body("block", dt.Inertia.box(2.0, size=(0.2, 0.2, 0.02)), position=(0, 0, 0.01))
    m.add_joint("free", dt.Free(), m.ground, b, v0=[v0, 0, 0, 0, 0, 0])
    m.add_contact("floor", dt.RigidContact(friction=mu), m.ground, b,
                  shapes=(dt.Shape.plane(), dt.Shape.box((0.2, 0.2, 0.02))))  # fmt: skip
    return m


@pytest.mark.parametrize("name", ["C05", "C05v"])
def test_c05_block_on_incline(name):
    """Sliding is exact, since forces are constant; the step in which it stops is not located: error of a h in v."""
    c, h = case(name), 1e-3
    for key, each in c.reference["cases"].items():
        if not key.startswith("alpha"):
            continue
        alpha = np.radians(float(key.removeprefix("alpha_").removesuffix("deg")))
        t, x, v = np.array(each["values"]).T
        r = dt.simulate(block(alpha, c.p["v0"], c.p["mu"]), t[-1], outputs=t, solver=dt.Moreau(step=h))
        assert r.ok
        assert_near(r["block.position.x"], x, G * h * t[-1])
        assert_near(r["block.velocity.x"], v, G * h)
        if each["sticks"]:
            assert r["floor.state"][-1] == 1.0
            assert abs(r["block.velocity.x"][-1]) < 1e-8 * G * h  # the tolerance of the method
        # corner forces add up to the weight's part across the slope
        assert r["floor.normal_force"][-1] == pytest.approx(2.0 * G * np.cos(alpha), rel=1e-6)
        assert np.max(np.abs(r.energy.residual)) < 1e-9


def test_c05b_sphere_slips_then_rolls():
    """The step in which slip ends is not located: error of the order of a h in v."""
    c, h = case("C05b"), 1e-3
    radius, mu = c.p["r"], c.p["mu"]

    def sphere(gravity, v0=0.0):
        m = dt.Model("sphere", gravity=gravity)
        b = m.add_body("ball", dt.Inertia.sphere(1.5, radius=radius), position=(0, 0, radius))
        m.add_joint("free", dt.Free(), m.ground, b, v0=[v0, 0, 0, 0, 0, 0])
        m.add_contact("floor", dt.RigidContact(friction=mu), m.ground, b,
                      shapes=(dt.Shape.plane(), dt.Shape.sphere(radius)))  # fmt: skip
        return m

    t, x, v, omega = np.array(c.reference["flat_v0_4"]["values"]).T
    r = dt.simulate(sphere((0, 0, -G), 4.0), 1.0, outputs=t, solver=dt.Moreau(step=h))
    assert_near(r["ball.position.x"], x, mu * G * h)
    assert_near(r["ball.velocity.x"], v, mu * G * h)
    assert_near(r["ball.angular_velocity.y"], omega, mu * G * h / radius)
    assert list(r["floor.state"]) == [2.0, 2.0, 1.0, 1.0]
    for degrees, key in ((20, "incline_20deg_roll"), (45, "incline_45deg_slide")):
        a = np.radians(degrees)
        r = dt.simulate(sphere((G * np.sin(a), 0, -G * np.cos(a))), 0.5, outputs=[0.5], solver=dt.Moreau(step=h))
        # constant accelerations are integrated exactly
        assert r["ball.velocity.x"][-1] / 0.5 == pytest.approx(c.reference[key]["a"], rel=1e-9)


def test_c10_coulomb_decay():
    """Peaks of an oscillator with dry friction: each turning point is missed by at most a step."""
    c, h = case("C10"), 1e-4
    p, ref = c.p["b"], c.reference["b"]
    m = dt.Model("oscillator")
    b = m.add_body("mass", dt.Inertia.box(p["m"], size=(0.1, 0.1, 0.1)), position=(0, 0, 0.05))
    m.add_joint("slide", dt.Free(), m.ground, b, q0={"position": (p["x0"], 0, 0)})
    m.add_force("spring", dt.CartesianSpring(m.add_marker("wall", m.ground, (0, 0, 0.05)), b, (p["k"], 0, 0)))
    m.add_contact("floor", dt.RigidContact(friction=p["mu"]), m.ground, b,
                  shapes=(dt.Shape.plane(), dt.Shape.box((0.1, 0.1, 0.1))))  # fmt: skip
    half = ref["half_period"]
    times = half * np.arange(len(ref["peaks"]))
    r = dt.simulate(m, 2.5, outputs=[*times, 2.5], solver=dt.Moreau(step=h))
    assert r.ok
    assert_near(r["mass.position.x"][:-1], ref["peaks"], 2e-4 * h / 1e-4)
    assert_near(r["mass.position.x"][-1:], [ref["rest"]], 2e-4)
    assert abs(r["mass.velocity.x"][-1]) < 1e-11


@pytest.mark.parametrize("name", ["C12", "C12v"])
def test_c12_corner_by_time_stepping(name):
    """A point that is in the corner when a step begins: Moreau's law in one step, to the tolerance.

    A wall that the point leaves anyway is not closed in the middle of the step, so that it has no restitution.
    """
    for each in case(name).reference["cases"]:
        angle = np.radians(each["corner_angle_deg"])
        if np.dot([np.sin(angle), -np.cos(angle)], each["v_minus"]) > 0.0:
            continue
        m = dt.Model("corner", gravity=(0, 0, 0))
        b = m.add_body("b", dt.Inertia.point(1.0))
        m.add_joint("xy", dt.Translation() if hasattr(dt, "Translation") else dt.Free(), m.ground, b,
                    v0=[*each["v_minus"], 0.0])  # fmt: skip
        normals = ([0.0, 1.0, 0.0], [np.sin(angle), -np.cos(angle), 0.0])
        for k, n in enumerate(normals):
            wall = dt.Shape.plane(rotation=dt.Rotation.between("z", n))
            m.add_contact(f"wall{k}", dt.RigidContact(restitution=each["e"]), m.ground, b,
                          shapes=(wall, dt.Shape.point()))  # fmt: skip
        r = dt.simulate(m, 1e-3, outputs=[1e-3], solver=dt.Moreau(step=1e-3))
        assert_near(r["b.velocity"][-1, :2], each["v_plus"], 1e-9)
        impulses = [1e-3 * r[f"wall{k}.normal_force"][-1] for k in range(2)]
        assert_near(impulses, each["impulses"], 1e-7)


def test_c03_newtons_cradle_by_time_stepping():
    """Balls that touch: all contacts are in one problem, as in Moreau's simultaneous law."""
    for each in case("C03").reference["cases"]:
        m = dt.Model("cradle", gravity=(0, 0, 0))
        last = None
        for i, (mass, v) in enumerate(zip(each["m"], each["v_minus"], strict=True)):
            b = m.add_body(f"b{i}", dt.Inertia.sphere(mass, radius=0.1), position=(0.2 * i, 0, 0))
            m.add_joint(f"x{i}", dt.Prismatic("x"), m.ground, b, v0=v)
            if last is not None:
                m.add_contact(f"c{i}", dt.RigidContact(restitution=each["e"]), last, b)
            last = b
        r = dt.simulate(m, 1e-4, outputs=[1e-4], solver=dt.Moreau(step=1e-4))
        assert_near(r.v[-1], each["moreau_simultaneous"], 1e-8)


def test_c06_rocking_block_by_time_stepping():
    """Times of the first impacts and the ratio of rates; an impact is found a step late at most."""
    c, h = case("C06"), 1e-4
    b, height, theta = c.p["b"], c.p["h"], c.p["theta0"]
    m = dt.Model("rocking", gravity=(0, 0, -c.p["g"]))
    turn = dt.Rotation.about("y", theta)  # about the corner at (b, 0, 0)
    centre = np.array([b, 0, 0]) + turn.matrix @ np.array([-b, 0, height])
    block = m.add_body("block", dt.Inertia.box(1.0, size=(2 * b, 0.2, 2 * height)), position=centre, rotation=turn)
    m.add_joint("free", dt.Free(), m.ground, block)
    m.add_contact("floor", dt.RigidContact(friction=2.0), m.ground, block,
                  shapes=(dt.Shape.plane(), dt.Shape.box((2 * b, 0.2, 2 * height))))  # fmt: skip
    r = dt.simulate(m, 1.4, outputs=h, solver=dt.Moreau(step=h))
    assert r.ok
    rate = r["block.angular_velocity.y"]
    jumps = np.flatnonzero(np.abs(np.diff(rate)) > 0.03)
    for k, wanted in zip(jumps[:3], c.reference["impacts"], strict=False):
        assert_near([r.t[k]], [wanted["time"]], 20 * h)
        assert_near([abs(rate[k]), abs(rate[k + 1])], [wanted["omega_before"], wanted["omega_after"]], 50 * h)
    assert len(jumps) >= 3
