"""A thin beam through points: what bends and stretches it, without rotations as unknowns.

A thin beam neither shears nor has rotary inertia: the directions of its sections follow from its points. Between two of
them, h_k apart along the beam, the bending moment is linear, and the angles of the beam's ends from the chord e_k are
-h_k (2 M_k + M_k+1)/(6 EI) and h_k (M_k + 2 M_k+1)/(6 EI). It has no corners where the chords' angles kappa_i from one
to the next are

    h_i-1 M_i-1 + 2 (h_i-1 + h_i) M_i + h_i M_i+1 = 6 EI kappa_i,   M = 0 at both ends                          (1)

(Clapeyron's equation of three moments; the shape is a cubic spline). Angles are rotation vectors, kappa = gamma X with
X = e_i-1 x e_i and gamma = phi/sin(phi). The matrix of (1) is constant. Energy, with the arc that is longer than its
chord l_k by the integral of w'²/2 of the cubic:

    U = sum h_k (M_k² + M_k M_k+1 + M_k+1²)/(6 EI) + sum EA h_k eps_k²/2,   eps_k = l_k (1 + g_k)/h_k - 1       (2)
    g_k = (h_k/(6 EI))² (4 M_k² + 7 M_k M_k+1 + 4 M_k+1²)/10

so that with the tensions N_k = EA eps_k and y_i, the derivative of the second sum by M_i,

    dU = sum G_i . dkappa_i + sum N_k (1 + g_k) dl_k,   G = M + (6 EI times the inverse of (1)) y.              (3)
"""

from __future__ import annotations

import numpy as np

from duoti.elements.beams.spectral_nodes import at3, centre_of, put3_at
from duoti.elements.body_pairs import add_pair, path_between
from duoti.elements.markers import marker_point
from duoti.elements.wrenches import apply_wrench
from duoti.kernel import helper, part
from duoti.model.force_blocks import BLOCK_HEADER, NUMBERS, SCRATCH
from duoti.spatial.algebra import ZERO3, add, cross, dot, get_column, put_spatial, scale, shift_of, sqrt, sub

HEADER = (*BLOCK_HEADER, "nodes")
NODES, MARKERS = range(len(BLOCK_HEADER), len(HEADER) + 1)
"""Places in the integers of an element (`Compiler.block`); from MARKERS on, those of its nodes."""

LENGTH, STRETCH, ARC, BEND, LOWER, PIVOT, PER_NODE = range(7)
"""Of the piece behind each node: h, EA/h, (h/(6 EI))²/10, h/(6 EI). Of the node: its factors of the matrix of (1),
L D L^T, with 6 EI in the pivots: L below the diagonal, 6 EI/D; zero at both ends of the beam."""

# of the scratch of a node: place, lever arm, moment M, G; of the piece behind it: direction e, derivative of the energy
# by e, length, tension N, 1 + g, and N l (h/(6 EI))²/10; gamma and its derivative; then the same of their changes
PLACE, ARM, MOMENT, TURN, ALONG, BY_ALONG, LONG = 0, 3, 6, 9, 12, 15, 18
TENSION, GROWN, WEIGHT, GAMMA, SLOPE, NODE = 19, 20, 21, 22, 23, 24
NEAR = 0.07  # 1 - cos(phi) of 21 degrees, up to which the series of gamma has all digits
SERIES = (
    1.0, 1 / 3, 2 / 15, 2 / 35, 8 / 315, 8 / 693, 16 / 3003, 16 / 6435, 128 / 109395, 128 / 230945, 256 / 969969,
    256 / 2028117,
)  # fmt: skip
"""phi/sin(phi) by powers of y = 1 - cos(phi): arcsin(x)/(x sqrt(1 - x²)) with x² = y/2 (Abramowitz & Stegun 15.1.6);
each is that before it, the n-th, times (n + 1)/(2 n + 3)."""


def scratch_size(nodes: int) -> int:
    """How many numbers the kernels of an element write: those of the law, and their changes."""
    return 2 * NODE * nodes


@helper
def _angle_by_sine(c):
    """gamma = phi/sin(phi) by c = cos(phi), and its derivative by c."""
    y = 1.0 - c
    if y.real < NEAR:
        return _series(y)
    half = sqrt(0.5 + 0.5 * c)
    quarter = sqrt(0.5 + 0.5 * half)
    eighth = sqrt(0.5 + 0.5 * quarter)
    near, _ = _series(1.0 - eighth)
    gamma = near / (half * quarter * eighth)  # phi/sin(phi) = (phi/2)/sin(phi/2)/cos(phi/2)
    return gamma, (gamma * c - 1.0) / (1.0 - c * c)


