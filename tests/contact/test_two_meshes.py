"""Two non-convex meshes: links of a chain, bowls in bowls, crates of triangles."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import duoti as dt
from duoti.formats.mesh.mesh import read_mesh
from support.contact_points import random_pose, two
from support.meshes import CUBE, patches, ring, terrain, write_obj, write_triangles

G = 9.81


def waves(x: Any, y: Any) -> Any:
    return 0.1 * np.sin(3 * x) * np.cos(2 * y)


def non_convex(path: Path, triangles: np.ndarray) -> dt.Shape:
    return dt.Shape.mesh(write_triangles(path, triangles), convex=False)


def bowl(radius: float, depth: float, cells: int, inside: bool) -> np.ndarray:
    """The lower part of a sphere about the origin, seen from inside or from outside."""
    angle = np.linspace(0.02, depth, cells + 1)
    turn = np.linspace(0.0, 2.0 * np.pi, 2 * cells + 1)
    a, t = np.meshgrid(angle, turn, indexing="ij")
    points = radius * np.stack([np.sin(a) * np.cos(t), np.sin(a) * np.sin(t), -np.cos(a)], axis=-1)
    return patches(points if inside else points[:, ::-1])


def test_distances_of_rings_against_coal(tmp_path: Path) -> None:
    """Two rings apart, linked or not: the smallest gap is coal's distance, to its tolerance of 1e-6."""
    coal = pytest.importorskip("coal")
    files = [write_triangles(tmp_path / f"{k}.obj", ring(0.5, 0.1 + 0.05 * k, 12 + 5 * k)) for k in range(2)]
    models = []
    for file in files:
        triangles = read_mesh(file)
        models.append(coal.BVHModelOBBRSS())
        models[-1].beginModel(len(triangles), 3 * len(triangles))
        for a, b, c in triangles:
            models[-1].addTriangle(a, b, c)
        models[-1].endModel()
    points = two(*(dt.Shape.mesh(file, convex=False) for file in files))
    rng, compared, linked = np.random.default_rng(1), 0, 0
    for _ in range(150):
        q = np.r_[random_pose(rng, 0.1), random_pose(rng, 0.6)]
        poses = [coal.Transform3s(dt.Rotation(q[k + 3 : k + 7]).matrix, q[k : k + 3]) for k in (0, 7)]
        request, result = coal.DistanceRequest(), coal.DistanceResult()
        distance = coal.distance(models[0], poses[0], models[1], poses[1], request, result)
        if distance < 1e-3:
            continue
        gap, place, normal = points(q)
        assert gap.min() == pytest.approx(distance, abs=2e-6)
        p = dt.Rotation(q[3:7]).matrix.T @ (place[np.argmin(gap)] - q[:3])
        assert np.linalg.norm(normal, axis=1) == pytest.approx(1.0, abs=1e-12)
        linked += bool(np.hypot(p[0], p[1]) < 0.5)
        compared += 1
    assert compared > 40
    assert linked > 5


def test_a_crate_of_triangles_is_a_box(tmp_path: Path) -> None:
    """On terrain, above it: the gap of the box of its size, which the convex pairs find; 1e-7: single precision."""
    ground = non_convex(tmp_path / "ground.obj", terrain(waves, 20, 1.0))
    size = (0.5, 0.375, 0.25)
    crate = dt.Shape.mesh(write_obj(tmp_path / "crate.obj", CUBE), size, convex=False)
    by_triangles, by_box = two(ground, crate), two(ground, dt.Shape.box(size))
    rng = np.random.default_rng(2)
    for _ in range(40):
        q = np.r_[np.zeros(3), 1, 0, 0, 0, random_pose(rng, 0.3)]
        q[9] = 1.5
        for _ in range(100):  # down by what is free
            q[9] -= by_box(q)[0].min() - 1e-3
        gap, _, normal = by_triangles(q)
        wanted, _, other = by_box(q)
        assert gap.min() == pytest.approx(wanted.min(), abs=1e-7)
        assert abs(normal[np.argmin(gap)] @ other[np.argmin(wanted)]) > 1.0 - 1e-3 or (
            np.sort(wanted)[1] - wanted.min() < 1e-4
        )


def test_a_link_hangs_in_another(tmp_path: Path) -> None:
    """Rings that are linked: the lower one swings, and comes to rest with its weight on the upper one.

    Its centre is then below that of the upper one by the two inner radii, but for the corners of the meshes
    (0.4 (1 - cos(pi/24)) = 3.4 mm each).
    """
    m = dt.Model("chain")
    shape = non_convex(tmp_path / "ring.obj", ring(0.5, 0.1, 24))
    inertia = dt.Inertia.torus(2.0, ring_radius=0.5, tube_radius=0.1)
    b = m.add_body("link", inertia, position=(0.0, 0.02, -0.79), rotation=dt.Rotation.about("y", np.pi / 2))
    m.add_joint("free", dt.Free(), m.ground, b, v0=[0, 0, 0, 0.3, 0, 0])
    upper = m.add_marker("upper", m.ground, rotation=dt.Rotation.about("x", np.pi / 2))
    m.add_contact("hook", dt.RigidContact(friction=0.5, rolling_friction=0.02), upper, b, shapes=(shape, shape))
    r = dt.simulate(m, 4.0, outputs=0.01, solver=dt.Moreau(step=1e-3))
    assert r.ok, r.reason
    assert np.max(r["link.position.z"]) < -0.7
    assert r["link.position.z"][-1] == pytest.approx(-0.8, abs=0.01)
    assert r["hook.force"][-50:, 2].mean() == pytest.approx(2.0 * G, rel=0.02)  # it may still swing a little
    assert r["hook.gap"].min() > -1e-3


