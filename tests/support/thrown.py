"""Random bodies thrown at thin plates, surfaces that is not convex and each other, by more than their size in a
step.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import duoti as dt
from duoti.contact.build import rigid_contacts
from duoti.contact.workspace import ContactGeometry
from support.meshes import write_obj

STEP = 1e-3
SHAPES = ("ball", "box", "plate", "capsule", "rod", "cylinder", "coin", "disc", "ellipsoid", "mesh")
THIN = ("rod", "disc")  # which do not touch each other
TARGETS = ("plate", "field", "free plate", "each other")
MEET = 0.1  # part of their thickness by which two bodies would overlap that must not go on as if they had not


class Thrown(NamedTuple):
    """What became of a scene."""

    seed: int
    what: str
    result: dt.Result
    passed: bool
    """Whether one body is behind another, or has flown on where it should have been hit."""


def random_shape(rng: Any, kind: str, folder: Path) -> dt.Shape:
    """A shape of 1 cm to 10 cm."""
    a, b, c = rng.uniform(0.01, 0.1, 3)
    if kind == "ball":
        return dt.Shape.sphere(a)
    if kind == "box":
        return dt.Shape.box((a, b, c))
    if kind == "plate":
        return dt.Shape.box((a, b, 0.001))
    if kind == "capsule":
        return dt.Shape.capsule(0.2 * a, b)
    if kind == "rod":
        return dt.Inertia.rod(1.0, length=a).shapes[0]
    if kind == "cylinder":
        return dt.Shape.cylinder(a, b)
    if kind == "coin":
        return dt.Shape.cylinder(a, 0.001)
    if kind == "disc":
        return dt.Shape.disc(a)
    if kind == "ellipsoid":
        return dt.Shape.ellipsoid((0.5 * a, 0.5 * b, 0.5 * c))
    corners = rng.normal(size=(12, 3))
    corners *= 0.05 / np.linalg.norm(corners, axis=1)[:, None]
    return dt.Shape.mesh(write_obj(folder / f"stone_{rng.integers(1 << 30)}.obj", corners))


def throw(seed: int, folder: Path) -> Thrown:
    """One scene by time stepping."""
    rng = np.random.default_rng(seed)
    target, kind = TARGETS[seed % 4], SHAPES[seed // 4 % len(SHAPES)]
    speed, spin = rng.uniform(5.0, 100.0), rng.uniform(-50.0, 50.0, 3)
    law = dt.RigidContact(friction=rng.choice([0.0, 0.4]), restitution=rng.choice([0.0, 0.3, 0.9]))
    m = dt.Model("throw", gravity=(0, 0, -9.81) if target in TARGETS[:2] else (0, 0, 0))
    way = np.array([*rng.normal(scale=0.3, size=2), -1.0])
    velocity = speed * way / np.linalg.norm(way)
    begin = -velocity * rng.uniform(3.0, 12.0) * STEP + [0, 0, 0.2]  # it comes to z = 0.2 after so many steps
    _add(m, "b", random_shape(rng, kind, folder), begin, velocity, spin, rng)
    duration = 20 * STEP + rng.uniform(0.0, STEP)
    thick, heights = rng.uniform(0.001, 0.003), 0.1 * rng.normal(size=(9, 9))
    what = f"{kind} at {target}, {speed:.0f} m/s, {law.restitution}"
    if target == "plate":
        m.ground.shapes.append(dt.Shape.box((8, 8, thick), position=(0, 0, -thick / 2)))
    elif target == "field":
        m.ground.shapes.append(dt.Shape.heightfield(heights.tolist(), (8, 8)))
    elif target == "free plate":
        plate = dt.Shape.box((0.5, 0.5, thick))
        _add(m, "other", plate, rng.normal(scale=0.05, size=3), rng.normal(size=3), 0.1 * spin, rng)
    else:
        other = SHAPES[int(rng.integers(len(SHAPES)))]
        other = "box" if kind in THIN and other in THIN else other
        what += f" ({other})"
        against = -velocity * rng.uniform(0.0, 1.0) + rng.normal(size=3)
        place = begin + (velocity - against) * rng.uniform(3.0, 12.0) * STEP + rng.normal(scale=0.01, size=3)
        _add(m, "other", random_shape(rng, other, folder), place, against, -spin, rng)
    side = m.ground if target in TARGETS[:2] else "other"
    m.add_contact("c", law, side, "b")
    result = dt.simulate(m, duration, solver=dt.Moreau(step=STEP))
    if target in TARGETS[:2]:
        x, y, z = np.asarray(result["b.position"])[-1]
        passed = z < (-thick if target == "plate" else _lowest(heights, x, y) - 1e-3)
    else:
        passed = not result.impacts and _would_meet(m, duration)
    return Thrown(seed, what, result, bool(passed))


def _add(m: dt.Model, name: str, shape: dt.Shape, place: Any, velocity: Any, spin: Any, rng: Any) -> None:
    turn = dt.Rotation.from_vector(rng.uniform(-2.0, 2.0, 3))
    inertia = dt.Inertia.box(rng.uniform(0.1, 2.0), size=(0.05, 0.06, 0.07))
    body = m.add_body(name, inertia, position=place, rotation=turn)
    body.shapes.append(shape)
    m.add_joint(f"{name} free", dt.Free(), m.ground, body, v0=[*velocity, *spin])


def _lowest(heights: Any, x: float, y: float) -> float:
    """The lowest corner of the cell of the field that a place is in [m]."""
    i, j = (int(np.clip(each + 4.0, 0, 7.999)) for each in (x, y))
    return float(np.min(heights[i : i + 2, j : j + 2]))


def _would_meet(m: dt.Model, duration: float) -> bool:
    """Whether two bodies that fly on without a contact, and without gravity, come to overlap by a part of themselves.

    Not where they do so from the start.
    """
    system = dt.compile(m)
    of = rigid_contacts(system)
    assert of is not None
    geometry = ContactGeometry(system, of, biases=False)
    free = dt.Model("flight", gravity=(0, 0, 0))
    for name in ("b", "other"):
        body, joint = m.bodies[name], m.joints[f"{name} free"]
        copy = free.add_body(name, dt.Inertia.sphere(1.0, radius=0.1), position=body.position, rotation=body.rotation)
        free.add_joint(f"{name} free", dt.Free(), free.ground, copy, v0=joint.v0)
    flight = dt.simulate(free, duration, outputs=duration / 4000)
    gaps = [float(np.min(geometry.gaps(q))) for q in flight.q]
    return gaps[0] > 0.0 and min(gaps) < -MEET * float(of.contacts.thickness[of.contacts.thickness > 0.0][0])
