"""The robot kit against Pinocchio and MuJoCo on the bundled robots, and states to and from both.

Tolerance 1e-12 relative to the largest entry: the same sums in another order, over at most 20 bodies of a few metres.
"""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.examples.robots import robots

pin = pytest.importorskip("pinocchio")
pytestmark = [pytest.mark.oracle, pytest.mark.filterwarnings("ignore::duoti.errors.LeftOutWarning")]
TOLERANCE = 1e-12


def near(x, y, limit=TOLERANCE):
    scale = max(1.0, float(np.max(np.abs(y), initial=0.0)))
    assert np.shape(x) == np.shape(y)
    assert np.max(np.abs(np.subtract(x, y)), initial=0.0) <= limit * scale


class Arm:
    """arm6: six hinges, in the same order in both programs."""

    def __init__(self, seed=1):
        path = robots()["arm6"]
        self.pin = pin.buildModelFromUrdf(str(path))
        self.data = self.pin.createData()
        self.system = dt.compile(dt.load(path))
        rng = np.random.default_rng(seed)
        self.q, self.v = rng.normal(size=(2, 6))
        self.q_pin, v_pin = dt.analyses.to_pinocchio(self.system, self.pin, self.q, self.v)
        assert np.array_equal(v_pin, self.v)  # the same order of rates
        self.e = dt.Evaluator(self.system)


@pytest.mark.parametrize("seed", range(3))
def test_an_arm_against_pinocchio(seed):
    arm = Arm(seed)
    m, d, q, x, v, e = arm.pin, arm.data, arm.q, arm.q_pin, arm.v, arm.e
    pin.computeJointJacobiansTimeVariation(m, d, x, v)
    pin.updateFramePlacements(m, d)
    for frame in m.frames:
        if frame.type != pin.FrameType.BODY or frame.name == "universe":
            continue
        k, body = m.getFrameId(frame.name), frame.name
        near(e.frame(body, q).position, d.oMf[k].translation)
        near(e.frame(body, q).rotation, d.oMf[k].rotation)
        for axes, theirs in (("world", pin.LOCAL_WORLD_ALIGNED), ("local", pin.LOCAL)):
            J = np.roll(pin.getFrameJacobian(m, d, k, theirs), 3, axis=0)  # Pinocchio has the linear part first
            near(e.jacobian(body, q, axes=axes), J)
        J_dot = np.roll(pin.getFrameJacobianTimeVariation(m, d, k, pin.LOCAL_WORLD_ALIGNED), 3, axis=0)
        near(e.jacobian_rate(body, q, v), J_dot)
    near(e.coriolis_matrix(q, v), pin.computeCoriolisMatrix(m, d, x, v))
    near(e.gravity_forces(q), pin.computeGeneralizedGravity(m, d, x))


@pytest.mark.parametrize("seed", range(3))
def test_centroidal_momentum_and_inertia_against_pinocchio(seed):
    """Pinocchio leaves out what is fixed to ground: compared about the world's origin, where it does not matter."""
    arm = Arm(seed)
    m, d, q, x, v, e = arm.pin, arm.data, arm.q, arm.q_pin, arm.v, arm.e
    pin.computeCentroidalMapTimeVariation(m, d, x, v)
    found = e.centroidal_momentum(q, v)
    moment = np.cross(found.mass_centre, found.matrix[3:], axis=0)
    theirs = np.cross(d.com[0], d.Ag[:3], axis=0)
    near(found.matrix[:3] + moment, d.Ag[3:] + theirs)
    near(found.matrix[3:], d.Ag[:3])
    bias = d.dAg @ v
    near(found.bias[3:], bias[:3])
    near(found.bias[:3] + np.cross(found.mass_centre, found.bias[3:]), bias[3:] + np.cross(d.com[0], bias[:3]))
    tool = [f.name for f in m.frames if f.type == pin.FrameType.BODY][-1]
    J = np.roll(pin.computeFrameJacobian(m, d, x, m.getFrameId(tool), pin.LOCAL_WORLD_ALIGNED), 3, axis=0)
    M = pin.crba(m, d, x)
    M = np.triu(M) + np.triu(M, 1).T
    expected = np.linalg.inv(J @ np.linalg.solve(M, J.T))
    near(e.operational_space_inertia(tool, q), expected, 1e-9)  # condition numbers of J M^-1 J^T are about 1e3


