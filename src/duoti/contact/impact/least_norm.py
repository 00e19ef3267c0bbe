"""Impulses that are not unique, shared out: of all that leave the same rates, those of least norm.

Rigid bodies that meet at more points than they need (a box that falls flat) may share an impulse in many ways: W x = 0
for many x. A solver takes one that depends on the order of the points. Here friction is shared in proportion to the
normal impulses, all within their cones, as forces of contacts at rest are (`contact.event_driven.load_sharing`).
"""

from __future__ import annotations

import numpy as np

from duoti.contact.solve.lcp import Reals

NULL_DIAGONAL = 1e-12  # of W with a unit diagonal: no change of rates
SAME = 1e-10  # part of the greatest change of rates in the impact: none
STICKS = 1e-8  # part of the greatest speed before or after it: no slip
AT_EDGE = 1e-9  # part of the bound by which friction that slides may be less than it
EDGE = 1e-12  # part of the bound of friction: at the edge of the cone


def share_out(W: Reals, p: Reals, before: Reals, mu: Reals, dimension: int) -> Reals:
    """Impulses that leave the rates that p leaves; before: velocities before the impact."""
    for weighed in (False, True) if dimension > 1 else (False,):
        p = _least(W, p, before, mu, dimension, weighed)
    return p


def sliding(p: Reals, u: Reals, mu: float, speed: float) -> bool:
    """Whether the impulse of a point has one direction only: without friction, or with all that slip has left to it."""
    slips = float(np.linalg.norm(u[1:])) > STICKS * speed
    return mu == 0.0 or (slips and float(np.linalg.norm(p[1:])) >= (1.0 - AT_EDGE) * mu * float(p[0]))


def _least(W: Reals, p: Reals, before: Reals, mu: Reals, size: int, weighed: bool) -> Reals:
    pressed = [c for c in range(len(mu)) if p[size * c] > 0.0]
    diagonal = _not_zero(np.sqrt(np.maximum(np.diag(W), 0.0)))
    u = W @ p + before
    speed = max(float(np.max(np.abs(each), initial=0.0)) for each in (u, before))
    weight = np.ones(len(p))
    for c in pressed if weighed else ():
        weight[size * c + 1 : size * (c + 1)] = np.sqrt(np.mean(p[[size * i for i in pressed]]) / p[size * c])
    free = set(pressed)
    for _ in range(len(pressed) + 1):
        columns: list[Reals] = []
        for c in sorted(free):
            own = slice(size * c, size * (c + 1))
            unit = np.eye(len(p))[own]
            if size == 1 or sliding(p[own], u[own], float(mu[c]), speed):
                columns.append(unit.T @ (p[own] / p[size * c]))
            else:
                columns += list(unit)
        if not columns:
            break
        C = np.array(columns).T
        scaled = W @ C / diagonal[:, None]
        lengths = _not_zero(np.linalg.norm(scaled, axis=0))
        _, values, rows = np.linalg.svd(scaled / lengths)
        ways = C @ (rows[np.count_nonzero(values > NULL_DIAGONAL**0.5 * values[0]) :] / lengths).T
        if not ways.shape[1]:
            break
        y, *_ = np.linalg.lstsq(weight[:, None] * ways, -weight * p, rcond=1e-12)
        step = ways @ y
        if np.max(np.abs(W @ step)) > SAME * float(np.max(np.abs(W @ p))):
            break
        part, stopped = _farthest(p, step, mu, size, sorted(free))
        p = p + part * step
        if stopped < 0:
            break
        free.discard(stopped)
    return p


def _not_zero(lengths: Reals) -> Reals:
    """To divide by: what moves nothing at all (friction across a guide) has length zero, or round-off."""
    longest = float(np.max(lengths)) or 1.0
    return np.where(lengths > NULL_DIAGONAL * longest, lengths, longest)


def _farthest(p: Reals, step: Reals, mu: Reals, size: int, points: list[int]) -> tuple[float, int]:
    """The part of a step, at most 1, with which all stay in their cones; the point that stops it, or -1."""
    part, stopped = 1.0, -1
    for c in points:
        own = slice(size * c, size * (c + 1))
        here, more = p[own], step[own]
        if here[0] + part * more[0] < 0.0:
            part, stopped = here[0] / -more[0], c
        # |t + s dt| <= mu (n + s dn): a quadratic in s, not violated at s = 0
        bound, slope = mu[c] * here[0], mu[c] * more[0]
        a = float(more[1:] @ more[1:]) - slope * slope
        b, e = float(here[1:] @ more[1:]) - bound * slope, float(here[1:] @ here[1:]) - bound * bound
        outside = a * part * part + 2.0 * b * part + e
        if size > 1 and outside > EDGE * max(bound * bound, 1e-300):
            e = min(e, 0.0)
            root = max(b * b - a * e, 0.0) ** 0.5
            candidates = [(-b + root) / a, (-b - root) / a] if a != 0.0 else [-e / (2.0 * b) if b else 0.0]
            inside = [s for s in candidates if 0.0 <= s < part]
            part, stopped = min(inside, default=0.0), c
    return part, stopped
