"""A topology as text for the terminal."""

from __future__ import annotations

import textwrap
import unicodedata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from duoti.topology.tree import Topology

MAX_BODIES = 200
MAX_LOOPS = 40
DEEP = 16
"""From this depth on a body that is the only one carried is written below its carrier, not indented."""


def width(text: str) -> int:
    """Columns a text takes in a terminal: Chinese characters take two."""
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 0 if unicodedata.combining(c) else 1 for c in text)


def plural(count: int, noun: str) -> str:
    """'1 body', '2 bodies', '3 joints'."""
    if count == 1:
        return f"1 {noun}"
    return f"{count} {noun[:-1]}ies" if noun.endswith("y") else f"{count} {noun}s"


def headline(t: Topology) -> str:
    """One line of counts."""
    parts = [
        f"{plural(len(t.bodies) - 1, 'body')} and {t.graph.ground}",
        plural(len(t.graph.joints), "joint"),
    ]
    if t.virtual_joints:
        parts.append(plural(len(t.virtual_joints), "virtual joint"))
    parts.append(plural(t.loop_count, "loop"))
    if len(t.subsystems) > 1:
        parts.append(plural(len(t.subsystems), "subsystem"))
    return ", ".join(parts)


def as_text(t: Topology) -> str:
    """The tree with one body a line, then the cut joints with their loops, then the predicted size."""
    lines = [headline(t), "", *_tree(t)]
    if t.cut_joints:
        lines += ["", f"cut joints ({t.policy})", *_cuts(t)]
    if t.virtual_joints:
        shown = ", ".join(t.virtual_joints[:10]) + (", ..." if len(t.virtual_joints) > 10 else "")
        lines += ["", f"virtual free joints: {shown}"]
    if t.reversed:
        back = [name for name in t.tree_joints if name in t.reversed]
        shown = ", ".join(back[:10]) + (", ..." if len(back) > 10 else "")
        lines += ["", f"declared towards {t.graph.ground}, reversed in the tree: {shown}"]
    if not t.graph.unspecified:
        lines += ["", f"size: {t.prediction}"]
    return "\n".join(lines)


def _tree(t: Topology) -> list[str]:
    last, parent, deep = t.labelling.last, t.labelling.parent, int(t.labelling.depth.max()) > DEEP
    shown = min(len(t.bodies) - 1, MAX_BODIES)
    rest = [""]  # by label: what precedes the lines of the bodies it carries
    left: list[str] = []
    for row in t.tree[:shown]:
        j, p = row.label, int(parent[row.label])
        final = int(last[j]) == int(last[p])  # the last body that its carrier carries
        only = final and j == p + 1
        if only and deep and p:
            left.append(f"{rest[p]}╵ {row.name} ─ {row.outboard}")
            rest.append(rest[p])
        else:
            left.append(f"{rest[p]}{'└' if final else '├'}─ {row.name} ─ {row.outboard}")
            rest.append(rest[p] + ("   " if final else "│  "))
    column = max((width(text) for text in left), default=0) + 2
    lines = [t.graph.ground]
    for text, row in zip(left, t.tree, strict=False):
        note = f"{row.label:>4}  {row.kind}" + (" (virtual)" if row.virtual else "")
        lines.append(text + " " * (column - width(text)) + note)
    if shown < len(t.bodies) - 1:
        lines.append(f"... and {len(t.bodies) - 1 - shown} more bodies")
    return lines


def _cuts(t: Topology) -> list[str]:
    lines: list[str] = []
    names = max(width(name) for name in t.cut_joints[:MAX_LOOPS])
    for loop in t.loops[:MAX_LOOPS]:
        edge = t.edge(loop.cut)
        pad = " " * (names - width(loop.cut))
        lines.append(f"  {loop.cut}{pad}  {edge.kind}, {edge.parent} → {edge.child}")
        if t.policy != "absolute":
            indent = " " * (names + 4)
            lines += textwrap.wrap(t.why_cut[loop.cut], 100, initial_indent=indent, subsequent_indent=indent)
    if t.loop_count > MAX_LOOPS:
        lines.append(f"  ... and {t.loop_count - MAX_LOOPS} more")
    return lines
