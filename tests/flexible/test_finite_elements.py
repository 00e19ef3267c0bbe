"""Solid and beam elements: patch tests, rigid motions, mass, closed forms."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

import duoti as dt
from duoti.flexible.elements import SOLIDS, beam2
from duoti.flexible.elements.solid import FOUR_POINTS, FOURTEEN_POINTS, ONE_POINT

STEEL = dt.Material(youngs_modulus=210e9, poisson_ratio=0.3, density=7850.0)
KINDS = tuple(SOLIDS)


def distorted(kind: str, seed: int = 3) -> dt.Mesh:
    """A box whose inner nodes are moved at random; edges stay straight."""
    rng = np.random.default_rng(seed)
    mesh = dt.Mesh.box((1.0, 0.8, 0.6), (3, 2, 2), kind)
    nodes = np.array(mesh.nodes)
    element = SOLIDS[kind]
    vertices = sorted({node for face in element.faces for node in face[: element.face.corners]})
    corners = np.unique(mesh.cells[:, vertices])
    inner = np.array([n for n in corners if not any(n in s for s in mesh.node_sets.values())])
    nodes[inner] += rng.uniform(-0.08, 0.08, size=(len(inner), 3))
    for i, j in itertools.combinations(vertices, 2):
        middle = 0.5 * (element.corners[i] + element.corners[j])
        for k in np.flatnonzero(np.all(element.corners == middle, axis=1)):
            nodes[mesh.cells[:, k]] = 0.5 * (nodes[mesh.cells[:, i]] + nodes[mesh.cells[:, j]])
    return dt.Mesh(nodes, mesh.cells, kind, node_sets=mesh.node_sets)


@pytest.mark.parametrize(("rule", "degree"), [(ONE_POINT, 1), (FOUR_POINTS, 2), (FOURTEEN_POINTS, 5)])
def test_quadrature_of_tetrahedra(rule, degree):
    # integral of x^a y^b z^c over the reference tetrahedron is a! b! c! / (a + b + c + 3)!
    for powers in itertools.product(range(degree + 1), repeat=3):
        if sum(powers) <= degree:
            exact = math.prod(map(math.factorial, powers)) / math.factorial(sum(powers) + 3)
            value = rule.weights @ np.prod(rule.points ** np.array(powers), axis=1)
            assert value == pytest.approx(exact, rel=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_patch(kind):
    """Linear displacements of the surface give the same constant stress everywhere, in distorted elements, too."""
    mesh = distorted(kind)
    s = dt.flexible.Structure.from_mesh(mesh, STEEL)
    gradient = 1e-3 * np.array([[1.0, 0.3, -0.2], [0.5, -0.7, 0.4], [0.1, 0.6, 0.9]])
    u = mesh.nodes @ gradient.T
    surface = np.unique(mesh.surface)
    rows = (3 * surface[:, None] + np.arange(3)).ravel()
    held = s.held(surface)
    prescribed = np.zeros(s.size)
    prescribed[rows] = u.ravel()[rows]
    found = prescribed + held.solve(-(s.K @ prescribed))
    np.testing.assert_allclose(found, u.ravel(), rtol=0, atol=1e-14)  # round-off of the solution of size 1e-3
    strain = 0.5 * (gradient + gradient.T)
    lam, mu = 210e9 * 0.3 / (1.3 * 0.4), 210e9 / 2.6
    sigma = lam * np.trace(strain) * np.eye(3) + 2 * mu * strain
    expected = [sigma[0, 0], sigma[1, 1], sigma[2, 2], sigma[0, 1], sigma[1, 2], sigma[2, 0]]
    np.testing.assert_allclose(s.stresses(found), np.tile(expected, (len(mesh.nodes), 1)), rtol=0, atol=1e-9 * 6e8)


@pytest.mark.parametrize("kind", KINDS)
def test_rigid_motions_and_mass(kind):
    mesh = distorted(kind)
    s = dt.flexible.Structure.from_mesh(mesh, STEEL)
    assert s.mass == pytest.approx(7850.0 * 0.48, rel=1e-13)
    assert np.abs(s.K @ s.rigid_motions).max() < 1e-12 * np.abs(s.K).max()
    moments = s.moments(np.zeros((s.size, 0)))
    box = dt.Inertia.box(7850.0 * 0.48, size=(1.0, 0.8, 0.6))
    np.testing.assert_allclose(moments.I7, box.matrix, rtol=1e-12, atol=1e-9)
    # a deformation of a floating body is the same seen from a turned frame: the stiffness turns with it
    R = dt.Rotation.from_euler("xyz", (0.3, -0.8, 1.1)).matrix
    turned = dt.flexible.Structure.from_mesh(dt.Mesh(mesh.nodes @ R.T, mesh.cells, kind), STEEL)
    T = np.kron(np.eye(len(mesh.nodes)), R)
    assert np.abs(T @ s.K.toarray() @ T.T - turned.K).max() < 1e-12 * np.abs(s.K).max()


@pytest.mark.parametrize("kind", sorted({*KINDS} - {"tet4"}))  # which locks
def test_curved_or_skew_elements_bend(kind):
    """A slender cantilever against Timoshenko's deflection; a locking element would be wrong by a factor."""
    mesh = dt.Mesh.box((1.0, 0.05, 0.05), (20, 2, 2), kind, centre=(0.5, 0, 0))
    s = dt.flexible.Structure.from_mesh(mesh, STEEL)
    u = s.static(s.load({"force": {"nodes": "x+", "value": (0, 0, 100.0)}}), fixed="x-")
    I = 0.05**4 / 12
    exact = 100.0 / (3 * 210e9 * I) + 100.0 / (5 / 6 * 0.0025 * 210e9 / 2.6)
    # the clamped face cannot shrink sideways, which stiffens by about nu h / L of the deflection
    assert u[mesh.node_sets["x+"], 2].mean() == pytest.approx(exact, rel=0.015)


