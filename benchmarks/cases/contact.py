"""Many rigid contacts at a step of 1 ms, against MuJoCo; impacts event-driven.

duoti solves Coulomb's exact cone to 1e-8 of the velocities in a step (`dt.Moreau`); MuJoCo its soft convex model with
default settings (elliptic cones). The models differ, so the largest overlap at the end stands in the place of an error.
The quadruped's joints are under position control, in MuJoCo by its actuators, set anew every 10 ms.
"""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import duoti as dt
from benchmarks.harness import Later, Pair, Side, case, repeated

mujoco: Any = Later("mujoco")
G, STEP = 9.81, 1e-3


def stack(n: int, top: float = 1.0, apart: float = 1e-4) -> tuple[dt.Model, str]:
    """Cubes of 0.2 m and 1 kg on each other, slightly apart to begin with."""
    m, shape, bodies = dt.Model("stack"), dt.Shape.box((0.2, 0.2, 0.2)), ""
    below: Any = m.ground
    for i in range(n):
        mass, z = top if i == n - 1 else 1.0, 0.1 + 0.2 * i + apart * (i + 1)
        b = m.add_body(f"b{i}", dt.Inertia.box(mass, size=(0.2, 0.2, 0.2)), position=(0, 0, z))
        m.add_joint(f"f{i}", dt.Free(), m.ground, b)
        m.add_contact(f"c{i}", dt.RigidContact(friction=0.5), below, b,
                      shapes=(dt.Shape.plane() if i == 0 else shape, shape))  # fmt: skip
        below = b
        bodies += (
            f'<body pos="0 0 {z}"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="{mass}" friction="0.5 0 0"/>'
            "</body>"
        )
    return m, bodies


