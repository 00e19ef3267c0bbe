"""The bundled examples of impact and friction against closed forms."""

from __future__ import annotations

import numpy as np

import duoti as dt
from duoti.examples import find_example, newtons_cradle, rimless_wheel, rocking_block, stick_slip

TIGHT = dt.DOP853(rtol=1e-11, atol=1e-12)


def run(name, **parameters):
    example = find_example(name)
    return dt.simulate(dt.load(example.file, parameters=parameters or None), example.duration, solver=TIGHT)


def test_newtons_cradle_hands_the_swing_on():
    c = newtons_cradle
    r = run("newtons_cradle")
    assert len(r.impacts) == 4 * 4  # four impacts at each of four passes in 2 s
    assert [impact.contact for impact in r.impacts[:8]] == [f"touch{k}" for k in (1, 2, 3, 4, 4, 3, 2, 1)]
    # each of the four other balls stops gap behind its lowest point and keeps m g gap²/(2 l): the last one lacks
    # these, 2 gap²/(l² sin(angle)) of its swing. Outputs miss its turning point by half a step, (g/l) sin(angle)
    # (5e-5)²/2 = 3e-8
    swing = dt.simulate(newtons_cradle.build(), 0.7, outputs=1e-4, solver=TIGHT)["hinge5.angle"].min()
    assert abs(c.ANGLE + swing - 2 * (c.GAP / c.LENGTH) ** 2 / np.sin(c.ANGLE)) < 5e-8
    # the middle balls are where they stopped, or swing from there; a pass adds a gap
    assert np.abs(r["hinge3.angle"]).max() < 5 * c.GAP / c.LENGTH
    # a ball leaves by gap/l before its lowest point or behind it, and gaps are crossed at its speed v
    v = np.sqrt(2 * 9.81 * c.LENGTH * (1 - np.cos(c.ANGLE)))
    assert abs(r.impacts[4].time - r.impacts[3].time - c.half_period()) < 4 * c.GAP / v
    assert np.abs(r.energy.total - r.energy.total[0]).max() < 1e-9  # nothing is lost


def test_rocking_block_loses_what_housner_says():
    b = rocking_block
    r = run("rocking_block")
    assert abs(r.impacts[0].time - b.first_impact()) < 1e-9  # located to round-off on the solver's polynomial
    at = np.array([impact.time for impact in r.impacts])
    h = 1e-9  # the rate changes by less than 1e-8 within it
    beside = np.sort(np.concatenate([[0.0], at - h, at + h, [2.0]]))
    again = dt.simulate(dt.load(find_example("rocking_block").file), 2.0, outputs=beside, solver=TIGHT)
    rate = again["plane.rate"][1:-1].reshape(-1, 2)
    assert len(rate) >= 4
    assert np.allclose(rate[:, 1] / rate[:, 0], b.kept(), rtol=0, atol=1e-7)  # of rates near 1 rad/s
    assert [impact.contact for impact in r.impacts[:4]] == ["left", "right", "left", "right"]


def test_rimless_wheel_gains_and_loses_at_each_step():
    w = rimless_wheel
    for start in (w.START, 3.0):
        r = run("rimless_wheel", start=start)
        between_feet = 2 * w.LENGTH * np.sin(w.HALF)  # the foot that strikes turns about the one that stands
        before = np.array([-impact.normal_speed[0] / between_feet for impact in r.impacts])
        square, expected = start**2, []
        for _ in before:
            expected.append(np.sqrt(square + w.gained()))
            square = (w.kept() * expected[-1]) ** 2
        assert len(before) >= 8
        assert np.allclose(before, expected, rtol=0, atol=1e-8)  # tolerance of the solver, some 10 steps
        # it approaches its steady pace by kept² = 0.6 of the squares at each step
        assert abs(square - w.steady() ** 2) < w.kept() ** (2 * len(before)) * abs(start**2 - w.steady() ** 2) * 1.001
    assert run("rimless_wheel", start=0.5)["plane.rate"].min() < 0  # too slow to get over its first spoke


def test_stick_slip_has_its_times():
    s = stick_slip
    for speed in (s.SPEED, 0.4):
        r = run("stick_slip", v=speed)
        stick, slip = s.times(speed)
        # it begins to stick at x = 0, and slips where the spring's force is that of static friction
        first = s.STATIC * 9.81 * s.MASS / (s.STIFFNESS * speed)
        changes = first + np.array([0.0, slip, slip + stick, 2 * slip + stick, 2 * (slip + stick)])
        h = 1e-6
        beside = np.sort(np.concatenate([[0.0], changes - h, changes + h]))
        model = dt.load(find_example("stick_slip").file, parameters={"v": speed})
        state = dt.simulate(model, float(beside[-1]), outputs=beside, solver=TIGHT)["rub.state"]
        assert state.ravel().tolist() == [1, 1, 2, 2, 1, 1, 2, 2, 1, 1, 2], "changes are within 1 µs of the formulas"
        force = np.abs(r["rub.force.x"])
        assert force.max() <= s.STATIC * s.MASS * 9.81 * (1 + 1e-9)
        sliding = (r["rub.state"] == 2) & (np.abs(r["rub.slip_speed"]) > 1e-3)
        assert np.allclose(force[sliding], s.KINETIC * s.MASS * 9.81, rtol=1e-9)
