"""Whether the angles of a run have grown so large that their rounding shows, as that of 2.6e13 rad does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from duoti.results.records import Reason
from duoti.system.system import System

if TYPE_CHECKING:
    from duoti.analyses.energy_balance import Sampled

ROUNDED = 1e-6  # rad, the rounding of an angle that is seen in positions; reached beyond 4.5e9 rad, 7e8 turns


def digits_lost(system: System, sampled: Sampled) -> Reason | None:
    """Which angle lost its digits, and where; None if all have kept them."""
    for name, layout in system.joints.items():
        if layout.closure >= 0:
            continue
        joint = system.model.joints[name].joint
        turning = np.array([c.unit == "rad" for c in joint.coordinates for _ in range(c.nq)], dtype=bool)
        angles = np.abs(sampled.y[:, layout.q[turning]]).max(axis=1, initial=0.0)
        lost = np.spacing(angles) > ROUNDED
        if lost.any():
            at = int(np.argmax(lost))
            return Reason(
                "lost-digits",
                f'joint "{name}" has turned by {angles.max():.3g} rad: from t = {sampled.t[at]:.6g} s on the rounding '
                f"of its angle is more than {ROUNDED:g} rad, so that positions are not known any more; is a stiffness "
                "negative, or does a law drive it without bound? dt.check(model) may tell",
            )
    return None
