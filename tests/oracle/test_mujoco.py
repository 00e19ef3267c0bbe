"""MJCF files in MuJoCo and here: mass matrix, bias, springs, dampers and motors in random states.

Tolerance 1e-9, the promise: both programs sum the same terms in double precision, but in another order and from
inertias that were turned back and forth between body and principal axes (MuJoCo keeps only principal moments).
"""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.examples.robots import robots
from duoti.formats.mjcf import load_mjcf

mujoco = pytest.importorskip("mujoco")
from support.mujoco_twin import Twin, relative  # noqa: E402

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore::duoti.errors.LeftOutWarning")]
TOLERANCE = 1e-9
HEAD, TAIL = '<mujoco model="{}">{}<worldbody>', "</worldbody>{}</mujoco>"

BODIES = {
    "hinges about any axis, at any point": """
        <body pos="0.1 0.2 0.3" quat="1 2 3 4"><joint axis="1 2 3" pos="0.1 0 0.2"/><geom size="0.1"/>
          <body pos="0 0 0.4" euler="10 20 30"><joint type="slide" axis="1 0 1"/><geom type="box" size=".1 .2 .3"/>
            <body pos="1 0 0" axisangle="1 1 0 50"><joint type="ball" pos="0 0 0.1"/><geom type="capsule" size=".05 .2"
          /></body></body></body>""",
    "several joints in one body, each at its own point": """
        <body pos="0 0 1" xyaxes="1 1 0 0 0 1"><joint name="a" type="slide" axis="0 0 1"/>
          <joint name="b" axis="1 0 0" pos="0.1 0 0" armature="0.3"/><joint name="c" axis="0 1 0" pos="0 0.2 0"/>
          <geom type="cylinder" size=".1 .3" pos="0.1 0.1 0.1"/>
          <body pos="0.5 0 0"><joint name="d" type="slide" axis="0 1 1" pos="0 0 0.2"/>
            <joint type="ball" name="e" pos="0.1 0 0"/>
            <geom type="ellipsoid" size=".1 .2 .3" euler="30 0 0"/></body></body>""",
    "a free body in any attitude, with limbs": """
        <body name="trunk" pos="1 2 3" euler="30 40 50"><freejoint/><geom type="box" size=".2 .1 .1" density="500"/>
          <site name="top" pos="0 0 0.1"/>
          <body pos="0.2 0 0"><joint axis="0 1 0" range="-40 60" damping="0.3" stiffness="2" springref="20"/>
            <geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.04" mass="1.5"/></body>
          <body pos="-0.2 0 0" zaxis="0 1 1"><joint type="ball" damping="0.2" stiffness="1.5"/>
            <geom type="capsule" fromto="0 0 0 0.1 0 -0.3" size="0.04"/></body></body>""",
    "shapes by their two ends": """
        <body><joint axis="1 0 0"/><geom type="capsule" fromto="0 0 0 1 1 1" size=".1"/></body>
        <body><joint axis="1 0 0"/><geom type="cylinder" fromto="0 0.1 0 0 0 -1" size=".1"/></body>
        <body><joint axis="1 0 0"/><geom type="box" fromto="0 0 0 1 1 0" size=".1"/></body>
        <body><joint axis="1 0 0"/><geom type="ellipsoid" fromto="0 0 0 0 0 -1" size=".1"/></body>
        <body><joint axis="1 0 0"/><geom type="sphere" size=".1" shellinertia="true"/></body>""",
    "inertia as given": """
        <body><joint axis="1 1 0"/><inertial pos="0.1 0 0" mass="2" diaginertia="0.1 0.2 0.25" quat="1 1 0 0"/>
          <geom size="1"/>
          <body pos="0 0 0.4"><joint axis="0 1 0"/>
            <inertial pos="0 0 0.3" mass="1.5" fullinertia="0.1 0.2 0.25 0.01 -0.02 0.03"/></body></body>""",
    "fixed bodies, frames and copies": """
        <frame pos="0 0 1" euler="0 0 30"><body pos="0.1 0 0"><joint name="j" axis="0 1 0" ref="20" springref="50"
            stiffness="3"/><geom size=".1"/>
          <body pos="0 0 .2"><geom type="box" size=".1 .1 .1" pos=".1 0 0"/>
            <body pos="0 0 .2" name="empty"><body euler="0 90 0"><joint axis="1 0 0"/><geom size=".2 .1"/></body></body>
          </body></body></frame>
        <replicate count="3" offset="0.5 0 0" euler="0 0 40"><body pos="1 0 0"><joint axis="0 1 0"/>
          <geom type="capsule" size=".05 .1" pos="0 0 .2"/></body></replicate>""",
    "gravity carried": """
        <body gravcomp="0.7" pos="0 0 1"><joint axis="0 1 0"/><geom size=".1" pos="0.3 0 0"/>
          <body pos="0.5 0 0" gravcomp="1.2"><joint axis="1 0 0"/><geom type="box" size=".1 .2 .3"/></body></body>""",
}  # fmt: skip

