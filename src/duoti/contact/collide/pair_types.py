"""The kernels of a pair of shapes as entries: compiled when a model first has such a pair, and called by address.

An entry is called once for all pairs of its kind (`ContactGroup`). The functions below make
entries from the law or the manifold of a pair (`model.pairs.base`).

The biases du/dt at zero accelerations come from a complex step along the motion of the two shapes: poses and velocities
are moved on by i EPS, the imaginary part of u over EPS is its derivative to round-off. So curved surfaces, on which
the point of contact wanders, need no formulas of their own.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

from duoti.contact.collide.arrays import CONTACT_CONTEXT, CONTACT_GROUP
from duoti.contact.collide.geometry import distance_at_least, put_point, still_apart, tangents
from duoti.contact.creep import put_creep
from duoti.kernel import entry, helper, unpack
from duoti.model.contacts.rolling_contact import SHEAR_MODULUS
from duoti.model.pairs import ShapePair
from duoti.model.pairs.base import FAR, NUMBERS
from duoti.model.pairs.convex import convex_convex
from duoti.model.pairs.facing import corner
from duoti.model.pairs.patch import WIDTH, SoftPair, stash
from duoti.model.pairs.triangles import MARGIN, convex_triangles
from duoti.model.pairs.two_meshes import triangles_triangles
from duoti.spatial.algebra import add, cross, dot, get3, get_pose, scale, sub

EPS = 1e-60


@helper
def get4(a, i):
    """Four numbers of a row."""
    return a[i, 0], a[i, 1], a[i, 2], a[i, 3]


@helper
def first_and_last(contacts, group):
    """Pairs of a group that are looked at: from the first, up to the last one, which is not."""
    only, first, last = group.only[0], contacts.kind[group.kind], contacts.kind[group.kind + 1]
    return (first, last) if only < 0 else (max(first, only), min(last, only + 1))


@helper
def moving(cw, s):
    """Pose of a shape, a complex step further; likewise angular velocity and velocity of its origin."""
    (R, p) = get_pose(cw.X_WS, s)
    omega, v = get3(cw.V_WS, s, 0), get3(cw.V_WS, s, 3)
    alpha, a = get3(cw.A_WS, s, 0), get3(cw.A_WS, s, 3)
    step = EPS * 1j
    x = cross(omega, (R[0], R[3], R[6]))
    y = cross(omega, (R[1], R[4], R[7]))
    z = cross(omega, (R[2], R[5], R[8]))
    R_then = (
        R[0] + step * x[0], R[1] + step * y[0], R[2] + step * z[0],
        R[3] + step * x[1], R[4] + step * y[1], R[5] + step * z[1],
        R[6] + step * x[2], R[7] + step * y[2], R[8] + step * z[2],
    )  # fmt: skip
    return (R_then, add(p, scale(step, v))), add(omega, scale(step, alpha)), add(v, scale(step, a))


@helper
def put_bias(cw, s, a, b, p_a, p_b, n):
    """Derivatives of u and of the turning, in the frame of the point, which turns with the normal."""
    X_A, omega_a, v_a = moving(cw, a)
    X_B, omega_b, v_b = moving(cw, b)
    p = scale(0.5, add(p_a, p_b))
    u = sub(add(v_b, cross(omega_b, sub(p, X_B[1]))), add(v_a, cross(omega_a, sub(p, X_A[1]))))
    t1, t2 = tangents(n)
    turning = sub(omega_b, omega_a)
    cw.bias[s, 0], cw.bias[s, 1], cw.bias[s, 2] = dot(n, u).imag / EPS, dot(t1, u).imag / EPS, dot(t2, u).imag / EPS
    cw.bias[s, 3], cw.bias[s, 4] = dot(n, turning).imag / EPS, dot(t1, turning).imag / EPS
    cw.bias[s, 5] = dot(t2, turning).imag / EPS


# ------------------------------------------------------------- a law with the numbers of its two shapes: `law_at`


def _plain(law: Any) -> Any:
    """The law of a pair whose shapes are described by their sizes."""

    def law_at(contacts, X_A, X_B, a, b, k):
        return law(X_A, X_B, get4(contacts.size, a), get4(contacts.size, b), k)

    return helper(law_at)


def _by_profiles(law: Any) -> Any:
    """The law of a pair whose shapes have profiles."""

    def law_at(contacts, X_A, X_B, a, b, k):
        return law(contacts.profiles, X_A, X_B, get4(contacts.size, a), get4(contacts.size, b), k)

    return helper(law_at)


def _points(name: str, law_at: Any, distance: int) -> Any:
    """An entry that finds the points of pairs with this law."""

    def points(context):
        (group,) = unpack(context, CONTACT_GROUP)
        contacts, cw = unpack(group.system, CONTACT_CONTEXT)
        begin, end = first_and_last(contacts, group)
        for pair in range(begin, end):
            if still_apart(contacts, cw, group, pair):
                continue
            first, last, nearest = contacts.first[pair], contacts.first[pair + 1], distance_at_least(contacts, cw, pair)
            if nearest > cw.margin[0]:
                cw.slack[pair] = nearest
                for s in range(first, last):
                    cw.gap[s] = FAR
                continue
            nearest = FAR
            a, b = contacts.pair_shapes[pair, 0], contacts.pair_shapes[pair, 1]
            X_A, X_B = get_pose(cw.X_WS, a), get_pose(cw.X_WS, b)
            for s in range(first, last):
                gap, p_a, p_b, n = law_at(contacts, X_A, X_B, a, b, s - first)
                put_point(cw, s, gap, p_a, p_b, n)
                nearest = min(nearest, gap)
            cw.slack[pair] = nearest if distance == 1 and nearest < FAR else 0.0

    return entry(points, name)


def _biases(name: str, law_at: Any) -> Any:
    """An entry that writes the biases of their near points."""

    def biases(context):
        (group,) = unpack(context, CONTACT_GROUP)
        contacts, cw = unpack(group.system, CONTACT_CONTEXT)
        for i in range(cw.counts[0].near):
            s = cw.near[i]
            pair = contacts.slot_pair[s]
            if contacts.pair_kind[pair] == group.kind:
                a, b = contacts.pair_shapes[pair, 0], contacts.pair_shapes[pair, 1]
                (X_A, _, _), (X_B, _, _) = moving(cw, a), moving(cw, b)
                _, p_a, p_b, n = law_at(contacts, X_A, X_B, a, b, s - contacts.first[pair])
                put_bias(cw, s, a, b, p_a, p_b, n)

    return entry(biases, name)


@helper
def _get(out, k, i):
    return out[NUMBERS * k + i], out[NUMBERS * k + i + 1], out[NUMBERS * k + i + 2]


def _of_sizes(manifold: Any) -> Any:
    """Points of two shapes that their sizes describe."""

    def manifold_at(contacts, cw, X_A, X_B, a, b, out):
        manifold(X_A, X_B, get4(contacts.size, a), get4(contacts.size, b), out)

    return helper(manifold_at)


def _of_hulls(manifold: Any) -> Any:
    """Points of two shapes, one of which may be the hull of a mesh."""

    def manifold_at(contacts, cw, X_A, X_B, a, b, out):
        return manifold(contacts.hulls, X_A, X_B, get4(contacts.size, a), get4(contacts.size, b), out)

    return helper(manifold_at)


def _of_surfaces(manifold: Any) -> Any:
    """Points of a shape on the triangles of a non-convex mesh."""

    def manifold_at(contacts, cw, X_A, X_B, a, b, out):
        out[MARGIN] = cw.margin[0]
        size_a, size_b = get4(contacts.size, a), get4(contacts.size, b)
        return manifold(contacts.hulls, contacts.surfaces, X_A, X_B, size_a, size_b, out)

    return helper(manifold_at)


def _manifold_points(name: str, manifold_at: Any, distance: int) -> Any:
    """An entry that finds all points of pairs at once."""

    def points(context):
        (group,) = unpack(context, CONTACT_GROUP)
        contacts, cw = unpack(group.system, CONTACT_CONTEXT)
        out = cw.out
        begin, end = first_and_last(contacts, group)
        for pair in range(begin, end):
            if still_apart(contacts, cw, group, pair):
                continue
            first, last, nearest = contacts.first[pair], contacts.first[pair + 1], distance_at_least(contacts, cw, pair)
            if nearest > cw.margin[0]:
                cw.slack[pair] = nearest
                for s in range(first, last):
                    cw.gap[s] = FAR
                continue
            nearest = FAR
            a, b = contacts.pair_shapes[pair, 0], contacts.pair_shapes[pair, 1]
            manifold_at(contacts, cw, get_pose(cw.X_WS, a), get_pose(cw.X_WS, b), a, b, out)
            for s in range(first, last):
                k = s - first
                put_point(cw, s, out[NUMBERS * k], _get(out, k, 1), _get(out, k, 4), _get(out, k, 7))
                nearest = min(nearest, out[NUMBERS * k])
            cw.slack[pair] = nearest if distance == 1 and nearest < FAR else 0.0

    return entry(points, name)


def _manifold_biases(name: str, manifold_at: Any) -> Any:
    """An entry that writes the biases of their near points."""

    def biases(context):
        (group,) = unpack(context, CONTACT_GROUP)
        contacts, cw = unpack(group.system, CONTACT_CONTEXT)
        out, done = cw.complex_out, -1
        for i in range(cw.counts[0].near):
            s = cw.near[i]
            pair = contacts.slot_pair[s]
            if contacts.pair_kind[pair] == group.kind:
                a, b = contacts.pair_shapes[pair, 0], contacts.pair_shapes[pair, 1]
                if pair != done:
                    (X_A, _, _), (X_B, _, _) = moving(cw, a), moving(cw, b)
                    manifold_at(contacts, cw, X_A, X_B, a, b, out)
                    done = pair
                k = s - contacts.first[pair]
                put_bias(cw, s, a, b, _get(out, k, 1), _get(out, k, 4), _get(out, k, 7))

    return entry(biases, name)


def _soft_points(name: str, manifold_at: Any) -> Any:
    """Points of a compliant contact; their shares stand in cw.creep[s, 0]."""

    def points(context):
        (group,) = unpack(context, CONTACT_GROUP)
        contacts, cw = unpack(group.system, CONTACT_CONTEXT)
        out, at = cw.out, stash(contacts.hulls)
        begin, end = first_and_last(contacts, group)
        for pair in range(begin, end):
            first, last = contacts.first[pair], contacts.first[pair + 1]
            found = 0
            a, b = contacts.pair_shapes[pair, 0], contacts.pair_shapes[pair, 1]
            if distance_at_least(contacts, cw, pair) <= cw.margin[0]:
                found = manifold_at(contacts, cw, get_pose(cw.X_WS, a), get_pose(cw.X_WS, b), a, b, out)
            for s in range(first, last):
                here = at + WIDTH * (s - first)
                cw.gap[s], cw.creep[s, 0] = FAR, 0.0
                if s - first < found:
                    p_a, p_b, n = corner(out, here + 1), corner(out, here + 4), corner(out, here + 7)
                    put_point(cw, s, out[here], p_a, p_b, n)
                    cw.creep[s, 0] = out[here + NUMBERS]

    return entry(points, name)


def _creeps(name: str, curvatures: Any) -> Any:
    """cw.creep of all points of rolling contact: creep force at the normal force cw.creep[s, 0], and its slope."""

    def creeps(context):
        (group,) = unpack(context, CONTACT_GROUP)
        contacts, cw = unpack(group.system, CONTACT_CONTEXT)
        for i in range(cw.counts[0].near):
            s = cw.near[i]
            pair = contacts.slot_pair[s]
            if contacts.pair_kind[pair] == group.kind and contacts.creep[pair, SHEAR_MODULUS] > 0.0:
                a, b = contacts.pair_shapes[pair, 0], contacts.pair_shapes[pair, 1]
                X_A, X_B, p = get_pose(cw.X_WS, a), get_pose(cw.X_WS, b), get3(cw.point, s, 0)
                size_a, size_b = get4(contacts.size, a), get4(contacts.size, b)
                along, across = curvatures(contacts.profiles, X_A, X_B, size_a, size_b, p)
                put_creep(contacts.creep, pair, cw, s, a, b, along, across)

    return entry(creeps, name)


class PairEntries(NamedTuple):
    """Entries of a pair."""

    points: Any
    biases: Any
    """None where there are none: `ShapePair.rates` is False."""
    creeps: Any = None
    """Creep forces of rolling contact; None where the pair does not know the curvatures that they need."""


def pair_entries(pair: type[ShapePair]) -> PairEntries:
    """Entries of a pair of shapes; those of all pairs with the general algorithm are the same."""
    if issubclass(pair, SoftPair):
        return _of_soft(pair)
    if pair.surfaces:
        return _of_triangles() if pair.manifold is convex_triangles else _of_meshes()
    return _of_convex() if pair.manifold is convex_convex else _of_pair(pair)


@cache
def _of_triangles() -> PairEntries:
    return PairEntries(_manifold_points(f"{__name__}.triangle_points", _of_surfaces(convex_triangles), 0), None)


@cache
def _of_meshes() -> PairEntries:
    return PairEntries(_manifold_points(f"{__name__}.mesh_points", _of_surfaces(triangles_triangles), 0), None)


@cache
def _of_soft(pair: type[SoftPair]) -> PairEntries:
    manifold_at = _of_surfaces(pair.manifold) if pair.surfaces else _of_hulls(pair.manifold)
    return PairEntries(_soft_points(f"{__name__}.{pair.kind}_points", manifold_at), None)


@cache
def _of_convex() -> PairEntries:
    name, manifold_at = f"{__name__}.convex", _of_hulls(convex_convex)
    return PairEntries(
        _manifold_points(f"{name}_points", manifold_at, 1), _manifold_biases(f"{name}_biases", manifold_at)
    )


@cache
def _of_pair(pair: type[ShapePair]) -> PairEntries:
    name = f"{pair.__module__}.{pair.__qualname__}"
    points, biases = f"{name}.{pair.kind}_points", f"{name}.{pair.kind}_biases"
    if pair.manifold is not None:
        manifold_at = _of_hulls(pair.manifold) if pair.hulls else _of_sizes(pair.manifold)
        return PairEntries(
            _manifold_points(points, manifold_at, int(pair.distance)),
            None if pair.hulls else _manifold_biases(biases, manifold_at),
        )
    law_at = _by_profiles(pair.law) if pair.profiles else _plain(pair.law)
    return PairEntries(
        _points(points, law_at, int(pair.distance)),
        _biases(biases, law_at),
        pair.curvatures and _creeps(f"{name}.{pair.kind}_creeps", pair.curvatures),
    )
