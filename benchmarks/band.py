"""Linear systems of the implicit methods: from which size on a band beats a dense matrix.

    python benchmarks/band.py [rounds]

For chains of N free bodies on bushings, and for N four-bars in a row in absolute coordinates (stabilised form), the
matrix of a Newton step is assembled, factorised and used for three solutions (about what a step of the
generalised-alpha method needs if it cannot keep its factors), once in a band after reverse Cuthill-McKee and once
dense, by turns. Times are processor times, the best of the rounds; also shown is what the rule in
`duoti.integrate.newton` chooses.
"""

from __future__ import annotations

import sys
from time import thread_time
from typing import Any

import numpy as np
from loops import linkage
from stiff_models import chain

import duoti as dt
from duoti.dynamics.workspace import new_linearisation, new_workspace
from duoti.integrate import newton_structure as structure_module
from duoti.integrate.newton import Newton, assemble, factorise, gather, new_newton, solve
from duoti.kernel import kernel, run_entry, unpack
from duoti.system.context import REAL_CONTEXT

STEP = 1e-3
MOST_DENSE = 1000  # unknowns: a dense matrix takes a second beyond


@kernel
def repeat(context, tan, newton, times):
    tree, _, closures, w = unpack(context, REAL_CONTEXT)
    gather(tree, tan, newton)
    s = 1.0 / STEP
    for _ in range(times):
        assemble(tree, closures, w, tan, newton, newton.A, 1.0 / s, 1.0 / (s * s), 1.0 / s, s, s)
        factorise(newton, newton.A, newton.pivots)
        for _ in range(3):
            for i in range(newton.n):
                newton.b[i] = 1.0
            solve(newton, newton.A, newton.pivots, newton.b, newton.sorted)


def forced(system: dt.System, banded: bool) -> Newton:
    """The linear system in a band, or dense, whatever the rule says."""
    kept = structure_module.is_banded
    structure_module.is_banded = lambda _n, _width: banded
    try:
        return new_newton(system, stabilised=True, is_complex=False)
    finally:
        structure_module.is_banded = kept


def measure(system: dt.System, rounds: int) -> tuple[Newton, list[float], bool]:
    """The band, seconds in a band and dense (infinite if too large), and what the rule chooses."""
    forms = [forced(system, banded) for banded in (True, False)]
    if forms[1].n > MOST_DENSE:
        forms.pop()
    work = new_workspace(system, rates=True)
    made = new_linearisation(system, work, pattern=(forms[0].start, forms[0].column))
    q, v = system.initial_state()
    work.y[: len(q)], work.y[len(q) : len(q) + len(v)] = q, v
    for address in (work.calls[0].rates, work.calls[0].linearise):
        run_entry(address, work.at[0].system)
    best, solutions = [np.inf, np.inf], []
    for form in forms:
        repeat(work.at[0].system, made.tangent, form, 1)
        solutions.append(form.b.copy())
    for x in solutions[1:]:  # redundant equations: only the motion is unique
        a, b = solutions[0][: system.nv], x[: system.nv]
        assert np.max(np.abs(a - b)) < 1e-5 * np.max(np.abs(b)), "the solutions differ"
    for _ in range(rounds):
        for k, form in enumerate(forms):
            times = max(1, int(1e5 / form.n / (form.below + 1)))
            began = thread_time()
            repeat(work.at[0].system, made.tangent, form, times)
            best[k] = min(best[k], (thread_time() - began) / times)
    return forms[0], best, structure_module.is_banded(forms[0].n, forms[0].below)


def main() -> int:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    print("                      N unknowns  width   band us  dense us  dense/band  rule")
    wrong = 0
    cases: list[tuple[str, Any, tuple[int, ...]]] = [
        ("chain", lambda n: dt.compile(chain(n)), (2, 3, 4, 5, 6, 8, 10, 20, 50, 100, 200)),
        ("four-bars", lambda n: dt.compile(linkage(n), coordinates="absolute"), (1, 2, 3, 4, 5, 8, 12)),
    ]
    for name, build, sizes in cases:
        for n in sizes:
            form, (band, dense), banded = measure(build(n), rounds)
            wrong += banded != (band < dense) and abs(band / dense - 1) > 0.1
            times = f"{band * 1e6:9.1f} {dense * 1e6:9.1f} {dense / band:11.2f}"
            print(f"{name:18s} {n:4d} {form.n:8d} {form.below:6d} {times}  {'band' if banded else 'dense'}", flush=True)
    print(f"the rule chooses the form that is slower by more than a tenth in {wrong} cases")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
