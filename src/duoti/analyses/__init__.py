"""Analyses: functions of a model or a compiled system."""

from duoti.lazy import names_of

_EXPORTS = {
    "duoti.analyses.states.assemble": "Assembly, assemble",
    "duoti.analyses.study.compare_solvers": "SolverComparison, compare_solvers",
    "duoti.analyses.study.compare_constraint_methods": ("ConstraintMethodComparison, compare_constraint_methods"),
    "duoti.analyses.instant.derivatives": "displace, marker_derivatives",
    "duoti.analyses.equilibrium.equilibria": "Equilibria",
    "duoti.analyses.equilibrium.equilibrium": "Equilibrium",
    "duoti.analyses.equilibrium.path": "EquilibriumPath",
    "duoti.analyses.states.consistent": "ConstraintJacobian",
    "duoti.analyses.kinematics.inverse_kinematics": "InverseKinematics",
    "duoti.analyses.kinematics.kinematics": "CouplerCurve, coupler_curve",
    "duoti.analyses.linear.linear_system": "LinearSystem",
    "duoti.analyses.linear.modes": "Mode",
    "duoti.analyses.linear.natural_modes": "NaturalModes",
    "duoti.analyses.sensitivity.parameter_derivatives": "EquilibriumDerivatives, ParameterDerivatives",
    "duoti.analyses.kinematics.workspace": "Workspace, workspace",
    "duoti.analyses.linear.root_locus": "RootLocus",
    "duoti.model.checks.findings": "Finding, Report",
}

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]
