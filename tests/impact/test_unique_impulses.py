"""`unique` and `sum_unique` of impacts: which impulses are the only ones that go with the motion after the impact."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.contact.impact.least_norm import share_out
from duoti.contact.impact.uniqueness import unique_impulses


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


@pytest.mark.parametrize("law", ["newton", "poisson", "stronge"])
@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_a_box_that_falls_flat_is_not_torn(law: str, restitution: float):
    """Four corners share the impulse evenly, and friction has none: of all that leave this motion, the least.

    Newton's and Poisson's laws to the solver's 1e-11, that of Stronge by a method of second order with 500 steps in a
    period: (2 pi / 500)^2 / 24 = 7e-6.
    """
    m = falling(dt.Shape.box((0.3, 0.2, 0.1)), 0.4)
    m.contacts["floor"].law = dt.RigidContact(friction=0.4, restitution=restitution, impact=law)  # type: ignore[arg-type]
    r = dt.simulate(m, 0.25, solver=dt.DOPRI5())
    first = [each for each in r.impacts if each.time == r.impacts[0].time]
    speed = (2.0 * 9.81 * 0.25) ** 0.5
    assert len(first) == 4
    for each in first:
        assert each.impulse == pytest.approx([0.0, 0.0, 0.25 * (1.0 + restitution) * speed], rel=7e-6, abs=1e-11)
        assert np.abs(each.impulse[:2]).max() < 1e-11
        assert (each.unique, each.sum_unique) == (False, True)


@pytest.mark.parametrize("law", ["newton", "poisson", "stronge"])
def test_a_box_that_falls_and_slides_has_friction_along_its_way(law: str):
    """By symmetry none across it; the same corners in another order share it alike."""
    sums = []
    for turned in (0.0, np.pi):
        m = falling(dt.Shape.box((0.3, 0.2, 0.1), rotation=dt.Rotation.from_vector((0, 0, turned))), 0.4)
        m.contacts["floor"].law = dt.RigidContact(friction=0.4, restitution=0.5, impact=law)  # type: ignore[arg-type]
        m.joints["free"].v0 = {"velocity": (0.5, 0, 0), "angular_velocity": (0, 0, 0)}
        r = dt.simulate(m, 0.25, solver=dt.DOPRI5())
        first = [each for each in r.impacts if each.time == r.impacts[0].time]
        assert np.abs([each.impulse[1] for each in first]).max() < 1e-10
        assert all(np.hypot(*each.impulse[:2]) <= 0.4 * each.impulse[2] for each in first)
        sums.append(sorted(each.impulse[0] for each in first))
    assert sums[0] == pytest.approx(sums[1], abs=1e-10)


def test_shares_stay_in_their_cones_and_leave_the_same_rates():
    """Random bodies on five points: rates are the same, impulses no greater, and all within friction."""
    random = np.random.default_rng(2)
    for _ in range(50):
        points = np.column_stack([random.uniform(-1, 1, (5, 2)), np.full(5, -0.3)])
        J = np.concatenate([
            np.array([[*n, *np.cross(p, n)] for n in ((0, 0, 1), (1, 0, 0), (0, 1, 0))]) for p in points
        ])  # fmt: skip
        inverse = np.diag([1.0, 1.0, 1.0, *random.uniform(2, 9, 3)])
        W, u = J @ inverse @ J.T, J @ np.array([*random.normal(size=2), -2.0, 0, 0, 0.3])
        mu = np.full(5, 0.4)
        p = dt.contact.solve_ncp(W, u, mu).p
        shared = share_out(W, p, u, mu, 3)
        assert W @ shared == pytest.approx(W @ p, abs=1e-9 * np.max(np.abs(u)))
        assert np.linalg.norm(shared) <= np.linalg.norm(p) * 1.2  # the second pass weighs friction, and may lengthen it
        blocks = shared.reshape(-1, 3)
        assert np.all(np.linalg.norm(blocks[:, 1:], axis=1) <= 0.4 * blocks[:, 0] + 1e-12)


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
