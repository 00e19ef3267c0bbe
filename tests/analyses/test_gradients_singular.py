"""Gradients of runs whose loops are singular, or nearly so: right, or refused with the time."""

from __future__ import annotations

import math

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.states.warnings import SimulationWarning


def between_planes(angle: float) -> dt.Model:
    """A particle on two planes that meet at a small angle: it moves along y, pushed by (p, p, 0)."""
    m = dt.Model("particle", gravity=(0, 0, 0), parameters={"p": 2.0})
    m.add_body("b", dt.Inertia(1.0, matrix=np.eye(3)))
    m.add_joint("J", dt.Translation(), m.ground, "b")
    m.add_marker("slope", m.ground, rotation=dt.Rotation.about("y", angle))
    m.add_constraint("level", dt.PointOnPlane(m.ground, "b", "z"))
    m.add_constraint("tilted", dt.PointOnPlane("slope", "b", "z"))
    m.add_marker("centre", "b")
    m.add_force("push", dt.AppliedForce("centre", ("p", "p", 0)))
    return m


@pytest.mark.parametrize("angle", [0.1, 0.01])
def test_nearly_dependent_equations(angle: float) -> None:
    """y = p t²/2, and the velocity along x is zero whatever p is.

    The scaled G M^-1 G^T has an eigenvalue of angle²/2. 1e-12: round-off over it, 1e-16 / 5e-5.
    """
    objective = dt.Objective(final="b.velocity.x + b.position.y")
    g = dt.gradient(between_planes(angle), objective, ["p"], duration=1.0, solver=dt.RK4(step=0.1))
    assert g["p"] == pytest.approx(0.5, abs=1e-12)


def test_dependent_equations_that_the_run_does_not_solve() -> None:
    """Nearer still, the run itself says so."""
    objective = dt.Objective(final="b.velocity.x + b.position.y")
    with pytest.warns(SimulationWarning, match="dependent"), pytest.raises(ValueError, match="nearly dependent"):
        dt.gradient(between_planes(1e-5), objective, ["p"], duration=1.0, solver=dt.RK4(step=0.1))


def parallelogram(longer: float) -> dt.Model:
    """A four-bar of two equal cranks whose motions meet when all links are in line, unless its base is longer."""
    m = dt.Model("parallelogram", gravity=(0, 0, 0))
    x, z = 0.5 * math.cos(0.1), 0.5 * math.sin(0.1)
    for name, length, place in (("a", 0.5, (x / 2, 0, z / 2)), ("b", 1.0, (x + 0.5, 0, z)),
                                ("c", 0.5, (1 + longer + x / 2, 0, z / 2))):  # fmt: skip
        m.add_body(name, dt.Inertia.rod(1.0, length=length, axis="x"), position=place)
    m.add_joint("A", dt.Revolute("y"), m.ground, "a", at=(0, 0, 0), v0=1.0)
    m.add_joint("B", dt.Revolute("y"), "a", "b", at=(x, 0, z))
    m.add_joint("C", dt.Revolute("y"), "b", "c", at=(x + 1, 0, z))
    m.add_joint("D", dt.Revolute("y"), m.ground, "c", at=(1 + longer, 0, 0))
    return m


def test_a_singular_position_is_named() -> None:
    """The run goes through; its accelerations there are interpolated, and derivatives by these were wrong by 1e12."""
    objective, solver = dt.Objective(final="A.angle"), dt.RK4(step=1e-3)
    with pytest.raises(RuntimeError, match=r"singular position at t = 0\.(09|1)"):
        dt.gradient(parallelogram(0.0), objective, ["A.v0"], duration=0.2, solver=solver)
    with pytest.raises(RuntimeError, match=r"singular position at t = 0\.(09|1)"):
        dt.sensitivities(parallelogram(0.0), ["A.angle"], ["A.v0"], duration=0.2, solver=solver)
    g = dt.gradient(parallelogram(0.0), objective, ["A.v0"], duration=0.05, solver=solver)
    assert g["A.v0"] == pytest.approx(0.05, rel=1e-9)  # constant speed: a parallelogram's links keep theirs
