"""A one-way clutch: closed forms of locking, overrunning and slipping, in both engines."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt

DRIVER, SHAFT, T = 0.032, 0.08, 2.0  # kg m^2, kg m^2, N m
SOLVERS = [pytest.param(dt.DOPRI5(max_step=0.02), id="event-driven"), pytest.param(dt.Moreau(step=1e-3), id="stepping")]


def drive(capacity: float, direction: int = 1, ball: bool = False) -> dt.Model:
    """A driver under +-2 N m (changes at 1 s and 2 s) turns a shaft through a clutch; ball: something touches, too."""
    m = dt.Model("drive")
    driver = m.add_body("driver", dt.Inertia.sphere(2.0, radius=0.2))
    shaft = m.add_body("shaft", dt.Inertia.sphere(5.0, radius=0.2))
    m.add_joint("A", dt.Revolute("z"), m.ground, driver)
    m.add_joint("C", dt.Revolute("z"), driver, shaft)
    m.add_force("drive", dt.JointTorque("A", f"{direction * T} * sign(abs(t - 1.5) - 0.5)"))
    m.add_force("clutch", dt.OneWayClutch("C", capacity, direction))
    if ball:
        b = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(1, 0, 0.1))
        m.add_joint("free", dt.Free(), m.ground, b)
        m.add_contact("floor", dt.RigidContact(friction=0.3), m.ground, b,
                      shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))  # fmt: skip
    return m


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("ball", [False, True])
@pytest.mark.parametrize("direction", [1, -1])
def test_it_pushes_overruns_and_locks_again(solver: dt.Solver, direction: int, ball: bool) -> None:
    """Locked until 1 s, the shaft runs free until the driver has its speed again at 3 s, then it is pushed."""
    times = np.array([0.5, 0.9, 1.5, 2.5, 3.5, 4.0])
    r = dt.simulate(drive(20.0, direction, ball), 4.0, outputs=times, solver=solver)
    assert r.ok, r.reason
    both = T / (DRIVER + SHAFT)
    shaft = direction * both * np.array([0.5, 0.9, 1.0, 1.0, 1.5, 2.0])
    driver = direction * (
        both * np.array([0.5, 0.9, 1.0, 1.0, 1.5, 2.0]) - T / DRIVER * np.array([0, 0, 0.5, 0.5, 0, 0])
    )
    # the drive changes within a step of 1 ms; a step over it may miss as much as that step gives
    near = T / DRIVER * 1e-3
    np.testing.assert_allclose(r["A.rate"], driver, atol=near)
    np.testing.assert_allclose(r["A.rate"] + r["C.rate"], shaft, atol=near)
    assert np.max(np.abs(r["C.rate"][[0, 4, 5]])) < 1e-9  # locked: it does not creep
    locked = direction * SHAFT * both
    np.testing.assert_allclose(r["clutch.torque"][[0, 2, 3, 4]], [locked, 0.0, 0.0, locked], atol=1e-6)
    assert np.max(np.abs(r["clutch.power_dissipated"])) < 1e-9
    assert np.max(np.abs(r.energy.residual)) < 1e-2 * r.energy.kinetic[-1]  # at the two changes of the drive


@pytest.mark.parametrize("solver", SOLVERS)
def test_it_slips_above_its_capacity(solver: dt.Solver) -> None:
    """0.5 N m where 1.43 N m would be needed: the shaft gets 0.5 N m, the driver the rest, and the slip is heat."""
    r = dt.simulate(drive(0.5), 0.8, outputs=0.1, solver=solver)
    assert r.ok, r.reason
    np.testing.assert_allclose(r["A.rate"], (T - 0.5) / DRIVER * r.t, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(r["A.rate"] + r["C.rate"], 0.5 / SHAFT * r.t, rtol=1e-9, atol=1e-9)
    heat = 0.5 * np.abs(r["C.q"][-1])
    assert r.energy.dissipated[-1] == pytest.approx(heat, rel=1e-6)
    assert np.max(np.abs(r.energy.residual)) < 1e-8 * r.energy.kinetic[-1]


@pytest.mark.parametrize("solver", SOLVERS)
def test_a_backstop_holds_a_load_exactly(solver: dt.Solver) -> None:
    """A conveyor's backstop: a pendulum held at 45 degrees by m g l cos 45, without creep."""
    m = dt.Model("backstop")
    arm = m.add_body("arm", dt.Inertia.rod(1.0, length=0.6, axis="x"), position=(0.3, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, arm, at=(0, 0, 0), q0=-np.pi / 4)
    m.add_force("backstop", dt.OneWayClutch("A", 10.0, -1))
    r = dt.simulate(m, 2.0, outputs=0.5, solver=solver)
    assert r.ok, r.reason
    assert np.max(np.abs(r["A.rate"])) == 0.0
    np.testing.assert_allclose(r["backstop.torque"], -9.81 * 0.3 * np.cos(np.pi / 4), rtol=1e-9)


@pytest.mark.parametrize("solver", [dt.DOPRI5(), dt.Moreau(1e-3)], ids=["events", "Moreau"])
def test_a_changed_capacity_is_that_of_a_model_described_with_it(solver: dt.Solver) -> None:
    """Thrown up, the mass is held with 100 N, and slips back with 10 N: by with_parameters, batches and assignment."""

    def thrown(capacity: float) -> dt.Model:
        m = dt.Model("thrown")
        m.add_body("mass", dt.Inertia.point(2.0))
        m.add_joint("z", dt.Prismatic("z"), m.ground, "mass", v0=1.0)
        m.add_force("ratchet", dt.OneWayClutch("z", capacity=capacity))
        return m

    def end(model: dt.Model | dt.System) -> float:
        return float(dt.simulate(model, 0.5, solver=solver)["z.velocity"][-1])

    wanted, assigned = end(thrown(10.0)), thrown(100.0)
    assigned.forces["ratchet"].capacity = 10.0  # pyright: ignore[reportAttributeAccessIssue]
    assert wanted == pytest.approx(-(9.81 - 5.0) * (0.5 - 1.0 / 9.81), rel=1e-3)
    assert end(assigned) == end(dt.compile(thrown(100.0)).with_parameters({"ratchet.capacity": 10.0})) == wanted
    b = dt.simulate_batch(thrown(100.0), 0.5, {"ratchet.capacity": [100.0, 10.0]}, outputs=0.5, solver=solver)
    np.testing.assert_allclose(b["z.velocity"][:, -1], [0.0, wanted], rtol=1e-12, atol=1e-12)


def test_what_does_not_know_it_refuses() -> None:
    """Analyses of smooth forces, wrong numbers, joints with several rates."""
    m = drive(20.0)
    for analysis in (dt.equilibrium, dt.linearise):
        with pytest.raises(NotImplementedError, match='one-way clutches are locked \\("clutch"\\)'):
            analysis(m)
    with pytest.raises(ValueError, match="one-way clutches: clutch are not differentiated"):
        dt.gradient(m, dt.Objective(final="t"), ["clutch.capacity"], duration=0.1)
    m.forces["clutch"] = dt.OneWayClutch("C", 0.0, 2)
    with pytest.raises(dt.errors.ModelError, match=r"(?s)capacity is 0.*direction is 2|direction is 2.*capacity is 0"):
        dt.compile(m)
    ball = dt.Model("ball")
    ball.add_joint("S", dt.Spherical(), ball.ground, ball.add_body("b", dt.Inertia.sphere(1.0, radius=0.1)))
    ball.add_force("clutch", dt.OneWayClutch("S", 1.0))
    with pytest.raises(dt.errors.ModelError, match="one-way clutches need a joint of one rate"):
        dt.compile(ball)
