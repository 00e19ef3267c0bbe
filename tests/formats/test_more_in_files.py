"""Controllers, axes of composite joints, tables as profiles, elements switched off; lines of sub-models."""

from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.formats import from_text, json_schema, to_text

ARM = """\
duoti: 1
name: arm
parameters: {T: 10 ms}
bodies:
  arm: {inertia: {rod: {mass: 1, length: 1, axis: x}}, position: [0, 0, -0.5]}
joints:
  A: {type: revolute, axis: y, between: [ground, arm], at: [0, 0, 0]}
"""
CONTROLLED = (
    ARM
    + """\
forces:
  motor: {type: joint_torque, joint: A, value: u}
states:
  z: {rate: -z, initial: 1}
events:
  late: {value: t - 3}
controllers:
  pid:
    function: {u: "20*(0.3 - A.angle) - 2*A.rate + i", i: "i + T*30*(0.3 - A.angle)"}
    outputs: {u: 0, i: 0.5}
    period: =T
    start: 20 ms
  clock: {function: {w: t}, period: 0.1 s}
"""
)


def again(text: str) -> dt.Model:
    """The model of a text, after it was checked that nothing is lost by saving and reading it."""
    model = from_text(text)
    saved = to_text(model)
    assert to_text(from_text(saved)) == saved
    return model


def fault(text: str, line: int | None = None) -> str:
    try:
        report = dt.check(from_text(text))
    except dt.ModelError as error:
        report = error.report
    (finding,) = report.errors
    if line is not None:
        assert finding.place.line == line
    return finding.what


# -------------------------------------------------------------------------------------------------------- controllers


def test_controllers_in_files():
    model = again(CONTROLLED)
    assert list(model.controllers) == ["pid", "clock"]
    assert list(model.states) == ["z", "u", "i", "pid.next", "w", "clock.next"]
    saved = to_text(model)
    assert "period: =T" in saved
    assert "start: 20 ms" in saved
    assert "pid.next" not in saved

    m = from_text(ARM)
    m.add_force("motor", dt.JointTorque("A", "u"))
    m.add_state("z", "-z", 1.0)
    m.add_event("late", dt.Event("t - 3"))

    def pid(angle, rate, i):
        return 20 * (0.3 - angle) - 2 * rate + i, i + 0.01 * 30 * (0.3 - angle)

    m.add_controller("pid", pid, ["A.angle", "A.rate", "i"], {"u": 0.0, "i": 0.5}, 0.01, 0.02)
    m.add_controller("clock", {"w": "t"}, period=0.1)
    ours, theirs = (dt.simulate(each, 0.5, outputs=0.05) for each in (model, m))
    for name in ("A.angle", "u", "i", "w"):
        np.testing.assert_allclose(ours[name], theirs[name], atol=1e-9)  # expressions and functions round differently


def test_python_functions_of_controllers_cannot_be_saved():
    m = from_text(ARM)
    m.add_controller("pid", lambda angle: -angle, ["A.angle"], {"u": 0.0}, 0.01)
    with pytest.raises(dt.ModelError, match=r'event "pid" cannot be saved.*Python function'):
        to_text(m)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("period: =T", "period: 3 kg", "'3 kg' is a mass [kg], but a time [s] is needed here"),
        ("period: =T", "period: -1", "it must be positive"),
        ("outputs: {u: 0, i: 0.5}", "outputs: {q: 3}", "function gives u, i, outputs are q"),
        ("period: =T", "priod: =T", "unknown key 'priod' of a controller. Did you mean 'period'?"),
        ("20*(0.3 - A.angle)", "20*(0.3 - B.angle)", 'controller "pid": it sets u'),
        ('i: "i + T*30', 'i: "3 kg * t + T*30', "is 't' the time or a unit?"),
        ("start: 20 ms", "start: .nan", "is not finite"),
    ],
)
def test_faults_of_controllers(old, new, says):
    with pytest.raises(dt.ModelError) as raised:
        from_text(CONTROLLED.replace(old, new))
    assert says in str(raised.value)
    assert 'unknown name "u"' not in str(raised.value)  # which only follows from it


def test_a_controller_whose_function_is_none():
    m = from_text(ARM)
    for function in (None, 3.0, "abc", int):
        with pytest.raises(TypeError, match="controller 'c': function="):
            m.add_controller("c", function, ["t"], {"u": 0.0}, 0.1)
    with pytest.raises(ValueError, match="controller 'c': period is True"):
        m.add_controller("c", abs, ["t"], {"u": 0.0}, True)
    assert not m.states


def test_events_set_states_by_laws():
    """As `120 rpm * t` anywhere: t is the time and never a tonne."""
    text = ARM + "states: {z: {rate: 0}}\nevents: {e: {value: t - 1, sets: {z: 3 kg * t}}}\n"
    assert "is 't' the time or a unit?" in fault(text, 9)
    assert again(text.replace("3 kg * t", "3*t + z")).events["e"].sets == {"z": "3*t + z"}


