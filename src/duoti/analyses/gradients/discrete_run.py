"""A run of a Runge-Kutta method with its steps held, and the derivatives of each step.

With the tableau a, b, c and the rates f of y = (q, v, z), a step is

    Y_i = y_n + h sum_j a_ij k_j,    k_i = f(t_n + c_i h, Y_i, p),    y_{n+1} = P(y_n + h sum_i b_i k_i)            (1)

where P brings loops back to closure and quaternions to unit length. Its derivatives are those of each operation. Of
the rates, with the matrices of `analyses.states.linearised_equations`,

    [M -G^T] [da]     [K  C  Z] [delta]   [dr/dp]
    [G   0 ] [dl] = - [Aq Av 0] [dv, dz] - [dc/dp]                                                                  (2)

Displacements delta belong to changes of coordinates by delta = T(q) dq, and dq/dt = N(q) v is linear in a quaternion.
P moves a position by M^-1 G^T eta until g = 0, then rates likewise until dg/dt = 0. With B = M^-1 G^T (G M^-1 G^T)^-1

    delta+ = delta - B (G delta + dg/dp),    dv+ = dv - B (G dv + Gq delta+ + d(dg/dt)/dp)                          (3)

Changes of B times the removed error g are left out of (3): they are as small as the drift of one step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from duoti.analyses.gradients.expressions import PREFIX, Watched
from duoti.analyses.gradients.jumps import Jumps, refuse_contact_phases
from duoti.analyses.gradients.rate_derivatives import RateDerivatives, Rates
from duoti.analyses.gradients.reactions import ReactionValues
from duoti.analyses.gradients.slopes import ParameterSlopes
from duoti.analyses.gradients.switches import laws_of, warn_of_jumps
from duoti.analyses.sensitivity.equation_sensitivities import Held
from duoti.analyses.simulate.simulate import simulate, state_on_loops
from duoti.analyses.states.linearised_equations import RANK, Equations, Variation
from duoti.dynamics.joint_friction.installation import has_joint_friction
from duoti.dynamics.workspace import DEFAULT
from duoti.integrate.base import ExplicitSolver, algebraic_states
from duoti.integrate.explicit.dopri5 import DOPRI5
from duoti.integrate.explicit_loop import EXPLICIT_ENTRIES, RUNGE_KUTTA
from duoti.integrate.implicit.alpha_loop import FLOW, STIFF
from duoti.integrate.implicit.generalised_alpha import AlphaMethod, first_order_coefficients
from duoti.integrate.implicit.radau import Radau
from duoti.integrate.implicit.radau_loop import radau5
from duoti.kernel import run_entry
from duoti.model.checks.structure import checked_model
from duoti.model.event import SampleEvent
from duoti.model.forces.one_way_clutch import OneWayClutch
from duoti.results.result import Result
from duoti.system.arrays import Reals
from duoti.system.compile.compiler import build_system
from duoti.system.compile.copy_model import own_copy
from duoti.system.system import System

MOST_NEWTON, SOLVED, ROUND_OFF = 15, 1e-13, 1e-10  # as in `dynamics.derivatives.step_adjoint`


class ImplicitTableau(NamedTuple):
    """An implicit Runge-Kutta method, as `Tableau`."""

    stages: int
    A: Reals  # [stages + 1, stages + 1], with the weights in the last row
    c: Reals
    P: Reals  # [stages, degree] polynomials of the dense output


@dataclass(frozen=True)
class Closure:
    """Derivatives of P at the end of a step: dy+ = by_y dy + by_p."""

    by_y: Reals
    by_p: Reals


class DiscreteRun:
    """A run with held steps; the derivatives of its operations are made when they are asked for."""

    def __init__(self, watched: Watched, duration: float, solver: Any, what: str, options: dict[str, Any]):
        self.watched, self.family = watched, watched.family
        self.columns: dict[str, int] = {}  # of the expressions of objectives
        self.reactions: ReactionValues | None = None
        self.system = watched.system
        refuse(self.system, what)
        warn_of_jumps(what, laws_of(self.system.model), self.system.model, self.family.names)
        self.solver, self.method = _method(solver, what)
        self.implicit = isinstance(self.solver, Radau)
        self.alpha = isinstance(self.solver, AlphaMethod)
        if self.alpha and self.system.model.bond_graphs:
            raise ValueError(
                f"{what}: generalised-alpha runs with bond graphs are not differentiated; choose dt.Radau()"
            )
        if self.alpha and self.system.closures.rows:
            raise ValueError(
                f"{what}: generalised-alpha runs are differentiated for trees; this model has closed loops or "
                "constraints. Choose dt.Radau()"
            )
        self.extra, self.visible = watched.count, len(watched.expressions)
        self.nq, self.nv = self.system.nq, self.system.nv
        self.nz = self.system.nz - self.extra
        self.n = self.nq + self.nv + self.nz
        # states of bond graphs stand behind the expressions
        watched_z = np.array([name.startswith(PREFIX) for name in self.system.state_names], bool)
        first = self.nq + self.nv
        self.own = np.concatenate([np.arange(first), first + np.flatnonzero(~watched_z)])
        self.extras = first + np.flatnonzero(watched_z)
        plain = without_expressions(watched)
        self.result: Result = simulate(plain, duration, "steps", self.solver, progress=False, **options)
        if self.result.status == "interrupted":
            raise KeyboardInterrupt
        if not self.result.ok:
            raise ValueError(f"{what}: the run did not reach its end: {self.result.reason}")
        refuse_contact_phases(self.result, what)
        r = self.result
        self.t, self.y = r.t, np.hstack([r.q, r.v, r.z]) if self.nz else np.hstack([r.q, r.v])
        self.equations = Equations.of(self.system)
        self._rates: RateDerivatives | None = None
        self.first_held = self._held(self.t[0], self.y[0])[0]
        self.slopes = ParameterSlopes(self.family, self.first_held)
        self.jumps = Jumps(self, what)
        if self.alpha and self.jumps.found:
            raise ValueError(f"{what}: generalised-alpha runs with jumps are not differentiated; choose dt.Radau()")
        if self.alpha:
            self.start = AlphaStart(self)
        self.holonomic = self.system.closures.nonholonomic == 0

    # ------------------------------------------------------------------------------------------------ initial state

    def start_by_parameters(self) -> tuple[Reals, Reals]:
        """Derivatives of the initial state by the parameters, loops closed, and their errors."""
        found, errors = np.zeros((self.n, len(self.family.names))), np.zeros(len(self.family.names))
        here = self._start(self.system)
        for k in range(len(self.family.names)):
            if np.array_equal(self._start(self.family.near(k)), here):
                continue  # a number that the initial state does not depend on
            found[:, k], errors[k] = self.family.slope(k, self._start)
        return found, errors

    def _start(self, system: System) -> Reals:
        q, v, z = state_on_loops(system, None, 0.0, DEFAULT, None)
        return np.concatenate([q, v, z])[self.own]

    # ---------------------------------------------------------------------------------------------------- evaluation

    def _put(self, t: float, y: Reals) -> None:
        w = self.equations.work
        w.y[:] = 0.0
        w.y[self.own] = y
        w.clock[0] = t

    def _held(self, t: float, y: Reals) -> tuple[Held, Variation]:
        self._put(t, y)
        here = self.equations.vary()
        first = self.nq + self.nv
        z = self.equations.work.y[first : first + self.system.nz].copy()
        return Held(y[: self.nq], y[self.nq : first], z, t, here.a, here.multipliers), here

    def rates(self, t: float, y: Reals) -> tuple[Reals, Reals]:
        """Rates of the state, and values of the expressions."""
        self._put(t, y)
        w = self.equations.work
        run_entry(w.calls[0].ydot, w.at[0].system)
        return w.ydot[self.own].copy(), w.ydot[self.extras].copy()

    def derivatives(self, t: float, y: Reals) -> Rates:
        """Rates, values, and all their derivatives."""
        self._rates = self._rates or RateDerivatives(self)
        return self._rates(t, y)

    def unit(self, y: Reals) -> Reals:
        """With quaternions of unit length."""
        made = y.copy()
        for k in self.system.tree.quat_q.tolist():
            made[k : k + 4] /= np.linalg.norm(made[k : k + 4])
        return made

    def coordinates(self, q: Reals, v: Reals) -> tuple[Reals, Reals, Reals]:
        """N(q) of dq/dt = N v, T(q) of delta = T dq, and the derivative of N v by q."""
        tree = self.system.tree
        N, T, W = np.zeros((self.nq, self.nv)), np.zeros((self.nv, self.nq)), np.zeros((self.nq, self.nq))
        N[tree.plain_q, tree.plain_v] = 1.0
        T[tree.plain_v, tree.plain_q] = 1.0
        for i, j in zip(tree.quat_q.tolist(), tree.quat_v.tolist(), strict=True):
            s, x, y, z = q[i : i + 4]
            part = 0.5 * np.array([[-x, -y, -z], [s, -z, y], [z, s, -x], [-y, x, s]])
            N[i : i + 4, j : j + 3] = part
            T[j : j + 3, i : i + 4] = 4.0 * part.T / (q[i : i + 4] @ q[i : i + 4])
            a, b, c = v[j : j + 3]
            W[i : i + 4, i : i + 4] = 0.5 * np.array([[0, -a, -b, -c], [a, 0, c, -b], [b, -c, 0, a], [c, b, -a, 0]])
        return N, T, W

    def stages(self, step: int) -> list[tuple[float, Reals]]:
        """Times and states of the stages of a step."""
        if self.implicit:
            return self._implicit_stages(step)
        t, h, y, m = float(self.t[step]), float(self.t[step + 1] - self.t[step]), self.y[step], self.method
        found, k = list[tuple[float, Reals]](), list[Reals]()
        for i in range(m.stages):
            state = y + h * sum((m.A[i, j] * k[j] for j in range(i) if m.A[i, j] != 0.0), np.zeros(self.n))
            found.append((t + m.c[i] * h, state))
            k.append(self.rates(*found[-1])[0])
        return found

    def _implicit_stages(self, step: int) -> list[tuple[float, Reals]]:
        """The same of an implicit method, by Newton's method."""
        t, h, y, m = float(self.t[step]), float(self.t[step + 1] - self.t[step]), self.y[step], self.method
        A, times = m.A[: m.stages, : m.stages], t + m.c[: m.stages] * h
        k = np.tile((self.y[step + 1] - y) / h, (m.stages, 1))
        last = np.inf
        for _ in range(MOST_NEWTON):
            states = y + h * A @ k
            at = [self.derivatives(float(x), state) for x, state in zip(times, states, strict=True)]
            change = self.coupled(step, [each.by_y for each in at], np.array([each.k for each in at]) - k)
            k = k + change
            size = float(np.max(np.abs(h * change) / (1.0 + np.abs(y) + np.abs(h * k))))
            if size <= SOLVED or last <= size <= ROUND_OFF:
                return list(zip(times.tolist(), states, strict=True))
            last = size
        raise RuntimeError(f"the stages of the step at t = {t:.6g} s could not be solved again; choose a smaller step")

    def coupled(self, step: int, by_y: list[Reals], right: Reals) -> Reals:
        """x of x_i - h J_i sum a_ij x_j = right_i, for stages of an implicit method; right [stages, n, ...]."""
        h, stages, n = float(self.t[step + 1] - self.t[step]), self.method.stages, self.n
        A = self.method.A[:stages, :stages]
        matrix = np.eye(stages * n) - h * np.block([[A[i, j] * by_y[i] for j in range(stages)] for i in range(stages)])
        solved: Any = np.linalg.solve(matrix, right.reshape(stages * n, -1))
        return solved.reshape(right.shape)

    def _before_closure(self, step: int) -> Reals:
        """The new state of a step before P."""
        m, h = self.method, float(self.t[step + 1] - self.t[step])
        rates = [self.rates(*each)[0] for each in self.stages(step)]
        return self.y[step] + h * sum((m.A[m.stages, i] * k for i, k in enumerate(rates)), np.zeros(self.n))

    def closure(self, step: int) -> Closure | None:
        """Derivatives of P at the end of a step; None without loops and quaternions."""
        rows, nq, nv, n = self.system.closures.rows, self.nq, self.nv, self.n
        quaternions = self.system.tree.quat_q
        if not rows and not len(quaternions):
            return None
        t, y = float(self.t[step + 1]), self.y[step + 1]
        by_y, by_p = np.eye(n), np.zeros((n, len(self.family.names)))
        before = self._before_closure(step) if len(quaternions) else y
        for i in quaternions.tolist():
            u = y[i : i + 4]
            by_y[i : i + 4, i : i + 4] = (np.eye(4) - np.outer(u, u) / (u @ u)) / np.linalg.norm(before[i : i + 4])
        if not rows:
            return Closure(by_y, by_p)
        held, x = self._held(t, y)
        slopes = self.slopes(held)
        g = np.array([each.g for each in slopes]).T.reshape(rows, -1)
        gdot = np.array([each.gdot for each in slopes]).T.reshape(rows, -1)
        N, T, _ = self.coordinates(held.q, held.v)
        back: Any = np.linalg.solve(x.M, x.G.T)

        def inverse(G: Reals, columns: Reals) -> Reals:
            return columns @ np.linalg.pinv(G @ columns, rcond=RANK)

        Gh = x.G[self.holonomic]
        B = inverse(Gh, back[:, self.holonomic])
        moved_y, moved_p = N @ B @ Gh @ T, N @ B @ g[self.holonomic]
        first = by_y.copy()
        first[:nq, :nq] -= moved_y
        by_p[:nq] -= moved_p
        B = inverse(x.G, back)
        second = np.eye(n)
        second[nq : nq + nv, nq : nq + nv] -= B @ x.G
        second[nq : nq + nv, :nq] -= B @ x.Gq @ T
        by_p = second @ by_p
        by_p[nq : nq + nv] -= B @ gdot
        return Closure(second @ first, by_p)


