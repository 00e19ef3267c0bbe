"""Random models whose joints have limits, and how far a run takes joints beyond them."""

from __future__ import annotations

import numpy as np

import duoti as dt
from duoti.integrate import Solver

G = 9.81


def _limits(rng: np.random.Generator, q0: float, narrow: float = 0.15, wide: float = 1.0) -> list[tuple[float, float]]:
    return [(q0 - rng.uniform(narrow, wide), q0 + rng.uniform(narrow, wide))]


def chain(rng: np.random.Generator, links: int, restitution: bool = False, spatial: bool = False) -> dt.Model:
    """Rods hung on a wall, each on the last one: gravity, random rates, limits at every joint."""
    m = dt.Model("chain", gravity=(0, 0, -G))
    last, tip = m.ground, np.zeros(3)
    for k in range(links):
        length, mass = rng.uniform(0.3, 0.8), rng.uniform(0.5, 2.0)
        middle, end = tip - (0, 0, 0.5 * length), tip - (0, 0, length)
        inertia = dt.Inertia.cylinder(mass, radius=0.02, length=length) if spatial else dt.Inertia.rod(
            mass, length=length, axis="z")  # fmt: skip
        body = m.add_body(f"rod{k}", inertia, position=tuple(middle))
        axis = "xy"[int(rng.integers(2))] if spatial else "y"
        q0 = rng.uniform(-0.3, 0.3)
        m.add_joint(f"J{k}", dt.Revolute(axis), last, body, at=tuple(tip), q0=q0, v0=rng.uniform(-6.0, 6.0),
                    limits=_limits(rng, q0))  # fmt: skip
        if restitution and rng.random() < 0.5:
            m.add_force(f"buffer{k}", dt.JointStop(f"J{k}", restitution=rng.uniform(0.1, 0.8)))
        last, tip = body, end
    return m


def tree(rng: np.random.Generator, bodies: int) -> dt.Model:
    """Rods and sliders, each on a random one of those before it."""
    m = dt.Model("tree", gravity=(0, 0, -G))
    names: list[str] = []
    ends: list[np.ndarray] = []
    for k in range(bodies):
        on = int(rng.integers(-1, k)) if k else -1
        start = ends[on] if on >= 0 else np.array([rng.uniform(-1, 1), 0.0, 0.0])
        length = rng.uniform(0.3, 0.8)
        middle = start - (0, 0, 0.5 * length)
        m.add_body(f"body{k}", dt.Inertia.cylinder(rng.uniform(0.5, 2.0), radius=0.03, length=length),
                   position=tuple(middle))  # fmt: skip
        parent = names[on] if on >= 0 else m.ground
        slides = rng.random() < 0.3
        joint = dt.Prismatic("xz"[int(rng.integers(2))]) if slides else dt.Revolute("xy"[int(rng.integers(2))])
        size = 0.3 if slides else 1.0
        q0 = rng.uniform(-0.2, 0.2) * size
        limits = _limits(rng, q0, 0.1 * size, size)
        m.add_joint(f"J{k}", joint, parent, f"body{k}", at=tuple(start), q0=q0, v0=rng.uniform(-5.0, 5.0) * size,
                    limits=limits)  # fmt: skip
        if rng.random() < 0.4:
            m.add_force(f"buffer{k}", dt.JointStop(f"J{k}", restitution=rng.uniform(0.0, 0.7)))
        names.append(f"body{k}")
        ends.append(start - (0, 0, length))
    return m


def press(rng: np.random.Generator) -> dt.Model:
    """A crank drives a ram through a rod; the ram meets its stop."""
    crank, rod = rng.uniform(0.08, 0.12), rng.uniform(0.25, 0.4)
    angle = rng.uniform(0.2, 0.8)
    reach = crank * np.cos(angle) + np.sqrt(rod**2 - (crank * np.sin(angle)) ** 2)
    pin = np.array([crank * np.sin(angle), 0.0, crank * np.cos(angle)])
    ram = np.array([0.0, 0.0, reach])
    slope = np.arctan2(-pin[0], ram[2] - pin[2])
    m = dt.Model("press", gravity=(0, 0, -G))
    m.add_body("crank", dt.Inertia.rod(1.0, length=crank, axis="z"), position=tuple(0.5 * pin),
               rotation=dt.Rotation.about("y", angle))  # fmt: skip
    m.add_body("rod", dt.Inertia.rod(0.5, length=rod, axis="z"), position=tuple(0.5 * (pin + ram)),
               rotation=dt.Rotation.about("y", slope))  # fmt: skip
    m.add_body("ram", dt.Inertia.box(2.0, size=(0.1, 0.1, 0.1)), position=tuple(ram))
    m.add_joint("motor", dt.Revolute("y"), m.ground, "crank", at=(0, 0, 0), v0=rng.uniform(-20.0, 20.0))
    m.add_joint("pin", dt.Revolute("y"), "crank", "rod", at=tuple(pin))
    m.add_joint("eye", dt.Revolute("y"), "rod", "ram", at=tuple(ram))
    m.add_joint("slide", dt.Prismatic("z"), m.ground, "ram", limits=[(-rng.uniform(0.02, 0.08), 1.0)])
    m.add_force("drive", dt.JointTorque("motor", float(rng.uniform(-20.0, 20.0))))
    if rng.random() < 0.5:
        m.add_force("buffer", dt.JointStop("slide", restitution=rng.uniform(0.0, 0.6)))
    return m


