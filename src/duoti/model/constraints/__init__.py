"""The constraints: one file each, discovered, so that a new one is a new file and nothing else."""

from __future__ import annotations

from duoti.model.constraints.base import Constraint
from duoti.model.discovery import discover

CONSTRAINT_TYPES: dict[str, type[Constraint]] = discover(__name__, __path__, Constraint)
"""All constraints by name."""

__all__ = ["CONSTRAINT_TYPES", "Constraint"]
