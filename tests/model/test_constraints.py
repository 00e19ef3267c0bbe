"""Every type of constraint: its derivatives and its power, and its motion and forces against what is known otherwise.

The generic tests are parametrised over all types that the package finds; a new type needs a model in `MODELS`.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import duoti as dt
from duoti.analyses.states.assemble import assemble
from duoti.dynamics.loops.constraints import closure_state
from duoti.dynamics.tree.forward import forward_dynamics
from duoti.dynamics.workspace import new_workspace
from duoti.model.constraints import CONSTRAINT_TYPES
from duoti.results.evaluate.observe import REACTIONS, observe
from duoti.system.arrays import size_of_state
from duoti.system.constraint_arrays import dense_jacobian
from support.random_constraints import FORMS
from support.random_models import random_inertia, random_pose, random_rotation, step_q

TIGHT = dt.DOP853(rtol=1e-11, atol=1e-12)
# Global error of TIGHT over a few seconds is 1e-11 ... 1e-10 (rtol times some tens of steps), states of order one;
# closed forms of states and forces are compared to ten times that.
EXACT = 1e-9


def assert_near(got, wanted, tolerance=EXACT):
    __tracebackhide__ = True
    error = float(np.max(np.abs(np.asarray(got) - np.asarray(wanted)), initial=0.0))
    assert error <= tolerance, f"error {error:.3g} is above {tolerance:.3g}"


def run(model, duration=1.0, outputs=21, t=0.0, **options):
    times = np.linspace(t, t + duration, outputs)
    r = dt.simulate(model, duration, outputs=times, solver=TIGHT, t=t, **options)
    assert r.ok, r.reason
    # constraints do no work but for that of prescribed motions: the balance closes within the solver's error
    scale = max(1.0, float(np.ptp(r.energy.kinetic)))
    assert np.max(np.abs(r.energy.residual)) <= EXACT * scale
    return r


# ------------------------------------------------------------------------------------------ generic: one model per type


def two_bodies(rng):
    """Two bodies that float, each with a marker anywhere on it."""
    m = dt.Model("two bodies", gravity=(1, -2, -9.81))
    for name in ("A", "B"):
        X = random_pose(rng)
        m.add_body(name, random_inertia(rng), position=X.position, rotation=X.rotation)
        m.add_joint(f"free{name}", dt.Free(), m.ground, name)
        X = random_pose(rng, 0.5)
        m.add_marker(f"m{name}", name, position=X.position, rotation=X.rotation)
    return m


def three_joints(rng):
    """A chain: a hinge, a slider, a cylindrical joint."""
    m = dt.Model("three joints", gravity=(1, -2, -9.81))
    at = rng.normal(size=(3, 3))
    previous = m.ground
    joints = (dt.Revolute(rng.normal(size=3)), dt.Prismatic(rng.normal(size=3)), dt.Cylindrical(rng.normal(size=3)))
    for i, (name, joint) in enumerate(zip("HSC", joints, strict=True)):
        body = m.add_body(f"b{name}", random_inertia(rng), position=at[i], rotation=random_rotation(rng))
        m.add_joint(name, joint, previous, body, at=0.5 * at[i])
        previous = body
    return m


def roller(rng):
    """A body that floats at about its radius above a plane which lies anyhow."""
    m = dt.Model("roller", gravity=(1, -2, -9.81))
    X_WP = random_pose(rng)
    m.add_marker("plane", m.ground, position=X_WP.position, rotation=X_WP.rotation)
    at = X_WP @ np.array([0.3, 0.2, 0.4])
    m.add_body("wheel", random_inertia(rng), position=at, rotation=random_rotation(rng))
    m.add_joint("free", dt.Free(), m.ground, "wheel")
    # the axis of a disc about parallel to the plane: one lying flat has no lowest point
    axis = X_WP.rotation.matrix @ np.array([1.0, 0.1, 0.3])
    R_WM = dt.Rotation.between((0, 0, 1), axis)
    m.add_marker("hub", "wheel", (0.05, 0.02, -0.03), m.bodies["wheel"].rotation.inverse() @ R_WM)
    return m


ANGLES = np.linspace(-2.5, 2.5, 6)
MODELS = {
    "angle": (two_bodies, lambda rng: dt.Angle("mA", "mB", "1.1 + 0.3*sin(2*t)", axis_b=rng.normal(size=3))),
    "belt": (three_joints, lambda rng: dt.Belt("H", "C", radius_a=0.3, radius_b=0.2)),
    "cam": (three_joints, lambda rng: dt.Cam("H", "S", ANGLES, 0.3 * np.sin(ANGLES + 0.4))),
    "coupler": (three_joints, lambda rng: dt.Coupler({"H": 0.7, ("C", 1): -1.3, "S": 0.4}, "0.2*sin(3*t)")),
    "distance": (two_bodies, lambda rng: dt.Distance("mA", "mB", "1.2 + 0.1*t^2")),
    "equation": (
        two_bodies,
        lambda rng: dt.Equation("mA.position.x*mB.position.z^2 + sin(2*t)*mA.axis_y.x - 0.3*mB.axis_x.z*mA.axis_z.y"),
    ),
    "gear": (three_joints, lambda rng: dt.Gear("H", "C", ratio=-1.7)),
    "joint_motion": (three_joints, lambda rng: dt.JointMotion("C", "0.3*t - 0.4*t^2", coordinate=1)),
    "joint_motion_by_velocity": (
        three_joints,
        lambda rng: dt.JointMotion("C", velocity="0.3*t - sin(H.angle)", coordinate=1),
    ),
    "knife_edge": (two_bodies, lambda rng: dt.KnifeEdge("mA", axis=rng.normal(size=3))),
    "marker_motion": (two_bodies, lambda rng: dt.MarkerMotion("mB", ("0.1*sin(4*t)", None, "0.2*t"), reference="mA")),
    "marker_motion_by_velocity": (
        two_bodies,
        lambda rng: dt.MarkerMotion("mB", velocity=("0.1*sin(4*t)", None, "mA.position.y^2")),
    ),
    "marker_motion_seen_from": (
        two_bodies,
        lambda rng: dt.MarkerMotion("mB", velocity=("0.1*sin(4*t)", None, "mA.position.y^2"), reference="mA"),
    ),
    "parallel": (two_bodies, lambda rng: dt.Parallel("mA", "mB", axis_a="y", axis_b=rng.normal(size=3))),
    "perpendicular": (two_bodies, lambda rng: dt.Perpendicular("mA", "mB", axis_a="x", axis_b=rng.normal(size=3))),
    "point_on_line": (two_bodies, lambda rng: dt.PointOnLine("mA", "mB", axis=rng.normal(size=3))),
    "point_on_plane": (two_bodies, lambda rng: dt.PointOnPlane("mA", "mB", normal=rng.normal(size=3))),
    "rack_and_pinion": (three_joints, lambda rng: dt.RackAndPinion("H", "S", radius=0.4)),
    "equation_of_velocities": (
        two_bodies,
        lambda rng: dt.Equation("mA.velocity.x*mB.position.z^2 - cos(t)*mB.local_angular_velocity.y + 0.2*t"),
    ),
    "rolling_disc": (roller, lambda rng: dt.RollingDisc("hub", radius=0.4, plane="plane")),
    "rolling_sphere": (roller, lambda rng: dt.RollingSphere("hub", radius=0.4, plane="plane")),
    "screw_coupling": (three_joints, lambda rng: dt.ScrewCoupling("H", "S", lead_per_turn=0.5)),
    "weld": (two_bodies, lambda rng: dt.Weld("mA", "mB")),
}


def test_every_type_has_a_model():
    assert sorted(MODELS) == sorted([*CONSTRAINT_TYPES, *FORMS])


class Sample:
    """A model with one constraint, compiled, in a random state that meets it."""

    def __init__(self, kind: str):
        rng = np.random.default_rng(sum(kind.encode()))
        build, constraint = MODELS[kind]
        self.model = build(rng)
        self.model.add_constraint("c", constraint(rng))
        self.system = dt.compile(self.model)
        q, v = self.system.initial_state()
        q = q + 0.1 * rng.normal(size=len(q))
        for k in self.system.tree.quat_q:
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
        self.t = 0.37
        state = assemble(self.system, q, rng.normal(size=len(v)), self.t)
        self.q, self.v = state.q, state.v
        self.work = new_workspace(self.system)
        self.rng = rng

    def look(self, q, v, t):
        """g, dg/dt and G in a state."""
        q = q.copy()
        for k in self.system.tree.quat_q:
            q[k : k + 4] /= np.linalg.norm(q[k : k + 4])
        w = self.work
        closure_state(w, t, q, np.array(v))
        return w.g.copy(), w.gdot.copy(), dense_jacobian(self.system.closures, self.system.nv, w.G)

    def rate(self, of, v, a):
        """Derivative of g (of=0) or dg/dt (of=1) with time in a motion with velocity v and acceleration a."""
        h = 2e-3  # differences of fourth order: error h^4 = 2e-11, round-off 1e-16 / h

        def at(k):
            return self.look(step_q(self.system, self.q, v, k * h), v + k * h * a, self.t + k * h)[of]

        return (8 * (at(1) - at(-1)) - (at(2) - at(-2))) / (12 * h)

    @property
    def holonomic(self):
        return self.system.closures.nonholonomic == 0


@pytest.fixture(params=sorted(MODELS))
def sample(request):
    return Sample(request.param)


# h^4 times fifth derivatives (speeds of order 1, lengths of order 1, but products of several axes: up to 1e3)
DIFFERENCE = 1e-7


def test_rate_is_the_derivative_of_the_residual(sample):
    """For any velocity, not only those that the constraint allows; rows of velocity have no residual."""
    v = sample.rng.normal(size=sample.system.nv)
    _, gdot, _ = sample.look(sample.q, v, sample.t)
    assert_near(sample.rate(0, v, 0 * v)[sample.holonomic], gdot[sample.holonomic], DIFFERENCE)


def test_jacobian_is_the_derivative_of_the_rate_with_velocity(sample):
    _, gdot, G = sample.look(sample.q, sample.v, sample.t)
    columns = [sample.look(sample.q, sample.v + e, sample.t)[1] - gdot for e in np.eye(sample.system.nv)]
    assert_near(np.column_stack(columns), G, 1e-13)  # linear: only round-off
    assert np.linalg.matrix_rank(G) == len(G)


def test_acceleration_keeps_the_rate(sample):
    """d/dt of dg/dt is zero along the accelerations of the dynamics, which proves gamma; in any state."""
    v = sample.rng.normal(size=sample.system.nv)
    a = dt.accelerations(sample.system, sample.q, v, sample.t, must_close=False)
    assert_near(sample.rate(1, v, a), 0.0, DIFFERENCE * max(1.0, np.max(np.abs(a))))


def test_multipliers_are_the_forces_of_the_constraint(sample):
    """M a = f + G^T lambda, with f from the tree without the constraint."""
    system, q, v, t = sample.system, sample.q, sample.v, sample.t
    y = np.zeros((1, size_of_state(system.tree)))
    y[0, : system.nq], y[0, system.nq : system.nq + system.nv] = q, v
    seen = observe(system, np.array([t]), y, REACTIONS)
    without = np.zeros(system.nv)
    forward_dynamics(system.tree, system.loads, new_workspace(system), t, q, v, without)
    _, _, G = sample.look(q, v, t)
    force = dt.mass_matrix(system, q) @ (seen.a[0] - without)
    # round-off 1e-16 times the condition of M (1e3) and of G M^-1 G^T (1e3), forces of order 10
    assert_near(G.T @ seen.multipliers[0], force, 1e-9 * max(1.0, np.max(np.abs(force))))


def test_energy_balance_closes_and_the_constraint_is_kept(sample):
    r = run(sample.system, 0.5, t=sample.t, at=(sample.q, sample.v))
    supplied = np.max(np.abs(r.energy.supplied))
    assert (supplied > 1e-6) == (sample.system.closures.timed == 1)  # only a prescribed motion does work
    for t, q, v in zip(r.t, r.q, r.v, strict=True):
        g, gdot, _ = sample.look(q, v, t)
        # projected to 1e-12 (times the speed) after each step; between steps the outputs are interpolated (1e-10)
        assert_near(g[sample.holonomic], 0.0, 1e-9)
        assert_near(gdot, 0.0, 1e-8)


# ----------------------------------------------------------------------------------------- between points and lines


def ball(m, name="ball", mass=2.0, position=(0, 0, 0), radius=0.1, **initial):
    body = m.add_body(name, dt.Inertia.sphere(mass, radius), position=position)
    m.add_joint(f"{name}_free", dt.Free(), m.ground, body, **initial)
    return body


def test_distance_is_a_pendulum():
    m = dt.Model("rod")
    ball(m, position=(0, 0, -1.5), v0=[2.0, 0, 0, 0, 0, 0])
    m.add_constraint("rod", dt.Distance(m.ground, "ball", length=1.5))
    r = run(m, 2.0)
    p = dt.Model("pendulum")
    p.add_body("ball", dt.Inertia.point(2.0), position=(0, 0, -1.5))
    p.add_joint("A", dt.Revolute("y"), p.ground, "ball", at=(0, 0, 0), v0=-2.0 / 1.5)
    wanted = run(p, 2.0)
    assert_near(r["ball.position"], wanted["ball.position"])
    # tension = m v²/L + m g cos(angle), and the multiplier pushes apart
    height, speed = r["ball.position"][:, 2], np.linalg.norm(r["ball.velocity"], axis=1)
    assert_near(-r.multipliers("rod")[:, 0], 2.0 * speed**2 / 1.5 - 2.0 * 9.81 * height / 1.5, 10 * EXACT)  # of 40 N
    assert_near(np.linalg.norm(wanted["A.reaction_force"], axis=1), -r.multipliers("rod")[:, 0], 10 * EXACT)


def test_point_on_line_is_a_slider():
    axis = np.array([1.0, 0.5, -1.0])
    m = dt.Model("bead")
    ball(m)
    m.add_constraint("wire", dt.PointOnLine(m.ground, "ball", axis=axis))
    p = dt.Model("slider")
    p.add_body("ball", dt.Inertia.sphere(2.0, 0.1))
    p.add_joint("S", dt.Prismatic(axis / np.linalg.norm(axis)), p.ground, "ball", at=(0, 0, 0))
    r, wanted = run(m), run(p)
    assert_near(r["ball.position"], wanted["ball.position"])
    size = np.linalg.norm(r.multipliers("wire"), axis=1)
    assert_near(size, np.linalg.norm(wanted["S.reaction_force"], axis=1), 10 * EXACT)  # of 14 N


def test_bead_on_a_turning_wire():
    """r = r0 cosh(w t) without gravity; the wire pushes with 2 m rdot w, the motor gives r times that."""
    omega, r0, mass = 1.5, 0.4, 2.0
    m = dt.Model("turning wire", gravity=(0, 0, 0))
    arm = m.add_body("arm", dt.Inertia.rod(1.0, 2.0, axis="x"))
    m.add_joint("A", dt.Revolute("z"), m.ground, arm, at=(0, 0, 0))
    ball(m, position=(r0, 0, 0))
    m.add_constraint("turn", dt.JointMotion("A", f"{omega}*t"))
    m.add_constraint("wire", dt.PointOnLine(arm, "ball", axis="x"))
    r = run(m, 1.2)
    rho, drho = r0 * np.cosh(omega * r.t), r0 * omega * np.sinh(omega * r.t)
    assert_near(np.linalg.norm(r["ball.position"], axis=1), rho)
    assert_near(r.multipliers("turn")[:, 0], 2 * mass * rho * drho * omega, 10 * EXACT)  # up to 20 N m
    # axis x: the equations count y and z
    assert_near(r.multipliers("wire"), np.column_stack([2 * mass * drho * omega, 0 * rho]), 10 * EXACT)
    work = 0.5 * mass * (drho**2 + (omega * rho) ** 2)  # all energy of the bead comes from the motor
    assert_near(r.energy.supplied, work - work[0], 10 * EXACT)


def test_point_on_plane_is_a_planar_joint():
    alpha = 0.4
    normal = (np.sin(alpha), 0, np.cos(alpha))
    downhill = np.array([np.cos(alpha), 0, -np.sin(alpha)])
    m = dt.Model("plane")
    ball(m, v0=[0, 1.0, 0, 0, 0, 0])
    m.add_constraint("plane", dt.PointOnPlane(m.ground, "ball", normal=normal))
    p = dt.Model("planar")
    p.add_body("ball", dt.Inertia.sphere(2.0, 0.1))
    p.add_joint("P", dt.Planar(normal, first_axis="y"), p.ground, "ball", at=(0, 0, 0), v0=[1.0, 0, 0])
    r, wanted = run(m), run(p)
    assert_near(r["ball.position"], wanted["ball.position"])
    assert_near(r["ball.position"] @ downhill, 0.5 * 9.81 * np.sin(alpha) * r.t**2)
    assert_near(r.multipliers("plane")[:, 0], 2.0 * 9.81 * np.cos(alpha))


# --------------------------------------------------------------------------------------------------- between axes


def gyro(joint, constraint=None, name="gyro", **initial):
    """A body with its mass centre beside the joint."""
    m = dt.Model(name)
    m.add_body("body", dt.Inertia(2.0, com=(0.3, 0.1, 0.2), matrix=np.diag([0.2, 0.3, 0.4])))
    m.add_joint("J", joint, m.ground, "body", at=(0, 0, 0), **initial)
    if constraint is not None:
        m.add_constraint("c", constraint(m))
    return m


def same_motion(a, b):
    ra, rb = run(a), run(b)
    assert_near(ra["body.rotation"], rb["body.rotation"])
    assert_near(ra["body.angular_velocity"], rb["body.angular_velocity"], 10 * EXACT)  # of 10 rad/s
    assert_near(ra["J.reaction_force"], rb["J.reaction_force"], 100 * EXACT)  # of 100 N
    return ra, rb


def test_ball_joint_with_parallel_axes_is_a_hinge():
    parallel = gyro(dt.Spherical(), lambda m: dt.Parallel(m.ground, "body", "y", "y"), v0=[0, 3.0, 0])
    ra, rb = same_motion(parallel, gyro(dt.Revolute("y"), v0=3.0))
    # about y, frame_along("y") counts z and x: a unit multiplier is a torque about -x and z
    torque = rb["J.reaction_torque"]
    assert_near(np.linalg.norm(ra.multipliers("c"), axis=1), np.linalg.norm(torque, axis=1), 100 * EXACT)


def test_ball_joint_with_perpendicular_axes_is_a_universal_joint():
    perpendicular = gyro(dt.Spherical(), lambda m: dt.Perpendicular(m.ground, "body", "z", "x"), v0=[1.0, 0, 2.0])
    same_motion(perpendicular, gyro(dt.Universal("z", "x"), v0=[2.0, 1.0]))


def test_top_with_a_given_angle_precesses_steadily():
    """Without a torque about the vertical and about its own axis both rates of a symmetric top stay."""
    theta, precession, spin = 0.6, 2.0, 5.0
    m = dt.Model("top")
    R = dt.Rotation.about("y", theta)
    m.add_body("top", dt.Inertia(1.0, com=(0, 0, 0.5), matrix=np.diag([0.1, 0.1, 0.05])), rotation=R)
    n = R.matrix[:, 2]
    m.add_joint("J", dt.Spherical(), m.ground, "top", at=(0, 0, 0), v0=precession * np.array([0, 0, 1]) + spin * n)
    m.add_marker("tip", "top", (0, 0, 1.0))
    m.add_constraint("cone", dt.Angle(m.ground, "top", theta))
    r = run(m, 2.0)
    phi = precession * r.t
    s, c = np.sin(theta), np.cos(theta)
    assert_near(r["tip.position"], np.column_stack([s * np.cos(phi), s * np.sin(phi), c + 0 * phi]))
    # Euler, about the line of nodes: I3 (spin + precession cos) precession sin - I1 precession² sin cos = m g l sin + N
    I1, I3 = 0.1 + 0.25, 0.05
    wanted = (I3 * (spin + precession * c) - I1 * precession * c) * precession * s - 9.81 * 0.5 * s
    # N turns the axis down (increases theta); the row is a . b - cos(theta), its multiplier works through -sin(theta)
    assert_near(np.abs(r.multipliers("cone")[:, 0] * s), abs(wanted), 10 * EXACT)


def test_driven_angle_is_a_driven_hinge():
    law = "1.0 + 0.4*sin(3*t)"
    by_angle = gyro(dt.Revolute("y"), lambda m: dt.Angle(m.ground, "body", law), q0=1.0)
    by_joint = gyro(dt.Revolute("y"), lambda m: dt.JointMotion("J", law))
    a, b = run(by_angle), run(by_joint)
    angle = 1.0 + 0.4 * np.sin(3 * a.t)
    assert_near(a["J.angle"], angle)
    assert_near(b["J.angle"], angle)
    assert_near(-np.sin(angle) * a.multipliers("c")[:, 0], b.multipliers("c")[:, 0], 10 * EXACT)  # of 10 N m
    assert_near(a.energy.supplied, b.energy.supplied, 10 * EXACT)


def test_weld_is_a_fixed_joint():
    def pendulum(weld):
        m = dt.Model("L")
        m.add_body("upper", dt.Inertia.box(1.0, (0.1, 0.1, 1.0)), position=(0, 0, -0.5))
        m.add_body("lower", dt.Inertia.box(0.7, (0.6, 0.1, 0.05)), position=(0.3, 0, -1.0))
        m.add_joint("A", dt.Universal("x", "y"), m.ground, "upper", at=(0, 0, 0), v0=[1.0, 2.0])
        m.add_marker("end", "upper", (0, 0, -0.5))
        m.add_marker("begin", "lower", (-0.3, 0, 0))
        if weld:
            m.add_joint("F", dt.Free(), m.ground, "lower")
            m.add_constraint("W", dt.Weld("end", "begin"))
        else:
            m.add_joint("W", dt.Fixed(), "end", "begin")
        return m

    welded, fixed = run(pendulum(True)), run(pendulum(False))
    for name in ("upper.position", "lower.position", "lower.rotation"):
        assert_near(welded[name], fixed[name])
    multipliers = welded.multipliers("W")
    force, torque = fixed.reaction("W", frame="end")
    assert_near(multipliers[:, :3], force, 100 * EXACT)  # of 40 N
    absolute = run(pendulum(True), coordinates="absolute")
    assert_near(absolute["lower.position"], welded["lower.position"])
    assert_near(absolute.multipliers("W"), multipliers, 100 * EXACT)
    # "dot" rows (0,1), (1,2), (2,0) of coinciding frames: torque b_j x a_i = -z, -x, -y
    assert_near(-multipliers[:, [4, 5, 3]], torque, 100 * EXACT)


# --------------------------------------------------------------------------- between coordinates: one degree of freedom


def drives(**kinds):
    """Discs about z (kind: moment of inertia) and sliders along x (kind: mass, as a negative number) on ground."""
    m = dt.Model("drive", gravity=(0, 0, 0))
    for i, (name, size) in enumerate(kinds.items()):
        at = (0, i, 0)
        if size > 0:
            m.add_body(f"b{name}", dt.Inertia(1.0, matrix=size * np.eye(3)), position=at)
            m.add_joint(name, dt.Revolute("z"), m.ground, f"b{name}", at=at)
        else:
            m.add_body(f"b{name}", dt.Inertia.sphere(-size, 0.1), position=at)
            m.add_joint(name, dt.Prismatic("x"), m.ground, f"b{name}", at=at)
    return m


@pytest.mark.parametrize(
    ("other", "constraint", "ratio"),
    [
        (0.5, dt.Gear("A", "B", ratio=-2.5), -2.5),
        (0.5, dt.Belt("A", "B", radius_a=0.3, radius_b=0.2), 1.5),
        (0.5, dt.Belt("A", "B", radius_a=0.3, radius_b=0.2, crossed=True), -1.5),
        (-4.0, dt.RackAndPinion("A", "B", radius=0.35), 0.35),
        (-4.0, dt.ScrewCoupling("A", "B", lead_per_turn=0.6), 0.6 / (2 * np.pi)),
    ],
)
def test_transmission_has_its_effective_inertia(other, constraint, ratio):
    """q_B = i q_A: (J_A + i² J_B) qddot = torque; the force on B is J_B i qddot."""
    J, torque = 0.2, 3.0
    m = drives(A=J, B=other)
    m.add_force("motor", dt.JointTorque("A", torque))
    m.add_constraint("c", constraint)
    r = run(m)
    a = torque / (J + ratio**2 * abs(other))
    assert_near(r["A.q"].ravel(), 0.5 * a * r.t**2)
    assert_near(r["B.q"].ravel(), 0.5 * ratio * a * r.t**2)
    force = abs(other) * ratio * a
    unit = -constraint.radius_b if constraint.kind == "belt" and not constraint.crossed else 1.0
    unit = constraint.radius_b if constraint.kind == "belt" and constraint.crossed else unit
    assert_near(unit * r.multipliers("c")[:, 0], force, 10 * EXACT)


def test_coupler_of_three_against_the_linear_equations():
    """M a = f + c lambda, c . a = s'': constant coefficients, so the motion is a polynomial and a sine."""
    c, M, f = np.array([2.0, -1.0, 0.5]), np.array([0.2, 0.3, 1.5]), np.array([1.0, 0.0, -2.0])
    m = drives(A=0.2, B=0.3, C=-1.5)
    m.add_force("a", dt.JointTorque("A", 1.0))
    m.add_force("c", dt.JointTorque("C", -2.0))
    m.add_constraint("couple", dt.Coupler({m.joints["A"]: 2.0, "B": -1.0, ("C", 0): 0.5}, "0.3*sin(2*t)"))
    r = run(m, 2.0)
    own = c @ (c / M)
    steady = (f - c * (c @ (f / M)) / own) / M  # acceleration without the drive
    per_value = c / M / own
    q = np.column_stack([r["A.q"], r["B.q"], r["C.q"]])
    v = np.column_stack([r["A.v"], r["B.v"], r["C.v"]])
    v0 = v[0]
    assert_near(c @ v0, 0.6)
    assert_near(v0, c * 0.6 / (c @ c))  # of least norm: nothing was given
    wanted = np.outer(r.t, v0 - per_value * 0.6) + np.outer(r.t**2 / 2, steady)
    wanted += np.outer(0.3 * np.sin(2 * r.t), per_value)
    assert_near(q, wanted)
    assert_near(r.multipliers("couple")[:, 0], (-1.2 * np.sin(2 * r.t) - c @ (f / M)) / own, 10 * EXACT)


def cam(periodic, angles, lifts):
    m = dt.Model("cam", gravity=(-9.81, 0, 0))
    m.add_body("disc", dt.Inertia.cylinder(1.0, 0.1, 0.02))
    m.add_joint("D", dt.Revolute("z"), m.ground, "disc", at=(0, 0, 0))
    m.add_body("tappet", dt.Inertia.sphere(0.8, 0.05), position=(0.2, 0, 0))
    m.add_joint("T", dt.Prismatic("x"), m.ground, "tappet")
    m.add_constraint("motor", dt.JointMotion("D", "0.3 + 4*t"))
    m.add_constraint("cam", dt.Cam("D", "T", angles, lifts, periodic=periodic))
    return m


def test_cam_over_several_turns():
    """A sine by 25 points: the spline as SciPy evaluates it, which is near to the sine; forces m (lift'' w² + g)."""
    x = np.linspace(0.0, 2 * np.pi, 25)
    y = 0.02 * np.sin(x)
    y[-1] = y[0]
    r = run(cam(True, x, y), 5.0, outputs=401)  # 3.2 turns
    spline = CubicSpline(x, y, bc_type="periodic")
    angle = 0.3 + 4 * r.t
    assert angle[-1] > 6 * np.pi
    assert_near(r["T.position"], spline(angle % (2 * np.pi)))
    assert_near(r["T.position"], 0.02 * np.sin(angle), 1e-5)  # error of a cubic spline: 5/384 h^4 0.02 = 1.2e-6
    assert_near(r["T.velocity"], 4 * spline(angle % (2 * np.pi), 1), 10 * EXACT)
    force = 0.8 * (16 * spline(angle % (2 * np.pi), 2) + 9.81)
    assert_near(r.multipliers("cam")[:, 0], force, 100 * EXACT)  # second derivative of the table: divided by h²
    assert_near(r.multipliers("motor")[:, 0], force * spline(angle % (2 * np.pi), 1), 10 * EXACT)


def test_cam_goes_on_straight_outside_its_table():
    x = np.linspace(0.5, 3.5, 9)
    y = 0.02 * (x - 0.5) ** 2
    r = run(cam(False, x, y), 1.2)  # from 0.3 to 5.1
    spline = CubicSpline(x, y, bc_type="natural")
    angle = 0.3 + 4 * r.t
    outside = angle > x[-1]
    assert_near(r["T.position"][outside], y[-1] + spline(x[-1], 1) * (angle[outside] - x[-1]))
    before = angle < x[0]
    assert_near(r["T.position"][before], y[0] + spline(x[0], 1) * (angle[before] - x[0]))
    inside = ~(outside | before)
    assert_near(r["T.position"][inside], spline(angle[inside]))


# ---------------------------------------------------------------------------------------------------- prescribed motion


def test_driving_torque_of_a_joint_motion():
    """Inverse dynamics of a pendulum: I qddot + m g l sin q."""
    m = dt.Model("driven pendulum")
    m.add_body("rod", dt.Inertia.rod(2.0, 1.0, axis="z"), position=(0, 0, -0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
    m.add_constraint("motor", dt.JointMotion("A", "0.5*sin(3*t)"))
    r = run(m, 2.0)
    q, dq, ddq = 0.5 * np.sin(3 * r.t), 1.5 * np.cos(3 * r.t), -4.5 * np.sin(3 * r.t)
    torque = 2.0 / 3.0 * ddq + 2.0 * 9.81 * 0.5 * np.sin(q)
    assert_near(r["A.angle"], q)
    assert_near(r["A.rate"], dq)  # found by the assembly, not given
    assert_near(r.multipliers("motor")[:, 0], torque, 10 * EXACT)  # of 7 N m
    energy = dq**2 / 3.0 - 2.0 * 9.81 * 0.5 * np.cos(q)
    assert_near(r.energy.supplied, energy - energy[0], 10 * EXACT)
    assert_near(r["A.reaction_torque"][:, 1], 0.0, 10 * EXACT)  # what drives is not part of the reaction


def test_driving_force_of_a_marker_motion():
    m = dt.Model("carried ball")
    ball(m, position=(0.5, 0, 0))
    m.add_constraint("hand", dt.MarkerMotion("ball", ("0.5*cos(2*t)", "0.5*sin(2*t)", "0.1*t^2")))
    r = run(m)
    c, s = np.cos(2 * r.t), np.sin(2 * r.t)
    assert_near(r["ball.position"], np.column_stack([0.5 * c, 0.5 * s, 0.1 * r.t**2]))
    assert_near(r.multipliers("hand"), 2.0 * np.column_stack([-2 * c, -2 * s, 0.2 + 9.81 + 0 * c]), 10 * EXACT)


def test_marker_motion_may_leave_components_free():
    m = dt.Model("lift")
    ball(m)
    m.add_constraint("lift", dt.MarkerMotion("ball", (None, "0.3*t^2", None)))
    r = run(m)
    assert r.multipliers("lift").shape[1] == 1
    assert_near(r["ball.position"], np.column_stack([0 * r.t, 0.3 * r.t**2, -0.5 * 9.81 * r.t**2]))


# ------------------------------------------------------------------------------------------------------- nonholonomic


def test_skate_on_an_incline():
    """A turning skate does not glide down but draws cycloids across the slope (Neimark & Fufaev 1972, chapter 2)."""
    slope, omega, mass = 3.0, 2.0, 1.5  # slope: acceleration down it, along x
    m = dt.Model("skate", gravity=(slope, 0, -9.0))
    m.add_body("skate", dt.Inertia.box(mass, size=(0.4, 0.1, 0.1)))
    m.add_joint("P", dt.Planar("z"), m.ground, "skate", at=(0, 0, 0), v0=[0, 0, omega])
    m.add_constraint("blade", dt.KnifeEdge("skate", axis="y"))
    r = run(m, 4.0)
    wt, size = omega * r.t, slope / (2 * omega**2)
    x, y = size * np.sin(wt) ** 2, size * (wt - 0.5 * np.sin(2 * wt))
    assert_near(r["skate.position"], np.column_stack([x, y, 0 * x]))
    assert_near(r.multipliers("blade")[:, 0], 2 * mass * slope * np.sin(wt), 10 * EXACT)  # up to 9 N


def test_sphere_rolls_down_an_incline():
    alpha, g, mass, radius = 0.3, 9.81, 2.0, 0.25
    tilt = dt.Rotation.about("y", alpha)
    normal, down = tilt.matrix[:, 2], tilt.matrix[:, 0]
    m = dt.Model("incline", gravity=(0, 0, -g))
    m.add_marker("slope", m.ground, rotation=tilt)
    ball(m, mass=mass, radius=radius, position=radius * normal)
    m.add_constraint("roll", dt.RollingSphere("ball", radius, plane="slope"))
    r = run(m)
    s = 0.5 * 5 / 7 * g * np.sin(alpha) * r.t**2
    assert_near(r["ball.position"], radius * normal + np.outer(s, down))
    push, along, across = r.multipliers("roll").T
    assert_near(push, mass * g * np.cos(alpha))
    assert_near(along, -2 / 7 * mass * g * np.sin(alpha))
    assert_near(across, 0.0)


def test_disc_rolls_straight():
    """Upright: a = 2/3 g sin(alpha), friction a third of the weight's part."""
    alpha, g, mass, radius = 0.3, 9.81, 2.0, 0.25
    m = dt.Model("wheel", gravity=(g * np.sin(alpha), 0, -g * np.cos(alpha)))
    turned = dt.Rotation.about("x", -np.pi / 2)
    m.add_body("disc", dt.Inertia.cylinder(mass, radius, 0.0), position=(0, 0, radius), rotation=turned)
    m.add_joint("F", dt.Free(), m.ground, "disc")
    m.add_constraint("roll", dt.RollingDisc("disc", radius))
    r = run(m)
    assert_near(r["disc.position"][:, 0], g * np.sin(alpha) * r.t**2 / 3)
    assert_near(r.multipliers("roll"), [mass * g * np.cos(alpha), -mass * g * np.sin(alpha) / 3, 0.0])


