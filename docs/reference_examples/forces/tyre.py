"""A wheel with a mass on it is braked: slip and force of its tyre."""

import duoti as dt

tyre = dt.Tyre.fiala(radius=0.3, vertical_stiffness=2e5, slip_stiffness=8e4, cornering_stiffness=6e4)
m = dt.Model("braking")
car = m.add_body("car", dt.Inertia.point(380.0), position=(0, 0, 0.28))
wheel = m.add_body("wheel", dt.Inertia.cylinder(20.0, 0.3, 0.2, axis="y"), position=(0, 0, 0.28))
m.add_joint("drive", dt.Translation(), m.ground, car, v0=(20.0, 0, 0))
m.add_joint("spin", dt.Revolute("y"), car, wheel, v0=20.0 / 0.28)
m.add_force("brake", dt.JointTorque("spin", -500.0))
m.add_force("tyre", dt.TyreForce(wheel, dt.Road.flat(), tyre))
r = dt.simulate(m, duration=1.0)
print(f"slip {r['tyre.slip_ratio'][-1]:.4f}, force {r['tyre.fx'][-1]:.0f} N, {r['car.velocity'][-1, 0]:.2f} m/s")
