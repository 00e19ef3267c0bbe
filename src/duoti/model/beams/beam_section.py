"""Beam: what a beam is made of at one place along it, whatever its length and course."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duoti.model.beams.cross_section import Section
from duoti.model.beams.material import Material
from duoti.strict import Explained, explained_constructors

Array = NDArray[np.float64]
STIFFNESSES = ("EA", "GAy", "GAz", "GJ", "EIy", "EIz")


@explained_constructors
@dataclass(frozen=True)
class Beam(Explained):
    r"""Cross-section and material of a beam; x points along the beam, z towards `up`, y to its left.

    $$\sigma = E\, (\epsilon + \tau\, \dot\epsilon)$$

    `Beam.from_stiffness` takes stiffnesses in place of section and material.

    Parameters
    ----------
    section:
        The cross-section.
    material:
        The material.
    damping_time:
        Time constant $\tau$ of Kelvin-Voigt damping [s]: one number, or six in the order EA, GAy, GAz, GJ, EIy, EIz.
    mass_damping:
        Force against the world per momentum [1/s].
    stiffness, mass_per_length, rotary_inertia:
        See `Beam.from_stiffness`.
    """

    section: Section | None = None
    material: Material | None = None
    damping_time: float | ArrayLike = 0.0
    mass_damping: float = 0.0
    stiffness: Any = None
    """6x6 matrix of section forces (N, Qy, Qz, Mx, My, Mz) by strains (stretch, shears, twist, curvatures), SI."""
    mass_per_length: float | None = None
    rotary_inertia: Any = None
    """Moments of inertia per length (Jx, Jy, Jz) [kg m], about the axes of the section."""

    def __post_init__(self) -> None:
        faults: list[str] = []
        if self.stiffness is None:
            if not isinstance(self.section, Section):
                faults.append(f"section is {self.section!r}; give a dt.Section, such as dt.Section.circle(0.01)")
            if not isinstance(self.material, Material):
                faults.append(f"material is {self.material!r}; give dt.Material(youngs_modulus=, poisson_ratio=, "
                              "density=), or the numbers themselves: dt.Beam.from_stiffness(EA=, ...)")  # fmt: skip
            faults += self._faults_of_extra_numbers()
        else:
            faults += self._faults_of_numbers()
        times = _array(self.damping_time)
        if times is None or times.shape not in ((), (6,)) or np.any(times < 0.0):
            faults.append(f"damping_time is {self.damping_time!r}; give a number [s], not negative, or six")
        if (damping := _array(self.mass_damping)) is None or damping.shape != () or damping < 0.0:
            faults.append(f"mass_damping is {self.mass_damping!r}; give a number [1/s], not negative")
        if faults:
            raise ValueError("Beam: " + "; ".join(faults))

    def _faults_of_extra_numbers(self) -> list[str]:
        given = {"mass_per_length": self.mass_per_length, "rotary_inertia": self.rotary_inertia}
        if not (extra := [name for name, value in given.items() if value is not None]):
            return []
        why = "mass and inertia follow from the section and the density of the material"
        do = "change the density, or give all numbers: dt.Beam.from_stiffness(EA=, ...)"
        return [f"{' and '.join(extra)} would have no effect: {why}; {do}"]

    def _faults_of_numbers(self) -> list[str]:
        faults: list[str] = []
        K = _array(self.stiffness)
        if K is None or K.shape != (6, 6):
            faults.append("stiffness takes a 6x6 matrix of finite numbers, in the order " + ", ".join(STIFFNESSES))
        elif np.abs(K - K.T).max() > 1e-9 * np.abs(K).max():
            faults.append("stiffness is not symmetric: no strain energy belongs to it")
        elif (np.diag(K) <= 0.0).any() or np.linalg.eigvalsh(K / np.sqrt(np.outer(np.diag(K), np.diag(K))))[0] <= 0.0:
            faults.append("stiffness is not positive definite: some strain would cost no energy")
        if (mass := _array(self.mass_per_length)) is None or mass.shape != () or mass <= 0.0:
            faults.append(f"mass_per_length is {self.mass_per_length!r}; give a positive number [kg/m]")
        J = _array(self.rotary_inertia)
        if J is None or J.shape != (3,) or np.any(J < 0.0):
            faults.append(f"rotary_inertia is {self.rotary_inertia!r}; give (Jx, Jy, Jz) [kg m], none negative")
        return faults

    @classmethod
    def from_stiffness(
        cls,
        EA: float | None = None,
        GAy: float | None = None,
        GAz: float | None = None,
        GJ: float | None = None,
        EIy: float | None = None,
        EIz: float | None = None,
        mass_per_length: float | None = None,
        rotary_inertia: ArrayLike | None = None,
        matrix: ArrayLike | None = None,
        section: Section | None = None,
        damping_time: float | ArrayLike = 0.0,
        mass_damping: float = 0.0,
    ) -> Beam:
        """A beam by its stiffnesses.

        Parameters
        ----------
        EA:
            Axial stiffness [N].
        GAy, GAz:
            Shear stiffness along y and z [N].
        GJ:
            Torsional stiffness [N m²].
        EIy, EIz:
            Bending stiffness in the x-z plane and in the x-y plane [N m²].
        mass_per_length:
            Mass per length [kg/m].
        rotary_inertia:
            (Jx, Jy, Jz) per length [kg m].
        matrix:
            Full 6x6 stiffness in this order, for coupled strains, in place of the six numbers.
        section:
            A section for stresses and drawing only.
        damping_time, mass_damping:
            As for `Beam`.
        """
        given = dict(zip(STIFFNESSES, (EA, GAy, GAz, GJ, EIy, EIz), strict=True))
        if matrix is not None:
            if extra := [name for name, value in given.items() if value is not None]:
                raise ValueError(f"Beam.from_stiffness: matrix and {', '.join(extra)} are given; one of both is enough")
            K = matrix
        else:
            if missing := [name for name, value in given.items() if value is None]:
                raise ValueError(f"Beam.from_stiffness: {', '.join(missing)} missing; all six stiffnesses are needed")
            K = np.diag([float(value) for value in given.values() if value is not None])
        if mass_per_length is None or rotary_inertia is None:
            missing = [
                n for n, v in (("mass_per_length", mass_per_length), ("rotary_inertia", rotary_inertia)) if v is None
            ]
            raise ValueError(f"Beam.from_stiffness: {' and '.join(missing)} missing")
        plain = tuple(map(tuple, np.asarray(K, dtype=float).tolist())) if _array(K) is not None else K
        J = tuple(np.asarray(rotary_inertia, dtype=float).tolist()) if _array(rotary_inertia) is not None else None
        return cls(section, None, damping_time, mass_damping, plain, float(mass_per_length), J)

    @property
    def matrix(self) -> Array:
        """Stiffness: section forces (N, Qy, Qz, Mx, My, Mz) by strains (stretch, shears y and z, twist, curvatures)."""
        if self.stiffness is not None:
            return np.array(self.stiffness, dtype=float)
        s, m = self.section, self.material
        assert s is not None
        assert m is not None
        E, G = m.youngs_modulus, m.shear_modulus
        K = np.diag([E * s.area, 0.0, 0.0, G * s.torsion_constant, E * s.Iy, E * s.Iz])
        K[4, 5] = K[5, 4] = -E * s.Iyz  # stretch at (y, z) is e + z kappa_y - y kappa_z
        y, z = s.shear_centre
        for row, factor in (((1.0, 0.0, -z), s.shear_factors[0]), ((0.0, 1.0, y), s.shear_factors[1])):
            across = np.zeros(6)
            across[1:4] = row  # the shear strain at the shear centre, by the shears and the twist
            K += factor * G * s.area * np.outer(across, across)
        return K

    @property
    def mass(self) -> float:
        """Mass per length [kg/m]."""
        if self.stiffness is not None:
            return float(self.mass_per_length)  # pyright: ignore[reportArgumentType]
        assert self.section is not None
        assert self.material is not None
        return self.material.density * self.section.area

    @property
    def inertia(self) -> Array:
        """Inertia matrix per length, 3x3 about the centroid, in the axes of the section [kg m]."""
        if self.stiffness is not None:
            return np.diag(np.asarray(self.rotary_inertia, dtype=float))
        s, m = self.section, self.material
        assert s is not None
        assert m is not None
        return m.density * np.array([[s.polar_moment, 0.0, 0.0], [0.0, s.Iy, -s.Iyz], [0.0, -s.Iyz, s.Iz]])

    @property
    def damping_times(self) -> Array:
        """Time constants of the six strains [s]."""
        return np.broadcast_to(np.asarray(self.damping_time, dtype=float), (6,)).copy()

    def between(self, other: Beam, part: float) -> Beam:
        """The beam between this one (part = 0) and another (part = 1), for tapers.

        Sections of one shape change their sizes linearly; of beams given by numbers, these change linearly.
        """
        times = (1.0 - part) * self.damping_times + part * other.damping_times
        damping = tuple(times.tolist()) if np.any(times) else 0.0
        mass_damping = (1.0 - part) * self.mass_damping + part * other.mass_damping
        if self.stiffness is None and other.stiffness is None and self.material == other.material:
            assert self.section is not None
            assert other.section is not None
            return Beam(self.section.between(other.section, part), self.material, damping, mass_damping)
        if self.stiffness is None or other.stiffness is None:
            raise ValueError("a taper needs two beams of one material, or two given by from_stiffness")
        J = (1.0 - part) * np.asarray(self.rotary_inertia) + part * np.asarray(other.rotary_inertia)
        return Beam.from_stiffness(
            matrix=(1.0 - part) * self.matrix + part * other.matrix, rotary_inertia=J,
            mass_per_length=(1.0 - part) * self.mass + part * other.mass,
            section=self.section, damping_time=damping, mass_damping=mass_damping,
        )  # fmt: skip

    def __repr__(self) -> str:
        what = "given stiffness" if self.material is None else f"{self.material.name or 'a material'}"
        return f"<beam of {what}: EA = {self.matrix[0, 0]:.4g} N, {self.mass:.4g} kg/m>"


def _array(given: Any) -> Array | None:
    try:
        values = np.asarray(given, dtype=float)
    except (TypeError, ValueError, OverflowError):
        return None
    return values if given is not None and np.all(np.isfinite(values)) else None
