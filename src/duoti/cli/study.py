"""`duoti study`: do the parameter study of a model file."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from duoti.cli import options
from duoti.cli.exits import OK, RUN_FAILED, guarded, print_json, wrong
from duoti.cli.results import writable
from duoti.cli.source import find_source, parse_settings

if TYPE_CHECKING:
    import xarray

    from duoti.analyses.parameter_study.study import Study

TABLES = (".nc", ".csv", ".parquet")


@guarded
def study(
    model: options.Model,
    settings: options.Settings = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say what would be done, and do no more.")] = False,
    workers: Annotated[
        int | None, typer.Option("--workers", "-w", help="Threads that run side by side; default: one a processor.")
    ] = None,
    samples: Annotated[
        int | None, typer.Option(help="Samples of the distributions; default: what the file says.")
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the samples; default: what the file says.")] = None,
    store: Annotated[
        Path | None, typer.Option(help="File that keeps every run as it is done; what is in it is not done again.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Where to write the results: .nc (netCDF), .csv or .parquet.")
    ] = None,
    plot: Annotated[
        list[str] | None, typer.Option("--plot", "-p", metavar="MEASURE", help="Plot a measure; may be repeated.")
    ] = None,
    allow_outside: options.AllowOutside = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Do the parameter study that a model file asks for, and print a summary.

    The section study: of the file says which numbers vary, how long runs are, and what is kept of them. Ctrl-C keeps
    what is done; with --store the same command goes on. Plots are written as MODEL_MEASURE.png.

    \b
    duoti study model.yaml --explain
    duoti study model.yaml --store runs.db --out results.nc
    duoti study model.yaml --samples 1000 --workers 4 --plot peak
    """
    del verbose
    from duoti.analyses.study.tasks import STUDY, task_settings

    target = writable(out, TABLES, "--out") if out else None
    if workers is not None and workers < 1:
        raise wrong(f"{workers} is not a number of threads, from 1", "--workers")
    source = find_source(model)
    described = source.load(settings, allow_outside)
    if STUDY not in described.tasks:
        raise wrong(f'{source.path.name} has no section "study:"; see duoti\'s guide, Parameter studies', "MODEL")
    for name, value in (("samples", samples), ("seed", seed)):
        if value is not None:
            described.tasks[STUDY] = {**described.tasks[STUDY], name: value}
    asked = _made(described, task_settings(described, STUDY))
    if both := [name for name in parse_settings(settings or ()) if name in asked.names]:
        raise wrong(f"{', '.join(both)}: the study varies this; change its values in the file", "--set")
    for name in plot or ():
        if name not in asked.measures:
            raise wrong(f"there is no measure {name!r}; there are: {', '.join(asked.measures)}", "--plot")
    if not quiet and not (as_json and not explain):
        explained = asked.explain(workers, store)
        if as_json:
            print_json({key: value for key, value in vars(explained).items() if key != "text"})
        else:
            typer.echo(str(explained))
    if explain:
        raise typer.Exit(OK)
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = lambda message, *_: typer.echo(f"! {message}", err=True)  # in a sentence
        found = asked.run(workers, store=store, progress=False if quiet or as_json else None)
    files = _write(found, target, plot or [], source.stem)
    counts = {
        str(status): int((found["status"] == status).sum()) for status in sorted(set(found["status"].values.flat))
    }
    if as_json:
        print_json({"model": described.name, "runs": len(asked), "status": counts, "files": files})
    elif not quiet:
        typer.echo(_summary(found, asked.measures, counts))
        for kind, path in files.items():
            typer.echo(f"  {kind:<8} {path}")
    raise typer.Exit(OK if set(counts) == {"ok"} else RUN_FAILED)


def _made(described: Any, settings: dict[str, Any]) -> Study:
    from duoti.analyses.parameter_study.study import Study
    from duoti.model.errors import DuotiError, ModelError

    try:
        return Study(described, **settings)
    except ModelError:
        raise
    except (ValueError, DuotiError) as error:  # of the file, not of the command
        raise DuotiError(f"study: {error}") from error


def _summary(found: xarray.Dataset, measures: list[str], counts: dict[str, int]) -> str:
    import numpy as np

    from duoti.text import table

    rows = list[list[str]]()
    for name in measures:
        values = found[name].values
        good = values[~np.isnan(values)]
        numbers = (good.min(), np.median(good), good.max()) if len(good) else (np.nan,) * 3
        unit = found[name].attrs.get("units", "")
        rows.append([name, *(f"{x:.5g}" for x in numbers), unit if unit != "1" else ""])
    runs = ", ".join(f"{count} {status}" for status, count in counts.items())
    lines = table([["measure", "least", "median", "largest", "unit"], *rows])
    return "\n".join(["", f"runs: {runs}", *lines])


def _write(found: xarray.Dataset, out: Path | None, plots: list[str], stem: str) -> dict[str, str]:
    files: dict[str, str] = {}
    if out is not None:
        kind = out.suffix.lower()
        if kind == ".nc":
            found.to_netcdf(out)
        elif kind == ".csv":
            found.to_dataframe().to_csv(out)
        else:
            found.to_dataframe().to_parquet(out)
        files["results"] = str(out)
    for name in plots:
        from duoti.analyses.parameter_study.plot import plot_study

        path = Path(f"{stem}_{name}.png")
        try:
            plot_study(found, name).savefig(path, dpi=150)
        except ValueError as error:
            raise wrong(str(error), "--plot") from None
        files[f"plot {name}" if len(plots) > 1 else "plot"] = str(path)
    return files
