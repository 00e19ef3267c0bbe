"""MJCF: names, notes, faults. That the dynamics are MuJoCo's is shown in tests/oracle."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import duoti as dt
from duoti.examples.robots import robots
from duoti.formats.mjcf import load_mjcf

BALL = '<geom size="0.1"/>'
HINGE = '<joint name="{}" axis="0 1 0"/>'


def mjcf(tmp_path, bodies: str, more: str = "", **options) -> dt.Model:
    path = tmp_path / "m.xml"
    path.write_text(f'<mujoco model="m">\n<worldbody>\n{bodies}\n</worldbody>\n{more}\n</mujoco>')
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", dt.errors.LeftOutWarning)
        return load_mjcf(path, **options)


def test_several_joints_of_a_body_keep_their_names(tmp_path):
    m = mjcf(tmp_path, f'<body name="b">{HINGE.format("one")}{HINGE.format("two")}{BALL}</body>')
    assert list(m.bodies) == ["b_after_one", "b"]
    assert [(j.parent, j.child) for j in m.joints.values()] == [("ground", "b_after_one"), ("b_after_one", "b")]


def test_both_endings_of_a_file_are_known(tmp_path):
    text = f'<mujoco><worldbody><body name="b">{HINGE.format("j")}{BALL}</body></worldbody></mujoco>'
    for ending in ("xml", "mjcf"):
        (tmp_path / f"m.{ending}").write_text(text)
        m = dt.load(tmp_path / f"m.{ending}")
        assert dt.compile(m).rate_names == ("j.rate",)


def test_bodies_without_joints_or_mass(tmp_path):
    arm = f'<body name="arm">{HINGE.format("j")}{BALL}<site name="tip"/></body>'
    stand = f'<body name="stand"><geom type="box" size="1 1 1"/><body name="point" pos="0 0 1">{arm}</body></body>'
    m = mjcf(tmp_path, f'{stand}<body name="target" mocap="true"/>')
    assert list(m.bodies) == ["stand", "arm"]
    assert isinstance(m.joints["stand_fixed"].joint, dt.Fixed)
    assert {"point", "target", "tip"} <= set(m.markers)
    assert m.body_name("point") == "stand"


def test_names_that_clash_are_changed_and_noted(tmp_path):
    m = mjcf(tmp_path, f'<body name="arm">{HINGE.format("arm")}{BALL}<site name="arm"/></body>')
    assert "arm_site" in m.markers
    assert "arm_site" in str(m.import_notes)
    ground = mjcf(tmp_path, f'<body name="ground">{HINGE.format("arm")}{BALL}</body>')
    assert list(ground.bodies) == ["ground_body"]


def test_coordinates_count_from_the_configuration_of_the_file(tmp_path):
    m = mjcf(
        tmp_path,
        f'<body><joint name="j" axis="0 1 0" ref="90" range="0 180" stiffness="1" springref="45"/>{BALL}</body>',
    )
    assert np.allclose(m.joints["j"].limits, [(-np.pi / 2, np.pi / 2)])
    assert m.forces["j_spring"].rest == pytest.approx(-np.pi / 4)
    assert any("count from" in note.message for note in m.import_notes)


def test_everything_left_out_is_noted_with_its_line(tmp_path):
    bodies = f"""<camera name="eye"/><light/><body name="b">
      <joint name="j" frictionloss="0.5"/>{BALL}
      <composite/></body><body name="c"><joint name="k" type="ball"/>{BALL}<site name="s"/></body>"""
    more = """<option density="1.2" timestep="0.001"/><sensor><gyro site="s"/></sensor><contact/><custom/>
      <keyframe><key name="home" qpos="0 1 0 0 0"/></keyframe><deformable/>
      <tendon><spatial name="t"><site site="s"/><geom geom="g"/><site site="s"/></spatial>
      <fixed name="cord" range="-1 1"><joint joint="j" coef="1"/></fixed></tendon>
      <actuator><muscle joint="j"/><motor joint="k"/><general joint="j" dyntype="user"/><motor site="s" refsite="s"/>
      <motor joint="j" delay="0.1" frobnicate="1"/></actuator>
      <equality><joint joint1="j" polycoef="0 1 0.5"/><flex/><weld body1="b" active="false"/></equality>"""
    m = mjcf(tmp_path, bodies, more)
    notes = str(m.import_notes)
    words = (
        "camera", "light", "composite", "density", "timestep", "contact",
        "keyframe='home'", "deformable", 'spatial "t"', "this actuator is left out: muscle", "ball joints",
        'dyntype="user"', "refsite is not",
        "delay", "frobnicate is unknown", "flex", "not active",
        'fixed "cord": its limits',
    )  # fmt: skip
    for word in words:
        assert word in notes, word
    assert all(note.line > 1 and note.file.endswith("m.xml") for note in m.import_notes)
    assert m.forces["j_friction"].constant == 0.5
    with pytest.raises(dt.ModelError, match="muscle"):
        load_mjcf(tmp_path / "m.xml", strict=True)


FAULTS = {
    "class": (f'<body><joint class="arn"/>{BALL}</body>', '<default><default class="arm"/></default>',
              "Did you mean 'arm'"),
    "type": (f'<body><joint type="hing"/>{BALL}</body>', "", "Did you mean 'hinge'"),
    "size": ('<body><joint/><geom type="box" size="1 2"/></body>', "", "a box needs 3 sizes"),
    "numbers": (f'<body pos="1 2">{BALL}</body>', "", "has 2 numbers, not 3"),
    "mesh": ('<body><joint/><geom type="mesh" mesh="nose"/></body>', '<asset><mesh name="hose" file="x.stl"/></asset>',
             "Did you mean 'hose'"),
    "mesh file": ('<body><joint/><geom type="mesh" mesh="n"/></body>', '<asset><mesh name="n" file="x.stl"/></asset>',
                  "there is no file x.stl"),
    "second body": (f'<body name="a">{BALL}</body><body name="a">{BALL}</body>', "", 'a second body "a"'),
    "second joint": (f'<body name="a">{HINGE.format("j") * 2}{BALL}</body>', "", 'a second joint "j"'),
    "free inside": (f"<body>{HINGE.format('j')}{BALL}<body><freejoint/>{BALL}</body></body>", "", "free joint must be"),
    "actuator": (f"<body>{HINGE.format('elbow')}{BALL}</body>", '<actuator><motor joint="elbov"/></actuator>',
                 "Did you mean 'elbow'"),
    "nothing": ("<body/>", "<actuator><motor/></actuator>", "it acts on nothing"),
    "equality": (f'<body name="a">{BALL}</body>', '<equality><weld body1="b"/></equality>', 'no body "b"'),
    "tendon": ("<body/>", '<tendon><fixed><joint joint="x"/></fixed></tendon>', 'no joint "x"'),
    "include": ("<body/>", '<include file="nosuch.xml"/>', "there is no file nosuch.xml"),
    "itself": ("<body/>", '<include file="m.xml"/>', "included twice"),
    "range": (f'<body><joint range="1 -1"/>{BALL}</body>', "", "the first number is above the second"),
    "ends": ('<body><joint/><geom type="capsule" size=".1" fromto="0 0 1 0 0 1"/></body>', "", "ends are the same"),
    "inertia": ('<body><joint/><inertial pos="0 0 0" mass="1" diaginertia="-1 1 1"/></body>', "", "negative"),
    "global": ("<body/>", '<compiler coordinate="global"/>', 'only coordinate="local"'),
    "world": ("<joint/>", "", "the world cannot have it"),
}  # fmt: skip


@pytest.mark.parametrize("name", FAULTS)
def test_faults_are_named_with_their_line(tmp_path, name):
    bodies, more, message = FAULTS[name]
    with pytest.raises(dt.ModelError) as raised:
        mjcf(tmp_path, bodies, more)
    assert message in str(raised.value)
    assert "m.xml:" in str(raised.value)


def test_a_urdf_is_recognised(tmp_path):
    (tmp_path / "r.urdf").write_text("<robot/>")
    with pytest.raises(dt.ModelError, match="load_urdf"):
        load_mjcf(tmp_path / "r.urdf")


def test_the_quadruped_starts_in_its_keyframe_and_its_servos_hold_it():
    m = load_mjcf(robots()["hound"], keyframe="stand")
    assert m.parameters["FL_hip_control"] == 0.8
    r = dt.simulate(m, duration=0.2)
    # it falls without ground under it; 60 N m/rad hold legs of some 1.7 kg within a few degrees
    assert abs(r["FL_hip_joint.angle"][-1] - 0.8) < 0.1
    assert r["trunk.position"][-1][2] < 0.3
    assert np.abs(r.energy.residual).max() < 1e-4


def test_controls_can_be_set_while_loading():
    m = load_mjcf(robots()["delta"], parameters={"motor_1_control": 2.5, "motor_2_control": "-1e-1"})
    assert list(m.parameters.values()) == [2.5, -0.1, 0.0]
    with pytest.raises(dt.ModelError) as raised:
        load_mjcf(robots()["delta"], parameters={"motor_4_control": 1, "motor_1_control": "full"})
    assert "Did you mean" in str(raised.value)
    assert '"full" is not a number' in str(raised.value)


def test_the_closed_loops_of_the_delta_stay_closed():
    m = load_mjcf(robots()["delta"])
    m.parameters["motor_1_control"] = -1.0
    r = dt.simulate(m, duration=0.5)
    assert r.ok
    low, high = np.ravel(m.joints["motor_2"].limits)
    assert low - 1e-8 < r["motor_2.angle"].min() < r["motor_2.angle"].max() < high + 1e-8  # it comes to its stop
    for i in (1, 2, 3):
        gap = r[f"joint_{i}_a.position"] - r[f"joint_{i}_b.position"]
        assert np.abs(gap).max() < 1e-8  # tolerance of the projection onto the closed loops is 1e-9 of the size


def test_notes_come_in_the_order_of_what_they_mean(tmp_path):
    bodies = f"""<camera name="eye"/><frobnicate/><body name="hand" mocap="true">{BALL}</body>
      <body><joint name="j" frictionloss="1" range="-1 1"/>{BALL}</body>"""
    m = mjcf(tmp_path, bodies, "<actuator><muscle joint='j'/></actuator>")
    ranks = [note.rank for note in m.import_notes]
    assert ranks == sorted(ranks)
    assert set(ranks) == {0, 1, 2, 3}
    assert m.import_notes[-1].element == "frobnicate"
    assert "this actuator is left out: muscle" in str(m.import_notes.changing_motion[:2])
    assert 'body "hand": a mocap body' in str(m.import_notes)


def test_includes_are_found_beside_the_including_file(tmp_path):
    """The main file's folder comes first, as in MuJoCo; pieces of models are models, too."""
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "main.xml").write_text('<mujoco><include file="a/one.xml"/></mujoco>')
    (tmp_path / "a" / "one.xml").write_text('<mujoco><include file="b/two.xml"/></mujoco>')
    piece = '<mujocoinclude><worldbody><body name="{}">' + BALL + "</body></worldbody></mujocoinclude>"
    (tmp_path / "a" / "b" / "two.xml").write_text(piece.format("inner"))
    assert list(dt.load(tmp_path / "main.xml").bodies) == ["inner"]
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "two.xml").write_text(piece.format("outer"))
    assert list(dt.load(tmp_path / "main.xml").bodies) == ["outer"]
    assert list(dt.load(tmp_path / "b" / "two.xml").bodies) == ["outer"]
    (tmp_path / "bare.xml").write_text(f'<mujocoinclude><body name="bare">{BALL}</body></mujocoinclude>')
    assert list(dt.load(tmp_path / "bare.xml").bodies) == ["bare"]


