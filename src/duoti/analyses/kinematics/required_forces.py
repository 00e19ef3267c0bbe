"""`required_forces`: what the actuators must do for a motion that is asked for.

At each time the equations of motion of the tree say which generalised forces tau = M a + h - (force elements) the
motion needs. Loops and constraints contribute G^T lambda, the actuators B u. With N, G N = 0, these are

    N^T B u = N^T tau                                                                                             (1)

as many equations as there are freedoms. More actuators than these: the u with the least weighted sum of squares,
within bounds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.kinematics.kinematics import DeadPoint, Follower, initial_guess
from duoti.analyses.kinematics.motion_jumps import refuse_jumps, refuse_jumps_of_result
from duoti.analyses.kinematics.motions import Drive, add_curve, free_name, law_model, placeholder_model, read_drives
from duoti.analyses.simulate.named_options import SOLVERS, by_name
from duoti.analyses.simulate.outputs import output_times
from duoti.analyses.simulate.simulate import simulate
from duoti.analyses.states.consistent import velocity_labels
from duoti.analyses.states.joint_limits import beyond_stops
from duoti.analyses.states.supported import as_model, refuse_rigid_contacts
from duoti.dynamics.workspace import add_residual, new_workspace
from duoti.integrate import DOP853, Solver
from duoti.kernel import one_blas_thread, run_entry
from duoti.model.element_id import ElementId
from duoti.model.elements import JointElement
from duoti.model.errors import ChannelError, did_you_mean
from duoti.model.forces.applied import AppliedForce
from duoti.model.forces.joint_torque import JointTorque
from duoti.model.joint_friction import slots_of_limits
from duoti.model.model import Model
from duoti.renamed import renamed_arguments
from duoti.results.evaluate.observe import ACCELERATIONS, ENERGIES, observe
from duoti.results.records import Reason, Stats
from duoti.results.required_forces_result import DriveChannel, DrivenResult
from duoti.results.result import Result
from duoti.strict import explained
from duoti.system.arrays import ENERGY_ACCUMULATORS, Reals
from duoti.system.compile.compiler import build_system, compile_model
from duoti.system.compile.copy_model import own_copy
from duoti.system.constraint_arrays import dense_jacobian
from duoti.system.system import System

RANK = 1e-10  # singular values below this part of the largest are none


class NotPossibleError(ValueError):
    """No forces, or none within the bounds, do what is asked.

    `lacking`: what is left of each equation; or `beyond`: by how much each force would be beyond its bounds.
    """

    def __init__(self, message: str, lacking: Reals | None = None, beyond: Reals | None = None):
        self.lacking, self.beyond = lacking, beyond
        super().__init__(message)


def least_norm(A: Reals, b: Reals, weights: Reals, scale: float, tolerance: float) -> Reals:
    """u with A u = b and the least sum of weights u²; scale: size of the forces, for the judgement whether A u = b."""
    root = 1.0 / np.sqrt(weights)
    u = root * np.linalg.lstsq(A * root, b, rcond=RANK)[0]
    lacking = A @ u - b
    if np.max(np.abs(lacking), initial=0.0) > tolerance * max(scale, 1e-300):
        raise NotPossibleError("the actuators cannot do it", lacking)
    return u


def bounded_least_norm(
    A: Reals, b: Reals, weights: Reals, low: Reals, high: Reals, scale: float, tolerance: float
) -> Reals:
    """The same with low <= u <= high.

    With u = u0 + Z y, A Z = 0, and x = sqrt(weights) u this is a least-distance problem, min |x|² with C y >= d, which
    non-negative least squares solves exactly (Lawson and Hanson, Solving Least Squares Problems, 1974, chapter 23).
    """
    u = least_norm(A, b, weights, scale, tolerance)
    if np.all(u >= low) and np.all(u <= high):
        return u
    from scipy.optimize import nnls

    root = 1.0 / np.sqrt(weights)
    _, sigma, Vt = np.linalg.svd(A * root)
    Z = Vt[int(np.sum(sigma > RANK * np.max(sigma, initial=0.0))) :].T  # x = x0 + Z y, with x0 orthogonal to Z
    x0 = u / root
    finite_low, finite_high = np.isfinite(low), np.isfinite(high)
    C = np.vstack([Z[finite_low], -Z[finite_high]])
    d = np.concatenate([(low / root - x0)[finite_low], (x0 - high / root)[finite_high]])
    E, f = np.vstack([C.T, d]), np.append(np.zeros(Z.shape[1]), 1.0)
    dual, _ = nnls(E, f)
    r = E @ dual - f
    if abs(r[-1]) < 1e-12:
        raise NotPossibleError("no forces within the bounds do it", beyond=np.maximum(low - u, u - high))
    y = -r[:-1] / r[-1]
    return np.clip(root * (x0 + Z @ y), low, high)


POSSIBLE = 1e-7  # what may be left of equation (1), by the largest generalised force


class _Actuator(NamedTuple):
    """A joint, or a marker, whose coordinates (columns of `B`) are driven."""

    name: str
    of_joint: bool
    coordinates: list[int]


class _States(NamedTuple):
    """A motion: times, coordinates, velocities, accelerations, first-order states, and how it ended."""

    system: System
    t: Reals
    q: Reals
    v: Reals
    a: Reals
    z: Reals
    ok: bool
    reason: Reason
    dead_points: tuple[DeadPoint, ...]
    how: str


@renamed_arguments
@explained
def required_forces(
    model: Model | System,
    duration: float,
    motions: Mapping[Any, Any] | Result,
    outputs: ArrayLike | None = None,
    *,
    actuators: Sequence[str | JointElement] | None = None,
    weights: Mapping[str, float] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    t: float = 0.0,
    solver: Solver | str | None = None,
) -> DrivenResult:
    r"""Forces and torques of actuators that produce a motion: `r["A.drive"]`, with reactions and all else.

    $$M a + h - \tau_{\mathrm{forces}} = B\, u + G^T \lambda, \qquad \min_u \sum_i w_i u_i^2$$

    Where the motions leave no freedom, positions follow from the constraints alone, at each output. Otherwise the
    driven model is simulated.

    Parameters
    ----------
    model:
        A model; its force elements act as in a simulation.
    duration, outputs, t:
        As in `simulate`.
    motions:
        Joint → motion of its coordinate [rad or m], or a list of motions; marker or body → (x, y, z) [m] in world axes.
        `None` leaves a component free. A motion is a number, an expression of `t`, a table `(t, x)`, a trajectory or
        spline, or an earlier result. A result in place of the mapping: all its joints are followed.
    actuators:
        Joints that drive; by default those in `motions`.
    weights:
        Actuator → weight $w_i$ of its square (1 if not given).
    bounds:
        Actuator → (least, largest) force or torque.
    solver:
        For motions that leave freedoms; by default `DOP853(rtol=1e-10, atol=1e-12)`.
    """
    model = as_model(model)
    refuse_rigid_contacts(model, "dt.required_forces")
    whole = motions if isinstance(motions, Result) else None
    drives = [] if whole is not None else read_drives(model, motions)
    moving = [name for name in model.joints if model.joints[name].nv] if whole is not None else None
    chosen = _actuators(model, drives, moving if actuators is None else actuators)
    named = [(a.name, i) for a in chosen if a.of_joint for i in a.coordinates]
    weight, low, high = _numbers(chosen, weights, bounds)
    plan = output_times(duration, outputs, t)
    if plan is None:
        raise ValueError('outputs="steps": there are no steps; give times or a step in seconds')
    times = plan.between(0, plan.count)
    refuse_jumps(model, drives, times)
    if whole is not None:
        states = _of_result(model, whole, named, None if outputs is None else times, plan.end)
    else:
        with one_blas_thread():
            states = _follow(model, drives, named, times)
    if states is None:
        states = _simulate(model, drives, named, duration, times, t, solver)
    elif solver is not None:
        raise ValueError(f"solver={solver!r} would have no effect: the motions leave no freedom, nothing is integrated")
    with one_blas_thread():
        u = _forces(states, drives, chosen, weight, low, high)
    return _result(model, states, chosen, u)


def _actuators(model: Model, drives: Sequence[Drive], given: Sequence[Any] | None) -> list[_Actuator]:
    if given is None:
        return [_Actuator(d.name, d.of_joint, d.moved) for d in drives]
    if isinstance(given, str) or not isinstance(given, Sequence):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"actuators={given!r}: give a list of joints")
    names = [each.name if isinstance(each, JointElement) else each for each in given]
    unknown = [name for name in names if name not in model.joints]
    if unknown:
        raise ChannelError(
            "actuators: " + "; ".join(f'there is no joint "{n}".{did_you_mean(str(n), model.joints)}' for n in unknown)
        )
    return [_Actuator(name, True, list(range(model.joints[name].joint.nv))) for name in dict.fromkeys(names)]


def _numbers(chosen: Sequence[_Actuator], weights: Any, bounds: Any) -> tuple[Reals, Reals, Reals]:
    """Weights and bounds of all columns of B."""
    known = {a.name for a in chosen}
    for what, given in (("weights", weights or {}), ("bounds", bounds or {})):
        if wrong := [name for name in given if name not in known]:
            raise ValueError(f"{what}: {wrong[0]!r} is no actuator.{did_you_mean(str(wrong[0]), known)}")
    w, low, high = list[float](), list[float](), list[float]()
    for a in chosen:
        weight, (least, largest) = (weights or {}).get(a.name, 1.0), (bounds or {}).get(a.name, (-np.inf, np.inf))
        if not 0.0 < weight < np.inf:
            raise ValueError(f"weights: that of {a.name!r} is {weight!r}; give a positive number")
        if not least <= largest:
            raise ValueError(f"bounds: those of {a.name!r} are {(least, largest)!r}; the first must not be larger")
        for each, value in ((w, weight), (low, least), (high, largest)):
            each += [float(value)] * len(a.coordinates)
    return np.array(w), np.array(low), np.array(high)


# ----------------------------------------------------------------------------------------------------------- the motion


def _rows_of(system: System, drives: Sequence[Drive]) -> list[int]:
    """Rows of the motions, in the order of the drives' curves; their constraints are the last of the model."""
    count = sum(len(d.moved) if d.of_joint else 1 for d in drives)
    names = list(system.model.constraints)[-count:] if count else []
    first, found = system.closures.first, list[int]()
    for name in names:
        k = system.closure_names.index(ElementId("constraint", name))
        found += range(first[k], first[k + 1])
    return found


