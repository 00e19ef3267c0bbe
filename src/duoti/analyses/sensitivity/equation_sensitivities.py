"""What a number of a model does to its equations, with state, accelerations and multipliers held.

    number of the model (length, inertia, stiffness, gravity,    complex step in the arrays that kernels read
        value of a constraint, point of a table)
    named parameter that laws of forces and states read          it becomes a first-order state: a column of Z and Fz
    anything else (friction by reactions, functions in Python,   extrapolated differences of the equations
        models with flexible bodies)

How the arrays of a compiled model depend on a number is simple (places are linear in a length, moments of inertia
quadratic, most numbers stand there as they are), so that extrapolated differences of the *arrays* over wide steps are
exact but for round-off; the complex step (`dynamics.derivatives.by_parameters`) is so by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from duoti.analyses.states.linearised_equations import Equations
from duoti.dynamics.derivatives.by_parameters import PerturbedEquations, Slopes
from duoti.flexible.reduction.reduced import Reduced
from duoti.model.checks.structure import checked_model
from duoti.model.errors import ModelError
from duoti.model.expand_bond_graphs import described
from duoti.model.model import Model
from duoti.model.parameters import find_all, refuse_computed
from duoti.system.arrays import Reals
from duoti.system.compile.compiler import build_system, compile_model
from duoti.system.compile.copy_model import own_copy
from duoti.system.number_pool import numbers_of, structure_of
from duoti.system.system import System

LEVELS = 7  # of extrapolation; each halves the step
SAME = 1e-8  # part by which equations may differ that are the same: round-off of gamma in long loops
KNOWN = 256  # systems that are kept
FIRST = 0.125  # first step, by the size of the parameter

Build = Callable[..., Model]
Changes = tuple[dict[tuple[str, ...], Reals], float]


class Held(NamedTuple):
    """What the equations are evaluated with."""

    q: Reals
    v: Reals
    z: Reals
    t: float
    a: Reals
    multipliers: Reals


class Family:
    """Systems of a model with other values of its parameters, all on the same tree."""

    def __init__(self, model: Model | System | Build, parameters: Sequence[str] | Mapping[str, float]):
        if isinstance(model, System):
            model = described(model.model)
        if isinstance(model, Model):
            if isinstance(parameters, str) or not isinstance(parameters, Sequence):
                raise TypeError(f'parameters={parameters!r}: give a list of names such as ["crank.mass"]')
            known = find_all(model, parameters)
            refuse_computed(model, [p.element.name for p in known if p.element and p.element.kind == "parameter"])
            self.model = model
            self.names = tuple(p.name for p in known)
            self.values = np.array([p.number(model) for p in known])
            self.sizes = [p.size(model) for p in known]
            self._made: Callable[[int, float], System] = lambda k, x: self.base.with_parameters({known[k].name: x})
        elif callable(model):
            if not isinstance(parameters, Mapping):
                raise TypeError(f'parameters={parameters!r}: give the arguments with their values, {{"length": 0.3}}')
            given = {str(name): float(value) for name, value in parameters.items()}
            self.model = model(**given)
            self.names, self.values = tuple(given), np.array(list(given.values()))
            self.sizes = [abs(value) or 1.0 for value in given.values()]
            self._made = lambda k, x: self._built(model(**{**given, self.names[k]: x}))
        else:
            raise TypeError(f"{model!r} is no model and builds none")
        self._known: dict[tuple[int, float], System] = {}  # differences in many states are of the same systems
        self.of_laws = [name for name in self.names if isinstance(model, Model) and name in model.parameters]
        self.base = compile_model(self.model)
        self.base.require_dynamics()

    def system(self, k: int, value: float) -> System:
        """With one parameter changed."""
        if (k, value) in self._known:
            return self._known[k, value]
        made = self._made(k, value)
        if made.rate_names != self.base.rate_names or made.closures.rows != self.base.closures.rows:
            raise ValueError(f"{self.names[k]} changes the structure of the model; give a number that does not")
        for name, at in self.base.flexible.items():
            if not _same_modes(at.reduced, made.flexible[name].reduced):
                raise ValueError(
                    f'{self.names[k]} changes the modes of flexible body "{name}": its modal coordinates would mean '
                    "something else. Compare results (frequencies, runs) of models with other values instead"
                )
        if len(self._known) >= KNOWN:
            self._known.clear()
        self._known[k, value] = made
        return made

    def _built(self, changed: Model) -> System:
        report, model, _ = checked_model(own_copy(changed))
        if not report.ok:
            raise ModelError(report)
        assert self.base.topology is not None
        return build_system(model, self.base.topology, fuse=True)

    def near(self, k: int) -> System:
        """With one parameter changed a little, to either side."""
        value, step = float(self.values[k]), FIRST * self.sizes[k]
        for change in (step, -step, step / 64, -step / 64):
            try:
                return self.system(k, value + change)
            except ModelError as error:
                wrong = error
        raise wrong  # pyright: ignore[reportPossiblyUnboundVariable]

    def slope(self, k: int, of: Callable[[System], Reals]) -> tuple[Reals, float]:
        """Derivative of what is made of a system by a parameter, and an estimate of its relative error.

        Near a bound of the parameter (a friction of 0, a restitution of 1) the differences are smaller, or one-sided.
        """
        value, size = float(self.values[k]), self.sizes[k]

        def f(p: float) -> Reals:
            return of(self.system(k, p))

        for smaller in (1.0, 1 / 16, 1 / 256):
            try:
                return extrapolated(f, value, smaller * size)
            except ModelError:
                continue
        try:
            return extrapolated(f, value, size, side=1)
        except ModelError:
            return extrapolated(f, value, size, side=-1)

    def slopes(self, held: Held) -> list[tuple[Slopes, float]]:
        """For each parameter the derivatives of the equations, and an estimate of their relative error."""
        perturbed = self.perturbed(held)
        by_law = self._by_laws(held) if perturbed else {}
        found: list[tuple[Slopes, float]] = []
        for k, name in enumerate(self.names):
            if name in by_law:
                found.append((by_law[name], 0.0))
                continue
            changes = self.changes(k) if perturbed else None
            if perturbed is None or changes is None:
                found.append(self._differences(k, held))
            else:
                found.append((perturbed.slopes(changes[0]), changes[1]))
        return found

    def perturbed(self, held: Held) -> PerturbedEquations | None:
        """The equations with a complex step; None if they are not all of this model's.

        Friction by reactions, states of bond graphs and other things with kernels of their own are not in them.
        """
        if self.base.tree.flexible or not all(cls.complex_numbers for cls in self.base.force_types):
            return None
        perturbed = PerturbedEquations(self.base)
        perturbed.put(*held)
        mine, whole = perturbed.values(), equations_at(self.base, held)
        for x, y in zip(mine, whole, strict=True):
            if np.max(np.abs(x - y), initial=0.0) > SAME * (1.0 + np.max(np.abs(y), initial=0.0)):
                return None
        return perturbed

    def changes(self, k: int) -> Changes | None:
        """Derivatives of the arrays, and their error; None if others change than those with a complex step."""
        start = numbers_of(self.base)
        near = self.near(k)
        pairs = zip(structure_of(self.base), structure_of(near), strict=True)
        if not all(np.array_equal(mine, other) for mine, other in pairs):
            return None
        if any(
            mine.shape != other.shape for mine, other in zip(start.values(), numbers_of(near).values(), strict=True)
        ):
            return None

        def arrays(system: System) -> Reals:
            numbers = np.concatenate([each.ravel() for each in numbers_of(system).values()])
            return np.where(np.isfinite(numbers), numbers, 0.0)  # beyond the ends of tables there is no number

        slope, error = self.slope(k, arrays)
        ends = np.cumsum([each.size for each in start.values()])[:-1]
        parts = np.split(slope, ends)
        return {path: part.reshape(start[path].shape) for path, part in zip(start, parts, strict=True)}, error

    def law_states(self) -> tuple[System, list[str], Reals] | None:
        """The system whose last first-order states are the parameters of laws, those, and their values.

        None if there are none, or if laws of constraints read them, which cannot read states.
        """
        model, names = own_copy(self.model), self.of_laws
        for name in names:
            model.add_state(name, 0.0, model.parameters.pop(name))
        if not names or not checked_model(model).report.ok:
            return None
        return self._built(model), names, np.array([self.model.parameters[name] for name in names])

    def _by_laws(self, held: Held) -> dict[str, Slopes]:
        """Parameters of laws as first-order states; those of constraints' laws cannot be."""
        found = self.law_states()
        if found is None:
            return {}
        system, names, values = found
        first = self.base.nz
        equations = Equations.of(system)
        equations.put(held.q, held.v, np.concatenate([held.z, values]), held.t)
        at = equations.linearise(held.a, held.multipliers)
        none = np.zeros(system.closures.rows)
        return {
            name: Slopes(at.Z[:, first + j], none, none, none, at.Fz[:first, first + j]) for j, name in enumerate(names)
        }

    def _differences(self, k: int, held: Held) -> tuple[Slopes, float]:
        sizes = np.cumsum([self.base.nv, *[self.base.closures.rows] * 3])
        slope, error = self.slope(k, lambda system: np.concatenate(equations_at(system, held)))
        return Slopes(*np.split(slope, sizes)), error


