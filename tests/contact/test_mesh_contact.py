"""Contacts of meshes by their convex hulls: against closed forms of boxes, and against coal."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import lsq_linear

import duoti as dt
from duoti.contact.collide.hulls import convex_hull
from support.contact_points import random_pose, two
from support.meshes import CUBE, write_obj


def test_hull_of_a_cube_has_six_faces_and_twelve_edges():
    hull = convex_hull(np.concatenate([CUBE, 0.3 * CUBE]))
    assert (len(hull.vertex), len(hull.faces), len(hull.edge)) == (8, 6, 12)
    assert all(len(face) == 4 for face in hull.faces)
    with pytest.raises(ValueError, match="plane"):
        convex_hull(CUBE[:4])


def distance_of_boxes(q, *sizes):
    """The least |x - y| of points x = p + R c of one box and y of the other, |c_i| <= size_i / 2: least squares."""
    frames = [(q[7 * k : 7 * k + 3], dt.Rotation.from_quaternion(q[7 * k + 3 : 7 * k + 7]).matrix) for k in range(2)]
    A = np.hstack([sign * R * np.array(size) / 2 for sign, (_, R), size in zip((1, -1), frames, sizes, strict=True)])
    found = lsq_linear(A, frames[1][0] - frames[0][0], (-1, 1), tol=1e-15)
    return np.sqrt(2 * found.cost)


def test_a_cube_of_triangles_is_a_box(tmp_path):
    """Sphere, plane and box against a mesh and against the closed forms for a box of its size: gaps and normals."""
    mesh = dt.Shape.mesh(write_obj(tmp_path / "cube.obj", CUBE), (0.4, 0.6, 0.8))
    box = dt.Shape.box((0.4, 0.6, 0.8))
    rng = np.random.default_rng(1)
    for other, spread in ((dt.Shape.sphere(0.1), 0.5), (dt.Shape.box((0.3, 0.5, 0.2)), 0.45), (dt.Shape.plane(), 0.5)):
        with_mesh, with_box = two(other, mesh), two(other, box)
        for _ in range(100):
            q = np.r_[random_pose(rng, spread), random_pose(rng, spread)]
            (gap, _, normal), (wanted, _, other_normal) = with_mesh(q), with_box(q)
            if not len(wanted):
                assert gap.min() > 0.0  # two boxes beside each other
                continue
            i, j = np.argmin(gap), np.argmin(wanted)
            if other.kind == "box" and wanted[j] > 0.0:  # the gap of two boxes is that along a face or across edges
                assert gap[i] == pytest.approx(distance_of_boxes(q, (0.3, 0.5, 0.2), (0.4, 0.6, 0.8)), abs=1e-9)
            else:
                assert gap[i] == pytest.approx(wanted[j], abs=1e-12)
            if other.kind == "sphere" and wanted[j] > -0.05:
                assert normal[i] == pytest.approx(other_normal[j], abs=1e-9)


def test_capsule_and_box_against_distances_of_points():
    """The gap of a capsule: the least distance of points of its axis from the box, less the radius."""
    sizes = np.array([0.4, 0.6, 0.8])
    points = two(dt.Shape.capsule(0.05, 1.0), dt.Shape.box(sizes))
    rng = np.random.default_rng(2)
    t = np.linspace(-0.5, 0.5, 4001)
    compared = 0
    for _ in range(60):
        q = np.r_[random_pose(rng, 0.6), random_pose(rng, 0.6)]
        R = [dt.Rotation(q[7 * k + 3 : 7 * k + 7]).matrix for k in range(2)]
        axis = q[:3] + t[:, None] * R[0][:, 2]
        local = np.abs((axis - q[7:10]) @ R[1]) - sizes / 2
        outside = np.linalg.norm(np.maximum(local, 0.0), axis=1)
        if outside.min() < 1e-3:
            continue  # its axis is inside
        compared += 1
        gap, _, _ = points(q)
        assert gap.min() == pytest.approx(outside.min() - 0.05, abs=1e-6)  # the spacing of t, to the second order
    assert compared > 20


def test_hulls_against_coal(tmp_path):
    """Distances of random hulls from balls, and whether random hulls overlap and how deep."""
    coal = pytest.importorskip("coal")
    rng = np.random.default_rng(3)
    clouds = [rng.normal(size=(30, 3)) * (0.3, 0.2, 0.25) for _ in range(2)]
    files = [write_obj(tmp_path / f"h{k}.obj", cloud) for k, cloud in enumerate(clouds)]

    def theirs(cloud):
        vectors = coal.StdVec_Vec3s()
        for point in cloud:
            vectors.append(point)
        bvh = coal.BVHModelOBBRSS()
        hull = convex_hull(cloud)
        bvh.beginModel(0, len(hull.vertex))
        for face in hull.faces:
            for b, c in pairwise(face[1:]):
                bvh.addTriangle(hull.vertex[face[0]], hull.vertex[b], hull.vertex[c])
        bvh.endModel()
        bvh.buildConvexHull(True, "Qt")
        return bvh.convex

    convex = [theirs(cloud) for cloud in clouds]
    own = two(dt.Shape.mesh(files[0]), dt.Shape.mesh(files[1]))
    ball = two(dt.Shape.sphere(0.1), dt.Shape.mesh(files[1]))
    capsule = two(dt.Shape.capsule(0.02, 0.4), dt.Shape.mesh(files[1]))
    overlaps = apart = 0
    for _ in range(60):
        q = np.r_[random_pose(rng, 0.3), random_pose(rng, 0.3)]
        poses = [coal.Transform3s(dt.Rotation(q[7 * k + 3 : 7 * k + 7]).matrix, q[7 * k : 7 * k + 3]) for k in range(2)]
        found, request = coal.DistanceResult(), coal.DistanceRequest()
        coal.distance(convex[0], poses[0], convex[1], poses[1], request, found)
        gap = own(q)[0].min()
        assert (gap < 0) == (found.min_distance < 0)
        if found.min_distance < 0:  # apart, gaps along one normal are lower bounds; overlaps are exact
            overlaps += 1
            assert gap == pytest.approx(found.min_distance, abs=2e-6)  # tolerance of coal's EPA
        else:
            assert gap <= found.min_distance + 1e-6
        found = coal.DistanceResult()
        coal.distance(coal.Sphere(0.1), poses[0], convex[1], poses[1], request, found)
        assert ball(q)[0].min() == pytest.approx(found.min_distance, abs=2e-6)
        found = coal.DistanceResult()
        coal.distance(coal.Capsule(0.02, 0.4), poses[0], convex[1], poses[1], request, found)
        if found.min_distance > 0.0:  # pairs are passed over by this distance
            apart += 1
            assert capsule(q)[0].min() == pytest.approx(found.min_distance, abs=2e-6)
    assert overlaps > 10
    assert apart > 10


def test_a_pile_of_meshes_stands(tmp_path):
    """Cubes of triangles on the floor: forces are the weights, nothing moves; on a slope they stick or slide."""
    file = write_obj(tmp_path / "cube.obj", CUBE)
    m = dt.Model("pile")
    m.ground.shapes.append(dt.Shape.plane())
    for k in range(3):
        mass = dt.Inertia.box(1.0, size=(0.2, 0.2, 0.2))
        b = m.add_body(f"b{k}", mass, position=(0, 0, 0.1 + 0.2 * k), shapes=[dt.Shape.mesh(file, 0.2)])
        m.add_joint(f"f{k}", dt.Free(), m.ground, b)
    m.add_contact("touch", dt.RigidContact(friction=0.5), "all", "all")
    r = dt.simulate(m, 0.2, outputs=[0.2])
    assert r.ok, r.reason
    assert r["touch.normal_force"][-1] == pytest.approx(6 * 9.81, rel=1e-6)
    assert np.abs(r.v[-1]).max() < 1e-6
    with pytest.raises(ValueError, match="mesh"):
        dt.simulate(m, 0.1, solver=dt.DOPRI5())


def test_a_mesh_that_cannot_be_read_is_named(tmp_path):
    m = dt.Model("lost")
    b = m.add_body("b", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_joint("f", dt.Free(), m.ground, b)
    shapes = (dt.Shape.plane(), dt.Shape.mesh(str(tmp_path / "none.stl")))
    m.add_contact("floor", dt.RigidContact(), m.ground, b, shapes=shapes)
    with pytest.raises(ValueError, match=r'contact "floor".*none.stl'):
        dt.simulate(m, 0.1)


def test_a_rod_on_an_edge_is_found_when_it_has_cut_in():
    """A rod has no radius: the gap goes on below zero, and it rests across the edge of a box that stands on an edge."""
    lying = dt.Rotation.about("y", np.pi / 4)
    top = 0.1 * np.sqrt(2.0)
    for radius in (0.0, 0.01):
        points = two(dt.Shape.capsule(radius, 0.6, "x"), dt.Shape.box((0.2, 0.2, 0.2)))
        for z in (0.02, 1e-3, 0.0, -1e-3, -0.02):
            gap, _, normal = points(np.r_[0, 0, top + z, 1, 0, 0, 0, 0, 0, 0, lying.quaternion])
            assert gap.min() == pytest.approx(z - radius, abs=1e-14)
            assert normal[np.argmin(gap)] == pytest.approx([0, 0, -1], abs=1e-12)
    m = dt.Model("rod on an edge")
    b = m.add_body("rod", dt.Inertia.cylinder(1.0, 0.01, 0.6, "x"), position=(0, 0, top + 0.01))
    m.add_joint("free", dt.Free(), m.ground, b)
    shapes = (dt.Shape.box((0.2, 0.2, 0.2), rotation=lying), dt.Shape.capsule(0.0, 0.6, "x"))
    m.add_contact("edge", dt.RigidContact(friction=0.5), m.ground, b, shapes=shapes)
    r = dt.simulate(m, 0.3, outputs=[0.3], solver=dt.Moreau(step=1e-3))
    assert r["rod.position.z"][-1] == pytest.approx(top, abs=1e-6)
    assert r["edge.force"][-1, 2] == pytest.approx(9.81, rel=1e-6)
