"""The recursions on random trees of all joint types, checked against each other and against mechanics."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.dynamics.tree.aba import aba
from duoti.dynamics.tree.crba import crba
from duoti.dynamics.tree.forward import force_state, forward_dynamics, inverse_dynamics
from duoti.dynamics.tree.kinematics import marker_jacobian
from duoti.dynamics.tree.rnea import rnea
from duoti.dynamics.workspace import new_workspace
from duoti.kernel import JIT
from support.motion import motion
from support.random_forces import add_random_forces
from support.random_models import Meant, random_model, random_rotation, random_state, relative, step_q

TREES = 60 if JIT else 4
TINY = 1e-30  # complex step: exact to round-off


def tree_with_forces(seed: int, n: int = 8, **options) -> tuple[Meant, dt.System]:
    rng = np.random.default_rng(seed)
    meant = random_model(rng, n, **options)
    add_random_forces(rng, meant)
    return meant, dt.compile(meant.model)


def full(M: np.ndarray) -> np.ndarray:
    return M + np.tril(M, -1).T


def run_rnea(system, q, v, a, dtype=float, work=None):
    tau = np.full(system.nv, np.nan, dtype)
    rnea(
        system.tree, work or new_workspace(system, dtype, fill=np.nan), *(np.asarray(x, dtype) for x in (q, v, a)), tau
    )
    return tau


def run_crba(system, q, v, a, dtype=float, work=None):
    M = np.zeros((system.nv, system.nv), dtype)
    crba(system.tree, work or new_workspace(system, dtype, fill=np.nan), np.asarray(q, dtype), np.asarray(v, dtype), M)
    return full(M)


def run_aba(system, q, v, tau, dtype=float, work=None):
    a = np.full(system.nv, np.nan, dtype)
    aba(system.tree, work or new_workspace(system, dtype, fill=np.nan), *(np.asarray(x, dtype) for x in (q, v, tau)), a)
    return a


def run_forward(system, q, v, a, dtype=float, work=None):
    out = np.full(system.nv, np.nan, dtype)
    work = work or new_workspace(system, dtype, fill=np.nan)
    forward_dynamics(system.tree, system.loads, work, 0.3, np.asarray(q, dtype), np.asarray(v, dtype), out)
    return out


def run_inverse(system, q, v, a, dtype=float, work=None):
    out = np.full(system.nv, np.nan, dtype)
    work = work or new_workspace(system, dtype, fill=np.nan)
    args = (np.asarray(x, dtype) for x in (q, v, a))
    inverse_dynamics(system.tree, system.loads, work, 0.3, *args, out)
    return out


ALGORITHMS = {
    "rnea": run_rnea,
    "crba": run_crba,
    "aba": run_aba,
    "forward_dynamics": run_forward,
    "inverse_dynamics": run_inverse,
}


# --------------------------------------------------------------------------------------- against each other: M a + h


@pytest.mark.parametrize("seed", range(TREES))
def test_three_algorithms_agree(seed):
    """M a + h = tau, and the accelerations come back, on trees of all joint types with up to 40 bodies."""
    rng = np.random.default_rng(seed)
    system = dt.compile(random_model(rng, int(rng.integers(1, 41))).model)
    q, v, a = random_state(rng, system)
    if system.nv == 0:
        return
    tau, h = run_rnea(system, q, v, a), run_rnea(system, q, v, 0 * a)
    M = run_crba(system, q, v, a)
    # The promise is 1e-10. RNEA and CRBA are sums of products of moderate numbers: about 1e-14 is seen.
    assert relative(M @ a + h - tau, tau) < 1e-12
    # ABA solves with M, whose condition numbers here reach 1e6: 1e-16 * 1e6 = 1e-10; what it solved must fit better.
    back = run_aba(system, q, v, tau)
    assert relative(back - a, a) < 1e-10
    assert relative(run_rnea(system, q, v, back) - tau, tau) < 1e-12
    solved = np.linalg.solve(M, tau - h)
    assert relative(back - solved, a) < 1e-10


def test_mass_matrix_is_symmetric_and_positive_definite():
    for seed in range(20 if JIT else 2):
        rng = np.random.default_rng(seed)
        system = dt.compile(random_model(rng, 15).model)
        q, v, _ = random_state(rng, system)
        M = dt.mass_matrix(system, q)
        assert np.array_equal(M, M.T)
        # masses of 0.3 to 3 kg and inertias above 0.01 kg m² leave no direction without resistance
        assert np.linalg.eigvalsh(M).min() > 1e-6
        assert 0.5 * v @ M @ v == pytest.approx(dt.energies(system, q, v).kinetic, rel=1e-12)
        columns = [run_rnea(system, q, 0 * v, e) - run_rnea(system, q, 0 * v, 0 * v) for e in np.eye(system.nv)]
        assert relative(np.array(columns) - M, M) < 1e-12


@pytest.mark.parametrize("seed", range(5))
def test_far_from_the_origin_no_digit_is_lost(seed):
    """A floating tree moved by 1e7 m through its coordinates: M is the same, because sums run in body frames."""
    rng = np.random.default_rng(seed)
    meant = random_model(rng, 12, root="free", reverse=0.0)
    system = dt.compile(meant.model)
    q, v, a = random_state(rng, system)
    far = q.copy()
    far[system.joints["j0"].q[:3]] += 1e7 * rng.normal(size=3)
    M = dt.mass_matrix(system, q)
    # the promise is 1e-9; as only the first joint's transform knows of the distance, round-off is reached
    assert relative(dt.mass_matrix(system, far) - M, M) < 1e-13
    assert relative(run_aba(system, far, v, a) - run_aba(system, q, v, a), a) < 1e-10
    assert relative(run_rnea(system, far, v, a) - run_rnea(system, q, v, a), a) < 1e-11


def test_a_model_described_far_from_the_origin():
    """The same with the description itself far away: positions there are only known to 1e7 * 2e-16 = 2e-9 m."""
    matrices = []
    for offset in (0.0, 1e7):
        rng = np.random.default_rng(3)
        m = dt.Model("far")
        for i in range(6):
            p = offset + rng.integers(-64, 64, size=(2, 3)) / 64.0  # representable at either place
            I = dt.Inertia(rng.uniform(1, 2), rng.normal(size=3), np.eye(3))
            m.add_body(f"b{i}", I, position=p[0], rotation=random_rotation(rng))
            joint = dt.Free() if i == 0 else dt.Revolute(rng.normal(size=3))
            m.add_joint(f"j{i}", joint, f"b{i - 1}" if i else "ground", f"b{i}", at=p[1])
        system = dt.compile(m)
        q, _, _ = random_state(rng, system)
        matrices.append(dt.mass_matrix(system, q))
    # the lever arms of size 1 are differences of numbers of size 1e7, each product rounded to 2e-9
    assert relative(matrices[1] - matrices[0], matrices[0]) < 1e-7


# ----------------------------------------------------------------------------------------------------------- workspace


@pytest.mark.parametrize("name", ALGORITHMS)
def test_nothing_is_read_before_it_is_written(name):
    """A workspace full of NaN gives bit for bit what a workspace of zeros gives."""
    run = ALGORITHMS[name]
    for seed in range(6 if JIT else 1):
        _, system = tree_with_forces(seed)
        state = random_state(np.random.default_rng(seed), system)
        poisoned, clean = new_workspace(system, fill=np.nan), new_workspace(system)
        found = run(system, *state, work=poisoned)
        assert np.all(np.isfinite(found))
        np.testing.assert_array_equal(found, run(system, *state, work=clean))
        np.testing.assert_array_equal(found, run(system, *state, work=poisoned))  # nor does a second call differ


@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_state_that_is_not_finite_leaves_nothing_behind(name):
    """A solver may try a step into nonsense and take it back: the workspace must be as good as before."""
    run = ALGORITHMS[name]
    _, system = tree_with_forces(1)
    q, v, a = random_state(np.random.default_rng(1), system)
    work = new_workspace(system)
    expected = run(system, q, v, a, work=work)
    with np.errstate(all="ignore"):  # plain Python warns where compiled kernels go on
        run(system, np.nan * q, np.nan * v, np.nan * a, work=work)
        run(system, np.inf * q, np.inf * v, np.inf * a, work=work)
    np.testing.assert_array_equal(run(system, q, v, a, work=work), expected)


# -------------------------------------------------------------------------------------------------------- derivatives

NINE = np.array([1 / 280, -4 / 105, 1 / 5, -4 / 5, 0, 4 / 5, -1 / 5, 4 / 105, -1 / 280])  # error of order h⁸


@pytest.mark.parametrize("name", ALGORITHMS)
def test_kernels_accept_complex_numbers(name):
    """Complex-step derivatives along a random direction, against differences of nine points."""
    run = ALGORITHMS[name]
    for seed in range(3 if JIT else 1):
        rng = np.random.default_rng(seed)
        _, system = tree_with_forces(seed, n=6)
        q, v, a = random_state(rng, system)
        dq, dv, da = rng.normal(size=system.nq), rng.normal(size=system.nv), rng.normal(size=system.nv)
        step = 1j * TINY
        exact = run(system, q + step * dq, v + step * dv, a + step * da, dtype=complex)
        h = 2e-3
        points = [run(system, q + n * h * dq, v + n * h * dv, a + n * h * da) for n in range(-4, 5)]
        by_difference = np.tensordot(NINE / h, np.array(points), axes=1)
        assert relative(exact.real - points[4], points[4]) < 1e-13
        # ninth derivatives times h⁸ = 3e-22 are hidden by round-off, 1e-16 * condition 1e3 / h = 1e-10
        assert relative(exact.imag / TINY - by_difference, by_difference) < 1e-8


@pytest.mark.parametrize("seed", range(4))
def test_jacobian_of_a_marker(seed):
    rng = np.random.default_rng(seed)
    _, system = tree_with_forces(seed)
    q, v, _ = random_state(rng, system)
    names = [*system.model.bodies, *system.model.markers]
    seen = motion(system, q, v, names)
    w = new_workspace(system, complex, fill=np.nan)
    force_state(system.tree, system.loads, w, 0.0, step_q(system, q, v, 1j * TINY), v.astype(complex))
    for n, name in enumerate(names):
        J = dt.jacobian(system, name, q)
        scale = max(1.0, np.abs(seen.velocity).max())
        np.testing.assert_allclose(J[:3] @ v, seen.angular_velocity[n], rtol=0, atol=1e-13 * scale)
        np.testing.assert_allclose(J[3:] @ v, seen.velocity[n], rtol=0, atol=1e-13 * scale)
        m = system.marker_index(name)
        b = system.loads.markers.body[m]  # the derivative of the position itself, to round-off
        p = w.X_WB[b, 9:] + w.X_WB[b, :9].reshape(3, 3) @ system.loads.markers.X_BM[m, 9:]
        np.testing.assert_allclose(J[3:] @ v, p.imag / TINY, rtol=0, atol=1e-13 * scale)
        J_poisoned = np.zeros((6, system.nv))
        work = new_workspace(system, fill=np.nan)
        marker_jacobian(system.tree, system.loads, work, q, v, m, J_poisoned)
        np.testing.assert_array_equal(J, J_poisoned)


# ------------------------------------------------------------------------------------------------- energy and momentum


def state_with_bushing_below_half_a_turn(rng, system):
    """There the bushing's direction is lost, and the derivative of its potential has errors of 1e-16 / sin²(angle)."""
    while True:
        q, v, _ = random_state(rng, system)
        R_a, R_b = motion(system, q, v, ["bushing_a", "bushing_b"]).rotation
        if dt.Rotation.from_matrix(R_a.T @ R_b).angle < 3.0:
            return q, v


