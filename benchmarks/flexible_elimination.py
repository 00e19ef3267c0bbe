"""Accelerations of chains of flexible bodies: modes eliminated body by body, against the factorised mass matrix.

    python benchmarks/flexible_elimination.py

Processor time of one evaluation of the rates, the best of several rounds, both methods in turn.
"""

from __future__ import annotations

import time

import numpy as np

import duoti as dt
from duoti.dynamics.closing import constrained_rates_entry
from duoti.dynamics.flexible.aba import flexible_rates_entry
from duoti.dynamics.workspace import new_workspace
from duoti.kernel import entry_address, run_entry
from duoti.system.flex import elimination_pays

BEAM = dt.Beam(
    dt.Section.rectangle(width=0.02, height=0.02),
    dt.Material(youngs_modulus=7e10, poisson_ratio=0.3, density=2700.0),
)
METHODS = (constrained_rates_entry, flexible_rates_entry)


def chain(bodies: int, modes: int) -> dt.Model:
    """Flexible rods on hinges, one after the other; modes: those with both ends held, beside six of the end."""
    m, rod = dt.Model("chain"), dt.Flexible.from_beam(BEAM, length=0.5, elements=8, modes=modes)
    before = m.ground
    for k in range(bodies):
        m.add_body(f"b{k}", rod, position=(0.5 * k, 0, 0))
        m.add_joint(f"j{k}", dt.Revolute("y"), before, f"b{k}", at=(0.5 * k, 0, 0))
        before = f"b{k}"
    return m


def seconds(system: dt.System, rounds: int = 7) -> list[float]:
    """Of one evaluation, by each method."""
    best, work = [np.inf] * len(METHODS), new_workspace(system, rates=True)
    work.y[:] = system.whole_state(*system.initial_state()[:2])
    addresses = [entry_address(entry) for entry in METHODS]
    calls = 200
    for _ in range(rounds):
        for k, address in enumerate(addresses):
            start = time.process_time()
            for _ in range(calls):
                run_entry(address, work.at[0].system)
            best[k] = min(best[k], (time.process_time() - start) / calls)
    return best


if __name__ == "__main__":
    print(f"{'bodies':>6} {'modes':>6} {'mass matrix':>12} {'elimination':>12} {'ratio':>6}  taken")
    for modes in (0, 4, 14, 34):
        for bodies in (1, 2, 3, 5, 10, 20):
            system = dt.compile(chain(bodies, modes))
            one, other = seconds(system)
            taken = METHODS[elimination_pays(system.tree, system.flex)]
            count = system.flexible["b0"].reduced.n
            print(f"{bodies:6d} {count:6d} {1e6 * one:9.1f} us {1e6 * other:9.1f} us {one / other:6.2f}  {taken}")
