# Written by tests/support/make_stub.py from the table in __init__.py; for type checkers and editors.

from duoti.analyses.export.program import ExportError
from duoti.analyses.simulate.simulate import SimulationWarning
from duoti.analyses.states.assemble import NearlyClosedWarning
from duoti.formats import ModelFileError
from duoti.model.errors import AnalysisError, ChannelError, DuotiError, ModelError, ParameterError
from duoti.model.import_note import LeftOutWarning
from duoti.model.laws.expressions import ExpressionError
from duoti.results.errors import ResultFileError

__all__ = [
    "AnalysisError",
    "ChannelError",
    "DuotiError",
    "ExportError",
    "ExpressionError",
    "LeftOutWarning",
    "ModelError",
    "ModelFileError",
    "NearlyClosedWarning",
    "ParameterError",
    "ResultFileError",
    "SimulationWarning",
]
