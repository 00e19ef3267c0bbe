"""Derivatives of eigenvalues by numbers of a model, along equilibria that move: closed forms, falling differences.

Closed forms are differentiated by a complex step. Exact derivatives agree with them to round-off of A times the
condition of its eigenvalues, 1e-11 with room; central differences of whole equilibria err by h², so that halving h must
leave a quarter of their distance from the exact ones.
"""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.model.laws.expressions import compile_expression, derivative, link
from duoti.model.laws.expressions.lookup_table import Table
from duoti.model.laws.expressions.machine import evaluate_slope
from duoti.model.parameters import find
from duoti.system.parameters import with_values

GRAVITY, NEAR = 9.81, 1e-11


def slopes_of(model, names, start=None):
    """Derivatives of the eigenvalue with the largest imaginary part."""
    d = dt.analyses.equilibrium_derivatives(model, names, start, eigenvalues=True)
    return d.eigenvalue_derivatives[np.argmax(d.eigenvalues.imag)], d


def by_step(function, **given):
    """Derivatives of i sqrt(function) by each argument."""
    found = []
    for name, value in given.items():
        square = function(**{**given, name: value + 1e-30j})
        found.append(0.5j * square.imag / 1e-30 / np.sqrt(square.real))
    return np.array(found)


def test_conical_pendulum():
    """s = i omega sin(angle) with cos(angle) = g / (omega² L): the speed is a prescribed motion's."""
    m = dt.Model("conical pendulum", parameters={"omega": 6.0})
    m.add_body("shaft", dt.Inertia.sphere(1.0, radius=0.1))
    m.add_body("bob", dt.Inertia(2.0, com=(0, 0, -0.5), matrix=np.zeros((3, 3))))
    m.add_joint("turn", dt.Revolute("z"), m.ground, "shaft", at=(0, 0, 0))
    m.add_joint("hinge", dt.Revolute("y"), "shaft", "bob", at=(0, 0, 0), q0=-0.8)
    m.add_constraint("drive", dt.JointMotion("turn", "omega*t"))
    found, d = slopes_of(m, ["gravity.z", "bob.com.z", "omega", "bob.mass"])
    exact = by_step(lambda g, z, omega: omega**2 * (1 - (g / (omega**2 * z)) ** 2), g=-GRAVITY, z=-0.5, omega=6.0)
    assert np.allclose(found, [*exact, 0.0], rtol=NEAR, atol=NEAR)
    assert np.max(d.errors) < 1e-12


def test_length_that_a_constraint_holds():
    """A point on a wire in Cartesian coordinates, s = i sqrt(g/L): exact only if position and force move with L."""
    m = dt.Model("pendulum")
    m.add_body("bob", dt.Inertia.point(2.0), position=(0, 0, -0.7))
    m.add_joint("J", dt.Composite(dt.Prismatic("x"), dt.Prismatic("z")), m.ground, "bob")
    m.add_marker("pivot", m.ground)
    m.add_constraint("wire", dt.Distance("pivot", "bob", 0.7))
    found, _ = slopes_of(m, ["wire.length", "gravity.z", "bob.mass"])
    exact = by_step(lambda length, g: -g / length, length=0.7, g=-GRAVITY)
    assert np.allclose(found, [*exact, 0.0], rtol=NEAR, atol=NEAR)


def test_laws_that_bend():
    """A mass on a nonlinear law, k sinh(x) + c x³ = m g: s² = -(k cosh(x) + 3 c x²) / m, x(k, c, m)."""
    m = dt.Model("hard spring", parameters={"k": 40.0, "c": 900.0})
    m.add_body("mass", dt.Inertia.point(2.0))
    m.add_joint("J", dt.Prismatic("-z"), m.ground, "mass")
    m.add_force("spring", dt.JointTorque("J", "-(k*sinh(q) + c*q^3)"))
    found, d = slopes_of(m, ["k", "c", "mass.mass"])

    def square(k, c, mass):
        x = d.equilibrium.q[0] + 0j
        for _ in range(4):  # Newton's method carries the complex step into x
            x -= (k * np.sinh(x) + c * x**3 - mass * GRAVITY) / (k * np.cosh(x) + 3 * c * x**2)
        return (k * np.cosh(x) + 3 * c * x**2) / mass

    assert np.allclose(found, by_step(square, k=40.0, c=900.0, mass=2.0), rtol=NEAR)


def linkage() -> dt.Model:
    """A spatial loop (redundant rows), a ball joint, a table spring, a law, a state and an algebraic equation."""
    m = dt.Model("linkage", parameters={"gain": 7.0, "T": 0.2})
    for name, x in (("left", 0.0), ("right", 1.0)):
        m.add_body(name, dt.Inertia.box(1.0, size=(0.05, 0.05, 1.0)), position=(x, 0, 0.5))
    m.add_body("bar", dt.Inertia.box(2.0, size=(1.0, 0.1, 0.1)), position=(0.5, 0, 1.0))
    m.add_body("ball", dt.Inertia.sphere(0.5, radius=0.1), position=(0.5, 0, 0.6))
    m.add_joint("A", dt.Revolute("y"), m.ground, "left", at=(0, 0, 0))
    m.add_joint("B", dt.Revolute("y"), "left", "bar", at=(0, 0, 1))
    m.add_joint("C", dt.Revolute("y"), "bar", "right", at=(1, 0, 1))
    m.add_joint("D", dt.Revolute("y"), m.ground, "right", at=(1, 0, 0))
    m.add_joint("S", dt.Spherical(), "bar", "ball", at=(0.5, 0, 1.0))
    m.add_marker("post", m.ground, position=(-0.6, 0.1, 0.9))
    m.add_marker("end", "bar", position=(-0.5, 0, 0))
    m.add_marker("hook", "ball", position=(0.05, 0.1, -0.02))
    m.add_force("spring", dt.TableSpring("post", "end", [-0.3, 0, 0.2, 0.6], [-60, 0, 50, 90], rest_length=0.5))
    m.add_force("damper", dt.JointDamping("B", 0.4))
    m.add_force("pull", dt.SpringDamper("post", "hook", stiffness=20.0, damping=0.3, rest_length=0.4))
    m.add_state("lag", "(sin(A.angle) - lag)/T")
    m.add_force("motor", dt.JointTorque("A", "-gain*lag - 30*tanh(q - 0.1)"))
    return m


