"""MJCF export against MuJoCo: what it compiles from the saved file moves as the model of duoti does.

Accelerations are compared where both mean the same: without contacts, limits, equalities and dry friction, which are
soft in MuJoCo. Tolerance 1e-11 of the largest acceleration: both lose some digits in badly conditioned mass matrices.
"""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.analyses import from_mujoco, to_mujoco
from duoti.examples import example_names, find_example
from duoti.examples.robots import robots
from duoti.formats import load_mjcf, save_mjcf
from duoti.model.forces.joint_friction import JointFriction

mujoco = pytest.importorskip("mujoco")

pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore::duoti.errors.LeftOutWarning")]
TOLERANCE = 1e-11
OFF = ("CONTACT", "EQUALITY", "LIMIT", "FRICTIONLOSS")


def compiled(path):
    model = mujoco.MjModel.from_xml_path(str(path))
    return model, mujoco.MjData(model)


def disagreement(m, path, seed=1, states=4):
    """Largest difference of accelerations in random states with random controls, by the largest acceleration."""
    theirs, data = compiled(path)
    for name in OFF:
        theirs.opt.disableflags |= int(getattr(mujoco.mjtDisableBit, f"mjDSBL_{name}"))
    rng, worst = np.random.default_rng(seed), 0.0
    for _ in range(states):
        for i in range(theirs.nu):
            name = f"{theirs.actuator(i).name}_control"
            data.ctrl[i] = rng.uniform(-1.0, 1.0)
            if name in m.parameters:
                m.parameters[name] = float(data.ctrl[i])
        s = dt.compile(m)
        q, v, z = rng.uniform(-0.7, 0.7, s.nq), rng.uniform(-1.0, 1.0, s.nv), rng.uniform(-1.0, 1.0, s.nz)
        for k in s.tree.quat_q:
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
        state = to_mujoco(s, theirs, q, v)
        data.qpos[:], data.qvel[:], data.act[:] = state.qpos, state.qvel, z
        mujoco.mj_forward(theirs, data)
        # rates are related by a constant matrix: that of the axes in which each program counts
        T = np.column_stack([to_mujoco(s, theirs, q, unit).qvel for unit in np.eye(s.nv)])
        ours = T @ dt.accelerations(s, q, v, z=z)
        worst = max(worst, float(np.max(np.abs(ours - data.qacc)) / max(1.0, np.max(np.abs(data.qacc)))))
    return worst


def bare(m):
    """Without what is soft in MuJoCo, which loading with an equality, a limit or dry friction would add."""
    for name in [name for name, force in m.forces.items() if isinstance(force, JointFriction)]:
        del m.forces[name]
    m.constraints.clear()
    for element in m.joints.values():
        element.limits = None
    return m


@pytest.mark.parametrize("name", ["arm6", "courier", "hound", "strider", "delta"])
def test_robots(name, tmp_path):
    m = bare(dt.load(robots()[name]))
    assert save_mjcf(m, tmp_path / "saved.xml") == []
    assert disagreement(m, tmp_path / "saved.xml") < TOLERANCE


@pytest.mark.parametrize("name", ["arm6", "hound", "strider", "delta"])
def test_what_mujoco_knows_of_robots(name, tmp_path):
    """Masses, ranges, armature, dampers, springs, dry friction, of the saved file and of the original (or its URDF)."""
    m = dt.load(robots()[name])
    save_mjcf(m, tmp_path / "saved.xml")
    theirs, _ = compiled(tmp_path / "saved.xml")
    for body in m.bodies.values():
        if body.inertia.mass:
            assert theirs.body(body.name).mass[0] == pytest.approx(body.inertia.mass, rel=1e-14)
    if robots()[name].suffix == ".urdf":
        return
    original, _ = compiled(robots()[name])
    for i in range(original.njnt):
        joint = original.joint(i)
        mine = theirs.joint(joint.name) if joint.name else None
        if mine is None or joint.type[0] in (int(mujoco.mjtJoint.mjJNT_FREE), int(mujoco.mjtJoint.mjJNT_BALL)):
            continue
        for key in ("range", "stiffness", "damping", "armature", "frictionloss"):
            assert np.allclose(getattr(mine, key), getattr(joint, key), rtol=1e-12), (joint.name, key)
    assert theirs.nu == original.nu
    for i in range(original.nu):
        actuator = original.actuator(i)
        if not actuator.name:
            continue
        mine = theirs.actuator(actuator.name)
        assert mine.gainprm[0] == pytest.approx(actuator.gainprm[0] * actuator.gear[0])
        if actuator.ctrllimited[0]:
            assert np.allclose(mine.ctrlrange, actuator.ctrlrange)
    assert theirs.neq == original.neq
    assert theirs.nsensor == original.nsensor
    assert theirs.ntendon >= original.ntendon - (name == "delta")


