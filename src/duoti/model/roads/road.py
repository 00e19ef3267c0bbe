"""A road: height, slope and friction over a horizontal plane."""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duoti.model.roads.arrays import INTERPOLATIONS, OUTSIDE, Grid, Ints, flat_arrays, grid_arrays
from duoti.model.roads.random_profile import CLASSES, heights
from duoti.spatial import Shape
from duoti.spatial.axes import is_finite_number
from duoti.strict import explained_constructors, user_level

Array = NDArray[np.float64]
Interpolation = Literal["cubic", "monotone", "linear"]
Outside = Literal["keep", "repeat", "straight", "zero"]
LEAST_POINTS = 2
OVERSHOOT, LEAST_OVERSHOOT = 0.25, 0.05  # parts of the range of the points near by, and of all
SAMPLES_PER_WAVE = 6  # of the shortest wave of a random road


@explained_constructors
class Road:
    """The surface of a road: height z over x and y in its frame, z upwards, with friction. It does not change.

    The methods below make roads. The same road serves tyres, contacts (`shape`) and the viewer. Friction is a factor:
    tyres multiply their own coefficients by it.

    What is common to them:

    - `friction`: a number, or for a height field one for each point (bilinear between them).
    - `interpolation`: "cubic" (spline with continuous curvature), "monotone" (continuous slopes, no overshoot at steps)
      or "linear".
    - `outside`: what is beyond the ends: "keep" (the height there), "repeat" (the road again; its ends must fit),
      "straight" (the slope there) or "zero" (height 0).

    The parts of this class are made by its methods, not by `Road(...)`.
    """

    def __init__(self, made_by: str, arguments: dict[str, Any], grid: Grid | None):
        self.made_by, self.arguments, self.grid = made_by, arguments, grid

    @classmethod
    def flat(cls, height: float = 0.0, friction: float = 1.0) -> Road:
        """A horizontal plane at `height` [m]."""
        _finite("flat", height=height, friction=friction)
        return cls("flat", {"height": float(height), "friction": float(friction)}, None)

    @classmethod
    def profile(
        cls,
        table: str | Path | ArrayLike,
        friction: float = 1.0,
        interpolation: Interpolation = "cubic",
        outside: Outside = "keep",
    ) -> Road:
        """A height over x alone.

        Parameters
        ----------
        table:
            Points (x, z) [m] with increasing x, or the name of a CSV file with two such columns.
        friction:
            Coefficient of friction.
        interpolation:
            "cubic", "monotone" or "linear" between the points.
        outside:
            What is beyond the first and the last point.
        """
        _choices("profile", interpolation, outside)
        _finite("profile", friction=friction)
        if isinstance(table, str | os.PathLike):
            from duoti.formats.csv_tables import read_table

            x, z = read_table(table, columns=None)
            points = np.stack([x, z], axis=1)
        else:
            points = _numbers("profile", "table", table)
        if points.ndim != 2 or points.shape[1] != 2 or len(points) < LEAST_POINTS:
            raise ValueError(f"profile: table needs at least {LEAST_POINTS} points (x, z), or the name of a CSV file")
        x, z = np.ascontiguousarray(points.T)
        _increasing("profile", "x", x)
        given = {"table": tuple(map(tuple, points.tolist())), "friction": float(friction),
                 "interpolation": interpolation, "outside": outside}  # fmt: skip
        grid = Grid(x, np.zeros(1), z[:, None], float(friction), interpolation, outside)
        if interpolation == "cubic":
            _warn_of_overshoot("profile", x, z)
        return cls("profile", given, _fitting("profile", grid))

    @classmethod
    def height_field(
        cls,
        x: ArrayLike,
        y: ArrayLike,
        z: ArrayLike,
        friction: float | ArrayLike = 1.0,
        interpolation: Interpolation = "cubic",
        outside: Outside = "keep",
    ) -> Road:
        """Heights over a grid.

        Parameters
        ----------
        x, y:
            Increasing places [m].
        z:
            Heights [m]: a row for each x, in each a number for each y.
        friction:
            Coefficient of friction, a number or rows like those of z.
        interpolation:
            "cubic", "monotone" or "linear" between the points.
        outside:
            What is beyond the grid, on all sides; "repeat" along x alone.
        """
        _choices("height_field", interpolation, outside)
        xs, ys, zs = (_numbers("height_field", *each) for each in (("x", x), ("y", y), ("z", z)))
        for name, places in (("x", xs), ("y", ys)):
            _increasing("height_field", name, places)
        if zs.shape != (len(xs), len(ys)):
            raise ValueError(
                f"height_field: z has the shape {zs.shape}; give a row for each of the {len(xs)} x with {len(ys)} "
                "heights each"
            )
        rough = _numbers("height_field", "friction", friction)
        if rough.ndim and rough.shape != zs.shape:
            raise ValueError(f"height_field: friction has the shape {rough.shape}; give a number or {zs.shape}")
        given = {"x": xs.tolist(), "y": ys.tolist(), "z": zs.tolist(), "friction": rough.tolist(),
                 "interpolation": interpolation, "outside": outside}  # fmt: skip
        grid = Grid(xs, ys, zs, rough if rough.ndim else float(rough), interpolation, outside,
                    "keep" if outside == "repeat" else outside)  # fmt: skip
        return cls("height_field", given, _fitting("height_field", grid))

    @classmethod
    def random(
        cls,
        roughness: Literal["A", "B", "C", "D", "E", "F", "G", "H"] | float,
        length: float = 200.0,
        seed: int = 0,
        tracks: ArrayLike | None = None,
        friction: float = 1.0,
        frequencies: Sequence[float] = (0.011, 2.83),
    ) -> Road:
        r"""A random road with the displacement spectrum of ISO 8608, $G_d(n) = G_d(n_0)\,(n/n_0)^{-2}$, $n_0 = 0.1$/m.

        It is a sum of sines with random phases that repeats after `length`; its spectrum is exact.

        Parameters
        ----------
        roughness:
            Class "A" (very good) to "H", or $G_d(n_0)$ [m^3].
        length:
            Length after which the road repeats [m].
        seed:
            The same seed makes the same road.
        tracks:
            Places y [m] of tracks, as (-0.75, 0.75) below left and right wheels. Their coherence is that of an
            isotropic surface; heights between them are interpolated. Left out: all tracks are the same.
        friction:
            Coefficient of friction.
        frequencies:
            Least and greatest spatial frequency [1/m].
        """
        given: Any = roughness
        strength: Any = CLASSES.get(given.upper()) if isinstance(given, str) else given
        if not is_finite_number(strength) or strength <= 0.0:
            raise ValueError(f'random: roughness={roughness!r}; give a class "A" to "H", or G_d(n0) > 0 [m^3]')
        _finite("random", friction=friction)
        limits = _numbers("random", "frequencies", frequencies)
        if limits.shape != (2,) or not 0.0 < limits[0] < limits[1]:
            raise ValueError(f"random: frequencies={frequencies!r}; give two, 0 < least < greatest [1/m]")
        if not is_finite_number(length) or not length * limits[1] >= 1.0:
            raise ValueError(f"random: length={length!r} is shorter than the shortest wave, {1 / limits[1]:g} m")
        if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"random: seed={seed!r}; give a whole number, 0 or more")
        ys = np.zeros(1) if tracks is None else _numbers("random", "tracks", tracks)
        if tracks is not None:
            _increasing("random", "tracks", ys)
        count = 2 * int(np.ceil(0.5 * SAMPLES_PER_WAVE * limits[1] * length))
        z = heights(float(strength), count, float(length), ys, (float(limits[0]), float(limits[1])), seed)
        kept = {"roughness": roughness, "length": float(length), "seed": seed,
                "tracks": None if tracks is None else tuple(ys.tolist()), "friction": float(friction),
                "frequencies": tuple(limits.tolist())}  # fmt: skip
        x = np.linspace(0.0, float(length), count + 1)
        grid = Grid(x, ys, np.vstack([z, z[:1]]), float(friction), "cubic", "repeat", "keep")
        return cls("random", kept, grid)

    @classmethod
    def read(
        cls,
        path: str | Path,
        friction: float = 1.0,
        interpolation: Interpolation = "cubic",
        outside: Outside | None = None,
    ) -> Road:
        """A road from a file: OpenCRG (.crg), or a profile (.csv).

        Raises `ModelFileError` with all faults of the file, each with its line.

        Parameters
        ----------
        path:
            The file.
        friction:
            Coefficient of friction.
        interpolation:
            "cubic", "monotone" or "linear" between the points. "linear" is what the OpenCRG standard says; it has kinks
            at every point of the grid, at which integrators lose time.
        outside:
            What is beyond the ends and sides. Left out: what an OpenCRG file says (`BORDER_MODE_U`), otherwise "keep".
        """
        _choices("read", interpolation, outside or "keep")
        _finite("read", friction=friction)
        kept = {"path": str(path), "friction": float(friction), "interpolation": interpolation, "outside": outside}
        if Path(path).suffix.lower() == ".csv":
            return cls("read", kept, cls.profile(path, friction, interpolation, outside or "keep").grid)
        if Path(path).suffix.lower() != ".crg":
            raise ValueError(f"read: {str(path)!r} ends in neither .crg (OpenCRG) nor .csv (points x, z)")
        from duoti.formats.opencrg import read_opencrg

        return cls("read", kept, _fitting("read", read_opencrg(path, float(friction), interpolation, outside)))

    @cached_property
    def _block(self) -> tuple[Ints, Array]:
        if self.grid is None:
            return flat_arrays(self.arguments["height"], self.arguments["friction"])
        return grid_arrays(self.grid)

    def shape(
        self, x: Sequence[float] | None = None, y: Sequence[float] | None = None, step: float | None = None
    ) -> Shape:
        """A shape for contacts and drawings: a plane, an extrusion of a profile, or a height field.

        A profile that is "cubic" is the same curve in between its ends, and goes straight on beyond them. All others
        are sampled every `step`: in a profile a spline runs through the samples, a height field has triangles.

        Parameters
        ----------
        x, y:
            Ranges [m]; by default those of the points. They are needed for roads that bend, and y for all others but
            height fields.
        step:
            Distance of samples [m]; by default a fifth of the least distance of points.
        """
        if self.grid is None:
            return Shape.plane(position=(0.0, 0.0, self.arguments["height"]))
        from duoti.model.roads.shapes import shape_of_grid

        return shape_of_grid(self, self.grid, x, y, step)

    def arrays(self) -> tuple[Ints, Array]:
        """Integers and numbers of its block for kernels (`duoti.elements.roads`)."""
        return self._block

    def height(self, x: ArrayLike, y: ArrayLike = 0.0) -> Any:
        """Height z [m] at x, y [m]: a number, or an array for arrays."""
        return self._at(x, y)[..., 0][()]

    def slope(self, x: ArrayLike, y: ArrayLike = 0.0) -> Array:
        """(dz/dx, dz/dy) at x, y [m]."""
        return self._at(x, y)[..., 1:3]

    def normal(self, x: ArrayLike, y: ArrayLike = 0.0) -> Array:
        """Unit vector upwards at right angles to the road at x, y [m]."""
        slope = self.slope(x, y)
        n = np.concatenate([-slope, np.ones((*slope.shape[:-1], 1))], axis=-1)
        return n / np.linalg.norm(n, axis=-1, keepdims=True)

    def friction(self, x: ArrayLike, y: ArrayLike = 0.0) -> Any:
        """Coefficient of friction at x, y [m]."""
        return self._at(x, y)[..., 3][()]

    def _at(self, x: ArrayLike, y: ArrayLike) -> Array:
        from duoti.elements.roads import points_of_road

        xs, ys = np.broadcast_arrays(np.asarray(x, dtype=float), np.asarray(y, dtype=float))
        found = np.zeros((xs.size, 4))
        integers, numbers = self._block
        points_of_road(integers, numbers, 0, np.ravel(xs).copy(), np.ravel(ys).copy(), found)
        return found.reshape(*xs.shape, 4)

    @cached_property
    def _digest(self) -> bytes:
        """Of the surface itself: a file may have changed since another road was read from it."""
        integers, numbers = self._block
        return blake2b(integers.tobytes() + numbers.tobytes(), digest_size=16).digest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Road) and self._digest == other._digest

    def __hash__(self) -> int:
        return hash(self._digest)

    def __repr__(self) -> str:
        shown = {k: v for k, v in self.arguments.items() if not isinstance(v, list | tuple) or len(v) <= 4}
        return f"<{self.made_by.replace('_', ' ')} road: {', '.join(f'{k}={v!r}' for k, v in shown.items())}>"


