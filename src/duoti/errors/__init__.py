"""The errors and warnings of duoti; `duoti.DuotiError` and `duoti.ModelError` are at the top of the package, too."""

from duoti.lazy import names_of

_EXPORTS = {
    "duoti.analyses.export.program": "ExportError",
    "duoti.analyses.simulate.simulate": "SimulationWarning",
    "duoti.analyses.states.assemble": "NearlyClosedWarning",
    "duoti.formats": "ModelFileError",
    "duoti.model.errors": "AnalysisError, ChannelError, DuotiError, ModelError, ParameterError",
    "duoti.model.import_note": "LeftOutWarning",
    "duoti.model.laws.expressions": "ExpressionError",
    "duoti.results.errors": "ResultFileError",
}

__all__, __getattr__, __dir__ = names_of(__name__, _EXPORTS)  # pyright: ignore[reportUnsupportedDunderAll]