mujoco = pytest.importorskip("mujoco")
STEP = 1e-4  # of central differences along a motion: error STEP^2 times a third derivative of some hundred


def same_motion_as_mujoco(model, path, seed=0):
    """States, velocities of bodies and accelerations in both programs."""
    system = dt.compile(model)
    theirs = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(theirs)
    rng = np.random.default_rng(seed)
    e = dt.Evaluator(system)
    for _ in range(3):
        q = dt.analyses.displace(system, system.state()[0], rng.uniform(-1.0, 1.0, system.nv))
        v = rng.normal(size=system.nv)
        data.qpos[:], data.qvel[:] = dt.analyses.to_mujoco(system, theirs, q, v)
        back = dt.analyses.from_mujoco(system, theirs, data.qpos, data.qvel)
        near(back.q, q)
        near(back.v, v)
        mujoco.mj_forward(theirs, data)
        velocity = np.zeros(6)
        for name in model.bodies:
            body = mujoco.mj_name2id(theirs, mujoco.mjtObj.mjOBJ_BODY, name)
            if body >= 0:
                mujoco.mj_objectVelocity(theirs, data, mujoco.mjtObj.mjOBJ_XBODY, body, velocity, 0)
                near(e.frame(name, q, v).angular_velocity, velocity[:3], 1e-9)  # MuJoCo keeps six digits of some places
        a = dt.accelerations(system, q, v)
        before, after = (
            dt.analyses.to_mujoco(system, theirs, dt.analyses.displace(system, q, s * v + 0.5 * s * s * a), v + s * a)
            for s in (-STEP, STEP)
        )
        near((after.qvel - before.qvel) / (2.0 * STEP), data.qacc, 1e-5)
    return system, theirs


SEVERAL = """<mujoco><compiler angle="degree"/><option gravity="0.3 -1 -9.81"/><worldbody>
  <body name="trunk" pos="1 2 3" euler="20 -30 40"><freejoint name="base"/>
    <geom type="box" size=".1 .2 .3" pos="0.05 0 0.1"/>
    <body name="thigh" pos="0.2 0.1 0" euler="10 20 30"><joint name="hip" type="ball" pos="0.05 0 0.02"/>
      <geom type="box" size=".05 .04 .2" pos="0 0 -0.2"/>
      <body name="shank" pos="0 0 -0.4" euler="0 15 0"><joint name="knee" axis="0 1 0.2" ref="25"/>
        <geom type="box" size=".03 .04 .2" pos="0 0 -0.2"/></body></body>
    <body name="mast" pos="0 0 0.4"><joint name="lift" type="slide" axis="0.1 0 1" ref="0.2"/>
      <geom type="box" size=".03 .05 .1"/></body></body>
  <body name="second" pos="-1 0 1" euler="0 90 0"><freejoint name="base2"/><geom type="box" size=".1 .1 .2"/></body>
  </worldbody></mujoco>"""


def test_rotated_bases_free_joints_and_balls(tmp_path):
    path = tmp_path / "several.xml"
    path.write_text(SEVERAL)
    same_motion_as_mujoco(dt.load(path), path)


