"""Bodies that overlap at the start of a located run, and touch with features, moved apart.

Features say little about shapes that are deep in each other: a corner is then beside another face than the one through
which it came. So the shapes as a whole are moved apart, along their common normals:

    least dq^T M dq  with  gap + G dq >= 0  at all their points, where gaps are negative                         (1)

as time stepping pushes apart what overlaps, again and again, since normals turn meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from duoti.contact.features import FeaturePair, located
from duoti.contact.lcp import solve_lcp
from duoti.contact.records import ContactError
from duoti.contact.workspace import ContactPoint
from duoti.system.arrays import Reals

if TYPE_CHECKING:
    from duoti.contact.engine_base import EngineBase

ROUNDS = 50
APART = 1e-11  # m by which points may overlap nevertheless: those that touch are nearer than 1e-10 m


def part_features(engine: EngineBase, t: float, y: Reals) -> None:
    """Change the positions in y until no two shapes that touch with features overlap; raise ContactError if they do."""
    of = engine.whole.of
    pairs = [
        pair
        for k, kind in enumerate(of.kinds) if issubclass(located(kind), FeaturePair)
        for pair in range(int(of.contacts.kind[k]), int(of.contacts.kind[k + 1]))
    ]  # fmt: skip
    deep: list[ContactPoint] = []
    for _ in range(ROUNDS if pairs else 0):
        q, v = y[: engine.system.nq], np.zeros(engine.system.nv)
        near = [p for p in engine.whole.points(q, v, np.inf) if p.pair in pairs]
        deep = [p for p in near if p.gap < -APART]
        if not deep:
            return
        most = -min(p.gap for p in deep)
        near = [p for p in near if p.gap <= most]
        _, inverse, _ = engine.free(t, y)
        G, gaps = np.array([p.G[0] for p in near]), np.array([p.gap for p in near])
        found = solve_lcp(G @ inverse @ G.T, gaps)
        if not found.ok:
            break
        engine.move(t, y, inverse @ G.T @ found.z)
    if deep:
        p = min(deep, key=lambda each: each.gap)
        a, b = p.bodies
        raise ContactError(
            f'contact "{p.name}": "{a}" and "{b}" overlap by {-p.gap:.3g} m at the start and could not be moved apart; '
            "place them so that they do not overlap (dt.check tells)"
        )
