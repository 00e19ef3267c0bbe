"""Junction of common flow."""

from __future__ import annotations

from duoti.bond.elements.junction import Junction


class One(Junction):
    """All bonds have the same flow, the efforts sum up to zero: a mesh of a circuit, a velocity with its forces."""

    kind = "1"
    common = "flow"
