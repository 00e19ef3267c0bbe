"""Non-convex meshes: convex shapes on terrain, in bowls and rings."""

from __future__ import annotations

import numpy as np
import pytest
from test_convex_pairs import random_pose, two

import duoti as dt
from duoti.formats.mesh.mesh import read_mesh
from support.meshes import CUBE, ring, terrain, write_obj, write_triangles

G = 9.81
CONVEX = {
    "sphere": dt.Shape.sphere(0.1),
    "capsule": dt.Shape.capsule(0.05, 0.3),
    "box": dt.Shape.box((0.3, 0.2, 0.1)),
    "cylinder": dt.Shape.cylinder(0.1, 0.2),
    "ellipsoid": dt.Shape.ellipsoid((0.15, 0.1, 0.05)),
}


def waves(x, y):
    return 0.1 * np.sin(3 * x) * np.cos(2 * y)


def from_points(p, a, b, c):
    """Distances of a point from triangles, by their faces, edges and corners."""
    n = np.cross(b - a, c - a)
    n /= np.linalg.norm(n, axis=1)[:, None]
    inside, best = np.ones(len(a), bool), np.full(len(a), np.inf)
    for u, v in ((a, b), (b, c), (c, a)):
        inside &= np.einsum("ij,ij->i", np.cross(v - u, p - u), n) >= 0
        t = np.clip(np.einsum("ij,ij->i", p - u, v - u) / np.einsum("ij,ij->i", v - u, v - u), 0, 1)
        best = np.minimum(best, np.linalg.norm(p - u - t[:, None] * (v - u), axis=1))
    return np.where(inside, np.minimum(best, np.abs(np.einsum("ij,ij->i", p - a, n))), best)


@pytest.mark.parametrize("which", ["terrain", "ring"])
def test_balls_against_all_triangles(which, tmp_path):
    """Gap of a ball that is outside: the least distance of its centre from any triangle, less the radius."""
    triangles = terrain(waves, 12, 1.0) if which == "terrain" else ring(0.5, 0.2, 16)
    file = write_triangles(tmp_path / "m.obj", triangles)
    triangles = read_mesh(file)  # files are read in single precision
    points = two(dt.Shape.mesh(file, convex=False), CONVEX["sphere"])
    rng, compared = np.random.default_rng(1), 0
    for _ in range(80):
        q = np.r_[random_pose(rng, 0.2), random_pose(rng, 0.4)]
        R = dt.Rotation(q[3:7]).matrix
        p = R.T @ (q[7:10] - q[:3])
        outside = p[2] > waves(p[0], p[1]) + 0.02 and np.abs(p[:2]).max() < 0.9
        if which == "ring":
            outside = np.hypot(np.hypot(p[0], p[1]) - 0.5, p[2]) > 0.2
        if not outside:
            continue
        gap, _, normal = points(q)
        assert gap.min() == pytest.approx(from_points(p, *triangles.transpose(1, 0, 2)).min() - 0.1, abs=1e-12)
        assert np.linalg.norm(normal, axis=1) == pytest.approx(1.0, abs=1e-12)
        compared += 1
    assert compared > 20


@pytest.mark.parametrize("shape", ["capsule", "box", "cylinder", "ellipsoid"])
def test_convex_shapes_apart_from_a_ring_against_coal(shape, tmp_path):
    """Distances of shapes that do not overlap; of the closed ring every nearest triangle is seen from outside.

    1e-6: the tolerance of coal's iteration.
    """
    coal = pytest.importorskip("coal")
    triangles = ring(0.5, 0.2, 16)
    mesh = coal.BVHModelOBBRSS()
    mesh.beginModel(len(triangles), 3 * len(triangles))
    for a, b, c in triangles:
        mesh.addTriangle(a, b, c)
    mesh.endModel()
    theirs = {"capsule": coal.Capsule(0.05, 0.3), "box": coal.Box(0.3, 0.2, 0.1), "cylinder": coal.Cylinder(0.1, 0.2)}
    theirs["ellipsoid"] = coal.Ellipsoid(0.15, 0.1, 0.05)
    points = two(dt.Shape.mesh(write_triangles(tmp_path / "m.obj", triangles), convex=False), CONVEX[shape])
    rng, compared = np.random.default_rng(2), 0
    for _ in range(60):
        q = np.r_[random_pose(rng, 0.2), random_pose(rng, 0.4)]
        poses = [coal.Transform3s(dt.Rotation(q[7 * k + 3 : 7 * k + 7]).matrix, q[7 * k : 7 * k + 3]) for k in range(2)]
        found = coal.DistanceResult()
        coal.distance(mesh, poses[0], theirs[shape], poses[1], coal.DistanceRequest(), found)
        p = dt.Rotation(q[3:7]).matrix.T @ (q[7:10] - q[:3])
        if found.min_distance > 1e-3 and np.hypot(np.hypot(p[0], p[1]) - 0.5, p[2]) > 0.2:  # not within the tube
            assert points(q)[0].min() == pytest.approx(found.min_distance, abs=1e-6)
            compared += 1
    assert compared > 15


