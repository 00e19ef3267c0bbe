"""`unique` and `sum_unique` of impacts: which impulses are the only ones that go with the motion after the impact."""

from __future__ import annotations

import numpy as np

import duoti as dt
from duoti.contact.uniqueness import unique_impulses


def falling(shape: dt.Shape, friction: float, turned: tuple[float, float, float] = (0, 0, 0)) -> dt.Model:
    m = dt.Model("falls")
    inertia = dt.Inertia.box(1.0, size=(0.3, 0.2, 0.1))
    b = m.add_body("b", inertia, position=(0, 0, 0.3), rotation=dt.Rotation.from_vector(turned))
    m.add_joint("free", dt.Free(), m.ground, b)
    m.add_contact("floor", dt.RigidContact(friction=friction), m.ground, b, shapes=(dt.Shape.plane(), shape))
    return m


def first_impact(m: dt.Model, **options: object) -> list[tuple[bool | None, bool | None]]:
    r = dt.simulate(m, 0.3, solver=dt.DOPRI5(), **options)
    return [(each.unique, each.sum_unique) for each in r.impacts if each.time == r.impacts[0].time]


def test_four_corners_share_what_three_would_do():
    assert first_impact(falling(dt.Shape.box((0.3, 0.2, 0.1)), 0.0)) == [(False, True)] * 4


def test_one_corner_has_it_all():
    assert first_impact(falling(dt.Shape.box((0.3, 0.2, 0.1)), 0.5, (0.3, 0.4, 0.0))) == [(True, True)]


def test_two_points_that_stick_may_press_against_each_other():
    """Without friction two ends of a capsule share by the lever; with it, opposite parts along it are free."""
    capsule = dt.Shape.capsule(0.05, 0.3, axis="x")
    assert first_impact(falling(capsule, 0.0)) == [(True, True)] * 2
    assert first_impact(falling(capsule, 0.5)) == [(False, True)] * 2


def test_pair_between_others_may_have_no_unique_sum():
    """A body held from two sides by two pairs: they may press as much more as they like."""
    J, inverse = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 1.0]]), np.eye(2)
    axes = [np.array([[1.0, 0, 0]]), np.array([[-1.0, 0, 0]]), np.array([[0, 1.0, 0]])]
    found = unique_impulses(J, inverse, np.array([2.0, 1.0, 1.0]), [True] * 3, axes, [0, 1, 2])
    assert found == [(False, False), (False, False), (True, True)]


def test_files_keep_it_and_time_stepping_does_not_look(tmp_path):
    m = falling(dt.Shape.box((0.3, 0.2, 0.1)), 0.4)
    dt.simulate(m, 0.3, solver=dt.DOPRI5(), out=tmp_path / "r.h5")
    assert [(each.unique, each.sum_unique) for each in dt.open_result(tmp_path / "r.h5").impacts] == [(False, True)] * 4
    assert {each.unique for each in dt.simulate(m, 0.3, solver=dt.Moreau(1e-3)).impacts} == {None}
