"""Closed loops with joints that are held: projections close the loops with all others, and leave these in place."""

from __future__ import annotations

from duoti.dynamics.dry.rates import is_held
from duoti.elements.dry_memory import BASE_PROJECT, DRY, DRY_CONTEXT
from duoti.kernel import call_entry, entry, part, unpack
from duoti.system.context import REAL_CONTEXT

ROUNDS = 100  # a joint that bears most of the way back comes into its place slowly


@part
def _keep_in_place(tree, dry, y, m):
    """Coordinates of the held rates as they were, and no rates; the largest change of a coordinate and of a rate."""
    turned, moved = 0.0, 0.0
    for n in range(m):
        j = dry.first[dry.unknown_slot[n]] + dry.unknown_rate[n]
        i = tree.q_of_v[j]
        if i >= 0:
            turned = max(turned, abs(y[i] - dry.p[n]))
            y[i] = dry.p[n]
        moved = max(moved, abs(y[tree.nq + j]))
        y[tree.nq + j] = 0.0
    return turned, moved


@entry
def dry_project_entry(context):
    """Entry PROJECT around that without dry laws: coordinates of joints that friction or stops hold do not change.

    Closing the loops and putting held joints back in turn comes nearer to a state in which both is so, since each is
    the shortest way to what it asks for (von Neumann's alternating projections).
    """
    tree, _, closures, w = unpack(context, REAL_CONTEXT)
    (dry,) = unpack(w.context[DRY], DRY_CONTEXT)
    y, m = w.y, 0
    v = y[tree.nq : tree.nq + tree.nv]
    for s in range(dry.count):
        if is_held(dry, y, v, s):
            for k in range(dry.size[s]):
                i = tree.q_of_v[dry.first[s] + k]
                dry.unknown_slot[m], dry.unknown_rate[m], dry.p[m] = s, k, y[i] if i >= 0 else 0.0
                m += 1
    for _ in range(ROUNDS):
        call_entry(dry.base[BASE_PROJECT], w.context[0])
        turned, moved = _keep_in_place(tree, dry, y, m)
        fastest = 1.0
        for i in range(tree.nv):
            fastest = max(fastest, abs(v[i]))
        if turned <= closures.tolerance and moved <= closures.tolerance * fastest:
            break
