"""Integrators: one file each. The explicit ones share the compiled loop `explicit`; implicit ones have their own."""

from duoti.integrate.auto import Auto
from duoti.integrate.base import Adaptive, ExplicitSolver, FixedStep, Loop, Solver, Tolerances
from duoti.integrate.dop853 import DOP853
from duoti.integrate.dopri5 import DOPRI5
from duoti.integrate.generalised_alpha import HHT, GeneralisedAlpha, Newmark
from duoti.integrate.ida import IDA
from duoti.integrate.radau import Radau
from duoti.integrate.rk4 import RK4
from duoti.integrate.rkf45 import RKF45
from duoti.integrate.semi_implicit_euler import SemiImplicitEuler

__all__ = [
    "DOP853",
    "DOPRI5",
    "HHT",
    "IDA",
    "RK4",
    "RKF45",
    "Adaptive",
    "Auto",
    "ExplicitSolver",
    "FixedStep",
    "GeneralisedAlpha",
    "Loop",
    "Newmark",
    "Radau",
    "SemiImplicitEuler",
    "Solver",
    "Tolerances",
]
