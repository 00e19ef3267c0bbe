"""Tyre property files (.tir): sections of lines `NAME = value $ comment`, with units."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from duoti.model.tyres.numbers import COMMON, MAGIC
from duoti.spelling import did_you_mean
from duoti.strict import user_level

UNIT_SYSTEMS: dict[str, dict[str, float]] = {
    "LENGTH": {
        "meter": 1.0, "metre": 1.0, "m": 1.0, "millimeter": 1e-3, "millimetre": 1e-3, "mm": 1e-3, "centimeter": 1e-2,
        "centimetre": 1e-2, "cm": 1e-2, "kilometer": 1e3, "kilometre": 1e3, "km": 1e3, "inch": 0.0254, "in": 0.0254,
        "foot": 0.3048, "feet": 0.3048, "ft": 0.3048, "mile": 1609.344,
    },
    "FORCE": {
        "newton": 1.0, "n": 1.0, "kilonewton": 1e3, "knewton": 1e3, "kn": 1e3, "pound_force": 4.4482216152605,
        "lbf": 4.4482216152605, "kilogram_force": 9.80665, "kg_force": 9.80665, "kgf": 9.80665,
    },
    "ANGLE": {"radians": 1.0, "radian": 1.0, "rad": 1.0, "degrees": math.pi / 180.0, "degree": math.pi / 180.0,
              "deg": math.pi / 180.0},
    "MASS": {"kg": 1.0, "kilogram": 1.0, "gram": 1e-3, "g": 1e-3, "megagram": 1e3, "tonne": 1e3,
             "pound_mass": 0.45359237, "lbm": 0.45359237, "slug": 14.593902937206},
    "TIME": {"second": 1.0, "seconds": 1.0, "sec": 1.0, "s": 1.0, "millisecond": 1e-3, "ms": 1e-3, "minute": 60.0,
             "min": 60.0, "hour": 3600.0, "h": 3600.0},
    "PRESSURE": {"pascal": 1.0, "pa": 1.0, "kilopascal": 1e3, "kpa": 1e3, "bar": 1e5, "psi": 6894.757293168},
}  # fmt: skip
"""Names of units in the section [UNITS], in SI."""

_LENGTH, _FORCE, _ANGLE, _TIME = {"LENGTH": 1}, {"FORCE": 1}, {"ANGLE": 1}, {"TIME": 1}
_STIFFNESS, _SPEED = {"FORCE": 1, "LENGTH": -1}, {"LENGTH": 1, "TIME": -1}
_PRESSURE = {"PRESSURE": 1}
DIMENSIONS: dict[str, Mapping[str, int]] = {
    **dict.fromkeys(("UNLOADED_RADIUS", "WIDTH", "RIM_RADIUS", "RIM_WIDTH", "BOTTOM_OFFST"), _LENGTH),
    **dict.fromkeys(("FNOMIN", "FZMIN", "FZMAX"), _FORCE),
    **dict.fromkeys(("ALPMIN", "ALPMAX", "CAMMIN", "CAMMAX"), _ANGLE),
    **dict.fromkeys(("VERTICAL_STIFFNESS", "LONGITUDINAL_STIFFNESS", "LATERAL_STIFFNESS", "BOTTOM_STIFF"), _STIFFNESS),
    **dict.fromkeys(("LONGVL", "VXLOW"), _SPEED),
    **dict.fromkeys(("INFLPRES", "NOMPRES", "PRESMIN", "PRESMAX", "IP", "IP_NOM"), _PRESSURE),
    "VERTICAL_DAMPING": {"FORCE": 1, "LENGTH": -1, "TIME": 1},
}
"""Of the numbers that have units; coefficients of the Magic Formula have none (angles in them are in radians)."""

ALIASES = {"LFZ0": "LFZO", "QV1": "Q_V1", "QV2": "Q_V2", "QFZ2": "Q_FZ2", "QFCX1": "Q_FCX", "QFCX": "Q_FCX",
           "QFCY1": "Q_FCY", "QFCY": "Q_FCY", "QRE0": "Q_RE0", "IP": "INFLPRES", "IP_NOM": "NOMPRES"}  # fmt: skip
"""Other names of the same coefficients."""

GEOMETRY = ("WIDTH", "ASPECT_RATIO", "RIM_RADIUS", "RIM_WIDTH", "BOTTOM_OFFST", "INFLPRES", "FZMIN")
UNUSED = frozenset(
    [
        "FILE_TYPE",
        "FILE_VERSION",
        "FILE_FORMAT",
        "FUNCTION_NAME",
        "USER_SUB_ID",
        "N_TIRE_STATES",
        "USE_MODE",
        "TYRESIDE",
        "ROAD_INCREMENT",
        "ROAD_DIRECTION",
        "HMAX_LOCAL",
        "TIME_SWITCH_INTEG",
        "SWITCH_INTEG",
        "MASS",
        "IXX",
        "IYY",
        "BELT_MASS",
        "BELT_IXX",
        "BELT_IYY",
        "GRAVITY",
        "M_A",
        "I_AY",
        "I_AXZ",
        "M_B",
        "I_BY",
        "I_BXZ",
        "C_GRV",
        "MC_CONTOUR_A",
        "MC_CONTOUR_B",
        "Q_CAM",
        "YAW_STIFFNESS",
        "FREQ_LONG",
        "FREQ_LAT",
        "FREQ_YAW",
        "FREQ_WINDUP",
        "DAMP_LONG",
        "DAMP_LAT",
        "DAMP_YAW",
        "DAMP_WINDUP",
        "DAMP_RESIDUAL",
        "DAMP_VLOW",
        "Q_BVX",
        "Q_BVT",
        "PCMZ1",
        "Q_RA1",
        "Q_RA2",
        "Q_RB1",
        "Q_RB2",
        "Q_A1",
        "Q_A2",
        "ELLIPS_SHIFT",
        "ELLIPS_LENGTH",
        "ELLIPS_HEIGHT",
        "ELLIPS_ORDER",
        "ELLIPS_MAX_STEP",
        "ELLIPS_NWIDTH",
        "ELLIPS_NLENGTH",
        "ENV_C1",
        "ENV_C2",
        "LMP",
        "PDXP1",
        "PDXP2",
        "PDXP3",
        "PKYP1",
        "PDYP1",
        "PDYP2",
        "PDYP3",
        "PDYP4",
        "PHYP1",
        "PHYP2",
        "PHYP3",
        "PHYP4",
        "PECP1",
        "PECP2",
        "QDTP1",
        "QCRP1",
        "QCRP2",
        "QBRP1",
        "QDRP1",
        "QDRP2",
        "QTZ1",
        "MBELT",
        "LENGTH",
        "FORCE",
        "ANGLE",
        "TIME",
        "PRESSURE",
        "PROPERTY_FILE_FORMAT",
        "FITTYP",
        "TITLE",
        "CONTACT_MODEL",
        "TYRE_LOADED_RADIUS",
        "MEASURED",
        "DATE",
        "TYPE",
        "LCZ",
        "LKC",
        "QFZ1",
        "Q_FZ1",
    ]
)
"""Known names of what is not part of the model: turn slip, belt dynamics, enveloping, inertia."""
WITHOUT_EFFECT = {"LMUV": 0.0, "QFZ3": 0.0, "QFCG1": 0.0, "QFCG": 0.0, "Q_CAM": 0.0}
"""Coefficients that would change forces in a way that is not modelled, unless they have these values."""
TABLES = ("DEFLECTION_LOAD_CURVE", "BOTTOMING_CURVE")
FITTYPS = {5: 52, 6: 52, 21: 52, 51: 52, 52: 52, 61: 61, 62: 62}
NEEDED = ("UNLOADED_RADIUS", "FNOMIN")


class TyreFileError(ValueError):
    """A tyre property file that cannot be read; its text has all faults with their lines."""


class TirFile(NamedTuple):
    """What a file says, in SI units."""

    form: int
    """52, 61 or 62."""
    star: bool
    """Whether it is a PAC2002 file, which takes tan(alpha) and sin(gamma) as slips."""
    numbers: dict[str, float]


class _Lines(NamedTuple):
    """Raw values by name, with the number of the line of each."""

    values: dict[str, tuple[str, int]]
    units: dict[str, tuple[str, int]]
    faults: list[str]
    notes: list[str]


def read_tir(path: str | os.PathLike[str]) -> TirFile:
    """Read a tyre property file; faults are reported all at once, with their lines."""
    try:
        text = Path(path).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        why = "there is no such file" if isinstance(error, FileNotFoundError) else error.strerror or str(error)
        raise TyreFileError(f"{path}: {why}") from None
    lines = _lines(text)
    form, star = _version(lines)
    unit = _units(lines)
    numbers: dict[str, float] = {}
    for name, (raw, line) in lines.values.items():
        known = ALIASES.get(name, name)
        if known in UNUSED and known not in WITHOUT_EFFECT:
            continue
        if known not in COMMON and known not in MAGIC and known not in GEOMETRY and known not in WITHOUT_EFFECT:
            hint = did_you_mean(name, [*COMMON, *MAGIC, *GEOMETRY])
            lines.notes.append(f"line {line}: {name} is not known, and has no effect.{hint}".removesuffix("."))
            continue
        number = _number(raw)
        if number is None:
            lines.faults.append(f"line {line}: {name} = {raw}: give a finite number")
            continue
        if known in WITHOUT_EFFECT:
            if number != WITHOUT_EFFECT[known]:
                lines.notes.append(f"line {line}: {name} = {number:g} is not modelled, and has no effect")
            continue
        for dimension, power in DIMENSIONS.get(known, {}).items():
            number *= unit[dimension] ** power
        numbers[known] = number
    if lines.values or not lines.faults:
        for name in NEEDED:
            if not any(ALIASES.get(each, each) == name for each in lines.values):
                lines.faults.append(f"{name} is missing; every tyre needs it")
            elif name in numbers and numbers[name] <= 0.0:
                lines.faults.append(f"line {lines.values[name][1]}: {name} is {numbers[name]:g}; it must be positive")
    if lines.faults:
        raise TyreFileError(f"{path}:\n  " + "\n  ".join(_by_line(lines.faults)))
    if lines.notes:
        warnings.warn(f"{path}:\n  " + "\n  ".join(_by_line(lines.notes)), UserWarning, stacklevel=user_level())
    return TirFile(form, star, numbers)


def _by_line(texts: list[str]) -> list[str]:
    def line(text: str) -> int:
        word = text.split(":")[0].removeprefix("line ")
        return int(word) if word.isdigit() else 10**9

    return sorted(texts, key=line)


def _number(raw: str) -> float | None:
    try:
        number = float(raw.lower().replace("d", "e"))
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _lines(text: str) -> _Lines:
    """Names and values of all sections; tables and comments are left out."""
    found = _Lines({}, {}, [], [])
    section, table = "", False
    for line, raw in enumerate(text.splitlines(), 1):
        content = raw.split("$")[0].strip()
        if not content or content.startswith("!"):
            continue
        if content.startswith("["):
            if not content.endswith("]"):
                found.faults.append(f"line {line}: a section begins with [ and ends with ]")
            section, table = content.strip("[] \t").upper(), False
            if section in TABLES:
                found.notes.append(f"line {line}: the table [{section}] has no effect; the stiffness is a number here")
            continue
        if content.startswith(("{", "(")):
            table = True
            continue
        if "=" not in content:
            if not table and section != "SHAPE":
                found.faults.append(f"line {line}: {content[:40]!r} has no =")
            continue
        name, value = (each.strip() for each in content.split("=", 1))
        name, value = name.upper(), value.strip("'\" \t")
        own = found.units if section == "UNITS" else found.values
        known = ALIASES.get(name, name)
        if not name or not value:
            found.faults.append(f"line {line}: {content[:40]!r}: a name and a value are needed")
        elif known in own and own[known][0] != value and known not in UNUSED:
            found.faults.append(f"line {line}: {name} was given in line {own[known][1]}, with another value")
        else:
            own.setdefault(known, (value, line))
    return found


def _units(lines: _Lines) -> dict[str, float]:
    unit = dict.fromkeys(UNIT_SYSTEMS, 1.0)
    for name, (value, line) in lines.units.items():
        if name not in UNIT_SYSTEMS:
            lines.faults.append(f"line {line}: no quantity {name}; units are those of {', '.join(UNIT_SYSTEMS)}")
        elif value.lower() not in UNIT_SYSTEMS[name]:
            lines.faults.append(f"line {line}: unit {value!r} of {name}; known are {', '.join(UNIT_SYSTEMS[name])}")
        else:
            unit[name] = UNIT_SYSTEMS[name][value.lower()]
    if "PRESSURE" not in lines.units:  # force over area
        unit["PRESSURE"] = unit["FORCE"] / unit["LENGTH"] ** 2
    return unit


def _version(lines: _Lines) -> tuple[int, bool]:
    """FORM and STAR of a file."""
    kind, at = lines.values.get("PROPERTY_FILE_FORMAT", ("", 0))
    raw, line = lines.values.get("FITTYP", ("", 0))
    if kind.upper() == "PAC2002":
        return 52, True
    number = _number(raw)
    if number is not None and int(number) in FITTYPS:
        return FITTYPS[int(number)], False
    if raw:
        lines.faults.append(
            f"line {line}: FITTYP = {raw}; read are 6, 21, 52 (MF 5.2), 61 and 62 (MF 6.1, 6.2), and "
            "PROPERTY_FILE_FORMAT = 'PAC2002'"
        )
    elif kind and kind.upper() not in ("USER", "MF-TYRE", "MF_TYRE"):
        lines.faults.append(
            f"line {at}: PROPERTY_FILE_FORMAT = {kind!r}; read are 'PAC2002', and files of MF-Tyre with FITTYP"
        )
    else:
        lines.faults.append("FITTYP is missing (6, 21, 52, 61 or 62), or PROPERTY_FILE_FORMAT = 'PAC2002'")
    return 61, False


def numbers_of(given: Mapping[str, float], form: int, star: bool) -> dict[str, float]:
    """All numbers of a tyre of the Magic Formula that kernels read, with defaults."""
    numbers = {**COMMON, **MAGIC, **{name: value for name, value in given.items() if name in COMMON or name in MAGIC}}
    numbers["FORM"], numbers["STAR"] = float(form), float(star)
    R = numbers["UNLOADED_RADIUS"]
    if form == 62:
        numbers["CAMBER_FORM"] = 1.0
        numbers["TREAD_WIDTH"] = (1.075 - 0.5 * given.get("ASPECT_RATIO", 0.6)) * given.get("WIDTH", 0.205)
    if "RIM_RADIUS" in given:
        numbers["BOTTOM_DEFLECTION"] = max(R - given["RIM_RADIUS"] - given.get("BOTTOM_OFFST", 0.01), 0.0)
    numbers["LEAST_RELAXATION"] = 0.1 * R
    return numbers
