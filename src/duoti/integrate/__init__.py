"""Integrators: one file each. The explicit ones share the loop `explicit_loop`; implicit ones have their own."""

from duoti.integrate.base import Adaptive as Adaptive
from duoti.integrate.base import ExplicitSolver as ExplicitSolver
from duoti.integrate.base import FixedStep as FixedStep
from duoti.integrate.base import Solver as Solver
from duoti.integrate.base import SolverLoop as SolverLoop
from duoti.integrate.base import Tolerances as Tolerances
from duoti.lazy import names_of

_EXPORTS = {
    "duoti.integrate.auto": "Auto",
    "duoti.integrate.explicit.dop853": "DOP853",
    "duoti.integrate.explicit.dopri5": "DOPRI5",
    "duoti.integrate.implicit.generalised_alpha": "HHT, GeneralisedAlpha, Newmark",
    "duoti.integrate.implicit.ida": "IDA",
    "duoti.integrate.moreau.solver": "Moreau",
    "duoti.integrate.implicit.radau": "Radau",
    "duoti.integrate.explicit.rk4": "RK4",
    "duoti.integrate.implicit.rodas": "Rodas",
    "duoti.integrate.explicit.rkf45": "RKF45",
    "duoti.integrate.explicit.semi_implicit_euler": "SemiImplicitEuler",
    "duoti.integrate.explicit.verlet": "Verlet",
}
"""The integrators; what else is here are their base classes."""

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]
