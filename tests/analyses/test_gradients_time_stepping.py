"""Derivatives of runs by time stepping: contacts that close, stick, slide and roll, joint friction, stops, impacts."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from test_gradients import chain
from test_gradients_jumps import START, ball

import duoti as dt
from duoti.analyses.gradients.moreau_record import RecordingMoreau
from duoti.examples import stick_slip
from duoti.system.parameters import with_values

G = 9.81
PLANE = dt.Shape.plane()
BOX = (0.4, 0.3, 0.2)


def slide(mu: float = 0.3, height: float = 0.0, e: float = 0.0) -> dt.Model:
    """A ball that cannot turn, and slides along x."""
    m = dt.Model("slide")
    m.add_body("b", dt.Inertia.sphere(2.0, radius=0.1))
    m.add_body("c", dt.Inertia(1e-3, matrix=np.eye(3) * 1e-6))
    m.add_joint("X", dt.Prismatic("x"), m.ground, "c", at=(0, 0, 0), v0=2.0)
    m.add_joint("Z", dt.Prismatic("z"), "c", "b", at=(0, 0, 0), q0=0.1 + height)
    law = dt.RigidContact(friction=mu, restitution=e)
    m.add_contact("floor", law, m.ground, "b", shapes=(PLANE, dt.Shape.sphere(0.1)))
    return m


def body(
    shape: dt.Shape,
    height: float,
    tilt: float = 0.0,
    v: tuple[float, ...] = (1, 0, 0),
    w: tuple[float, ...] = (0, 0, 0),
    radius: float = 0.0,
    **law: float,
) -> dt.Model:
    """A free body above a floor."""
    m = dt.Model("body")
    inertia = dt.Inertia.sphere(1.0, radius=radius) if radius else dt.Inertia.box(2.0, BOX)
    turned = dt.Rotation.about("y", tilt)
    m.add_body("b", inertia, position=(0, 0, height), rotation=turned)
    m.add_joint("F", dt.Free(), m.ground, "b", v0={"velocity": v, "angular_velocity": w})
    m.add_contact("floor", dt.RigidContact(**({"friction": 0.3} | law)), m.ground, "b", shapes=(PLANE, shape))
    m.add_marker("tip", "b", position=(0.1, 0.05, 0))
    return m


def coin(mu: float, spin: float) -> dt.Model:
    """A coin that leans, rolls or slides on its rim."""
    r, t, lean = 0.1, 0.01, 0.3
    m = dt.Model("coin")
    at, turned = (0, 0, r * math.cos(lean) + 0.5 * t * math.sin(lean)), dt.Rotation.about("x", math.pi / 2 - lean)
    m.add_body("b", dt.Inertia.cylinder(1.0, radius=r, length=t, axis="z"), position=at, rotation=turned)
    v0 = {"velocity": (-spin * r, 0, 0), "angular_velocity": (0, -spin, 0)}
    m.add_joint("F", dt.Free(), m.ground, "b", v0=v0)
    m.add_contact("floor", dt.RigidContact(friction=mu), m.ground, "b", shapes=(PLANE, dt.Shape.cylinder(r, t)))
    m.add_marker("tip", "b", position=(0.1, 0, 0))
    return m


def stack() -> dt.Model:
    """A box that slides on a box that slides on the floor."""
    m = dt.Model("stack")
    for i, name in enumerate(("low", "high")):
        m.add_body(name, dt.Inertia.box(1.0 + i, size=BOX), position=(0, 0, 0.1 + 0.2 * i))
        m.add_joint(f"F{name}", dt.Free(), m.ground, name, v0={"velocity": (0.5 + i, 0, 0)})
    m.add_marker("tip", "high")
    m.add_contact("floor", dt.RigidContact(friction=0.3), m.ground, "low", shapes=(PLANE, dt.Shape.box(BOX)))
    shapes = (dt.Shape.box(BOX), dt.Shape.box((0.2, 0.25, 0.2)))
    m.add_contact("top", dt.RigidContact(friction=0.2), "low", "high", shapes=shapes)
    return m


def loop() -> dt.Model:
    """A crank, a rod and a ball that slides on the floor: a closed loop with friction."""
    m = dt.Model("loop", parameters={"k": 5.0})
    m.add_body("crank", dt.Inertia.rod(1.0, length=0.3, axis="x"), position=(0.15, 0, 0.5))
    m.add_body("slider", dt.Inertia.sphere(2.0, radius=0.1), position=(1.1, 0, 0.1))
    turned = dt.Rotation.about("y", math.atan2(0.4, 0.8))
    m.add_body(
        "rod", dt.Inertia.rod(1.0, length=math.hypot(0.8, 0.4), axis="x"), position=(0.7, 0, 0.3), rotation=turned
    )
    m.add_body("c", dt.Inertia(1e-3, matrix=np.eye(3) * 1e-6), position=(1.1, 0, 0.1))
    m.add_joint("A", dt.Revolute("y"), m.ground, "crank", at=(0, 0, 0.5), v0=3.0)
    m.add_joint("B", dt.Revolute("y"), "crank", "rod", at=(0.3, 0, 0.5))
    m.add_joint("C", dt.Revolute("y"), "rod", "slider", at=(1.1, 0, 0.1))
    m.add_joint("X", dt.Prismatic("x"), m.ground, "c", at=(1.1, 0, 0.1))
    m.add_joint("Z", dt.Prismatic("z"), "c", "slider", at=(1.1, 0, 0.1))
    m.add_force("t", dt.JointTorque("A", "-k*q"))
    m.add_marker("tip", "slider")
    m.add_contact("floor", dt.RigidContact(friction=0.3), m.ground, "slider", shapes=(PLANE, dt.Shape.sphere(0.1)))
    return m


def linkage(spatial: bool) -> dt.Model:
    """A four-bar linkage, fast enough that each step leaves its loop open; or one whose rod has spherical joints."""
    a, b, c, d = np.array([[0, 0, 0], [0, 0, 0.2], [0.45, 0.1 if spatial else 0.0, 0.4], [0.6, 0, 0]])
    m = dt.Model("linkage", parameters={"k": 0.3})
    for name, one, other, mass in (("crank", a, b, 0.5), ("rod", b, c, 0.8), ("rocker", d, c, 0.7)):
        inertia = dt.Inertia(mass, matrix=mass * np.diag([0.02, 0.025, 0.01]))
        m.add_body(name, inertia, position=0.5 * (one + other))
    m.add_joint("A", dt.Revolute("y"), m.ground, "crank", at=a, v0=6.0)
    m.add_joint("B", dt.Spherical() if spatial else dt.Revolute("y"), "crank", "rod", at=b)
    m.add_joint("C", dt.Spherical() if spatial else dt.Revolute("y"), "rod", "rocker", at=c)
    m.add_joint("D", dt.Revolute("y"), m.ground, "rocker", at=d)
    m.add_force("t", dt.JointTorque("A", "k - 0.02*A.rate"))
    m.add_marker("tip", "rod", position=(0.1, 0, 0.05))
    return m


def oscillator(**static: float) -> dt.Model:
    """A mass on a spring with dry friction in its guide."""
    m = dt.Model("oscillator", parameters={"k": 100.0})
    m.add_body("b", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_joint("X", dt.Prismatic("x"), m.ground, "b", at=(0, 0, 0), q0=0.5)
    m.add_marker("tip", "b")
    m.add_force("s", dt.JointTorque("X", "-k*q"))
    m.add_force("rub", dt.JointFriction("X", friction=0.0, constant=3.0, **static))
    return m


def door(e: float = 0.0) -> dt.Model:
    """A door with an arm that swings on when it is stopped."""
    m = dt.Model("door", parameters={"k": 2.0})
    m.add_body("leaf", dt.Inertia.box(2.0, size=(0.8, 0.05, 1.0)), position=(0.4, 0, 0))
    m.add_joint("A", dt.Revolute("z"), m.ground, "leaf", at=(0, 0, 0), v0=2.0, limits=[(-1.0, 1.0)])
    m.add_body("arm", dt.Inertia.rod(0.5, length=0.5, axis="x"), position=(1.05, 0, 0))
    m.add_joint("B", dt.Revolute("z"), "leaf", "arm", at=(0.8, 0, 0))
    m.add_marker("tip", "arm", position=(0.25, 0, 0))
    m.add_force("s", dt.JointTorque("A", "k*1.0"))
    if e:
        m.add_force("st", dt.JointStop("A", restitution=e))
    return m


SPHERE = dt.Shape.sphere(0.1)
MODELS: dict[str, tuple[Callable[[], dt.Model], float, float, list[str]]] = {
    "slides": (slide, 0.5, 0.01, ["floor.friction", "X.v0", "b.mass", "gravity.z"]),
    "comes to rest": (slide, 1.0, 0.01, ["floor.friction", "X.v0", "gravity.z"]),
    "lands": (lambda: slide(height=0.05), 0.5, 0.01, ["floor.friction", "Z.q0", "X.v0", "gravity.z"]),
    "box slides": (lambda: body(dt.Shape.box(BOX), 0.1), 0.4, 0.01, ["floor.friction", "gravity.z"]),
    "box tumbles": (lambda: body(dt.Shape.box(BOX), 0.25, 0.4), 0.4, 0.005, ["floor.friction", "b.inertia.yy"]),
    "ball slides, rolls": (
        lambda: body(SPHERE, 0.1, w=(1, 2, 3), radius=0.1), 0.5, 0.01, ["floor.friction", "gravity.z", "b.inertia.yy"],
    ),
    "ball lands": (lambda: body(SPHERE, 0.2, w=(1, 2, 3), radius=0.1), 0.6, 0.01, ["floor.friction", "b.inertia.zz"]),
    "resistance": (
        lambda: body(
            SPHERE, 0.1, v=(1, 0.3, 0), w=(0, 10, 5), radius=0.1, rolling_friction=0.005, torsional_friction=0.003
        ),
        0.5, 0.01, ["floor.friction", "floor.rolling_friction", "floor.torsional_friction", "b.inertia.yy"],
    ),
    "coin rolls": (lambda: coin(0.6, 8.0), 0.1, 0.002, ["gravity.z", "b.inertia.xx", "b.inertia.zz"]),
    "coin falls": (lambda: coin(0.1, 2.0), 0.2, 0.002, ["gravity.z", "floor.friction", "b.inertia.xx"]),
    "stack": (stack, 0.14, 0.005, ["floor.friction", "top.friction", "low.mass", "gravity.z"]),
    "loop": (loop, 0.2, 0.002, ["floor.friction", "crank.mass", "slider.mass", "k", "gravity.z", "A.v0"]),
    "four-bar": (lambda: linkage(False), 0.2, 0.002, ["k", "crank.mass", "rod.mass", "gravity.z", "A.v0"]),
    "spatial loop": (lambda: linkage(True), 0.2, 0.002, ["k", "crank.mass", "rod.mass", "rod.inertia.xx"]),
    "joint friction": (oscillator, 2.0, 0.005, ["k", "rub.constant", "X.q0", "b.mass"]),
    "Stribeck": (
        lambda: oscillator(static_constant=5.0, stribeck_velocity=0.3), 0.7, 0.005,
        ["k", "rub.constant", "rub.static_constant", "rub.stribeck_velocity"],
    ),
    "stop": (door, 0.8, 0.004, ["k", "A.v0", "arm.mass"]),
}  # fmt: skip


def differences(m: dt.Model, name: str, value: float, duration: float, solver: dt.Solver) -> float:
    """Of x of the tip at the end plus the integral of its square, which is a state J of the model."""
    h = 1e-4 * (abs(value) or 1.0)

    def run(x: float) -> float:
        r = dt.simulate(with_values(m, {name: x}), duration, outputs="steps", solver=solver)
        assert r.ok, r.reason
        return float(r["tip.position"][-1, 0] + r["J"][-1])

    first, second = [(run(value + d) - run(value - d)) / (2 * d) for d in (h, h / 2)]
    return (4.0 * second - first) / 3.0


@pytest.mark.parametrize("name", MODELS)
def test_gradients_are_those_of_the_computed_run(name: str) -> None:
    """Against extrapolated differences of runs with the same step, which have some 1e-7."""
    build, duration, step, names = MODELS[name]
    m, solver = build(), dt.Moreau(step, tolerance=1e-13)
    if "tip" not in m.markers:
        m.add_marker("tip", "b")
    objective = dt.Objective(final="tip.position.x", integral="tip.position.x^2")
    g = dt.gradient(m, objective, names, duration=duration, solver=solver)
    m.add_state("J", "tip.position.x^2", 0.0)
    for one, value, slope in zip(g.names, g.values, g.gradient, strict=True):
        wanted = differences(m, one, float(value), duration, solver)
        np.testing.assert_allclose(slope, wanted, rtol=1e-6, atol=1e-8 * float(np.max(np.abs(g.gradient))), err_msg=one)


@pytest.mark.parametrize("name", ["lands", "loop", "stop", "ball slides, rolls"])
def test_sensitivities_are_gradients(name: str) -> None:
    """Their last values; and within steps, differences of outputs there."""
    build, duration, step, names = MODELS[name]
    m, solver = build(), dt.Moreau(step, tolerance=1e-13)
    if "tip" not in m.markers:
        m.add_marker("tip", "b")
    times = np.append(np.linspace(0.0, duration, 8)[:-1] + 0.3 * step, duration)
    s = dt.sensitivities(m, ["tip.position.x"], names, duration=duration, solver=solver, outputs=times)
    g = dt.gradient(m, dt.Objective(final="tip.position.x"), names, duration=duration, solver=solver)
    np.testing.assert_allclose(s.derivatives[-1, 0], g.gradient, rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(s.values[-1, 0], g.value, rtol=1e-14)
    value, h = float(g.values[0]), 1e-5 * abs(float(g.values[0]))
    ends = [
        dt.simulate(with_values(m, {names[0]: value + d}), duration, outputs=times, solver=solver)["tip.position.x"]
        for d in (h, -h)
    ]
    wanted = (ends[0] - ends[1]) / (2 * h)
    np.testing.assert_allclose(s.derivatives[:, 0, 0], wanted, rtol=1e-6, atol=1e-7 * np.max(np.abs(wanted)))


def heap(seed: int) -> dt.Model:
    """One to three bodies of random shapes that fall on each other and on the floor."""
    rng = np.random.default_rng(seed)
    m, made = dt.Model("heap"), list[dt.Shape]()
    for i in range(int(rng.integers(1, 4))):
        r, kind = float(rng.uniform(0.08, 0.15)), int(rng.integers(0, 5))
        made.append([
            dt.Shape.sphere(r), dt.Shape.box((r, 1.3 * r, 1.6 * r)), dt.Shape.capsule(0.5 * r, 2 * r),
            dt.Shape.cylinder(r, r), dt.Shape.ellipsoid((r, 1.2 * r, 0.8 * r)),
        ][kind])  # fmt: skip
        at, turned = (*rng.uniform(-0.03, 0.03, 2), 0.25 + 0.35 * i), rng.standard_normal(3)
        inertia = dt.Inertia(float(rng.uniform(0.5, 2)), matrix=np.diag(rng.uniform(0.004, 0.006, 3)))
        b = m.add_body(f"b{i}", inertia, position=at, rotation=dt.Rotation.about(turned, float(rng.uniform(0, 3))))
        v0 = {"velocity": tuple(rng.uniform(-1, 1, 3)), "angular_velocity": tuple(rng.uniform(-3, 3, 3))}
        m.add_joint(f"F{i}", dt.Free(), m.ground, b, v0=v0)
        m.add_contact(f"g{i}", dt.RigidContact(friction=float(rng.uniform(0, 0.8))), m.ground, b, (PLANE, made[i]))
        for j in range(i):
            law = dt.RigidContact(friction=float(rng.uniform(0, 0.8)))
            m.add_contact(f"c{j}{i}", law, f"b{j}", b, shapes=(made[j], made[i]))
    m.add_marker("tip", "b0")
    return m


@pytest.mark.parametrize("seed", range(12))
def test_heaps_are_right_or_refused(seed: int) -> None:
    """Nothing is silently wrong: derivatives are those of the run, or there is a reason why not."""
    m, solver, names = heap(seed), dt.Moreau(0.004, tolerance=1e-13), ["g0.friction", "b0.mass", "gravity.z"]
    try:
        g = dt.gradient(m, dt.Objective(final="b0.position.x"), names, duration=0.4, solver=solver)
    except ValueError as error:
        if "has no derivative" not in str(error):
            raise
        return
    size = float(np.max(np.abs(g.gradient)))
    for name, value, slope in zip(g.names, g.values, g.gradient, strict=True):
        found = list[float]()
        for part in (1e-5, 1e-6):  # one of them has no point that opens or closes within it
            h = part * abs(float(value))
            ends = [
                dt.simulate(with_values(m, {name: float(value) + d}), 0.4, outputs="steps", solver=solver)
                for d in (h, -h)
            ]
            found.append(float(ends[0]["b0.position"][-1, 0] - ends[1]["b0.position"][-1, 0]) / (2 * h))
        assert min(abs(slope - each) for each in found) < 1e-4 * abs(slope) + 1e-5 * size, (name, slope, found)


def test_stopping_distance() -> None:
    """v^2 / (2 mu g): errors of first order, as the run has."""
    names, v, mu = ["floor.friction", "X.v0", "gravity.z", "b.mass"], 2.0, 0.3
    wanted = np.array([-v * v / (2 * mu**2 * G), v / (mu * G), v * v / (2 * mu * G**2), 0.0])
    errors = list[float]()
    for h in (0.01, 0.0025):
        g = dt.gradient(slide(mu), dt.Objective(final="X.position"), names, duration=1.0, solver=dt.Moreau(h))
        errors.append(float(np.max(np.abs(g.gradient - wanted))))
    assert errors[0] < 0.05
    assert errors[1] < 0.5 * errors[0]


def test_smooth_runs() -> None:
    """Without contacts: first-order states, laws, declared parameters, a ball joint, against differences of runs."""
    m, solver, duration = chain(), dt.Moreau(0.01), 0.3
    m.add_marker("end", "lower", position=(0.1, 0, -0.5))
    names = ["lower.mass", "lower.com.x", "upper.inertia.yy", "spring.stiffness", "end.position.x", "B.at.z", "c",
             "lag.initial", "A.v0", "gravity.x"]  # fmt: skip
    objective = dt.Objective(final="end.position.x", integral="lag*A.angle")
    g = dt.gradient(m, objective, names, duration=duration, solver=solver)
    for name, value, slope in zip(g.names, g.values, g.gradient, strict=True):
        h = 1e-5 * max(abs(float(value)), 0.1)

        def run(x: float, name: str = name) -> float:
            return dt.gradient(with_values(m, {name: x}), objective, [name], duration=duration, solver=solver).value

        wanted = (run(value + h) - run(value - h)) / (2 * h)
        np.testing.assert_allclose(slope, wanted, rtol=1e-6, atol=1e-9, err_msg=name)


def test_lengths_and_places() -> None:
    """Radius of a ball, coefficient and height of the floor, of a function that builds the model."""

    def build(r: float, mu: float, top: float) -> dt.Model:
        m = dt.Model("ball")
        m.add_body("b", dt.Inertia.sphere(2.0, radius=r), position=(0, 0, r + 0.05))
        m.add_joint("F", dt.Free(), m.ground, "b", v0={"velocity": (2, 0.3, 0)})
        shapes = (dt.Shape.plane(position=(0, 0, top)), dt.Shape.sphere(r))
        m.add_contact("floor", dt.RigidContact(friction=mu), m.ground, "b", shapes=shapes)
        m.add_marker("tip", "b", position=(r, 0, 0))
        return m

    given, solver = {"r": 0.1, "mu": 0.3, "top": 0.0}, dt.Moreau(0.01, tolerance=1e-13)
    g = dt.gradient(build, dt.Objective(final="tip.position.x"), given, duration=0.5, solver=solver)
    for k, name in enumerate(given):
        ends = [
            dt.simulate(build(**{**given, name: given[name] + d}), 0.5, outputs="steps", solver=solver)
            for d in (1e-6, -1e-6)
        ]
        wanted = (ends[0]["tip.position"][-1, 0] - ends[1]["tip.position"][-1, 0]) / 2e-6
        np.testing.assert_allclose(g.gradient[k], wanted, rtol=1e-6, err_msg=name)


# ------------------------------------------------------------------------------------------ impacts and breaking away


def test_bounces_with_the_time_of_the_impact() -> None:
    """Published exact derivatives (0, -1) by place and velocity: differences of runs within a step would say (0, 1)."""
    solver = dt.Moreau(0.01)
    g = dt.gradient(ball(), dt.Objective(final="tip.position.z"), START, duration=1.0, solver=solver)
    np.testing.assert_allclose(g.gradient, [0, -1, 0, -1], atol=1e-9)
    m = with_values(ball(e=0.92, velocity=(5.0, -5.0), wall=True), {"X.q0": -0.5})
    for axis, wanted in (("x", [-0.92, 0, -0.552, 0]), ("z", [0, -0.92, 0, -0.552])):
        g = dt.gradient(m, dt.Objective(final=f"tip.position.{axis}"), START, duration=0.6, solver=solver)
        np.testing.assert_allclose(g.gradient, wanted, atol=1e-9)


def test_two_balls_exchange_velocities() -> None:
    """Exact derivatives (1, 0, T, 0): what was wrong elsewhere in issue 97 of nimblephysics."""
    m = dt.Model("two balls", gravity=(0, 0, 0))
    for name, x, v in (("a", 0.0, 1.0), ("b", 1.0, 0.0)):
        made = m.add_body(name, dt.Inertia.sphere(1.0, radius=0.2))
        m.add_joint(name.upper(), dt.Prismatic("x"), m.ground, made, at=(0, 0, 0), q0=x, v0=v)
    shapes = (dt.Shape.sphere(0.2), dt.Shape.sphere(0.2))
    m.add_contact("c", dt.RigidContact(restitution=1.0), "a", "b", shapes=shapes)
    names = ["A.q0", "B.q0", "A.v0", "B.v0"]
    g = dt.gradient(m, dt.Objective(final="B.position"), names, duration=1.5, solver=dt.Moreau(0.01))
    np.testing.assert_allclose(g.gradient, [1, 0, 1.5, 0], atol=1e-9)


@pytest.mark.parametrize(("mu", "vx"), [(0.0, 2.0), (2.0, 2.0), (0.05, 6.0)], ids=["frictionless", "sticks", "slips"])
def test_bounces_converge_to_event_driven_ones(mu: float, vx: float) -> None:
    """With gravity, friction and rotation: errors of the order of the step."""
    m = ball(e=0.7, mu=mu, g=G, velocity=(vx, -2.0))
    objective = dt.Objective(final="tip.position.x + R.angle", integral="R.rate*tip.position.x")
    names = [*START, "floor.restitution", "gravity.z"]
    wanted = dt.gradient(m, objective, names, duration=0.6, solver=dt.DOPRI5(rtol=1e-10, atol=1e-12)).gradient
    for h in (2e-3, 2e-4):
        found = dt.gradient(m, objective, names, duration=0.6, solver=dt.Moreau(h)).gradient
        assert np.max(np.abs(found - wanted)) < 30.0 * h * np.max(np.abs(wanted)) + 1e-9


def test_a_stop_with_restitution() -> None:
    """Against differences of event-driven runs."""
    names, duration = ["k", "A.v0", "arm.mass", "st.restitution"], 0.55
    found = dt.gradient(door(0.5), dt.Objective(final="B.angle"), names, duration=duration, solver=dt.Moreau(5e-4))
    fine = dt.DOPRI5(rtol=1e-10, atol=1e-12)
    for name, value, slope in zip(found.names, found.values, found.gradient, strict=True):
        ends = [
            dt.simulate(with_values(door(0.5), {name: value + d}), duration, outputs=[duration], solver=fine)["B.angle"]
            for d in (1e-5, -1e-5)
        ]
        wanted = float(ends[0][-1] - ends[1][-1]) / 2e-5
        np.testing.assert_allclose(slope, wanted, rtol=2e-2, err_msg=name)


@pytest.mark.parametrize("in_joint", [False, True])
def test_breaking_away(in_joint: bool) -> None:
    """A block on a belt, in closed form: its static friction matters by the time at which it begins to slide."""
    k, v, static, sliding, T = 100.0, 0.2, 0.6, 0.4, 0.5
    if in_joint:
        m = dt.Model("belt")
        m.add_body("belt", dt.Inertia.point(1.0))
        m.add_body("block", dt.Inertia.point(1.0))
        m.add_joint("B", dt.Prismatic("x"), m.ground, "belt", at=(0, 0, 0), v0=v)
        m.add_constraint("drive", dt.JointMotion("B", f"{v}*t"))
        m.add_joint("X", dt.Prismatic("x"), "belt", "block", at=(0, 0, 0))
        m.add_force("spring", dt.CartesianSpring(m.add_marker("wall", m.ground), "block", (k, 0, 0)))
        m.add_force("rub", dt.JointFriction("X", friction=0.0, constant=sliding * G, static_constant=static * G))
        names, units = ["rub.static_constant", "rub.constant"], np.array([1 / G, 1 / G])
    else:
        m = stick_slip.build()
        names, units = ["rub.static_friction", "rub.friction", "spring.stiffness"], np.ones(3)

    def end(x: np.ndarray) -> complex:
        static, sliding, k = x
        w, tau = np.sqrt(k), T - static * G / (k * v)
        return sliding * G / k + (static - sliding) * G / k * np.cos(w * tau) + v / w * np.sin(w * tau)

    at = np.array([static, sliding, k], dtype=complex)
    wanted = np.array([end(at + 1e-30j * each).imag / 1e-30 for each in np.eye(3)])[: len(names)]
    objective = dt.Objective(final="block.position.x")
    found = dt.gradient(m, objective, names, duration=T, solver=dt.Moreau(5e-4)).gradient
    np.testing.assert_allclose(found, wanted * units, rtol=2e-2)


# ----------------------------------------------------------------------------------------------- what has no derivative


def refused(m: dt.Model, final: str, names: list[str], duration: float, solver: dt.Solver, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        dt.gradient(m, dt.Objective(final=final), names, duration=duration, solver=solver)


def test_impulses_that_are_not_unique() -> None:
    """A box that turns while it slides on four corners: where it goes does not depend on them, how it turns does."""
    m = body(dt.Shape.box(BOX), 0.1, w=(0, 0, 2.0))
    why = r'from t = .* s to .* s has no derivative: contact "floor" has impulses that are not unique'
    refused(m, "tip.position.y", ["floor.friction"], 0.1, dt.Moreau(0.005), why)
    with pytest.raises(ValueError, match=why):
        dt.sensitivities(m, ["tip.position.y"], ["floor.friction"], duration=0.1, solver=dt.Moreau(0.005))
    m = body(dt.Shape.box(BOX), 0.1)
    g = dt.gradient(m, dt.Objective(final="F.position.x"), ["floor.friction"], duration=0.1, solver=dt.Moreau(0.005))
    np.testing.assert_allclose(g.gradient, [-0.5 * G * 0.1**2], rtol=1e-6)


def test_refused_with_time_and_contact() -> None:
    """Contacts without load, several bounces in a step, static friction that lasts one step."""
    m = with_values(slide(), {"gravity.z": 0.0})
    refused(m, "Z.position", ["Z.v0"], 0.1, dt.Moreau(0.01), r'contact "floor" is closed and bears no load')
    m = with_values(ball(wall=True, velocity=(2.0, -2.0)), {"X.q0": 0.75})  # floor and wall at once
    why = r'several points bounce in it \(contact "floor", contact "side"\)'
    refused(m, "tip.position.z", START, 1.0, dt.Moreau(0.01), why)


def test_refused_by_name() -> None:
    """What steps do not differentiate yet is said before the run."""
    solver = dt.Moreau(0.01)
    refused(slide(), "X.position", ["X.v0"], 0.1, dt.Moreau(0.01, implicit=True), r"Moreau\(implicit=True\)")
    m = slide()
    m.add_force("rub", dt.JointFriction("X", friction=0.1))
    refused(m, "X.position", ["X.v0"], 0.1, solver, 'friction in joint "X" that follows from the load')
    m = slide()
    m.add_force("freewheel", dt.OneWayClutch("X", capacity=1.0))
    refused(m, "X.position", ["X.v0"], 0.1, solver, "one-way clutches: freewheel")
    with pytest.raises(NotImplementedError, match=r"read X\.reaction_force\.z"):
        dt.gradient(slide(), dt.Objective(final="X.reaction_force.z"), ["X.v0"], duration=0.1, solver=solver)
    m = slide()
    m.add_event("end", dt.Event("X.position - 0.05", terminal=True))
    refused(m, "X.position", ["X.v0"], 0.1, solver, "events that change the state or end the run: end")


def test_records_do_not_change_the_run() -> None:
    """The same bits, step by step."""
    m = body(dt.Shape.box(BOX), 0.25, 0.4)
    plain = dt.simulate(m, 0.4, outputs="steps", solver=dt.Moreau(0.005))
    kept = dt.simulate(m, 0.4, outputs="steps", solver=RecordingMoreau(0.005))
    assert np.array_equal(plain.q, kept.q)
    assert np.array_equal(plain.v, kept.v)


# ------------------------------------------------------------------------------------------- fitting and optimisation


def test_a_box_that_rests_where_it_stopped() -> None:
    """On a slope: impulses balance the weight, and what is left of the change of velocities is round-off."""
    m = body(dt.Shape.box(BOX), 0.1, v=(1.0, 0.2, 0.0), friction=0.4)
    m.gravity = (G * math.sin(0.2), 0.0, -G * math.cos(0.2))
    solver, names = dt.Moreau(0.002), ["floor.friction", "gravity.x"]
    r = dt.simulate(m, 1.5, solver=solver)
    assert np.max(np.abs(r["b.velocity"][r.t > 1.0])) < 1e-12  # it rests
    g = dt.gradient(m, dt.Objective(final="b.position.x"), names, duration=1.5, solver=solver)
    early = dt.gradient(m, dt.Objective(final="b.position.x"), names, duration=1.0, solver=solver)
    np.testing.assert_allclose(g.gradient, early.gradient, rtol=1e-9)
    ends = [with_values(m, {"floor.friction": 0.4 + d}) for d in (1e-6, -1e-6)]
    high, low = (dt.simulate(each, 1.5, solver=solver)["b.position.x"][-1] for each in ends)
    assert g["floor.friction"] == pytest.approx((high - low) / 2e-6, rel=1e-5)


def test_friction_is_fitted() -> None:
    """Friction and initial speed of a slide, from positions with noise."""
    t = np.linspace(0.02, 0.9, 45)
    noise = 1e-3 * np.random.default_rng(1).standard_normal(len(t))
    data = dt.simulate(slide(0.3), 1.0, outputs=t, solver=dt.Moreau(0.002))["X.position"] + noise
    found = dt.fit(
        slide(0.5), {"X.position": (t, data)}, {"floor.friction": (0.05, 1.0), "X.v0": (0.5, 4.0)},
        solver=dt.Moreau(0.002), progress=False,
    )  # fmt: skip
    assert found.ok, found.reason
    np.testing.assert_allclose([found.values["floor.friction"], found.values["X.v0"]], [0.3, 2.0], rtol=5e-3)


def test_a_throw_is_optimised() -> None:
    """A bounce on the floor that ends at a place: velocities by gradients through the impact."""
    m = ball(e=0.8, g=G, velocity=(1.0, 0.0))
    aim = dt.Objective(final="(tip.position.x - 0.5)^2 + (tip.position.z - 0.6)^2")
    bounds = {"X.v0": (0.0, 4.0), "Z.v0": (-4.0, 2.0)}
    found = dt.minimise(m, aim, bounds, duration=0.7, solver=dt.Moreau(0.001), progress=False)
    assert found.value < 1e-5  # 3 mm: the step in which the ball bounces makes its place jump by 2 mm
    assert found.runs < 60