@pytest.mark.parametrize("seed", range(20 if JIT else 2))
def test_power_balances_at_every_instant(seed):
    """d(kinetic)/dt + d(potential)/dt = supplied - dissipated, with exact derivatives along the motion."""
    rng = np.random.default_rng(seed)
    _, system = tree_with_forces(seed, n=int(rng.integers(2, 12)))
    q, v = state_with_bushing_below_half_a_turn(rng, system)
    t = 0.3
    a = dt.accelerations(system, q, v, t)
    e = dt.energies(system, q, v, t)
    qc, vc = step_q(system, q, v, 1j * TINY), v + 1j * TINY * a
    kinetic_rate = (0.5 * vc @ run_crba(system, qc, vc, None, complex) @ vc).imag / TINY
    gravity_rate = -np.asarray(system.model.gravity) @ dt.momentum(system, q, v).linear
    w = new_workspace(system, complex)
    force_state(system.tree, system.loads, w, t, qc, vc)
    elastic_rate = w.powers[0].imag / TINY
    terms = np.array([kinetic_rate, gravity_rate, elastic_rate, -e.supplied_power, e.dissipated_power])
    # a carries the condition of M (1e3 to 1e5), but what it does to the power is only v . (residual of M a + h = tau)
    assert abs(terms.sum()) < 1e-12 * np.abs(terms).sum()
    assert e.dissipated_power >= 0
    assert e.elastic == pytest.approx(w.powers[0].real, rel=1e-13)


