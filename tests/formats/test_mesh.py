"""Meshes: the same part in three formats, volumes and inertias against formulas, faults."""

import numpy as np
import pytest

import duoti as dt
from duoti.formats.mesh.mesh import MeshError, hull_triangles, mesh_inertia, read_mesh
from support import robot_meshes


@pytest.fixture
def block():
    return robot_meshes.box((0.4, 0.2, 0.1), 1.0)


@pytest.mark.parametrize("rule", ["exact", "legacy", "convex"])
@pytest.mark.parametrize("kind", ["binary.stl", "ascii.stl", "part.obj"])
def test_a_block_in_all_formats(block, kind, rule, tmp_path):
    write = {"binary.stl": robot_meshes.stl_binary, "ascii.stl": robot_meshes.stl_ascii, "part.obj": robot_meshes.obj}
    (tmp_path / kind).write_bytes(write[kind](*block))
    found = mesh_inertia(read_mesh(tmp_path / kind), 1000.0, rule)
    # files hold single precision
    assert found.almost_equal(dt.Inertia.box(density=1000.0, size=(0.4, 0.2, 0.1)), 1e-6)


def test_a_shell_of_a_cube_has_the_inertia_of_six_plates():
    corners, faces = robot_meshes.box((1.0, 1.0, 1.0), 1.0)
    found = mesh_inertia(corners[np.array(faces)], 2.0, "shell")
    assert found.mass == pytest.approx(12.0)
    assert np.allclose(found.matrix, 12.0 * (5.0 / 18.0) * np.eye(3))  # m 5 a²/18


def test_a_lathed_part_against_its_cylinder():
    corners, faces = robot_meshes.lathe([(0.1, 0.0), (0.1, 0.5)], 400)
    found = mesh_inertia(corners[np.array(faces)], 7800.0)
    exact = dt.Inertia.cylinder(density=7800.0, radius=0.1, length=0.5).moved((0.0, 0.0, 0.25))
    assert found.almost_equal(exact, 1e-4)  # a polygon of n corners misses (2 pi / n)² / 6 of the area: 4e-5


def test_the_hull_of_a_block_is_the_block(block):
    assert mesh_inertia(hull_triangles(block[0])).mass == pytest.approx(0.4 * 0.2 * 0.1)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.ply", b"", "read from .stl, .obj, .dae, .msh files"),
        ("a.dae", b"", "no element found"),
        ("a.stl", b"", "neither a binary STL"),
        ("a.stl", b"solid x\nendsolid", "no triangles"),
        ("a.stl", b"solid x vertex 1 2 three vertex 1 2 3 vertex 1 2 4", "could not convert"),
        ("a.obj", b"v 1 2\n", "a.obj:1: a vertex needs three numbers"),
        ("a.obj", b"v 1 2 3\nf 1 2 3\n", "a.obj:2: a face has three or more corners"),
        ("a.obj", b"v 1 2 nan\nv 0 0 0\nv 0 1 0\nf 1 2 3\n", "not finite"),
    ],
)
def test_faults(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(MeshError, match=message):
        read_mesh(tmp_path / name)


def test_an_open_surface_has_no_volume():
    with pytest.raises(MeshError, match="must close"):
        mesh_inertia(np.array([[[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]]))


def test_the_meshes_of_the_robots_are_those_of_the_script():
    for path, content in robot_meshes.all_meshes().items():
        assert path.read_bytes() == content, path.name
        assert len(content) < 60_000
