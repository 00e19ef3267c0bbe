"""Four-bar: a crank-rocker whose hinges over-constrain each other.

The crank has 0.2 m, the coupler 0.5 m, the rocker 0.4 m and the frame 0.5 m. By Grashof's rule, 0.2 + 0.5 < 0.5 + 0.4,
so the crank can turn fully. The rocker swings between the two positions where crank and coupler are in line. All four
joints are hinges. In space they over-constrain each other: three of the six closure equations are redundant. The
motion is still unique. `duoti check` says which reactions are not unique, and which joints to exchange if they matter.
"""

from __future__ import annotations

import numpy as np

import duoti as dt

DURATION = 3.0
PICTURE = {"instant": 0.4, "channels": ["D.angle"]}

CRANK, COUPLER, ROCKER, FRAME = 0.2, 0.5, 0.4, 0.5  # m


def build() -> dt.Model:
    """Drawn with the crank upright; x to the rocker's hinge, z up."""
    crank_pin = np.array([0, 0, CRANK])
    reach = float(np.hypot(FRAME, CRANK))  # from the crank pin to the rocker's hinge
    along = (reach**2 + COUPLER**2 - ROCKER**2) / (2 * reach)
    aside = float(np.sqrt(COUPLER**2 - along**2))
    to_hinge = np.array([FRAME, 0, -CRANK]) / reach
    rocker_pin = crank_pin + along * to_hinge + aside * np.array([-to_hinge[2], 0, to_hinge[0]])
    hinge = np.array([FRAME, 0, 0])
    m = dt.Model("four-bar")
    for name, mass, a, b in (
        ("crank", 0.5, np.zeros(3), crank_pin),
        ("coupler", 1.0, crank_pin, rocker_pin),
        ("rocker", 0.8, hinge, rocker_pin),
    ):
        inertia = dt.Inertia.rod(mass, length=float(np.linalg.norm(b - a)), axis=(b - a) / np.linalg.norm(b - a))
        m.add_body(name, inertia, position=(a + b) / 2)
    m.add_joint("A", dt.Revolute("y"), m.ground, "crank", at=(0, 0, 0), v0=2 * np.pi)
    m.add_joint("B", dt.Revolute("y"), "crank", "coupler", at=crank_pin)
    m.add_joint("C", dt.Revolute("y"), "coupler", "rocker", at=rocker_pin)
    m.add_joint("D", dt.Revolute("y"), m.ground, "rocker", at=hinge)
    m.add_force("motor", dt.JointTorque("A", "4*(2*pi - v)"))
    m.add_marker("middle", "coupler")
    return m


def main() -> dt.Result:
    """Check, simulate, compare the rocker's swing with geometry."""
    model = build()
    print(dt.check(model))
    r = dt.simulate(model, DURATION)
    print(r.summary())
    print(f"the rocker swings by {np.degrees(np.ptp(r['D.angle'])):.2f} degrees, in theory {np.degrees(swing()):.2f}")
    return r


def swing() -> float:
    """Angle between the two extreme positions of the rocker [rad], by the law of cosines."""
    at_frame = [
        np.arccos((FRAME**2 + ROCKER**2 - reach**2) / (2 * FRAME * ROCKER))
        for reach in (COUPLER - CRANK, COUPLER + CRANK)
    ]
    return float(at_frame[1] - at_frame[0])


if __name__ == "__main__":
    main()