@pytest.mark.parametrize("shape", ["sphere", "capsule", "box", "cylinder", "mesh"])
def test_nothing_stops_at_inner_edges(shape, tmp_path):
    """Without friction, on a plane of 800 triangles: the motion on a plane, as if there were no edges."""
    given = CONVEX.get(shape) or dt.Shape.mesh(write_obj(tmp_path / "cube.obj", CUBE), (0.3, 0.2, 0.1))
    height = {"sphere": 0.1, "capsule": 0.05, "box": 0.05, "cylinder": 0.1, "mesh": 0.05}[shape]
    if shape == "capsule":
        given = dt.Shape.capsule(0.05, 0.3, "y")
    m = dt.Model("slide", gravity=(G * np.sin(0.2), 0, -G * np.cos(0.2)))
    turned = dt.Rotation.about("z", 0.3)
    b = m.add_body("b", dt.Inertia.box(1.0, size=(0.3, 0.2, 0.1)), position=(-2, -0.5, height), rotation=turned)
    m.add_joint("free", dt.Free(), m.ground, b, v0=[1.0, 0.3, 0, 0, 0, 0])
    floor = dt.Shape.mesh(write_triangles(tmp_path / "flat.obj", terrain(lambda x, y: 0.0, 20, 3.0)), convex=False)
    m.add_contact("floor", dt.RigidContact(), m.ground, b, shapes=(floor, given))
    r = dt.simulate(m, 1.0, outputs=[1.0], solver=dt.Moreau(step=1e-3))
    assert r.ok, r.reason
    assert r["b.position"][-1] == pytest.approx([-1 + 0.5 * G * np.sin(0.2), -0.2, height], abs=1e-8)
    assert np.abs(r["b.angular_velocity"][-1]).max() < 1e-8
    assert r["floor.normal_force"][-1] == pytest.approx(G * np.cos(0.2), rel=1e-6)


@pytest.mark.full
def test_a_ball_swings_in_a_bowl(tmp_path):
    """Without friction the centre is a pendulum of length R - r: cos(w t) to the error of the mesh.

    Edges of length h turn the path by h / R each; rigid contact without restitution loses the square of that of the
    kinetic energy there, h / R in all of a swing's path: with h = R / 40 a few per cent of the amplitude.
    """
    R, r, cells = 1.0, 0.1, 80
    bowl = terrain(lambda x, y: R - np.sqrt(R * R - x * x - y * y), cells, 0.6)
    m = dt.Model("bowl")
    amplitude = 0.1
    start = ((R - r) * np.sin(amplitude), 0.013, R - (R - r) * np.cos(amplitude) + 2e-4)  # chords are above the arc
    b = m.add_body("b", dt.Inertia.sphere(1.0, radius=r), position=start)
    m.add_joint("free", dt.Free(), m.ground, b)
    mesh = dt.Shape.mesh(write_triangles(tmp_path / "bowl.obj", bowl), convex=False)
    m.add_contact("bowl", dt.RigidContact(), m.ground, b, shapes=(mesh, dt.Shape.sphere(r)))
    period = 2 * np.pi * np.sqrt((R - r) / G)
    s = dt.simulate(m, period / 2, outputs=period * np.array([1, 2]) / 4, solver=dt.Moreau(step=2e-4))
    assert s.ok, s.reason
    assert s["b.position.x"] == pytest.approx([0.0, -start[0]], abs=0.06 * start[0])
    lost = s["bowl.energy_lost"][-1]
    assert 0.0 <= lost < 0.06 * G * (R - r) * (1 - np.cos(amplitude))
    assert np.max(np.abs(s.energy.residual)) < 1e-9


def test_a_box_comes_to_rest_on_hills(tmp_path):
    """Under friction a box falls on waves and lies still on at least three points, with its weight."""
    m = dt.Model("hills")
    b = m.add_body("b", dt.Inertia.box(2.0, size=(0.6, 0.5, 0.1)), position=(0.1, 0.2, 0.3))
    m.add_joint("free", dt.Free(), m.ground, b)
    hills = terrain(lambda x, y: 0.05 * np.cos(12 * x) * np.cos(11 * y), 40, 1.0)
    mesh = dt.Shape.mesh(write_triangles(tmp_path / "hills.obj", hills), convex=False)
    m.add_contact("hills", dt.RigidContact(friction=0.8), m.ground, b, shapes=(mesh, dt.Shape.box((0.6, 0.5, 0.1))))
    r = dt.simulate(m, 2.5, outputs=[2.0, 2.5], solver=dt.Moreau(step=1e-3))
    assert r.ok, r.reason
    assert r["b.position"][0] == pytest.approx(r["b.position"][1], abs=1e-6)
    assert r["hills.force"][-1] == pytest.approx([0, 0, 2 * G], abs=1e-4)
    assert r["hills.gap"][-1] == pytest.approx(0.0, abs=1e-6)


