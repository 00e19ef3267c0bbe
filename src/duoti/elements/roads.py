r"""Roads in kernels: height, slopes and friction at a place (`road_at`).

A road is a block of a force element (`model.force_blocks`): integers from `p` on in `Forces.block_integers`, numbers
from `integers[p + NUMBERS]` on in `Forces.block_reals`. `Road.arrays()` returns both, and

    place = compiler.road(road)

in `Force.integers` puts them there, once for all elements on the same road; an element keeps `place` among its own
INTEGERS, and its law calls

    z, z_x, z_y, friction = road_at(loads.forces.block_integers, loads.forces.block_reals, place, x, y)

with x, y in the road's frame [m]: height [m], slopes dz/dx and dz/dy, coefficient of friction (a factor for tyres).
The normal is (-z_x, -z_y, 1) divided by its length. `road_at` is a
function of the place alone, without memory of the last call, so a run is the same however it is divided; x and y may be
complex (derivatives by complex steps pass through, away from the borders of pieces).

**Continuity.** With "cubic" interpolation z has continuous second derivatives, with "monotone" (no overshoot at kerbs)
continuous slopes, with "linear" it is continuous, and its slopes jump at the points. Where a road ends and its height
is kept, the slope jumps unless it is zero there. A curved road ("cubic" reference line) has continuous slopes. Friction
that varies is bilinear.

**Integers** of a block: `INTEGERS` of `model.roads.arrays`; then the bins of u and v, and the cells of a curved road.
**Numbers**: `NUMBERS` there; then the knots of u, those of v, the nodes of the grid (u after u, in each v after v;
`PER_NODE` numbers each if smooth, otherwise the height), friction at the nodes, and the reference line (`PER_POINT`).

**Searching.** In a grid with equal distances the piece follows from a division; otherwise bins as wide as the mean
piece say where to begin. For a curved road, square cells of the plane say which piece of the reference line is nearest
to their centre; from there it is a few steps to the piece whose normals at both ends enclose the point.
"""

from duoti.kernel import cold_kernel, helper, part
from duoti.model.force_blocks import NUMBERS
from duoti.model.roads.arrays import CURVED, FLAT, INTEGERS, OUTSIDE
from duoti.model.roads.arrays import NUMBERS as OWN_NUMBERS
from duoti.spatial.algebra import sqrt

# integers
HEADER = INTEGERS
KIND, SMOOTH, NODES_U, NODES_V, BINS_U, BINS_V, OUTSIDE_U, OUTSIDE_V, FRICTION_GRID, LINE, CLOSED, CELLS_X, CELLS_Y = (
    range(3, len(HEADER))
)
OWN = len(HEADER)
KEEP, REPEAT, STRAIGHT, ZERO = range(len(OUTSIDE))

HEIGHT, FRICTION, X, Y, COS, SIN, PER_U, PER_V, CELL_X, CELL_Y, PER_CELL = range(len(OWN_NUMBERS))
OWN_REALS = len(OWN_NUMBERS)
PER_NODE = 4  # z, dz/du, dz/dv, d2z/dudv
PER_POINT = 5  # u, x, y, dx/du, dy/du
NEWTON_STEPS = 8
CLOSE = 1e-13  # m, of the last step
FOLDED = 0.02  # 1 - curvature * v below which the point is beyond the centre of curvature


@helper
def _outside(u, first, last, mode):
    """The place in a range that a place outside stands for, du/du of it, and how far outside it is (`STRAIGHT`)."""
    inside, slope, beyond = u, 1.0, 0.0 * u
    if u.real < first or u.real > last:
        if mode == REPEAT:
            period = last - first
            turns = (u.real - first) // period
            inside = u - turns * period
        else:
            end = first if u.real < first else last
            inside, slope = end + 0.0 * u, 0.0
            beyond = u - end
    return inside, slope, beyond


@helper
def _piece(integers, reals, bins, count, knots, nodes, per, u):
    """Number of the piece of the knots that holds u; count: 0 if they are at equal distances, or how many bins."""
    i = int((u.real - reals[knots].real) * per)
    if count == 0:
        i = min(max(i, 0), nodes - 2)
    else:
        i = integers[bins + min(max(i, 0), count - 1)]
        while i + 2 < nodes and u.real >= reals[knots + i + 1].real:
            i += 1
    return i


