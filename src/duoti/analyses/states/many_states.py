"""Functions of one state made functions of a model or a system, and of one state or of many."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from typing import Any, TypeVar

import numpy as np

from duoti.analyses.states.supported import as_system
from duoti.system.system import System

F = TypeVar("F", bound=Callable[..., Any])


def stacked(rows: Sequence[Any]) -> Any:
    """Results of many states as one: arrays with a leading N, named tuples of these; other objects in a list."""
    first = rows[0]
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(stacked([row[k] for row in rows]) for k in range(len(first))))  # pyright: ignore
    return list(rows) if is_dataclass(first) else np.array(rows)


def _named(parameters: list[str], arguments: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
    """The same with q and v that are mappings from names of joints replaced by arrays."""
    given = dict(zip(parameters, arguments, strict=False)) | keywords
    named = {name: given[name] for name in ("q", "v") if isinstance(given.get(name), Mapping)}
    if not named:
        return arguments, keywords
    from duoti.analyses.states.consistent import state_of

    made = state_of(given[parameters[0]], named.get("q"), named.get("v"), float(given.get("t", 0.0)))
    given |= {name: made["qv".index(name)] for name in named}
    return (), given


def for_states(*names: str) -> Callable[[F], F]:
    """Let a function of a system and of one state take a model, too, and many states.

    names: arguments that may be arrays (N, n) in place of (n,); t may then be N numbers. The results have a leading N
    (`stacked`).
    """

    def wrap(function: F) -> F:
        parameters = list(inspect.signature(function).parameters)
        may_be_many = [(parameters.index(name), name, 2) for name in names if name in parameters]
        may_be_many += [(parameters.index("t"), "t", 1)] if "t" in parameters else []

        @functools.wraps(function)
        def call(*arguments: Any, **keywords: Any) -> Any:
            if arguments and not isinstance(arguments[0], System):
                arguments = (as_system(arguments[0]), *arguments[1:])
            elif parameters[0] in keywords and not arguments:
                keywords[parameters[0]] = as_system(keywords[parameters[0]])
            arguments, keywords = _named(parameters, arguments, keywords)
            given: dict[str, Any] = {
                name: keywords.get(name, arguments[k] if k < len(arguments) else None) for k, name, _ in may_be_many
            }
            many = {name for _, name, dimensions in may_be_many if np.ndim(given[name]) == dimensions}
            if not many:
                return function(*arguments, **keywords)
            counts = {name: len(given[name]) for name in many}
            if len(set(counts.values())) > 1:
                raise ValueError(f"arrays of many states differ in their number: {counts}")
            rows = list[Any]()
            for n in range(next(iter(counts.values()))):
                here = list(arguments)
                there = dict(keywords)
                for k, name, _ in may_be_many:
                    if name in many and name in there:
                        there[name] = given[name][n]
                    elif name in many:
                        here[k] = given[name][n]
                rows.append(function(*here, **there))
            return stacked(rows)

        return call  # pyright: ignore[reportReturnType]

    return wrap
