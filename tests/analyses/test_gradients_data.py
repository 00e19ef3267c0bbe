"""Objectives with data: sums of squares at given times."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.sensitivity.equation_sensitivities import extrapolated

TIMES = np.array([0.0, 0.103, 0.2, 0.2, 0.37, 0.9, 1.0])  # at steps and between them
ANGLES = np.cos(TIMES)


def arm() -> dt.Model:
    m = dt.Model("arm", parameters={"c": 0.2})
    m.add_body("upper", dt.Inertia.box(1.0, size=(0.05, 0.1, 1.0)), position=(0, 0, -0.5))
    m.add_body("lower", dt.Inertia.box(0.7, size=(0.05, 0.1, 1.0)), position=(0, 0, -1.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, "upper", at=(0, 0, 0), q0=1.0)
    m.add_joint("B", dt.Spherical(), "upper", "lower", at=(0, 0, -1), v0=(0.3, 0.2, 0.1))
    m.add_force("air", dt.JointTorque("A", "-c*v"))
    return m


def objective(sigma: float = 0.5) -> dt.Objective:
    data = {"A.angle": (TIMES, ANGLES, sigma), "lower.position.x": (TIMES, 0 * TIMES)}
    return dt.Objective(integral="0.3*A.angle^2", data=data)


SOLVERS = [dt.RK4(step=0.02), dt.Radau(step=0.02, rtol=1e-12, atol=1e-13)]


@pytest.mark.parametrize("solver", SOLVERS, ids=["RK4", "Radau"])
@pytest.mark.parametrize("parameter", ["upper.mass", "c", "A.q0", "B.at.z"])
def test_against_differences(parameter: str, solver: dt.integrate.Solver) -> None:
    """1e-9: what extrapolated differences of whole runs have; the solver's interpolation is part of the objective.

    1e-6 for Radau: between steps it interpolates rotations in local coordinates, the objective quaternions; the two
    polynomials differ by less than their own error, of order 4 in a step of 0.02.
    """
    tolerance = 1e-6 if isinstance(solver, dt.Radau) else 1e-9
    m = arm()
    system = dt.compile(m)
    g = dt.gradient(m, objective(), [parameter], duration=1.0, solver=solver)

    def run(x: float) -> Any:
        r = dt.simulate(system.with_parameters({parameter: x}), 1.0, np.unique(TIMES), solver=solver)
        rows = np.searchsorted(np.unique(TIMES), TIMES)
        first = np.sum(((r["A.angle"][rows] - ANGLES) / 0.5) ** 2)
        return np.array([first + np.sum(r["lower.position"][rows, 0] ** 2)])

    plain = dt.gradient(m, dt.Objective(integral="0.3*A.angle^2"), [parameter], duration=1.0, solver=solver)
    wanted, _ = extrapolated(run, float(g.values[0]), abs(float(g.values[0])) or 1.0)
    assert g.value == pytest.approx(
        plain.value + run(float(g.values[0]))[0], rel=1e-3 * tolerance if tolerance < 1e-6 else tolerance
    )
    assert g.gradient[0] - plain.gradient[0] == pytest.approx(wanted[0], rel=tolerance, abs=tolerance)


def test_generalised_alpha_at_its_steps() -> None:
    solver = dt.GeneralisedAlpha(step=0.01)
    data = {"A.angle": (np.array([0.1, 0.37, 1.0]), np.zeros(3))}
    g = dt.gradient(arm(), dt.Objective(data=data), ["upper.mass"], duration=1.0, solver=solver)
    s = dt.sensitivities(arm(), ["A.angle"], ["upper.mass"], duration=1.0, outputs=data["A.angle"][0], solver=solver)
    assert g["upper.mass"] == pytest.approx(2 * s["A.angle"] @ s.derivatives[:, 0, 0], rel=1e-12)
    with pytest.raises(ValueError, match="at their steps alone"):
        dt.gradient(arm(), objective(), ["upper.mass"], duration=1.0, solver=solver)


def test_minimise_finds_what_fit_finds() -> None:
    """The same least squares, by gradients instead of Jacobians."""
    m, times = arm(), np.linspace(0.0, 1.0, 21)
    r = dt.simulate(m, 1.0, times)
    made = r["A.angle"] + 0.01 * np.random.default_rng(1).standard_normal(21)
    bounds = {"upper.mass": (0.5, 3.0), "c": (0.0, 2.0)}
    f = dt.fit(m, {"A.angle": (times, made)}, bounds)
    o = dt.minimise(m, dt.Objective(data={"A.angle": (times, made, 0.01)}), bounds, duration=1.0, progress=False)
    for name in bounds:
        assert o.values[name] == pytest.approx(f.values[name], rel=1e-3)


def test_faulty_data_are_named() -> None:
    with pytest.raises(ValueError, match=r"A\.angle: give \(t, y\)"):
        dt.Objective(data={"A.angle": np.zeros(3)})
    with pytest.raises(ValueError, match=r"the run ends at 0\.5 s"):
        dt.gradient(arm(), objective(), ["c"], duration=0.5, solver=dt.RK4(step=0.02))


def pendulum() -> dt.Model:
    m = dt.Model("pendulum")
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="z"), position=(0, 0, -0.5))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", at=(0, 0, 0), q0=1.0)
    return m


def four_bar() -> dt.Model:
    m = dt.Model("four-bar")
    for name, length, axis, place in (
        ("a", 0.3, "z", (0, 0, 0.15)), ("b", 1.0, "x", (0.5, 0, 0.4)), ("c", 0.5, "z", (1.0, 0, 0.25))
    ):  # fmt: skip
        m.add_body(name, dt.Inertia.rod(1.0, length=length, axis=axis), position=place)
    m.add_joint("A", dt.Revolute("y"), m.ground, "a", at=(0, 0, 0), v0=2.0)
    m.add_joint("B", dt.Revolute("y"), "a", "b", at=(0, 0, 0.3))
    m.add_joint("C", dt.Revolute("y"), "b", "c", at=(1, 0, 0.5))
    m.add_joint("D", dt.Revolute("y"), m.ground, "c", at=(1, 0, 0))
    return m


def test_reaction_in_closed_form() -> None:
    """The tension of a pendulum that swings from a0 is m g (5/2 cos a - 3/2 cos a0), along the rod."""
    objective = dt.Objective(
        final="A.reaction_force.z*cos(A.angle) + A.reaction_force.x*sin(A.angle) - 5/2*9.81*cos(A.angle)"
    )
    g = dt.gradient(pendulum(), objective, ["A.q0"], duration=0.7, solver=dt.RK4(step=1e-3))
    assert g["A.q0"] == pytest.approx(1.5 * 9.81 * np.sin(1.0), rel=1e-8)  # of the run with this step


@pytest.mark.parametrize(
    ("model", "parameters"), [(pendulum, ["rod.mass", "A.q0"]), (four_bar, ["b.mass", "gravity.z"])]
)
def test_reactions_against_differences(model: Any, parameters: list[str]) -> None:
    """At the end and as data, beside an integral. 1e-7: of loops, the drift of a step is not differentiated."""
    m, solver, times = model(), dt.RK4(step=0.001), np.array([0.1, 0.33, 0.5])
    data = {"A.reaction_force.x": (times, np.zeros(3))}
    objective = dt.Objective(integral="A.angle^2", final="A.reaction_force.z^2", data=data)
    g = dt.gradient(m, objective, parameters, duration=0.5, solver=solver)
    plain = dt.gradient(m, dt.Objective(integral="A.angle^2"), parameters, duration=0.5, solver=solver)
    system = dt.compile(m)
    for k, name in enumerate(parameters):

        def run(x: float, name: str = name) -> Any:
            r = dt.simulate(system.with_parameters({name: x}), 0.5, [0.0, *times], solver=solver)
            force = r["A.reaction_force"]
            return np.array([force[-1, 2] ** 2 + np.sum(force[1:, 0] ** 2)])

        wanted, _ = extrapolated(run, float(g.values[k]), 1.0)
        assert g.value == pytest.approx(plain.value + run(float(g.values[k]))[0], rel=1e-9)
        assert g.gradient[k] - plain.gradient[k] == pytest.approx(wanted[0], rel=1e-7)


def test_integrals_of_reactions_are_refused() -> None:
    with pytest.raises(ValueError, match=r"integral of A\.reaction_force\.z reads reactions"):
        dt.gradient(pendulum(), dt.Objective(integral="A.reaction_force.z"), ["rod.mass"], duration=0.5)


@pytest.mark.parametrize("solver", [dt.RK4(step=2e-3), dt.Radau(step=2e-2)], ids=["RK4", "Radau"])
def test_places_of_joints_of_a_loop(solver: dt.integrate.Solver) -> None:
    """The projection at the end of a step depends on lengths by the state there, no stage of Radau's next step.

    1e-5: second-order terms of the difference, and the tolerance of the run over the change; the wrong state made 10 %.
    """
    m, names = four_bar(), ["D.at.z", "B.at.z"]
    g = dt.gradient(m, dt.Objective(final="A.angle"), names, duration=0.2, solver=solver)
    s = dt.sensitivities(m, ["A.angle"], names, duration=0.2, solver=solver)
    np.testing.assert_allclose(g.gradient, s.derivatives[-1, 0], rtol=1e-10)
    system = dt.compile(m)
    for name, slope in zip(names, g.gradient, strict=True):
        value, h = float(g.values[g.names.index(name)]), 1e-4
        ends = [
            dt.simulate(system.with_parameters({name: value + x}), 0.2, [0.0, 0.2], solver=solver)["A.angle"][-1]
            for x in (h, -h)
        ]
        assert slope == pytest.approx((ends[0] - ends[1]) / (2 * h), rel=1e-5)
