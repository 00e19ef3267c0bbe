"""Resistance of rigid contacts against rolling and turning in event-driven runs: closed forms, and time stepping."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.contact.event_driven.contact_states import HOLDS, ROLLING, ROLLS, TORSIONAL
from duoti.contact.solve.friction_discs import Disc, solve_discs
from duoti.examples.robots import robots

G = 9.81
ROUND_OFF = 1e-12  # constant forces are integrated exactly; some hundred roundings of numbers of order 1 to 30


def on_floor(shape, inertia, height, law, v0, gravity=(0, 0, -G), ground=None) -> dt.Model:
    m = dt.Model("on the floor", gravity=gravity)
    b = m.add_body("b", inertia, position=(0, 0, height))
    m.add_joint("free", dt.Free(), m.ground, b, v0=v0)
    m.add_contact("floor", law, m.ground, b, shapes=(ground or dt.Shape.plane(), shape))
    return m


def ball(law, v0, gravity=(0, 0, -G), radius=0.2, mass=3.0, height=0.0) -> dt.Model:
    shape, inertia = dt.Shape.sphere(radius), dt.Inertia.sphere(mass, radius=radius)
    return on_floor(shape, inertia, radius + height, law, v0, gravity)


def transitions(r: dt.Result, kind: int, state: int) -> list[float]:
    """Times from which on the first point is in a state of resistance, and was not before."""
    history = r.contact_run.engine.history
    each_state = [int(each.kept.rolling_states[0, kind]) if each.kept.state[0] else -1 for each in history]
    return [
        each.time for k, each in enumerate(history) if each_state[k] == state and (k == 0 or each_state[k - 1] != state)
    ]


def differences(
    m: dt.Model, event_driven: dt.Result, step: float, duration: float, outputs: float
) -> tuple[float, float]:
    """Greatest differences of position and angular velocity to a run by time stepping, at the outputs of both."""
    time_stepping = dt.simulate(m, duration, outputs=outputs, solver=dt.Moreau(step=step))
    assert time_stepping.ok, time_stepping.reason
    # impacts and transitions have two outputs each in event-driven runs: the last of an instant counts
    rows = [np.flatnonzero(np.abs(event_driven.t - t) < 1e-9)[-1] for t in time_stepping.t]
    return tuple(
        float(np.max(np.abs(time_stepping[f"b.{name}"] - event_driven[f"b.{name}"][rows])))
        for name in ("position", "angular_velocity")
    )  # type: ignore[return-value]


def test_a_ball_rolls_to_rest_at_a_known_instant():
    """Momentum about the point of contact: 7/5 m r v' = -a m g, so v' = -5/7 a g / r; then rest, exactly."""
    arm, radius, speed = 0.01, 0.2, 1.4
    law = dt.RigidContact(friction=0.5, rolling_friction=arm)
    m = ball(law, [speed * 0.8, speed * 0.6, 0, -0.6 * speed / radius, 0.8 * speed / radius, 0])
    slowing = 5.0 / 7.0 * arm * G / radius
    stop = speed / slowing
    r = dt.simulate(m, 5.0, outputs=0.01)
    assert r.ok, r.reason
    assert "DOPRI5" in r.stats.solver  # what few contacts have by default
    t = np.minimum(r.t, stop)
    way = speed * t - 0.5 * slowing * t**2
    assert r["b.position.x"].ravel() == pytest.approx(0.8 * way, abs=ROUND_OFF)
    assert r["b.position.y"].ravel() == pytest.approx(0.6 * way, abs=ROUND_OFF)
    assert transitions(r, ROLLING, HOLDS) == pytest.approx([stop], abs=ROUND_OFF)
    assert np.abs(r["b.velocity"][r.t > stop]).max() < 1e-15
    assert np.abs(r["b.angular_velocity"][r.t > stop][:, :2]).max() < 1e-15  # it is free to turn about the normal
    rolls = (r.t > 0.0) & (r.t < 0.9 * stop)  # later its direction has the round-off of a slow rolling
    across = np.array([0.6, -0.8, 0.0]) * arm * 3.0 * G  # against the rolling, of a on b
    assert r["floor.moment"][rolls] == pytest.approx(np.tile(across, (rolls.sum(), 1)), abs=ROUND_OFF)
    assert r.energy.dissipated[-1] == pytest.approx(0.7 * 3.0 * speed**2, abs=ROUND_OFF)
    assert np.abs(r.energy.residual).max() < ROUND_OFF


@pytest.mark.parametrize("slope", [0.099, 0.101])
def test_a_ball_on_a_slope_is_held_or_rolls(slope: float):
    """Held up to tan(angle) = a / r = 0.1; beyond, it rolls with 5/7 g (sin - a/r cos)."""
    arm, radius, angle = 0.02, 0.2, np.arctan(slope)
    gravity = (G * np.sin(angle), 0, -G * np.cos(angle))
    r = dt.simulate(ball(dt.RigidContact(friction=0.5, rolling_friction=arm), [0] * 6, gravity), 0.5, outputs=[0.5])
    wanted = max(5.0 / 7.0 * G * (np.sin(angle) - arm / radius * np.cos(angle)), 0.0)
    assert r["b.velocity.x"][-1] == pytest.approx(0.5 * wanted, abs=ROUND_OFF)
    moment = 3.0 * G * min(radius * np.sin(angle), arm * np.cos(angle))
    assert r["floor.moment"][-1] == pytest.approx([0, -moment, 0], abs=ROUND_OFF)


def test_a_spinning_ball_is_drilled_to_rest():
    """Torque a N about the normal: w' = -a m g / (2/5 m r^2)."""
    arm, radius, spin = 0.005, 0.2, 10.0
    slowing = arm * G / (0.4 * radius**2)
    r = dt.simulate(
        ball(dt.RigidContact(friction=0.5, torsional_friction=arm), [0, 0, 0, 0, 0, spin]), 5.0, outputs=0.01
    )
    assert r.ok, r.reason
    assert r["b.angular_velocity.z"].ravel() == pytest.approx(np.maximum(spin - slowing * r.t, 0.0), abs=ROUND_OFF)
    assert transitions(r, TORSIONAL, HOLDS) == pytest.approx([spin / slowing], abs=ROUND_OFF)
    assert np.abs(r.energy.residual).max() < ROUND_OFF


