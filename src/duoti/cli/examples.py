"""`duoti examples`: list, copy out and run what comes with the package."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Annotated

import typer

from duoti.cli import options
from duoti.cli.commands import COMMANDS, Command, CommandGroup
from duoti.cli.exits import guarded, print_json, wrong
from duoti.cli.run import run

Name = Annotated[
    str, typer.Argument(metavar="NAME", help="Name of an example.", autocompletion=options.complete_example)
]

app = typer.Typer(
    cls=CommandGroup,
    invoke_without_command=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help=f"{COMMANDS['examples']}\n\n\b\nduoti examples\nduoti examples copy stewart\nduoti examples run governor",
)


@app.callback()
def _start(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        _list()


@app.command("list", cls=Command)
@guarded
def list_examples(as_json: options.Json = False, verbose: options.Verbose = False) -> None:
    """List the examples; --verbose prints a paragraph on each."""
    from duoti.examples import all_examples

    if as_json:
        print_json(
            [
                {
                    "name": e.name,
                    "description": e.description,
                    "paragraph": e.paragraph,
                    "duration": e.duration,
                    "files": e.files,
                }
                for e in all_examples().values()
            ]
        )
        return
    _list(verbose)


def _list(verbose: bool = False) -> None:
    from duoti.examples import all_examples

    found = all_examples()
    width = max(map(len, found))
    for name, example in found.items():
        typer.echo(f"{name:<{width}}  {example.description}")
        if verbose:
            typer.echo(typer.style(f"{example.paragraph}\n", dim=True))


@app.command("copy", cls=Command)
@guarded
def copy(
    name: Name,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where to; it is made if it is not there.")] = Path("."),
    force: Annotated[bool, typer.Option("--force", "-f", help="Overwrite files that exist.")] = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Copy the model file and the script of an example, and all that they need, into a folder."""
    del verbose
    from duoti.examples import FOLDER, find_example

    try:
        example = find_example(name)
    except KeyError as error:
        raise wrong(str(error.args[0]), "NAME") from None
    taken = [file for file in example.files if (folder / file).exists()]
    if taken and not force:
        raise wrong(f"{', '.join(str(folder / file) for file in taken)} exists; --force overwrites", "DIR")
    for file in example.files:
        target = folder / file
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(FOLDER / file, target)
        if not quiet:
            typer.echo(str(target))


app.command("run", cls=Command, help="Run an example: the same as `duoti run NAME`.")(run)
