"""Further runs of a compiled system: memory is used again, and nothing of an earlier run is left in it."""

from __future__ import annotations

import gc

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.simulate.driver import Simulation
from duoti.analyses.states import initial_state as initial
from duoti.analyses.states.warnings import SimulationWarning
from duoti.dynamics import workspace as workspace_pool
from duoti.examples import all_examples, four_bar, pendulum

T = 1e-6
SOLVERS = {
    "default": None, "Radau": dt.Radau(rtol=T, atol=T), "auto": "auto", "RK4": dt.RK4(step=2e-3),
    "GeneralisedAlpha": dt.GeneralisedAlpha(step=2e-3),
}  # fmt: skip


@pytest.mark.parametrize("name", ["pendulum", "four_bar", "rolling_coin", "governor"])
def test_a_run_does_not_depend_on_those_before(name):
    model = dt.load(all_examples()[name].file)
    system = dt.compile(model)
    alone = {key: dt.simulate(dt.compile(model), 0.05, solver=solver).states for key, solver in SOLVERS.items()}
    for key in [*SOLVERS, *reversed(SOLVERS)]:
        assert np.array_equal(dt.simulate(system, 0.05, solver=SOLVERS[key]).states, alone[key]), key


def test_the_second_run_makes_no_workspace_and_assembles_nothing(monkeypatch):
    system = dt.compile(four_bar.build())
    first = dt.simulate(system, 0.05)

    def refuse(*_, **__):
        raise AssertionError("made again")

    monkeypatch.setattr(workspace_pool, "new_workspace", refuse)
    monkeypatch.setattr(initial, "assemble", refuse)
    assert np.array_equal(dt.simulate(system, 0.05).states, first.states)
    with pytest.raises(AssertionError, match="made again"):  # another time, other positions
        dt.simulate(system, 0.05, t=1.0)


def simulations(system: dt.System) -> list[Simulation]:
    """Those of a system that are alive."""
    return [each for each in gc.get_objects() if isinstance(each, Simulation) and each.system is system]


def test_a_run_leaves_no_cycles_behind():
    system = dt.compile(pendulum.build())
    dt.simulate(system, 0.05)
    gc.collect()
    gc.disable()
    try:
        dt.simulate(system, 0.05)
        assert not simulations(system)
    finally:
        gc.enable()


@pytest.mark.parametrize("kind", ["law", "controller"])
def test_a_system_keeps_no_run_that_failed(kind):
    """What a function raises leads to the run by its traceback; only the result has it."""

    def failing(t: float) -> float:
        return 1.0 / (t < 0.025)

    m = pendulum.build()
    if kind == "law":
        m.add_force("law", dt.JointTorque(next(iter(m.joints)), dt.Function(failing, ["t"])))
    else:
        m.add_controller("law", failing, ["t"], {"u": 0.0}, period=0.01)
    system = dt.compile(m)
    with pytest.warns(SimulationWarning, match="ZeroDivisionError"):
        result = dt.simulate(system, 0.05)
    assert isinstance(result.error, ZeroDivisionError)
    del result
    gc.collect()
    assert not simulations(system)


def test_a_stepper_keeps_no_run():
    """Only the loop, which does not know who has begun it."""
    stepper = dt.Stepper(pendulum.build())
    assert stepper.step(0.01)
    gc.collect()
    assert not [each for each in gc.get_objects() if isinstance(each, Simulation) and each.loop is stepper._loop]


def test_a_law_may_simulate_its_own_system():
    """Two runs of one system at the same time have workspaces of their own."""
    found, inside = [], []

    def law(rate: float) -> float:
        if not inside and len(found) < 3:
            inside.append(1)
            found.append(dt.simulate(system, 0.02, progress=False).states[-1])
            inside.clear()
        return -0.5 * rate

    m = pendulum.build()
    joint = next(iter(m.joints))
    m.add_force("law", dt.JointTorque(joint, dt.Function(law, [f"{joint}.rate"])))
    system = dt.compile(m)
    first = dt.simulate(system, 0.1, progress=False).states
    assert len(found) == 3
    assert np.array_equal(dt.simulate(system, 0.1, progress=False).states, first)
    assert np.array_equal(dt.simulate(system, 0.02, progress=False).states[-1], found[0])


def test_a_failed_run_gives_its_workspace_to_no_one(monkeypatch):
    system = dt.compile(pendulum.build())
    good = dt.simulate(system, 0.05).states
    with monkeypatch.context() as patch:
        patch.setattr(Simulation, "run_to_end", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            dt.simulate(system, 0.05)
    assert np.array_equal(dt.simulate(system, 0.05).states, good)


def test_a_prescribed_motion_in_python_may_change_between_runs():
    angle = [0.3]
    m = pendulum.build()
    joint = next(iter(m.joints))
    m.joints[joint].q0 = None
    m.add_constraint("drive", dt.JointMotion(joint, dt.Function(lambda t: (angle[0] + 0.0 * t, 0.0, 0.0), ["t"])))
    system = dt.compile(m)
    assert np.isclose(dt.simulate(system, 0.01)[f"{joint}.angle"][0], 0.3)
    angle[0] = 0.5
    assert np.isclose(dt.simulate(system, 0.01)[f"{joint}.angle"][0], 0.5)
