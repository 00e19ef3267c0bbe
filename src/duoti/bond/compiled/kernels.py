"""A plan carried out by compiled code: from states, port flows and laws to rates, efforts, energies and powers.

The plan is the block (`model.force_blocks`) of a force element; its values Y (see `plan`) are written into the scratch.
"""

from duoti.bond.compiled.port_kernels import apply_port, port_flow
from duoti.elements.laws import call_function, read_signal
from duoti.kernel import helper, part
from duoti.model.force_blocks import BLOCK_HEADER, NUMBERS, SCRATCH
from duoti.model.laws.expressions import evaluate
from duoti.model.laws.law import GRAPH

HEADER = (
    *BLOCK_HEADER, "nx", "np", "nl", "nr", "n_steps", "n_terms", "n_quadratures", "states", "ports", "row_start",
    "row_column", "laws", "steps", "rates", "terms", "quadratures", "loops", "row_number", "term_number",
    "n_energy", "n_supplied", "row_groups", "first_state",
)  # fmt: skip
"""Names of the first integers of a plan; places of lists count from its beginning, those of numbers from theirs."""
(
    NX, NP, NL, NR, N_STEPS, N_TERMS, N_QUADRATURES, STATES, PORTS, ROW_START,
    ROW_COLUMN, LAWS, STEPS, RATES, TERMS, QUADRATURES, LOOPS, ROW_NUMBER, TERM_NUMBER,
    N_ENERGY, N_SUPPLIED, ROW_GROUPS, FIRST_STATE,
) = range(len(BLOCK_HEADER), len(HEADER))  # fmt: skip
PLAN = 0  # place among the integers of the force element: where its plan begins
PORT_INTEGERS, LAW_INTEGERS = 6, 4  # kind, a, b, component, place of the effort, sign; law, operation, factor, depends
ROW, LAW, LOOP, ROWS = range(4)  # ROWS: all rows
LOOP_ITERATIONS, LOOP_CHANGE, DIFFERENCE = 50, 1e-15, 1e-7
GAUSS = 16
"""Points of the quadrature of energies."""
SHORT_ROWS = 4
"""Rows are sorted by their numbers of terms: those of 0, 1, ... up to this many are summed without a loop."""


@helper
def energies_wanted(w):
    """Whether the energy stored is wanted: results ask for it, solvers do not."""
    return w.wanted[0].energies == 1


@part
def graph_law(loads, w, law, s0, t, q, v):
    """Value of a law that may read quantities of the graph, from Y at s0 of the scratch."""
    laws = loads.laws
    first, last = laws.law_signals[law, 0], laws.law_signals[law, 1]
    for s in range(first, last):
        if laws.signals[s, 0] == GRAPH:
            w.law_in[s - first] = w.block_scratch[s0 + laws.signals[s, 1]]
        else:
            w.law_in[s - first] = read_signal(loads, w, s, t, q, v, 0.0 * w.stack[0], 0.0 * w.stack[0])
    if laws.law_address[law] != 0:
        call_function(laws.law_address[law], w, last - first)
        return w.law_out[0]
    return evaluate(laws.code, laws.law_code[law], laws.law_code[law + 1], laws.constants, w.law_in, w.stack)


@part
def step_value(loads, w, p, s0, kind, number, t, q, v):
    """Value of a row or law of the plan at p."""
    ints, reals, Y = loads.forces.block_integers, loads.forces.block_reals, w.block_scratch
    if kind == ROW:
        start, column = p + ints[p + ROW_START], p + ints[p + ROW_COLUMN]
        x = ints[p + NUMBERS] + ints[p + ROW_NUMBER]
        value = 0.0 * Y[s0]
        for k in range(ints[start + number], ints[start + number + 1]):
            value += reals[x + k] * Y[s0 + ints[column + k]]
        return value
    at = p + ints[p + LAWS] + LAW_INTEGERS * number
    value = graph_law(loads, w, ints[at], s0, t, q, v)
    if ints[at + 1] == 1:
        value = value * Y[s0 + ints[at + 2]]
    elif ints[at + 1] == 2:
        value = Y[s0 + ints[at + 2]] / value
    return value


@part
def graph_values(loads, w, p, t, q, v):
    """All values Y of the plan at p, in the state w.y."""
    ints, Y = loads.forces.block_integers, w.block_scratch
    s0, nx, ports = ints[p + SCRATCH], ints[p + NX], ints[p + NP]
    z = q.shape[0] + v.shape[0]
    Y[s0] = 1.0 + 0.0 * w.y[0]
    first_state = z + ints[p + FIRST_STATE]
    for k in range(nx):  # the states of a graph stand together
        Y[s0 + 1 + k] = w.y[first_state + k]
    for k in range(ports):
        at = p + ints[p + PORTS] + PORT_INTEGERS * k
        Y[s0 + 1 + nx + k] = port_flow(loads, w, v, ints[at], ints[at + 1], ints[at + 2], ints[at + 3])
    first_law, first_row = s0 + 1 + nx + ports, s0 + 1 + nx + ports + ints[p + NL]
    steps = p + ints[p + STEPS]
    for k in range(ints[p + N_STEPS]):
        kind, number = ints[steps + 2 * k], ints[steps + 2 * k + 1]
        if kind == ROWS:
            all_rows(loads, w, p, s0, first_row)
        elif kind == LOOP:
            solve_loop(loads, w, p, s0, first_law, first_row, number, t, q, v)
        else:
            value = step_value(loads, w, p, s0, kind, number, t, q, v)
            if kind == ROW:
                Y[first_row + number] = value
            else:
                Y[first_law + number] = value


