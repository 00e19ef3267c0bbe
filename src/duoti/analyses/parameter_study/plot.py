"""Plots of studies: lines, heat maps, histograms, bars of sensitivity."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from duoti.results.plot.plots import COLOURS, new_figure
from duoti.strict import explained
from duoti.system.arrays import Reals

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure

SAMPLE, TIME = "sample", "time"
LOW, HIGH = 0.05, 0.95  # of samples, drawn as a band
MOST_LINES = 12  # of a second parameter; more values are a heat map
MOST_PANELS = 9


@explained
def plot_study(results: xarray.Dataset, measure: str | None = None) -> Figure:
    """Draw a measure of a study: over one parameter a line, over two a heat map, of samples a histogram with bars.

    The bars are rank correlations of the measure with each sampled parameter, between -1 and 1. Samples over a further
    parameter, or over time, are drawn as their median and the band of the middle 90 %. Runs that failed are left out.

    Parameters
    ----------
    results:
        What `Study.run` returned, or a part of it: `ds.sel(...)`.
    measure:
        Name of the measure; may be left out if there is only one.
    """
    kept = [name for name in results.data_vars if name not in ("status", "message")]
    if measure is None and len(kept) == 1:
        measure = str(kept[0])
    if measure not in kept:
        raise ValueError(f"measure={measure!r}: give one of {', '.join(map(str, kept))}")
    data = results[measure].squeeze()
    dims = [str(each) for each in data.dims]
    grids = [each for each in dims if each not in (SAMPLE, TIME)]
    if TIME in dims:
        return _over_time(results, data, grids)
    if SAMPLE in dims and not grids:
        return _of_samples(results, data)
    if len(grids) > 3 or (SAMPLE in dims and len(grids) > 2):
        raise ValueError(f"{measure} depends on {', '.join(dims)}: too many to draw; select some with results.sel(...)")
    if not dims:
        raise ValueError(f"{measure} is one number, {float(data):g}: there is nothing to draw")
    if SAMPLE in dims and len(grids) == 1:
        return _band_over(data, grids[0])
    if SAMPLE in dims:
        data = data.median(SAMPLE, keep_attrs=True)
    if len(grids) == 1:
        return _line(data, grids[0])
    if len(grids) == 2:
        return _map(data, *grids)
    return _panels(data, grids)


def _label(array: Any) -> str:
    unit = array.attrs.get("units", "")
    return f"{array.name} in {unit}" if unit and unit != "1" else str(array.name)


def _axis(figure: Figure, *place: int) -> Any:
    axis = figure.add_subplot(*place) if place else figure.add_subplot()
    axis.grid(alpha=0.3, linewidth=0.6)
    axis.spines[["top", "right"]].set_visible(False)
    return axis


def _is_numeric(values: Any) -> bool:
    return values.dtype.kind in "fiu"


def _is_log(values: Any) -> bool:
    """Whether values have equal ratios."""
    if not _is_numeric(values) or len(values) < 4 or np.min(values) <= 0:
        return False
    ratios = np.diff(np.log(values))
    return bool(np.allclose(ratios, ratios[0]) and not np.isclose(ratios[0], 0.0))


def _abscissa(axis: Any, coordinate: Any) -> Reals:
    """Label and scale of the axis of a parameter; where its values are drawn."""
    values = coordinate.values
    axis.set_xlabel(_label(coordinate))
    if not _is_numeric(values):
        places = np.arange(len(values), dtype=float)
        axis.set_xticks(places, [str(each) for each in values])
        return places
    if _is_log(values):
        axis.set_xscale("log")
    return values.astype(float)


def _line(data: Any, name: str) -> Figure:
    figure = new_figure(6.4, 4.0)
    axis = _axis(figure)
    x = _abscissa(axis, data[name])
    axis.plot(x, data.values, "o-", color=COLOURS[0], linewidth=1.6, markersize=4 if len(x) < 40 else 0)
    axis.set_ylabel(_label(data))
    return figure


def _band_over(data: Any, name: str) -> Figure:
    figure = new_figure(6.4, 4.0)
    axis = _axis(figure)
    x = _abscissa(axis, data[name])
    _band(axis, x, data.transpose(name, SAMPLE).values)
    axis.set_ylabel(_label(data))
    axis.legend(frameon=False, fontsize=9)
    return figure


def _band(axis: Any, x: Reals, values: Reals) -> None:
    """Median and middle part of samples along the second axis."""
    there = ~np.isnan(values).all(axis=1)
    low, middle, high = np.full((3, len(x)), np.nan)
    low[there], middle[there], high[there] = np.nanquantile(values[there], [LOW, 0.5, HIGH], axis=1)
    axis.fill_between(x, low, high, color=COLOURS[0], alpha=0.2, linewidth=0, label=f"{HIGH - LOW:.0%} of the samples")
    axis.plot(x, middle, color=COLOURS[0], linewidth=1.6, label="median")


def _map(data: Any, first: str, second: str) -> Figure:
    x, y = data[first], data[second]
    if not (_is_numeric(x.values) and _is_numeric(y.values)) or min(len(x), len(y)) == 2:
        return _lines(data, *((second, first) if not _is_numeric(x.values) or len(x) == 2 else (first, second)))
    figure = new_figure(6.4, 4.8)
    axis = figure.add_subplot()
    drawn = _mesh(axis, data.transpose(second, first), x, y, None)
    figure.colorbar(drawn, ax=axis, label=_label(data))
    return figure


def _mesh(axis: Any, data: Any, x: Any, y: Any, limits: tuple[float, float] | None) -> Any:
    low, high = limits or (None, None)
    drawn = axis.pcolormesh(
        _edges(x.values), _edges(y.values), data.values, cmap="viridis", shading="flat", vmin=low, vmax=high
    )
    if _is_log(x.values):
        axis.set_xscale("log")
    if _is_log(y.values):
        axis.set_yscale("log")
    axis.set_xlabel(_label(x))
    axis.set_ylabel(_label(y))
    return drawn


def _edges(values: Any) -> Reals:
    """Edges of the cells around values."""
    numbers = values.astype(float)
    log = _is_log(numbers)
    x = np.log(numbers) if log else numbers
    order = np.argsort(x)
    if not np.array_equal(order, np.arange(len(x))) and not np.array_equal(order, np.arange(len(x))[::-1]):
        raise ValueError("a heat map needs increasing values: results.sortby(...)")
    middle = 0.5 * (x[1:] + x[:-1])
    edges = np.concatenate([[x[0] - (middle[0] - x[0])], middle, [x[-1] + (x[-1] - middle[-1])]])
    return np.exp(edges) if log else edges


def _lines(data: Any, along: str, of: str) -> Figure:
    """A line over one parameter for each value of the other."""
    if data.sizes[of] > MOST_LINES:
        raise ValueError(f"{data.sizes[of]} values of {of} are too many lines; select some with results.sel(...)")
    figure = new_figure(6.4, 4.0)
    axis = _axis(figure)
    x = _abscissa(axis, data[along])
    for k, value in enumerate(data[of].values):
        axis.plot(x, data.isel({of: k}).values, "o-", color=COLOURS[k % len(COLOURS)], markersize=4, label=_text(value))
    axis.set_ylabel(_label(data))
    axis.legend(frameon=False, fontsize=9, title=_label(data[of]))
    return figure


def _text(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float | np.floating) else str(value)


def _panels(data: Any, grids: list[str]) -> Figure:
    first, second, third = sorted(grids, key=lambda name: -data.sizes[name])
    count = data.sizes[third]
    if count > MOST_PANELS or not all(_is_numeric(data[name].values) for name in (first, second)):
        raise ValueError(f"{data.name} depends on {', '.join(grids)}: select some values with results.sel(...)")
    columns = min(count, 3)
    rows = -(-count // columns)
    figure = new_figure(3.4 * columns + 1.0, 3.0 * rows)
    limits = float(data.min()), float(data.max())
    axes = list[Any]()
    for k in range(count):
        axes.append(axis := figure.add_subplot(rows, columns, k + 1))
        part = data.isel({third: k}).transpose(second, first)
        drawn = _mesh(axis, part, data[first], data[second], limits)
        axis.set_title(f"{third} = {_text(data[third].values[k])}", fontsize=10)
    figure.colorbar(drawn, ax=axes, label=_label(data))  # pyright: ignore[reportPossiblyUnboundVariable]
    return figure


# ---------------------------------------------------------------------------------------------------------- samples


def rank_correlations(results: xarray.Dataset, measure: str) -> dict[str, float]:
    """Spearman's correlation of a measure with each sampled parameter; NaN where one of them does not vary."""
    values = results[measure].values
    good = ~np.isnan(values)
    found = dict[str, float]()
    for name, coordinate in results.coords.items():
        if coordinate.dims == (SAMPLE,) and name != SAMPLE and _is_numeric(coordinate.values):
            found[str(name)] = _correlation(_ranks(coordinate.values[good]), _ranks(values[good]))
    return found


