"""Reverse Cuthill-McKee without SciPy: the same order as SciPy's, ties included, so that results stay as they were."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.sparse.csgraph import reverse_cuthill_mckee as scipy_order

from duoti.system.constraint_arrays import _order
from duoti.topology.ordering import reverse_cuthill_mckee


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("diagonal", [True, False])
def test_random_graphs_are_ordered_as_by_scipy(seed, diagonal):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 90))
    pattern = rng.random((n, n)) < rng.uniform(0.0, 0.2)
    pattern |= pattern.T
    np.fill_diagonal(pattern, diagonal)
    ours = reverse_cuthill_mckee([np.flatnonzero(row).tolist() for row in pattern])
    assert ours == scipy_order(csr_array(pattern), symmetric_mode=True).tolist()


@pytest.mark.parametrize("seed", range(40))
def test_links_are_ordered_as_by_scipy(seed):
    rng = np.random.default_rng(seed)
    nv, count = int(rng.integers(1, 60)), int(rng.integers(3, 40))
    support = [set(rng.integers(0, nv, size=rng.integers(0, 6)).tolist()) for _ in range(count)]
    closures = [k for k, rates in enumerate(support) for _ in rates]
    takes_part = csr_array((np.ones(len(closures)), (closures, [i for rates in support for i in rates])), (count, nv))
    theirs = scipy_order((takes_part @ takes_part.T).tocsr(), symmetric_mode=True).tolist()
    assert _order(support, nv) == theirs


def test_a_shuffled_chain_becomes_a_narrow_band():
    n = 50
    names = np.random.default_rng(1).permutation(n)
    neighbours = [[] for _ in range(n)]
    for a, b in pairwise(names):
        neighbours[a].append(int(b))
        neighbours[b].append(int(a))
    place = np.empty(n, dtype=int)
    place[reverse_cuthill_mckee(neighbours)] = np.arange(n)
    assert max(abs(place[i] - place[j]) for i in range(n) for j in neighbours[i]) == 1


def test_nothing_to_order():
    assert reverse_cuthill_mckee([]) == []
