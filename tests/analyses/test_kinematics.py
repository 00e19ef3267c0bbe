"""Kinematic analysis, coupler curves, workspaces, inverse kinematics, trajectories, gravity compensation."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
import pytest

import duoti as dt
from duoti.examples import all_examples
from duoti.examples.robots import robots

mpl.use("Agg")
TIGHT = dt.DOP853(rtol=1e-12, atol=1e-12)


def four_bar(a=1.0, b=3.0, c=2.5, d=3.0, q0=None) -> dt.Model:
    """Crank a, coupler b, rocker c on a base d, in the x-z plane, assembled at a crank angle of zero (along x)."""
    m = dt.Model("four-bar")
    x = ((d - a) ** 2 + b**2 - c**2) / (2 * (d - a))
    end = np.array([a + x, 0, np.sqrt(b**2 - x**2)])
    m.add_body("crank", dt.Inertia.box(1.0, size=(a, 0.1, 0.1)), position=(a / 2, 0, 0))
    m.add_body("coupler", dt.Inertia.box(1.0, size=(b, 0.1, 0.1)), position=(np.array([a, 0, 0]) + end) / 2)
    m.add_body("rocker", dt.Inertia.box(1.0, size=(c, 0.1, 0.1)), position=(np.array([d, 0, 0]) + end) / 2)
    m.add_joint("A", dt.Revolute("-y"), m.ground, "crank", at=(0, 0, 0), q0=q0)
    m.add_joint("B", dt.Revolute("-y"), "crank", "coupler", at=(a, 0, 0))
    m.add_joint("C", dt.Revolute("-y"), "coupler", "rocker", at=end)
    m.add_joint("D", dt.Revolute("-y"), m.ground, "rocker", at=(d, 0, 0))
    m.add_marker("pin", "coupler", position=(end - np.array([a, 0, 0])) / 2)
    return m


def pin_by_hand(angle, a=1.0, b=3.0, c=2.5, d=3.0):
    """Where coupler and rocker meet: two circles, the point above the line between their centres."""
    p = np.array([a * np.cos(angle), a * np.sin(angle)])
    way = np.array([d, 0]) - p
    far = np.linalg.norm(way)
    x = (far**2 + b**2 - c**2) / (2 * far)
    along = way / far
    return p + x * along + np.sqrt(b**2 - x**2) * np.array([-along[1], along[0]])


def test_four_bar_in_closed_form():
    """Position of the coupler's end by circles, velocity and acceleration by differences of these."""
    r = dt.kinematics(four_bar(), 2 * np.pi, {"A": "t"}, outputs=np.linspace(0, 2 * np.pi, 181))
    assert r.ok
    assert r.dead_points == ()
    expected = np.array([pin_by_hand(t) for t in r.t])
    assert np.max(np.abs(r["pin.position"][:, [0, 2]] - expected)) < 1e-11
    h = 1e-4
    ahead, behind = (np.array([pin_by_hand(t + s * h) for t in r.t]) for s in (1, -1))
    assert np.max(np.abs(r["pin.velocity"][:, [0, 2]] - (ahead - behind) / (2 * h))) < 1e-7
    assert np.max(np.abs(r["pin.acceleration"][:, [0, 2]] - (ahead - 2 * expected + behind) / h**2)) < 1e-6
    driven = four_bar()
    driven.add_constraint("motion", dt.JointMotion("A", "t"))
    again = dt.kinematics(driven, 2 * np.pi, outputs=r.t)  # the model's own motion
    assert np.max(np.abs(again.q - r.q)) < 1e-10
    s = dt.simulate(driven, 2 * np.pi, outputs=r.t, solver=TIGHT)
    assert np.max(np.abs(s.multipliers("motion") - again.multipliers("motion"))) < 1e-7
    assert np.max(np.abs(again.energy.residual)) < 1e-4 * np.ptp(
        again.energy.total
    )  # splines through powers, 2 degrees


def test_coupler_curve_and_its_length():
    """The crank pin runs a circle; the coupler's end is on the rocker's circle; a joint may go backwards."""
    m = four_bar()
    m.add_marker("crank pin", "crank", position=(0.5, 0, 0))
    circle = dt.analyses.coupler_curve(m, "crank pin", "A")
    assert circle.ok
    assert circle.length == pytest.approx(2 * np.pi, rel=1e-9)
    back = dt.analyses.coupler_curve(m, "pin", "A", start=1.0, end=-1.0, points=41)
    assert np.allclose(np.linalg.norm(back.points - (3, 0, 0), axis=1), 2.5, atol=1e-11)
    assert np.allclose(back.tangents[0, [0, 2]], (pin_by_hand(1.0 + 1e-6) - pin_by_hand(1.0 - 1e-6)) / 2e-6, atol=1e-8)
    assert "m long" in str(back)
    back.plot()


