"""Motions as glTF and VTK, read back by other packages: pygltflib, trimesh, PyVista.

Tolerances: glTF holds 32-bit numbers, so that positions agree to 1e-6 of the size of a scene of a few metres (half a
unit in the last place is 6e-8 of a number, and a point of a skin is a sum of some); VTK files hold 64 bits.
"""

import io
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.cli import main
from duoti.examples import find_example

pygltflib = pytest.importorskip("pygltflib")
pyvista = pytest.importorskip("pyvista")
trimesh = pytest.importorskip("trimesh")

SINGLE = 1e-6
STEEL = dt.Material(210e9, 0.3, 7850.0)


@pytest.fixture(scope="module")
def crank():
    return dt.simulate(find_example("slider_crank").build(), 0.5, outputs=0.02)


@pytest.fixture(scope="module")
def block():
    """A soft block of finite elements that swings, so that all its modes move."""
    m = dt.Model("block")
    mesh = dt.Mesh.box((0.6, 0.1, 0.1), (6, 1, 1), kind="tet10")
    rubber = dt.Material(5e6, 0.4, 1200.0)
    left = np.flatnonzero(np.abs(mesh.nodes[:, 0] - mesh.nodes[:, 0].min()) < 1e-9)
    m.add_body("arm", dt.Flexible.from_mesh(mesh, rubber, {"root": left}, modes=4), position=(0, 0, 0))
    root = m.add_marker("root", "arm", interface="root")
    m.add_joint("A", dt.Revolute("y"), m.ground, root)
    return dt.simulate(m, 0.3, outputs=0.005)


@pytest.fixture(scope="module")
def crane():
    """A clamped I-beam, a weight on a cable and on a spring at its end."""
    m = dt.Model("crane")
    boom = m.add_beam("boom", dt.Beam(dt.Section.i(0.1, 0.06, 0.005, 0.006), STEEL), (0, 0, 0), (2, 0, 0), elements=3)
    m.add_joint("clamp", dt.Fixed(), m.ground, boom.start, at=(0, 0, 0))
    m.add_body("weight", dt.Inertia.sphere(50.0, radius=0.1), position=(2, 0, -0.8))
    m.add_joint("free", dt.Free(), m.ground, "weight", at=(2, 0, -0.8))
    m.add_cable("rope", boom.end, "weight", stiffness=2e4, mass_per_length=0.3, elements=3)
    m.add_marker("eye", m.ground, position=(2, 0.5, -1.5))
    m.add_force("spring", dt.SpringDamper("weight", "eye", stiffness=500.0, rest_length=0.5))
    return dt.simulate(m, 0.1, outputs=0.005, solver=dt.GeneralisedAlpha(step=1e-3))


# ------------------------------------------------------------------------------------------------------------- glTF


