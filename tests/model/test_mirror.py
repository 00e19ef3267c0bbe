"""Mirror images: a mirrored mechanism moves as the mirror image, whatever it is made of."""

import numpy as np
import pytest

import duoti as dt
from duoti.model.forces import FORCE_TYPES
from duoti.model.joints import JOINT_TYPES
from duoti.model.mirror import mirrored
from duoti.spatial.reflection import Reflection
from support.random_constraints import add_random_constraints
from support.random_forces import SAMPLES, add_random_forces
from support.random_models import random_model, random_state

REFUSED = ("tyre", "slider", "beam_element", "thin_beam", "spectral_beam_element", "beam_load")
FORCES = [kind for kind in FORCE_TYPES if kind in SAMPLES and kind not in REFUSED]


def signs(model, system, normal):
    """Signs of q and of v of the image, from the joints' own declarations, in the order of the compiled system."""
    order = list(dict.fromkeys(name.partition(".")[0] for name in system.coordinate_names))
    made = [model.joints[name].joint.mirrored(Reflection("xyz".index(normal))) for name in order]
    return np.array([s for _, q, _ in made for s in q]), np.array([s for _, _, v in made for s in v])


def compare(model, normal, rng, **given):
    """Accelerations of the image at the image of a random state are the images of the accelerations."""
    image = mirrored(model, normal)
    A, B = dt.compile(model), dt.compile(image)
    q, v, _ = random_state(rng, A)
    of_q, of_v = signs(model, A, normal)
    S = np.array(Reflection("xyz".index(normal)).signs("vector"))
    for name in model.bodies:
        J, K = dt.jacobian(A, name, q), dt.jacobian(B, name, q * of_q)
        twist, mirror = J @ v, K @ (v * of_v)
        assert np.allclose(mirror[:3], -S * twist[:3], atol=1e-11), name
        assert np.allclose(mirror[3:], S * twist[3:], atol=1e-11), name
    a = dt.accelerations(A, q, v, 0.3, **given)
    b = dt.accelerations(B, q * of_q, v * of_v, 0.3, **given)
    assert np.allclose(b, a * of_v, rtol=1e-8, atol=1e-8 * np.abs(a).max())


@pytest.mark.parametrize("normal", ["x", "y", "z"])
@pytest.mark.parametrize("kind", sorted(JOINT_TYPES))
def test_every_joint_moves_as_its_image(kind, normal):
    rng = np.random.default_rng(3)
    kinds = (kind,) if kind != "fixed" else ("fixed", "revolute")
    meant = random_model(rng, 3, kinds, gravity=(1.0, -2.0, -9.0), reverse=0.5)
    compare(meant.model, normal, rng)


SIMPLE = ("revolute", "prismatic", "universal")
"""Joints whose coordinates the image counts the same way."""


@pytest.mark.parametrize("normal", ["x", "y", "z"])
@pytest.mark.parametrize("kind", FORCES)
def test_every_force_acts_as_its_image(kind, normal):
    rng = np.random.default_rng(11)
    meant = random_model(rng, 4, SIMPLE, gravity=(1.0, -2.0, -9.0))
    add_random_forces(rng, meant, [kind])
    compare(meant.model, normal, rng)


@pytest.mark.parametrize("normal", ["x", "y"])
def test_constraints_hold_as_their_image(normal):
    rng = np.random.default_rng(7)
    meant = random_model(rng, 3, SIMPLE, gravity=(0.3, 0.2, -9.81))
    add_random_constraints(rng, meant)
    for name in list(meant.model.constraints):
        one = dt.Model("one", gravity=meant.model.gravity)
        for section in ("bodies", "markers", "joints"):
            setattr(one, section, getattr(meant.model, section))
        one.add_constraint(name, meant.model.constraints[name])
        image = mirrored(one, normal)
        A, B = dt.compile(one), dt.compile(image)
        q, v, _ = random_state(rng, A)
        of_q, of_v = signs(one, A, normal)
        a = dt.accelerations(A, q, v, 0.3, must_close=False)
        b = dt.accelerations(B, q * of_q, v * of_v, 0.3, must_close=False)
        assert np.allclose(b, a * of_v, rtol=1e-7, atol=1e-7 * np.abs(a).max()), name


LEG = """\
duoti: 1
name: leg
parameters: {l: 0.4, k: 30}
bodies:
  thigh: {inertia: {rod: {mass: 2, length: =l, axis: z}}, position: [0, 0.1, =-l/2]}
  shank: {inertia: {rod: {mass: 1, length: =l, axis: z}}, position: [0, 0.1, =-3*l/2]}
markers:
  foot: {body: shank, position: [0, 0, =-l/2]}
  nail: {body: ground, position: [0.2, 0.3, -0.1]}
joints:
  hip: {type: universal, axis1: x, axis2: y, between: [ground, thigh], at: [0, 0.1, 0], q0: [0.2, 0.1]}
  knee: {type: revolute, axis: y, between: [thigh, shank], at: [0, 0.1, =-l], q0: 10 deg}
forces:
  spring: {type: joint_torque, joint: knee, value: -k*knee.angle - 0.1*v}
  rope: {type: spring_damper, marker_a: nail, marker_b: foot, stiffness: 50}
  wind: {type: applied_force, marker: foot, value: [0.3, "2 - foot.velocity.y", "foot.angular_velocity.x"]}
"""
WALKER = """\
duoti: 1
parameters: {h: 1.0}
bodies:
  trunk:
    inertia: {box: {mass: 20, size: [0.8, 0.3, 0.1]}}
    position: [0.3, 0, =h]
    rotation: {about: {axis: y, angle: 20 deg}}
joints:
  base: {type: free, between: [ground, trunk]}
submodels:
  left: {file: leg.yaml, position: [0, 0, =h], ground: trunk}
  right: {file: leg.yaml, position: [0, 0, =h], ground: trunk, mirror: y}
"""


