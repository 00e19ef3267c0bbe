"""A result in a table for people and as data for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from duoti.results.result import Result

MOST_ROWS = 12


def coordinates(result: Result) -> list[str]:
    """Channels of one number: coordinates of joints and states."""
    names = [
        f"{joint}.{c.name}"
        for joint, element in result.model.joints.items()
        for c in element.joint.coordinates
        if not c.quaternion and c.nv == 1
    ]
    return [n for n in dict.fromkeys(names) if n in result] + list(result.system.state_names)


def table(result: Result, everything: bool = False) -> str:
    """Coordinates and states: at the start, at the end, smallest and largest."""
    import numpy as np

    names = coordinates(result)
    shown = names if everything else names[:MOST_ROWS]
    if not shown:
        return ""
    rows: list[tuple[str, ...]] = [("", "unit", "start", "end", "least", "most")]
    for name in shown:
        values = np.atleast_2d(result[name].T)[0]
        rows.append((name, result.unit(name) or "1", *(f"{x:.5g}" for x in _marks(values))))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [
        "  " + "  ".join(c.ljust(w) if i < 2 else c.rjust(w) for i, (c, w) in enumerate(zip(row, widths, strict=True)))
        for row in rows
    ]
    if len(shown) < len(names):
        lines.append(f"  ... and {len(names) - len(shown)} more: --verbose")
    return "\n".join(line.rstrip() for line in lines)


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
        "channels": {
            name: {"unit": result.unit(name), **dict(zip(("start", "end", "least", "most"), marks, strict=True))}
            for name in coordinates(result)
            for marks in (_marks(np.atleast_2d(result[name].T)[0]),)
        },
    }