def test_another_order_of_joints_and_other_frames(tmp_path):
    """The same robot built here: other body frames, a free joint elsewhere and turned, joints in another order."""
    path = tmp_path / "several.xml"
    path.write_text(SEVERAL)
    loaded = dt.load(path)
    places = dt.Evaluator(loaded)
    frames = places.frames(dt.compile(loaded).state()[0])
    m = dt.Model("built", gravity=loaded.gravity)
    turn = dt.Rotation.from_vector((0.3, -0.2, 0.5))
    shift = dt.spatial.Pose(turn, (0.1, -0.2, 0.05))
    for name in reversed(list(loaded.bodies)):
        X = dt.spatial.Pose(dt.Rotation.from_matrix(frames[name].rotation), frames[name].position) @ shift
        I = loaded.bodies[name].inertia
        R = shift.rotation.matrix
        moved = dt.Inertia(I.mass, shift.inverse() @ I.com, R.T @ I.matrix @ R)
        m.add_body(name, moved, position=X.position, rotation=X.rotation)

    def at(body, point):
        return frames[body].rotation @ point + frames[body].position

    m.add_joint("lift", dt.Prismatic(frames["mast"].rotation @ [0.1, 0, 1]), "trunk", "mast")
    knee = frames["shank"]
    m.add_joint("knee", dt.Revolute(knee.rotation @ [0, 1, 0.2]), "thigh", "shank", at=knee.position)
    m.add_joint("hip", dt.Spherical(), "trunk", "thigh", at=at("thigh", [0.05, 0, 0.02]))
    m.add_joint("base2", dt.Free(), m.ground, "second", at=(0.3, 0.1, 2.0))
    m.add_joint("base", dt.Free(), m.ground, "trunk", at=(0.5, 0.1, 1.0))
    same_motion_as_mujoco(m, path)


@pytest.mark.parametrize("name", ["hound", "strider"])
def test_bundled_robots(name):
    path = robots()[name]
    system = dt.compile(dt.load(path))
    theirs = mujoco.MjModel.from_xml_path(str(path))
    q, v = system.state()
    rng = np.random.default_rng(2)
    q, v = dt.analyses.displace(system, q, 0.3 * rng.normal(size=system.nv)), rng.normal(size=system.nv)
    data = mujoco.MjData(theirs)
    data.qpos[:], data.qvel[:] = dt.analyses.to_mujoco(system, theirs, q, v)
    mujoco.mj_forward(theirs, data)
    jacp, jacr = np.zeros((3, theirs.nv)), np.zeros((3, theirs.nv))
    e = dt.Evaluator(system)
    T = np.array([dt.analyses.to_mujoco(system, theirs, q, row).qvel for row in np.eye(system.nv)]).T
    for body in system.model.bodies:
        b = mujoco.mj_name2id(theirs, mujoco.mjtObj.mjOBJ_BODY, body)
        if b < 0:
            continue
        mujoco.mj_jacBody(theirs, data, jacp, jacr, b)
        near(e.jacobian(body, q), np.vstack([jacr, jacp]) @ T, 1e-9)  # MuJoCo normalises quaternions of the file
    found = e.centroidal_momentum(q, v)
    mujoco.mj_subtreeVel(theirs, data)
    near(found.mass_centre, data.subtree_com[0], 1e-9)
    near(found.mass_centre_jacobian @ v, data.subtree_linvel[0], 1e-9)
    near((found.matrix @ v)[:3], data.subtree_angmom[0], 1e-8)


