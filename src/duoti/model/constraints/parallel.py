"""Two parallel axes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from duoti.model.constraints.base import AxesConstraint, ConstraintEquation


class Parallel(AxesConstraint):
    r"""Two axes stay parallel.

    $$a_1^T b = 0, \qquad a_2^T b = 0$$

    $a_1$ and $a_2$ are perpendicular to the axis of marker_a, $b$ is the axis of marker_b.

    Parameters
    ----------
    marker_a, marker_b:
        Markers or bodies with the axes.
    axis_a, axis_b:
        Axes in the frames of the markers: letters or vectors.
    """

    kind = "parallel"
    mirrored: ClassVar[Mapping[str, str]] = {"axis_a": "vector", "axis_b": "vector"}

    def rows(self) -> Sequence[ConstraintEquation]:
        return (ConstraintEquation("dot", 0, 2), ConstraintEquation("dot", 1, 2))


# Two perpendicular axes.


class Perpendicular(AxesConstraint):
    """Two axes stay perpendicular.

    $$a^T b = 0$$

    Parameters
    ----------
    marker_a, marker_b:
        Markers or bodies with the axes.
    axis_a, axis_b:
        Axes in the frames of the markers: letters or vectors.
    """

    kind = "perpendicular"
    mirrored: ClassVar[Mapping[str, str]] = {"axis_a": "vector", "axis_b": "vector"}

    def rows(self) -> Sequence[ConstraintEquation]:
        return (ConstraintEquation("dot", 2, 2),)
