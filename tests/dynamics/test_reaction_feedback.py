"""Laws that read reactions and multipliers: of the same instant, whatever reads them and whatever solves the motion."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import duoti as dt

BRAKE = "-k*hypot(A.reaction_force.x, A.reaction_force.y)"


def rotor(c: float) -> dt.Model:
    """An eccentric rotor about z, braked by k times its bearing force; c = k m e / I.

    I alpha = -k m e sqrt(w^4 + alpha^2), so that alpha = -b w^2 with b = c / sqrt(1 - c^2), and w = w0 / (1 + b w0 t).
    """
    m = dt.Model("rotor", parameters={"k": c * (0.3 + 2.0 * 0.1**2) / (2.0 * 0.1)})
    m.add_body("disc", dt.Inertia(2.0, matrix=(0.2, 0.2, 0.3)), position=(0.1, 0, 0))
    m.add_joint("A", dt.Revolute("z"), m.ground, "disc", at=(0, 0, 0), v0=10.0)
    m.add_force("brake", dt.JointTorque("A", BRAKE))
    return m


@pytest.mark.parametrize(
    ("solver", "error"),
    [
        (dt.DOPRI5(rtol=1e-10, atol=1e-12), 1e-8),
        (dt.Radau(rtol=1e-9, atol=1e-11), 1e-7),
        (dt.GeneralisedAlpha(step=1e-3), 2e-4),
    ],
)
@pytest.mark.parametrize("c", [0.1, 0.9])
def test_a_brake_that_depends_on_the_bearing_force(solver: Any, error: float, c: float) -> None:
    """The force is that of the same instant, its own effect on it included; 0.9: each turn of a plain iteration would
    still leave nine tenths. Errors: about 100 times rtol; (h w)^2 of the second-order method."""
    r = dt.simulate(rotor(c), 1.0, outputs=0.1, solver=solver)
    b = c / math.sqrt(1.0 - c * c)
    exact = 10.0 / (1.0 + b * 10.0 * r.t)
    assert r.ok
    assert np.max(np.abs(r["A.rate"].ravel() - exact)) < error * 10.0
    alpha = -b * exact**2
    force = 2.0 * 0.1 * np.hypot(exact**2, alpha)
    found = np.hypot(r["A.reaction_force.x"], r["A.reaction_force.y"]).ravel()
    assert np.allclose(found, force, rtol=30 * error)
    k = r.system.model.parameters["k"]
    assert np.allclose(r["brake.torque"].ravel(), -k * found, rtol=1e-9)
    assert abs(r.energy.residual[-1]) < error * r.energy.kinetic[0]


def test_forces_that_no_reaction_fits() -> None:
    """c > 1: more braking makes more force than it takes to bear it, and the equation has no solution."""
    with pytest.raises(ValueError, match=r"no value of A\.reaction_force\.[xy] was found .* sensor"):
        dt.simulate(rotor(1.2), 1.0)


def test_a_load_cell_with_a_filter() -> None:
    """A mass on a spring on a plate that is welded to ground: the weld bears k x + the weights. In closed form,

    T dz/dt = F - z with F = W + k x0 cos(w t) has z = W + k x0 (cos(w t) + w T sin(w t)) / (1 + w² T²) + transient.
    """
    m = dt.Model("scales")
    m.add_body("plate", dt.Inertia.box(1.0, size=(1, 1, 0.1)))
    m.add_body("mass", dt.Inertia.point(2.0), position=(0, 0, 1))
    m.add_joint("cell", dt.Fixed(), m.ground, "plate", at=(0, 0, 0))
    m.add_joint("guide", dt.Prismatic("z"), "plate", "mass", at=(0, 0, 1), q0=0.05 - 2.0 * 9.81 / 800.0)
    m.add_force("spring", dt.JointSpring("guide", 800.0))
    m.add_state("z", "(cell.reaction_force.z - z)/0.02", unit="N")
    w, T, W = 20.0, 0.02, 3.0 * 9.81
    for solver in (dt.DOP853(rtol=1e-10, atol=1e-12), dt.Radau(rtol=1e-9, atol=1e-11)):
        r = dt.simulate(m, 1.0, outputs=0.01, solver=solver)
        swing = 800.0 * -0.05 / (1.0 + (w * T) ** 2)
        exact = W + swing * (np.cos(w * r.t) + w * T * np.sin(w * r.t)) - (W + swing) * np.exp(-r.t / T)
        assert r.ok
        assert np.max(np.abs(r["z"].ravel() - exact)) < 1e-6 * W
        assert np.allclose(r["cell.reaction_force.z"].ravel(), W - 40.0 * np.cos(w * r.t), atol=1e-5)
        assert np.array_equal(r.z[:, 0], r["z"].ravel())


def test_an_event_when_a_joint_is_overloaded() -> None:
    """A pendulum released level: the hinge bears 3 m g sin(angle), so that 2 m g comes at asin(2/3)."""
    m = dt.Model("pendulum")
    m.add_body("bob", dt.Inertia.point(1.5), position=(0.7, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "bob", at=(0, 0, 0))
    force = dt.Function(
        lambda fx, fz: math.hypot(fx, fz) - 2.0 * 1.5 * 9.81, ("A.reaction_force.x", "A.reaction_force[2]")
    )
    m.add_event("overload", dt.Event(force, terminal=True))
    r = dt.simulate(m, 5.0, rtol=1e-10, atol=1e-12)
    assert r.reason_code == "event"
    assert abs(r["A.angle"][-1].item() - math.asin(2.0 / 3.0)) < 1e-8


def test_a_controller_samples_a_reaction() -> None:
    """Its input is the reaction just before its output changes; of a pendulum at rest, m g cos² of its angle."""
    m = dt.Model("pendulum")
    m.add_body("bob", dt.Inertia.point(1.0), position=(0, 0, -1))
    m.add_joint("A", dt.Revolute("y"), m.ground, "bob", at=(0, 0, 0), q0=1.0)
    m.add_controller("sensor", lambda f: f, inputs=("A.reaction_force.z",), outputs={"held": 0.0}, period=0.25)
    m.add_force("drive", dt.JointTorque("A", "0.01*held"))
    r = dt.simulate(m, 1.0, outputs=0.05, rtol=1e-10, atol=1e-12)
    held, force = r["held"].ravel(), r["A.reaction_force"][:, 2]
    for k in range(4):
        inside = (r.t > 0.25 * k + 1e-9) & (r.t < 0.25 * (k + 1) - 1e-9)
        at = int(np.argmin(np.abs(r.t - 0.25 * k)))
        assert np.ptp(held[inside]) == 0.0
        before = 9.81 * math.cos(1.0) ** 2 if k == 0 else force[at]  # the first of two outputs at this time
        assert abs(held[inside][0] - before) < 1e-7


def test_multipliers_cut_joints_and_other_coordinates() -> None:
    """The torque of a drive (its multiplier) and a joint of a loop, in the tree, cut, or one of all cut joints."""
    from duoti.examples.slider_crank import build

    ends: list[float] = []
    ways: tuple[dict[str, Any], ...] = ({}, {"force_cut": ["big_end"]}, {"coordinates": "absolute"})
    for options in ways:
        m = build()
        m.add_force(
            "friction", dt.JointTorque("bore", "-0.1*hypot(big_end.reaction_force.x, big_end.reaction_force.z)*tanh(v)")
        )
        r = dt.simulate(dt.compile(m, **options), 0.05, rtol=1e-9, atol=1e-10)
        assert r.ok
        assert np.allclose(
            r["big_end.reaction_force.x"].ravel(), r["big_end.reaction_force"][:, 0], rtol=1e-8, atol=1e-7
        )
        ends.append(r["piston.position"][-1, 0])
    assert np.ptp(ends) < 1e-8

    m = dt.Model("driven")
    m.add_body("rotor", dt.Inertia(1.0, matrix=(1.0, 1.0, 0.4)))
    m.add_joint("A", dt.Revolute("z"), m.ground, "rotor")
    m.add_constraint("drive", dt.JointMotion("A", "3*t^2"))
    m.add_force("load", dt.JointDamping("A", 0.2))
    m.add_state("charge", "drive.multipliers[0]/0.5", unit="C")  # current = torque / 0.5
    r = dt.simulate(m, 2.0, rtol=1e-9, atol=1e-10)
    assert abs(r["charge"][-1].item() - (0.4 * 6.0 * 2.0 + 0.2 * 12.0) / 0.5) < 1e-7


def test_friction_by_a_law_is_the_friction_element() -> None:
    """The same law of friction as an expression and as `JointFriction`; both on top of the other."""
    ends = list[float]()
    for by_law in (True, False):
        m = dt.Model("pendulum")
        m.add_body("rod", dt.Inertia.rod(2.0, length=0.6, axis="x"), position=(0.3, 0, 0))
        m.add_joint("A", dt.Revolute("-y"), m.ground, "rod", at=(0, 0, 0), q0=0.2, v0=3.0)
        m.add_force("seal", dt.JointFriction("A", friction=0.1, radius=0.01))
        if by_law:
            m.add_force("pin", dt.JointTorque("A", "-0.02*hypot(A.reaction_force.x, A.reaction_force.z)*tanh(v/0.01)"))
        else:
            m.forces["seal"] = dt.JointFriction("A", friction=0.1, radius=0.01)
            m.add_body("other", dt.Inertia.point(1.0))  # keeps both models apart in nothing else
            m.add_joint("B", dt.Prismatic("x"), m.ground, "other")
            m.add_force(
                "pin", dt.JointFriction("A", friction=0.02, radius=1.0, friction_law="regularised", regularisation=0.01)
            )
        r = dt.simulate(m, 1.0, rtol=1e-9, atol=1e-10)
        assert r.ok
        ends.append(r["A.angle"][-1].item())
    assert abs(ends[0] - ends[1]) < 1e-7


def test_what_is_not_unique_is_refused() -> None:
    """Two hinges on one axis: nobody knows which carries the door; across the axis, forces are known but not alone."""
    m = dt.Model("door")
    m.add_body("door", dt.Inertia.box(20.0, size=(1, 0.05, 2)), position=(0.5, 0, 0))
    m.add_joint("low", dt.Revolute("z"), m.ground, "door", at=(0, 0, -1))
    m.add_joint("high", dt.Revolute("z"), m.ground, "door", at=(0, 0, 1))
    m.add_event("overload", dt.Event("high.reaction_force.z - 1000"))
    with pytest.raises(dt.ModelError, match=r"high\.reaction_force\.z, which is not unique"):
        dt.simulate(m, 1.0)


def test_refusals_by_name() -> None:
    """Analyses that do not solve for reactions say so; so do constraints and algebraic states."""
    s = dt.compile(rotor(0.1))
    q, v = s.state()
    assert np.allclose(dt.accelerations(s, q, v), -0.1 / math.sqrt(0.99) * 100.0, rtol=1e-10)
    for refused in (
        lambda: dt.inverse_dynamics(s, q, v, v),
        lambda: dt.analyses.generalised_forces(s, q, v),
        lambda: dt.linearise(s),
        lambda: dt.equilibrium(s),
        lambda: dt.analyses.forward_dynamics_derivatives(s, q, v),
        lambda: dt.kane(s, q, v),
        lambda: dt.Lineariser(s),
    ):
        with pytest.raises(NotImplementedError, match=r"A\.reaction_force\.x, A\.reaction_force\.y"):
            refused()
    with pytest.raises(NotImplementedError, match=r"dt\.linearise"):
        dt.linearise(s, at=(q, v))
    with pytest.raises(ValueError, match=r"what laws make of A\.reaction_force\.x"):
        dt.textbook.mechanism_graph(s)
    with pytest.raises(ValueError, match="Moreau knows impulses"):
        dt.simulate(s, 1.0, solver=dt.Moreau(1e-3))
    m = rotor(0.1)
    m.add_state("u", "A.rate - u", algebraic=True)
    with pytest.raises(ValueError, match="'u' is algebraic"):
        dt.simulate(m, 1.0, solver="radau")
    m = rotor(0.1)
    m.add_constraint("held", dt.Equation("A.angle - 1e-3*A.reaction_force.x"))
    assert 'unknown name "A.reaction_force.x"' in str(dt.check(m))
    m = rotor(0.1)
    m.forces["brake"] = dt.JointTorque("A", "A.reaction_force.w + A.reaction_force")
    assert "A.reaction_force.w" in str(dt.check(m))


def test_files_parts_and_going_on(tmp_path: Any) -> None:
    """The hidden numbers stand in no file; sub-models keep them; a run goes on (its first end is a step of its own)."""
    m = rotor(0.3)
    m.save(tmp_path / "rotor.yaml")
    assert "reaction_force" not in (tmp_path / "rotor.yaml").read_text().split("forces:")[0]
    again = dt.load(tmp_path / "rotor.yaml")
    whole = dt.simulate(again, 1.0)
    assert np.array_equal(whole["A.rate"], dt.simulate(m, 1.0)["A.rate"])
    machine = dt.Model("machine")
    machine.add_submodel("left", m)
    r = dt.simulate(machine, 1.0)
    assert np.allclose(r["left.A.rate"], whole["A.rate"], rtol=1e-12)
    half = dt.simulate(m, 0.5, outputs=0.01, out=tmp_path / "run.h5")
    del half
    resumed = dt.resume(tmp_path / "run.h5", duration=1.0)
    at_once = dt.simulate(m, 1.0, outputs=0.01, out=tmp_path / "whole.h5")
    assert np.allclose(resumed.v[-1], at_once.v[-1], rtol=1e-5)
    assert np.allclose(resumed.z[-1], at_once.z[-1], rtol=1e-5)
    system = dt.compile(m)
    assert dt.simulate(system.with_parameters(k=0.0), 1.0)["A.rate"][-1].item() == pytest.approx(10.0, rel=1e-12)
