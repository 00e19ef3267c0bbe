"""Contact: gaps between shapes, laws, complementarity solvers and impact laws; each can be used by itself."""

from duoti.lazy import names_of

_EXPORTS = {
    "duoti.analyses.states.contact_problem": "ContactProblem, ContactSolution",
    "duoti.contact.impact.impact": "ImpactSolution, solve_impact",
    "duoti.contact.solve.global_form": "GlobalNcpSolution, solve_global_ncp",
    "duoti.contact.solve.lcp": "LcpSolution",
    "duoti.contact.solve.ncp": "NcpSolution, solve_ncp",
}

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]