def test_dead_points_and_branches():
    """Driven at the rocker, a four-bar ends where crank and coupler are in line; a parallelogram may change its branch.

    The rocker's angle there, by the law of cosines: the end of the coupler is b - a from the crank's bearing.
    """
    reach = dt.analyses.coupler_curve(four_bar(), "crank", "D", 0.0, 2.0, points=81)
    assert not reach.ok
    end = np.arccos(((3.0 - 1.0) ** 2 - 3.0**2 - 2.5**2) / (2 * 3.0 * 2.5))
    first = np.arctan2(pin_by_hand(0.0)[1], pin_by_hand(0.0)[0] - 3.0)
    assert end - first - 0.025 <= reach.values[-1] <= end - first  # points are 0.025 apart
    assert f"D = {reach.values[-1]:.6g}" in reach.reason
    flat = dt.Model("parallelogram")
    for name, length, at in (("left", 1.0, (0.5, 0, 0)), ("top", 2.0, (2.0, 0, 0)), ("right", 1.0, (2.5, 0, 0))):
        flat.add_body(name, dt.Inertia.box(1.0, size=(length, 0.1, 0.1)), position=at)
    flat.add_joint("A", dt.Revolute("-y"), flat.ground, "left", at=(0, 0, 0), q0=1.0)
    flat.add_joint("B", dt.Revolute("-y"), "left", "top", at=(1, 0, 0), q0=-1.0)
    flat.add_joint("C", dt.Revolute("-y"), "right", "top", at=(3, 0, 0))
    flat.add_joint("D", dt.Revolute("-y"), flat.ground, "right", at=(2, 0, 0), q0=1.0)
    passed = dt.kinematics(flat, 4.0, {"A": "1 + t"}, outputs=0.03)
    near = [p for p in passed.dead_points if abs(p.t - (np.pi - 1)) < 0.05]
    assert passed.ok
    assert len(near) == 1
    assert near[0].branch_change


def test_inverse_kinematics_of_arms():
    """Two links against the law of cosines; a six-jointed arm to poses that it can take; limits hold."""
    m = dt.Model("arm")
    for i in range(2):
        m.add_body(f"link{i}", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(i + 0.5, 0, 0))
        m.add_joint(f"J{i}", dt.Revolute("-y"), m.ground if not i else "link0", f"link{i}", at=(i, 0, 0))
    m.add_marker("tool", "link1", position=(0.5, 0, 0))
    ik = dt.inverse_kinematics(m, "tool", (1.2, None, 0.6), guess={"J1": 1.0})
    far = np.hypot(1.2, 0.6)
    assert ik.ok
    assert abs(ik.values["J1"]) == pytest.approx(np.pi - np.arccos(1 - far**2 / 2), abs=1e-8)
    assert np.allclose(ik["tool.position"], (1.2, 0, 0.6), atol=1e-8)
    out = dt.inverse_kinematics(m, "tool", (3.0, None, 0.0))
    assert not out.ok
    assert out.position_error == pytest.approx(1.0, abs=1e-6)
    assert "left" in str(out)
    m.joints["J1"].limits = (0.0, 0.5)
    held = dt.inverse_kinematics(m, "tool", (0.0, None, 0.5))
    assert held.at_limits == ("J1",)
    assert held.values["J1"] == pytest.approx(0.5, abs=1e-9)
    with pytest.raises(ValueError, match="position, a rotation"):
        dt.inverse_kinematics(m, "tool")
    with pytest.raises(dt.errors.ChannelError):
        dt.inverse_kinematics(m, "tol", (0, 0, 0))
    with pytest.raises(TypeError, match=r"marker=.*give a marker or a body, then its position"):
        dt.inverse_kinematics(m, {"tool": (0, 0, 0)})


def test_inverse_kinematics_of_a_pose():
    """Poses of random joint positions of a six-jointed arm are found again."""
    arm = dt.formats.load_urdf(robots()["arm6"])
    system = dt.compile(arm)
    tool = list(arm.bodies)[-1]
    rng = np.random.default_rng(1)
    for _ in range(3):
        q = rng.uniform(-1, 1, size=system.nq)
        there = dt.inverse_kinematics(system, tool, (0, 0, 1), starts=1)  # any: to read channels at q
        wanted = type(there)(system, q, 0.0, 0.0, True, (), 1)
        ik = dt.inverse_kinematics(system, tool, wanted[f"body:{tool}.position"], wanted[f"body:{tool}.rotation"])
        assert ik.ok
        assert ik.rotation_error < 1e-8


