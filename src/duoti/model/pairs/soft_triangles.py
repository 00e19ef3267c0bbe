"""A convex shape that presses on a non-convex mesh, in a compliant contact: points and their shares (`patch`).

Points with one normal (of the shape's face, or of triangles in a plane) are a patch: those that press, and are corners
of their convex hull seen along the normal, have the share of their turning angle, at most 1; the deepest one carries
what is missing. The geometry is found in real numbers. A complex step moves each point with its body and holds the
normal: the derivatives are those of shapes that are flat where they touch.
"""

from __future__ import annotations

import math

import numpy as np

from duoti.kernel import helper, part
from duoti.model.pairs.ball_on_triangles import ball_on_triangles
from duoti.model.pairs.base import NUMBERS
from duoti.model.pairs.facing import corner
from duoti.model.pairs.patch import GROUPS, POINTS, WIDTH, SoftPair, floor_of, put_soft, stash, turning_share
from duoti.model.pairs.supports import BALL, length_of, real3, real9
from duoti.model.pairs.triangles import MARGIN, near_points, stash_of_triangles
from duoti.spatial.algebra import add, cross, dot, mul, mulT, scale, sub

MOST = GROUPS // 2  # points that are taken, of all patches
ALIKE = 1.0 - 1e-8  # cosine of the angle between normals that are one
SAME_PLACE = 1e-6  # part of the size of the shape


@helper
def _moved(X, R, p, x):
    """Where a point x of the world goes when its body goes from the pose R, p to X."""
    return add(X[1], mul(X[0], mulT(R, sub(x, p))))


@part
def _next_corner(out, at, group, count, i, n):
    """The corner that follows point i on the convex hull of its group, counter-clockwise about n; i if it is alone."""
    x, best, found = corner(out, at + NUMBERS * i + 4), (0.0, 0.0, 0.0), i
    for j in range(count):
        if j == i or out[group + j] != out[group + i]:
            continue
        d = sub(corner(out, at + NUMBERS * j + 4), x)
        d = sub(d, scale(dot(d, n), n))
        side = dot(n, cross(best, d))
        if found == i or side < 0.0 or (side == 0.0 and dot(d, d) > dot(best, best)):
            best, found = d, j
    return found


@part
def _share(out, at, group, shares, count, first, n):
    """Shares of the points of the group of point `first`, which is the deepest of it."""
    start, far = first, -math.inf
    e = (1.0, 0.0, 0.0) if abs(n[0]) < 0.6 else (0.0, 1.0, 0.0)
    t = cross(n, e)
    for i in range(count):
        if out[group + i] == out[group + first]:
            out[shares + i] = 0.0
            along = dot(t, corner(out, at + NUMBERS * i + 4))
            if along > far:
                far, start = along, i
    here, before = start, start
    for _ in range(count + 1):  # around the hull, once to know what is before the start, which is on it
        following = _next_corner(out, at, group, count, here, n)
        if following == start:
            before = here
            break
        here = following
    here, covered = start, 0.0
    for _ in range(count):
        following = _next_corner(out, at, group, count, here, n)
        share = 1.0
        if following != before:  # at least three corners
            share = 0.0
            for side in range(1, 5, 3):  # of the shape, and of the mesh: the face itself turns most
                y = corner(out, at + NUMBERS * here + side)
                x, z = corner(out, at + NUMBERS * before + side), corner(out, at + NUMBERS * following + side)
                share = max(share, min(turning_share(x, y, z), 1.0))
        out[shares + here] = share
        covered += share * out[at + NUMBERS * here] ** 2
        before, here = here, following
        if here == start:
            break
    x = covered / out[at + NUMBERS * first] ** 2
    F, slope = floor_of(x)
    for i in range(count):
        if out[group + i] == out[group + first]:
            out[shares + i] *= slope
    out[shares + first] += F - x * slope