class Scene:
    """A glTF file as a viewer plays it, by the rules of the specification, from the numbers that pygltflib reads."""

    def __init__(self, path):
        self.file = pygltflib.GLTF2().load(str(path))
        self.blob = self.file.binary_blob()
        if self.blob is None:
            self.blob = self.file.get_data_from_buffer_uri(self.file.buffers[0].uri)
        self.numbers = {node.name: k for k, node in enumerate(self.file.nodes)}
        self.parents = {c: k for k, node in enumerate(self.file.nodes) for c in node.children or ()}

    def read(self, number):
        accessor = self.file.accessors[number]
        view = self.file.bufferViews[accessor.bufferView]
        kind = {5126: "<f4", 5125: "<u4", 5123: "<u2"}[accessor.componentType]
        size = {"SCALAR": 1, "VEC3": 3, "VEC4": 4, "MAT4": 16}[accessor.type]
        assert view.byteOffset % 4 == 0
        data = np.frombuffer(self.blob, kind, accessor.count * size, view.byteOffset).reshape(-1, size)
        if accessor.min:
            assert np.array_equal(data.min(axis=0), np.float32(accessor.min))
            assert np.array_equal(data.max(axis=0), np.float32(accessor.max))
        return data.astype(float)

    def value(self, node, path, frame):
        """What a node has at the output `frame`."""
        times = None
        for animation in self.file.animations:
            for channel in animation.channels:
                if channel.target.node == node and channel.target.path == path:
                    sampler = animation.samplers[channel.sampler]
                    times = self.read(sampler.input)[:, 0]
                    return self.read(sampler.output).reshape(len(times), -1)[frame]
        default = {"translation": [0, 0, 0], "rotation": [0, 0, 0, 1], "scale": [1, 1, 1], "weights": []}[path]
        return np.array(getattr(self.file.nodes[node], path, None) or default, dtype=float)

    def pose(self, node, frame):
        """4x4 matrix of a node in glTF's world."""
        x, y, z, w = self.value(node, "rotation", frame)
        R = dt.Rotation(np.array([w, x, y, z])).matrix
        X = np.eye(4)
        X[:3, :3], X[:3, 3] = R * self.value(node, "scale", frame), self.value(node, "translation", frame)
        return X if node not in self.parents else self.pose(self.parents[node], frame) @ X

    def points(self, name, frame):
        """[n, 3] points of the surfaces of a node in duoti's world."""
        node = self.numbers[name]
        found = []
        for primitive in self.file.meshes[self.file.nodes[node].mesh].primitives:
            local = self.read(primitive.attributes.POSITION)
            for weight, target in zip(self.value(node, "weights", frame), primitive.targets or (), strict=True):
                local = local + weight * self.read(target["POSITION"])
            local = np.column_stack([local, np.ones(len(local))])
            if self.file.nodes[node].skin is None:
                found.append(local @ self.pose(node, frame).T)
                continue
            skin = self.file.skins[self.file.nodes[node].skin]
            bind = np.swapaxes(self.read(skin.inverseBindMatrices).reshape(-1, 4, 4), 1, 2)
            moved = np.stack([self.pose(joint, frame) for joint in skin.joints]) @ bind
            bones = self.read(primitive.attributes.JOINTS_0).astype(int)
            assert np.allclose(self.read(primitive.attributes.WEIGHTS_0), [1, 0, 0, 0])
            found.append(np.einsum("nij,nj->ni", moved[bones[:, 0]], local))
        x, y, z = np.concatenate(found)[:, :3].T
        return np.column_stack([x, -z, y])


def z_up(vector):
    """From glTF's axes to duoti's."""
    x, y, z = vector
    return np.array([x, -z, y])


@pytest.mark.parametrize("ending", [".glb", ".gltf"])
def test_bodies_move_as_they_did(crank, tmp_path, ending):
    scene = Scene(crank.export_gltf(tmp_path / f"crank{ending}"))
    assert scene.file.asset.version == "2.0"
    for name in crank.model.bodies:
        for frame in (0, 7, len(crank) - 1):
            X = scene.pose(scene.numbers[name], frame)
            x, y, z = crank[f"{name}.position"][frame]
            assert X[:3, 3] == pytest.approx([x, z, -y], abs=SINGLE), "z of the model is y of glTF"
            R = dt.Rotation(crank[f"{name}.rotation"][frame]).matrix
            for k in range(3):
                assert z_up(X[:3, k]) == pytest.approx(R[:, k], abs=SINGLE)
    sampler = scene.file.animations[0].samplers[0]
    assert scene.read(sampler.input)[:, 0] == pytest.approx(crank.t, abs=SINGLE)


def test_rate_chooses_among_the_outputs(crank, tmp_path):
    scene = Scene(crank.export_gltf(tmp_path / "crank.glb", rate=10.0))
    times = scene.read(scene.file.animations[0].samplers[0].input)[:, 0]
    assert times == pytest.approx(np.linspace(0.0, 0.5, 6), abs=SINGLE)
    with pytest.raises(ValueError, match="positive number of instants"):
        crank.export_gltf(tmp_path / "crank.glb", rate=0.0)
    with pytest.raises(ValueError, match=r"ends in \.glb"):
        crank.export_gltf(tmp_path / "crank.obj")