def test_inverse_kinematics_of_a_loop():
    """The coupler's end of a four-bar is asked for; the loop stays closed and the crank follows."""
    m = four_bar()
    wanted = pin_by_hand(1.1)
    ik = dt.inverse_kinematics(m, "pin", (wanted[0], None, wanted[1]))
    assert ik.ok
    assert np.isclose(np.linalg.norm(ik["pin.position"] - (3, 0, 0)), 2.5, atol=1e-9)


def test_workspaces():
    """A two-link arm reaches the ring between its radii; a four-bar only its coupler curve."""
    m = dt.Model("arm")
    for i in range(2):
        m.add_body(f"link{i}", dt.Inertia.rod(1.0, length=1.0 - 0.4 * i, axis="x"), position=(0.5 + 0.8 * i, 0, 0))
        m.add_joint(f"J{i}", dt.Revolute("-y"), m.ground if not i else "link0", f"link{i}", at=(i, 0, 0))
    m.add_marker("tool", "link1", position=(0.3, 0, 0))
    found = dt.analyses.workspace(m, "tool", points=1500)
    radius = np.linalg.norm(found.points, axis=1)
    assert 0.4 - 1e-12 <= radius.min() < 0.41
    assert 1.59 < radius.max() <= 1.6 + 1e-12
    straight = np.abs(np.sin(found.q[:, 1])) < 0.02  # singular where the arm is straight or folded
    assert np.max(found.manipulability[straight]) < 0.05 < np.median(found.manipulability)
    found.plot()
    bar = dt.analyses.workspace(four_bar(), "pin", {"A": (-3.0, 3.0)}, points=60)
    assert np.allclose(np.linalg.norm(bar.points - (3, 0, 0), axis=1), 2.5, atol=1e-9)
    rail = dt.Model("rail")
    rail.add_body("cart", dt.Inertia.point(1.0))
    rail.add_joint("J", dt.Prismatic("x"), rail.ground, "cart")
    with pytest.raises(ValueError, match="no limits"):
        dt.analyses.workspace(rail, "cart")


def test_trajectories():
    """Ends, rest, limits of speed and acceleration, continuity, components, sequence."""
    q = dt.Trajectory.quintic((0.0, 1.0), (2.0, -1.0), duration=2.0)
    assert np.allclose(q(0.0), (0, 1))
    assert np.allclose(q([2.0, 5.0]), [(2, -1), (2, -1)])
    assert np.allclose([q.derivative(k)(x) for k in (1, 2) for x in (0.0, 2.0)], 0.0, atol=1e-12)
    t = np.linspace(0, 2, 21)
    x = t / 2
    assert np.allclose(q[0](t), 2 * (10 * x**3 - 15 * x**4 + 6 * x**5))
    for way, top in ((4.0, 1.0), (0.5, np.sqrt(0.5 * 1.0))):  # trapezoid, triangle
        tr = dt.Trajectory.trapezoid((0.0, 3.0), (way, 3.0 - way / 2), speed=(1.0, 5.0), acceleration=1.0)
        s = np.linspace(0, tr.duration, 2001)
        speeds, pushes = tr.derivative()(s), tr.derivative(2)(s)
        assert np.max(np.abs(speeds[:, 0])) == pytest.approx(top, rel=1e-6)
        assert np.max(np.abs(pushes)) <= 1.0 + 1e-12
        assert np.allclose(tr(tr.end), (way, 3.0 - way / 2))
        assert np.allclose(np.gradient(tr(s), s, axis=0)[1:-1], speeds[1:-1], atol=2e-3)
    sp = dt.Trajectory.spline([0, 1, 3], [0.0, 2.0, 1.0])
    assert np.allclose(sp([0, 1, 3]), (0, 2, 1))
    assert abs(sp.derivative()(0.0)) < 1e-12
    both = dt.Trajectory.quintic(0.0, 1.0, 1.0).then(dt.Trajectory.trapezoid(1.0, 0.0, speed=1.0, acceleration=2.0))
    assert both(1.0) == pytest.approx(1.0)
    assert both(both.end) == pytest.approx(0.0, abs=1e-12)
    q.plot(["a", "b"])
    with pytest.raises(ValueError, match="positive"):
        dt.Trajectory.quintic(0, 1, duration=0)