@part
def _patches(out, at, group, shares, count, size):
    """Groups and shares of the points that press; they stand in front then. Returns how many these are."""
    kept = 0
    for i in range(count):  # the deepest is first, see `triangles.thin_out`
        new = out[at + NUMBERS * i] < 0.0
        for j in range(kept):
            d = sub(corner(out, at + NUMBERS * i + 4), corner(out, at + NUMBERS * j + 4))
            m = dot(corner(out, at + NUMBERS * i + 7), corner(out, at + NUMBERS * j + 7))
            new = new and (dot(d, d) > (SAME_PLACE * size) ** 2 or m < ALIKE)
        if not new:
            continue
        for k in range(NUMBERS):
            out[at + NUMBERS * kept + k] = out[at + NUMBERS * i + k]
        out[group + kept] = 1.0 * kept
        for j in range(kept):
            if dot(corner(out, at + NUMBERS * kept + 7), corner(out, at + NUMBERS * j + 7)) >= ALIKE:
                out[group + kept] = out[group + j]
                break
        kept += 1
    for first in range(kept):
        if out[group + first] != 1.0 * first:
            continue
        deepest = first
        for i in range(kept):
            if out[group + i] == out[group + first] and out[at + NUMBERS * i] < out[at + NUMBERS * deepest]:
                deepest = i
        _share(out, at, group, shares, kept, deepest, corner(out, at + NUMBERS * first + 7))
    return kept


@part
def _ball(hulls, surfaces, X_A, X_B, s_a, s_b, out):
    """The point of a ball; see `ball_on_triangles`. Its depth changes by `share` times what the bodies approach."""
    real = out.view(np.float64)
    R_B, p_A = real9(X_B[0]), real3(X_A[1])
    centre = mulT(R_B, sub(p_A, real3(X_B[1])))
    D, share, m = ball_on_triangles(hulls, surfaces, int(s_b[0]), centre, s_a[0], real)
    if not D > 0.0:
        return 0
    n = scale(-1.0, mul(R_B, m))  # from the ball to the mesh
    x = add(p_A, scale(s_a[0], n))
    y = add(p_A, scale(s_a[0] - D, n))
    p_a, p_b = _moved(X_A, real9(X_A[0]), p_A, x), _moved(X_B, R_B, real3(X_B[1]), y)
    gap = -D + share * dot(n, sub(sub(p_b, y), sub(p_a, x)))
    put_soft(out, stash(hulls), 0, gap, p_a, p_b, n, share + 0.0 * gap)
    out[stash(hulls) + NUMBERS + 1] = 1.0 / share
    return 1


@part
def soft_triangles(hulls, surfaces, X_A, X_B, s_a, s_b, out):
    """Write the points of a convex shape and a mesh from `stash` on; returns how many there are."""
    real = out.view(np.float64)
    R_A, p_A, R_B, p_B = real9(X_A[0]), real3(X_A[1]), real9(X_B[0]), real3(X_B[1])
    real[MARGIN] = out[MARGIN].real
    if s_a[3] == BALL and _ball(hulls, surfaces, X_A, X_B, s_a, s_b, out) > 0:
        return 1
    count = near_points(hulls, surfaces, (R_A, p_A), (R_B, p_B), s_a, s_b, MOST, 0, real)
    at = stash_of_triangles(hulls)
    group = stash(hulls) + WIDTH * POINTS
    pressing = _patches(real, at, group, group + MOST, count, length_of(hulls, s_a))
    if pressing == 0 and count > 0:
        pressing, real[group + MOST] = 1, 1.0
    place = stash(hulls)
    for k in range(pressing):
        here = at + NUMBERS * k
        x, y = add(p_A, mul(R_A, corner(real, here + 1))), add(p_A, mul(R_A, corner(real, here + 4)))
        n = mul(R_A, corner(real, here + 7))
        p_a, p_b = _moved(X_A, R_A, p_A, x), _moved(X_B, R_B, p_B, y)
        touches = max(real[here], 0.0) if s_a[3] == BALL else real[here]  # nothing of a ball is below the mesh here
        gap = touches + dot(n, sub(sub(p_b, y), sub(p_a, x)))
        put_soft(out, place, k, gap, p_a, p_b, n, real[group + MOST + k])
    return pressing


class SoftTriangles(SoftPair):
    """A convex shape and a non-convex mesh."""

    kind, first, second = "soft_triangles", "convex", "triangles"
    hulls, surfaces = ("mesh", "cone"), True
    manifold = staticmethod(soft_triangles)
