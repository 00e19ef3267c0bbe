"""Errors that name what is wrong with a model.

DuotiError
  ModelError         the model is wrong; carries the report of all findings
  RefusedAnalysisError   an analysis that a file asks for cannot treat its model; carries the results before it
  ChannelError       a result or an expression asks for a quantity that the model does not have
ImportError
  MissingPackageError   an optional package is not installed
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from duoti.spelling import did_you_mean as did_you_mean

if TYPE_CHECKING:
    from duoti.model.findings import Report


class DuotiError(Exception):
    """Base class of duoti's own errors."""


class ModelError(DuotiError, ValueError):
    """The model is wrong. `report` has all findings."""

    def __init__(self, report: Report):
        self.report = report
        super().__init__(str(report))


class RefusedAnalysisError(DuotiError, NotImplementedError):
    """An analysis that a file asks for cannot treat its model; `done` has the results of what came before it."""

    def __init__(self, text: str, done: dict[str, Any]):
        super().__init__(text)
        self.done = done


class ChannelError(DuotiError, KeyError):
    """There is no such quantity, or its name is ambiguous."""

    def __str__(self) -> str:  # KeyError would print the repr of the text
        return str(self.args[0])


class MissingPackageError(ImportError):
    """An optional package is not installed; the text says how to get it."""
