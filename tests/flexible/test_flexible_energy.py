"""The way of the energy through flexible bodies, and what is for rigid bodies only."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.results.result import Result
from support.flexible_bodies import random_flexible_tree, random_state

ALUMINIUM = dt.Material(youngs_modulus=7e10, poisson_ratio=0.3, density=2700.0)
TIGHT = dt.DOP853(rtol=1e-11, atol=1e-12)


def arm() -> dt.Model:
    """A motor turns a hub with a damped flexible arm on it, a load welded to its end, a spring at the load."""
    m = dt.Model("arm")
    beam = dt.Beam(dt.Section.rectangle(width=0.02, height=0.02), ALUMINIUM)
    m.add_body("hub", dt.Inertia.cylinder(2.0, radius=0.1, length=0.1, axis="y"))
    m.add_body("arm", dt.Flexible.from_beam(beam, length=1.0, elements=4, modes=2, damping_ratio=0.02))
    m.add_body("load", dt.Inertia.sphere(0.5, radius=0.03), position=(1.0, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "hub", at=(0, 0, 0), v0=3.0)
    m.add_joint("root", dt.Fixed(), "hub", "arm", at=(0, 0, 0))
    m.add_joint("tip", dt.Fixed(), "arm", "load", at=(1.0, 0, 0))
    m.add_marker("wall", m.ground, position=(1, 0, 1))
    m.add_marker("end", "arm", interface="end")
    m.add_force("motor", dt.JointTorque("A", "20*cos(30*t)"))
    m.add_force("spring", dt.SpringDamper("wall", "end", stiffness=200.0, damping=1.0, rest_length=0.5))
    return m


def test_every_part_of_a_flexible_arm_balances():
    """At each instant to round-off, with welds told apart; sums are those of `result.energy`."""
    r = dt.simulate(arm(), 0.05, outputs=5e-5, solver=TIGHT)
    flow = dt.energy_flow(r)
    assert flow.residual.max() < 1e-12 * flow.largest
    assert flow.part("arm").dissipated.max() > 1e-3 * flow.largest
    np.testing.assert_allclose(flow.total.kinetic, r.energy.kinetic, rtol=1e-12)
    np.testing.assert_allclose(flow.total.potential, r.energy.gravity + r.energy.elastic, rtol=0, atol=1e-11)
    through = flow.power("arm", "tip") - flow.power("tip", "load")
    assert np.abs(through).max() < 1e-12 * flow.largest  # a weld stores nothing
    v, w = r["load.velocity"], r["load.angular_velocity"]
    load = 0.5 * 0.5 * np.sum(v**2, axis=1) + 0.5 * (0.4 * 0.5 * 0.03**2) * np.sum(w**2, axis=1)
    np.testing.assert_allclose(flow.part("load").kinetic, load, rtol=1e-10)
    row = next(row for row in flow.works if row.name == "arm")
    assert row.dissipated == pytest.approx(
        r.energy.dissipated[-1] - flow.work(flow.part("spring").dissipated)[-1],
        rel=1e-4,  # a quadrature over outputs
    )


def test_rates_are_those_of_the_energies():
    """Against central differences: their error falls with the square of the step, to a quarter at half of it."""
    errors = []
    for n in (400, 800):
        flow = dt.energy_flow(dt.simulate(arm(), 0.02, outputs=0.02 / n, solver=TIGHT))
        part = flow.part("arm")
        slopes = [(x[2:] - x[:-2]) / (flow.t[2:] - flow.t[:-2]) for x in (part.kinetic, part.potential)]
        wanted = (part.kinetic_rate[1:-1], part.potential_rate[1:-1])
        errors.append([np.abs(a - b).max() for a, b in zip(slopes, wanted, strict=True)])
        assert np.abs(wanted[0]).max() > 10.0
    assert errors[1][0] < 0.27 * errors[0][0]
    assert errors[1][1] < 0.27 * errors[0][1]


@pytest.mark.parametrize("seed", range(8))
def test_balance_of_random_trees(seed):
    """Rigid and flexible bodies with stiffening, several interfaces, in random states."""
    rng = np.random.default_rng(seed)
    system = dt.compile(random_flexible_tree(rng))
    y = np.array([system.whole_state(*random_state(rng, system)[:2]) for _ in range(4)])
    stats = dt.simulate(arm(), 1e-4, outputs=1e-4).stats
    flow = dt.energy_flow(Result(system, np.arange(4.0), y, True, "made up", stats))
    assert flow.residual.max() < 1e-10 * flow.largest  # accelerations come from a mass matrix of condition 1e4


def test_slopes_by_numbers_of_a_flexible_model():
    """Against differences of accelerations of models with other numbers, whose relative error is 1e-8."""
    names = ["load.mass", "spring.stiffness", "wall.position.x", "gravity.z"]

    def model(mass=0.5, stiffness=200.0, x=1.0, g=-9.81):
        m = arm()
        m.bodies["load"].inertia = dt.Inertia(mass, (0, 0, 0), (2e-4, 2e-4, 2e-4))
        m.forces["spring"].stiffness = stiffness
        m.markers["wall"].position, m.gravity = (x, 0, 1), (0, 0, g)
        return m

    got = dt.parameter_derivatives(model(), names)
    assert got.errors.max() < 1e-7
    q, v = dt.compile(model()).state()
    for k, (key, value) in enumerate({"mass": 0.5, "stiffness": 200.0, "x": 1.0, "g": -9.81}.items()):
        h = 1e-4 * abs(value)
        pair = [dt.accelerations(dt.compile(model(**{key: value + s * h})), q, v) for s in (1, -1)]
        slope = (pair[0] - pair[1]) / (2 * h)
        np.testing.assert_allclose(got.accelerations[:, k], slope, atol=1e-6 * np.abs(slope).max())


def test_slopes_of_an_equilibrium_and_its_eigenvalues():
    """A cantilever with a load at its end, by the load's mass; central differences with a step of 1e-3: 1e-6."""

    def model(mass):
        m = dt.Model("cantilever")
        beam = dt.Beam(dt.Section.rectangle(width=0.02, height=0.03), ALUMINIUM)
        m.add_body("arm", dt.Flexible.from_beam(beam, length=1.0, elements=4, modes=2))
        m.add_body("load", dt.Inertia(mass, (0, 0, 0), (2e-4, 2e-4, 2e-4)), position=(1.0, 0, 0))
        m.add_joint("root", dt.Revolute("y"), m.ground, "arm", at=(0, 0, 0))
        m.add_joint("tip", dt.Fixed(), "arm", "load", at=(1.0, 0, 0))
        m.add_force("spring", dt.JointSpring("root", stiffness=500.0))
        return m

    got = dt.analyses.equilibrium_derivatives(model(0.5), ["load.mass"], eigenvalues=True)
    rest = [dt.equilibrium(model(0.5 + h)) for h in (1e-3, -1e-3)]
    moved = (rest[0].q - rest[1].q) / 2e-3
    np.testing.assert_allclose(got.displacements[:, 0], moved, atol=1e-6 * np.abs(moved).max())
    values = [np.sort(dt.linearise(e.system, e).eigenvalues.imag) for e in rest]
    slopes = (values[0] - values[1]) / 2e-3
    order = np.argsort(got.eigenvalues.imag)
    found = got.eigenvalue_derivatives[order, 0].imag
    np.testing.assert_allclose(found, slopes, atol=1e-5 * np.abs(slopes).max())


def test_slopes_by_numbers_that_change_modes_are_refused():
    def model(length=1.0):
        m = dt.Model("rod")
        beam = dt.Beam(dt.Section.rectangle(width=0.02, height=0.02), ALUMINIUM)
        m.add_body("rod", dt.Flexible.from_beam(beam, length=length, elements=4, modes=2))
        m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0))
        return m

    with pytest.raises(ValueError, match='modes of flexible body "rod"'):
        dt.parameter_derivatives(model, {"length": 1.0})
