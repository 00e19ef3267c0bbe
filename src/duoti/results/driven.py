"""`DrivenResult`: a motion that was asked for, with the forces that it asks of the actuators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from duoti.model.errors import ChannelError, did_you_mean
from duoti.results.result import Result
from duoti.system.arrays import Reals

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DRIVE = ".drive"


class DriveChannel(NamedTuple):
    """Forces or torques of an actuator over time, one column for each coordinate that it moves, and their unit."""

    values: Reals
    unit: str


class DrivenResult(Result):
    """A result with further channels: r["A.drive"], the force [N] or torque [N m] of the actuator in joint A (or at the
    marker A, in world axes). Its model has these forces in it, as tables of the time, so that reactions, accelerations
    and energies are those of the driven motion; `simulate(r.system, ..., state=(r.q[0], r.v[0]))` runs it forward.

    dead_points: positions in which the constraints did not determine the motion, passed on the way.
    """

    def __init__(
        self, *arguments: Any, drives: Mapping[str, DriveChannel], dead_points: tuple[Any, ...] = (), **named: Any
    ):
        super().__init__(*arguments, **named)
        self.drives = dict(drives)
        self.dead_points = dead_points

    @property
    def channels(self) -> list[str]:
        """Names of all channels."""
        return [*super().channels, *(f"{name}{DRIVE}" for name in self.drives)]

    def unit(self, name: str) -> str:
        """Unit of a channel."""
        return self._drive(name).unit if name.endswith(DRIVE) else super().unit(name)

    def __getitem__(self, name: str) -> Reals:
        if not name.endswith(DRIVE):
            return super().__getitem__(name)
        values = self._drive(name).values
        return values[:, 0] if values.shape[1] == 1 else values

    def plot(self, *names: str, compare: Mapping[str, Result] | None = None) -> Figure:
        """As of any result; without names, the drives."""
        return super().plot(*(names or tuple(f"{name}{DRIVE}" for name in self.drives)), compare=compare)

    def __str__(self) -> str:
        lines = [repr(self)]
        for name, (values, unit) in self.drives.items():
            most, mean = np.max(np.abs(values), axis=0), np.sqrt(np.mean(values**2, axis=0))
            lines += [
                f"  {name}: largest {x:.6g} {unit}, root mean square {y:.6g} {unit}"
                for x, y in zip(most, mean, strict=True)
            ]
        for point in self.dead_points:
            change = ", and may have changed its branch" if point.branch_change else ""
            lines.append(f"  dead point at t = {point.t:.6g} s: {', '.join(point.joints)} can move there{change}")
        return "\n".join(lines)

    def _drive(self, name: str) -> DriveChannel:
        who = name.removesuffix(DRIVE)
        if who not in self.drives:
            known = [f"{each}{DRIVE}" for each in self.drives]
            raise ChannelError(
                f'there is no drive "{name}".{did_you_mean(name, known) or " There are: " + ", ".join(known) + "."}'
            )
        return self.drives[who]
