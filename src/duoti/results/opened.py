"""The HDF5 file behind a result, opened so that it can neither reach other files nor make the reader wait for long."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TypeVar

from duoti.results import process
from duoti.results.errors import ResultFileError
from duoti.results.metadata import FORMAT, FORMAT_VERSION, attribute
from duoti.results.store import LIBRARY, clear_errors
from duoti.results.superblock import MendedView, read_beginning

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
