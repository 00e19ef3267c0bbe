"""`open_result`: a result from its file, read piece by piece as it is asked for."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from duoti.contact.event_driven.records import ImpactRecord, impact_records
from duoti.dynamics.loops import constraint_methods
from duoti.dynamics.loops.constraint_methods import ConstraintMethod
from duoti.kernel import fingerprint
from duoti.model.checks.findings import visible
from duoti.model.errors import ModelError
from duoti.model.model import Model
from duoti.results.errors import ResultFileError
from duoti.results.file import checkpoints as checksums
from duoti.results.file import lock as process
from duoti.results.file.checkpoints import Checkpoint, unpacked
from duoti.results.file.metadata import (
    CONTACT_STATES,
    FORMAT,
    FORMAT_VERSION,
    IMPACTS,
    Metadata,
    attribute,
    system_digest,
)
from duoti.results.file.run_file import LIBRARY, clear_errors
from duoti.results.file.superblock import MendedView, read_beginning
from duoti.results.layout import MissingModel, ResultLayout
from duoti.results.records import EventRecord, Reason, ReasonCode, Stats
from duoti.results.result import Result
from duoti.strict import explained
from duoti.system.compile.compiler import compile_model
from duoti.system.system import System

PATIENCE = 2.0  # seconds in which a file that is being written must have become readable
MOST_ITEMS, MOST_LEVELS = 200, 3  # a result has about 25 arrays, in groups of one level

Read = TypeVar("Read")


@contextmanager
def open_file(path: Path, run_id: str = "") -> Generator[Any, None, None]:
    """The HDF5 file, whoever may be writing it; run_id: the one that it is expected to hold."""
    import h5py

    with clear_errors(path, "read"), ExitStack() as opened:
        beginning = read_beginning(path)
        # HDF5's own mode for readers beside a writer waits minutes for a damaged file to mend: see `read_patiently`
        source: Any = opened.enter_context(MendedView(path, beginning)) if beginning.marked else path
        file: Any = opened.enter_context(h5py.File(source, "r", libver=LIBRARY))
        if attribute(file, "format") != FORMAT:
            raise ResultFileError(f"{path}: is an HDF5 file, but no result of duoti")
        if attribute(file, "format_version") > FORMAT_VERSION:
            raise ResultFileError(
                f"{path}: was written by duoti {attribute(file, 'duoti_version')}, in a format too new for this one"
            )
        if run_id and attribute(file, "run_id") != run_id:
            raise ResultFileError(f"{path}: holds another run now; open it again with duoti.open_result")
        _refuse_other_files(path, file)
        yield file


def read_patiently(path: Path, read: Callable[[], Read]) -> Read:
    """What `read` gives; tried again for a while if the file is just being written, and so perhaps not yet whole."""
    end = time.monotonic() + PATIENCE
    pause = 0.01
    while True:
        try:
            return read()
        except ResultFileError:
            if time.monotonic() + pause > end or not _is_being_written(path):
                raise
        time.sleep(pause)
        pause *= 2


def _is_being_written(path: Path) -> bool:
    try:
        beginning = read_beginning(path)
    except ResultFileError:
        return False
    return beginning.marked and process.is_alive(beginning.writer, path)


def _refuse_other_files(path: Path, file: Any) -> None:
    """HDF5 files can have their numbers in other files: whoever made this one could have any file of the user read."""
    import h5py

    waiting, count = [("", file, 0)], 0
    while waiting:
        prefix, group, level = waiting.pop()
        for name in group:
            count += 1
            if count > MOST_ITEMS or level > MOST_LEVELS:
                raise ResultFileError(f"{path}: is no result as duoti writes it: too many arrays and groups")
            where = f"{prefix}{name}"
            link = group.get(name, getlink=True)
            if not isinstance(link, h5py.HardLink):
                raise ResultFileError(
                    f'{path}: "{where}" is a link to another place or file; duoti writes none and follows none'
                )
            item = group[name]
            if isinstance(item, h5py.Group):
                waiting.append((where + "/", item, level + 1))
            elif isinstance(item, h5py.Dataset) and (item.external or item.is_virtual):
                raise ResultFileError(
                    f'{path}: the numbers of "{where}" are in another file ('
                    f"{'virtual dataset' if item.is_virtual else 'external storage'}); duoti reads none from there"
                )


@explained
def open_result(path: str | Path, model: Model | System | None = None, *, allow_outside: bool = False) -> Result:
    """The result in a file that `simulate(..., out=path)` or `Result.save` wrote.

    Also of a run that is still going on, or that was killed: `result.status` is "finished", "failed", "interrupted",
    "running" or "killed", and `result.reason` says more. Arrays are read from the file when they are asked for.

    Parameters
    ----------
    path:
        The file.
    model:
        Needed for a model that cannot be written as text because it has Python functions: without it there are only
        the times and states. It is compared with what the file says.
    allow_outside:
        Whether to draw meshes that the model in the file names outside the file's own folder.
    """
    return _result(read_file(Path(path), allow_outside), model)


def stored_result(path: Path, system: System) -> Result:
    """The result of a run that has just ended."""
    return _result(read_file(path), system)


@dataclass
class Contents:
    """What is in a file, but for the arrays."""

    path: Path
    metadata: Metadata
    number: int
    """Of the newest checkpoint."""
    status: dict[str, Any]
    checkpoint: Checkpoint | None
    state: str
    """As `Result.status`."""
    pid: int
    """Of the process that writes it, or did so last."""
    allow_outside: bool = False
    """Meshes may be read from anywhere."""


def read_file(path: Path, allow_outside: bool = False) -> Contents:
    """Everything but the arrays."""
    contents = read_patiently(path, lambda: _contents(path))
    contents.allow_outside = allow_outside
    return contents


def _contents(path: Path) -> Contents:
    with open_file(path) as file:
        metadata = Metadata.read(file)
        slots = [unpacked(file[f"checkpoint/{k}"][:].tobytes()) for k in (0, 1)]
        found = [each for each in slots if each is not None]
        if not found:
            raise ResultFileError(
                f"{path}: has no valid checkpoint: the run was killed at its very start, or it is damaged"
            )
        number, status, checkpoint = max(found, key=lambda each: each[0])
        rows = min(len(file[name]) for name in ("t", "y", *(("x",) if metadata.record_layout.size else ())))
        if rows < status["rows"] or len(file["events/t"]) < status["events"]:
            raise ResultFileError(f"{path}: is damaged: it has {rows} outputs, but should have {status['rows']}")
    state, writer = status["state"], read_beginning(path).writer
    if state == "running" and not process.is_alive(writer, path):
        state = "killed"
    return Contents(path, metadata, number, status, checkpoint, state, int(writer["pid"]))


def _result(contents: Contents, model: Model | System | None) -> Result:
    metadata, status, path = contents.metadata, contents.status, contents.path
    stats: Any = {**status["stats"], "notes": tuple(status["stats"]["notes"])}
    stats["chosen"] = tuple(stats.get("chosen", ()))
    stats["contact_residuals"] = {name: tuple(worst) for name, worst in stats.get("contact_residuals", {}).items()}
    result = Result(
        _system(contents, model),
        StoredArray(contents, "t"),
        StoredArray(contents, "y", len(metadata.columns)),
        bool(status["ok"]),
        reason_of(contents),
        Stats(**stats),
        StoredEvents(contents),
        metadata.solver,
        made_from(constraint_methods, metadata.constraints_settings, ConstraintMethod, path),
        contents.state,
        layout_of(metadata),
        StoredArray(contents, "x", metadata.record_layout.size) if metadata.record_layout.size else None,
        metadata.record_layout,
    )
    result.known_impacts = StoredImpacts(contents) if "impacts" in status else None
    if metadata.contact_columns:
        result.stored_contact_states = StoredContactStates(contents)
    return result


def layout_of(metadata: Metadata) -> ResultLayout:
    """Names and units of the columns, as the file says."""
    return ResultLayout(metadata.model, metadata.columns, metadata.units, metadata.nq, metadata.nv, metadata.nz)


def reason_of(contents: Contents) -> Reason:
    """Why the run ended, or that it has not."""
    status = contents.status
    if contents.state == "running":
        end = contents.metadata.start_time + status["duration"]
        text = f"still running in process {contents.pid}: t = {status['t']:.6g} s of {end:.6g} s so far"
        return Reason("running", text)
    if contents.state == "killed":
        why = status["why_not_kept"]
        remedy = f"it cannot be resumed: {why}" if why else f"duoti.resume({str(contents.path)!r}) goes on from there"
        return Reason("killed", f"killed; the last checkpoint was at t = {status['t']:.6g} s, and {remedy}")
    return Reason(status.get("reason_code") or _code_of(contents), visible(str(status["reason"])))


def _code_of(contents: Contents) -> ReasonCode:
    """The code of a file from before there were any, as far as its numbers tell it."""
    metadata, status = contents.metadata, contents.status
    if contents.state == "interrupted":
        return "interrupted"
    if contents.state != "finished" or not metadata.solver_settings:  # a saved result: its duration is where it ended
        return "unknown"
    return "event" if status["t"] < metadata.start_time + status["duration"] else "end-time"


# ------------------------------------------------------------------------------------------------------------ the model


def _system(contents: Contents, model: Model | System | None) -> Any:
    """The system, or a function that makes it or says why it cannot."""
    metadata, path = contents.metadata, contents.path
    if model is not None:
        return system_of(contents, model)
    if metadata.model_text:
        return lambda: system_of(contents, None)
    return MissingModel(str(path), metadata.model_text_missing)


def system_of(contents: Contents, model: Model | System | None) -> System:
    """The compiled model of a file: the one given, or the one whose text is in the file."""
    metadata, path = contents.metadata, contents.path
    if isinstance(model, System):
        system = model
    else:
        system = _compiled(model if model is not None else _from_text(contents), metadata)
    layout = ResultLayout.of(system)
    if layout.columns != metadata.columns:
        missing = [name for name in metadata.columns if name not in layout.columns]
        further = [name for name in layout.columns if name not in metadata.columns]
        words = (
            f"the file has {', '.join(missing[:5]) or 'no others'}, the model {', '.join(further[:5]) or 'no others'}"
        )
        raise ResultFileError(f"{path}: the model is not that of the file; among their coordinates, {words}")
    if metadata.fingerprint == fingerprint() and system_digest(system) != metadata.system_sha256:
        raise ResultFileError(
            f"{path}: the model is not that of the file: the same coordinates, but other masses, places, forces or laws"
        )
    return system


def _from_text(contents: Contents) -> Model:
    metadata = contents.metadata
    if not metadata.model_text:
        MissingModel(str(contents.path), metadata.model_text_missing)()
    from duoti.formats import from_text

    try:
        model = from_text(metadata.model_text)
    except ModelError as error:
        raise ResultFileError(f"{contents.path}: the text of the model in it cannot be read: {error}") from error
    model.mesh_folders = None if contents.allow_outside else (contents.path.resolve().parent,)
    return model


def _compiled(model: Model, metadata: Metadata) -> System:
    if metadata.coordinates == "absolute":
        return compile_model(model, "absolute")
    system = compile_model(model, fuse=metadata.fused)
    cut = [name for name, joint_layout in system.joints.items() if joint_layout.cut]
    if sorted(cut) == sorted(metadata.cut_joints):
        return system
    return compile_model(model, force_cut=metadata.cut_joints, fuse=metadata.fused)


def made_from(module: Any, settings: dict[str, Any], base: type, path: Path) -> Any:
    """A solver or constraint method from its name and numbers."""
    values = dict(settings)
    name = values.pop("type", "")
    cls = getattr(module, str(name), None) if name in getattr(module, "__all__", ()) else None
    if not (isinstance(cls, type) and issubclass(cls, base)):
        raise ResultFileError(f"{path}: there is no {base.__name__.lower()} {name!r} in this version of duoti")
    try:
        return cls(**values)
    except TypeError as error:
        raise ResultFileError(f"{path}: the settings of {name} are not understood: {json.dumps(settings)}") from error


# ----------------------------------------------------------------------------------------------------------- the arrays


class StoredArray:
    """An array in a file; what indices choose is read when they do. Rows: a slice; columns: a slice or numbers."""

    def __init__(self, contents: Contents, name: str, columns: int | None = None):
        rows = int(contents.status["rows"])
        self.path, self.run_id, self.name = contents.path.resolve(), contents.metadata.run_id, name
        self.tails: dict[str, int] | None = contents.status.get("tails")
        self.shape = (rows,) if columns is None else (rows, columns)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        chosen, columns = key if isinstance(key, tuple) else (key, slice(None))
        if not isinstance(chosen, slice):
            return np.asarray(self)[key]
        first, last, step = chosen.indices(len(self))
        if step < 1:
            return np.asarray(self)[key]
        rows = range(first, max(first, last), step)
        if len(self.shape) == 1:
            columns = ()
        elif not isinstance(columns, slice):
            columns = np.asarray(columns, dtype=int)

        def read() -> Any:
            with open_file(self.path, self.run_id) as file:
                return checksums.read_rows(self.path, file, self.name, rows, columns, len(self), self.tails)

        return read_patiently(self.path, read)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        return np.asarray(self[:], dtype=dtype)


class StoredEvents:
    """The events in a file."""

    def __init__(self, contents: Contents):
        self.contents, self.layout = contents, layout_of(contents.metadata)

    def __iter__(self) -> Iterator[EventRecord]:
        metadata, status, layout = self.contents.metadata, self.contents.status, self.layout
        n = int(status["events"])
        with open_file(self.contents.path, metadata.run_id) as file:
            t, index, y = (
                checksums.read_events(self.contents.path, file, f"events/{name}", n, status.get("tails"))
                for name in ("t", "index", "y")
            )
        if n and not 0 <= index.min() <= index.max() < len(metadata.event_names):
            raise ResultFileError(f"{self.contents.path}: is damaged: it has events without a name")
        for k in np.argsort(t, kind="stable"):
            if t[k] <= status["t"]:
                q, v, z, _ = np.split(y[k], np.cumsum([layout.nq, layout.nv, layout.nz]))
                yield EventRecord(metadata.event_names[index[k]], float(t[k]), q, v, z)


class StoredImpacts:
    """The impacts in a file."""

    def __init__(self, contents: Contents):
        self.contents = contents

    def __iter__(self) -> Iterator[ImpactRecord]:
        metadata, status, path = self.contents.metadata, self.contents.status, self.contents.path
        n = int(status["impacts"])
        if not n:
            return
        with open_file(path, metadata.run_id) as file:
            rows = checksums.read_events(path, file, IMPACTS, n, status.get("tails"))
        if not (np.all(rows[:, 1] >= 0) and np.all(rows[:, 1] < len(metadata.impact_names))):
            raise ResultFileError(f"{path}: is damaged: it has impacts without a name")
        yield from impact_records(rows, metadata.impact_names)


class StoredContactStates:
    """Changes of contacts of an event-driven run in a file."""

    def __init__(self, contents: Contents):
        self.contents = contents

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        metadata, status, path = self.contents.metadata, self.contents.status, self.contents.path
        with open_file(path, metadata.run_id) as file:
            rows = checksums.read_events(path, file, CONTACT_STATES, int(status["contact_states"]), status.get("tails"))
        return np.asarray(rows, dtype=dtype)
