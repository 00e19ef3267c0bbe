"""Derivatives of a graph's rates and port efforts by positions, velocities and states.

Laws and port flows have rows of derivatives D by (delta, v, z), in `PathScratch.block_scratch`; what depends on states
alone, with constant coefficients, is written where it belongs without any row, so that large linear graphs stay sparse.
"""

from duoti.bond.compiled.kernels import (
    LAW,
    LAW_INTEGERS,
    LAWS,
    LOOP,
    LOOPS,
    N_STEPS,
    NL,
    NP,
    NR,
    NX,
    PORT_INTEGERS,
    PORTS,
    RATES,
    ROW_COLUMN,
    ROW_NUMBER,
    ROW_START,
    STATES,
    STEPS,
    graph_values,
)
from duoti.bond.compiled.port_kernels import port_flow_rows, port_tangent
from duoti.elements.laws import (
    _signal_row,  # pyright: ignore[reportPrivateUsage]
    call_function,
    read_signal,
)
from duoti.elements.matrices import state_columns
from duoti.kernel import helper, part
from duoti.model.force_blocks import NUMBERS, SCRATCH
from duoti.model.laws.expressions import evaluate
from duoti.model.laws.law import GRAPH, TIME


@helper
def _add_column(tree, ints, path, p, s0, column, factor, Q, V, Z, row):
    """Add factor times the derivatives of a column of the plan to row `row` of Q, V and Z."""
    nx, width = ints[p + NX], 2 * tree.nv + tree.nz
    if 0 < column <= nx:
        Z[row, ints[p + ints[p + STATES] + column - 1]] += factor
    elif column > nx:
        at = s0 + (column - 1 - nx) * width
        for j in range(tree.nv):
            Q[row, j] += factor * path.block_scratch[at + j].real
            V[row, j] += factor * path.block_scratch[at + tree.nv + j].real
        for j in range(tree.nz):
            Z[row, j] += factor * path.block_scratch[at + 2 * tree.nv + j].real


@part
def add_value_row(tree, loads, path, p, place, factor, Q, V, Z, row):
    """Add factor times the derivatives of Y[place]."""
    ints = loads.forces.block_integers
    s0 = ints[p + SCRATCH]
    count = 1 + ints[p + NX] + ints[p + NP] + ints[p + NL]
    if place < count:
        _add_column(tree, ints, path, p, s0, place, factor, Q, V, Z, row)
        return
    start, column = p + ints[p + ROW_START], p + ints[p + ROW_COLUMN]
    x, r = ints[p + NUMBERS] + ints[p + ROW_NUMBER], place - count
    for k in range(ints[start + r], ints[start + r + 1]):
        c = ints[column + k]
        _add_column(tree, ints, path, p, s0, c, factor * loads.forces.block_reals[x + k], Q, V, Z, row)


@part
def _by_law(loads, p, place, law):
    """Derivative of Y[place] by the value of a law, directly."""
    ints = loads.forces.block_integers
    first = 1 + ints[p + NX] + ints[p + NP]
    count = first + ints[p + NL]
    if place < count:
        return 1.0 if place == first + law else 0.0
    start, column = p + ints[p + ROW_START], p + ints[p + ROW_COLUMN]
    x, r, found = ints[p + NUMBERS] + ints[p + ROW_NUMBER], place - count, 0.0
    for k in range(ints[start + r], ints[start + r + 1]):
        if ints[column + k] == first + law:
            found += loads.forces.block_reals[x + k]
    return found


@part
def _law_row(tree, loads, w, tan, path, p, number, t, q, v, other, scale_to):
    """Derivatives of law `number` into row_q, row_v, row_z of path; or, if other >= 0, its derivative by that law."""
    laws = loads.laws
    ints = loads.forces.block_integers
    s0 = ints[p + SCRATCH]
    at = p + ints[p + LAWS] + LAW_INTEGERS * number
    law, op, factor = ints[at], ints[at + 1], ints[at + 2]
    first, last = laws.law_signals[law, 0], laws.law_signals[law, 1]
    for s in range(first, last):
        if laws.signals[s, 0] == GRAPH:
            path.law_in[s - first] = w.block_scratch[s0 + laws.signals[s, 1]]
        else:
            path.law_in[s - first] = read_signal(loads, w, s, t, q, v, 0.0, 0.0)
    by_law, value, scale = 0.0, 1.0, scale_to
    begin, end = laws.law_code[law], laws.law_code[law + 1]
    if op > 0:
        if laws.law_address[law] != 0:
            call_function(laws.law_address[law], path, last - first)
            value = path.law_out[0].real
        else:
            value = evaluate(laws.code, begin, end, laws.constants, path.law_in, path.stack).real
        by_factor = value if op == 1 else 1.0 / value
        times = w.block_scratch[s0 + factor]
        scale = scale_to * (times if op == 1 else -times / (value * value))
        if other >= 0:
            by_law += by_factor * _by_law(loads, p, factor, other)
        else:
            add_value_row(tree, loads, path, p, factor, scale_to * by_factor, path.row_q, path.row_v, path.row_z, 0)
    for s in range(first, last):
        kind = laws.signals[s, 0]
        if kind == TIME or (other >= 0 and kind != GRAPH):
            continue
        path.law_in[s - first] += 1j
        if laws.law_address[law] != 0:
            call_function(laws.law_address[law], path, last - first)
            slope = path.law_out[0].imag
        else:
            slope = evaluate(laws.code, begin, end, laws.constants, path.law_in, path.stack).imag
        path.law_in[s - first] = path.law_in[s - first].real
        if other >= 0:
            by_law += scale * slope * _by_law(loads, p, laws.signals[s, 1], other)
        elif kind == GRAPH:
            place = laws.signals[s, 1]
            add_value_row(tree, loads, path, p, place, scale * slope, path.row_q, path.row_v, path.row_z, 0)
        else:
            _signal_row(tree, loads, w, tan, path, s, q, scale * slope, path.row_q, path.row_v, path.row_z, 0)
    return by_law


