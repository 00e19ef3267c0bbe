"""Flexible bodies for the page: their surface, and how modes move and stress it."""

from __future__ import annotations

import base64
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.system.flexible_rows import FlexibleLayout

Array = NDArray[np.float64]
MOST_NUMBERS = 6_000_000  # of one body: nodes times modes times components; a page with more would be slow to open
SIDES = 6  # of the prism that a line is drawn as
THICKNESS = 0.012  # of it, as a part of the body's length


def flexible_part(layout: FlexibleLayout) -> tuple[dict[str, Any], Array] | None:
    """A part for the page, and points that enclose it; None of a body without nodes.

    Positions of nodes (nodes, 3), triangles, displacements (modes, nodes, 3) and stresses (modes, nodes, 6) of unit
    modal coordinates, as 32-bit numbers in this order.
    """
    shown = layout.reduced.display
    if shown is None or not len(shown.faces):
        return None
    if shown.faces.shape[1] == 2:
        nodes, faces, modes = _tube(shown.nodes, shown.faces, shown.modes, THICKNESS * layout.reduced.length)
        stresses = None
    else:
        used, faces = np.unique(shown.faces, return_inverse=True)
        nodes, modes = shown.nodes[used], shown.modes[used]
        stresses = None if shown.stresses is None else shown.stresses[used]
    data: dict[str, Any] = {
        "nodes": _numbers(nodes),
        "faces": base64.b64encode(faces.astype("<u4").tobytes()).decode("ascii"),
        "modes": _numbers(np.moveaxis(modes, 2, 0)),
    }
    if stresses is not None and stresses.size <= MOST_NUMBERS:
        data["stresses"] = _numbers(np.moveaxis(stresses, 2, 0))
    part = {"kind": "flexible", "pose": [0.0] * 3 + [1.0] + [0.0] * 3, "size": {"length": layout.reduced.length}}
    return part | {"flexible": data}, nodes


def _numbers(values: Array) -> str:
    return base64.b64encode(np.ascontiguousarray(values).astype("<f4").tobytes()).decode("ascii")


def _tube(
    nodes: Array, lines: NDArray[np.int64], modes: Array, radius: float
) -> tuple[Array, NDArray[np.int64], Array]:
    """Lines as thin prisms along x, whose corners move as their nodes do."""
    angle = 2.0 * np.pi * np.arange(SIDES) / SIDES
    ring = radius * np.column_stack([np.zeros(SIDES), np.cos(angle), np.sin(angle)])
    corners = (nodes[:, None] + ring).reshape(-1, 3)
    k, after = np.arange(SIDES), (np.arange(SIDES) + 1) % SIDES
    a, b = lines[:, :1] * SIDES, lines[:, 1:] * SIDES
    first = np.stack([a + k, b + k, a + after], axis=2)
    second = np.stack([a + after, b + k, b + after], axis=2)
    return corners, np.concatenate([first, second]).reshape(-1, 3)[:, ::-1].copy(), np.repeat(modes, SIDES, axis=0)