def test_against_differences_of_whole_equilibria():
    """All kinds of numbers; the error of central differences falls with the square of their step."""
    m = linkage()
    names = ["bar.mass", "ball.com.x", "spring.rest_length", "pull.stiffness", "gain", "T", "post.position.z"]
    d = dt.analyses.equilibrium_derivatives(m, names, eigenvalues=True)
    assert np.max(d.errors) < 1e-11
    order = np.argsort(d.eigenvalues)
    for k, name in enumerate(names):
        p = find(m, name)
        errors = []
        for h in (0.01 * p.size(m), 0.005 * p.size(m)):
            sides = []
            for s in (1, -1):
                other = with_values(m, {p: p.number(m) + s * h})
                lin = dt.linearise(other, dt.equilibrium(other, d.equilibrium.state))
                distance = np.abs(lin.eigenvalues[None, :] - d.eigenvalues[order][:, None])
                sides.append(lin.eigenvalues[np.argmin(distance, axis=1)])
            errors.append(np.max(np.abs((sides[0] - sides[1]) / (2 * h) - d.eigenvalue_derivatives[order, k])))
        scale = np.max(np.abs(d.eigenvalue_derivatives[:, k]))
        assert errors[1] < max(0.27 * errors[0], 1e-7 * scale), name


def test_equal_and_defective_eigenvalues():
    """Two equal pendulums part when one of them changes; a wheel that turns freely has no derivative to be told."""
    m = dt.Model("twins")
    for name in ("left", "right"):
        m.add_body(name, dt.Inertia(1.0, com=(0, 0, -0.5), matrix=np.zeros((3, 3))))
        m.add_joint(f"{name} hinge", dt.Revolute("y"), m.ground, name, at=(0, 0, 0))
    d = dt.analyses.equilibrium_derivatives(m, ["left.com.z", "gravity.z"], eigenvalues=True)
    exact = by_step(lambda g, z: g / z, g=-GRAVITY, z=-0.5)
    upper = d.eigenvalues.imag > 0.0
    assert np.sort(d.eigenvalue_derivatives[upper, 0].imag) == pytest.approx(sorted([0.0, exact[1].imag]), abs=1e-11)
    assert np.allclose(d.eigenvalue_derivatives[upper, 1], exact[0], rtol=NEAR)
    m.add_body("wheel", dt.Inertia.sphere(1.0, radius=0.2))
    m.add_joint("axle", dt.Revolute("z"), m.ground, "wheel", at=(0, 0, 0))
    d = dt.analyses.equilibrium_derivatives(m, ["wheel.mass"], eigenvalues=True)
    still = np.abs(d.eigenvalues) < 1e-6
    assert still.sum() == 2
    assert np.all(np.isnan(d.eigenvalue_derivatives[still]))
    assert np.allclose(d.eigenvalue_derivatives[~still], 0.0, atol=NEAR)


EXPRESSIONS = (
    "x*y - 3*x/(y + 2)", "x^3 - y^-2", "x^y", "sin(x)*cos(y) + tan(x*y)", "asin(x/3) + acos(y/4) + atan(x*y)",
    "sinh(x) + cosh(y) - tanh(x*y)", "exp(-x)*log(y) + log10(x + y)", "sqrt(x*y)*abs(x - 2)", "atan2(x, y)",
    "hypot(x, y)", "mod(5*x, y)", "min(x, y)*max(x*x, y)", "if(x > 0.5, x*y, y)", "step(x, y - 1, 2*x, y + 1, x*y)",
    "curve(x)*curve(y)", "floor(x) + sign(y)*x",
)  # fmt: skip


@pytest.mark.parametrize("text", EXPRESSIONS)
def test_second_derivatives_of_expressions(text):
    """The slope machine against the symbolic derivative, differentiated by the first-order machine."""
    tables = {"curve": Table("curve", [0, 1, 2, 4], [0, 1, -1, 2], "cubic", "linear")}
    names = ("x", "y")
    program = compile_expression(text, names, tables)
    point, way = {"x": 0.7, "y": 1.3}, {"x": 0.3, "y": -1.1}
    code, _, constants, depth = link([program])
    inputs = np.array([point[name] + 1j * way[name] for name in program.inputs])
    for place, name in enumerate(program.inputs):
        found = evaluate_slope(
            code, 0, len(code), constants.astype(complex), inputs, place, np.zeros(depth, complex),
            np.zeros(depth, complex),
        )  # fmt: skip
        slope = derivative(text, name, tables, names)
        exact = slope.evaluate({n: point[n] + 1j * way[n] for n in slope.inputs}) if slope.inputs else slope.evaluate()
        assert found == pytest.approx(exact, rel=1e-13, abs=1e-13)
