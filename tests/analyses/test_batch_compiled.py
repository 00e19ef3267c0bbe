"""Batches in compiled code: which ones, and that each run is that of `simulate`, bit for bit, failures included."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from test_batch import bouncing_ball, cart_pole, four_bar, jumping, pendulum, python_law, stiff, stopped

import duoti as dt
from duoti.analyses.batch.result import selected
from duoti.analyses.batch.run_numbers import RunNumbers
from duoti.system.number_pool import NumberPool
from duoti.system.setter import arrays_of


def driven() -> dt.Model:
    """Constants of laws, a first-order state, a weld, and a mass that is not that of a shape."""
    m = dt.Model("driven", parameters={"k": 40.0, "c": 0.5})
    arm = m.add_body("arm", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    tool = m.add_body("tool", dt.Inertia(0.3, (0.1, 0, 0), np.diag([0.01, 0.02, 0.02])), position=(0.9, 0, 0.1))
    m.add_joint("A", dt.Revolute("y"), m.ground, arm, at=(0, 0, 0), q0=0.2)
    m.add_joint("W", dt.Fixed(), arm, tool)
    m.add_force("drive", dt.JointTorque("A", "-k*q - c*v + 3*sin(2*t)"))
    m.add_state("z", "A.angle - z", initial=0.1)
    return m


def spinning() -> dt.Model:
    """A free body: quaternions in the initial values."""
    m = dt.Model("spinning", gravity=(0, 0, 0))
    body = m.add_body("body", dt.Inertia.box(2.0, size=(0.3, 0.2, 0.1)))
    m.add_joint("J", dt.Free(), m.ground, body, v0=[0.1, 3.0, 0.0, 0.0, 0.0, 0.5])
    return m


def switched() -> dt.Model:
    """Events that set states: where the angle vanishes, and at a given time."""
    m = pendulum()
    m.parameters["due"] = 0.12
    m.add_state("count", 0.0, initial=0.0)
    m.add_state("gain", 0.0, initial=0.0)
    m.add_event("passes", dt.Event("A.angle", sets={"count": "count + 1"}))
    m.add_event("switch", dt.Event("t - due", direction="rising", sets={"gain": "0.5 + 0.1*count"}))
    m.add_force("motor", dt.JointTorque("A", "gain"))
    return m


def limited() -> dt.Model:
    """Two joints that swing into compliant stops again and again."""
    m = cart_pole()
    m.joints["hinge"].limits, m.joints["rail"].limits = (-0.3, 0.4), (-0.05, 0.05)
    m.add_force("stop", dt.JointStop("hinge", stiffness=200.0, damping=0.5))
    m.add_force("buffer", dt.JointStop("rail", stiffness=500.0))
    return m


def slider() -> dt.Model:
    """A four-bar whose coupler carries a spring to ground: lengths change the loop and the spring."""
    m = four_bar()
    m.add_marker("eye", "rod", position=(0, 0, 0.1))
    m.add_force("spring", dt.SpringDamper("ground", "eye", stiffness=20.0, damping=0.5, rest_length=0.2))
    return m


N = 9
CASES = {
    "masses": (driven, {"arm.mass": np.linspace(0.5, 2, N), "tool.mass": np.linspace(0.1, 1, N)}, {}),
    "constants": (driven, {"k": np.linspace(10, 90, N), "c": np.linspace(0, 1, N), "z.initial": np.ones(N)}, {}),
    "moments": (driven, {"tool.inertia.yy": np.linspace(0.015, 0.02, N), "arm.com.x": np.linspace(0, 0.1, N)}, {}),
    "quaternion": (spinning, {"J.v0[1]": np.linspace(-3, 3, N), "body.mass": np.linspace(1, 4, N)}, {}),
    "gravity": (cart_pole, {"gravity": np.random.default_rng(0).normal(size=(N, 3))}, {"solver": dt.DOP853()}),
    "coarse": (cart_pole, {"hinge.v0": np.linspace(0, 9, N)}, {"solver": dt.DOPRI5(rtol=1e-3, atol=1e-4)}),
    "verlet": (cart_pole, {"hinge.q0": np.linspace(0, 1, N)}, {"solver": dt.Verlet(step=0.004)}),
    "euler": (cart_pole, {"hinge.q0": np.linspace(0, 1, N)}, {"solver": dt.SemiImplicitEuler(step=0.004)}),
    "loop": (four_bar, {"A.v0": np.linspace(-8, 8, N), "rod.mass": np.linspace(0.5, 2, N)}, {}),
    "loop, coarse": (four_bar, {"rod.mass": np.linspace(0.5, 2, N)}, {"solver": dt.DOPRI5(rtol=1e-4, atol=1e-6)}),
    "length in a loop": (slider, {"B.at.z": np.linspace(0.19, 0.21, N), "rod.mass": np.linspace(0.5, 2, N)}, {}),
    "marker in a loop": (slider, {"eye.position": np.random.default_rng(1).normal(size=(N, 3)) * 0.1}, {}),
    "length": (pendulum, {"A.at.z": np.linspace(-0.1, 0.1, N), "tip.position.x": np.linspace(0, 0.1, N)}, {}),
    "sets": (switched, {"A.q0": np.linspace(-0.6, 0.6, N), "A.v0": np.linspace(-2, 1, N)}, {}),
    "stops": (limited, {"hinge.v0": np.linspace(-6, 6, N), "stop.stiffness": np.linspace(100, 900, N)}, {}),
    "stops, RK4": (limited, {"hinge.v0": np.linspace(-6, 6, N)}, {"solver": dt.RK4(step=1e-3)}),
    "Radau": (stiff, {"s.stiffness": np.geomspace(1e3, 1e6, N)}, {"solver": dt.Radau()}),
    "Radau, loop": (four_bar, {"rod.mass": np.linspace(0.5, 2, N)}, {"solver": dt.Radau(rtol=1e-6, atol=1e-8)}),
    "Radau, stops": (limited, {"hinge.v0": np.linspace(-6, 6, N)}, {"solver": dt.Radau(rtol=1e-6, atol=1e-8)}),
    "Rodas": (stiff, {"s.stiffness": np.geomspace(1e3, 1e6, N)}, {"solver": dt.Rodas()}),
    "alpha": (stiff, {"s.stiffness": np.geomspace(1e3, 1e6, N)}, {"solver": dt.GeneralisedAlpha()}),
    "alpha, loop": (slider, {"B.at.z": np.linspace(0.19, 0.21, N)}, {"solver": dt.GeneralisedAlpha(step=2e-3)}),
    "first step": (pendulum, {"A.q0": np.linspace(0, 1, N)}, {"solver": dt.DOPRI5(first_step=1e-3, max_step=0.02)}),
}


@pytest.mark.parametrize("case", CASES)
def test_bits_of_simulate_for_any_number_of_workers_in_any_order(case: str) -> None:
    build, parameters, options = CASES[case]
    system = dt.compile(build())
    b = dt.simulate_batch(system, 1.0, parameters, outputs=0.05, workers=1, **options)
    assert not [note for note in b.notes if "Python" in note]
    assert b.ok.all(), b.reason
    for k in range(N):
        values = {name: each[k] for name, each in parameters.items()}
        r = dt.simulate(system.with_parameters(values), 1.0, outputs=0.05, solver=b.solver)
        last = selected(r.t, b.t)  # of two outputs at a jump
        np.testing.assert_array_equal(b.states[k], r.states[last], err_msg=str(k))
        np.testing.assert_array_equal(np.asarray(b.result(k).record), np.asarray(r.record), err_msg=str(k))
        assert (b.steps[k], b.rejected[k], b.evaluations[k]) == (
            r.stats.steps, r.stats.rejected, r.stats.evaluations,
        )  # fmt: skip
        assert b.reason[k] == r.reason
    order = np.random.default_rng(1).permutation(N)
    mixed = {name: each[order] for name, each in parameters.items()}
    other = dt.simulate_batch(system, 1.0, mixed, outputs=0.05, workers=2, **options)
    np.testing.assert_array_equal(other.states, b.states[order])


def compliant() -> dt.Model:
    """A ball on a compliant floor; an event that only records, and one that ends some of the runs."""
    m = dt.Model("ball")
    ball = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.5))
    m.add_joint("J", dt.Free(), m.ground, ball, at=(0, 0, 0.5))
    law = dt.CompliantContact(stiffness=1e4, damping=20.0, friction=0.3)
    m.add_contact("floor", law, m.ground, ball, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
    m.add_event("top", dt.Event("ball.velocity.z", direction="falling"))
    m.add_event("far", dt.Event("ball.position.x - 0.5", terminal=True))
    return m


ENDED = {
    "event": (stopped, {"A.q0": np.linspace(-0.1, 0.5, N)}, {}),
    "compliant contact": (compliant, {"J.v0[0]": np.linspace(0, 2, N)}, {"solver": dt.DOPRI5()}),
    "contact, fixed": (compliant, {"J.v0[0]": np.linspace(0, 2, N)}, {"solver": dt.RK4(step=1e-3)}),
}


@pytest.mark.parametrize("case", ENDED)
def test_events_that_end_runs_or_are_recorded(case: str) -> None:
    build, parameters, options = ENDED[case]
    system = dt.compile(build())
    b = dt.simulate_batch(system, 1.0, parameters, outputs=0.05, workers=2, **options)
    assert not [note for note in b.notes if "Python" in note]
    assert b.ok.all(), b.reason
    assert {*b.reason_code} == {"end-time", "event"}
    for k in range(N):
        values = {name: each[k] for name, each in parameters.items()}
        r = dt.simulate(system.with_parameters(values), 1.0, outputs=0.05, solver=b.solver)
        reached = np.isin(r.t, b.t)
        np.testing.assert_array_equal(b.states[k][: reached.sum()], r.states[reached])
        assert np.isnan(b.states[k][reached.sum() :]).all()
        assert (b.reason[k], b.steps[k]) == (r.reason, r.stats.steps)
        again = b.result(k)
        np.testing.assert_array_equal(again.states, r.states)
        assert [(e.name, e.t) for e in again.events] == [(e.name, e.t) for e in r.events]
    joint = next(iter(system.model.joints))
    np.testing.assert_array_equal(b[f"{joint}.v"][-1][: reached.sum()], r[f"{joint}.v"][reached])


REASONS = {
    "events with jumps": (jumping, {"A.q0": [0.3, 0.5]}, {}),
    "rigid contacts": (bouncing_ball, {"floor.restitution": [0.3, 0.8]}, {}),
    "functions in Python": (python_law, {"A.q0": [0.3, 0.5]}, {}),
    "Auto": (stiff, {"s.stiffness": [1e4, 2e4]}, {"solver": dt.Auto()}),
    "Moreau": (pendulum, {"A.q0": [0.1, 0.2]}, {"solver": dt.Moreau(step=1e-3)}),
    '"due" is the time of an event': (switched, {"due": [0.1, 0.15]}, {}),
    "constraint method": (four_bar, {"rod.mass": [1.0, 2.0]}, {"constraints": "baumgarte"}),
}


@pytest.mark.parametrize("why", REASONS)
def test_notes_say_why_python_drives_the_runs(why: str) -> None:
    build, parameters, options = REASONS[why]
    b = dt.simulate_batch(build(), 0.2, parameters, outputs=0.1, **options)
    assert any("driven by Python" in note and why in note for note in b.notes), b.notes


def test_values_that_a_model_cannot_have_and_runs_that_fail() -> None:
    """Their own runs only, with the words of `simulate`; the law loses energy where its stiffness is negative."""
    m = cart_pole()
    m.add_force("spring", dt.JointTorque("rail", "-k*q"))
    m.parameters["k"] = 1.0
    system = dt.compile(m)
    masses = np.array([0.1, 0.2, -1.0, 0.3, np.nan, 0.4, 0.0, 0.5])
    stiffness = np.array([1.0, 2.0, 3.0, -3e4, 4.0, 1e7, 5.0, 6.0])
    with pytest.warns(dt.errors.SimulationWarning, match="runs failed"):
        b = dt.simulate_batch(
            system, 1.0, {"pole.mass": masses, "k": stiffness}, outputs=0.1, solver=dt.RK4(step=0.01), workers=2
        )
    refused = dict[int, str]()
    for k in range(len(b)):
        try:
            changed = system.with_parameters({"pole.mass": float(masses[k]), "k": float(stiffness[k])})
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", dt.errors.SimulationWarning)
                r = dt.simulate(changed, 1.0, outputs=0.1, solver=b.solver)
        except (ValueError, dt.ModelError) as error:
            refused[k] = str(error)
            continue
        assert (b.ok[k], b.reason[k]) == (r.ok, r.reason)
        reached = np.isin(r.t, b.t)  # the last state of a run that failed is no output
        np.testing.assert_array_equal(b.states[k][: reached.sum()], r.states[reached])
    assert refused.keys() == {2, 4, 6}
    for k, text in refused.items():
        assert b.reason_code[k] == "error"
        assert text in b.reason[k]
    assert b.ok.tolist() == [True, True, False, False, False, False, False, True]


def test_numbers_are_those_of_with_parameters() -> None:
    system = dt.compile(driven())
    for names in (["arm.mass", "k", "gravity.x", "A.v0"], ["tool.mass", "arm.mass"], ["arm.com.x", "k"]):
        rng = np.random.default_rng(len(names))
        values = {name: rng.uniform(0.01, 2.0, 40) for name in names}
        numbers = RunNumbers(system, values)
        assert not numbers.why_not
        made = numbers.of(5, 40)
        assert not made.refused
        for k in (0, 17, 34):
            changed = system.with_parameters({name: each[5 + k] for name, each in values.items()})
            arrays = arrays_of(changed)
            known = NumberPool(system).numbers(changed)
            state = np.concatenate([arrays["q0"], arrays["v0"], arrays["z0"]])
            for e, place in enumerate(numbers.place):
                assert made.numbers[k, e] == np.concatenate([known, state])[place]


def test_more_steps_than_usual_are_left_to_simulate() -> None:
    """Some runs of an adaptive method need more steps than a law that chatters is looked for after."""
    m = stiff()
    m.forces["d"].damping = 0.0
    system, stiffness = dt.compile(m), np.array([10.0, 20.0, 4e7, 30.0])
    b = dt.simulate_batch(system, 2.0, {"s.stiffness": stiffness}, outputs=0.5, solver=dt.DOPRI5(rtol=1e-11))
    assert b.ok.all()
    assert b.steps[2] > 20_000
    for k in range(4):
        r = dt.simulate(system.with_parameters({"s.stiffness": stiffness[k]}), 2.0, outputs=0.5, solver=b.solver)
        np.testing.assert_array_equal(b.states[k], r.states)
