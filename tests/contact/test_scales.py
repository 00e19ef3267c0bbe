"""Watches and bridges: a model in other units of length, mass and time moves the same way, with the same defaults.

With lengths times L, masses times M and times by sqrt(L), under the same gravity, all equations are the same: what
differs comes of constants with a unit.
"""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt

G = 9.81
SCALES = {
    "watch": (1e-3, 1e-6),
    "toy": (1e-2, 1e-3),
    "bridge": (1e2, 1e6),
    "ship lock": (1e3, 1e9),
    "light": (1.0, 1e-6),
}
DURATION, OUTPUTS = 1.2, 61


def box(L, M):
    """A box that tumbles on a floor."""
    m = dt.Model("box")
    size, turn = (0.2 * L, 0.15 * L, 0.1 * L), dt.Rotation.about((1, 0.3, 0.2), 0.7)
    b = m.add_body("b", dt.Inertia.box(M, size=size), position=(0, 0, 0.3 * L), rotation=turn)
    m.add_joint("f", dt.Free(), m.ground, b, v0=[0.5 * L**0.5, 0, 0, 0, 3 / L**0.5, 0])
    law = dt.RigidContact(friction=0.3, restitution=0.2)
    m.add_contact("c", law, m.ground, b, shapes=(dt.Shape.plane(), dt.Shape.box(size)))
    return m


def pile(L, M):
    """Four plates that fall on each other."""
    m = dt.Model("pile")
    size = (0.2 * L, 0.2 * L, 0.1 * L)
    m.ground.shapes.append(dt.Shape.plane())
    for i in range(4):
        b = m.add_body(
            f"b{i}" if i else "b", dt.Inertia.box(M, size=size), position=(0.01 * L * i, 0, (0.05 + 0.11 * i) * L)
        )
        b.shapes = [dt.Shape.box(size)]
        m.add_joint(f"f{i}", dt.Free(), m.ground, b)
    m.add_contact("c", dt.RigidContact(friction=0.5), "all", "all")
    return m


def drawer(L, M):
    """It slides with friction, strikes a wall and comes back."""
    m = dt.Model("drawer")
    b = m.add_body("b", dt.Inertia.box(M, size=(0.2 * L,) * 3), position=(0, 0, 0))
    m.add_joint("f", dt.Prismatic("x"), m.ground, b, v0=2 * L**0.5)
    m.add_force("rubs", dt.JointFriction("f", constant=0.2 * M * G))
    wall = dt.Shape.box((0.1 * L, L, L), position=(0.6 * L, 0, 0))
    m.add_contact("c", dt.RigidContact(restitution=0.5), m.ground, b, shapes=(wall, dt.Shape.sphere(0.1 * L)))
    return m


def pendulum(L, M):
    """A rod with friction in its pin that falls on a stop."""
    m = dt.Model("pendulum")
    b = m.add_body("b", dt.Inertia.rod(M, length=L, axis="x"), position=(L / 2, 0, 0))
    m.add_joint("j", dt.Revolute("y"), m.ground, b, at=(0, 0, 0), limits=(-2, 0.8))
    m.add_force("rubs", dt.JointFriction("j", constant=0.05 * M * G * L))
    return m


def cushion(L, M):
    """A ball on a soft floor with damping and friction."""
    m = dt.Model("cushion")
    b = m.add_body("b", dt.Inertia.sphere(M, radius=0.1 * L), position=(0, 0, 0.3 * L))
    m.add_joint("f", dt.Free(), m.ground, b, v0=[0.5 * L**0.5, 0, 0, 0, 0, 0])
    law = dt.CompliantContact(
        stiffness=1e4 * M / L, damping=20 * M / L**0.5, friction=0.3, slip_speed=1e-3 * L**0.5
    )  # fmt: skip
    m.add_contact("c", law, m.ground, b, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1 * L)))
    return m


def way(build, L, M, solver) -> np.ndarray:
    times = np.linspace(0, DURATION * L**0.5, OUTPUTS)
    r = dt.simulate(build(L, M), float(times[-1]), solver=solver, outputs=times)
    assert r.ok, r.reason
    return r["b.position"] / L


@pytest.mark.sample("watch", "bridge")
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("build", [box, drawer, pendulum, cushion])
def test_defaults_of_adaptive_runs(build, scale):
    """Tolerances of 1e-8, and atol of 1e-10 in units of the state, over some hundred steps."""
    L, M = SCALES[scale]
    error = np.abs(way(build, L, M, None) - way(build, 1.0, 1.0, None))
    assert np.max(error) < 2e-6


@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("build", [box, pile, drawer, pendulum])
def test_time_stepping_with_a_step_of_the_same_scale(build, scale):
    """Each step is the same: impulses to its tolerance of 1e-8, over 600 steps."""
    L, M = SCALES[scale]
    error = np.abs(way(build, L, M, dt.Moreau(2e-3 * L**0.5)) - way(build, 1.0, 1.0, dt.Moreau(2e-3)))
    assert np.max(error) < 6e-6


@pytest.mark.parametrize("scale", ["watch", "toy", "light"])
def test_the_default_step_of_small_bodies(scale):
    """Plates of 0.1 mm and of 1 mm: where they have come to rest, they are on each other.

    Before they rest, an error of the first order in the step: g h times the time of 0.1 (in which they fall) by L.
    """
    L, M = SCALES[scale]
    m = pile(L, M)
    r = dt.simulate(m, DURATION * L**0.5)
    assert r.ok, r.reason
    assert [r[f"b{i}.position.z" if i else "b.position.z"][-1] / L for i in range(4)] == pytest.approx(
        [0.05 + 0.1 * i for i in range(4)], abs=1e-6
    )
    assert r["c.force.z"][-1] >= 0.0


def test_energy_accumulators_of_heavy_bodies():
    """A heavy ball on a soft floor with a damper, whose force jumps at the touch.

    The tolerance of energies was that of coordinates, 1e-10 J of a jump of 8e8 W, and steps became too small. Now the
    energy balance closes as well as that of a light ball.
    """
    left = []
    for L, M in ((1.0, 1.0), (100.0, 1e6)):
        r = dt.simulate(cushion(L, M), DURATION * L**0.5, solver=dt.DOPRI5())
        assert r.ok, r.reason
        left.append(np.max(np.abs(r.energy.residual)) / (M * G * L))
    # where steps fall beside some 200 jumps of the force decides: 1e-6 to 6e-6 in several builds, for either ball
    assert max(left) < 1e-5
