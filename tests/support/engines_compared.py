"""Random scenes with rigid contacts, by both engines: event-driven impacts, and Moreau's stepping with shrinking steps.

    PYTHONPATH=src:tests python tests/support/engines_compared.py 0 100            # scenes 0 to 99: prints what differs
    PYTHONPATH=src:tests python tests/support/engines_compared.py 100000 100100   # bodies on tables and their edges
    PYTHONPATH=src:tests python tests/support/engines_compared.py 200000 200100   # two bodies
    PYTHONPATH=src:tests python tests/support/engines_compared.py 300000 300100   # capsules and rods on posts
    PYTHONPATH=src:tests python tests/support/engines_compared.py 400000 400100   # cylinders and discs on posts

A scene is followed until neighbours part: a second event-driven run begins with slightly other rates, and the
comparison ends when the distance between the two has grown more than `GROWTH` times. Until there the time stepping must
come closer to the event-driven motion with its step.
"""

from __future__ import annotations

import sys
import warnings
from dataclasses import dataclass

import numpy as np

import duoti as dt

STEPS = (4e-4, 1e-4, 2.5e-5)  # s
NUDGE = 1e-7  # of rates
GROWTH = 300.0
END = 0.6  # s
CLOSE = 2e-4  # m, at the shortest step, times the growth that is left


@dataclass(frozen=True)
class Compared:
    """What became of a scene."""

    seed: int
    what: str
    until: float
    """Time up to which it was compared."""
    differences: tuple[float, ...]
    """Largest distance of a body's origin from where it is in the event-driven run, for each step [m]."""
    trouble: str = ""

    @property
    def ok(self) -> bool:
        """Whether the time stepping comes to the event-driven motion."""
        return not self.trouble and (self.differences[-1] <= CLOSE or self.differences[-1] <= 0.3 * self.differences[0])


def _shape(rng: np.random.Generator) -> tuple[str, dt.Shape, dt.Inertia]:
    a, b, c = rng.uniform(0.05, 0.15, size=3)
    kind = rng.choice(["sphere", "box", "ellipsoid", "disc", "capsule", "cylinder"])
    mass = rng.uniform(0.3, 2.0)
    box = dt.Inertia.box(mass, size=(2 * a, 2 * b, 2 * c))
    shapes = {
        "sphere": (dt.Shape.sphere(a), dt.Inertia.sphere(mass, radius=a)),
        "box": (dt.Shape.box((2 * a, 2 * b, 2 * c)), box),
        "ellipsoid": (dt.Shape.ellipsoid((a, b, c)), box),
        "disc": (dt.Shape.disc(a), box),
        "capsule": (dt.Shape.capsule(b / 2, 2 * a), box),
        "cylinder": (dt.Shape.cylinder(a, 2 * b), box),
    }
    return (str(kind), *shapes[str(kind)])


def _contact(rng: np.random.Generator) -> dt.RigidContact:
    restitution = float(rng.choice([0.0, rng.uniform(0.1, 0.8)]))
    friction = float(rng.choice([0.0, rng.uniform(0.1, 0.7), rng.uniform(0.1, 0.7)]))
    return dt.RigidContact(friction=friction, restitution=restitution)


def _single(rng: np.random.Generator, m: dt.Model) -> str:
    name, shape, inertia = _shape(rng)
    rotation = rng.normal(size=4)
    at = dt.spatial.Pose(dt.Rotation(rotation / np.linalg.norm(rotation)), (0, 0, rng.uniform(0.25, 0.4)))
    body = m.add_body("b", inertia, position=at.position, rotation=at.rotation)
    v = [*rng.uniform(-1, 1, size=3), *rng.uniform(-4, 4, size=3)]
    m.add_joint("free", dt.Free(), m.ground, body, v0=v)
    m.add_contact("floor", _contact(rng), m.ground, body, shapes=(dt.Shape.plane(), shape))
    return name