def test_trajectory_as_an_expression():
    """The same values and derivatives; a simulation driven by it follows it. What is too long is refused."""
    from duoti.model.laws.expressions.derivative import derivatives

    trajectories = [
        dt.Trajectory.quintic(0.3, -1.2, 1.5, start_time=0.5),
        dt.Trajectory.trapezoid((0.0, 1.0), (2.0, 0.5), speed=1.5, acceleration=3.0),
        dt.Trajectory.spline(np.linspace(0, 3, 8), np.sin(np.arange(8.0))),
    ]
    for tr in trajectories:
        for i in range(tr.size):
            programs = derivatives(tr.expression(i), "t", order=2)
            for order, program in enumerate(programs):
                wanted = (tr.derivative(order) if order else tr)[i]
                for t in np.linspace(-0.3, tr.end + 0.31, 53):
                    assert program.evaluate(t=t) == pytest.approx(float(wanted(t)), abs=1e-12)
    m = all_examples()["pendulum"].build()
    joint = next(iter(m.joints))
    m.joints[joint].q0 = m.joints[joint].v0 = None
    m.add_constraint("drive", dt.JointMotion(joint, trajectories[0].expression()))
    r = dt.simulate(m, 2.5, outputs=0.05, solver=dt.DOP853(rtol=1e-12, atol=1e-12, max_step=0.02))  # for its works
    assert np.max(np.abs(r[f"{joint}.q"] - trajectories[0](r.t))) < 1e-9
    with pytest.raises(ValueError, match="add_table"):
        dt.Trajectory.spline(np.arange(400.0), np.sin(np.arange(400.0))).expression()


def test_trajectory_as_a_motion():
    """Required forces of a trajectory in task space are those of the joint motion that it gives."""
    m = all_examples()["robot_arm"].build()
    m.forces.clear()
    tr = dt.Trajectory.quintic([0.0] * 4, [0.5, -0.4, 0.8, 0.3], duration=1.0)
    r = dt.required_forces(m, 1.0, dict(zip(m.joints, tr, strict=True)), outputs=0.02)
    system = dt.compile(m)
    for k in (0, 13, 50):
        tau = dt.inverse_dynamics(system, tr(r.t[k]), tr.derivative()(r.t[k]), tr.derivative(2)(r.t[k]))
        assert np.allclose([r[f"{j}.drive"][k] for j in m.joints], tau, atol=1e-9)


def test_gravity_compensation():
    """An arm stays where it is; a slider-crank, held by the crank alone, too."""
    m = all_examples()["robot_arm"].build()
    m.forces.clear()
    for name, force in dt.analyses.gravity_compensation(m).items():
        m.add_force(name, force)
    for k, joint in enumerate(m.joints.values()):
        joint.q0, joint.v0 = 0.3 + 0.2 * k, 0.0
    system = dt.compile(m)
    assert np.max(np.abs(dt.accelerations(system, *system.state()))) < 1e-10
    bar = four_bar(q0=0.7)
    for name, force in dt.analyses.gravity_compensation(bar, ["A"]).items():
        bar.add_force(name, force)
    system = dt.compile(bar)
    assert np.max(np.abs(dt.accelerations(system, *system.state()))) < 1e-8
    assert np.max(np.abs(dt.simulate(bar, 0.5)["A.rate"])) < 1e-6
    with pytest.raises(dt.errors.ChannelError):
        dt.analyses.gravity_compensation(bar, ["Z"])


def test_kinematics_refuses_freedoms_and_states():
    """What is left free is named; first-order states do not follow from constraints."""
    m = all_examples()["robot_arm"].build()
    with pytest.raises(ValueError, match=r"leave 3 freedoms: .*elbow"):
        dt.kinematics(m, 1.0, {"waist": "t"})
    m.add_state("heat", "1")
    with pytest.raises(ValueError, match="heat"):
        dt.kinematics(m, 1.0, {"waist": "t"})


def test_bodies_without_mass():
    """Positions, velocities and accelerations need no mass; reactions and required forces are refused by name."""
    m = four_bar()
    heavy = dt.kinematics(m, 3.0, {"A": "t + 0.1*t^2"}, outputs=0.1)
    for body in m.bodies.values():
        body.inertia = dt.Inertia.point(0.0)
    r = dt.kinematics(m, 3.0, {"A": "t + 0.1*t^2"}, outputs=0.1)
    assert r.ok
    for channel in ("pin.position", "pin.velocity", "pin.acceleration", "coupler.angular_acceleration", "B.a"):
        assert np.max(np.abs(r[channel] - heavy[channel])) < 1e-10
    for ask in (lambda: r["A.reaction_force"], lambda: dt.required_forces(m, 1.0, {"A": "t"})):
        with pytest.raises(dt.ModelError, match="no body has a mass"):
            ask()
    assert dt.analyses.coupler_curve(m, "pin", "A", points=37).ok
