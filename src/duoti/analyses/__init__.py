"""Analyses: functions of a model or a compiled system."""

from duoti.lazy import names_of

_EXPORTS = {
    "duoti.analyses.batch.result": "BatchResult",
    "duoti.analyses.equilibrium.equilibria": "Equilibria",
    "duoti.analyses.equilibrium.equilibrium": "Equilibrium",
    "duoti.analyses.equilibrium.path": "EquilibriumPath",
    "duoti.analyses.instant.derivatives": (
        "displace, forward_dynamics_derivatives, inverse_dynamics_derivatives, marker_derivatives"
    ),
    "duoti.analyses.instant.dynamics": (
        "centroidal_momentum, coriolis_matrix, frame, generalised_forces, gravity_forces, jacobian_rate, "
        "operational_space_inertia, state_rates"
    ),
    "duoti.analyses.instant.exchange_states": "from_mujoco, from_pinocchio, to_mujoco, to_pinocchio",
    "duoti.analyses.kinematics.gravity_compensation": "gravity_compensation",
    "duoti.analyses.kinematics.inverse_kinematics": "InverseKinematics",
    "duoti.analyses.kinematics.kinematics": "CouplerCurve, coupler_curve",
    "duoti.analyses.kinematics.workspace": "Workspace, workspace",
    "duoti.analyses.linear.linear_system": "LinearSystem",
    "duoti.analyses.linear.modes": "Mode",
    "duoti.analyses.linear.natural_modes": "NaturalModes",
    "duoti.analyses.linear.root_locus": "RootLocus",
    "duoti.analyses.sensitivity.parameter_derivatives": (
        "EquilibriumDerivatives, ParameterDerivatives, equilibrium_derivatives"
    ),
    "duoti.analyses.simulate.choose_solver": "SolverChoice",
    "duoti.analyses.states.assemble": "Assembly, assemble",
    "duoti.analyses.states.consistent": "ConstraintJacobian, constraint_jacobian",
    "duoti.analyses.study.compare_constraint_methods": "ConstraintMethodComparison, compare_constraint_methods",
    "duoti.analyses.study.compare_solvers": "SolverComparison, compare_solvers",
    "duoti.analyses.parameter_study.plot": "plot_study",
    "duoti.analyses.parameter_study.study": "Explanation",
    "duoti.analyses.study.tasks": "file_study, run_tasks",
    "duoti.model.checks.findings": "Finding, Report",
}

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]
