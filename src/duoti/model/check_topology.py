"""The part of the model check that looks at the topology: loops, cuts, degrees of freedom, redundancy."""

from __future__ import annotations

import numpy as np

from duoti.model.cuts import cut_weights
from duoti.model.findings import Findings
from duoti.model.mobility import LoopGroup, mobility
from duoti.model.model import Model
from duoti.topology import topology

SHOWN = 6  # loops and cuts that are listed one by one


def check_topology(model: Model, found: Findings) -> None:
    """Add what can be said about the tree and its loops. The model must be in order so far."""
    topo = topology(model, weights=cut_weights(model))
    loops = topo.loop_count
    trees = "a tree" if loops == 0 else f"{loops} closed loop{'s' * (loops > 1)}"
    groups = mobility(model, topo) if loops else []
    count = topo.prediction.gruebler
    what = f"{len(model.bodies)} bodies, {len(model.joints)} joints, {trees}; "
    what += f"{count} degrees of freedom" + (" by Grübler's count" if loops else "")
    redundancy = sum(group.redundancy for group in groups)
    if redundancy:
        what += f", {count + redundancy} in truth"
    found.info("topology", tuple(topo.cut_joints), what)
    for cut in topo.cut_joints[:SHOWN]:
        found.info("cut", (cut,), f'joint "{cut}" is cut: {topo.why_cut[cut]}')
    if loops > SHOWN:
        found.info(
            "cut", topo.cut_joints[SHOWN:], f"{loops - SHOWN} more joints are cut; see dt.topology(model).why_cut"
        )
    for group in groups:
        if group.redundancy:
            _redundant(group, found)
        if group.mobility <= 0:
            found.warning(
                "immobile", group.joints, f"{_loops(group)} of joints {_listed(group.joints)} cannot move",
                f"{group.rates} rates under {group.rank} independent closure equations in the reference configuration",
                "loosen a joint if it should move",
            )  # fmt: skip


def _loops(group: LoopGroup) -> str:
    return "the loops" if len(group.loops) > 1 else "the loop"


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(f'"{n}"' for n in names[:8])
    return shown + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def _directions(wrenches: np.ndarray) -> str:
    """Which components of a reaction are not unique, in words."""
    words: list[str] = []
    for start, name in ((3, "force"), (0, "torque")):
        size = np.linalg.norm(wrenches[:, start : start + 3], axis=0)
        letters = [axis for axis, s in zip("xyz", size, strict=True) if s > 1e-6]
        if letters:
            words.append(f"{name} along {', '.join(letters)}")
    return " and ".join(words)


def _redundant(group: LoopGroup, found: Findings) -> None:
    n, has = group.redundancy, "have" if len(group.loops) > 1 else "has"
    joints = "; ".join(f'"{name}" ({_directions(w)})' for name, w in list(group.stresses.items())[:8])
    if group.remedy:
        parts = [f'"{name}" {kind}' for name, kind in group.remedy.items()]
        remedy = f"make {' and '.join(parts)}: then nothing is redundant and every reaction is unique"
    else:
        remedy = "loosen joints until Grübler's count agrees with the mobility, or accept reactions that are not unique"
    found.warning(
        "redundant", (*group.loops, *group.stresses),
        f"{_loops(group)} closed by {_listed(group.loops)} {has} {n} redundant closure equation{'s' * (n > 1)}: "
        f"joints {_listed(group.joints)} over-constrain each other",
        f"in the reference configuration {group.equations} equations have rank {group.rank}; "
        f"reactions that are not unique (world axes): {joints}",
        remedy,
    )  # fmt: skip
