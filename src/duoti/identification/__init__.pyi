# Written by tests/support/make_stub.py from the table in __init__.py; for type checkers and editors.

from duoti.analyses.gradients.fit import Experiment, Fit
from duoti.analyses.sensitivity.regressor import BaseParameters, Regressor, base_parameters, inertial_regressor

__all__ = [
    "BaseParameters",
    "Experiment",
    "Fit",
    "Regressor",
    "base_parameters",
    "inertial_regressor",
]
