"""Ropes through eyes: one tension, exact derivatives, block and tackle, winches, slack."""

import numpy as np
import pytest

import duoti as dt

G = 9.81


def tackle(parts: int, load: float, pull: float, force: object = None) -> dt.Model:
    """A load on `parts` falling lines between two blocks, and a weight on the end of the rope that hangs beside it."""
    m = dt.Model("tackle", gravity=(0, 0, -G))
    block = m.add_body("load", dt.Inertia.sphere(load, radius=0.1), position=(0, 0, -2))
    weight = m.add_body("weight", dt.Inertia.sphere(pull, radius=0.1), position=(1, 0, -2))
    m.add_joint("lift", dt.Prismatic("z"), m.ground, block, at=(0, 0, -2))
    m.add_joint("fall", dt.Prismatic("z"), m.ground, weight, at=(1, 0, -2))
    m.add_marker("top", m.ground, position=(0, 0, 0))
    m.add_marker("corner", m.ground, position=(1, 0, 0))
    m.add_marker("low", block)
    through = ["top", "low"] * (parts // 2) + ["top", "corner", "weight"]
    m.add_force("rope", force or dt.Rope(through, stiffness=2e4, rest_length=2.0 * parts + 3.0))
    return m


@pytest.mark.parametrize("parts", [2, 4, 6])
def test_block_and_tackle_divides_the_load(parts: int) -> None:
    """In balance the end of the rope carries the load divided by the number of falling lines.

    Both may then rest at any height: what is left of the forces (1e-9 of them) is all that can be said.
    """
    e = dt.equilibrium(tackle(parts, 12.0, 12.0 / parts))
    assert e.ok, e.reason
    assert e["rope.tension"] == pytest.approx(12.0 * G / parts, rel=1e-9)
    assert e["rope.length"] == pytest.approx(2.0 * parts + 3.0 + 12.0 * G / parts / 2e4, rel=1e-9)


def test_load_and_weight_accelerate_as_by_hand() -> None:
    """M a = n T - M g, m b = m g - T with n a = b (a stiff rope; the weight is too heavy)."""
    M, weight, n = 12.0, 4.0, 4
    a = G * (n * weight - M) / (M + n * n * weight)
    r = dt.simulate(tackle(n, M, weight), 0.5, outputs=0.1, solver=dt.Radau(rtol=1e-9, atol=1e-12))
    assert r.ok, r.reason
    mean = r["lift.position"][-1] / (0.5 * 0.5**2)
    assert mean == pytest.approx(a, rel=0.02)  # the rope swings about its mean stretch, 2 mm in 150
    # slope of the energy balance: nothing is supplied, nothing is lost
    assert abs(r.energy.residual[-1]) < 1e-6 * np.ptp(r.energy.kinetic)


def test_a_slack_rope_does_not_push() -> None:
    m = dt.Model("slack", gravity=(0, 0, -G))
    ball = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.05), position=(0, 0, 0.5))
    m.add_joint("z", dt.Prismatic("z"), m.ground, ball, at=(0, 0, 0.5))
    m.add_force("rope", dt.Rope([m.ground, ball], stiffness=1e4, damping=20.0, rest_length=1.0))
    r = dt.simulate(m, 2.0, outputs=1e-3, solver=dt.Radau(rtol=1e-8, atol=1e-10))
    tension, length = r["rope.tension"], r["rope.length"]
    assert np.all(tension >= 0.0)
    assert np.all(tension[length < 1.0] == 0.0)
    assert tension.max() > 5 * G, "it was caught"
    falls = r.t < 0.5  # free fall from 0.5 m above to 1 m below: 0.55 s
    np.testing.assert_allclose(r["ball.position"][falls, 2], 0.5 - 0.5 * G * r.t[falls] ** 2, atol=1e-6)
    assert abs(r.energy.residual[-1]) < 1e-5 * np.ptp(r.energy.kinetic)
    assert r.energy.dissipated[-1] > 3.0


def test_a_winch_pulls_by_a_law() -> None:
    """A constant tension T along n parts of the rope: M a = n T - M g for the load alone."""
    m = tackle(4, 10.0, 1.0, dt.Rope(["top", "low", "top", "low", "top"], tension="30 + 0*speed"))
    r = dt.simulate(m, 1.0, outputs=0.5)
    assert r["lift.position"][-1] == pytest.approx(0.5 * (4 * 30 / 10.0 - G), rel=1e-9)
    assert r["rope.tension"] == pytest.approx(30.0)
    assert r["rope.speed"][-1] == pytest.approx(-4 * r["lift.velocity"][-1])
    assert abs(r.energy.residual[-1]) < 1e-8 * np.ptp(r.energy.kinetic)


def test_ropes_are_kept_in_files(tmp_path) -> None:
    m = tackle(4, 12.0, 3.0)
    m.save(tmp_path / "tackle.yaml")
    again = dt.load(tmp_path / "tackle.yaml")
    assert list(again.forces["rope"].through) == list(m.forces["rope"].through)
    assert dt.equilibrium(again)["rope.tension"] == pytest.approx(3.0 * G)


def test_a_rope_in_a_part_follows_its_names() -> None:
    m = dt.Model("two", gravity=(0, 0, -G))
    for name, x in (("left", 0.0), ("right", 5.0)):
        m.add_submodel(name, tackle(2, 4.0, 2.0), position=(x, 0, 0))
    e = dt.equilibrium(m)
    assert e["left.rope.tension"] == pytest.approx(2.0 * G)
    assert e["right.rope.tension"] == pytest.approx(2.0 * G)


def test_wrong_ropes_are_explained() -> None:
    m = tackle(2, 1.0, 1.0)
    m.forces["rope"] = dt.Rope(["top"], stiffness=-1.0)
    report = dt.check(m)
    text = str(report)
    assert "at least two markers" in text
    assert "stiffness is -1.0" in text
    m.forces["rope"] = dt.Rope(["top", "nowhere"], stiffness=1.0)
    assert "nowhere" in str(dt.check(m))


def test_tension_along_a_cable():
    """A hanging cable in equilibrium: tension grows by the weight below; half an element of it at the lower end."""
    m = dt.Model("plumb", gravity=(0, 0, -10.0))
    m.add_cable("line", m.ground, (0, 0, -2.0), stiffness=1e6, mass_per_length=0.5, elements=10)
    r = dt.simulate(m, 1e-3, at=(dt.equilibrium(m).q, np.zeros(dt.compile(m).nv)), outputs=5e-4)
    found = r.along("line", "axial_force")
    assert found.s[[0, 1, -1]] == pytest.approx([0.0, 0.2, 2.0])
    # masses of nodes hang on the middle of each element: 10 N less (k - 1/2) elements of 1 N
    assert found.values[-1, ::2] == pytest.approx(10.0 - (np.arange(10) + 0.5), rel=1e-5)
    assert found.plot() is not None
    with pytest.raises(dt.errors.ChannelError, match="does not resist bending"):
        r.along("line", "torque")
    with pytest.raises(dt.errors.ChannelError, match="no section to draw"):
        found.picture()
