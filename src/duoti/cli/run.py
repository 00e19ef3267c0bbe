"""`duoti run`: simulate a model, or do what its file asks for."""

from __future__ import annotations

import re
import traceback
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from duoti.cli import options
from duoti.cli.exits import MODEL_WRONG, OK, RUN_FAILED, guarded, print_json, wrong
from duoti.cli.results import PICTURES, STREAMED, TABLES, split, writable
from duoti.cli.source import Source, find_source, print_notes
from duoti.cli.summary import impacts, summary_data, table

if TYPE_CHECKING:
    from duoti.model.errors import AnalysisError
    from duoti.model.model import Model
    from duoti.results.result import Result


@guarded
def run(
    model: options.Model = "double_pendulum",
    settings: options.Settings = None,
    duration: Annotated[
        float | None,
        typer.Option(
            "--duration",
            "-d",
            parser=options.seconds,
            metavar="TIME",
            help="Time to simulate [s]; default: what the file says.",
        ),
    ] = None,
    outputs: Annotated[
        float | None,
        typer.Option(parser=options.seconds, metavar="TIME", help="Step between outputs [s]; default: 1000 outputs."),
    ] = None,
    solver: Annotated[
        str | None,
        typer.Option(help="Solver, such as dopri5, radau, auto.", autocompletion=options.complete_solver),
    ] = None,
    step: Annotated[
        float | None, typer.Option(parser=options.seconds, metavar="TIME", help="Constant step of the solver [s].")
    ] = None,
    rtol: Annotated[
        float | None, typer.Option(parser=options.number, metavar="NUMBER", help="Relative tolerance of the solver.")
    ] = None,
    atol: Annotated[
        float | None, typer.Option(parser=options.number, metavar="NUMBER", help="Absolute tolerance of the solver.")
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--out", "-o", help="Where to write the result: .h5 (while it runs), .csv, .parquet or .mat."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the run in --out, if it was killed or interrupted.")
    ] = False,
    plot: Annotated[
        list[str] | None,
        typer.Option(
            "--plot", "-p", metavar="CHANNEL", help="Plot channels, such as A.angle,energy; or reactions, or phase."
        ),
    ] = None,
    plot_file: Annotated[Path | None, typer.Option(help="Where to write the plot; default: MODEL_plot.png.")] = None,
    picture: Annotated[
        Path | None, typer.Option(help="Where to write a picture of the motion; default for examples: NAME.png.")
    ] = None,
    no_picture: Annotated[bool, typer.Option("--no-picture", help="Write no picture.")] = False,
    allow_outside: options.AllowOutside = False,
    as_json: options.Json = False,
    quiet: options.Quiet = False,
    verbose: options.Verbose = False,
) -> None:
    """Simulate a model, or do what its file asks for, and print a summary.

    The model is a file or a bundled example. Its file may say how to simulate it and ask for further analyses and
    plots; options take the place of what it says. Pictures and plots need matplotlib (the extra "plot").

    \b
    duoti run double_pendulum
    duoti run slider_crank.yaml --set crank=50mm --plot main.rate,energy
    duoti run slider_crank.yaml --duration 10 --solver radau --out run.h5
    duoti run slider_crank.yaml --out run.h5 --resume
    """
    target = writable(out, (*STREAMED, *TABLES), "--out") if out else None
    shown = writable(plot_file, PICTURES, "--plot-file") if plot_file else None
    if plot_file is not None and not plot:
        raise wrong("there is nothing to plot; say what with --plot", "--plot-file")
    if no_picture and picture is not None:
        raise wrong("--picture and --no-picture exclude each other", "--picture")
    source = find_source(model)
    drawn = writable(picture, PICTURES, "--picture") if picture else None
    if drawn is None and source.example and not no_picture:
        drawn = Path(f"{source.stem}.png")
    described = source.load(settings, allow_outside)
    if not (quiet or as_json):
        print_notes(described, everything=verbose)
    _check_channels(described, plot or [])
    options = {"duration": duration, "outputs": outputs, "solver": solver, "step": step, "rtol": rtol, "atol": atol}
    given = {name: value for name, value in options.items() if value is not None}
    wanted = _simulation(source, described, given)
    results, error = _run(described, wanted, target, resume, quiet or as_json, by_options=bool(given))
    result = results.get("simulate")
    say = (lambda text: None) if as_json or quiet else typer.echo
    if verbose:
        from duoti.analyses.check import check

        say(f"{check(described)}\n")
    files: dict[str, str] = {}
    if result is not None:
        say(result.summary())
        say("\n".join(text for text in (impacts(result), table(result, everything=verbose)) if text))
        _write(result, described, source, target, plot or [], shown, drawn, files, err=not as_json)
    for kind, path in files.items():
        say(f"  {kind:<8} {path}")
    further = results.pop("analyses", {})
    others = {**{name: made for name, made in results.items() if name != "simulate"}, **further}
    for name, made in others.items():
        say(f"\n{name}\n{made}")
        if name in further and not no_picture and (drawing := _draw_analysis(name, made, source, err=not as_json)):
            files[name] = drawing
            say(f"  picture  {drawing}")
    failed = [name for name, made in {"simulate": result, **further}.items() if getattr(made, "ok", True) is False]
    if as_json:
        data = summary_data(result) if result is not None else {"model": described.name, "ok": not failed}
        data |= {"ok": False, "error": str(error), "failed": list(error.errors)} if error else {}
        print_json({**data, "files": files, "analyses": {name: str(made) for name, made in others.items()}})
    elif error:
        typer.echo(f"\nError: {error}", err=True)
    if error and verbose:
        for each in error.errors.values():
            traceback.print_exception(each)
    raise typer.Exit(RUN_FAILED if failed or (error and not error.refused) else MODEL_WRONG if error else OK)


