"""How the command line is read: commands are imported when called, simple options without typer's machinery."""

import inspect
from importlib import import_module
from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from duoti.cli import app
from duoti.cli.commands import COMMANDS, Command

runner = CliRunner()


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_each_says_of_itself(name):
    module = import_module(f"duoti.cli.{name}")
    sub = getattr(module, "app", None)
    text = sub.info.help if sub is not None else inspect.getdoc(getattr(module, name))
    assert text.splitlines()[0] == COMMANDS[name]


def test_there_is_no_command_that_is_not_listed():
    folder = Path(inspect.getfile(import_module("duoti.cli"))).parent
    with_command = [path.stem for path in folder.glob("*.py") if f"\ndef {path.stem}(" in path.read_text("utf-8")]
    assert set(with_command) <= set(COMMANDS)
    assert len(with_command) == len(COMMANDS) - 1  # `examples` is a group


def test_the_help_has_one_line_for_each_command_at_any_width(monkeypatch):
    for width in (40, 60, 80, 200):
        monkeypatch.setenv("COLUMNS", str(width))
        lines = runner.invoke(app, ["--help"]).output.split("Commands:\n")[1].splitlines()
        shown = [line for line in lines if line[2:3] != " " and line.startswith("  ")][: len(COMMANDS)]
        assert [line.split()[0] for line in shown] == list(COMMANDS)


def test_a_misspelt_command_is_answered_with_the_nearest():
    done = runner.invoke(app, ["chekc"])
    assert done.exit_code == 2
    if "Did you mean" not in done.output:  # older versions of typer do not say it
        assert "No such command" in done.output
    else:
        assert "'check'" in done.output


def read(*arguments, simply):
    """What a command with all kinds of options is given, with our reading of options and with typer's."""
    given = {}
    made = typer.Typer(add_completion=False)

    def command(
        text: str,
        rest: Annotated[list[str] | None, typer.Argument()] = None,
        number: Annotated[float | None, typer.Option()] = None,
        count: Annotated[int, typer.Option(min=2, max=9)] = 3,
        file: Annotated[Path | None, typer.Option()] = None,
        folder: Annotated[Path, typer.Option()] = Path(),
        many: Annotated[list[str] | None, typer.Option()] = None,
        flag: Annotated[bool, typer.Option("--flag")] = False,
    ):
        given.update(locals())

    made.command(cls=Command if simply else None)(command)
    done = runner.invoke(made, list(arguments))
    given = {name: value for name, value in given.items() if name not in ("given", "made", "simply")}
    return done.exit_code, done.output, given


@pytest.mark.parametrize(
    "arguments",
    [
        ["a"],
        [],
        [""],
        ["a", "b", "c"],
        ["a", "--number", "2.5", "--count", "4", "--flag"],
        ["a", "--number", "-1e-3"],
        ["a", "--number", " 7 "],
        ["a", "--number", "nan"],
        ["a", "--number", "seven"],
        ["a", "--number", ""],
        ["a", "--count", "1"],
        ["a", "--count", "two"],
        ["a", "--count", "2.5"],
        ["a", "--file", "x/y.txt", "--folder", "/"],
        ["a", "--many", "x", "--many", ""],
        ["a", "--other"],
        ["--help"],
    ],
    ids=" ".join,
)
def test_options_are_what_typer_makes_of_them(arguments):
    ours, theirs = read(*arguments, simply=True), read(*arguments, simply=False)
    assert str(ours) == str(theirs)  # as text: nan is not itself
    assert [type(value) for value in ours[2].values()] == [type(value) for value in theirs[2].values()]


def test_a_file_that_may_not_be_read_is_left_to_typer(tmp_path, monkeypatch):
    path = tmp_path / "secret.h5"
    path.touch()
    monkeypatch.setattr("os.access", lambda *_: False)
    assert read("a", "--file", str(path), simply=True)[:2] == read("a", "--file", str(path), simply=False)[:2]
