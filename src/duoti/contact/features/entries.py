"""Entries of feature pairs: points and biases of their slots, as those of `contact.collide.pair_types`.

Which slots are closed is known to these: a closed one stays what it is beyond its ends, where an open one is none. The
last slot of a pair is no point, but the distance of the shapes while nothing is closed: it stays negative when they
have met, however long a step was, and so the instant is found.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from duoti.contact.collide.arrays import CONTACT_CONTEXT
from duoti.contact.collide.geometry import distance_at_least, put_point
from duoti.contact.collide.pair_types import PairEntries, get4, moving, put_bias
from duoti.contact.features.base import ON, FeaturePair
from duoti.kernel import ContextType, entry, unpack
from duoti.model.pairs.base import FAR
from duoti.model.pairs.convex import nearest_of_two
from duoti.model.pairs.hull_kernels import relative
from duoti.spatial.algebra import get_pose

NEAR = 0.5  # of the size of a pair: further apart, nothing is looked at


class FeatureGroup(NamedTuple):
    """The context of an entry that is called for the feature pairs of one kind."""

    system: int  # address of the context (contacts, work)
    first: int
    last: int
    closed: Any  # [slots] not 0 for points that are closed: ContactStates.state of a run
    hold: Any  # [slots] m by which a point is inside its ends, and those of tolerance


FEATURE_GROUP = ContextType(lambda: (FeatureGroup(0, 0, 0, np.zeros(1, np.int64), np.zeros(1)),))
FEATURE_WORDS = 32


def _points(name: str, law: Any) -> Any:
    """An entry that finds the points of pairs with this law."""

    def points(context):
        (group,) = unpack(context, FEATURE_GROUP)
        contacts, cw = unpack(group.system, CONTACT_CONTEXT)
        for pair in range(group.first, group.last):
            first, last = contacts.first[pair], contacts.first[pair + 1]
            a, b = contacts.pair_shapes[pair, 0], contacts.pair_shapes[pair, 1]
            size = contacts.reach[a] + contacts.reach[b]
            far = distance_at_least(contacts, cw, pair) > min(NEAR * size, cw.margin[0])
            X_A, X_B = get_pose(cw.X_WS, a), get_pose(cw.X_WS, b)
            s, touching = last - 1, False
            for i in range(first, s):
                touching = touching or group.closed[i] != 0
            cw.gap[s] = FAR
            if not (touching or far):  # the shapes as a whole: a gap that stays negative when they have met
                R, p = relative(X_A, X_B)
                size_a, size_b = get4(contacts.size, a), get4(contacts.size, b)
                cw.gap[s] = nearest_of_two(contacts.hulls, R, p, size_a, size_b, size, cw.out)[0]
            for s in range(first, last - 1):
                group.hold[s] = -size
                cw.gap[s] = FAR
                if far and group.closed[s] == 0:
                    continue
                size_a, size_b = get4(contacts.size, a), get4(contacts.size, b)
                gap, p_a, p_b, n, hold = law(X_A, X_B, size_a, size_b, s - first)
                group.hold[s] = hold + ON * size
                if group.closed[s] != 0 or hold >= -0.5 * ON * size:
                    put_point(cw, s, gap, p_a, p_b, n)

    return entry(points, name)


def _biases(name: str, law: Any) -> Any:
    """An entry that writes the biases of their near points."""

    def biases(context):
        (group,) = unpack(context, FEATURE_GROUP)
        contacts, cw = unpack(group.system, CONTACT_CONTEXT)
        for i in range(cw.counts[0].near):
            s = cw.near[i]
            pair = contacts.slot_pair[s]
            if group.first <= pair < group.last:
                a, b = contacts.pair_shapes[pair, 0], contacts.pair_shapes[pair, 1]
                (X_A, _, _), (X_B, _, _) = moving(cw, a), moving(cw, b)
                size_a, size_b = get4(contacts.size, a), get4(contacts.size, b)
                _, p_a, p_b, n, _ = law(X_A, X_B, size_a, size_b, s - contacts.first[pair])
                put_bias(cw, s, a, b, p_a, p_b, n)

    return entry(biases, name)


@cache
def feature_entries(pair: type[FeaturePair]) -> PairEntries:
    """Entries of a kind of feature pairs."""
    name = f"{pair.__module__}.{pair.__qualname__}"
    return PairEntries(
        _points(f"{name}.{pair.kind}_points", pair.law),
        _biases(f"{name}.{pair.kind}_biases", pair.law),
    )
