"""Equations of motion as textbooks write them: Kane's arrays, multibond graphs of mechanisms."""

from duoti.lazy import names_of

_EXPORTS = {
    "duoti.analyses.kane": "Kane",
    "duoti.analyses.mechanism_equations": "mechanism_equations",
    "duoti.analyses.mechanism_graph": "mechanism_graph, reactions_by_graph",
}

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]
