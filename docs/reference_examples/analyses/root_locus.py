"""The eigenvalues of a pendulum over its damping."""

import duoti as dt

m = dt.Model("pendulum")
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
m.add_force("damper", dt.JointDamping("pivot", damping=0.1))
locus = dt.root_locus(m, "damper.damping", [0.1, 0.5, 1.0, 1.5, 2.0, 2.4, 2.55, 2.6, 3.0])
print(locus.eigenvalues[[0, -1]].round(3))