SETTINGS = {
    "radians and another sequence": '<compiler angle="radian" eulerseq="ZYx"/><option gravity="1 2 -3"/>',
    "inertia from geoms always": '<compiler inertiafromgeom="true"/>',
    "bounded": '<compiler boundmass="0.5" boundinertia="0.05" inertiafromgeom="true"/>',
    "total mass": '<compiler settotalmass="17" inertiafromgeom="true"/>',
    "no gravity, no springs": '<option><flag gravity="disable" spring="disable"/></option>',
}


def load(tmp_path: Path, text: str) -> Twin:
    path = tmp_path / "model.xml"
    path.write_text(text)
    return Twin(path)


def assert_agrees(twin: Twin, seed: int = 1) -> None:
    rng = np.random.default_rng(seed)
    for _ in range(4):
        found = twin.disagreement(rng)
        assert max(found.values()) < TOLERANCE, found


@pytest.mark.parametrize("name", [name for name, path in robots().items() if path.suffix == ".xml"])
def test_robots(name):
    assert_agrees(Twin(robots()[name]))


@pytest.mark.parametrize("rule", ["legacy", "exact", "convex", "shell"])
@pytest.mark.parametrize("more", ["", 'refpos="0.1 0.2 0.3" refquat="1 2 0 1" scale="1 2 3"', 'scale="1 -1 1"'])
def test_mass_from_a_mesh_that_is_not_convex(tmp_path, rule, more):
    corners = [(0, 0), (2, 0), (2, 1), (1, 1), (1, 3), (0, 3)]
    lines = [f"v {0.1 * x} {0.1 * y} {z}" for z in (0.0, 0.07) for x, y in corners]
    lines += ["f 6 5 4 3 2 1", "f 7 8 9 10", "f 7 10 11 12"]
    lines += [f"f {i + 1} {(i + 1) % 6 + 1} {(i + 1) % 6 + 7} {i + 7}" for i in range(6)]
    lines[12:13] = ["f 4 3 2 1", "f 6 5 4 1"]  # flat, but not convex: no fan from its first corner
    (tmp_path / "part.obj").write_text("\n".join(lines))
    asset = f'<asset><mesh file="part.obj" inertia="{rule}" {more}/></asset>'
    body = """<body pos="0 0 1" euler="10 20 30"><freejoint/>
      <geom type="mesh" mesh="part" pos="0.1 0 0" euler="0 40 0"/>
      <body pos="0.3 0 0"><joint axis="0 1 0"/><geom type="mesh" mesh="part" mass="2"/></body></body>"""
    assert_agrees(load(tmp_path, HEAD.format("m", asset) + body + TAIL.format("")))


@pytest.mark.parametrize("name", BODIES)
def test_bodies(tmp_path, name):
    assert_agrees(load(tmp_path, HEAD.format("m", "") + BODIES[name] + TAIL.format("")))


@pytest.mark.parametrize("name", SETTINGS)
def test_settings_of_the_compiler(tmp_path, name):
    text = "".join(each for key, each in BODIES.items() if key != "inertia as given" or "from geoms" not in name)
    assert_agrees(load(tmp_path, HEAD.format("m", SETTINGS[name]) + text + TAIL.format("")))


