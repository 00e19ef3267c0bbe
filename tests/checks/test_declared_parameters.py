"""Declared parameters that nothing reads, or that hide a quantity."""

from __future__ import annotations

import pytest

import duoti as dt


def model(parameters: dict[str, float], law="-3*q") -> dt.Model:
    m = dt.Model("m", parameters=parameters)
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
    m.add_force("f", dt.JointTorque("A", law))
    return m


def codes(m: dt.Model) -> list[str]:
    return [each.code for each in dt.check(m).warnings]


def test_a_parameter_that_nothing_reads_is_told_with_its_line(tmp_path) -> None:
    assert codes(model({"k": 1.0})) == ["unread-parameter"]
    assert codes(model({"k": 1.0}, "-k*q")) == []
    path = tmp_path / "m.yaml"
    path.write_text(
        "duoti: 1\nparameters:\n  r: 0.5\n  s: 2.0\n  unused: 3\n"
        "bodies: {b: {inertia: {point: {mass: 1}}, position: [=r, 0, 0]}}\n"
        "joints: {A: {type: revolute, axis: y, between: [ground, b], at: [0, 0, 0]}}\n"
        "forces: {f: {type: joint_torque, joint: A, value: -s*q}}\n"
    )
    (finding,) = dt.check(dt.load(path)).warnings
    assert finding.element.name == "unused"
    assert str(finding.place).endswith("m.yaml:5")


@pytest.mark.parametrize("use", ["state", "event", "sets", "controller", "constraint", "submodel"])
def test_all_that_reads_counts(use: str) -> None:
    m = model({"k": 1.0})
    if use == "state":
        m.add_state("z", "k - z")
    elif use == "event":
        m.add_event("e", dt.Event("A.angle - k"))
    elif use == "sets":
        m.add_state("z", 0.0)
        m.add_event("e", dt.Event("A.angle", sets={"z": "k"}))
    elif use == "controller":
        m.add_controller("c", {"u": "k*A.angle"}, (), None, period=0.1)
    elif use == "constraint":
        m.add_constraint("c", dt.JointMotion("A", "k*t"))
    else:
        two = dt.Model("two")
        two.add_submodel("left", model({"k": 1.0}, "-k*q"))
        m = two
    assert codes(m) == []


@pytest.mark.parametrize(("name", "law"), [("q", "-3*q"), ("v", "-v"), ("t", "2*t"), ("A.angle", "-A.angle")])
def test_a_parameter_in_the_place_of_a_quantity_is_told(name: str, law: str) -> None:
    m = model({name: 2.0}, law)
    (finding,) = dt.check(m).warnings
    assert finding.code == "hidden-name"
    assert f'reads "{name}"' in finding.what
    assert codes(model({"length": 2.0}, "-length*q")) == []  # of lines alone a quantity
