"""Old names and their new ones, in one table each. Old ones work for one version, with a DeprecationWarning.

`ARGUMENTS` has the parameters of functions, `MOVED` the names that left the top of the package for a part of it or for
another name, `OLD_TYPES` those of model files. The page "Changed names" of the documentation lists them
(`tests/meta/test_changed_names.py` compares).
"""

from __future__ import annotations

import functools
import inspect
import sys
import warnings
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

_PACKAGE = str(Path(__file__).parent)
_WRAPPERS = ("renamed.py", "strict.py", "at.py", "many_states.py")

_MODEL = {"system": "model"}
ARGUMENTS: dict[str, dict[str, str]] = {
    **dict.fromkeys((
        "accelerations", "assemble", "base_parameters", "constraint_jacobian", "contact_problem", "displace",
        "energies", "forward_dynamics_derivatives", "generalised_forces", "inertial_regressor", "inverse_dynamics",
        "inverse_dynamics_derivatives", "jacobian", "kane", "marker_derivatives", "mass_matrix", "momentum",
        "state_rates",
    ), _MODEL),
    "simulate": {"state": "at", "start_time": "t"},
    "equilibrium": {"start": "at"},
    "equilibrium_path": {"start": "at"},
    "equilibrium_derivatives": {"start": "at"},
    "required_forces": {"start_time": "t"},
    "kinematics": {"start_time": "t"},
    "gravity_compensation": {"part": "fraction"},
    "compare_constraint_methods": {"treatments": "methods"},
    "compare_treatments": {"treatments": "methods"},  # the task of model files
}  # fmt: skip
"""Parameters of functions by the functions' names: old -> new."""

KEPT = {("contact_problem", "system"), ("kane", "system")}
"""Old parameters that are as good as the new ones and do not warn: (function, parameter)."""

MOVED: dict[str, str] = {
    "Assembly": "analyses.Assembly",
    "Attachment": "flexible.Attachment",
    "Attraction": "PointGravity",
    "BaseParameters": "identification.BaseParameters",
    "BeamElement": "beams.BeamElement",
    "ChannelError": "errors.ChannelError",
    "Comparison": "analyses.ConstraintMethodComparison",
    "ConstraintJacobian": "analyses.ConstraintJacobian",
    "ContactProblem": "contact.ContactProblem",
    "ContactSolution": "contact.ContactSolution",
    "CouplerCurve": "analyses.CouplerCurve",
    "CraigBampton": "flexible.CraigBampton",
    "DmigFile": "flexible.DmigFile",
    "DrivenResult": "results.DrivenResult",
    "EnergyFlow": "results.EnergyFlow",
    "Equilibria": "analyses.Equilibria",
    "Equilibrium": "analyses.Equilibrium",
    "EquilibriumDerivatives": "analyses.EquilibriumDerivatives",
    "EquilibriumPath": "analyses.EquilibriumPath",
    "ExpressionError": "errors.ExpressionError",
    "Finding": "analyses.Finding",
    "Graph": "topology.Graph",
    "ImpactSolution": "contact.ImpactSolution",
    "ImportNote": "formats.ImportNote",
    "ImportNotes": "formats.ImportNotes",
    "InverseKinematics": "analyses.InverseKinematics",
    "JointEdge": "topology.JointEdge",
    "JointSpeed": "JointMotion(joint, velocity=...)",
    "Kane": "textbook.Kane",
    "LcpSolution": "contact.LcpSolution",
    "LeftOutWarning": "errors.LeftOutWarning",
    "LinearSystem": "analyses.LinearSystem",
    "MarkerSpeed": "MarkerMotion(marker, velocity=...)",
    "MatrixBushing": "Bushing",
    "Mode": "analyses.Mode",
    "ModelFileError": "errors.ModelFileError",
    "NaturalModes": "analyses.NaturalModes",
    "NcpSolution": "contact.NcpSolution",
    "NearlyClosedWarning": "errors.NearlyClosedWarning",
    "NodalForce": "flexible.NodalForce",
    "Page": "view.Page",
    "ParameterDerivatives": "analyses.ParameterDerivatives",
    "Pose": "spatial.Pose",
    "RateEquation": "Equation",
    "Regressor": "identification.Regressor",
    "Report": "analyses.Report",
    "ResultFileError": "errors.ResultFileError",
    "RootLocus": "analyses.RootLocus",
    "RopeForce": "Rope(through, tension=...)",
    "SimulationWarning": "errors.SimulationWarning",
    "SolverChoice": "analyses.SolverChoice",
    "SolverComparison": "analyses.SolverComparison",
    "SpectralBeamElement": "beams.SpectralBeamElement",
    "Structure": "flexible.Structure",
    "SurfacePressure": "flexible.SurfacePressure",
    "SurfaceTraction": "flexible.SurfaceTraction",
    "ThinBeam": "beams.ThinBeam",
    "Topology": "topology.Topology",
    "Weights": "topology.Weights",
    "Workspace": "analyses.Workspace",
    "assemble": "analyses.assemble",
    "base_parameters": "identification.base_parameters",
    "compare_solvers": "analyses.compare_solvers",
    "compare_treatments": "analyses.compare_constraint_methods",
    "constraint_jacobian": "analyses.constraint_jacobian",
    "coupler_curve": "analyses.coupler_curve",
    "displace": "analyses.displace",
    "equilibrium_derivatives": "analyses.equilibrium_derivatives",
    "forward_dynamics_derivatives": "analyses.forward_dynamics_derivatives",
    "generalised_forces": "analyses.generalised_forces",
    "gravity_compensation": "analyses.gravity_compensation",
    "inertial_regressor": "identification.inertial_regressor",
    "inverse_dynamics_derivatives": "analyses.inverse_dynamics_derivatives",
    "load_mjcf": "formats.load_mjcf",
    "load_urdf": "formats.load_urdf",
    "marker_derivatives": "analyses.marker_derivatives",
    "mechanism_equations": "textbook.mechanism_equations",
    "mechanism_graph": "textbook.mechanism_graph",
    "reactions_by_graph": "textbook.reactions_by_graph",
    "read_dmig": "flexible.read_dmig",
    "read_table": "formats.read_table",
    "run_tasks": "analyses.run_tasks",
    "save_urdf": "formats.save_urdf",
    "simulate_live": "view.simulate_live",
    "solve_impact": "contact.solve_impact",
    "solve_ncp": "contact.solve_ncp",
    "state_rates": "analyses.state_rates",
    "von_mises": "flexible.von_mises",
    "workspace": "analyses.workspace",
}
"""Names that were at the top of the package, and where they are now: `dt.solve_ncp` is `dt.contact.solve_ncp`.

What has parentheses is called otherwise (`CALLED_OTHERWISE`).
"""

