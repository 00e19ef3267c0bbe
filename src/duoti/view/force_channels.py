"""What each force element does over time: forces and torques at markers, tensions, torques in joints."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from duoti.analyses.single_force import SingleForce
from duoti.model.elements import name_of
from duoti.model.forces.applied import Applied
from duoti.model.forces.base import Force, JointElementForce, LineElement
from duoti.results.result import Result
from duoti.view.channel import Channel

Array = NDArray[np.float64]
MOST_CALLS = 20_000  # evaluations of elements; beyond, values between fewer instants are interpolated


def force_channels(result: Result) -> list[Channel]:
    """Channels of the elements that push: applied forces and torques, tensions along lines, torques in joints."""
    forces = {
        k: (name, force)
        for k, (name, force) in enumerate(result.model.forces.items())
        if isinstance(force, Applied | LineElement | JointElementForce) and force.kind != "joint_damping"
    }
    found: list[Channel] = []
    for k, (name, force) in forces.items():
        count = max(2, MOST_CALLS // len(forces))
        rows = np.unique(np.linspace(0, len(result.t) - 1, min(count, len(result.t))).round().astype(int))
        values = _evaluated(result, k, force, rows)
        if len(rows) < len(result.t):
            t = result.t[rows]
            values = np.column_stack([np.interp(result.t, t, column) for column in values.T])
        found.append(_channel(result, name, force, values))
    return found


def _channel(result: Result, name: str, force: Force, values: Array) -> Channel:
    if isinstance(force, Applied):
        what, unit = ("force", "N") if force.kind == "applied_force" else ("torque", "N m")
        return Channel(f"{name}.{what}", unit, "force", name, what, values, ("x", "y", "z"))
    if isinstance(force, LineElement):
        return Channel(f"{name}.tension", "N", "force", name, "tension", values)
    assert isinstance(force, JointElementForce)
    turns = bool(result.system.tree.turns[_rate(result, force)])
    what, unit = ("torque", "N m") if turns else ("force", "N")
    return Channel(f"{name}.{what}", unit, "force", name, what, values)


def _rate(result: Result, force: JointElementForce) -> int:
    return int(result.system.joints[name_of(force.joint)].v[force.coordinate or 0])  # pyright: ignore[reportArgumentType]


def _evaluated(result: Result, k: int, force: Force, rows: NDArray[np.int64]) -> Array:
    """The element number k alone, at some of the times."""
    system, loads = result.system, result.system.loads
    alone = SingleForce(system, k)
    marker = (
        system.marker_index(name_of(next(iter(force.markers()))[1])) if not isinstance(force, JointElementForce) else 0
    )
    second = system.marker_index(name_of(list(force.markers())[1][1])) if isinstance(force, LineElement) else 0
    out = np.zeros((len(rows), 3 if isinstance(force, Applied) else 1))
    for i, row in enumerate(rows):
        work = alone.at(float(result.t[row]), result.states[row])
        if isinstance(force, JointElementForce):
            out[i] = work.tau[_rate(result, force)]
            continue
        b = loads.markers.body[marker]
        R_WB = work.X_WB[b, :9].reshape(3, 3)
        torque, force_vector = R_WB @ work.F_ext[b, :3], R_WB @ work.F_ext[b, 3:]
        if isinstance(force, LineElement):  # positive where it pulls the markers together
            line = _point(work, loads, second) - _point(work, loads, marker)
            c = loads.markers.body[second]
            if b == 0:  # ground is not pushed: take the other end
                line, force_vector = -line, work.X_WB[c, :9].reshape(3, 3) @ work.F_ext[c, 3:]
            length = float(np.linalg.norm(line))
            out[i] = force_vector @ line / length if length > 0 else 0.0
        else:
            out[i] = force_vector if force.kind == "applied_force" else torque
    return out


def _point(work: object, loads: object, marker: int) -> Array:
    X_WB = work.X_WB[loads.markers.body[marker]]  # pyright: ignore[reportAttributeAccessIssue]
    return X_WB[:9].reshape(3, 3) @ loads.markers.X_BM[marker, 9:] + X_WB[9:]  # pyright: ignore[reportAttributeAccessIssue]
