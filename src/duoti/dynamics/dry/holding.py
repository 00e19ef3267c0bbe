"""Closed loops with joints that are held: projections close the loops with all others, and leave these in place."""

from __future__ import annotations

from duoti.dynamics.dry.rates import is_held
from duoti.elements.dry_memory import BASE_PROJECT, DRY, DRY_CONTEXT
from duoti.kernel import call_entry, entry, unpack
from duoti.system.context import REAL_CONTEXT


@entry
def dry_project_entry(context):
    """Entry PROJECT around that without dry laws: coordinates of joints that friction or stops hold do not change."""
    tree, _, _, w = unpack(context, REAL_CONTEXT)
    (dry,) = unpack(w.context[DRY], DRY_CONTEXT)
    nq = tree.nq
    v, n = w.y[nq : nq + tree.nv], 0
    for s in range(dry.count):
        if is_held(dry, w.y, v, s):
            for k in range(dry.size[s]):
                i = tree.q_of_v[dry.first[s] + k]
                dry.p[n] = w.y[i] if i >= 0 else 0.0
                n += 1
    call_entry(dry.base[BASE_PROJECT], w.context[0])
    n = 0
    for s in range(dry.count):
        if is_held(dry, w.y, v, s):
            for k in range(dry.size[s]):
                i = tree.q_of_v[dry.first[s] + k]
                if i >= 0:
                    w.y[i] = dry.p[n]
                v[dry.first[s] + k] = 0.0
                n += 1
