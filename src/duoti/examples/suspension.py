"""Car suspension: a quarter of a car on double wishbones drives over a bump.

The body's quarter (400 kg) can move up and down; two wishbones of 350 and 250 mm, a wheel carrier with ball joints
and a track rod guide the wheel, which spins at 15 m/s on a tyre of 200 kN/m. A coil spring of 80 kN/m and a damper of
4 kN s/m stand on the lower wishbone. The bump is 50 mm high and 0.9 m long (a cosine). The wishbones are pivoted
along the direction of travel, x, so in front view they form a four-bar with the wheel carrier, which tells the camber
at every height of the wheel.
"""

from __future__ import annotations

import numpy as np

import duoti as dt

DURATION = 2.0
PICTURE = {"instant": 0.33, "camera": (0.35, 0.2), "channels": ["hub.position.z", "bounce.position"]}

SPEED, BUMP, BUMP_LENGTH, BUMP_AT = 15.0, 0.05, 0.9, 0.3  # m/s, m, m, s
RADIUS = 0.30  # of the wheel [m]
TYRE, SPRING, DAMPER = 2.0e5, 8.0e4, 4.0e3  # N/m, N/m, N s/m
# points in the drawing [m]: x back, y out to the left wheel, z up from the road
LOWER_PIVOT, UPPER_PIVOT = (0.0, 0.37, 0.20), (0.0, 0.44, 0.42)
LOWER_BALL, UPPER_BALL = (0.0, 0.72, 0.19), (0.0, 0.69, 0.44)
TRACK_INNER, TRACK_OUTER = (0.12, 0.40, 0.25), (0.12, 0.71, 0.25)
HUB = (0.0, 0.75, RADIUS)
SPRING_FOOT, SPRING_TOP = (0.0, 0.58, 0.22), (0.0, 0.48, 0.62)
FREE_LENGTH = 0.4984  # of the spring: so it carries the body in the drawing [m]
BODY, WISHBONES, CARRIER, WHEEL, ROD = 400.0, (4.0, 2.5), 15.0, 18.0, 0.8  # kg


def middle(a: tuple[float, ...], b: tuple[float, ...]) -> np.ndarray:
    """Of two points."""
    return (np.array(a) + np.array(b)) / 2


def link(mass: float, a: tuple[float, ...], b: tuple[float, ...]) -> dt.Inertia:
    """A bar from point to point, 20 mm thick, about its middle."""
    along = np.array(b) - np.array(a)
    return dt.Inertia.cylinder(mass, radius=0.01, length=float(np.linalg.norm(along)), axis=along)


def build() -> dt.Model:
    """Drawn at rest on the level road, the springs loaded by the weight."""
    m = dt.Model("car suspension", parameters={
        "kt": TYRE, "ct": 150.0, "load": 9.81 * (BODY + sum(WISHBONES) + CARRIER + WHEEL + ROD),
        "speed": SPEED, "bump": BUMP, "length": BUMP_LENGTH, "begin": BUMP_AT, "radius": RADIUS,
    })  # fmt: skip
    m.add_body("body", dt.Inertia.box(BODY, size=(1.6, 0.7, 0.5)), position=(0, 0.05, 0.75), shapes=[
        dt.Shape.box((0.9, 0.06, 0.12), position=(0, 0.30, -0.55), colour="lightsteelblue"),
        dt.Shape.box((0.9, 0.06, 0.12), position=(0, 0.30, -0.20), colour="lightsteelblue"),
        dt.Shape.box((0.14, 0.06, 0.50), position=(0, 0.30, -0.40), colour="lightsteelblue"),
        dt.Shape.box((0.2, 0.2, 0.02), position=(0, 0.40, -0.12), colour="lightsteelblue"),
    ])  # fmt: skip
    m.add_body("lower", link(WISHBONES[0], LOWER_PIVOT, LOWER_BALL), position=middle(LOWER_PIVOT, LOWER_BALL))
    m.add_body("upper", link(WISHBONES[1], UPPER_PIVOT, UPPER_BALL), position=middle(UPPER_PIVOT, UPPER_BALL))
    m.add_body("carrier", dt.Inertia.box(CARRIER, size=(0.1, 0.08, 0.28)), position=middle(LOWER_BALL, UPPER_BALL))
    wheel = dt.Inertia.hollow_cylinder(WHEEL, inner_radius=0.2, outer_radius=RADIUS, length=0.2, axis="y")
    m.add_body("wheel", wheel, position=(HUB[0], HUB[1] + 0.05, HUB[2]))
    m.add_body("track_rod", link(ROD, TRACK_INNER, TRACK_OUTER), position=middle(TRACK_INNER, TRACK_OUTER))
    m.add_joint("bounce", dt.Prismatic("z"), m.ground, "body", at=(0, 0, 0.75))
    m.add_joint("lower_pivot", dt.Revolute("x"), "body", "lower", at=LOWER_PIVOT)
    m.add_joint("upper_pivot", dt.Revolute("x"), "body", "upper", at=UPPER_PIVOT)
    m.add_joint("lower_ball", dt.Spherical(), "lower", "carrier", at=LOWER_BALL)
    m.add_joint("upper_ball", dt.Spherical(), "upper", "carrier", at=UPPER_BALL)
    m.add_joint("track_inner", dt.Universal("x", "z"), "body", "track_rod", at=TRACK_INNER)
    m.add_joint("track_outer", dt.Spherical(), "track_rod", "carrier", at=TRACK_OUTER)
    m.add_joint("bearing", dt.Revolute("-y"), "carrier", "wheel", at=HUB, v0=SPEED / RADIUS)
    foot = m.add_marker("spring_foot", "lower", position=np.array(SPRING_FOOT) - middle(LOWER_PIVOT, LOWER_BALL))
    top = m.add_marker("spring_top", "body", position=np.array(SPRING_TOP) - (0, 0.05, 0.75))
    m.add_force("spring", dt.SpringDamper(top, foot, stiffness=SPRING, damping=DAMPER, rest_length=FREE_LENGTH))
    road = "if(abs(t - begin - length/speed/2) < length/speed/2, bump*(1 - cos(2*pi*(t - begin)*speed/length))/2, 0)"
    tyre = f"max(0, load + kt*({road} - wheel.position.z + radius) - ct*wheel.velocity.z)"
    m.add_force("tyre", dt.AppliedForce("wheel", (0, 0, tyre)))
    m.add_marker("hub", "carrier", position=np.array(HUB) - middle(LOWER_BALL, UPPER_BALL))
    return m


def main() -> dt.Result:
    """Simulate; comfort and safety in two numbers."""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    print(f"body: acceleration up to {np.abs(r['body.acceleration'][:, 2]).max():.1f} m/s2, "
          f"lift {1e3 * np.ptp(r['bounce.position']):.0f} mm")  # fmt: skip
    return r


if __name__ == "__main__":
    main()
