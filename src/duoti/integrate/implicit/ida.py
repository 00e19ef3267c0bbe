"""IDA of SUNDIALS (Hindmarsh et al. 2005): backward differentiation formulas of variable order and step.

IDA runs in compiled code of its own, through the package scikit-sundae, and calls back for residuals and Jacobians,
which are kernels of ours (`ida_kernels`, where the equations are). It gives back one step after the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, ClassVar

import numpy as np

from duoti.dynamics.workspace import new_linearisation
from duoti.integrate.base import SolverLoop, Tolerances
from duoti.integrate.events import event_addresses
from duoti.integrate.implicit.ida_kernels import (
    BLOCK_BYTES,
    TINY,
    accept_ida,
    jacobian_ida,
    new_packed,
    residual_ida,
    restart_ida,
    set_compliance,
    start_ida,
    step_status,
    wants_polynomial,
)
from duoti.integrate.record import record_of_multipliers
from duoti.integrate.state import (
    CONTINUE,
    DRIVER_CONTEXT,
    NEWTON_FAILED,
    NOT_FINITE,
    STEP_TOO_SMALL,
    Run,
)
from duoti.kernel import pack
from duoti.model.errors import MissingPackageError
from duoti.system.arrays import ENERGY_ACCUMULATORS, Reals, Work
from duoti.system.system import System

# absolute tolerance of what takes no part in the control of the error: energy accumulators and multipliers
UNCONTROLLED_ATOL = 1e20
SMALL_STEP = 1e-10  # part of the duration: a step of this size whose iteration still fails is the end
SMALLEST_STEP = 1e-14  # and so small an end in any case
RESTART = 0.1  # first step of a new beginning, relative to the last one that was tried in vain
LAPACK_UNKNOWNS = 100  # unknowns from which LAPACK solves faster


@dataclass(frozen=True)
class IDA(Tolerances):
    r"""Backward differentiation formulas of variable order from SUNDIALS. Needs `pip install "duoti[ida]"`.

    $$\sum_{i=0}^{k} \alpha_i\, y_{n-i} = h\, \beta_0\, f(t_n, y_n), \qquad k = 1, \dots, 5$$

    * Order 1 to 5; order and step follow from the tolerances.
    * One implicit equation a step.
    * Stability: A-stable for orders 1 and 2, A(α)-stable up to 5.
    * For: stiff motion over long times with few events. Positions and velocities of closed loops are satisfied at every
      step.

    The tolerances bound the error of a step. The error of the whole motion can be larger by orders of magnitude.

    References
    ----------
    A. C. Hindmarsh et al., SUNDIALS: Suite of nonlinear and differential/algebraic equation solvers, ACM Transactions
    on Mathematical Software 31 (2005) 363-396.
    """

    enforces_constraints: ClassVar[bool] = True
    holds_joints_in_loops: ClassVar[bool] = False
    rtol: float = 1e-6
    atol: float = 1e-8

    def faults(self) -> list[str]:
        found = super().faults()
        if not found and self.atol == 0:
            found.append("atol=0: IDA needs a positive absolute tolerance, e.g. 1e-10, for values that pass zero")
        return found

    def loop(self, system: System, times: Reals | None, work: Work) -> SolverLoop:
        _sundae()
        return _IdaLoop(system, times, work, self)


@cache
def _sundae() -> Any:
    """The class IDA of scikit-sundae, and whether it has LAPACK."""
    try:
        from sksundae._cy_common import config  # pyright: ignore[reportMissingImports]
        from sksundae.ida import IDA as solver  # noqa: N811  # pyright: ignore[reportMissingImports]
    except ImportError:
        raise MissingPackageError('the solver IDA needs scikit-sundae: pip install "duoti[ida]"') from None
    return solver, bool(config["SUNDIALS_BLAS_LAPACK_ENABLED"])


class _GaveUp(Exception):  # noqa: N818 - not an error of the user
    """The same step was tried too often, or has become too small."""


class _IdaLoop(SolverLoop):
    """Takes IDA through a run, step by step."""

    jumps_in_kernels = False
    why_not_resumable = "IDA keeps its memory inside SUNDIALS, which cannot save it"

    def __init__(self, system: System, times: Reals | None, work: Work, solver: IDA):
        self.record_layout = record_of_multipliers(system)
        self.packed = new_packed(system, times, self.record_layout)
        self.run, self.memory = self.packed.run, self.packed.memory
        self.work, self.solver, self.system = work, solver, system
        self.linearisation = new_linearisation(system, work)  # keeps the memory of the derivatives alive
        self.address = (int(work.at[0].system), self.packed.address)
        self.ny, self.n = len(self.run.y), len(self.memory.Y)
        self.run.counts[0].unknowns = system.nv + 2 * system.closures.rows + system.nz
        self.ida: Any = None
        self.driver = np.zeros(BLOCK_BYTES // 8)
        self._install_events()

    def use(self, run: Run) -> None:
        self.packed = self.packed._replace(run=run)
        self.packed.repack()
        self.run = run
        self._install_events()

    def _install_events(self) -> None:
        """What the entries about events read."""
        pack(self.driver, (self.address[0], self.run), DRIVER_CONTEXT)
        self.run.calls[0] = (0, 0, 0, 0, self.driver.ctypes.data, *event_addresses(self.work))

    def checkpoint_arrays(self) -> list[Any]:
        """See `Loop.checkpoint_arrays`; it is not all."""
        return []

    def start(self, first_step: float) -> None:
        start_ida(*self.address)
        self._load_kernels()
        self._begin(first_step)

    def restart(self) -> None:
        start_ida(*self.address)
        restart_ida(*self.address)
        self._begin(0.0)

    def _load_kernels(self) -> None:
        """Compile or load what IDA will call, with arguments of the types that it will give; sets the compliance."""
        run, memory = self.run, self.memory
        Y, Ydot = memory.Y.copy(), memory.Ydot.copy()
        Y.flags.writeable = Ydot.flags.writeable = False
        t, h = float(run.clock[0].t), float(run.clock[0].h)
        counts = run.counts.copy()
        jacobian_ida(*self.address, t, Y, Ydot, 1.0, np.zeros((self.n, self.n)))
        set_compliance(*self.address)
        residual_ida(*self.address, t, Y, Ydot, np.zeros(self.n))  # no step: it refuses
        wants_polynomial(*self.address, t)
        nothing = np.full(self.n, np.nan)
        accept_ida(*self.address, t, nothing, nothing, 0)  # refuses as well
        run.counts[0], run.clock[0].h = counts[0], h

    def _begin(self, first_step: float) -> None:
        """A new IDA from the state in the memory."""
        solver, has_lapack = _sundae()
        context, ida = self.address

        def residual(t: float, y: Reals, yp: Reals, res: Reals) -> None:
            if residual_ida(context, ida, t, y, yp, res):
                raise _GaveUp

        def jacobian(t: float, y: Reals, yp: Reals, res: Reals, cj: float, JJ: Reals) -> None:
            jacobian_ida(context, ida, t, y, yp, cj, JJ)

        controlled = self.ny - ENERGY_ACCUMULATORS
        # IDA takes the mean over all unknowns: the tolerances are meant for those that are controlled
        share = (max(controlled, 1) / self.n) ** 0.5
        atol = np.full(self.n, UNCONTROLLED_ATOL)
        atol[:controlled] = self.solver.atol * share
        algebraic = np.flatnonzero(self.system.loads.laws.state_mass == 0) + self.system.nq + self.system.nv
        largest = self.solver.max_step
        self.ida = solver(
            residual,
            jacfn=jacobian,
            rtol=self.solver.rtol * share,
            atol=atol,
            algebraic_idx=[*algebraic, *range(self.ny, self.n)],
            first_step=first_step,
            max_step=largest if np.isfinite(largest) else 0.0,
            max_conv_fails=100,  # the kernel of the residual counts
            linsolver="lapackdense" if has_lapack and self.n >= LAPACK_UNKNOWNS else "dense",
        )
        self.ida.init_step(float(self.run.clock[0].t), self.memory.Y, self.memory.Ydot)

    def advance(self, most_steps: int) -> int:
        if not np.all(np.isfinite(self.memory.Ydot)):
            self.run.counts[0].where = min(int(np.argmin(np.isfinite(self.memory.Ydot))), self.ny - 1)
            return NOT_FINITE
        status = int(step_status(self.address[1]))
        for _ in range(most_steps):
            if status != CONTINUE:
                return status
            try:
                status = self._step()
            except _GaveUp:
                status = self._again()
        return status

    def _step(self) -> int:
        run, end = self.run, float(min(self.run.clock[0].t_due, self.run.clock[0].t_end))
        t = float(run.clock[0].t)
        found = self.ida.step(end, "onestep", end)
        if found.success and found.t <= t:  # after samples inside the last step, IDA first comes back to its end
            found = self.ida.step(end, "onestep", end)
        if not found.success:
            raise _GaveUp
        while self.run.counts[0].more and self.run.times[-1] <= found.t:
            self.grow_buffers()
        run = self.run
        sampled = bool(wants_polynomial(*self.address, found.t))
        if sampled:
            h, samples, ny, rows = found.t - t, self.memory.samples, self.ny, self.system.closures.rows
            for i in range(2):
                inside = self.ida.step(t + (i + 1) / 3.0 * h, "normal")
                samples[i], samples[2 + i] = inside.y[:ny], h * inside.yp[:ny]
                self.memory.samples_x[i] = inside.y[ny : ny + rows]
        return int(accept_ida(*self.address, found.t, found.y, found.yp, int(sampled)))

    def _again(self) -> int:
        """After a step that failed again and again: begin anew with a small one, or say what is wrong."""
        run, memory = self.run, self.memory
        step = float(memory.scalars[0].tried - run.clock[0].t)
        span = float(run.clock[0].t_end - run.clock[0].t_begin)
        run.counts[0].rejected += int(memory.scalars[0].tries)
        memory.scalars[0].tries = 0
        if step < SMALL_STEP * span:
            status = self._diagnosis(max(step, TINY * max(abs(float(run.clock[0].t)), span)))
            if status != STEP_TOO_SMALL or step < SMALLEST_STEP * span:
                return status
        start_ida(*self.address)
        self._begin(RESTART * step)
        return CONTINUE

    def _diagnosis(self, step: float) -> int:
        """Why the last step that was tried, of this length, failed: a status, with the place in run.counts[0].where."""
        run, memory, system = self.run, self.memory, self.system
        run.clock[0].h = step
        if not np.all(np.isfinite(memory.residual)):
            run.counts[0].where = min(int(np.argmin(np.isfinite(memory.residual))), self.ny - 1)
            return NOT_FINITE
        t, cj = float(memory.scalars[0].tried), 1.0 / step
        Y, Ydot = memory.Y.copy(), memory.Ydot.copy()
        first = self._correction(t, cj, Y, Ydot)
        second = self._correction(t, cj, Y + first, Ydot + cj * first)
        nq, nv, nz, rows = system.nq, system.nv, system.nz, system.closures.rows
        weight = np.zeros(self.n)
        weight[: self.ny - ENERGY_ACCUMULATORS] = 1.0 / (
            self.solver.atol + self.solver.rtol * np.abs(Y[: self.ny - ENERGY_ACCUMULATORS])
        )
        sizes = [float(np.linalg.norm(weight * each)) for each in (first, second)]
        if sizes[1] <= max(0.5 * sizes[0], 1.0):  # Newton's iteration would converge: it is the error that is too large
            change = weight[: self.ny] * np.abs(Ydot[: self.ny] - run.K[0])
            run.counts[0].where = int(np.argmax(change))
            return STEP_TOO_SMALL
        worst = np.abs(weight * second)
        of_dof = worst[nq : nq + nv]
        of_state = worst[nq + nv : nq + nv + nz]
        of_row = np.abs(memory.residual[self.ny :]) / max(self.solver.atol, 1e-300)
        blocks = np.concatenate([of_dof, of_row[:rows], of_row[rows:], of_state])
        run.counts[0].where = int(np.argmax(blocks)) if len(blocks) else 0
        return NEWTON_FAILED

    def _correction(self, t: float, cj: float, Y: Reals, Ydot: Reals) -> Reals:
        """Newton's correction of Y."""
        self.memory.scalars[0].tries = 0
        for each in (Y, Ydot):
            each.flags.writeable = False
        residual, J = np.zeros(self.n), np.zeros((self.n, self.n))
        residual_ida(*self.address, t, Y, Ydot, residual)
        jacobian_ida(*self.address, t, Y, Ydot, cj, J)
        if not (np.all(np.isfinite(J)) and np.all(np.isfinite(residual))):
            return np.full(self.n, np.inf)
        found: Any = np.linalg.lstsq(J, residual, rcond=None)[0]
        return -found
