"""Positions that close the loops of a system: Gauss-Newton steps of least length from a position nearby."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import nullcontext
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duoti.dynamics.loops.constraints import closure_state
from duoti.dynamics.tree.kinematics import calc_qdot
from duoti.dynamics.workspace import new_workspace
from duoti.kernel import cold_kernel, one_blas_thread
from duoti.model.element_id import ElementId
from duoti.model.elements import given_numbers
from duoti.model.equations.dot_row import Dot
from duoti.system.arrays import Ints, Reals, Work
from duoti.system.constraint_arrays import dense_jacobian
from duoti.system.system import System

Flags = NDArray[np.bool_]
ITERATIONS = 100
LONGEST = 0.5  # largest change of a coordinate in one step [rad or m]
SERIAL_BLAS_SIZE = 2000  # numbers in a matrix that no BLAS shares among threads
CLOSED = 1e-9  # residual [m or rad] up to which a loop is closed
OPEN = 1e-6  # beyond this it is open: far above what assembly and projection leave (1e-12), far below what changes a
# result that anybody looks at. In between are loops of files with rounded numbers, which no position closes better
SINGULAR = 1e-9  # directions below this part of the largest singular value are not used


@cold_kernel("tree d1 d1 d1")
def shift(tree, q, dq, scratch):
    """q moved by dq, which counts like rates."""
    calc_qdot(tree, q, dq, scratch)
    for i in range(q.shape[0]):
        q[i] += scratch[i]
    for i in range(tree.quat_q.shape[0]):
        k = tree.quat_q[i]
        s = 1.0 / (q[k] ** 2 + q[k + 1] ** 2 + q[k + 2] ** 2 + q[k + 3] ** 2) ** 0.5
        for n in range(k, k + 4):
            q[n] = s * q[n]


class LoopEquations:
    """The closures of a system in any position, ready for Gauss-Newton steps."""

    def __init__(self, system: System, t: float, work: Work | None):
        self.system, self.work, self.t = system, work or new_workspace(system), t
        self.names = system.closure_names
        first, kind = system.closures.first.tolist(), system.closures.equation_kind
        axes = [number for number, each in enumerate(system.equation_kinds) if each is Dot]
        rows = [np.flatnonzero(np.isin(kind[i:j], axes)) + i for i, j in pairwise(first)]
        self.turning = [(k, each) for k, each in enumerate(rows) if len(each) > 1 and self.names[k].kind == "joint"]

    def look(self, q: Reals, v: Reals) -> None:
        """Evaluate the closures; `g` and `jacobian()` are those of `work`, but for axes that are far from their place.

        An equation a . b = 0 also holds for an axis that points the wrong way. So where the axes of a cut joint make
        an angle x of more than a right angle with their place, sin x is replaced by x itself, which only vanishes where
        it should, and the row of the Jacobian, which is cos x times a direction, by the direction.
        """
        closure_state(self.work, self.t, q, v)
        self.g = self.work.g.copy()
        self.cosines: list[tuple[Ints, float]] = []
        for closure, rows in self.turning:
            R_A, R_B = (self._axes(int(m)) for m in self.system.closures.markers[closure])
            cosine = float(R_A[:, 2] @ R_B[:, 2]) if len(rows) == 2 else 0.5 * (float(np.sum(R_A * R_B)) - 1.0)
            if cosine < 0.0:
                sine = float(np.linalg.norm(self.g[rows]))
                direction = self.g[rows] / sine if sine > 1e-6 else np.eye(len(rows))[0]
                self.g[rows] = np.arctan2(sine, cosine) * direction
                self.cosines.append((rows, min(cosine, -0.1)))

    def jacobian(self) -> Reals:
        """Of `g`, where one looked last."""
        G = dense_jacobian(self.system.closures, self.system.nv, self.work.G)
        for rows, cosine in self.cosines:
            G[rows] /= cosine
        return G

    def undefined(self) -> list[ElementId]:
        """Closures whose equations or derivatives are no numbers, where one looked last."""
        sound = np.isfinite(self.g) & np.isfinite(self.jacobian()).all(axis=1)
        first = self.system.closures.first
        return [name for i, name in enumerate(self.names) if not sound[first[i] : first[i + 1]].all()]

    def _axes(self, marker: int) -> Reals:
        """Orientation of a marker in the world."""
        loads = self.system.loads
        R_WB = self.work.X_WB[loads.markers.body[marker], :9].reshape(3, 3)
        return R_WB @ loads.markers.X_BM[marker, :9].reshape(3, 3)

    def moved(self, q: Reals, dq: Reals) -> Reals:
        """q moved by dq, which counts like rates."""
        new = q.copy()
        shift(self.system.tree, new, dq, np.zeros_like(q))
        return new

    def by_link(self, residual: Reals) -> dict[ElementId, float]:
        """Largest residual of each closure."""
        first = self.system.closures.first
        return {
            closure: float(np.max(np.abs(residual[first[i] : first[i + 1]]), initial=0.0))
            for i, closure in enumerate(self.names)
        }


def held_dofs(system: System, given: Mapping[str, Any], rates: bool) -> Flags:
    """Which rates belong to coordinates that are given; given: values (or, with `rates`, rates) by joint."""
    held = np.zeros(system.nv, dtype=bool)
    for name, value in given.items():
        joint, layout = system.model.joints[name].joint, system.joints[name]
        if layout.closure < 0:
            held[layout.v] = given_numbers(joint, value, rates, counted_like_velocities=True)
    return held


def held_at_start(system: System) -> tuple[Flags, Flags]:
    """Which positions and rates, counted like rates, the model's initial values give."""
    joints = system.model.joints.items()
    held_q = held_dofs(system, {name: element.q0 for name, element in joints}, rates=False)
    held_v = held_dofs(system, {name: element.v0 for name, element in joints}, rates=True)
    for name, layout in system.flexible.items():
        body = system.model.bodies[name]
        for held, given in ((held_q, body.q0), (held_v, body.v0)):
            named = [int(mode) for mode in given] if isinstance(given, Mapping) else slice(None)
            held[layout.v[named]] = given is not None
    return held_q, held_v


