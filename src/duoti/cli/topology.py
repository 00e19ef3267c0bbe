"""`duoti topology`: tree, cut joints and loops of a model."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from duoti.cli import options
from duoti.cli.exits import guarded, print_json
from duoti.cli.source import find_source


class Cut(StrEnum):
    """How the joints to cut are chosen."""

    weights = "weights"
    cheapest = "cheapest"
    absolute = "absolute"


@guarded
def topology(
    model: options.Model,
    svg: Annotated[Path | None, typer.Option(help="Write a drawing to this file (.svg).")] = None,
    cut: Annotated[
        Cut | None, typer.Option(help="How to choose the joints to cut; default: as a simulation does.")
    ] = None,
    matrices: Annotated[
        bool, typer.Option("--matrices", help="Also print the incidence, path and loop matrices.")
    ] = False,
    settings: options.Settings = None,
    allow_outside: options.AllowOutside = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Show the tree of bodies, the joints that are cut and why, and the closed loops.

    \b
    duoti topology six_bar
    duoti topology slider_crank.yaml --svg slider_crank.svg
    duoti topology stewart --json
    """
    del verbose
    from duoti.analyses.instant.topology import topology as find_topology

    described = find_source(model).load(settings, allow_outside)
    found = find_topology(described, cut="auto" if cut is None else cut.value)
    if svg is not None:
        svg.write_text(found.svg(), encoding="utf-8")
    if as_json:
        print_json(
            {
                "model": described.name,
                "labels": found.labels,
                "inboard": [int(i) for i in found.inboard],
                "tree_joints": list(found.tree_joints),
                "cut_joints": list(found.cut_joints),
                "virtual_joints": list(found.virtual_joints),
                "why_cut": {name: found.why_cut[name] for name in found.cut_joints},
                "loops": [
                    {"cut": loop.cut, "bodies": list(loop.bodies), "joints": list(loop.joints)} for loop in found.loops
                ],
            }
        )
    elif not quiet:
        typer.echo(str(found))
        if matrices:
            for title, matrix in (("incidence", found.incidence), ("path", found.path), ("loops", found.loop_matrix)):
                typer.echo(f"\n{title}\n{matrix}")
        if svg is not None:
            typer.echo(f"\ndrawing: {svg}")
