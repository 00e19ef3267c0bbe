"""Results: states over time and all that follows from them."""

from duoti.lazy import names_of

_EXPORTS = {
    "duoti.results.required_forces_result": "DrivenResult",
    "duoti.results.energy_flow": "EnergyFlow",
}

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]
