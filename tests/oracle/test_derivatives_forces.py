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
from duoti.dynamics.closures import ALL, closure_jacobian, closure_state, closures
from duoti.dynamics.forward import inverse_dynamics
from duoti.dynamics.kinematics import accelerations, joint_sweep, velocities, world_poses
from duoti.dynamics.workspace import new_linearisation, new_workspace
from duoti.kernel import kernel, run_entry
from duoti.model.constraints import CONSTRAINT_TYPES
from duoti.model.forces import FORCE_TYPES
from duoti.system.arrays import ACCELERATION_ROWS, LINEARISE
from support.random_constraints import add_random_constraints
from support.random_forces import add_random_forces
from support.random_models import ALL_KINDS, random_model, random_state, relative, step_q

STEP = 1e-30
ROUND_OFF = 1e-11  # of the largest entry; sums of some hundred products of numbers up to 1e3 that cancel in part


@kernel
def acceleration_state(tree, loads, links, w, q, v, at_rest):
    """gamma and G in a state, for the closures of a complex workspace."""
    joint_sweep(tree, w, q, v)
    velocities(tree, w, v)
    world_poses(tree, w)
    accelerations(tree, w, at_rest)
    closures(loads, links, w, q, v, ALL)
    closure_jacobian(tree, loads, links, w)


class Reference:
    """Complex-step derivatives of a system in one state."""

    def __init__(self, system, t, q, v, a, multipliers, values):
        self.system, self.t, self.q, self.v, self.a, self.multipliers = system, t, q, v, a, multipliers
        still = system.links._replace(timed=0)  # values that change with time do not depend on the state
        self.links = still
        self.work = new_workspace(replace(system, links=still), dtype=complex)
        self.work.values[:] = values

    def evaluate(self, q, v):
        """Residual of the equations of motion, and rates of the closures."""
        system, work = self.system, self.work
        q, v, a = (np.asarray(x, dtype=complex) for x in (q, v, self.a))
        tau = np.zeros(system.nv, complex)
        inverse_dynamics(system.tree, system.loads, work, self.t, q, v, a, tau)
        if system.links.rows:
            closure_state(system.tree, system.loads, self.links, work, self.t, q, v)
            gdot = work.gdot.copy()
            tau -= work.G.T @ self.multipliers
            acceleration_state(system.tree, system.loads, self.links, work, q, v, np.zeros_like(a))
            return tau, gdot, work.G @ a - work.gamma
        return tau, np.zeros(0), np.zeros(0)

    def derivatives(self):
        """K, C, Gq, Aq and Av."""
        n, rows = self.system.nv, self.system.links.rows
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
    work = new_workspace(system, rates=True)
    made = new_linearisation(system, work, acceleration_rows=True)
    nq, nv = system.nq, system.nv
    for _ in range(2):
        work.clock[0] = t
        work.y[:nq], work.y[nq : nq + nv], work.ydot[nq : nq + nv] = q, v, a
        work.multipliers[:] = multipliers
        run_entry(work.entries[LINEARISE], work.context[0])
        if system.links.rows:
            run_entry(work.entries[ACCELERATION_ROWS], work.context[0])
    return made.tangent, work


def compare(system, rng, tolerance=ROUND_OFF):
    q, v, a = random_state(rng, system)
    t, multipliers = 0.7, rng.normal(size=system.links.rows)
    tan, work = derivatives(system, t, q, v, a, multipliers)
    K, C, Gq, Aq, Av = Reference(system, t, q, v, a, multipliers, work.values).derivatives()
    assert relative(tan.K - K, K) < tolerance
    assert relative(tan.C - C, C) < tolerance
    if system.links.rows:
        # rows between coordinates have no derivatives: at least of order one, like the rates themselves
        for got, wanted in ((tan.Gq, Gq), (tan.Aq, Aq), (tan.Av, Av)):
            assert relative(got - wanted, max(np.max(np.abs(wanted)), 1.0)) < tolerance
    return tan, work


@pytest.mark.parametrize("kind", sorted(FORCE_TYPES))
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


@pytest.mark.parametrize("part", range(4))
def test_all_force_elements_together(part):
    for seed in range(25 * part, 25 * (part + 1)):
        rng = np.random.default_rng([seed, 2])
        meant = random_model(rng, int(rng.integers(2, 9)))
        add_random_forces(rng, meant)
        compare(dt.compile(meant.model), rng)


@pytest.mark.parametrize("kind", sorted(CONSTRAINT_TYPES))
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
        assert system.links.rows > 0
        compare(system, rng)
