"""How something was made: what a model file keeps of a mesh or a flexible body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple


class Recipe(NamedTuple):
    """The name of a maker and its arguments."""

    maker: str
    arguments: Mapping[str, Any]