def _ranks(values: Any) -> Reals:
    _, where, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    return (last - 0.5 * (counts - 1))[where]  # equal values share the mean of their ranks


def _correlation(x: Reals, y: Reals) -> float:
    if len(x) < 2:
        return np.nan
    x, y = x - np.mean(x), y - np.mean(y)
    size = np.sqrt(np.sum(x * x) * np.sum(y * y))
    return float(np.sum(x * y) / size) if size > 0.0 else np.nan


def _of_samples(results: Any, data: Any) -> Figure:
    values = data.values[~np.isnan(data.values)]
    if not len(values):
        raise ValueError(f"{data.name}: no run has a value")
    shares = rank_correlations(results.squeeze(), str(data.name))
    figure = new_figure(9.0 if shares else 6.4, max(3.8, 1.4 + 0.32 * len(shares)))
    axis = _axis(figure, 1, 2 if shares else 1, 1)
    axis.hist(values, bins="auto" if np.ptp(values) > 0.0 else 1, color=COLOURS[0], alpha=0.85)
    low, middle, high = np.quantile(values, [LOW, 0.5, HIGH])
    for x, style in ((low, ":"), (middle, "-"), (high, ":")):
        axis.axvline(x, color="0.2", linewidth=1.2, linestyle=style)
    axis.set_xlabel(_label(data))
    axis.set_ylabel("runs")
    title = f"median {middle:.4g}; {HIGH - LOW:.0%} from {low:.4g} to {high:.4g}"
    axis.set_title(title, loc="left", fontsize=10)
    if shares:
        bars = _axis(figure, 1, 2, 2)
        order = sorted(shares, key=lambda name: abs(np.nan_to_num(shares[name])))
        bars.barh(order, [np.nan_to_num(shares[name]) for name in order], color=COLOURS[1], height=0.6)
        bars.axvline(0.0, color="0.2", linewidth=0.8)
        bars.set_xlim(-1.05, 1.05)
        bars.set_xlabel(f"rank correlation with {data.name}")
        bars.set_title("what it depends on", loc="left", fontsize=10)
    return figure


