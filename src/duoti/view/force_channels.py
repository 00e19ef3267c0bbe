"""What each force element does over time: forces and torques at markers, tensions, torques in joints."""

from __future__ import annotations

from duoti.model.errors import ChannelError
from duoti.results.force_channels import seen_force
from duoti.results.result import Result
from duoti.view.channel import Channel

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