@pytest.mark.parametrize("name", ["hound", "strider"])
def test_contacts_are_those_of_the_file(name, tmp_path):
    """The same points touch with the same friction: the original, and what was loaded with contacts and saved."""
    m = load_mjcf(robots()[name], contacts=True)
    save_mjcf(m, tmp_path / "saved.xml", strict=False)
    theirs, data = compiled(tmp_path / "saved.xml")
    original, expected = compiled(robots()[name])
    assert theirs.npair == len(m.contacts)
    rng, s = np.random.default_rng(3), dt.compile(m)
    touched = 0
    for _ in range(6):
        qpos = expected.qpos.copy()
        mujoco.mj_resetData(original, expected)
        qpos[:] = expected.qpos
        qpos[2] -= rng.uniform(0.0, 0.5)
        qpos[7:] += rng.uniform(-1.0, 1.0, original.nq - 7)
        expected.qpos[:] = qpos
        mujoco.mj_forward(original, expected)
        state = from_mujoco(s, original, qpos, np.zeros(original.nv))
        data.qpos[:] = to_mujoco(s, theirs, state.q, state.v).qpos
        mujoco.mj_forward(theirs, data)

        def listed(these):
            # of condim c, MuJoCo uses the first c - 1 coefficients
            return sorted((round(c.dist, 9), c.dim, *np.round(c.friction[: c.dim - 1], 9)) for c in these.contact)

        assert listed(data) == listed(expected)
        touched += expected.ncon
    assert touched > 0


def test_files_come_back(tmp_path):
    """Saved, loaded, saved: the same numbers, so that nothing is lost or moved on the way."""
    m = load_mjcf(robots()["hound"], keyframe="stand")
    save_mjcf(m, tmp_path / "one.xml")
    again = load_mjcf(tmp_path / "one.xml", keyframe="initial", allow_outside=True)
    assert list(again.bodies) == list(m.bodies)
    assert {n: e.limits for n, e in again.joints.items()} == {n: e.limits for n, e in m.joints.items()}
    assert {n: f.value for n, f in again.forces.items() if f.kind == "joint_torque"} == {
        n: f.value for n, f in m.forces.items() if f.kind == "joint_torque"
    }
    assert again.parameters == m.parameters
    r, other = (dt.simulate(each, 0.05, outputs=0.01) for each in (m, again))
    for name in m.bodies:
        assert np.max(np.abs(r[f"{name}.position"] - other[f"{name}.position"])) < 1e-9
    save_mjcf(again, tmp_path / "two.xml")
    first, second = (compiled(tmp_path / f"{name}.xml")[0] for name in ("one", "two"))
    for key in ("body_mass", "body_inertia", "body_pos", "jnt_range", "jnt_axis", "dof_damping", "actuator_gainprm",
                "actuator_biasprm", "actuator_forcerange", "geom_size", "geom_pos", "key_qpos"):  # fmt: skip
        assert np.allclose(getattr(first, key), getattr(second, key), rtol=1e-12, atol=1e-13), key


