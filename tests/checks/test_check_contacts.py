"""What `check` says about rigid contacts in the initial position."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt

PLANE = dt.Shape.plane()


def codes(model: dt.Model) -> list[str]:
    return [finding.code for finding in dt.check(model).findings]


def ball(height: float) -> dt.Model:
    m = dt.Model("ball")
    b = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, height))
    m.add_joint("free", dt.Free(), m.ground, b)
    m.add_contact("floor", dt.RigidContact(friction=0.5), m.ground, b, shapes=(PLANE, dt.Shape.sphere(0.1)))
    return m


def test_bodies_that_overlap():
    report = dt.check(ball(0.08))
    (finding,) = [f for f in report.warnings if f.code == "penetration"]
    assert '"ground" and "ball" overlap by 0.02 m' in finding.what
    assert "penetration" not in codes(ball(0.1))
    assert report.ok
    r = dt.simulate(ball(0.08), 0.01)
    assert any("overlap by 0.02 m at the start, and are moved apart" in note for note in r.stats.notes)
    assert r["floor.gap"][0] == pytest.approx(0.0, abs=1e-9)  # as the note says
    assert "moved apart at the start" in finding.why


def test_bodies_that_overlap_and_part_are_not_moved():
    m = ball(0.08)
    m.joints["free"].v0 = [0, 0, 1.0, 0, 0, 0]
    r = dt.simulate(m, 0.001)
    assert r["floor.gap"][0] == pytest.approx(-0.02, abs=1e-12)
    assert any("others still overlap by 0.02 m" in note for note in r.stats.notes)


def test_time_stepping_notes_an_overlap_at_the_start():
    """The energy m g 0.02 m with which the ball is lifted is where the note says; a ball that falls fast has none."""
    r = dt.simulate(ball(0.08), 0.01, solver=dt.Moreau(1e-3))
    assert any("overlap by 0.02 m at the start" in note for note in r.stats.notes)
    assert r["floor.energy_lost"][-1] == pytest.approx(-9.81 * 0.02, rel=1e-6)
    m = ball(0.1)
    m.joints["free"].v0 = [0, 0, -10.0, 0, 0, 0]  # 5 mm deep in the middle of the first step
    assert not dt.simulate(m, 0.01, solver=dt.Moreau(1e-3)).stats.notes


def rod(mu: float) -> dt.Model:
    """Painlevé's slender rod at 45 degrees, tip on the ground: paradoxes from mu = (1 + 3 cos^2) / (3 sin cos) on."""
    angle = np.pi / 4
    m = dt.Model("rod")
    inertia = dt.Inertia(1.0, matrix=np.diag([1e-9, 1 / 3, 1 / 3]))
    R = dt.Rotation.about("y", angle)
    body = m.add_body("rod", inertia, position=(0, 0, np.sin(angle)), rotation=R)
    m.add_joint("plane", dt.Planar("y"), m.ground, body)
    tip = m.add_marker("tip", body, position=(1, 0, 0))
    m.add_contact("ground contact", dt.RigidContact(friction=mu), m.ground, tip, shapes=(PLANE, dt.Shape.point()))
    return m


def test_friction_above_the_critical_coefficient():
    critical = (1 + 1.5) / 1.5
    assert "critical-friction" not in codes(rod(0.99 * critical))
    report = dt.check(rod(1.01 * critical))
    (finding,) = [f for f in report.warnings if f.code == "critical-friction"]
    assert f"{critical:.3g}" in finding.what
    assert dt.contact_problem(rod(1.0)).critical_friction["ground contact"] == pytest.approx(critical, rel=1e-8)


def test_a_table_has_forces_that_are_not_unique():
    m = dt.Model("table")
    b = m.add_body("top", dt.Inertia.box(1.0, size=(1, 1, 0.1)), position=(0, 0, 0.5))
    m.add_joint("free", dt.Free(), m.ground, b)
    for k, (x, y) in enumerate(((-0.4, -0.4), (0.4, -0.4), (0.4, 0.4), (-0.4, 0.4))):
        leg = m.add_marker(f"leg {k}", b, position=(x, y, -0.5))
        m.add_contact(f"foot {k}", dt.RigidContact(friction=0.9), m.ground, leg, shapes=(PLANE, dt.Shape.point()))
        assert ("contact-forces" in codes(m)) == (k == 3)
        assert "critical-friction" not in codes(m) or k == 0  # on one leg alone, that is another matter


def test_a_mesh_that_cannot_be_read(tmp_path):
    m = ball(0.1)
    shapes = (PLANE, dt.Shape.mesh(str(tmp_path / "none.stl")))
    m.add_contact("lost", dt.RigidContact(), m.ground, "ball", shapes=shapes)
    (finding,) = dt.check(m).errors
    assert finding.code == "bad-contact"
    assert "none.stl" in finding.what


