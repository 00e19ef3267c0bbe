"""Cones and tori: on a plane exactly, a cone on others by its hull (a torus: `test_curved_as_triangles`)."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt

G = 9.81


def _on_floor(inertia, position, rotation=None, law=None, v0=None):
    m = dt.Model("on the floor")
    m.ground.shapes.append(dt.Shape.plane())
    b = m.add_body("b", inertia, position=position, rotation=rotation)
    m.add_joint("free", dt.Free(), m.ground, b, v0=v0)
    m.add_contact("all", law or dt.RigidContact(friction=0.4), "all", "all")
    return m


@pytest.mark.parametrize("solver", [dt.DOPRI5(), dt.Moreau(step=1e-3)], ids=["events", "steps"])
def test_a_cone_falls_on_its_base(solver):
    m = _on_floor(dt.Inertia.cone(2.0, radius=0.1, height=0.3), (0, 0, 0.02))
    r = dt.simulate(m, 0.3, outputs=0.01, solver=solver)
    assert r.ok, r.reason
    assert r["b.position.z"][-1] == pytest.approx(0.0, abs=1e-6)  # its origin is in the base
    assert r["all.normal_force"][-1] == pytest.approx(2.0 * G, rel=1e-6)


def test_a_cone_rests_on_its_side():
    """With its slant height on the plane the axis is inclined by half the angle of the cone."""
    radius, height = 0.1, 0.3
    half = np.arctan2(radius, height)
    # the base's centre is above its lowest point by r cos(half)
    turn = dt.Rotation.about("y", np.pi / 2 + half)
    m = _on_floor(dt.Inertia.cone(2.0, radius=radius, height=height), (0, 0, radius * np.cos(half)), turn)
    r = dt.simulate(m, 0.2, outputs=0.01, solver=dt.Moreau(step=1e-3))
    assert r.ok, r.reason
    assert r["b.position.z"][-1] == pytest.approx(radius * np.cos(half), abs=1e-6)
    assert r["all.normal_force"][-1] == pytest.approx(2.0 * G, rel=1e-6)
    z = np.asarray(r["b.axis_z"])
    assert z[-1] == pytest.approx(z[0], abs=1e-6)


@pytest.mark.parametrize("solver", [dt.DOPRI5(), dt.Moreau(step=1e-3)], ids=["events", "steps"])
def test_a_torus_rolls_without_loss(solver):
    """An upright ring that rolls: its centre stays at R + r and keeps its speed."""
    ring, tube, speed = 0.2, 0.05, 0.7
    m = _on_floor(
        dt.Inertia.torus(1.0, ring_radius=ring, tube_radius=tube, axis="y"), (0, 0, ring + tube),
        v0=[speed, 0, 0, 0, speed / (ring + tube), 0],
    )  # fmt: skip
    r = dt.simulate(m, 0.5, outputs=0.05, solver=solver)
    assert r.ok, r.reason
    assert r["b.position.z"] == pytest.approx(ring + tube, abs=1e-6)
    assert r["b.velocity.x"] == pytest.approx(speed, rel=1e-5)


def test_a_torus_lies_flat():
    m = _on_floor(dt.Inertia.torus(1.0, ring_radius=0.2, tube_radius=0.05), (0, 0, 0.06))
    r = dt.simulate(m, 0.3, outputs=0.01, solver=dt.Moreau(step=1e-3))
    assert r.ok, r.reason
    assert r["b.position.z"][-1] == pytest.approx(0.05, abs=1e-6)


def test_a_cone_on_a_box_and_under_a_ball():
    """Where there is no closed form, a cone is a pyramid; its apex is exact."""
    m = dt.Model("cone on a box")
    base = dt.Shape.box((1.0, 1.0, 0.2), position=(0, 0, -0.1))
    m.ground.shapes.append(base)
    cone = m.add_body("cone", dt.Inertia.cone(2.0, radius=0.1, height=0.3), position=(0, 0, 0.01))
    m.add_joint("free", dt.Free(), m.ground, cone)
    m.add_contact("all", dt.RigidContact(friction=0.4), "all", "all")
    r = dt.simulate(m, 0.3, outputs=0.01, solver=dt.Moreau(step=1e-3))
    assert r.ok, r.reason
    assert r["cone.position.z"][-1] == pytest.approx(0.0, abs=1e-6)
    assert r["all.normal_force"][-1] == pytest.approx(2.0 * G, rel=1e-5)
    # the middle of the rim between two of 128 corners is this far from the edge
    sagitta = 0.1 * (1.0 - np.cos(np.pi / 128))
    assert any(f"a cone: 129 corners, within {sagitta:.2g} m" in note for note in r.stats.notes)


def test_a_compliant_cone_stands():
    m = _on_floor(
        dt.Inertia.cone(2.0, radius=0.1, height=0.3), (0, 0, 0.0), law=dt.CompliantContact(stiffness=1e5, damping=0.5)
    )
    r = dt.simulate(m, 0.5, outputs=0.05)
    assert r.ok, r.reason
    assert -1e-3 < r["b.position.z"][-1] < 0.0


def test_pairs_that_are_left_out_are_noted_by_the_run():
    """Two planes cannot touch: a tray on the floor."""
    m = _on_floor(dt.Inertia.sphere(1.0, radius=0.1), (0, 0, 0.2))
    tray = m.add_body(
        "tray", dt.Inertia.box(1.0, (0.1, 0.1, 0.1)), position=(5, 0, 1), shapes=[dt.Shape.plane(position=(0, 0, -3))]
    )
    m.add_joint("free tray", dt.Free(), m.ground, tray)
    r = dt.simulate(m, 0.05, outputs=0.01)
    assert any('plane of "ground" against plane of "tray"' in note for note in r.stats.notes), r.stats.notes
