"""Lanes: `WIDTH` real numbers side by side, one of each of as many runs, on which kernels compute at once.

An array of lanes has the data type `LANES`; seen as real numbers (`reals_of`) it has one axis more, the lane. Kernels
are compiled for them as for complex numbers, from the same source (`kernel.compile.lanes`).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

WIDTH = 8
"""Two registers of AVX2, or one of AVX-512: with four, AVX-512 gained 3.8 instead of 6 for the dynamics of an arm."""

LANES = np.dtype([("lane", np.float64, (WIDTH,))])
LINE = 64  # bytes: vectors are read and written at multiples of their size


def aligned_zeros(count: int) -> Any:
    """So many zeros, at the beginning of a line of the processor's cache."""
    whole = np.zeros(count + LINE // 8)
    first = -whole.__array_interface__["data"][0] % LINE // 8
    return whole[first : first + count]


def lanes_like(reals: Any) -> Any:
    """An array of lanes, each of which has these numbers."""
    reals = np.asarray(reals, dtype=float)
    made = aligned_zeros(WIDTH * math.prod(reals.shape)).view(LANES).reshape(reals.shape)
    reals_of(made)[...] = reals[..., None]
    return made


def reals_of(lanes: Any) -> Any:
    """The numbers of an array of lanes, the lane as the last axis; the same memory."""
    return lanes["lane"]
