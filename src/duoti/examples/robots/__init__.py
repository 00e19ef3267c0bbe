"""Robot descriptions in several styles of URDF and MJCF, written for duoti (they describe no product).

| name    | format | what it shows |
|---------|--------|---------------|
| arm6    | URDF   | six axes, `package://` meshes (STL binary and ASCII, OBJ), materials, a tool frame |
| courier | URDF   | mobile base: massless root, continuous wheels, a lift, a gripper with a mimic joint |
| hound   | MJCF   | quadruped: default classes, includes, a mesh with given inertia, servos, a keyframe |
| strider | MJCF   | upright walker: capsules by their ends, inertia from geoms, several joints in one body, tendons |
| delta   | MJCF   | closed loops: rods on ball joints, closed by `equality` |
"""

from __future__ import annotations

from pathlib import Path

FOLDER = Path(__file__).parent


def robots() -> dict[str, Path]:
    """The file of each robot by its name."""
    files = {path.stem: path for pattern in ("*/*.urdf", "*/*.xml") for path in FOLDER.glob(pattern)}
    return {name: path for name, path in sorted(files.items()) if path.parent.name == name}
