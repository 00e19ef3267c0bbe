"""Bodies that overlap at the start of an event-driven run and touch with features: moved apart, or refused by name."""

import numpy as np
import pytest

import duoti as dt
from duoti.contact.build import rigid_contacts
from duoti.contact.workspace import ContactGeometry

TABLES = {"box": dt.Shape.box((0.3, 0.3, 0.3)), "cylinder": dt.Shape.cylinder(0.2, 0.3)}
SHAPES = {
    "cylinder": dt.Shape.cylinder(0.1, 0.2),
    "box": dt.Shape.box((0.2, 0.2, 0.2)),
    "capsule": dt.Shape.capsule(0.05, 0.2, axis="x"),
    "disc": dt.Shape.disc(0.1),
}
TURNED = dt.Rotation.from_vector((0.7, -0.4, 0.3))


def _in(table: str, shape: str, position, rotation=None, joint=None) -> dt.Model:
    m = dt.Model("overlap")
    m.ground.shapes.append(TABLES[table])
    inertia = dt.Inertia.box(1.0, size=(0.2, 0.2, 0.2))
    m.add_body("b", inertia, position=position, rotation=rotation, shapes=[SHAPES[shape]])
    m.add_joint("free", joint or dt.Free(), m.ground, "b")
    m.add_contact("c", dt.RigidContact(friction=0.3), m.ground, "b")
    return m


@pytest.mark.parametrize("depth", [1e-5, 3e-3])
def test_a_cylinder_that_stands_too_deep_is_lifted_by_its_depth(depth: float) -> None:
    """The shortest way out of a face is along its normal."""
    m = _in("box", "cylinder", (0.03, 0.02, 0.25 - depth))
    r = dt.simulate(m, 0.05, solver=dt.DOPRI5())
    assert r.ok, r.reason
    assert r["b.position"][0].ravel() == pytest.approx([0.03, 0.02, 0.25], abs=1e-12)
    assert any(f"overlap by {depth:.3g} m" in note and "are moved apart" in note for note in r.stats.notes)


def _gap(m: dt.Model) -> float:
    system = dt.compile(m)
    of = rigid_contacts(system)
    assert of is not None
    return float(np.min(ContactGeometry(system, of, biases=False).gaps(system.initial_state()[0])))


@pytest.mark.sample(5)
@pytest.mark.parametrize("depth", [1e-4, 4e-3])
@pytest.mark.parametrize("way", [(1, 1, 1.2), (1, 0.1, 0.9), (0.2, 0.1, 1)])  # over a corner, an edge, a face
@pytest.mark.parametrize(
    ("table", "shape"),
    [
        ("box", "cylinder"), ("box", "disc"), ("box", "capsule"), ("box", "box"), ("cylinder", "cylinder"),
        ("cylinder", "disc"), ("cylinder", "capsule"),
    ],
)  # fmt: skip
def test_what_overlaps_at_edges_and_corners_is_parted(table: str, shape: str, way, depth: float) -> None:
    """The run begins with bodies that touch, moved by little more than they overlapped, and is one without overlap."""
    unit, near, far = np.array(way) / np.linalg.norm(way), 0.15, 0.6
    for _ in range(60):
        middle = 0.5 * (near + far)
        gap = _gap(m := _in(table, shape, tuple(middle * unit), TURNED))
        near, far = (middle, far) if gap < -depth else (near, middle)
    assert gap == pytest.approx(-depth, abs=1e-9)
    r = dt.simulate(m, 0.02, solver=dt.DOPRI5())
    assert r.ok, r.reason
    said = [note for note in r.stats.notes if "are moved apart before" in note]
    assert said, r.stats.notes
    assert abs(r["c.gap"].ravel()[0]) < 1e-8  # features touch: nearest points of the shapes are found to 1e-9 m
    # bodies turn out of each other, too: at the point, by the depth, of which the centre may go the whole
    assert np.linalg.norm(r["b.position"][0].ravel() - far * unit) < 1.01 * depth
    assert min(r["c.gap"].ravel()) > -1e-6
    assert max(abs(r.energy.residual)) < 1e-6


def test_what_cannot_be_moved_apart_is_told() -> None:
    """Turning about the vertical does not lift a cylinder that stands in the table."""
    m = _in("box", "cylinder", (0.0, 0.0, 0.2499), joint=dt.Revolute("z"))
    with pytest.warns(dt.errors.SimulationWarning):
        r = dt.simulate(m, 0.05, solver=dt.DOPRI5())
    assert not r.ok
    assert "overlap by 0.0001 m at the start and could not be moved apart" in r.reason