def test_trimesh_reads_it(crank, tmp_path):
    """The first instant, as a package without animations shows it."""
    read = trimesh.load(crank.export_gltf(tmp_path / "crank.glb"))
    for name in crank.model.bodies:
        X, _ = read.graph.get(name)
        x, y, z = crank[f"{name}.position"][0]
        assert X[:3, 3] == pytest.approx([x, z, -y], abs=SINGLE)
    assert len(read.geometry) >= len(crank.model.bodies), "each has a surface, perhaps of several colours"


def test_shapes_are_where_and_what_they_are(tmp_path):
    """A box of known volume with faces outward, in its colour, on a body that is turned."""
    m = dt.Model("box")
    m.add_body("box", dt.Inertia(1.0, matrix=np.eye(3)), position=(1, 2, 3), rotation=dt.Rotation.about("z", 0.3))
    m.bodies["box"].shapes = [
        dt.Shape.box((0.1, 0.2, 0.4), position=(0, 0, 0.5), colour="#ff8000"),
        dt.Shape.sphere(0.2),
    ]
    m.add_joint("free", dt.Free(), m.ground, "box", at=(1, 2, 3))
    r = dt.simulate(m, 0.1, outputs=0.05)
    path = r.export_gltf(tmp_path / "box.glb")
    read = trimesh.load(path)
    triangles = [np.asarray(mesh.triangles) for mesh in read.geometry.values()]
    volumes = sorted(float(np.sum(np.linalg.det(each))) / 6.0 for each in triangles)
    assert volumes[0] == pytest.approx(0.1 * 0.2 * 0.4, rel=1e-5), "positive: the faces look outward"
    assert volumes[1] == pytest.approx(4 / 3 * np.pi * 0.2**3, rel=0.03)
    scene = Scene(path)
    orange = next(m for m in scene.file.materials if m.name == "#ff8000")
    assert orange.pbrMetallicRoughness.baseColorFactor == pytest.approx([1.0, 0.215861, 0.0, 1.0], abs=1e-5)
    points = scene.points("box", 2)
    assert points.shape[1] == 3
    low = points.min(axis=0)[2] - r["box.position"][2][2]
    assert low == pytest.approx(-0.2, abs=1e-5)