def zoo():
    """All kinds of joints, springs, dampers and actuators; a massless link, a joint turned round, moved frames."""
    m = dt.Model("zoo", gravity=(0.3, -0.2, -9.0), parameters={"a_control": 0.4, "b_control": 0.1, "c_control": 0.2})
    matrix = [[0.05, 0.001, 0.002], [0.001, 0.06, 0.003], [0.002, 0.003, 0.07]]
    inertia = dt.Inertia(1.3, com=(0.1, -0.05, 0.2), matrix=matrix)
    turned = dt.Rotation.from_euler("xyz", (0.3, -0.5, 0.9))
    m.add_body("base", inertia, position=(0.1, 0.2, 1.0), rotation=turned)
    m.add_joint("float", dt.Free(), m.ground, "base", at=(0.4, 0.1, 1.2), v0=[0.1, 0.2, 0.3, 0.4, 0.5, 0.6])
    m.add_body("empty", dt.Inertia.point(0.0), position=(0.5, 0.2, 1.0))
    m.add_joint("x", dt.Revolute((1, 1, 0)), "base", "empty", at=(0.5, 0.2, 1.0), limits=[(-1, 2)], rotor_inertia=0.02)
    m.add_body("arm", inertia, position=(0.6, 0.2, 1.1))
    m.add_joint("y", dt.Revolute("y"), "arm", "empty", at=(0.55, 0.2, 1.0), q0=0.3)  # from the arm to the empty one
    m.add_body("slider", inertia, position=(0.9, 0.3, 1.1), rotation=turned)
    m.add_joint("s", dt.Prismatic((0, 1, 2)), "arm", "slider", at=(0.9, 0.3, 1.1))
    m.add_body("cross", inertia, position=(1.2, 0.3, 1.1))
    m.add_joint("u", dt.Universal("x", "z"), "slider", "cross", at=(1.1, 0.3, 1.1), rotor_inertia=[0.01, 0.02])
    m.add_body("ball", inertia, position=(1.5, 0.3, 1.1), rotation=turned)
    m.add_joint("b", dt.Spherical(), "cross", "ball", at=(1.4, 0.2, 1.1), rotor_inertia=0.03)
    m.add_body("plate", inertia, position=(0.2, 0.2, 1.5))
    m.add_joint("p", dt.Planar("z"), "base", "plate", at=(0.2, 0.2, 1.5))
    m.add_body("glued", inertia, position=(0.2, 0.2, 1.8))
    m.add_joint("g", dt.Fixed(), "plate", "glued", at=(0.2, 0.2, 1.7))
    for name, body, at in (("tip", "ball", (0.1, 0, 0)), ("eye", "base", (0, 0.2, 0.1)), ("top", m.ground, (0, 0, 3))):
        m.add_marker(name, body, position=at)
    m.add_marker("thrust", "plate", position=(0.1, 0, 0), rotation=turned)
    m.add_force("d", dt.JointDamping("u", 0.3))
    m.add_force("k", dt.JointSpring("x", stiffness=3.0, rest=0.2, damping=0.4))
    m.add_force("ku", dt.JointSpring("u", stiffness=2.0, rest=-0.1, coordinate=1))
    m.add_force("line", dt.SpringDamper("tip", "eye", stiffness=20.0, damping=1.0, rest_length=0.5))
    m.add_force("a", dt.JointTorque("y", "clip(20*a_control - 3*q - 0.5*v + 1.0, -4, 5)"))
    m.add_force("b_s", dt.JointTorque("s", "0.5*(2.0*clip(b_control, -1, 1) - 1.5*(0.5*q + 2.0*x.q))"))
    m.add_force("b_x", dt.JointTorque("x", "2.0*(2.0*clip(b_control, -1, 1) - 1.5*(0.5*s.q + 2.0*q))"))
    m.add_state("lag", "(c_control - lag)/0.2")
    m.add_force("winch", dt.LineForce("tip", "top", "3*lag + 0.5*length + 0.1*speed"))
    m.add_force("jet", dt.AppliedForce("thrust", (1.0, 0.5, 2.0), frame="marker"))
    m.add_force("spin", dt.AppliedTorque("thrust", (0.1, 0.0, 0.3), frame="marker"))
    m.add_marker("middle", "glued", position=inertia.com)
    m.add_force("lift", dt.AppliedForce("middle", tuple(-0.7 * 1.3 * np.array(m.gravity))))
    return m


