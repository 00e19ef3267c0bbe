"""`check`: every kind of bad input, named, with a remedy, all at once."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import duoti as dt

NAN = float("nan")
ROD = dt.Inertia.rod(1.0, length=1.0, axis="x")


def good() -> dt.Model:
    m = dt.Model("m", parameters={"k": 3.0})
    m.add_body("arm", ROD, position=(0.5, 0, 0))
    m.add_marker("tip", "arm", position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "arm", at=(0, 0, 0))
    m.add_force("drive", dt.JointTorque("A", "k*sin(2*pi*t) - 0.1*A.rate"))
    m.add_event("up", dt.Event("tip.position.z"))
    return m


def change(**what):
    """A change of the good model: attributes of its items, or a function that does something to it."""

    def apply(m: dt.Model):
        for item, attributes in what.items():
            owner = {"model": m, "arm": m.bodies["arm"], "tip": m.markers["tip"], "A": m.joints["A"]}[item]
            for name, value in attributes.items():
                setattr(owner, name, value)

    return apply


def joint(kind, **attributes):
    """Another joint type for A, without the force that drives it as a hinge."""

    def apply(m: dt.Model):
        del m.forces["drive"]
        change(A={"joint": kind, **attributes})(m)

    return apply


def test_good_model_is_all_right():
    report = dt.check(good())
    assert report.ok
    assert not report.errors
    assert str(report).startswith('model "m" is all right')


# ---------------------------------------------------------------------------------------------- one fault at a time

FAULTS = {
    # names
    "unknown parent": (
        lambda m: m.add_joint("B", dt.Fixed(), "armm", m.ground),
        'joint "B": its parent "armm" does not exist',
        "Did you mean 'arm'?",
    ),
    "unknown child": (
        lambda m: m.add_joint("B", dt.Fixed(), "arm", "zzz"),
        'joint "B": its child "zzz" does not exist',
        "There are: arm, ground, tip.",
    ),
    "unknown body of a marker": (
        lambda m: m.add_marker("end", "amr"),
        'marker "end": its body "amr" does not exist',
        "Did you mean 'arm'?",
    ),
    "unknown marker of a force": (
        lambda m: m.add_force("f", dt.SpringDamper("tipp", m.ground)),
        'force "f": its marker_a "tipp" does not exist',
        "Did you mean 'tip'?",
    ),
    "unknown joint of a force": (
        lambda m: m.add_force("f", dt.JointTorque("AA", 1)),
        'force "f": its joint "AA" does not exist',
        "Did you mean 'A'?",
    ),
    "body of another model": (
        lambda m: m.add_joint("B", dt.Fixed(), good().bodies["arm"], m.ground),
        'joint "B": its parent "arm" belongs to another model',
        "use what this model's add_body or add_marker returned, or the name",
    ),
    "duplicate body": (
        lambda m: m.add_body("arm", ROD),
        'there is more than one body named "arm"',
        "rename all but one",
    ),
    "duplicate joint": (
        lambda m: m.add_joint("A", dt.Fixed(), m.ground, "arm"),
        'there is more than one joint named "A"',
        "rename all but one",
    ),
    "duplicate marker": (lambda m: m.add_marker("tip", "arm"), 'there is more than one marker named "tip"', "rename"),
    "duplicate force": (
        lambda m: m.add_force("drive", dt.JointTorque("A", 1)),
        'there is more than one force named "drive"',
        "rename",
    ),
    "duplicate event": (
        lambda m: m.add_event("up", dt.Event("t")),
        'there is more than one event named "up"',
        "rename",
    ),
    "body called ground": (
        lambda m: m.add_body("ground", ROD),
        'body "ground": this name is kept for the fixed body',
        "choose another name; the fixed body is model.ground",
    ),
    "empty name": (lambda m: m.add_marker("", "arm"), "a marker has the name ''", "give it a name"),
    "number as a name": (lambda m: m.add_marker(3, "arm"), "a marker has the name 3", "give it a name"),
    # mass
    "no inertia": (
        change(arm={"inertia": None}),
        'body "arm" has no inertia',
        "give one, e.g. dt.Inertia.sphere(mass, radius)",
    ),
    "mass instead of inertia": (change(arm={"inertia": 2.0}), 'body "arm": 2.0 is not an inertia', "make one with"),
    "massless end": (
        change(arm={"inertia": dt.Inertia.point(0.0)}),
        'body "arm" at the end of joint "A" has no mass',
        'give "arm" a mass and inertia, or weld it with dt.Fixed() to a body that has them',
    ),
    # joints
    "self-joint": (
        lambda m: m.add_joint("B", dt.Revolute("x"), "tip", "arm"),
        'joint "B" joins body "arm" to itself',
        "correct its parent or its child",
    ),
    "zero axis": (joint(dt.Revolute((0, 0, 0))), 'joint "A" (revolute): axis: axis (0, 0, 0) has no direction'),
    "NaN axis": (joint(dt.Prismatic((0, 0, NAN))), 'joint "A" (prismatic): axis'),
    "unknown axis": (joint(dt.Revolute("w")), "joint \"A\" (revolute): axis: unknown axis 'w'; use 'x', 'y'"),
    "short axis": (joint(dt.Revolute((0, 1))), 'joint "A" (revolute): axis'),
    "no axis": (joint(dt.Revolute(None)), 'joint "A" (revolute):'),
    "class as a joint": (
        joint(dt.Revolute),
        "is not a joint type",
        "give an object such as dt.Revolute('z') (with brackets)",
    ),
    "word as a joint": (joint("revolute"), "joint \"A\": 'revolute' is not a joint type"),
    "NaN lead": (joint(dt.Screw("x", NAN)), 'joint "A" (screw): lead_per_turn is nan'),
    "word as a lead": (joint(dt.Screw("x", "1")), 'joint "A" (screw):'),
    "empty composite": (joint(dt.Composite()), 'joint "A" (composite): it has no parts'),
    "composite of classes": (
        joint(dt.Composite(dt.Revolute, "x")),
        'joint "A" (composite): parts that are no joints',
    ),
    "skew universal": (
        joint(dt.Universal("x", (1, 1, 0))),
        'joint "A" (universal): its axes make an angle of 45 degrees instead of 90',
    ),
    "word for at": (change(A={"at": "here"}), "joint \"A\": at: 'here' is not 3 numbers"),
    "NaN in at": (change(A={"at": (0, NAN, 0)}), 'joint "A": at: [0.0, nan, 0.0] is not finite'),
    "NaN in q0": (change(A={"q0": NAN}), 'joint "A": q0: not all numbers are finite: [nan]'),
    "NaN in v0": (change(A={"v0": NAN}), 'joint "A": v0: not all numbers are finite: [nan]'),
    "infinite q0": (change(A={"q0": np.inf}), 'joint "A": q0: not all numbers are finite: [inf]'),
    "word for q0": (change(A={"q0": "half"}), "joint \"A\": q0: 'half' is not a number or a list of numbers"),
    "too many in q0": (
        change(A={"q0": (1, 2)}),
        'joint "A": q0: a revolute joint takes 1 number: angle (1); 2 given',
    ),
    "unknown coordinate in q0": (
        change(A={"q0": {"angel": 1}}),
        "joint \"A\": q0: 'angel' is no coordinate of a revolute joint; it has angle",
    ),
    "quaternion that is not unit": (
        joint(dt.Spherical(), q0=(2, 0, 0, 0)),
        'joint "A": q0: the quaternion [2.0, 0.0, 0.0, 0.0] has length 2, not 1',
    ),
    "limits the wrong way round": (change(A={"limits": (1, -1)}), 'joint "A": limits [[1.0, -1.0]]: a lower bound'),
    "limits of another number": (change(A={"limits": (1, 2, 3)}), 'joint "A": limits (1, 2, 3) are not 1 pairs'),
    # NaN and nonsense in the rest
    "NaN gravity": (change(model={"gravity": (0, 0, NAN)}), "gravity: [0.0, 0.0, nan] is not finite", "(0, 0, -9.81)"),
    "number as gravity": (change(model={"gravity": -9.81}), "gravity: -9.81 is not 3 numbers", "(0, 0, -9.81)"),
    "NaN parameter": (change(model={"parameters": {"k": NAN}}), 'parameter "k" is nan', "give a finite number"),
    "word as a parameter": (change(model={"parameters": {"k": "3"}}), "parameter \"k\" is '3'", "give a finite number"),
    "NaN position": (change(arm={"position": (NAN, 0, 0)}), 'position of body "arm": [nan, 0.0, 0.0] is not finite'),
    "short position": (change(arm={"position": (1, 2)}), 'position of body "arm": (1, 2) is not 3 numbers'),
    "NaN rotation": (change(arm={"rotation": (1, 0, 0, NAN)}), 'rotation of body "arm": quaternion'),
    "zero rotation": (change(arm={"rotation": (0, 0, 0, 0)}), 'rotation of body "arm":'),
    "matrix that is no rotation": (change(arm={"rotation": np.diag([1, 1, 2])}), 'rotation of body "arm":'),
    "NaN matrix": (change(arm={"rotation": np.full((3, 3), NAN)}), 'rotation of body "arm":'),
    "word as a rotation": (change(arm={"rotation": "upright"}), 'rotation of body "arm":'),
    "NaN marker": (change(tip={"position": (0, 0, NAN)}), 'position of marker "tip": [0.0, 0.0, nan] is not finite'),
    "NaN marker rotation": (change(tip={"rotation": (NAN,) * 4}), 'rotation of marker "tip":'),
    # forces and events
    "not a force": (lambda m: m.add_force("f", 3.0), 'force "f": 3.0 is not a force element', "dt.SpringDamper"),
    "NaN force": (lambda m: m.add_force("f", dt.JointTorque("A", NAN)), 'force "f": its value: the value is nan'),
    "no force": (
        lambda m: m.add_force("f", dt.JointTorque("A", None)),
        'force "f": its value: None is not a number, an expression or a function',
    ),
    "NaN component": (
        lambda m: m.add_force("f", dt.AppliedForce("tip", (0, NAN, 0))),
        'force "f": its y component: the value is nan',
    ),
    "two components": (
        lambda m: m.add_force("f", dt.AppliedForce("tip", (0, 1))),
        'force "f" (applied_force): it needs three components',
    ),
    "no components": (
        lambda m: m.add_force("f", dt.AppliedTorque("tip", None)),
        'force "f" (applied_torque): it needs three components',
    ),
    "unknown frame": (
        lambda m: m.add_force("f", dt.AppliedForce("tip", (0, 1, 0), frame="body")),
        "force \"f\" (applied_force): frame is 'body'",
    ),
    "NaN stiffness": (
        lambda m: m.add_force("f", dt.SpringDamper("tip", m.ground, stiffness=NAN)),
        'force "f" (spring_damper): stiffness is nan; give a finite number',
    ),
    "negative damping": (
        lambda m: m.add_force("f", dt.SpringDamper("tip", m.ground, damping=-1)),
        'force "f" (spring_damper): damping is -1; it must not be negative',
    ),
    "word as stiffness": (
        lambda m: m.add_force("f", dt.JointSpring("A", stiffness="stiff")),
        "force \"f\" (joint_spring): stiffness is 'stiff'; give a finite number",
    ),
    "short bushing": (
        lambda m: m.add_force("f", dt.Bushing("tip", m.ground, stiffness=(1, 2, 3))),
        'force "f" (bushing): stiffness takes six numbers',
    ),
    "word as bushing": (
        lambda m: m.add_force("f", dt.Bushing("tip", m.ground, stiffness="stiff")),
        'force "f" (bushing):',
    ),
    "table that falls": (
        lambda m: m.add_force("f", dt.TableSpring("tip", m.ground, [0, 1, 1], [0, 1, 2])),
        'force "f" (table_spring): the stretches must increase',
    ),
    "motor without speed": (
        lambda m: m.add_force("f", dt.JointMotor("A", 1.0, 0.0)),
        'force "f" (joint_motor): no_load_speed is 0',
    ),
    "function of unknown things": (
        lambda m: m.add_force("f", dt.JointTorque("A", lambda speed: speed)),
        "force \"f\": its value: function '<lambda>' asks for 'speed'",
    ),
    "unknown quantity in an expression": (
        lambda m: m.add_force("f", dt.JointTorque("A", "A.angel")),
        'unknown name "A.angel"; did you mean A.angle',
    ),
    "unknown function in an expression": (
        lambda m: m.add_force("f", dt.JointTorque("A", "2*sinn(t)")),
        'unknown function "sinn"; did you mean sin',
    ),
    "vector in an expression": (
        lambda m: m.add_force("f", dt.JointTorque("A", "tip.position")),
        '"tip.position" has 3 components: write one of them, such as "tip.position.x"',
    ),
    "acceleration in an expression": (
        lambda m: m.add_force("f", dt.JointTorque("A", "tip.acceleration.x")),
        '"tip.acceleration.x" is an acceleration',
    ),
    "reaction in an expression": (
        lambda m: m.add_force("f", dt.JointTorque("A", "A.reaction_force.w")),  # one of x, y and z
        'unknown name "A.reaction_force.w"',
    ),
    "coordinate beyond the joint": (
        lambda m: m.add_force("f", dt.JointTorque("A", 1, coordinate=1)),
        'force "f": coordinate=1, but joint "A" has 1, counted from 0',
    ),
    "word as a coordinate": (
        lambda m: m.add_force("f", dt.JointTorque("A", 1, coordinate="first")),
        'force "f": coordinate=\'first\', but joint "A" has 1, counted from 0',
    ),
    "not an event": (lambda m: m.add_event("e", "t - 1"), "event \"e\": 't - 1' is not an event", "dt.Event("),
    "unknown direction": (
        lambda m: m.add_event("e", dt.Event("t", direction="up")),
        "event \"e\": direction is 'up'; it is one of rising, falling, both",
    ),
    "broken event": (lambda m: m.add_event("e", dt.Event("t -")), "the expression ends where a value should follow"),
    # attachment
    "lonely body": (
        lambda m: m.add_body("lonely", ROD),
        'body "lonely" is attached to nothing',
        'join it, or let it float: model.add_joint("lonely_free", dt.Free(), model.ground, "lonely")',
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault(name):
    """The fault is found, is the only error, has names and words, and keeps a simulation from starting."""
    spoil, what, *remedy = FAULTS[name]
    m = good()
    spoil(m)
    report = dt.check(m)
    assert not report.ok
    text = str(report)
    assert what in text
    assert len(report.errors) == 1, text
    (error,) = report.errors
    assert error.severity == "error"
    assert error.code
    if remedy:
        assert remedy[0] in error.remedy
    with pytest.raises(dt.ModelError) as caught:
        dt.simulate(m, 1.0)
    assert caught.value.report.errors == report.errors
    assert str(caught.value).startswith('model "m" has 1 error\n✗ ')


def test_no_bodies():
    assert str(dt.check(dt.Model("empty"))) == (
        'model "empty" has 1 error\n✗ the model has no bodies\n    remedy: add some: model.add_body(name, inertia)'
    )


def test_group_without_ground():
    m = good()
    for name in ("p", "q", "r"):
        m.add_body(name, ROD)
    m.add_joint("pq", dt.Fixed(), "p", "q")
    m.add_joint("qr", dt.Fixed(), "q", "r")
    (error,) = dt.check(m).errors
    assert error.what == 'bodies "p", "q", "r" are joined to each other but not to ground'
    assert error.names == ("p", "q", "r")


def test_forces_in_several_coordinates_must_say_which():
    m = dt.Model()
    m.add_body("b", dt.Inertia.sphere(1.0, radius=1.0))
    m.add_joint("J", dt.Free(), m.ground, "b")
    m.add_force("f", dt.JointTorque("J", 1.0))
    (error,) = dt.check(m).errors
    assert error.what == 'force "f": joint "J" has 6 coordinates (position (3), rotation (3)); which is meant?'
    assert error.remedy == "say coordinate=0 .. 5"
    m.forces["f"].coordinate = 5
    assert dt.check(m).ok


def test_spring_in_a_rotation_in_space_is_refused():
    """A component of an angular velocity is the rate of no angle, so a spring has nothing to measure."""
    m = dt.Model()
    m.add_body("b", dt.Inertia.sphere(1.0, radius=1.0))
    m.add_joint("J", dt.Free(), m.ground, "b")
    m.add_force("f", dt.JointSpring("J", stiffness=1.0, coordinate=2))
    assert dt.check(m).ok
    m.forces["f"].coordinate = 3
    (error,) = dt.check(m).errors
    assert error.what == 'force "f": coordinate 3 of joint "J" belongs to a rotation, which has no single angle'
    m.forces["f"] = dt.JointTorque("J", "-2*q", coordinate=3)
    (error,) = dt.check(m).errors
    assert 'unknown name "q"' in error.what
    m.forces["f"] = dt.JointTorque("J", "-2*v", coordinate=3)
    assert dt.simulate(m, 0.1).ok


def test_forces_in_a_fixed_joint_are_refused():
    m = good()
    m.add_body("tool", ROD)
    m.add_joint("weld", dt.Fixed(), "arm", "tool")
    m.add_force("f", dt.JointTorque("weld", 1))
    (error,) = dt.check(m).errors
    assert error.what == 'force "f": joint "weld" is fixed and cannot move'


# --------------------------------------------------------------------------------------------------------------- mass


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: dt.Inertia.point(NAN), "mass = nan"),
        (lambda: dt.Inertia.point(-1.0), "mass = -1"),
        (lambda: dt.Inertia.point("1 kg"), "mass = '1 kg' is not a mass in kg"),
        (lambda: dt.Inertia(1.0), "lacks its matrix"),
        (lambda: dt.Inertia(1.0, com=(0, NAN, 0), matrix=np.eye(3)), "com"),
        (lambda: dt.Inertia(1.0, matrix=np.full((3, 3), NAN)), "matrix"),
        (
            lambda: dt.Inertia(1.0, matrix=np.diag([1, 1, 5])),
            "violate the triangle inequality I1 + I2 >= I3: 1 + 1 = 2 < 5",
        ),
        (lambda: dt.Inertia(1.0, matrix=np.diag([1, 1, -1])), "-1"),
        (lambda: dt.Inertia.rod(1.0, length=NAN, axis="x"), "length"),
        (lambda: dt.Inertia.rod(1.0, length=1.0, axis=(0, 0, 0)), "axis"),
    ],
)
def test_bad_inertia_is_refused_where_it_is_made(make, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        make()


def test_massless_body_in_the_middle_is_allowed():
    """Zero mass matters only where nothing else resists."""
    m = dt.Model()
    m.add_body("cross", dt.Inertia.point(0.0))
    m.add_body("arm", ROD, position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("z"), m.ground, "cross", at=(0, 0, 0))
    m.add_joint("B", dt.Revolute("y"), "cross", "arm", at=(0, 0, 0))
    assert dt.check(m).ok
    assert dt.simulate(m, 0.1).ok


# ------------------------------------------------------------------------------------------------------------ warnings


def test_axis_that_is_not_unit_is_a_warning():
    m = good()
    m.joints["A"].joint = dt.Revolute((0, 2, 0))
    report = dt.check(m)
    assert report.ok
    (warning,) = report.warnings
    assert warning.what == 'joint "A" (revolute): axis (0, 2, 0) has length 2; its direction (0, 1, 0) is used'


def test_magnitudes_are_a_warning():
    m = good()
    m.bodies["arm"].inertia = dt.Inertia(1e13, matrix=np.diag([1e24, 1e24, 1e24]))
    warnings = [w.what for w in dt.check(m).warnings]
    assert warnings == [
        'body "arm" has a mass of 1e+13 kg',
        'body "arm" has a radius of gyration of 3.16e+05 m',
    ]


def test_start_outside_the_limits_is_a_warning():
    m = good()
    m.joints["A"].limits, m.joints["A"].q0 = (-1, 1), 2.0
    (warning,) = dt.check(m).warnings
    assert warning.what == 'joint "A" starts at [2.0], outside its limits [[-1.0, 1.0]]'


def test_numbers_of_numpy_are_numbers():
    m = dt.Model(parameters={"n": np.int64(3), "x": np.float32(0.5)})
    m.add_body("arm", ROD, position=np.array([0.5, 0, 0], dtype=np.float32))
    m.add_joint("A", dt.Revolute(np.array([0, 1, 0])), m.ground, "arm", at=np.zeros(3, dtype=int), q0=np.float32(0.1))
    m.add_force("f", dt.JointSpring("A", stiffness=np.int64(3), damping=np.float32(0.5)))
    m.add_force("g", dt.JointTorque("A", np.int32(3), coordinate=np.int64(0)))
    m.add_force("h", dt.JointTorque("A", "n*x"))
    assert dt.check(m).ok
    assert dt.simulate(m, np.float64(0.1), outputs=np.float32(0.05)).ok


# -------------------------------------------------------------------------------------------------------------- loops


def test_loops_are_explained_and_run():
    m = dt.Model("four-bar")
    for i, (x, y) in enumerate([(0, 0.5), (0.5, 1), (1, 0.5)]):
        m.add_body(f"b{i}", dt.Inertia.box(1.0, size=(0.1, 0.1, 0.1)), position=(x, y, 0))
    for i, (parent, child, at) in enumerate(
        [("ground", "b0", (0, 0, 0)), ("b0", "b1", (0, 1, 0)), ("b1", "b2", (1, 1, 0)), ("b2", "ground", (1, 0, 0))]
    ):
        m.add_joint(f"J{i}", dt.Revolute("z"), parent, child, at=at)
    report = dt.check(m)
    assert report.ok
    assert [f.code for f in report] == ["redundant", "topology", "cut"]
    assert dt.simulate(m, 0.1).ok


# --------------------------------------------------------------------------------------------------- many at once


def test_many_faults_are_reported_at_once():
    """All faults of the list that add something, in one model: none hides another or breaks the check."""
    m, wanted = good(), []
    for name, (spoil_it, what, *_) in FAULTS.items():
        if spoil_it.__name__ != "<lambda>":
            continue
        other = good()
        spoil_it(other)
        for kind in ("bodies", "joints", "markers", "forces", "events"):
            ours, theirs = getattr(m, kind), getattr(other, kind)
            for key in theirs.keys() - getattr(good(), kind).keys():
                if kind in ("bodies", "markers"):
                    ours[key] = theirs[key]
                    continue
                ours[f"{key} {name}"] = theirs[key]  # under a name of its own
                what = what.replace(f'"{key}"', f'"{key} {name}"')
                if kind == "joints":
                    theirs[key].name, theirs[key].body_name = f"{key} {name}", m.body_name
        m.duplicates += other.duplicates
        wanted.append(what)
    for name in ("NaN gravity", "NaN position", "NaN rotation", "NaN marker", "NaN marker rotation", "NaN in at",
                 "NaN in q0", "NaN in v0", "limits the wrong way round", "no inertia", "NaN parameter"):  # fmt: skip
        FAULTS[name][0](m)
        wanted.append(FAULTS[name][1])
    report = dt.check(m)
    text = str(report)
    assert len(wanted) > 45
    missing = [what for what in wanted if what not in text and "is not" not in what]
    assert not missing
    assert len(report.errors) >= len(wanted) - 2
    assert text.startswith(f'model "m" has {len(report.errors)} errors')
    assert all(isinstance(name, str) for finding in report.errors for name in finding.names)


def test_model_of_the_issue():
    """The list of the issue, in one model, with the exact report."""
    m = dt.Model("sum of all mistakes")
    m.add_body("crank", None)
    m.add_body("rod", ROD, position=(NAN, 0, 0))
    m.add_body("rod", ROD)
    m.add_body("slider", dt.Inertia.point(1.0))
    m.add_joint("A", dt.Revolute((0, 0, 0)), m.ground, "crank")
    m.add_joint("B", dt.Revolute("y"), "crnk", "rod")
    m.add_joint("C", dt.Revolute("y"), "rod", "rod")
    m.add_joint("D", dt.Revolute("y"), "crank", "rod")
    assert str(dt.check(m)) == (
        'model "sum of all mistakes" has 7 errors\n'
        '✗ there is more than one body named "rod"\n'
        "    why:    a name must mean one thing; only the first one was kept\n"
        "    remedy: rename all but one\n"
        '✗ body "crank" has no inertia\n'
        "    why:    a missing mass is never assumed\n"
        "    remedy: give one, e.g. dt.Inertia.sphere(mass, radius)\n"
        '✗ position of body "rod": [nan, 0.0, 0.0] is not finite\n'
        "    remedy: give (x, y, z) in metres\n"
        '✗ joint "A" (revolute): axis: axis (0, 0, 0) has no direction; give a vector that is not zero\n'
        '✗ joint "B": its parent "crnk" does not exist\n'
        "    remedy: Did you mean 'crank'?\n"
        '✗ joint "C" joins body "rod" to itself\n'
        "    why:    a joint needs two bodies\n"
        "    remedy: correct its parent or its child\n"
        '✗ body "slider" is attached to nothing\n'
        "    why:    no chain of joints leads from ground to it\n"
        '    remedy: join it, or let it float: model.add_joint("slider_free", dt.Free(), model.ground, "slider")'
    )


# ---------------------------------------------------------------------------------------------------------------- fuzz

ATOMS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 10**20),
    st.floats(),
    st.text(max_size=8),
    st.sampled_from(
        ["x", "-z", "arm", "tip", "A", "ground", "t", "A.angle", "sin(t)", "1/0", "q", "steps", b"x", object()]
    ),
    st.complex_numbers(),
)
NONSENSE = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=7),
        st.tuples(inner, inner, inner),
        st.dictionaries(st.text(max_size=5), inner, max_size=3),
        st.lists(st.floats(), min_size=3, max_size=9).map(np.array),
        st.sampled_from(
            [dt.Revolute, dt.Revolute("x"), dt.Free(), ROD, np.eye(3), lambda t: t, dt.Rotation.identity()]
        ),
    ),
    max_leaves=6,
)
SLOTS = [
    "gravity", "parameters", "position", "rotation", "inertia", "marker body", "marker position", "marker rotation",
    "parent", "child", "at", "q0", "v0", "limits", "joint", "axis", "axis2", "lead", "part", "force", "torque",
    "coordinate", "joint of force", "component", "components", "marker_a", "stiffness", "table", "motor", "bushing",
    "event", "direction", "terminal", "frame", "name",
]  # fmt: skip


def spoil(m: dt.Model, slot: str, x) -> None:
    """Put nonsense into one place of a model."""
    arm, tip, hinge = m.bodies["arm"], m.markers["tip"], m.joints["A"]
    actions = {
        "gravity": lambda: setattr(m, "gravity", x),
        "parameters": lambda: m.parameters.update(k=x),
        "position": lambda: setattr(arm, "position", x),
        "rotation": lambda: setattr(arm, "rotation", x),
        "inertia": lambda: setattr(arm, "inertia", x),
        "marker body": lambda: setattr(tip, "body", x),
        "marker position": lambda: setattr(tip, "position", x),
        "marker rotation": lambda: setattr(tip, "rotation", x),
        "parent": lambda: setattr(hinge, "parent_reference", x),
        "child": lambda: setattr(hinge, "child_reference", x),
        "at": lambda: setattr(hinge, "at", x),
        "q0": lambda: setattr(hinge, "q0", x),
        "v0": lambda: setattr(hinge, "v0", x),
        "limits": lambda: setattr(hinge, "limits", x),
        "joint": lambda: setattr(hinge, "joint", x),
        "axis": lambda: setattr(hinge, "joint", dt.Revolute(x)),
        "axis2": lambda: setattr(hinge, "joint", dt.Universal("x", x)),
        "lead": lambda: setattr(hinge, "joint", dt.Screw("y", x)),
        "part": lambda: setattr(hinge, "joint", dt.Composite(dt.Revolute("y"), x)),
        "force": lambda: m.add_force("n", x),
        "torque": lambda: m.add_force("n", dt.JointTorque("A", x)),
        "coordinate": lambda: m.add_force("n", dt.JointTorque("A", 1, coordinate=x)),
        "joint of force": lambda: m.add_force("n", dt.JointSpring(x, 1.0)),
        "component": lambda: m.add_force("n", dt.AppliedForce("tip", (0, x, 0))),
        "components": lambda: m.add_force("n", dt.AppliedForce("tip", x)),
        "marker_a": lambda: m.add_force("n", dt.SpringDamper(x, "ground", stiffness=1)),
        "stiffness": lambda: m.add_force("n", dt.SpringDamper("tip", "ground", stiffness=x)),
        "table": lambda: m.add_force("n", dt.TableSpring("tip", "ground", x, [0, 1, 2])),
        "motor": lambda: m.add_force("n", dt.JointMotor("A", 1.0, x)),
        "bushing": lambda: m.add_force("n", dt.Bushing("tip", "ground", stiffness=x)),
        "event": lambda: m.add_event("n", dt.Event(x)),
        "direction": lambda: m.add_event("n", dt.Event("t", direction=x)),
        "terminal": lambda: m.add_event("n", dt.Event("t - 1", terminal=x)),
        "frame": lambda: m.add_force("n", dt.AppliedForce("tip", (0, 1, 0), frame=x)),
        "name": lambda: m.add_body(x, ROD),
    }
    actions[slot]()


@pytest.mark.full
@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.sampled_from(SLOTS), NONSENSE), min_size=1, max_size=3))
@np.errstate(over="ignore")  # lengths of 1e154 are refused all the same
def test_nonsense_never_breaks_the_check(spoils):
    """Whatever is put where: a report with words, or a ValueError or TypeError with a message; nothing else.

    A model that passes the check compiles.
    """
    m = good()
    try:
        for slot, x in spoils:
            spoil(m, slot, x)
    except (TypeError, ValueError) as error:  # a name that cannot be one
        assert str(error)  # noqa: PT017
        return
    report = dt.check(m)
    assert str(report)
    assert repr(m)
    if report.ok:
        try:
            dt.compile(m)
        except dt.ModelError as error:
            assert str(error)  # noqa: PT017
    else:
        for finding in report.errors:
            assert len(finding.what) > 10
        if any(f.code != "no-inertia" for f in report.errors):  # that is seen in the initial state, not by the compiler
            with pytest.raises(dt.ModelError):
                dt.compile(m)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.dictionaries(st.sampled_from(["duration", "outputs", "solver", "rtol", "atol", "t", "at"]), NONSENSE, min_size=1)
)
def test_nonsense_never_breaks_simulate(system_and_steps, arguments):
    arguments = {"duration": 1e-3, **arguments}
    if isinstance(arguments["duration"], float | int) and arguments["duration"] > 1:
        arguments["duration"] = 1.0
    try:
        with np.errstate(all="ignore"):
            dt.simulate(system_and_steps, **arguments)
    except (TypeError, ValueError, dt.errors.ChannelError) as error:
        assert len(str(error)) > 10  # noqa: PT017


@pytest.fixture(scope="module")
def system_and_steps() -> dt.System:
    return dt.compile(good())


def test_an_element_that_was_renamed_is_named():
    """Changing .name passes unnoticed by the model, whose parts refer to the old one."""
    for section, name in (("joints", "J"), ("bodies", "b"), ("markers", "tip")):
        m = dt.Model("renamed")
        b = m.add_body("b", dt.Inertia.sphere(1.0, radius=0.1))
        m.add_marker("tip", b, position=(1, 0, 0))
        m.add_joint("J", dt.Revolute(axis="y"), m.ground, b, at=(0, 0, 0))
        getattr(m, section)[name].name = "other"
        report = dt.check(m)
        assert report.errors[0].code == "renamed"  # what follows from it may be said after it
        assert f"\"{name}\" now calls itself 'other'" in str(report)
        with pytest.raises(dt.ModelError, match="now calls itself"):
            dt.simulate(m, 0.1)


@pytest.mark.parametrize("name", ["a\x1b[2Jb", "bell\a", "two\nlines", "\x9b31m", "right\u202eleft"])
def test_names_never_steer_a_terminal(name):
    m = dt.Model(name)
    b = m.add_body(name, dt.Inertia.sphere(1.0, radius=0.1))
    m.add_joint(name, dt.Revolute(axis="y"), m.ground, b, at=(0, 0, 0))
    report = dt.check(m)
    assert [f.code for f in report.errors] == ["bad-name"] * 3
    assert not any(c in str(report) for c in name if not c.isprintable() and c != "\n")
