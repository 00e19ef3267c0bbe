"""Rigid contacts in the flow of energy of event-driven runs."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt


def test_contacts_are_parts_of_the_flow():
    """Two links whose tip falls on the floor and slides: each part balances, and the contact takes what is lost."""
    m = dt.Model("arm")
    a = m.add_body("a", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(0.5, 0, 0.5))
    b = m.add_body("b", dt.Inertia.rod(1.0, length=1.0, axis="x"), position=(1.5, 0, 0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, a, at=(0, 0, 0.5))
    m.add_joint("B", dt.Revolute("y"), a, b, at=(1, 0, 0.5))
    tip = m.add_marker("tip", b, position=(0.5, 0, 0))
    m.add_contact("floor", dt.RigidContact(friction=0.2), m.ground, tip, shapes=(dt.Shape.plane(), dt.Shape.point()))
    r = dt.simulate(m, 0.6, outputs=1e-3)
    assert r.ok, r.reason
    assert len(r.impacts) > 0
    flow = dt.energy_flow(r)
    assert np.max(flow.residual) < 1e-11 * flow.largest  # round-off: powers through joints know the contact's force
    (row,) = [row for row in flow.works if row.name == "floor"]
    assert row.kind == "contact"
    # by trapezoids and by splines between outputs of 1 ms, which miss where slip sets in
    assert row.dissipated == pytest.approx(r["floor.energy_lost"][-1].item(), rel=1e-4)
    assert row.dissipated == pytest.approx(r.energy.dissipated[-1], rel=1e-3)
    sliding = r["floor.state"].ravel() == 2.0
    assert np.max(flow.part("floor").dissipated[sliding]) > 0.1
    assert np.min(flow.part("floor").dissipated) > -1e-9
    with pytest.raises(NotImplementedError, match="energy_lost"):
        dt.energy_flow(dt.simulate(m, 0.01, solver=dt.Moreau(step=1e-3)))
