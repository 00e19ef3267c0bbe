"""Structures: nodes with mass and stiffness, and what can be asked of them by themselves."""

from __future__ import annotations

import functools
from abc import abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duoti.flexible.structure.moments import Moments
from duoti.flexible.structure.supports import HeldStructure
from duoti.spatial.axes import Array
from duoti.strict import Explained, explained_constructors

if TYPE_CHECKING:
    from duoti.flexible.reduction.matrices import MatrixStructure
    from duoti.flexible.structure.beam import BeamStructure
    from duoti.flexible.structure.solid import SolidStructure

Rows = NDArray[np.int64]

DIRECTIONS = ("x", "y", "z", "rx", "ry", "rz")
"""Displacements and turns of a node; nodes of solids have the first three."""


@explained_constructors
class Structure(Explained):
    """Nodes [m] (N, 3) with `width` = 3 or 6 rows each (displacements, then turns), and the matrices K and M of all
    rows."""

    nodes: Array
    width: int
    K: Any
    M: Any

    @staticmethod
    def from_mesh(mesh: Any, material: Any) -> SolidStructure:
        """Of a `dt.Mesh` and a `dt.Material` (or one for each region by name)."""
        from duoti.flexible.structure.solid import SolidStructure

        return SolidStructure(mesh, material)

    @staticmethod
    def from_beam(beam: Any, length: float, elements: int) -> BeamStructure:
        """Of a straight `dt.Beam` along x, of a length [m] and so many equal elements."""
        from duoti.flexible.structure.beam import BeamStructure

        return BeamStructure(beam, length, elements)

    @staticmethod
    def from_matrices(mass: Any, stiffness: Any, nodes: ArrayLike) -> MatrixStructure:
        """Of matrices of another program; see `Flexible.from_matrices`."""
        from duoti.flexible.reduction.matrices import MatrixStructure

        return MatrixStructure(mass, stiffness, nodes)

    @property
    def size(self) -> int:
        """Number of rows."""
        return self.width * len(self.nodes)

    @functools.cached_property
    def rigid_motions(self) -> Array:
        """(rows, 6) unit displacements along x, y, z and turns about x, y, z through the origin."""
        R = np.zeros((len(self.nodes), self.width, 6))
        for i in range(3):
            R[:, i, i] = 1.0
            R[:, :3, 3 + i] = np.cross(np.eye(3)[i], self.nodes)
            if self.width == 6:
                R[:, 3 + i, 3 + i] = 1.0
        return R.reshape(-1, 6)

    @functools.cached_property
    def mass(self) -> float:
        """[kg]."""
        R = self.rigid_motions[:, 0]
        return float(R @ (self.M @ R))

    # ----------------------------------------------------------------------------- what kinds of structures differ in

    @abstractmethod
    def select(self, what: Any) -> Rows:
        """Numbers of nodes, from what a user may give for them."""

    @abstractmethod
    def moments(self, modes: Array) -> Moments:
        """How the mass is distributed, with modes (rows, n)."""

    @abstractmethod
    def fields_of_force(self) -> Array:
        """(rows, 12) loads of unit accelerations of the frame, in the order of `reduced.INERTIAL_LOADS`."""

    def geometric(self, u: Array, modes: Array) -> Array | None:
        """(n, n) geometric stiffness of the stresses of displacements u (rows), between modes (rows, n)."""
        del u, modes
        return None

    def stresses(self, u: Array) -> Array | None:
        """(nodes, 6) stresses xx, yy, zz, xy, yz, zx [Pa] of displacements u (rows)."""
        del u
        return None

    def strains(self, u: Array) -> Array | None:
        """(nodes, 6) strains xx, yy, zz, xy, yz, zx (of the tensor) of displacements u (rows)."""
        del u
        return None

    @property
    @abstractmethod
    def faces(self) -> NDArray[np.int64]:
        """What is drawn: triangles (F, 3) or lines (F, 2) of nodes."""

    # ---------------------------------------------------------------------------------------------- questions

    def rows(self, fixed: Any) -> Rows:
        """Rows of nodes: of a selection (all of their rows), or of a mapping from a selection to directions, 'x', 'y
        ry'.

        A selection is what `Mesh.select` takes. None: no rows.
        """
        if fixed is None:
            return np.zeros(0, dtype=np.int64)
        if isinstance(fixed, Mapping) and not {"plane", "box", "cylinder", "nearest"}.issuperset(fixed):
            found = [self._rows_of(key, directions) for key, directions in fixed.items()]
            return np.unique(np.concatenate(found)) if found else np.zeros(0, dtype=np.int64)
        return self._rows_of(fixed, " ".join(DIRECTIONS[: self.width]))

    def _rows_of(self, nodes: Any, directions: str) -> Rows:
        known = DIRECTIONS[: self.width]
        wanted = directions.replace(",", " ").split()
        unknown = [each for each in wanted if each not in known]
        if unknown or not wanted:
            raise ValueError(
                f"directions {directions!r}: a node moves along {' '.join(known)}; separate them by blanks"
            )
        picked = self.select(list(nodes) if isinstance(nodes, tuple) else [nodes] if isinstance(nodes, int) else nodes)
        places = np.array([known.index(each) for each in wanted])
        return np.unique((np.asarray(picked)[:, None] * self.width + places).ravel())

    def held(self, fixed: Any = None) -> HeldStructure:
        """The structure, held at nodes; factors its stiffness once, for several questions."""
        return HeldStructure(self.K, self.rows(fixed), None, self.rigid_motions, self.M, self.width)

    def modes(self, modes: int, fixed: Any = None) -> tuple[Array, Array]:
        """The lowest natural frequencies [Hz] and their modes (nodes, 3 or 6, modes), of unit modal mass.

        fixed: nodes that are held, see `rows`; None: the structure floats, and its six rigid motions are left out.
        """
        from duoti.flexible.structure.eigen import natural_modes

        omega, shapes = natural_modes(self.held(fixed), modes)
        return omega / (2.0 * np.pi), shapes.reshape(len(self.nodes), self.width, modes)

    def frequencies(self, modes: int, fixed: Any = None) -> Array:
        """The lowest natural frequencies [Hz]; see `modes`."""
        return self.modes(modes, fixed)[0]

    def static(self, forces: ArrayLike, fixed: Any = None) -> Array:
        """Displacements (nodes, 3 or 6) under forces (nodes, 3 or 6) [N, N m].

        fixed: nodes that are held, see `rows`. A structure that floats must not be accelerated: forces that do not
        balance each other are refused; `inertia_relief` takes those.
        """
        f = np.asarray(forces, dtype=float)
        if f.shape != (len(self.nodes), self.width):
            raise ValueError(f"forces have shape {f.shape}; {(len(self.nodes), self.width)} is needed: a row a node")
        held = self.held(fixed)
        if held.floats:
            resultant = self.rigid_motions.T @ f.ravel()
            scale = np.abs(self.rigid_motions).T @ np.abs(f.ravel())
            if np.any(np.abs(resultant) > 1e-9 * scale.max()):
                raise ValueError(
                    f"the forces on a floating structure are not in equilibrium: resultant {resultant[:3]} N, moment "
                    f"about the origin {resultant[3:]} N m; hold it somewhere with fixed=, or use inertia_relief"
                )
        return held.solve(f.ravel()).reshape(f.shape)

    def inertia_relief(self, forces: ArrayLike) -> Array:
        """Displacements of the floating structure that the forces accelerate as a whole, without the rigid motion."""
        f = np.asarray(forces, dtype=float)
        held = self.held(None)
        return held.solve(held.balanced(f.ravel())).reshape(f.shape)


def von_mises(stress: ArrayLike) -> Array:
    """Equivalent stress [Pa] of stresses (..., 6): xx, yy, zz, xy, yz, zx."""
    s = np.asarray(stress, dtype=float)
    if s.shape[-1:] != (6,):
        raise ValueError(f"stresses have the shape {s.shape}; give six numbers each: xx, yy, zz, xy, yz, zx")
    x, y, z = s[..., 0], s[..., 1], s[..., 2]
    shear = s[..., 3] ** 2 + s[..., 4] ** 2 + s[..., 5] ** 2
    return np.sqrt(0.5 * ((x - y) ** 2 + (y - z) ** 2 + (z - x) ** 2) + 3.0 * shear)
