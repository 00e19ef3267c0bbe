"""Results that are in memory, or in another file, into a file; and what may be overwritten."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from duoti.results.errors import ResultFileError
from duoti.results.file.kinds import HDF5, OTHERWISE, TABLES
from duoti.results.file.lock import writing_lock
from duoti.results.file.metadata import Metadata, system_metadata
from duoti.results.file.open import read_file
from duoti.results.file.run_file import RunFile, RunPlan
from duoti.results.result import Result
from duoti.system.arrays import Ints, Reals

ROWS_AT_ONCE = 1 << 14
SAVED = "it was saved from memory, without the memory of the solver"


@contextmanager
def target(path: str | Path) -> Generator[Path, None, None]:
    """The path, if a result may be written there, and no one else's until the end of the block.

    Refuses to overwrite what is precious or not ours.
    """
    path = Path(path)
    _refuse_other_kinds(path)
    if path.is_dir():
        raise ResultFileError(f"{path}: is a folder; give the name of a file, e.g. run.h5")
    if not path.resolve().parent.is_dir():
        raise ResultFileError(f"{path}: there is no folder {path.parent}")
    with writing_lock(path):
        if path.exists():
            _refuse_what_is_precious(path)
        yield path


def _refuse_other_kinds(path: Path) -> None:
    """A file whose name promises something else than HDF5."""
    suffix = path.suffix.lower()
    if suffix in HDF5:
        return
    if suffix in TABLES:
        how = f"a run is written as HDF5 (.h5) while it goes on; afterwards: r.save({str(path)!r})"
    elif suffix in OTHERWISE:
        how = f"a result is saved as .h5, {', '.join(TABLES)}; for this kind of file: " + OTHERWISE[suffix]
        how = how.format(str(path))
    else:
        how = f"a result is saved as .h5 (the whole of it), {', '.join(TABLES)} (tables); give such a name"
    raise ResultFileError(f"{path}: {how}")


def _refuse_what_is_precious(path: Path) -> None:
    try:
        contents = read_file(path)
    except ResultFileError as error:
        raise ResultFileError(
            f"{path}: exists and is no complete result of duoti, so it is not overwritten; delete it, or give another "
            f"name ({error})"
        ) from None
    if contents.state == "running":
        raise ResultFileError(f"{path}: process {contents.pid} is writing a run into it")
    if contents.state == "killed" and not contents.status["why_not_kept"]:
        raise ResultFileError(
            f"{path}: holds a run that was killed at about t = {contents.status['t']:.6g} s. "
            f"duoti.resume({str(path)!r}) goes on with it; to begin anew, delete the file or give another name"
        )


def save(result: Result, path: str | Path) -> None:
    """See `Result.save`."""
    if (table := TABLES.get(Path(path).suffix.lower())) is not None:
        getattr(result, table)(path)
        return
    with target(path) as path:
        write(result, path)


def write(result: Result, path: Path) -> None:
    """A result into a file that is a `target`."""
    system, stats = result.system, result.stats
    t, states = result.t, result.contact_states
    metadata = Metadata(
        **system_metadata(system, result.constraints, stats.solver), start_time=float(t[0]) if len(t) else 0.0,
        solver_settings={}, method_sha256="", record_layout=result.record_layout,
        contact_columns=0 if states is None else states.shape[1], chosen=list(stats.chosen),
    )  # fmt: skip
    end = float(t[-1]) if len(t) else metadata.start_time
    file = RunFile.create(path, metadata, RunPlan(end - metadata.start_time, "times"))
    try:
        for first in range(0, len(t), ROWS_AT_ONCE):
            rows = slice(first, first + ROWS_AT_ONCE)
            file.append(t[rows], result.states[rows], result.record[rows])
        file.append_events(*_events(result, metadata))
        file.append_impacts(result.impacts)
        if states is not None:
            file.append_contact_states(states)
        file.finish(end, stats, None, SAVED, result.ok, result.why_ended, result.status)
    finally:
        file.close()


def _events(result: Result, metadata: Metadata) -> tuple[Reals, Ints, Reals]:
    numbers = {name: k for k, name in enumerate(metadata.event_names)}
    events = result.events
    y = np.zeros((len(events), len(metadata.columns)))
    for k, event in enumerate(events):
        parts = np.concatenate([event.q, event.v, event.z])
        y[k, : len(parts)] = parts
    index = np.array([numbers[event.name] for event in events], dtype=np.int64)
    return np.array([event.t for event in events], dtype=float), index, y