def _finite(of: str, **numbers: Any) -> None:
    for name, value in numbers.items():
        if not is_finite_number(value):
            raise ValueError(f"{of}: {name}={value!r}; give a finite number")
        if name == "friction" and value < 0.0:
            raise ValueError(f"{of}: friction={value!r}; it must not be negative")


def _choices(of: str, interpolation: Any, outside: Any) -> None:
    for name, value, known in (("interpolation", interpolation, INTERPOLATIONS), ("outside", outside, OUTSIDE)):
        if value not in known:
            raise ValueError(f"{of}: {name}={value!r}; it is one of {', '.join(map(repr, known))}")


def _numbers(of: str, name: str, value: Any) -> Array:
    try:
        found = np.array(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        found = np.full(1, np.nan)
    if not np.all(np.isfinite(found)):
        raise ValueError(f"{of}: {name} has what is no finite number")
    return found


def _increasing(of: str, name: str, places: Array) -> None:
    if places.ndim != 1 or len(places) < LEAST_POINTS:
        raise ValueError(f"{of}: {name} needs at least {LEAST_POINTS} places in a row")
    if np.any(np.diff(places) <= 0.0):
        entry = int(np.argmax(np.diff(places) <= 0.0)) + 1
        raise ValueError(f"{of}: {name} must increase; entry {entry} ({places[entry]:g}) does not")


def _warn_of_overshoot(of: str, x: Array, z: Array) -> None:
    """Warn where a spline leaves the heights of its neighbours by much: uneven points, kerbs."""
    from scipy.interpolate import CubicSpline
    from scipy.ndimage import maximum_filter1d, minimum_filter1d

    # of each piece: its two points and two more on each side
    low, high = (pick(z, 6, mode="nearest")[1:] for pick in (minimum_filter1d, maximum_filter1d))
    spline = CubicSpline(x, z, bc_type="natural")
    parts = np.linspace(0.0, 1.0, 9)[1:-1]
    between = spline(x[:-1, None] + np.diff(x)[:, None] * parts)
    beyond = np.maximum(between.max(axis=1) - high, low - between.min(axis=1))
    wrong = beyond > np.maximum(OVERSHOOT * (high - low), LEAST_OVERSHOOT * np.ptp(z))
    if np.any(wrong):
        worst = int(np.argmax(np.where(wrong, beyond, 0.0)))
        warnings.warn(
            f"{of}: between x = {x[worst]:g} and {x[worst + 1]:g} m the cubic spline leaves the heights of its points "
            f'by {beyond[worst]:.3g} m; give more points there, or interpolation="monotone", which does not overshoot',
            UserWarning,
            stacklevel=user_level(),
        )


def _fitting(of: str, grid: Grid) -> Grid:
    """The grid, if its ends fit where it repeats."""
    scale = float(np.ptp(grid.z)) + 1e-6
    worst = float(np.max(np.abs(grid.z[-1] - grid.z[0])))
    if grid.outside_u == "repeat" and worst > 1e-9 * scale:
        raise ValueError(
            f'{of}: outside="repeat", but first and last height differ by {worst:g} m: the road would have a step there'
        )
    if grid.outside_u == "repeat":
        grid.z[-1] = grid.z[0]
    return grid
