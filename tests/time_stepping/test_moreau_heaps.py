"""Heaps of many bodies by time stepping: every step solved to the tolerance, and the laws of mechanics in each."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import duoti as dt
from duoti.integrate.moreau.solver import MoreauLoop

STEP, GRAVITY, FRICTION = 1e-3, 9.81, 0.3


def heap(kinds: tuple[str, ...], layers: int, side: int = 3, spread: float = 0.002) -> dt.Model:
    """Bodies of 1 kg that fall into a box with vertical walls, layer upon layer."""
    m, random, wall = dt.Model("heap"), np.random.default_rng(4), 0.105 * side + 0.02
    m.ground.shapes.append(dt.Shape.plane())
    for inward in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0)):
        place = tuple(-wall * k for k in inward)
        m.ground.shapes.append(dt.Shape.plane(position=place, rotation=dt.Rotation.between("z", inward)))
    made: dict[str, tuple[Any, Any]] = {
        "sphere": (dt.Inertia.sphere(1.0, radius=0.1), dt.Shape.sphere(0.1)),
        "box": (dt.Inertia.box(1.0, size=(0.16, 0.14, 0.12)), dt.Shape.box((0.16, 0.14, 0.12))),
        "capsule": (dt.Inertia.sphere(1.0, radius=0.08), dt.Shape.capsule(0.06, 0.08)),
    }
    for i in range(side * side * layers):
        grid = np.array([i % side - 0.5 * (side - 1), i // side % side - 0.5 * (side - 1), i // side**2 + 0.52])
        inertia, shape = made[kinds[i % len(kinds)]]
        b = m.add_body(f"b{i}", inertia, position=0.21 * grid + spread * random.normal(size=3))
        b.shapes.append(shape)
        m.add_joint(f"f{i}", dt.Free(), m.ground, b, v0=0.3 * random.normal(size=6))
    m.add_contact("all", dt.RigidContact(friction=FRICTION), "all", "all")
    return m


def from_the_ground(loop: MoreauLoop) -> np.ndarray:
    """Impulse that the ground gave in the last step [N s]."""
    contacts, n = loop.of.contacts, int(loop.problem.counts[0].blocks)
    given = np.zeros(3)
    for s in loop.problem.slot[:n]:
        a, b = contacts.shape_body[contacts.pair_shapes[contacts.slot_pair[s]]]
        given += loop.memory.impulse[s] * ((a == 0) * 1.0 - (b == 0) * 1.0)
    return given


@pytest.mark.parametrize("kinds", [("sphere",), ("sphere", "capsule")])
def test_steps_of_a_heap_are_solved(kinds: tuple[str, ...], monkeypatch: pytest.MonkeyPatch) -> None:
    """36 bodies: Coulomb's law holds to 1e-8 of the velocities in a step, momentum balances, no energy comes."""
    outside, given, loops = [0.0], [np.zeros(3)], []
    advance = MoreauLoop.advance

    def one_by_one(loop: MoreauLoop, most_steps: int) -> int:
        loops[:], before = [loop], int(loop.run.counts[0].steps)
        status = advance(loop, min(most_steps, 1))
        n, problem = int(loop.problem.counts[0].blocks), loop.problem
        p, mu = problem.p[:n], problem.mu[:n]
        outside.append(float(np.max(np.hypot(p[:, 1], p[:, 2]) - mu * p[:, 0], initial=0.0)))
        assert np.all(p[:, 0] >= 0.0)
        if loop.run.counts[0].steps > before:
            given.append(from_the_ground(loop))
        return status

    monkeypatch.setattr(MoreauLoop, "advance", one_by_one)
    steps, count = 500, 36
    r = dt.simulate(heap(kinds, 4), steps * STEP, outputs=np.arange(steps + 1) * STEP, solver=dt.Moreau(step=STEP))
    assert r.ok, r.reason
    counts = loops[0].problem.counts[0]
    assert counts.unsolved <= 0.005 * steps  # 35 of 493 without the interior-point method, then 1 of spheres
    assert counts.worst_fraction < 1e-5
    assert max(outside) < 1e-14  # N s: round-off of impulses of some 0.1 N s
    momentum = sum(r[f"b{i}.velocity"] for i in range(count))
    weight = np.array([0.0, 0.0, -GRAVITY * STEP * count])
    # pairs of bodies give each other nothing: round-off of 36 bodies with some m/s
    assert np.max(np.abs(np.diff(momentum, axis=0) - weight - np.array(given[-steps:]))) < 1e-11
    energy = r.energy.kinetic + r.energy.potential
    assert np.all(energy <= energy[0] + 1e-9)  # contacts only take; round-off of m g z = 200 J
    assert np.max(np.abs(r.energy.residual)) < 1e-9


@pytest.mark.campaign
def test_a_large_heap_that_goes_on_moving() -> None:
    """216 spheres for 1 s: no error that makes it another motion."""
    r = dt.simulate(heap(("sphere",), 6, side=6), 1.0, outputs=[0.0, 1.0], solver=dt.Moreau(step=STEP))
    assert r.ok, r.reason
    assert max(r.energy.residual, key=abs) < 1e-8  # round-off of m g z = 1300 J over 1000 steps
