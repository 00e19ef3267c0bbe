"""Six-bar leg: Klann's linkage turns the rotation of a crank into the step of a foot.

Crank, connecting rod, two rockers and leg, in the arrangement of J. C. Klann's walking machine (US patent 6 260 862),
with lengths found by a search of ours: the foot moves back on a line that is level within 11 mm during half a turn,
lifts by 130 mm and swings forward by 310 mm. A motor of 60 N m stall torque and 60 rpm no-load speed turns the crank;
while the foot is down, soft ground carries it with up to 300 N and resists its sliding. Seven joints close two loops.
Each loop has one ball joint and one cylindrical joint, so that nothing is over-constrained.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

import duoti as dt

DURATION = 4.0
PICTURE = {"instant": 0.3, "channels": ["foot.position.x", "foot.position.z"]}

# pins in the drawing, x and z in m; the crank points along x
POINTS = {
    "crank_axle": (0.0, 0.0),
    "lower_axle": (-0.2030, -0.0555),
    "upper_axle": (-0.0715, 0.2185),
    "crank_pin": (0.0870, 0.0),
    "elbow": (-0.1093, 0.0094),
    "knee": (-0.2322, 0.1141),
    "hip": (-0.1405, 0.3755),
    "foot": (-0.1112, -0.1702),
}
# body: mass [kg], pins that it connects
LINKS = {
    "crank": (0.4, ("crank_axle", "crank_pin")),
    "rod": (1.2, ("crank_pin", "elbow", "knee")),
    "lower_rocker": (0.5, ("lower_axle", "elbow")),
    "upper_rocker": (0.7, ("upper_axle", "hip")),
    "leg": (2.0, ("hip", "knee", "foot")),
}
GROUND = -0.175  # height of the ground [m]


def point(name: str) -> np.ndarray:
    """A pin in the world."""
    x, z = POINTS[name]
    return np.array([x, 0.0, z])


def bar(mass: float, pins: tuple[str, ...]) -> tuple[dt.Inertia, np.ndarray]:
    """Inertia of thin bars from pin to pin, and the body's origin: the middle of the first and the last pin."""
    ends = [point(p) for p in pins]
    origin = (ends[0] + ends[-1]) / 2
    lengths = [float(np.linalg.norm(b - a)) for a, b in pairwise(ends)]
    parts = [
        dt.Inertia.rod(mass * length / sum(lengths), length=length, axis=b - a, com=(a + b) / 2 - origin)
        for a, b, length in zip(ends[:-1], ends[1:], lengths, strict=True)
    ]
    return sum(parts[1:], parts[0]), origin


def build() -> dt.Model:
    """All bodies are parallel to the world in the drawing."""
    m = dt.Model("six-bar leg", parameters={"ground_height": GROUND, "stiffness": 2e4, "friction": 0.5})
    for name, (mass, pins) in LINKS.items():
        inertia, origin = bar(mass, pins)
        m.add_body(name, inertia, position=origin)
    m.add_joint("crank_axle", dt.Revolute("-y"), m.ground, "crank", at=point("crank_axle"))
    m.add_joint("lower_axle", dt.Revolute("y"), m.ground, "lower_rocker", at=point("lower_axle"))
    m.add_joint("upper_axle", dt.Revolute("y"), m.ground, "upper_rocker", at=point("upper_axle"))
    m.add_joint("crank_pin", dt.Cylindrical("y"), "crank", "rod", at=point("crank_pin"))
    m.add_joint("elbow", dt.Spherical(), "lower_rocker", "rod", at=point("elbow"))
    m.add_joint("hip", dt.Cylindrical("y"), "upper_rocker", "leg", at=point("hip"))
    m.add_joint("knee", dt.Spherical(), "rod", "leg", at=point("knee"))
    m.add_marker("foot", "leg", position=point("foot") - bar(*LINKS["leg"])[1])
    m.add_force("motor", dt.JointMotor("crank_axle", stall_torque=60.0, no_load_speed=2 * np.pi))
    press = "stiffness*max(0, ground_height - foot.position.z)"
    m.add_force("floor", dt.AppliedForce("foot", (f"-friction*{press}*tanh(foot.velocity.x/0.05)", 0, press)))
    return m


def main() -> dt.Result:
    """Simulate four turns; stride and lift of the foot."""
    r = dt.simulate(build(), DURATION)
    print(r.summary())
    x, _, z = r["foot.position"].T
    print(f"stride {1e3 * np.ptp(x):.0f} mm, lift {1e3 * np.ptp(z):.0f} mm; "
          f"{r['crank_axle.angle'][-1] / (2 * np.pi):.2f} turns")  # fmt: skip
    return r


if __name__ == "__main__":
    main()
