"""Compliant contact with bristle friction (LuGre): stiction, breakaway, sliding, derivatives, energy, files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import duoti as dt
from duoti.analyses.instant.derivatives import displace

G = 9.81


def lugre(friction: float = 0.5, **more: Any) -> dt.CompliantContact:
    """A law with LuGre friction."""
    return dt.CompliantContact(**{"stiffness": 1e5, "damping": 300.0, "friction": friction, "friction_law": "lugre",
                                  "bristle_damping": 100.0, **more})  # fmt: skip


def block_on_slope(angle: float, law: dt.CompliantContact, speed: float = 0.0) -> dt.Model:
    """A block of 1 kg on an inclined plane, x down the slope, z its normal."""
    m = dt.Model("slope", gravity=(G * np.sin(angle), 0, -G * np.cos(angle)))
    depth = G * np.cos(angle) / (4 * law.stiffness)
    b = m.add_body("block", dt.Inertia.box(1.0, size=(0.2, 0.2, 0.02)), position=(0, 0, 0.01 - depth))
    m.add_joint("free", dt.Free(), m.ground, b, v0=[speed, 0, 0, 0, 0, 0])
    m.add_contact("floor", law, m.ground, b, shapes=(dt.Shape.plane(), dt.Shape.box((0.2, 0.2, 0.02))))
    return m


def test_a_block_on_a_slope_stays() -> None:
    """Below the angle of friction: presliding, then nothing at all. The regularised law creeps for comparison."""
    angle, times = np.arctan(0.3), [10.0, 100.0]
    r = dt.simulate(block_on_slope(angle, lugre()), 100.0, outputs=times, solver=dt.Radau())
    x = r["block.position.x"][-2:].ravel()
    assert 0.0 < x[1] < 0.5 / 1e4  # mu / sigma_0
    # atol of the solver is 1e-10; at rest the rates are zero, and steps change what round-off does
    assert abs(x[1] - x[0]) < 1e-12
    assert r["floor.force"][-1, 0] == pytest.approx(-G * np.sin(angle), rel=1e-9)
    assert r["floor.state"][-1] == 1.0
    creeping = dt.CompliantContact(stiffness=1e5, damping=300.0, friction=0.5)
    r = dt.simulate(block_on_slope(angle, creeping), 100.0, outputs=times, solver=dt.Radau())
    assert np.diff(r["block.position.x"][-2:].ravel())[0] > 0.01


def test_a_sliding_block_slows_down_by_mu_g_and_stays(tmp_path: Path) -> None:
    """v falls by mu g t as long as it slides; from a file as well."""
    m = block_on_slope(0.0, lugre(0.3), speed=1.0)
    m.save(tmp_path / "m.yaml")
    again = dt.load(tmp_path / "m.yaml")
    assert not again.forces
    assert not again.states
    assert 'friction_law="lugre"' in repr(again.contacts["floor"].law).replace("'", '"')
    r = dt.simulate(again, 1.0, outputs=[0.1, 0.2, 0.9, 1.0], solver=dt.Radau())
    v, x = r["block.velocity.x"].ravel(), r["block.position.x"].ravel()
    # bristles need mu / sigma_0 = 0.03 mm to bend, at 1 m/s a moment of 0.03 ms; the normal force swings with the pitch
    assert v[-3] - v[-4] == pytest.approx(-0.3 * G * 0.1, rel=2e-3)
    assert r["floor.force"][-3, 0] == pytest.approx(-0.3 * G, rel=1e-3)
    assert r["floor.normal_force"][-3] == pytest.approx(G, rel=1e-3)
    assert r["floor.state"].ravel().tolist()[-4:] == [2.0, 2.0, 1.0, 1.0]
    first = 1.0 - G * 100.0 * 0.3 / 1e4  # while they bend, the damping of the bristles takes N sigma_1 mu / sigma_0
    assert x[-1] == pytest.approx(first**2 / (2 * 0.3 * G), rel=2e-3)
    assert abs(x[-1] - x[-2]) < 1e-9
    assert np.max(np.abs(r.energy.residual)) < 1e-6  # of 0.5 J


NORMAL = 20.0
ONE = {"stiffness": 1e4, "damping": 0.0, "bristle_stiffness": 2e4, "bristle_damping": 5.0, "friction": 0.3,
       "static_friction": 0.45, "stribeck_velocity": 0.01, "viscous_friction": 0.02}  # fmt: skip


def pulled(rate: float) -> dt.Model:
    """A ball of 2 kg that cannot turn, pressed on a plane by 20 N and pulled along it by a force that grows."""
    m = dt.Model("pulled", gravity=(0, 0, 0))
    b = m.add_body("ball", dt.Inertia.sphere(2.0, radius=0.1), position=(0, 0, 0.1 - NORMAL / 1e4))
    m.add_joint("x", dt.Prismatic("x"), m.ground, b)
    m.add_force("pull", dt.JointTorque("x", f"{rate}*t"))
    m.add_contact("floor", lugre(**ONE), m.ground, b, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
    return m


def reference(rate: float, t: list[float]) -> Any:
    """The law of one dimension (Canudas de Wit et al. 1995), by scipy: x, v, z and the friction."""
    s0, s1, c = ONE["bristle_stiffness"], ONE["bristle_damping"], ONE["viscous_friction"]

    def lugre_state(v: float, z: float) -> tuple[float, float]:
        g = 0.3 + 0.15 * np.exp(-((v / 0.01) ** 2))
        dz = v - s0 * abs(v) / g * z
        return dz, -NORMAL * (s0 * z + s1 * dz + c * v)

    def rates(t: float, y: Any) -> Any:
        dz, friction = lugre_state(y[1], y[2])
        return [y[1], (rate * t + friction) / 2.0, dz]

    y = solve_ivp(rates, (0, t[-1]), [0, 0, 0], "Radau", t, rtol=1e-10, atol=1e-14).y
    return y, np.array([lugre_state(v, z)[1] for v, z in y[1:].T])


@pytest.mark.full
@pytest.mark.parametrize("solver", [dt.DOPRI5(rtol=1e-9, atol=1e-13), dt.Radau(rtol=1e-9, atol=1e-13)])
def test_breakaway_against_one_dimension(solver: Any) -> None:
    """Presliding, breakaway at the static friction, sliding: the same law written in one dimension."""
    t = [0.2, 0.5, 0.7, 0.95, 1.2]
    r = dt.simulate(pulled(10.0), t[-1], outputs=t, solver=solver)
    y, friction = reference(10.0, t)
    # both solvers ask for 1e-9 of states below 1 m; stick and breakaway make errors grow by not more than 100
    np.testing.assert_allclose(r["ball.position.x"].ravel()[-5:], y[0], rtol=1e-6, atol=1e-10)
    np.testing.assert_allclose(r["ball.velocity.x"].ravel()[-5:], y[1], rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(r["floor.bristle_x"].ravel()[-5:], y[2], rtol=1e-6, atol=1e-11)
    np.testing.assert_allclose(r["floor.force"][-5:, 0], friction, rtol=1e-5)
    # 7 N, more than the 6 N of sliding, less than the 9 N of breakaway: as fast as the bristles bend, (1 - 7/9) u
    assert r["ball.velocity.x"].ravel()[-3] == pytest.approx(10.0 / (NORMAL * 2e4) / (1 - 7 / 9), rel=0.05)
    assert r["ball.velocity.x"].ravel()[-2] > 0.01  # 9.5 N: it has broken away
    assert np.max(np.abs(r.energy.residual)) < 1e-8


def ball(law: dt.CompliantContact, speed: float, spin: float, gravity: tuple[float, float, float]) -> dt.Model:
    """A ball of 2 kg with radius 0.1 m on a plane."""
    m = dt.Model("ball", gravity=gravity)
    b = m.add_body("ball", dt.Inertia.sphere(2.0, radius=0.1), position=(0, 0, 0.1 + gravity[2] * 2.0 / law.stiffness))
    m.add_joint("free", dt.Free(), m.ground, b, v0=[speed, 0, 0, 0, 0, spin])
    m.add_contact("floor", law, m.ground, b, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
    return m


def test_a_ball_rolls_down_without_slipping() -> None:
    """a = 5/7 g sin(angle); a ball that slides first rolls at 5/7 of its speed; one that spins stays."""
    g = (0.5, 0.0, -G)
    r = dt.simulate(ball(lugre(), 0.0, 0.0, g), 1.0, outputs=[0.5, 1.0], solver=dt.Radau())
    v = r["ball.velocity.x"].ravel()[-2:]
    # the contact is G 2 kg / k = 0.2 mm nearer than the radius: 2e-3 of it, and twice that in the inertia about it
    assert (v[1] - v[0]) / 0.5 == pytest.approx(0.5 * 5 / 7, rel=4e-3)
    assert r["floor.force"][-1, 0] == pytest.approx(-2.0 * 0.5 * 2 / 7, rel=1e-2)
    assert r["floor.slip_speed"][-1] < 1e-6
    r = dt.simulate(ball(lugre(), 1.0, 0.0, (0.0, 0.0, -G)), 1.0, solver=dt.Radau())
    assert r["ball.velocity.x"].ravel()[-1] == pytest.approx(5 / 7, rel=4e-3)
    r = dt.simulate(ball(lugre(), 0.0, 5.0, (0.0, 0.0, -G)), 1.0, solver=dt.Radau())
    assert np.linalg.norm(r["ball.position"][-1, :2]) < 1e-12
    assert r["ball.angular_velocity.z"].ravel()[-1] == pytest.approx(5.0, rel=1e-12)


def test_two_balls_roll_on_each_other_under_load() -> None:
    """Two balls on axles turn each other with a force F, all but without slip.

    n turns with omega in the axes of the first ball, so that T omega² z of the deflection z = F / (N sigma_0) is lost
    in a second; slip makes it up, of which the part 1 - F / (mu N) bends the bristle.
    """
    m = dt.Model("two balls", gravity=(0, 0, 0))
    turn, arm, depth = 5.0, 0.09995, 1e-4
    for name, height, speed in (("a", 0.0, turn), ("b", 0.2 - depth, -turn)):
        b = m.add_body(name, dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, height))
        m.add_joint(f"axle {name}", dt.Revolute("y"), m.ground, b, v0=speed)
        m.add_force(f"drive {name}", dt.JointTorque(f"axle {name}", 0.1))
    law = lugre(damping=0.0)
    m.add_contact("gear", law, "a", "b", shapes=(dt.Shape.sphere(0.1), dt.Shape.sphere(0.1)))
    r = dt.simulate(m, 2.0, outputs=[1.0, 2.0], solver=dt.Radau())
    force, normal = 0.1 / arm, law.stiffness * depth
    np.testing.assert_allclose(r["gear.force"][-2:, 0], force, rtol=1e-6)
    slip = 1e-3 * turn**2 * force / (normal * 1e4) / (1 - force / (0.5 * normal))
    np.testing.assert_allclose(r["gear.slip_speed"].ravel()[-2:], slip, rtol=1e-3)  # atol of the solver: 1e-10


def test_forces_of_several_pairs() -> None:
    """One contact with balls and a box on a plane that turns: the sum of the forces moves their centre."""
    m = dt.Model("several", gravity=(1.0, 0.5, -G))
    floor = dt.Shape.plane(rotation=dt.Rotation.about("z", 0.5))
    bed = m.add_body("bed", dt.Inertia.sphere(5.0, radius=0.1), rotation=dt.Rotation.about("z", 0.7), shapes=[floor])
    m.add_joint("turn", dt.Revolute("z"), m.ground, bed, v0=0.3)
    shapes = [dt.Shape.sphere(0.1), dt.Shape.box((0.2, 0.2, 0.2)), dt.Shape.sphere(0.1)]
    for k, shape in enumerate(shapes):
        b = m.add_body(f"b{k}", dt.Inertia.box(1.0 + k, size=(0.2, 0.2, 0.2)), position=(k, 0, 0.0999), shapes=[shape])
        m.add_joint(f"j{k}", dt.Free(), m.ground, b, v0=[0.1 * k, 0.2, 0, 0, 0, 0])
    m.add_contact("floor", lugre(damping=50.0), "bed", ["b0", "b1", "b2"])
    r = dt.simulate(m, 0.1, solver=dt.Radau())
    needed = sum((1.0 + k) * (r[f"b{k}.acceleration"] - np.array(m.gravity)) for k in range(3))
    np.testing.assert_allclose(r["floor.force"], needed, atol=1e-9 * 60.0)  # N; the same law, summed in another order
    assert np.max(np.abs(r.energy.residual)) < 1e-6


def test_equilibrium_and_implicit_solvers() -> None:
    """In equilibrium the bristles bear the weight; beyond the cone there is none. All implicit solvers agree."""
    angle = np.arctan(0.3)
    e = dt.equilibrium(block_on_slope(angle, lugre()))
    assert e.ok
    steep = dt.equilibrium(block_on_slope(np.arctan(0.6), lugre()))
    assert not steep.ok
    system = dt.compile(block_on_slope(angle, lugre()))
    solvers = [dt.Radau(rtol=1e-9, atol=1e-12), dt.Rodas(rtol=1e-8, atol=1e-11), dt.GeneralisedAlpha(step=2e-5),
               dt.IDA(rtol=1e-8, atol=1e-11)]  # fmt: skip
    x = [dt.simulate(system, 0.05, solver=each)["block.position.x"].ravel()[-1] for each in solvers]
    np.testing.assert_allclose(x, x[0], rtol=1e-4)  # of 0.05 mm; the second order of the alpha method is the coarsest


def touching(shapes: tuple[dt.Shape, dt.Shape], height: float) -> dt.System:
    """Two bodies that overlap, one of them behind a hinge on a third."""
    m = dt.Model("two", gravity=(0, 0, 0))
    arm = m.add_body("arm", dt.Inertia.sphere(1.0, radius=0.1), position=(0.0, 0.1, -0.2))
    a = m.add_body("a", dt.Inertia.sphere(1.0, radius=0.3))
    b = m.add_body("b", dt.Inertia.box(2.0, size=(0.5, 0.6, 0.7)), position=(0.05, 0.02, height))
    m.add_joint("base", dt.Free(), m.ground, arm)
    m.add_joint("hinge", dt.Revolute((1, 2, 3)), arm, a, at=(0.1, 0.0, 0.0))
    m.add_joint("free", dt.Free(), m.ground, b)
    law = lugre(0.4, stiffness=2e3, exponent=1.5, damping=0.3, damping_law="hunt_crossley", viscous_friction=0.1,
                bristle_stiffness=50.0, bristle_damping=0.3, static_friction=0.6, stribeck_velocity=0.3)  # fmt: skip
    m.add_contact("touch", law, a, b, shapes=shapes)
    return dt.compile(m)


@pytest.mark.parametrize(
    ("shapes", "height"),
    [((dt.Shape.sphere(0.3), dt.Shape.box((0.4, 0.5, 0.6))), 0.55),
     ((dt.Shape.plane(), dt.Shape.ellipsoid((0.2, 0.3, 0.4))), 0.2)],
)  # fmt: skip
def test_derivatives_power_and_momentum(shapes: tuple[dt.Shape, dt.Shape], height: float) -> None:
    """Derivatives of accelerations and of the rates of bristles against central differences; energy and momentum."""
    system = touching(shapes, height)
    random = np.random.default_rng(2)
    q, v = system.initial_state()[:2]
    q, v = displace(system, q, 0.03 * random.normal(size=system.nv)), 0.2 * random.normal(size=system.nv)
    z, h, n = 0.004 * random.normal(size=3), 1e-6, system.nv
    d = dt.analyses.forward_dynamics_derivatives(system, q, v, z=z)
    D, e = np.vstack([np.hstack([d.dq, d.dv, d.dz]), dt.linearise(system, (q, v, z)).A[2 * n :]]), np.eye(2 * n + 3)

    def rates(d: Any) -> Any:
        at = (displace(system, q, h * d[:n]), v + h * d[n : 2 * n], z + h * d[2 * n :])
        seen = dt.simulate(system, 1e-12, at=at, solver=dt.DOPRI5())
        return np.concatenate(
            [
                dt.accelerations(system, at[0], at[1], z=at[2]),
                [seen[f"touch.bristle_{x}.rate"].ravel()[0] for x in "xyz"],
            ]
        )

    for i in range(2 * n + 3):
        slope = (rates(e[i]) - rates(-e[i])) / (2 * h)
        np.testing.assert_allclose(D[:, i], slope, rtol=1e-6, atol=3e-5)
    r = dt.simulate(system, 0.02, at=(q, v, z), solver=dt.DOPRI5(rtol=1e-11, atol=1e-12))
    assert np.max(np.abs(r.energy.residual)) < 1e-9
    np.testing.assert_allclose(r.linear_momentum, r.linear_momentum[[0]].repeat(len(r), axis=0), atol=1e-9)
    np.testing.assert_allclose(r["touch.force"], 2.0 * r["b.acceleration"], atol=1e-6)


def test_lugre_states_are_reset_when_contacts_open() -> None:
    """Out of contact they lose what they had within some milliseconds: exp(-t / 1 ms)."""
    m = dt.Model("apart", gravity=(0, 0, 0))
    b = m.add_body("ball", dt.Inertia.sphere(2.0, radius=0.1), position=(0, 0, 0.2))
    m.add_joint("free", dt.Free(), m.ground, b)
    m.add_contact("floor", lugre(), m.ground, b, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
    q, v, *_ = dt.compile(m).initial_state()
    r = dt.simulate(m, 5e-3, at=(q, v, [1e-5, 0, 0]), solver=dt.DOPRI5(rtol=1e-10, atol=1e-16))
    assert r["floor.bristle_x"].ravel()[-1] == pytest.approx(1e-5 * np.exp(-5.0), rel=1e-8)


def test_what_cannot_be_is_refused_by_name() -> None:
    """Pairs whose points come and go, and numbers that contradict each other."""
    m = dt.Model("refused")
    b = m.add_body("can", dt.Inertia.cylinder(1.0, radius=0.1, length=0.2), position=(0, 0, 0.1))
    m.add_joint("free", dt.Free(), m.ground, b)
    m.add_contact("floor", lugre(), m.ground, b, shapes=(dt.Shape.plane(), dt.Shape.cylinder(0.1, 0.2)))
    with pytest.raises(dt.ModelError, match=r'cylinder of "can".*lugre.*\n?.*regularised'):
        dt.compile(m)
    for wrong, text in (
        ({"friction": 0.0}, "friction is zero"),
        ({"bristle_stiffness": 0.0}, "bristle_stiffness is zero"),
        ({"static_friction": 0.6}, "go together"),
        ({"static_friction": 0.1, "stribeck_velocity": 0.1}, "below friction"),
        ({"static_friction": 0.6, "friction_law": "regularised"}, 'is for friction_law="lugre"'),
        ({"friction_law": "dahl"}, "choose one of regularised, lugre"),
    ):
        assert any(text in fault.text for fault in lugre(**wrong).faults())  # pyright: ignore[reportArgumentType]
