"""The first bytes of a result file: who writes it, and where HDF5 says whether it is complete.

HDF5 leaves the first bytes of a file (its user block) to others: there duoti says in plain text which process writes.
Behind it, in the superblock, HDF5 marks a file that is open for writing. If the writer is killed the mark stays, and
the length that the file states is an old one; then HDF5 refuses to open it. HDF5's own tool h5clear mends both; this
does the same for files of duoti (superblock of version 3, HDF5 File Format Specification 3.0, section II.A), or shows
HDF5 a mended view of the file and leaves it as it is.
"""

from __future__ import annotations

import io
import json
import os
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from duoti.results.errors import ResultFileError

BEGIN = 512  # bytes of the user block
TITLE = b"duoti result, an HDF5 file. "
SIGNATURE = b"\x89HDF\r\n\x1a\n"
SIZE, FLAGS, LENGTH, CHECKSUM = 48, 11, 28, 44  # of the superblock; where in it marks, length of the file, checksum are
MARGIN = 1 << 20  # bytes of room for what may have been given a place, but not yet been written (as h5clear does)


def _rotated(x: int, k: int) -> int:
    return ((x << k) | (x >> (32 - k))) & 0xFFFFFFFF


def checksum(data: bytes) -> int:
    """Bob Jenkins' hash "lookup3" (2006), which HDF5 uses for its metadata."""
    mask = 0xFFFFFFFF
    a = b = c = (0xDEADBEEF + len(data)) & mask
    words = [int.from_bytes(data[i : i + 4], "little") for i in range(0, len(data), 4)]
    while len(words) > 3:
        a, b, c = (a + words[0]) & mask, (b + words[1]) & mask, (c + words[2]) & mask
        words = words[3:]
        for k in (4, 6, 8, 16, 19, 4):
            a = ((a - c) & mask) ^ _rotated(c, k)
            c = (c + b) & mask
            a, b, c = b, c, a
    a, b, c = (sum(pair) & mask for pair in zip((a, b, c), (*words, 0, 0, 0), strict=False))
    for k in (14, 11, 25, 16, 4, 14, 24):
        c = ((c ^ b) - _rotated(b, k)) & mask
        a, b, c = b, c, a
    return b


@dataclass(frozen=True)
class Beginning:
    """The first bytes of a file."""

    writer: dict[str, Any]
    """What `lock.this_process` says of the last writer."""
    marked: bool
    """Someone writes the file, or was killed while writing it."""
    superblock: bytes
    length: int
    """Of the file, as it states; that of a marked file is an old one."""


def write_title(path: Path, writer: dict[str, Any]) -> None:
    """Say who writes the file."""
    text = json.dumps({**writer, "host": writer["host"][:200]}).encode()
    with path.open("r+b") as file:
        file.write((TITLE + text + b" %08x" % zlib.crc32(text)).ljust(BEGIN - 1) + b"\n")


def read_beginning(path: Path) -> Beginning:
    """The first bytes, if they are those of a result file that is as long as it says."""
    try:
        there = path.stat().st_size
        with path.open("rb") as file:
            title, block = file.read(BEGIN), file.read(SIZE)
    except OSError as error:
        raise ResultFileError(f"{path}: cannot be read: {error.strerror or error}") from None
    if SIGNATURE not in title[:8] + block[:8]:
        raise ResultFileError(f"{path}: is no HDF5 file, so no result of duoti (or its beginning is destroyed)")
    if not title.startswith(TITLE):
        raise ResultFileError(f"{path}: is an HDF5 file, but not a result of duoti (or its beginning is destroyed)")
    try:
        text, _, crc = title[len(TITLE) :].rstrip().rpartition(b" ")
        writer = json.loads(text)
        damaged = block[8:11] != b"\x03\x08\x08" or int.from_bytes(block[CHECKSUM:], "little") != checksum(
            block[:CHECKSUM]
        )
        if damaged or zlib.crc32(text) != int(crc, 16):
            raise ValueError
    except (TypeError, ValueError):
        raise ResultFileError(f"{path}: its beginning is damaged") from None
    stated = int.from_bytes(block[LENGTH : LENGTH + 8], "little")
    if there < stated:
        raise ResultFileError(f"{path}: was cut short: it has {there} bytes of at least {stated}")
    return Beginning(writer, block[FLAGS] != 0, block, stated)


def _mended(superblock: bytes, length: int) -> bytes:
    """Without marks, and with this length of the file."""
    block = bytearray(superblock)
    block[FLAGS] = 0
    block[LENGTH : LENGTH + 8] = length.to_bytes(8, "little")
    block[CHECKSUM:] = checksum(bytes(block[:CHECKSUM])).to_bytes(4, "little")
    return bytes(block)


def clear_marks(path: Path) -> None:
    """Make the file of a killed run one that can be written again. Only for files that nobody writes."""
    beginning = read_beginning(path)
    if beginning.marked:
        length = path.stat().st_size + MARGIN
        os.truncate(path, length)
        with path.open("r+b") as file:
            file.seek(BEGIN)
            file.write(_mended(beginning.superblock, length))


class MendedView(io.RawIOBase):
    """The file of a killed run as HDF5 can read it; the file stays as it is."""

    def __init__(self, path: Path, beginning: Beginning):
        self.file = path.open("rb")
        self.block = _mended(beginning.superblock, path.stat().st_size)

    def readable(self) -> bool:
        """Yes."""
        return True

    def seekable(self) -> bool:
        """Yes."""
        return True

    def seek(self, offset: int, whence: int = 0, /) -> int:
        """See `io.RawIOBase.seek`."""
        return self.file.seek(offset, whence)

    def tell(self) -> int:
        """See `io.RawIOBase.tell`."""
        return self.file.tell()

    def readinto(self, buffer: Any, /) -> int:
        """See `io.RawIOBase.readinto`."""
        at = self.file.tell()
        n = self.file.readinto(buffer)
        first, last = max(at, BEGIN), min(at + n, BEGIN + SIZE)
        if first < last:
            memoryview(buffer).cast("B")[first - at : last - at] = self.block[first - BEGIN : last - BEGIN]
        return n

    def close(self) -> None:
        """Close the file."""
        self.file.close()
        super().close()
