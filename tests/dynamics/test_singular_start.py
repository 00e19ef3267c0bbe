"""Starts in singular positions and dead points: what can move does, what cannot is refused with the joints' names."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt


def slider_crank(angle: float, **rates) -> dt.Model:
    """Crank and rod of 1 m: at a right angle the slider is at the hinge, where the loop may also turn as a whole."""
    tip = np.array([np.cos(angle), np.sin(angle), 0])
    end = np.array([2 * tip[0], 0, 0])
    m = dt.Model("slider-crank", gravity=(0, -9.81, 0))
    crank = m.add_body("crank", dt.Inertia.rod(1, 1, axis=tip), position=tip / 2)
    rod = m.add_body("rod", dt.Inertia.rod(1, 1, axis=end - tip), position=(tip + end) / 2)
    slider = m.add_body("slider", dt.Inertia.box(1, size=(0.1, 0.1, 0.1)), position=end)
    m.add_joint("A", dt.Revolute("z"), m.ground, crank, at=(0, 0, 0), v0=rates.get("A"))
    m.add_joint("B", dt.Revolute("z"), crank, rod, at=tip)
    m.add_joint("C", dt.Revolute("z"), rod, slider, at=end)
    m.add_joint("D", dt.Prismatic("x"), m.ground, slider, at=end, v0=rates.get("D"))
    return m


@pytest.mark.parametrize("rates", [{"A": 1.0}, {"D": 1.0}], ids=["crank", "slider"])
def test_rates_that_no_motion_has_are_refused(rates):
    """One rate leaves the other motion free; the shortest way between both belongs to neither and would lose energy."""
    with pytest.raises(dt.ModelError) as caught:
        dt.simulate(slider_crank(np.pi / 2, **rates), 0.1)
    (finding,) = caught.value.report.errors
    assert finding.code == "singular-start"
    assert set(finding.names) == {"A", "B", "C", "D"}
    assert "is in a singular position from which its initial velocities lead nowhere" in finding.what
    assert "begin a little beside the singular position" in finding.remedy


def test_rates_of_one_of_the_motions_are_taken():
    """The slider stays at the hinge, crank and rod turn together as one: a pendulum. Or all move as a slider-crank."""
    r = dt.simulate(slider_crank(np.pi / 2, A=1.0, D=0.0), 0.2, rtol=1e-10, atol=1e-12)
    assert np.max(np.abs(r["slider.position"])) < 1e-9  # stays where it is, but for the error of integration
    assert np.max(np.abs(r.energy.residual)) < 1e-8
    r = dt.simulate(slider_crank(np.pi / 2, A=-1.0, D=2.0), 0.2, rtol=1e-10, atol=1e-12)
    assert np.allclose(r["slider.position"][:, 0], 2 * np.cos(np.pi / 2 + r["A.angle"]), atol=1e-9)
    assert r["slider.position"][-1, 0] > 0.3  # 0.2 s at 2 m/s, slowed down by gravity at first
    assert np.max(np.abs(r.energy.residual)) < 1e-8


def test_beside_the_singular_position_all_is_well():
    r = dt.simulate(slider_crank(np.pi / 2 - 0.01, D=1.0), 0.1)
    assert np.max(np.abs(r.energy.residual)) < 1e-6


def test_at_rest_in_a_singular_position():
    assert dt.simulate(slider_crank(np.pi / 2), 0.1).ok


def test_dead_point_is_named():
    """Stretched out, the slider cannot move whatever the crank does."""
    with pytest.raises(dt.ModelError) as caught:
        dt.simulate(slider_crank(0.0, D=1.0), 0.1)
    (finding,) = caught.value.report.errors
    assert finding.code == "inconsistent-rates"
    assert "D cannot move in this position, a dead point" in finding.why
    assert "give v0 to another joint than D" in finding.remedy
    assert dt.simulate(slider_crank(0.0, A=1.0), 0.1).ok


@pytest.mark.parametrize(
    "constraint_method", [dt.Penalty(), dt.Baumgarte(5, 5), dt.NullSpace(), dt.CoordinatePartitioning()]
)
def test_no_false_alarm_with_constraint_methods_that_are_not_exact(constraint_method):
    assert dt.simulate(slider_crank(1.0, A=3.0), 0.05, constraints=constraint_method).ok
