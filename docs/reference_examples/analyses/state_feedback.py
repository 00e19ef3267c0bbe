"""A pendulum is held upright by a gain that places both poles at -5 and -6."""

import duoti as dt

m = dt.Model("pendulum")
m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, 0.5))
m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
lin = dt.linearise(m, inputs=["A"])
(a,), b = lin.A[1:, :1].ravel(), lin.B[1, 0]
K = [[(30.0 + a) / b, 11.0 / b]]
closed = dt.state_feedback(m, lin, K)
closed.joints["A"].q0 = 0.2
r = dt.simulate(closed, 3.0)
print(f"{r['A.angle'][-1]:.1e} rad")
