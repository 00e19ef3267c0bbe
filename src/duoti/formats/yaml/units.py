"""Numbers with units in model files: `12 mm`, `30 deg`, `1200 rpm`, `2 kN/m`, `1 kg m^2`; all become SI.

A dimension is the exponents of kg, m, s, A, K and rad. The radian counts as a unit of its own where an angle or an
angular rate is meant; elsewhere (N m/rad) it may be written or left out.
"""

from __future__ import annotations

import math
import re
from collections.abc import Container, Iterable
from functools import lru_cache
from typing import NamedTuple

from duoti.model.errors import did_you_mean


class Dimension(NamedTuple):
    """Exponents of the base units."""

    kg: int = 0
    m: int = 0
    s: int = 0
    A: int = 0
    K: int = 0
    rad: int = 0

    def __mul__(self, power: int) -> Dimension:  # pyright: ignore[reportIncompatibleMethodOverride]
        return Dimension(*(power * x for x in self))

    def plus(self, other: Dimension) -> Dimension:
        """Dimension of a product."""
        return Dimension(*(a + b for a, b in zip(self, other, strict=True)))


_LENGTH, _TIME, _MASS, _ANGLE = Dimension(m=1), Dimension(s=1), Dimension(kg=1), Dimension(rad=1)
_FORCE, _PRESSURE = Dimension(1, 1, -2), Dimension(1, -1, -2)
_ENERGY, _POWER = Dimension(1, 2, -2), Dimension(1, 2, -3)

UNITS: dict[str, tuple[float, Dimension]] = {
    "1": (1.0, Dimension()),
    "%": (0.01, Dimension()),
    "m": (1.0, _LENGTH),
    "in": (0.0254, _LENGTH),
    "inch": (0.0254, _LENGTH),
    "ft": (0.3048, _LENGTH),
    "l": (1e-3, _LENGTH * 3),
    "L": (1e-3, _LENGTH * 3),
    "g": (1e-3, _MASS),
    "t": (1e3, _MASS),
    "lb": (0.45359237, _MASS),
    "s": (1.0, _TIME),
    "min": (60.0, _TIME),
    "h": (3600.0, _TIME),
    "rad": (1.0, _ANGLE),
    "deg": (math.pi / 180.0, _ANGLE),
    "°": (math.pi / 180.0, _ANGLE),
    "rev": (2.0 * math.pi, _ANGLE),
    "rpm": (2.0 * math.pi / 60.0, Dimension(s=-1, rad=1)),
    "Hz": (1.0, Dimension(s=-1)),
    "N": (1.0, _FORCE),
    "Nm": (1.0, _ENERGY),
    "lbf": (0.45359237 * 9.80665, _FORCE),
    "Pa": (1.0, _PRESSURE),
    "bar": (1e5, _PRESSURE),
    "psi": (0.45359237 * 9.80665 / 0.0254**2, _PRESSURE),
    "J": (1.0, _ENERGY),
    "W": (1.0, _POWER),
    "A": (1.0, Dimension(A=1)),
    "V": (1.0, Dimension(1, 2, -3, -1)),
    "Ohm": (1.0, Dimension(1, 2, -3, -2)),
    "F": (1.0, Dimension(-1, -2, 4, 2)),
    "H": (1.0, Dimension(1, 2, -2, -2)),
    "K": (1.0, Dimension(K=1)),
}
"""Factor to SI and dimension of each unit; the factors of in, ft, lb, lbf are exact by definition."""

PREFIXES = {"n": 1e-9, "u": 1e-6, "µ": 1e-6, "μ": 1e-6, "m": 1e-3, "c": 1e-2, "d": 1e-1, "k": 1e3, "M": 1e6, "G": 1e9}
PREFIXED = ("m", "g", "s", "rad", "Hz", "N", "Nm", "Pa", "bar", "J", "W", "A", "V", "Ohm", "F", "H", "l", "L")

