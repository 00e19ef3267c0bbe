"""Double pendulum: two rods on hinges, in chaotic motion.

The upper rod has 1 m and 1 kg, the lower 0.8 m and 0.5 kg. They start at rest, with the upper rod 25 degrees above the
horizontal, and the lower rod turns over several times. The motion is chaotic: a small difference at the start grows
about tenfold every two seconds. Two runs with different tolerances show how far the result can be trusted.
"""

from __future__ import annotations

import numpy as np

import duoti as dt

DURATION = 6.0


def build() -> dt.Model:
    """The model, drawn hanging straight down."""
    m = dt.Model("double pendulum")
    upper = m.add_body("upper", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
    lower = m.add_body("lower", dt.Inertia.rod(0.5, length=0.8, axis="z"), position=(0, 0, -1.4))
    m.add_joint("A", dt.Revolute("y"), m.ground, upper, at=(0, 0, 0), q0=-2.0)
    m.add_joint("B", dt.Revolute("y"), upper, lower, at=(0, 0, -1.0), q0=-0.6)
    m.add_marker("tip", lower, position=(0, 0, -0.4))
    return m


def main() -> dt.Result:
    """Check, look at the topology, simulate with two tolerances, ask for a reaction."""
    model = build()
    print(dt.check(model))
    print(dt.topology(model))
    r = dt.simulate(model, DURATION, outputs=0.01)
    print(r.summary())

    fine = dt.simulate(model, DURATION, outputs=0.01, solver=dt.DOP853(rtol=1e-12, atol=1e-12))
    apart = np.linalg.norm(r["tip.position"] - fine["tip.position"], axis=1)
    print(f"the tip differs from a run at rtol = 1e-12 by {apart.max():.2g} m at most")

    pull = np.linalg.norm(r["A.reaction_force"], axis=1)
    print(f"largest force in joint A: {pull.max():.1f} N at t = {r.t[pull.argmax()]:.2f} s")
    return r


if __name__ == "__main__":
    main()
