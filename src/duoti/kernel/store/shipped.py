"""The machine code that comes with the package: one file for each platform and level of processors.

    compiled/linux-x86_64-v3.kernels
    compiled/linux-x86_64-v4.kernels

All kernels are shipped for one level, and those of inner loops for a higher one, too. A processor of the higher level
looks for each kernel in the file of its level first (`store.read`).

A file holds the images of kernels by the keys of `load_or_compile.key_of`, so that one whose source was changed is not
found and is compiled. The first also has the tables of the source files of all kernels (`sources`), so that finding
out the keys parses nothing. Kernels are compressed in groups of those that are used together; only groups that are
needed are read. All is verified by digests.

    magic, digest of the index, length of the index, index (JSON, compressed), groups

`duoti compile --ship` writes the file (`build`).
"""

from __future__ import annotations

import functools
import hashlib
import json
import lzma
import os
import struct
import zlib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from duoti.kernel.console import say
from duoti.kernel.decorators import CHECK
from duoti.kernel.store import syntax
from duoti.kernel.store.processors import PLATFORM, level, levels_here

FOLDER = Path(__file__).parents[2] / "compiled"
MAGIC = b"duoti kernels 1\n"
_LENGTH = struct.Struct("<I")
_HEAD = len(MAGIC) + 32 + _LENGTH.size


class Code(NamedTuple):
    """Machine code of a kernel."""

    returns: str  # kind of what it returns, as in signatures, "" for nothing
    image: bytes  # see `images`, or an object file


class ShippedGroup(NamedTuple):
    """Where a group stands behind the index, and its digest."""

    offset: int
    size: int
    digest: str


def path_for(of_level: str) -> Path:
    """The file for a level of processors on this platform."""
    return FOLDER / f"{PLATFORM}-{of_level.rpartition('-')[2]}.kernels"


class Shipped:
    """The content of a file."""

    def __init__(self, path: Path):
        self.path = path
        self.groups: list[ShippedGroup] = []
        self.kernels: dict[str, tuple[int, int, int, str]] = {}
        self.sources: dict[str, tuple[int, int, int]] = {}
        self._unpacked: dict[int, bytes] = {}
        self._first = 0  # where the groups begin
        try:
            with path.open("rb") as file:
                head = file.read(_HEAD)
                (length,) = _LENGTH.unpack_from(head, _HEAD - _LENGTH.size)
                index = file.read(length)
            if head[: len(MAGIC)] != MAGIC or hashlib.sha256(index).digest() != head[len(MAGIC) :][:32]:
                raise ValueError("its index is damaged")
            found = json.loads(zlib.decompress(index))
        except (FileNotFoundError, IsADirectoryError):
            return
        except (OSError, ValueError, struct.error, zlib.error) as error:
            _damaged(path, error)
            return
        self._first = _HEAD + length
        self.groups = [ShippedGroup(*each) for each in found["groups"]]
        self.kernels, self.sources = found["kernels"], found["sources"]

    def code(self, key: str) -> Code | None:
        """The code of this key; None if it is not here."""
        place = self.kernels.get(key)
        if place is None:
            return None
        group, start, size, returns = place
        unpacked = self._group(group)
        return Code(returns, unpacked[start : start + size]) if unpacked else None

    def table(self, digest: str) -> dict[str, syntax.FunctionSyntax] | None:
        """The table of a source file; None if it is not here."""
        place = self.sources.get(digest)
        if place is None:
            return None
        group, start, size = place
        unpacked = self._group(group)
        return syntax.read(unpacked[start : start + size].decode()) if unpacked else None

    def _group(self, number: int) -> bytes:
        if number not in self._unpacked:
            self._unpacked[number] = self._read(self.groups[number])
        return self._unpacked[number]

    def _read(self, group: ShippedGroup) -> bytes:
        try:
            with self.path.open("rb") as file:
                file.seek(self._first + group.offset)
                packed = file.read(group.size)
            if hashlib.sha256(packed).hexdigest()[:32] != group.digest:
                raise ValueError("a part of it is damaged")
            return zlib.decompress(packed) if packed[:1] == b"\x78" else lzma.decompress(packed)
        except (OSError, ValueError, lzma.LZMAError, zlib.error) as error:
            _damaged(self.path, error)
            return b""


_WARNED: set[Path] = set()


def _damaged(path: Path, error: BaseException) -> None:
    if path not in _WARNED:
        _WARNED.add(path)
        say(f"duoti: {path} cannot be used ({error}): kernels are compiled instead; install duoti again")


def is_used() -> bool:
    """Whether shipped code is looked at; `DUOTI_SHIPPED=0` is for those who want to see it compiled.

    The checked build has code of its own, which is not shipped.
    """
    return not CHECK and os.environ.get("DUOTI_SHIPPED") != "0"


@functools.cache
def at(of_level: str) -> Shipped:
    """What is shipped for a level of processors."""
    return Shipped(path_for(of_level) if is_used() else Path())


def code(key: str) -> Code | None:
    """The code of this key for the level of this processor, None if it is not shipped."""
    return at(level()).code(key)


def code_of_lower_level(key: str) -> Code | None:
    """The code of this key for the best of the levels below."""
    found = (at(each).code(key) for each in levels_here()[1:])
    return next((each for each in found if each is not None), None)


def has(key: str) -> bool:
    """Whether a kernel is shipped for a level that this processor has."""
    return any(key in at(each).kernels for each in levels_here())


def table(digest: str) -> dict[str, syntax.FunctionSyntax] | None:
    """The table of the source file with this digest, None if it is not shipped."""
    found = (at(each).table(digest) for each in levels_here())
    return next((each for each in found if each is not None), None)


# ---------------------------------------------------------------------------------------------------------- making it


def write(path: Path, groups: Iterable[Mapping[str, Code]], tables: Mapping[str, str]) -> int:
    """Write a file of kernels in groups, and of tables of source files; its size."""
    body = bytearray()
    index: dict[str, Any] = {"groups": [], "kernels": {}, "sources": {}}

    def add(packed: bytes) -> int:
        index["groups"].append((len(body), len(packed), hashlib.sha256(packed).hexdigest()[:32]))
        body.extend(packed)
        return len(index["groups"]) - 1

    texts, start = [text.encode() for text in tables.values()], 0
    number = add(zlib.compress(b"".join(texts), 9))
    for digest, text in zip(tables, texts, strict=True):
        index["sources"][digest] = (number, start, len(text))
        start += len(text)
    for group in groups:
        places: dict[bytes, int] = {}  # types that share a law may share their code
        start = 0
        for each in group.values():
            if each.image not in places:
                places[each.image] = start
                start += len(each.image)
        number = add(lzma.compress(b"".join(places), format=lzma.FORMAT_XZ, check=lzma.CHECK_NONE, filters=_PACKING))
        for key, each in group.items():
            index["kernels"][key] = (number, places[each.image], len(each.image), each.returns)
    packed = zlib.compress(json.dumps(index, separators=(",", ":")).encode(), 9)
    path.parent.mkdir(exist_ok=True)
    data = MAGIC + hashlib.sha256(packed).digest() + _LENGTH.pack(len(packed)) + packed + bytes(body)
    part = path.with_suffix(".part")
    part.write_bytes(data)
    part.replace(path)
    return len(data)


_PACKING: list[dict[str, Any]] = [
    {"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 4, "lp": 0, "pb": 0, "nice_len": 273}
]
