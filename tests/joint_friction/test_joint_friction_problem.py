"""`contact_problem` and `check` with friction and stops in joints: closed forms of jams, self-locking and paradoxes."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt

PLANE = dt.Shape.plane()
ROUND = 1e-9  # forces and coefficients in the units of the models, all of order one: round-off of a few solves


def drawer(mu: float, arm: float = 0.1, pull: float = 100.0, weight: float = 9.81, overlap: float = 0.2) -> dt.Model:
    """2 kg, mass centre at `arm` beside the guide along x; pulled at its mass centre."""
    m = dt.Model("drawer", gravity=(0, 0, -weight))
    d = m.add_body("drawer", dt.Inertia.box(2.0, size=(0.4, 0.4, 0.1)), position=(0, arm, 0))
    m.add_joint("slide", dt.Prismatic("x"), m.ground, d, at=(0, 0, 0))
    m.add_force("rub", dt.JointFriction("slide", friction=mu, overlap=overlap))
    m.add_force("pull", dt.AppliedForce(m.add_marker("centre", d), (pull, 0, 0)))
    return m


@pytest.mark.parametrize("arm", [0.05, 0.1, 0.3])
def test_a_drawer_jams_from_2_mu_arm_over_overlap_1_on(arm):
    """M (about z) = arm b for a pull at the mass centre: b = mu (N + 2 arm b / overlap), N the weight.

    So b = mu N / (1 - mu / mu_c) with mu_c = overlap / (2 arm): none from mu_c on.
    """
    critical, weight = 0.2 / (2 * arm), 2.0 * 9.81
    for part in (0.5, 0.99):
        mu = part * critical
        for speed in (0.1, 0.0):
            found = dt.contact_problem(drawer(mu, arm, pull=1e5), [0.0], [speed])
            assert found.consistent
            assert found.unique
            assert found.critical_joint_friction == {"slide": pytest.approx(critical, rel=ROUND)}
            assert found.jammed == ()
            (only,) = found.solutions
            assert only.joints == {"slide": "slide"}
            assert only.joint_force["slide"] == pytest.approx([-mu * weight / (1 - part)], rel=1e-7)
    for part in (1.01, 3.0):
        resting = dt.contact_problem(drawer(part * critical, arm, pull=1e5), [0.0], [0.0])
        assert resting.consistent
        assert resting.unique
        assert resting.solutions[0].joints == {"slide": "rest"}
        assert resting.jammed == resting.self_locking == ("slide",)
        sliding = dt.contact_problem(drawer(part * critical, arm, pull=1e5), [0.0], [0.1])
        assert not sliding.consistent
        assert sliding.unique is False
        assert f'"slide" (critical coefficient {critical:.4g})' in sliding.reason


def test_a_drawer_with_two_motions():
    """Pulled beside its mass centre, against the motion: M = M_0 - arm b changes its sign, and so b has two values.

    b = mu (N + 2 |M_0 - arm b| / overlap): with mu = 0.6, arm = 0.2, overlap = 0.2, M_0 = 10 N m both branches hold.
    """
    m = drawer(0.6, 0.2)
    m.add_force("twist", dt.AppliedTorque("drawer", (0, 0, -10.0)))
    found = dt.contact_problem(m, [0.0], [-0.1])
    assert found.consistent
    assert found.unique is False
    forces = sorted(float(s.joint_force["slide"][0]) for s in found.solutions)
    N, mu = 2 * 9.81, 0.6
    assert forces == pytest.approx([mu * (N + 100) / (1 + 2 * mu), mu * (N - 100) / (1 - 2 * mu)], rel=1e-7)


@pytest.mark.parametrize("degrees", [5.0, 20.0, 40.0])
def test_a_wedge_holds_from_the_tangent_of_its_angle_on(degrees):
    """A block on an inclined guide: it rests if mu >= tan(angle), and nothing else holds it."""
    angle = np.radians(degrees)
    for part in (0.99, 1.01):
        m = dt.Model("incline")
        b = m.add_body("block", dt.Inertia.box(3.0, size=(0.1, 0.1, 0.1)))
        m.add_joint("guide", dt.Prismatic((np.cos(angle), 0, -np.sin(angle))), m.ground, b)
        m.add_force("rub", dt.JointFriction("guide", friction=part * np.tan(angle)))
        found = dt.contact_problem(m)
        assert found.unique
        if part > 1:
            assert found.holding_friction == {"guide": pytest.approx(np.tan(angle), rel=ROUND)}
            assert found.self_locking == ("guide",)
        else:
            assert found.solutions[0].joints == {"guide": "slide"}
            sliding = 3.0 * 9.81 * part * np.tan(angle) * np.cos(angle)
            assert found.solutions[0].joint_force["guide"] == pytest.approx([-sliding], rel=1e-7)


def test_a_constant_part_holds_but_does_not_lock():
    """What no load changes holds a load of one size only."""
    m = dt.Model("lift")
    m.add_body("load", dt.Inertia.point(1.0))
    m.add_joint("up", dt.Prismatic("z"), m.ground, "load")
    m.add_force("seal", dt.JointFriction("up", constant=12.0))
    found = dt.contact_problem(m)
    assert found.unique
    assert found.solutions[0].joints == {"up": "rest"}
    assert found.solutions[0].joint_force["up"] == pytest.approx([9.81], rel=ROUND)
    assert found.self_locking == ()
    assert found.critical_joint_friction == {"up": np.inf}


@pytest.mark.parametrize("lead", [0.004, 0.02])
def test_a_screw_locks_above_its_lead_angle(lead):
    """A vertical screw with a load: mu = tan(lead angle) = lead / (2 pi r) just holds it."""
    radius = 0.01
    slope = lead / (2 * np.pi * radius)
    for part in (0.98, 1.02):
        m = dt.Model("jack")
        m.add_body("nut", dt.Inertia.cylinder(5.0, radius=0.03, length=0.05, axis="z"))
        m.add_joint("thread", dt.Screw("z", lead_per_turn=lead), m.ground, "nut")
        m.add_force("rub", dt.JointFriction("thread", friction=part * slope, radius=radius))
        found = dt.contact_problem(m)
        assert found.unique
        assert found.solutions[0].joints == {"thread": "rest" if part > 1 else "slide"}
        if part > 1:
            assert found.holding_friction["thread"] == pytest.approx(slope, rel=1e-9)
            assert found.self_locking == ("thread",)


def test_a_pin_holds_a_pendulum_within_its_angle():
    """Radial force m g at rest: torque m g l sin(phi) <= mu r m g, so that mu = l sin(phi) / r just holds."""
    phi, length, radius = 0.004, 0.5, 0.01
    m = dt.Model("pendulum")
    bob = m.add_body("bob", dt.Inertia.sphere(2.0, radius=0.05), position=(0, 0, -length))
    m.add_joint("A", dt.Revolute("y"), m.ground, bob, at=(0, 0, 0), q0=phi)
    m.add_force("pin", dt.JointFriction("A", friction=0.25, radius=radius))
    found = dt.contact_problem(m)
    assert found.holding_friction["A"] == pytest.approx(length * np.sin(phi) / radius, rel=1e-9)
    # a torque T on the bob makes the radial force T l / (I_A / m), which follows from the accelerations alone
    inertia = 2.0 * (0.4 * 0.05**2 + length**2)
    assert found.critical_joint_friction["A"] == pytest.approx(inertia / (2.0 * length * radius), rel=1e-9)


MASS, WHEEL, RADIUS = 1.0, 0.5, 0.3


def rod_with_a_wheel(mu: float, pin: float, degrees: float, spin: float, omega: float = 0.0):
    """Painlevé's rod (half length 1 m) whose tip slides along x, with a wheel pinned at its mass centre; its state."""
    phi = np.radians(degrees)
    m = dt.Model("rod with a wheel")
    inertia = dt.Inertia(MASS, matrix=np.diag([1e-9, 1 / 3, 1 / 3]))
    rod = m.add_body("rod", inertia, position=(0, 0, np.sin(phi)), rotation=dt.Rotation.about("y", phi))
    wheel = m.add_body("wheel", dt.Inertia(WHEEL, matrix=np.diag([0.1, 0.2, 0.1])), position=(0, 0, np.sin(phi)))
    m.add_joint("plane", dt.Planar("y", first_axis="x"), m.ground, rod)
    m.add_joint("pin", dt.Revolute("y"), rod, wheel)
    m.add_force("rub", dt.JointFriction("pin", friction=pin, radius=RADIUS))
    tip = m.add_marker("tip", rod, position=(1, 0, 0))
    m.add_contact("floor", dt.RigidContact(friction=mu), m.ground, tip, shapes=(PLANE, dt.Shape.point()))
    centre = np.array([1.0, 0, 0]) - np.cross([0, omega, 0], [np.cos(phi), 0, -np.sin(phi)])
    return m, np.zeros(4), np.array([centre[0], -centre[2], omega, spin])