def test_a_push_that_grows_sets_it_rolling():
    """A force c t at the centre is held until r c t = a N; then 7/5 m v' = c t - a N / r. The same about the normal."""
    arm, radius, mass, c = 0.02, 0.2, 3.0, 3.0
    m = ball(dt.RigidContact(friction=0.8, rolling_friction=arm), [0] * 6)
    m.add_force("push", dt.AppliedForce(m.bodies["b"], [f"{c}*t", 0, 0]))
    r = dt.simulate(m, 2.0)
    begin = arm * mass * G / (radius * c)
    assert transitions(r, ROLLING, ROLLS) == pytest.approx([begin], abs=ROUND_OFF)
    wanted = (0.5 * c * (4.0 - begin**2) - arm * mass * G / radius * (2.0 - begin)) / (1.4 * mass)
    assert r["b.velocity.x"][-1] == pytest.approx(wanted, abs=ROUND_OFF)
    m = ball(dt.RigidContact(friction=0.8, torsional_friction=arm), [0] * 6)
    m.add_force("turn", dt.AppliedTorque(m.bodies["b"], [0, 0, "0.6*t"]))
    r = dt.simulate(m, 2.0)
    begin = arm * mass * G / 0.6
    assert transitions(r, TORSIONAL, ROLLS) == pytest.approx([begin], abs=ROUND_OFF)
    wanted = (0.3 * (4.0 - begin**2) - arm * mass * G * (2.0 - begin)) / (0.4 * mass * radius**2)
    assert r["b.angular_velocity.z"][-1] == pytest.approx(wanted, abs=1e2 * ROUND_OFF)  # some 10 rad/s


def test_sliding_then_rolling_then_rest_as_by_time_stepping():
    """Forces are constant in pieces, which both integrate exactly; time stepping does not locate the three instants.

    Angular velocities differ by what is left of slip and spin in a step, positions by its square. Tolerance of the
    event-driven run: rtol 1e-6 of 15 rad/s in direction, squared: 1e-8.
    """
    law = dt.RigidContact(friction=0.2, rolling_friction=0.01, torsional_friction=0.005)
    m = ball(law, [2.0, 1.0, 0, 0, 0, 15.0])
    r = dt.simulate(m, 3.0, outputs=0.05)
    assert r.ok, r.reason
    x, w = differences(m, r, 2e-4, 3.0, 0.05)
    assert x < 1e-7
    assert w < 0.2 * G / 0.2 * 2.5 * 2e-4 * 1e-3 + 1e-6
    assert np.abs(r.energy.residual).max() < 1e-7


