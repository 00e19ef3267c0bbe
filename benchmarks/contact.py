"""Many rigid contacts: time per simulated second against MuJoCo at the same step, interleaved, best of n.

    python benchmarks/contact.py [--repeat 3]

duoti solves Coulomb's exact cone to 1e-8 of the velocities in a step; MuJoCo its soft convex model with default
settings (elliptic cones). How far bodies overlap at the end is told as well.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

import mujoco
import numpy as np

import duoti as dt

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


def spheres(n: int = 200) -> tuple[dt.Model, str]:
    """Balls of 0.1 m that fall into a box."""
    m, bodies = dt.Model("spheres"), ""
    side, wall = 6, 0.65
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
        place = np.array([i % side - 2.5, i // side % side - 2.5, i // side**2 + 0.6]) * 0.21
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


def mjcf(bodies: str) -> str:
    """A world with a floor."""
    return (
        f'<mujoco><option timestep="{STEP}" cone="elliptic" gravity="0 0 -{G}"/><size memory="400M"/>'
        '<default><geom condim="3"/></default><worldbody><geom type="plane" size="5 5 1" friction="0.5 0 0"/>'
        f"{bodies}</worldbody></mujoco>"
    )


def by_mujoco(bodies: str, seconds: float) -> tuple[float, float]:
    """Processor time per simulated second, and the largest overlap at the end [m]."""
    model = mujoco.MjModel.from_xml_string(mjcf(bodies))
    data = mujoco.MjData(model)
    data.ctrl[:] = 0.5
    begin = time.process_time()
    mujoco.mj_step(model, data, nstep=round(seconds / STEP))
    took = time.process_time() - begin
    return took / seconds, max(0.0, -min((data.contact[i].dist for i in range(data.ncon)), default=0.0))


def by_duoti(system: dt.System, seconds: float, names: list[str]) -> tuple[float, float, Any]:
    """The same, and the result."""
    begin = time.process_time()
    r = dt.simulate(system, seconds, outputs=[0.0, seconds], solver=dt.Moreau(step=STEP))
    took = time.process_time() - begin
    return took / seconds, max(0.0, -min(float(r[f"{name}.gap"][-1]) for name in names)), r


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--repeat", type=int, default=3)
    repeat = parser.parse_args().repeat
    print("| scene | duoti | MuJoCo | MuJoCo / duoti | overlap duoti | overlap MuJoCo |\n|---|---|---|---|---|---|")
    scenes = {f"{n} boxes": (stack(n), 1.0) for n in (10, 20, 50)}
    scenes["20 boxes, top 100 kg"] = (stack(20, 100.0), 1.0)
    scenes["20 boxes that touch already"] = (stack(20, apart=0.0), 1.0)
    scenes["rover on four wheels"] = (rover(), 5.0)
    scenes["200 spheres fall into a box"] = (spheres(), 0.4)
    for name, ((model, bodies), seconds) in scenes.items():
        system, names = dt.compile(model), list(model.contacts)
        by_duoti(system, 0.01, names)  # kernels
        ours, theirs = [], []
        for _ in range(repeat):
            ours.append(by_duoti(system, seconds, names))
            theirs.append(by_mujoco(bodies, seconds))
        mine, other = min(x[0] for x in ours), min(x[0] for x in theirs)
        print(f"| {name} | {1e3 * mine:.0f} ms | {1e3 * other:.0f} ms | {other / mine:.2f} | {ours[0][1]:.1e} m | "
              f"{theirs[0][1]:.1e} m |", flush=True)  # fmt: skip
        for note in ours[0][2].stats.notes:
            print("   ", note)


if __name__ == "__main__":
    main()
