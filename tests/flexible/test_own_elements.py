"""A finite element of one's own: one file in the folder of elements, no other edit.

The file is `support/added_elements/hex20.py`, a brick of 20 nodes. The generic tests of elements apply to it at once
(patch test, rigid motions, pressure, bending, mended cells), the built-in meshes and mesh files know it, and a flexible
body of it in a model file moves as beam theory says. Kernels work from tables: none is compiled anew.
"""

import json
import math

import pytest

from support.added_types import run, run_tests

BODY = """
import json, tempfile
from pathlib import Path
import numpy as np
from support.added_types import look_there
look_there("added_elements")
import duoti as dt

steel = dt.Material(youngs_modulus=210e9, poisson_ratio=0.3, density=7850.0)
mesh = dt.Mesh.box((1.0, 0.05, 0.02), (8, 1, 1), "hex20", centre=(0.5, 0, 0))
assert len(mesh.cells) == 8 and mesh.cells.shape[1] == 20
m = dt.Model("cantilever", gravity=(0, 0, 0))
m.add_body("beam", dt.Flexible.from_mesh(mesh, steel, interfaces={"root": "x-", "tip": "x+"}, modes=4))
m.add_joint("clamp", dt.Fixed(), m.ground, "beam", at=(0, 0, 0))
folder = Path(tempfile.mkdtemp())
m.save(folder / "cantilever.yaml")
again = dt.load(folder / "cantilever.yaml")
found = dt.linearise(again).frequencies
print(json.dumps([sorted(set(np.round(found, 9)))[:2], "hex20" in (folder / "cantilever.yaml").read_text()]))
"""

FILE = """
import json, tempfile
from pathlib import Path
import numpy as np
from support.added_types import look_there
look_there("added_elements")
import duoti as dt
import meshio

mesh = dt.Mesh.cylinder(0.1, 0.5, (2, 4, 4), "hex20")
path = Path(tempfile.mkdtemp()) / "cylinder.vtu"
meshio.write_points_cells(path, mesh.nodes, [("hexahedron20", mesh.cells)])
again = dt.Mesh.read(path)
print(json.dumps([again.kind, mesh.volume, again.volume, len(again.triangles)]))
"""


def program(text):
    done = run("-c", text)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def test_the_generic_tests_find_a_new_element_and_pass():
    lines = run_tests("added_elements", "flexible/test_finite_elements.py", "hex20")
    assert sum(line.startswith("PASSED") for line in lines) == 5
    assert not [line for line in lines if line.startswith(("FAILED", "ERROR"))]


def test_a_flexible_body_of_the_element_in_a_model_file():
    """The first bending frequencies of a slender cantilever: 1.875104² sqrt(E I / (rho A)) / (2 pi L²)."""
    found, named = program(BODY)
    assert named
    for height, frequency in zip((0.02, 0.05), found, strict=True):
        euler = 1.87510407**2 * math.sqrt(210e9 * height**2 / 12 / 7850.0) / (2 * math.pi)
        # shear and rotary inertia lower it by about 3 (h/L)², the clamped face (no contraction) raises it by nu h / L
        assert frequency == pytest.approx(euler, rel=0.02)


def test_meshes_and_mesh_files_know_the_element():
    pytest.importorskip("meshio")
    kind, volume, again, triangles = program(FILE)
    assert kind == "hex20"
    # parabolas through the circle, as of tet10
    assert volume == pytest.approx(math.pi * 0.01 * 0.5, rel=1e-4)
    assert again == pytest.approx(volume, rel=1e-12)
    # 16 faces around times 4 along; at each end 2 rings of 16, and 16 in the middle; 6 triangles each
    assert triangles == 6 * (16 * 4 + 2 * (16 * 2 + 16))
