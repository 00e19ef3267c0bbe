"""Compiled transitions: against sums and roots that know nothing of the engine, and against the general transition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

import duoti as dt
from duoti.contact.event_driven import engine as engines
from duoti.contact.event_driven.transition import OrdinaryTransitions

G = 9.81


def ball(law: dt.RigidContact, spin: float = 0.0, speed: float = 0.0) -> dt.Model:
    m = dt.Model("ball")
    b = m.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 1.1))
    m.add_joint("free", dt.Free(), m.ground, b, v0=(0.3, spin, 0.0, speed, 0.1, 0.0))
    m.add_contact("floor", law, m.ground, b, shapes=(dt.Shape.plane(), dt.Shape.sphere(0.1)))
    return m


def example(name: str) -> dt.Model:
    import importlib

    return importlib.import_module(f"duoti.examples.{name}").build()


def clearance(restitution: float, friction: float = 0.0) -> dt.Model:
    """A slider-crank whose crank pin has 2 mm of clearance between the cheeks of the slider's yoke."""
    m = dt.Model("yoke with clearance")
    crank = m.add_body("crank", dt.Inertia.box(1.0, size=(0.1, 0.02, 0.02)))
    slider = m.add_body("slider", dt.Inertia.box(2.0, size=(0.1, 0.1, 0.3)))
    m.add_joint("shaft", dt.Revolute(axis="y"), m.ground, crank)
    m.add_joint("guide", dt.Prismatic(axis="x"), m.ground, slider, q0=0.1)
    m.add_constraint("drive", dt.JointMotion("shaft", "-20*t"))
    law = dt.RigidContact(restitution=restitution, friction=friction)
    pin = dt.Shape.sphere(0.01, position=(0.1, 0, 0))
    for name, side in (("left", -1.0), ("right", 1.0)):
        turned = dt.Rotation.about((0, 1, 0), -side * np.pi / 2)
        cheek = dt.Shape.plane(position=(0.012 * side, 0, 0), rotation=turned)
        m.add_contact(name, law, slider, crank, shapes=(cheek, pin))
    return m


def box_on_floor() -> dt.Model:
    m = dt.Model("box")
    b = m.add_body("box", dt.Inertia.box(1.0, size=(0.2, 0.3, 0.4)), position=(0, 0, 0.4))
    m.add_joint("free", dt.Free(), m.ground, b, v0=(1.0, 2.0, 0.5, 0.3, 0.2, 0.0))
    shapes = (dt.Shape.plane(), dt.Shape.box((0.2, 0.3, 0.4)))
    m.add_contact("floor", dt.RigidContact(restitution=0.3, friction=0.4), m.ground, b, shapes=shapes)
    return m


def both(model: dt.Model, duration: float, monkeypatch: pytest.MonkeyPatch) -> tuple[Any, Any, list[bool]]:
    """A run with compiled transitions, one without, and which transitions of the first were ordinary."""
    treated: list[bool] = []
    treat = OrdinaryTransitions.treat

    def counted(self: OrdinaryTransitions, t: float, y: Any, fired: list[int]) -> bool:
        treated.append(treat(self, t, y, fired))
        return treated[-1]

    system, options = dt.compile(model), {"outputs": duration / 200, "solver": "dopri5"}
    monkeypatch.setattr(OrdinaryTransitions, "treat", counted)
    compiled = dt.simulate(system, duration, **options)
    monkeypatch.setattr(engines, "ordinary", lambda engine: None)
    return compiled, dt.simulate(system, duration, **options), treated


def strong(r: Any) -> list[Any]:
    """Impacts before the last of a sequence: these come from heights of round-off."""
    most = max((np.linalg.norm(i.impulse) for i in r.impacts), default=0.0)
    return [i for i in r.impacts if np.linalg.norm(i.impulse) > 1e-4 * most]


def states(r: Any) -> list[list[int]]:
    """Contact states of a run, without those that came to nothing."""
    found = [each.kept.state.tolist() for each in r.contact_run.history]
    return [x for k, x in enumerate(found) if k == 0 or x != found[k - 1]]


