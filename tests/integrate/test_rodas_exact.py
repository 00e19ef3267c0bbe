"""Rodas with the derivatives of the equations of motion: the same steps as by differences, order 4, and their cost."""

from collections.abc import Callable

import numpy as np
import pytest

import duoti as dt
from duoti.examples import FOLDER
from duoti.integrate.implicit import rodas


def pendulum_with_ball() -> dt.Model:
    """A hinge and a ball joint, spring and damper, a torque of time, and a first-order state that reads a position."""
    m = dt.Model("pendulum with ball")
    upper = m.add_body("upper", dt.Inertia.box(1.0, size=(0.1, 0.1, 1.0)), position=(0, 0, -0.5))
    lower = m.add_body("lower", dt.Inertia.box(1.0, size=(0.1, 0.2, 1.0)), position=(0, 0, -1.5))
    m.add_joint("hinge", dt.Revolute("y"), m.ground, upper, at=(0, 0, 0), q0=1.0)
    m.add_joint("ball", dt.Spherical(), upper, lower, at=(0, 0, -1), v0=(1.0, -2.0, 3.0))
    post = m.add_marker("post", m.ground, position=(3, 1, 0))
    tip = m.add_marker("tip", lower, position=(0, 0, -0.5))
    m.add_force("spring", dt.SpringDamper(post, tip, stiffness=50, damping=2, rest_length=3))
    m.add_state("lag", "3*(tip.position.x - lag) + tip.velocity.z", initial=0.2)
    m.add_force("motor", dt.JointTorque("hinge", "3*sin(5*t) - 2*lag"))
    return m


def satellite() -> dt.Model:
    """A free body that tumbles, with a rotor that is driven at a rate-dependent torque."""
    m = dt.Model("satellite", gravity=(0, 0, 0))
    hull = m.add_body("hull", dt.Inertia(2.0, matrix=np.diag([1.0, 2.0, 3.0])))
    wheel = m.add_body("wheel", dt.Inertia.cylinder(0.5, radius=0.3, length=0.1, axis="z"), position=(0, 0, 0.5))
    m.add_joint("free", dt.Free(), m.ground, hull, v0=[0.3, -0.2, 0.1, 2.0, 0.5, 1.0])
    m.add_joint("axle", dt.Revolute("z"), hull, wheel)
    m.add_force("drive", dt.JointTorque("axle", lambda t, v: 0.5 - 0.1 * v**3 + 0.1 * t))
    return m


def strip() -> dt.Model:
    """A beam in space, clamped, damped and pushed: nodes on free joints, a band."""
    m = dt.Model("strip", gravity=(0, 0, -9.81))
    beam = dt.Beam.from_stiffness(
        EA=1e3, GAy=1e3, GAz=1e3, GJ=4.0, EIy=3.0, EIz=5.0, mass_per_length=1.0, rotary_inertia=(2e-2, 1e-2, 1e-2)
    )
    b = m.add_beam("b", beam, start=(0, 0, 0), end=(1, 0, 0), elements=5)
    m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    m.add_force("push", dt.AppliedForce(b.end, (0.0, "2*sin(9*t)", 0.0)))
    m.add_force("drag", dt.SpringDamper(m.ground, b.end, stiffness=0.0, damping=0.2, rest_length=1.0))
    return m


def sliding_drive() -> dt.Model:
    """Constant friction in a joint, which slides, and a bushing between two bodies."""
    m = dt.Model("sliding drive", gravity=(0, 0, 0))
    cart = m.add_body("cart", dt.Inertia.box(1.0, size=(0.3, 0.3, 0.3)))
    load = m.add_body("load", dt.Inertia.box(0.5, size=(0.1, 0.2, 0.3)), position=(0.5, 0, 0))
    m.add_joint("rail", dt.Prismatic("x"), m.ground, cart, v0=2.0)
    m.add_joint("free", dt.Free(), cart, load)
    m.add_force("brake", dt.JointFriction("rail", constant=1.0))
    m.add_force("mount", dt.Bushing(cart, load, stiffness=(200, 300, 400, 3, 4, 5), damping=(1, 2, 3, 0.1, 0.2, 0.3)))
    return m


