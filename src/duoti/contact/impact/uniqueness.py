"""Which impulses of an impact are unique: rigid bodies on more points than they need share them in many ways.

Impulses that change no rate, F x = 0, may be added to those that were found, as long as all stay in their cones. That
of a point is unique if it has no part in any such x, and the sum over a pair of bodies if all parts of the pair cancel.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from duoti.system.arrays import Reals

NULL_SINGULAR_VALUE = 1e-9  # singular value of columns of unit length that change no rate
NO_IMPULSE = 1e-12  # part of the greatest normal impulse: round-off of a point that is left
FRACTION = 1e-6  # part of a unit vector that is none


def unique_impulses(
    J: Reals, inverse: Reals, p: Reals, slides: Sequence[bool], axes: Sequence[Reals], pairs: Sequence[int]
) -> list[tuple[bool, bool]]:
    """For each point: whether its impulse is unique, and whether the sum over the points of its pair is.

    J: rows of all points, normal first; p: their impulses; slides: without friction, or with one whose direction slip
    gives; axes: those of each point's rows, in the world.
    """
    count, size = len(pairs), len(p) // max(len(pairs), 1)
    columns, owner = list[Reals](), list[int]()
    most = float(np.max(p[::size], initial=0.0)) if count else 0.0
    for i in range(count):
        impulse = p[size * i : size * (i + 1)]
        if impulse[0] <= NO_IMPULSE * most:
            continue
        ways = impulse[None] / impulse[0] if slides[i] else np.eye(size)
        columns += list(ways)
        owner += [i] * len(ways)
    if not owner:
        return [(True, True)] * count
    F = np.array([inverse @ (J[size * i : size * (i + 1)].T @ way) for i, way in zip(owner, columns, strict=True)]).T
    lengths = np.linalg.norm(F, axis=0)
    lengths[lengths == 0.0] = 1.0
    _, values, rows = np.linalg.svd(F / lengths)
    free = rows[np.count_nonzero(values > NULL_SINGULAR_VALUE) :]  # [ways to share, columns], columns of unit length
    points, sums = np.zeros(count), {pair: np.zeros((len(free), 3)) for pair in pairs}
    for k, (i, way) in enumerate(zip(owner, columns, strict=True)):
        points[i] = max(points[i], float(np.max(np.abs(free[:, k]), initial=0.0)))
        sums[pairs[i]] += np.outer(free[:, k] * np.min(lengths) / lengths[k], way @ axes[i])
    whole = {pair: float(np.max(np.abs(each), initial=0.0)) <= FRACTION for pair, each in sums.items()}
    return [(bool(points[i] <= FRACTION), whole[pairs[i]]) for i in range(count)]
