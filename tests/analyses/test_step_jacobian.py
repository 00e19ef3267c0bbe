"""Steps with derivatives: against differences, the run itself, and the linear system in the limit."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import duoti as dt


def cart_pole(**parameters: float) -> dt.Model:
    m = dt.Model("cart-pole", parameters={"u": 0.0, "c": 0.1, **parameters})
    m.add_body("cart", dt.Inertia.point(1.0))
    m.add_body("pole", dt.Inertia.rod(0.2, length=1.0, axis="z"), position=(0, 0, 0.5))
    m.add_joint("X", dt.Prismatic("x"), m.ground, "cart")
    m.add_joint("A", dt.Revolute("y"), "cart", "pole", at=(0, 0, 0), q0=0.4, v0=-0.3)
    m.add_force("push", dt.JointTorque("X", "u"))
    m.add_force("friction", dt.JointTorque("A", "-c*A.rate"))
    return m


def ball() -> dt.Model:
    """Two bodies on ball joints (quaternions), with a first-order state behind the torque."""
    m = dt.Model("two bodies on balls", parameters={"u": 0.5})
    for i in range(2):
        m.add_body(f"b{i}", dt.Inertia(1.0, matrix=np.diag([0.02, 0.03, 0.04])), position=(0.5 * i + 0.25, 0, 0))
        m.add_joint(f"J{i}", dt.Spherical(), m.ground if i == 0 else "b0", f"b{i}", at=(0.5 * i, 0, 0))
    m.add_state("lag", "5*(u - lag)", 0.2)
    m.add_force("push", dt.AppliedForce("b1", ["lag", 0, "2*lag"]))
    return m


def slider_crank() -> dt.Model:
    m = dt.Model("slider-crank", parameters={"u": 0.2})
    m.add_body("crank", dt.Inertia.rod(0.4, length=0.1, axis="x"), position=(0.05, 0, 0))
    m.add_body("rod", dt.Inertia.rod(0.2, length=0.3, axis="x"), position=(0.25, 0, 0))
    m.add_body("slider", dt.Inertia.point(0.1), position=(0.4, 0, 0))
    m.add_joint("A", dt.Revolute("y"), m.ground, "crank", at=(0, 0, 0), q0=0.7, v0=3.0)
    m.add_joint("B", dt.Revolute("y"), "crank", "rod", at=(0.1, 0, 0))
    m.add_joint("C", dt.Revolute("y"), "rod", "slider", at=(0.4, 0, 0))
    m.add_joint("S", dt.Prismatic("x"), m.ground, "slider", at=(0.4, 0, 0))
    m.add_force("drive", dt.JointTorque("A", "u"))
    m.add_force("damper", dt.JointDamping("S", damping=0.5))
    return m


def differences(f: Callable[[Any], Any], x: np.ndarray, h: float = 1e-4) -> np.ndarray:
    """Central, once extrapolated: the error is about h^4 and 1e-16/h."""

    def central(h: float) -> np.ndarray:
        return np.array([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(len(x))]).T

    return (4 * central(h / 2) - central(h)) / 3


CASES = {
    "cart-pole": (cart_pole, ["u"], ["c", "pole.mass"], None),
    "four steps": (cart_pole, ["u"], ["c"], dt.RK4(0.0025)),
    "Radau": (cart_pole, ["u"], ["c", "pole.mass"], dt.Radau()),
    "quaternions and states": (ball, ["u"], ["b1.mass"], None),
    "loop": (slider_crank, ["u"], ["damper.damping"], dt.RK4(0.0005)),
}


@pytest.mark.parametrize("case", CASES)
def test_against_differences(case: str) -> None:
    """1e-8: differences of entries of size one keep eleven digits, less where a projection ends at its tolerance."""
    build, inputs, parameters, solver = CASES[case]
    f = dt.StepJacobian(build(), inputs, parameters, step=0.01, solver=solver)
    x, u = f.x0, f.u0 + 0.3
    for _ in range(3):  # away from the special initial state
        x = f(x, u).x
    s = f(x, u, 0.0, f.p0)
    np.testing.assert_allclose(s.A, differences(lambda y: f(y, u).x, x), atol=1e-8)
    np.testing.assert_allclose(s.B, differences(lambda w: f(x, w).x, u), atol=1e-8)
    np.testing.assert_allclose(s.P, differences(lambda p: f(x, u, 0.0, p).x, f.p0), atol=1e-8)


@pytest.mark.parametrize("build", [cart_pole, ball, slider_crank])
def test_the_state_is_that_of_a_run(build: Callable[[], dt.Model]) -> None:
    """1e-13: the same operations, summed in another order."""
    f = dt.StepJacobian(build(), ["u"], step=0.01)
    x = f.x0
    for k in range(10):
        x = f(x, f.u0, 0.01 * k).x
    r = dt.simulate(build(), 0.1, outputs="steps", solver=dt.RK4(0.01))
    np.testing.assert_allclose(x, np.hstack([r.q[-1], r.v[-1], r.z[-1]]), atol=1e-13)


def test_drift_of_loops_tells_the_error() -> None:
    """Changes of the projection's direction are left out: an error of the order of the drift, which is said."""
    errors, drifts = [], []
    for h in (0.01, 0.005):
        f = dt.StepJacobian(slider_crank(), step=0.01, solver=dt.RK4(h))
        x = f(f.x0).x
        s = f(x)
        errors.append(np.max(np.abs(s.A - differences(lambda y, f=f: f(y).x, x))))
        drifts.append(s.drift)
    assert errors[1] < errors[0] / 10
    assert 0.0 < drifts[1] < drifts[0] / 10
    assert errors[0] < 100 * drifts[0]


