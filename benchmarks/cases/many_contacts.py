"""Scenes of hundreds of bodies that may all touch each other, at a step of 1 ms, against MuJoCo: see `contact`."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
from scipy.spatial import ConvexHull

import duoti as dt
from benchmarks.cases.contact import pair, spheres
from benchmarks.harness import case


def _walls(m: dt.Model, wall: float) -> str:
    """A floor with four half-spaces around it."""
    bodies = ""
    m.ground.shapes.append(dt.Shape.plane())
    for axis, sign in (("x", 1), ("x", -1), ("y", 1), ("y", -1)):
        inward = np.zeros(3)
        inward["xyz".index(axis)] = sign
        m.ground.shapes.append(dt.Shape.plane(position=-wall * inward, rotation=dt.Rotation.between("z", inward)))
        x, y, z = -wall * inward
        zaxis = f"{sign * (axis == 'x')} {sign * (axis == 'y')} 0"
        bodies += f'<geom type="plane" size="5 5 1" pos="{x} {y} {z}" zaxis="{zaxis}" friction="0.5 0 0"/>'
    return bodies


def balls(n: int = 666) -> tuple[dt.Model, str]:
    """Balls of 3 cm to 10 cm that fall into a tray of boxes."""
    rng, m, side = np.random.default_rng(666), dt.Model("balls"), 8
    m.ground.shapes.append(dt.Shape.plane())
    bodies = ""
    for x, y, a, b in ((1, 0, 0.05, 1), (-1, 0, 0.05, 1), (0, 1, 1, 0.05), (0, -1, 1, 0.05)):
        m.ground.shapes.append(dt.Shape.box((2 * a, 2 * b, 0.4), position=(x, y, 0.2)))
        bodies += f'<geom type="box" size="{a} {b} 0.2" pos="{x} {y} 0.2" friction="0.3 0 0"/>'
    for i in range(n):
        radius = float(rng.uniform(0.03, 0.1))
        x, y, z = np.array([i % side - 3.5, i // side % side - 3.5, i // side**2 + 0.6]) * 0.21
        b = m.add_body(f"b{i}", dt.Inertia.sphere(1.0, radius=radius), position=(x, y, z))
        m.add_joint(f"f{i}", dt.Free(), m.ground, b)
        bodies += (
            f'<body pos="{x} {y} {z}"><freejoint/><geom type="sphere" size="{radius}" mass="1" friction="0.3 0 0"/>'
            "</body>"
        )
    m.add_contact("all", dt.RigidContact(friction=0.3), "all", "all")
    return m, bodies


def stones(n: int = 100) -> tuple[dt.Model, str]:
    """Convex meshes of 12 corners, boxes and capsules that fall into a box; meshes of ten forms."""
    rng, m, side = np.random.default_rng(5), dt.Model("stones"), 4
    bodies, folder = _walls(m, 0.55), Path(tempfile.mkdtemp())
    forms = []
    for k in range(10):
        corners = rng.normal(size=(12, 3))
        corners *= rng.uniform(0.08, 0.1) / np.linalg.norm(corners, axis=1)[:, None]
        hull = ConvexHull(corners)
        corners = corners - corners[hull.vertices].mean(axis=0)
        faces = [(f if np.dot(np.cross(corners[f[1]] - corners[f[0]], corners[f[2]] - corners[f[0]]), e[:3]) > 0 else
                  f[::-1]) for f, e in zip(hull.simplices, hull.equations, strict=True)]  # fmt: skip
        file = folder / f"stone{k}.obj"
        file.write_text("".join(f"v {x} {y} {z}\n" for x, y, z in corners)
                        + "".join(f"f {a + 1} {b + 1} {c + 1}\n" for a, b, c in faces))  # fmt: skip
        forms.append((dt.Shape.mesh(file), " ".join(str(x) for x in corners.ravel())))
    for i in range(n):
        x, y, z = np.array([i % side - 1.5, i // side % side - 1.5, i // side**2 + 0.6]) * 0.24
        x, y = x + 0.002 * rng.normal(), y + 0.002 * rng.normal()
        turn = rng.normal(size=4)
        turn /= np.linalg.norm(turn)
        inertia = dt.Inertia.box(1.0, size=(0.14, 0.11, 0.09))
        b = m.add_body(f"b{i}", inertia, position=(x, y, z), rotation=turn)
        inner = "".join(f"{each} " for each in np.diag(inertia.matrix))
        head = f'<body pos="{x} {y} {z}" quat="{turn[0]} {turn[1]} {turn[2]} {turn[3]}"><freejoint/>'
        head += f'<inertial pos="0 0 0" mass="1" diaginertia="{inner}"/>'
        if i % 3 == 0:
            b.shapes.append(dt.Shape.box((0.14, 0.11, 0.09)))
            geom = '<geom type="box" size="0.07 0.055 0.045" friction="0.5 0 0"/>'
        elif i % 3 == 1:
            b.shapes.append(dt.Shape.capsule(0.05, 0.12))
            geom = '<geom type="capsule" size="0.05 0.06" friction="0.5 0 0"/>'
        else:
            b.shapes.append(forms[i % 10][0])
            geom = f'<geom type="mesh" mesh="stone{i % 10}" friction="0.5 0 0"/>'
        m.add_joint(f"f{i}", dt.Free(), m.ground, b)
        bodies += head + geom + "</body>"
    m.add_contact("all", dt.RigidContact(friction=0.5), "all", "all")
    assets = "".join(f'<mesh name="stone{k}" vertex="{text}"/>' for k, (_, text) in enumerate(forms))
    return m, bodies + f"</worldbody><asset>{assets}</asset><worldbody>"


SCENES: dict[str, tuple[Callable[[], tuple[dt.Model, str]], float]] = {
    "1000 spheres fall into a box": (lambda: spheres(1000, 10, 1.06), 0.4),
    "666 balls of all sizes fall into a tray": (balls, 0.4),
    "heap of 100 stones, boxes and capsules": (stones, 0.5),
}
for name, scene in SCENES.items():
    case(name, "MuJoCo", 1.0)(lambda scene=scene: pair(*scene))
