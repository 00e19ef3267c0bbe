"""Equations that the user writes, against reduced equations of motion and other constraints."""

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import duoti as dt
from duoti.formats import from_text, to_text

FINE = dt.DOP853(rtol=1e-10, atol=1e-12)
NEAR = 1e-8  # two integrations at 1e-10, errors grown by some tens
G = 9.81


def run(model, duration=2.0, solver=FINE, **options):
    r = dt.simulate(model, duration, solver=solver, outputs=duration / 50, **options)
    assert r.ok, r.reason
    return r


def bead(*equations, x0=0.5, z0=0.25):
    """A point mass of 1 kg in the xz plane."""
    m = dt.Model("bead")
    m.add_body("bead", dt.Inertia.point(1.0))
    m.add_body("slide", dt.Inertia.point(1e-9))
    m.add_joint("X", dt.Prismatic("x"), m.ground, "slide", q0=x0)
    m.add_joint("Z", dt.Prismatic("z"), "slide", "bead", q0=z0)
    for i, equation in enumerate(equations):
        m.add_constraint(f"wire{i}" if i else "wire", dt.Equation(equation))
    return m


def on_parabola(t, y):
    """(1 + 4 x²) x'' + 4 x x'² + 2 g x = 0 for z = x²."""
    x, v = y
    return v, -(4 * x * v**2 + 2 * G * x) / (1 + 4 * x**2)


@pytest.mark.parametrize(
    ("equation", "solver"),
    [
        ("bead.position.z - bead.position.x^2", FINE),
        ("Z.position - X.position^2", FINE),
        ("bead.position.z - X.position*bead.position.x", FINE),
        ("bead.position.z - bead.position.x^2", dt.Radau(rtol=1e-9, atol=1e-10)),
    ],
)
def test_bead_on_a_parabola(equation, solver):
    r = run(bead(equation), solver=solver)
    x = solve_ivp(on_parabola, (0, 2), (0.5, 0.0), t_eval=r.t, rtol=1e-12, atol=1e-13, method="DOP853").y
    # the massless part of the slide is 1e-9 kg: as large an error
    assert np.max(np.abs(r["bead.position"][:, 0] - x[0])) < 10 * NEAR
    accelerations = np.array([on_parabola(0, each)[1] for each in x.T])
    vertical = 2 * x[1] ** 2 + 2 * x[0] * accelerations + G  # z'' + g, all of it from the multiplier
    # multipliers of an implicit method are its own, and converge two orders more slowly than positions
    assert np.max(np.abs(r.multipliers("wire")[:, 0] - vertical)) < (1e-6 if solver is FINE else 1e-5)
    assert np.max(np.abs(r.energy.residual)) < (1 if solver is FINE else 10) * NEAR


def test_work_of_an_equation_that_changes_with_time():
    """A circle that grows: z'' and the work follow from the mass alone, and the balance of energy holds."""
    r = run(bead("hypot(X.position, Z.position) - 0.5 - 0.1*t^2", x0=0.5, z0=0.0), 1.0)
    assert np.allclose(np.hypot(r["X.position"], r["Z.position"]), 0.5 + 0.1 * r.t**2, atol=1e-11)
    assert np.max(np.abs(r.energy.residual)) < NEAR
    radial, rate = r.multipliers("wire")[:, 0], 0.2 * r.t
    work = np.trapezoid(radial * rate, r.t)
    assert abs(r.energy.supplied[-1] - work) < 1e-3 * max(1.0, abs(work))  # trapezoids of 0.02 s


def sled(constraint):
    m = dt.Model("sled", gravity=(1.0, 0.3, 0))
    m.add_body("sled", dt.Inertia.box(2.0, (0.4, 0.2, 0.1)))
    m.add_joint("P", dt.Planar("z"), m.ground, "sled", v0=(0.5, 0.0, 1.0))
    m.add_constraint("blade", constraint)
    return m


@pytest.mark.parametrize(
    "text",
    [
        "sled.local_velocity.y",
        "sled.axis_y.x*sled.velocity.x + sled.axis_y.y*sled.velocity.y",
        "cos(P.angle)*P.velocity[1] - sin(P.angle)*P.velocity[0]",
    ],
)
def test_blade_as_an_equation_of_velocities(text):
    blade, written = run(sled(dt.KnifeEdge("sled", axis="y"))), run(sled(dt.Equation(text)))
    assert np.max(np.abs(blade["sled.position"] - written["sled.position"])) < NEAR
    assert np.max(np.abs(blade.multipliers("blade") - written.multipliers("blade"))) < 100 * NEAR


def arm(constraint=None, force=None):
    m = dt.Model("arm")
    m.add_body("rod", dt.Inertia.rod(2.0, length=1.0, axis="z"), position=(0, 0, -0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0), q0=0.4)
    if constraint is not None:
        m.add_constraint("drive", constraint)
    if force is not None:
        m.add_force("force", force)
    return m


def test_prescribed_speed():
    # the motion alone, a parabola, would allow steps of any length; the work needs shorter ones
    r = run(arm(dt.JointMotion("A", velocity="2 - 0.5*t")), solver=dt.DOP853(rtol=1e-10, atol=1e-12, max_step=0.1))
    angle = 0.4 + 2 * r.t - 0.25 * r.t**2
    assert np.max(np.abs(r["A.angle"] - angle)) < NEAR
    torque = 2 / 3 * -0.5 + 2 * G * 0.5 * np.sin(angle)
    assert np.max(np.abs(r.multipliers("drive")[:, 0] - torque)) < 100 * NEAR
    assert np.max(np.abs(r.energy.residual)) < NEAR


