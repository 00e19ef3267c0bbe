"""Inverse dynamics (RNEA), mass matrix (CRBA) and forward dynamics (ABA) of trees, against Pinocchio.

duoti's kernels are called in a compiled loop over 32 random states, Pinocchio's functions from Python with arrays made
beforehand. What the Python call costs Pinocchio is measured in the same round and subtracted:

* the same function of a model without joints, called in the same loop, is the cost of call, arguments and result;
* `pin.crba` besides clears the matrix before and mirrors and copies it (twice) afterwards: the same is done by a
  compiled loop, timed, and subtracted as well.

Where Pinocchio has two variants (body and world frames) the faster one counts. Results are compared before anything is
timed, relative to the largest entry.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, cached_property
from time import thread_time
from typing import Any

import numpy as np

import duoti as dt
from benchmarks.harness import Later, Pair, Side, case
from duoti.dynamics.tree.aba import aba
from duoti.dynamics.tree.crba import crba
from duoti.dynamics.tree.rnea import rnea
from duoti.dynamics.workspace import new_workspace
from duoti.kernel import kernel

pin: Any = Later("pinocchio")
STATES = 32
AGREEMENT = 1e-10
TARGETS = {"RNEA": 2.0, "CRBA": 1.0, "ABA": 2.0}


# ------------------------------------------------------------------------------------------------------------- models


class Twin:
    """The same random tree in duoti and in Pinocchio: hinges about z in frames placed at random."""

    def __init__(self, parents: list[int], free_base: bool, length: float, seed: int):
        rng = np.random.default_rng(seed)
        self.model = dt.Model("twin")
        self.pin = pin.Model()
        self.free_base = free_base
        names, ids = ["ground"], [0]
        for i, parent in enumerate(parents, start=1):
            R, p = dt.Rotation.from_quaternion(_unit(rng.normal(size=4))), rng.normal(size=3) * length
            axes = dt.Rotation.from_quaternion(_unit(rng.normal(size=4))).matrix
            mass, com = rng.uniform(0.5, 2), rng.normal(size=3) * 0.1
            moments = axes @ np.diag(rng.uniform(0.01, 0.02, 3)) @ axes.T
            moments = 0.5 * (moments + moments.T)
            free = free_base and i == 1
            self.model.add_body(f"b{i}", dt.Inertia(mass, com, moments))
            self.model.add_marker(f"m{i}", names[parent], p, R)
            self.model.add_joint(f"j{i}", dt.Free() if free else dt.Revolute("z"), f"m{i}", f"b{i}")
            joint = pin.JointModelFreeFlyer() if free else pin.JointModelRZ()
            ids.append(self.pin.addJoint(ids[parent], joint, pin.SE3(R.matrix, p), f"j{i}"))
            self.pin.appendBodyToJoint(ids[i], pin.Inertia(mass, com, moments), pin.SE3.Identity())
            names.append(f"b{i}")
        self.system = dt.compile(self.model)
        self.joints = [self.system.joints[f"j{i}"] for i in range(1, len(names))]
        self.v_order = np.concatenate([j.v for j in self.joints])

    @cached_property
    def data(self) -> pin.Data:
        """Pinocchio's workspace; it has tensors of nv^3 entries (32 GB for a chain of 1000)."""
        return self.pin.createData()

    def states(self, seed: int = 5) -> tuple[np.ndarray, ...]:
        """Random q, v, a (or tau), one row a state, in duoti's order."""
        rng = np.random.default_rng(seed)
        q = rng.normal(size=(STATES, self.system.nq))
        v, a = rng.normal(size=(2, STATES, self.system.nv))
        if self.free_base:
            k = self.joints[0].q[3:]
            q[:, k] = [_unit(x) for x in q[:, k]]
        return q, v, a

    def to_pin(self, q: np.ndarray, v: np.ndarray, a: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """The same state and accelerations in Pinocchio's coordinates (scalar last, all in the body's axes)."""
        q = np.concatenate([q[j.q] for j in self.joints])
        v, a = v[self.v_order], a[self.v_order]
        if self.free_base:
            q[3:7] = q[[4, 5, 6, 3]]
            R = pin.Quaternion(q[3:7]).toRotationMatrix()
            v[:3] = R.T @ v[:3]
            a[:3] = R.T @ a[:3] - np.cross(v[3:6], v[:3])
        return q, v, a

    def rates_to_pin(self, q: np.ndarray) -> np.ndarray:
        """T such that v of Pinocchio = T v of duoti; forces and mass matrix follow from it."""
        T = np.eye(self.system.nv)[self.v_order]
        if self.free_base:
            k = self.joints[0].q[3:]
            R = pin.Quaternion(*q[k]).toRotationMatrix()
            T[:3] = R.T @ T[:3]
        return T


def _unit(x: np.ndarray) -> np.ndarray:
    return x / np.linalg.norm(x)


@cache
def arm7() -> Twin:
    return Twin(list(range(7)), False, 0.3, 1)


@cache
def humanoid30() -> Twin:
    """Free base; two legs of 6 hinges, torso of 2, on it two arms of 4 and a neck of 2."""
    parents = [0]

    def limb(root: int, hinges: int) -> int:
        for _ in range(hinges):
            parents.append(root)
            root = len(parents)
        return root

    limb(1, 6)
    limb(1, 6)
    torso = limb(1, 2)
    limb(torso, 4)
    limb(torso, 4)
    limb(torso, 2)
    return Twin(parents, True, 0.3, 3)


@cache
def chain(n: int) -> Twin:
    return Twin(list(range(n)), False, 0.1, 2)


# ----------------------------------------------------------------------------------------------------- compiled loops


@kernel
def rnea_loop(tree, w, q, v, a, out, n):
    for k in range(n):
        i = k % q.shape[0]
        rnea(tree, w, q[i], v[i], a[i], out[i])


@kernel
def aba_loop(tree, w, q, v, tau, out, n):
    for k in range(n):
        i = k % q.shape[0]
        aba(tree, w, q[i], v[i], tau[i], out[i])


@kernel
def crba_loop(tree, w, q, v, M, n):
    for k in range(n):
        i = k % q.shape[0]
        crba(tree, w, q[i], v[i], M)


@kernel
def matrix_loop(M, first, second, n):
    """What `pin.crba` does with the matrix: clear, mirror, copy to a result, copy that to a NumPy array."""
    for _ in range(n):
        for i in range(M.shape[0]):
            for j in range(M.shape[0]):
                M[i, j] = 0.0
        for i in range(M.shape[0]):
            for j in range(i):
                M[j, i] = M[i, j]
        for i in range(M.shape[0]):
            for j in range(M.shape[0]):
                first[i, j] = M[i, j]
        for i in range(M.shape[0]):
            for j in range(M.shape[0]):
                second[i, j] = first[i, j]


# --------------------------------------------------------------------------------------------------------- agreement


def disagreement(twin: Twin) -> dict[str, float]:
    """Largest difference of the results, relative to the largest entry."""
    system, w = twin.system, new_workspace(twin.system)
    worst = {"RNEA": 0.0, "CRBA": 0.0, "ABA": 0.0}
    for q, v, a in zip(*twin.states(), strict=True):
        tau, M, acceleration = np.zeros(system.nv), np.zeros((system.nv, system.nv)), np.zeros(system.nv)
        T = twin.rates_to_pin(q)
        q_pin, v_pin, a_pin = twin.to_pin(q, v, a)
        rnea(system.tree, w, q, v, a, tau)
        crba(system.tree, w, q, v, M)
        tau_pin = pin.rnea(twin.pin, twin.data, q_pin, v_pin, a_pin)
        worst["RNEA"] = max(worst["RNEA"], _difference(tau, T.T @ tau_pin))
        worst["CRBA"] = max(
            worst["CRBA"], _difference(np.tril(M), np.tril(T.T @ pin.crba(twin.pin, twin.data, q_pin) @ T))
        )
        # tau that belongs to the acceleration a brings a back, on both sides
        aba(system.tree, w, q, v, T.T @ tau_pin, acceleration)
        a_found = pin.aba(twin.pin, twin.data, q_pin, v_pin, tau_pin)
        in_pin = twin.to_pin(q, v, acceleration)[2]
        worst["ABA"] = max(worst["ABA"], _difference(in_pin, a_found))
    return worst


def _difference(x: np.ndarray, y: np.ndarray) -> float:
    return float(np.max(np.abs(x - y)) / np.max(np.abs(y)))


# -------------------------------------------------------------------------------------------------------------- cases


def over_states(function: Callable[..., Any], model: Any, data: Any, states: list[tuple[Any, ...]], *more: Any) -> Any:
    """n calls of `function(model, data, *state, *more)` from Python."""

    def run(n: int) -> None:
        for k in range(n):
            function(model, data, *states[k % STATES], *more)

    return run


def faster(first: Callable[[int], Any], second: Callable[[int], Any]) -> Callable[[int], Any]:
    """The one that takes less time, best of five."""
    best = [np.inf, np.inf]
    for _ in range(5):
        for i, run in enumerate((first, second)):
            began = thread_time()
            run(1000)
            best[i] = min(best[i], thread_time() - began)
    return first if best[0] <= best[1] else second


def pair(recursion: str, twin: Twin) -> Pair:
    system, tree, w = twin.system, twin.system.tree, new_workspace(twin.system)
    q, v, a = twin.states()
    in_pin = [twin.to_pin(*state) for state in zip(q, v, a, strict=True)]
    only_q = [(state[0],) for state in in_pin]
    out, M = np.zeros_like(v), np.zeros((system.nv, system.nv))
    copies = [np.zeros((system.nv, system.nv)) for _ in range(3)]
    empty, z = pin.Model(), np.zeros(0)
    no_data, nothing, no_q = empty.createData(), [(z, z, z)] * STATES, [(z,)] * STATES
    conventions = pin.Convention.LOCAL, pin.Convention.WORLD
    if recursion == "RNEA":
        ours = Side(lambda n: rnea_loop(tree, w, q, v, a, out, n))
        peer = Side(over_states(pin.rnea, twin.pin, twin.data, in_pin))
        peer.overhead = over_states(pin.rnea, empty, no_data, nothing)
    elif recursion == "CRBA":
        ours = Side(lambda n: crba_loop(tree, w, q, v, M, n))
        peer = Side(faster(*(over_states(pin.crba, twin.pin, twin.data, only_q, each) for each in conventions)))
        call = over_states(pin.crba, empty, no_data, no_q, conventions[0])

        def overhead(n: int) -> None:
            call(n)
            matrix_loop(*copies, n)

        peer.overhead = overhead
    else:
        ours = Side(lambda n: aba_loop(tree, w, q, v, a, out, n))
        peer = Side(faster(*(over_states(pin.aba, twin.pin, twin.data, in_pin, each) for each in conventions)))
        peer.overhead = over_states(pin.aba, empty, no_data, nothing, conventions[0])
    return Pair(ours, peer, disagreement(twin)[recursion], AGREEMENT)


MODELS: dict[str, Callable[[], Twin]] = {"arm, 7": arm7, "humanoid, 30": humanoid30, "chain, 100": lambda: chain(100)}
for model, make in MODELS.items():
    for recursion, target in TARGETS.items():
        case(f"{recursion}, {model}", "Pinocchio", target, model == "arm, 7")(lambda r=recursion, m=make: pair(r, m()))
