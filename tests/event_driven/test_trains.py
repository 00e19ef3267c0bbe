"""Rolling contact at low speed: trains that start, spin their wheels, brake to rest and stand, by both engines."""

from __future__ import annotations

from math import atanh, cos, sin

import numpy as np
import pytest

import duoti as dt
from support.wheelsets import CONE, KALKER, NU, RAIL, SHEAR, WHEEL, ellipse, put_on_rails

G, CAR, AXLE, SPIN = 9.81, 4000.0, 1200.0, 90.0  # m/s², kg, kg, kg m²
INERTIA = CAR + AXLE + SPIN / WHEEL**2
SLOW = 1e-3  # m/s, of the law
ENGINES = pytest.mark.parametrize("solver", [None, dt.Moreau(step=1e-3)], ids=["event-driven", "time-stepping"])


def train(friction: float, drive: float = 0.0, brake: float = 0.0, slope: float = 0.0, aside: float = 0.0) -> dt.Model:
    """A car on one wheelset, driven for a second; its brake is dry friction in the axle, on for all the time."""
    m = dt.Model("train", gravity=(-G * sin(slope), -G * sin(aside), -G * cos(slope) * cos(aside)))
    car = m.add_body("car", dt.Inertia.box(CAR, size=(2, 1, 1)))
    axle = m.add_body("axle", dt.Inertia(AXLE, matrix=np.diag([700, SPIN, 700])))
    m.add_joint("path", dt.Composite.of_axes("xyz", "zx"), m.ground, car)
    m.add_joint("axle", dt.Revolute("y"), car, axle)
    put_on_rails(m, axle, dt.RollingContact(friction, SHEAR, NU, KALKER, slow_speed=SLOW))
    if drive:
        m.add_force("drive", dt.JointTorque("axle", f"if(t < 1, {drive}, 0)"))
    if brake:
        m.add_force("brake", dt.JointFriction("axle", constant=brake))
    return m


def creep_stiffness(load: float) -> float:
    """G c² c11 of a wheel [N]; the cone is straight across."""
    return SHEAR * ellipse(load, cos(CONE) / WHEEL, 1 / RAIL) ** 2 * KALKER[0]


@ENGINES
def test_a_train_starts_brakes_and_stands(solver: dt.Moreau | None):
    """Speeds of a train that rolls; creepages of F / (G c² c11) = 5e-4 at most change them by as much."""
    r = dt.simulate(train(0.3, drive=5000.0, brake=2000.0), 4.0, outputs=0.02, solver=solver)
    assert r.ok, r.reason
    assert r.stats.steps < 5000  # an explicit solver needs 100 000 steps for a second at low speed
    gain, loss = 3000.0 / WHEEL / INERTIA, 2000.0 / WHEEL / INERTIA
    at_rest = 1.0 + gain / loss
    wanted = np.clip(np.minimum(gain * r.t, loss * (at_rest - r.t)), 0.0, None)
    assert np.max(np.abs(r["car.velocity.x"] - wanted)) < 1e-3 * gain
    stands = r.t > at_rest + 0.1
    assert np.max(np.abs(r["car.velocity.x"][stands])) < 1e-12
    assert np.max(np.abs(r["axle.rate"][stands])) == 0.0
    # steps: the work of the drive is that of the speed at their beginning, 1/2 h T² / (r² m) of a second
    least = 0.6 * 1e-3 * 5000.0 * gain / WHEEL if solver else 1e-6
    assert np.max(np.abs(r.energy.residual)) < least
    # brakes take what the drive gave, but for creep
    assert r.energy.dissipated[-1] == pytest.approx(5000.0 / WHEEL * gain / 2, rel=2e-3)


@pytest.mark.full
@ENGINES
def test_wheels_that_spin_pull_with_their_friction(solver: dt.Moreau | None):
    """A drive of four times the friction: all of it is used, of which the spin of the cones takes a part aside."""
    mu = 0.1
    r = dt.simulate(train(mu, drive=12000.0, brake=2000.0), 8.0, outputs=0.02, solver=solver)
    assert r.ok, r.reason
    pull, load = r["left.force"][:, 0], r["left.normal_force"]
    rubbing = np.sqrt(np.maximum(np.sum(r["left.force"] ** 2, axis=1) - load**2, 0.0))
    assert np.all(rubbing <= mu * load * (1 + 1e-9))
    spins = (r.t > 0.1) & (r.t < 1.0)
    assert rubbing[spins] == pytest.approx(mu * load[spins], rel=1e-9)
    assert np.all(pull[spins] > 0.8 * mu * load[spins])
    assert np.all(r["axle.rate"][spins] * WHEEL > r["car.velocity.x"][spins])
    assert r["car.velocity.x"][spins] == pytest.approx(2 * np.median(pull[spins]) / (CAR + AXLE) * r.t[spins], rel=2e-2)
    assert abs(r["car.velocity.x"][-1]) < 1e-12
    assert r["axle.rate"][-1] == 0.0


def test_a_braked_train_stands_on_a_slope():
    """It gives way by slow_speed times the creepage that bears the load, below a micrometre a second."""
    mu, slope = 0.3, 0.05
    r = dt.simulate(train(mu, brake=5000.0, slope=slope), 2.0, outputs=0.1)
    assert r.ok, r.reason
    assert r.stats.steps < 300
    load, pull = (CAR + AXLE) * G * cos(slope) / 2, (CAR + AXLE) * G * sin(slope) / 2
    load /= cos(CONE)  # wheels press across their cones
    assert r["left.force"][-1, 0] == pytest.approx(pull, rel=1e-6)
    creepage = atanh(pull / (mu * load)) * mu * load / creep_stiffness(load)
    # forces across, by which wheels hold each other on their cones, change the load by 2e-3
    assert -r["car.velocity.x"][-1] == pytest.approx(SLOW * creepage, rel=5e-3)


@ENGINES
def test_a_wheelset_stands_on_rails_that_lean(solver: dt.Moreau | None):
    """Across the rolling, without any brake: it creeps aside by less than 1 µm/s, and does not roll away."""
    r = dt.simulate(train(0.3, aside=0.05), 1.0, outputs=0.1, solver=solver)
    assert r.ok, r.reason
    held = r["left.force"][-1, 1] + r["right.force"][-1, 1]
    assert held == pytest.approx((CAR + AXLE) * G * sin(0.05), rel=1e-4)
    assert np.max(np.abs(r["car.velocity"][1:])) < 1e-6
