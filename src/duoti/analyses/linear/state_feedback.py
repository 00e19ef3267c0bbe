"""`state_feedback`: a model whose inputs follow its state, u = -K (x - x0), as LQR and pole placement ask for."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.instant.dynamics import accelerations
from duoti.analyses.linear.linear_system import LinearSystem, varying_states
from duoti.analyses.states.inputs_and_outputs import add_ports
from duoti.analyses.states.supported import as_system, of_graph
from duoti.analyses.states.warnings import SimulationWarning
from duoti.model.controller import add_controller
from duoti.model.model import Model
from duoti.spatial.angular_velocity import quaternion_conjugate, quaternion_product
from duoti.strict import explained, user_level
from duoti.system.arrays import Reals
from duoti.system.compile.copy_model import own_copy
from duoti.system.system import System

REST = 1e-9  # rad/s or m/s: faster ones are no state of rest
AT_REST = 1e-3  # rad/s^2 or m/s^2: what an equilibrium that was solved for is well below


@explained
def state_feedback(
    model: Model | System, linear: LinearSystem, gain: ArrayLike, period: float | None = None, name: str = "feedback"
) -> Model:
    r"""The model with a controller that feeds its state back.

    $$u = -K\, (x - x_0)$$

    $x_0$ is the state that `linear` is about, $x$ the states `linear.states`; u is added to what the inputs do already.
    The result is a model of its own: simulate it, save it, put a `Stepper` on it.

    Parameters
    ----------
    model:
        The model, or the system, that was linearised.
    linear:
        What `dt.linearise(model, at, inputs=[...])` returned, about a state of rest.
    gain:
        K, inputs x states: what `control.lqr(linear.A, linear.B, Q, R)` returns first.
    period:
        Time between samples [s]; u is held in between. Without it u follows continuously.
    name:
        Name of the controller.
    """
    of_graph(model)
    system = linear.system
    K = np.array(gain, dtype=float, ndmin=2)
    _refuse(linear, K, model)
    ports = add_ports(_now(model, system), linear.inputs, ())
    made = own_copy(ports.system.model)
    u_names = [ports.made[each] for each in linear.inputs]
    if period is None:
        _continuous(made, linear, K, u_names)
        return made
    before = {each: float(made.states[each].initial) for each in u_names}  # of a parameter: its value
    first = np.array(list(before.values()))
    function, inputs = _feedback(linear, K, first)
    kept = dict(made.events)
    made.controllers[name] = add_controller(made, name, function, inputs, before, period, 0.0)
    made.events = {**kept, **made.events}
    return made


def _refuse(linear: LinearSystem, K: Reals, model: Model | System) -> None:
    system = linear.system
    names = model.model.name if isinstance(model, System) else model.name
    if names != system.model.name:
        raise ValueError(f'the linear system is that of model "{system.model.name}", not of "{names}"')
    if not linear.inputs:
        raise ValueError("the linear system has no inputs: dt.linearise(model, at, inputs=[...]) names them")
    if linear.motion_columns:
        raise ValueError("an input is a prescribed motion, which no feedback can drive: leave it out of inputs=")
    wanted = len(linear.inputs), len(linear.states)
    if K.shape != wanted:
        raise ValueError(
            f"the gain has the shape {K.shape}; with inputs {', '.join(linear.inputs)} and states "
            f"{', '.join(linear.states)} it is {wanted}"
        )
    if np.max(np.abs(linear.v), initial=0.0) > REST:
        raise ValueError("the linear system is about a motion, not about a state of rest: x0 would move")
    rows = np.asarray(accelerations(system, linear.q, linear.v, z=linear.z))
    if np.max(np.abs(rows), initial=0.0) > AT_REST:
        fastest = system.rate_names[int(np.argmax(np.abs(rows)))]
        warnings.warn(
            f"state_feedback: the linear system is not about an equilibrium: the derivative of {fastest} is "
            f"{np.max(np.abs(rows)):.3g} there, so that the feedback comes to rest elsewhere. Linearise at "
            "dt.equilibrium(model)",
            SimulationWarning,
            stacklevel=user_level(),
        )


def _now(model: Model | System, system: System) -> System:
    """The model as it is now, with the coordinates that it had when it was linearised."""
    if model is system:
        return system
    made = as_system(model)
    if (made.coordinate_names, made.rate_names) != (system.coordinate_names, system.rate_names):
        raise ValueError("the model has other coordinates than when it was linearised")
    return made


def _deviation(system: System, q_0: Reals, q: Reals) -> Reals:
    """The displacement from q_0 to q, the inverse of `displace`."""
    tree = system.tree
    delta = np.zeros(system.nv)
    delta[tree.plain_v] = q[tree.plain_q] - q_0[tree.plain_q]
    for k, j in zip(tree.quat_q.tolist(), tree.quat_v.tolist(), strict=True):
        turn = quaternion_product(quaternion_conjugate(q_0[k : k + 4]), q[k : k + 4])
        turn = -turn if turn[0] < 0.0 else turn
        s = float(np.linalg.norm(turn[1:]))
        delta[j : j + 3] = turn[1:] * (2.0 * np.arctan2(s, turn[0]) / s if s > 0.0 else 2.0)
    return delta


def _feedback(linear: LinearSystem, K: Reals, first: Reals) -> tuple[Any, list[str]]:
    """The function of a sampled controller, and the names of what it reads."""
    system = linear.system
    rates, positions = linear.charts
    nq, nv = system.nq, system.nv
    i, j = list(positions.independent), list(rates.independent)
    kept = varying_states(system)
    q_0, v_0, z_0 = linear.q.copy(), linear.v.copy(), linear.z[kept]
    names = [*system.coordinate_names, *system.rate_names, *(system.state_names[k] for k in kept)]

    def feedback(*read: float) -> Any:
        y = np.array(read)
        delta = _deviation(system, q_0, y[:nq])
        x = np.concatenate([delta[i], y[nq : nq + nv][j] - v_0[j], y[nq + nv :] - z_0])
        u = first - K @ x
        return u if len(u) > 1 else float(u[0])

    return feedback, names


def _continuous(made: Model, linear: LinearSystem, K: Reals, u_names: list[str]) -> None:
    """Put expressions of the state in the place of the inputs."""
    system = linear.system
    rates, positions = linear.charts
    turned = {*np.ravel(system.tree.quat_v[:, None] + np.arange(3)).tolist()} & {*map(int, positions.independent)}
    if turned:
        raise NotImplementedError(
            "rotations by quaternions are no quantities of expressions: give a period=, such as 1e-3"
        )
    q_of = system.tree.q_of_v
    names = [system.coordinate_names[int(q_of[k])] for k in positions.independent]
    names += [system.rate_names[int(k)] for k in rates.independent]
    kept = varying_states(system)
    names += [system.state_names[k] for k in kept]
    at = [float(linear.q[int(q_of[k])]) for k in positions.independent]
    at += [float(linear.v[int(k)]) for k in rates.independent] + linear.z[kept].tolist()
    for k, u in enumerate(u_names):
        parts = [f"{-g!r}*({name} - ({x!r}))" for g, name, x in zip(K[k].tolist(), names, at, strict=True) if g]
        text = f"({' + '.join(parts) or '0.0'})"
        if u == linear.inputs[k]:
            raise NotImplementedError(f'input "{u}" is a parameter, which has one value: give a period=, such as 1e-3')
        found = 0
        for force_name, force in made.forces.items():
            changed = copy.copy(force)
            for attribute, value in vars(force).items():
                many = list(value) if isinstance(value, list | tuple) else [value]
                if any(u in getattr(each, "inputs", ()) for each in many):
                    raise NotImplementedError(f'the law of "{force_name}" is a function: give a period=, such as 1e-3')
                if any(isinstance(each, str) and u in each for each in many):
                    new = [each.replace(u, text) if isinstance(each, str) else each for each in many]
                    setattr(changed, attribute, type(value)(new) if isinstance(value, list | tuple) else new[0])
                    found += 1
            made.forces[force_name] = changed
        assert found
        del made.states[u]
