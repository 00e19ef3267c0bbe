"""Errors that name what is wrong with a model.

DuotiError
  ModelError         the model is wrong; carries the report of all findings
  AnalysisError      analyses that a file asks for failed or were refused; carries the results of the others
  ChannelError       a result or an expression asks for a quantity that the model does not have
    ParameterError   no number of the model has this name, or several have; or its new value is not possible
ImportError
  MissingPackageError   an optional package is not installed
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from duoti.kernel.console import MissingPackageError as MissingPackageError
from duoti.spelling import did_you_mean as did_you_mean

if TYPE_CHECKING:
    from duoti.model.checks.findings import Report


class DuotiError(Exception):
    """Base class of duoti's own errors."""


class ModelError(DuotiError, ValueError):
    """The model is wrong. `report` has all findings."""

    def __init__(self, report: Report):
        self.report = report
        super().__init__(str(report))


class AnalysisError(DuotiError, RuntimeError):
    """Analyses that a file asks for failed, or cannot treat its model.

    done: results of all other tasks, as `run_tasks` returns them. errors: what was raised, by the names of analyses.
    """

    def __init__(self, done: dict[str, Any], errors: dict[str, Exception]):
        super().__init__("\n".join(f'analysis "{name}": {_described(error)}' for name, error in errors.items()))
        self.done, self.errors = done, errors

    @property
    def refused(self) -> bool:
        """Whether all of them were refused because of the model or the settings, and none failed on its way."""
        return all(isinstance(error, DuotiError | NotImplementedError) for error in self.errors.values())


def _described(error: Exception) -> str:
    expected = isinstance(error, DuotiError | NotImplementedError | ValueError | MissingPackageError)
    return str(error) if expected else f"{type(error).__name__}: {error}"


class ChannelError(DuotiError, KeyError):
    """There is no such quantity, or its name is ambiguous."""

    def __str__(self) -> str:  # KeyError would print the repr of the text
        return str(self.args[0])


class ParameterError(ChannelError, ValueError):
    """There is no such number in the model, its name is ambiguous, or it cannot have the value."""


class AmbiguousNameError(ParameterError):
    """Several numbers of the model have the name."""
