"""Structures that another program has computed: its mass and stiffness matrices, and where its nodes are."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duoti.flexible.reduction.craig_bampton import symmetric_matrix
from duoti.flexible.structure.inertial_fields import inertial_fields
from duoti.flexible.structure.moments import Moments
from duoti.flexible.structure.structure import Rows, Structure
from duoti.spatial.axes import Array, frozen

ISOTROPIC = 1e-9
"""A mass matrix is m x 1_3 if it differs from that by less than this share of its largest entry."""


class MatrixStructure(Structure):
    """Mass and stiffness matrices (dense, sparse, or files in Matrix Market form) of nodes [m] (N, 3).

    Rows are those of the first node, then of the second, ...: three displacements a node or, if there are twice as
    many rows, three displacements and three turns.
    """

    def __init__(
        self,
        mass: Any,
        stiffness: Any,
        nodes: ArrayLike,
        faces: ArrayLike | None = None,
        names: dict[str, Any] | None = None,
    ):
        self.nodes = frozen(nodes)
        if self.nodes.ndim != 2 or self.nodes.shape[1] != 3 or not np.isfinite(self.nodes).all():
            raise ValueError(f"nodes are finite numbers, three a node; their shape here is {self.nodes.shape}")
        self.M, self.K = (
            symmetric_matrix(_read(each), name) for each, name in ((mass, "mass"), (stiffness, "stiffness"))
        )
        rows, count = self.K.shape[0], len(self.nodes)
        if rows not in (3 * count, 6 * count) or self.M.shape != self.K.shape:
            raise ValueError(
                f"mass has {self.M.shape[0]} rows, stiffness {rows}; {count} nodes have {3 * count} (displacements) or "
                f"{6 * count} (displacements and turns) rows"
            )
        self.width = rows // count
        self._faces = np.zeros((0, 3), dtype=np.int64) if faces is None else np.asarray(faces, dtype=np.int64)
        self._names = dict(names or {})
        self._check_rigid()
        self._check_mass()

    def _check_rigid(self) -> None:
        """A rigid motion must need no force: otherwise supports or springs to ground are in the matrix."""
        R = self.rigid_motions / np.maximum(np.abs(self.rigid_motions).max(axis=0), 1e-300)
        force = np.abs(self.K @ R).max()
        largest = np.abs(self.K.data).max() if self.K.nnz else 0.0
        if force > 1e-5 * largest:
            raise ValueError(
                f"stiffness resists rigid motions by {force / largest:.1e} of its largest entry: take supports and "
                "springs to "
                "ground out of it, and see that the nodes stand in the order and the units of the matrices"
            )

    def _check_mass(self) -> None:
        """The mass must be the same along x, y and z, as that of any body is."""
        R = self.rigid_motions[:, :3]
        along = np.diag(R.T @ (self.M @ R))
        if not along.min() > 0.0 or np.ptp(along) > 1e-6 * along.max():
            masses = ", ".join(f"{each:.6g}" for each in along)
            raise ValueError(
                f"mass moves {masses} kg along x, y, z, but a body has one mass: see that no rows are left out, "
                "and that they stand in the order of the nodes"
            )

    def select(self, what: Any) -> Rows:
        """Numbers of nodes from 0, or a name of `names`."""
        if isinstance(what, str):
            if what not in self._names:
                raise ValueError(
                    f"there are no nodes of the name {what!r}; there are {', '.join(self._names) or 'none'}"
                )
            what = self._names[what]
        found = np.atleast_1d(np.asarray(what))
        if not np.issubdtype(found.dtype, np.integer) or found.min() < 0 or found.max() >= len(self.nodes):
            raise ValueError(f"nodes {what!r}: there are nodes 0 to {len(self.nodes) - 1}")
        return found.astype(np.int64)

    @property
    def faces(self) -> NDArray[np.int64]:
        """As given."""
        return self._faces

    def _between_nodes(self) -> tuple[Any, bool]:
        """m_ab, the mean of the diagonal of the blocks of displacements, and whether M is m x 1_3."""
        from scipy.sparse import eye_array, kron

        at = np.arange(len(self.nodes)) * self.width
        m = sum(self.M[at + i][:, at + i] for i in range(3)) / 3.0
        if self.width == 6:
            return m, False
        difference = abs(self.M - kron(m, eye_array(3))).max()
        return m, bool(difference <= ISOTROPIC * abs(self.M).max())

    def moments(self, modes: Array) -> Moments:
        """Exact if M = m x 1_3, as of solid elements.

        Of beams and shells, whose M is not, all terms that do not depend on the deformation, and those that are
        linear in it between frame and modes (mass, inertia, I3, I4, I6), are exact; the small rest is that of the
        masses between nodes.
        """
        n, count = modes.shape[1], len(self.nodes)
        m, isotropic = self._between_nodes()
        found = Moments.of(m, self.nodes, modes.reshape(count, self.width, n)[:, :3])
        if isotropic:
            return found
        R = self.rigid_motions
        carried = self.M @ np.hstack([R, modes])
        rigid, coupled = R.T @ carried[:, :6], R.T @ carried[:, 6:]  # (6, 6), (6, n)
        gram = np.array(found.gram)
        inertia = rigid[3:, 3:]
        gram[0, 0] = rigid[0, 0]
        gram[0, 1:4] = gram[1:4, 0] = np.array([rigid[1, 5], rigid[2, 3], rigid[0, 4]])  # c~ in the upper right
        gram[1:4, 1:4] = 0.5 * np.trace(inertia) * np.eye(3) - inertia
        gram[0, 4:] = gram[4:, 0] = coupled[:3].T.ravel()
        lacking = coupled[3:] - found.I4  # sum of r x phi: twice the antisymmetric part of r phi^T
        for j in range(n):
            x, y, z = 0.5 * lacking[:, j]
            gram[1:4, 4 + 3 * j : 7 + 3 * j] += np.array([[0.0, z, -y], [-z, 0.0, x], [y, -x, 0.0]])
        gram[4:, 1:4] = gram[1:4, 4:].T
        return Moments(gram).with_modal_mass(modes.T @ carried[:, 6:])

    def fields_of_force(self) -> Array:
        """f = - M a, with the accelerations of the nodes (turns: their antisymmetric part)."""
        a = np.zeros((len(self.nodes), self.width, 12))
        for k, (constant, linear) in enumerate(inertial_fields()):
            a[:, :3, k] = constant + self.nodes @ linear.T
            if self.width == 6:
                turn = 0.5 * np.array(
                    [linear[2, 1] - linear[1, 2], linear[0, 2] - linear[2, 0], linear[1, 0] - linear[0, 1]]
                )
                a[:, 3:, k] = turn
        return -(self.M @ a.reshape(-1, 12))


def _read(given: Any) -> Any:
    if isinstance(given, str | Path):
        from scipy.io import mmread

        try:
            return mmread(given)
        except (OSError, ValueError) as error:
            raise ValueError(f"{given}: cannot be read as a matrix in Matrix Market form: {error}") from None
    return given