def _friction(rng: np.random.Generator, kind: str, loads: bool) -> dict[str, float]:
    if not loads or rng.random() < 0.5:
        constant = float(rng.uniform(0.02, 0.5) * (4.0 if kind == "prismatic" else 1.0))
        return {"constant": constant, "static_constant": constant * float(rng.choice([1.0, 1.3]))}
    friction = float(rng.uniform(0.1, 0.4))
    found = {"friction": friction, "static_friction": friction * float(rng.choice([1.0, 1.3]))}
    if kind != "prismatic":
        found["radius"] = float(rng.uniform(0.005, 0.03))
    return found


def _add_joint_friction(rng: np.random.Generator, m: dt.Model, joint: str, kind: str, loads: bool) -> str:
    if rng.random() < 0.6:
        m.add_force(f"rub_{joint}", dt.JointFriction(joint, **_friction(rng, kind, loads)))
        return "+friction"
    return ""


def _limits(rng: np.random.Generator, kind: str) -> dict[str, list[tuple[float, float]]]:
    if kind not in ("revolute", "prismatic") or rng.random() < 0.5:
        return {}
    wide = 0.1 if kind == "prismatic" else 0.6
    return {"limits": [(-wide * rng.uniform(0.3, 1), wide * rng.uniform(0.3, 1))]}


def _chain(rng: np.random.Generator, m: dt.Model) -> str:
    """An arm of one to three links over the floor, with a shape at its end."""
    parts: list[str] = []
    inboard, height = m.ground, rng.uniform(0.15, 0.5)
    links = int(rng.integers(1, 4))
    last = m.ground
    for i in range(links):
        kind = str(rng.choice(["revolute", "revolute", "universal", "spherical", "prismatic"]))
        joint = {"revolute": dt.Revolute("y"), "universal": dt.Universal("y", "z"), "spherical": dt.Spherical(),
                 "prismatic": dt.Prismatic("z")}[kind]  # fmt: skip
        length = rng.uniform(0.2, 0.4)
        start = np.array([0.4 * i, 0.0, height])
        body = m.add_body(f"l{i}", dt.Inertia.box(rng.uniform(0.3, 1.0), size=(length, 0.05, 0.04)),
                          position=start + np.array([length / 2, 0, 0]))  # fmt: skip
        limits = _limits(rng, kind)
        v0 = rng.uniform(-1, 1, size=joint.nv) if rng.random() < 0.5 else np.zeros(joint.nv)
        m.add_joint(f"j{i}", joint, inboard, body, at=start, v0=v0, **limits)
        if limits and rng.random() < 0.5:
            m.add_force(f"stop{i}", dt.JointStop(f"j{i}", restitution=float(rng.uniform(0.1, 0.7))))
        parts.append(kind + ("+limits" if limits else "") + _add_joint_friction(rng, m, f"j{i}", kind, True))
        inboard = last = body
    tip = m.add_marker("tip", last, (0.15, 0, 0))
    m.add_contact("floor", _contact(rng), m.ground, tip, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.03)))
    return ", ".join(parts)


def _loop(rng: np.random.Generator, m: dt.Model) -> str:
    """A four-bar whose coupler touches the floor."""
    height = rng.uniform(0.25, 0.45)
    points = np.array([[0, 0, height], [0.15, 0, height + 0.15], [0.55, 0, height + 0.2], [0.6, 0, height]])
    names = ["crank", "coupler", "rocker"]
    for i, name in enumerate(names):
        length = float(np.linalg.norm(points[i + 1] - points[i]))
        m.add_body(name, dt.Inertia.box(rng.uniform(0.3, 1.0), size=(length, 0.05, 0.05)),
                   position=(points[i] + points[i + 1]) / 2)  # fmt: skip
    sides = ["ground", *names, "ground"]
    parts: list[str] = []
    for i in range(4):
        joint = dt.Revolute("y") if i < 2 else dt.Spherical() if i == 2 else dt.Revolute("y")
        m.add_joint(f"j{i}", joint, sides[i], sides[i + 1], at=points[i])
        if i < 2:
            parts.append(joint.kind + _add_joint_friction(rng, m, f"j{i}", "revolute", False))
    foot = m.add_marker("foot", "coupler", (rng.uniform(-0.1, 0.1), 0, -rng.uniform(0.2, 0.4)))
    m.add_contact("floor", _contact(rng), m.ground, foot, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.03)))
    return "four-bar " + ", ".join(parts)


