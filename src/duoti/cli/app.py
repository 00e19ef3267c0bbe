"""The program: its commands and what they have in common."""

from __future__ import annotations

import gc
import os
from typing import Annotated

import typer

from duoti.cli.commands import Program
from duoti.cli.exits import EXIT_CODES, OK

app = typer.Typer(
    cls=Program,
    no_args_is_help=True,
    add_completion=True,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Multibody dynamics: simulate mechanisms made of bodies, joints and forces.\n\n"
    "\b\nduoti run double_pendulum              an example that comes with duoti\n"
    "duoti new press -t mechanism           a model file to start from\n"
    "duoti check press.yaml                 what is wrong with it\n"
    "duoti run press.yaml --out run.h5      simulate it\n"
    "duoti plot run.h5 crank_axle.angle     look at the result",
    epilog=EXIT_CODES,
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


OBJECTS = 50_000  # new ones after which Python looks for garbage, in place of 700
SPIN = "4"  # 2**4 cycles that an idle thread of OpenBLAS waits before it sleeps, in place of 2**26


def _start_lightly() -> None:
    """Settings of this process that make its start a tenth shorter: nearly all that it makes then is there to stay."""
    gc.set_threshold(OBJECTS)
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", SPIN)  # read when NumPy is imported, which is not yet


def main() -> None:
    """Entry point of the `duoti` command."""
    _start_lightly()
    app(prog_name="duoti")
