"""Inverse dynamics (RNEA), mass matrix (CRBA) and forward dynamics (ABA) of trees, against Pinocchio.

    python benchmarks/recursions.py [rounds]

duoti's kernels are called in a compiled loop over 32 random states, Pinocchio's functions from Python with arrays made
beforehand. What the Python call costs Pinocchio is measured and subtracted:

* the same function of a model without joints, called in the same loop, is the cost of call, arguments and result;
* `pin.crba` besides clears the matrix before and mirrors and copies it (twice) afterwards: the same is done by a
  compiled loop, timed, and subtracted as well.

Where Pinocchio has two variants (body and world frames) the faster one counts.

The machine may be noisy. All candidates run on the calling thread, and what is measured is the processor time of that
thread, so that being set aside for another process does not count. One round times all candidates once, some
milliseconds each, one after the other; the ratio reported, and judged, is the median over the rounds of the ratio
within a round. The ratio of the best times is printed beside it: where the two differ much, do not trust the run.
Results of both sides are compared before anything is timed (relative to the largest entry).
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from functools import cached_property
from statistics import median
from time import thread_time
from typing import Any

import numpy as np
import pinocchio as pin

import duoti as dt
from duoti.dynamics.aba import aba
from duoti.dynamics.crba import crba
from duoti.dynamics.rnea import rnea
from duoti.dynamics.workspace import new_workspace
from duoti.kernel import kernel

STATES = 32
AGREEMENT = 1e-10
TARGETS = {"RNEA": 2.0, "CRBA": 1.0, "ABA": 2.0}
GROWTH = 1.3
SECONDS = 0.003  # that one timing takes


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


def arm7() -> Twin:
    return Twin(list(range(7)), False, 0.3, 1)


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


# ------------------------------------------------------------------------------------------------------------- timing


def timed(action: Callable[[int], Any]) -> Callable[[], float]:
    """A function that times `action(n)` with n chosen so that it takes SECONDS; returns seconds per call."""
    n = STATES
    action(n)  # compiles
    while True:
        start = thread_time()
        action(n)
        took = thread_time() - start
        if took > 0.5 * SECONDS:
            break
        n *= 2
    n = max(STATES, round(n * SECONDS / took / STATES) * STATES)

    def once() -> float:
        start = thread_time()
        action(n)
        return (thread_time() - start) / n

    return once


def interleaved(candidates: dict[str, Callable[[], float]], rounds: int) -> dict[str, np.ndarray]:
    """Times of all candidates, `rounds` times one after the other."""
    times: dict[str, list[float]] = {name: [] for name in candidates}
    gc.collect()
    gc.disable()
    try:
        for _ in range(rounds):
            for name, once in candidates.items():
                times[name].append(once())
    finally:
        gc.enable()
    return {name: np.array(t) for name, t in times.items()}


def python_loop(function: Callable[..., Any], model: Any, data: Any, states: list[tuple[Any, ...]], *more: Any) -> Any:
    """Call `function(model, data, *state, *more)` n times from Python."""

    def action(n: int) -> None:
        for _ in range(n // len(states)):
            for state in states:
                function(model, data, *state, *more)

    return action


def compare(twin: Twin, rounds: int) -> dict[str, tuple[float, float, float, float, float]]:
    """For each recursion: duoti's time, Pinocchio's, its overhead (all best), median ratio, ratio of best times."""
    system, tree, w = twin.system, twin.system.tree, new_workspace(twin.system)
    q, v, a = twin.states()
    in_pin = [twin.to_pin(*state) for state in zip(q, v, a, strict=True)]
    only_q = [(state[0],) for state in in_pin]
    out, M = np.zeros_like(v), np.zeros((system.nv, system.nv))
    copies = [np.zeros((system.nv, system.nv)) for _ in range(3)]
    empty = pin.Model()
    no_data, z = empty.createData(), np.zeros(0)
    nothing, no_q = [(z, z, z)] * STATES, [(z,)] * STATES
    LOCAL, WORLD = pin.Convention.LOCAL, pin.Convention.WORLD

    candidates = {
        "RNEA": lambda n: rnea_loop(tree, w, q, v, a, out, n),
        "RNEA pin": python_loop(pin.rnea, twin.pin, twin.data, in_pin),
        "RNEA call": python_loop(pin.rnea, empty, no_data, nothing),
        "CRBA": lambda n: crba_loop(tree, w, q, v, M, n),
        "CRBA pin": python_loop(pin.crba, twin.pin, twin.data, only_q, LOCAL),
        "CRBA pin world": python_loop(pin.crba, twin.pin, twin.data, only_q, WORLD),
        "CRBA call": python_loop(pin.crba, empty, no_data, no_q, LOCAL),
        "CRBA matrix": lambda n: matrix_loop(*copies, n),
        "ABA": lambda n: aba_loop(tree, w, q, v, a, out, n),
        "ABA pin": python_loop(pin.aba, twin.pin, twin.data, in_pin, LOCAL),
        "ABA pin world": python_loop(pin.aba, twin.pin, twin.data, in_pin, WORLD),
        "ABA call": python_loop(pin.aba, empty, no_data, nothing, LOCAL),
    }
    t = interleaved({name: timed(action) for name, action in candidates.items()}, rounds)
    found = {}
    for name in TARGETS:
        theirs = t[f"{name} pin"]
        if f"{name} pin world" in t and median(t[f"{name} pin world"]) < median(theirs):
            theirs = t[f"{name} pin world"]
        overhead = t[f"{name} call"] + (t["CRBA matrix"] if name == "CRBA" else 0.0)
        net = theirs - overhead
        best = theirs.min() - overhead.min()
        found[name] = (t[name].min(), best, overhead.min(), median(net / t[name]), best / t[name].min())
    return found


def growth(rounds: int) -> dict[str, tuple[float, float, float]]:
    """Best times per body [s] of chains of 100 and of 1000, and the median of their ratio."""
    candidates: dict[str, Callable[[], float]] = {}
    for n in (100, 1000):
        twin = chain(n)
        q, v, a = twin.states()
        out, tree, w = np.zeros_like(v), twin.system.tree, new_workspace(twin.system)

        def inverse(k: int, arguments: Any = (tree, w, q, v, a, out)) -> None:
            rnea_loop(*arguments, k)

        def forward(k: int, arguments: Any = (tree, w, q, v, a, out)) -> None:
            aba_loop(*arguments, k)

        candidates[f"RNEA {n}"], candidates[f"ABA {n}"] = timed(inverse), timed(forward)
    t = interleaved(candidates, rounds)
    per_body = {name: x / int(name.split()[1]) for name, x in t.items()}
    return {
        name: (
            per_body[f"{name} 100"].min(),
            per_body[f"{name} 1000"].min(),
            median(per_body[f"{name} 1000"] / per_body[f"{name} 100"]),
        )
        for name in ("RNEA", "ABA")
    }


def main() -> bool:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
    print(f"Pinocchio {pin.__version__} against duoti {dt.__version__}, {rounds} rounds, times in microseconds")
    print(
        f"{'model':12} {'':5} {'duoti':>8} {'pin':>8} {'(call)':>8} {'ratio':>6} {'of best':>8} {'differ':>9}  target"
    )
    ok = True
    for name, make in (("arm 7", arm7), ("humanoid 30", humanoid30), ("chain 100", lambda: chain(100))):
        twin = make()
        differ = disagreement(twin)
        for recursion, (ours, theirs, overhead, ratio, of_best) in compare(twin, rounds).items():
            fine = ratio >= TARGETS[recursion] and differ[recursion] < AGREEMENT
            ok &= fine
            print(
                f"{name:12} {recursion:5} {1e6 * ours:8.3f} {1e6 * theirs:8.3f} {1e6 * overhead:8.3f} {ratio:6.2f} "
                f"{of_best:8.2f} {differ[recursion]:9.1e}  >= {TARGETS[recursion]:.1f} {'PASS' if fine else 'FAIL'}"
            )
    print("\ncost per body [ns] of a chain of   100     1000    ratio  target")
    for recursion, (short, long, ratio) in growth(rounds).items():
        fine = ratio <= GROWTH
        ok &= fine
        print(
            f"{recursion:24} {1e9 * short:12.1f} {1e9 * long:8.1f} {ratio:8.2f}  <= {GROWTH:.1f} "
            f"{'PASS' if fine else 'FAIL'}"
        )
    return ok


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
