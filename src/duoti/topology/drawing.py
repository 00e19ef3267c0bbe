"""A topology as an SVG drawing: solid tree joints, dashed cut joints, one colour for each loop.

The dots on a tree joint have the colours of the loops that it belongs to; the list below the drawing tells
them.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from duoti.topology.text import as_text, headline

if TYPE_CHECKING:
    from duoti.topology.tree import Topology


# Where the bodies, joints and cut joints of a drawing go. Nothing overlaps by construction:
#
# - Bodies stand in columns by their distance from body 0, and a body stands in the row of the first body it
#   carries, so that a chain is one straight row and every joint has the gap in front of its body to itself.
# - A deep tree is folded: after some columns, what is further outboard goes on below everything else.
# - Below each row is a channel with one track for each end of a cut joint. Tracks run to the right margin,
#   where each cut joint has a lane that connects its two tracks. Bodies further right get higher tracks, so
#   that the way down from a body crosses no track that starts in the same row.


BOX, ROW_GAP, TRACK, LANE, MARGIN, BUS = 26, 16, 15, 9, 16, 12
NAME, SMALL_FONT = 12, 9.5  # font sizes
WIDEST = 1800  # fold beyond this width


def text_width(text: str, size: float) -> float:
    """Generous estimate of a text's width in a sans-serif font; Chinese characters are square."""
    return size * sum(1.05 if unicodedata.east_asian_width(c) in "WF" else 0.64 for c in text)


@dataclass
class Track:
    """One end of a cut joint: from ``port`` on a body's lower edge down to ``y``, then right."""

    body: int
    cut: int
    port: float = 0.0
    y: float = 0.0


class Layout:
    """Pixels: ``x``, ``width`` and ``row`` by body label, ``top`` by row, tracks and lanes by cut joint."""

    def __init__(self, t: Topology) -> None:
        lab, count = t.labelling, len(t.bodies)
        self.loops_of = _loops_of(t)
        self.ends = [(int(a), int(b)) for a, b in zip(t.start[count - 1 :], t.end[count - 1 :], strict=True)]
        ends_of = np.bincount(np.array(self.ends, dtype=np.int64).ravel(), minlength=count)
        self.width = [
            max(text_width(f"{name} {k}", NAME) + 16, 10 * int(ends_of[k]) + 12) for k, name in enumerate(t.bodies)
        ]
        gap = [0.0] + [_gap(row.name, row.kind, len(self.loops_of[row.label])) for row in t.tree]
        self.fold = _fold(lab.depth, self.width, gap)
        depth, parent = lab.depth.tolist(), lab.parent.tolist()
        self.column = [d % self.fold for d in depth]
        self.folded = [d > 0 and d % self.fold == 0 for d in depth]

        self.row = _row_of(lab.last.tolist(), parent, self.folded)
        columns = max(self.column) + 1
        box, before = [0.0] * columns, [0.0] * columns
        for k in range(count):
            c = self.column[k]
            box[c] = max(box[c], self.width[k])
            before[c] = max(before[c], gap[k])
        left = [0.0] * columns
        folds = [k for k in range(count) if self.folded[k]]
        x = float(MARGIN) + 7 * len(folds)
        for c in range(columns):
            left[c] = x + before[c]
            x = left[c] + box[c]
        self.x = [left[c] for c in self.column]
        self.bus = [self._bus(left, box, c) for c in self.column]
        for n, k in enumerate(sorted(folds, key=lambda k: -self.row[k])):
            self.bus[k] = MARGIN + 7.0 * n  # the longest way down is leftmost
        self.joint_x = [left[0] - before[0] if self.folded[k] else self.bus[k] for k in range(count)]
        self.right = x

        self._rows([(k, parent[k]) for k in folds])
        self._lanes()

    @staticmethod
    def _bus(left: list[float], box: list[float], column: int) -> float:
        """Where the line from the inboard body turns down to the rows of its other bodies."""
        return left[column - 1] + box[column - 1] + BUS if column else 0.0

    def _rows(self, folds: list[tuple[int, int]]) -> None:
        """Give each row its height: the box, a track for each end of a cut joint, one for each fold."""
        self.tracks = [Track(body, cut) for cut, pair in enumerate(self.ends) for body in pair]
        rows = max(self.row) + 1
        waiting: list[list[Track]] = [[] for _ in range(rows)]
        for track in self.tracks:
            waiting[self.row[track.body]].append(track)
        leaving: list[list[int]] = [[] for _ in range(rows)]
        for k, p in folds:
            leaving[self.row[p]].append(k)
        self.top: list[float] = []
        self.fold_y: dict[int, float] = {}
        y = float(MARGIN)
        for r in range(rows):
            self.top.append(y)
            y += BOX + 6
            used: dict[int, int] = {}
            for track in sorted(waiting[r], key=lambda e: (-self.x[e.body], e.cut)):
                k = used[track.body] = used.get(track.body, 0) + 1
                y += TRACK
                track.y = y - 5
                track.port = self.x[track.body] + self.width[track.body] - 10.0 * k + 2
            for k in leaving[r]:
                y += 7
                self.fold_y[k] = y
            y += ROW_GAP
        self.bottom = y

    def _lanes(self) -> None:
        """Short lanes first and nearest; two cut joints share a lane when they do not overlap."""
        spans = [
            (abs(b.y - a.y), min(a.y, b.y), max(a.y, b.y), k)
            for k, (a, b) in enumerate(zip(self.tracks[::2], self.tracks[1::2], strict=True))
        ]
        lanes: list[list[tuple[float, float]]] = []
        self.lane = [0.0] * len(spans)
        for _, low, high, k in sorted(spans):
            fits = (all(high + 4 < a or b + 4 < low for a, b in taken) for taken in lanes)
            n = next((n for n, fit in enumerate(fits) if fit), len(lanes))
            if n == len(lanes):
                lanes.append([])
            lanes[n].append((low, high))
            self.lane[k] = self.right + 24 + LANE * n
        self.edge = self.right + (24 + LANE * len(lanes) if lanes else 0) + MARGIN


