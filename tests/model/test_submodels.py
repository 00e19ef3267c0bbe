"""Models made of others: sub-models under prefixes, in Python and in files, and files that include others."""

import math

import numpy as np
import pytest

import duoti as dt
from duoti.formats import from_text, to_text
from support.random_constraints import add_random_constraints
from support.random_forces import add_random_forces
from support.random_models import random_model, random_pose, random_rotation, random_state

LEG = """\
duoti: 1
name: leg
parameters: {l: 0.4, k: 30, free: =l/2}
bodies:
  thigh: {inertia: {rod: {mass: 2, length: =l, axis: z}}, position: [0, 0, =-l/2]}
  shank: {inertia: {rod: {mass: 1, length: =l, axis: z}}, position: [0, 0, =-3*l/2]}
markers:
  hip: {body: thigh, position: [0, 0, =l/2]}
  foot: {body: shank, position: [0, 0, =-l/2]}
joints:
  knee: {type: revolute, axis: y, between: [thigh, shank], at: [0, 0, =-l], q0: 10 deg}
forces:
  spring: {type: joint_torque, joint: knee, value: -k*knee.angle - 0.1*v}
  muscle: {type: line_force, marker_a: hip, marker_b: foot, tension: 20*(length - free) + foot.velocity.z + z}
states:
  z: {rate: -3*z + knee.rate, unit: N}
events:
  bent: {value: knee.angle - 1}
"""

ROBOT = """\
duoti: 1
name: robot
parameters: {width: 0.3}
bodies:
  trunk: {inertia: {box: {mass: 20, size: [0.8, =width, 0.1]}}, position: [0, 0, 1]}
submodels:
  FL: {file: parts/leg.yaml, position: [0.4, =width/2, 1]}
  FR: {file: parts/leg.yaml, position: [0.4, =-width/2, 1], parameters: {k: 40}}
  HL: {file: parts/leg.yaml, position: [-0.4, =width/2, 1], rotation: {about: {axis: z, angle: 180 deg}}}
  HR: {file: parts/leg.yaml, position: [-0.4, =-width/2, 1], parameters: {l: =width}}
joints:
  base: {type: free, between: [ground, trunk]}
  hip_FL: {type: revolute, axis: y, between: [trunk, FL.thigh], at: [0.4, =width/2, 1]}
  hip_FR: {type: revolute, axis: y, between: [trunk, FR.thigh], at: [0.4, =-width/2, 1]}
  hip_HL: {type: revolute, axis: y, between: [trunk, HL.thigh], at: [-0.4, =width/2, 1]}
  hip_HR: {type: revolute, axis: y, between: [trunk, HR.thigh], at: [-0.4, =-width/2, 1]}
forces:
  push: {type: applied_force, marker: FL.foot, value: [0, 0, 10*FL.knee.angle + FR.k + HL.z]}
"""


@pytest.fixture
def robot(tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "leg.yaml").write_text(LEG, encoding="utf-8")
    path = tmp_path / "robot.yaml"
    path.write_text(ROBOT, encoding="utf-8")
    return path


def test_a_leg_used_four_times(robot):
    model = dt.load(robot)
    assert list(model.bodies) == ["trunk", *(f"{leg}.{part}" for leg in ("FL", "FR", "HL", "HR")
                                             for part in ("thigh", "shank"))]  # fmt: skip
    assert model.parameters["FR.k"] == 40
    assert model.parameters["FL.k"] == 30
    assert model.parameters["HR.l"] == 0.3
    assert model.parameters["HR.free"] == 0.15
    assert model.forces["FR.spring"].value == "-FR.k*FR.knee.angle - 0.1*v"
    assert model.forces["HL.muscle"].tension == "20*(length - HL.free) + HL.foot.velocity.z + HL.z"
    assert model.joints["FL.knee"].at.tolist() == [0.4, 0.15, 0.6]
    assert dt.check(model).ok
    result = dt.simulate(model, 0.05, outputs=0.05)
    assert result.ok
    assert np.allclose(result["FL.foot.position"][0], [0.4 - 0.4 * math.sin(math.radians(10)), 0.15,
                       0.6 - 0.4 * math.cos(math.radians(10))])  # fmt: skip
    assert np.allclose(result["HL.foot.position"][0], [-0.4 + 0.4 * math.sin(math.radians(10)), 0.15,
                       0.6 - 0.4 * math.cos(math.radians(10))])  # fmt: skip
    again = from_text(to_text(model))
    A, B = dt.compile(model), dt.compile(again)
    q, v, _ = random_state(np.random.default_rng(1), A)
    z = np.arange(4.0)
    assert np.array_equal(dt.accelerations(A, q, v, 0.3, z=z), dt.accelerations(B, q, v, 0.3, z=z))


