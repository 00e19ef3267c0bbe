"""A pendulum with a motor torque as an FMU."""

import duoti as dt

m = dt.Model("pendulum", parameters={"u": 0.0, "damping": 0.1})
rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
m.add_force("motor", dt.JointTorque("A", "u - damping * A.rate"))
fmu = dt.export_fmu(m, "pendulum.fmu", inputs=["u"], outputs=["A.angle", "rod.position"])
print(fmu.inputs, fmu.outputs, fmu.parameters)