def test_cylinder_follows_the_circle():
    solid = dt.Mesh.cylinder(0.1, 0.5, (2, 4, 4), axis="x")
    assert solid.faults() == []
    # parabolas through the circle at 16 nodes a quarter of 4 divisions: error of the area about (pi/32)^4 / 30
    assert solid.volume == pytest.approx(np.pi * 0.01 * 0.5, rel=1e-4)
    tube = dt.Mesh.cylinder(0.1, 0.5, (1, 4, 4), axis="x", inner_radius=0.08)
    assert tube.volume == pytest.approx(np.pi * (0.01 - 0.0064) * 0.5, rel=1e-3)
    assert len(tube.node_sets["bore"]) > 0


@pytest.mark.parametrize("kind", KINDS)
def test_pressure_all_around_is_in_equilibrium_and_compresses(kind):
    mesh = distorted(kind)
    s = dt.flexible.Structure.from_mesh(mesh, STEEL)
    everywhere = np.unique(mesh.surface)
    f = s.pressure(everywhere, 1e6)
    np.testing.assert_allclose(s.rigid_motions.T @ f.ravel(), 0.0, atol=1e-9 * 1e6)
    stress = s.stresses(s.static(f))
    np.testing.assert_allclose(stress[:, :3], -1e6, rtol=1e-8)
    np.testing.assert_allclose(stress[:, 3:], 0.0, atol=1e-2)
    np.testing.assert_allclose(dt.flexible.von_mises(stress), 0.0, atol=2e-2)
    top = s.pressure("z+", 2.0)
    np.testing.assert_allclose(top.sum(axis=0), (0.0, 0.0, -2.0 * 0.8), atol=1e-14)


@pytest.mark.parametrize("kind", KINDS)
def test_inverted_cells_are_mended(kind):
    """A mirrored mesh has inverted cells; in the other order of their nodes they are sound, and as large."""
    mesh = distorted(kind)
    mirror = dt.Mesh(mesh.nodes * (1.0, 1.0, -1.0), mesh.cells, kind)
    assert [what for what, _ in mirror.faults()] == ["inverted"]
    mended = mirror.oriented()
    assert mended.faults() == []
    assert mended.volume == pytest.approx(mesh.volume, rel=1e-13)  # sums in another order
    s = dt.flexible.Structure.from_mesh(mended, STEEL)
    assert np.abs(s.K @ s.rigid_motions).max() < 1e-12 * np.abs(s.K).max()


def test_geometric_stiffness_of_a_uniform_stress():
    """Under a uniform stress, K_g of a linear field is the volume times grad . sigma . grad."""
    for kind in KINDS:
        mesh = distorted(kind)
        s = dt.flexible.Structure.from_mesh(mesh, STEEL)
        strain = 1e-3 * np.diag([1.0, -0.3, -0.3])  # uniaxial: sigma = E 1e-3 e_x e_x
        v = mesh.nodes @ np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 0.0], [0.7, 0.2, -0.4]]).T
        K = s.geometric((mesh.nodes @ strain).ravel(), v.reshape(-1, 1))
        assert K[0, 0] == pytest.approx(210e6 * 0.48 * 0.7**2, rel=1e-10)


