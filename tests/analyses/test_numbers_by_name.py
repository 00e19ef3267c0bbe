"""One grammar for the numbers of a model: `with_parameters`, derivatives, paths, loci, `load` and `--set` agree."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.examples import example_names, find_example
from duoti.model.parameters import find, number_names
from duoti.system.parameters import with_values

PROMISED = {"k": 50.0, "rod.mass": 3.0, "rod.com.x": 0.2, "spring.stiffness": 30.0, "A.at.x": 0.1, "A.q0": 0.4,
            "A.v0": -1.0, "gravity.z": -3.0}  # fmt: skip
MORE = {"bush.stiffness[1]": 7.0, "tip.position.y": 0.3, "rod.inertia.yy": 0.5, "screw.lead_per_turn": 0.02,
        "screw.q0": 0.1, "ball.q0[2]": 0.3,
        "rod.position.z": 0.05, "A.rotor_inertia": 0.3, "floor.stiffness": 2e4, "z.initial": 0.7}  # fmt: skip


def machine() -> dt.Model:
    m = dt.Model("machine", parameters={"k": 100.0})
    m.add_body("rod", dt.Inertia.rod(2.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_body("nut", dt.Inertia.sphere(1.0, 0.1), position=(0, 0, 1))
    m.add_body("ball", dt.Inertia.sphere(0.5, 0.1), position=(3, 0, 0.2))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0), rotor_inertia=0.1)
    m.add_joint("screw", dt.Screw("z", lead_per_turn=0.01), m.ground, "nut")
    m.add_joint("ball", dt.Free(), m.ground, "ball")
    m.add_marker("tip", "rod", (0.5, 0, 0))
    m.add_marker("hook", m.ground, (0.5, 0, 1))
    m.add_force("spring", dt.SpringDamper("hook", "tip", 80.0, 1.0, 0.5))
    m.add_force("bush", dt.Bushing("hook", "tip", stiffness=(1, 2, 3, 0.1, 0.2, 0.3)))
    m.add_force("drive", dt.JointTorque("A", "-k*q"))
    m.add_state("z", "A.angle - z")
    law = dt.CompliantContact(stiffness=1e4, damping=10.0)
    m.add_contact("floor", law, m.ground, "ball", shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
    return m


NAMES = {**PROMISED, **MORE}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_means_the_same_everywhere(name, tmp_path):
    """A compiled system, a model and a file, each with the number changed: the same motion."""
    m, value = machine(), NAMES[name]
    m.save(tmp_path / "m.yaml")
    number = find(m, name)
    assert number.number(m) != value
    systems = [
        dt.compile(m).with_parameters({name: value}),
        dt.compile(with_values(m, {name: value})),
        dt.compile(dt.load(tmp_path / "m.yaml", parameters={name: value})),
    ]
    runs = [dt.simulate(system, 0.2, rtol=1e-9, atol=1e-11) for system in systems]
    for system, run in zip(systems, runs, strict=True):
        assert find(system.model, name).number(system.model) == pytest.approx(value, rel=1e-15)
        np.testing.assert_allclose(run.q, runs[0].q, rtol=1e-9, atol=1e-11)
        np.testing.assert_allclose(run.z, runs[0].z, rtol=1e-9, atol=1e-11)
    assert number.number(m) != value, "the model itself stays as it is"


def test_every_number_of_the_examples_can_be_found_and_put():
    """What is listed is found under its name, and a changed copy has the new value and nothing else changed."""
    for example in example_names():
        model = find_example(example).build()
        names = number_names(model)
        assert f"{next(iter(model.bodies))}.mass" in names or any(
            body.inertia is None for body in model.bodies.values()
        )
        for name in names[:: max(1, len(names) // 25)]:
            number = find(model, name)
            before = number.number(model)
            if number.element is not None and number.element.kind == "parameter":
                continue  # a file may have computed others from it
            changed = with_values(model, {name: before * 1.25 + 0.125})
            assert number.number(changed) == pytest.approx(before * 1.25 + 0.125, rel=1e-15)
            assert number.number(model) == before


def two_of_one_name() -> dt.Model:
    m = dt.Model("twice", parameters={"rod.mass": 5.0})
    m.add_body("rod", dt.Inertia.point(1.0))
    m.add_joint("rod", dt.Prismatic("x"), m.ground, "rod", q0=0.1)
    m.add_force("rod", dt.JointSpring("rod", stiffness=4.0))
    m.add_force("drag", dt.JointTorque("rod", "-rod.mass*v"))
    return m


@pytest.mark.parametrize("use", [
    lambda m: dt.compile(m).with_parameters({"rod.mass": 2.0}),
    lambda m: dt.parameter_derivatives(m, ["rod.mass"]),
    lambda m: dt.analyses.equilibrium_derivatives(m, ["rod.mass"]),
    lambda m: dt.root_locus(m, "rod.mass", [1.0, 2.0]),
    lambda m: dt.equilibrium_path(m, "rod.mass", 2.0),
])  # fmt: skip
def test_an_ambiguous_name_is_refused_with_its_candidates(use):
    with pytest.raises(dt.errors.ChannelError, match=r'ambiguous: write "parameter:rod.mass" or "body:rod.mass"'):
        use(two_of_one_name())


def test_the_kind_of_an_element_settles_it():
    m = two_of_one_name()
    system = dt.compile(m)
    body, law = (system.with_parameters({f"{kind}:rod.mass": 2.0}) for kind in ("body", "parameter"))
    assert (body.model.bodies["rod"].inertia.mass, body.model.parameters["rod.mass"]) == (2.0, 5.0)
    assert (law.model.bodies["rod"].inertia.mass, law.model.parameters["rod.mass"]) == (1.0, 2.0)
    assert find(m, "rod.stiffness").element == ("force", "rod")
    assert find(m, "rod.q0").element == ("joint", "rod")


@pytest.mark.parametrize(("name", "words"), [
    ("rod.mas", "Did you mean 'rod.mass'"),
    ("rdo.mass", "Did you mean 'rod.mass'"),
    ("spring.stifness", "Did you mean 'spring.stiffness'"),
    ("gravity.w", "gravity"),
    ("kk", "Did you mean 'k'"),
    ("bush.stiffness[6]", "bush.stiffness"),
    ("A.q0[1]", "A.q0"),
    ("ground.mass", "ground has no numbers"),
])  # fmt: skip
def test_a_misspelt_name_gets_a_hint(name, words):
    for use in (
        lambda m: find(m, name),
        lambda m: dt.compile(m).with_parameters({name: 1.0}),
        lambda m: dt.parameter_derivatives(m, [name]),
        lambda m: dt.root_locus(m, name, [1.0]),
    ):
        with pytest.raises(dt.errors.ChannelError) as error:
            use(machine())
        assert words in str(error.value)


def test_what_is_not_one_number_says_how_to_name_one():
    m = machine()
    for name, words in (("tip.position", '"tip.position.x"'), ("bush.stiffness", '"bush.stiffness[0]"'),
                        ("rod.inertia", '"rod.inertia.xx"'), ("drive.value", "expression")):  # fmt: skip
        with pytest.raises(dt.errors.ChannelError) as error:
            dt.parameter_derivatives(m, [name])
        assert words in str(error.value)


def test_a_mass_is_changed_as_if_the_model_had_been_described_with_it():
    m = dt.Model("two")
    m.add_body("rod", dt.Inertia.rod(2.0, length=1.0, axis="x"))
    m.add_body("given", dt.Inertia(2.0, matrix=(0.1, 0.2, 0.2)))
    changed = with_values(m, {"rod.mass": 3.0, "given.mass": 3.0}).bodies
    assert changed["rod"].inertia == dt.Inertia.rod(3.0, length=1.0, axis="x")
    assert changed["given"].inertia == dt.Inertia(3.0, matrix=(0.1, 0.2, 0.2))


def test_what_a_file_computed_is_refused_by_derivatives(tmp_path):
    (tmp_path / "m.yaml").write_text(
        "duoti: 1\nparameters: {r: 0.5}\n"
        "bodies: {b: {inertia: {point: {mass: 1}}, position: [0, 0, =-r]}}\n"
        "joints: {A: {type: revolute, axis: y, between: [ground, b], at: [0, 0, 0]}}\n"
    )
    m = dt.load(tmp_path / "m.yaml")
    with pytest.raises(dt.errors.ChannelError, match="load it again"):
        dt.parameter_derivatives(m, ["r"])
    locus = dt.root_locus(m, "r", [0.5, 0.6])
    assert np.allclose(np.max(np.abs(locus.eigenvalues), axis=1), np.sqrt(9.81 / np.array([0.5, 0.6])))


def test_files_take_numbers_with_units(tmp_path):
    machine().save(tmp_path / "m.yaml")
    m = dt.load(tmp_path / "m.yaml", parameters={"rod.position.z": "50 mm", "rod.mass": "3000 g", "k": "2"})
    assert m.bodies["rod"].position[2] == pytest.approx(0.05)
    assert m.bodies["rod"].inertia.mass == pytest.approx(3.0)
    assert m.parameters["k"] == 2.0
    for given, words in (({"rod.mass": "3 m"}, "length"), ({"rod.mas": 1.0}, "Did you mean 'rod.mass'"),
                         ({"rod.mass": -1.0}, "not negative")):  # fmt: skip
        with pytest.raises(dt.errors.ModelFileError, match=words):
            dt.load(tmp_path / "m.yaml", parameters=given)


def test_a_path_over_a_stiffness():
    """A mass that hangs on a spring: z = -m g / k, whichever number is followed."""
    m = dt.Model("hanging")
    m.add_body("b", dt.Inertia.point(2.0))
    m.add_joint("J", dt.Prismatic("z"), m.ground, "b")
    m.add_force("spring", dt.JointSpring("J", stiffness=50.0))
    for name, to in (("spring.stiffness", 100.0), ("b.mass", 5.0), ("gravity.z", -3.0)):
        path = dt.equilibrium_path(m, name, to)
        assert path.ok, path.reason
        k, mass, g = (path.values if each == name else find(m, each).number(m)
                      for each in ("spring.stiffness", "b.mass", "gravity.z"))  # fmt: skip
        np.testing.assert_allclose(path["J.position"], mass * g / k, rtol=1e-9)
        assert path.values[-1] == to
        assert np.all(path.stable)


def arch() -> dt.Model:
    """Two springs that lean against each other (von Mises truss); the load follows a parameter or a length does."""
    m = dt.Model("truss", gravity=(0, 0, 0), parameters={"P": 0.0})
    m.add_body("top", dt.Inertia.point(1.0), position=(0, 0, 0.2))
    m.add_joint("J", dt.Prismatic("z"), m.ground, "top")
    for side in (-1, 1):
        m.add_marker(f"foot{side}", m.ground, (side, 0, 0))
        m.add_force(f"bar{side}", dt.SpringDamper(f"foot{side}", "top", 1000.0, 0.0, float(np.hypot(1.0, 0.2))))
    m.add_force("load", dt.AppliedForce("top", (0, 0, "-P")))
    m.add_force("push", dt.AppliedForce("top", (0, 0, 0.0)))
    return m


def test_a_path_over_a_number_snaps_through_like_one_over_a_parameter():
    m = arch()
    by_law = dt.equilibrium_path(m, "P", 20.0)
    by_number = dt.equilibrium_path(m, "push.value.z", -20.0)
    assert by_law.ok
    assert len(by_law.turning_points) == 2
    assert by_number.ok, by_number.reason
    np.testing.assert_allclose(
        -by_number.values[by_number.turning_points], by_law.values[by_law.turning_points], rtol=1e-6
    )


def test_a_path_over_a_length_in_a_loop_evaluates_channels_with_its_own_value():
    """A four-bar whose marker moves: the channel of the marker at each place is that of a model built with it."""
    m = dt.Model("bar")
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
    m.add_marker("tip", "rod", (0.5, 0, 0))
    m.add_force("spring", dt.JointSpring("A", stiffness=50.0))
    path = dt.equilibrium_path(m, "tip.position.x", 1.0)
    assert path.ok, path.reason
    distance = np.linalg.norm(path["tip.position"], axis=1)
    np.testing.assert_allclose(distance, 0.5 + path.values, rtol=1e-9)


def test_a_locus_over_a_stiffness():
    m = dt.Model("hanging")
    m.add_body("b", dt.Inertia.point(2.0))
    m.add_joint("J", dt.Prismatic("z"), m.ground, "b")
    m.add_force("spring", dt.JointSpring("J", stiffness=50.0))
    values = np.array([50.0, 80.0, 128.0])
    locus = dt.root_locus(m, "spring.stiffness", values)
    np.testing.assert_allclose(locus.frequencies[:, 0], np.sqrt(values / 2.0) / (2 * np.pi), rtol=1e-9)
