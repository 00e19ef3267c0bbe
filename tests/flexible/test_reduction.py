"""Reduction of structures to modes: Craig-Bampton, free interfaces, invariants, geometric stiffness."""

from __future__ import annotations

import numpy as np
import pytest

import duoti as dt
from duoti.flexible.reduction.reduction import Reduction
from duoti.flexible.structure.moments import cross_matrices

STEEL = dt.Material(youngs_modulus=210e9, poisson_ratio=0.3, density=7850.0)
BEAM = dt.Beam(dt.Section.rectangle(0.02, 0.03), STEEL)


@pytest.fixture(scope="module")
def blade() -> dt.flexible.Structure:
    return dt.flexible.Structure.from_mesh(dt.Mesh.box((0.5, 0.04, 0.01), (12, 2, 1), centre=(0.25, 0, 0)), STEEL)


ENDS = {"a": "x-", "b": "x+"}


def test_craig_bampton_frequencies_come_from_above(blade):
    full = blade.frequencies(8, fixed="x-")
    few, many = (Reduction(blade, ENDS, n).omega / (2 * np.pi) for n in (6, 24))
    assert np.all(few[:8] >= full * (1 - 1e-9))  # Rayleigh-Ritz
    assert np.all(many[:8] <= few[:8] * (1 + 1e-9))
    # the rigid end plate of interface b stiffens the modes that bend it across; the rest is truncation
    np.testing.assert_allclose(many[:4], full[:4], rtol=5e-3)


def test_free_interface_is_as_good(blade):
    full = blade.frequencies(4, fixed=None)
    reduction = Reduction(blade, ENDS, 12, method="free-interface")
    body = reduction.reduced(stiffening=False)
    M = body.moments.mass_matrix()
    K = np.zeros_like(M)
    K[6:, 6:] = body.stiffness
    from scipy.linalg import eigh

    free = np.sqrt(np.maximum(eigh(K, M, eigvals_only=True), 0.0)) / (2 * np.pi)
    assert free[5] < 1e-3 * free[6]
    np.testing.assert_allclose(free[6:10], full, rtol=1e-6)  # these very modes are in the basis


def test_constraint_modes_move_as_their_interface(blade):
    body = Reduction(blade, ENDS, 4).reduced()
    b = body.interfaces["b"]
    nodes = blade.select("x+")
    moved = body.display.modes[nodes]
    arm = blade.nodes[nodes] - b.position
    np.testing.assert_allclose(
        moved, b.displacement + np.einsum("nxy,ay->axn", cross_matrices(b.turn.T), arm), atol=1e-11
    )
    assert not body.interfaces["a"].displacement.any()
    assert np.abs(body.display.modes[blade.select("x-")]).max() == 0.0


def test_average_is_softer_than_rigid(blade):
    rigid = Reduction(blade, ENDS, 12).omega
    soft = Reduction(blade, {name: dt.flexible.Attachment(n, coupling="average") for name, n in ENDS.items()}, 12).omega
    assert np.all(soft[:6] < rigid[:6])
    np.testing.assert_allclose(soft[:4], rigid[:4], rtol=0.02)


@pytest.mark.parametrize("kind", ["beam", "mesh", "matrices"])
def test_invariants_are_those_of_the_mass_matrix(blade, kind):
    """Kinetic energy of any rigid motion with any modal velocities is that of the full mass matrix."""
    if kind == "beam":
        s = dt.flexible.Structure.from_beam(BEAM, 0.6, 5)
        body = dt.Flexible.from_beam(BEAM, length=0.6, elements=5, modes=6)
    elif kind == "mesh":
        s, body = blade, dt.Flexible.from_structure(blade, ENDS, 6)
    else:
        beam = dt.flexible.Structure.from_beam(BEAM, 0.6, 5)
        s = dt.flexible.Structure.from_matrices(beam.M, beam.K, beam.nodes)
        body = dt.Flexible.from_matrices(beam.M, beam.K, beam.nodes, {"a": 0, "b": 5}, 6)
    shapes = body.reduction.shapes
    B = np.hstack([s.rigid_motions[:, 3:], s.rigid_motions[:, :3], shapes])
    expected = B.T @ (s.M @ B)
    scale = np.sqrt(np.outer(np.diag(expected), np.diag(expected)))
    assert np.abs((body.reduced.moments.mass_matrix() - expected) / scale).max() < 1e-12
    if kind != "beam":
        return
    assert body.mass == pytest.approx(7850 * 0.02 * 0.03 * 0.6, rel=1e-13)
    bar = dt.Inertia.box(body.mass, size=(0.6, 0.02, 0.03))
    np.testing.assert_allclose(body.matrix, bar.matrix, rtol=1e-12, atol=1e-15)


def test_moments_against_nodal_sums(blade):
    """All nine invariants against sums over pairs of nodes of the consistent mass."""
    body = Reduction(blade, ENDS, 3).reduced(stiffening=False)
    phi, r = body.display.modes, blade.nodes
    m = blade.scalar_mass.toarray()
    t, rt = cross_matrices(np.moveaxis(phi, 2, 1)), cross_matrices(r)
    I = body.moments
    sums = {
        "I1": m.sum(), "I2": m.sum(0) @ r, "I3": np.einsum("ab,bxj->xj", m, phi),
        "I4": np.einsum("ab,axy,byj->xj", m, rt, phi, optimize=True),
        "I5": np.einsum("ab,ajxy,byk->jxk", m, t, phi, optimize=True),
        "I6": np.einsum("ab,axj,bxk->jk", m, phi, phi, optimize=True),
        "I7": -np.einsum("ab,axy,byz->xz", m, rt, rt, optimize=True),
        "I8": np.einsum("ab,axy,bjyz->jxz", m, rt, t, optimize=True),
        "I9": np.einsum("ab,ajxy,bkyz->jkxz", m, t, t, optimize=True),
    }  # fmt: skip
    for name, expected in sums.items():
        np.testing.assert_allclose(
            getattr(I, name), expected, rtol=0, atol=1e-12 * np.abs(expected).max(), err_msg=name
        )