# ------------------------------------------------------------------------------------------------------------- time


def _over_time(results: Any, data: Any, grids: list[str]) -> Figure:
    if len(grids) > 1 or (grids and SAMPLE in data.dims):
        raise ValueError(f"{data.name} depends on {', '.join(map(str, data.dims))}: select some with results.sel(...)")
    figure = new_figure(6.4, 4.0)
    axis = _axis(figure)
    t = results[TIME].values
    axis.set_xlabel("time in s")
    axis.set_ylabel(_label(data))
    if SAMPLE in data.dims:
        _band(axis, t, data.transpose(TIME, SAMPLE).values)
        axis.legend(frameon=False, fontsize=9)
    elif grids:
        from matplotlib import colormaps

        name, count = grids[0], data.sizes[grids[0]]
        colours = colormaps["viridis"](np.linspace(0.0, 0.9, count))
        step = max(1, -(-count // MOST_LINES))
        for k in range(count):
            label = _text(data[name].values[k]) if k % step == 0 or k == count - 1 else None
            axis.plot(t, data.isel({name: k}).values, color=colours[k], linewidth=1.3, label=label)
        axis.legend(frameon=False, fontsize=9, title=_label(data[name]), loc="center left", bbox_to_anchor=(1.0, 0.5))
    else:
        axis.plot(t, data.values, color=COLOURS[0], linewidth=1.6)
    return figure
