"""Points of a polygon keep what is known of them, whatever number they have: whether they stick, and velocities."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import duoti as dt
from duoti.contact.event_driven.contact_states import OPEN, SLIDE
from duoti.integrate.moreau.solver import MoreauLoop
from support.meshes import write_obj

MU, STATIC = 0.3, 0.6
H = 1e-3


def _on_a_box(push: float, spin: float, tilt: float, shape: str, folder: Path) -> dt.Model:
    """A body that is pushed, spun and tilted on the edge of a fixed box, so that corners come and go."""
    m = dt.Model("on a box")
    m.ground.shapes.append(dt.Shape.box((1.0, 1.0, 0.2), position=(0, 0, -0.1)))
    shapes = [dt.Shape.box((0.2, 0.14, 0.1))]
    if shape == "hull":
        corners = np.array(
            [
                (x, y, z)
                for z in (-0.05, 0.05)
                for x, y in ((0.1, 0.0), (0.06, 0.07), (-0.05, 0.07), (-0.1, 0.01), (-0.04, -0.07), (0.05, -0.06))
            ]
        )
        shapes = [dt.Shape.mesh(write_obj(folder / "hull.obj", corners))]
    turn = dt.Rotation.about("y", tilt)
    body = m.add_body("b", dt.Inertia.box(1.0, size=(0.2, 0.14, 0.1)), position=(0.38, 0.02, 0.05 + 0.1 * abs(tilt)),
                      rotation=turn, shapes=shapes)  # fmt: skip
    m.add_joint("j", dt.Free(), m.ground, body, v0={"velocity": (push, 0.1, 0), "angular_velocity": (0, 0, spin)})
    m.add_force("hand", dt.AppliedForce("b", ("7.0*sin(9*t)", "2.0*cos(7*t)", 0)))
    m.add_force("twist", dt.AppliedTorque("b", (0, 0, "0.25*sin(11*t)")))
    m.add_contact("c", dt.RigidContact(friction=MU, static_friction=STATIC), m.ground, body)
    return m


SCENES = [(0.6, 3.0, 0.0), (0.1, 0.0, 0.05), (0.0, -6.0, 0.02), (0.9, 1.0, -0.04)]


def _after_each_step(monkeypatch: pytest.MonkeyPatch, look: Callable[[MoreauLoop], None]) -> None:
    advance = MoreauLoop.advance

    def one_by_one(loop: MoreauLoop, most_steps: int) -> int:
        status = advance(loop, min(most_steps, 1))
        for _ in range(most_steps - 1):
            if status != 0:
                break
            look(loop)
            status = advance(loop, 1)
        look(loop)
        return status

    monkeypatch.setattr(MoreauLoop, "advance", one_by_one)


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("shape", ["box", "hull"])
def test_numbers_of_points_change_nothing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, scene: tuple[float, float, float], shape: str
) -> None:
    """The same motion, bit for bit, where what is known of points is shuffled among their numbers after each step."""
    m = _on_a_box(*scene, shape, tmp_path)
    plain = dt.simulate(m, 0.5, solver=dt.Moreau(H), outputs=0.01)
    rng, shuffled = np.random.default_rng(3), [0]

    def shuffle(loop: MoreauLoop) -> None:
        contacts = loop.of.contacts
        for pair in range(int(contacts.kind[-1])):
            if contacts.polygon[contacts.pair_kind[pair]]:
                first, last = int(contacts.first[pair]), int(contacts.first[pair + 1])
                step = loop.memory.step[first:last]
                known = first + np.flatnonzero((step == np.max(step)) & (step >= 0))
                order = rng.permutation(known)
                for name in ("state", "seen", "place"):  # impulses stay: iterations begin with those of the numbers
                    array: Any = getattr(loop.memory, name)
                    array[known] = array[order]
                shuffled[0] += 1

    _after_each_step(monkeypatch, shuffle)
    other = dt.simulate(m, 0.5, solver=dt.Moreau(H), outputs=0.01)
    assert shuffled[0] >= 500
    np.testing.assert_array_equal(other.states, plain.states)


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("shape", ["box", "hull"])
def test_each_point_keeps_its_law(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, scene: tuple[float, float, float], shape: str
) -> None:
    """A corner that slid in the last step bears mu N at most, one that stuck or is new the static friction.

    Corners of the body are known by where they are on it, which the solver is not asked for.
    """
    m = _on_a_box(*scene, shape, tmp_path)
    last: list[tuple[np.ndarray, int]] = []
    counts = {"slid": 0, "stuck": 0, "renumbered": 0}
    numbers: dict[int, np.ndarray] = {}

    def look(loop: MoreauLoop) -> None:
        problem, work = loop.problem, loop.contact.work
        X = work.X_WS[loop.of.contacts.pair_shapes[0, 1]]
        R, origin = X[:9].reshape(3, 3), X[9:]
        seen: list[tuple[np.ndarray, int]] = []
        for c in range(int(problem.counts[0].points)):
            s = int(problem.slot[c])
            place = R.T @ (work.point[s] - origin)
            normal, along = float(problem.p[c, 0]), float(np.hypot(*problem.p[c, 1:]))
            before = [state for where, state in last if np.linalg.norm(where - place) < 1e-5]
            if before and normal > 0.0:
                bound = MU if before[0] == SLIDE else STATIC
                counts["slid" if before[0] == SLIDE else "stuck"] += 1
                assert along <= bound * normal * (1.0 + 1e-6) + 1e-9
            if s in numbers and np.linalg.norm(numbers[s] - place) > 1e-3:
                counts["renumbered"] += 1
            numbers[s] = place
            seen.append((place, int(loop.memory.state[s]) if normal > 0.0 else OPEN))
        last[:] = seen

    _after_each_step(monkeypatch, look)
    r = dt.simulate(m, 0.5, solver=dt.Moreau(H), outputs=0.01)
    assert r.ok, r.reason
    assert counts["slid"] > 50
    if scene == SCENES[0]:
        assert counts["renumbered"] > 0
