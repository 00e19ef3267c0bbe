"""Cables against closed forms: the elastic catenary, a chain released at one end, a towed cable."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import fsolve

import duoti as dt

G = 9.81
EA, WEIGHT, LENGTH, SPAN, RISE = 2e4, 1.5 * G, 12.0, 10.0, 2.0


def elastic_catenary(s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Positions (x, z) and tensions at the unstretched lengths s (Irvine 1981, Cable Structures, section 1.2)."""

    def place(H: float, V: float, s: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """H: horizontal force; V: vertical force of the support at s = 0."""
        x = H * s / EA + H / WEIGHT * (np.arcsinh(V / H) - np.arcsinh((V - WEIGHT * s) / H))
        z = -s * (V - 0.5 * WEIGHT * s) / EA - (np.hypot(H, V) - np.hypot(H, V - WEIGHT * s)) / WEIGHT
        return x, z

    end = np.array(LENGTH)
    H, V = fsolve(lambda u: np.array(place(*u, end)) - (SPAN, RISE), (40.0, 60.0), xtol=1e-12)
    return np.column_stack(place(H, V, s)), np.hypot(H, V - WEIGHT * s)


def hanging(n: int, **more: float) -> dt.Model:
    m = dt.Model("hanging", gravity=(0, 0, -G))
    m.add_marker("post", m.ground, position=(SPAN, 0, RISE))
    m.add_cable("line", m.ground, "post", EA, WEIGHT / G, length=LENGTH, elements=n, **more)
    return m


def test_elastic_catenary() -> None:
    """Straight pieces with their mass at the nodes: errors fall with the square of their number."""
    errors = []
    for n in (20, 40):
        e = dt.equilibrium(hanging(n))
        assert e.ok, e.reason
        assert e.stable
        exact, tension = elastic_catenary(np.linspace(0.0, LENGTH, n + 1))
        found = np.array([e[f"line.node{k}.position"] for k in range(1, n)])
        errors.append(np.abs(found[:, [0, 2]] - exact[1:-1]).max())
        middle = [e[f"line.element{k + 1}.tension"] for k in range(n)]
        assert np.abs(middle - 0.5 * (tension[1:] + tension[:-1])).max() < 0.02 * tension.max()
    assert errors[1] < 3e-3
    assert 3.8 < errors[0] / errors[1] < 4.2


def test_bending_stiffness_matters_near_the_ends() -> None:
    """The clamped ends stand off the catenary by a length in proportion to sqrt(E I / H) (Irvine 1981, section 1.5)."""
    n = 90
    exact, _ = elastic_catenary(np.linspace(0.0, LENGTH, n + 1))
    off = []
    for bending in (0.5, 2.0):
        e = dt.equilibrium(hanging(n, bending_stiffness=bending))
        assert e.ok, e.reason
        assert e.stable
        found = np.array([e[f"line.node{k}.position"] for k in range(1, n)])
        off.append(np.abs(found[:, [0, 2]] - exact[1:-1]).max())
    assert off[1] < 0.2
    assert 1.6 < off[1] / off[0] < 2.4


def test_too_few_elements_for_a_soft_cable_are_refused() -> None:
    with pytest.raises(ValueError, match="elements are needed"):
        hanging(20, bending_stiffness=1e-3)


def test_a_chain_released_at_one_end_falls_faster_than_freely() -> None:
    """Tip of a folded chain: energy conservation of the falling part (Calkin & March 1989) makes it faster than g.

    For an ideal chain with close ends, the tip is at the depth x at the speed v² = g (2 L x - x²) / (L - x), and has
    fallen by the length L after 0.847 of the time of free fall over L; here the ends are 4 % of the length apart, so
    that the chain iterations with a finite radius: compare the middle of the fall within 2 %. The links may push (they
    hardly do): ropes that become slack and taut by turns all along the chain ask for short steps.
    """
    L, n, gap = 2.0, 60, 0.08
    held, released = (dt.Model("chain", gravity=(0, 0, -G)) for _ in range(2))
    held.add_marker("hook", held.ground, position=(gap, 0, 0))
    for m, end in ((held, "hook"), (released, (gap, 0, 0))):
        cable = m.add_cable("chain", m.ground, end, 2e4, 0.5, length=L, elements=n, damping_time=1e-4, slack=False)
    e = dt.equilibrium(held)
    for name in held.joints.keys() & released.joints.keys():
        released.joints[name] = replace(released.joints[name], q0=e[f"{name}.q"])
    free_fall = np.sqrt(2.0 * L / G)
    r = dt.simulate(
        released, 0.7 * free_fall, outputs=0.01 * free_fall, solver=dt.GeneralisedAlpha(step=2.5e-4, rho=0.6)
    )
    assert r.ok, r.reason
    depth = -r[f"{cable.end.name}.position"][:, 2]
    speed = -r[f"{cable.end.name}.velocity"][:, 2]
    assert depth[-1] > 1.05 * 0.5 * G * r.t[-1] ** 2, "the tip is ahead of a free fall"
    late = r.t > 0.4 * free_fall
    x = depth[late]
    ideal = np.sqrt(G * x * (2.0 * L - x) / (L - x))
    assert np.abs(speed[late] / ideal - 1.0).max() < 0.02


def test_a_towed_cable_leans_by_its_drag() -> None:
    """A cable pulled at a constant acceleration a hangs along gravity minus a: tan(angle) = a / g, straight."""
    a, n = 3.0, 10
    m = dt.Model("towed", gravity=(-a, 0, -G))  # seen from the tug, which accelerates in x
    cable = m.add_cable("line", m.ground, (0, 0, -5), EA, 1.0, elements=n)
    e = dt.equilibrium(m)
    assert e.ok, e.reason
    end = e[f"{cable.end.name}.position"]
    assert end[0] / end[2] == pytest.approx(a / G, rel=1e-10)
    # stretch of a hanging rod with its mass at the nodes: F L / (2 E A), exact with half masses at the ends
    force = np.hypot(a, G) * 1.0 * 5.0
    assert np.linalg.norm(end) == pytest.approx(5.0 * (1.0 + force / (2.0 * EA)), rel=1e-10)
