"""Workspaces with their entries: how kernels that are compiled apart find each other and their arguments."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib import import_module
from itertools import pairwise
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from duoti.dynamics.bodies import BODY_LAWS, RIGID
from duoti.dynamics.constraint_methods import ConstraintMethod, Projection
from duoti.dynamics.dry.installation import add_dry, dry_of, is_dry, wrap_dry
from duoti.dynamics.measured.installation import add_measured, is_measured, unwrap_measured, wrap_measured
from duoti.dynamics.plane_bodies import only_in_planes
from duoti.dynamics.points import only_points
from duoti.dynamics.still import only_graph_states, stands_still
from duoti.dynamics.works import works_count
from duoti.elements.dry_memory import remembered
from duoti.elements.force_types import force_entries
from duoti.elements.row_types import row_entries
from duoti.kernel import address_of, describe, entry_address, pack
from duoti.system.allocation import WorkPlan
from duoti.system.arrays import GROUP_WORDS, WORKS, Group, Work, allocate_dense, by_mass_matrix, dense_size, runs_of
from duoti.system.context import COMPLEX_CONTEXT, DENSE_CONTEXT, GROUP_CONTEXT, REAL_CONTEXT, TANGENT_CONTEXT
from duoti.system.flex import (
    COMPLEX_FLEX_CONTEXT,
    FLEX_CONTEXT,
    FLEXIBLE_LAW,
    INTERFACE_LAW,
    Flex,
    elimination_pays,
    scratch_size,
    with_scratch,
)
from duoti.system.path_scratch import PathScratch, allocate_path_scratch
from duoti.system.system import System
from duoti.system.tangent import Tangent, allocate_tangent

DEFAULT = Projection()
DENSE_BYTES = 1024
TANGENT_BYTES = 4096
CONTEXT_BYTES = 16_384  # descriptors of about 70 arrays need a third of this
FLEX_PLACE = 12_288  # from here on, those of the tables of flexible bodies


ENTRIES: dict[tuple[str, bool], tuple[str, str]] = {
    ("rates", False): ("duoti.dynamics.forward", "rates_entry"),
    ("rates of points", False): ("duoti.dynamics.points", "point_rates_entry"),
    ("rates in planes", False): ("duoti.dynamics.plane_bodies", "plane_rates_entry"),
    ("rates at rest", False): ("duoti.dynamics.still", "still_rates_entry"),
    ("flexible rates", False): ("duoti.dynamics.flexible.aba", "flexible_rates_entry"),
    ("constrained rates", False): ("duoti.dynamics.closing", "constrained_rates_entry"),
    ("project", False): ("duoti.dynamics.closing", "project_entry"),
    ("reduced rates", False): ("duoti.dynamics.constraint_methods.reduced", "reduced_rates_entry"),
    ("reduced project", False): ("duoti.dynamics.constraint_methods.reduced", "reduced_project_entry"),
    ("values", False): ("duoti.dynamics.closures", "values_entry"),
    ("events", False): ("duoti.dynamics.events", "events_entry"),
    ("states", False): ("duoti.dynamics.states", "states_entry"),
    ("states", True): ("duoti.dynamics.states", "complex_states_entry"),
    ("no states", False): ("duoti.dynamics.still", "no_states_entry"),
    ("no states", True): ("duoti.dynamics.still", "complex_no_states_entry"),
    ("algebraic states", False): ("duoti.dynamics.states", "algebraic_entry"),
    ("given multipliers", False): ("duoti.dynamics.given_multipliers", "given_multipliers_entry"),
    ("linearise", False): ("duoti.dynamics.linearise", "linearise_entry"),
    ("state tangents", False): ("duoti.dynamics.force_derivatives", "state_tangents_entry"),
    ("residual", False): ("duoti.dynamics.residual", "residual_entry"),
    ("dry rates", False): ("duoti.dynamics.dry.rates", "dry_rates_entry"),
    ("dry residual", False): ("duoti.dynamics.dry.residual", "dry_residual_entry"),
    ("dry linearise", False): ("duoti.dynamics.dry.residual", "dry_linearise_entry"),
    ("dry given multipliers", False): ("duoti.dynamics.dry.residual", "dry_given_multipliers_entry"),
    ("dry responses", False): ("duoti.dynamics.dry.time_stepping", "dry_responses_entry"),
    ("dry impulses", False): ("duoti.dynamics.dry.time_stepping", "dry_impulses_entry"),
    ("pushed residual", False): ("duoti.dynamics.dry.time_stepping", "pushed_residual_entry"),
    ("dry project", False): ("duoti.dynamics.dry.holding", "dry_project_entry"),
    ("dry events", False): ("duoti.dynamics.dry.events", "dry_events_entry"),
    ("measured rates", False): ("duoti.dynamics.measured.rates", "measured_rates_entry"),
    ("measured residual", False): ("duoti.dynamics.measured.rates", "measured_residual_entry"),
    ("measured values", False): ("duoti.dynamics.measured.rates", "measured_values_entry"),
    ("measured events", False): ("duoti.dynamics.measured.rates", "measured_events_entry"),
    ("measured algebraic", False): ("duoti.dynamics.measured.rates", "measured_algebraic_entry"),
    ("acceleration rows", False): ("duoti.dynamics.closure_derivatives", "acceleration_rows_entry"),
}
"""Modules and names of the entries, by what they do and whether it is done in complex numbers."""


@cache
def _address(name: str, is_complex: bool) -> int:
    """Address of an entry, compiled or loaded the first time it is needed."""
    return entry_address(entry_by_name(name, is_complex))


@cache
def entry_by_name(name: str, is_complex: bool = False) -> Any:
    """An entry of `ENTRIES`."""
    module, entry = ENTRIES[name, is_complex]
    return getattr(import_module(module), entry)


def _entries_of(system: System, rates: bool, constraints: ConstraintMethod) -> dict[str, str]:
    """What a workspace of a system needs: names of entries by the fields of Work.calls."""
    tree, loads, closures = system.tree, system.loads, system.closures
    names: dict[str, str] = {}
    if rates:
        by_tree = "rates at rest" if stands_still(tree) else "rates of points" if only_points(tree) else "rates"
        by_tree = "rates in planes" if only_in_planes(tree) else by_tree
        if by_mass_matrix(tree):
            by_tree = "flexible rates" if elimination_pays(tree, system.flex) else "constrained rates"
        names["rates"] = constraints.rates if closures.rows else by_tree
        if closures.rows and constraints.project:
            names["project"] = constraints.project
        if len(loads.laws.event_law):
            names["events"] = "events"
        if tree.nz and not loads.laws.state_mass.all():
            names["algebraic"] = "measured algebraic" if is_measured(system) else "algebraic states"
    if closures.timed:
        names["values"] = "values"
    if tree.nz:
        names["states"] = "no states" if only_graph_states(loads) else "states"
    return names


def entries_of_run(system: System, constraints: ConstraintMethod, linearised: bool) -> list[Any]:
    """All entries that a simulation calls, so that they can be compiled side by side; linearised: also derivatives."""
    types = [*_force_entries(system), *map(row_entries, system.row_kinds)]
    found = [entry_by_name(name) for name in _entries_of(system, True, constraints).values()]
    found += [each.law for each in types]
    if is_dry(system):
        found += [entry_by_name(name) for name in ("dry rates", "dry events", "residual")]
        found += [entry_by_name("dry project")] if system.closures.rows else []
        found += [entry_by_name(name) for name in ("dry residual", "dry linearise") if linearised]
    if is_measured(system):
        found += [entry_by_name(name) for name in ("measured rates", "residual")]
        found += [entry_by_name("measured events")] if len(system.loads.laws.event_law) else []
        found += [entry_by_name("measured residual")] if linearised else []
    if linearised:
        found += [entry_by_name("linearise"), entry_by_name("residual"), *(each.tangent for each in types)]
        found += [entry_by_name("state tangents")] if system.tree.nz else []
    return found


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
    if is_complex and is_measured(system):
        raise NotImplementedError(
            f'laws of model "{system.model.name}" read reactions: no derivatives of that are known'
        )
    dense = rates and closures.rows > 0 and constraints.dense
    own = 0 if system.flex is None else scratch_size(system.flex) * (2 if is_complex else 1)
    begin, size = CONTEXT_BYTES // 8 + own, dense_size(tree, closures) if dense else 0
    needed = bool(loads.forces.count or rates or closures.rows or tree.nz or tree.flexible)
    memory = (begin + size + (DENSE_BYTES // 8 if dense else 0)) * needed
    work = _plan(system, dtype, memory).new(fill)
    for place, name in _entries_of(system, rates, constraints).items():
        setattr(work.calls[0], place, _address(name, is_complex))
    if rates:
        work.method[0] = constraints.settings()
        work.error_weights[-WORKS:] = works_count(system)
    if tree.nz:
        work.y[tree.nq + tree.nv :][: tree.nz] = system.initial_z()
    if tree.flexible:
        for b in np.flatnonzero(tree.body_law != RIGID):
            work.body_entry[b] = entry_address(_body_law(int(tree.body_law[b]), is_complex))
    if needed:
        block = work.block
        work.at[0].system = address_of(block)
        if dense:
            second = block[begin + size :]
            work.at[0].dense = address_of(second)
            pack(second, (allocate_dense(tree, closures, block[begin : begin + size]),), DENSE_CONTEXT)
        kind = COMPLEX_CONTEXT if is_complex else REAL_CONTEXT
        if system.flex is not None:
            _add_flex(system.flex, work, block[CONTEXT_BYTES // 8 : begin], is_complex)
        pack(block, (tree, loads, closures, work), kind, _described(system))
        _add_types(system, work, is_complex)
        if is_dry(system):
            add_dry(system, work, _address("residual", False))
        if rates and is_measured(system):
            add_measured(system, work, _address("residual", False))
        _wrap(work)
    return work


def _wrap(work: Work) -> None:
    """Entries of dry laws and of measured reactions around those without them, if the workspace has any."""
    unwrap_measured(work)
    wrap_dry(work, _address)
    wrap_measured(work, _address)


def _body_law(code: int, is_complex: bool) -> Any:
    """The entry of a body law; that of flexible bodies is not imported before there are some."""
    if code in (FLEXIBLE_LAW, INTERFACE_LAW) and code not in BODY_LAWS:
        from duoti.dynamics.flexible import law

        return law.complex_flexible_entry if is_complex else law.flexible_entry
    return BODY_LAWS[code]


def _add_flex(flex: Flex, work: Work, memory: Any, is_complex: bool) -> None:
    """What the law of flexible bodies reads into a workspace, with scratch in this memory."""
    own = with_scratch(flex, memory.view(complex) if is_complex else memory)
    here = work.block[FLEX_PLACE // 8 :]
    work.at[0].flexible = address_of(here)
    pack(here, (own,), COMPLEX_FLEX_CONTEXT if is_complex else FLEX_CONTEXT)


def _add_types(system: System, work: Work, is_complex: bool) -> None:
    """Entries of the force types and row kinds of a system, with their contexts."""
    types, here = work.types, int(work.at[0].system)
    if not len(types.memory):
        return
    runs, kinds = runs_of(system.loads.forces), system.closures.kind.tolist()
    groups = [Group(here, *span) for span in (*pairwise(runs), *pairwise(kinds))]
    for memory, group in zip(types.memory, groups, strict=True):
        pack(memory, (group,), GROUP_CONTEXT)
    addresses = [address_of(memory) for memory in types.memory]
    types.force_group[:], types.row_group[:] = addresses[: len(runs) - 1], addresses[len(runs) - 1 :]
    law = "complex_law" if is_complex else "law"
    types.force[:] = _addresses(_force_entries(system), law)
    types.row[:] = _addresses(map(row_entries, system.row_kinds), law)


_FORCE_ENTRIES: WeakKeyDictionary[System, list[Any]] = WeakKeyDictionary()


def _force_entries(system: System) -> list[Any]:
    """Entries of each group of force elements."""
    if system not in _FORCE_ENTRIES:
        forces = system.loads.forces
        types = [system.force_types[kind] for kind in forces.kind[runs_of(forces)[:-1]].tolist()]
        _FORCE_ENTRIES[system] = [force_entries(each) for each in types]
    return _FORCE_ENTRIES[system]


def _addresses(entries: Iterable[Any], which: str) -> list[int]:
    """Addresses of entries of types, compiled or loaded the first time they are needed."""
    return [_type_address(getattr(each, which)) for each in entries]


_type_address = cache(entry_address)


def add_time_stepping(work: Work, contacts: bool = False) -> None:
    """Friction and stops of a workspace as impulses of time stepping, if it has any, in place of modes.

    contacts: forces of contact are parts of the loads.
    """
    if work.at[0].joint_friction:
        dry = dry_of(work)
        calls = dry.calls[0]
        if contacts and np.any(dry.loaded):
            calls.residual = _address("pushed residual", False)
        calls.responses, calls.impulses = _address("dry responses", False), _address("dry impulses", False)
        dry.options[0].time_stepping = 1


def add_residual(work: Work) -> None:
    """The entry RESIDUAL into a workspace (real, with rates)."""
    work.calls[0].residual = _address("residual", False)
    _wrap(work)


def element_entries(system: System, work: Work) -> tuple[Any, Any, Any]:
    """Addresses of the law of each force element and of a context in which it is alone, and the memory of these."""
    count, here = system.loads.forces.count, int(work.at[0].system)
    memory = np.zeros((count, GROUP_WORDS))
    for f in range(count):
        pack(memory[f], (Group(here, f, f + 1),), GROUP_CONTEXT)
    types = [force_entries(system.force_types[kind]) for kind in system.loads.forces.kind[:count]]
    contexts = [address_of(each) for each in memory]
    return np.array(_addresses(types, "law"), dtype=np.int64), np.array(contexts, dtype=np.int64), memory


def add_given_multipliers(work: Work) -> None:
    """The entry for accelerations with known multipliers into a workspace (real, with rates, of a closed loop)."""
    work.calls[0].residual = _address("residual", False)
    work.calls[0].given_multipliers = _address("given multipliers", False)
    _wrap(work)


def workspace_memory(work: Work) -> list[Any]:
    """All arrays of a workspace that the next call may read, those of dense methods and dry laws too; no addresses."""
    fields = work._asdict().items()
    arrays = [each for name, each in fields if name not in ("types", "calls", "at", "block")]
    if work.at[0].dense:
        arrays.append(work.block[CONTEXT_BYTES // 8 : -DENSE_BYTES // 8])
    if work.at[0].joint_friction:
        arrays += remembered(dry_of(work))
    return arrays


class Linearisation(NamedTuple):
    """Where the entry LINEARISE writes. It must live as long as its workspace is used with that entry."""

    tangent: Tangent
    path: PathScratch
    block: Any  # memory in which both are packed


def new_tangent(
    system: System, work: Work, pattern: tuple[Any, Any] | None = None, state_band: int = 0
) -> Linearisation:
    """Scratch of derivatives for kernels that get it as an argument; the law of flexible bodies finds it by `work`."""
    made = Linearisation(
        allocate_tangent(system.tree, system.closures, pattern=pattern, state_band=state_band),
        allocate_path_scratch(system.tree, system.loads, system.stack_depth),
        np.zeros(TANGENT_BYTES // 8),
    )
    if work.at[0].system:
        pack(made.block, (made.tangent, made.path), TANGENT_CONTEXT)
        work.at[0].tangent = address_of(made.block)
    return made


def new_linearisation(
    system: System, work: Work, acceleration_rows: bool = False, pattern: tuple[Any, Any] | None = None,
    state_band: int = 0,
) -> Linearisation:  # fmt: skip
    """Arrays for the derivatives of the equations of motion, and their entries into a workspace (real, with rates).

    acceleration_rows: also the entry for derivatives of G a - gamma. pattern: `start` and `column` of `Tangent`, if
    kernels read only these entries of K, C and M, and Python none. state_band: see `allocate_tangent`.
    """
    if system.tree.flexible and system.flex is None:
        raise NotImplementedError("derivatives of a body law of one's own are not known")
    if not work.at[0].system:
        raise ValueError("the workspace has no context: make it by new_workspace(system, rates=True)")
    tree = system.tree
    made = new_tangent(system, work, pattern, state_band)
    work.calls[0].linearise = _address("linearise", False)
    work.calls[0].residual = _address("residual", False)
    work.types.force_tangent[:] = _addresses(_force_entries(system), "tangent")
    if tree.nz:
        work.calls[0].state_tangents = _address("state tangents", False)
    work.types.row_tangent[:] = _addresses(map(row_entries, system.row_kinds), "tangent")
    if acceleration_rows and system.closures.rows:
        work.calls[0].acceleration_rows = _address("acceleration rows", False)
        work.types.row_acceleration[:] = _addresses(map(row_entries, system.row_kinds), "acceleration")
    _wrap(work)
    return made


_KNOWN: WeakKeyDictionary[System, Any] = WeakKeyDictionary()  # not inside the systems: copies have other addresses


_PLANS: WeakKeyDictionary[System, dict[tuple[type, int], WorkPlan]] = WeakKeyDictionary()


def _plan(system: System, dtype: type, memory: int) -> WorkPlan:
    """How workspaces of a system are laid out, with so many numbers for contexts."""
    known = _PLANS.setdefault(system, {})
    if (dtype, memory) not in known:
        known[dtype, memory] = WorkPlan(system.tree, system.loads, system.closures, dtype, system.stack_depth, memory)
    return known[dtype, memory]


def _described(system: System) -> Any:
    """What `describe` makes of a system; the same for all its workspaces."""
    if system not in _KNOWN:
        _KNOWN[system] = describe((system.tree, system.loads, system.closures))
    return _KNOWN[system]
