"""Islands of touching bodies are solved each by itself: what happens in one concerns no other, and none is too many."""

from __future__ import annotations

import numpy as np

import duoti as dt


def tower(m: dt.Model, name: str, place: tuple[float, float], count: int, slip: float = 0.0) -> None:
    """Boxes on each other, slightly turned and apart; the lowest one slides."""
    for i in range(count):
        b = m.add_body(f"{name}{i}", dt.Inertia.box(1.0, size=(0.2, 0.2, 0.2)),
                       position=(place[0] + 0.01 * i, place[1], 0.1 + 0.2003 * i))  # fmt: skip
        b.shapes.append(dt.Shape.box((0.2, 0.2, 0.2)))
        m.add_joint(f"{name}{i} free", dt.Free(), m.ground, b, v0={"velocity": (slip if i == 0 else 0.0, 0, 0)})


def scene(*towers: tuple[str, tuple[float, float], int, float], restitution: float = 0.2) -> dt.Model:
    m = dt.Model("towers")
    m.ground.shapes.append(dt.Shape.plane())
    for each in towers:
        tower(m, *each)
    m.add_contact("all", dt.RigidContact(friction=0.4, static_friction=0.5, restitution=restitution), "all", "all")
    return m


def test_bodies_far_away_change_nothing() -> None:
    """A tower whose foot is kicked away falls as it does alone, beside others that rest, slide, and are far heavier."""
    kicked, resting, fast = ("a", (0.0, 0.0), 4, 1.5), ("b", (50.0, 0.0), 6, 0.0), ("c", (0.0, 80.0), 3, 30.0)
    run = {"duration": 0.3, "outputs": 0.05, "solver": dt.Moreau(step=1e-3)}
    alone, together = dt.simulate(scene(kicked), **run), dt.simulate(scene(kicked, resting, fast), **run)
    assert alone.ok
    assert together.ok
    assert alone.stats.contacts["unsolved"] == together.stats.contacts["unsolved"] == 0
    for i in range(4):
        here, there = together[f"a{i}.position"], alone[f"a{i}.position"]
        # bit for bit but where the kinematics of a longer tree are summed in another order
        np.testing.assert_allclose(here, there, rtol=0, atol=1e-12)


def test_an_island_at_rest_does_not_move_while_another_falls() -> None:
    """Its last impulses are accepted after a look at the residual: positions stay what they are, without creep."""
    m = scene(("rest", (0.0, 0.0), 3, 0.0), ("kicked", (10.0, 0.0), 5, 3.0), restitution=0.0)
    r = dt.simulate(m, 0.6, outputs=[0.4, 0.6], solver=dt.Moreau(step=1e-3))
    assert r.ok
    for i in range(3):
        assert np.max(np.abs(np.diff(r[f"rest{i}.position"], axis=0))) < 1e-12
    assert r["kicked0.position.x"][-1] > 10.05


def test_two_thousand_bodies_are_solved() -> None:
    """As many islands as towers: Newton's method solves all of them, which sweeps alone left unsolved."""
    m = scene(*((f"t{k}_", (0.5 * (k % 20), 0.5 * (k // 20)), 5, 0.0) for k in range(400)))
    r = dt.simulate(m, 0.02, outputs=[0.02], solver=dt.Moreau(step=1e-3))
    assert r.ok
    assert r.stats.contacts["unsolved"] == 0
