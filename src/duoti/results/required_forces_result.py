"""`DrivenResult`: a motion that was asked for, with the forces that it asks of the actuators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from duoti.dynamics.derivatives.markers import marker_derivatives
from duoti.dynamics.workspace import new_tangent, new_workspace
from duoti.model.element_id import ElementId
from duoti.model.errors import ChannelError, did_you_mean
from duoti.model.quantities import Quantity
from duoti.results.result import Result
from duoti.system.arrays import Reals
from duoti.system.system import FrameKey, System

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DRIVE = ".drive"


class DriveChannel(NamedTuple):
    """Forces or torques of an actuator over time, one column for each coordinate that it moves, and their unit."""

    values: Reals
    unit: str


class DrivenResult(Result):
    """A result of a driven motion; `r["A.drive"]` is the force [N] or torque [N m] of the actuator in joint A.

    The model of the result has these forces as tables of the time. So reactions, accelerations and energies are those
    of the driven motion; `simulate(r.system, ..., at=(r, 0))` runs it forward.

    Attributes
    ----------
    dead_points:
        Positions on the way in which the constraints did not determine the motion.
    """

    def __init__(
        self,
        *arguments: Any,
        drives: Mapping[str, DriveChannel],
        dead_points: tuple[Any, ...] = (),
        accelerations: Reals | None = None,
        **named: Any,
    ):
        """accelerations: those of the motion, where they do not follow from forces but were found by themselves."""
        super().__init__(*arguments, **named)
        self.drives = dict(drives)
        self.dead_points = dead_points
        self._a = accelerations

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

    def _joint(self, quantity: Quantity) -> Reals:
        layout = self.system.joints[quantity.item]
        if quantity.what == "a" and self._a is not None and layout.closure < 0:
            return self._a[:, layout.v]
        if quantity.what.startswith("reaction"):
            self.system.require_dynamics()
        return super()._joint(quantity)

    def _frame(self, quantity: Quantity) -> Reals:
        if self._a is None or quantity.what not in ("acceleration", "angular_acceleration"):
            return super()._frame(quantity)
        kind = "marker" if quantity.kind == "marker" else "body"
        marker = self.system.markers[FrameKey(ElementId(kind, quantity.item))]
        seen = marker_accelerations(self.system, marker, self.q, self.v, self._a)
        return seen[:, 3:] if quantity.what == "acceleration" else seen[:, :3]

    def multipliers(self, name: str) -> Reals:
        """As of any result."""
        self.system.require_dynamics()
        return super().multipliers(name)

    def _drive(self, name: str) -> DriveChannel:
        who = name.removesuffix(DRIVE)
        if who not in self.drives:
            known = [f"{each}{DRIVE}" for each in self.drives]
            raise ChannelError(
                f'there is no drive "{name}".{did_you_mean(name, known) or " There are: " + ", ".join(known) + "."}'
            )
        return self.drives[who]


def marker_accelerations(system: System, marker: int, q: Reals, v: Reals, a: Reals) -> Reals:
    """Angular acceleration and acceleration of a marker in world axes, one row per state, for given rates of v."""
    work = new_workspace(system)
    scratch = new_tangent(system, work)
    found = np.zeros((len(q), 6))
    for n in range(len(q)):
        motion, out = np.zeros((3, 6)), np.zeros((4, system.nv, 6))
        work.ydot[system.nq : system.nq + system.nv] = a[n]
        marker_derivatives(
            system.tree, system.loads, work, scratch.tangent, q[n].copy(), v[n].copy(), a[n].copy(), marker, motion, out
        )
        found[n] = motion[2]
    return found