# ------------------------------------------------------------------------------------------------------ wrong input


def errors(constraint):
    m = dt.Model("wrong")
    for i, name in enumerate(("A", "B")):
        m.add_body(name, dt.Inertia.sphere(1.0, 0.1), position=(i, 0, 0))
        m.add_joint(f"J{name}", dt.Revolute("z") if i else dt.Spherical(), m.ground, name)
    m.add_marker("mA", "A", (0.1, 0, 0))
    m.add_constraint("c", constraint)
    return [f.what for f in dt.check(m).errors]


@pytest.mark.parametrize(
    ("constraint", "text"),
    [
        (dt.Distance("A", "B", length=0.0),
         "length is 0.0; it must be positive (for zero distance use dt.Spherical or dt.Weld)"),
        (dt.Distance("A", "B", length=None),
         "length is None; it must be a positive number (for zero distance use dt.Spherical or dt.Weld)"),
        (dt.Gear("JA", "JB", ratio=float("nan")), "ratio is nan; it must be a number"),
        (dt.Gear("JA", "JB", ratio="2"), "ratio is '2'; it must be a number"),
        (dt.Belt("JA", "JB", radius_a=-1.0, radius_b=1.0), "radius_a is -1.0; it must be positive"),
        (dt.RackAndPinion("JA", "JB", radius=float("inf")), "radius is inf; it must be a number"),
        (dt.ScrewCoupling("JA", "JB", lead_per_turn=None), "lead_per_turn is None; it must be a number"),
        (dt.RollingDisc("A", radius=0.0), "radius is 0.0; it must be positive"),
        (dt.RollingSphere("A", radius="r"), "radius is 'r'; it must be a positive number"),
        (dt.Angle("A", "B", 0.0), "angle is 0.0; at 0 and pi the axes are parallel: use dt.Parallel"),
        (dt.Angle("A", "B", None), "angle is None; it must be a number"),
        (dt.MarkerMotion("A", (1.0, 2.0)),
         "position is (1.0, 2.0); give (x, y, z), None for a component that is free"),
        (dt.MarkerMotion("A", (None, None, None)),
         "position is (None, None, None); give (x, y, z), None for a component that is free"),
        (dt.MarkerMotion("A", "t"), "position is 't'; give (x, y, z), None for a component that is free"),
        (dt.Coupler({}), "coefficients are {}; give a mapping such as {'A': 1.0, 'B': -2.0}"),
        (dt.Coupler({"JB": "x"}), "the coefficient of 'JB' is 'x'; it must be a number"),
        (dt.Coupler({("JB",): 1.0}), "('JB',) is not (joint, coordinate), the coordinate a whole number from 0"),
        (dt.Cam("JB", "JB", [0, 1], [0, 1]),
         "the table needs as many angles as lifts, at least three; it has 2 and 2"),
        (dt.Cam("JB", "JB", [0, 2, 1], [0, 1, 2]), "the angles must increase; entry 2 does not"),
        (dt.Cam("JB", "JB", [0, 1, 2], [0, 1, 2], periodic=True),
         "a periodic table must end where it begins: 0.0 and 2.0"),
        (dt.Cam("JB", "JB", [0, 1, np.nan], [0, 1, 2]), "the table has entries that are not finite"),
        (dt.Cam("JB", "JB", [0, 1, "x"], [0, 1, 2]), "the table has entries that are not numbers"),
    ],
)  # fmt: skip
def test_wrong_numbers(constraint, text):
    assert errors(constraint) == [f'constraint "c" ({constraint.kind}): {text}']


