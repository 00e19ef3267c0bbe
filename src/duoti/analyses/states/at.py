"""The instant of an analysis as users give it: `at=` and `t=`, the same for all of them.

    at=None                     the model's initial state, assembled
    at={"A": 0.3}               values by joint (and by first-order state); what is not named starts as the model says
    at=q, (q, v), (q, v, z)     arrays in the order of system.coordinate_names, .rate_names, .state_names
    at=equilibrium              what `dt.equilibrium` found, with its time
    at=result, (result, 1.5), (result, -1)      the last row of a result; that of an output time, or of a number

t is the time of the instant if it is given; otherwise that of `at`, or 0.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple, TypeVar

import numpy as np

from duoti.analyses.states.supported import as_system
from duoti.model.errors import ChannelError, did_you_mean
from duoti.model.model import Model
from duoti.renamed import signature_with, warn_renamed
from duoti.system.arrays import Reals
from duoti.system.compile.compiler import compile_model
from duoti.system.system import System

F = TypeVar("F", bound=Callable[..., Any])
SAME_TIME = 1e-9  # part of the duration by which an output time may differ from the one asked for


class Instant(NamedTuple):
    """A state and its time."""

    q: Reals
    v: Reals
    z: Reals
    t: float


def instant(system: System, at: Any = None, t: float | None = None) -> Instant:
    """The state and time that a user means, see above; loops of arrays that are given are not closed."""
    time = 0.0 if t is None else float(t)
    if at is None or isinstance(at, Mapping):
        values, z = _by_name(system, dict(at or {}))
        q, v = system.state(values, t=time)
        return Instant(q, v, z, time)
    found = _recorded(at)
    if found is not None:
        other, q, v, z, then = found
        names = [(s.coordinate_names, s.rate_names, s.state_names) for s in (system, other)]
        if names[0] != names[1]:
            raise ValueError("at: that state is one of a model with other coordinates or states")
        return Instant(q.copy(), v.copy(), z.copy(), then if t is None else time)
    from duoti.analyses.states.special_cases import as_vector

    given = at if isinstance(at, tuple) else (at,)
    counts = (2, 3) if isinstance(at, tuple) else (1,)
    if isinstance(at, str | bytes) or len(given) not in counts or np.ndim(given[0]) != 1:
        raise ValueError(
            f"at={at!r}: give what dt.equilibrium found, a row of a result, values by joint, or a state (q, v) or "
            "(q, v, z); system.state(...) makes one"
        )
    q = as_vector("at: q", given[0], system.nq).copy()
    v = as_vector("at: v", given[1], system.nv).copy() if len(given) > 1 else np.zeros(system.nv)
    z = as_vector("at: z", given[2], system.nz).copy() if len(given) > 2 else system.initial_z()
    return Instant(q, v, z, time)


def _by_name(system: System, given: dict[Any, Any]) -> tuple[dict[str, Any], Reals]:
    z, values = system.initial_z(), dict[str, Any]()
    for name, value in given.items():
        key = getattr(name, "name", name)
        if key in system.joints:
            values[key] = value
        elif key in system.model.states:
            z[list(system.model.states).index(key)] = float(value)
        else:
            known = [*system.joints, *system.model.states]
            raise ChannelError(f'at: there is no joint or state "{key}".{did_you_mean(str(key), known)}')
    return values, z


def _recorded(at: Any) -> tuple[System, Reals, Reals, Reals, float] | None:
    """System, q, v, z and t of an equilibrium, or of a row of a result; None if it is neither."""
    from duoti.analyses.equilibrium.equilibrium import Equilibrium
    from duoti.results.result import Result

    if isinstance(at, Equilibrium):
        if not at.ok:
            raise ValueError(f"at: there is no equilibrium: {at.reason}")
        return at.system, at.q, at.v, at.z, at.t
    result: Any
    which: Any
    result, which = (at, -1) if isinstance(at, Result) else at if _is_row(at, Result) else (None, None)
    if result is None:
        return None
    times = np.asarray(result.t)
    if isinstance(which, int | np.integer) and not isinstance(which, bool):
        if not -len(times) <= which < len(times):
            raise ValueError(f"at: the result has no row {which}; it has {len(times)}")
        k = int(which)
    else:
        k = int(np.argmin(np.abs(times - float(which))))
        if abs(times[k] - float(which)) > SAME_TIME * max(float(times[-1] - times[0]), abs(float(which)), 1e-300):
            raise ValueError(f"at: the result has no output at t = {which:g}; the nearest is {times[k]:g}")
    return result.system, np.asarray(result.q[k]), np.asarray(result.v[k]), np.asarray(result.z[k]), float(times[k])


def _is_row(at: Any, result: type) -> bool:
    return isinstance(at, tuple) and len(at) == 2 and isinstance(at[0], result)  # pyright: ignore[reportUnknownArgumentType]


def state_as_at(function: F) -> F:
    """Let a function whose third parameter is `at` take q and v there, by place or by name, as it did before."""

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        q, v = keywords.pop("q", None), keywords.pop("v", None)
        if len(arguments) > 3:
            q, v = arguments[2:4]
            keywords |= dict(zip(("t", "a"), arguments[4:], strict=False))
            arguments = arguments[:2]
        if q is not None or v is not None:
            if keywords.get("at") is not None:
                raise TypeError(f"{function.__name__}: at= is the state, and so is q, v; give one of them")
            warn_renamed(f"{function.__name__}(..., q, v)", f"{function.__name__}(..., at=(q, v))")
            model: Any = arguments[0] if arguments else keywords.get("model")
            initial = as_system(model).state() if q is None or v is None else (None, None)
            keywords["at"] = (initial[0] if q is None else q, initial[1] if v is None else v)
        return function(*arguments, **keywords)

    return call  # pyright: ignore[reportReturnType]


def start_of_run(
    model: Any, at: Any, t: float | None, coordinates: Literal["relative", "absolute"]
) -> tuple[Any, Any, Any]:
    """Model or system, state and time with which a simulation begins; state None: the model's initial values."""
    if at is None or (isinstance(at, tuple) and len(at) in (2, 3) and not _recorded(at)):
        return model, at, 0.0 if t is None else t
    system = compile_model(model, coordinates) if isinstance(model, Model) else as_system(model)
    found = instant(system, at, t)
    return system, (found.q, found.v, found.z) if system.nz else (found.q, found.v), found.t


def with_instant(function: F) -> F:
    """Let a function of (model, q, v, t, z) take the instant as one argument, `at=`, in their place."""
    parameters = list(inspect.signature(function).parameters)

    @functools.wraps(function)
    def call(*arguments: Any, at: Any = None, **keywords: Any) -> Any:
        if at is None:
            return function(*arguments, **keywords)
        given = dict(zip(parameters, arguments, strict=False)) | keywords
        twice = [name for name in ("q", "v", "z") if name in given]
        if twice:
            raise TypeError(f"{function.__name__}: at= is the state, and so is {', '.join(twice)}; give one of them")
        if parameters[0] not in given:
            return function(*arguments, **keywords)  # says what is missing
        system = given[parameters[0]] = as_system(given[parameters[0]])
        made = instant(system, at, given.get("t"))
        return function(**given | {name: value for name, value in made._asdict().items() if name in parameters})

    call.__signature__ = signature_with(function, at=None)  # pyright: ignore[reportAttributeAccessIssue]
    return call  # pyright: ignore[reportReturnType]
