# Written by tests/support/make_stub.py from the table in __init__.py; for type checkers and editors.

from duoti.analyses.states.contact_problem import ContactProblem, ContactSolution
from duoti.contact.impact.impact import ImpactSolution, solve_impact
from duoti.contact.solve.global_form import GlobalNcpSolution, solve_global_ncp
from duoti.contact.solve.lcp import LcpSolution
from duoti.contact.solve.ncp import NcpSolution, solve_ncp

__all__ = [
    "ContactProblem",
    "ContactSolution",
    "GlobalNcpSolution",
    "ImpactSolution",
    "LcpSolution",
    "NcpSolution",
    "solve_global_ncp",
    "solve_impact",
    "solve_ncp",
]
