"""Motions that are polynomials of the time are exact in steps of any length; their works are accounted for, too."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt


def slider(law: str, stop: bool, friction: float = 0.0) -> dt.Model:
    m = dt.Model("slider")
    m.add_body("b", dt.Inertia.box(1.0, size=(0.1, 0.1, 0.1)))
    m.add_joint("J", dt.Prismatic("x"), m.ground, "b", **({"limits": (-1.0, 0.5)} if stop else {}))
    m.add_force("push", dt.JointTorque("J", law))
    if friction:  # that follows the load: Rodas then has its derivatives by differences
        m.add_force("rub", dt.JointFriction("J", friction=friction))
    if not stop:
        m.add_event("there", dt.Event("J.position - 0.5", terminal=True))
    return m


SOLVERS = [dt.DOPRI5(), dt.DOP853(), dt.RKF45(), dt.Radau(), dt.Rodas()]


@pytest.mark.parametrize("stop", [True, False])
@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: type(s).__name__)
@pytest.mark.parametrize(("c", "n"), [(60.0, 1), (200.0, 2), (900.0, 4)])
def test_the_work_up_to_an_event(stop, solver, c, n):
    """F = c t^n moves 1 kg by x = c t^(n+2)/((n+1)(n+2)); the work up to x = 0.5 m is v²/2.

    Works may miss ten times the tolerance of 1e-6 in a step, and there are about 50 of them.
    """
    t = (0.5 * (n + 1) * (n + 2) / c) ** (1 / (n + 2))
    work = 0.5 * (c * t ** (n + 1) / (n + 1)) ** 2
    r = dt.simulate(slider(f"{c}*t^{n}", stop), 1.2 * t, outputs=0.01, solver=solver, rtol=1e-6, atol=1e-8)
    assert r.ok, r.reason
    assert r.events[0].t == pytest.approx(t, rel=1e-5)
    assert r.energy.supplied[-1] == pytest.approx(work, rel=5e-4)
    assert np.max(np.abs(r.energy.residual)) < 5e-4 * work


@pytest.mark.parametrize("solver", SOLVERS, ids=lambda s: type(s).__name__)
def test_with_friction_that_follows_the_load(solver):
    r = dt.simulate(slider("60*t", True, friction=0.1), 0.8, outputs=0.01, solver=solver)
    assert r.ok, r.reason
    assert np.max(np.abs(r.energy.residual)) < 1e-3 * r.energy.supplied[-1]