def _draw_analysis(name: str, made: Any, source: Source, err: bool) -> str:
    """Where the picture of a further analysis is; empty if it has none, and without matplotlib."""
    if not hasattr(made, "plot") or not getattr(made, "ok", True):
        return ""
    target = Path(f"{source.stem}_{re.sub(r'[^A-Za-z0-9_-]+', '_', name)}.png")
    try:
        shown = made.plot()
    except ImportError as error:
        if err:
            typer.echo(f"  picture  none: {error}", err=True)
        return ""
    getattr(shown, "figure", shown).savefig(target, dpi=150)
    return str(target)


def _asked(plot: list[str]) -> Any:
    """What --plot asks for: channels in one diagram, or a plot of the whole run."""
    names = split(plot)
    return names[0] if len(names) == 1 else names


def _check_channels(model: Model, plot: list[str]) -> None:
    from duoti.model.expand_bond_graphs import expanded
    from duoti.model.plot_requests import plot_faults

    if plot and (faults := [fault for fault, _ in plot_faults(expanded(model), _asked(plot))]):
        raise wrong("; ".join(faults), "--plot")


def _simulation(source: Source, model: Model, given: dict[str, Any]) -> dict[str, Any]:
    """Settings of the simulation as a model file writes them: the file's own, and in their place those given here."""
    from duoti.analyses.study.tasks import FURTHER, SOLVERS, TASKS, check_tasks
    from duoti.model.checks.findings import Report
    from duoti.model.element_id import ElementId
    from duoti.model.errors import ModelError, did_you_mean

    for name, value in given.items():
        if name != "solver" and not 0 < value < float("inf"):
            what = "number" if name in ("rtol", "atol") else "time in seconds"
            raise wrong(f"{value} is not a positive {what}", f"--{name}")
    asked: dict[str, Any] = dict(model.tasks.get("simulate") or {})
    if "solver" in given:
        solver = given["solver"].lower()
        if solver not in SOLVERS:
            hint = did_you_mean(solver, SOLVERS) or f" There are: {', '.join(SOLVERS)}."
            raise wrong(f"there is no solver {given['solver']!r}.{hint}", "--solver")
        asked["solver"] = solver
        for name in ("rtol", "atol"):  # those of the file were meant for another solver
            asked.pop(name, None)
    asked.update({name: value for name, value in given.items() if name not in ("solver", "step")})
    if "step" in given:
        chosen = asked.get("solver")
        if chosen is None:
            raise wrong("give the solver that is to make constant steps, too, such as --solver rk4", "--step")
        asked["solver"] = {**(chosen if isinstance(chosen, dict) else {"type": chosen}), "step": given["step"]}
    misspelt = [f for f in check_tasks(model) if f.element == ElementId("task", "simulate") and f.key]
    if misspelt and "duration" not in asked:
        raise ModelError(Report(model.name, tuple(misspelt)))
    if "duration" not in asked and (asked or not {*TASKS, FURTHER} & set(model.tasks)):
        study = '; its study is done by "duoti study"' if "study" in model.tasks else ""
        raise wrong(
            f"{source.path.name} does not say how long to simulate; give --duration, or write "
            f'"simulate: {{duration: 2.0}}" into it{study}',
            "--duration",
        )
    if given:
        model.tasks["simulate"] = asked
        names = {"solver" if name == "step" else name for name in given}
        faults = [f.what for f in check_tasks(model) if f.element == ElementId("task", "simulate") and f.key in names]
        if faults:
            constant = "solver" in names and "step" not in given and any("'step' is missing" in each for each in faults)
            raise wrong("; ".join(faults) + (": give it with --step, such as --step 1ms" if constant else ""))
    return asked


