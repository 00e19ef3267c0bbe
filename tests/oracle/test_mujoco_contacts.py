"""Contacts of MJCF files against MuJoCo's: which geoms touch, how far apart they are, and with what friction."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.contact.build import rigid_contacts
from duoti.contact.workspace import ContactGeometry

mujoco = pytest.importorskip("mujoco")

SCENE = """
<mujoco>
 <default><geom margin="5" friction="0.6 0.02 0.003"/></default>
 <worldbody>
  <geom name="floor" type="plane" size="5 5 0.1" pos="0 0 -0.2" euler="0 5 0" friction="0.3"/>
  <geom name="post" type="capsule" fromto="1 0 0 1 0 1" size="0.1"/>
  <body name="base" pos="0 0 0.5">
   <freejoint/>
   <geom name="box" type="box" size="0.1 0.2 0.05" condim="6"/>
   <geom name="bead" type="sphere" size="0.04" pos="0.3 0 0" contype="0" conaffinity="0"/>
   <body name="arm" pos="0.2 0 0.1">
    <joint name="shoulder" axis="0 1 0"/>
    <geom name="upper" type="capsule" fromto="0 0 0 0.3 0 0" size="0.03" priority="1" friction="0.9" condim="4"/>
    <body name="plate" pos="0.3 0 0">
     <geom name="ball" type="sphere" size="0.05" contype="2" conaffinity="4"/>
     <body name="hand" pos="0.1 0 0"><joint name="wrist" axis="0 0 1"/>
      <geom name="finger" type="sphere" size="0.02" conaffinity="3"/></body>
    </body>
   </body>
  </body>
  <body name="drum" pos="0 1 0.4"><freejoint/><geom name="drum" type="cylinder" size="0.1 0.2"/></body>
  <body name="egg" pos="0 -1 0.4"><freejoint/><geom name="egg" type="sphere" size="0.1" mass="1"/></body>
 </worldbody>
 <contact><exclude body1="egg" body2="drum"/>
  <pair geom1="bead" geom2="floor" friction="0.2 0.2" condim="1" margin="5"/></contact>
</mujoco>
"""


def theirs(text, state):
    m = mujoco.MjModel.from_xml_string(text)
    d = mujoco.MjData(m)
    d.qpos[:] = state
    mujoco.mj_forward(m, d)
    name = lambda k: mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_GEOM, k)  # noqa: E731
    gaps: dict[frozenset[str], float] = {}
    friction: dict[frozenset[str], tuple] = {}
    for c in d.contact:
        key = frozenset((name(c.geom1), name(c.geom2)))
        gaps[key] = min(gaps.get(key, np.inf), c.dist)
        friction[key] = (c.dim, c.friction[0], c.friction[2], c.friction[3])
    return gaps, friction


def test_pairs_gaps_and_friction(tmp_path):
    """Every pair of MuJoCo is one here, with its gap and friction, and no other."""
    m = dt.formats.load_mjcf(_file(tmp_path), contacts=True)
    qpos = mujoco.MjModel.from_xml_string(SCENE).qpos0.copy()
    gaps, friction = theirs(SCENE, qpos)
    known = {frozenset(name.split()): element for name, element in m.contacts.items()}
    for name, element in m.contacts.items():
        assert len(name.split()) == 2, element
    s = dt.compile(m)
    of = rigid_contacts(s)
    found = ContactGeometry(s, of, biases=False).gaps(s.initial_state()[0])
    own: dict[frozenset[str], float] = {}
    for slot, gap in enumerate(found):
        key = frozenset(of.names[of.contacts.element[of.contacts.slot_pair[slot]]].split())
        own[key] = min(own.get(key, np.inf), gap)
    assert set(known) == set(gaps)
    for key in known:
        # the nearest points of smooth shapes, and corners on planes: round-off of MuJoCo's sizes
        assert own[key] == pytest.approx(gaps[key], abs=1e-6), key
        dim, sliding, torsion, rolling = friction[key]
        law = known[key].law
        assert law.friction == pytest.approx(sliding if dim >= 3 else 0.0), key
        assert law.torsional_friction == pytest.approx(torsion if dim >= 4 else 0.0), key
        assert law.rolling_friction == pytest.approx(rolling if dim >= 6 else 0.0), key


def _file(tmp_path):
    file = tmp_path / "scene.xml"
    file.write_text(SCENE)
    return file


def test_only_the_world_a_law_or_nothing(tmp_path):
    file = _file(tmp_path)
    assert not dt.formats.load_mjcf(file).contacts
    assert "contacts=True" in str(dt.formats.load_mjcf(file).import_notes)
    few = dt.formats.load_mjcf(file, contacts="world")
    assert all({"floor", "post"} & set(name.split()) for name in few.contacts)
    soft = dt.formats.load_mjcf(file, contacts=dt.CompliantContact(1e4))  # all pairs, none left out with a warning
    assert all(not element.law.rigid for element in soft.contacts.values())
    assert soft.contacts.keys() == dt.formats.load_mjcf(file, contacts=True).contacts.keys()
    with pytest.raises(ValueError, match="world"):
        dt.formats.load_mjcf(file, contacts="some")
