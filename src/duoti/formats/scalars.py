"""What a plain word of a file means: a number, a truth, nothing, or a text (YAML 1.2, core schema)."""

from __future__ import annotations

import math
import re

from duoti.formats.units import NUMBER

_NUMBER = re.compile(NUMBER)
_WHOLE = re.compile(r"[-+]?[0-9]+")
TRUE, FALSE, NULL_WORDS = ("true", "True", "TRUE"), ("false", "False", "FALSE"), ("", "~", "null", "Null", "NULL")
INFINITE = re.compile(r"([-+]?)\.(?:inf|Inf|INF)")
NOT_A_NUMBER = (".nan", ".NaN", ".NAN")


def resolved(word: str) -> float | int | bool | str | None:
    """The value of a plain word. `y`, `on` and the like are texts; whole numbers beyond 2^53 become floats."""
    if word in NULL_WORDS:
        return None
    if word in TRUE or word in FALSE:
        return word in TRUE
    if _NUMBER.fullmatch(word):
        number = float(word)
        return int(word) if _WHOLE.fullmatch(word) and abs(number) < 2.0**53 else number
    if infinite := INFINITE.fullmatch(word):
        return -math.inf if infinite[1] == "-" else math.inf
    return math.nan if word in NOT_A_NUMBER else word