OLD_TYPES: dict[tuple[str, str], tuple[str, dict[str, str]]] = {
    ("constraint", "joint_speed"): ("joint_motion", {"value": "velocity"}),
    ("constraint", "marker_speed"): ("marker_motion", {}),
    ("constraint", "rate_equation"): ("equation", {}),
    ("force", "attraction"): ("point_gravity", {}),
    ("force", "matrix_bushing"): ("bushing", {}),
    ("force", "rope_force"): ("rope", {}),
}
"""Types of elements in model files by section and old name: the new name, and keys, old -> new."""


def _joint_speed(joint: Any, value: Any, coordinate: int = 0) -> Any:
    return import_module("duoti").JointMotion(joint, velocity=value, coordinate=coordinate)


def _marker_speed(marker: Any, velocity: Any) -> Any:
    return import_module("duoti").MarkerMotion(marker, velocity=velocity)


def _rope_force(through: Any, tension: Any) -> Any:
    return import_module("duoti").Rope(through, tension=tension)


CALLED_OTHERWISE: dict[str, Callable[..., Any]] = {
    "JointSpeed": _joint_speed,
    "MarkerSpeed": _marker_speed,
    "RopeForce": _rope_force,
}
"""Old names whose parameters differ from those of the new ones: functions of the old parameters."""


def warn_renamed(old: str, new: str) -> None:
    """Say that a name has changed, at the line outside duoti from which it was used; within duoti, say nothing."""
    from duoti.strict import user_level

    warnings.warn(f"{old} is now {new}; the old name goes with the next version", DeprecationWarning,
                  stacklevel=user_level())  # fmt: skip


def renamed_arguments(function: F) -> F:
    """The function, which takes its old keywords (`ARGUMENTS`), too."""
    own = ARGUMENTS[function.__qualname__]

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        if not own.keys().isdisjoint(keywords):
            keywords = with_new_names(function.__name__, own, keywords)
        return function(*arguments, **keywords)

    return call  # pyright: ignore[reportReturnType]


def with_new_names(function: str, names: Mapping[str, str], given: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments by their new names; TypeError if one is given by both."""
    made: dict[str, Any] = {}
    for key, value in given.items():
        new = names.get(key, key)
        if new in made or (new != key and new in given):
            raise TypeError(f"{function}: {key!r} is the old name of {new!r}; give one of them")
        if new != key and (function, key) not in KEPT and not _within_duoti():
            warn_renamed(f"{function}({key}=)", f"{function}({new}=)")
        made[new] = value
    return made


def _within_duoti() -> bool:
    """Whether the call comes from duoti itself, wrappers of the function left aside."""
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame is not None and Path(frame.f_code.co_filename).name in _WRAPPERS:
        frame = frame.f_back
    return frame is not None and frame.f_code.co_filename.startswith(_PACKAGE)


def signature_with(function: Callable[..., Any], **keywords: Any) -> inspect.Signature:
    """The signature of a function with more keywords, and their defaults."""
    whole = inspect.signature(function)
    more = [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value) for name, value in keywords.items()]
    return whole.replace(parameters=[*whole.parameters.values(), *more])
