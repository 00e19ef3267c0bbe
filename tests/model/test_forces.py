"""Force elements. Whatever is in `FORCE_TYPES` gets the generic tests; a new type needs a sample only."""

from __future__ import annotations

import re

import numba
import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator

import duoti as dt
from duoti.analyses.states.diagnose import SingleForce
from duoti.dynamics.tree.forward import force_state
from duoti.dynamics.workspace import new_workspace
from duoti.model.forces import FORCE_TYPES
from duoti.model.forces.base import LineElement
from support.motion import motion
from support.random_forces import BETWEEN_BODIES, add_random_forces, sample_force, type_of
from support.random_models import random_inertia, random_model, random_pose, random_rotation, random_state, step_q

kinds = pytest.mark.parametrize("kind", BETWEEN_BODIES)
LINES = [kind for kind, cls in FORCE_TYPES.items() if issubclass(cls, LineElement)]
TINY = 1e-30  # complex step: exact to round-off
T = 0.3


def two_bodies(rng, force, joint=None):
    """A and B float in space without gravity, a joint with six coordinates between ground and each."""
    m = dt.Model("two", gravity=(0, 0, 0))
    for name in "AB":
        X = random_pose(rng)
        m.add_body(name, random_inertia(rng), position=X.position, rotation=X.rotation)
        limits = [(-0.1, 0.1)] * 2 if isinstance(force, dt.JointStop) else None
        m.add_joint(f"float{name}", joint or dt.Free(), m.ground, name, limits=limits)
    m.add_marker("a", "A", rng.normal(size=3), random_rotation(rng))
    m.add_marker("b", "B", rng.normal(size=3), random_rotation(rng))
    if force is not None:
        m.add_force("F", force)
    return dt.compile(m)


def angle_between(system, q, v):
    R_a, R_b = motion(system, q, v, ["a", "b"]).rotation
    return dt.Rotation.from_matrix(R_a.T @ R_b).angle


def sampled(kind, seed):
    """A system with one element of this type, and a state in which a bushing is below half a turn."""
    rng = np.random.default_rng(seed)
    joint = dt.Cylindrical(rng.normal(size=3)) if kind.startswith("joint") else None
    system = two_bodies(rng, sample_force(kind, rng, "a", "b", "floatB", 1), joint)
    while True:
        q, v, _ = random_state(rng, system)
        if angle_between(system, q, v) < 3.0:
            return system, q, v


def powers(system, q, v, t=T):
    """Potential, supplied and dissipated power; q and v may be complex."""
    w = new_workspace(system, complex, fill=np.nan)
    force_state(system.tree, system.loads, w, t, np.asarray(q, complex), np.asarray(v, complex))
    return w.powers


# ------------------------------------------------------------------------------------------------------------- generic


@kinds
@pytest.mark.parametrize("seed", range(4))
def test_power_is_supplied_minus_dissipated_minus_rate_of_potential(kind, seed):
    system, q, v = sampled(kind, seed)
    on_bodies = dt.analyses.generalised_forces(system, q, v, T) @ v
    _, supplied, dissipated = powers(system, q, v).real
    stored = powers(system, step_q(system, q, v, 1j * TINY), v)[0].imag / TINY
    scale = (
        np.abs([on_bodies, supplied, dissipated, stored]).sum()
        + np.abs(dt.analyses.generalised_forces(system, q, v, T)).max()
    )
    # everything is exact but for round-off, which grows by 1/sin²(angle) = 50 in a bushing at 3 rad
    if kind not in WITH_STATES:
        assert abs(on_bodies - supplied + dissipated + stored) < 1e-12 * scale
    if type_of(kind).kind not in RETURNS:
        assert dissipated >= 0.0


RETURNS = ("tyre",)  # what its slips take up as springs comes back: as dissipated power that is negative for a moment
WITH_STATES = ("reeving", "tyre_tmeasy")
# the potential changes by states, too, or is that on a road that bends: runs balance in test_reeving.py, test_tyres.py
DRIVES = (
    "applied_force",
    "applied_torque",
    "joint_motor",
    "joint_torque",
    "line_force",
    "rope_by_law",
)  # without a potential


