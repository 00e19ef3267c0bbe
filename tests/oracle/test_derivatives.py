"""Analytic derivatives against complex steps of the recursions themselves, against Pinocchio and closed forms.

A complex step of 1e-30 has no error of its own (it is of order 1e-60), so that both sides are exact but for round-off.
Displacements of the position are tangent vectors: one unit of delta_j is the displacement that the rate j makes.
"""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.dynamics.derivatives.forward import aba_derivatives, factor_size
from duoti.dynamics.derivatives.markers import marker_derivatives
from duoti.dynamics.derivatives.rnea import rnea_derivatives
from duoti.dynamics.tree.aba import aba
from duoti.dynamics.tree.rnea import rnea
from duoti.dynamics.workspace import new_workspace
from duoti.results.evaluate.observe import FRAMES, observe
from duoti.system.arrays import size_of_state
from duoti.system.tangent_arrays import Tangent, allocate_tangent
from support.random_models import random_model, random_state, relative, step_q

pytestmark = pytest.mark.oracle

TINY = 1e-30
# Sums over up to 12 bodies and about 30 rates, relative to the largest entry of each matrix: some 1e-15 are expected.
TOLERANCE = 1e-11
TREES = 300


def complex_step(system, function, q, v, a):
    """Derivatives of function(q, v, a) by delta, v and a, one column a rate."""
    size, found = len(function(*(np.asarray(x, complex) for x in (q, v, a)))), []
    for which in range(3):
        columns = []
        for e in np.eye(system.nv):
            x = [q, v, a]
            x[which] = step_q(system, q, e, 1j * TINY) if which == 0 else x[which] + 1j * TINY * e
            columns.append(np.imag(function(*(np.asarray(y, complex) for y in x))) / TINY)
        found.append(np.reshape(columns, (system.nv, size)).T)
    return found


def difference(found, expected, terms) -> float:
    """Relative to the largest entry; where all is zero (Coriolis forces on a hinge), to the terms that cancel."""
    largest = np.max(np.abs(expected), initial=0.0)
    scale = np.max(np.abs(terms), initial=0.0)
    return relative(found - expected, np.array([largest if largest > 1e-12 * scale else scale]))


def random_case(seed: int, bodies: int = 12):
    rng = np.random.default_rng(seed)
    system = dt.compile(random_model(rng, int(rng.integers(1, bodies + 1))).model)
    return (system, *random_state(rng, system), rng)


def inverse(system):
    work = new_workspace(system, complex)

    def tau(q, v, a):
        out = np.zeros(system.nv, complex)
        rnea(system.tree, work, q, v, a, out)
        return out

    return tau


def derivatives(system, q, v, a) -> Tangent:
    """From scratch that is poisoned, twice: nothing may be left over from the first time."""
    tan = allocate_tangent(system.tree, system.closures, fill=np.nan)
    work = new_workspace(system, fill=np.nan)
    rnea_derivatives(system.tree, work, tan, q, 3.0 * v + 1.0, a - 2.0)
    rnea_derivatives(system.tree, work, tan, q, v, a)
    return tan


@pytest.mark.sample(3)
@pytest.mark.parametrize("start", range(0, TREES, 50))
def test_inverse_dynamics_of_random_trees(start):
    worst = 0.0
    for seed in range(start, start + 50):
        system, q, v, a, _ = random_case(seed)
        tan = derivatives(system, q, v, a)
        for found, expected in zip((tan.K, tan.C, tan.M), complex_step(system, inverse(system), q, v, a), strict=True):
            worst = max(worst, difference(found, expected, tan.M))
    assert worst < TOLERANCE


def test_inverse_dynamics_of_a_long_chain_far_from_the_origin():
    """The common point is near the mechanism, wherever that is."""
    rng = np.random.default_rng(3)
    m = dt.Model("far")
    parent = m.ground
    for i in range(30):
        body = m.add_body(f"b{i}", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(1e4 + i, 0, 0))
        m.add_joint(f"j{i}", dt.Revolute(rng.normal(size=3)), parent, body, at=(1e4 + i - 0.5, 0, 0))
        parent = body
    system = dt.compile(m)
    q, v, a = random_state(rng, system, speed=0.3)
    tan = derivatives(system, q, v, a)
    for found, expected in zip((tan.K, tan.C, tan.M), complex_step(system, inverse(system), q, v, a), strict=True):
        assert relative(found - expected, expected) < TOLERANCE


def test_forward_dynamics_of_random_trees():
    """Both sides solve with M: what is compared is multiplied by it, so that its condition number does not count."""
    worst = 0.0
    for seed in range(1000, 1050):
        system, q, v, tau, _ = random_case(seed, bodies=8)
        nv, work = system.nv, new_workspace(system, complex)

        def accelerations(q, v, tau, system=system, work=work):
            out = np.zeros(system.nv, complex)
            aba(system.tree, work, q, v, tau, out)
            return out

        tan = allocate_tangent(system.tree, system.closures)
        a, L, X = np.zeros(nv), np.zeros(factor_size(system.tree)), np.zeros((nv, 3 * nv))
        aba_derivatives(system.tree, new_workspace(system), tan, q, v, tau, a, L, X)
        for k, expected in enumerate(complex_step(system, accelerations, q, v, tau)):
            found = X[:, k * nv : (k + 1) * nv]
            worst = max(worst, difference(tan.M @ found, tan.M @ expected, tan.M))
    assert worst < TOLERANCE