def four_bar(rng: np.random.Generator) -> dt.Model:
    """A parallelogram with limits at one or two of its joints, and a pendulum with limits on its coupler."""
    m = dt.Model("four bar", gravity=(0, 0, -G))
    for name, x in (("left", 0.0), ("right", 1.0)):
        m.add_body(name, dt.Inertia.rod(1.0, length=0.5, axis="z"), position=(x, 0, 0.25))
    m.add_body("top", dt.Inertia.rod(2.0, length=1.0, axis="x"), position=(0.5, 0, 0.5))
    m.add_body("bob", dt.Inertia.rod(rng.uniform(0.3, 1.0), length=0.4, axis="z"), position=(0.5, 0, 0.3))
    which = rng.choice(["A", "B", "AB", "AD"])
    low, high = -rng.uniform(0.2, 1.0), rng.uniform(0.2, 1.0)
    give = {"A": [(low, high)], "D": [(low - 0.1, high - 0.05)], "B": [(-high, -low)]}
    limits = {name: {"limits": give[name]} for name in which}
    start = {"q0": 0.1 * rng.uniform(-1, 1), "v0": rng.uniform(-3.0, 3.0)}
    m.add_joint("A", dt.Revolute("y"), m.ground, "left", at=(0, 0, 0), **start, **limits.get("A", {}))
    m.add_joint("B", dt.Revolute("y"), "left", "top", at=(0, 0, 0.5), **limits.get("B", {}))
    m.add_joint("C", dt.Revolute("y"), "top", "right", at=(1, 0, 0.5))
    m.add_joint("D", dt.Revolute("y"), m.ground, "right", at=(1, 0, 0), **limits.get("D", {}))
    m.add_joint("E", dt.Revolute("y"), "top", "bob", at=(0.5, 0, 0.5), v0=rng.uniform(-4.0, 4.0),
                limits=_limits(rng, 0.0))  # fmt: skip
    return m


