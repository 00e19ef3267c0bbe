"""Load per length along a beam."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from duoti.elements.body_pairs import add_pair, add_rank_one, path_between
from duoti.elements.laws import add_law_gradient, law_vector, reads_state
from duoti.elements.markers import marker_point, marker_rotation, marker_velocities
from duoti.elements.wrenches import apply_wrench
from duoti.kernel import helper, part
from duoti.model.element_id import Fault
from duoti.model.forces.base import Compiler, Force
from duoti.model.forces.vector_value import VectorValue
from duoti.model.laws.law import Function, Value
from duoti.spatial.algebra import (
    ZERO3,
    add,
    cross,
    cross_force,
    dot,
    get3,
    get_column,
    mul,
    put_spatial,
    scale,
    shift_of,
    sub,
)

INTEGERS = ("follows", "law", "single", "first", "last")
FOLLOWS, LAW, SINGLE, FIRST, LAST = range(len(INTEGERS))
PLACE, LENGTH, WHOLE = 1, 2, 3  # columns of the table: marker, s, length that the node carries, whole length
OWN: Mapping[str, Any] = {"s": ("local", 0), "part": ("local", 1)}


@helper
def _load(f, i, t, q, v, loads, w):
    """Force on the node of row i, and its lever arm from the node's body, in world axes."""
    integers, row = loads.forces.integers, loads.forces.tables
    place, whole = row[i, PLACE] + 0.0 * w.X_WB[0, 0], row[i, WHOLE]
    count = 0 if integers[f, SINGLE] == 1 else 3
    density = law_vector(loads, w, integers[f, LAW], count, t, q, v, place, place / whole)
    m = int(row[i, 0].real)
    R = marker_rotation(loads, w, m)
    _, arm = marker_point(loads, w, m)
    if integers[f, FOLLOWS] == 1:
        density = mul(R, density)
    return m, scale(row[i, LENGTH], density), arm


@helper
def _beam_load(f, t, q, v, loads, w):
    integers = loads.forces.integers
    power = 0.0 * w.X_WB[0, 0]
    for i in range(integers[f, FIRST], integers[f, LAST]):
        m, force, arm = _load(f, i, t, q, v, loads, w)
        _, velocity = marker_velocities(loads, w, m, arm)
        apply_wrench(loads, w, m, arm, force, ZERO3)
        power += dot(force, velocity)
    return 0.0 * power, power, 0.0 * power


@helper
def _beam_load_tangent(f, t, q, v, tree, loads, w, tan, path):
    integers = loads.forces.integers
    for i in range(integers[f, FIRST], integers[f, LAST]):
        _row_tangent(f, i, t, q, v, tree, loads, w, tan, path)


@part
def _row_tangent(f, i, t, q, v, tree, loads, w, tan, path):
    """As that of a force applied at a marker, for one node."""
    integers, row = loads.forces.integers, loads.forces.tables
    m, force, arm = _load(f, i, t, q, v, loads, w)
    b = loads.markers.body[m]
    origin = get3(w.X_WB, b, 9)
    r = sub(add(origin, arm), get3(w.X_WB, 1, 9))
    W = (cross(r, force), force)
    follows = integers[f, FOLLOWS]
    n = path_between(tree, path, 0, b)
    for k in range(n):
        S_j = get_column(tan.S, path.column[k])
        change = cross_force(S_j, W)
        if follows == 0:
            change = (cross(shift_of(S_j, r), force), ZERO3)
        put_spatial(path.W_q, k, change)
    R = marker_rotation(loads, w, m)
    place = row[i, PLACE]
    whole = row[i, WHOLE]
    for c in range(3):
        single = integers[f, SINGLE] == 1
        law, output = (integers[f, LAW], c) if single else (integers[f, LAW] + c, 0)
        if reads_state(loads, law) == 1:
            add_law_gradient(
                tree, loads, w, tan, path, law, output, t, q, v, place, place / whole, row[i, LENGTH], path.row_q,
                path.row_v, path.row_z, np.int64(0),
            )  # fmt: skip
            axis = (1.0 * (c == 0), 1.0 * (c == 1), 1.0 * (c == 2))
            if follows == 1:
                axis = (R[c], R[3 + c], R[6 + c])
            add_rank_one(tree, tan, path, n, (cross(r, axis), axis))
    add_pair(tree, tan, path, n, W, np.int64(0))


class BeamLoad(VectorValue, Force):
    r"""Force per length along a beam: snow, wind, pressure.

    $$F = \int_{s_0}^{s_1} R_{W A}\, (f_x, f_y, f_z)\, ds$$

    The components depend on the time `t`, on the place along the beam and on any quantity of the model. The place is
    `s` in metres from the start of the beam, or `part` from 0 to 1.

    Parameters
    ----------
    beam:
        The beam, or its name.
    value:
        Three components, each a number, an expression or a function; or one function that returns all three.
    frame:
        "world" keeps the direction in space; "section" lets it follow the axes of the sections (x along the beam).
    start, end:
        Fractions of the length between which the load acts; best at nodes.
    """

    kind = "beam_load"
    units: ClassVar = {"value": "N/m", "start": "1", "end": "1"}
    FRAMES: ClassVar = {"world": "fixed direction", "section": "following"}
    OWN: ClassVar = OWN
    INTEGERS = INTEGERS
    law = staticmethod(_beam_load)
    tangent = staticmethod(_beam_load_tangent)

    def __init__(
        self,
        beam: str | Any,
        value: Sequence[Value] | Callable[..., Any] | Function,
        frame: str = "world",
        start: float = 0.0,
        end: float = 1.0,
    ):
        self.beam = beam if isinstance(beam, str) else str(getattr(beam, "name", beam))
        self.value, self.frame, self.start, self.end = value, frame, start, end

    def faults(self) -> list[Fault]:
        found = super().faults()
        if not 0.0 <= self.start < self.end <= 1.0:
            found.append(Fault(f"start {self.start!r} and end {self.end!r} must be parts of 0..1, in order", "start"))
        return found

    def integers(self, compiler: Compiler) -> Mapping[str, int]:
        laws = [compiler.law(value, own, outputs) for _, value, own, outputs in self.values()]
        beam = compiler.beam(self.beam)
        rows = [
            [compiler.marker(node), *numbers, beam.length, 0.0, 0.0]
            for node, *numbers in beam.load_rows(self.start, self.end)
        ]
        first, last = compiler.table(rows)
        return {
            "follows": int(self.frame == "section"), "law": laws[0], "single": int(self.single), "first": first,
            "last": last,
        }  # fmt: skip