def test_beam_is_hermite_without_shear():
    C = np.diag([1e9, 1e18, 1e18, 1e6, 3.0, 2.0])
    L = 0.7
    k = np.array([[12, 6 * L, -12, 6 * L], [6 * L, 4 * L * L, -6 * L, 2 * L * L], [-12, -6 * L, 12, -6 * L],
                  [6 * L, 2 * L * L, -6 * L, 4 * L * L]])  # fmt: skip
    K = beam2.stiffness(C, L)
    np.testing.assert_allclose(K[np.ix_([1, 5, 7, 11], [1, 5, 7, 11])], 2.0 / L**3 * k, rtol=1e-9)
    m = np.array([[156, 22 * L, 54, -13 * L], [22 * L, 4 * L * L, 13 * L, -3 * L * L], [54, 13 * L, 156, -22 * L],
                  [-13 * L, -3 * L * L, -22 * L, 4 * L * L]])  # fmt: skip
    M = beam2.mass(C, 5.0, np.zeros((3, 3)), L)
    np.testing.assert_allclose(M[np.ix_([1, 5, 7, 11], [1, 5, 7, 11])], 5.0 * L / 420 * m, rtol=1e-9)
    g = np.array([[36, 3 * L, -36, 3 * L], [3 * L, 4 * L * L, -3 * L, -L * L], [-36, -3 * L, 36, -3 * L],
                  [3 * L, -L * L, -3 * L, 4 * L * L]])  # fmt: skip
    G = beam2.geometric(C, 4.0, 0.0, L)
    np.testing.assert_allclose(G[np.ix_([1, 5, 7, 11], [1, 5, 7, 11])], 4.0 / (30 * L) * g, rtol=1e-9)


def test_beam_with_shear_is_timoshenkos():
    EI, GA, L = 2.0, 30.0, 0.7
    phi = 12 * EI / (GA * L**2)
    K = beam2.stiffness(np.diag([1e3, GA, 50.0, 7.0, 3.0, EI]), L)
    a, b = (4 + phi) * L * L, (2 - phi) * L * L
    k = np.array([[12, 6 * L, -12, 6 * L], [6 * L, a, -6 * L, b], [-12, -6 * L, 12, -6 * L], [6 * L, b, -6 * L, a]])
    np.testing.assert_allclose(K[np.ix_([1, 5, 7, 11], [1, 5, 7, 11])], EI / ((1 + phi) * L**3) * k, rtol=1e-12)


def test_beam_with_coupled_strains_is_exact_at_any_number_of_elements():
    rng = np.random.default_rng(0)
    A = rng.normal(size=(6, 6))
    C = A @ A.T + 3.0 * np.eye(6)
    beam = dt.Beam.from_stiffness(matrix=C, mass_per_length=1.0, rotary_inertia=(0.1, 0.05, 0.05))
    load = rng.normal(size=6)
    tips = []
    for elements in (1, 3):
        s = dt.flexible.Structure.from_beam(beam, 1.3, elements)
        f = np.zeros((elements + 1, 6))
        f[-1] = load
        tips.append(s.static(f, fixed="start")[-1])
    np.testing.assert_allclose(tips[0], tips[1], rtol=1e-11)
    # by hand: a tip moment alone makes constant curvature C^-1 m
    s = dt.flexible.Structure.from_beam(beam, 1.3, 2)
    f = np.zeros((3, 6))
    f[-1, 3:] = load[3:]
    strain = np.linalg.solve(C, np.concatenate([np.zeros(3), load[3:]]))
    np.testing.assert_allclose(s.static(f, fixed="start")[-1, 3:], 1.3 * strain[3:], rtol=1e-11)


def test_selections():
    mesh = dt.Mesh.box((1.0, 0.2, 0.2), (4, 1, 1), centre=(0.5, 0, 0))
    left = mesh.node_sets["x-"]
    by_mask = mesh.select(mesh.nodes[:, 0] < 1e-9)
    for found in (by_mask, mesh.select({"plane": {"axis": "x", "at": 0.0}}), mesh.nodes_on_plane((2, 0, 0), 0.0),
                  mesh.select({"box": {"low": (-1, -1, -1), "high": (0, 1, 1)}})):  # fmt: skip
        np.testing.assert_array_equal(found, left)
    assert mesh.select({"nearest": (1, 0, 0)}).tolist() == [mesh.nearest((1, 0, 0))]
    with pytest.raises(ValueError, match="one of plane, box, cylinder, nearest"):
        mesh.select({"sphere": {}})
    with pytest.raises(ValueError, match="but there are 0 to"):
        mesh.select([0, 10_000])


def test_strains_of_a_linear_field_in_two_materials():
    """Nodes between two regions have the same strain on both sides, whatever the materials; round-off."""
    mesh = dt.Mesh.box(size=(2.0, 1.0, 1.0), divisions=(2, 1, 1), kind="hex8")
    half = len(mesh.cells) // 2
    mesh = dt.Mesh(mesh.nodes, mesh.cells, "hex8", regions={"a": range(half), "b": range(half, len(mesh.cells))})
    soft = dt.Material(youngs_modulus=1e9, poisson_ratio=0.4, density=1000.0)
    hard = dt.Material(youngs_modulus=2e11, poisson_ratio=0.2, density=7800.0)
    H = 1e-3 * np.arange(1.0, 10.0).reshape(3, 3)
    s = dt.flexible.Structure.from_mesh(mesh, {"a": soft, "b": hard})
    E = 0.5 * (H + H.T)
    wanted = [E[0, 0], E[1, 1], E[2, 2], E[0, 1], E[1, 2], E[2, 0]]
    np.testing.assert_allclose(s.strains(mesh.nodes @ H.T), np.tile(wanted, (len(mesh.nodes), 1)), atol=1e-14)
