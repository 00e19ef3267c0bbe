"""Integrators: one file each; the compiled loop that they share is `explicit`."""

from duoti.integrate.base import Adaptive, ExplicitSolver, FixedStep
from duoti.integrate.dop853 import DOP853
from duoti.integrate.dopri5 import DOPRI5
from duoti.integrate.rk4 import RK4
from duoti.integrate.rkf45 import RKF45
from duoti.integrate.semi_implicit_euler import SemiImplicitEuler

__all__ = ["DOP853", "DOPRI5", "RK4", "RKF45", "Adaptive", "ExplicitSolver", "FixedStep", "SemiImplicitEuler"]
