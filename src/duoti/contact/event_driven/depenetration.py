"""Bodies that overlap at the start of an event-driven run, and touch with features, moved apart.

Features say little about shapes that are deep in each other: a corner is then beside another face than the one through
which it came. So the shapes as a whole are moved apart, along their common normals and by the shortest way x:

    least x^T M x  with  gap + G (x_new - x) >= 0  at all their points                                          (1)

again and again, since normals turn meanwhile (Gauss-Newton): at the end those that overlapped touch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from duoti.contact.event_driven.records import ContactError
from duoti.contact.features import FeaturePair, event_driven_kind
from duoti.contact.solve.lcp import solve_lcp
from duoti.contact.workspace import ContactPoint
from duoti.model.contacts.element import LEAVE_OUT, joint_holding
from duoti.system.arrays import Reals

if TYPE_CHECKING:
    from duoti.contact.event_driven.engine import EngineBase

ROUNDS = 50
FURTHEST = 2.0  # times the gaps that are to be closed: more than that, points are not moved in a round
AROUND = 10.0  # times the overlap: points that are further apart do not count
APART = 1e-11  # m: no overlap
NEARLY = 1e-8  # m: overlap that may be left of pairs whose sides change to and fro, less than what features allow


def part_features(engine: EngineBase, t: float, y: Reals) -> None:
    """Change the positions in y until no two shapes that touch with features overlap; raise ContactError if they do."""
    of = engine.whole.of
    pairs = [
        pair
        for k, kind in enumerate(of.kinds) if issubclass(event_driven_kind(kind), FeaturePair)
        for pair in range(int(of.contacts.kind[k]), int(of.contacts.kind[k + 1]))
    ]  # fmt: skip
    deep: list[ContactPoint] = []
    x, last = np.zeros(engine.system.nv), np.inf
    for _ in range(ROUNDS if pairs else 0):
        near = engine.whole.points(y[: engine.system.nq], np.zeros_like(x), -AROUND * engine.given)
        near = [p for p in near if p.pair in pairs]
        deep = [p for p in near if p.gap < -APART]
        _, inverse, _ = engine.free(t, y)
        G, gaps = np.array([p.G[0] for p in near]), np.array([p.gap for p in near])
        if not near:
            break
        deepest = -float(np.min(gaps))
        if deep and deepest > 0.5 * last:  # they are deep by another side now: the way begins here
            x[:] = 0.0
        last = deepest
        found = solve_lcp(G @ inverse @ G.T, gaps - G @ x)
        if not found.ok:
            break
        step = inverse @ G.T @ found.z - x
        moves = float(np.max(np.abs(G @ step), initial=0.0))
        if moves <= APART:
            break
        step *= min(1.0, FURTHEST * max(float(np.max(np.abs(gaps[found.z > 0.0]), initial=0.0)), APART) / moves)
        engine.move(t, y, step)
        x += step
    deep = [p for p in deep if p.gap < -NEARLY]
    if deep:
        p = min(deep, key=lambda each: each.gap)
        a, b = p.bodies
        joint = joint_holding(engine.system.model, a, b)
        held = joint and f'joint "{joint}" holds them together: {LEAVE_OUT}'
        raise ContactError(
            f'contact "{p.name}": "{a}" and "{b}" overlap by {-p.gap:.3g} m at the start and could not be moved apart; '
            + (held or "place them so that they do not overlap (dt.check tells)")
        )
