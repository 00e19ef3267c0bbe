"""A thin disc on a half-space."""

from __future__ import annotations

from duoti.kernel import helper
from duoti.model.pairs.base import ShapePair
from duoti.model.pairs.rim import rim_on_plane


@helper
def _plane_disc(X_A, X_B, s_a, s_b, k):
    return rim_on_plane(X_A, X_B[0], X_B[1], s_b[0], k)


class PlaneDisc(ShapePair):
    """Four points of the rim, the lowest first; the others touch when the disc lies flat."""

    kind, first, second, points = "plane_disc", "plane", "disc", 4
    law = staticmethod(_plane_disc)
