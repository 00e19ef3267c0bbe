"""Derivatives by the numbers of a model: masses, inertias, lengths, stiffnesses, named parameters.

The equations of motion and of the closures, with fixed q, v, a and multipliers, are functions of a parameter p,

    r(p) = M a + h - (force elements) - G^T lambda,    c(p) = G a - gamma,    g(p)                                (1)

smooth, and most often polynomials of low degree: r is linear in masses, moments of inertia and stiffnesses, and
quadratic in lengths. Their derivatives are central differences over wide steps, extrapolated (Ridders 1982): where the
degree is low they are exact but for round-off; each comes with an estimate of its error. All else is exact algebra:

    [M  -G^T] [da     ]     [dr/dp]
    [G    0 ] [dlambda] = - [dc/dp]                                         accelerations                         (2)
    K delta - G^T dlambda = -dr/dp,    G delta = -dg/dp                     equilibria                            (3)
    ds/dp = w^T (dA/dp) x / (w^T x)                                         eigenvalues s of A x = s x            (4)

with delta the displacement, and left eigenvectors w; dA/dp is taken along the equilibrium, as it moves by (3).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.derivatives import displace
from duoti.analyses.dynamics import as_state, as_vector
from duoti.analyses.equilibrium import Equilibrium, equilibrium
from duoti.analyses.instant import rate_labels
from duoti.analyses.linearise import linearise
from duoti.analyses.parameters import find_parameter, with_value
from duoti.analyses.variation import Equations
from duoti.model.check import check_structure
from duoti.model.errors import ModelError
from duoti.model.model import Model
from duoti.system.arrays import Reals
from duoti.system.compiler import build_system, compile_model
from duoti.system.preparation import own_copy
from duoti.system.system import System

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEVELS = 7  # of extrapolation; each halves the step
FIRST = 0.125  # first step, by the size of the parameter
RANK = 1e-10

Build = Callable[..., Model]


@dataclass(frozen=True, eq=False)
class ParameterDerivatives:
    """Derivatives in a state, one column for each parameter; rows in the order of `rates`."""

    parameters: tuple[str, ...]
    values: Reals
    rates: tuple[str, ...]
    accelerations: Reals
    """[nv, parameters] of the accelerations, with q and v held."""
    residuals: Reals
    """[nv, parameters] of M a + h - forces - G^T lambda, with q, v, a and the multipliers held."""
    multipliers: Reals
    """[equations, parameters] of the multipliers; of least norm where they are not unique."""
    errors: Reals
    """[parameters] estimated errors of the residuals' derivatives, by the largest of each column."""

    def plot(self) -> Figure:
        """What a change of each parameter by one percent of its value does to the accelerations."""
        from duoti.results.parameter_plot import plot_sensitivities

        return plot_sensitivities(self.parameters, self.values, self.rates, self.accelerations)

    def __str__(self) -> str:
        wide = max(map(len, self.parameters), default=0)
        lines = [f"derivatives of accelerations by {len(self.parameters)} parameters"]
        for k, name in enumerate(self.parameters):
            top = int(np.argmax(np.abs(self.accelerations[:, k]))) if self.rates else 0
            lines.append(
                f"  {name.ljust(wide)} = {self.values[k]:<12.6g} most in {self.rates[top]}: "
                f"{self.accelerations[top, k]:+.8g}   (error {self.errors[k]:.0e})"
            )
        return "\n".join(lines)


def parameter_derivatives(
    model: Model | Build,
    parameters: Sequence[str] | Mapping[str, float],
    q: ArrayLike | None = None,
    v: ArrayLike | None = None,
    t: float = 0.0,
    a: ArrayLike | None = None,
) -> ParameterDerivatives:
    """Derivatives of accelerations and residuals by parameters, in a state that is held.

    Parameters
    ----------
    model:
        A model; or a function that builds one from keyword arguments, for parameters of its own such as lengths that
        stand in several places.
    parameters:
        Names: "k" (of `model.parameters`), "crank.mass", "crank.com.x", "crank.inertia.xx" (about the mass centre),
        "spring.stiffness", "tip.position.x", "B.at.x", "A.rotor_inertia", "gravity.z". Of a function: its arguments
        with their values.
    q, v, t:
        The state, the model's initial one by default.
    a:
        Accelerations for the residuals; those of the model by default.
    """
    family = _Family(model, parameters)
    system = family.base
    if q is None or v is None:
        q0, v0 = system.state()
        q, v = (q0 if q is None else q), (v0 if v is None else v)
    q, v = as_state(system, q, v)
    here = _At(system, q, v, float(t))
    variation = here.equations.vary()
    at = variation.a if a is None else as_vector("a", a, system.nv)
    rows, found, errors = system.closures.rows, list[Reals](), list[float]()
    for k in range(len(family.names)):
        slope, error = extrapolated(
            lambda p, k=k: _At(family.system(k, p), q, v, float(t)).equations_at(at, variation.multipliers),
            family.values[k], family.sizes[k],
        )  # fmt: skip
        found.append(slope)
        errors.append(error)
    nv, n = system.nv, len(found)
    D = np.array(found).T.reshape(nv + rows, n)
    solved = _saddle(variation.M, variation.G, -D[:nv], -D[nv:])
    return ParameterDerivatives(
        family.names, family.values, rate_labels(system), solved[:nv], D[:nv], solved[nv:], np.array(errors)
    )


