"""A bond graph as a drawing (SVG): half arrows, causal strokes, names and values.

The half arrow says where power counts positive; the causal stroke stands at the end towards which the effort is sent,
that is, at the element that does not decide it (Karnopp, Margolis & Rosenberg 2012, section 5.1).
"""

from __future__ import annotations

from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.bond.element import Element, text_of
from duoti.bond.elements.storages import Storage
from duoti.bond.elements.two_ports import TwoPort
from duoti.bond.equations.causality import Causality, causality
from duoti.bond.errors import BondGraphError
from duoti.bond.graph import FlatGraph, Graph

Array = NDArray[np.float64]
LENGTH = 1.0  # of a bond
ITERATIONS = 400


def positions_of(graph: FlatGraph) -> Array:
    """A point for each element: distances along the bonds first (stress majorisation, Gansner, Koren & North 2004).

    Distances in the graph are the distances wanted in the plane; what is left of overlaps is pushed apart.
    """
    n = len(graph.names)
    if n < 2:
        return np.zeros((n, 2))
    D = _distances(graph)
    x = _start(D)
    W = 1.0 / np.maximum(D, 1e-9) ** 2
    np.fill_diagonal(W, 0.0)
    total = W.sum(axis=1)
    for _ in range(ITERATIONS):
        d = x[:, None] - x[None]
        length = np.maximum(np.linalg.norm(d, axis=2), 1e-6)
        new = (W[:, :, None] * (x[None] + D[:, :, None] * d / length[:, :, None])).sum(axis=1) / total[:, None]
        if np.max(np.abs(new - x)) < 1e-4:
            break
        x = new
    return _upright(x)


def _distances(graph: FlatGraph) -> Array:
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import shortest_path

    n = len(graph.names)
    a, b = (np.array(column, np.int64) for column in zip(*graph.owners, strict=True)) if graph.owners else ([], [])
    adjacent = csr_array((np.ones(len(a)), (a, b)), shape=(n, n))
    D = shortest_path(adjacent, directed=False, unweighted=True)
    far = np.max(D[np.isfinite(D)], initial=1.0) + 1.0
    return np.where(np.isfinite(D), D, far) * LENGTH


def _start(D: Array) -> Array:
    """Classical scaling: the two leading directions of the distances, with a little disorder for twins."""
    n = len(D)
    centred = np.eye(n) - 1.0 / n
    values, vectors = np.linalg.eigh(-0.5 * centred @ (D**2) @ centred)
    x = vectors[:, -2:] * np.sqrt(np.maximum(values[-2:], 1e-3))
    return x[:, ::-1] + 0.05 * np.random.default_rng(1).normal(size=(n, 2))


def _upright(x: Array) -> Array:
    """The longest extent along x."""
    x = x - x.mean(axis=0)
    _, _, axes = np.linalg.svd(x, full_matrices=False)
    return x @ axes.T


UNIT = 115.0  # pixels of a bond
MARGIN = 70.0
ARROW, STROKE = 10.0, 8.0
COLOURS = {"source": "#b4442c", "storage": "#1f5fa8", "resistor": "#7a5a00", "junction": "#222222",
           "two-port": "#2a7a3a", "port": "#6a3a9a"}  # fmt: skip


def draw(graph: Graph, path: Any = None, bonds: bool = False, positions: dict[str, Any] | None = None) -> str:
    """The SVG of a graph; also written to `path`.

    bonds: number the bonds, and list names, efforts and flows below. positions: places of elements (in lengths of a
    bond, x to the right, y up) in place of the computed ones.
    """
    flat = graph.flat()
    try:
        found: Causality | None = causality(flat)
    except BondGraphError:
        found = None  # drawn without strokes
    x = positions_of(flat) * np.array([UNIT, UNIT])
    for name, position in (positions or {}).items():
        x[flat.index(name)] = np.array(position, dtype=float) * np.array([UNIT, -UNIT])
    text = _svg(flat, found, x, bonds)
    if path is not None:
        Path(path).write_text(text, encoding="utf-8")
    return text


