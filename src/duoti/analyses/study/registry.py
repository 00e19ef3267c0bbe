"""The analyses that a model file can ask for: one table, `ANALYSES`.

    simulate: {duration: 2.0}
    analyses:
      rest:  {type: equilibrium}
      modes: {type: linearise, at: rest, outputs: [A.angle]}

A line of the table names the function that does the analysis, whose parameters are the keys. Those in `TASKS` are asked
for by a key of their own, the others by a name and their type below `analyses:`. A setting that is named in
`REFERENCES` is the name of an analysis further up, or "simulate". What the function returns is printed (`str`), is
asked for `ok`, and, if it has a method `plot()`, drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from duoti.analyses.instant.kane import Kane, kane
from duoti.analyses.sensitivity.regressor import BaseParameters, base_parameters
from duoti.lazy import Later
from duoti.model.constructor_schema import Field, fields_of
from duoti.model.errors import ChannelError, did_you_mean
from duoti.model.expand_bond_graphs import expanded
from duoti.model.model import Model
from duoti.model.quantities import find_quantity, law_fault
from duoti.system.compile.compiler import compile_model

ANALYSES = Later(
    {
        "check": ("duoti.analyses.check", "check"),
        "topology": ("duoti.analyses.instant.topology", "topology"),
        "simulate": ("duoti.analyses.simulate.simulate", "simulate"),
        "compare_solvers": ("duoti.analyses.study.compare_solvers", "compare_solvers"),
        "compare_treatments": ("duoti.analyses.study.compare_constraint_methods", "compare_constraint_methods"),
        "equilibrium": ("duoti.analyses.equilibrium.equilibrium", "equilibrium"),
        "equilibria": ("duoti.analyses.equilibrium.equilibria", "equilibria"),
        "equilibrium_path": ("duoti.analyses.equilibrium.path", "equilibrium_path"),
        "linearise": ("duoti.analyses.linear.linearise", "linearise"),
        "root_locus": ("duoti.analyses.linear.root_locus", "root_locus"),
        "energy_flow": ("duoti.analyses.instant.energy_flow", "energy_flow"),
        "required_forces": ("duoti.analyses.kinematics.required_forces", "required_forces"),
        "kinematics": ("duoti.analyses.kinematics.kinematics", "kinematics"),
        "coupler_curve": ("duoti.analyses.kinematics.kinematics", "coupler_curve"),
        "workspace": ("duoti.analyses.kinematics.workspace", "workspace"),
        "parameter_derivatives": ("duoti.analyses.sensitivity.parameter_derivatives", "parameter_derivatives"),
        "equilibrium_derivatives": ("duoti.analyses.sensitivity.parameter_derivatives", "equilibrium_derivatives"),
        "kane": ("duoti.analyses.study.registry", "kane_of_model"),
        "base_parameters": ("duoti.analyses.study.registry", "base_parameters_of_model"),
        "steady_state_cornering": ("duoti.vehicle.manoeuvres", "steady_state_cornering"),
        "step_steer": ("duoti.vehicle.manoeuvres", "step_steer"),
        "double_lane_change": ("duoti.vehicle.manoeuvres", "double_lane_change"),
        "braking": ("duoti.vehicle.manoeuvres", "braking"),
        "ride": ("duoti.vehicle.manoeuvres", "ride"),
        "straight_running": ("duoti.vehicle.manoeuvres", "straight_running"),
        "suspension_travel": ("duoti.vehicle.travel", "suspension_travel"),
        "roll_stiffness": ("duoti.vehicle.travel", "roll_stiffness"),
        "inverse_kinematics": ("duoti.analyses.kinematics.inverse_kinematics", "inverse_kinematics"),
    }
)
"""The functions of the analyses, by the names in files; `ANALYSES.add` makes one more known."""

TASKS = ("check", "topology", "simulate", "compare_solvers", "compare_treatments")
"""Analyses that are asked for by a key of their own (of `formats.yaml.sections`), at most once in a file."""

REFERENCES = ("at", "result")
"""Settings that name an analysis further up, or "simulate"."""

WITHOUT = "without"
"""The setting that names forces, constraints, contacts and events that an analysis leaves out."""

_WITH_CHANNELS = ("linearise", "root_locus")
"""Analyses whose setting `outputs` is a list of channels and expressions, which are checked before anything is done."""

_NOT_IN_FILES = ("model", "source", "progress", "watch", "reference", "out", "checkpoint")
"""Parameters that a file cannot set: it names no files to write."""
_NOT_OF_TASKS = ("weights", "at")
"""Parameters that a file cannot set of an analysis with a key of its own."""


def types_below() -> list[str]:
    """Names of the types of analyses that stand below `analyses:`."""
    return [kind for kind in ANALYSES if kind not in TASKS]


def analysis_fields(kind: str) -> dict[str, Field]:
    """The keys of an analysis."""
    unknown = (*_NOT_IN_FILES, *_NOT_OF_TASKS) if kind in TASKS else _NOT_IN_FILES
    return {name: field for name, field in fields_of(ANALYSES[kind]).items() if name not in unknown}


def takes_model(kind: str) -> bool:
    """Whether the function takes a model, as its first argument; if not, it takes a result."""
    return bool({"model", "source"} & fields_of(ANALYSES[kind]).keys())


def checked_analyses(checker: Any, data: Any, before: tuple[str, ...]) -> dict[str, dict[str, Any]]:
    """Settings of the analyses by name, "type" among them; `checker` of `analyses.study.tasks` collects what is wrong.

    before: names of tasks that are done earlier.
    """
    if not isinstance(data, Mapping):
        checker.fault(("analyses",), f"{data!r}, but a mapping such as {{rest: {{type: equilibrium}}}} is needed")
        return {}
    found: dict[str, dict[str, Any]] = {}
    known = list(before)
    for name, given in data.items():
        path = ("analyses", str(name))
        settings = dict(given) if isinstance(given, Mapping) else {}
        kind = settings.pop("type", None) if isinstance(given, Mapping) else given
        if not isinstance(kind, str) or kind not in types_below():
            what = "'type' is missing." if kind is None else f"there is no analysis {kind!r}."
            hint = did_you_mean(kind, types_below()) if isinstance(kind, str) else ""
            if kind in TASKS:
                what, hint = f"{kind} is asked for by a key of its own", ": " + kind + ": {...}"
            checker.fault(path, what + (hint or f" There are: {', '.join(types_below())}."))
            known.append(str(name))  # that others name it is no further fault
            continue
        fields = analysis_fields(kind)
        left_out = checker.left_out(path, settings)
        if left_out and not takes_model(kind):
            checker.fault(
                (*path, WITHOUT), f"{kind} looks at a result; leave the elements out of the simulation instead"
            )
        if "result" in fields and "result" not in settings and "simulate" in known:
            settings["result"] = "simulate"
        for key in REFERENCES:
            if isinstance(settings.get(key), str) and key in fields and settings[key] not in known:
                hint = did_you_mean(settings[key], known) or " None comes before it."
                checker.fault((*path, key), f"there is no {settings[key]!r} further up.{hint}")
        found[str(name)] = {"type": kind, **left_out, **checker.arguments(path, settings, fields, kind)}
        if kind in _WITH_CHANNELS and isinstance(settings.get("outputs"), list | tuple):
            for output in settings["outputs"]:
                _check_output(checker, (*path, "outputs"), output)
        known.append(str(name))
    return found


def _check_output(checker: Any, path: tuple[str, ...], output: Any) -> None:
    """A channel of the model, or an expression of what laws read."""
    if not isinstance(output, str):
        checker.fault(path, f"{output!r} is no channel; write its name, such as A.angle")
        return
    try:
        find_quantity(expanded(checker.model), output)
    except ChannelError as error:
        fault = law_fault(checker.model, output)
        if fault is not None:
            checker.fault(path, str(error), fault.unknown or (output,))


def run_analyses(
    model: Model, settings: Mapping[str, Mapping[str, Any]], done: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Exception]]:
    """Results by name, in the order of the file, and what was raised by those that failed.

    done: results of what was done before, by name.
    """
    results: dict[str, Any] = {}
    errors: dict[str, Exception] = {}
    for name, given in settings.items():
        arguments = {key: value for key, value in given.items() if key not in ("type", WITHOUT)}
        known = {**done, **results}
        named = [key for key in REFERENCES if isinstance(arguments.get(key), str)]
        if missing := [arguments[key] for key in named if arguments[key] not in known]:
            errors[name] = ValueError(f'it needs "{missing[0]}", which failed')
            continue
        arguments |= {key: known[arguments[key]] for key in named}
        first = (model.without(*given.get(WITHOUT, ())),) if takes_model(given["type"]) else ()
        try:
            results[name] = ANALYSES[given["type"]](*first, **arguments)
        except Exception as error:  # whatever it is, it must not take the results of the others with it
            errors[name] = error
    return results, errors


# Analyses of compiled systems as model files ask for them: of a model, in its initial state.


def kane_of_model(model: Model, t: float = 0.0) -> Kane:
    """Kane's arrays in the model's initial state, assembled at the time t."""
    system = compile_model(model)
    return kane(system, *system.state(t=t), t=t)


def base_parameters_of_model(model: Model, states: int | None = None, seed: int = 0) -> BaseParameters:
    """Base inertial parameters of a tree, see `base_parameters`."""
    return base_parameters(compile_model(model), states, seed)
