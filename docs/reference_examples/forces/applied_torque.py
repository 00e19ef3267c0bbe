"""A satellite that a torque turns about its x axis."""

import duoti as dt

m = dt.Model("satellite", gravity=(0, 0, 0))
body = m.add_body("satellite", dt.Inertia.box(50.0, size=(1.0, 1.0, 2.0)))
m.add_joint("orbit", dt.Free(), m.ground, body, at=(0, 0, 0))
m.add_force("wheel", dt.AppliedTorque(body, ("0.5*sin(2*t)", 0, 0), frame="marker"))
r = dt.simulate(m, duration=2.0)
print(r["satellite.angular_velocity"][-1].round(4), "rad/s")
