"""A topology as an SVG drawing: solid tree joints, dashed cut joints, one colour for each loop.

The dots on a tree joint have the colours of the loops that it belongs to; the list below the drawing tells
them.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

from duoti.topology.layout import BOX, LANE, MARGIN, NAME, SMALL_FONT, Layout, text_width
from duoti.topology.text import as_text, headline

if TYPE_CHECKING:
    from duoti.topology.tree import Topology

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
