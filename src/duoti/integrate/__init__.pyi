# Written by tests/support/make_stub.py from the table in __init__.py; for type checkers and editors.

from duoti.integrate.auto import Auto
from duoti.integrate.base import Adaptive as Adaptive
from duoti.integrate.base import ExplicitSolver as ExplicitSolver
from duoti.integrate.base import FixedStep as FixedStep
from duoti.integrate.base import Loop as Loop
from duoti.integrate.base import Solver as Solver
from duoti.integrate.base import Tolerances as Tolerances
from duoti.integrate.dop853 import DOP853
from duoti.integrate.dopri5 import DOPRI5
from duoti.integrate.generalised_alpha import HHT, GeneralisedAlpha, Newmark
from duoti.integrate.ida import IDA
from duoti.integrate.moreau import Moreau
from duoti.integrate.radau import Radau
from duoti.integrate.rk4 import RK4
from duoti.integrate.rkf45 import RKF45
from duoti.integrate.rodas import Rodas
from duoti.integrate.semi_implicit_euler import SemiImplicitEuler
from duoti.integrate.verlet import Verlet

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