EGG = dt.Shape.ellipsoid((0.10, 0.12, 0.08)), dt.Inertia(1.0, matrix=np.diag([0.0020, 0.0025, 0.0030]))


def egg(law: dt.RigidContact) -> dt.Model:
    m = on_floor(*EGG, 0.35, law, {"velocity": (-0.4, 0.5, -0.1), "angular_velocity": (2.9, -0.6, 0.1)})
    rotation = np.array([-0.4, -0.3, -0.7, -1.1])
    m.bodies["b"].rotation = dt.Rotation(rotation / np.linalg.norm(rotation))
    return m


def test_an_egg_that_tumbles_to_rest_as_by_time_stepping():
    """Rebounds with torque impulses, then rolling in directions that turn: of first order in the step of the other.

    An impact is late by up to a step at 2 m/s, and its angular velocity (up to 7 rad/s) turns the egg meanwhile.
    """
    m = egg(dt.RigidContact(friction=0.5, restitution=0.3, rolling_friction=0.01, torsional_friction=0.005))
    r = dt.simulate(m, 1.0, outputs=0.05, solver=dt.DOPRI5())
    assert r.ok, r.reason
    errors = [differences(m, r, step, 1.0, 0.05)[0] for step in (2e-4, 2e-5)]
    assert errors[1] < 2.0 * 2e-5
    assert errors[1] < 0.4 * errors[0]
    assert np.abs(r.energy.residual).max() < 1e-7
    rolls = r["floor.normal_force"].ravel() > 0.0
    moment, w = r["floor.moment"][rolls], r["b.angular_velocity"][rolls].copy()
    w[:, 2] = 0.0  # the floor is level: its rolling, which turns by more than a right angle
    assert np.ptp(np.unwrap(np.arctan2(w[:, 1], w[:, 0]))) > np.pi / 2
    along = np.sum(moment * w, axis=1) / np.linalg.norm(w, axis=1)
    assert along == pytest.approx(-0.01 * r["floor.normal_force"].ravel()[rolls], rel=1e-4)  # slow: 1e-5 of the fastest


def test_slip_that_turns_round_has_its_force_in_results():
    """A puck thrown up a slope comes down again: friction is against the slip at all times, whenever one looks."""
    angle = 0.5
    m = on_floor(
        dt.Shape.sphere(0.1), dt.Inertia.sphere(1.0, radius=0.1), 0.1, dt.RigidContact(friction=0.1),
        [2.0, 0.5, 0, 0, 0, 0], gravity=(-G * np.sin(angle), 0, -G * np.cos(angle)),
    )  # fmt: skip
    r = dt.simulate(m, 2.0, outputs=0.01, solver=dt.DOPRI5())
    slip = r["b.velocity"] + np.cross(r["b.angular_velocity"], [0, 0, -0.1])
    assert np.min(slip[:, 0]) < 0.0 < np.max(slip[:, 0])
    size = np.linalg.norm(slip, axis=1)
    wanted = -0.1 * G * np.cos(angle) * slip / size[:, None]
    # the direction of slip is mixed with the one before it, with a weight of 1e-5 of the fastest slip so far
    allowed = 0.1 * G * np.cos(angle) * 2.0 * 1e-5 * np.max(size) / np.min(size)
    assert r["floor.force"][:, :2] == pytest.approx(wanted[:, :2], abs=allowed)
    assert r["b.acceleration.x"].ravel() == pytest.approx(wanted[:, 0] - G * np.sin(angle), abs=allowed)


