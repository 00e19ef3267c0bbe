"""Tyres: what forces they have at given slips."""

from __future__ import annotations

import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duoti.model.tyres.numbers import (
    COMMON,
    FIALA,
    FIALA_NUMBERS,
    INFINITE,
    MAGIC,
    MAGIC_FORMULA,
    OWN,
    TMEASY,
    TMEASY_LOADED,
    TMEASY_NUMBERS,
)
from duoti.model.tyres.tir_file import GEOMETRY, numbers_of, read_tir
from duoti.spatial.axes import is_finite_number
from duoti.spelling import did_you_mean
from duoti.strict import explained_constructors, user_level

Array = NDArray[np.float64]
NAMES = {MAGIC_FORMULA: "Magic Formula", FIALA: "Fiala", TMEASY: "TMeasy"}
FORMS = {"5.2": 52, "6.1": 61, "6.2": 62}
RANGES = ("load", "slip_ratio", "slip_angle", "camber", "pressure")
DERIVED = ("FORM", "STAR", "MIRROR", "CAMBER_FORM", "TREAD_WIDTH", "BOTTOM_DEFLECTION", "LEAST_RELAXATION")
LEAST_RELAXATION = 0.1  # part of the radius
TMEASY_RANGE = 3.0  # nominal loads; the parabolas over load bend down beyond


@dataclass(frozen=True)
class TyreForces:
    """Forces and torques at the contact point in ISO-W axes, and what belongs to them; arrays of one shape.

    x points forward, y to the left, z up. All in SI units.
    """

    fx: Any
    """Longitudinal force [N]; positive when driving."""
    fy: Any
    """Lateral force [N]."""
    fz: Any
    """Load [N]."""
    mx: Any
    """Overturning couple [N m]."""
    my: Any
    """Rolling resistance torque [N m]; negative in forward rolling."""
    mz: Any
    """Aligning torque [N m]."""
    trail: Any
    """Pneumatic trail [m]."""
    residual_torque: Any
    """Part of mz that is not from the trail [N m]."""
    friction_x: Any
    """Largest longitudinal force over the load."""
    friction_y: Any
    """Largest lateral force over the load."""
    slip_stiffness: Any
    """dfx/d(slip ratio) without slip [N]."""
    cornering_stiffness: Any
    """-dfy/d(slip angle) without slip [N/rad]."""
    relaxation_x: Any
    """Longitudinal relaxation length [m]."""
    relaxation_y: Any
    """Lateral relaxation length [m]."""
    effective_radius: Any
    """Effective rolling radius [m]."""
    loaded_radius: Any
    """Distance of the wheel centre from the contact point [m]; NaN beyond what the tyre can carry."""
    clipped: Any
    """Which inputs were outside the tyre's ranges, and were set to their ends: names, for each evaluation."""


