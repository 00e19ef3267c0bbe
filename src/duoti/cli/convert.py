"""`duoti convert`: models and results into other formats."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from duoti.cli import options
from duoti.cli.exits import guarded, wrong
from duoti.cli.results import STREAMED, TABLES, open_existing, split
from duoti.cli.source import find_source, print_notes

if TYPE_CHECKING:
    from duoti.model.model import Model

MODELS = (".yaml", ".yml", ".urdf", ".xml", ".mjcf")
SCENES = (".glb", ".gltf", ".pvd")


@guarded
def convert(
    source: Annotated[
        str,
        typer.Argument(
            metavar="IN",
            help="A model (.yaml, .urdf, .xml, .sdf or the name of an example) or a result (.h5).",
            autocompletion=lambda incomplete: options.complete_model(incomplete) + options.complete_result(incomplete),
        ),
    ],
    target: Annotated[
        Path,
        typer.Argument(
            metavar="OUT",
            help="A model (.yaml, .urdf, .xml), table (.csv, .parquet, .mat), result (.h5), scene (.glb, .gltf, .pvd).",
        ),
    ],
    channels: Annotated[
        list[str] | None,
        typer.Option(
            "--channels",
            "-c",
            metavar="CHANNEL",
            help="Channels of a table, * for any characters; default: coordinates and velocities.",
        ),
    ] = None,
    rate: Annotated[
        float | None, typer.Option(metavar="NUMBER", help="Instants per second of a scene; default: all outputs.")
    ] = None,
    settings: options.Settings = None,
    strict: Annotated[
        bool, typer.Option("--strict", help="Refuse a model of which the format cannot hold everything.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", "-f", help="Overwrite the file if it exists.")] = False,
    allow_outside: options.AllowOutside = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Convert a model or a result; what decides are the endings of the names.

    Models go from YAML, URDF, MJCF or SDFormat to YAML, URDF or MJCF; what a format cannot hold is left out and listed,
    or refused with --strict. Results go from HDF5 to CSV, Parquet or MAT, and as animated scenes to glTF (.glb, .gltf)
    or ParaView (.pvd with a folder beside it).

    \b
    duoti convert robot.urdf robot.yaml
    duoti convert pendulum pendulum.urdf
    duoti run slider_crank --out run.h5
    duoti convert run.h5 run.csv --channels main.angle,piston.position
    duoti convert run.h5 forces.csv --channels "motor.*,energy.*"
    duoti convert run.h5 scene.glb --rate 50
    """
    del verbose
    if target.exists() and not force:
        raise wrong(f"{target} exists; --force overwrites it", "OUT")
    if not target.resolve().parent.is_dir():
        raise wrong(f"there is no folder {target.parent}", "OUT")
    ending = target.suffix.lower()
    if Path(source).suffix.lower() in STREAMED:
        if ending not in (*TABLES, *STREAMED, *SCENES):
            raise wrong(
                f"a result becomes {', '.join((*TABLES, *SCENES))}, not {ending or 'a file without ending'}", "OUT"
            )
        if settings:
            raise wrong("a result has no parameters to set", "--set")
        if rate is not None and (ending not in SCENES or not rate > 0.0):
            raise wrong("a positive number, for scenes (.glb, .gltf, .pvd)", "--rate")
        if channels and ending in SCENES:
            raise wrong("a scene has no channels", "--channels")
        _convert_result(Path(source), target, split(channels or []), rate)
    else:
        if ending not in MODELS:
            raise wrong(f"a model becomes {', '.join(MODELS)}, not {ending or 'a file without ending'}", "OUT")
        if channels:
            raise wrong("a model has no channels", "--channels")
        if rate is not None:
            raise wrong("a model has no instants", "--rate")
        model = find_source(source).load(settings, allow_outside)
        if not quiet:
            print_notes(model)
        try:
            lost = _save(model, target, strict)
        except ValueError as error:
            raise wrong(str(error), "OUT") from None
        for sentence in () if quiet else lost:
            typer.echo(f"left out: {sentence}", err=True)
    if not quiet:
        typer.echo(f"written: {target}")


def _save(model: Model, target: Path, strict: bool) -> list[str]:
    """Write a model; returns what the format cannot hold, in words."""
    if strict or target.suffix.lower() not in (".urdf", ".xml", ".mjcf"):
        model.save(target)
        return []
    from duoti.formats import save_mjcf, save_urdf
    from duoti.model.import_note import LeftOutWarning

    write = save_urdf if target.suffix.lower() == ".urdf" else save_mjcf
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", LeftOutWarning)
        return write(model, target, strict=False)


def _convert_result(source: Path, target: Path, channels: list[str], rate: float | None) -> None:
    found = open_existing(source)
    ending = target.suffix.lower()
    if ending == ".pvd":
        from duoti.view.export.vtk import write_series

        write_series(found, target, rate)
        return
    if ending in SCENES:
        found.export_gltf(target, rate)
        return
    for name in channels:
        if "*" not in name and name not in found:
            from duoti.model.errors import did_you_mean

            raise wrong(f"the result has no channel {name!r}.{did_you_mean(name, found.channels)}", "--channels")
    if target.suffix.lower() in TABLES:
        getattr(found, TABLES[target.suffix.lower()])(target, channels or None)
    else:
        found.save(target)
