"""Hard problems of frictional contact on plain matrices: walls, arches, towers and heaps with great mass ratios."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np


def _rows(points, normals, a, b, centres) -> np.ndarray:
    """Rows (normal, two tangents) of points between the blocks a and b (-1: ground); six velocities of each block."""
    G = np.zeros((3 * len(points), 6 * len(centres)))
    for i, (x, n) in enumerate(zip(points, normals, strict=True)):
        t = np.cross(n, (1.0, 0.0, 0.0) if abs(n[0]) < 0.9 else (0.0, 1.0, 0.0))
        t /= np.linalg.norm(t)
        for k, direction in enumerate((n, t, np.cross(n, t))):
            for sign, block in ((-1.0, a[i]), (1.0, b[i])):
                if block >= 0:
                    G[3 * i + k, 6 * block : 6 * block + 3] += sign * direction
                    G[3 * i + k, 6 * block + 3 : 6 * block + 6] += sign * np.cross(x - centres[block], direction)
    return G


def wall(courses: int, columns: int, top: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """G and masses of bricks of 2 m, 1 m, 1 m in bond; the last one is so heavy. Four points for each pair."""
    bond = 1 if columns > 1 else 0
    bricks = [(row, 2.0 * k + bond * (row % 2)) for row in range(courses) for k in range(columns - bond * (row % 2))]
    centres = np.array([(x, 0.0, row + 0.5) for row, x in bricks])
    points, a, b = [], [], []
    for j, (row, x) in enumerate(bricks):
        below = [(i, other) for i, (under, other) in enumerate(bricks) if under == row - 1 and abs(other - x) < 2.0]
        if row == 0:
            below = [(-1, x)]
        for i, other in below:
            low, high = max(x, other) - 1.0, min(x, other) + 1.0
            for px in (low, high):
                for py in (-0.5, 0.5):
                    points.append((px, py, float(row)))
                    a.append(i)
                    b.append(j)
    masses = np.ones(len(bricks))
    masses[-1] = top
    return _rows(np.array(points), np.tile([0.0, 0.0, 1.0], (len(points), 1)), a, b, centres), masses


def arch(stones: int, thickness: float = 0.3) -> tuple[np.ndarray, np.ndarray]:
    """A round arch of unit radius between two abutments, four points in each joint."""
    edges = np.linspace(0.0, np.pi, stones + 1)
    middle = 0.5 * (edges[1:] + edges[:-1])
    centres = np.column_stack([np.cos(middle), np.zeros(stones), np.sin(middle)])
    points, normals, a, b = [], [], [], []
    for k, angle in enumerate(edges):
        for r in (1.0 - thickness / 2, 1.0 + thickness / 2):
            for y in (-0.25, 0.25):
                points.append((r * np.cos(angle), y, r * np.sin(angle)))
                normals.append((-np.sin(angle), 0.0, np.cos(angle)))
                a.append(k - 1)
                b.append(k if k < stones else -1)
    return _rows(np.array(points), np.array(normals), a, b, centres), np.ones(stones)


def heap(random: np.random.Generator, balls: int) -> tuple[np.ndarray, np.ndarray]:
    """Balls at random places that touch their nearest neighbours and some the ground; masses over four decades."""
    centres = random.uniform(-1.0, 1.0, (balls, 3)) * [1.0, 1.0, 0.5] + [0.0, 0.0, 0.6]
    points, normals, a, b = [], [], [], []
    for j in range(balls):
        distance = np.linalg.norm(centres - centres[j], axis=1)
        for i in np.argsort(distance)[1:4]:
            if i < j:
                n = (centres[j] - centres[i]) / distance[i]
                points.append(0.5 * (centres[i] + centres[j]))
                normals.append(n)
                a.append(int(i))
                b.append(j)
        if centres[j, 2] < 0.5:
            points.append(centres[j] - [0.0, 0.0, 0.2])
            normals.append((0.0, 0.0, 1.0))
            a.append(-1)
            b.append(j)
    return _rows(np.array(points), np.array(normals), a, b, centres), 10.0 ** random.uniform(-2.0, 2.0, balls)


def hard_problems(count: int, seed: int = 0) -> Iterator[tuple[str, np.ndarray, np.ndarray, np.ndarray]]:
    """Name, Delassus matrix, velocities without impulses, friction: weights of a step of 1 ms, and some impacts."""
    random = np.random.default_rng(seed)
    for k in range(count):
        kind = ("wall", "tower", "arch", "heap")[k % 4]
        ratio = 10.0 ** random.uniform(0.0, 4.0)
        if kind == "wall":
            G, masses = wall(int(random.integers(2, 6)), int(random.integers(2, 5)), ratio)
        elif kind == "tower":
            G, masses = wall(int(random.integers(2, 12)), 1, ratio)
        elif kind == "arch":
            G, masses = arch(int(random.integers(3, 10)))
            masses[random.integers(len(masses))] = ratio
        else:
            G, masses = heap(random, int(random.integers(5, 25)))
        inverse = np.repeat(1.0 / masses, 6) * np.tile([1.0, 1.0, 1.0, 2.4, 2.4, 6.0], len(masses))
        v = np.zeros(len(inverse))
        v[2::6] = -0.00981
        if random.random() < 0.3:  # something strikes it
            v += np.repeat(random.normal(size=len(masses)) * 0.3, 6) * random.normal(size=len(v))
        mu = random.uniform(0.0, 1.5)
        contacts = G.shape[0] // 3
        yield kind, (G * inverse) @ G.T, G @ v, np.full(contacts, mu)
