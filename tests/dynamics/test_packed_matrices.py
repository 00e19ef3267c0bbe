"""The packed matrices of closed loops against dense linear algebra."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.states.initial_state import closed_state
from duoti.dynamics.workspace import new_workspace
from duoti.kernel import run_entry
from duoti.system.constraint_arrays import dense_jacobian
from support.of_the_tree import inverse_dynamics


def ladder(n: int, gear: bool = True) -> dt.Model:
    """n frames of bars in a row, in one plane; a gear that says what the frames say too."""
    m = dt.Model("ladder")
    previous = m.add_body("bar0", dt.Inertia.box(1, size=(0.1, 0.2, 1)), position=(0, 0, 0.5))
    m.add_joint("A0", dt.Revolute("y"), m.ground, previous, at=(0, 0, 0), v0=1.0)
    for i in range(1, n + 1):
        top = m.add_body(f"top{i}", dt.Inertia.box(2, size=(1, 0.1, 0.2)), position=(i - 0.5, 0, 1))
        bar = m.add_body(f"bar{i}", dt.Inertia.box(3, size=(0.1, 0.2, 1)), position=(i, 0, 0.5))
        m.add_joint(f"B{i}", dt.Revolute("y"), previous, top, at=(i - 1, 0, 1))
        m.add_joint(f"C{i}", dt.Revolute("y"), top, bar, at=(i, 0, 1))
        m.add_joint(f"A{i}", dt.Revolute("y"), m.ground, bar, at=(i, 0, 0))
        previous = bar
    if gear:
        m.add_constraint("gear", dt.Gear("A0", f"B{n}", -1.0))
    return m


def evaluated(system):
    work = new_workspace(system, ydot=True)
    q, v = closed_state(system)
    work.y[: system.nq], work.y[system.nq : system.nq + system.nv] = q, v
    run_entry(int(work.calls[0].ydot), int(work.at[0].system))
    return q, work


@pytest.mark.parametrize("n", [1, 4])
@pytest.mark.parametrize("coordinates", ["relative", "absolute"])
def test_factors_are_those_of_the_dense_matrices(n, coordinates):
    system = dt.compile(ladder(n, gear=coordinates == "relative"), coordinates=coordinates)
    q, work = evaluated(system)
    tree, closures, nv = system.tree, system.closures, system.nv
    L = np.zeros((nv, nv))
    for i in range(nv):
        j = i
        while j >= 0:
            L[i, j] = work.M[tree.M_row[i] + tree.depth[j]]
            j = tree.parent_dof[j]
        L[i, i] = 1 / L[i, i]
    M = dt.mass_matrix(system, q)
    assert np.allclose(L.T @ L, M, rtol=0, atol=1e-13 * np.max(M))
    D = np.zeros((closures.rows, closures.rows))
    for r in range(closures.rows):
        D[r, closures.profile[r] : r + 1] = work.delassus[
            closures.D_row[r] + closures.profile[r] : closures.D_row[r] + r + 1
        ]
        D[r, r] = 1 / D[r, r]
    G = work.scaling[:, None] * dense_jacobian(closures, nv, work.G)
    wanted = G @ np.linalg.solve(M, G.T) + work.method[0].shift * np.eye(closures.rows)
    assert np.allclose(D @ D.T, wanted, rtol=0, atol=1e-12)  # of a diagonal of about one
    assert 0.2 < np.max(np.diag(wanted)) < 2


def test_equations_that_say_nothing_are_left_out():
    """Across the plane of a planar loop: no size, no multiplier; the same loop in absolute coordinates needs them."""
    system = dt.compile(ladder(2))
    _, work = evaluated(system)
    left_out = work.scaling == 0.0
    assert np.sum(left_out) == 2 * 3
    assert np.all(work.multipliers[left_out] == 0.0)
    G = dense_jacobian(system.closures, system.nv, work.G)
    assert np.max(np.abs(G[left_out])) < 1e-15
    assert np.min(np.max(np.abs(G[~left_out]), axis=1)) > 0.1
    _, work = evaluated(dt.compile(ladder(2, gear=False), coordinates="absolute"))
    assert np.all(work.scaling > 0.0)


def test_long_chains_converge_to_round_off():
    """60 loops: what the proximal iteration leaves falls by a factor of 0.01 only in each, against dense least squares.

    The condition of G M^-1 G^T is about 1e4 (the square of the number of loops, times a few): 1e-16 of round-off makes
    1e-12 of the multipliers and less of the accelerations.
    """
    m = ladder(60)
    m.add_force("push", dt.JointTorque("A30", 5.0))
    system = dt.compile(m)
    q, work = evaluated(system)
    v, a = work.y[system.nq : system.nq + system.nv], work.ydot[system.nq : system.nq + system.nv]
    G, M = dense_jacobian(system.closures, system.nv, work.G), dt.mass_matrix(system, q)
    f = -inverse_dynamics(system, q, v, np.zeros(system.nv))
    assert np.max(np.abs(G @ a - work.gamma)) < 1e-12 * max(1.0, np.max(np.abs(a)))
    assert np.max(np.abs(M @ a - f - G.T @ work.multipliers)) < 1e-12 * np.max(np.abs(f))
    scaled = work.scaling[:, None] * G  # the multipliers are those of least norm in these units
    right = work.scaling * (work.gamma - G @ np.linalg.solve(M, f))
    wanted = np.linalg.lstsq(scaled @ np.linalg.solve(M, scaled.T), right, rcond=1e-9)[0]
    assert np.max(np.abs(work.multipliers - work.scaling * wanted)) < 1e-10 * np.max(np.abs(work.multipliers))
