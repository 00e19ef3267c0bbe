"""What a result says about flexible bodies: modal coordinates, and displacements of the points of their meshes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from duoti.model.errors import ChannelError, did_you_mean
from duoti.strict import explained_methods
from duoti.system.arrays import Reals
from duoti.system.flexible_rows import FlexibleLayout

if TYPE_CHECKING:
    from duoti.results.result import Result

MOST_NUMBERS = 4_000_000
"""Stresses that are in memory at a time."""


class LargestStress(NamedTuple):
    """Where and when the equivalent stress of a flexible body is largest."""

    value: float
    """Von Mises' stress [Pa]."""
    node: int
    time: float


@explained_methods
class Deformation:
    """The part of a `Result` for flexible bodies."""

    def stress(self: Any, body: str, node: int | str) -> Reals:
        """Stress at a node of a flexible body over time [Pa], in the axes of its frame; [time, 6]: xx, yy, zz, xy,
        yz, zx.

        From the modes: what these cannot represent (the stress near a load that has no shape among them) is not in it.
        """
        layout = flexible_layout(self, body)
        stresses = _stresses(layout, body)[_node(layout, body, node)]
        return self.q[:, layout.q] @ stresses.T

    def von_mises(self: Any, body: str, node: int | str) -> Reals:
        """Equivalent stress (von Mises) at a node of a flexible body over time [Pa]."""
        from duoti.flexible.structure import von_mises

        return von_mises(self.stress(body, node))

    def largest_stress(self: Any, body: str) -> LargestStress:
        """The largest equivalent stress (von Mises) of a flexible body among all nodes and outputs, where and when."""
        from duoti.flexible.structure import von_mises

        layout = flexible_layout(self, body)
        stresses = _stresses(layout, body)
        flat, best = (
            np.ascontiguousarray(stresses).reshape(-1, stresses.shape[2]),
            LargestStress(0.0, 0, float(self.t[0])),
        )
        step = max(1, MOST_NUMBERS // len(flat))
        for first in range(0, len(self.t), step):
            values = von_mises((self.q[first : first + step, layout.q] @ flat.T).reshape(-1, len(stresses), 6))
            when, where = np.unravel_index(int(np.argmax(values)), values.shape)
            if values[when, where] > best.value:
                best = LargestStress(float(values[when, where]), int(where), float(self.t[first + when]))
        return best

    def displacement(self: Any, body: str, node: int | str) -> Reals:
        """Displacement of a node of a flexible body over time [m], in the axes of its moving frame; [time, 3].

        The frame is the body's own, which the inboard joint carries. `node`: its number in the mesh, or its name.
        """
        layout = flexible_layout(self, body)
        number = _node(layout, body, node)
        shown = layout.reduced.display
        assert shown is not None
        return self.q[:, layout.q] @ shown.modes[number].T


def flexible_layout(result: Result, body: str) -> FlexibleLayout:
    """Where a flexible body is; ChannelError if it is none."""
    found = result.system.flexible
    if body not in found:
        known = ", ".join(found) or "there are none"
        raise ChannelError(f'"{body}" is no flexible body ({known}).{did_you_mean(body, list(found)) or ""}')
    return found[body]


def _stresses(layout: FlexibleLayout, body: str) -> Reals:
    """[nodes, 6, n] stresses of unit modal coordinates."""
    shown = layout.reduced.display
    if shown is None or shown.stresses is None:
        raise ChannelError(
            f'flexible body "{body}" has no stresses: bodies of meshes (Flexible.from_mesh) and beams of add_beam have'
        )
    return shown.stresses


def _node(layout: FlexibleLayout, body: str, node: int | str) -> int:
    """The number of a node."""
    shown = layout.reduced.display
    if shown is None:
        raise ChannelError(f'flexible body "{body}" was given without nodes; ask for markers at its interfaces')
    if isinstance(node, str):
        names = shown.names or ()
        if node not in names:
            raise ChannelError(f'flexible body "{body}" has no node "{node}".{did_you_mean(node, list(names)) or ""}')
        node = names.index(node)
    if not 0 <= node < len(shown.nodes):
        raise ChannelError(f'flexible body "{body}" has nodes 0 ... {len(shown.nodes) - 1}, not {node}')
    return int(node)
