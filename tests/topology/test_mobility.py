"""Mobility and redundancy against linkages whose answers are known from the literature or by counting."""

import numpy as np
import pytest

import duoti as dt
from duoti.model.mechanism.mobility import mobility


def closed_chain(joints, points, name="chain"):
    """A single loop: body i between joint i and joint i + 1; the last joint returns to ground."""
    m = dt.Model(name)
    previous = m.ground
    for i, (joint, point) in enumerate(zip(joints, points, strict=True)):
        last = i == len(joints) - 1
        body = m.ground if last else m.add_body(f"b{i}", dt.Inertia.sphere(1.0, 0.1), position=points[i])
        m.add_joint(f"J{i}", joint, previous, body, at=point)
        previous = body
    return m


def analysed(m):
    (group,) = mobility(m, dt.topology(m))
    return group


SQUARE = [(0, 0, 0), (0, 0, 1), (2, 0, 1.5), (2, 0, 0)]


def bennett(alpha=0.7, a=1.0, b=1.3):
    """Bennett's linkage in one configuration: four hinges, sin(alpha)/a = sin(beta)/b (Bennett 1903)."""
    beta = np.arcsin(np.sin(alpha) * b / a)
    theta1 = 1.1
    # closure: tan(theta1/2) tan(theta2/2) = sin((beta+alpha)/2) / sin((beta-alpha)/2)
    theta2 = 2 * np.arctan(np.sin((beta + alpha) / 2) / np.sin((beta - alpha) / 2) / np.tan(theta1 / 2))
    X = np.eye(4)
    axes, points = [], []
    for angle, twist, length in ((theta1, alpha, a), (theta2, beta, b), (-theta1, alpha, a), (-theta2, beta, b)):
        axes.append(X[:3, 2].copy())
        points.append(X[:3, 3].copy())
        c, s, ca, sa = np.cos(angle), np.sin(angle), np.cos(twist), np.sin(twist)
        X = X @ np.array(
            [[c, -s * ca, s * sa, length * c], [s, c * ca, -c * sa, length * s], [0, sa, ca, 0], [0, 0, 0, 1]]
        )
    # Denavit-Hartenberg transforms of a closed chain multiply to the identity; round-off only
    assert np.allclose(X, np.eye(4), atol=1e-12)
    return closed_chain([dt.Revolute(axis) for axis in axes], points, "Bennett")


def test_planar_four_bar_of_hinges():
    group = analysed(closed_chain([dt.Revolute("y")] * 4, SQUARE))
    assert (group.mobility, group.redundancy) == (1, 3)
    # the plane's own reactions (force x, z; torque y) are unique in every joint, the other three are not
    for wrenches in group.stresses.values():
        assert wrenches.shape == (3, 6)
        assert np.allclose(wrenches[:, [1, 3, 5]], 0.0, atol=1e-12)  # exact zeros by geometry, round-off of the SVD


def test_remedy_of_four_bar_removes_all_redundancy():
    group = analysed(closed_chain([dt.Revolute("y")] * 4, SQUARE))
    kinds = {"cylindrical": dt.Cylindrical("y"), "spherical": dt.Spherical()}
    joints = [kinds.get(group.remedy.get(f"J{i}", ""), dt.Revolute("y")) for i in range(4)]
    mended = analysed(closed_chain(joints, SQUARE))
    assert len(group.remedy) == 2
    assert (mended.mobility, mended.redundancy, mended.stresses) == (1, 0, {})


@pytest.mark.parametrize(
    ("joints", "points", "expected"),
    [
        # planar slider-crank: 1 degree of freedom, 3 redundant
        ([dt.Revolute("y")] * 3 + [dt.Prismatic("x")], [(0, 0, 0), (0, 0, 1), (2, 0, 0), (2, 0, 0)], (1, 3)),
        # spatial slider-crank with spherical and universal joint: 1 + 3 + 2 + 1 rates, 6 equations
        (
            [dt.Revolute("x"), dt.Spherical(), dt.Universal("y", "z"), dt.Prismatic("x")],
            [(0, 0, 0), (0, 0.1, 0.3), (0.5, 0, 0), (0.5, 0, 0)],
            (1, 0),
        ),
        # spherical four-bar: hinges through one point
        ([dt.Revolute(a) for a in ((0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1))], [(0, 0, 0)] * 4, (1, 3)),
        # Sarrus: two groups of three parallel hinges, 6 rates, straight-line motion
        (
            [dt.Revolute("x")] * 3 + [dt.Revolute("y")] * 3,
            [(0, 1, 0), (0, 1.5, 0.6), (0, 1, 1.2), (1, 0, 1.2), (1.5, 0, 0.6), (1, 0, 0)],
            (1, 1),
        ),
        # a door on two hinges on the same axis: all but the turn is redundant
        ([dt.Revolute("z"), dt.Revolute("z")], [(0, 0, 0), (0, 0, 2)], (1, 5)),
        # three hinges in a plane cannot move
        ([dt.Revolute("y")] * 3, [(0, 0, 0), (0, 0, 1), (2, 0, 0)], (0, 3)),
    ],
)  # fmt: skip
def test_known_single_loops(joints, points, expected):
    group = analysed(closed_chain(joints, points))
    assert (group.mobility, group.redundancy) == expected


