"""Residuals of loops and constraints with their units: metres, radians, or those of what the user wrote."""

from __future__ import annotations

from duoti.model.constraints.base import ConstraintEquation
from duoti.model.element_id import ElementId
from duoti.model.elements import name_of
from duoti.model.model import Model
from duoti.system.arrays import Reals
from duoti.system.system import System

OF_KINDS = {"dot": "rad", **dict.fromkeys(("position", "distance", "screw", "disc", "sphere", "edge"), "m")}
"""Units of the equations between frames."""
OWN = "(in the unit of its equation)"


def amounts(system: System, closure: ElementId, residual: Reals, limit: float = 0.0, per: str = "") -> str:
    """The largest residual of a closure in each unit that its equations have: "0.5 m", "0.5 m and 0.2 rad".

    limit: up to which a residual is not worth a word, if another is. per: "/s" for rates.
    """
    k = system.closure_names.index(closure)
    first, last = int(system.closures.first[k]), int(system.closures.first[k + 1])
    largest: dict[str, float] = {}
    for unit, value in zip(_units(system, closure, first, last), residual[first:last].tolist(), strict=True):
        largest[unit] = max(abs(value), largest.get(unit, 0.0))
    shown = {unit: size for unit, size in largest.items() if not size <= limit} or largest
    return " and ".join(f"{size:.4g} {unit + per if unit != OWN else unit}" for unit, size in shown.items()) or "0"


def _units(system: System, closure: ElementId, first: int, last: int) -> list[str]:
    model = system.model
    rows = model.constraints[closure.name].rows() if closure.kind == "constraint" else ()
    found: list[str] = []
    for r in range(first, last):
        kind = getattr(system.equation_kinds[int(system.closures.equation_kind[r])], "kind", "")
        row = rows[r - first] if len(rows) == last - first else None
        found.append(OF_KINDS.get(kind) or (_unit_of_terms(model, row) if row is not None else OWN))
    return found


def _unit_of_terms(model: Model, row: ConstraintEquation) -> str:
    """Of an equation between coordinates: theirs if it is one, or that of a coordinate with the coefficient 1."""
    of: dict[str, float] = {}
    for joint, coordinate, c in row.terms:
        element = model.joints.get(name_of(joint))  # pyright: ignore[reportArgumentType]
        units = [u.unit for u in element.joint.coordinates for _ in range(u.nv)] if element is not None else []
        unit = units[coordinate] if 0 <= coordinate < len(units) else OWN
        of[unit] = 1.0 if abs(c) == 1.0 else of.get(unit, 0.0)
    if len(of) == 1:
        return next(iter(of))
    return next((unit for unit, one in of.items() if one), OWN)
