"""Functions of one state with all their special cases: loops, friction in joints, reactions that laws read, contacts.

`analyses.instant.evaluator` computes the common cases by kernels with arrays of its own, and comes here for the
others, and for the messages about what is wrong with a state.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.states.consistent import OPEN, constraint_jacobian, require_closed
from duoti.analyses.states.friction_states import joint_friction_states, workspace_with_friction_states
from duoti.analyses.states.supported import refuse_reaction_feedback, rigid_elements
from duoti.dynamics.joint_friction.installation import has_joint_friction
from duoti.dynamics.loops.constraint_methods import NullSpace
from duoti.dynamics.mass_matrix import mass_matrix
from duoti.dynamics.reaction_feedback.installation import has_reaction_feedback
from duoti.dynamics.tree import forward as _forward
from duoti.dynamics.workspace import add_residual, new_workspace
from duoti.kernel import run_entry
from duoti.results.evaluate.observe import ACCELERATIONS, observe
from duoti.system.arrays import Reals, Work, by_mass_matrix
from duoti.system.constraint_units import amounts
from duoti.system.system import System

F = TypeVar("F", bound=Callable[..., Any])


def _raising(function: F) -> F:
    """The function of a system; what the model's Python functions raise meanwhile is raised."""

    @wraps(function)
    def call(system: System, *arguments: Any, **keywords: Any) -> Any:
        with system.callbacks.raising():
            return function(system, *arguments, **keywords)

    return call  # pyright: ignore[reportReturnType]


def as_vector(what: str, values: ArrayLike, size: int) -> Reals:
    """The values as an array of this size, or an error that says what is wrong with them."""
    if np.iscomplexobj(values):
        raise ValueError(f"{what} is complex: give real numbers")
    array = np.ascontiguousarray(values, dtype=float)
    if array.shape != (size,):
        raise ValueError(f"{what} needs {size} numbers, got an array of shape {array.shape}")
    if not np.all(np.isfinite(array)):
        raise ValueError(f"{what} has values that are not finite: {array.tolist()}")
    return array


def refuse_touching(system: System, q: ArrayLike, what: str) -> None:
    """Raise where rigid contacts touch: what they bear is missing in `what`."""
    if not system.model.contacts or not rigid_elements(system):
        return
    from duoti.analyses.states.contact_problem import touching_contacts

    if names := touching_contacts(system, as_vector("q", q, system.nq)):
        raise NotImplementedError(
            f"{what} knows no rigid contacts, and these touch here: {', '.join(names)}. dt.simulate has the motion, "
            "dt.contact_problem what the contacts bear; or give them a dt.CompliantContact law"
        )


def as_state(system: System, q: ArrayLike, v: ArrayLike) -> tuple[Reals, Reals]:
    """q and v as arrays of the system's sizes."""
    return as_vector("q", q, system.nq), as_vector("v", v, system.nv)


def _whole_state(system: System, q: ArrayLike, v: ArrayLike, z: ArrayLike | None) -> Reals:
    """One row: y = (q, v, z, works)."""
    return system.whole_state(*as_state(system, q, v), None if z is None else as_vector("z", z, system.nz))[None]


def _workspace(system: System, z: ArrayLike | None) -> Work:
    """A workspace in which the laws find z."""
    work = new_workspace(system)
    if z is not None:
        work.y[system.nq + system.nv :][: system.nz] = as_vector("z", z, system.nz)
    return work


@_raising
def accelerations(
    system: System,
    q: ArrayLike,
    v: ArrayLike,
    t: float = 0.0,
    z: ArrayLike | None = None,
    must_close: bool = True,
) -> Reals:
    """Rates of v under gravity and all force elements, O(n) for a tree; closed loops and constraints are obeyed.

    The state must obey them, too; `must_close=False` takes any (for differences off the closed states).
    """
    system.require_dynamics()
    refuse_touching(system, q, "dt.accelerations")
    if has_joint_friction(system):
        z = joint_friction_states(
            system, *as_state(system, q, v), float(t), None if z is None else as_vector("z", z, system.nz)
        )
    if (
        has_joint_friction(system)
        or system.closures.rows
        or by_mass_matrix(system.tree)
        or has_reaction_feedback(system)
    ):
        if must_close:
            require_closed(system, *as_state(system, q, v), t, None if z is None else as_vector("z", z, system.nz))
        time, y, work = np.array([float(t)]), _whole_state(system, q, v, z), new_workspace(system, ydot=True)
        a = observe(system, time, y, ACCELERATIONS, work=work).a[0]
        if system.closures.rows and work.loops[0].unconverged > 0:  # dependent but for little
            return observe(system, time, y, ACCELERATIONS, constraints=NullSpace()).a[0]
        return a
    q, v = as_state(system, q, v)
    a = np.zeros(system.nv)
    _forward.forward_dynamics(system.tree, system.loads, _workspace(system, z), float(t), q, v, a)
    return a


