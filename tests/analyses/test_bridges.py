"""Examples of the guide for other packages, where these are installed."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest


def page(package: str) -> dict[str, Any]:
    """What the page makes with one of the packages: the blocks that run everywhere first."""
    pytest.importorskip(package)
    text = (Path(__file__).parents[2] / "docs/guide/studies/optimisation.md").read_text(encoding="utf-8")
    ours = re.search(r"```python\n(import math.*?)```", text, re.DOTALL)
    swing = re.search(r"```python\n(names, squared.*?)```", text, re.DOTALL)
    theirs = re.search(rf"```py\n(import {package}.*?)```", text, re.DOTALL)
    found: dict[str, Any] = {}
    for block in (ours, swing, theirs):
        assert block is not None
        exec(block[1], found)
    return found


@pytest.mark.oracle
def test_casadi() -> None:
    """The optimum with a budget c + k/2 = 20 of damper and spring: SciPy's, along the line, is the same."""
    from scipy.optimize import minimize_scalar

    g = page("casadi")
    assert g["ipopt"].stats()["success"]
    c, k = np.array(g["found"]["x"]).ravel()
    assert c + 0.5 * k == pytest.approx(20.0, abs=1e-6)
    along: Any = minimize_scalar(lambda c: g["swing"]([c, 2 * (20 - c)]).value, bounds=(1, 17), method="bounded")
    assert c == pytest.approx(along.x, abs=1e-2)


@pytest.mark.oracle
def test_torch() -> None:
    g = page("torch")
    np.testing.assert_allclose(g["values"].grad.numpy(), g["swing"]([1.0, 20.0]).gradient, rtol=1e-12)


@pytest.mark.oracle
def test_jax() -> None:
    g = page("jax")
    x = np.array([1.0, 20.0])
    np.testing.assert_allclose(g["jax"].grad(g["jax_swing"])(x), g["swing"](x).gradient, rtol=1e-12)
