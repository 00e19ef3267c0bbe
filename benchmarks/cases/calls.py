"""Calls from Python: functions of an instant by `dt.Evaluator` and by Pinocchio's bindings, one call at a time.

Both are called from Python in a loop over 32 random states with arrays made beforehand; nothing is subtracted. Results
are compared first. A method of the evaluator is to take at most twice Pinocchio's time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import duoti as dt
from benchmarks.cases.derivatives import theirs_in_our_rates
from benchmarks.cases.trees import AGREEMENT, MODELS, Twin
from benchmarks.harness import Later, Pair, Side, case

pin: Any = Later("pinocchio")
Call = Callable[..., Any]


def looped(function: Call, states: list[tuple[Any, ...]], wanted: tuple[int, ...]) -> Callable[[int], None]:
    """n calls of a function with those of q, v, a that it wants."""
    arguments = [tuple(state[k] for k in wanted) for state in states]

    def run(n: int) -> None:
        for k in range(n):
            function(*arguments[k % len(arguments)])

    return run


Q, QV, QVA = (0,), (0, 1), (0, 1, 2)


def peer_frames(twin: Twin) -> Call:
    """Poses and velocities of all joints, and poses of as many frames as ours: a body and a marker for each joint."""
    model = twin.pin.copy()
    for i in range(1, model.njoints):
        for name, joint in ((f"b{i}", i), (f"m{i}", model.parents[i])):
            model.addFrame(pin.Frame(name, joint, model.jointPlacements[i], pin.FrameType.OP_FRAME))
    data = model.createData()

    def call(q: Any, v: Any) -> None:
        pin.forwardKinematics(model, data, q, v)
        pin.updateFramePlacements(model, data)

    return call


def functions(twin: Twin) -> dict[str, tuple[tuple[int, ...], Call, Call, Call]]:
    """By name: which of q, v, a it wants, the method, the plain function, and Pinocchio's."""
    system, e, model, data = twin.system, dt.Evaluator(twin.system), twin.pin, twin.data
    last, zero = f"b{model.njoints - 1}", np.zeros(model.nv)
    joint = model.njoints - 1
    return {
        "mass_matrix": (Q, e.mass_matrix, lambda q: dt.mass_matrix(system, q), lambda q: pin.crba(model, data, q)),
        "inverse_dynamics": (
            QVA, e.inverse_dynamics, lambda q, v, a: dt.inverse_dynamics(system, q, v, a),
            lambda q, v, a: pin.rnea(model, data, q, v, a),
        ),
        "accelerations": (
            QV, e.accelerations, lambda q, v: dt.accelerations(system, q, v),
            lambda q, v: pin.aba(model, data, q, v, zero),
        ),
        "bias_forces": (
            QV, e.bias_forces, lambda q, v: e.bias_forces(q, v, copy=True),
            lambda q, v: pin.nonLinearEffects(model, data, q, v),
        ),
        "jacobian": (
            Q, lambda q: e.jacobian(last, q), lambda q: dt.jacobian(system, last, q),
            lambda q: pin.computeJointJacobian(model, data, q, joint),
        ),
        "jacobian_rate": (
            QV, lambda q, v: e.jacobian_rate(last, q, v), lambda q, v: dt.analyses.jacobian_rate(system, last, q, v),
            lambda q, v: pin.computeJointJacobiansTimeVariation(model, data, q, v),
        ),
        "coriolis_matrix": (
            QV, e.coriolis_matrix, lambda q, v: dt.analyses.coriolis_matrix(system, q, v),
            lambda q, v: pin.computeCoriolisMatrix(model, data, q, v),
        ),
        "centroidal_momentum": (
            QV, e.centroidal_momentum, lambda q, v: dt.analyses.centroidal_momentum(system, q, v),
            lambda q, v: pin.computeCentroidalMapTimeVariation(model, data, q, v),
        ),
        "frames": (QV, e.frames, lambda q, v: e.frames(q, v, copy=True), peer_frames(twin)),
        "inverse derivatives": (
            QVA, e.inverse_dynamics_derivatives,
            lambda q, v, a: dt.analyses.inverse_dynamics_derivatives(system, q, v, a),
            lambda q, v, a: pin.computeRNEADerivatives(model, data, q, v, a),
        ),
        "forward derivatives": (
            QV, e.forward_dynamics_derivatives, lambda q, v: dt.analyses.forward_dynamics_derivatives(system, q, v),
            lambda q, v: pin.computeABADerivatives(model, data, q, v, zero),
        ),
        "inertial_regressor": (
            QVA, e.inertial_regressor, lambda q, v, a: dt.identification.inertial_regressor(system, q, v, a),
            lambda q, v, a: pin.computeJointTorqueRegressor(model, data, q, v, a),
        ),
    }  # fmt: skip


