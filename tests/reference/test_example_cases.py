"""The bundled examples against closed forms, geometry and the laws of momentum."""

from __future__ import annotations

import numpy as np
import pytest
from cases import case
from near import assert_near
from scipy.integrate import simpson
from scipy.optimize import brentq

import duoti as dt
from duoti.examples import (
    belt_drive,
    bouncing_ball,
    car_over_bump,
    crane,
    diving_board,
    find_example,
    flexible_crank,
    four_bar,
    furuta,
    gear_rattle,
    governor,
    hoist,
    lane_change,
    pendulum,
    quick_return,
    robot_arm,
    rolling_coin,
    satellite,
    slider_crank,
    stewart,
    wheelset,
)
from duoti.topology import textbook_examples as worked

TIGHT = dt.DOP853(rtol=1e-11, atol=1e-12)


# pins in the drawing, x and z in m; the crank points along x
SIX_BAR = {
    "crank_axle": (0.0, 0.0),
    "lower_axle": (-0.2030, -0.0555),
    "upper_axle": (-0.0715, 0.2185),
    "crank_pin": (0.0870, 0.0),
    "elbow": (-0.1093, 0.0094),
    "knee": (-0.2322, 0.1141),
    "hip": (-0.1405, 0.3755),
    "foot": (-0.1112, -0.1702),
}
GROUND = -0.175  # height of the ground [m]
MOUNTS = 6e4  # stiffness of each of the two mounts of the cab [N/m]
CAB, SEAT, DRIVER = 600.0, 25.0, 73.0  # kg
COIN, PATH, LEAN = 8.5e-3, 0.060, np.radians(20)  # mass, path and lean of the coin [kg, m, rad]


def stewart_joints() -> tuple[np.ndarray, np.ndarray]:
    """Joints of the six legs at the base and at the platform, in the drawing."""
    BASE, TOP, HEIGHT, SPREAD = 1.2, 0.8, 1.6, 0.12  # radii, height, half the distance of the joints of a pair [m]
    lower, upper = [], []
    for k in range(6):
        pair, side = k // 2, 1 - 2 * (k % 2)
        below = 2 * np.pi / 3 * pair
        above = below + side * np.pi / 3
        across = np.array([-np.sin(below), np.cos(below), 0])
        lower.append(BASE * np.array([np.cos(below), np.sin(below), 0]) + side * SPREAD * across)
        across = np.array([-np.sin(above), np.cos(above), 0])
        upper.append(TOP * np.array([np.cos(above), np.sin(above), 0]) - side * SPREAD * across + [0, 0, HEIGHT])
    return np.array(lower), np.array(upper)


def file(name, **parameters):
    return dt.load(find_example(name).file, parameters=parameters or None)


def test_pendulum_has_the_period_of_the_elliptic_integral():
    r = dt.simulate(file("pendulum"), 6.0, solver=TIGHT)
    lowest = [event.t for event in r.events]
    # events are located on the dense output (order 7) of steps of 1e-11
    assert np.allclose(2 * np.diff(lowest), pendulum.period(), rtol=0, atol=1e-9)


def test_slider_crank_follows_its_geometry():
    r = dt.simulate(file("slider_crank"), slider_crank.DURATION)
    angle = r["main.angle"]
    c, l = slider_crank.CRANK, slider_crank.ROD
    place = c * np.cos(angle) + np.sqrt(l**2 - (c * np.sin(angle)) ** 2) - (c + l)
    assert np.abs(r["bore.position"] - place).max() < 1e-9  # loops are closed to 1e-12 at steps, interpolated between
    turns = np.floor((angle[-1] + 2 * np.pi) / (2 * np.pi))
    assert len(r.events) == turns
    # the motor's droop: at the end the speed is below that without load
    assert 120 < r["main.rate"][-1] < 1500 * np.pi / 30


def test_four_bar_swings_as_grashof_says():
    r = dt.simulate(file("four_bar"), four_bar.DURATION, outputs=1e-4)
    assert np.ptp(r["A.angle"]) > 4 * np.pi  # the crank turns fully
    # extremes between outputs 1e-4 s apart: (rocker's acceleration, below 1e2 rad/s²) (1e-4)²/8
    assert abs(np.ptp(r["D.angle"]) - four_bar.swing()) < 1e-6
    (warning,) = dt.check(file("four_bar")).warnings
    assert "3 redundant closure equations" in warning.what


