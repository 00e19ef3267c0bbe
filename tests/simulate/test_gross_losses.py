"""Whatever the solver, a run that has lost a tenth of its energy, or an adaptive one a few per cent, is not `ok`."""

import warnings

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.simulate.trust.energy_balance import LOST, LOST_BY_TOLERANCE, Sampled, what_was_lost


def pendulum():
    m = dt.Model("pendulum")
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
    return m


def oscillator():
    m = dt.Model("oscillator", gravity=(0, 0, 0))
    m.add_body("mass", dt.Inertia.point(1.0))
    m.add_joint("A", dt.Prismatic("x"), m.ground, "mass", q0=1.0)
    m.add_force("spring", dt.JointSpring("A", stiffness=100.0))
    return m


def tumbling(rate):
    m = dt.Model("tumbling")
    m.add_body("box", dt.Inertia.box(1.0, size=(0.3, 0.2, 0.1)))
    m.add_joint("A", dt.Spherical(), m.ground, "box", v0=(rate, 0.1 * rate, 0))
    return m


@pytest.mark.parametrize(
    ("model", "solver", "duration"),
    [
        (pendulum, dt.RK4(step=3.0), 30.0),  # blows up, and what is missing in the end is little beside what is there
        (pendulum, dt.RK4(step=0.25), 10.0),
        (oscillator, dt.RK4(step=0.25), 10.0),
        (oscillator, dt.Radau(step=0.5), 10.0),
        (oscillator, dt.GeneralisedAlpha(step=0.2), 10.0),
        (oscillator, dt.SemiImplicitEuler(step=0.05), 5.0),
        (oscillator, dt.Verlet(step=0.15), 5.0),
        (lambda: tumbling(10.0), dt.SemiImplicitEuler(step=0.05), 5.0),
    ],
)
def test_fixed_steps_that_lose_the_energy(model, solver, duration):
    with pytest.warns(dt.errors.SimulationWarning, match="balance of energy is lost"):
        r = dt.simulate(model(), duration, solver=solver)
    assert not r.ok
    assert r.reason_code == "energy-lost"
    assert r.t[-1] == pytest.approx(duration)


@pytest.mark.parametrize("step", [1e-5, 1e-2, 1.0])
@pytest.mark.parametrize("solver", [dt.RK4, dt.SemiImplicitEuler, dt.Verlet, dt.Moreau, dt.GeneralisedAlpha, dt.Radau])
def test_a_body_that_turns_much_faster_than_the_steps(solver, step):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        r = dt.simulate(tumbling(1e6), 20 * step, solver=solver(step=step))
    energy = r.energy
    assert not r.ok or abs(energy.residual[-1]) < LOST * energy.kinetic.max()


@pytest.mark.parametrize(
    ("model", "solver", "duration"),
    [
        (pendulum, dt.RK4(step=0.05), 10.0),
        (pendulum, dt.SemiImplicitEuler(step=0.01), 10.0),
        (oscillator, dt.RK4(step=0.05), 10.0),
        (oscillator, dt.GeneralisedAlpha(step=0.005), 10.0),
        (oscillator, dt.Radau(step=0.05), 10.0),
        (oscillator, dt.Verlet(step=0.01), 10.0),
        (oscillator, dt.Moreau(0.001), 10.0),
    ],
)
def test_reasonable_steps_raise_no_alarm(model, solver, duration):
    r = dt.simulate(model(), duration, solver=solver)
    assert r.ok, r.reason


def test_an_adaptive_run_that_misses_a_few_per_cent():
    """States of a pendulum whose rates shrink little by little, as by a method that leaves its equations."""
    system, t = dt.compile(pendulum()), np.linspace(0.0, 5.0, 200)
    r = dt.simulate(system, 5.0, outputs=t)
    for part, ok in ((0.2 * LOST_BY_TOLERANCE, True), (2.0 * LOST_BY_TOLERANCE, False)):
        y = np.column_stack([r.q, r.v, np.zeros((len(t), 2))])
        y[:, -2] = part * r.energy.kinetic.max() * t / t[-1]  # as if so much work had been supplied
        found = what_was_lost(system, dt.Radau(rtol=1e-3), dt.Projection(), 1000, Sampled(t, y))
        assert (found is None) == ok
