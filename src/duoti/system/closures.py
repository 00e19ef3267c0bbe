"""Arrays of the cut joints, and the structure that their equations have in common."""

from __future__ import annotations

from typing import Any

import numpy as np

from duoti.model.model import Model
from duoti.system.arrays import ROW_KIND, Closures, Ints
from duoti.topology import Topology

CLOSED = 1e-12  # residual that counts as closed, for a mechanism of the size of a metre


def _path(parent: list[int], body: int) -> list[int]:
    """Bodies from `body` inward to ground, ground included."""
    way = [body]
    while way[-1] > 0:
        way.append(parent[way[-1]])
    return way


def build_closures(
    model: Model, topo: Topology, rows: Any, marker_body: Ints, markers: dict[str, int]
) -> tuple[Closures, list[str]]:
    """Equations of all cut joints, ordered so that those that share rates are neighbours; and their order."""
    cuts = topo.cut_joints
    ends = [(markers[f"closure:{name}.parent"], markers[f"closure:{name}.child"]) for name in cuts]
    ways = [[_path(rows.parent, int(marker_body[m])) for m in pair] for pair in ends]
    support = [{i for way in pair for b in way for i in range(rows.iv[b], rows.iv[b] + rows.dof[b])} for pair in ways]
    order = _order(support, rows.nv)
    first, kinds, axes, advance, markers_of, common = [0], [], [], [], [], []
    by_rate: list[list[int]] = [[] for _ in range(rows.nv)]
    for k in order:
        joint = model.joints[cuts[k]].joint
        for row in joint.closure:
            for i in support[k]:
                by_rate[i].append(len(kinds))
            kinds.append(ROW_KIND[row.kind])
            axes.append((row.i, row.j))
        first.append(len(kinds))
        advance.append(joint.parameters()[0] if joint.kind == "screw" else 0.0)
        markers_of.append(ends[k])
        inward = set(ways[k][0])
        common.append(next(b for b in ways[k][1] if b in inward))
    profile = np.arange(len(kinds))
    for members in by_rate:
        if members:
            profile[members] = np.minimum(profile[members], min(members))
    ints = lambda x, *shape: np.array(x, dtype=np.int64).reshape(-1, *shape)  # noqa: E731
    closures = Closures(
        count=len(cuts), rows=len(kinds), markers=ints(markers_of, 2), first=ints(first), common=ints(common),
        row_kind=ints(kinds), row_axes=ints(axes, 2), advance=np.array(advance, dtype=float),
        column=ints(np.concatenate([[0], np.cumsum([len(members) for members in by_rate])])),
        column_rows=ints([r for members in by_rate for r in members]), profile=ints(profile), tolerance=CLOSED,
    )  # fmt: skip
    return closures, [cuts[k] for k in order]


def _order(support: list[set[int]], nv: int) -> list[int]:
    """Cut joints in an order that keeps the profile of the closures' matrix small (reverse Cuthill-McKee)."""
    if len(support) < 3:
        return list(range(len(support)))
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import reverse_cuthill_mckee

    links = [k for k, rates in enumerate(support) for _ in rates]
    takes_part = csr_array((np.ones(len(links)), (links, [i for rates in support for i in rates])), (len(support), nv))
    return reverse_cuthill_mckee((takes_part @ takes_part.T).tocsr(), symmetric_mode=True).tolist()
