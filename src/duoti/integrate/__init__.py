"""Integrators: one file each. The explicit ones share the compiled loop `explicit`; implicit ones have their own."""

from duoti.integrate.base import Adaptive as Adaptive
from duoti.integrate.base import ExplicitSolver as ExplicitSolver
from duoti.integrate.base import FixedStep as FixedStep
from duoti.integrate.base import Loop as Loop
from duoti.integrate.base import Solver as Solver
from duoti.integrate.base import Tolerances as Tolerances
from duoti.lazy import names_of

_EXPORTS = {
    "duoti.integrate.auto": "Auto",
    "duoti.integrate.dop853": "DOP853",
    "duoti.integrate.dopri5": "DOPRI5",
    "duoti.integrate.generalised_alpha": "HHT, GeneralisedAlpha, Newmark",
    "duoti.integrate.ida": "IDA",
    "duoti.integrate.moreau": "Moreau",
    "duoti.integrate.radau": "Radau",
    "duoti.integrate.rk4": "RK4",
    "duoti.integrate.rodas": "Rodas",
    "duoti.integrate.rkf45": "RKF45",
    "duoti.integrate.semi_implicit_euler": "SemiImplicitEuler",
    "duoti.integrate.verlet": "Verlet",
}
"""The integrators; what else is here are their base classes."""

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]
