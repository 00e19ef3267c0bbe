"""States that obey loops and constraints, their Jacobian with names, and functions of an instant that demand them."""

from __future__ import annotations

import numpy as np
import pytest
from test_assembly import BASE, COUPLER, ROCKER, _elbow, four_bar

import duoti as dt


def test_a_state_is_closed_and_rates_follow():
    system = dt.compile(four_bar(), force_cut=["C"])
    q, v = system.state({"A": 0.6}, rates={"A": 1.5})
    jacobian = dt.analyses.constraint_jacobian(system, q, v)
    assert np.abs(jacobian.matrix @ v).max() < 1e-12
    names = dict(zip(system.rate_names, v, strict=True))
    tip, wanted = np.array([np.sin(0.6), np.cos(0.6)]), None
    wanted = _elbow(tip, np.array([BASE, 0.0]), COUPLER, ROCKER, up=True)
    d, arm = wanted - tip, wanted - [BASE, 0]  # the coupler keeps its length: the rocker's rate by hand
    rocker = (1.5 * np.array([np.cos(0.6), -np.sin(0.6)]) @ d) / (np.array([arm[1], -arm[0]]) @ d)
    assert names["A.rate"] == 1.5
    assert names["D.rate"] == pytest.approx(rocker, abs=1e-10)
    assert jacobian.freedoms == 1
    assert jacobian.rank == 2
    assert jacobian.redundant == 3
    ratio = dict(zip(jacobian.columns, jacobian.free[:, 0], strict=True))
    assert ratio["D.rate"] / ratio["A.rate"] == pytest.approx(rocker / 1.5, rel=1e-10)
    assert jacobian.free_names[0] in system.rate_names
    assert ratio[jacobian.free_names[0]] == 1.0
    assert np.allclose(jacobian.basis.T @ jacobian.basis, 1.0)
    assert np.abs(jacobian.matrix @ jacobian.basis).max() < 1e-12
    assert {name.split(".")[0] for name in jacobian.rows} == {"C"}
    assert "C.position.x" in jacobian.rows
    assert "free: " in str(jacobian)


def test_what_is_named_comes_before_initial_values():
    system = dt.compile(four_bar(crank=0.3, rate=1.0), force_cut=["C"])
    q, v = system.state()
    assert q[system.joints["A"].q[0]] == 0.3
    assert v[system.joints["A"].v[0]] == 1.0
    q, v = system.state({"A": 0.8})
    assert q[system.joints["A"].q[0]] == 0.8
    assert v[system.joints["A"].v[0]] == 1.0
    q, v = system.state({"D": 0.1}, rates={"D": -0.5})  # contradicts both: they are given up
    assert q[system.joints["D"].q[0]] == 0.1
    assert v[system.joints["D"].v[0]] == -0.5
    dt.analyses.constraint_jacobian(system, q, v)


def test_a_cut_joint_can_be_named():
    m = four_bar()
    system, other = dt.compile(m, force_cut=["D"]), dt.compile(m, force_cut=["C"])
    q, v = system.state({"D": 0.1}, rates={"D": -0.5})
    q_other, v_other = other.state({"D": 0.1}, rates={"D": -0.5})
    crank = [s.joints["A"] for s in (system, other)]
    assert q[crank[0].q] == pytest.approx(q_other[crank[1].q], abs=1e-9)
    assert v[crank[0].v] == pytest.approx(v_other[crank[1].v], abs=1e-9)


def test_what_cannot_be_closed_is_refused_with_names():
    system = dt.compile(four_bar(), force_cut=["C"])
    with pytest.raises(dt.ModelError, match='"C"'):
        system.state({"A": 0.6, "D": 1.4})
    with pytest.raises(dt.ModelError, match='tear joint "C" apart'):
        system.state(rates={"A": 1.0, "D": 2.0})
    with pytest.raises(dt.errors.ChannelError, match="Did you mean 'A'"):
        system.state({"a": 0.6})


def coin(**given) -> dt.Model:
    m = dt.Model("coin")
    body = m.add_body("coin", dt.Inertia.cylinder(1.0, 0.5, 0.01, axis="y"), position=(0, 0, 0.5))
    m.add_joint("free", dt.Free(), m.ground, body, **given)
    m.add_marker("hub", body, rotation=dt.Rotation.about("x", -np.pi / 2))  # its z is the axis of the coin
    m.add_constraint("rolls", dt.RollingDisc("hub", radius=0.5))
    return m


