"""Pictures of linear systems: eigenvalues, modes, frequency responses, root loci and Campbell diagrams."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from duoti.results.plot.plots import COLOURS, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from duoti.analyses.linear.linear_system import LinearSystem
    from duoti.analyses.linear.root_locus import RootLocus

MOST_MODES = 6  # whose shapes are drawn
MOST_BARS = 8
ZERO_EIGENVALUE = 1e-6  # eigenvalue that is zero in a picture [1/s]
FAR = 5.0  # times as far out as the next eigenvalue: it would leave no room for the others in a picture


def _plane(axes: Any, values: Any) -> None:
    """The complex plane, as far as most eigenvalues reach; those farther out are counted in a corner."""
    axes.axvline(0.0, color="0.7", lw=0.8)
    axes.axhline(0.0, color="0.7", lw=0.8)
    axes.set_xlabel("real part [1/s]")
    axes.set_ylabel("imaginary part [1/s]")
    shown, outside = _within_view(values)
    (left, right), (low, high) = shown
    axes.set_xlim(left, right)
    axes.set_ylim(low, high)
    if outside.size:
        ways = len(outside) if outside.ndim == 1 else outside.shape[1]
        size = np.abs(outside)
        reach = (
            f"{size.min():.3g}"
            if np.isclose(size.min(), size.max(), rtol=1e-2)
            else (f"{size.min():.3g} to {size.max():.3g}")
        )
        words = "1 eigenvalue reaches" if ways == 1 else f"{ways} eigenvalues reach"
        axes.text(
            0.01, 0.99, f"{words} beyond: |s| = {reach} 1/s", transform=axes.transAxes, fontsize=8, va="top",
            color="0.35", bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.5},
        )  # fmt: skip


def _within_view(values: Any) -> tuple[Any, Any]:
    """Limits of both axes, and the ways (columns; or eigenvalues) that stay outside.

    Ways are taken from the smallest to the largest reach; the first that is FAR times as large as all before, and what
    is beyond it, stays outside, unless that were more than a third of them, or all others are zero.
    """
    ways = np.atleast_2d(np.asarray(values, dtype=complex))
    if not ways.size:
        return ((-1.0, 1.0), (-1.0, 1.0)), np.zeros(0)
    reach = np.max(np.abs(ways), axis=0)
    order = np.argsort(reach)
    shown = len(order)
    for k in range(max(1, -(-2 * len(order) // 3)), len(order)):
        before = float(reach[order[k - 1]])
        if before > ZERO_EIGENVALUE and reach[order[k]] > FAR * before:
            shown = k
            break
    inside: Any = ways[:, order[:shown]]
    outside: Any = ways[:, order[shown:]]
    outside = outside[0] if np.ndim(values) == 1 else outside
    limits: list[tuple[float, float]] = []
    largest = float(np.max(np.abs(inside))) or 1.0
    for part in (inside.real, inside.imag):
        low, high = min(float(part.min()), 0.0), max(float(part.max()), 0.0)
        room = max(0.08 * (high - low), 0.02 * largest)
        limits.append((low - room, high + room))
    return tuple(limits), outside


def plot_modes(linear: LinearSystem) -> Figure:
    """Eigenvalues in the complex plane; what takes part in the first modes."""
    modes = linear.modes[:MOST_MODES]
    figure = new_figure(11.0, 4.6)
    left, right = figure.subplots(1, 2, width_ratios=(1, 1.3))  # pyright: ignore[reportUnknownMemberType]
    values = linear.eigenvalues
    _plane(left, values)
    left.plot(values.real, values.imag, "x", color=COLOURS[0], ms=8, mew=2)
    left.set_title(f"eigenvalues of {linear.system.model.name}", fontsize=10)
    names = list(dict.fromkeys(name for mode in modes for name in list(mode.participation)[:3]))[:MOST_BARS]
    width = min(0.25, 0.8 / max(len(modes), 1))
    for k, mode in enumerate(modes):
        label = f"{mode.frequency:.4g} Hz" if mode.oscillates else f"{mode.eigenvalue.real:.4g} 1/s"
        label += f", ratio {mode.damping_ratio:.3g}" if mode.oscillates and abs(mode.damping_ratio) > 1e-9 else ""
        parts = [mode.participation.get(name, 0.0) for name in names]
        right.barh(
            np.arange(len(names)) + (k + 0.5 - 0.5 * len(modes)) * width,
            parts,
            width,
            color=COLOURS[k % len(COLOURS)],
            label=label,
        )
    right.set_yticks(range(len(names)), names)
    right.set_ylim(-0.6, max(len(names) - 0.4, 1.6))
    right.invert_yaxis()
    right.set_xlabel("part in the mode")
    right.set_title("modes", fontsize=10)
    if modes:
        right.legend(fontsize=8)
    return figure


def plot_response(linear: LinearSystem, frequencies: ArrayLike | None = None) -> Figure:
    """Size and phase of every output for every input over the frequency."""
    if frequencies is None:
        found = linear.frequencies[linear.frequencies > 0]
        low, high = (found.min() / 20, found.max() * 20) if len(found) else (0.01, 100.0)
        frequencies = np.geomspace(low, high, 2000)
    f = np.asarray(frequencies, dtype=float)
    response = linear.frequency_response(f)
    figure = new_figure(8.0, 6.0)
    size, phase = figure.subplots(2, 1, sharex=True)  # pyright: ignore[reportUnknownMemberType]
    k = 0
    for i, output in enumerate(linear.outputs):
        for j, given in enumerate(linear.inputs):
            values = response[i, j]
            if not np.any(np.abs(values) > 1e-14 * np.max(np.abs(response))):
                continue
            colour, style = COLOURS[k % len(COLOURS)], ("-", "--", ":")[(k // len(COLOURS)) % 3]
            size.loglog(f, np.abs(values), style, color=colour, label=f"{output} / {given}")
            phase.semilogx(f, np.degrees(np.unwrap(np.angle(values))), style, color=colour)
            k += 1
    size.set_ylabel("size")
    phase.set_ylabel("phase [deg]")
    phase.set_xlabel("frequency [Hz]")
    for axes in (size, phase):
        axes.grid(True, which="both", lw=0.3)
    size.set_title(f"frequency response of {linear.system.model.name}", fontsize=10)
    if k:
        size.legend(fontsize=8)
    return figure


def plot_locus(locus: RootLocus) -> Figure:
    """The ways of the eigenvalues over the parameter."""
    figure = new_figure(7.5, 5.5)
    axes = figure.subplots()  # pyright: ignore[reportUnknownMemberType]
    _plane(axes, locus.eigenvalues)
    for k, way in enumerate(locus.eigenvalues.T):
        axes.plot(way.real, way.imag, "-", color=COLOURS[k % len(COLOURS)], lw=1.2)
    points = axes.scatter(
        locus.eigenvalues.real.ravel(), locus.eigenvalues.imag.ravel(), s=10, zorder=3,
        c=np.repeat(locus.values, locus.eigenvalues.shape[1]), cmap="viridis",
    )  # fmt: skip
    figure.colorbar(points, label=locus.parameter)
    axes.set_title(f"root locus of {locus.model}", fontsize=10)
    return figure


def plot_campbell(locus: RootLocus, orders: Sequence[float], scale: float) -> Figure:
    """Frequencies over the parameter, with lines at multiples of it."""
    figure = new_figure(8.0, 5.0)
    axes = figure.subplots()  # pyright: ignore[reportUnknownMemberType]
    frequencies = locus.frequencies
    for k, way in enumerate(frequencies.T):
        axes.plot(locus.values, way, color=COLOURS[k % len(COLOURS)], lw=1.6)
    top = float(np.nanmax(frequencies)) * 1.1 if frequencies.size else 1.0
    for order in orders:
        axes.plot(locus.values, order * scale * locus.values, "--", color="0.6", lw=0.9)
        axes.annotate(
            f"{order:g}x", (locus.values[-1], min(order * scale * locus.values[-1], top)), fontsize=8, color="0.4"
        )
    axes.set_ylim(0.0, top)
    axes.set_xlabel(locus.parameter)
    axes.set_ylabel("frequency [Hz]")
    axes.set_title(f"frequencies of {locus.model}", fontsize=10)
    axes.grid(True, lw=0.3)
    return figure