def test_all_that_can_be_said(tmp_path):
    """Universal and planar joints have several joints in MuJoCo, whose names differ: matched by number here."""
    m = zoo()
    assert save_mjcf(m, tmp_path / "zoo.xml") == []
    theirs, data = compiled(tmp_path / "zoo.xml")
    mujoco.mj_resetDataKeyframe(theirs, data, 0)
    theirs.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_LIMIT)
    mujoco.mj_forward(theirs, data)
    s = dt.compile(m)
    rng = np.random.default_rng(5)
    for trial in range(3):
        q, v = s.initial_state()
        if trial:
            moved = rng.uniform(-0.4, 0.4, s.nq)
            moved[[k + i for k in s.tree.quat_q for i in range(4)]] = 0.0
            moved[s.joints["float"].q] = 0.0
            q = q + moved
            v = rng.uniform(-1, 1, s.nv)
        for name, layout in s.joints.items():
            parts = parts_of(theirs, name)
            if name in ("float", "b") or not parts:
                continue
            for part, k, j in zip(parts, layout.q, layout.v, strict=True):
                data.joint(part).qpos[0], data.joint(part).qvel[0] = q[k], v[j]
        place = s.joints["b"]
        R = turned_into_body(m, "b")
        data.joint("b").qvel[:] = R @ v[place.v]
        if trial:
            v[s.joints["float"].v] = m.joints["float"].v0
        mujoco.mj_forward(theirs, data)
        a = dt.accelerations(s, q, v, z=np.zeros(s.nz))
        for name, layout in s.joints.items():
            parts = parts_of(theirs, name)
            if not parts or name == "float":
                continue
            mine = R @ a[layout.v] if name == "b" else a[layout.v]
            its = np.concatenate([data.joint(part).qacc for part in parts])
            assert np.max(np.abs(mine - its)) < 1e-9 * max(1.0, np.max(np.abs(data.qacc))), (trial, name)
    for body in ("base", "arm", "slider", "cross", "ball", "plate"):
        r = dt.simulate(m, 1e-9, outputs=1e-9)
        mujoco.mj_resetDataKeyframe(theirs, data, 0)
        mujoco.mj_forward(theirs, data)
        assert data.body(body).xpos == pytest.approx(r[f"{body}.position"][0], abs=1e-12)
        velocity = np.zeros(6)
        mujoco.mj_objectVelocity(theirs, data, mujoco.mjtObj.mjOBJ_XBODY, theirs.body(body).id, velocity, 0)
        assert velocity[:3] == pytest.approx(r[f"{body}.angular_velocity"][0], abs=1e-7)
        assert velocity[3:] == pytest.approx(r[f"{body}.velocity"][0], abs=1e-7)


def parts_of(theirs, joint):
    """Names of the joints of MuJoCo that a joint has become."""
    known = {theirs.joint(i).name for i in range(theirs.njnt)}
    return [name for name in (joint, *(f"{joint}_part_{k}" for k in (1, 2, 3))) if name in known]


def turned_into_body(m, joint):
    """Rotation from the axes of a joint's frame on its child to those of the child."""
    from duoti.model.mechanism.placement import place_bodies

    return place_bodies(m).on_child[joint].rotation.matrix


def test_loops_become_equalities(tmp_path):
    """A four-bar in MuJoCo with stiff equalities follows that of duoti, whose loop is exact."""
    m = find_example("four_bar").build()
    m.forces.clear()
    lost = save_mjcf(m, tmp_path / "loop.xml", strict=False)
    theirs, data = compiled(tmp_path / "loop.xml")
    assert theirs.neq == 2, f"two points of a hinge; left out: {lost}"
    theirs.eq_solref[:] = (2e-4, 1.0)
    theirs.opt.timestep = 1e-5
    r = dt.simulate(m, 0.1, outputs=0.05)
    for i in range(theirs.njnt):  # the whole state, which the assembly of the loop has found
        joint = theirs.joint(i).name
        data.joint(joint).qpos[:], data.joint(joint).qvel[:] = r[f"{joint}.q"][0], r[f"{joint}.v"][0]
    mujoco.mj_forward(theirs, data)
    start = {name: data.body(name).xpos.copy() for name in m.bodies}
    for name in m.bodies:
        assert start[name] == pytest.approx(r[f"{name}.position"][0], abs=1e-9)
    while data.time < 0.1 - 1e-9:
        mujoco.mj_step(theirs, data)
    for name in m.bodies:  # MuJoCo's constraints are soft, and its step is of first order
        assert data.body(name).xpos == pytest.approx(r[f"{name}.position"][-1], abs=2e-4)


def test_constraints(tmp_path):
    """Couplers, welds, points that coincide: MuJoCo counts their residuals, which are zero where duoti's are."""
    m = dt.Model("coupled")
    for k, name in enumerate("abcd"):
        m.add_body(name, dt.Inertia.box(1.0, size=(0.1, 0.2, 0.3)), position=(k, 0, 0))
        m.add_joint(f"j{name}", dt.Revolute("y"), m.ground, name, at=(k, 0, 0))
    m.add_constraint("gear", dt.Gear("ja", "jb", ratio=-2.0))
    m.add_constraint("three", dt.Coupler({"ja": 1.0, "jc": 2.0, "jd": -1.0}, 0.0))
    assert save_mjcf(m, tmp_path / "coupled.xml") == []
    theirs, data = compiled(tmp_path / "coupled.xml")
    data.qpos[:] = [0.3, -0.6, 0.1, 0.5]
    mujoco.mj_forward(theirs, data)
    assert data.efc_pos[:2] == pytest.approx([0.0, 0.0], abs=1e-14)
    data.qpos[:] = [0.3, -0.5, 0.1, 0.7]
    mujoco.mj_forward(theirs, data)
    assert np.min(np.abs(data.efc_pos[:2])) > 0.05


