"""The first bytes of an HDF5 file, where it says whether it is complete and whether someone writes it.

HDF5 marks a file that is open for writing; if the writer is killed the mark stays, and the length that the file states
is an old one. HDF5's own tool h5clear mends both; this does the same for files of duoti (superblock of version 3, HDF5
File Format Specification 3.0, section II.A).
"""

from __future__ import annotations

import os
from pathlib import Path

from duoti.results.errors import ResultFileError

SIGNATURE = b"\x89HDF\r\n\x1a\n"
SIZE, FLAGS, LENGTH = 48, 11, 28  # bytes of the superblock; where the marks and the length of the file stand in it
WRITTEN = 0x05  # open for writing, and for reading at the same time
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


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            block = file.read(SIZE)
    except OSError as error:
        raise ResultFileError(f"{path}: cannot be read ({error.strerror or error})") from None
    if len(block) < SIZE or block[:8] != SIGNATURE:
        raise ResultFileError(f"{path}: is no HDF5 file, so no result of duoti (or its beginning is destroyed)")
    if block[8] != 3 or block[9:11] != b"\x08\x08":
        raise ResultFileError(f"{path}: is an HDF5 file, but not one that duoti has written")
    if int.from_bytes(block[44:48], "little") != checksum(block[:44]):
        raise ResultFileError(f"{path}: its beginning is damaged (the checksum of its first bytes is wrong)")
    return block


def is_marked(path: Path) -> bool:
    """Whether someone writes the file, or was killed while writing it; refuses a file that was cut short."""
    block = _read(path)
    marked = block[FLAGS] != 0
    stated, there = int.from_bytes(block[LENGTH : LENGTH + 8], "little"), path.stat().st_size
    if there < stated:
        raise ResultFileError(f"{path}: was cut short: it has {there} bytes of at least {stated}")
    return marked


def clear_marks(path: Path) -> None:
    """Make the file of a killed run one that can be written again. Only for files that nobody writes."""
    if not is_marked(path):
        return
    block = bytearray(_read(path))
    length = path.stat().st_size + MARGIN
    os.truncate(path, length)
    block[FLAGS] = 0
    block[LENGTH : LENGTH + 8] = length.to_bytes(8, "little")
    block[44:48] = checksum(bytes(block[:44])).to_bytes(4, "little")
    with path.open("r+b") as file:
        file.write(block)
