"""What a law in Python raises in a function of an instant is raised, with a note that says whose law it is."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt


def broken(q: float) -> float:
    raise LookupError("no table for this")


def slider(loop: bool = False) -> dt.Model:
    m = dt.Model("slider")
    m.add_body("b", dt.Inertia.point(1.0))
    m.add_joint("J", dt.Prismatic("z"), m.ground, "b")
    m.add_force("push", dt.JointTorque("J", broken))
    if loop:
        m.add_body("c", dt.Inertia.point(1.0))
        m.add_joint("K", dt.Prismatic("z"), m.ground, "c")
        m.add_constraint("both", dt.Coupler({"J": 1.0, "K": -1.0}))
    return m


FUNCTIONS = {
    "accelerations": lambda s, q, v: dt.accelerations(s, q, v),
    "many": lambda s, q, v: dt.accelerations(s, np.array([q, q]), np.array([v, v])),
    "inverse dynamics": lambda s, q, v: dt.inverse_dynamics(s, q, v, v),
    "forces": lambda s, q, v: dt.analyses.generalised_forces(s, q, v),
    "energies": lambda s, q, v: dt.energies(s, q, v),
    "derivatives": lambda s, q, v: dt.analyses.forward_dynamics_derivatives(s, q, v),
    "linearise": lambda s, q, v: dt.linearise(s, at=(q, v)),
}


@pytest.mark.parametrize("loop", [False, True])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_it_is_raised_and_named(name, loop):
    """They returned NaN."""
    system = dt.compile(slider(loop))
    q, v = system.initial_state()
    with pytest.raises(LookupError, match="no table for this") as caught:
        FUNCTIONS[name](system, q, v)
    assert caught.value.__notes__[-1] == 'raised by the function of force "push"'
    with pytest.raises(LookupError):  # and again: nothing is kept from the first time
        FUNCTIONS[name](system, q, v)


def test_a_rate_of_a_state():
    m = slider()
    m.forces.clear()
    m.add_state("x", broken_rate, 0.0)
    system = dt.compile(m)
    with pytest.raises(LookupError) as caught:
        dt.analyses.state_rates(system, *system.initial_state())
    assert caught.value.__notes__ == ['raised by the function of state "x"']


def broken_rate(t: float) -> float:
    raise LookupError("no table for this")


def test_an_equilibrium_says_whose_it_was():
    e = dt.equilibrium(slider())
    assert not e.ok
    assert 'force "push": its function raised LookupError: no table for this' in e.reason


def test_a_run_keeps_its_results():
    with pytest.warns(dt.errors.SimulationWarning):
        r = dt.simulate(slider(), 1.0)
    assert not r.ok
    assert 'force "push" (its function raised LookupError' in r.reason