@dataclass(frozen=True, eq=False)
class EquilibriumDerivatives:
    """How an equilibrium moves with parameters: displacements, one column for each parameter, rows as `rates`."""

    equilibrium: Equilibrium
    parameters: tuple[str, ...]
    values: Reals
    rates: tuple[str, ...]
    displacements: Reals
    """[nv, parameters]: of plain coordinates the derivative itself, of quaternions a rotation vector."""
    eigenvalues: Any
    """Of the linearised system."""
    eigenvalue_derivatives: Any
    """[eigenvalues, parameters]; None if they were not asked for."""
    errors: Reals

    def __str__(self) -> str:
        lines = [f"derivatives of an equilibrium by {len(self.parameters)} parameters"]
        for k, name in enumerate(self.parameters):
            moved = ", ".join(f"{r} {x:+.6g}" for r, x in zip(self.rates, self.displacements[:, k], strict=True))
            lines.append(f"  {name} = {self.values[k]:.6g}: {moved.replace('.rate', '').replace('.velocity', '')}")
        return "\n".join(lines)


def equilibrium_derivatives(
    model: Model | Build,
    parameters: Sequence[str] | Mapping[str, float],
    start: Any = None,
    *,
    t: float = 0.0,
    eigenvalues: bool = False,
) -> EquilibriumDerivatives:
    """How a static equilibrium, and the eigenvalues about it, change with parameters (see `parameter_derivatives`).

    start: where the equilibrium is sought, as in `equilibrium`. eigenvalues: also those of the linearised system.
    """
    family = _Family(model, parameters)
    system = family.base
    found = equilibrium(system, start, t=t)
    if not found.ok:
        raise ValueError(f"there is no equilibrium to differentiate: {found.reason}")
    q, v = found.state[:2]
    if system.nz:
        raise ValueError(f"first-order states ({', '.join(system.state_names)}) are not treated here")
    if np.max(np.abs(v), initial=0.0) > 0.0:
        raise ValueError("the equilibrium is a steady motion; derivatives are there for states of rest")
    here = _At(system, q, v, t)
    rest = here.equations
    r, _ = rest.residual(np.zeros(system.nv), np.zeros(system.closures.rows))
    multipliers: Any = np.linalg.lstsq(rest.jacobian.T, r, rcond=RANK)[0] if system.closures.rows else np.zeros(0)
    variation = rest.linearise(np.zeros(system.nv), multipliers)
    nv, columns, errors = system.nv, list[Reals](), list[float]()
    for k in range(len(family.names)):
        slope, error = extrapolated(
            lambda p, k=k: _At(family.system(k, p), q, v, t).rest_at(multipliers), family.values[k], family.sizes[k]
        )
        columns.append(slope)
        errors.append(error)
    D = np.array(columns).T.reshape(nv + system.closures.rows, len(columns))
    delta = _saddle(variation.K, variation.G, -D[:nv], -D[nv:])[:nv]
    values, slopes = None, None
    if eigenvalues:
        values, slopes = _eigenvalue_slopes(family, q, delta, t)
    return EquilibriumDerivatives(
        found, family.names, family.values, rate_labels(system), delta, values, slopes, np.array(errors)
    )


