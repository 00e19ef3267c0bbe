"""URDF files as they are found: slips that other readers pass over, xacro, meshes of COLLADA."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

import duoti as dt
from duoti.formats.mesh.mesh import MeshError, read_mesh
from duoti.formats.urdf.load import load_urdf

pytestmark = pytest.mark.filterwarnings("ignore::duoti.errors.LeftOutWarning")
INERTIAL = '<inertial><mass value="{}"/><inertia ixx="{}" iyy="{}" izz="{}" ixy="{}" ixz="0" iyz="0"/></inertial>'
HEAVY = INERTIAL.format(1, 1, 1, 1, 0)
JOINT = '<joint name="{0}" type="continuous"><parent link="{1}"/><child link="{2}"/>{3}</joint>'


def load(tmp_path, text: str, before: str = "", name: str = "robot.urdf", **options) -> dt.Model:
    path = tmp_path / name
    path.write_text(f'{before}<robot name="r" xmlns:xacro="http://ros.org/wiki/xacro">\n{text}</robot>')
    return load_urdf(path, **options)


def test_white_space_before_the_declaration(tmp_path):
    text = f'<link name="a">{HEAVY}</link><unknown/>'
    model = load(tmp_path, text, before='\n  \n<?xml version="1.0"?>\n')
    assert list(model.bodies) == ["a"]
    assert model.import_notes[-1].line == 5  # the lines are those of the file


def test_small_slips_of_drawing(tmp_path):
    cube = "".join(f"v {x} {y} {z}\n" for x in (0, 1) for y in (0, 1) for z in (0, 1)) + "f 1 2 3\n"
    (tmp_path / "part.obj").write_text(cube)
    visual = """<visual><geometry><mesh filename="part.obj" scale="1 2 3 1"/></geometry>
      <material name="m"><color rgba=""/></material></visual>"""
    model = load(tmp_path, f'<link name="a">{HEAVY}{visual}</link>')
    (shape,) = model.bodies["a"].shapes
    assert [shape[f"scale_{c}"] for c in "xyz"] == [1.0, 2.0, 3.0]
    assert "the last of four scales is left out" in str(model.import_notes)
    assert not model.import_notes.changing_motion


def test_tags_of_xacro_that_stayed_behind(tmp_path):
    model = load(tmp_path, f'<xacro:property name="x" value="1"/><link name="a">{HEAVY}</link>')
    assert "stayed behind" in str(model.import_notes)


def test_a_joint_that_follows_nothing_moves_by_itself(tmp_path):
    text = f'<link name="a">{HEAVY}</link><link name="b">{HEAVY}</link>' + JOINT.format(
        "j", "a", "b", '<mimic joint="k"/>'
    )
    model = load(tmp_path, text)
    assert not model.constraints
    assert 'there is no joint "k"' in str(model.import_notes.changing_motion)


def test_inertias_that_are_not_quite_possible(tmp_path):
    """Round-off is zero; a negative moment is lifted to that of the nearest body."""
    model = load(tmp_path, f'<link name="a">{INERTIAL.format(2, 0, 0, 0, 1e-35)}</link>')
    assert not np.any(model.bodies["a"].inertia.matrix)
    assert not model.import_notes
    model = load(tmp_path, f'<link name="a">{INERTIAL.format(2, -0.1, 0.6, 0.3, 0)}</link>')
    # trace 0.8: J = 0.4 - I = (0.5, -0.2, 0.1), nearest (0.5, 0, 0.1), I = 0.6 - J
    assert np.allclose(np.diag(model.bodies["a"].inertia.matrix), (0.1, 0.6, 0.5), atol=1e-15)
    assert "changed to" in str(model.import_notes.changing_motion)
    with pytest.raises(dt.ModelError, match="negative"):
        load(tmp_path, f'<link name="a">{INERTIAL.format(2, -1, 1, 1, 0)}</link>')


XACRO = f"""<xacro:arg name="mass" default="2"/><xacro:property name="m" value="$(arg mass)"/>
  <xacro:include filename="$(find my_robot)/limb.xacro"/>
  <link name="base">{HEAVY}</link><xacro:limb name="left"/><xacro:limb name="right"/>"""
LIMB = """<robot xmlns:xacro="http://ros.org/wiki/xacro"><xacro:macro name="limb" params="name">
  <link name="${name}"><inertial><mass value="${2*m}"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/>
  </inertial></link><joint name="${name}_joint" type="continuous"><parent link="base"/><child link="${name}"/></joint>
  </xacro:macro></robot>"""


def test_xacro_is_expanded_if_it_is_installed(tmp_path, monkeypatch):
    folder = tmp_path / "my_robot" / "files"
    folder.mkdir(parents=True)
    (tmp_path / "my_robot" / "limb.xacro").write_text(LIMB)
    if importlib.util.find_spec("xacro") is not None:
        model = load(folder, XACRO, name="robot.xacro")
        assert {name: body.inertia.mass for name, body in model.bodies.items()} == {"base": 1, "left": 4, "right": 4}
        model = dt.load(folder / "robot.xacro", parameters={"mass": 3.0})
        assert model.bodies["left"].inertia.mass == 6.0
        with pytest.raises(dt.ModelError, match="there is no package elsewhere"):
            load(folder, XACRO.replace("my_robot", "elsewhere"), name="robot.xacro")
    with pytest.raises(dt.ModelError, match=r"name it .xacro and install xacro"):
        load(folder, XACRO)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(dt.ModelError, match="xacro is not installed"):
        load(folder, XACRO, name="robot.xacro")


# ------------------------------------------------------------------------------------------------------------- COLLADA

DAE = """<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit meter="{unit}"/><up_axis>{up}</up_axis></asset><library_geometries><geometry id="g"><mesh>
<source id="p"><float_array id="pa" count="24">{points}</float_array><technique_common>
<accessor source="#pa" count="8" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>{faces}</mesh></geometry></library_geometries>
<library_visual_scenes><visual_scene id="s"><node><translate>1 0 0</translate><rotate>0 0 1 90</rotate><node>
<scale>2 1 1</scale><instance_geometry url="#g"/></node></node></visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""
POINTS = [(x, y, z) for z in (0.0, 0.3) for x, y in ((0.0, 0.0), (1.0, 0.0), (1.0, 2.0), (0.0, 2.0))]
QUADS = [(3, 2, 1, 0), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7)]
NORMAL = '<input semantic="NORMAL" source="#p" offset="1"/>'