@helper
def _series(y):
    """gamma and its derivative by c, where y is small."""
    S = SERIES
    y2 = y * y
    y4 = y2 * y2
    low = S[0] + y * S[1] + y2 * (S[2] + y * S[3])
    middle = S[4] + y * S[5] + y2 * (S[6] + y * S[7])
    high = S[8] + y * S[9] + y2 * (S[10] + y * S[11])
    lower = S[1] + 2 * S[2] * y + y2 * (3 * S[3] + 4 * S[4] * y)
    between = 5 * S[5] + 6 * S[6] * y + y2 * (7 * S[7] + 8 * S[8] * y)
    upper = 9 * S[9] + 10 * S[10] * y + 11 * S[11] * y2
    return low + y4 * (middle + y4 * high), -(lower + y4 * (between + y4 * upper))


@helper
def _bent_again(c, gamma, slope):
    """Second derivative of gamma by c."""
    y = 1.0 - c
    if y.real < NEAR:
        value = 0.0 * y
        for n in range(len(SERIES) - 1, 1, -1):
            value = value * y + n * (n - 1) * SERIES[n]
        return value
    return (gamma + 3.0 * c * slope) / (1.0 - c * c)


@part
def _solve(x, c, first, numbers, n, what):
    """Moments that belong to angles in their place, by (1)."""
    for i in range(1, n - 1):
        at, factor = first + NODE * i + what, c[numbers + PER_NODE * i + LOWER]
        for k in range(3):
            x[at + k] -= factor * x[at - NODE + k]
    for i in range(n - 2, 0, -1):
        at, pivot = first + NODE * i + what, c[numbers + PER_NODE * i + PIVOT]
        factor = c[numbers + PER_NODE * (i + 1) + LOWER]
        for k in range(3):
            x[at + k] = pivot * x[at + k] - factor * x[at + NODE + k]


@helper
def _gather(p, loads, w):
    """Places and directions; returns nothing."""
    ints, x = loads.forces.block_integers, w.block_scratch
    first, n = ints[p + SCRATCH], ints[p + NODES]
    for i in range(n):
        at = first + NODE * i
        place, arm = marker_point(loads, w, ints[p + MARKERS + i])
        put3_at(x, at + PLACE, place)
        put3_at(x, at + ARM, arm)
        put3_at(x, at + MOMENT, scale(0.0, place))
        put3_at(x, at + TURN, scale(0.0, place))
        put3_at(x, at + BY_ALONG, scale(0.0, place))
        if i > 0:
            chord = sub(place, at3(x, at - NODE + PLACE))
            long = sqrt(dot(chord, chord))
            x[at - NODE + LONG] = long
            put3_at(x, at - NODE + ALONG, scale(1.0 / long, chord))


@helper
def _add3_at(x, i, v):
    x[i] += v[0]
    x[i + 1] += v[1]
    x[i + 2] += v[2]


@helper
def _sum(a, u, b, v):
    return a * u[0] + b * v[0], a * u[1] + b * v[1], a * u[2] + b * v[2]


@part
def _state(p, loads, w):
    """Fill the scratch: all that (1) to (3) speak of; returns the energy."""
    ints, c, x = loads.forces.block_integers, loads.forces.block_reals, w.block_scratch
    first, numbers, n = ints[p + SCRATCH], ints[p + NUMBERS], ints[p + NODES]
    _gather(p, loads, w)
    for i in range(1, n - 1):
        at = first + NODE * i
        before, behind = at3(x, at - NODE + ALONG), at3(x, at + ALONG)
        gamma, slope = _angle_by_sine(dot(before, behind))
        x[at + GAMMA], x[at + SLOPE] = gamma, slope
        put3_at(x, at + MOMENT, scale(gamma, cross(before, behind)))
    _solve(x, c, first, numbers, n, MOMENT)
    energy = 0.0 * x[first]
    for k in range(n - 1):
        at, own = first + NODE * k, numbers + PER_NODE * k
        a, b = at3(x, at + MOMENT), at3(x, at + NODE + MOMENT)
        aa, ab, bb, long, arc = dot(a, a), dot(a, b), dot(b, b), x[at + LONG], c[own + ARC]
        grown = 1.0 + arc * (4.0 * (aa + bb) + 7.0 * ab)
        longer = long * grown - c[own + LENGTH]
        tension = c[own + STRETCH] * longer
        weight = tension * long * arc
        x[at + TENSION], x[at + GROWN], x[at + WEIGHT] = tension, grown, weight
        _add3_at(x, at + TURN, _sum(8.0 * weight, a, 7.0 * weight, b))
        _add3_at(x, at + NODE + TURN, _sum(7.0 * weight, a, 8.0 * weight, b))
        energy += c[own + BEND] * (aa + ab + bb) + 0.5 * tension * longer
    _close(x, c, first, numbers, n)
    for i in range(1, n - 1):
        at = first + NODE * i
        before, behind, G = at3(x, at - NODE + ALONG), at3(x, at + ALONG), at3(x, at + TURN)
        gamma, slope = x[at + GAMMA], x[at + SLOPE]
        along = slope * dot(G, cross(before, behind))
        _add3_at(x, at - NODE + BY_ALONG, _sum(gamma, cross(behind, G), along, behind))
        _add3_at(x, at + BY_ALONG, _sum(gamma, cross(G, before), along, before))
    return energy


