"""Types discovered in a folder, so that a new type is a new file and nothing else."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Iterable
from typing import Any, TypeVar

T = TypeVar("T")


def discover(package: str, path: Iterable[str], base: type[T]) -> dict[str, type[T]]:
    """All finished subclasses of `base` in the modules of a package, by the name of their kind, in its order."""
    found: dict[str, Any] = {}
    for info in pkgutil.iter_modules(path):
        module = importlib.import_module(f"{package}.{info.name}")
        for cls in vars(module).values():
            finished = inspect.isclass(cls) and issubclass(cls, base) and not inspect.isabstract(cls)
            if finished and isinstance(vars(cls).get("kind"), str):
                found[vars(cls)["kind"]] = cls
    return dict(sorted(found.items()))
