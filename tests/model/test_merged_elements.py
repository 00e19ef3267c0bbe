"""Elements that became one: each form equals the former type of its own, old names and files work, faults are told."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.formats.yaml.file import from_text, to_text
from duoti.model.parameters import number_names

FINE = dt.DOP853(rtol=1e-10, atol=1e-12)


def arm(**more):
    """Two rods in a chain, with markers at the tip and on ground."""
    m = dt.Model("arm")
    m.add_body("upper", dt.Inertia.rod(2.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_body("lower", dt.Inertia.box(1.0, (0.8, 0.1, 0.2)), position=(1.4, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "upper", at=(0, 0, 0), q0=0.3)
    m.add_joint("B", dt.Revolute("y"), "upper", "lower", at=(1, 0, 0), q0=-0.5)
    m.add_marker("tip", "lower", (0.4, 0, 0))
    m.add_marker("eye", m.ground, (0.2, 0.1, -0.3))
    m.add_marker("elbow", "upper", (0.5, 0.02, 0))
    for name, force in more.get("forces", {}).items():
        m.add_force(name, force)
    for name, constraint in more.get("constraints", {}).items():
        m.add_constraint(name, constraint)
    return m


def end_of(model):
    r = dt.simulate(model, 0.4, solver=FINE, outputs=0.1)
    assert r.ok
    return np.hstack([r.q, r.v])


def old(name, *arguments, **keywords):
    """Made by its old name."""
    with pytest.warns(DeprecationWarning, match=f"duoti.{name} is now duoti."):
        make = getattr(dt, name)
    return make(*arguments, **keywords)


K, D = (300.0, 200.0, 250.0, 4.0, 5.0, 6.0), (3.0, 2.0, 1.0, 0.1, 0.2, 0.3)
FORCES = {
    "MatrixBushing": (("elbow", "eye", np.diag(K), np.diag(D)), dt.Bushing("elbow", "eye", K, D), "matrix_bushing"),
    "RopeForce": (
        (["tip", "eye", "elbow"], "30*length + 2*speed"),
        dt.Rope(["tip", "eye", "elbow"], tension="30*length + 2*speed"),
        "rope_force",
    ),
    "Attraction": (("tip", "eye", 3.0), dt.PointGravity("tip", "eye", strength=3.0), "attraction"),
}
CONSTRAINTS = {
    "JointSpeed": (("A", "0.5*cos(3*t) - 0.1*B.angle"), dt.JointMotion("A", velocity="0.5*cos(3*t) - 0.1*B.angle")),
    "MarkerSpeed": (("tip", (0.1, None, "sin(t)")), dt.MarkerMotion("tip", velocity=(0.1, None, "sin(t)"))),
    "RateEquation": (
        ("A.rate - 2*B.rate*cos(A.angle) + 0.1*t",),
        dt.Equation("A.rate - 2*B.rate*cos(A.angle) + 0.1*t"),
    ),
}


@pytest.mark.parametrize("name", FORCES)
def test_forces_by_old_names_are_the_new_ones(name):
    arguments, new, _ = FORCES[name]
    made = old(name, *arguments)
    assert type(made) is type(new)
    assert np.array_equal(end_of(arm(forces={"f": made})), end_of(arm(forces={"f": new})))


@pytest.mark.parametrize("name", CONSTRAINTS)
def test_constraints_by_old_names_are_the_new_ones(name):
    arguments, new = CONSTRAINTS[name]
    made = old(name, *arguments)
    assert type(made) is type(new)
    assert np.array_equal(end_of(arm(constraints={"c": made})), end_of(arm(constraints={"c": new})))


# ---------------------------------------------------------------------------------- each form by another description


def test_a_rope_by_the_law_of_an_elastic_one():
    """The same tension, written out; the rope stays taut and lengthens first, then shortens without damping."""
    k, d, rest = 80.0, 3.0, 0.3
    elastic = dt.Rope(["tip", "eye", "elbow"], stiffness=k, damping=d, rest_length=rest)
    law = f"{k}*max(length - {rest}, 0) + if(length > {rest} and speed > 0, {d}*speed, 0)"
    by_law = dt.Rope(["tip", "eye", "elbow"], tension=law)
    # round-off of the expression, grown over a few hundred steps; the kink of the damping is met to rtol = 1e-10
    assert np.max(np.abs(end_of(arm(forces={"f": elastic})) - end_of(arm(forces={"f": by_law})))) < 1e-8


def test_a_velocity_is_the_derivative_of_a_value():
    by_value = arm(constraints={"drive": dt.JointMotion("A", "0.3 + 0.2*sin(2*t)")})
    by_rate = arm(constraints={"drive": dt.JointMotion("A", velocity="0.4*cos(2*t)")})
    one, two = (dt.simulate(m, 0.4, solver=FINE, outputs=0.1) for m in (by_value, by_rate))
    assert np.max(np.abs(one.q - two.q)) < 1e-8
    assert np.max(np.abs(one["drive.torque"] - two["drive.torque"])) < 1e-6  # torques of some tens of N m


def test_a_velocity_seen_from_a_turned_frame_on_ground():
    turned = dt.Rotation.about("y", 0.7)
    v_seen = (0.3, 0.0, -0.2)
    v = turned.matrix @ v_seen
    ends = []
    for given in ({"velocity": v.tolist()}, {"velocity": v_seen, "reference": "seat"}):
        m = dt.Model("ball")
        m.add_body("ball", dt.Inertia.sphere(1.0, 0.1))
        m.add_joint("F", dt.Free(), m.ground, "ball")
        m.add_marker("seat", m.ground, (0.5, 0, 0.2), turned)
        m.add_constraint("pull", dt.MarkerMotion("ball", **given))
        ends.append(dt.simulate(m, 0.5, solver=FINE)["ball.position"][-1])
    assert np.max(np.abs(ends[0] - 0.5 * v)) < 1e-10
    assert np.max(np.abs(ends[0] - ends[1])) < 1e-10


def test_a_velocity_seen_from_a_turning_carrier():
    """A ball that rests on a turntable, as seen from there, moves on a circle."""
    m = dt.Model("turntable", gravity=(0, 0, 0))
    m.add_body("table", dt.Inertia.cylinder(5.0, radius=1.0, length=0.1, axis="z"))
    m.add_joint("T", dt.Revolute("z"), m.ground, "table")
    m.add_constraint("drive", dt.JointMotion("T", "2*t"))
    m.add_body("ball", dt.Inertia.sphere(1.0, 0.1), position=(0.6, 0, 0))
    m.add_joint("F", dt.Free(), m.ground, "ball")
    m.add_constraint("rest", dt.MarkerMotion("ball", velocity=(0, 0, 0), reference="table"))
    r = dt.simulate(m, 1.0, solver=FINE, outputs=0.1)
    circle = 0.6 * np.column_stack([np.cos(2 * r.t), np.sin(2 * r.t), 0 * r.t])
    assert np.max(np.abs(r["ball.position"] - circle)) < 1e-8


def test_a_sub_model_that_is_turned_takes_its_velocities_along():
    part = dt.Model("part", gravity=(0, 0, 0))
    part.add_body("ball", dt.Inertia.sphere(1.0, 0.1))
    part.add_joint("F", dt.Free(), part.ground, "ball")
    part.add_constraint("pull", dt.MarkerMotion("ball", velocity=(0.4, 0, 0)))
    m = dt.Model("whole", gravity=(0, 0, 0))
    m.add_submodel("p", part, position=(1, 2, 3), rotation=dt.Rotation.about("z", np.pi / 2))
    r = dt.simulate(m, 1.0, solver=FINE)
    assert np.max(np.abs(r["p.ball.position"][-1] - (1, 2.4, 3))) < 1e-10


def test_velocities_in_an_equation_make_it_one_of_velocities():
    def levels(text):
        return dt.compile(arm(constraints={"c": dt.Equation(text)})).closures.nonholonomic.tolist()

    assert levels("A.angle - 2*B.angle + 1.3") == [0]
    assert levels("A.rate - 2*B.rate") == [1]
    assert levels("tip.position.z - 0.1*t") == [0]
    assert levels("tip.local_velocity.z") == [1]


def test_numbers_of_a_rope_are_those_of_its_form():
    def names(rope):
        return [name for name in number_names(arm(forces={"f": rope})) if name.startswith("f.")]

    assert names(dt.Rope(["tip", "eye"], 3.0)) == ["f.stiffness", "f.damping", "f.rest_length"]
    assert names(dt.Rope(["tip", "eye"], tension=3.0)) == ["f.tension"]


# ------------------------------------------------------------------------------------------------------------- files

FILE = """
duoti: 1
bodies:
  upper: {inertia: {mass: 2, matrix: [0.1, 0.2, 0.2]}, position: [0.5, 0, 0]}
  lower: {inertia: {mass: 1, matrix: [0.1, 0.2, 0.2]}, position: [1.4, 0, 0]}
