"""Driver in a cab: fifteen body segments on a sprung seat in a sprung cab shake on a field track.

A tractor's frame follows a rough track; a cab of 600 kg stands on it by springs at its front and rear, a seat of 25 kg on a spring
in the cab, and on the seat sits a driver of 73 kg, both hands on the steering wheel and both feet on the floor. Seat,
backrest and headrest give way like foam, the joints of the body like muscles. The mechanism is that of Yuan Quan et al. (Journal of
China Agricultural University 5(4), 2000): 15 segments and 21 joints close 6 loops between driver and cab. Kinds of joints: neck,
waist, shoulders, hips and the contacts of hands and feet are ball joints, wrists and ankles universal joints, elbows and
knees hinges; the contacts with the seat also slide. Lengths and masses of the segments follow P. de Leva (Journal of
Biomechanics 29, 1996), rounded. At the end the vertical acceleration of frame, cab, seat and head is compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, radians, sin

import numpy as np

import duoti as dt

DURATION = 6.0
PICTURE = {"instant": 3.0, "camera": (-1.1, 0.2), "channels": ["cab.acceleration.z", "head.acceleration.z"]}

# the driver's points in the middle plane [m]: x forward, z up; the hips are above the origin, the floor is z = 0
HIP = np.array([0.0, 0.0, 0.42])
BACK = np.array([-sin(0.2), 0.0, cos(0.2)])  # up along the back, which leans by 0.2 rad
WAIST, NECK, CROWN = HIP + 0.146 * BACK, HIP + 0.532 * BACK, HIP + 0.780 * BACK
SHOULDER = HIP + 0.515 * BACK
KNEE = HIP + 0.422 * np.array([cos(radians(8)), 0, sin(radians(8))])
ANKLE = KNEE + 0.434 * np.array([sin(radians(25)), 0, -cos(radians(25))])
SOLE = np.array([ANKLE[0] + 0.05, 0, 0.0])
ELBOW = np.array([0.016, 0.0, 0.669])
WRIST = ELBOW + 0.269 * np.array([cos(radians(7)), 0, sin(radians(7))])
GRIP = WRIST + 0.07 * np.array([cos(radians(7)), 0, sin(radians(7))])
SHOULDER_WIDTH, HIP_WIDTH = 0.18, 0.09  # half the distances [m]
CAB_HEIGHT = 1.0  # of the floor above the ground [m]
CAB, SEAT, DRIVER = 600.0, 25.0, 72.952  # kg


def build() -> dt.Model:
    """Drawn at rest, the springs loaded by the weight."""
    m = dt.Model("driver in cab", parameters={"rough": 0.012})
    up = np.array([0, 0, CAB_HEIGHT])
    m.add_body("frame", dt.Inertia.box(1500.0, size=(3.0, 0.8, 0.3)), position=(0, 0, 0.5))
    m.add_body("cab", dt.Inertia.box(CAB, size=(1.6, 1.6, 1.6), com=(0, 0, 0.5)), position=up, shapes=cab_shapes())
    m.add_body("seat", dt.Inertia.box(SEAT, size=(0.5, 0.5, 0.1)), position=up + (-0.1, 0, 0.25), shapes=[
        dt.Shape.box((0.5, 0.5, 0.06), position=(0.05, 0, 0), colour="dimgray"),
        dt.Shape.box((0.08, 0.5, 0.75), position=(-0.27, 0, 0.40), rotation=dt.Rotation.about("y", -0.2), colour="dimgray"),
    ])  # fmt: skip
    m.add_joint("track", dt.Prismatic("z"), m.ground, "frame", at=(0, 0, 0.5))
    m.add_joint("cab_mounts", dt.Composite(dt.Prismatic("z"), dt.Revolute("y")), "frame", "cab", at=up)
    m.add_joint("seat_guide", dt.Prismatic("z"), "cab", "seat", at=up + (-0.1, 0, 0.25))
    waves = "sin(2*pi*1.3*t) + 0.6*sin(2*pi*2.9*t + 1) + 0.3*sin(2*pi*5.3*t + 2)"
    m.add_constraint("road", dt.JointMotion("track", f"rough*step(t, 0, 0, 1, 1)*({waves})"))
    for name, x in (("front", 0.8), ("rear", -0.8)):
        m.add_marker(f"{name}_below", "frame", position=(x, 0, 0.1))
        m.add_marker(f"{name}_above", "cab", position=(x, 0, 0))
        carried = (CAB + SEAT + DRIVER) * 9.81 / 2
        spring = dt.SpringDamper(f"{name}_below", f"{name}_above", stiffness=6e4, damping=3e3,
                                 rest_length=CAB_HEIGHT - 0.6 + carried / 6e4)  # fmt: skip
        m.add_force(f"{name}_mount", spring)
    m.add_force("seat_spring", dt.JointSpring("seat_guide", stiffness=6e3, damping=500.0, rest=700 / 6e3))
    add_trunk(m, up)
    for side, sign in (("left", 1.0), ("right", -1.0)):
        add_arm(m, side, up + (0, sign * SHOULDER_WIDTH, 0))
        add_leg(m, side, up + (0, sign * HIP_WIDTH, 0))
    m.add_marker("eyes", "head", position=(0.08, 0, 0))
    return m


def cab_shapes() -> list[dt.Shape]:
    """Floor, roof, posts and steering wheel, to look through."""
    posts = [
        dt.Shape.box((0.05, 0.05, 1.5), position=(x, y, 0.7), colour="steelblue") for x in (-0.8, 0.8) for y in (-0.7, 0.7)
    ]
    wheel = dt.Shape.cylinder(0.19, 0.02, axis=(-0.5, 0, 1), position=GRIP + (0.05, 0, -0.05), colour="black")
    flat = [dt.Shape.box((1.65, 1.45, 0.04), position=(0, 0, z), colour="steelblue") for z in (-0.05, 1.45)]
    return [*flat, *posts, wheel]


def add_segment(m: dt.Model, name: str, mass: float, radius: float, a: np.ndarray, b: np.ndarray) -> None:
    """A part of the body as a cylinder between two points in the world."""
    along = (b - a) / np.linalg.norm(b - a)
    length = float(np.linalg.norm(b - a))
    m.add_body(name, dt.Inertia.cylinder(mass, radius=radius, length=length, axis=along), position=(a + b) / 2)


def add_ball(m: dt.Model, name: str, parent: str, child: str, at: np.ndarray, stiffness: float) -> None:
    """A ball joint of the body, held by muscles: `stiffness` [N m/rad] against turning, and some damping."""
    m.add_joint(name, dt.Spherical(), parent, child, at=at)
    for body in (parent, child):
        place = m.bodies[body].pose.position
        m.add_marker(f"{name}_{body}", body, position=at - place)
    m.add_force(f"{name}_muscles", dt.Bushing(f"{name}_{parent}", f"{name}_{child}", stiffness=(0, 0, 0, *[stiffness] * 3),
                                              damping=(0, 0, 0, *[0.06 * stiffness] * 3)))  # fmt: skip


def add_springs(m: dt.Model, joint: str, stiffness: Sequence[float]) -> None:
    """Muscles or foam in the first coordinates of a joint [N m/rad or N/m], and some damping."""
    for k, value in enumerate(stiffness):
        spring = dt.JointSpring(joint, stiffness=value, damping=0.06 * value, coordinate=k)
        m.add_force(f"{joint}_spring{k + 1}", spring)


def add_trunk(m: dt.Model, up: np.ndarray) -> None:
    """Pelvis, trunk and head, and what they touch."""
    add_segment(m, "pelvis", 8.154, 0.13, up + HIP, up + WAIST)
    add_segment(m, "trunk", 23.572, 0.14, up + WAIST, up + NECK)
    add_segment(m, "head", 5.066, 0.09, up + NECK, up + CROWN)
    add_ball(m, "waist", "pelvis", "trunk", up + WAIST, 600.0)
    add_ball(m, "neck", "trunk", "head", up + NECK, 60.0)
    cushion = dt.Composite(dt.Prismatic("z"), dt.Spherical())  # gives way downwards
    foam = dt.Composite(dt.Prismatic("x"), dt.Prismatic("z"), dt.Spherical())  # gives way backwards, slides up and down
    m.add_joint("cushion", cushion, "seat", "pelvis", at=up + HIP)
    m.add_joint("backrest", foam, "seat", "trunk", at=up + HIP + 0.40 * BACK + (-0.14, 0, 0))
    m.add_joint("headrest", foam, "seat", "head", at=up + CROWN + (-0.09, 0, -0.1))
    m.add_force("cushion_foam", dt.JointSpring("cushion", stiffness=4e4, damping=800.0, rest=450 / 4e4, coordinate=0))
    m.add_force("backrest_foam", dt.JointSpring("backrest", stiffness=2e4, damping=400.0, coordinate=0))
    m.add_force("headrest_foam", dt.JointSpring("headrest", stiffness=2e3, damping=40.0, coordinate=0))


def add_arm(m: dt.Model, side: str, shift: np.ndarray) -> None:
    """An arm with its hand on the steering wheel."""
    upper, fore, hand = (f"{side}_{part}" for part in ("upper_arm", "forearm", "hand"))
    add_segment(m, upper, 1.978, 0.045, shift + SHOULDER, shift + ELBOW)
    add_segment(m, fore, 1.183, 0.035, shift + ELBOW, shift + WRIST)
    add_segment(m, hand, 0.445, 0.03, shift + WRIST, shift + GRIP)
    add_ball(m, f"{side}_shoulder", "trunk", upper, shift + SHOULDER, 25.0)
    m.add_joint(f"{side}_elbow", dt.Revolute("y"), upper, fore, at=shift + ELBOW)
    m.add_joint(f"{side}_wrist", dt.Universal("y", "z"), fore, hand, at=shift + WRIST)
    m.add_joint(f"{side}_grip", dt.Spherical(), "cab", hand, at=shift + GRIP)
    add_springs(m, f"{side}_elbow", [25.0])
    add_springs(m, f"{side}_wrist", [5.0, 5.0])


def add_leg(m: dt.Model, side: str, shift: np.ndarray) -> None:
    """A leg with its foot on the floor."""
    thigh, shank, foot = (f"{side}_{part}" for part in ("thigh", "shank", "foot"))
    add_segment(m, thigh, 10.337, 0.075, shift + HIP, shift + KNEE)
    add_segment(m, shank, 3.161, 0.05, shift + KNEE, shift + ANKLE)
    add_segment(m, foot, 1.0, 0.04, shift + ANKLE, shift + SOLE)
    add_ball(m, f"{side}_hip", "pelvis", thigh, shift + HIP, 40.0)
    m.add_joint(f"{side}_knee", dt.Revolute("y"), thigh, shank, at=shift + KNEE)
    m.add_joint(f"{side}_ankle", dt.Universal("y", "x"), shank, foot, at=shift + ANKLE)
    m.add_joint(f"{side}_sole", dt.Spherical(), "cab", foot, at=shift + SOLE)
    add_springs(m, f"{side}_knee", [40.0])
    add_springs(m, f"{side}_ankle", [20.0, 20.0])


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