def _row_of(last: list[int], parent: list[int], folded: list[bool]) -> list[int]:
    """Row of each body: its inboard body's for the first one that a body carries, otherwise a new one.

    What is folded waits until all before it has its rows.
    """
    row, rows, roots = [-1] * len(last), -1, [0]
    for root in roots:  # grows while it runs
        k = root
        while k <= last[root]:
            if folded[k] and k != root:
                roots.append(k)
                k = last[k] + 1
                continue
            if k == root or k != parent[k] + 1:
                rows += 1
                row[k] = rows
            else:
                row[k] = row[parent[k]]
            k += 1
    return row


def _loops_of(t: Topology) -> list[list[int]]:
    """By body label: the loops that its inboard joint belongs to."""
    found: list[list[int]] = [[] for _ in t.bodies]
    U = t.loop_matrix
    for k in np.lexsort((U.j, U.i)).tolist():
        found[int(U.i[k]) + 1].append(int(U.j[k]))
    return found


def _gap(name: str, kind: str, loops: int) -> float:
    return max(text_width(name, NAME), text_width(kind, SMALL_FONT), 9.0 * min(loops, 9) + 6) + BUS + 14


def _fold(depth: np.ndarray, width: list[float], gap: list[float]) -> int:
    """Number of columns before the tree is folded; more than there are when all fit side by side."""
    deepest = int(depth.max())
    widest = [0.0] * (deepest + 1)
    for d, w, g in zip(depth.tolist(), width, gap, strict=True):
        widest[d] = max(widest[d], w + g)
    total = 0.0
    if sum(widest) <= 1.3 * WIDEST:  # rather a little wider than a few bodies on a line of their own
        return deepest + 1
    for d, w in enumerate(widest):
        total += w
        if total > WIDEST and d >= 4:
            return d
    return deepest + 1


