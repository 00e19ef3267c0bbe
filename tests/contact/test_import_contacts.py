"""Contacts of imported robots: they fall on what the file, or the user, puts below them."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt

BALL = """
<mujoco><worldbody>
 <geom type="plane" size="1 1 1"/>
 <body pos="0 0 0.3"><freejoint/><geom type="sphere" size="0.1" friction="0.7 0.01 0.002" condim="6"/></body>
</worldbody></mujoco>
"""
CART = """
<robot name="cart">
 <link name="base"><inertial><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1" ixy="0" ixz="0" iyz="0"/>
  </inertial>
  <visual><geometry><box size="0.5 0.5 0.5"/></geometry></visual>
  <collision><geometry><box size="0.4 0.4 0.2"/></geometry></collision></link>
 <link name="tool"><inertial><mass value="1"/><inertia ixx="0.01" iyy="0.01" izz="0.01" ixy="0" ixz="0" iyz="0"/>
  </inertial>
  <collision><geometry><sphere radius="0.1"/></geometry></collision></link>
 <joint name="lift" type="prismatic"><parent link="base"/><child link="tool"/><origin xyz="0 0 0.5"/><axis xyz="0 0 1"/>
  <limit lower="-1" upper="1" effort="1" velocity="1"/></joint>
</robot>
"""


def test_a_ball_of_an_mjcf_file_comes_to_rest(tmp_path):
    (tmp_path / "ball.xml").write_text(BALL)
    m = dt.formats.load_mjcf(tmp_path / "ball.xml", contacts=True)
    (law,) = [element.law for element in m.contacts.values()]
    assert (law.friction, law.torsional_friction, law.rolling_friction) == (1.0, 0.01, 0.002)  # the plane's 1 is larger
    r = dt.simulate(m, 1.0, outputs=[1.0])
    (name,) = m.contacts
    assert r[f"{name}.gap"][-1] == pytest.approx(0.0, abs=1e-9)
    assert r[f"{name}.normal_force"][-1] == pytest.approx(m.mass * 9.81, rel=1e-9)
    assert "soft" in str(m.import_notes)


def test_links_of_a_urdf_touch_what_the_user_gives_the_ground(tmp_path):
    """Base and tool are neighbours, and do not touch each other: both come to the floor."""
    (tmp_path / "cart.urdf").write_text(CART)
    assert not dt.formats.load_urdf(tmp_path / "cart.urdf").contacts
    m = dt.formats.load_urdf(tmp_path / "cart.urdf", base="floating", contacts=dt.RigidContact(friction=0.5))
    assert [shape.kind for shape in m.bodies["base"].shapes] == ["box"]
    assert dict(m.bodies["base"].shapes[0].dimensions)["size_z"] == 0.2  # that of the collision, not the visual
    m.ground.shapes.append(dt.Shape.plane(position=(0, 0, -0.15)))
    r = dt.simulate(m, 1.0, outputs=[1.0], solver=dt.Moreau(step=1e-3))
    assert r.ok, r.reason
    assert r["base.position.z"][-1] == pytest.approx(-0.05, abs=1e-8)
    # the tool sinks with its sphere to the floor, through the base: 0.1 above it
    assert r["tool.position.z"][-1] == pytest.approx(-0.05, abs=1e-8)
    assert np.abs(r.v[-1]).max() < 1e-6
    with pytest.raises(TypeError, match="RigidContact"):
        dt.formats.load_urdf(tmp_path / "cart.urdf", contacts=True)


MIXED = """
<mujoco><option timestep="0.002"/><worldbody>
 <geom type="box" size="1 1 0.1" pos="0 0 -0.1"/>
 <body pos="0 0 0.21"><freejoint/><geom type="cylinder" size="0.1 0.2" mass="1"/></body>
 <body pos="0.5 0 0.11" euler="90 0 20"><freejoint/><geom type="cylinder" size="0.1 0.2" mass="1"/></body>
 <body pos="-0.5 0 0.06"><freejoint/><geom type="ellipsoid" size="0.2 0.15 0.05" mass="1"/></body>
 <body pos="0 0 0.47"><freejoint/><geom type="cylinder" size="0.08 0.05" mass="0.5"/></body>
 <body pos="-0.5 0.5 0.11" euler="90 0 0"><freejoint/><geom type="capsule" size="0.1 0.2" mass="1"/></body>
</worldbody></mujoco>
"""


def test_cylinders_and_ellipsoids_rest_where_mujoco_has_them(tmp_path):
    """On a box and on each other, dropped by a centimetre: heights of the bodies at rest.

    MuJoCo's contacts are soft: it sinks by some 0.1 mm under a body's weight (timeconst 0.02 s: g t^2 / 20), less than
    1 mm in all. Nothing is left out.
    """
    mujoco = pytest.importorskip("mujoco")
    (tmp_path / "mixed.xml").write_text(MIXED)
    m = dt.formats.load_mjcf(tmp_path / "mixed.xml", contacts=True)
    assert "cannot be treated" not in str(m.import_notes)
    r = dt.simulate(m, 1.5, outputs=[1.5], solver=dt.Moreau(step=2e-3))
    assert r.ok, r.reason
    theirs = mujoco.MjModel.from_xml_path(str(tmp_path / "mixed.xml"))
    data = mujoco.MjData(theirs)
    for _ in range(750):
        mujoco.mj_step(theirs, data)
    heights = [r[f"{name}.position.z"][-1] for name in m.bodies]
    wanted = [0.2, 0.1, 0.05, 0.45, 0.1]
    assert heights == pytest.approx(wanted, abs=1e-6)
    assert data.xpos[1:, 2] == pytest.approx(wanted, abs=1e-3)


def test_planes_of_one_body_are_no_pair_that_is_left_out():
    """A box of half-spaces is one body; nothing of it touches itself."""
    m = dt.Model("corner")
    m.ground.shapes += [dt.Shape.plane(), dt.Shape.plane(rotation=dt.Rotation.between("z", (1, 0, 0)))]
    b = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0.3, 0, 0.2))
    b.shapes.append(dt.Shape.sphere(0.1))
    m.add_joint("free", dt.Free(), m.ground, b)
    m.add_contact("all", dt.RigidContact(friction=0.5), "all", "all")
    r = dt.simulate(m, 0.3, solver=dt.Moreau(step=2e-3))
    assert r.ok, r.reason
    assert "leave out" not in r.summary()
