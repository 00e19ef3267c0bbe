"""Suspensions against closed forms: camber, toe and track over the travel, wheel rate, roll stiffness, loads."""

import math

import numpy as np
import pytest

import duoti as dt
from duoti.vehicle.axles import loaded

V = dt.vehicle
KINDS = (V.double_wishbone, V.mcpherson, V.trailing_arm)


def parallel_wishbones(length=0.35):
    """Equal, parallel, level wishbones, and a tie rod as long as they: the wheel moves on an arc without turning."""
    return V.double_wishbone(
        lower_front=(0.15, -0.1 - length, 0.18), lower_rear=(-0.15, -0.1 - length, 0.18), lower_ball=(0, -0.1, 0.18),
        upper_front=(0.15, -0.1 - length, 0.45), upper_rear=(-0.15, -0.1 - length, 0.45), upper_ball=(0, -0.1, 0.45),
        tie_inner=(-0.13, -0.1 - length, 0.25), tie_outer=(-0.13, -0.1, 0.25), spring_top=(0, -0.2, 0.6),
        spring_foot=(0, -0.2, 0.18),
    )  # fmt: skip


def test_parallel_wishbones_move_the_wheel_on_an_arc():
    s = V.suspension_travel(parallel_wishbones(0.35), 0.08, 0.08)
    assert np.abs(s.camber).max() < 1e-10
    assert np.abs(s.toe).max() < 1e-10
    assert np.allclose(s.track_change, np.sqrt(0.35**2 - s.travel**2) - 0.35, atol=1e-11)
    assert np.allclose(s.travel[[0, -1]], (-0.08, 0.08), atol=1e-11)


def test_unequal_wishbones_are_a_four_bar():
    """Camber and track in front view, from the circles that the ball joints move on."""
    lower, upper = ((-0.42, 0.18), (-0.08, 0.17)), ((-0.37, 0.45), (-0.12, 0.46))
    corner = V.double_wishbone(
        upper_front=(0.12, -0.37, 0.45), upper_rear=(-0.12, -0.37, 0.45), upper_ball=(0.0, -0.12, 0.46)
    )
    s = V.suspension_travel(corner, 0.06, 0.06, points=25)
    (A, B), (C, D) = (tuple(np.array(p) for p in arm) for arm in (lower, upper))
    r1, r2, coupler = (np.linalg.norm(b - a) for a, b in ((A, B), (C, D), (B, D)))
    hub = np.array([0.0, 0.31])
    found = []
    for theta in np.linspace(-0.25, 0.25, 4001):
        start = math.atan2(*(B - A)[::-1])
        ball = A + r1 * np.array([math.cos(start + theta), math.sin(start + theta)])
        d = C - ball  # circles about the ball (radius coupler) and C (radius r2)
        distance = np.linalg.norm(d)
        along = (coupler**2 - r2**2 + distance**2) / (2 * distance)
        height = math.sqrt(coupler**2 - along**2)
        top = ball + along * d / distance + height * np.array([d[1], -d[0]]) / distance
        turn = math.atan2(*(top - ball)[::-1]) - math.atan2(*(D - B)[::-1])
        R = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
        centre = ball + R @ (hub - B)
        found.append((centre[1] - 0.31, -turn, (ball + R @ (np.zeros(2) - B))[0]))
    z, camber, track = np.array(found).T
    # the tie rod turns the wheel by up to 0.002 rad: its effect on the front view is of second order
    assert np.allclose(s.camber, np.interp(s.travel, z, camber), atol=1e-4)
    assert np.allclose(s.track_change, np.interp(s.travel, z, track), atol=1e-4)


@pytest.mark.parametrize("sweep", [0.0, 0.3])
def test_semi_trailing_arm(sweep):
    """The wheel turns about the oblique axis: camber and toe from Rodrigues' formula."""
    s = V.suspension_travel(V.trailing_arm(sweep=sweep), 0.08, 0.08, points=33)
    axis, pivot = np.array([math.sin(sweep), math.cos(sweep), 0.0]), np.array([0.42, -0.12, 0.26])
    found = []
    for angle in np.linspace(-0.3, 0.3, 2001):
        R = np.asarray(dt.Rotation.about(axis, angle).matrix)
        e = R @ (0, 1, 0)
        found.append(((pivot + R @ ((0, 0, 0.31) - pivot))[2] - 0.31, -math.asin(e[2]), math.atan2(e[0], e[1])))
    z, camber, toe = np.array(found).T
    assert np.allclose(s.camber, np.interp(s.travel, z, camber), atol=1e-7)
    assert np.allclose(s.toe, np.interp(s.travel, z, toe), atol=1e-7)
    assert (np.ptp(s.camber) > 0.01) == (sweep > 0)


