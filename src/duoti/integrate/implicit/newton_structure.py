"""Which unknowns of a Newton step are coupled, and an order of them that keeps the band of its matrix narrow."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from duoti.dynamics.tree.short_cuts import only_graph_states
from duoti.system.jacobian_pattern import Pattern, coupled
from duoti.system.system import System
from duoti.topology.ordering import reverse_cuthill_mckee

NEAR_BEST = 2  # entries by which a band may be wider than the narrowest without a search for a better order
ORDERING_UNKNOWNS = 12  # unknowns: below, ordering brings nothing


class Structure(NamedTuple):
    """What of `Newton` depends on the system alone."""

    permutation: Any
    below: int
    above: int
    start: Any
    column: Any
    mirror: Any
    state_band: int
    """How far states are apart, in their order, that depend on each other; 0 if kernels may read any of them."""


_KNOWN: WeakKeyDictionary[System, dict[bool | str, Structure]] = WeakKeyDictionary()


def structure_of(system: System, stabilised: bool) -> Structure:
    """Couplings and order of the unknowns, which keeps the band narrow (reverse Cuthill-McKee); found once."""
    known = _KNOWN.setdefault(system, {})
    if stabilised not in known:
        known[stabilised] = _structure(system, coupled(system), system.closures.rows, stabilised)
    return known[stabilised]


def motion_structure(system: System, cliques: Iterable[Iterable[int]] = ()) -> Structure:
    """The same of motion and states alone; cliques: rates that are coupled beside what the system tells. Found once."""
    known = _KNOWN.setdefault(system, {})
    if "motion" not in known:
        pattern = coupled(system)
        for members in cliques:
            pattern.add_clique(members)
        known["motion"] = _structure(system, pattern, 0, stabilised=False)
    return known["motion"]


def _structure(system: System, pattern: Pattern, rows: int, stabilised: bool) -> Structure:
    nv = system.nv
    start, column = pattern.lists()
    row = np.repeat(np.arange(len(start) - 1), np.diff(start))
    of_rates, of_states = (row < nv) & (column < nv), (row >= nv) & (column >= nv)
    apart = np.abs(row - column)[of_states]
    state_band = int(apart.max()) if len(apart) and only_graph_states(system.loads) else 0
    whole = start, column
    if rows:
        whole = _whole_pattern(system, row, start, column, rows, stabilised).lists()
    permutation, below, above = _band(*whole)
    row, column = row[of_rates], column[of_rates]
    start = np.searchsorted(row, np.arange(nv + 1))
    mirror = np.lexsort((row, column))
    return Structure(permutation, below, above, start, column, mirror, state_band)


def _whole_pattern(system: System, row: Any, start: Any, column: Any, rows: int, stabilised: bool) -> Pattern:
    """Pattern of the matrix (1) of `newton` with so many rows, from the couplings of rates and states."""
    closures, nv = system.closures, system.nv
    last = nv + (2 if stabilised else 1) * rows  # states come last
    place = np.arange(nv + system.nz) + np.where(np.arange(nv + system.nz) < nv, 0, last - nv)
    whole = Pattern(last + system.nz)
    whole.add_each(place[row], place[column])
    for r in range(rows):
        support = closures.support_dofs[closures.support[r] : closures.support[r + 1]]
        whole.add(nv + r, support)
        if stabilised and len(support):
            reached = np.concatenate([column[start[i] : start[i + 1]] for i in support])
            met = [closures.column_rows[closures.column[i] : closures.column[i + 1]] for i in support]
            others = nv + rows + np.unique(np.concatenate(met))
            whole.add(nv + rows + r, place[np.unique(reached)])
            whole.add((nv + r, nv + rows + r), others)
    return whole


def _band(start: Any, column: Any) -> tuple[Any, int, int]:
    """Places of the unknowns and the band's widths; the natural order, dense, if ordering does not help.

    start, column: lists of unknowns that each is coupled with, see `Pattern.lists`.
    """
    n = len(start) - 1
    natural = np.arange(n, dtype=np.int64)
    if n < ORDERING_UNKNOWNS:
        return natural, n - 1, n - 1
    row = np.repeat(natural, np.diff(start))
    width, fewest = int(np.max(np.abs(row - column))), int(np.max(np.diff(start))) // 2
    if width <= fewest + NEAR_BEST and is_banded(n, width):  # no order has a band below half the longest list
        return natural, width, width
    ends, columns = start.tolist(), column.tolist()
    order = reverse_cuthill_mckee([columns[begin:end] for begin, end in pairwise(ends)])
    permutation = np.empty(n, dtype=np.int64)
    permutation[order] = natural
    width = int(np.max(np.abs(permutation[row] - permutation[column])))
    if not is_banded(n, width):
        return natural, n - 1, n - 1
    return permutation, width, width


def is_banded(n: int, width: int) -> bool:
    """Whether n unknowns that are coupled over `width` places are solved faster in a band (docs/history/tried.md)."""
    return 2 * width <= n
