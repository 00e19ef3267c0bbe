"""Whole cars against closed forms: single track, quarter car, drag, brakes, differential.

The tyres are linear (`support.linear_tyre`), so the closed forms hold but for what the suspensions add.
"""

import math

import numpy as np
import pytest

import duoti as dt
from duoti.vehicle.axles import loaded
from duoti.vehicle.car import AIR, running
from duoti.vehicle.manoeuvres import motion_of
from duoti.vehicle.parts_of import names_of_car
from support.linear_tyre import add_linear_tyres, centre, rolling_place

V = dt.vehicle
FRONT, REAR = 60e3, 70e3  # cornering stiffness of a tyre [N/rad]
RADIUS = 0.31


def make(cg_height=0.58, front=FRONT, rear=REAR, **more):
    more.setdefault("drag_area", 0.0)
    m = V.car(V.double_wishbone(), V.double_wishbone(), cg_height=cg_height, **more)
    return add_linear_tyres(m, front, rear)


def single_track(m, front=FRONT, rear=REAR):
    """(mass, yaw inertia, distances of the axles from the mass centre, axle stiffnesses)."""
    x = centre(m)
    a, b = rolling_place(m, "front.left") - x, x - rolling_place(m, "rear.left")
    J = 0.0
    for body in m.bodies.values():
        X = body.pose
        com = X @ body.inertia.com
        R = np.asarray(X.rotation.matrix)
        J += (R @ body.inertia.matrix @ R.T)[2, 2] + body.inertia.mass * ((com[0] - x) ** 2 + com[1] ** 2)
    return m.mass, J, a, b, 2 * front, 2 * rear


def matrix(m, speed):
    """Of sideslip velocity and yaw rate of the single-track model (Riekert and Schunck)."""
    M, J, a, b, Cf, Cr = single_track(m)
    return np.array([
        [-(Cf + Cr) / (M * speed), (b * Cr - a * Cf) / (M * speed) - speed],
        [(b * Cr - a * Cf) / (J * speed), -(a * a * Cf + b * b * Cr) / (J * speed)],
    ])  # fmt: skip


def test_understeer_gradient():
    """K = m / l (b / Cf - a / Cr), within 1 %: the wheels also lean, and drive."""
    m = make()
    M, _, a, b, Cf, Cr = single_track(m)
    K = M / (a + b) * (b / Cf - a / Cr)
    r = V.steady_state_cornering(m, 25.0, handwheel_rate=0.03)
    assert r.ok
    assert r["understeer_gradient"] == pytest.approx(K, rel=0.01)
    assert r["characteristic_speed"] == pytest.approx(math.sqrt((a + b) / K), rel=0.01)
    # roll: moment of the lateral force about the roll axis against the roll stiffness; here only its sign and size
    assert 0.005 < r["roll_gradient"] < 0.03


def test_steady_yaw_gain():
    """yaw rate / wheel angle = v / (l + K v^2)."""
    m = make()
    M, _, a, b, Cf, Cr = single_track(m)
    K = M / (a + b) * (b / Cf - a / Cr)
    for speed in (10.0, 30.0):
        r = V.step_steer(m, speed, angle=0.05)
        assert r.ok
        assert r["yaw_gain"] == pytest.approx(speed / (a + b + K * speed**2), rel=0.01)


def test_step_response():
    """A car whose chassis lies as low as its roll axis does not roll: yaw rate over time as of the single track."""
    m, speed = make(cg_height=0.07), 25.0
    r = V.step_steer(m, speed, angle=0.1, rise_time=0.1, duration=2.0)
    assert r["largest_roll"] < 0.002
    motion = motion_of(r.result, names_of_car(m))
    M, J, a, _, Cf, _ = single_track(m)
    A, B = matrix(m, speed), np.array([Cf / M, a * Cf / J])
    x, found = np.zeros(2), [0.0]
    steer = motion.wheel_angle - motion.rear_angle
    for k in range(len(motion.t) - 1):  # trapezoidal rule: the steps of 5 ms are far below the time of the response
        h = motion.t[k + 1] - motion.t[k]
        right = (np.eye(2) + 0.5 * h * A) @ x + 0.5 * h * B * (steer[k] + steer[k + 1])
        x = np.linalg.solve(np.eye(2) - 0.5 * h * A, right)
        found.append(x[1])
    assert np.allclose(motion.yaw_rate, found, atol=0.015 * np.max(found))