def normal_mass(mu: float, pin: float, phi: float, turning: float) -> float:
    """Normal acceleration of the tip for a unit normal force; the pin bears its part of the force alone, as all falls.

    a_n = 1/M - cos(phi) (mu sin(phi) - cos(phi) + s b)/I, b = pin r (wheel/M) sqrt(1 + mu^2), s the sense of turning.
    """
    both = MASS + WHEEL
    b = pin * RADIUS * WHEEL / both * np.sqrt(1 + mu * mu)
    return 1 / both - np.cos(phi) * (mu * np.sin(phi) - np.cos(phi) + turning * b) * 3.0


@pytest.mark.parametrize("turning", [1.0, -1.0])
@pytest.mark.parametrize("pin", [0.0001, 0.5, 2.0])
def test_painleve_with_friction_in_a_joint(pin, turning):
    """Friction in the pin moves the critical coefficient of the floor, down or up; around it, one motion, none, two."""
    phi = np.radians(50.0)
    low, high = 0.0, 50.0
    for _ in range(100):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if normal_mass(middle, pin, phi, turning) > 0.0 else (low, middle)
    for part, slow, fast in ((0.95, ["slide"], ["open"]), (1.05, [], ["open", "slide"])):
        mu = part * low
        for omega, states in ((0.0, slow), (4.0, fast)):
            found = dt.contact_problem(*rod_with_a_wheel(mu, pin, 50.0, 30.0 * turning, omega))
            assert found.critical_friction["floor"] == pytest.approx(low, rel=1e-8)
            assert [s.states[0] for s in found.solutions] == states
            assert found.consistent == bool(states)
            assert found.unique == (len(states) == 1)
            if "slide" in states:
                free = omega**2 * np.sin(phi) - 9.81
                force = -free / normal_mass(mu, pin, phi, turning)
                assert found.solutions[-1].normal_force == pytest.approx([force], rel=1e-7)
                torque = -turning * pin * RADIUS * WHEEL / (MASS + WHEEL) * np.hypot(1, mu) * force
                assert found.solutions[-1].joint_force["pin"] == pytest.approx([torque], rel=1e-7)
            if not found.consistent:
                assert f'"floor" (critical coefficient {low:.4g})' in found.reason


