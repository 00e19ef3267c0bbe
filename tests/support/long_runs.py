"""Runs of a second or so of wall time each, for tests that kill and resume them."""

import duoti as dt


def pendulum():
    """A double pendulum with events."""
    m = dt.Model("double pendulum")
    a = m.add_body("a", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    b = m.add_body("b", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(1.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, a, at=(0, 0, 0))
    m.add_joint("B", dt.Revolute("y"), a, b, at=(1, 0, 0))
    m.add_event("low", dt.Event("A.angle - 1.5", direction="rising"))
    return m


def slider_crank(driven=True, stiff=False):
    """A closed loop with a spring; driven: a motor and a state; stiff: a small mass on a hard, damped spring."""
    m = dt.Model("slider-crank")
    crank = m.add_body("crank", dt.Inertia.box(1.0, size=(0.3, 0.02, 0.02)), position=(0.15, 0, 0))
    rod = m.add_body("rod", dt.Inertia.box(2.0, size=(0.8, 0.02, 0.02)), position=(0.70, 0, 0))
    slider = m.add_body("slider", dt.Inertia.box(0.5, size=(0.1, 0.1, 0.1)), position=(1.10, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, crank, at=(0, 0, 0), v0=3.0)
    m.add_joint("B", dt.Revolute("y"), crank, rod, at=(0.3, 0, 0))
    m.add_joint("C", dt.Revolute("y"), rod, slider, at=(1.1, 0, 0))
    m.add_joint("D", dt.Prismatic("x"), m.ground, slider, at=(1.1, 0, 0))
    m.add_marker("wall", m.ground, position=(2, 0, 0))
    m.add_force("spring", dt.SpringDamper("wall", "slider", stiffness=1e3, damping=0.5, rest_length=0.9))
    if driven:
        m.add_state("lag", "3*(A.rate - lag)")
        m.add_force("motor", dt.JointTorque("A", "4*sin(2*t) - 0.5*lag"))
    if stiff:
        mass = m.add_body("mass", dt.Inertia.sphere(0.1, radius=0.05), position=(1.3, 0, 0))
        m.add_joint("E", dt.Prismatic("x"), slider, mass, at=(1.3, 0, 0))
        m.add_force("hard", dt.JointSpring("E", 1e6))
        m.add_force("loss", dt.JointDamping("E", 1e3))
    return m


def stiff_chain():
    """A mass on a stiff spring on a pendulum, with a loss that comes and goes: stiff at times."""
    m = dt.Model("stiff")
    a = m.add_body("a", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0))
    b = m.add_body("b", dt.Inertia.sphere(0.1, radius=0.05), position=(1.0, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, a, at=(0, 0, 0))
    m.add_joint("B", dt.Prismatic("x"), a, b, at=(1.0, 0, 0))
    m.add_force("spring", dt.JointSpring("B", 1e3))
    m.add_force("loss", dt.JointTorque("B", "-2*B.velocity - 1e3*B.velocity*max(0, sin(0.3*t))"))
    m.add_force("kick", dt.JointTorque("A", "3*sin(5*t)"))
    return m


def top():
    """A body on a spherical joint: quaternions."""
    m = dt.Model("top")
    body = m.add_body("top", dt.Inertia.cylinder(1.0, radius=0.2, length=0.1, axis="z"), position=(0, 0, 0.5))
    m.add_joint("pivot", dt.Spherical(), m.ground, body, at=(0, 0, 0), v0=(0.3, 0.1, 30.0))
    return m


def braked_pendulum():
    """A pendulum with a brake that presses with a part of what its hinge bears."""
    m = pendulum()
    joint = next(iter(m.joints))
    m.add_force("brake", dt.JointTorque(joint, f"-1e-4*abs({joint}.reaction_force.z)*tanh(v)"))
    return m


def boxes():
    """Boxes that fall on the floor beside each other, thrown up again and again by a force."""
    m = dt.Model("boxes")
    m.ground.shapes.append(dt.Shape.plane())
    for i in range(3):
        b = m.add_body(f"b{i}", dt.Inertia.box(1.0, size=(0.2, 0.2, 0.2)), position=(0.6 * i, 0, 0.15 + 0.05 * i))
        m.add_joint(f"f{i}", dt.Free(), m.ground, b, v0=[0.05, 0.1, 0, 0.2, 0.5 * i, 0])
        m.add_force(f"throw{i}", dt.AppliedForce(b, ["0.3*sin(3*t)", "0.2*cos(2*t)", "15*max(0, sin(2*t))^8"]))
    m.add_contact("touch", dt.RigidContact(friction=0.5, restitution=0.3), "all", "all")
    return m


def hopper():
    """A leg that is driven up and down over the floor: friction from the load and stops in its joints, a contact."""
    m = dt.Model("hopper")
    body = m.add_body("body", dt.Inertia.box(3.0, size=(0.2, 0.2, 0.2)), position=(0, 0, 0.6))
    thigh = m.add_body("thigh", dt.Inertia.rod(0.5, length=0.3, axis="z"), position=(0, 0, 0.45))
    shank = m.add_body("shank", dt.Inertia.rod(0.3, length=0.3, axis="z"), position=(0, 0, 0.15))
    m.add_joint("mast", dt.Prismatic("z"), m.ground, body)
    m.add_joint("hip", dt.Revolute("y"), body, thigh, at=(0, 0, 0.6), q0=0.5, limits=[(-1.2, 1.2)])
    m.add_joint("knee", dt.Revolute("y"), thigh, shank, at=(0, 0, 0.3), q0=-1.0, limits=[(-2.0, -0.2)])
    m.add_force("mast_rub", dt.JointFriction("mast", friction=0.1, overlap=0.3))
    m.add_force("hip_rub", dt.JointFriction("hip", friction=0.2, radius=0.01, static_friction=0.25))
    m.add_force("knee_rub", dt.JointFriction("knee", constant=0.1))
    m.add_force("knee_stop", dt.JointStop("knee", restitution=0.3))
    m.add_force("hip_drive", dt.JointTorque("hip", "20*(0.5 + 0.4*sin(5*t) - hip.q) - hip.v"))
    m.add_force("knee_drive", dt.JointTorque("knee", "30*(-1 - 0.7*sin(5*t) - knee.q) - knee.v"))
    foot = m.add_marker("foot", shank, (0, 0, -0.15))
    law = dt.RigidContact(friction=0.6, restitution=0.2)
    m.add_contact("floor", law, m.ground, foot, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.03)))
    return m


def bouncing_gate():
    """A gate between two stops, pushed to and fro: bounces that end in rest, friction in its pin."""
    m = dt.Model("gate")
    rod = m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0), limits=[(-0.4, 0.5)])
    m.add_force("buffer", dt.JointStop("A", restitution=0.6))
    m.add_force("pin", dt.JointFriction("A", friction=0.2, radius=0.02))
    m.add_force("push", dt.JointTorque("A", "4*sin(1.3*t)"))
    return m


