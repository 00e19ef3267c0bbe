"""Directional derivatives of an exported model: a second block of memory, in which all numbers are complex.

The equations of motion r(q, v, z, a, lambda, p) = 0 with an imaginary part in states, inputs and parameters have the
derivatives in this direction as imaginary parts (`dynamics.derivatives.by_parameters`), and so have outputs;
`derivatives.h` solves for those of the accelerations.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from duoti.analyses.export.memory import MemoryImage, UnknownAddressError, gather
from duoti.analyses.states.linearised_equations import Equations
from duoti.dynamics.derivatives.by_parameters import BYTES, STEP, PerturbedEquations, perturbed_events_entry
from duoti.kernel import address_of, entry_address, pack
from duoti.kernel.store import load_or_compile
from duoti.system.arrays import Reals
from duoti.system.flexible_arrays import (
    COMPLEX_FLEX_CONTEXT,
    FLEXIBLE_LAW,
    INTERFACE_LAW,
    scratch_size,
    with_scratch,
)
from duoti.system.number_pool import Path
from duoti.system.setter import ARRAYS, Slots
from duoti.system.system import System

SAME = 1e-8  # part by which two ways to evaluate the same equations may differ: round-off in long loops
PATHS: dict[str, Path] = {
    "gravity": ("tree", "gravity"), "inertia": ("tree", "inertia"),
    "reals": ("loads", "forces", "reals"), "constants": ("loads", "laws", "constants"),
}  # fmt: skip
"""Where the arrays of `system.setter.ARRAYS` stand, but those of the initial state."""
FIRST_IN_STATE = {"q0": lambda s: 0, "v0": lambda s: s.nq, "z0": lambda s: s.nq + s.nv}


@dataclass
class Derivatives:
    """The block of complex numbers, and what stands where."""

    block: MemoryImage
    equations: int
    """Address of the entry for the equations of motion ..."""
    events: int
    """... and of that for outputs."""
    slots: list[int]
    """For each slot of inputs and parameters its place [words], or -1 - k: number k of the state."""
    jacobian: list[tuple[int, int]]
    """Row and column of each number of w.G."""
    places: dict[str, int]


def make_derivatives(system: System, slots: Slots) -> tuple[Derivatives | None, str]:
    """The derivatives of a system, or None and the reason."""
    foreign = [
        cls.__name__ for cls in (*system.force_types, *system.equation_kinds) if not cls.__module__.startswith("duoti.")
    ]
    try:
        perturbed = PerturbedEquations(system)
    except Exception:  # whatever the compiler says of a law that is for real numbers only
        if not foreign:
            raise
        return None, f"a law of {', '.join(foreign)} does not compile for complex numbers"
    more = _add_flexible(system, perturbed)
    if not _agree(system, perturbed):
        return None, "elements that are not differentiated in all their numbers"
    perturbed.step({})
    w, events = perturbed.work, entry_address(perturbed_events_entry)
    things = (perturbed.tree, perturbed.loads, perturbed.closures, w, perturbed.block, perturbed.pool, *more)
    try:
        block = gather(things, load_or_compile.linked_addresses())
    except UnknownAddressError as error:
        return None, f"memory that is not exported ({error})"
    places = {"T_CONTEXT": block.place(int(w.at[0].system)), "T_CLOCK": block.place_of(w.clock)}
    for name in ("y", "ydot", "event", "multipliers", "G", "gamma", "a_free"):
        places[f"T_{name.upper()}"] = block.place_of(getattr(w, name))
    found = list[int]()
    for code, place in zip(slots.array.tolist(), slots.place.tolist(), strict=True):
        name = ARRAYS[code]
        if name in PATHS:
            found.append(block.place_of(perturbed.numbers[PATHS[name]]) + 2 * place)
        else:
            found.append(-1 - FIRST_IN_STATE[name](system) - place)
    closures = system.closures
    rows = np.repeat(np.arange(closures.rows), np.diff(closures.support))
    jacobian = [*zip(rows.tolist(), closures.support_dofs.tolist(), strict=True)]
    return Derivatives(block, perturbed.address, events, found, jacobian, places), ""


def _add_flexible(system: System, perturbed: PerturbedEquations) -> tuple[Any, ...]:
    """Install the law of flexible bodies; returns the memory that it needs."""
    if system.flex is None:
        return ()
    from duoti.dynamics.flexible.floating_frame import perturbed_flexible_entry

    law, w = entry_address(perturbed_flexible_entry), perturbed.work
    w.body_entry[np.isin(system.tree.body_law, (FLEXIBLE_LAW, INTERFACE_LAW))] = law
    flex, context = with_scratch(system.flex, np.zeros(scratch_size(system.flex), complex)), np.zeros(BYTES // 8)
    w.at[0].flexible = address_of(context)
    pack(context, (flex,), COMPLEX_FLEX_CONTEXT)
    return flex, context


def _agree(system: System, perturbed: PerturbedEquations) -> bool:
    """Whether the complex equations are those of the model, with the derivatives that its tangents have."""
    rng = np.random.default_rng(1)
    equations, nq, nv, nz = Equations.of(system), system.nq, system.nv, system.nz
    q, v = system.initial_state()
    z = np.asarray(system.initial_z()) + 1e-3
    q[system.tree.plain_q] += 1e-3 * rng.standard_normal(len(system.tree.plain_q))
    v, a = v + 1e-2 * rng.standard_normal(nv), rng.standard_normal(nv)
    multipliers = rng.standard_normal(system.closures.rows)
    equations.put(q, v, z, 0.0)
    r, zdot = equations.residual(a, multipliers)
    here = equations.linearise(a, multipliers)
    perturbed.put(q, v, z, 0.0, a, multipliers)
    mine = perturbed.values()
    dq, dv, dz = np.zeros(nq), rng.standard_normal(nv), rng.standard_normal(nz)
    turn = np.zeros(nv)
    turn[system.tree.plain_v] = rng.standard_normal(len(system.tree.plain_v))
    dq[system.tree.plain_q] = turn[system.tree.plain_v]
    perturbed.work.y[: nq + nv + nz] += 1j * STEP * np.concatenate((dq, dv, dz))
    slopes = perturbed.slopes({})
    wanted: list[Reals] = [r, zdot, here.K @ turn + here.C @ dv + here.Z @ dz]
    wanted.append(here.Fq @ turn + here.Fv @ dv + here.Fz @ dz)
    pairs: Any = zip((mine.r, mine.zdot, slopes.r, slopes.zdot), wanted, strict=True)
    return all(np.max(np.abs(x - y), initial=0.0) <= SAME * (1.0 + np.max(np.abs(y), initial=0.0)) for x, y in pairs)
