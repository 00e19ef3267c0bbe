"""The compiler's short ways against plain Python: elements of arrays, arithmetic, comparisons, entries of tuples."""

from __future__ import annotations

import math

import numpy as np
import pytest

from duoti.kernel import JIT, helper, kernel, part, plain
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
    from duoti.kernel.compile import compiler

    made = compiler._njit(lambda a, i, j: a[i, j] + a[i, j + 1])
    with compiler.only_lowering():
        from numba import types

        made.compile((types.Array(types.float64, 2, "C"), types.int64, types.int64))
    (found,) = made.overloads.values()
    text = str(found.library._final_module)
    assert text.count("select") == 0  # no negative indices
    assert text.count("alloca") == 0


@part
def _root(x, out):
    if x < 0.0:
        raise ValueError("negative")
    out[0] = x**0.5
    return x


@part
def _through(x, out):
    return _root(x, out) + 1.0


@kernel
def roots(x, out):
    """A part fails two calls further down; what comes after that must not happen."""
    out[1] = _through(x, out)


@needs_jit
def test_an_error_of_a_part_ends_the_kernel():
    out = np.zeros(2)
    roots(4.0, out)
    assert out.tolist() == [2.0, 5.0]
    with pytest.raises(RuntimeError, match="roots failed"):
        roots(-1.0, out)
    assert out.tolist() == [2.0, 5.0]


@kernel
def loops(n, a):
    """Variables that are set once, in loops, on branches, before and after their use in the order of the text."""
    last = -1
    for i in range(n):
        if i % 2 == 0:
            here = i * 10
            a[i] += here
        else:
            a[i] += last
        last = i
        j = 0
        while True:
            step = j + i
            j += 1
            if step > 5:
                break
        a[i] += step
    return last + a[0]


@needs_jit
def test_variables_without_memory_are_what_they_are_in_python():
    compiled, expected = np.zeros(7), np.zeros(7)
    assert loops(7, compiled) == plain(loops)(7, expected)
    np.testing.assert_array_equal(compiled, expected)


@needs_jit
def test_what_has_no_use_is_not_written_down():
    """Of tuples that are made and taken apart nothing is left, nor of calls that cannot fail a look at their status."""
    from numba import types

    from duoti.kernel.compile import compiler

    pair = compiler._njit(lambda x, y: (y, x), inlined=True)
    made = compiler._njit(lambda x, y: pair(x, y)[0] - ((x, y), x)[0][1])
    with compiler.only_lowering():
        made.compile((types.float64, types.float64))
    (found,) = made.overloads.values()
    text = str(found.library._final_module)
    assert text.count("insertvalue") == 0
    assert text.count("icmp") == 0
    assert text.count("extractvalue") == 1


@needs_jit
def test_kernels_with_common_parts_are_lowered_by_one_process():
    from duoti.dynamics.tree.forward import ydot_entry
    from duoti.integrate.explicit_loop import explicit_step
    from duoti.kernel.compile.parallel_build import Job, _shares
    from duoti.results.evaluate.observe import observing_kernel

    wanted = [ydot_entry, explicit_step, observing_kernel()[0]]
    jobs = [Job(each.__module__, each.name, "", str(i)) for i, each in enumerate(wanted)]
    ours, theirs = _shares(jobs)
    assert [job.key for job in ours] == ["0", "2"]
    assert [job.key for job in theirs] == ["1"]


@needs_jit
def test_a_lowered_kernel_is_finished_by_whoever_comes_next(tmp_path, monkeypatch):
    from duoti.kernel import signature
    from duoti.kernel.store import load_or_compile
    from duoti.kernel.store import user_store as store

    kinds, key = signature(1, np.zeros(1)), "some key"
    assert load_or_compile.compile_alone(loops, kinds, key, tmp_path, only_lower=True) is None
    assert [each.name for each in tmp_path.iterdir()] == [store.lowered_name(key)]
    monkeypatch.setattr(load_or_compile, "_lower", None)  # it is not done twice
    monkeypatch.setattr(store, "user_folder", lambda: None)
    code = load_or_compile.compile_alone(loops, kinds, key, tmp_path)
    assert code is not None
    assert code == store.verified(tmp_path / key)
    assert not (tmp_path / store.lowered_name(key)).exists()


@needs_jit
def test_the_garbage_collector_is_left_as_it_was():
    import gc

    from duoti.kernel.compile.parallel_build import no_collection

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


@needs_jit
@pytest.mark.parametrize("dtype", [float, complex])
def test_words_of_a_workspace_are_those_of_its_arrays(dtype):
    """A plan knows them from the address of the memory; the second workspace is the first that uses this."""
    import duoti as dt
    from duoti.dynamics.workspace import new_workspace
    from duoti.examples.four_bar import build
    from duoti.kernel import packing

    system = dt.compile(build())
    for _ in range(3):
        work = new_workspace(system, dtype)
        told = flatten((work,))
        packing._LAST.clear()
        assert flatten((work,)) == told