# ------------------------------------------------------------------------------------------- composite joints, units

JOINT = """\
duoti: 1
bodies: {{b: {{inertia: {{box: {{mass: 1, size: [1, 1, 1]}}}}, position: [0, 0, 2]}}}}
joints:
  J: {{{0}, between: [ground, b]}}
"""


def test_axes_of_a_composite_joint():
    text = JOINT.format("type: composite, joints: {of_axes: {slides: xz, turns: y}}")
    model = again(text)
    assert repr(model.joints["J"].joint) == repr(dt.Composite.of_axes("xz", "y"))
    assert "of_axes: {slides: xz, turns: y}" in to_text(model)
    model.joints["J"].joint = dt.Composite(dt.Prismatic("x"))
    assert "of_axes" not in to_text(model)
    assert "no axis twice" in fault(text.replace("xz", "xx"), 4)
    assert "unknown key 'of_axis'" in fault(text.replace("of_axes", "of_axis"), 4)


@pytest.mark.parametrize(
    ("joint", "says"),
    [
        ("type: planar, normal: y, q0: [1, 2 deg, 3 deg]", "'2 deg' is an angle [rad], but a length [m] is needed"),
        ("type: cylindrical, axis: x, v0: {rate: 3 m/s}", "a velocity [m/s], but an angular velocity [rad/s]"),
        ("type: cylindrical, axis: x, limits: [[-1, 1], [-1, 2 m]]", "a length [m], but an angle [rad]"),
        ("type: composite, joints: [{type: prismatic, axis: x}, {type: revolute, axis: y}], q0: [1, 2 m]",
         "a length [m], but an angle [rad] is needed here"),
        ("type: composite, joints: {of_axes: {slides: x, turns: y}}, q0: [1 rad, 2]", "[rad], but a length [m]"),
    ],
)  # fmt: skip
def test_the_unit_of_each_coordinate_is_known(joint, says):
    assert says in fault(JOINT.format(joint), 4)


def test_units_of_coordinates_in_their_order():
    model = again(
        JOINT.format("type: planar, normal: y, q0: [1, 2 mm, 3 deg], v0: {velocity: [1 mm/s, 2], rate: 1 rpm}")
    )
    np.testing.assert_allclose(model.joints["J"].q0, (1.0, 0.002, np.radians(3.0)))


# ----------------------------------------------------------------------------------------------------------- profiles

ROAD = """\
duoti: 1
ground: {shapes: [{extrusion: {profile: {table: road}, length: 4 m}}]}
tables:
  road: {x: [-5, 0, 5], y: [0, 0.2, 0], kind: cubic}
bodies:
  ball: {inertia: {sphere: {mass: 1, radius: 0.1}}, position: [0, 0, 1]}
joints:
  A: {type: free, between: [ground, ball]}
contacts:
  c:
    type: rigid_contact
    between: [ground, ball]
    shapes: [{extrusion: {profile: {table: road}, length: 4}}, {sphere: {radius: 0.1}}]
"""


def test_tables_are_profiles():
    model = again(ROAD)
    points = ((-5.0, 0.0), (0.0, 0.2), (5.0, 0.0))
    assert model.ground.shapes[0].profile == points
    assert model.contacts["c"].shapes[0].profile == points
    assert to_text(model).count("profile: {table: road}") == 2
    assert dt.check(model).ok
    model.tables["road"].y = [0.0, 0.3, 0.0]  # the shapes remain as they are
    saved = to_text(model)
    assert "profile: {table" not in saved
    assert from_text(saved).ground.shapes[0].profile == points


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("kind: cubic", "kind: linear", "give the table kind: cubic"),
        ("table: road", "table: raod", "there is no table 'raod'. Did you mean 'road'?"),
        ("table: road", "tabel: road", "unknown key 'tabel' of a profile"),
    ],
)
def test_faults_of_profiles(old, new, says):
    with pytest.raises(dt.ModelError) as raised:
        from_text(ROAD.replace(old, new))
    assert [says in f.what for f in raised.value.report.errors] == [True, True]


def test_a_table_with_faults_is_told_once():
    assert "tables.road.x[2]: 'abc' is not a number" in fault(ROAD.replace("x: [-5, 0, 5]", "x: [-5, 0, abc]"), 4)


# ------------------------------------------------------------------------------------------------------- switched off

SWITCHED = (
    ARM
    + """\
forces:
  spring: {type: joint_spring, joint: A, stiffness: 3 N m/rad}
  damper: {type: joint_damping, joint: A, damping: 0.3}
states:
  on: {rate: 0, initial: 1, switches: [damper]}
simulate: {duration: 0.1, without: damper}
analyses:
  rest: {type: equilibrium}
  damped: {type: linearise, at: rest}
  undamped: {type: linearise, at: rest, without: [damper]}
  free: {type: linearise, without: [damper, spring]}
"""
)