@pytest.mark.full
def test_a_bowl_in_a_bowl(tmp_path: Path) -> None:
    """A thin shell rocks in a larger one, as deep as the two radii say, and the forces are those of its motion."""
    m = dt.Model("bowls")
    outer = non_convex(tmp_path / "outer.obj", bowl(1.0, 1.2, 20, inside=True))
    inner = non_convex(tmp_path / "inner.obj", bowl(0.8, 1.2, 16, inside=False))
    angle = 0.3
    b = m.add_body("b", dt.Inertia(3.0, (0, 0, -0.5), 0.3 * np.eye(3)), position=(0.21 * np.sin(angle), 0, -0.18))
    m.add_joint("free", dt.Free(), m.ground, b)
    m.add_contact("bowls", dt.RigidContact(friction=0.2), m.ground, b, shapes=(outer, inner))
    r = dt.simulate(m, 3.0, outputs=1e-3, solver=dt.Moreau(step=1e-3))
    assert r.ok, r.reason
    # centres are 0.2 m apart, but for the sagittas of the two meshes: 0.8 (1 - cos(0.04)) + (1 - cos(0.03)) = 1.1 mm,
    # across cells of twice the width at the bottom four times that
    assert np.linalg.norm(r["b.position"][-1000:], axis=1) == pytest.approx(0.2, abs=5e-3)
    # impulse of the last second: weight, and the change of momentum
    change = float(r.linear_momentum[-1, 2] - r.linear_momentum[-1001, 2])
    assert r["bowls.force"][-1000:, 2].mean() == pytest.approx(3.0 * G + change, rel=1e-3)
    assert r["bowls.gap"].min() > -1e-3


def test_compliant_contact_of_two_is_refused_by_name(tmp_path: Path) -> None:
    m = dt.Model("two")
    shape = non_convex(tmp_path / "ring.obj", ring(0.5, 0.1, 8))
    b = m.add_body("b", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_joint("free", dt.Free(), m.ground, b)
    m.add_contact("touch", dt.CompliantContact(stiffness=1e3), m.ground, b, shapes=(shape, shape))
    assert "non-convex mesh" in str(dt.check(m).errors[0])


def link(radius: float, tube: float, around: int, across: int) -> np.ndarray:
    """A ring about z whose tube is a polygon with a corner at the inside."""
    u, v = np.meshgrid(
        np.linspace(0.0, 2.0 * np.pi, around + 1), np.linspace(0.0, 2.0 * np.pi, across + 1), indexing="ij"
    )
    r = radius + tube * np.cos(v)
    return patches(np.stack([r * np.cos(u), r * np.sin(u), tube * np.sin(v)], axis=-1))


@pytest.mark.parametrize(("around", "across"), [(8, 4), (12, 6), (16, 8), (24, 12)])
@pytest.mark.parametrize("turned", [(0.0, 0.0), (0.5, 0.0), (0.5, 0.5)], ids=["corners", "corner_edge", "edges"])
def test_a_link_hangs_in_another_one(around: int, across: int, turned: tuple[float, float], tmp_path: Path) -> None:
    """Crossed at right angles, exactly above each other: corner on corner, corner on edge, edge on edge.

    A corner is at the radius R - r, the middle of an edge at that times cos(pi / around): the links hang there. 1e-3 m
    is what a step of 1 ms may overlap by at the speed of the fall (1 m/s from 5 cm), before positions are corrected.
    """
    R, tube, drop = 0.5, 0.1, 0.05
    shape = non_convex(tmp_path / "link.obj", link(R, tube, around, across))
    cell = 2.0 * np.pi / around
    turn_a = dt.Rotation.about("x", np.pi / 2) @ dt.Rotation.about("z", turned[0] * cell)
    turn_b = dt.Rotation.about("y", np.pi / 2) @ dt.Rotation.about("z", turned[1] * cell)
    inside = sum((R - tube) * (np.cos(cell / 2) if each else 1.0) for each in turned)
    m = dt.Model("links")
    m.ground.shapes.append(shape.moved(dt.spatial.Pose(turn_a, (0, 0, 0))))
    inertia = dt.Inertia.torus(1.0, ring_radius=R, tube_radius=tube)
    b = m.add_body("b", inertia, position=(0, 0, -inside + drop), rotation=turn_b, shapes=[shape])
    m.add_joint("free", dt.Free(), m.ground, b)
    m.add_contact("links", dt.RigidContact(friction=0.3), m.ground, b)
    r = dt.simulate(m, 0.4, outputs=0.02)
    assert r.ok, r.reason
    assert r["b.position.z"].min() > -inside - 1e-3
    assert r["b.position.z"][-1] == pytest.approx(-inside, abs=1e-4)
    assert abs(r["links.force.z"][-1]) == pytest.approx(G, rel=1e-6)


def test_edges_go_on_beyond_corners_inside_of_a_body_only(tmp_path: Path) -> None:
    """A crate that falls past the corner of another one, beside it, touches nothing: its edges end there."""
    crate = dt.Shape.mesh(write_obj(tmp_path / "crate.obj", CUBE), convex=False)
    points = two(crate, crate)
    turn = dt.Rotation.about("z", 0.3)
    for beside in (1e-3, 1e-2, 0.05):
        reach = 0.5 * (np.cos(0.3) + np.sin(0.3))
        for down in (0.02, 0.1, 0.3, 0.6):
            q = np.r_[0, 0, 0, 1, 0, 0, 0, 0.5 + reach + beside, 0.9, 1.0 - down, turn.wxyz]
            gap, _, _ = points(q)
            assert not len(gap) or gap.min() > 0.0
