"""Workspaces with their entries: how kernels that are compiled apart find each other and their arguments."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from duoti.dynamics.evaluation import (
    Stage,
    address,
    derivative_entries,
    install,
    install_complex,
    install_more,
    link,
    stages_of,
)
from duoti.dynamics.joint_friction.installation import add_joint_friction, has_joint_friction, joint_friction_of
from duoti.dynamics.loops.constraint_methods import ConstraintMethod, Projection
from duoti.dynamics.reaction_feedback.installation import add_reaction_feedback, has_reaction_feedback
from duoti.dynamics.tree.body_laws import BODY_LAWS, RIGID
from duoti.elements.equation_types import equation_entries
from duoti.elements.force_types import force_entries
from duoti.elements.joint_friction_memory import remembered
from duoti.kernel import address_of, describe, pack
from duoti.model.laws.law import TIME
from duoti.system.allocation import WorkPlan
from duoti.system.arrays import ENERGY_ACCUMULATORS, GROUP_WORDS, Group, Work, allocate_dense, dense_size, runs_of
from duoti.system.context import COMPLEX_CONTEXT, DENSE_CONTEXT, GROUP_CONTEXT, REAL_CONTEXT, TANGENT_CONTEXT
from duoti.system.flexible_arrays import (
    COMPLEX_FLEX_CONTEXT,
    FLEX_CONTEXT,
    FLEXIBLE_LAW,
    INTERFACE_LAW,
    Flex,
    scratch_size,
    with_scratch,
)
from duoti.system.path_scratch import PathScratch, allocate_path_scratch
from duoti.system.system import System
from duoti.system.tangent_arrays import Tangent, allocate_tangent

# Where the energy accumulators of a motion are watched by adaptive solvers, beside the motion itself.


def accumulator_weights(system: System) -> tuple[float, float]:
    """Positive if the energy accumulators say more of how long a step may be than the motion does: for most methods,
    and for all; else 0.

    A prescribed motion is exact at any step, but what it does to the energy is not; a damped contact that lets go loses
    what it still stores while nothing acts on the bodies any more. A motion under forces that are polynomials of the
    time is exact, too, up to a degree that depends on the method: up to 4 for `dt.DOPRI5`. `dt.Radau` and `dt.Rodas`
    (with exact derivatives) see all beyond degree 3, and have the energy accumulators of such a motion exactly, of
    degree 4.
    """
    unseen = any(force.loses_unseen for force in system.model.forces.values())
    always = bool(system.closures.timed) or unseen
    # atol is for coordinates and velocities; energies grow with the mass, and their tolerance with it beyond 1 kg
    flexible = sum(at.reduced.mass for at in system.flexible.values()) if system.flexible else 0.0
    weight = 1.0 / max(1.0, sum(system.tree.inertia[1:, 0].tolist(), flexible))  # as in `integrate.many_runs`
    return weight * (always or _timed_forces(system)), weight * always


def _timed_forces(system: System) -> bool:
    """Whether laws of forces read the time."""
    laws = system.loads.laws
    spans = [span for span, owner in zip(laws.law_signals, system.law_owners, strict=True) if owner.kind == "force"]
    return any(TIME in laws.signals[first:last, 0] for first, last in spans)


DEFAULT = Projection()
DENSE_BYTES = 1024
TANGENT_BYTES = 4096
CONTEXT_BYTES = 16_384  # descriptors of about 70 arrays need a third of this
FLEX_PLACE = 12_288  # from here on, those of the tables of flexible bodies


def entries_of_run(system: System, constraints: ConstraintMethod, linearised: bool) -> list[Any]:
    """All entries that a simulation calls, so that they can be compiled side by side; linearised: also derivatives."""
    types = [*_force_entries(system), *map(equation_entries, system.equation_kinds)]
    found = link(stages_of(system, constraints, derivatives=linearised)).entries()
    found += [each.law for each in types]
    found += [each.tangent for each in types] if linearised else []
    return found


def new_workspace(
    system: System,
    dtype: type = float,
    fill: float = 0.0,
    ydot: bool = False,
    constraints: ConstraintMethod = DEFAULT,
    contacts: Sequence[Stage] = (),
    memory: Any = None,
) -> Work:
    """Scratch for one thread. complex: for complex-step derivatives; rates: also for the solvers' entries.

    contacts: the stages of an event-driven engine, see `evaluation.stages_of`. memory: of the size of another
    workspace of the system, made likewise.
    First-order states in w.y are those at the start, until a caller puts others there.
    """
    tree, loads, closures = system.tree, system.loads, system.closures
    is_complex = np.issubdtype(dtype, np.complexfloating)
    if is_complex and has_reaction_feedback(system):
        raise NotImplementedError(
            f'laws of model "{system.model.name}" read reactions: no derivatives of that are known'
        )
    dense = ydot and closures.rows > 0 and constraints.dense
    own = 0 if system.flex is None else scratch_size(system.flex) * (2 if is_complex else 1)
    begin, size = CONTEXT_BYTES // 8 + own, dense_size(tree, closures) if dense else 0
    needed = bool(loads.forces.count or ydot or closures.rows or tree.nz or tree.flexible)
    contexts = (begin + size + (DENSE_BYTES // 8 if dense else 0)) * needed
    work = _plan(system, dtype, contexts).new(fill, memory)
    if ydot:
        work.method[0] = constraints.settings()
        work.error_weights[-ENERGY_ACCUMULATORS:] = accumulator_weights(system)
    if tree.nz:
        work.y[tree.nq + tree.nv :][: tree.nz] = system.initial_z()
    if tree.flexible:
        for b in np.flatnonzero(tree.body_law != RIGID):
            work.body_entry[b] = address(_body_law(int(tree.body_law[b]), is_complex))
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
        if has_joint_friction(system):
            add_joint_friction(system, work)
        if ydot and has_reaction_feedback(system):
            add_reaction_feedback(system, work)
        if is_complex:
            install_complex(system, work)
        else:
            install(system, work, constraints, ydot, contacts)
    return work


def _body_law(code: int, is_complex: bool) -> Any:
    """The entry of a body law; that of flexible bodies is not imported before there are some."""
    if code in (FLEXIBLE_LAW, INTERFACE_LAW) and code not in BODY_LAWS:
        from duoti.dynamics.flexible import floating_frame as law

        return law.complex_flexible_entry if is_complex else law.flexible_entry
    return BODY_LAWS[code]


def _add_flex(flex: Flex, work: Work, memory: Any, is_complex: bool) -> None:
    """What the law of flexible bodies reads into a workspace, with scratch in this memory."""
    own = with_scratch(flex, memory.view(complex) if is_complex else memory)
    here = work.block[FLEX_PLACE // 8 :]
    work.at[0].flexible = address_of(here)
    pack(here, (own,), COMPLEX_FLEX_CONTEXT if is_complex else FLEX_CONTEXT)


def _add_types(system: System, work: Work, is_complex: bool) -> None:
    """Entries of the force types and kind of equation of a system, with their contexts."""
    types, here = work.types, int(work.at[0].system)
    if not len(types.memory):
        return
    runs, kinds = runs_of(system.loads.forces), system.closures.kind.tolist()
    groups = [Group(here, *span) for span in (*pairwise(runs), *pairwise(kinds))]
    for memory, group in zip(types.memory, groups, strict=True):
        pack(memory, (group,), GROUP_CONTEXT)
    addresses = [address_of(memory) for memory in types.memory]
    types.force_group[:], types.equation_group[:] = addresses[: len(runs) - 1], addresses[len(runs) - 1 :]
    law = "complex_law" if is_complex else "law"
    types.force[:] = _addresses(_force_entries(system), law)
    types.row[:] = _addresses(map(equation_entries, system.equation_kinds), law)


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
    return [address(getattr(each, which)) for each in entries]


def add_time_stepping(work: Work, contacts: bool = False) -> None:
    """Friction and stops of a workspace as impulses of time stepping, if it has any, in place of states.

    contacts: forces of contact are parts of the loads.
    """
    if work.at[0].joint_friction:
        from duoti.dynamics.joint_friction import time_stepping

        jf = joint_friction_of(work)
        calls = jf.calls[0]
        if contacts and np.any(jf.loaded):
            calls.residual = address(time_stepping.pushed_residual_entry)
        calls.responses = address(time_stepping.joint_friction_responses_entry)
        calls.loads = address(time_stepping.joint_friction_loads_entry)
        jf.options[0].time_stepping = 1


def add_residual(work: Work) -> None:
    """The entry RESIDUAL into a workspace (real, with rates)."""
    from duoti.dynamics.loops.residual import residual_entry

    install_more(work, residual=residual_entry)


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
    from duoti.dynamics.loops.given_multipliers import given_multipliers_entry
    from duoti.dynamics.loops.residual import residual_entry

    install_more(work, residual=residual_entry, given_multipliers=given_multipliers_entry)


def workspace_memory(work: Work) -> list[Any]:
    """All arrays of a workspace that the next call may read, those of dense methods and joint friction laws too; no
    addresses.
    """
    fields = work._asdict().items()
    arrays = [each for name, each in fields if name not in ("types", "calls", "at", "block")]
    if work.at[0].dense:
        arrays.append(work.block[CONTEXT_BYTES // 8 : -DENSE_BYTES // 8])
    if work.at[0].joint_friction:
        arrays += remembered(joint_friction_of(work))
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
    made = new_tangent(system, work, pattern, state_band)
    install_more(work, **derivative_entries(system, acceleration_rows))
    work.types.force_tangent[:] = _addresses(_force_entries(system), "tangent")
    work.types.equation_tangent[:] = _addresses(map(equation_entries, system.equation_kinds), "tangent")
    if acceleration_rows and system.closures.rows:
        work.types.equation_acceleration[:] = _addresses(map(equation_entries, system.equation_kinds), "acceleration")
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


# Workspaces of small systems that are used again by the next run: to make one takes as long as a short run.
#
# A workspace begins every run as it was when it was made: its memory, one block, is copied back. Those of laws with
# memory elsewhere (friction and stops in joints, reactions that laws read), of other constraint methods than the
# default and of large systems, where the time to make one is nothing beside that of a run, are made anew.


MOST_BYTES = 1_000_000
MOST_KEPT = 2  # of one system: more than one is in use only in threads, or where a law runs a simulation


class Borrowed(NamedTuple):
    """A workspace, and a copy of its memory as it was when it was made; None: it is not used again."""

    work: Work
    fresh: Any


_KEPT: WeakKeyDictionary[System, list[Borrowed]] = WeakKeyDictionary()


def borrow_workspace(system: System, constraints: ConstraintMethod = DEFAULT) -> Borrowed:
    """A workspace for a run, as `new_workspace(system, rates=True)` makes it."""
    if constraints is DEFAULT and (kept := _KEPT.get(system)):
        try:
            found = kept.pop()
        except IndexError:  # another thread was quicker
            pass
        else:
            found.work.y.base[:] = found.fresh
            return found
    work: Any = new_workspace(system, ydot=True, constraints=constraints)
    memory = work.y.base
    again = (
        constraints is DEFAULT
        and memory.nbytes <= MOST_BYTES
        and not has_joint_friction(system)
        and not has_reaction_feedback(system)
    )
    return Borrowed(work, memory.copy() if again else None)


def give_back(system: System, borrowed: Borrowed) -> None:
    """Let the next run of the system use a workspace that nothing else uses any more."""
    kept = _KEPT.setdefault(system, [])
    if borrowed.fresh is not None and len(kept) < MOST_KEPT:
        kept.append(borrowed)