def _follow(model: Model, drives: Sequence[Drive], named: list[tuple[str, int]], times: Reals) -> _States | None:
    """The motion by the constraints alone; None if they leave something free, or if there are first-order states."""
    system = compile_model(placeholder_model(model, drives, named))
    system.require_mass()
    system.require_dynamics()
    curves = [curve for d in drives for curve in d.curves if curve is not None]
    follower = Follower(system, _rows_of(system, drives), lambda t: [curve(t) for curve in curves])
    q = initial_guess(model, system, float(times[0]))
    if not _only_stops(system):
        return None
    at_start = follower.start(float(times[0]), q)
    if follower.freedoms(float(times[0]), at_start):
        return None
    f = follower.follow(times, at_start)
    reason = f.reason
    for t, each in zip(f.t, f.q, strict=True):
        if reason.code == "end-time" and (beyond := beyond_stops(system, each)):
            reason = Reason("stop-passed", f"the motion passes the stops of {', '.join(beyond)} at t = {t:.6g} s")
    ok, z = reason.code == "end-time", _open(system, len(f.t))
    return _States(system, f.t, f.q, f.v, f.a, z, ok, reason, f.dead_points, "required forces by the constraints")


def _only_stops(system: System) -> bool:
    """Whether there are no first-order states but those of stops, which act only where a motion passes them."""
    return set(system.state_names) <= {slot.friction_state for slot in slots_of_limits(system.model)}