@helper
def _close(x, c, first, numbers, n):
    """G of y, which stands in its place."""
    none = scale(0.0, at3(x, first + TURN))
    put3_at(x, first + TURN, none)
    put3_at(x, first + NODE * (n - 1) + TURN, none)
    _solve(x, c, first, numbers, n, TURN)
    for i in range(1, n - 1):
        at = first + NODE * i
        _add3_at(x, at + TURN, at3(x, at + MOMENT))


@helper
def _pull(x, at):
    """Force of the piece behind a node on this node: its opposite acts on the next one."""
    e, b = at3(x, at + ALONG), at3(x, at + BY_ALONG)
    across = 1.0 / x[at + LONG]
    return _sum(x[at + TENSION] * x[at + GROWN] - across * dot(b, e), e, across, b)


@part
def line_law(p, loads, w):
    """Apply the forces; returns (energy, 0, 0)."""
    ints, x = loads.forces.block_integers, w.block_scratch
    first, n = ints[p + SCRATCH], ints[p + NODES]
    energy = _state(p, loads, w)
    back = (0.0 * energy, 0.0 * energy, 0.0 * energy)
    for i in range(n - 1):
        at = first + NODE * i
        pull = _pull(x, at)
        apply_wrench(loads, w, ints[p + MARKERS + i], at3(x, at + ARM), sub(pull, back), ZERO3)
        back = pull
    at = first + NODE * (n - 1)
    apply_wrench(loads, w, ints[p + MARKERS + n - 1], at3(x, at + ARM), scale(-1.0, back), ZERO3)
    return energy, 0.0 * energy, 0.0 * energy


# ------------------------------------------------------------------------------------------------------- derivatives


@part
def _change(p, loads, w, moved, step):
    """Write the changes of the scratch by a step of one node into its second half."""
    ints, c, x = loads.forces.block_integers, loads.forces.block_reals, w.block_scratch
    first, numbers, n = ints[p + SCRATCH], ints[p + NUMBERS], ints[p + NODES]
    size = NODE * n
    for k in range(first + size, first + 2 * size):
        x[k] = 0.0 * x[first]
    for k in range(max(moved - 1, 0), min(moved + 1, n - 1)):
        at = first + NODE * k
        way, e = scale(1.0 if k < moved else -1.0, step), at3(x, at + ALONG)
        longer, per = dot(e, way), 1.0 / x[at + LONG]
        x[at + size + LONG] = longer
        put3_at(x, at + size + ALONG, _sum(per, way, -per * longer, e))
    for i in range(max(moved - 1, 1), min(moved + 2, n - 1)):
        at = first + NODE * i
        gamma, slope, X, dX, dc = _kink(x, at, size)
        put3_at(x, at + size + MOMENT, _sum(gamma, dX, slope * dc, X))
    _solve(x, c, first + size, numbers, n, MOMENT)
    for k in range(n - 1):
        at, own = first + NODE * k, numbers + PER_NODE * k
        d, arc, long, weight = at + size, c[own + ARC], x[at + LONG], x[at + WEIGHT]
        a, b = at3(x, at + MOMENT), at3(x, at + NODE + MOMENT)
        da, db = at3(x, d + MOMENT), at3(x, d + NODE + MOMENT)
        ya, yb = _sum(8.0, a, 7.0, b), _sum(7.0, a, 8.0, b)
        grown = arc * (dot(ya, da) + dot(yb, db))
        tension = c[own + STRETCH] * (x[d + LONG] * x[at + GROWN] + long * grown)
        more = arc * (tension * long + x[at + TENSION] * x[d + LONG])
        x[d + TENSION], x[d + GROWN] = tension, grown
        _add3_at(x, d + TURN, add(scale(more, ya), _sum(8.0 * weight, da, 7.0 * weight, db)))
        _add3_at(x, d + NODE + TURN, add(scale(more, yb), _sum(7.0 * weight, da, 8.0 * weight, db)))
    _close(x, c, first + size, numbers, n)
    for i in range(1, n - 1):
        at = first + NODE * i
        before, behind, G = at3(x, at - NODE + ALONG), at3(x, at + ALONG), at3(x, at + TURN)
        back, on, dG = at3(x, at + size - NODE + ALONG), at3(x, at + size + ALONG), at3(x, at + size + TURN)
        gamma, slope, X, dX, dc = _kink(x, at, size)
        twice, much = _bent_again(dot(before, behind), gamma, slope), dot(G, X)
        along, more = slope * much, twice * dc * much + slope * (dot(dG, X) + dot(G, dX))
        turned = add(cross(on, G), cross(behind, dG))
        _add3_at(x, at + size - NODE + BY_ALONG, add(_sum(gamma, turned, slope * dc, cross(behind, G)),
                                                     _sum(more, behind, along, on)))  # fmt: skip
        turned = add(cross(dG, before), cross(G, back))
        _add3_at(x, at + size + BY_ALONG, add(_sum(gamma, turned, slope * dc, cross(G, before)),
                                              _sum(more, before, along, back)))  # fmt: skip


