"""Robot arm: PD control by expressions, with compensation of gravity.

The arm has a waist and three links of 0.4, 0.35 and 0.15 m. Each motor follows a smooth step of one second to its goal
by the law kp*(goal - q) - kd*v. Gravity pulls the arm a few degrees off the goal. With the holding torques of inverse
dynamics added to the law, the arm reaches it.
"""

from __future__ import annotations

import numpy as np

import duoti as dt

DURATION = 4.0

LENGTHS = {"upper_arm": 0.4, "forearm": 0.35, "hand": 0.15}
MASSES = {"upper_arm": 4.0, "forearm": 2.5, "hand": 0.8}
GOAL = {"shoulder": 0.7, "elbow": -1.1, "wrist": 0.4}  # rad
SIZE = {"shoulder": 1.0, "elbow": 0.4, "wrist": 0.05}  # of the motors: the further out, the smaller


HOLD = {"shoulder": -22.98, "elbow": -7.07, "wrist": -0.59}  # N m, what inverse dynamics tells; see `holding_torques`


def build() -> dt.Model:
    """The arm, stretched along x; the parameter "hold" switches the holding torques on (1) or off (0)."""
    m = dt.Model("robot arm", parameters={"kp": 400.0, "kd": 60.0, "hold": 1.0})
    base = m.add_body("base", dt.Inertia.cylinder(8.0, radius=0.1, length=0.3, axis="z"), position=(0, 0, 0.15))
    m.add_joint("waist", dt.Revolute("z"), m.ground, base, at=(0, 0, 0))
    m.add_force("waist_motor", dt.JointTorque("waist", "kp*(step(t, 0, 0, 1, 0.9) - q) - kd*v"))
    parent, x = base, 0.0
    for (name, length), joint in zip(LENGTHS.items(), GOAL, strict=True):
        tube = dt.Inertia.cylinder(MASSES[name], radius=0.04, length=length, axis="x", com=(length / 2, 0, 0))
        link = m.add_body(name, tube, position=(x, 0, 0.3))
        m.add_joint(joint, dt.Revolute("y"), parent, link, at=(x, 0, 0.3), limits=[(-2.6, 2.6)])
        law = f"{SIZE[joint]}*(kp*(step(t, 0, 0, 1, {GOAL[joint]}) - q) - kd*v) + hold*step(t, 0, 0, 1, {HOLD[joint]})"
        m.add_force(f"{joint}_motor", dt.JointTorque(joint, law))
        parent, x = link, x + length
    m.add_marker("tool", parent, position=(LENGTHS["hand"], 0, 0))
    return m


def holding_torques() -> dict[str, float]:
    """What the motors must do to hold the goal against gravity [N m]."""
    model = build()
    model.forces.clear()
    system = dt.compile(model)
    q, v = system.state({**GOAL, "waist": 0.9})
    tau = dt.inverse_dynamics(system, q, v, np.zeros(system.nv))
    return {joint: float(tau[system.joints[joint].v[0]]) for joint in GOAL}


def main() -> dt.Result:
    """Move without and with the holding torques."""
    print("holding torques:", ", ".join(f"{joint} {torque:.2f} N m" for joint, torque in holding_torques().items()))
    model = build()
    for title, hold in (("PD law alone", 0.0), ("with gravity cancelled", 1.0)):
        model.parameters["hold"] = hold
        r = dt.simulate(model, DURATION)
        miss = {joint: float(np.degrees(r[f"{joint}.angle"][-1] - goal)) for joint, goal in GOAL.items()}
        print(f"{title}: missed by", ", ".join(f"{joint} {angle:.3f} deg" for joint, angle in miss.items()))
    print(r.summary())
    return r


if __name__ == "__main__":
    main()
