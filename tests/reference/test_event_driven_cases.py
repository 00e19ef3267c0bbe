"""Cases with rigid contacts by the event-driven engine: impacts and changes of contacts are located."""

from __future__ import annotations

import numpy as np
import pytest
from cases import case
from near import assert_near

import duoti as dt

G = 9.81
PLANE = dt.Shape.plane()


def test_c01_bouncing_ball():
    """Impact times and motion to 1e-9, as the case asks; after the accumulation of impacts the ball lies still."""
    c = case("C01")
    m = dt.Model("ball", gravity=(0, 0, -c.p["g"]))
    ball = m.add_body("ball", dt.Inertia.sphere(c.p["m"], radius=0.1), position=(0, 0, c.p["h"]))
    m.add_joint("free", dt.Free(), m.ground, ball)
    m.add_contact("floor", dt.RigidContact(restitution=c.p["e"]), m.ground, ball, shapes=(PLANE, dt.Shape.point()))
    table = c.table
    r = dt.simulate(m, 5.0, outputs=table["t"])
    assert r.ok, r.reason
    assert "located" in " ".join(r.stats.notes)
    assert_near(r["floor.gap"], table["z"], 1e-9)
    assert_near(r["ball.velocity.z"], table["v"], 1e-9)
    first = np.array(c.reference["impact_times_and_post_velocities"])
    impacts = r.impacts[: len(first)]
    assert_near(np.array([i.time for i in impacts]), first[:, 0], 1e-9)
    assert_near(np.array([i.normal_speed[1] for i in impacts]), first[:, 1], 1e-9)
    assert_near(r.impacts[-1].time, c.reference["zeno_time"], 1e-6)  # what REST of the engine leaves of the sequence
    assert r["floor.normal_force"][-1] == pytest.approx(c.reference["rest_contact_force_N"], rel=1e-12)
    assert r["free.reaction_force"].shape == (len(table["t"]), 3)
    lost = sum(i.energy_lost for i in r.impacts)
    assert lost == pytest.approx(c.p["m"] * c.p["g"] * c.p["h"], rel=1e-10)
    assert r["floor.energy_lost"][-1] == pytest.approx(lost, rel=1e-12)
    assert np.max(np.abs(r.energy.residual)) < 1e-11  # of 9.81 J


@pytest.mark.parametrize("name", ["C03"])
def test_c03_newtons_cradle(name):
    """Balls in a row, touching; the law of Newton for all contacts at once."""
    for each in case(name).reference["cases"]:
        m = dt.Model("cradle", gravity=(0, 0, 0))
        law = dt.RigidContact(restitution=each["e"])
        for k, (mass, v0) in enumerate(zip(each["m"], each["v_minus"], strict=True)):
            ball = m.add_body(f"ball {k}", dt.Inertia.point(mass), position=(0.1 * k, 0, 0))
            m.add_joint(f"J{k}", dt.Prismatic("x"), m.ground, ball, v0=v0)
            if k:
                m.add_contact(
                    f"c{k}", law, f"ball {k - 1}", ball, shapes=(dt.Shape.sphere(0.05), dt.Shape.sphere(0.05))
                )
        r = dt.simulate(m, 0.1, outputs=[0.1])
        after = [r[f"J{k}.velocity"][0] for k in range(len(each["m"]))]
        assert after == pytest.approx(each["moreau_simultaneous"], abs=1e-12)


@pytest.mark.parametrize("name", ["C04", "C04v"])
@pytest.mark.parametrize("impact", ["newton", "stronge"])
def test_c04_oblique_impact(name, impact):
    """A round body that meets the plane obliquely, in the middle of a flight without gravity."""
    for each in case(name).reference["cases"]:
        mass, radius, k = each["m"], each["r"], each["k"]
        m = dt.Model("sphere", gravity=(0, 0, 0))
        inertia = dt.Inertia(mass, matrix=np.eye(3) * k * mass * radius**2)
        body = m.add_body("ball", inertia, position=(0, 0, radius - 0.05 * each["vn_minus"]))
        # the contact point's velocity along x is v_t + r omega: omega turns about -y
        v0 = [each["vt_minus"], 0, each["vn_minus"], 0, -each["omega_minus"], 0]
        m.add_joint("free", dt.Free(), m.ground, body, v0=v0)
        law = dt.RigidContact(friction=each["mu"], restitution=each["e"], impact=impact)
        m.add_contact("floor", law, m.ground, body, shapes=(PLANE, dt.Shape.sphere(radius)))
        r = dt.simulate(m, 0.1, outputs=[0.1])
        (i,) = r.impacts
        exact = 1e-11 if impact == "newton" else 1e-7  # steps of the spatial law
        assert i.time == pytest.approx(0.05, abs=1e-12)
        assert i.impulse == pytest.approx([each["Pt"], 0, each["Pn"]], rel=exact, abs=exact)
        assert_near(r["ball.velocity"][0], np.array([each["vt_plus"], 0, each["vn_plus"]]), exact * 10)
        assert_near(r["ball.angular_velocity.y"][0], -each["omega_plus"], exact * 100)
        assert abs(r.energy.residual[-1]) < 1e-12


