"""A channel as the page wants it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray


@dataclass
class Channel:
    """Columns over time under one name."""

    name: str
    unit: str
    of: str  # "joint", "body", "marker", "state", "energy", "force"
    item: str
    what: str
    values: NDArray[np.float64]  # (times, columns)
    letters: tuple[str, ...] = ()

    @property
    def head(self) -> dict[str, Any]:
        """All but the numbers."""
        return {"name": self.name, "unit": self.unit, "of": self.of, "item": self.item, "what": self.what,
                "letters": list(self.letters), "size": self.values.shape[1]}  # fmt: skip
