"""Algebraic states, 0 = f(t, q, v, z): against roots found by Brent's method, and an equivalent model without them."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import brentq

import duoti as dt

IMPLICIT = [dt.Radau(), dt.Radau(step=0.02), dt.GeneralisedAlpha(), dt.GeneralisedAlpha(step=0.01), dt.Auto()]


def slider(equation: str, force: str, **state) -> dt.Model:
    """A mass on a slide with a force that reads an algebraic state."""
    m = dt.Model("algebraic loop", gravity=(0, 0, 0))
    m.add_body("mass", dt.Inertia.sphere(1.0, 0.1))
    m.add_joint("slide", dt.Prismatic("x"), m.ground, "mass", q0=0.5)
    m.add_state("current", equation, algebraic=True, **state)
    m.add_state("charge", "current - charge")
    m.add_force("drive", dt.JointTorque("slide", force))
    return m


def cubic(**state) -> dt.Model:
    """A characteristic like that of two diodes: no expression solves it for the current."""
    return slider("current + current^3 - slide.position - sin(t)", "-2*current", **{"initial": 3.0, **state})


def root(t: float, x: float) -> float:
    return float(brentq(lambda z: z + z**3 - x - np.sin(t), -5, 5, xtol=1e-15))


@pytest.mark.parametrize("solver", IMPLICIT, ids=repr)
def test_the_equation_holds_at_every_output(solver):
    """At the start, from a distant guess; at the ends of steps; and between them."""
    for outputs in (0.013, "steps"):
        r = dt.simulate(cubic(), 0.1, outputs=outputs, solver=solver)
        assert r.ok, r.reason
        expected = [root(t, x) for t, x in zip(r.t, r["slide.position"], strict=True)]
        # at steps as exactly as the equations of a step are solved: FINE of alpha, rtol of Radau, less some digits
        assert np.allclose(r["current"], expected, rtol=0, atol=1e-8)


def test_ida():
    pytest.importorskip("sksundae")
    r = dt.simulate(cubic(), 0.1, outputs=0.02, solver=dt.IDA())
    assert np.allclose(r["current"], [root(t, x) for t, x in zip(r.t, r["slide.position"], strict=True)], atol=1e-8)


@pytest.mark.parametrize(("solver", "steps", "order"), [
    (dt.GeneralisedAlpha, (0.04, 0.02), 2), (dt.Radau, (0.1, 0.05), 5),
])  # fmt: skip
def test_the_order_is_kept(solver, steps, order):
    """Half the step, an error 2^order times smaller, as without algebraic states; 15 % for the next term of the series.

    An equation that is linear in the state, so that DOPRI5 can do without it.
    """
    algebraic = slider("2*current - slide.position - slide.velocity*sin(3*t)", "-4*current")
    plain = dt.Model("the same", gravity=(0, 0, 0))
    plain.add_body("mass", dt.Inertia.sphere(1.0, 0.1))
    plain.add_joint("slide", dt.Prismatic("x"), plain.ground, "mass", q0=0.5)
    plain.add_state("charge", "0.5*(slide.position + slide.velocity*sin(3*t)) - charge")
    plain.add_force("drive", dt.JointTorque("slide", "-2*(slide.position + slide.velocity*sin(3*t))"))
    want = dt.simulate(plain, 1.2, outputs=1.2, rtol=1e-13, atol=1e-14)
    errors = []
    for step in steps:
        tight = {"rtol": 1e-12, "atol": 1e-13} if solver is dt.Radau else {}
        got = dt.simulate(algebraic, 1.2, outputs=1.2, solver=solver(step=step, **tight))
        names = ("slide.position", "slide.velocity", "charge")
        errors.append(np.array([got[name][-1] - want[name][-1] for name in names]))
    ratio = np.linalg.norm(errors[0]) / np.linalg.norm(errors[1])
    assert ratio == pytest.approx(2.0**order, rel=0.15)


def test_two_equations_and_a_jump():
    """After a jump of another state, the algebraic ones follow at once: a + b = s, a - b = 2 a b - 1."""
    m = dt.Model("two", gravity=(0, 0, 0))
    m.add_body("mass", dt.Inertia.sphere(1.0, 0.1))
    m.add_joint("slide", dt.Prismatic("x"), m.ground, "mass", v0=1.0)
    m.add_state("s", "0*t", initial=1.0)
    m.add_state("a", "a + b - s", algebraic=True, initial=0.5)
    m.add_state("b", "a - b - 2*a*b + 1", algebraic=True, initial=0.5)
    m.add_event(
        "switch", dt.Event("slide.position - 0.05", jump=lambda t, q, v, z: (q, v, z + np.array([1.0, 0.0, 0.0])))
    )
    for solver in (dt.Radau(), dt.GeneralisedAlpha(step=0.01)):
        r = dt.simulate(m, 0.1, outputs="steps", solver=solver)
        assert r.ok, r.reason
        a, b, s = r["a"], r["b"], r["s"]
        assert set(s.tolist()) == {1.0, 2.0}
        assert np.allclose(a + b, s, atol=1e-9)
        assert np.allclose(a - b, 2 * a * b - 1, atol=1e-9)


def test_explicit_solvers_refuse_them():
    for solver in (dt.DOPRI5(), dt.RK4(step=0.01)):
        with pytest.raises(ValueError, match=r'state "current" is algebraic.*choose an implicit solver'):
            dt.simulate(cubic(), 0.1, solver=solver)


def test_equations_without_a_solution_are_refused():
    with pytest.raises(dt.ModelError, match='state "current": no value solves its equation'):
        dt.simulate(slider("current^2 + 1", "0*t"), 0.1, solver=dt.Radau())
    with pytest.raises(dt.ModelError, match='state "current": no value solves its equation'):
        dt.simulate(slider("slide.position", "0*t"), 0.1, solver=dt.Radau())


def test_an_algebraic_state_has_no_rate():
    r = dt.simulate(cubic(), 0.01, outputs=0.01, solver=dt.Radau())
    with pytest.raises(dt.errors.ChannelError, match='state "current" is algebraic'):
        r["current.rate"]
    assert np.all(np.isfinite(r["charge.rate"]))


def test_files_keep_them(tmp_path):
    path = tmp_path / "loop.yaml"
    cubic(unit="A").save(path)
    assert "algebraic: true" in path.read_text()
    again = dt.load(path)
    assert again.states["current"].algebraic
    assert not again.states["charge"].algebraic
    whole = dt.Model("whole", gravity=(0, 0, 0))
    whole.add_submodel("part", again)
    assert whole.states["part.current"].algebraic
    with pytest.raises(dt.ModelError, match="algebraic is 1; it is True or False"):
        dt.compile(_wrong())


def _wrong() -> dt.Model:
    m = cubic()
    m.states["current"].algebraic = 1  # pyright: ignore[reportAttributeAccessIssue]
    return m