def test_defaults_with_classes(tmp_path):
    defaults = """<default><geom density="700" type="capsule" size="0.05 0.1"/><joint damping="0.1" armature="0.02"/>
      <default class="arm"><joint axis="0 1 0" stiffness="2"/><geom euler="0 90 0"/>
        <default class="hand"><geom type="box" size=".1 .05 .02" quat="1 1 0 0"/><joint type="slide"/></default>
      </default>      <default class="heavy"><geom density="3000"/></default></default>"""
    body = """<body childclass="arm"><joint/><geom/><body pos="0 0 .3"><joint class="hand"/><geom class="hand"/>
      <body pos=".1 0 0" childclass="heavy"><joint axis="1 0 0"/><geom/><geom class="arm" mass="0.3"/>
      <frame childclass="hand" pos="0 0.2 0"><geom/></frame></body></body></body>
      <body pos="1 1 1"><joint/><geom/></body>"""
    assert_agrees(load(tmp_path, HEAD.format("m", defaults) + body + TAIL.format("")))


ACTUATED = """<body name="b1"><joint name="one" axis="0 1 0" ref="15" armature="0.1"/><geom type="box" size=".1 .2 .3"/>
    <site name="s1" pos="0.3 0 0.2"/>
    <body pos=".3 0 0"><joint name="two" axis="1 0 0"/><geom size=".1" pos="0 0 0.3"/>
      <body pos="0 0 .6"><joint name="three" type="slide" axis="0 0 1"/><geom size=".1"/></body></body></body>
  <body pos="1 0 0" name="b2"><joint name="four" axis="0 0 1"/><geom size=".1" pos=".1 0 0"/>
    <site name="s2" pos="0 0.1 0"/></body>"""
MECHANISMS = {
    "motors and servos": """<actuator><motor joint="one" gear="3"/><position joint="two" kp="20" kv="2" gear="2"/>
      <velocity joint="three" kv="4"/><position joint="one" kp="30" dampratio="0.7"/>
      <position joint="three" kp="30" dampratio="1" gear="0.5"/>
      <general joint="four" gaintype="fixed" gainprm="5" biastype="affine" biasprm="1 -2 -0.3" forcerange="-0.2 0.3"/>
      <damper joint="two" kv="3" ctrlrange="0 1"/><intvelocity joint="one" kp="7"/>
      <position joint="four" kp="3" timeconst="0.2"/></actuator>""",
    "tendons over joints": """<tendon><fixed name="t1" stiffness="3" damping="0.2"><joint joint="one" coef="0.5"/>
      <joint joint="two" coef="-2"/></fixed><fixed name="t2" stiffness="5" springlength="0.1 0.3">
      <joint joint="three" coef="1"/></fixed></tendon><actuator><position tendon="t1" kp="3"/></actuator>""",
    "tendons between two sites": """<tendon><spatial name="t1" stiffness="30" damping="2" springlength="0.4">
      <site site="s1"/><site site="s2"/></spatial><spatial name="t2" stiffness="12" springlength="0.2 0.9">
      <site site="s1"/><site site="s2"/></spatial>
      <spatial stiffness="4"><site site="s1"/><site site="s2"/></spatial></tendon>
      <actuator><position tendon="t1" kp="3" gear="2"/></actuator>""",
}


@pytest.mark.parametrize("name", MECHANISMS)
def test_actuators_and_tendons(tmp_path, name):
    assert_agrees(load(tmp_path, HEAD.format("m", "") + ACTUATED + TAIL.format(MECHANISMS[name])))


def test_controls_are_parameters(tmp_path):
    head = '<default><position kp="9"/><default class="k"><general biastype="affine" biasprm="0 -4 -1" gainprm="4"/>'
    text = f"""{HEAD.format("m", head + "</default></default>")}{ACTUATED}{
        TAIL.format('''<actuator>
      <motor name="m" joint="one" gear="3" ctrlrange="-1 1"/><position name="p" joint="two" kv="1"/>
      <general class="k" name="g" joint="four"/></actuator>''')
    }"""
    twin = load(tmp_path, text)
    assert list(twin.ours.parameters) == ["m_control", "p_control", "g_control"]
    twin.ours.parameters.update(m_control=5.0, p_control=0.4, g_control=-0.3)
    twin.system = dt.compile(twin.ours)
    twin.data.ctrl[:] = 5.0, 0.4, -0.3
    assert_agrees(twin)


