"""Corners of contact problems at which kernels read beyond their arrays, went on for ever, or lost a stiffness."""

from pathlib import Path

import numpy as np
import pytest

import duoti as dt


def ball(m: dt.Model, name: str, x: float, z: float) -> None:
    m.add_body(name, dt.Inertia.sphere(1.0, radius=0.1), position=(x, 0, z))
    m.add_joint(f"{name} free", dt.Free(), m.ground, name)


def test_a_body_that_cannot_move_in_a_tree_that_can() -> None:
    """Welded to ground and not fused with it, with a hinge behind it: it has no path of rates to ground."""
    m = dt.Model("welded")
    a = m.add_body("a", dt.Inertia.box(1.0, size=(0.1, 0.1, 0.1)), position=(0, 0, 0.05))
    b = m.add_body("b", dt.Inertia.box(1.0, size=(0.1, 0.1, 0.1)), position=(0.3, 0, 0.05))
    m.add_joint("weld", dt.Fixed(), m.ground, a)
    m.add_joint("hinge", dt.Revolute("y"), a, b, at=(0, 0, 0.05))
    shapes = (dt.Shape.plane(), dt.Shape.sphere(0.05))
    for name in ("a", "b"):
        m.add_contact(name, dt.RigidContact(), m.ground, name, shapes=shapes)  # friction would bear a part
    r = dt.simulate(dt.compile(m, fuse=False), 0.01, solver=dt.Moreau(step=1e-3))
    assert r.ok
    assert r["b.force.z"][-1] == pytest.approx(9.81, rel=1e-7)  # solved to 1e-8 of the velocities


def test_a_constraint_that_nothing_can_move() -> None:
    m = dt.Model("idle")
    fixed = m.add_body("fixed", dt.Inertia.sphere(1.0, radius=0.1), position=(5, 0, 0))
    m.add_joint("weld", dt.Fixed(), m.ground, fixed)
    far = m.add_marker("far", m.ground, position=(5, 0, 1))
    m.add_constraint("idle", dt.Distance(far, fixed, 1.0))
    ball(m, "b0", 0.0, 0.1)
    ball(m, "b1", 0.0, 0.3)
    floor = (dt.Shape.plane(), dt.Shape.sphere(0.1))
    m.add_contact("floor", dt.RigidContact(friction=0.3), m.ground, "b0", shapes=floor)
    m.add_contact("balls", dt.RigidContact(friction=0.3), "b0", "b1", shapes=(dt.Shape.sphere(0.1),) * 2)
    r = dt.simulate(m, 0.01, solver=dt.Moreau(step=1e-3))
    assert r.ok
    assert r["floor.force.z"][-1] == pytest.approx(2 * 9.81, rel=1e-9)


def walls(path: Path, half: float) -> None:
    """Two blocks with a channel of twice this width between them."""
    faces = [(0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (2, 3, 7, 6), (1, 2, 6, 5), (3, 0, 4, 7)]
    lines: list[str] = []
    for number, (low, high) in enumerate(((-1.0, -half), (half, 1.0))):
        for z in (-2, 2):
            lines += [f"v {x} {y} {z}" for x, y in ((low, -2), (high, -2), (high, 2), (low, 2))]
        for face in faces:
            a, b, c, d = (1 + 8 * number + corner for corner in face)
            lines += [f"f {a} {b} {c}", f"f {a} {c} {d}"]
    path.write_text("\n".join(lines))


@pytest.mark.parametrize("x", [0.0, 1e-6])
def test_forces_that_cancel_have_a_stiffness(tmp_path: Path, x: float) -> None:
    """A box in a channel that is 1 mm too narrow on either side: four corners at each wall, or their share of it."""
    walls(tmp_path / "walls.obj", 0.499)
    m = dt.Model("channel", gravity=(0, 0, 0))
    box = m.add_body("box", dt.Inertia.box(1.0, size=(1, 1, 1)), position=(x, 0, 0))
    m.add_joint("slide", dt.Prismatic("x"), m.ground, box)
    shapes = (dt.Shape.mesh(str(tmp_path / "walls.obj"), convex=False), dt.Shape.box((1, 1, 1)))
    m.add_contact("walls", dt.CompliantContact(stiffness=1000.0), m.ground, box, shapes=shapes)
    system = dt.compile(m)
    force = [dt.analyses.generalised_forces(system, [step], [0.0])[0] for step in (1e-5, -1e-5)]
    by_differences = np.sqrt((force[1] - force[0]) / 2e-5) / (2 * np.pi)
    assert by_differences > 1.0
    assert dt.linearise(m).frequencies == pytest.approx([by_differences], rel=1e-6)  # the law is linear in the overlap


def test_an_edge_through_the_middle_of_a_rim() -> None:
    """A cylinder exactly above the corner of a box comes down on it: no number of its geometry is undefined."""
    m = dt.Model("corner")
    m.add_body("cylinder", dt.Inertia.cylinder(1.0, radius=0.1, length=0.2, axis="z"), position=(0.5, 0.5, 0.61))
    m.add_joint("down", dt.Prismatic("z"), m.ground, "cylinder")
    table = m.add_marker("table", m.ground, position=(0, 0, 0))
    shapes = (dt.Shape.box((1, 1, 1)), dt.Shape.cylinder(0.1, 0.2))
    m.add_contact("touch", dt.RigidContact(), table, "cylinder", shapes=shapes)
    r = dt.simulate(m, 0.2, solver=dt.DOPRI5())
    assert r.ok
    assert r["down.position"][-1] == pytest.approx(-0.01, abs=1e-9)
    assert np.all(np.isfinite(r["touch.gap"]))


def test_three_algebraic_states_in_a_circle() -> None:
    """0 = b - 1 - sin t, 0 = c - 2 - cos t, 0 = a - 3, each the equation of another one."""
    m = dt.Model("circle")
    m.add_body("b", dt.Inertia.point(1.0))
    m.add_joint("j", dt.Prismatic("x"), m.ground, "b")
    m.add_state("first", "second - 1 - sin(t)", 3.0, algebraic=True)
    m.add_state("second", "third - 2 - cos(t)", 1.0, algebraic=True)
    m.add_state("third", "first - 3", 3.0, algebraic=True)
    r = dt.simulate(m, 1.0, outputs=0.1, solver=dt.Radau())
    assert r.ok
    np.testing.assert_allclose(r["second"], 1 + np.sin(r.t), atol=1e-12)
    np.testing.assert_allclose(r["third"], 2 + np.cos(r.t), atol=1e-12)


def test_a_plate_as_thin_as_round_off_is_refused_by_name() -> None:
    """Its lower and upper corners and edges all touch: more points than there is room for."""
    m = dt.Model("sheet")
    m.ground.shapes.append(dt.Shape.box((1, 1, 0.5), position=(0, 0, -0.25)))
    sheet = dt.Shape.box((1, 1, 1e-10))
    b = m.add_body("sheet", dt.Inertia.box(1.0, size=(1, 1, 0.01)), position=(0, 0, 0.5e-10), shapes=[sheet])
    m.add_joint("free", dt.Free(), m.ground, b)
    m.add_contact("table", dt.RigidContact(friction=0.3), m.ground, b)
    with pytest.warns(dt.errors.SimulationWarning, match="as thin as round-off"):
        r = dt.simulate(m, 0.01, solver=dt.DOPRI5())
    assert r.reason_code == "contact-unsolved"