def test_a_run_agrees():
    """The first instant of a run has the accelerations of the only solution; a jam ends one."""
    m, q, v = rod_with_a_wheel(0.3, 0.5, 50.0, 10.0)
    found = dt.contact_problem(m, q, v)
    r = dt.simulate(dt.compile(m), 1e-3, at=(q, v), solver=dt.DOPRI5())
    assert r["floor.normal_force"][0] == pytest.approx(found.solutions[0].normal_force[0], rel=1e-9)
    assert r["rub.torque"][0] == pytest.approx(found.solutions[0].joint_force["pin"][0], rel=1e-9)
    with pytest.warns(dt.errors.SimulationWarning, match="jams"):
        jammed = dt.simulate(dt.compile(drawer(1.2)), 0.1, at=([0.0], [0.1]))
    assert not jammed.ok
    assert not dt.contact_problem(drawer(1.2), [0.0], [0.1]).consistent


def test_what_contacts_and_joints_hold_together():
    """A block on rails and on a floor, pushed by 6 N: the rails hold 3, the floor at most 4: it rests; or it slides."""
    for push, state in ((6.0, "rest"), (7.5, "slide")):
        m = dt.Model("block")
        b = m.add_body("block", dt.Inertia.box(1.0, size=(0.2, 0.2, 0.2)), position=(0, 0, 0.1))
        carriage = m.add_body("carriage", dt.Inertia.point(1e-6), position=(0, 0, 0.1))
        m.add_joint("rails", dt.Prismatic("x"), m.ground, carriage)
        m.add_joint("lift", dt.Prismatic("z"), carriage, b)
        m.add_force("rub", dt.JointFriction("rails", constant=3.0))
        m.add_force("push", dt.AppliedForce(m.add_marker("c", b), (push, 0, 0)))
        foot = m.add_marker("foot", b, position=(0, 0, -0.1))
        law = dt.RigidContact(friction=4.0 / 9.81)
        m.add_contact("floor", law, m.ground, foot, shapes=(PLANE, dt.Shape.point()))
        found = dt.contact_problem(m)
        assert found.consistent
        assert found.solutions[0].joints == {"rails": state}
        assert found.forces_unique is (state == "slide")
        if state == "slide":
            assert found.unique
            assert found.solutions[0].joint_force["rails"] == pytest.approx([-3.0], rel=ROUND)


def test_a_stop_pushes_or_lets_go():
    """A lift at its lower limit: pulled by 9 N the stop bears the rest of its weight; by 11 N it leaves."""
    for pull, state in ((9.0, "stop"), (11.0, "free")):
        m = dt.Model("lift")
        b = m.add_body("load", dt.Inertia.point(1.0))
        m.add_joint("up", dt.Prismatic("z"), m.ground, b, limits=[(0.0, 1.0)])
        m.add_force("pull", dt.JointTorque("up", pull))
        found = dt.contact_problem(m)
        assert found.unique
        assert found.solutions[0].joints == {"up.stop": state}
        assert found.solutions[0].joint_force["up.stop"] == pytest.approx([max(9.81 - pull, 0)], abs=ROUND)
    falling = dt.contact_problem(m, [0.0], [-1.0])
    assert falling.approaching == ("up.stop",)


