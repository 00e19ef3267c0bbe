"""Arguments and options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

MODEL_ENDINGS = (".yaml", ".yml", ".urdf", ".xacro", ".xml", ".mjcf", ".sdf", ".world")


def complete_model(incomplete: str) -> list[str]:
    """Model files and bundled examples that begin as typed."""
    from duoti.examples import example_names

    return _files(incomplete, MODEL_ENDINGS) + [name for name in example_names() if name.startswith(incomplete)]


def complete_result(incomplete: str) -> list[str]:
    """Result files that begin as typed."""
    return _files(incomplete, (".h5", ".hdf5"))


def complete_example(incomplete: str) -> list[str]:
    """Bundled examples that begin as typed."""
    from duoti.examples import example_names

    return [name for name in example_names() if name.startswith(incomplete)]


def complete_solver(incomplete: str) -> list[str]:
    """Solvers that begin as typed."""
    from duoti.analyses.study.tasks import SOLVERS

    return [name for name in SOLVERS if name.startswith(incomplete)]


def _files(incomplete: str, endings: tuple[str, ...]) -> list[str]:
    folder, start = (
        (Path(incomplete), "") if incomplete.endswith("/") else (Path(incomplete).parent, Path(incomplete).name)
    )
    if not folder.is_dir():
        return []
    found = [p for p in sorted(folder.iterdir()) if p.name.startswith(start) and not p.name.startswith(".")]
    return [str(p) + ("/" if p.is_dir() else "") for p in found if p.is_dir() or p.suffix.lower() in endings]


def number(text: str, unit: str = "1") -> float:
    """A number of the command line, with a unit or without."""
    from duoti.formats.yaml.units import UnitError, quantity

    try:
        found = quantity(text, (unit,))
    except UnitError as error:
        raise typer.BadParameter(str(error)) from None
    if found is None:
        example = "a time in seconds, such as 2.5 or 500ms" if unit == "s" else "a number, such as 1e-6"
        raise typer.BadParameter(f"{text!r} is not {example}")
    return found


def seconds(text: str) -> float:
    """A time of the command line [s]."""
    return number(text, "s")


Model = Annotated[
    str,
    typer.Argument(
        metavar="MODEL",
        help="A model file (.yaml, .urdf, .xml, .sdf) or the name of a bundled example; `duoti examples` lists them.",
        autocompletion=complete_model,
    ),
]
ResultFile = Annotated[
    Path, typer.Argument(metavar="RESULT", help="A result file (.h5).", autocompletion=complete_result)
]
Settings = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        "-s",
        metavar="NAME=VALUE",
        help='Value of a parameter or number of the model, such as r=0.3, "r=12 mm", w=2*pi or rod.mass=2.',
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of text.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print errors only.")]
Verbose = Annotated[bool, typer.Option("--verbose", "-v", help="Print more, tracebacks of unexpected errors included.")]
AllowOutside = Annotated[
    bool, typer.Option("--allow-outside", help="Let the model file name other files outside its own folder.")
]
Channels = Annotated[
    list[str] | None, typer.Argument(metavar="CHANNEL", help="Channels such as A.angle, tip.position.")
]