NUMBER = r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
_QUANTITY = re.compile(rf"(?P<number>{NUMBER})\s*(?P<unit>(?![eE][-+0-9])[^\W\d_].*|[°%].*)?", re.DOTALL)
LONGEST = 200  # characters of a unit
_WORD = re.compile(r"\s*(?P<sign>[*·/]?)\s*(?P<unit>[^\W\d_]+|[°%1])(?:(?:\^|\*\*)?(?P<power>[-+]?[0-9]{1,2}))?\s*")
_POWERS = str.maketrans({"²": "^2", "³": "^3"})
_INVERSE = {"": 1, "*": 1, "·": 1, "/": -1}


class UnitError(ValueError):
    """A unit that does not exist or does not fit."""


class WrongUnitError(UnitError):
    """A unit that exists, but is of another dimension than the value."""


def quantity(text: str, expected: Iterable[str] = ()) -> float | None:
    """The number in SI units of a text such as "12 mm"; None if the text is no number with a unit.

    `expected`: units that are good for the value; none of them means that any unit is.
    """
    parts = _QUANTITY.fullmatch(text.strip())
    if parts is None:
        return None
    number = float(parts["number"])
    if not parts["unit"]:
        return number
    if len(parts["unit"]) > LONGEST:
        raise UnitError(
            f"{text.strip()[:60]!r}...: a unit has at most {LONGEST} characters, this one {len(parts['unit'])}"
        )
    factor, dimension = unit(parts["unit"])
    wanted = list(expected)
    if wanted and not any(fits(dimension, unit(each)[1]) for each in wanted):
        raise WrongUnitError(f"{text.strip()[:60]!r} is {named(dimension)}, but {_or(wanted)} is needed here")
    return number * factor


def unit_in_a_law(text: str, names: Container[str]) -> str:
    """Why the text of a law is no number with a unit although it begins like one; empty if all is well.

    "120 rpm * t" is 120 rpm times the time for its reader, and 120 rpm times a tonne for the table of units. Units
    cannot stand in expressions, so it is neither: in a law the word t is never a unit, and a word after * that is one
    of `names` neither. What is no unit after a unit ("3 N*sin(t)") is an expression with a unit in it.
    """
    parts = _QUANTITY.fullmatch(text.strip())
    if parts is None or not parts["unit"] or len(parts["unit"]) > LONGEST:
        return ""
    shown = repr(text.strip()[:60])
    words = list(_WORDS.finditer(parts["unit"]))
    first = words[0].group("unit") if words else ""
    for word in words[1:]:
        name, sign = word["unit"], word["sign"]
        if name == "t" or (sign == "*" and name in names):
            what = "the time" if name == "t" else f"the parameter {name!r}"
            return f"{shown}: is {name!r} {what} or a unit? {_no_units(parts['number'], first)}"
    if first == "t" and len(words) == 1:
        return f"{shown}: in a law t is the time; write {parts['number']}*t, or a mass in kg"
    try:
        unit(parts["unit"])
    except UnitError:
        if _is_unit(first) and (len(words) > 1 or first != parts["unit"].strip()):
            return f"{shown}: {_no_units(parts['number'], first)}"
    return ""


_WORDS = re.compile(r"(?P<sign>[*·/]?)\s*(?P<unit>[^\W\d_]\w*|[°%])")


def _no_units(number: str, word: str) -> str:
    return (
        f"a number with a unit cannot be a part of an expression. Make a parameter of it (x: {number} {word}) and "
        "write x, or write the number in SI units"
    )


def _is_unit(word: str) -> bool:
    try:
        return bool(unit(word))
    except UnitError:
        return False


def _or(units: list[str]) -> str:
    return " or ".join(named(unit(each)[1], each) for each in units)


def fits(given: Dimension, wanted: Dimension) -> bool:
    """Whether a dimension is the wanted one; radians are optional where forces or masses are in it."""
    if given[:5] != wanted[:5]:
        return False
    return given.rad == wanted.rad or wanted.kg != 0


