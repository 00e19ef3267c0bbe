"""Inertial parameters: the regressor, and the combinations that motions can tell."""

from duoti.lazy import names_of

_EXPORTS = {
    "duoti.analyses.sensitivity.regressor": "BaseParameters, Regressor, base_parameters, inertial_regressor",
}

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]
