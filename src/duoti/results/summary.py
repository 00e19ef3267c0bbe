"""A run in a few lines, for the terminal."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from duoti.model.checks.findings import counted

SHOWN = 5  # singular positions, states, different reactions that are not unique
MOST = 8  # different events, and different notes, that have lines of their own

if TYPE_CHECKING:
    from duoti.results.records import EventRecord
    from duoti.results.result import Result
    from duoti.system.system import System


def _freedom(system: System) -> str:
    names = [*system.state_names[:SHOWN], *(["..."] if system.nz > SHOWN else [])]
    states = f", {counted(system.nz, 'state')} ({', '.join(names)})" if system.nz else ""
    if not system.closures.rows:
        return counted(system.nv, "degree of freedom", "degrees of freedom") + states
    constraints = len(system.model.constraints)
    loops = system.closures.count - constraints
    parts = [counted(n, what) for n, what in ((loops, "closed loop"), (constraints, "constraint")) if n]
    rows = counted(system.closures.rows, "equation")
    return f"{counted(system.nv, 'coordinate')}, {' and '.join(parts)} ({rows}){states}"


def _not_unique(result: Result) -> list[str]:
    """A line on reactions that are not unique, joints with the same directions together."""
    together: dict[str, list[str]] = {}
    for joint, words in result.not_unique.items():
        together.setdefault(words, []).append(joint)
    parts = [
        ", ".join(joints[:6]) + (f" and {len(joints) - 6} more" if len(joints) > 6 else "") + f" ({words})"
        for words, joints in list(together.items())[:SHOWN]
    ]
    if len(together) > SHOWN:
        parts.append("and others: result.not_unique")
    return [f"  reactions not unique: {'; '.join(parts)}"] if parts else []


def _columns(result: Result) -> str:
    layout = result.layout
    numbers = ((layout.nq, "coordinate"), (layout.nv, "rate"), (layout.nz, "state"))
    return ", ".join(counted(n, what) for n, what in numbers) + "; the file is without its model"


def _end_and_solver(result: Result) -> list[str]:
    stats, t = result.stats, result.t
    rate = float(t[-1] - t[0]) / stats.seconds if stats.seconds > 0 and len(t) else 0.0
    word = "end" if result.ok else "RUNNING" if result.status == "running" else "FAILED"
    return [
        f"  {word:<8} {result.reason}",
        f"  solver   {stats.solver}: {counted(stats.steps, 'step')}, {stats.rejected} rejected, "
        f"{counted(stats.evaluations, 'evaluation')}, {stats.seconds:.4g} s"
        + (f" ({rate:.3g} x real time)" if rate else ""),
    ]


STAGES = {
    "kept": "as in the step before", "newton": "by Newton's method", "continued": "by continuation",
    "cold": "from no impulses", "swept": "after sweeps", "interior": "by the interior-point method",
    "unsolved": "not to the tolerance",
}  # fmt: skip


def _contact_stages(counts: dict[str, int]) -> list[str]:
    """Which stage of the solver of time stepping solved how many steps."""
    if not counts:
        return []
    parts = [f"{counts[name]} {what}" for name, what in STAGES.items() if counts.get(name)]
    return [f"  contacts {counted(counts['steps'], 'step')}: {', '.join(parts)}"]


RESIDUALS = {  # field terms and units of `Stats.contact_residuals`
    "signorini": ("Signorini", "m/s"), "cone": ("Coulomb's cone", "N"), "dissipation": ("maximum dissipation", "W"),
}  # fmt: skip


def _contact_residuals(worst: dict[str, tuple[float, str, float]]) -> list[str]:
    """How well the laws of contact held at the worst."""
    parts = [
        f"{RESIDUALS[name][0]} {value:.1e} {RESIDUALS[name][1]} ({contact}, t = {t:.4g} s)" if value > 0.0
        else f"{RESIDUALS[name][0]} 0"
        for name, (value, contact, t) in worst.items()
    ]  # fmt: skip
    return [f"  largest residuals: {', '.join(parts)}"] if parts else []


def summary(result: Result) -> str:
    """What was simulated, how it ended, what it cost, how well energy balances."""
    if not result.has_model:
        return "\n".join([f"{result.layout.model}: {_columns(result)}", *_end_and_solver(result)])
    system, stats, energy = result.system, result.stats, result.energy
    scale = max(float(np.ptp(energy.kinetic)), float(np.ptp(energy.potential)), 1e-300)
    residual = float(np.max(np.abs(energy.residual)))
    lines = [
        f"{result.model.name}: {counted(len(system.bodies) - 1, 'body', 'bodies')}, "
        f"{counted(len(system.joints), 'joint')}, {_freedom(system)}",
        *_end_and_solver(result),
        *(f"  chosen   {line}" for line in stats.chosen if not any(note.startswith(line) for note in stats.notes)),
        *_contact_stages(stats.contacts),
        *_contact_residuals(stats.contact_residuals),
        f"  energy   balance closes to {residual:.2g} J ({residual / scale:.1g} of the exchange)",
    ]
    lines += [f"  note     {line}" for line in _notes(stats.notes)]
    lines += _not_unique(result)
    passed = result.singularities
    for each in passed[:SHOWN]:
        lines.append(f"  singular position at t = {each.t:.6g} s: loop of {', '.join(each.joints)}")
    if len(passed) > SHOWN:
        lines.append(f"  ... and {len(passed) - SHOWN} more: result.singularities")
    lines += [f"  event    {line}" for line in _events(result.events)]
    return "\n".join(lines)


def _events(events: Sequence[EventRecord]) -> list[str]:
    """A line for each event by name: when, or how often, first and last."""
    times: dict[str, list[float]] = {}
    for event in events:
        times.setdefault(event.name, []).append(event.t)
    lines = [
        f"{name} at t = {t[0]:.9g} s" if len(t) == 1
        else f"{name} {len(t)} times, from t = {t[0]:.9g} s to t = {t[-1]:.9g} s"
        for name, t in times.items()
    ]  # fmt: skip
    return _bounded(lines, "result.events")


def _notes(notes: Sequence[str]) -> list[str]:
    """Notes that differ in numbers only, such as changes of the solver, are shown by the first and the last."""
    alike: dict[str, list[str]] = {}
    for note in notes:
        alike.setdefault(re.sub(r"\d[\d.]*(e[+-]?\d+)?", "#", note), []).append(note)
    lines = [
        same[0] if len(same) == 1 else f"{same[0]}; {len(same)} times, the last: {same[-1]}" for same in alike.values()
    ]
    return _bounded(lines, "result.stats.notes")


def _bounded(lines: list[str], where: str) -> list[str]:
    return lines if len(lines) <= MOST else [*lines[: MOST - 1], f"... and {len(lines) - MOST + 1} more: {where}"]