def _words(faces) -> str:
    return " ".join(f"{i} 0" for face in faces for i in face)


def _triangles():
    return [(a, b, c) for q in QUADS for a, b, c in ((q[0], q[1], q[2]), (q[0], q[2], q[3]))]


VERTEX = f'<input semantic="VERTEX" source="#v" offset="0"/>{NORMAL}'
FACES = {
    "triangles": f"<triangles>{VERTEX}<p>{_words(_triangles())}</p></triangles>",
    "polylist": f"<polylist>{VERTEX}<vcount>4 4 4 4 4 4</vcount><p>{_words(QUADS)}</p></polylist>",
    "polygons": f"<polygons>{VERTEX}{''.join(f'<p>{_words([q])}</p>' for q in QUADS)}</polygons>",
    "trifans": f"<trifans>{VERTEX}{''.join(f'<p>{_words([q])}</p>' for q in QUADS)}</trifans>",
    "tristrips": f"<tristrips>{VERTEX}{''.join(f'<p>{_words([q[:2] + q[:1:-1]])}</p>' for q in QUADS)}</tristrips>",
}


@pytest.mark.parametrize("kind", FACES)
@pytest.mark.parametrize("up", ["Z_UP", "Y_UP"])
def test_collada(tmp_path, kind, up):
    """A box of 1 x 2 x 0.3 units, stretched, turned and shifted by its nodes; the file's axis is not looked at."""
    from duoti.formats.mesh.mesh import mesh_inertia

    points = " ".join(f"{x}" for p in POINTS for x in p)
    file = tmp_path / "part.dae"
    file.write_text(DAE.format(unit=0.01, up=up, points=points, faces=FACES[kind]))
    triangles = read_mesh(file)
    inertia = mesh_inertia(triangles)
    assert inertia.mass == pytest.approx(2.0 * 2.0 * 0.3 * 1e-6, rel=1e-12)  # and so its faces are seen from outside
    low, high = triangles.reshape(-1, 3).min(axis=0), triangles.reshape(-1, 3).max(axis=0)
    assert np.allclose([low, high], [(-0.01, 0.0, 0.0), (0.01, 0.02, 0.003)], atol=1e-15)


@pytest.mark.parametrize("change", [("#v", "#nothing"), ("<p>", "<p>99 0 "), ("0.01", "nan"), ("#g", "#s")])
def test_damaged_collada(tmp_path, change):
    points = " ".join(f"{x}" for p in POINTS for x in p)
    file = tmp_path / "part.dae"
    file.write_text(DAE.format(unit=0.01, up="Z_UP", points=points, faces=FACES["triangles"]).replace(*change))
    with pytest.raises(MeshError):
        read_mesh(file)