@helper
def _keep_row(tree, path, at):
    """Move row_q, row_v, row_z of path to a row of D; they become zero again."""
    for j in range(tree.nv):
        path.block_scratch[at + j] = path.row_q[0, j]
        path.block_scratch[at + tree.nv + j] = path.row_v[0, j]
        path.row_q[0, j] = path.row_v[0, j] = 0.0
    for j in range(tree.nz):
        path.block_scratch[at + 2 * tree.nv + j] = path.row_z[0, j]
        path.row_z[0, j] = 0.0


@part
def _loop_rows(tree, loads, w, tan, path, p, loop, d0, width, t, q, v):
    """Rows of the laws of a loop: (1 - S) D = what they are with the other laws of the loop held."""
    ints, D = loads.forces.block_integers, path.block_scratch
    begin = p + ints[p + LOOPS]
    for _ in range(loop):
        begin += 2 + 2 * ints[begin]
    m = ints[begin + 1]
    first = begin + 2 + 2 * (ints[begin] - m)
    S = d0 + ints[p + NL] * width
    for i in range(m):  # laws of the loop are held: rows of zeros
        at = d0 + ints[first + 2 * i + 1] * width
        for j in range(width):
            D[at + j] = 0.0
    for i in range(m):
        a = ints[first + 2 * i + 1]
        for j in range(m):
            one = 1.0 if i == j else 0.0
            D[S + i * m + j] = one - _law_row(tree, loads, w, tan, path, p, a, t, q, v, ints[first + 2 * j + 1], 1.0)
    for i in range(m):
        a = ints[first + 2 * i + 1]
        _law_row(tree, loads, w, tan, path, p, a, t, q, v, -1, 1.0)
        _keep_row(tree, path, S + m * m + i * width)
    for k in range(m):  # elimination with row exchange, all columns of D at once
        best = k
        for i in range(k + 1, m):
            if abs(D[S + i * m + k]) > abs(D[S + best * m + k]):
                best = i
        if best != k:
            for j in range(m):
                a, b = S + k * m + j, S + best * m + j
                D[a], D[b] = D[b], D[a]
            for j in range(width):
                a, b = S + m * m + k * width + j, S + m * m + best * width + j
                D[a], D[b] = D[b], D[a]
        for i in range(m):
            if i != k:
                factor = D[S + i * m + k] / D[S + k * m + k]
                for j in range(m):
                    D[S + i * m + j] -= factor * D[S + k * m + j]
                for j in range(width):
                    D[S + m * m + i * width + j] -= factor * D[S + m * m + k * width + j]
    for i in range(m):
        at = d0 + ints[first + 2 * i + 1] * width
        for j in range(width):
            D[at + j] = D[S + m * m + i * width + j] / D[S + i * m + i]


@part
def graph_tangent(tree, loads, w, tan, path, p, t, q, v):
    """Fq, Fv, Fz of the graph's states, and K, C, Z -= derivatives of what its ports do."""
    ints = loads.forces.block_integers
    s0, nx, ports = ints[p + SCRATCH], ints[p + NX], ints[p + NP]
    width = 2 * tree.nv + tree.nz
    graph_values(loads, w, p, t, q, v)
    for k in range(ports):
        at = p + ints[p + PORTS] + PORT_INTEGERS * k
        a, b, c = ints[at + 1], ints[at + 2], ints[at + 3]
        port_flow_rows(tree, loads, w, tan, path, ints[at], a, b, c, path.row_q, path.row_v)
        _keep_row(tree, path, s0 + k * width)
    d0 = s0 + ports * width
    steps = p + ints[p + STEPS]
    for k in range(ints[p + N_STEPS]):
        kind, number = ints[steps + 2 * k], ints[steps + 2 * k + 1]
        if kind == LAW:
            _law_row(tree, loads, w, tan, path, p, number, t, q, v, -1, 1.0)
            _keep_row(tree, path, d0 + number * width)
        elif kind == LOOP:
            _loop_rows(tree, loads, w, tan, path, p, number, d0, width, t, q, v)
    states, rates = p + ints[p + STATES], p + ints[p + RATES]
    for k in range(nx):
        z = ints[states + k]
        for j in range(tree.nv):
            tan.Fq[z, j] = tan.Fv[z, j] = 0.0
        low, high = state_columns(tan.Fz, tree.nz, z)
        for j in range(low, high):
            tan.Fz[z, j] = 0.0
        add_value_row(tree, loads, path, p, ints[rates + k], 1.0, tan.Fq, tan.Fv, tan.Fz, z)
    for k in range(ports):
        at = p + ints[p + PORTS] + PORT_INTEGERS * k
        place, sign = ints[at + 4], 1.0 * ints[at + 5]
        add_value_row(tree, loads, path, p, place, sign, path.row_q, path.row_v, path.row_z, 0)
        effort = sign * w.block_scratch[s0 + place]
        port_tangent(tree, loads, w, tan, path, ints[at], ints[at + 1], ints[at + 2], ints[at + 3], effort)
    return ints[p + NR]