@pytest.mark.parametrize("base", ["fixed", "floating"])
@pytest.mark.parametrize("name", ["arm6"])
def test_states_of_pinocchio(name, base):
    path = robots()[name]
    root = (pin.JointModelFreeFlyer(),) if base == "floating" else ()
    theirs = pin.buildModelFromUrdf(str(path), *root)
    data = theirs.createData()
    system = dt.compile(dt.formats.load_urdf(path, base=base))
    rng = np.random.default_rng(1)
    e = dt.Evaluator(system)
    Q = [dt.analyses.displace(system, system.state()[0], rng.normal(size=system.nv)) for _ in range(3)]
    V = rng.normal(size=(3, system.nv))
    many = dt.analyses.to_pinocchio(system, theirs, np.array(Q), V)
    for n, (q, v) in enumerate(zip(Q, V, strict=True)):
        q_pin, v_pin = dt.analyses.to_pinocchio(system, theirs, q, v)
        near(many.q[n], q_pin)
        back = dt.analyses.from_pinocchio(system, theirs, q_pin, v_pin)
        near(dt.analyses.to_pinocchio(system, theirs, *back).q, q_pin)
        near(back.v, v)
        pin.forwardKinematics(theirs, data, q_pin, v_pin)
        pin.updateFramePlacements(theirs, data)
        for body in system.model.bodies:
            k = theirs.getFrameId(body)
            velocity = pin.getFrameVelocity(theirs, data, k, pin.LOCAL_WORLD_ALIGNED)
            frame = e.frame(body, q, v)
            near(frame.position, data.oMf[k].translation)
            near(frame.velocity, velocity.linear)
            near(frame.angular_velocity, velocity.angular)


def test_models_that_differ_are_refused_by_name(tmp_path):
    path = tmp_path / "several.xml"
    path.write_text(SEVERAL)
    model = dt.load(path)
    path.write_text(SEVERAL.replace('axis="0 1 0.2"', 'axis="0 -1 -0.2"'))
    theirs = mujoco.MjModel.from_xml_path(str(path))
    q, v = dt.compile(model).state()
    with pytest.raises(ValueError, match=r"shank.*elsewhere in MuJoCo"):
        dt.analyses.to_mujoco(model, theirs, q, v)
    path.write_text(SEVERAL.replace('name="knee"', 'name="k"'))
    theirs = mujoco.MjModel.from_xml_path(str(path))
    with pytest.raises(ValueError, match=r"joints knee only here; joints k only in MuJoCo"):
        dt.analyses.to_mujoco(model, theirs, q, v)


SENSORS = """<mujoco><compiler angle="degree"/><worldbody>
  <body name="arm" pos="0 0 1"><joint name="j" axis="0 1 0" ref="20"/><geom type="box" size=".3 .04 .03" pos="0.3 0 0"/>
    <site name="mid" pos="0.3 0 0.03" euler="10 20 30"/>
    <body name="tool" pos="0.6 0 0" euler="0 30 0"><geom type="box" size=".05 .03 .1" pos="0 0.02 -0.1"/>
      <site name="flange" pos="0.01 0.02 0.03" euler="40 0 10"/></body></body></worldbody>
  <sensor><accelerometer name="acc" site="mid"/><gyro name="gyro" site="mid"/><force name="f" site="flange"/>
    <torque name="t" site="flange"/><jointpos name="pos" joint="j"/><jointvel name="vel" joint="j"/>
    <force name="hinge" site="mid"/><torque name="driven" site="mid"/><clock name="c"/></sensor></mujoco>"""


def test_sensors_of_mjcf_files(tmp_path):
    """The values of MuJoCo in the same state; positions in the file are kept to 15 digits, hence 1e-9."""
    path = tmp_path / "sensors.xml"
    path.write_text(SENSORS)
    model = dt.load(path)
    assert list(model.sensors) == ["acc", "gyro", "f", "t", "pos", "vel", "hinge"]
    notes = str(model.import_notes)
    assert "a torque sensor in a joint of type revolute is left out" in notes
    assert "a sensor of type clock is left out" in notes
    theirs = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(theirs)
    model.joints["j"].q0, model.joints["j"].v0 = 0.4, 2.0
    r = dt.simulate(model, 0.1)
    data.qpos[:], data.qvel[:] = dt.analyses.to_mujoco(model, theirs, r.q[0], r.v[0])
    mujoco.mj_forward(theirs, data)
    ours = {"f": "f.force", "t": "t.torque", "hinge": "hinge.force"}
    for name in model.sensors:
        near(np.atleast_1d(r[ours.get(name, name)][0]), data.sensor(name).data, 1e-9)