@pytest.mark.parametrize("seed", range(8 if JIT else 1))
def test_momentum_changes_by_external_forces_only(seed):
    """A floating tree with inner forces of all kinds and one outer force: mass centre and spin obey Newton."""
    rng = np.random.default_rng(seed)
    meant = random_model(rng, 7, root="free")
    inner = ("point_gravity", "bushing", "line_force", "spring_damper", "table_spring")
    add_random_forces(rng, meant, inner, ground=False)
    m = meant.model
    m.add_force("hinge", dt.JointDamping("j3", 0.4))
    m.add_marker("point", "b2", rng.normal(size=3))
    force, torque = rng.normal(size=3), rng.normal(size=3)
    m.add_force("outer", dt.AppliedForce("point", force))
    m.add_force("twist", dt.AppliedTorque("b4", torque))
    for name, I in meant.inertias.items():
        m.add_marker(f"{name}.com", name, I.com)
    system = dt.compile(m)
    q, v, _ = random_state(rng, system)
    seen = motion(system, q, v, [f"{name}.com" for name in meant.inertias])
    masses = np.array([I.mass for I in meant.inertias.values()])
    g = np.asarray(m.gravity)
    got = dt.momentum(system, q, v)
    np.testing.assert_allclose(got.linear, masses @ seen.velocity, rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(got.mass_centre, masses @ seen.position / masses.sum(), rtol=1e-12, atol=1e-12)
    spin, spin_rate = np.zeros(3), np.zeros(3)
    for n, I in enumerate(meant.inertias.values()):
        J = seen.rotation[n] @ I.matrix @ seen.rotation[n].T
        arm, velocity = seen.position[n] - got.mass_centre, seen.velocity[n] - got.linear / masses.sum()
        omega = seen.angular_velocity[n]
        spin += J @ omega + masses[n] * np.cross(arm, velocity)
        spin_rate += J @ seen.angular_acceleration[n] + np.cross(omega, J @ omega)
        spin_rate += masses[n] * np.cross(arm, seen.acceleration[n])
    np.testing.assert_allclose(got.angular, spin, rtol=0, atol=1e-12 * np.abs(spin).max() * 10)
    scale = np.abs(masses[:, None] * seen.acceleration).max()  # inner forces cancel: round-off is of their size
    np.testing.assert_allclose(masses @ seen.acceleration, masses.sum() * g + force, rtol=0, atol=1e-10 * scale)
    point = motion(system, q, v, ["point"]).position[0]
    expected = torque + np.cross(point - got.mass_centre, force)
    np.testing.assert_allclose(spin_rate, expected, rtol=0, atol=1e-10 * scale)


# ------------------------------------------------------------------------------------------------------------ reactions


@pytest.mark.parametrize("seed", range(6 if JIT else 1))
def test_reactions_balance_every_body(seed):
    """Newton and Euler for each body by itself, from what a result shows: accelerations, reactions and forces."""
    rng = np.random.default_rng(seed)
    meant = random_model(rng, 10, reverse=0.5)
    m = meant.model
    for name, I in meant.inertias.items():
        m.add_marker(f"{name}.com", name, I.com)
    m.add_marker("far end", "ground", rng.normal(size=3))
    m.add_force("spring", dt.SpringDamper("b9.com", "far end", stiffness=30.0, rest_length=0.3))
    force, torque = rng.normal(size=3), rng.normal(size=3)
    m.add_force("push", dt.AppliedForce("b4.com", force))
    m.add_force("twist", dt.AppliedTorque("b6", torque))
    drives = {}
    for j in meant.joints:
        if j.joint.kind in ("revolute", "prismatic"):
            drives[j.name] = rng.normal()
            m.add_force(f"drive {j.name}", dt.JointTorque(j.name, drives[j.name]))
    system = dt.compile(m)
    q, v, _ = random_state(rng, system, speed=0.3)
    r = dt.simulate(system, 0.05, outputs=[0.0, 0.02, 0.05], at=(q, v), rtol=1e-6, atol=1e-6)
    n = 2
    total = {name: [I.mass * np.asarray(m.gravity), np.zeros(3)] for name, I in meant.inertias.items()}
    com = {name: r[f"{name}.com.position"][n] for name in meant.inertias}

    def act(body, f, torque, point):
        if body != "ground":
            total[body][0] += f
            total[body][1] += torque + np.cross(point - com[body], f)

    for j in meant.joints:
        parent, child = (j.outboard, j.inboard) if j.reversed else (j.inboard, j.outboard)
        X_WB = dt.spatial.Pose.identity()
        if child != "ground":
            X_WB = dt.spatial.Pose(dt.Rotation(r[f"{child}.rotation"][n]), r[f"{child}.position"][n])
        X_WM = X_WB @ (meant.bodies[child].inverse() @ j.X_WJ)  # the joint's frame on the child, now
        f, tq = r[f"{j.name}.reaction_force"][n], r[f"{j.name}.reaction_torque"][n]
        size = 1e-10 * (1.0 + np.linalg.norm(f) + np.linalg.norm(tq))
        if j.joint.kind == "revolute":
            axis = X_WM.rotation @ (j.joint.axis / np.linalg.norm(j.joint.axis))
            assert abs(axis @ tq) < size  # the reaction does no work on what the joint allows
            tq = tq + drives[j.name] * axis
        elif j.joint.kind == "prismatic":
            axis = X_WM.rotation @ (j.joint.axis / np.linalg.norm(j.joint.axis))
            assert abs(axis @ f) < size
            f = f + drives[j.name] * axis
        elif j.joint.kind in ("spherical", "free"):
            assert np.linalg.norm(tq) < size
            assert j.joint.kind == "spherical" or np.linalg.norm(f) < size
        act(child, f, tq, X_WM.position)
        act(parent, -f, -tq, X_WM.position)
    line = r["far end.position"][n] - com["b9"]
    pull = 30.0 * (np.linalg.norm(line) - 0.3) * line / np.linalg.norm(line)
    act("b9", pull, 0.0, com["b9"])
    act("b4", force, 0.0, com["b4"])
    act("b6", np.zeros(3), torque, com["b6"])
    # the accelerations come from ABA and carry the condition of M, the reactions come from RNEA with them
    scale = max(np.abs(x).max() for both in total.values() for x in both)
    scale = max(scale, max(np.linalg.norm(r[f"{j.name}.reaction_force"][n]) for j in meant.joints))
    for name, I in meant.inertias.items():
        R = dt.Rotation(r[f"{name}.rotation"][n]).matrix
        J, omega, alpha = R @ I.matrix @ R.T, r[f"{name}.angular_velocity"][n], r[f"{name}.angular_acceleration"][n]
        np.testing.assert_allclose(total[name][0], I.mass * r[f"{name}.com.acceleration"][n], atol=1e-9 * scale)
        np.testing.assert_allclose(total[name][1], J @ alpha + np.cross(omega, J @ omega), atol=1e-9 * scale)


def test_reaction_frames():
    """A pendulum at rest, hanging: the pin carries its weight, whatever the axes in which one looks at it."""
    m = dt.Model("hanging")
    m.add_body("rod", dt.Inertia.rod(2.0, length=1.0, axis="z"), position=(0, 0, -0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
    m.add_marker("tilted", "ground", rotation=dt.Rotation.about("y", np.pi / 2))
    r = dt.simulate(m, 0.01)
    np.testing.assert_allclose(r["A.reaction_force"][0], [0, 0, 2 * 9.81], atol=1e-14)
    np.testing.assert_allclose(r.reaction("A", frame="tilted")[0][0], [-2 * 9.81, 0, 0], atol=1e-14)
    with pytest.raises(dt.errors.ChannelError):
        r.reaction("B")


# ----------------------------------------------------------------------------------------------------- public functions


def test_wrong_arrays_are_refused_in_words():
    system = dt.compile(random_model(np.random.default_rng(0), 3, ("revolute",)).model)
    with pytest.raises(ValueError, match="q needs 3 numbers"):
        dt.mass_matrix(system, [1.0])
    with pytest.raises(ValueError, match="v has values that are not finite"):
        dt.accelerations(system, np.zeros(3), [0, 0, np.nan])
    with pytest.raises(dt.errors.ChannelError, match="nobody"):
        dt.jacobian(system, "nobody", np.zeros(3))


def test_generalised_forces_and_inverse_dynamics_are_consistent():
    for seed in range(5):
        _, system = tree_with_forces(seed)
        q, v, a = random_state(np.random.default_rng(seed), system)
        tau = dt.analyses.generalised_forces(system, q, v, 0.7)
        bare = run_rnea(system, q, v, a)
        assert relative(dt.inverse_dynamics(system, q, v, a, 0.7) - (bare - tau), bare) < 1e-12
        assert relative(dt.inverse_dynamics(system, q, v, dt.accelerations(system, q, v, 0.7), 0.7), bare) < 1e-10
