"""`duoti plot`: channels of a result over time."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from duoti.cli import options
from duoti.cli.exits import guarded, wrong
from duoti.cli.results import PICTURES, open_existing, split, writable


@guarded
def plot(
    result: options.ResultFile,
    channels: options.Channels = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Where to write it: .png, .svg, .pdf; default: RESULT.png.")
    ] = None,
    dpi: Annotated[int, typer.Option(min=20, max=1200, help="Dots per inch.")] = 150,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Plot channels of a result, one panel for each unit; by default all coordinates.

    `duoti info RESULT --channels` lists what there is; "energy" plots the energies; "reactions" and "phase", alone,
    the reactions of joints and coordinates over their velocities. Needs matplotlib (the extra "plot").

    \b
    duoti plot run.h5
    duoti plot run.h5 main.angle piston.position energy -o run.svg
    duoti plot run.h5 "gas.*" motor.torque
    duoti plot run.h5 reactions
    """
    from duoti.model.errors import did_you_mean
    from duoti.model.expand_bond_graphs import expanded
    from duoti.model.plot_requests import ENERGY, WHOLE, plot_faults
    from duoti.results.plot.plots import draw_asked

    del verbose
    found = open_existing(result)
    names = split(channels or [])
    asked = names[0] if len(names) == 1 else names
    if found.has_model:
        faults = list(plot_faults(expanded(found.model), asked))
    else:  # the columns of the state are all there is
        faults = [("", name) for name in names if "*" not in name and name not in found]
    known = [*found.channels, ENERGY, *WHOLE]
    messages = [f"the result has no {x!r}.{did_you_mean(x, known)}" if x and "*" not in x else why for why, x in faults]
    if messages:
        raise wrong("; ".join(messages), "CHANNEL")
    target = writable(out or result.with_suffix(".png"), PICTURES, "--out")
    figure = draw_asked(found, asked)
    figure.savefig(target, dpi=dpi)
    if not quiet:
        typer.echo(f"plot: {target}")
