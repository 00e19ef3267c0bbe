"""Outputs between steps in which a body turns far: methods whose unknowns are displacements make such steps."""

import numpy as np
import pytest

import duoti as dt

RATE = np.array([0.0, 30.0, 15.0])  # [rad/s], about 5 turns a second
TIMES = np.linspace(0.0, 3.0, 401)


def spinning_ball() -> dt.Model:
    model = dt.Model("spinning ball")
    ball = model.add_body("ball", dt.Inertia.sphere(1.0, radius=0.1), position=(0, 0, 0.3))
    model.add_joint("free", dt.Free(), model.ground, ball, at=(0, 0, 0.3), v0=(1.0, 0, 0, *RATE))
    return model


def tumbling_body() -> dt.Model:
    model = dt.Model("tumbling body")
    body = model.add_body("body", dt.Inertia(1.0, matrix=np.diag([0.01, 0.02, 0.03])), position=(0, 0, 1))
    model.add_joint("free", dt.Free(), model.ground, body, at=(0, 0, 1), v0=(1.0, 0, 0, 0.3, 10.0, 0.5))
    return model


def distance(a, b):
    """Largest difference of quaternions but for their sign."""
    return np.minimum(np.abs(a - b).max(axis=1), np.abs(a + b).max(axis=1)).max()


@pytest.mark.parametrize("solver", ["Radau", "Rodas", "GeneralisedAlpha", "HHT", "Newmark"])
def test_a_ball_that_spins_steadily(solver):
    """Its steps are limited by nothing but the run; the rotation between them is known in closed form."""
    r = dt.simulate(spinning_ball(), duration=3.0, outputs=TIMES, solver=getattr(dt, solver)(), rtol=1e-6, atol=1e-8)
    assert r.ok, r.reason
    rate = np.linalg.norm(RATE)
    exact = np.column_stack([np.cos(rate * TIMES / 2), *(np.sin(rate * TIMES / 2) * c for c in RATE / rate)])
    # the rotation of 100 rad by rtol 1e-6: 1e-4; Rodas integrates quaternions and comes to 6e-6, the others are exact
    assert distance(r["ball.rotation"], exact) < (1e-4 if solver == "Rodas" else 1e-9)


@pytest.mark.parametrize(("solver", "order"), [("Radau", 3.5), ("GeneralisedAlpha", 1.8)])
def test_outputs_of_a_tumbling_body_converge(solver, order):
    """Outputs between constant steps of up to 0.5 rad converge with the order of the dense output or the method."""
    exact = dt.simulate(tumbling_body(), duration=1.0, outputs=TIMES / 3, solver=dt.DOP853(), rtol=1e-12, atol=1e-13)
    errors = []
    for step in (0.04, 0.02, 0.01):
        r = dt.simulate(tumbling_body(), duration=1.0, outputs=TIMES / 3, solver=getattr(dt, solver)(step=step))
        assert r.ok, r.reason
        errors.append(distance(r["body.rotation"], exact["body.rotation"]))
    assert np.log2(errors[0] / errors[1]) > order
    assert np.log2(errors[1] / errors[2]) > order
