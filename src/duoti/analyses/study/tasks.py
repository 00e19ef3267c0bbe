"""What a model file asks for (`simulate: {duration: 2.0, solver: radau}`): checked with lines, and done.

The keys of a task are the parameters of the function that does it; solvers and constraint methods go by their names in
small letters, alone or with their settings: `solver: radau`, `solver: {type: radau, rtol: 1e-9}`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from duoti.analyses.simulate.named_options import CONSTRAINT_METHODS, SOLVERS
from duoti.analyses.study.registry import ANALYSES, TASKS, WITHOUT, analysis_fields, checked_analyses, run_analyses
from duoti.model.checks.findings import Finding, Report, SourceLocations
from duoti.model.checks.parameters import setting_faults
from duoti.model.constructor_schema import Field, fields_of
from duoti.model.element_id import ElementId
from duoti.model.errors import AnalysisError, ModelError, did_you_mean
from duoti.model.expand_bond_graphs import expanded
from duoti.model.model import Model, require_model
from duoti.model.plot_requests import channel_faults, plot_faults
from duoti.model.without import element_to_leave_out
from duoti.renamed import ARGUMENTS
from duoti.spelling import nearest
from duoti.strict import explained

if TYPE_CHECKING:
    from duoti.analyses.parameter_study.study import Study

CHOICES = {"coordinates": ("relative", "absolute"), "cut": ("auto", "weights", "cheapest", "absolute")}
JOINTS = ("force_cut", "forbid_cut", "want_reaction")
"""Settings that are lists of joints."""

CHANNELS = ("outputs", "plots")
"""Tasks that are lists of channels, for whoever shows results."""

STUDY = "study"
"""The task that asks for a parameter study (`analyses.study.studies`), which `file_study` makes."""

FURTHER = "analyses"
"""The task that holds further analyses by name (`analyses.study.registry`)."""


class _Checker:
    """Turns the plain data of tasks into arguments, and collects what is wrong with them."""

    def __init__(self, model: Model):
        self.model = model
        self.found: list[Finding] = []

    def fault(self, path: Sequence[str], message: str, unknown: tuple[str, ...] = ()) -> None:
        where = tuple(path)
        locations: SourceLocations = self.model.source_locations
        location = next((locations[where[:n]] for n in range(len(where), 0, -1) if where[:n] in locations), None)
        task = (ElementId("task", where[0]),)
        text = f"{'.'.join(path)}: {message}"
        self.found.append(
            Finding("error", "task", task, text, place=location, key=".".join(where[1:2]), unknown=unknown)
        )

    def arguments(self, path: Sequence[str], data: Any, fields: Mapping[str, Field], of: str) -> dict[str, Any]:
        """The arguments of a function or constructor by name."""
        if data is None:
            data = {}
        if not isinstance(data, Mapping):
            self.fault(path, f"{data!r}, but a mapping such as {{{', '.join(f'{n}: ...' for n in fields)}}} is needed")
            return {}
        found: dict[str, Any] = {}
        renamed = ARGUMENTS.get(of, {})  # files keep the old names
        data = {renamed.get(key, key): value for key, value in data.items()}
        for key, value in data.items():
            if key in fields:
                found[key] = self.value((*path, key), value, fields[key])
            else:
                hint = did_you_mean(key, fields) or f" There are: {', '.join(fields)}."
                self.fault((*path, key), f"unknown key {key!r} of {of}.{hint}")
        for name, field in fields.items():
            if field.required and name not in data:
                self.fault(path, f"{name!r} is missing: {of} needs it" + (f" [{field.unit}]" if field.unit else ""))
        return found

    def value(self, path: Sequence[str], value: Any, field: Field) -> Any:
        if field.name in ("solver", "constraints"):
            return self.chosen(path, value, SOLVERS if field.name == "solver" else CONSTRAINT_METHODS, field.name)
        if field.name in ("solvers", "methods"):
            known, of = (SOLVERS, "solver") if field.name == "solvers" else (CONSTRAINT_METHODS, "constraint method")
            if not isinstance(value, Sequence) or isinstance(value, str):
                self.fault(path, f"{value!r}, but a list of names is needed")
                return None
            return [self.chosen(path, each, known, of) for each in value]
        if field.name in CHOICES and value not in CHOICES[field.name]:
            self.fault(path, f"{value!r} is none of {', '.join(CHOICES[field.name])}")
        if field.name in JOINTS:
            self.joints(path, value)
        if field.kind in ("number", "whole number"):
            if isinstance(value, bool) or not isinstance(value, int | float):
                if not (value is None and not field.required and field.default is None):
                    self.fault(path, f"{value!r} is not a number")
            elif field.name == "duration" and not 0.0 < value < math.inf:
                self.fault(path, f"{value!r} is not a positive time in seconds")
            elif field.kind == "whole number":
                if not abs(value) < 1e15 or not float(value).is_integer():
                    self.fault(path, f"{value!r} is not a whole number")
                    return value
                return int(value)
        return value

    def left_out(self, path: Sequence[str], settings: dict[str, Any]) -> dict[str, Any]:
        """The setting `without`, taken out of the others: elements that are switched off."""
        if WITHOUT not in settings:
            return {}
        names, where = settings.pop(WITHOUT), (*path, WITHOUT)
        names = [names] if isinstance(names, str) else names
        if not isinstance(names, Sequence):
            self.fault(where, f"{names!r}, but a list of forces, constraints, contacts or events is needed")
            return {}
        known: list[str] = []
        for name in names:
            try:
                element_to_leave_out(self.model, name)
                known.append(name)
            except ValueError as error:
                self.fault(where, str(error), (str(name),))
        return {WITHOUT: known}

    def joints(self, path: Sequence[str], value: Any) -> None:
        if not isinstance(value, Sequence) or isinstance(value, str):
            self.fault(path, f"{value!r}, but a list of joints is needed")
            return
        for name in value:
            if name not in self.model.joints:
                hint = did_you_mean(str(name), self.model.joints)
                self.fault(path, f"there is no joint {name!r}.{hint}")

    def chosen(self, path: Sequence[str], value: Any, types: Mapping[str, type], of: str) -> Any:
        """A solver or constraint method by name, or by name and settings."""
        settings = dict(value) if isinstance(value, Mapping) else {}
        kind = settings.pop("type", None) if isinstance(value, Mapping) else value
        if not isinstance(kind, str) or kind not in types:
            hint = (did_you_mean(kind, types) if isinstance(kind, str) else "") or f" There are: {', '.join(types)}."
            what = "'type' is missing." if kind is None else f"there is no {of} {kind!r}."
            self.fault((*path, "type") if isinstance(value, Mapping) and kind is not None else path, what + hint)
            if isinstance(kind, str) and settings and (meant := nearest(kind, types)):
                self.arguments(path, settings, fields_of(types[meant[0]]), meant[0])
            return None
        before = len(self.found)
        given = self.arguments(path, settings, fields_of(types[kind]), kind)
        if len(self.found) > before:
            return None
        made: Any = types[kind](**given)
        for fault in setting_faults(made):
            self.fault(path, fault)
        return made

    def channels(self, name: str, data: Any) -> None:
        """Every channel that is asked for must exist."""
        if not isinstance(data, Sequence) or isinstance(data, str):
            self.fault((name,), f"{data!r}, but a list of channels such as [A.angle, tip.position] is needed")
            return
        model = expanded(self.model)  # bond graphs have channels, too
        faults_of = plot_faults if name == "plots" else channel_faults
        for item in data:
            for fault, unknown in faults_of(model, item):
                self.fault((name,), fault, (unknown,) if unknown else ())


def _checked(model: Model) -> tuple[dict[str, dict[str, Any]], list[Finding]]:
    checker = _Checker(model)
    settings: dict[str, dict[str, Any]] = {}
    for name, data in model.tasks.items():
        if name in TASKS:
            given = dict(data) if isinstance(data, Mapping) else data
            left_out = checker.left_out((name,), given) if isinstance(given, dict) else {}
            settings[name] = {**left_out, **checker.arguments((name,), given, analysis_fields(name), name)}
        elif name in CHANNELS:
            checker.channels(name, data)
        elif name == STUDY:
            from duoti.analyses.study.studies import checked_study

            settings[name] = checked_study(checker, data)
        elif name != FURTHER:
            checker.fault(
                (name,), f"there is no task {name!r}.{did_you_mean(name, [*TASKS, *CHANNELS, FURTHER, STUDY])}"
            )
    if FURTHER in model.tasks:
        settings[FURTHER] = checked_analyses(checker, model.tasks[FURTHER], tuple(settings))
    return settings, checker.found


def check_tasks(model: Model) -> tuple[Finding, ...]:
    """What is wrong with the tasks of a model: unknown solvers, keys and channels, missing durations."""
    return tuple(_checked(model)[1])


def task_settings(model: Model, name: str) -> dict[str, Any]:
    """The arguments, solvers and constraint methods as objects, with which a task's function is called; {} if it is not
    asked.

    Raises `ModelError` with all that is wrong with the model's tasks.
    """
    require_model(model)
    settings, found = _checked(model)
    if found:
        raise ModelError(Report(model.name, tuple(found)))
    return settings.get(name, {})


@explained
def file_study(model: Model) -> Study:
    """The parameter study that a model's file asks for, in its section `study:`.

    Parameters
    ----------
    model:
        A model with this section.
    """
    from duoti.analyses.parameter_study.study import Study

    settings = task_settings(model, STUDY)
    if STUDY not in model.tasks:
        raise ValueError(f'model "{model.name}" asks for no study; write a section study: into its file')
    return Study(model, **settings)


@explained
def run_tasks(model: Model, **simulate_options: Any) -> dict[str, Any]:
    """Do what the model's file asks for, and return the results by the names of the tasks.

    The result of `simulate` is a `Result`, of `check` a report, of `analyses` a mapping. Wrong tasks raise `ModelError`
    before anything is done. An analysis that fails raises `AnalysisError` at the end, with the results of the others in
    `error.done`.

    Parameters
    ----------
    model:
        A model with tasks.
    simulate_options:
        Arguments of `simulate` (duration, solver, ...) in place of what the file says.
    """
    require_model(model)
    settings, found = _checked(model)
    if found:
        raise ModelError(Report(model.name, tuple(found)))
    if simulate_options:
        settings["simulate"] = {**settings.get("simulate", {}), **simulate_options}
    further = settings.pop(FURTHER, None)
    settings.pop(STUDY, None)  # thousands of runs, which `duoti study` does
    results: dict[str, Any] = {}
    errors: dict[str, Exception] = {}
    for name, given in settings.items():
        arguments = {key: value for key, value in given.items() if key != WITHOUT}
        try:
            results[name] = ANALYSES[name](model.without(*given[WITHOUT]) if WITHOUT in given else model, **arguments)
        except Exception as error:
            if name == "simulate":
                raise
            errors[name] = error
    if further is not None:
        results[FURTHER], failed = run_analyses(model, further, results)
        errors |= failed
    if errors:
        raise AnalysisError(results, errors) from next(iter(errors.values()))
    return results