def test_a_ball_over_a_ball_does_not_turn_about_a_normal_that_moves():
    """Torsion holds w_n = 0 while the normal turns: no work is done, and w_n stays zero."""
    law = dt.RigidContact(friction=2.0, torsional_friction=0.5)
    start = {"velocity": (0.3, 0.1, 0.0), "angular_velocity": (-0.5, 1.5, 0.0)}
    m = on_floor(dt.Shape.sphere(0.2), dt.Inertia.sphere(3.0, radius=0.2), 0.7, law, start, ground=dt.Shape.sphere(0.5))
    r = dt.simulate(m, 0.5, outputs=0.05, solver=dt.DOPRI5())
    n = r["b.position"] / np.linalg.norm(r["b.position"], axis=1)[:, None]
    assert np.ptp(n[:, 0]) > 0.2  # it has moved
    assert np.abs(np.sum(n * r["b.angular_velocity"], axis=1)).max() < 1e-14
    assert r.energy.dissipated[-1] == pytest.approx(0.0, abs=1e-8)  # of 20 J; rtol 1e-6 of speeds, squared by the rows
    x, w = differences(m, r, 2.5e-4, 0.5, 0.05)
    assert x < 1e-6  # of second order where nothing changes: 0.3 m/s, 3 rad/s, 2.5e-4 s squared
    assert w < 1e-5


def test_a_roller_between_two_bodies_and_on_two_points():
    """A cylinder on a cart that rolls under it: momentum along x is kept, and it comes to rest on the cart."""
    m = dt.Model("cart")
    cart = m.add_body("cart", dt.Inertia.box(2.0, size=(2, 1, 0.1)), position=(0, 0, -0.05))
    m.add_joint("rail", dt.Prismatic("x"), m.ground, cart, v0=[1.0])
    b = m.add_body("b", dt.Inertia.cylinder(1.0, radius=0.2, length=0.4, axis="y"), position=(0, 0, 0.2))
    m.add_joint("free", dt.Free(), m.ground, b)
    shapes = (dt.Shape.plane(position=(0, 0, 0.05)), dt.Shape.cylinder(0.2, 0.4, axis="y"))
    m.add_contact("top", dt.RigidContact(friction=0.5, rolling_friction=0.01), cart, b, shapes=shapes)
    r = dt.simulate(m, 3.0, outputs=0.05, solver=dt.DOPRI5())
    assert r.ok, r.reason
    momentum = 2.0 * r["cart.velocity.x"] + r["b.velocity.x"]
    assert momentum == pytest.approx(2.0, abs=ROUND_OFF)
    assert np.abs(r["cart.velocity.x"] - r["b.velocity.x"])[-1] < 1e-13
    assert r.energy.dissipated[-1] == pytest.approx(0.5 * (2.0 * 1.0 / 3.0), abs=ROUND_OFF)  # of the relative motion
    x, _ = differences(m, r, 1e-3, 3.0, 0.05)
    assert x < 1e-5
    flow = dt.energy_flow(r)
    assert np.abs(flow.residual).max() < 1e-11
    turning = (r["top.moment.y"] * r["b.angular_velocity.y"]).ravel()
    slip = (r["b.velocity.x"] - 0.2 * r["b.angular_velocity.y"] - r["cart.velocity.x"]).ravel()
    lost = -turning - r["top.force.x"].ravel() * slip
    assert flow.parts["top"].dissipated == pytest.approx(lost, abs=ROUND_OFF)


def test_impacts_have_torque_impulses_within_their_bounds():
    """A ball that falls with spin, without friction: torque impulses a_n p_n about the normal, a_r p_n against rolling.

    In both engines w_z changes by -a_n p_n / I, and w_y by -a_r p_n / I where that does not stop it.
    """
    mass, radius, height, e = 3.0, 0.2, 0.5, 0.4
    law = dt.RigidContact(restitution=e, rolling_friction=0.002, torsional_friction=0.004)
    m = ball(law, [0, 0, 0, 0, 9.0, 20.0], height=height)
    inertia, pn = 0.4 * mass * radius**2, mass * (1 + e) * np.sqrt(2 * G * height)
    r = dt.simulate(m, 0.5, outputs=[0.5], solver=dt.DOPRI5())
    first = r.impacts[0]
    assert first.unique is None  # not looked at
    wanted = np.array([0.0, 9.0 - 0.002 * pn / inertia, 20.0 - 0.004 * pn / inertia])
    assert len([each for each in r.impacts if each.time < 0.5]) == 1
    assert r["b.angular_velocity"][-1] == pytest.approx(wanted, abs=1e-11)
    lost = 0.5 * mass * 2 * G * height * (1 - e**2) + 0.5 * inertia * (81.0 + 400.0 - wanted @ wanted)
    assert first.energy_lost == pytest.approx(lost, rel=1e-11)
    time_stepping = dt.simulate(m, 0.5, outputs=[0.5], solver=dt.Moreau(step=1e-5))
    # the fall ends up to a step late, at up to g h more
    assert time_stepping["b.angular_velocity"][-1] == pytest.approx(wanted, abs=0.004 * mass * G * 1e-5 * 2 / inertia)