def train(rng: np.random.Generator, cars: int) -> dt.Model:
    """Sliders, coupled with play by the limits of their joints, that run into a wall."""
    m = dt.Model("train", gravity=(0, 0, -G))
    last, x = m.ground, 0.0
    for k in range(cars):
        m.add_body(f"car{k}", dt.Inertia.box(rng.uniform(0.5, 3.0), size=(0.2, 0.2, 0.2)), position=(x, 0, 0.1))
        limits = {} if k == 0 else {"limits": [(-rng.uniform(0.01, 0.2), rng.uniform(0.01, 0.2))]}
        speed = rng.uniform(1.0, 4.0) if k == 0 else rng.uniform(-1.0, 1.0)
        m.add_joint(f"J{k}", dt.Prismatic("x"), last, f"car{k}", at=(x, 0, 0.1), v0=speed, **limits)
        if k and rng.random() < 0.3:
            m.add_force(f"buffer{k}", dt.JointStop(f"J{k}", restitution=rng.uniform(0.1, 0.8)))
        last, x = f"car{k}", x - 0.3
    wall = m.add_marker("wall", m.ground, (rng.uniform(0.2, 0.6), 0, 0.1), dt.Rotation.about("y", -np.pi / 2))
    law = dt.RigidContact(friction=0.0, restitution=float(rng.choice([0.0, 0.4])))
    m.add_contact("buffer stop", law, wall, "car0", shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
    return m


def chain_at_wall(rng: np.random.Generator, links: int) -> dt.Model:
    """A chain with a ball at the middle of its last rod, which swings against a wall beside it."""
    m = chain(rng, links, restitution=True)
    m.name = "chain at wall"
    x, angle = 0.0, 0.0
    for k in range(links):
        angle += float(np.ravel(m.joints[f"J{k}"].q0)[0])
        length = 2.0 * abs(float(m.bodies[f"rod{k}"].position[2]) + sum(_lengths(m, k)))
        x -= (0.5 if k == links - 1 else 1.0) * length * np.sin(angle)
    law = dt.RigidContact(friction=float(rng.choice([0.0, 0.3])), restitution=float(rng.choice([0.0, 0.3])))
    wall = m.add_marker("wall", m.ground, (x + 0.05 + rng.uniform(0.01, 0.3), 0, 0), dt.Rotation.about("y", -np.pi / 2))
    m.add_contact("touch", law, wall, f"rod{links - 1}", shapes=(dt.Shape.plane(), dt.Shape.sphere(0.05)))
    return m


def _lengths(m: dt.Model, count: int) -> list[float]:
    """Of the first rods of a chain, from where their middles are."""
    found: list[float] = []
    for k in range(count):
        found.append(2.0 * (-float(m.bodies[f"rod{k}"].position[2]) - sum(found)))
    return found


def beyond(r: dt.Result) -> float:
    """How far joints are beyond their limits among the outputs of a run, at most: where they started is allowed."""
    worst = 0.0
    for name, joint in r.system.model.joints.items():
        layout = r.system.joints[name]
        if joint.limits is None or layout.closure >= 0:
            continue
        for column, (low, high) in zip(layout.q, np.reshape(np.asarray(joint.limits, float), (-1, 2)), strict=True):
            q = r.q[:, column]
            above = q - np.maximum(high, np.minimum.accumulate(q))
            below = np.minimum(low, np.maximum.accumulate(q)) - q
            worst = max(worst, float(above.max()), float(below.max()))
    return worst


def started_outside(rng: np.random.Generator, links: int) -> dt.Model:
    """A chain of which some joints start beyond a limit."""
    m = chain(rng, links, restitution=True)
    m.name = "chain outside"
    for k in range(links):
        joint, q0 = m.joints[f"J{k}"], float(np.ravel(m.joints[f"J{k}"].q0)[0])
        if k == 0 or rng.random() < 0.4:
            away, width = rng.uniform(0.05, 0.5), rng.uniform(0.3, 1.0)
            joint.limits = [(q0 + away, q0 + away + width)] if rng.random() < 0.5 else [(q0 - away - width, q0 - away)]
    return m


EVERY_SOLVER = (
    None, dt.DOPRI5(), dt.DOP853(), dt.RKF45(), dt.RK4(step=1e-3), dt.RK4(step=5e-3), dt.Rodas(),
    dt.Rodas(rtol=1e-4, atol=1e-6), dt.Radau(), dt.GeneralisedAlpha(step=1e-3), dt.HHT(step=1e-3), dt.Verlet(step=1e-3),
    dt.SemiImplicitEuler(step=5e-4), dt.Moreau(step=1e-3), dt.Moreau(step=5e-4), dt.Auto(),
)  # fmt: skip
IN_LOOPS = tuple(s for s in EVERY_SOLVER if s is None or s.holds_joints_in_loops)
WITH_CONTACTS = (None, dt.DOPRI5(), dt.Rodas(), dt.Moreau(step=1e-3), dt.Moreau(step=5e-4))


def _one_of(rng: np.random.Generator, solvers: tuple[Solver | None, ...]) -> Solver | None:
    return solvers[int(rng.integers(len(solvers)))]


def random_case(seed: int) -> tuple[dt.Model, Solver | None]:
    """A random model with joint stops, and a solver for it."""
    rng = np.random.default_rng(seed)
    kind = seed % 10
    if kind < 2:
        return chain(rng, int(rng.integers(2, 7))), _one_of(rng, EVERY_SOLVER)
    if kind == 2:
        return chain(rng, int(rng.integers(2, 6)), restitution=True), _one_of(rng, EVERY_SOLVER)
    if kind == 3:
        return chain(rng, int(rng.integers(2, 6)), restitution=True, spatial=True), _one_of(rng, EVERY_SOLVER)
    if kind == 4:
        return tree(rng, int(rng.integers(2, 8))), _one_of(rng, EVERY_SOLVER)
    if kind == 5:
        return started_outside(rng, int(rng.integers(1, 5))), _one_of(rng, EVERY_SOLVER)
    if kind == 6:
        return press(rng), _one_of(rng, IN_LOOPS)
    if kind == 7:
        return four_bar(rng), _one_of(rng, IN_LOOPS)
    if kind == 8:
        return train(rng, int(rng.integers(2, 6))), _one_of(rng, WITH_CONTACTS)
    return chain_at_wall(rng, int(rng.integers(1, 5))), _one_of(rng, WITH_CONTACTS)
