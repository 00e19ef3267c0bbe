"""A mass on a spring and damper."""

import duoti as dt

m = dt.Model("oscillator")
mass = m.add_body("mass", dt.Inertia.point(1.0), position=(0, 0, -0.5))
m.add_joint("guide", dt.Prismatic("z"), m.ground, mass, at=(0, 0, -0.5))
m.add_force("spring", dt.SpringDamper(m.ground, mass, stiffness=100.0, damping=1.0, rest_length=0.5))
r = dt.simulate(m, duration=2.0)
print(f"{r['spring.length'][-1]:.3f} m, {r['spring.tension'][-1]:.2f} N")
