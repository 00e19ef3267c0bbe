"""The places of matrices that an adjoint sweep reads are all that force elements, closures and laws write to."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import duoti as dt
from duoti.analyses.states.linearised_equations import Equations
from duoti.dynamics.derivatives.rnea import rnea_derivatives
from duoti.dynamics.workspace import new_linearisation, new_workspace
from duoti.integrate.base import algebraic_states
from duoti.system.arrays import by_mass_matrix
from duoti.system.jacobian_pattern import coupled_by_elements

EXAMPLES = sorted((Path(dt.__file__).parent / "examples").glob("*.yaml"))


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_no_place_is_missed(path: Path) -> None:
    """All derivatives in a state in which nothing is zero by chance, less those of inertia."""
    try:
        system = dt.compile(dt.load(path))
        equations = Equations.of(system)
    except (ValueError, NotImplementedError, dt.ModelError):
        pytest.skip("a part of another model, or laws that read reactions")
    if by_mass_matrix(system.tree) or algebraic_states(system):
        pytest.skip("all places are read, or none")
    rng = np.random.default_rng(3)
    q, v, z, a = (rng.uniform(0.1, 0.9, n) for n in (system.nq, system.nv, system.nz, system.nv))
    equations.put(q, v, z, 0.3)
    x = equations.linearise(a, rng.uniform(0.1, 0.9, system.closures.rows))
    work = new_workspace(system, ydot=True)
    bare = new_linearisation(system, work).tangent
    rnea_derivatives(system.tree, work, bare, q, v, a)
    start, column = coupled_by_elements(system).lists()
    n = system.nv + system.nz
    places = np.zeros((n, n), bool)
    places[np.repeat(np.arange(n), np.diff(start)), column] = True
    of_positions = np.block([[x.K - bare.K, x.Z], [x.Fq, x.Fz]])
    of_rates = np.hstack([np.vstack([x.C - bare.C, x.Fv]), np.zeros((n, system.nz))])
    size = 1e-9 * max(float(np.max(np.abs(bare.K))), 1.0)  # round-off of the difference
    assert not np.any((np.abs(of_positions) > size) & ~places)
    assert not np.any((np.abs(of_rates) > size) & ~places)
