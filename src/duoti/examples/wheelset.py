"""Hunting wheelset: conical wheels on round rails; above its critical speed a small offset grows to a steady wave.

A small wheelset (16 kg, wheels of 100 mm radius; numbers of the Test Set for IVP Solvers) is guided by springs of a
train that travels at a constant speed. Its wheels are cones: where it is off the middle, one side rolls on a larger
radius and steers it back, past the middle. Creep forces between wheels and rails (Kalker's linear theory, limited by
friction) damp this wave at low speed and feed it at high speed: at 30 m/s the offset of 1.5 mm grows to 10 mm,
where friction limits the creep forces. At 10 m/s it dies out: duoti run wheelset --set speed=10.
"""

from __future__ import annotations

from math import cos, sin, tan

import numpy as np

import duoti as dt

DURATION = 2.0
PICTURE = {"camera": (-0.6, 0.3), "channels": ["wheelset.position.y"], "solid": True, "instant": 0.0, "near": True}

SPEED = 30.0  # m/s
MASS, AXLE, ACROSS = 16.08, 0.0605, 0.366  # kg, kg m^2 about the axle and across it
RADIUS, HALF_GAUGE, CONE, RAIL = 0.1, 0.1506, 0.0262, 0.06  # m, m, rad, m
OFFSET = 1.5e-3  # m
ROLL = 0.177  # rad/m: both wheels stay on their rails, cone / (half gauge + rail cone - cone (radius + rail))


def build(speed: float = SPEED) -> dt.Model:
    """x is forward, y to the left, z up; the wheels' common middle is the origin."""
    m = dt.Model("wheelset", parameters={"speed": speed, "offset": OFFSET})
    m.add_body("train", dt.Inertia.sphere(1.0, radius=0.01))
    m.add_joint("travel", dt.Prismatic("x"), m.ground, "train", v0=[speed])
    m.add_constraint("speed", dt.JointMotion("travel", "speed*t"))
    wheels, rails = {}, {}
    for side, sign in (("left", 1), ("right", -1)):
        limits = (0.1, 0.18) if sign > 0 else (-0.18, -0.1)
        tread = f"{RADIUS} + {tan(CONE):.8f}*({HALF_GAUGE} - abs(z))"
        wheels[side] = dt.Shape.revolution(tread, limits, axis="y", colour="steelblue")
        place = (0, sign * (HALF_GAUGE + RAIL * sin(CONE)), -RADIUS - RAIL * cos(CONE))
        rails[side] = dt.Shape.extrusion(f"sqrt({RAIL}^2 - x^2)", 0.5, (-0.035, 0.035), axis="x", position=place,
                                         colour="dimgray")  # fmt: skip
    m.ground.shapes += rails.values()
    shaft = dt.Shape.cylinder(0.02, 0.36, axis="y", colour="slategray")
    inertia = dt.Inertia(MASS, matrix=np.diag([ACROSS, AXLE, ACROSS]))
    m.add_body("wheelset", inertia, shapes=[*wheels.values(), shaft])
    # lateral, vertical, longitudinal; yaw, roll, rotation
    m.add_joint("six", dt.Composite.of_axes("yzx", "zxy"), "train", "wheelset",
                q0=[OFFSET, 4e-7, 0, 0, ROLL * OFFSET, 0], v0=[0, 0, 0, 0, 0, speed / RADIUS])  # fmt: skip
    m.add_force("lateral", dt.JointSpring("six", stiffness=12800.0, coordinate=0))
    m.add_force("along", dt.JointSpring("six", stiffness=12800.0, coordinate=2))
    m.add_force("yaw", dt.JointSpring("six", stiffness=462.08, coordinate=3))
    law = dt.RollingContact(friction=0.12, shear_modulus=7.92e10, poisson_ratio=0.28, kalker=(4.728, 4.275, 1.972))
    for side in wheels:
        m.add_contact(side, law, m.ground, "wheelset", shapes=(rails[side], wheels[side]))
    return m


def main() -> dt.Result:
    """Above and below the critical speed."""
    fast, slow = (dt.simulate(build(speed), DURATION) for speed in (SPEED, 10.0))
    print(fast.summary())
    for r, speed in ((fast, SPEED), (slow, 10.0)):
        late = np.abs(r["six.q"][r.t > 0.75 * DURATION, 0]).max()
        print(f"{speed:.0f} m/s: {1000 * OFFSET:.1f} mm at the start, {1000 * late:.3f} mm at the end")
    return fast


if __name__ == "__main__":
    main()
