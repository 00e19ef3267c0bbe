"""The structure of a mesh of solid elements."""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duoti.flexible.elements import SOLIDS
from duoti.flexible.elements.solid import Face
from duoti.flexible.elements.solid_kernels import assemble_solid, geometric_stiffness, nodal_stresses
from duoti.flexible.mesh.mesh import Mesh
from duoti.flexible.structure.inertial_fields import inertial_fields
from duoti.flexible.structure.moments import Moments
from duoti.flexible.structure.structure import Rows, Structure
from duoti.spatial.axes import Array, vector3

Matrix = Any
"""A sparse matrix of SciPy, or a dense array."""


class SolidAssembly:
    """The elements of a mesh with their materials; `lame` [cells, 3] has lam, mu [Pa] and the density [kg/m³] of
    each."""

    def __init__(self, kind: str, nodes: Array, cells: NDArray[np.int64], lame: Array):
        self.element = SOLIDS[kind]
        self.nodes = np.ascontiguousarray(nodes)
        self.cells = np.ascontiguousarray(cells)
        self.lame = np.ascontiguousarray(lame)

    @functools.cached_property
    def pattern(self) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """Which nodes share an element: row starts, and the nodes of each row in ascending order."""
        from scipy.sparse import csr_array

        count, n = self.cells.shape
        ones = np.ones(count * n, dtype=np.int8)
        starts = np.arange(0, count * n + 1, n)
        incidence = csr_array((ones, self.cells.ravel(), starts), shape=(count, len(self.nodes)))
        shared = (incidence.T.astype(bool) @ incidence.astype(bool)).tocsr()
        shared.sort_indices()
        return shared.indptr.astype(np.int32), shared.indices.astype(np.int32)

    def matrices(self) -> tuple[Matrix, Matrix]:
        """Stiffness K (3 rows a node) and the mass m between nodes, so that M = m x 1_3 (kron)."""
        from scipy.sparse import bsr_array, csr_array

        indptr, indices = self.pattern
        K, m = np.zeros((len(indices), 3, 3)), np.zeros(len(indices))
        element = self.element
        status = assemble_solid(
            self.nodes, self.cells, self.lame, element.stiffness_tables, element.mass_tables, element.centre_tables,
            self.pattern, K, m, self._scratch(),
        )  # fmt: skip
        if status >= 0:
            raise ValueError(
                f"element {status} of the mesh (nodes {self.cells[status].tolist()}) has no volume or is turned "
                "inside out; "
                "mesh.faults() lists all such elements, and mesh.oriented() turns those that only have their nodes "
                "in the wrong order"
            )
        size = len(self.nodes)
        return (
            bsr_array((K, indices, indptr), shape=(3 * size, 3 * size)).tocsr(),
            csr_array((m, indices, indptr), shape=(size, size)),
        )

    def stresses(self, u: Array) -> Array:
        """Stresses [nodes, 6] (xx, yy, zz, xy, yz, zx) [Pa] of displacements u [nodes, 3].

        At a node that several elements share, their mean, weighted by volume.
        """
        stress, volume = self._nodal_sums(u, slice(None))
        return stress / np.where(volume > 0.0, volume, 1.0)[:, None]

    def strains(self, u: Array) -> Array:
        """Strains [nodes, 6] of displacements u [nodes, 3]: components of the tensor, xy is half of the shear angle.

        The mean of the elements at a node, as of the stresses; by Hooke's law, material by material.
        """
        total, volume = np.zeros((len(self.nodes), 6)), np.zeros(len(self.nodes))
        for lam, mu in np.unique(self.lame[:, :2], axis=0):
            stress, part = self._nodal_sums(u, np.all(self.lame[:, :2] == (lam, mu), axis=1))
            pressure = lam / (3.0 * lam + 2.0 * mu) * stress[:, :3].sum(axis=1, keepdims=True)
            total += np.hstack([stress[:, :3] - pressure, stress[:, 3:]]) / (2.0 * mu)
            volume += part
        return total / np.where(volume > 0.0, volume, 1.0)[:, None]

    def _nodal_sums(self, u: Array, of: Any) -> tuple[Array, Array]:
        """Stresses at the nodes of some cells times their volumes [nodes, 6], and these volumes [nodes]."""
        stress, volume = np.zeros((len(self.nodes), 6)), np.zeros(len(self.nodes))
        element, cells, lame = self.element, np.array(self.cells[of]), np.array(self.lame[of])
        nodal_stresses(
            self.nodes, cells, lame, element.stiffness_tables, element.nodal_tables, element.centre_tables,
            np.ascontiguousarray(u), stress, volume, self._scratch(), *self._vectors(),
        )  # fmt: skip
        return stress, volume

    def geometric(self, u: Array) -> Matrix:
        """Geometric stiffness S between nodes of the stress that displacements u [nodes, 3] cause: K_g = S x 1_3."""
        from scipy.sparse import csr_array

        indptr, indices = self.pattern
        S = np.zeros(len(indices))
        element = self.element
        geometric_stiffness(
            self.nodes, self.cells, self.lame, element.stiffness_tables, element.centre_tables,
            np.ascontiguousarray(u), self.pattern, S, self._scratch(), *self._vectors(),
        )  # fmt: skip
        return csr_array((S, indices, indptr), shape=(len(self.nodes), len(self.nodes)))

    def _scratch(self) -> tuple[Array, ...]:
        n = self.element.nodes + self.element.stiffness_tables[2].shape[1]
        small = np.empty((3, 3)), np.empty((3, 3)), np.empty((3, 3))
        return (*small, np.empty((n, 3)), np.empty((n, n, 3, 3)), np.empty((3 * n, 3 * n)))

    def _vectors(self) -> tuple[Array, Array]:
        n = self.element.nodes + self.element.stiffness_tables[2].shape[1]
        return np.empty(3 * n), np.empty(6)


