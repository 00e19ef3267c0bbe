"""`StepJacobian`: one step of a fixed-step method with its derivatives, for iLQR, MPC and Kalman filters.

Inputs, and parameters that laws read, become first-order states with zero rate. Their columns then stand in the
derivatives by the state, and those of all other parameters in the derivatives by parameters (`rate_derivatives`). A
step is differentiated as in (1) of `sensitivities`, with S = 1 at its beginning.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.gradients.discrete_run import DiscreteRun
from duoti.analyses.gradients.expressions import PREFIX, Watched
from duoti.integrate.explicit.rk4 import RK4
from duoti.kernel import run_entry
from duoti.model.checks.structure import checked_model
from duoti.model.errors import ModelError
from duoti.model.expand_bond_graphs import described
from duoti.model.model import Model
from duoti.model.parameters import find_all, refuse_computed
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.compile.compiler import compile_model
from duoti.system.compile.copy_model import own_copy
from duoti.system.parameters import with_values
from duoti.system.system import System

CLOSED = 1e-8  # largest error of loops after a step [m, rad]: the projection converges to round-off


@dataclass(frozen=True, eq=False)
class Step:
    """The state after a step, and its derivatives; `x, A, B = step` unpacks the first three.

    Attributes
    ----------
    x:
        State after the step.
    A:
        Its derivatives by the state before the step [states, states].
    B:
        By the inputs [states, inputs].
    P:
        By the parameters [states, parameters].
    drift:
        How far projections moved the state to close loops, the largest part of its size; 0 without loops. The relative
        errors of A, B and P may be 20 to 50 times larger. More steps of the solver within a step make it smaller.
    """

    x: Reals
    A: Reals
    B: Reals
    P: Reals
    drift: float

    def __iter__(self) -> Iterator[Reals]:
        return iter((self.x, self.A, self.B))


@dataclass(frozen=True, eq=False)
class Measurement:
    """Outputs in a state, and their derivatives; `y, C, D = measurement` unpacks the first three.

    Attributes
    ----------
    y:
        Values of the outputs.
    C:
        Their derivatives by the state [outputs, states].
    D:
        By the inputs [outputs, inputs].
    P:
        By the parameters [outputs, parameters].
    """

    y: Reals
    C: Reals
    D: Reals
    P: Reals

    def __iter__(self) -> Iterator[Reals]:
        return iter((self.y, self.C, self.D))


class StepJacobian:
    r"""One step of a fixed-step method, with its derivatives by state, inputs and parameters.

    $$x_{k+1} = f(x_k, u_k, p, t_k), \qquad A = \frac{\partial f}{\partial x}, \quad B = \frac{\partial f}{\partial u},
    \quad P = \frac{\partial f}{\partial p}$$

    `x, A, B = f(x, u, t)` for discrete-time optimal control and estimation. The state x is (q, v, z), in the order of
    `System.state`. Loops are projected after each step, and the projection is differentiated. The four numbers of a
    quaternion are four states; a step brings them to unit length, so that A has no effect along the quaternion.

    Parameters
    ----------
    model:
        A model or a compiled system.
    inputs:
        Declared parameters that laws read; they are held during a step.
    parameters:
        Further parameters to differentiate by, as in `parameter_derivatives`.
    step:
        Length of a step [s].
    outputs:
        Expressions for `measure`, such as "A.angle".
    solver:
        By default one step of RK4. `RK4(step/4)` takes four. An adaptive Runge-Kutta method or `Radau` takes one step
        of this length, without control of its error.

    Attributes
    ----------
    x0, u0, p0:
        State, inputs and parameters of the model.
    names, inputs, parameters, outputs:
        What the rows and columns belong to.
    """

    @explained
    def __init__(
        self,
        model: Model | System,
        inputs: Sequence[str] = (),
        parameters: Sequence[str] = (),
        *,
        step: float,
        outputs: Sequence[str] = (),
        solver: Any = None,
    ):
        self._model = described(model.model) if isinstance(model, System) else own_copy(model)
        for what, names in (("inputs", inputs), ("parameters", parameters), ("outputs", outputs)):
            if isinstance(names, str):
                raise TypeError(f'{what}={names!r}: give a list such as ["{names}"]')
        if not (np.isfinite(step) and step > 0.0):
            raise ValueError(f"step={step!r}: give the length of a step in seconds")
        self.step, self.inputs, self.outputs = float(step), tuple(inputs), tuple(outputs)
        self._refuse()
        report = checked_model(own_copy(self._model)).report
        if not report.ok:
            raise ModelError(report)
        known = find_all(self._model, parameters)
        self.parameters = tuple(p.name for p in known)
        self.u0 = np.array([self._model.parameters[name] for name in self.inputs], dtype=float)
        self.p0 = np.array([p.number(self._model) for p in known], dtype=float)
        declared = [p.element.name for p in known if p.element and p.element.kind == "parameter"]
        refuse_computed(self._model, [*self.inputs, *declared])
        self._held = [*self.inputs, *(name for name in self.parameters if name in self._model.parameters)]
        self._of_numbers = [name for name in self.parameters if name not in self._model.parameters]
        self.solver = RK4(self.step) if solver is None else solver
        own = getattr(self.solver, "step", None)
        self.substeps = max(1, round(self.step / own)) if own else 1
        if own and abs(self.substeps * own - self.step) > 1e-9 * self.step:
            raise ValueError(f"the solver's step {own:g} s does not divide step={self.step:g} s")
        system = compile_model(self._model)
        self.names = (*system.coordinate_names, *system.rate_names, *system.state_names)
        self._numbers = self.p0[[self.parameters.index(name) for name in self._of_numbers]]
        self._prepare()
        self.x0 = self._run.y[0][self._own]

    def _refuse(self) -> None:
        """Raise ValueError with all that has no smooth step."""
        model, faults = self._model, list[str]()
        if missing := [name for name in self.inputs if name not in model.parameters]:
            faults.append(
                f"inputs {', '.join(missing)} are not declared parameters; declare them, "
                'dt.Model(..., parameters={"u": 0.0}), and let a law read them'
            )
        if double := [name for name in self.inputs if self.inputs.count(name) > 1]:
            faults.append(f"inputs {', '.join(dict.fromkeys(double))} are given twice")
        rigid = [name for name, each in model.contacts.items() if getattr(each.law, "rigid", False)]
        if rigid:
            faults.append(f"rigid contacts {', '.join(rigid)}: use a compliant law")
        events = [name for name, e in model.events.items() if e.jump is not None or e.sets or e.terminal]
        if events:
            faults.append(f"events {', '.join(events)}: steps do not look for them; remove them")
        if faults:
            raise ValueError("dt.StepJacobian: " + "; ".join(faults))

    def _prepare(self) -> None:
        """A run of the model with the present numbers, whose operations each step repeats."""
        values = dict(zip(self._of_numbers, map(float, self._numbers), strict=True))
        model = own_copy(with_values(self._model, values) if values else self._model)
        for name in self._held:
            model.add_state(name, 0.0, model.parameters.pop(name))
        report = checked_model(own_copy(model)).report
        if not report.ok:
            raise ValueError(
                f"dt.StepJacobian: {', '.join(self._held)} must stand in laws of forces and states only:\n{report}"
            )
        watched = Watched(model, self._of_numbers, self.outputs, "outputs")
        run = self._run = DiscreteRun(watched, self.step, self.solver, "dt.StepJacobian", {})
        if run.alpha:
            raise ValueError(
                f"dt.StepJacobian: {type(run.solver).__name__} carries accelerations from step to step; choose "
                "dt.RK4(step) or dt.Radau()"
            )
        first = run.nq + run.nv
        states = [name for name in run.system.state_names if not name.startswith(PREFIX)]
        held = [first + states.index(name) for name in self._held]
        self._at_held = np.array(held, dtype=int)
        self._own = np.array([i for i in range(run.n) if i not in held], dtype=int)

    @explained
    def __call__(self, x: ArrayLike, u: ArrayLike = (), t: float = 0.0, p: ArrayLike | None = None) -> Step:
        """Take a step.

        Parameters
        ----------
        x:
            State (q, v, z).
        u:
            Inputs, held during the step.
        t:
            Time at its beginning [s].
        p:
            Values of the parameters; by default those of the model. New values of parameters that laws read cost
            nothing. Those of other numbers compile the model anew (milliseconds).
        """
        y = self._state(x, u, p)
        S = np.eye(len(y), len(y) + len(self._of_numbers))
        h, self._drift = self.step / self.substeps, 0.0
        for k in range(self.substeps):
            y, S = self._one(float(t) + k * h, h, y, S)
        if not np.all(np.isfinite(y)):
            raise ValueError(f"the step at t = {t:g} s has numbers that are not finite; choose a smaller step")
        return Step(y[self._own], *self._columns(S[self._own]), self._drift)

    @explained
    def measure(self, x: ArrayLike, u: ArrayLike = (), t: float = 0.0, p: ArrayLike | None = None) -> Measurement:
        """Outputs in a state, and their derivatives; arguments as those of a step."""
        if not self.outputs:
            raise ValueError('measure: name the outputs, dt.StepJacobian(..., outputs=["A.angle"])')
        y = self._state(x, u, p)
        run = self._run
        at = run.derivatives(float(t), y)
        return Measurement(at.values[: run.visible].copy(), *self._columns(np.hstack([at.values_by_y, at.values_by_p])))

    def _state(self, x: ArrayLike, u: ArrayLike, p: ArrayLike | None) -> Reals:
        """The state of the run, inputs included."""
        x, u = np.asarray(x, dtype=float), np.atleast_1d(np.asarray(u, dtype=float))
        p = self.p0 if p is None else np.atleast_1d(np.asarray(p, dtype=float))
        for what, given, names in (("x", x, self.names), ("u", u, self.inputs), ("p", p, self.parameters)):
            if given.shape != (len(names),) or not np.all(np.isfinite(given)):
                raise ValueError(f"{what}={given!r}: give {len(names)} finite numbers: {', '.join(names) or 'none'}")
        values = {**dict(zip(self.inputs, u, strict=True)), **dict(zip(self.parameters, p, strict=True))}
        numbers = np.array([values[name] for name in self._of_numbers])
        if not np.array_equal(numbers, self._numbers):
            self._numbers = numbers
            self._prepare()
        y = np.zeros(self._run.n)
        y[self._own], y[self._at_held] = x, [values[name] for name in self._held]
        return y

    def _columns(self, S: Reals) -> tuple[Reals, Reals, Reals]:
        """Columns of the state, the inputs and the parameters."""
        inputs, n = len(self.inputs), self._run.n
        of_numbers = {name: n + k for k, name in enumerate(self._of_numbers)}
        of_held = dict(zip(self._held, self._at_held.tolist(), strict=True))
        places = [of_held[name] if name in of_held else of_numbers[name] for name in self.parameters]
        return S[:, self._own], S[:, self._at_held[:inputs]], S[:, np.array(places, dtype=int)]

    def _one(self, t: float, h: float, y: Reals, S: Reals) -> tuple[Reals, Reals]:
        """One step of the method, and its columns."""
        run, m, n = self._run, self._run.method, self._run.n
        run.t, run.y = np.array([t, t + h]), np.array([y, y])
        k, dk = list[Reals](), list[Any]()
        if run.implicit:
            run.y[1] = y + h * run.rates(t, y)[0]
            at = [run.derivatives(*each) for each in run.stages(0)]
            right = np.array([each.by_y @ S + np.hstack([np.zeros((n, n)), each.by_p]) for each in at])
            k, dk = [each.k for each in at], list(run.coupled(0, [each.by_y for each in at], right))
        else:
            for i in range(m.stages):
                state, moved = y.copy(), S.copy()
                for j in range(i):
                    if m.A[i, j] != 0.0:
                        state += h * m.A[i, j] * k[j]
                        moved += h * m.A[i, j] * dk[j]
                here = run.derivatives(t + m.c[i] * h, state)
                slope = here.by_y @ moved
                slope[:, n:] += here.by_p
                k.append(here.k)
                dk.append(slope)
        b = m.A[m.stages, : m.stages]
        y, S = y + h * (b @ np.array(k)), S + h * np.tensordot(b, np.array(dk), 1)
        run.y[1] = self._projected(t + h, y)
        closure = run.closure(0)
        if closure is not None:
            S = closure.by_y @ S
            S[:, n:] += closure.by_p
        return run.y[1].copy(), S

    def _projected(self, t: float, y: Reals) -> Reals:
        """With loops closed and quaternions of unit length."""
        run = self._run
        y = run.unit(y)
        if not run.system.closures.rows:
            return y
        run.rates(t, y)  # factors of this state: those of a former one would be used
        w = run.equations.work
        run_entry(w.calls[0].project, w.at[0].system)
        found = w.y[run.own].copy()
        run.rates(t, found)
        if not np.max(np.abs(w.g), initial=0.0) < CLOSED:
            raise ValueError(f"loops could not be closed after the step to t = {t:g} s; choose a smaller step")
        self._drift = max(self._drift, float(np.max(np.abs(found - y) / (1.0 + np.abs(y)))))
        return found
