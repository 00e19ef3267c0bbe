"""`duoti compile`: the machine code of all kernels of the package, for those who develop it."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Annotated

import typer

from duoti.cli.exits import guarded


@guarded
def compile(
    ship: Annotated[bool, typer.Option(help="Write the files of the package that hold them all.")] = False,
    check: Annotated[bool, typer.Option(help="Only see whether these files are complete for these sources.")] = False,
    into: Annotated[
        Path | None, typer.Option(help="Folder for the machine code; by default the user's cache folder.")
    ] = None,
    processes: Annotated[int | None, typer.Option(help="How many; by default one for each processor.")] = None,
) -> None:
    """Compile all kernels now, so that no later run has to.

    An installed duoti brings the machine code of its kernels for common processors. This compiles, for the level of
    this processor, those that it brings only for a lower one, or not at all; later runs prefer them. `--ship` is for
    work on duoti itself: it brings the files up to date from which it is installed.
    """
    if into is not None:
        into.mkdir(parents=True, exist_ok=True)
        os.environ["DUOTI_CACHE"] = str(into)
    from duoti.kernel import JIT
    from duoti.kernel.compile import all_kernels as build
    from duoti.kernel.store import processors, shipped
    from duoti.kernel.store import user_store as store

    if not JIT:
        raise typer.BadParameter("DUOTI_JIT=0 is set: nothing is compiled")
    began = time.perf_counter()
    if not check and store.user_folder() is None:
        raise typer.Exit(1)
    if ship or check:
        if not build.ship(typer.echo, processes, check=check):
            raise typer.Exit(1)
        typer.echo(f"{time.perf_counter() - began:.0f} s")
        return
    wanted = build.all_kernels()
    level = processors.level()
    ready = sum(each.key in shipped.at(level).kernels for each in wanted)
    wrong = build.compile_all({level: wanted}, typer.echo, processes)
    for each in wrong:
        typer.echo(each, err=True)
    typer.echo(f"{len(wanted)} kernels for {level}, {ready} of them shipped, in {time.perf_counter() - began:.0f} s")
    if wrong:
        raise typer.Exit(1)
