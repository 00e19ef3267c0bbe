"""Random scenes of joints, stops, friction and shapes, and what becomes of them by two engines and three steps."""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np

import duoti as dt

SIZE = 0.1
DURATION = 0.6
SHAPES = ("sphere", "box", "capsule", "cylinder")


def _solid(kind: str, s: float) -> tuple[dt.Shape, dt.Inertia]:
    if kind == "sphere":
        return dt.Shape.sphere(s), dt.Inertia.sphere(1.0, radius=s)
    if kind == "box":
        size = (2 * s, 1.4 * s, s)
        return dt.Shape.box(size), dt.Inertia.box(1.0, size=size)
    if kind == "capsule":
        return dt.Shape.capsule(0.5 * s, 2 * s, axis="x"), dt.Inertia.cylinder(
            1.0, radius=0.5 * s, length=2 * s, axis="x"
        )
    return dt.Shape.cylinder(0.8 * s, s), dt.Inertia.cylinder(1.0, radius=0.8 * s, length=s, axis="z")


def scene(seed: int) -> dt.Model:
    """Up to three groups of up to three bodies: free ones, pendulums on ground and chains, over a floor.

    Joints have friction and stops by chance. Nothing overlaps at the start.
    """
    rng = np.random.default_rng(seed)
    m = dt.Model(f"scene {seed}")
    m.ground.shapes.append(dt.Shape.plane())
    number = 0
    for group in range(rng.integers(1, 4)):  # along x
        parent, at = m.ground, np.array([0.7 * group, 0.0, rng.uniform(0.3, 0.7)])
        free = rng.random() < 0.6 or group == 0  # so that something can touch
        for k in range(rng.integers(1, 4)):
            s = SIZE * rng.uniform(0.4, 0.8)
            shape, inertia = _solid(str(rng.choice(SHAPES)), s)
            way = np.array([0.0, 0.0, 1.0]) if free else np.array([1.0, 0.0, 0.0])
            place = at + way * (2.2 * s if k else 1.1 * s if not free else 0.0)
            body = m.add_body(f"b{number}", inertia, position=place, shapes=[shape])
            name = f"j{number}"
            if k == 0 and free:
                v0 = [*rng.uniform(-0.5, 0.5, 3), *rng.uniform(-2, 2, 3)]
                m.add_joint(name, dt.Free(), m.ground, body, v0=v0)
            else:
                sort = int(rng.integers(0, 3))
                axis = rng.standard_normal(3)
                joint = dt.Spherical() if sort == 2 else dt.Revolute(axis if rng.random() < 0.5 else "y")
                limits = None if sort != 1 else (-rng.uniform(0.2, 1.0), rng.uniform(0.2, 1.0))
                given = {} if limits is None else {"limits": limits}
                m.add_joint(name, joint, parent, body, at=(at + place) / 2 if k else at, **given)
                if rng.random() < 0.5 and sort != 2:
                    m.add_force(f"rub {number}", dt.JointFriction(name, constant=rng.uniform(0.01, 0.2)))
            parent, at, number = body, place, number + 1
    law = dt.RigidContact(friction=float(rng.choice([0.0, 0.3, 0.8])), restitution=float(rng.choice([0.0, 0.5])))
    m.add_contact("touch", law, "all", "all")
    return m


@dataclass
class Outcome:
    """How engines and steps agree: agree, converge, steps agree (no event-driven answer), unclear, wrong, no answer."""

    sort: str
    coarse: float = np.nan
    fine: float = np.nan
    reason: str = ""


def _end(m: dt.Model, solver) -> tuple[np.ndarray | None, str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            r = dt.simulate(m, DURATION, solver=solver, outputs=0.02)
        except (ValueError, dt.ModelError) as error:
            return None, f"refused: {error}"
    if not r.ok:
        return None, r.reason
    return np.stack([r[f"{name}.position"] for name in m.bodies]), ""


NEAR = 0.02 * SIZE


def outcome(seed: int) -> Outcome:
    """The event-driven run against time stepping with 1, 0.25 and 0.0625 ms; where it has no answer, steps alone.

    Bodies that strike several others are sensitive to the order of impacts: 15 us decide where these do not agree.
    """
    m = scene(seed)
    exact, why = _end(m, dt.DOPRI5())
    runs = [_end(m, dt.Moreau(h)) for h in (1e-3, 2.5e-4, 6.25e-5)]
    if any(x is None for x, _ in runs):
        return Outcome("no answer", reason=next(reason for x, reason in runs if x is None))
    coarse, middle, fine = (x for x, _ in runs)
    if exact is None:
        apart, nearer = float(np.max(np.abs(coarse - fine))), float(np.max(np.abs(middle - fine)))
        sort = "steps agree" if nearer < NEAR or nearer < 0.6 * apart else "unclear"
        return Outcome(sort, apart, nearer, why)
    errors = [float(np.max(np.abs(x - exact))) for x in (coarse, middle, fine)]
    if errors[0] < NEAR:
        return Outcome("agree", errors[0], errors[2])
    if errors[2] < NEAR or errors[2] < 0.5 * errors[0]:
        return Outcome("converge", errors[0], errors[2])
    finest, why = _end(m, dt.Moreau(1.5e-5))
    if finest is None:
        return Outcome("no answer", errors[0], errors[2], why)
    last = float(np.max(np.abs(finest - exact)))
    if last < NEAR:
        return Outcome("converge", errors[0], last)
    settled = float(np.max(np.abs(finest - fine))) < 0.5 * last  # small steps agree with each other
    return Outcome("wrong" if settled else "unclear", errors[0], last)
