# Written by tests/support/make_stub.py from the table in __init__.py; for type checkers and editors.

from duoti.integrate.auto import Auto
from duoti.integrate.base import Adaptive as Adaptive
from duoti.integrate.base import ExplicitSolver as ExplicitSolver
from duoti.integrate.base import FixedStep as FixedStep
from duoti.integrate.base import Solver as Solver
from duoti.integrate.base import SolverLoop as SolverLoop
from duoti.integrate.base import Tolerances as Tolerances
from duoti.integrate.explicit.dop853 import DOP853
from duoti.integrate.explicit.dopri5 import DOPRI5
from duoti.integrate.explicit.rk4 import RK4
from duoti.integrate.explicit.rkf45 import RKF45
from duoti.integrate.explicit.semi_implicit_euler import SemiImplicitEuler
from duoti.integrate.explicit.verlet import Verlet
from duoti.integrate.implicit.generalised_alpha import HHT, GeneralisedAlpha, Newmark
from duoti.integrate.implicit.ida import IDA
from duoti.integrate.implicit.radau import Radau
from duoti.integrate.implicit.rodas import Rodas
from duoti.integrate.moreau.solver import Moreau

__all__ = [
    "DOP853",
    "DOPRI5",
    "HHT",
    "IDA",
    "RK4",
    "RKF45",
    "Auto",
    "GeneralisedAlpha",
    "Moreau",
    "Newmark",
    "Radau",
    "Rodas",
    "SemiImplicitEuler",
    "Verlet",
]