@pytest.mark.parametrize("name", example_names())
def test_examples_compile_in_mujoco(name, tmp_path):
    """Each example, whatever it loses; what is left compiles and has its masses."""
    m = find_example(name).build()
    save_mjcf(m, tmp_path / "saved.xml", strict=False)
    theirs, data = compiled(tmp_path / "saved.xml")
    total = sum(body.inertia.mass for body in m.bodies.values())
    assert theirs.body_mass.sum() == pytest.approx(total, rel=1e-12)
    assert np.allclose(theirs.opt.gravity, m.gravity)
    mujoco.mj_forward(theirs, data)
    assert np.all(np.isfinite(data.qacc))


def test_terrain_and_meshes(tmp_path):
    """A height field and a tetrahedron keep their place: a ball touches them at the same distance."""
    (tmp_path / "t.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    m = dt.Model("ground")
    heights = [[0.0, 0.1, 0.2], [0.1, 0.3, 0.2], [0.4, 0.2, 0.1], [0.2, 0.2, 0.5]]
    m.ground.shapes = [
        dt.Shape.heightfield(heights, (3.0, 2.0)), dt.Shape.mesh(str(tmp_path / "t.obj"), 2.0, position=(5, 0, 0)),
    ]  # fmt: skip
    m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(-0.5, -0.5, 0.25))
    m.bodies["ball"].shapes = [dt.Shape.sphere(0.1)]
    m.add_joint("free", dt.Free(), m.ground, "ball", at=(-0.5, -0.5, 0.25))
    m.add_contact("touch", dt.RigidContact(friction=0.5), m.ground, "ball")
    assert save_mjcf(m, tmp_path / "ground.xml") == []
    theirs, data = compiled(tmp_path / "ground.xml")
    assert theirs.hfield_nrow[0] == 3, "along y"
    # at the node (x, y) = (-0.5, 0) the height is 0.3
    data.qpos[:3] = (-0.5, 0.0, 0.35)
    mujoco.mj_forward(theirs, data)
    assert data.ncon > 0
    assert min(c.dist for c in data.contact[: data.ncon]) < -0.03
    data.qpos[:3] = (-0.5, 0.0, 0.42)
    mujoco.mj_forward(theirs, data)
    assert data.ncon == 0
    data.qpos[:3] = (5.5, 0.5, -0.05)
    mujoco.mj_forward(theirs, data)
    assert data.ncon > 0, "below the face of the tetrahedron"
    assert np.allclose(data.contact[0].friction[:2], 0.5)


def test_refusals(tmp_path):
    m = dt.Model("no")
    m.add_body("a", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_body("b", dt.Inertia.point(0.0), position=(0, 0, 1), shapes=[dt.Shape.sphere(0.1)])
    m.add_body("c", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 2))
    m.add_joint("A", dt.Screw("z", lead_per_turn=0.1), m.ground, "a")
    m.add_joint("B", dt.Revolute("z"), "a", "b", at=(0, 0, 1))
    m.add_joint("C", dt.Revolute("x"), "b", "c", at=(0, 0, 1))
    m.add_force("F", dt.JointTorque("B", "sin(t)"))
    with pytest.raises(dt.ModelError) as error:
        m.save(tmp_path / "no.xml")
    said = str(error.value)
    for word in ("MuJoCo has no screw joint", '"b" moves and has no mass', 'force "F" (joint_torque)'):
        assert word in said
    assert not (tmp_path / "no.xml").exists()


def test_on_the_command_line(tmp_path, monkeypatch, capsys):
    from duoti.cli import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["duoti", "convert", "furuta", "furuta.xml"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 0
    assert 'event "lowest"' in capsys.readouterr().err
    assert compiled(tmp_path / "furuta.xml")[0].nv == 2
