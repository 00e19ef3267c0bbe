"""The force elements: one file each, discovered, so that a new one is a new file and nothing else."""

from __future__ import annotations

from duoti.model.discovery import discover
from duoti.model.forces.base import Force

FORCE_TYPES: dict[str, type[Force]] = discover(__name__, __path__, Force)
"""All force elements of the package by name."""

__all__ = ["FORCE_TYPES", "Force"]