def test_quick_return_has_its_stroke_and_ratio_of_times():
    model = file("quick_return")
    turns = [event.t for event in dt.simulate(model, 2.0, rtol=1e-10, atol=1e-12).events]
    ram = dt.simulate(model, 2.0, outputs=turns, rtol=1e-10, atol=1e-12)["guide.position"]
    q = quick_return
    assert np.allclose(np.abs(np.diff(ram)), 2 * q.LEVER * q.CRANK / q.PIVOT, rtol=0, atol=1e-9)
    swing = np.arcsin(q.CRANK / q.PIVOT)
    slow, fast = max(np.diff(turns)), min(np.diff(turns))
    assert abs(slow / fast - (np.pi + 2 * swing) / (np.pi - 2 * swing)) < 1e-8
    assert abs(slow + fast - 1.0) < 1e-9  # 60 rpm


def circles(a, r, b, s, side):
    """Where circles about a (radius r) and b (radius s) meet, in the x-z plane."""
    d = b - a
    length = np.hypot(*d.T)
    along = (r**2 - s**2 + length**2) / (2 * length)
    u = d / length[..., None]
    return a + along[..., None] * u + side * np.sqrt(r**2 - along**2)[..., None] * np.stack([-u[..., 1], u[..., 0]], -1)


def test_six_bar_foot_follows_the_geometry_of_its_circles():
    r = dt.simulate(file("six_bar"), 2.0)
    p = {name: np.array(place) for name, place in SIX_BAR.items()}

    def apart(a, b):
        return np.linalg.norm(p[a] - p[b])

    angle = r["crank_axle.angle"]  # counted from x to z
    pin = p["crank_pin"][0] * np.stack([np.cos(angle), np.sin(angle)], -1)
    fixed = {name: np.broadcast_to(p[name], pin.shape) for name in ("lower_axle", "upper_axle")}
    elbow = circles(pin, apart("crank_pin", "elbow"), fixed["lower_axle"], apart("lower_axle", "elbow"), -1)
    knee = circles(pin, apart("crank_pin", "knee"), elbow, apart("elbow", "knee"), -1)
    hip = circles(fixed["upper_axle"], apart("upper_axle", "hip"), knee, apart("hip", "knee"), -1)
    foot = circles(hip, apart("hip", "foot"), knee, apart("knee", "foot"), 1)
    assert np.allclose(foot[0], p["foot"], atol=1e-12)  # the right branches
    assert np.abs(r["foot.position"][:, [0, 2]] - foot).max() < 1e-9
    low = r["foot.position"][:, 2] < GROUND + 0.012
    assert 0.4 < np.mean(low) < 0.7  # the foot is down for about half of the time


def test_governor_settles_at_the_angles_of_lagrange_and_balances_its_torques():
    r = dt.simulate(file("governor"), governor.DURATION)
    for time, load in ((10.0, 20.0), (20.0, 30.0)):
        k = int(np.searchsorted(r.t, time))
        speed, lift = r["spindle.rate"][k], r["slide.position"][k]
        angle = np.arccos(-r["ball.position"][k, 2] / governor.LENGTH)
        # ten seconds after the change the slowest part, exp(-0.9 t), has died down to 1e-4
        assert abs(angle - governor.steady_angle(speed)) < 1e-5
        assert abs(40.0 - 200.0 * lift - load) < 5e-3
    hunting = dt.simulate(file("governor", oil=20.0), governor.DURATION)
    late = hunting["spindle.rate"][hunting.t > 15]
    assert np.ptp(late) > 1.0  # rad/s: with too little damping it never settles