@lru_cache(maxsize=1000)
def unit(text: str) -> tuple[float, Dimension]:
    """Factor and dimension of a unit such as "kN/m" or "kg m^2"; `/` holds for the one unit after it."""
    factor, dimension, at = 1.0, Dimension(), 0
    plain = text.translate(_POWERS).strip()
    while at < len(plain):
        word = _WORD.match(plain, at)
        if word is None or (at == 0 and word["sign"] and word["sign"] != "/"):
            raise UnitError(f"{text[:60]!r} is no unit; write it as in N m/rad, kg m^2, mm, deg, rpm")
        size, base = _simple(word["unit"])
        power = int(word["power"] or 1) * _INVERSE[word["sign"]]
        try:
            factor *= size**power
        except OverflowError:
            raise UnitError(f"{text[:60]!r}: the exponent {power} is too large") from None
        dimension = dimension.plus(base * power)
        at = word.end()
    return factor, dimension


def _simple(word: str) -> tuple[float, Dimension]:
    if word in UNITS:
        return UNITS[word]
    if word[:1] in PREFIXES and word[1:] in PREFIXED:
        size, dimension = UNITS[word[1:]]
        return PREFIXES[word[0]] * size, dimension
    known = [*UNITS, *(prefix + base for base in PREFIXED for prefix in PREFIXES)]
    same = [name for name in known if name.lower() == word.lower()]
    hint = f" Did you mean {' or '.join(map(repr, same[:3]))}?" if same else did_you_mean(word, known)
    raise UnitError(f"there is no unit {word[:60]!r}.{hint}")


_NAMES = {
    Dimension(): "a plain number",
    _LENGTH: "a length [m]",
    _LENGTH * 2: "an area [m^2]",
    _LENGTH * 3: "a volume [m^3]",
    _MASS: "a mass [kg]",
    _TIME: "a time [s]",
    _ANGLE: "an angle [rad]",
    Dimension(s=-1): "a frequency [1/s]",
    Dimension(s=-1, rad=1): "an angular velocity [rad/s]",
    Dimension(s=-2, rad=1): "an angular acceleration [rad/s^2]",
    Dimension(m=1, s=-1): "a velocity [m/s]",
    Dimension(m=1, s=-2): "an acceleration [m/s^2]",
    _FORCE: "a force [N]",
    _ENERGY: "a torque or an energy [N m]",
    _POWER: "a power [W]",
    _PRESSURE: "a pressure [Pa]",
    Dimension(1, 0, -2): "a stiffness [N/m]",
    Dimension(1, 0, -1): "a damping [N s/m]",
    Dimension(1, 2, -2, rad=-1): "a torsional stiffness [N m/rad]",
    Dimension(1, 2, -1, rad=-1): "a torsional damping [N m s/rad]",
    Dimension(1, 2): "a moment of inertia [kg m^2]",
    Dimension(1, -3): "a density [kg/m^3]",
    Dimension(A=1): "a current [A]",
}


def named(dimension: Dimension, otherwise: str = "") -> str:
    """A dimension in words."""
    if dimension in _NAMES:
        return _NAMES[dimension]
    if otherwise:
        return f"something in {otherwise}"
    words = [f"{name}^{power}" if power != 1 else name for name, power in dimension._asdict().items() if power]
    return f"something in {' '.join(words)}"


# What a plain word of a file means: a number, a truth, nothing, or a text (YAML 1.2, core schema).


_NUMBER = re.compile(NUMBER)
_INTEGER = re.compile(r"[-+]?[0-9]+")
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
        return int(word) if _INTEGER.fullmatch(word) and abs(number) < 2.0**53 else number
    if infinite := INFINITE.fullmatch(word):
        return -math.inf if infinite[1] == "-" else math.inf
    return math.nan if word in NOT_A_NUMBER else word
