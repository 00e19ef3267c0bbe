"""Analyses: functions of a model or a compiled system."""

from duoti.lazy import names_of

_EXPORTS = {
    "duoti.analyses.assemble": "Assembly, assemble",
    "duoti.analyses.compare_solvers": "SolverComparison, compare_solvers",
    "duoti.analyses.compare_treatments": ("ConstraintMethodComparison, compare_constraint_methods"),
    "duoti.analyses.derivatives": "displace, marker_derivatives",
    "duoti.analyses.equilibria": "Equilibria",
    "duoti.analyses.equilibrium": "Equilibrium",
    "duoti.analyses.equilibrium_path": "EquilibriumPath",
    "duoti.analyses.instant": "ConstraintJacobian",
    "duoti.analyses.inverse_kinematics": "InverseKinematics",
    "duoti.analyses.kinematics": "CouplerCurve, coupler_curve",
    "duoti.analyses.linear_system": "LinearSystem",
    "duoti.analyses.modes": "Mode",
    "duoti.analyses.natural_modes": "NaturalModes",
    "duoti.analyses.parameter_derivatives": "EquilibriumDerivatives, ParameterDerivatives",
    "duoti.analyses.reach": "Workspace, workspace",
    "duoti.analyses.root_locus": "RootLocus",
    "duoti.model.findings": "Finding, Report",
}

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]
