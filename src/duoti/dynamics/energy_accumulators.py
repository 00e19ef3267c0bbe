"""Where the works of a motion are watched by adaptive solvers, beside the motion itself."""

from __future__ import annotations

from duoti.model.laws.law import TIME
from duoti.system.system import System


def works_count(system: System) -> tuple[bool, bool]:
    """Whether the works say more of how long a step may be than the motion does: for most methods, and for all.

    A prescribed motion is exact at any step, but what it does to the energy is not; a damped contact that lets go loses
    what it still stores while nothing acts on the bodies any more. A motion under forces that are polynomials of the
    time is exact, too, up to a degree that depends on the method: up to 4 for `dt.DOPRI5`. `dt.Radau` and `dt.Rodas`
    (with exact derivatives) see all beyond degree 3, and have the works of such a motion exactly, of degree 4.
    """
    unseen = any(force.loses_unseen for force in system.model.forces.values())
    always = bool(system.closures.timed) or unseen
    return always or _timed_forces(system), always


def _timed_forces(system: System) -> bool:
    """Whether laws of forces read the time."""
    laws = system.loads.laws
    spans = [span for span, owner in zip(laws.law_signals, system.law_owners, strict=True) if owner.kind == "force"]
    return any(TIME in laws.signals[first:last, 0] for first, last in spans)