def test_a_model_may_stand_within_another(robot):
    inline = "\n".join("      " + line for line in LEG.splitlines() if not line.startswith("duoti"))
    text = ROBOT.replace("  FL: {file: parts/leg.yaml, position: [0.4, =width/2, 1]}",
                         f"  FL:\n    position: [0.4, =width/2, 1]\n    model:\n{inline}")  # fmt: skip
    robot.write_text(text, encoding="utf-8")
    assert dt.load(robot).joints["FL.knee"].at.tolist() == [0.4, 0.15, 0.6]


@pytest.mark.parametrize("way", ["as it is", "moved", "moved and turned"])
def test_a_part_moves_as_it_does_alone(way):
    """A model placed anywhere, gravity turned along, has the same coordinates, mass matrix and accelerations."""
    rng = np.random.default_rng(5)
    meant = random_model(rng, 5, gravity=(1.0, -2.0, -9.0), reverse=0.5)
    add_random_forces(
        rng, meant, ["spring_damper", "bushing", "joint_spring", "joint_torque", "line_force", "table_spring"]
    )
    alone = meant.model
    # what a law reads in the world's axes would really change
    alone.forces["joint_torque force"].value = (
        "1.2*cos(q) - 0.3*v + j0.v[0] + k*z" if alone.joints["j0"].nv > 1 else "k*z"
    )
    alone.parameters["k"] = 3.0
    alone.joints["j0"].rotor_inertia = 0.7
    alone.add_state("z", "-k*z + t", initial=0.3)
    pose = {"as it is": dt.spatial.Pose(), "moved": dt.spatial.Pose(position=rng.normal(size=3))}.get(
        way, random_pose(rng)
    )
    whole = dt.Model("whole", gravity=pose.rotation @ np.array(alone.gravity))
    given = {} if way == "as it is" else {"position": pose.position}
    if way == "moved and turned":
        given["rotation"] = pose.rotation
    whole.add_submodel("p", alone, **given)
    A, B = dt.compile(alone), dt.compile(whole)
    assert [f"p.{name}" for name in A.coordinate_names] == list(B.coordinate_names)
    q, v, _ = random_state(rng, A)
    z = np.array([0.7])
    # round-off only: a few hundred operations on numbers of size one to ten
    assert np.allclose(dt.mass_matrix(A, q), dt.mass_matrix(B, q), rtol=1e-12, atol=1e-12)
    a, b = (dt.accelerations(s, q, v, 0.4, z=z) for s in (A, B))
    assert np.allclose(a, b, rtol=1e-10, atol=1e-10 * np.abs(a).max())


def test_constraints_of_a_part_hold_where_it_is():
    rng = np.random.default_rng(7)
    meant = random_model(rng, 3, ("revolute", "prismatic", "cylindrical"), gravity=(0, 0, -9.81))
    add_random_constraints(rng, meant)
    alone = meant.model
    turn = dt.Rotation.about("z", 1.0)
    whole = dt.Model("whole")
    whole.add_submodel("p", alone, position=(1, 2, 0), rotation=turn)
    assert len(whole.constraints) == len(alone.constraints)
    A, B = dt.compile(alone), dt.compile(whole)
    q, v, _ = random_state(rng, A)
    for kind in ("rolling_disc", "marker_motion", "coupler", "distance"):  # residuals by position and velocity
        one, other = dt.Model(), dt.Model()
        for model, source, prefix in ((one, alone, ""), (other, whole, "p.")):
            model.bodies, model.markers, model.joints = source.bodies, source.markers, source.joints
            name = f"{prefix}{kind} constraint"
            model.add_constraint(name, source.constraints[name])
        a, b = (dt.accelerations(dt.compile(m), q, v, 0.3, must_close=False) for m in (one, other))
        assert np.allclose(a, b, rtol=1e-8, atol=1e-8 * np.abs(a).max()), kind
    del A, B


