"""`duoti view`: a motion in the browser."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from duoti.cli import options
from duoti.cli.exits import guarded, wrong
from duoti.cli.results import STREAMED, open_existing
from duoti.cli.source import find_source, print_notes

if TYPE_CHECKING:
    from duoti.results.result import Result


@guarded
def view(
    source: Annotated[
        str,
        typer.Argument(
            metavar="RESULT|MODEL",
            help="A result file (.h5), or a model file or example, which is simulated first.",
            autocompletion=lambda incomplete: options.complete_result(incomplete) + options.complete_model(incomplete),
        ),
    ],
    html: Annotated[
        Path | None, typer.Option(help="Write a page that works by itself to this file (.html), instead of opening it.")
    ] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port of the page on this machine; 0: any that is free.")
    ] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address, but open no browser.")] = False,
    joints: Annotated[
        bool, typer.Option("--joints", help="Show the model with sliders for its joints, instead of simulating it.")
    ] = False,
    settings: options.Settings = None,
    duration: Annotated[float | None, typer.Option("--duration", "-d", help="Time to simulate [s].")] = None,
    allow_outside: options.AllowOutside = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Look at a motion in the browser, until the page is closed or Ctrl-C.

    \b
    duoti view run.h5
    duoti view stewart
    duoti view stewart --joints
    duoti view run.h5 --html motion.html
    """
    del verbose
    if html is not None and not html.resolve().parent.is_dir():
        raise wrong(f"there is no folder {html.parent}", "--html")
    from duoti.view import Page, show

    if joints and (duration is not None or Path(source).suffix.lower() in STREAMED):
        raise wrong("sliders are for a model that is not simulated", "--joints")
    if joints:
        shown: Any = find_source(source).load(settings, allow_outside)
    else:
        shown = _result(source, settings, duration, allow_outside, quiet)
    if html is None:
        show(shown, port=port, browser=not no_browser, block=True)
    else:
        Page(shown).save(html)
        if not quiet:
            typer.echo(f"page: {html}")


def _result(
    source: str, settings: list[str] | None, duration: float | None, allow_outside: bool, quiet: bool
) -> Result:
    """From the file, or from a simulation."""
    path = Path(source)
    if path.suffix.lower() in STREAMED:
        if settings or duration is not None:
            raise wrong("a result cannot be changed; give its model instead", "--set" if settings else "--duration")
        return open_existing(path)
    from duoti.analyses.simulate import SimulationWarning, simulate
    from duoti.analyses.tasks import task_settings

    found = find_source(source)
    model = found.load(settings, allow_outside)
    if not quiet:
        print_notes(model, everything=False)
    wanted = task_settings(model, "simulate")
    if duration is not None:
        wanted["duration"] = duration
    if "duration" not in wanted:
        raise wrong(f"{found.path.name} does not say how long to simulate; give --duration", "--duration")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SimulationWarning)
        result = simulate(model, progress=False if quiet else None, **wanted)
    if not quiet:
        typer.echo(result.summary())
    return result