def _open(system: System, n: int) -> Reals:
    """First-order states of a model whose joints are not at their stops, in rows."""
    return np.tile(system.initial_z(), (n, 1))


def _of_result(model: Model, result: Result, named: list[tuple[str, int]], times: Reals | None, end: float) -> _States:
    """The motion of all joints of an earlier result, at times that it has."""
    if model.states:
        raise ValueError(f"first-order states ({', '.join(model.states)}): give motions of joints, not a whole result")
    system = compile_model(placeholder_model(model, [], named))
    system.require_mass()
    system.require_dynamics()
    if system.virtual:
        raise ValueError(
            f"{', '.join(system.virtual)}: no joint holds them; give motions of joints, not a whole result"
        )
    rows = np.flatnonzero(result.t <= end)
    if times is not None:
        rows = np.array([int(np.argmin(np.abs(result.t - t))) for t in times])
        if not np.allclose(result.t[rows], times, rtol=0.0, atol=1e-9 * max(1.0, end)):
            raise ValueError("outputs: a whole result is followed at its own times; give some of these, or none")
    every = len(result.t)
    n, nq, nv = len(rows), system.nq, system.nv
    q, v, a = np.zeros((every, nq)), np.zeros((every, nv)), np.zeros((every, nv))
    for name, layout in system.joints.items():
        for made, indices, what in ((q, layout.q, "q"), (v, layout.v, "v"), (a, layout.v, "a")):
            if len(indices):
                made[:, indices] = result[f"joint:{name}.{what}"].reshape(every, -1)
    last = int(np.max(rows, initial=0)) + 1
    refuse_jumps_of_result(result, v[:last], a[:last], velocity_labels(system))
    q, v, a = q[rows], v[rows], a[rows]
    how = f"required forces of {result!r}"
    return _States(
        system, result.t[rows], q, v, a, _open(system, n), True, Reason("end-time", "end time reached"), (), how
    )


