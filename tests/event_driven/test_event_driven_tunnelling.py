"""Bodies that have become fast do not pass thin ones within a step of an event-driven run."""

import numpy as np
import pytest

import duoti as dt


@pytest.mark.parametrize("solver", [dt.DOPRI5(), dt.RK4(step=5e-4), dt.Rodas()], ids=["dopri5", "rk4", "rodas"])
@pytest.mark.parametrize("shape", [dt.Shape.box((0.1, 0.1, 0.1)), dt.Shape.sphere(0.05)], ids=["box", "ball"])
def test_a_long_fall_ends_on_a_thin_plate(shape, solver):
    """20 m onto 5 mm: it takes sqrt(2 h / g), and a body of 0.1 m passes the plate in 5 ms."""
    h = 20.0
    m = dt.Model("fall")
    m.ground.shapes.append(dt.Shape.box((1, 1, 0.005), position=(0, 0, -0.0025)))
    b = m.add_body("b", dt.Inertia.box(1.0, size=(0.1, 0.1, 0.1)), position=(0.013, 0.021, h + 0.05), shapes=[shape])
    m.add_joint("free", dt.Free(), m.ground, b)
    m.add_contact("plate", dt.RigidContact(friction=0.3), m.ground, b)
    r = dt.simulate(m, 2.3, solver=solver)
    assert r.ok
    # all solvers are exact for a fall; its end is located to round-off of the time
    assert r.impacts[0].time == pytest.approx(np.sqrt(2 * h / 9.81), abs=1e-9)
    assert r["b.position.z"][-1] == pytest.approx(0.05, abs=1e-9)


def test_constant_steps_that_are_too_long_end_by_name() -> None:
    m = dt.Model("fall")
    m.ground.shapes.append(dt.Shape.box((1, 1, 0.005), position=(0, 0, -0.0025)))
    b = m.add_body("b", dt.Inertia.sphere(1.0, radius=0.05), position=(0, 0, 20.0), shapes=[dt.Shape.sphere(0.05)])
    m.add_joint("free", dt.Free(), m.ground, b)
    m.add_contact("plate", dt.RigidContact(), m.ground, b)
    with pytest.warns(dt.errors.SimulationWarning, match=r"pass through each other within one step of 0.02 s"):
        r = dt.simulate(m, 2.3, solver=dt.RK4(step=0.02))
    assert not r.ok
    assert r.reason_code == "contact-unsolved"
    assert r.t[-1] < 2.02  # before it comes near


def test_two_balls_that_springs_throw_at_each_other_meet() -> None:
    """Speeds of 50 m/s within a tenth of a second, from rest: they rebound with what Newton's law leaves them."""
    m = dt.Model("shot", gravity=(0, 0, 0))
    for name, x in (("left", -1.0), ("right", 1.0)):
        m.add_body(name, dt.Inertia.sphere(1.0, radius=0.01), position=(x, 0, 0), shapes=[dt.Shape.sphere(0.01)])
        m.add_joint(f"{name} slide", dt.Prismatic("x"), m.ground, name, at=(x, 0, 0))
        pull = f"-2500*({name}.position.x)"
        m.add_force(f"{name} spring", dt.AppliedForce(name, (pull, 0, 0)))
    m.add_contact("meet", dt.RigidContact(restitution=1.0), "left", "right")
    r = dt.simulate(m, 1.0, solver=dt.DOPRI5())
    assert r.ok
    # harmonic motions of 50 rad/s that meet 0.01 m before the middle, and go back: a half turn less twice asin(0.01)
    first, period = (np.pi / 2 - np.arcsin(0.01)) / 50, 2 * (np.pi / 2 - np.arcsin(0.01)) / 50
    expected = np.arange(first, 1.0, period)
    assert [each.time for each in r.impacts] == pytest.approx(expected, abs=1e-6)  # rtol 1e-8 of 16 half turns
