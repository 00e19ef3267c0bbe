"""Height fields of MJCF: heights in the file itself, in MuJoCo's own format, or the grey of a picture."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.formats.mjcf.document import Document
from duoti.formats.xml.xml_tree import Element
from duoti.spatial import Shape

MOST_HEIGHTS = 1_000_000
PNG = b"\x89PNG\r\n\x1a\n"
Grid = NDArray[np.float64]


class HeightField:
    """An asset: half lengths and height [m], and heights from 0 to 1 over [column, row], from low x and y on."""

    def __init__(self, element: Element, size: list[float], heights: Grid):
        self.element, self.size, self.heights = element, size, heights

    def shape(self, colour: str) -> Shape:
        """As a shape in the frame of its geom."""
        x, y, z = self.size[:3]
        return Shape.heightfield((z * self.heights).tolist(), (2.0 * x, 2.0 * y), colour=colour)


def read_hfield(document: Document, asset: Element) -> HeightField | None:
    """A height field; None, with an error, if it cannot be read."""
    reading = document.reading
    document.check(asset, "hfield")
    size = reading.numbers(asset, "size", 4).tolist()
    if min(size) <= 0.0:
        reading.error(asset, f'size="{asset.get("size")}": four positive lengths are needed')
        return None
    try:
        data = _from_file(document, asset) if asset.get("file") else _from_text(document, asset)
    except (ValueError, OSError, struct.error, zlib.error) as error:
        reading.error(asset, f"its heights cannot be read: {error}")
        return None
    low, high = float(data.min()), float(data.max())
    normal = (data - low) / (high - low) if high > low else 0.0 * data
    return HeightField(asset, size, normal.T)


def _from_text(document: Document, asset: Element) -> Grid:
    """Rows by `elevation`, the first one at the largest y; flat without it."""
    nrow, ncol = (int(document.reading.number(asset, name, 0.0)) for name in ("nrow", "ncol"))
    _allowed(nrow, ncol)
    words = asset.get("elevation").split()
    if not words:
        return np.zeros((nrow, ncol))
    if len(words) != nrow * ncol:
        raise ValueError(f"elevation has {len(words)} numbers, not nrow times ncol = {nrow * ncol}")
    data = np.array([float(word) for word in words])
    if not np.all(np.isfinite(data)):
        raise ValueError("elevation has numbers that are not finite")
    return data.reshape(nrow, ncol)[::-1]


def _allowed(nrow: int, ncol: int) -> None:
    if min(nrow, ncol) < 2 or nrow * ncol > MOST_HEIGHTS:
        raise ValueError(f"{nrow} rows of {ncol}; at least two of two are needed, {MOST_HEIGHTS} heights at most")


def _from_file(document: Document, asset: Element) -> Grid:
    settings = document.settings_of(asset)
    path, why = document.reading.locate(settings.asset_path(asset.get("file")), settings.folder)
    if path is None:
        raise ValueError(why)
    return read_png(path)[::-1] if path.suffix.lower() == ".png" else _binary(path)


def _binary(path: Path) -> Grid:
    """MuJoCo's format: numbers of rows and columns (int32), then heights (float32), from low y on."""
    content = path.read_bytes()
    nrow, ncol = struct.unpack_from("<ii", content)
    _allowed(nrow, ncol)
    if len(content) < 8 + 4 * nrow * ncol:
        raise ValueError(f"{path.name} has {len(content)} bytes, {8 + 4 * nrow * ncol} are needed")
    data = np.frombuffer(content, "<f4", nrow * ncol, 8).astype(float)
    if not np.all(np.isfinite(data)):
        raise ValueError(f"{path.name} has numbers that are not finite")
    return data.reshape(nrow, ncol)


def read_png(path: Path) -> Grid:
    """Grey values [row, column] of a picture, the upper row first (PNG specification, third edition, sections 5 to 9).

    Grey of 8 or 16 bits, not interlaced; raises ValueError for others.
    """
    content = path.read_bytes()
    if not content.startswith(PNG):
        raise ValueError(f"{path.name} is no PNG file")
    at, data, head = len(PNG), b"", b""
    while at + 8 <= len(content):
        length, kind = struct.unpack_from(">I4s", content, at)
        piece = content[at + 8 : at + 8 + length]
        head = piece if kind == b"IHDR" else head
        data += piece if kind == b"IDAT" else b""
        at += 12 + length
    width, height, depth, colour, _, _, interlaced = struct.unpack(">IIBBBBB", head)
    _allowed(height, width)
    if colour != 0 or depth not in (8, 16) or interlaced:
        raise ValueError(f"{path.name} is not a picture in grey of 8 or 16 bits without interlacing")
    step = depth // 8
    line = 1 + step * width
    raw = zlib.decompressobj().decompress(data, line * height)
    if len(raw) != line * height:
        raise ValueError(f"{path.name} is not complete")
    rows: Any = np.frombuffer(raw, np.uint8).reshape(height, line)
    found = np.zeros((height, line - 1), np.uint8)
    above = np.zeros(line - 1, np.int64)
    for i in range(height):
        above = _unfiltered(int(rows[i, 0]), rows[i, 1:].astype(np.int64), above, step)
        found[i] = above
    values = found if step == 1 else found.reshape(height, width, 2).astype(float) @ [256.0, 1.0]
    return np.asarray(values, dtype=float)


def _unfiltered(kind: int, line: Any, above: Any, step: int) -> Any:
    """A line of bytes from the differences that the file has (section 9 there)."""
    if kind in (0, 2):
        return line if kind == 0 else (line + above) % 256
    found = np.zeros_like(line)
    for k in range(len(line)):
        a, b = (int(found[k - step]) if k >= step else 0), int(above[k])
        c = int(above[k - step]) if k >= step else 0
        p = a + b - c
        distances = (abs(p - a), abs(p - b), abs(p - c))
        nearest = (a, b, c)[distances.index(min(distances))]
        found[k] = (int(line[k]) + {1: a, 3: (a + b) // 2, 4: nearest}.get(kind, 0)) % 256
    return found
