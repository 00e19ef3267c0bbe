"""How many factorisations time stepping needs: Newton's method doubles the digits, and bodies at rest need none."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import duoti as dt
from duoti.integrate.moreau.solver import MoreauLoop

STEP = 1e-3


def factors_of(model: dt.Model, seconds: float, monkeypatch: pytest.MonkeyPatch) -> tuple[np.ndarray, dt.Result]:
    """Factorisations of each step, and the result."""
    seen: list[int] = []
    advance = MoreauLoop.advance

    def one_by_one(loop: MoreauLoop, most_steps: int) -> int:
        status = advance(loop, min(most_steps, 1))
        seen.append(int(loop.problem.counts[0].factors))
        return status

    monkeypatch.setattr(MoreauLoop, "advance", one_by_one)
    result = dt.simulate(model, seconds, outputs=[0.0, seconds], solver=dt.Moreau(step=STEP))
    return np.diff(np.array(seen)), result


def sliding_box() -> dt.Model:
    """A box that slides and spins on a plane: each of its corners slips in another direction."""
    m, size = dt.Model("sliding box"), (0.4, 0.3, 0.2)
    box = m.add_body("box", dt.Inertia.box(2.0, size=size), position=(0, 0, 0.1))
    m.add_joint("free", dt.Free(), m.ground, box, v0=(1.0, 0.2, 0, 0, 0, 5.0))
    m.add_contact("floor", dt.RigidContact(friction=0.3), m.ground, box, shapes=(dt.Shape.plane(), dt.Shape.box(size)))
    return m


def test_sliding_converges_quadratically(monkeypatch: pytest.MonkeyPatch) -> None:
    """The directions of slip turn by up to 5 rad/s times 1 ms in a step, and the impulses with them.

    One iteration leaves the square of that, 1e-5 of the impulses of friction (mu g h = 3e-3 m/s): 4e-8 m/s, of 1e-8
    that are allowed; a second one leaves nothing. Without the derivative of the direction of slip it took three.
    """
    factors, r = factors_of(sliding_box(), 0.1, monkeypatch)
    assert r.ok
    assert not r.stats.notes
    assert float(np.linalg.norm(r["box.velocity"][-1])) > 0.5  # it slides all the time
    assert factors[5:].max() <= 2


def test_bodies_at_rest_need_no_factorisation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Impulses of the last step are right to the tolerance; they were solved for anew in every second step."""
    m, cube, below = dt.Model("stack"), dt.Shape.box((0.2, 0.2, 0.2)), None
    for i in range(5):
        b = m.add_body(f"b{i}", dt.Inertia.box(1.0, size=(0.2, 0.2, 0.2)), position=(0, 0, 0.1 + 0.2 * i))
        m.add_joint(f"f{i}", dt.Free(), m.ground, b)
        shapes: Any = (cube if below else dt.Shape.plane(), cube)
        m.add_contact(f"c{i}", dt.RigidContact(friction=0.5), below or m.ground, b, shapes=shapes)
        below = b
    factors, r = factors_of(m, 0.3, monkeypatch)
    assert r.ok
    assert factors[len(factors) // 2 :].sum() <= 2
    forces = [float(r[f"c{i}.normal_force"][-1]) for i in range(5)]
    assert np.allclose(forces, 9.81 * np.arange(5, 0, -1), rtol=1e-6)  # 1e-8 of the velocities, some boxes high