def face_forces(nodes: Array, faces: NDArray[np.int64], face: Face, traction: Callable[[Array], Array]) -> Array:
    """Forces (N, 3) of tractions [Pa], a function of unit outward normals (q, 3), on faces (F, n)."""
    points, weights = face.rule
    N, dN = face.shapes(points)
    forces = np.zeros(nodes.shape)
    at = nodes[faces]  # (F, n, 3)
    tangents = np.einsum("fni,qnk->fqki", at, dN)
    normals = np.cross(tangents[:, :, 0], tangents[:, :, 1])
    areas = np.linalg.norm(normals, axis=2)
    pushed = traction((normals / areas[..., None]).reshape(-1, 3)).reshape(normals.shape)
    each = np.einsum("q,fq,qn,fqi->fni", weights, areas, N, pushed)
    np.add.at(forces, faces.ravel(), each.reshape(-1, 3))
    return forces


class SolidStructure(Structure):
    """A mesh with its material, or with one for each of its regions (a mapping from their names)."""

    width = 3

    def __init__(self, mesh: Mesh, material: Any):
        faults = _faults(mesh)
        if faults:
            raise ValueError("the mesh cannot be used: " + "; ".join(faults))
        self.mesh, self.material = mesh, material
        self.nodes = mesh.nodes
        self.assembly = SolidAssembly(mesh.kind, mesh.nodes, mesh.cells, lame_numbers(mesh, material))
        self.K, self.scalar_mass = self.assembly.matrices()

    @functools.cached_property
    def M(self) -> Any:  # pyright: ignore[reportIncompatibleVariableOverride]
        """m x 1_3."""
        from scipy.sparse import eye_array, kron

        return kron(self.scalar_mass, eye_array(3), format="csr")

    def select(self, what: Any) -> Rows:
        return self.mesh.select(what)

    def moments(self, modes: Array) -> Moments:
        """Of the consistent mass."""
        return Moments.of(self.scalar_mass, self.nodes, modes.reshape(len(self.nodes), 3, -1))

    def fields_of_force(self) -> Array:
        """Fields that are linear in the position are exact in the nodes: f = - M a."""
        r = self.nodes
        stacked = np.concatenate([a + r @ A.T for a, A in inertial_fields()], axis=1)  # (N, 36)
        loads = -(self.scalar_mass @ stacked)
        return loads.reshape(len(r), 12, 3).transpose(0, 2, 1).reshape(-1, 12)

    def geometric(self, u: Array, modes: Array) -> Array:
        """Phi^T (S x 1_3) Phi."""
        S = self.assembly.geometric(u.reshape(-1, 3))
        n = modes.shape[1]
        flat = np.ascontiguousarray(modes.reshape(len(self.nodes), 3 * n))
        pushed = (S @ flat).reshape(-1, n)
        return modes.reshape(-1, n).T @ pushed

    def stresses(self, u: Array) -> Array:
        return self.assembly.stresses(np.ascontiguousarray(u.reshape(-1, 3)))

    def strains(self, u: Array) -> Array:
        return self.assembly.strains(np.ascontiguousarray(u.reshape(-1, 3)))

    @property
    def faces(self) -> NDArray[np.int64]:
        """The triangles of the surface."""
        return self.mesh.triangles

    # ----------------------------------------------------------------------------------------------------- loads

    def load(self, what: Any) -> Array:
        """Forces (N, 3) from what a user may give: such forces, {'pressure': nodes}, {'traction': {'nodes', 'value'}},
        {'gravity': g}, {'force': {'nodes', 'value'}} (a force [N], shared by nodes equally)."""
        if not isinstance(what, Mapping):
            return np.asarray(what, dtype=float)
        if len(what) == 1:
            ((kind, given),) = what.items()
            if kind == "pressure":
                return self.pressure(given)
            if kind == "traction" and isinstance(given, Mapping):
                return self.traction(given["nodes"], given["value"])
            if kind == "gravity":
                return self.gravity(given)
            if kind == "force" and isinstance(given, Mapping):
                nodes = self.select(given["nodes"])
                forces = np.zeros(self.nodes.shape)
                forces[nodes] = vector3(given["value"], "force") / len(nodes)
                return forces
        raise ValueError(f"a load is one of pressure, traction, gravity, force, or forces (nodes, 3); not {what!r}")

    def pressure(self, nodes: Any, value: float = 1.0) -> Array:
        """Forces (N, 3) [N] of a pressure [Pa] on the faces of the surface between these nodes; it pushes inwards."""
        return self.traction(nodes, lambda normal: -value * normal)

    def traction(self, nodes: Any, traction: Any) -> Array:
        """Forces (N, 3) [N] of a traction [Pa]: a vector, or a function of unit outward normals (q, 3)."""

        faces = self.mesh.faces_of(self.select(nodes))
        if not len(faces):
            raise ValueError("no face of the surface has all its nodes among those given; select all nodes of a face")
        law: Any = traction if callable(traction) else _constant(vector3(traction, "traction"))
        return face_forces(self.nodes, faces, self.assembly.element.face, law)

    def gravity(self, g: ArrayLike) -> Array:
        """Forces (N, 3) [N] of gravity g [m/s²]."""
        return self.scalar_mass @ np.broadcast_to(vector3(g, "gravity"), self.nodes.shape)


