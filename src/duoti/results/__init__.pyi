# Written by tests/support/make_stub.py from the table in __init__.py; for type checkers and editors.

from duoti.results.energy_flow import EnergyFlow
from duoti.results.required_forces_result import DrivenResult

__all__ = [
    "DrivenResult",
    "EnergyFlow",
]
