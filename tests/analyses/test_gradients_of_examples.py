"""Gradients of bundled models of every kind, against differences of runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.system.parameters import with_values

EXAMPLES = Path(dt.__file__).parent / "examples"
CASES = {  # a channel of the last body, parameters, duration
    "hoist": ("velocity.z", ["drum.mass", "gravity.z"], 0.02),  # a bond graph and a constraint
    "four_bar": ("velocity.x", ["crank.mass", "gravity.z"], 0.2),
    "governor": ("velocity.x", ["shaft.mass", "gravity.z"], 0.2),
    "furuta": ("velocity.x", ["arm.mass", "gravity.z"], 0.2),
    "rolling_coin": ("velocity.x", ["coin.mass", "gravity.z"], 0.2),  # nonholonomic
    "suspension": ("velocity.x", ["body.mass", "spring.stiffness"], 0.2),
    "satellite": ("velocity.x", ["bus.mass", "spring.stiffness"], 0.2),  # a free body
}


@pytest.mark.parametrize(
    "solver", [dt.DOPRI5(rtol=1e-10, atol=1e-12), dt.Radau(rtol=1e-10, atol=1e-12)], ids=["DOPRI5", "Radau"]
)
@pytest.mark.parametrize("name", CASES)
def test_examples(name: str, solver: dt.integrate.Solver) -> None:
    channel, names, duration = CASES[name]
    m = dt.load(EXAMPLES / f"{name}.yaml")
    objective = dt.Objective(final=f"{list(m.bodies)[-1]}.{channel}")
    g = dt.gradient(m, objective, names, duration=duration, solver=solver)
    assert np.any(np.abs(g.gradient) > 0.0)
    size = np.max(np.abs(g.gradient * g.values))
    for parameter, value, slope in zip(g.names, g.values, g.gradient, strict=True):

        def end(x: float, parameter: str = parameter) -> float:
            made = with_values(m, {parameter: x})
            return dt.gradient(made, objective, ["gravity.x"], duration=duration, solver=solver).value

        h = 1e-3 * (abs(value) or 1.0)
        first, second = [(end(value + x) - end(value - x)) / (2 * x) for x in (h, h / 2)]
        # runs repeat to the tolerance of their solver; divided by the change of the parameter
        allowed = 1e-6 * (abs(slope) + size / (abs(value) or 1.0))
        assert slope == pytest.approx((4 * second - first) / 3, abs=allowed), parameter
