"""Natural frequencies and reductions of beams with known answers."""

from __future__ import annotations

import numpy as np
import pytest
from cases import Case, case
from near import assert_near

import duoti as dt


def euler_bernoulli(elements: int) -> dt.flexible.Structure:
    """The beam of the cases, EI = rho A = L = 1; in the limit GA -> infinity: shear changes frequencies by 12 (n^2) /
    GA."""
    beam = dt.Beam.from_stiffness(
        EA=1e4, GAy=1e16, GAz=1e16, GJ=1.0, EIy=1.0, EIz=1.0, mass_per_length=1.0, rotary_inertia=(0, 0, 0)
    )
    return dt.flexible.Structure.from_beam(beam, 1.0, elements)


def in_plane(s: dt.flexible.Structure) -> tuple[np.ndarray, np.ndarray]:
    """Mass and stiffness of bending in x-z: w and w' = -theta_y of each node."""
    rows = s.rows({tuple(range(len(s.nodes))): "z ry"})
    turn = np.where(np.arange(len(rows)) % 2, -1.0, 1.0)
    return tuple(A[rows][:, rows].toarray() * np.outer(turn, turn) for A in (s.M, s.K))


def omegas(M: np.ndarray, K: np.ndarray, held: list[int]) -> np.ndarray:
    """All natural frequencies [rad/s] with some rows held, from a Craig-Bampton "reduction" that keeps all modes."""
    boundary = held or [0, 1]
    return dt.craig_bampton(M, K, boundary, len(M) - len(boundary)).frequencies(range(len(held)))


@pytest.mark.parametrize("elements", [1, 2, 4, 8, 16])
def test_f05_finite_element_frequencies(elements):
    f: Case = case("F05")
    s = euler_bernoulli(elements)
    wanted = f.reference["omega_FE"][f"cantilever_{elements}_elements"]
    M, K = in_plane(s)
    got = omegas(M, K, [0, 1])[: len(wanted)]
    assert_near(got, wanted, 1e-10, relative=True)
    if elements > 1:
        wanted = f.reference["omega_FE"][f"free-free_{elements}_elements"]
        assert_near(omegas(M, K, [])[2 : 2 + len(wanted)], wanted, 1e-10, relative=True)


def test_f05_exact_frequencies():
    f = case("F05")
    M, K = in_plane(euler_bernoulli(40))
    n = len(M)
    # error of cubic elements in omega: (beta h)^4 / 1440
    for name, held in (("cantilever", [0, 1]), ("free_free", []), ("clamped_pinned", [0, 1, n - 2])):
        beta = np.array(f.reference["betaL"][name], dtype=float)
        first = 0 if held else 2
        assert_near(omegas(M, K, held)[first : first + 4], beta**2, (beta[-1] / 40) ** 4 / 1440, relative=True)
    for ratio, beta in f.reference["betaL"]["cantilever_tip_mass_ratio"].items():
        heavy = M.copy()
        heavy[n - 2, n - 2] += float(ratio)
        assert_near(omegas(heavy, K, [0, 1])[:3], np.square(beta), (beta[-1] / 40) ** 4 / 1440, relative=True)


def test_f05_steel():
    """L = 1 m, 20 x 20 mm of steel; shear and rotary inertia, which the reference leaves out, lower the frequencies."""
    case("F05")
    E, A, I, rho = 2.1e11, 4e-4, 0.02**4 / 12, 7850.0
    thin = dt.Beam.from_stiffness(
        EA=E * A, GAy=1e18, GAz=1e18, GJ=1e4, EIy=E * I, EIz=E * I, mass_per_length=rho * A, rotary_inertia=(0, 0, 0)
    )
    got = dt.flexible.Structure.from_beam(thin, 1.0, 30).frequencies(4, fixed="start")[[0, 2]]
    assert_near(
        got / [16.710332, 104.721862], [1.0, 1.0], (4.694 / 30) ** 4 / 1440 + 1e-8
    )  # elements, and digits printed
    steel = dt.Material(youngs_modulus=E, poisson_ratio=0.3, density=rho)
    real = dt.flexible.Structure.from_beam(dt.Beam(dt.Section.rectangle(0.02, 0.02), steel), 1.0, 30)
    assert np.all(real.frequencies(4, fixed="start")[[0, 2]] < got)


def test_f06_craig_bampton():
    f = case("F06")
    M, K = in_plane(euler_bernoulli(f.p["ne"]))
    reduced = dt.craig_bampton(M, K, f.p["boundary_dofs"], f.p["kept_modes"])
    assert_near(reduced.omega, f.reference["fixed_interface_omega"][:3], 1e-9, relative=True)
    assert_near(reduced.frequencies()[2:], f.reference["reduced_free_free_omega"], 1e-9, relative=True)
    assert_near(reduced.frequencies()[:2], [0.0, 0.0], 1e-4)  # roots of round-off, 1e-16 times the largest square
    assert_near(reduced.frequencies([0, 1]), f.reference["reduced_cantilever_omega"], 1e-9, relative=True)
    assert_near(reduced.K[:4, :4], f.reference["reduced_K_boundary_block"], 1e-9)
    assert_near(reduced.M[:4, :4], f.reference["reduced_M_boundary_block"], 1e-9)
    assert_near(omegas(M, K, [])[2:8], f.reference["full_free_free_omega"], 1e-9, relative=True)
    assert_near(omegas(M, K, [0, 1])[:6], f.reference["full_cantilever_omega"], 1e-9, relative=True)