def _constant(vector: Array) -> Any:
    return lambda normals: np.broadcast_to(vector, normals.shape)


def _faults(mesh: Mesh) -> list[str]:
    found: list[str] = []
    for what, cells in mesh.faults():
        shown = ", ".join(map(str, cells[:5])) + (", ..." if len(cells) > 5 else "")
        remedy = "; mesh.oriented() turns them" if what == "inverted" else ""
        found.append(f"{len(cells)} cells are of {what}: {shown}" if what == "zero volume" else
                     f"{len(cells)} cells are {what}: {shown}{remedy}")  # fmt: skip
    unused = len(mesh.nodes) - len(np.unique(mesh.cells))
    if unused:
        found.append(f"{unused} nodes belong to no cell; leave them out")
    if not found:
        pieces = mesh.pieces()
        if len(pieces) > 1:
            sizes = ", ".join(str(len(piece)) for piece in pieces[:5])
            found.append(
                f"it is in {len(pieces)} pieces that share no node ({sizes} nodes): join them, or make a body of each"
            )
    return found


def lame_numbers(mesh: Mesh, material: Any) -> Array:
    """lam, mu [Pa] and density [kg/m³] of each cell."""
    numbers = np.full((len(mesh.cells), 3), np.nan)
    if not isinstance(material, Mapping):
        numbers[:] = _lame(material)
    else:
        unknown = [name for name in material if name not in mesh.regions]
        if unknown:
            raise ValueError(f"materials of regions {unknown}, but the mesh has {list(mesh.regions) or 'no regions'}")
        for name, each in material.items():
            numbers[mesh.regions[name]] = _lame(each)
    missing = int(np.isnan(numbers).any(axis=1).sum())
    if missing:
        raise ValueError(f"{missing} of {len(mesh.cells)} cells are in no region that has a material")
    return numbers


def _lame(material: Any) -> tuple[float, float, float]:
    E, nu, rho = float(material.youngs_modulus), float(material.poisson_ratio), float(material.density)
    if not -1.0 < nu < 0.5:
        raise ValueError(f"poisson_ratio = {nu}: solid elements need -1 < nu < 0.5 (at 0.5 nothing can be compressed)")
    return E * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), E / (2.0 * (1.0 + nu)), rho