@helper
def _kink(x, at, size):
    """gamma, its derivative by the cosine, X, and the changes of X and of the cosine at a node."""
    before, behind = at3(x, at - NODE + ALONG), at3(x, at + ALONG)
    back, on = at3(x, at + size - NODE + ALONG), at3(x, at + size + ALONG)
    gamma, slope = x[at + GAMMA], x[at + SLOPE]
    change = add(cross(back, behind), cross(before, on))
    return gamma, slope, cross(before, behind), change, dot(back, behind) + dot(before, on)


@helper
def _pull_change(x, at, size):
    """Change of `_pull`."""
    d = at + size
    e, b, de, db = at3(x, at + ALONG), at3(x, at + BY_ALONG), at3(x, d + ALONG), at3(x, d + BY_ALONG)
    tension, per = x[at + TENSION] * x[at + GROWN], 1.0 / x[at + LONG]
    more = x[d + TENSION] * x[at + GROWN] + x[at + TENSION] * x[d + GROWN]
    be, longer = dot(b, e), per * x[d + LONG]
    force = _sum(more - per * (dot(db, e) + dot(b, de) - longer * be), e, tension - per * be, de)
    return add(force, _sum(per, db, -per * longer, b))


@helper
def _at_node(x, at, i, n):
    """Force on node i."""
    force = scale(0.0, at3(x, at + PLACE))
    if i < n - 1:
        force = add(force, _pull(x, at))
    if i > 0:
        force = sub(force, _pull(x, at - NODE))
    return force


@part
def line_tangent(p, tree, loads, w, tan, path):
    """K -= derivatives of `line_law`."""
    ints, x = loads.forces.block_integers, w.block_scratch
    first, n = ints[p + SCRATCH], ints[p + NODES]
    _state(p, loads, w)
    centre = centre_of(w)
    for q in range(n):
        at = first + NODE * q
        r = sub(at3(x, at + PLACE), centre)
        force, body = _at_node(x, at, q, n), loads.markers.body[ints[p + MARKERS + q]]
        columns = path_between(tree, path, 0, body)
        for j in range(columns):
            step = shift_of(get_column(tan.S, path.column[j]), r)
            put_spatial(path.W_q, j, (cross(step, force), ZERO3))
            _change(p, loads, w, q, step)
            _add_changes(p, tree, loads, w, tan, centre, path.rate[j])
        add_pair(tree, tan, path, columns, (cross(r, force), force), np.int64(0))


@helper
def _add_changes(p, tree, loads, w, tan, centre, rate):
    """What the changed forces do to the joints of all nodes."""
    ints, x = loads.forces.block_integers, w.block_scratch
    first, n = ints[p + SCRATCH], ints[p + NODES]
    for i in range(n):
        at = first + NODE * i
        change = scale(0.0, at3(x, at + PLACE))
        if i < n - 1:
            change = add(change, _pull_change(x, at, NODE * n))
        if i > 0:
            change = sub(change, _pull_change(x, at - NODE, NODE * n))
        r = sub(at3(x, at + PLACE), centre)
        body = loads.markers.body[ints[p + MARKERS + i]]
        while body > 0:
            for k in range(tree.first[body], tree.first[body + 1]):
                tan.K[tree.rate[k], rate] -= dot(shift_of(get_column(tan.S, k), r), change)
            body = tree.parent[body]
