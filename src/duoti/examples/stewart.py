"""Stewart platform: six legs on ball screws move a flight simulator's cabin; its pose follows from the leg lengths.

Six legs of a tube and a rod stand in pairs on a base circle of 1.2 m radius and carry the platform on a circle of 0.8
m, 1.6 m higher. Universal joints below, prismatic joints within and ball joints above give 13 bodies, 18 joints, 5
loops and 6 degrees of freedom. The lengths of the legs are prescribed as the inverse kinematics of a wanted motion
asks: the platform surges, heaves and yaws. The multipliers of the drives are the forces of the actuators.
"""

from __future__ import annotations

import numpy as np

import duoti as dt

DURATION = 4.0
PARTS = ("stewart_leg.yaml",)
PICTURE = {"instant": 1.0, "channels": [f"leg{k}.slide.position" for k in range(1, 7)]}

BASE, TOP, HEIGHT = 1.2, 0.8, 1.6  # radii and height [m]
SPREAD = 0.12  # half the distance between the two joints of a pair [m]
SURGE, HEAVE, YAW = 0.20, 0.15, 0.25  # amplitudes [m, m, rad]
FREQUENCIES = {"surge": 0.5, "heave": 1.0, "yaw": 0.75}  # Hz


def joints() -> tuple[np.ndarray, np.ndarray]:
    """Joints of the six legs at the base and at the platform, in the drawing."""
    lower, upper = [], []
    for k in range(6):
        pair, side = k // 2, 1 - 2 * (k % 2)
        below = 2 * np.pi / 3 * pair
        above = below + side * np.pi / 3
        across = np.array([-np.sin(below), np.cos(below), 0])
        lower.append(BASE * np.array([np.cos(below), np.sin(below), 0]) + side * SPREAD * across)
        across = np.array([-np.sin(above), np.cos(above), 0])
        upper.append(TOP * np.array([np.cos(above), np.sin(above), 0]) - side * SPREAD * across + [0, 0, HEIGHT])
    return np.array(lower), np.array(upper)


def wanted(t: np.ndarray | float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Surge [m], heave [m] and yaw [rad] over time; all begin at rest."""
    wave = {name: (1 - np.cos(2 * np.pi * f * np.asarray(t))) / 2 for name, f in FREQUENCIES.items()}
    return SURGE * wave["surge"], HEAVE * wave["heave"], YAW * wave["yaw"]


MOTION = {"x0": SURGE, "z0": HEAVE, "yaw0": YAW, **{f"f_{name}": f for name, f in FREQUENCIES.items()}}
YAW_LAW = "yaw0*(1 - cos(2*pi*f_yaw*t))/2"
LEG_LAW = (
    f"hypot(x0*(1 - cos(2*pi*f_surge*t))/2 + bx*cos({YAW_LAW}) - by*sin({YAW_LAW}) - ax, "
    f"bx*sin({YAW_LAW}) + by*cos({YAW_LAW}) - ay, h + z0*(1 - cos(2*pi*f_heave*t))/2) - length"
)


def leg(a: np.ndarray, b: np.ndarray) -> dt.Model:
    """A leg from the base at a to the platform at b, with its drive; the platform's motion tells its length."""
    length = float(np.linalg.norm(b - a))
    along = (b - a) / length
    across = np.array([-along[1], along[0], 0]) / np.hypot(along[0], along[1])
    places = {"ax": a[0], "ay": a[1], "bx": b[0], "by": b[1], "h": b[2] - a[2], "length": length}
    m = dt.Model("leg", parameters={**places, **MOTION})
    m.add_body("tube", dt.Inertia.cylinder(25.0, radius=0.05, length=0.9, axis=along), position=a + 0.45 * along)
    m.add_body("rod", dt.Inertia.cylinder(8.0, radius=0.025, length=0.9, axis=along), position=b - 0.45 * along)
    m.add_joint("foot", dt.Universal(across, np.cross(along, across)), m.ground, "tube", at=a)
    m.add_joint("slide", dt.Prismatic(along), "tube", "rod", at=b)
    m.add_constraint("drive", dt.JointMotion("slide", LEG_LAW))
    return m


def build() -> dt.Model:
    """Drawn in the lowest position; six legs, each a sub-model."""
    m = dt.Model("Stewart platform")
    plate = dt.Inertia.cylinder(120.0, radius=TOP, length=0.05, axis="z")
    cabin = dt.Inertia.box(400.0, size=(1.2, 1.0, 1.0), com=(0, 0, 0.55))
    m.add_body("platform", plate + cabin, position=(0, 0, HEIGHT), shapes=[
        dt.Shape.cylinder(TOP, 0.05, colour="lightsteelblue"),
        dt.Shape.box((1.2, 1.0, 1.0), position=(0, 0, 0.55), colour="steelblue"),
    ])  # fmt: skip
    m.add_marker("pilot", "platform", position=(0.3, 0, 0.9))
    ends = list(zip(*joints(), strict=True))
    for k, (a, b) in enumerate(ends, start=1):
        m.add_submodel(f"leg{k}", leg(a, b))
    for k, (_, b) in enumerate(ends, start=1):
        m.add_joint(f"ball{k}", dt.Spherical(), f"leg{k}.rod", "platform", at=b)
    return m


def main() -> dt.Result:
    """Simulate; does the platform do what was wanted, and what must the actuators push?"""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    surge, heave, yaw = wanted(r.t)
    place = r["platform.position"] - np.column_stack([surge, 0 * surge, HEIGHT + heave])
    turned = 2 * np.arctan2(r["platform.rotation"][:, 3], r["platform.rotation"][:, 0])
    print(f"platform off the wanted place by {1e3 * np.abs(place).max():.2g} mm, "
          f"off the wanted yaw by {np.abs(turned - yaw).max():.2g} rad")  # fmt: skip
    push = np.array([r.multipliers(f"leg{k}.drive")[:, 0] for k in range(1, 7)])
    print(f"forces of the actuators from {push.min():.0f} to {push.max():.0f} N")
    return r


if __name__ == "__main__":
    main()
