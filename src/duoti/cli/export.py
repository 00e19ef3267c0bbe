"""`duoti export`: a model as an FMU or a C library."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from duoti.cli import options
from duoti.cli.exits import guarded, print_json, wrong
from duoti.cli.results import split
from duoti.cli.source import find_source, print_notes


@guarded
def export(
    model: options.Model,
    target: Annotated[Path, typer.Argument(metavar="OUT", help="An FMU (.fmu), or a folder for a C library.")],
    version: Annotated[str, typer.Option("--fmi", metavar="VERSION", help="Version of FMI: 3.0 or 2.0.")] = "3.0",
    inputs: Annotated[
        list[str] | None, typer.Option("--input", "-i", metavar="NAME", help="Number that the importing tool drives.")
    ] = None,
    outputs: Annotated[
        list[str] | None,
        typer.Option("--output", "-o", metavar="NAME", help="Output; default: coordinates, rates and states."),
    ] = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option("--parameter", "-p", metavar="NAME", help="Tunable number; default: all declared parameters."),
    ] = None,
    solver: Annotated[
        str | None,
        typer.Option(help="Solver of co-simulation, such as dopri5, radau.", autocompletion=options.complete_solver),
    ] = None,
    settings: options.Settings = None,
    force: Annotated[bool, typer.Option("--force", "-f", help="Overwrite the file if it exists.")] = False,
    allow_outside: options.AllowOutside = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Export a model as an FMU or a C library that needs no Python; the ending of OUT decides.

    Names of inputs, outputs and parameters may be given with commas or by several options.

    \b
    duoti export furuta furuta.fmu --input friction --output axle.angle,hinge.angle
    duoti export slider_crank.yaml crank.fmu --fmi 2.0
    duoti export four_bar four_bar_c/
    """
    del verbose
    from duoti.analyses.export.c_library import export_c
    from duoti.analyses.export.fmu import PLATFORMS, export_fmu

    fmu = target.suffix.lower() == ".fmu"
    if version not in PLATFORMS:
        raise wrong(f"{version!r} is not one of {', '.join(PLATFORMS)}", "--fmi")
    if not fmu and (target.is_file() or (target.suffix and not target.is_dir())):
        raise wrong(f"{target} is no name of a folder without an ending, nor of a file that ends with .fmu", "OUT")
    if target.exists() and not force and (fmu or any(target.iterdir())):
        raise wrong(f"{target} exists; --force overwrites it", "OUT")
    if not target.resolve().parent.is_dir():
        raise wrong(f"there is no folder {target.parent}", "OUT")
    described = find_source(model).load(settings, allow_outside)
    if not quiet:
        print_notes(described)
    names = {
        "inputs": split(inputs or []),
        "outputs": split(outputs) if outputs else None,
        "parameters": split(parameters) if parameters else None,
    }
    if fmu:
        found = export_fmu(described, target, "2.0" if version == "2.0" else "3.0", solver=solver, **names)
    else:
        found = export_c(described, target, solver=solver, **names)
    if as_json:
        print_json(
            {
                "path": str(found.path), "inputs": found.inputs, "outputs": found.outputs,
                "parameters": found.parameters, "states": found.states, "solver": repr(found.solver),
                "derivatives": found.derivatives, "compiler": found.compiler, "processor": found.processor,
                "bytes": found.size,
            }
        )  # fmt: skip
    elif not quiet:
        typer.echo(str(found))
