"""The constraints: one file each, found by looking, so that a new one is a new file and nothing else."""

from __future__ import annotations

import importlib
import inspect
import pkgutil

from duoti.model.constraints.base import Constraint


def _discover() -> dict[str, type[Constraint]]:
    found: dict[str, type[Constraint]] = {}
    for info in pkgutil.iter_modules(__path__):
        module = importlib.import_module(f"{__name__}.{info.name}")
        for cls in vars(module).values():
            if inspect.isclass(cls) and issubclass(cls, Constraint) and isinstance(vars(cls).get("kind"), str):
                found[cls.kind] = cls
    return dict(sorted(found.items()))


CONSTRAINT_TYPES: dict[str, type[Constraint]] = _discover()
"""All constraints by name."""

__all__ = ["CONSTRAINT_TYPES", "Constraint"]
