"""`RunFile`: results written to an HDF5 file while they are computed, so that a kill at any moment loses little.

HDF5's single-writer multiple-reader mode orders what is written so that a reader, or who comes after a kill, finds a
consistent file at any moment. In that mode arrays may only grow and be overwritten: what changes (status, statistics,
the solver's memory) is in the two slots of `results.file.checkpoints`, written after the outputs that belong to it.
The layout is described in docs/guide/files/result_file_format.md.
"""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import time
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from duoti.contact.event_driven.records import ImpactRecord, impact_rows
from duoti.results.errors import ResultFileError
from duoti.results.file import checkpoints as checksums
from duoti.results.file import lock as process
from duoti.results.file.checkpoints import Checkpoint, packed
from duoti.results.file.metadata import CONTACT_STATES, IMPACTS, STATUS_BYTES, Metadata, status_text
from duoti.results.file.superblock import BEGIN, clear_marks, read_beginning, write_title
from duoti.results.records import Reason, Stats
from duoti.system.arrays import Ints, Reals

SPARE = 1 << 20  # bytes for HDF5's own book-keeping
NOT_THERE = (errno.EOPNOTSUPP, errno.EINVAL, errno.ENOSYS)  # file systems that cannot reserve


def require_room(folder: Path) -> None:
    """Raise OSError if the disk is too full to begin a file."""
    if shutil.disk_usage(folder).free < SPARE:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _opened_for_writing(path: Path) -> Any:
    """The file; readers lock it while they open it, and are waited for."""
    import h5py

    end, pause = time.monotonic() + PATIENCE, 0.01
    while True:
        try:
            return h5py.File(path, "r+", libver=LIBRARY)
        except BlockingIOError:
            if time.monotonic() + pause > end:
                raise
        time.sleep(pause)
        pause = min(2.0 * pause, 0.5)


class DiskSpace:
    """Reserves room behind a file as it grows, before it is needed."""

    def __init__(self, path: Path):
        self.path = path
        self.needed = path.stat().st_size
        self.reserved = 0

    def grow(self, n: int) -> None:
        """Make sure that the file can become longer by n bytes; OSError if it cannot."""
        needed = self.needed + n
        length = needed + 2 * SPARE + n
        if n == 0 or needed + SPARE <= self.reserved:
            self.needed = needed
            return
        if hasattr(os, "posix_fallocate"):
            descriptor = os.open(self.path, os.O_RDWR)
            try:
                os.posix_fallocate(descriptor, 0, length)
            except OSError as error:
                if error.errno not in NOT_THERE:
                    raise
            finally:
                os.close(descriptor)
        require_room(self.path)
        self.needed, self.reserved = needed, length

    def release(self, length: int) -> None:
        """The file is closed and has this length: what was reserved behind it is free again."""
        with suppress(OSError):
            if self.path.stat().st_size > length:
                os.truncate(self.path, length)


LIBRARY = ("v110", "v110")  # file format of HDF5 1.10: read by everyone, written in the mode described above
PATIENCE = 30.0  # seconds for which another process may hold the file
CHUNK_BYTES = 1 << 18
LEAST_ROWS, MOST_ROWS = 64, 1 << 15
SLOT_CHUNK = 1 << 16
EVENTS = ("events/t", "events/index", "events/y")


@contextlib.contextmanager
def clear_errors(path: Path, what: str) -> Generator[None, None, None]:
    """Errors of HDF5 and of the system in words."""
    try:
        yield
    except ResultFileError:
        raise
    except (OSError, RuntimeError, KeyError, ValueError, TypeError, SystemError, OverflowError) as error:
        if isinstance(error, OSError) and error.strerror:
            raise ResultFileError(f"{path}: cannot be {what}: {error.strerror}") from error
        raise ResultFileError(f"{path}: cannot be {what}: {error}") from error


@dataclass(frozen=True)
class RunPlan:
    """How far a run is to go, and what it writes on the way."""

    duration: float
    """From its start [s]."""
    outputs: str
    """ "steps", "step" or "times"."""
    output_step: float = 0.0
    """Between outputs [s]."""
    checkpoint: float = 0.0
    """Seconds between checkpoints."""


