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

    `duoti info RESULT --channels` lists what there is; "energy" plots the energies. Needs matplotlib (the extra
    "plot").

    \b
    duoti plot run.h5
    duoti plot run.h5 main.angle piston.position energy -o run.svg
    duoti plot run.h5 "gas.*" motor.torque
    """
    del verbose
    found = open_existing(result)
    names = split(channels or [])
    unknown = [name for name in names if name != "energy" and "*" not in name and name not in found]
    if unknown:
        from duoti.model.errors import did_you_mean

        faults = [f"{name!r}.{did_you_mean(name, [*found.channels, 'energy'])}" for name in unknown]
        raise wrong(f"the result has no channel {' Nor '.join(faults)}", "CHANNEL")
    target = writable(out or result.with_suffix(".png"), PICTURES, "--out")
    figure = found.plot(*names)
    figure.savefig(target, dpi=dpi)
    if not quiet:
        typer.echo(f"plot: {target}")
