"""Functions of the user's inside the compiled loop: interrupted, raising, of the wrong shape."""

import os
import signal
import sys

import numba
import numpy as np
import pytest

import duoti as dt

UNIX = pytest.mark.skipif(os.name == "nt", reason="signals to one process only exist on POSIX systems")


def slider(law=None, **more) -> dt.Model:
    """A block of 1 kg on a rail without friction, pushed by a law."""
    m = dt.Model("slide", gravity=(0, 0, 0))
    m.add_body("block", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_joint("rail", dt.Prismatic("x"), m.ground, "block")
    if law is not None:
        m.add_force("push", dt.JointTorque("rail", law))
    for name, force in more.items():
        m.add_force(name, force)
    return m


class Alarm:
    """Sends SIGALRM, whose handler is given, again and again; first so many seconds after a law has called it."""

    def __init__(self, handler, seconds=0.02):
        self.handler, self.seconds, self.ready = handler, seconds, True

    def __enter__(self):
        self.before = signal.signal(signal.SIGALRM, self.handler)
        return self

    def __call__(self, t):
        if t > 0.1 and self.ready:  # the run is on its way
            self.ready = False
            signal.setitimer(signal.ITIMER_REAL, self.seconds, 0.003)

    def __exit__(self, *_):
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, self.before)


@pytest.mark.full
@UNIX
@pytest.mark.parametrize("solver", [dt.RK4(step=1e-4), dt.DOP853(max_step=1e-3), dt.GeneralisedAlpha(step=1e-3)])
def test_ctrl_c_during_a_python_law(solver):
    """Wherever in the callback it arrives, the run ends as interrupted, and what there is of it is right."""
    alarms = [lambda t: None]

    def law(t):
        alarms[-1](t)
        return np.cos(t)

    system = dt.compile(slider(law))
    dt.simulate(system, 0.01, solver=solver)
    ends = []
    for i in range(15):
        # one Ctrl-C: the timer's handler raises once and then does nothing
        left = [1]

        def handler(number, frame, left=left):
            if left and left.pop():
                raise KeyboardInterrupt

        with Alarm(handler, 0.02 + 0.0013 * i) as alarm:
            alarms.append(alarm)
            r = dt.simulate(system, 1e4, outputs=0.01, solver=solver)
        assert (r.status, r.ok) == ("interrupted", False)
        ends.append(r.t[-1])
        np.testing.assert_allclose(r["rail.position"], 1 - np.cos(r.t), atol=2e-6 * (1 + r.t[-1]))
    assert max(ends) < 1e4


@UNIX
def test_handlers_of_other_signals_are_not_lost():
    """Each signal that came is counted, and the motion is that without signals."""
    alarms = [lambda t: None]

    def law(t):
        alarms[-1](t)
        return np.cos(t)

    system = dt.compile(slider(law))
    alone = dt.simulate(system, 1.0, solver=dt.RK4(step=1e-3))
    count = []
    for _ in range(10):
        before = len(count)
        with Alarm(lambda number, frame: count.append(1), 0.0002) as alarm:
            alarms.append(alarm)
            r = dt.simulate(system, 1.0, solver=dt.RK4(step=1e-3))
        assert r.ok
        assert np.array_equal(r.q, alone.q)
        assert len(count) > before


@UNIX
def test_what_a_handler_raises_leaves_simulate():
    def handler(number, frame):
        raise TimeoutError("enough")

    with pytest.raises(TimeoutError, match="enough"), Alarm(handler) as alarm:
        dt.simulate(slider(lambda t: alarm(t) or 1.0), 1e4, solver=dt.RK4(step=1e-3))


@UNIX
def test_a_law_that_never_returns_can_be_stopped():
    def law(t):
        while t > 0.5:
            alarm(t)
        return 1.0

    left = [1]

    def handler(number, frame):
        if left:
            left.pop()
            raise KeyboardInterrupt

    with Alarm(handler, 0.1) as alarm:
        r = dt.simulate(slider(law), 1.0, outputs=0.1)
    assert r.status == "interrupted"
    np.testing.assert_allclose(r["rail.position"], r.t**2 / 2, atol=1e-12)
    assert signal.getsignal(signal.SIGALRM) is not handler


@UNIX
def test_ctrl_c_while_a_run_begins():
    """A law that hangs at the first instant."""
    left = [1]

    def handler(number, frame):
        if left:
            left.pop()
            raise KeyboardInterrupt

    def law(t):
        while left:
            alarm(1.0)
        return 1.0

    with Alarm(handler, 0.05) as alarm, pytest.raises(KeyboardInterrupt):
        dt.simulate(slider(law), 1.0)
    assert dt.simulate(slider(law), 1.0).ok  # nothing is left of it


