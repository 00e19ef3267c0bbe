"""Derivatives of runs through impacts and events."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.system.parameters import with_values

FINE = dt.DOPRI5(rtol=1e-11, atol=1e-13)


def ball(
    e: float = 1.0, mu: float = 0.0, g: float = 0.0, velocity: tuple[float, float] = (2.0, -2.0), wall: bool = False
) -> dt.Model:
    """A disc of radius 0.1 above a floor, with a wall at x = 1.75 if wanted (arXiv 2207.05060, tasks 1 and 2)."""
    m = dt.Model("bounce", gravity=(0, 0, -g))
    m.add_body("disc", dt.Inertia(1.0, matrix=np.diag([0.004, 0.005, 0.004])))
    for name in ("a", "b"):
        m.add_body(name, dt.Inertia(1e-9, matrix=np.eye(3) * 1e-12))
    m.add_joint("X", dt.Prismatic("x"), m.ground, "a", at=(0, 0, 0), q0=-1.0, v0=velocity[0])
    m.add_joint("Z", dt.Prismatic("z"), "a", "b", at=(0, 0, 0), q0=1.0, v0=velocity[1])
    m.add_joint("R", dt.Revolute("y"), "b", "disc", at=(0, 0, 0))
    law, shape = dt.RigidContact(friction=mu, restitution=e), dt.Shape.sphere(0.1)
    m.add_contact("floor", law, m.ground, "disc", shapes=(dt.Shape.plane(), shape))
    if wall:
        turned = np.array([[0, 0, -1.0], [0, 1, 0], [1, 0, 0]])  # z of the wall looks along -x
        m.add_marker("wall", m.ground, position=(1.75, 0, 0), rotation=turned)
        m.add_contact("side", law, "wall", "disc", shapes=(dt.Shape.plane(), shape))
    m.add_marker("tip", "disc")
    return m


START = ["X.q0", "Z.q0", "X.v0", "Z.v0"]


def test_bounce_once() -> None:
    """Published exact derivatives of the height after an elastic bounce: (0, -1) by place and by velocity."""
    g = dt.gradient(ball(), dt.Objective(final="tip.position.z"), START, duration=1.0)
    np.testing.assert_allclose(g.gradient, [0, -1, 0, -1], atol=1e-12)
    s = dt.sensitivities(ball(), ["tip.position.z"], START, duration=1.0, outputs=[0.2, 1.0])
    np.testing.assert_allclose(s.derivatives[:, 0], [[0, 1, 0, 0.2], [0, -1, 0, -1]], atol=1e-12)


def test_floor_and_wall() -> None:
    """Two impacts with restitution and no friction: x(T) and z(T) in closed form, at start (-0.5, 1), v = (5, -5)."""
    m, e, T = ball(e=0.92, velocity=(5.0, -5.0), wall=True), 0.92, 0.6
    m = with_values(m, {"X.q0": -0.5})

    def end(y: np.ndarray) -> np.ndarray:
        x, z, vx, vz, e = y
        t_x, t_z = (1.65 - x) / vx, (0.1 - z) / vz
        return np.array([1.65 - e * vx * (T - t_x), 0.1 - e * vz * (T - t_z)])

    y, h = np.array([-0.5, 1.0, 5.0, -5.0, e], dtype=complex), 1e-30
    wanted = np.array([end(y + 1j * h * np.eye(5)[k]).imag / h for k in range(5)]).T
    for axis, row in zip("xz", wanted, strict=True):
        found = dt.gradient(m, dt.Objective(final=f"tip.position.{axis}"), START, duration=T)
        np.testing.assert_allclose(found.value, end(y.real)[row is wanted[1]], rtol=1e-12)
        np.testing.assert_allclose(found.gradient, row[:4], atol=1e-11)
        law = "floor.restitution" if axis == "z" else "side.restitution"
        e_bar = dt.gradient(m, dt.Objective(final=f"tip.position.{axis}"), [law], duration=T).gradient[0]
        np.testing.assert_allclose(e_bar, row[4], rtol=1e-10)


def test_two_balls_exchange_velocities() -> None:
    """Equal elastic balls on a line: exact derivatives (1, 0, 1, 0), see issue 97 of nimblephysics."""
    m = dt.Model("two balls", gravity=(0, 0, 0))
    for name, x, v in (("a", 0.0, 1.0), ("b", 1.0, 0.0)):
        body = m.add_body(name, dt.Inertia.sphere(1.0, radius=0.2))
        m.add_joint(name.upper(), dt.Prismatic("x"), m.ground, body, at=(0, 0, 0), q0=x, v0=v)
    shapes = (dt.Shape.sphere(0.2), dt.Shape.sphere(0.2))
    m.add_contact("c", dt.RigidContact(restitution=1.0), "a", "b", shapes=shapes)
    # after the impact b moves as a would have done, 0.4 further on: x_b(T) = x_a0 + v_a T + 0.4
    g = dt.gradient(m, dt.Objective(final="B.position"), ["A.q0", "B.q0", "A.v0", "B.v0"], duration=1.5)
    np.testing.assert_allclose(g.value, 0.0 + 1.0 * 1.5 + 0.4, rtol=1e-12)
    np.testing.assert_allclose(g.gradient, [1, 0, 1.5, 0], atol=1e-11)
    s = dt.gradient(m, dt.Objective(final="B.velocity"), ["A.q0", "B.q0", "A.v0", "B.v0"], duration=1.5)
    np.testing.assert_allclose(s.gradient, [0, 0, 1, 0], atol=1e-11)


def differences(m: dt.Model, objective: dt.Objective, name: str, value: float, duration: float) -> float:
    """Central differences of runs, extrapolated once; they have some 1e-9."""

    def run(x: float) -> float:
        return dt.gradient(with_values(m, {name: x}), objective, ["X.q0"], duration=duration, solver=FINE).value

    h = 1e-3 * (abs(value) or 1.0)
    first, second = [(run(value + x) - run(value - x)) / (2 * x) for x in (h, h / 2)]
    return (4 * second - first) / 3


@pytest.mark.parametrize(
    ("mu", "vx"), [(0.0, 2.0), (2.0, 2.0), (0.05, 6.0)], ids=["frictionless", "sticking", "slipping"]
)
def test_friction_in_impacts(mu: float, vx: float) -> None:
    """Gravity, restitution, friction, masses, radii and markers through bounces, against differences of runs."""
    m = ball(e=0.7, mu=mu, g=9.81, velocity=(vx, -2.0))
    objective = dt.Objective(final="tip.position.x + R.angle", integral="Z.velocity^2 + R.rate*tip.position.x")
    names = [*START, "floor.restitution", "floor.friction", "gravity.z", "disc.mass", "disc.inertia.yy"]
    g = dt.gradient(m, objective, names, duration=0.6, solver=FINE)
    assert len(g.result.impacts) == 1
    for name, value, slope in zip(g.names, g.values, g.gradient, strict=True):
        if name == "floor.friction" and mu == 0.0:
            continue  # it cannot be less
        wanted = differences(m, objective, name, float(value), 0.6)
        np.testing.assert_allclose(slope, wanted, rtol=1e-6, atol=1e-7, err_msg=name)


def switched() -> dt.Model:
    m = dt.Model("switched", parameters={"k": 4.0, "limit": 0.3})
    m.add_body("b", dt.Inertia(2.0, matrix=np.eye(3)))
    m.add_joint("X", dt.Prismatic("x"), m.ground, "b", at=(0, 0, 0), q0=1.0, v0=0.1)
    m.add_state("brake", 0.0, 0.0)
    m.add_force("f", dt.JointTorque("X", "-k*q - 3*brake*v"))
    m.add_event("on", dt.Event("X.position - limit", direction="falling", sets={"brake": 1}))
    m.add_event("hit", dt.Event("X.position + 0.1", direction="falling", jump=lambda t, q, v, z: (q, -0.5 * v, z)))
    return m


@pytest.mark.parametrize("terminal", [False, True])
@pytest.mark.parametrize("solver", [FINE, dt.Radau(rtol=1e-10, atol=1e-12)], ids=["DOPRI5", "Radau"])
def test_events(terminal: bool, solver: dt.integrate.Solver) -> None:
    """States that are set, a jump of the rates, and a run that an event ends, against differences of runs."""
    m = switched()
    if terminal:
        m.add_event("end", dt.Event("X.position - 0.2 - 0.01*t", direction="rising", terminal=True))
        m.events["hit"] = dt.Event(m.events["hit"].value, direction="falling", jump=lambda t, q, v, z: (q, -2 * v, z))
    objective = dt.Objective(final="X.position*X.velocity + t^2", integral="X.position^2 + brake*X.velocity")
    g = dt.gradient(m, objective, ["k", "limit", "X.q0", "X.v0", "b.mass"], duration=3.0, solver=solver)
    assert [e.name for e in g.result.events][:2] == ["on", "hit"]
    assert (g.result.reason_code == "event") is terminal
    for name, value, slope in zip(g.names, g.values, g.gradient, strict=True):
        wanted = differences(m, objective, name, float(value), 3.0)
        np.testing.assert_allclose(slope, wanted, rtol=2e-7, atol=2e-8, err_msg=name)


def test_refused_with_time_and_contact() -> None:
    """Grazing, bodies that stay in contact, simultaneous impacts: no derivative, by name."""
    m = ball(e=0.0, g=9.81)
    with pytest.raises(ValueError, match='contact "floor" stays closed at t = 0'):
        dt.gradient(m, dt.Objective(final="tip.position.z"), START, duration=1.0)
    m = with_values(ball(wall=True, velocity=(2.0, -2.0)), {"X.q0": 0.75})  # floor and wall at t = 0.45
    with pytest.raises(ValueError, match=r'at t = 0\.45 s: several jumps at once \(.*"floor".*"side"'):
        dt.gradient(m, dt.Objective(final="tip.position.z"), START, duration=1.0)