@pytest.mark.parametrize("speed", [15.0, 25.0, 40.0])
def test_eigenvalues_over_speed(speed):
    m = make(cg_height=0.07)
    expected = np.linalg.eigvals(matrix(m, speed))
    found = V.straight_running(m, [speed]).systems[0].eigenvalues
    for value in expected:
        assert np.min(np.abs(found - value)) < 0.03 * abs(value)


def test_an_oversteering_car_is_unstable_above_its_critical_speed():
    m = make(cg_height=0.07, front=80e3, rear=50e3)
    M, _, a, b, Cf, Cr = single_track(m, 80e3, 50e3)
    K = M / (a + b) * (b / Cf - a / Cr)
    critical = math.sqrt(-(a + b) / K)
    below, above = V.straight_running(m, [0.97 * critical, 1.03 * critical]).systems
    assert np.max(below.eigenvalues.real) < 0.02  # zero: place, heading, speed
    assert np.max(above.eigenvalues.real) > 0.05


# ------------------------------------------------------------------------------------------------------- quarter car


def quarter_car(**more):
    """A quarter of a car on a level trailing arm, whose wheel stands on a spring."""
    m = dt.Model("quarter car", parameters={"road": 0.0})
    m.add_body("chassis", dt.Inertia.box(350.0, size=(1, 1, 0.5)), position=(0, 0, 0.6))
    m.add_joint("heave", dt.Prismatic("z"), "ground", "chassis")
    arm = {"pivot": (0.4, -0.12, 0.31), "spring_foot": (0.0, -0.16, 0.31), "spring_top": (0.0, -0.16, 0.75)}
    m.add_submodel("corner", loaded(V.trailing_arm(**arm, **more), 4000.0), ground="chassis")
    m.add_constraint("held", dt.JointMotion("corner.bearing", 0.0))
    m.add_marker("patch", "ground", (0, 0, 0))
    m.add_force(
        "tyre", dt.AppliedForce("corner.hub", (0, 0, f"{9.81 * m.mass!r} - 2e5*(corner.hub.position.z - 0.31 - road)"))
    )
    return m


def quarter_matrices(m, k, c):
    """Of the heights of chassis and wheel centre: mass, damping, stiffness, and force per height of the road."""
    arm, wheel = m.bodies["corner.upright"], m.bodies["corner.wheel"]
    J = arm.inertia.matrix[1, 1] + wheel.inertia.matrix[1, 1]
    x = ((arm.pose @ arm.inertia.com)[0] - 0.4) / -0.4  # of the arm's mass centre, from pivot to wheel
    mass = np.diag([350.0, wheel.inertia.mass]) + arm.inertia.mass * np.outer((1 - x, x), (1 - x, x))
    mass += J / 0.4**2 * np.outer((-1, 1), (-1, 1))
    between = np.outer((-1, 1), (-1, 1))
    return mass, c * between, k * between + np.diag([0.0, 2e5]), np.array([0.0, 2e5])


def test_quarter_car_frequencies():
    m = quarter_car(stiffness=25e3, damping=0.0)
    M, _, K, _ = quarter_matrices(m, 25e3, 0.0)
    expected = np.sort(np.sqrt(np.linalg.eigvals(np.linalg.solve(M, K)).real)) / (2 * np.pi)
    assert np.allclose(np.sort(dt.linearise(m, dt.equilibrium(m)).frequencies), expected, rtol=2e-3)


def test_quarter_car_transmissibility():
    m = quarter_car(stiffness=25e3, damping=1800.0)
    M, C, K, f = quarter_matrices(m, 25e3, 1800.0)
    frequencies = np.array([0.5, 1.0, 1.5, 3.0, 8.0, 12.0, 20.0])
    lin = dt.linearise(m, dt.equilibrium(m), inputs=["road"], outputs=["heave.position", "corner.hub.position.z"])
    found = lin.frequency_response(frequencies)[:, 0, :]
    for k, w in enumerate(2 * np.pi * frequencies):
        expected = np.linalg.solve(K + 1j * w * C - w * w * M, f)
        assert np.allclose(found[:, k], expected, rtol=5e-3, atol=2e-3)


# ------------------------------------------------------------------------------------- drag, brakes, differential


def effective_mass(m):
    """Mass with the inertia of the rolling wheels."""
    return m.mass + 4 * m.bodies["front.left.wheel"].inertia.matrix[1, 1] / RADIUS**2