def test_stewart_platform_follows_the_inverse_kinematics():
    r = dt.simulate(file("stewart"), stewart.DURATION)
    surge, heave, yaw = stewart.wanted(r.t)
    place = np.column_stack([surge, 0 * surge, stewart.HEIGHT + heave])
    # positions are closed to 1e-12 at every step and output; the tolerance of the run does not matter
    assert np.abs(r["platform.position"] - place).max() < 1e-9
    w, x, y, z = r["platform.rotation"].T
    assert np.abs(np.column_stack([x, y])).max() < 1e-9
    assert np.abs(2 * np.arctan2(z, w) - yaw).max() < 1e-9
    lower, upper = stewart_joints()
    turned = [dt.Rotation.about("z", angle).matrix @ upper.T for angle in yaw]
    for k in range(6):
        tip = np.array([each[:, k] for each in turned]) + np.column_stack([surge, 0 * surge, heave])
        length = np.linalg.norm(tip - lower[k], axis=1)
        assert np.abs(r[f"leg{k + 1}.slide.position"] - (length - length[0])).max() < 1e-9
    # Newton for all that moves: the feet carry weight and acceleration of everything
    up = sum(r[f"leg{k}.foot.reaction_force"][:, 2] for k in range(1, 7))
    impulse = simpson(up - 9.81 * r.model.mass, x=r.t)
    assert abs(impulse - (r.linear_momentum[-1, 2] - r.linear_momentum[0, 2])) < 1e-4  # Simpson over 4 ms, of 3e4 N s


def test_suspension_cambers_like_the_four_bar_of_its_wishbones():
    r = dt.simulate(file("suspension"), 1.0)
    inner_low, inner_up = np.array([0.37, 0.20]), np.array([0.44, 0.42])  # y and z of the pivots and ball joints
    ball_low, ball_up = np.array([0.72, 0.19]), np.array([0.69, 0.44])
    angle = r["lower_pivot.angle"]
    arm = ball_low - inner_low
    turned = np.stack(
        [np.cos(angle) * arm[0] - np.sin(angle) * arm[1], np.sin(angle) * arm[0] + np.cos(angle) * arm[1]], -1
    )
    low = inner_low + turned
    fixed = np.broadcast_to(inner_up, low.shape)
    up = circles(low, np.linalg.norm(ball_up - ball_low), fixed, np.linalg.norm(ball_up - inner_up), -1)
    assert np.allclose(up[0], ball_up, atol=1e-12)  # the right branch
    wanted = np.arctan2(*(up - low).T)
    # from below to above; steering by the track rod turns the carrier about this very line
    line = np.array([dt.Rotation(q).matrix @ [0, *(ball_up - ball_low)] for q in r["carrier.rotation"]])
    camber = np.arctan2(line[:, 1], line[:, 2])
    assert np.abs(camber - wanted).max() < 1e-9
    assert np.degrees(np.ptp(camber)) > 0.5  # the bump does tilt the wheel
    # drawn at rest: the free length of the spring is rounded to 0.1 mm, which is 4 N of its 6.9 kN
    assert abs(r["body.acceleration"][0, 2]) < 0.02


def test_rolling_coin_without_a_push_rolls_steadily():
    r = dt.simulate(file("rolling_coin", push=0.0), 2.0, solver=TIGHT)
    height, radius = rolling_coin.RADIUS * np.cos(LEAN), PATH
    assert np.abs(r["coin.position"][:, 2] - height).max() < 1e-9
    assert np.abs(np.hypot(*r["coin.position"].T[:2]) - radius).max() < 1e-9
    about = np.sqrt(9.81 * np.tan(LEAN)
                    / (rolling_coin.RADIUS * np.sin(LEAN) / 4 + 1.5 * radius))  # fmt: skip
    turned = np.unwrap(np.arctan2(r["coin.position"][:, 1], r["coin.position"][:, 0]))
    assert np.abs(turned - about * r.t).max() < 1e-7  # the solver's error, growing with time
    normal = r.multipliers("roll")[:, 0]
    assert np.abs(normal / (9.81 * COIN) - 1).max() < 1e-7
    nodding = dt.simulate(file("rolling_coin"), 2.0)
    assert np.ptp(nodding["coin.position"][:, 2]) > 1e-4


