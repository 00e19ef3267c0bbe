"""`duoti check`: everything that is wrong with a model, with file and line."""

from __future__ import annotations

import typer

from duoti.cli import options
from duoti.cli.exits import MODEL_WRONG, OK, guarded, print_json, report_data
from duoti.cli.source import find_source, print_notes


@guarded
def check(
    model: options.Model,
    settings: options.Settings = None,
    allow_outside: options.AllowOutside = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Report everything that is wrong with a model at once, with file and line, and what to do about it.

    Beside errors there are warnings, such as joints that over-constrain each other, and remarks on the structure.
    The exit code is 0 if there is no error.

    \b
    duoti check slider_crank.yaml
    duoti check robot.urdf --json
    duoti check four_bar
    """
    del verbose  # used by `guarded`
    from duoti.analyses.check import check as check_model

    described = find_source(model).load(settings, allow_outside)
    report = check_model(described)
    if as_json:
        notes = [
            {
                "file": n.file,
                "line": n.line,
                "element": n.element,
                "message": n.message,
                "changes_motion": n.changes_motion,
            }
            for n in described.import_notes
        ]
        print_json({"ok": report.ok, **report_data(report), "solver": report.solver, "import_notes": notes})
    elif not report.ok:
        typer.echo(str(report), err=True)
    elif not quiet:
        print_notes(described)
        typer.echo(str(report))
    raise typer.Exit(OK if report.ok else MODEL_WRONG)
