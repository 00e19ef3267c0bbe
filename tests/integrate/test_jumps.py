"""Jumps of the state at events: impacts, releases and switches, against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.dynamics.workspace import new_workspace
from duoti.examples import four_bar
from duoti.integrate import state as S
from duoti.kernel import entry, entry_address, unpack
from duoti.system.context import REAL_CONTEXT

G, HEIGHT, RESTITUTION = 9.81, 1.0, 0.8
FIRST = (2 * HEIGHT / G) ** 0.5  # time of the first bounce

SOLVERS = [
    dt.DOPRI5(), dt.RK4(step=0.01), dt.SemiImplicitEuler(step=1e-4), dt.Radau(), dt.Radau(step=0.03),
    dt.GeneralisedAlpha(), dt.GeneralisedAlpha(step=0.01), dt.Auto(),
]  # fmt: skip


def bounce(t, q, v, z):
    return q, -RESTITUTION * v, z


def ball(jump=bounce, **event):
    m = dt.Model("ball", gravity=(0, 0, -G))
    m.add_body("ball", dt.Inertia.sphere(2.0, 0.1))
    m.add_joint("fall", dt.Prismatic("z"), m.ground, "ball", q0=HEIGHT)
    m.add_event("floor", dt.Event("fall.position", direction="falling", jump=jump, **event))
    return m


def flight(t: float) -> tuple[float, float]:
    """Height and velocity of the ball at a time after the start."""
    begin, speed = -FIRST, G * FIRST  # as if it had been thrown up before
    while t >= begin + 2 * speed / G:
        begin, speed = begin + 2 * speed / G, RESTITUTION * speed
    return speed * (t - begin) - 0.5 * G * (t - begin) ** 2, speed - G * (t - begin)


@pytest.mark.parametrize("solver", SOLVERS, ids=repr)
def test_bouncing_ball(solver):
    """All these methods follow a parabola exactly but for semi-implicit Euler, whose error is h g t/2 per flight."""
    r = dt.simulate(ball(), 2.0, outputs=0.1, solver=solver)
    assert r.ok, r.reason
    expected = np.array([flight(t) for t in r.t])
    tolerance = 2e-3 if isinstance(solver, dt.SemiImplicitEuler) else 1e-10
    assert np.allclose(r["fall.position"], expected[:, 0], rtol=0, atol=tolerance)
    bounces = FIRST * np.array([1.0, 1 + 2 * RESTITUTION, 1 + 2 * RESTITUTION + 2 * RESTITUTION**2])
    assert np.allclose([e.t for e in r.events], bounces, rtol=0, atol=tolerance)
    energy = r.energy
    assert np.allclose(energy.residual, 0.0, atol=2.0 * G * HEIGHT * tolerance)
    lost = 2.0 * G * HEIGHT * (1 - RESTITUTION**6)
    assert energy.dissipated[-1] == pytest.approx(lost, abs=2.0 * G * tolerance)


def test_bouncing_ball_with_ida():
    pytest.importorskip("sksundae")
    r = dt.simulate(ball(), 2.0, outputs=0.1, solver=dt.IDA())
    assert r.ok, r.reason
    assert np.allclose(r["fall.position"], [flight(t)[0] for t in r.t], rtol=0, atol=1e-6)  # its tolerance
    assert np.allclose(r.energy.residual, 0.0, atol=2.0 * G * 1e-6)


@pytest.mark.parametrize(
    "solver", [dt.DOPRI5(), dt.RK4(step=0.05), dt.Radau(), dt.GeneralisedAlpha(step=0.05)], ids=repr
)
def test_outputs_before_and_after_a_jump(solver):
    """At the steps, and at an output time: the same time twice, first the state before, then the state after."""
    at_steps = dt.simulate(ball(), 0.6, outputs="steps", solver=solver)
    at_times = dt.simulate(ball(), 0.6, outputs=[0.0, 0.2, FIRST, 0.5, 0.6], solver=solver)
    for r in (at_steps, at_times):
        assert np.all(np.diff(r.t) >= 0)
        (k,) = np.flatnonzero(np.diff(r.t) == 0)
        assert r.t[k] == pytest.approx(FIRST, abs=1e-12)
        assert r["fall.velocity"][k] == pytest.approx(-G * FIRST, abs=1e-9)
        assert r["fall.velocity"][k + 1] == pytest.approx(RESTITUTION * G * FIRST, abs=1e-9)
    assert len(at_times.t) == 6
    elsewhere = dt.simulate(ball(), 0.6, outputs=[0.0, 0.2, 0.5, 0.6], solver=solver)
    assert elsewhere.t.tolist() == [0.0, 0.2, 0.5, 0.6]


def test_constant_steps_are_counted_from_the_jump():
    r = dt.simulate(ball(), 0.6, outputs="steps", solver=dt.RK4(step=0.05))
    after = r.t[r.t > r.events[0].t]
    assert np.allclose(after[:-1], r.events[0].t + 0.05 * np.arange(1, len(after)), rtol=0, atol=1e-15)
    assert r.t[-1] == 0.6


def test_a_switch_that_the_jump_does_not_turn_back():
    """An event in both directions whose function goes on after the jump happens once."""
    m = dt.Model("switch", gravity=(0, 0, 0))
    m.add_body("body", dt.Inertia.sphere(1.0, 0.1))
    m.add_joint("slide", dt.Prismatic("x"), m.ground, "body", v0=1.0)
    m.add_state("gear", "0*t", initial=1.0)
    m.add_event("shift", dt.Event("slide.position - 0.3", jump=lambda t, q, v, z: (q, v, 2 * z)))
    for solver in (dt.DOPRI5(), dt.Radau(), dt.GeneralisedAlpha(step=0.01)):
        r = dt.simulate(m, 1.0, outputs=0.25, solver=solver)
        assert [e.t for e in r.events] == pytest.approx([0.3], abs=1e-12)
        assert r["gear"].tolist() == [1.0, 1.0, 2.0, 2.0, 2.0]


def test_two_jumps_at_one_instant():
    """Two balls that land together: both bounce, whatever the round-off of their roots."""
    m = dt.Model("two balls", gravity=(0, 0, -G))
    for k, name in enumerate(("a", "b")):

        def up(t, q, v, z, k=k):
            v[k] = -RESTITUTION * v[k]
            return q, v, z

        m.add_body(name, dt.Inertia.sphere(1.0 + k, 0.1))
        m.add_joint(f"fall_{name}", dt.Prismatic("z"), m.ground, name, q0=HEIGHT)
        m.add_event(f"floor_{name}", dt.Event(f"fall_{name}.position*{1.0 + 0.7 * k}", direction="falling", jump=up))
    for solver in (dt.DOPRI5(), dt.RK4(step=0.013), dt.Radau()):
        r = dt.simulate(m, 1.0, outputs=0.1, solver=solver)
        assert r.ok, r.reason
        for name in ("a", "b"):
            assert np.allclose(r[f"fall_{name}.position"], [flight(t)[0] for t in r.t], rtol=0, atol=1e-9)


def test_bounces_without_end_are_said():
    """A ball that comes to rest: t = FIRST (1 + 2 e/(1 - e)) is the sum of the geometric series."""
    for solver in (dt.DOPRI5(), dt.Radau()):
        with pytest.warns(dt.errors.SimulationWarning, match="follow one another without end"):
            r = dt.simulate(ball(), 10.0, outputs=0.5, solver=solver)
        rest = FIRST * (1 + 2 * RESTITUTION / (1 - RESTITUTION))
        assert not r.ok
        assert r.t[-1] == pytest.approx(rest, abs=1e-6)


@pytest.mark.parametrize("solver", [dt.DOPRI5(), dt.Radau(), dt.GeneralisedAlpha(step=1e-3)], ids=repr)
def test_a_jump_that_brings_to_rest_where_its_event_is_ends_the_run(solver):
    """The ball is stopped on the ground and pulled through it again at once: said, instead of going on for ever."""
    m = ball(jump=lambda t, q, v, z: (q, 0 * v, z))
    with pytest.warns(dt.errors.SimulationWarning, match="follow one another without end"):
        r = dt.simulate(m, 1.0, outputs=0.1, solver=solver)
    assert not r.ok
    assert r.reason_code == "jumps-without-end"
    assert r.t[-1] == pytest.approx(FIRST, abs=0.05)


def test_a_terminal_event_at_the_same_time_ends_the_run():
    m = ball()
    m.add_event("end", dt.Event("fall.position", terminal=True))
    r = dt.simulate(m, 1.0, outputs=0.1)
    assert r.reason.startswith('event "end"')
    assert r["fall.velocity"][-1] == pytest.approx(-G * FIRST)


def test_a_compiled_jump():
    """An entry of the system in place of a Python function, for the kernels of contact to come."""

    @entry
    def turn_back(context):
        _, _, _, w = unpack(context, REAL_CONTEXT)
        w.y[3] += 0.5 * 2.0 * (1 - RESTITUTION**2) * w.y[1] ** 2
        w.y[1] = -RESTITUTION * w.y[1]

    system = dt.compile(ball())
    for solver in (dt.DOPRI5(), dt.Radau()):
        work = new_workspace(system, ydot=True)
        work.calls[0].jump = entry_address(turn_back)
        loop = solver.loop(system, np.array([2.0]), work)
        clock = loop.run.clock[0]
        clock.t_end, clock.h_max, clock.rtol, clock.atol = 2.0, np.inf, 1e-8, 1e-10
        loop.run.y[0] = HEIGHT
        loop.start(0.0)
        assert loop.advance(10**6) == S.END
        assert loop.run.y[:2] == pytest.approx(flight(2.0), abs=1e-9)
        assert loop.run.y[3] == pytest.approx(2.0 * G * HEIGHT * (1 - RESTITUTION**6), abs=1e-8)


def struck(jump):
    m = four_bar.build()
    m.add_event("blow", dt.Event("t - 0.1", jump=jump))
    return m


@pytest.mark.parametrize("solver", [dt.DOPRI5(), dt.Radau()], ids=repr)
def test_a_blow_on_a_closed_loop(solver):
    """Rates that do not fit together are brought onto the loop by its impulses, and the balance of energy closes."""

    def half(t, q, v, z):
        v[0] *= 0.5
        return q, v, z

    r = dt.simulate(struck(half), 0.2, outputs=0.05, solver=solver, rtol=1e-9, atol=1e-11)
    assert r.ok, r.reason
    assert r.energy.dissipated[-1] > 0.0
    scale = float(np.max(np.abs(r.energy.total))) + 1.0
    assert np.max(np.abs(r.energy.residual)) < 1e-6 * scale


def test_a_jump_that_opens_a_loop_is_refused():
    def torn(t, q, v, z):
        q[0] += 0.1
        return q, v, z

    with pytest.raises(dt.ModelError, match=r'the jump of event "blow" at t = 0.1 s opens joint "\w+"'):
        dt.simulate(struck(torn), 0.2, outputs=0.1)


@pytest.mark.parametrize(
    ("jump", "message"),
    [
        (
            lambda t, q, v, z: None,
            r'event "floor": its jump at t = 0.45\d+ s returned None; it must return \(q, v, z\)',
        ),
        (lambda t, q, v, z: (q, v), r"returned arrays of shapes"),
        (lambda t, q, v, z: (q, v * np.nan, z), "not finite"),
    ],
)
def test_wrong_jumps(jump, message):
    with pytest.raises(ValueError, match=message):
        dt.simulate(ball(jump), 1.0, outputs=0.1)


def test_faults_and_files(tmp_path):
    with pytest.raises(dt.ModelError, match="its jump would have no effect"):
        dt.compile(ball(terminal=True))
    with pytest.raises(dt.ModelError, match="jump is 3; it is a function"):
        dt.compile(ball(jump=3))
    with pytest.raises(ValueError, match="its jump is a Python function, which no file can hold"):
        ball().save(tmp_path / "ball.yaml")
    whole = dt.Model("whole")
    with pytest.raises(ValueError, match='event "floor" of the sub-model has a jump'):
        whole.add_submodel("part", ball())


def test_resume_after_a_jump(tmp_path):
    """A run in a file, made longer after jumps, at constant steps that do not meet its first end."""
    path = tmp_path / "ball.h5"
    dt.simulate(ball(), 0.62, outputs=0.1, solver=dt.RK4(step=0.05), out=path)
    r = dt.resume(path, ball(), duration=1.0)
    assert r.ok, r.reason
    assert np.allclose(r["fall.position"], [flight(t)[0] for t in r.t], rtol=0, atol=1e-10)