def test_heavy_top_conserves_what_gravity_cannot_change():
    r = dt.simulate(file("heavy_top"), 1.0, solver=TIGHT)
    top = r.model.bodies["top"].inertia
    R = np.array([dt.Rotation(q).matrix for q in r["top.rotation"]])
    about_ball = top.about((0, 0, 0))
    momentum = np.einsum("nij,jk,nlk,nl->ni", R, about_ball, R, r["top.angular_velocity"])
    assert np.ptp(momentum[:, 2]) < 1e-8 * np.abs(momentum[:, 2]).max()
    assert np.ptp(r["ball.angular_velocity"][:, 2]) < 1e-9 * 160.0


def test_furuta_pendulum_without_friction_conserves_its_moment_of_momentum():
    system = dt.compile(file("furuta", friction=0.0))
    r = dt.simulate(system, furuta.DURATION, outputs=0.2, solver=TIGHT)
    about_axle = np.array([(dt.mass_matrix(system, q) @ v)[0] for q, v in zip(r.q, r.v, strict=True)])
    assert np.ptp(about_axle) < 1e-9 * abs(about_axle[0])


def test_satellite_follows_kepler():
    r = dt.simulate(file("satellite"), satellite.DURATION, rtol=1e-10)
    axis = satellite.PERIGEE / (1 - satellite.ECCENTRICITY)
    period = 2 * np.pi * np.sqrt(axis**3 / satellite.GM)
    # the satellite is 4 m long, not a point: its mass centre is up to 0.15 m away from the bus, of 7e6 m
    assert abs(r.t[-1] / period - 1) < 1e-6
    apogee = next(event for event in r.events if event.name == "apogee")
    assert (
        abs(
            np.linalg.norm(apogee.q[:3] + np.array([satellite.PERIGEE, 0, 0])) / (axis * (1 + satellite.ECCENTRICITY))
            - 1
        )
        < 1e-6
    )


def test_robot_arm_reaches_its_goal_with_the_torques_of_inverse_dynamics():
    for joint, torque in robot_arm.holding_torques().items():
        assert abs(torque - robot_arm.HOLD[joint]) < 0.005  # they are rounded to 0.01 N m
    r = dt.simulate(file("robot_arm"), robot_arm.DURATION)
    for joint, goal in robot_arm.GOAL.items():
        assert abs(r[f"{joint}.angle"][-1] - goal) < 1e-3
    sagging = dt.simulate(file("robot_arm", hold=0.0), robot_arm.DURATION)
    assert sagging["shoulder.angle"][-1] - robot_arm.GOAL["shoulder"] > 0.03


@pytest.fixture(scope="module")
def ride():
    return dt.simulate(file("driver_in_cab"), 2.0, outputs=2e-3)


def test_driver_in_cab_has_the_structure_of_yuan(ride):
    model = ride.model
    t = dt.topology(model)
    graph = worked.driver_in_cab()
    vehicle = {"track", "cab_mounts", "seat_guide"}
    assert len(model.bodies) == len(graph.bodies) + 3  # his fifteen, and frame, cab and seat
    assert len(set(model.joints) - vehicle) == len(graph.joints) == 21
    assert len(t.loops) == 6


def test_driver_in_cab_obeys_newton(ride):
    """Force of the mounts and weight change the momentum of all that stands on the frame."""
    r, model = ride, ride.model
    force = 0.0
    for end in ("front", "rear"):
        d = r[f"{end}_above.position"] - r[f"{end}_below.position"]
        rate = r[f"{end}_above.velocity"] - r[f"{end}_below.velocity"]
        length = np.linalg.norm(d, axis=1)
        free = 0.4 + 9.81 * (CAB + SEAT + DRIVER) / 2 / MOUNTS
        tension = MOUNTS * (length - free) + 3e3 * np.sum(d * rate, axis=1) / length
        force = force - tension * d[:, 2] / length
    # the joint that guides the cab on the frame lets it move up and down freely: it carries nothing vertically
    frame = model.bodies["frame"].inertia.mass
    carried = model.mass - frame
    momentum = r.linear_momentum[:, 2] - frame * r["frame.velocity"][:, 2]
    for k in (200, 500, 1000):
        impulse = simpson(force[: k + 1] - 9.81 * carried, x=r.t[: k + 1])
        # Simpson over 2 ms with waves of 5 Hz: relative error (2 pi 5 0.002)^4/180 = 1e-7 of some 10^3 N s
        assert abs(impulse - (momentum[k] - momentum[0])) < 1e-3


