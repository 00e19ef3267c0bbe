"""Model files: what they mean, and that models come back from them as they were, to the last bit."""

import math
from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.examples import all_examples
from duoti.formats import from_text, to_text
from duoti.formats.yaml.encode import typed_data
from duoti.formats.yaml.values import INERTIAS, SHAPES
from duoti.model.constructor_schema import KINDS, fields_of
from duoti.model.joints import JOINT_TYPES
from support.random_constraints import CONSTRAINT_SAMPLES, add_random_constraints
from support.random_constraints import SAMPLES as CONSTRAINTS
from support.random_forces import BETWEEN_BODIES, add_random_forces, plain_coordinates
from support.random_forces import SAMPLES as FORCES
from support.random_models import random_inertia, random_model, random_pose, random_rotation, random_state

SLIDER_CRANK = """\
duoti: 1
name: slider-crank
gravity: [0, 0, -9.81]
parameters: {r: 0.3, l: 0.8}
bodies:
  crank:  {inertia: {rod: {mass: 1.0, length: =r, axis: x}}, position: [=r/2, 0, 0]}
  rod:    {inertia: {rod: {mass: 2.0, length: =l, axis: x}}, position: [=r + l/2, 0, 0]}
  slider: {inertia: {box: {mass: 0.5, size: [0.1, 0.1, 0.1]}}, position: [=r + l, 0, 0]}
joints:
  A: {type: revolute, axis: y, between: [ground, crank], at: [0, 0, 0]}
  B: {type: revolute, axis: y, between: [crank, rod], at: [=r, 0, 0]}
  C: {type: revolute, axis: y, between: [rod, slider], at: [=r + l, 0, 0]}
  D: {type: prismatic, axis: x, between: [ground, slider], at: [=r + l, 0, 0]}
forces:
  motor: {type: joint_torque, joint: A, value: 10*sin(2*pi*t)}
simulate: {duration: 2.0}
"""