class AlphaStart:
    """Coefficients of a generalised-alpha run, and how its helpers begin: a = k + shift h (k(y + d k) - k)/d."""

    def __init__(self, run: DiscreteRun):
        alpha_m, alpha_f, beta, gamma = run.solver.coefficients()
        delta_m, delta_f, gamma_z = first_order_coefficients(alpha_f)
        self.coefficients = np.array([alpha_m, alpha_f, beta, gamma, delta_m, delta_f, gamma_z])
        nq, nv, n = run.nq, run.nv, run.n
        h, t, y = float(run.t[1] - run.t[0]), float(run.t[0]), run.y[0]
        k = run.rates(t, y)[0]
        d = FLOW * h
        moved = run.unit(y + d * k)
        largest, change = 0.0, 0.0
        for here, there, size in zip(k[nq:], run.rates(t + d, moved)[0][nq:], y[nq:], strict=True):
            largest = max(largest, abs(here), STIFF * abs(size) / h)
            change = max(change, abs(there - here) / FLOW)
        cut = max(1.0, change / max(largest, 1e-300))
        shift = np.concatenate([np.full(nv, alpha_m - alpha_f), np.full(run.nz, delta_m - delta_f)])
        self.weight = np.concatenate([np.zeros(nq), shift * h / (cut * d)])  # of k(y + d k) - k
        self.d, self.t, self.y, self.k, self.moved = d, t, y, k, moved
        assert len(self.weight) == n

    def slopes(self, run: DiscreteRun) -> tuple[Rates, Rates]:
        """Rates with their derivatives at the beginning, and a little later."""
        return run.derivatives(self.t, self.y), run.derivatives(self.t + self.d, self.moved)


