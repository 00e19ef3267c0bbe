"""A pendulum with a servo, written for MuJoCo."""

from pathlib import Path

import duoti as dt

m = dt.Model("pendulum", parameters={"servo_control": 0.3})
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
m.add_joint("pivot", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
m.add_force("servo", dt.JointTorque("pivot", "20*servo_control - 20*q - v"))
print(dt.formats.save_mjcf(m, "pendulum.xml"))
print(next(line.strip() for line in Path("pendulum.xml").read_text().splitlines() if "<general" in line))
