"""Derivatives of inverse and forward dynamics of trees, against Pinocchio.

    python benchmarks/derivatives.py [rounds]

Models, states and timing are those of `recursions.py`: processor time of the thread, candidates in turn within a round,
medians of the ratios within the rounds; duoti in a compiled loop, Pinocchio from Python, less the cost of the same call
for a model without joints. `pin.computeRNEADerivatives` and `pin.computeABADerivatives` hand out views of their
matrices, so nothing else is subtracted. Both sides deliver full matrices d tau/dq, d tau/dv and M (da/dq, da/dv and
M^-1). There is a target for inverse dynamics only.
"""

from __future__ import annotations

import sys
from statistics import median

import numpy as np
import pinocchio as pin
from recursions import AGREEMENT, STATES, Twin, arm7, chain, humanoid30, interleaved, python_loop, timed

import duoti as dt
from duoti.dynamics.forward_derivatives import aba_derivatives, factor_size
from duoti.dynamics.rnea import rnea
from duoti.dynamics.rnea_derivatives import rnea_derivatives
from duoti.dynamics.workspace import new_workspace
from duoti.kernel import kernel
from duoti.system.tangent import allocate_tangent

TARGET = 1.3
JUDGED = ("arm 7", "humanoid 30")


@kernel
def inverse_loop(tree, w, tan, q, v, a, n):
    for k in range(n):
        i = k % q.shape[0]
        rnea_derivatives(tree, w, tan, q[i], v[i], a[i])


@kernel
def forward_loop(tree, w, tan, q, v, tau, out, L, X, n):
    for k in range(n):
        i = k % q.shape[0]
        aba_derivatives(tree, w, tan, q[i], v[i], tau[i], out[i], L, X)


def skew(x: np.ndarray) -> np.ndarray:
    return np.cross(np.eye(3), x)


def theirs_in_our_rates(twin: Twin, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> list[np.ndarray]:
    """Pinocchio's derivatives of tau by our displacements, rates and their rates.

    v_pin = T v and tau = T^T tau_pin, where T turns the velocity of a free base into its own axes and so depends on q:
    with x = R^T v, y = R^T a of the base and its angular velocity w, a_pin = y - w x x.
    """
    q_pin, v_pin, a_pin = twin.to_pin(q, v, a)
    T = twin.rates_to_pin(q)
    tau = pin.rnea(twin.pin, twin.data, q_pin, v_pin, a_pin)
    K, C, M = (x.copy() for x in pin.computeRNEADerivatives(twin.pin, twin.data, q_pin, v_pin, a_pin))
    v_q, a_q, a_v, turned = (np.zeros_like(T) for _ in range(4))
    if twin.free_base:
        shifts, turns = twin.joints[0].v[:3], twin.joints[0].v[3:]
        R, w = T[:3, shifts].T, v_pin[3:6]
        x, y = R.T @ v[shifts], R.T @ a[shifts]
        v_q[:3, turns], a_q[:3, turns] = skew(x), skew(y) - skew(w) @ skew(x)
        a_v[:3, shifts], a_v[:3, turns] = -skew(w) @ R.T, skew(x)
        turned[np.ix_(shifts, turns)] = -R @ skew(tau[:3])
    return [turned + T.T @ (K @ T + C @ v_q + M @ a_q), T.T @ (C @ T + M @ a_v), T.T @ M @ T]


def disagreement(twin: Twin) -> dict[str, float]:
    """Largest difference of the results, relative to the largest entry of each matrix."""
    system, w, nv = twin.system, new_workspace(twin.system), twin.system.nv
    tan = allocate_tangent(system.tree, system.closures)
    tau, back, L, X = np.zeros(nv), np.zeros(nv), np.zeros(factor_size(system.tree)), np.zeros((nv, 3 * nv))
    worst = {"inverse": 0.0, "forward": 0.0}
    for q, v, a in zip(*twin.states(), strict=True):
        K, C, M = theirs_in_our_rates(twin, q, v, a)
        rnea_derivatives(system.tree, w, tan, q, v, a)
        for ours, theirs in ((tan.K, K), (tan.C, C), (tan.M, M)):
            worst["inverse"] = max(worst["inverse"], difference(ours, theirs))
        rnea(system.tree, w, q, v, a, tau)
        aba_derivatives(system.tree, w, tan, q, v, tau, back, L, X)
        expected = np.linalg.solve(M, np.hstack([-K, -C, np.eye(nv)]))
        worst["forward"] = max(worst["forward"], difference(X, expected))
    return worst


def difference(x: np.ndarray, y: np.ndarray) -> float:
    return float(np.max(np.abs(x - y)) / np.max(np.abs(y)))


def compare(twin: Twin, rounds: int) -> dict[str, tuple[float, float, float, float, float]]:
    """Times of duoti, of Pinocchio and of its empty call (all best), median ratio, ratio of the best times."""
    system, tree, w = twin.system, twin.system.tree, new_workspace(twin.system)
    tan, nv = allocate_tangent(tree, system.closures), system.nv
    q, v, a = twin.states()
    in_pin = [twin.to_pin(*state) for state in zip(q, v, a, strict=True)]
    out, L, X = np.zeros_like(v), np.zeros(factor_size(tree)), np.zeros((nv, 3 * nv))
    empty, z = pin.Model(), np.zeros(0)
    no_data, nothing = empty.createData(), [(z, z, z)] * STATES
    candidates = {
        "inverse": lambda n: inverse_loop(tree, w, tan, q, v, a, n),
        "inverse pin": python_loop(pin.computeRNEADerivatives, twin.pin, twin.data, in_pin),
        "inverse call": python_loop(pin.computeRNEADerivatives, empty, no_data, nothing),
        "forward": lambda n: forward_loop(tree, w, tan, q, v, a, out, L, X, n),
        "forward pin": python_loop(pin.computeABADerivatives, twin.pin, twin.data, in_pin),
        "forward call": python_loop(pin.computeABADerivatives, empty, no_data, nothing),
    }
    t = interleaved({name: timed(action) for name, action in candidates.items()}, rounds)
    found = {}
    for name in ("inverse", "forward"):
        ours, theirs, call = t[name], t[f"{name} pin"], t[f"{name} call"]
        best = theirs.min() - call.min()
        found[name] = (ours.min(), best, call.min(), median((theirs - call) / ours), best / ours.min())
    return found


def main() -> bool:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    print(f"Pinocchio {pin.__version__} against duoti {dt.__version__}, {rounds} rounds, times in microseconds")
    print(
        f"{'model':12} {'':8} {'duoti':>8} {'pin':>8} {'(call)':>8} {'ratio':>6} {'of best':>8} {'differ':>9}  target"
    )
    ok = True
    for name, make in (("arm 7", arm7), ("humanoid 30", humanoid30), ("chain 100", lambda: chain(100))):
        twin = make()
        differ = disagreement(twin)
        for what, (ours, theirs, call, ratio, of_best) in compare(twin, rounds).items():
            judged = what == "inverse" and name in JUDGED
            fine = differ[what] < AGREEMENT and (not judged or ratio >= TARGET)
            ok &= fine
            print(
                f"{name:12} {what:8} {1e6 * ours:8.3f} {1e6 * theirs:8.3f} {1e6 * call:8.3f} {ratio:6.2f} "
                f"{of_best:8.2f} {differ[what]:9.1e}  {f'>= {TARGET}' if judged else '':6} {'PASS' if fine else 'FAIL'}"
            )
    return ok


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
