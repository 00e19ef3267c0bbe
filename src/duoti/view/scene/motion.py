"""A result as the page wants it: poses of all bodies over time, and channels for plots, arrows and read-outs.

How exact the drawing is: positions to 2^-21 of the scene's size (or 2^-13 of the smallest body's where that is less),
rotations to 2^-21; plotted values to 2^-18 of their range. Where that would take more than `POSE_BYTES`, poses are kept
to 2^-17 instead. Results with very many outputs are thinned evenly to `MOST_FRAMES` instants, and channels to
`MOST_NUMBERS` numbers in all; the page notes what was thinned.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.model.element_id import ElementId
from duoti.model.elements import GROUND, name_of
from duoti.model.errors import ChannelError
from duoti.model.joints.base import quaternions_of
from duoti.model.joints.free import Free
from duoti.model.quantities import find_quantity, joint_quantities
from duoti.results.evaluate.channels import seen_force
from duoti.results.evaluate.observe import FRAMES, observe
from duoti.results.result import Result
from duoti.system.system import FrameKey, System
from duoti.view.scene.beams_and_cables import along_columns, along_numbers
from duoti.view.scene.bond_graphs import graph_channels, graph_columns
from duoti.view.scene.channels import FRAME_LETTERS, Channel, page_letters
from duoti.view.scene.contacts import contact_channels, contact_columns, touching_points
from duoti.view.scene.pack import pack, pack_exact, step_of
from duoti.view.scene.scene import Scene, bounds_of, frames_of, scene_of

LETTERS = {3: ("x", "y", "z")}
PUSHES = ("tension", "force", "torque", "joint_force")


def force_channels(result: Result) -> list[Channel]:
    """Channels of the elements that push: applied forces and torques, tensions along lines, torques in joints."""
    found: list[Channel] = []
    for k, (name, force) in enumerate(result.model.forces.items()):
        channels = {what: channel for what, channel in force.channels(result.model).items() if what in PUSHES}
        if not channels or force.kind == "joint_damping":
            continue
        try:
            seen = seen_force(result.system, k, result.t, result.states)
        except ChannelError:  # between two points of one body
            continue
        for what, (unit, size, read) in channels.items():
            found.append(Channel(f"{name}.{what}", unit, "force", name, what, read(seen), LETTERS.get(size, ())))
    return found


Array = NDArray[np.float64]
MOST_FRAMES = 12_000
MOST_NUMBERS = 3_000_000
POSE_BYTES = 8_000_000
FINE, COARSE, CHANNEL_BITS = 20, 16, 17


def thinned(count: int, most: int) -> NDArray[np.int64]:
    """At most this many of the indices below `count`, at equal distances, the first and last among them."""
    step = max(1, -(-count // max(most - 1, 1)) if count > most else 1)
    rows = np.arange(0, count, step)
    return rows if not count or rows[-1] == count - 1 else np.append(rows, count - 1)


def at_instants(result: Result, rows: NDArray[np.int64]) -> Result:
    """The same result at some of its times, as `thinned` gives them."""
    if len(rows) == len(result) and isinstance(result.states, np.ndarray):
        return result
    return Result(
        result.system, result.t[rows], _rows(result.states, rows), result.ok, result.why_ended, result.stats,
        result.events, result.settings, result.constraints, result.status,
        record=_rows(result.record, rows), record_layout=result.record_layout,
    )  # fmt: skip


def _rows(states: Any, rows: NDArray[np.int64]) -> Array:
    """Some rows of the states; of those in a file, no more is read than wanted."""
    if isinstance(states, np.ndarray) or len(rows) < 2:
        return np.array(states[rows])
    first, last, step = int(rows[0]), int(rows[-1]), int(rows[1] - rows[0])
    found = states[first : last + 1 : step]
    return found if (last - first) % step == 0 else np.concatenate([found, states[last : last + 1]])


def finite_count(result: Result) -> int:
    """Number of outputs whose states are numbers: the last one of a failed run may not be."""
    count = len(result)
    return count - 1 if count > 1 and not np.all(np.isfinite(result.states[count - 1 : count])) else count


def poses_of(frames: Array) -> Array:
    """Positions and quaternions (times, bodies, 7) of frames as `frames_of` gives them."""
    count = frames.shape[1]
    rotations = [quaternions_of(frames[:, k, :9].reshape(-1, 3, 3)) for k in range(count)]
    quaternions = np.stack(rotations, axis=1) if count else np.zeros((len(frames), 0, 4))
    return np.concatenate([frames[:, :, 9:12], quaternions], axis=2)


def run_of(result: Result, scene: Scene, name: str, model: int = 0) -> dict[str, Any]:
    """Poses and channels of a result."""
    system = result.system
    shown = at_instants(result, thinned(finite_count(result), MOST_FRAMES))
    names = list(system.model.bodies)
    frames = frames_of(system, shown.t, shown.states, names)
    centre, half = bounds_of(system, scene, frames, names)
    size = 2.0 * float(np.linalg.norm(half)) or 1.0
    run: dict[str, Any] = {
        "name": name,
        "model": model,
        "ok": result.ok,
        "reason": result.reason,
        "solver": result.stats.solver,
        "outputs": len(result),
        "centre": centre.tolist(),
        "half": half.tolist(),
        "size": size,
        "t": pack_exact(shown.t),
        "events": [{"name": event.name, "t": event.t} for event in result.events],
        **_packed_poses(poses_of(frames), size, _smallest(scene)),
    }
    few = for_channels(shown)
    channels = channels_of(few)
    run["channels"] = {
        "t": pack_exact(few.t),
        "heads": [channel.head for channel in channels],
        "block": _packed_channels(channels),
    }
    if (touching := touching_points(few, size)) is not None:
        run["touching"] = touching
    if (along := along_numbers(few)) is not None:
        run["along"] = along
    return run


def _smallest(scene: Scene) -> float:
    """Size of the smallest body [m]."""
    sizes = [float(np.max(np.ptp(p, axis=0))) for name, p in scene.points.items() if name != GROUND and len(p) > 1]
    return min((s for s in sizes if s > 0), default=np.inf)


def _packed_poses(poses: Array, size: float, smallest: float) -> dict[str, Any]:
    flat = poses.reshape(len(poses), -1)
    for bits in (FINE, COARSE):
        length = min(size * 2.0**-bits, smallest * 2.0 ** -(bits - 8))
        steps = np.tile([length] * 3 + [2.0**-bits] * 4, poses.shape[1])
        block = pack(flat, steps)
        if len(block["data"]) <= POSE_BYTES:
            break
    return {"poses": block, "accuracy": {"length": length / 2, "angle": 2.0**-bits}}  # pyright: ignore


def _packed_channels(channels: list[Channel]) -> dict[str, Any]:
    if not channels:
        return pack(np.zeros((0, 0)), 1.0)
    steps: list[Array] = []
    for channel in channels:
        step = step_of(channel.values, CHANNEL_BITS)
        steps.append(np.full_like(step, step.max(initial=0.0)))  # components of a vector alike
    return pack(np.concatenate([c.values for c in channels], axis=1), np.concatenate(steps))


# ------------------------------------------------------------------------------------------------------ channels


def for_channels(shown: Result) -> Result:
    """What is shown, at the instants for which channels are kept."""
    return at_instants(shown, thinned(len(shown), max(2, MOST_NUMBERS // max(column_count(shown.system), 1))))


def other_channel(result: Result, name: str) -> Channel | None:
    """Any channel of a result, at the instants of those in the page; None if only other results have it.

    Raises ChannelError with suggestions if the name means nothing.
    """
    few = for_channels(at_instants(result, thinned(finite_count(result), MOST_FRAMES)))
    quantity = find_quantity(result.model, name)
    values = np.asarray(few[name], dtype=float).reshape(len(few), -1)
    letters = FRAME_LETTERS.get(values.shape[1], ()) if quantity.what not in ("q", "v", "a") else ()
    return Channel(name, quantity.unit, quantity.kind, quantity.item, quantity.what, values, letters)


def column_count(system: System) -> int:
    """How many columns `channels_of` will have."""
    model = system.model
    joints = sum(e.joint.nq + e.joint.nv + 6 for e in model.joints.values())
    joints += sum(len(layout.q) for layout in system.flexible.values())
    joints += along_columns(model) + contact_columns(model) + graph_columns(model)
    return joints + 9 * len(model.bodies) + 6 * len(model.markers) + len(model.states) + 3 * len(model.forces) + 7


def channels_of(result: Result) -> list[Channel]:
    """Coordinates, velocities and reactions of joints, motion of bodies and markers, forces, contacts, states,
    energies.
    """
    return [
        *_joint_channels(result), *_frame_channels(result), *_modal_channels(result), *force_channels(result),
        *contact_channels(result), *graph_channels(result), *_state_channels(result),
        *energy_channels(result),
    ]  # fmt: skip


def _joint_channels(result: Result) -> list[Channel]:
    model, found = result.model, list[Channel]()
    for joint, element in model.joints.items():
        units = joint_quantities(model, joint)
        names = [c.name for c in element.joint.coordinates] + [c.rate for c in element.joint.coordinates]
        for what in dict.fromkeys(names):
            values = np.asarray(result[f"joint:{joint}.{what}"], dtype=float).reshape(len(result.t), -1)
            letters = page_letters(element.joint, what)
            found.append(Channel(f"{joint}.{what}", units[what][0], "joint", joint, what, values, letters))
        if result.time_stepping is not None and isinstance(element.joint, Free):
            continue  # none, of bodies that may be very many
        try:
            force, torque = result.reaction(joint)
        except ChannelError:  # of a file of an event-driven run they are not known
            continue
        for what, values, unit in (("reaction_force", force, "N"), ("reaction_torque", torque, "N m")):
            found.append(Channel(f"{joint}.{what}", unit, "joint", joint, what, values, ("x", "y", "z")))
    return found


def _frame_channels(result: Result) -> list[Channel]:
    """Position and velocity of bodies and markers, angular velocity of bodies."""
    model, system = result.model, result.system
    items = [ElementId("body", name) for name in model.bodies]
    items += [ElementId("marker", name) for name, m in model.markers.items() if name_of(m.body) != GROUND]
    numbers = [system.markers[FrameKey(item)] for item in items]
    frames = observe(system, result.t, result.states, FRAMES, numbers).frames
    found: list[Channel] = []
    for k, (of, name) in enumerate(items):
        rows = [("position", 9, "m"), ("velocity", 15, "m/s")]
        for what, first, unit in rows + [("angular_velocity", 12, "rad/s")] * (of == "body"):
            values = frames[:, k, first : first + 3]
            found.append(Channel(f"{name}.{what}", unit, of, name, what, values, ("x", "y", "z")))
    return found


def _modal_channels(result: Result) -> list[Channel]:
    """Modal coordinates of flexible bodies, which bend them in the page."""
    return [
        Channel(
            f"{name}.modes", "1", "body", name, "modes", result.q[:, layout.q], tuple(map(str, range(len(layout.q))))
        )
        for name, layout in result.system.flexible.items()
    ]


def _state_channels(result: Result) -> list[Channel]:
    states = result.model.states
    return [Channel(name, states[name].unit, "state", name, "", result[name][:, None]) for name in states]


def energy_channels(result: Result) -> list[Channel]:
    """Energies and the residual of their balance."""
    e = result.energy
    rows = [("kinetic", e.kinetic), ("gravity", e.gravity), ("elastic", e.elastic), ("total", e.total),
            ("supplied", e.supplied), ("dissipated", e.dissipated), ("residual", e.residual)]  # fmt: skip
    return [Channel(f"energy.{what}", "J", "energy", "energy", what, values[:, None]) for what, values in rows]


def document_of(results: list[Result], names: list[str]) -> dict[str, Any]:
    """The whole document of one or several results: models once each, then the runs."""
    scenes: dict[int, tuple[int, Scene]] = {}
    runs: list[dict[str, Any]] = []
    for result, name in zip(results, names, strict=True):
        if id(result.model) not in scenes:
            scenes[id(result.model)] = (len(scenes), scene_of(result.system))
        number, scene = scenes[id(result.model)]
        runs.append(run_of(result, scene, name, number))
    return {"models": [scene.document for _, scene in scenes.values()], "runs": runs, "mode": "result"}