@helper
def all_rows(loads, w, p, s0, first_row):
    """All rows, from the columns."""
    ints, reals, Y = loads.forces.block_integers, loads.forces.block_reals, w.block_scratch
    start, column, groups = p + ints[p + ROW_START], p + ints[p + ROW_COLUMN], p + ints[p + ROW_GROUPS]
    x = ints[p + NUMBERS] + ints[p + ROW_NUMBER]
    for r in range(ints[groups]):
        Y[first_row + r] = 0.0 * Y[s0]
    k = 0
    for r in range(ints[groups], ints[groups + 1]):
        Y[first_row + r] = reals[x + k] * Y[s0 + ints[column + k]]
        k += 1
    for r in range(ints[groups + 1], ints[groups + 2]):
        i, j = s0 + ints[column + k], s0 + ints[column + k + 1]
        Y[first_row + r] = reals[x + k] * Y[i] + reals[x + k + 1] * Y[j]
        k += 2
    for r in range(ints[groups + 2], ints[groups + 3]):
        i, j, m = s0 + ints[column + k], s0 + ints[column + k + 1], s0 + ints[column + k + 2]
        Y[first_row + r] = reals[x + k] * Y[i] + reals[x + k + 1] * Y[j] + reals[x + k + 2] * Y[m]
        k += 3
    for r in range(ints[groups + 3], ints[groups + 4]):
        i, j = s0 + ints[column + k], s0 + ints[column + k + 1]
        m, n = s0 + ints[column + k + 2], s0 + ints[column + k + 3]
        value = reals[x + k] * Y[i] + reals[x + k + 1] * Y[j]
        Y[first_row + r] = value + reals[x + k + 2] * Y[m] + reals[x + k + 3] * Y[n]
        k += 4
    for r in range(ints[groups + 4], ints[p + NR]):
        value = 0.0 * Y[s0]
        last = ints[start + r + 1]
        while k < last:
            value += reals[x + k] * Y[s0 + ints[column + k]]
            k += 1
        Y[first_row + r] = value


@helper
def loop_residuals(loads, w, p, s0, first_law, first_row, begin, count, m, out, t, q, v):
    """Values of the laws of a loop less what they were assumed to be, into Y[out:]."""
    ints, Y, n = loads.forces.block_integers, w.block_scratch, 0
    size = 0.0
    for k in range(count):
        kind, number = ints[begin + 2 * k], ints[begin + 2 * k + 1]
        value = step_value(loads, w, p, s0, kind, number, t, q, v)
        if kind == ROW:
            Y[first_row + number] = value
        else:
            Y[out + n] = value - Y[first_law + number]
            size = max(size, abs(Y[out + n]))
            n += 1
    return size


@part
def solve_loop(loads, w, p, s0, first_law, first_row, loop, t, q, v):
    """Newton's method for the laws of a loop, from their last values on; derivatives by differences.

    What is left of the equations, relative to the values, is the round-off of the laws, or else not a number.
    """
    ints, Y = loads.forces.block_integers, w.block_scratch
    begin = p + ints[p + LOOPS]
    for _ in range(loop):
        begin += 2 + 2 * ints[begin]
    count, m = ints[begin], ints[begin + 1]
    begin += 2
    A = first_row + ints[p + NR]  # scratch: m x m matrix, residuals, residuals after a small change
    r0, r1 = A + m * m, A + m * m + m
    first = begin + 2 * (count - m)  # laws are the last steps of the loop
    change = last_change = 1e300
    for j in range(m):  # what an evaluation far away has left behind must not stay
        place = first_law + ints[first + 2 * j + 1]
        if not abs(Y[place]) < 1e300:
            Y[place] = 0.0 * w.y[0]
    for _ in range(LOOP_ITERATIONS):
        loop_residuals(loads, w, p, s0, first_law, first_row, begin, count, m, r0, t, q, v)
        for j in range(m):
            place = first_law + ints[first + 2 * j + 1]
            value = Y[place]
            d = DIFFERENCE * (1.0 + abs(value))
            Y[place] = value + d
            loop_residuals(loads, w, p, s0, first_law, first_row, begin, count, m, r1, t, q, v)
            Y[place] = value
            for i in range(m):
                Y[A + i * m + j] = (Y[r1 + i] - Y[r0 + i]) / d
        eliminate(Y, A, r0, m)
        change = 0.0
        for j in range(m):
            place = first_law + ints[first + 2 * j + 1]
            Y[place] -= Y[r0 + j]
            change = max(change, abs(Y[r0 + j]) / (1.0 + abs(Y[place])))
        if not change > LOOP_CHANGE or (change < 1e-12 and change >= last_change):
            break
        last_change = change
    loop_residuals(loads, w, p, s0, first_law, first_row, begin, count, m, r0, t, q, v)
    if not last_change < 1e-6 and not change < 1e-6:
        for j in range(m):
            Y[first_law + ints[first + 2 * j + 1]] += (Y[r0] - Y[r0]) / (0.0 * abs(Y[r0]))  # not a number: no solution