def test_a_keyframe_sets_activations_and_says_what_it_cannot(tmp_path):
    bodies = f'<body name="b"><freejoint align="true"/>{BALL}<body><joint name="j"/>{BALL}</body></body>'
    more = """<actuator><general joint="j" dyntype="filter"/><motor joint="j"/><general joint="j" dyntype="integrator"/>
      </actuator><keyframe><key name="k" act="3 4" qpos="1 2 3 1 0 0 0 0.5"/><key name="l" act="3"/></keyframe>"""
    m = mjcf(tmp_path, bodies, more, keyframe="k")
    assert [state.initial for state in m.states.values()] == [3.0, 4.0]
    assert "aligned with its principal axes" in str(m.import_notes.changing_motion)
    assert "act is left out" in str(mjcf(tmp_path, bodies, more, keyframe="l").import_notes)


def test_robots_are_simulated_with_the_automatic_solver(tmp_path):
    """A stiff servo: the explicit solver's steps are limited by stability, not by accuracy."""
    arm = '<body><joint name="j" axis="0 1 0" damping="3000"/><geom size="0.1" pos="0.3 0 0"/></body>'
    m = mjcf(tmp_path, arm)
    chosen = dt.simulate(m, 0.5)
    assert any("Radau" in note for note in chosen.stats.notes)
    explicit = dt.simulate(m, 0.5, solver=dt.DOPRI5())
    assert explicit.stats.steps > 5 * chosen.stats.steps
    assert dt.simulate(m, 0.5, constraints=dt.Baumgarte()).stats.steps == explicit.stats.steps
    m.imported = False
    assert dt.simulate(m, 0.5).stats.steps == explicit.stats.steps


def test_controls_can_be_set_from_the_command_line(monkeypatch, capsys):
    from duoti.cli import main

    words = ["duoti", "run", str(robots()["hound"]), "--duration", "0.01", "--verbose", "--set", "FL_hip_control=0.8"]
    monkeypatch.setattr("sys.argv", words)
    with pytest.raises(SystemExit) as left:
        main()
    assert not left.value.code
    assert "FL_hip_joint.angle" in capsys.readouterr().out