def test_a_ball_joint_and_what_is_not_known():
    """A joint of several rates at rest rests if it can; whether there are other motions is then not claimed."""
    m = dt.Model("ball")
    b = m.add_body("bob", dt.Inertia.point(1.0), position=(0.001, 0, -1.0))
    b.inertia = dt.Inertia.sphere(1.0, radius=0.1)
    m.add_joint("A", dt.Spherical(), m.ground, b, at=(0, 0, 0))
    m.add_force("rub", dt.JointFriction("A", friction=0.2, radius=0.01))
    found = dt.contact_problem(m)
    assert found.solutions[0].joints == {"A": "rest"}
    assert found.holding_friction["A"] == pytest.approx(0.1, rel=1e-6)
    assert found.unique is None
    m.forces["rub"].friction = 0.05
    assert dt.contact_problem(m).solutions[0].joints == {"A": "slide"}


def codes(model: dt.Model) -> dict[str, str]:
    return {f.code: f.severity for f in dt.check(model).findings if f.code != "summary"}


def test_check_warns_of_friction_above_the_critical_coefficient():
    assert "critical-friction" not in codes(drawer(0.99))
    report = dt.check(drawer(1.01))
    (finding,) = [f for f in report.warnings if f.code == "critical-friction"]
    assert "critical one, 1," in finding.what
    assert report.ok
    moving = drawer(1.01)
    moving.joints["slide"].v0 = [0.1]
    assert codes(moving)["jammed-start"] == "warning"
    assert "jammed-start" not in codes(drawer(1.01))


def test_check_tells_what_a_run_refuses():
    """A planar four-bar has redundant equations out of its plane: axial forces are not unique, nor their friction."""
    m = dt.Model("four-bar")
    m.add_body("a", dt.Inertia.rod(1.0, length=1, axis="z"), position=(0, 0, 0.5))
    m.add_body("b", dt.Inertia.rod(1.0, length=1, axis="x"), position=(0.5, 0, 1))
    m.add_body("c", dt.Inertia.rod(1.0, length=1, axis="z"), position=(1, 0, 0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, "a", at=(0, 0, 0))
    m.add_joint("B", dt.Revolute("y"), "a", "b", at=(0, 0, 1))
    m.add_joint("C", dt.Revolute("y"), "b", "c", at=(1, 0, 1))
    m.add_joint("D", dt.Revolute("y"), m.ground, "c", at=(1, 0, 0))
    m.add_force("rub", dt.JointFriction("A", friction=0.1, radius=0.01))
    assert dt.check(m).ok
    m.forces["rub"].axial_radius = 0.01
    assert codes(m)["friction"] == "error"
    with pytest.raises(dt.ModelError, match="axial force"):
        dt.contact_problem(m)


@pytest.mark.parametrize("driven", [False, True])
def test_friction_in_a_loop_is_that_of_a_run(driven):
    """A slider-crank in motion: friction of two pins from plain matrices here, by kernels in a run."""
    m = dt.Model("slider-crank")
    tip, end = np.array([0.3 * np.cos(0.7), 0, 0.3 * np.sin(0.7)]), np.zeros(3)
    slope = np.arcsin(tip[2] / 0.8)
    end[0] = tip[0] + 0.8 * np.cos(slope)
    rods = {"crank": (np.zeros(3), tip, 1.0, 0.3, -0.7), "rod": (tip, end, 2.0, 0.8, slope)}
    for name, (start, stop, mass, length, turn) in rods.items():
        inertia = dt.Inertia.rod(mass, length=length, axis="x")
        m.add_body(name, inertia, position=tuple((start + stop) / 2), rotation=dt.Rotation.about("y", turn))
    m.add_body("slider", dt.Inertia.box(0.5, size=(0.1, 0.1, 0.1)), position=tuple(end))
    m.add_joint("A", dt.Revolute("y"), m.ground, "crank", at=(0, 0, 0))
    m.add_joint("B", dt.Revolute("y"), "crank", "rod", at=tuple(tip))
    m.add_joint("C", dt.Revolute("y"), "rod", "slider", at=tuple(end))
    m.add_joint("D", dt.Prismatic("x"), m.ground, "slider", at=tuple(end))
    for joint in "AB":
        m.add_force(f"rub {joint}", dt.JointFriction(joint, friction=0.3, radius=0.03))
    if driven:
        m.add_constraint("motion", dt.JointMotion("A", "5*t"))
    r = dt.simulate(m, 0.01, outputs=0.005)
    found = dt.contact_problem(r.system, r.q[1], r.v[1], float(r.t[1]))
    assert found.unique
    for joint in "AB":
        # both solve the same equations to round-off, times the condition of the loop
        assert found.solutions[0].joint_force[joint] == pytest.approx([r[f"rub {joint}.torque"][1]], rel=1e-8)
