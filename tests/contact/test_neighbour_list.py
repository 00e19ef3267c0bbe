"""Compliant contacts of many bodies: only pairs that are near are looked at, and nothing else changes by that."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import duoti as dt
from duoti.dynamics.tree.forward import force_state
from duoti.dynamics.workspace import new_workspace
from duoti.elements import neighbour_list as near
from duoti.model.compliant import forces as contact_forces
from duoti.model.force_blocks import LISTS
from duoti.system.arrays import Work
from duoti.system.system import System

RADIUS = 0.1


def heap(n: int = 36, *, tilt: float = 0.0) -> dt.Model:
    """Balls, every third one a capsule, that fall on a tray; tilt: rate at which the tray turns [rad/s]."""
    m, random = dt.Model("heap"), np.random.default_rng(3)
    tray = m.add_body("tray", dt.Inertia.box(50.0, size=(2, 2, 0.1)))
    m.add_joint("tray", dt.Revolute("y"), m.ground, tray, v0=tilt)
    tray.shapes.append(dt.Shape.plane())
    names = []
    for i in range(n):
        place = np.array([i % 3 - 1.0, i // 3 % 3 - 1.0, i // 9 + 0.6]) * 0.23 + 0.01 * random.normal(size=3)
        body = m.add_body(f"b{i}", dt.Inertia.sphere(1.0, radius=RADIUS), position=place)
        m.add_joint(f"f{i}", dt.Free(), m.ground, body)
        body.shapes.append(dt.Shape.capsule(0.08, 0.1) if i % 3 == 0 else dt.Shape.sphere(RADIUS))
        names.append(f"b{i}")
    law = dt.CompliantContact(1e4, damping=20.0, friction=0.3, slip_speed=1e-2)
    m.add_contact("floor", law, "tray", names)
    m.add_contact("balls", law, names, names)
    return m


def without_lists(monkeypatch: pytest.MonkeyPatch, model: dt.Model) -> System:
    """The model compiled as if it had few contacts: each pair is looked at in each evaluation."""
    with monkeypatch.context() as change:
        change.setattr(contact_forces, "MANY", 10**9)
        system = dt.compile(model)
    assert not groups_of(system)
    return system


def groups_of(system: System) -> list[tuple[int, int, int]]:
    """First and last element of each type that has a list, and where its block begins."""
    forces, found = system.loads.forces, []
    for number, cls in enumerate(system.force_types):
        rows = np.flatnonzero(forces.kind == number)
        place = int(forces.integers[rows[0], cls.near_place]) if cls.near_place is not None else -1
        if place >= 0:
            assert np.array_equal(rows, np.arange(rows[0], rows[-1] + 1))
            found.append((int(rows[0]), int(rows[-1]) + 1, place))
    return found


def numbers_of(system: System, work: Work, which: int) -> list[int]:
    """An integer of each list."""
    integers = system.loads.forces.block_integers
    return [int(work.block_lists[integers[block + LISTS] + which]) for _, _, block in groups_of(system)]


def evaluate(system: System, work: Work, q: Any, v: Any) -> tuple[np.ndarray, ...]:
    """Wrenches on the bodies, powers, and those of each element."""
    force_state(system.tree, system.loads, work, 0.0, q, v)
    return work.F_ext.copy(), work.powers.copy(), work.force_powers.copy()


@pytest.mark.parametrize(
    ("solver", "n", "seconds"),
    [(dt.SemiImplicitEuler(step=1e-3), 36, 0.3), (dt.DOPRI5(), 36, 0.12), (dt.Radau(rtol=1e-4, atol=1e-6), 12, 0.12)],
    ids=lambda each: type(each).__name__,
)
def test_same_bits(solver: Any, n: int, seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pairs keep their order, and what is left out would have added zeros: not a bit differs, derivatives included."""
    model = heap(n)
    quick, plain = dt.compile(model), without_lists(monkeypatch, model)
    assert list(quick.model.forces) == list(plain.model.forces)
    assert len(groups_of(quick)) == (4 if n > 24 else 2)  # of the tray with balls, and of the three pairs of both
    r, s = (dt.simulate(each, seconds, outputs=[0.0, seconds], solver=solver) for each in (quick, plain))
    assert r.ok
    assert np.array_equal(r.q, s.q)
    assert np.array_equal(r.v, s.v)
    assert r.stats.evaluations == s.stats.evaluations
    assert r["tray.q"][-1] != 0.0  # they have reached it


@pytest.mark.parametrize("tilt", [0.0, 0.7])
def test_lists_have_no_history(tilt: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """States in any order, far apart and near, again and again: always as from a workspace that knows nothing yet."""
    model = heap(tilt=tilt)
    system, plain = dt.compile(model), without_lists(monkeypatch, model)
    r = dt.simulate(system, 0.4, outputs=np.linspace(0.0, 0.4, 41), solver=dt.SemiImplicitEuler(step=1e-3))
    work, reference, touched = new_workspace(system), new_workspace(plain), 0
    random = np.random.default_rng(0)
    for k in [*range(41), *random.integers(0, 41, 60)]:
        found = evaluate(system, work, r.q[k].copy(), r.v[k].copy())
        wanted = evaluate(plain, reference, r.q[k].copy(), r.v[k].copy())
        fresh = evaluate(system, new_workspace(system), r.q[k].copy(), r.v[k].copy())
        for one, two, three in zip(found, wanted, fresh, strict=True):
            assert np.array_equal(one, two)
            assert np.array_equal(one, three)
        touched += np.count_nonzero(found[2][:, 0])
    assert touched > 1000


def test_few_pairs_are_looked_at() -> None:
    """A list holds the neighbours of a ball, not all others, and serves while balls move by an eighth of a reach."""
    model = heap(90)
    system = dt.compile(model)
    r = dt.simulate(system, 0.3, outputs=np.linspace(0.0, 0.3, 301), solver=dt.SemiImplicitEuler(step=1e-3))
    work = new_workspace(system)
    for k in range(301):
        evaluate(system, work, r.q[k].copy(), r.v[k].copy())
    lengths, renewals = numbers_of(system, work, near.LENGTH), numbers_of(system, work, near.RENEWALS)
    balls = [n for n, (first, last, _) in enumerate(groups_of(system)) if last - first > 500]
    assert (
        sum(lengths[n] for n in balls) < 90 * 9
    )  # of 4005 pairs; up to 12 neighbours each, some more within the margin
    fastest = float(np.max(np.abs(r.v)))
    moved = contact_forces.MARGIN * 0.5 * 0.08  # m at least
    assert max(renewals) <= 2 + 0.3 * 2 * fastest / moved  # two directions at most add up to twice the largest
    assert max(renewals) < 301 / 3


def test_single_elements_end_a_list() -> None:
    """Results ask elements one by one: what these leave in the workspace must not stay there."""
    from duoti.dynamics.workspace import element_entries
    from duoti.kernel import run_entry

    system = dt.compile(heap())
    r = dt.simulate(system, 0.4, outputs=[0.0, 0.4], solver=dt.SemiImplicitEuler(step=1e-3))
    work = new_workspace(system)
    start = [r.q[0].copy(), r.v[0].copy()]
    wanted = evaluate(system, work, *start)
    evaluate(system, work, r.q[1].copy(), r.v[1].copy())
    laws, contexts, memory = element_entries(system, work)
    for law, context in zip(laws, contexts, strict=True):
        run_entry(law, context)
    assert len(memory) == len(laws)
    assert np.count_nonzero(work.force_powers[:, 0]) > 10
    for one, two in zip(evaluate(system, work, *start), wanted, strict=True):
        assert np.array_equal(one, two)
