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
    from duoti.model.model import Model
    from duoti.results.result import Result


@guarded
def view(
    sources: Annotated[
        list[str],
        typer.Argument(
            metavar="RESULT|MODEL...",
            help="Result files (.h5), drawn over each other; or a model file or example, which is simulated first.",
            autocompletion=lambda incomplete: options.complete_result(incomplete) + options.complete_model(incomplete),
        ),
    ],
    model: Annotated[
        bool, typer.Option("--model", "-m", help="Show the model with sliders for its joints; simulate nothing.")
    ] = False,
    html: Annotated[
        Path | None, typer.Option(help="Write a page that works by itself to this file (.html), instead of opening it.")
    ] = None,
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Port of the page on this machine; 0: any that is free.")
    ] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Print the address, but open no browser.")] = False,
    settings: options.Settings = None,
    duration: Annotated[
        float | None,
        typer.Option("--duration", "-d", parser=options.seconds, metavar="TIME", help="Time to simulate [s]."),
    ] = None,
    allow_outside: options.AllowOutside = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Look at motions in the browser, until the page is closed or Ctrl-C.

    \b
    duoti view run.h5
    duoti view stewart
    duoti view stewart --model
    duoti view stiff.h5 soft.h5 --html motion.html

    A model file that does not say how long to simulate is shown with sliders for its joints, as with --model.
    """
    del verbose
    if html is not None and not html.resolve().parent.is_dir():
        raise wrong(f"there is no folder {html.parent}", "--html")
    shown: list[Any] = [_shown(each, model, settings, duration, allow_outside, quiet) for each in sources]
    from duoti.view import Page, show

    if html is None:
        show(*shown, port=port, browser=not no_browser, block=True)
    else:
        Page(*shown).save(html)
        if not quiet:
            typer.echo(f"page: {html}")


def _shown(
    source: str, as_model: bool, settings: list[str] | None, duration: float | None, allow_outside: bool, quiet: bool
) -> Result | Model:
    """A result from a file or a simulation, or the model itself."""
    path = Path(source)
    if path.suffix.lower() in STREAMED:
        if as_model:
            raise wrong(f"{source} is a result; give its model instead", "--model")
        if settings or duration is not None:
            raise wrong("a result cannot be changed; give its model instead", "--set" if settings else "--duration")
        return open_existing(path, allow_outside)
    from duoti.analyses.simulate.simulate import SimulationWarning, simulate
    from duoti.analyses.study.tasks import task_settings

    found = find_source(source)
    model = found.load(settings, allow_outside)
    if not quiet:
        print_notes(model, everything=False)
    wanted = task_settings(model, "simulate")
    if duration is not None:
        wanted["duration"] = duration
    if as_model or "duration" not in wanted:
        return model
    model = model.without(*wanted.pop("without", ()))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SimulationWarning)
        result = simulate(model, progress=False if quiet else None, **wanted)
    if not quiet:
        typer.echo(result.summary())
    return result
