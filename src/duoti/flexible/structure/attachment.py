"""Where a flexible body is attached: nodes that move as one, or whose mean motion counts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from duoti.flexible.structure.structure import Rows, Structure
from duoti.spatial.axes import Array, skew, vector3
from duoti.spatial.rotation import Rotation
from duoti.strict import Explained

Coupling = Literal["rigid", "average"]


@dataclass(frozen=True, eq=False)
class Attachment(Explained):
    """Nodes of an interface, and how its frame is bound to them.

    Parameters
    ----------
    nodes:
        A selection, see `Mesh.select`.
    coupling:
        "rigid": the nodes are a rigid part (RBE2). "average": the frame follows their mean motion and spreads its load
        (RBE3). By default "rigid"; for the free-interface method "average".
    position:
        Origin of the frame [m] in the body; by default the mean of the nodes.
    rotation:
        Its axes; by default those of the body.
    weights:
        Weights of the nodes in the mean, for "average"; by default equal.
    """

    nodes: Any
    coupling: Coupling | None = None
    position: ArrayLike | None = None
    rotation: Any = None
    weights: ArrayLike | None = None

    def __post_init__(self) -> None:
        if self.coupling not in ("rigid", "average", None):
            raise ValueError(f"coupling is 'rigid' or 'average', not {self.coupling!r}")
        if self.weights is not None and self.coupling != "average":
            raise ValueError("weights belong to the coupling 'average'")


class Attached:
    """An attachment on a structure: rows of its nodes, and the matrices that bind them to the frame's motion (u,
    theta)."""

    def __init__(self, name: str, attachment: Attachment, structure: Structure, usual: Coupling = "rigid"):
        self.name = name
        self.coupling: Coupling = attachment.coupling or usual
        self.nodes: Rows = np.unique(structure.select(attachment.nodes))
        if not len(self.nodes):
            raise ValueError(f"interface {name!r} has no nodes: its selection {attachment.nodes!r} finds none")
        places = structure.nodes[self.nodes]
        w = structure.width
        self.rows: Rows = (self.nodes[:, None] * w + np.arange(w)).ravel()
        weights = (
            np.ones(len(self.nodes)) if attachment.weights is None else np.asarray(attachment.weights, dtype=float)
        )
        if weights.shape != (len(self.nodes),) or not np.all(weights > 0.0):
            raise ValueError(f"interface {name!r}: weights are {len(self.nodes)} positive numbers, one a node")
        self.weights = weights / weights.sum()
        mean = self.weights @ places
        self.position: Array = mean if attachment.position is None else vector3(attachment.position, "position")
        self.rotation: Array = (
            np.asarray(Rotation(attachment.rotation).matrix) if attachment.rotation is not None else np.eye(3)
        )
        if w == 3 and not _spans(places):
            raise ValueError(
                f"interface {name!r}: its {len(self.nodes)} nodes lie in a point or on a line, about which they can "
                "turn; "
                "select nodes of a face or of a bore"
            )
        arms = places - self.position
        self.follow = self._rigid(arms, w)
        """(rows, 6): rows of the nodes by the motion of the frame, as a rigid part."""
        self.mean = self._average(arms, w) if self.coupling == "average" else None
        """(6, rows): motion of the frame by that of the nodes."""

    def _rigid(self, arms: Array, width: int) -> Array:
        T = np.zeros((len(arms), width, 6))
        for a, d in enumerate(arms):
            T[a, :3, :3], T[a, :3, 3:] = np.eye(3), -skew(d)
            if width == 6:
                T[a, 3:, 3:] = np.eye(3)
        return T.reshape(-1, 6)

    def _average(self, arms: Array, width: int) -> Array:
        """Least squares of the weighted distances to a rigid motion: (T^T W T)^-1 T^T W, over displacements."""
        T = self.follow.reshape(len(arms), width, 6)
        if width == 6 and not _spans(arms):
            W = np.repeat(self.weights, 6)  # turns count where displacements cannot tell them
            size = max(float(np.abs(arms).max()), 1e-3)
            W.reshape(-1, 6)[:, 3:] *= size**2
        else:
            W = np.zeros((len(arms), width))
            W[:, :3] = self.weights[:, None]
            W = W.ravel()
        T = T.reshape(-1, 6)
        return np.asarray(np.linalg.solve(T.T @ (W[:, None] * T), T.T * W), dtype=np.float64)


def _spans(places: Array) -> bool:
    """True if points do not lie on a line."""
    if len(places) < 3:
        return False
    values = np.linalg.svd(places - places.mean(axis=0), compute_uv=False)
    return bool(values[1] > 1e-6 * values[0])