@explained_constructors
class Tyre:
    """A tyre: forces and torques from load, slips and camber.

    Made by `Tyre.read` (.tir files), `Tyre.magic_formula`, `Tyre.tmeasy` or `Tyre.fiala`; it does not change.

    Axes are ISO-W, as in .tir files: x forward, y to the left, z up. The slip ratio is $(\\omega R_e - V_x) / |V_x|$,
    positive when driving. The slip angle is $\\arctan(V_y / |V_x|)$, positive when the contact point moves to the left;
    it gives a negative (right) lateral force. Camber is positive when the top of the wheel leans to the right.
    """

    def __init__(self, made_by: str, arguments: dict[str, Any], model: int, numbers: Mapping[str, float]):
        self.made_by, self.arguments, self.model, self._numbers = made_by, arguments, model, dict(numbers)
        self._given: dict[str, float] = {}

    # ---------------------------------------------------------------------------------------------------------- made

    @classmethod
    def read(cls, path: str | os.PathLike[str], tangent: bool | None = None) -> Tyre:
        """Read a tyre property file (.tir): Magic Formula PAC2002, MF 5.2, 6.1, 6.2.

        Numbers that are missing have the defaults of MF-Tyre. Faults are reported all at once, with their lines; lines
        that have no effect are warned about.

        Parameters
        ----------
        path:
            The file.
        tangent:
            Whether $\\tan\\alpha$ and $\\sin\\gamma$ stand for $\\alpha$ and $\\gamma$ in the formulas, as in Pacejka's
            book (4.E3, 4.E4). If left out: as the programs of these files do, True for PAC2002, False for MF-Tyre.
        """
        found = read_tir(path)
        numbers = numbers_of(found.numbers, found.form, found.star if tangent is None else tangent)
        made = cls("read", {"path": os.fspath(path), "tangent": tangent}, MAGIC_FORMULA, numbers)
        made._given = found.numbers
        return _warn_of_signs(made, os.fspath(path))

    @classmethod
    def magic_formula(cls, coefficients: Mapping[str, float], version: str = "6.1", tangent: bool = False) -> Tyre:
        """A tyre by coefficients of the Magic Formula, with the names of .tir files, in SI units.

        Parameters
        ----------
        coefficients:
            Numbers by name: `{"UNLOADED_RADIUS": 0.31, "FNOMIN": 4000, "PKY1": -20, ...}`; the others have the defaults
            of MF-Tyre.
        version:
            "5.2", "6.1" or "6.2".
        tangent:
            Whether the slips are $\\tan\\alpha$ and $\\sin\\gamma$; see `read`.
        """
        if version not in FORMS:
            raise ValueError(f"magic_formula: version {version!r}; known are {', '.join(FORMS)}")
        faults = _faults(
            coefficients,
            tuple(each for each in (*COMMON, *MAGIC, *GEOMETRY) if each not in DERIVED or each == "MIRROR"),
        )
        missing = [name for name in ("UNLOADED_RADIUS", "FNOMIN") if name not in coefficients]
        faults += [f"{name} is missing; every tyre needs it" for name in missing]
        if faults:
            raise ValueError("magic_formula: " + "; ".join(faults))
        given = {name: float(value) for name, value in coefficients.items()}
        arguments = {"coefficients": given, "version": version, "tangent": bool(tangent)}
        made = cls("magic_formula", arguments, MAGIC_FORMULA, numbers_of(given, FORMS[version], tangent))
        made._given = given
        return made

    @classmethod
    def fiala(
        cls,
        radius: float,
        vertical_stiffness: float,
        slip_stiffness: float,
        cornering_stiffness: float,
        friction: float = 1.0,
        contact_length: float = 0.15,
        relaxation_x: float = 0.1,
        relaxation_y: float = 0.3,
        vertical_damping: float = 0.0,
        rolling_resistance: float = 0.0,
        nominal_load: float = 4000.0,
        max_load: float = INFINITE,
    ) -> Tyre:
        """Fiala's tyre: a brush on a contact patch with parabolic pressure, for teaching and as a linear tyre.

        Stiffnesses do not depend on load, and camber has no effect. With a large friction it is linear.

        Parameters
        ----------
        radius:
            Radius without load [m]; also the rolling radius.
        vertical_stiffness:
            [N/m].
        slip_stiffness:
            dfx/d(slip ratio) [N].
        cornering_stiffness:
            -dfy/d(slip angle) [N/rad].
        friction:
            Coefficient of friction.
        contact_length:
            Length of the contact patch [m]; a third of its half is the pneumatic trail at small slips.
        relaxation_x, relaxation_y:
            Relaxation lengths [m].
        vertical_damping:
            [N s/m].
        rolling_resistance:
            Rolling resistance torque over load and radius.
        nominal_load:
            [N]; the damping grows to its value over a quarter of its deflection.
        max_load:
            Load beyond which the tyre is not used [N].
        """
        given = locals()
        _all_positive("fiala", {k: v for k, v in given.items() if k != "cls"},
                      ("vertical_damping", "rolling_resistance"))  # fmt: skip
        own = {name: float(given[name]) for name in FIALA_NUMBERS}
        common = _common(radius, nominal_load, vertical_stiffness, vertical_damping, max_load, 1.0)
        return cls("fiala", {k: v for k, v in given.items() if k != "cls"}, FIALA, {**common, **own})

    @classmethod
    def tmeasy(
        cls,
        radius: float,
        nominal_load: float,
        vertical_stiffness: float,
        slope_x: ArrayLike,
        slip_max_x: ArrayLike,
        force_max_x: ArrayLike,
        slip_sliding_x: ArrayLike,
        force_sliding_x: ArrayLike,
        slope_y: ArrayLike,
        slip_max_y: ArrayLike,
        force_max_y: ArrayLike,
        slip_sliding_y: ArrayLike,
        force_sliding_y: ArrayLike,
        trail: ArrayLike = (0.03, 0.04),
        trail_zero: ArrayLike = (0.2, 0.22),
        trail_end: ArrayLike = (0.5, 0.55),
        stiffness_x: float = 2e5,
        stiffness_y: float = 1.5e5,
        vertical_damping: float = 0.0,
        rolling_resistance: float = 0.0,
        rolling_weight: float = 0.6667,
    ) -> Tyre:
        """A handling tyre with few parameters (TMeasy, Rill): each is given at the nominal load and at twice it.

        Forces over slip begin with a slope, have a maximum, and fall to sliding. Camber has no effect.

        Parameters
        ----------
        radius:
            Radius without load [m].
        nominal_load:
            [N].
        vertical_stiffness:
            [N/m].
        slope_x, slope_y:
            Slopes of forces over slip without slip [N]; pairs.
        slip_max_x, slip_max_y:
            Slips at the largest forces; pairs.
        force_max_x, force_max_y:
            Largest forces [N]; pairs.
        slip_sliding_x, slip_sliding_y:
            Slips from which the tyre slides; pairs.
        force_sliding_x, force_sliding_y:
            Forces of sliding [N]; pairs.
        trail, trail_zero, trail_end:
            Pneumatic trail without slip [m], lateral slip where it passes zero, and where it ends; pairs.
        stiffness_x, stiffness_y:
            Stiffness of the tyre along and across [N/m]; with the slopes they give the relaxation lengths.
        vertical_damping:
            [N s/m].
        rolling_resistance:
            Rolling resistance torque over load and radius.
        rolling_weight:
            Weight of the radius without load in the rolling radius; the rest is that of the loaded radius.
        """
        given = locals()
        pairs = {name: given[name] for name in (*TMEASY_LOADED, "trail", "trail_zero", "trail_end")}
        rest = {k: v for k, v in given.items() if k not in pairs and k != "cls"}
        _all_positive("tmeasy", rest, ("vertical_damping", "rolling_resistance", "rolling_weight"))
        own = dict(TMEASY_NUMBERS)
        faults: list[str] = []
        for name, pair in pairs.items():
            values = np.asarray(pair, dtype=float)
            if values.shape != (2,) or not np.all(np.isfinite(values)) or np.any(values <= 0.0):
                faults.append(f"{name} is {pair!r}; give two positive numbers, at the nominal load and at twice it")
                continue
            own[f"{name}_1"], own[f"{name}_2"] = map(float, values)
        for axis in "xy":
            for k in (1, 2):
                if not faults and own[f"slip_sliding_{axis}_{k}"] <= own[f"slip_max_{axis}_{k}"]:
                    faults.append(f"slip_sliding_{axis} is not larger than slip_max_{axis}")
        if faults:
            raise ValueError("tmeasy: " + "; ".join(faults))
        own |= {"rolling_resistance": float(rolling_resistance), "stiffness_x": float(stiffness_x),
                "stiffness_y": float(stiffness_y)}  # fmt: skip
        common = _common(radius, nominal_load, vertical_stiffness, vertical_damping, TMEASY_RANGE * nominal_load,
                         1.0 - rolling_weight)  # fmt: skip
        arguments = {**rest, **{name: tuple(map(float, np.asarray(pair))) for name, pair in pairs.items()}}
        return cls("tmeasy", arguments, TMEASY, {**common, **own})

    # ------------------------------------------------------------------------------------------------------- asked

    @property
    def kind(self) -> str:
        """Which model it is: "Magic Formula 6.1", "PAC2002", "TMeasy", "Fiala"."""
        if self.model != MAGIC_FORMULA:
            return NAMES[self.model]
        version = self.version
        return "PAC2002" if version == "5.2" and self._numbers["STAR"] else f"{NAMES[self.model]} {version}"

    @property
    def version(self) -> str:
        """Version of the Magic Formula: "5.2", "6.1" or "6.2"; empty for other models."""
        form = int(self._numbers.get("FORM", 0.0))
        return next((name for name, each in FORMS.items() if each == form), "")

    @property
    def radius(self) -> float:
        """Radius without load [m]."""
        return self._numbers["UNLOADED_RADIUS"]

    @property
    def nominal_load(self) -> float:
        """Nominal load [N]."""
        return self._numbers["FNOMIN"]

    @property
    def pressure(self) -> float:
        """Inflation pressure [Pa] that is meant if none is given."""
        return self._given.get("INFLPRES", self._numbers["NOMPRES"])

    @property
    def coefficients(self) -> dict[str, float]:
        """All its numbers in SI units, defaults included, with the names of .tir files."""
        return {**self._numbers, **self._given}

    @property
    def defaults(self) -> tuple[str, ...]:
        """Coefficients of the Magic Formula that were not given and have defaults."""
        if self.model != MAGIC_FORMULA:
            return ()
        return tuple(name for name in (*COMMON, *MAGIC) if name not in self._given and name not in DERIVED)

    def changed(self, **coefficients: float) -> Tyre:
        """The same tyre of the Magic Formula with other coefficients: `tyre.changed(LMUY=0.8)`."""
        if self.model != MAGIC_FORMULA:
            raise TypeError(f"changed: a {self.kind} tyre is made anew, with other arguments of Tyre.{self.made_by}")
        new = {**self._given, **coefficients}
        return Tyre.magic_formula(new, self.version, bool(self._numbers["STAR"]))

    def mirrored(self) -> Tyre:
        """The tyre of the other side of a car: its lateral asymmetries are reversed. Simple models have none."""
        return self.changed(MIRROR=-self._numbers["MIRROR"]) if self.model == MAGIC_FORMULA else self

    def forces(
        self,
        load: ArrayLike,
        slip_ratio: ArrayLike = 0.0,
        slip_angle: ArrayLike = 0.0,
        camber: ArrayLike = 0.0,
        speed: ArrayLike | None = None,
        pressure: ArrayLike | None = None,
        friction: ArrayLike = 1.0,
        limits: bool = True,
        turn_slip: float = 0.0,
    ) -> TyreForces:
        """Forces of steady slip; all arguments may be arrays and are broadcast.

        Parameters
        ----------
        load:
            Vertical force [N].
        slip_ratio:
            Longitudinal slip.
        slip_angle:
            Slip angle [rad].
        camber:
            Camber (inclination) angle [rad].
        speed:
            Speed of travel [m/s], negative in reverse; if left out, that at which the tyre was measured (LONGVL).
        pressure:
            Inflation pressure [Pa]; if left out, that of the file.
        friction:
            Factor of the coefficients of friction: of the road.
        limits:
            Whether inputs are limited to the ranges of the tyre, and slips reduced below the speed VXLOW, as MF-Tyre
            does. What was limited is in `clipped`. There is no lower limit of load.
        turn_slip:
            Not modelled: must be 0.
        """
        if np.any(np.asarray(turn_slip) != 0.0):
            raise NotImplementedError("forces: turn_slip: forces of turning on the spot are not modelled; leave it out")
        magic = self.model == MAGIC_FORMULA
        if not magic and np.any(np.asarray(camber) != 0.0):
            raise ValueError(f"forces: camber has no effect in the {self.kind} model; leave it out")
        if not magic and pressure is not None:
            raise ValueError(f"forces: pressure has no effect in the {self.kind} model; leave it out")
        given = {
            "load": load, "slip_ratio": slip_ratio, "slip_angle": slip_angle, "camber": camber,
            "speed": self._numbers["LONGVL"] if speed is None else speed,
            "pressure": self.pressure if pressure is None else pressure, "friction": friction,
        }  # fmt: skip
        arrays = [np.asarray(value, dtype=float) for value in given.values()]
        wrong = [name for name, each in zip(given, arrays, strict=True) if not np.all(np.isfinite(each))]
        if wrong:
            raise ValueError(f"forces: {', '.join(wrong)}: not finite")
        _warn_of_odd_inputs(dict(zip(given, arrays, strict=True)))
        all_of = np.broadcast_arrays(*arrays)
        shape = all_of[0].shape
        return self._evaluate(np.stack([each.reshape(-1) for each in all_of], axis=1), shape, limits)

    def _evaluate(self, rows: Array, shape: tuple[int, ...], limits: bool) -> TyreForces:
        from duoti.elements.tyres import OUTPUTS, steady_forces

        found = np.zeros((len(rows), len(OUTPUTS)))
        steady_forces(self.model, self.numbers, int(limits), np.ascontiguousarray(rows), found)
        columns = {name: found[:, k].reshape(shape)[()] for k, name in enumerate(OUTPUTS)}
        bits = np.asarray(columns["clipped"], dtype=int)
        names = np.empty(bits.shape, dtype=object)
        for at in np.ndindex(bits.shape):
            names[at] = tuple(each for k, each in enumerate(RANGES) if bits[at] >> k & 1)
        columns["clipped"] = names[()]
        return TyreForces(**columns)

    @property
    def numbers(self) -> Array:
        """Its numbers in the order of kernels."""
        return np.array([self._numbers[name] for name in (*COMMON, *OWN[self.model])])

    def plot(self, load: ArrayLike | None = None, camber: float = 0.0) -> Any:
        """Characteristic curves: forces and torque over slips at several loads, and combined slip; a figure.

        Parameters
        ----------
        load:
            Loads [N]; if left out, a half, one, and one and a half times the nominal load.
        camber:
            Camber angle [rad].
        """
        from duoti.model.tyres.plot import plot_tyre

        loads = self.nominal_load * np.array([0.5, 1.0, 1.5]) if load is None else np.atleast_1d(load)
        return plot_tyre(self, loads, camber)

    def __eq__(self, other: object) -> bool:
        same = isinstance(other, Tyre) and self.model == other.model
        return same and np.array_equal(self.numbers, other.numbers) and self.pressure == other.pressure  # pyright: ignore

    def __hash__(self) -> int:
        return hash((self.model, self.numbers.tobytes(), self.pressure))

    def __repr__(self) -> str:
        source = f" {self.arguments['path']!r}" if self.made_by == "read" else ""
        return f"<Tyre {self.kind}{source}: radius {self.radius:g} m, nominal load {self.nominal_load:g} N>"


