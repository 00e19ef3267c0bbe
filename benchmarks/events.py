"""What events cost: a pendulum with events that never happen, against the same without.

    python benchmarks/events.py [rounds]

The ratio of the times with and without events is what counts (processor time, best of the rounds, by turns). A look
evaluates all event functions in one sweep, so that the ratio grows with the number of functions, not with its square.
"""

from __future__ import annotations

import sys
from time import thread_time

import duoti as dt

DURATION = 10.0
COUNTS = (0, 1, 8, 16, 32)


def pendulum(events: int) -> dt.Model:
    m = dt.Model("pendulum")
    m.add_body("rod", dt.Inertia.rod(1.0, length=1.0, axis="x", com=(0.5, 0, 0)))
    m.add_joint("A", dt.Revolute("y"), m.ground, "rod", q0=0.3)
    for k in range(events):
        m.add_event(f"never{k}", dt.Event(f"A.angle - {5 + k}"))
    return m


def main(rounds: int) -> None:
    systems = {count: dt.compile(pendulum(count)) for count in COUNTS}
    best = dict.fromkeys(COUNTS, float("inf"))
    for _ in range(rounds + 1):  # the first one loads the kernels
        for count, system in systems.items():
            began = thread_time()
            dt.simulate(system, DURATION, outputs=DURATION)
            best[count] = min(best[count], thread_time() - began)
    print("events   ms      ratio")
    for count in COUNTS:
        print(f"{count:6d}  {1e3 * best[count]:6.2f}  {best[count] / best[0]:6.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