def block(alpha, v0, mu):
    """A block on an incline, x up the slope; eight corners, of which four touch: forces are not unique."""
    m = dt.Model("block", gravity=(-G * np.sin(alpha), 0, -G * np.cos(alpha)))
    b = m.add_body("block", dt.Inertia.box(2.0, size=(0.2, 0.2, 0.02)), position=(0, 0, 0.01))
    m.add_joint("free", dt.Free(), m.ground, b, v0=[v0, 0, 0, 0, 0, 0])
    shapes = (PLANE, dt.Shape.box((0.2, 0.2, 0.02)))
    m.add_contact("floor", dt.RigidContact(friction=mu), m.ground, b, shapes=shapes)
    return m


@pytest.mark.parametrize("name", ["C05", "C05v"])
def test_c05_block_on_incline(name):
    c = case(name)
    for key, each in c.reference["cases"].items():
        if not key.startswith("alpha"):
            continue
        alpha = np.radians(float(key.removeprefix("alpha_").removesuffix("deg")))
        t, x, v = np.array(each["values"]).T
        r = dt.simulate(block(alpha, c.p["v0"], c.p["mu"]), t[-1], outputs=t)
        assert r.ok, r.reason
        assert_near(r["block.position.x"], x, 1e-10)
        assert_near(r["block.velocity.x"], v, 1e-10)
        assert r["floor.normal_force"] == pytest.approx(np.full(len(t), 2.0 * G * np.cos(alpha)), rel=1e-9)
        assert r["floor.state"][-1] == (1.0 if each["sticks"] else 2.0)
        if each["sticks"]:
            assert np.ptp(r["block.position.x"][t > each["stop_time"]]) < 1e-14
            assert r["floor.force"][-1] == pytest.approx([2 * G * np.sin(alpha), 0, 2 * G * np.cos(alpha)], abs=1e-8)
        assert np.max(np.abs(r.energy.residual)) < 1e-9


def test_c05b_sphere_slips_then_rolls():
    c = case("C05b")
    radius, mu = c.p["r"], c.p["mu"]

    def sphere(gravity, v0=0.0):
        m = dt.Model("sphere", gravity=gravity)
        b = m.add_body("ball", dt.Inertia.sphere(1.5, radius=radius), position=(0, 0, radius))
        m.add_joint("free", dt.Free(), m.ground, b, v0=[v0, 0, 0, 0, 0, 0])
        m.add_contact("floor", dt.RigidContact(friction=mu), m.ground, b, shapes=(PLANE, dt.Shape.sphere(radius)))
        return m

    t, x, v, omega = np.array(c.reference["flat_v0_4"]["values"]).T
    r = dt.simulate(sphere((0, 0, -G), 4.0), 1.0, outputs=t)
    assert r.ok, r.reason
    assert_near(r["ball.position.x"], x, 1e-9)
    assert_near(r["ball.velocity.x"], v, 1e-9)
    assert_near(r["ball.angular_velocity.y"], omega, 1e-8)
    assert list(r["floor.state"].ravel()) == [2.0, 2.0, 1.0, 1.0]
    assert np.max(np.abs(r.energy.residual)) < 1e-9
    for degrees, key in ((20, "incline_20deg_roll"), (45, "incline_45deg_slide")):
        alpha, wanted = np.radians(degrees), c.reference[key]
        r = dt.simulate(sphere((G * np.sin(alpha), 0, -G * np.cos(alpha))), 1.0, outputs=[0.5, 1.0])
        assert_near(r["ball.velocity.x"], wanted["a"] * r.t, 1e-9)
        if "omega_dot" in wanted:
            assert_near(r["ball.angular_velocity.y"], wanted["omega_dot"] * r.t, 1e-8)


