"""Where the works of a motion are watched by adaptive solvers, beside the motion itself."""

from __future__ import annotations

from duoti.system.system import System


def works_count(system: System) -> bool:
    """Whether the works say more of how long a step may be than the motion does.

    A prescribed motion is exact at any step, but what it does to the energy is not; a damped contact that lets go loses
    what it still stores while nothing acts on the bodies any more.
    """
    unseen = any(getattr(force, "loses_unseen", False) for force in system.model.forces.values())
    return bool(system.closures.timed) or unseen