def _run(
    model: Model, wanted: dict[str, Any], out: Path | None, resume: bool, silent: bool, by_options: bool
) -> tuple[dict[str, Any], AnalysisError | None]:
    """Simulate and do the other tasks of the file; also returns what was wrong with analyses, if anything.

    by_options: whether settings of the simulation come from the command line, so that a wrong one is wrong usage.
    """
    from duoti.analyses.states.warnings import OngoingWarning, SimulationWarning
    from duoti.analyses.study.tasks import run_tasks
    from duoti.model.errors import AnalysisError

    extra: dict[str, Any] = {"progress": False} if silent and wanted else {}
    streamed = out is not None and out.suffix.lower() in STREAMED
    if streamed:
        extra["out"] = out
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SimulationWarning)  # the summary says it
        warnings.simplefilter("always", OngoingWarning)
        warnings.showwarning = _say  # in a sentence, without a place in duoti's source
        try:
            if resume:
                return _resumed(model, wanted, out, silent), None
            return run_tasks(model, **extra), None
        except AnalysisError as error:
            return error.done, error
        except ValueError as error:
            raise (_usage(error) if by_options or resume else _wrong_file(error)) from error


def _say(message: Warning | str, *_: Any) -> None:
    typer.echo(f"! {message}", err=True)


def _usage(error: ValueError) -> Exception:
    """Settings that `simulate` refuses are wrong usage; a wrong model stays what it is."""
    from duoti.model.errors import DuotiError

    return error if isinstance(error, DuotiError) else wrong(str(error))


def _wrong_file(error: ValueError) -> Exception:
    """Settings of the file itself that `simulate` refuses."""
    from duoti.model.errors import DuotiError

    return error if isinstance(error, DuotiError) else DuotiError(f"simulate: {error}")


def _resumed(model: Model, wanted: dict[str, Any], out: Path | None, silent: bool) -> dict[str, Any]:
    from duoti.analyses.simulate.resume import resume
    from duoti.analyses.study.tasks import run_tasks

    if out is None or out.suffix.lower() not in STREAMED:
        raise wrong("say with --out which file (.h5) the run is in", "--resume")
    if not out.exists():
        return run_tasks(model, out=out, **({"progress": False} if silent else {}))
    return {"simulate": resume(out, model, duration=wanted.get("duration"), progress=False if silent else None)}


def _write(
    result: Result,
    model: Model,
    source: Source,
    out: Path | None,
    plot: list[str],
    plot_file: Path | None,
    picture: Path | None,
    files: dict[str, str],
    err: bool,
) -> None:
    """Tables, plots and the picture; without matplotlib only what was asked for explicitly is an error."""
    if out is not None:
        if out.suffix.lower() in TABLES:
            getattr(result, TABLES[out.suffix.lower()])(out, model.tasks.get("outputs"))
        files["result"] = str(out)
    plots = [_asked(plot)] if plot else model.tasks.get("plots", [])
    for k, asked in enumerate(plots, start=1):
        from duoti.results.plot.plots import draw_asked

        target = plot_file or Path(f"{source.stem}_plot{k if len(plots) > 1 else ''}.png")
        draw_asked(result, asked).savefig(target, dpi=150)
        files[f"plot {k}" if len(plots) > 1 else "plot"] = str(target)
    if picture is not None:
        from duoti.view.images.overview import draw

        try:
            shown = source.example.picture if source.example else {}
            files["picture"] = str(draw(result, picture, **shown))
        except ImportError as error:
            if err:
                typer.echo(f"  picture  none: {error}", err=True)
