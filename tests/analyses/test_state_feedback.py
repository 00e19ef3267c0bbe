"""State feedback from a linear system to a run: LQR through python-control, a cart-pole, an arm, a satellite."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.examples.robots import robots

control = pytest.importorskip("control")


def cart_pole() -> dt.Model:
    m = dt.Model("cart-pole")
    m.add_body("cart", dt.Inertia.box(1.0, (0.3, 0.2, 0.1)), position=(0, 0, 0))
    m.add_body("pole", dt.Inertia.rod(0.2, length=1.0, axis="z"), position=(0, 0, 0.5))
    m.add_joint("slide", dt.Prismatic("x"), m.ground, "cart")
    m.add_joint("hinge", dt.Revolute("y"), "cart", "pole", at=(0, 0, 0))
    m.add_force("motor", dt.JointTorque("slide", 0.0))
    return m


def lqr(m, inputs, at=None, r=1.0):
    lin = dt.linearise(m, at, inputs=inputs)
    K = control.lqr(lin.A, lin.B, np.eye(len(lin.A)), r * np.eye(len(inputs)))[0]
    return lin, K


@pytest.mark.parametrize("inputs", [["motor"], ["slide"]])
def test_a_cart_pole_is_balanced(inputs):
    m = cart_pole()
    lin, K = lqr(m, inputs)
    closed = dt.state_feedback(m, lin, K)
    closed.joints["hinge"].q0 = 0.3
    r = dt.simulate(closed, 30.0)
    left = 10.0 * np.exp(30.0 * np.max(np.linalg.eigvals(lin.A - lin.B @ K).real))  # of the slowest mode; first 0.3
    assert left < 1e-4
    assert abs(r["hinge.angle"][-1]) < left
    assert abs(r["slide.position"][-1]) < left
    assert np.max(np.abs(r["hinge.angle"])) < 0.5
    # the closed loop has the eigenvalues of A - B K
    poles = dt.linearise(dt.state_feedback(m, lin, K)).eigenvalues
    expected = np.linalg.eigvals(lin.A - lin.B @ K)
    assert np.allclose(np.sort_complex(poles), np.sort_complex(expected), rtol=1e-9)
    assert "hinge.angle" not in str(m.forces["motor"].value)  # the model itself is as it was


def test_samples_approach_the_continuous_feedback():
    """Held for a period h, u is late by h/2: the difference is proportional to h."""
    m = cart_pole()
    lin, K = lqr(m, ["motor"])
    m.joints["hinge"].q0 = 0.2
    ends = []
    for period in (None, 0.01, 0.005, 0.0025):
        closed = dt.state_feedback(m, lin, K, period)
        r = dt.simulate(closed, 1.0, rtol=1e-9, atol=1e-11)
        ends.append(r["slide.position"][-1])
    errors = np.abs(np.array(ends[1:]) - ends[0])
    assert errors[0] / errors[1] == pytest.approx(2.0, rel=0.1)
    assert errors[1] / errors[2] == pytest.approx(2.0, rel=0.1)


@pytest.mark.filterwarnings("ignore::duoti.errors.LeftOutWarning")
def test_a_six_axis_arm_is_held():
    """The arm does not hang: motors hold it by gravity compensation, the feedback brings it back."""
    m = dt.load(robots()["arm6"])
    joints = [name for name, joint in m.joints.items() if joint.nv]
    pose = dict(zip(joints, (0.3, -0.8, 1.0, 0.2, 0.5, 0.1), strict=True))
    q, _ = dt.compile(m).state(pose)
    hold = dt.inverse_dynamics(m, q, np.zeros(6), np.zeros(6))
    for name, torque in zip(joints, hold, strict=True):
        m.joints[name].q0 = pose[name]
        m.add_force(f"{name}_motor", dt.JointTorque(name, float(torque)))
    motors = [f"{name}_motor" for name in joints]
    lin = dt.linearise(m, inputs=motors)
    M = dt.mass_matrix(m, q)  # weights by inertia give all axes about the same bandwidth, here 10 rad/s
    Q = np.block([[100.0 * M, 0 * M], [0 * M, M]])
    K, _, _ = control.lqr(lin.A, lin.B, Q, 0.01 * np.linalg.inv(M))
    assert np.max(np.linalg.eigvals(lin.A).real) > 0.1  # without feedback it falls
    for period in (None, 1e-3):
        closed = dt.state_feedback(m, lin, K, period)
        closed.joints[joints[1]].q0 = pose[joints[1]] + 0.1
        r = dt.simulate(closed, 3.0)
        assert r.ok
        end = np.array([r[f"{name}.angle"][-1] for name in joints])
        assert np.allclose(end, list(pose.values()), atol=2e-3)


def test_rotations_by_quaternions_are_fed_back_by_samples():
    m = dt.Model("satellite", gravity=(0, 0, 0), parameters={"gain": 1.0})
    m.add_body("hull", dt.Inertia.box(10.0, (1.0, 0.5, 0.3)))
    m.add_joint("F", dt.Free(), m.ground, "hull")
    rates = [f"F.v[{k}]" for k in range(6)]
    lin = dt.linearise(m, inputs=["F"])
    assert list(lin.inputs) == rates
    K, _, _ = control.lqr(lin.A, lin.B, np.eye(12), np.eye(6))
    with pytest.raises(NotImplementedError, match="period="):
        dt.state_feedback(m, lin, K)
    closed = dt.state_feedback(m, lin, K, period=0.01)
    start = dt.Rotation.from_vector((1.5, -1.0, 0.7)).quaternion
    closed.joints["F"].q0 = [0.3, 0, 0, *(-start)]  # the other sign is the same rotation
    r = dt.simulate(closed, 40.0)
    assert np.allclose(np.abs(r["hull.rotation"][-1]), [1, 0, 0, 0], atol=1e-3)
    assert np.allclose(r["hull.position"][-1], 0, atol=1e-3)


def test_parameters_as_inputs_and_what_is_refused():
    m = cart_pole()
    m.parameters["push"] = 0.0
    m.forces["motor"].value = "push"
    lin, K = lqr(m, ["push"])
    with pytest.raises(NotImplementedError, match="parameter"):
        dt.state_feedback(m, lin, K)
    closed = dt.state_feedback(m, lin, K, period=2e-3)
    closed.joints["hinge"].q0 = 0.1
    assert abs(dt.simulate(closed, 8.0)["hinge.angle"][-1]) < 1e-3
    with pytest.raises(ValueError, match=r"it is \(1, 4\)"):
        dt.state_feedback(m, lin, K[:, :3], period=2e-3)
    with pytest.raises(ValueError, match="no inputs"):
        dt.state_feedback(m, dt.linearise(m), K)
    with pytest.raises(ValueError, match='is that of model "cart-pole"'):
        dt.state_feedback(dt.Model("other"), lin, K)


def test_a_closed_loop_mechanism():
    """A four-bar with a motor is held at an unstable place by independent coordinates."""
    from duoti.examples import four_bar

    m = four_bar.build()
    for name in list(m.forces):
        del m.forces[name]
    joint = next(iter(m.joints))
    e = dt.equilibrium(m)
    lin = dt.linearise(m, e, inputs=[joint], coordinates=[joint])
    K, _, _ = control.lqr(lin.A, lin.B, np.eye(2), np.eye(1))
    closed = dt.state_feedback(m, lin, K)
    poles = dt.linearise(closed, dt.equilibrium(closed)).eigenvalues
    assert np.allclose(np.sort_complex(poles), np.sort_complex(np.linalg.eigvals(lin.A - lin.B @ K)), rtol=1e-6)


def test_inputs_are_named_after_what_an_element_does():
    """ "motor.torque" is the input "motor"; elements without one such number are refused by name."""
    m = dt.Model("pendulum")
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
    m.add_marker("tip", "rod", position=(0.5, 0, 0))
    m.add_force("motor", dt.JointTorque("A", "cos(t)"))
    m.add_force("push", dt.AppliedForce("tip", (0, 0, "t")))
    q, v = [0.2], [0.1]
    free, driven = dt.accelerations(m, q, v), dt.accelerations(m, q, v, inputs={"motor.torque": 1.0})
    assert driven - free == pytest.approx([3.0], rel=1e-12)  # 1 N m on m l²/3
    both = [dt.analyses.forward_dynamics_derivatives(m, q, v, inputs={name: 1.0}) for name in ("motor", "motor.torque")]
    assert both[0].dq == both[1].dq
    lin, A_B = dt.linearise(m, inputs=["motor.torque"]), dt.Lineariser(m, inputs=["motor.torque"])
    assert lin.inputs == A_B.inputs == ("motor.torque",)
    assert lin.B[1, 0] == pytest.approx(3.0)
    assert A_B([0.0], [0.0])[1][1, 0] == pytest.approx(3.0)
    for name in ("push.force", "motor.force"):
        with pytest.raises(dt.errors.ChannelError, match=rf'input "{name}": force element ".*" .* has no single force'):
            dt.accelerations(m, q, v, inputs={name: 1.0})


def test_feedback_about_a_state_that_is_no_equilibrium_warns():
    m = dt.Model("pendulum")
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
    m.add_force("motor", dt.JointTorque("A", 0.0))
    linear = dt.linearise(m, {"A": 0.5}, inputs=["motor"])
    with pytest.warns(UserWarning, match=r"not about an equilibrium: the derivative of A"):
        dt.state_feedback(m, linear, [[10.0, 1.0]])
