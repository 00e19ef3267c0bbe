"""Draw docs/pictures/joints.png, every joint with its coordinates: `python docs/make_joints.py`.

Grey: the parent with its frame F, and the child where all coordinates are zero; blue: the child with its frame M where
they are not. Poses come from the joints' own motions, so that the picture cannot say something else than the program.
"""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np

import duoti as dt
from duoti.model.mechanism.joint_motions import motions_of, pose_of

mpl.use("Agg")
from matplotlib import pyplot as plt
from mpl_toolkits.mplot3d.art3d import Poly3DCollection

TURN = dt.Rotation.from_vector((0.35, 0.2, 0.56)).quaternion
JOINTS: dict[str, tuple[Any, list[float]]] = {
    'Revolute("z")': (dt.Revolute("z"), [0.7]),
    'Prismatic("z")': (dt.Prismatic("z"), [0.9]),
    'Cylindrical("z")': (dt.Cylindrical("z"), [0.9, 0.7]),
    'Screw("z", lead_per_turn=3)': (dt.Screw("z", lead_per_turn=3.0), [1.6]),
    'Universal("z", "x")': (dt.Universal("z", "x"), [0.6, 0.6]),
    "Translation()": (dt.Translation(), [0.8, 0.5, 0.6]),
    'Planar("z")': (dt.Planar("z"), [0.9, 0.4, 0.6]),
    "Spherical()": (dt.Spherical(), list(TURN)),
    "Free()": (dt.Free(), [0.9, 0.3, 0.5, *TURN]),
    "Fixed()": (dt.Fixed(), []),
}
OFFSETS = np.array([(-0.1, -0.55, -0.05), (0.22, -0.05, -0.06), (0.06, 0.0, -0.05)])  # of labels, by direction
BLUE, GREY, RED = "#2563eb", "#9ca3af", "#dc2626"
BOX = np.array([0.8, 0.55, 0.16])
FACES = [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]]


def box(axes: Any, X: dt.spatial.Pose, colour: str, alpha: float, below: float) -> None:
    """A block above or below the origin of X."""
    corners = [np.array(s) * BOX / 2 - (0, 0, below) for s in product((-1, 1), repeat=3)]
    points = np.array([X.rotation @ c + X.position for c in corners])
    axes.add_collection3d(
        Poly3DCollection(points[FACES], facecolor=colour, edgecolor=colour, alpha=alpha, linewidth=0.6, zorder=1)
    )


def frame(axes: Any, X: dt.spatial.Pose, colour: str, name: str, length: float = 0.85) -> None:
    """Three axes with their names."""
    R = X.rotation.matrix
    for k, letter in enumerate("xyz"):
        tip = X.position + length * R[:, k]
        axes.plot(*np.column_stack([X.position, tip]), color=colour, linewidth=1.2, zorder=4)
        axes.text(*(X.position + 1.15 * length * R[:, k]), letter, color=colour, fontsize=7, ha="center", va="center")
    axes.text(*(X.position - 0.18 * (R[:, 0] + R[:, 1])), name, color=colour, fontsize=8, weight="bold")


def arc(axes: Any, X: dt.spatial.Pose, axis: np.ndarray, angle: float, label: str) -> None:
    """An arc about an axis through the origin of X, in the axes of X."""
    start = np.array((1.0, 0, 0) if abs(axis[0]) < 0.9 else (0, 1.0, 0))
    aside = start - axis * (axis @ start)
    aside = 0.72 * aside / np.linalg.norm(aside)
    turns = [dt.Rotation.from_vector(axis * a) @ aside for a in np.linspace(0, angle, 24)]
    points = np.array([X.rotation @ p + X.position for p in turns])
    axes.plot(*points.T, color=RED, linewidth=1.6, zorder=6)
    axes.quiver(*points[-2], *(points[-1] - points[-2]) * 3, color=RED, linewidth=1.6, arrow_length_ratio=2.5, zorder=6)
    axes.text(*(points[12] + 0.12 * (points[12] - X.position)), label, color=RED, fontsize=7, clip_on=False)


def labels(joint: Any) -> list[str]:
    """Names of the numbers of q."""
    found: list[str] = []
    for c in joint.coordinates:
        found += [c.name if c.nq == 1 else f"{c.name}[{i}]" for i in range(c.nq)]
    return found


def draw(axes: Any, title: str, joint: Any, q: list[float]) -> None:
    """One joint."""
    motions = motions_of(joint)
    assert motions is not None
    names, X = labels(joint), dt.spatial.Pose()
    box(axes, dt.spatial.Pose(), GREY, 0.35, 0.12)
    if q:
        box(axes, dt.spatial.Pose(), GREY, 0.12, -0.12)
    for motion in motions:
        before, X = X, X @ motion.pose(np.array(q))
        if motion.twist is None:
            v = dt.Rotation.from_quaternion(q[motion.at : motion.at + 4]).vector
            arc(axes, before, v / np.linalg.norm(v), float(np.linalg.norm(v)), "rotation")
            continue
        if any(motion.twist[:3]):
            arc(axes, before, np.array(motion.twist[:3]), q[motion.at], names[motion.at])
        if any(motion.twist[3:]) and not any(motion.twist[:3]):
            shift = X.position - before.position
            axes.quiver(*before.position, *shift, color=RED, linewidth=1.6, arrow_length_ratio=0.2, zorder=6)
            at = before.position + 0.5 * shift + OFFSETS[int(np.argmax(np.abs(shift)))]
            axes.text(*at, names[motion.at], color=RED, fontsize=7, clip_on=False)
    assert np.allclose(X.position, pose_of(motions, np.array(q)).position)
    box(axes, X, BLUE, 0.4, -0.12)
    frame(axes, dt.spatial.Pose(), "#4b5563", "F")
    if q:
        frame(axes, X, BLUE, "M", 0.7)
    axes.set_title(title, fontsize=9, family="monospace", y=1.0)
    axes.set(xlim=(-0.5, 1.6), ylim=(-0.95, 1.15), zlim=(-0.5, 1.6))
    axes.set_box_aspect((1, 1, 1), zoom=1.45)
    axes.view_init(22, -58)
    axes.set_axis_off()
    axes.patch.set_alpha(0.0)


def main() -> None:
    """All joints."""
    figure = plt.figure(figsize=(12.5, 5.6))
    for k, (title, (joint, q)) in enumerate(JOINTS.items()):
        draw(figure.add_subplot(2, 5, k + 1, projection="3d", computed_zorder=False), title, joint, q)
    figure.subplots_adjust(0, 0, 1, 0.93, 0.0, 0.14)
    figure.savefig(Path(__file__).parent / "pictures" / "joints.png", dpi=130)


if __name__ == "__main__":
    main()
