"""A thin disc, coin or wheel that rolls on a plane."""

from __future__ import annotations

from duoti.model.constraints.rolling import Rolling


class RollingDisc(Rolling):
    """A thin disc with its axis along z of `marker`, which is at its centre, rolls without slipping on a plane.

    radius [m]; `plane`: a marker, on ground or on a body, whose z is the normal (default: the plane z = 0).
    """

    kind = "rolling_disc"
    shape = "disc"