def test_flexible_body_bends_exactly(block, tmp_path):
    """Morph targets with modal coordinates give the points that `displacement` gives."""
    scene = Scene(block.export_gltf(tmp_path / "block.glb"))
    shown = block.system.flexible["arm"].reduced.display
    used = np.unique(shown.faces)
    bent = 0.0
    for frame in (3, 20, 60):
        points = scene.points("arm.surface", frame)
        R, p = dt.Rotation(block["arm.rotation"][frame]).matrix, block["arm.position"][frame]
        for k in (0, len(used) // 2, len(used) - 1):
            u = block.displacement("arm", int(used[k]))[frame]
            bent = max(bent, np.linalg.norm(u))
            assert points[k] == pytest.approx(p + R @ (shown.nodes[used[k]] + u), abs=SINGLE)
    assert bent > 0.003, "it bends"


def test_beam_cable_and_spring(crane, tmp_path):
    scene = Scene(crane.export_gltf(tmp_path / "crane.glb"))
    outline = np.array(dt.Section.i(0.1, 0.06, 0.005, 0.006).outline[0])
    for frame in (0, 9, 20):
        points = scene.points("boom.surface", frame)
        for node in ("boom.start", "boom.node1", "boom.end"):
            R, p = dt.Rotation(crane[f"{node}.rotation"][frame]).matrix, crane[f"{node}.position"][frame]
            for y, z in outline:
                corner = p + R @ [0.0, y, z]
                assert np.min(np.linalg.norm(points - corner, axis=1)) < SINGLE
        ends = scene.pose(scene.numbers["spring"], frame)
        start, along = z_up(ends[:3, 3]), z_up(ends[:3, :3] @ [1.0, 0, 0])
        assert start == pytest.approx(crane["weight.position"][frame], abs=SINGLE)
        assert start + along == pytest.approx([2, 0.5, -1.5], abs=SINGLE)
    rope = scene.points("rope.surface", 20)
    assert np.min(rope[:, 2]) == pytest.approx(crane["weight.position"][20][2], abs=0.02)


# -------------------------------------------------------------------------------------------------------------- VTK


def series(path):
    return pyvista.PVDReader(str(path))


def at(reader, frame):
    reader.set_active_time_point(frame)
    names = [Path(part.path).stem.rpartition("_")[0] for part in reader.active_datasets]
    return dict(zip(names, reader.read(), strict=True))


def test_series_of_bodies(crank, tmp_path):
    path = crank.export_vtk(tmp_path / "out")
    assert path == tmp_path / "out" / f"{path.stem}.pvd"
    reader = series(path)
    assert reader.time_values == pytest.approx(crank.t, abs=1e-15)
    frame = 11
    bodies = at(reader, frame)["bodies"]
    names = list(bodies.field_data["body_names"])
    assert names == ["ground", *crank.model.bodies]
    first = at(reader, 0)["bodies"]
    for number, name in enumerate(names):
        mine = np.unique(bodies.faces.reshape(-1, 4)[bodies.cell_data["body"] == number][:, 1:])
        if name == "ground" or not len(mine):
            continue
        R0, R = (dt.Rotation(crank[f"{name}.rotation"][k]).matrix for k in (0, frame))
        p0, p = (crank[f"{name}.position"][k] for k in (0, frame))
        expected = p + (first.points[mine] - p0) @ R0 @ R.T
        assert np.max(np.abs(bodies.points[mine] - expected)) < 1e-13
        w, v = crank[f"{name}.angular_velocity"][frame], crank[f"{name}.velocity"][frame]
        assert np.max(np.abs(bodies.point_data["velocity"][mine] - v - np.cross(w, expected - p))) < 1e-11
    forces = at(reader, frame)["forces"]
    joints = list(forces.field_data["element_names"])
    for row, element in enumerate(forces.point_data["element"]):
        joint = joints[element]
        assert np.array_equal(forces.point_data["force"][row], crank[f"{joint}.reaction_force"][frame])
        assert np.array_equal(forces.point_data["torque"][row], crank[f"{joint}.reaction_torque"][frame])


def test_stresses_of_flexible_bodies(block, tmp_path):
    reader = series(block.export_vtk(tmp_path / "out"))
    frame, step = 30, block.t[1]
    arm = at(reader, frame)["arm"]
    mesh = block.model.bodies["arm"].inertia.reduction.structure.mesh
    assert set(arm.celltypes) == {24}, "quadratic tetrahedra"
    assert np.array_equal(arm.cells.reshape(-1, 11)[:, 1:], mesh.cells)
    R, p = dt.Rotation(block["arm.rotation"][frame]).matrix, block["arm.position"][frame]
    for node in (0, 17, len(mesh.nodes) - 1):
        u = block.displacement("arm", node)[frame]
        assert arm.point_data["displacement"][node] == pytest.approx(R @ u, abs=1e-13)
        assert arm.points[node] == pytest.approx(p + R @ (mesh.nodes[node] + u), abs=1e-13)
        xx, yy, zz, xy, yz, zx = block.stress("arm", node)[frame]
        assert arm.point_data["stress"][node] == pytest.approx([xx, yy, zz, xy, yz, zx], rel=1e-10, abs=1e-6)
        assert arm.point_data["von_mises"][node] == pytest.approx(block.von_mises("arm", node)[frame], rel=1e-10)
    before, after = at(reader, frame - 1)["arm"].points, at(reader, frame + 1)["arm"].points
    v = arm.point_data["velocity"]
    # central differences over 10 ms: the error is h^2/6 of the third derivative, some percent of the bending
    assert np.max(np.abs((after - before) / (2 * step) - v)) < 0.05 * np.max(np.abs(v))


def test_beams_and_springs_of_a_crane(crane, tmp_path):
    reader = series(crane.export_vtk(tmp_path / "out"))
    frame = 20
    parts = at(reader, frame)
    assert set(parts) == {"bodies", "boom", "rope", "forces"}
    boom = parts["boom"]
    stress = crane.along("boom", "stress").values[frame]
    assert np.max(np.abs(boom.point_data["normal_stress"])) == pytest.approx(np.max(np.abs(stress)), rel=1e-9)
    moment = crane.along("boom", "bending_moment_y").values[frame]
    drawn = boom.point_data["section_moment"][:, 1]
    assert [drawn.min(), drawn.max()] == pytest.approx([moment.min(), moment.max()], rel=1e-9)
    tip = np.argmax(boom.points[:, 0])
    sinking = crane["boom.end.position.z"][frame]
    assert boom.point_data["displacement"][tip][2] == pytest.approx(sinking, rel=0.05), "the tip also turns"
    near = boom.point_data["velocity"][tip]
    assert near[2] == pytest.approx(crane["boom.end.velocity.z"][frame], rel=0.05)
    assert abs(crane["rope.element1.tension"][frame]) in np.abs(parts["rope"].point_data["section_force"][:, 0])


def test_contact_forces_come_and_go(tmp_path):
    m = dt.Model("drop")
    m.ground.shapes = [dt.Shape.plane()]
    m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.15))
    m.bodies["ball"].shapes = [dt.Shape.sphere(0.1)]
    m.add_joint("free", dt.Free(), m.ground, "ball", at=(0, 0, 0.15))
    m.add_contact("touch", dt.CompliantContact(1e4, damping=20.0), m.ground, "ball")
    r = dt.simulate(m, 0.3, outputs=0.01)
    reader = series(r.export_vtk(tmp_path / "out"))
    pressed = 0
    for frame in range(len(r)):
        forces = at(reader, frame)["forces"]
        rows = np.flatnonzero(forces.point_data["kind"] == 1)
        known = np.all(np.isfinite(r["touch.point"][frame]))
        assert len(rows) == int(known)
        if known:
            assert np.array_equal(forces.point_data["force"][rows[0]], r["touch.force"][frame])
            assert np.array_equal(forces.points[rows[0]], r["touch.point"][frame])
            pressed += forces.point_data["force"][rows[0], 2] > 0.0
    assert 0 < pressed < len(r)


