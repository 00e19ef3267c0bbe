"""Material: linear elastic and isotropic, as beams and flexible bodies need it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from duoti.spatial.axes import is_finite_number
from duoti.strict import Explained


@dataclass(frozen=True)
class Material(Explained):
    """A linear elastic, isotropic material.

    Parameters
    ----------
    youngs_modulus:
        Young's modulus [Pa].
    poisson_ratio:
        Poisson's ratio, from -1 to 0.5.
    density:
        Density [kg/m³].
    name:
        Name for messages and files.
    """

    youngs_modulus: float
    poisson_ratio: float
    density: float
    name: str = ""

    def __post_init__(self) -> None:
        faults: list[str] = []
        for what, unit in (("youngs_modulus", "Pa"), ("poisson_ratio", "1"), ("density", "kg/m³")):
            value: Any = getattr(self, what)
            if not is_finite_number(value):
                faults.append(f"{what} is {value!r}; give a finite number [{unit}]")
            elif what != "poisson_ratio" and value <= 0.0:
                faults.append(f"{what} is {value}; it must be positive [{unit}]")
            elif what == "poisson_ratio" and not -1.0 < value <= 0.5:
                faults.append(f"poisson_ratio is {value}; stable materials have -1 < nu <= 0.5")
        if faults:
            raise ValueError("Material: " + "; ".join(faults))

    def named(self, name: str) -> Material:
        """The same material with a name."""
        return replace(self, name=name)

    @property
    def shear_modulus(self) -> float:
        """G = E / (2 (1 + nu)) [Pa]."""
        return self.youngs_modulus / (2.0 * (1.0 + self.poisson_ratio))
