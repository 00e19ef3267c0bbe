# Written by tests/support/make_stub.py from the table in __init__.py; for type checkers and editors.

from duoti.analyses.equilibrium.equilibria import Equilibria
from duoti.analyses.equilibrium.equilibrium import Equilibrium
from duoti.analyses.equilibrium.path import EquilibriumPath
from duoti.analyses.instant.derivatives import displace, marker_derivatives
from duoti.analyses.kinematics.inverse_kinematics import InverseKinematics
from duoti.analyses.kinematics.kinematics import CouplerCurve, coupler_curve
from duoti.analyses.kinematics.workspace import Workspace, workspace
from duoti.analyses.linear.linear_system import LinearSystem
from duoti.analyses.linear.modes import Mode
from duoti.analyses.linear.natural_modes import NaturalModes
from duoti.analyses.linear.root_locus import RootLocus
from duoti.analyses.sensitivity.parameter_derivatives import EquilibriumDerivatives, ParameterDerivatives
from duoti.analyses.states.assemble import Assembly, assemble
from duoti.analyses.states.consistent import ConstraintJacobian
from duoti.analyses.study.compare_constraint_methods import ConstraintMethodComparison, compare_constraint_methods
from duoti.analyses.study.compare_solvers import SolverComparison, compare_solvers
from duoti.model.checks.findings import Finding, Report

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
