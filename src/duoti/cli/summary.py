"""A result in a table for people and as data for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from duoti.text import table as lined_up

if TYPE_CHECKING:
    from duoti.results.result import Result

MOST_ROWS = 12
ROUND_OFF = 1e-9  # m, rad/s: free bodies move by so little without a force; only --verbose tells it


def coordinates(result: Result) -> list[str]:
    """Channels of one number: coordinates of joints and states."""
    names = [
        f"{joint}.{c.name}"
        for joint, element in result.model.joints.items()
        for c in element.joint.coordinates
        if not c.quaternion and c.nv == 1
    ]
    return [n for n in dict.fromkeys(names) if n in result] + list(result.system.state_names)


def moving_bodies(result: Result) -> list[str]:
    """Channels of bodies whose joints have coordinates that are no single numbers: a ball joint, a free body."""
    joints = result.model.joints.values()
    several = [each for each in joints if any(c.quaternion or c.nv > 1 for c in each.joint.coordinates)]
    bodies = dict.fromkeys(each.child for each in several)
    return [f"{body}.{what}" for body in bodies for what in ("position", "angular_velocity")]


def table(result: Result, everything: bool = False) -> str:
    """Coordinates, states and what else moves: at the start, at the end, smallest and largest."""
    import numpy as np

    from duoti.results.plot.plots import columns

    found = [column for name in coordinates(result) for column in columns(result, name)[:1]]
    units = [result.unit(name) or "1" for name in coordinates(result)]
    for name in moving_bodies(result):
        least = 0.0 if everything else ROUND_OFF
        lines = [(label, values) for label, values in columns(result, name) if np.ptp(values) > least]
        found += lines
        units += [result.unit(name)] * len(lines)
    shown = found if everything else found[:MOST_ROWS]
    if not shown:
        return ""
    rows: list[tuple[str, ...]] = [("", "unit", "start", "end", "least", "most")]
    for (name, values), unit in zip(shown, units, strict=False):
        rows.append((name, unit, *(f"{x:.5g}" for x in _marks(values))))
    text = [f"  {line}" for line in lined_up(rows, left=2)]
    if len(shown) < len(found):
        text.append(f"  ... and {len(found) - len(shown)} more: --verbose")
    return "\n".join(line.rstrip() for line in text)


def impacts(result: Result) -> str:
    """How many impacts there were, and what they took; empty of a model without rigid contacts or stops."""
    found = result.impacts
    if not found:
        rigid = any(contact.law.rigid for contact in result.model.contacts.values())
        return "  impacts  none" if rigid else ""
    first, last, lost = found[0].time, found[-1].time, sum(each.energy_lost for each in found)
    when = f"at {first:.6g} s" if len(found) == 1 else f"from {first:.6g} s to {last:.6g} s"
    return f"  impacts  {len(found)}, {when}; {lost:.5g} J lost"


def _marks(values: Any) -> tuple[float, float, float, float]:
    return float(values[0]), float(values[-1]), float(values.min()), float(values.max())


def summary_data(result: Result) -> dict[str, Any]:
    """What a script may want to know of a run."""
    import numpy as np

    stats, energy = result.stats, result.energy
    return {
        "model": result.model.name,
        "ok": result.ok,
        "status": result.status,
        "reason": result.reason,
        "reason_code": result.reason_code,
        "start_time": float(result.t[0]),
        "end_time": float(result.t[-1]),
        "outputs": len(result),
        "solver": stats.solver,
        "steps": stats.steps,
        "rejected": stats.rejected,
        "evaluations": stats.evaluations,
        "seconds": stats.seconds,
        "notes": list(stats.notes),
        "energy_residual": float(np.max(np.abs(energy.residual))),
        "events": [{"name": e.name, "t": e.t} for e in result.events],
        "impacts": [{"contact": each.contact, "t": each.time} for each in result.impacts],
        "channels": {
            name: {"unit": result.unit(name), **dict(zip(("start", "end", "least", "most"), marks, strict=True))}
            for name in coordinates(result)
            for marks in (_marks(np.atleast_2d(result[name].T)[0]),)
        },
    }
