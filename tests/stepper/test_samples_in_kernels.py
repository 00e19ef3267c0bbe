"""Samples of controllers, and events that only set states, are made in compiled code; the rest by Python."""

from __future__ import annotations

import numba
import numpy as np
import pytest

import duoti as dt
from duoti.analyses.simulate import driver


def arm(**joint) -> dt.Model:
    m = dt.Model("arm", gravity=(0, 0, 0))
    m.add_body("rod", dt.Inertia.rod(3.0, length=1.0, axis="x"), position=(0.5, 0, 0))  # 1 kg m^2 about A
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0), **joint)
    return m


def law(angle, rate, filtered):
    return -20.0 * angle - 4.0 * rate - filtered, 0.9 * filtered + 0.1 * angle


LAWS = {
    "Python": law, "Numba": numba.njit(law),
    "expressions": {"u": "-20*A.angle - 4*A.rate - filtered", "filtered": "0.9*filtered + 0.1*A.angle"},
}  # fmt: skip


def sampled(kind: str) -> dt.Model:
    m = arm(q0=0.5)
    inputs = () if kind == "expressions" else ("A.angle", "A.rate", "filtered")
    m.add_controller("law", LAWS[kind], inputs, {"u": 0.0, "filtered": 0.0}, period=0.01)
    m.add_force("motor", dt.JointTorque("A", "u"))
    return m


@pytest.mark.parametrize("solver", [dt.RK4(step=5e-3), dt.DOPRI5(), dt.Radau(), dt.GeneralisedAlpha(), dt.Auto()],
                         ids=repr)  # fmt: skip
@pytest.mark.parametrize("kind", LAWS)
def test_samples(kind, solver, monkeypatch):
    """Against exact steps of the double integrator with held torque; Python makes no jump."""

    def refuse(*_):
        raise AssertionError("a jump made by Python")

    monkeypatch.setattr(driver, "jump", refuse)
    r = dt.simulate(sampled(kind), 1.0, outputs=0.01, solver=solver)
    assert r.ok, r.reason
    q, v, z, h, expected = 0.5, 0.0, 0.0, 0.01, []
    for _ in range(101):
        expected.append(q)
        (u, z) = law(q, v, z)
        q, v = q + h * v + 0.5 * h * h * u, v + h * u
    tolerance = 1e-5 if isinstance(solver, dt.GeneralisedAlpha) else 1e-9
    assert np.allclose(
        r["A.angle"][[np.argmin(abs(r.t - k * h)) for k in range(101)]], expected, rtol=0, atol=tolerance
    )
    assert len(r.events) == 100


def test_the_balance_of_energy():
    """A spring whose law an event changes: what its energy loses there is dissipated."""
    m = arm(q0=0.3)
    m.add_state("pull", 0.0, 2.0)
    m.add_force("spring", dt.JointTorque("A", "-pull*q"))
    m.add_force("still", dt.JointSpring("A", stiffness=5.0))
    m.add_event("weaker", dt.Event("t - 0.5", sets={"pull": 1.0}))
    r = dt.simulate(m, 1.0)
    assert r.ok, r.reason
    assert np.max(np.abs(r.energy.residual)) < 1e-8


def test_a_sample_that_frees_a_joint_from_its_stop():
    """Held at a limit by a torque which a sample turns round; what holds it is chosen anew by Python."""
    m = arm(limits=[(-1.0, 0.2)])
    m.add_controller("law", {"u": "if(t < 0.95, 1, -1)"}, outputs={"u": 1.0}, period=0.1)
    m.add_force("motor", dt.JointTorque("A", "u"))
    r = dt.simulate(m, 1.2, outputs=0.1, solver=dt.DOPRI5())
    assert r.ok, r.reason
    assert r["A.angle"][np.argmin(abs(r.t - 0.95))] == 0.2
    assert r["A.angle"][-1] == pytest.approx(0.2 - 0.5 * 0.2**2, abs=1e-9)


def test_a_function_that_fails():
    m = arm(q0=0.5)

    def broken(t):
        if t > 0.25:
            raise ZeroDivisionError("by purpose")
        return 1.0

    m.add_controller("law", broken, ["t"], {"u": 0.0}, period=0.1)
    m.add_force("motor", dt.JointTorque("A", "u"))
    with pytest.warns(UserWarning, match=r'controller "law" failed at t = 0\.3.*by purpose'):
        r = dt.simulate(m, 1.0, outputs=0.1)
    assert not r.ok
    assert r.t[-1] == pytest.approx(0.3)


def test_a_value_that_is_not_finite():
    m = arm(q0=0.5)
    m.add_controller("law", {"u": "sqrt(0.25 - t)"}, outputs={"u": 0.0}, period=0.1)
    m.add_force("motor", dt.JointTorque("A", "u"))
    with pytest.warns(UserWarning, match=r'controller "law" failed at t = 0\.3.*u'):
        r = dt.simulate(m, 1.0, outputs=0.1)
    assert not r.ok
    assert np.all(np.isfinite(r.q))


def test_another_solver_after_it():
    """The entry of jumps belongs to a run, not to the workspace that the next run of the system borrows."""
    system = dt.compile(sampled("expressions"))
    first = dt.simulate(system, 0.3, outputs=0.1)
    pytest.importorskip("sksundae")
    other = dt.simulate(system, 0.3, outputs=0.1, solver=dt.IDA(rtol=1e-10, atol=1e-12))
    assert np.allclose(first["A.angle"], other["A.angle"], atol=1e-7)
