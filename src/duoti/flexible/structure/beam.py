"""The structure of a straight beam along x."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duoti.flexible.elements import beam2
from duoti.flexible.structure.inertial_fields import inertial_fields
from duoti.flexible.structure.moments import Moments
from duoti.flexible.structure.structure import Rows, Structure
from duoti.spatial.axes import Array, not_negative, vector3


class BeamStructure(Structure):
    """A uniform straight beam from the origin along x, with z up: `elements` equal Timoshenko elements.

    beam: a `dt.Beam`: section stiffness `matrix` (6, 6), `mass` [kg/m] and `inertia` (3, 3) [kg m] of a unit of length.
    """

    width = 6

    def __init__(self, beam: Any, length: float, elements: int):
        self.length = not_negative(length, "length", "a length in m")
        if not self.length > 0.0:
            raise ValueError("length of a beam: a positive number [m] is needed")
        if int(elements) != elements or elements < 1:
            raise ValueError(f"elements = {elements!r}: a whole number, one or more, is needed")
        self.beam, self.elements = beam, int(elements)
        self.C = np.asarray(beam.matrix, dtype=float)
        self.h = self.length / self.elements
        self.nodes = np.column_stack(
            [np.linspace(0.0, self.length, self.elements + 1), np.zeros((self.elements + 1, 2))]
        )
        self.at = beam2.fields(self.C, self.h, beam2.GAUSS)
        """Shape functions at the points of integration of every element."""
        self.K = self._assembled(np.broadcast_to(beam2.stiffness(self.C, self.h), (self.elements, 12, 12)))
        m = beam2.mass(self.C, beam.mass, np.asarray(beam.inertia), self.h)
        self.M = self._assembled(np.broadcast_to(m, (self.elements, 12, 12)))

    @property
    def _rows(self) -> NDArray[np.int64]:
        """(elements, 12) rows of each element."""
        return 6 * np.arange(self.elements)[:, None] + np.arange(12)

    def _assembled(self, matrices: Array) -> Any:
        from scipy.sparse import coo_array

        rows = np.broadcast_to(self._rows[:, :, None], matrices.shape)
        columns = np.broadcast_to(self._rows[:, None, :], matrices.shape)
        shape = (self.size, self.size)
        return coo_array((matrices.ravel(), (rows.ravel(), columns.ravel())), shape=shape).tocsr()

    def select(self, what: Any) -> Rows:
        """Numbers of nodes: 'start', 'end', numbers from 0, or {'nearest': point} or {'x': place} [m]."""
        if isinstance(what, str):
            if what not in ("start", "end"):
                raise ValueError(
                    f"a beam has the nodes 'start' and 'end', not {what!r}; others by number, or as {{'x': place}}"
                )
            return np.array([0 if what == "start" else self.elements])
        if isinstance(what, Mapping):
            if set(what) not in ({"x"}, {"nearest"}):
                raise ValueError(f"nodes of a beam: {{'x': place along it}} or {{'nearest': point}}, not {what!r}")
            x = float(what["x"]) if "x" in what else float(vector3(what["nearest"], "point")[0])
            node = int(np.clip(round(x / self.h), 0, self.elements))
            if "x" in what and abs(node * self.h - x) > 1e-9 * self.length:
                raise ValueError(
                    f"there is no node at x = {x:g} m: the beam has {self.elements} elements of {self.h:g} m; "
                    "choose their number so that one ends there"
                )
            return np.array([node])
        found = np.atleast_1d(np.asarray(what))
        if not np.issubdtype(found.dtype, np.integer) or found.min() < 0 or found.max() > self.elements:
            raise ValueError(f"nodes {what!r}: the beam has nodes 0 to {self.elements}")
        return found.astype(np.int64)

    # ------------------------------------------------------------------------------------------- points of integration

    def _points(self, modes: Array) -> tuple[Array, Array, Array, Array]:
        """Masses (P), positions (P, 3), displacements and turns (P, 3, n) of the points of integration."""
        n = modes.shape[1]
        local = modes[self._rows]  # (elements, 12, n)
        u = np.einsum("qia,ean->eqin", self.at.displacement, local).reshape(-1, 3, n)
        turn = np.einsum("qia,ean->eqin", self.at.turn, local).reshape(-1, 3, n)
        x = (self.h * (np.arange(self.elements)[:, None] + beam2.GAUSS)).ravel()
        mass = np.tile(beam2.WEIGHTS * self.h * self.beam.mass, self.elements)
        return mass, np.column_stack([x, np.zeros((len(x), 2))]), u, turn

    def _second_moments(self, mass: Array) -> Array:
        """Integrals of s s^T dm over the sections: E = trace(J) 1 / 2 - J."""
        J = np.asarray(self.beam.inertia, dtype=float) / self.beam.mass
        return mass[:, None, None] * (0.5 * np.trace(J) * np.eye(3) - J)

    def moments(self, modes: Array) -> Moments:
        """At the points of integration, with the rotary inertia of the sections: exact for the element's functions."""
        mass, r, u, turn = self._points(modes)
        return Moments.of(mass, r, u, self._second_moments(mass), turn)

    def fields_of_force(self) -> Array:
        """Loads of unit accelerations of the frame, as work of the element's functions."""
        mass, r, u, turn = self._points(np.eye(self.size))
        E = self._second_moments(mass)
        loads = np.zeros((self.size, 12))
        for k, (constant, linear) in enumerate(inertial_fields()):
            a = constant + r @ linear.T
            loads[:, k] = -np.einsum("p,pi,pin->n", mass, a, u)
            loads[:, k] -= np.einsum("pi,pin->n", _section_moment(E, linear), turn)
        return loads

    def tension(self, u: Array) -> Array:
        """Axial force [N] in the middle of each element."""
        middle = beam2.fields(self.C, self.h, np.array([0.5])).force[0, 0]
        return u[self._rows] @ middle

    def section_forces(self, u: ArrayLike) -> Array:
        """(elements, 2, 6) N, Qy, Qz, Mx, My, Mz [N, N m] at both ends of each element, of displacements (nodes, 6)."""
        local = np.asarray(u, dtype=float).reshape(-1)[self._rows]
        return np.einsum("qia,ea->eqi", beam2.fields(self.C, self.h, np.array([0.0, 1.0])).force, local)

    def geometric(self, u: Array, modes: Array) -> Array:
        """Of the axial forces."""
        J = np.asarray(self.beam.inertia, dtype=float)
        unit = beam2.geometric(self.C, 1.0, J[0, 0] / self.beam.mass, self.h)
        local = modes[self._rows]
        return np.einsum("e,ean,ab,ebm->nm", self.tension(u), local, unit, local)

    @property
    def faces(self) -> NDArray[np.int64]:
        """The line."""
        first = np.arange(self.elements)
        return np.column_stack([first, first + 1])


def _section_moment(E: Array, linear: Array) -> Array:
    """(P, 3) integral of s x (linear s) dm over sections with second moments E (P, 3, 3)."""
    B = E @ linear.T  # B_jk = integral of s_j (linear s)_k
    return np.stack([B[:, 1, 2] - B[:, 2, 1], B[:, 2, 0] - B[:, 0, 2], B[:, 0, 1] - B[:, 1, 0]], axis=1)