RUNS = {
    "Moreau": (boxes, {"duration": 60.0, "outputs": 0.01, "solver": dt.Moreau(1e-3)}),
    "Moreau with friction and stops": (hopper, {"duration": 150.0, "outputs": 0.05, "solver": dt.Moreau(1e-3)}),
    "event-driven": (hopper, {"duration": 40.0, "outputs": 0.01, "solver": dt.DOPRI5()}),
    "friction and stops": (bouncing_gate, {"duration": 90.0, "outputs": 0.01}),
    "DOPRI5": (pendulum, {"duration": 2000.0, "outputs": 0.01}),
    "Radau": (slider_crank, {"duration": 120.0, "outputs": "steps", "solver": dt.Radau()}),
    "GeneralisedAlpha": (slider_crank, {"duration": 160.0, "outputs": 0.003, "solver": dt.GeneralisedAlpha(step=1e-3)}),
    "auto": (lambda: slider_crank(stiff=True), {"duration": 80.0, "outputs": "steps", "solver": "auto"}),
    "auto without loops": (stiff_chain, {"duration": 300.0, "outputs": "steps", "solver": "auto"}),
    "DOP853 with coordinate partitioning": (
        slider_crank,
        {"duration": 600.0, "outputs": 0.01, "solver": dt.DOP853(), "constraints": dt.CoordinatePartitioning()},
    ),
    "RKF45 with null space": (
        slider_crank,
        {"duration": 300.0, "outputs": "steps", "solver": dt.RKF45(), "constraints": dt.NullSpace()},
    ),
    "laws that read reactions": (braked_pendulum, {"duration": 600.0, "outputs": 0.01}),
    "RK4": (top, {"duration": 500.0, "outputs": 0.01, "solver": dt.RK4(step=5e-4)}),
    "semi-implicit Euler": (pendulum, {"duration": 800.0, "outputs": 0.01, "solver": dt.SemiImplicitEuler(step=1e-3)}),
    "adaptive alpha": (slider_crank, {"duration": 10.0, "outputs": 0.01, "solver": dt.HHT(rtol=1e-7, atol=1e-9)}),
    "Radau in absolute coordinates": (
        lambda: slider_crank(driven=False),
        {"duration": 10.0, "outputs": 0.001, "solver": dt.Radau(), "coordinates": "absolute"},
    ),
}
