"""Checks of the topology: loops, cuts, degrees of freedom, redundancy."""

from __future__ import annotations

from collections.abc import Iterable
from copy import copy
from dataclasses import replace

from duoti.analyses.checks.context import CheckContext
from duoti.model.checks.findings import Findings, counted
from duoti.model.checks.registry import register_check
from duoti.model.element_id import ElementId
from duoti.model.joints.spherical import Spherical
from duoti.model.mechanism.mobility import LoopGroup, directions, mobility
from duoti.model.model import Model
from duoti.topology import Topology

SHOWN = 6  # loops and cuts that are listed one by one


@register_check("assembly", order=10, cost="solves")
def describe_tree(context: CheckContext, found: Findings) -> None:
    """Add what the mechanism is: bodies, joints, loops, cuts, degrees of freedom. It heads the remarks of a report."""
    model, topo = context.model, context.topology
    loops = topo.loop_count
    trees = "a tree" if loops == 0 else counted(loops, "closed loop")
    equations = sum(len(constraint.rows()) for constraint in model.constraints.values())
    count = topo.prediction.gruebler - equations
    what = f"{counted(len(model.bodies), 'body', 'bodies')}, {counted(len(model.joints), 'joint')}, {trees}"
    if equations:
        what += f", {counted(len(model.constraints), 'constraint')} ({counted(equations, 'equation')})"
    what += f"; {counted(count, 'degree of freedom', 'degrees of freedom')}" + (
        " by Grübler's count" if loops or equations else ""
    )
    redundancy = sum(lasting.redundancy for _, lasting in context.loop_groups)
    if redundancy:
        what += f", {count + redundancy} in truth"
    found.info("topology", _joints(topo.cut_joints), what)
    for cut in topo.cut_joints[:SHOWN]:
        found.info("cut", _joints([cut]), f'joint "{cut}" is cut: {topo.why_cut[cut]}')
    if loops > SHOWN:
        found.info(
            "cut",
            _joints(topo.cut_joints[SHOWN:]),
            f"{counted(loops - SHOWN, 'more joint is', 'more joints are')} cut; see dt.topology(model).why_cut",
        )


@register_check("assembly", order=900, cost="solves")
def check_loops(context: CheckContext, found: Findings) -> None:
    """Add loops that are redundant, in a singular position, or cannot move."""
    for group, other in context.loop_groups:
        if other.redundancy:
            _redundant(other, found, "" if other is group else "near ")
        if other.redundancy < group.redundancy:
            _singular(group, other, found)
        if other.mobility <= 0:
            found.warning(
                "immobile", _joints(group.joints), f"{_loops(group)} of joints {_listed(group.joints)} cannot move",
                f"{other.rates} rates under {other.rank} independent closure equations",
                _loosened(context.model, context.topology, group) or "loosen a joint if it should move",
            )  # fmt: skip


def _loosened(model: Model, topo: Topology, group: LoopGroup) -> str:
    """A fixed joint that locks the loop, in words: as a ball joint it lets it move."""
    for name in group.joints:
        if model.joints[name].kind == "fixed":
            other = copy(model)
            other.joints = {**model.joints, name: replace(model.joints[name], joint=Spherical())}
            if any(each.loops == group.loops and each.mobility > 0 for each in mobility(other, topo)):
                return f'make "{name}" spherical, if it should move'
    return ""


def _joints(names: Iterable[str]) -> tuple[ElementId, ...]:
    return tuple(ElementId("joint", name) for name in names)


def _loops(group: LoopGroup) -> str:
    return "the loops" if len(group.loops) > 1 else "the loop"


def _listed(names: tuple[str, ...]) -> str:
    shown = ", ".join(f'"{n}"' for n in names[:8])
    return shown + (f" and {len(names) - 8} more" if len(names) > 8 else "")


def _singular(group: LoopGroup, other: LoopGroup, found: Findings) -> None:
    n = group.redundancy - other.redundancy
    found.warning(
        "singular-position", _joints([*group.loops, *group.joints]),
        f"{_loops(group)} of joints {_listed(group.joints)} {'are' if len(group.loops) > 1 else 'is'} drawn in a "
        f"singular position",
        f"mobility {group.mobility} there, {other.mobility} in positions nearby: {n} closure "
        f"equation{'s' * (n > 1)} of {group.equations} depend{'s' * (n == 1)} on the others in this position only; "
        "branches of motion may meet, and reactions are not unique in it",
        "draw it in another position, or give q0 of one joint so that it starts elsewhere",
    )  # fmt: skip


def _redundant(group: LoopGroup, found: Findings, near: str = "") -> None:
    n, has = group.redundancy, "have" if len(group.loops) > 1 else "has"
    joints = "; ".join(f'"{name}" ({directions(w)})' for name, w in list(group.stresses.items())[:8])
    if group.remedy:
        parts = [f'"{name}" {kind}' for name, kind in group.remedy.items()]
        remedy = f"make {' and '.join(parts)}: then nothing is redundant and every reaction is unique"
    else:
        remedy = "loosen joints until Grübler's count agrees with the mobility, or accept reactions that are not unique"
    found.warning(
        "redundant", _joints([*group.loops, *group.stresses]),
        f"{_loops(group)} closed by {_listed(group.loops)} {has} {n} redundant closure equation{'s' * (n > 1)}: "
        f"joints {_listed(group.joints)} over-constrain each other",
        f"{near or 'in '}the reference configuration {group.equations} equations have rank {group.rank}; "
        f"reactions that are not unique (world axes): {joints}",
        remedy,
    )  # fmt: skip