def _svg(graph: FlatGraph, found: Causality | None, x: Array, numbered: bool) -> str:
    low, high = x.min(axis=0) - MARGIN, x.max(axis=0) + MARGIN
    listed = _list(graph) if numbered else []
    width, height = high - low
    height += 16.0 * len(listed)
    width = max(width, 420.0 if listed else 0.0)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
        f'viewBox="{low[0]:.1f} {low[1]:.1f} {width:.1f} {height:.1f}" font-family="Helvetica, Arial, sans-serif">',
        f"<title>{escape(graph.name)}</title>",
        f'<rect x="{low[0]:.1f}" y="{low[1]:.1f}" width="100%" height="100%" fill="white"/>',
    ]
    for k, (a, b) in enumerate(graph.owners):
        rooms = tuple(_room(graph.names[each], graph.elements[each]) for each in (a, b))
        line = _bond(k, x[a], x[b], rooms, None if found is None else found.effort_by[k] == a, numbered)
        parts.append(f'<g data-bond="{escape(graph.bonds[k].name)}">{line}</g>')
    for k, (name, element) in enumerate(zip(graph.names, graph.elements, strict=True)):
        parts.append(f'<g data-element="{escape(name)}">{_element(name, element, x[k])}</g>')
    for i, line in enumerate(listed):
        y = high[1] + 16.0 * i
        parts.append(f'<text x="{low[0] + 12:.1f}" y="{y:.1f}" font-size="11" fill="#333">{escape(line)}</text>')
    return "\n".join([*parts, "</svg>"])


def _list(graph: FlatGraph) -> list[str]:
    return [
        f"{k + 1}: {bond.name}: effort e{k + 1}, flow f{k + 1}, power e{k + 1} f{k + 1} from {bond.start} to {bond.end}"
        for k, bond in enumerate(graph.bonds)
    ]


def _label(name: str, element: Element) -> str:
    return element.kind if element.role == "junction" else f"{element.kind}: {name}"


def _room(name: str, element: Element) -> tuple[float, float]:
    """Half of the width and height that an element takes."""
    return max(13.0, 4.0 * len(_label(name, element)) + 6.0), 24.0


def _gap(u: Array, room: tuple[float, float]) -> float:
    """How far from the middle of an ellipse its edge is in the direction u."""
    return float(1.0 / np.hypot(u[0] / room[0], u[1] / room[1]))


def _bond(
    number: int, start: Array, end: Array, rooms: tuple[tuple[float, float], ...], start_decides: bool | None,
    numbered: bool,
) -> str:  # fmt: skip
    """A line with half an arrow at its end, and a stroke across at the end that receives the effort."""
    d = end - start
    length = max(float(np.linalg.norm(d)), 1e-9)
    u = d / length
    n = np.array([-u[1], u[0]])
    a, b = (start + min(_gap(u, rooms[0]), 0.4 * length) * u, end - min(_gap(u, rooms[1]), 0.4 * length) * u)
    barb = b - ARROW * u + 0.6 * ARROW * n
    found = [
        f'<path d="M{a[0]:.1f} {a[1]:.1f} L{b[0]:.1f} {b[1]:.1f} L{barb[0]:.1f} {barb[1]:.1f}" fill="none" '
        'stroke="#333" stroke-width="1.6"/>'
    ]
    if start_decides is not None:
        at = b + 2.0 * u if start_decides else a - 2.0 * u
        p, q = at - STROKE * n, at + STROKE * n
        line = f'x1="{p[0]:.1f}" y1="{p[1]:.1f}" x2="{q[0]:.1f}" y2="{q[1]:.1f}"'
        found.append(f'<line {line} stroke="#d0021b" stroke-width="2.2"/>')
    if numbered:
        m = 0.5 * (a + b) - 9.0 * n
        position = f'x="{m[0]:.1f}" y="{m[1] + 4:.1f}" text-anchor="middle"'
        found.append(f'<text {position} font-size="10" fill="#777">{number + 1}</text>')
    return "".join(found)


def _value(element: Element) -> str:
    """What is written beside the letters of an element."""
    if isinstance(element, Storage):
        given = element.constant if element.law is None else element.law
    elif isinstance(element, TwoPort):
        given = element.modulus
    else:
        given = next((value for _, value in element.laws()), None)
    if given is None:
        return ""
    text = text_of(given)
    return text if len(text) <= 18 else text[:16] + "…"


def _element(name: str, element: Element, x: Array) -> str:
    colour = COLOURS[element.role]
    below = name if element.role == "junction" else _value(element)
    position = f'x="{x[0]:.1f}" text-anchor="middle"'
    found = (
        f'<text {position} y="{x[1] + 4:.1f}" font-size="14" font-weight="600" fill="{colour}">'
        f"{escape(_label(name, element))}</text>"
    )
    if below:
        found += f'<text {position} y="{x[1] + 16:.1f}" font-size="9" fill="#777">{escape(below)}</text>'
    return found
