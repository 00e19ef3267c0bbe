"""A body with a law of its own in the recursions: a particle that slides inside it, against one on a joint."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import duoti as dt
from duoti.dynamics.tree.body_laws import BODY_LAWS
from duoti.dynamics.workspace import new_linearisation, new_workspace
from duoti.results.evaluate.observe import REACTIONS, observe
from duoti.system.compile import tree_builder
from duoti.system.compile.tree_bodies import TreeBodies
from support.random_models import random_inertia, relative
from support.slider_law import SLIDER, slider_entry

ROUND_OFF = 1e-12  # sums of some dozen products of numbers of size 1 to 10
MASS = 0.7


def model(rng: np.random.Generator, particle: bool) -> dt.Model:
    """A body on a pin, on a slide, with an arm; the particle's row frame is the pin's, x along the world's x."""
    m = dt.Model("box with a particle", gravity=rng.normal(size=3) * 5)
    m.add_body("base", random_inertia(rng))
    m.add_joint("slide", dt.Prismatic("z"), m.ground, "base", at=(0, 0, 0))
    m.add_body("box", random_inertia(rng), position=(0.2, 0.1, 0.3))
    m.add_joint("pin", dt.Revolute("z"), "base", "box", at=(0.3, 0, 0))
    if particle:
        m.add_body("particle", dt.Inertia(MASS, (0, 0, 0), np.zeros((3, 3))), position=(0.3, 0, 0))
        m.add_joint("track", dt.Prismatic("x"), "box", "particle", at=(0.3, 0, 0))
    m.add_body("arm", random_inertia(rng), position=(0.5, 0.1, 0.3))
    m.add_joint("elbow", dt.Universal("x", "y"), "box", "arm", at=(0.4, 0.2, 0))
    return m


@pytest.fixture
def twins(monkeypatch) -> tuple[dt.System, dt.System]:
    """The box with its law, and with a joint and a body for the particle; coordinates and velocities in the same
    order.
    """

    class BodiesWithParticle(TreeBodies):
        def add(self, *arguments) -> int:
            row = super().add(*arguments)
            if row == 2:  # the box: one coordinate more, with a column of zeros
                self.plain.append((self.nq, self.nv))
                self.nq, self.nv = self.nq + 1, self.nv + 1
                self.dof[row] += 1
                self.rate.append(self.nv - 1)
                self.first[-1] += 1
                self.H0.append(np.zeros(6))
                self.rotor.append(0.0)
                self.turns.append(0)
                self.moves[-1] = [1, 1]
                self.moves.append([1, 1])
                self.motion[row] = 0
                self.parameters[row] = np.array([0.0, MASS])
            return row

    joint = model(np.random.default_rng(0), True)
    apart = dt.compile(joint, fuse=False)
    with monkeypatch.context() as patch:
        patch.setattr(tree_builder, "TreeBodies", BodiesWithParticle)
        system = dt.compile(model(np.random.default_rng(0), False))
    law = np.where(np.arange(system.tree.nb) == 2, SLIDER, 0)
    law.setflags(write=False)
    monkeypatch.setitem(BODY_LAWS, SLIDER, slider_entry)
    system = replace(system, tree=system.tree._replace(flexible=1, body_law=law))
    assert apart.nv == system.nv == 5
    return system, apart


def permutation(apart: dt.System) -> np.ndarray:
    """Rates of the system with the particle on a joint, in the order of the other: slide, pin, particle, elbow."""
    return np.concatenate([apart.joints[name].v for name in ("slide", "pin", "track", "elbow")])


def test_recursions_energies_and_momentum(twins):
    system, apart = twins
    order = permutation(apart)
    rng = np.random.default_rng(1)
    for _ in range(3):
        q, v, a = rng.normal(size=(3, 5))
        q0, v0, a0 = np.zeros((3, 5))
        q0[order], v0[order], a0[order] = q, v, a
        M = dt.mass_matrix(apart, q0)[np.ix_(order, order)]
        assert relative(dt.mass_matrix(system, q) - M, M) < ROUND_OFF
        tau = dt.inverse_dynamics(apart, q0, v0, a0)[order]
        assert relative(dt.inverse_dynamics(system, q, v, a) - tau, tau) < ROUND_OFF
        assert np.allclose(dt.energies(system, q, v), dt.energies(apart, q0, v0), rtol=ROUND_OFF, atol=ROUND_OFF)
        for got, expected in zip(dt.momentum(system, q, v), dt.momentum(apart, q0, v0), strict=True):
            assert np.allclose(got, expected, rtol=0, atol=10 * ROUND_OFF)
        solved = dt.accelerations(apart, q0, v0)[order]
        # condition of M: below 1e3
        assert relative(dt.accelerations(system, q, v) - solved, solved) < 1e3 * ROUND_OFF
        J = dt.jacobian(system, "arm", q)
        assert np.allclose(J, dt.jacobian(apart, "arm", q0)[:, order], rtol=0, atol=ROUND_OFF)


def test_reactions(twins):
    """Through the joints inboard and outboard of the body, which has a rate with a column of zeros."""
    system, apart = twins
    order = permutation(apart)
    q, v = np.random.default_rng(2).normal(size=(2, 5))
    q0, v0 = np.zeros((2, 5))
    q0[order], v0[order] = q, v
    got, expected = (
        observe(x, np.zeros(1), x.whole_state(*state)[None], REACTIONS).wrenches[0]
        for x, state in ((system, (q, v)), (apart, (q0, v0)))
    )
    for name in ("slide", "pin", "elbow"):
        here, there = got[system.joints[name].body], expected[apart.joints[name].body]
        assert np.allclose(here, there, rtol=0, atol=1e3 * ROUND_OFF * np.abs(expected).max()), name


def test_derivatives_are_refused(twins):
    work = new_workspace(twins[0], ydot=True)
    with pytest.raises(NotImplementedError, match="not known"):
        new_linearisation(twins[0], work)
