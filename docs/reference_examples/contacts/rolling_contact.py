"""A steel wheel that brakes on a rail."""

import duoti as dt

m = dt.Model("wheel on a rail")
wheel = m.add_body("wheel", dt.Inertia.cylinder(300.0, radius=0.5, length=0.1, axis="y"), position=(0, 0, 0.5))
m.add_joint("motion", dt.Planar("y"), m.ground, wheel, at=(0, 0, 0.5), v0=[0.0, 10.0, 20.0])
creep = dt.RollingContact(friction=0.3, shear_modulus=8e10, poisson_ratio=0.3, kalker=(4.0, 3.7, 1.5), axis_ratio=0.5)
tread = dt.Shape.revolution("0.5 - 0.5*z^2", (-0.05, 0.05), axis="y")
m.add_contact("rail", creep, m.ground, wheel, shapes=(dt.Shape.plane(), tread))
m.add_force("brake", dt.AppliedTorque(wheel, (0, -100.0, 0)))
r = dt.simulate(m, duration=1.0)
print(f"{r['wheel.velocity'][-1, 0]:.2f} m/s, {r['rail.force'][-1, 0]:.1f} N")
