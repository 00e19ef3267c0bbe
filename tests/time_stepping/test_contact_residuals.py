"""How well Signorini's condition, Coulomb's cone and maximum dissipation hold in each step: channels and summary."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.errors import ChannelError

STEP, MU, G = 1e-3, 0.3, 9.81
NAMES = ("signorini", "cone", "dissipation")


def tower(n: int = 6) -> dt.Model:
    """Boxes on each other; the highest one is heavy."""
    m, shape = dt.Model("tower"), dt.Shape.box((0.2, 0.2, 0.2))
    below = m.ground
    for i in range(n):
        b = m.add_body(f"b{i}", dt.Inertia.box(100.0 if i == n - 1 else 1.0, size=(0.2, 0.2, 0.2)),
                       position=(0, 0, 0.1 + 0.2 * i))  # fmt: skip
        m.add_joint(f"f{i}", dt.Free(), m.ground, b)
        m.add_contact(f"c{i}", dt.RigidContact(friction=MU), below, b,
                      shapes=(dt.Shape.plane() if i == 0 else shape, shape))  # fmt: skip
        below = b
    return m


def test_a_box_that_slides_by_hand() -> None:
    """All three residuals are within the tolerance."""
    m = dt.Model("box")
    b = m.add_body("box", dt.Inertia.box(2.0, size=(0.2, 0.2, 0.2)), position=(0, 0, 0.1))
    m.add_joint("free", dt.Free(), m.ground, b, v0=[0, 0, 0, 1.0, 0, 0])
    m.add_contact("floor", dt.RigidContact(friction=MU), m.ground, b,
                  shapes=(dt.Shape.plane(), dt.Shape.box((0.2, 0.2, 0.2))))  # fmt: skip
    r = dt.simulate(m, 0.1, outputs=0.01, solver=dt.Moreau(step=STEP))
    speed = 1e-8 * 1.0  # the tolerance, of the largest velocity
    force = 2.0 * speed / STEP  # what such an error of the velocity of 2 kg is in a step
    bounds = {"signorini": speed, "cone": 1e-12 * 2.0 * G, "dissipation": force * 1.0}  # the cone: round-off
    for name in NAMES:
        found = r[f"floor.{name}_residual"]
        assert found.shape == (len(r.t),)
        assert np.all(found >= 0.0)
        value, contact, t = r.stats.contact_residuals[name]
        assert np.max(found) <= value + 1e-300
        assert value < bounds[name]
        assert contact == "floor"
        assert 0.0 <= t <= 0.1 + 1e-12
    assert "largest residuals: Signorini" in r.summary()


def test_a_solve_that_is_stopped_early_shows_in_the_residuals(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tolerance of 0.3 stops the solver early: boxes sink, with the speed that the residual says."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rough = dt.simulate(tower(), 0.02, outputs=STEP, solver=dt.Moreau(step=STEP, tolerance=0.3))
    fine = dt.simulate(tower(), 0.02, outputs=STEP, solver=dt.Moreau(step=STEP))
    worst = {which: r.stats.contact_residuals["signorini"][0] for which, r in (("rough", rough), ("fine", fine))}
    assert worst["fine"] < 1e-8 * G * STEP
    assert worst["rough"] > 1e-4 * G * STEP
    value, contact, t = rough.stats.contact_residuals["signorini"]
    assert np.max(rough[f"{contact}.signorini_residual"]) == pytest.approx(value, rel=1e-12)
    # the lowest box is pressed into the floor: the residual is the velocity that should be none
    assert rough["c0.normal_force"][1:].min() > 1000.0
    np.testing.assert_allclose(rough["c0.signorini_residual"], np.abs(rough["b0.velocity"][:, 2]), rtol=1e-6)
    k = int(np.argmax(rough[f"{contact}.signorini_residual"]))
    assert rough.t[k] == pytest.approx(t, abs=1e-9)


def test_residuals_in_files_and_where_there_are_none(tmp_path: Path) -> None:
    """A file keeps them; event-driven runs and compliant contacts say that they have none."""
    r = dt.simulate(tower(2), 0.01, outputs=STEP, solver=dt.Moreau(step=STEP))
    r.save(tmp_path / "run.h5")
    again = dt.open_result(tmp_path / "run.h5")
    assert again.stats.contact_residuals == r.stats.contact_residuals
    assert np.array_equal(again["c1.cone_residual"], r["c1.cone_residual"])
    m = dt.Model("ball")
    b = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.2))
    m.add_joint("free", dt.Free(), m.ground, b)
    m.add_contact("floor", dt.RigidContact(friction=MU), m.ground, b,
                  shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))  # fmt: skip
    event_driven = dt.simulate(m, 0.3, outputs=0.1, solver=dt.DOPRI5())
    assert event_driven.stats.contact_residuals == {}
    with pytest.raises(ChannelError, match="event-driven"):
        event_driven["floor.signorini_residual"]
