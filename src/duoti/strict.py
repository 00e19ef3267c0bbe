"""Calls and assignments with misspelt names are refused with words that help.

`explained` is for functions, `explained_methods` and `explained_constructors` for those of a class. A class that
derives from `Explained` explains how it is made; one that derives from `Strict` also refuses attributes that it does
not have: `joint.q00 = 3`.
"""

from __future__ import annotations

import functools
import inspect
import sys
from abc import ABCMeta
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from duoti.spelling import did_you_mean, nearest

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)

_HERE = str(Path(__file__).parent)
_set = object.__setattr__  # without the way through `super`: models have tens of thousands of attributes


def explained(function: F) -> F:
    """The function; a call that does not fit its parameters raises TypeError with all that is wrong with it."""

    @functools.wraps(function)
    def call(*arguments: Any, **keywords: Any) -> Any:
        try:
            return function(*arguments, **keywords)
        except TypeError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:  # raised by the call itself
                _raise_explained(function, arguments, keywords)
            raise

    return call  # pyright: ignore[reportReturnType]


def explained_methods(cls: C) -> C:
    """The class, with its public methods explained."""
    for name, member in list(vars(cls).items()):
        if inspect.isfunction(member) and not name.startswith("_"):
            setattr(cls, name, explained(member))
    return cls


def explained_constructors(cls: C) -> C:
    """The class, with its public class methods explained: other methods may be called often."""
    for name, member in list(vars(cls).items()):
        if isinstance(member, classmethod | staticmethod) and not name.startswith("_"):
            setattr(cls, name, type(member)(explained(member.__func__)))
    return cls


class _Explaining(ABCMeta):
    """Classes whose calls are explained; objects of those that are `Strict` are closed once they are made."""

    @property
    def __signature__(cls) -> inspect.Signature:
        """That of the constructor: `inspect` would take it from the method below."""
        if cls.__init__ is object.__init__:
            return inspect.Signature()
        whole = inspect.signature(cls.__init__)
        return whole.replace(parameters=list(whole.parameters.values())[1:])

    # no class here has virtual subclasses, which ABCMeta would look for each time
    __instancecheck__ = type.__instancecheck__
    __subclasscheck__ = type.__subclasscheck__

    def __call__(cls, *arguments: Any, **keywords: Any) -> Any:
        try:
            made = super().__call__(*arguments, **keywords)
        except TypeError as error:
            if error.__traceback__ is not None and error.__traceback__.tb_next is None:
                _raise_explained(cls, arguments, keywords)
            raise
        if isinstance(made, Strict):
            _set(made, "_complete", True)
        return made


class Explained(metaclass=_Explaining):
    """Base of classes that explain how they are made."""

    __slots__ = ()


class Strict(Explained):
    """Base of classes whose objects have no attributes but those that they are made with."""

    __slots__ = ("_complete",)

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self.__dict__ and hasattr(self, "_complete") and not name.startswith("_"):
            cls = type(self)
            if not hasattr(cls, name):
                hint = did_you_mean(name, [n for n in (*vars(self), *_settable(cls)) if not n.startswith("_")])
                raise AttributeError(f"{cls.__name__} has no attribute {name!r}.{hint}", name=name, obj=self)
        _set(self, name, value)


def _settable(cls: type) -> list[str]:
    return [name for name in dir(cls) if isinstance(getattr(cls, name, None), property)]


def _raise_explained(target: Callable[..., Any], arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> None:
    """Raise TypeError if the arguments do not fit."""
    try:
        parameters = list(inspect.signature(target).parameters.values())
    except (TypeError, ValueError):
        return
    name = target.__qualname__
    if parameters and parameters[0].name in ("self", "cls") and not isinstance(target, type):
        parameters, arguments = parameters[1:], arguments[1:]
    if faults := _faults(parameters, arguments, keywords):
        raise TypeError(f"{name}: {'; '.join(faults)}. It takes ({', '.join(map(_shown, parameters))})") from None


def _faults(parameters: list[inspect.Parameter], arguments: tuple[Any, ...], keywords: Mapping[str, Any]) -> list[str]:
    kinds = inspect.Parameter
    by_place = [p for p in parameters if p.kind in (kinds.POSITIONAL_ONLY, kinds.POSITIONAL_OR_KEYWORD)]
    by_name = [p.name for p in parameters if p.kind in (kinds.POSITIONAL_OR_KEYWORD, kinds.KEYWORD_ONLY)]
    any_place = any(p.kind is kinds.VAR_POSITIONAL for p in parameters)
    any_name = any(p.kind is kinds.VAR_KEYWORD for p in parameters)
    given = [p.name for p in by_place[: len(arguments)]]
    unknown = [key for key in keywords if key not in by_name and not any_name]
    faults = [f"there is no parameter {key!r}{_meant(key, by_name)}" for key in unknown]
    faults += [f"{key!r} is given twice" for key in keywords if key in given]
    if len(arguments) > len(by_place) and not any_place:
        faults.append(f"{len(arguments)} values are given by place, but it takes {len(by_place)}; name the others")
    faults += [
        f"{p.name!r} is missing"
        for p in parameters
        if p.default is p.empty
        and p.kind not in (kinds.VAR_POSITIONAL, kinds.VAR_KEYWORD)
        and p.name not in given
        and p.name not in keywords
    ]
    return faults


def _meant(key: str, known: list[str]) -> str:
    near = nearest(key, known)
    return f" (did you mean {near[0]!r}?)" if near else ""


def _shown(parameter: inspect.Parameter) -> str:
    mark = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    return f"{mark}{parameter.name}" + ("" if parameter.default is parameter.empty or mark else "=")


def user_level() -> int:
    """The `stacklevel` with which the caller's warning points to the line outside duoti from which it all came."""
    frame, level = sys._getframe(1), 1  # pyright: ignore[reportPrivateUsage]
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_HERE):
        frame, level = frame.f_back, level + 1
    return level