def held_between_pads(turning: bool) -> dt.Model:
    """A box between two fingers on guides; their faces take any pressure, unless one finger may turn about y and z."""
    m = dt.Model("gripper")
    m.add_body("hand", dt.Inertia.box(2.0, size=(0.2, 0.1, 0.05)), position=(0, 0, 0.3))
    m.add_joint("lift", dt.Prismatic("z"), m.ground, "hand", at=(0, 0, 0.3))
    m.add_constraint("motion", dt.JointMotion("lift", "0.1*t"))
    m.add_body("box", dt.Inertia.box(1.0, size=(0.1, 0.1, 0.1)), position=(0, 0, 0.15))
    m.add_joint("free", dt.Free(), m.ground, "box")
    for side, name in ((-1, "left"), (1, "right")):
        m.add_body(name, dt.Inertia.box(0.2, size=(0.02, 0.1, 0.2)), position=(side * 0.06, 0, 0.17))
        joint = dt.Composite.of_axes("x", "yz") if turning and side > 0 else dt.Prismatic("x")
        m.add_joint(f"slide {name}", joint, "hand", name, at=(side * 0.06, 0, 0.15))
        m.add_contact(f"pad {name}", dt.RigidContact(friction=0.5), name, "box")
    return m


def test_pressure_that_no_balance_determines():
    """Faces on rigid guides: the centre of pressure is free, and friction with it; a joint settles it."""
    (finding,) = [f for f in dt.check(held_between_pads(False)).findings if f.code == "contact-forces"]
    assert finding.severity == "warning"
    assert '"left"' in finding.why or '"right"' in finding.why
    (finding,) = [f for f in dt.check(held_between_pads(True)).findings if f.code == "contact-forces"]
    assert finding.severity == "info"


def test_welded_bodies_are_remarked():
    m = dt.Model("welded")
    a, b = (m.add_body(name, dt.Inertia.sphere(1.0, radius=0.1), position=(k, 0, 0)) for k, name in enumerate("ab"))
    m.add_joint("free", dt.Free(), m.ground, a)
    m.add_joint("weld", dt.Fixed(), a, b)
    for law in (dt.RigidContact(), dt.CompliantContact(stiffness=1e4)):
        m.contacts.clear()
        m.add_contact("none", law, a, b)
        (finding,) = [f for f in dt.check(m).findings if f.code == "welded-contact"]
        assert finding.severity == "info"
        assert finding.names == ("none", "a", "b")
    m.joints.pop("weld")
    m.add_joint("weld", dt.Revolute("x"), a, b)
    assert "welded-contact" not in codes(m)


@pytest.mark.parametrize("joint", [dt.Planar("y"), dt.Translation(), dt.Free()])
def test_bodies_that_go_anywhere_on_ground_are_in_lists(joint):
    """They land on it: m g each. A revolute joint to ground holds them."""
    m = dt.Model("feet")
    m.ground.shapes.append(PLANE)
    feet = [m.add_body(f"foot{i}", dt.Inertia.sphere(1.0, radius=0.1), position=(i, 0, 0.11)) for i in range(2)]
    for foot in feet:
        m.add_joint(f"joint of {foot.name}", joint, m.ground, foot)
    m.add_contact("floor", dt.RigidContact(), m.ground, feet)
    assert dt.check(m).ok
    r = dt.simulate(m, 0.2)
    assert r.ok, r.reason
    assert r["floor.normal_force"][-1] == pytest.approx(2 * 9.81, rel=1e-6)
    for foot in feet:
        m.joints.pop(f"joint of {foot.name}")
        m.add_joint(f"joint of {foot.name}", dt.Revolute("y"), m.ground, foot)
    assert "no-shapes" in codes(m)


def test_a_body_that_slides_along_another_in_a_planar_joint():
    """Nothing can press them on each other: no friction, and no division by zero (warnings are errors here)."""
    m = dt.Model("puck")
    m.ground.shapes.append(PLANE)
    puck = m.add_body("puck", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.1))
    m.add_joint("table", dt.Planar("z"), m.ground, puck, v0=[1.0, 0, 0])
    m.add_contact("floor", dt.RigidContact(friction=0.3), "all", "all")
    for solver in (dt.DOPRI5(), dt.Moreau(1e-3)):
        with np.errstate(all="raise"):
            r = dt.simulate(m, 0.5, solver=solver)
        assert r.ok, r.reason
        assert np.linalg.norm(r["puck.velocity"][-1]) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.filterwarnings("ignore::duoti.errors.SimulationWarning")
@pytest.mark.parametrize("solver", [dt.DOPRI5(), dt.Moreau(1e-3)])
def test_joined_bodies_that_overlap(solver):
    """No motion of the joint parts them: check and the run say which joint, and what to do."""
    m, shape = dt.Model("arm"), dt.Shape.box((0.4, 0.1, 0.1))
    for k, name in enumerate("ab"):
        m.add_body(name, dt.Inertia.box(1.0, size=(0.4, 0.1, 0.1)), position=(0.2 + 0.3 * k, 0, 0))
    m.add_joint("shoulder", dt.Revolute("y"), m.ground, "a", at=(0, 0, 0))
    m.add_joint("elbow", dt.Revolute("y"), "a", "b", at=(0.35, 0, 0))
    m.add_contact("touch", dt.RigidContact(friction=0.3), "a", "b", shapes=(shape, shape))
    (finding,) = [f for f in dt.check(m).warnings if f.code == "penetration"]
    assert 'joint "elbow" holds them together' in finding.why
    r = dt.simulate(m, 0.5, solver=solver)
    assert not r.ok
    assert 'joint "elbow" holds them together: leave this pair out' in r.reason
