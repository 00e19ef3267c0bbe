"""Gaps of features (`contact.features`) against the motion of the bodies: their rates, by differences."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import duoti as dt
from duoti.contact.build import event_driven_contacts
from duoti.contact.event_driven.engine import ContactEngine


def moved(q: Any, v: Any, h: float) -> Any:
    """The pose after h with velocity and angular velocity v (of the body's own axes) held: second order."""
    p, turn = q[:3] + h * v[:3], q[3:]
    w = 0.5 * h * v[3:]
    a, b = turn[0], turn[1:]
    scalar = a - b @ w
    vector = b + a * w + np.cross(b, w)
    new = np.array([scalar, *vector])
    return np.concatenate([p, new / np.linalg.norm(new)])


def count_right_rates(model: dt.Model, rng: np.random.Generator, wide: float = 0.0) -> int:
    """Let the one free body of a model down on what is below it, turned anyhow, and compare; how often it was compared.

    wide: how far aside it may be [m]. A difference over 1e-6 s of gaps with errors of 1e-16 m errs by 1e-10 m/s, and by
    1e-12 times third derivatives.
    """
    system = dt.compile(model)
    of = event_driven_contacts(system)
    assert of is not None
    engine = ContactEngine(system, of)
    q, v = system.state()
    seen, h = 0, 1e-6
    for _ in range(60):
        v = rng.normal(size=6)
        turn = rng.normal(size=4) * (0.3, 1, 1, 1)
        q[3:] = turn / np.linalg.norm(turn)
        q[:3] = *(wide * rng.uniform(-1, 1, size=2)), 0.0
        for _ in range(40):  # down to where it touches
            q[2] -= min(np.min(engine.whole.gaps(q)), 1.0)
        for p in engine.geometry.points(q, v, 1e-9):
            if abs(p.gap) > 1e-9:
                continue
            ahead, behind = (engine.geometry.gaps(moved(q, v, s * h))[p.slot] for s in (1.0, -1.0))
            if max(ahead, behind) < 1e9:  # it is there on both sides
                seen += 1
                assert (ahead - behind) / (2 * h) == pytest.approx(float(p.G[0] @ v), abs=2e-8)
    return seen