def test_a_ring_falls_over_a_peg_and_a_bowl_holds_a_ball(tmp_path):
    """A mesh that moves: a peg goes through the ring (its hull would stop it), the ring comes to lie on the floor."""
    m = dt.Model("ring")
    m.ground.shapes += [dt.Shape.plane(), dt.Shape.capsule(0.1, 0.6, position=(0, 0, 0.3))]
    torus = dt.Shape.mesh(write_triangles(tmp_path / "ring.obj", ring(0.3, 0.05, 24)), convex=False)
    b = m.add_body("b", dt.Inertia.cylinder(1.0, radius=0.3, length=0.1), position=(0.1, 0, 0.8), shapes=[torus])
    m.add_joint("free", dt.Free(), m.ground, b, v0=[0.2, 0, 0, 0.5, 0, 0])
    m.add_contact("all", dt.RigidContact(friction=0.3), "all", "all")
    r = dt.simulate(m, 2.0, outputs=[2.0], solver=dt.Moreau(step=1e-3))
    assert r.ok, r.reason
    assert r["b.position.z"][-1] == pytest.approx(0.05, abs=1e-6)
    assert r["all.normal_force"][-1] == pytest.approx(G, rel=1e-4)


def test_what_cannot_be_done_is_said(tmp_path):
    file = write_triangles(tmp_path / "ring.obj", ring(0.3, 0.05, 8))
    m = dt.Model("rings")
    for name in "ab":
        b = m.add_body(name, dt.Inertia.sphere(1.0, radius=0.1), shapes=[dt.Shape.mesh(file, convex=False)])
        m.add_joint(f"f{name}", dt.Free(), m.ground, b)
    m.add_contact("touch", dt.CompliantContact(stiffness=1e3), "a", "b")
    (fault,) = dt.check(m).errors
    assert fault.code == "untreated-pair"
    assert "non-convex mesh" in str(fault)
    m.contacts.clear()
    m.add_contact("floor", dt.RigidContact(), m.ground, "b", shapes=(dt.Shape.plane(), m.bodies["b"].shapes[0]))
    with pytest.raises(ValueError, match="Moreau"):
        dt.simulate(m, 0.1, solver=dt.DOPRI5())
    flat = write_triangles(tmp_path / "flat.obj", np.zeros((2, 3, 3)))
    m.contacts.clear()
    ball = dt.Shape.sphere(0.1)
    m.add_contact("floor", dt.RigidContact(), m.ground, "b", shapes=(dt.Shape.mesh(flat, convex=False), ball))
    with pytest.raises(ValueError, match=r"flat.obj.*no triangles with an area"):
        dt.simulate(m, 0.1)


def test_files_keep_non_convex_meshes(tmp_path):
    file = write_triangles(tmp_path / "ring.obj", ring(0.3, 0.05, 8))
    m = dt.Model("one")
    b = m.add_body("b", dt.Inertia.sphere(1.0, radius=0.1), shapes=[dt.Shape.mesh(file, convex=False)])
    m.add_joint("f", dt.Free(), m.ground, b)
    m.save(tmp_path / "one.yaml")
    (shape,) = dt.load(tmp_path / "one.yaml").bodies["b"].shapes
    assert not shape.convex
    text = (tmp_path / "one.yaml").read_text()
    assert "convex: false" in text


@pytest.mark.parametrize("turned", [0.0, 1e-6, 0.3])
def test_discs_and_rods_do_not_fall_through(turned, tmp_path):
    """They have no inside: they fell through as soon as they lay flat. They rest within 1e-10 m, the least gap.

    A point has no size at all by which it could be behind a triangle, and is refused by name.
    """
    cube = dt.Shape.mesh(write_obj(tmp_path / "cube.obj", CUBE), convex=False)
    for shape in (dt.Shape.disc(0.1), dt.Shape.capsule(0.0, 0.3, axis="x")):
        for step in (1e-3, 1e-4):
            m = dt.Model("on a cube")
            turn = dt.Rotation.from_vector((0, turned, 0))
            inertia = dt.Inertia.box(1.0, size=(0.2, 0.2, 0.01))
            b = m.add_body("b", inertia, position=(0.02, 0.03, 0.6), rotation=turn)
            m.add_joint("free", dt.Free(), m.ground, b)
            m.add_contact("top", dt.RigidContact(friction=0.3), m.ground, b, shapes=(cube, shape))
            r = dt.simulate(m, 0.5, solver=dt.Moreau(step))
            assert r.ok, r.reason
            assert r["b.position.z"][-1] == pytest.approx(0.5, abs=2e-10)
            assert r["top.normal_force"][-1].item() == pytest.approx(G, rel=1e-6)
    m.contacts.clear()
    m.add_contact("top", dt.RigidContact(), m.ground, "b", shapes=(cube, dt.Shape.point()))
    (finding,) = dt.check(m).errors
    assert "a point" in finding.what
