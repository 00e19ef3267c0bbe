"""Ropes in flat pictures: the line is tangent to its sheaves and has the length of the belt."""

from __future__ import annotations

import numpy as np
import pytest

from duoti.view.images.rope_lines import ARC, Rim, rope_line, tangent

X, Y = np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])


def rim(x: float, y: float, radius: float, side: int) -> Rim:
    return Rim(np.array([x, y, 0.0]), X, Y, radius, side)


@pytest.mark.parametrize("sides", [(1, 1), (1, -1), (-1, 1), (-1, -1)])
def test_spans_are_tangents(sides: tuple[int, int]) -> None:
    a, b = rim(0, 0, 0.5, sides[0]), rim(2, 1, 0.3, sides[1])
    out, into = tangent(a, b)
    along = b.at(into) - a.at(out)
    for each, angle in ((a, out), (b, into)):
        radius = each.at(angle) - each.centre
        assert abs(radius @ along) < 1e-8  # the search ends at 1e-9 of the length
        forward = each.side * np.cross([0, 0, 1], radius)
        assert forward @ along > 0


def test_length_of_an_open_belt() -> None:
    """Closed form of two pulleys; the arcs are drawn as polygons, shorter by (angle / pieces)^2 / 24."""
    small, large, distance = 0.05, 0.15, 0.4
    line = rope_line([rim(0, 0, small, 1), rim(distance, 0, large, 1)], closed=True)
    slope = np.arcsin((large - small) / distance)
    arcs = small * (np.pi - 2 * slope) + large * (np.pi + 2 * slope)
    length = arcs + 2 * np.sqrt(distance**2 - (large - small) ** 2)
    drawn = np.linalg.norm(np.diff(line, axis=0), axis=1).sum()
    assert 0 < length - drawn < 1.1 * arcs * ((np.pi + 2 * slope) / ARC) ** 2 / 24


def test_eyes_and_ends() -> None:
    line = rope_line([rim(-1, -1, 0, 1), rim(0, 0, 0.5, -1), rim(1, -1, 0, 1)], closed=False)
    np.testing.assert_allclose(line[0], [-1, -1, 0])
    np.testing.assert_allclose(line[-1], [1, -1, 0])
    assert line[:, 1].max() == pytest.approx(0.5, abs=1e-3)  # over the sheave
