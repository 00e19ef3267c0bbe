"""Impacts in space with friction against the equations of Darboux and Keller, integrated by SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import duoti as dt


def by_scipy(W, u0, mu, e, law):
    """Impulses (n, t1, t2): dp_t/dp_n = -mu u_t/|u_t| until slip ends, then those that keep it at zero, or None.

    Compression ends where u_n = 0, restitution with e times its impulse (Poisson) or e² of its work (Stronge).
    """
    sticking = np.concatenate([[1.0], -np.linalg.solve(W[1:, 1:], W[1:, 0])])

    def rates(_, y):
        u = u0 + W @ y[:3]
        return [1.0, *(-mu * u[1:] / np.hypot(*u[1:])), u[0]]

    def slips(_, y):
        return np.hypot(*(u0 + W @ y[:3])[1:]) - 1e-10 * np.hypot(*u0[1:])

    y, stuck = np.zeros(4), False
    for phase in ("compression", "restitution"):
        if phase == "compression":
            ends = lambda _, y: (u0 + W @ y[:3])[0]  # noqa: E731
        elif law == "poisson":
            ends = lambda _, y, whole=(1 + e) * y[0]: y[0] - whole  # noqa: E731
        else:
            ends = lambda _, y, left=y[3] * (1 - e * e): y[3] - left  # noqa: E731
        slips.terminal = ends.terminal = True
        slips.direction, ends.direction = -1, 1
        while True:
            if stuck:
                f = lambda _, y: [*sticking, (u0 + W @ y[:3])[0]]  # noqa: E731
                s = solve_ivp(f, (0, 1e3), y, rtol=1e-12, atol=1e-15, events=ends)
            else:
                s = solve_ivp(rates, (0, 1e3), y, rtol=1e-12, atol=1e-15, events=(ends, slips))
            y = s.y[:, -1]
            if len(s.t_events[0]):
                break
            if np.hypot(*sticking[1:]) > mu:
                return None
            stuck = True
    return y[:3]


@pytest.mark.parametrize("law", ["poisson", "stronge"])
def test_random_impacts(law):
    """A hundredth of the slip in a step of order 4 makes errors of 1e-8, the fourth power.

    Slip that nearly ends magnifies them, with no bound that is known: a hundred times are allowed (2 are measured).
    They were 3e-4 with steps of a twentieth.
    """
    random, compared = np.random.default_rng(11), 0
    for _ in range(60):
        mass, inertia = random.uniform(0.5, 3), np.diag(random.uniform(0.05, 0.1, 3))
        x, y, z = random.normal(size=3) * 0.2
        u = random.normal(size=3)
        u[0] = -abs(u[0]) - 0.1
        mu, e = random.uniform(0.1, 0.8), random.uniform(0.2, 0.9)
        cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
        W = np.eye(3) / mass - cross @ np.linalg.inv(inertia) @ cross
        wanted = by_scipy(W, u, mu, e, law)
        if wanted is not None:
            found = dt.contact.solve_impact(W, u, [mu], [e], law=law)
            assert found.ok, found.reason
            assert found.p == pytest.approx(wanted, abs=1e-6 * np.max(np.abs(wanted)))
            compared += 1
    assert compared > 30
