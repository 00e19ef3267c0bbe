"""The section `study:` of model files: checked with lines, and made a `Study`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from duoti.analyses.parameter_study.distributions import DISTRIBUTIONS, SAMPLINGS, grid
from duoti.analyses.parameter_study.measures import Measure
from duoti.analyses.parameter_study.study import RESERVED, Study
from duoti.model.constructor_schema import Field, fields_of
from duoti.model.errors import ParameterError, did_you_mean
from duoti.model.expand_bond_graphs import described, expanded
from duoti.model.laws.expressions import ExpressionError
from duoti.model.parameters import find

STUDY = "study"
"""The task, of `model.sections`."""
MAKERS: dict[str, Any] = {"grid": grid, **DISTRIBUTIONS}
"""Values of a parameter by a word: {grid: [10, 100, 5]}, {normal: {mean: 1, sd: 0.1}}."""


def study_fields() -> dict[str, Field]:
    """The keys of the section."""
    return {name: field for name, field in fields_of(Study).items() if name != "model"}


def checked_study(checker: Any, data: Any) -> dict[str, Any]:
    """Arguments of `Study`; `checker` of `analyses.study.tasks` collects what is wrong."""
    fields = study_fields()
    found: dict[str, Any] = checker.arguments((STUDY,), data, fields, STUDY)
    if "parameters" in found:
        found["parameters"] = _parameters(checker, found["parameters"])
    if "measures" in found:
        _check_measures(checker, found["measures"], tuple(found.get("parameters") or ()))
    if "sampling" in found and found["sampling"] not in SAMPLINGS:
        checker.fault((STUDY, "sampling"), f"{found['sampling']!r} is none of {', '.join(SAMPLINGS)}")
    if "correlation" in found:
        found["correlation"] = _correlation(checker, found["correlation"])
    return found


def _parameters(checker: Any, data: Any) -> dict[str, Any]:
    path = (STUDY, "parameters")
    if not isinstance(data, Mapping) or not data:
        checker.fault(path, f"{data!r}, but values by name are needed, such as {{spring.stiffness: [10, 20]}}")
        return {}
    made, model = dict[str, Any](), described(checker.model)
    for name, values in data.items():
        where = (*path, str(name))
        try:
            find(model, str(name)).number(model)
        except (ParameterError, TypeError) as error:
            checker.fault(where, str(error), (str(name),))
        if isinstance(values, Mapping):
            made[name] = _made(checker, where, values)
        elif isinstance(values, list | tuple) and values and all(_is_number(each) for each in values):
            made[name] = list(values)
        else:
            text = f"{values!r}, but a list of numbers is needed, or one of {', '.join(MAKERS)}: {{grid: [10, 20, 5]}}"
            checker.fault(where, text)
    return made


def _made(checker: Any, where: tuple[str, ...], data: Mapping[str, Any]) -> Any:
    """A grid or a distribution, by one word and its arguments in order or by name."""
    (kind, given), *more = data.items() or [("", None)]
    if more or kind not in MAKERS:
        hint = did_you_mean(str(kind), MAKERS) or f" There are: {', '.join(MAKERS)}."
        checker.fault(where, f"{dict(data)!r} says not what the values are.{hint}")
        return None
    try:
        if isinstance(given, Mapping):
            return MAKERS[kind](**given)
        if kind == "choice":
            return MAKERS[kind](given)
        return MAKERS[kind](*(given if isinstance(given, list | tuple) else (given,)))
    except (ValueError, TypeError) as error:
        checker.fault((*where, kind), str(error))
        return None


def _check_measures(checker: Any, data: Any, names: tuple[str, ...]) -> None:
    path = (STUDY, "measures")
    if not isinstance(data, Mapping) or not data:
        checker.fault(path, f"{data!r}, but expressions by name are needed, such as {{peak: max(abs(A.angle))}}")
        return
    model = expanded(checker.model)
    for name, text in data.items():
        where = (*path, str(name))
        if name in RESERVED or name in names:
            checker.fault(where, f"{name!r} cannot be the name of a measure")
        elif isinstance(text, str):
            try:
                Measure(text, model)
            except ExpressionError as error:
                checker.fault(where, str(error), error.unknown)
        else:
            checker.fault(where, f"{text!r} is not an expression, such as max(abs(A.angle))")


def _correlation(checker: Any, data: Any) -> dict[tuple[str, str], float]:
    """[[a, b, 0.5], ...] as Python writes it."""
    path, found = (STUDY, "correlation"), dict[tuple[str, str], float]()
    for each in data if isinstance(data, list | tuple) else [data]:
        if not isinstance(each, list | tuple) or len(each) != 3 or not _is_number(each[2]):
            checker.fault(path, f"{each!r}, but two names and a number are needed: [[rod.mass, A.q0, 0.5]]")
        else:
            found[str(each[0]), str(each[1])] = float(each[2])
    return found


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