@pytest.mark.parametrize(
    "kind",
    [kind for kind in BETWEEN_BODIES if kind not in (*DRIVES, *WITH_STATES) and type_of(kind).kind not in RETURNS],
)
def test_force_at_rest_is_minus_the_gradient_of_the_potential(kind):
    """Without speed, without drives: each generalised force is -dU/dq of its own coordinate."""
    for seed in range(4):
        system, q, v = sampled(kind, seed)
        force = dt.analyses.generalised_forces(system, q, 0 * v, T)
        gradient = [powers(system, step_q(system, q, e, 1j * TINY), 0 * v)[0].imag / TINY for e in np.eye(system.nv)]
        np.testing.assert_allclose(force, -np.array(gradient), rtol=0, atol=1e-12 * (1 + np.abs(force).max()))
        assert dt.energies(system, q, 0 * v, T).dissipated_power == 0.0


@pytest.mark.parametrize("kind", LINES)
@pytest.mark.parametrize("seed", range(3))
def test_action_and_reaction_cancel(kind, seed):
    """Total force and total moment about the world's origin of an element between two bodies vanish."""
    system, q, v = sampled(kind, seed)
    tau = dt.analyses.generalised_forces(system, q, v, T)
    seen = motion(system, q, v, ["A", "B"])
    force, moment = np.zeros(3), np.zeros(3)
    for n, name in enumerate("AB"):
        place = system.joints[f"float{name}"]
        f = tau[place.v[:3]]  # in world axes: the joint's frame on ground
        quaternion = q[place.q[3:]]
        torque = dt.Rotation(quaternion).matrix @ tau[place.v[3:]]  # the generalised torque is in the child's axes
        force += f
        moment += torque + np.cross(seen.position[n], f)
    size = np.abs(tau).max()
    assert size > 1e-3
    np.testing.assert_allclose(force, 0, atol=1e-13 * size)
    np.testing.assert_allclose(moment, 0, atol=1e-12 * size)  # lever arms of size 5


@kinds
def test_elements_say_what_they_are(kind):
    rng = np.random.default_rng(0)
    force = sample_force(kind, rng, "a", "b", "floatB", 1)
    assert type(force) is type_of(kind)
    assert force.faults() == []
    assert repr(force).startswith(type(force).__name__ + "(")
    assert type(force).__doc__


def test_elements_add_up():
    rng = np.random.default_rng(1)
    meant = random_model(rng, 6)
    add_random_forces(rng, meant)
    together = dt.compile(meant.model)
    q, v, _ = random_state(rng, together)
    total, forces = np.zeros(together.nv), dict(meant.model.forces)
    for name, force in forces.items():
        meant.model.forces = {name: force}
        total += dt.analyses.generalised_forces(dt.compile(meant.model), q, v, T)
    expected = dt.analyses.generalised_forces(together, q, v, T)
    np.testing.assert_allclose(total, expected, rtol=0, atol=1e-12 * np.abs(expected).max() * 10)


# ------------------------------------------------------------------------------------------- one by one: closed forms


def hand_wrench(system, q, v, name="B"):
    """Force and torque (about the body's origin) in world axes that the elements exert on a floating body."""
    tau = dt.analyses.generalised_forces(system, q, v, T)
    place = system.joints[f"float{name}"]
    return tau[place.v[:3]], dt.Rotation(q[place.q[3:]]).matrix @ tau[place.v[3:]]


def test_spring_damper_closed_form():
    rng = np.random.default_rng(2)
    system = two_bodies(rng, dt.SpringDamper("a", "b", stiffness=40.0, damping=3.0, rest_length=0.5))
    q, v, _ = random_state(rng, system)
    seen = motion(system, q, v, ["a", "b", "B"])
    line = seen.position[1] - seen.position[0]
    length = np.linalg.norm(line)
    n = line / length
    speed = n @ (seen.velocity[1] - seen.velocity[0])
    expected = -(40.0 * (length - 0.5) + 3.0 * speed) * n
    force, torque = hand_wrench(system, q, v)
    np.testing.assert_allclose(force, expected, rtol=1e-13)
    np.testing.assert_allclose(
        torque, np.cross(seen.position[1] - seen.position[2], expected), rtol=0, atol=1e-12 * 100
    )
    e = dt.energies(system, q, v, T)
    assert e.elastic == pytest.approx(20.0 * (length - 0.5) ** 2, rel=1e-13)
    assert e.dissipated_power == pytest.approx(3.0 * speed**2, rel=1e-12)


