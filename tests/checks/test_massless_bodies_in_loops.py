"""Bodies without inertia about some axis that are held by closed loops: well posed, on the right spanning tree."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt


def crane(order: str, joint=dt.Spherical, **cable) -> dt.Model:
    """A boom on a hinge, and a cable from a post whose free end is joined to its tip."""
    m = dt.Model("crane", gravity=(0, 0, -9.81))
    boom = m.add_body("boom", dt.Inertia.box(502.0, size=(6, 0.2, 0.2)), position=(3, 0, 0))
    m.add_joint("hinge", dt.Revolute("y"), m.ground, boom, at=(0, 0, 0))
    m.add_marker("post", m.ground, position=(0, 0, 4))
    tip = m.add_marker("tip", boom, position=(3, 0, 0))
    end = tip if order == "held" else (6, 0, 0)
    c = m.add_cable("c", "post", end, stiffness=2e6, mass_per_length=2.0, elements=3, damping_time=1e-3, **cable)
    if order != "held":
        pair = (boom, c.end) if order == "boom first" else (c.end, boom)
        m.add_joint("tie", joint(), *pair, at=(6, 0, 0))
    return m


@pytest.mark.parametrize("order", ["boom first", "cable first"])
@pytest.mark.parametrize("cable", [{}, {"bending_stiffness": 50.0, "thin": True}])
def test_a_free_end_of_a_cable_on_a_ball_joint(order, cable):
    """As the same cable that is fixed to the boom; both to the tolerance of the solver."""
    m = crane(order, **cable)
    assert dt.check(m).ok
    options = {"outputs": 0.05, "solver": dt.Radau(), "rtol": 1e-8, "atol": 1e-10}
    r, held = dt.simulate(m, 0.1, **options), dt.simulate(crane("held", **cable), 0.1, **options)
    assert r.ok, r.reason
    assert abs(held["hinge.angle"][-1]) > 1e-3
    np.testing.assert_allclose(r["boom.position"], held["boom.position"], rtol=0, atol=1e-7)


def test_a_massless_block_between_a_pin_and_a_slot():
    """Whichever of its two joints is cut, the tree ends at it: the cut must be at another body.

    Against the limit of small masses, extrapolated linearly: its error is of second order in 1e-4 kg of 3 kg.
    """
    ends = []
    for mass in (0.0, 1e-4, 2e-4):
        m = dt.Model("slot")
        block = dt.Inertia.sphere(mass, radius=0.01) if mass else dt.Inertia.point(0.0)
        m.add_body("crank", dt.Inertia.rod(1.0, length=0.3, axis="x"), position=(0.15, 0, 0))
        m.add_body("block", block, position=(0.3, 0, 0))
        m.add_body("lever", dt.Inertia.box(2.0, size=(0.05, 0.05, 1)), position=(0.3, 0, 0))
        m.add_joint("A", dt.Revolute("y"), m.ground, "crank", at=(0, 0, 0))
        m.add_joint("D", dt.Revolute("y"), m.ground, "lever", at=(0.3, 0, -0.5))
        m.add_joint("B", dt.Spherical(), "crank", "block", at=(0.3, 0, 0))
        m.add_joint("C", dt.Prismatic("z"), "block", "lever", at=(0.3, 0, 0))
        if not mass:
            assert "B" not in dt.topology(m).cut_joints
        r = dt.simulate(m, 0.3, outputs=0.1, rtol=1e-9, atol=1e-11)
        assert r.ok, r.reason
        ends.append(r["crank.position"])
    np.testing.assert_allclose(ends[0], 2 * ends[1] - ends[2], rtol=0, atol=1e-6)
    assert np.abs(ends[0] - ends[1]).max() > 1e-6


def test_two_loops_that_both_end_at_points():
    m = crane("boom first")
    c = m.add_cable("d", "post", (4, 0, 0), stiffness=1e6, mass_per_length=2.0, elements=2)
    m.add_joint("tie2", dt.Spherical(), c.end, "boom", at=(4, 0, 0))
    assert set(dt.topology(m).cut_joints) == {"tie", "tie2"}
    assert dt.simulate(m, 0.05).ok


def test_the_body_without_inertia_is_named_whichever_end_of_the_joint_it_is():
    """A point on a ball joint and a slide turns at any rate, since the slide turns with it: no tree helps."""
    for pair in (("boom", "point"), ("point", "boom")):
        m = dt.Model("loop")
        m.add_body("boom", dt.Inertia.box(502.0, size=(6, 0.2, 0.2)), position=(3, 0, 0))
        m.add_body("point", dt.Inertia.point(1.0), position=(6, 0, 0))
        m.add_joint("hinge", dt.Revolute("y"), m.ground, "boom", at=(0, 0, 0))
        m.add_joint("tie", dt.Spherical(), *pair, at=(6, 0, 0))
        m.add_joint("loose", dt.Free(), m.ground, "point")
        (error,) = dt.check(m).errors
        assert 'give "point" an inertia' in error.remedy
        assert "fixed" not in error.remedy


@pytest.mark.parametrize("order", ["boom first", "cable first"])
def test_a_boom_that_is_welded_to_a_point_is_told_what_lets_it_move(order):
    """A point on a translation joint does not turn; the remedy is one that works."""
    (locked,) = [f for f in dt.check(crane(order, dt.Fixed)).warnings if f.code == "immobile"]
    assert 'make "tie" spherical' in locked.remedy
    assert not [f for f in dt.check(crane(order)).warnings if f.code == "immobile"]


def test_a_cable_between_two_bodies_that_turn():
    """Both ends free, of 60 elements, joined by ball joints in different orders; against the same cable held by both.

    To the tolerance. Elements that may push: without damping, nodes of a slack cable move chaotically.
    """
    ends = []
    for free in (True, False):
        m = dt.Model("two", gravity=(0, 0, -9.81))
        for name, x in (("a", 0.0), ("b", 4.0)):
            m.add_body(name, dt.Inertia.box(5.0, size=(0.1, 0.1, 1)), position=(x, 0, -0.5))
            m.add_joint(f"hinge {name}", dt.Spherical(), m.ground, name, at=(x, 0, 0), v0=(0, 0.3, 0.0))
        points = ((0, 0, -1), (4, 0, -1))
        held = [m.add_marker(f"tip {name}", name, position=(0, 0, -0.5)) for name in ("a", "b")]
        c = m.add_cable("c", *(points if free else held), 1e4, 0.2, length=4.5, elements=60, slack=False)
        if free:
            m.add_joint("start", dt.Spherical(), "a", c.start)
            m.add_joint("end", dt.Spherical(), c.end, "b", at=(4, 0, -1))
        r = dt.simulate(m, 0.1, outputs=0.05, solver=dt.DOPRI5(rtol=1e-9, atol=1e-11))
        assert r.ok, r.reason
        ends.append(r["b.position"])
    np.testing.assert_allclose(ends[0], ends[1], rtol=0, atol=1e-9)


def test_massless_links_that_can_fold_are_refused_however_small_the_round_off():
    """Four joints in a plane move one body of three freedoms: the last pivot of the mass matrix is only round-off."""
    rng = np.random.default_rng(1)
    for _ in range(20):
        points = np.column_stack([rng.normal(size=4), np.zeros(4), rng.normal(size=4)])
        m = dt.Model("chain")
        for i, point in enumerate(points):
            inertia = dt.Inertia.box(1.0, size=(0.3, 0.3, 0.3)) if i == 3 else dt.Inertia.point(0.0)
            m.add_body(f"b{i}", inertia, position=np.add(point, (0.3, 0, 0.1)))
            m.add_joint(f"j{i}", dt.Revolute("y"), f"b{i - 1}" if i else "ground", f"b{i}", at=point)
        assert [f.code for f in dt.check(m).errors] == ["no-inertia"]
        with pytest.raises(dt.ModelError, match="nothing resists"):
            dt.simulate(m, 0.1)


def test_a_loop_with_massless_links_that_can_fold_is_refused():
    """Three massless links in a row in a loop: no tree has a regular mass matrix, so that the usual one is kept."""
    m = dt.Model("ring")
    points = [(0, 0, 0), (0.4, 0, 0.9), (0.9, 0, 1.3), (1.3, 0, 0.8), (1.7, 0, 0.6), (2, 0, 0)]
    names = ["ground", *(f"b{k}" for k in range(5)), "ground"]
    for k in range(5):
        inertia = dt.Inertia.box(1.0, size=(0.3, 0.3, 0.3)) if k < 2 else dt.Inertia.point(0.0)
        m.add_body(f"b{k}", inertia, position=np.add(points[k], points[k + 1]) / 2)
    for k, point in enumerate(points):
        m.add_joint(f"j{k}", dt.Revolute("y"), names[k], names[k + 1], at=point)
    assert "no-inertia" in [f.code for f in dt.check(m).errors]


def test_why_a_joint_is_cut_that_weights_would_not_cut():
    """In words: the body that must not end the tree, and the joint that would have been cut; no weight of 10000."""
    m = crane("boom first")
    why = dt.topology(m).why_cut
    assert len(why) == 1
    (text,) = why.values()
    assert "10000" not in text
    assert 'cut instead of c.end.free: body "c.end" has no inertia about some axis' in text