@part
def eliminate(Y, A, b, m):
    """Y[b:] := the solution x of A x = Y[b:], A row by row at Y[A:], with row exchange."""
    for k in range(m):
        best = k
        for i in range(k + 1, m):
            if abs(Y[A + i * m + k]) > abs(Y[A + best * m + k]):
                best = i
        if best != k:
            for j in range(m):
                Y[A + k * m + j], Y[A + best * m + j] = Y[A + best * m + j], Y[A + k * m + j]
            Y[b + k], Y[b + best] = Y[b + best], Y[b + k]
        for i in range(k + 1, m):
            factor = Y[A + i * m + k] / Y[A + k * m + k]
            for j in range(k, m):
                Y[A + i * m + j] -= factor * Y[A + k * m + j]
            Y[b + i] -= factor * Y[b + k]
    for k in range(m - 1, -1, -1):
        for j in range(k + 1, m):
            Y[b + k] -= Y[A + k * m + j] * Y[b + j]
        Y[b + k] = Y[b + k] / Y[A + k * m + k]


@part
def graph_zdot(loads, w, p, z):
    """Rates of the graph's states into w.ydot, where z begins, from the values Y."""
    ints, Y = loads.forces.block_integers, w.block_scratch
    s0 = ints[p + SCRATCH]
    rates, first_state = p + ints[p + RATES], z + ints[p + FIRST_STATE]
    for k in range(ints[p + NX]):
        w.ydot[first_state + k] = Y[s0 + ints[rates + k]]


@part
def graph_forces(loads, w, p):
    """What the ports do to the mechanism, from the values Y."""
    ints, Y = loads.forces.block_integers, w.block_scratch
    s0 = ints[p + SCRATCH]
    for k in range(ints[p + NP]):
        at = p + ints[p + PORTS] + PORT_INTEGERS * k
        effort = Y[s0 + ints[at + 4]] * ints[at + 5]
        apply_port(loads, w, ints[at], ints[at + 1], ints[at + 2], ints[at + 3], effort)


@part
def stored_by_law(loads, w, p, k, t, q, v):
    """Energy in the k-th storage with a law: its integral from zero to the state, from the values Y."""
    ints, reals, Y = loads.forces.block_integers, loads.forces.block_reals, w.block_scratch
    s0, at = ints[p + SCRATCH], p + ints[p + QUADRATURES]
    x = ints[p + NUMBERS] + ints[p + TERM_NUMBER] + ints[p + N_TERMS]
    law, place, energy = ints[at + 3 * k], s0 + ints[at + 3 * k + 2], 0.0 * Y[s0]
    state = Y[place]
    for i in range(GAUSS):
        Y[place] = state * reals[x + i]
        energy += state * reals[x + GAUSS + i] * graph_law(loads, w, law, s0, t, q, v)
    Y[place] = state
    return energy


@part
def graph_powers(loads, w, p, t, q, v):
    """Energy stored (where it is wanted), power supplied by sources and dissipated by resistors, from the values Y."""
    ints, reals, Y = loads.forces.block_integers, loads.forces.block_reals, w.block_scratch
    s0 = ints[p + SCRATCH]
    energy = supplied = dissipated = 0.0 * Y[s0]
    x, at = ints[p + NUMBERS] + ints[p + TERM_NUMBER], p + ints[p + TERMS]
    first, second = ints[p + N_ENERGY], ints[p + N_ENERGY] + ints[p + N_SUPPLIED]
    wanted = energies_wanted(w)
    for k in range(first if wanted else 0):
        energy += reals[x + k] * Y[s0 + ints[at + 2 * k]] * Y[s0 + ints[at + 2 * k + 1]]
    for k in range(first, second):
        supplied += reals[x + k] * Y[s0 + ints[at + 2 * k]] * Y[s0 + ints[at + 2 * k + 1]]
    for k in range(second, ints[p + N_TERMS]):
        dissipated += reals[x + k] * Y[s0 + ints[at + 2 * k]] * Y[s0 + ints[at + 2 * k + 1]]
    for k in range(ints[p + N_QUADRATURES] if wanted else 0):
        energy += stored_by_law(loads, w, p, k, t, q, v)
    return energy, supplied, dissipated