def test_spring_of_no_length_has_no_direction_and_no_force():
    m = dt.Model(gravity=(0, 0, 0))
    m.add_body("A", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_joint("J", dt.Free(), m.ground, "A")
    m.add_force("F", dt.SpringDamper("ground", "A", stiffness=10.0, damping=1.0, rest_length=0.5))
    m.add_force("L", dt.LineForce("ground", "A", "3"))
    system = dt.compile(m)
    assert np.all(dt.accelerations(system, *system.initial_state()) == 0.0)


@pytest.mark.parametrize("frame", ["world", "marker"])
def test_applied_force_and_torque_fixed_or_following(frame):
    rng = np.random.default_rng(3)
    given = rng.normal(size=3)
    for cls in (dt.AppliedForce, dt.AppliedTorque):
        system = two_bodies(rng, cls("b", given, frame=frame))
        q, v, _ = random_state(rng, system)
        seen = motion(system, q, v, ["b", "B"])
        vector = given if frame == "world" else seen.rotation[0] @ given
        force, torque = hand_wrench(system, q, v)
        if cls is dt.AppliedForce:
            np.testing.assert_allclose(force, vector, atol=1e-14)
            np.testing.assert_allclose(torque, np.cross(seen.position[0] - seen.position[1], vector), atol=1e-13)
        else:
            np.testing.assert_allclose(force, 0, atol=1e-14)
            np.testing.assert_allclose(torque, vector, atol=1e-14)


@pytest.mark.parametrize("angle", [0.0, 1e-12, 1e-6, 0.3, 1.5, 2.8, 3.1])
def test_bushing_for_any_rotation(angle):
    """Torque against the gradient of the closed-form energy, by complex step of matrices made here."""
    rng = np.random.default_rng(4)
    k = rng.uniform(1, 20, size=6)
    m = dt.Model(gravity=(0, 0, 0))
    m.add_body("B", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_joint("floatB", dt.Free(), m.ground, "B")
    m.add_force("F", dt.Bushing("ground", "B", k))
    system = dt.compile(m)
    axis = np.array([0.48, -0.6, 0.64])
    R = dt.Rotation.about(axis, angle)
    x = rng.normal(size=3)
    q, v = system.state({"floatB": dt.spatial.Pose(R, x)})
    theta = angle * axis
    assert dt.energies(system, q, v).elastic == pytest.approx(
        0.5 * k[:3] @ x**2 + 0.5 * k[3:] @ theta**2, rel=1e-13 if angle < 3 else 1e-11
    )
    force, torque = hand_wrench(system, q, v)
    np.testing.assert_allclose(force, -k[:3] * x, rtol=1e-13)
    # d(theta)/dt = J^-1 omega with the left Jacobian of SO(3), written out with its own coefficients
    S = np.array([[0, -axis[2], axis[1]], [axis[2], 0, -axis[0]], [-axis[1], axis[0], 0]])
    half = 0.5 * angle
    ratio = half / np.tan(half) if angle > 0 else 1.0
    inverse = ratio * np.eye(3) + (1 - ratio) * np.outer(axis, axis) - half * S
    expected = -inverse.T @ (k[3:] * theta)
    # near half a turn the direction of theta is the small difference of large numbers: 1e-16 / sin(3.1) = 2e-15
    np.testing.assert_allclose(torque, expected, rtol=0, atol=1e-12 * (1 + np.abs(expected).max()))


def test_bushing_at_half_a_turn_stays_finite():
    m = dt.Model(gravity=(0, 0, 0))
    m.add_body("B", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_joint("J", dt.Spherical(), m.ground, "B", q0=dt.Rotation.about("x", np.pi))
    m.add_force("F", dt.Bushing("ground", "B", (0, 0, 0, 1, 2, 3)))
    system = dt.compile(m)
    assert np.all(np.isfinite(dt.accelerations(system, *system.initial_state())))


def slider(force, **more):
    """A body on a slider along x: a line element from the origin to it has the slider's position as its length."""
    m = dt.Model(gravity=(0, 0, 0), **more)
    m.add_body("B", dt.Inertia.sphere(2.0, radius=0.1))
    m.add_joint("S", dt.Prismatic("x"), m.ground, "B")
    m.add_force("F", force)
    return dt.compile(m)


@pytest.mark.parametrize("smooth", [True, False])
def test_table_spring_against_scipy(smooth):
    x = np.array([-0.4, -0.1, 0.0, 0.3, 0.9, 1.0])
    y = np.array([-5.0, -4.0, 0.0, 0.5, 7.0, 7.0])
    rest = 2.0
    system = slider(dt.TableSpring("ground", "B", x, y, rest_length=rest, smooth=smooth))
    curve = PchipInterpolator(x, y)
    slopes = curve.derivative()(x[[0, -1]]) if smooth else np.diff(y)[[0, -1]] / np.diff(x)[[0, -1]]

    def tension(s):
        if s < x[0]:
            return y[0] + slopes[0] * (s - x[0])
        if s > x[-1]:
            return y[-1] + slopes[1] * (s - x[-1])
        return float(curve(s)) if smooth else float(np.interp(s, x, y))

    for s in [-1.0, -0.41, *np.linspace(-0.4, 1.0, 57), 1.2, 3.0]:
        found = dt.analyses.generalised_forces(system, [rest + s], [0.0])[0]
        assert found == pytest.approx(-tension(s), rel=1e-12, abs=1e-12)
    energy = lambda s: dt.energies(system, [rest + s], [0.0]).elastic  # noqa: E731
    if smooth:
        integral = curve.antiderivative()
        for s in np.linspace(-0.4, 1.0, 23):
            assert energy(s) - energy(0.1) == pytest.approx(float(integral(s) - integral(0.1)), rel=1e-12, abs=1e-12)
    # outside, the straight parts integrate to parabolas
    assert energy(3.0) - energy(1.0) == pytest.approx(7.0 * 2 + slopes[1] * 2.0, rel=1e-12)
    assert energy(-1.4) - energy(-0.4) == pytest.approx(5.0 + slopes[0] * 0.5, rel=1e-12)


def test_joint_elements_closed_form():
    m = dt.Model(gravity=(0, 0, 0))
    m.add_body("B", dt.Inertia.sphere(2.0, radius=0.1))
    J = m.add_joint("J", dt.Cylindrical("x"), m.ground, "B")
    m.add_force("spring", dt.JointSpring(J, stiffness=3.0, damping=0.5, rest=0.1, coordinate=1))
    m.add_force("drag", dt.JointDamping("J", 0.25))
    m.add_force("motor", dt.JointMotor("J", stall_torque=4.0, no_load_speed=20.0, command="0.5*t", coordinate=0))
    m.add_force("push", dt.JointTorque("J", "t*q + v", coordinate=0))
    system = dt.compile(m)
    q, v, t = np.array([0.7, -0.4]), np.array([1.5, 2.5]), 2.0
    expected = [-0.25 * 1.5 + 4.0 * (0.5 * t - 1.5 / 20.0) + t * 0.7 + 1.5, -3.0 * (-0.4 - 0.1) - 0.75 * 2.5]
    np.testing.assert_allclose(dt.analyses.generalised_forces(system, q, v, t), expected, rtol=1e-13)
    e = dt.energies(system, q, v, t)
    assert e.elastic == pytest.approx(1.5 * 0.25)
    assert e.dissipated_power == pytest.approx(0.25 * 1.5**2 + 0.75 * 2.5**2)
    assert e.supplied_power == pytest.approx(1.5 * (4.0 * (0.5 * t - 1.5 / 20.0) + t * 0.7 + 1.5))


def test_attraction_closed_form():
    system = slider(dt.PointGravity("ground", "B", strength=6.0))
    np.testing.assert_allclose(dt.analyses.generalised_forces(system, [2.0], [0.0]), [-1.5], rtol=1e-14)
    assert dt.energies(system, [2.0], [0.0]).elastic == -3.0


# -------------------------------------------------------------------------------------------------------- users' laws


def plain(t, q, v):
    return 3.0 * np.sin(2.0 * t) - 4.0 * q - 0.5 * v


compiled = numba.njit(lambda t, q, v: 3.0 * np.sin(2.0 * t) - 4.0 * q - 0.5 * v)

LAWS = {
    "expression": "3*sin(2*t) - 4*q - 0.5*v",
    "expression with names": "3*sin(2*t) - 4*S.position - 0.5*S.velocity",
    "expression with parameters": "c*sin(2*t) - 4*q - 0.5*v",
    "python": plain,
    "python, default values": lambda t, q, v, c=3.0: c * np.sin(2.0 * t) - 4.0 * q - 0.5 * v,
    "numba": compiled,
    "function": dt.Function(lambda x, u, time: plain(time, x, u), inputs=("S.position", "S.velocity", "t")),
    "function of a body": dt.Function(plain, inputs=("t", "B.position.x", "B.velocity.x")),
    "numba function": dt.Function(compiled, inputs=("t", "S.q", "S.v")),
}


@pytest.mark.parametrize("form", LAWS)
def test_all_forms_of_a_law_give_the_same_motion(form):
    system = slider(dt.JointTorque("S", LAWS[form]), parameters={"c": 3.0})
    r = dt.simulate(system, 0.5, outputs=[0.5], solver=dt.RK4(step=0.01), at=([0.2], [0.0]))
    expected = integrate_by_hand()
    # the same operations but for the order of a few sums, and another sine, each 1e-16, over 50 steps
    assert r["S.position"][-1] == pytest.approx(expected[0], rel=1e-13)
    assert r["S.velocity"][-1] == pytest.approx(expected[1], rel=1e-13)


def integrate_by_hand():
    rate = lambda t, y: np.array([y[1], plain(t, *y) / 2.0])  # noqa: E731
    y, h = np.array([0.2, 0.0]), 0.01
    for i in range(50):
        t = i * h
        k1 = rate(t, y)
        k2 = rate(t + h / 2, y + h / 2 * k1)
        k3 = rate(t + h / 2, y + h / 2 * k2)
        y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + rate(t + h, y + h * k3))
    return y


@pytest.mark.parametrize("form", LAWS)
def test_complex_steps_go_through_all_forms_of_a_law(form):
    system = slider(dt.JointTorque("S", LAWS[form]), parameters={"c": 3.0})
    q, v = 0.2, 0.7
    supplied = powers(system, [q + 1j * TINY], [v + 2j * TINY])[1]
    assert supplied.real == pytest.approx(plain(T, q, v) * v, rel=1e-14)
    # exact for expressions; a function of real numbers is differentiated by differences, good to 1e-16 / 6e-6
    expected = (-4.0 - 0.5 * 2) * v + 2 * plain(T, q, v)
    assert supplied.imag / TINY == pytest.approx(expected, rel=1e-13 if isinstance(LAWS[form], str) else 1e-9)


@pytest.mark.parametrize("value", [2, 2.0, "2", "4/2", lambda: 2.0, lambda t: 2.0, np.float64(2)])
def test_constant_laws(value):
    np.testing.assert_array_equal(
        dt.analyses.generalised_forces(slider(dt.JointTorque("S", value)), [0.1], [0.3]), [2.0]
    )


@pytest.mark.parametrize("cls", [dt.AppliedForce, dt.AppliedTorque])
def test_one_function_for_three_components(cls):
    def law(t):
        return 1.0 + t, 2.0 * t, -3.0

    rng = np.random.default_rng(5)
    values = [law, numba.njit(law), dt.Function(law, inputs=("t",)), ("1 + t", "2*t", -3.0)]
    found = []
    for value in values:
        system = two_bodies(np.random.default_rng(5), cls("b", value))
        q, v, _ = random_state(np.random.default_rng(6), system)
        found.append(dt.analyses.generalised_forces(system, q, v, T))
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], rtol=0, atol=1e-14)
    assert np.abs(found[0]).max() > 0.5
    del rng