@_raising
def inverse_dynamics(
    system: System, q: ArrayLike, v: ArrayLike, a: ArrayLike, t: float = 0.0, z: ArrayLike | None = None
) -> Reals:
    """Generalised forces that must act in the joints, beside the force elements, for the accelerations a; O(n).

    With closed loops or constraints these are not unique: forces that only strain a loop move nothing. The smallest
    ones are returned, those with the least tau^T M^-1 tau: tau = M (a - a0) with the accelerations a0 that the system
    has by itself. The state and a must obey the loops. `required_forces` finds the forces of chosen actuators.
    """
    system.require_mass()
    refuse_reaction_feedback(system, "dt.inverse_dynamics", forces_only=True)
    q, v = as_state(system, q, v)
    refuse_touching(system, q, "dt.inverse_dynamics")
    a = as_vector("a", a, system.nv)
    if system.closures.rows:
        a0 = accelerations(system, q, v, t, z)
        _require_possible(system, q, a, a0, t)
        return mass_matrix(system, q) @ (a - a0)
    tau = np.zeros(system.nv)
    if has_joint_friction(system):
        return _with_friction(system, q, v, a, float(t), z)
    work = _workspace(system, z)
    _forward.inverse_dynamics(system.tree, system.loads, work, float(t), q, v, a, tau)
    return tau


def _with_friction(system: System, q: Reals, v: Reals, a: Reals, t: float, z: ArrayLike | None) -> Reals:
    """Inverse dynamics of a tree with friction in joints that move, from the loads that belong to the accelerations."""
    work = new_workspace(system, ydot=True)
    add_residual(work)
    work.clock[0], work.y[:] = t, _whole_state(system, q, v, z)[0]
    work.ydot[system.nq : system.nq + system.nv] = a
    run_entry(work.calls[0].residual, int(work.at[0].system))
    return work.a_free.copy()


def _require_possible(system: System, q: Reals, a: Reals, a0: Reals, t: float) -> None:
    """Raise ValueError with names if accelerations tear a loop apart; a0: some that do not."""
    G = constraint_jacobian(system, q, t=t)
    wrong = np.abs(G.matrix @ (a - a0))
    limit = OPEN * max(1.0, float(np.max(np.abs(a))), float(np.max(np.abs(a0))))
    first = system.closures.first
    torn = [
        f"{name} apart at {amounts(system, name, wrong, limit, '/s²')}"
        for k, name in enumerate(system.closure_names)
        if np.any(wrong[first[k] : first[k + 1]] > limit)
    ]
    if torn:
        raise ValueError(
            f"the accelerations tear {', '.join(torn)}; "
            f"choose those of {', '.join(G.free_names) or 'nothing'} freely, the others follow: "
            "a = a0 + dt.analyses.constraint_jacobian(system, q).free @ change with a0 = dt.accelerations(system, q, v)"
        )


@_raising
def generalised_forces(system: System, q: ArrayLike, v: ArrayLike, t: float = 0.0, z: ArrayLike | None = None) -> Reals:
    """What the force elements do in each coordinate: tau such that M a + h = tau, with h by gravity and velocities."""
    refuse_reaction_feedback(system, "dt.analyses.generalised_forces", forces_only=True)
    q, v = as_state(system, q, v)
    zero = np.zeros(system.nv)
    with_forces, bias = np.zeros(system.nv), np.zeros(system.nv)
    if has_joint_friction(system):  # friction and stops depend on accelerations
        work = workspace_with_friction_states(
            system, q, v, float(t), None if z is None else as_vector("z", z, system.nz)
        )
    else:
        work = _workspace(system, z)
    _forward.inverse_dynamics(system.tree, system.loads, work, float(t), q, v, zero, with_forces)
    bare = system.loads._replace(forces=system.loads.forces._replace(count=0))
    _forward.inverse_dynamics(system.tree, bare, work, float(t), q, v, zero, bias)
    return bias - with_forces


# eigenvalue of the scaled D = G M^-1 G^T below which closure equations say nothing new: far above round-off (1e-15),
# far below what the proximal iteration of `dynamics.loops.constrained` resolves (1e-6)
REDUNDANT = 1e-9


def least_norm(D: Reals, scaling: Reals, right: Reals) -> Reals:
    """Solution of D x = right in the sense of `dynamics.loops.constrained`: of least norm where D is singular."""
    scaled = scaling[:, None] * D * scaling
    inverse = np.linalg.pinv(0.5 * (scaled + scaled.T), rcond=REDUNDANT, hermitian=True)
    return scaling[:, None] * (inverse @ (scaling[:, None] * right))