class RunFile:
    """A file that is being written."""

    def __init__(self, path: Path, metadata: Metadata, plan: RunPlan):
        self.path, self.metadata, self.plan = path, metadata, plan
        self.number = 0  # of the next checkpoint
        self.rows = self.events = self.impacts = self.contact_states = 0
        self._counted = (
            *EVENTS, *((IMPACTS,) if metadata.impact_names else ()),
            *((CONTACT_STATES,) if metadata.contact_columns else ()),
        )  # fmt: skip
        self.last_checkpoint: Checkpoint | None = None
        """The memory in the last checkpoint."""
        self.last_time = -np.inf
        ny, nx = len(metadata.columns), metadata.record_layout.size
        self.chunk_rows = int(np.clip(CHUNK_BYTES // (8 * max(ny, nx)), LEAST_ROWS, MOST_ROWS))
        widths = {"x": (nx,), "y": (ny,), "t": ()}  # times last: rows that have one are complete
        self._outputs = {n: np.zeros((self.chunk_rows, *width)) for n, width in widths.items() if n != "x" or nx}
        self._tails = dict.fromkeys(
            (*self._outputs, *self._counted), 0
        )  # checksums of rows after the last complete block
        self._waiting = 0  # rows that are not yet in the file
        self._file: Any = None
        self._data: dict[str, Any] = {}
        self.part: Path | None = None
        """Where the file is as long as it has no checkpoint."""

    # -------------------------------------------------------------------------------------------------- new and again

    @classmethod
    def create(cls, path: Path, metadata: Metadata, plan: RunPlan) -> RunFile:
        """A new file; it gets its name with the first checkpoint."""
        import h5py

        made = cls(path, metadata, plan)
        made.part = path.with_name(f"{path.name}.{os.getpid()}.part")
        with clear_errors(path, "written"):
            require_room(made.part.parent)
            with h5py.File(made.part, "w", libver=LIBRARY, userblock_size=BEGIN) as file:
                metadata.write(file, made.chunk_rows)
                for slot in ("0", "1"):
                    file.create_dataset(f"checkpoint/{slot}", (0,), "u1", maxshape=(None,), chunks=(SLOT_CHUNK,))
            made._open()
        return made

    @classmethod
    def again(cls, path: Path, metadata: Metadata, plan: RunPlan, number: int, checkpoint: Checkpoint) -> RunFile:
        """A file whose run goes on from what was kept; `number` is that of the next checkpoint."""
        made = cls(path, metadata, plan)
        made.number, made.last_checkpoint = number, checkpoint
        made.rows, made.events, made.impacts = checkpoint.rows, checkpoint.events, checkpoint.impacts
        made.contact_states = checkpoint.contact_states
        written = {IMPACTS: checkpoint.impacts, CONTACT_STATES: checkpoint.contact_states}
        with clear_errors(path, "written"):
            clear_marks(path)
            made._open()
            if checkpoint.rows:
                made.last_time = float(made._data["t"][checkpoint.rows - 1])
            complete = checkpoint.rows - checkpoint.rows % made.chunk_rows
            for name in made._outputs:
                made._tails[name] = checksums.extended(made._data[name][complete : checkpoint.rows])
            for name in made._counted:
                valid = written.get(name, checkpoint.events)
                made._tails[name] = checksums.extended(made._data[name][:valid])
        return made

    def states(self) -> Generator[Reals, None, None]:
        """The states of the outputs in the file, some at a time."""
        rows = 16 * self.chunk_rows
        for first in range(0, self.rows, rows):
            yield np.asarray(self._data["y"][first : min(first + rows, self.rows)])

    def _open(self) -> None:

        path = self.part or self.path
        process.started_writing(self.path)
        write_title(path, process.this_process())
        self._disk_space = DiskSpace(path)
        self._file = _opened_for_writing(path)
        try:
            self._data = {name: self._file[name] for name in (*self._arrays, "checkpoint/0", "checkpoint/1", "status")}
            for each in self._data.values():
                if each.chunks:
                    each.id.get_num_chunks()  # reads the index: later, HDF5 would long wait for a damaged one to mend
            self._file.swmr_mode = True
        except BaseException:
            self.close()
            raise

    # --------------------------------------------------------------------------------------------------------- writing

    @property
    def _arrays(self) -> tuple[str, ...]:
        """What grows with the run."""
        return (*self._outputs, *map(checksums.name_of, self._outputs), *self._counted)

    def append(self, t: Reals, y: Reals, x: Reals) -> None:
        """Further outputs: times, states, and the record beside them."""
        given = {"t": t, "y": y, "x": x}
        done, n = 0, len(t)
        if n:
            self.last_time = float(t[-1])
        while done < n:
            some = min(n - done, self.chunk_rows - (self.rows + self._waiting) % self.chunk_rows)
            at = slice(self._waiting, self._waiting + some)
            for name, waiting in self._outputs.items():
                waiting[at] = given[name][done : done + some]
            self._waiting += some
            done += some
            if (self.rows + self._waiting) % self.chunk_rows == 0:
                self._write_rows()

    def _write_rows(self) -> None:
        last = self.rows + self._waiting
        if not self._waiting:
            return
        with clear_errors(self.path, "written"):
            for name, waiting in self._outputs.items():
                self._put(name, self.rows, waiting[: self._waiting])
                self._tails[name] = checksums.extended(waiting[: self._waiting], self._tails[name])
                if last % self.chunk_rows == 0:  # `append` never lets rows of two blocks wait
                    block = np.array([self._tails[name]], np.uint32)
                    self._put(checksums.name_of(name), last // self.chunk_rows - 1, block)
                    self._tails[name] = 0
        self.rows, self._waiting = last, 0

    def _put(self, name: str, first: int, values: Any) -> None:
        """Overwrite an array from row `first` on; it grows if need be, if there is room."""
        dataset = self._data[name]
        last, rows = first + len(values), dataset.chunks[0]
        if len(dataset) < last:
            chunks = -(-last // rows) - -(-len(dataset) // rows)
            self._disk_space.grow(chunks * dataset.dtype.itemsize * int(np.prod(dataset.chunks)))
            dataset.resize(last, axis=0)
        dataset[first:last] = values

    def append_events(self, t: Reals, index: Ints, y: Reals) -> None:
        """Further events."""
        if len(t):
            with clear_errors(self.path, "written"):
                for name, values in (("events/y", y), ("events/index", index), ("events/t", t)):
                    self._put(name, self.events, values)
                    self._tails[name] = checksums.extended(values, self._tails[name])
            self.events += len(t)

    def append_impacts(self, impacts: Sequence[ImpactRecord]) -> None:
        """Further impacts."""
        if impacts:
            rows = impact_rows(impacts, self.metadata.impact_names)
            with clear_errors(self.path, "written"):
                self._put(IMPACTS, self.impacts, rows)
                self._tails[IMPACTS] = checksums.extended(rows, self._tails[IMPACTS])
            self.impacts += len(rows)

    def append_contact_states(self, rows: Reals) -> None:
        """Further changes of contacts in an event-driven run."""
        if len(rows):
            with clear_errors(self.path, "written"):
                self._put(CONTACT_STATES, self.contact_states, rows)
                self._tails[CONTACT_STATES] = checksums.extended(rows, self._tails[CONTACT_STATES])
            self.contact_states += len(rows)

    def _count_in(self, checkpoint: Checkpoint) -> None:
        checkpoint.rows, checkpoint.events, checkpoint.impacts = self.rows, self.events, self.impacts
        checkpoint.contact_states = self.contact_states

    def checkpoint(self, t: float, stats: Stats, checkpoint: Checkpoint | None, why_not_resumable: str) -> None:
        """Bring everything to the file; then, in the other slot, how far the run is and the solver's memory."""
        self._write_rows()
        if checkpoint is not None:
            self._count_in(checkpoint)
            self.last_checkpoint = checkpoint
        self._write_status(t, stats, checkpoint, why_not_resumable, False, Reason("running", ""), "running")
        if self.part is not None:
            self.close()
            with clear_errors(self.path, "written"):
                self._open()

    def _write_status(
        self,
        t: float,
        stats: Stats,
        checkpoint: Checkpoint | None,
        why_not_resumable: str,
        ok: bool,
        reason: Reason,
        state: str,
    ) -> None:
        status = {
            "state": state, "ok": ok, "reason": reason.text, "reason_code": reason.code, "t": t,
            "rows": self.rows, "events": self.events, "impacts": self.impacts, "tails": self._tails,
            "contact_states": self.contact_states,
            **asdict(self.plan), "stats": asdict(stats), "why_not_kept": why_not_resumable,
        }  # fmt: skip
        with clear_errors(self.path, "written"):
            for name in self._arrays:
                self._data[name].flush()
            data = np.frombuffer(packed(self.number, status, checkpoint), np.uint8)
            slot = f"checkpoint/{self.number % 2}"
            self._put(slot, 0, data)
            if self.number == 0:
                self._put("checkpoint/1", 0, np.zeros_like(data))  # has its place now, come what may
            self._data[slot].flush()
            self._data["status"][()] = np.bytes_(status_text(status, STATUS_BYTES))
            self._data["status"].flush()
        self.number += 1

    # --------------------------------------------------------------------------------------------------------- the end

    def finish(
        self,
        t: float,
        stats: Stats,
        checkpoint: Checkpoint | None,
        why_not_resumable: str,
        ok: bool,
        reason: Reason,
        state: str,
    ) -> None:
        """The last checkpoint; the file is closed. checkpoint: the memory to go on from, now or an earlier one."""
        self._write_rows()
        if checkpoint is not None and checkpoint is not self.last_checkpoint:
            self._count_in(checkpoint)
        try:
            with clear_errors(self.path, "written"):
                for name in self._outputs:
                    if len(self._data[name]) > self.rows:  # rows of an earlier attempt that ended later
                        self._data[name].resize(self.rows, axis=0)
            self._write_status(t, stats, checkpoint, why_not_resumable, ok, reason, state)
        finally:
            self.close()

    def give_up(self, t: float, stats: Stats, reason: Reason) -> None:
        """After an error that is not the model's: keep what there is, if that is still possible."""
        try:
            with contextlib.suppress(ResultFileError):
                self._write_rows()
            with contextlib.suppress(ResultFileError):
                self._write_status(t, stats, self.last_checkpoint, "", False, reason, "interrupted")
        finally:
            self.close()

    def close(self) -> None:
        """Close the file; a new one takes its name if it has a checkpoint, otherwise it vanishes."""
        process.stopped_writing(self.path)
        with contextlib.suppress(OSError, RuntimeError, ValueError):
            self._file.close()
            path = self.part or self.path
            self._disk_space.release(read_beginning(path).length)
        part, self.part = self.part, None
        if part is None:
            return
        if self.number:
            with clear_errors(self.path, "written"):
                part.replace(self.path)
        else:
            part.unlink(missing_ok=True)
