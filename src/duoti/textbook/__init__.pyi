# Written by tests/support/make_stub.py from the table in __init__.py; for type checkers and editors.

from duoti.analyses.instant.kane import Kane
from duoti.analyses.instant.mechanism_graph import mechanism_equations, mechanism_graph, reactions_by_graph

__all__ = [
    "Kane",
    "mechanism_equations",
    "mechanism_graph",
    "reactions_by_graph",
]