def _pair(rng: np.random.Generator, m: dt.Model) -> str:
    """A ball that falls on a slide with friction."""
    slide = m.add_body("slide", dt.Inertia.box(rng.uniform(0.5, 2), size=(1, 0.5, 0.1)))
    m.add_joint("rail", dt.Prismatic("x"), m.ground, slide, v0=[rng.uniform(-1.5, 1.5)], **_limits(rng, "prismatic"))
    part = _add_joint_friction(rng, m, "rail", "prismatic", True)
    inertia = dt.Inertia.sphere(rng.uniform(0.2, 1), radius=0.08)
    ball = m.add_body("ball", inertia, position=(0, 0, rng.uniform(0.13, 0.3)))
    v = [*rng.uniform(-0.5, 0.5, size=3), *rng.uniform(-4, 4, size=3)]
    m.add_joint("free", dt.Free(), m.ground, ball, v0=v)
    shapes = (dt.Shape.box((1, 0.5, 0.1)), dt.Shape.sphere(0.08))
    m.add_contact("top", _contact(rng), slide, ball, shapes=shapes)
    return "ball on a slide" + part


def _with_edges(rng: np.random.Generator) -> tuple[str, dt.Shape, np.ndarray]:
    a, b, c = half = rng.uniform(0.04, 0.15, size=3)
    kind = str(rng.choice(["box", "cylinder", "capsule", "disc"]))
    shape = {"box": dt.Shape.box((2 * a, 2 * b, 2 * c)), "cylinder": dt.Shape.cylinder(a, 2 * b),
             "capsule": dt.Shape.capsule(b / 2, 2 * a), "disc": dt.Shape.disc(a)}[kind]  # fmt: skip
    return kind, shape, half


def _edge(rng: np.random.Generator, m: dt.Model) -> str:
    """A box, cylinder, capsule or disc that falls on a table, or a block, near its edges; flat, or turned anyhow."""
    kind, shape, (a, b, c) = _with_edges(rng)
    size = (1.0, 1.0, 0.4) if rng.random() < 0.6 else (0.3, 0.4, 0.2)
    flat, turn = rng.random() < 0.4, rng.normal(size=4)
    turned = dt.Rotation(turn / np.linalg.norm(turn)) if not flat else dt.Rotation.from_vector((0, 0, turn[0]))
    at = (size[0] / 2 * rng.uniform(0.2, 1.1), size[1] / 2 * rng.uniform(-1.1, 1.1), rng.uniform(0.22, 0.35))
    inertia = dt.Inertia.box(rng.uniform(0.3, 2.0), size=(2 * a, 2 * b, 2 * c))
    body = m.add_body("b", inertia, position=at, rotation=turned, shapes=[shape])
    v = [*rng.uniform(-1, 1, size=3), *(rng.uniform(-4, 4, size=3) * (not flat))]
    m.add_joint("free", dt.Free(), m.ground, body, v0=v)
    m.ground.shapes.append(dt.Shape.box(size, position=(0, 0, -size[2] / 2)))
    m.add_contact("table", _contact(rng), m.ground, body)
    return f"{kind}{' flat' if flat else ''}"


