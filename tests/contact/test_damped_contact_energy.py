"""Compliant contacts: their balance of energy where a damper lets go, and the solver that is chosen for stiff ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import duoti as dt


def bouncing(damping: float, **law: Any) -> dt.Model:
    m = dt.Model("ball")
    b = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0.0, 0.0, 0.15))
    m.add_joint("free", dt.Free(), m.ground, b)
    contact = dt.CompliantContact(stiffness=1e5, damping=damping, **law)
    m.add_contact("floor", contact, m.ground, b, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
    return m


@pytest.mark.parametrize("solver", [dt.DOPRI5(), dt.DOP853(), dt.Radau(), dt.Rodas()])
@pytest.mark.parametrize("law", [{"damping": 100.0}, {"damping": 2.0, "damping_law": "hunt_crossley"}])
def test_what_a_damped_contact_still_stores_is_not_lost_from_the_balance(solver, law):
    """A step may err by ten tolerances of the works, rtol times their size, here up to 0.5 J; all steps together by
    no more than their number times that. (In steps chosen by the motion alone, 1e-3 J were missing.)
    """
    r = dt.simulate(bouncing(**law), 0.6, solver=solver)
    assert r.ok, r.reason
    assert np.max(np.abs(r.energy.residual)) < 10.0 * solver.rtol * 0.5 * r.stats.steps + 1e-9


def car(stiffness: float, damping: float) -> dt.Model:
    m = dt.Model("car")
    chassis = m.add_body("chassis", dt.Inertia.box(1000.0, size=(4.0, 1.6, 0.5)), position=(0.0, 0.0, 0.6))
    m.add_joint("free", dt.Free(), m.ground, chassis, v0=[8.0, 0, 0, 0, 0, 0])
    law = dt.CompliantContact(stiffness=stiffness, damping=damping, friction=0.8)
    for k, (x, y) in enumerate(((1.3, 0.8), (1.3, -0.8), (-1.3, 0.8), (-1.3, -0.8))):
        wheel = m.add_body(f"wheel {k}", dt.Inertia.sphere(20.0, radius=0.3), position=(x, y, 0.3))
        m.add_joint(f"axle {k}", dt.Revolute("y"), chassis, wheel, at=(x, y, 0.3), v0=8.0 / 0.3)
        shapes = (dt.Shape.plane(), dt.Shape.sphere(0.3))
        m.add_contact(f"tyre {k}", law, m.ground, wheel, shapes=shapes)
    return m


def test_a_car_on_stiff_tyres_is_not_stepped_by_its_stability():
    """Friction of 0.8 N over slip_speed, on the 20 kg of a wheel, relaxes within 10 µs: explicit steps are that short.

    Both solvers err by their tolerances of 1e-8, which contacts make some 100 times as large.
    """
    r = dt.simulate(car(1e6, 5e3), 0.5)
    s = dt.simulate(car(1e6, 5e3), 0.5, solver=dt.DOPRI5())
    assert r.ok, r.reason
    assert r.stats.solver.startswith("Auto")
    assert any("Radau" in note for note in r.stats.notes)
    assert 20 * r.stats.steps < s.stats.steps
    for name in ("chassis.position", "chassis.velocity"):
        assert np.max(np.abs(r[name] - s[name])) < 1e-6 * max(1.0, float(np.max(np.abs(s[name]))))
    weight = sum(r[f"tyre {k}.normal_force"][-1].item() for k in range(4))
    # it begins without load and rings out as exp(-c t / 2 m), 0.98 % after 0.5 s; the damper's part adds 1 % to that
    assert weight == pytest.approx(1080.0 * 9.81, rel=0.0099)


def test_many_soft_bodies_stay_explicit():
    m = dt.Model("crowd")
    for k in range(31):
        b = m.add_body(f"b{k}", dt.Inertia.sphere(1.0, radius=0.1), position=(0.3 * k, 0.0, 0.2))
        m.add_joint(f"f{k}", dt.Free(), m.ground, b)
        shapes = (dt.Shape.plane(), dt.Shape.sphere(0.1))
        m.add_contact(f"c{k}", dt.CompliantContact(stiffness=1e4), m.ground, b, shapes=shapes)
    assert dt.simulate(m, 0.01).stats.solver.startswith("DOPRI5")
