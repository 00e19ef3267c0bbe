"""Where the energy of a damped pendulum goes."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0), q0=0.5)
m.add_force("damper", dt.JointDamping("pivot", damping=0.5))
r = dt.simulate(m, duration=2.0)
flow = dt.energy_flow(r)
print(flow.residual.max() < 1e-9)
print(flow.table())
