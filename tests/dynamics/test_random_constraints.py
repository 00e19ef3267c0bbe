"""Random bodies under random constraints: every constraint method gives the motion of the default, or is not `ok`."""

import warnings

import numpy as np
import pytest

import duoti as dt

METHODS = [
    dt.Projection(), dt.Baumgarte(), dt.Penalty(), dt.AugmentedLagrangian(), dt.NullSpace(),
    dt.CoordinatePartitioning(),
]  # fmt: skip
DURATION = 2.0
SIZE = 0.01  # m, rad: a motion that differs by this much from that of bodies of 1 m is another one


def constrained(seed: int) -> dt.Model:
    """One to three bodies, free or hinged to each other, with one to three constraints to ground or to each other."""
    rng = np.random.default_rng(seed)
    m = dt.Model(f"random {seed}")
    n, places = int(rng.integers(1, 4)), dict[str, np.ndarray]()
    for i in range(n):
        position = np.array([1.2 * i + 0.7, *rng.uniform(-0.3, 0.3, 2)])
        size = tuple(rng.uniform(0.1, 0.8, 3))
        m.add_body(f"b{i}", dt.Inertia.box(rng.uniform(0.3, 3.0), size=size), position=position)
        if i and rng.random() < 0.5:
            m.add_joint(f"j{i}", dt.Revolute(str(rng.choice(["x", "y", "z"]))), f"b{i - 1}", f"b{i}", at=position)
        else:
            m.add_joint(f"j{i}", dt.Free(), m.ground, f"b{i}")
        offset = rng.uniform(-0.3, 0.3, 3)
        m.add_marker(f"m{i}", f"b{i}", offset)
        places[f"m{i}"] = position + offset
    places["origin"] = rng.uniform(-0.2, 0.2, 3)
    m.add_marker("origin", m.ground, places["origin"])
    names, used = list(places), set[tuple[str, str]]()
    for k in range(int(rng.integers(1, 4))):
        a, b = (str(each) for each in rng.choice(names, 2, replace=False))
        if (a, b) in used or (b, a) in used:
            continue
        used.add((a, b))
        apart = places[a] - places[b]
        gap, across = float(np.linalg.norm(apart)), np.cross(apart, rng.normal(size=3))
        kinds = [  # all axes are those of the world at the start
            dt.Distance(a, b, length=gap), dt.PointOnPlane(a, b, normal=across), dt.PointOnLine(a, b, axis=apart),
            dt.Perpendicular(a, b, axis_a=apart, axis_b=across),
        ]  # fmt: skip
        m.add_constraint(f"c{k}", kinds[rng.choice(4, p=(0.4, 0.2, 0.2, 0.2))])
    if rng.random() < 0.3:
        m.add_force("push", dt.AppliedForce("m0", (1.0, "cos(3*t)", 0.0)))
    return m


def state(system: dt.System, seed: int):
    """Rates from a projection of random ones."""
    rng = np.random.default_rng(seed + 10_000)
    q, _ = system.initial_state()
    G = dt.analyses.constraint_jacobian(system, q).matrix
    v = rng.uniform(-1.5, 1.5, system.nv)
    return q, v - np.linalg.pinv(G) @ (G @ v)


def positions(r: dt.Result) -> np.ndarray:
    return np.hstack([r[f"{name}.position"] for name in r.system.model.bodies])


def wrong_with_ok(seed: int) -> tuple[list[str], int, int]:
    """Methods that were ok but wrong; runs that were compared, and of those the ones that were not ok."""
    system = dt.compile(constrained(seed))
    at, times = state(system, seed), np.linspace(0.0, DURATION, 41)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exact = dt.simulate(system, DURATION, outputs=times, at=at, solver=dt.DOP853(rtol=1e-12, atol=1e-12))
        usual = dt.simulate(system, DURATION, outputs=times, at=at)
        if not (exact.ok and usual.ok) or np.max(np.abs(positions(exact) - positions(usual))) > 0.01 * SIZE:
            return [], 0, 0  # chaotic, or singular: what is right cannot be told
        bad, compared, refused = list[str](), 0, 0
        for method in METHODS:
            r = dt.simulate(system, DURATION, outputs=times, at=at, constraints=method)
            compared += 1
            refused += not r.ok
            if r.ok and np.max(np.abs(positions(r) - positions(exact))) > SIZE:
                off = np.max(np.abs(positions(r) - positions(exact)))
                bad.append(f"{seed}: {method} off by {off:.2g} m, residual {np.abs(r.energy.residual).max():.2g} J")
    return bad, compared, refused


def test_a_bar_on_a_rod():
    """One equation: the choice of the dependent coordinate has to follow the rod's direction."""
    m = dt.Model("bar")
    m.add_body("bar", dt.Inertia.box(1.0, size=(1.0, 0.1, 0.05)), position=(1.0, 0, 0))
    m.add_joint("free", dt.Free(), m.ground, "bar", v0=(0.0, 0.2, -0.5, 1.0, 0.5, 0.7))
    m.add_marker("a", m.ground)
    m.add_marker("b", "bar", (-0.5, 0, 0))
    m.add_constraint("rod", dt.Distance("a", "b", length=0.5))
    exact = dt.simulate(m, 5.0, rtol=1e-12, atol=1e-12)
    r = dt.simulate(m, 5.0, constraints=dt.CoordinatePartitioning())
    assert r.ok
    assert r.stats.repartitions > 3
    # the default is off by 7e-7 m at these tolerances; dependent velocities change up to three times as much
    assert np.max(np.abs(r["bar.position"] - exact["bar.position"])) < 3 * 7e-7
    assert np.max(np.abs(r.energy.residual)) < 3 * 4e-7


@pytest.mark.parametrize("seed", range(6))
def test_some_random_constraints(seed):
    bad, _, _ = wrong_with_ok(seed)
    assert not bad


@pytest.mark.campaign
def test_many_random_constraints(capsys):
    found = [wrong_with_ok(seed) for seed in range(300)]
    bad = [text for texts, _, _ in found for text in texts]
    compared, refused = (sum(each[i] for each in found) for i in (1, 2))
    with capsys.disabled():
        print(f"\n{compared} runs compared, {refused} of them not ok, {len(bad)} wrong")
    assert not bad
