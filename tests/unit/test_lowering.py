"""The compiler's short ways against plain Python: elements of arrays, arithmetic, comparisons, entries of tuples."""

from __future__ import annotations

import math

import numpy as np
import pytest

from duoti.kernel import JIT, helper, kernel, plain
from duoti.kernel.packing import flatten

needs_jit = pytest.mark.skipif(not JIT, reason="about compiled kernels")


@helper
def _twice(pair):
    return pair[1] + pair[1], pair[0] + pair[0]


@kernel
def everything(a, c, k, n, out):
    """Elements from the front and, by constants, from behind; numbers of all kinds; slices; what NaN compares to."""
    out[0] = a[1, 2] * a[-1, 0] - a[0, -1] / 3.0
    out[1] = (c[2] * c[-1]).imag
    out[2] = k[n - 1] * 2 - k[0] + n
    row = a[1]
    out[3] = row[n] + a[1:, 1][0] + a.shape[1]
    swapped = _twice((a[0, 0], a[0, 1]))
    out[4] = swapped[0] - swapped[1]
    nan = a[2, 2]
    out[5] = 1.0 * (nan != nan) + 2.0 * (nan == nan) + 4.0 * (nan < 1.0) + 8.0 * (nan >= 1.0)
    count = 0
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            if a[i, j] > 0.5 and i <= j and n != j:
                count += i - j * 2
    out[6] = count
    out[-1] = n / 2 + n // 2 + n % 2
    c[0], k[1] = out[4], 7
    a[0, 0] += n


@needs_jit
def test_the_short_ways_give_what_python_gives():
    def arguments():
        a = np.random.default_rng(3).uniform(-1.0, 2.0, (3, 4))
        a[2, 2] = math.nan
        c = np.array([1 + 2j, 0.5 - 1j, 3.0 + 0.25j])
        return a, c, np.array([5, 6, 9], np.int64), 3, np.zeros(8)

    compiled, expected = arguments(), arguments()
    everything(*compiled)
    plain(everything)(*expected)
    np.testing.assert_allclose(compiled[-1], expected[-1], rtol=1e-15)
    np.testing.assert_array_equal(compiled[1], expected[1])
    np.testing.assert_array_equal(compiled[2], expected[2])
    assert compiled[0][0, 0] == expected[0][0, 0]


@needs_jit
def test_elements_are_an_address_and_a_load():
    """Numba's own lowering takes fifty instructions for each, which all have to be written, read and optimised."""
    from duoti.kernel import compiler

    made = compiler._njit(lambda a, i, j: a[i, j] + a[i, j + 1])
    with compiler.only_lowering(True):
        from numba import types

        made.compile((types.Array(types.float64, 2, "C"), types.int64, types.int64))
    (found,) = made.overloads.values()
    text = str(found.library._final_module)
    assert text.count("select") == 0  # no negative indices
    assert text.count("alloca") == 0


@needs_jit
def test_the_garbage_collector_is_left_as_it_was():
    import gc

    from duoti.kernel.side_by_side import no_collection

    assert gc.isenabled()
    with no_collection(), no_collection():
        assert not gc.isenabled()
    assert gc.isenabled()


@needs_jit
def test_words_of_named_tuples_are_those_of_the_tuple_that_is_given():
    from typing import NamedTuple

    class Pair(NamedTuple):
        x: np.ndarray
        y: np.ndarray

    first, second = (Pair(np.zeros(2), np.zeros(3)) for _ in range(2))
    seen = [flatten((each, 1.0)) for each in (first, second, first)]
    assert seen[0] == seen[2]
    assert seen[0][0] != seen[1][0]
    assert seen[1][0][0] == second.x.ctypes.data
