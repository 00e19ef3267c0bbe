"""solref and solimp as linear springs: depth at rest and its damping against MuJoCo.

A ball under gravity loads its contact with its weight, for which the spring is made: depths agree to 1e-6, what is left
of MuJoCo's motion after its time. Articulated contacts bear other loads than m g of their own mass; there the linear
spring is an approximation, and is not compared.
"""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.examples.robots import robots
from duoti.formats import load_mjcf
from duoti.formats.mjcf.configuration import body_inverse_weights
from duoti.formats.mjcf.softness import softness_of

mujoco = pytest.importorskip("mujoco")

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore::duoti.errors.LeftOutWarning")]
BALL = """<mujoco><option timestep="0.0005" cone="{cone}" integrator="implicitfast"/><worldbody>
  <geom name="floor" type="plane" size="5 5 1" {floor}/>
  <body name="ball" pos="0 0 0.1"><freejoint name="free"/><geom name="skin" size="0.1" mass="{mass}" {skin}/></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize("cone", ["pyramidal", "elliptic"])
@pytest.mark.parametrize(("floor", "skin", "mass"), [
    ("", "", 2.0), ('solref="0.05 0.7"', "", 0.3), ('solref="0.01 1.5"', 'solimp="0.8 0.99 0.0005 0.3 4"', 7.0),
    ('solimp="0.5 0.9 0.002" solmix="3"', 'solref="0.03 1"', 1.0), ('solref="-5000 -60"', 'solref="-9000 -50"', 1.5),
    ('solref="0.04 1" priority="1"', 'solref="0.005 1"', 1.0), ("", 'solimp="0.9 0.9 0.001 0.5 1"', 1.0),
])  # fmt: skip
def test_depth_at_rest(tmp_path, floor, skin, mass, cone):
    path = tmp_path / "ball.xml"
    path.write_text(BALL.format(floor=floor, skin=skin, mass=mass, cone=cone))
    theirs = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(theirs)
    while data.time < 3.0:
        mujoco.mj_step(theirs, data)
    depth = -float(data.contact[0].dist)
    m = load_mjcf(path, contacts=True, soft=True)
    law = m.contacts["floor skin"].law
    assert mass * 9.81 / law.stiffness == pytest.approx(depth, rel=1e-6)
    r = dt.simulate(m, 2.0, outputs=0.5, solver=dt.Radau(rtol=1e-8))
    assert r["free.q"][-1][2] == pytest.approx(-depth, rel=1e-3)


def test_numbers_are_those_of_mujoco():
    """Impedance and reference at several depths, as MuJoCo computes them for a limit (efc_KBIP)."""
    text = """<mujoco><worldbody><body><joint name="j" range="-90 0" limited="true" solreflimit="0.03 0.8"
      solimplimit="0.7 0.95 0.02 0.4 3"/><geom size="0.1" pos="0.3 0 0"/></body></worldbody></mujoco>"""
    theirs = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(theirs)
    soft = softness_of((0.03, 0.8), (0.7, 0.95, 0.02, 0.4, 3.0))
    for depth in (1e-4, 0.003, 0.008, 0.015, 0.05):
        data.qpos[0] = depth
        mujoco.mj_forward(theirs, data)
        k, b, impedance, _ = np.asarray(data.efc_KBIP).reshape(-1, 4)[0]
        d = soft.impedance(depth)
        assert d == pytest.approx(impedance, rel=1e-12)
        # MuJoCo multiplies k by the impedance when it forms the reference
        assert soft.numbers(d) == pytest.approx((k * impedance, b), rel=1e-12)


@pytest.mark.parametrize("name", ["hound", "strider", "delta"])
def test_inverse_weights(name):
    """Of all bodies with a mass, in the configuration of the file."""
    m = load_mjcf(robots()[name])
    theirs = mujoco.MjModel.from_xml_path(str(robots()[name]))
    found = body_inverse_weights(m)
    names = {theirs.body(i).name for i in range(theirs.nbody)}
    for body, weight in found.items():
        if body in names and body in m.bodies and m.bodies[body].inertia.mass:
            assert weight == pytest.approx(theirs.body(body).invweight0[0], rel=1e-6), body


def test_limits_give_way(tmp_path):
    """A door against its stop under a torque that gives 10 rad/s^2: the depth of MuJoCo."""
    path = tmp_path / "door.xml"
    path.write_text("""<mujoco><option gravity="0 0 0" timestep="0.0005"/><worldbody><body name="door">
      <joint name="hinge" axis="0 0 1" range="-90 0" limited="true" solreflimit="0.05 1"/>
      <inertial pos="0 0 0" mass="1" diaginertia="0.2 0.2 0.4"/></body></worldbody>
      <actuator><motor name="push" joint="hinge"/></actuator></mujoco>""")
    theirs = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(theirs)
    data.ctrl[0] = 4.0
    while data.time < 3.0:
        mujoco.mj_step(theirs, data)
    m = load_mjcf(path, soft=True)
    stop = m.forces["hinge_stop"]
    assert 4.0 / stop.stiffness == pytest.approx(data.qpos[0], rel=1e-6)
    m.parameters["push_control"] = 4.0
    r = dt.simulate(m, 3.0, outputs=0.5, solver=dt.Radau())
    assert r["hinge.angle"][-1] == pytest.approx(data.qpos[0], rel=1e-3)


def test_rigid_without_it(tmp_path):
    path = tmp_path / "ball.xml"
    path.write_text(BALL.format(floor="", skin="", mass=1.0, cone="elliptic"))
    assert load_mjcf(path, contacts=True).contacts["floor skin"].law.rigid
    soft = load_mjcf(path, contacts=True, soft=True)
    assert any("linear springs" in note.message for note in soft.import_notes)
