"""Where the bodies, joints and cut joints of a drawing go. Nothing overlaps by construction:

- Bodies stand in columns by their distance from body 0, and a body stands in the row of the first body it
  carries, so that a chain is one straight row and every joint has the gap in front of its body to itself.
- A deep tree is folded: after some columns, what is further outboard goes on below everything else.
- Below each row is a channel with one track for each end of a cut joint. Tracks run to the right margin,
  where each cut joint has a lane that connects its two tracks. Bodies further right get higher tracks, so
  that the way down from a body crosses no track that starts in the same row.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from duoti.topology.tree import Topology

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