CLOSED = """<body name="crank"><joint name="A" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .3" size=".02"/>
    <body name="rod" pos="0 0 .3"><joint name="B" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .8 0 .1" size=".02"/>
    <site name="top" pos="0.2 0.1 0"/></body></body>
  <body name="rocker" pos=".8 0 0"><joint name="D" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 .4" size=".02"/>
    <site name="tip" pos="0 0 .4"/></body>"""
EQUALITIES = {
    "connect": '<connect body1="rod" body2="rocker" anchor=".8 0 .1"/>',
    "connect to the world": '<connect body1="rod" anchor=".8 0 .1"/>',
    "weld": '<weld body1="rod" body2="rocker"/>',
    "weld in a given pose": '<weld body1="rod" body2="rocker" relpose="0.8 0 -0.3 1 0 0 0"/>',
    "joints": '<joint joint1="A" joint2="D" polycoef="0 -2"/>',
    "one joint": '<joint joint1="A"/>',
    "a fixed tendon": '<tendon tendon1="sum"/>',
    "two fixed tendons": '<tendon tendon1="sum" tendon2="one" polycoef="0 0.7"/>',
    "a straight tendon": '<tendon tendon1="straight"/>',
}
TENDONS = """<tendon><fixed name="sum"><joint joint="A" coef="2"/><joint joint="B" coef="-0.5"/></fixed>
  <fixed name="one"><joint joint="D" coef="3"/></fixed>
  <spatial name="straight"><site site="tip"/><site site="top"/></spatial></tendon>"""


@pytest.mark.parametrize("name", EQUALITIES)
def test_equality_constraints_are_rigid(tmp_path, name):
    """At rest, G a = 0 with MuJoCo's own M, bias and constraint Jacobian G gives our accelerations."""
    twin = load(
        tmp_path, HEAD.format("m", "") + CLOSED + TAIL.format(f"{TENDONS}<equality>{EQUALITIES[name]}</equality>")
    )
    twin.theirs.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    qpos, qvel = twin.theirs.qpos0.copy(), np.zeros(twin.theirs.nv)
    q, v, T = twin.state(qpos, qvel)
    twin.forward(qpos, qvel)
    G = twin.data.efc_J.reshape(-1, twin.theirs.nv)[: twin.data.ne]
    M, n, rows = twin.mass_matrix(), twin.theirs.nv, len(G)
    assert np.abs(twin.data.efc_pos[:rows]).max() < 1e-9, "closed in the configuration of the file"
    K = np.block([[M, G.T], [G, np.zeros((rows, rows))]])
    a = np.linalg.lstsq(K, np.concatenate([-twin.data.qfrc_bias, np.zeros(rows)]), rcond=1e-12)[0][:n]
    ours = T @ dt.accelerations(twin.system, q, v)
    assert relative(ours - a, a) < 1e-8  # both solve a singular system with redundant rows: half the digits are safe


def test_keyframes(tmp_path):
    key = '<keyframe><key name="up" qpos="1 2 3 0.6 0 0.8 0 0.4" qvel="1 2 3 4 5 6 7"/></keyframe>'
    body = '<body pos="0 0 1" euler="20 30 0"><freejoint/><geom size=".1"/><body><joint axis="0 1 0" ref="10"/>'
    path = tmp_path / "model.xml"
    path.write_text(HEAD.format("m", "") + body + '<geom size=".2"/></body></body>' + TAIL.format(key))
    twin = Twin(path)
    ours = load_mjcf(path, keyframe="up")
    q, v = dt.compile(ours).initial_state()
    expected = twin.state(twin.theirs.key_qpos[0], twin.theirs.key_qvel[0])
    # a quaternion and its negative are the same attitude
    sign = np.sign(q[3:7] @ expected[0][3:7])
    assert np.allclose([*q[:3], *(sign * q[3:7]), *q[7:]], expected[0], atol=1e-14)
    assert np.allclose(v, expected[1], atol=1e-14)
    with pytest.raises(dt.ModelError, match="up"), warnings.catch_warnings():
        load_mjcf(path, keyframe="upp")
