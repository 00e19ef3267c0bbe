"""`duoti schema`: the JSON schema of model files."""

from __future__ import annotations

from typing import Annotated

import typer

from duoti.cli import options
from duoti.cli.exits import guarded


@guarded
def schema(
    path: Annotated[
        bool, typer.Option("--path", help="Print the address of the file that comes with duoti instead.")
    ] = False,
    verbose: options.Verbose = False,
) -> None:
    """Print the JSON schema of model files, with which editors complete and check what one writes.

    Files of `duoti new` name it in their first line. Editors with the YAML language server (VS Code with the extension
    YAML of Red Hat, Neovim, Emacs, ...) then need no settings. For others, see --path.

    \b
    duoti schema > duoti.schema.json
    duoti schema --path
    """
    del verbose
    from duoti.formats.schema.json_schema import SHIPPED

    typer.echo(SHIPPED.as_uri() if path else SHIPPED.read_text(encoding="utf-8"), nl=path)
