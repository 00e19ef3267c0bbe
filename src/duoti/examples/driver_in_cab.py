"""Driver in a cab: fifteen body segments on a sprung seat in a sprung cab shake on a field track.

A tractor's frame follows a rough track; a cab of 600 kg stands on it by springs at its front and rear, a seat of 25
kg on a spring in the cab, and on the seat sits a driver of 73 kg, both hands on the steering wheel and both feet on
the floor. Seat, backrest and headrest give way like foam, the joints of the body like muscles. The mechanism is that
of Yuan Quan et al. (Journal of China Agricultural University 5(4), 2000): 15 segments and 21 joints close 6 loops
between driver and cab. Kinds of joints: neck, waist, shoulders, hips and the contacts of hands and feet are ball
joints, wrists and ankles universal joints, elbows and knees hinges; the contacts with the seat also slide. Lengths
and masses of the segments follow P. de Leva (Journal of Biomechanics 29, 1996), rounded. At the end the vertical
acceleration of frame, cab, seat and head is compared.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

import duoti as dt

DURATION = 6.0
PICTURE = {
    "tip": "eyes",
    "instant": 3.0,
    "camera": (-1.1, 0.2),
    "channels": ["cab.acceleration.z", "head.acceleration.z"],
}
PARTS = ("driver_in_cab_arm.yaml", "driver_in_cab_leg.yaml")

# the driver's points [m]: x forward, z up from the floor of the cab; the hips are above the origin, the back leans
HIP, WAIST, NECK, CROWN = (0, 0, 0.42), (-0.029, 0, 0.563), (-0.106, 0, 0.941), (-0.155, 0, 1.184)
SHOULDER, ELBOW, WRIST, GRIP = (-0.102, 0, 0.925), (0.016, 0, 0.669), (0.283, 0, 0.702), (0.352, 0, 0.710)
KNEE, ANKLE, SOLE = (0.418, 0, 0.479), (0.601, 0, 0.086), (0.651, 0, 0)
SHOULDER_WIDTH, HIP_WIDTH = 0.18, 0.09  # half the distances [m]
FLOOR = np.array([0, 0, 1.0])  # of the cab, in the drawing
MOUNTS = 6e4  # stiffness of each of the two mounts of the cab [N/m]
CAB, SEAT, DRIVER = 600.0, 25.0, 73.0  # kg


def build() -> dt.Model:
    """Drawn at rest, the springs loaded by the weight."""
    m = dt.Model("driver in cab", parameters={"rough": 0.012})
    m.add_body("frame", dt.Inertia.box(1500.0, size=(3.0, 0.8, 0.3)), position=(0, 0, 0.5))
    m.add_body("cab", dt.Inertia.box(CAB, size=(1.6, 1.6, 1.6), com=(0, 0, 0.5)), position=FLOOR, shapes=cab_shapes())
    pan = dt.Shape.box((0.5, 0.5, 0.06), position=(0.05, 0, 0), colour="dimgray")
    lean = dt.Rotation.about("y", -0.2)
    back = dt.Shape.box((0.08, 0.5, 0.75), position=(-0.27, 0, 0.40), rotation=lean, colour="dimgray")
    seat = dt.Inertia.box(SEAT, size=(0.5, 0.5, 0.1))
    m.add_body("seat", seat, position=(-0.1, 0, 1.25), shapes=[pan, back])
    add_segment(m, "pelvis", 8.154, 0.13, FLOOR + HIP, FLOOR + WAIST)
    add_segment(m, "trunk", 23.572, 0.14, FLOOR + WAIST, FLOOR + NECK)
    add_segment(m, "head", 5.066, 0.09, FLOOR + NECK, FLOOR + CROWN)
    for side, sign in (("left", 1), ("right", -1)):
        m.add_submodel(f"{side}_arm", arm(), position=FLOOR + np.array([0, sign * SHOULDER_WIDTH, 0]))
        m.add_submodel(f"{side}_leg", leg(), position=FLOOR + np.array([0, sign * HIP_WIDTH, 0]))
    add_vehicle(m)
    add_driver(m)
    m.add_marker("eyes", "head", position=(0.08, 0, 0))
    return m


def add_vehicle(m: dt.Model) -> None:
    """The track, the cab on its mounts, the seat on its spring."""
    m.add_joint("track", dt.Prismatic("z"), m.ground, "frame", at=(0, 0, 0.5))
    m.add_joint("cab_mounts", dt.Composite(dt.Prismatic("z"), dt.Revolute("y")), "frame", "cab", at=FLOOR)
    m.add_joint("seat_guide", dt.Prismatic("z"), "cab", "seat", at=(-0.1, 0, 1.25))
    waves = "sin(2*pi*1.3*t) + 0.6*sin(2*pi*2.9*t + 1) + 0.3*sin(2*pi*5.3*t + 2)"
    m.add_constraint("road", dt.JointMotion("track", f"rough*step(t, 0, 0, 1, 1)*({waves})"))
    free_length = 0.4 + 9.81 * (CAB + SEAT + DRIVER) / 2 / MOUNTS  # the mounts carry the weight in the drawing
    for name, x in (("front", 0.8), ("rear", -0.8)):
        m.add_marker(f"{name}_below", "frame", position=(x, 0, 0.1))
        m.add_marker(f"{name}_above", "cab", position=(x, 0, 0))
        spring = dt.SpringDamper(f"{name}_below", f"{name}_above", MOUNTS, damping=3e3, rest_length=free_length)
        m.add_force(f"{name}_mount", spring)
    m.add_force("seat_spring", dt.JointSpring("seat_guide", stiffness=6e3, damping=500.0, rest=700 / 6e3))


def add_driver(m: dt.Model) -> None:
    """The joints of the trunk, and what the driver touches."""
    add_muscles(m, "waist", "pelvis", "trunk", FLOOR + WAIST, 600.0)
    add_muscles(m, "neck", "trunk", "head", FLOOR + NECK, 60.0)
    cushion = dt.Composite(dt.Prismatic("z"), dt.Spherical())  # gives way downwards
    foam = dt.Composite(dt.Prismatic("x"), dt.Prismatic("z"), dt.Spherical())  # gives way backwards, slides up and down
    m.add_joint("cushion", cushion, "seat", "pelvis", at=FLOOR + HIP)
    m.add_joint("backrest", foam, "seat", "trunk", at=(-0.22, 0, 1.81))
    m.add_joint("headrest", foam, "seat", "head", at=(-0.245, 0, 2.084))
    m.add_force("cushion_foam", dt.JointSpring("cushion", stiffness=4e4, damping=800.0, rest=450 / 4e4, coordinate=0))
    m.add_force("backrest_foam", dt.JointSpring("backrest", stiffness=2e4, damping=400.0, coordinate=0))
    m.add_force("headrest_foam", dt.JointSpring("headrest", stiffness=2e3, damping=40.0, coordinate=0))
    for side, sign in (("left", 1), ("right", -1)):
        shoulder, hip = FLOOR + np.array([0, sign * SHOULDER_WIDTH, 0]), FLOOR + np.array([0, sign * HIP_WIDTH, 0])
        add_muscles(m, f"{side}_shoulder", "trunk", f"{side}_arm.upper", shoulder + SHOULDER, 25.0)
        add_muscles(m, f"{side}_hip", "pelvis", f"{side}_leg.thigh", hip + HIP, 40.0)
        m.add_joint(f"{side}_grip", dt.Spherical(), "cab", f"{side}_arm.hand", at=shoulder + GRIP)
        m.add_joint(f"{side}_sole", dt.Spherical(), "cab", f"{side}_leg.foot", at=hip + SOLE)


def arm() -> dt.Model:
    """An arm without its ball joint at the shoulder."""
    m = dt.Model("arm")
    add_segment(m, "upper", 1.978, 0.045, SHOULDER, ELBOW)
    add_segment(m, "fore", 1.183, 0.035, ELBOW, WRIST)
    add_segment(m, "hand", 0.445, 0.03, WRIST, GRIP)
    m.add_joint("elbow", dt.Revolute("y"), "upper", "fore", at=ELBOW)
    m.add_joint("wrist", dt.Universal("y", "z"), "fore", "hand", at=WRIST)
    m.add_force("elbow_muscles", dt.JointSpring("elbow", stiffness=25.0, damping=1.5))
    m.add_force("wrist_bends", dt.JointSpring("wrist", stiffness=5.0, damping=0.3, coordinate=0))
    m.add_force("wrist_sways", dt.JointSpring("wrist", stiffness=5.0, damping=0.3, coordinate=1))
    return m


def leg() -> dt.Model:
    """A leg without its ball joint at the hip."""
    m = dt.Model("leg")
    add_segment(m, "thigh", 10.337, 0.075, HIP, KNEE)
    add_segment(m, "shank", 3.161, 0.05, KNEE, ANKLE)
    add_segment(m, "foot", 1.0, 0.04, ANKLE, SOLE)
    m.add_joint("knee", dt.Revolute("y"), "thigh", "shank", at=KNEE)
    m.add_joint("ankle", dt.Universal("y", "x"), "shank", "foot", at=ANKLE)
    m.add_force("knee_muscles", dt.JointSpring("knee", stiffness=40.0, damping=2.4))
    m.add_force("ankle_bends", dt.JointSpring("ankle", stiffness=20.0, damping=1.2, coordinate=0))
    m.add_force("ankle_sways", dt.JointSpring("ankle", stiffness=20.0, damping=1.2, coordinate=1))
    return m


def add_segment(m: dt.Model, name: str, mass: float, radius: float, start: ArrayLike, end: ArrayLike) -> None:
    """A part of the body as a cylinder between two points."""
    a, b = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    length = float(np.linalg.norm(b - a))
    m.add_body(name, dt.Inertia.cylinder(mass, radius=radius, length=length, axis=b - a), position=(a + b) / 2)


def add_muscles(m: dt.Model, name: str, parent: str, child: str, at: np.ndarray, stiffness: float) -> None:
    """A ball joint, held by muscles: `stiffness` [N m/rad] against turning, and some damping."""
    m.add_joint(name, dt.Spherical(), parent, child, at=at)
    m.add_marker(f"{name}_inner", parent, position=at - m.bodies[parent].pose.position)
    m.add_marker(f"{name}_outer", child, position=at - m.bodies[child].pose.position)
    bend, damp = (0, 0, 0, *[stiffness] * 3), (0, 0, 0, *[0.06 * stiffness] * 3)
    m.add_force(f"{name}_muscles", dt.Bushing(f"{name}_inner", f"{name}_outer", stiffness=bend, damping=damp))


def cab_shapes() -> list[dt.Shape]:
    """Floor, roof, posts and steering wheel, to look through."""
    posts = [
        dt.Shape.box((0.05, 0.05, 1.5), position=(x, y, 0.7), colour="steelblue")
        for x in (-0.8, 0.8)
        for y in (-0.7, 0.7)
    ]
    wheel = dt.Shape.cylinder(0.19, 0.02, axis=(-0.5, 0, 1), position=(0.402, 0, 0.66), colour="black")
    flat = [dt.Shape.box((1.65, 1.45, 0.04), position=(0, 0, z), colour="steelblue") for z in (-0.05, 1.45)]
    return [*flat, *posts, wheel]


def main() -> dt.Result:
    """Simulate; what reaches the head?"""
    model = build()
    loops = dt.topology(model)
    print(f"{len(model.bodies)} bodies, {len(model.joints)} joints, cut at {', '.join(loops.cut_joints)}")
    r = dt.simulate(model, DURATION)
    print(r.summary())
    shaken = r.t > 1.5
    for name in ("frame", "cab", "seat", "pelvis", "head"):
        print(f"{name:<7} vertical acceleration {np.std(r[f'{name}.acceleration'][shaken, 2]):.2f} m/s2 (r.m.s.)")
    return r


if __name__ == "__main__":
    main()