def test_driver_in_cab_is_shaken_less_than_the_frame(ride):
    shaken = ride.t > 1.0
    rms = {name: np.std(ride[f"{name}.acceleration"][shaken, 2]) for name in ("frame", "cab", "seat", "head")}
    assert rms["frame"] > rms["cab"] > rms["seat"]


def test_motor_robot_is_the_reference_case():
    """Case M01, horizontal, motors on the links; the file and the script are the same model."""
    c = case("M01")
    rows = np.array(c.reference["cases"]["horizontal_relative"]["values"])
    table = dict(zip(c.reference["columns"], rows.T, strict=True))
    r = dt.simulate(file("motor_robot"), 1.0, outputs=table["t"], solver=dt.DOP853(rtol=1e-11, atol=1e-11))
    for k in (1, 2, 3):
        assert_near(r[f"drives.motor{k}.L.flow"], table[f"i{k}"], 1e-5)
        assert_near(r[f"q{k}.rate"], table[f"qd{k}"], 1e-5)


def test_bouncing_ball_comes_to_rest_when_the_series_says():
    """Impacts at T (1 + 2 e + 2 e² + ...), rest at their limit, all energy dissipated."""
    r = dt.simulate(file("bouncing_ball"), bouncing_ball.DURATION)
    fall, e = np.sqrt(2 * bouncing_ball.HEIGHT / 9.81), bouncing_ball.RESTITUTION
    times = fall * (1 + 2 * np.cumsum(np.r_[0.0, e ** np.arange(1, 20)]))
    # each is a root of the polynomial of a step (order 4 in a parabola: exact), located to 1e-12 of the run
    assert np.allclose([impact.time for impact in r.impacts[:20]], times, rtol=0, atol=1e-10)
    assert bouncing_ball.time_of_rest() - 1e-6 < r.impacts[-1].time < bouncing_ball.time_of_rest() + 1e-9
    # after the impacts that are put together (of flights below 1e-6 s) nothing moves
    assert abs(r["ball.position"][-1][2] - bouncing_ball.RADIUS) < 1e-9
    assert np.abs(r["ball.velocity"][-1]).max() < 1e-9
    assert abs(r.energy.dissipated[-1] - 9.81 * bouncing_ball.HEIGHT) < 1e-8


@pytest.mark.full
def test_wheelset_hunts_above_its_critical_speed_and_not_below():
    """It stays on its rails, carried by their forces: the impulse of these is the change of momentum."""
    fast, slow = (
        dt.simulate(file("wheelset", speed=v), wheelset.DURATION, outputs=2e-3, solver=TIGHT) for v in (30.0, 10.0)
    )
    late = fast.t > 1.0
    assert np.abs(fast["six.q"][late, 0]).max() > 5 * wheelset.OFFSET
    assert np.abs(slow["six.q"][late, 0]).max() < 0.5 * wheelset.OFFSET
    for r in (fast, slow):
        # one wheel starts 2e-8 m above its rail; then gaps are 1e-12 at steps, the rest is interpolation
        assert max(np.abs(r[f"{side}.gap"][1:]).max() for side in ("left", "right")) < 1e-9
        up = r["left.force"][:, 2] + r["right.force"][:, 2] - 9.81 * wheelset.MASS
        gained = wheelset.MASS * (r["wheelset.velocity"][-1, 2] - r["wheelset.velocity"][1, 2])
        # Simpson over 2 ms with waves of 10 Hz (twice the hunting): (2 pi 10 0.002)^4 / 180 = 1e-6 of some N s
        assert abs(simpson(up[1:], x=r.t[1:]) - gained) < 1e-4
    # the hunting wave is fed by the train, through creep: what friction takes exceeds what the wave loses
    assert fast.energy.dissipated[-1] > 10 * slow.energy.dissipated[-1]