def test_speed_that_depends_on_the_position():
    """A servo without inertia: the angle decays to one by itself."""
    r = run(arm(dt.JointMotion("A", velocity="3*(1 - A.angle)")))
    assert np.max(np.abs(r["A.angle"] - (1 - 0.6 * np.exp(-3 * r.t)))) < NEAR


def test_marker_with_a_given_velocity():
    m = dt.Model("free")
    m.add_body("box", dt.Inertia.box(1.0, (0.1, 0.2, 0.3)))
    m.add_joint("F", dt.Free(), m.ground, "box")
    m.add_constraint("pull", dt.MarkerMotion("box", velocity=("0.3*t", None, 0.0)))
    r = run(m, 1.0)
    assert np.max(np.abs(r["box.position"] - np.stack([0.15 * r.t**2, 0 * r.t, 0 * r.t], 1))) < NEAR
    assert np.max(np.abs(r.multipliers("pull") - [0.3, G])) < NEAR


def motion(t):
    return 0.4 + 0.2 * np.sin(3 * t), 0.6 * np.cos(3 * t), -1.8 * np.sin(3 * t)


@pytest.mark.parametrize("function", [motion, dt.Function(motion, ("t",))])
def test_motion_by_a_function(function):
    one, two = run(arm(dt.JointMotion("A", function))), run(arm(dt.JointMotion("A", "0.4 + 0.2*sin(3*t)")))
    assert np.max(np.abs(one["A.angle"] - two["A.angle"])) < 1e-12
    assert np.max(np.abs(one.multipliers("drive") - two.multipliers("drive"))) < 1e-9


def test_laws_read_axes_and_velocities_in_own_axes():
    """Drag along the rod's own x axis, written in three ways."""
    along = "(rod.axis_x.x*rod.velocity.x + rod.axis_x.z*rod.velocity.z)"
    values = [
        dt.AppliedForce("rod", ("-2*rod.local_velocity.x", 0, 0), frame="marker"),
        dt.AppliedForce("rod", [f"-2*rod.local_velocity.x*rod.axis_x.{c}" for c in "xyz"]),
        dt.AppliedForce("rod", [f"-2*{along}*rod.axis_x.{c}" for c in "xyz"]),
    ]  # fmt: skip
    first, *others = [run(arm(force=force)) for force in values]
    turning = run(arm(force=dt.JointDamping("A", 2 * 0.25)))  # force 2 * 0.5 v at 0.5 m
    for other in (*others, turning):
        assert np.max(np.abs(first["A.angle"] - other["A.angle"])) < NEAR
    R = first["rod.axis_x"]
    assert np.max(np.abs(R[:, 0] - np.cos(first["A.angle"]))) < 1e-12
    assert np.max(np.abs(first["rod.local_velocity"][:, 0] + 0.5 * first["A.rate"])) < 1e-12
    assert np.max(np.abs(first["rod.local_angular_velocity"][:, 1] - first["A.rate"])) < 1e-12


@pytest.mark.parametrize(
    ("constraint", "text"),
    [
        (dt.Equation("A.angle - B.angle"), 'unknown name "B.angle"'),
        (dt.Equation("A.rate^2 - 1"), "it is not linear in the rates (A.rate)"),
        (dt.Equation("sin(3*t)"), "nothing that moves stands in its equation"),
        (dt.Equation("z + A.angle"), "z is a state"),
        (dt.Equation(""), "expression is ''"),
        (dt.JointMotion("nobody", velocity=1.0), "nobody"),
        (dt.JointMotion("A", lambda t: 3 * t), "the function returns 0.0 at t = 0"),
        (dt.JointMotion("A", lambda t, q: (t, q, q)), "the function reads t, q"),
    ],
)
def test_wrong_equations(constraint, text):
    m = arm(constraint)
    m.add_state("z", 0.0)
    report = dt.check(m)
    assert not report.ok
    assert text in str(report.errors[0])


def test_parameters_of_an_equation_change():
    m = bead("bead.position.z - curve*bead.position.x^2", z0=0.5)
    m.parameters["curve"] = 2.0
    system = dt.compile(m)
    m.parameters["curve"] = 1.0
    m.joints["Z"].q0 = 0.25
    one, two = run(system.with_parameters({"curve": 1.0, "Z.q0": 0.25})), run(m)
    assert np.max(np.abs(one["bead.position"] - two["bead.position"])) < 1e-12


def test_quaternions_are_refused_by_name():
    m = dt.Model("ball")
    m.add_body("ball", dt.Inertia.sphere(1.0, 0.1))
    m.add_joint("S", dt.Spherical(), m.ground, "ball")
    m.add_constraint("c", dt.Equation("S.rotation[1]"))
    (finding,) = dt.check(m).errors
    assert "S.rotation[1] is a part of a quaternion; write axes of the body instead" in finding.what


def test_files():
    text = """
duoti: 1
bodies:
  rod: {inertia: {mass: 2 kg, matrix: [0.2, 0.2, 0.1]}, position: [0, 0, -0.5]}
joints:
  A: {type: revolute, axis: y, between: [ground, rod], at: [0, 0, 0], q0: 0.4}
constraints:
  drive: {type: joint_motion, joint: A, velocity: 20 deg/s}
  written: {type: equation, expression: "rod.velocity.y"}
"""
    m = from_text(text)
    assert abs(m.constraints["drive"].velocity - np.deg2rad(20)) < 1e-15
    again = from_text(to_text(m))
    assert again.constraints["written"].expression == "rod.velocity.y"
