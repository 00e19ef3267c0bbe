"""Arm from a URDF file: motors on six axes move a tool from the upright position.

The robot comes from `robots/arm6/arm6.urdf`, with its masses, frames, damping and meshes; the script adds the motors.
Each motor follows a smooth step to its goal by a PD law, plus the torque that holds the goal against gravity. It is
limited to the effort that the URDF allows: 150 N m at waist, shoulder and elbow, 28 N m at the wrist.
`model.import_notes` lists what the import left out, such as collision shapes. `model.save` made the model file from
this script. The robot alone runs by `duoti run robots/arm6/arm6.urdf`.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

import duoti as dt

DURATION = 3.0
PICTURE = {"solid": True, "tip": "tool0", "channels": ["waist.angle", "shoulder.angle", "elbow.angle", "wrist_1.angle"]}
PARTS = (
    "robots/arm6/arm6.urdf",
    *(
        f"robots/arm6/meshes/{name}"
        for name in ("base.stl", "forearm.stl", "shoulder.stl", "upper_arm.obj", "wrist.obj")
    ),
)

URDF = Path(__file__).parent / "robots" / "arm6" / "arm6.urdf"
# joint: goal [rad], stiffness [N m/rad] and damping [N m s/rad] of the law, holding torque and largest torque [N m]
MOTORS = {
    "waist": (0.9, 400.0, 60.0, 0.0, 150.0),
    "shoulder": (0.8, 800.0, 120.0, -38.68, 150.0),
    "elbow": (1.0, 300.0, 30.0, -13.2, 150.0),
    "wrist_1": (-0.6, 40.0, 2.0, -0.57, 28.0),
    "wrist_2": (0.5, 40.0, 2.0, 0.05, 28.0),
    "wrist_3": (1.5, 10.0, 0.3, 0.0, 28.0),
}


def build() -> dt.Model:
    """The robot of the URDF with motors; it starts upright."""
    m = dt.load(URDF)
    m.name = "arm from URDF"
    for joint, (goal, kp, kd, hold, most) in MOTORS.items():
        law = f"clip({kp}*(step(t, 0, 0, 1.5, {goal}) - q) - {kd}*v + step(t, 0, 0, 1.5, {hold}), {-most}, {most})"
        m.add_force(f"{joint}_motor", dt.JointTorque(joint, law))
    return m


def holding_torques() -> dict[str, float]:
    """What the motors must do to hold the goal against gravity [N m]."""
    system = dt.compile(dt.load(URDF))
    q, v = system.state({joint: motor[0] for joint, motor in MOTORS.items()})
    tau = dt.inverse_dynamics(system, q, v, np.zeros(system.nv))
    return {joint: float(tau[system.joints[joint].v[0]]) for joint in MOTORS}


def main() -> dt.Result:
    """What was left out of the URDF, how well the arm arrives, and what the motors do."""
    model = build()
    print(f"not used of the URDF:\n{model.import_notes}\n")
    print("holding torques:", ", ".join(f"{joint} {torque:.2f} N m" for joint, torque in holding_torques().items()))
    r = dt.simulate(model, DURATION)
    print(r.summary())
    miss = max(abs(r[f"{joint}.angle"][-1] - motor[0]) for joint, motor in MOTORS.items())
    print(f"tool at {r['tool0.position'][-1].round(4)} m; goals are missed by {np.degrees(miss):.3f} degrees at most")
    return r


if __name__ == "__main__":
    main()