def _same_modes(one: Reduced, other: Reduced) -> bool:
    """Whether two flexible bodies have the same coordinates: the same mass and stiffness in them, to the last bit."""
    numbers = ((each.moments.gram, each.stiffness, each.damping) for each in (one, other))
    return all(np.array_equal(x, y) for x, y in zip(*numbers, strict=True))


def equations_at(system: System, held: Held) -> Slopes:
    """The equations themselves: r, G a - gamma, dg/dt, g, dz/dt."""
    equations = Equations.of(system)
    equations.put(held.q, held.v, held.z, held.t)
    gamma = np.zeros(0)
    if system.closures.rows:
        equations.accelerations()  # leaves gamma in the workspace
        gamma = equations.work.gamma.copy()
    r, zdot = equations.residual(held.a, held.multipliers)
    w = equations.work
    return Slopes(r, equations.jacobian @ held.a - gamma, w.gdot.copy(), w.g.copy(), zdot)


def extrapolated(f: Callable[[float], Reals], x: float, size: float, side: int = 0) -> tuple[Reals, float]:
    """df/dx by central differences with halved steps, extrapolated; and an estimate of its error, by the largest entry.

    side: 1 or -1 for differences to one side.

    Ridders, Accurate computation of F'(x) and F'(x) F''(x), Adv. Eng. Software 4 (1982) 75-76.
    """
    h, table = FIRST * size, list[list[Reals]]()
    best, least = np.zeros(0), np.inf
    for level in range(LEVELS):
        row = [(f(x + h) - f(x - h)) / (2.0 * h) if side == 0 else (f(x + side * h) - f(x)) / (side * h)]
        for k in range(1, level + 1):
            row.append(row[k - 1] + (row[k - 1] - table[-1][k - 1]) / ((4.0 if side == 0 else 2.0) ** k - 1.0))
            error = float(max(np.max(np.abs(row[k] - row[k - 1])), np.max(np.abs(row[k] - table[-1][k - 1]))))
            if error < least:
                best, least = row[k], error
        table.append(row)
        largest = float(np.max(np.abs(row[-1]), initial=0.0))
        if level and (least <= 1e-14 * largest or largest == 0.0):
            break
        h *= 0.5
    if not best.size:
        best = table[-1][-1]
    largest = float(np.max(np.abs(best), initial=0.0))
    return best, (least / largest if largest else 0.0)