def test_an_exception_that_escapes_from_the_callback_is_not_lost():
    """At its first instruction, or where there is no room to note what was raised: the output stays undefined."""

    class Escaping(list):
        def append(self, item):
            if isinstance(item[1], ZeroDivisionError):
                raise MemoryError
            super().append(item)

    system = dt.compile(slider(lambda t: 1.0 if t < 0.5 else 1 / 0, other=dt.JointTorque("rail", lambda t: 0.0)))
    system.callbacks.errors = Escaping()
    before = sys.unraisablehook
    with pytest.warns(dt.errors.SimulationWarning, match='in force "push".*MemoryError'):
        r = dt.simulate(system, 1.0, outputs=0.1)
    assert isinstance(r.error, MemoryError)
    np.testing.assert_allclose(r["rail.position"], r.t**2 / 2, atol=1e-12)
    assert sys.unraisablehook is before


def test_a_law_that_fails_where_only_outputs_are_computed():
    """DOP853 evaluates the forces at a tenth of a step for its outputs alone (Hairer, Norsett & Wanner 1993, II.10)."""

    def law(t):
        return 1 / (t < 0.5 or abs(t / 0.02 % 1 - 0.1) > 1e-6)

    with pytest.warns(dt.errors.SimulationWarning, match='in force "push".*ZeroDivisionError'):
        r = dt.simulate(slider(law), 1.0, outputs=0.005, solver=dt.DOP853(first_step=0.02, max_step=0.02))
    assert not r.ok
    assert r.t[-1] == pytest.approx(0.5, abs=1e-12)
    np.testing.assert_allclose(r["rail.position"], r.t**2 / 2, atol=1e-12)


# ------------------------------------------------------------------------------------------------------------- Numba


@numba.njit
def raises_late(t):
    if t > 0.5:
        raise ValueError("too late")
    return 1.0


@pytest.mark.parametrize("solver", [None, dt.DOP853(), dt.RK4(step=0.01), dt.Radau(), dt.GeneralisedAlpha()])
def test_a_numba_law_that_raises_ends_the_run(solver, capfd):
    m = slider(raises_late, other=dt.JointTorque("rail", numba.njit(lambda t: 3.0)))
    with pytest.warns(dt.errors.SimulationWarning, match='force "push".*ValueError: too late'):
        r = dt.simulate(m, 1.0, outputs=0.1, solver=solver)
    assert not r.ok
    assert 0.3 < r.t[-1] <= 0.5
    assert np.all(np.isfinite(r.q))
    np.testing.assert_allclose(r["rail.position"], 2 * r.t**2, atol=1e-5)
    assert isinstance(r.error, ValueError)
    assert "Exception ignored" not in capfd.readouterr().err


def test_a_numba_law_of_the_wrong_shape_is_refused():
    two = numba.njit(lambda t: (1.0, 2.0))
    matrix = numba.njit(lambda t: np.zeros((3, 3)))
    text = numba.njit(lambda t: "a")
    three = numba.njit(lambda t: (1.0, 2.0, 3.0))
    m = slider(three)
    for name, law in (("two", two), ("matrix", matrix), ("text", text), ("one", numba.njit(lambda t: 1.0))):
        m.add_force(name, dt.AppliedForce("block", law))
    m.add_force("right", dt.AppliedForce("block", three))
    m.add_event("odd", dt.Event(two))
    m.add_force("untyped", dt.JointTorque("rail", numba.njit(lambda t: t.nothing)))
    report = dt.check(m)
    assert {f.element.name for f in report.errors} == {"push", "two", "matrix", "text", "one", "odd", "untyped"}
    assert {f.code for f in report.errors} == {"bad-law"}
    assert "3 numbers" in str(report)
    with pytest.raises(dt.ModelError):
        dt.compile(m)


def test_a_numba_law_that_returns_too_short_an_array():
    m = slider()
    m.add_force("wind", dt.AppliedForce("block", numba.njit(lambda t: np.ones(2 if t > 0.5 else 3))))
    with pytest.warns(dt.errors.SimulationWarning, match='force "wind".*must return 3 numbers'):
        r = dt.simulate(m, 1.0, outputs=0.1)
    assert not r.ok
    np.testing.assert_allclose(r["rail.position"], r.t**2 / 2, atol=1e-12)


# ------------------------------------------------------------------------------------------------------------ events


@pytest.mark.parametrize(
    "value", [numba.njit(lambda t: 0.25 - t if t < 0.2 else np.nan), "sqrt(0.2 - t) + 1", lambda t: 1 / (t < 0.2)]
)
def test_an_undefined_event_function_ends_the_run(value):
    """It might hide the event."""
    m = slider("1")
    m.add_event("stop", dt.Event(value, terminal=True))
    with pytest.warns(dt.errors.SimulationWarning, match='event "stop"'):
        r = dt.simulate(m, 1.0, outputs=0.05, solver=dt.DOPRI5(max_step=0.02))
    assert not r.ok
    assert r.t[-1] == pytest.approx(0.2, abs=0.021)
    np.testing.assert_allclose(r["rail.position"], r.t**2 / 2, atol=1e-12)