def disagreement(twin: Twin) -> float:
    """Largest difference of the results, relative to the largest number of each."""
    e, model, data, worst = dt.Evaluator(twin.system), twin.pin, twin.data, 0.0
    for q, v, a in zip(*twin.states(), strict=True):
        q_pin, v_pin, a_pin = twin.to_pin(q, v, a)
        T = twin.rates_to_pin(q)
        K, C, M = theirs_in_our_rates(twin, q, v, a)
        d = e.inverse_dynamics_derivatives(q, v, a)
        Y = T.T @ pin.computeJointTorqueRegressor(model, data, q_pin, v_pin, a_pin)
        tau = T.T @ pin.rnea(model, data, q_pin, v_pin, a_pin)
        pairs = [(e.mass_matrix(q), M), (e.inverse_dynamics(q, v, a), tau), (d.dq, K), (d.dv, C), (d.da, M)]
        pairs.append((e.inertial_regressor(q, v, a), Y))
        pin.computeCentroidalMapTimeVariation(model, data, q_pin, v_pin)
        A, dA = np.roll(data.Ag, 3, axis=0), np.roll(data.dAg, 3, axis=0)
        found = e.centroidal_momentum(q, v)
        pairs.append((found.matrix, A @ T))
        pairs.append((found.matrix @ a + found.bias, A @ a_pin + dA @ v_pin))
        C = e.coriolis_matrix(q, v)
        pairs.append((M @ a + C @ v + e.gravity_forces(q), tau))
        pairs.append((e.mass_matrix(q) @ e.accelerations(q, v) + e.bias_forces(q, v), 0.0 * tau))
        f = e.forward_dynamics_derivatives(q, v)
        pairs.append((f.dtau @ M, np.eye(len(v))))
        for ours, theirs in pairs:
            scale = max(float(np.max(np.abs(theirs))), float(np.max(np.abs(tau))) if theirs.ndim == 1 else 0.0)
            worst = max(worst, float(np.max(np.abs(ours - theirs))) / scale)
    return worst


def pair(what: str, plain: bool, twin: Twin) -> Pair:
    ours = list(zip(*twin.states(), strict=True))
    wanted, method, function, peer = functions(twin)[what]
    theirs = [twin.to_pin(*state) for state in ours]
    mine = looped(function if plain else method, ours, wanted)
    return Pair(Side(mine), Side(looped(peer, theirs, wanted)), disagreement(twin), AGREEMENT)


NAMES = (
    "mass_matrix", "inverse_dynamics", "accelerations", "bias_forces", "jacobian", "jacobian_rate", "coriolis_matrix",
    "centroidal_momentum", "frames", "inverse derivatives", "forward derivatives", "inertial_regressor",
)  # fmt: skip
for model in ("arm, 7", "humanoid, 30"):
    for what in NAMES:
        shown = (model, what) == ("arm, 7", "accelerations")
        case(f"Evaluator, {what}, {model}", "Pinocchio", 0.5, shown)(
            lambda w=what, m=MODELS[model]: pair(w, False, m())
        )
        case(f"plain call, {what}, {model}", "Pinocchio", None, False)(
            lambda w=what, m=MODELS[model]: pair(w, True, m())
        )