def _two(rng: np.random.Generator, m: dt.Model) -> str:
    """A block on the floor, free to move, on which a second body falls."""
    m.ground.shapes.append(dt.Shape.plane())
    law, size = _contact(rng), rng.uniform(0.15, 0.4, size=3)
    block = m.add_body(
        "block", dt.Inertia.box(1.0, size=size), position=(0, 0, size[2] / 2), shapes=[dt.Shape.box(size)]
    )
    m.add_joint("block free", dt.Free(), m.ground, block)
    kind, shape, half = _with_edges(rng)
    flat, turn = rng.random() < 0.4, rng.normal(size=4)
    turned = dt.Rotation(turn / np.linalg.norm(turn)) if not flat else dt.Rotation.from_vector((0, 0, turn[0]))
    at = (*(size[:2] / 2 * rng.uniform(-1, 1, size=2)), size[2] + rng.uniform(0.2, 0.3))
    inertia = dt.Inertia.box(rng.uniform(0.3, 2.0), size=2 * half)
    body = m.add_body("b", inertia, position=at, rotation=turned, shapes=[shape])
    v = [*rng.uniform(-0.5, 0.5, size=3), *(rng.uniform(-3, 3, size=3) * (not flat))]
    m.add_joint("free", dt.Free(), m.ground, body, v0=v)
    m.add_contact("touch", law, "all", "all")
    return f"{kind}{' flat' if flat else ''} on a block"


def _standing(rng: np.random.Generator, m: dt.Model, plates: bool) -> tuple[str, tuple[float, float], float]:
    """A cylinder that stands, lies or leans, or a disc; what it is, half its sizes along x and y, height of its top."""
    radius, height = rng.uniform(0.1, 0.3), rng.uniform(0.1, 0.4)
    kind = str(rng.choice(["standing", "lying", "leaning", "disc"] if plates else ["standing", "lying", "leaning"]))
    axis = {"standing": "z", "lying": "x", "disc": "z", "leaning": (0.3, 0.0, 1.0)}[kind]
    m.ground.shapes.append(dt.Shape.disc(radius) if kind == "disc" else dt.Shape.cylinder(radius, height, axis=axis))
    top = {"standing": height / 2, "lying": radius, "disc": 0.0, "leaning": 0.5 * height + 0.3 * radius}[kind]
    return kind, (height / 2 if kind == "lying" else radius, radius), top


def _fall_on(rng: np.random.Generator, m: dt.Model, shape: dt.Shape, at: tuple[float, ...], flat: dt.Rotation | None,
             length: float) -> None:  # fmt: skip
    """The shape falls on ground: flat, or turned anyhow."""
    turn = rng.normal(size=4)
    turned = dt.Rotation(turn / np.linalg.norm(turn))
    if flat is not None:
        turned = dt.Rotation.from_vector((0, 0, turn[0])) @ flat
    inertia = dt.Inertia.box(rng.uniform(0.3, 2.0), size=(0.1, 0.1, length))
    body = m.add_body("b", inertia, position=at, rotation=turned, shapes=[shape])
    v = [*rng.uniform(-1, 1, size=3), *(rng.uniform(-4, 4, size=3) * (flat is None))]
    m.add_joint("free", dt.Free(), m.ground, body, v0=v)
    m.add_contact("post", _contact(rng), m.ground, body)


def _post(rng: np.random.Generator, m: dt.Model) -> str:
    """A capsule or a rod that falls on a cylinder or a disc."""
    kind, (x, y), top = _standing(rng, m, True)
    length = rng.uniform(0.1, 0.4)
    thin = float(rng.choice([0.0, rng.uniform(0.02, 0.08), rng.uniform(0.02, 0.08)])) if kind != "disc" else 0.05
    flat = dt.Rotation.from_vector((0, np.pi / 2, 0)) if rng.random() < 0.5 else None
    above = top + thin + rng.uniform(0.05, 0.1) + (length / 2 if flat is None else 0.0)
    at = (x * rng.uniform(-1.1, 1.1), y * rng.uniform(-1.0, 1.0), above)
    _fall_on(rng, m, dt.Shape.capsule(thin, length), at, flat, length)
    return f"{'rod' if thin == 0.0 else 'capsule'}{' flat' if flat else ''}, {kind}"


