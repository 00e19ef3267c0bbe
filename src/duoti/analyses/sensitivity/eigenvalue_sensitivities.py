"""How the eigenvalues of a linearised system change with the numbers of its model, along an equilibrium that moves.

    ds/dp = w^T (dA/dp) x / (w^T x)     of A x = s x, with left eigenvectors w

dA/dp is exact: the matrices of which A is made come from the compiled derivatives with a complex step in the number and
in the state as it moves with it (`dynamics.derivatives.second_by_parameters`), and A follows from them by the same
algebra as always, in complex numbers. The least-squares inverse B+ of the dependent columns B of G, which have full
rank, changes by

    d(B+) = -B+ dB B+ + B+ B+^T dB^T (1 - B B+)       (Golub and Pereyra 1973, eq. 4.12)                     (1)

Eigenvalues that are the same may part in a direction of their own; a defective double one (a body that turns freely,
s = 0) has no derivative: NaN.

Where a model has parts that take no complex step (friction by reactions, functions in Python, bond graphs), and for
axes that turn with a body, dA/dp is by extrapolated differences over equilibria beside this one.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from duoti.analyses.equilibrium.equilibrium import Equilibrium, equilibrium
from duoti.analyses.instant.derivatives import displace
from duoti.analyses.linear.linear_system import without_algebraic
from duoti.analyses.linear.linearise import linearise, state_matrix
from duoti.analyses.sensitivity.equation_sensitivities import Family, Held, extrapolated
from duoti.analyses.states.linearised_equations import Chart, Variation, chart
from duoti.dynamics.derivatives.by_parameters import STEP
from duoti.dynamics.derivatives.second_by_parameters import Direction, PerturbedTangent
from duoti.system.arrays import Reals

SAME = 1e-7  # eigenvalues that are equal: double ones of a defective matrix part by the root of the round-off
FAR = 0.1  # first step of differences of A, by the size of the parameter and FIRST


def eigenvalue_slopes(family: Family, found: Equilibrium, held: Held, ways: list[Direction]) -> tuple[Any, Any, Reals]:
    """Eigenvalues, their derivatives [eigenvalues, parameters], and the errors of these.

    ways: how the equilibrium moves with each parameter; held: what belongs to it.
    """
    import scipy.linalg

    lin = linearise(family.base, found.state, t=found.t)
    factors: Any = scipy.linalg.eig(lin.A, left=True, right=True)
    values, left, right = factors
    slopes = np.zeros((len(values), len(ways)), complex)
    errors = np.zeros(len(ways))
    groups = _groups(values)
    exact = _Exact.of(family, held, lin)
    for k, way in enumerate(ways):
        changes = family.changes(k) if exact else None
        if exact is None or changes is None:
            dA, errors[k] = _differences(family, found, way, k, lin)
        else:
            dA, errors[k] = exact.slope(changes[0], way), changes[1]
        for group in groups:
            slopes[group, k] = _of_group(dA, left[:, group].conj(), right[:, group])
    return values, slopes, errors


def _groups(values: Any) -> list[list[int]]:
    """Numbers of the eigenvalues, those together that are the same."""
    near = SAME * max(float(np.max(np.abs(values), initial=0.0)), 1e-300)
    found: list[list[int]] = []
    for i, value in enumerate(values):
        mine = [group for group in found if any(abs(value - values[j]) <= near for j in group)]
        found = [group for group in found if group not in mine] + [[i, *(j for group in mine for j in group)]]
    return found


def _of_group(dA: Reals, left: Any, right: Any) -> Any:
    """Derivatives of eigenvalues that are the same: these part as the eigenvalues of (W^T X)^-1 W^T dA X."""
    product = left.T @ right
    if np.linalg.cond(product) > 1.0 / SAME or np.min(np.abs(np.linalg.eigvals(product))) < SAME:
        return np.nan
    return np.linalg.eigvals(np.linalg.solve(product, left.T @ dA @ right))


class _Exact:
    """A with a complex step."""

    def __init__(self, family: Family, tangent: PerturbedTangent, lin: Any, held: Held):
        self.system, self.tangent, self.v = family.base, tangent, held.v
        G = lin.variation.G
        self.rates = chart(G)
        self.holonomic = self.system.closures.nonholonomic == 0
        self.positions = chart(G[self.holonomic], self.rates.independent.tolist())
        self.generator = lin.frame.generator
        self.size = len(lin.A)

    @classmethod
    def of(cls, family: Family, held: Held, lin: Any) -> _Exact | None:
        """None where the model has something that takes no complex step, or the axes of the deviations turn."""
        if np.any(family.base.loads.laws.law_address) or lin.frame.generator.any():
            return None
        perturbed = family.perturbed(held)
        return None if perturbed is None else cls(family, PerturbedTangent(perturbed), lin, held)

    def slope(self, changes: dict[tuple[str, ...], Reals], along: Direction) -> Reals:
        """dA/dp in the direction of these changes of the arrays and of the state."""
        made = self.tangent.evaluate(changes, along)
        here: Any = Variation(along.a, along.multipliers, **made)
        rates, positions = _moved(self.rates, here.G), _moved(self.positions, here.G[self.holonomic])
        v: Any = self.v + 1j * STEP * along.v
        big: Any = state_matrix(self.system, v, here, rates, positions, self.generator)[0]
        is_state = np.array(self.system.loads.laws.state_mass, dtype=bool)
        first = len(big) - self.system.nz
        algebraic = [first + k for k in range(self.system.nz) if not is_state[k]]
        kept = [k for k in range(len(big)) if k not in algebraic]
        slope: Any = without_algebraic(big, big, algebraic)[np.ix_(kept, kept)].imag / STEP
        return slope


def _moved(old: Chart, G: Any) -> Chart:
    """A chart with the same independent coordinates for G with a complex step, by (1)."""
    if not len(old.dependent):
        return replace(old, N=old.N.astype(complex))
    B, inverse = G[:, old.dependent], old.inverse
    change = B.imag @ inverse
    rest = np.eye(len(B)) - B.real @ inverse
    slope = -inverse @ change + inverse @ inverse.T @ B.imag.T @ rest
    moved = inverse + 1j * slope
    N = old.N.astype(complex)
    N[old.dependent] = -moved @ G[:, old.independent]
    return Chart(old.independent, old.dependent, N, moved)  # pyright: ignore[reportArgumentType]


def _differences(family: Family, found: Equilibrium, way: Direction, k: int, lin: Any) -> tuple[Reals, float]:
    """dA/dp by differences over equilibria beside this one, extrapolated; and an estimate of its error."""
    q, v, z = found.state

    def matrix(p: float) -> Reals:
        at, change = family.system(k, p), p - family.values[k]
        near = displace(family.base, q, change * way.delta), v, z + change * way.z
        beside = equilibrium(at, near, t=found.t)  # the exact one beside the first-order guess
        return linearise(at, beside, t=found.t, coordinates=lin.rates).A.ravel()

    slope, error = extrapolated(matrix, float(family.values[k]), FAR * family.sizes[k])
    return slope.reshape(lin.A.shape), error
