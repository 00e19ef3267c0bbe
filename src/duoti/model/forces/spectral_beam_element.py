"""Beam element of higher order: a piece of a geometrically exact beam through three or more nodes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from duoti.elements.beams.spectral_nodes import BLOCK, HEADER, PLANE, place_of
from duoti.elements.beams.spectral_plane import plane_law, plane_scratch_size, plane_tangent
from duoti.elements.beams.spectral_space import scratch_size, space_law, space_tangent
from duoti.kernel import helper
from duoti.model.beams.beam_section import Beam
from duoti.model.beams.lobatto import HIGHEST
from duoti.model.beams.spectral_strains import Rest, forces_at, in_order, point_numbers, rest_of
from duoti.model.element_id import Fault
from duoti.model.elements import Reference, name_of
from duoti.model.forces.base import Compiler, Force
from duoti.model.forces.channels import Array, ForceChannel, Seen

INTEGERS = ("block",)
MIDDLE = np.zeros(1)


@helper
def _spectral_beam_element(f, t, q, v, loads, w):
    p = place_of(loads, f)
    return space_law(p, loads, w) if loads.forces.block_integers[p + PLANE] == 0 else plane_law(p, loads, w)


@helper
def _spectral_beam_element_tangent(f, t, q, v, tree, loads, w, tan, path):
    p = place_of(loads, f)
    if loads.forces.block_integers[p + PLANE] == 0:
        space_tangent(p, tree, loads, w, tan)
    else:
        plane_tangent(p, tree, loads, w, tan)


def _couples(beam: Beam, normal: int) -> bool:
    """Whether strains in the plane with this normal (1 y, 2 z) cause section forces out of it."""
    within = [0, 1, 5] if normal == 2 else [0, 2, 4]
    return bool(np.any(np.delete(beam.matrix[within], within, axis=1)))


class SpectralBeamElement(Force):
    r"""Beam element of high order through nodes at Gauss-Lobatto points, with large rotations.

    $$U = \tfrac{1}{2} \int_0^L \epsilon^T C\, \epsilon\, ds$$

    Between the nodes, positions and quaternions are polynomials. The energy is a sum over Gauss points, one fewer than
    nodes, so the element does not lock. It is free of stress in the reference configuration.

    The nodes' x axes point along the beam, their z axes towards `up` of the section. Neighbouring nodes must turn by
    less than half a turn against each other. The element is accurate while its ends are less than a quarter turn from
    its middle node. It has no mass: `Model.add_beam` puts the mass into the nodes.

    Parameters
    ----------
    nodes:
        Three to nine markers or bodies at Gauss-Lobatto points, from one end to the other.
    beam:
        Section and material, or stiffnesses.
    """

    kind = "spectral_beam_element"
    INTEGERS = INTEGERS
    law = staticmethod(_spectral_beam_element)
    tangent = staticmethod(_spectral_beam_element_tangent)
    repeats_bodies: ClassVar[bool] = True

    def __init__(self, nodes: Sequence[Reference], beam: Beam):
        self.nodes, self.beam = nodes, beam
        self._point_beams: tuple[Beam, ...] = ()
        self._node_beams: tuple[Beam, ...] = ()
        self._rest: Rest | None = None

    @property
    def order(self) -> int:
        """One less than its nodes."""
        return len(self.nodes) - 1

    def vary(self, points: Sequence[Beam], nodes: Sequence[Beam]) -> None:
        """Say what a beam that changes along its length is made of at the Gauss points and at the nodes."""
        self._point_beams, self._node_beams = tuple(points), tuple(nodes)

    @property
    def point_beams(self) -> tuple[Beam, ...]:
        """What the beam is made of at the Gauss points."""
        return self._point_beams or (self.beam,) * self.order

    @property
    def node_beams(self) -> tuple[Beam, ...]:
        """What the beam is made of at the nodes."""
        return self._node_beams or (self.beam,) * (self.order + 1)

    @property
    def rest(self) -> Rest:
        """The element without stress."""
        if self._rest is None:
            raise ValueError("a beam element has its shape without stress from the reference configuration: compile")
        return self._rest

    def markers(self) -> Iterable[tuple[str, Reference]]:
        """All nodes, in order."""
        return tuple(("nodes", each) for each in self.nodes)

    def faults(self) -> list[Fault]:
        found: list[Fault] = []
        if not isinstance(self.beam, Beam):  # pyright: ignore[reportUnnecessaryIsInstance]
            found.append(Fault(f"beam is {self.beam!r}; give a dt.Beam", "beam"))
        nodes: Any = self.nodes
        if isinstance(nodes, str) or not isinstance(nodes, Sequence) or not 3 <= len(nodes) <= HIGHEST + 1:
            found.append(Fault(f"give a list of 3 to {HIGHEST + 1} nodes; of two, dt.beams.BeamElement", "nodes"))
        return found

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        poses = [compiler.reference_pose(each) for each in self.nodes]
        R = np.array([np.asarray(pose.rotation.matrix) for pose in poses])
        places = np.array([np.asarray(pose.position) for pose in poses])
        if not in_order(places):
            names = ", ".join(f'"{name_of(each)}"' for each in self.nodes)
            raise ValueError(f"beam element with the nodes {names}: some coincide, or are not in their order along it")
        self._rest = rest_of(R, places)
        beams = self.point_beams
        damped = any(np.any(beam.damping_times) for beam in beams)
        plane = 0 if damped else compiler.plane_of(self.nodes, on_one=True)
        if plane and any(_couples(beam, plane) for beam in beams):
            plane = 0
        header = dict.fromkeys(HEADER, 0)
        header |= {"nodes": len(poses), "points": self.order, "damped": int(damped), "plane": plane}
        integers = [*header.values(), *(compiler.marker(each) for each in self.nodes)]
        size = max(scratch_size(len(poses), self.order), plane_scratch_size(len(poses), self.order))
        numbers = point_numbers(self._rest, beams, damped)
        return {
            INTEGERS[BLOCK]: compiler.block(np.array(integers, np.int64), numbers, lambda nv, nz: size, shared=True)
        }

    def channels(self, model: Any) -> Mapping[str, ForceChannel]:
        """Section forces and strains in the middle, see `r.along`."""
        beam = self.point_beams[self.order // 2]

        def forces(seen: Seen) -> Array:
            return forces_at(self, seen.frames, MIDDLE)[:, 0]

        def strains(seen: Seen) -> Array:
            return np.linalg.solve(beam.matrix, forces(seen).T).T.astype(float)

        return {
            "section_force": ForceChannel("N", 3, lambda seen: forces(seen)[:, :3]),
            "section_moment": ForceChannel("N m", 3, lambda seen: forces(seen)[:, 3:]),
            "strain": ForceChannel("1", 3, lambda seen: strains(seen)[:, :3]),
            "curvature": ForceChannel("rad/m", 3, lambda seen: strains(seen)[:, 3:]),
        }
