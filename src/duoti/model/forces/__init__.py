"""The force elements: one file each, found by looking, so that a new one is a new file and nothing else."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

from duoti.kernel import fold, helper
from duoti.model.forces.base import Force


def _discover() -> dict[str, type[Force]]:
    found: dict[str, type[Force]] = {}
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        for cls in vars(module).values():
            if inspect.isclass(cls) and issubclass(cls, Force) and not inspect.isabstract(cls) and "kind" in vars(cls):
                found[cls.kind] = cls
    return dict(sorted(found.items()))


FORCE_TYPES: dict[str, type[Force]] = _discover()
"""All force elements by name."""

LAW_CODE: dict[str, int] = {kind: code for code, kind in enumerate(FORCE_TYPES)}
"""Private codes of the laws; files store names."""


@helper
def _no_law(f, t, q, v, loads, w):
    return 0.0 * w.tau[0], 0.0 * w.tau[0], 0.0 * w.tau[0]


apply_force = fold([cls.law for cls in FORCE_TYPES.values()], _no_law)
"""`apply_force(code, f, t, q, v, loads, w)`: the law of the type with this code, for force element f; `forces.base`."""

__all__ = ["FORCE_TYPES", "LAW_CODE", "Force", "apply_force"]
