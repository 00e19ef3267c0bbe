"""The stepping driver: what events cost, where constant steps begin, and what a new method needs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.simulate.simulate import consistent_start, set_clock
from duoti.dynamics.workspace import DEFAULT, new_workspace
from duoti.examples import pendulum
from duoti.integrate import state as S
from duoti.integrate.base import Adaptive
from duoti.integrate.events import LOOKS
from duoti.integrate.explicit.tableau import runge_kutta
from duoti.integrate.explicit_loop import Tableau


def swinging(events: list[str], terminal: bool = False) -> dt.Model:
    m = pendulum.build()
    for name in list(m.events):
        del m.events[name]
    for k, each in enumerate(events):
        m.add_event(f"event{k}", dt.Event(each, terminal=terminal))
    return m


def driven(model: dt.Model, duration: float, solver: dt.Solver) -> S.Run:
    """The run of a loop at its end."""
    system = dt.compile(model)
    work = new_workspace(system, ydot=True)
    loop = solver.loop(system, np.array([duration]), work)
    set_clock(loop.run, solver, 0.0, duration)
    consistent_start(system, None, 0.0, loop.run.y, work, solver, DEFAULT)
    loop.start(solver.fixed_step)
    while loop.advance(1000) == S.CONTINUE:
        pass
    return loop.run


SILENT = [f"2 + {k} + sin(t)" for k in range(32)]


@pytest.mark.parametrize("solver", [dt.DOPRI5(), dt.RK4(step=0.01), dt.Radau()], ids=repr)
def test_silent_events_cost_as_many_looks_as_one(solver):
    """A look evaluates all event functions in one sweep: four in a step, one at the start, however many there are."""
    looks = []
    for count in (1, 8, 32):
        counts = driven(swinging(SILENT[:count]), 0.2, solver).counts[0]
        looks.append(int(counts.looks))
        assert counts.looks == 1 + LOOKS * counts.steps
    assert len(set(looks)) == 1


def test_events_in_one_step_are_located_together():
    """16 roots within one step of RK4: the looks for one narrow those of the others, and each is found."""
    roots = np.linspace(0.02, 0.08, 16)
    counts = []
    for wanted in (roots[:1], roots):
        model = swinging([f"exp(t) - exp({root})" for root in wanted])
        r = dt.simulate(model, 0.1, outputs=0.1, solver=dt.RK4(step=0.1))
        assert np.allclose([e.t for e in r.events], wanted, rtol=0, atol=1e-15)
        counts.append(int(driven(model, 0.1, dt.RK4(step=0.1)).counts[0].looks))
    alone = counts[0] - LOOKS - 1
    assert counts[1] - LOOKS - 1 < 16 * alone


def test_events_are_recorded_in_the_order_of_time_and_not_after_the_end():
    events = [f"t - {root}" for root in (0.043, 0.031, 0.0421, 0.0419)]
    m = swinging(events)
    m.add_event("end", dt.Event("t - 0.042", terminal=True))
    r = dt.simulate(m, 0.1, outputs=0.05, solver=dt.RK4(step=0.1))
    assert [e.name for e in r.events] == ["event1", "event3", "end"]
    assert r.t[-1] == pytest.approx(0.042, abs=1e-16)


def test_a_run_with_constant_steps_goes_on_from_an_end_off_the_grid(tmp_path):
    """Steps of 0.1 s to t = 0.25 s, then on: the further steps are counted from there."""
    path = tmp_path / "run.h5"
    dt.simulate(swinging([]), 0.25, outputs="steps", solver=dt.RK4(step=0.1), out=path)
    r = dt.resume(path, duration=0.55)
    assert np.allclose(r.t, [0.0, 0.1, 0.2, 0.25, 0.35, 0.45, 0.55], rtol=0, atol=1e-15)
    whole = dt.simulate(swinging([]), 0.55, outputs=[0.0, 0.55], solver=dt.RK4(step=0.01))
    # one step of 0.1 s has an error of about (omega h)^5/120, omega being the square root of gravity over length
    assert r[_angle(r)][-1] == pytest.approx(whole[_angle(whole)][-1], abs=1e-4)


def _angle(r: dt.Result) -> str:
    return r.system.coordinate_names[0]


@dataclass(frozen=True)
class BogackiShampine(Adaptive):
    """Order 3(2) (Bogacki & Shampine 1989): a method is one class with its coefficients, and nothing else."""

    @staticmethod
    def coefficients() -> Tableau:
        A = ((), (1 / 2,), (0, 3 / 4))
        b, c = (2 / 9, 1 / 3, 4 / 9), (0, 1 / 2, 3 / 4)
        return runge_kutta(A, b, c, (2 / 9 - 7 / 24, 1 / 3 - 1 / 4, 4 / 9 - 1 / 3, -1 / 8), order=3)


def test_a_new_method_is_one_added_file():
    """Error proportional to the tolerance, over a factor of 100; the entries are those of all explicit methods."""
    want = dt.simulate(swinging([]), 0.5, outputs=0.5, rtol=1e-12, atol=1e-13)
    errors = []
    for rtol in (1e-5, 1e-7):
        got = dt.simulate(swinging([]), 0.5, outputs=0.5, solver=BogackiShampine(rtol=rtol, atol=rtol))
        assert got.ok
        errors.append(abs(got[_angle(got)][-1] - want[_angle(want)][-1]))
    assert errors[0] < 1e-3
    assert errors[1] < 0.1 * errors[0]


def test_a_checkpoint_of_another_layout_is_refused(tmp_path):
    """As one of an older version of duoti would be: in words, and the file can still be read."""
    from duoti.results.file.checkpoints import Checkpoint

    path = tmp_path / "run.h5"
    dt.simulate(swinging([]), 0.2, outputs=0.1, solver=dt.RK4(step=0.01), out=path)
    fill = Checkpoint.fill
    try:
        Checkpoint.fill = lambda self, arrays: fill(self, [np.zeros(8), *arrays[1:]])  # numbers where a record is now
        with pytest.raises(dt.errors.ResultFileError, match="was begun by another version of duoti"):
            dt.resume(path, duration=0.3)
    finally:
        Checkpoint.fill = fill
    assert len(dt.open_result(path).t) == 3
