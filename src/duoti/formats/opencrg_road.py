"""From the channels of an OpenCRG file to a road: reference line, slope, banking, modifiers, borders."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from duoti.model.roads.arrays import Grid, Line

Array = NDArray[np.float64]
Fault = Callable[[int, str], None]
UNEVEN = 0.03  # part of a distance by which distances on a reference line may differ
CONTRADICTS = 1e-3  # part of the length by which the end may be off what headings or slopes sum up to
SAME_PLACE = 1e-3  # m, of the ends of a closed reference line
SAME_HEADING = 0.1  # rad
BORDERS = {1: "zero", 2: "keep", 3: "repeat"}
DEFAULT_BORDER = "keep"


@dataclass
class Channels:
    """What a file holds: settings with their lines, channels (kind, place or number, line), and rows of data."""

    values: Mapping[str, float]
    lines: Mapping[str, int]
    kinds: Sequence[tuple[str, float, int]]
    rows: Array
    data_line: int

    def of(self, kind: str) -> Array | None:
        """The data of a channel of the reference line."""
        places = [k for k, (name, _, _) in enumerate(self.kinds) if name == kind]
        return self.rows[:, places[0]].copy() if places else None

    def value(self, key: str, default: float = 0.0) -> float:
        """A setting."""
        return self.values.get(key, default)


def road_of(given: Channels, fault: Fault, friction: float, interpolation: str, outside: str | None) -> Grid | None:
    """The road, or None with faults."""
    if len(given.rows) < 2:
        fault(given.data_line, f"there are {len(given.rows)} records; a road needs at least 2")
        return None
    v, z = _sections(given, fault)
    u, line = _reference_line(given, fault, interpolation)
    borders = _borders(given, fault, outside)
    if v is None or z is None or u is None:
        return None
    increment = (u[-1] - u[0]) / (len(u) - 1)
    heights = _filled(given, z, v, fault)
    heights = heights * given.value("scale_z_grid", 1.0)
    heights = heights + _along(given, u, increment, fault)[:, None]
    bank = given.of("banking")
    bank = np.full(len(u), given.value("reference_line_start_b")) if bank is None else np.nan_to_num(bank)
    heights = heights + given.value("scale_banking", 1.0) * bank[:, None] * v[None, :]
    phi = given.value("reference_line_start_phi")
    x, y = given.value("reference_line_start_x"), given.value("reference_line_start_y")
    grid = Grid(u, v, heights, friction, interpolation, *borders, line=line)
    if line is None:
        grid = replace(grid, start=(x - u[0] * np.cos(phi), y - u[0] * np.sin(phi), phi))
    else:
        _check_bends(line, v, fault, given.data_line)
    return _moved(given, grid, fault)


def _sections(given: Channels, fault: Fault) -> tuple[Array | None, Array | None]:
    """Places v of the long sections, and heights at them [u, v], from right to left."""
    found = [(k, kind, place, line) for k, (kind, place, line) in enumerate(given.kinds) if kind in ("v", "number")]
    kinds = {kind for _, kind, _, _ in found}
    if len(found) < 2 or len(kinds) > 1:
        fault(found[0][3], "there must be two or more long sections, all by their places or all by their numbers")
        return None, None
    found.sort(key=lambda each: each[2])
    places = np.array([place for _, _, place, _ in found])
    if kinds == {"number"}:
        right, left = given.value("long_section_v_right", np.nan), given.value("long_section_v_left", np.nan)
        step = given.value("long_section_v_increment", (left - right) / (len(found) - 1))
        if np.isnan(right):  # without places of the sides: as far to the right as to the left
            width = step * (len(found) - 1)
            right = -0.5 * width if np.isnan(left) else left - width
        if not np.array_equal(places, np.arange(1, len(found) + 1)):
            fault(found[0][3], f"the long sections have the numbers {places.astype(int).tolist()}, not 1, 2, 3, ...")
        if np.isnan(right) or np.isnan(step) or step <= 0.0:
            fault(found[0][3], "long sections by numbers need LONG_SECTION_V_INCREMENT > 0")
            return None, None
        if not np.isnan(left) and abs(right + step * (len(found) - 1) - left) > UNEVEN * step:
            fault(given.lines["long_section_v_left"], f"{len(found)} long sections from v = {right:g} m on every "
                  f"{step:g} m do not end at LONG_SECTION_V_LEFT = {left:g} m")  # fmt: skip
        places = np.asarray(right + step * np.arange(len(found)), dtype=np.float64)
    elif np.any(np.diff(places) < 1e-6):
        same = found[int(np.argmin(np.diff(places))) + 1]
        fault(same[3], f"two long sections are at v = {same[2]:g} m")
        return None, None
    return places, given.rows[:, [k for k, _, _, _ in found]]


def _reference_line(given: Channels, fault: Fault, interpolation: str) -> tuple[Array | None, Line | None]:
    """Stations, and the reference line unless it is straight."""
    count = len(given.rows)
    x, y, phi, stations = given.of("x"), given.of("y"), given.of("phi"), given.of("u")
    start = given.value("reference_line_start_u")
    increment = given.value("reference_line_increment", np.nan)
    if (x is None) != (y is None):
        fault(given.data_line, "there is a channel x or y of the reference line without the other one")
        return None, None
    if x is not None and y is not None:
        steps = np.hypot(np.diff(x), np.diff(y))
        increment = float(np.mean(steps))
        start = start if "reference_line_start_u" in given.values else 0.0
    else:
        steps = np.diff(stations) if stations is not None else np.full(count - 1, increment)
        if stations is not None:
            start, increment = float(stations[0]), float(stations[-1] - stations[0]) / (count - 1)
        if np.isnan(increment) and "reference_line_end_u" in given.values:
            increment = (given.values["reference_line_end_u"] - start) / (count - 1)
            steps = np.full(count - 1, increment)
    if not increment > 1e-6 or np.any(np.abs(steps - increment) > UNEVEN * increment):
        fault(given.lines.get("reference_line_increment", given.data_line), "the stations of the reference line have "
              f"no constant positive distance; REFERENCE_LINE_INCREMENT is {increment:g} m")  # fmt: skip
        return None, None
    u: Array = np.asarray(start + increment * np.arange(count), dtype=np.float64)
    end = given.value("reference_line_end_u", u[-1])
    if abs(end - u[-1]) > 0.5 * increment:
        fault(given.lines["reference_line_end_u"], f"REFERENCE_LINE_END_U = {end:g} m, but {count} records every "
              f"{increment:g} m end at {u[-1]:g} m")  # fmt: skip
    if x is None and phi is None:
        return u, None
    if x is None or y is None:
        assert phi is not None
        phi[0] = given.value("reference_line_start_phi")
        if not np.all(np.isfinite(phi)):
            record = int(np.argmax(~np.isfinite(phi))) + 1
            fault(given.data_line, f"the heading phi of record {record} behind this line is no number")
            return None, None
        x = _summed(given, "x", increment * np.cos(phi[1:]), u, fault)
        y = _summed(given, "y", increment * np.sin(phi[1:]), u, fault)
    return u, line_through(u, x, y, interpolation != "linear", _closes(given, x, y))


def _summed(given: Channels, name: str, steps: Array, u: Array, fault: Fault) -> Array:
    """A sum of steps from the start on; if the end is given, too, the difference is spread over the length."""
    found = given.value(f"reference_line_start_{name}") + np.concatenate([[0.0], np.cumsum(steps)])
    if f"reference_line_end_{name}" not in given.values:
        return found
    off = given.values[f"reference_line_end_{name}"] - found[-1]
    if abs(off) > CONTRADICTS * (u[-1] - u[0]) + SAME_PLACE:
        fault(given.lines[f"reference_line_end_{name}"], f"REFERENCE_LINE_END_{name.upper()} is {off:g} m off the end "
              "that the data lead to")  # fmt: skip
    return found + off * np.linspace(0.0, 1.0, len(found))


def _closes(given: Channels, x: Array, y: Array) -> bool:
    """Whether the reference line is a closed track, and is asked to be one."""
    asked = given.value("refline_continuation") == 1.0 or given.value("border_mode_u") == 3.0
    headings = np.arctan2([y[1] - y[0], y[-1] - y[-2]], [x[1] - x[0], x[-1] - x[-2]])
    turned = abs((headings[1] - headings[0] + np.pi) % (2.0 * np.pi) - np.pi)
    return asked and bool(np.hypot(x[-1] - x[0], y[-1] - y[0]) < SAME_PLACE and turned < SAME_HEADING)


def line_through(u: Array, x: Array, y: Array, smooth: bool, closed: bool) -> Line:
    """A reference line through points: a spline, or straight pieces with tangents along the chord of neighbours."""
    if closed:
        x, y = np.append(x[:-1], x[0]), np.append(y[:-1], y[0])
    if smooth:
        from scipy.interpolate import CubicSpline

        ends = "periodic" if closed else "natural"
        return Line(u, x, y, CubicSpline(u, x, bc_type=ends)(u, 1), CubicSpline(u, y, bc_type=ends)(u, 1), closed)
    dx, dy = np.gradient(x, u), np.gradient(y, u)
    return Line(u, x, y, dx, dy, closed)


def _along(given: Channels, u: Array, increment: float, fault: Fault) -> Array:
    """Height of the reference line."""
    slope = given.of("slope")
    slope = np.full(len(u), given.value("reference_line_start_s")) if slope is None else np.nan_to_num(slope)
    steps = given.value("scale_slope", 1.0) * slope[1:] * increment
    if not np.any(steps):
        return np.full(len(u), given.value("reference_line_start_z"))
    return _summed(given, "z", steps, u, fault)


def _filled(given: Channels, z: Array, v: Array, fault: Fault) -> Array:
    """Heights without gaps: by default those at the sides as high as the next one further in."""
    holes = ~np.isfinite(z)
    if not np.any(holes):
        return z
    mode, offset = given.value("grid_nan_mode", 2.0), given.value("grid_nan_offset")
    row, column = (int(k) for k in np.argwhere(holes)[0])
    if mode == 0.0:
        fault(given.lines["grid_nan_mode"], f"GRID_NAN_MODE = 0 keeps gaps, but record {row + 1} has one at "
              f"v = {v[column]:g} m: a road has a height everywhere")  # fmt: skip
        return np.nan_to_num(z)
    if mode == 1.0:
        return np.where(holes, offset, z)
    found = z.copy()
    for k in np.flatnonzero(holes.any(axis=1)):
        good = np.flatnonzero(~holes[k])
        if not len(good):
            fault(given.data_line, f"record {k + 1} has no height at all")
            return np.nan_to_num(z)
        last = np.maximum.accumulate(np.where(~holes[k], np.arange(len(v)), -1))
        found[k] = z[k, np.where(last < 0, good[0], last)] + offset * holes[k]
    return found


def _borders(given: Channels, fault: Fault, outside: str | None) -> tuple[str, str]:
    """What is beyond the ends, and beyond the sides."""
    found: list[str] = []
    for name in ("u", "v"):
        mode = given.values.get(f"border_mode_{name}")
        if outside is not None:
            found.append("keep" if name == "v" and outside == "repeat" else outside)
        elif mode is not None and mode not in BORDERS:
            fault(given.lines[f"border_mode_{name}"], f"BORDER_MODE_{name.upper()} = {mode:g} is not supported; give "
                  'outside= "keep", "repeat", "straight" or "zero" instead')  # fmt: skip
            found.append(DEFAULT_BORDER)
        else:
            found.append(BORDERS[int(mode)] if mode is not None else DEFAULT_BORDER)
    if outside is None and given.value("refline_continuation") == 1.0:
        found[0] = "repeat"
    return found[0], found[1]


def _check_bends(line: Line, v: Array, fault: Fault, at: int) -> None:
    """Whether normals of the reference line meet on the road: a place there would have several stations."""
    headings = np.unwrap(np.arctan2(line.dy, line.dx))
    curvature = np.diff(headings) / np.diff(line.u)
    inner = np.where(curvature > 0.0, max(v[-1], 0.0), max(-v[0], 0.0))
    worst = int(np.argmax(np.abs(curvature) * inner))
    if abs(curvature[worst]) * inner[worst] >= 1.0:
        fault(at, f"at u = {line.u[worst]:g} m the reference line has a radius of {1.0 / abs(curvature[worst]):.3g} m, "
              f"less than the {inner[worst]:.3g} m that the road is wide on its inner side")  # fmt: skip


def _moved(given: Channels, grid: Grid, fault: Fault) -> Grid:
    """The road where the modifiers move it: by an offset, or a point of it to a place."""
    value = given.value
    if any(key.startswith("refpoint") for key in given.values):
        length = grid.u[-1] - grid.u[0]
        station = value("refpoint_u", grid.u[0] + value("refpoint_u_fraction") * length) + value("refpoint_u_offset")
        if "refpoint_v_fraction" in given.values:
            side = grid.v[0] + value("refpoint_v_fraction") * (grid.v[-1] - grid.v[0])
        else:
            side = value("refpoint_v")
        side += value("refpoint_v_offset")
        x, y, heading = _place(grid, station)
        x, y = x - side * np.sin(heading), y + side * np.cos(heading)
        if side != 0.0 or station != grid.u[0]:
            key = next(key for key in given.values if key.startswith("refpoint"))
            fault(given.lines[key], "a reference point other than the start of the reference line is not supported; "
                  "use REFLINE_OFFSET_...")  # fmt: skip
        turn = value("refpoint_phi") - heading
        target = value("refpoint_x"), value("refpoint_y"), value("refpoint_z") - value("reference_line_start_z")
        return _turned(grid, (x, y), turn, (target[0] - x, target[1] - y), target[2])
    x, y, _ = _place(grid, grid.u[0])
    centre = value("refline_rotcenter_x", x), value("refline_rotcenter_y", y)
    by = value("refline_offset_x"), value("refline_offset_y")
    return _turned(grid, centre, value("refline_offset_phi"), by, value("refline_offset_z"))


def _place(grid: Grid, station: float) -> tuple[float, float, float]:
    """Place and heading of the reference line at its start."""
    if grid.line is not None:
        line = grid.line
        return float(line.x[0]), float(line.y[0]), float(np.arctan2(line.dy[0], line.dx[0]))
    x, y, heading = grid.start
    return x + station * np.cos(heading), y + station * np.sin(heading), heading


def _turned(grid: Grid, centre: tuple[float, float], turn: float, by: tuple[float, float], up: float) -> Grid:
    """The same road, turned about a centre and moved."""
    c, s = np.cos(turn), np.sin(turn)

    def moved(x: Array, y: Array) -> tuple[Array, Array]:
        dx, dy = x - centre[0], y - centre[1]
        return centre[0] + by[0] + c * dx - s * dy, centre[1] + by[1] + s * dx + c * dy

    grid = replace(grid, z=grid.z + up)
    if grid.line is None:
        x, y = moved(np.asarray(grid.start[0]), np.asarray(grid.start[1]))
        return replace(grid, start=(float(x), float(y), grid.start[2] + turn))
    line = grid.line
    x, y = moved(line.x, line.y)
    dx, dy = c * line.dx - s * line.dy, s * line.dx + c * line.dy
    return replace(grid, line=Line(line.u, x, y, dx, dy, line.closed))
