"""Centrifugal governor: flyballs on a steam engine's shaft throttle it; a load is switched on and the speed recovers.

A Porter governor: arms and links of 250 mm, balls of 2 kg, a sleeve of 8 kg on the spindle. As the shaft speeds up
the balls fly out and lift the sleeve, which closes the throttle: the engine's torque falls from 40 N m by 200 N m for
each metre of lift. At t = 10 s the load rises from 20 to 30 N m; the speed falls, the sleeve sinks and the throttle
opens. A dashpot on the sleeve makes this stable: with too little oil in it the engine hunts, as I. A. Vyshnegradskii
explained in 1876 (try `duoti run governor --set oil=20`). In steady rotation with the speed w the arms hang at the
angle cos(a) = g (2m + 2M + ma + 3mk) / (2 w^2 l (m + (ma + mk)/3)) from the vertical; ma, mk are the masses of an arm
and a link, m and M those of a ball and the sleeve (equilibrium of the rotating mechanism, by Lagrange's equation).
"""

from __future__ import annotations

import numpy as np

import duoti as dt

DURATION = 20.0
PICTURE = {"instant": 9.0, "channels": ["spindle.rate"]}

LENGTH = 0.25  # of arms and links [m]
BALL, SLEEVE, ARM, LINK = 2.0, 8.0, 0.3, 0.3  # kg
ANGLE = np.radians(35)  # of the arms from the vertical in the drawing
START = 19.0  # rad/s


def build() -> dt.Model:
    """Drawn with the arms at 35 degrees, the spindle along z, its top at the origin."""
    m = dt.Model("governor", parameters={"full": 40.0, "throttle": 200.0, "load1": 20.0, "load2": 30.0})
    s, c = LENGTH * np.sin(ANGLE), LENGTH * np.cos(ANGLE)
    flywheel = dt.Inertia.cylinder(40.0, radius=0.35, length=0.04, axis="z")
    m.add_body("shaft", flywheel, position=(0, 0, -3 * LENGTH), shapes=[
        dt.Shape.cylinder(0.35, 0.04, colour="lightsteelblue"),
        dt.Shape.cylinder(0.012, 3 * LENGTH, position=(0, 0, 1.5 * LENGTH), colour="lightsteelblue"),
    ])  # fmt: skip
    m.add_body("sleeve", dt.Inertia.cylinder(SLEEVE, radius=0.05, length=0.1, axis="z"), position=(0, 0, -2 * c))
    m.add_joint("spindle", dt.Revolute("z"), m.ground, "shaft", at=(0, 0, -3 * LENGTH), v0=START)
    m.add_joint("slide", dt.Prismatic("z"), "shaft", "sleeve", at=(0, 0, -2 * c))
    for name, side in (("left", -1.0), ("right", 1.0)):
        tilt = dt.Rotation.about("y", -side * ANGLE)  # of a rod drawn along z whose lower end is further out
        arm = dt.Inertia.rod(ARM, length=LENGTH, axis="z")
        ball = dt.Inertia.sphere(BALL, 0.04, com=(0, 0, -LENGTH / 2))
        m.add_body(f"{name}_arm", arm + ball, position=(side * s / 2, 0, -c / 2), rotation=tilt)
        link = dt.Inertia.rod(LINK, length=LENGTH, axis="z")
        m.add_body(f"{name}_link", link, position=(side * s / 2, 0, -1.5 * c), rotation=tilt.inverse())
        m.add_joint(f"{name}_top", dt.Revolute("y"), "shaft", f"{name}_arm", at=(0, 0, 0))
        m.add_joint(f"{name}_elbow", dt.Spherical(), f"{name}_arm", f"{name}_link", at=(side * s, 0, -c))
        m.add_joint(f"{name}_foot", dt.Cylindrical("y"), "sleeve", f"{name}_link", at=(0, 0, -2 * c))
    m.add_force("engine", dt.JointTorque("spindle", "full - throttle*slide.position - step(t, 10, load1, 10.1, load2)"))
    m.add_force("dashpot", dt.JointDamping("slide", 150.0))
    m.add_marker("ball", "right_arm", position=(0, 0, -LENGTH / 2))
    return m


def steady_angle(speed: float) -> float:
    """Of the arms from the vertical [rad] in steady rotation at a speed [rad/s]."""
    weight = 9.81 * (2 * BALL + 2 * SLEEVE + ARM + 3 * LINK)
    return float(np.arccos(weight / (2 * speed**2 * LENGTH * (BALL + (ARM + LINK) / 3))))


def main() -> dt.Result:
    """Simulate and compare the steady states before and after the load was switched on."""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    for time in (10.0, DURATION):
        k = int(np.searchsorted(r.t, time))
        speed, angle = r["spindle.rate"][k], np.arccos(-r["ball.position"][k, 2] / LENGTH)
        print(f"t = {time} s: {speed * 30 / np.pi:.1f} rpm, arms at {np.degrees(angle):.3f} degrees, in theory "
              f"{np.degrees(steady_angle(speed)):.3f}")  # fmt: skip
    return r


if __name__ == "__main__":
    main()
