"""A sphere that rolls on a plane."""

from __future__ import annotations

from duoti.model.constraints.rolling import Rolling


class RollingSphere(Rolling):
    """A sphere with its centre at `marker` rolls without slipping on a plane.

    radius [m]; `plane`: a marker, on ground or on a body, whose z is the normal (default: the plane z = 0).
    """

    kind = "rolling_sphere"
    shape = "sphere"