def test_stiff_solver_and_files(tmp_path):
    law = dt.RigidContact(friction=0.5, rolling_friction=0.01)
    m = ball(law, [1.4, 0, 0, 0, 7.0, 0])
    r = dt.simulate(m, 5.0, outputs=0.05, solver=dt.Rodas(), out=tmp_path / "r.h5")
    assert any("rolling or turning" in note for note in r.stats.notes)
    assert r["b.position.x"][-1] == pytest.approx(1.4**2 / (2 * 5.0 / 7.0 * 0.01 * G / 0.2), abs=1e-6)
    kept = dt.open_result(tmp_path / "r.h5")
    assert kept["floor.moment"] == pytest.approx(r["floor.moment"])
    time_stepping = dt.simulate(m, 1.0, outputs=0.05, solver=dt.Moreau(step=1e-3))
    # the solver's tolerance
    assert time_stepping["floor.moment"][-1] == pytest.approx([0, -0.01 * 3.0 * G, 0], abs=1e-7)


def test_contact_problem_knows_it():
    angle = 0.05
    gravity = (G * np.sin(angle), 0, -G * np.cos(angle))
    law = dt.RigidContact(friction=0.5, rolling_friction=0.02, torsional_friction=0.01)
    found = dt.contact_problem(ball(law, [0] * 6, gravity))
    assert found.consistent
    assert found.unique
    assert found.solutions[0].states == ("stick",)
    assert found.solutions[0].turning == ("held",)
    assert found.solutions[0].moment[0] == pytest.approx([0, -3.0 * G * 0.2 * np.sin(angle), 0], abs=ROUND_OFF)
    rolling = dt.contact_problem(ball(law, [0.2, 0, 0, 0, 1.0, 5.0], gravity)).solutions[0]
    assert rolling.turning == ("rolls, turns",)
    normal = 3.0 * G * np.cos(angle)
    assert rolling.moment[0] == pytest.approx([0, -0.02 * normal, -0.01 * normal], abs=ROUND_OFF)


