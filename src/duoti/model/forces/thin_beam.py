"""Thin beam: a slender beam or wire through points, whose sections turn as the points say."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from duoti.elements.beams.spectral_nodes import BLOCK, place_of
from duoti.elements.beams.thin_beam import HEADER, line_law, line_tangent, scratch_size
from duoti.kernel import helper
from duoti.model.element_id import Fault
from duoti.model.elements import Reference, name_of
from duoti.model.forces.base import Compiler, Force, number_faults
from duoti.model.forces.channels import Array, ForceChannel, Seen

INTEGERS = ("block",)


@helper
def _thin_beam(f, t, q, v, loads, w):
    return line_law(place_of(loads, f), loads, w)


@helper
def _thin_beam_tangent(f, t, q, v, tree, loads, w, tan, path):
    line_tangent(place_of(loads, f), tree, loads, w, tan, path)


class ThinBeam(Force):
    r"""Thin beam, wire or hose through points: it stretches and bends, without rotational coordinates.

    $$U = \int_0^L \left( \tfrac{1}{2} E A\, \epsilon^2 + \tfrac{1}{2} E I\, \kappa^2 \right) ds$$

    A cubic spline through the points gives the curvature $\kappa$. The beam is straight without stress. It has no
    shear, no twist and no rotary inertia, so its nodes may be points with three coordinates each. Explicit solvers such
    as `Verlet` are stable for steps below an element's length over $\sqrt{E A / m}$, with the mass per length $m$.

    The ends are hinged or free. To clamp an end, give the body that holds it two nodes close to each other.
    Neighbouring pieces must turn by less than half a turn against each other. The beam has no mass: see
    `Model.add_cable`.

    Parameters
    ----------
    nodes:
        Three or more markers or bodies, from one end to the other.
    stiffness:
        Axial stiffness $E A$.
    bending_stiffness:
        Bending stiffness $E I$, the same in all directions.
    lengths:
        Lengths of the pieces without stress; by default the distances in the reference configuration.
    """

    kind = "thin_beam"
    units: ClassVar = {"stiffness": "N", "bending_stiffness": "N m^2", "lengths": "m"}
    INTEGERS = INTEGERS
    law = staticmethod(_thin_beam)
    tangent = staticmethod(_thin_beam_tangent)
    repeats_bodies: ClassVar[bool] = True

    def __init__(
        self,
        nodes: Sequence[Reference],
        stiffness: float,
        bending_stiffness: float,
        lengths: ArrayLike | None = None,
    ):
        self.nodes, self.stiffness, self.bending_stiffness, self.lengths = nodes, stiffness, bending_stiffness, lengths
        self._rest: Array | None = None

    @property
    def pieces(self) -> int:
        """One less than its nodes."""
        return len(self.nodes) - 1

    def markers(self) -> Iterable[tuple[str, Reference]]:
        """All nodes, in order."""
        return tuple(("nodes", each) for each in self.nodes)

    def faults(self) -> list[Fault]:
        found = number_faults(stiffness=self.stiffness, bending_stiffness=self.bending_stiffness)
        if not found:
            for name in ("stiffness", "bending_stiffness"):
                if getattr(self, name) <= 0.0:
                    found.append(Fault(f"{name} is {getattr(self, name)!r}; give a positive number", name))
        nodes: Any = self.nodes
        if isinstance(nodes, str) or not isinstance(nodes, Sequence) or len(nodes) < 3:
            return [*found, Fault("give a list of three nodes or more, from one end to the other", "nodes")]
        if self.lengths is not None:
            lengths = np.asarray(self.lengths, dtype=float)
            if lengths.shape != (self.pieces,) or not np.all(np.isfinite(lengths)) or np.any(lengths <= 0.0):
                found.append(Fault(f"lengths takes a positive number for each of its {self.pieces} pieces", "lengths"))
        return found

    @property
    def rest(self) -> Array:
        """Lengths of the pieces without stress [m]."""
        if self.lengths is not None:
            return np.asarray(self.lengths, dtype=float)
        if self._rest is None:
            raise ValueError("a thin beam without lengths has them from the reference configuration: compile")
        return self._rest

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        if self.lengths is None:
            places = np.array([np.asarray(compiler.reference_pose(each).position) for each in self.nodes])
            found = np.linalg.norm(np.diff(places, axis=0), axis=1)
            self._rest = found
            if np.any(found == 0.0):
                k = int(np.argmin(found))
                names = " and ".join(f'"{name_of(each)}"' for each in self.nodes[k : k + 2])
                raise ValueError(f"thin beam: the nodes {names} coincide; move one of them, or give lengths")
        header = dict.fromkeys(HEADER, 0) | {"nodes": len(self.nodes)}
        integers = [*header.values(), *(compiler.marker(each) for each in self.nodes)]
        size, numbers = scratch_size(len(self.nodes)), self._numbers()
        return {
            INTEGERS[BLOCK]: compiler.block(np.array(integers, np.int64), numbers, lambda nv, nz: size, shared=True)
        }

    def _numbers(self) -> Array:
        """See `elements.beams.thin_beam`: of each node, its piece and its factors of the equation of three moments."""
        h, EI = self.rest, self.bending_stiffness
        found = np.zeros((len(h) + 1, 6))
        yielding = h / (6.0 * EI)
        found[:-1, :4] = np.column_stack([h, self.stiffness / h, yielding**2 / 10.0, yielding])
        pivot = np.inf
        for i in range(1, len(h)):
            found[i, 4] = 0.0 if i == 1 else h[i - 1] / pivot
            pivot = 2.0 * (h[i - 1] + h[i]) - found[i, 4] * h[i - 1]
            found[i, 5] = 6.0 * EI / pivot
        return found.ravel()

    def channels(self, model: Any) -> Mapping[str, ForceChannel]:
        """Tension of each piece, and vectors of the bending moment at its nodes, one after the other."""
        return {
            "tension": ForceChannel("N", self.pieces, lambda seen: self._tensions_and_moments(seen)[0]),
            "bending_moment": ForceChannel(
                "N m", 3 * len(self.nodes), lambda seen: self._tensions_and_moments(seen)[1]
            ),
        }

    def _tensions_and_moments(self, seen: Seen) -> tuple[Array, Array]:
        """N and G of `elements.beams.thin_beam` at all times: G are the moments that the forces at the nodes have."""
        h, EI = self.rest, self.bending_stiffness
        chords = np.diff(seen.frames[:, :, 9:12], axis=1)
        long = np.linalg.norm(chords, axis=2)
        e = chords / long[:, :, None]
        X, c = np.cross(e[:, :-1], e[:, 1:]), np.sum(e[:, :-1] * e[:, 1:], axis=2)
        s = np.linalg.norm(X, axis=2)
        angles = np.where(s > 0.0, np.arctan2(s, c) / np.where(s > 0.0, s, 1.0), 1.0)[:, :, None] * X
        three = np.diag(2.0 * (h[:-1] + h[1:])) + np.diag(h[1:-1], 1) + np.diag(h[1:-1], -1)
        inverse = np.zeros((len(h) + 1, len(h) + 1))
        inverse[1:-1, 1:-1] = 6.0 * EI * np.linalg.inv(three)
        M = np.einsum("ij,tjk->tik", inverse[:, 1:-1], angles)
        a, b = M[:, :-1], M[:, 1:]
        arc = (h / (6.0 * EI)) ** 2 / 10.0
        tension = self.stiffness * (long * (1.0 + arc * np.sum(4.0 * (a * a + b * b) + 7.0 * a * b, axis=2)) / h - 1.0)
        y, weight = np.zeros_like(M), (tension * long * arc)[:, :, None]
        y[:, :-1] += weight * (8.0 * a + 7.0 * b)
        y[:, 1:] += weight * (7.0 * a + 8.0 * b)
        return tension, (M + np.einsum("ij,tjk->tik", inverse, y)).reshape(len(e), -1)
