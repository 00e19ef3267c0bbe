"""The store of a study on disk: one SQLite file, one row for each run, safe against kill -9 at any moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from duoti.system.arrays import Reals

AT_ONCE = 500  # keys in one question


class Row(NamedTuple):
    """What a run gave: its measures one behind the other, a status such as "ok", and a message."""

    numbers: Reals
    status: str
    message: str


class RunStore:
    """Rows of runs by key. Several studies may share a file; a transaction is written whole or not at all."""

    def __init__(self, path: str | Path):
        import sqlite3

        self.path = Path(path)
        if self.path.is_dir():
            raise ValueError(f"store={str(path)!r} is a folder; give the name of a file, such as runs.db")
        if not self.path.parent.exists():
            raise ValueError(f"store={str(path)!r}: there is no folder {self.path.parent}")
        try:
            self._file = sqlite3.connect(self.path, timeout=60.0)
            self._file.execute(
                "CREATE TABLE IF NOT EXISTS runs "
                "(key TEXT PRIMARY KEY, numbers BLOB, status TEXT, message TEXT) WITHOUT ROWID"
            )
            self._file.execute("CREATE TABLE IF NOT EXISTS studies (key TEXT PRIMARY KEY, about TEXT)")
            self._file.commit()
        except sqlite3.DatabaseError as error:
            raise ValueError(f"store={str(path)!r} is not a store of studies: {error}") from error

    def __enter__(self) -> RunStore:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def describe(self, key: str, about: str) -> None:
        """Note in words what a study is, for whoever looks into the file."""
        with self._file:
            self._file.execute("INSERT OR REPLACE INTO studies VALUES (?, ?)", (key, about))

    def read(self, keys: Sequence[str]) -> dict[str, Row]:
        """The rows that there are."""
        found = dict[str, Row]()
        for first in range(0, len(keys), AT_ONCE):
            some = keys[first : first + AT_ONCE]
            marks = ",".join("?" * len(some))
            asked = f"SELECT key, numbers, status, message FROM runs WHERE key IN ({marks})"
            for key, numbers, status, message in self._file.execute(asked, list(some)):
                found[key] = Row(np.frombuffer(numbers, dtype="<f8"), status, message)
        return found

    def write(self, rows: Mapping[str, Row] | Iterable[tuple[str, Row]]) -> None:
        """Keep rows."""
        pairs = rows.items() if isinstance(rows, Mapping) else rows
        made: list[tuple[Any, ...]] = [
            (key, np.asarray(row.numbers, dtype="<f8").tobytes(), row.status, row.message) for key, row in pairs
        ]
        with self._file:
            self._file.executemany("INSERT OR REPLACE INTO runs VALUES (?, ?, ?, ?)", made)