@pytest.mark.parametrize("kind", [dt.Parallel, dt.Perpendicular])
def test_wrong_axes(kind):
    first, second = errors(kind("A", "B", axis_a="q", axis_b=(0, 0, 0)))
    assert first.startswith(f'constraint "c" ({kind.kind}): axis_a: ')
    assert second.startswith(f'constraint "c" ({kind.kind}): axis_b: ')


@pytest.mark.parametrize(
    ("constraint", "text"),
    [
        (dt.Weld("A", "C"), 'constraint "c": its marker or body "C" does not exist'),
        (dt.Weld("A", "mA"), 'constraint "c": both markers are on body "A"'),
        (dt.Gear("JB", "JC", 2.0), 'constraint "c": its joint "JC" does not exist'),
        (dt.JointMotion("JB", "t", coordinate=1), 'constraint "c": coordinate 1 of joint "JB", which has 1'),
        (dt.JointMotion("JA", "t"), 'constraint "c": coordinate 0 of joint "JA" is a part of a rotation'),
        (dt.PointOnPlane("A", "A"), 'constraint "c": both markers are on body "A"'),
        ("not one", "constraint \"c\": 'not one' is not a constraint"),
    ],
)
def test_wrong_references(constraint, text):
    assert errors(constraint) == [text]