@helper
def _hermite(s, h):
    """Weights of value and slope at both ends of a piece of length h, and their derivatives, at s of it in (0, 1)."""
    a = s * s * (3.0 - 2.0 * s)
    b, c = s * (1.0 - s) * (1.0 - s) * h, -s * s * (1.0 - s) * h
    da = 6.0 * s * (1.0 - s) / h
    return 1.0 - a, b, a, c, -da, (1.0 - s) * (1.0 - 3.0 * s), da, s * (3.0 * s - 2.0)


@helper
def _along_u(reals, a, b, k, H):
    """Value and derivative along u of the numbers k and k + 1 (its slope) of two nodes."""
    p0, m0, p1, m1 = reals[a + k].real, reals[a + k + 1].real, reals[b + k].real, reals[b + k + 1].real
    value = H[0] * p0 + H[1] * m0 + H[2] * p1 + H[3] * m1
    return value, H[4] * p0 + H[5] * m0 + H[6] * p1 + H[7] * m1


@helper
def _bilinear(reals, a, b, across, su, sv, hu, hv):
    """A quantity with one number at each node, and its slopes; nodes a and b = next u; across: 1, or 0 if no v."""
    p00, p10, p01, p11 = reals[a].real, reals[b].real, reals[a + across].real, reals[b + across].real
    low, high = p00 + su * (p10 - p00), p01 + su * (p11 - p01)
    return (
        low + sv * (high - low),
        ((1.0 - sv) * (p10 - p00) + sv * (p11 - p01)) / hu,
        across * (high - low) / hv,
    )


@part
def _on_grid(integers, reals, p, u, v):
    """Height, its slopes along u and v, and friction, at the place u, v of a grid."""
    r = integers[p + NUMBERS]
    nu, nv, smooth = integers[p + NODES_U], integers[p + NODES_V], integers[p + SMOOTH]
    knots_u = r + OWN_REALS
    knots_v = knots_u + nu
    grid = knots_v + nv
    mode_u, mode_v = integers[p + OUTSIDE_U], integers[p + OUTSIDE_V]
    us, gu, beyond_u = _outside(u, reals[knots_u].real, reals[knots_u + nu - 1].real, mode_u)
    i = _piece(integers, reals, p + OWN, integers[p + BINS_U], knots_u, nu, reals[r + PER_U].real, us)
    hu = reals[knots_u + i + 1].real - reals[knots_u + i].real
    su = (us - reals[knots_u + i].real) / hu
    j, hv, sv, gv, beyond_v = 0, 1.0, 0.0 * v, 0.0, 0.0 * v
    if nv > 1:
        vs, gv, beyond_v = _outside(v, reals[knots_v].real, reals[knots_v + nv - 1].real, mode_v)
        bins_v = p + OWN + integers[p + BINS_U]
        j = _piece(integers, reals, bins_v, integers[p + BINS_V], knots_v, nv, reals[r + PER_V].real, vs)
        hv = reals[knots_v + j + 1].real - reals[knots_v + j].real
        sv = (vs - reals[knots_v + j].real) / hv
    across = 1 if nv > 1 else 0
    a = i * nv + j
    if smooth:
        H = _hermite(su, hu)
        at_a, at_b = grid + PER_NODE * a, grid + PER_NODE * (a + nv)
        low, low_u = _along_u(reals, at_a, at_b, 0, H)
        z, z_u, z_v = low, low_u, 0.0 * sv
        if nv > 1:
            low_v, low_uv = _along_u(reals, at_a, at_b, 2, H)
            high, high_u = _along_u(reals, at_a + PER_NODE, at_b + PER_NODE, 0, H)
            high_v, high_uv = _along_u(reals, at_a + PER_NODE, at_b + PER_NODE, 2, H)
            K = _hermite(sv, hv)
            z = K[0] * low + K[1] * low_v + K[2] * high + K[3] * high_v
            z_u = K[0] * low_u + K[1] * low_uv + K[2] * high_u + K[3] * high_uv
            z_v = K[4] * low + K[5] * low_v + K[6] * high + K[7] * high_v
    else:
        z, z_u, z_v = _bilinear(reals, grid + a, grid + a + nv, across, su, sv, hu, hv)
    friction = reals[r + FRICTION].real + 0.0 * su
    if integers[p + FRICTION_GRID]:
        rough = grid + nu * nv * (PER_NODE if smooth else 1) + a
        friction, _, _ = _bilinear(reals, rough, rough + nv, across, su, sv, hu, hv)
    zero_u = mode_u == ZERO and gu == 0.0
    zero_v = mode_v == ZERO and nv > 1 and gv == 0.0
    if zero_u or zero_v:
        return 0.0 * z, 0.0 * z, 0.0 * z, friction
    if mode_u == STRAIGHT:
        z, gu = z + beyond_u * z_u, 1.0
    if mode_v == STRAIGHT and nv > 1:
        z, gv = z + beyond_v * z_v, 1.0
    return z, gu * z_u, gv * z_v, friction