def _can(rng: np.random.Generator, m: dt.Model) -> str:
    """A cylinder or a disc that falls on a cylinder."""
    plate = rng.random() < 0.3
    kind, (x, y), top = _standing(rng, m, not plate)
    radius, length = rng.uniform(0.05, 0.2), rng.uniform(0.05, 0.3)
    flat = dt.Rotation.from_vector((0, 0, 0)) if rng.random() < 0.3 else None
    half = (0.0 if plate else length / 2) if flat else float(np.hypot(radius, length / 2))
    at = (x * rng.uniform(-1.1, 1.1), y * rng.uniform(-1.0, 1.0), top + half + rng.uniform(0.05, 0.1))
    _fall_on(rng, m, dt.Shape.disc(radius) if plate else dt.Shape.cylinder(radius, length), at, flat, length)
    return f"{'disc' if plate else 'cylinder'}{' flat' if flat else ''}, {kind}"


FIRST = {"edge": 100_000, "two": 200_000, "post": 300_000, "can": 400_000}
"""Scenes from here on are those of this kind."""

KINDS = {"single": _single, "chain": _chain, "loop": _loop, "pair": _pair, "edge": _edge, "two": _two, "post": _post,
         "can": _can}  # fmt: skip


def scene(seed: int) -> tuple[dt.Model, str]:
    """A model and what it is."""
    rng = np.random.default_rng(seed)
    kind = ("single", "chain", "chain", "pair", "chain", "loop")[seed % 6]
    kind = next((each for each in reversed(FIRST) if seed >= FIRST[each]), kind)
    m = dt.Model(f"{kind} {seed}")
    return m, f"{kind}: {KINDS[kind](rng, m)}"


def positions(r: dt.Result) -> np.ndarray:
    """[times, bodies, 3]"""
    return np.stack([np.asarray(r[f"{name}.position"]) for name in r.model.bodies], axis=1)


def compare(seed: int, steps: tuple[float, ...] = STEPS) -> Compared:
    """A scene by both engines."""
    model, what = scene(seed)
    system = dt.compile(model)
    q, v = system.state()
    event_driven = dt.DOPRI5(rtol=1e-9, atol=1e-10)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        r = dt.simulate(system, END, outputs=0.005, solver=event_driven)
        if not r.ok:
            return Compared(seed, what, float(r.t[-1]), (), f"located: {r.reason}")
        near = dt.simulate(system, END, outputs=0.005, solver=event_driven, at=(q, v * (1.0 + NUDGE)))
        if not near.ok:
            return Compared(seed, what, float(near.t[-1]), (), f"located, nudged: {near.reason}")
        apart = np.max(np.abs(positions(r) - positions(near)), axis=(1, 2))
        parted = np.flatnonzero(apart > GROWTH * NUDGE)
        last = int(parted[0]) - 1 if len(parted) else len(r.t) - 1
        lawless = r.contact_run.engine.without_newton  # where Newton's law, the only one of Moreau, has no solution
        last = min([last, *(int(np.searchsorted(r.t, t)) - 1 for t in lawless)])
        differences: list[float] = []
        for h in steps:
            s = dt.simulate(system, float(r.t[last]), outputs=r.t[: last + 1], solver=dt.Moreau(h))
            if not s.ok:
                return Compared(seed, what, float(r.t[last]), tuple(differences), f"Moreau({h}): {s.reason}")
            differences.append(float(np.max(np.abs(positions(r)[: last + 1] - positions(s)))))
    return Compared(seed, what, float(r.t[last]), tuple(differences))


def main(first: int, last: int) -> None:
    """Compare scenes and tell about those that differ."""
    for seed in range(first, last):
        try:
            found = compare(seed)
        except Exception as error:  # every failure is of interest
            print(f"{seed} {scene(seed)[1]}: {type(error).__name__}: {str(error)[:200]}", flush=True)
            continue
        if not found.ok:
            listed = " ".join(f"{d:.1e}" for d in found.differences)
            print(f"{seed} {found.what}: until {found.until:.3f} s: {listed} {found.trouble[:200]}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