def four_bar() -> dt.Model:
    """A parallelogram: a closed loop whose equations are redundant, with a damper and a torque of time."""
    m = dt.Model("four-bar")
    size = (0.02, 0.02, 0.5)
    left = m.add_body("left", dt.Inertia.box(1.0, size=size), position=(0, 0, -0.25))
    right = m.add_body("right", dt.Inertia.box(1.0, size=size), position=(1, 0, -0.25))
    bar = m.add_body("bar", dt.Inertia.box(2.0, size=(1, 0.02, 0.02)), position=(0.5, 0, -0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, left, at=(0, 0, 0), q0=0.6)
    m.add_joint("B", dt.Revolute("y"), left, bar, at=(0, 0, -0.5))
    m.add_joint("C", dt.Revolute("y"), bar, right, at=(1, 0, -0.5))
    m.add_joint("D", dt.Revolute("y"), m.ground, right, at=(1, 0, 0))
    m.add_force("damper", dt.JointDamping("D", 0.5))
    m.add_force("motor", dt.JointTorque("A", "2*sin(5*t)"))
    return m


def driven_four_bar() -> dt.Model:
    """The same with a prescribed motion: nothing is left to integrate but what it puts in."""
    m = four_bar()
    m.add_constraint("drive", dt.JointMotion("A", "0.6 + 0.5*sin(3*t)"))
    return m


def rolling_ball() -> dt.Model:
    """A ball that slides and turns on a floor, pulled by a spring: a closed contact with friction."""
    m = dt.Model("rolling ball")
    ball = m.add_body("ball", dt.Inertia.sphere(2.0, radius=0.2), position=(0, 0, 0.2))
    m.add_joint(
        "free", dt.Free(), m.ground, ball, v0={"velocity": (1.0, 0.3, 0), "angular_velocity": (-1.5, 50.0, 2.0)}
    )
    law = dt.RigidContact(friction=0.5)
    m.add_contact("floor", law, m.ground, ball, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.2)))
    tip, post = (
        m.add_marker("tip", ball, position=(0.1, 0.05, 0.02)),
        m.add_marker("post", m.ground, position=(2, 0, 1)),
    )
    m.add_force("spring", dt.SpringDamper(post, tip, stiffness=20, damping=3, rest_length=1.5))
    return m


def loop_on_a_floor() -> dt.Model:
    """The four-bar linkage, one bar longer by a foot that slides on a floor: a loop and a closed contact."""
    m = four_bar()
    foot = m.add_body("foot", dt.Inertia.sphere(0.5, radius=0.05), position=(0.5, 0, -0.7))
    m.add_joint("leg", dt.Prismatic("z"), "bar", foot)
    m.add_force("strut", dt.JointSpring("leg", stiffness=400.0, damping=5.0, rest=0.0))
    law, floor = dt.RigidContact(friction=0.2), m.add_marker("floor at", m.ground, position=(0, 0, -0.70))
    m.add_contact("floor", law, floor, foot, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.05)))
    return m


SMOOTH = (pendulum_with_ball, satellite, strip, four_bar, driven_four_bar, rolling_ball)
MODELS = (*SMOOTH, sliding_drive)


def constant_step(h: float) -> dt.Rodas:
    """Tolerances so wide that the error estimate never has a say."""
    return dt.Rodas(rtol=0.99, atol=1e30, first_step=h, max_step=h)


def difference_of_runs(system: dt.System, h: float, monkeypatch: pytest.MonkeyPatch) -> float:
    """How far ten steps with exact derivatives and with differences are apart, as part of the largest state."""
    exact = dt.simulate(system, 10 * h, solver=constant_step(h))
    assert not any("differences" in note for note in exact.stats.notes)
    monkeypatch.setattr(rodas, "why_differences", lambda _system: "to compare")
    other = dt.simulate(system, 10 * h, solver=constant_step(h))
    assert "differences a step (to compare)" in other.stats.notes[0]
    assert exact.stats.evaluations < other.stats.evaluations
    n = system.nq + system.nv + system.nz
    return float(np.max(np.abs(exact.states - other.states)[:, :n]) / np.max(np.abs(other.states[:, :n])))