def test_speed_over_time_under_constant_torque_and_drag():
    """v = v_t tanh(t / tau), v_t = sqrt(2 F / (rho c A)), tau = m / (rho c A v_t / 2)."""
    m = V.command(make(drag_area=8.0), {"drive": 1200.0})
    start = 5.0
    force, k = 1200.0 / RADIUS, 0.5 * AIR * 8.0
    r = dt.simulate(running(m, start), 60.0, outputs=1.0)
    terminal = math.sqrt(force / k)
    tau = effective_mass(m) / (k * terminal)
    expected = terminal * np.tanh(r.t / tau + math.atanh(start / terminal))
    found = r["chassis.velocity"][:, 0]
    # the tyres slip by force / 320 kN = 1 %: power is lost, the force is the same; the wheels turn as much faster
    assert np.allclose(found, expected, rtol=2e-3)
    assert found[-1] == pytest.approx(terminal, rel=1e-3)


def test_braking_distance_with_constant_torque():
    m = make()
    torque, speed = 3000.0, 25.0
    r = V.braking(m, speed, torque, rise_time=1e-3)
    assert r.ok
    deceleration = torque / RADIUS / effective_mass(m)
    assert r["mean_deceleration"] == pytest.approx(deceleration, rel=0.01)
    assert r["distance"] == pytest.approx(speed**2 / (2 * deceleration), rel=0.01)


def test_open_differential_gives_both_wheels_the_same_torque():
    """One driven wheel in the air: it spins up with T / 2, the other pulls with T / 2, whatever they do."""
    m = make()
    for name in ("rear.left.traction", "rear.left.rolling"):
        del m.forces[name]
    torque = 600.0
    r = dt.simulate(running(V.command(m, {"drive": torque}), 10.0), 1.0, outputs=0.1)
    spin = m.bodies["rear.left.wheel"].inertia.matrix[1, 1]
    rate = r["rear.left.bearing.rate"]
    assert np.allclose(rate, 10.0 / RADIUS + 0.5 * torque / spin * r.t, rtol=2e-3)
    speed = r["chassis.velocity"][:, 0]
    wheels = m.mass + 3 * spin / RADIUS**2
    assert (speed[-1] - speed[0]) == pytest.approx(0.5 * torque / RADIUS / wheels, rel=0.02)


def test_a_viscous_lock_shares_by_the_difference_of_speeds():
    m = make(lock=50.0)
    for name in ("rear.left.traction", "rear.left.rolling"):
        del m.forces[name]
    torque = 600.0
    r = dt.simulate(running(V.command(m, {"drive": torque}), 10.0), 3.0, outputs=0.1)
    # the free wheel ends where its half of the torque is what the lock takes from it: c dw = T / 2
    difference = r["rear.left.bearing.rate"][-1] - r["rear.right.bearing.rate"][-1]
    assert difference == pytest.approx(0.5 * torque / 50.0, rel=0.02)


def test_a_car_of_mirrored_corners_runs_straight():
    m = V.command(make(), {"brake": 2000.0})
    r = dt.simulate(running(m, 20.0), 1.0, outputs=0.1)
    assert np.abs(r["chassis.position"][:, 1]).max() < 1e-8
    assert r.ok


def test_what_a_manoeuvre_needs():
    with pytest.raises(ValueError, match="bodies called chassis: none"):
        V.step_steer(dt.Model("empty"))
    m = make()
    with pytest.raises(ValueError, match=r"no parameter throttle; it has front\.steering_ratio, steer"):
        V.command(m, {"throttle": 1.0})
    with pytest.raises(ValueError, match="speeds above zero"):
        V.straight_running(m, [0.0])
    unsteered = V.car(V.trailing_arm(), V.trailing_arm(), road=dt.Road.flat())
    with pytest.raises(ValueError, match="no steering"):
        V.step_steer(unsteered)
    with pytest.raises(ValueError, match="drive is 'six'"):
        V.car(V.trailing_arm(), V.trailing_arm(), drive="six")


def test_double_lane_change_stays_in_the_lanes_or_says_so():
    m = make()
    r = V.double_lane_change(m, 20.0)
    assert r.ok
    assert 0.0 < r["clearance"] < 0.5
    fast = V.double_lane_change(m, 38.0)
    assert not fast.ok
    assert "leaves the lanes" in str(fast)
