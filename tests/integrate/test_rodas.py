"""Rodas: stiff forces with event-driven impacts, and with friction in closed loops (its orders: test_integrate)."""

from pathlib import Path

import numpy as np
import pytest

import duoti as dt

G = 9.81


def double_pendulum() -> dt.Model:
    """Two bars on a hinge and a ball joint, spring and damper to ground, a torque that depends on time."""
    m = dt.Model("double pendulum")
    upper = m.add_body("upper", dt.Inertia.box(1.0, size=(0.1, 0.1, 1.0)), position=(0, 0, -0.5))
    lower = m.add_body("lower", dt.Inertia.box(1.0, size=(0.1, 0.1, 1.0)), position=(0, 0, -1.5))
    m.add_joint("hinge", dt.Revolute("y"), m.ground, upper, at=(0, 0, 0), q0=1.0)
    m.add_joint("ball", dt.Spherical(), upper, lower, at=(0, 0, -1))
    post = m.add_marker("post", m.ground, position=(3, 1, 0))
    tip = m.add_marker("tip", lower, position=(0, 0, -0.5))
    m.add_force("spring", dt.SpringDamper(post, tip, stiffness=50, damping=2, rest_length=3))
    m.add_force("motor", dt.JointTorque("hinge", "3*sin(5*t)"))
    return m


def hopper(stiffness: float, damping: float, restitution: float) -> dt.Model:
    """A body on a wheel: spring and damper between them, the wheel bounces on the floor."""
    m = dt.Model("hopper")
    wheel = m.add_body("wheel", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.6))
    body = m.add_body("body", dt.Inertia.box(5.0, size=(0.2, 0.2, 0.2)), position=(0, 0, 1.1))
    m.add_joint("rail", dt.Prismatic("z"), m.ground, wheel)
    m.add_joint("strut", dt.Prismatic("z"), wheel, body)
    m.add_force("leg", dt.SpringDamper(wheel, body, stiffness=stiffness, damping=damping, rest_length=0.5))
    law = dt.RigidContact(restitution=restitution)
    m.add_contact("floor", law, m.ground, wheel, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
    return m


def test_stiff_leg_with_event_driven_impacts() -> None:
    """A damper of 1e6 N s/m: times of impacts as those of DOPRI5, which needs a thousand times the steps; the rest."""
    explicit = dt.simulate(hopper(1e6, 1e6, 0.4), 0.4, solver=dt.DOPRI5())
    stiff = dt.simulate(hopper(1e6, 1e6, 0.4), 0.4, solver=dt.Rodas())
    assert stiff.ok
    assert explicit.ok
    assert stiff.stats.steps < explicit.stats.steps / 100
    assert stiff.impacts[0].time == pytest.approx(np.sqrt(2 * 0.5 / G), abs=1e-8)  # free fall, polynomials are exact
    assert len(stiff.impacts) == len(explicit.impacts)
    # speeds to the tolerance of 1e-6, and times between impacts (2 v over some 1e6 m/s²) are far shorter than 1e-3 s
    assert [i.time for i in stiff.impacts] == pytest.approx([i.time for i in explicit.impacts], abs=1e-8)
    assert stiff["floor.normal_force"][-1] == pytest.approx(6.0 * G, rel=1e-4)


def test_a_block_that_slides_on_a_stiff_rope() -> None:
    """Sliding in the plane with a light hook on a hard spring: as DOPRI5 at tight tolerances."""

    def run(solver: dt.Rodas | dt.DOPRI5) -> dt.Result:
        m = dt.Model("block", gravity=(4, 0, -9))
        block = m.add_body("block", dt.Inertia.box(2.0, size=(0.4, 0.3, 0.2)), position=(0, 0, 0.1))
        m.add_joint("free", dt.Free(), m.ground, block, v0={"velocity": (1.0, 0.3, 0)})
        shapes = (dt.Shape.plane(), dt.Shape.box((0.4, 0.3, 0.2)))
        m.add_contact("floor", dt.RigidContact(friction=0.3), m.ground, block, shapes=shapes)
        hook = m.add_body("hook", dt.Inertia.sphere(0.01, radius=0.05), position=(1, 0, 0.1))
        m.add_joint("rail", dt.Prismatic("x"), m.ground, hook)
        m.add_force("rope", dt.SpringDamper(block, hook, stiffness=1e5, damping=200, rest_length=1.0))
        return dt.simulate(m, 0.5, solver=solver)

    exact, stiff = run(dt.DOPRI5(rtol=1e-10, atol=1e-12)), run(dt.Rodas(rtol=1e-7, atol=1e-9))
    assert stiff.ok
    assert stiff["block.position"][-1] == pytest.approx(exact["block.position"][-1], abs=1e-5)  # a hundred tolerances
    assert np.max(np.abs(stiff.energy.residual)) < 1e-5


def test_friction_holds_a_closed_loop() -> None:
    """A parallelogram that swings, is braked by dry friction in a hinge, and then stands."""
    m = dt.Model("parallelogram")
    size = (0.02, 0.02, 0.5)
    left = m.add_body("left", dt.Inertia.box(1.0, size=size), position=(0, 0, -0.25))
    right = m.add_body("right", dt.Inertia.box(1.0, size=size), position=(1, 0, -0.25))
    bar = m.add_body("bar", dt.Inertia.box(2.0, size=(1, 0.02, 0.02)), position=(0.5, 0, -0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, left, at=(0, 0, 0), q0=0.6)
    m.add_joint("B", dt.Revolute("y"), left, bar, at=(0, 0, -0.5))
    m.add_joint("C", dt.Revolute("y"), bar, right, at=(1, 0, -0.5))
    m.add_joint("D", dt.Revolute("y"), m.ground, right, at=(1, 0, 0))
    m.add_force("brake", dt.JointFriction("A", constant=4.0))
    m.add_force("damper", dt.JointDamping("D", 0.5))
    r, exact = (dt.simulate(m, 2.0, solver=solver) for solver in (dt.Rodas(), dt.DOPRI5()))
    assert r.ok
    assert r["A.angle"][-1] == pytest.approx(exact["A.angle"][-1], abs=1e-5)
    assert np.max(np.abs(r["A.rate"][-100:])) < 1e-9  # what is left of the speed where its end was located


def test_a_run_goes_on_to_the_last_bit(tmp_path: Path) -> None:
    whole = dt.simulate(double_pendulum(), 1.0, outputs=0.1, solver=dt.Rodas())
    dt.simulate(double_pendulum(), 0.43, outputs=0.1, solver=dt.Rodas(), out=tmp_path / "run.h5")
    longer = dt.resume(tmp_path / "run.h5", duration=1.0)
    assert longer.ok
    # the step that ended at 0.43 s is another one: the same motion, not the same steps
    assert longer.states[-1] == pytest.approx(whole.states[-1], abs=1e-3)


def test_what_it_refuses() -> None:
    m = double_pendulum()
    with pytest.raises(ValueError, match="1e-09 is about the smallest"):
        dt.simulate(m, 1.0, solver=dt.Rodas(rtol=1e-12))
    m.add_state("x", "x - cos(x)", initial=0.7, algebraic=True)
    with pytest.raises(ValueError, match="which Rodas does not do"):
        dt.simulate(m, 1.0, solver=dt.Rodas())