def test_two_legs_of_a_trunk_from_one_file(tmp_path):
    """With mirrored legs a symmetric start stays symmetric: the trunk neither rolls nor yaws nor shifts sideways."""
    (tmp_path / "leg.yaml").write_text(LEG, encoding="utf-8")
    (tmp_path / "walker.yaml").write_text(WALKER, encoding="utf-8")
    model = dt.load(tmp_path / "walker.yaml")
    assert model.joints["right.hip"].parent == "trunk"
    assert model.forces["right.wind"].value == [
        0.3,
        "-(2 - (-right.foot.velocity.y))",
        "(-right.foot.angular_velocity.x)",
    ]
    r = dt.simulate(model, 1.0, outputs=0.1, rtol=1e-10, atol=1e-12)
    assert r.ok
    assert np.abs(r["trunk.position.y"]).max() < 1e-9
    assert np.abs(r["trunk.angular_velocity.z"]).max() < 1e-9
    left, right = r["left.foot.position"], r["right.foot.position"]
    assert np.allclose(right, left * (1, -1, 1), atol=1e-9)
    assert np.ptp(left[:, 1]) > 0.01
    again = dt.formats.from_text(dt.formats.to_text(model))
    q, v = r.q[-1], r.v[-1]
    a, b = (dt.accelerations(dt.compile(m), q, v, 0.3) for m in (model, again))
    assert np.array_equal(a, b)


def test_a_part_on_a_body_that_is_held_moves_as_on_ground(tmp_path):
    leg = dt.formats.from_text(LEG)
    alone, on_body = dt.Model("alone"), dt.Model("on body")
    alone.add_submodel("leg", leg, position=(1, 2, 3), rotation=dt.Rotation.about("x", 0.4))
    on_body.add_body(
        "base", dt.Inertia.box(1.0, size=(1, 1, 1)), position=(4, 0, 1), rotation=dt.Rotation.about("z", 1.0)
    )
    on_body.add_joint("held", dt.Fixed(), "ground", "base")
    on_body.add_submodel("leg", leg, position=(1, 2, 3), rotation=dt.Rotation.about("x", 0.4), ground="base")
    A, B = dt.compile(alone), dt.compile(on_body)
    q, v = np.array([0.1, 0.2, 0.3]), np.array([1.0, -2.0, 3.0])
    assert np.allclose(dt.accelerations(A, q, v), dt.accelerations(B, q, v), rtol=1e-11, atol=1e-11)


def test_what_has_no_image_is_named_all_at_once():
    m = dt.Model("part")
    m.add_body("b", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_joint("C", dt.Cylindrical("z"), "ground", "b")
    m.add_force("motor", dt.JointTorque("C", "1", coordinate=0))
    m.add_sensor("s", dt.Accelerometer("b"))
    with pytest.raises(ValueError, match="no mirror image") as error:
        dt.Model().add_submodel("p", m, mirror="y")
    assert 'force "motor"' in str(error.value)
    assert 'sensors "s"' in str(error.value)
    with pytest.raises(ValueError, match="normal of the plane"):
        dt.Model().add_submodel("p", m, mirror="left")
    with pytest.raises(ValueError, match='ground "chassis" is no body'):
        dt.Model().add_submodel("p", m, ground="chassis")


def test_shapes_and_masses_are_mirrored():
    m = dt.Model("part")
    cone = dt.Inertia.cone(2.0, radius=0.1, height=0.4, com=(0.1, 0.2, 0.3), rotation=dt.Rotation.about("x", 0.3))
    m.add_body("b", cone, position=(0, 1, 0), rotation=dt.Rotation.about("z", 0.5))
    m.add_joint("J", dt.Free(), "ground", "b")
    image = mirrored(m, "y").bodies["b"]
    S = np.diag([1.0, -1.0, 1.0])
    assert np.allclose(image.inertia.com, S @ cone.com)
    assert np.allclose(image.inertia.matrix, S @ cone.matrix @ S)
    axis = cone.shapes[0].pose.rotation.matrix[:, 2]
    assert np.allclose(image.inertia.shapes[0].pose.rotation.matrix[:, 2], S @ axis)
    assert np.linalg.det(image.inertia.shapes[0].pose.rotation.matrix) > 0.0
