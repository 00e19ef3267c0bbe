"""Furuta pendulum: a rod that swings at the end of a turning arm, moving freely after a push.

An arm of 0.4 m turns about a vertical axle with 3 rad/s. At its end a rod of 0.5 m hangs on a hinge along the arm and
starts almost upright. The rod falls, swings and drags the arm to and fro. Nothing turns the mechanism about its axle,
so the moment of momentum about it is conserved; the friction of the axle, 2e-3 N m s/rad, lets it decay.
"""

from __future__ import annotations

import numpy as np

import duoti as dt

DURATION = 4.0


def build() -> dt.Model:
    """An arm on a vertical axis; the rod hangs at its end and turns about the arm's axis."""
    m = dt.Model("Furuta pendulum", parameters={"friction": 0.002})
    arm = m.add_body("arm", dt.Inertia.rod(0.3, length=0.4, axis="x"), position=(0.2, 0, 0))
    hub = m.add_body("hub", dt.Inertia.cylinder(0.4, radius=0.05, length=0.06, axis="z"), position=(0, 0, 0))
    rod = m.add_body("rod", dt.Inertia.rod(0.1, length=0.5, axis="z"), position=(0.4, 0, -0.25))
    m.add_joint("axle", dt.Revolute("z"), m.ground, hub, at=(0, 0, 0), v0=3.0)
    m.add_joint("clamp", dt.Fixed(), hub, arm, at=(0, 0, 0))
    m.add_joint("hinge", dt.Revolute("x"), arm, rod, at=(0.4, 0, 0), q0=2.6)
    m.add_force("friction", dt.JointTorque("axle", "-friction*v"))
    m.add_marker("tip", rod, position=(0, 0, -0.25))
    m.add_event("lowest", dt.Event("sin(hinge.angle)"))
    return m


def main() -> dt.Result:
    """Without friction, the moment of momentum about the axle is constant."""
    model = build()
    model.parameters["friction"] = 0.0
    system = dt.compile(model)  # compile once, simulate and ask as often as you like
    r = dt.simulate(system, DURATION)
    print(r.summary())
    # d(kinetic energy)/d(axle rate) = first row of M(q) v, which the equations of motion say is constant
    about_axle = np.array([(dt.mass_matrix(system, q) @ v)[0] for q, v in zip(r.q, r.v, strict=True)])
    print(f"moment of momentum about the axle: {about_axle[0]:.9f} N m s, varies by {np.ptp(about_axle):.1g}")
    return r


if __name__ == "__main__":
    main()
