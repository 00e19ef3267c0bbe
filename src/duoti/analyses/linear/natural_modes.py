"""`natural_modes`: the lowest undamped oscillations of large models of bodies joined by force elements.

About a position of rest, K x = w² M x with sparse K and M; the lowest frequencies are found by shift-invert Lanczos
iteration (ARPACK; Lehoucq, Sorensen & Yang 1998) at a cost proportional to the number of bodies.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from duoti.analyses.equilibrium.equilibrium import Equilibrium, joined_by_forces
from duoti.analyses.equilibrium.sparse_equations import SparseBalance
from duoti.analyses.linear.modes import length_of
from duoti.analyses.states.at import instant
from duoti.analyses.states.supported import refuse_rigid_contacts
from duoti.kernel import one_blas_thread
from duoti.model.model import Model
from duoti.strict import explained
from duoti.system.arrays import Reals
from duoti.system.compile.compiler import compile_model
from duoti.system.system import System

SHIFT = 1e-12  # of the largest stiffness per inertia: below zero, so that rigid motions are no poles
SYMMETRIC = 1e-9  # part of the largest stiffness by which it may differ from its transpose
ZERO_FREQUENCY = 1e-7  # frequencies below this part of the fastest one are zero: w² has errors of 1e-16 of its square


@dataclass(frozen=True, eq=False)
class NaturalModes:
    """Frequencies [Hz], ascending, and the displacements of all rates that go with them: one column for each.

    Rates are in the order of `system.rate_names`; columns have unit generalised mass.
    """

    system: System
    frequencies: Reals
    shapes: Reals

    def __repr__(self) -> str:
        shown = ", ".join(f"{f:.4g}" for f in self.frequencies[:6])
        return f"<{len(self.frequencies)} natural modes of {self.system.model.name!r}: {shown}, ... Hz>"


@explained
def natural_modes(model: Model | System, at: Any = None, count: int = 20, *, t: float | None = None) -> NaturalModes:
    r"""Lowest natural frequencies of bodies joined by force elements: beams, nets, cables. For large models.

    $$(K - \omega^2 M)\, \phi = 0$$

    Damping is left out. `dt.linearise` gives more for models of up to some hundred coordinates.

    Parameters
    ----------
    model:
        A model without loops and first-order states, or a compiled system.
    at:
        What `dt.equilibrium` found, a position q, or another instant; by default the initial one.
    count:
        Number of modes.
    t:
        Time at which laws are evaluated [s]; by default that of `at`, or 0.
    """
    if isinstance(at, Equilibrium) and not at.ok:
        raise ValueError(f"there is no equilibrium to oscillate about: {at.reason}")
    system = model if isinstance(model, System) else None
    if isinstance(at, Equilibrium) and getattr(model, "left_out", None) in (None, at.system.model.left_out):
        system = at.system  # otherwise the model has other elements (`Model.without`)
    system = compile_model(model) if system is None else system  # pyright: ignore[reportArgumentType]
    system.require_dynamics()
    refuse_rigid_contacts(system, "dt.natural_modes")
    if not joined_by_forces(system, {}):
        raise ValueError(
            "natural_modes is for bodies joined by force elements, without loops and first-order states; "
            "dt.linearise(model).frequencies has those of any model"
        )
    if not isinstance(count, int) or count < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"count={count!r}: give a whole number, at least 1")
    q, _, _, time = instant(system, at, t)
    with one_blas_thread():
        return _found(SparseBalance(system, time, length_of(system, q)), q, min(count, system.nv - 1))


def _found(balance: SparseBalance, q: Reals, count: int) -> NaturalModes:
    from scipy.sparse.linalg import eigsh

    here = balance.matrices(q)
    K, M = balance.scaled(here.K), balance.scaled(here.M)
    difference = (K - K.T).data
    if np.max(np.abs(difference), initial=0.0) > SYMMETRIC * np.max(np.abs(K.data), initial=1e-300):
        raise ValueError(
            "the stiffness is not symmetric here: some forces follow the motion, or nothing is in balance; "
            "dt.linearise has the eigenvalues"
        )
    fastest = float(np.max(np.abs(K.diagonal()) / M.diagonal()))
    squares, shapes = eigsh(0.5 * (K + K.T), k=count, M=0.5 * (M + M.T), sigma=-SHIFT * fastest, which="LM")
    order = np.argsort(squares)
    squares = squares[order]
    if squares[0] < -((ZERO_FREQUENCY * fastest**0.5) ** 2) * 1e3:
        raise ValueError("this position is not stable: a stiffness is negative; dt.linearise has the eigenvalues")
    squares = np.where(np.abs(squares) < (ZERO_FREQUENCY**2) * fastest, 0.0, squares)
    return NaturalModes(
        balance.system, np.sqrt(np.maximum(squares, 0.0)) / (2.0 * np.pi), balance.size[:, None] * shapes[:, order]
    )
