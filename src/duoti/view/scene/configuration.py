"""A model before any simulation: where its bodies are, and where they go when a joint coordinate is moved."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.analyses.states.assemble import moved_to
from duoti.analyses.states.initial_state import closed_state
from duoti.model.mechanism.joint_motions import motions_of, pose_of
from duoti.model.model import Model
from duoti.results.evaluate.observe import FRAMES, observe
from duoti.spatial import Pose, Rotation
from duoti.system.compile.compiler import compile_model
from duoti.system.system import System
from duoti.view.scene.motion import poses_of
from duoti.view.scene.pack import pack, pack_exact
from duoti.view.scene.parts import numbers_of
from duoti.view.scene.scene import bounds_of, frames_of, scene_of

Array = NDArray[np.float64]
TURN = 0.1  # largest turn [rad] in one step of a drag
SHIFT = 0.02  # largest shift, as part of the size of the model
TRIALS = 2  # sets of coordinates at which a joint's law is compared with its elementary motions
SAME = 1e-9  # difference of poses (of matrices, and of positions per size of the model) that is round-off


class Configuration:
    """The coordinates of a model's joints, which can be moved one at a time; closed loops stay closed."""

    def __init__(self, model: Model | System):
        self.system = model if isinstance(model, System) else compile_model(model)
        q, _ = closed_state(self.system) if self.system.closures.rows else self.system.initial_state()
        self.start = q
        self.names = list(self.system.model.bodies)
        self.scene = scene_of(self.system)
        frames = self._frames(q)
        self.centre, self.half = bounds_of(self.system, self.scene, frames, self.names)
        self.own_laws = self._joints_with_laws_of_their_own()

    def _frames(self, q: Array) -> Array:
        y = self.system.whole_state(q, np.zeros(self.system.nv))[None]
        return frames_of(self.system, np.zeros(1), y, self.names)

    def _across(self, q: Array) -> dict[str, tuple[Array, Array]]:
        """Rotations R_FM (rows, 3, 3) and positions p_FM (rows, 3) across the joints, by their laws, for rows of q.

        Cut joints have none.
        """
        joints = {name: layout for name, layout in self.system.joints.items() if layout.closure < 0}
        markers = [m for layout in joints.values() for m in (layout.parent_marker, layout.child_marker)]
        if not markers:
            return {}
        y = np.array([self.system.whole_state(row, np.zeros(self.system.nv)) for row in q])
        frames = observe(self.system, np.zeros(len(y)), y, FRAMES, markers).frames
        R, p = frames[:, :, :9].reshape(len(y), -1, 3, 3), frames[:, :, 9:12]
        R_FW, R_WM = np.swapaxes(R[:, ::2], 2, 3), R[:, 1::2]
        R_FM, p_FM = R_FW @ R_WM, np.einsum("nkij,nkj->nki", R_FW, p[:, 1::2] - p[:, ::2])
        return {name: (R_FM[:, k], p_FM[:, k]) for k, name in enumerate(joints)}

    def _joints_with_laws_of_their_own(self) -> list[str]:
        """Joints that are no sequence of elementary motions, or whose law differs from the one that their type claims.

        The page cannot move them by itself: their motions in the document are removed.
        """
        tree, rng = self.system.tree, np.random.default_rng(TRIALS)
        q = rng.uniform(-1.0, 1.0, (TRIALS, self.system.nq))
        for k in tree.quat_q:
            q[:, k : k + 4] /= np.linalg.norm(q[:, k : k + 4], axis=1, keepdims=True)
        found: list[str] = []
        joints = {joint["name"]: joint for joint in self.scene.document["joints"]}
        near = SAME * (1.0 + self.size + float(np.max(np.abs(self.centre))))
        for name, (R_FM, p_FM) in self._across(q).items():
            motions, layout = motions_of(self.system.model.joints[name].joint), self.system.joints[name].q
            claimed = [] if motions is None else [pose_of(motions, row[layout]) for row in q]
            if motions is None or not all(
                np.max(np.abs(X.rotation.matrix - R)) <= SAME and np.max(np.abs(X.position - p)) <= near
                for X, R, p in zip(claimed, R_FM, p_FM, strict=True)
            ):
                joints[name]["motions"] = None
                found.append(name)
        return found

    @property
    def size(self) -> float:
        """Diagonal of the box around everything [m]."""
        return 2.0 * float(np.linalg.norm(self.half)) or 1.0

    def by_joint(self, q: Array) -> dict[str, list[float]]:
        """Coordinates by joint; cut joints have none of their own."""
        return {
            name: [float(x) for x in q[layout.q]] for name, layout in self.system.joints.items() if layout.closure < 0
        }

    def from_joints(self, given: dict[str, Any]) -> Array:
        """Coordinates from what the page sent; ValueError if it is not of this model."""
        q = self.start.copy()
        for name, values in given.items():
            layout = self.system.joints.get(name)
            numbers = np.asarray(values, dtype=float)
            if (
                layout is None
                or layout.closure >= 0
                or numbers.shape != layout.q.shape
                or not np.all(np.isfinite(numbers))
            ):
                raise ValueError(f"no such coordinates: {name!r}")
            q[layout.q] = numbers
        return q

    def moved(self, q: Array, joint: str, at: int, value: float) -> tuple[Array, bool]:
        """Coordinates with number `at` of a joint brought to `value`, and whether it got there."""
        layout = self.system.joints.get(joint)
        if layout is None or layout.closure >= 0 or not 0 <= at < len(layout.q) or not np.isfinite(value):
            raise ValueError(f"no such coordinate: {joint!r}[{at}]")
        rates = np.flatnonzero(self.system.tree.q_of_v == layout.q[at])
        if not len(rates):
            raise ValueError(f"{joint!r}[{at}] belongs to a quaternion, which has no slider")
        rate = int(rates[0])
        longest = TURN if self.system.tree.angular[rate] else SHIFT * self.size
        return moved_to(self.system, q, rate, value, longest)

    def poses(self, q: Array) -> list[list[float]]:
        """Position and quaternion of every body, ground first."""
        return [[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0], *poses_of(self._frames(q))[0].tolist()]

    def answer(self, asked: dict[str, Any]) -> dict[str, Any]:
        """What the page wants to know when a slider moves."""
        q = self.from_joints(asked["q"])
        q, closed = self.moved(q, str(asked["joint"]), int(asked["at"]), float(asked["value"]))
        return {"q": self.by_joint(q), "poses": self.poses(q), "closed": closed}

    def document(self) -> dict[str, Any]:
        """The document of a model view: one instant, and the coordinates for the sliders."""
        poses = poses_of(self._frames(self.start)).reshape(1, -1)
        run = {
            "name": self.system.model.name, "model": 0, "ok": True, "reason": "", "solver": "", "outputs": 1,
            "centre": self.centre.tolist(), "half": self.half.tolist(), "size": self.size, "t": pack_exact(np.zeros(1)),
            "events": [], "poses": pack(poses, 1.0), "accuracy": {"length": 0.0, "angle": 0.0},
            "channels": {"t": pack_exact(np.zeros(0)), "heads": [], "block": pack(np.zeros((0, 0)), 1.0)},
        }  # fmt: skip
        start = self._across(self.start[None])
        across = {
            name: numbers_of(Pose(Rotation.from_matrix(start[name][0][0]), start[name][1][0])) for name in self.own_laws
        }
        configuration = {"q": self.by_joint(self.start), "across": across}
        return {"models": [self.scene.document], "runs": [run], "mode": "model", "posture": configuration}