@helper
def _ahead(reals, line, k, x, y):
    """How far a point is before the normal at a point of the reference line, times the length of its tangent."""
    c = line + PER_POINT * k
    return (x - reals[c + 1].real) * reals[c + 3].real + (y - reals[c + 2].real) * reals[c + 4].real


@part
def _piece_of_line(integers, reals, p, line, x, y):
    """Number of the piece of the reference line whose normals at its ends enclose a point (real); -1: none found.

    Before the first and after the last point these pieces are continued.
    """
    r, count, closed = integers[p + NUMBERS], integers[p + LINE], integers[p + CLOSED]
    per = reals[r + PER_CELL].real
    i = int((x - reals[r + CELL_X].real) * per)
    j = int((y - reals[r + CELL_Y].real) * per)
    nx, ny = integers[p + CELLS_X], integers[p + CELLS_Y]
    i, j = min(max(i, 0), nx - 1), min(max(j, 0), ny - 1)
    cells = p + OWN + integers[p + BINS_U] + integers[p + BINS_V]
    k, last = integers[cells + i * ny + j], 0
    for _ in range(2 * count):
        way = 0
        if _ahead(reals, line, k, x, y) < 0.0:
            way = -1
        elif _ahead(reals, line, k + 1, x, y) >= 0.0:
            way = 1
        if way == 0 or way == -last:  # between two pieces where the line is bent: on its outer side both will do
            return k
        last, k = way, k + way
        if k < 0 or k > count - 2:
            if not closed:
                return 0 if k < 0 else count - 2
            k = count - 2 if k < 0 else 0
    return -1


