"""Checkpoints: two slots in a file that are written in turn, each with a number and a checksum.

A writer that is killed in the midst leaves the other slot as it was. A slot is

    "duotichk", number, length, CRC-32 of what follows | length of the JSON text, JSON text, bytes of the arrays

with 8-byte numbers, little-endian.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from duoti.results.errors import ResultFileError

MAGIC = b"duotichk"
HEAD = struct.Struct("<8sQQQ")


@dataclass
class Checkpoint:
    """The memory of a solver between two steps: from it the run goes on, bit for bit."""

    seconds: float
    decisions: dict[str, Any]
    arrays: list[tuple[str, list[int]]]
    """Type and shape of each."""
    data: bytes = field(repr=False)
    rows: int = 0
    """How many outputs had been written by then."""
    events: int = 0
    """How many events had been written by then."""
    impacts: int = 0
    """How many impacts had been written by then."""
    contact_states: int = 0
    """How many changes of contacts had been written by then."""

    @classmethod
    def of(cls, seconds: float, decisions: dict[str, Any], arrays: Sequence[Any]) -> Checkpoint:
        """A copy of the arrays; each once, however often it is in the list."""
        each = _once(arrays)
        shapes = [(a.dtype.str, list(a.shape)) for a in each]
        return cls(seconds, decisions, shapes, b"".join(a.tobytes() for a in each))

    def fill(self, arrays: Sequence[Any]) -> None:
        """Put the checkpoint into the arrays of another loop of the same kind."""
        each = _once(arrays)
        if [(a.dtype.str, list(a.shape)) for a in each] != [(kind, list(shape)) for kind, shape in self.arrays]:
            raise ValueError("the arrays of the loop are not those that were kept")
        at = 0
        for array in each:
            array[...] = np.frombuffer(self.data, array.dtype, array.size, at).reshape(array.shape)
            at += array.nbytes


def _once(arrays: Sequence[Any]) -> list[Any]:
    return list({id(each): each for each in arrays}.values())


def packed(number: int, status: dict[str, Any], checkpoint: Checkpoint | None) -> bytes:
    """The bytes of a slot."""
    metadata = {key: value for key, value in vars(checkpoint).items() if key != "data"} if checkpoint else None
    text = json.dumps({"status": status, "kept": metadata}).encode()
    body = struct.pack("<Q", len(text)) + text + (checkpoint.data if checkpoint else b"")
    return HEAD.pack(MAGIC, number, len(body), zlib.crc32(struct.pack("<QQ", number, len(body)) + body)) + body


def unpacked(data: bytes) -> tuple[int, dict[str, Any], Checkpoint | None] | None:
    """Number, status and memory in a slot; None if it is empty or was not finished."""
    if len(data) < HEAD.size:
        return None
    magic, number, length, check = HEAD.unpack_from(data)
    body = data[HEAD.size : HEAD.size + length]
    if magic != MAGIC or len(body) != length or zlib.crc32(struct.pack("<QQ", number, length) + body) != check:
        return None
    (size,) = struct.unpack_from("<Q", body)
    content = json.loads(body[8 : 8 + size])
    metadata = content["kept"]
    return number, content["status"], Checkpoint(**metadata, data=body[8 + size :]) if metadata else None


# Checksums of the rows of a result file, so that a flipped bit or a hole never passes for a number.
#
# The rows of `t`, `y` and `x` are cut into blocks, each as long as a chunk of the array. The CRC-32 of a complete block
# stands in `checksums/NAME`; that of the rows behind the last complete block, and of all events, in the status of a
# checkpoint (`tails`), which has a checksum itself. A file without them is from before there were any.


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
