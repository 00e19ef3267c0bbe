"""Time stepping where impulses are not unique: points that are alike bear alike, and energy does not come of it."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.integrate.moreau.solver import MoreauLoop

G = 9.81


def gripper(friction: float, squeeze: float, motion: str = "0.1*t") -> dt.Model:
    """A box of 1 kg between two pads on guides of a hand, each with four points: only symmetry tells how they bear."""
    m = dt.Model("gripper")
    m.add_body("hand", dt.Inertia.box(2.0, size=(0.2, 0.1, 0.05)), position=(0, 0, 0.3))
    m.add_joint("lift", dt.Prismatic("z"), m.ground, "hand", at=(0, 0, 0.3))
    m.add_constraint("motion", dt.JointMotion("lift", motion))
    m.add_body("box", dt.Inertia.box(1.0, size=(0.1, 0.1, 0.1)), position=(0, 0, 0.15))
    m.add_joint("free", dt.Free(), m.ground, "box")
    for side, name in ((-1, "left"), (1, "right")):
        m.add_body(name, dt.Inertia.box(0.2, size=(0.02, 0.1, 0.2)), position=(side * 0.06, 0, 0.17))
        m.add_joint(f"slide {name}", dt.Prismatic("x"), "hand", name, at=(side * 0.06, 0, 0.15))
        m.add_contact(f"pad {name}", dt.RigidContact(friction=friction), name, "box")
        m.add_force(f"push {name}", dt.JointTorque(f"slide {name}", -side * squeeze))
    return m


@pytest.mark.parametrize("step", [1e-3, 2.5e-4])
def test_a_box_in_a_symmetric_gripper_is_held_evenly(step):
    """It is lifted straight, and each pad bears half its weight; it was turned, and pushed sideways by 3 mm.

    Motion: round-off of 1e-16 m in each of some 1000 steps. Forces: the tolerance of a step, 1e-8 of velocities up to
    0.1 m/s, is a force of 1e-9 kg m/s over the step.
    """
    r = dt.simulate(gripper(0.5, 12.0), 0.5, solver=dt.Moreau(step))
    assert r.ok, r.reason
    assert np.max(np.abs(r["box.position"][:, :2])) < 1e-12
    assert np.max(np.abs(r["box.angular_velocity"][:, [0, 2]])) < 1e-9
    for name in ("left", "right"):
        assert r[f"pad {name}.force.z"][-1] == pytest.approx(G / 2, abs=1e-9 / step)


def test_a_box_that_slips_through_a_gripper_falls_straight():
    """With a hand at rest it falls with g - 2 mu F / m, by 5 cm until its corners leave the pads.

    Time stepping of a constant acceleration a is exact in velocities, and in positions but for a h² / 2 at the start.
    """
    friction, squeeze, step = 0.2, 12.0, 1e-3
    r = dt.simulate(gripper(friction, squeeze, "0.0*t"), 0.1, solver=dt.Moreau(step), outputs=0.01)
    assert r.ok, r.reason
    a = G - 2 * friction * squeeze
    np.testing.assert_allclose(r["box.position.z"], 0.15 - 0.5 * a * r.t**2, atol=0.5 * a * step**2 + 1e-12)
    assert np.max(np.abs(r["box.position"][:, :2])) < 1e-12
    assert np.max(np.abs(r["box.angular_velocity"])) < 1e-9


def test_a_box_that_slides_straight_is_not_turned():
    """Four corners on a plane, one more than it needs: v0² / 2 mu g, and no yaw, in each of 700 steps."""
    m = dt.Model("sliding box")
    size, friction, speed, step = (0.2, 0.1, 0.04), 0.3, 2.0, 1e-3
    b = m.add_body("box", dt.Inertia.box(1.0, size=size), position=(0, 0, 0.02))
    m.add_joint("free", dt.Free(), m.ground, b, v0=(speed, 0, 0, 0, 0, 0))
    law = dt.RigidContact(friction=friction)
    m.add_contact("floor", law, m.ground, b, shapes=(dt.Shape.plane(), dt.Shape.box(size)))
    r = dt.simulate(m, 1.0, solver=dt.Moreau(step))
    assert r.ok, r.reason
    assert r["box.position.x"][-1] == pytest.approx(speed**2 / (2 * friction * G), abs=friction * G * step**2)
    assert np.max(np.abs(r["box.position.y"])) < 1e-12
    assert np.max(np.abs(r["box.angular_velocity"])) < 1e-9


@pytest.mark.parametrize("step", [1e-3, 2.5e-4])
def test_energy_that_contacts_give_in_a_step_is_bounded(step, monkeypatch):
    """Without restitution, contacts give at most an eighth of dv M dv in a step, dv: what forces change v by in it.

    Impulses p work on means of velocities, p (u + u') / 2 = p u' - (p W p + p d) / 2 with d = G dv, and p u' <= 0 by
    Coulomb's law. The rest is largest for W p = -d/2: d W^-1 d / 8, of which dv M dv / 8 is a bound, here m g² h² / 8
    for each body. The correction of positions gives what it lifts, s d_n / h (`contact.solve.positions`), and no more.
    """
    lifted: list[float] = []
    advance = MoreauLoop.advance

    def one_by_one(loop: MoreauLoop, most_steps: int) -> int:
        before = int(loop.run.counts[0].steps)
        status = advance(loop, min(most_steps, 1))
        if loop.run.counts[0].steps > before:
            n, problem = int(loop.problem.counts[0].blocks), loop.problem
            touched = problem.shift[:n] > 0.0
            lifted.append(-float(problem.shift[:n][touched] @ problem.smooth[:n, 0][touched]) / step)
        return status

    monkeypatch.setattr(MoreauLoop, "advance", one_by_one)
    m, random, count = dt.Model("balls that fall on each other"), np.random.default_rng(2), 12
    m.ground.shapes.append(dt.Shape.box((0.5, 0.5, 0.2), position=(0, 0, -0.1)))
    for i in range(count):
        at = (0.21 * (i % 2) - 0.1, 0.21 * (i // 2 % 2) - 0.1, 0.11 + 0.205 * (i // 4))
        b = m.add_body(f"b{i}", dt.Inertia.sphere(1.0, radius=0.1), position=at + 0.004 * random.normal(size=3))
        b.shapes.append(dt.Shape.sphere(0.1))
        m.add_joint(f"f{i}", dt.Free(), m.ground, b, v0=0.5 * random.normal(size=6))
    m.add_contact("all", dt.RigidContact(friction=0.4), "all", "all")
    steps = round(0.6 / step)
    r = dt.simulate(m, steps * step, outputs=np.arange(steps + 1) * step, solver=dt.Moreau(step))
    assert r.ok, r.reason
    energy = r.energy.kinetic + r.energy.potential
    rise, lifts = np.diff(energy), np.array(lifted[-steps:])
    assert np.max(rise) > 0.0  # it is not nothing
    assert np.max(lifts) > 0.0
    assert np.all(rise <= count * G**2 * step**2 / 8 + lifts + 1e-12)  # round-off of m g z = 50 J
    assert np.max(np.abs(r.energy.residual)) < 1e-10
