"""Workspaces with their entries: how kernels that are compiled apart find each other and their arguments."""

from __future__ import annotations

from functools import cache
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from duoti.dynamics.treatments import Projection, Treatment
from duoti.kernel import describe, entry_address, pack
from duoti.system.arrays import (
    EVENTS,
    FORCES,
    PROJECT,
    RATES,
    VALUES,
    WEIGHTS,
    Work,
    allocate,
    allocate_dense,
    dense_size,
)
from duoti.system.system import System

DEFAULT = Projection()
DENSE_BYTES = 1024
CONTEXT_BYTES = 16_384  # descriptors of about 70 arrays need a third of this


@cache
def _address(name: str, is_complex: bool) -> int:
    """Address of an entry, compiled or loaded the first time it is needed."""
    from duoti.dynamics import closures, constrained, events, forward, loads
    from duoti.dynamics.treatments import reduced

    entries: dict[tuple[str, bool], Any] = {
        ("forces", False): loads.forces_entry,
        ("forces", True): loads.complex_forces_entry,
        ("rates", False): forward.rates_entry,
        ("constrained rates", False): constrained.constrained_rates_entry,
        ("project", False): constrained.project_entry,
        ("reduced rates", False): reduced.reduced_rates_entry,
        ("reduced project", False): reduced.reduced_project_entry,
        ("values", False): closures.values_entry,
        ("events", False): events.events_entry,
    }
    return entry_address(entries[name, is_complex])


def new_workspace(
    system: System,
    dtype: type = float,
    fill: float = 0.0,
    rates: bool = False,
    constraints: Treatment = DEFAULT,
) -> Work:
    """Scratch for one thread. complex: for complex-step derivatives; rates: also for the solvers' entries."""
    tree, loads, links = system.tree, system.loads, system.links
    is_complex = np.issubdtype(dtype, np.complexfloating)
    work = allocate(tree, loads, links, dtype, fill, system.stack_depth)
    if loads.count:
        work.entries[FORCES] = _address("forces", is_complex)
    if rates:
        work.entries[RATES] = _address(constraints.rates if links.rows else "rates", is_complex)
        work.treatment[:WEIGHTS] = constraints.numbers()
        if links.rows and constraints.project:
            work.entries[PROJECT] = _address(constraints.project, is_complex)
        if len(loads.event_law):
            work.entries[EVENTS] = _address("events", is_complex)
    if links.timed:
        work.entries[VALUES] = _address("values", is_complex)
    if loads.count or rates or links.timed:
        dense = rates and links.rows > 0 and constraints.dense
        begin, size = CONTEXT_BYTES // 8, dense_size(tree, links) if dense else 0
        block = np.zeros(begin + size + (DENSE_BYTES // 8 if dense else 0))
        work = work._replace(block=block)
        work.context[0] = block.ctypes.data
        if dense:
            second = block[begin + size :]
            work.context[1] = second.ctypes.data
            pack(second, (allocate_dense(tree, links, block[begin : begin + size]),))
        pack(block, (tree, loads, links, work), _described(system))
    return work


_KNOWN: WeakKeyDictionary[System, Any] = WeakKeyDictionary()  # not inside the systems: copies have other addresses


def _described(system: System) -> Any:
    """What `describe` makes of a system; the same for all its workspaces."""
    if system not in _KNOWN:
        _KNOWN[system] = describe((system.tree, system.loads, system.links))
    return _KNOWN[system]