def test_line_force_knows_its_length_and_speed():
    system = slider(dt.LineForce("ground", "B", "5*length^2 + speed"))
    np.testing.assert_allclose(dt.analyses.generalised_forces(system, [2.0], [0.5]), [-20.5], rtol=1e-15)
    assert dt.energies(system, [2.0], [0.5]).supplied_power == pytest.approx(-20.5 * 0.5)


def test_an_error_in_a_users_function_is_reported():
    def law(t):
        if t > 0.1:
            raise ZeroDivisionError("my mistake")
        return 1.0

    system = slider(dt.JointTorque("S", law))
    with pytest.warns(dt.errors.SimulationWarning, match="my mistake"):
        r = dt.simulate(system, 1.0)
    assert not r.ok
    assert isinstance(r.error, ZeroDivisionError)
    assert "F" in r.reason
    assert 0.0 < r.t[-1] <= 0.2


# ------------------------------------------------------------------------------------------------------------- faults


@pytest.mark.parametrize(
    ("force", "text"),
    [
        (dt.SpringDamper("ground", "B", stiffness=np.nan), "stiffness is nan; give a finite number"),
        (dt.SpringDamper("ground", "B", damping=-1.0), "damping is -1.0; it must not be negative"),
        (dt.SpringDamper("ground", "B", rest_length=-1.0), "rest_length is -1.0"),
        (dt.SpringDamper("ground", "C"), 'its marker_b "C" does not exist'),
        (dt.Bushing("ground", "B", (1, 2, 3)), "stiffness takes six numbers"),
        (dt.Bushing("ground", "B", (1, 2, 3, 4, 5, np.inf)), "not finite"),
        (dt.Bushing("ground", "B", (1,) * 6, (-1,) * 6), "damping must not be negative"),
        (dt.TableSpring("ground", "B", [0, 1], [0, 1, 2]), "as many stretches as tensions"),
        (dt.TableSpring("ground", "B", [0, 1, 1], [0, 1, 2]), "the stretches must increase; entry 2"),
        (dt.TableSpring("ground", "B", [0, np.nan], [0, 1]), "not finite"),
        (dt.JointMotor("S", 1.0, 0.0), "no_load_speed is 0"),
        (dt.JointDamping("S", -1.0), "damping is -1.0"),
        (dt.JointDamping("Q", 1.0), 'its joint "Q" does not exist'),
        (dt.JointTorque("S", 1.0, coordinate=3), "coordinate=3"),
        (dt.JointTorque("S", np.nan), "the value is nan"),
        (dt.JointTorque("S", None), "None is not a number, an expression or a function"),
        (dt.JointTorque("S", "2*nonsense"), "nonsense"),
        (dt.JointTorque("S", lambda speed: 1.0), "asks for 'speed'"),
        (dt.AppliedForce("B", (1, 2)), "it needs three components"),
        (dt.AppliedForce("B", (1, 2, 3), frame="body"), "frame is 'body'"),
        (dt.PointGravity("ground", "B", strength=np.inf), "strength is inf"),
        ("no force", "is not a force element"),
    ],
    ids=lambda value: repr(value).partition(" at 0x")[0],  # the same names in every process
)
def test_faulty_elements_are_refused_in_words(force, text):
    with pytest.raises(dt.ModelError, match=re.escape(text)) as caught:
        slider(force)
    assert 'force "F"' in str(caught.value)


