"""Checksums of the rows of a result file, so that a flipped bit or a hole never passes for a number.

The rows of `t`, `y` and `x` are cut into blocks, each as long as a chunk of the array. The CRC-32 of a complete block
stands in `checksums/NAME`; that of the rows behind the last complete block, and of all events, in the status of a
checkpoint (`tails`), which has a checksum itself. A file without them is from before there were any.
"""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import numpy as np

from duoti.results.errors import ResultFileError

CHUNK = 1024  # checksums


def name_of(array: str) -> str:
    """Where the checksums of an array stand."""
    return f"checksums/{array}"


def create(file: Any, array: str) -> None:
    """An empty array for the checksums of another."""
    file.create_dataset(name_of(array), (0,), "u4", maxshape=(None,), chunks=(CHUNK,))


def extended(values: Any, before: int = 0) -> int:
    """The checksum of rows, after others whose checksum is `before`."""
    return zlib.crc32(np.ascontiguousarray(values).data if len(values) else b"", before)


def read_rows(
    path: Path, file: Any, array: str, chosen: range, columns: Any, rows: int, tails: dict[str, int] | None
) -> Any:
    """The chosen rows and columns of an array with so many rows; whole blocks are compared with their checksums.

    columns: an index for each row's values; () where a row is one number.
    """
    data, sums = file[array], file.get(name_of(array))
    found = np.empty((len(chosen), *np.empty(data.shape[1:])[columns].shape), data.dtype)
    block, done = int(data.chunks[0]), 0
    kept = None if sums is None or tails is None else sums[: rows // block]
    while done < len(chosen):
        k = chosen[done] // block
        first, last = k * block, min((k + 1) * block, rows)
        values = data[first:last]
        if kept is not None and tails is not None:
            wanted = int(kept[k]) if k < len(kept) else tails.get(array)
            if len(values) < last - first or extended(values) != wanted:
                raise damaged(path, array, first, last)
        here = range(chosen[done], min(last, chosen.stop), chosen.step)
        rows_here = slice(here.start - first, here.stop - first, here.step)
        found[done : done + len(here)] = values[rows_here] if data.ndim == 1 else values[rows_here][:, columns]
        done += len(here)
    return found


def read_events(path: Path, file: Any, array: str, rows: int, tails: dict[str, int] | None) -> Any:
    """All events of an array, compared with their checksum."""
    values = file[array][:rows]
    if tails is not None and extended(values) != tails.get(array):
        raise damaged(path, array, 0, rows)
    return values


def damaged(path: Path, array: str, first: int, last: int) -> ResultFileError:
    """Say which rows are not to be trusted."""
    return ResultFileError(
        f"{path}: is damaged: rows {first} to {last - 1} of {array!r} are not those that were written (their checksum "
        f"differs); other rows can be read, e.g. result.states[:{first}]"
    )