def test_well_formed_and_renewed(crank, tmp_path):
    """Each file is XML; a shorter series leaves nothing of a longer one."""
    path = crank.export_vtk(tmp_path / "out")
    many = len(list(path.parent.rglob("*.vtp")))
    crank.export_vtk(tmp_path / "out", rate=10.0)
    assert 0 < len(list(path.parent.rglob("*.vtp"))) < many
    for file in path.parent.rglob("*.vtp"):
        ElementTree.parse(io.BytesIO(file.read_bytes()))
    blocked = tmp_path / "taken"
    blocked.write_text("")
    with pytest.raises(ValueError, match="is a file; give a folder"):
        crank.export_vtk(blocked)


def test_of_stored_results_on_the_command_line(crank, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    crank.save("run.h5")
    for target in ("run.glb", "run.pvd"):
        monkeypatch.setattr("sys.argv", ["duoti", "convert", "run.h5", target, "--rate", "10"])
        with pytest.raises(SystemExit) as end:
            main()
        assert end.value.code == 0
    scene = Scene(tmp_path / "run.glb")
    assert scene.pose(scene.numbers["rod"], 5)[:3, 3][0] == pytest.approx(crank["rod.position.x"][-1], abs=SINGLE)
    assert len(series(tmp_path / "run.pvd").time_values) == 6
