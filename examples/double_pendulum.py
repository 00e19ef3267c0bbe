"""Double pendulum: describe, check, simulate, look. Two tolerances show how far the motion can be trusted."""

import numpy as np

import duoti as dt


def build() -> dt.Model:
    m = dt.Model("double pendulum", gravity=(0, 0, -9.81))
    upper = m.add_body("upper", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
    lower = m.add_body("lower", dt.Inertia.rod(0.5, length=0.8, axis="z"), position=(0, 0, -1.4))
    m.add_joint("A", dt.Revolute("y"), m.ground, upper, at=(0, 0, 0), q0=-2.0)
    m.add_joint("B", dt.Revolute("y"), upper, lower, at=(0, 0, -1), q0=-0.6)
    m.add_marker("tip", lower, position=(0, 0, -0.4))
    return m


def main() -> dt.Result:
    model = build()
    print(dt.check(model))
    print(dt.topology(model))

    r = dt.simulate(model, duration=6.0, outputs=0.01)
    print(r.summary())

    fine = dt.simulate(model, duration=6.0, outputs=0.01, solver=dt.DOP853(rtol=1e-12, atol=1e-12))
    apart = np.linalg.norm(r["tip.position"] - fine["tip.position"], axis=1)
    print(f"the tip differs from a run at rtol = 1e-12 by {apart.max():.2g} m at most")

    pull = np.linalg.norm(r["A.reaction_force"], axis=1)
    print(f"largest force in joint A: {pull.max():.1f} N at t = {r.t[pull.argmax()]:.2f} s")
    r.plot("A.angle", "B.angle", "tip.position", "energy").savefig("double_pendulum_channels.png", dpi=120)
    return r


if __name__ == "__main__":
    main()
