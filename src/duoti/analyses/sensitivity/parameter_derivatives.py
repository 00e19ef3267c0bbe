"""Derivatives by the numbers of a model: masses, inertias, lengths, stiffnesses, named parameters.

The equations of motion, of the closures and of first-order states, with fixed q, v, a, z and multipliers, are functions
of a parameter p, whose derivatives `equation_sensitivities` has:

    r(p) = M a + h - (force elements) - G^T lambda,   c(p) = G a - gamma,   dg/dt(p),   g(p),   f(p) = dz/dt        (1)

From them follows, with the derivatives by the state (`variation`), by exact algebra:

    [M  -G^T] [da     ]     [dr/dp]
    [G    0 ] [dlambda] = - [dc/dp]                                         accelerations                         (2)

    M da + C dv + K delta + Z dz - G^T dlambda = -dr/dp
    G delta = -dg/dp,    Fq delta + Fv dv + Fz dz = -df/dp                  equilibria                            (3)
    G dv = -d(dg/dt)/dp,    G da = -dc/dp                                   their rates, in steady motions

    ds/dp = w^T (dA/dp) x / (w^T x)                                         eigenvalues s of A x = s x            (4)

with delta the displacement, and left eigenvectors w. In a steady motion only coordinates run on that change nothing
(a rotor's angle), so that v and a depend on p alone. dA/dp, along the equilibrium as it moves, is the work of
`eigenvalue_slopes`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from duoti.analyses.equilibrium.equilibrium import Equilibrium, equilibrium
from duoti.analyses.instant.dynamics import as_state, as_vector, refuse_touching
from duoti.analyses.sensitivity.eigenvalue_sensitivities import eigenvalue_slopes
from duoti.analyses.sensitivity.equation_sensitivities import Build, Family, Held
from duoti.analyses.states.at import instant, state_as_at
from duoti.analyses.states.consistent import velocity_labels
from duoti.analyses.states.linearised_equations import Equations
from duoti.dynamics.derivatives.second_by_parameters import Direction
from duoti.model.model import Model
from duoti.renamed import renamed_arguments
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.system import System

if TYPE_CHECKING:
    from matplotlib.figure import Figure

RANK = 1e-10


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
    """[parameters] estimated errors, relative to the largest of each column: zero where nothing was differenced."""

    def plot(self) -> Figure:
        """What a change of each parameter by one percent of its value does to the accelerations."""
        from duoti.results.plot.analyses import plot_sensitivities

        return plot_sensitivities(self.parameters, self.values, self.rates, self.accelerations)

    def __str__(self) -> str:
        wide = max(map(len, self.parameters), default=0)
        lines = [f"derivatives of accelerations by {len(self.parameters)} parameters"]
        for k, name in enumerate(self.parameters):
            top = int(np.argmax(np.abs(self.accelerations[:, k]))) if self.rates else 0
            lines.append(
                f"  {name.ljust(wide)} = {self.values[k]:<12.6g} most in {self.rates[top]}: "
                f"{self.accelerations[top, k] + 0.0:+.8g}   (error {self.errors[k]:.0e})"
            )
        return "\n".join(lines)


@state_as_at
@explained
def parameter_derivatives(
    model: Model | System | Build,
    parameters: Sequence[str] | Mapping[str, float],
    at: Any = None,
    *,
    t: float | None = None,
    a: ArrayLike | None = None,
) -> ParameterDerivatives:
    r"""Derivatives of accelerations and residuals by parameters, in a state that is held.

    $$\frac{\partial a}{\partial p}, \qquad \frac{\partial}{\partial p} \left( M a + h - \tau \right)$$

    Parameters
    ----------
    model:
        A model; or a function that builds one from keyword arguments, for parameters such as lengths that stand in
        several places.
    parameters:
        Names: "k" (of `model.parameters`), "crank.mass", "crank.com.x", "crank.inertia.xx", "spring.stiffness",
        "tip.position.x", "B.at.x", "gravity.z". Of a function: its arguments with their values.
    at, t:
        The instant; by default the initial state.
    a:
        Accelerations for the residuals; by default those of the model.
    """
    family = Family(model, parameters)
    system = family.base
    q, v, z, time = instant(system, at, t)
    q, v = as_state(system, q, v)
    refuse_touching(system, q, "dt.parameter_derivatives")
    equations, nv = Equations.of(system), system.nv
    equations.put(q, v, z, time)
    here = equations.vary()
    held = here.a if a is None else as_vector("a", a, nv)
    slopes = family.slopes(Held(q, v, z, time, held, here.multipliers))
    r, c = _columns(slopes, "r", nv), _columns(slopes, "c", system.closures.rows)
    solved = _saddle(here.M, here.G, -r, -c)
    errors = np.array([error for _, error in slopes])
    return ParameterDerivatives(
        family.names, family.values, velocity_labels(system), solved[:nv], r, solved[nv:], errors
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
    states: tuple[str, ...]
    state_changes: Reals
    """[nz, parameters] of first-order states."""
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
        if self.eigenvalues is not None:
            lines.append("derivatives of the eigenvalues [1/s]")
            for i, value in enumerate(self.eigenvalues):
                if value.imag >= 0.0:
                    slopes = ", ".join(
                        f"{name} {x.real + 0.0:+.5g} {x.imag + 0.0:+.5g}i"
                        for name, x in zip(self.parameters, self.eigenvalue_derivatives[i], strict=True)
                    )
                    lines.append(f"  {value.real + 0.0:.6g} {value.imag:+.6g}i: {slopes}")
        return "\n".join(lines)

    def plot(self) -> Figure:
        """By how much one percent of each parameter moves the equilibrium."""
        from duoti.results.plot.analyses import plot_sensitivities

        what = "displacement for one percent of the parameter, rad or m"
        names = [name.removesuffix(".rate").removesuffix(".velocity") for name in self.rates]
        return plot_sensitivities(self.parameters, self.values, names, self.displacements, what)


@renamed_arguments
@explained
def equilibrium_derivatives(
    model: Model | System | Build,
    parameters: Sequence[str] | Mapping[str, float],
    at: Any = None,
    *,
    t: float | None = None,
    eigenvalues: bool = False,
) -> EquilibriumDerivatives:
    r"""Derivatives of a static equilibrium, and of the eigenvalues about it, by parameters.

    $$\frac{\partial R}{\partial q} \frac{dq}{dp} = -\frac{\partial R}{\partial p}, \qquad R(q, p) = 0$$

    Parameters
    ----------
    model:
        A model; or a function that builds one from keyword arguments.
    parameters:
        Names, as in `parameter_derivatives`.
    at, t:
        Where and when the equilibrium is sought, as in `equilibrium`.
    eigenvalues:
        Also differentiate the eigenvalues of the linearised system.
    """
    family = Family(model, parameters)
    system = family.base
    found = equilibrium(system, at, t=t)
    if not found.ok:
        raise ValueError(f"there is no equilibrium to differentiate: {found.reason}")
    held, ways, errors = _ways(family, found)
    values = slopes = None
    if eigenvalues:
        values, slopes, more = eigenvalue_slopes(family, found, held, ways)
        errors = np.maximum(errors, more)
    delta, dz = np.array([way.delta for way in ways]).T, np.array([way.z for way in ways]).T
    return EquilibriumDerivatives(
        found, family.names, family.values, velocity_labels(system), delta.reshape(system.nv, -1),
        tuple(system.state_names), dz.reshape(system.nz, len(ways)), values, slopes, errors,
    )  # fmt: skip


def _ways(family: Family, found: Equilibrium) -> tuple[Held, list[Direction], Reals]:
    """What the equilibrium is; for each parameter how it moves, by (3); and the errors."""
    system, (q, v, z) = family.base, found.state
    nv, rows, nz = system.nv, system.closures.rows, system.nz
    runs = found.running
    if np.any(np.abs(v[~runs]) > 0.0):
        moving = [name for name, rate in zip(velocity_labels(system), v, strict=True) if rate != 0.0]
        raise ValueError(
            f"{', '.join(moving)}: a steady motion that changes the shape of the mechanism; derivatives are there for "
            "states of rest, and for motions of coordinates that change nothing else, such as a rotor's angle"
        )
    multipliers = np.array(list(found.multipliers.values()))
    equations = Equations.of(system)
    equations.put(q, v, z, found.t)
    here = equations.linearise(found.point.a, multipliers)
    held = Held(q, v, z, found.t, found.point.a, multipliers)
    slopes = family.slopes(held)
    count = len(slopes)
    dv, da = np.zeros((nv, count)), np.zeros((nv, count))
    if runs.any() and rows:
        pinv = np.linalg.pinv(here.G[:, runs], rcond=RANK)
        dv[runs], da[runs] = -pinv @ _columns(slopes, "gdot", rows), -pinv @ _columns(slopes, "c", rows)
    r = _columns(slopes, "r", nv) + here.M @ da + here.C @ dv
    f = _columns(slopes, "zdot", nz) + here.Fv @ dv
    still = ~(np.any(here.Fq, axis=1) | np.any(here.Fv, axis=1) | np.any(here.Fz, axis=1))
    Fz = here.Fz + np.diag(still.astype(float))  # what nothing changes (a switch) stays as it is
    matrix = np.block([[here.K, here.Z], [here.Fq, Fz]])
    G = np.hstack([here.G, np.zeros((rows, nz))])
    moved = _saddle(matrix, G, -np.vstack([r, f]), -_columns(slopes, "g", rows))
    errors = np.array([error for _, error in slopes])
    delta, dz, dl = np.split(moved, [nv, nv + nz])
    return held, [Direction(*(each[:, k] for each in (delta, dv, dz, da, dl))) for k in range(count)], errors


def _columns(slopes: Sequence[tuple[Any, float]], which: str, length: int) -> Reals:
    """One column for each parameter."""
    return np.array([getattr(each, which) for each, _ in slopes]).T.reshape(length, len(slopes))


def _saddle(M: Reals, G: Reals, top: Reals, bottom: Reals) -> Reals:
    """Solution of M x - G^T y = top, G x = bottom; of least norm where it is not unique."""
    m = G.shape[0]
    matrix = np.block([[M, -G.T], [G, np.zeros((m, m))]]) if m else M
    right = np.vstack([top, bottom])
    regular = not m and np.linalg.matrix_rank(M) == len(M)
    solved: Any = np.linalg.solve(M, right) if regular else np.linalg.lstsq(matrix, right, rcond=RANK)[0]
    return solved
