# Written by tests/support/make_stub.py from the table in __init__.py; for type checkers and editors.

from duoti.results.driven import DrivenResult
from duoti.results.energy_flow import EnergyFlow

__all__ = [
    "DrivenResult",
    "EnergyFlow",
]
