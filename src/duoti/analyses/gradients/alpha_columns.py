"""Columns of sensitivities along the steps of a generalised-alpha method (`integrate.implicit.alpha_step`)."""

from __future__ import annotations

import numpy as np

from duoti.analyses.gradients.discrete_run import DiscreteRun
from duoti.system.arrays import Reals


class AlphaColumns:
    """What the helpers a and s, and the rates at the end of a step, change by with the parameters."""

    def __init__(self, run: DiscreteRun, S: Reals):
        self.run = run
        nq, nv = run.nq, run.nv
        start, (here, later) = run.start, run.start.slopes(run)
        k = here.by_y @ S + here.by_p
        moved = later.by_y @ (S + start.d * k) + later.by_p
        helpers = k + start.weight[:, None] * (moved - k)
        self.a, self.s, self.k = helpers[nq : nq + nv], helpers[nq + nv :], k
        self._at_end = here.k

    def step(self, step: int, S: Reals) -> Reals:
        """Columns at the end of a step."""
        run, nq, nv = self.run, self.run.nq, self.run.nv
        z, h = nq + nv, float(run.t[step + 1] - run.t[step])
        alpha_m, alpha_f, beta, gamma, delta_m, delta_f, gamma_z = run.start.coefficients.tolist()
        c, cz = (1.0 - alpha_f) / (1.0 - alpha_m), (1.0 - delta_f) / (1.0 - delta_m)
        of_q, of_x = rotations(run, step)
        at = run.derivatives(float(run.t[step + 1]), run.y[step + 1])
        a = (alpha_f * self.k[nq:z] - alpha_m * self.a) / (1.0 - alpha_m)  # without the new rates
        s = (delta_f * self.k[z:] - delta_m * self.s) / (1.0 - delta_m)
        x = h * S[nq:z] + h * h * ((0.5 - beta) * self.a + beta * a)
        base = np.vstack([
            of_q @ S[:nq] + of_x @ x, S[nq:z] + h * ((1.0 - gamma) * self.a + gamma * a),
            S[z:] + h * ((1.0 - gamma_z) * self.s + gamma_z * s),
        ])  # fmt: skip
        D = np.zeros((run.n, run.n - nq))
        D[:nq, :nv], D[nq:z, :nv] = h * h * beta * c * of_x, h * gamma * c * np.eye(nv)
        D[z:, nv:] = h * gamma_z * cz * np.eye(run.nz)
        J = at.by_y[nq:]
        k = np.linalg.solve(np.eye(run.n - nq) - J @ D, J @ base + at.by_p[nq:])
        S_new = base + D @ k
        self._ends = (step, S, S_new, self.k, at.by_y @ S_new + at.by_p, self._at_end, at.k)
        self.a, self.s = a + c * k[:nv], s + cz * k[nv:]
        self.k, self._at_end = self._ends[4], at.k
        return S_new

    def within(self, theta: float) -> tuple[Reals, Reals]:
        """State and columns at a part of the last step: the cubic through its ends."""
        step, S, S_new, dk, dk_new, k, k_new = self._ends
        run = self.run
        h = float(run.t[step + 1] - run.t[step])
        f, g = theta * theta * (3.0 - 2.0 * theta), theta * (1.0 - theta)

        def cubic(y: Reals, y_new: Reals, k: Reals, k_new: Reals) -> Reals:
            return y + f * (y_new - y) + h * g * ((1.0 - theta) * k - theta * k_new)

        return cubic(run.y[step], run.y[step + 1], k, k_new), cubic(S, S_new, dk, dk_new)


def rotations(run: DiscreteRun, step: int) -> tuple[Reals, Reals]:
    """dq+/dq and dq+/dx of q+ = q o exp(x)."""
    tree = run.system.tree
    of_q, of_x = np.zeros((run.nq, run.nq)), np.zeros((run.nq, run.nv))
    of_q[tree.plain_q, tree.plain_q] = 1.0
    of_x[tree.plain_q, tree.plain_v] = 1.0
    for k, j in zip(tree.quat_q.tolist(), tree.quat_v.tolist(), strict=True):
        q, new = run.y[step, k : k + 4], run.y[step + 1, k : k + 4]
        L = _left(q)
        e = L.T @ new
        e = e if e[0] >= 0.0 else -e
        length = float(np.linalg.norm(e[1:]))
        t = 2.0 * np.arctan2(length, e[0])
        f = length / t if t > 1e-8 else 0.5
        bend = (0.5 * e[0] - f) / (t * t) if t > 1e-2 else t * t / 960.0 - 1.0 / 24.0
        x = e[1:] / f
        of_e = np.vstack([-0.5 * e[1:], f * np.eye(3) + bend * np.outer(x, x)])
        of_x[k : k + 4, j : j + 3] = L @ of_e
        a, b, c, d = e
        of_q[k : k + 4, k : k + 4] = [[a, -b, -c, -d], [b, a, d, -c], [c, -d, a, b], [d, c, -b, a]]
    return of_q, of_x


def _left(q: Reals) -> Reals:
    """L(q) e = q e, the product of quaternions."""
    a, b, c, d = q
    return np.array([[a, -b, -c, -d], [b, a, -d, c], [c, d, a, -b], [d, -c, b, a]])
