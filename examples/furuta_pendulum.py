"""Furuta pendulum in free motion: without friction, the moment of momentum about the axle is conserved."""

import numpy as np

import duoti as dt

ARM, ROD = 0.4, 0.5  # lengths [m]


def build() -> dt.Model:
    m = dt.Model("Furuta pendulum")
    arm = m.add_body("arm", dt.Inertia.rod(0.3, length=ARM, axis="x"), position=(ARM / 2, 0, 0))
    rod = m.add_body("rod", dt.Inertia.rod(0.1, length=ROD, axis="z"), position=(ARM, 0, -ROD / 2))
    m.add_joint("axle", dt.Revolute("z"), m.ground, arm, at=(0, 0, 0), v0=3.0)
    m.add_joint("hinge", dt.Revolute("x"), arm, rod, at=(ARM, 0, 0), q0=2.6)
    # the rod passes its lowest point where the sine of the angle passes through zero
    m.add_event("lowest", dt.Event("sin(hinge.angle)"))
    return m


def main() -> dt.Result:
    system = dt.compile(build())  # compile once, simulate and ask as often as you like
    r = dt.simulate(system, duration=4.0)
    print(r.summary())

    # d(kinetic energy)/d(axle rate) = first row of M(q) v, which the equations of motion say is constant
    about_axle = np.array([(dt.mass_matrix(system, q) @ v)[0] for q, v in zip(r.q, r.v, strict=True)])
    print(f"moment of momentum about the axle: {about_axle[0]:.9f} N m s, varies by {np.ptp(about_axle):.1g}")
    return r


if __name__ == "__main__":
    main()
