"""Convex hulls with many corners: simplified inside the exact hull, and the deviation is stated."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.contact.build import rigid_contacts
from duoti.contact.collide.hulls import DEVIATION, MOST_CORNERS, SIMPLIFIED, convex_hull, simplify
from support.meshes import write_obj

RADIUS = 0.1


def _ball(count: int) -> np.ndarray:
    """Points spread over a sphere (a Fibonacci lattice), all of them corners of their hull."""
    k = np.arange(count) + 0.5
    z, angle = 1.0 - 2.0 * k / count, np.pi * (1.0 + np.sqrt(5.0)) * k
    r = np.sqrt(1.0 - z * z)
    return RADIUS * np.column_stack([r * np.cos(angle), r * np.sin(angle), z])


def _distance_outside(hull, points: np.ndarray) -> float:
    return float(np.max(points @ hull.normal.T - hull.offset))


@pytest.mark.parametrize("count", [MOST_CORNERS + 1, 1500, 6000])
def test_a_hull_has_few_corners_and_is_inside(count: int) -> None:
    points = _ball(count)
    hull = convex_hull(points)
    exact = convex_hull(points, most=count)
    assert exact.deviation == 0.0
    assert hull.corners == len(exact.vertex) == count
    assert len(hull.vertex) <= SIMPLIFIED
    # its corners are corners of the mesh
    assert {tuple(row) for row in hull.vertex} <= {tuple(row) for row in points}
    assert _distance_outside(exact, hull.vertex) <= 1e-15  # round-off of products of size 0.1
    # the stated deviation bounds the distance of every corner that was left out from the planes of the hull
    assert 0.0 < _distance_outside(hull, points) <= hull.deviation * (1.0 + 1e-12)
    # a ball is the worst case: with n points spread evenly each triangle has the area 4 pi r^2 / 2n, a circumradius c
    # with c^2 = 4/(3 sqrt 3) of that area if it is equilateral, and the sagitta c^2 / 2r; triangles are not
    # equilateral, and points are not spread evenly: three times as much
    assert hull.deviation <= 3.0 * RADIUS * 4.0 * np.pi / (3.0 * np.sqrt(3.0) * SIMPLIFIED)


def test_corners_are_added_until_the_deviation_is_small() -> None:
    # a box whose edges are rounded by many small facets: a few corners are enough
    rng = np.random.default_rng(3)
    signs = rng.choice([-1.0, 1.0], (3000, 3))
    round_off = rng.normal(size=(3000, 3))
    points = signs * 0.1 + 1e-3 * round_off / np.linalg.norm(round_off, axis=1)[:, None]
    kept, deviation = simplify(convex_hull(points, most=3000).vertex, MOST_CORNERS)
    assert len(kept) < 100
    assert deviation <= DEVIATION * np.linalg.norm(np.ptp(points, axis=0))


def test_a_flat_oblique_mesh_keeps_its_thickness() -> None:
    rng = np.random.default_rng(4)
    angle = rng.uniform(0.0, 2.0 * np.pi, 900)
    plate = np.column_stack([np.cos(angle), np.sin(angle), rng.choice([-1e-5, 1e-5], 900)])
    turn, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    hull = convex_hull(plate @ turn.T)
    assert hull.deviation <= DEVIATION * 3.0
    assert np.ptp(hull.vertex @ turn[:, 2]) == pytest.approx(2e-5, rel=1e-6)


def _on_floor(path: Path, floor: dt.Shape | None = None, convex: bool = True) -> dt.Model:
    model = dt.Model("ball of facets")
    shape = dt.Shape.mesh(write_obj(path / "ball.obj", _ball(1500)), convex=convex)
    model.add_body("ball", dt.Inertia.sphere(1.0, RADIUS), (0.0, 0.0, RADIUS + 1e-3), shapes=[shape])
    model.add_joint("free", dt.Free(), "ground", "ball")
    model.ground.shapes.append(floor or dt.Shape.plane())
    model.add_contact("floor", dt.RigidContact(friction=0.3), "ground", "ball")
    return model


def test_the_deviation_is_stated(tmp_path: Path) -> None:
    model = _on_floor(tmp_path, dt.Shape.box((1, 1, 0.2), position=(0, 0, -0.1)))
    system = dt.compile(model)
    of = rigid_contacts(system)
    assert of is not None
    (simplified,) = of.simplified
    report = dt.check(model)
    (finding,) = [each for each in report if each.code == "simplified-hull"]
    assert report.ok
    assert finding.severity == "info"
    assert finding.names == ("floor",)
    assert f"{simplified.deviation:.2g} m" in finding.what
    result = dt.simulate(system, 0.05, outputs=0.01)
    assert result.ok
    (note,) = [each for each in result.stats.notes if "simplified for contact" in each]
    assert f"ball.obj: 1500 corners to {simplified.kept}, within {simplified.deviation:.2g} m" in note
    # it rests on the box with a corner or facet: at least r - deviation above it
    assert RADIUS - simplified.deviation - 1e-6 <= result["ball.position.z"][-1] <= RADIUS + 1e-3


@pytest.mark.parametrize("convex", [True, False])
def test_planes_see_all_corners(convex: bool, tmp_path: Path) -> None:
    """On a half-space corners are all that counts: gaps in any pose are those of all corners (in single precision)."""
    model = _on_floor(tmp_path, convex=convex)
    system = dt.compile(model)
    assert dt.check(model).ok
    assert not any(each.code == "simplified-hull" for each in dt.check(model))
    corners, rng = _ball(1500), np.random.default_rng(1)
    for _ in range(10):
        turn = dt.Rotation.about(rng.standard_normal(3), rng.uniform(0, np.pi))
        moved = _on_floor(tmp_path, convex=convex)
        moved.bodies["ball"].rotation = turn
        result = dt.simulate(moved, 0.01)
        lowest = np.min((turn.matrix @ corners.T)[2])
        assert result["floor.gap"][0] == pytest.approx(RADIUS + 1e-3 + lowest, abs=2**-23 * RADIUS)
    result = dt.simulate(system, 0.3, outputs=0.01)
    assert result.ok
    assert not any("simplified" in each for each in result.stats.notes)


def test_all_meshes_without_hull_are_named_at_once(tmp_path: Path) -> None:
    model = _on_floor(tmp_path)
    for name in ("one", "two"):
        model.add_body(name, dt.Inertia.sphere(1.0, RADIUS), shapes=[dt.Shape.mesh(str(tmp_path / f"{name}.stl"))])
        model.add_joint(f"free {name}", dt.Free(), "ground", name)
        model.add_contact(f"floor {name}", dt.RigidContact(), "ground", name)
    with pytest.raises(ValueError, match=r"one\.stl.*two\.stl"):
        dt.simulate(model, 0.01)