LATE = 1e-9  # s
LAW = dt.RigidContact(restitution=0.7, friction=0.3)
CASES: dict[str, tuple[Callable[[], dt.Model], float, float]] = {
    # model, duration, least part of its transitions that are ordinary
    "newton": (lambda: ball(LAW, 30.0, 0.5), 3.0, 1.0),
    "poisson": (lambda: ball(dt.RigidContact(restitution=0.7, friction=0.3, impact="poisson"), 30.0, 0.5), 3.0, 1.0),
    "stronge": (lambda: ball(dt.RigidContact(restitution=0.7, friction=0.3, impact="stronge"), 30.0, 0.5), 3.0, 1.0),
    "no friction": (lambda: ball(dt.RigidContact(restitution=0.7)), 3.0, 1.0),
    "stick-slip": (lambda: example("stick_slip"), 3.0, 1.0),
    "rocking block": (lambda: example("rocking_block"), 2.0, 1.0),
    "rimless wheel": (lambda: example("rimless_wheel"), 3.0, 1.0),
    "Newton's cradle": (lambda: example("newtons_cradle"), 2.0, 1.0),
    "clearance": (lambda: clearance(0.5, 0.1), 0.6, 0.9),
    "box": (box_on_floor, 0.5, 0.7),
}


@pytest.mark.sample("newton", "rocking block", "clearance")
@pytest.mark.parametrize("case", CASES)
def test_compiled_and_general_transitions_are_one(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same impacts, contact states and motion.

    A sequence of impacts ends with an approach of 1e-7 of the greatest speed, about 1e-7 m/s, which gaps that err by
    1e-16 m locate to LATE seconds; what follows is late by so much, at accelerations up to 40 m/s^2.
    """
    make, duration, least = CASES[case]
    a, b, treated = both(make(), duration, monkeypatch)
    assert a.ok, a.reason
    assert b.ok, b.reason
    assert np.mean(treated) >= least
    hits, others = strong(a), strong(b)
    assert len(hits) == len(others)
    for x, y in zip(hits, others, strict=True):
        assert (x.contact, x.unique, x.sum_unique) == (y.contact, y.unique, y.sum_unique)
        assert x.time == pytest.approx(y.time, abs=LATE)
        assert x.impulse == pytest.approx(y.impulse, abs=80.0 * LATE)
        assert x.energy_lost == pytest.approx(y.energy_lost, abs=80.0 * LATE)
    assert states(a) == states(b)
    assert a.q == pytest.approx(b.q, abs=4.0 * LATE)
    assert a.v == pytest.approx(b.v, abs=40.0 * LATE)


def test_a_ball_rests_after_the_sum_of_its_flights() -> None:
    """Times of impacts are a geometric series; the run resolves those that are further apart than 1e-6 s."""
    fall, e = np.sqrt(2.0 / G), 0.7
    r = dt.simulate(ball(dt.RigidContact(restitution=e, friction=0.3)), 3.0, outputs=[3.0], solver="dopri5")
    times = fall + 2.0 * fall * np.cumsum(e ** np.arange(1, len(r.impacts)))
    assert [i.time for i in r.impacts] == pytest.approx([fall, *times], abs=1e-8)  # DOPRI5 at 1e-8 a step
    assert r["floor.state"][-1] == 1  # STICK: from the last of them on it stays
    lost = sum(i.energy_lost for i in r.impacts)
    assert lost == pytest.approx(1.0 * G * 1.0 + 0.5 * (0.1**2) + 0.5 * 0.004 * 0.3**2, rel=0.1)


def flights(restitution: float, duration: float) -> list[tuple[float, float]]:
    """Times and impulses of the slider of `clearance` without friction: straight flights between the cheeks.

    The crank is driven: its pin is at 0.1 cos(20 t), and a cheek meets it where its distance falls to 2 mm.
    """
    t, x, u, found = 0.0, 0.1, 0.0, list[tuple[float, float]]()

    def apart(s: Any) -> Any:
        return 0.002 - abs(0.1 * np.cos(20 * s) - x - u * (s - t))

    while True:
        times = np.arange(t + 1e-5, duration, 1e-5)
        hit = np.flatnonzero(apart(times) < 0.0)
        if not len(hit):
            return found
        end = brentq(apart, times[hit[0]] - 1e-5, times[hit[0]], xtol=1e-15)
        x, t = x + u * (end - t), end
        change = (1.0 + restitution) * (-2.0 * np.sin(20 * t) - u)
        u += change
        found.append((t, 2.0 * abs(change)))


def test_a_slider_with_clearance_flies_between_the_cheeks() -> None:
    expected = flights(0.8, 0.12)
    assert len(expected) >= 3
    r = dt.simulate(clearance(0.8), 0.12, outputs=[0.12], solver="dopri5", rtol=1e-11, atol=1e-13)
    assert r.ok, r.reason
    assert [i.time for i in r.impacts] == pytest.approx([t for t, _ in expected], abs=1e-9)
    found = [float(np.linalg.norm(i.impulse)) for i in r.impacts]
    assert found == pytest.approx([p for _, p in expected], rel=1e-7)
