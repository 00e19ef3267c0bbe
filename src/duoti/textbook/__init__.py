"""Equations of motion as textbooks write them: Kane's arrays, multibond graphs of mechanisms."""

from duoti.lazy import names_of

_EXPORTS = {
    "duoti.analyses.instant.kane": "Kane",
    "duoti.analyses.instant.mechanism_graph": "mechanism_equations, mechanism_graph, reactions_by_graph",
}

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]
