"""Rims on a half-space, for event-driven runs: a disc that slaps flat on it.

The lowest point of a rim jumps to the other side where the disc is flat. A run could not see this: the gap of the
highest point, 2 r |sin|, never passes zero. So the direction to the lowest point is remembered (`towards`, along the
axes x and y of the disc), and where the inclination passes through zero along it the four points stay on their sides:
gaps are smooth through this instant, and the other three close there. Beside zero, the lowest point runs around the rim
however fast it must, and nothing closes.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from duoti.contact.collide.arrays import CONTACT_CONTEXT
from duoti.contact.collide.geometry import put_point
from duoti.contact.collide.pair_types import PairEntries, get4, moving, put_bias
from duoti.kernel import ContextType, entry, helper, part, unpack
from duoti.model.pairs.base import ShapePair, axis_of, on_plane
from duoti.model.pairs.plane_pairs import down_of, rim_point, torus_point
from duoti.spatial.algebra import add, dot, get_pose, scale, sqrt, sub

THROUGH = 1e-6  # sine of the inclination across `towards` with which it passes through zero: errors of a run
FOLLOWED = 1e-6  # sine of the inclination from which on its direction is followed


class RimGroup(NamedTuple):
    """The context of an entry that is called for the pairs of one kind."""

    system: int  # address of the context (contacts, work)
    first: int
    last: int
    towards: Any  # [pairs, 2] direction of the side on which point 0 is, along x and y of the disc; 0: none yet
    seen: Any  # [pairs, 2] the part of the way down in the plane of the disc, likewise: its length is a sine


RIM_GROUP = ContextType(lambda: (RimGroup(0, 0, 0, np.zeros((1, 2)), np.zeros((1, 2))),))
RIM_WORDS = 32


class RimPair(ShapePair):
    """A shape with rims on a half-space; law(X_A, X_B, s_b, x, y, k) with the direction remembered."""


@helper
def _rim_from(X_A, R, centre, radius, x, y, k):
    down, square = down_of(X_A, R)
    e_x, e_y = axis_of(R, 0), axis_of(R, 1)
    d_x, d_y = dot(down, e_x).real, dot(down, e_y).real
    along, across = x * d_x + y * d_y, x * d_y - y * d_x
    if square.real <= FOLLOWED * FOLLOWED:
        down = add(scale(x, e_x), scale(y, e_y)) if x != 0.0 or y != 0.0 else e_x
    else:
        passed = along < 0.0 and abs(across) <= THROUGH
        down = scale((-1.0 if passed else 1.0) / sqrt(square), down)
    return rim_point(X_A, R, centre, radius, down, k)


@helper
def _plane_disc(X_A, X_B, s_b, x, y, k):
    return _rim_from(X_A, X_B[0], X_B[1], s_b[0], x, y, k)


@helper
def _plane_cylinder(X_A, X_B, s_b, x, y, k):
    R, p = X_B
    half = s_b[1] if k < 4 else -s_b[1]
    return _rim_from(X_A, R, add(p, scale(half, axis_of(R, 2))), s_b[0], x, y, k % 4)


class PlaneDiscRim(RimPair):
    """As `plane_disc` of `model.pairs.plane_pairs`."""

    kind, first, second, points = "plane_disc_rim", "plane", "disc", 4
    law = staticmethod(_plane_disc)


class PlaneCylinderRim(RimPair):
    """As `plane_cylinder` of `model.pairs.plane_pairs`."""

    kind, first, second, points = "plane_cylinder_rim", "plane", "cylinder", 8
    law = staticmethod(_plane_cylinder)


@helper
def _plane_cone(X_A, X_B, s_b, x, y, k):
    R, p = X_B
    if k == 4:
        return on_plane(X_A, add(p, scale(s_b[1], axis_of(R, 2))), 0.0)
    return _rim_from(X_A, R, sub(p, scale(s_b[2], axis_of(R, 2))), s_b[0], x, y, k)


class PlaneConeRim(RimPair):
    """As `plane_cone` of `model.pairs.plane_pairs`."""

    kind, first, second, points = "plane_cone_rim", "plane", "cone", 5
    law = staticmethod(_plane_cone)


@helper
def _plane_torus(X_A, X_B, s_b, x, y, k):
    return torus_point(X_A, _rim_from(X_A, X_B[0], X_B[1], s_b[0], x, y, k), s_b[1])


class PlaneTorusRim(RimPair):
    """As `plane_torus` of `model.pairs.plane_pairs`."""

    kind, first, second, points = "plane_torus_rim", "plane", "torus", 4
    law = staticmethod(_plane_torus)


@part
def follow_rims(towards, seen):
    """Let the directions that are remembered follow those of the state that was looked at last."""
    for pair in range(seen.shape[0]):
        x, y = seen[pair, 0], seen[pair, 1]
        size = (x * x + y * y) ** 0.5
        if size > FOLLOWED:
            t_x, t_y = towards[pair, 0], towards[pair, 1]
            passed = t_x * x + t_y * y < 0.0 and abs(t_x * y - t_y * x) <= THROUGH
            if not passed:
                towards[pair, 0], towards[pair, 1] = x / size, y / size


def _points(name: str, law: Any) -> Any:
    """An entry that finds the points of pairs with this law."""

    def points(context):
        (group,) = unpack(context, RIM_GROUP)
        contacts, cw = unpack(group.system, CONTACT_CONTEXT)
        for pair in range(group.first, group.last):
            a, b = contacts.pair_shapes[pair, 0], contacts.pair_shapes[pair, 1]
            X_A, X_B = get_pose(cw.X_WS, a), get_pose(cw.X_WS, b)
            down, _ = down_of(X_A, X_B[0])
            group.seen[pair, 0], group.seen[pair, 1] = dot(down, axis_of(X_B[0], 0)), dot(down, axis_of(X_B[0], 1))
            x, y, first = group.towards[pair, 0], group.towards[pair, 1], contacts.first[pair]
            for s in range(first, contacts.first[pair + 1]):
                gap, p_a, p_b, n = law(X_A, X_B, get4(contacts.size, b), x, y, s - first)
                put_point(cw, s, gap, p_a, p_b, n)

    return entry(points, name)


def _biases(name: str, law: Any) -> Any:
    """An entry that writes the biases of their near points."""

    def biases(context):
        (group,) = unpack(context, RIM_GROUP)
        contacts, cw = unpack(group.system, CONTACT_CONTEXT)
        for i in range(cw.counts[0].near):
            s = cw.near[i]
            pair = contacts.slot_pair[s]
            if group.first <= pair < group.last:
                a, b = contacts.pair_shapes[pair, 0], contacts.pair_shapes[pair, 1]
                (X_A, _, _), (X_B, _, _) = moving(cw, a), moving(cw, b)
                x, y = group.towards[pair, 0], group.towards[pair, 1]
                _, p_a, p_b, n = law(X_A, X_B, get4(contacts.size, b), x, y, s - contacts.first[pair])
                put_bias(cw, s, a, b, p_a, p_b, n)

    return entry(biases, name)


@cache
def rim_entries(pair: type[RimPair]) -> PairEntries:
    """Entries of a kind of pairs with rims."""
    name = f"{pair.__module__}.{pair.__qualname__}"
    return PairEntries(
        _points(f"{name}.{pair.kind}_points", pair.law),
        _biases(f"{name}.{pair.kind}_biases", pair.law),
    )
