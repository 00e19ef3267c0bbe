"""Pairs of bodies and shapes of contacts between lists: as a plain loop finds them, each kind looked up once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import duoti as dt
from duoti.contact import build
from duoti.contact.build import rigid_contacts
from duoti.model.contacts.element import WANDERING, ContactElement
from duoti.model.elements import GROUND, name_of

SHAPES = (
    [dt.Shape.sphere(0.1)], [dt.Shape.box((0.1, 0.2, 0.3)), dt.Shape.capsule(0.05, 0.2)], [dt.Shape.cylinder(0.1, 0.2)],
    [dt.Shape.ellipsoid((0.1, 0.2, 0.3))], [dt.Shape.disc(0.1)],
)  # fmt: skip


def _model(seed: int) -> dt.Model:
    random = np.random.default_rng(seed)
    m = dt.Model("lists")
    m.ground.shapes.append(dt.Shape.plane())
    bodies = []
    for k in range(10):
        body = m.add_body(f"b{k}", dt.Inertia.sphere(1.0, radius=0.1), position=random.normal(size=3),
                          shapes=SHAPES[random.integers(len(SHAPES))])  # fmt: skip
        bodies.append(body)
        if k and random.random() < 0.4:
            m.add_joint(f"j{k}", dt.Revolute("y"), bodies[k - 1], body)
        else:
            m.add_joint(f"j{k}", dt.Free(), m.ground, body)
    marker = m.add_marker("marker", bodies[3], position=(0.1, 0, 0))
    sides: list[Any] = [("all", "all"), (bodies[:6], bodies[4:]), ("all", m.ground), ([bodies[0], marker], bodies)]
    m.add_contact("c", dt.RigidContact(friction=0.3), *sides[seed % len(sides)])
    return m


def _plainly(element: ContactElement, model: dt.Model) -> list[tuple[str, str]]:
    """The rule of `ContactElement.pairs`, written out."""
    everyone = [GROUND, *model.bodies]
    sides = [everyone if side == "all" else element.references(side) for side in (element.a, element.b)]
    joined = [{j.parent, j.child} for j in model.joints.values() if j.kind not in ("free", *WANDERING)]
    found: list[tuple[str, str]] = []
    for a in map(name_of, sides[0]):
        for b in map(name_of, sides[1]):
            bodies = {model.body_name(a), model.body_name(b)}
            if len(bodies) == 2 and bodies not in joined and (a, b) not in found and (b, a) not in found:
                found.append((a, b))
    return found


@pytest.mark.parametrize("seed", range(12))
def test_pairs_are_those_of_a_plain_loop(seed: int) -> None:
    m = _model(seed)
    element = m.contacts["c"]
    assert [(name_of(a), name_of(b)) for a, b in element.pairs(m)] == _plainly(element, m)
    of = rigid_contacts(dt.compile(m))
    assert of is not None
    shapes = {GROUND: m.ground.shapes, **{name: body.shapes for name, body in m.bodies.items()}}
    wanted: list[tuple[str, str]] = []
    for a, b in ((m.body_name(a), m.body_name(b)) for a, b in _plainly(element, m)):
        treated = [build.find_pair(x.kind, y.kind)[0] for x in shapes[a] for y in shapes[b]]
        wanted += [(a, b)] * sum(kind is not None for kind in treated)
    swapped = of.contacts.swapped.tolist()
    assert sorted(pair[::-1] if s else pair for pair, s in zip(of.bodies, swapped, strict=True)) == sorted(wanted)
    counts = [of.kinds[k].points for k in np.searchsorted(of.contacts.kind, np.arange(len(of.bodies)), "right") - 1]
    assert np.diff(of.contacts.first).tolist() == counts


def test_the_time_does_not_grow_with_the_square_of_bodies(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of balls on a plane there are two kinds of pairs, however many balls: each is looked up once."""
    asked: list[tuple[str, str]] = []
    plain = build.find_pair

    def counted(a: str, b: str) -> Any:
        asked.append((a, b))
        return plain(a, b)

    monkeypatch.setattr(build, "find_pair", counted)
    m = dt.Model("balls")
    m.ground.shapes.append(dt.Shape.plane())
    for k in range(40):
        ball = m.add_body(f"b{k}", dt.Inertia.sphere(1.0, radius=0.05), position=(0.2 * k, 0, 0.1))
        m.add_joint(f"j{k}", dt.Free(), m.ground, ball)
    m.add_contact("all", dt.RigidContact(), "all", "all")
    of = rigid_contacts(dt.compile(m))
    assert of is not None
    assert of.contacts.pairs == 40 + 40 * 39 // 2
    assert asked == [("plane", "sphere"), ("sphere", "sphere")]