def _simulate(
    model: Model,
    drives: Sequence[Drive],
    named: list[tuple[str, int]],
    duration: float,
    times: Reals,
    start_time: float,
    solver: Solver | str | None,
) -> _States:
    """The motion of a model that keeps freedoms or has first-order states, by integration."""
    driven = law_model(model, drives, times)
    for joint, coordinate in named:
        driven.add_force(free_name(driven.forces, f"drive {joint}"), JointTorque(joint, 0.0, coordinate))
    for drive in drives:
        if drive.of_joint:  # initial values of the model would contradict the motion
            driven.joints[drive.name].q0 = driven.joints[drive.name].v0 = None
    chosen = DOP853(rtol=1e-10, atol=1e-12) if solver is None else by_name(solver, SOLVERS, "solver")
    r = simulate(driven, duration, times, chosen, t=start_time)
    seen = observe(r.system, r.t, r.states, ACCELERATIONS)
    return _States(r.system, r.t, r.q, r.v, seen.a, r.z, r.ok, r.why_ended, (), f"required forces by {chosen!r}")


# ----------------------------------------------------------------------------------------------------------- the forces


def _forces(
    states: _States, drives: Sequence[Drive], chosen: Sequence[_Actuator], weight: Reals, low: Reals, high: Reals
) -> Reals:
    """u of all columns of B, one row per time."""
    system, closures = states.system, states.system.closures
    driven = _rows_of(system, drives)
    passive = [r for r in range(closures.rows) if r not in set(driven)]
    own = all(a.of_joint == d.of_joint and a.name == d.name for a, d in zip(chosen, drives, strict=False))
    own = own and 0 < len(chosen) == len(drives)
    work = new_workspace(system, ydot=True)
    add_residual(work)
    nq, nv = system.nq, system.nv
    columns = np.zeros((nv, len(weight)))
    if not own:
        rates = [int(system.joints[a.name].v[i]) for a in chosen for i in a.coordinates]
        columns[rates, range(len(rates))] = 1.0
    bounded = bool(np.any(np.isfinite(low)) or np.any(np.isfinite(high)))
    u, work.multipliers[:] = np.zeros((len(states.t), len(weight))), 0.0
    for n, t in enumerate(states.t.tolist()):
        work.y[: nq + nv + system.nz] = np.concatenate([states.q[n], states.v[n], states.z[n]])
        work.ydot[nq : nq + nv], work.clock[0] = states.a[n], t
        run_entry(work.calls[0].residual, work.at[0].system)
        tau = work.a_free.copy()  # M a + h - force elements, without multipliers
        G = dense_jacobian(closures, nv, work.G)
        B = G[driven].T if own else columns
        N = _complement(G[passive])
        A, b, size = N.T @ B, N.T @ tau, float(np.max(np.abs(tau), initial=0.0))
        try:
            u[n] = (
                bounded_least_norm(A, b, weight, low, high, size, POSSIBLE)
                if bounded
                else least_norm(A, b, weight, size, POSSIBLE)
            )
        except NotPossibleError as error:
            raise ValueError(_not_possible(system, N, chosen, t, error)) from None
    return u


def _complement(G: Reals) -> Reals:
    """Orthonormal directions that the loops and the model's own constraints leave free."""
    if not len(G):
        return np.eye(G.shape[1])
    _, sigma, Vt = np.linalg.svd(G)
    return Vt[int(np.sum(sigma > 1e-9 * np.max(sigma, initial=1e-300))) :].T