def test_part_of_the_rates_of_a_joint_is_enough():
    """A rolling disc with its angular velocity: the velocity follows, v = r omega."""
    r = dt.simulate(coin(v0={"angular_velocity": (0, 4.0, 0)}), duration=0.5)
    assert r.ok
    assert r["coin.velocity"][0] == pytest.approx((2.0, 0, 0), abs=1e-12)
    assert r["coin.position"][-1, 0] == pytest.approx(1.0, abs=1e-6)
    system = dt.compile(coin())
    _q, v = system.state(rates={"free": {"angular_velocity": (0.3, 4.0, 0)}})
    assert v == pytest.approx((2.0, -0.15, 0.0, 0.3, 4.0, 0.0), abs=1e-12)  # v = omega x (0, 0, r)
    _q, v = system.state(rates={"free": {"velocity": (2.0, 0, 0)}})  # the other way round, of least norm
    assert v == pytest.approx((2.0, 0, 0, 0, 4.0, 0), abs=1e-12)
    with pytest.raises(dt.ModelError, match="rolls"):
        system.state(rates={"free": (1.0, 0, 0, 0, 4.0, 0)})  # all are given, and they slip


def test_part_of_the_coordinates_keeps_the_others_as_they_start():
    system = dt.compile(coin(q0={"position": (1.0, 2.0, 0)}))
    half = np.sqrt(0.5)
    q, _ = system.state({"free": {"rotation": (half, 0, 0, half)}})
    assert q == pytest.approx((1, 2, 0, half, 0, 0, half), abs=1e-12)


@pytest.mark.parametrize(
    "function", [dt.accelerations, dt.analyses.forward_dynamics_derivatives, dt.analyses.constraint_jacobian]
)
def test_an_open_state_is_refused_with_names(function):
    system = dt.compile(four_bar(), force_cut=["C"])
    q, v = system.state(rates={"A": 1.5})
    function(system, q, v)
    torn = v.copy()
    torn[system.joints["D"].v] += 0.1
    with pytest.raises(ValueError, match=r'joint "C" comes apart at .* \(joints .*A.*\)'):
        function(system, q, torn)
    opened = q.copy()
    opened[system.joints["D"].q] += 0.1
    with pytest.raises(ValueError, match='joint "C" is open by'):
        function(system, opened, np.zeros(3))


def test_inverse_dynamics_with_a_closed_loop():
    m = four_bar()
    m.add_force("motor", dt.JointTorque("A", "3 + 2*t"))
    system = dt.compile(m, force_cut=["C"])
    q, v = system.state({"A": 0.6}, rates={"A": 1.5})
    a = dt.accelerations(system, q, v, 0.5)
    assert np.abs(dt.inverse_dynamics(system, q, v, a, 0.5)).max() < 1e-10  # nothing beside the motor is needed
    wanted = a + dt.analyses.constraint_jacobian(system, q).free @ [2.0]
    tau = dt.inverse_dynamics(system, q, v, wanted, 0.5)
    for name, layout in system.joints.items():
        if layout.closure < 0:
            m.add_force(f"extra {name}", dt.JointTorque(name, float(tau[layout.v[0]])))
    driven = dt.compile(m, force_cut=["C"])
    assert np.allclose(dt.accelerations(driven, q, v, 0.5), wanted, rtol=0, atol=1e-9)
    with pytest.raises(ValueError, match=r'tear joint "C" apart at [\d.]+ m/s²;'):
        dt.inverse_dynamics(system, q, v, a + 1.0, 0.5)
    with pytest.raises(ValueError, match="multipliers="):
        dt.analyses.inverse_dynamics_derivatives(system, q, v, a)


def test_simulate_refuses_a_state_that_is_torn_apart():
    system = dt.compile(four_bar(), force_cut=["C"])
    q, v = system.state(rates={"A": 1.5})
    with pytest.raises(ValueError, match='joint "C" is open by'):
        dt.simulate(system, 0.1, at=(q + 0.01, v))
    with pytest.raises(ValueError, match='joint "C" comes apart'):
        dt.simulate(system, 0.1, at=(q, v + 0.1))


def test_a_prescribed_motion_counts_at_its_time():
    m = dt.Model("driven")
    rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
    m.add_constraint("drive", dt.JointMotion("A", "0.2 + 3*t"))
    system = dt.compile(m)
    q, v = system.state(t=0.1)
    assert q == pytest.approx([0.5], abs=1e-12)
    assert v == pytest.approx([3.0], abs=1e-12)
    assert dt.analyses.constraint_jacobian(system, q, v, t=0.1).drift == pytest.approx([-3.0])
