"""References: names that mean one thing, objects that belong to the model."""

from __future__ import annotations

import pytest

import duoti as dt


def pendulum(extra: bool = True) -> tuple[dt.Model, dict]:
    m = dt.Model("pendulum")
    arm = m.add_body("arm", dt.Inertia.sphere(1, 0.1), position=(1, 0, 0))
    other = m.add_body("other", dt.Inertia.sphere(1, 0.1), position=(2, 0, 0))
    joints = {name: m.add_joint(name, dt.Revolute("y"), m.ground, body) for name, body in (("A", arm), ("B", other))}
    return m, {"arm": arm, "other": other, **joints, "tip": m.add_marker("tip", arm)}


def errors(m: dt.Model) -> list[dt.analyses.Finding]:
    return list(dt.check(m).errors)


def test_body_and_marker_of_the_same_name():
    m, _ = pendulum()
    m.add_marker("arm", "other")
    (finding,) = errors(m)
    assert (finding.code, finding.names) == ("duplicate-name", ("arm",))
    assert finding.what == 'a body and a marker are both named "arm"'
    with pytest.raises(dt.ModelError, match='both named "arm"'):
        dt.simulate(m, 1.0)


@pytest.mark.parametrize("what", ["tip", "arm", "ground"])
def test_marker_of_another_model_in_a_constraint_or_force(what):
    """Those of the same name in this model are not meant."""
    other, theirs = pendulum()
    foreign = other.ground if what == "ground" else theirs[what]
    for add in (
        lambda m: m.add_constraint("c", dt.Distance(foreign, "other", length=1.0)),
        lambda m: m.add_force("c", dt.SpringDamper(foreign, "other", stiffness=1.0)),
    ):
        m, _ = pendulum()
        add(m)
        (finding,) = errors(m)
        assert finding.code == "foreign"
        assert '"c": its ' in finding.what
        assert f'"{what}" belongs to another model' in finding.what
    m, mine = pendulum()
    one, length = (m.ground, 2.0) if what == "ground" else (mine[what], 1.0)
    m.add_constraint("c", dt.Distance(one, "other", length=length))
    assert not errors(m)


def test_joint_of_another_model_in_a_constraint_or_force():
    _, theirs = pendulum()
    for add in (
        lambda m: m.add_constraint("c", dt.Gear(theirs["A"], "B", 2.0)),
        lambda m: m.add_force("c", dt.JointTorque(theirs["A"], 1.0)),
    ):
        m, _ = pendulum()
        add(m)
        (finding,) = errors(m)
        assert finding.code == "foreign"
        assert finding.what.endswith('"c": its joint "A" belongs to another model')


def test_body_of_another_model_under_a_marker():
    _, theirs = pendulum()
    m, _ = pendulum()
    m.add_marker("end", theirs["arm"])
    (finding,) = errors(m)
    assert finding.code == "foreign"
    assert finding.what == 'marker "end": its body "arm" belongs to another model'


def test_counts_in_texts():
    m = dt.Model("one")
    m.add_body("b", dt.Inertia.sphere(1, 0.1))
    m.add_joint("J", dt.Revolute("y"), m.ground, "b", at=(1, 0, 0))
    assert dt.simulate(m, 0.1).summary().startswith("one: 1 body, 1 joint, 1 degree of freedom\n")