@pytest.mark.parametrize("build", MODELS)
def test_as_by_differences(build: Callable[[], dt.Model], monkeypatch: pytest.MonkeyPatch) -> None:
    """Differences over 2e-8 are wrong by 1e-8 of the second derivatives and by round-off over 2e-8; ten steps."""
    assert difference_of_runs(dt.compile(build()), 0.02, monkeypatch) < 3e-7


@pytest.mark.parametrize("name", ["flexible_crank", "hoist", "motor_robot", "rolling_coin", "stewart", "suspension"])
def test_examples_as_by_differences(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Flexible bodies, bond graphs, motors, rolling, closed loops."""
    assert difference_of_runs(dt.compile(dt.load(FOLDER / f"{name}.yaml")), 1e-3, monkeypatch) < 3e-7


@pytest.mark.parametrize("build", SMOOTH)
def test_order_four(build: Callable[[], dt.Model]) -> None:
    """Positions, rates, states and works: the error falls with h^4, with forces of time, balls, dampers and states."""
    system = dt.compile(build())
    finest = dt.simulate(system, 0.32, outputs=0.04, solver=dt.DOP853(rtol=1e-12, atol=1e-12)).states
    steps = np.array([0.01, 0.005, 0.0025]) / (4.0 if build is strip else 1.0)
    runs = [dt.simulate(system, 0.32, outputs=0.04, solver=constant_step(h)) for h in steps]
    assert [r.stats.steps for r in runs] == [round(0.32 / h) for h in steps]
    n = system.nq + system.nv + system.nz
    for part in (slice(n), slice(n, None)):
        of_part = [np.max(np.abs((r.states - finest)[:, part])) for r in runs]
        if of_part[-1] > 1e-11:  # works of what does none
            order = np.polyfit(np.log(steps), np.log(of_part), 1)[0]
            assert 3.6 < order < 5.5, (order, of_part)


def test_no_loss_of_order_in_stiff_problems() -> None:
    """Prothero & Robinson: y follows cos(t) with the rate k; errors are h^4 / (k h), those of RODAS do not fall."""
    m = dt.Model("follower", gravity=(0, 0, 0))
    body = m.add_body("body", dt.Inertia.point(1.0))
    m.add_joint("rail", dt.Prismatic("x"), m.ground, body)
    m.add_state("y", "-1000*(y - cos(t)) - sin(t)", initial=1.0)
    system, steps = dt.compile(m), np.array([0.2, 0.1, 0.05])
    runs = [dt.simulate(system, 1.0, outputs=[1.0], solver=constant_step(h)) for h in steps]
    errors = [abs(r["y"][-1] - np.cos(1.0)) for r in runs]
    assert 2.7 < np.polyfit(np.log(steps), np.log(errors), 1)[0] < 4.2, errors
    assert errors[-1] < 0.05**4 / (1000 * 0.05)


def test_a_loop_with_a_foot_on_the_floor() -> None:
    """A closed loop and a contact that closes and slides: as DOPRI5 with tight tolerances, no differences."""
    system = dt.compile(loop_on_a_floor())
    exact = dt.simulate(system, 0.5, solver=dt.DOPRI5(rtol=1e-10, atol=1e-12))
    r = dt.simulate(system, 0.5, solver=dt.Rodas(rtol=1e-7, atol=1e-9))
    assert r.ok
    assert not any("differences" in note for note in r.stats.notes)
    assert np.max(r["floor.normal_force"]) > 1.0
    assert [i.time for i in r.impacts] == pytest.approx([i.time for i in exact.impacts], abs=1e-6)
    # ten tolerances; an impact that is late by 1e-7 s moves what follows by less
    np.testing.assert_allclose(r["A.angle"], exact["A.angle"], rtol=0, atol=1e-6)
    assert r.stats.steps < 600
