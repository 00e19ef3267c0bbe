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


def ram(rest: float = 0.5, width: float = 1e-3, plane: bool = False) -> dt.Model:
    """A ram that jumps forward by 50 mm and back within 2 ms; a ball (or a plane) is 20 mm before it."""
    m = dt.Model("ram", gravity=(0, 0, 0))
    body = m.add_body("ram", dt.Inertia.box(1.0, (0.1, 0.1, 0.1)))
    ball = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.05), position=(0.12, 0, 0))
    m.add_joint("slide", dt.Prismatic("x"), m.ground, body)
    m.add_joint("free", dt.Free(), m.ground, ball)
    m.add_constraint("drive", dt.JointMotion("slide", f"0.05*exp(-((t - {rest})/{width})^2)"))
    if plane:
        shapes = (dt.Shape.plane(rotation=dt.Rotation.about("y", np.pi / 2)), dt.Shape.sphere(0.05))
        m.add_contact("hit", dt.RigidContact(restitution=1.0), body, ball, shapes=shapes)
    else:
        m.add_contact("hit", dt.RigidContact(restitution=1.0), body, ball)
    return m


@pytest.mark.parametrize("outputs", [0.5, 0.0005])
@pytest.mark.parametrize("plane", [False, True])
def test_a_short_pulse_of_a_drive_is_not_missed(outputs: float, plane: bool) -> None:
    """0.05 exp(-s^2) = gap at s = -sqrt(ln(0.05 / gap)), with the velocity 2 gap |s| / width; e = 1 doubles it."""
    gap, width = (0.07, 1e-3) if plane else (0.02, 1e-3)
    m = ram(plane=plane)
    if plane:
        m.constraints["drive"].value = "0.1*exp(-((t - 0.5)/1e-3)^2)"
    s = np.sqrt(np.log((0.1 if plane else 0.05) / gap))
    r = dt.simulate(m, 1.0, outputs=outputs)
    assert r.ok, r.reason
    (impact,) = r.impacts
    assert impact.time == pytest.approx(0.5 - width * s, abs=1e-9)  # rtol 1e-8 of a ms, and of the root
    assert r["ball.velocity.x"][-1] == pytest.approx(2.0 * 2.0 * gap * s / width, rel=1e-6)


def test_a_drive_of_a_rate_and_of_a_marker() -> None:
    """The same pulse prescribed as a velocity of the joint, and as a position of the body."""
    pulse = "0.05*exp(-((t - 0.5)/1e-3)^2)"
    rate = f"-2*(t - 0.5)/1e-6*{pulse}"
    for drive in (dt.JointMotion("slide", velocity=rate), dt.MarkerMotion("ram", (pulse, None, None))):
        m = ram()
        m.constraints.clear()
        m.add_constraint("drive", drive)
        r = dt.simulate(m, 1.0, outputs=0.1)
        assert r.ok, r.reason
        assert r["ball.velocity.x"][-1] == pytest.approx(4.0 * 0.02 * np.sqrt(np.log(2.5)) / 1e-3, rel=1e-5)


def test_constant_steps_over_a_pulse_are_refused() -> None:
    with pytest.warns(dt.errors.SimulationWarning, match="pass through each other within one step"):
        r = dt.simulate(ram(), 1.0, outputs=0.1, solver=dt.RK4(step=0.01))
    assert not r.ok


def test_outputs_that_overlap_are_not_ok(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pulse that is stepped over all the same, in the range of outputs that are not all kept as samples."""
    monkeypatch.setattr("duoti.analyses.simulate.simulate.drive_bends", lambda *_: None)
    choice = dt.DOPRI5()
    with pytest.warns(dt.errors.SimulationWarning, match='"hit" is closed by 0.03'):
        r = dt.simulate(ram(), 1.0, outputs=0.0005, solver=choice)
    assert r["hit.gap"].min() == pytest.approx(-0.03, abs=1e-6)
    assert not r.ok
    assert r.reason_code == "contact-unsolved"
