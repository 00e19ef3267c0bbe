"""A step from Python, with inputs set and joints read, against MuJoCo's `mj_step`.

Both sides write the inputs of a step into an array, make a step of the same length, and read all joint positions into
an array; every 500 steps they begin anew. Inputs are sines of the time and change in every step.

MuJoCo takes one semi-implicit step (implicitfast for the quadruped, as its file says), duoti what `dt.Stepper` chooses:
`DOPRI5` with error control, or Moreau's time stepping for the quadruped on its floor. The errors of arm and cart-pole
are those of the positions after half a second, against a run of duoti with tight tolerances.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

import duoti as dt
from benchmarks.harness import Later, Pair, Side, case

mujoco: Any = Later("mujoco")
COUNT = 500

CART_POLE = """
<mujoco><option timestep="0.001" gravity="0 0 -9.81"/><worldbody><body name="cart">
  <joint name="slide" type="slide" axis="1 0 0"/>
  <inertial pos="0 0 0" mass="1" diaginertia="0.01 0.01 0.01"/>
  <body name="pole"><joint name="hinge" type="hinge" axis="0 1 0"/>
    <inertial pos="0 0 0.5" mass="0.1" diaginertia="0.00833 0.00833 0.0001"/></body>
</body></worldbody><actuator><motor name="motor" joint="slide"/></actuator></mujoco>
"""


def waves(inputs: int, size: float, h: float) -> np.ndarray:
    """[steps, inputs]"""
    t = h * np.arange(COUNT)[:, None]
    return size * np.sin((3.0 + np.arange(inputs)) * t + np.arange(inputs))


def ours(s: dt.Stepper, names: list[str], joints: list[str], values: np.ndarray, h: float) -> Callable[[int], Any]:
    u, read = s.inputs(names), s.reader(joints)
    start = s.state

    def run(n: int) -> Any:
        for k in range(n):
            if k % COUNT == 0:
                s.restore(start)
            u[:] = values[k % COUNT]
            s.step(h)
            q = read()
        return q

    return run


def theirs(model: Any, values: np.ndarray, by_joint: bool, keyframe: bool = False) -> Callable[[int], Any]:
    data = mujoco.MjData(model)
    target = data.qfrc_applied if by_joint else data.ctrl
    step, q = mujoco.mj_step, np.zeros(model.nq)

    def run(n: int) -> Any:
        for k in range(n):
            if k % COUNT == 0:
                if keyframe:
                    mujoco.mj_resetDataKeyframe(model, data, 0)
                else:
                    mujoco.mj_resetData(model, data)
            target[:] = values[k % COUNT]
            step(model, data)
            q[:] = data.qpos
        return q

    return run


def errors(model: dt.Model, names: list[str], joints: list[str], values: np.ndarray, h: float, *sides: Any) -> Any:
    """Of both sides, against tight tolerances with the same inputs."""
    exact = dt.Stepper(model, dt.DOP853(rtol=1e-12, atol=1e-13))
    reference = ours(exact, names, joints, values, h)(COUNT).copy()
    return [float(np.max(np.abs(side(COUNT) - reference))) for side in sides]


def pair(model: dt.Model, peer: Any, names: list[str], joints: list[str], values: np.ndarray, h: float) -> Pair:
    mine = ours(dt.Stepper(model), names, joints, values, h)
    other = theirs(peer, values, by_joint=not peer.nu)
    wrong = errors(model, names, joints, values, h, mine, other)
    return Pair(Side(mine, wrong[0]), Side(other, wrong[1]), unit="rad or m")


@case("step from Python, six-axis arm with limits", "MuJoCo", None)
def arm() -> Pair:
    """The arm that comes with the package, torques in its joints, no weight; at most 15 us are the goal."""
    from duoti.examples import urdf_arm

    peer = mujoco.MjModel.from_xml_path(str(urdf_arm.URDF))
    peer.opt.timestep, peer.opt.gravity[:] = 1e-3, 0.0
    peer.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    model = dt.load(urdf_arm.URDF)
    model.gravity = (0.0, 0.0, 0.0)
    joints = list(urdf_arm.MOTORS)
    values = waves(6, 1.0, 1e-3) * np.array([10.0, 10.0, 5.0, 0.5, 0.5, 0.1])
    return pair(model, peer, joints, [f"{name}.angle" for name in joints], values, 1e-3)


@case("step from Python, cart-pole", "MuJoCo", None)
def cart_pole() -> Pair:
    """Pushed from side to side."""
    peer = mujoco.MjModel.from_xml_string(CART_POLE)
    m = dt.Model("cart-pole", gravity=(0, 0, -9.81))
    m.add_body("cart", dt.Inertia(1.0, matrix=0.01 * np.eye(3)))
    m.add_body("pole", dt.Inertia(0.1, com=(0, 0, 0.5), matrix=np.diag([0.00833, 0.00833, 0.0001])))
    m.add_joint("slide", dt.Prismatic("x"), m.ground, "cart")
    m.add_joint("hinge", dt.Revolute("y"), "cart", "pole")
    m.add_force("motor", dt.JointTorque("slide", 0.0))
    return pair(m, peer, ["motor"], ["slide.position", "hinge.angle"], waves(1, 5.0, 1e-3), 1e-3)


@case("step from Python, quadruped on a floor", "MuJoCo", None)
def quadruped() -> Pair:
    """The robot that comes with the package swings its hips a little; errors are overlaps with the floor."""
    from duoti.examples.robots import robots

    path = robots()["hound"]
    peer = mujoco.MjModel.from_xml_path(str(path))
    h = float(peer.opt.timestep)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what of the file is left out
        model = dt.formats.load_mjcf(path, contacts=True, keyframe=0)
    names = [mujoco.mj_id2name(peer, mujoco.mjtObj.mjOBJ_ACTUATOR, i) for i in range(peer.nu)]
    values = peer.key_ctrl[0] + waves(peer.nu, 0.05, h)
    joints = [f"{name}.angle" for name, joint in model.joints.items() if joint.nv == 1]
    s = dt.Stepper(model, dt.Moreau(step=h))
    mine, other = ours(s, [f"{name}_control" for name in names], joints, values, h), theirs(peer, values, False, True)
    mine(COUNT)
    assert s.ok, s.reason
    overlap = max(0.0, -min(s[f"{name}.gap"] for name in model.contacts))
    return Pair(Side(mine, overlap, setting=f"Moreau, {h:g} s"), Side(other, setting="implicitfast"), unit="m overlap")