@pytest.mark.parametrize(
    ("constraint", "culprit"),
    [
        (dt.JointMotion("JB", "sin(2*"), "sin(2*"),
        (dt.JointMotion("JB", "3*x"), "x"),
        (dt.Distance("A", "B", "JB.angle"), "JB"),
        (dt.Angle("A", "B", "speed*t"), "speed"),
        (dt.Coupler({"JB": 1.0}, value=None), "None"),
        (dt.MarkerMotion("A", ("t", lambda t: t, None)), "function"),
    ],
)
def test_wrong_values(constraint, culprit):
    """A value is a number or an expression of the time alone."""
    (text,) = errors(constraint)
    assert text.startswith('constraint "c": its value: ')
    assert culprit in text


def test_check_counts_the_equations_of_constraints():
    m = drives(A=0.2, B=0.3)
    m.add_constraint("c", dt.Gear("A", "B", 2.0))
    assert [f.what for f in dt.check(m)] == [
        "2 bodies, 2 joints, a tree, 1 constraint (1 equation); 1 degree of freedom by Grübler's count"
    ]


def test_summary_counts_constraints():
    m = drives(A=0.2, B=0.3)
    m.add_constraint("c", dt.Gear("A", "B", 2.0))
    text = dt.simulate(m, 0.1).summary()
    assert "2 coordinates, 1 constraint (1 equation)" in text
    assert "not unique" not in text


def test_unknown_multipliers():
    m = drives(A=0.2, B=0.3)
    m.add_constraint("c", dt.Gear("A", "B", 2.0))
    with pytest.raises(dt.errors.ChannelError, match='there is no constraint or cut joint "d"'):
        dt.simulate(m, 0.1).multipliers("d")
