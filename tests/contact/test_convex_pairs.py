"""The general algorithm for convex shapes: cylinders, discs, ellipsoids against boxes and each other."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.model.pairs import SHAPE_PAIRS
from duoti.model.pairs.general_pairs import ConvexPair
from duoti.results.evaluate.contact_points import points_over_time
from support.contact_points import random_pose, separation, two

SHAPES = {
    "sphere": dt.Shape.sphere(0.1),
    "capsule": dt.Shape.capsule(0.1, 0.5),
    "box": dt.Shape.box((0.3, 0.4, 0.5)),
    "cylinder": dt.Shape.cylinder(0.2, 0.5),
    "disc": dt.Shape.disc(0.3),
    "ellipsoid": dt.Shape.ellipsoid((0.2, 0.3, 0.1)),
}
CURVED = [k for k, p in SHAPE_PAIRS.items() if issubclass(p, ConvexPair) and "mesh" not in k]
G = 9.81


@pytest.mark.parametrize("kind", CURVED)
def test_no_direction_parts_them_better(kind):
    """The gap is the separation along its normal, and the largest one of all directions: distance, or least overlap.

    Along the normal to round-off (1e-12) where Newton's method has polished it, which it has in all but a few of a
    thousand poses: there to 2e-7 of the size, where the polytope ends. Of 3000 random directions none is better.
    """
    first, second = kind.split("_")
    a, b = SHAPES[first], SHAPES[second]
    points, rng = two(a, b), np.random.default_rng(7)
    directions = rng.normal(size=(3000, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    rough, overlaps = 0, 0
    for _ in range(200):
        q = np.r_[random_pose(rng, 0.15), random_pose(rng, 0.15)]
        gap, _, normal = points(q)
        i = int(np.argmin(gap))
        error = abs(gap[i] - separation(normal[i], q, a, b))
        assert error < 3e-7
        rough += error > 1e-12
        assert separation(directions, q, a, b).max() < gap[i] + 3e-7
        overlaps += gap[i] < 0.0
    assert rough <= 4
    assert overlaps > 50


@pytest.mark.parametrize("kind", CURVED)
def test_against_mujoco(kind):
    """Distances of shapes that are apart (mj_geomDistance), to the tolerance that its iteration is given, 1e-6."""
    mujoco = pytest.importorskip("mujoco")
    first, second = kind.split("_")
    if "disc" in kind:
        pytest.skip("MuJoCo has no disc")
    sizes = {"sphere": "0.1", "capsule": "0.1 0.25", "box": "0.15 0.2 0.25", "cylinder": "0.2 0.25"}
    sizes["ellipsoid"] = "0.2 0.3 0.1"
    bodies = "".join(
        f'<body name="{n}"><freejoint/><geom name="{n}" type="{k}" size="{sizes[k]}"/></body>'
        for n, k in (("a", first), ("b", second))
    )
    option = '<option><flag nativeccd="enable"/></option>'
    model = mujoco.MjModel.from_xml_string(f"<mujoco>{option}<worldbody>{bodies}</worldbody></mujoco>")
    model.opt.ccd_tolerance, model.opt.ccd_iterations = 1e-9, 200
    data, fromto = mujoco.MjData(model), np.zeros(6)
    points, rng, compared = two(SHAPES[first], SHAPES[second]), np.random.default_rng(8), 0
    for _ in range(60):
        q = np.r_[random_pose(rng, 0.4), random_pose(rng, 0.4)]
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        theirs = mujoco.mj_geomDistance(model, data, 0, 1, 10.0, fromto)
        if theirs > 0.0:
            assert points(q)[0].min() == pytest.approx(theirs, abs=1e-6)
            compared += 1
    assert compared > 20


def rolling(tilt, solver, shape=None, **given):
    """A cylinder across a ramp that is a box."""
    m = dt.Model("ramp", gravity=(G * np.sin(tilt), 0, -G * np.cos(tilt)))
    b = m.add_body("b", dt.Inertia.cylinder(2.0, radius=0.1, length=0.6, axis="y"), position=(-1.0, 0.03, 0.1))
    m.add_joint("free", dt.Free(), m.ground, b)
    shapes = (dt.Shape.box((8, 2, 0.5), position=(0, 0, -0.25)), shape or dt.Shape.cylinder(0.1, 0.6, "y"))
    m.add_contact("ramp", dt.RigidContact(friction=0.5), m.ground, b, shapes=shapes)
    return dt.simulate(m, 1.0, outputs=[0.5, 1.0], solver=solver, **given)


@pytest.mark.parametrize("solver", [dt.Moreau(step=1e-3), dt.DOPRI5()])
def test_a_cylinder_rolls_down_a_box(solver):
    """x = g sin(tilt) t^2 / 3. Moreau's midpoint rule is exact for a constant acceleration but for the step in which
    rolling begins (h v = 1e-3 * 3.4e-3 m); located to the tolerance of the solver."""
    r = rolling(0.3, solver)
    assert r.ok, r.reason
    wanted = -1.0 + G * np.sin(0.3) * r.t**2 / 3
    assert r["b.position.x"] == pytest.approx(wanted, abs=5e-6 if isinstance(solver, dt.Moreau) else 1e-7)
    assert r["b.position.z"] == pytest.approx(0.1, abs=1e-8)
    assert r["b.position.y"] == pytest.approx(0.03, abs=1e-8)
    assert r["ramp.normal_force"][-1] == pytest.approx(2 * G * np.cos(0.3), rel=1e-6)


def test_a_cylinder_stands_on_a_box_and_falls_over_its_edge():
    """On its end it stands still, with its weight; beyond the edge of the box by more than half it falls."""

    def end(x):
        m = dt.Model("stand")
        b = m.add_body("b", dt.Inertia.cylinder(2.0, radius=0.1, length=0.6), position=(x, 0, 0.3))
        m.add_joint("free", dt.Free(), m.ground, b)
        shapes = (dt.Shape.box((1, 1, 0.5), position=(0, 0, -0.25)), dt.Shape.cylinder(0.1, 0.6))
        m.add_contact("table", dt.RigidContact(friction=0.5), m.ground, b, shapes=shapes)
        r = dt.simulate(m, 1.0, outputs=[1.0], solver=dt.Moreau(step=1e-3))
        assert r.ok, r.reason
        return r

    for x in (0.1, 0.49):
        r = end(x)
        assert r["b.position"][-1] == pytest.approx([x, 0, 0.3], abs=1e-9)
        assert r["table.normal_force"][-1] == pytest.approx(2 * G, rel=1e-6)
    assert end(0.53)["b.position.z"][-1] < 0.2


def test_ends_of_cylinders_carry_moments():
    """A tower of cylinders, the upper ones shifted by a part of their radius: it stands, and the forces add up."""
    m = dt.Model("tower")
    m.ground.shapes.append(dt.Shape.box((1, 1, 0.1), position=(0, 0, -0.05)))
    for k, x in enumerate((0.0, 0.03, -0.02)):
        mass = dt.Inertia.cylinder(1.0, radius=0.1, length=0.2)
        b = m.add_body(f"b{k}", mass, position=(x, 0, 0.1 + 0.2 * k))
        m.add_joint(f"f{k}", dt.Free(), m.ground, b)
    m.add_contact("touch", dt.RigidContact(friction=0.5), "all", "all")
    r = dt.simulate(m, 0.5, outputs=[0.0, 0.5], solver=dt.Moreau(step=1e-3))
    assert r.ok, r.reason
    assert r["touch.normal_force"][-1] == pytest.approx(6 * G, rel=1e-6)
    for k in range(3):
        assert r[f"b{k}.position"][-1] == pytest.approx(r[f"b{k}.position"][0], abs=1e-8)


def test_an_ellipsoid_rocks_on_a_box_without_loss():
    """Small rocking of a spheroid about its flat side: w^2 = m g (rho - c) / (I + m c^2), rho = a^2 / c (Routh 1905).

    Located by events: the energy is kept. The period grows with the square of the amplitude A (a few A^2, from the
    radius of curvature that falls off), so that angles are right to 20 A^3 after a period.
    """
    a, c, mass = 0.2, 0.1, 1.5
    inertia = dt.Inertia.ellipsoid(mass, semi_axes=(a, a, c))
    m = dt.Model("egg")
    b = m.add_body("b", inertia, position=(0, 0, c))
    tilt = 0.002
    height = np.hypot(a * np.sin(tilt), c * np.cos(tilt))
    m.add_joint("free", dt.Free(), m.ground, b, q0=[0, 0, height - c, np.cos(tilt / 2), 0, np.sin(tilt / 2), 0])
    shapes = (dt.Shape.box((1, 1, 0.5), position=(0, 0, -0.25)), dt.Shape.ellipsoid((a, a, c)))
    m.add_contact("table", dt.RigidContact(friction=2.0), m.ground, b, shapes=shapes)
    about = mass * (a * a + c * c) / 5 + mass * c * c
    w = np.sqrt(mass * G * (a * a / c - c) / about)
    period = 2 * np.pi / w
    r = dt.simulate(m, period, outputs=period * np.arange(5) / 4, rtol=1e-9, atol=1e-11)
    assert r.ok, r.reason
    assert "Moreau" not in r.stats.solver
    assert 2 * r["b.rotation"][:, 2] == pytest.approx(tilt * np.array([1, 0, -1, 0, 1]), abs=20 * tilt**3)
    assert np.max(np.abs(r.energy.residual)) < 1e-8


@pytest.mark.parametrize("end", [dt.Shape.cylinder(0.2, 0.1, position=(0, 0, -0.05)), dt.Shape.disc(0.2)])
@pytest.mark.parametrize("line", [dt.Shape.capsule(0.03, 0.6, axis="x"), dt.Shape.cylinder(0.03, 0.6, axis="x")])
def test_a_line_over_a_round_end_is_cut_off_at_its_rim(end, line):
    """At the ends of the chord, sqrt(R² - y²) from its middle, wherever it is: not at those of a polygon."""
    for aside in (0.0, 0.07, 0.15, 0.19):
        m = dt.Model("chord")
        b = m.add_body("b", dt.Inertia.sphere(1.0, radius=0.1), position=(0.02, aside, 0.03))
        m.add_joint("free", dt.Free(), m.ground, b)
        m.add_contact("end", dt.RigidContact(), m.ground, b, shapes=(end, line))
        r = dt.simulate(m, 1e-4, solver=dt.Moreau(1e-5), outputs=[0.0, 1e-4])
        points = points_over_time(r, "end")
        x = np.sort(points.place[0, points.gap[0] < 1e-9, 0])
        half = np.sqrt(0.2**2 - aside**2)
        np.testing.assert_allclose(x, [-half, half], rtol=0.0, atol=1e-12)
