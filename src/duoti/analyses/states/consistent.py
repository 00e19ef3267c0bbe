"""States that obey loops and constraints, and the Jacobian of these, with names.

`system.state(...)` is `state_of`. A function that is handed a state checks it by `require_closed`.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.states.assemble import assemble, loop_joints
from duoti.analyses.states.at import with_instant
from duoti.analyses.states.initial_state import closed_state
from duoti.analyses.states.linearised_equations import RANK, Chart, chart
from duoti.analyses.states.many_states import for_states
from duoti.dynamics.close_loops import OPEN, held_at_start, held_dofs
from duoti.dynamics.loops.constraints import closure_state
from duoti.dynamics.workspace import new_workspace
from duoti.model.elements import given_numbers, initial_values
from duoti.model.equations.base import CoordinateEquation
from duoti.model.errors import ChannelError, ModelError, did_you_mean
from duoti.model.model import Model
from duoti.renamed import renamed_arguments
from duoti.strict import explained
from duoti.system.arrays import Reals, Work
from duoti.system.constraint_arrays import dense_jacobian
from duoti.system.constraint_units import amounts
from duoti.system.system import System

# --------------------------------------------------------------------------------------------------------------- states


def state_of(
    system: System,
    values: Mapping[str, Any] | None = None,
    rates: Mapping[str, Any] | None = None,
    t: float = 0.0,
    guess: Mapping[str, Any] | None = None,
) -> tuple[Reals, Reals]:
    """q and v that obey all loops and constraints at the time t, with the named joints set. See `System.state`."""
    values, rates, guess = dict(values or {}), dict(rates or {}), dict(guess or {})
    for name in (*values, *rates, *guess):
        if name not in system.joints:
            raise ChannelError(f'there is no joint "{name}".{did_you_mean(name, system.joints)}')
    if any(system.joints[name].closure >= 0 for name in (*values, *rates)) or _lost(system):
        return _through_another_tree(system, values, rates, t)
    q, v = system.initial_state()
    _put(system, q, {name: value for name, value in guess.items() if system.joints[name].closure < 0}, rates=False)
    _put(system, q, values, rates=False)
    _put(system, v, rates, rates=True)
    if not system.closures.rows:
        return q, v
    named = held_dofs(system, values, rates=False), held_dofs(system, rates, rates=True)
    start = held_at_start(system)
    both = named[0] | start[0], named[1] | start[1]
    # what is named comes before the initial values of the model: these are given up where they contradict it
    choices = [(both[0], both[1]), (both[0], named[1]), (named[0], both[1]), (named[0], named[1])]
    for held in choices[:-1] if values or rates else choices[:0]:
        try:
            made = assemble(system, q, v, t, held=held)
        except ModelError:
            continue
        return made.q, made.v
    made = assemble(system, q, v, t, held=choices[-1] if values or rates else both)
    return made.q, made.v


def _lost(system: System) -> bool:
    """Whether the model gives initial values that the coordinates of the system do not show."""
    joints = system.model.joints
    cut = (name for name, layout in system.joints.items() if layout.closure >= 0)
    return bool(system.virtual) or any(joints[name].q0 is not None or joints[name].v0 is not None for name in cut)


def _put(system: System, array: Reals, given: Mapping[str, Any], rates: bool) -> None:
    """Write given numbers into q or v; what a mapping leaves out stays as it is."""
    for name, value in given.items():
        joint, layout = system.model.joints[name].joint, system.joints[name]
        named = given_numbers(joint, value, rates)
        array[(layout.v if rates else layout.q)[named]] = initial_values(joint, value, rates)[named]


def _through_another_tree(
    system: System, values: Mapping[str, Any], rates: Mapping[str, Any], t: float
) -> tuple[Reals, Reals]:
    """The same where a joint that is named has no coordinates in this system: it is given to the model instead."""
    for others in (True, False):  # first with the model's own initial values, then without
        model = copy.copy(system.model)
        model.joints = {
            name: replace(
                element,
                q0=values.get(name, element.q0 if others else None),
                v0=rates.get(name, element.v0 if others else None),
            )
            for name, element in model.joints.items()
        }
        try:
            return closed_state(replace(system, model=model), t)
        except ModelError:
            if not others or not (values or rates):
                raise
    raise AssertionError("unreachable")


def require_closed(
    system: System,
    q: Reals,
    v: Reals,
    t: float,
    z: Reals | None = None,
    work: Work | None = None,
    limit: float = OPEN,
) -> None:
    """Raise ValueError with the names of what is open, if a state does not obey the loops and constraints.

    z: first-order states, which may switch constraints; as they start if not given. limit: residual that is allowed.
    """
    closures = system.closures
    if not closures.rows:
        return
    work = work or new_workspace(system)
    if z is not None:
        work.y[system.nq + system.nv :][: system.nz] = z
    closure_state(work, float(t), q, v)
    limits = limit, limit * max(1.0, float(np.abs(v).max(initial=0.0)))
    if np.abs(work.g).max() <= limits[0] and np.abs(work.gdot).max() <= limits[1]:
        return
    found: list[str] = []
    for k, closure in enumerate(system.closure_names):
        rows = slice(closures.first[k], closures.first[k + 1])
        gap, rate = (float(np.abs(x[rows]).max(initial=0.0)) for x in (work.g, work.gdot))
        if not (gap <= limits[0] and rate <= limits[1]):
            what = [f"is open by {amounts(system, closure, work.g, limits[0])}"] if not gap <= limits[0] else []
            if not rate <= limits[1]:
                what.append(f"comes apart at {amounts(system, closure, work.gdot, limits[1], '/s')}")
            found.append(f"{closure} {' and '.join(what)} (joints {', '.join(loop_joints(system, closure))})")
    if found:
        raise ValueError(
            "the state does not obey the loops and constraints of the model: "
            + "; ".join(found)
            + ". system.state(...) gives one that does; dt.analyses.assemble(system, q, v) closes one that is near"
        )


# ------------------------------------------------------------------------------------------------------------- Jacobian


def velocity_labels(system: System) -> tuple[str, ...]:
    """Names of all rates, those of the free joints that the program added included."""
    names = list(system.rate_names)
    for body, layout in system.virtual.items():
        for i, k in enumerate(layout.v):
            names[k] = f"{body}.v[{i}]"
    return tuple(names)


def equation_labels(system: System) -> tuple[str, ...]:
    """Names of the equations of the closures: of the joint or constraint, and what is equated.

    `D.position.x` is the distance of the frames of joint D along the x axis of the first one, `D.dot.zx` the cosine
    between its z axis and the x axis of the second one.
    """
    closures, names = system.closures, list[str]()
    for r in range(closures.rows):
        kind = system.equation_kinds[closures.equation_kind[r]]
        i, j = ("xyz"[int(axis) % 3] for axis in closures.equation_axes[r, :2])
        owner = system.closure_names[closures.equation_closure[r]].name
        axes = "" if issubclass(kind, CoordinateEquation) or kind.kind == "distance" else f".{i}"
        names.append(f"{owner}.{kind.kind}{f'.{i}{j}' if kind.kind == 'dot' else axes}")
    counts = {name: names.count(name) for name in names}
    return tuple(name if counts[name] == 1 else f"{name}[{names[:k].count(name)}]" for k, name in enumerate(names))


@dataclass(frozen=True)
class ConstraintJacobian:
    """G with G v + drift = 0 in all states that obey the loops and constraints; a row for each equation.

    `matrix` has the rows `rows` and the columns `columns` (names of rates); `drift` [rows] is what prescribed motions
    ask of it; `holonomic` [rows] says which equations are also kept at the level of positions (rolling is not).
    """

    matrix: Reals
    drift: Reals
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    holonomic: np.ndarray

    @cached_property
    def chart(self) -> Chart:
        """Independent and dependent velocities."""
        return chart(self.matrix)

    @property
    def rank(self) -> int:
        """How many equations are independent here."""
        return len(self.chart.dependent)

    @property
    def redundant(self) -> int:
        """How many equations say nothing that the others do not say here."""
        return len(self.rows) - self.rank

    @property
    def freedoms(self) -> int:
        """How many directions the equations leave free."""
        return len(self.columns) - self.rank

    @property
    def free_names(self) -> tuple[str, ...]:
        """The rates by which the free directions go, one for each: they can be chosen, all others follow."""
        return tuple(self.columns[k] for k in self.chart.independent)

    @property
    def free(self) -> Reals:
        """[rates, freedoms] the free directions, G free = 0: in column k the rate `free_names[k]` is one, the other
        independent ones are zero, and the dependent velocities are the velocity ratios."""
        return self.chart.N

    @cached_property
    def basis(self) -> Reals:
        """[rates, freedoms] the same space with orthonormal columns."""
        return np.linalg.qr(self.free)[0] if self.freedoms else self.free

    def __str__(self) -> str:
        lines = [f"{len(self.rows)} equations of rank {self.rank} for {len(self.columns)} rates"]
        for name, direction in zip(self.free_names, self.free.T, strict=True):
            most = max(float(np.max(np.abs(direction))), 1e-300)
            moved = [f"{n} {x:+.4g}" for n, x in zip(self.columns, direction, strict=True) if abs(x) > RANK * most]
            lines.append(f"  free: {name}: {', '.join(moved)}")
        return "\n".join(lines)


@with_instant
@renamed_arguments
@for_states("q", "v")
@explained
def constraint_jacobian(
    model: Model | System, q: ArrayLike, v: ArrayLike | None = None, t: float = 0.0, must_close: bool = True
) -> ConstraintJacobian:
    r"""Jacobian of closed loops and constraints in a position, and the directions that it leaves free, with names.

    $$G(q) = \frac{\partial g}{\partial q}, \qquad G\, N = 0$$

    Parameters
    ----------
    q:
        Coordinates that close the loops.
    v:
        Velocities that satisfy the constraints; optional.
    must_close:
        `False` accepts any position.
    """
    from duoti.analyses.states.special_cases import as_vector

    assert isinstance(model, System)
    system = model
    at = as_vector("q", q, system.nq)
    rates = np.zeros(system.nv) if v is None else as_vector("v", v, system.nv)
    work = new_workspace(system)
    closures = system.closures
    if closures.rows:
        closure_state(work, float(t), at, np.zeros(system.nv))
    drift = work.gdot.copy()
    if must_close and closures.rows and (v is not None or np.max(np.abs(work.g)) > OPEN):
        require_closed(system, at, rates, t, work=work)
    G = dense_jacobian(closures, system.nv, work.G)
    holonomic = closures.nonholonomic == 0
    return ConstraintJacobian(G, drift, equation_labels(system), velocity_labels(system), holonomic)
