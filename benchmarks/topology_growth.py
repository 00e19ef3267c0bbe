"""How the time of `duoti.topology` grows with the size of the mechanism.

    python benchmarks/topology_growth.py [largest number of bodies]

Three families: a random mechanism with 1.2 joints a body (its tree is over a hundred joints deep), a fleet of
drivers in cabs (Yuan et al. 2000; many small subsystems with loops to ground), a chain with a bracing joint
every fifth body (as deep as it can be; its path matrix has N^2/2 entries and is refused when large).
The growth exponent is the slope of log(time) over log(bodies) between the last two sizes: 1 is linear.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable
from time import perf_counter

from duoti.topology import Graph, JointEdge, Topology, TopologyError, topology, worked

KINDS = ("revolute", "prismatic", "cylindrical", "universal", "spherical")


def random_mechanism(n: int) -> Graph:
    rng = random.Random(n)
    names = ["ground", *(f"b{i}" for i in range(1, n + 1))]
    joints = [JointEdge(f"t{i}", rng.choice(KINDS), names[rng.randrange(i)], names[i]) for i in range(1, n + 1)]
    for k in range(n // 5):
        a = rng.randrange(1, n + 1)
        b = rng.randrange(a)
        joints.append(JointEdge(f"c{k}", rng.choice(KINDS), names[a], names[b]))
    return Graph(tuple(names[1:]), tuple(joints))


def fleet(n: int) -> Graph:
    one = worked.driver_in_cab()
    bodies: list[str] = []
    joints: list[JointEdge] = []
    for k in range(max(1, n // len(one.bodies))):
        bodies += [f"{name} {k}" for name in one.bodies]
        for e in one.joints:
            parent = e.parent if e.parent == one.ground else f"{e.parent} {k}"
            joints.append(e._replace(name=f"{e.name} {k}", parent=parent, child=f"{e.child} {k}"))
    return Graph(tuple(bodies), tuple(joints))


def braced_chain(n: int) -> Graph:
    names = ["ground", *(f"b{i}" for i in range(1, n + 1))]
    joints = [JointEdge(f"t{i}", "revolute", names[i - 1], names[i]) for i in range(1, n + 1)]
    joints += [JointEdge(f"c{i}", "spherical", names[i - 5], names[i]) for i in range(5, n + 1, 5)]
    return Graph(tuple(names[1:]), tuple(joints))


def timed(action: Callable[[], object]) -> tuple[float, object]:
    start = perf_counter()
    result = action()
    return perf_counter() - start, result


def measure(graph: Graph) -> tuple[Topology, dict[str, float]]:
    """Seconds of each stage; the graph is checked as part of the first."""
    times: dict[str, float] = {}
    times["tree+labels"], t = timed(lambda: topology(graph))
    assert isinstance(t, Topology)
    times["names"], _ = timed(lambda: (t.bodies, t.labels, t.tree, t.reversed))
    times["S"], _ = timed(lambda: t.incidence.sparse)
    try:
        times["T"], _ = timed(lambda: t.path.sparse)
    except TopologyError:
        times["T"] = math.nan
    times["U"], _ = timed(lambda: t.loop_matrix.sparse)
    times["loop lengths"], _ = timed(lambda: t.loop_lengths)
    times["prediction"], _ = timed(lambda: t.prediction)
    return t, times


def main(largest: int = 100_000) -> None:
    import scipy.sparse  # noqa: F401  so that its import is not counted as time of the first matrix

    sizes = [n for n in (1_000, 3_000, 10_000, 30_000, 100_000) if n <= largest]
    measure(random_mechanism(100))
    for family in (random_mechanism, fleet, braced_chain):
        print(f"\n{family.__name__}")
        rows: list[tuple[int, dict[str, float]]] = []
        for n in sizes:
            graph = family(n)
            t, times = measure(graph)
            if not rows:
                head = "".join(f"{name:>14}" for name in [*times, "all"])
                print(f"{'bodies':>8}{'joints':>8}{'depth':>8}{'T entries':>12}{head}   [s]")
            entries, depth = int(t.labelling.depth.sum()), int(t.labelling.depth.max())
            times["all"] = sum(x for x in times.values() if not math.isnan(x))
            shown = "".join(f"{x:>14.4f}" if not math.isnan(x) else f"{'refused':>14}" for x in times.values())
            print(f"{len(graph.bodies):>8}{len(graph.joints):>8}{depth:>8}{entries:>12}{shown}")
            rows.append((len(graph.bodies), times))
        if len(rows) > 1:
            (n1, a), (n2, b) = rows[-2:]
            slope = (math.log(b[k] / a[k]) / math.log(n2 / n1) for k in b)
            print(f"{'growth exponent of the last step':<36}" + "".join(f"{s:>14.2f}" for s in slope))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