def test_markers_of_random_trees():
    worst = 0.0
    for seed in range(2000, 2050):
        system, q, v, a, rng = random_case(seed, bodies=8)
        m = int(rng.integers(len(system.loads.markers.body)))
        nv, work = system.nv, new_workspace(system, complex)
        scratch, unused = allocate_tangent(system.tree, system.closures, complex), np.zeros((4, nv, 6), complex)

        def motion_of(q, v, a, system=system, work=work, m=m, scratch=scratch, unused=unused):
            out = np.zeros((3, 6), complex)
            marker_derivatives(system.tree, system.loads, work, scratch, q, v, a, m, out, unused)
            return out.ravel()

        motion, out = np.zeros((3, 6)), np.zeros((4, nv, 6))
        tan = allocate_tangent(system.tree, system.closures, fill=np.nan)
        marker_derivatives(system.tree, system.loads, new_workspace(system), tan, q, v, a, m, motion, out)
        J, velocity_q, acceleration_q, acceleration_v = out.transpose(0, 2, 1)
        by_q, by_v, by_a = (d.reshape(3, 6, nv) for d in complex_step(system, motion_of, q, v, a))
        pairs = [(J[3:], by_q[0, 3:]), (velocity_q, by_q[1]), (acceleration_q, by_q[2])]
        pairs += [(J, by_v[1]), (acceleration_v, by_v[2]), (J, by_a[2])]
        for found, expected in pairs:
            worst = max(worst, float(np.max(np.abs(found - expected), initial=0.0)) / max(1.0, np.abs(motion).max()))
        y = np.zeros((1, size_of_state(system.tree)))
        y[0, : system.nq], y[0, system.nq : system.nq + nv] = q, v
        frame = observe(system, np.zeros(1), y, FRAMES, [m]).frames[0, 0]
        assert np.allclose(motion[0, 3:], frame[9:12], rtol=0, atol=1e-12)
        assert np.allclose(motion[1], frame[12:18], rtol=0, atol=1e-12 * max(1.0, np.abs(frame).max()))
    assert worst < TOLERANCE


def test_marker_acceleration_is_the_derivative_of_its_velocity():
    """Along a motion with the rates v and their rates a, d(velocities)/dt is what the acceleration says."""
    for seed in range(3000, 3010):
        system, q, v, a, _ = random_case(seed, bodies=6)
        m = len(system.loads.markers.body) - 1
        motion, out = np.zeros((3, 6)), np.zeros((4, system.nv, 6))
        tan = allocate_tangent(system.tree, system.closures)
        marker_derivatives(system.tree, system.loads, new_workspace(system), tan, q, v, a, m, motion, out)
        along = v @ out[1] + a @ out[0]
        assert np.allclose(motion[2], along, rtol=0, atol=1e-11 * max(1.0, np.abs(along).max()))


def test_pendulum_in_closed_form():
    """tau = J a + m g l sin q for a rod of length 2 l hanging down: K = m g l cos q, C = 0, M = J."""
    m = dt.Model("pendulum")
    rod = m.add_body("rod", dt.Inertia.rod(2.0, length=1.0, axis="z"), position=(0, 0, -0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
    tan = derivatives(dt.compile(m), np.array([0.4]), np.array([1.3]), np.array([0.2]))
    g = -dt.Model("default").gravity[2]
    assert np.isclose(tan.K[0, 0], 2.0 * g * 0.5 * np.cos(0.4), rtol=1e-14)
    assert abs(tan.C[0, 0]) < 1e-14
    assert np.isclose(tan.M[0, 0], 2.0 / 3.0, rtol=1e-14)


def test_spinning_free_body_in_closed_form():
    """Euler's equations: the torque J alpha + omega x J omega by omega is [omega]x J - [J omega]x."""
    m = dt.Model("top", gravity=(0, 0, 0))
    J = np.diag([0.3, 0.5, 0.7])
    body = m.add_body("b", dt.Inertia(1.5, (0, 0, 0), J))
    m.add_joint("A", dt.Free(), m.ground, body)
    system = dt.compile(m)
    rng = np.random.default_rng(1)
    q, v, a = random_state(rng, system)
    tan, omega = derivatives(system, q, v, a), v[3:]
    skew = lambda x: np.cross(np.eye(3), x)  # noqa: E731
    assert np.allclose(tan.C[3:, 3:], skew(omega) @ J - skew(J @ omega), rtol=0, atol=1e-14)
    assert np.allclose(tan.K, 0.0, rtol=0, atol=1e-14)
    assert np.allclose(tan.M, np.diag([1.5, 1.5, 1.5, 0.3, 0.5, 0.7]), rtol=0, atol=1e-14)
