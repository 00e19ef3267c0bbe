# Written by tests/support/make_stub.py from the table in __init__.py; for type checkers and editors.

from duoti.analyses.batch.result import BatchResult
from duoti.analyses.equilibrium.equilibria import Equilibria
from duoti.analyses.equilibrium.equilibrium import Equilibrium
from duoti.analyses.equilibrium.path import EquilibriumPath
from duoti.analyses.instant.derivatives import (
    displace,
    forward_dynamics_derivatives,
    inverse_dynamics_derivatives,
    marker_derivatives,
)
from duoti.analyses.instant.dynamics import (
    centroidal_momentum,
    coriolis_matrix,
    frame,
    generalised_forces,
    gravity_forces,
    jacobian_rate,
    operational_space_inertia,
    state_rates,
)
from duoti.analyses.instant.exchange_states import from_mujoco, from_pinocchio, to_mujoco, to_pinocchio
from duoti.analyses.kinematics.gravity_compensation import gravity_compensation
from duoti.analyses.kinematics.inverse_kinematics import InverseKinematics
from duoti.analyses.kinematics.kinematics import CouplerCurve, coupler_curve
from duoti.analyses.kinematics.workspace import Workspace, workspace
from duoti.analyses.linear.linear_system import LinearSystem
from duoti.analyses.linear.modes import Mode
from duoti.analyses.linear.natural_modes import NaturalModes
from duoti.analyses.linear.root_locus import RootLocus
from duoti.analyses.parameter_study.plot import plot_study
from duoti.analyses.parameter_study.study import Explanation
from duoti.analyses.sensitivity.parameter_derivatives import (
    EquilibriumDerivatives,
    ParameterDerivatives,
    equilibrium_derivatives,
)
from duoti.analyses.simulate.choose_solver import SolverChoice
from duoti.analyses.states.assemble import Assembly, assemble
from duoti.analyses.states.consistent import ConstraintJacobian, constraint_jacobian
from duoti.analyses.study.compare_constraint_methods import ConstraintMethodComparison, compare_constraint_methods
from duoti.analyses.study.compare_solvers import SolverComparison, compare_solvers
from duoti.analyses.study.tasks import file_study, run_tasks
from duoti.model.checks.findings import Finding, Report

__all__ = [
    "Assembly",
    "BatchResult",
    "ConstraintJacobian",
    "ConstraintMethodComparison",
    "CouplerCurve",
    "Equilibria",
    "Equilibrium",
    "EquilibriumDerivatives",
    "EquilibriumPath",
    "Explanation",
    "Finding",
    "InverseKinematics",
    "LinearSystem",
    "Mode",
    "NaturalModes",
    "ParameterDerivatives",
    "Report",
    "RootLocus",
    "SolverChoice",
    "SolverComparison",
    "Workspace",
    "assemble",
    "centroidal_momentum",
    "compare_constraint_methods",
    "compare_solvers",
    "constraint_jacobian",
    "coriolis_matrix",
    "coupler_curve",
    "displace",
    "equilibrium_derivatives",
    "file_study",
    "forward_dynamics_derivatives",
    "frame",
    "from_mujoco",
    "from_pinocchio",
    "generalised_forces",
    "gravity_compensation",
    "gravity_forces",
    "inverse_dynamics_derivatives",
    "jacobian_rate",
    "marker_derivatives",
    "operational_space_inertia",
    "plot_study",
    "run_tasks",
    "state_rates",
    "to_mujoco",
    "to_pinocchio",
    "workspace",
]
