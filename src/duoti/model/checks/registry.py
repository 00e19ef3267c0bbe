"""The table of checks: which there are, when each runs, and in which order their findings are listed.

A check is a function `find(subject, found)` under `@register_check(stage)`, in a file of its own here or, if it needs a
compiled model, in `duoti/analyses/checks`. Both folders are searched: a new check is a new file and nothing else.
A check of another package is registered when that is imported. The stage decides what a check is given.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any, Literal, NamedTuple, TypeVar, get_args

from duoti.model.checks.findings import Finding, Findings, Report, SourceLocations
from duoti.model.mechanism.placement import Placement
from duoti.model.model import Model

Stage = Literal["sections", "structure", "placed", "tasks", "assembly", "state", "forces", "solver"]
"""When a check runs, in this order. A stage runs if no check before it found an error, but `tasks` in any case.

| stage | the check is given | what holds |
|---|---|---|
| `sections` | the model as it is, a `Model` | nothing: any value may stand anywhere |
| `structure` | the `Model` with bond graphs put in, and joints of beams that are needed | its sections hold elements |
| `placed` | a `PlacedModel`: the model and the places of its bodies | names, parameters and attachments are right |
| `tasks` | the model as it is, a `Model` | nothing |
| `assembly` | a `CheckContext` (`analyses/checks/context.py`): the compiled model and its tree | it can be compiled |
| `state` | a `CheckContext`, and its initial state | loops and constraints are closed |
| `forces` | the same | something resists every motion |
| `solver` | the same, and the solver that a simulation would take | contacts and friction can be treated |
"""

Cost = Literal["cheap", "compiles", "solves"]
"""What a check does for most models that it concerns: reads the model; compiles it; solves equations of motion, contact
or loops."""

LAST = 1000


class PlacedModel(NamedTuple):
    """What checks of the stage `placed` are given."""

    model: Model
    placement: Placement
    """Poses of all bodies in the reference configuration."""


@dataclass(frozen=True)
class Check:
    """A line of the table."""

    name: str
    """Module and function."""
    stage: Stage
    order: int
    """Its place among the checks of its stage, and that of its findings among those of the same severity."""
    cost: Cost
    find: Callable[[Any, Findings], None]


TABLE: dict[str, Check] = {}
"""All checks that were imported, by name."""

Find = TypeVar("Find", bound=Callable[..., None])


def register_check(stage: Stage, order: int = LAST, cost: Cost = "cheap") -> Callable[[Find], Find]:
    """A decorator that puts a function `find(subject, found)` into the table of checks."""
    for given, known, what in ((stage, get_args(Stage), "stages"), (cost, get_args(Cost), "costs")):
        if given not in known:
            raise ValueError(f"{given!r} is none of the {what} {', '.join(known)}")

    def register(find: Find) -> Find:
        name = f"{find.__module__}.{find.__qualname__}"
        TABLE[name] = Check(name, stage, order, cost, find)
        return find

    return register


@cache
def find_checks(package: str) -> None:
    """Import all modules of a folder of checks, once; each registers its own."""
    for info in pkgutil.iter_modules(importlib.import_module(package).__path__):
        importlib.import_module(f"{package}.{info.name}")


def checks_of(stage: Stage) -> list[Check]:
    """The checks of a stage, in their order."""
    return sorted((each for each in TABLE.values() if each.stage == stage), key=lambda each: each.order)


class CheckRun:
    """One way through the table: stage by stage, as long as there is no error."""

    def __init__(self) -> None:
        self.found: list[tuple[int, Finding]] = []
        self.model = ""
        """The model's name."""
        self.locations: SourceLocations = {}
        """Places of its elements in its file, once they are known to be such."""

    @property
    def ok(self) -> bool:
        """Whether no check found an error so far."""
        return not any(finding.severity == "error" for _, finding in self.found)

    def run(self, stage: Stage, subject: Any) -> bool:
        """Run the checks of a stage; whether there is no error so far."""
        for check in checks_of(stage):
            found = Findings()
            check.find(subject, found)
            self.found += [(check.order, each) for each in found.found]
        return self.ok

    def report(self, solver: str = "") -> Report:
        """All findings, errors first, otherwise in the order of the checks; with their places in the model's file."""
        found = Findings()
        found.found = [finding for _, finding in sorted(self.found, key=lambda each: each[0])]
        return replace(found.report(self.model, self.locations), solver=solver)
