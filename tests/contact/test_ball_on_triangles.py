"""Compliant balls on meshes and height fields: exact on planes of triangles, continuous and conservative on hills."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt

R, K, LENGTHS = 0.2, 1e4, (2.0, 2.0)
GRID = np.linspace(-1, 1, 9)


def height(x, y):
    return 0.15 * np.sin(4 * x + 1) * np.cos(3 * y)


HILLS = height(*np.meshgrid(GRID, GRID, indexing="ij"))


def ball(ground: dt.Shape, position=(0.0, 0.0, 0.0), v0=(0, 0, 0), **law) -> dt.Model:
    m = dt.Model("ball")
    b = m.add_body("b", dt.Inertia.sphere(1.0, radius=R), position=position)
    m.add_joint("f", dt.Free(), m.ground, b, v0=[*v0, 0, 0, 0])
    m.add_contact("c", dt.CompliantContact(stiffness=K, **law), m.ground, b, shapes=(ground, dt.Shape.sphere(R)))
    return m


def force(m: dt.Model, q) -> np.ndarray:
    """Of the contact on the ball of 1 kg at q, which does not turn."""
    system = dt.compile(m)
    q = np.array([*q, *([0, 0, 0] if system.nq == 6 else [1, 0, 0, 0])])
    return np.add(dt.accelerations(system, q, np.zeros(6))[:3], [0, 0, 9.81])


def test_triangles_in_a_plane_are_a_plane():
    """On corners, edges and faces, deep and shallow; volumes lose R / D of their digits over edges."""
    flat = ball(dt.Shape.heightfield(np.zeros((9, 9)), LENGTHS))
    rng = np.random.default_rng(1)
    places = [(0, 0), (0.25, 0.125), (0.125, 0.125), (0.25, 0.25), *rng.uniform(-0.5, 0.5, (4, 2))]
    for x, y in places:
        for depth in (1e-3, 0.02, 0.15):
            assert force(flat, (x, y, R - depth)) == pytest.approx([0, 0, K * depth], abs=1e-9 * K * R)


def below(x, y, z, n: int = 500) -> float:
    """Volume of the ball below the triangles of the hills, by columns; cells are cut along their first diagonal."""
    u = (np.arange(n) + 0.5) / n * 2 * R - R
    X, Y = np.meshgrid(x + u, y + u, indexing="ij")
    inside = R**2 - (X - x) ** 2 - (Y - y) ** 2
    half = np.sqrt(np.maximum(inside, 0))
    i, j = (np.clip(np.floor((W + 1) / 0.25).astype(int), 0, 7) for W in (X, Y))
    s, t = (X + 1) / 0.25 - i, (Y + 1) / 0.25 - j
    a, b, c, d = HILLS[i, j], HILLS[i + 1, j], HILLS[i, j + 1], HILLS[i + 1, j + 1]
    lower, upper = a + s * (b - a) + t * (d - b), a + s * (d - c) + t * (c - a)
    return float(np.sum(np.clip(np.where(s >= t, lower, upper) - (z - half), 0, 2 * half)) * (2 * R / n) ** 2)


def depth_of(volume: float) -> float:
    return float(
        min(r.real for r in np.roots([-np.pi / 3, np.pi * R, 0, -volume]) if r.imag == 0 and 0 < r.real < 2 * R)
    )


def test_the_force_is_the_slope_of_the_energy_of_a_cap_of_the_same_volume():
    """The volume by columns of 0.8 mm: errors of their edges are some 1e-4 of it, of differences over 2 cm 1 %."""
    m = ball(dt.Shape.heightfield(HILLS, LENGTHS))
    rng = np.random.default_rng(0)
    step = 0.01
    for x, y in rng.uniform(-0.4, 0.4, (5, 2)):
        place = np.array([x, y, height(x, y) + 0.13])
        slope = []
        for e in np.eye(3):
            low, high = (K * depth_of(below(*(place + way * step * e))) ** 2 / 2 for way in (-1, 1))
            slope.append((low - high) / (2 * step))
        found = force(m, place)
        assert np.linalg.norm(found - slope) < 0.02 * np.linalg.norm(slope)


def test_the_force_is_continuous_over_edges_and_valleys():
    """Along a line of 4 mm steps a force changes by the stiffness times as much, and not by a part of itself."""
    m = ball(dt.Shape.heightfield(HILLS, LENGTHS))
    xs = np.arange(-0.6, 0.6, 0.004)
    forces = np.array([force(m, (x, 0.11, height(x, 0.11) + 0.15)) for x in xs])
    climb = np.abs(np.gradient(height(xs, 0.11), xs)).max()
    assert np.max(np.linalg.norm(np.diff(forces, axis=0), axis=1)) < 3 * K * 0.004 * (1 + climb)


def test_a_ball_rolls_over_hills_without_loss():
    """Frictionless and undamped: energy to the tolerance, over valleys in which it bounces."""
    r = dt.simulate(ball(dt.Shape.heightfield(HILLS, LENGTHS), (-0.3, 0.1, 0.4), (0.8, 0.05, 0)), 0.6)
    assert r.ok, r.reason
    assert np.max(r["c.normal_force"]) > 50.0
    assert np.max(np.abs(r.energy.residual)) < 1e-5 * 9.81


@pytest.mark.full
def test_a_car_on_a_height_field_by_the_default_solver():
    """Four wheels, with friction and damping, and a tie rod between the steered ones, which closes a loop.

    The run ended after 0.14 s with a step too small and the tie rod in its message.
    """
    x, y = np.meshgrid(np.linspace(-5, 5, 41), np.linspace(-3, 3, 25), indexing="ij")
    road = dt.Shape.heightfield(0.05 * np.sin(np.pi * x) * np.cos(y), (10, 6))
    radius, v = 0.3, 5.0
    m = dt.Model("car")
    chassis = m.add_body("chassis", dt.Inertia.box(1200.0, size=(4, 1.6, 0.5)), position=(-2, 0, 0.65))
    m.add_joint("free", dt.Free(), m.ground, chassis, v0=[v, 0, 0, 0, 0, 0])
    law = dt.CompliantContact(stiffness=2e5, damping=2e3, friction=0.8)
    for name, dx, dy in (("fl", 1.3, 0.75), ("fr", 1.3, -0.75), ("rl", -1.3, 0.75), ("rr", -1.3, -0.75)):
        at = (-2 + dx, dy, radius + 0.05)
        hub = m.add_body(f"{name} hub", dt.Inertia.box(20.0, size=(0.2, 0.2, 0.2)), position=at)
        m.add_joint(f"{name} strut", dt.Prismatic("z"), chassis, hub, at=at)
        m.add_force(f"{name} spring", dt.JointSpring(f"{name} strut", stiffness=3e4, damping=3e3, rest=0.1))
        if name[0] == "f":
            knuckle = m.add_body(f"{name} knuckle", dt.Inertia.box(5.0, size=(0.1, 0.1, 0.1)), position=at)
            m.add_joint(f"{name} king pin", dt.Revolute("z"), hub, knuckle, at=at)
            hub = knuckle
        wheel = m.add_body(f"{name} wheel", dt.Inertia.sphere(15.0, radius=radius), position=at)
        m.add_joint(f"{name} axle", dt.Revolute("y"), hub, wheel, at=at, v0=v / radius)
        m.add_contact(f"{name} road", law, m.ground, wheel, shapes=(road, dt.Shape.sphere(radius)))
    ends = [(-0.9, side * 0.65, radius + 0.05) for side in (1, -1)]
    rod = m.add_body("tie rod", dt.Inertia.rod(2.0, length=1.3, axis="y"), position=(-0.9, 0, radius + 0.05))
    m.add_joint("tie left", dt.Universal("x", "z"), "fl knuckle", rod, at=ends[0])
    m.add_joint("tie right", dt.Spherical(), "fr knuckle", rod, at=ends[1])
    m.add_force("steering", dt.JointSpring("fl king pin", stiffness=5e3, damping=50.0))
    r = dt.simulate(m, 0.4)
    assert r.ok, r.reason
    assert r.stats.steps < 20_000