def least_step(G: Reals, residual: Reals, held: Flags) -> Reals:
    """Shortest change of what is not held that removes the residual to first order."""
    step = np.zeros(G.shape[1])
    with one_blas_thread() if G.size > SERIAL_BLAS_SIZE else nullcontext():
        step[~held] = np.linalg.lstsq(G[:, ~held], -residual, rcond=SINGULAR)[0]
    return step


def undeformed(system: System, held: Flags) -> Flags:
    """The same with all modal coordinates held: joints move before bodies deform."""
    rigid = held.copy()
    for layout in system.flexible.values():
        rigid[layout.v] = True
    return rigid


def close(loops: LoopEquations, q: Reals, v: Reals, held: Flags) -> tuple[Reals, float]:
    """Coordinates as near to q as the loops allow, by Gauss-Newton steps, and the residual that is left."""
    loops.look(q, v)
    size = float(np.max(np.abs(loops.g)))
    for _ in range(ITERATIONS):
        if size <= loops.system.closures.tolerance:
            break
        G = loops.jacobian()
        if not np.all(np.isfinite(G)):  # a position in which an equation has no derivative
            break
        step = least_step(G, loops.g, held)
        step *= min(1.0, LONGEST / max(float(np.max(np.abs(step))), 1e-300))
        trial, trial_size, part = q, np.inf, 1.0
        while part > 1e-4:
            trial = loops.moved(q, part * step)
            loops.look(trial, v)
            trial_size = float(np.max(np.abs(loops.g)))
            if trial_size < size:
                break
            part *= 0.5
        if trial_size >= size:
            loops.look(q, v)
            break
        q, size = trial, trial_size
    return q, size