@pytest.mark.parametrize("impact", ["poisson", "stronge"])
def test_other_laws_and_joints_are_treated_beside_it(impact):
    """An event-driven run treats them, by default, too; what they do: `test_impacts_with_joint_friction`."""
    law = dt.RigidContact(friction=0.5, rolling_friction=0.01, restitution=0.5, impact=impact)
    m = ball(law, [1, 0, 0, 0, 5, 0], height=0.05)
    arm = m.add_body("arm", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_joint("hinge", dt.Revolute("y"), m.ground, arm, v0=1.0)
    m.add_force("rub", dt.JointFriction("hinge", constant=0.1))
    r = dt.simulate(m, 0.4)
    assert r.ok, r.reason
    assert "DOPRI5" in r.stats.solver
    assert len(r.impacts) > 1
    assert max(abs(r.energy.residual)) < 1e-6
    assert r["hinge.rate"][-1].item() == 0.0  # it has come to rest


def test_discs_against_all_their_states():
    """Random problems with a normal force, friction, rolling and turning: what is found obeys the law."""
    random = np.random.default_rng(1)
    for _ in range(200):
        J = random.normal(size=(12, 12))
        D, q = J @ J.T, random.normal(size=12)
        radii = random.uniform(0.05, 0.6, size=6)
        discs = [
            Disc(rows, owner, float(radius))
            for owner in (0, 6)
            for rows, radius in zip(
                ((owner + 1, owner + 2), (owner + 3,), (owner + 4, owner + 5)), radii[owner // 2 :], strict=False
            )
        ]
        solved = solve_discs(D, q, [0, 6], discs)
        assert solved is not None
        z = solved.z
        a = D @ z + q
        small = 1e-8 * np.max(np.abs(D)) * max(np.max(np.abs(z)), 1e-3)  # tolerance 1e-11 times condition of the units
        for n in (0, 6):
            assert z[n] >= 0.0
            assert a[n] >= -small
            assert abs(z[n] * a[n]) <= small
        for disc in discs:
            rows = list(disc.rows)
            bound, size = disc.radius * z[disc.owner], np.linalg.norm(z[rows])
            assert size <= bound + small
            if solved.held[discs.index(disc)]:
                assert np.linalg.norm(a[rows]) <= small
            elif bound > small:
                assert z[rows] @ a[rows] == pytest.approx(-bound * np.linalg.norm(a[rows]), abs=small)


def test_what_rolls_may_begin_to_turn_about_the_normal():
    """Rolling that slows down does not keep a moment about the normal within a bound that it has reached."""
    arm, mass, radius = 0.004, 3.0, 0.2
    m = ball(dt.RigidContact(friction=0.8, rolling_friction=0.01, torsional_friction=arm), [1.4, 0, 0, 0, 7.0, 0])
    m.add_force("turn", dt.AppliedTorque(m.bodies["b"], [0, 0, "0.3*t"]))
    r = dt.simulate(m, 1.0, solver=dt.DOPRI5(rtol=1e-11, atol=1e-13))  # a torque in the world, on a body that rolls
    begin = arm * mass * G / 0.3
    assert transitions(r, TORSIONAL, ROLLS) == pytest.approx([begin], abs=ROUND_OFF)
    wanted = (0.15 * (1.0 - begin**2) - arm * mass * G * (1.0 - begin)) / (0.4 * mass * radius**2)
    assert r["b.angular_velocity.z"][-1] == pytest.approx(wanted, abs=1e2 * ROUND_OFF)
    assert r["b.velocity.x"][-1] == pytest.approx(1.4 - 5.0 / 7.0 * 0.01 * G / radius, abs=ROUND_OFF)


def test_a_box_that_slaps_down_is_not_turned() -> None:
    """All four corners resist, and share an impact in many ways: what is symmetric stays so, to round-off.

    It was turned by 1.4e-3 rad/s, since impulses were found from corner to corner.
    """
    m = dt.Model("box")
    tilt = dt.Rotation.about("y", 0.05)
    size = (0.3, 0.2, 0.1)
    box = m.add_body("box", dt.Inertia.box(2.0, size=size), position=(0, 0, 0.06), rotation=tilt)
    m.add_joint("free", dt.Free(), m.ground, box, v0=[1.0, 0, 0, 0, 0, 0])
    law = dt.RigidContact(friction=0.4, rolling_friction=1e-3)
    m.add_contact("floor", law, m.ground, box, shapes=(dt.Shape.plane(), dt.Shape.box(size)))
    r = dt.simulate(m, 0.5, solver=dt.DOPRI5())
    assert r.ok, r.reason
    assert len(r.impacts) > 4
    assert np.max(np.abs(r["box.angular_velocity"][:, [0, 2]])) < 1e-9  # rtol of the run times what it turns by


@pytest.mark.full
def test_four_feet_of_a_robot_with_torsional_friction() -> None:
    """Rows of four feet that stick and do not turn contradict each other: some of the feet turn a little.

    Time stepping is of first order: with a step h its heights err by about g t h / 2 (0.2 s: 1e-4 m at 1e-4 s), and
    its forces, which change by their own size in 0.05 s, by the part h / 0.05 s.
    """
    m, h = dt.formats.load_mjcf(robots()["hound"], contacts=True, keyframe=0), 1e-4
    system, outputs = dt.compile(m), [0.0, 0.1, 0.2]
    r = dt.simulate(system, 0.2, outputs=outputs, solver="dopri5")
    other = dt.simulate(system, 0.2, outputs=outputs, solver=dt.Moreau(step=h, implicit=True))
    assert r.ok, r.reason
    assert r["trunk.position"] == pytest.approx(other["trunk.position"], abs=0.5 * G * 0.2 * h)
    feet = [name for name in m.contacts if name.startswith("floor") and name.endswith("foot")]
    force, expected = (sum(each[f"{name}.normal_force"] for name in feet) for each in (r, other))
    assert force[-1] == pytest.approx(expected[-1], rel=h / 0.05)
    assert {int(r[f"{name}.state"][-1]) for name in feet} == {1}  # they stick
