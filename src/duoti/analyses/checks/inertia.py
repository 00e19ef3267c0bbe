"""Check for motions that nothing resists in the initial position, as a simulation looks for them."""

from __future__ import annotations

import numpy as np

from duoti.analyses.checks.context import CheckContext
from duoti.analyses.instant.zero_inertia import may_lack_inertia, refuse_zero_inertia
from duoti.model.checks.findings import Findings
from duoti.model.checks.registry import register_check
from duoti.model.errors import ModelError


@register_check("state", order=500, cost="solves")
def check_inertia(context: CheckContext, found: Findings) -> None:
    """Add why accelerations are undefined."""
    if not may_lack_inertia(context.model):
        return
    try:
        with np.errstate(all="ignore"):
            refuse_zero_inertia(context.system, context.initial[0])
    except ModelError as error:
        found.found += [f for f in error.report.errors if f.code == "no-inertia"]  # the others are reported elsewhere
