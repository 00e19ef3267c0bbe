"""`linearise`: the linear system of small deviations from an equilibrium, a steady motion, or any state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from duoti.analyses.instant.derivatives import displace
from duoti.analyses.instant.dynamics import as_state
from duoti.analyses.linear.co_rotating_axes import choose_frame
from duoti.analyses.linear.linear_system import LinearSystem, rotation_labels
from duoti.analyses.states.at import instant
from duoti.analyses.states.consistent import require_closed, velocity_labels
from duoti.analyses.states.inputs_and_outputs import Ports, add_ports, channel_differences, channel_values
from duoti.analyses.states.linearised_equations import Chart, Equations, Variation, chart, spin
from duoti.analyses.states.motion_inputs import MotionInput, Shift, motion_column, shifted_system, shifts
from duoti.analyses.states.supported import (
    as_system,
    of_graph,
    refuse_reaction_feedback,
    refuse_rigid_contacts,
    warn_of_controllers,
)
from duoti.kernel import one_blas_thread
from duoti.model.model import Model
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.compile.compiler import compile_model
from duoti.system.system import System

STEP = 1e-5  # of the differences of channels; with those of twice the step, errors are of the order STEP^4


@explained
def linearise(
    model: Model | System,
    at: Any = None,
    inputs: Sequence[str] = (),
    outputs: Sequence[str] | None = None,
    *,
    t: float | None = None,
    coordinates: Sequence[str] = (),
) -> LinearSystem:
    r"""Linear system of small deviations from an equilibrium, a steady motion, or any state.

    $$\dot x = A x + B u, \qquad y = C x + D u, \qquad M\, \delta\ddot q + P\, \delta\dot q + K\, \delta q = 0$$

    Deviations are those of independent coordinates (`lin.coordinates`); loops and constraints are satisfied. The change
    of direction of the forces in loops counts, too.

    Parameters
    ----------
    model:
        A model or a compiled system.
    at:
        What `dt.equilibrium` found, a state (q, v) or (q, v, z), values by joint, or a row of a result. By default the
        initial state.
    inputs:
        Names: a parameter that laws read; a force element with a law ("push.x" for one component); a joint or one of
        its velocities; a `JointMotion` or `MarkerMotion` with "drive.value", "drive.rate" and "drive.acceleration".
    outputs:
        Names of channels, or expressions such as "tip.position.z - 0.1*A.angle"; by default all states.
    t:
        Time at which laws are evaluated [s]; by default that of `at`, or 0.
    coordinates:
        Joints or velocities that are wanted as independent coordinates.
    """
    model = of_graph(model)
    refuse_rigid_contacts(model, "dt.linearise")
    warn_of_controllers(model, "dt.linearise")
    with one_blas_thread():
        return _linearised(model, at, tuple(inputs), None if outputs is None else tuple(outputs), t, coordinates)


def _linearised(
    model: Model | System,
    at: Any,
    inputs: tuple[str, ...],
    outputs: tuple[str, ...] | None,
    t: float | None,
    coordinates: Sequence[str],
) -> LinearSystem:
    system, q, v, z, time = _state(model, at, t)
    ports = add_ports(system, inputs, outputs or ())
    z_all = np.concatenate([z, ports.system.initial_z()[system.nz :]])
    equations = Equations.of(ports.system)
    equations.put(q, v, z_all, time)
    equations.solve_algebraic()
    z_all = equations.z
    with ports.system.callbacks.raising():
        a = equations.accelerations()
    if not np.all(np.isfinite(a)):
        raise ValueError(
            "the accelerations in this state are not finite, so that there is nothing to linearise; is there a body "
            "without mass, or a law without a value here? dt.check(model) may tell"
        )
    here = equations.vary()
    frame = choose_frame(equations, q, v, z_all, time, here)
    wanted = preferred(system, coordinates)
    holonomic = ports.system.closures.nonholonomic == 0
    rates = chart(here.G, wanted)
    positions = chart(here.G[holonomic], [*wanted, *rates.independent.tolist()])
    return _assembled(system, ports, (q, v, z_all, time), here, rates, positions, frame, outputs is None)


def _carried_over(model: Model, at: Any, t: float | None) -> tuple[System, Reals, Reals, Reals, float]:
    """A model with an element switched off (`Model.without`), in the state of an equilibrium of the whole one."""
    system = compile_model(model)
    names = [(s.coordinate_names, s.rate_names, s.state_names) for s in (system, at.system)]
    if names[0] != names[1]:
        raise ValueError(
            "the equilibrium is that of a model with other coordinates or states; find one of this model first"
        )
    system.require_dynamics()
    refuse_reaction_feedback(system, "dt.linearise")
    return system, at.q, at.v, at.z, at.t if t is None else float(t)


def _state(model: Model | System, at: Any, t: float | None) -> tuple[System, Reals, Reals, Reals, float]:
    """The system and the state about which it is wanted."""
    from duoti.analyses.equilibrium.equilibrium import Equilibrium

    if isinstance(at, Equilibrium):
        if not at.ok:
            raise ValueError(f"there is no equilibrium to linearise about: {at.reason}")
        same = model is at.model or model is at.system or isinstance(model, Model)
        if not same:
            raise ValueError(
                "the equilibrium is that of another system; leave the system to it: dt.linearise(model, e)"
            )
        if isinstance(model, Model) and model.left_out != at.system.model.left_out:
            return _carried_over(model, at, t)
        at = at.relative
        return at.system, at.q, at.v, at.z, at.t if t is None else float(t)
    if not isinstance(model, Model | System):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{model!r} is not a model; give a dt.Model or what dt.compile made of one")
    system = as_system(model)
    system.require_dynamics()
    refuse_reaction_feedback(system, "dt.linearise")
    q, v, z, time = instant(system, at, t)
    if at is not None and not isinstance(at, Mapping):
        q, v = as_state(system, q, v)
        require_closed(system, q, v, time, z)
    return system, q, v, z, time


def preferred(system: System, names: Sequence[str]) -> list[int]:
    """Numbers of the rates that are wanted as independent ones."""
    labels, found = velocity_labels(system), list[int]()
    for name in names:
        if name in labels:
            found.append(labels.index(name))
        elif name in system.joints:
            found += system.joints[name].v.tolist()
        else:
            from duoti.model.errors import ChannelError, did_you_mean

            known = [*system.joints, *labels]
            raise ChannelError(f'coordinates: there is no joint or rate "{name}".{did_you_mean(name, known)}')
    return found


def _assembled(
    system: System,
    ports: Ports,
    state: tuple[Reals, Reals, Reals, float],
    here: Variation,
    rates: Chart,
    positions: Chart,
    frame: Any,
    all_states: bool,
) -> LinearSystem:
    """A, B, C, D and the matrices of second order, see `linearised_equations` and `linear_system`."""
    q, v, z, t = state
    N, N_h = rates.N, positions.N
    big, mass, damping, stiffness, W = state_matrix(ports.system, v, here, rates, positions, frame.generator)
    moves = [(m, shifts(ports.system, here, rates, positions, m)) for m in ports.motions]
    driven = [
        motion_column(ports.system, v, here, (rates, positions), frame.generator, mass, moved)
        for _, each in moves
        for moved in each
    ]
    big = np.column_stack([big, *driven])
    channels = np.hstack([_channel_rows(ports, state, N, N_h, W), _motion_channels(ports, state, moves)])
    names = rotation_labels(system, positions.independent), tuple(velocity_labels(system)[k] for k in rates.independent)
    return LinearSystem.of(
        system, ports, (q, v, z[: system.nz], t), big, channels, (mass, damping, stiffness),
        names, (N_h, N, W), (rates, positions), here, frame, all_states,
    )  # fmt: skip


def state_matrix(
    full: System, v: Reals, here: Variation, rates: Chart, positions: Chart, generator: Reals
) -> tuple[Reals, Reals, Reals, Reals, Reals]:
    """The rates of (y, u, z) by (y, u, z); mass, damping and stiffness; and W of dv = N u + W y."""
    N, N_h = rates.N, positions.N
    S, S_h = rates.independent, positions.independent
    ny, nu, nz = len(S_h), len(S), full.nz
    moving = generator - spin(full, v)  # d(delta)/dt = dv + moving delta, in the axes of the frame
    if full.closures.rows:
        W = -rates.particular(here.Gq @ N_h)  # dv = N u + W y
        by_u = -rates.particular(here.Av @ N)  # da = N du/dt + by_u u + by_y y
        by_y = -rates.particular(here.Aq @ N_h + here.Av @ W)
        damping = N.T @ (here.C @ N + here.M @ by_u)
        stiffness = N.T @ (here.K @ N_h + here.C @ W + here.M @ by_y)
    else:
        W, damping, stiffness = np.zeros((full.nv, ny), here.K.dtype), here.C, here.K
    mass = rates.both(here.M)
    solved = np.linalg.solve(mass, np.hstack([stiffness, damping, rates.left(here.Z)]))
    n = ny + nu + nz
    big = np.zeros((n, n), mass.dtype)  # rates of (y, u, z) by (y, u, z)
    y, u, x = slice(0, ny), slice(ny, ny + nu), slice(ny + nu, n)
    big[y, y], big[y, u] = (positions.right(moving) + W)[S_h], N[S_h]
    big[u] = -solved
    if generator.any():
        big[u, y] += (generator @ W)[S]
        big[u, u] += (generator @ N)[S]
    big[x, y], big[x, u], big[x, x] = positions.right(here.Fq) + here.Fv @ W, rates.right(here.Fv), here.Fz
    return big, mass, damping, stiffness, W


def _motion_channels(
    ports: Ports, state: tuple[Reals, Reals, Reals, float], moves: list[tuple[MotionInput, list[Shift]]]
) -> Reals:
    """Derivatives of channels by prescribed motions, values, rates and accelerations: central differences."""
    full, (q, v, z, t) = ports.system, state
    found = np.zeros((len(ports.channels), len(ports.motion_names)))
    if not ports.channels:
        return found
    column = 0
    for motion, each in moves:
        for order, moved in enumerate(each, motion.least):
            by_step: list[Reals] = []
            for step in (STEP, 2.0 * STEP):
                ends: list[Reals] = []
                for h in (step, -step):
                    near = shifted_system(full, motion, order, h, t)
                    there = full.whole_state(displace(full, q, h * moved.delta), v + h * moved.v, z)
                    ends.append(channel_values(near, there[None, :], t, ports.channels)[:, 0])
                by_step.append((ends[0] - ends[1]) / (2.0 * step))
            found[:, column] = (4.0 * by_step[0] - by_step[1]) / 3.0
            column += 1
    return found


def _channel_rows(ports: Ports, state: tuple[Reals, Reals, Reals, float], N: Reals, N_h: Reals, W: Reals) -> Reals:
    """Derivatives of channels that no expression says, by (y, u, z): central differences."""
    full, (q, v, z, t) = ports.system, state
    ny, nu = N_h.shape[1], N.shape[1]
    if not ports.channels:
        return np.zeros((0, ny + nu + full.nz))
    derivatives: list[Reals] = []
    for step in (STEP, 2.0 * STEP):
        states = np.zeros((ny + nu + full.nz, 2, len(full.whole_state(q, v, z))))
        for k in range(len(states)):
            for side, h in enumerate((step, -step)):
                dq, dv, dz = np.zeros(full.nv), np.zeros(full.nv), np.zeros(full.nz)
                if k < ny:
                    dq, dv = h * N_h[:, k], h * W[:, k]
                elif k < ny + nu:
                    dv = h * N[:, k - ny]
                else:
                    dz[k - ny - nu] = h
                states[k, side] = full.whole_state(displace(full, q, dq), v + dv, z + dz)
        derivatives.append(channel_differences(full, states, t, ports.channels, step))
    return (4.0 * derivatives[0] - derivatives[1]) / 3.0