def _not_possible(system: System, N: Reals, chosen: Sequence[_Actuator], t: float, error: NotPossibleError) -> str:
    if error.beyond is not None:
        k = int(np.argmax(error.beyond))
        name, i = [(a, i) for a in chosen for i in a.coordinates][k]
        unit = _unit(system.model, name._replace(coordinates=[i]))
        what = f"{name.name} would be beyond its bounds by {error.beyond[k]:.4g} {unit}. Give wider bounds, or add an"
        what += " actuator"
    else:
        assert error.lacking is not None
        forces = N @ error.lacking  # in the coordinates
        k = int(np.argmax(np.abs(forces)))
        unit = {"m/s": "N", "rad/s": "N m"}.get(_rate_unit(system, k), "(generalised force)")
        what = f"{abs(forces[k]):.4g} {unit} along {system.rate_names[k]} are lacking. Add an actuator that moves"
        what += " what they do not"
    return f"{error}: {', '.join(a.name for a in chosen)} at t = {t:.6g} s; {what}"


def _rate_unit(system: System, i: int) -> str:
    """Unit of a rate of the system."""
    for name, layout in system.joints.items():
        if i in layout.v:
            units = [c.rate_unit for c in system.model.joints[name].joint.coordinates for _ in range(c.nv)]
            return units[list(layout.v).index(i)]
    return "1/s"  # of a mode of a flexible body


# ----------------------------------------------------------------------------------------------------------- the result


def _result(model: Model, states: _States, chosen: Sequence[_Actuator], u: Reals) -> DrivenResult:
    """The motion as one of the model with the forces in it."""
    actuated, drives, first = own_copy(model), dict[str, DriveChannel](), 0
    for a in chosen:
        values = u[:, first : first + len(a.coordinates)]
        first += len(a.coordinates)
        drives[a.name] = DriveChannel(values, _unit(model, a))
        laws: list[str | float] = []
        for i in range(values.shape[1]):
            end = f"_{a.coordinates[i]}" if values.shape[1] > 1 else ""
            laws.append(add_curve(actuated, f"drive_{a.name}{end}", states.t, values[:, i]))
        if a.of_joint:
            for law, i in zip(laws, a.coordinates, strict=True):
                actuated.add_force(free_name(actuated.forces, f"drive {a.name}"), JointTorque(a.name, law, i))
        else:
            vector: list[str | float] = [0.0, 0.0, 0.0]
            for law, i in zip(laws, a.coordinates, strict=True):
                vector[i] = law
            actuated.add_force(free_name(actuated.forces, f"drive {a.name}"), AppliedForce(a.name, vector))
    system = _same_coordinates(actuated, states.system)
    y = np.hstack([states.q, states.v, states.z, np.zeros((len(states.t), ENERGY_ACCUMULATORS))])
    y[:, -ENERGY_ACCUMULATORS:] = _works(system, states.t, y)
    stats = Stats(states.how, len(states.t), 0, 0, 0.0)
    state = "finished" if states.ok else "failed"
    return DrivenResult(
        system, states.t.copy(), y, states.ok, states.reason, stats, (), states.how, status=state,
        drives=drives, dead_points=states.dead_points,
    )  # fmt: skip


def _unit(model: Model, a: _Actuator) -> str:
    if not a.of_joint:
        return "N"
    units = [c.unit for c in model.joints[a.name].joint.coordinates for _ in range(c.nv)]
    found = {"N" if units[i] == "m" else "N m" for i in a.coordinates}
    return found.pop() if len(found) == 1 else "mixed"


def _same_coordinates(actuated: Model, driven: System) -> System:
    """The system of the actuated model with the tree, and so the coordinates, of the driven one."""
    assert driven.topology is not None
    kept = {name for force in actuated.forces.values() for name in force.driven_joints()}
    for name, layout in driven.joints.items():
        if layout.shadow_weld >= 0 and name not in kept:  # keeps its coordinates at a cut only if something reads them
            for i in range(len(layout.v)):
                actuated.add_force(free_name(actuated.forces, f"nothing in {name}"), JointTorque(name, 0.0, i))
    system = build_system(actuated, driven.topology, fuse=True)
    assert system.coordinate_names == driven.coordinate_names
    return system


def _works(system: System, t: Reals, y: Reals) -> Reals:
    """Work supplied and energy dissipated since the start, by splines through the powers at the outputs."""
    powers = observe(system, t, y, ENERGIES).energies[:, 3:5]
    times, where = np.unique(t, return_inverse=True)
    if len(times) < 2:
        return np.zeros_like(powers)
    from scipy.interpolate import CubicSpline

    _, keep = np.unique(t, return_index=True)
    return CubicSpline(times, powers[keep]).antiderivative()(times)[where]