@pytest.mark.parametrize("gamma", [2.0, 6.0, 12.0])
def test_rotating_beam(gamma):
    """First and second flap frequency of a beam that turns about z (Wright et al. 1982), from the modes at rest."""
    exact = {2.0: (4.1373, 22.6149), 6.0: (7.3604, 26.8091), 12.0: (13.1702, 37.6031)}[gamma]
    beam = dt.Beam.from_stiffness(EA=1e6, GAy=1e9, GAz=1e9, GJ=1.0, EIy=1.0, EIz=1.0, mass_per_length=1.0,
                                  rotary_inertia=(0.0, 0.0, 0.0))  # fmt: skip
    body = dt.Flexible.from_beam(beam, length=1.0, elements=20, modes=16).reduced
    K = body.stiffness + gamma**2 * body.geometric["w.zz"]
    flap = np.sqrt(np.linalg.eigvalsh(K))[0:4:2]  # each comes twice: bending along y (as seen from the frame) and z
    # the axial force is constant in an element: an error of its length squared, (1/20)^2 / 12 of the stiffening
    np.testing.assert_allclose(flap, exact, rtol=1e-3)


def test_residual_load_makes_the_answer_exact(blade):
    """A body without a shape for it answers a pressure too stiffly; with its residual mode as the full mesh does."""
    mesh = blade.mesh
    f = blade.pressure("z+", 1e4)
    u = blade.static(f, fixed="x-")
    sag = u[mesh.nearest((0.25, 0, 0.005)), 2]
    for loads, tolerance in (
        (None, None),
        ({"lid": {"pressure": "z+"}}, 1e-8),
    ):  # round-off 1e-16 times the condition 1e8
        body = dt.Flexible.from_mesh(mesh, STEEL, {"a": "x-"}, 1, loads=loads).reduced
        eta = np.linalg.solve(body.stiffness, np.einsum("axn,ax->n", body.display.modes, f))
        found = (body.display.modes @ eta)[mesh.nearest((0.25, 0, 0.005)), 2]
        if tolerance is None:
            assert abs(found / sag - 1) > 1e-3
        else:
            assert found == pytest.approx(sag, rel=tolerance)


def test_faults_are_named(blade):
    with pytest.raises(ValueError, match="share node"):
        Reduction(blade, {"a": "x-", "b": "y-"}, 2)
    with pytest.raises(ValueError, match="on a line"):
        Reduction(blade, {"a": [0, 1]}, 2)
    with pytest.raises(ValueError, match="no node set 'left'"):
        Reduction(blade, {"a": "left"}, 2)
    mesh = dt.Mesh.box((1, 1, 1), (1, 1, 1), "hex8")
    turned = dt.Mesh(mesh.nodes, mesh.cells[:, [0, 3, 2, 1, 4, 7, 6, 5]], "hex8")
    with pytest.raises(ValueError, match="inverted"):
        dt.Flexible.from_mesh(turned, STEEL, {"a": "x-"}, 2)
    assert turned.oriented().faults() == []
    flat = dt.Mesh(mesh.nodes * (1.0, 1.0, 0.0), mesh.cells, "hex8")
    assert flat.faults() == [("zero volume", [0])]
    two = dt.Mesh(np.vstack([mesh.nodes, mesh.nodes + 3.0]), np.vstack([mesh.cells, mesh.cells + 8]), "hex8")
    with pytest.raises(ValueError, match="2 pieces"):
        dt.Flexible.from_mesh(two, STEEL, {"a": [0, 1, 2]}, 2)
    K = blade.K + 1e9 * np.eye(blade.size)
    with pytest.raises(ValueError, match="resists rigid motions"):
        dt.Flexible.from_matrices(blade.M, K, blade.nodes, {"a": [0, 1, 2, 3]}, 2)


def test_what_the_reduction_lacks(blade):
    """Against frequencies of the whole structure that is held by hand; the mass that modes and held face share."""
    body = dt.Flexible.from_structure(blade, {"root": "x-"}, modes=5)
    np.testing.assert_allclose(body.frequency_errors(4), 0.0, atol=1e-7)  # its own modes; eigenvalues to 1e-8
    ends = dt.Flexible.from_structure(blade, ENDS, modes=5)
    wanted = ends.reduced.frequencies()[:4] / blade.frequencies(4, fixed=ENDS["a"]) - 1.0
    np.testing.assert_allclose(ends.frequency_errors(4), wanted, atol=1e-7)
    assert np.all((body.effective_mass() > 0.5)[1:])
    assert np.all(body.effective_mass() < 1.0)
    with pytest.raises(ValueError, match="the body has 5 modes"):
        body.frequency_errors(99)


def test_matrices_may_be_reduced_in_both_ways(blade):
    """Free-interface modes and a residual load of matrices, as of the mesh they come from."""
    load = blade.pressure("z+")
    given = {"interfaces": {"a": dt.flexible.Attachment(blade.select("x-"), coupling="average")}, "modes": 4}
    ours = dt.Flexible.from_structure(blade, **given, method="free-interface", loads={"lid": load}, stiffening=False)
    other = dt.Flexible.from_matrices(
        blade.M, blade.K, blade.nodes, **given, method="free-interface", loads={"lid": load}
    )
    np.testing.assert_allclose(other.reduced.frequencies(), ours.reduced.frequencies(), rtol=1e-7)
