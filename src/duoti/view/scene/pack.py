"""Numbers over time in few bytes: whole multiples of a step, differences of differences, deflate, base64.

A smooth motion has small second differences, so most of their bytes are zero and deflate removes them. What comes back
differs from what went in by half a step at most. The page undoes it (`viewer/src/pack.ts`).
"""

from __future__ import annotations

import base64
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
LARGEST = 2**30  # of the multiples, so that 32 bits hold them


def pack(values: Array, step: Array | float) -> dict[str, Any]:
    """Rows over time, columns of a block; `step` is the resolution of each column, or of all.

    A column's first value is kept apart in full, so that a large constant part costs no digits.
    """
    rows, columns = values.shape
    offset = values[0].copy() if rows else np.zeros(columns)
    steps = np.broadcast_to(np.asarray(step, dtype=float), (columns,)).copy()
    steps[steps <= 0] = 1.0
    span = np.max(np.abs(values - offset), axis=0, initial=0.0)
    steps = np.maximum(steps, span / LARGEST)
    whole = np.rint((values - offset) / steps).astype(np.int64).astype(np.int32)
    second = whole.copy()
    second[1:] -= whole[:-1]
    second[2:] -= whole[1:-1] - whole[:-2]
    zigzag = ((second << 1) ^ (second >> 31)).astype(np.uint32)  # small numbers of either sign become small
    series = np.ascontiguousarray(zigzag.T).reshape(-1)
    planes = np.concatenate([((series >> shift) & 255).astype(np.uint8) for shift in (0, 8, 16, 24)])
    return {
        "rows": rows,
        "columns": columns,
        "step": [float(s) for s in steps],
        "offset": [float(x) for x in offset],
        "data": _deflated(planes.tobytes()),
    }


def unpack(block: dict[str, Any]) -> Array:
    """What `pack` made; the page does the same."""
    rows, columns = block["rows"], block["columns"]
    planes = np.frombuffer(zlib.decompress(base64.b64decode(block["data"]), -15), np.uint8).reshape(4, -1)
    series = sum(planes[k].astype(np.uint32) << np.uint32(8 * k) for k in range(4))
    second = ((series >> 1) ^ (-(series & 1).astype(np.int32)).astype(np.uint32)).astype(np.int32)  # pyright: ignore
    second = second.reshape(columns, rows).T
    first = second.copy()
    first[1:] = np.cumsum(second[1:], axis=0, dtype=np.int32)
    whole = np.cumsum(first, axis=0, dtype=np.int32)
    return whole.astype(float) * np.array(block["step"]) + np.array(block["offset"])


def pack_exact(values: Array) -> dict[str, Any]:
    """Numbers with all their digits (the times)."""
    return {"count": len(values), "data": _deflated(np.ascontiguousarray(values, dtype="<f8").tobytes())}


def plain_numbers(values: Array) -> str:
    """Numbers with all their digits, in rows, not deflated: for what a page asks for while it is open."""
    return base64.b64encode(np.ascontiguousarray(values, dtype="<f8").tobytes()).decode("ascii")


def _deflated(data: bytes) -> str:
    squeeze = zlib.compressobj(6, zlib.DEFLATED, -15)
    return base64.b64encode(squeeze.compress(data) + squeeze.flush()).decode("ascii")


def step_of(values: Array, bits: int) -> Array:
    """A resolution for each column: its range over 2^bits."""
    return np.ptp(values, axis=0) / 2.0**bits if len(values) else np.zeros(values.shape[1])
