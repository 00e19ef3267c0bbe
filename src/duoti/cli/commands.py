"""Commands that cost little until they are called: the group imports one when it is used, and reads its options simply.

Newer versions of typer read options by means of pydantic, whose import alone takes 0.15 s. Texts, numbers,
paths and what was not given need none of it; whatever else there is, and whatever is wrong, typer deals with as ever.
"""

from __future__ import annotations

import inspect
import os
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

COMMANDS = {
    "run": "Simulate a model, or do what its file asks for, and print a summary.",
    "study": "Do the parameter study that a model file asks for, and print a summary.",
    "check": "Report everything that is wrong with a model at once, with file and line, and what to do about it.",
    "topology": "Show the tree of bodies, the joints that are cut and why, and the closed loops.",
    "plot": "Plot channels of a result, one panel for each unit; by default all coordinates.",
    "view": "Look at motions in the browser, until the page is closed or Ctrl-C.",
    "convert": "Convert a model or a result; what decides are the endings of the names.",
    "export": "Export a model as an FMU or a C library that needs no Python; the ending of OUT decides.",
    "new": "Write a model file to start from.",
    "schema": "Print the JSON schema of model files, with which editors complete and check what one writes.",
    "examples": "List the bundled examples, copy them out, run them.",
    "compile": "Compile all kernels now, so that no later run has to.",
    "info": "Tell what is in a result file: model, solver, times, how the run ended, events, versions.",
}
"""The commands in the order of the help, with the first lines of their own help; each is a file of its name here."""

WITHOUT_ARGUMENTS = ("run", "examples", "compile", "schema")
"""Commands that do something when nothing is given; the others show their help."""

_UNKNOWN = object()


class Command(TyperCommand):
    """A command whose options are read simply where they are simple."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Arguments and options, `--help` included."""
        return _simplified(super().get_params(ctx), self.callback)


class CommandGroup(TyperGroup):
    """A group of commands whose own options are read simply where they are simple."""

    def get_params(self, ctx: Any) -> list[Any]:
        """Options, `--help` included."""
        return _simplified(super().get_params(ctx), self.callback)


class Program(CommandGroup):
    """The group of all `COMMANDS`, which are imported and built when they are called."""

    def __init__(self, **settings: Any):
        super().__init__(**settings)
        self.commands: Any = dict.fromkeys(COMMANDS)

    def list_commands(self, ctx: Any) -> list[str]:
        """Names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """The command of a name."""
        if cmd_name in COMMANDS and self.commands[cmd_name] is None:
            self.commands[cmd_name] = _built(cmd_name)
        return self.commands.get(cmd_name)

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write the list of commands into the help; none of them is imported."""
        most = formatter.width - 6 - max(map(len, COMMANDS))
        with formatter.section("Commands"):
            formatter.write_dl([(name, _shortened(text, most)) for name, text in COMMANDS.items()])


def _shortened(text: str, most: int) -> str:
    """The text, or as many of its words as fit."""
    words = text.split()
    while len(text) > most and words:
        words.pop()
        text = " ".join(words) + "..."
    return text


def _built(name: str) -> Any:
    module = import_module(f"duoti.cli.{name}")
    app = getattr(module, "app", None)
    if app is None:
        app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode=None)
        app.command(name, cls=Command, no_args_is_help=name not in WITHOUT_ARGUMENTS)(getattr(module, name))
    return get_command(app)


def _simplified(parameters: list[Any], function: Callable[..., Any] | None) -> list[Any]:
    """The parameters of a function's command; they convert what they are given without typer where they can."""
    hints = get_type_hints(inspect.unwrap(function)) if function is not None else {}
    for each in parameters:
        if "process_value" not in vars(each):  # not yet
            each.process_value = partial(_process, each, each.process_value, hints.get(each.name))
    return parameters


def _process(parameter: Any, usual: Callable[[Any, Any], Any], hint: Any, context: Any, value: Any) -> Any:
    several = parameter.nargs == -1 or getattr(parameter, "multiple", False)
    given = _converted(value, hint, several)
    if given is _UNKNOWN or (parameter.required and given in (None, (), [])):
        return usual(context, value)
    return given if parameter.callback is None else parameter.callback(context, parameter, given)


def _converted(value: Any, hint: Any, several: bool) -> Any:
    """The value as the hint wants it, or _UNKNOWN if that is for typer to say."""
    if value is None:
        return () if several else None
    kinds = [kind for kind in get_args(hint) if kind is not NoneType]
    kind: Any = kinds[0] if len(kinds) == 1 and NoneType in get_args(hint) else hint
    if kind is Path and isinstance(value, str | Path):
        return Path(value) if not os.path.exists(value) or os.access(value, os.R_OK) else _UNKNOWN
    if kind is float and isinstance(value, str):
        try:
            return float(value)
        except ValueError:
            return _UNKNOWN
    if kind == list[str] and several and all(isinstance(each, str) for each in value):
        return list(value)
    return value if kind in (str, float, int) and type(value) is kind else _UNKNOWN
