"""A brick of 20 nodes (serendipity): an element that is not in the package, for `tests/flexible/test_own_elements.py`.

Nodes: the corners of hex8, then the middles of the edges, in the order of VTK and meshio.
"""

import itertools

import numpy as np

from duoti.flexible.elements.hex8 import CORNERS, HEX8
from duoti.flexible.elements.solid import Face, Rule, SolidElement

EDGES = ((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7))
NODES = np.vstack([CORNERS, [0.5 * (CORNERS[i] + CORNERS[j]) for i, j in EDGES]])


def serendipity(nodes):
    """Shape functions in any dimension: prod (1 + a x) (sum a x - d + 1) / 2^d at corners a, mid-edges likewise."""
    d = nodes.shape[1]
    corner = np.all(nodes != 0.0, axis=1)

    def shapes(points):
        N, dN = np.empty((len(points), len(nodes))), np.empty((len(points), len(nodes), d))
        for k, a in enumerate(nodes):
            f = np.where(a != 0.0, 1.0 + a * points, 1.0 - points**2)
            df = np.where(a != 0.0, a, -2.0 * points)
            others = np.stack([np.delete(f, i, axis=1).prod(axis=1) for i in range(d)], axis=1)
            N[:, k], dN[:, k] = f.prod(axis=1), df * others
            if corner[k]:
                s = points @ a - (d - 1)
                dN[:, k] = (dN[:, k] * s[:, None] + N[:, k, None] * a) / 2.0**d
                N[:, k] *= s / 2.0**d
            else:
                N[:, k] /= 2.0 ** (d - 1)
                dN[:, k] /= 2.0 ** (d - 1)
        return N, dN

    return shapes


def gauss(n):
    x, w = np.polynomial.legendre.leggauss(n)
    weights = [a * b * c for a, b, c in itertools.product(w, w, w)]
    return Rule(np.array(list(itertools.product(x, x, x))), np.array(weights))


def with_middles(corners):
    """The corners of a face, then the middles of its edges."""
    number = {frozenset(edge): 8 + k for k, edge in enumerate(EDGES)}
    following = (*corners[1:], corners[0])
    return (*corners, *(number[frozenset(edge)] for edge in zip(corners, following, strict=True)))


SQUARE = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [0, -1], [1, 0], [0, 1], [-1, 0]], dtype=float)

HEX20 = SolidElement(
    kind="hex20",
    corners=NODES,
    shapes=serendipity(NODES),
    stiffness_rule=gauss(3),
    mass_rule=gauss(4),
    faces=tuple(with_middles(face) for face in HEX8.faces),
    face=Face(
        4, serendipity(SQUARE), triangles=((0, 4, 7), (4, 1, 5), (5, 2, 6), (6, 3, 7), (4, 5, 7), (5, 6, 7))
    ),
    mirrored=(0, 3, 2, 1, 4, 7, 6, 5, 11, 10, 9, 8, 15, 14, 13, 12, 16, 19, 18, 17),
    meshio="hexahedron20",
    filling=(NODES[None] + 1.0).astype(np.int64),
)  # fmt: skip
