"""Friction from the load in a slider that comes to its dead points, where nothing can hold it: a slider-crank."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import duoti as dt

R, L, CRANK, ROD, SLIDER, MU, G = 0.3, 0.8, 1.0, 2.0, 0.5, 0.3, 9.81


def slider_crank(angle: float) -> dt.Model:
    """In the x-z plane, the crank at an angle from the x axis towards z, turning at 10 rad/s."""
    tilt = np.arcsin(R * np.sin(angle) / L)
    knee = np.array([R * np.cos(angle), 0, R * np.sin(angle)])
    end = knee + np.array([L * np.cos(tilt), 0, -L * np.sin(tilt)])
    m = dt.Model("slider-crank", gravity=(0, 0, -G))
    m.add_body("crank", dt.Inertia.rod(CRANK, length=R, axis="x"), knee / 2, dt.Rotation.about("y", -angle))
    m.add_body("rod", dt.Inertia.rod(ROD, length=L, axis="x"), (knee + end) / 2, dt.Rotation.about("y", tilt))
    m.add_body("slider", dt.Inertia.box(SLIDER, size=(0.1, 0.1, 0.1)), end)
    m.add_joint("A", dt.Revolute("-y"), m.ground, "crank", at=(0, 0, 0), v0=10.0)
    m.add_joint("B", dt.Spherical(), "crank", "rod", at=knee)
    m.add_joint("C", dt.Cylindrical("y"), "rod", "slider", at=end)
    m.add_joint("D", dt.Prismatic("x"), m.ground, "slider", at=end)
    m.add_force("rub", dt.JointFriction("D", friction=MU))
    return m


def acceleration(angle: float, rate: float, way: float) -> float:
    """Of the crank, with the slider moving in the direction `way`: Lagrange's equation, and moments about the knee."""
    tilt = np.arcsin(R * np.sin(angle) / L)
    first = R * np.cos(angle) / (L * np.cos(tilt))  # d tilt / d angle
    second = (-R * np.sin(angle) + L * np.sin(tilt) * first**2) / (L * np.cos(tilt))

    def place(part: float) -> tuple[np.ndarray, np.ndarray]:
        """Derivatives by the angle, first and second, of a point of the rod."""
        one = [
            -R * np.sin(angle) - part * L * np.sin(tilt) * first,
            R * np.cos(angle) - part * L * np.cos(tilt) * first,
        ]
        two = [
            -R * np.cos(angle) - part * L * (np.cos(tilt) * first**2 + np.sin(tilt) * second),
            -R * np.sin(angle) + part * L * (np.sin(tilt) * first**2 - np.cos(tilt) * second),
        ]
        return np.array(one), np.array(two)

    (c1, c2), (b1, b2) = place(0.5), place(1.0)
    turning = ROD * L**2 / 12
    inertia = CRANK * R**2 / 3 + ROD * c1 @ c1 + turning * first**2 + SLIDER * b1[0] ** 2
    slope = ROD * c1 @ c2 + turning * first * second + SLIDER * b1[0] * b2[0]  # half its derivative
    weight = -G * (CRANK * R / 2 * np.cos(angle) + ROD * c1[1])
    d = np.array([L * np.cos(tilt), -L * np.sin(tilt)])

    def moment(friction: float, normal: float, alpha: float) -> float:
        """Of all forces on rod and slider, less what their accelerations take, about the knee."""
        a_c, a_b = c1 * alpha + c2 * rate**2, b1[0] * alpha + b2[0] * rate**2
        on_rod = np.array([friction - SLIDER * a_b, normal - SLIDER * G])
        inner = -turning * (first * alpha + second * rate**2)
        halfway = np.array([-ROD * a_c[0], -ROD * (a_c[1] + G)])
        return d[0] * on_rod[1] - d[1] * on_rod[0] + 0.5 * (d[0] * halfway[1] - d[1] * halfway[0]) - inner

    for side in (1.0, -1.0):  # of the guide on which the slider presses
        by_normal = -way * MU * side  # friction for each newton of the normal force
        alpha0 = (weight - slope * rate**2) / inertia
        alpha1 = by_normal * b1[0] / inertia
        at0 = moment(0.0, 0.0, alpha0)
        normal = -at0 / (moment(by_normal, 1.0, alpha0 + alpha1) - at0)
        if normal * side >= 0.0:
            return alpha0 + alpha1 * normal
    raise AssertionError("no normal force")


def reference(angle: float, duration: float) -> float:
    """Angle at the end; the direction of friction changes where the slider turns back, at the dead points."""
    way_at = lambda x, w: -np.sign(np.sin(x)) * np.sign(w) or 0.0  # noqa: E731  # x' = -(...) sin(angle) rate
    t, y = 0.0, np.array([angle, 10.0])
    while t < duration:
        way = way_at(y[0] + 1e-9 * np.sign(y[1]), y[1])
        turns = lambda _, y: np.sin(y[0])  # noqa: E731
        stops = lambda _, y: y[1]  # noqa: E731
        turns.terminal = stops.terminal = True
        start = [y[0] + 1e-13 * np.sign(y[1]), y[1]]  # just beyond a dead point
        rates = lambda _, y, way=way: [y[1], acceleration(y[0], y[1], way)]  # noqa: E731
        s = solve_ivp(rates, (t, duration), start, method="DOP853", rtol=1e-11, atol=1e-12, events=(turns, stops))
        t, y = float(s.t[-1]), s.y[:, -1]
        assert not len(s.t_events[1]), "the crank turns back: not part of this comparison"
    return float(y[0]) - angle


@pytest.mark.parametrize(("angle", "duration"), [(0.0, 0.3), (1.0, 1.0), (2.0, 0.7)])
def test_a_slider_with_friction_passes_its_dead_points(angle, duration):
    """Against the equation of motion by hand; it was said to jam there, and could not start from there.

    An explicit run may be wrong by its tolerance in each step, of the larger of both states.
    """
    r = dt.simulate(slider_crank(angle), duration)
    assert r.ok, r.reason
    allowed = r.stats.steps * (1e-10 + 1e-8 * float(np.max(np.abs(r["A.rate"]))))
    assert r["A.angle"][-1] == pytest.approx(reference(angle, duration), abs=allowed)
    assert len(r.events) + (angle == 0.0) >= 1  # it did pass one
