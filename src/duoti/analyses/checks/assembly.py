"""Check that loops and constraints can be closed, as a simulation closes them."""

from __future__ import annotations

import numpy as np

from duoti.analyses.checks.context import CheckContext
from duoti.model.checks.findings import Findings
from duoti.model.checks.registry import register_check
from duoti.model.errors import ModelError


@register_check("assembly", order=400, cost="solves")
def check_assembly(context: CheckContext, found: Findings) -> None:
    """Add why a simulation could not begin: loops and constraints that cannot be closed, rates that tear them apart.

    Loops that stay open a little, because numbers are rounded, are a warning, as in a simulation.
    """
    if not context.may_be_open:
        return  # a tree
    try:
        with np.errstate(all="ignore"):
            if context.system.closures.rows:
                _ = context.initial
    except ModelError as error:
        found.found += error.report.errors
    for each in context.nearly_closed:
        found.warning("nearly-closed", each.closures, str(each))