def test_the_part_stays_as_it_is_and_functions_are_kept():
    part = dt.Model("part")
    part.add_body("a", dt.Inertia.point(1.0), position=(1, 0, 0))
    part.add_joint("A", dt.Revolute("y"), "ground", "a", at=(0, 0, 0))
    part.add_state("z", lambda z, t: -z + t)
    part.add_force("f", dt.JointTorque("A", dt.Function(lambda q: -q, inputs=("A.angle",))))
    before = list(part.bodies), part.forces["f"].value, part.joints["A"].at
    whole = dt.Model("whole")
    for name in ("one", "two"):
        whole.add_submodel(name, part, rotation=random_rotation(np.random.default_rng(1)))
    assert (list(part.bodies), part.forces["f"].value, part.joints["A"].at) == before
    assert whole.forces["two.f"].value.inputs == ("two.A.angle",)
    assert whole.states["one.z"].rate.inputs == ("one.z", "t")
    assert dt.check(whole).ok


def test_a_wrong_part_is_refused():
    part = dt.Model("part")
    part.add_body("a", dt.Inertia.point(1.0))
    part.add_joint("A", dt.Revolute("y"), "ground", "nobody")
    with pytest.raises(dt.ModelError, match=r'model "part" has 1 error\n.*its child "nobody" does not exist'):
        dt.Model().add_submodel("p", part)


def test_faults_of_parts_have_their_own_lines(robot):
    leg = robot.parent / "parts" / "leg.yaml"
    leg.write_text(LEG.replace("knee.angle - 0.1*v", "kne.angle").replace("k: 30", "k: 30 foo"), encoding="utf-8")
    with pytest.raises(dt.errors.ModelFileError) as error:
        dt.load(robot)
    assert [str(f.place) for f in error.value.report.errors] == [f"{leg}:3"]
    leg.write_text(LEG.replace("knee.angle - 0.1*v", "kne.angle"), encoding="utf-8")
    with pytest.raises(dt.errors.ModelFileError, match=r'unknown name "kne\.angle"') as error:
        dt.load(robot)
    assert [str(f.place) for f in error.value.report.errors] == [f"{leg}:13"]
    leg.write_text(LEG, encoding="utf-8")
    robot.write_text(ROBOT.replace("FL.thigh]", "FL.tigh]").replace("{k: 40}", "{kk: 40}"), encoding="utf-8")
    with pytest.raises(dt.errors.ModelFileError) as error:
        dt.load(robot)
    assert [(str(f.place), f.what) for f in error.value.report.errors] == [
        (f"{leg}:3", 'parameters: model "leg" has no parameter "kk". Did you mean \'k\'?'),
    ]


# --------------------------------------------------------------------------------------------------------- include


def write(folder, **files):
    for name, text in files.items():
        (folder / f"{name}.yaml").write_text(text, encoding="utf-8")
    return folder / f"{next(iter(files))}.yaml"


BODY = "duoti: 1\nparameters: {m: 2, n: 5}\nbodies: {b: {inertia: {point: {mass: =m}}}}\ngravity: [1, 2, 3]\n"


def test_included_sections_are_added_and_the_file_itself_counts(tmp_path):
    path = write(tmp_path, a="duoti: 1\ninclude: [b.yaml]\nparameters: {m: 3}\n"
                 "bodies: {a: {inertia: {point: {mass: =n}}}}\n", b=BODY)  # fmt: skip
    model = dt.load(path)
    assert {name: body.inertia.mass for name, body in model.bodies.items()} == {"a": 5.0, "b": 3.0}
    assert model.gravity == (1.0, 2.0, 3.0)
    assert str(model.source_locations[("bodies", "b")]) == f"{tmp_path / 'b.yaml'}:3"


