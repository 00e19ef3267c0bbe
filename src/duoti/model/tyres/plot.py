"""Characteristic curves of a tyre."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from duoti.model.tyres.tyre import Tyre

Array = NDArray[np.float64]
MOST_SLIP, MOST_ANGLE = 0.5, np.radians(15.0)
POINTS = 201


def plot_tyre(tyre: Tyre, loads: Array, camber: float) -> Any:
    """Forces and aligning torque over slips, one curve for each load, and lateral over longitudinal force."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9.0, 6.5), layout="constrained")
    (along, across), (torque, both) = figure.subplots(2, 2)
    kappa, alpha = np.linspace(-MOST_SLIP, MOST_SLIP, POINTS), np.linspace(-MOST_ANGLE, MOST_ANGLE, POINTS)
    degrees = np.degrees(alpha)
    for load in loads:
        name = f"{load / 1e3:g} kN"
        by_slip, by_angle = tyre.forces(load, kappa, camber=camber), tyre.forces(load, 0.0, alpha, camber)
        along.plot(kappa, by_slip.fx / 1e3, label=name)
        across.plot(degrees, by_angle.fy / 1e3, label=name)
        torque.plot(degrees, by_angle.mz, label=name)
    middle = float(loads[len(loads) // 2])
    for angle in np.radians((-12.0, -8.0, -4.0, -2.0, 0.0, 2.0, 4.0, 8.0, 12.0)):
        found = tyre.forces(middle, kappa, angle, camber)
        both.plot(found.fx / 1e3, found.fy / 1e3, color="C0", linewidth=0.8)
    for axes, x, y in (
        (along, "slip ratio", "longitudinal force [kN]"),
        (across, "slip angle [deg]", "lateral force [kN]"),
        (torque, "slip angle [deg]", "aligning torque [N m]"),
        (both, "longitudinal force [kN]", "lateral force [kN]"),
    ):
        axes.set_xlabel(x)
        axes.set_ylabel(y)
        axes.grid(visible=True, alpha=0.3)
    along.legend(title="load")
    both.set_title(f"{middle / 1e3:g} kN, slip angles up to 12 deg", fontsize="medium")
    figure.suptitle(tyre.kind)
    return figure
