"""Joints of a four-bar linkage that friction holds: they do not move at all, although each step closes the loop."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt


def linkage(held: tuple[str, ...], kick: float, contact: bool) -> dt.Model:
    m = dt.Model("four-bar")
    at = np.array([[0, 0, 0.3], [0.15, 0, 0.45], [0.55, 0, 0.5], [0.6, 0, 0.3]])
    sides = ["ground", "crank", "coupler", "rocker", "ground"]
    for i, name in enumerate(sides[1:4]):
        length = float(np.linalg.norm(at[i + 1] - at[i]))
        m.add_body(name, dt.Inertia.box(0.5, size=(length, 0.05, 0.05)), position=(at[i] + at[i + 1]) / 2)
    for i in range(4):
        joint = dt.Spherical() if i == 2 else dt.Revolute("y")
        m.add_joint(f"j{i}", joint, sides[i], sides[i + 1], at=at[i], v0=[kick] if i == 0 else None)
    for name in held:
        m.add_force(f"rub {name}", dt.JointFriction(name, constant=5.0))
    if contact:
        foot = m.add_marker("foot", "coupler")
        shapes = (dt.Shape.plane(position=(0, 0, -5)), dt.Shape.sphere(0.03))
        m.add_contact("floor", dt.RigidContact(), m.ground, foot, shapes=shapes)
    return m


@pytest.mark.parametrize("contact", [False, True])
@pytest.mark.parametrize("kick", [0.0, 1.0])
@pytest.mark.parametrize("held", [("j0",), ("j0", "j1")])
def test_what_is_held_in_a_loop_does_not_move(held, kick, contact):
    """By a single bit; what no friction holds is known from the loop, which is closed to 1e-12 or so."""
    r = dt.simulate(linkage(held, kick, contact), 10.0, solver=dt.DOPRI5())
    assert r.ok, r.reason
    since = r.t > (r.events[-1].t if r.events else 0.0)
    assert (len(r.events) > 0) == (kick > 0.0)
    for name in held:
        assert np.ptp(r[f"{name}.angle"][since]) == 0.0
        assert np.all(r[f"{name}.rate"][since] == 0.0)
        assert np.all(r[f"rub {name}.mode"][since] == 1.0)
    assert np.ptp(r["j3.angle"][since]) < 1e-11


@pytest.mark.parametrize("rtol", [1e-3, 1e-6])
def test_what_is_held_in_a_loop_that_moves(rtol):
    """Two joints of a six-bar rest, the others swing: closing the loop is theirs alone."""
    m = dt.Model("six-bar")
    at = np.array([[0, 0, 0.3], [0.1, 0, 0.5], [0.3, 0, 0.65], [0.6, 0, 0.7], [0.8, 0, 0.5], [0.9, 0, 0.3]])
    sides = ["ground", "a", "b", "c", "d", "e", "ground"]
    for i, name in enumerate(sides[1:6]):
        length = float(np.linalg.norm(at[i + 1] - at[i]))
        m.add_body(name, dt.Inertia.box(0.5, size=(length, 0.05, 0.05)), position=(at[i] + at[i + 1]) / 2)
    for i in range(6):
        m.add_joint(f"j{i}", dt.Spherical() if i == 3 else dt.Revolute("y"), sides[i], sides[i + 1], at=at[i])
    for name in ("j0", "j1"):
        m.add_force(f"rub {name}", dt.JointFriction(name, constant=50.0))
    r = dt.simulate(m, 1.0, solver=dt.DOPRI5(rtol=rtol, atol=1e-2 * rtol))
    assert r.ok, r.reason  # loops are closed, and the energy is there
    assert np.ptp(r["j2.angle"]) > 1.0
    for name in ("j0", "j1"):
        assert np.ptp(r[f"{name}.angle"]) == 0.0
        assert np.all(r[f"{name}.rate"] == 0.0)
