# Written by tests/support/make_stub.py from the table in __init__.py; for type checkers and editors.

from duoti.analyses.assemble import Assembly, assemble
from duoti.analyses.compare_solvers import SolverComparison, compare_solvers
from duoti.analyses.compare_treatments import ConstraintMethodComparison, compare_constraint_methods
from duoti.analyses.derivatives import displace, marker_derivatives
from duoti.analyses.equilibria import Equilibria
from duoti.analyses.equilibrium import Equilibrium
from duoti.analyses.equilibrium_path import EquilibriumPath
from duoti.analyses.instant import ConstraintJacobian
from duoti.analyses.inverse_kinematics import InverseKinematics
from duoti.analyses.kinematics import CouplerCurve, coupler_curve
from duoti.analyses.linear_system import LinearSystem
from duoti.analyses.modes import Mode
from duoti.analyses.natural_modes import NaturalModes
from duoti.analyses.parameter_derivatives import EquilibriumDerivatives, ParameterDerivatives
from duoti.analyses.reach import Workspace, workspace
from duoti.analyses.root_locus import RootLocus
from duoti.model.findings import Finding, Report

__all__ = [
    "Assembly",
    "ConstraintJacobian",
    "ConstraintMethodComparison",
    "CouplerCurve",
    "Equilibria",
    "Equilibrium",
    "EquilibriumDerivatives",
    "EquilibriumPath",
    "Finding",
    "InverseKinematics",
    "LinearSystem",
    "Mode",
    "NaturalModes",
    "ParameterDerivatives",
    "Report",
    "RootLocus",
    "SolverComparison",
    "Workspace",
    "assemble",
    "compare_constraint_methods",
    "compare_solvers",
    "coupler_curve",
    "displace",
    "marker_derivatives",
    "workspace",
]
