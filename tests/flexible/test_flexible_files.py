"""Flexible bodies in model files: written, read, the same numbers."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt

STEEL = dt.Material(youngs_modulus=210e9, poisson_ratio=0.3, density=7850.0, name="steel")


def bodies() -> dict[str, dt.Flexible]:
    beam = dt.Beam(dt.Section.rectangle(0.02, 0.03), STEEL)
    mesh = dt.Mesh.box((0.3, 0.04, 0.02), (3, 1, 1), centre=(0.15, 0, 0))
    two = dt.Mesh(
        mesh.nodes, mesh.cells, "tet10", {"left": range(9), "right": range(9, 18)}, {"a": mesh.node_sets["x-"]}
    )
    soft = dt.Material(youngs_modulus=70e9, poisson_ratio=0.34, density=2700.0)
    structure = dt.flexible.Structure.from_beam(beam, 0.4, 2)
    ends = {"a": {"plane": {"axis": "x", "at": 0.0}}, "b": dt.flexible.Attachment("x+", coupling="average")}
    return {
        "beam": dt.Flexible.from_beam(beam, length=0.6, elements=4, modes=3, damping_ratio=0.01),
        "mesh": dt.Flexible.from_mesh(mesh, STEEL, ends, 2, damping_ratio=0.02),
        "regions": dt.Flexible.from_mesh(two, {"left": STEEL, "right": soft}, {"a": "a"}, 2, stiffening=False),
        "matrices": dt.Flexible.from_matrices(structure.M, structure.K, structure.nodes, {"a": 0, "b": 2}, 3),
        "numbers": dt.Flexible.from_structure(structure, {"a": "start", "b": "end"}, 3),
    }


@pytest.mark.parametrize("name", list(bodies()))
def test_written_and_read_it_is_the_same(name, tmp_path):
    body = bodies()[name]
    m = dt.Model("arm")
    m.add_body("link", body, position=(0.0, 0.0, 0.0))
    path = tmp_path / "arm.yaml"
    m.save(path)
    text = path.read_text(encoding="utf-8")
    again = dt.load(path).bodies["link"].inertia
    assert isinstance(again, dt.Flexible)
    np.testing.assert_array_equal(again.reduced.moments.gram, body.reduced.moments.gram)
    np.testing.assert_array_equal(again.reduced.stiffness, body.reduced.stiffness)
    np.testing.assert_array_equal(again.reduced.damping, body.reduced.damping)
    assert list(again.reduced.interfaces) == list(body.reduced.interfaces)
    for label, K in body.reduced.geometric.items():
        np.testing.assert_array_equal(again.reduced.geometric[label], K)
    np.testing.assert_array_equal(again.reduced.display.modes, body.reduced.display.modes)
    dt.load(path).save(path)
    assert path.read_text(encoding="utf-8") == text


FILE = """
duoti: 1
name: arm
parameters: {l: 0.6}
materials: {steel: {youngs_modulus: 210 GPa, poisson_ratio: 0.3, density: 7850}}
bodies:
  arm:
    inertia:
      flexible:
        beam:
          beam: {section: {rectangle: {width: 20 mm, height: 30 mm}}, material: steel}
          length: =l
          elements: 4
          modes: 3
          damping_ratio: 0.01
    position: [0, 0, 0]
"""


def test_by_hand(tmp_path):
    path = tmp_path / "arm.yaml"
    path.write_text(FILE, encoding="utf-8")
    body = dt.load(path).bodies["arm"].inertia
    np.testing.assert_array_equal(body.reduced.stiffness, bodies()["beam"].reduced.stiffness)


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        ("elements: 4", "element: 4", "Did you mean 'elements'"),
        ("modes: 3", "modes: -3", "modes = -3"),
        ("        beam:\n", "        bean:\n", "unknown key 'bean'"),
        ("length: =l", "length: -1", "length"),
    ],
)
def test_faults_have_their_line(tmp_path, old, new, word):
    path = tmp_path / "arm.yaml"
    path.write_text(FILE.replace(old, new), encoding="utf-8")
    with pytest.raises(dt.errors.ModelFileError) as error:
        dt.load(path)
    assert word in str(error.value)
    assert "arm.yaml:" in str(error.value)


def test_mesh_files(tmp_path):
    meshio = pytest.importorskip("meshio")
    mesh = dt.Mesh.box((300.0, 40.0, 20.0), (3, 1, 1), centre=(150.0, 0, 0))
    cells = [("tetra10", mesh.cells), ("triangle6", mesh.faces_of(mesh.node_sets["x-"]))]
    groups = [np.ones(len(mesh.cells), dtype=int), np.full(len(cells[1][1]), 2)]
    data = {"gmsh:physical": groups, "gmsh:geometrical": groups}
    names = {"solid": np.array([1, 3]), "left": np.array([2, 2])}
    left = {"left": mesh.node_sets["x-"]}
    meshio.Mesh(mesh.nodes, cells, cell_data=data, field_data=names).write(tmp_path / "b.msh", file_format="gmsh22")
    meshio.Mesh(mesh.nodes, cells[:1]).write(tmp_path / "b.vtu")
    meshio.Mesh(mesh.nodes, cells[:1], point_sets=left).write(tmp_path / "b.inp")
    for name in ("b.msh", "b.vtu", "b.inp"):
        read = dt.Mesh.read(tmp_path / name, scale=1e-3)
        np.testing.assert_allclose(read.nodes, 1e-3 * mesh.nodes, atol=1e-12)
        assert read.kind == "tet10"
        np.testing.assert_array_equal(read.cells, mesh.cells)
        if not name.endswith("vtu"):
            np.testing.assert_array_equal(read.node_sets["left"], np.unique(mesh.node_sets["x-"]))
    m = dt.Model("from a file")
    m.add_body("link", dt.Flexible.from_mesh(dt.Mesh.read(tmp_path / "b.msh", scale=1e-3), STEEL, {"a": "left"}, 2))
    m.save(tmp_path / "m.yaml")
    again = dt.load(tmp_path / "m.yaml").bodies["link"].inertia
    assert again.mass == pytest.approx(7850 * 0.3 * 0.04 * 0.02, rel=1e-12)
    (tmp_path / "bad.msh").write_text("nothing", encoding="utf-8")
    with pytest.raises(ValueError, match="cannot read"):
        dt.Mesh.read(tmp_path / "bad.msh")