markers:
  tip: {body: lower, position: [0.4, 0, 0]}
  eye: {body: ground, position: [0.2, 0.1, -0.3]}
joints:
  A: {type: revolute, axis: y, between: [ground, upper], at: [0, 0, 0], q0: 0.3}
  B: {type: revolute, axis: y, between: [upper, lower], at: [1, 0, 0], q0: -0.5}
"""
IN_FILES = {
    "matrix_bushing": ("forces", "marker_a: tip, marker_b: eye, stiffness: [1, 2, 3, 4, 5, 6]", "bushing"),
    "rope_force": ("forces", "through: [tip, eye], tension: 3*length", "rope"),
    "attraction": ("forces", "marker_a: tip, marker_b: eye, strength: 2.0", "point_gravity"),
    "joint_speed": ("constraints", "joint: A, value: 20 deg/s", "joint_motion"),
    "marker_speed": ("constraints", "marker: tip, velocity: [0.1, null, sin(t)]", "marker_motion"),
    "rate_equation": ("constraints", "expression: A.rate - 2*B.rate", "equation"),
}


@pytest.mark.parametrize("kind", IN_FILES)
def test_old_types_of_files_are_read_and_saved_as_the_new_ones(kind):
    section, keys, new = IN_FILES[kind]
    m = from_text(f"{FILE}{section}:\n  e: {{type: {kind}, {keys}}}\n")
    element = getattr(m, section)["e"]
    assert element.kind == new
    saved = to_text(m)
    assert f"type: {new}" in saved
    assert kind not in saved
    again = from_text(saved)
    assert repr(getattr(again, section)["e"]) == repr(element)
    assert np.array_equal(end_of(m), end_of(again))


def test_a_joint_speed_of_a_file_is_a_velocity():
    m = from_text(f"{FILE}constraints:\n  e: {{type: joint_speed, joint: A, value: 20 deg/s}}\n")
    assert m.constraints["e"].velocity == pytest.approx(np.deg2rad(20), abs=1e-15)
    assert m.constraints["e"].value is None
    assert "velocity: 20 deg/s" in to_text(m)


# ------------------------------------------------------------------------------------------------------------ faults


@pytest.mark.parametrize(
    ("force", "text"),
    [
        (dt.Rope(["tip", "eye"]), "give its stiffness, or its tension as a law"),
        (dt.Rope(["tip", "eye"], 3.0, tension="2*t"), "tension and stiffness are given"),
        (dt.Rope(["tip", "eye"], rest_length=1.0, tension=2.0), "tension and rest_length are given"),
        (dt.Rope(["tip", "eye"], stiffness="much"), "stiffness is 'much'"),
        (dt.Bushing("tip", "eye", np.ones((5, 5))), "six numbers, along x, y, z and about x, y, z, or a 6x6 matrix"),
        (dt.Bushing("tip", "eye", (1, 2, 3)), "3 given"),
    ],
)
def test_faults_of_forces(force, text):
    (error,) = dt.check(arm(forces={"f": force})).errors
    assert text in error.what


@pytest.mark.parametrize(
    ("constraint", "text", "key"),
    [
        (dt.JointMotion("A"), "nothing is prescribed; give value or velocity", "value"),
        (dt.JointMotion("A", 1.0, velocity=2.0), "value and velocity are both given; give one of them", "velocity"),
        (dt.JointMotion("A", velocity="B.angel"), 'unknown name "B.angel"', "velocity"),
        (dt.MarkerMotion("tip"), "nothing is prescribed; give position or velocity", "position"),
        (dt.MarkerMotion("tip", (0, 0, 0), velocity=(0, 0, 0)), "position and velocity are both given", "velocity"),
        (dt.MarkerMotion("tip", velocity=(0, 0)), "velocity is (0, 0); give (x, y, z)", "velocity"),
        (dt.MarkerMotion("tip", velocity=(0, 0, 0), reference="lower"), 'both markers are on body "lower"', ""),
        (dt.Equation("A.rate*B.rate - A.angle"), "it is not linear in the rates", "expression"),
    ],
)
def test_faults_of_constraints(constraint, text, key):
    (error,) = dt.check(arm(constraints={"c": constraint})).errors
    assert text in error.what
    assert error.key == key