def test_bennett_moves_although_grueblers_count_says_minus_two():
    m = bennett()
    group = analysed(m)
    assert (group.mobility, group.redundancy) == (1, 3)
    assert dt.topology(m).prediction.gruebler == -2


def test_stewart_platform_has_six_degrees_of_freedom():
    m = dt.Model("hexapod")
    top = m.add_body("top", dt.Inertia.cylinder(10.0, 0.5, 0.1), position=(0, 0, 1))
    for i in range(6):
        base = np.array([np.cos(i * np.pi / 3 + 0.2 * (-1) ** i), np.sin(i * np.pi / 3 + 0.2 * (-1) ** i), 0])
        tip = np.array([0.5 * np.cos(i * np.pi / 3), 0.5 * np.sin(i * np.pi / 3), 1.0])
        axis = (tip - base) / np.linalg.norm(tip - base)
        side = np.cross(axis, (0, 0, 1.0))
        lower = m.add_body(f"lower{i}", dt.Inertia.sphere(1, 0.1), position=base + 0.2 * axis)
        upper = m.add_body(f"upper{i}", dt.Inertia.sphere(1, 0.1), position=tip - 0.2 * axis)
        m.add_joint(f"U{i}", dt.Universal(side, np.cross(axis, side)), m.ground, lower, at=base)
        m.add_joint(f"P{i}", dt.Prismatic(axis), lower, upper, at=base)
        m.add_joint(f"S{i}", dt.Spherical(), upper, top, at=tip)
    group = analysed(m)
    assert (group.mobility, group.redundancy) == (6, 0)


def test_groups_of_loops_without_common_joints_are_apart():
    m = closed_chain([dt.Revolute("y")] * 4, SQUARE)
    a = m.add_body("a", dt.Inertia.sphere(1, 0.1), position=(5, 0, 0))
    m.add_joint("H1", dt.Revolute("z"), m.ground, a, at=(5, 0, 0))
    m.add_joint("H2", dt.Revolute("z"), m.ground, a, at=(5, 0, 1))
    groups = mobility(m, dt.topology(m))
    assert sorted((g.mobility, g.redundancy) for g in groups) == [(1, 3), (1, 5)]


def test_independent_of_units_and_place():
    """The same four-bar a thousand times smaller and far away."""
    points = [tuple(1e-3 * np.array(p) + (1e3, -2e3, 5e2)) for p in SQUARE]
    group = analysed(closed_chain([dt.Revolute("y")] * 4, points))
    assert (group.mobility, group.redundancy) == (1, 3)


def test_check_reports_loops_cuts_and_redundancy():
    m = closed_chain([dt.Revolute("y")] * 4, SQUARE, "four-bar")
    report = dt.check(m)
    assert report.ok
    (redundant,) = [f for f in report if f.code == "redundant"]
    assert redundant.severity == "warning"
    assert redundant.what == (
        'the loop closed by "J3" has 3 redundant closure equations: '
        'joints "J0", "J1", "J2", "J3" over-constrain each other'
    )
    assert redundant.remedy == (
        'make "J2" cylindrical and "J3" spherical: then nothing is redundant and every reaction is unique'
    )
    (summary,) = [f for f in report if f.code == "topology"]
    assert summary.what == "3 bodies, 4 joints, 1 closed loop; -2 degrees of freedom by Grübler's count, 1 in truth"
    (cut,) = [f for f in report if f.code == "cut"]
    assert cut.names == ("J3",)
    assert cut.what.startswith('joint "J3" is cut: closes the loop J2, J1, J0, J3')


def test_check_of_a_locked_loop():
    report = dt.check(closed_chain([dt.Revolute("y")] * 3, [(0, 0, 0), (0, 0, 1), (2, 0, 0)]))
    assert any(f.code == "immobile" and f.what == 'the loop of joints "J0", "J1", "J2" cannot move' for f in report)


def test_check_of_a_tree_says_so():
    m = dt.Model("pendulum")
    rod = m.add_body("rod", dt.Inertia.rod(1, 1, axis="x"), position=(0.5, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, rod, at=(0, 0, 0))
    assert [f.what for f in dt.check(m)] == ["1 body, 1 joint, a tree; 1 degree of freedom"]