@pytest.mark.parametrize("make", KINDS)
def test_loaded_springs_hold_the_design_position(make):
    """With the load of the wheel, the corner is in equilibrium in its design position; virtual work gives the force."""
    corner = loaded(make(), 4000.0)
    corner.add_force("load", dt.AppliedForce("contact", (0.0, 0.0, 4000.0)))
    corner.add_constraint("held", dt.JointMotion("bearing", 0.0))
    e = dt.equilibrium(corner)
    assert e.ok
    assert abs(e["arm.angle"]) < 1e-9
    s = V.suspension_travel(loaded(make(), 4000.0))
    weights = 9.81 * corner.mass
    assert 0.0 < 4000.0 - s.at(0.0, "wheel_force") < weights  # what the spring carries is the load less some weight
    assert np.all(np.diff(s.wheel_force) > 0.0)


def test_wheel_rate_of_an_upright_spring():
    """Spring and wheel on a level trailing arm: the rate is k (a / b)^2, at the design position without preload."""
    arm = V.trailing_arm(pivot=(0.4, -0.12, 0.31), spring_foot=(0.1, -0.16, 0.31), spring_top=(0.1, -0.16, 0.7),
                         stiffness=30e3)  # fmt: skip
    s = V.suspension_travel(arm, 0.02, 0.02, points=41)
    assert s.at(0.0, "wheel_rate") == pytest.approx(30e3 * (0.3 / 0.4) ** 2, rel=1e-3)
    assert s.at(0.0, "motion_ratio") == pytest.approx(0.75, rel=1e-4)


def test_both_wheels_of_an_axle_move_alike():
    for make in KINDS:
        r = V.suspension_travel(V.axle(make())).result
        left, right = r["left.hub.position"], r["right.hub.position"]
        assert np.allclose(right, left * (1, -1, 1), atol=1e-9)
        assert np.allclose(r["right.hub.axis_y"], r["left.hub.axis_y"] * (-1, 1, -1), atol=1e-9)


def test_roll_stiffness():
    """Springs at distance s: k s^2 / 2; anti-roll bar: its torque per roll; independent: wheel rate times t^2 / 2."""
    plain = V.roll_stiffness(V.rigid_axle(stiffness=28e3, spring_base=1.1))
    assert plain == pytest.approx(0.5 * 28e3 * 1.1**2, rel=2e-3)  # the springs lean by second-order terms
    with_bar = V.roll_stiffness(V.rigid_axle(stiffness=28e3, spring_base=1.1, anti_roll=5000.0))
    assert with_bar - plain == pytest.approx(5000.0, rel=1e-6)
    arm = {"pivot": (0.4, -0.12, 0.31), "spring_foot": (0.0, -0.1, 0.31), "spring_top": (0.0, -0.1, 0.7)}
    independent = V.roll_stiffness(V.axle(V.trailing_arm(**arm, stiffness=25e3), track=1.5))
    assert independent == pytest.approx(0.5 * 25e3 * 1.5**2, rel=2e-3)
    bar = V.roll_stiffness(V.axle(V.trailing_arm(**arm, stiffness=25e3), track=1.5, anti_roll=300.0))
    # the arms turn by t/2/0.4 per roll angle, one up and one down
    assert bar - independent == pytest.approx(300.0 * (1.5 / 0.4) ** 2, rel=2e-3)
    with pytest.raises(ValueError, match="needs an axle"):
        V.roll_stiffness(V.trailing_arm())


def test_a_corner_without_tie_rod_is_not_steered():
    with pytest.raises(ValueError, match="no tie rod"):
        V.axle(V.trailing_arm(), steering_ratio=15.0)


def test_steering_turns_the_wheels_to_the_left():
    a = V.command(V.axle(V.double_wishbone(), steering_ratio=15.0), {"handwheel": 1.5})
    a.gravity = (0, 0, 0)
    for side in ("left", "right"):
        a.add_constraint(f"{side} z", dt.MarkerMotion(f"{side}.hub", (None, None, 0.31)))
        a.add_constraint(f"{side} held", dt.JointMotion(f"{side}.bearing", 0.0))
    e = dt.equilibrium(a)
    axes = [e[f"{side}.hub.axis_y"] for side in ("left", "right")]
    angles = [math.atan2(-x[0], x[1]) for x in axes]
    assert np.mean(angles) == pytest.approx(0.1, rel=0.05)
