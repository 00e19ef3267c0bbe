"""Time per element and step of beams of 10 to 1000 elements.

    python -W ignore benchmarks/beam_growth.py [rounds]

A cantilever of 2 m that swings under its weight, of more and more elements (which become stiffer, so that corrections
of a step change with their number); and a beam on springs, one at every tenth of its elements of 0.2 m, which move
alike however many there are: what grows there is the cost of memory alone. Processor times of 200 steps in space, six
unknowns a node, by turns, the best of the rounds.
"""

from __future__ import annotations

import sys
from time import thread_time

import numpy as np

import duoti as dt

STEP = 2e-3


def per_element(rounds: int) -> None:
    counts: tuple[int, ...] = (10, 30, 100, 300, 1000)
    for name, length, spans in (("cantilever", lambda _: 2.0, False), ("on springs", lambda n: 0.2 * n, True)):
        print(f"time per element and step, {name}")
        systems = {n: dt.compile(_long_beam(n, length(n), spans)) for n in counts}
        spent, seen = {(n, steps): np.inf for n in counts for steps in (20, 220)}, dict.fromkeys(counts, "")
        for _ in range(rounds):
            for (n, steps), best in spent.items():
                for _ in range(1 if n > 100 else 4):
                    solver, began = dt.GeneralisedAlpha(step=STEP, rho=0.8), thread_time()
                    r = dt.simulate(systems[n], steps * STEP, outputs=steps * STEP, solver=solver)
                    best = min(best, thread_time() - began)
                spent[n, steps] = best
                seen[n] = f"{r.stats.evaluations / steps:.2f} evaluations, {r.stats.jacobians / steps:.2f} Jacobians"
        for n in counts:
            each = (spent[n, 220] - spent[n, 20]) / 200 / n
            print(f"  {n:5d} elements: {each * 1e6:6.2f} us ({seen[n]} a step)", flush=True)


def _long_beam(n: int, length: float, spans: bool) -> dt.Model:
    m = dt.Model("long", gravity=(0, 0, -9.81))
    beam = dt.Beam.from_stiffness(
        EA=1e4, GAy=1e4, GAz=1e4, GJ=10.0, EIy=10.0, EIz=10.0, mass_per_length=1.0, rotary_inertia=(1e-3,) * 3
    )
    b = m.add_beam("b", beam, start=(0, 0, 0), end=(length, 0, 0), elements=n)
    m.add_joint("clamp", dt.Fixed(), m.ground, b.start)
    for k in range(10, n + 1, 10) if spans else ():
        m.add_marker(f"below{k}", m.ground, position=(length * k / n, 0, 0))
        m.add_force(f"spring{k}", dt.CartesianSpring(f"below{k}", b.nodes[k], (1e3, 1e3, 1e3)))
    return m


if __name__ == "__main__":
    per_element(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
