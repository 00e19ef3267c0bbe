"""The list of near pairs, which stands in for all pairs where these are many: against the list of all pairs."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.contact import build
from duoti.contact.build import rigid_contacts
from duoti.contact.workspace import ContactGeometry

KINDS = ("sphere", "box", "capsule", "cylinder", "ellipsoid")


def _shape(kind: str, size: float) -> dt.Shape:
    if kind == "sphere":
        return dt.Shape.sphere(size)
    if kind == "box":
        return dt.Shape.box([2.0 * size, size, 0.5 * size])
    if kind == "capsule":
        return dt.Shape.capsule(0.5 * size, length=size)
    if kind == "cylinder":
        return dt.Shape.cylinder(0.5 * size, length=size)
    return dt.Shape.ellipsoid([size, 0.5 * size, 0.7 * size])


def _heap(count: int, seed: int, spread: float = 1.0, joined: bool = False) -> dt.Model:
    """Bodies of several sizes and kinds in a box, over a ground with a plane and two blocks."""
    rng = np.random.default_rng(seed)
    m = dt.Model("heap")
    m.ground.shapes += [dt.Shape.plane(), dt.Shape.box([4.0, 0.1, 1.0], position=(0, 1, 0.5)),
                        dt.Shape.box([0.1, 0.1, 0.1])]  # fmt: skip
    side = spread * 0.25 * count ** (1.0 / 3.0)
    for i in range(count):
        place = rng.uniform(-side, side, 3) + np.array([0.0, 0.0, side])
        turn = rng.normal(size=4)
        turn /= np.linalg.norm(turn)
        shape = _shape(KINDS[i % len(KINDS)], 0.1 * 4.0 ** rng.uniform(-1.0, 1.0))
        m.add_body(f"b{i}", dt.Inertia.sphere(1.0, radius=0.1), position=place, rotation=turn, shapes=[shape])
        if joined and i % 3 == 1:
            m.add_joint(f"j{i}", dt.Spherical(), m.bodies[f"b{i - 1}"], m.bodies[f"b{i}"], at=place)
        else:
            m.add_joint(f"j{i}", dt.Free(), m.ground, m.bodies[f"b{i}"])
    m.add_contact("all", dt.RigidContact(friction=0.3), "all", "all")
    half = [f"b{i}" for i in range(0, count, 2)]
    m.add_contact("some", dt.RigidContact(friction=0.6, static_friction=0.7), half, [f"b{i}" for i in range(7, 20)])
    return m


def _points(geometry: ContactGeometry, q: np.ndarray, margin: float) -> dict[tuple[str, ...], list[float]]:
    """Gaps of near points by contact and bodies."""
    nothing = np.zeros((0, geometry.axes, geometry.system.nv))
    near = geometry.look(q, np.zeros(geometry.system.nv), margin, nothing, bias=False)
    found: dict[tuple[str, ...], list[float]] = {}
    for s in geometry.contact.work.near[:near]:
        contacts = geometry.of.contacts
        pair = contacts.slot_pair[s]
        who = (geometry.of.names[contacts.element[pair]], *sorted(geometry.of.bodies[pair]))
        found.setdefault(who, []).append(float(geometry.contact.work.gap[s]))
    return {who: sorted(gaps) for who, gaps in found.items()}


@pytest.mark.parametrize(("seed", "joined"), [(1, False), (2, True), (3, False)])
def test_the_list_has_all_that_is_near(monkeypatch: pytest.MonkeyPatch, seed: int, joined: bool) -> None:
    """The same points as among all pairs, in states that move a little and much, with bodies of all sizes."""
    m = _heap(60, seed, joined=joined)
    monkeypatch.setattr(build, "MOST_PAIRS", 10**9)
    system = dt.compile(m)
    whole = rigid_contacts(system)
    monkeypatch.setattr(build, "MOST_PAIRS", 0)
    other = dt.compile(m)
    listed = rigid_contacts(other)
    assert whole is not None
    assert listed is not None
    assert whole.near is None
    assert listed.near is not None
    of_all, of_near = ContactGeometry(system, whole, biases=False), ContactGeometry(other, listed, biases=False)
    rng = np.random.default_rng(seed)
    q = system.initial_state()[0]
    most = 0
    for step in range(30):
        q = q + rng.normal(scale=0.3 if step % 10 == 9 else 0.003, size=len(q))
        margin = (0.0, 1e-3, 0.2)[step % 3]
        expected = _points(of_all, q, margin)
        assert _points(of_near, q, margin) == expected
        most = max(most, len(expected))
    assert most > 50  # pairs of bodies
    assert len(of_near.of.contacts.pair_shapes) < len(whole.contacts.pair_shapes)
