"""Models for the tests of the viewer."""

import duoti as dt


def slider_crank():
    m = dt.Model("slider-crank")
    crank = m.add_body("crank", dt.Inertia.rod(1.0, length=0.3, axis="x"), position=(0.15, 0, 0))
    rod = m.add_body("rod", dt.Inertia.rod(2.0, length=0.8, axis="x"), position=(0.70, 0, 0))
    slider = m.add_body("slider", dt.Inertia.box(0.5, size=(0.1, 0.1, 0.1)), position=(1.10, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, crank, at=(0.0, 0, 0))
    m.add_joint("B", dt.Revolute("y"), crank, rod, at=(0.3, 0, 0))
    m.add_joint("C", dt.Revolute("y"), rod, slider, at=(1.1, 0, 0))
    m.add_joint("D", dt.Prismatic("x"), m.ground, slider, at=(1.1, 0, 0))
    m.add_force("motor", dt.JointTorque("A", "10*sin(2*pi*t)"))
    m.add_force("spring", dt.SpringDamper(m.ground, slider, stiffness=50, damping=2, rest_length=1))
    m.add_marker("pin", crank, position=(0.15, 0, 0))
    return m


def pendulum(name="pendulum"):
    """A ball of a radius that can be measured on the screen, on a massless string."""
    m = dt.Model(name)
    ball = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.12), position=(0, 0, -1.0))
    m.add_joint("hook", dt.Revolute("y"), m.ground, ball, at=(0, 0, 0), q0=0.9)
    return m


def all_joints():
    """A tree with a joint of every kind, each carrying a shape of its own, and force elements of every drawn kind."""
    m = dt.Model("museum")
    joints = [
        dt.Revolute("y"), dt.Prismatic("z"), dt.Cylindrical((1, 1, 0)), dt.Universal("x", "y"), dt.Spherical(),
        dt.Planar("z"), dt.Screw("z", lead_per_turn=0.05), dt.Composite(dt.Revolute("x"), dt.Prismatic("y")),
        dt.Fixed(), dt.Free(),
    ]  # fmt: skip
    inertias = [
        dt.Inertia.rod(1, 0.4, axis="z"), dt.Inertia.box(1, (0.1, 0.1, 0.2)), dt.Inertia.cylinder(1, 0.05, 0.3),
        dt.Inertia.hollow_cylinder(1, 0.04, 0.07, 0.2), dt.Inertia.sphere(1, 0.08), dt.Inertia.torus(1, 0.1, 0.03),
        dt.Inertia.cone(1, 0.08, 0.2), dt.Inertia.ellipsoid(1, (0.05, 0.08, 0.12)),
        dt.Inertia(1, (0, 0, 0), (0.1, 0.1, 0.1)),
        dt.Inertia.box(1, (0.2, 0.1, 0.05)) - dt.Inertia.cylinder(0.1, 0.02, 0.05),
    ]  # fmt: skip
    for i, (joint, inertia) in enumerate(zip(joints, inertias, strict=True)):
        x, y = (i % 4) * 0.7, (i // 4) * 0.7
        body = m.add_body(f"body {i}", inertia, position=(x, y, -0.25), rotation=dt.Rotation.about("z", 0.2 * i))
        m.add_joint(joint.kind, joint, m.ground, body, at=(x, y, 0))
    m.add_marker("hook", m.ground, (0.7, 0, 0.4))
    m.add_force("spring", dt.SpringDamper("hook", "body 1", stiffness=80, damping=0.5, rest_length=0.5))
    m.add_force("rope", dt.LineForce("hook", "body 2", "3"))
    m.add_force("push", dt.AppliedForce("body 5", ("2*sin(3*t)", "2*cos(3*t)", 0)))
    m.add_force("twist", dt.AppliedTorque("body 5", (0, 0, "0.1*sin(t)")))
    m.add_force("hold", dt.JointSpring("screw", stiffness=1.0, damping=0.1))
    return m
