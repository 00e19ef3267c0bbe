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
from typing import Any

import numpy as np

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