@pytest.mark.parametrize("what", ["S.a", "B.acceleration.x", "B.rotation.w"])
def test_laws_cannot_read_what_they_themselves_decide(what):
    """Accelerations follow from forces; a law that asks for them is refused, not a crash."""
    with pytest.raises(dt.ModelError):
        slider(dt.JointTorque("S", f"2*{what}"))


def test_a_component_of_an_angular_velocity_has_no_coordinate():
    m = dt.Model()
    m.add_body("B", dt.Inertia.sphere(2.0, radius=0.1))
    m.add_joint("S", dt.Spherical(), m.ground, "B")
    m.add_force("F", dt.JointSpring("S", stiffness=1.0, coordinate=0))
    m.add_force("G", dt.JointTorque("S", "2*q", coordinate=0))
    with pytest.raises(dt.ModelError) as caught:
        dt.compile(m)
    assert 'force "F"' in str(caught.value)
    assert 'force "G"' in str(caught.value)
    del m.forces["F"]
    m.forces["G"] = dt.JointTorque("S", "2*v", coordinate=0)  # the rate is there
    np.testing.assert_allclose(dt.analyses.generalised_forces(dt.compile(m), [1, 0, 0, 0], [3.0, 0, 0]), [6, 0, 0])


def test_one_force_alone_is_of_the_types_of_its_system():
    """Writeable arrays would be other types to Numba, and another compilation."""
    m = dt.Model("two forces")
    body = m.add_body("b", dt.Inertia.sphere(1.0, 0.1))
    m.add_joint("J", dt.Prismatic("z"), m.ground, body, at=(0, 0, 0))
    m.add_force("one", dt.JointTorque("J", 3.0))
    m.add_force("two", dt.JointTorque("J", "5*t"))
    system = dt.compile(m)
    single = SingleForce(system, 1)
    assert numba.typeof(tuple(single.system.loads)) == numba.typeof(tuple(system.loads))
    y = system.whole_state(np.zeros(1), np.zeros(1))
    assert single.at(2.0, y).tau.tolist() == [10.0]
    assert SingleForce(system, 0).at(2.0, y).tau.tolist() == [3.0]