def _method(solver: Any, what: str) -> tuple[Any, Any]:
    """The solver of a run, and its tableau."""
    from duoti.analyses.simulate.choose_solver import given_solver

    given: Any = DOPRI5() if solver is None else given_solver(solver, None, None)
    if isinstance(given, Radau):
        of_stages = radau5()
        A = np.zeros((4, 4))
        A[:3, :3], A[3, :3] = of_stages.matrix, of_stages.matrix[2]
        # the collocation polynomial: y(theta) = y_n + h sum_j b_j(theta) k_j
        powers = np.vander(of_stages.c, 3, increasing=True)
        P = np.linalg.inv(powers).T / np.arange(1, 4)
        return given, ImplicitTableau(3, A, np.append(of_stages.c, 1.0), P)
    if isinstance(given, AlphaMethod):
        if given.step is None:
            raise ValueError(f"{what}: give {type(given).__name__} a constant step, or choose dt.Radau()")
        return given, ImplicitTableau(1, np.zeros((2, 2)), np.zeros(2), np.zeros((1, 1)))
    runge_kutta = isinstance(given, ExplicitSolver) and given.tableau().kind == RUNGE_KUTTA
    if not runge_kutta or given.entries() != EXPLICIT_ENTRIES:  # Verlet has a tableau, and a step of its own
        raise ValueError(
            f"{what}: {type(given).__name__} is not differentiated; choose an explicit Runge-Kutta method, "
            "dt.DOPRI5(), dt.DOP853(), dt.RKF45() or dt.RK4(step), or for stiff models dt.Radau() or "
            "dt.GeneralisedAlpha(step=...), or dt.Moreau(step) for contacts and dry friction"
        )
    return given, given.tableau()


def without_expressions(watched: Watched) -> System:
    """The system of the run itself, without the states of the expressions."""
    model = own_copy(watched.family.model)
    for k in range(watched.count):
        del model.states[f"{PREFIX}{k}"]
    topology = watched.system.topology
    assert topology is not None
    return build_system(checked_model(model).model, topology, fuse=True)


def refuse(system: System, what: str) -> None:
    """Raise ValueError with everything in a model that a run cannot be differentiated through yet."""
    model, faults = system.model, list[str]()
    if clutches := [name for name, force in model.forces.items() if isinstance(force, OneWayClutch)]:
        faults.append("one-way clutches: " + ", ".join(clutches))
    elif has_joint_friction(system):
        faults.append("joint friction or rigid stops (which dt.Moreau(step) differentiates)")
    if names := algebraic_states(system):
        faults.append("algebraic states: " + ", ".join(names))
    if controllers := [name for name, event in model.events.items() if isinstance(event, SampleEvent)]:
        faults.append("controllers: " + ", ".join(controllers))
    if faults:
        raise ValueError(
            f"{what}: runs with {'; '.join(faults)} are not differentiated yet. Leave these out, use a smooth law, or "
            "take differences of runs"
        )
