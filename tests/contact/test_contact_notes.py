"""What runs say of their rigid contacts, and gaps where nothing is near."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import duoti as dt
from duoti.view.images.solids import MANY_POINTS, hull, points_of


def falling(shape: dt.Shape, floor: dt.Shape, **law: Any) -> dt.Model:
    m = dt.Model("falling")
    b = m.add_body("stone", dt.Inertia.sphere(1.0, radius=0.1), position=(0.0, 0.0, 0.5))
    m.add_joint("free", dt.Free(), m.ground, b)
    m.add_contact("floor", dt.RigidContact(**law), m.ground, b, shapes=(floor, shape))
    return m


TERRAIN = dt.Shape.heightfield([[0.0, 0.0, 0.0], [0.0, 0.05, 0.0], [0.0, 0.0, 0.0]], (2.0, 2.0))


def test_event_driven_runs_speak_of_bodies_not_of_points():
    r = dt.simulate(falling(dt.Shape.sphere(0.1), dt.Shape.plane()), 0.1)
    assert any('between "ground" and "stone"' in note for note in r.stats.notes)
    assert not any("points" in note for note in r.stats.notes)


def test_notes_advise_only_what_is_treated():
    """What is stepped because nothing else treats it is not sent to dt.DOPRI5(), which refuses it by name."""
    stronge = falling(dt.Shape.sphere(0.1), dt.Shape.plane(), restitution=0.5, impact="stronge")
    stronge.add_body("arm", dt.Inertia.sphere(1.0, radius=0.1), position=(2, 0, 2))
    stronge.add_joint("hinge", dt.Revolute("y"), stronge.ground, "arm", at=(1, 0, 2))
    stronge.add_force("rub", dt.JointFriction("hinge", friction=0.1, radius=0.01))
    for model in (falling(dt.Shape.sphere(0.1), TERRAIN), stronge):
        r = dt.simulate(model, 0.01)
        assert "only time stepping" in r.stats.notes[0]
        assert "DOPRI5" not in r.stats.notes[0]
        with pytest.raises(ValueError, match="Moreau"):
            dt.simulate(model, 0.01, solver=dt.DOPRI5())
        with pytest.raises(ValueError, match=r"choose dt\.Moreau\(step=0\.001\), or make them compliant"):
            dt.simulate(model, 0.01, solver=dt.Radau())
    table = falling(dt.Shape.box((0.1, 0.1, 0.1)), dt.Shape.box((1.0, 1.0, 0.1)))
    assert "dt.DOPRI5() locates impacts" in dt.simulate(table, 0.01).stats.notes[0]
    assert dt.simulate(table, 0.01, solver=dt.DOPRI5()).ok


def test_gap_is_without_end_where_nothing_faces_the_other():
    """A ball that starts behind a terrain faces none of its triangles; above, its gap is the height."""
    above = dt.simulate(falling(dt.Shape.sphere(0.1), TERRAIN), 0.01)
    assert above["floor.gap"][0].item() == pytest.approx(0.5 - 0.05 - 0.1, abs=1e-12)
    model = falling(dt.Shape.sphere(0.1), TERRAIN)
    model.bodies["stone"].position = (0.0, 0.0, -0.5)
    below = dt.simulate(model, 0.01)
    assert np.all(below["floor.gap"] == math.inf)
    assert np.all(below["floor.slip_speed"] == 0.0)


def test_outline_of_many_points_is_that_of_few():
    """The corners of a hull are among the points: of a square with many more within, four."""
    rng = np.random.default_rng(5)
    square = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [0.0, 1.0]])
    many = np.concatenate([rng.uniform((0.1, 0.1), (1.9, 0.9), (MANY_POINTS, 2)), square])
    for points in (square, many):
        assert sorted(map(tuple, hull(points))) == sorted(map(tuple, square))
    line = np.outer(np.linspace(0.0, 1.0, 2 * MANY_POINTS), [3.0, 1.0])
    assert {(0.0, 0.0), (3.0, 1.0)} <= set(map(tuple, hull(line)))
    faces = np.repeat(rng.normal(size=(MANY_POINTS, 4, 3)), 3, axis=0)
    assert len(points_of(faces)) == 4 * MANY_POINTS
