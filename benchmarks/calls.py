"""Calls from Python: functions of an instant of duoti and of Pinocchio's bindings, one call at a time.

    python benchmarks/calls.py [rounds]

For each function three candidates: a method of `dt.Evaluator`, the plain function (`dt.mass_matrix(system, q)`), and
Pinocchio's. All are called from Python in a loop over 32 random states with arrays made beforehand; nothing is
subtracted. Results are compared first. Times are processor time of the thread, all candidates in turn within a round;
judged are the medians over the rounds of the ratios within a round. Goals: a method takes at most twice Pinocchio's
time, a plain function of the arm less than 20 microseconds. A closed loop (slider-crank) has no peer and is shown only.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from statistics import median
from typing import Any

import numpy as np
import pinocchio as pin
from derivatives import theirs_in_our_rates
from recursions import AGREEMENT, Twin, arm7, humanoid30, interleaved, timed

import duoti as dt
from duoti.examples import slider_crank

MOST, PLAIN = 2.0, 20e-6
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
        "frames": (QV, e.frames, lambda q, v: e.frames(q, v, copy=True), peer_frames(twin)),
        "inverse derivatives": (
            QVA, e.inverse_dynamics_derivatives, lambda q, v, a: dt.inverse_dynamics_derivatives(system, q, v, a),
            lambda q, v, a: pin.computeRNEADerivatives(model, data, q, v, a),
        ),
        "forward derivatives": (
            QV, e.forward_dynamics_derivatives, lambda q, v: dt.forward_dynamics_derivatives(system, q, v),
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
        pairs.append((e.mass_matrix(q) @ e.accelerations(q, v) + e.bias_forces(q, v), 0.0 * tau))
        f = e.forward_dynamics_derivatives(q, v)
        pairs.append((f.dtau @ M, np.eye(len(v))))
        for ours, theirs in pairs:
            scale = max(float(np.max(np.abs(theirs))), float(np.max(np.abs(tau))) if theirs.ndim == 1 else 0.0)
            worst = max(worst, float(np.max(np.abs(ours - theirs))) / scale)
    return worst


def compare(name: str, twin: Twin, rounds: int) -> bool:
    differ = disagreement(twin)
    print(f"{name}: results differ by {differ:.1e} {'PASS' if differ < AGREEMENT else 'FAIL'}")
    ok = differ < AGREEMENT
    ours = list(zip(*twin.states(), strict=True))
    theirs = [twin.to_pin(*state) for state in ours]
    for what, (wanted, method, plain, peer) in functions(twin).items():
        candidates = {
            "method": looped(method, ours, wanted), "plain": looped(plain, ours, wanted),
            "pin": looped(peer, theirs, wanted),
        }  # fmt: skip
        t = interleaved({key: timed(action) for key, action in candidates.items()}, rounds)
        ratio = median(t["method"] / t["pin"])
        fine = ratio <= MOST and (name != "arm 7" or median(t["plain"]) < PLAIN)
        ok &= fine
        print(
            f"  {what:20} method {1e6 * t['method'].min():7.2f}   plain {1e6 * t['plain'].min():7.2f}   "
            f"pin {1e6 * t['pin'].min():7.2f} us   method / pin {ratio:5.2f} {'PASS' if fine else 'FAIL'}"
        )
    return ok


def closed_loop(rounds: int) -> None:
    """A slider-crank: no peer has the same functions."""
    system = dt.compile(slider_crank.build())
    e = dt.Evaluator(system)
    q, v = system.state({"main": 0.5}, rates={"main": 10.0})
    a = e.accelerations(q, v, copy=True)
    calls: dict[str, Call] = {
        "mass_matrix": lambda: e.mass_matrix(q), "accelerations": lambda: e.accelerations(q, v),
        "dt.accelerations": lambda: dt.accelerations(system, q, v),
        "inverse_dynamics": lambda: e.inverse_dynamics(q, v, a),
        "forward derivatives": lambda: e.forward_dynamics_derivatives(q, v),
    }  # fmt: skip
    t = interleaved({key: timed(looped(call, [()], ())) for key, call in calls.items()}, rounds)
    print("slider-crank: " + ", ".join(f"{key} {1e6 * each.min():.1f} us" for key, each in t.items()))


def main() -> bool:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 30
    print(f"Pinocchio {pin.__version__} against duoti {dt.__version__}, {rounds} rounds")
    ok = all([compare("arm 7", arm7(), rounds), compare("humanoid 30", humanoid30(), rounds)])
    closed_loop(rounds)
    return ok


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
