"""`duoti info`: what is in a result file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from duoti.cli import options
from duoti.cli.exits import guarded, print_json
from duoti.cli.results import existing, open_existing


@guarded
def info(
    result: options.ResultFile,
    channels: Annotated[bool, typer.Option("--channels", "-c", help="List all channels with their units.")] = False,
    model_text: Annotated[
        bool, typer.Option("--model", "-m", help="Print the model file that is in the result.")
    ] = False,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Tell what is in a result file: model, solver, times, how the run ended, events, versions.

    Also of a run that is still going on, or that was killed.

    \b
    duoti info run.h5
    duoti info run.h5 --channels
    duoti info run.h5 --model > model.yaml
    """
    data = _data(existing(result), verbose)
    if as_json:
        print_json(data)
        return
    if model_text:
        typer.echo(data["model_text"] or f"# not in the file: {data['model_text_missing']}", nl=not data["model_text"])
        return
    if channels:
        width = max((len(name) for name, _ in data["channels"]), default=0)
        for name, unit in data["channels"]:
            typer.echo(f"{name:<{width}}  {unit}".rstrip())
        return
    lines = [
        ("model", data["model"]),
        ("run", f"{data['status']}: {data['reason']}"),
        ("time", f"{data['start_time']:.6g} to {data['end_time']:.6g} s, {data['outputs']} outputs"),
        ("solver", f"{data['solver']}: {data['steps']} steps, {data['rejected']} rejected, {data['seconds']:.4g} s"),
        ("states", f"{data['nq']} coordinates, {data['nv']} rates, {data['nz']} first-order states"),
        ("events", ", ".join(f"{e['name']} at {e['t']:.6g} s" for e in data["events"][:6]) or "none"),
        ("channels", f"{len(data['channels'])}: duoti info {result} --channels"),
        ("written", f"{data['created']} by duoti {data['duoti_version']}, {data['size'] / 1e6:.2f} MB"),
    ]
    if len(data["events"]) > 6:
        lines[5] = ("events", f"{lines[5][1]} and {len(data['events']) - 6} more")
    if verbose:
        lines += [("machine", data["machine"]), ("hash", f"model {data['model_sha256'] or 'none'}")]
    typer.echo("\n".join(f"{key:<9} {value}" for key, value in lines))


def _data(path: Path, verbose: bool) -> dict[str, Any]:
    from duoti.results.file.open import read_file

    contents = read_file(path)
    metadata, status = contents.metadata, contents.status
    found = open_existing(path)
    data: dict[str, Any] = {
        "file": str(path), "size": path.stat().st_size, "model": metadata.model, "status": contents.state,
        "ok": found.ok,
        "reason": found.reason, "reason_code": found.reason_code,
        "start_time": metadata.start_time, "end_time": float(status["t"]), "outputs": len(found),
        "solver": metadata.solver, "constraints": metadata.constraints, "steps": found.stats.steps,
        "rejected": found.stats.rejected, "evaluations": found.stats.evaluations, "seconds": found.stats.seconds,
        "nq": metadata.nq, "nv": metadata.nv, "nz": metadata.nz, "coordinates": metadata.coordinates,
        "columns": list(metadata.columns),
        "channels": [list(pair) for pair in metadata.channels],
        "events": [{"name": e.name, "t": e.t} for e in found.events],
        "created": metadata.created, "duoti_version": metadata.duoti_version, "machine": metadata.machine,
        "model_sha256": metadata.model_sha256, "model_text": metadata.model_text,
        "model_text_missing": metadata.model_text_missing,
    }  # fmt: skip
    if verbose:
        data["fingerprint"] = metadata.fingerprint
    return data