def _eigenvalue_slopes(family: _Family, q: Reals, delta: Reals, t: float) -> tuple[Any, Any]:
    """Eigenvalues of A, and (4) for each parameter."""
    import scipy.linalg

    system = family.base
    lin = linearise(system, (q, np.zeros(system.nv)), t=t)
    factors: Any = scipy.linalg.eig(lin.A, left=True, right=True)
    values, left, right = factors
    slopes = np.zeros((len(values), len(family.names)), complex)
    for k in range(len(family.names)):

        def matrix(p: float, k: int = k) -> Reals:
            at = family.system(k, p)
            near = displace(system, q, (p - family.values[k]) * delta[:, k])
            found = equilibrium(at, (near,), t=t)  # the exact one beside the first-order guess
            return linearise(at, found, t=t, coordinates=lin.rates).A.ravel()

        slope, _ = extrapolated(matrix, family.values[k], 0.1 * family.sizes[k])
        dA = slope.reshape(lin.A.shape)
        for i in range(len(values)):
            w, x = left[:, i].conj(), right[:, i]
            slopes[i, k] = (w @ dA @ x) / (w @ x)
    return values, slopes


# ------------------------------------------------------------------------------------------------------------ the parts


class _Family:
    """Systems of a model with other values of its parameters, all on the same tree."""

    def __init__(self, model: Any, parameters: Any):
        if isinstance(model, Model):
            if isinstance(parameters, str) or not isinstance(parameters, Sequence):
                raise TypeError(f'parameters={parameters!r}: give a list of names such as ["crank.mass"]')
            self.model: Model = model
            known = [find_parameter(model, name) for name in parameters]
            self.names = tuple(p.name for p in known)
            self.values = np.array([p.value for p in known])
            self.sizes = [p.size for p in known]
            self._make: Callable[[int, float], Model] = lambda k, x: with_value(model, known[k], x)
        elif callable(model):
            if not isinstance(parameters, Mapping):
                raise TypeError(f'parameters={parameters!r}: give the arguments with their values, {{"length": 0.3}}')
            given = {str(name): float(value) for name, value in parameters.items()}
            build: Any = model
            self.model = build(**given)
            self.names, self.values = tuple(given), np.array(list(given.values()))
            self.sizes = [abs(value) or 1.0 for value in given.values()]
            self._make = lambda k, x: build(**{**given, self.names[k]: x})
        else:
            raise TypeError(f"{model!r} is no model and builds none")
        self.base = compile_model(self.model)
        self.base.require_dynamics()

    def system(self, k: int, value: float) -> System:
        """With one parameter changed."""
        model = own_copy(self._make(k, value))
        report = check_structure(model)
        if not report.ok:
            raise ModelError(report)
        assert self.base.topology is not None
        made = build_system(model, self.base.topology, fuse=True)
        if made.rate_names != self.base.rate_names or made.closures.rows != self.base.closures.rows:
            raise ValueError(f"{self.names[k]} changes the structure of the model; give a number that does not")
        return made


class _At:
    """The equations of a system in a state."""

    def __init__(self, system: System, q: Reals, v: Reals, t: float):
        self.system = system
        self.equations = Equations.of(system)
        self.equations.put(q, v, system.initial_z(), t)

    def equations_at(self, a: Reals, multipliers: Reals) -> Reals:
        """r and c of (1)."""
        if not self.system.closures.rows:
            return self.equations.residual(a, multipliers)[0]
        self.equations.accelerations()  # leaves gamma in the workspace
        gamma = self.equations.work.gamma.copy()
        r, _ = self.equations.residual(a, multipliers)
        return np.concatenate([r, self.equations.jacobian @ a - gamma])

    def rest_at(self, multipliers: Reals) -> Reals:
        """r and g of (1) at rest."""
        r, _ = self.equations.residual(np.zeros(self.system.nv), multipliers)
        return np.concatenate([r, self.equations.work.g])


def _saddle(M: Reals, G: Reals, top: Reals, bottom: Reals) -> Reals:
    """Solution of M x - G^T y = top, G x = bottom; of least norm where equations are redundant."""
    m = G.shape[0]
    matrix = np.block([[M, -G.T], [G, np.zeros((m, m))]]) if m else M
    solved: Any = np.linalg.lstsq(matrix, np.vstack([top, bottom]), rcond=RANK)[0] if m else np.linalg.solve(M, top)
    return solved


def extrapolated(f: Callable[[float], Reals], x: float, size: float) -> tuple[Reals, float]:
    """df/dx by central differences with halved steps, extrapolated; and an estimate of its error, by the largest entry.

    Ridders, Accurate computation of F'(x) and F'(x) F''(x), Adv. Eng. Software 4 (1982) 75-76.
    """
    h, table = FIRST * size, list[list[Reals]]()
    best, least = np.zeros(0), np.inf
    for level in range(LEVELS):
        row = [(f(x + h) - f(x - h)) / (2.0 * h)]
        for k in range(1, level + 1):
            row.append(row[k - 1] + (row[k - 1] - table[-1][k - 1]) / (4.0**k - 1.0))
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