def _warn_of_odd_inputs(given: Mapping[str, Array]) -> None:
    """Warn about angles that are no arctangents, probably in degrees, and of loads that pull."""
    notes = [
        f"{name} reaches {np.max(np.abs(given[name])):.3g} rad, beyond pi/2: angles are in radians"
        for name in ("slip_angle", "camber")
        if np.any(np.abs(given[name]) > np.pi / 2)
    ]
    if np.any(given["load"] < 0.0):
        notes.append(
            f"load is {np.min(given['load']):.3g} N: a tyre only pushes, loads are positive; there the forces are 0"
        )
    if notes:
        warnings.warn(f"forces: {'; '.join(notes)}", UserWarning, stacklevel=user_level())


def _warn_of_signs(tyre: Tyre, name: str) -> Tyre:
    """Warn about stiffnesses that are not positive at the nominal load: data in other axes, or missing."""
    at = tyre.forces(tyre.nominal_load)
    notes = [
        f"{what} ({key}) is {value:.4g} at the nominal load, but must be positive: {why}"
        for what, key, value, why in (
            ("the slip stiffness", "PKX1", float(at.slip_stiffness), "is it missing?"),
            (
                "the cornering stiffness",
                "PKY1",
                float(at.cornering_stiffness),
                "PKY1 is negative in the axes of .tir files (ISO-W); are these data in SAE axes, or is it missing?",
            ),
        )
        if not value > 0.0
    ]
    if notes:
        warnings.warn(f"{name}: {'; '.join(notes)}", UserWarning, stacklevel=user_level())
    return tyre


