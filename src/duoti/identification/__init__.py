"""Inertial parameters and identification: the regressor, what motions can tell, experiments and fits."""

from duoti.lazy import names_of

_EXPORTS = {
    "duoti.analyses.gradients.fit": "Experiment, Fit",
    "duoti.analyses.sensitivity.regressor": "BaseParameters, Regressor, base_parameters, inertial_regressor",
}

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]