def test_diving_board_hangs_and_swings_like_a_cantilever():
    """Large deflection a little below that of the linear theory; with a stiff board both agree."""
    model = file("diving_board")
    own = 2700.0 * diving_board.WIDTH * diving_board.THICKNESS * diving_board.LENGTH
    small = (diving_board.MASS + 3 / 8 * own) * 9.81 / diving_board.stiffness()
    rest = dt.equilibrium(model)
    assert rest.ok
    assert 0.9 * small < -rest["diver.position"][2] < small
    stiff = file("diving_board", thickness=0.1)
    own, k = 4 * own, 64 * diving_board.stiffness()
    rest = dt.equilibrium(stiff)
    small = (diving_board.MASS + 3 / 8 * own) * 9.81 / k
    # 12 elements with lumped weight (1/12² / 8 of it), shear and large deflection (0.012 m of 4 m) below 1e-3
    assert abs(-rest["diver.position"][2] / small - 1) < 5e-3
    f = dt.linearise(stiff, rest).frequencies[0]
    ratio = diving_board.MASS / own

    def determinant(x):  # of a cantilever with an end mass (Blevins, Formulas for natural frequency, 1979, table 8-8)
        return 1 + np.cos(x) * np.cosh(x) - ratio * x * (np.sin(x) * np.cosh(x) - np.cos(x) * np.sinh(x))

    x = brentq(determinant, 0.5, 1.9)
    exact = x**2 * np.sqrt(k / 3 / own) / (2 * np.pi)
    # elements of 1/12 of the length (x⁴ / 12² / 12 = 1e-3), shear and the diver's own turning (1e-3)
    assert abs(f / exact - 1) < 3e-3


def test_hoist_reaches_its_speed_and_carries_the_rotor_along():
    r = dt.simulate(file("hoist"), hoist.DURATION)
    # time constants below 0.1 s: after 1.2 s nothing is left but the error of the run
    assert abs(r["lift.velocity"][-1] - hoist.final_speed()) < 1e-6
    current = r["motor.L.flow"][-1]
    rotor = hoist.final_speed() / hoist.RADIUS * hoist.GEAR
    assert abs(hoist.VOLTAGE - hoist.RESISTANCE * current - hoist.CONSTANT * rotor) < 1e-5
    # at the first instant the current is zero, and the load falls with the rotor's inertia on its back
    inertia = hoist.LOAD + (8.0 / 2 + hoist.ROTOR * hoist.GEAR**2 / hoist.RADIUS**2)
    assert abs(r["lift.a"][0] + hoist.LOAD * 9.81 / inertia) < 1e-9


def test_crane_winds_up_and_carries_half_the_weight_in_each_fall():
    r = dt.simulate(file("crane"), crane.DURATION)
    assert r.ok, r.reason
    # what the drum winds up, less its strain of 0.1 %
    wound = -crane.RADIUS * r["axle.angle"][-1]
    np.testing.assert_allclose(-r["rope.passed"][-1], wound, rtol=2e-3)
    # the load swings by up to 0.2 rad, 1 - cos = 2 %, and is lifted with less than 0.3 m/s²
    weight = 0.5 * (crane.LOAD + crane.HOOK) * 9.81
    assert abs(np.mean(r["rope.tension"][r.t > 4.0]) / weight - 1) < 0.05
    # the rope between drum and trolley is its unstretched length, strained by 0.07 %, at the start twice
    np.testing.assert_allclose(r["rope.length"] - r["rope.passed"], r["rope.length"][0], rtol=2e-3)


@pytest.mark.parametrize(("part", "rattles"), [(0.8, False), (1.2, True)])
def test_gears_rattle_beyond_the_threshold(part, rattles):
    model = gear_rattle.build(part * gear_rattle.threshold())
    r = dt.simulate(model, gear_rattle.DURATION)
    assert r.ok, r.reason
    # the start in the middle of the backlash is forgotten after some blows
    assert np.any(r["teeth.force"][r.t > 0.2] == 0.0) == rattles