def slider_crank():
    """The same in Python, as in the design."""
    r, l = 0.3, 0.8
    m = dt.Model("slider-crank", gravity=(0, 0, -9.81))
    crank = m.add_body("crank", dt.Inertia.rod(1.0, length=r, axis="x"), position=(r / 2, 0, 0))
    rod = m.add_body("rod", dt.Inertia.rod(2.0, length=l, axis="x"), position=(r + l / 2, 0, 0))
    slider = m.add_body("slider", dt.Inertia.box(0.5, size=(0.1, 0.1, 0.1)), position=(r + l, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, crank, at=(0, 0, 0))
    m.add_joint("B", dt.Revolute("y"), crank, rod, at=(r, 0, 0))
    m.add_joint("C", dt.Revolute("y"), rod, slider, at=(r + l, 0, 0))
    m.add_joint("D", dt.Prismatic("x"), m.ground, slider, at=(r + l, 0, 0))
    m.add_force("motor", dt.JointTorque("A", "10*sin(2*pi*t)"))
    return m


def same_dynamics(a: dt.Model, b: dt.Model, rng, constrained: bool = True) -> None:
    """Equal to the last bit: mass matrix, accelerations, energies, rates of states at a random state."""
    A, B = dt.compile(a), dt.compile(b)
    assert A.coordinate_names == B.coordinate_names
    assert np.array_equal(np.concatenate(A.initial_state()), np.concatenate(B.initial_state()))
    q, v, _ = random_state(rng, A)
    z = rng.normal(size=A.nz)
    t = float(rng.uniform(0, 2))
    assert np.array_equal(dt.mass_matrix(A, q), dt.mass_matrix(B, q))
    assert np.array_equal(
        dt.analyses.generalised_forces(A, q, v, t, z=z), dt.analyses.generalised_forces(B, q, v, t, z=z)
    )
    if constrained:
        assert np.array_equal(dt.accelerations(A, q, v, t, z, False), dt.accelerations(B, q, v, t, z, False))


def there_and_back(model: dt.Model) -> dt.Model:
    """Through a text; writing it again gives the same text."""
    text = to_text(model)
    again = from_text(text)
    assert to_text(again) == text
    return again


# ------------------------------------------------------------------------------------------------ what files mean


def test_the_example_of_the_design(tmp_path):
    path = tmp_path / "slider_crank.yaml"
    path.write_text(SLIDER_CRANK, encoding="utf-8")
    model = dt.load(path)
    assert model.name == "slider-crank"
    assert model.parameters == {"r": 0.3, "l": 0.8}
    assert model.tasks == {"simulate": {"duration": 2.0}}
    same_dynamics(model, slider_crank(), np.random.default_rng(1))
    result, reference = dt.simulate(model, 0.5), dt.simulate(slider_crank(), 0.5)
    assert np.array_equal(result["D.position"], reference["D.position"])


def test_a_file_that_is_loaded_and_saved_keeps_its_parameters_and_expressions(tmp_path):
    first, second = tmp_path / "a.yaml", tmp_path / "b.yml"
    first.write_text(SLIDER_CRANK, encoding="utf-8")
    dt.load(first).save(second)
    text = second.read_text(encoding="utf-8")
    assert "crank: {inertia: {rod: {mass: 1.0, length: =r, axis: x}}, position: [=r/2, 0, 0]}" in text
    assert "value: 10*sin(2*pi*t)" in text
    longer = dt.load(second, parameters={"l": 1.0})
    assert longer.bodies["slider"].position == (1.3, 0.0, 0.0)
    same_dynamics(dt.load(second), dt.load(first), np.random.default_rng(2))


def test_what_was_changed_is_saved_as_it_is():
    model = from_text(SLIDER_CRANK)
    model.bodies["crank"].position = (0.2, 0, 0)
    text = to_text(model)
    assert "length: =r" in text
    assert "position: [0.2, 0.0, 0.0]" in text
    model.parameters["r"] = 0.4  # the bodies keep their sizes, so no expression may be left that says otherwise
    text = to_text(model)
    assert "=" not in text
    same_dynamics(from_text(text), model, np.random.default_rng(3))
    assert from_text(text).parameters == {"r": 0.4, "l": 0.8}


def test_parameters_given_from_outside_count():
    model = from_text("duoti: 1\nparameters: {a: 2, b: =2*a, c: =b + 1}\n", parameters={"b": 10})
    assert model.parameters == {"a": 2.0, "b": 10.0, "c": 11.0}
    assert "b: 10.0, c: =b + 1" in to_text(model)


def test_parameters_may_be_given_as_texts():
    text = "duoti: 1\nparameters: {a: 2, b: =2*a}\n"
    assert from_text(text, parameters={"a": "300 mm"}).parameters == {"a": 0.3, "b": 0.6}
    assert from_text(text, parameters={"b": "=a + 1"}).parameters == {"a": 2.0, "b": 3.0}
    for wrong, message in ((None, "it was given the value None"), (math.nan, "it was given the value nan"),
                           (True, "it was given the value True"), ("x", "'x' is not a number")):  # fmt: skip
        with pytest.raises(dt.errors.ModelFileError, match=message):
            from_text(text, parameters={"a": wrong})


def test_laws_may_use_parameters_by_name():
    text = SLIDER_CRANK.replace("10*sin(2*pi*t)", "r*cos(t)").replace("{r: 0.3", "{k: 2, r: 0.3")
    model = from_text(text)
    assert model.forces["motor"].value == "r*cos(t)"
    same_dynamics(there_and_back(model), model, np.random.default_rng(4))


def test_y_and_on_are_words_and_numbers_have_no_other_forms():
    text = "duoti: 1\nname: on\nbodies:\n  yes: {inertia: {point: {mass: 1}}}\n"
    assert list(from_text(text).bodies) == ["yes"]
    with pytest.raises(dt.ModelError, match="there is no unit 'x'"):
        from_text(text.replace("mass: 1", "mass: 0x10"))
    with pytest.raises(dt.ModelError, match="'1_000' is not a number"):
        from_text(text.replace("mass: 1", "mass: 1_000"))


def test_all_of_a_joint_and_a_composite():
    model = from_text("""
duoti: 1
bodies: {a: {inertia: {sphere: {mass: 1, radius: 10 cm}}}}
joints:
  A:
    type: composite
    joints: [{type: prismatic, axis: z}, {type: spherical}]
    between: [ground, a]
    q0: {position: 12 mm, rotation: {about: {axis: [0, 0, 2], angle: 30 deg}}}
    v0: [0.1, 1, 2, 3]
    limits: [[-.inf, 1], [-1, 1], [-1, 1], [-1, 1], [-1, .inf]]
""")
    element = model.joints["A"]
    assert element.joint == dt.Composite(dt.Prismatic("z"), dt.Spherical())
    assert element.q0["position"] == 0.012
    assert element.q0["rotation"] == dt.Rotation.about("z", math.radians(30))
    assert element.limits[0] == (-math.inf, 1.0)
    same_dynamics(there_and_back(model), model, np.random.default_rng(5))


def test_combined_inertia():
    model = from_text("""
duoti: 1
bodies:
  plate:
    inertia:
      combined:
        - {box: {density: 1000, size: [1, 1, 0.1]}}
        - {cylinder: {density: 1000, radius: 0.1, length: 0.1}, position: [0.2, 0, 0], cavity: true}
        - {point: {mass: 2}, position: [0, 1, 0], rotation: {about: {axis: x, angle: 90 deg}}}
""")
    meant = (
        dt.Inertia.box(density=1000, size=(1, 1, 0.1))
        - dt.Inertia.cylinder(density=1000, radius=0.1, length=0.1).moved((0.2, 0, 0))
        + dt.Inertia.point(2).moved((0, 1, 0))
    )
    assert model.bodies["plate"].inertia.almost_equal(meant)
    assert there_and_back(model).bodies["plate"].inertia == model.bodies["plate"].inertia


def test_meshes_are_found_beside_the_file_and_saved_as_seen_from_it(tmp_path):
    (tmp_path / "sub").mkdir()
    path = tmp_path / "sub" / "a.yaml"
    mesh = "{mesh: {file: meshes/a.stl, scale: 0.001}}"
    path.write_text(f"duoti: 1\nground: {{shapes: [{mesh}]}}\nbodies: {{a: {{inertia: {{point: {{mass: 1}}}}, "
                    f"shapes: [{mesh}]}}}}\n", encoding="utf-8")  # fmt: skip
    model = dt.load(path)
    (shape,) = model.bodies["a"].shapes
    assert Path(shape.file) == tmp_path / "sub" / "meshes" / "a.stl"
    model.save(tmp_path / "sub" / "b.yaml")
    assert (tmp_path / "sub" / "b.yaml").read_text(encoding="utf-8").count("file: meshes/a.stl") == 2
    model.save(tmp_path / "c.yaml")
    assert dt.load(tmp_path / "c.yaml").bodies["a"].shapes == [shape]
    assert dt.load(tmp_path / "c.yaml").ground.shapes == model.ground.shapes
    assert from_text(to_text(model)).bodies["a"].shapes == [shape]


# ----------------------------------------------------------------------------------------------------- every type


@pytest.mark.parametrize("kind", JOINT_TYPES)
def test_every_joint_comes_back(kind):
    rng = np.random.default_rng(6)
    model = dt.Model(gravity=(1, 2, 3))
    joint = JOINT_TYPES[kind].sample(rng)
    model.add_body("a", random_inertia(rng), rng.normal(size=3), random_rotation(rng))
    q0 = np.concatenate([[0.1 * i for i in range(c.nq)] if not c.quaternion else random_rotation(rng).quaternion
                         for c in joint.coordinates] or [[]])  # fmt: skip
    model.add_joint("A", joint, "ground", "a", at=rng.normal(size=3), q0=q0, v0=rng.normal(size=joint.nv))
    again = there_and_back(model)
    assert type(again.joints["A"].joint) is type(joint)
    same_dynamics(again, model, rng)


@pytest.mark.parametrize("kind", BETWEEN_BODIES)
def test_every_force_comes_back(kind):
    rng = np.random.default_rng(7)
    meant = random_model(rng, 3, ("revolute", "prismatic", "cylindrical"))
    add_random_forces(rng, meant, [kind])
    again = there_and_back(meant.model)
    (before,), (after,) = meant.model.forces.values(), again.forces.values()
    assert type(after) is type(before)
    assert typed_data(after) == typed_data(before)
    same_dynamics(again, meant.model, rng)


@pytest.mark.parametrize("kind", CONSTRAINT_SAMPLES)
def test_every_constraint_comes_back(kind):
    rng = np.random.default_rng(8)
    meant = random_model(rng, 3, ("revolute", "prismatic", "cylindrical"))
    add_random_constraints(rng, meant, [kind])
    again = there_and_back(meant.model)
    (before,), (after,) = meant.model.constraints.values(), again.constraints.values()
    assert type(after) is type(before)
    assert typed_data(after) == typed_data(before)
    same_dynamics(again, meant.model, rng)


@pytest.mark.parametrize("name", INERTIAS)
def test_every_inertia_can_be_written_and_comes_back(name):
    sizes = {key: value for key, value in (("length", 0.5), ("radius", 0.2), ("inner_radius", 0.1), ("height", 0.3),
             ("outer_radius", 0.2), ("ring_radius", 0.5), ("tube_radius", 0.1), ("size", (0.1, 0.2, 0.3)),
             ("semi_axes", (0.1, 0.2, 0.3)), ("axis", (1, 2, 3)), ("com", (0.1, 0, 0)),
             ("matrix", ((1e-3, 0, 0), (0, 1e-3, 0), (0, 0, 1e-2))))
             if key in fields_of(INERTIAS[name])}  # fmt: skip
    meant = INERTIAS[name](mass=2.0, **sizes)
    given = ", ".join(f"{key}: {np.array(v).tolist()}" for key, v in {"mass": 2.0, **sizes}.items())
    model = from_text(f"duoti: 1\nbodies: {{a: {{inertia: {{{name}: {{{given}}}}}}}}}")
    assert model.bodies["a"].inertia == meant
    model.sources.clear()  # now by its numbers
    assert there_and_back(model).bodies["a"].inertia == meant


@pytest.mark.parametrize("name", SHAPES)
def test_every_shape_comes_back(name):
    rng = np.random.default_rng(9)
    sizes = {key: value for key, value in (("length", 0.5), ("radius", 0.2), ("size", (0.1, 0.2, 0.3)),
             ("radii", (0.1, 0.2, 0.3)), ("file", "a.stl"), ("axis", "y"), ("rotation", random_rotation(rng)),
             ("position", rng.normal(size=3)), ("colour", "#ff0000"),
             ("heights", [[0.0, 0.1, 0.2], [0.3, 0.2, 0.1]]), ("lengths", (4.0, 3.0)),
             ("track", [(0.0, 0.0), (9.0, 0.01)]), ("left", 0.7), ("up", -0.4),
             ("profile", [(-0.1, 0.3), (0.0, 0.35), (0.1, 0.3)])) if key in fields_of(SHAPES[name])}  # fmt: skip
    model = dt.Model()
    model.add_body("a", random_inertia(rng), shapes=[SHAPES[name](**sizes)])
    assert there_and_back(model).bodies["a"].shapes == model.bodies["a"].shapes


def test_every_parameter_of_every_type_has_a_kind_and_is_an_attribute():
    rng = np.random.default_rng(10)
    meant = random_model(rng, 4, ("revolute", "prismatic"))
    (i, _), (j, _), *_ = plain_coordinates(meant.model)
    items = [cls.sample(rng) for cls in JOINT_TYPES.values()]
    items += [FORCES[kind](rng, "b0", "b1", i, 0) for kind in BETWEEN_BODIES]
    items += [CONSTRAINTS[kind](rng, "b0", "b1", "ground", i, j) for kind in CONSTRAINT_SAMPLES]
    for item in items:
        for name, field in fields_of(type(item)).items():
            assert hasattr(item, name), f"{item.kind}: every parameter is an attribute; {name} is not"
            assert field.kind != "data", (
                f"{item.kind}.{name}: add its annotation to duoti.model.constructor_schema.KINDS"
            )
    assert len(set(KINDS.values())) < len(KINDS)


# --------------------------------------------------------------------------------------------------- whole models


@pytest.mark.parametrize("seed", range(8))
def test_random_models_come_back(seed):
    rng = np.random.default_rng(100 + seed)
    meant = random_model(rng, int(rng.integers(2, 9)))
    add_random_forces(rng, meant)
    meant.model.add_state("z", "-z + sin(t)", initial=rng.normal(), unit="V")
    meant.model.add_event("e", dt.Event("z - 0.3", terminal=True, direction="rising"))
    if seed % 2:
        add_random_constraints(rng, meant)
    again = there_and_back(meant.model)
    assert again.events == meant.model.events
    same_dynamics(again, meant.model, rng, constrained=seed % 2 == 0)


@pytest.mark.campaign
@pytest.mark.parametrize("seed", range(200))
def test_many_random_models_come_back(seed):
    test_random_models_come_back(1000 + seed)


@pytest.mark.full("diving_board")
@pytest.mark.parametrize("name", all_examples())
def test_examples_come_back(name, tmp_path):
    example = all_examples()[name]
    model = example.build()
    model.save(tmp_path / "a.yaml")
    again = dt.load(tmp_path / "a.yaml")
    A, B = (dt.simulate(each, 0.2, solver="dopri5") for each in (model, again))  # imported robots have another default
    assert np.array_equal(A.q, B.q)
    assert np.array_equal(A.v, B.v)


def test_names_and_texts_of_all_sorts_come_back():
    names = ["x y", "曲柄", "1", "true", "null", "a: b", "- a", "#", "'", '"', "a\\b", "a\u3000b", "\U0001f600",
             "[0]", "=3", "12 mm", "*a", "&a", "!a", "%", "---", "~", "a.b-c", "é", ".5", "1e3", "{",
             "ground "]  # fmt: skip
    rng = np.random.default_rng(11)
    model = dt.Model("a: {b}")
    for name in names:
        model.add_body(name, random_inertia(rng))
        model.add_joint(name, dt.Free(), "ground", name)
    again = there_and_back(model)
    assert list(again.bodies) == list(again.joints) == names
    assert [e.child for e in again.joints.values()] == names
    assert again.name == model.name


def test_numbers_of_all_sizes_come_back():
    rng = np.random.default_rng(12)
    model = dt.Model()
    for i, number in enumerate([5e-324, 1e100, -0.0, 1 / 3, 1e22, 123456789012345678, np.float32(0.1)]):
        model.add_body(f"b{i}", random_inertia(rng), position=(number, 0, 1))
    again = there_and_back(model)
    for name, body in model.bodies.items():
        assert again.bodies[name].position == tuple(map(float, body.position))
        assert math.copysign(1, again.bodies[name].position[0]) == math.copysign(1, body.position[0])


def test_poses_given_in_any_form_come_back():
    rng = np.random.default_rng(13)
    model = dt.Model()
    rotation = random_rotation(rng)
    for i, form in enumerate([rotation, rotation.matrix, rotation.quaternion, tuple(rotation.quaternion), None]):
        model.add_body(f"b{i}", random_inertia(rng), rng.normal(size=3), form)
        pose = random_pose(rng)
        model.add_joint(
            f"j{i}", dt.Free(), "ground", f"b{i}", q0=[pose, [pose.position, rotation], pose.rotation][i % 2]
        )
    again = there_and_back(model)
    for name, body in model.bodies.items():
        assert np.array_equal(again.bodies[name].pose.matrix4, body.pose.matrix4)
    same_dynamics(again, model, rng)


# ------------------------------------------------------------------------------------------------ what cannot be


def test_functions_cannot_be_saved():
    model = slider_crank()
    model.add_force("other", dt.JointTorque("D", lambda t: t))
    model.add_force("wind", dt.AppliedForce("rod", dt.Function(lambda t: (t, 0, 0), inputs=("t",))))
    model.add_state("z", lambda t: t)
    with pytest.raises(dt.ModelError) as error:
        to_text(model)
    assert [f.what for f in error.value.report.errors] == [
        f"{who} cannot be saved: {key}: it is a Python function, which no file can hold; write an expression such as "
        "'10*sin(2*pi*t)'"
        for who, key in (('force "other"', "value"), ('force "wind"', "value"), ('state "z"', "rate"))
    ]


def test_what_is_wrong_is_not_saved(tmp_path):
    model = slider_crank()
    model.add_body("nothing", None)
    model.add_body("far", dt.Inertia.point(1.0), position=(math.nan, 0, 0))
    with pytest.raises(dt.ModelError) as error:
        model.save(tmp_path / "a.yaml")
    assert [f.what for f in error.value.report.errors] == [
        'body "nothing" cannot be saved: inertia: it is missing',
        'body "far" cannot be saved: it has numbers that are not finite',
    ]
    assert not list(tmp_path.iterdir())
    with pytest.raises(ValueError, match=r"no format is known for the ending '.txt'; there are .yaml"):
        slider_crank().save(tmp_path / "a.txt")


def test_save_by_ending(tmp_path):
    m = dt.Model("m")
    m.add_body("a", dt.Inertia.rod(1.0, 1.0))
    m.add_joint("J", dt.Revolute("y"), m.ground, "a")
    m.save(tmp_path / "m.urdf")
    assert dt.load(tmp_path / "m.urdf").mass == 1.0
    m.add_force("f", dt.JointTorque("J", 1.0))
    with pytest.raises(dt.ModelError, match="f"):
        m.save(tmp_path / "m.urdf")
    with pytest.raises(ValueError, match="no format is known"):
        m.save(tmp_path / "m.txt")