def _faults(given: Mapping[str, float], known: tuple[str, ...]) -> list[str]:
    found: list[str] = []
    for name, value in given.items():
        if name not in known:
            found.append(f"{name} is not known.{did_you_mean(name, known)}".removesuffix("."))
        elif not is_finite_number(value):
            found.append(f"{name} is {value!r}; give a finite number")
    return found


def _all_positive(of: str, given: Mapping[str, Any], may_be_zero: tuple[str, ...]) -> None:
    faults = [
        f"{name} is {value!r}; give a {'number, 0 or more' if name in may_be_zero else 'positive number'}"
        for name, value in given.items()
        if not is_finite_number(value) or value < 0.0 or (value == 0.0 and name not in may_be_zero)
    ]
    if faults:
        raise ValueError(f"{of}: " + "; ".join(faults))


def _common(
    radius: float, load: float, stiffness: float, damping: float, most: float, softer: float
) -> dict[str, float]:
    """Common numbers of the simple models: a linear spring, no limits of slips."""
    lowest = dict.fromkeys(("KPUMIN", "ALPMIN", "CAMMIN", "PRESMIN"), -INFINITE)
    highest = dict.fromkeys(("KPUMAX", "ALPMAX", "CAMMAX", "PRESMAX"), INFINITE)
    return {
        **COMMON, **lowest, **highest, "UNLOADED_RADIUS": float(radius), "FNOMIN": float(load), "FZMAX": float(most),
        "VERTICAL_STIFFNESS": float(stiffness), "VERTICAL_DAMPING": float(damping), "Q_FZ2": 0.0, "DREFF": 0.0,
        "FREFF": float(softer), "LEAST_RELAXATION": LEAST_RELAXATION * radius,
    }  # fmt: skip
