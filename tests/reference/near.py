"""Comparison with a reference; `docs/make_validation.py` listens to what is compared."""

from __future__ import annotations

import ast
import linecache
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Comparison:
    """What a test has compared."""

    quantity: str
    """As the test writes it."""
    got: Any
    wanted: Any
    error: float
    tolerance: float
    times: Any
    """Of the result that the test calls r, where they are as many as the numbers."""


listener: Callable[[Comparison], None] | None = None


def assert_near(got, wanted, tolerance, relative=False):
    """The largest difference is at most the tolerance; relative: to the largest of the wanted numbers."""
    __tracebackhide__ = True
    got, wanted = np.asarray(got), np.asarray(wanted)
    error = float(np.max(np.abs(got - wanted), initial=0.0))
    if relative:
        error /= float(np.max(np.abs(wanted)))
    if listener is not None:
        frame = sys._getframe(1)
        while frame.f_code.co_name == "assert_near":  # one that is made of this
            frame = frame.f_back
        times = getattr(frame.f_locals.get("r"), "t", None)
        fits = times is not None and got.ndim and len(times) == len(got)
        listener(Comparison(_first_argument(frame), got, wanted, error, float(tolerance), times if fits else None))
    assert error <= tolerance, f"{'relative ' * relative}error {error:.3g} is above {tolerance:.3g}"


def _first_argument(frame: Any) -> str:
    """The text of what was compared."""
    first = frame.f_lineno
    for last in range(first, first + 12):
        text = textwrap.dedent("".join(linecache.getlines(frame.f_code.co_filename)[first - 1 : last]))
        try:
            tree = ast.parse(text.strip())
        except SyntaxError:
            continue
        for node in ast.walk(tree):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "assert_near":
                return ast.unparse(node.args[0])
    return ""
