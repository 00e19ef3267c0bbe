"""Where a model comes from: a file or a bundled example."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from duoti.cli.exits import wrong
from duoti.cli.options import MODEL_ENDINGS

if TYPE_CHECKING:
    from duoti.examples import Example
    from duoti.model.model import Model


@dataclass(frozen=True)
class Source:
    """The file of a model, and the example it belongs to."""

    path: Path
    example: Example | None = None

    @property
    def stem(self) -> str:
        """What files that belong to it are named after."""
        return self.example.name if self.example else self.path.stem

    def load(self, settings: Sequence[str] | None = None, allow_outside: bool = False) -> Model:
        """The model, with parameters set as the user asked."""
        from duoti.formats import ModelFileError, load
        from duoti.model.import_note import LeftOutWarning

        parameters = parse_settings(settings or ())
        try:
            with warnings.catch_warnings():
                warnings.showwarning = lambda message, *_: typer.echo(f"! {message}", err=True)  # in a sentence
                warnings.simplefilter("ignore", LeftOutWarning)  # `print_notes` says it
                return load(self.path, parameters=parameters or None, allow_outside=allow_outside)
        except ModelFileError as error:
            if parameters and all(f.code == "unknown-parameter" for f in error.report.errors):
                raise wrong("; ".join(f.what for f in error.report.errors), "--set") from None
            raise


def print_notes(model: Model, everything: bool = True) -> None:
    """What an importer left out of the model, on stderr; not `everything`: only what may change the motion."""
    shown = model.import_notes if everything else model.import_notes.changing_motion
    for note in shown:
        typer.echo(f"left out: {note}", err=True)
    if len(shown) < len(model.import_notes):
        typer.echo(
            f"left out: {len(model.import_notes) - len(shown)} more that do not change the motion: duoti check",
            err=True,
        )


def find_source(name: str) -> Source:
    """The file or example that the user means; a file wins over an example of the same name."""
    path = Path(name)
    if path.is_file():
        if path.suffix.lower() == ".py":
            raise wrong(f"{name} is a Python program: run it with `python {name}`", "MODEL")
        return Source(path)
    if path.is_dir():
        raise wrong(f"{name} is a folder; give a model file", "MODEL")
    from duoti.examples import example_names, find_example
    from duoti.model.errors import did_you_mean

    key = name.replace("-", "_")
    if key in example_names():
        example = find_example(key)
        return Source(example.file, example)
    if path.suffix.lower() in (*MODEL_ENDINGS, ".py", ".h5") or len(path.parts) > 1:
        folder = path.parent
        near = did_you_mean(path.name, [p.name for p in folder.iterdir() if p.is_file()]) if folder.is_dir() else ""
        raise wrong(f"there is no file {name}.{near}", "MODEL")
    raise wrong(f"there is no file and no example {name!r}.{did_you_mean(key, example_names())}", "MODEL")


def parse_settings(settings: Sequence[str]) -> dict[str, float]:
    """Parameters from texts such as "r=0.3", "r=12 mm", "w=2*pi"."""
    found: dict[str, float] = {}
    for text in settings:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not name or not value:
            raise wrong(f"{text!r}: write NAME=VALUE, such as r=0.3", "--set")
        if name in found:
            raise wrong(f"{name!r} is given twice", "--set")
        found[name] = _number(name, value)
    return found


def _number(name: str, text: str) -> float:
    from duoti.formats.yaml.units import UnitError, quantity
    from duoti.model.laws.expressions import ExpressionError, compile_expression

    try:
        number = quantity(text)
        if number is not None:
            return number
        program = compile_expression(text)
    except (UnitError, ExpressionError) as error:
        raise wrong(f"{name}={text}: {error}", "--set") from None
    if program.inputs:
        raise wrong(f"{name}={text}: give a number; {', '.join(program.inputs)} is not known here", "--set")
    value = float(program.value or 0.0)
    if value != value or abs(value) == float("inf"):
        raise wrong(f"{name}={text}: this is not a finite number", "--set")
    return value
