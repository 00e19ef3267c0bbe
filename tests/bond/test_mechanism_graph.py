"""The mechanism as a bond graph with unknown reactions, against the recursions: two ways that share only the joints."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.instant.mechanism_graph import equations_of, mechanism_graph, reactions_by_graph
from duoti.examples import four_bar, motor_robot, robot_arm


def arm() -> dt.Model:
    m = dt.Model("arm", gravity=(0.5, -0.3, -9.81))
    inertia = dt.Inertia(2.0, com=(0.1, 0.05, -0.02), matrix=[[0.1, 0.01, 0], [0.01, 0.2, 0.02], [0, 0.02, 0.15]])
    joints = (dt.Revolute("z"), dt.Universal("x", "y"), dt.Prismatic((0, 1, 1)), dt.Spherical())
    for k, joint in enumerate(joints):
        rate = 0.7 - 0.4 * k if joint.nv == 1 else [0.3 + 0.2 * i for i in range(joint.nv)]
        m.add_body(f"b{k}", inertia, position=(0.3 * k, 0.1 * k, 0))
        m.add_joint(f"J{k}", joint, "ground" if not k else f"b{k - 1}", f"b{k}", at=(0.3 * k, 0.1 * k, 0), v0=rate)
    m.add_force("motor", dt.JointTorque("J0", "3"))
    m.add_force("push", dt.JointTorque("J2", "-5"))
    m.add_force("pull", dt.AppliedForce("b3", (1, 2, 3)))
    return m


@pytest.mark.parametrize("build", [arm, four_bar.build, robot_arm.build], ids=["arm", "four-bar", "robot"])
def test_same_accelerations_and_reactions(build):
    m = build()
    for body in m.bodies.values():  # rods without thickness have no momentum about their axis
        i = body.inertia
        body.inertia = dt.Inertia(i.mass, i.com, i.matrix + 1e-3 * np.eye(3))
    r = dt.simulate(m, 0.2, outputs=0.1, solver=dt.DOP853(rtol=1e-11, atol=1e-11))
    found = reactions_by_graph(r.system, r.q[2], r.v[2], t=float(r.t[2]))
    size = max(np.max(np.abs(r[f"{body}.acceleration"][2])) for body in m.bodies)
    for body in m.bodies:
        alpha = r[f"{body}.angular_acceleration"][2]
        assert found.angular_acceleration[body] == pytest.approx(alpha, abs=1e-7 * (1 + np.max(np.abs(alpha)))), body
        R, omega = r[f"{body}.rotation"][2], r[f"{body}.angular_velocity"][2]
        lever = dt.Rotation.from_any(R).matrix @ m.bodies[body].inertia.com
        a = r[f"{body}.acceleration"][2] + np.cross(alpha, lever) + np.cross(omega, np.cross(omega, lever))
        assert found.acceleration[body] == pytest.approx(a, abs=1e-7 * size), body  # differences of dJc/dt: 1e-9
    if build is four_bar.build:
        return  # over-constrained in space: the reactions of least norm depend on how equations are scaled
    for joint in m.joints:
        force, torque = r[f"{joint}.reaction_force"][2], r[f"{joint}.reaction_torque"][2]
        assert found.reaction_force[joint] == pytest.approx(force, abs=1e-6 * (1 + np.max(np.abs(force)))), joint
        assert found.reaction_torque[joint] == pytest.approx(torque, abs=1e-6 * (1 + np.max(np.abs(torque)))), joint


def test_the_graph_keeps_integral_causality_and_can_be_drawn():
    g = mechanism_graph(arm())
    assert g.causality().derivative == []
    assert g.draw().startswith("<svg")
    assert {"b0.vx", "b0.J", "J0.c0", "J0.child"} <= set(g.elements)


def test_equations_of_both_cases_of_the_paper():
    """A rod on a pivot, turning at 2 rad/s: the weight's share of the pivot is m g (1 - m l²/J), the rest m l w²."""
    m = dt.Model("pendulum")
    m.add_body("rod", dt.Inertia(2.0, matrix=np.diag([0.01, 0.2, 0.2])), position=(0.5, 0, 0))
    m.add_joint("J", dt.Revolute("-y"), m.ground, "rod", at=(0, 0, 0), v0=2.0)
    rigid = dt.textbook.mechanism_equations(m)
    assert "d(rod.mz.momentum)/dt = -19.62 - J.e0" in rigid
    assert "J.e0 = -5.60571" in rigid  # 19.62 (1 - 0.5 / 0.7)
    assert "J.e1 = 10*rod.J.momentum2" in rigid  # p2 = -J w = -0.4: -4 N = -m l w²
    damped = dt.textbook.mechanism_equations(m, joint_damping=1e4)
    assert "0 = 0.5*rod.mx.momentum + 0.0001*J.e1" in damped
    assert "J.e1 = -5000*rod.mx.momentum" in damped
    assert r"\dot{p}_{\mathrm{rod.mx}} &= e_{\mathrm{J.e1}} \\" in dt.textbook.mechanism_equations(m, latex=True)


def test_damped_joints_yield_to_the_reactions_of_rigid_ones():
    """At rest, dX/dt = a0 - B D^-1 Jc X: the efforts tend to those of (20), fast if the damping is strong."""
    from scipy.linalg import expm

    m = arm()
    system = dt.compile(m)
    q, v = system.initial_state()[0], np.zeros(system.nv)
    rigid, soft = equations_of(system, q, v, 0.0, None), equations_of(system, q, v, 0.0, 1e6)
    n = len(soft.X)
    flow = np.zeros((n + 1, n + 1))
    flow[:n, :n], flow[:n, n] = soft.A + soft.B @ soft.U_X, soft.a0
    X = expm(flow * 1e-3)[:n, n]  # thousands of the time constants, which are masses over 1e6
    efforts = soft.U_X @ X
    assert efforts == pytest.approx(rigid.efforts, abs=1e-6 * np.max(np.abs(rigid.efforts)))


def test_what_the_graph_would_leave_out_is_refused_by_name():
    m = four_bar.build()
    first, second, *_ = m.joints
    m.add_constraint("gear", dt.Coupler({first: 1.0, second: 0.5}))
    with pytest.raises(ValueError, match='would leave out constraint "gear"'):
        mechanism_graph(m)
    with pytest.raises(ValueError, match='the rotor inertia of joint "q1"'):
        reactions_by_graph(motor_robot.build())
    with pytest.raises(ValueError, match="joint_damping is 0"):
        mechanism_graph(arm(), joint_damping=0.0)
