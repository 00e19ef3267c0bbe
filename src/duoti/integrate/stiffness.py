"""How fast the fastest motion of a system is: the spectral radius of its rates, by a nonlinear power iteration."""

import math

from duoti.integrate.state import state_rates
from duoti.kernel import kernel, unpack
from duoti.system.context import REAL_CONTEXT

ITERATIONS, LAST = 24, 8  # of the power iteration; those over which its growth is averaged
STEP = 1e-7  # of the differences, relative to the state


@kernel("i run d1 d1")
def spectral_radius(context, run, direction, rates):
    """Largest magnitude of an eigenvalue of d(rates)/d(state) [1/s], to about ten per cent.

    `direction` [ny] is where the iteration begins and ends: the next estimate may begin there; `rates` [ny] is scratch,
    and so are run.y_new and run.y_at. A pair of imaginary eigenvalues makes single growth factors swing about their
    geometric mean, which is what counts (compare Sommeijer, Shampine & Verwer 1998, section 3.2).
    """
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    n, t = tree.nq + tree.nv + tree.nz, run.clock[0].t
    size, length = 0.0, 0.0
    for i in range(n):
        size += run.y[i] ** 2
        length += direction[i] ** 2
    size, length = STEP * (1.0 + size**0.5), length**0.5
    if not length > 0.0:
        for i in range(n):
            direction[i] = 1.0 + 0.1 * (i % 7)
        length = 1.0
        for i in range(n):
            length += direction[i] ** 2
        length = length**0.5
    growth = 0.0
    state_rates(w, t, run.y, rates)
    for k in range(ITERATIONS):
        for i in range(n):
            run.y_new[i] = run.y[i] + size / length * direction[i]
        for i in range(n, run.y.shape[0]):
            run.y_new[i] = run.y[i]
        state_rates(w, t, run.y_new, run.y_at)
        length = 0.0
        for i in range(n):
            direction[i] = run.y_at[i] - rates[i]
            length += direction[i] ** 2
        length = length**0.5
        if not 0.0 < length < 1e300:
            break
        if k >= ITERATIONS - LAST:
            growth += math.log(length / size)
    run.counts[0].evaluations += ITERATIONS + 1
    state_rates(w, t, run.y, run.y_at)  # leave the workspace as it was
    return math.exp(growth / LAST) if length > 0.0 else 0.0
