"""Derivatives of inverse and forward dynamics of trees, against Pinocchio.

Models and states are those of `trees`: duoti in a compiled loop, Pinocchio from Python, less the cost of the same call
for a model without joints. `pin.computeRNEADerivatives` and `pin.computeABADerivatives` hand out views of their
matrices, so nothing else is subtracted. Both sides deliver full matrices d tau/dq, d tau/dv and M (da/dq, da/dv and
M^-1).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from benchmarks.cases.trees import AGREEMENT, MODELS, STATES, Twin, over_states
from benchmarks.harness import Later, Pair, Side, case
from duoti.dynamics.derivatives.forward import aba_derivatives, factor_size
from duoti.dynamics.derivatives.rnea import rnea_derivatives
from duoti.dynamics.tree.rnea import rnea
from duoti.dynamics.workspace import new_workspace
from duoti.kernel import kernel
from duoti.system.tangent_arrays import allocate_tangent

pin: Any = Later("pinocchio")


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


def pair(what: str, twin: Twin) -> Pair:
    system, tree, w = twin.system, twin.system.tree, new_workspace(twin.system)
    tan, nv = allocate_tangent(tree, system.closures), system.nv
    q, v, a = twin.states()
    in_pin = [twin.to_pin(*state) for state in zip(q, v, a, strict=True)]
    out, L, X = np.zeros_like(v), np.zeros(factor_size(tree)), np.zeros((nv, 3 * nv))
    empty, z = pin.Model(), np.zeros(0)
    no_data, nothing = empty.createData(), [(z, z, z)] * STATES
    theirs = pin.computeRNEADerivatives if what == "inverse" else pin.computeABADerivatives
    ours = Side(
        (lambda n: inverse_loop(tree, w, tan, q, v, a, n))
        if what == "inverse"
        else (lambda n: forward_loop(tree, w, tan, q, v, a, out, L, X, n))
    )
    peer = Side(over_states(theirs, twin.pin, twin.data, in_pin))
    peer.overhead = over_states(theirs, empty, no_data, nothing)
    return Pair(ours, peer, disagreement(twin)[what], AGREEMENT)


for model, make in MODELS.items():
    for what, target in (("inverse", 1.3), ("forward", 1.0)):
        shown = (model, what) in (("humanoid, 30", "inverse"), ("chain, 100", "forward"))
        case(f"derivatives of {what} dynamics, {model}", "Pinocchio", target, shown)(
            lambda w=what, m=make: pair(w, m())
        )