def test_names_that_two_files_give_are_a_fault(tmp_path):
    path = write(tmp_path, a="duoti: 1\ninclude: b.yaml\nbodies: {b: {inertia: {point: {mass: 1}}}}\n", b=BODY)
    with pytest.raises(dt.errors.ModelFileError) as error:
        dt.load(path)
    (fault,) = error.value.report.errors
    assert str(fault.place) == f"{tmp_path / 'b.yaml'}:3"
    assert fault.what == f"bodies.b: this name is taken already, at {path}:3"


@pytest.mark.parametrize(("name", "message"), [
    ("a.yaml", "it includes itself"),
    ("nothing.yaml", "there is no such file"),
    (".", "this is a folder; name a file"),
    ("../outside.yaml", "it is outside the folder of the model file"),
    ("link.yaml", "it is outside the folder of the model file"),
    ("/etc/hostname", "it is outside the folder of the model file"),
    ("a\\0b", "is no name of a file"),
])  # fmt: skip
def test_files_that_cannot_be_included(tmp_path, name, message):
    folder = tmp_path / "inside"
    folder.mkdir()
    write(tmp_path, outside=BODY)
    (folder / "link.yaml").symlink_to(tmp_path / "outside.yaml")
    path = write(folder, a=f'duoti: 1\ninclude: "{name}"\n')
    with pytest.raises(dt.errors.ModelFileError, match=message) as error:
        dt.load(path)
    assert str(error.value.report.errors[0].place) == f"{path}:2"


def test_files_outside_may_be_allowed(tmp_path):
    (tmp_path / "inside").mkdir()
    write(tmp_path, outside=BODY)
    path = write(tmp_path / "inside", a="duoti: 1\ninclude: ../outside.yaml\n")
    assert list(dt.load(path, allow_outside=True).bodies) == ["b"]


def test_circles_and_crowds_of_files_end(tmp_path):
    path = write(tmp_path, a="duoti: 1\ninclude: b.yaml\n", b="duoti: 1\ninclude: a.yaml\n")
    with pytest.raises(dt.errors.ModelFileError, match=r"'b\.yaml': it includes itself"):
        dt.load(path)
    files = {f"f{i}": "duoti: 1\nsubmodels: {" + ", ".join(f"s{j}: {{file: f{i + 1}.yaml}}" for j in range(9)) + "}\n"
             for i in range(8)}  # fmt: skip
    path = write(tmp_path, **files, f8=BODY)
    with pytest.raises(dt.errors.ModelFileError, match="more than 200 files and sub-models"):
        dt.load(path)
    deep = {f"d{i}": f"duoti: 1\ninclude: d{i + 1}.yaml\n" for i in range(12)}
    with pytest.raises(dt.errors.ModelFileError, match="more than 10 files within each other"):
        dt.load(write(tmp_path, **deep, d12=BODY))
    within = "{bodies: {b: {inertia: {point: {mass: 1}}}}}"
    for _ in range(11):
        within = "{submodels: {s: {model: " + within + "}}}"
    with pytest.raises(dt.errors.ModelFileError, match="more than 10 models within each other"):
        from_text("duoti: 1\n" + within[1:-1])


def test_what_the_files_of_parts_computed_is_not_left_behind(tmp_path) -> None:
    """A parameter from which a part was computed when it was read cannot be changed without a word."""
    (tmp_path / "leg.yaml").write_text(
        "duoti: 1\nparameters: {l: 0.3, k: 5.0}\n"
        "bodies: {b: {inertia: {point: {mass: 1}}, position: [0, 0, =-l]}}\n"
        "joints: {A: {type: revolute, axis: y, between: [ground, b], at: [0, 0, 0]}}\n"
        "forces: {f: {type: joint_torque, joint: A, value: -k*q}}\n"
    )
    (tmp_path / "m.yaml").write_text(
        "duoti: 1\nparameters: {size: 0.4, unread: 1.0}\n"
        "submodels: {left: {file: leg.yaml, parameters: {l: =2*size}}}\n"
    )
    m = dt.load(tmp_path / "m.yaml")
    assert [each.element.name for each in dt.check(m).warnings] == ["unread"]
    system = dt.compile(m)
    assert system.with_parameters({"left.k": 6.0}).model.parameters["left.k"] == 6.0
    for name in ("size", "left.l"):
        with pytest.raises(ValueError, match="load it again"):
            system.with_parameters({name: 1.0})