def test_analyses_with_forces_switched_off():
    model = again(SWITCHED)
    results = dt.analyses.run_tasks(model)
    found = results["analyses"]
    inertia = 1.0 / 3.0  # of the rod about its end
    stiffness = 9.81 * 0.5
    for name, k, c in (("damped", stiffness + 3.0, 0.3), ("undamped", stiffness + 3.0, 0.0), ("free", stiffness, 0.0)):
        expected = np.roots([inertia, c, k])
        moving = [e for e in found[name].eigenvalues if abs(e) > 1e-6]
        np.testing.assert_allclose(sorted(moving, key=np.imag), sorted(expected, key=np.imag), atol=1e-9)
    assert list(results["simulate"].model.forces) == ["spring"]
    assert list(model.forces) == ["spring", "damper"]
    assert list(model.states["on"].switches) == ["damper"]


def test_without_in_python():
    m = from_text(SWITCHED)
    rest = dt.equilibrium(m)
    assert np.max(np.abs(dt.linearise(m.without("damper"), rest).eigenvalues.real)) < 1e-9
    with pytest.raises(
        ValueError, match=r"there is no force, constraint, contact or event 'dampr'\. Did you mean 'damper'"
    ):
        m.without("dampr")
    m.add_constraint("damper", dt.JointMotion("A", "0"))
    with pytest.raises(ValueError, match=r"a force and a constraint; write \"force:damper\" or"):
        m.without("damper")
    assert list(m.without("force:damper").forces) == ["spring"]
    assert dt.check(m.without("force:damper", "constraint:damper")).ok


@pytest.mark.parametrize(
    ("new", "says"),
    [("without: [dampr]", "Did you mean 'damper'?"), ("without: 3", "but a list"), ("witout: [damper]", "witout")],
)  # fmt: skip
def test_faults_of_without(new, says):
    assert says in fault(SWITCHED.replace("without: [damper]", new), 17)


# --------------------------------------------------------------------------------------------------------- sub-models


def test_findings_of_sub_models_have_the_lines_of_their_files(tmp_path):
    (tmp_path / "leg.yaml").write_text("""\
duoti: 1
parameters: {l: 0.4}
bodies:
  thigh: {inertia: {rod: {mass: 2e15, length: =l, axis: z}}, position: [0, 0, =-l/2]}
joints:
  knee: {type: revolute, axis: [0, 2, 0], between: [ground, thigh], at: [0, 0, =-l],
         q0: 0.1,
         limits: [[0.2, 0.3]]}
forces:
  spring: {type: joint_spring, joint: knee, stiffness: -3}
cables:
  rope: {start: [0, 0, 0], end: [10, 0, 0], stiffness: 1e5, mass_per_length: 1, elements: 2}
""")
    (tmp_path / "robot.yaml").write_text("""\
duoti: 1
submodels:
  L: {file: leg.yaml, position: [0.4, 0.15, 1]}
  R: {file: leg.yaml}
""")
    model = dt.load(tmp_path / "robot.yaml")
    for prefix in "LR":
        model.bodies[f"{prefix}.rope.node1"].position = (0, 0, np.nan)
    report = dt.check(model)
    places = {
        (f.element.name, f.code): (Path(f.place.file).name, f.place.line) for f in report if f.element and f.place
    }
    for prefix in "LR":
        assert places[f"{prefix}.thigh", "magnitude"] == ("leg.yaml", 4)
        assert places[f"{prefix}.knee", "joint"] == ("leg.yaml", 6)
        assert places[f"{prefix}.knee", "limits"] == ("leg.yaml", 7)
        assert places[f"{prefix}.rope.node1", "bad-position"] == ("leg.yaml", 12)


# -------------------------------------------------------------------------------------------------------- long texts


MANY = 300_000
LONG = ("1 " + "kg " * MANY, "1 " + "kg/" * MANY, "1 " + "k" * MANY, "1" * MANY, "(" * MANY, "-" * MANY,
        "1" + "+1" * MANY, "a." * MANY)  # fmt: skip


@pytest.mark.parametrize("text", LONG, ids=lambda text: text[:6])
def test_long_texts_are_read_in_linear_time(text):
    """A megabyte of units took ten seconds, twenty megabytes minutes; now they are refused by their length."""
    from support.fuzz import time_limit

    file = (
        ARM.replace("mass: 1,", f"mass: '{text}',")
        + f"forces: {{f: {{type: joint_torque, joint: A, value: '{text}'}}}}\n"
    )
    with time_limit(5.0), pytest.raises(dt.ModelError) as raised:
        from_text(file)
    assert len(str(raised.value)) < 5000


def test_the_schema_knows_them():
    schema = json_schema()
    keys = schema["properties"]
    assert set(keys["controllers"]["additionalProperties"]["properties"]) == {"function", "outputs", "period", "start"}
