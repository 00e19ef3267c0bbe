"""Controllers and jumps whose functions fail: named, with the time, and the results up to there are kept."""

import numpy as np
import pytest

import duoti as dt


def slider():
    m = dt.Model("slider", gravity=(0, 0, 0))
    m.add_body("cart", dt.Inertia.sphere(1.0, 0.1))
    m.add_joint("rail", dt.Prismatic("x"), m.ground, "cart", v0=1.0)
    m.add_force("motor", dt.JointTorque("rail", "u"))
    return m


def with_controller(function, period=0.1):
    m = slider()
    m.add_controller("pid", function, ("t", "rail.position"), {"u": 0.0}, period=period)
    return m


def raising(t, x):
    if t > 0.35:
        raise RuntimeError("sensor lost")
    return 0.0


@pytest.mark.parametrize("solver", [None, dt.RK4(step=0.01), dt.Radau()], ids=repr)
def test_a_controller_that_raises_keeps_the_results(solver):
    with pytest.warns(dt.errors.SimulationWarning, match="sensor lost"):
        r = dt.simulate(with_controller(raising), 1.0, outputs=0.01, solver=solver)
    assert not r.ok
    assert r.reason_code == "not-finite"
    assert r.reason == 'controller "pid" failed at t = 0.4 s: its function raised RuntimeError: sensor lost'
    assert isinstance(r.error, RuntimeError)
    assert r.t[-1] == pytest.approx(0.4)
    np.testing.assert_allclose(r["rail.position"], r.t, atol=1e-12)


def test_a_controller_that_raises_at_the_start():
    def never(t, x):
        raise RuntimeError("no sensor")

    with pytest.warns(dt.errors.SimulationWarning, match='controller "pid" failed at t = 0 s'):
        r = dt.simulate(with_controller(never), 1.0)
    assert not r.ok
    assert isinstance(r.error, RuntimeError)
    assert r.t.tolist() == [0.0]


@pytest.mark.parametrize(
    ("function", "message"),
    [(lambda t, x: np.nan, "it would set u to"), (lambda t, x: (1.0, 2.0), "its function raised")],
)
def test_a_controller_that_returns_nonsense(function, message):
    with pytest.warns(dt.errors.SimulationWarning, match=f'controller "pid" failed at t = 0 s: {message}'):
        r = dt.simulate(with_controller(function), 1.0)
    assert not r.ok


def test_a_jump_that_raises_keeps_the_results():
    def broken(t, q, v, z):
        raise KeyError("plan")

    m = slider()
    m.add_state("u", 0.0)
    m.add_event("post", dt.Event("rail.position - 0.5", jump=broken))
    with pytest.warns(
        dt.errors.SimulationWarning, match='event "post" failed at t = 0.5 s: its function raised KeyError'
    ):
        r = dt.simulate(m, 1.0, outputs=0.1)
    assert not r.ok
    assert isinstance(r.error, KeyError)
    np.testing.assert_allclose(r.t, np.arange(6) * 0.1, atol=1e-12)


def test_a_failed_run_to_a_file_keeps_its_results(tmp_path):
    with pytest.warns(dt.errors.SimulationWarning, match="sensor lost"):
        dt.simulate(with_controller(raising), 1.0, outputs=0.01, out=tmp_path / "run.h5")
    r = dt.open_result(tmp_path / "run.h5", with_controller(raising))
    assert not r.ok
    assert r.t[-1] == pytest.approx(0.4)


def test_an_interrupt_in_a_controller_is_one():
    def interrupted(t, x):
        if t > 0.35:
            raise KeyboardInterrupt
        return 0.0

    r = dt.simulate(with_controller(interrupted), 1.0)
    assert not r.ok
    assert r.reason_code == "interrupted"


def test_contacts_without_a_motion_are_named(monkeypatch):
    """Wherever it is found that no contact forces fit, the run ends with its results and a message."""
    from duoti.contact.event_driven import engine

    m, shape = dt.Model("box"), dt.Shape.box((0.2, 0.2, 0.2))
    m.ground.shapes.append(dt.Shape.plane())
    m.add_body("box", dt.Inertia.box(1.0, size=(0.2, 0.2, 0.2)), position=(0, 0, 0.5), shapes=[shape])
    m.add_joint("free", dt.Free(), m.ground, "box")
    m.add_contact("floor", dt.RigidContact(friction=0.3), m.ground, "box")

    def raise_it(self, t, y, paradox):
        raise paradox

    monkeypatch.setattr(engine, "find_contact_states", lambda problem: None)
    monkeypatch.setattr(engine.ContactEngine, "_jam", raise_it)
    with pytest.warns(dt.errors.SimulationWarning, match=r'no motion obeys .* at t = .*"floor".*contact_problem'):
        r = dt.simulate(m, 1.0, solver=dt.DOPRI5())
    assert not r.ok
    assert r.reason_code == "contact-unsolved"
    assert len(r.t) > 10