@part
def _on_curved_road(integers, reals, p, x, y):
    """Height, slopes along x and y and friction by the reference line."""
    r, count, closed = integers[p + NUMBERS], integers[p + LINE], integers[p + CLOSED]
    nu, nv, smooth = integers[p + NODES_U], integers[p + NODES_V], integers[p + SMOOTH]
    numbers = (PER_NODE if smooth else 1) + (1 if integers[p + FRICTION_GRID] else 0)
    line = r + OWN_REALS + nu + nv + nu * nv * numbers
    k = _piece_of_line(integers, reals, p, line, x.real, y.real)
    if k < 0:
        lost = (x + y) * float("nan")
        return lost, lost, lost, lost
    a, b = line + PER_POINT * k, line + PER_POINT * (k + 1)
    before, after = _ahead(reals, line, k, x, y), _ahead(reals, line, k + 1, x, y)
    h = reals[b].real - reals[a].real
    ax, ay, bx, by = reals[a + 1].real, reals[a + 2].real, reals[b + 1].real, reals[b + 2].real
    dax, day, dbx, dby = reals[a + 3].real, reals[a + 4].real, reals[b + 3].real, reals[b + 4].real
    outside = not closed and ((k == 0 and before.real < 0.0) or (k == count - 2 and after.real >= 0.0))
    if outside:  # straight on along the tangent
        first = before.real < 0.0
        ex, ey, tx, ty, start = (ax, ay, dax, day, reals[a].real) if first else (bx, by, dbx, dby, reals[b].real)
        size = sqrt(tx * tx + ty * ty)
        tx, ty = tx / size, ty / size
        u = start + (x - ex) * tx + (y - ey) * ty
        v = (y - ey) * tx - (x - ex) * ty
        u_x, u_y, v_x, v_y = tx + 0.0 * u, ty + 0.0 * u, -ty + 0.0 * u, tx + 0.0 * u
    else:
        cx, cy = bx - ax, by - ay  # the chord
        at_a, at_b = 1.0 / (dax * cx + day * cy), 1.0 / (dbx * cx + dby * cy)
        before, after = before * at_a, after * at_b  # in chords before the normals at both ends
        both = before - after
        share = before / both
        u_x = h * (before * at_b * dbx - after * at_a * dax) / (both * both)
        u_y = h * (before * at_b * dby - after * at_a * day) / (both * both)
        length = sqrt(cx * cx + cy * cy)
        nx, ny = -cy / length, cx / length
        u, v = reals[a].real + h * share, (x - ax) * nx + (y - ay) * ny
        v_x, v_y = nx + 0.0 * u, ny + 0.0 * u
        if smooth:  # foot point on the curve
            s, last = share, False
            for _ in range(NEWTON_STEPS):
                H = _hermite(s, h)
                cx = H[0] * ax + H[1] * dax + H[2] * bx + H[3] * dbx
                cy = H[0] * ay + H[1] * day + H[2] * by + H[3] * dby
                tx = H[4] * ax + H[5] * dax + H[6] * bx + H[7] * dbx
                ty = H[4] * ay + H[5] * day + H[6] * by + H[7] * dby
                e0, e1, e2, e3 = (12.0 * s - 6.0) / (h * h), (6.0 * s - 4.0) / h, (6.0 - 12.0 * s) / (h * h), 0.0
                e3 = (6.0 * s - 2.0) / h
                kx = e0 * ax + e1 * dax + e2 * bx + e3 * dbx
                ky = e0 * ay + e1 * day + e2 * by + e3 * dby
                square = tx * tx + ty * ty
                rest = square - (x - cx) * kx - (y - cy) * ky
                if not rest.real > FOLDED * square.real:
                    break
                move = ((x - cx) * tx + (y - cy) * ty) / rest
                if last:
                    size = sqrt(square)
                    u = reals[a].real + h * s + move
                    v = ((y - cy) * tx - (x - cx) * ty) / size
                    u_x, u_y, v_x, v_y = tx / rest, ty / rest, -ty / size, tx / size
                    break
                s = s + move / h
                last = abs(move.real) < CLOSE * (1.0 + abs(reals[b].real))
    z, z_u, z_v, friction = _on_grid(integers, reals, p, u, v)
    return z, z_u * u_x + z_v * v_x, z_u * u_y + z_v * v_y, friction


@part
def road_at(integers, reals, p, x, y):
    """Height z [m], dz/dx, dz/dy and friction of the road with the block p at the place (x, y) [m] in its frame."""
    r = integers[p + NUMBERS]
    kind = integers[p + KIND]
    if kind == FLAT:
        none = 0.0 * (x + y)
        return reals[r + HEIGHT].real + none, none, none, reals[r + FRICTION].real + none
    if kind == CURVED:
        return _on_curved_road(integers, reals, p, x, y)
    c, s = reals[r + COS].real, reals[r + SIN].real
    dx, dy = x - reals[r + X].real, y - reals[r + Y].real
    z, z_u, z_v, friction = _on_grid(integers, reals, p, c * dx + s * dy, c * dy - s * dx)
    return z, c * z_u - s * z_v, s * z_u + c * z_v, friction


@cold_kernel("l1 d1 i d1 d1 d2")
def points_of_road(integers, reals, p, x, y, found):
    """Rows (z, dz/dx, dz/dy, friction) of `road_at` at several places."""
    for k in range(x.shape[0]):
        found[k, 0], found[k, 1], found[k, 2], found[k, 3] = road_at(integers, reals, p, x[k], y[k])
