"""Friction in joints from the loads that they carry, against closed forms and equations written down by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import duoti as dt

G = 9.81


def pendulum(angle=0.0, rate=0.0, **law):
    """2 kg, 0.5 m from the pin, 0.01 kg m² about the mass centre; the angle is that from hanging down."""
    m = dt.Model("pendulum", gravity=(0, 0, -G))
    bob = m.add_body("bob", dt.Inertia(2.0, matrix=0.01 * np.eye(3)), position=(0, 0, -0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, bob, at=(0, 0, 0), q0=angle, v0=rate)
    m.add_force("friction", dt.JointFriction("A", **law))
    return m


def slider(axis="x", q0=0.0, v0=0.0, force=None, **law):
    m = dt.Model("slider", gravity=(0, 0, -G))
    block = m.add_body("block", dt.Inertia.box(2.0, size=(0.1, 0.1, 0.1)))
    m.add_joint("S", dt.Prismatic(axis), m.ground, block, q0=q0, v0=v0)
    m.add_force("friction", dt.JointFriction("S", **law))
    if force is not None:
        m.add_force("push", dt.JointTorque("S", force))
    return m


# ------------------------------------------------------------------------------------------------------------- stick


def test_a_pendulum_held_by_friction_does_not_move_at_all():
    # at rest up to m g l sin(angle) = mu r m g, sin(angle) = 0.004
    r = dt.simulate(pendulum(0.003, friction=0.2, radius=0.01), 100.0, outputs=10.0)
    assert r.ok
    assert np.all(r["A.angle"] == 0.003)
    assert np.all(r["A.rate"] == 0.0)
    assert r["friction.torque"] == pytest.approx(2 * G * 0.5 * math.sin(0.003), rel=1e-12)
    assert r["friction.static_bound"] == pytest.approx(0.2 * 0.01 * 2 * G, rel=1e-12)
    assert np.all(r["friction.mode"] == 1.0)


@pytest.mark.parametrize("solver", [dt.Radau(), dt.GeneralisedAlpha(step=0.01), dt.RK4(step=0.01)])
def test_so_in_other_solvers(solver):
    r = dt.simulate(pendulum(0.003, friction=0.2, radius=0.01), 1.0, outputs=0.1, solver=solver)
    assert r.ok
    assert np.all(r["A.angle"] == 0.003)


def test_beyond_the_bound_it_moves():
    r = dt.simulate(pendulum(0.0041, friction=0.2, radius=0.01), 0.1)
    assert r["friction.mode"][0] == -1.0
    assert r["A.rate"][-1] < 0.0


def test_so_in_time_stepping():
    r = dt.simulate(pendulum(0.003, friction=0.2, radius=0.01), 10.0, outputs=1.0, solver=dt.Moreau(1e-3))
    assert r.ok
    assert np.all(r["A.angle"] == 0.003)
    assert r["friction.torque"] == pytest.approx(2 * G * 0.5 * math.sin(0.003), rel=1e-9)
    slow = dt.simulate(pendulum(0.9, friction=0.3, radius=0.05), 0.5, outputs=0.1, solver=dt.Moreau(1e-3))
    exact = dt.simulate(pendulum(0.9, friction=0.3, radius=0.05), 0.5, outputs=0.1)
    # of order 1 in the step: friction belongs to the load and the direction of the step as a whole
    assert slow["A.angle"] == pytest.approx(exact["A.angle"], abs=1e-4)


# ----------------------------------------------------------------------------------------------------------- sliding


@pytest.mark.parametrize("joint", [dt.Cylindrical((0.6, 0.0, 0.8)), dt.Spherical()], ids=["cylindrical", "ball"])
def test_friction_of_several_rates_opposes_the_sliding_at_the_surface(joint):
    """A force and torques along one slip: rates with unlike inertias must not share it out by these."""
    m = dt.Model("uneven")
    body = m.add_body(
        "body", dt.Inertia(1.0, com=(0.02, -0.05, 0.04), matrix=np.diag([0.010, 0.012, 0.020])), position=(0.1, 0, 0)
    )
    m.add_joint("A", joint, m.ground, body, at=(0, 0, 0))
    m.add_force("dry", dt.JointFriction("A", friction=0.3, radius=0.02))
    event_driven = dt.simulate(m, 0.4, outputs=0.05)
    errors = []
    for step in (1e-4, 2e-5):
        time_stepping = dt.simulate(m, 0.4, outputs=0.05, solver=dt.Moreau(step))
        errors.append(np.max(np.abs(time_stepping["body.position"] - event_driven["body.position"])))
    assert errors[0] < 1e-4 * 0.4 * 9.81  # a step late at the speed of a free fall
    assert errors[1] < 0.4 * errors[0]  # of first order: 0.2


def swinging(mu, radius, angle, times):
    """The pendulum above by its own equations: the torque mu r N belongs to the reaction N of the same instant."""
    m, l, J = 2.0, 0.5, 0.01 + 2.0 * 0.25

    def acceleration(q, w):
        def left(a):
            N = m * math.hypot(l * w * w + G * math.cos(q), l * a + G * math.sin(q))
            return J * a + m * G * l * math.sin(q) + math.copysign(mu * radius * N, w)

        return brentq(left, -1e3, 1e3, xtol=1e-13, rtol=1e-15)

    def right(t, y):
        return [y[1], acceleration(y[0], y[1])]

    # it starts downwards and stays in this direction over the times of the test
    return solve_ivp(right, (0, times[-1]), [angle, -1e-12], "DOP853", times, rtol=1e-11, atol=1e-12).y


@pytest.mark.parametrize("radius", [0.01, 0.2])
@pytest.mark.parametrize("solver", [dt.DOPRI5(rtol=1e-9, atol=1e-11), dt.Radau(rtol=1e-9, atol=1e-11)])
def test_sliding_friction_belongs_to_the_reaction_of_the_instant(radius, solver):
    times = np.linspace(0.0, 0.5, 6)
    r = dt.simulate(pendulum(0.9, friction=0.3, radius=radius), 0.5, outputs=times, solver=solver)
    q, w = swinging(0.3, radius, 0.9, times)
    # the error of the solvers is about a hundred times the tolerance of a step
    assert r["A.angle"] == pytest.approx(q, abs=1e-7)
    assert r["A.rate"] == pytest.approx(w, abs=1e-7)
    assert np.abs(r.energy.residual).max() < 1e-7


def test_reactions_and_torque_fit_each_other():
    r = dt.simulate(pendulum(0.9, friction=0.3, radius=0.05), 0.5, outputs=0.1)
    N = np.linalg.norm(r["A.reaction_force"], axis=1)
    assert r["friction.torque"] == pytest.approx(0.3 * 0.05 * N, rel=1e-9)
    assert r["friction.power_dissipated"] == pytest.approx(-r["friction.torque"] * r["A.rate"], rel=1e-9)


@pytest.mark.parametrize("law", ["regularised", "lugre"])
def test_smooth_laws_slide_like_coulomb(law):
    more = {"regularisation": 1e-5} if law == "regularised" else {"bristle_stiffness": 1e6}
    exact = dt.simulate(pendulum(0.9, -0.1, friction=0.3, radius=0.05), 0.4, outputs=0.1)
    m = pendulum(0.9, -0.1, friction=0.3, radius=0.05, friction_law=law, **more)
    for solver in (dt.Radau(), dt.DOPRI5()):
        r = dt.simulate(m, 0.4, outputs=0.1, solver=solver)
        # a bristle of 1e-6 rad, or a start at ten thousand times the width: neither is seen in four digits of a radian
        assert r["A.angle"] == pytest.approx(exact["A.angle"], abs=3e-6)
        assert np.abs(r.energy.residual).max() < 1e-5 or law == "lugre"


def test_regularised_friction_creeps_and_lugre_does_not():
    law = {"friction": 0.2, "radius": 0.01}
    crept = dt.simulate(pendulum(0.003, friction_law="regularised", regularisation=1e-3, **law), 10.0, solver="radau")
    held = dt.simulate(pendulum(0.003, friction_law="lugre", bristle_damping=700.0, **law), 10.0, solver="radau")
    assert crept["A.angle"][-1] < 0.0029
    # about the presliding -ln(1 - 0.75) / sigma0 of a bristle that bears three quarters of its bound, and then rest
    assert 0.003 - held["A.angle"][-1] == pytest.approx(math.log(4.0) / 1e4, rel=0.1)
    needed = 0.5 * math.sin(held["A.angle"][-1]) / (0.2 * 0.01)
    assert -held["friction.bristle"][-1] == pytest.approx(needed / 1e4, rel=1e-6)
    assert abs(held["A.rate"][-1]) < 1e-9


def test_stribeck_friction():
    law = {"constant": 4.0, "static_constant": 6.0, "stribeck_velocity": 0.5}
    r = dt.simulate(slider(v0=1.0, **law), 0.3, outputs=0.05)
    v = r["S.velocity"]
    assert r["friction.force"] == pytest.approx(-(4.0 + 2.0 * np.exp(-((v / 0.5) ** 2))), rel=1e-9)


def test_a_block_on_an_incline_sticks_up_to_the_angle_of_friction():
    def run(slope, v0=0.0):
        m = slider((math.cos(slope), 0, -math.sin(slope)), v0=v0, friction=0.3)
        return dt.simulate(m, 1.0, outputs=0.1)

    limit = math.atan(0.3)
    assert np.ptp(run(limit - 1e-6)["S.position"]) == 0.0
    r = run(limit + 0.1)
    a = G * (math.sin(limit + 0.1) - 0.3 * math.cos(limit + 0.1))
    assert r["S.position"] == pytest.approx(0.5 * a * r.t**2, rel=1e-9)
    stopped = run(limit - 0.1, v0=1.0)
    brake = G * (0.3 * math.cos(limit - 0.1) - math.sin(limit - 0.1))
    assert stopped.events[0].t == pytest.approx(1.0 / brake, rel=1e-8)
    assert np.all(stopped["S.position"][stopped.t > 1.0 / brake + 1e-6] == stopped["S.position"][-1])


# ------------------------------------------------------------------------------------------- arms of all joint types


def turned(joint, **law):
    """A body that floats on one joint, without gravity, turning or sliding slowly."""
    m = dt.Model("loaded", gravity=(0, 0, 0))
    body = m.add_body("body", dt.Inertia(1.0, matrix=np.eye(3)), position=(0, 0, 0))
    m.add_joint("J", joint, m.ground, body, v0=[0.1] * joint.nv)
    m.add_force("load", dt.AppliedForce("body", (3.0, 4.0, 12.0)))
    m.add_force("moment", dt.AppliedTorque("body", (0.6, 0.8, 0.5)))
    m.add_force("friction", dt.JointFriction("J", friction=1e-6, **law))
    return dt.simulate(m, 1e-6, outputs=1e-6)["friction.load"][0]


def test_arms():
    # so little friction that the load is the applied one, but for what accelerates the body in its free directions
    assert turned(dt.Revolute("z"), radius=0.1) == pytest.approx(0.1 * 5.0, rel=1e-5)
    assert turned(dt.Revolute("z"), radius=0.1, axial_radius=0.2, bending_arm=0.5) == pytest.approx(
        0.1 * 5.0 + 0.2 * 12.0 + 0.1 / 0.5 * 1.0, rel=1e-5
    )
    assert turned(dt.Revolute("z"), radius=0.1, preload=7.0) == pytest.approx(0.1 * 12.0, rel=1e-5)
    assert turned(dt.Spherical(), radius=0.1) == pytest.approx(1.3, rel=1e-5)
    assert turned(dt.Prismatic("z"), overlap=0.5, torsion_arm=0.25) == pytest.approx(5.0 + 4.0 + 2.0, rel=1e-5)
    assert turned(dt.Cylindrical("z"), radius=0.1, overlap=0.5) == pytest.approx(5.0 + 4.0, rel=1e-5)
    assert turned(dt.Planar("z"), radius=0.1) == pytest.approx(12.0, rel=1e-5)
    both = turned(dt.Universal("z", "x"), radius=0.1)
    assert both == pytest.approx(0.1 * np.array([5.0, math.hypot(4.0, 12.0)]), rel=1e-5)


def test_a_ball_joint_sticks_and_slides_against_its_rate():
    m = dt.Model("ball", gravity=(0, 0, -G))
    bob = m.add_body("bob", dt.Inertia(2.0, matrix=0.01 * np.eye(3)), position=(0, 0, -0.5))
    m.add_joint("B", dt.Spherical(), m.ground, bob, at=(0, 0, 0), v0=(0.0, 0.0, 3.0))
    m.add_force("friction", dt.JointFriction("B", friction=0.2, radius=0.05))
    r = dt.simulate(m, 3.0, outputs=0.01)
    # it spins about the vertical and is braked by mu r m g about its inertia of 0.01
    brake = 0.2 * 0.05 * 2 * G / 0.01
    sliding = r.t < 3.0 / brake
    assert r["B.angular_velocity"][sliding, 2] == pytest.approx(3.0 - brake * r.t[sliding], abs=1e-6)
    assert np.all(r["B.angular_velocity"][~sliding][1:] == 0.0)
    assert np.abs(r.energy.residual).max() < 1e-6


# ------------------------------------------------------------------------------------- self-locking, jams, refusals


def screw(lead_angle, mu, radius=0.02):
    """A nut of 10 kg on a vertical screw."""
    m = dt.Model("screw", gravity=(0, 0, -G))
    nut = m.add_body("nut", dt.Inertia(10.0, matrix=0.004 * np.eye(3)))
    lead = 2 * math.pi * radius * math.tan(lead_angle)
    m.add_joint("N", dt.Screw("z", lead_per_turn=lead), m.ground, nut)
    m.add_force("thread", dt.JointFriction("N", friction=mu, radius=radius))
    return m


def test_a_screw_locks_itself_below_the_angle_of_friction():
    limit = math.atan(0.15)
    assert np.ptp(dt.simulate(screw(limit - 1e-6, 0.15), 1.0)["N.angle"]) == 0.0
    lead, r_m, mass, J = limit + 0.05, 0.02, 10.0, 0.004
    r = dt.simulate(screw(lead, 0.15), 0.5, outputs=0.1)
    # normal force N and friction mu N of the thread on the nut that comes down, turning backward by a:
    # m p a = -m g + N cos + mu N sin,  J a = -N r sin + mu N r cos
    s, c, p = math.sin(lead), math.cos(lead), r_m * math.tan(lead)
    A = np.array([[mass * p, -(c + 0.15 * s)], [J, r_m * (s - 0.15 * c)]])
    a, _ = np.linalg.solve(A, [-mass * G, 0.0])
    assert a < 0.0
    assert r["N.angle"] == pytest.approx(0.5 * a * r.t**2, rel=1e-8)


def drawer(mu, arm=0.1, overlap=0.2):
    """A drawer whose mass centre is beside its guide, pulled there with 10 N: friction f loads the guide by f * arm."""
    m = dt.Model("drawer", gravity=(0, 0, 0))
    box = m.add_body("box", dt.Inertia(2.0, matrix=0.01 * np.eye(3)), position=(0, arm, 0))
    m.add_joint("D", dt.Prismatic("x"), m.ground, box, at=(0, 0, 0))
    m.add_force("pull", dt.AppliedForce("box", (10.0, 0.0, 0.0)))
    m.add_force("guide", dt.JointFriction("D", friction=mu, overlap=overlap, preload=1.0))
    return m


def test_a_drawer_jams_where_friction_loads_its_own_guide():
    # f = mu (P + 2 arm f / overlap), a = (10 - f) / 2, as long as 2 mu arm / overlap < 1
    r = dt.simulate(drawer(0.5), 1.0, outputs=0.1)
    assert r["guide.force"] == pytest.approx(-0.5 / (1.0 - 0.5), rel=1e-9)
    assert r["D.position"] == pytest.approx(0.25 * (10.0 - 1.0) * r.t**2, rel=1e-9)
    stuck = dt.simulate(drawer(1.1), 1.0, outputs=0.1)
    assert np.ptp(stuck["D.position"]) == 0.0
    assert np.all(stuck["guide.mode"] == 1.0)


def test_faults():
    m = pendulum(friction=0.2, radius=0.01)
    m.add_force("bad", dt.JointFriction("A", friction=-1.0, constant=math.nan))
    m.add_force("law", dt.JointFriction("A", friction=0.1, radius=0.1, friction_law="wet"))
    m.add_force("low", dt.JointFriction("A", friction=0.3, static_friction=0.2, radius=0.1))
    m.add_force("none", dt.JointFriction("A"))
    text = str(dt.check(m))
    for part in ("friction is -1.0", "constant is nan", "friction_law is 'wet'", "static_friction 0.2 is below",
                 "neither friction nor constant"):  # fmt: skip
        assert part in text


def test_faults_of_joints():
    m = pendulum(friction=0.2)
    m.add_joint("F", dt.Free(), m.ground, m.add_body("other", dt.Inertia.point(1.0)))
    m.add_force("free", dt.JointFriction("F", constant=1.0))
    m.add_force("wrong", dt.JointFriction("A", friction=0.1, radius=0.1, overlap=0.1))
    text = str(dt.check(m))
    for part in ("needs a radius", 'joint "F" is free', "overlap has no effect in the revolute joint"):
        assert part in text


@pytest.mark.full
def test_files_and_parameters(tmp_path):
    m = pendulum(0.9, friction=0.3, radius=0.05, static_friction=0.4)
    m.save(tmp_path / "pendulum.yaml")
    again = dt.load(tmp_path / "pendulum.yaml")
    assert "mode" not in (tmp_path / "pendulum.yaml").read_text()
    r, s = dt.simulate(m, 0.5), dt.simulate(again, 0.5, out=tmp_path / "run.h5")
    assert np.array_equal(r["A.angle"], s["A.angle"])
    opened = dt.open_result(tmp_path / "run.h5")
    assert np.array_equal(opened["friction.torque"], r["friction.torque"])
    less = dt.compile(m).with_parameters({"friction.friction": 0.1, "friction.radius": 0.01})
    assert dt.simulate(less, 0.5)["A.angle"][-1] < r["A.angle"][-1]


def test_a_drawer_that_comes_to_jam_while_it_moves_is_named():
    m = drawer(1.1)
    m.joints["D"].v0 = 0.5
    with pytest.warns(dt.errors.SimulationWarning, match='joint "D" jams while it moves'):
        r = dt.simulate(m, 1.0, outputs=0.1)
    assert not r.ok
    assert r.reason_code == "jammed"


# ------------------------------------------------------------------------------------------------------------- loops


def slider_crank(**law):
    """Crank 0.3 m, rod 0.8 m, slider 0.5 kg without gravity, turned by 2 N m at the crank; friction in the guide."""
    m = dt.Model("slider-crank", gravity=(0, 0, 0))
    crank = m.add_body("crank", dt.Inertia(0.0001, matrix=1e-9 * np.eye(3)), position=(0.0, 0, 0.15))
    rod = m.add_body("rod", dt.Inertia(0.0001, matrix=1e-9 * np.eye(3)), position=(0.35, 0, 0.15))
    slider = m.add_body("slider", dt.Inertia.box(0.5, size=(0.1, 0.1, 0.1)), position=(math.sqrt(0.55), 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, crank, at=(0, 0, 0))
    m.add_joint("B", dt.Cylindrical("y"), crank, rod, at=(0, 0, 0.3))  # so that all reactions are unique
    m.add_joint("C", dt.Spherical(), rod, slider, at=(math.sqrt(0.55), 0, 0))
    m.add_joint("D", dt.Prismatic("x"), m.ground, slider)
    m.add_force("motor", dt.JointTorque("A", 2.0))
    m.add_force("guide", dt.JointFriction("D", **law))
    return m


def test_friction_in_a_loop():
    # the crank is upright: its torque pushes along x with 2 / 0.3 N, and the slanting rod presses the slider down
    push, slope = 2.0 / 0.3, 0.3 / math.sqrt(0.55)
    held = dt.simulate(slider_crank(friction=1.01 / slope), 0.1, outputs=0.01)
    assert np.ptp(held["D.position"]) < 1e-12  # the equations of the loop are solved to round-off
    assert held["guide.force"] == pytest.approx(-push, rel=1e-6)
    assert held["guide.load"] == pytest.approx(push * slope, rel=1e-3)  # but for the masses of crank and rod
    moved = dt.simulate(slider_crank(friction=0.5), 0.01, outputs=0.01)
    assert moved["D.a"][0] == pytest.approx((push - 0.5 * push * slope) / 0.5, rel=1e-3)
    assert np.abs(moved.energy.residual).max() < 1e-7


def four_bar(**law):
    m = dt.Model("four-bar")
    for name, x in (("left", 0.0), ("right", 1.0)):
        m.add_body(name, dt.Inertia.rod(1.0, length=0.5, axis="z"), position=(x, 0, 0.25))
    m.add_body("top", dt.Inertia.rod(2.0, length=1.0, axis="x"), position=(0.5, 0, 0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, "left", at=(0, 0, 0), q0=0.3)
    m.add_joint("B", dt.Revolute("y"), "left", "top", at=(0, 0, 0.5))
    m.add_joint("C", dt.Revolute("y"), "top", "right", at=(1, 0, 0.5))
    m.add_joint("D", dt.Revolute("y"), m.ground, "right", at=(1, 0, 0))
    for joint in "ABCD":
        m.add_force(f"pin {joint}", dt.JointFriction(joint, **law))
    return m


def test_loads_that_are_not_unique_are_refused():
    with pytest.raises(dt.ModelError, match='bending moment in joint "A" is not unique'):
        dt.simulate(four_bar(friction=0.2, radius=0.01, bending_arm=0.05), 0.1)
    with pytest.raises(dt.ModelError, match="axial force"):
        dt.simulate(four_bar(friction=0.2, radius=0.01, axial_radius=0.01), 0.1)


def test_friction_in_all_joints_of_a_loop():
    """In-plane loads are unique; the loop falls, and its energy is what the four pins take."""
    r = dt.simulate(four_bar(friction=0.2, radius=0.02), 0.5, outputs=0.01)
    assert r.ok
    assert np.abs(r.energy.residual).max() < 1e-6
    for joint in "ABCD":
        force = np.linalg.norm(r[f"{joint}.reaction_force"][:, [0, 2]], axis=1)
        assert np.abs(r[f"pin {joint}.torque"][1:]) == pytest.approx(0.2 * 0.02 * force[1:], rel=1e-6)
    still = dt.simulate(four_bar(friction=0.9, radius=0.2), 0.5, outputs=0.1)  # four pins share what holds it
    assert np.ptp(still["A.angle"]) < 1e-12


def test_implicit_solvers_refuse_to_hold_joints_of_loops():
    with pytest.raises(ValueError, match="Radau cannot hold joints"):
        dt.simulate(slider_crank(friction=0.5), 0.1, solver="radau")
    law = {"friction": 0.5, "friction_law": "regularised", "regularisation": 1e-4}
    exact = dt.simulate(slider_crank(friction=0.5), 0.05, outputs=0.01)
    r = dt.simulate(slider_crank(**law), 0.05, outputs=0.01, solver="radau")
    # the start from rest over the width of tanh takes 1e-4 m/s / 10 m/s² = 1e-5 s, and 1e-4 m/s of the speed
    assert r["D.velocity"] == pytest.approx(exact["D.velocity"], abs=2e-4)
    assert r["guide.force"][1:] == pytest.approx(exact["guide.force"][1:], rel=1e-3)


# ------------------------------------------------------------------------------------------------------ at an instant


def test_at_an_instant():
    system = dt.compile(pendulum(friction=0.3, radius=0.05))
    q, v = np.array([0.4]), np.array([-2.0])
    a = dt.accelerations(system, q, v)
    N = 2.0 * math.hypot(0.5 * v[0] ** 2 + G * math.cos(q[0]), 0.5 * a[0] + G * math.sin(q[0]))
    torque = 0.3 * 0.05 * N
    assert 0.51 * a[0] == pytest.approx(-2.0 * G * 0.5 * math.sin(q[0]) + torque, rel=1e-10)
    assert dt.analyses.generalised_forces(system, q, v) == pytest.approx([torque], rel=1e-10)
    # a torque for other accelerations must overcome the friction that belongs to these
    tau = dt.inverse_dynamics(system, q, v, [10.0])
    N = 2.0 * math.hypot(0.5 * v[0] ** 2 + G * math.cos(q[0]), 0.5 * 10.0 + G * math.sin(q[0]))
    assert tau == pytest.approx([5.1 + 2.0 * G * 0.5 * math.sin(q[0]) - 0.3 * 0.05 * N], rel=1e-10)
    assert dt.accelerations(system, [0.01], [0.0]) == pytest.approx([0.0], abs=0.0)  # held
    with pytest.raises(ValueError, match='joint "A" slides with friction from its load'):
        dt.analyses.forward_dynamics_derivatives(system, q, v)
    assert dt.linearise(system, ([0.0], [0.0])).frequencies == pytest.approx([math.sqrt(G / 0.51) / (2 * math.pi)])
