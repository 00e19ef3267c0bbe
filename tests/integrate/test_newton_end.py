"""Where the Newton iterations of implicit steps end: tight tolerances, short steps, coupled and redundant loops."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import duoti as dt

GRAVITY = 9.81


def bar(m: dt.Model, name: str, a, b, mass: float = 1.0):
    """A rod between two points of the plane."""
    a, b = np.array([*a, 0.0]), np.array([*b, 0.0])
    length = float(np.linalg.norm(b - a))
    return m.add_body(name, dt.Inertia.rod(mass, length, axis=(b - a) / length), position=(a + b) / 2)


def pendulum() -> dt.Model:
    m = dt.Model("pendulum", gravity=(0, -GRAVITY, 0))
    m.add_joint("A", dt.Revolute("z"), m.ground, bar(m, "rod", (0, 0), (1, 0)), at=(0, 0, 0))
    return m


def swing(_, y):
    """The rod of 1 m."""
    return y[1], -1.5 * GRAVITY * np.cos(y[0])


@pytest.fixture(scope="module")
def truth():
    return solve_ivp(swing, (0, 10), (0.0, 0.0), method="DOP853", rtol=3e-14, atol=1e-15).y[0, -1]


@pytest.mark.parametrize("tolerance", [1e-8, 1e-9, 1e-10, 1e-11])
def test_radau_follows_scipy_to_tight_tolerances(tolerance, truth):
    scipy = solve_ivp(swing, (0, 10), (0.0, 0.0), method="Radau", rtol=tolerance, atol=tolerance)
    r = dt.simulate(pendulum(), 10.0, outputs=[10.0], solver=dt.Radau(rtol=tolerance, atol=tolerance))
    error = abs(r["A.angle"][-1] - truth)
    assert error < tolerance
    assert error < 10 * abs(scipy.y[0, -1] - truth)
    assert r.stats.steps < len(scipy.t)


def test_constant_steps_of_radau_converge_until_round_off(truth):
    errors = []
    for step in (5e-3, 2.5e-3, 1.25e-3, 0.625e-3, 0.3125e-3):
        r = dt.simulate(pendulum(), 10.0, outputs=[10.0], solver=dt.Radau(step=step))
        errors.append(abs(r["A.angle"][-1] - truth))
    assert np.log2(errors[0] / errors[1]) > 4.7  # order 5
    assert max(errors[2:]) < 1e-12


def test_tolerances_that_cannot_be_met_are_refused():
    with pytest.raises(ValueError, match=r"Radau.*rtol=1e-14.*1e-13"):
        dt.simulate(pendulum(), 1.0, solver=dt.Radau(), rtol=1e-14)
    with pytest.raises(ValueError, match=r"GeneralisedAlpha.*rtol=1e-12.*1e-11"):
        dt.simulate(pendulum(), 1.0, solver=dt.GeneralisedAlpha(), rtol=1e-12)


def ladder(cells: int) -> dt.Model:
    """Four-bar linkages in a row, each driven by the rocker of the one before: one freedom, nothing is redundant."""
    m, hinge = dt.Model("ladder", gravity=(0, -GRAVITY, 0)), dt.Revolute("z")
    at = (0.1, 0.3)
    last = bar(m, "crank", (0, 0), at)
    m.add_joint("J", hinge, m.ground, last, at=(0, 0, 0), v0=1.0)
    for k in range(cells):
        foot, top = (0.5 * (k + 1) + 0.02 * k, 0.0), (0.5 * (k + 1) + 0.1 + 0.03 * k, 0.4 + 0.07 * k)
        coupler, rocker = bar(m, f"coupler{k}", at, top), bar(m, f"rocker{k}", foot, top)
        m.add_joint(f"C{k}", hinge, last, coupler, at=(*at, 0))
        m.add_joint(f"T{k}", hinge, coupler, rocker, at=(*top, 0))
        m.add_joint(f"G{k}", hinge, m.ground, rocker, at=(*foot, 0))
        last, at = rocker, (0.5 * (foot[0] + top[0]), 0.5 * top[1])
    return m


def scissors(columns: int, rows: int) -> dt.Model:
    """A plane of crossed bars, all corners hinged: one freedom, most of its loops redundant, joints in one point."""
    m, hinge = dt.Model("scissors", gravity=(0, -GRAVITY, 0)), dt.Revolute("z")
    for j in range(rows):
        for i in range(columns):
            x, y = 0.5 * i, 0.5 * j
            a = bar(m, f"a{i}_{j}", (x, y), (x + 0.5, y + 0.5))
            b = bar(m, f"b{i}_{j}", (x, y + 0.5), (x + 0.5, y))
            m.add_joint(f"m{i}_{j}", hinge, a, b, at=(x + 0.25, y + 0.25, 0), v0=0.5 if i == j == 0 else None)
            if i:
                m.add_joint(f"l{i}_{j}", hinge, f"b{i - 1}_{j}", a, at=(x, y, 0))
                m.add_joint(f"u{i}_{j}", hinge, f"a{i - 1}_{j}", b, at=(x, y + 0.5, 0))
            if j:
                m.add_joint(f"d{i}_{j}", hinge, f"b{i}_{j - 1}", a, at=(x, y, 0))
                m.add_joint(f"e{i}_{j}", hinge, f"a{i}_{j - 1}", b, at=(x + 0.5, y, 0))
    m.add_joint("root", hinge, m.ground, "a0_0", at=(0, 0, 0))
    return m


LOOPS = {"ladder": (lambda: ladder(2), 0.5), "scissors": (lambda: scissors(2, 3), 0.3)}


@pytest.fixture(scope="module", params=LOOPS)
def loops(request):
    make, duration = LOOPS[request.param]
    r = dt.simulate(make(), duration, outputs=[duration], solver=dt.DOP853(rtol=1e-12, atol=1e-12))
    return make, duration, r.q[-1]


@pytest.mark.parametrize("solver", [dt.GeneralisedAlpha(), dt.HHT(), dt.Newmark()])
def test_alpha_methods_on_coupled_loops(loops, solver):
    make, duration, truth = loops
    r = dt.simulate(make(), duration, outputs=[duration], solver=solver)
    assert r.ok, r.reason
    assert r.stats.steps < 10_000  # order 2 at a tolerance of 1e-6
    assert np.max(np.abs(r.q[-1] - truth)) < 1e-5


@pytest.mark.parametrize("form", ["stabilised", "index 3"])
def test_short_constant_steps_keep_order_two_on_coupled_loops(loops, form):
    make, duration, truth = loops
    errors = []
    for step in (1e-3, 1e-4):
        r = dt.simulate(make(), duration, outputs=[duration], solver=dt.GeneralisedAlpha(step=step, form=form))
        assert r.ok, r.reason
        errors.append(np.max(np.abs(r.q[-1] - truth)))
    assert errors[0] / errors[1] > 60  # order 2: a hundred


@pytest.mark.parametrize("tolerance", [1e-8, 1e-10])
def test_radau_on_coupled_loops(loops, tolerance):
    make, duration, truth = loops
    r = dt.simulate(make(), duration, outputs=[duration], solver=dt.Radau(rtol=tolerance, atol=tolerance / 100))
    assert r.ok, r.reason
    assert np.max(np.abs(r.q[-1] - truth)) < max(10 * tolerance, 1e-10)


def test_short_constant_steps_of_radau_on_coupled_loops(loops):
    make, _, _ = loops
    r = dt.simulate(make(), 0.02, outputs=[0.02], solver=dt.Radau(step=1e-4))
    truth = dt.simulate(make(), 0.02, outputs=[0.02], solver=dt.DOP853(rtol=1e-12, atol=1e-12))
    assert r.ok, r.reason
    assert np.max(np.abs(r.q[-1] - truth.q[-1])) < 1e-11


def test_multipliers_of_hinges_in_one_point_are_of_the_size_of_the_forces():
    """Rows of which nothing but round-off is left are left out: multiplied by 1e16 it would be 1e8 N."""
    r = dt.simulate(scissors(2, 3), 0.02)
    names = [name for kind, name in r.system.closure_names if kind == "joint"]
    assert len(names) == 9
    assert max(np.max(np.abs(r.multipliers(name))) for name in names) < 1e4