def spheres(n: int = 200, side: int = 6, wall: float = 0.65) -> tuple[dt.Model, str]:
    """Balls of 0.1 m that fall into a box."""
    m, bodies = dt.Model("spheres"), ""
    random = np.random.default_rng(1)
    m.ground.shapes.append(dt.Shape.plane())
    for axis, sign in (("x", 1), ("x", -1), ("y", 1), ("y", -1)):
        inward = np.zeros(3)
        inward["xyz".index(axis)] = sign
        m.ground.shapes.append(dt.Shape.plane(position=-wall * inward, rotation=dt.Rotation.between("z", inward)))
        x, y, z = -wall * inward
        zaxis = f"{sign * (axis == 'x')} {sign * (axis == 'y')} 0"
        bodies += f'<geom type="plane" size="5 5 1" pos="{x} {y} {z}" zaxis="{zaxis}"/>'
    for i in range(n):
        place = np.array([i % side - 0.5 * (side - 1), i // side % side - 0.5 * (side - 1), i // side**2 + 0.6]) * 0.21
        place += 0.001 * random.normal(size=3)
        b = m.add_body(f"b{i}", dt.Inertia.sphere(1.0, radius=0.1), position=place)
        m.add_joint(f"f{i}", dt.Free(), m.ground, b)
        x, y, z = place
        bodies += (
            f'<body pos="{x} {y} {z}"><freejoint/><geom type="sphere" size="0.1" mass="1" friction="0.3 0 0"/></body>'
        )
    m.add_contact("all", dt.RigidContact(friction=0.3), "all", "all")
    return m, bodies


def rover() -> tuple[dt.Model, str]:
    """A robot that drives on a plane: a chassis of 10 kg on four balls that motors turn with 0.5 N m."""
    m = dt.Model("rover")
    chassis = m.add_body("chassis", dt.Inertia.box(10.0, size=(0.6, 0.3, 0.1)), position=(0, 0, 0.15))
    m.add_joint("free", dt.Free(), m.ground, chassis)
    wheels, motors = "", ""
    for i, (x, y) in enumerate(((0.3, 0.2), (0.3, -0.2), (-0.3, 0.2), (-0.3, -0.2))):
        b = m.add_body(f"w{i}", dt.Inertia.sphere(1.0, radius=0.1), position=(x, y, 0.1))
        m.add_joint(f"j{i}", dt.Revolute("y"), chassis, b, at=(x, y, 0.1))
        m.add_force(f"motor{i}", dt.JointTorque(f"j{i}", 0.5))
        m.add_contact(f"c{i}", dt.RigidContact(friction=0.8), m.ground, b,
                      shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))  # fmt: skip
        wheels += (
            f'<body pos="{x} {y} -0.05"><joint name="j{i}" axis="0 1 0"/>'
            '<geom type="sphere" size="0.1" mass="1" friction="0.8 0 0"/></body>'
        )
        motors += f'<motor joint="j{i}"/>'
    body = (
        '<body pos="0 0 0.15"><freejoint/><inertial pos="0 0 0" mass="10" diaginertia="0.0833333 0.3083333 0.375"/>'
        f"{wheels}</body>"
    )
    return m, f"{body}</worldbody><actuator>{motors}</actuator><worldbody>"


KP, KD, TURNS = 100.0, 2.0, 2.0  # N m/rad, N m s/rad, steps per second of a leg


def reference(leg: int, joint: int, swing: float, t: float) -> float:
    """Angle that a joint of the quadruped is held at; legs across the trunk go together."""
    phase = 2 * np.pi * TURNS * t + (np.pi if leg in (1, 2) else 0.0)
    return min(1.0, 2.0 * t) * swing * (0.25 * np.sin(phase) if joint == 0 else -0.4 * max(0.0, np.cos(phase)))


def quadruped(swing: float) -> tuple[dt.Model, str]:
    """A trunk of 12 kg on four legs with hips and knees under position control; swing 0: it stands, 1: it trots."""
    m = dt.Model("quadruped")
    trunk = m.add_body("trunk", dt.Inertia.box(12.0, size=(0.5, 0.2, 0.1)), position=(0, 0, 0.35))
    m.add_joint("free", dt.Free(), m.ground, trunk)
    thigh, shank = dt.Inertia.sphere(1.0, radius=0.05), dt.Inertia.sphere(0.6, radius=0.05)
    s, c, legs, motors = 0.2 * np.sin(0.6), 0.2 * np.cos(0.6), "", ""
    ball = lambda mass, r: f'mass="{mass}" diaginertia="{0.4 * mass * r * r} {0.4 * mass * r * r} {0.4 * mass * r * r}"'  # noqa: E731
    for i, (x, y) in enumerate(((0.2, 0.12), (0.2, -0.12), (-0.2, 0.12), (-0.2, -0.12))):
        hip, knee, foot = (x, y, 0.35), (x - s, y, 0.35 - c), (x, y, 0.35 - 2 * c)
        upper = m.add_body(f"thigh{i}", thigh, position=(x - 0.5 * s, y, 0.35 - 0.5 * c))
        lower = m.add_body(f"shank{i}", shank, position=foot)
        m.add_joint(f"j{i}0", dt.Revolute("y"), trunk, upper, at=hip)
        m.add_joint(f"j{i}1", dt.Revolute("y"), upper, lower, at=knee)
        shift = f"{2 * np.pi * TURNS} * t + {np.pi if i in (1, 2) else 0.0}"
        size = f"min(1, 2 * t) * {swing}" if swing else "0"
        law = (f"{size} * 0.25 * sin({shift})", f"-{size} * 0.4 * max(0, cos({shift}))")
        for k in range(2):
            m.add_force(f"motor{i}{k}", dt.JointTorque(f"j{i}{k}", f"{KP} * ({law[k]} - q) - {KD} * v"))
            motors += f'<position joint="j{i}{k}" kp="{KP}" kv="{KD}"/>'
        m.add_contact(f"c{i}", dt.RigidContact(friction=0.8), m.ground, lower,
                      shapes=(dt.Shape.plane(position=(0, 0, 0.35 - 2 * c - 0.02)), dt.Shape.sphere(0.02)))  # fmt: skip
        legs += (
            f'<body pos="{x} {y} 0"><joint name="j{i}0" axis="0 1 0"/><inertial pos="{-0.5 * s} 0 {-0.5 * c}" '
            f'{ball(1.0, 0.05)}/><body pos="{-s} 0 {-c}"><joint name="j{i}1" axis="0 1 0"/><inertial pos="{s} 0 {-c}" '
            f'{ball(0.6, 0.05)}/><geom type="sphere" size="0.02" pos="{s} 0 {-c}" friction="0.8 0 0"/></body></body>'
        )
    inertia = 12 / 12 * np.array([0.2**2 + 0.1**2, 0.5**2 + 0.1**2, 0.5**2 + 0.2**2])
    body = (
        f'<body pos="0 0 {2 * c + 0.02}"><freejoint/><inertial pos="0 0 0" mass="12" '
        f'diaginertia="{inertia[0]} {inertia[1]} {inertia[2]}"/>{legs}</body>'
    )
    return m, f"{body}</worldbody><actuator>{motors}</actuator><worldbody>"


def wall(rows: int = 10, columns: int = 10) -> tuple[dt.Model, str]:
    """Bricks in rows, each on two of the row below, with joints of 2 mm."""
    m, bodies = dt.Model("wall"), ""
    m.ground.shapes.append(dt.Shape.plane())
    for r in range(rows):
        for k in range(columns):
            place = 0.202 * k + (0.101 if r % 2 else 0.0), 0.0, 0.05 + 0.1 * r
            b = m.add_body(f"b{r}_{k}", dt.Inertia.box(4.0, size=(0.2, 0.1, 0.1)), position=place)
            b.shapes.append(dt.Shape.box((0.2, 0.1, 0.1)))
            m.add_joint(f"f{r}_{k}", dt.Free(), m.ground, b)
            bodies += (
                f'<body pos="{place[0]} 0 {place[2]}"><freejoint/><geom type="box" size="0.1 0.05 0.05" mass="4" '
                'friction="0.5 0 0"/></body>'
            )
    m.add_contact("all", dt.RigidContact(friction=0.5), "all", "all")
    return m, bodies


def mjcf(bodies: str) -> str:
    """A world with a floor."""
    return (
        f'<mujoco><option timestep="{STEP}" cone="elliptic" gravity="0 0 -{G}"/><size memory="400M"/>'
        '<default><geom condim="3"/></default><worldbody><geom type="plane" size="5 5 1" friction="0.5 0 0"/>'
        f"{bodies}</worldbody></mujoco>"
    )


def by_mujoco(bodies: str, seconds: float, swing: float | None = None) -> tuple[float, float]:
    """Processor time per simulated second, and the largest overlap at the end [m]; swing: of the quadruped."""
    model = mujoco.MjModel.from_xml_string(mjcf(bodies))
    data = mujoco.MjData(model)
    data.ctrl[:] = 0.5 if swing is None else 0.0
    begin = time.process_time()
    if swing:
        for _ in range(round(seconds / STEP / 10)):
            data.ctrl[:] = [reference(i, k, swing, data.time) for i in range(4) for k in range(2)]
            mujoco.mj_step(model, data, nstep=10)
    else:
        mujoco.mj_step(model, data, nstep=round(seconds / STEP))
    took = time.process_time() - begin
    return took / seconds, max(0.0, -min((data.contact[i].dist for i in range(data.ncon)), default=0.0))


def by_duoti(system: dt.System, seconds: float, names: list[str]) -> tuple[float, float, Any]:
    """The same, and the result."""
    begin = time.process_time()
    r = dt.simulate(system, seconds, outputs=[0.0, seconds], solver=dt.Moreau(step=STEP))
    took = time.process_time() - begin
    return took / seconds, max(0.0, -min(float(r[f"{name}.gap"][-1]) for name in names)), r


def pair(build: Callable[[], tuple[dt.Model, str]], seconds: float, swing: float | None = None) -> Pair:
    model, bodies = build()
    system, names = dt.compile(model), list(model.contacts)
    _, overlap, result = by_duoti(system, seconds, names)
    assert result.ok, result.reason
    if swing is not None:
        assert float(result["trunk.position"][-1, 2]) > 0.3, "the quadruped fell"
    _, theirs = by_mujoco(bodies, seconds, swing)
    return Pair(
        Side(taken=lambda: by_duoti(system, seconds, names)[0], error=overlap),
        Side(taken=lambda: by_mujoco(bodies, seconds, swing)[0], error=theirs), unit="m overlap", clock="process",
    )  # fmt: skip


SCENES: dict[str, tuple[Callable[[], tuple[dt.Model, str]], float, float | None]] = {
    "stack of 10 boxes": (lambda: stack(10), 1.0, None),
    "stack of 20 boxes": (lambda: stack(20), 1.0, None),
    "stack of 20 boxes, 100 kg on top": (lambda: stack(20, 100.0), 1.0, None),
    "rover on four wheels": (rover, 5.0, None),
    "quadruped that stands": (lambda: quadruped(0.0), 5.0, 0.0),
    "quadruped that trots": (lambda: quadruped(1.0), 5.0, 1.0),
    "200 spheres fall into a box": (spheres, 0.4, None),
    "wall of 100 bricks": (wall, 1.0, None),
}
SHOWN = "stack of 20 boxes", "200 spheres fall into a box", "wall of 100 bricks"
for name, scene in SCENES.items():
    case(name, "MuJoCo", 1.0, name in SHOWN)(lambda scene=scene: pair(*scene))


def robot(path: Path, seconds: float = 2.0) -> Pair:
    """A robot as its file describes it, in its first keyframe, with its controls, at the file's own step.

    Explicit steps, or implicit ones where the file's servos are too stiff for these.
    """
    theirs = mujoco.MjModel.from_xml_path(str(path))
    step, keyframe = theirs.opt.timestep, {"keyframe": 0} if theirs.nkey else {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what of the file is left out
        model = dt.formats.load_mjcf(path, contacts=True, **keyframe)
    for i in range(theirs.nu if theirs.nkey else 0):
        name = mujoco.mj_id2name(theirs, mujoco.mjtObj.mjOBJ_ACTUATOR, i)
        for control in (name, f"{name}_control"):
            if control in model.parameters:
                model.parameters[control] = float(theirs.key_ctrl[0][i])
    system = dt.compile(model)

    def ours(implicit: bool) -> tuple[float, dt.Result]:
        begin = time.process_time()
        solver = dt.Moreau(step=step, implicit=implicit)
        r = dt.simulate(system, seconds, outputs=[0.0, seconds], solver=solver)
        return (time.process_time() - begin) / seconds, r

    def by_peer() -> tuple[float, float]:
        data = mujoco.MjData(theirs)
        if theirs.nkey:
            mujoco.mj_resetDataKeyframe(theirs, data, 0)
        begin = time.process_time()
        mujoco.mj_step(theirs, data, nstep=round(seconds / step))
        took = time.process_time() - begin
        return took / seconds, max(0.0, -min((data.contact[i].dist for i in range(data.ncon)), default=0.0))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        implicit = not ours(False)[1].ok
        result = ours(implicit)[1]
    assert result.ok, result.reason
    unsolved = result.stats.contacts["unsolved"]
    overlap = max(0.0, -min(float(result[f"{name}.gap"][-1]) for name in model.contacts))
    setting = f"{'implicit, ' if implicit else ''}{unsolved} of {result.stats.contacts['steps']} steps unsolved"
    return Pair(
        Side(taken=lambda: ours(implicit)[0], error=overlap, setting=setting),
        Side(taken=lambda: by_peer()[0], error=by_peer()[1]), unit="m overlap", clock="process",
    )  # fmt: skip


@case("quadruped hound, joint friction and limits", "MuJoCo", 0.33)
def hound() -> Pair:
    """The robot that comes with the package."""
    from duoti.examples.robots import robots

    return robot(robots()["hound"])


ROBOTS = {  # of MuJoCo's menagerie, whose folder DUOTI_MENAGERIE names
    "ANYmal C": "anybotics_anymal_c/scene.xml", "Unitree G1": "unitree_g1/scene_mjx.xml",
    "Unitree H1": "unitree_h1/scene.xml", "Talos": "pal_talos/scene_position.xml",
    "Allegro hand": "wonik_allegro/scene_right.xml", "Robotiq 2F85": "robotiq_2f85/scene.xml",
    "Shadow hand": "shadow_hand/scene_right.xml",
}  # fmt: skip
if folder := os.environ.get("DUOTI_MENAGERIE"):
    for name, file in ROBOTS.items():
        case(f"{name} on a floor", "MuJoCo", 0.33)(lambda file=file: robot(Path(folder) / file))


@case("bouncing ball, event-driven", "MuJoCo", 1.0)
def ball() -> Pair:
    """Dropped from 1 m, restitution 0.8, 23 impacts in 4.035 s, after which the exact height is known.

    MuJoCo has no restitution: its contact is a spring of 10 ms with the damping that gives back 0.8 of the velocity.
    """
    m = dt.Model("ball")
    b = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 1.1))
    m.add_joint("free", dt.Free(), m.ground, b)
    m.add_contact("floor", dt.RigidContact(restitution=0.8, friction=0.3), m.ground, b,
                  shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))  # fmt: skip
    system, end = dt.compile(m), 4.035
    fall = np.sqrt(2 / G)
    t, flight, impacts = fall, 2 * 0.8 * fall, 1
    while t + flight < end:
        t, flight, impacts = t + flight, 0.8 * flight, impacts + 1
    height = 0.1 + 0.5 * flight * G * (end - t) - 0.5 * G * (end - t) ** 2
    run = lambda: dt.simulate(system, end, outputs=[end], progress=False)  # noqa: E731
    result = run()
    assert result.ok, result.reason
    assert len(result.impacts) == impacts, len(result.impacts)
    error = abs(float(result["ball.position"][-1, 2]) - height)
    stiffness, logarithm = (np.pi / 0.01) ** 2, np.log(0.8)
    damping = -2.0 * logarithm / 0.01
    xml = (
        f'<mujoco><option timestep="{STEP}" cone="elliptic"/><worldbody><geom type="plane" size="9 9 1"/>'
        f'<body pos="0 0 1.1"><freejoint/><geom type="sphere" size="0.1" mass="1" friction="0.3 0 0" '
        f'solref="{-stiffness} {-damping}" solimp="0.9999 0.9999 0.001"/></body></worldbody></mujoco>'
    )
    model = mujoco.MjModel.from_xml_string(xml)

    def by_peer() -> Any:
        data = mujoco.MjData(model)
        for _ in range(round(end / STEP)):
            mujoco.mj_step(model, data)
        return data

    peer = abs(float(by_peer().qpos[2]) - height)
    return Pair(
        Side(repeated(run), error, setting=f"{impacts} impacts"), Side(repeated(by_peer), peer, setting="step 1 ms"),
        unit="m", clock="process",
    )  # fmt: skip
