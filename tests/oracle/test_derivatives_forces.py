"""Derivatives of all force elements, cut joints and constraints against a complex step of the complete equations.

    r = M a + h - (what the force elements do) - G^T lambda

in any state with any multipliers: no loop need be closed for that. The reference evaluates the kernels of the package
itself with complex numbers (those are tested elsewhere), and shares with the derivatives nothing but their inputs. A
complex step has no step-size error, so that round-off is all that remains: 1e-11 of the largest entry of the matrix.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import duoti as dt
from duoti.dynamics.loops.constraints import ALL, closure_jacobian, closures_at, evaluate_closures
from duoti.dynamics.tree.forward import inverse_dynamics
from duoti.dynamics.tree.kinematics import accelerations, joint_sweep, velocities, world_poses
from duoti.dynamics.workspace import new_linearisation, new_workspace
from duoti.kernel import kernel, run_entry
from duoti.model.beams.lobatto import gauss_polynomials, lobatto
from duoti.model.laws.law import STATE
from duoti.model.mechanism.placement import place_bodies
from duoti.model.quantities import signal_names
from duoti.system.constraint_arrays import dense_jacobian
from support.motion import motion
from support.random_constraints import CONSTRAINT_SAMPLES, add_random_constraints
from support.random_forces import BETWEEN_BODIES, add_random_forces, positive
from support.random_models import ALL_KINDS, random_model, random_rotation, random_state, relative, step_q

STEP = 1e-30
ROUND_OFF = 1e-11  # of the largest entry; sums of some hundred products of numbers up to 1e3 that cancel in part


@kernel
def acceleration_state(tree, loads, closures, w, q, v, at_rest):
    """gamma and G in a state, for the closures of a complex workspace."""
    joint_sweep(tree, w, q, v)
    velocities(tree, w, v)
    world_poses(tree, w)
    accelerations(tree, w, at_rest)
    for i in range(tree.nq):
        w.y[i] = q[i]
    for i in range(tree.nv):
        w.y[tree.nq + i] = v[i]
    evaluate_closures(loads, closures, w, q, v, ALL)
    closure_jacobian(tree, loads, closures, w)


@kernel
def closing_state(tree, loads, closures, w, t, q, v):
    """g, its rate and G in a state, likewise."""
    closures_at(tree, loads, closures, w, t, q, v)


class Reference:
    """Complex-step derivatives of a system in one state."""

    def __init__(self, system, t, q, v, a, multipliers, values):
        self.system, self.t, self.q, self.v, self.a, self.multipliers = system, t, q, v, a, multipliers
        still = system.closures._replace(timed=0)  # values that change with time do not depend on the state
        self.closures = still
        self.work = new_workspace(replace(system, closures=still), dtype=complex)
        self.work.values[:] = values
        self.work.clock[0] = t

    def evaluate(self, q, v):
        """Residual of the equations of motion, and rates of the closures."""
        system, work = self.system, self.work
        q, v, a = (np.asarray(x, dtype=complex) for x in (q, v, self.a))
        tau = np.zeros(system.nv, complex)
        inverse_dynamics(system.tree, system.loads, work, self.t, q, v, a, tau)
        if system.closures.rows:
            closing_state(system.tree, system.loads, self.closures, work, self.t, q, v)
            gdot, G = work.gdot.copy(), dense_jacobian(self.closures, system.nv, work.G)
            tau -= G.T @ self.multipliers
            acceleration_state(system.tree, system.loads, self.closures, work, q, v, np.zeros_like(a))
            return tau, gdot, dense_jacobian(self.closures, system.nv, work.G) @ a - work.gamma
        return tau, np.zeros(0), np.zeros(0)

    def derivatives(self):
        """K, C, Gq, Aq and Av."""
        n, rows = self.system.nv, self.system.closures.rows
        K, C = np.zeros((2, n, n))
        Gq, Aq, Av = np.zeros((3, rows, n))
        for j, unit in enumerate(np.eye(n)):
            tau, gdot, gddot = self.evaluate(step_q(self.system, self.q, unit, 1j * STEP), self.v)
            K[:, j], Gq[:, j], Aq[:, j] = tau.imag / STEP, gdot.imag / STEP, gddot.imag / STEP
            tau, _, gddot = self.evaluate(self.q, self.v + 1j * STEP * unit)
            C[:, j], Av[:, j] = tau.imag / STEP, gddot.imag / STEP
        return K, C, Gq, Aq, Av


def derivatives(system, t, q, v, a, multipliers):
    """By the entries, evaluated twice so that what is left over from the first time shows; and the workspace."""
    work = new_workspace(system, ydot=True)
    made = new_linearisation(system, work, acceleration_rows=True)
    nq, nv = system.nq, system.nv
    for _ in range(2):
        work.clock[0] = t
        work.y[:nq], work.y[nq : nq + nv], work.ydot[nq : nq + nv] = q, v, a
        work.multipliers[:] = multipliers
        run_entry(work.calls[0].linearise, work.at[0].system)
        if system.closures.rows:
            run_entry(work.calls[0].acceleration_rows, work.at[0].system)
    return made.tangent, work


TURNING = ("bushing", "beam_element")


def growth_of_round_off(system, q, v):
    """1/sin²(angle) of the elements that know a rotation vector: 50 at 3 rad."""
    pairs = [[name for _, name in f.markers()] for f in system.model.forces.values() if f.kind in TURNING]
    turns = [motion(system, q, v, pair).rotation for pair in pairs]
    angles = [dt.Rotation.from_matrix(R_a.T @ R_b).angle for R_a, R_b in turns]
    found = [1.0, *(np.sin(angle) ** -2 for angle in angles if angle > 0.5 * np.pi)]
    for f in system.model.forces.values():
        if f.kind == "spectral_beam_element":
            found.append(growth_in_element(motion(system, q, v, [name for _, name in f.markers()]).rotation))
    return max(found)


def growth_in_element(rotations):
    """(1/|Q|²)² of the mean quaternion: second derivatives have it as a divisor; and of each from its matrix."""
    order = len(rotations) - 1
    middle = rotations[len(rotations) // 2]
    q = np.array([dt.Rotation.from_matrix(R @ middle.T).quaternion for R in rotations])
    Q = gauss_polynomials(order)[0] @ np.where(q[:, :1] < 0, -q, q)
    return max(np.sum(Q * Q, axis=1).min() ** -2, np.abs(q[:, 0]).min() ** -2)


def compare(system, rng, tolerance=ROUND_OFF):
    q, v, a = random_state(rng, system)
    tolerance *= growth_of_round_off(system, q, v)
    t, multipliers = 0.7, rng.normal(size=system.closures.rows)
    tan, work = derivatives(system, t, q, v, a, multipliers)
    K, C, Gq, Aq, Av = Reference(system, t, q, v, a, multipliers, work.values).derivatives()
    assert relative(tan.K - K, K) < tolerance
    assert relative(tan.C - C, C) < tolerance
    if system.closures.rows:
        # rows between coordinates have no derivatives: at least of order one, like the rates themselves
        for got, wanted in ((tan.Gq, Gq), (tan.Aq, Aq), (tan.Av, Av)):
            assert relative(got - wanted, max(np.max(np.abs(wanted)), 1.0)) < tolerance
    return tan, work


@pytest.mark.parametrize("kind", sorted(BETWEEN_BODIES))
def test_every_force_element(kind):
    """Alone, so that its derivatives are not lost among larger ones; trees, neighbours and ground alike."""
    compared = 0
    for seed in range(12):
        rng = np.random.default_rng([seed, 1])
        meant = random_model(rng, 2 + seed % 4, gravity=(0, 0, 0))
        add_random_forces(rng, meant, kinds=(kind,))
        if meant.model.forces:
            compare(dt.compile(meant.model), rng)
            compared += 1
    assert compared >= 9  # joints without an angle or position have no joint forces


@pytest.mark.parametrize("order", range(2, 9))
def test_beam_elements_of_every_order(order):
    """Nodes on any bodies, several on one and on ground among them, with couplings; with and without damping."""
    for seed in range(4):
        rng = np.random.default_rng([seed, order, 6])
        m = random_model(rng, 4 + seed, gravity=(0, 0, 0)).model
        placed, R = place_bodies(m).bodies, random_rotation(rng)
        for k, x in enumerate(lobatto(order)[0]):
            body = str(rng.choice([*m.bodies, "ground"]))
            bent = R @ dt.Rotation.from_vector(0.3 * rng.normal(size=3))
            X_WN = dt.spatial.Pose(bent, np.asarray(R.matrix) @ (x, 0, 0) + 0.05 * rng.normal(size=3))
            X_BN = X_WN if body == "ground" else placed[body].inverse() @ X_WN
            m.add_marker(f"n{k}", body, X_BN.position, X_BN.rotation)
        numbers = {"matrix": positive(rng), "mass_per_length": 1.0, "rotary_inertia": (0, 0, 0)}
        beam = dt.Beam.from_stiffness(**numbers, damping_time=(seed % 2) * rng.uniform(0.1, 0.3, size=6))
        m.add_force("beam", dt.beams.SpectralBeamElement([f"n{k}" for k in range(order + 1)], beam))
        compare(dt.compile(m), rng)


@pytest.mark.parametrize("seed", range(6))
def test_laws_in_the_axes_of_a_body(seed):
    """Axes, and velocities along them, as signals of laws."""
    rng = np.random.default_rng([seed, 7])
    meant = random_model(rng, 3 + seed % 3, gravity=(0, 0, 0))
    (a, b), m = list(meant.model.bodies)[:2], meant.model
    m.add_marker("here", a, rng.normal(size=3), random_rotation(rng))
    m.add_force(
        "drag",
        dt.AppliedForce(
            b,
            ("here.local_velocity.x*here.axis_y.z", "here.local_angular_velocity.y^2", "here.axis_x.x*here.velocity.y"),
            frame="marker",
        ),
    )
    compare(dt.compile(m), rng)


@pytest.mark.sample(2)
@pytest.mark.parametrize("part", range(4))
def test_all_force_elements_together(part):
    for seed in range(25 * part, 25 * (part + 1)):
        rng = np.random.default_rng([seed, 2])
        meant = random_model(rng, int(rng.integers(2, 9)))
        add_random_forces(rng, meant)
        compare(dt.compile(meant.model), rng)


@pytest.mark.parametrize("kind", CONSTRAINT_SAMPLES)
def test_every_constraint(kind):
    compared = 0
    for seed in range(10):
        rng = np.random.default_rng([seed, 3])
        meant = random_model(rng, 3 + seed % 4, gravity=(0, 0, 0))
        add_random_constraints(rng, meant, kinds=(kind,))
        if meant.model.constraints:
            compare(dt.compile(meant.model), rng)
            compared += 1
    assert compared >= 8


@pytest.mark.parametrize("kind", [kind for kind in ALL_KINDS if kind not in ("free", "composite")])
def test_every_cut_joint(kind):
    """Absolute coordinates: every joint is cut. Multipliers are of order one, so are the terms compared."""
    for seed in range(4):
        rng = np.random.default_rng([seed, 4])
        meant = random_model(rng, 3, kinds=(kind,), gravity=(0, 0, 0))
        system = dt.compile(meant.model, coordinates="absolute")
        assert system.closures.rows > 0
        compare(system, rng)


@pytest.mark.full
@pytest.mark.parametrize("part", range(2))
def test_forces_and_constraints_together(part):
    for seed in range(20 * part, 20 * (part + 1)):
        rng = np.random.default_rng([seed, 5])
        meant = random_model(rng, int(rng.integers(3, 8)))
        add_random_forces(rng, meant)
        add_random_constraints(rng, meant)
        compare(dt.compile(meant.model), rng)


def test_absolute_coordinates_with_forces():
    """Every joint is cut, every body free: long lists of rows and rates between any two bodies."""
    for seed in range(20):
        rng = np.random.default_rng([seed, 6])
        kinds = ("revolute", "spherical", "universal", "screw", "planar")
        meant = random_model(rng, 3, kinds=kinds)
        add_random_forces(rng, meant, kinds=("bushing", "spring_damper", "applied_force", "line_force"))
        compare(dt.compile(meant.model, coordinates="absolute"), rng)


# ---------------------------------------------------------------------------------------------------------------- laws


def random_law(rng, model, own=()):
    """An expression of the time and four quantities of any kind: coordinates, quaternions, rates, motion of markers."""
    chosen = [*rng.choice(signal_names(model), size=4, replace=False), *own, "t"]
    return " + ".join(f"{rng.normal():.3f}*sin({rng.uniform(0.3, 2):.3f}*{name})" for name in chosen)


def add_forces_by_laws(rng, model):
    """One element of each type that takes laws, between the last body and another."""
    bodies = [*model.bodies]
    for end, body in zip("ab", (bodies[-1], bodies[rng.integers(len(bodies) - 1)]), strict=True):
        model.add_marker(f"law_{end}", body, rng.normal(size=3))
    model.add_force("line", dt.LineForce("law_a", "law_b", random_law(rng, model, ("length", "speed"))))
    model.add_force("torque", dt.JointTorque("hinge", random_law(rng, model, ("q", "v"))))
    model.add_force("motor", dt.JointMotor("hinge", 3.0, 10.0, random_law(rng, model)))
    for frame in ("world", "marker"):
        vectors = [[random_law(rng, model) for _ in range(3)] for _ in range(2)]
        model.add_force(f"force {frame}", dt.AppliedForce("law_a", vectors[0], frame=frame))
        model.add_force(f"applied torque {frame}", dt.AppliedTorque("law_b", vectors[1], frame=frame))


def model_for_laws(rng):
    meant = random_model(rng, 4, gravity=(0, 0, 0))
    last = meant.model.add_body("last", dt.Inertia.box(1.0, size=(0.3, 0.2, 0.1)), position=rng.normal(size=3))
    meant.model.add_joint("hinge", dt.Revolute(rng.normal(size=3)), "b3", last, at=rng.normal(size=3))
    return meant.model


@pytest.mark.full
def test_laws_that_read_everything():
    for seed in range(40):
        rng = np.random.default_rng([seed, 7])
        model = model_for_laws(rng)
        add_forces_by_laws(rng, model)
        compare(dt.compile(model), rng)


def wave(x, y, z, t):
    return 0.7 * np.sin(1.3 * x) + 0.4 * np.cos(y) * z + t


def three(x, y):
    return np.sin(x), x * y, 0.3 * y


def test_functions_are_differentiated_by_differences():
    """Against the same laws as expressions, whose derivatives are exact.

    Central differences with a step h of 6e-6 err by h² / 6 times the third derivative and by 1e-16 / h times the value:
    2e-11 for laws of order one. 1e-8 of the largest entry leaves a factor of some hundred for lever arms.
    """
    for seed in range(10):
        tangents = []
        for functions in (False, True):
            rng = np.random.default_rng([seed, 8])
            model = model_for_laws(rng)
            model.add_marker("tip", "last", rng.normal(size=3))
            names = ("hinge.angle", "tip.velocity.y", "b0.position.x", "t")
            text = "0.7*sin(1.3*{}) + 0.4*cos({})*{} + {}".format(*names)
            law = dt.Function(wave, names) if functions else text
            names = x, y = "tip.angular_velocity.x", "tip.position.z"
            vector = dt.Function(three, names) if functions else (f"sin({x})", f"{x}*{y}", f"0.3*{y}")
            model.add_force("torque", dt.JointTorque("hinge", law))
            model.add_force("line", dt.LineForce("tip", "b0", law))
            model.add_force("force", dt.AppliedForce("tip", vector, "marker"))
            system = dt.compile(model)
            tangents.append(derivatives(system, 0.7, *random_state(rng, system), np.zeros(0))[0])
        exact, approximate = tangents
        assert relative(approximate.K - exact.K, exact.K) < 1e-8
        assert relative(approximate.C - exact.C, exact.C) < 1e-8


def test_first_order_states_in_laws():
    """Z: some signals of the laws are turned into two first-order states."""
    for seed in range(10):
        rng = np.random.default_rng([seed, 9])
        model = model_for_laws(rng)
        add_forces_by_laws(rng, model)
        for name in ("first", "second"):
            model.add_state(name, 0.0)
        system = dt.compile(model)
        tree = system.tree
        first = tree.nq + tree.nv
        signals = system.loads.laws.signals.copy()
        for n, s in enumerate(rng.choice(len(signals), size=12, replace=False)):
            signals[s] = STATE, first + n % 2, 0
        system = replace(system, loads=system.loads._replace(laws=system.loads.laws._replace(signals=signals)))
        q, v, a = random_state(rng, system)
        z = rng.normal(size=2)
        work = new_workspace(system, ydot=True)
        made = new_linearisation(system, work)
        work.y[:first], work.y[first : first + 2], work.ydot[tree.nq : first] = np.concatenate([q, v]), z, a
        for _ in range(2):
            run_entry(work.calls[0].linearise, work.at[0].system)
        reference = Reference(system, 0.0, q, v, a, np.zeros(0), np.zeros((0, 3)))
        Z = np.zeros((system.nv, 2))
        for k in range(2):
            reference.work.y[first : first + 2] = z + 1j * STEP * np.eye(2)[k]
            Z[:, k] = reference.evaluate(q, v)[0].imag / STEP
        assert np.max(np.abs(Z)) > 0.1
        assert relative(made.tangent.Z - Z, Z) < ROUND_OFF


# -------------------------------------------------------------------------------------------------------- closed forms


def test_bushing_at_rest_has_its_stiffness_and_damping():
    """Without deflection the derivatives are the numbers that the user gave, in the order of the free joint's rates."""
    model = dt.Model("bushing", gravity=(0, 0, 0))
    model.add_body("b", dt.Inertia.box(1.0, size=(0.3, 0.2, 0.1)))
    model.add_joint("free", dt.Free(), model.ground, "b")
    stiffness, damping = np.arange(1.0, 7.0), np.arange(1.0, 7.0) / 10
    model.add_force("bushing", dt.Bushing("ground", "b", stiffness, damping))
    system = dt.compile(model)
    tan, _ = derivatives(system, 0.0, *system.initial_state(), np.zeros(6), np.zeros(0))
    assert relative(tan.K - np.diag(stiffness), stiffness) < 1e-15
    assert relative(tan.C - np.diag(damping), damping) < 1e-15


def test_what_acts_between_neighbours_touches_only_their_joint():
    """In a chain of any length the matrices of such elements have one block for each joint: nothing inboard matters."""
    found = []
    for forces in (True, False):
        rng = np.random.default_rng(1)
        kinds = ("revolute", "universal", "spherical")
        model = random_model(rng, 12, kinds=kinds, branch=0.0, gravity=(0, 0, 0)).model
        for i in range(1, 12 * forces):
            numbers = rng.uniform(1, 9, size=(2, 6))
            model.add_force(f"bushing {i}", dt.Bushing(f"b{i - 1}", f"b{i}", *numbers))
        system = dt.compile(model)
        q, v, _ = random_state(np.random.default_rng(2), system)
        found.append(derivatives(system, 0.0, q, v, np.zeros(system.nv), np.zeros(0))[0])
    joint = np.repeat(np.arange(12), [len(system.joints[f"j{i}"].v) for i in range(12)])
    apart = joint[:, None] != joint[None, :]
    for with_forces, without in ((found[0].K, found[1].K), (found[0].C, found[1].C)):
        assert np.all((with_forces == without)[apart])
        assert np.any(with_forces != without)