def test_c06_rocking_block():
    c = case("C06")
    b, h, theta = c.p["b"], c.p["h"], c.p["theta0"]
    m = dt.Model("rocking block", gravity=(0, 0, -c.p["g"]))
    # rotated about the right bottom corner, which is the origin
    R = np.array([[np.cos(theta), 0, np.sin(theta)], [0, 1, 0], [-np.sin(theta), 0, np.cos(theta)]])
    body = m.add_body("block", dt.Inertia.box(3.0, size=(2 * b, 2e-6, 2 * h)), position=R @ [-b, 0, h], rotation=R)
    m.add_joint("plane", dt.Planar("y"), m.ground, body)
    law = dt.RigidContact(friction=5.0, restitution=0.0)
    for name, x in (("left", -b), ("right", b)):
        marker = m.add_marker(name + " corner", body, position=(x, 0, -h))
        m.add_contact(name, law, m.ground, marker, shapes=(PLANE, dt.Shape.point()))
    r = dt.simulate(m, 2.4, outputs=0.01, rtol=1e-11, atol=1e-12)
    assert r.ok, r.reason
    impacts = c.reference["impacts"]
    found = [i for i in r.impacts if i.normal_speed[0] < -1e-3]
    assert len(found) == len(impacts)
    for i, wanted in zip(found, impacts, strict=True):
        # the base's width is 2e-6 of its depth: the inertia is that of the plane to 1e-12
        assert i.time == pytest.approx(wanted["time"], abs=1e-8)
        assert -i.normal_speed[0] == pytest.approx(2 * b * wanted["omega_before"], rel=1e-8)
    assert np.max(np.abs(r.energy.residual)) < 1e-9


def mass_on_spring(mass, stiffness, x0, v0=0.0):
    """A point in the plane y = 0, a spring along x to the wall; z is for the contact below it."""
    m = dt.Model("mass", gravity=(0, 0, -G))
    slide = m.add_body("slide", dt.Inertia.point(1e-3))
    m.add_joint("z", dt.Prismatic("z"), m.ground, slide)
    body = m.add_body("mass", dt.Inertia.point(mass - 1e-3))
    m.add_joint("x", dt.Prismatic("x"), slide, body, q0=x0, v0=v0)
    m.add_marker("wall", m.ground, position=(-1.0, 0, 0))
    m.add_force("spring", dt.SpringDamper("wall", body, stiffness=stiffness, rest_length=1.0))
    return m, body


def test_c10_stick_slip_on_a_belt():
    """Static friction above sliding friction; the limit cycle of a mass on a belt."""
    c = case("C10")
    p, wanted = c.p["a"], c.reference["a"]
    m, mass = mass_on_spring(p["m"], p["k"], wanted["x_stick_start"], p["vb"])
    belt = m.add_body("belt", dt.Inertia.point(1.0))
    m.add_joint("drive", dt.Prismatic("x"), m.ground, belt)
    m.add_constraint("speed", dt.JointMotion("drive", f"{p['vb']}*t"))
    weight = p["m"] * G
    law = dt.RigidContact(friction=p["Fk"] / weight, static_friction=p["Fs"] / weight)
    m.add_contact("top", law, belt, mass, shapes=(PLANE, dt.Shape.point()))
    # 1e-3 kg of the mass do not move along x
    slip = np.sqrt(p["k"] / (p["m"] - 1e-3))
    r = dt.simulate(m, 3.0, outputs=1e-3, rtol=1e-10, atol=1e-12)
    assert r.ok, r.reason
    x, state = r["x.position"].ravel(), r["top.state"].ravel()
    stuck = r.t[np.flatnonzero(np.diff(state))]
    assert slip > 0
    assert x.max() == pytest.approx(wanted["x_max"], rel=1e-4)
    assert x.min() == pytest.approx(wanted["x_min"], rel=1e-3)
    assert len(stuck) == 7


def painleve_rod(mu, degrees, omega):
    """A slender rod of half length 1 m with its tip on the ground, which slides along x; and its state."""
    phi = np.radians(degrees)
    m = dt.Model("rod")
    R = np.array([[np.cos(phi), 0, np.sin(phi)], [0, 1, 0], [-np.sin(phi), 0, np.cos(phi)]])
    inertia = dt.Inertia(1.0, matrix=np.diag([1e-9, 1 / 3, 1 / 3]))
    body = m.add_body("rod", inertia, position=(0, 0, np.sin(phi)), rotation=R)
    m.add_joint("plane", dt.Planar("y", first_axis="x"), m.ground, body)
    m.add_marker("tip", body, position=(1, 0, 0))
    m.add_contact("ground", dt.RigidContact(friction=mu), m.ground, "tip", shapes=(PLANE, dt.Shape.point()))
    centre = np.array([1.0, 0, 0]) - np.cross([0, omega, 0], [np.cos(phi), 0, -np.sin(phi)])
    return dt.compile(m), np.zeros(3), np.array([centre[0], -centre[2], omega])  # axes x and -z, turn about y