COLOURS = (
    *("#0072b2", "#d55e00", "#009e73", "#c2187e", "#7b3fa0", "#8c6d00"),
    *("#0097a7", "#b22222", "#4f6d1f", "#3949ab", "#a0522d", "#5d4037"),
)
DASHES = ("6 3", "2 3", "9 3 2 3")  # a second and third round through the colours
LEGEND = 40  # loops listed below the drawing
NOTEBOOK = 300  # bodies up to which a notebook shows the drawing, not the text

STYLE = (
    "text{font-family:system-ui,'DejaVu Sans','Noto Sans CJK SC',sans-serif;fill:#222}"
    ".h{stroke:#fff;stroke-width:4px;stroke-linejoin:round}"
    f".n{{font-size:{NAME}px}}.k{{font-size:{SMALL_FONT}px;fill:#666}}"
    ".t{fill:none;stroke:#555;stroke-width:1.6}.v{stroke-dasharray:1 3}.c{fill:none;stroke-width:1.8}"
    ".b{fill:#f4f6f8;stroke:#445;stroke-width:1.2}.g{fill:#ddd6c8;stroke:#665}"
)


def colour(loop: int) -> str:
    """Colour of a loop by its number."""
    return COLOURS[loop % len(COLOURS)]


def dash(loop: int) -> str:
    """Dash pattern of a loop by its number: the second dozen differs from the first."""
    return DASHES[loop // len(COLOURS) % len(DASHES)]


def as_svg(t: Topology) -> str:
    """The drawing as a self-contained SVG text."""
    lay = Layout(t)
    tree_lines, tree_texts = _tree(t, lay)
    cut_lines, cut_texts = _cuts(t, lay)
    legend, width, height = _legend(t, lay.bottom)
    width, height = max(lay.edge, width), max(lay.bottom, height)
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}">',
            f"<title>{escape(headline(t))}</title><style>{STYLE}</style>",
            '<rect width="100%" height="100%" fill="#fff"/>',
            *tree_lines,
            *cut_lines,
            *_bodies(t, lay),
            *tree_texts,
            *cut_texts,
            f'<g class="legend" data-right="{lay.edge:.0f}" data-top="{lay.bottom:.0f}">',
            *legend,
            "</g>",
            "</svg>",
        ]
    )


def as_html(t: Topology) -> str:
    """For notebooks: the drawing, or the text when it would be too large to be of use."""
    if len(t.bodies) > NOTEBOOK:
        return f"<pre>{escape(as_text(t))}</pre>"
    return f'<div style="overflow:auto;background:#fff">{as_svg(t)}</div>'


def _text(x: float, y: float, text: str, css: str, fill: str = "", of: str = "") -> str:
    style = f' style="fill:{fill}"' if fill else ""
    place, shown = f'<text x="{x:.1f}" y="{y:.1f}"', escape(text)
    halo = f'{place} class="{css} h">{shown}</text>'  # white below the text, so that lines stop at it
    return f'{halo}{place} class="{css}"{style}{of}>{shown}</text>'


def _of(kind: str, name: str) -> str:
    """What a part of the drawing stands for, so that a page can tell what was clicked."""
    return f' data-{kind}="{escape(name)}"'


def _bodies(t: Topology, lay: Layout) -> list[str]:
    out: list[str] = []
    for k, name in enumerate(t.bodies):
        x, y = lay.x[k], lay.top[lay.row[k]]
        css, of = "b" if k else "b g", _of("body", name)
        label = f'{escape(name)}<tspan class="k" dx="4">{k}</tspan>'
        out.append(
            f'<rect class="{css}" x="{x:.1f}" y="{y:.1f}" width="{lay.width[k]:.1f}" height="{BOX}" rx="5"{of}/>'
            f'<text class="n" x="{x + 8:.1f}" y="{y + 17:.1f}"{of}>{label}</text>'
        )
    return out