def test_belt_drive_slips_at_eulers_torque():
    r = dt.simulate(file("belt_drive"), belt_drive.DURATION)
    assert r.ok, r.reason
    slips = np.flatnonzero(np.abs(r["belt.slip"][:, 0]) > 1e-4)
    deceleration = -np.gradient(r["axle.rate"], r.t)[slips[0] - 5]  # by creep that grows, before it slips
    torque = 4.0 * r.t[slips[0]] - 0.5 * 8.0 * belt_drive.LARGE**2 * deceleration
    # outputs every 4.5 ms: 0.02 N m
    assert abs(torque - belt_drive.largest_torque()) < 0.03
    assert np.all(r["belt.slip"][: slips[0] - 2] == 0.0)


def test_flexible_crank_bends_as_a_beam_under_its_own_inertia():
    """Against the same with a rigid rod, and against its largest bending as a simply supported beam.

    Across the rod acts mu a (1 - x / L) per length, a = crank speed² at the big end, none at the slider. The first
    sine mode of such a triangle deflects by (2 / pi) mu a L⁴ / (pi⁴ EI), amplified by 1 / (1 - (speed / omega)²).
    """
    r = dt.simulate(file("flexible_crank"), flexible_crank.DURATION, rtol=1e-6, atol=1e-9)
    rigid = dt.simulate(flexible_crank.build(flexible=False), flexible_crank.DURATION, outputs=r.t)
    assert 1e-6 < np.max(np.abs(r["D.position"] - rigid["D.position"])) < 1e-4
    side, L = flexible_crank.SIDE, flexible_crank.ROD
    EI, mu = 2.1e11 * side**4 / 12, 7850 * side**2
    load = mu * flexible_crank.CRANK * flexible_crank.SPEED**2
    omega = np.pi**2 * np.sqrt(EI / mu / L**4)
    static = 2 / np.pi * load * L**4 / (np.pi**4 * EI)
    middle = r.displacement("rod", 8)
    # less the straight line between the ends (the body frame moves with the big end); after the first turn
    end = r.displacement("rod", 16)
    bend = np.abs(middle[:, 2] - end[:, 2] / 2)[r.t > 0.1].max()
    amplified = static / (1 - (flexible_crank.SPEED / omega) ** 2)
    # the first harmonic only, free vibrations of the start (1 % damping) on top: the size, not the digits
    assert 0.7 * amplified < bend < 2.0 * amplified


def test_a_car_over_a_bump_comes_to_rest_again() -> None:
    """Left and right stay mirror images; after the bump the tyres carry the weight, the energy went into dampers."""
    r = dt.simulate(car_over_bump.build(), 4.0, outputs=0.01)
    assert r.ok
    assert np.abs(r["car.chassis.position"][:, 1]).max() < 1e-9
    assert_near(r["car.front.left.tyre.load"], r["car.front.right.tyre.load"], 1e-9, relative=True)
    wheels = ("front.left", "front.right", "rear.left", "rear.right")
    weight = sum(r[f"car.{wheel}.tyre.load"][-1] for wheel in wheels)
    assert_near(weight, 9.81 * car_over_bump.build().mass, 5e-3, relative=True)
    bump = (r.t > 0.55) & (r.t < 0.8)
    assert r["car.front.left.hub.position"][bump, 2].max() - r["car.front.left.hub.position"][0, 2] > 0.04


def test_a_lane_change_keeps_to_the_lanes() -> None:
    """The car stays between the lines of its lanes, which are those of ISO 3888-1 for its width."""
    from duoti.vehicle.manoeuvres import lanes

    r = dt.simulate(lane_change.build(), lane_change.DURATION, outputs=0.01)
    assert r.ok
    x, y = r["car.chassis.position"][:, 0], r["car.chassis.position"][:, 1]
    for begin, end, right, left in lanes(lane_change.WIDTH):
        inside = (x > begin) & (x < end)
        assert np.any(inside)
        assert np.all(y[inside] - 0.5 * lane_change.WIDTH > right - 0.05)  # its middle; corners: the manoeuvre itself
        assert np.all(y[inside] + 0.5 * lane_change.WIDTH < left + 0.05)
    speed = r["car.chassis.velocity"]
    assert_near(np.hypot(speed[:, 0], speed[:, 1]), np.full(len(r.t), 22.0), 0.01, relative=True)
