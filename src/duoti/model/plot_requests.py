"""Channels and plots that a model file or a command asks for: which there are, and what is wrong with their names.

A plot is a channel, several channels in one diagram, "*" in a name for any characters, the word "energy", or one of the
plots of a whole run (`WHOLE`): `reactions` or `phase` alone, or with names, {reactions: [A, B]}, {phase: [A.angle,
A.rate]}.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from duoti.model.errors import ChannelError, did_you_mean
from duoti.model.model import Model
from duoti.model.quantities import all_names, find_quantity

ENERGY = "energy"
"""What the energies and the residual of their balance are called among channels of a plot."""
WHOLE = {"reactions": "plot_reactions", "phase": "plot_phase"}
"""Plots of a whole run, and the methods of `Result` that draw them."""


def matching(channels: Iterable[str], pattern: str) -> list[str]:
    """The channels that a name with `*`, which stands for any characters, means: "spring.*", "*.tension"."""
    parts = pattern.split("*")
    found = [each for each in channels if _fits(each, parts)]
    if not found:
        raise ChannelError(f'no channel is of the form "{pattern}"; result.channels lists them')
    return found


def _fits(name: str, parts: list[str]) -> bool:
    if not (name.startswith(parts[0]) and name[len(parts[0]) :].endswith(parts[-1])):
        return False
    inside, at = name[len(parts[0]) : len(name) - len(parts[-1])], 0
    for part in parts[1:-1]:
        at = inside.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


def is_whole(asked: Any) -> bool:
    """Whether a plot of a whole run is meant."""
    return isinstance(asked, Mapping) or (isinstance(asked, str) and asked in WHOLE)


def plot_faults(model: Model, asked: Any) -> Iterator[tuple[str, str]]:
    """What is wrong with a plot, and the name that is unknown, if it is one."""
    if isinstance(asked, Mapping):
        yield from _whole_faults(model, asked)
        return
    single = isinstance(asked, str) or not isinstance(asked, Sequence)
    for name in [asked] if single else asked:
        if name != ENERGY and not (single and is_whole(name)):
            yield from channel_faults(model, name)


def channel_faults(model: Model, name: Any) -> Iterator[tuple[str, str]]:
    """What is wrong with the name of a channel, or with a pattern."""
    if not isinstance(name, str):
        yield f"{name!r} is no channel; write its name, such as A.angle", ""
        return
    try:
        if "*" in name:
            matching(all_names(model), name)
        else:
            find_quantity(model, name)
    except ChannelError as error:
        together = " It is a plot of its own: write it alone." if name in WHOLE else ""
        yield f"{error}{together}", name


def _whole_faults(model: Model, asked: Mapping[Any, Any]) -> Iterator[tuple[str, str]]:
    (kind, names), *more = asked.items() or [("", None)]
    if more or kind not in WHOLE:
        yield f"{dict(asked)!r} is no plot; write a channel, or one of {', '.join(WHOLE)}: {{reactions: [A, B]}}", ""
    elif not isinstance(names, Sequence) or isinstance(names, str):
        yield f"{kind}: {names!r}, but a list such as {example_of(kind)} is needed", ""
    elif kind == "reactions":
        yield from (_joint_fault(model, name) for name in names if name not in model.joints)
    elif len(names) != 2:
        yield f"phase: {len(names)} names; two channels are needed, such as {example_of(kind)}", ""
    else:
        for name in names:
            yield from channel_faults(model, name)


def _joint_fault(model: Model, name: Any) -> tuple[str, str]:
    return f"there is no joint {name!r}.{did_you_mean(str(name), model.joints)}", str(name)


def example_of(kind: str) -> str:
    """How the names of a plot of a whole run are written."""
    return "[A, B], joints," if kind == "reactions" else "[A.angle, A.rate]"
