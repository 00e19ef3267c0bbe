"""Damaged URDF, MJCF, SDFormat and mesh files: a model or a ModelError (a mesh: MeshError), soon, nothing else."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import duoti as dt
from duoti.examples.robots import FOLDER, robots
from duoti.formats.mesh.mesh import MeshError, mesh_inertia, read_mesh
from duoti.formats.mjcf import load_mjcf
from duoti.formats.sdf.load import load_sdf
from duoti.formats.urdf.load import load_urdf
from duoti.model.checks.structure import check_structure
from support.fuzz import fuzz, time_limit

SHORT, LONG = 150, 25_000
SECONDS = 5.0  # a loader takes some 10 ms, 0.1 s at worst; the rest is for machines that are busy with other things
SEEDS = {suffix: {path.name: path.read_bytes() for path in robots().values() if path.suffix == suffix}
         for suffix in (".urdf", ".xml")}  # fmt: skip
MESHES = {kind: {path.name: path.read_bytes() for path in FOLDER.rglob(f"*{kind}")} for kind in (".stl", ".obj")}
POINTS = np.array([(0, 0, 0), (0.3, 0, 0), (0, 0.2, 0), (0, 0, 0.5)], dtype="<f4")
FACES = np.array([(0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3)], dtype="<i4")
MESHES[".msh"] = {"m.msh": np.array([4, 0, 0, 4], dtype="<i4").tobytes() + POINTS.tobytes() + FACES.tobytes()}
MESHES[".dae"] = {"m.dae": f"""<COLLADA><asset><unit meter="0.01"/></asset><library_geometries><geometry id="g"><mesh>
  <source id="p"><float_array id="a">{" ".join(map(str, POINTS.ravel()))}</float_array><technique_common>
  <accessor source="#a" stride="3"/></technique_common></source><vertices id="v">
  <input semantic="POSITION" source="#p"/></vertices><polylist><input semantic="VERTEX" source="#v" offset="0"/>
  <vcount>3 3 3 3</vcount>
  <p>{" ".join(map(str, FACES.ravel()))}</p></polylist></mesh></geometry></library_geometries><library_visual_scenes>
  <visual_scene id="s"><node><translate>1 0 0</translate><node><rotate>0 0 1 90</rotate><instance_geometry url="#g"/>
  </node></node></visual_scene></library_visual_scenes></COLLADA>""".encode()}  # fmt: skip
SEEDS[".xml"][
    "mix.xml"
] = b"""<mujoco><compiler fitaabb="true"/><default><position kp="3" dampratio="1"/><default class="k">
  <general gainprm="2"/></default></default><asset><model name="arm" file="arm.xml"/><mesh name="m" vertex="0 0 0 1 0 0
  0 1 0 0 0 1"/></asset><worldbody><replicate count="2" offset="1 0 0" sep="_"><body name="b" gravcomp="1">
  <joint name="j" actuatorfrcrange="-1 1" actuatorgravcomp="true" range="-30 30"/><geom type="capsule" mesh="m"/>
  <site name="s"/></body>
  </replicate><frame euler="0 0 90"><attach model="arm" body="base" prefix="L_"/></frame></worldbody><tendon>
  <fixed name="t" actuatorfrcrange="-2 2"><joint joint="j" coef="1"/></fixed></tendon><actuator><motor joint="j"/>
  <position joint="j" inheritrange="1"/><velocity class="k" joint="L_a" kv="1"/><motor tendon="t"/><motor site="s"
  gear="0 0 1"/></actuator><keyframe><key qpos="1 2 3 4"/></keyframe></mujoco>"""
SEEDS[".sdf"] = {"mix.sdf": b"""<sdf version="1.9"><world name="w"><gravity>0 0 -9</gravity><frame name="f"><pose
  relative_to="m::a">1 2 3 0 0 0.5</pose></frame><model name="m" canonical_link="b"><static>false</static><pose
  degrees="true">0 0 1 0 90 0</pose><link name="a"><inertial><mass>2</mass><inertia><ixx>1</ixx></inertia></inertial>
  <collision name="c"><geometry><box><size>1 1 1</size></box></geometry><surface><friction><ode><mu>0.5</mu></ode>
  </friction></surface></collision></link><link name="b"><pose relative_to="j" rotation_format="quat_xyzw">0 0 1 0 0 0 1
  </pose><inertial auto="true"/><collision name="c"><density>3</density><geometry><sphere><radius>1</radius></sphere>
  </geometry></collision><visual name="v"><geometry><mesh><uri>model://x/y.stl</uri></mesh></geometry></visual></link>
  <joint name="j" type="universal"><parent>a</parent><child>b</child><pose relative_to="a">0 1 0 0 0 0</pose><axis><xyz
  expressed_in="__model__">1 0 0</xyz><limit><lower>-1</lower><upper>1e16</upper><effort>-1</effort></limit><dynamics>
  <damping>1</damping><spring_stiffness>2</spring_stiffness></dynamics></axis><axis2><xyz>0 1 0</xyz><mimic joint="k"
  axis="axis"><multiplier>2</multiplier></mimic></axis2></joint><joint name="k" type="screw"><parent>world</parent>
  <child>n::l</child><axis><xyz>0 0 1</xyz></axis><thread_pitch>3</thread_pitch></joint><model name="n"
  placement_frame="q"><link name="l"/><frame name="q" attached_to="l"/></model><joint name="g" type="gearbox"><parent>a
  </parent><child>b</child><gearbox_reference_body>n::l</gearbox_reference_body><axis><xyz>0 0 1</xyz></axis></joint>
  </model></world></sdf>"""}  # fmt: skip
ARM = """<mujoco><compiler angle="radian"/><worldbody><body name="base"><joint name="a" springdamper="1 1"/>
  <geom size=".1"/></body></worldbody></mujoco>"""


def campaign(kind: str, count: int, seed: int, folder) -> object:
    load = {".urdf": load_urdf, ".xml": load_mjcf, ".sdf": load_sdf}[kind]
    source = FOLDER / ("arm6" if kind == ".urdf" else "hound")
    for path in source.rglob("*"):  # so that includes and meshes are found
        if (path.is_file() and path.suffix != kind) or path.name in ("hound_legs.xml", "hound_defaults.xml"):
            target = folder / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    (folder / "arm.xml").write_text(ARM)
    file = folder / f"mutant{kind}"

    def loader(content: bytes) -> None:
        file.write_bytes(content)
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", dt.errors.LeftOutWarning)
            model = load(file)
            check_structure(model)  # whatever came out can be looked at
            str(model.import_notes)

    return fuzz(loader, SEEDS[kind], count, np.random.default_rng(seed), SECONDS)


@pytest.mark.parametrize("kind", [".urdf", ".xml", ".sdf"])
def test_damaged_descriptions(kind, tmp_path):
    campaign(kind, SHORT, 1, tmp_path)


@pytest.mark.campaign
@pytest.mark.parametrize("kind", [".urdf", ".xml", ".sdf"])
def test_many_damaged_descriptions(kind, tmp_path, capsys):
    done = campaign(kind, LONG, 2, tmp_path)
    with capsys.disabled():
        print(f"\n{kind}: {done}")


@pytest.mark.parametrize("kind", MESHES)
@pytest.mark.parametrize("count", [100, pytest.param(5000, marks=pytest.mark.campaign)])
def test_damaged_meshes(kind, count, tmp_path):
    file = tmp_path / f"mesh{kind}"

    def loader(content: bytes) -> None:
        file.write_bytes(content)
        with np.errstate(all="ignore"):
            triangles = read_mesh(file)
            for rule in ("exact", "legacy", "shell"):
                mesh_inertia(triangles, 1.0, rule)

    fuzz(loader, MESHES[kind], count, np.random.default_rng(3), SECONDS, allowed=(MeshError,))


BOMB = '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aaaaaaaaaa">{}]><robot name="r">&z;</robot>'.format(
    "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in zip("abcdefgh", "bcdefghi", strict=True))
)
LINK = '<link name="l{0}"/><joint name="j{0}" type="continuous"><parent link="{1}"/><child link="{2}"/></joint>'
NASTY = {
    "entities": BOMB,
    "depth": "<robot>" * 100_000,
    "elements": "<robot>" + "<link/>" * 300_000 + "</robot>",
    "nothing": "",
    "binary": "\0\1\2" * 1000,
    "copies of copies": "<mujoco><worldbody>" + '<replicate count="99999">' * 5 + "<body/>" + "</replicate>" * 5
    + "</worldbody></mujoco>",
    "copies of nothing": "<mujoco><worldbody>" + '<replicate count="49999"></replicate>' * 40 + "</worldbody></mujoco>",
    "classes within classes": "<mujoco><default>" + "<geom {}/>".format(" ".join(f'a{i}="1"' for i in range(900)))
    + "".join(f'<default class="c{i}"><geom {" ".join(f"""b{i}_{k}="1" """ for k in range(900))}/>' for i in range(150))
    + "</default>" * 151 + "</mujoco>",
    "many classes": "<mujoco><default><geom {}/>".format(" ".join(f'{a}="1"' for a in ("size", "mass", "density")))
    + "".join(f'<default class="c{i}"><geom rgba="1 1 1 1"/></default>' for i in range(60_000))
    + "</default><worldbody><frob/></worldbody><worldbody><joint/></worldbody></mujoco>",
    "tendons of copies": '<mujoco><worldbody><replicate count="2000"><site name="s"/></replicate></worldbody><tendon>'
    + '<spatial>' + '<site site="s"/>' * 2000 + "</spatial></tendon></mujoco>",
    "many attributes": "<mujoco><default><geom " + "".join(f'a{i}="" ' for i in range(5000)) + "/></default></mujoco>",
    "a long number": f'<robot><link name="a"><inertial><mass value="{"9" * 100_000}"/></inertial></link></robot>',
    "links that refer to nothing": "".join(
        ["<robot>", *(LINK.format(i, f"x{i}", f"y{i}") for i in range(6000)), "</robot>"]
    ),
    "a chain of nothing": "".join(
        ['<robot><link name="l-1"/>', *(LINK.format(i, f"l{i - 1}", f"l{i}") for i in range(6000)), "</robot>"]
    ),
    "bodies within bodies": "<mujoco><worldbody>" + "<body>" * 150 + "</body>" * 150 + "</worldbody></mujoco>",
}  # fmt: skip


@pytest.mark.sample(7)
@pytest.mark.parametrize("name", NASTY)
@pytest.mark.parametrize("load", [load_urdf, load_mjcf])
def test_bombs_end_in_a_message(name, load, tmp_path):
    file = tmp_path / "bomb.xml"
    file.write_text(NASTY[name])
    if (name, load) in ((("bodies within bodies"), load_mjcf), ("a chain of nothing", load_urdf)):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", dt.errors.LeftOutWarning)
            assert load(file).markers  # nothing wrong with it
        return
    if (name, load) == ("classes within classes", load_mjcf):
        with warnings.catch_warnings(), time_limit(20.0):
            warnings.simplefilter("ignore", dt.errors.LeftOutWarning)
            assert len(load(file).import_notes) > 100_000  # unknown words, and nothing else
        return
    with time_limit(20.0), pytest.raises(dt.ModelError) as raised:
        load(file)
    assert len(str(raised.value)) < 20_000


def test_includes_within_includes_are_limited_together(tmp_path):
    """Depth, size and number of elements count over all files."""
    deep = "<frame>" * 150 + '<include file="{}.xml"/>' + "</frame>" * 150
    for i in range(3):
        (tmp_path / f"{i}.xml").write_text(f"<mujoco>{deep.format(i + 1)}</mujoco>")
    (tmp_path / "3.xml").write_text("<mujoco/>")
    (tmp_path / "main.xml").write_text('<mujoco><worldbody><include file="0.xml"/></worldbody></mujoco>')
    with pytest.raises(dt.ModelError, match="nested more than 200 deep"):
        load_mjcf(tmp_path / "main.xml")
    many = "<mujoco><worldbody>" + '<geom size="1"/>' * 60_000 + "</worldbody></mujoco>"
    for i in range(5):
        (tmp_path / f"many{i}.xml").write_text(many)
    text = "".join(f'<include file="many{i}.xml"/>' for i in range(5))
    (tmp_path / "main.xml").write_text(f"<mujoco>{text}</mujoco>")
    with time_limit(20.0), pytest.raises(dt.ModelError, match="more than 200000 elements"):
        load_mjcf(tmp_path / "main.xml")


def test_files_outside_are_not_read(tmp_path):
    (tmp_path / "secret.xml").write_text('<mujoco><worldbody><body name="secret"/></worldbody></mujoco>')
    folder = tmp_path / "model"
    folder.mkdir()
    (folder / "link.xml").symlink_to(tmp_path / "secret.xml")
    for name in ("../secret.xml", str(tmp_path / "secret.xml"), f"file://{tmp_path}/secret.xml", "link.xml"):
        file = folder / "main.xml"
        file.write_text(f'<mujoco><include file="{name}"/></mujoco>')
        with pytest.raises(dt.ModelError, match="outside"):
            load_mjcf(file)
        assert "secret" in load_mjcf(file, allow_outside=True).markers
        assert "secret" in load_mjcf(file, package_paths=[tmp_path]).markers
