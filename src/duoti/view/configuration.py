"""A model before any simulation: where its bodies are, and where they go when a joint coordinate is moved."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.analyses.assemble import moved_to
from duoti.analyses.initial import closed_state
from duoti.model.model import Model
from duoti.system.compiler import compile_model
from duoti.system.system import System
from duoti.view.motion import poses_of
from duoti.view.pack import pack, pack_exact
from duoti.view.scene import bounds_of, frames_of, scene_of

Array = NDArray[np.float64]
TURN = 0.1  # largest turn [rad] in one step of a drag
SHIFT = 0.02  # largest shift, as part of the size of the model


class Configuration:
    """The coordinates of a model's joints, which can be moved one at a time; closed loops stay closed."""

    def __init__(self, model: Model | System):
        self.system = model if isinstance(model, System) else compile_model(model)
        q, _ = closed_state(self.system) if self.system.closures.rows else self.system.initial_state()
        self.start = q
        self.names = list(self.system.model.bodies)
        self.scene = scene_of(self.system)
        frames = self._frames(q)
        self.centre, self.half = bounds_of(self.system, self.scene.points, frames, self.names)

    def _frames(self, q: Array) -> Array:
        y = self.system.whole_state(q, np.zeros(self.system.nv))[None]
        return frames_of(self.system, np.zeros(1), y, self.names)

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
        longest = TURN if self.system.tree.turns[rate] else SHIFT * self.size
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
        configuration = {"q": self.by_joint(self.start)}
        return {"models": [self.scene.document], "runs": [run], "mode": "model", "posture": configuration}
