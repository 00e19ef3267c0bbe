"""Makes the meshes of the robots in `duoti.examples.robots`: `python tests/support/robot_meshes.py`."""

from __future__ import annotations

import struct
from pathlib import Path

import numpy as np

ROBOTS = Path(__file__).parents[2] / "src" / "duoti" / "examples" / "robots"
SIDES = 20


def lathe(profile: list[tuple[float, float]], sides: int = SIDES) -> tuple[np.ndarray, list[tuple[int, int, int]]]:
    """Corners and triangles of a profile (radius, z), from bottom to top, turned about z and closed at both ends."""
    angles = 2 * np.pi * np.arange(sides) / sides
    corners = [(0.0, 0.0, profile[0][1])]
    for radius, z in profile:
        corners += [(radius * np.cos(a), radius * np.sin(a), z) for a in angles]
    corners.append((0.0, 0.0, profile[-1][1]))
    top, faces = len(corners) - 1, []
    for i in range(sides):
        j = (i + 1) % sides
        faces.append((0, 1 + j, 1 + i))
        for k in range(len(profile) - 1):
            a, b = 1 + k * sides, 1 + (k + 1) * sides
            faces += [(a + i, a + j, b + j), (a + i, b + j, b + i)]
        last = 1 + (len(profile) - 1) * sides
        faces.append((last + i, last + j, top))
    return np.array(corners), faces


def box(size: tuple[float, float, float], taper: float) -> tuple[np.ndarray, list[tuple[int, int, int]]]:
    """A block whose top is narrower by a factor."""
    x, y, z = (0.5 * s for s in size)
    ring = [(-x, -y), (x, -y), (x, y), (-x, y)]
    corners = [(a, b, -z) for a, b in ring] + [(taper * a, taper * b, z) for a, b in ring]
    faces = [(0, 2, 1), (0, 3, 2), (4, 5, 6), (4, 6, 7)]
    for i in range(4):
        j = (i + 1) % 4
        faces += [(i, j, 4 + j), (i, 4 + j, 4 + i)]
    return np.array(corners), faces


def stl_binary(corners: np.ndarray, faces: list[tuple[int, int, int]]) -> bytes:
    out = [b"made by robot_meshes.py".ljust(80), struct.pack("<I", len(faces))]
    for face in faces:
        a, b, c = corners[list(face)]
        out.append(struct.pack("<12fH", *_normal(a, b, c), *a, *b, *c, 0))
    return b"".join(out)


def stl_ascii(corners: np.ndarray, faces: list[tuple[int, int, int]]) -> bytes:
    lines = ["solid part"]
    for face in faces:
        a, b, c = corners[list(face)]
        lines += ["facet normal {:.5g} {:.5g} {:.5g}".format(*_normal(a, b, c)), " outer loop"]
        lines += ["  vertex {:.6g} {:.6g} {:.6g}".format(*p) for p in (a, b, c)]
        lines += [" endloop", "endfacet"]
    return ("\n".join([*lines, "endsolid part"]) + "\n").encode()


def obj(corners: np.ndarray, faces: list[tuple[int, int, int]]) -> bytes:
    lines = ["# made by robot_meshes.py", "o part"]
    lines += ["v {:.6g} {:.6g} {:.6g}".format(*p) for p in corners]
    lines += [f"f {a + 1}//1 {b + 1}//1 {c + 1}//1" for a, b, c in faces]
    return ("\n".join([*lines[:2], *lines[2:]]) + "\n").replace("//1", "").encode()


def _normal(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    n = np.cross(b - a, c - a)
    return n / np.linalg.norm(n)


def all_meshes() -> dict[Path, bytes]:
    """Content of each file."""
    tube = lambda r, length: [(0.8 * r, -r), (r, -0.6 * r), (r, length + 0.6 * r), (0.8 * r, length + r)]  # noqa: E731
    arm = ROBOTS / "arm6" / "meshes"
    return {
        arm / "base.stl": stl_binary(*lathe([(0.09, 0.0), (0.09, 0.02), (0.07, 0.06), (0.07, 0.1)])),
        arm / "shoulder.stl": stl_ascii(*lathe([(70.0, 0.0), (75.0, 40.0), (70.0, 130.0), (40.0, 145.0)], 12)),
        arm / "upper_arm.obj": obj(*lathe(tube(0.06, 0.42))),
        arm / "forearm.stl": stl_binary(*lathe(tube(0.045, 0.38))),
        arm / "wrist.obj": obj(*lathe([(0.03, -0.05), (0.045, -0.03), (0.045, 0.05), (0.035, 0.06)])),
        ROBOTS / "hound" / "assets" / "trunk.obj": obj(*box((0.4, 0.16, 0.11), 0.7)),
        ROBOTS / "hound" / "assets" / "thigh.stl": stl_binary(
            *lathe([(14.0, -205.0), (22.0, -100.0), (30.0, 0.0), (20.0, 20.0)])
        ),
    }


if __name__ == "__main__":
    for path, content in all_meshes().items():
        path.write_bytes(content)
        print(path.relative_to(ROBOTS), len(content))
