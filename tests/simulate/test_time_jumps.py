"""Laws that jump at known times: no step goes across, so that the run is as exact as its tolerances."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.simulate.time_jumps import next_jump

W = 5.0  # rad/s
TIGHT = {"rtol": 1e-8, "atol": 1e-10}


def oscillator(law, **options) -> dt.Model:
    """x'' = -W² x + F(t)/2 from rest."""
    m = dt.Model("oscillator", gravity=(0, 0, 0), **options)
    m.add_body("b", dt.Inertia.point(2.0))
    m.add_joint("A", dt.Prismatic("x"), m.ground, "b")
    m.add_force("f", dt.JointTorque("A", law))
    m.add_force("s", dt.JointSpring("A", stiffness=2.0 * W * W))
    return m


def closed_form(t, times, forces):
    """Position under a force that is constant between the times."""
    edges, x, v, found = [0.0, *times, np.inf], 0.0, 0.0, np.zeros(len(t))
    for a, b, force in zip(edges[:-1], edges[1:], forces, strict=True):
        rest, here = force / (2.0 * W * W), (t >= a) & (t <= b)
        found[here] = rest + (x - rest) * np.cos(W * (t[here] - a)) + v / W * np.sin(W * (t[here] - a))
        if np.isfinite(b):
            c, s = np.cos(W * (b - a)), np.sin(W * (b - a))
            x, v = rest + (x - rest) * c + v / W * s, v * c - (x - rest) * W * s
    return found


SQUARE = [0.25 * k for k in range(1, 8)]
CASES = {
    "10*(t > 0.5)": ([0.5], [0, 10]),
    "10*(t >= 0.5) - 4*(t > 0.7001)": ([0.5, 0.7001], [0, 10, 6]),
    "if(t < T, 3, -2)": ([0.33], [3, -2]),
    "if(2*t - 1 > T, 3, -2)": ([0.665], [-2, 3]),
    "5*sign(cos(4*pi*t - pi/2))": (SQUARE, [5, -5] * 4),
    "if(sin(4*pi*t) > 0, 5, -5)": (SQUARE, [5, -5] * 4),
    "floor(t/0.3)": ([0.3 * k for k in range(1, 7)], range(7)),
    "10*(mod(t, 0.8) < 0.4)": ([0.4, 0.8, 1.2, 1.6], [10, 0, 10, 0, 10]),
    "held(t)": ([0.3, 0.9], [1, 5, -2]),
    "again(t)": ([0.3, 0.9, 1.2, 1.8], [1, 5, 1, 5, 1]),
}


def case(law: str) -> dt.Model:
    m = oscillator(law, parameters={"T": 0.33} if "T" in law else {})
    if law == "held(t)":
        m.add_table("held", [0, 0.3, 0.9], [1.0, 5.0, -2.0], "previous", "hold")
    if law == "again(t)":
        m.add_table("again", [0, 0.3, 0.9], [1.0, 5.0, 1.0], "previous", "repeat")
    return m


# The tolerances bound the error of each of some 200 steps, atol + rtol |x| = 4e-9 at most, which do not all add up; a
# step across a jump was wrong by 3e-6. Constant steps: (W h)^4/120 times the turn of 10 rad and 0.4 m, 2e-11 at most.
NEAR = 1e-8


@pytest.mark.parametrize("law", CASES)
def test_the_closed_form(law):
    m = case(law)
    for solver, near in ((dt.DOPRI5(**TIGHT), NEAR), (dt.RK4(step=1e-3), 2e-11), (dt.Radau(**TIGHT), NEAR)):
        r = dt.simulate(m, 2.0, outputs=0.05, solver=solver)
        error = np.max(np.abs(r["A.position"] - closed_form(r.t, *CASES[law])))
        assert error < near, (solver, error)
        assert len(r.t) == 41  # and no outputs but those that were wanted


@pytest.mark.parametrize("law", ["10*(t > 0.5)", "10*(t > 0.53)"])
def test_beside_samples_and_events(law):
    """Jumps at samples, between them, and with an event that the jump itself could cause."""
    m = oscillator(law)
    m.add_controller("c", lambda x: 0.0 * x, ["A.position"], {"u": 0.0}, period=0.1)
    m.add_event("turns", dt.Event("A.velocity", direction="falling"))
    m.add_event("moves", dt.Event(f"{law} - 5"))
    r = dt.simulate(m, 2.0, outputs=0.05, **TIGHT)
    start = 0.5 if "0.5)" in law else 0.53
    assert np.max(np.abs(r["A.position"] - closed_form(r.t, [start], [0, 10]))) < NEAR
    found = {name: [e.t for e in r.events if e.name == name] for name in ("turns", "moves")}
    assert found["moves"] == pytest.approx([start], abs=1e-9)
    assert found["turns"] == pytest.approx([start + np.pi / W], abs=1e-6)


def test_parameters_move_the_jump():
    system = dt.compile(case("if(t < T, 3, -2)"))
    r = dt.simulate(system.with_parameters(T=0.6), 2.0, outputs=0.05, **TIGHT)
    assert np.max(np.abs(r["A.position"] - closed_form(r.t, [0.6], [3, -2]))) < NEAR
    b = dt.simulate_batch(system, 2.0, {"T": [0.33, 0.6]}, outputs=0.05, solver=dt.DOPRI5(**TIGHT))
    one = dt.simulate(system.with_parameters(T=0.6), 2.0, outputs=0.05, solver=dt.DOPRI5(**TIGHT))
    np.testing.assert_array_equal(b["A.position"][1], one["A.position"])
    assert any("jump at known times" in note for note in b.notes)


def test_runs_that_start_behind_or_end_before_a_jump(tmp_path):
    m = case("10*(t > 0.5)")
    assert next_jump(dt.compile(m))(0.0) == 0.5
    assert next_jump(dt.compile(m))(0.5) == np.inf
    before = dt.simulate(m, 0.5, outputs=0.1)
    assert before.t[-1] == 0.5
    assert np.all(before["A.position"] == 0.0)
    after = dt.simulate(m, 1.0, outputs=0.1, t=0.5, **TIGHT)
    assert np.max(np.abs(after["A.position"] - closed_form(after.t - 0.5, [], [10]))) < NEAR
    whole = dt.simulate(m, 1.0, outputs=0.1, out=tmp_path / "r.h5", progress=False)
    np.testing.assert_array_equal(dt.open_result(tmp_path / "r.h5")["A.position"], whole["A.position"])


def test_laws_without_jumps_have_no_times():
    for law in ("10*sin(t)", "10*step(t, 0, 0, 1, 5)", "-3*q*(q > 0.1)", "max(t, 0.5)", "abs(t - 1)"):
        assert next_jump(dt.compile(oscillator(law))) is None
