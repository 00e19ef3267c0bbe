"""Reference cases: problems with known answers, one JSON file each in `data/`.

A file has the complete problem (`statement`, `parameters`), the numbers (`reference`, with the tolerance that they
deserve) and where these come from (`source`, `how_verified`).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Case:
    """One case; `p` are its parameters."""

    id: str
    p: dict[str, Any]
    reference: dict[str, Any]

    @property
    def table(self) -> dict[str, np.ndarray]:
        """The reference table, by column."""
        rows = self.reference["values"] if "values" in self.reference else self.reference["values_strings"]
        return dict(zip(self.reference["columns"], np.array(rows, dtype=float).T, strict=True))


opened: list[str] = []
"""The cases that were asked for, in this order."""


def case(name: str) -> Case:
    """The case whose id begins with `name` and an underscore."""
    (path,) = DATA.glob(f"{name}_*.json")
    opened.append(path.stem)
    data = json.loads(path.read_text(encoding="utf-8"))
    return Case(data["id"], data["parameters"], data["reference"])
