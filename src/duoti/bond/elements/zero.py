"""Junction of common effort."""

from __future__ import annotations

from duoti.bond.elements.junction import Junction


class Zero(Junction):
    """All bonds have the same effort, the flows sum up to zero: a node of a circuit, a pressure, forces in series."""

    kind = "0"
    common = "effort"
