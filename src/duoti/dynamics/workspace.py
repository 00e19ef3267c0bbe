"""Workspaces with their entries: how kernels that are compiled apart find each other and their arguments."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from duoti.dynamics.constraint_methods import ConstraintMethod, Projection
from duoti.kernel import describe, entry_address, pack
from duoti.system.arrays import (
    ACCELERATION_ROWS,
    ALGEBRAIC,
    EVENTS,
    FORCE_TANGENTS,
    FORCES,
    GIVEN_MULTIPLIERS,
    LINEARISE,
    PROJECT,
    RATES,
    RESIDUAL,
    STATES,
    VALUES,
    WEIGHTS,
    Work,
    allocate,
    allocate_dense,
    dense_size,
)
from duoti.system.context import COMPLEX_CONTEXT, DENSE_CONTEXT, REAL_CONTEXT, TANGENT_CONTEXT
from duoti.system.path_scratch import PathScratch, allocate_path_scratch
from duoti.system.system import System
from duoti.system.tangent import Tangent, allocate_tangent

DEFAULT = Projection()
DENSE_BYTES = 1024
TANGENT_BYTES = 4096
CONTEXT_BYTES = 16_384  # descriptors of about 70 arrays need a third of this


@cache
def _address(name: str, is_complex: bool) -> int:
    """Address of an entry, compiled or loaded the first time it is needed."""
    from duoti.dynamics import (
        closure_derivatives,
        closures,
        constrained,
        events,
        force_derivatives,
        forward,
        given_multipliers,
        linearise,
        loads,
        residual,
        states,
    )
    from duoti.dynamics.constraint_methods import reduced

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
        ("states", False): states.states_entry,
        ("states", True): states.complex_states_entry,
        ("algebraic states", False): states.algebraic_entry,
        ("linearise", False): linearise.linearise_entry,
        ("force tangents", False): force_derivatives.force_tangents_entry,
        ("residual", False): residual.residual_entry,
        ("given multipliers", False): given_multipliers.given_multipliers_entry,
        ("acceleration rows", False): closure_derivatives.acceleration_rows_entry,
        ("law gradient", False): force_derivatives.law_gradient_entry,
    }
    return entry_address(entries[name, is_complex])


def new_workspace(
    system: System,
    dtype: type = float,
    fill: float = 0.0,
    rates: bool = False,
    constraints: ConstraintMethod = DEFAULT,
) -> Work:
    """Scratch for one thread. complex: for complex-step derivatives; rates: also for the solvers' entries.

    First-order states in w.y are those at the start, until a caller puts others there.
    """
    tree, loads, closures = system.tree, system.loads, system.closures
    is_complex = np.issubdtype(dtype, np.complexfloating)
    work = allocate(tree, loads, closures, dtype, fill, system.stack_depth)
    if loads.count:
        work.entries[FORCES] = _address("forces", is_complex)
    if rates:
        work.entries[RATES] = _address(constraints.rates if closures.rows else "rates", is_complex)
        work.constraint_method[:WEIGHTS] = constraints.numbers()
        if closures.rows and constraints.project:
            work.entries[PROJECT] = _address(constraints.project, is_complex)
        if len(loads.event_law):
            work.entries[EVENTS] = _address("events", is_complex)
        if np.any(loads.state_mass == 0):
            work.entries[ALGEBRAIC] = _address("algebraic states", is_complex)
    if closures.timed:
        work.entries[VALUES] = _address("values", is_complex)
    if tree.nz:
        work.entries[STATES] = _address("states", is_complex)
        work.y[tree.nq + tree.nv :][: tree.nz] = system.initial_z()
    if loads.count or rates or closures.timed or tree.nz:
        dense = rates and closures.rows > 0 and constraints.dense
        begin, size = CONTEXT_BYTES // 8, dense_size(tree, closures) if dense else 0
        block = np.zeros(begin + size + (DENSE_BYTES // 8 if dense else 0))
        work = work._replace(block=block)
        work.context[0] = block.ctypes.data
        if dense:
            second = block[begin + size :]
            work.context[1] = second.ctypes.data
            pack(second, (allocate_dense(tree, closures, block[begin : begin + size]),), DENSE_CONTEXT)
        kind = COMPLEX_CONTEXT if is_complex else REAL_CONTEXT
        pack(block, (tree, loads, closures, work), kind, _described(system))
    return work


def add_given_multipliers(work: Work) -> None:
    """The entry for accelerations with known multipliers into a workspace (real, with rates, of a closed loop)."""
    work.entries[RESIDUAL] = _address("residual", False)
    work.entries[GIVEN_MULTIPLIERS] = _address("given multipliers", False)


def workspace_memory(work: Work) -> list[Any]:
    """All arrays of a workspace that the next call may read, those of the dense methods too; no addresses."""
    fields = work._asdict().items()
    arrays = [each for name, each in fields if name not in ("entries", "context", "block")]
    if work.context[1]:
        arrays.append(work.block[CONTEXT_BYTES // 8 : -DENSE_BYTES // 8])
    return arrays


class Linearisation(NamedTuple):
    """Where the entry LINEARISE writes. It must live as long as its workspace is used with that entry."""

    tangent: Tangent
    path: PathScratch
    block: Any  # memory in which both are packed


def new_linearisation(
    system: System, work: Work, acceleration_rows: bool = False, pattern: tuple[Any, Any] | None = None
) -> Linearisation:
    """Arrays for the derivatives of the equations of motion, and their entries into a workspace (real, with rates).

    acceleration_rows: also the entry for derivatives of G a - gamma. pattern: `start` and `column` of `Tangent`, if
    only these entries of K and C will be read.
    """
    if not work.context[0]:
        raise ValueError("the workspace has no context: make it by new_workspace(system, rates=True)")
    tree, loads = system.tree, system.loads
    tangent = allocate_tangent(tree, system.closures)
    if pattern is not None:
        tangent = tangent._replace(start=pattern[0], column=pattern[1])
    made = Linearisation(
        tangent,
        allocate_path_scratch(tree, loads, system.stack_depth),
        np.zeros(TANGENT_BYTES // 8),
    )
    pack(made.block, (made.tangent, made.path), TANGENT_CONTEXT)
    work.context[2] = made.block.ctypes.data
    work.entries[LINEARISE] = _address("linearise", False)
    work.entries[RESIDUAL] = _address("residual", False)
    if loads.count or tree.nz:
        work.entries[FORCE_TANGENTS] = _address("force tangents", False)
        if len(loads.law_signals):
            made.path.gradient[0] = _address("law gradient", False)
    if acceleration_rows and system.closures.rows:
        work.entries[ACCELERATION_ROWS] = _address("acceleration rows", False)
    return made


_KNOWN: WeakKeyDictionary[System, Any] = WeakKeyDictionary()  # not inside the systems: copies have other addresses


def _described(system: System) -> Any:
    """What `describe` makes of a system; the same for all its workspaces."""
    if system not in _KNOWN:
        _KNOWN[system] = describe((system.tree, system.loads, system.closures))
    return _KNOWN[system]
