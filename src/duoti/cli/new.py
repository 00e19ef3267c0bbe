"""`duoti new`: a model file to start from."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from duoti.cli import options
from duoti.cli.exits import guarded, wrong

FOLDER = Path(__file__).parent / "templates"


def templates() -> dict[str, str]:
    """Names of the templates with their descriptions, which are their first lines."""
    found = sorted(FOLDER.glob("*.yaml"))
    return {path.stem: path.read_text(encoding="utf-8").splitlines()[0].lstrip("# ") for path in found}


def _complete(incomplete: str) -> list[str]:
    return [name for name in templates() if name.startswith(incomplete)]


@guarded
def new(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Name of the model; NAME.yaml is written.")] = None,
    template: Annotated[
        str,
        typer.Option(
            "--template", "-t", help="What to start from; --list tells what there is.", autocompletion=_complete
        ),
    ] = "pendulum",
    list_them: Annotated[bool, typer.Option("--list", "-l", help="List the templates.")] = False,
    force: Annotated[bool, typer.Option("--force", "-f", help="Overwrite the file if it exists.")] = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Write a model file to start from.

    \b
    duoti new --list
    duoti new press --template mechanism
    duoti run press.yaml
    """
    del verbose
    if list_them:
        width = max(map(len, templates()))
        for key, words in templates().items():
            typer.echo(f"{key:<{width}}  {words}")
        return
    if name is None:
        raise wrong("give a name for the model", "NAME")
    if template not in templates():
        from duoti.model.errors import did_you_mean

        raise wrong(f"there is no template {template!r}.{did_you_mean(template, templates())}", "--template")
    target = Path(name if name.endswith((".yaml", ".yml")) else f"{name}.yaml")
    title = target.stem
    if not re.fullmatch(r"[\w][\w .-]*", title):
        raise wrong(f"{name!r} is no good name for a file; take letters, digits, - and _", "NAME")
    if not target.resolve().parent.is_dir():
        raise wrong(f"there is no folder {target.parent}", "NAME")
    if target.exists() and not force:
        raise wrong(f"{target} exists; --force overwrites it", "NAME")
    text = (FOLDER / f"{template}.yaml").read_text(encoding="utf-8")
    text = re.sub(r"^name: .*$", f'name: "{title}"', text, count=1, flags=re.MULTILINE)
    from duoti.formats.schema.json_schema import schema_line

    target.write_text(f"{schema_line()}\n{text}", encoding="utf-8")
    if not quiet:
        typer.echo(f"{target} written; try: duoti run {target}")