def _tree(t: Topology, lay: Layout) -> tuple[list[str], list[str]]:
    lines: list[str] = []
    texts: list[str] = []
    for row in t.tree:
        k, p = row.label, t.labels[row.inboard]
        y = lay.top[lay.row[k]] + BOX / 2
        yp = lay.top[lay.row[p]] + BOX / 2
        bus, x = lay.bus[k], lay.x[k]
        if lay.folded[k]:
            way = f"M{lay.x[p] + 8:.1f} {yp:.1f}V{lay.fold_y[k]:.1f}H{bus:.1f}V{y:.1f}H{x:.1f}"
        else:
            way = f"M{lay.x[p] + lay.width[p]:.1f} {yp:.1f}H{bus:.1f}V{y:.1f}H{x:.1f}"
        back = ", reversed" if row.reversed else ""
        tip = f"<title>{escape(f'{row.name}: {row.kind}, {row.inboard} to {row.outboard}{back}')}</title>"
        of = "" if row.virtual else _of("joint", row.name)
        lines.append(f'<path class="t{" v" if row.virtual else ""}" d="{way}"{of}>{tip}</path>')
        at = lay.joint_x[k]
        texts.append(_text(at + 7, y - 7, row.name, "n", of=of))
        texts.append(_text(at + 7, y + 12, row.kind, "k"))
        loops = lay.loops_of[k]
        for n, loop in enumerate(loops[:8]):
            texts.append(f'<circle cx="{at + 10 + 9 * n:.1f}" cy="{y:.1f}" r="3.4" fill="{colour(loop)}"/>')
        if len(loops) > 8:
            texts.append(_text(at + 80, y + 3, f"+{len(loops) - 8}", "k"))
    return lines, texts


def _cuts(t: Topology, lay: Layout) -> tuple[list[str], list[str]]:
    lines: list[str] = []
    texts: list[str] = []
    for k, name in enumerate(t.cut_joints):
        a, b = lay.tracks[2 * k], lay.tracks[2 * k + 1]
        edge = t.edge(name)
        foot = [lay.top[lay.row[end.body]] + BOX for end in (a, b)]
        way = f"M{a.port:.1f} {foot[0]:.1f}V{a.y:.1f}H{lay.lane[k]:.1f}V{b.y:.1f}H{b.port:.1f}V{foot[1]:.1f}"
        tip = f"<title>{escape(f'{name}: {edge.kind}, {edge.parent} to {edge.child}, cut')}</title>"
        of = _of("joint", name)
        lines.append(f'<path class="c" stroke="{colour(k)}" stroke-dasharray="{dash(k)}" d="{way}"{of}>{tip}</path>')
        texts += [_text(end.port + 6, end.y + 4, name, "n", colour(k), of) for end in (a, b)]
    return lines, texts


def _legend(t: Topology, top: float) -> tuple[list[str], float, float]:
    """One line for each loop: its cut joint, kind, and the joints in their order."""
    out: list[str] = []
    y, width = top + 8, text_width(headline(t), NAME) + 2 * MARGIN
    out.append(_text(MARGIN, y + 4, headline(t), "n"))
    for k, loop in enumerate(t.loops[:LEGEND]):
        y += 18
        text = f"{loop.cut} ({t.edge(loop.cut).kind}) cut; loop {' · '.join(loop.joints[:30])}"
        text += " ..." if len(loop) > 30 else ""
        out.append(f'<path class="c" stroke="{colour(k)}" stroke-dasharray="{dash(k)}" d="M{MARGIN} {y}h28"/>')
        out.append(f'<circle cx="{MARGIN + 38}" cy="{y}" r="3.4" fill="{colour(k)}"/>')
        out.append(_text(MARGIN + 48, y + 4, text, "n"))
        width = max(width, MARGIN + 48 + text_width(text, NAME) + LANE)
    if t.loop_count > LEGEND:
        y += 18
        out.append(_text(MARGIN + 48, y + 4, f"... and {t.loop_count - LEGEND} more loops", "n"))
    return out, width, y + MARGIN + 6