def test_the_limit_is_the_linear_system() -> None:
    """(A - 1)/h tends to the matrix of the linear system with an error of h/2 times its square."""
    m = cart_pole()
    lin = dt.linearise(m, ([0.0, np.pi], [0.0, 0.0]), inputs=["u"])
    h = 1e-5
    a = dt.StepJacobian(m, ["u"], step=h)(np.array([0.0, np.pi, 0.0, 0.0]), [0.0])
    np.testing.assert_allclose((a.A - np.eye(4)) / h, lin.A, atol=h * np.max(np.abs(lin.A @ lin.A)))
    np.testing.assert_allclose(a.B / h, lin.B, atol=h * np.max(np.abs(lin.A @ lin.B)))


def test_outputs() -> None:
    f = dt.StepJacobian(cart_pole(), ["u"], ["c"], step=0.01, outputs=["pole.position.z", "c*A.rate + u"])
    x = np.array([0.2, 0.5, 0.1, -1.0])
    y, C, D = f.measure(x, [2.0])
    np.testing.assert_allclose(y, [0.5 * np.cos(0.5), 1.9], rtol=1e-14)
    np.testing.assert_allclose(C, [[0, -0.5 * np.sin(0.5), 0, 0], [0, 0, 0, 0.1]], atol=1e-14)
    np.testing.assert_allclose(D, [[0], [1]], atol=1e-14)
    np.testing.assert_allclose(f.measure(x, [2.0]).P, [[0], [-1]], atol=1e-14)


def test_refusals() -> None:
    with pytest.raises(ValueError, match=r"inputs force are not declared.*"):
        dt.StepJacobian(cart_pole(), ["force"], step=0.01)
    m = cart_pole()
    m.add_event("end", dt.Event("A.angle - 1", terminal=True))
    with pytest.raises(ValueError, match="events end"):
        dt.StepJacobian(m, ["u"], step=0.01)
    with pytest.raises(ValueError, match="GeneralisedAlpha"):
        dt.StepJacobian(cart_pole(), ["u"], step=0.01, solver=dt.GeneralisedAlpha(step=0.01))
    with pytest.raises(ValueError, match="does not divide"):
        dt.StepJacobian(cart_pole(), ["u"], step=0.01, solver=dt.RK4(0.003))
    f = dt.StepJacobian(cart_pole(), ["u"], step=0.01)
    with pytest.raises(ValueError, match="give 4 finite numbers"):
        f([0.0, 0.0])
    with pytest.raises(ValueError, match="name the outputs"):
        f.measure(f.x0, [0.0])


@pytest.fixture(scope="module")
def guide() -> dict[str, Any]:
    """What the guide page computes: a Kalman filter, and the swing-up of a cart-pole."""
    page = Path(__file__).parents[2] / "docs/guide/studies/step_jacobians.md"
    found: dict[str, Any] = {}
    for block in re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL):
        exec(block, found)
    return found


def test_the_filter_is_consistent(guide: dict[str, Any]) -> None:
    """Normalised squared errors of five states: 5 on average if the covariance is right.

    Errors at successive times are correlated, so that the mean of one run varies widely: a factor 3 is allowed.
    """
    g = guide
    errors = g["filtered"] - np.column_stack([g["truth"], np.full(len(g["t"]), 0.08)])
    squared = (errors / g["deviations"])[50:] ** 2
    assert 1 / 3 < np.mean(squared) < 3
    assert g["closed_loop"] < 0.1 * g["open_loop"]
    assert abs(g["filtered"][-1, 4] - 0.08) < 3 * g["deviations"][-1, 4]


def test_the_swing_up_is_that_of_a_simulation(guide: dict[str, Any]) -> None:
    """The inputs that iLQR found swing the pole up in a run with its own error control, too."""
    us = np.array([float(u[0]) for u in guide["us"]])
    m = guide["cart_pole"](np.pi)
    q, v = np.array([0.0, np.pi]), np.zeros(2)
    system = dt.compile(m)
    for u in us:
        r = dt.simulate(system.with_parameters({"u": u}), 0.02, at=(q, v), rtol=1e-9, atol=1e-10)
        assert r.ok
        q, v = r.q[-1], r.v[-1]
    np.testing.assert_allclose(np.hstack([q, v]), 0.0, atol=0.1)
