"""Time stepping: fast small bodies that meet off centre, several radii a step.

They overlap by little, and only for a part of a step, while the normal of their contact turns: an impact half a step
late has another direction. The references are the closed form of two smooth balls, and the event-driven engine.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import duoti as dt

STEP, MASS, GRAZING = 1e-3, 0.1, 0.95
THROWS = 60
KINDS = {
    "ball": lambda r: (dt.Shape.sphere(r), dt.Inertia.sphere(MASS, radius=r)),
    "box": lambda r: (dt.Shape.box((2 * r, 1.6 * r, 1.2 * r)), dt.Inertia.box(MASS, size=(2 * r, 1.6 * r, 1.2 * r))),
    "capsule": lambda r: (
        dt.Shape.capsule(0.6 * r, 1.2 * r),
        dt.Inertia.cylinder(MASS, radius=0.6 * r, length=1.2 * r, axis="z"),
    ),
    "cylinder": lambda r: (
        dt.Shape.cylinder(0.8 * r, 1.2 * r),
        dt.Inertia.cylinder(MASS, radius=0.8 * r, length=1.2 * r, axis="z"),
    ),
}


def throw(seed: int, kinds: tuple[str, str], friction: float | None = None) -> tuple[dt.Model, float]:
    """Two bodies of 5 to 30 mm that fly at each other, 0.5 to 4 mean radii in a step, and how long until they are past.

    The lines of their centres are up to 0.95 of the sum of their radii apart; what is not round turns with 50 rad/s.
    """
    rng = np.random.default_rng(seed)
    m = dt.Model("throw", gravity=(0, 0, 0))
    radii = rng.uniform(0.005, 0.03, 2)
    total = float(radii.sum())
    speed = float(rng.uniform(0.5, 4)) * total / 2 / STEP
    n = rng.standard_normal(3)
    n /= np.linalg.norm(n)
    e = np.cross(n, rng.standard_normal(3))
    e /= np.linalg.norm(e)
    aside, ahead, share = rng.uniform(0, GRAZING) * total, rng.uniform(3, 6) * total, rng.uniform(0, 1)
    for name, kind, r, side in zip("ab", kinds, radii, (-1, 1), strict=True):
        shape, inertia = KINDS[kind](float(r))
        turned = Rotation.random(random_state=int(rng.integers(1 << 30))).as_matrix() if kind != "ball" else np.eye(3)
        omega = 50 * rng.standard_normal(3) if kind != "ball" else np.zeros(3)
        place = side * (n * ahead + e * aside) / 2
        body = m.add_body(name, inertia, position=place, rotation=turned, shapes=[shape])
        v = -side * n * speed * (share if side == 1 else 1 - share)
        m.add_joint(f"free {name}", dt.Free(), m.ground, body, v0=[*v, *omega])
    mu, restitution = rng.choice([0.0, 0.3]), rng.choice([0.0, 0.5, 1.0])
    law = dt.RigidContact(friction=mu if friction is None else friction, restitution=restitution)
    m.add_contact("c", law, "a", "b")
    return m, 2 * ahead / speed


def ends(r: dt.Result) -> np.ndarray:
    return np.concatenate([r["a.velocity"][-1], r["b.velocity"][-1]])


def closed_form(m: dt.Model) -> np.ndarray:
    """Velocities after the impact of two smooth balls."""
    a, b = m.bodies["a"], m.bodies["b"]
    v_a, v_b = (np.array(m.joints[f"free {k}"].v0[:3], float) for k in "ab")
    d, u = np.array(b.position, float) - np.array(a.position, float), v_b - v_a
    total = sum(dict(body.shapes[0].dimensions)["radius"] for body in (a, b))
    along = d @ u / (u @ u)
    t = -along - np.sqrt(along**2 - (d @ d - total**2) / (u @ u))
    n = (d + t * u) / total
    jump = -(1 + m.contacts["c"].law.restitution) * (n @ u) / 2 * n  # of b: equal masses
    return np.concatenate([v_a - jump, v_b + jump])


@pytest.mark.sample(12)
@pytest.mark.parametrize("seed", range(THROWS))
def test_smooth_balls(seed):
    """Overlaps of a 150th of the thickness, 4 mean radii, are seen: the centres are that far on, and the normal turned.

    Slower than a twelfth of the thickness a step, impacts are up to half a step late: that is a third of the mean
    radius, or 0.17 of the distance of centres on the way of which the normal turns.
    """
    m, duration = throw(seed, ("ball", "ball"), friction=0.0)
    r = dt.simulate(m, duration, solver=dt.Moreau(STEP))
    wanted, before = closed_form(m), np.concatenate([m.joints[f"free {k}"].v0[:3] for k in "ab"])
    assert len(r.impacts) == 1
    assert np.linalg.norm(ends(r) - wanted) < 0.2 * np.linalg.norm(wanted - before)
    assert abs(r.energy.residual[-1]) < 1e-10 * r.energy.kinetic[0]  # round-off


# throws of 60 that are ok and wrong by more than a tenth of the change of velocity: they strike twice within a step, and
# the second impact comes late. Before fast pairs were cut at small overlaps: 23, 27, 28, 26 and 19 wrong, 9 missed
WRONG = {"ball ball": 2, "ball box": 4, "box box": 5, "capsule ball": 3, "cylinder box": 0}


@pytest.mark.campaign
@pytest.mark.filterwarnings("ignore::duoti.errors.SimulationWarning")  # runs that are not ok are counted
@pytest.mark.parametrize("kinds", WRONG)
def test_throws_against_the_event_driven_engine(kinds):
    missed, wrong = [], []
    for seed in range(THROWS):
        m, duration = throw(seed, tuple(kinds.split()))
        exact = dt.simulate(m, duration, solver=dt.DOPRI5())
        if not exact.ok:
            continue
        r = dt.simulate(m, duration, solver=dt.Moreau(STEP))
        change = np.linalg.norm(ends(exact) - np.concatenate([exact["a.velocity"][0], exact["b.velocity"][0]]))
        if exact.impacts and not r.impacts:
            missed.append(seed)
        if r.ok and np.linalg.norm(ends(r) - ends(exact)) > 0.1 * change + 1e-6:
            wrong.append(seed)
    assert not missed
    assert len(wrong) <= WRONG[kinds], wrong
