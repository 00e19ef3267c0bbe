"""Time stepping of cylinders along each other, and of points that go on along a rim."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

import duoti as dt
from duoti.contact.build import rigid_contacts
from duoti.contact.workspace import ContactGeometry

G = 9.81
EXACT = dt.DOPRI5(rtol=1e-9, atol=1e-11)
BIG, SMALL, LONG = 0.5, 0.1, 0.4


def on_a_cylinder(begins: float, spins: float = 0.0) -> dt.Model:
    """A cylinder on a parallel one, both lying along y, without friction, at an angle from the top."""
    m, far = dt.Model("two cylinders"), BIG + SMALL
    m.ground.shapes.append(dt.Shape.cylinder(BIG, 1.0, axis="y"))
    place = (far * math.sin(begins), 0, far * math.cos(begins))
    inertia = dt.Inertia.cylinder(1.0, radius=SMALL, length=LONG, axis="y")
    m.add_body("b", inertia, position=place, shapes=[dt.Shape.cylinder(SMALL, LONG, axis="y")])
    m.add_joint("free", dt.Free(), m.ground, "b", v0=[0, 0, 0, 0, spins, 0])
    m.add_contact("c", dt.RigidContact(), m.ground, "b")
    return m


def test_a_cylinder_that_slides_off_a_cylinder_leaves_where_it_should():
    """cos = 2/3 of that at the start (v² = 2 g (z0 - z), and m v² / r = m g cos); it is not turned, and loses nothing.

    Forces end within a step of that: there it has 1.97 m/s on a radius of 0.6 m.
    """
    begins, h = 0.1, 5e-4
    r = dt.simulate(on_a_cylinder(begins, spins=3.0), 0.9, solver=dt.Moreau(step=h), outputs=h)
    assert r.ok, r.reason
    x, z = r["b.position.x"], r["b.position.z"]
    touching = np.flatnonzero(r["c.normal_force"] > 0.0)
    leaves = math.cos(math.atan2(x[touching[-1]], z[touching[-1]]))
    assert leaves == pytest.approx(2 / 3 * math.cos(begins), abs=2 * h * 1.97 / 0.6)
    # normals through both axes, but for round-off, exert no torque about them
    assert r["b.angular_velocity.y"] == pytest.approx(3.0, abs=1e-10)
    assert abs(r["c.energy_lost"][-1]) < 1e-5


def test_it_comes_to_the_event_driven_motion_with_the_step():
    exact = np.asarray(dt.simulate(on_a_cylinder(0.1), 0.9, solver=EXACT)["b.position"])[-1]
    errors = [
        np.linalg.norm(
            np.asarray(dt.simulate(on_a_cylinder(0.1), 0.9, solver=dt.Moreau(step=h))["b.position"])[-1] - exact
        )
        for h in (2e-3, 1e-3, 5e-4)
    ]
    assert errors[0] < 1e-4  # it was 1e-3 at all steps when normals were not exact
    # a quarter each, of second order, but for where in a step it leaves; of first order it would be a half
    assert errors[2] < 0.4 * errors[1] < 0.16 * errors[0]


@pytest.mark.parametrize("tilt", [0.0, 1e-12, 1e-9, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2])
@pytest.mark.parametrize("across", [True, False], ids=["in the plane of the axes", "out of it"])
def test_normals_of_cylinders_that_are_nearly_parallel(tilt, across):
    """The normal is the one along which the gap of the supports is largest.

    Gaps may differ by 1e-10 of the size of both bodies, 1.3 m here. Out of the plane the axes cross above each other.
    """
    turn = dt.Rotation.about("x" if across else "z", tilt)
    rng = np.random.default_rng(3)
    for apart in (1e-4, -1e-7, -1e-5):
        m = dt.Model("near")
        m.ground.shapes.append(dt.Shape.cylinder(BIG, 1.0, axis="y"))
        a = rng.uniform(-0.5, 0.5)
        place = (BIG + SMALL + apart) * np.array([math.sin(a), 0.0, math.cos(a)]) + [0, 0.05, 0]
        rotation = dt.Rotation.about("y", a).matrix @ turn.matrix
        m.add_body("b", dt.Inertia.sphere(1.0, radius=0.1), position=place, rotation=rotation)
        m.bodies["b"].shapes.append(dt.Shape.cylinder(SMALL, LONG, axis="y"))
        m.add_joint("free", dt.Free(), m.ground, "b")
        m.add_contact("c", dt.RigidContact(), m.ground, "b")
        system = dt.compile(m)
        start, _ = system.initial_state()
        of = rigid_contacts(system)
        assert of is not None
        points = ContactGeometry(system, of, biases=False).points(start, np.zeros(6), 0.01)
        nearest = min(points, key=lambda p: p.gap)
        n = nearest.frame[0] if nearest.frame[0] @ place > 0 else -nearest.frame[0]

        def gap(v: Any, place: Any = place, axis: Any = rotation[:, 1]) -> float:
            u = v / np.linalg.norm(v)
            low = place @ u - SMALL * math.sqrt(max(0.0, 1 - (u @ axis) ** 2)) - LONG / 2 * abs(u @ axis)
            return float(low - BIG * math.hypot(u[0], u[2]) - 0.5 * abs(u[1]))

        assert nearest.gap == pytest.approx(gap(n), abs=1e-9)  # it is the gap of the supports along its normal,
        for size in (1e-8, 1e-6, 1e-4, 1e-2):  # and none has a larger one, near or far
            start = n + size * rng.normal(size=3)
            best = minimize(lambda v: -gap(v), start, method="Nelder-Mead", options={"xatol": 1e-12, "fatol": 1e-16})
            assert -best.fun < nearest.gap + 1e-9


def coin(shape: dt.Shape, tilt: float, spin: Any, **law: Any) -> dt.Model:
    """On its rim, with the velocities of rolling about the point that touches; spin: angular velocity, world axes."""
    sizes = dict(shape.dimensions)
    radius, half = sizes["radius"], sizes.get("length", 0.0) / 2
    arm = np.array(
        [radius * math.cos(tilt) - half * math.sin(tilt), 0, -radius * math.sin(tilt) - half * math.cos(tilt)]
    )
    mass = 0.4
    inertia = np.diag([mass * (radius**2 / 4 + half**2 / 3)] * 2 + [mass * radius**2 / 2])
    m = dt.Model("coin")
    m.ground.shapes.append(dt.Shape.plane())
    turn = dt.Rotation.about("y", tilt)
    m.add_body("b", dt.Inertia(mass, matrix=inertia), position=-arm[2] * np.eye(3)[2], rotation=turn, shapes=[shape])
    m.add_joint("free", dt.Free(), m.ground, "b", v0=[*-np.cross(spin, arm), *spin])
    m.add_contact("c", dt.RigidContact(**law), m.ground, "b")
    return m


def wobble(shape: dt.Shape, friction: float) -> dt.Model:
    """About a centre that stands still: Omega² r sin(tilt) = 4 g of a thin disc (Moffatt 2000)."""
    tilt, radius = 0.4, dict(shape.dimensions)["radius"]
    along = np.array([math.cos(tilt), 0, -math.sin(tilt)])
    turns = math.sqrt(4 * G / (radius * math.sin(tilt)))
    return coin(shape, tilt, turns * math.sin(tilt) * along, friction=friction)


@pytest.mark.parametrize("friction", [0.0, 2.0], ids=["smooth", "rough"])
@pytest.mark.parametrize("shape", [dt.Shape.disc(0.0375), dt.Shape.cylinder(0.0375, 0.01)], ids=["disc", "cylinder"])
def test_a_coin_that_wobbles_keeps_its_energy(shape, friction):
    """8 turns a second: nothing slips, or nothing rubs, so that nothing is lost; errors of a step of 1 ms are of
    second order. Most of the energy was lost in this time when points were not followed."""
    lost = []
    for h in (1e-3, 5e-4):
        r = dt.simulate(wobble(shape, friction), 0.5, solver=dt.Moreau(step=h), outputs=h)
        assert r.ok, r.reason
        # gyroscopic forces of the velocities where a step begins work on the mean ones: an error of second order, too
        assert np.max(np.abs(r.energy.residual)) < 0.01 * float(r.energy.kinetic[0])
        lost.append(abs(float(r["c.energy_lost"][-1])) / float(r.energy.kinetic[0]))
        assert r["c.state"][-1] == (1 if friction else 2)
    assert lost[0] < 3e-3
    assert lost[1] < 0.35 * lost[0]  # a quarter


def test_a_thin_disc_that_wobbles_stays_at_its_angle():
    """Steady (Moffatt 2000): its centre stays where it is, but for some (h Omega)² of its height."""
    r = dt.simulate(wobble(dt.Shape.disc(0.0375), 2.0), 1.0, solver=dt.Moreau(step=5e-4))
    high = 0.0375 * math.sin(0.4)
    assert np.max(np.abs(r["b.position.z"] - high)) < 1e-3 * high


def test_a_coin_that_spins_flat_stops_when_it_should():
    """Four points of the rim bear it alike and rub with mu m g r in all: 2 mu g / r of m r² / 2. Its points jump from
    step to step, and must not be followed."""
    mu, radius, spin = 0.3, 0.04, 20.0
    m = coin(dt.Shape.cylinder(radius, 0.002), 0.0, (0, 0, spin), friction=mu)
    m.joints["free"].v0 = [0, 0, 0, 0, 0, spin]
    r = dt.simulate(m, 0.1, solver=dt.Moreau(step=1e-3), outputs=1e-3)
    assert r.ok
    expected = spin - 2 * mu * G / radius * r.t
    assert r["b.angular_velocity.z"] == pytest.approx(expected, abs=2e-3 * spin)
