"""The `duoti` command.

Exit codes: 0 all is well, 1 the model is wrong, 2 wrong usage, 3 the run failed.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Annotated

import typer

OK, MODEL_WRONG, WRONG_USAGE, RUN_FAILED = 0, 1, 2, 3
CONTEXT = {"help_option_names": ["-h", "--help"]}

app = typer.Typer(
    no_args_is_help=True,
    add_completion=False,
    context_settings=CONTEXT,
    pretty_exceptions_show_locals=False,
    rich_markup_mode=None,
    help="Multibody dynamics: simulate mechanisms made of bodies, joints and forces.",
    epilog="Exit codes: 0 all is well, 1 the model is wrong, 2 wrong usage, 3 the run failed.",
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from duoti import __version__

        typer.echo(f"duoti {__version__}")
        raise typer.Exit(OK)


@app.callback()
def _options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    del version


@app.command()
def examples() -> None:
    """List the bundled examples."""
    from duoti.examples import all_examples

    found = all_examples()
    width = max(map(len, found))
    for name, example in found.items():
        typer.echo(f"{name:<{width}}  {example.description}")


@app.command()
def run(
    name: Annotated[str, typer.Argument(help="Name of a bundled example; `duoti examples` lists them.")] = (
        "double_pendulum"
    ),
    duration: Annotated[
        float | None, typer.Option("--duration", "-d", help="Time to simulate, in seconds; default: the example's own.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Where to write the picture (PNG); default: NAME.png.")
    ] = None,
    picture: Annotated[bool, typer.Option(help="Write a picture.")] = True,
) -> None:
    """Simulate a bundled example, print a summary and write a picture.

    The picture needs matplotlib (the extra "plot"); without it, the summary is all you get, and the exit code is 0.
    """
    from duoti.analyses.simulate import SimulationWarning, simulate
    from duoti.examples import find_example
    from duoti.model.errors import ModelError

    try:
        example = find_example(name)
    except KeyError as error:
        raise typer.BadParameter(str(error.args[0])) from None
    if duration is not None and not 0 < duration < float("inf"):
        raise typer.BadParameter(f"{duration} is not a positive time in seconds", param_hint="--duration")
    target = out or Path(f"{example.name}.png")
    if picture and not target.resolve().parent.is_dir():
        raise typer.BadParameter(f"there is no folder {target.parent}", param_hint="--out")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SimulationWarning)  # the summary says it
            result = simulate(example.build(), duration or example.duration)
    except ModelError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(MODEL_WRONG) from None
    typer.echo(result.summary())
    if picture:
        _write_picture(result, target)
    if not result.ok:
        raise typer.Exit(RUN_FAILED)


def _write_picture(result: object, target: Path) -> None:
    from duoti.examples.picture import draw

    try:
        draw(result, target)  # pyright: ignore[reportArgumentType]
    except ImportError as error:
        typer.echo(f"  picture  none: {error}", err=True)
    else:
        typer.echo(f"  picture  {target}")


def main() -> None:
    """Entry point of the `duoti` command."""
    app(prog_name="duoti")


if __name__ == "__main__":
    main()