def test_c02_painleve_rod():
    """One motion, none, or two, and the force of contact where there is one; the interval of angles with paradoxes."""
    c = case("C02")
    for each in c.reference["configurations"]:
        found = dt.contact_problem(*painleve_rod(each["mu"], each["phi_deg"], each["omega"]), 0.0)
        kind, _, value = each["solution"].partition("lambda=")
        assert found.consistent == (not kind.startswith("no solution"))
        assert found.unique == kind.startswith("unique")
        if value:
            assert_near(found.solutions[-1].normal_force[0], float(value), 1e-9, relative=True)  # digits of the case
    for mu, (low, high) in c.reference["interval_of_phi_deg_where_A_negative"].items():
        if low == high:
            critical = dt.contact_problem(*painleve_rod(float(mu), low, 0.0), 0.0).critical_friction["ground"]
            assert_near(critical, c.reference["mu_critical"], 2e-12)
            continue
        for degrees in (low, high):
            critical = dt.contact_problem(*painleve_rod(float(mu), degrees, 0.0), 0.0).critical_friction["ground"]
            assert_near(critical, float(mu), 2e-12)


def clearance_crank(p):
    """A slider-crank whose slider, a box, moves in a slot with clearance; a point contact at each of its corners."""
    l1, l2, a, b, half = p["l1"], p["l2"], p["a"], p["b"], p["b"] + p["c"]
    m = dt.Model("slider-crank with clearance", gravity=(0, -p["g"], 0))
    flat = np.diag([0.5, 0.5, 1.0])
    crank = m.add_body("crank", dt.Inertia(p["m1"], matrix=p["J1"] * flat), position=(l1 / 2, 0, 0))
    rod = m.add_body("rod", dt.Inertia(p["m2"], matrix=p["J2"] * flat), position=(l1 + l2 / 2, 0, 0))
    slider = m.add_body("slider", dt.Inertia(p["m3"], matrix=p["J3"] * flat), position=(l1 + l2, 0, 0))
    # angles of the case are absolute, joint velocities relative
    w1, w2, w3 = p["v0"]
    m.add_joint("A", dt.Revolute("z"), m.ground, crank, at=(0, 0, 0), v0=w1)
    m.add_joint("B", dt.Revolute("z"), crank, rod, at=(l1, 0, 0), v0=w2 - w1)
    m.add_joint("C", dt.Revolute("z"), rod, slider, at=(l1 + l2, 0, 0), v0=w3 - w2)
    up = np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]])  # its z is y of the world; of its transpose, -y
    m.add_marker("top", m.ground, position=(0, half, 0), rotation=up.T)
    m.add_marker("bottom", m.ground, position=(0, -half, 0), rotation=up)
    law = dt.RigidContact(friction=p["mu"], restitution=p["eN"])
    for name, wall, x, y in (("1", "top", -a, b), ("2", "top", a, b), ("3", "bottom", -a, -b), ("4", "bottom", a, -b)):
        corner = m.add_marker(f"corner {name}", slider, position=(x, y, 0))
        m.add_contact(name, law, wall, corner, shapes=(PLANE, dt.Shape.point()))
    return m


def test_c07_slider_crank_with_clearance():
    """The first six impacts, whose frequency grows without bound: times 1e-9, as the case asks."""
    c = case("C07")
    wanted = c.reference["first_impacts_event_driven"]
    m = clearance_crank(c.p)
    r = dt.simulate(m, 0.0026926, outputs=[0.0026926], rtol=1e-12, atol=1e-13)
    assert r.ok, r.reason
    for i, each in zip(r.impacts, wanted, strict=False):
        assert i.time == pytest.approx(each["t"], abs=1e-9)
        assert i.contact == str(each["contacts"][0])
        k = each["contacts"][0] - 1
        assert np.linalg.norm(i.impulse[1]) == pytest.approx(each["P_normal"][k], rel=1e-6)
        assert abs(i.impulse[0]) == pytest.approx(each["P_tangent"][k], rel=1e-6)
